#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A formatted capture that begins within a frame: wherever it was cut, what is
# after the cut comes out, of a file and of a pipe, of parts and of all, by
# one thread and by several. Speaks TAP. Usage: cut.sh ETM PROGRAM.elf
set -u

. "$(dirname "$0")/../support/tap.sh"
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$scratch" || exit 99

registers_of() { # SNAPSHOT
    sed -n 's/^\(ETM[A-Z0-9]*\)\((.*)\)*=\(.*\)$/--reg \1=\3/p' "$1"/*.ini |
        tr '\n' ' '
}
registers() {
    registers_of rec
}

"$etm" record "$program" -o rec --etm v3.4 --framing coresight \
    --sync 400 >/dev/null 2>err && [ -s rec/cstrace.bin ]
verdict $? a_program_is_recorded

# Without the first frame it begins with a frame.
tail -c +17 rec/cstrace.bin >first
repeat() { # N
    i=0
    while [ $i -lt "$1" ]; do
        cat first
        i=$((i + 1))
    done
}
repeat 10 >whole
how="--framing coresight --protocol etmv3 --image $program $(registers)"
decode="$etm decode"
$decode whole $how --format jsonl >expected 2>err &&
    [ "$(wc -l <expected)" -gt 1000 ]
verdict $? the_rest_is_decoded

# Places are further on by so many bytes.
move() { # BYTES
    awk -v by="$1" '
        function add(key) {
            if (!match($0, "\"" key "\":[0-9]+"))
                return
            from = RSTART + length(key) + 3
            $0 = substr($0, 1, from - 1) \
                substr($0, from, RSTART + RLENGTH - from) + by \
                substr($0, RSTART + RLENGTH)
        }
        { add("off"); add("pos"); print }'
}

for cut in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    { tail -c +$((17 - cut)) rec/cstrace.bin | head -c "$cut"; cat whole; } >cut
    move "$cut" <expected >moved
    $decode cut $how --format jsonl --jobs 1 >out 2>err &&
        equal out moved && grep -q "skipping $cut byte" err
    verdict $? "${cut}_bytes_before_the_first_frame_are_passed_over"
    $decode cut $how --format jsonl --jobs 3 2>err | equal - moved
    verdict $? "${cut}_bytes_are_passed_over_by_3_threads"
    cat cut | $decode - $how --format jsonl 2>err | equal - moved
    verdict $? "${cut}_bytes_are_passed_over_in_a_pipe"
    "$etm" index whole $how --format jsonl 2>err | move "$cut" >index &&
        [ -s index ] && "$etm" index cut $how --format jsonl 2>err | equal - index
    verdict $? "${cut}_bytes_are_passed_over_in_the_index"
    "$etm" info cut $how >out 2>err &&
        grep -q "framing    coresight, the first frame at byte $cut" out &&
        grep -q "^note: .*begins within a frame" out
    verdict $? "info_tells_of_${cut}_bytes"
done

# From a place on: the same as in the whole.
{ printf '12345'; cat whole; } >cut
$decode whole $how --format jsonl --from 5000 --to 9000 2>err | move 5 >moved &&
    [ -s moved ] &&
    $decode cut $how --format jsonl --from 5005 --to 9005 2>err |
    equal - moved
verdict $? a_part_is_found_after_a_cut

# Shards that begin far after the cut.
repeat 300 >long
{ printf '12345'; cat long; } >longcut
$decode long $how --format jsonl 2>err | move 5 >moved && [ -s moved ] &&
    for shard in 1 2 3; do
        $decode longcut $how --format jsonl --shard $shard/3 2>err
    done | equal - moved
verdict $? shards_after_a_cut_are_the_whole

# A pipe that brings little at first is judged by all of it.
{ head -c 300 cut; sleep 0.2; tail -c +301 cut; } |
    $decode - $how --format jsonl >out 2>err && move 5 <expected | equal - out
verdict $? a_slow_pipe_has_the_phase_of_a_file

# A snapshot's buffer is looked at like a file.
cp cut rec/cstrace.bin
$decode rec --format jsonl >out 2>err && move 5 <expected | equal - out
verdict $? a_snapshot_may_begin_within_a_frame

# What has no frames is said to have none.
tail -c +53 "$program" | head -c 5000 >noise # after the header
"$etm" info noise --framing coresight >out 2>err
grep -q '^note: .*seems not to begin with a frame' out
verdict $? info_doubts_what_has_no_frames
"$etm" decode noise --framing coresight --protocol etmv3 >out 2>err
grep -q 'noise seems not to begin with a frame' err
verdict $? decode_doubts_what_has_no_frames

"$etm" info noise --framing tpiu >out 2>err
grep -q '^note: .*seems not to begin with a frame' out
verdict $? info_doubts_what_has_no_frames_of_a_tpiu

# E-354: a formatter in bypass, no frames.
"$etm" record "$program" -o bare --etm v3.4 --framing none --sync 400 \
    >/dev/null 2>err
"$etm" info bare/cstrace.bin --framing coresight >out 2>err
grep -q '^note: .*seems to hold the bytes of one source without frames' out
verdict $? info_tells_of_trace_without_frames
"$etm" info bare/cstrace.bin --framing coresight --format jsonl >out 2>err
grep -q '"looks":"none"' out
verdict $? info_tells_programs_of_trace_without_frames
$decode bare/cstrace.bin --framing coresight --protocol etmv3 >out 2>err
grep -q '^etm: bare/cstrace.bin seems .* (try --framing none)$' err
verdict $? decode_tells_of_trace_without_frames

# The bytes before --to are all decoded, also those that might have shifted by
# bits, of which some thousand are held back: a file that ends there has as much,
# and a packet that is cut off, which is damage only of the file.
check_end() { # NAME END ARGUMENT...
    name=$1 end=$2
    shift 2
    head -c "$end" whole_end >short_end
    $decode short_end "$@" --format jsonl 2>err |
        grep -v '"reason":"truncated"' >expected
    [ "$(wc -l <expected)" -gt 40 ]
    verdict $? "${name}_has_lines"
    for jobs in 1 3; do
        $decode whole_end "$@" --format jsonl --to "$end" --jobs $jobs \
            >out 2>err && equal out expected && ! grep -q truncated err
        verdict $? "${name}_is_all_that_is_decoded_by_${jobs}_threads"
    done
}
bare="--protocol etmv3 --image $program $(registers)"
cat bare/cstrace.bin bare/cstrace.bin bare/cstrace.bin >whole_end
for end in 500 2222 7001; do
    check_end "what_is_before_byte_$end" $end $bare
done
"$etm" record "$program" -o port --etm v3.4 --framing port --sync 400 \
    >/dev/null 2>err
cp port/cstrace.bin whole_end
check_end what_is_before_a_sample "$(head -2000 whole_end | wc -c)" \
    --framing port $bare

# So it is with what was lost there: records that are no samples.
"$etm" record "$program" -o port --etm v1.3 --port-width 8 >/dev/null 2>err
head -2000 port/cstrace.bin | awk '
    function hex(s, n, i) {
        for (i = 1; i <= length(s); i++)
            n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
        return n
    }
    NR > 1000 && NR <= 1100 { printf "\\170\\000"; next }
    { printf "\\%03o\\%03o", 128 * hex($1) + hex($2), hex($3) }' >escapes
printf "$(cat escapes)" >whole_end
check_end what_is_before_lost_records 2100 --framing port \
    --port-format records --protocol etmv1 --endian le --image "$program" \
    $(registers_of port)
grep -q '"bad_frame","bytes":100}' expected
verdict $? lost_records_have_a_number

# Words whose bytes stand the wrong way round, in frames and without: they are
# put right, which is said, and all else is that of the right ones.
reverse() { # BYTES FILE
    od -An -v -tx1 -w"$1" "$2" | awk -v whole="$1" '
        { for (i = 1; i <= NF; i++)
              printf "\\x%s", NF == whole ? $(NF + 1 - i) : $i }' |
        xargs -0 printf '%b'
}
head -c 6007 rec/cstrace.bin >little # and no whole word at the end
head -c 5998 bare/cstrace.bin >bare_little
for word in 2 4 8; do
    way="its $((8 * word))-bit words are stored in the wrong byte order"
    for kind in little bare_little; do
        reverse $word $kind >swapped
        case $kind in
        little) told="--framing coresight --protocol etmv3 $(registers)" ;;
        *) told="--framing none --protocol etmv3 $(registers)" ;;
        esac
        for command in packets decode index; do
            $etm $command $kind $told --format jsonl >expected 2>err &&
                [ "$(wc -l <expected)" -gt 8 ] &&
                ! grep -q 'byte order' err
            verdict $? "right_words_are_not_swapped: $kind $command"
            $etm $command swapped $told --format jsonl >out 2>err &&
                equal out expected &&
                grep -q "^etm: swapped: $way: .* --reverse-bytes $word$" err
            verdict $? "swapped_words_are_put_right: $kind $word $command"
            $etm $command swapped $told --format jsonl \
                --reverse-bytes $word >out 2>err && equal out expected &&
                ! grep -q 'byte order' err
            verdict $? "swapped_words_can_be_told: $kind $word $command"
        done
        $etm info swapped >out 2>err && grep -q "^note: swapped: $way" out
        verdict $? "info_tells_of_swapped_words: $kind $word"
        $etm info swapped --format jsonl >out 2>err &&
            grep -q "\"swapped\":$word," out
        verdict $? "info_tells_programs_of_swapped_words: $kind $word"
    done
done
reverse 4 little >swapped
told="--framing coresight --protocol etmv3 --image $program $(registers)"
$decode little $told --format jsonl >expected 2>err
$decode - $told --format jsonl <swapped >out 2>err &&
    equal out expected &&
    grep -q '^etm: standard input: its 32-bit words .*--reverse-bytes 4$' err
verdict $? swapped_words_of_a_pipe_are_put_right
$decode - $told --format jsonl --reverse-bytes=4 <swapped >out 2>err &&
    equal out expected
verdict $? swapped_words_of_a_pipe_can_be_told
$decode swapped $told --reverse-bytes none >out 2>err
! grep -q 'it is read as with' err && ! cmp -s out expected
verdict $? words_are_read_as_they_are_if_told
fails a_snapshot_is_in_order 1 'a byte order can only be given for a raw file' \
    decode rec --reverse-bytes 4
fails words_have_a_size 2 '--reverse-bytes 3: not one of auto, none, 2, 4, 8' \
    decode swapped --reverse-bytes 3
# Zeros and text have no order.
head -c 5000 /dev/zero >zeros
for file in zeros "$program"; do
    $etm info "$file" >out 2>err
    cat out err | grep -q . && ! grep -q 'byte order' out
    verdict $? "what_is_no_trace_has_no_order: $(basename "$file")"
done
echo "1..$n"
