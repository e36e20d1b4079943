#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm coverage beside other tools: its counts are those of gcov for the same
# program, and genhtml, lcov and gcovr read what it writes. What is not
# installed is passed over. Speaks TAP. Usage: coverage_tools.sh ETM DEMO
# EMULATOR PROGRAMS FOLDER, which has the program and what compares.
set -u

programs=$(cd "$4" && pwd)
folder=$(cd "$5" && pwd)
. "$(dirname "$0")/../support/tap.sh"
emulator=$3
cd "$scratch" || exit 99

works() { # NAME TEXT ARGUMENT...: TEXT is a pattern that a line has
    name=$1 text=$2
    shift 2
    "$etm" "$@" >out 2>err && grep -q -e "$text" out
    verdict $? "$name"
}

emulated() { # NAME: can programs be run? Else it is passed over
    [ "$emulator" = true ] && return
    n=$((n + 1))
    echo "ok $n - $1 # SKIP no emulator"
    return 1
}

has() { # NAME TOOL...: else the test is passed over
    name=$1
    shift
    for tool; do
        command -v "$tool" >/dev/null && continue
        n=$((n + 1))
        echo "ok $n - $name # SKIP no $tool"
        return 1
    done
}

# The program was built for this machine and for a processor, and ran on both.
record_on() { # CORE OPTION...: as CORE.elf and CORE/
    core=$1
    shift
    start=$programs/start.S
    [ "$core" != cortex-m3 ] || start=$programs/start_m.c
    arm-none-eabi-gcc -O0 -g "$@" -ffreestanding both_ways.c "$start" \
        -I"$programs" -nostdlib -Wl,--no-warn-rwx-segments \
        -T "$programs/program.ld" -lgcc -o "$core.elf" 2>err &&
        "$etm" record "$core.elf" --core "$core" -o "$core" >out 2>err
}

cp "$folder/both_ways.c" .
if has counts_are_those_of_gcov gcc gcov &&
    has counts_are_those_of_gcov arm-none-eabi-gcc &&
    emulated counts_are_those_of_gcov; then
    gcc -O0 --coverage both_ways.c -o host 2>err && ./host &&
        gcov -b -c ./*both_ways.gcda >out 2>err
    for core in 'cortex-m3 -mthumb' 'cortex-a9 -marm -mfloat-abi=soft' \
        'cortex-r4 -mthumb -mfloat-abi=soft' 'arm7tdmi -marm'; do
        # shellcheck disable=SC2086
        record_on ${core%% *} -mcpu=$core && "$etm" coverage "${core%% *}" \
            --format lcov -o "${core%% *}.info" 2>err
        awk -v file=both_ways.c -f "$folder/compare.awk" "${core%% *}.info" \
            both_ways.c.gcov >out
        # lines, functions, and lines with branches
        awk 'END { exit NR != 1 || $1 < 80 || $2 < 12 || $3 < 18 }' out
        verdict $? "counts_are_those_of_gcov_on_${core%% *}"
    done
fi

if has a_way_that_was_never_gone_is_named arm-none-eabi-gcc &&
    emulated a_way_that_was_never_gone_is_named; then
    line=$(sed -n '/sum == -1/=' both_ways.c)
    works a_way_that_was_never_gone_is_named \
        "both_ways.c:$line  main+0x[0-9a-f]*  always taken in 1  if (sum == -1)" \
        coverage cortex-m3
    grep -q '^functions not executed while traced$' out &&
        grep -q 'both_ways.c:[0-9]*  never_called$' out &&
        ! grep -q 'not seen' out
    verdict $? so_is_a_function
    grep -q '^BRDA:[0-9]*,[0-9]*,0,-$' cortex-m3.info
    verdict $? branches_that_were_not_reached_are_in_a_tracefile

    works source_has_counts_before_its_lines \
        "^        1:  $line:    if (sum == -1)\$" \
        coverage cortex-m3 --format source
    grep -A 2 ": *$line:    if (sum == -1)\$" out | grep -c '^branch  [01] taken [01]' |
        grep -qx 2
    verdict $? and_branches_behind_them

    # of a trace with gaps nothing is said not to have been executed
    "$etm" configure --core cortex-m3 --elf cortex-m3.elf \
        --trace-function sort >setup 2>err
    "$etm" record cortex-m3.elf --core cortex-m3 --setup setup -o gaps \
        >out 2>err
    gaps=$("$etm" decode gaps --format jsonl 2>err |
        grep -c '"k":"trace_on"')
    gaps=$((gaps - 1))
    says="tracing was off $gaps times: code that was not seen may have been executed then"
    works gaps_are_counted "^$says\$" coverage gaps
    [ "$(grep -c '^ *[0-9a-f]*  off  *after .* (.*both_ways\.c:[0-9]*)  until .* (.*:[0-9]*)$' out)" \
        -eq 8 ] && grep -qx "         and $((gaps - 8)) more" out
    verdict $? the_first_ones_have_places
    "$etm" coverage gaps --jobs 1 >one 2>err && equal one out
    verdict $? with_one_thread_too
    grep -q '^functions not seen, perhaps executed in gaps$' out &&
        ! grep -q 'not executed' out
    verdict $? what_was_not_seen_is_not_called_not_executed
    works lcov_says_so "^# ETM_0: $says\$" coverage gaps --format lcov
    mv out gaps.info
    works cobertura_says_so "^<!-- $says -->\$" coverage gaps --format cobertura
    works source_says_so "^        -:    0:$says\$" coverage gaps --format source
    grep -q '^    ?????: *[0-9]*:    calls++;$' out && ! grep -q '#####' out
    verdict $? and_does_not_call_lines_not_executed
    works gcovr_says_so "^\"etm/gaps\":\"$says\",\$" coverage gaps --format gcovr
    mv out gaps.json
    works jsonl_says_so \
        "^{\"k\":\"gap\",\"src\":16,\"what\":\"off\",\"n\":$gaps}\$" \
        coverage gaps --format jsonl

    # two runs add up
    "$etm" coverage cortex-m3 --format jsonl -o whole.jsonl 2>err
    "$etm" coverage gaps --format jsonl -o gaps.jsonl 2>err
    "$etm" merge whole.jsonl gaps.jsonl -o both.jsonl 2>err
    calls() { # FILE
        sed -n 's/.*"k":"function",.*"name":"sort",.*"n":\([0-9]*\)}$/\1/p' "$1"
    }
    [ "$(calls whole.jsonl)" = 1 ] && [ "$(calls both.jsonl)" = 2 ] &&
        [ "$(wc -l <both.jsonl)" -gt "$(wc -l <gaps.jsonl)" ]
    verdict $? runs_add_up
else
    echo "1..$n"
    exit 0
fi

lines() { # FOUND|HIT: of the tracefile
    sed -n "s/^L$1://p" cortex-m3.info | awk '{ n += $1 } END { print n }'
}
if has genhtml_reads_a_tracefile genhtml; then
    ok=0
    for file in cortex-m3 gaps; do
        genhtml $file.info --branch-coverage -o pages-$file >out 2>err || ok=1
        [ ! -s err ] && [ -f pages-$file/index.html ] || ok=1
    done
    genhtml cortex-m3.info --branch-coverage -o pages >out 2>err
    grep -q "lines.*: .* ($(lines H) of $(lines F) lines)" out || ok=1
    verdict $ok genhtml_reads_a_tracefile
fi
if has lcov_adds_up_tracefiles lcov; then
    lcov -a cortex-m3.info -a gaps.info --rc lcov_branch_coverage=1 \
        -o sum.info >out 2>err
    [ $? -eq 0 ] && grep -q '^FNDA:2,sort$' sum.info
    verdict $? lcov_adds_up_tracefiles
fi
if has gcovr_reads_json gcovr; then
    "$etm" coverage cortex-m3 --format gcovr -o whole.json 2>err
    gcovr -a whole.json -f '.*' --json-summary-pretty >out 2>err
    [ $? -eq 0 ] && grep -q "\"line_covered\": $(lines H),\$" out &&
        grep -q "\"line_total\": $(lines F),\$" out
    verdict $? gcovr_reads_json
    gcovr -a whole.json -a gaps.json -f '.*' --txt >out 2>err
    [ $? -eq 0 ] && grep -q '^TOTAL .*%' out
    verdict $? gcovr_adds_up_json
fi
if has cobertura_is_xml xmllint; then
    "$etm" coverage cortex-m3 --format cobertura -o whole.xml 2>err
    xmllint --noout --nonet whole.xml >out 2>err &&
        [ "$(grep -c '^<line number="[0-9]*" hits="[0-9]*" branch=' whole.xml)" \
            -eq "$(lines F)" ] &&
        grep -q "lines-covered=\"$(lines H)\" lines-valid=\"$(lines F)\"" whole.xml
    verdict $? cobertura_is_xml
fi
echo "1..$n"
