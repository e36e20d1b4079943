#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of speeds: captures of chips if they are there, made streams, and
# recorded programs if they can be had, which are kept in DIRECTORY.
#
#     bench/table.sh ETM COMPARE DIRECTORY
#
# BENCH_MB: so much of each stream is decoded, 10 if nothing is said.
set -eu
here=$(dirname "$0")
etm=$1 compare=$2 mb=${BENCH_MB:-10}
recorded=$3/$mb
mkdir -p "$recorded"

missing=
for tool in arm-none-eabi-gcc python3; do
    command -v $tool >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    echo "recorded programs are left out; there is no$missing"
else
    echo "recording programs, $mb MB of each kind of trace"
    "$here/record.sh" "$etm" "$recorded" "$mb" >"$recorded/log" 2>&1 || {
        echo "some recorded programs are left out:"
        grep -v -e 'limit of instructions' -e 'bytes of trace' "$recorded/log"
    }
fi
# one that does not exist is the pattern itself
set -- "$recorded"/*-*
[ -e "$1" ] || set --
exec "$compare" --all --mb "$mb" "$@"
