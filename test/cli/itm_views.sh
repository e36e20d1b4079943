#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the views show of an ITM and a DWT (E-626), and sigrok's decoder beside
# ours. Speaks TAP. Usage: itm_views.sh ETM DEMO
set -u

. "$(dirname "$0")/cli.sh"

# Twenty times: "Hi", a sample, SysTick with irq0 on top of it, sleep, counters.
printf '\0\0\0\0\0\200' >itm
i=0
while [ $i -lt 20 ]; do
    printf '\001H\001i\001\n\300\012\027\020\002\0\010\300\005' >>itm
    printf '\016\017\020\300\007\016\020\020\300\003\016\020\040\300\004' >>itm
    printf '\016\017\060\300\001\016\017\040\300\006\016\0\060\300\002' >>itm
    printf '\025\0\005\041' >>itm
    i=$((i + 1))
done

works samples_are_a_profile '^  50.00%        20  0x08000210$' profile itm --protocol itm
works and_so_is_sleep '^  50.00%        20  \[sleeping\]$' profile itm --protocol itm
run profile itm --protocol itm --format jsonl
cat >expected <<'END'
{"k":"function","src":0,"name":"0x08000210","addr":"0x08000210","samples":20}
{"k":"total","src":0,"samples":20,"sleeping":20,"prohibited":0}
END
equal out expected
verdict $? samples_in_json_lines
works folded_samples '^0x08000210 20$' profile itm --protocol itm --format folded

run timeline itm --protocol itm --format chrome
cat >expected <<'END'
{"ph":"i","pid":1,"tid":1,"ts":0.010,"name":"0: Hi","s":"t"},
{"ph":"i","pid":1,"tid":4,"ts":0.015,"name":"0x08000210","s":"t"},
{"ph":"B","pid":1,"tid":2,"ts":0.022,"name":"[sys_tick]"},
{"ph":"B","pid":1,"tid":2,"ts":0.025,"name":"[irq0]"},
{"ph":"E","pid":1,"tid":2,"ts":0.029},
{"ph":"E","pid":1,"tid":2,"ts":0.036},
{"ph":"i","pid":1,"tid":4,"ts":0.048,"name":"sleeping","s":"t"},
{"ph":"i","pid":1,"tid":5,"ts":0.048,"name":"cpi","s":"t"},
{"ph":"i","pid":1,"tid":5,"ts":0.048,"name":"cyc","s":"t"},
END
sed -n 8,16p out >some && equal some expected
verdict $? the_time_line_has_lines_samples_and_exceptions

# Without timestamps packets are counted, and exceptions are where theirs are; so
# they are with global timestamps alone.
printf '\0\0\0\0\0\200' >counted
i=0
while [ $i -lt 90 ]; do
    printf '\001\n\016\017\020\001\200\016\017\040\016\0\060' >>counted
    i=$((i + 1))
done
run timeline counted --protocol itm --format chrome
awk -F '[:,]' '/"ph":"[BE]","pid":1,"tid":2/ { n++
        want = 5 * int((n - 1) / 2) + (n % 2 ? 2 : 4)
        if (($2 == "\"B\"") != n % 2 || int(1000 * $8 + 0.5) != want) bad = 1 }
    /"tid":1,"ts"/ { marks++
        if (int(1000 * $8 + 0.5) != 5 * (marks - 1) + 3) bad = 1 }
    END { exit bad || n != 180 || marks != 90 }' out
verdict $? without_timestamps_packets_are_counted
{ cat counted; printf '\224\350\207\200\0\264\201\200\200\0'
  cat counted; printf '\224\350\217\200\0\264\201\200\200\0'; } >global
run timeline global --protocol itm --format chrome
awk -F '[:,]' '/"ph":"[BE]","pid":1,"tid":2/ { n++
        if (($2 == "\"B\"") != n % 2 || $8 < last) bad = 1
        last = $8 }
    END { exit bad || n != 360 }' out
verdict $? exceptions_are_in_order_with_global_timestamps_alone

# A comparator matches: bits 15:0 of the address, the value, and the time.
printf '\0\0\0\0\0\200\116\020\040\217\104\063\042\021\300\015' >match
run timeline match --protocol itm --watch 0x20002010 --format chrome
grep -q '"ts":0.013,"name":"0x20002010","args":{"value":287454020}}' out && [ ! -s err ]
verdict $? a_watched_address_of_a_dwt_is_a_counter

says() { # NAME ARGUMENT...: that there is nothing to show
    name=$1
    shift
    run "$@"
    grep -q 'an ITM traces no instructions' err
    verdict $? "$name"
}
says lines_are_not_sampled profile itm --protocol itm --by line
says nor_call_graphs profile itm --protocol itm --format pprof -o pprof
# Decoding can begin with each synchronization; a global timestamp is its time,
# of which the low bits come alone then, until they have wrapped.
: >stamped
for i in 1 2 3 4 5 6 7; do
    printf '\0\0\0\0\0\200\001H\001i' >>stamped
    [ $i -ne 2 ] || printf '\224\200\200\200\001\264\201\200\200\0' >>stamped
    [ $i -lt 3 ] || printf "\\224\\00$i" >>stamped
    [ $i -ne 6 ] || printf '\224\201\200\200\100\264\202\200\200\0' >>stamped
done
run index stamped --protocol itm --format jsonl
sed -n 's/.*"off":\([0-9]*\),"pos":\([0-9]*\),.*"addr":null,.*"time":\(.*\),"cycles".*/\1 \2 \3/p' out >got
cat >expected <<'END'
0 0 null
10 10 null
30 30 "69206016"
42 42 "69206019"
54 54 "69206020"
66 66 "69206021"
88 88 "134217729"
END
[ "$status" -eq 0 ] && [ ! -s err ] && diff got expected >diffs
verdict $? an_index_has_the_synchronizations
mv out index
"$etm" decode stamped --protocol itm --format jsonl >whole 2>err
for from in 54 66 ts:69206020 'ts:69206020 --index index'; do
    # shellcheck disable=SC2086
    "$etm" decode stamped --protocol itm --format jsonl --from $from >part 2>err
    # the low bits of a timestamp alone are none
    grep -v timestamp part >got
    grep -v timestamp whole | tail -n "$(wc -l <got)" | cmp -s - got &&
        [ "$(wc -l <got)" -gt 3 ] && [ "$(wc -l <got)" -lt 10 ]
    verdict $? "decoding_begins_there: $from"
done
for jobs in 1 4; do
    "$etm" decode itm --protocol itm --jobs $jobs >jobs$jobs 2>err
done
equal jobs1 jobs4
verdict $? threads_change_nothing

# sigrok's decoder agrees, packet by packet.
captures=${ETM_SHARED:-}/captures
compare=$(dirname "$0")/sigrok_itm.py
# Bytes to a value change dump, 10 ns a bit; and after a pause, in which arm_itm
# shows the characters that it has, an overflow.
uart() {
    echo '$timescale 1 ns $end $var wire 1 ! SWO $end $enddefinitions $end'
    od -An -v -tu1 | tr -s ' ' '\n' | awk '
        function drive(value) {
            if (value != level) printf "#%d %d!\n", t, value
            level = value; t += 10
        }
        BEGIN { print "#0 1!"; level = 1; t = 100 }
        function send(byte) { drive(0)
            for (i = 0; i < 8; i++) drive(int(byte / 2 ^ i) % 2)
            drive(1) }
        NF { send($1) }
        END { t += 5000; send(112); t += 1000; drive(0) }'
}
agrees() { # NAME LEAST STREAM PACKETS: so many lines at least
    uart <"$3" >swo.vcd
    sigrok-cli -i swo.vcd -P uart:rx=SWO:baudrate=100000000,arm_itm -A arm_itm \
        >annotations 2>err && [ ! -s err ] &&
        [ "$(tail -n 1 annotations)" = 'arm_itm-1: Overflow' ] &&
        sed '$d' annotations >told && python3 "$compare" sigrok told >theirs &&
        python3 "$compare" etm "$4" >out &&
        [ "$(wc -l <theirs)" -ge "$2" ] && equal theirs out
    verdict $? "$1"
    diff theirs out | head -5 | sed 's/^/# /'
}
for capture in stm32f105/trace.tpiu itm/itm_testdata.bin; do
    if [ -f "$captures/$capture" ] && command -v sigrok-cli >/dev/null &&
        command -v python3 >/dev/null; then
        continue
    fi
    n=$((n + 1))
    echo "ok $n - sigrok_agrees: $capture # SKIP no sigrok-cli, or no capture"
    capture=
    break
done
if [ -n "$capture" ]; then
    "$etm" split "$captures/stm32f105/trace.tpiu" --framing tpiu -o streams >out 2>err
    "$etm" packets streams/0x01.bin --protocol itm --format jsonl >packets 2>err
    agrees sigrok_agrees 520 streams/0x01.bin packets
    # arm_itm knows no global timestamps and extensions, whose bytes it takes
    # for packets, and ends with an error at a sample of a processor that
    # sleeps: these packets are cut out
    "$etm" packets "$captures/itm/itm_testdata.bin" --protocol itm \
        --format jsonl >packets 2>err
    [ "$(python3 "$compare" known packets known.bin)" -ge 60 ]
    verdict $? most_packets_are_known_to_both
    agrees sigrok_agrees_where_it_does_not_fail 50 known.bin packets
    # of those that it does not fail at, up to the first one that it does
    "$etm" packets "$captures/itm/itm_testdata.bin" --protocol itm \
        --format jsonl 2>err | sed '/"state":"sleeping"/,$d' >packets
    python3 "$compare" known packets known.bin >out
    agrees and_up_to_there 15 known.bin packets
fi

echo "1..$n"
