#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trace from a pipe: the bytes that come out are those of a file, in every
# framing, lines come before the pipe ends, and a long one needs no memory.
# Speaks TAP. Usage: pipe.sh ETM PROGRAM.elf PEAK LIVE MEGABYTES
set -u

. "$(dirname "$0")/../support/tap.sh"
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
peak=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
live=$(cd "$(dirname "$4")" && pwd)/$(basename "$4")
limit=$5
cd "$scratch" || exit 99

repeat() { # N FILE
    i=0
    while [ $i -lt "$1" ]; do
        cat "$2"
        i=$((i + 1))
    done
}

registers() { # SNAPSHOT
    sed -n 's/^\(ETM[A-Z0-9]*\)\((.*)\)*=\(.*\)$/--reg \1=\3/p' "$1"/*.ini |
        tr '\n' ' '
}

# A command on a file and on a pipe, which has damage in the middle.
same() { # NAME COMMAND...
    what=$1 command=$2
    shift 2
    "$etm" $command trace "$@" >file 2>err
    [ -s file ] && cat trace | "$etm" $command - "$@" >piped 2>err &&
        equal file piped
    verdict $? "$what"
}

check() { # NAME VERSION PROTOCOL FRAMING OPTIONS...
    name=$1 version=$2 protocol=$3 framing=$4
    shift 4
    "$etm" record "$program" -o "$name" --etm "$version" --framing "$framing" \
        --data both >/dev/null 2>err || "$etm" record "$program" -o "$name" \
        --etm "$version" --framing "$framing" >/dev/null 2>err ||
        verdict 1 "${name}_is_recorded"
    {
        repeat 30 "$name/cstrace.bin"
        [ "$framing" = port ] || printf 'damage in the middle of captures'
        repeat 30 "$name/cstrace.bin"
    } >trace
    set -- --framing "$framing" --protocol "$protocol" --image "$program" \
        $(registers "$name") "$@"
    same "${name}_has_the_same_packets" packets "$@"
    same "${name}_is_decoded_the_same" 'decode --jobs 1' "$@"
    same "${name}_is_decoded_the_same_by_3_threads" \
        'decode --format jsonl --jobs 3' "$@"
    same "${name}_is_counted_the_same" 'decode --stats --jobs 2' "$@"
    same "${name}_has_the_same_coverage" \
        'coverage --format jsonl --jobs 2' "$@"
    same "${name}_ends_at_the_same_place" 'decode --to 5000 --jobs 2' "$@"
    same "${name}_has_the_same_index" 'index --format jsonl' "$@"
    # these need all of it
    same "${name}_has_the_same_middle" 'decode --from 50% --to 70%' "$@"
    same "${name}_has_the_same_shard" 'decode --shard 2/3' "$@"
}
check bytes v3.4 etmv3 none
check frames v3.4 etmv3 coresight
check tpiu v3.5 etmv3 tpiu
check dstream pft1.1 pft dstream
check samples v1.3 etmv1 port
check records v2.0 etmv2 none

# A formatted pipe whose source is not given is kept until its end.
etmidr=$(registers frames | sed 's/--reg ETMTRACEIDR=[^ ]* //')
cp frames/cstrace.bin trace
same sources_are_found packets --framing coresight $etmidr

# A pipe that goes on: its first lines are there.
mkfifo live
"$etm" decode live --framing none --protocol etmv3 --image "$program" \
    $(registers bytes) --jobs 2 >lines 2>err &
exec 3>live
cat bytes/cstrace.bin >&3
i=0
while [ ! -s lines ] && [ $i -lt 60 ]; do
    sleep 1
    i=$((i + 1))
done
[ -s lines ]
verdict $? lines_come_before_the_end
exec 3>&-
wait $!
verdict $? the_end_of_a_pipe_is_the_end

# Ctrl-C ends a pipe that goes on: all that came is there, and the end.
set -- --framing none --protocol etmv3 $(registers bytes)
for how in 'packets --format jsonl' 'packets --format text' \
    'index --format jsonl' 'index --format text' \
    'decode --format jsonl --jobs 1' 'decode --format text --jobs 3' \
    'decode --stats'; do
    name=$(echo $how | tr -c '[:alnum:]\n' _)
    "$etm" $how bytes/cstrace.bin "$@" --image "$program" >file 2>err
    case $how in
    *stats) seconds=10 want=97 ;; # prints at the end
    *) seconds=60 want=0 ;;
    esac
    "$live" $seconds bytes/cstrace.bin "$etm" $how - "$@" --image "$program" \
        >piped 2>err
    [ $? -eq $want ] && [ -s piped ] && equal file piped
    verdict $? "${name}_ends_when_interrupted"
done

# Who got a snapshot from somebody else would wait for it.
cp -r frames fifo && rm fifo/cstrace.bin && mkfifo fifo/cstrace.bin
fails a_pipe_in_a_snapshot_is_not_read 1 \
    'cannot read the file cstrace.bin: it is a device, a pipe or a socket' \
    decode fifo --allow-outside

# The first line of a table may come in pieces, the first one without a comma.
printf '%s\n' 'Channel 0 TRACEDATA,TRACECTL,TRACECK' 1,0,0 1,0,1 1,0,0 >table
signals='tracedata=Channel 0 TRACEDATA'
"$etm" decode table --framing port --protocol etmv3 --signals "$signals" \
    >file 2>err
{
    head -c 18 table
    sleep 1
    tail -c +19 table
} | "$etm" decode - --framing port --protocol etmv3 --signals "$signals" \
    >piped 2>err
[ $? -eq 0 ] && [ -s file ] && equal file piped
verdict $? a_line_of_a_table_may_come_in_pieces

# A file with code that another program cuts off meanwhile: a short one was read
# already, and of a long one, which is mapped, it is said.
cut_code() { # KILOBYTES
    dd if=/dev/zero of=code bs=1024 count=0 seek="$1" 2>/dev/null
    {
        printf '\0\0\0\0\0\200\010\0\0\0\0\041'
        sleep 1
        : >code
        printf '\0\0\0\0\0\200\010\0\020\0\0\041\204\204'
    } | "$etm" decode - --protocol pft --framing none --image code@0 >out 2>err
}
cut_code 8
[ $? -eq 0 ] && grep -q ' 00001000-00002000 ' out
verdict $? short_code_that_is_gone_was_read
cut_code 40000
[ $? -eq 1 ] && grep -q '^etm: a file became shorter while it was read' err
verdict $? long_code_that_is_gone_is_said

# Long pipes. What was read is not kept.
[ "$limit" -gt 0 ] || {
    echo "1..$n"
    exit 0
}
repeat 64 bytes/cstrace.bin >piece
repeat 64 frames/cstrace.bin >framed
long() { # NAME FILE COMMAND...
    what=$1 file=$2
    shift 2
    repeat $((100000000 / $(wc -c <"$file") + 1)) "$file" |
        "$peak" "$limit" "$etm" "$@" >out 2>err && [ -s out ]
    verdict $? "$what"
}
long long_pipes_are_counted piece decode - --stats --jobs 2 --framing none \
    --protocol etmv3 --image "$program" $(registers bytes)
long long_pipes_are_covered framed coverage - --jobs 2 \
    --framing coresight --protocol etmv3 --image "$program" $(registers frames)
long long_pipes_have_an_index framed index - --every 1M --framing coresight \
    --protocol etmv3 $(registers frames)
# what is kept stands in a file, of which only pages are mapped
long kept_pipes_are_covered framed coverage - --from 1% --jobs 2 \
    --framing coresight --protocol etmv3 --image "$program" $(registers frames)
# of a file that is mapped only what is at hand is in memory
repeat 1200 samples/cstrace.bin >piece
"$peak" 80 "$etm" decode piece --last 10K --framing port --protocol etmv1 \
    $(registers samples) >out 2>err && [ -s out ]
verdict $? long_files_of_samples_have_an_end
# a line of a dump that is sampled with a period is up to a million samples
{
    echo '$var wire 1 ! TRACED0 $end $enddefinitions $end'
    i=0
    while [ $i -lt 30 ]; do
        echo "#${i}000000 $((i % 2))!"
        i=$((i + 1))
    done
} >dump
for framing in port tpiu-port; do
    "$peak" 200 "$etm" decode dump --protocol pft --framing $framing \
        --signals 'traceclk=#1,tracectl=TRACED0,tracedata=TRACED0' >out 2>err
    verdict $? long_times_need_little_memory_with_$framing
done
TMPDIR=$scratch/nowhere
export TMPDIR
repeat $((40000000 / $(wc -c <framed) + 1)) framed |
    "$etm" decode - --from 1% --framing coresight --protocol etmv3 \
        $(registers frames) >out 2>err
[ $? -eq 1 ] && [ ! -s out ] && grep -q 'standard input: .*TMPDIR' err
verdict $? a_pipe_that_cannot_be_kept_is_said
echo "1..$n"
