#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short tour: record a program, decode its trace and hold it against what ran;
# then the same with the captures of this folder.
#
#     sh demo/run.sh BUILD         (BUILD: the Meson build folder)
#
# Ends with status 1 if anything that was decoded is not what ran.
set -eu

build=${1:-build}
for etm in "$build/etm" "$build/src/cli/etm" "$build/src/etm"; do
    [ -x "$etm" ] && [ -f "$etm" ] && break
done
if [ ! -x "$etm" ] || [ ! -f "$etm" ]; then
    echo "demo/run.sh: there is no etm in $build; build it first" >&2
    exit 1
fi
etm=$(cd "$(dirname "$etm")" && pwd)/etm
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

say() { # TEXT...
    printf '\n%s# %s%s\n' "$bold" "$*" "$plain"
}

# Run the command into a file, so that a part of it can be shown and an error
# is not lost.
etm() { # ARGUMENTS...
    printf '\n%s$ etm %s%s\n' "$bold" "$*" "$plain"
    "$etm" "$@" >"$scratch/out"
}

# Lines of the file, and that there are more.
show() { # FIRST LAST
    sed -n "$1,$2p" "$scratch/out"
    [ "$(wc -l <"$scratch/out")" -le "$2" ] ||
        printf '... (%d lines in all)\n' "$(wc -l <"$scratch/out")"
}

# Lines from some before the first that matches.
show_at() { # PATTERN BEFORE LINES
    line=$(grep -n -e "$1" "$scratch/out" | head -n 1 | cut -d : -f 1)
    if [ -z "$line" ]; then
        echo "demo/run.sh: nothing in the output matches $1" >&2
        exit 1
    fi
    first=$((line > $2 ? line - $2 : 1))
    show "$first" $((first + $3 - 1))
}

number() { # KEY FILE
    awk -v key="$1" '$1 == key { print $2 }' "$2"
}

check() { # CAPTURE: count what was decoded
    "$etm" decode "demo/$1" --level instructions --format jsonl \
        >"$scratch/out"
    for row in insn:instructions exception:exceptions; do
        found=$(grep -c "^{\"k\":\"${row%:*}\"," "$scratch/out" || :)
        ran=$(number "${row#*:}" "demo/$1/execution.txt")
        if [ "$found" != "$ran" ]; then
            echo "$1: $found ${row#*:} decoded, but $ran ran" >&2
            exit 1
        fi
        printf '%s: %s %s ran, and as many were decoded\n' "$1" "$ran" \
            "${row#*:}"
    done
    if grep -q -e '^{"k":"lost"' -e '^{"k":"no_image"' "$scratch/out"; then
        echo "$1: some of the trace was not understood" >&2
        exit 1
    fi
}

# "ADDRESS OPCODE" of each instruction that an execution log has. What was
# cancelled did not run.
ran() { # LOG
    awk '$1 ~ /^[0-9a-f]+(:[a-z]+)?$/ {
             if (kept != "") print kept
             sub(/:.*/, "", $1)
             kept = $1 " " $2
         }
         $1 == "exception" && / cancels/ { kept = "" }
         END { if (kept != "") print kept }' "$1"
}

# "ADDRESS OPCODE" of each instruction that `etm decode` names.
decoded() { # JSONL
    sed -n -e '/^{"k":"insn",/!d' -e \
        's/.*"addr":"0x\([^"]*\)".*"opcode":"0x\([^"]*\)".*/\1 \2/p' "$1"
}

say "A program runs on a Cortex-M3 with a macrocell: interrupts within" \
    "interrupts, faults, PendSV. Every instruction goes into a log, and into" \
    "the macrocell."
program=test/programs/nested-m3.elf
if ! "$etm" record "$program" --core cortex-m3 -o "$scratch/recorded" \
    --log "$scratch/ran.log" >"$scratch/out" 2>"$scratch/err"; then
    cat "$scratch/err" >&2
    echo "so the execution of this program is taken from demo/nested-m3.log"
    program='--execution demo/nested-m3.log'
    "$etm" record $program --core cortex-m3 -o "$scratch/recorded" \
        --log "$scratch/ran.log" >"$scratch/out" 2>"$scratch/err"
fi
printf '\n%s$ etm record %s --core cortex-m3 -o recorded --log ran.log%s\n' \
    "$bold" "$program" "$plain"
cat "$scratch/out" "$scratch/err"
printf '\n%s$ head -n 12 ran.log%s\n' "$bold" "$plain"
head -n 12 "$scratch/ran.log"

say "The trace alone tells:"
printf '\n%s$ etm decode recorded --level instructions%s\n' "$bold" "$plain"
"$etm" decode "$scratch/recorded" --level instructions >"$scratch/out"
show 1 12
show_at 'exception: irq' 6 14

say "Instruction by instruction, is it what ran?"
"$etm" decode "$scratch/recorded" --level instructions --format jsonl \
    >"$scratch/jsonl"
ran "$scratch/ran.log" >"$scratch/a"
decoded "$scratch/jsonl" >"$scratch/b"
if ! cmp "$scratch/a" "$scratch/b"; then
    echo "what was decoded is not what ran" >&2
    exit 1
fi
printf '%d instructions ran, and the same %d came out of %d bytes of trace\n' \
    "$(wc -l <"$scratch/a")" "$(wc -l <"$scratch/b")" \
    "$(sed -n 's/.* cycles: \([0-9]*\) bytes of trace/\1/p' "$scratch/err")"

say "A sensor node ran on a Cortex-M3, and its macrocell left a trace buffer" \
    "of $(wc -c <demo/cortex-m3/cstrace.bin) bytes. What is in it?"
etm info demo/cortex-m3
show 1 60

say "Which instructions ran? (functions and lines come from sensor.elf)"
etm decode demo/cortex-m3 --level instructions --source-lines
show 1 34

say "The first tick of the timer: the interrupt stores a sample, then the" \
    "scheduler takes over."
show_at sys_tick 6 34

say "The same for programs: one JSON object a line."
etm decode demo/cortex-m3 --format jsonl
show 1 6

say "On a Cortex-A9 the same program left $(wc -c <demo/cortex-a9/cstrace.bin)" \
    "bytes of another protocol."
etm packets demo/cortex-a9
show 1 12
etm decode demo/cortex-a9 --level instructions --source-lines
show_at svc 8 24

say "Is it true? The recording says what really ran."
check cortex-m3
check cortex-a9

say "All of it to look at: a page for a browser."
page=$(dirname "$etm")/sensor.html
"$etm" report demo/cortex-m3 -o "$page"
printf '\n%s$ etm report demo/cortex-m3 -o %s%s\n' "$bold" "$page" "$plain"
echo "open it in a browser: file://$page"
