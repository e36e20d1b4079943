#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The etm command from outside: exit status, errors of one line, output files,
# pipes, colours. Speaks TAP. Usage: test_cli.sh ETM DEMO EMULATOR; the latter is
# true if etm can run programs.
set -u

etm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
demo=$2
emulator=$3
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
unset NO_COLOR
TERM=xterm
export TERM
n=0

verdict() { # STATUS NAME
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        sed 's/^/# out: /' out | head -5
        sed 's/^/# err: /' err | head -5
        echo "not ok $n - $2"
    fi
}

emulated() { # NAME: can programs be run? Else it is passed over
    [ "$emulator" = true ] && return
    n=$((n + 1))
    echo "ok $n - $1 # SKIP no emulator"
    return 1
}

run() { # ARGUMENT...: leaves out, err and status
    "$etm" "$@" >out 2>err
    status=$?
}

# fails NAME STATUS TEXT ARGUMENT...: nothing on standard output, one line on
# standard error that holds TEXT
fails() {
    name=$1 want=$2 text=$3
    shift 3
    run "$@"
    [ "$status" -eq "$want" ] && [ ! -s out ] &&
        [ "$(wc -l <err)" -eq 1 ] && grep -q -e "^etm: .*$text" err
    verdict $? "$name"
}

works() { # NAME TEXT ARGUMENT...: TEXT is a pattern that a line has
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 0 ] && grep -q -e "$text" out
    verdict $? "$name"
}

m3=$demo/cortex-m3
raw=$m3/cstrace.bin
elf=$m3/sensor.elf

# Help.
works help_is_a_command_too 'etm decode *CAPTURE' help
works help_of_a_command '^usage: etm merge' help merge
works help_of_decode '^  --shard I/N' help decode
fails no_help_of_what_is_no_command 2 'frob: no such command' help frob

# Standard output has a name.
works a_minus_is_standard_output 'end of trace' decode "$m3" -o -
[ ! -e ./- ]
verdict $? and_no_file
works of_every_command '^ETMCR' configure --core cortex-m3 -o -

# Wrong usage: 2.
fails no_command_is_wrong_usage 2 "what to do? (see 'etm --help')"
fails unknown_command_is_wrong_usage 2 'frob: no such command' frob
fails missing_capture_is_wrong_usage 2 'no capture' decode
fails wrong_usage_points_at_the_help_of_the_command 2 \
    "--from 5x: .*(see 'etm decode --help')" decode "$m3" --from 5x
fails wrong_option_points_at_the_help_of_the_command 2 \
    "--frob: no such option (see 'etm packets --help')" packets "$m3" --frob
fails two_captures_are_wrong_usage 2 'one capture' decode a b
fails unknown_option_is_wrong_usage 2 '--frob: no such option' \
    decode "$m3" --frob
fails unknown_format_is_wrong_usage 2 '--format xml' decode "$m3" --format xml
fails unknown_protocol_is_wrong_usage 2 '--protocol etmv9' \
    decode "$raw" --protocol etmv9
fails unknown_framing_is_wrong_usage 2 '--framing frames' \
    decode "$raw" --framing=frames
fails unknown_level_is_wrong_usage 2 '--level lines' \
    decode "$m3" --level lines
fails unknown_profile_is_wrong_usage 2 '--profile x' decode "$m3" --profile x
# Zeros in front do not make numbers octal.
run decode "$m3" --format jsonl --from 700 --to 0x3e8
cp out decimal
run decode "$m3" --format jsonl --from 0700 --to 01000
cmp -s out decimal && [ -s out ]
verdict $? zeros_in_front_of_places_mean_nothing
run decode "$m3" --jobs 08 --source 016
[ "$status" -eq 0 ]
verdict $? zeros_in_front_of_counts_mean_nothing
run decode "$raw" --protocol etmv3 --reg ETMTRACEIDR=0019 --framing coresight
[ "$status" -eq 0 ]
verdict $? zeros_in_front_of_registers_mean_nothing
fails zeros_in_front_of_configured_numbers_mean_nothing 2 '0128: not from 1' \
    configure --core cortex-m3 --trace-id 0128
fails numbers_have_no_sign 2 '--jobs +2' decode "$m3" --jobs +2
fails index_is_not_read_from_standard_input 2 '--index -: .*give a file' \
    decode "$m3" --from ts:1 --index -
fails unknown_register_is_wrong_usage 2 'FOO=1: no register' \
    decode "$raw" --reg FOO=1
fails register_without_value_is_wrong_usage 2 'NAME=VALUE' \
    decode "$raw" --reg ETMCR
fails register_that_is_no_number_is_wrong_usage 2 'not a number' \
    decode "$raw" --reg ETMCR=0x1g
fails negative_register_is_wrong_usage 2 'not a number' \
    decode "$raw" --reg ETMCR=-1
fails huge_register_is_wrong_usage 2 'not a number' \
    decode "$raw" --reg ETMCR=0x10000000000000000
fails option_without_value_is_wrong_usage 2 'needs a value' \
    decode "$m3" --source
fails value_for_a_switch_is_wrong_usage 2 'takes no value' \
    decode "$m3" --cycles=1
fails level_is_for_decode 2 "for 'etm decode' only" \
    packets "$m3" --level ranges
fails level_is_for_decode_also_before_the_command 2 \
    "for 'etm decode' only" --level ranges packets "$m3"
fails cycles_are_for_decode 2 "for 'etm decode' only" --cycles info "$m3"
"$etm" decode "$m3" --format jsonl >whole 2>err
"$etm" decode "$m3" --format jsonl --cycles >out 2>err
grep '"k":"context"' out | grep -q ',"since":null}$' &&
    sed '/"k":"context"/s/,"since":null}$/}/' out | cmp -s whole -
verdict $? cycles_of_packets_are_a_key_of_json_lines_too
fails source_lines_are_for_text 2 '--source-lines is for --format text' \
    decode "$m3" --source-lines --format jsonl
fails source_lines_are_for_text_in_any_order 2 'is for --format text' \
    --format=jsonl --source-lines decode "$m3"

# What cannot be read: 1.
fails missing_file_is_named 1 'nosuch: .*No such file' decode nosuch
fails missing_snapshot_is_named 1 'nosuch.ini: .*No such file' \
    decode nosuch.ini
fails unknown_source_is_named_with_those_there 1 \
    'no trace source 0x55: there is ETM_0 (0x10)$' decode "$m3" --source 0x55
fails senseless_register_is_named 1 'ETMIDR is 0x0' \
    decode "$raw" --protocol etmv3 --reg ETMIDR=0
run decode "$raw" --protocol etmv3 --framing coresight --reg ETMTRACEIDR=0x7f
[ "$status" -eq 1 ] &&
    [ "$(cat err)" = "etm: ETMTRACEIDR is 0x7f: no trace ID of a source" ]
verdict $? senseless_register_is_named_once
fails contradiction_is_named 1 'ETMIDR' \
    decode "$raw" --protocol pft --reg ETMIDR=0x4114f240
fails undecodable_file_points_at_info 1 "'etm info' says" decode "$raw"
fails options_that_contradict_a_snapshot 1 'own configuration' \
    decode "$m3" --protocol pft
fails missing_image_is_named 1 'nosuch.elf: .*No such file' \
    decode "$m3" --image nosuch.elf
fails output_that_cannot_be_written_is_named 1 'nosuch/out: No such file' \
    decode "$m3" -o nosuch/out
printf '0 1\n0 z\n' >port.txt
fails sample_that_is_none_has_its_line 1 'port.txt:2: ' \
    decode port.txt --framing port --protocol etmv3

fails unknown_port_format_is_wrong_usage 2 '--port-format fst' \
    decode port.txt --port-format fst
fails unknown_port_width_is_wrong_usage 2 '--port-width 65' \
    decode port.txt --port-width 65
echo '0 1122334455667788' >wide.txt
works ports_of_64_pins_are_those_of_table_3_6 '88 77 66 55 44 33 22 11' \
    packets wide.txt --framing port --protocol etmv3 --port-width 64
fails port_width_of_etmv1_is_4_8_or_16 1 '4, 8 or 16' \
    decode port.txt --framing port --protocol etmv1 --port-width 12
fails unknown_byte_order_is_wrong_usage 2 '--endian big' \
    decode port.txt --endian big
fails port_width_without_a_port_is_refused 1 'for samples of a port' \
    decode port.txt --protocol etmv3 --port-width 8
fails high_vectors_of_pft_are_refused 1 'ETMv1 and ETMv2' \
    decode port.txt --protocol pft --hivecs
fails port_width_that_etmcr_contradicts_is_refused 1 \
    'ETMCR has a port of 4 bits, not of 16' \
    decode port.txt --protocol etmv1 --reg ETMCR=0 --port-width 16
fails port_width_is_not_for_snapshots 1 'own configuration' \
    decode "$m3" --port-width 8
fails signals_are_for_value_change_dumps 1 'value change dumps and tables' \
    decode port.txt --framing port --protocol etmv1 --signals traceclk=C

# A port of an ETMv1: TRACESYNC PIPESTAT TRACEPKT.
printf '1 4 80\n0 0 a0\n0 0 80\n0 3 80\n0 3 10\n0 6 0\n0 7 0\n' >v1.txt
v1='--framing port --protocol etmv1 --reg ETMCCR=0x20000000'
works samples_of_etmv1_are_packets 'pipestat  *84  *status BE, tracesync' \
    packets v1.txt $v1
works replaced_status_of_a_trigger_is_shown \
    'value 0x00, carries replaced_status, replaced IE' packets v1.txt $v1
works samples_are_json_too '"packet":"pipestat","bytes":"84","status":"BE"' \
    packets v1.txt $v1 --format jsonl
works etmv1_is_decoded '"k":"trace_on","src":0,"off":0,"reason":"start"' \
    decode v1.txt $v1 --format jsonl
# V1-TRG-05, E-355
cat v1.txt v1.txt >twice.txt
run decode v1.txt $v1
grep -q 'triggers' err || run decode twice.txt $v1
[ "$status" -eq 0 ] && grep -q '2 triggers, of which a run has one' err
verdict $? second_trigger_is_told
fails coprocessor_without_words_is_wrong_usage 2 'N=WORDS' \
    decode v1.txt $v1 --coprocessor 5
fails coprocessors_of_etmv2_are_refused 1 'ETMv1' \
    decode v1.txt --framing port --protocol etmv2 --coprocessor 5=1
printf '\000\025\222\355\000\000\240\341' >ldc.bin # ldc p5, c1, [r2]; nop
printf '1 4 80\n0 0 a0\n0 0 80\n0 3 80\n0 3 10\n0 1 7\n0 3 0\n0 3 0\n0 3 0\n0 0 0\n' \
    >ldc.txt
works words_of_a_coprocessor_are_its_data '"value":"0x00000007"' \
    decode ldc.txt $v1 --reg ETMCR=0x14 --image ldc.bin@0x1000 \
    --coprocessor 5=1/4 --format jsonl
works info_tells_the_port_in_words '^ *high vectors, BE-8 data$' \
    info v1.txt $v1 --port-width 16 --hivecs --endian be8
grep -q '^    traces .* port of 16 pins,$' out
verdict $? what_is_long_goes_on_in_another_line
works info_counts_samples '7 samples, 1 synchronization point' info v1.txt $v1
works info_says_the_form_of_samples 'port, samples as text' info v1.txt $v1
works info_of_a_port_is_json \
    '"port_width":16,"high_vectors":false,"endian":"le"}' \
    info v1.txt $v1 --port-width 16 --endian le --format jsonl
run info v1.txt --framing port
[ "$status" -eq 1 ] && grep -q 'v1.txt:1: .*the protocol is not told' err
verdict $? samples_of_an_unknown_protocol_are_taken_for_etmv3
fails waves_are_for_packets 2 "for 'etm packets' only" \
    decode v1.txt $v1 --format vcd
fails waves_are_of_a_port 1 'ETMv1 and ETMv2' packets "$m3" --format vcd
works waves_show_the_pins 'var wire 3 . PIPESTAT .2:0. .end' \
    packets v1.txt $v1 --format vcd
run packets v1.txt $v1 --format jsonl -o straight.jsonl
run packets v1.txt $v1 --format vcd -o v1.vcd
works waves_are_read_back 'port, samples as vcd' info v1.vcd $v1
run packets v1.vcd $v1 --format jsonl
cmp -s out straight.jsonl
verdict $? waves_hold_the_same_samples
printf '$enddefinitions $end\n' >port.vcd
fails dump_without_a_signal_names_it 1 'port.vcd:1: TRACECLK is not in' \
    decode port.vcd $v1

# Snapshots that are not right: the file and the line are named.
copy() {
    rm -rf snapshot
    cp -r "$m3" snapshot
    chmod -R u+w snapshot
}
copy
rm snapshot/cstrace.bin
fails missing_trace_file_is_named 1 \
    'trace.ini:.*snapshot/cstrace.bin: No such file or directory$' \
    decode snapshot
copy
rm snapshot/sensor.elf
fails missing_dump_file_is_named 1 \
    '--image.*cpu_0.ini:.*snapshot/sensor.elf: No such file or directory$' \
    decode snapshot
run packets snapshot
[ "$status" -eq 0 ] && [ -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'this code is passed over:.*sensor.elf: No such file' err
verdict $? packets_need_no_dump
works another_image_takes_its_place '== trace on: start' \
    decode snapshot --image "$elf"
[ "$(wc -l <err)" -eq 1 ] && grep -q 'sensor.elf: No such file' err
verdict $? and_it_is_said
printf '\n[dump1]\nfile=nosuch.bin\naddress=0x70000000\n' \
    >>snapshot/cpu_0.ini
fails nothing_to_decode_with_is_one_line 1 \
    "no code to decode with .*--image.*sensor.elf.*'etm info' tells of more" \
    decode snapshot
works other_code_takes_the_place_of_both '== trace on: start' \
    decode snapshot --image "$elf"
copy
rm snapshot/sensor.elf
mkdir snapshot/sensor.elf
fails directory_as_a_dump_is_named 1 \
    'cpu_0.ini:.*snapshot/sensor.elf: Is a directory$' decode snapshot
copy
sed 's/^file=sensor.elf/&\nlength=0x10000000\naddress=0/' \
    "$m3/cpu_0.ini" >snapshot/cpu_0.ini
head -c 100 "$elf" >snapshot/sensor.elf
run decode snapshot
[ "$status" -eq 0 ] && [ -s out ] &&
    grep -q 'cpu_0.ini:.*: what it has is taken: the file .*cut short' err
verdict $? truncated_dump_is_named
copy
printf '\n[dump9]\nfile=sensor.elf\naddress=0x70000000\nspace=moon\n' \
    >>snapshot/cpu_0.ini
"$etm" decode "$m3" >whole 2>err
run decode snapshot
[ "$status" -eq 0 ] && cmp -s out whole && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: snapshot/cpu_0.ini:.*unknown address space moon' err
verdict $? unknown_space_leaves_the_other_code
run info snapshot
grep -q '^note: snapshot/cpu_0.ini:.*unknown address space moon' out
verdict $? info_has_it_among_its_notes
copy
sed 's/^ETMIDR(0x079)=.*/ETMIDR(0x079)=0x4114F2XX/' \
    "$m3/device_1.ini" >snapshot/device_1.ini
fails bad_register_in_a_snapshot_has_its_line 1 'device_1.ini:9: ' \
    decode snapshot
copy
printf '\n[surprise]\nx=1\n' >>snapshot/device_1.ini
run info snapshot
[ "$status" -eq 0 ] &&
    cat out err | grep -q 'device_1.ini:13: .*\[surprise\] is passed over'
verdict $? unknown_section_has_its_line

# As Windows writes it (E-329).
copy
mkdir snapshot/bin
mv snapshot/cstrace.bin snapshot/sensor.elf snapshot/bin
for file in snapshot/*.ini; do
    sed 's/file=/file=bin\\/' "$file" | awk '{ printf "%s\r\n", $0 }' >text
    mv text "$file"
done
run decode snapshot
[ "$status" -eq 0 ] && cmp -s out whole && [ ! -s err ]
verdict $? backslashes_in_a_snapshot_separate_folders

# What an old macrocell cannot trace.
for at in 60000008 00000008; do
    printf 'version 1\nplace 00008000\n00008000 ef000000\n' >log
    printf 'exception svc to=%s:a\n%s eafffffe\n' $at $at >>log
    "$etm" record --execution log -o recorded-$at --core arm7tdmi >out 2>err
    echo $? >status-$at
    mv err err-$at
done
[ "$(cat status-60000008)" -eq 1 ] && [ "$(wc -l <err-60000008)" -eq 1 ] &&
    grep -q '^etm: the macrocell cannot trace .* near 0x60000008: .*vectors' \
        err-60000008
verdict $? etmv1_knows_exceptions_by_their_vectors
verdict "$(cat status-00000008)" etmv1_traces_exceptions_to_vectors

# It is known at once where that was, whatever was executed behind it.
{
    printf 'version 1\nplace 00008000\n00008000 ef000000\n'
    printf 'exception svc to=60000008:a\n'
    awk 'BEGIN { for (i = 0; i < 200; i++)
                     printf "%08x e1a00000\n", 1610612744 + 4 * i }'
} >log
"$etm" record --execution log -o recorded-behind --core arm7tdmi >out 2>err
grep -q ' near 0x6000000[8c]: ' err
verdict $? what_cannot_be_traced_is_told_where_it_was

# Damage is data: 0, and one line on standard error.
copy
printf '\377' | dd of=snapshot/cstrace.bin bs=1 seek=1600 conv=notrunc 2>err
run decode snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: ETM_0 (0x10): bad_frame: .* lost in 1 place' err &&
    grep -q 'lost: bad_frame' out
verdict $? damage_is_summed_up_and_no_error
run decode "$raw" --framing coresight --protocol etmv3 --profile m
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and there is none: --image' err
verdict $? a_program_that_was_not_given_is_asked_for
run decode "$raw" --framing coresight --protocol etmv3 --profile m \
    --image "$raw@0x70000000"
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and none was found: is it there' err
verdict $? another_program_is_asked_for
# half of the code: its segment begins at 0x1000 of the file
tail -c +4097 "$elf" | head -c 750 >half
ok=0
for how in "--format jsonl" "--stats" "--stats --jobs 2" "--coverage"; do
    run decode "$raw" --framing coresight --protocol etmv3 --profile m \
        --image half@0 $how
    [ "$status" -eq 0 ] && grep -q 'code missing at .* places*$' err || ok=1
done
verdict $ok a_program_that_was_given_in_part_is_not_asked_for
run decode "$raw" --framing coresight --protocol etmv2
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'nothing could be decoded: do protocol' err
verdict $? a_capture_of_which_nothing_is_decoded_asks_why
ok=0
for how in "--format jsonl" "--stats" "--stats --jobs 2" "--coverage"; do
    run decode "$demo/cortex-a9/cstrace.bin" --framing coresight \
        --protocol pft --image "$demo/cortex-a9/sensor.elf" $how
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q 'little could be decoded: do protocol, registers' err || ok=1
done
verdict $ok a_capture_without_its_registers_asks_for_them
for begins in '\037\213\010:by gzip' '\375\067zXZ:by xz' \
    '\050\265\057\375:by zstd' 'BZh91AY&SY:by bzip2' \
    'PK\003\004:archive of zip'; do
    { printf "${begins%%:*}"; head -c 100 /dev/zero; } >other.bin
    fails "what_is_${begins##* }_is_refused" 1 "it is .*${begins#*:}: " \
        decode other.bin --protocol pft
done
{ printf PERFILE2; head -c 100 /dev/zero; } >other.bin
fails perf_without_trace_is_refused 1 'of perf without CoreSight trace' \
    decode other.bin
fails perf_has_its_own_configuration 1 'has its own configuration' \
    decode other.bin --protocol pft
fails a_sysroot_is_for_a_file_of_perf 1 'only a file of perf' \
    decode "$raw" --protocol etmv3 --sysroot .
fails a_snapshot_has_no_sysroot 1 'a sysroot can only be given for a file of perf' \
    decode "$demo/cortex-a9" --sysroot .
fails a_program_in_place_of_a_capture_is_refused 1 'a program, and no trace' \
    decode "$elf" --protocol etmv3
run packets snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: ETM_0 (0x10): .* bytes unsynchronized$' err
verdict $? damage_of_packets_is_summed_up
copy
sed '/dump/,$d' "$m3/cpu_0.ini" >snapshot/cpu_0.ini
run decode snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and there is none: --image' err
verdict $? a_snapshot_without_code_is_decoded_without
run decode "$m3"
[ "$status" -eq 0 ] && [ ! -s err ]
verdict $? whole_capture_says_nothing_on_standard_error

# Output.
works info_tells_the_configuration 'ETMv3.4' info "$m3"
works info_guesses_what_is_missing 'look like ETMv3' \
    info "$raw" --framing coresight
works info_tells_what_is_not_told '^    not told   version' \
    info "$raw" --framing coresight
works core_that_is_not_known_is_null '"core":null,"core_type":null' \
    info "$raw" --framing coresight --format jsonl
for core in cortex-m3 cortex-a9; do
    run info "$demo/$core/cstrace.bin" --framing coresight
    # no byte tells of the return stack, which the program on the A9 used
    try=$(sed -n 's/^    try  *//p' out |
        sed 's/pft --reg ETMCR=0x1/pft --reg ETMCR=0x3/')
    image=$(ls "$demo/$core"/*.elf)
    # shellcheck disable=SC2086 # the options are to be words
    "$etm" decode "$demo/$core/cstrace.bin" --framing coresight $try \
        --image "$image" --format jsonl >tried 2>err
    "$etm" decode "$demo/$core" --format jsonl >expected 2>err
    grep '"k":"range"' tried >ranges
    grep '"k":"range"' expected | cmp -s ranges - && [ -s ranges ]
    verdict $? "options_that_info_tells_decode_$core"
done
run info "$m3"
{ cat out; "$etm" info "$demo/cortex-a9"; "$etm" info "$raw" \
    --framing coresight; } | grep -v "$demo" >all
[ "$(wc -l <all)" -gt 25 ] && ! grep -q '.\{81\}' all
verdict $? info_fits_into_80_columns
# A recording that fails leaves nothing of its own behind.
printf 'nonsense\n' >broken.log
run record --execution broken.log -o failed
[ "$status" -eq 1 ] && [ ! -e failed ]
verdict $? a_recording_that_fails_leaves_no_directory
mkdir mine
echo kept >mine/other
run record --execution broken.log -o mine
[ "$status" -eq 1 ] && [ "$(ls mine)" = other ]
verdict $? what_was_there_before_a_failed_recording_stays

# Ctrl-C ends a program that would not end; the trace up to there is written.
interrupt='timeout --foreground -k 20 -s INT 1'
# shellcheck disable=SC2086 # the command is to be words
$interrupt "$etm" record "$m3/sensor.elf" -o endless >out 2>err
if emulated an_interrupted_program_is_written; then
    [ -s endless/snapshot.ini ] && grep -q '^etm: interrupted, near 0x' err &&
        "$etm" decode endless --stats >out 2>err && [ -s out ]
    verdict $? an_interrupted_program_is_written
fi
"$etm" record "$m3/sensor.elf" -o logged --log log --limit 20000 >/dev/null 2>&1
# shellcheck disable=SC2086
{ cat log; sleep 3; } | $interrupt "$etm" record --core cortex-m3 \
    --execution - -o stopped >out 2>err
[ -s stopped/snapshot.ini ] && "$etm" decode stopped >out 2>err && [ -s out ]
verdict $? an_interrupted_log_is_written

# What has frames is told from what has none.
"$etm" record "$m3/sensor.elf" -o tpiu --framing tpiu --limit 20000 \
    >/dev/null 2>err
"$etm" record "$m3/sensor.elf" -o bytes --framing none --limit 20000 \
    >/dev/null 2>err
printf '1 3 4f\n0 4 80\n' >text
works info_sees_frames 'try --framing coresight$' info "$raw"
emulated info_sees_the_frames_of_a_tpiu &&
    works info_sees_the_frames_of_a_tpiu 'try --framing tpiu$' \
        info tpiu/cstrace.bin
works info_sees_text 'try --framing port$' info text
# The contract names each key, and every buffer has all of its own.
for what in "$m3" "$demo/cortex-a9" "$raw" "$raw --framing coresight"; do
    # shellcheck disable=SC2086
    "$etm" info $what --format jsonl
done >lines 2>err
for what in info packets decode 'decode --level instructions' index \
    'decode --stats' 'decode --coverage'; do
    # shellcheck disable=SC2086
    "$etm" $what "$m3" --format jsonl && "$etm" $what "$demo/cortex-a9" \
        --format jsonl
done >all 2>err
cat lines all | grep -o '"[a-z_0-9]*":' | tr -d '":' | sort -u | while read -r key; do
    grep -q "[\`\"]$key[\`\"]" "$demo/../doc/elements.md" || echo "$key"
done >out
[ -s lines ] && [ -s all ] && [ ! -s out ]
verdict $? keys_of_all_lines_are_in_the_contract
grep '^{"k":"buffer"' lines | sed 's/\[[^]]*\]/[]/; s/:[^,]*//g' | sort -u >out
[ "$(wc -l <out)" -eq 1 ]
verdict $? buffers_have_the_same_keys
works info_sees_frames_for_programs '"looks":"coresight"' \
    info "$raw" --format jsonl
if emulated info_sees_no_frames_where_there_are_none; then
    run info bytes/cstrace.bin
    [ "$status" -eq 0 ] && ! grep -q 'try --framing' out
    verdict $? info_sees_no_frames_where_there_are_none
fi
head -c 4000 "$m3/cstrace.bin" | tr '\204\210' '\020\022' >noise.bin
run info noise.bin --framing coresight
[ "$status" -eq 0 ] && ! grep -q '^    try' out
verdict $? no_options_where_much_is_not_explained
works snapshot_ini_is_a_capture '== trace on: start' \
    decode "$m3/snapshot.ini"
works ranges_are_the_default '  > call     <main>$' decode "$m3"
works instructions_are_listed ' <main>:' decode "$m3" --level instructions
works source_lines_imply_instructions 'board.c:[0-9]*  *[^ ]' \
    decode "$m3" --source-lines
works options_may_come_first '"k":"insn"' --format=jsonl \
    --level=instructions decode "$m3"
works standard_input_is_a_capture '"packet":"a_sync"' packets - \
    --protocol=etmv3 --framing coresight --format jsonl <"$raw"
works source_by_name '"src":16' decode "$m3" --source ETM_0 --format jsonl
works source_by_id_in_decimal '"src":16' decode "$m3" --source 16 \
    --format jsonl
works help_of_all 'etm COMMAND --help' --help
works help_of_decode '--level' decode --help
works version_is_told '^etm [0-9]' --version
for command in info packets decode; do
    "$etm" "$command" "$m3" >expected 2>/dev/null
    run "$command" "$m3" -o file
    [ "$status" -eq 0 ] && [ ! -s out ] && [ -s file ] && cmp -s file expected
    verdict $? "output_of_${command}_goes_to_a_file"
done
run decode "$m3" -ofile2
[ "$status" -eq 0 ] && cmp -s file2 expected
verdict $? output_file_may_be_attached
echo keep >file
fails failure_leaves_the_output_alone 1 nosuch decode nosuch -o file
[ "$(cat file)" = keep ]
verdict $? failure_left_the_output_alone
cp "$raw" raw.bin
fails output_does_not_replace_the_trace 1 'replace the trace' \
    decode raw.bin --framing coresight --protocol etmv3 -o raw.bin
cmp -s raw.bin "$raw"
verdict $? trace_was_not_replaced
cp "$elf" code.elf
fails output_does_not_replace_the_code 1 'replace the code' \
    decode "$raw" --framing coresight --protocol etmv3 --image code.elf \
    -o code.elf
cp -r "$m3" copied
fails output_does_not_replace_the_code_of_a_snapshot 1 'replace the code' \
    decode copied -o copied/sensor.elf
cmp -s code.elf "$elf" && cmp -s copied/sensor.elf "$elf"
verdict $? code_was_not_replaced

# Nothing that is read is lost.
for file in snapshot.ini cpu_0.ini device_1.ini trace.ini; do
    fails "output_does_not_replace_$file" 1 'replace a file of the snapshot' \
        decode copied -o copied/$file
    cmp -s copied/$file "$m3/$file"
    verdict $? "${file}_was_not_replaced"
done
cp -r "$m3" halves
chmod -R u+w halves
head -c 1600 "$m3/cstrace.bin" >halves/first
tail -c +1601 "$m3/cstrace.bin" >halves/second
cp halves/second second
sed 's/^file=cstrace.bin/file=first,second/' "$m3/trace.ini" >halves/trace.ini
fails output_does_not_replace_the_rest_of_the_trace 1 'replace a file' \
    decode halves -o halves/second
cmp -s halves/second second
verdict $? the_rest_was_not_replaced
"$etm" index "$demo/cortex-a9" --format jsonl >index.jsonl 2>err
cp index.jsonl index.kept
fails output_does_not_replace_the_index 1 'replace the index' \
    decode "$demo/cortex-a9" --from ts:5000 --index index.jsonl -o index.jsonl
cmp -s index.jsonl index.kept
verdict $? index_was_not_replaced
"$etm" decode - --framing coresight --protocol etmv3 -o raw.bin <raw.bin \
    >out 2>err
[ $? -eq 1 ] && grep -q 'raw.bin: the output would replace the trace' err &&
    cmp -s raw.bin "$raw"
verdict $? output_does_not_replace_the_standard_input
"$etm" decode raw.bin --framing coresight --protocol etmv3 >>raw.bin 2>err
[ $? -eq 1 ] && grep -q 'output: the output would replace the trace' err &&
    cmp -s raw.bin "$raw"
verdict $? standard_output_is_not_added_to_the_trace
printf 'ETMIDR = 0x4114f253\nETMCCR = 0x8c802000\nETMCCER = 0x18541800\n' >dump
cp dump dump.kept
fails setup_does_not_replace_the_dump 1 'replace the dump' \
    configure --dump dump -o dump
"$etm" configure --dump - -o dump <dump >out 2>err
[ $? -eq 1 ] && cmp -s dump dump.kept
verdict $? nor_as_the_standard_input
fails setup_does_not_replace_the_program 1 'replace the program' \
    configure --core cortex-m3 --elf code.elf -o code.elf
fails explanation_does_not_replace_the_registers 1 'replace the registers' \
    explain dump -o dump
fails explanation_does_not_replace_the_program 1 'replace the program' \
    explain dump --elf code.elf -o code.elf
cmp -s dump dump.kept && cmp -s code.elf "$elf"
verdict $? nothing_was_replaced
printf 'version 1\n00008000 e1a00000\n' >one.log
for place in made there; do
    for file in cstrace.bin snapshot.ini trace.ini device_1.ini \
        code_00008000.bin; do
        rm -rf made
        mkdir -p there
        fails "log_does_not_replace_${file}_of_a_folder_$place" 1 \
            'the log would replace a file of the snapshot' \
            record --execution one.log -o $place --log "./$place/$file"
    done
done
[ ! -e made ] && [ -z "$(ls there)" ]
verdict $? and_leaves_nothing_behind
cp one.log there/trace.ini
fails snapshot_does_not_replace_the_execution 1 'snapshot would replace what' \
    record --execution there/trace.ini -o there
cmp -s one.log there/trace.ini
verdict $? the_execution_was_not_replaced
run record --execution one.log -o there --log there/execution.txt
[ "$status" -eq 0 ] && [ -s there/snapshot.ini ] &&
    grep -q '^00008000 e1a00000' there/execution.txt
verdict $? log_may_stand_beside_the_snapshot
"$etm" decode "$m3" --stats >sums 2>err
"$etm" merge sums sums >twice 2>err
"$etm" merge sums sums -o sums >out 2>err && cmp -s sums twice
verdict $? sums_may_be_added_up_where_they_are

# Nothing is said to be nothing, and is no error.
tells() { # NAME TEXT ARGUMENT...: works, with one line of that on standard error
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$text" err
    verdict $? "$name"
}
run index "$raw" --protocol etmv3 --framing coresight --reg ETMCR=0xc10
[ "$status" -eq 0 ] && sed 1,2d out | grep -q . && ! sed 1,2d out | grep -vq ' -$'
verdict $? an_index_has_no_cycles_where_none_are_counted
run index "$raw" --protocol etmv3 --framing coresight --reg ETMCR=0xc10 \
    --format jsonl
[ "$status" -eq 0 ] && [ -s out ] && ! grep -vq '"cycles":null}$' out
verdict $? cycles_that_are_not_counted_are_null
run index "$raw" --protocol etmv3 --framing coresight --reg ETMCR=0x1c10 \
    --format jsonl
grep -q '"cycles":4211}$' out
verdict $? cycles_that_are_counted_are_not
: >empty
head -c 4096 /dev/zero >zeros
tells an_empty_file_has_nothing_to_decode 'trace (0x00): there is nothing to' \
    decode empty --protocol pft
tells an_empty_file_has_no_packets 'trace (0x00): there is nothing to decode' \
    packets empty --protocol pft
tells an_empty_file_has_no_packets_in_jsonl 'there is nothing to decode' \
    packets empty --protocol pft --format jsonl
tells an_empty_file_has_no_waves 'trace (0x00): there is nothing to decode' \
    packets empty --protocol etmv1 --framing port --format vcd
tells nothing_is_covered_of_an_empty_file 'there is nothing to decode' \
    decode empty --protocol pft --coverage
# A-sync and I-sync, and nothing was executed.
printf '\000\000\000\000\000\200\010\000\200\000\000\041' >idle
"$etm" decode idle --protocol pft --coverage >out 2>err
[ ! -s err ] && grep -q '^0 instructions executed, in 0 ranges$' out
verdict $? coverage_of_trace_without_instructions_is_empty
tells another_trace_id_has_nothing_to_decode '0x22): there is nothing to' \
    decode - --protocol pft --framing coresight --reg ETMTRACEIDR=0x22 <"$raw"
for command in packets decode; do
    tells "trace_ids_are_told_for_$command" \
        'nothing to decode; the trace IDs there are 0x10$' $command "$raw" \
        --protocol etmv3 --framing coresight --reg ETMTRACEIDR=0x22
done
copy
cp snapshot/cstrace.bin snapshot/more.bin
sed -e 's/=buffer0$/=buffer0,buffer1/' -e 's/=ETB_0$/=ETB_0,ETB_1/' \
    -e 's/^name=ETB_0,ETB_1/name=ETB_0/' "$m3/trace.ini" >snapshot/trace.ini
printf '\n[buffer1]\nname=ETB_1\nfile=more.bin\nformat=coresight\n' \
    >>snapshot/trace.ini
sed 's/^\(ETMTRACEIDR.*=\).*/\10x22/' "$m3/device_1.ini" >snapshot/device_1.ini
run decode snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 2 ] &&
    grep -q 'nothing to decode; the trace IDs there are 0x10$' err &&
    grep -q 'no device of the snapshot has trace ID 0x10$' err
verdict $? a_trace_id_of_two_buffers_is_told_once
for command in packets decode index; do
    tells "zeros_have_no_source_for_$command" 'zeros: no trace source is in' \
        $command zeros --protocol pft --framing coresight
done
# Code of another program: no packet is bad, and hardly one fits.
other=$demo/../test/programs/recurse-m3.elf
for what in '--level ranges' '--level instructions' --stats --coverage; do
    # shellcheck disable=SC2086
    tells "other_code_is_asked_about_with_$what" \
        'image_mismatch: .* is the code that of the program that ran' \
        decode "$m3" --image "$other" $what
done
head -c 65536 /dev/zero >blank.bin
tells zeros_in_the_place_of_code_are_asked_about \
    'image_mismatch: .* is the code that of the program that ran' \
    decode "$demo/cortex-a9" --image blank.bin@0x60000000
tells empty_counts_are_no_counts 'empty: there are no counts in it' merge empty
for share in 1e1% 0x10% .5% 5.% 1.5.2% % 100.01% -0% ' 5%' inf%; do
    fails "no_share_of_a_capture: $share" 2 'not a number of bytes, N%' \
        decode "$m3" --from "$share"
done
works a_share_has_a_point 'end of trace' decode "$m3" --from 012.50%
fails a_device_is_no_code 1 'cannot read the file: it is a device or a pipe' \
    decode "$m3" --image /dev/zero@0
fails bytes_are_no_text_of_samples 1 'it is no text.*records, etb or bytes' \
    decode "$raw" --framing port --protocol etmv3
printf 'time,\033[7m,b\n1,2,3\n' >colours.csv
fails a_message_has_no_commands_for_terminals 1 'there are ?\[7m, b' \
    decode colours.csv --framing port --protocol etmv3
printf 'time,\302\2337m,b\n1,2,3\n' >colours.csv
"$etm" decode colours.csv --framing port --protocol etmv3 >out 2>err
LC_ALL=C grep -q "there are $(printf '\302')?7m, b" err
verdict $? nor_commands_of_two_bytes
fails an_address_of_code_is_a_number 1 \
    'mov.bin@0xz: there is no such file, and 0xz is no address' \
    decode "$m3" --image mov.bin@0xz
fails an_empty_name_is_shown 1 '"": cannot read the file: No such file' \
    decode ""
# A clock of 32 bits has no name for that day.
cp -r "$m3" later
touch -t 204006010000 later/* later
works files_may_be_of_2040 'end of trace' decode later
# Files that are nearly right say how they become so.
printf ':10000000004000205B010000590100005901000080\r\n:00000001FF\r\n' >code.hex
printf 'S00A00006D332E737265637A\nS9030000FC\n' >code.srec
printf ':0200000018479F\n:00000001FE\n' >wrong.hex
fails records_that_are_wrong_are_told_by_line 1 \
    "wrong.hex:2: the record's checksum is wrong" \
    decode "$m3" --image wrong.hex
works intel_hex_is_code 'end of trace' decode "$m3" --image code.hex
fails intel_hex_has_addresses 1 'give it without @0x8000' \
    decode "$m3" --image code.hex@0x8000
fails s_records_without_data_are_no_code 1 \
    'code.srec:1: there are no records with data' decode "$m3" --image code.srec
printf ':1' >colon.bin
works a_binary_may_begin_like_them 'end of trace' \
    decode "$m3" --image colon.bin@0x80000000
od -An -v -tx4 "$raw" | head -20 >words.txt
fails text_has_no_frames 1 "it is text.*'xxd -r -p'" \
    decode words.txt --framing coresight --protocol etmv3
fails a_line_of_samples_is_shown 1 \
    'TRACECTL is larger than 0x1; .* the numbers TRACECTL TRACEDATA$' \
    decode words.txt --framing port --protocol etmv3
printf '1 4 839c\n' >wide.txt
fails pins_are_asked_for 1 'TRACEPKT is larger than 0xff; .*--port-width$' \
    decode wide.txt --framing port --protocol etmv1
fails code_is_not_empty 1 'empty@0x8000: the file is empty' \
    decode "$m3" --image empty@0x8000
fails no_instruction_is_no_limit 2 '--limit 0: not a number from 1 on' \
    record "$elf" -o limited --limit 0

# One is not several.
cat >one.log <<'END'
version 1
place 00008000
00008000 e3a00003
exception svc +1 to=00000008:a
00000008 e5801000 w4:00009000=1
END
printf '\000\060\240\343' >mov.bin
{
    "$etm" record --execution one.log --core cortex-r4 --data both -o one
    "$etm" decode one --image mov.bin@0x8000
    "$etm" decode one --image mov.bin@0x8000 --coverage
    "$etm" info one
    printf 'x' >x.bin
    for framing in none coresight; do
        for command in info packets decode; do
            "$etm" $command x.bin --protocol pft --framing $framing
        done
    done
    "$etm" decode x.bin --protocol pft --from 1
} >out 2>&1
nouns='(instruction|exception|transfer|cycle|byte|range|place|packet|frame)'
[ "$(grep -c -E "(^|[ (])1 (bad )?$nouns\b" out)" -ge 8 ] &&
    ! grep -q -E "(^|[ (])1 (bad )?${nouns}s\b" out
verdict $? one_is_no_plural
fails etmv1_has_no_formatter 1 'framing coresight: ETMv1 and ETMv2 put samples' \
    record --execution one.log --etm v1.3 --framing coresight -o formatted

# Pipes: the reader goes away, quietly.
{
    "$etm" decode "$m3" --level instructions --format jsonl 2>err
    echo $? >status
} | head -1 >out
[ "$(cat status)" -eq 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -eq 1 ]
verdict $? reader_that_goes_away_is_no_error
if [ -w /dev/full ]; then
    "$etm" decode "$m3" >/dev/full 2>err
    [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'No space' err
    verdict $? full_disk_is_an_error
    for what in --help --version 'record --help' 'configure --core list'; do
        "$etm" $what >/dev/full 2>err
        [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'No space' err
        verdict $? "full_disk_is_an_error_for_$what"
    done
fi

# A descriptor that is closed is not that of the next file.
head -c 1000 "$raw" >part.bin
run decode part.bin --framing coresight --protocol etmv3 -o expected
"$etm" decode part.bin --framing coresight --protocol etmv3 -o file 2>&-
status=$?
[ "$status" -eq 0 ] && [ -s err ] && cmp -s file expected
verdict $? messages_without_standard_error_are_not_in_the_output
"$etm" decode "$m3" >&- 2>err
status=$?
[ "$status" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
verdict $? closed_standard_output_is_an_error
run decode - --protocol pft <&-
[ "$status" -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
verdict $? closed_standard_input_is_an_error

# Colours: on a terminal, unless NO_COLOR says otherwise.
escape=$(printf '\033')
run decode "$m3"
! grep -q "$escape" out
verdict $? no_colours_in_a_file
run decode "$m3" --color
grep -q "$escape" out
verdict $? colours_if_asked_for
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    colours_on_a_terminal() { # NAME=VALUE...
        env "$@" script -qec "'$etm' decode '$m3' --source 16" /dev/null \
            </dev/null >out 2>err
        grep -q "$escape" out
    }
    colours_on_a_terminal A=b
    verdict $? colours_on_a_terminal
    ! colours_on_a_terminal NO_COLOR=1
    verdict $? no_color_is_honoured
    colours_on_a_terminal NO_COLOR=
    verdict $? empty_no_color_is_not_set
    ! colours_on_a_terminal TERM=dumb
    verdict $? no_colours_on_a_dumb_terminal
fi
echo "1..$n"
