#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the two libraries need and share: libetm the C library alone,
# libetm-capture besides libetm and the optional libraries; of the private
# functions of libetm those that src/libetm.map lists, and no second copy of
# any. Usage: libraries.sh ROOT LIBETM LIBETM-CAPTURE yes|no
# The last says whether all optional libraries are in the build: only then every
# private function is in use.
set -u

root=$1 core=$2 capture=$3 complete=$4
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
failed=0

# The C library of a system, what a compiler adds, and sanitizers.
system='libc\.|libc$|ld-|libgcc_s\.|libatomic\.|lib[a-z]*san\.|libclang_rt'
threads='libpthread\.'

needs() { # LIBRARY ALLOWED
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' \
        >"$scratch/needed"
    [ -s "$scratch/needed" ] || {
        echo "$1: readelf says nothing"
        exit 1
    }
    grep -vE "^($2)" "$scratch/needed" >"$scratch/more" && {
        echo "$(basename "$1") needs:" $(cat "$scratch/more")
        failed=1
    }
}

needs "$core" "$system"
needs "$capture" \
    "$system|$threads|libetm\.so\.0|libelf\.|libdw\.|libzstd\.|libcapstone\."
grep -q '^libetm\.so\.0$' "$scratch/needed" || {
    echo "libetm-capture does not use libetm"
    failed=1
}

# Functions of libetm that libetm-capture takes from there.
nm -D --undefined-only "$capture" | sed -n 's/^ *U \(etm_.*\)@LIBETM_.*/\1/p' |
    sort -u >"$scratch/taken"
sed -n '/^LIBETM_PRIVATE/,/^}/s/^ *\(etm_[a-z0-9_]*\);$/\1/p' \
    "$root/src/libetm.map" | sort >"$scratch/private"
[ -s "$scratch/taken" ] && [ -s "$scratch/private" ] || {
    echo "nothing is taken from libetm"
    exit 1
}
if [ "$complete" = yes ]; then
    comm -23 "$scratch/private" "$scratch/taken" >"$scratch/more"
    [ ! -s "$scratch/more" ] || {
        echo "private in src/libetm.map, but used by libetm alone:"
        cat "$scratch/more"
        failed=1
    }
fi

for library in core capture; do
    eval "file=\$$library"
    nm --defined-only "$file" | sed -n 's/.* [Tt] \(etm_[a-z0-9_]*\)$/\1/p' |
        sort -u >"$scratch/$library"
done
# Functions of headers and of files may have one name in both: none is taken
# from the other library, and none of those is here a second time.
comm -12 "$scratch/taken" "$scratch/capture" >"$scratch/more"
sed -n 's/^ *\(etm_[a-z0-9_]*\);$/\1/p' "$root/src/libetm.map" |
    sort | comm -12 - "$scratch/capture" >>"$scratch/more"
[ ! -s "$scratch/more" ] || {
    echo "in both libraries:"
    sort -u "$scratch/more"
    failed=1
}
exit $failed
