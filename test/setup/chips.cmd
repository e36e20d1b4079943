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
  [2] --funnel 0xf8804000:8: its inputs are numbered from 0 to 7 (usage)
  $ etm configure --core cortex-m4 --sink tpiu:4 --tpiu 0xe0040001
  [2] --tpiu 0xe0040001: not an address other than 0 that is a multiple of 4 (usage)
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

== a_whole_script
  $ etm configure --chip stm32f407 --sink swo:2000000 --clock 16000000 --format openocd \
  > --trace etm,itm,exceptions,pc-samples,timestamps
  # cortex-m4: ETMv3.5
  # chip: STM32F401 to F479
  # pins: PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO
  # values from: ST RM0090; OpenOCD's target/stm32f4x.cfg; orbuculum's Support/gdbtrace.init
  proc etm_change {address clear set} {
      mww $address [expr {[read_memory $address 32 1] & ~$clear | $set}]
  }
  proc etm_wait {address mask value} {
      for {set i 0} {$i < 1000} {incr i} {
          if {([read_memory $address 32 1] & $mask) == $value} return
      }
      error [format {0x%08x: bits 0x%08x do not become 0x%08x} \
          $address $mask $value]
  }

  # trace on, sources off
  etm_change 0xe000edfc 0x00000000 0x01000000 ;# DEMCR: TRCENA
  mww 0xe0000fb0 0xc5acce55 ;# ITM_LAR: unlock
  mww 0xe0000e80 0x00000000 ;# ITM_TCR: off
  etm_wait 0xe0000e80 0x00800000 0x00000000 ;# ITM_TCR: it is not busy
  mww 0xe0041fb0 0xc5acce55 ;# ETMLAR: unlock
  etm_change 0xe0041000 0x00000001 0x00000000 ;# ETMCR: power up
  etm_change 0xe0041000 0x00000000 0x00000400 ;# ETMCR: programming bit
  etm_wait 0xe0041010 0x00000002 0x00000002 ;# ETMSR: it has stopped

  # pins and clocks of the chip
  etm_change 0x40023830 0x00000000 0x00000002 ;# RCC_AHB1ENR: GPIOBEN: clock
  etm_change 0x40020400 0x000000c0 0x00000080 ;# GPIOB_MODER: PB3: alternate function
  etm_change 0x40020408 0x00000000 0x000000c0 ;# GPIOB_OSPEEDR: PB3: fast
  etm_change 0x4002040c 0x000000c0 0x00000000 ;# GPIOB_PUPDR: PB3: no pull-up or pull-down
  etm_change 0x40020420 0x0000f000 0x00000000 ;# GPIOB_AFRL: PB3, function 0: TRACESWO
  etm_change 0xe0042004 0x000000c0 0x00000020 ;# DBGMCU_CR: TRACE_IOEN, TRACE_MODE: asynchronous

  # TPIU
  mww 0xe00400f0 0x00000002 ;# TPIU_SPPR: one pin, UART code
  mww 0xe0040010 0x00000007 ;# TPIU_ACPR: cycles of its clock in a bit, less one
  mww 0xe0040004 0x00000001 ;# TPIU_CSPSR: number of pins
  mww 0xe0040304 0x00000102 ;# TPIU_FFCR: formatter, triggers

  # DWT
  etm_change 0xe0001000 0x00011e1e 0x0001161f ;# DWT_CTRL: exceptions, PC samples, synchronization

  # ITM
  mww 0xe0000e00 0xffffffff ;# ITM_TER: stimulus ports
  mww 0xe0000e80 0x0001000f ;# ITM_TCR: on, with its ID

  # macrocell
  mww 0xe0041000 0x00000c10 ;# ETMCR
  mww 0xe0041008 0x0000406f ;# ETMTRIGGER
  mww 0xe0041020 0x0000006f ;# ETMTEEVR
  mww 0xe0041024 0x01000000 ;# ETMTECR1
  mww 0xe00411f0 0x00000000 ;# ETMTESSEICR
  mww 0xe00411f8 0x0000406f ;# ETMTSEVR
  mww 0xe0041200 0x00000002 ;# ETMTRACEIDR
  mww 0xe0041000 0x00000810 ;# ETMCR: it runs
  etm_wait 0xe0041010 0x00000002 0x00000000 ;# ETMSR: it is running
  mww 0xe0041fb0 0x00000000 ;# ETMLAR: lock
  $ etm configure --chip k64 --sink etb --format gdb
  # cortex-m4: ETMv3.5
  # chip: Kinetis K60, K64
  # pins: PTE0 TRACE_CLKOUT, PTE4 to PTE1 TRACE_D0 to TRACE_D3; SWO is TDO, PTA2
  # values from: NXP K64P144M120SF5RM; NuttX's kinetis_memorymap.h; mcuoneclipse's KinetisTrace.c
  set mem inaccessible-by-default off
  define etm_change
    set *(unsigned int *)$arg0 = *(unsigned int *)$arg0 & ~$arg1 | $arg2
  end
  define etm_wait
    set $etm_tries = 0
    while (*(unsigned int *)$arg0 & $arg1) != $arg2 && $etm_tries < 1000
      set $etm_tries = $etm_tries + 1
    end
    if $etm_tries == 1000
      printf "0x%08x: bits 0x%08x do not become 0x%08x\n", $arg0, $arg1, $arg2
    end
  end

  # trace on, sources off
  # DEMCR: TRCENA
  etm_change 0xe000edfc 0x00000000 0x01000000
  # ITM_LAR: unlock
  set *(unsigned int *)0xe0000fb0 = 0xc5acce55
  # ITM_TCR: off
  set *(unsigned int *)0xe0000e80 = 0x00000000
  # ITM_TCR: it is not busy
  etm_wait 0xe0000e80 0x00800000 0x00000000
  # ETMLAR: unlock
  set *(unsigned int *)0xe0041fb0 = 0xc5acce55
  # ETMCR: power up
  etm_change 0xe0041000 0x00000001 0x00000000
  # ETMCR: programming bit
  etm_change 0xe0041000 0x00000000 0x00000400
  # ETMSR: it has stopped
  etm_wait 0xe0041010 0x00000002 0x00000002

  # pins and clocks of the chip
  # MCM_ETBCC: ETDIS, ITDIS: not to the TPIU
  etm_change 0xe0080014 0x00000000 0x00000030

  # funnel
  # FUNNEL_LAR: unlock
  set *(unsigned int *)0xe0043fb0 = 0xc5acce55
  # FUNNEL_CTRL: its inputs
  etm_change 0xe0043000 0x000000ff 0x00000001

  # ETB
  # ETB_LAR: unlock
  set *(unsigned int *)0xe0042fb0 = 0xc5acce55
  # ETB_CTL: off
  set *(unsigned int *)0xe0042020 = 0x00000000
  # ETB_RWP: from its beginning
  set *(unsigned int *)0xe0042018 = 0x00000000
  # ETB_TRG
  set *(unsigned int *)0xe004201c = 0x00000000
  # ETB_FFCR: formatter
  set *(unsigned int *)0xe0042304 = 0x00000001
  # ETB_CTL: on
  set *(unsigned int *)0xe0042020 = 0x00000001

  # DWT
  # DWT_CTRL: neither samples nor exceptions
  etm_change 0xe0001000 0x00011c00 0x00000000

  # macrocell
  # ETMCR
  set *(unsigned int *)0xe0041000 = 0x00000c10
  # ETMTRIGGER
  set *(unsigned int *)0xe0041008 = 0x0000406f
  # ETMTEEVR
  set *(unsigned int *)0xe0041020 = 0x0000006f
  # ETMTECR1
  set *(unsigned int *)0xe0041024 = 0x01000000
  # ETMTESSEICR
  set *(unsigned int *)0xe00411f0 = 0x00000000
  # ETMTSEVR
  set *(unsigned int *)0xe00411f8 = 0x0000406f
  # ETMTRACEIDR
  set *(unsigned int *)0xe0041200 = 0x00000002
  # ETMCR: it runs
  set *(unsigned int *)0xe0041000 = 0x00000810
  # ETMSR: it is running
  etm_wait 0xe0041010 0x00000002 0x00000000
  # ETMLAR: lock
  set *(unsigned int *)0xe0041fb0 = 0x00000000
