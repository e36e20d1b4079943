#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lines of doc/scale.md that spread a capture over shards, as they stand
# there: by the shell alone, by GNU parallel, by Open MPI. What comes of the
# shards together is what comes of the whole. Speaks TAP. Usage: shards.sh ETM
# DEMO PAGE
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$2 page=$3
cd "$scratch" || exit 99

skipped() { # NAME WHY
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

# The page says `etm`, and more ranks than there may be cores, or as root.
mkdir bin
ln -s "$etm" bin/etm
PATH=$scratch/bin:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
export PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe

# The line of the page that begins so, with those that it is continued on.
line() { # BEGINNING
    awk -v beginning="    $1" '
        index($0, beginning) == 1 { on = 1 }
        on { print }
        on && !/\\$/ { exit }' "$page"
}

# A capture that is several times as long as what a shard decodes beforehand:
# a demo many times over, with damage once.
make_capture() { # CORE
    rm -rf capture
    cp -r "$demo/$1" capture || exit 99
    size=$(wc -c <capture/cstrace.bin)
    copies=$((2500000 / size / 16 * 16))
    i=0
    while [ $i -lt 16 ]; do
        cat "$demo/$1/cstrace.bin"
        i=$((i + 1))
    done >piece
    i=0
    while [ $i -lt $copies ]; do
        cat piece
        [ $i -ne 160 ] || printf 'damage in the middle of captures'
        i=$((i + 16))
    done >capture/cstrace.bin
    rm piece
}

# Run a line of the page in a folder of its own, and wait for what it began.
run() { # FOLDER BEGINNING
    rm -rf "$1"
    mkdir "$1"
    ln -s ../capture "$1/capture"
    line "$2" >"$1.sh"
    [ -s "$1.sh" ] || { echo "the page has no such line: $2" >err; return 1; }
    echo wait >>"$1.sh"
    (cd "$1" && sh "../$1.sh" >out 2>../err)
}

check_core() { # CORE
    make_capture "$1"
    etm decode capture --format jsonl >whole 2>err &&
        etm decode capture --stats >counts 2>err &&
        [ "$(wc -l <whole)" -gt 100000 ] && [ -s counts ]
    verdict $? "${1}_is_long"

    run shell 'for i in' &&
        (cd shell && for i in $(seq 16); do cat "$i"; done) | equal whole -
    verdict $? "${1}_by_the_shell_is_the_whole"

    if command -v parallel >/dev/null; then
        run parallel 'parallel' && equal whole parallel/out
        verdict $? "${1}_by_parallel_is_the_whole"
    else
        skipped "${1}_by_parallel_is_the_whole" 'no parallel'
    fi

    if command -v mpirun >/dev/null; then
        run ranks 'mpirun' && line 'etm merge' >merge.sh && [ -s merge.sh ] &&
            (cd ranks && rm out && sh ../merge.sh) 2>err | equal counts -
        verdict $? "${1}_counts_of_ranks_are_those_of_the_whole"
    else
        skipped "${1}_counts_of_ranks_are_those_of_the_whole" 'no mpirun'
    fi
}
check_core cortex-m3
check_core cortex-a9
echo "1..$n"
