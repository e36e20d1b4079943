#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm report: its data, names that are hostile, bounds, and the page in Chromium
# if there is one. Speaks TAP. Usage:
#
#     report.sh ETM DEMO COPIES EMULATOR PROGRAMS
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd) copies=$3 emulator=$4 programs=$(cd "$5" && pwd)
page=$(cd "$(dirname "$0")" && pwd)/report_page.py
cd "$scratch" || exit 99

"$etm" report "$demo/cortex-m3" -o m3.html 2>err && [ ! -s err ] &&
    python3 "$page" data m3.html >out &&
    grep -q '^ETM_0: 22838 instructions, .* 3 exceptions$' out
verdict $? a_report_has_the_data_of_the_capture

python3 "$page" contrast m3.html >out 2>err
verdict $? text_can_be_read_in_both_themes

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

# What ran is what etm coverage says, of each file and of all.
same_coverage() { # NAME ARGUMENT...
    name=$1
    shift
    "$etm" report "$@" -o covered.html 2>err &&
        python3 "$page" coverage covered.html >rows 2>err &&
        "$etm" coverage "$@" >text 2>err &&
        sed -n 's/^ *[0-9.]*%\{0,1\} *\([0-9/-]*\)  *[0-9.]*%\{0,1\} *\([0-9/-]*\)  *[0-9.]*%\{0,1\} *\([0-9/-]*\)  *[0-9.]*%\{0,1\} *\([0-9/-]*\)  *\([^ ]*\)$/\1 \2 \3 \4 \5/p' \
            text >expected &&
        grep ' total$' rows >got && grep ' total$' expected | cmp -s - got &&
        grep -v ' total$\|:' expected | sort >some && grep -v ':' rows | sort |
        comm -13 - some >missing && [ ! -s missing ] &&
        sed -n 's/^  \([^ ]*:[0-9]*\)  \([^ ]*\)  \(always\|never\) \(taken\|passed\) in \([0-9]*\) *\(.*\)$/\3 \4 \5 \1 \2 \6/p' \
            text | sort >expected && grep '^always\|^never [tp]a' rows | sort >got &&
        sed -i 's/ *$//' expected got && cmp -s expected got
    verdict $? "$name"
}
same_coverage a_report_covers_what_coverage_does "$demo/cortex-m3"
grep -q '^never ./board.c:148 finish$' rows && grep -q '^never taken 23 ../src/clean.c:14 ' rows
verdict $? what_did_not_run_is_named
same_coverage so_does_one_of_pft "$demo/cortex-a9"
same_coverage also_of_a_part "$demo/cortex-m3" --from 20% --to 60%
if [ "$emulator" = True ] || [ "$emulator" = true ]; then
    "$etm" configure --core cortex-r4 --elf "$programs/variables-r4.elf" \
        --exclude-function on_event -o setup >out 2>err &&
        "$etm" record "$programs/variables-r4.elf" --core cortex-r4 \
            --setup setup -o gaps >out 2>err
    same_coverage also_with_gaps gaps
    times=$("$etm" coverage gaps 2>err | sed -n 's/^tracing was off \([0-9]*\) times.*/\1/p')
    [ "${times:-0}" -eq 2 ] && grep -q '^never .* on_event$' rows && grep -q "^gap off $times$" rows
    verdict $? gaps_are_counted_as_by_coverage
    mv covered.html gaps.html
    "$etm" record "$programs/variables-r4.elf" --core cortex-r4 --data both \
        -o variables >out 2>err &&
        "$etm" report variables --watch state,ratio,precise,where,sensor \
            -o variables.html >out 2>err && [ ! -s err ]
    verdict $? variables_have_plots
fi
printf '\0\0\0\0\0\200\010\0\200\0\0\041\211\020\001\204' >trace
same_coverage copies_of_a_function_are_one trace --protocol pft --image "$copies"

"$etm" report "$demo/cortex-m3" -o watched.html --watch no_such 2>err
[ $? -eq 1 ] && grep -q 'no_such' err
verdict $? variables_that_are_not_there

tc2=${ETM_SHARED:-}/captures/tc2
if [ -n "${ETM_SHARED:-}" ] && [ -d "$tc2" ]; then
    "$etm" report "$tc2" -o tc2.html 2>err && python3 "$page" data tc2.html >out
    verdict $? a_report_of_four_processors
fi
for kind in m3 a9 long gaps variables tc2; do
    [ -f $kind.html ] || continue
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
