#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The options that a command takes, those of its help and those of its part of
# etm(1) are the same. Speaks TAP. Usage: manual.sh ETM SOURCE
set -u

. "$(dirname "$0")/../support/tap.sh"
source=$(cd "$2" && pwd)
cd "$scratch" || exit 99

# Every command has these, or a second way to write them.
sorted() {
    grep -v -x -e --help -e -h -e --version -e --colour -e --no-colour |
        LC_ALL=C sort -u
}

# Those in the tables of files of src/cli.
tables() { # FILE...
    (cd "$source/src/cli" && grep -h -v '^ \*' "$@") |
        grep -o '"--\{0,1\}[a-z][-a-z]*"' | tr -d '"' | sorted
}

helps() { # COMMAND...
    for command; do
        "$etm" "$command" --help
    done | tr -s ' ,|()' '\n' | grep -x -e '--\{0,1\}[a-z][-a-z]*' | sorted
}

# Those of sections of the page whose titles match.
page() { # PATTERN
    awk -v title="^\\\\.S[sh] ($1)\$" '/^\.S[sh] /{ inside = $0 ~ title }
        inside' "$source/man/etm.1" | grep -o 'Fl -\{0,1\}[a-z][-a-z]*' |
        sed 's/Fl /-/' | sorted
}

same() { # NAME FILE FILE
    : >err
    diff "$2" "$3" >out && [ -s "$2" ]
    verdict $? "$1"
}

compare() { # NAME TITLE FILES COMMAND...
    name=$1 title=$2 files=$3
    shift 3
    helps "$@" >helped
    page "$title" >paged
    # shellcheck disable=SC2086 # FILES are words
    tables $files >taken
    same "help_has_the_options_that_are_taken: $name" taken helped
    same "the_page_has_the_options_of_the_help: $name" helped paged
}

# All commands, and those that take a capture: the beginning of the help.
usage=$("$etm" help | sed '/^$/q' | sed 's/^usage: */       /')
all=$(echo "$usage" | sed -n 's/^ *etm \([a-z]*\) .*/\1/p')
captures=$(echo "$usage" | sed -n 's/^ *etm \([a-z]*\) *CAPTURE.*/\1/p')
[ "$(echo "$captures" | wc -l)" -ge 10 ] &&
    [ "$(echo "$all" | wc -l)" -ge "$(echo "$captures" | wc -l)" ]
verdict $? commands_are_listed_in_the_help

# shellcheck disable=SC2086 # words
compare captures \
    'Options (of|for) (info|decode|profile|index|gdb|diff|top|raw|trace ports).*' \
    options.c $captures
compare configure 'Options of configure' \
    configure.c configure
compare explain 'Options of explain' explain.c explain
compare record 'Options of record' record_options.c record

# Each is taken, by the command whose help has it. (That of merge tells of
# options of decode.)
for command in $all; do
    [ "$command" != merge ] || continue
    : >unknown
    helps "$command" >helped
    while read -r option; do
        "$etm" "$command" "$option" </dev/null 2>&1 >/dev/null |
            grep 'no such option' >>unknown
    done <helped
    mv unknown out
    [ -s helped ] && [ ! -s out ]
    verdict $? "options_of_the_help_are_taken: $command"
done
echo "1..$n"
