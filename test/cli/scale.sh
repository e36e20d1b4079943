#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Threads, parts, the index and merging, from outside: whatever the work is
# cut into, the result is that of the whole. Speaks TAP. Usage: scale.sh ETM
# DEMO
set -u

. "$(dirname "$0")/../support/tap.sh"
. "$(dirname "$0")/../support/counted.sh"
demo=$2
cd "$scratch" || exit 99

# A capture of some megabytes: a demo many times over, once with damage.
for core in cortex-m3 cortex-a9; do
    i=0
    : >piece
    while [ $i -lt 16 ]; do
        cat "$demo/$core/cstrace.bin" >>piece
        i=$((i + 1))
    done
    i=0
    : >big
    while [ $i -lt 16 ]; do
        cat piece >>big
        [ $i -eq 7 ] && printf 'damage in the middle of captures' >>big
        i=$((i + 1))
    done
    mv big "$core.bin"
done
registers() { # CORE
    sed -n 's/^\(ETM[A-Z0-9]*\)(.*)=\(.*\)$/--reg \1=\2/p
            s/^\(ETM[A-Z0-9]*\)=\(.*\)$/--reg \1=\2/p' \
        "$demo/$1/device_1.ini" | tr '\n' ' '
}

check_core() { # CORE PROTOCOL PROFILE
    core=$1
    set -- decode "$core.bin" --framing coresight --protocol "$2" \
        --profile "$3" --image "$demo/$core/sensor.elf" $(registers "$core")
    decode() {
        "$etm" "$@" 2>err
    }
    for format in text jsonl; do
        decode "$@" --format $format --jobs 1 >one
        cp err err1
        [ "$(wc -l <one)" -gt 10000 ] || verdict 1 "${core}_has_lines"
        for jobs in 2 3 8; do
            decode "$@" --format $format --jobs $jobs >many &&
                equal one many && cmp -s err err1
            verdict $? "${core}_is_the_same_as_${format}_with_${jobs}_jobs"
        done
    done
    decode "$@" --level instructions --format jsonl --jobs 1 >one
    decode "$@" --level instructions --format jsonl --jobs 4 >many &&
        equal one many
    verdict $? "${core}_instructions_are_the_same_with_4_jobs"
    # headings, totals and counts go through all of it
    for how in --source-lines --cycles --stats; do
        decode "$@" --level instructions $how --jobs 1 >one
        decode "$@" --level instructions $how --jobs 3 >many &&
            equal one many
        verdict $? "${core}_is_the_same_${how#--}_with_3_jobs"
    done

    # shards: one after the other they are the whole
    decode "$@" --format jsonl >whole
    for parts in 1 2 7; do
        : >joined
        i=1
        while [ $i -le $parts ]; do
            decode "$@" --format jsonl --shard $i/$parts >>joined
            i=$((i + 1))
        done
        equal whole joined
        verdict $? "${core}_shards_of_${parts}_are_the_whole"
    done
    decode "$@" --stats >whole_stats
    i=1
    while [ $i -le 5 ]; do
        decode "$@" --stats --shard $i/5 >"stats$i"
        i=$((i + 1))
    done
    "$etm" merge stats1 stats2 stats3 stats4 stats5 -o merged 2>err &&
        equal whole_stats merged
    verdict $? "${core}_counts_of_shards_add_up"
    [ "$(grep -c '"k":"range"' whole)" -eq \
        "$(sed -n 's/.*"of":"range","n":\([0-9]*\)}/\1/p' merged)" ]
    verdict $? "${core}_counts_are_those_of_the_listing"

    # parts: what they have, the whole has, and they begin afresh: E-300
    decode "$@" --format jsonl --from 60% --to 61% >part
    [ "$(wc -l <part)" -gt 20 ] && head -1 part | grep -q '"k":"trace_on"' &&
        tail -1 part | grep -q '"k":"end"' &&
        sed 1,2d part | grep '"k":"range"' | head -20 >some &&
        [ "$(grep -c -x -F -f some whole)" -ge 20 ]
    verdict $? "${core}_has_a_part_of_the_whole"
    size=$(wc -c <"$core.bin")
    decode "$@" --format jsonl --last 10K >part
    first=$(sed -n '1s/.*"off":\([0-9]*\).*/\1/p' part)
    [ "$first" -le $((size - 10240)) ] &&
        [ "$first" -gt $((size - 40960)) ] &&
        [ "$(tail -1 part)" = "$(tail -1 whole)" ]
    verdict $? "${core}_ends_with_its_last_10K"

    # the index: every point is one at which decoding begins
    command=$1
    shift
    "$etm" index "$@" --format jsonl >index 2>err
    [ "$(wc -l <index)" -gt 500 ]
    verdict $? "${core}_has_an_index"
    "$etm" index "$@" --format jsonl --every 100K >thin 2>err
    [ "$(wc -l <thin)" -lt "$(wc -l <index)" ] &&
        [ "$(grep -c -x -F -f thin index)" -eq "$(wc -l <thin)" ]
    verdict $? "${core}_has_a_thinner_index"
    position=$(sed -n '300s/.*"pos":\([0-9]*\).*/\1/p' index)
    decode "$command" "$@" --format jsonl --from "$position" --to 99% >part
    first=$(sed -n '1s/.*"off":\([0-9]*\).*/\1/p' part)
    [ "$first" -ge "$position" ] && [ "$first" -le $((position + 32)) ] &&
        head -1 part | grep -q trace_on
    verdict $? "${core}_begins_at_a_point_of_the_index"
}
check_core cortex-m3 etmv3 m
check_core cortex-a9 pft a

# The demos count no cycles; this recording does.
record_counted --framing coresight
i=0
while [ $i -lt 400 ]; do
    cat counted/cstrace.bin
    i=$((i + 1))
done >piece
mv piece counted/cstrace.bin
"$etm" index counted --format jsonl >index 2>err
cycles=$(sed -n '3000s/.*"cycles":\([0-9]*\).*/\1/p' index)
# the last of the points with as many
position=$(sed -n "s/.*\"pos\":\([0-9]*\),.*\"cycles\":$cycles}/\1/p" index |
    tail -1)
"$etm" decode counted --format jsonl --from "$position" --to 99% >part 2>err
for jobs in 1 3; do
    "$etm" decode counted --format jsonl --from "cyc:$cycles" --to 99% \
        --jobs $jobs >by_scan 2>err
    "$etm" decode counted --format jsonl --from "cyc:$cycles" --to 99% \
        --jobs $jobs --index index >by_index 2>err
    [ "$(wc -l <part)" -gt 1000 ] && equal by_scan part &&
        equal by_index part
    verdict $? "a_cycle_is_found_by_${jobs}_threads"
done

# Wrong usage: 2; what is not there: 1.
m3=$demo/cortex-m3
a9=$demo/cortex-a9
fails jobs_are_a_number 2 '--jobs none: not a number' decode "$m3" --jobs none
fails no_jobs_are_too_few 2 '--jobs 0: not a number' decode "$m3" --jobs 0
fails places_are_numbers 2 '--from x: not a number' decode "$m3" --from x
fails shards_begin_with_1 2 '--shard 0/2: not of the form' \
    decode "$m3" --shard 0/2
fails a_part_ends_after_its_beginning 2 '--to 1K: before --from' \
    decode "$m3" --from 2K --to 1K
fails shares_are_compared_too 2 '--to 5%: before --from' \
    decode "$m3" --from 50% --to 5%
fails stats_are_no_listing 2 'no listing' decode "$m3" --stats --cycles
fails shards_are_no_parts 2 'cannot be combined with --from' decode "$m3" --shard 1/2 --to 1K
"$etm" decode "$m3" --shard 1/1000000 --format jsonl >out 2>err
[ $? -eq 0 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'ETM_0: --shard 1/1000000: this part is empty' err
verdict $? a_shard_without_a_byte_is_said_to_be_one
# Each machine cuts at total * i / n, in whole numbers: 2 * 49 / 98 is 1.
printf '\0\0' >two
"$etm" decode two --framing none --protocol etmv3 --shard 49/98 >out 2>err &&
    [ -s out ] && ! grep -q 'this part is empty' err
verdict $? shards_are_cut_in_whole_numbers
fails parts_are_for_decode 2 "--from is for 'etm decode' only" \
    packets "$m3" --from 1K
fails an_index_has_lines_of_its_own 1 'not an index' \
    decode "$a9" --from ts:5 --index "$m3/snapshot.ini"
fails a_missing_index_is_said 1 'nosuch: No such file' \
    decode "$a9" --from ts:5 --index nosuch
# Lines that come in order, nearly so, or in none: those of numbers that are
# turned round in groups of so many, twice.
for group in 1 2 63 64 65 200 997; do
    awk -v g=$group 'BEGIN {
        for (k = 0; k < 1300; k++) {
            i = k % 1000
            from = i - i % g
            to = from + g < 1000 ? from + g : 1000
            printf "{\"k\":\"count\",\"src\":0,\"what\":\"w%04d\",", from + to - i
            printf "\"of\":null,\"n\":%d}\n", k
        }
    }' >lines
    awk -F'"n":' '{ n[$1] += $2 } END { for (l in n) print l "\"n\":" n[l] "}" }' \
        lines | LC_ALL=C sort >sums
    "$etm" merge lines >out 2>err && equal out sums
    verdict $? "lines_in_groups_of_${group}_add_up"
done

# A source with its buffer three times: each row has three times as much.
mkdir thrice
cp "$m3"/*.ini "$m3"/cstrace.bin "$m3"/sensor.elf thrice
sed -e 's/^buffers=.*/buffers=b0,b1,b2/' \
    -e 's/^\[buffer0\]/[b0]/' -e 's/=ETB_0$/=A/' \
    -e 's/^ETM_0=A$/ETM_0=A,B,C/' "$m3/trace.ini" >thrice/trace.ini
for b in 1=B 2=C; do
    printf '[b%s]\nname=%s\nfile=cstrace.bin\nformat=coresight\n' \
        "${b%=*}" "${b#*=}" >>thrice/trace.ini
done
"$etm" coverage "$m3" --format jsonl >once 2>err
"$etm" merge once once once >sums 2>err
for jobs in 1 2; do
    # between two buffers nothing is known
    "$etm" coverage thrice --format jsonl --jobs "$jobs" 2>err |
        sed '/"k":"gap","src":16,"what":"off","n":2}/d' >out
    [ -s sums ] && equal out sums
    verdict $? "three_buffers_count_three_times_on_${jobs}_threads"
done

# Numbers have 64 bits, and stay at the last of them, in order or not (E-324).
count() { # WHAT N
    printf '{"k":"count","src":0,"what":"%s","of":null,"n":%s}\n' "$1" "$2"
}
most=18446744073709551615
{ count a $most && count b 5; } >largest
{ count a 2 && count b 18446744073709551611; } >second
{ count a $most && count b $most; } >expected
for order in "largest second" "second largest" "largest largest second"; do
    "$etm" merge $order >out 2>err && equal out expected &&
        [ "$(wc -l <err)" -eq 1 ] &&
        grep -q "^etm: a sum is too large: n of $most is at least that" err
    verdict $? "a_sum_does_not_wrap_$(echo $order | tr ' ' _)"
done
{ count b 0 && count a 0 && count b 5; } >lines
"$etm" merge largest lines >out 2>err && [ ! -s err ] &&
    grep -q "\"n\":$most}" out
verdict $? the_largest_number_is_one

# The lines may have passed through Windows; sums end as all lines do here.
{ count a 1 && count b 2; } >lines
{ count a 2 && count b 4; } >expected
sed 's/$/\r/' lines >windows
printf '%s' "$(cat windows)" >cut
{ printf '\357\273\277' && cat windows; } >marked
for file in windows cut marked; do
    "$etm" merge lines "$file" >out 2>err && equal out expected
    verdict $? "merge_reads_what_passed_through_windows_$file"
done

fails merge_needs_a_file 2 'no file is given' merge
fails merge_reads_counts_only 1 'snapshot.ini:1: not a line of' \
    merge "$m3/snapshot.ini"
"$etm" coverage "$m3" --format lcov >lcov 2>err
fails merge_says_what_it_reads 1 "'etm decode --stats' and 'etm coverage --format jsonl'" \
    merge lcov
{ count a 1 && printf 'x%s\n' "$(count a 1)"; } >lines
fails merge_reads_whole_lines_only 1 'lines:2: not a line of' merge lines
echo "1..$n"
