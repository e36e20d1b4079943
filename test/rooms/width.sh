#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No line of the library, the command and the public headers has more than 80
# columns, as .clang-format has it. Usage: width.sh ROOT
set -u

failed=0
n=0
for file in $(find "$1/include/etm" "$1/src" -name '*.[ch]' -o -name '*.inc'); do
  # a character of UTF-8 is as wide as its first byte
  LC_ALL=C tr -d '\200-\277' <"$file" |
    LC_ALL=C awk -v name="${file#"$1"/}" '
      length > 80 { print name ":" NR ": " length " columns"; bad = 1 }
      END { exit bad }' || failed=1
  n=$((n + 1))
done
[ "$n" -gt 100 ] || { echo "only $n files found"; exit 1; }
exit $failed
