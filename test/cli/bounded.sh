#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory that does not follow from what a capture holds: code each word of which is
# jumped to, counted and listed, by any number of threads. Speaks TAP. Usage:
# bounded.sh ETM TARGETS PEAK MEGABYTES; 0: without a limit.
set -u

. "$(dirname "$0")/../support/tap.sh"
targets=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
peak=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
limit=$4
cd "$scratch" || exit 99

# run NAME THREADS OPTIONS...: within the limit, and as one thread does it
run() {
    what=$1 jobs=$2 command=$3
    shift 3
    if [ "$limit" -gt 0 ]; then
        "$peak" "$limit" "$etm" "$command" trace "$@" --jobs "$jobs" >out 2>err
    else
        "$etm" "$command" trace "$@" --jobs "$jobs" >out 2>err
    fi
    bad=$?
    [ "$jobs" -ne 1 ] || mv out one
    [ $bad -eq 0 ] && [ -s one ] && { [ "$jobs" -eq 1 ] || equal one out; }
    verdict $? "${what}_with_${jobs}_jobs"
    [ $bad -eq 0 ] || sed 's/^/# /' err
}

words=1600000
for protocol in pft etmv3; do
    "$targets" $protocol $words code trace || exit 99
    set -- --framing none --protocol $protocol --image code@0x01000000
    for jobs in 1 2 8; do
        run ${protocol}_coverage $jobs coverage "$@"
    done
    # each word was the beginning of a range
    grep -q "^[0-9]* instructions executed\$" one
    verdict $? ${protocol}_says_how_many_instructions
done
for jobs in 1 8; do
    run coverage_as_jsonl $jobs coverage "$@" --format jsonl
done
[ "$(wc -l <one)" -eq $words ]
verdict $? there_are_as_many_lines_as_words
for jobs in 1 8; do
    run stats $jobs decode "$@" --stats
done
[ "$(grep -c '"k":"block"' one)" -eq $words ]
verdict $? there_are_as_many_blocks_as_words
for jobs in 1 8; do
    run stats_of_instructions $jobs decode "$@" --stats --level instructions
done
for jobs in 1 8; do
    run instructions $jobs decode "$@" --level instructions
done
echo "1..$n"
