#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm diff: two traces that are the same, that differ in one place, in many, in
# length or in their sources; of one program, recorded in different ways.
# Speaks TAP. Usage: diff.sh ETM DEMO EMULATOR PROGRAMS PEAK MEGABYTES
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd) emulator=$3
programs=$(cd "$4" && pwd)
peak=$(cd "$(dirname "$5")" && pwd)/$(basename "$5") limit=$6
cd "$scratch" || exit 99

m3=$demo/cortex-m3
raw="--framing coresight --core cortex-m3 --reg ETMCR=0x800
    --image $m3/sensor.elf"

compares() { # NAME STATUS TEXT ARGUMENT... : the last line is like this
    name=$1 want=$2 text=$3
    shift 3
    "$etm" diff "$@" >out 2>err
    [ $? -eq "$want" ] && tail -n 1 out | grep -q -e "$text"
    verdict $? "$name"
}

# Bytes of the capture, with others from one place on.
changed() { # FILE AT OCTAL...
    file=$1 at=$2
    shift 2
    head -c "$at" "$m3/cstrace.bin" >"$file"
    for octal; do
        # shellcheck disable=SC2059 # a byte
        printf "\\$octal" >>"$file"
    done
    tail -c +$((at + 1 + $#)) "$m3/cstrace.bin" >>"$file"
}

for level in packets ranges instructions; do
    compares same_traces_have_no_difference:_$level 0 '^no difference in [1-9]' \
        "$m3" "$m3" --level $level
done
[ ! -s err ] && [ "$(wc -l <out)" -eq 3 ]
verdict $? nothing_else_is_said

# The items are those of decode and packets, without the end.
for level in ranges instructions; do
    count=$("$etm" decode "$m3" --level $level --format jsonl | wc -l)
    compares all_elements_are_compared:_$level 0 \
        "^no difference in $((count - 1)) items" "$m3" "$m3" --level $level
done
count=$("$etm" packets "$m3" --format jsonl | wc -l)
compares all_packets_are_compared 0 "^no difference in $count items" "$m3" "$m3" \
    --level packets

# Lists without places, for tools that compare lines.
for list in 'packets --format text' 'packets --format jsonl' \
    'decode --format text' 'decode --format jsonl' \
    'decode --level instructions --jobs 2'; do
    "$etm" $list "$m3" --no-offset >out 2>err
    "$etm" $list "$m3" >want 2>err
    case $list in
    packets*jsonl) sed 's/"off":[0-9]*,//' want ;;
    *jsonl) sed 's/,"off":[0-9]*//' want ;;
    *) sed '2,$s/^ *[0-9a-f]\{1,\}  \(.*\)$/  \1/' want ;;
    esac | cmp -s - out && ! cmp -s want out
    verdict $? "lists_may_have_no_places: $list"
done
fails counts_have_no_places_anyway 2 'is for listings' decode "$m3" --stats \
    --no-offset
fails waveforms_have_places 2 'text and jsonl only' packets "$m3" \
    --format vcd --no-offset

# Captures of different kinds: a snapshot, and the bytes of its source.
"$etm" split "$m3" -o bytes >/dev/null 2>err
compares captures_may_be_of_different_kinds 0 '^no difference' \
    "$m3" bytes/ETM_0.bin --b-core cortex-m3 --b-image "$m3/sensor.elf" \
    --b-framing=none --b-reg ETMCR=0x800
compares one_may_come_through_a_pipe 0 '^no difference' \
    --a-framing coresight --a-core cortex-m3 --a-reg ETMCR=0x800 \
    --a-image "$m3/sensor.elf" - "$m3" <"$m3/cstrace.bin"
# shellcheck disable=SC2086 # words
compares options_may_be_of_both 0 '^no difference' $raw \
    "$m3/cstrace.bin" "$m3/cstrace.bin"

# A P-header of other atoms, at one place.
at=$("$etm" packets "$m3" --format jsonl |
    sed -n 's/^{"off":\([0-9]*\),.*"bytes":"90",.*/\1/p' | sed -n 40p)
changed one "$at" 210
for level in packets instructions; do
    # shellcheck disable=SC2086 # words
    "$etm" diff $raw "$m3/cstrace.bin" one --level $level >out 2>err
    [ $? -eq 1 ] && [ "$(grep -c '^@@' out)" -eq 1 ] &&
        grep '^@@' out | grep -q "^@@ -[0-9]* at [0-9a-f]* +[0-9]* at" &&
        tail -n 1 out | grep -q '^1 difference:' &&
        tail -n 1 out | grep -q "(at $(printf %x "$at")), .* of B (at"
    verdict $? one_difference_is_found:_$level
done
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" one --level packets >out 2>err
[ "$(grep -c '^-[^-]' out)" -eq 1 ] && [ "$(grep -c '^+[^+]' out)" -eq 1 ] &&
    [ "$(grep -c '^ ' out)" -eq 6 ]
verdict $? three_items_are_around_it
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" one --level packets --context 10 >out 2>err
[ "$(grep -c '^ ' out)" -eq 20 ]
verdict $? or_as_many_as_are_wanted
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" one --level packets --color >out 2>err
grep -q "^$(printf '\033')\[31m-" out && grep -q "^$(printf '\033')\[32m+" out
verdict $? what_differs_has_colours

# Damage: what was lost is not in B; then both are in step.
changed damaged 4002 125
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" damaged --level ranges --lines 0 >out 2>err
[ $? -eq 1 ] && grep -q '^+.* bytes* lost: ' out &&
    grep -q '^etm: B: .* could not be decoded, in' err &&
    [ "$(grep -c '^@@' out)" -eq 1 ]
verdict $? damage_is_one_difference
# shellcheck disable=SC2086 # words
"$etm" diff $raw damaged "$m3/cstrace.bin" --level ranges --lines 0 >turned 2>err
[ "$(grep -c '^+' out)" -eq "$(grep -c '^-' turned)" ] &&
    [ "$(grep -c '^-' out)" -eq "$(grep -c '^+' turned)" ]
verdict $? sides_can_be_exchanged
# All that is on a side is that side's listing.
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" damaged --level ranges --lines 0 \
    --context 10000 >out 2>err
for side in -:"$m3/cstrace.bin" +:damaged; do
    # shellcheck disable=SC2086 # words
    "$etm" decode $raw "${side#?:}" 2>err | sed 1d | grep -v '== end' |
        cut -c 9- >want
    grep -v -e '^@@' -e '^---' -e '^+++' out | sed '$d' |
        grep "^[ ${side%%:*}]" | cut -c 10- >have
    cmp -s want have
    verdict $? "the_differences_show_all_of_a_side: ${side%%:*}"
done
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" damaged --level ranges --lines 5 >out 2>err
grep -q '^-  \.\.\. and [0-9]* more' out &&
    awk '/^-/ { if (++n > 6) bad = 1 } !/^-/ { n = 0 } END { exit bad }' out
verdict $? long_differences_are_cut
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" damaged --summary >out 2>err
[ $? -eq 1 ] && [ "$(wc -l <out)" -eq 3 ]
verdict $? a_summary_has_no_items

# Insertions and cut ends.
{
    head -c 4096 "$m3/cstrace.bin"
    cat "$m3/cstrace.bin"
} >inserted
# shellcheck disable=SC2086 # words
"$etm" diff $raw "$m3/cstrace.bin" inserted --level packets --lines 1 >out 2>err
[ $? -eq 1 ] && tail -n 1 out | grep -q ', 0 only in A\|, [0-9] only in A' &&
    tail -n 1 out | grep -q '^[1-3] difference'
verdict $? an_insertion_is_found
head -c 6000 "$m3/cstrace.bin" >cut
# shellcheck disable=SC2086 # words
compares a_trace_that_is_cut_ends 1 '^1 difference: .* [0-9]* only in A, [01] only in B' $raw \
    "$m3/cstrace.bin" cut --level packets
: >empty
compares an_empty_trace_has_nothing 1 '^1 difference: 0 items in both' \
    "$m3" empty --b-framing none --b-protocol etmv3 --level packets

# Many differences, and unrelated traces: every item is counted once.
tr '\204' '\210' <"$m3/cstrace.bin" >many
for level in packets instructions; do
    # shellcheck disable=SC2086 # words
    "$etm" diff $raw "$m3/cstrace.bin" many --level $level --format jsonl \
        --lines 0 >out 2>err
    total=$(tail -n 1 out)
    a=$(grep -c '^{"k":"a",' out) b=$(grep -c '^{"k":"b",' out)
    both=$(echo "$total" | sed 's/.*"both":\([0-9]*\),.*/\1/')
    # shellcheck disable=SC2086 # words
    count=$("$etm" diff $raw many many --level $level | tail -n 1 |
        sed 's/.* in \([0-9]*\) .*/\1/')
    [ $((both + b)) -eq "$count" ] &&
        echo "$total" | grep -q "\"only_a\":$a,\"only_b\":$b,"
    verdict $? many_differences_are_all_there:_$level
    # items are those of JSON Lines, in order
    grep -e '^{"k":"b",' -e '^{"k":"both",' out |
        sed 's/.*"b":\([0-9]*\),.*/\1/' >numbers
    sort -n -u numbers | cmp -s - numbers
    verdict $? items_have_numbers_in_order:_$level
done
python=$(command -v python3 || :)
[ -z "$python" ] || {
    python3 -c 'import json, sys
for line in open("out"): json.loads(line)' 2>err
    verdict $? json_lines_are_json
}
compares unrelated_traces_differ 1 '^[1-9]' "$m3" "$demo/cortex-a9"
compares small_windows_will_do 1 '^1 difference' $raw "$m3/cstrace.bin" one \
    --window 256

# Sources that only one side has.
"$etm" info "$demo/cortex-a9" >/dev/null 2>&1
printf '\043\000\000\000\000\000\010\200\000\000\000\000\000\000\000\000' >alone
# shellcheck disable=SC2086 # words
cat "$m3/cstrace.bin" alone >more
"$etm" diff "$m3/cstrace.bin" more --level packets --framing coresight \
    --protocol etmv3 >out 2>err
[ $? -eq 1 ] && grep -q '^only in B: 0x11' out
verdict $? sources_that_one_side_has_are_named
"$etm" diff more "$m3/cstrace.bin" --level packets --framing coresight \
    --protocol etmv3 --format jsonl >out 2>err
[ $? -eq 1 ] && grep -q '^{"k":"source","side":"a","src":17}' out
verdict $? they_are_named_in_json_lines

# What is wrong is told as diff(1) does: exit status 2.
fails one_capture_is_not_enough 2 'no capture is given' diff "$m3"
fails three_captures_are_too_many 2 'only two captures' diff "$m3" "$m3" "$m3"
fails both_cannot_be_standard_input 2 'cannot be both' diff - -
fails what_is_ignored_has_names 2 'not one of timestamps' diff "$m3" "$m3" \
    --ignore everything
fails a_window_has_a_size 2 'from 256' diff "$m3" "$m3" --window 2
fails a_side_has_options_of_captures_only 2 'no such option' diff "$m3" "$m3" \
    --a-level packets
fails other_commands_have_no_such_level 2 "for 'etm diff' only" decode "$m3" \
    --level packets
fails a_missing_capture_is_trouble 2 'nowhere' diff "$m3" nowhere
cp "$m3/cstrace.bin" mine
# shellcheck disable=SC2086 # words
for order in "mine $m3/cstrace.bin" "$m3/cstrace.bin mine"; do
    "$etm" diff $raw $order -o mine >out 2>err
    [ $? -eq 2 ] && cmp -s mine "$m3/cstrace.bin"
    verdict $? an_input_is_not_replaced
done

if [ "$emulator" = true ]; then
    # One program, recorded as two macrocells have it.
    "$etm" record "$programs/nested-m3.elf" -o seldom --core cortex-m3 \
        --sync 900 >/dev/null 2>err
    "$etm" record "$programs/nested-m3.elf" -o often --core cortex-m3 \
        --sync 200 >/dev/null 2>err
    compares synchronization_differs 1 '^[1-9]' often seldom --level packets
    compares synchronization_can_be_ignored 0 '^no' often seldom \
        --level packets --ignore sync
    compares programs_are_the_same 0 '^no' often seldom
    "$etm" record "$programs/nested-m3.elf" -o stamped --core cortex-m4 \
        --timestamps >/dev/null 2>err
    compares timestamps_differ 1 '^[1-9]' often stamped
    compares timestamps_can_be_ignored 0 '^no' often stamped \
        --ignore timestamps
    "$etm" record "$programs/recurse-a9.elf" -o plain --etm pft1.1 \
        >/dev/null 2>err
    "$etm" record "$programs/recurse-a9.elf" -o counted --etm pft1.1 \
        --cycle-accurate >/dev/null 2>err
    compares cycles_differ 1 '^[1-9]' plain counted
    compares cycles_can_be_ignored 0 '^no' plain counted --ignore cycles
    "$etm" record "$programs/recurse-a9.elf" -o other --etm v3.4 >/dev/null 2>err
    compares outcomes_of_instructions_differ 1 '^[1-9]' plain other
    # PTM tells of the last instructions only if a waypoint comes
    compares they_can_be_ignored 1 \
        '^1 difference: 12[0-9]\{3\} .* 0 only in A, .* of A (its end)' \
        plain other --ignore exec,context
    # what the chip of the demo did, and what the model makes of it
    "$etm" record "$m3/sensor.elf" -o model --core cortex-m3 --limit 300 \
        >/dev/null 2>err
    "$etm" diff "$m3" model --lines 2 >out 2>err
    [ $? -eq 1 ] && tail -n 1 out | grep -q '^[1-9]'
    verdict $? a_recording_is_compared_with_a_model
fi

# Ten million elements, which need little memory.
i=0
while [ $i -lt 430 ]; do
    cat "$m3/cstrace.bin"
    i=$((i + 1))
done >long
{
    head -c 1000000 long
    head -c 9040 /dev/zero
    tail -c +1000001 long
} >longer
[ "$limit" -eq 0 ] || {
    # shellcheck disable=SC2086 # words
    "$peak" "$limit" "$etm" diff $raw long long >out 2>err
    [ $? -eq 0 ] && tail -n 1 out | grep -q '^no difference in [0-9]\{7\}'
    verdict $? long_traces_are_compared_in_little_memory
    # shellcheck disable=SC2086 # words
    "$peak" "$limit" "$etm" diff $raw long longer --lines 2 >out 2>err
    [ $? -eq 1 ] && tail -n 1 out |
        grep -q '^[1-9] difference.*, [1-9][0-9]\{0,2\} only in A, [1-9] only'
    verdict $? long_traces_get_in_step_again
}
echo "1..$n"
