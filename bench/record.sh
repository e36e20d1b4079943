#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Record the program of bench/large.py, each kind of trace for as long as it
# takes to make N MB, as snapshots that bench/compare takes:
#
#     bench/record.sh build/etm DIRECTORY [N [KIND...]]
#     build/bench/compare DIRECTORY/*
#
# KIND: pft pft-return pft-cycles etmv3 etmv3-cycles etmv3-data; else all.
# Needs gcc-arm-none-eabi and an etm with Unicorn. What is there stays.
set -eu
here=$(dirname "$0")
etm=$1 to=$2 mb=${3:-100}
shift 2
[ $# -eq 0 ] || shift
[ $# -ne 0 ] || set -- pft pft-return pft-cycles etmv3 etmv3-cycles etmv3-data
mkdir -p "$to"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ ! -e "$to/large.elf" ]; then
    python3 "$here/large.py" 8000 4000000000 >"$scratch/large.c"
    arm-none-eabi-gcc -std=gnu11 -O1 -w -marm -mcpu=cortex-a9 \
        -mfloat-abi=soft -ffreestanding -nostdlib -Wl,-Ttext=0x10000 \
        -Wl,--build-id=none -Wl,-e,_start "$scratch/large.c" -lgcc \
        -o "$scratch/large.elf"
    mv "$scratch/large.elf" "$to/large.elf"
fi

# record KIND THOUSANDTHS OPTIONS...: with so many instructions in 1000 bytes
record() {
    kind=$1 insns=$(($2 * mb * 1000))
    shift 2
    [ ! -e "$to/recorded-$kind" ] || return 0
    "$etm" record "$to/large.elf" --core cortex-a9 "$@" --limit "$insns" \
        --framing none -o "$scratch/$kind"
    mv "$scratch/$kind" "$to/recorded-$kind"
}

for kind; do
    case $kind in
    pft) record pft 7000 --etm pft1.1 ;;
    pft-return) record pft-return 11400 --etm pft1.1 --return-stack ;;
    pft-cycles) record pft-cycles 3900 --etm pft1.1 --cycle-accurate ;;
    etmv3) record etmv3 3950 --etm v3.5 ;;
    etmv3-cycles) record etmv3-cycles 1740 --etm v3.5 --cycle-accurate ;;
    etmv3-data) record etmv3-data 840 --etm v3.5 --data both ;;
    *) echo "$kind: no such kind of trace" >&2 && exit 2 ;;
    esac
done
