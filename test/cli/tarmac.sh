#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What etm record says of a Tarmac log, and which processor it takes. What it
# makes of the lines is in test/exec. Speaks TAP. Usage: tarmac.sh ETM DEMO LOGS
set -u

logs=$(cd "$3" && pwd)
. "$(dirname "$0")/cli.sh"

says() { # TEXT: standard error has it, as a whole line
    grep -qxF "etm: $1" err
}

notes() { # NUMBER: lines that are notes
    [ "$(grep -c '^etm: note: ' err)" -eq "$1" ]
}

# The processor.
cat >m.tarmac <<'EOF'
1 ps IT (1) 00000100 df01 T thread : SVC      #0x01
1 ps E 00000102 0000000b CoreEvent_SVCALL
1 ps R r14 fffffff9
2 ps IT (2) 00000200 4770 T handler : BX       lr
3 ps IT (3) 00000102 e7fe T thread : B        {pc}
4 ps IT (4) 00000102 e7fe T thread : B        {pc}
EOF
run record --tarmac m.tarmac -o m
[ "$status" -eq 0 ] && notes 1 && says 'note: m.tarmac is of an M-profile processor, taken to be a cortex-m3; --core for another' &&
    "$etm" decode m --level instructions >out 2>>err &&
    grep -q 'Cortex-M3' out && grep -q 'exception: svc (11)' out &&
    grep -q 'exception return' out
verdict $? an_m_profile_log_is_that_of_a_cortex_m3
"$etm" record --tarmac - -o m <m.tarmac >out 2>err
[ $? -eq 0 ] && says 'note: standard input is of an M-profile processor, taken to be a cortex-m3; --core for another'
verdict $? also_from_standard_input
run record --tarmac m.tarmac -o m --core cortex-m4
[ "$status" -eq 0 ] && [ -s m/cstrace.bin ] && notes 0
verdict $? another_of_that_profile_is_as_good
run record --tarmac m.tarmac -o m --core cortex-a9
[ "$status" -eq 0 ] && notes 1 && says 'note: m.tarmac is of an M-profile processor, but a cortex-a9 is not: --core cortex-m3, for example'
verdict $? one_of_another_profile_is_said
for log in rtl_writes_bursts rtl_of_cortex_m0 handlers_in_handlers_have_no_mode_change; do
    run record --tarmac "$logs/$log.tarmac" -o m
    [ "$status" -eq 0 ] && grep -q 'M-profile.*a cortex-m3;' err
    verdict $? "an_m_profile_log_is_seen: $log"
done
sed 's/thread/svc/; s/handler/svc/; /CoreEvent/d' m.tarmac >a.tarmac
run record --tarmac a.tarmac -o a
[ "$status" -eq 0 ] && notes 0 && grep -q Cortex-A9 a/device_0.ini
verdict $? other_logs_are_those_of_a_cortex_a9

# The length of a cycle.
log=$logs/vectors_and_modes_tell_exceptions.tarmac
run record --tarmac "$log" -o g
says "note: $log: all times are multiples of 250; if that is a cycle, as in logs of gem5, use --period 250" &&
    grep -q ' 5001 cycles' err
verdict $? times_of_gem5_are_seen
run record --tarmac "$log" -o g --period 250
[ "$status" -eq 0 ] && notes 0 && grep -q ' 21 cycles' err
verdict $? and_are_cycles_with_a_period

# AArch64 code.
log=$logs/aarch64_code_is_left_out.tarmac
run record --tarmac "$log" -o x
[ "$status" -eq 0 ] && says "$log: 6 of 11 instructions are AArch64 code, which ETMv1 to ETMv3.5 and PFT cannot trace: they are left out; the first is in line 3" &&
    ! grep -q 'not understood' err
verdict $? aarch64_code_is_said
log=$logs/aarch64_code_alone.tarmac
run record --tarmac "$log" -o none
[ "$status" -eq 1 ] && [ ! -e none ] && [ "$(wc -l <err)" -eq 1 ] &&
    says "$log: all 3 instructions are AArch64 code, which ETMv1 to ETMv3.5 and PFT cannot trace; the first is in line 1"
verdict $? a_log_of_it_alone_is_no_recording

# What is written can be read.
log=$logs/a_misaligned_link_leads_nowhere.tarmac
run record --tarmac "$log" -o x --core cortex-a9 --log x.log
[ "$status" -eq 0 ] && grep -q '2 of [0-9]* lines were not understood' err &&
    "$etm" record --execution x.log -o y --core cortex-a9 2>err &&
    equal x/cstrace.bin y/cstrace.bin
verdict $? a_log_that_leads_nowhere_is_read_back
echo "1..$n"
