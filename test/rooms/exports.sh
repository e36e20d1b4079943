#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The functions that the public headers declare are those that the maps of the
# two libraries list, each in one of them and in alphabetical order; the umbrella
# of a library declares those of its map, and of what is below it; the manual
# page of a library names those of its map, and each header is in one of the
# pages. Usage: exports.sh ROOT CC
set -u

root=$1 cc=$2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Declarations without comments, macros, and functions with a body.
declared() { # HEADER...
    for header in "$@"; do
        echo "#include <etm/$(basename "$header")>"
    done | $cc -std=c11 -E -P -I"$root/include" -x c - | tr '\n' ' ' |
        sed 's/static inline[^}]*}//g' |
        grep -o '\betm_[a-z0-9_]* *([^;{]*);' | sed 's/ *(.*//' |
        grep -v '_fn$' | LC_ALL=C sort -u
}

declared "$root"/include/etm/*.h >"$scratch/declared"
grep -q '^etm_decoder_push$' "$scratch/declared" || {
    echo "the headers were not understood"
    exit 1
}

# The functions of a node of a map, up to its closing brace.
node() { # NODE MAP
    sed -n "/^$1.* {/,/^}/p" "$root/src/$2.map" |
        sed -n 's/^ *\(etm_[a-z0-9_]*\);$/\1/p'
}

# A word that is in two maps makes the list of both unsorted or longer.
for library in libetm:LIBETM_0 libetm-capture:LIBETM_CAPTURE_0; do
    node "${library#*:}" "${library%:*}" >"$scratch/${library%:*}"
    LC_ALL=C sort -c -u "$scratch/${library%:*}" || exit 1
done
node LIBETM_PRIVATE libetm | LC_ALL=C sort -c -u || exit 1
LC_ALL=C sort "$scratch/libetm" "$scratch/libetm-capture" |
    diff "$scratch/declared" - || {
    echo "< declared in include/etm, > listed in src/libetm*.map"
    exit 1
}

# The umbrella of libetm has what that library has; the other one has all.
declared etm.h | diff - "$scratch/libetm" || {
    echo "< declared in etm/etm.h, > listed in src/libetm.map"
    exit 1
}
declared capture.h | diff "$scratch/declared" - || {
    echo "< declared in include/etm, > declared in etm/capture.h"
    exit 1
}

for library in libetm libetm-capture; do
    tr -c 'a-z0-9_' '\n' <"$root/man/$library.3" | grep '^etm_[a-z0-9_]*$' |
        LC_ALL=C sort -u >"$scratch/named"
    LC_ALL=C comm -23 "$scratch/$library" "$scratch/named" >"$scratch/missing"
    [ ! -s "$scratch/missing" ] || {
        echo "not in man/$library.3:"
        cat "$scratch/missing"
        exit 1
    }
done
for header in "$root"/include/etm/*.h; do
    grep -q -x ".In etm/$(basename "$header")" "$root"/man/libetm*.3 || {
        echo "in no manual page: $(basename "$header")"
        exit 1
    }
done
