#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session of GDB, as it is on Debian, with the capture of a demo: what it
# prints. Speaks TAP.
#
#     session.sh ETM DEMO SCRIPT EXPECTED          compare
#     session.sh ETM DEMO SCRIPT EXPECTED rebase   write it again; read the diff!
set -u

etm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
demo=$2 script=$3 expected=$4 mode=${5:-compare}
name="a session of gdb-multiarch is as in $(basename "$expected")"

echo 1..1
gdb=$(command -v gdb-multiarch) || {
  echo "ok 1 - $name # SKIP gdb-multiarch is not installed"
  exit 0
}
out=$(mktemp) || exit 99
trap 'rm -f "$out" "$out.gdb"' EXIT
{
  echo "set pagination off"
  echo "set confirm off"
  echo "set width 0"
  echo "set remotetimeout 60"
  echo "target remote | $etm gdb $demo/cortex-m3"
  cat "$script"
} >"$out.gdb"
# Sources are not where the program was built; sessions differ by versions of
# GDB in what it says of them.
"$gdb" -nx -nh -batch -x "$out.gdb" "$demo/cortex-m3/sensor.elf" 2>&1 |
  grep -v -e 'No such file' -e '^[0-9]*	in ' -e 'New Thread' \
    -e 'automatically using hardware' -e '^warning' >"$out"
if [ "$mode" = rebase ]; then
  cp "$out" "$expected"
  exit 0
fi
if diff "$expected" "$out" | sed 's/^/# /' >"$out.gdb"; [ ! -s "$out.gdb" ]; then
  echo "ok 1 - $name"
else
  cat "$out.gdb"
  echo "not ok 1 - $name"
fi
