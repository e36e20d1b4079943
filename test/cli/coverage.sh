#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm coverage: its counts beside those of --stats, its lines and
# functions beside its ranges. Speaks TAP. Usage: coverage.sh ETM DEMO COPIES
set -u

. "$(dirname "$0")/../support/tap.sh"
. "$(dirname "$0")/../support/counted.sh"
demo=$2 copies=$3
cd "$scratch" || exit 99

# "START END ISA INSNS N" of each range, whatever became of its last
# instruction; of lines of the kind that is named.
ranges() { # KIND FILE
    sed -n 's/^{"k":"'"$1"'","src":[0-9]*,"start":"\([^"]*\)","end":"\([^"]*\)","isa":"\([^"]*\)","insns":\([0-9]*\),.*"n":\([0-9]*\)}$/\1 \2 \3 \4 \5/p' "$2" |
        awk '{ n[$1 " " $2 " " $3 " " $4] += $5 }
             END { for (k in n) print k, n[k] }' | sort
}

same_counts() { # ARGUMENT...
    "$etm" decode "$@" --stats >stats 2>err &&
        sed -i 's/"insns":\([0-9]*\),"n"/"insns":\1,"":"","n"/' stats &&
        "$etm" coverage "$@" --format jsonl >covered 2>err &&
        ranges block stats >expected && ranges coverage covered >got &&
        [ -s expected ] && equal expected got
}

for core in cortex-m3 cortex-a9; do
    capture=$demo/$core
    same_counts "$capture"
    verdict $? "${core}_counts_are_those_of_stats"
    same_counts "$capture" --from 20% --to 70%
    verdict $? "${core}_part_has_the_counts_of_its_part"
    time=$("$etm" decode "$capture" --format jsonl |
        sed -n 's/.*"k":"timestamp".*"value":"\([0-9]*\)".*/\1/p' |
        sed -n 8p)
    if [ "$core" = cortex-a9 ]; then # the other has no timestamps
        [ -n "$time" ] && same_counts "$capture" --to "ts:$time"
        verdict $? "${core}_ends_at_a_time"
    fi

    "$etm" coverage "$capture" --format jsonl >whole 2>err
    "$etm" coverage "$capture" --format jsonl --jobs 1 >one 2>err
    [ -s one ] && equal one whole
    verdict $? "${core}_is_the_same_with_one_thread"
    for i in 1 2 3; do
        "$etm" coverage "$capture" --format jsonl --shard $i/3 \
            >"shard$i" 2>err
    done
    "$etm" merge shard1 shard2 shard3 >merged 2>err
    # an execution of a line or function that is cut counts on both sides
    grep -v '"k":"line"\|"k":"function"' whole >expected
    grep -v '"k":"line"\|"k":"function"' merged >got
    equal expected got && sed 's/"n":/& /' merged >cut && sed 's/"n":/& /' whole |
        awk 'NR == FNR { key = $0; sub(/ [0-9]*}/, "", key); n[key] = $2 + 0; next }
             { key = $0; sub(/ [0-9]*}/, "", key); rows++
               if ($2 + 0 < n[key] || $2 + 0 > n[key] + 2) bad = 1 }
             END { exit bad || rows < 20 }' - cut
    verdict $? "${core}_shards_add_up"
    "$etm" merge whole whole >twice 2>err
    [ "$(awk -F'"n":' '{ n += $NF } END { print n }' twice)" -eq \
        $((2 * $(awk -F'"n":' '{ n += $NF } END { print n }' whole))) ]
    verdict $? "${core}_captures_add_up"

    # text: as many executions
    "$etm" coverage "$capture" >text 2>err
    insns=$(ranges coverage whole | awk '{ n += $4 * $5 } END { print n }')
    grep -qx "$insns instructions executed" text &&
        grep -q '^ 100\.0% 26/26 .* \.\./src/app\.c$' text
    verdict $? "${core}_text_says_the_same"

    # lcov: functions by their first instruction, and lines, with those that
    # did not run
    "$etm" coverage "$capture" --format lcov >lcov 2>err
    sed -n 's/.*"symbol":"\([^"]*\)","offset":0,.*"n":\([0-9]*\)}/\1 \2/p' \
        whole | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' |
        sort >expected
    sed -n 's/^FNDA:\([1-9][0-9]*\),\(.*\)/\2 \1/p' lcov | sort >got
    [ "$(wc -l <got)" -gt 10 ] &&
        [ "$(comm -13 expected got | wc -l)" -eq 0 ]
    verdict $? "${core}_functions_have_their_calls"
    grep -q '^DA:[0-9]*,0$' lcov && grep -q '^FNDA:0,' lcov
    verdict $? "${core}_has_lines_that_did_not_run"
    # each line that begins a range ran at least as often as the range
    sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\),"n":\([0-9]*\)}/\1 \2 \3/p' \
        whole >started
    awk '/^SF:/ { file = substr($0, 4) }
         /^DA:/ { split(substr($0, 4), d, ","); print file, d[1], d[2] }' \
        lcov >lines
    [ -s lines ] && [ -s started ] &&
        awk 'NR == FNR { n[$1 " " $2] = $3; next }
         !(($1 " " $2) in n) || n[$1 " " $2] < $3 { bad = 1 }
         END { exit bad }' lines started
    verdict $? "${core}_lines_are_executed_as_their_code"
    awk '/^SF:/ { da = lf = fn = fnf = brda = brf = hit = lh = 0 }
         /^DA:/ { da++; hit += !/,0$/ } /^LF:/ { lf = substr($0, 4) }
         /^LH:/ { lh = substr($0, 4) }
         /^FN:/ { fn++ } /^FNF:/ { fnf = substr($0, 5) }
         /^BRDA:/ { brda++ } /^BRF:/ { brf = substr($0, 5) }
         /^end_of_record/ && (da != lf || hit != lh || fn != fnf ||
                              brda != brf) { bad = 1 }
         END { exit bad }' lcov &&
        [ "$(grep -c '^SF:' lcov)" -eq "$(grep -c '^end_of_record' lcov)" ] &&
        [ "$(grep '^SF:' lcov | sort | uniq -d | wc -l)" -eq 0 ]
    verdict $? "${core}_sums_of_records_are_right"
done

# A part that ends at a cycle; the demos count none.
record_counted
cycles=$("$etm" index counted --format jsonl |
    sed -n '5s/.*"cycles":\([0-9]*\).*/\1/p')
[ "${cycles:-0}" -gt 0 ] && same_counts counted --to "cyc:$cycles"
verdict $? a_part_that_ends_at_a_cycle_has_its_counts

# Conditional instructions passed and failed as often as a listing of all
# instructions says; the rest does not depend on the level.
m3=$demo/cortex-m3
"$etm" coverage "$m3" --level instructions --format jsonl >insns 2>err
"$etm" coverage "$m3" --format jsonl >whole 2>err
grep -v '"k":"condition"' insns >got
grep -v '"k":"condition"' whole >expected
[ -s got ] && equal expected got
verdict $? instructions_make_the_same_ranges
"$etm" decode "$m3" --level instructions --format jsonl 2>err |
    sed -n 's/^{"k":"insn".*"addr":"\([^"]*\)".*"exec":false,"type":"other".*/\1/p' |
    sort | uniq -c | awk '{ print $2, $1 }' >expected
sed -n 's/^{"k":"condition".*"addr":"\([^"]*\)".*"outcome":"failed","n":\([1-9][0-9]*\)}$/\1 \2/p' \
    insns | sort >got
[ "$(wc -l <got)" -ge 3 ] && equal expected got
verdict $? conditions_fail_as_often_as_instructions
! grep -q '"k":"condition".*"outcome":null' insns
verdict $? all_conditions_are_known

# A branch was taken as often, and not taken, as its ranges say.
"$etm" coverage "$demo/cortex-m3" --format jsonl >whole 2>err
"$etm" coverage "$demo/cortex-m3" --format lcov >lcov 2>err
taken=$(grep '"addr":"0x00000072"' whole | grep '"exec":true' |
    sed 's/.*"n":\([0-9]*\)}/\1/')
other=$(grep '"addr":"0x00000072"' whole | grep '"exec":false' |
    sed 's/.*"n":\([0-9]*\)}/\1/')
grep -q "^BRDA:12,$((0x72)),0,$taken\$" lcov &&
    grep -q "^BRDA:12,$((0x72)),1,$other\$" lcov
verdict $? branches_are_taken_and_not_taken

# A branch has its number whichever others of the line were reached: two traces
# of PFT, of one branch each, and what both reach.
branches() { # BYTES of an I-sync and atoms
    printf '\000\000\000\000\000\200\010'"$1" >trace
    "$etm" coverage trace --protocol pft --image "$demo/cortex-a9/sensor.elf" \
        --format lcov 2>err | sed -n 's/^BRDA:10,\(.*\),0,[0-9].*/\1/p'
}
[ "$(branches '\010\003\000\140\041\206')" = $((0x6000030c)) ] &&
    [ "$(branches '\054\003\000\140\041\206')" = $((0x6000033c)) ] &&
    [ "$(branches '\054\003\000\140\041\204\206')" = \
        "$(printf '%d\n%d' 0x6000030c 0x6000033c)" ]
verdict $? branches_have_numbers_of_their_own

# A function of which each of two files has a copy: one trace of each.
printf '\000\000\000\000\000\200\010\000\200\000\000\041\204' >trace
printf '\000\000\000\000\000\200\010\200\200\000\000\041\204' >>trace
"$etm" coverage trace --protocol pft --image "$copies" \
    --format lcov >lcov 2>err
[ "$(grep -c '^FN:6,square$' lcov)" -eq 1 ] && grep -q '^FNDA:2,square$' lcov &&
    grep -q '^FNF:1$' lcov && grep -q '^FNH:1$' lcov
verdict $? copies_of_a_function_are_one

m3=$demo/cortex-m3

# Code without debug information: ranges, but no lines.
mkdir snapshot
cp "$m3"/*.ini "$m3/cstrace.bin" snapshot
chmod -R u+w snapshot
printf '\n[dump]\nfile=zeros.bin\naddress=0\n' >dump
sed '/^\[dump\]/,$d' "$m3/cpu_0.ini" | cat - dump >snapshot/cpu_0.ini
head -c 2048 /dev/zero >snapshot/zeros.bin
"$etm" coverage snapshot --format lcov >out 2>err && [ ! -s out ] &&
    grep -q 'ETM_0: its code has no source lines' err
verdict $? lcov_needs_source_lines
fails lcov_is_for_coverage 2 "format lcov is for 'etm coverage' only" \
    decode "$m3" --format lcov
fails coverage_is_a_command 2 "no such option" decode "$m3" --coverage
fails coverage_is_no_stats 2 "stats is for 'etm decode' only" \
    coverage "$m3" --stats
fails coverage_has_no_cycles 2 "cycles is for 'etm decode' only" \
    coverage "$m3" --cycles
"$etm" coverage "$m3" -o file --format jsonl 2>err && equal file whole
verdict $? coverage_goes_to_a_file
echo "1..$n"
