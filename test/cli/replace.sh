#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nothing that is read is lost: an output does not replace it. Speaks TAP.
# Usage: replace.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

cp "$raw" raw.bin
fails output_does_not_replace_the_trace 1 'replace the trace' \
    decode raw.bin --framing coresight --protocol etmv3 -o raw.bin
equal raw.bin "$raw"
verdict $? trace_was_not_replaced
cp "$elf" code.elf
fails output_does_not_replace_the_code 1 'replace the code' \
    decode "$raw" --framing coresight --protocol etmv3 --image code.elf \
    -o code.elf
cp -r "$m3" copied
fails output_does_not_replace_the_code_of_a_snapshot 1 'replace the code' \
    decode copied -o copied/sensor.elf
equal code.elf "$elf" && equal copied/sensor.elf "$elf"
verdict $? code_was_not_replaced

# Nothing that is read is lost.
for file in snapshot.ini cpu_0.ini device_1.ini trace.ini; do
    fails "output_does_not_replace_$file" 1 'replace a file of the snapshot' \
        decode copied -o copied/$file
    equal copied/$file "$m3/$file"
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
equal halves/second second
verdict $? the_rest_was_not_replaced
"$etm" index "$demo/cortex-a9" --format jsonl >index.jsonl 2>err
cp index.jsonl index.kept
fails output_does_not_replace_the_index 1 'replace the index' \
    decode "$demo/cortex-a9" --from ts:5000 --index index.jsonl -o index.jsonl
equal index.jsonl index.kept
verdict $? index_was_not_replaced
"$etm" decode - --framing coresight --protocol etmv3 -o raw.bin <raw.bin \
    >out 2>err
[ $? -eq 1 ] && grep -q 'raw.bin: the output would replace the trace' err &&
    equal raw.bin "$raw"
verdict $? output_does_not_replace_the_standard_input
"$etm" decode raw.bin --framing coresight --protocol etmv3 >>raw.bin 2>err
[ $? -eq 1 ] && grep -q 'output: the output would replace the trace' err &&
    equal raw.bin "$raw"
verdict $? standard_output_is_not_added_to_the_trace
printf 'ETMIDR = 0x4114f253\nETMCCR = 0x8c802000\nETMCCER = 0x18541800\n' >dump
cp dump dump.kept
fails setup_does_not_replace_the_dump 1 'replace the dump' \
    configure --dump dump -o dump
"$etm" configure --dump - -o dump <dump >out 2>err
[ $? -eq 1 ] && equal dump dump.kept
verdict $? nor_as_the_standard_input
fails setup_does_not_replace_the_program 1 'replace the program' \
    configure --core cortex-m3 --elf code.elf -o code.elf
fails explanation_does_not_replace_the_registers 1 'replace the registers' \
    explain dump -o dump
fails explanation_does_not_replace_the_program 1 'replace the program' \
    explain dump --elf code.elf -o code.elf
equal dump dump.kept && equal code.elf "$elf"
verdict $? nothing_was_replaced
printf 'version 1\n00008000 e1a00000\n' >one.log
for place in made there; do
    for file in cstrace.bin snapshot.ini trace.ini device_1.ini \
        code.bin; do
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
equal one.log there/trace.ini
verdict $? the_execution_was_not_replaced
run record --execution one.log -o there --log there/execution.txt
[ "$status" -eq 0 ] && [ -s there/snapshot.ini ] &&
    grep -q '^00008000 e1a00000' there/execution.txt
verdict $? log_may_stand_beside_the_snapshot
"$etm" decode "$m3" --stats >sums 2>err
"$etm" merge sums sums >twice 2>err
"$etm" merge sums sums -o sums >out 2>err && equal sums twice
verdict $? sums_may_be_added_up_where_they_are
echo "1..$n"
