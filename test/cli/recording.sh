#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Recordings that fail, are interrupted or are of one instruction. Speaks TAP.
# Usage: recording.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

# What an old macrocell cannot trace.
for at in 60000008 00000008; do
    printf 'version 1\nplace 00008000\n00008000 ef000000\n' >log
    printf 'exception svc to=%s:a\n%s eafffffe\n' $at $at >>log
    "$etm" record --execution log -o recorded-$at --core arm7tdmi >out 2>err
    echo $? >status-$at
    mv err err-$at
done
[ "$(cat status-60000008)" -eq 1 ] && [ "$(wc -l <err-60000008)" -eq 1 ] &&
    grep -q '^etm: log:5: the macrocell cannot trace .* near 0x60000008: .*vec' \
        err-60000008
verdict $? etmv1_knows_exceptions_by_their_vectors
[ "$(cat status-00000008)" -eq 0 ] && [ -s recorded-00000008/cstrace.bin ]
verdict $? etmv1_traces_exceptions_to_vectors

# It is known at once where that was, whatever was executed after it.
{
    printf 'version 1\nplace 00008000\n00008000 ef000000\n'
    printf 'exception svc to=60000008:a\n'
    awk 'BEGIN { for (i = 0; i < 200; i++)
                     printf "%08x e1a00000\n", 1610612744 + 4 * i }'
} >log
"$etm" record --execution log -o recorded-behind --core arm7tdmi >out 2>err
grep -q '^etm: log:[56]: .* near 0x6000000[8c]: ' err
verdict $? what_cannot_be_traced_is_reported_where_it_was

# Lines for generators that no macrocell stands before.
for line in 'trace_on start' trace_off trigger 'suppress on'; do
    printf '%s\n' 'version 1' 'place 8000' '8000 e3a00003' '8004 e3a00003' \
        "$line" '8008 e3a00003' >log
    fails "is_not_for_a_macrocell: $line" 1 \
        "log:5: \"${line% *}\" is decided by the macrocell" \
        record --execution log -o recorded
done

# What this processor does not do, far behind the first instructions.
for core in arm926ej-s cortex-r4 cortex-a9; do
    {
        printf 'version 1\nplace 00008000\n'
        awk 'BEGIN { for (i = 0; i < 1000; i++) {
                         printf "%08x e1a00000\n", 32768 + 4 * i
                         if (i == 700) print "\n# M profile:\npush"
                     } }'
    } >log
    fails "what_does_not_fit_is_named_with_its_line: $core" 1 \
        'log:706: the macrocell cannot trace .* near 0x00008af0' \
        record --execution log -o recorded --core "$core"
done

# A recording that fails leaves nothing of its own behind.
printf 'nonsense\n' >broken.log
run record --execution broken.log -o failed
[ "$status" -eq 1 ] && [ ! -e failed ]
verdict $? a_recording_that_fails_leaves_no_directory
mkdir mine
echo kept >mine/other
run record --execution broken.log -o mine
[ "$status" -eq 1 ] && [ "$(ls mine)" = other ]
verdict $? what_was_there_before_a_failed_recording_stays

# A file that cannot be written is named, with the reason.
printf 'version 1\n00008000 e1a00000\n' >one.log
(
    trap '' XFSZ
    ulimit -f 0
    exec "$etm" record --execution one.log -o full
) 2>&1 | cat >err
grep -q '^etm: full/[a-z0-9_]*\.[a-z]*: cannot be written: File too' err &&
    [ "$(wc -l <err)" -eq 1 ] && [ ! -e full ]
verdict $? a_disk_that_is_full_is_the_reason

# Ctrl-C ends a program that would not end; the trace up to there is written.
interrupt='timeout --foreground -k 20 -s INT 1'
# shellcheck disable=SC2086 # the command is to be words
$interrupt "$etm" record "$m3/sensor.elf" -o endless >out 2>err
if emulated an_interrupted_program_is_written; then
    [ -s endless/snapshot.ini ] && grep -q '^etm: interrupted, near 0x' err &&
        "$etm" decode endless --stats >out 2>err && [ -s out ]
    verdict $? an_interrupted_program_is_written
    run record "$elf" -o usual
    [ "$status" -eq 0 ] && grep -q '^etm: the limit of instructions was reached,.*--limit N' \
        err && grep -q '^etm: 10000000 instructions, ' err &&
        "$etm" decode usual --stats 2>err |
        grep -q '"what":"instructions","of":null,"n":10000000}'
    verdict $? a_program_that_does_not_end_is_ended
fi
"$etm" record "$m3/sensor.elf" -o logged --log log --limit 20000 >/dev/null 2>&1
# shellcheck disable=SC2086
{ cat log; sleep 3; } | $interrupt "$etm" record --core cortex-m3 \
    --execution - -o stopped >out 2>err
[ -s stopped/snapshot.ini ] && "$etm" decode stopped >out 2>err && [ -s out ]
verdict $? an_interrupted_log_is_written

# One is not several.
cat >one.log <<'END'
version 1
place 00008000
00008000 e3a00003
exception svc +1 to=00000008:a
00000008 e5801000 w4:00009000=1
END
printf '\000\060\240\343' >mov.bin
{
    "$etm" record --execution one.log --core cortex-r4 --data both -o one
    "$etm" decode one --image mov.bin@0x8000
    "$etm" coverage one --image mov.bin@0x8000
    "$etm" info one
    printf 'x' >x.bin
    for framing in none coresight; do
        for command in info packets decode; do
            "$etm" $command x.bin --protocol pft --framing $framing
        done
    done
    "$etm" decode x.bin --protocol pft --from 1
} >out 2>&1
nouns='(instruction|exception|transfer|cycle|byte|range|place|packet|frame)'
[ "$(grep -c -E "(^|[ (])1 (bad )?$nouns\b" out)" -ge 8 ] &&
    ! grep -q -E "(^|[ (])1 (bad )?${nouns}s\b" out
verdict $? one_is_no_plural
{
    echo 'version 1'
    for page in 1 2 3 4 5 6 7 8 9 a b c d e f; do
        echo "place 0000${page}000"
        echo "0000${page}000 e1a00000"
    done
} >places.log
"$etm" record --execution places.log --core cortex-a9 -o places 2>err &&
    [ "$(ls places | wc -l)" -eq 6 ] && [ -s places/code.bin ] &&
    [ "$("$etm" info places | grep -c '0x0000.000-0x0000.004')" -eq 15 ]
verdict $? code_of_many_places_is_one_file
fails etmv1_has_no_formatter 1 'framing coresight: ETMv1 and ETMv2 output port samples' \
    record --execution one.log --etm v1.3 --framing coresight -o formatted
fails a_port_has_no_trace_id 1 'ETMv1 and ETMv2 have no trace ID' \
    record --execution one.log --core arm7tdmi --trace-id 5 -o numbered
echo "1..$n"
