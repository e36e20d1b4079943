#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the programs of this folder again. Needs gcc-arm-none-eabi and
# libnewlib-arm-none-eabi; with Debian 12's the result is the same, byte for
# byte, each time.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gcc=arm-none-eabi-gcc
common="-std=c11 -O1 -g0 -ffreestanding -fno-common -fomit-frame-pointer
  -fno-tree-loop-distribute-patterns -Wall -Wextra -Werror
  -ffile-prefix-map=$PWD=."

debug= # keep debug information
# link OUT FLAGS OBJECT...
link() {
    out=$1
    shift
    # shellcheck disable=SC2086
    $gcc "$@" -nostdlib -Wl,--build-id=none -Wl,-z,max-page-size=16 \
        -Wl,--no-warn-rwx-segments -T program.ld -o "$out.elf" -lgcc
    [ -n "$debug" ] || arm-none-eabi-strip -g "$out.elf"
    chmod 644 "$out.elf"
}

# object NAME SOURCE FLAGS...
object() {
    name=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    $gcc $common -frandom-seed="$source" "$@" -c "$source" \
        -o "$scratch/$name.o"
}

# a_profile CORE FLAGS...: the programs of the A and R profiles
a_profile() {
    core=$1
    shift
    object start start.S "$@" -marm
    object main recurse.c "$@" -mthumb -mthumb-interwork
    object arm recurse_arm.c "$@" -marm -mthumb-interwork
    link "recurse-$core" "$@" "$scratch/start.o" "$scratch/main.o" \
        "$scratch/arm.o"
    object main moves.c "$@" -marm
    link "moves-$core" "$@" "$scratch/start.o" "$scratch/main.o"
    object main nested.c "$@" -marm -mthumb-interwork
    object handlers handlers.S "$@" -marm
    link "nested-$core" "$@" "$scratch/start.o" "$scratch/main.o" \
        "$scratch/handlers.o"
    object main unwind.c "$@" -marm -foptimize-sibling-calls
    link "unwind-$core" "$@" "$scratch/start.o" "$scratch/main.o"
}

a_profile arm7tdmi -mcpu=arm7tdmi
a_profile arm926 -mcpu=arm926ej-s -mfloat-abi=soft
a_profile r4 -mcpu=cortex-r4 -mfloat-abi=soft
a_profile a9 -mcpu=cortex-a9 -mfloat-abi=soft

# with_data CORE FLAGS...: programs of processors whose data can be traced
with_data() {
    core=$1
    shift
    object start start.S "$@" -marm
    object main variables.c "$@" -marm -g
    debug=yes
    link "variables-$core" "$@" "$scratch/start.o" "$scratch/main.o"
    debug=
}

with_data arm7tdmi -mcpu=arm7tdmi
with_data arm926 -mcpu=arm926ej-s -mfloat-abi=soft
with_data r4 -mcpu=cortex-r4 -mfloat-abi=soft

a9="-mcpu=cortex-a9 -mfloat-abi=soft"
# shellcheck disable=SC2086
{
    object start start.S $a9 -marm
    object main tasks_a.c $a9 -marm
    object irq tasks_irq.S $a9 -marm
    link tasks-a9 $a9 "$scratch/start.o" "$scratch/main.o" "$scratch/irq.o"
    object main inlined.c $a9 -marm -g
    debug=yes
    link inlined-a9 $a9 "$scratch/start.o" "$scratch/main.o"
    debug=
}

vfp="-mcpu=cortex-a9 -mfpu=neon -mfloat-abi=hard"
# shellcheck disable=SC2086
{
    object start start.S $vfp -marm
    object main floats.c $vfp -marm
    link floats-a9 $vfp "$scratch/start.o" "$scratch/main.o"
}

m3="-mcpu=cortex-m3 -mthumb"
# shellcheck disable=SC2086
{
    object start start_m.c $m3
    object main recurse.c $m3
    object arm recurse_arm.c $m3
    link recurse-m3 $m3 "$scratch/start.o" "$scratch/main.o" "$scratch/arm.o"
    object main moves.c $m3
    link moves-m3 $m3 "$scratch/start.o" "$scratch/main.o"
    object main nested_m.c $m3
    link nested-m3 $m3 "$scratch/start.o" "$scratch/main.o"
    object main unwind.c $m3 -foptimize-sibling-calls
    link unwind-m3 $m3 "$scratch/start.o" "$scratch/main.o"
    object main tasks_m.c $m3
    link tasks-m3 $m3 "$scratch/start.o" "$scratch/main.o"
    object main inlined.c $m3 -g
    debug=yes
    link inlined-m3 $m3 "$scratch/start.o" "$scratch/main.o"
    debug=
}

for core in a9 m3 arm7tdmi; do
    case $core in
    a9) flags="-mcpu=cortex-a9 -mfloat-abi=soft" ;;
    m3) flags=$m3 ;;
    *) flags="-mcpu=arm7tdmi" ;;
    esac
    # shellcheck disable=SC2086
    $gcc -std=c11 -Os -g0 $flags --specs=rdimon.specs --specs=nano.specs \
        -ffile-prefix-map="$PWD=." -Wl,--build-id=none -Wl,--gc-sections \
        -Wl,--no-warn-rwx-segments hello.c -o "hello-$core.elf"
    arm-none-eabi-strip "hello-$core.elf"
    chmod 644 "hello-$core.elf"
done
ls -l ./*.elf
