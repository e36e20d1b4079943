# SPDX-License-Identifier: Apache-2.0
# etm configure --chip and --sink: options that need or exclude each other, what is
# written where, and messages.

== wrong_usage
  $ etm configure --chip stm32f407 => [2] --chip needs --sink (usage)
  $ for option in --clock=1 --trace=itm --tpiu=4 --etb=4 --tmc=4 --funnel=4 --rom-table=x --read-out
  > do etm configure --core cortex-m4 $option 2>err; echo $?; cut -d ' ' -f 2-4 err
  > done | paste -sd ' '
  2 --clock needs --sink 2 --trace needs --sink 2 --tpiu needs --sink 2 --etb needs --sink 2 --tmc needs --sink 2 --funnel needs --sink 2 --rom-table needs --sink 2 --read-out needs --sink
  $ etm configure --chip stm32f407 --core cortex-m4 --sink tpiu:4
  [2] --chip cannot be combined with --core (usage)
  $ etm configure --sink tpiu:4
  [2] configure: for which macrocell? Give --chip, --core or --dump (usage)
  $ etm configure --chip xstm32f999 --sink tpiu:4
  [2] --chip xstm32f999: no such chip ('etm configure --chip list' shows them; of another, give --core, and its blocks with --rom-table or --tpiu) (usage)
  $ etm configure --chip stm32k1 --sink tpiu:4
  [2] --chip stm32k1: no such chip ('etm configure --chip list' shows them; of another, give --core, and its blocks with --rom-table or --tpiu); did you mean 'stm32f1'? (usage)
  $ for sink in tpiu tpiu: tpiu:0 tpiu:33 tpiu:x swo swo:0 etb:1 usb x
  > do etm configure --chip stm32f407 --sink $sink 2>err; echo $?; cut -d , -f 1 err
  > done | grep -c -x -e 2 -e 'etm: --sink .*: not one of tpiu:PINS' => 20
  $ etm configure --chip stm32f407 --sink tpiu:3
  [2] tpiu: stm32f4: a trace port has 1, 2 or 4 data pins
  $ etm configure --chip stm32f407 --sink swo:2000000
  [2] swo: stm32f4: the baud rate of SWO is divided from the TPIU's clock, most often the core's, whose frequency is not given
  $ etm configure --chip stm32f407 --sink tpiu:4 --trace etm,x
  [2] --trace x: not one of etm, itm, exceptions, pc-samples, timestamps (usage)
  $ etm configure --core cortex-a9 --sink etb --etb 0xf8801000 --funnel 0xf8804000:8
  [2] --funnel 8: its inputs are numbered from 0 to 7 (usage)
  $ etm configure --core cortex-m4 --sink tpiu:4 --tpiu 0xe0040001
  [2] --tpiu must be an address that is a multiple of 4, and not 0 (usage)
  $ etm configure --chip stm32f407 --sink swo:1000000 --clock 16000000 --trace itm --range 0-16
  [2] --trace without etm traces no instructions (usage)
  $ etm configure --chip sam4s --sink swo:1000000 --clock 16000000 --range 0-16
  [2] this chip has no ETM that could trace instructions (usage)

== what_there_is_not
  $ etm configure --chip stm32f407 --sink etb => [1] etb: stm32f4: no such way out of it is known
  $ etm configure --chip stm32f407 --sink tpiu:4 --format sysfs
  [1] sysfs: Linux's drivers set up the path of the trace themselves
  $ etm configure --core arm7tdmi --sink tpiu:4 --tpiu 0x1000 --format openocd
  [1] note: the chip is not known: its pins and clocks are not set up
  ! path: the path of the trace is set up in memory, which this macrocell is not in
  $ etm configure --chip stm32f407 --sink tpiu:4 --read-out --format openocd
  [1] tpiu: a trace port is captured from its pins, not by a script
  $ etm configure --chip k64 --sink etb --read-out --format jlink
  [1] etb: scripts of this language write no files
  $ etm configure --chip k64 --sink swo:1000000 --clock 120000000 --read-out --format gdb
  [1] swo: OpenOCD alone captures SWO by a script

== chips_and_their_sources
  $ etm configure --chip list >list; wc -l <list; grep stm32f4 list
  16
  stm32f4    cortex-m4  etm  tpiu swo      STM32F401 to F479  (ST RM0090; OpenOCD's target/stm32f4x.cfg; orbuculum's Support/gdbtrace.init)
  $ # what is not confirmed is said
  > etm configure --chip lpc4357 --sink tpiu:4 --format c -o x.h
  > grep -o -e 'but: no public.*the ETB' -e 'values from: NXP UM10503' x.h
  values from: NXP UM10503
  but: no public source confirms the address of the ETB
  ! note: no public source confirms the address of the ETB, so it has to be given; packages without port F have no TRACECLK

# The table has it as comments.
== the_path_of_the_trace
  $ etm configure --chip stm32f407 --sink tpiu:4 | tee out | grep -e TRACEIDR -e DBGMCU_CR
  #   0xe0042004: clear 0x000000c0, set 0x000000e0  DBGMCU_CR: TRACE_IOEN, TRACE_MODE: 4 pins
  ETMTRACEIDR    = 0x00000002  # 0x080
  $ etm explain out | grep -o ETMv3.5 => ETMv3.5
  $ # trace IDs differ
  > etm configure --chip stm32f407 --sink tpiu:4 --trace etm,itm --trace-id 1 --format openocd >out
  > grep -e '^mww 0xe0000e80 0x00020005 ' -e '^mww 0xe0041200 0x00000001 ' out
  mww 0xe0000e80 0x00020005 ;# ITM_TCR: on, with its ID
  mww 0xe0041200 0x00000001 ;# ETMTRACEIDR

== a_dump_can_stand_for_the_macrocell_of_a_chip
  $ printf 'ETMIDR = 0x4114f250\nETMCCR = 0x8c802000\nETMCCER = 0x18541800\n' >dump
  $ etm configure --dump dump --sink swo:1000000 --clock 16000000 --trace itm --chip stm32f407 >out
  > sed -n 1p out; etm configure --dump dump --chip stm32f407 --sink tpiu:4 | sed -n 1p
  # stm32f407
  # dump: ETMv3.5

== a_trigger_that_does_not_stop_the_buffer_is_noted
  $ etm configure --chip k64 --sink etb --trigger-at 0x100 >out
  ! note: the trigger does not stop the buffer, because what connects them depends on the chip; with --debug-on-trigger the processor halts, and with it the trace
  ! note: DWT comparator 0 (EmbeddedICE comparator n is DWT comparator n-1) compares addresses for the macrocell: a debugger must not use it for watchpoints, and its reset may clear it
  $ etm configure --chip k64 --sink etb --trigger-at 0x100 --debug-on-trigger >out
  ! note: DWT comparator 0 (EmbeddedICE comparator n is DWT comparator n-1) compares addresses for the macrocell: a debugger must not use it for watchpoints, and its reset may clear it

== a_rom_table_has_the_addresses
  $ while read -r address name; do
  > echo "0000478 I [4]<$address:$name archid=0000 devid=0:0:0> [rom_table]"; done >table <<'END'
  > e0050000 TPIU M4 class=9 designer=43b:Arm part=9a1 devtype=11
  > e0051000 ETM M4 class=9 designer=43b:Arm part=925 devtype=13
  > e0052000 ETB class=9 designer=43b:Arm part=907 devtype=21
  > END
  $ etm configure --core cortex-m4 --sink tpiu:4 --rom-table table --format openocd >out
  ! note: the chip is not known: its pins and clocks are not set up
  $ grep -e '^mww 0xe0050004 0x00000008 ' -e '^mww 0xe0051fb0 0xc5acce55 ' out
  mww 0xe0051fb0 0xc5acce55 ;# ETMLAR: unlock
  mww 0xe0050004 0x00000008 ;# TPIU_CSPSR: number of pins
  $ # an option comes before the table
  > etm configure --core cortex-m4 --sink etb --rom-table table --etb 0xe0060000 --format openocd >out
  > grep '^mww 0xe0060020 0x00000001 ' out => mww 0xe0060020 0x00000001 ;# ETB_CTL: on
  $ echo nothing >table; etm configure --core cortex-m4 --sink tpiu:4 --rom-table table
  [1] table: there is no component in it: neither the output of OpenOCD's dap info nor the log of pyOCD
  $ etm configure --core cortex-m4 --sink tpiu:4 --rom-table none
  [1] none: No such file or directory
