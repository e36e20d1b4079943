#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The samples of a trace port. Speaks TAP. Usage: samples.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

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
# What stands before a line that is none is given all the same, and as it is
# with nothing after it, but for what the end of a capture cuts off; many come
# before, so that it is in a later piece.
whole_before() { # NAME HOW FILE OPTIONS
    name=$1 how=$2 file=$3
    shift 3
    "$etm" "$how" "$file" "$@" --format jsonl >whole.jsonl 2>err
    { cat "$file"; printf '0 z 1\n'; cat "$file"; } >broken.txt
    lines=$(($(wc -l <"$file") + 1))
    run "$how" broken.txt "$@" --format jsonl
    [ "$status" -eq 1 ] && grep -q "broken.txt:$lines: " err &&
        [ "$(grep -c '"k":"end"' out)" -eq 0 ] && [ "$(wc -l <out)" -gt 2 ] &&
        grep -v '"k":"end"\|"truncated":true\|"truncated",' whole.jsonl |
        equal - out
    verdict $? "$name"
}
awk 'BEGIN {
    print "1 4 80\n0 0 a0\n0 0 80\n0 3 80\n0 3 10"
    for (i = 0; i < 5000; i++)
        print "0 6 0\n0 0 0"
}' >long.txt
for jobs in 1 3; do
    whole_before elements_before_a_broken_line_are_given_by_${jobs}_threads \
        decode long.txt $v1 --jobs $jobs
done
whole_before packets_before_a_broken_line_are_given packets v1.txt $v1
printf '0 0\n0 0\n0 0\n0 0\n0 0\n0 80\n' >a_sync.txt
cat a_sync.txt a_sync.txt a_sync.txt a_sync.txt >v3.txt
whole_before bytes_before_a_broken_line_are_given packets v3.txt \
    --framing port --protocol etmv3 --port-width 8

# So it is at a TPIU's port, where frames are of several sources: each has what
# stands before, and the line is reported once.
as_samples() { # the bytes of standard input, at eight pins
    od -An -v -tx1 -w1 | sed 's/^/0/'
}
a9=$demo/cortex-a9
{
    printf '\377\377\377\177'
    cat "$a9/cstrace.bin"
    printf '\045' # the same of trace ID 0x12
    tail -c +2 "$a9/cstrace.bin"
} | as_samples >tpiu.txt
tpiu="--framing tpiu-port --port-width 8 --protocol pft --image $a9/sensor.elf
    --reg ETMCR=0x3000c800 --reg ETMIDR=0x411cf300 --reg ETMCCER=0x00c019a2"
for jobs in 1 3; do
    whole_before frames_before_a_broken_line_are_decoded_by_${jobs}_threads \
        decode tpiu.txt $tpiu --jobs $jobs
done
grep -q '"src":17,' out && grep -q '"src":18,' out && [ "$(wc -l <err)" -eq 1 ]
verdict $? a_broken_line_is_reported_once_after_all_sources
whole_before frames_before_a_broken_line_have_packets packets tpiu.txt $tpiu
run info broken.txt $tpiu
[ "$status" -eq 1 ] && grep -q "^etm: broken.txt:$lines: " err &&
    [ "$(grep -c '^source ' out)" -eq 2 ] && grep -q 'code  *0x60000000' out
verdict $? info_has_what_stands_before_a_broken_line
run decode broken.txt $tpiu --source 17 --to 3000 --format jsonl
[ "$status" -eq 0 ] && [ ! -s err ] && grep -q '"k":"range"' out
verdict $? a_part_before_a_broken_line_is_whole
run decode broken.txt $tpiu --source 18 --from 4000 --format jsonl
[ "$status" -eq 1 ] && grep -q '"k":"range"' out
verdict $? a_part_may_begin_shortly_before_a_broken_line
run decode broken.txt $tpiu --stats
[ "$status" -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
verdict $? counts_of_a_file_with_a_broken_line_are_not_reported
{ echo 0 zz; cat tpiu.txt; } >broken.txt
fails nothing_before_a_broken_line_is_nothing_to_read 1 'broken.txt:1: ' \
    info broken.txt $tpiu

# V1-TRG-05, E-355
cat v1.txt v1.txt >twice.txt
run decode v1.txt $v1
grep -q 'triggers' err || run decode twice.txt $v1
[ "$status" -eq 0 ] && grep -q '2 triggers, but a run has only one' err
verdict $? second_trigger_is_reported
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
[ "$status" -eq 1 ] && grep -q 'v1.txt:1: .*the protocol is not given' err &&
    grep -q 'only ETMv1 and ETMv2 have PIPESTAT' err &&
    ! grep -q 'none of them is an A-sync' out
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
equal out straight.jsonl
verdict $? waves_hold_the_same_samples
printf '$enddefinitions $end\n' >port.vcd
fails dump_without_a_signal_names_it 1 'port.vcd:1: TRACECLK is not in' \
    decode port.vcd $v1
echo "1..$n"
