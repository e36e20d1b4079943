#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cppcheck on all of src, and clang's static analyzer on the rooms that read what
# others wrote. Ends with an error if either says something that is not in
# analyze.suppress. Usage: analyze.sh BUILD [ROOM...]
set -eu
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
done | xargs -P "$(nproc)" -n 8 clang-tidy -p "$build" --quiet \
    '--checks=-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI*' \
    '--warnings-as-errors=*'
