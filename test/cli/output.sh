#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What comes out: listings, files, pipes, colours. Speaks TAP.
# Usage: output.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

# What info tells.
works info_tells_the_configuration 'ETMv3.4' info "$m3"
works info_guesses_what_is_missing 'look like ETMv3' \
    info "$raw" --framing coresight
works info_tells_what_is_not_known '^    not told   version' \
    info "$raw" --framing coresight
works core_that_is_not_known_is_null '"core":null,"core_type":null' \
    info "$raw" --framing coresight --format jsonl
for core in cortex-m3 cortex-a9; do
    run info "$demo/$core/cstrace.bin" --framing coresight
    # no byte tells of the return stack, which the program on the A9 used: E-400
    try=$(sed -n 's/^    try  *//p' out)
    image=$(ls "$demo/$core"/*.elf)
    # shellcheck disable=SC2086 # the options are to be words
    "$etm" decode "$demo/$core/cstrace.bin" --framing coresight $try \
        --image "$image" --format jsonl >tried 2>err
    "$etm" decode "$demo/$core" --format jsonl >expected 2>err
    grep '"k":"range"' tried >ranges
    grep '"k":"range"' expected | equal ranges - && [ -s ranges ]
    verdict $? "options_that_info_tells_decode_$core"
done
run info "$m3"
{ cat out; "$etm" info "$demo/cortex-a9"; "$etm" info "$raw" \
    --framing coresight; } | grep -v "$demo" >all
[ "$(wc -l <all)" -gt 25 ] && ! grep -q '.\{81\}' all
verdict $? info_fits_into_80_columns

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
    'decode --stats' coverage; do
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
    [ "$status" -eq 0 ] && [ -s out ] && ! grep -q 'try --framing' out
    verdict $? info_sees_no_frames_where_there_are_none
fi
head -c 4000 "$m3/cstrace.bin" | tr '\204\210' '\020\022' >noise.bin
run info noise.bin --framing coresight
[ "$status" -eq 0 ] && [ -s out ] && ! grep -q '^    try' out
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
works version_is_printed '^etm [0-9]' --version
for command in info packets decode; do
    "$etm" "$command" "$m3" >expected 2>/dev/null
    run "$command" "$m3" -o file
    [ "$status" -eq 0 ] && [ ! -s out ] && [ -s file ] && equal file expected
    verdict $? "output_of_${command}_goes_to_a_file"
done
run decode "$m3" -ofile2
[ "$status" -eq 0 ] && equal file2 expected
verdict $? output_file_may_be_attached
echo keep >file
fails failure_leaves_the_output_alone 1 nosuch decode nosuch -o file
[ "$(cat file)" = keep ]
verdict $? failure_left_the_output_alone

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

# What is left of the output has whole lines.
(
    trap '' XFSZ
    ulimit -f 16
    exec "$etm" decode "$m3" --format jsonl -o short
) 2>err
[ $? -eq 1 ] && grep -q '^etm: short: File too' err && [ -s short ] &&
    "$etm" decode "$m3" --format jsonl | head -n "$(wc -l <short)" | equal - short
verdict $? a_full_disk_leaves_whole_lines
for i in 1 2 3 4 5 6 7 8; do cat "$raw" "$raw" "$raw" "$raw"; done >more
for i in 1 2 3 4 5 6 7 8; do cat more more; done >much
for signal in INT TERM; do
    torn=0 early=0
    for i in 1 2 3 4 5; do
        rm -f broken
        # a shell makes a command in the background ignore SIGINT
        timeout -k 60 -s $signal 0.$i "$etm" decode much --framing coresight \
            --protocol etmv3 --image "$elf" --format jsonl -o broken 2>err
        [ ! -s broken ] || early=1
        [ ! -s broken ] || [ "$(tail -c 1 broken | tr -d '\n' | wc -c)" -eq 0 ] ||
            torn=1
    done
    [ $torn -eq 0 ] && [ $early -eq 1 ]
    verdict $? "a_signal_leaves_whole_lines: $signal"
done

# Counts for people.
run decode "$m3" --stats
cp out counts
run decode "$m3" --stats --format jsonl
equal out counts
verdict $? counts_are_json_lines
works or_text_if_asked_for '^0x10  instructions: 22838$' decode "$m3" --stats \
    --format text
[ -s out ] && ! grep -q '[{}"]' out && [ "$(wc -l <out)" -eq "$(wc -l <counts)" ]
verdict $? with_as_many_lines
escape=$(printf '\033')
cp "$raw" "name${escape}]0;x"
run info "name${escape}]0;x"
grep -q '^    file       name?\]0;x, 9040 bytes$' out
verdict $? no_control_characters_of_a_path

# A descriptor that is closed is not that of the next file.
head -c 1000 "$raw" >part.bin
run decode part.bin --framing coresight --protocol etmv3 -o expected
"$etm" decode part.bin --framing coresight --protocol etmv3 -o file 2>&-
status=$?
[ "$status" -eq 0 ] && [ -s err ] && equal file expected
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
[ -s out ] && ! grep -q "$escape" out
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
    ! colours_on_a_terminal NO_COLOR=1 && [ -s out ]
    verdict $? no_color_is_honoured
    colours_on_a_terminal NO_COLOR=
    verdict $? empty_no_color_is_not_set
    ! colours_on_a_terminal TERM=dumb && [ -s out ]
    verdict $? no_colours_on_a_dumb_terminal
fi
echo "1..$n"
