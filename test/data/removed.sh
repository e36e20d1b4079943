#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the programs of removed.c (arm-none-eabi-gcc 12.2): with vectors at
# address 0; with code there, and the rest after it or elsewhere; with nothing
# there. And the first with compressed debug information.
set -e
cd "$(dirname "$0")"
make() { # PROGRAM ADDRESS VECTORS ADDRESS FLAG...
    program=$1
    printf 'SECTIONS { .near %s : { %s *(.text.used) } .text %s : {%s} }\n' \
        "$2" "$3" "$4" '*(.text.start)' >"$scratch/script"
    shift 4
    arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -O1 -g -ffunction-sections \
        -fdebug-prefix-map="$PWD=." -nostdlib -Wl,--gc-sections,-e,start \
        -Wl,--build-id=none,-z,max-page-size=4,--no-warn-rwx-segments \
        -T "$scratch/script" "$@" removed.c -o "$program.elf"
    chmod 644 "$program.elf"
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
vectors='KEEP(*(.vectors))'
make removed 0 "$vectors" ''
make removed_dwarf2 0 "$vectors" '' -gdwarf-2
make removed_be8 0 "$vectors" '' -mbig-endian -Wl,--be8
make removed_none 0 '' ''
make removed_far 0 '' 0x8000000
make removed_flash 0x8000000 "$vectors" ''
for form in zlib-gabi zlib-gnu; do
    arm-none-eabi-objcopy --compress-debug-sections=$form removed.elf \
        removed_$form.elf
done
