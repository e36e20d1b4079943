#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Print "N passed, N failed" from Meson's JUnit file; fail if any did, or if
# no test ran.
set -u
[ -r "$1" ] || { echo "0 passed, 1 failed"; exit 1; }
awk '
  /<testsuite / {
    n = split($0, words, " ")
    for (i = 1; i <= n; i++) {
      split(words[i], kv, "\"")
      if (words[i] ~ /^tests=/) tests += kv[2]
      if (words[i] ~ /^failures=/) bad += kv[2]
      if (words[i] ~ /^errors=/) bad += kv[2]
      if (words[i] ~ /^skipped=/) skipped += kv[2]
    }
  }
  END {
    printf "%d passed, %d failed", tests - bad - skipped, bad
    if (skipped) printf ", %d skipped", skipped
    printf "\n"
    exit bad != 0 || tests == 0
  }' "$1"
