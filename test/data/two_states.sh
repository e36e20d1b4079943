#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes two_states.elf, two_states_be8.elf and two_states_be32.elf
# (arm-none-eabi-gcc 12.2), and the first with compressed debug information, in
# the form of today and that of old.
set -e
cd "$(dirname "$0")"
for end in "" _be8 _be32; do
    flags=
    test "$end" != _be8 || flags="-mbig-endian -Wl,--be8"
    test "$end" != _be32 || flags="-mbig-endian -mbe32"
    # shellcheck disable=SC2086
    arm-none-eabi-gcc -march=armv7-a -mthumb -O1 -g -fno-toplevel-reorder \
        -fdebug-prefix-map="$PWD=." -ffreestanding -nostdlib \
        -nostartfiles -Wno-attribute-alias \
        -Wl,-Ttext=0x8000,-Tdata=0x20000,--build-id=none,-z,max-page-size=4 \
        $flags two_states.c -o two_states$end.elf
done
for form in zlib-gabi zlib-gnu; do
    arm-none-eabi-objcopy --compress-debug-sections=$form two_states.elf two_states_$form.elf
done
