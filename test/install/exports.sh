#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The functions that the public headers declare are those that libetm.map
# lists, in alphabetical order, and those that libetm(3) names; the page names
# each header. Usage: exports.sh ROOT CC
set -u

root=$1 cc=$2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Declarations without comments, macros, and functions with a body.
for header in "$root"/include/etm/*.h; do
    echo "#include <etm/$(basename "$header")>"
done >"$scratch/all.c"
$cc -std=c11 -E -P -I"$root/include" "$scratch/all.c" | tr '\n' ' ' |
    sed 's/static inline[^}]*}//g' |
    grep -o '\betm_[a-z0-9_]* *([^;{]*);' | sed 's/ *(.*//' |
    grep -v '_fn$' | LC_ALL=C sort -u >"$scratch/declared"
sed -n 's/^ *\(etm_[a-z0-9_]*\);$/\1/p' "$root/src/libetm.map" \
    >"$scratch/listed"

grep -q '^etm_decoder_push$' "$scratch/declared" || {
    echo "the headers were not understood"
    exit 1
}
LC_ALL=C sort -c -u "$scratch/listed" || exit 1
diff "$scratch/declared" "$scratch/listed" || {
    echo "< declared in include/etm, > listed in src/libetm.map"
    exit 1
}

tr -c 'a-z0-9_' '\n' <"$root/man/libetm.3" | grep '^etm_[a-z0-9_]*$' |
    LC_ALL=C sort -u >"$scratch/named"
LC_ALL=C comm -23 "$scratch/declared" "$scratch/named" >"$scratch/missing"
for header in "$root"/include/etm/*.h; do
    grep -q -x ".In etm/$(basename "$header")" "$root/man/libetm.3" ||
        basename "$header" >>"$scratch/missing"
done
[ ! -s "$scratch/missing" ] || {
    echo "not in man/libetm.3:"
    cat "$scratch/missing"
    exit 1
}
