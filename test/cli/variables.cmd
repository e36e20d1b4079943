# SPDX-License-Identifier: Apache-2.0
# etm variables: the values of test/programs/variables.c, in every protocol with data trace.

need emulator
  $ recorded() { # DIRECTORY PROGRAM CORE OPTION...
  > directory=$1 program=$PROGRAMS/variables-$2.elf core=$3; shift 3
  > etm record $program --core $core -o $directory "$@" >out 2>err; }
  $ listed() { etm variables "$@" >listed && # "write count = 1" of each line with --watch
  > sed -n 's/^ *[0-9-][0-9]*  \(write\|read\) *\(.*\)$/\1 \2/p' listed | sed 's/  [0-9a-f]\{8\}.*//'; }
  $ watch=small,large,ratio,precise,flag,state,grid,handler,on_event::calls
  $ watch=$watch,sensor.id,sensor.samples,sensor.offset.y,where,count,word
  $ recorded etmv3 r4 cortex-r4 --data both

== each_protocol_has_the_values_of_the_program
  $ listed etmv3 --watch $watch
  write count = 1
  write count = 2
  write count = 3
  write small = -3
  write large = 0x????????d5fa0e00
  write large = -5000000000
  write ratio = 1.5
  write precise = 0x????????9999999a
  write precise = -0.1
  write flag = true
  write state = RUNNING (5)
  write state = BROKEN (-1)
  write sensor.id = 7
  write sensor.samples[0] = 1000
  write sensor.samples[1] = 1001
  write sensor.samples[2] = 1002
  write sensor.samples[3] = 1003
  write sensor.offset.y = 100
  write grid[1][2] = -12
  write word.all = 0x??????11
  write word.bytes[0] = 17
  write word.all = 0x??33??11
  write word.bytes[2] = 51
  write word.all = 2864434397
  write word.bytes[0] = 221
  write word.bytes[1] = 204
  write word.bytes[2] = 187
  write word.bytes[3] = 170
  write word.all = 2864390877
  write word.bytes[1] = 34
  write where = &count (0x00020004)
  write handler = on_event (0x000000a0)
  read handler = on_event (0x000000a0)
  read on_event::calls = 0
  write on_event::calls = 10
  read handler = on_event (0x000000a0)
  read on_event::calls = 10
  write on_event::calls = 20
  write word.all = 1153114845
  write word.bytes[3] = 68
  read count = 3
  $ listed etmv3 --watch $watch | sed 's/(0x[0-9a-f]*)/()/' >expected
  $ for core in 'arm7tdmi arm7tdmi' 'arm926 arm926ej-s --etm v2.0'; do recorded other $core --data both
  > listed other --watch $watch | sed 's/(0x[0-9a-f]*)/()/' | diff - expected; done

== parts_of_variables_can_be_watched
  $ listed etmv3 --watch sensor | sort | uniq -c
        2 read sensor.level = 0
        1 read sensor.mode = 0
        1 read sensor.mode = 5
        2 read sensor.ready = 0
        1 write sensor.id = 7
        1 write sensor.level = -2
        1 write sensor.level = 0
        2 write sensor.mode = 5
        1 write sensor.offset.x = -100
        1 write sensor.offset.y = 100
        2 write sensor.ready = 0
        1 write sensor.samples[0] = 1000
        1 write sensor.samples[1] = 1001
        1 write sensor.samples[2] = 1002
        1 write sensor.samples[3] = 1003
        1 write sensor.state = RUNNING (5)
  $ listed etmv3 --watch packed # a word need not be aligned
  write packed.kind = 1
  write packed.length = 16909060
  $ listed etmv3 --watch 'sensor.samples[2]' => write sensor.samples[2] = 1002
  $ listed etmv3 --watch 0x20004 # an address is called by its variable
  write count = 1
  write count = 2
  write count = 3
  read count = 3
  $ listed etmv3 --watch 0x3fff8 | sort | uniq -c # of which there is none
        1 read 0x0003fff8 = 0x00000000
        1 write 0x0003fff8 = 0x00000000
        1 write 0x0003fff8 = 0x00020026

# The bytes of a value are in the other order: CPSR.E.
== big_endian_data_has_its_bytes_in_their_order
  $ recorded r4 r4 cortex-r4 --data both --log log
  $ sed 's/\([rw][1248]\)\(+[0-9]*\)\{0,1\}:/\1b\2:/g' log >big.log
  $ etm record --execution big.log --core cortex-r4 --data both -o big 2>err
  $ listed big --watch word,packed --image $PROGRAMS/variables-r4.elf
  write word.all = 0x11??????
  write word.bytes[0] = 17
  write word.all = 0x11??33??
  write word.bytes[2] = 51
  write word.all = 2864434397
  write word.bytes[0] = 170
  write word.bytes[1] = 187
  write word.bytes[2] = 204
  write word.bytes[3] = 221
  write word.all = 2854407389
  write word.bytes[1] = 34
  write packed.kind = 1
  write packed.length = 16909060
  write word.all = 2854407236
  write word.bytes[3] = 68

# ETMv1 traces memory: its bytes are the same, and not what they mean.
== memory_has_the_same_bytes_in_each_order
  $ recorded etmv1 arm7tdmi arm7tdmi --data both
  $ listed etmv1 --watch word | grep bytes >bytes
  $ listed etmv1 --watch word --endian be8 >got; grep bytes got | diff bytes -; head -n 1 got
  write word.all = 0x11??????

# What ran while nothing was traced may have changed anything; damage is one, too: 0x66 is
# no packet (ETM architecture, table 7-1).
== nothing_is_known_behind_a_gap
  $ etm configure --core cortex-r4 --elf $PROGRAMS/variables-r4.elf --data both \
  > --exclude-function on_event -o setup
  $ recorded gap r4 cortex-r4 --setup setup; listed gap --watch word | tail -n 2
  write word.all = 0x44??????
  write word.bytes[3] = 68
  $ recorded lost r4 cortex-r4 --data both --sync 40 --unformatted
  $ at=$(etm variables lost --watch word --format jsonl |
  > sed -n 's/.*"off":\([0-9]*\).*"word.all".*"raw":"0xaabbccdd".*/\1/p')
  $ printf '\146' | dd of=lost/cstrace.bin bs=1 seek=$((at + 6)) conv=notrunc 2>out
  $ listed lost --watch word | tail -n 5
  write word.bytes[3] = 170
  write word.all = 0x????22??
  write word.bytes[1] = 34
  write word.all = 0x44??22??
  write word.bytes[3] = 68
  ! ETM_0 (0x00): bad_packet: 5 bytes lost in 1 place

== lines_have_times
  $ recorded times r4 cortex-r4 --etm v3.5 --timestamps --sync 60 --data both
  $ etm variables times --watch count --format csv
  time,unit,source,access,variable,type,value,text,raw,known,insn,function,file,line
  32,ticks,ETM_0,write,count,uint32_t,1,,0x00000001,0xffffffff,0x000000cc,main,./variables.c,53
  35,ticks,ETM_0,write,count,uint32_t,2,,0x00000002,0xffffffff,0x000000d4,main,./variables.c,53
  38,ticks,ETM_0,write,count,uint32_t,3,,0x00000003,0xffffffff,0x000000dc,main,./variables.c,53
  162,ticks,ETM_0,read,count,uint32_t,3,,0x00000003,0xffffffff,0x000001e8,main,./variables.c,93
  $ etm variables times --watch count --merge
  ETM_0 (0x10): ETMv3.5, Cortex-R4 cpu_0
    data trace: addresses and values
    time in ticks

              32  ETM_0 write   count = 1  000000cc main  ./variables.c:53
              35  ETM_0 write   count = 2  000000d4 main  ./variables.c:53
              38  ETM_0 write   count = 3  000000dc main  ./variables.c:53
             162  ETM_0 read    count = 3  000001e8 main  ./variables.c:93
  $ recorded cycles r4 cortex-r4 --cycle-accurate --data both
  $ etm variables cycles --watch count --format csv | cut -d, -f 1-8
  time,unit,source,access,variable,type,value,text
  28,cycles,ETM_0,write,count,uint32_t,1,
  31,cycles,ETM_0,write,count,uint32_t,2,
  34,cycles,ETM_0,write,count,uint32_t,3,
  161,cycles,ETM_0,read,count,uint32_t,3,
  $ etm variables cycles --watch count --format jsonl | grep -o '"at_cycles":[0-9]*' | paste -sd' '
  "at_cycles":28 "at_cycles":31 "at_cycles":34 "at_cycles":161

== trace_of_a_part_of_data_is_told
  $ recorded address r4 cortex-r4 --data address; listed address --watch count
  write count = ? (3 times)
  read count = ?
  ! ETM_0: no data transfer has a value: what is known is when variables are accessed
  $ grep 'data trace' listed =>   data trace: addresses only; no value is known
  $ recorded value r4 cortex-r4 --data value; listed value --watch count; grep 'data trace' listed
    data trace: values only; it is not known of which variables
  ! ETM_0: no data transfer has an address: it is not known of which variables they are
  ! --watch count: no transfer of it is in the trace
  $ recorded none r4 cortex-r4; etm variables none
  ETM_0 (0x10): ETMv3.3, Cortex-R4 cpu_0
    no data trace
  0 transfers: 0 of these, 0 elsewhere (stack, heap, peripherals), 0 without an address; 0 without a value
   (esc)
  ! ETM_0: no data transfers are in the trace

== without_names_variables_are_counted
  $ etm variables etmv3 --format csv
  writes,source,variable,type,reads,known,first,last,least,most
  2,ETM_0,on_event::calls,uint32_t,2,4,0,20,0,20
  3,ETM_0,count,uint32_t,1,4,1,3,1,3
  1,ETM_0,small,int8_t,0,1,-3,-3,-3,-3
  2,ETM_0,large,int64_t,0,1,-5000000000,-5000000000,-5000000000,-5000000000
  1,ETM_0,ratio,float,0,1,1.5,1.5,1.5,1.5
  2,ETM_0,precise,double,0,1,-0.1,-0.1,-0.1,-0.1
  1,ETM_0,flag,_Bool,0,1,1,1,1,1
  2,ETM_0,state,state,0,2,5,-1,-1,5
  1,ETM_0,sensor.id,uint8_t,0,1,7,7,7,7
  1,ETM_0,sensor.state,state,0,1,5,5,5,5
  4,ETM_0,sensor.samples[],sample_t,0,4,1000,1003,1000,1003
  1,ETM_0,sensor.offset.x,int16_t,0,1,-100,-100,-100,-100
  1,ETM_0,sensor.offset.y,int16_t,0,1,100,100,100,100
  2,ETM_0,sensor.level,int,2,4,0,-2,-2,0
  2,ETM_0,sensor.mode,unsigned int,2,4,0,5,0,5
  2,ETM_0,sensor.ready,unsigned int,2,4,0,0,0,0
  1,ETM_0,grid[][],int16_t,0,1,-12,-12,-12,-12
  5,ETM_0,word.all,uint32_t,0,3,2864434397,1153114845,1153114845,2864434397
  8,ETM_0,word.bytes[],uint8_t,0,8,17,68,17,221
  1,ETM_0,packed.kind,uint8_t,0,1,1,1,1,1
  1,ETM_0,packed.length,uint32_t,0,1,16909060,16909060,16909060,16909060
  1,ETM_0,where,uint32_t *,0,1,131076,131076,131076,131076
  1,ETM_0,handler,function *,2,3,160,160,160,160
  $ etm variables etmv3 --format jsonl | grep 'transfers\|"ratio"'
  {"k":"variable","src":16,"name":"ratio","type":"float","writes":1,"reads":0,"known":1,"first":"1.5","last":"1.5","least":"1.5","most":"1.5","first_time":null,"last_time":null}
  {"k":"transfers","src":16,"n":69,"of_variables":41,"elsewhere":28,"without_address":0,"without_value":0}
  $ etm decode etmv3 --format jsonl | grep -c '"k":"data"' => 69

== forms_agree
  $ etm variables etmv3 --watch "$watch" --format jsonl >lines
  $ etm variables etmv3 --watch "$watch" --format csv >table
  $ python3 - <<'END'
  > import csv, json
  > lines = [json.loads(line) for line in open('lines')]
  > table = list(csv.DictReader(open('table')))
  > assert len(lines) == len(table)
  > for l, t in zip(lines, table):
  >     assert l['name'] == t['variable'] and l['type'] == t['type']
  >     assert l['raw'] == t['raw'] and l['known'] == t['known']
  >     assert (l['text'] or '') == t['text'] and l['function'] == t['function']
  >     assert (l['value'] is None) == (t['value'] == '')
  >     assert l['value'] is None or float(l['value']) == float(t['value'])
  > print(len(lines), [l['value'] for l in lines if l['name'] == 'large'])
  > END
  41 [None, -5000000000]

# Without debug information: the symbols, and sizes.
== symbols_alone_have_raw_values
need arm-none-eabi-strip
  $ cp $PROGRAMS/variables-r4.elf plain.elf; arm-none-eabi-strip -g plain.elf
  $ etm record plain.elf --core cortex-r4 --data both -o plain 2>err => count 00000003
  $ listed plain --watch ratio,sensor,small | head -n 4
  write small = 0xfd
  write ratio = 0x3fc00000
  write sensor = 0x07
  write sensor+1 = 0x05

== what_is_refused
  $ etm variables etmv3 --watch sensor.nothing
  [1] --watch sensor.nothing: no program of the capture has such a variable
  $ etm variables etmv3 --watch 'sensor.samples[4]'
  [1] --watch sensor.samples[4]: no program of the capture has such a variable
  $ etm variables etmv3 --merge
  [2] --merge is for the lines of --watch, as text or jsonl (usage)
  $ etm decode etmv3 --format csv => [2] --format csv is for 'etm variables' only (usage)
  $ etm variables $M3 --watch 0x20000000
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
    no data trace
            time  access  variable = value, by (time in instructions)
   (esc)
  ! ETM_0: no data transfers are in the trace
  ! --watch 0x20000000: no transfer of it is in the trace
