#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run the fuzz targets under AddressSanitizer and UBSan, as many at a time as there
# are processors. Inputs that crash, hang or leak stay in build-fuzz/found/TARGET;
# the corpus that grows is in build-fuzz/grown/TARGET, and the next run goes on
# with it.
#
#     tools/fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: tools/fuzz.sh SECONDS [TARGET...]}
shift
build=${BUILD:-build}-fuzz
sh tools/deps.sh test fuzz
[ -f "$build/build.ninja" ] || CC=clang meson setup "$build" -Dfuzz=true \
    -Dtests=false -Db_sanitize=address,undefined -Db_lundef=false \
    -Doptimization=1 -Ddebug=true
[ $# -gt 0 ] || set -- $(ls fuzz/fuzz_*.c | sed 's|.*fuzz_||; s|\.c$||')
ninja -C "$build" $(printf 'fuzz/fuzz_%s ' "$@")

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS=allocator_may_return_null=1
one() { # TARGET
    mkdir -p "$build/found/$1" "$build/grown/$1" "fuzz/corpus/$1"
    "$build/fuzz/fuzz_$1" -max_total_time="$seconds" -rss_limit_mb=3000 \
        -timeout=25 -max_len=16384 -artifact_prefix="$build/found/$1/" \
        -print_final_stats=1 "$build/grown/$1" "fuzz/corpus/$1" \
        >"$build/found/$1.log" 2>&1 || echo "$1" >>"$build/found/failed"
    echo "$1: $(sed -n 's/^Done \(.*\)/\1/p' "$build/found/$1.log")"
}
mkdir -p "$build/found"
rm -f "$build/found/failed"
at_a_time=$(nproc)
running=0
for target; do
    one "$target" &
    running=$((running + 1))
    [ $((running % at_a_time)) -ne 0 ] || wait
done
wait
[ ! -e "$build/found/failed" ] || {
    for target in $(cat "$build/found/failed"); do
        echo "fuzz: $target failed: $build/found/$target.log"
    done
    exit 1
}
