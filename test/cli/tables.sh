#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables of logic analysers: those in TABLES, of which `list` says where the port
# is, hold the samples of samples.txt. Speaks TAP. Usage: tables.sh ETM DEMO
# EMULATOR TABLES
set -u

tables=$(cd "$4" && pwd)
. "$(dirname "$0")/cli.sh"

port='--framing port --protocol etmv3 --format jsonl'
"$etm" packets "$tables/samples.txt" $port >whole 2>err
[ -s whole ] && [ ! -s err ]
verdict $? the_samples_are_packets
while read -r table signals; do
    [ "$table" != '#' ] || continue
    ok=0
    for file in "$tables/$table" -; do
        run packets "$file" $port ${signals:+--signals "$signals"} \
            <"$tables/$table"
        [ "$status" -eq 0 ] && equal out whole || ok=1
    done
    verdict $ok "the_table_holds_the_samples: $table"
    run info "$tables/$table"
    [ "$status" -eq 0 ] && grep -q 'try --framing port' out
    verdict $? "info_names_the_framing: $table"
done <"$tables/list"

# A TPIU's port of 32 pins without TRACECTL, seen by an ILA.
{
    printf '\377\377\377\177'
    cat "$demo/cortex-a9/cstrace.bin"
} >stream
{
    echo 'Sample in Buffer,Sample in Window,TRIGGER,zynq_i/ila_0_DATA[31:0]'
    echo 'Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX'
    od -An -v -tx1 -w4 stream |
        awk '{ print NR - 1 "," NR - 1 ",0," $4 $3 $2 $1 }'
} >ila.csv
{
    printf '$var wire 32 ! D $end $enddefinitions $end\n'
    od -An -v -tx1 -w4 stream | awk '
        BEGIN {
            for (i = 0; i < 16; i++)
                for (k = 8; k >= 1; k /= 2)
                    bits[sprintf("%x", i)] = bits[sprintf("%x", i)] \
                        (int(i / k) % 2)
        }
        {
            word = $4 $3 $2 $1
            text = ""
            for (i = 1; i <= 8; i++)
                text = text bits[substr(word, i, 1)]
            print "#" NR - 1 " b" text " !"
        }'
} >ila.vcd
tpiu="--framing tpiu-port --protocol pft --reg ETMIDR=0x411cf300 --format jsonl"
"$etm" packets ila.vcd $tpiu --signals tracedata=D,traceclk=# >whole 2>err
run packets ila.csv $tpiu --signals tracedata=ila_0_DATA,traceclk=#
grep -q i_sync whole && equal out whole
verdict $? a_bus_of_32_bits_is_that_of_a_dump

# What stands before a value that is none is given.
sed '15s/,.*/,0,0,1zz,0/' "$tables/vivado-hex.csv" >broken.csv
run packets broken.csv $port \
    --signals tracedata=TRACE_DATA,tracectl=TRACE_CTL,traceclk=#
[ "$status" -eq 1 ] && [ "$(wc -l <out)" -ge 2 ] &&
    grep -q 'broken.csv:15: column .*TRACE_DATA\[7:0\]: 1zz is not a hex' err
verdict $? packets_before_a_value_that_is_none_are_given
echo "1..$n"
