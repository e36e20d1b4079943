#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ITM and DWT packets alone, in frames beside an ETM, and in a snapshot; streams
# split into files. Speaks TAP. Usage: itm.sh ETM DEMO EMULATOR WHOLE
set -u

. "$(dirname "$0")/cli.sh"

# "Hi" of port 0, a word of port 1, an exception, a match, and the time.
printf '\0\0\0\0\0\200\001\110\001\151\013\001\0\0\0' >itm
printf '\016\017\020\016\017\040\116\020\040\217\104\063\042\021' >>itm
printf '\027\030\002\0\010\025\0\005\041\160\320\215\001' >>itm

works packets_are_named '^ *6  instrumentation  *01 48  *port 0, value 0x48' \
    packets itm --protocol itm
works packets_have_their_keys \
    '"packet":"data_trace_value","bytes":"8f 44 33 22 11","comparator":0,"write":true,"value":"0x11223344"}' \
    packets itm --protocol itm --format jsonl
works text_of_ports_is_shown '^ *6       port 0 = 48  "H"$' decode itm --protocol itm
works a_match_is_a_transfer 'store \[????2010\] = 11223344  comparator 0$' \
    decode itm --protocol itm
works an_exception_is_entered_and_left 'exception: exit sys_tick (15)$' \
    decode itm --protocol itm
works the_time_is_a_sum 'local timestamp 141 (+141), timestamp_delayed$' \
    decode itm --protocol itm

run decode itm --protocol itm --format jsonl
cat >expected <<'END'
{"k":"software","src":0,"off":6,"port":0,"value":"0x48","size":1}
{"k":"software","src":0,"off":8,"port":0,"value":"0x69","size":1}
{"k":"software","src":0,"off":10,"port":1,"value":"0x00000001","size":4}
{"k":"exception","src":0,"off":15,"number":15,"name":"sys_tick","return":null,"cancels":null,"resume":0,"action":"enter"}
{"k":"exception","src":0,"off":18,"number":15,"name":"sys_tick","return":null,"cancels":null,"resume":0,"action":"exit"}
{"k":"data","src":0,"off":21,"insn":null,"addr":null,"value":"0x11223344","size":4,"store":true,"index":null,"status":"ok","be8":null,"comparator":0,"offset":"0x2010"}
{"k":"pc_sample","src":0,"off":29,"addr":"0x08000218","state":"running"}
{"k":"pc_sample","src":0,"off":34,"addr":null,"state":"sleeping"}
{"k":"event_counter","src":0,"off":36,"counters":["cpi","cyc"]}
{"k":"trace_on","src":0,"off":38,"reason":"overflow"}
{"k":"local_timestamp","src":0,"off":39,"delta":141,"ticks":141,"relation":"timestamp_delayed"}
{"k":"end","src":0,"off":42}
END
[ "$status" -eq 0 ] && equal out expected
verdict $? elements_have_their_keys

# Two interrupts, one on top of the other; a step of the time is not known.
printf '\0\0\0\0\0\200\016\017\020\020\016\020\020\040' >told
printf '\016\020\040\100\016\017\060\060\016\017\040\120\016\0\060\160' >>told
works exceptions_of_a_dwt_have_durations \
    '^  duration  *14  *14.0  *14$' exceptions told --protocol itm
grep -q '(local ticks)$' out && grep -q '^  duration  *4  *4.0  *4$' out &&
    grep -q '^\[irq0\]: 1 entry, on top of 1 other' out &&
    grep -q '^  interrupted  *1 time: \[sys_tick\]$' out
verdict $? they_are_nested
# Each 100 ticks of global timestamps, for 80 of them, 20 after the timestamp.
printf '\0\0\0\0\0\200' >every100
for low in '350\207' '314\210' '260\211' '224\212' '370\212'; do
    printf "\\224\\$low\\200\\0\\264\\201\\200\\200\\0\\016\\017\\020\\300\\024" >>every100
    printf '\016\017\040\016\0\060\300\120' >>every100
done
works they_have_the_times_of_timestamps '^ *67109884  trace *\[sys_tick\]: 5 entries' \
    exceptions every100 --protocol itm --merge
works in_json_lines_too '"first":"67109884","last":"67110284",.*"time":"67109884"}$' \
    exceptions every100 --protocol itm --merge --format jsonl
[ ! -s err ]
verdict $? and_nothing_is_missing_then
works they_are_listed '^  *3  *4  *0  *\[irq0\]$' calls told --protocol itm
tells an_itm_has_no_lines 'an ITM traces no instructions' profile told \
    --protocol itm --by line
printf 'Hi' >expected
"$etm" decode itm --protocol itm --itm-text 0 >out 2>err && equal out expected
verdict $? what_was_written_to_a_port_is_printed
printf '\001\0\0\0' >expected
"$etm" decode itm --protocol itm --itm-text 1 -o text 2>err && equal text expected
verdict $? words_are_printed_byte_for_byte
"$etm" decode - --protocol itm --itm-text 0 <itm 2>err | grep -q '^Hi$'
verdict $? also_from_a_pipe
"$etm" decode "$demo/cortex-a9" --itm-text 0 >out 2>err
[ $? -eq 1 ] && grep -q 'none of its sources is an ITM' err
verdict $? without_an_itm_it_is_an_error
for wrong in '--itm-text 256' '--itm-text 0 --stats' '--itm-text 0 --format jsonl'; do
    # shellcheck disable=SC2086
    "$etm" decode itm --protocol itm $wrong >out 2>err
    [ $? -eq 2 ] && [ ! -s out ]
    verdict $? "wrong_usage_of_${wrong##* }"
done

# A snapshot: an ITM needs no registers.
mkdir snapshot
printf '[snapshot]\nversion=1.0\n[device_list]\na=itm.ini\n' >snapshot/snapshot.ini
printf '[trace]\nmetadata=trace.ini\n' >>snapshot/snapshot.ini
printf '[device]\nname=ITM_0\nclass=trace_source\ntype=ITM\n' >snapshot/itm.ini
printf '[trace_buffers]\nbuffers=b\n[b]\nname=B\nfile=itm\n' >snapshot/trace.ini
printf 'format=source_data\n[source_buffers]\nITM_0=B\n' >>snapshot/trace.ini
cp itm snapshot/itm
works a_snapshot_has_an_itm 'port 0 = 69  "i"$' decode snapshot
works info_counts_its_packets '13 packets, 1 synchronization packet$' info snapshot

# Frames of an ITM, after those of an ETM.
: >frames
i=0
while [ $i -lt 40 ]; do
    printf '\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002' >>frames
    i=$((i + 1))
done
cat "$raw" frames >both
works beside_an_etm_it_is_told_by_its_bytes '^0x01 (0x01): ITM$' \
    decode both --framing coresight --protocol etmv3 --reg ETMCR=0x800

# A core names the macrocell of an ETM: an ITM is decoded with any, alone too.
works a_core_is_no_concern_of_an_itm '^ *23d1  *pc 08000309$' \
    decode both --framing coresight --core cortex-m3 --source 0x01
[ "$(wc -l <err)" -le 1 ]
verdict $? and_nothing_is_wrong_then
works nor_of_one_without_frames '^ *6       port 0 = 48  "H"$' \
    decode itm --protocol itm --core cortex-m3

works streams_are_split 'streams/0x01.bin: [0-9]* bytes of 0x01 (0x01), ITM$' \
    split both --framing coresight --protocol etmv3 --reg ETMCR=0x800 -o streams
"$etm" packets streams/0x01.bin --protocol itm >out 2>err &&
    grep -q '^ *0  pc_sample ' out && ! grep -q 'bad\|reserved' out
verdict $? and_can_be_decoded_alone
"$etm" split both --framing coresight --format jsonl -o streams >out 2>err
grep -q '^{"k":"stream","src":1,"name":"0x01","type":"ITM","file":"streams/0x01.bin","bytes":[0-9]*}$' out
verdict $? split_has_json_lines
"$etm" split both --framing coresight >out 2>err
[ $? -eq 2 ] && grep -q 'no directory is given' err
verdict $? split_needs_a_directory
: >file
"$etm" split both --framing coresight -o file >out 2>err
[ $? -eq 1 ] && [ "$(wc -l <err)" -ge 1 ] && [ ! -s file ]
verdict $? split_replaces_no_file_by_a_directory

echo "1..$n"
