#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is unusual, or wrong, on the command line and in files: it is honoured or
# reported, and nothing is passed over without a word. Speaks TAP.
# Usage: unusual.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

# Help.
"$etm" help >general 2>err
"$etm" help help >out 2>>err
[ $? -eq 0 ] && [ ! -s err ] && [ -s out ] && equal out general
verdict $? help_of_help_is_that_of_all
fails help_is_of_one_command 2 'merge: help is for one command' help info merge
fails help_of_what_is_no_command_says_so 2 'frob: no such command' help frob

# Names in the files of a program are any bytes.
copy
LC_ALL=C sed "s/clean_task/clean$(printf '\033')[7mk/g
    s/crc32/c$(printf '\001')c32/g; s/board\.c/boa$(printf '\033\002').c/g" \
    "$elf" >snapshot/sensor.elf
for how in decode 'decode --level instructions' \
    'decode --level instructions --source-lines' coverage \
    'coverage --format lcov' 'coverage --format cobertura' \
    'coverage --format gcovr' 'coverage --format jsonl'; do
    # shellcheck disable=SC2086
    "$etm" $how snapshot >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] &&
        grep -q 'clean?\[7mk\|"clean\\u001b\[7mk"\|boa??\.c' out &&
        [ "$(LC_ALL=C tr -d '\n -~' <out | wc -c)" -eq 0 ]
    verdict $? "no_name_is_a_command_with: $how"
done
grep -q '"file":"[^"]*boa\\u001b\\u0002\.c"' out
verdict $? json_has_the_bytes_of_names
"$etm" coverage snapshot --format lcov >out 2>err
grep -q '^SF:.*/boa??\.c$' out && grep -q '^FN:[0-9]*,c?c32$' out
verdict $? names_of_a_tracefile_are_plain
"$etm" configure --core cortex-r4 --elf snapshot/sensor.elf \
    --trace-function "c$(printf '\001')c32" >setup 2>err
explains_plainly() { # NAME ARGUMENT...
    name=$1
    shift
    "$etm" explain setup --core cortex-r4 --elf snapshot/sensor.elf "$@" \
        >out 2>err
    [ -s out ] && grep -q 'c?c32' out &&
        [ "$(LC_ALL=C tr -d '\n -~' <out | wc -c)" -eq 0 ]
    verdict $? "$name"
}
explains_plainly explanations_are_plain
emulated explanations_of_a_simulation_are_plain &&
    explains_plainly explanations_of_a_simulation_are_plain \
        --simulate snapshot/sensor.elf --limit 1000

# Trace IDs of sources (E-62): 0 and those from 0x70 on are none.
for id in 0 0x70 0x7d 128 '' x; do
    fails "no_trace_id: '$id'" 2 "--trace-id ${id:-\"\"}: not from 1 to 0x6f" \
        configure --core cortex-a9 --trace-id "$id"
done
"$etm" configure --core cortex-a9 --trace-id 0x6f >out 2>err
grep -q '^ETMTRACEIDR *= 0x0000006f' out
verdict $? the_last_trace_id_is_one

# Recordings.
fails a_snapshot_is_no_stream 2 'a snapshot is a directory' \
    record --execution one.log -o -
[ ! -e ./- ]
verdict $? and_no_directory_is_made
printf 'hello, world\n' >greeting
: >empty
for file in greeting empty; do
    "$etm" record --tarmac $file --core cortex-a9 -o none >out 2>err
    [ $? -eq 1 ] && [ ! -s out ] && [ ! -e none ] &&
        tail -1 err | grep -q "^etm: $file: it contains no instruction$"
    verdict $? "no_log_of_a_processor: $file"
done
printf 'version 1\n' >empty.log
fails no_execution 1 'empty.log: it contains no instruction' \
    record --execution empty.log -o none
printf 'version 1\n00008000 e1a00000\n' >one.log
"$etm" record --execution one.log -o one --log - >out 2>err
[ $? -eq 0 ] && grep -q '^00008000 e1a00000' out && [ ! -e ./- ]
verdict $? a_log_may_go_to_standard_output
"$etm" configure --core cortex-a9 --timestamps --trace-id 0x23 2>err |
    "$etm" record --execution one.log --core cortex-a9 -o two --setup - \
        >out 2>err
[ $? -eq 0 ] && grep -qi '^ETMTRACEIDR.*=0x0*23$' two/device_1.ini
verdict $? a_setup_may_come_from_standard_input
# In messages standard input has its name, whoever reads it.
called() { # NAME TEXT ARGUMENT...: on standard error, of a line that is none
    name=$1 text=$2
    shift 2
    printf "$input" | run "$@"
    grep -q "^etm: standard input$text" err || grep -q "^$text" out
    verdict $? "$name"
}
input='zz 0\n'
called input_that_is_no_samples_has_a_name ':1: the character' \
    packets - --framing port --protocol etmv3
called input_that_is_text_has_a_name ': it is text, neither trace' decode -
called input_that_is_no_code_has_a_name ' cannot be read as code' \
    decode "$m3" --image -
called input_that_is_no_registers_has_a_name ':1: no register' explain -
called input_that_is_no_dump_has_a_name ':1: ' decode "$raw" --dump -
called input_that_is_no_counts_has_a_name ':1: not a line' merge -
input='zz\001\n'
called input_without_a_protocol_has_a_name ': source trace' decode -
called input_without_frames_has_a_name ': it contains no trace source' \
    decode - --framing dstream --protocol pft
called input_that_is_shown_has_a_name 'buffer standard input' info -
fails one_thing_is_standard_input 2 'standard input is already the' \
    record --execution - -o two --setup -

printf 'version 1\n00008000 e1a00000\n00008004 eafffffd\n00008000 %s\n' \
    e3a00001 >other.log
"$etm" record --execution other.log -o other >out 2>err
[ $? -eq 0 ] && grep -q '^etm: at 0x00008000 several instructions' err
verdict $? code_that_changes_is_reported
sed 's/e3a00001/e1a00000/' other.log >same.log
"$etm" record --execution same.log -o same >out 2>err
[ $? -eq 0 ] && [ -s same/cstrace.bin ] && ! grep -q 'several instructions' err
verdict $? code_that_stays_is_not

# Options that have nothing to be for.
copy
for command in info packets decode; do
    fails "a_snapshot_has_its_framing_for_$command" 1 'a framing can only be' \
        $command snapshot --framing none
done
printf 'PERFILE2' >perf.data
head -c 200 /dev/zero >>perf.data
fails a_file_of_perf_has_its_framing 1 'has its own configuration' \
    info perf.data --framing none
"$etm" index "$demo/cortex-a9" --format jsonl >index 2>err
for part in '' '--from 100' '--to 50%' '--last 1K' '--shard 1/2'; do
    # shellcheck disable=SC2086
    fails "an_index_is_for_times_and_cycles: $part" 2 \
        '--index index: for ts:N and cyc:N only' \
        decode "$demo/cortex-a9" --index index $part
done
"$etm" decode "$demo/cortex-a9" --index index --from ts:5000 >out 2>err &&
    [ -s out ]
verdict $? an_index_is_used_for_a_time

fails an_index_that_is_not_there 1 'nosuch: No such file or directory' \
    decode "$demo/cortex-a9" --index nosuch --from ts:5000
fails an_index_that_is_a_directory 1 'snapshot: Is a directory' \
    decode "$demo/cortex-a9" --index snapshot --from ts:5000

# Numbers and words that would be the same as nothing, or say it twice.
configure() { # NAME TEXT ARGUMENT...: is wrong usage
    name=$1 text=$2
    shift 2
    fails "$name" 2 "$text" configure --core "$@"
}
configure no_time_is_number_0 'not a number from 1 to' \
    cortex-a9 --trigger-at 0x8000 --after-count 0
configure nor_after_a_star 'the number after \* counts from 1' \
    cortex-a9 --trigger-at '0x8000*0'
configure no_period_is_0 '--sync 0: not a number from 1 to 4095' \
    cortex-a9 --sync 0
configure no_port_has_0_pins '--port-size 0: not' arm926ej-s --port-size 0
configure no_level_is_0 '--fifo-level 0: not' arm926ej-s --stall --fifo-level 0
configure data_have_1_2_or_4_bytes '--data-size must be 1, 2 or 4' \
    cortex-r4 --data value --data-range 0-4 --data-size 0
configure states_exclude_each_other '--secure cannot be combined with --non-secure' \
    cortex-a9 --non-secure --secure
configure modes_exclude_each_other '--privileged cannot be combined with --user' \
    cortex-a9 --user --privileged
configure flags_have_no_value '--timestamps takes no value' \
    cortex-a9 --timestamps=1
configure base_is_for_scripts '--base is for scripts, and a macrocell in memory' \
    cortex-a9 --base 0x80000000
configure base_is_for_memory '--base is for scripts, and a macrocell in memory' \
    arm926ej-s --base 0x80000000 --format openocd
configure base_is_aligned '--base must be an address that is a multiple of 4' \
    cortex-a9 --base 1 --format gdb
configure device_is_for_sysfs '--device is for --format sysfs' \
    cortex-a9 --device etm1
configure tap_is_for_jtag '--tap is for --format openocd' \
    cortex-a9 --tap cpu --format openocd
for how in '--base 0x80000000 --format gdb' '--device etm1 --format sysfs'; do
    # shellcheck disable=SC2086
    "$etm" configure --core cortex-a9 $how >out 2>err && [ -s out ]
    verdict $? "what_is_used_is_taken: $how"
done
"$etm" configure --core arm926ej-s --tap arm9 --format openocd >out 2>err &&
    grep -q 'set etm_tap arm9' out
verdict $? a_tap_is_taken
"$etm" configure --core cortex-a9 -osetup1 2>err &&
    "$etm" explain setup1 --core cortex-a9 -owords >out 2>err &&
    [ -s words ] && [ ! -s out ]
verdict $? a_file_may_be_attached
"$etm" decode "$m3" --stats >sums 2>err
"$etm" merge sums -ototal >out 2>err && equal sums total
verdict $? also_of_merge
fails no_simulation_is_of_0_instructions 2 '0: not a number of instructions' \
    explain setup --core cortex-r4 --simulate "$elf" --limit 0
for option in --sync --port-width; do
    fails "no_recording_has_0: $option" 2 'not a number above 0' \
        record --execution one.log -o three $option 0
done
for register in ETMIDR=5 ETMCCR=1; do
    fails "what_cannot_be_written_is_reported: $register" 1 \
        'this macrocell does not allow that; it stays ' \
        record --execution one.log -o three --reg $register
done
[ ! -e three ]
verdict $? and_nothing_is_made
"$etm" record --execution one.log -o three --reg ETMTRACEIDR=5 \
    --reg ETMTRACEIDR=6 --reg ETMCR=0 >out 2>err &&
    grep -qi '^ETMTRACEIDR.*=0x0*6$' three/device_1.ini
verdict $? the_last_value_of_a_register_counts
head -c 1048576 /dev/zero | tr '\0' '\n' >long
fails what_is_no_dump_is_not_cut 1 'long: File too large' configure --dump long
for word in help decode packets; do
    fails "nothing_is_shown: $word" 2 '"": no such command' "" $word
done
fails no_format_is_shown 2 '--format "": not one of' decode "$m3" --format ''
fails no_output_is_shown 1 '"": No such file' decode "$m3" -o ''
fails no_core_is_shown 2 '--core "": no such core' configure --core ''

fails lines_are_of_instructions 2 '--source-lines shows instructions' \
    decode "$m3" --source-lines --level ranges
for words in 5=0 5=0/0 5=33 16=1; do
    fails "no_words_of_a_coprocessor: $words" 2 'not of the form N=WORDS' \
        decode "$m3" --coprocessor $words
done
fails no_place_is_shown 2 '--from "": not a number' decode "$m3" --from ''
for file in trace.ini device_1.ini; do
    fails "another_file_of_a_snapshot: $file" 1 \
        'no section \[device_list\], as the snapshot.ini' decode "$m3/$file"
done
head -c -1 sums >open
"$etm" merge open >out 2>err && equal out sums
verdict $? the_last_line_of_counts_may_have_no_end

# A source in no buffer.
for line in 'ETM_0=' 'ETM_0=  ; none' 'ETM_9=ETB_0' 'ETM_0=,'; do
    copy
    sed "s/^ETM_0=.*/$line/" "$m3/trace.ini" >snapshot/trace.ini
    for command in decode packets; do
        "$etm" $command snapshot >out 2>err
        [ $? -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
            grep -q 'nothing to decode: no buffer is listed for it' err
        verdict $? "no_buffer_for_$command: $line"
    done
done
"$etm" info snapshot >out 2>err
grep -q '^note: ETM_0 is in no buffer: \[source_buffers\] does not name it' out
verdict $? info_tells_which_line_is_missing

# A device's file as some tools write it (E-313).
copy
sed -e 's/^\(ETMCR.*\)$/\1 (RW)/' -e 's/^\(ETMSYNCFR.*=\).*/\1/' \
    -e 's/^\(ETMIDR.*=\)\(.*\)$/\1"\2"  ; RO/' "$m3/device_1.ini" \
    >snapshot/device_1.ini
printf 'ETMCCR(0x001)=0x8C802000\n' >>snapshot/device_1.ini
"$etm" decode "$m3" >whole 2>err
"$etm" decode snapshot >out 2>err
[ $? -eq 0 ] && equal out whole && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'ini:8: the register is skipped: ETMSYNCFR(0x078) has no' err
verdict $? registers_without_values_are_reported
"$etm" explain snapshot/device_1.ini >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q 'ETMv3.4, revision 0' out
verdict $? and_explained
"$etm" configure --dump snapshot/device_1.ini >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q ': ETMv3.4$' out
verdict $? and_configured

# The bytes of a source are the same whether it is decoded or not: of any bytes
# as frames, which have all trace IDs, in two buffers.
mkdir frames
tail -c 900000 "$etm" | gzip >bytes
tail -c 200000 bytes | head -c 100000 >frames/a.bin
tail -c 70000 bytes >frames/b.bin
sizes() { # ARGUMENT...
    "$etm" info "$@" --format jsonl 2>err |
        sed -n 's/.*"k":"source","src":\([0-9]*\),.*"bytes":\([0-9]*\),.*/\1 \2/p'
}
for framing in coresight tpiu dstream; do
    sizes frames/a.bin --framing $framing >skipped
    sizes frames/a.bin --framing $framing --protocol pft >decoded
    [ "$(wc -l <skipped)" -gt 100 ] && equal skipped decoded
    verdict $? "skipped_sources_have_their_bytes_in_$framing"
done
printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=x.ini\n[trace]
metadata=trace.ini\n' >frames/snapshot.ini
printf '[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=A\nfile=a.bin
format=coresight\n[b1]\nname=B\nfile=b.bin\nformat=coresight
[source_buffers]\nX_0=A,B\n' >frames/trace.ini
for type in ITM PTM1.1; do
    printf '[device]\nname=X_0\nclass=trace_source\ntype=%s\n[regs]
ETMTRACEIDR=0x10\nETMIDR=0x411CF310\nETMCR=0\n' $type >frames/x.ini
    sizes frames >sizes-$type
done
[ -s sizes-ITM ] && equal sizes-ITM sizes-PTM1.1
verdict $? a_skipped_source_has_the_bytes_of_two_buffers

echo "1..$n"
