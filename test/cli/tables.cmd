# SPDX-License-Identifier: Apache-2.0
# Tables of logic analysers: those of tables.py hold the same samples.

  $ port='--framing port --protocol etmv3 --format jsonl'
  $ python3 $CLI/tables.py >list; sed -n 1p list => samples

== each_table_holds_the_samples
  $ etm packets samples.csv $port >whole; wc -l <whole => 6
  $ sed 1d list | while read -r table signals
  > do for file in $table.csv -
  > do etm packets $file $port ${signals:+--signals "$signals"} <$table.csv | cmp - whole
  > done; etm info $table.csv | grep -o 'try --framing port'; done
  try --framing port (24 times)

# Seen by an ILA, and by a dump.
== a_bus_of_32_pins_without_tracectl
  $ { printf '\377\377\377\177'; cat $A9/cstrace.bin; } >stream
  $ { echo 'Sample in Buffer,Sample in Window,TRIGGER,zynq_i/ila_0_DATA[31:0]'
  > echo 'Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX'
  > od -An -v -tx1 -w4 stream | awk '{ print NR - 1 "," NR - 1 ",0," $4 $3 $2 $1 }'; } >ila.csv
  $ { printf '$var wire 32 ! D $end $enddefinitions $end\n'
  > od -An -v -tx1 -w4 stream | awk '
  >     BEGIN { for (i = 0; i < 16; i++) for (k = 8; k >= 1; k /= 2)
  >         bits[sprintf("%x", i)] = bits[sprintf("%x", i)] (int(i / k) % 2) }
  >     { word = $4 $3 $2 $1; text = ""
  >         for (i = 1; i <= 8; i++) text = text bits[substr(word, i, 1)]
  >         print "#" NR - 1 " b" text " !" }'; } >ila.vcd
  $ tpiu="--framing tpiu-port --protocol pft --reg ETMIDR=0x411cf300 --format jsonl"
  $ etm packets ila.vcd $tpiu --signals tracedata=D,traceclk=# 2>err >whole; grep -c i_sync whole
  13
  $ etm packets ila.csv $tpiu --signals tracedata=ila_0_DATA,traceclk=# 2>err | cmp - whole

== packets_before_a_value_that_is_none_are_given
  $ sed '15s/,.*/,0,0,1zz,0/' vivado-hex.csv >broken.csv
  $ etm packets broken.csv $port --signals tracedata=TRACE_DATA,tracectl=TRACE_CTL,traceclk=#
  {"off":0,"src":0,"packet":"a_sync","bytes":"00 00 00 00 00 80"}
  {"off":6,"src":0,"packet":"i_sync","bytes":"08 21 4a 3c f2 01","address":"0x01f23c4a","isa":"arm","reason":"trace_on","ns":false,"alt_isa":false,"hyp":false,"context_id":null,"cycle_count":null}
  [1] broken.csv:15: column zynq_i/ila_0/TRACE_DATA[7:0]: 1zz is not a hexadecimal number of 8 bits
