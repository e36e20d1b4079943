#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm report: its data, names that are hostile, bounds, and the page in Chromium
# if there is one. Speaks TAP. Usage:
#
#     report.sh ETM DEMO
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
page=$(cd "$(dirname "$0")" && pwd)/report_page.py
cd "$scratch" || exit 99

"$etm" report "$demo/cortex-m3" -o m3.html 2>err && [ ! -s err ] &&
    python3 "$page" data m3.html >out &&
    grep -q '^ETM_0: 22838 instructions, .* 3 exceptions$' out
verdict $? a_report_has_the_data_of_the_capture

"$etm" report "$demo/cortex-a9" -o a9.html && python3 "$page" data a9.html >out
verdict $? a_report_of_pft_with_timestamps

cp -r "$demo/cortex-m3" hostile
sed 's/quick_sort/<\/script>x/g' "$demo/cortex-m3/sensor.elf" >hostile/sensor.elf
"$etm" report hostile -o hostile.html && python3 "$page" data hostile.html >out &&
    grep -q '"name":"\\u003c/script>x"' hostile.html
verdict $? names_do_not_end_the_data

# 2 MB of trace: more slices than a page has
mkdir long
cp "$demo"/cortex-m3/* long
for i in 1 2 3 4 5 6 7 8; do
    cat "$demo/cortex-m3/cstrace.bin" "$demo/cortex-m3/cstrace.bin"
done >sixteen
cat sixteen sixteen sixteen sixteen sixteen sixteen sixteen sixteen >long/cstrace.bin
"$etm" report long -o long.html && python3 "$page" data long.html >out &&
    [ "$(wc -c <long.html)" -lt 5000000 ] &&
    ! grep -q '"resolution":0,' long.html
verdict $? long_captures_give_short_pages

"$etm" report "$demo/cortex-m3" -o watched.html --watch no_such 2>err
[ $? -eq 1 ] && grep -q 'no_such' err
verdict $? variables_that_are_not_there

for kind in m3 a9 long; do
    python3 "$page" browse $kind.html >out 2>&1
    status=$?
    if grep -q '^SKIP' out; then
        n=$((n + 1))
        echo "ok $n - a_browser_shows_it: $kind # SKIP there is no chromium"
    else
        verdict $status "a_browser_shows_it: $kind"
    fi
done
echo "1..$n"
