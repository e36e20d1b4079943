# SPDX-License-Identifier: Apache-2.0
# What the tests of the command share, which speak TAP. They read it with the
# command as $1: afterwards it is $etm, and they are in a directory of their
# own once they have gone to $scratch.

etm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
n=0

verdict() { # STATUS NAME
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        for file in out err; do
            [ ! -f $file ] || sed "s/^/# $file: /" $file | head -10
        done
        echo "not ok $n - $2"
    fi
}

# Two files, of which one may be - (standard input), have the same bytes, and
# not none: whoever wrote nothing twice has shown nothing.
equal() { # FILE FILE
    { [ "$1" = - ] || [ -s "$1" ]; } && { [ "$2" = - ] || [ -s "$2" ]; } &&
        cmp -s "$1" "$2"
}
