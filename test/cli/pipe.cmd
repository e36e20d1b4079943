# SPDX-License-Identifier: Apache-2.0
# Trace from a pipe: the bytes that come out are those of a file, in every framing, lines come
# before the pipe ends, and a long one needs no memory.

need emulator
  $ etm=$(command -v etm) program=$PROGRAMS/recurse-arm926.elf
  $ repeat() { i=0; while [ $i -lt $1 ]; do cat $2; i=$((i + 1)); done; }
  $ registers() { sed -n 's/^\(ETM[A-Z0-9]*\)\((.*)\)*=\(.*\)$/--reg \1=\3/p' $1/*.ini | tr '\n' ' '
  > }
  $ record() { # NAME VERSION FRAMING
  > etm record $program -o $1 --etm $2 --framing $3 --data both >out 2>err ||
  > etm record $program -o $1 --etm $2 --framing $3 >out 2>err; }
  $ record bytes v3.4 none; record frames v3.4 coresight; record samples v1.3 port
  $ bytes="--framing none --protocol etmv3 $(registers bytes) --image $program"
  $ frames="--framing coresight --protocol etmv3 $(registers frames)"

# With damage in the middle. A middle and a shard need all of it. A formatted pipe whose
# source is not given is kept until its end.
== a_pipe_has_what_a_file_has
  $ same() { command=$1; shift; etm $command trace "$@" 2>err >file; [ -s file ] && echo some
  > cat trace | etm $command - "$@" 2>err | cmp - file; }
  $ record tpiu v3.5 tpiu; record dstream pft1.1 dstream; record records v2.0 none
  $ while read -r name protocol framing; do { repeat 30 $name/cstrace.bin
  > [ $framing = port ] || printf 'damage in the middle of captures'
  > repeat 30 $name/cstrace.bin; } >trace
  > for command in packets 'decode --jobs 1' 'decode --format jsonl --jobs 3' 'decode --stats --jobs 2' \
  > 'coverage --format jsonl --jobs 2' 'decode --to 5000 --jobs 2' 'index --format jsonl' \
  > 'decode --from 50% --to 70%' 'decode --shard 2/3'
  > do same "$command" --framing $framing --protocol $protocol --image $program $(registers $name)
  > done </dev/null; done <<END
  > bytes etmv3 none
  > frames etmv3 coresight
  > tpiu etmv3 tpiu
  > dstream pft dstream
  > samples etmv1 port
  > records etmv2 none
  > END
  some (54 times)
  $ cp frames/cstrace.bin trace
  $ same packets --framing coresight $(registers frames | sed 's/--reg ETMTRACEIDR=[^ ]* //')
  some

== lines_come_before_the_end
  $ mkfifo live; etm decode live $bytes --jobs 2 >lines 2>err &
  > exec 3>live; cat bytes/cstrace.bin >&3
  > i=0; while [ ! -s lines ] && [ $i -lt 60 ]; do sleep 1; i=$((i + 1)); done; sed -n 1p lines
  > exec 3>&-; wait $!; tail -n 1 lines
  trace (0x00): ETMv3.4
      769f  == end of trace

# Ctrl-C ends a pipe that goes on: all that came is there, and the end. --stats prints there.
== all_that_came_is_there_when_interrupted
  $ for how in 'packets --format jsonl' 'packets --format text' 'index --format jsonl' \
  > 'index --format text' 'decode --format jsonl --jobs 1' 'decode --format text --jobs 3' 'decode --stats'
  > do etm $how bytes/cstrace.bin $bytes 2>err >file; [ -s file ] && echo some
  > seconds=60; [ "$how" != 'decode --stats' ] || seconds=10
  > $LIVE $seconds bytes/cstrace.bin $etm $how - $bytes 2>err >piped; echo $?; cmp file piped
  > done | paste -sd' ' => some 0 some 0 some 0 some 0 some 0 some 0 some 97

# A command would wait for ever for a pipe in a snapshot that somebody else made.
== a_pipe_in_a_snapshot_is_not_read
  $ cp -r frames fifo; rm fifo/cstrace.bin; mkfifo fifo/cstrace.bin; etm decode fifo --allow-outside
  [1] fifo/trace.ini:6: cannot read the file cstrace.bin: it is a device, a pipe or a socket

# The first one without a comma.
== a_line_of_a_table_may_come_in_pieces
  $ printf '%s\n' 'Channel 0 TRACEDATA,TRACECTL,TRACECK' 1,0,0 1,0,1 1,0,0 >table
  $ table() { etm decode $1 --framing port --protocol etmv3 --signals 'tracedata=Channel 0 TRACEDATA'; }
  $ table table 2>err >file; cat file
  trace (0x00): ETMv3.5
         0  == end of trace
  $ { head -c 18 table; sleep 1; tail -c +19 table; } | table - 2>err | cmp - file

# Another program cuts off the file with code meanwhile: a short one was read already, and of
# a long one, which is mapped, it is said.
== code_that_is_gone
  $ cut_code() { # KILOBYTES
  > dd if=/dev/zero of=code bs=1024 count=0 seek=$1 2>err
  > { printf '\0\0\0\0\0\200\010\0\0\0\0\041'; sleep 1; : >code
  > printf '\0\0\0\0\0\200\010\0\020\0\0\041\204\204'; } |
  > etm decode - --protocol pft --framing none --image code@0 >out; }
  $ cut_code 8; grep 00001000-00002000 out
        18  00001000-00002000  1024     (esc)
  ! trace (0x00): code missing at 1 place
  $ cut_code 40000 2>&1 | cut -c 1-43 => etm: a file became shorter while it was rea

# What was read is not kept; what is kept stands in a file, of which only pages are mapped, as
# of a file of samples.
== long_pipes_need_little_memory
need limit
  $ repeat 64 bytes/cstrace.bin >piece; repeat 64 frames/cstrace.bin >framed
  $ long() { file=$1; shift; repeat $((100000000 / $(wc -c <$file) + 1)) $file |
  > $PEAK 256 $etm "$@" 2>err >out || cat err; wc -l <out; }
  $ long piece decode - --stats --jobs 2 $bytes => 107
  $ long framed coverage - --jobs 2 $frames --image $program => 16
  $ long framed index - --every 1M $frames => 98
  $ long framed coverage - --from 1% --jobs 2 $frames --image $program => 16
  $ repeat 1200 samples/cstrace.bin >piece
  $ $PEAK 80 $etm decode piece --last 10K --framing port --protocol etmv1 $(registers samples) 2>err >out
  $ sed -n 1p out => trace (0x00): ETMv1.3

# A line of a dump that is sampled with a period is up to a million samples.
== long_times_need_little_memory
need limit
  $ { echo '$var wire 1 ! TRACED0 $end $enddefinitions $end'
  > for i in $(seq 0 29); do echo "#${i}000000 $((i % 2))!"; done; } >dump
  $ for framing in port tpiu-port; do $PEAK 200 $etm decode dump --protocol pft --framing $framing \
  > --signals 'traceclk=#1,tracectl=TRACED0,tracedata=TRACED0' 2>err || echo failed; done
  trace (0x00): PFT 1.1
         0  !! 1875000 bytes lost: unsynchronized
   1ba8139  == end of trace

== a_pipe_that_cannot_be_kept_is_said
  $ repeat 64 frames/cstrace.bin >framed; export TMPDIR=$PWD/nowhere
  $ repeat $((40000000 / $(wc -c <framed) + 1)) framed 2>err | etm decode - --from 1% $frames
  [1] standard input: a temporary file cannot be created (TMPDIR): No such file or directory
