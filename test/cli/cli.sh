# SPDX-License-Identifier: Apache-2.0
# What the tests of the command from outside share. They read it with the
# command as $1, demo/ as $2 and, where programs are run, true or false as $3:
# can it? Afterwards they are in a directory of their own.

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
emulator=${3:-false}
cd "$scratch" || exit 99
unset NO_COLOR
TERM=xterm ETM_PAGER=cat
export TERM ETM_PAGER

m3=$demo/cortex-m3
raw=$m3/cstrace.bin
elf=$m3/sensor.elf

run() { # ARGUMENT...: leaves out, err and status
    "$etm" "$@" >out 2>err
    status=$?
}

works() { # NAME TEXT ARGUMENT...: TEXT is a pattern that a line has
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 0 ] && grep -q -e "$text" out
    verdict $? "$name"
}

tells() { # NAME TEXT ARGUMENT...: works, with one line of that on standard error
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$text" err
    verdict $? "$name"
}

emulated() { # NAME: can programs be run? Else it is passed over
    [ "$emulator" = true ] && return
    n=$((n + 1))
    echo "ok $n - $1 # SKIP no emulator"
    return 1
}

copy() { # a snapshot that may be changed
    rm -rf snapshot
    cp -r "$m3" snapshot
    chmod -R u+w snapshot
}
