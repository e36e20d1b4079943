#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is counted, and where parts begin, to the last digit. Speaks TAP.
# Usage: exact.sh ETM DEMO HAVE_UNICORN DATA
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd) have_unicorn=$3 data=$(cd "$4" && pwd)
cd "$scratch" || exit 99

# Shares of 10,000 bytes, of which each 8 are a packet, rounded down.
i=0
while [ $i -lt 1250 ]; do
    printf '\0\200\0\0\004\200\0\0'
    i=$((i + 1))
done >packets
for row in 0.08:8 0.079:0 12.99:1296 12.96:1296 12.9599:1288 12.95:1288 \
    09.6:960 99.99:9992 99.92:9992 99.9199:9984; do
    "$etm" decode packets --framing mtb --from "${row%:*}%" --format jsonl \
        >out 2>err
    [ "$(head -n 1 out)" = '{"k":"trace_on","src":0,"off":'"${row#*:}"',"reason":"start"}' ]
    verdict $? "a_share_has_digits: ${row%:*}"
done

# A dump of pins is read as it comes, too.
"$etm" packets "$data/etmv1_port" --format vcd >pins.vcd 2>err
pins="--framing port --protocol etmv1 --format jsonl"
"$etm" packets pins.vcd $pins >file 2>err &&
    cat pins.vcd | "$etm" packets - $pins >piped 2>err && equal file piped
verdict $? a_dump_is_read_through_a_pipe

# Frames are bad in the middle. From each point of the index on the ranges are
# those of the whole, but for the first one, in which it may be.
cp -r "$demo/cortex-m3" gap
head -c 16 /dev/zero | tr '\0' '\377' |
    dd of=gap/cstrace.bin bs=1 seek=4096 conv=notrunc 2>err
"$etm" decode gap --format jsonl >whole 2>err
grep '"k":"range"' whole >ranges
points=0 wrong=0
for place in $("$etm" index gap --format jsonl | sed 's/.*"pos":\([0-9]*\).*/\1/'); do
    "$etm" decode gap --from "$place" --format jsonl 2>err |
        grep '"k":"range"' | tail -n +2 >part
    tail -n "$(wc -l <part)" ranges >expected
    equal part expected || wrong=$((wrong + 1))
    points=$((points + 1))
done
grep -q '"reason":"bad_frame"' whole && [ $points -gt 25 ] && [ $wrong -eq 0 ]
verdict $? points_lead_over_a_gap

if [ "$have_unicorn" != true ]; then
    echo "1..$n"
    exit 0
fi

# Two sources in the frames of one file, of which the second one executes more: each
# has counts of its own.
sensor=$demo/cortex-m3/sensor.elf
"$etm" record "$sensor" --core cortex-m3 --trace-id 2 --limit 3000 -o id2 \
    >out 2>err
"$etm" record "$sensor" --core cortex-m3 --trace-id 3 --limit 9000 -o id3 \
    >out 2>err
cat id2/cstrace.bin id3/cstrace.bin >both
options="--framing coresight --core cortex-m3 --image $sensor --format jsonl"
for command in coverage "decode --stats"; do
    for id in 2 3; do
        "$etm" $command id$id/cstrace.bin $options >id$id.lines 2>err
    done
    "$etm" $command both $options >out 2>err
    "$etm" merge id2.lines id3.lines >expected 2>err &&
        grep -q '"src":2,' expected && grep -q '"src":3,' expected &&
        ! cmp -s id2.lines id3.lines && equal out expected
    verdict $? "each_of_two_sources_has_its_counts: $command"
done

# What is simulated is what a recording has.
sensor=$demo/cortex-a9/sensor.elf
"$etm" configure --core cortex-a9 -o setup 2>err
"$etm" record "$sensor" --setup setup --framing none -o recorded >out 2>err
bytes=$(wc -c <recorded/cstrace.bin)
"$etm" explain setup --core cortex-a9 --simulate "$sensor" --format jsonl \
    >out 2>err
grep -q '"k":"simulation".*"bytes":'"$bytes"',' out
verdict $? as_many_bytes_are_simulated_as_are_recorded
awk -F '[,:}]' '/"k":"simulation"/ { for (i = 1; i < NF; i++) {
                    if ($i == "\"executed\"") e = $(i + 1)
                    if ($i == "\"traced\"") t = $(i + 1) } }
                /"k":"function"/ { for (i = 1; i < NF; i++) {
                    if ($i == "\"executed\"") e -= $(i + 1)
                    if ($i == "\"traced\"") { t -= $(i + 1); rows++ } } }
                END { exit rows < 5 || e != 0 || t != 0 }' out
verdict $? functions_add_up_to_what_was_simulated
"$etm" explain setup --core cortex-a9 --simulate "$sensor" >out 2>err
grep -qx '    reset_handler                   120 of        120' out
verdict $? functions_are_in_columns
echo "1..$n"
