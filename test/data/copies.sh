#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes copies.elf (arm-none-eabi-gcc 12.2).
set -e
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flags="-marm -mcpu=cortex-a9 -O0 -g -fdebug-prefix-map=$PWD=."
# shellcheck disable=SC2086
{
    arm-none-eabi-gcc $flags -DFIRST -c copies.c -o "$scratch/first.o"
    arm-none-eabi-gcc $flags -c copies.c -o "$scratch/second.o"
}
arm-none-eabi-ld -Ttext=0x8000 -Tbss=0x20000 -e first --build-id=none \
    -z max-page-size=4 "$scratch/first.o" "$scratch/second.o" -o copies.elf
chmod 644 copies.elf
