# SPDX-License-Identifier: Apache-2.0
# etm explain: what it reads, what it writes, its errors.

  $ says() { # TEXT ARGUMENT...: what has the text, however it was wrapped
  > text=$1; shift; etm explain "$@" >said && sed -z 's/\n    */ /g' said | grep -F -e "$text"; }
  $ cp $PROGRAMS/recurse-r4.elf elf
  $ cat >table <<'END'
  > ETMCR = 0x00000800
  > ETMTEEVR = 0x6f
  > ETMTECR1 = 0x01000001
  > ETMACVR1 = 0x8000
  > ETMACVR2 = 0x7000
  > ETMTRIGGER = 0x08941
  > END

# MC-DSC-07
== registers_and_a_core
  $ says ETMv $DEMO/cortex-m3/device_1.ini =>   ETMv3.4, revision 0, made by Arm.
  $ says ETMTRIGGER: $DEMO/cortex-a9/device_1.ini
    Not known without ETMTRIGGER: when there is a trigger.
  $ says Trigger: table --core cortex-r4 =>   Trigger: counter 2 at zero and address in range 3.
  $ says range-empty table --core cortex-r4
    unpredictable: range 1 ends at 0x00007000, not above its beginning at 0x00008000 (ETMACVR2, 3.5.10) [range-empty]
  $ says ETMv table --core cortex-r4 --etm v2.0 =>   ETMv2.0.
  $ etm explain table --core cortex-r4 --format jsonl >lines
  $ grep -e '"topic":"trigger"' -e '"k":"lint"' lines; tail -n 1 lines
  {"k":"says","topic":"trigger","subject":"event","known":true,"registers":{"ETMTRIGGER":"0x00008941"},"text":"Trigger: counter 2 at zero and address in range 3."}
  {"k":"lint","id":"range-empty","severity":"unpredictable","register":"ETMACVR2","section":"3.5.10","text":"range 1 ends at 0x00007000, not above its beginning at 0x00008000"}
  {"k":"end"}
  $ etm explain - --core cortex-r4 <table | grep Trigger
    Trigger: counter 2 at zero and address in range 3.
  $ etm explain table --core cortex-r4 -o file; grep Trigger file; awk 'length > 80' file
    Trigger: counter 2 at zero and address in range 3.
  $ etm explain --help | sed -n 1p => usage: etm explain FILE [options]

# A Cortex-M3 has no address comparators: ETMTSSCR would select nothing.
== watchpoint_comparators_alone_start
  $ printf 'ETMTECR1 = 0x03000000\nETMTESSEICR = 0x00020001\n' >watchpoints
  $ says started watchpoints --core cortex-m3
    Only traced while started by EmbeddedICE comparator 1; the start/stop block is stopped by EmbeddedICE comparator 2.
  $ says ETMTSSCR watchpoints --core cortex-a8
    Not known without ETMTSSCR: where the start/stop block starts and stops.
  $ printf 'ETMTECR1 = 0x03000000\nETMTESSEICR = 0x00000001\n' >watchpoints
  $ says never watchpoints --core cortex-m3
    advice: the start/stop block is started and never stopped (ETMTESSEICR, 2.6.4) [no-stop]

# What was asked for comes back in words, from every format.
== setups_that_etm_configure_wrote
  $ for format in table c openocd gdb sysfs
  > do etm configure --core cortex-a7 --elf elf --trace-function sort --trigger-at main \
  > --format $format -o setup 2>err; says 'Only traced' setup --core cortex-a7 --elf elf; done
    Only traced: range 1 (instruction executed in function sort, [0x00000228, 0x00000318), size ARM, not exact). (5 times)
  $ # the core that is named in it, and another
  > for format in table c openocd gdb sysfs
  > do etm configure --core cortex-a9 --cycle-accurate --format $format -o titled 2>err
  > etm explain titled; etm explain titled --core cortex-r4; done | grep -o -e PFTv.... -e ETMv.... |
  > paste -sd ' '
  PFTv1.0. ETMv3.3. PFTv1.0. ETMv3.3. PFTv1.0. ETMv3.3. PFTv1.0. ETMv3.3. PFTv1.0. ETMv3.3.
  $ etm configure --core cortex-r4 --etm v2.0 | says ETMv - =>   ETMv2.0.
  $ etm configure --core cortex-r4 --start-at 0x8000 --stop-at 0x8040 --cycle-accurate >setup
  $ cat setup | etm explain - --core cortex-r4 >out; cat setup | says 'while started' -
    Only traced while started by address comparator 1 (instruction executed at 0x00008000, size ARM, not exact); the start/stop block is stopped by address comparator 2 (instruction executed at 0x00008040, size ARM, not exact).
  $ grep -e mistakes -e cycle-acc out =>   Tracing is cycle-accurate.

# As OpenOCD and GDB list it, at whatever address the registers are.
== memory
  $ etm configure --core cortex-a7 --elf elf --trace-function sort --trigger-at main -o setup
  $ etm explain setup --core cortex-a7 >want
  $ while read -r name equals value _ number; do
  > [ "$equals" = = ] || continue
  > printf '0x%08x: %08x \n' $((0x8011c000 + 4 * number)) $((value)) >&3
  > printf '0x%x <%s>:\t0x%08x\n' $((0xfffff000 + 4 * number)) "$name" $((value)) >&4
  > done <setup 3>openocd 4>gdb
  $ for how in openocd gdb; do etm explain $how --core cortex-a7 | cmp - want; done
  $ echo '0x8011c020:  0000006f 01000001 00000000' >several
  $ etm explain several --core cortex-a7 --format jsonl |
  > grep -o -e '"ETMTEEVR":"0x0000006f"' -e '"ETMTECR1":"0x01000001"' | uniq
  "ETMTECR1":"0x01000001"
  "ETMTEEVR":"0x0000006f"
  $ # all of it
  > awk 'BEGIN { for (i = 0; i < 4096; i += 32)
  > printf "%08x: 0 0 0 0 0 0 0 0\n", 3221229568 + i }' >memory
  > says ETMv1 memory --core cortex-a7 =>   ETMv1.0, protocol number 0.
  $ echo '0x8011c000: 00000400 0000zz00' >wrong; etm explain wrong --core cortex-a7
  [1] wrong:1: a line of memory is an address and words of 32 bits: 0000zz00
  $ echo '0x8011cffc: 00000400 00000000' >wrong; etm explain wrong --core cortex-a7
  [1] wrong:1: a line of memory goes beyond the registers: 00000000

== what_else_is_in_a_script
  $ printf 'set etm 0xe0041000\nmww 0xe00400f0 2\nmww $etm 0xd80\n' >script
  $ says passed script --core cortex-m3
    1 access to other addresses is passed over, such as 0xe00400f0.
  $ etm explain script --core cortex-m3 --format jsonl | grep passed
  {"k":"note","text":"1 access to other addresses is passed over, such as 0xe00400f0"}
  $ printf 'mww 0xe0041000 $etmcr\n' >wrong; etm explain wrong --core cortex-m3
  [1] wrong:1: the value is not a 32-bit number that is known here: $etmcr

== what_is_wrong
  $ etm explain => [2] explain: no file with registers is given (usage)
  $ etm explain missing => [1] missing: No such file or directory
  $ etm explain table table => [2] table: only one file at a time (usage)
  $ etm explain table --colour => [2] --colour: no such option (usage)
  $ etm explain table --core z80
  [2] --core z80: no such core ('etm configure --core list' shows them)
  $ etm explain table --core cortex-r4 --etm v9
  [2] v9: no such version of the architecture: v1.0 to v1.3, v2.0, v2.1, v3.0 to v3.5, pft1.0, pft1.1
  $ etm explain table --format xml => [2] --format xml: the format is text or jsonl (usage)
  $ etm explain table
  [1] table: ETMIDR is missing, and no protocol is given (--core can stand in for them)
  $ etm explain table --etm v3.0 => [2] --etm needs --core (usage)
  $ etm explain table --simulate elf => [2] --simulate needs --core (usage)
  $ etm explain table --memory 0-4 => [2] --memory needs --simulate (usage)
  $ echo 'ETMCR 12 what' >wrong; etm explain wrong --core cortex-r4
  [1] wrong:1: unexpected text after the value: what
  $ printf '[regs]\nETMCR(0x000)=eleven\n' >wrong; etm explain wrong
  [1] wrong:2: the value is not a 32-bit number: eleven
  $ echo '# nothing' >wrong; etm explain wrong --core cortex-r4 => [1] wrong: no register in it
  $ etm explain table --core cortex-r4 --elf table => [1] table: not an ELF file

# The program runs the same each time: its functions are executed so often. A Cortex-R4
# has two counters.
== the_function_that_was_asked_for_is_simulated
need emulator
  $ etm configure --core cortex-r4 --elf elf --trace-function sort --trigger-at fibonacci \
  > --after-count 3 --data value -o setup 2>err
  $ etm explain setup --core cortex-r4 --simulate elf --format jsonl >lines
  $ grep -v -e says -e lint -e '"function".*"traced":0' lines; grep fibonacci lines | tail -n 1
  {"k":"simulation","executed":12468,"transfers":5902,"exceptions":0,"cycles":25034,"traced":3908,"traced_transfers":1251,"bytes":8207,"lost":0,"overflows":0,"ended":"the program ended"}
  {"k":"trigger","addr":"0x000000e6","cycle":12098}
  {"k":"ended","register":"ETMCNTVR1","value":0}
  {"k":"ended","register":"ETMCNTVR2","value":0}
  {"k":"ended","register":"ETMSQR","value":0}
  {"k":"function","addr":"0x00000228","name":"sort","executed":3908,"traced":3908}
  {"k":"end"}
  {"k":"function","addr":"0x000000e6","name":"fibonacci","executed":4414,"traced":0}
  $ etm explain setup --simulate elf >out; grep -e ' ended' -e 'Only.*function sort' out
    Only traced: range 1 (instruction executed in function sort, [0x00000228,
      the program ended.
    Counter 1 ended at 0.
  $ # more memory
  > etm explain setup --core cortex-r4 --simulate elf --memory 0x20000000-0x20001000 | cmp - out
  $ says limit setup --core cortex-r4 --simulate elf --limit 500
    Executed: 500 instructions, 85 transfers and 0 exceptions in 781 cycles; the limit of instructions was reached.
  $ # an instruction that an exception cancels was not executed; etm record says so, too
  > etm configure --core cortex-a9 -o a9-setup 2>err
  $ etm record $A9/sensor.elf --core cortex-a9 -o recording 2>&1 | tail -n 1
  etm: 131 instructions, 1 exception, 48 transfers, 260 cycles: 38 bytes of trace
  $ etm explain a9-setup --core cortex-a9 --simulate $A9/sensor.elf | grep -e Executed -e '  main '
    Executed: 131 instructions, 48 transfers and 1 exception in 260 cycles; the
      main                              3 of          3
  $ # an M-profile program in the A profile
  > says fault setup --core cortex-r4 --limit 5000 --simulate $PROGRAMS/nested-m3.elf
    The last fault: the instruction at 0x00000068 is undefined.
  $ etm explain setup --core cortex-r4 --simulate elf --memory 12
  [2] --memory 12: not of the form FROM-TO (usage)
