#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each scenario of test/flow is run: one that its meson.build does not name
# shows nothing.
# Usage: scenarios.sh ROOT
set -u

cd "$1/test/flow" || exit 1
failed=0 n=0

for scenario in */*.scn; do
  n=$((n + 1))
  grep -q "'$scenario'" meson.build || {
    echo "$scenario is not in test/flow/meson.build"
    failed=1
  }
done
[ "$n" -gt 100 ] || { echo "only $n scenarios found"; exit 1; }
exit $failed
