#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --from, --to and --last where the capture has no such place: said, and no
# listing of everything in place of it. Speaks TAP. Usage: places.sh ETM DEMO
# PROGRAM.elf
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$2
program=$3
cd "$scratch" || exit 99
a9=$demo/cortex-a9
m3=$demo/cortex-m3

# notes NAME TEXT ARGUMENT...: works, and says one line
notes() {
    name=$1 text=$2
    shift 2
    "$etm" "$@" >out 2>err && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q -e "^etm: .*$text" err
    verdict $? "$name"
}
quiet() { # NAME ARGUMENT...
    name=$1
    shift
    "$etm" "$@" >out 2>err && [ -s out ] && [ ! -s err ]
    verdict $? "$name"
}

# Versions without timestamps, and trace without cycles.
for what in decode "decode --stats" coverage; do
    for option in --from --to; do
        fails "etmv3.4_has_no_times$what$option" 2 \
            "ETM_0: $option ts:5: ETMv3 before version 3.5 traces no time" \
            $what "$m3" $option ts:5
        fails "cycles_need_cycle_accurate_trace$what$option" 2 \
            "PTM_0: $option cyc:5: the trace is not cycle-accurate" \
            $what "$a9" $option cyc:5
    done
done
echo precious >kept
fails a_refusal_leaves_the_output_alone 2 'traces no timestamps' \
    decode "$m3" --to ts:5 -o kept
[ "$(cat kept)" = precious ]
verdict $? what_was_in_the_output_is_still_there

# Where the version has them, the trace itself tells: the demo of the A9 has
# ETMCR[28] set, a register dump without it would be decoded as well (E-74).
"$etm" record "$program" --core cortex-a9 -o plain \
    >out 2>err && [ -s plain/cstrace.bin ]
verdict $? trace_without_timestamps_is_recorded
fails a_trace_without_timestamps_has_no_times 2 \
    '--from ts:5: there is no timestamp in its trace' \
    decode plain --from ts:5
fails a_trace_without_timestamps_has_no_time_to_end_at 2 \
    '--to ts:5: there is no timestamp in its trace' decode plain --to ts:5
sed 's/^ETMCR(0x000)=.*/ETMCR(0x000)=0x2000C800/' "$a9/device_1.ini" >device
mkdir unset
cp "$a9"/*.ini "$a9/cstrace.bin" "$a9/sensor.elf" unset
chmod -R u+w unset
cp device unset/device_1.ini
quiet timestamps_count_whatever_etmcr_says decode unset --from ts:5000 \
    --to ts:8000

# A pipe cannot be looked at before: it is said at the end.
pipe="--framing coresight --protocol pft --image $program \
    --reg ETMIDR=0x411CF300 --reg ETMTRACEIDR=0x10"
"$etm" record "$program" --core cortex-a9 \
    --framing coresight -o framed >out 2>err
"$etm" decode - $pipe --stats <framed/cstrace.bin >whole 2>err
cat framed/cstrace.bin | "$etm" decode - $pipe --stats --to ts:5 >out 2>err &&
    [ -s out ] && equal out whole &&
    grep -q -e '--to ts:5: there was no timestamp: everything was decoded' err
verdict $? a_pipe_without_timestamps_is_decoded_and_it_is_said

# A timestamp of 0 tells no time (E-320): an I-sync, 0 or 5000, and 100 I-syncs
# that have the index look at what comes after.
octets() { # TIMESTAMP...
    for stamp; do
        printf '\0\0\0\0\0\200\010\0\200\0\0\041'
        case $stamp in
        0) printf '\102\200\200\200\200\200\200\0' ;;
        5000) printf '\102\210\247\200\200\200\200\0' ;;
        9000) printf '\102\250\306\200\200\200\200\0' ;;
        short) printf '\102\005' ;;
        damage) printf '\036' ;; # a reserved header
        esac
    done
}
binary="--protocol pft --reg ETMIDR=0x411CF311 --reg ETMCCER=0x10000000"
octets 0 0 0 >zeros
for option in --from --to; do
    fails "zeros_are_no_times_$option" 2 "$option ts:5: its timestamps are all" \
        decode zeros $binary $option ts:5
done
cat zeros | "$etm" decode - $binary --to ts:5 >out 2>err && [ -s out ] &&
    grep -q -e '--to ts:5: there was no timestamp: everything was decoded' err
verdict $? zeros_in_a_pipe_are_no_times
octets 5000 0 0 9000 0 >some
"$etm" index some $binary --format jsonl >out 2>err
[ "$(sed 's/.*"time":\([^,]*\),.*/\1/' out | tr '\n' ' ')" = \
    'null "5000" "5000" "5000" "9000" ' ]
verdict $? a_timestamp_of_zero_leaves_the_time_of_the_index
cp out some.index
octets short 5000 short damage short 0 >shorts
"$etm" index shorts $binary --format jsonl >out 2>err
[ "$(sed 's/.*"time":\([^,]*\),.*/\1/' out | tr '\n' ' ')" = \
    'null null "5000" "4997" null null ' ]
verdict $? high_bits_of_the_time_come_with_a_full_timestamp
for index in "" "--index some.index"; do
    "$etm" decode some $binary --format jsonl --from ts:9999 $index >out 2>err
    grep -q 'its trace ends at ts:9000: the last' err &&
        grep -q '"timestamp","src":0,"off":92,"value":null' out &&
        [ "$(grep -c timestamp out)" -eq 1 ]
    verdict $? "the_last_time_is_not_zero$index"
done

# Beyond the end, and before the beginning.
notes a_time_after_the_end_is_said \
    '--from ts:999999: its trace ends at ts:15120: the last sync' \
    decode "$a9" --from ts:999999
"$etm" record "$program" --core cortex-a9 \
    --cycle-accurate -o cycles >out 2>err
notes cycles_after_the_end_are_said \
    '--from cyc:99999999: its trace ends at cyc:' decode cycles --from cyc:99999999
quiet cycles_within_it_are_not decode cycles --from cyc:100 --to cyc:99999999
notes bytes_after_the_end_are_said \
    '--from 1G: this is beyond its end: it has 3456 bytes' decode "$a9" --from 1G
notes the_end_itself_has_nothing '--from 100%: this is beyond its end' \
    decode "$a9" --from 100%
notes nothing_is_before_the_beginning '--to 0: there is nothing before it$' \
    decode "$a9" --to 0
notes nothing_may_be_in_a_part '--to 5: there is nothing before it in this part' \
    decode "$a9" --last 10 --to 5
fails a_share_is_a_number 2 '--from %: not a number' decode "$a9" --from %
fails no_last_byte_is_none 2 '--last 0: not a number of bytes above 0' \
    decode "$a9" --last 0
for range in "--from ts:0" "--from ts:5000 --to ts:999999" "--to 1G" \
    "--last 1G" "--from 0"; do
    quiet "nothing_is_wrong_with${range%% *}_${range#* }" decode "$a9" $range
done

# Several sources: all are looked at before the first line comes out.
mkdir two
cp "$a9/cstrace.bin" two/a9.bin
cp "$m3/cstrace.bin" two/m3.bin
cp "$a9/device_1.ini" two/ptm.ini
cp "$m3/device_1.ini" two/etm.ini
printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=ptm.ini\n%s\n' \
    'device1=etm.ini
[trace]
metadata=trace.ini' >two/snapshot.ini
cat >two/trace.ini <<'END'
[trace_buffers]
buffers=buffer0,buffer1
[buffer0]
name=ETB_0
file=a9.bin
format=coresight
[buffer1]
name=ETB_1
file=m3.bin
format=coresight
[source_buffers]
PTM_0=ETB_0
ETM_0=ETB_1
END
fails each_source_needs_times 2 'ETM_0: --from ts:5000: ETMv3 before' \
    decode two --from ts:5000
"$etm" decode two --from ts:5000 --source PTM_0 >out 2>err && [ -s out ]
verdict $? one_source_with_times_is_enough_if_it_is_asked_for

# An index that does not belong to the capture.
"$etm" index "$a9" --format jsonl >index 2>err
cp index by_time
quiet an_index_has_times decode "$a9" --from ts:5000 --index index
cp out by_index
"$etm" decode "$a9" --from ts:5000 >out 2>err && equal out by_index
verdict $? the_index_changes_nothing
notes a_time_after_the_end_is_said_with_an_index_too \
    '--from ts:999999: its trace ends at ts:15120: the last sync' \
    decode "$a9" --from ts:999999 --index index
quiet the_last_time_is_within decode "$a9" --from ts:15120 --index index
"$etm" index cycles --format jsonl >index 2>err
"$etm" decode cycles --from cyc:99999999 >out 2>without
"$etm" decode cycles --from cyc:99999999 --index index >out 2>err
[ -s without ] && equal without err
verdict $? so_are_cycles

# Cycles that no element has are counted nowhere: before an I-sync, those of
# nobody knows which instructions (E-342).
printf '\0\0\0\0\0\200\204\240\210\010\041\0\200\0\0\210' >counted
counting='--protocol etmv3 --reg ETMIDR=0x4114f250 --reg ETMCR=0x1000'
"$etm" index counted $counting --format jsonl >counted.index 2>err
"$etm" decode counted $counting --from cyc:99 >out 2>without
"$etm" decode counted $counting --from cyc:99 --index counted.index >out 2>err
grep -q 'its trace ends at cyc:2: ' without && equal without err
verdict $? cycles_that_no_element_has_are_not_counted

# Data-only trace counts none (7.4.10).
printf '\0\0\0\0\0\200\010\041\0\200\0\0' >data
only='--protocol etmv3 --reg ETMIDR=0x4114f250 --reg ETMCR=0x10100c'
for option in --from --to; do
    fails data_only_trace_has_no_cycles$option 2 \
        "$option cyc:5: data-only trace counts no cycles" \
        decode data $only $option cyc:5
done
"$etm" index data $only --format jsonl >out 2>err
grep -q '"cycles":null}' out
verdict $? an_index_of_data_only_trace_has_no_cycles

# An index with fewer points leads to the same synchronization (E-362).
same_place() { # CAPTURE UNIT
    for every in 700 1500 1000000; do
        "$etm" index "$1" --format jsonl --every "$every" >thin 2>err
        for value in 60 900 5000 7777 9000 12345 15119; do
            "$etm" decode "$1" --from "$2:$value" --format jsonl >expected 2>err
            "$etm" decode "$1" --from "$2:$value" --format jsonl --index thin \
                >out 2>err && equal expected out || return 1
        done
    done
    [ "$(wc -l <thin)" -eq 1 ] && [ "$(grep -c '"range"' out)" -gt 10 ]
}
same_place cycles cyc
verdict $? an_index_with_few_points_leads_to_the_same_cycles
"$etm" record "$program" --core cortex-a15 --timestamps --sync 100 \
    --framing none -o timed >out 2>err
"$etm" index timed --format jsonl >index 2>err
grep -q '"time":"' index
verdict $? a_recorded_program_has_times
for time in $(sed -n 's/.*"time":"\([0-9]*\)".*/\1/p' index); do
    for every in 300 900 3000; do
        "$etm" index timed --format jsonl --every $every >thin 2>err
        for at in $time $((time - 1)) $((time + 1)); do
            "$etm" decode timed --from ts:$at --format jsonl >expected 2>err
            "$etm" decode timed --from ts:$at --format jsonl --index thin \
                >out 2>err
            equal expected out || echo "$every $at"
        done
    done
done >wrong
[ -s thin ] && [ ! -s wrong ]
verdict $? an_index_with_few_points_leads_to_the_same_time

# One of a capture that was longer.
"$etm" index cycles --format jsonl >index 2>err
cp -r cycles shorter
head -c 320 cycles/cstrace.bin >shorter/cstrace.bin
fails an_index_of_a_longer_capture_is_refused 1 \
    'index: it has a point of PTM_0 (0x10) at byte [0-9]*, and there are 320:' \
    decode shorter --from cyc:99999 --index index

# One of another configuration, which has no times, or no cycles.
"$etm" decode "$a9" >whole 2>err
sed 's/"time":"[0-9]*"/"time":null/' by_time >timeless
notes an_index_without_times_says_so \
    'timeless: its points of PTM_0 (0x11) have no times: decoding begins' \
    decode "$a9" --from ts:5000 --index timeless
equal out whole
verdict $? and_all_is_decoded
"$etm" decode cycles >whole 2>err
sed 's/"cycles":[0-9]*/"cycles":null/' index >uncounted
notes an_index_without_cycles_says_so \
    'uncounted: its points of PTM_0 (0x10) have no cycles: decoding begins' \
    decode cycles --from cyc:500 --index uncounted
equal out whole
verdict $? and_all_of_that_is_decoded
"$etm" index "$m3" --format jsonl >other 2>err
fails an_index_of_another_capture_is_refused 1 \
    'other: it has no point of PTM_0 (0x11)' \
    decode "$a9" --from ts:5000 --index other
# A core that slept is no reason to refuse, and has no line in an index (E-358).
mkdir idle
cp "$a9"/*.ini "$a9/cstrace.bin" "$a9/sensor.elf" idle
chmod -R u+w idle
sed -e 's/PTM_0/PTM_1/' -e 's/^\(ETMTRACEIDR.*\)=.*/\1=0x22/' \
    "$a9/device_1.ini" >idle/device_2.ini
sed 's/^device1=.*/&\
device2=device_2.ini\
device3=cpu_1.ini/' "$a9/snapshot.ini" >idle/snapshot.ini
sed -e '/^\[source_buffers\]/a PTM_1=ETB_0' -e '$a cpu_1=PTM_1' \
    "$a9/trace.ini" >idle/trace.ini
sed 's/cpu_0/cpu_1/' "$a9/cpu_0.ini" >idle/cpu_1.ini
"$etm" index idle --format jsonl >by_time 2>err &&
    grep -q 'PTM_1: no synchronization points' err
verdict $? a_source_that_traced_nothing_is_not_in_the_index
"$etm" decode "$a9" --from ts:5000 --to ts:8000 --format jsonl >expected 2>err
echo '{"k":"end","src":34,"off":0}' >>expected
for index in "" "--index by_time"; do
    "$etm" decode idle --from ts:5000 --to ts:8000 --format jsonl $index \
        >out 2>err && equal out expected &&
        grep -q 'PTM_1: --from ts:5000: it has no synchronization point' err
    verdict $? "a_source_that_traced_nothing_is_no_reason_to_refuse$index"
done
"$etm" index idle --source PTM_1 --format jsonl >none 2>err
fails an_index_of_that_source_is_none_of_the_other 1 \
    'none: it has no point of PTM_0 (0x11)' \
    decode idle --from ts:5000 --index none

# What a buffer said of the time is nothing to the next one (E-08).
mkdir times
{ octets 5000 && octets none; } >times/0.bin
{ octets none && printf '\102\210\001' && octets none; } >times/1.bin
cat >times/snapshot.ini <<'END'
[snapshot]
version=1.0
[device_list]
device0=ptm.ini
[trace]
metadata=trace.ini
END
cat >times/ptm.ini <<'END'
[device]
name=PTM_0
class=trace_source
type=PTM1.1
[regs]
ETMCR=0
ETMIDR=0x411CF311
ETMCCER=0x10000000
END
cat >times/trace.ini <<'END'
[trace_buffers]
buffers=b0,b1
[b0]
name=ETB_0
file=0.bin
format=source_data
[b1]
name=ETB_1
file=1.bin
format=source_data
[source_buffers]
PTM_0=ETB_0,ETB_1
END
"$etm" index times --format jsonl >out 2>err
[ "$(sed 's/.*"time":\([^,]*\),.*/\1/' out | tr '\n' ' ')" = \
    'null "5000" null null ' ]
verdict $? a_time_ends_with_its_buffer
"$etm" decode times --format jsonl >out 2>err &&
    [ "$(grep -c '"k":"timestamp"' out)" -eq 1 ]
verdict $? as_in_what_is_decoded

: >empty
fails an_empty_index_is_refused 1 'empty: it has no point of PTM_0 (0x11)' \
    decode "$a9" --from ts:5000 --index empty
echo "1..$n"
