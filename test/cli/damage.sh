#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damage is data: status 0, and one line on standard error. Nothing is said to be
# nothing, and is no error. Speaks TAP. Usage: damage.sh ETM DEMO EMULATOR
# WHOLE
set -u

whole=$(cd "$(dirname "$4")" && pwd)/$(basename "$4")
. "$(dirname "$0")/cli.sh"

copy
printf '\377' | dd of=snapshot/cstrace.bin bs=1 seek=1600 conv=notrunc 2>err
run decode snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: ETM_0 (0x10): bad_frame: .* lost in 1 place' err &&
    grep -q 'lost: bad_frame' out
verdict $? damage_is_summed_up_and_no_error
"$whole" "$etm" decode snapshot >out 2>err &&
    "$whole" "$etm" decode nosuch >out 2>err
verdict $? messages_come_out_a_line_at_a_time
ok=0
for core in cortex-m3 cortex-a9; do
    part=$demo/$core/cstrace.bin
    rm -rf joined && cp -r "$demo/$core" joined && chmod -R u+w joined
    { head -c -5 "$part"; cat "$part" "$part" "$part" "$part"; } \
        >joined/cstrace.bin
    run decode joined
    [ "$status" -eq 0 ] && grep -q 'lost in' err &&
        ! grep -q 'without frames\|byte order' err || ok=1
done
verdict $ok a_dump_that_lost_bytes_is_not_said_to_have_another_framing
ok=0
for core in cortex-m3 cortex-a9; do
    part=$demo/$core/cstrace.bin
    { head -c -5 "$part"; cat "$part" "$part" "$part" "$part"; } \
        >joined/trace.bin
    rm -rf joined/whole && cp -r "$demo/$core" joined/whole
    chmod -R u+w joined/whole
    "$etm" decode joined/whole --format jsonl >out 2>err || ok=1
    whole_ranges=$(grep -c '"k":"range"' out)
    cp joined/trace.bin joined/whole/cstrace.bin
    "$etm" decode joined/whole --format jsonl --jobs 1 >out 2>err || ok=1
    "$etm" decode joined/whole --format jsonl --jobs 2 2>err | equal - out ||
        ok=1
    [ "$whole_ranges" -gt 100 ] && grep -q '"lost".*bad_frame' out &&
        [ "$(grep -c '"k":"range"' out)" -gt $((whole_ranges * 9 / 2)) ] || ok=1
done
verdict $ok frames_are_found_again_after_missing_bytes
run decode "$raw" --framing coresight --protocol etmv3 --profile m
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and there is none: use --image' err
verdict $? a_program_that_was_not_given_is_asked_for
run decode "$raw" --framing coresight --protocol etmv3 --profile m \
    --image "$raw@0x70000000"
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and none was found: is it there (--image), and are protocol and' err
verdict $? another_program_is_asked_for
# half of the code: its segment begins at 0x1000 of the file
tail -c +4097 "$elf" | head -c 750 >half
ok=0
for how in "decode --format jsonl" "decode --stats" "decode --stats --jobs 2" coverage; do
    run $how "$raw" --framing coresight --protocol etmv3 --profile m \
        --image half@0
    [ "$status" -eq 0 ] && grep -q 'code missing at .* places*$' err || ok=1
done
verdict $ok a_program_that_was_given_in_part_is_not_asked_for
run decode "$raw" --framing coresight --protocol etmv2
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'nothing could be decoded: are protocol' err
verdict $? a_capture_of_which_nothing_is_decoded_asks_why
ok=0
for how in "decode --format jsonl" "decode --stats" "decode --stats --jobs 2" coverage; do
    run $how "$demo/cortex-a9/cstrace.bin" --framing coresight \
        --protocol pft --reg ETMCR=0 --image "$demo/cortex-a9/sensor.elf"
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q 'little could be decoded: are protocol, registers' err || ok=1
done
verdict $ok a_capture_with_wrong_registers_asks_for_them
for begins in '\037\213\010:by gzip' '\375\067zXZ:by xz' \
    '\050\265\057\375:by zstd' 'BZh91AY&SY:by bzip2' \
    'PK\003\004:a zip archive'; do
    { printf "${begins%%:*}"; head -c 100 /dev/zero; } >other.bin
    fails "what_is_${begins##* }_is_refused" 1 "it is .*${begins#*:}: " \
        decode other.bin --protocol pft
done
{ printf PERFILE2; head -c 100 /dev/zero; } >other.bin
fails perf_without_trace_is_refused 1 'perf file without CoreSight trace' \
    decode other.bin
fails perf_has_its_own_configuration 1 'has its own configuration' \
    decode other.bin --protocol pft
fails a_sysroot_is_for_a_file_of_perf 1 'a sysroot is for a perf file only' \
    decode "$raw" --protocol etmv3 --sysroot .
fails a_snapshot_has_no_sysroot 1 'a sysroot can only be given for a perf file' \
    decode "$demo/cortex-a9" --sysroot .
fails a_program_in_place_of_a_capture_is_refused 1 'a program, not trace' \
    decode "$elf" --protocol etmv3
run packets snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: ETM_0 (0x10): .* bytes unsynchronized$' err
verdict $? damage_of_packets_is_summed_up
# Each sum as it is reported: S is an A-sync and an I-sync, of 12 bytes.
sums() { # NAME STREAM LINE COMMAND...
    name=$1 line="etm: trace (0x00): $3"
    printf "$(printf %s "$2" |
        sed 's/S/\\000\\000\\000\\000\\000\\200\\010\\000\\200\\000\\000\\041/g')" \
        >stream
    shift 3
    run "$@" stream --protocol pft
    [ "$status" -eq 0 ] && [ "$(cat err)" = "$line" ]
    verdict $? "$name"
}
sums a_bad_packet_is_one_byte 'S\016' '1 byte in 1 bad packet' packets
sums bad_packets_are_counted 'S\016S\016' '2 bytes in 2 bad packets' packets
sums bytes_before_the_first_a_sync_are_counted '\125\125S\204' \
    '2 bytes unsynchronized' packets
sums both_are_reported '\125S\016' \
    '1 byte in 1 bad packet; 1 byte unsynchronized' packets
missing='code missing at 1 place, and there is none: use --image FILE'
for how in decode 'decode --stats' 'decode --stats --jobs 2' coverage; do
    # shellcheck disable=SC2086
    sums "code_may_be_missing_once $how" 'S\204' "$missing" $how
    # shellcheck disable=SC2086
    sums "a_byte_may_be_lost_before $how" '\125S\204' \
        "unsynchronized: 1 byte lost in 1 place; $missing" $how
    # shellcheck disable=SC2086
    sums "nothing_else_is_reported $how" '\125S' \
        'unsynchronized: 1 byte lost in 1 place' $how
done

copy
sed '/dump/,$d' "$m3/cpu_0.ini" >snapshot/cpu_0.ini
run decode snapshot
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'code missing at .*, and there is none: use --image' err
verdict $? a_snapshot_without_code_is_decoded_without
run decode "$m3"
[ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ]
verdict $? whole_capture_says_nothing_on_standard_error

# Nothing is said to be nothing, and is no error.
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
    coverage empty --protocol pft
# A-sync and I-sync, and nothing was executed.
printf '\000\000\000\000\000\200\010\000\200\000\000\041' >idle
"$etm" coverage idle --protocol pft >out 2>err
[ ! -s err ] && grep -q -x '0 instructions executed' out
verdict $? coverage_of_trace_without_instructions_is_empty
tells another_trace_id_has_nothing_to_decode '0x22): there is nothing to' \
    decode - --protocol pft --framing coresight --reg ETMTRACEIDR=0x22 <"$raw"
for command in packets decode; do
    tells "trace_ids_are_reported_for_$command" \
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
verdict $? a_trace_id_of_two_buffers_is_reported_once
for command in packets decode index; do
    tells "zeros_have_no_source_for_$command" 'zeros: it contains no trace source' \
        $command zeros --protocol pft --framing coresight
done
# Trace in which decoding cannot begin, though everything else is right.
head -c 1000 /dev/zero | tr '\0' '\204' >headers
for how in "decode --level ranges" "decode --stats" coverage; do
    # shellcheck disable=SC2086
    tells "trace_without_a_sync_is_reported_with_$how" \
        'there is no A-sync with an I-sync after it: .* (ETMSYNCFR)?$' \
        $how headers --protocol etmv3 --framing none
done
for how in "decode --level ranges --to 500" "coverage --to 50%" "decode --stats --shard 2/2"; do
    # shellcheck disable=SC2086
    tells "a_part_without_a_sync_is_not_to_blame: $how" \
        'since this part has no A-sync with an I-sync after it$' \
        $how headers --protocol etmv3 --framing none
done
works info_says_that_there_is_no_a_sync 'none of them is an A-sync' \
    info headers --protocol etmv3 --framing none
tells a_return_stack_that_was_off_is_asked_about \
    'image_mismatch: .*ETMCR says that the return stack, bit 29, was off' \
    decode "$demo/cortex-a9/cstrace.bin" --framing coresight --protocol pft \
    --reg ETMCR=0x1000c000 --image "$demo/cortex-a9/sensor.elf"
# A loop of BL, BX LR and B. Before Thumb-2 a BL is two instructions, with two E
# atoms (4.5.4).
printf '\000\360\001\370\374\347\160\107' >halves.bin
{
    printf '\000\000\000\000\000\200\010\041\001\200\000\000\214\005'
    for i in $(seq 40); do printf '\220\005'; done
} >halves
for how in 'decode --level ranges' 'decode --level instructions' 'decode --stats' coverage; do
    # shellcheck disable=SC2086
    tells "halves_of_a_thumb_bl_are_asked_about_with_$how" \
        'image_mismatch: .*ETMIDR is not given: .*a Thumb BL traced as two' \
        $how halves --protocol etmv3 --reg ETMCR=0 --image halves.bin@0x8000
done
run decode halves --protocol etmv3 --reg ETMCR=0 --reg ETMIDR=0x41013211 \
    --image halves.bin@0x8000 --format jsonl
[ "$status" -eq 0 ] && [ ! -s err ] &&
    [ "$(grep -c '"start":"0x00008006"' out)" -eq 41 ]
verdict $? and_the_proposed_etmidr_is_right
run info halves --framing none
[ "$status" -eq 0 ] && grep -q 'whether a Thumb BL is traced as two' out
verdict $? info_says_that_bytes_do_not_tell_halves_of_a_thumb_bl
# Code of another program: no packet is bad, and hardly one fits.
other=$demo/../test/programs/recurse-m3.elf
for what in 'decode --level ranges' 'decode --level instructions' 'decode --stats' coverage; do
    # shellcheck disable=SC2086
    tells "other_code_is_asked_about_with_$what" \
        'image_mismatch: .* is this the code that ran' \
        $what "$m3" --image "$other"
done
head -c 65536 /dev/zero >blank.bin
tells zeros_in_the_place_of_code_are_asked_about \
    'image_mismatch: .* is this the code that ran' \
    decode "$demo/cortex-a9" --image blank.bin@0x60000000
tells empty_counts_are_no_counts 'empty: there are no counts in it' merge empty
echo "1..$n"
