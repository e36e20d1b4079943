#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The backtraces of GDB at a thousand places are the stacks of `etm calls`.
# Speaks TAP. Usage: backtraces.sh ETM DEMO PROGRAMS EMULATOR
set -u

. "$(dirname "$0")/../support/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
demo=$2 programs=$3 emulator=$4
cd "$scratch" || exit 99
gdb=$(command -v gdb-multiarch) || gdb=

check() { # NAME CAPTURE PROGRAM
    if [ -z "$gdb" ]; then
        n=$((n + 1))
        echo "ok $n - $1 # SKIP gdb-multiarch is not installed"
        return
    fi
    "$gdb" -nx -nh -batch -ex "python ARGS = ['$etm', '$2', '200', '$n']" \
        -x "$here/backtraces.py" "$3" >all 2>err
    grep -e '^#' -e '^[0-9]* wrong' all >out
    grep -q '^0 wrong, few cut, 4 or more deep, enough compared$' out
    verdict $? "$1"
}

record() { # NAME CORE
    if [ "$emulator" != true ]; then
        n=$((n + 1))
        echo "ok $n - $1 # SKIP built without the emulator"
        return
    fi
    "$etm" record "$programs/$1.elf" --core "$2" -o "$1" >out 2>err
    check "$1" "$1" "$programs/$1.elf"
}

check demo "$demo/cortex-m3" "$demo/cortex-m3/sensor.elf"
record recurse-a9 cortex-a9
record recurse-m3 cortex-m3
record unwind-arm926 arm926ej-s
record tasks-m3 cortex-m3
echo "1..$n"
