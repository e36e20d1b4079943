# SPDX-License-Identifier: Apache-2.0
# What etm record says of a Tarmac log, and which processor it takes. What it makes of the
# lines is in test/exec.

  $ cat >m.tarmac <<END
  > 1 ps IT (1) 00000100 df01 T thread : SVC      #0x01
  > 1 ps E 00000102 0000000b CoreEvent_SVCALL
  > 1 ps R r14 fffffff9
  > 2 ps IT (2) 00000200 4770 T handler : BX       lr
  > 3 ps IT (3) 00000102 e7fe T thread : B        {pc}
  > 4 ps IT (4) 00000102 e7fe T thread : B        {pc}
  > END
  $ for name in rtl_writes_bursts rtl_of_cortex_m0 handlers_in_handlers_have_no_mode_change \
  > vectors_and_modes_tell_exceptions aarch64_code_is_left_out aarch64_code_alone a_misaligned_link_leads_nowhere
  > do awk -v name=$name '/^==/ { here = $2 == name; rows = 0; next } /^[a-z]/ { rows = $1 == "tarmac"; next }
  > here && rows && /^  / { print substr($0, 3) }' $LOGS >$name.tarmac; done
  $ record() { log=$1; shift; etm record --tarmac $log.tarmac -o made "$@"; }

== the_processor_is_told_by_the_log
  $ record m
  ! note: m.tarmac is of an M-profile processor, taken to be a cortex-m3; --core for another
  ! 4 instructions, 1 exception, 0 transfers, 4 cycles: 21 bytes of trace
  $ etm decode made | sed -n '1p;/exception/p'
  ETM_0 (0x10): ETMv3.5, Cortex-M3 cpu_0
         e  ** exception: svc (11), returns to 00000102
        13  ** exception return
  $ etm record --tarmac - -o made <m.tarmac
  ! note: standard input is of an M-profile processor, taken to be a cortex-m3; --core for another
  ! 4 instructions, 1 exception, 0 transfers, 4 cycles: 21 bytes of trace
  $ record m --core cortex-m4
  ! 4 instructions, 1 exception, 0 transfers, 4 cycles: 21 bytes of trace
  $ record m --core cortex-a9
  ! note: m.tarmac is of an M-profile processor, but a cortex-a9 is not: --core cortex-m3, for example
  ! 4 instructions, 1 exception, 0 transfers, 4 cycles: 20 bytes of trace
  $ for log in rtl_writes_bursts rtl_of_cortex_m0 handlers_in_handlers_have_no_mode_change
  > do record $log; done
  ! note: rtl_writes_bursts.tarmac is of an M-profile processor, taken to be a cortex-m3; --core for another
  ! 6 instructions, 0 exceptions, 6 transfers, 6 cycles: 13 bytes of trace
  ! note: rtl_of_cortex_m0.tarmac is of an M-profile processor, taken to be a cortex-m3; --core for another
  ! 7 instructions, 1 exception, 2 transfers, 7 cycles: 22 bytes of trace
  ! note: handlers_in_handlers_have_no_mode_change.tarmac is of an M-profile processor, taken to be a cortex-m3; --core for another
  ! 5 instructions, 1 exception, 3 transfers, 5 cycles: 21 bytes of trace
  $ sed 's/thread/svc/; s/handler/svc/; /CoreEvent/d' m.tarmac >a.tarmac
  $ record a; grep type made/device_0.ini
  type=Cortex-A9
  ! a.tarmac: 1 of 5 lines were not understood; the first is line 1: 1 ps IT (1) 00000100 df01 T svc : SVC      #0x01
  ! 4 instructions, 1 exception, 0 transfers, 4 cycles: 29 bytes of trace

# Times of gem5.
== a_cycle_has_a_length
  $ record vectors_and_modes_tell_exceptions
  ! vectors_and_modes_tell_exceptions.tarmac: 2 of 24 lines were not understood; the first is line 18: 3750 clk cpu0 IT (14) 00000114 e12fff10 A usr_s :   BX   R0
  ! note: vectors_and_modes_tell_exceptions.tarmac: all times are multiples of 250; if that is a cycle, as in logs of gem5, use --period 250
  ! at 0x00000110 several instructions were executed, one after the other: the snapshot has only the last
  ! 18 instructions, 7 exceptions, 2 transfers, 5001 cycles: 82 bytes of trace
  $ record vectors_and_modes_tell_exceptions --period 250
  ! vectors_and_modes_tell_exceptions.tarmac: 2 of 24 lines were not understood; the first is line 18: 3750 clk cpu0 IT (14) 00000114 e12fff10 A usr_s :   BX   R0
  ! at 0x00000110 several instructions were executed, one after the other: the snapshot has only the last
  ! 18 instructions, 7 exceptions, 2 transfers, 21 cycles: 82 bytes of trace

== aarch64_code_is_said
  $ record aarch64_code_is_left_out
  ! aarch64_code_is_left_out.tarmac: 6 of 11 instructions are AArch64 code, which ETMv1 to ETMv3.5 and PFT cannot trace: they are left out; the first is in line 3
  ! 4 instructions, 2 exceptions, 1 transfer, 5 cycles: 35 bytes of trace
  $ rm -r made; record aarch64_code_alone
  [1] aarch64_code_alone.tarmac: all 3 instructions are AArch64 code, which ETMv1 to ETMv3.5 and PFT cannot trace; the first is in line 1
  $ ls | grep -v tarmac => [1]

== a_log_that_leads_nowhere_is_read_back
  $ record a_misaligned_link_leads_nowhere --core cortex-a9 --log x.log
  ! a_misaligned_link_leads_nowhere.tarmac: 2 of 13 lines were not understood; the first is line 1: 1 clk IT (1) 00008000 e12fff10 A svc_s : BX r0
  ! 5 instructions, 2 exceptions, 0 transfers, 6 cycles: 33 bytes of trace
  $ etm record --execution x.log -o y --core cortex-a9 2>err; cmp made/cstrace.bin y/cstrace.bin
