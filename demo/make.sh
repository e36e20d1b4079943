#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the captures of this folder again: compile the program, run it under
# QEMU, record what it executes and encode that as trace.
#
#     sh demo/make.sh BUILD        (BUILD: the Meson build folder)
#
# Needs gcc-arm-none-eabi and qemu-system-arm. With Debian 12's versions of
# both the result is the same, byte for byte, each time.
set -eu

if [ $# -ne 1 ] || [ ! -x "$1/demo/demo-record" ]; then
    echo "usage: sh demo/make.sh BUILD (with demo/demo-record built in it)" >&2
    exit 2
fi
record=$(cd "$1" && pwd)/demo/demo-record
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# No folder of this machine may get into the ELF file: names in it are
# relative to the folder of the ELF file.
compile() { # CORE FLAGS... : objects of all files of that core
    core=$1
    shift
    for file in $(cd "$core" && ls board.c start.S ../src/*.c 2>/dev/null); do
        case $file in
        # Where there is a choice, these are Arm code and the rest is Thumb.
        ../src/crc.c | ../src/ring.c) state=$some_arm ;;
        *) state=-mthumb ;;
        esac
        (cd "$core" && arm-none-eabi-gcc -std=c11 -Og -g -gdwarf-4 \
            -ffreestanding -fno-common -Wall -Wextra -Werror \
            -ffile-prefix-map="$PWD=." -fdebug-prefix-map="$PWD=." \
            -ffile-prefix-map=/usr/lib=lib -fdebug-prefix-map=/usr/lib=lib \
            -frandom-seed="$file" "$@" $state \
            -c "$file" -o "$scratch/$core-$(basename "$file").o")
    done
    arm-none-eabi-gcc "$@" -nostdlib -Wl,--build-id=none \
        -Wl,--no-warn-rwx-segments -T "$core/board.ld" \
        -o "$core/sensor.elf" "$scratch/$core"-*.o -lgcc
    chmod 644 "$core/sensor.elf"
    arm-none-eabi-objcopy -O binary "$core/sensor.elf" "$scratch/$core.bin"
}

# One instruction takes one nanosecond of QEMU's clock, so that interrupts
# come at the same instructions in each run.
run() { # CORE MACHINE
    QEMU_AUDIO_DRV=none timeout 60 qemu-system-arm -M "$2" \
        -display none -monitor none -serial null -semihosting \
        -icount shift=0 -singlestep -d exec,cpu,nochain,int \
        -D "$scratch/$1.log" -kernel "$1/sensor.elf" 2>"$scratch/$1.err" || {
        cat "$scratch/$1.err" >&2
        exit 1
    }
}

address() { # CORE SYMBOL
    arm-none-eabi-nm "$1/sensor.elf" | awk -v name="$2" \
        '$3 == name { print "0x" $1 }'
}

# The values of ETMIDR and ETMCCER are those of real macrocells; that of the
# Cortex-M3 is ETMv3.4, as table 3-47 has it (doc/errata.md, E-325). The period
# of synchronization is short because the capture is.
some_arm=-mthumb
compile cortex-m3 -mcpu=cortex-m3
run cortex-m3 lm3s6965evb
"$record" --core Cortex-M3 --source ETM_0 --type ETM3.4 \
    --code "$scratch/cortex-m3.bin@0x00000000" --elf sensor.elf \
    --start "$(address cortex-m3 main)" --stop "$(address cortex-m3 finish)" \
    --reg ETMCR=0x00000800 --reg ETMSYNCFR=0x00000100 \
    --reg ETMIDR=0x4114F240 --reg ETMCCER=0x00541800 \
    --reg ETMTRACEIDR=0x00000010 \
    -o cortex-m3 <"$scratch/cortex-m3.log"

# ETMCR: a context ID of 32 bits, timestamps, the return stack
some_arm=-marm
compile cortex-a9 -mcpu=cortex-a9 -mfloat-abi=soft
run cortex-a9 vexpress-a9
"$record" --core Cortex-A9 --source PTM_0 --type PTM1.0 \
    --code "$scratch/cortex-a9.bin@0x60000000" --elf sensor.elf \
    --start "$(address cortex-a9 main)" --stop "$(address cortex-a9 finish)" \
    --timestamps 1000 \
    --reg ETMCR=0x3000C800 --reg ETMSYNCFR=0x00000100 \
    --reg ETMIDR=0x411CF300 --reg ETMCCER=0x00C019A2 \
    --reg ETMTRACEIDR=0x00000011 \
    -o cortex-a9 <"$scratch/cortex-a9.log"
ls -l cortex-m3 cortex-a9
