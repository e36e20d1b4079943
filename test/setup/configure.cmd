# SPDX-License-Identifier: Apache-2.0
# etm configure: values, formats, files, what is said and what is refused.

  $ registers() { sed -n 's/^\(ETM\)*\([A-Z0-9_]*\) *= 0x0*\([0-9a-f][0-9a-f]*\) .*/\2=\3/p'; }
  $ sets() { # CORE ARGUMENT...: registers that have other values than when all is traced
  > etm configure --core $1 2>/dev/null | registers >was; core=$1; shift
  > etm configure --core $core "$@" >out 2>notes || return
  > registers <out | grep -v -x -F -f was | paste -sd ' '; }
  $ cp $DATA/two_states.elf elf

== wrong_usage
  $ etm configure => [2] configure: for which macrocell? Give --chip, --core or --dump (usage)
  $ etm configure --core cortex-a8 --dump x => [2] --core cannot be combined with --dump (usage)
  $ etm configure --core cortex-a8 --frob => [2] --frob: no such option (usage)
  $ etm configure --core => [2] --core needs a value (usage)
  $ etm configure --core cortex-a8 --format x
  [2] --format x: not one of table, c, openocd, gdb, sysfs, jlink, pyocd (usage)
  $ etm configure --core cortex-a8 --from 1 => [2] --from needs --to after it (usage)
  $ etm configure --core cortex-a8 --range 0x10-0xc
  [2] --range 0x10-0xc: the range is empty: its end is not above its beginning (usage)
  $ etm configure --core cortex-a8 --from 0x10 --to 0xc
  [2] --to 0xc: the range is empty: its end is not above its beginning (usage)
  $ etm configure --core cortex-a8 --start-at main
  [2] --start-at main: not a number; a name needs --elf before it (usage)
  $ etm configure --core cortex-a8 --trigger-at x:1
  [2] --trigger-at x:1: no such condition (usage)
  $ etm configure --core cortex-a8 --start-at 0x10 --stop-at 0x10
  [2] one address cannot both start and stop the trace (2.6.4)
  $ etm configure --core cortex-x1
  [2] --core cortex-x1: no such core ('etm configure --core list' shows them); did you mean 'cortex-a15'?
  $ etm configure --core cortex-a8 --etm v4
  [2] v4: no such version of the architecture: v1.0 to v1.3, v2.0, v2.1, v3.0 to v3.5, pft1.0, pft1.1
  $ etm configure --core cortex-m3 --start-at ice:0
  [2] --start-at ice:0: they are numbered from 1 to 8 (usage)
  $ etm configure --core cortex-r4 --start-at exec:0x100-0x200
  [2] --start-at exec:0x100-0x200: a range: tracing starts and stops at single addresses (usage)
  $ etm configure --core cortex-a8 --data both --data-value 0xab/0xf0@0x2001 --data-size 1
  [2] a value has bits that its mask leaves out: they would not be compared (3.5.11)
  $ etm configure --core cortex-r4 --data value --data-size 1
  [2] --data-size needs --data-range, --data-variable or --data-value (usage)
  $ etm configure --core cortex-a8 --trigger-at 'store4:0x2000*3' --after-count 5
  [2] --after-count 5 and *3 in --trigger-at are two counts: give one (usage)
  $ etm configure --core arm926ej-s --trigger-at 0x1000 --data value --big-endian
  [2] --big-endian needs a value, of --data-value or of a condition (usage)
  $ etm configure --core arm926ej-s --chain 1,2,store:4=5 --chain ext:1,ext:2 --big-endian
  [2] --big-endian needs a value, of --data-value or of a condition (usage)

# The value is quoted, and in it the part that is wrong, or what is missing.
== wrong_words_of_a_value_are_quoted
  $ wrong() { # OPTION VALUE...
  > option=$1; shift; for value in "$@"
  > do etm configure --core cortex-a8 $option "$value" 2>&1 | sed 's/ (see .*//'; done; }
  $ wrong --trigger-at '' '!' ' & ext:1' 'ext:1 & ' 'ext:1 & ext:2 | ext:3' ext: 'ext:1 & ext:x' \
  > every started:4 load: load3:4 load:4=
  etm: --trigger-at "": a condition is missing
  etm: --trigger-at !: a condition is missing after !
  etm: --trigger-at  & ext:1: a condition is missing before & or |
  etm: --trigger-at ext:1 & : a condition is missing after & or |
  etm: --trigger-at ext:1 & ext:2 | ext:3: more than two conditions
  etm: --trigger-at ext:: needs a number: WORD:N
  etm: --trigger-at ext:1 & ext:x: "x": not a number, or too large
  etm: --trigger-at every: needs a number: WORD:N
  etm: --trigger-at started:4: takes no number
  etm: --trigger-at load:: an address is missing
  etm: --trigger-at load3:4: the size of data is 1, 2 or 4
  etm: --trigger-at load:4=: a value is missing
  $ wrong --when 'ext:1*' 'ext:1*0' 'load:4=1/x' '*3'
  etm: --when ext:1*: a number is missing after *
  etm: --when ext:1*0: the number after * counts from 1
  etm: --when load:4=1/x: "1/x": the mask is not a 32-bit number
  etm: --when *3: a condition is missing
  $ wrong --chain ext:1, ext:1,ext:x
  etm: --chain ext:1,: a condition is missing
  etm: --chain ext:1,ext:x: "x": not a number, or too large
  $ wrong --external-output 1= '2=ext:1 | '
  etm: --external-output 1=: a condition is missing
  etm: --external-output 2=ext:1 | : a condition is missing after & or |
  $ wrong --range 4- -4 4-x 5 ''
  etm: --range 4-: an address is missing
  etm: --range -4: an address is missing
  etm: --range 4-x: "x": not a number; a name needs --elf before it
  etm: --range 5: not of the form FROM-TO
  etm: --range "": not of the form FROM-TO
  $ wrong --start-at '' 4-8 ice: load:x
  etm: --start-at "": an address is missing
  etm: --start-at 4-8: not a number; a name needs --elf before it
  etm: --start-at ice:: a number is missing
  etm: --start-at load:x: "x": not a number; a name needs --elf before it
  $ wrong --data-value '' 4/0 4/x@0 4@
  etm: --data-value "": a value is missing
  etm: --data-value 4/0: the mask is not a 32-bit number
  etm: --data-value 4/x@0: "4/x": the mask is not a 32-bit number
  etm: --data-value 4@: an address is missing
  $ wrong --trace-function '' => etm: --trace-function "": a name is missing
  $ wrong '--from x --to' 4 => etm: --from x: not a number; a name needs --elf before it
  $ wrong '--from 4 --to' '' x
  etm: --to "": an address is missing
  etm: --to x: not a number; a name needs --elf before it

== what_there_is_not
  $ etm configure --core cortex-a8 --elf no.elf
  [1] no.elf: cannot read the file: No such file or directory
  $ etm configure --dump no.txt => [1] no.txt: No such file or directory
  $ etm configure --core cortex-a9 --port-size 8 => [1] this macrocell has no trace port of its own
  $ etm configure --core cortex-a8 --range 0-16 --range 32-48 --range 64-80 --range 96-112 \
  > --start-at 16 --stop-at 32
  [1] 5 pairs of address comparators are needed, but this macrocell has 4: each of the 4 ranges takes a pair, each two of the 2 single addresses another
  $ etm configure --core cortex-m3 --range 0x08000000-0x08020000
  [1] 0x08000000-0x0801ffff does not fit into the blocks of up to 32 KB, one or two, that the DWT compares in place of address comparators: use --start-at and --stop-at, or ice:1
  $ etm configure --core cortex-m3 --start-at 0x100 --stop-at 0x200 --stop-at 0x300 \
  > --stop-at 0x400 --trigger-at 0x500
  [1] 5 DWT comparators are needed, but this macrocell has 4: each address takes one, what is traced by range one or two, and each ice:N is one
  $ etm configure --core cortex-m4 --start-at 1 --format sysfs 2>notes || grep -v note: notes
  etm: sysfs: Linux's driver does not program the comparators of the DWT, which this setup needs
  $ etm configure --core cortex-m3 --start-at ice:1 --format sysfs 2>notes || grep -v note: notes
  etm: ETMTESSEICR: Linux's driver cannot give ETMTESSEICR the value 0x1
  $ etm configure --core cortex-a8 --elf elf --data address --data-variable nix
  [1] --data-variable: no variable nix in elf
  $ etm configure --core cortex-a8 --data both --data-range 0x2000-0x2010 --data-value 5 \
  > --data-value 6 --data-value 7
  [1] 3 data value comparators are needed, but this macrocell has 2
  $ etm configure --core cortex-a9 --trigger-at vmid:1 => [1] this macrocell has no VMID comparator
  $ etm configure --core cortex-a7 --trigger-at vmid:1 --format sysfs
  [1] ETMVMIDCVR: Linux's driver cannot give ETMVMIDCVR the value 0x1

== everything_is_the_default
  $ etm configure --core cortex-a8 | registers | paste -sd ' '
  CR=840 TRIGGER=406f TSSCR=0 TECR2=0 TEEVR=6f TECR1=1000000 VDEVR=406f VDCR1=0 VDCR3=10000 SQ12EVR=406f SQ21EVR=406f SQ23EVR=406f SQ31EVR=406f SQ32EVR=406f SQ13EVR=406f EXTOUTEVR1=406f EXTOUTEVR2=406f
  $ sets cortex-a8 --data address,value => CR=84c VDEVR=6f
  $ sets cortex-a8 --data both => CR=84c VDEVR=6f

== functions_and_variables_of_a_program
  $ sets cortex-a9 --elf elf --trace-function thumb_function; cat notes
  TECR1=1 ACVR1=8010 ACVR2=802c ACTR1=9 ACTR2=9
  $ sets cortex-a8 --elf elf --trace-function arm_function; cat notes
  TECR1=1 ACVR1=802c ACVR2=8040 ACTR1=19 ACTR2=19
  $ sets cortex-a9 --elf $DATA/copies.elf --trace-function square; cat notes
  TECR1=1 ACVR1=8000 ACVR2=8058 ACTR1=19 ACTR2=19
  etm: note: --trace-function square: $DATA/copies.elf has 2 of that name: the one at 0x00008000 is used (for another, give its address)
  $ sets cortex-a9 --elf $DATA/copies.elf --trace-function first; cat notes
  TECR1=1 ACVR1=8058 ACVR2=8080 ACTR1=19 ACTR2=19
  $ sets cortex-a8 --elf elf --start-at _start+4 --stop-at 0x802c
  TSSCR=20001 TECR1=3000000 ACVR1=8054 ACVR2=802c ACTR1=9 ACTR2=19
  $ sets cortex-a8 --elf elf --data address --data-variable counter
  CR=848 VDEVR=6f VDCR1=1 VDCR3=0 ACVR1=20000 ACTR1=1c
  $ sets cortex-a8 --elf elf --trigger-at store:counter=7
  TRIGGER=0 ACVR1=20000 ACTR1=be DCVR1=7 DCMR1=0
  $ # e_type is EXEC in the file, and DYN in the copy
  > cp elf moved.elf; printf '\003' | dd of=moved.elf bs=1 seek=16 conv=notrunc 2>dd
  > sets cortex-a8 --elf moved.elf --trace-function arm_function; cat notes
  TECR1=1 ACVR1=802c ACVR2=8040 ACTR1=19 ACTR2=19
  etm: note: --elf moved.elf is position-independent: its names are addresses in the file; if it is loaded elsewhere, give addresses

== comparators_of_the_dwt
  $ sets cortex-m3 --start-at ice:1 --stop-at ice:2; cut -c 1-70 notes
  TECR1=3000000 TESSEICR=20001
  etm: note: EmbeddedICE comparator 1 is DWT comparator 0: set bit 24 of
  etm: note: EmbeddedICE comparator 2 is DWT comparator 1: set bit 24 of
  $ sets cortex-m3 --start-at 0x08000101 --stop-at 0x08000200; cat notes
  DEMCR=1000000 DWT_COMP0=8000100 DWT_MASK0=0 DWT_FUNCTION0=8 DWT_COMP1=8000200 DWT_MASK1=0 DWT_FUNCTION1=8 TECR1=3000000 TESSEICR=20001
  etm: note: DWT comparators 0, 1 (EmbeddedICE comparator n is DWT comparator n-1) compare addresses for the macrocell: a debugger must not use them for watchpoints, and its reset may clear them
  $ sets cortex-m4 --elf elf --start-at thumb_function --trigger-at _start+4
  DEMCR=1000000 DWT_COMP0=8010 DWT_MASK0=0 DWT_FUNCTION0=8 DWT_COMP1=8054 DWT_MASK1=0 DWT_FUNCTION1=8 TRIGGER=21 TECR1=3000000 TESSEICR=1
  $ sets cortex-m4 --elf elf --trace-function thumb_function; sed -n 1p notes
  DEMCR=1000000 DWT_COMP0=8010 DWT_MASK0=4 DWT_FUNCTION0=8 DWT_COMP1=8020 DWT_MASK1=4 DWT_FUNCTION1=8 TEEVR=150a0
  etm: note: 0x00008010-0x0000801f and 0x00008020-0x0000802f are traced, more than was asked for: the DWT compares blocks of 2^n bytes at multiples of that (at single addresses tracing can start and stop: --start-at, --stop-at)
  $ for format in c openocd gdb
  > do etm configure --core cortex-m4 --start-at 0x08000100 --stop-at 0x08000200 \
  > --format $format -o dwt; grep -o '0xe0001030.*0x08000200' dwt
  > etm explain dwt --core cortex-m4 | grep -c '  EmbeddedICE comparator 2 is DWT comparator 1: '
  > done 2>/dev/null | paste -sd ' '
  0xe0001030, 0x08000200 1 0xe0001030 0x08000200 1 0xe0001030 = 0x08000200 1

== data
  $ sets cortex-r4 --start-at store4:0x20000000=5 --stop-at load1:0x20000010
  TSSCR=20001 TECR1=3000000 ACVR1=20000000 ACVR2=20000010 ACTR1=3e ACTR2=5 DCVR1=5 DCMR1=0
  $ sets cortex-a8 --etm v3.2 --data value,address --data-value 0xa0/0xf0@0x2001 --data-size 1 \
  > --data-access store
  CR=84c VDEVR=6f VDCR1=1 VDCR3=0 ACVR1=2001 ACTR1=26 DCVR1=a0 DCMR1=ffffff0f
  $ # of all addresses
  > sets cortex-r4 --data address --data-access load
  CR=848 VDEVR=6f VDCR3=1 ACVR1=0 ACVR2=ffffffff ACTR1=1d ACTR2=1d
  $ # a value without an address is that of the ranges, if there are any
  > sets cortex-a8 --data both --data-value 5 --data-access store --data-range 0x2000-0x2010
  CR=84c VDEVR=6f VDCR3=1 ACVR1=2000 ACVR2=2010 ACTR1=3e ACTR2=1e DCVR1=5 DCMR1=0
  $ sets cortex-a8 --data both --data-range 0x2000-0x2010 --data-value 5 --data-range 0x3000-0x3010
  CR=84c VDEVR=6f VDCR3=3 ACVR1=2000 ACVR2=2010 ACVR3=3000 ACVR4=3010 ACTR1=3c ACTR2=1c ACTR3=3c ACTR4=1c DCVR1=5 DCVR2=5 DCMR1=0 DCMR2=0
  $ sets cortex-a8 --data both --data-range 0x2000-0x2010 --data-value 5@0x4000
  CR=84c VDEVR=6f VDCR1=1 VDCR3=2 ACVR1=4000 ACVR3=2000 ACVR4=2010 ACTR1=3c ACTR3=1c ACTR4=1c DCVR1=5 DCMR1=0
  $ sets cortex-a8 --data both --data-value 5
  CR=84c VDEVR=6f VDCR3=1 ACVR1=0 ACVR2=ffffffff ACTR1=3c ACTR2=1c DCVR1=5 DCMR1=0
  $ sets cortex-a8 --data both --data-access store --exclude-data-range 0x2000-0x3000
  CR=84c VDEVR=6f VDCR3=201 ACVR1=0 ACVR2=ffffffff ACVR3=2000 ACVR4=3000 ACTR1=1e ACTR2=1e ACTR3=1e ACTR4=1e
  $ sets cortex-a8 --data both --exclude-data-range 0x2000-0x3000
  CR=84c VDEVR=6f VDCR3=10100 ACVR1=2000 ACVR2=3000 ACTR1=1c ACTR2=1c

== ranges_conditions_and_modes
  $ sets cortex-a8 --from 0x100 --to 0x200 => TECR1=1 ACVR1=100 ACVR2=200 ACTR1=19 ACTR2=19
  $ sets cortex-a8 --trigger-at store4:0x2000 --after-count 5
  TRIGGER=40 ACVR1=2000 ACTR1=9e CNTRLDVR1=5 CNTENR1=0 CNTRLDEVR1=406f
  $ sets cortex-a8 --trigger-at 'store4:0x2000*5'
  TRIGGER=40 ACVR1=2000 ACTR1=9e CNTRLDVR1=5 CNTENR1=0 CNTRLDEVR1=406f
  $ sets cortex-a8 --trigger-at 'ext:1&0x8000-0x8100' --external-output '1=!ext:2|!ext:2'
  TRIGGER=8860 ACVR1=8000 ACVR2=8100 ACTR1=99 ACTR2=99 EXTOUTEVR1=1f0e1
  $ sets cortex-a8 --trigger-at ' ext:1 & 0x8000-0x8100 ' --external-output '1= ! ext:2 | !ext:2'
  TRIGGER=8860 ACVR1=8000 ACVR2=8100 ACTR1=99 ACTR2=99 EXTOUTEVR1=1f0e1
  $ sets cortex-a8 --chain ext:1,ext:2 --trigger-at chain
  TRIGGER=52 SQ12EVR=f061 SQ23EVR=61 SQ13EVR=b0e0
  $ for n in 127 128
  > do etm configure --core cortex-a8 --chain "$(printf %${n}s ext:1),ext:2" --trigger-at chain |
  > grep -c SQ12EVR; done 2>&1 | tr -s ' '
  1
  etm: --chain ext:1,ext:2: not a condition (see 'etm configure --help')
  0
  $ sets cortex-a7 --trigger-at '!vmid:0x2a' => TRIGGER=405b VMIDCVR=2a
  $ sets cortex-a9r0p0 --cycle-accurate --timestamps --return-stack --branch-broadcast \
  > --context-id-size 4 --trace-id 0x11 --sync 0x200 => CR=3000d100 SYNCFR=200 TRACEIDR=11

# E-337: the driver looks at ETMCCER[22], which does not deny timestamps in a Cortex-A9.
== the_driver_takes_timestamps_where_they_are_shown
  $ etm configure --core cortex-a9 --timestamps --format sysfs
  [1] Linux's driver cannot turn timestamps on: ETMCCER[22] of this macrocell is 0
  $ etm configure --core cortex-a9 --timestamps --format gdb >out 2>&1
  $ for core in cortex-a9r0p0 cortex-a15
  > do etm configure --core $core --timestamps --format sysfs | grep etm/mode; done
  echo 0x9 > $etm/mode
  echo 0x9 > $etm/mode

# E-333: the OS lock of ETMv3.5.
== a_dump_stands_for_a_core
  $ printf '[regs]\nETMCCR(0x001)=0x8d294024\nETMIDR(0x079)=0x410cf250\nETMCCER(0x07a)=0x344008f2\n' >dump
  $ etm configure --dump dump --timestamps --timestamp-at ext:1 | grep -e dump -e TSEVR -e ETMCR
  # dump: ETMv3.5
  ETMCR          = 0x10000840  # 0x000
  ETMTSEVR       = 0x00000060  # 0x07e
  $ for oslsr in 8 a 0; do printf 'ETMOSLSR(0x0c1)=0x%s\n' $oslsr | cat dump - >locked
  > etm configure --dump locked --format openocd 2>/dev/null >out || echo failed
  > grep -c '^mww 0xe0041300 0x00000000 ;# ETMOSLAR: unlock$' out; done | paste -sd ' ' => 1 1 0

== the_order_of_bytes_is_said_anywhere
  $ value=store1:0x1001=5
  > for option in --trigger-at=$value "--trigger-at=ext:1&$value" --when=$value \
  > "--data=value --data-when=$value" --external-output=1=$value \
  > "--chain=$value,0x100 --trigger-at=chain"
  > do etm configure --core arm926ej-s --big-endian $option >first
  > etm configure --core arm926ej-s $option --big-endian | tee last | grep ETMDCVR1
  > cmp first last 2>&1; done 2>/dev/null => ETMDCVR1       = 0x00050000  # 0x030 (6 times)
  $ # in later versions it makes no difference (2.8.4)
  > etm configure --core cortex-a8 --trigger-at=$value --big-endian >first
  > etm configure --core cortex-a8 --trigger-at=$value | cmp first -
  ! note: the byte order makes no difference to values from v2.0 on: they are compared as they are traced (2.8.4)

== an_event_that_can_change_is_imprecise
  $ for always in always 'always|ext:1' '!always&ext:1'
  > do etm configure --core cortex-a8 --data both --when "$always" --data-when "$always" >out; done
  $ for sometimes in ext:1 'always&ext:1' '!always|ext:1' 'ext:1|ext:2'
  > do etm configure --core cortex-a8 --data both --when "$sometimes" --data-when "$sometimes" \
  > >out; done 2>&1 | sort | uniq -c
        4 etm: note: the enabling event is imprecise: trace may begin or end some instructions late (2.6.4)
        4 etm: note: the enabling event of ViewData is imprecise: data trace may begin or end late (2.6.5)

# 0xe0041000 is the address in M-profile processors only.
== an_address_that_may_be_wrong_is_noted
  $ for format in c openocd gdb; do etm configure --core cortex-a8 --format $format >out
  > etm configure --core cortex-a8 --format $format --base 0x54000000 >out
  > etm configure --core cortex-m3 --format $format >out; done
  ! note: without --base the address is 0xe0041000, as in M-profile processors; that of others depends on the chip (3 times)
  $ for format in table sysfs; do etm configure --core cortex-a9 --format $format >out; done
  $ etm configure --core arm7tdmi --format openocd >out

== output_goes_to_a_file
  $ etm configure --core cortex-m3 --format openocd -o script; grep ETMTECR1 script
  mww 0xe0041024 0x01000000 ;# ETMTECR1
  $ etm configure --core list | tee cores | grep -e ^cortex-m3
  cortex-m3              ETM-M3                   v3.5
  $ etm configure --core list -o file; cmp cores file
  $ etm configure --help | grep -c -e --trace-function => 2
