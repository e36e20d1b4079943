# SPDX-License-Identifier: Apache-2.0
# A formatted capture that begins within a frame: wherever it was cut, what is after the
# cut comes out, of a file and of a pipe, of parts and of all, by one thread and by
# several.

need emulator
  $ program=$PROGRAMS/recurse-arm926.elf
  $ registers() { sed -n 's/^\(ETM[A-Z0-9]*\)\((.*)\)*=\(.*\)$/--reg \1=\3/p' $1/*.ini | tr '\n' ' '
  > }
  $ record() { etm record $program -o "$@" >out 2>err; }
  $ repeat() { i=0; while [ $i -lt $1 ]; do cat $2; i=$((i + 1)); done; }
  $ record rec --etm v3.4 --framing coresight --sync 400
  $ record bare --etm v3.4 --framing none --sync 400
  $ told="--protocol etmv3 --image $program $(registers rec)" how="--framing coresight $told"
  $ tail -c +17 rec/cstrace.bin >first; repeat 10 first >whole # without the first frame
  $ decode() { etm decode "$@" --format jsonl; }
  $ lines() { decode "$@" 2>err; }
  $ move() { # places are further on by so many bytes
  > awk -v by=$1 '
  >     function add(key) {
  >         if (!match($0, "\"" key "\":[0-9]+")) return
  >         from = RSTART + length(key) + 3
  >         $0 = substr($0, 1, from - 1) substr($0, from, RSTART + RLENGTH - from) + by \
  >             substr($0, RSTART + RLENGTH)
  >     }
  >     { add("off"); add("pos"); print }'; }

== bytes_before_the_first_frame_are_passed_over
  $ decode whole $how >expected; etm index whole $how --format jsonl >points; wc -l expected points
    54921 expected
      200 points
    55121 total
  ! 0x10 (0x10): unsynchronized: 289 bytes lost in 1 place; bad_frame: 3294 bytes lost in 9 places
  $ for cut in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
  > do { tail -c +$((17 - cut)) rec/cstrace.bin | head -c $cut; cat whole; } >cut
  > move $cut <expected >moved; decode cut $how --jobs 1 2>told | cmp - moved
  > lines cut $how --jobs 3 | cmp - moved; cat cut | lines - $how | cmp - moved
  > move $cut <points >index; etm index cut $how --format jsonl 2>err | cmp - index
  > echo $(etm info cut $how | grep -c "^note: .* begins within\|, the first frame at byte $cut$") \
  > $(grep -c "^etm: cut begins within a frame: skipping $cut byte" told); done => 2 1 (15 times)

== parts_and_shards_are_found_after_a_cut
  $ { printf '12345'; cat whole; } >cut; repeat 300 first >long; { printf '12345'; cat long
  > } >longcut
  $ decode whole $how --from 5000 --to 9000 | move 5 >moved; wc -l <moved => 2977
  $ lines cut $how --from 5005 --to 9005 | cmp - moved
  $ decode long $how | move 5 >moved; wc -l <moved
  1647601
  ! 0x10 (0x10): unsynchronized: 289 bytes lost in 1 place; bad_frame: 109434 bytes lost in 299 places
  $ for shard in 1 2 3; do lines longcut $how --shard $shard/3; done | cmp - moved

# A pipe that brings little at first is judged by all of it; and a buffer of a snapshot.
== a_slow_pipe_and_a_snapshot_have_the_phase_of_a_file
  $ { printf '12345'; cat whole; } >cut; decode whole $how | move 5 >moved
  ! 0x10 (0x10): unsynchronized: 289 bytes lost in 1 place; bad_frame: 3294 bytes lost in 9 places
  $ { head -c 300 cut; sleep 0.2; tail -c +301 cut; } | decode - $how | cmp - moved
  ! standard input begins within a frame: skipping 5 bytes
  ! 0x10 (0x10): unsynchronized: 289 bytes lost in 1 place; bad_frame: 3294 bytes lost in 9 places
  $ cp cut rec/cstrace.bin; decode rec | cmp - moved; tail -n 1 moved
  {"k":"end","src":16,"off":89437}
  ! rec/cstrace.bin begins within a frame: skipping 5 bytes
  ! rec/snapshot.ini: some trace is skipped: no device of the snapshot has trace IDs 0x41, 0x47, 0x55
  ! ETM_0 (0x10): unsynchronized: 289 bytes lost in 1 place; bad_frame: 3294 bytes lost in 9 places

== what_has_no_frames_is_said_to_have_none
  $ tail -c +53 $program | head -c 5000 >noise # after the header
  $ for framing in coresight tpiu; do etm info noise --framing $framing | grep -A2 ^note; done
  note: noise seems not to begin with a frame, and it is not clear where the first one is: remove 1 to 15 bytes (tail -c +2 to +16), and keep what shows only the trace IDs of its sources, with the least damage
  note: noise: 2348 bytes are not a whole number of 16-byte frames
  note: noise seems not to begin with a frame, and it is not clear where the first one is: remove 1 to 15 bytes (tail -c +2 to +16), and keep what shows only the trace IDs of its sources, with the least damage
  $ etm decode noise --framing coresight --protocol etmv3 2>&1 >out | sed -n 1,2p
  etm: noise seems not to begin with a frame ('etm info' says what to do)
  etm: 0x01 (0x01): bad_frame: 95 bytes lost in 1 place; nothing could be decoded: are protocol, registers and framing right ('etm info')?

# E-354: a formatter in bypass.
== so_is_trace_of_one_source
  $ etm info bare/cstrace.bin --framing coresight | grep -A1 ^note
  note: bare/cstrace.bin seems to hold the bytes of one source without frames (framing none; in a snapshot format=source_data)
  note: bare/cstrace.bin: 8322 bytes are not a whole number of 16-byte frames
  $ etm info bare/cstrace.bin --framing coresight --format jsonl | grep -o '"looks":"[^,]*,'
  "looks":"none",
  $ etm decode bare/cstrace.bin --framing coresight --protocol etmv3 2>&1 >out | sed -n 1p
  etm: bare/cstrace.bin seems to hold the bytes of one source without frames (try --framing none)

# The bytes before --to are all decoded, also those that might have shifted by bits, of
# which some thousand are held back: a file that ends there has as much, and a packet that
# is cut off, which is damage only of the file; records that are no samples, too.
== what_is_before_an_end_is_all_decoded
  $ ends() {
  > end=$1; shift; head -c $end whole_end >short_end
  > lines short_end "$@" | grep -v '"reason":"truncated"' >expected
  > for jobs in 1 3; do decode whole_end "$@" --to $end --jobs $jobs | cmp - expected; done
  > wc -l <expected; }
  $ cat bare/cstrace.bin bare/cstrace.bin bare/cstrace.bin >whole_end
  $ for end in 500 2222 7001; do ends $end $told; done
  301
  1356
  5056
  $ record port --etm v3.4 --framing port --sync 400; cp port/cstrace.bin whole_end
  $ ends $(head -2000 whole_end | wc -c) --framing port $told => 5596
  $ record port --etm v1.3 --port-width 8
  $ head -2000 port/cstrace.bin | awk '
  >     function hex(s, n, i) {
  >         for (i = 1; i <= length(s); i++)
  >             n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
  >         return n
  >     }
  >     NR > 1000 && NR <= 1100 { printf "\\170\\000"; next }
  >     { printf "\\%03o\\%03o", 128 * hex($1) + hex($2), hex($3) }' >escapes
  $ printf "$(cat escapes)" >whole_end
  $ ends 2100 --framing port --port-format records --protocol etmv1 --endian le \
  > --image $program $(registers port)
  164
  ! trace (0x00): bad_frame: 100 bytes lost in 1 place
  ! trace (0x00): bad_frame: 100 bytes lost in 1 place
  $ grep bad_frame expected => {"k":"lost","src":0,"off":1000,"reason":"bad_frame","bytes":100}

# Words whose bytes stand the wrong way round, in frames and without: they are put right,
# which is said, and all else is that of the right ones; no whole word is at the end.
== swapped_words_are_put_right
  $ reverse() { od -An -v -tx1 -w$1 $2 | awk -v whole=$1 '
  > { for (i = 1; i <= NF; i++) printf "\\x%s", NF == whole ? $(NF + 1 - i) : $i }' |
  > xargs -0 printf '%b'; }
  $ head -c 6007 rec/cstrace.bin >framed; head -c 5998 bare/cstrace.bin >bare_bytes
  $ registers="$(registers rec)"
  $ swapped() { # FILE WORD ARGUMENT...
  > file=$1 word=$2; shift 2; reverse $word $file >swapped
  > etm info swapped | grep '^note: swapped'; etm info swapped --format jsonl |
  > grep -o '"swapped":.'
  > set -- "$@" --protocol etmv3 --format jsonl
  > for command in packets decode index
  > do etm $command $file "$@" >expected 2>err; wc -l <expected
  > etm $command swapped "$@" 2>told | cmp - expected
  > etm $command swapped "$@" --reverse-bytes $word 2>>err | cmp - expected
  > grep -h 'byte order' err; grep 'byte order' told; done; }
  $ for kind in "framed --framing coresight" "bare_bytes --framing none"; do for word in 2 4 8
  > do swapped ${kind%% *} $word ${kind#* } $registers; done; done | sort | uniq -c
        2 "swapped":2
        2 "swapped":4
        2 "swapped":8
        3 14
        3 15
        3 1664
        3 1817
        3 2313
        3 2723
        6 etm: swapped: its 16-bit words are stored in the wrong byte order: it is read as with --reverse-bytes 2
        6 etm: swapped: its 32-bit words are stored in the wrong byte order: it is read as with --reverse-bytes 4
        6 etm: swapped: its 64-bit words are stored in the wrong byte order: it is read as with --reverse-bytes 8
        2 note: swapped: its 16-bit words are stored in the wrong byte order: their bytes are reversed, and offsets are those after that
        2 note: swapped: its 32-bit words are stored in the wrong byte order: their bytes are reversed, and offsets are those after that
        2 note: swapped: its 64-bit words are stored in the wrong byte order: their bytes are reversed, and offsets are those after that
  $ reverse 4 framed >swapped; lines framed $how >expected
  $ decode - $how <swapped | cmp - expected
  ! standard input: its 32-bit words are stored in the wrong byte order: it is read as with --reverse-bytes 4
  ! 0x10 (0x10): bad_frame: 7 bytes lost in 1 place
  $ decode - $how --reverse-bytes=4 <swapped | cmp - expected
  ! 0x10 (0x10): bad_frame: 7 bytes lost in 1 place
  $ lines swapped $how --reverse-bytes none | cmp -s - expected => [1]
  $ grep 'it is read as with' err => [1]

== words_have_an_order_that_is_known
  $ etm decode rec --reverse-bytes 4
  [1] rec: a snapshot has its own configuration, a byte order can only be given for a raw file
  $ etm decode whole --reverse-bytes 3
  [2] --reverse-bytes 3: not one of auto, none, 2, 4, 8 (usage)
  $ head -c 5000 /dev/zero >zeros; etm info zeros | grep 'byte order' => [1]
  $ etm info $program | grep 'byte order'
  [1] $PROGRAMS/recurse-arm926.elf: it is an ELF file: a program, not trace: it is for --image, beside the file with the trace

# E-334: a formatter in bypass appends 01 and zeros. They are of the file, and not of the trace, wherever bytes are
# counted.
== what_a_formatter_in_bypass_appends_is_no_trace
  $ bare="bypassed --framing none --protocol etmv3"
  $ printf '\0\0\0\0\0\200\010\041\173\002\0\0\204\204\204\204\204\204\204' >bypassed
  $ printf '\204\204\204\204\204\204\204\001\0' >>bypassed
  $ etm info $bare | grep 'no trace$'
      file       bypassed, 28 bytes, of which the last 2 are no trace
  $ etm info $bare | grep '^    trace'
      traces     not cycle-accurate, no context ID, original branch encoding,
      trace      26 bytes in bypassed, 16 packets, 1 A-sync, 1 I-sync
  $ etm info $bare --format jsonl | grep -o '"bytes":28,"stop":2' => "bytes":28,"stop":2
  $ etm packets $bare | tail -n 1
        19  p_header           84                       E
  ! bypassed: 01 and zeros at its end, 2 bytes, are no trace: a formatter in bypass appends them
  $ etm decode $bare | tail -n 1
        1a  == end of trace
  ! bypassed: 01 and zeros at its end, 2 bytes, are no trace: a formatter in bypass appends them
  ! trace (0x00): code missing at 1 place, and there is none: use --image FILE
