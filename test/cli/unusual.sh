#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is unusual, or wrong, on the command line and in files: it is honoured or
# told, and nothing is passed over without a word. Speaks TAP.
# Usage: unusual.sh ETM DEMO
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
cd "$scratch" || exit 99
m3=$demo/cortex-m3
elf=$m3/sensor.elf

copy() { # a snapshot that may be changed
    rm -rf snapshot
    cp -r "$m3" snapshot
    chmod -R u+w snapshot
}

# Help.
"$etm" help >general 2>err
"$etm" help help >out 2>>err
[ $? -eq 0 ] && [ ! -s err ] && [ -s out ] && cmp -s out general
verdict $? help_of_help_is_that_of_all
fails help_is_of_one_command 2 'merge: help is of one command' help info merge
fails help_of_what_is_no_command_says_so 2 'frob: no such command' help frob

# Names in the files of a program are any bytes.
copy
LC_ALL=C sed "s/clean_task/clean$(printf '\033')[7mk/g
    s/crc32/c$(printf '\001')c32/g; s/board\.c/boa$(printf '\033\002').c/g" \
    "$elf" >snapshot/sensor.elf
for how in '' '--level instructions' '--level instructions --source-lines' \
    '--coverage' '--coverage --format lcov' '--coverage --format jsonl'; do
    # shellcheck disable=SC2086
    "$etm" decode snapshot $how >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] &&
        grep -q 'clean?\[7mk\|"clean\\u001b\[7mk"' out &&
        [ "$(LC_ALL=C tr -d '\n -~' <out | wc -c)" -eq 0 ]
    verdict $? "no_name_is_a_command_with: $how"
done
grep -q '"file":"[^"]*boa\\u001b\\u0002\.c"' out
verdict $? json_has_the_bytes_of_names
"$etm" decode snapshot --coverage --format lcov >out 2>err
grep -q '^SF:.*/boa??\.c$' out && grep -q '^FN:[0-9]*,c?c32$' out
verdict $? names_of_a_tracefile_are_plain
"$etm" configure --core cortex-r4 --elf snapshot/sensor.elf \
    --trace-function "c$(printf '\001')c32" >setup 2>err
for how in '' "--simulate snapshot/sensor.elf --limit 1000"; do
    # shellcheck disable=SC2086
    "$etm" explain setup --core cortex-r4 --elf snapshot/sensor.elf $how \
        >out 2>err
    [ -s out ] && grep -q 'c?c32' out &&
        [ "$(LC_ALL=C tr -d '\n -~' <out | wc -c)" -eq 0 ] || break
done
verdict $? explanations_are_plain

# Trace IDs of sources (E-62): 0 and those from 0x70 on are none.
for id in 0 0x70 0x7d 128 '' x; do
    fails "no_trace_id: '$id'" 2 "--trace-id $id: not from 1 to 0x6f" \
        configure --core cortex-a9 --trace-id "$id"
done
"$etm" configure --core cortex-a9 --trace-id 0x6f >out 2>err
grep -q '^ETMTRACEIDR *= 0x0000006f' out
verdict $? the_last_trace_id_is_one

# Recordings.
fails a_snapshot_is_no_stream 2 'a snapshot is a directory' \
    record --execution one.log -o -
[ ! -e ./- ]
verdict $? and_no_directory_is_made
printf 'hello, world\n' >greeting
: >empty
for file in greeting empty; do
    "$etm" record --tarmac $file --core cortex-a9 -o none >out 2>err
    [ $? -eq 1 ] && [ ! -s out ] && [ ! -e none ] &&
        tail -1 err | grep -q "^etm: $file: no instruction is in it$"
    verdict $? "no_log_of_a_processor: $file"
done
printf 'version 1\n' >empty.log
fails no_execution 1 'empty.log: no instruction is in it' \
    record --execution empty.log -o none
printf 'version 1\n00008000 e1a00000\n' >one.log
"$etm" record --execution one.log -o one --log - >out 2>err
[ $? -eq 0 ] && grep -q '^00008000 e1a00000' out && [ ! -e ./- ]
verdict $? a_log_may_go_to_standard_output
"$etm" configure --core cortex-a9 --timestamps --trace-id 0x23 2>err |
    "$etm" record --execution one.log --core cortex-a9 -o two --setup - \
        >out 2>err
[ $? -eq 0 ] && grep -qi '^ETMTRACEIDR.*=0x0*23$' two/device_1.ini
verdict $? a_setup_may_come_from_standard_input
fails one_thing_is_standard_input 2 'standard input is already what is' \
    record --execution - -o two --setup -

# Options that have nothing to be for.
copy
for command in info packets decode; do
    fails "a_snapshot_has_its_framing_for_$command" 1 'a framing can only be' \
        $command snapshot --framing none
done
printf 'PERFILE2' >perf.data
head -c 200 /dev/zero >>perf.data
fails a_file_of_perf_has_its_framing 1 'has its own configuration' \
    info perf.data --framing none
"$etm" index "$demo/cortex-a9" --format jsonl >index 2>err
for part in '' '--from 100' '--to 50%' '--last 1K' '--shard 1/2'; do
    # shellcheck disable=SC2086
    fails "an_index_is_for_times_and_cycles: $part" 2 \
        '--index index: for ts:N and cyc:N only' \
        decode "$demo/cortex-a9" --index index $part
done
"$etm" decode "$demo/cortex-a9" --index index --from ts:5000 >out 2>err &&
    [ -s out ]
verdict $? an_index_is_used_for_a_time

# A device's file as some tools write it (E-313).
sed -e 's/^\(ETMCR.*\)$/\1 (RW)/' -e 's/^\(ETMSYNCFR.*=\).*/\1/' \
    -e 's/^\(ETMIDR.*=\)\(.*\)$/\1"\2"  ; RO/' "$m3/device_1.ini" \
    >snapshot/device_1.ini
printf 'ETMCCR(0x001)=0x8C802000\n' >>snapshot/device_1.ini
"$etm" decode "$m3" >whole 2>err
"$etm" decode snapshot >out 2>err
[ $? -eq 0 ] && cmp -s out whole && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'ini:8: the register is passed over: ETMSYNCFR(0x078) has no' err
verdict $? registers_without_values_are_told
"$etm" explain snapshot/device_1.ini >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q 'ETMv3.4, revision 0' out
verdict $? and_explained
"$etm" configure --dump snapshot/device_1.ini >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q ': ETMv3.4$' out
verdict $? and_configured

echo "1..$n"
