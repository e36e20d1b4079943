#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Threads, parts and the index of ETMv1 and ETMv2, with samples as text and as
# records: whatever the work is cut into, the result is that of the whole.
# Speaks TAP. Usage: scale_port.sh ETM PROGRAM.elf
set -u

. "$(dirname "$0")/../support/tap.sh"
program=$2
cd "$scratch" || exit 99

# A program many times over, once with damage: a snapshot of some megabytes.
make_capture() { # VERSION FRAMING NAME DAMAGE TIMES
    "$etm" record "$program" -o "$3" --etm "$1" --framing "$2" --data both \
        >/dev/null 2>err || return 1
    i=0
    : >big
    while [ $i -lt "$5" ]; do
        cat "$3/cstrace.bin" >>big
        [ $i -eq $(($5 / 2)) ] && printf "$4" >>big
        i=$((i + 1))
    done
    mv big "$3/cstrace.bin"
}

decode() {
    "$etm" decode "$@" 2>err
}

check() { # NAME
    for format in text jsonl; do
        decode "$1" --format $format --jobs 1 >one
        cp err err1
        for jobs in 2 5; do
            decode "$1" --format $format --jobs $jobs >many &&
                equal one many && equal err err1
            verdict $? "${1}_is_the_same_as_${format}_with_${jobs}_jobs"
        done
    done
    cp one whole
    [ "$(grep -c '"k":"range"' whole)" -gt 10000 ] &&
        [ "$(grep -c '"k":"data"' whole)" -gt 10000 ] &&
        grep -q '"k":"lost"' whole
    verdict $? "${1}_has_lines_and_damage"

    for parts in 2 5; do
        : >joined
        i=1
        while [ $i -le $parts ]; do
            decode "$1" --format jsonl --shard $i/$parts >>joined
            i=$((i + 1))
        done
        equal whole joined
        verdict $? "${1}_shards_of_${parts}_are_the_whole"
    done
    decode "$1" --stats >whole_stats
    for i in 1 2 3; do
        decode "$1" --stats --shard $i/3 >"stats$i"
    done
    "$etm" merge stats1 stats2 stats3 -o merged 2>err &&
        equal whole_stats merged
    verdict $? "${1}_counts_of_shards_add_up"

    # what a part has, the whole has, at the same places: E-300
    decode "$1" --format jsonl --from 60% --to 63% >part
    [ "$(wc -l <part)" -gt 100 ] && tail -1 part | grep -q '"k":"end"' &&
        grep '"k":"range"' part | tail -n +20 | head -20 >some &&
        [ "$(grep -c -x -F -f some whole)" -ge 20 ]
    verdict $? "${1}_has_a_part_of_the_whole"
    decode "$1" --format jsonl --last 30K >part
    [ "$(wc -l <part)" -gt 100 ] &&
        [ "$(wc -l <part)" -lt $(($(wc -l <whole) / 20)) ] &&
        [ "$(tail -1 part)" = "$(tail -1 whole)" ]
    verdict $? "${1}_ends_with_its_last_30K"
    "$etm" index "$1" --format jsonl >index 2>err
    [ "$(wc -l <index)" -gt 100 ]
    verdict $? "${1}_has_an_index"
    "$etm" index "$1" --format jsonl --every 100K >thin 2>err
    [ "$(wc -l <thin)" -gt 5 ] && [ "$(wc -l <thin)" -lt "$(wc -l <index)" ] &&
        [ "$(grep -c -x -F -f thin index)" -eq "$(wc -l <thin)" ]
    verdict $? "${1}_has_a_thinner_index"
    fails "${1}_has_no_times" 2 'trace no timestamps' decode "$1" --from ts:1
    fails "${1}_has_no_times_to_end_at" 2 'trace no timestamps' \
        decode "$1" --to ts:1
    # E-191
    fails "${1}_has_no_cycles_to_begin_at" 2 'do not store the cycles' \
        decode "$1" --from cyc:1
}

# Places of records are bytes: a point of the index is where decoding begins.
check_points() { # NAME
    for line in 3 77; do
        position=$(sed -n "${line}s/.*\"pos\":\([0-9]*\).*/\1/p" index)
        decode "$1" --format jsonl --from "$position" --to 99% >part
        first=$(sed -n '1s/.*"off":\([0-9]*\).*/\1/p' part)
        [ "$first" -eq "$position" ] && [ "$(wc -l <part)" -gt 100 ] &&
            ! head -5 part | grep -q unsynchronized
        verdict $? "${1}_begins_at_point_$line"
    done
}

if ! "$etm" record "$program" -o probe --etm v1.3 >/dev/null 2>err; then
    echo "1..0 # SKIP no program can be run"
    exit 0
fi
for version in v1.3 v2.1; do
    make_capture $version port "text-$version" '# damage\n0 5 12\n0 1 33\n0 3 4f\n' 12
    grep -q 'format=trace_port' "text-$version/trace.ini"
    verdict $? "text-${version}_is_samples"
    check "text-$version"
    [ -s index ] && ! grep -q -v '"pos":null' index
    verdict $? "text-${version}_has_points_by_sample"
    make_capture $version none "records-$version" '\011\117\007\005\002\001' 24
    [ -s "records-$version/trace.ini" ] &&
        ! grep -q 'format=trace_port' "records-$version/trace.ini"
    verdict $? "records-${version}_is_records"
    check "records-$version"
    check_points "records-$version"
done
echo "1..$n"
