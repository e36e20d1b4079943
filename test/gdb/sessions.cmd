# SPDX-License-Identifier: Apache-2.0
# Sessions of GDB, as it is on Debian: what it prints.

need gdb-multiarch
  $ session() { # CAPTURE PROGRAM: with the commands of standard input
  > { printf '%s\n' 'set pagination off' 'set confirm off' 'set width 0' 'set remotetimeout 60' \
  > "directory $(dirname $2)" "target remote | etm gdb $1"; cat; } >script
  > # versions of GDB differ in what they say of threads and of breakpoints
  > gdb-multiarch -nx -nh -batch -x script $2 2>&1 |
  > grep -v -e 'New Thread' -e 'automatically using hardware' -e '^warning'; }
  $ backtraces() { # CAPTURE PROGRAM SEED: how many are wrong, at 200 places
  > gdb-multiarch -nx -nh -batch -ex "python ARGS = ['etm', '$1', '200', '$3']" \
  > -x $CLI/../gdb/backtraces.py $2 2>err | grep -e '^#' -e '^[0-9]* wrong'; }

== a_session
  $ session $M3 $ELF <<'END'
  > # The demo of a Cortex-M3: from the end of its trace back to its beginning.
  > echo --- the end\n
  > bt
  > monitor where
  > x/2i $pc
  > echo --- one instruction back\n
  > reverse-stepi
  > p/x $pc
  > p $r0
  > p $sp == 0
  > echo --- back to a breakpoint, and out of the function\n
  > break ring_get
  > reverse-continue
  > bt
  > reverse-finish
  > p/x $pc
  > echo --- its first call, and what it returns\n
  > delete
  > monitor goto start
  > stepi
  > break ring_get
  > continue
  > finish
  > echo --- a function whose value the trace does not tell\n
  > delete
  > break formula_run
  > continue
  > python
  > try:
  >     gdb.execute("finish")
  > except gdb.error as error:
  >     print(error)
  > end
  > p $r0
  > p/x $pc
  > echo --- a handler and what it interrupts\n
  > delete
  > break SVC_Handler
  > continue
  > bt
  > up 2
  > p/x $pc
  > echo --- both ends\n
  > delete
  > continue
  > reverse-continue
  > p/x $pc
  > echo --- memory: code, and what is not known\n
  > p/x *(unsigned short *)0x27a
  > monitor gaps
  > monitor find SVC_Handler
  > stepi
  > p $r5
  > echo --- what interrupts main is not known, until it is told\n
  > p $lr
  > monitor backtrace
  > monitor exc-return 0xfffffff9
  > monitor exc-return
  > stepi
  > p/x $lr
  > bt
  > monitor exc-return unknown
  > monitor exc-return 0xfffffff8
  > monitor exc-return 0xfffffff9,0xfffffff1
  > echo --- calls, by GDB's own recording of branches\n
  > delete
  > break median
  > reverse-continue
  > continue
  > record btrace bts
  > info record
  > record function-call-history /ilc
  > record stop
  > END
  report_task () at board.c:48
  48	    finish();
  --- the end
  #0  report_task () at board.c:48
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  ETM_0: offset 9021 (100.0%): 0x000001f0 <report_task+24>
  => 0x1f0 <report_task+24>:	bl	0x1b8 <finish>
     0x1f4 <report_task+28>:	lsls	r0, r1, #2
  --- one instruction back
  0x000001e0	44	    while (telegrams_sent < TELEGRAMS) {
  $1 = 0x1e0
  $2 = <unavailable>
  $3 = 0
  --- back to a breakpoint, and out of the function
  Breakpoint 1 at 0x4b0: file ../src/ring.c, line 17.
  [Switching to Thread 3]

  Thread 2 "ETM_0, task 1" hit Breakpoint 1, ring_get (ring=ring@entry=0x20000008 <raw_samples>, sample=<unavailable>, sample@entry=0xffffffee) at ../src/ring.c:17
  17	    uint32_t tail = ring->tail;
  #0  ring_get (ring=ring@entry=0x20000008 <raw_samples>, sample=<unavailable>, sample@entry=0xffffffee) at ../src/ring.c:17
  #1  0x000000b6 in clean_step () at ../src/app.c:28
  #2  0x000001fe in clean_task () at board.c:37
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  0x000000b2 in clean_step () at ../src/app.c:28
  28	    if (!ring_get(&raw_samples, &sample))
  $4 = 0xb2
  --- its first call, and what it returns
  ETM_0: offset 13 (0.0%): 0x0000027a <main+0>

  Thread 1 "ETM_0, task 0" stopped.
  [Switching to Thread 2]
  main () at board.c:134
  134	{
  Breakpoint 2 at 0x4b0: file ../src/ring.c, line 17.
  [Switching to Thread 3]

  Thread 4 "ETM_0, task 1" hit Breakpoint 2, ring_get (ring=ring@entry=0x20000008 <raw_samples>, sample=<unavailable>, sample@entry=0xffffffee) at ../src/ring.c:17
  17	    uint32_t tail = ring->tail;
  0x000000b6 in clean_step () at ../src/app.c:28
  28	    if (!ring_get(&raw_samples, &sample))
  Value returned is $5 = false
  --- a function whose value the trace does not tell
  Breakpoint 3 at 0x3d0: file ../src/formula.c, line 5.
  [Switching to Thread 1]

  Thread 5 "ETM_0, task 2" hit Breakpoint 3, formula_run (code=code@entry=0x5b4 <formula> "", input=<unavailable>) at ../src/formula.c:5
  5	{
  Could not fetch register "r0"; remote failure reply 'E.the trace does not tell the value'
  $6 = <unavailable>
  $7 = 0xf0
  --- a handler and what it interrupts
  Breakpoint 4 at 0x190: file board.c, line 119.

  Thread 5 "ETM_0, task 2" hit Breakpoint 4, SVC_Handler () at board.c:119
  119	    __asm__ volatile("tst   lr, #4\n"
  #0  SVC_Handler () at board.c:119
  #1  <signal handler called>
  #2  0x0000014e in yield () at board.c:32
  #3  0x000001ee in report_task () at board.c:46
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  #2  0x0000014e in yield () at board.c:32
  32	}
  $8 = 0x14e
  --- both ends

  No more reverse-execution history.
  report_task () at board.c:48
  48	    finish();

  No more reverse-execution history.
  [Switching to Thread 2]
  main () at board.c:134
  134	{
  $9 = 0x27a
  --- memory: code, and what is not known
  $10 = 0xb510
  offset 7: trace begins (start)
  ETM_0: offset 23 (0.1%): 0x00000190 <SVC_Handler+0>
  etm: the trace does not tell EXC_RETURN here, by which GDB finds what was interrupted: 'monitor backtrace' shows it, 'monitor exc-return VALUE' makes it known

  Thread 1 "ETM_0, task 0" stopped.
  SVC_Handler () at board.c:119
  119	    __asm__ volatile("tst   lr, #4\n"
  $11 = <unavailable>
  --- what interrupts main is not known, until it is told
  $12 = <unavailable>
  #0  0x00000190 <SVC_Handler+0>
  #1  <svc>
  #2  0x000002aa <main+48>
  to a handler: as the trace tells
  to Thread mode: 0xfffffff9
  0x00000194 in SVC_Handler () at board.c:119
  119	    __asm__ volatile("tst   lr, #4\n"
  $13 = 0xfffffff9
  #0  0x00000194 in SVC_Handler () at board.c:119
  #1  <signal handler called>
  #2  main () at board.c:142
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  exc-return [VALUE ... | unknown]: 0xfffffff1, 0xfffffff9, 0xfffffffd, 0xffffffe1, 0xffffffe9 or 0xffffffed (2 times)
  --- calls, by GDB's own recording of branches
  Breakpoint 5 at 0x56a: file ../src/sort.c, line 39.

  No more reverse-execution history.
  main () at board.c:134
  134	{
  [Switching to Thread 3]

  Thread 6 "ETM_0, task 1" hit Breakpoint 5, median (samples=0x20000030 <history>, samples@entry=<error reading variable: Cannot access memory at address 0xffffffd0>, n=n@entry=5) at ../src/sort.c:39
  39	{
  Active record target: record-btrace
  Recording format: Branch Trace Store.
  Buffer size: 64kB.
  Recorded 4950 instructions in 757 functions (0 gaps) for thread 6 (Thread 3).
  747	SysTick_Handler	inst 4873,4876	at board.c:75,76
  748	PendSV_Handler	inst 4877,4883	at board.c:87
  749	schedule	inst 4884,4892	at board.c:80,81
  750	PendSV_Handler	inst 4893,4898	at board.c:87
  751	yield	inst 4899,4899	at board.c:32
  752	clean_task	inst 4900,4901	at board.c:37,38
  753	clean_step	inst 4902,4906	at ../src/app.c:24,28
  754	ring_get	inst 4907,4918	at ../src/ring.c:17,23
  755	clean_step	inst 4919,4923	at ../src/app.c:28,30
  756	clean	inst 4924,4933	at ../src/clean.c:27,32
  757	without_spikes	inst 4934,4950	at ../src/clean.c:6,8
  Process record is stopped and all execution logs are deleted.
  [Inferior 1 (Remote target) detached]

== a_walk
  $ session $M3 $ELF <<'END'
  > # The bug of doc/gdb.md, found backwards. The receiver shows 0, 0, 0 and 35 of
  > # the first telegram; the sensor is not that fast.
  > echo --- the first telegram\n
  > break telegram_send
  > ignore 1 2
  > reverse-continue
  > bt
  > echo --- its last value\n
  > delete
  > tbreak formula_run
  > reverse-continue
  > echo --- who put it into the queue?\n
  > tbreak ring_put
  > reverse-continue
  > bt
  > echo --- how was it cleaned?\n
  > tbreak without_spikes
  > reverse-continue
  > next
  > next
  > next
  > echo --- without a median: was there ever one?\n
  > break median
  > reverse-continue
  > continue
  > monitor where
  > END
  report_task () at board.c:48
  48	    finish();
  --- the first telegram
  Breakpoint 1 at 0x208: file board.c, line 55.

  Thread 3 "ETM_0, task 2" hit Breakpoint 1, telegram_send (telegram=telegram@entry=<unavailable>) at board.c:55
  55	    for (int shift = 28; shift >= 0; shift -= 4)
  #0  telegram_send (telegram=telegram@entry=<unavailable>) at board.c:55
  #1  0x0000010e in telegram_add (telegram=<unavailable>, telegram@entry=0x2000006c <telegram>, sample=<optimized out>) at ../src/app.c:56
  #2  0x00000142 in report_step () at ../src/app.c:40
  #3  0x000001e6 in report_task () at board.c:45
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  --- its last value
  Temporary breakpoint 2 at 0x3d0: file ../src/formula.c, line 5.

  Thread 3 "ETM_0, task 2" hit Temporary breakpoint 2, formula_run (code=code@entry=0x5b4 <formula> "", input=<unavailable>) at ../src/formula.c:5
  5	{
  --- who put it into the queue?
  Temporary breakpoint 3 at 0x490: file ../src/ring.c, line 6.
  [Switching to Thread 3]

  Thread 2 "ETM_0, task 1" hit Temporary breakpoint 3, ring_put (ring=ring@entry=<unavailable>, sample=<unavailable>) at ../src/ring.c:6
  6	    uint32_t head = ring->head;
  #0  ring_put (ring=ring@entry=<unavailable>, sample=<unavailable>) at ../src/ring.c:6
  #1  0x000000d4 in clean_step () at ../src/app.c:30
  #2  0x000001fe in clean_task () at board.c:37
  Backtrace stopped: Cannot access memory at address 0xfffffffc
  --- how was it cleaned?
  Temporary breakpoint 4 at 0x338: file ../src/clean.c, line 6.

  Thread 2 "ETM_0, task 1" hit Temporary breakpoint 4, without_spikes (history=0x20000030 <history>, sample=<unavailable>) at ../src/clean.c:6
  6	{
  7	    history->samples[history->n++ % WINDOW] = sample;
  8	    return history->n < WINDOW ? sample : median(history->samples, WINDOW);
  clean (history=0x20000030 <history>, history@entry=<error reading variable: Cannot access memory at address 0xffffffdc>, sample=<unavailable>) at ../src/clean.c:31
  31	    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
  --- without a median: was there ever one?
  Breakpoint 5 at 0x56a: file ../src/sort.c, line 39.

  No more reverse-execution history.
  [Switching to Thread 2]
  main () at board.c:134
  134	{
  [Switching to Thread 3]

  Thread 4 "ETM_0, task 1" hit Breakpoint 5, median (samples=0x20000030 <history>, samples@entry=<error reading variable: Cannot access memory at address 0xffffffd0>, n=n@entry=5) at ../src/sort.c:39
  39	{
  ETM_0: offset 2225 (21.7%): 0x0000056a <median+0>
  [Inferior 1 (Remote target) detached]

== a_watch
need emulator
  $ etm record $PROGRAMS/variables-r4.elf --core cortex-r4 --data both -o recorded 2>err >out
  $ session recorded $PROGRAMS/variables-r4.elf <<'END'
  > # With data trace: who wrote a variable last, and before. As in doc/gdb.md.
  > echo --- the value at the end\n
  > p/x word
  > echo --- the last writer\n
  > watch word.all
  > reverse-continue
  > bt
  > echo --- those before it\n
  > reverse-continue
  > reverse-continue
  > echo --- and forwards\n
  > continue
  > END
  0x00000088 in reset ()
  --- the value at the end
  $1 = {all = 0x44bb22dd, bytes = {0xdd, 0x22, 0xbb, 0x44}}
  --- the last writer
  Hardware watchpoint 1: word.all

  Hardware watchpoint 1: word.all

  Old value = 1153114845
  New value = 2864390877
  main () at variables.c:92
  92	    word.bytes[3] = 0x44;
  #0  main () at variables.c:92
  --- those before it

  Hardware watchpoint 1: word.all

  Old value = 2864390877
  New value = 2864434397
  main () at variables.c:78
  78	    word.bytes[1] = 0x22;

  Hardware watchpoint 1: word.all

  Old value = 2864434397
  New value = <unreadable>
  0x00000198 in main () at variables.c:77
  77	    word.all = 0xaabbccdd;
  --- and forwards

  Hardware watchpoint 1: word.all

  Old value = <unreadable>
  New value = 2864434397
  0x000001a4 in main () at variables.c:78
  78	    word.bytes[1] = 0x22;
  [Inferior 1 (Remote target) detached]

# At a thousand places of five captures.
== backtraces_are_the_stacks_of_etm_calls
  $ backtraces $M3 $ELF 0 => 0 wrong, few cut, 4 or more deep, enough compared

== backtraces_of_recordings
need emulator
  $ while read -r core name seed
  > do etm record $PROGRAMS/$name.elf --core $core -o $name >out 2>err </dev/null
  > backtraces $name $PROGRAMS/$name.elf $seed </dev/null; done <<'END'
  > cortex-a9 recurse-a9 1
  > cortex-m3 recurse-m3 2
  > arm926ej-s unwind-arm926 3
  > cortex-m3 tasks-m3 4
  > END
  0 wrong, few cut, 4 or more deep, enough compared (4 times)
