#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each function that the maps of the libraries list is called by an exercise with an
# allocator that fails. Usage: complete.sh ROOT CC
set -u
root=$1 cc=$2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

for map in libetm:LIBETM_0 libetm-capture:LIBETM_CAPTURE_0; do
    sed -n "/^${map#*:} /,/^}/s/^ *\(etm_[a-z0-9_]*\);$/\1/p" \
        "$root/src/${map%:*}.map"
done | sort >"$scratch/public"
# What an object needs is what its functions call.
for file in core capture values; do
    $cc -std=c11 -I"$root/include" -DDEMO='""' \
        -c "$root/test/scarce/$file.c" -o "$scratch/$file.o" || exit 1
    nm --undefined-only "$scratch/$file.o"
done | sed -n 's/.* U \(etm_[a-z0-9_]*\)$/\1/p' | sort -u >"$scratch/called"
[ "$(wc -l <"$scratch/public")" -gt 200 ] || {
    echo "the maps were not understood"
    exit 1
}
comm -23 "$scratch/public" "$scratch/called" >"$scratch/missing"
[ ! -s "$scratch/missing" ] || {
    echo "no exercise of test/scarce calls:" $(cat "$scratch/missing")
    exit 1
}
