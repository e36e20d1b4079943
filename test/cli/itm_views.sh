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
stm32=${ETM_SHARED:-}/captures/stm32f105/trace.tpiu
sigrok() { # what is told in one packet
    sed -n -e 's/^arm_itm-1: PC: /pc /p' -e 's/^arm_itm-1: Overflow$/overflow/p' \
        -e 's/^arm_itm-1: Enter: IRQ /enter /p' -e 's/^arm_itm-1: Resume: .*/return/p' \
        -e 's/^arm_itm-1: Watchpoint \(.\): Write data /value \1 /p' \
        -e 's/^arm_itm-1: Watchpoint \(.\): PC /data_pc \1 /p' \
        -e 's/^arm_itm-1: Watchpoint \(.\): address 0x????/address \1 0x/p'
}
ours() {
    sed -n -e 's/.*"packet":"pc_sample".*"address":"\([^"]*\)".*/pc \1/p' \
        -e 's/.*"packet":"overflow".*/overflow/p' \
        -e 's/.*"packet":"exception_trace".*"exception":\([0-9]*\),"fn":"enter".*/enter \1/p' \
        -e 's/.*"packet":"exception_trace".*"fn":"return".*/return/p' \
        -e 's/.*"packet":"data_trace_value".*"comparator":\(.\),"write":true,"value":"\([^"]*\)".*/value \1 \2/p' \
        -e 's/.*"packet":"data_trace_pc".*"comparator":\(.\),"address":"\([^"]*\)".*/data_pc \1 \2/p' \
        -e 's/.*"packet":"data_trace_address".*"comparator":\(.\),"address":"\([^"]*\)".*/address \1 \2/p' |
        awk '$1 == "enter" { $2 -= 16 } { print }'
}
uart() { # bytes to a value change dump, 10 ns a bit
    echo '$timescale 1 ns $end $var wire 1 ! SWO $end $enddefinitions $end'
    od -An -v -tu1 | tr -s ' ' '\n' | awk '
        function drive(value) {
            if (value != level) printf "#%d %d!\n", t, value
            level = value; t += 10
        }
        BEGIN { print "#0 1!"; level = 1; t = 100 }
        NF { drive(0)
            for (i = 0; i < 8; i++) drive(int($1 / 2 ^ i) % 2)
            drive(1) }
        END { t += 1000; drive(0) }'
}
if [ -f "$stm32" ] && command -v sigrok-cli >/dev/null; then
    "$etm" split "$stm32" --framing tpiu -o streams >out 2>err
    uart <streams/0x01.bin >swo.vcd
    sigrok-cli -i swo.vcd -P uart:rx=SWO:baudrate=100000000,arm_itm -A arm_itm 2>err |
        sigrok >theirs
    "$etm" packets streams/0x01.bin --protocol itm --format jsonl 2>err | ours >out
    [ "$(wc -l <theirs)" -gt 400 ] && equal theirs out
    verdict $? sigrok_agrees
    diff theirs out | head -5 | sed 's/^/# /'
else
    n=$((n + 1))
    echo "ok $n - sigrok_agrees # SKIP no sigrok-cli, or no capture"
fi

echo "1..$n"
