# SPDX-License-Identifier: Apache-2.0
# ITM and DWT packets alone, in frames beside an ETM, and in a snapshot; streams split into
# files.

  $ repeat() { i=0; while [ $i -lt $1 ]; do printf "$2"; i=$((i + 1)); done; }
  $ { # "Hi" of port 0, a word of port 1, an exception, a match, and the time.
  > printf '\0\0\0\0\0\200\001\110\001\151\013\001\0\0\0'
  > printf '\016\017\020\016\017\040\116\020\040\217\104\063\042\021'
  > printf '\027\030\002\0\010\025\0\005\041\160\320\215\001'; } >itm
  $ { cat $RAW; repeat 40 '\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002'; } >both

== packets_and_elements
  $ etm packets itm --protocol itm | sed -n '3p;7,9p;14p'
         6  instrumentation    01 48                    port 0, value 0x48
        12  exception_trace    0e 0f 20                 exception 15, fn exit
        15  data_trace_address 4e 10 20                 comparator 0, address 0x2010
        18  data_trace_value   8f 44 33 22 11           comparator 0, write, value 0x11223344
        27  local_timestamp    d0 8d 01                 ts 141, tc timestamp_delayed
  $ etm packets itm --protocol itm --format jsonl | sed -n '2p;8p'
  {"off":6,"src":0,"packet":"instrumentation","bytes":"01 48","port":0,"value":"0x48"}
  {"off":24,"src":0,"packet":"data_trace_value","bytes":"8f 44 33 22 11","comparator":0,"write":true,"value":"0x11223344"}
  $ etm decode itm --protocol itm | sed -n '2p;4,10p;12p'
         6       port 0 = 48  "H"
         a       port 1 = 00000001
         f  ** exception: enter sys_tick (15)
        12  ** exception: exit sys_tick (15)
        15       store [????2010] = 11223344  comparator 0
        1d       pc 08000218
        22       pc sleeping
        24  ** counters wrapped: cpi cyc
        27  -- local timestamp 141 (+141), timestamp_delayed
  $ etm decode itm --protocol itm --format jsonl
  {"k":"software","src":0,"off":6,"port":0,"value":"0x48","size":1}
  {"k":"software","src":0,"off":8,"port":0,"value":"0x69","size":1}
  {"k":"software","src":0,"off":10,"port":1,"value":"0x00000001","size":4}
  {"k":"exception","src":0,"off":15,"number":15,"name":"sys_tick","return":null,"cancels":null,"resume":0,"action":"enter"}
  {"k":"exception","src":0,"off":18,"number":15,"name":"sys_tick","return":null,"cancels":null,"resume":0,"action":"exit"}
  {"k":"data","src":0,"off":21,"insn":null,"addr":null,"value":"0x11223344","size":4,"store":true,"index":null,"status":"ok","be8":null,"comparator":0,"offset":"0x2010"}
  {"k":"pc_sample","src":0,"off":29,"addr":"0x08000218","state":"running"}
  {"k":"pc_sample","src":0,"off":34,"addr":null,"state":"sleeping"}
  {"k":"event_counter","src":0,"off":36,"counters":["cpi","cyc"]}
  {"k":"trace_on","src":0,"off":38,"reason":"overflow"}
  {"k":"local_timestamp","src":0,"off":39,"delta":141,"ticks":141,"relation":"timestamp_delayed"}
  {"k":"end","src":0,"off":42}

# Two interrupts, one on top of the other; a step of the time is not known.
== exceptions_of_a_dwt_have_durations
  $ { printf '\0\0\0\0\0\200\016\017\020\020\016\020\020\040'
  > printf '\016\020\040\100\016\017\060\060\016\017\040\120\016\0\060\160'; } >told
  $ etm exceptions told --protocol itm | sed -n 2,12p
                         least        mean      most  (local ticks)
  [sys_tick]: 1 entry, on top of 0 others at most
    duration                14        14.0        14
    between entries          -           -         -
             8 to 15                 1  ########################################
    interrupted          1 time: [unknown]
  [irq0]: 1 entry, on top of 1 other at most
    duration                 4         4.0         4
    between entries          -           -         -
             4 to 7                  1  ########################################
    interrupted          1 time: [sys_tick]
  $ etm calls told --protocol itm | sed -n 3,5p
               1                0  [sys_tick] {
               3           4    0    [irq0]
              15          14    0  } [sys_tick]
  $ etm profile told --protocol itm --by line
  ! trace: an ITM traces no instructions; samples of its DWT have a profile by function, as text, jsonl or folded

# Each 100 ticks of global timestamps, for 80 of them, 20 after the timestamp.
== they_have_the_times_of_timestamps
  $ { printf '\0\0\0\0\0\200'
  > for low in '350\207' '314\210' '260\211' '224\212' '370\212'
  > do printf "\\224\\$low\\200\\0\\264\\201\\200\\200\\0\\016\\017\\020\\300\\024"
  > printf '\016\017\040\016\0\060\300\120'; done; } >every100
  $ etm exceptions every100 --protocol itm --merge | grep sys_tick
        67109884  trace [sys_tick]: 5 entries, on top of 0 others at most
  $ etm exceptions every100 --protocol itm --merge --format jsonl
  {"k":"exception","src":0,"name":"[sys_tick]","entries":5,"complete":5,"least":80,"sum":400,"most":80,"intervals":4,"least_interval":100,"sum_intervals":400,"most_interval":100,"first":"67109884","last":"67110284","starts":0,"least_start":null,"sum_starts":null,"most_start":null,"chained":0,"nesting":0,"unit":"local ticks","durations":[0,0,0,0,0,0,0,5],"interrupted":[{"name":"[unknown]","n":5}],"time":"67109884"}

== what_was_written_to_a_port_is_printed
  $ etm decode itm --protocol itm --itm-text 0 => Hi (no-eol)
  $ etm decode itm --protocol itm --itm-text 1 -o text; od -An -tx1 text =>  01 00 00 00
  $ etm decode - --protocol itm --itm-text 0 <itm => Hi (no-eol)
  $ etm decode $A9 --itm-text 0 => [1] $A9: --itm-text: none of its sources is an ITM
  $ etm decode itm --protocol itm --itm-text 256
  [2] --itm-text 256: not a stimulus port: 0 to 255 (usage)
  $ etm decode itm --protocol itm --itm-text 0 --stats
  [2] --itm-text gives what was written, and nothing else in any format (usage)
  $ etm decode itm --protocol itm --itm-text 0 --format jsonl
  [2] --itm-text gives what was written, and nothing else in any format (usage)

# An ITM needs no registers.
== a_snapshot_has_an_itm
  $ mkdir snapshot; cp itm snapshot
  $ printf '[snapshot]\nversion=1.0\n[device_list]\na=itm.ini
  > [trace]\nmetadata=trace.ini\n' >snapshot/snapshot.ini
  $ printf '[device]\nname=ITM_0\nclass=trace_source\ntype=ITM\n' >snapshot/itm.ini
  $ printf '[trace_buffers]\nbuffers=b\n[b]\nname=B\nfile=itm
  > format=source_data\n[source_buffers]\nITM_0=B\n' >snapshot/trace.ini
  $ etm decode snapshot | sed -n 1,3p
  ITM_0 (0x00): ITM
         6       port 0 = 48  "H"
         8       port 0 = 69  "i"
  $ etm info snapshot | grep packets
      traces     stimulus ports, packets of the DWT
      trace      42 bytes in B, 13 packets, 1 synchronization packet

== beside_an_etm_it_is_told_by_its_bytes
  $ etm decode both --framing coresight --protocol etmv3 --reg ETMCR=0x800 2>err | grep '^0x'
  0x01 (0x01): ITM
  0x10 (0x10): ETMv3.5
  $ etm decode both --framing coresight --core cortex-m3 --source 0x01 | sed -n 1,3p
  0x01 (0x01): ITM
      2351       pc 08000309
      2361       pc 08000309
  ! both: as its bytes look, it is read with --protocol itm
  $ etm decode itm --protocol itm --core cortex-m3 | sed -n 1,2p
  trace (0x00): ITM
         6       port 0 = 48  "H"

== streams_are_split
  $ etm split both --framing coresight --protocol etmv3 --reg ETMCR=0x800 -o streams
  streams/0x01.bin: 200 bytes of 0x01 (0x01), ITM
  streams/0x10.bin: 8388 bytes of 0x10 (0x10), ETMv3.5
  ! both: as its bytes look, it is read with --source 0x01 --protocol itm
  $ etm packets streams/0x01.bin --protocol itm | sed 's/^ *[0-9a-f]* //' | sort | uniq -c
       40  pc_sample          17 09 03 00 08           address 0x08000309
        1 trace (0x00): ITM
  $ rm -r streams; etm split both --framing coresight --format jsonl -o streams 2>err
  {"k":"stream","src":1,"name":"0x01","type":"ITM","file":"streams/0x01.bin","bytes":200}
  {"k":"stream","src":16,"name":"0x10","type":"ETMv3.4","file":"streams/0x10.bin","bytes":8388}
  $ printf unknown >bytes; etm split bytes -o streams
  streams/trace.bin: 7 bytes of trace (0x00), unknown
  $ cp -r $M3 other; chmod -R u+w other; sed 's/^type=.*/type=X/' $M3/device_1.ini >other/device_1.ini
  $ etm split other -o streams => streams/ETM_0.bin: 8388 bytes of ETM_0 (0x10), X
  $ etm split both --framing coresight => [2] no directory is given (-o DIRECTORY) (usage)
  $ : >file; etm split both --framing coresight -o file 2>&1 | tail -n 1
  etm: file/0x01.bin: Not a directory
  $ wc -c <file => 0
