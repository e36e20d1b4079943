#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cppcheck on all of src, and clang's static analyzer on the rooms that read what
# others wrote. Ends with an error if either says something that is not in
# analyze.suppress or analyze.clang. Usage: analyze.sh BUILD [ROOM...]
set -eu
# va_list is misread by this clang from one file to the next; padding is not wrong
checks='-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI*'
checks="--checks=$checks,-clang-analyzer-valist.Uninitialized"
checks="$checks,-clang-analyzer-optin.performance.Padding"
build=$1
shift
[ $# -gt 0 ] || set -- input exec setup port proto gdb session
mkdir -p "$build/cppcheck"
cppcheck -q -j "$(nproc)" --std=c11 --enable=warning,portability \
    --library=posix -Iinclude -Isrc --error-exitcode=1 \
    --cppcheck-build-dir="$build/cppcheck" --inline-suppr \
    --suppressions-list=tools/analyze.suppress \
    --template='{file}:{line}: {id}: {message}' src
for room; do
    ls src/"$room"/*.c
done | xargs -P "$(nproc)" -n 8 clang-tidy -p "$build" --quiet "$checks" \
    2>/dev/null >"$build/clang.txt" || true
grep -q 'warning:' "$build/clang.txt" || {
    echo "analyze: clang-tidy said nothing at all" >&2
    exit 1
}
# "src/FILE: check", without those that are listed
sed -n 's|^.*\(src/[^:]*\):\([0-9]*\):[0-9]*: [a-z]*: .*\[\([^],]*\).*\]$|\1: \3 \2|p' \
    "$build/clang.txt" | sort -u >"$build/clang.seen"
awk 'NR == FNR { if ($0 ~ /^src/) known[$1 " " $2] = 1; next }
    { seen[$1 " " $2] = 1 }
    !(($1 " " $2) in known) { print $1 $3 ": " $2; bad = 1 }
    END {
        for (k in known) if (!(k in seen)) print "analyze.clang: not said: " k
        exit bad
    }' tools/analyze.clang "$build/clang.seen"
