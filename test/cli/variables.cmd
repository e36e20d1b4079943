# SPDX-License-Identifier: Apache-2.0
# etm variables: the values of test/programs/variables.c, in every protocol with data trace.

need emulator
  $ recorded() { # DIRECTORY PROGRAM CORE OPTION...
  > directory=$1 program=$PROGRAMS/variables-$2.elf core=$3; shift 3
  > etm record $program --core $core -o $directory "$@" >out 2>err; }
  $ listed() { # accesses in lines of --watch: "+count=1" is a write
  > etm variables "$@" >listed
  > sed -n 's/^ *[0-9-][0-9]*  \(write\|read\) *\(.*\)$/\1 \2/p' listed |
  > sed 's/  [0-9a-f]\{8\}.*//; s/ = /=/; s/^write /+/; s/^read //'; }
  $ watch=small,large,ratio,precise,flag,state,grid,handler,on_event::calls
  $ watch=$watch,sensor.id,sensor.samples,sensor.offset.y,where,count,word
  $ recorded etmv3 r4 cortex-r4 --data both

== each_protocol_has_the_values_of_the_program
  $ listed etmv3 --watch $watch | fmt -w 96
  +count=1 +count=2 +count=3 +small=-3 +large=0x????????d5fa0e00 +large=-5000000000 +ratio=1.5
  +precise=0x????????9999999a +precise=-0.1 +flag=true +state=RUNNING (5) +state=BROKEN (-1)
  +sensor.id=7 +sensor.samples[0]=1000 +sensor.samples[1]=1001 +sensor.samples[2]=1002
  +sensor.samples[3]=1003 +sensor.offset.y=100 +grid[1][2]=-12 +word.all=0x??????11
  +word.bytes[0]=17 +word.all=0x??33??11 +word.bytes[2]=51 +word.all=2864434397
  +word.bytes[0]=221 +word.bytes[1]=204 +word.bytes[2]=187 +word.bytes[3]=170
  +word.all=2864390877 +word.bytes[1]=34 +where=&count (0x00020004) +handler=on_event
  (0x000000a0) handler=on_event (0x000000a0) on_event::calls=0 +on_event::calls=10
  handler=on_event (0x000000a0) on_event::calls=10 +on_event::calls=20 +word.all=1153114845
  +word.bytes[3]=68 count=3
  $ listed etmv3 --watch $watch | sed 's/(0x[0-9a-f]*)/()/' >expected
  $ for core in 'arm7tdmi arm7tdmi' 'arm926 arm926ej-s --etm v2.0'
  > do recorded other $core --data both
  > listed other --watch $watch | sed 's/(0x[0-9a-f]*)/()/' | diff - expected; done

== parts_of_variables_can_be_watched
  $ listed etmv3 --watch sensor | fmt -w 96
  +sensor.id=7 +sensor.state=RUNNING (5) +sensor.samples[0]=1000 +sensor.samples[1]=1001
  +sensor.samples[2]=1002 +sensor.samples[3]=1003 +sensor.offset.x=-100 +sensor.offset.y=100
  sensor.ready=0 sensor.mode=0 sensor.level=0 +sensor.ready=0 +sensor.mode=5 +sensor.level=0
  sensor.ready=0 sensor.mode=5 sensor.level=0 +sensor.ready=0 +sensor.mode=5 +sensor.level=-2
  $ listed etmv3 --watch packed | fmt # a word need not be aligned
  +packed.kind=1 +packed.length=16909060
  $ listed etmv3 --watch 'sensor.samples[2]' => +sensor.samples[2]=1002
  $ listed etmv3 --watch 0x20004 | fmt # an address is called by its variable
  +count=1 +count=2 +count=3 count=3
  $ listed etmv3 --watch 0x3fff8 | fmt # of which there is none
  +0x0003fff8=0x00000000 0x0003fff8=0x00000000 +0x0003fff8=0x00020026

# The bytes of a value are in the other order: CPSR.E.
== big_endian_data_has_its_bytes_in_their_order
  $ recorded r4 r4 cortex-r4 --data both --log log
  $ sed 's/\([rw][1248]\)\(+[0-9]*\)\{0,1\}:/\1b\2:/g' log >big.log
  $ etm record --execution big.log --core cortex-r4 --data both -o big 2>err
  $ listed big --watch word,packed --image $PROGRAMS/variables-r4.elf | fmt -w 96
  +word.all=0x11??????  +word.bytes[0]=17 +word.all=0x11??33??  +word.bytes[2]=51
  +word.all=2864434397 +word.bytes[0]=170 +word.bytes[1]=187 +word.bytes[2]=204
  +word.bytes[3]=221 +word.all=2854407389 +word.bytes[1]=34 +packed.kind=1
  +packed.length=16909060 +word.all=2854407236 +word.bytes[3]=68

# ETMv1 traces memory: its bytes are the same, and not what they mean.
== memory_has_the_same_bytes_in_each_order
  $ recorded etmv1 arm7tdmi arm7tdmi --data both
  $ listed etmv1 --watch word | grep bytes >bytes
  $ listed etmv1 --watch word --endian be8 >got; grep bytes got | diff bytes -; head -n 1 got
  +word.all=0x11??????

# What ran while nothing was traced may have changed anything; damage is one, too: 0x66 is
# no packet (ETM architecture, table 7-1).
== nothing_is_known_behind_a_gap
  $ etm configure --core cortex-r4 --elf $PROGRAMS/variables-r4.elf --data both \
  > --exclude-function on_event -o setup
  $ recorded gap r4 cortex-r4 --setup setup; listed gap --watch word | tail -n 2 | fmt
  +word.all=0x44??????  +word.bytes[3]=68
  $ recorded lost r4 cortex-r4 --data both --sync 40 --unformatted
  $ at=$(etm variables lost --watch word --format jsonl |
  > sed -n 's/.*"off":\([0-9]*\).*"word.all".*"raw":"0xaabbccdd".*/\1/p')
  $ printf '\146' | dd of=lost/cstrace.bin bs=1 seek=$((at + 6)) conv=notrunc 2>out
  $ listed lost --watch word | tail -n 5 | fmt -w 96
  +word.bytes[3]=170 +word.all=0x????22??  +word.bytes[1]=34 +word.all=0x44??22??
  +word.bytes[3]=68
  ! ETM_0 (0x00): bad_packet: 5 bytes lost in 1 place

== lines_have_times
  $ recorded times r4 cortex-r4 --etm v3.5 --timestamps --sync 60 --data both
  $ etm variables times --watch count --format csv
  time,unit,source,access,variable,type,value,text,raw,known,insn,function,file,line
  32,ticks,ETM_0,write,count,uint32_t,1,,0x00000001,0xffffffff,0x000000cc,main,./variables.c,53
  35,ticks,ETM_0,write,count,uint32_t,2,,0x00000002,0xffffffff,0x000000d4,main,./variables.c,53
  38,ticks,ETM_0,write,count,uint32_t,3,,0x00000003,0xffffffff,0x000000dc,main,./variables.c,53
  162,ticks,ETM_0,read,count,uint32_t,3,,0x00000003,0xffffffff,0x000001e8,main,./variables.c,93
  $ etm variables times --watch count --format jsonl | grep -o '"at":.*'
  "at":22,"at_cycles":null,"time":"32"}
  "at":24,"at_cycles":null,"time":"35"}
  "at":26,"at_cycles":null,"time":"38"}
  "at":105,"at_cycles":null,"time":"162"}
  $ etm variables times --format jsonl | grep '"count"' | grep -o '"first_time".*'
  "first_time":"32","last_time":"162"}
  $ etm variables times --watch count --merge
  ETM_0 (0x10): ETMv3.5, Cortex-R4 cpu_0
    data trace: addresses and values
    time in ticks

              32  ETM_0 write   count = 1  000000cc main  ./variables.c:53
              35  ETM_0 write   count = 2  000000d4 main  ./variables.c:53
              38  ETM_0 write   count = 3  000000dc main  ./variables.c:53
             162  ETM_0 read    count = 3  000001e8 main  ./variables.c:93
  $ recorded cycles r4 cortex-r4 --cycle-accurate --data both
  $ etm variables cycles --watch count --format csv | cut -d, -f 1,2,5,7 | fmt
  time,unit,variable,value 28,cycles,count,1 31,cycles,count,2
  34,cycles,count,3 161,cycles,count,3
  $ etm variables cycles --watch count --format jsonl | grep -o '"at_cycles":[0-9]*' | paste -sd' '
  "at_cycles":28 "at_cycles":31 "at_cycles":34 "at_cycles":161

# Built without libiberty, they are not demangled.
== functions_have_the_names_of_the_source
need arm-none-eabi-objcopy libiberty
  $ arm-none-eabi-objcopy --redefine-sym main=_ZN3app3runEv \
  > --redefine-sym on_event=_ZN3app5eventEv $PROGRAMS/variables-r4.elf named.elf
  $ etm record named.elf --core cortex-r4 --data both -o named >out 2>err
  $ etm variables named --watch count --format csv | cut -d, -f 12
  function
  app::run() (4 times)
  $ etm variables named --watch handler --no-demangle
  ETM_0 (0x10): ETMv3.3, Cortex-R4 cpu_0
    data trace: addresses and values
            time  access  variable = value, by (time in instructions)
              86  write   handler = _ZN3app5eventEv (0x000000a0)  000001cc _ZN3app3runEv  ./variables.c:89
              87  read    handler = _ZN3app5eventEv (0x000000a0)  000001d0 _ZN3app3runEv  ./variables.c:90
              95  read    handler = _ZN3app5eventEv (0x000000a0)  000001d8 _ZN3app3runEv  ./variables.c:91
   (esc)

== trace_of_a_part_of_data_is_told
  $ recorded address r4 cortex-r4 --data address; listed address --watch count | fmt
  +count=?  +count=?  +count=?  count=?
  ! ETM_0: no data transfer has a value: what is known is when variables are accessed
  $ grep 'data trace' listed =>   data trace: addresses only; no value is known
  $ recorded value r4 cortex-r4 --data value; listed value --watch count; grep 'data trace' listed
    data trace: values only; it is not known of which variables
  ! ETM_0: no data transfer has an address: it is not known of which variables they are
  ! --watch count: no transfer of it is in the trace
  $ for capture in address value; do etm info $capture | grep -A1 traces; done
      traces     not cycle-accurate, no context ID, original branch encoding,
                 data addresses, R profile, synchronization every 1024 bytes
      traces     not cycle-accurate, no context ID, original branch encoding,
                 data values, R profile, synchronization every 1024 bytes
  $ recorded none r4 cortex-r4; etm variables none
  ETM_0 (0x10): ETMv3.3, Cortex-R4 cpu_0
    no data trace
  0 transfers: 0 of these, 0 elsewhere (stack, heap, peripherals), 0 without an address; 0 without a value
   (esc)
  ! ETM_0: no data transfers are in the trace

== without_names_variables_are_counted
  $ etm variables etmv3 --format csv | grep 'writes\|count\|ratio\|state\|samples\|handler'
  writes,source,variable,type,reads,known,first,last,least,most
  3,ETM_0,count,uint32_t,1,4,1,3,1,3
  1,ETM_0,ratio,float,0,1,1.5,1.5,1.5,1.5
  2,ETM_0,state,state,0,2,5,-1,-1,5
  1,ETM_0,sensor.state,state,0,1,5,5,5,5
  4,ETM_0,sensor.samples[],sample_t,0,4,1000,1003,1000,1003
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

# What is known of one processor's memory says nothing of another's.
== sources_have_their_own_memory
  $ cp -r etmv3 pair; cd pair; cp cstrace.bin more.bin
  $ sed 's/cpu_0/cpu_1/' device_0.ini >device_2.ini; sed 's/ETM_0/ETM_1/' device_1.ini >device_3.ini
  $ sed -i '/^device1/a device2=device_2.ini\ndevice3=device_3.ini' snapshot.ini
  $ sed -i -e 's/=buffer0$/&,buffer1/' -e 's/^ETM_0=.*/&\nETM_1=ETB_1/' -e 's/^cpu_0=.*/&\ncpu_1=ETM_1/' \
  > -e 's/^\[source_b/[buffer1]\nname=ETB_1\nfile=more.bin\nformat=coresight\n\n&/' trace.ini; cd ..
  $ etm variables pair --watch word,large,precise --format csv >both
  $ grep ,ETM_0, both | sed s/ETM_0/ETM_1/ >first; grep ,ETM_1, both | cmp - first; wc -l <first
  17

# Of a variable and its member; 191 characters remain. In .debug_str, what separates the
# names that follow is overwritten.
== long_names_are_cut
  $ etm record $PROGRAMS/variables-r4.elf --core cortex-r4 --data both -o long >out 2>err
  $ python3 - <<'END'
  > elf = bytearray(open('long/variables-r4.elf', 'rb').read())
  > at = elf.index(b'\0samples\0') + 8
  > elf[at:at + 400] = elf[at:at + 400].replace(b'\0', b'_')
  > open('long/variables-r4.elf', 'wb').write(elf)
  > END
  $ etm variables long --watch 0x2002e --format jsonl >lines; wc -l <lines => 1
  $ sed 's/.*"name":"\([^"]*\)".*/\1/' lines | awk '{print length, substr($0, 1, 17)}'
  191 sensor_text_short

# Without debug information: the symbols, and sizes.
== symbols_alone_have_raw_values
need arm-none-eabi-strip
  $ cp $PROGRAMS/variables-r4.elf plain.elf; arm-none-eabi-strip -g plain.elf
  $ etm record plain.elf --core cortex-r4 --data both -o plain 2>err => count 00000003
  $ listed plain --watch ratio,sensor,small | sed -n 1,4p | fmt
  +small=0xfd +ratio=0x3fc00000 +sensor=0x07 +sensor+1=0x05

# The other way round: no table of symbols, since its section is of another type.
== debug_information_alone_names_variables
  $ python3 - $PROGRAMS/variables-r4.elf <<'END'
  > import struct, sys
  > elf = bytearray(open(sys.argv[1], 'rb').read())
  > first, = struct.unpack_from('<I', elf, 32)
  > size, n = struct.unpack_from('<HH', elf, 46)
  > for at in range(first, first + n * size, size):
  >     if struct.unpack_from('<I', elf, at + 4) == (2,): # SHT_SYMTAB
  >         struct.pack_into('<I', elf, at + 4, 1)
  > open('bare.elf', 'wb').write(elf)
  > END
  $ etm record bare.elf --core cortex-r4 --data both -o bare 2>err => count 00000003
  $ names=small,state,grid,where,count,on_event::calls,sensor.samples,word
  $ listed etmv3 --watch $names >expected; listed bare --watch $names | cmp - expected

== what_is_refused
  $ etm variables etmv3 --watch sensor.nothing
  [1] --watch sensor.nothing: no program of the capture has such a variable
  $ etm variables etmv3 --watch 'sensor.samples[4]'
  [1] --watch sensor.samples[4]: no program of the capture has such a variable
  $ etm variables etmv3 --merge
  [2] --merge is for the lines of --watch, as text or jsonl (usage)
  $ etm decode etmv3 --format csv => [2] --format csv is for 'etm variables' only (usage)
  $ etm variables $M3 --watch 0x20000000 >out
  ! ETM_0: no data transfers are in the trace
  ! --watch 0x20000000: no transfer of it is in the trace
