#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --merge: the lines of all sources in the order of time. Speaks TAP. Usage:
#
#     merged.sh ETM DEMO
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
cd "$scratch" || exit 99

# A capture of two sources on one axis: the demo, and its trace once more from a
# buffer without frames, of another processor, as far as it goes.
two() { # DIRECTORY BYTES
    mkdir "$1" && cp "$demo"/cortex-a9/*.ini "$demo/cortex-a9/cstrace.bin" \
        "$demo/cortex-a9/sensor.elf" "$1" || return
    "$etm" split "$demo/cortex-a9" -o parts >out 2>err || return
    tail -c "$2" parts/PTM_0.bin >"$1/second.bin"
    sed 's/PTM_0/PTM_10/' "$1/device_1.ini" >"$1/device_2.ini"
    sed 's/cpu_0/cpu_1/' "$1/cpu_0.ini" >"$1/cpu_1.ini"
    sed -i 's/device1=device_1.ini/&\ndevice2=device_2.ini\ndevice3=cpu_1.ini/' \
        "$1/snapshot.ini"
    cat >"$1/trace.ini" <<'END'
[trace_buffers]
buffers=buffer0,buffer1
[buffer0]
name=ETB_0
file=cstrace.bin
format=coresight
[buffer1]
name=ETB_1
file=second.bin
format=source_data
[source_buffers]
PTM_0=ETB_0
PTM_10=ETB_1
[core_trace_sources]
cpu_0=PTM_0
cpu_1=PTM_10
END
}

# Times in the order of lines, of JSON Lines and of text.
times_of() {
    sed -n 's/.*"time":"\([0-9]*\)".*/\1/p' "$1"
}

in_order() { # FILE
    times_of "$1" >times
    [ -s times ] && sort -n -s times | equal - times
}

# Each source has the lines that it has alone, and all are in order.
merges() { # NAME CAPTURE ARGUMENT...
    name=$1 capture=$2
    shift 2
    "$etm" decode "$capture" --format jsonl "$@" >alone 2>err &&
        "$etm" decode "$capture" --format jsonl --merge "$@" >merged 2>err &&
        [ -s alone ] && [ -s merged ]
    verdict $? "${name}_is_merged"
    in_order merged
    verdict $? "${name}_is_in_the_order_of_time"
    [ -s alone ] && [ "$(wc -l <alone)" -eq "$(wc -l <merged)" ] &&
        [ "$(grep -c '"time":' merged)" -eq "$(wc -l <merged)" ]
    verdict $? "${name}_has_a_time_on_each_line"
    sed -n 's/.*"src":\([0-9]*\),.*/\1/p' alone | sort -u >sources
    while read -r source; do
        grep "\"src\":$source," alone >one
        grep "\"src\":$source," merged | sed 's/,"time":[^,]*}$/}/' |
            equal - one || echo "$source" >>differ
    done <sources
    [ -s sources ] && [ ! -s differ ]
    verdict $? "${name}_has_the_lines_of_each_source"
    rm -f differ
    sed -n 's/.*"k":"timestamp".*"value":"\([0-9]*\)","time":"\([0-9]*\)"}/\1 \2/p' \
        merged >stamps
    [ -s stamps ] && awk '$1 != $2 { bad = 1 } END { exit bad }' stamps
    verdict $? "${name}_has_timestamps_at_their_own_time"
    "$etm" decode "$capture" --format jsonl --merge --jobs 1 "$@" >one 2>err &&
        equal one merged
    verdict $? "${name}_is_the_same_with_one_thread"
    "$etm" decode "$capture" --merge "$@" >text 2>err &&
        awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[A-Z]+_[0-9]+$/ { print $1 }' text >times &&
        [ -s times ] && sort -n -s times | equal - times
    verdict $? "${name}_has_time_and_source_before_its_text"
    "$etm" calls "$capture" --format jsonl --merge "$@" >calls 2>err &&
        in_order calls &&
        "$etm" calls "$capture" --format jsonl "$@" >alone 2>err &&
        sort alone >one && sort calls | equal - one
    verdict $? "${name}_has_its_calls_in_the_order_of_time"
    "$etm" calls "$capture" --merge "$@" >text 2>err &&
        awk 'NF > 3 && $1 ~ /^[0-9]+$/ { print $1 }' text >times &&
        [ -s times ] && sort -n -s times | equal - times
    verdict $? "${name}_has_calls_as_text_in_the_order_of_time"
}

two two 3197
merges two two
merges a_part_of_two two --from 20% --to 60%
"$etm" exceptions two --merge --format jsonl >merged 2>err && in_order merged &&
    [ "$(sed -n 's/.*"src":[0-9]*,"name":"\([^"]*\)".*/\1/p' merged | tr '\n' ' ')" = \
        '[svc] [svc] [irq] [irq] ' ]
verdict $? exceptions_are_in_the_order_of_their_first_entry
two late 1200
merges a_source_that_begins_late late
[ "$(grep -n -m 1 '"src":0,' calls | cut -d : -f 1)" -gt 100 ]
verdict $? what_begins_late_comes_late

# Without cycles, timestamps measure; the demo has one for each instruction.
"$etm" profile "$demo/cortex-a9" --format jsonl >functions 2>err
grep -q '"unit":"ticks"' functions && ! grep -q '"unit":"[ci]' functions
verdict $? durations_are_in_ticks
"$etm" exceptions "$demo/cortex-a9" --format jsonl >exceptions 2>err
grep -q '"name":"\[irq\]".*"least":6[0-9],"sum":10[0-9][0-9],"most":7[0-9],.*"unit":"ticks"' \
    exceptions
verdict $? an_interrupt_of_67_instructions_has_about_67_ticks
"$etm" calls "$demo/cortex-a9" --format jsonl >calls 2>err
sed -n 's/.*"total":\([0-9]*\),.*"duration":\([0-9][0-9]*\),.*/\1 \2/p' calls >pairs
[ "$(wc -l <pairs)" -gt 500 ] &&
    awk '{ d = $1 - $2; if (d < -10 || d > 10) exit 1 }' pairs
verdict $? ticks_of_calls_are_their_instructions
"$etm" profile "$demo/cortex-m3" --format jsonl >functions 2>err
grep -q '"unit":"instructions"' functions && ! grep -q '"unit":"t' functions
verdict $? without_timestamps_durations_are_instructions
"$etm" calls "$demo/cortex-m3" >text 2>err && grep -q 'time in instructions' text
verdict $? text_names_its_unit

# Short calls are left out, and nothing else.
"$etm" calls two --format jsonl >all 2>err
"$etm" calls two --format jsonl --minimum-duration 100 >long 2>err
awk '/"k":"leave"/ && match($0, /"duration":[0-9]+/) &&
    substr($0, RSTART + 11, RLENGTH - 11) + 0 < 100 { n += 2 } END { print n }' all >short
[ "$(($(wc -l <all) - $(cat short)))" -eq "$(wc -l <long)" ] &&
    [ "$(cat short)" -gt 100 ] && grep -Fxv -f all long >out
[ ! -s out ]
verdict $? calls_shorter_than_a_duration_are_left_out
"$etm" calls "$demo/cortex-m3" --minimum-duration 1000000 --function crc32 \
    --format jsonl >long 2>err && ! grep -q '"k":"enter"' long
verdict $? no_call_is_that_long

# No time in common.
sed -i 's/PTM_10=ETB_1/ETM_1=ETB_1/; s/cpu_1=PTM_10/cpu_1=ETM_1/' two/trace.ini
sed 's/ETM_0/ETM_1/' "$demo/cortex-m3/device_1.ini" >two/device_2.ini
cp "$demo/cortex-m3/cstrace.bin" two/second.bin
sed -i 's/=source_data/=coresight/' two/trace.ini
cp "$demo/cortex-m3/cpu_0.ini" two/cpu_1.ini
sed -i 's/cpu_0/cpu_1/; s/sensor.elf/m3.elf/' two/cpu_1.ini
cp "$demo/cortex-m3/sensor.elf" two/m3.elf
for view in decode calls exceptions; do
    fails "${view}_refuses_sources_without_common_time" 2 \
        'ETM_1 (0x..): --merge: it has no time in common with the other sources: ETMv3 before version 3.5 traces no timestamps' \
        $view two --merge -o kept
done
[ ! -e kept ]
verdict $? what_is_refused_writes_nothing
"$etm" decode two --merge --source PTM_0 --format jsonl >merged 2>err &&
    in_order merged
verdict $? one_of_them_alone_has_a_time
"$etm" timeline two -o timeline >out 2>err &&
    grep -q 'without timestamps, and so not on the axis of the others.*: ETM_1' err
verdict $? a_time_line_says_what_is_not_on_its_axis
fails counts_have_no_order 2 '--merge is for lines in the order of time' \
    decode two --merge --stats
fails sums_have_no_order 2 '--merge is for lines in the order of time' \
    calls two --merge --summary
fails sums_are_of_all_calls 2 'cannot be combined with --minimum-duration' \
    calls late --summary --minimum-duration 5
fails a_profile_has_no_order 2 "--merge is for 'etm decode' only" \
    profile two --merge
TMPDIR=$scratch/nowhere "$etm" decode late --merge >out 2>err
[ $? -eq 1 ] && grep -q 'etm: --merge: a temporary file: No such file' err &&
    [ ! -s out ]
verdict $? without_room_for_files_it_fails

# Four processors, whose trace shares an ETB.
tc2=${ETM_SHARED:-}/captures/tc2
if [ -n "${ETM_SHARED:-}" ] && [ -d "$tc2" ]; then
    merges tc2 "$tc2"
    [ "$(sed -n 's/.*"src":\([0-9]*\),.*/\1/p' calls | sort -u | wc -l)" -eq 4 ]
    verdict $? four_processors_are_on_one_axis
    # three of them take an interrupt at the same time
    "$etm" calls "$tc2" --merge --format jsonl >calls 2>err
    sed -n 's/^{"k":"enter","src":\([0-9]*\),.*"addr":"0xc000caa0".*"time":"\(5625369836[0-9]*\)"}/\1 \2/p' \
        calls >entries
    [ "$(cut -d ' ' -f 1 entries | sort -u | wc -l)" -eq 3 ] &&
        [ $(($(cut -d ' ' -f 2 entries | tail -n 1) - \
            $(head -n 1 entries | cut -d ' ' -f 2))) -le 10 ]
    verdict $? processors_take_an_interrupt_at_the_same_time
    # bytes went into the buffer as they were traced
    sed -n 's/.*"k":"timestamp".*"off":\([0-9]*\),.*"time":.*/\1/p' merged >places
    awk 'NR > 1 && $1 < last - 2048 { bad = 1 } { last = $1 } END { exit bad }' \
        places
    verdict $? the_order_of_time_is_that_of_the_bytes
    raw='--framing coresight --protocol etmv3 --reg ETMIDR=0x411cf250'
    raw="$raw --reg ETMCR=0x10001000 --source 0x10 --source 0x11 --source 0x12"
    # shellcheck disable=SC2086 # options
    "$etm" decode "$tc2/cstrace.bin" $raw --merge --image "$tc2/kernel_dump.bin@0xc0008000" \
        >merged 2>err && cat "$tc2/cstrace.bin" |
        "$etm" decode - $raw --merge --image "$tc2/kernel_dump.bin@0xc0008000" \
            >piped 2>err && [ -s merged ] && equal merged piped
    verdict $? a_pipe_is_merged
else
    echo "ok $((n += 1)) - tc2_is_merged # SKIP no captures/tc2 below ETM_SHARED"
fi
echo "1..$n"
