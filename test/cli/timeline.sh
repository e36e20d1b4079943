#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm timeline in all of its forms: gaps, variables, short slices. Speaks TAP.
# Usage:
#
#     timeline.sh ETM DEMO EMULATOR PROGRAMS SCHEMA
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd) emulator=$3
programs=$(cd "$4" && pwd) schema=$(cd "$5" && pwd)
counters=$schema/counters.py
cd "$scratch" || exit 99

skip() { # NAME WHY
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

# "PHASE TRACK TIME NAME" of each event of Chrome's format, in the order of the
# file, with the names of tracks.
events() { # FILE
    python3 - "$1" <<'END'
import json, sys
tracks = {}
for e in json.load(open(sys.argv[1]))['traceEvents']:
    where = e['pid'], e['tid']
    if e['ph'] == 'M':
        tracks[where] = e['args']['name']
        continue
    print(e['ph'], tracks[where].replace(' ', '_'), round(float(e['ts']) * 1000),
          e.get('name', '-').replace(' ', '_'),
          *[str(v).replace(' ', '_') for v in e.get('args', {'-': '-'}).values()])
END
}

# Slices of a track as "BEGIN END NAME".
slices() { # FILE TRACK
    awk -v track="$2" '$2 != track { next }
        $1 == "B" { begin[++n] = $3; name[n] = $4 }
        $1 == "E" { print begin[n], $3, name[n]; n-- }' "$1"
}

# What is drawn of a capture is the same in each form.
draws() { # NAME ARGUMENT...
    name=$1
    shift
    "$etm" timeline "$@" --format chrome -o chrome >out 2>err &&
        events chrome >all 2>err && [ -s all ]
    verdict $? "${name}_is_json" || return
    if command -v protoc >/dev/null; then
        "$etm" timeline "$@" -o perfetto >out 2>err &&
            protoc --decode=perfetto.protos.Trace -I "$schema" \
                "$schema/track_event.proto" <perfetto >packets 2>err &&
            ! grep -q '^ *[0-9][0-9]*[:{ ]' packets &&
            [ "$(grep -c TYPE_SLICE_BEGIN packets)" -eq "$(grep -c '^B' all)" ] &&
            [ "$(grep -c TYPE_SLICE_END packets)" -eq "$(grep -c '^E' all)" ] &&
            [ "$(grep -c TYPE_INSTANT packets)" -eq "$(grep -c '^i' all)" ] &&
            [ "$(grep -c TYPE_COUNTER packets)" -eq "$(grep -c '^C' all)" ]
        verdict $? "${name}_is_the_same_for_perfetto"
    else
        skip "${name}_is_the_same_for_perfetto" 'no protoc'
    fi
    rm -rf ctf
    "$etm" timeline "$@" --format ctf -o ctf >out 2>err &&
        [ "$(head -c 9 ctf/metadata)" = '/* CTF 1.' ] && [ ! -s out ]
    verdict $? "${name}_is_a_directory_of_ctf"
    if command -v babeltrace2 >/dev/null; then
        babeltrace2 --clock-cycles ctf >listed 2>err && [ ! -s err ] &&
            [ "$(grep -c ' enter: ' listed)" -eq "$(grep -c '^B' all)" ] &&
            [ "$(grep -c ' leave: ' listed)" -eq "$(grep -c '^E' all)" ] &&
            [ "$(grep -c ' mark: ' listed)" -eq "$(grep -c '^i' all)" ] &&
            [ "$(grep -c ' value: ' listed)" -eq "$(grep -c '^C' all)" ] &&
            sed -n 's/^\[0*\([0-9][0-9]*\)\].* enter: .*name = "\(.*\)" }$/\1 \2/p' listed |
            tr -s ' ' | sed 's/ /_/2g' | sort >one &&
            awk '$1 == "B" { print $3, $4 }' all | sort | equal - one &&
            sed -n 's/.* leave: .*flags = "\(.*\)" }$/\1/p' listed | tr ' ' '_' |
            sort >one && awk '$1 == "E" { print $5 }' all | sort | equal - one
        verdict $? "babeltrace2_reads_${name}"
    else
        skip "babeltrace2_reads_${name}" 'no babeltrace2'
    fi
}

if ! command -v python3 >/dev/null; then
    echo '1..0 # SKIP no python3'
    exit
fi
m3=$demo/cortex-m3
draws the_demo "$m3"
[ -s all ] && awk '$1 ~ /[BE]/ { n[$2] += $1 == "B" ? 1 : -1; if (n[$2] < 0) exit 1 }
    END { for (t in n) if (n[t] != 0) exit 1 }' all
verdict $? slices_are_nested
slices all task_1 | awk '$2 - $1 >= 200' | sort >expected
"$etm" timeline "$m3" --format chrome --minimum-duration 200 -o short >out 2>err
events short >few
slices few task_1 | sort >got
[ -s got ] && equal expected got && [ "$(wc -l <few)" -lt "$(wc -l <all)" ]
verdict $? slices_that_are_too_short_are_left_out
for track in task_2 tasks exceptions; do
    slices few "$track" | awk '$2 - $1 < 200' >>got_short
done
[ -s few ] && [ ! -s got_short ]
verdict $? so_they_are_on_all_tracks
draws a_part_of_the_demo "$demo/cortex-a9" --from 30% --minimum-duration 30

if [ "$emulator" = True ] || [ "$emulator" = true ]; then
    "$etm" record "$programs/tasks-a9.elf" --core cortex-r4 --data both \
        --interrupt irq@500/97 -o r4 >out 2>err
    draws a_variable r4 --watch current
    # "Num: Value Size Type ... Name" becomes "- VALUE NAME"
    readelf -sW "$programs/tasks-a9.elf" | awk '{ print "-", $2, $NF }' >symbols
    "$etm" decode r4 --format jsonl >lines 2>err
    address=$(awk '$NF == "current" { print $2 }' symbols)
    [ "$(grep -c "\"k\":\"data\",.*\"addr\":\"0x$address\",\"value\":\"" lines)" -eq \
        "$(grep -c '^C' all)" ] && [ "$(grep -c '^C' all)" -gt 20 ]
    verdict $? values_are_counters
    awk '$1 == "C" { print $5 }' all | sort -u | tr '\n' ' ' >got
    [ "$(cat got)" = '0 1 2 3 ' ]
    verdict $? a_counter_has_the_values_of_the_variable
    [ -s all ] && awk '$1 == "C" && $2 != "current" { exit 1 }' all
    verdict $? a_counter_has_the_name_of_the_variable
    "$etm" timeline r4 --from 30% --to 60% --watch current --format chrome \
        -o part >out 2>err && events part >some && grep -q '^C' some
    verdict $? a_part_has_its_counters
    # Values of all types, and what they stand for. In one track they are in
    # order; of several, as the tracks are.
    watch=small,large,ratio,precise,flag,state,handler,sensor.offset.x
    "$etm" record "$programs/variables-r4.elf" --core cortex-r4 --data both \
        -o types >out 2>err
    cat >expected <<'END'
flag 1 true
handler 160 on_event
handler 160 on_event
handler 160 on_event
large -5000000000 -
precise -0.1 -
ratio 1.5 -
sensor.offset.x -100 -
small -3 -
state -1 BROKEN
state 5 RUNNING
END
    draws values types --watch "$watch"
    for form in perfetto ctf report chrome; do
        case $form in
        perfetto) command -v protoc >/dev/null || { skip "types_in_$form" 'no protoc'; continue; } ;;
        ctf) command -v babeltrace2 >/dev/null || { skip "types_in_$form" 'no babeltrace2'; continue; } ;;
        report) "$etm" report types --watch "$watch" -o report >out 2>err ;;
        esac
        file=$form
        [ $form != perfetto ] || file=packets
        [ $form != ctf ] || file=listed
        python3 "$counters" $form "$file" >rows 2>err &&
            cut -d' ' -f 2- rows | sort >got && sed 's/ [^ ]*$/ -/' expected >plain &&
            if [ $form = chrome ]; then diff plain got; else diff expected got; fi >out
        verdict $? "types_in_$form"
        sort rows | cut -d' ' -f 1-3 >times.$form
    done
    cmp -s times.report times.chrome
    verdict $? a_report_has_the_times_of_a_time_line
    # one is moved in two transfers: it has no value in between
    "$etm" variables types --watch precise,large >out 2>err &&
        [ "$(grep -c '^ *[0-9]*  write' out)" -eq 4 ] &&
        [ "$(grep -c -e ' large ' -e ' precise ' rows)" -eq 2 ]
    verdict $? halves_of_a_value_are_not_drawn
    "$etm" timeline types --watch 'set_all,word' --format chrome -o chrome 2>err
    [ $? -eq 1 ] && "$etm" timeline types --watch word --format chrome -o chrome 2>err &&
        python3 "$counters" chrome chrome | grep -c 'word.all' | grep -qx 3
    verdict $? fields_have_tracks_of_their_own
    "$etm" timeline types --watch 0x3fff8 --format chrome -o chrome 2>err &&
        python3 "$counters" chrome chrome | grep -q ' 0x0003fff8 0 -$'
    verdict $? an_address_is_a_counter_too
    "$etm" configure --core cortex-a9 --elf "$programs/recurse-a9.elf" \
        --trigger-at sort -o setup >out 2>err &&
        "$etm" record "$programs/recurse-a9.elf" --core cortex-a9 --setup setup \
            -o trigger >out 2>err
    draws a_trigger trigger
    [ "$(awk '$1 == "i" { print $2, $4 }' all)" = 'gaps_and_triggers trigger' ]
    verdict $? a_trigger_is_a_mark
    "$etm" configure --core cortex-r4 --elf "$programs/recurse-r4.elf" \
        --cycle-accurate --trace-function less --trigger-at sort \
        --after-count 3 -o setup >out 2>err &&
        "$etm" record "$programs/recurse-r4.elf" --core cortex-r4 --setup setup \
            -o gaps >out 2>err
    draws a_trigger_beside_gaps gaps
    awk '$2 != "gaps_and_triggers" { next }
        $1 == "i" { at = $3 } $1 == "E" { end = $3 }
        $1 == "B" && end != "" && $3 < end { bad = 1 }
        $1 == "i" && end > at { bad = 1 } END { exit bad || at == "" }' all
    verdict $? gaps_and_triggers_are_in_the_order_of_time
fi

# Trace was off for 7695 cycles, and so on; each gap says why.
tc2=${ETM_SHARED:-}/captures/tc2
if [ -n "${ETM_SHARED:-}" ] && [ -d "$tc2" ]; then
    draws tc2 "$tc2"
    slices all gaps_and_triggers | awk '{ print $3 }' | sort -u >got
    grep -q '^trace_off$' got && grep -q '^no_code$' got
    verdict $? gaps_say_why
    grep -c '"cat":"gap","cname":"grey"' chrome >got
    [ "$(cat got)" -gt 100 ]
    verdict $? gaps_have_a_colour_of_their_own
    [ -s all ] && awk '$3 < 562536000000 || $3 > 562538000000 { exit 1 }' all
    verdict $? all_sources_are_on_one_axis
else
    skip tc2_is_json 'no captures/tc2 below ETM_SHARED'
fi

fails ctf_is_a_directory 2 'no directory is given (-o DIRECTORY)' \
    timeline "$m3" --format ctf
fails a_directory_is_no_stream 2 'no directory is given (-o DIRECTORY)' \
    timeline "$m3" --format ctf -o -
fails streams_of_another_trace_stay 1 'ctf: Directory not empty' \
    timeline "$m3" --format ctf -o ctf
fails a_directory_that_cannot_be_made 1 'no/such: No such file or directory' \
    timeline "$m3" --format ctf -o no/such
fails no_such_variable 1 '--watch nosuch: no program of the capture has such a variable' \
    timeline "$m3" --watch nosuch -o none
fails a_variable_has_a_name 2 '--watch ,a: a name is empty' \
    timeline "$m3" --watch ',a' -o none
fails a_duration_is_a_number 2 '--minimum-duration 1ms: not a number of cycles' \
    timeline "$m3" --minimum-duration 1ms -o none
"$etm" timeline "$m3" --watch 0x20000000 -o none >out 2>err
[ $? -eq 0 ] && grep -q -e '--watch 0x20000000: no transfer of it has an address' err
verdict $? what_is_never_seen_is_told
echo "1..$n"
