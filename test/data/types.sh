#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes types.elf (arm-none-eabi-g++ 12.2).
set -e
cd "$(dirname "$0")"
arm-none-eabi-g++ -mcpu=cortex-m3 -O1 -g -fdebug-prefix-map="$PWD=." \
    -ffreestanding -nostdlib -Wl,-Tdata=0x20000,-e0,--build-id=none \
    -Wl,-z,max-page-size=4 types.cc -o types.elf
chmod 644 types.elf
