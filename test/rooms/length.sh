#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No C file has more than 800 lines: library, command, public headers, tests and
# what else is in the project. Usage: length.sh ROOT
set -u

cd "$1" || exit 1
list=$(find include src test bench demo examples fuzz \
  -name '*.[ch]' -o -name '*.inc')
failed=0
n=0
for file in $list; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 800 ]; then
    echo "$file: $((lines)) lines"
    failed=1
  fi
  n=$((n + 1))
done
[ "$n" -gt 500 ] || { echo "only $n files found"; exit 1; }
exit $failed
