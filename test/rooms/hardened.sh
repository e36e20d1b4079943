#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was built has what meson.build asks for: a command that is loaded anywhere,
# relocations that are read-only before it begins, no stack that can be executed,
# calls with checked sizes (FORTIFY), guarded stacks; and, where the processor
# has this, targets of indirect branches that say so, and stacks that are touched
# page by page. Usage: hardened.sh FORTIFIED X86 ETM LIBRARY...
# The first two are yes or no.
set -u

fortified=$1 x86=$2
shift 2
export LC_ALL=C
failed=0
miss() { # FILE WHAT
    echo "$(basename "$1"): $2"
    failed=1
}

readelf -h "$1" | grep -q 'Type: *DYN' || miss "$1" "not position-independent"
for file; do
    readelf -lW "$file" >"${scratch:=$(mktemp)}" || exit 1
    grep -q GNU_RELRO "$scratch" || miss "$file" "no RELRO"
    grep 'GNU_STACK' "$scratch" | grep -q ' RW ' ||
        miss "$file" "an executable stack"
    readelf -dW "$file" | grep -q 'BIND_NOW' || miss "$file" "no BIND_NOW"
    nm -D --undefined-only "$file" >"$scratch"
    grep -q '__stack_chk_fail' "$scratch" || miss "$file" "no stack protector"
    [ "$fortified" = no ] || grep -q '__[a-z]*printf_chk' "$scratch" ||
        miss "$file" "no FORTIFY"
    [ "$x86" = no ] && continue
    objdump -d --no-show-raw-insn "$file" >"$scratch"
    # what the C library's own objects bring is less
    [ "$(grep -c 'endbr64' "$scratch")" -gt 100 ] ||
        miss "$file" "no marked targets of branches"
    [ "$(grep -c 'sub  *$0x1000,%rsp' "$scratch")" -gt 2 ] ||
        miss "$file" "large stacks are not touched"
done
rm -f "$scratch"
exit $failed
