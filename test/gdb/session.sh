#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session of GDB, as it is on Debian: what it prints. Speaks TAP.
#
#     session.sh ETM SCRIPT EXPECTED PROGRAM [OPTIONS]
#
# The capture is the folder of the program, or, with options of `etm record`,
# what that makes. With REBASE=1 EXPECTED is written again; read the diff!
set -u

etm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
script=$2 expected=$3 program=$4
shift 4
name="a session of gdb-multiarch is as in $(basename "$expected")"

skip() {
  echo "ok 1 - $name # SKIP $1"
  exit 0
}

echo 1..1
gdb=$(command -v gdb-multiarch) || skip "gdb-multiarch is not installed"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out capture=$(dirname "$program")
if [ $# -ne 0 ]; then
  capture=$scratch/recorded
  "$etm" record "$program" "$@" -o "$capture" >/dev/null 2>&1
fi
{
  echo "set pagination off"
  echo "set confirm off"
  echo "set width 0"
  echo "set remotetimeout 60"
  echo "directory $(dirname "$program")"
  echo "target remote | $etm gdb $capture"
  cat "$script"
} >"$scratch/script"
# Versions of GDB differ in what they say of threads and of breakpoints.
"$gdb" -nx -nh -batch -x "$scratch/script" "$program" 2>&1 |
  grep -v -e 'New Thread' -e 'automatically using hardware' -e '^warning' \
    >"$out"
if [ "${REBASE:-0}" = 1 ]; then
  cp "$out" "$expected"
  exit 0
fi
if diff "$expected" "$out" >"$scratch/diff"; then
  echo "ok 1 - $name"
else
  sed 's/^/# /' "$scratch/diff"
  echo "not ok 1 - $name"
fi
