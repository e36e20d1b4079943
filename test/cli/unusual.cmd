# SPDX-License-Identifier: Apache-2.0
# What is unusual, or wrong, on the command line and in files: it is honoured or
# reported, and nothing is passed over without a word.

  $ plain() { test -s out && LC_ALL=C tr -d '\n -~' <out | wc -c; } # bytes of controls
  $ snapshot() { rm -rf snapshot; cp -r $M3 snapshot; chmod -R u+w snapshot; }
  $ printf 'version 1\n00008000 e1a00000\n' >one.log

== help_is_of_one_command_or_of_all
  $ etm help >general; etm help help >out; cmp general out; head -n 1 out
  usage: etm info     CAPTURE [options]   what is in a capture
  $ etm help info merge => [2] merge: help is for one command at a time (see 'etm --help')
  $ etm help frob => [2] frob: no such command (see 'etm --help')

# Names in the files of a program are any bytes.
== no_name_is_a_command_of_a_terminal
  $ snapshot
  $ LC_ALL=C sed "s/clean_task/clean$(printf '\033')[7mk/g
  > s/crc32/c$(printf '\001')c32/g
  > s/board\.c/boa$(printf '\033\002').c/g" $ELF >snapshot/sensor.elf
  $ look() { etm "$@" snapshot >out; plain; grep -om 1 'clean.*7mk\|boa.*\.c\b' out | tail -n 1; }
  $ look decode; look decode --level instructions; look decode --level instructions --source-lines
  0
  clean?[7mk
  0
  clean?[7mk
  0
  boa??.c
  $ look coverage; look coverage --format cobertura; look coverage --format gcovr
  0
  boa??.c
  0
  boa??.c" filename="./boa??.c
  0
  boa\u001b\u0002.c
  $ look coverage --format lcov; grep 'FN:.*c32' out
  0
  boa??.c
  FN:5,c?c32
  $ look coverage --format jsonl
  0
  boa\u001b\u0002.c
  $ grep -m 1 -o '"file":"[^"]*boa[^"]*"' out => "file":"./boa\u001b\u0002.c"
  $ etm configure --core cortex-r4 --elf snapshot/sensor.elf \
  > --trace-function "c$(printf '\001')c32" >setup
  $ etm explain setup --core cortex-r4 --elf snapshot/sensor.elf >out; plain; grep c32 out
  0
    Only traced: range 1 (instruction executed in function c?c32, [0x00000390,
    Range 1: instruction executed in function c?c32, [0x00000390, 0x000003d0),

== nor_of_a_simulation
need emulator
  $ LC_ALL=C sed "s/crc32/c$(printf '\001')c32/g" $ELF >elf
  $ etm configure --core cortex-r4 --elf elf --trace-function "c$(printf '\001')c32" >setup
  $ etm explain setup --core cortex-r4 --elf elf --simulate elf --limit 1000 >out
  $ plain; grep c32 out
  0
    Only traced: range 1 (instruction executed in function c?c32, [0x00000390,
    Range 1: instruction executed in function c?c32, [0x00000390, 0x000003d0),

# E-62: 0 and those from 0x70 on are none.
== trace_ids_of_sources
  $ for id in 0 0x70 0x7d 128 '' x; do etm configure --core cortex-a9 --trace-id "$id"; done
  [2] --trace-id 0: not from 1 to 0x6f (usage)
  ! --trace-id 0x70: not from 1 to 0x6f (usage)
  ! --trace-id 0x7d: not from 1 to 0x6f (usage)
  ! --trace-id 128: not from 1 to 0x6f (usage)
  ! --trace-id "": not from 1 to 0x6f (usage)
  ! --trace-id x: not from 1 to 0x6f (usage)
  $ etm configure --core cortex-a9 --trace-id 0x6f | grep ETMTRACEIDR
  ETMTRACEIDR    = 0x0000006f  # 0x080

== a_recording_is_a_directory_and_of_instructions
  $ etm record --execution one.log -o -
  [2] -o -: a snapshot is a directory, and cannot go to standard output (usage)
  $ echo 'hello, world' >greeting; : >empty; echo 'version 1' >empty.log
  $ etm record --tarmac greeting -o none => [1] greeting: it contains no instruction
  $ etm record --tarmac empty -o none => [1] empty: it contains no instruction
  $ etm record --execution empty.log -o none => [1] empty.log: it contains no instruction
  $ echo * => empty empty.log greeting one.log

== a_log_may_go_to_standard_output
  $ etm record --execution one.log -o one --log -
  version 1
  00008000 e1a00000
  ! 1 instruction, 0 exceptions, 0 transfers, 1 cycle: 12 bytes of trace
  $ echo one/*
  one/code.bin one/cstrace.bin one/device_0.ini one/device_1.ini one/snapshot.ini one/trace.ini

== a_setup_may_come_from_standard_input
  $ etm configure --core cortex-a9 --timestamps --trace-id 0x23 |
  > etm record --execution one.log --core cortex-a9 -o two --setup -
  ! 1 instruction, 0 exceptions, 0 transfers, 1 cycle: 20 bytes of trace
  $ grep ETMTRACEIDR two/device_1.ini => ETMTRACEIDR(0x080)=0x00000023
  $ etm record --execution - -o two --setup -
  [2] --setup -: standard input is already the execution (usage)

# In messages it has its name, whoever reads it.
== standard_input_has_a_name
  $ echo zz 0 >in; printf 'zz\001\n' >bytes
  $ cat in | etm packets - --framing port --protocol etmv3
  trace (0x00): ETMv3.5
  [1] standard input:1: the character 0x7a is not a hexadecimal digit
  $ cat in | etm decode -
  [1] standard input: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
  $ cat in | etm decode $M3 --image - | wc -l
  0
  ! standard input cannot be read as code
  $ cat in | etm explain - => [1] standard input:1: no register has that name: zz
  $ cat in | etm decode $RAW --dump - => [1] standard input:1: no register has that name: zz
  $ cat in | etm merge -
  [1] standard input:1: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print
  $ cat bytes | etm decode -
  [1] standard input: source trace (0x00) cannot be decoded: its bytes do not tell the protocol (none of them is an A-sync): give --core NAME or --protocol ('etm info' says more)
  $ cat bytes | etm decode - --framing dstream --protocol pft
  ! standard input: it contains no trace source
  $ cat bytes | etm info -
  buffer standard input
      file       standard input, 4 bytes
      framing    none
  source trace (0x00)
      skipped: neither its protocol nor ETMIDR is given
      trace      4 bytes in standard input
      the bytes  do not tell the protocol: none of them is an A-sync, with which
                 decoding begins (ETMSYNCFR says how often there is one)

== code_that_changes_is_reported
  $ printf 'version 1\n00008000 e1a00000\n00008004 eafffffd\n00008000 %s\n' e3a00001 >other.log
  $ etm record --execution other.log -o other
  ! at 0x00008000 several instructions were executed, one after the other: the snapshot has only the last
  ! 3 instructions, 0 exceptions, 0 transfers, 3 cycles: 13 bytes of trace
  $ sed 's/e3a00001/e1a00000/' other.log >same.log
  $ etm record --execution same.log -o same
  ! 3 instructions, 0 exceptions, 0 transfers, 3 cycles: 13 bytes of trace

== options_that_have_nothing_to_be_for
  $ for how in info packets decode; do etm $how $M3 --framing none; done
  [1] $M3: a snapshot has its own configuration, a framing can only be given for a raw file
  ! $M3: a snapshot has its own configuration, a framing can only be given for a raw file
  ! $M3: a snapshot has its own configuration, a framing can only be given for a raw file
  $ printf 'PERFILE2' >perf.data; head -c 200 /dev/zero >>perf.data
  $ etm info perf.data --framing none
  [1] perf.data: a perf file has its own configuration: protocol, framing and registers can only be given for other files

== an_index_is_for_times_and_cycles
  $ etm index $A9 --format jsonl >index
  $ for part in '' '--from 100' '--to 50%' '--last 1K' '--shard 1/2'; do
  > etm decode $A9 --index index $part; done
  [2] --index index: for ts:N and cyc:N only (usage)
  ! --index index: for ts:N and cyc:N only (usage) (4 times)
  $ etm decode $A9 --index index --from ts:5000 >out; etm decode $A9 --from ts:5000 | cmp - out
  > sed 1q out
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  $ etm decode $A9 --index nosuch --from ts:5000 => [1] nosuch: No such file or directory
  $ etm decode $A9 --index . --from ts:5000 => [1] .: Is a directory

# Numbers and words that would be the same as nothing, or say it twice.
== values_that_configure_refuses
  $ refused() { etm configure --core "$@" && echo "$@"; }
  $ refused cortex-a9 --trigger-at 0x8000 --after-count 0
  [2] --after-count 0: not a number from 1 to 4294967295 (see 'etm configure --help')
  $ refused cortex-a9 --trigger-at '0x8000*0'
  [2] --trigger-at 0x8000*0: the number after * counts from 1 (see 'etm configure --help')
  $ refused cortex-a9 --sync 0
  [2] --sync 0: not a number from 1 to 4095 (see 'etm configure --help')
  $ refused arm926ej-s --port-size 0
  [2] --port-size 0: not a number from 1 to 64 (see 'etm configure --help')
  $ refused arm926ej-s --stall --fifo-level 0
  [2] --fifo-level 0: not a number from 1 to 255 (see 'etm configure --help')
  $ refused cortex-r4 --data value --data-range 0-4 --data-size 0
  [2] --data-size 0: not 1, 2 or 4 bytes (see 'etm configure --help')
  $ refused cortex-a9 --non-secure --secure
  [2] --secure cannot be combined with --non-secure (see 'etm configure --help')
  $ refused cortex-a9 --user --privileged
  [2] --privileged cannot be combined with --user (see 'etm configure --help')
  $ refused cortex-a9 --timestamps=1
  [2] --timestamps takes no value (see 'etm configure --help')
  $ refused cortex-a9 --base 0x80000000
  [2] --base is for scripts, and a macrocell in memory (see 'etm configure --help')
  $ refused arm926ej-s --base 0x80000000 --format openocd
  [2] --base is for scripts, and a macrocell in memory (see 'etm configure --help')
  $ refused cortex-a9 --base 1 --format gdb
  [2] --base 1: not an address other than 0 that is a multiple of 4 (see 'etm configure --help')
  $ refused cortex-a9 --device etm1
  [2] --device is for --format sysfs (see 'etm configure --help')
  $ refused cortex-a9 --tap cpu --format openocd
  [2] --tap is for --format openocd, and a macrocell accessed by JTAG (see 'etm configure --help')
  $ refused '' => [2] --core "": no such core ('etm configure --core list' shows them)

== what_is_used_is_taken
  $ etm configure --core cortex-a9 --base 0x80000000 --format gdb | grep 80000 | sed -n 1p
  set *(unsigned int *)0x80000fb0 = 0xc5acce55
  $ etm configure --core cortex-a9 --device etm1 --format sysfs | grep etm1 | sed -n 1p
  etm=/sys/bus/coresight/devices/etm1
  $ etm configure --core arm926ej-s --tap arm9 --format openocd | grep arm9
  # arm926ej-s: ETMv1.3
  set etm_tap arm9

== a_file_may_be_attached
  $ etm configure --core cortex-a9 -osetup; etm explain setup --core cortex-a9 -owords
  $ etm decode $M3 --stats >sums; etm merge sums -ototal; cmp sums total
  $ head -c -1 sums >open; etm merge open | cmp - sums # a last line without an end
  $ head -n 1 words total | cut -c 1-60
  ==> words <==
  macrocell

  ==> total <==
  {"k":"block","src":16,"start":"0x00000040","end":"0x00000074

== values_that_others_refuse
  $ etm explain setup --core cortex-r4 --simulate $ELF --limit 0
  [2] --limit 0: not a number of instructions above 0 (usage)
  $ for option in --sync --port-width; do etm record --execution one.log -o three $option 0; done
  [2] --sync 0: not a number above 0, or too large (usage)
  ! --port-width 0: not a number above 0, or too large (usage)
  $ for register in ETMIDR=5 ETMCCR=1; do
  > etm record --execution one.log -o three --reg $register; done
  [1] --reg ETMIDR=0x5: this macrocell does not allow that; it stays 0x411cf301
  ! --reg ETMCCR=0x1: this macrocell does not allow that; it stays 0x8d294004
  $ head -c 1048577 /dev/zero | tr '\0' '\n' >long; etm configure --dump long
  [1] long: File too large
  $ for word in help decode packets; do etm '' $word; done
  [2] "": no such command (see 'etm --help')
  ! "": no such command (see 'etm --help')
  ! "": no such command (see 'etm --help')
  $ etm decode $M3 --format '' => [2] --format "": not one of text, jsonl (usage)
  $ etm decode $M3 -o '' => [1] "": No such file or directory
  $ etm decode $M3 --source-lines --level ranges
  [2] --source-lines shows instructions: it cannot be combined with --level ranges (usage)
  $ for words in 5=0 5=0/0 5=33 16=1; do etm decode $M3 --coprocessor $words; done
  [2] --coprocessor 5=0: not of the form N=WORDS or N=WORDS/WORDS, with 0 to 15 and 1 to 32 words (usage)
  ! --coprocessor 5=0/0: not of the form N=WORDS or N=WORDS/WORDS, with 0 to 15 and 1 to 32 words (usage)
  ! --coprocessor 5=33: not of the form N=WORDS or N=WORDS/WORDS, with 0 to 15 and 1 to 32 words (usage)
  ! --coprocessor 16=1: not of the form N=WORDS or N=WORDS/WORDS, with 0 to 15 and 1 to 32 words (usage)
  $ etm decode $M3 --from '' => [2] --from "": not a number of bytes, N%, ts:N or cyc:N (usage)
  $ for file in trace.ini device_1.ini; do etm decode $M3/$file; done
  [1] $M3/trace.ini: there is no section [device_list], as the snapshot.ini of a snapshot has
  ! $M3/device_1.ini: there is no section [device_list], as the snapshot.ini of a snapshot has
  $ echo * => long one.log

== the_last_value_of_a_register_counts
  $ etm record --execution one.log -o three --reg ETMTRACEIDR=5 --reg ETMTRACEIDR=6 --reg ETMCR=0
  ! 1 instruction, 0 exceptions, 0 transfers, 1 cycle: 12 bytes of trace
  $ grep ETMTRACEIDR three/device_1.ini => ETMTRACEIDR(0x080)=0x00000006

== a_source_in_no_buffer
  $ for line in 'ETM_0=' 'ETM_0=  ; none' 'ETM_9=ETB_0' 'ETM_0=,'; do
  > snapshot; sed "s/^ETM_0=.*/$line/" $M3/trace.ini >snapshot/trace.ini
  > etm decode snapshot; etm packets snapshot; done | sort | uniq -c
        4        0  == end of trace
        8 ETM_0 (0x00): ETMv3.4, Cortex-M3 cpu_0
  ! ETM_0 (0x00): there is nothing to decode: no buffer is listed for it ('etm info' says more) (8 times)
  $ etm info snapshot | grep ^note
  note: ETM_0 is in no buffer: [source_buffers] does not name it

== nothing_is_in_an_empty_file
  $ : >empty; timeout 60 etm gdb empty --protocol etmv3 --image $ELF
  [1] empty: no instruction is in its trace: is the code given (--image)?

# E-313
== a_file_of_a_device_as_some_tools_write_it
  $ snapshot
  $ sed -e 's/^\(ETMCR.*\)$/\1 (RW)/' -e 's/^\(ETMSYNCFR.*=\).*/\1/' \
  > -e 's/^\(ETMIDR.*=\)\(.*\)$/\1"\2"  ; RO/' $M3/device_1.ini >snapshot/device_1.ini
  $ printf 'ETMCCR(0x001)=0x8C802000\n' >>snapshot/device_1.ini
  $ etm decode $M3 >whole; etm decode snapshot >out; cmp out whole
  ! snapshot/device_1.ini:8: the register is skipped: ETMSYNCFR(0x078) has no value
  $ etm explain snapshot/device_1.ini | sed -n 1,2p
  macrocell
    ETMv3.4, revision 0, made by Arm.
  $ etm configure --dump snapshot/device_1.ini | sed -n 1,2p
  # snapshot/device_1.ini: ETMv3.4
  ETMCR          = 0x00000840  # 0x000

# Of any bytes as frames, which have all trace IDs, in two buffers.
== bytes_of_a_source_are_the_same_whether_it_is_decoded_or_not
  $ mkdir frames; tail -c 900000 $(command -v etm) | gzip >bytes
  $ tail -c 200000 bytes | head -c 100000 >frames/a.bin; tail -c 70000 bytes >frames/b.bin
  $ sizes() { etm info "$@" --format jsonl 2>err |
  > sed -n 's/.*"k":"source","src":\([0-9]*\),.*"bytes":\([0-9]*\),.*/\1 \2/p'; }
  $ for framing in coresight tpiu dstream; do
  > sizes frames/a.bin --framing $framing >skipped
  > sizes frames/a.bin --framing $framing --protocol pft | cmp - skipped
  > [ $(wc -l <skipped) -gt 100 ] && echo many; done
  many
  many
  many
  $ printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=x.ini\n[trace]
  > metadata=trace.ini\n' >frames/snapshot.ini
  $ printf '[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=A\nfile=a.bin
  > format=coresight\n[b1]\nname=B\nfile=b.bin\nformat=coresight
  > [source_buffers]\nX_0=A,B\n' >frames/trace.ini
  $ for type in ITM PTM1.1; do
  > printf '[device]\nname=X_0\nclass=trace_source\ntype=%s\n[regs]
  > ETMTRACEIDR=0x10\nETMIDR=0x411CF310\nETMCR=0\n' $type >frames/x.ini
  > sizes frames >sizes-$type; done
  $ cmp sizes-ITM sizes-PTM1.1; sed 's/[0-9]*$/N/' sizes-ITM => 16 N
