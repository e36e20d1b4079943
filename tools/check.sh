#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The suite under something that sees more than it, in a build folder of its own:
#
#     tools/check.sh asan|msan|tsan|valgrind|analyze|s390x|i386|coverage [TESTS]
#
# TESTS is a regular expression of names (`meson test --list`); without it, what
# is worth most for the time. doc/reliability.md says what each has found.
set -eu
cd "$(dirname "$0")/.."
kind=${1:?usage: tools/check.sh asan|msan|tsan|valgrind|analyze|s390x|i386|coverage [TESTS]}
build=${BUILD:-build}-$kind
sh tools/deps.sh test "$kind"

folder() { # MESON-OPTION...
    [ -f "$build/build.ninja" ] || meson setup "$build" -Dtests=true "$@"
}
# Only what the chosen tests need is built.
suite() { # DEFAULT [OPTION-OF-MESON-TEST...]
    tests=${TESTS:-$1}
    shift
    meson test -C "$build" --list 2>/dev/null | sed 's|.* / ||' |
        grep -E "$tests" | grep -vE "$without" | xargs meson test -C "$build" \
        --print-errorlogs --suite libetm --timeout-multiplier 60 "$@"
}
TESTS=${2:-}
# Executions at random that a test makes, where it takes ten times as long.
[ "$kind" = asan ] || [ "$kind" = coverage ] ||
    export ETM_TEST_ROUNDS="${ETM_TEST_ROUNDS:-5}"
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Sanitizers take calls of FORTIFY and of preloaded libraries for their own; the
# tests that count memory or load another library say so themselves.

# Valgrind would check the interpreters of these scripts instead of the command,
# and they cannot run a command for another processor.
scripts='^setup/((chips|configure|explain)_command|chip_scripts)$|^abi/first$'
scripts="$scripts|^gdb/(walks|hostile|data|libraries|sessions)$"
without='^$'
parsers='^(input|exec|setup|gdb|port|proto|write|session|image|analyze)/'

case $kind in
asan) # memory, leaks, and what C leaves undefined
    folder -Db_sanitize=address,undefined -Db_lundef=false \
        -Doptimization=1 -Ddebug=true
    suite "$parsers|^(flow|base|abi|regs|cli|record|emulate)/|^fuzz"
    ;;
msan) # values that were never written; other libraries would have to be built so, too
    # this clang does not see what stat() writes: tools/msan_stat.c
    mkdir -p "$build"-stat
    clang -c -O1 -o "$build-stat/stat.o" tools/msan_stat.c
    CC=clang folder -Db_sanitize=memory -Db_lundef=false -Dpython=disabled \
        "-Dc_link_args=-Wl,--wrap=stat64,--wrap=lstat64,--wrap=fstat64 $PWD/$build-stat/stat.o" \
        -Doptimization=1 -Ddebug=true -Delfutils=disabled -Dcapstone=disabled \
        -Dzstd=disabled -Dlibiberty=disabled -Dlibarchive=disabled \
        -Dunicorn=disabled
    suite "$parsers|^(flow|base|regs|model)/|^fuzz"
    ;;
tsan) # threads: sessions, the listings they make, and the command with --jobs
    folder -Db_sanitize=thread -Db_lundef=false -Doptimization=1 -Ddebug=true
    suite '^session/|^write/|^cli/(shards|scale|merged|pipe)$'
    ;;
valgrind) # the optimized build, with the other libraries as they are
    folder -Dbuildtype=debugoptimized -Dhardening=false
    without=$scripts
    suite '^(base|input|exec|setup|gdb/(packet|values)|image|write|proto|abi)' \
        --wrap 'valgrind -q --error-exitcode=9 --leak-check=full --trace-children=no'
    ;;
s390x | i386) # numbers with the other end first; 32 bits
    [ -f "$build-root/cross.ini" ] || sh tools/cross/setup.sh "$kind" "$build-root"
    folder --cross-file "$build-root/cross.ini"
    [ "$kind" = i386 ] || without=$scripts
    suite "$parsers|^(base|isa|regs|abi)"
    ;;
analyze) # without running anything
    folder
    sh tools/analyze.sh "$build"
    ;;
coverage) # without what links the library by itself, or runs thousands of commands
    without='^(install|cli/memory)$'
    # counters of threads must not lose counts, or they go below zero
    folder -Db_coverage=true -Dbuildtype=debug -Dhardening=false \
        -Dc_args=-fprofile-update=atomic
    suite .
    python3 tools/coverage.py "$build"
    ;;
*)
    echo "check: unknown: $kind" >&2
    exit 2
    ;;
esac
