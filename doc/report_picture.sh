#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the picture of a report that README.md shows, with Debian's chromium.
#
#     sh doc/report_picture.sh ETM       (writes doc/report.png)
set -eu

etm=$1
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$etm" report demo/cortex-m3 -o "$scratch/report.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --user-data-dir="$scratch/profile" --window-size=1200,1330 \
    --screenshot="$scratch/report.png" "file://$scratch/report.html" 2>/dev/null
cp "$scratch/report.png" doc/report.png
