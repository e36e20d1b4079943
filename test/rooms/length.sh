#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No file of the library, the command and the public headers has more than 600
# lines. Usage: length.sh ROOT
set -u

failed=0
n=0
for file in "$1"/include/etm/*.h "$1"/src/*/*.[ch] "$1"/src/*/*.inc; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 600 ]; then
    echo "${file#"$1"/}: $((lines)) lines"
    failed=1
  fi
  n=$((n + 1))
done
[ "$n" -gt 100 ] || { echo "only $n files found"; exit 1; }
exit $failed
