#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Record three programs, each kind of trace for as long as it takes to make about
# N MB, as snapshots that bench/compare takes:
#
#     bench/record.sh build/etm DIRECTORY [N [KIND...]]
#     build/bench/compare DIRECTORY/*-*
#
# recorded-KIND is the trace of what bench/large.py writes, everyday-KIND that
# of bench/everyday, with interrupts, and itself-KIND that of bench/itself, the
# core of this library at work.
#
# KIND: pft pft-return pft-cycles etmv3 etmv3-cycles etmv3-data, and these with
# `everyday-` or `itself-` before them; everyday-pft-filter and
# everyday-etmv3-filter, which are cycle-accurate and leave some functions of the
# C library out; else all. Needs gcc-arm-none-eabi, for
# all but the first libnewlib-arm-none-eabi, and an etm with Unicorn. What is
# there stays.
set -eu
here=$(dirname "$0")
etm=$1 to=$2 mb=${3:-100}
shift 2
[ $# -eq 0 ] || shift
if [ $# -eq 0 ]; then
    for kind in pft pft-return pft-cycles etmv3 etmv3-cycles etmv3-data; do
        set -- "$@" $kind everyday-$kind itself-$kind
    done
    set -- "$@" everyday-pft-filter everyday-etmv3-filter
fi
mkdir -p "$to"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build_large() {
    [ ! -e "$to/large.elf" ] || return 0
    python3 "$here/large.py" 8000 4000000000 >"$scratch/large.c"
    arm-none-eabi-gcc -std=gnu11 -O1 -w -marm -mcpu=cortex-a9 \
        -mfloat-abi=soft -ffreestanding -nostdlib -Wl,-Ttext=0x10000 \
        -Wl,--build-id=none -Wl,-e,_start "$scratch/large.c" -lgcc \
        -o "$scratch/large.elf"
    mv "$scratch/large.elf" "$to/large.elf"
}

# build_newlib NAME OPTIONS AND FILES...: with the C library that fits them
build_newlib() {
    name=$1
    shift
    [ ! -e "$to/$name.elf" ] || return 0
    arm-none-eabi-gcc -std=gnu11 -O2 -mfloat-abi=soft --specs=rdimon.specs \
        -Wl,--build-id=none "$@" -lm -o "$scratch/$name.elf"
    mv "$scratch/$name.elf" "$to/$name.elf"
}

build_everyday() {
    build_newlib "$@" -Wall -Wextra "$here"/everyday/*.c
}

# The rooms of the core (doc/architecture.md), which need nothing but the C
# library.
build_itself() {
    src=$here/../src
    build_newlib "$@" -w -I"$here" -I"$src" -I"$here/../include" \
        "$here/itself/main.c" "$here/workload.c" "$src"/base/*.c \
        "$src"/isa/*.c "$src"/image/*.c "$src"/proto/*.c "$src"/flow/*.c \
        "$src"/regs/*.c "$src"/port/*.c "$src"/model/*.c \
        "$src"/session/decoder.c "$src"/session/packet_decoder.c \
        "$src"/session/protocols.c
}

# OpenCSD loses Thumb state at ETMv3 branches: ARM code for that.
build() {
    case $1 in
    everyday-pft*) build_everyday everyday -mthumb -mcpu=cortex-a9 ;;
    everyday-*) build_everyday everyday_arm -marm -march=armv5te ;;
    itself-pft*) build_itself itself -mthumb -mcpu=cortex-a9 ;;
    itself-*) build_itself itself_arm -marm -march=armv5te ;;
    *) build_large ;;
    esac
}

# record SNAPSHOT ELF THOUSANDTHS OPTIONS...: so many instructions in 1000 bytes
record() {
    name=$1 elf=$2 insns=$(($3 * mb * 1000))
    shift 3
    [ ! -e "$to/$name" ] || return 0
    "$etm" record "$to/$elf.elf" --core cortex-a9 "$@" --limit "$insns" \
        --framing none -o "$scratch/$name"
    mv "$scratch/$name" "$to/$name"
}

large() {
    kind=$1
    shift
    record "recorded-$kind" large "$@"
}

everyday() {
    kind=$1
    shift
    record "everyday-$kind" "$@" --interrupt irq/9973
}

# filter KIND ELF THOUSANDTHS VERSION: tracing stops at each call of them, and
# begins again after it.
filter() {
    "$etm" configure --core cortex-a9 --etm "$4" --cycle-accurate \
        --elf "$to/$2.elf" --exclude-function memcpy \
        --exclude-function strlen --exclude-function memmove \
        --exclude-function _malloc_r -o "$scratch/$1"
    everyday "$1" "$2" "$3" --etm "$4" --setup "$scratch/$1"
}

itself() {
    kind=$1
    shift
    record "itself-$kind" "$@"
}

record_kind() {
    case $1 in
    pft) large "$1" 7000 --etm pft1.1 ;;
    pft-return) large "$1" 11400 --etm pft1.1 --return-stack ;;
    pft-cycles) large "$1" 3900 --etm pft1.1 --cycle-accurate ;;
    etmv3) large "$1" 3950 --etm v3.5 ;;
    etmv3-cycles) large "$1" 1740 --etm v3.5 --cycle-accurate ;;
    etmv3-data) large "$1" 840 --etm v3.5 --data both ;;
    everyday-pft) everyday pft everyday 13200 --etm pft1.1 ;;
    everyday-pft-return)
        everyday pft-return everyday 24700 --etm pft1.1 --return-stack
        ;;
    everyday-pft-cycles)
        everyday pft-cycles everyday 4530 --etm pft1.1 --cycle-accurate
        ;;
    everyday-etmv3) everyday etmv3 everyday_arm 5100 --etm v3.5 ;;
    everyday-etmv3-cycles)
        everyday etmv3-cycles everyday_arm 1610 --etm v3.5 --cycle-accurate
        ;;
    everyday-etmv3-data)
        everyday etmv3-data everyday_arm 635 --etm v3.5 --data both
        ;;
    everyday-pft-filter) filter pft-filter everyday 4600 pft1.1 ;;
    everyday-etmv3-filter) filter etmv3-filter everyday_arm 1760 v3.5 ;;
    itself-pft) itself pft itself 13000 --etm pft1.1 ;;
    itself-pft-return)
        itself pft-return itself 25000 --etm pft1.1 --return-stack
        ;;
    itself-pft-cycles)
        itself pft-cycles itself 4500 --etm pft1.1 --cycle-accurate
        ;;
    itself-etmv3) itself etmv3 itself_arm 5800 --etm v3.5 ;;
    itself-etmv3-cycles)
        itself etmv3-cycles itself_arm 1280 --etm v3.5 --cycle-accurate
        ;;
    itself-etmv3-data)
        itself etmv3-data itself_arm 380 --etm v3.5 --data both
        ;;
    *) echo "$1: no such kind of trace" >&2 && exit 2 ;;
    esac
}

for kind; do
    build "$kind"
done
if [ $# -eq 1 ]; then
    record_kind "$1"
else # as many at a time as there are processors
    printf '%s\n' "$@" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" \
        "$0" "$etm" "$to" "$mb"
fi
