#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory that runs out, at every allocation of a command: it says so and ends
# with status 1, or it has all the output. Libraries behind ours do not all
# survive it: where libdw has a part in it the command may die with it.
# Speaks TAP.
# Usage: memory.sh ETM DEMO SCARCE.so
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
scarce=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
cd "$scratch" || exit 99

# What a command wrote, also into the folder that it made.
all_output() {
    cat out
    [ ! -d made ] || cat made/*
}

# survives NAME ARGUMENTS...: fail from the n-th allocation on, and only there.
survives() {
    name=$1
    shift
    rm -rf made
    "$etm" "$@" >out 2>/dev/null </dev/null || { verdict 1 "$name"; return; }
    all_output >want
    at=0 wrong=0
    for mode in '' SCARCE_ONCE=1; do
        nth=1
        while :; do
            rm -rf made short
            # shellcheck disable=SC2086
            env $mode LD_PRELOAD="$scarce" SCARCE_AT=$nth SCARCE_FILE=short \
                "$etm" "$@" >out 2>err </dev/null
            status=$?
            [ -e short ] || break
            if [ $status -eq 0 ]; then
                all_output | equal want -
            elif [ $status -gt 128 ]; then
                [ "$dies" = yes ]
            else
                [ $status -eq 1 ] && grep -qi memory err &&
                    ! grep -q -e success -e '(at ' err && [ ! -e made ]
            fi || {
                echo "# allocation $nth $mode: status $status: $(head -n 1 err)"
                wrong=$((wrong + 1))
            }
            nth=$((nth + 1)) at=$((at + 1))
        done
    done
    [ "$wrong" -eq 0 ] && [ "$at" -gt 5 ]
    verdict $? "$name"
}

dies=no
survives info_says_that_memory_is_short info "$demo/cortex-m3"
survives info_of_bytes_says_that_memory_is_short \
    info "$demo/cortex-m3/cstrace.bin" --protocol etmv3 --reg ETMCR=0xc10
survives packets_say_that_memory_is_short \
    packets "$demo/cortex-m3" --format jsonl
survives decoding_says_that_memory_is_short \
    decode "$demo/cortex-m3" --format jsonl --to 2K --jobs 1
survives counting_says_that_memory_is_short \
    decode "$demo/cortex-m3" --stats --jobs 1
survives configuring_says_that_memory_is_short \
    configure --core cortex-a9
survives recording_says_that_memory_is_short \
    record --execution "$demo/nested-m3.log" --core cortex-m3 -o made
# source lines
dies=yes
survives a_tracefile_says_that_memory_is_short \
    coverage "$demo/cortex-m3" --format lcov --jobs 1
echo "1..$n"
