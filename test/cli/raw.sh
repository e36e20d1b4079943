#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A raw file of which nothing, or little, is said: what is taken from its bytes,
# and what --core stands for; and files that are no trace at all. Speaks TAP.
# Usage: raw.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"
a9=$demo/cortex-a9
cp "$raw" m3.bin
cp "$a9/cstrace.bin" a9.bin

# Everything but the ID of the source, which a snapshot may not know.
lines() { # FILE
    sed 's/"src":[0-9]*,//' "$1"
}

# With nothing said, everything is as with the options that the line names.
for file in m3.bin a9.bin; do
    case $file in
    m3.bin) image=$elf ;;
    *) image=$a9/sensor.elf ;;
    esac
    run decode $file --image "$image" --format jsonl
    cp out decoded
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q "^etm: $file: as its bytes look, it is read with --framing coresight --protocol " err
    verdict $? "what_is_taken_is_said: $file"
    options=$(sed 's/.* it is read with//' err)
    # shellcheck disable=SC2086 # options
    run decode $file --image "$image" --format jsonl $options
    [ "$status" -eq 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -gt 500 ] &&
        equal out decoded
    verdict $? "the_options_say_it: $file"
    for command in packets index; do
        # shellcheck disable=SC2086 # options
        run $command $file --format jsonl $options
        cp out told
        tells "it_is_taken_for_$command: $file" \
            ": $file: as its bytes look, it is read with$options\$" \
            $command $file --format jsonl
        equal out told
        verdict $? "and_the_same: $command $file"
    done
    # shellcheck disable=SC2086 # options
    run decode - --image "$image" --format jsonl <$file
    grep -q '^etm: standard input: as its bytes look' err && equal out decoded
    verdict $? "it_is_taken_from_a_pipe: $file"
done
run decode "$m3" --format jsonl
lines out >snapshot.jsonl
run decode m3.bin --image "$elf" --format jsonl
lines out | equal - snapshot.jsonl
verdict $? what_is_taken_decodes_as_the_snapshot_does
run info m3.bin
grep -q 'framing    none' out && grep -q 'try --framing coresight$' out
verdict $? info_takes_nothing
tells what_is_given_is_not_taken ': as its bytes look, it is read with --framing coresight$' \
    packets m3.bin --protocol etmv3 --reg ETMCR=0 --reg ETMIDR=0x4114f243
tells missing_registers_are_taken ' --reg ETMCR=0x[0-9a-f]*$' \
    packets a9.bin --protocol pft --framing coresight
run packets a9.bin --protocol pft --framing coresight --reg ETMCR=0x3000c000
[ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ]
verdict $? nothing_is_taken_where_all_is_given

# What leaves it open.
tail -c +4097 "$elf" | head -c 750 >program
fails a_riddle_stays_one 1 'trace (0x00) cannot be decoded: its bytes do not tell the protocol.*: give --core NAME or --protocol' \
    decode program
head -c 4096 /dev/zero >zeros
fails an_empty_buffer_is_said_to_be_one 1 'all its bytes are 0x00: nothing was traced' \
    packets zeros

# --core.
for core in cortex-m3 Cortex_M3 CORTEXM3; do
    run decode m3.bin --core $core --image "$elf" --format jsonl
    lines out | equal - snapshot.jsonl
    verdict $? "a_core_says_it: $core"
done
run decode m3.bin --core cortex-m3 --framing coresight --image "$elf"
[ "$status" -eq 0 ] && [ ! -s err ] && grep -q ': ETMv3.5$' out
verdict $? nothing_is_taken_from_the_bytes_if_the_core_says_it
works a_register_has_precedence 'ETMv3.4' info m3.bin --core cortex-m3 \
    --framing coresight --reg ETMIDR=0x4114f243
works a_core_is_for_info_too 'protocol   ETMv3.5' info m3.bin --core cortex-m3 \
    --framing coresight
works a_core_tells_the_version_of_an_etmv1 'ETMv1.2' packets \
    "$demo/../test/data/etmv1_port/port.txt" --core arm7tdmi --framing port
for command in info packets decode index; do
    fails "no_such_core: $command" 2 '--core cortex-m33: no such core' \
        $command m3.bin --core cortex-m33
done
fails a_core_has_one_protocol 2 '--protocol pft: --core cortex-m3 has ETMv3.5' \
    decode m3.bin --core cortex-m3 --protocol pft
fails a_core_has_one_profile 2 '--profile: --core cortex-m3 is of profile M' \
    decode m3.bin --core cortex-m3 --profile a
fails a_core_has_macrocells_of_one_kind 2 'ETMIDR 0x411cf312: --core cortex-a9r0p0 has\|ETMIDR 0x4114f243: --core cortex-a9 has PFT 1.0' \
    decode m3.bin --core cortex-a9 --reg ETMIDR=0x4114f243
fails the_bytes_know_the_core_better 1 'its bytes look like ETMv3 of an M-profile processor .*, not like PFT 1.0' \
    decode m3.bin --core cortex-a9
fails also_within_a_protocol 1 'alternative branch encoding), not like ETMv3.3' \
    decode m3.bin --core cortex-a8
run decode m3.bin --core cortex-a9 --protocol pft --framing coresight
[ "$status" -eq 0 ] && grep -q ': PFT 1.0$' out
verdict $? a_protocol_that_is_given_is_believed
works a_snapshot_may_be_of_the_core 'Cortex-M3 cpu_0' decode "$m3" \
    --core cortex-m3
fails a_snapshot_may_be_of_another_core 1 '--core cortex-a9: its macrocell is PFT 1.0, and ETM_0 (0x10) is another one (ETMv3.4)' \
    decode "$m3" --core cortex-a9

# Frames of an ETM and an ITM: one frame of each in turn.
frames() { # ID-BYTE: hexadecimal bytes, 14 in a line, to frames of one source
    while read -r line; do
        # shellcheck disable=SC2086 # words
        set -- "$1" $line
        text=$1 auxiliary=0 i=1
        id=$1
        shift
        for byte; do
            value=$((0x$byte))
            if [ $((i % 2)) -eq 0 ]; then
                auxiliary=$((auxiliary | (value & 1) << (i / 2)))
                value=$((value & 254))
            fi
            text="$text $(printf %02x $value)"
            i=$((i + 1))
        done
        [ $i -eq 15 ] && echo "$text $(printf %02x $auxiliary)"
        set -- "$id"
    done
}
"$etm" packets "$m3" --format jsonl | sed -n 's/.*"bytes":"\([^"]*\)".*/\1/p' |
    tr '\n' ' ' | fold -w 42 | head -n 120 | frames 21 >etm.hex
yes '01 41 01 42 01 43 01 44 01 45 01 46 01 47' | head -n 119 |
    frames 03 >itm.hex
in_turn() { # HEX: its frames and those of the ETM, as bytes
    paste -d '\n' etm.hex "$1" | grep . | tr -d '\n' |
        sed 's/ //g; s/../\\x&/g' | xargs -0 printf '%b'
}
in_turn itm.hex >both.bin
run decode both.bin --image "$elf"
[ "$status" -eq 0 ] && grep -q '^0x10 (0x10): ETMv3.4$' out &&
    grep -q '^0x01 (0x01): ITM$' out && grep -q -e '--source 0x01.* --protocol itm' err
verdict $? an_itm_beside_an_etm_is_told_by_its_bytes
run decode both.bin --core cortex-m3 --image "$elf"
[ "$status" -eq 0 ] && grep -q '^0x10 (0x10): ETMv3.5$' out &&
    grep -q '^0x01 (0x01): ITM$' out
verdict $? also_with_a_core
yes '55 aa 6c d2 b3 9b 55 e3 4c d1 a5 5a 5a 96' | head -n 119 |
    frames 03 >noise.hex
in_turn noise.hex >noisy.bin
run decode noisy.bin --core cortex-m3 --image "$elf"
[ "$status" -eq 0 ] && ! grep -q '^0x01' out &&
    grep -q '^etm: skipping 0x01 (0x01): its bytes are not ETMv3.5' err
verdict $? what_is_unknown_is_not_of_the_core
run decode noisy.bin --protocol etmv3 --framing coresight --image "$elf"
grep -q '^0x01' out && grep -q '^0x10' out
verdict $? a_protocol_is_for_all

# Files that are no trace: what they are, and what to do.
: >empty
mkdir folder
echo 'int main(void) { return 0; }' >program.c
printf '2024-05-01 12:00:01 INFO started, listening on 0.0.0.0\n%s\n' \
    '2024-05-01 12:00:02 WARN \303\244\303\266 took 12 ms' >app.log
printf '\033[32mok\033[0m 1, 2, 3\n\033[31mbad\033[0m 4, 5, 6\n' >colours.log
printf '\n<!DOCTYPE html>\n<html><body>Not found</body></html>\n' >page.html
printf '{"name": "trace", "values": [1, 2, 3], "more": null}\n' >some.json
printf '#!/bin/sh\n# dump it\necho trace\n' >dump.sh
printf 'name,value\nfirst,one\nsecond,two\n' >words.csv
printf '\377\376t\000e\000x\000t\000\r\000\n\000' >wide.txt
(echo 'Disassembly of section .text:' && echo '00008000 <main>:' &&
    echo '    8000: e1a00000   nop') >listing.txt
printf '!<arch>\nmain.o/         0           0     0     644     4         `\n' >lib.a
{ printf 'm3.bin'; head -c 251 /dev/zero; printf 'ustar'; head -c 300 /dev/zero; } >m3.tar
cp "$elf" sensor.elf
while read -r file what; do
    for how in info decode 'packets --protocol etmv3' \
        'index --framing coresight --protocol pft'; do
        # shellcheck disable=SC2086 # options
        fails "what_is_$file: $how" 1 "$file: $what" $how $file
    done
done <<'END'
program.c it is text, neither trace nor samples
app.log it is text, neither trace nor samples
colours.log it is text, neither trace nor samples
page.html it is a web page
some.json it is text, neither trace nor samples
dump.sh it is text, neither trace nor samples
words.csv it is text, neither trace nor samples
wide.txt it is text in UTF-16
listing.txt it is text, neither trace nor samples
lib.a it is an archive of object files
m3.tar it is a tar archive: extract
sensor.elf it is an ELF file: .*--image
folder it is a directory without a snapshot.ini
END
fails an_empty_file_is_said_to_be_one 1 'cannot be decoded: the file is empty' \
    decode empty
tells an_empty_file_has_nothing 'there is nothing to decode: the file is empty$' \
    decode empty --protocol etmv3
tells an_empty_file_has_no_frames 'empty: the file is empty$' decode empty \
    --protocol etmv3 --framing coresight
works an_empty_file_is_shown '^    skipped: the file is empty$' info empty
mkdir traced && cp m3.bin traced/perf.data
fails a_file_of_perf_is_pointed_at 1 'give the perf.data in it' decode traced
# Text that is samples of a port is none of these.
works samples_are_not_any_text 'look like text or OpenOCD' \
    info "$demo/../test/data/etmv1_port/port.txt"
printf 'Time;clk;d\n;L;$1f\n"1.5 ns";H;"$0e"\n' >levels.csv
works a_table_of_an_analyser_is_not_any_text 'look like text or OpenOCD' \
    info levels.csv
printf '# a comment, of a log\n0 4 4f\n0 4 00\n' >samples.txt
fails samples_need_a_protocol 1 'it looks like samples of a trace port: give --framing port, and' \
    decode "$demo/../test/data/etmv1_port/port.txt"
tells samples_of_a_core_are_read 'it is read with --framing port$' \
    packets "$demo/../test/data/etmv1_port/port.txt" --core arm7tdmi
works also_after_a_comment 'look like text or OpenOCD' info samples.txt
printf 'Time[s], D0, D1\n0.000, 0, 1\n0.001, 1, 1\n' >table.csv
works also_in_a_table 'look like text or OpenOCD' info table.csv

# Parts end where they were asked to, which is no damage.
ok=0
for from in 0 500 3333; do
    for size in 90 300 301 302 303 1000 2777; do
        for how in decode 'decode --format jsonl' 'decode --stats' coverage 'decode --jobs 1'; do
            # shellcheck disable=SC2086 # options
            run $how "$m3" --from $from --to $((from + size))
            [ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ] &&
                ! grep -q truncated out ||
                ok=1
        done
    done
done
verdict $ok the_end_of_a_part_is_no_damage
head -c 3021 m3.bin >cut
run decode cut --core cortex-m3 --framing coresight --to 3005 --image "$elf"
[ -s out ] && [ ! -s err ]
verdict $? nor_of_a_file_that_was_cut
tail -c +8 m3.bin | head -c 400 >late # before the first synchronization
cat late m3.bin >wrapped
run decode wrapped --framing none --protocol etmv3 --reg ETMCR=0 --to 460
[ -s out ] && ! grep -q 'registers and framing right' err
verdict $? what_comes_before_a_part_is_not_to_blame
# Damage within it is.
{ head -c 2000 m3.bin; head -c 300 /dev/zero | tr '\0' '\124'; tail -c +2301 m3.bin; } >damaged
run decode damaged --core cortex-m3 --framing coresight --to 3000 --image "$elf"
grep -q 'lost in' err
verdict $? damage_within_a_part_is_reported

# What a processor does not have is not shown.
run decode "$m3"
grep -q -e '-- context: thumb$' out && ! grep -q 'Hyp\|secure' out
verdict $? an_m_profile_processor_has_no_security_state
run decode "$m3" --format jsonl
grep -q '"k":"context".*"secure":[a-z]*,"hyp":[a-z]*,' out
verdict $? json_lines_have_what_the_trace_says
run decode "$a9"
grep -q -e '-- context: thumb, secure, context ID' out && ! grep -q Hyp out
verdict $? without_virtualization_there_is_no_hyp_mode
run decode "$m3"
cp out plain
tells trace_without_cycles_is_said_to_have_none \
    'ETM_0 (0x10): --cycles: its trace has no cycles: it is not cycle-accurate' \
    decode "$m3" --cycles
equal out plain
verdict $? and_has_no_columns_for_them
echo "1..$n"
