#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each scenario of test/flow is run: a folder that its meson.build does not
# name shows nothing.
# Usage: scenarios.sh ROOT
set -u

cd "$1/test/flow" || exit 1
failed=0

for folder in */; do
  folder=${folder%/}
  grep -q "'$folder'" meson.build || {
    echo "$folder is not in test/flow/meson.build"
    failed=1
  }
done
n=$(cat */*.scn | grep -c '^== ')
[ "$n" -gt 300 ] || { echo "only $n scenarios found"; exit 1; }
exit $failed
