#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory that was written in a circle, put in the order of time. Speaks TAP.
# E-643. Usage: wrapped.sh ETM DEMO
set -u

. "$(dirname "$0")/cli.sh"

size=$(wc -c <"$raw")
options="--core cortex-m3 --image $elf --framing coresight"

# The demo's trace, as it would lie in memory of that size.
wrap() { # FILE BYTES: so many are at the end
    tail -c +$(($2 + 1)) "$1" >wrapped
    head -c "$2" "$1" >>wrapped
}

same() { # NAME ARGUMENT...: decode to what is in order
    name=$1
    shift
    "$etm" decode "$@" --format jsonl >out 2>err && equal out order
    verdict $? "$name"
}

"$etm" decode "$raw" $options --format jsonl >order 2>err
for at in 4 1028 5000; do
    wrap "$raw" $at
    same write_pointer_$at wrapped $options --write-pointer $((size - at))
    same etb_registers_$at wrapped $options --reg ETB_STS=1 \
        --reg ETB_RWP=$(((size - at) / 4))
    same tmc_registers_$at wrapped $options --reg TMC_STS=1 \
        --reg TMC_DBALO=0x20000000 --reg TMC_RWP=$((0x20000000 + size - at))
    cat wrapped | "$etm" decode - $options --write-pointer $((size - at)) \
        --format jsonl >out 2>err && equal out order
    verdict $? from_a_pipe_$at
done
works said_by_info 'its oldest byte is at the write pointer, 0xfc8' \
    info wrapped $options --write-pointer $((size - 5000))

# What is behind the pointer was never written.
head -c 1000 /dev/zero | tr '\0' '\252' >unwritten
cat "$raw" unwritten >more
same never_written more $options --write-pointer "$size"
head -c 1000 "$raw" | cat "$raw" - >more
same not_wrapped more $options --write-pointer "$size",not-wrapped
same not_full more $options --reg ETB_STS=0 --reg ETB_RWP=$((size / 4))
works nothing_was_written 'nothing was written from the write pointer, byte 0x0, on' \
    info more $options --reg ETB_STS=0 --reg ETB_RWP=0

# Without --framing, and with reversed words.
wrap "$raw" 1028
same guessed wrapped --core cortex-m3 --image "$elf" --write-pointer $((size - 1028))

copy
wrap "$raw" 1028
cp wrapped snapshot/cstrace.bin
sed -i "s/^file=cstrace.bin/&\nwrite_pointer=$((size - 1028))/" snapshot/trace.ini
"$etm" decode "$m3" --format jsonl >order 2>err
same a_snapshot_says_it snapshot
sed -i 's/^write_pointer=.*/write_pointer=0x100000/' snapshot/trace.ini
run decode snapshot
grep -q 'write pointer is at byte 0x100000, but there are only 0x' err
verdict $? beyond_the_buffer_in_a_snapshot
sed -i 's/^write_pointer=.*/write_pointer=12\nwrapped=2/' snapshot/trace.ini
run decode snapshot
grep -q 'wrapped is neither 0 nor 1' err
verdict $? neither_wrapped_nor_not

fails beyond_the_file 1 'write pointer is at byte 0x100000, but' \
    decode "$raw" $options --write-pointer 0x100000
fails not_a_number 2 'not a number' decode "$raw" --write-pointer x
fails for_a_raw_file 1 'a write pointer can only be given for a raw file' \
    decode "$m3" --write-pointer 4

# A dump that nothing is told of, whose oldest bytes are gone.
tail -c +4097 "$raw" >newest
size=$(wc -c <newest)
"$etm" decode newest $options --format jsonl >order 2>err
! grep -q write-pointer err
verdict $? no_seam_is_seen_in_order
for at in 16 1600 3200; do
    wrap newest $at
    works "a_seam_in_frames_is_seen: $at" \
        "its last frame ends at byte 0x$(printf %x $((size - at))), and older" \
        info wrapped --framing coresight
    run decode wrapped $options
    grep -q "seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0x$(printf %x $((size - at)))," err
    verdict $? "and_told: $at"
    same "and_right: $at" wrapped $options --write-pointer $((size - at))
    ! grep -q write-pointer err
    verdict $? "and_not_told_again: $at"
done
run info "$raw" --framing coresight
! grep -q 'last frame' out
verdict $? nor_in_a_whole_one

# An MTB: 8000 -> 8010, 8010 -> 800a, 800a -> 8000, 8006 -> 8010, the oldest third
printf '\012\200\0\0\0\200\0\0\006\200\0\0\020\200\0\0' >mtb
printf '\020\200\0\0\0\220\0\0\004\200\0\0\010\200\0\0' >>mtb
works a_seam_is_seen 'its packets break off at byte 0x18, and go on' \
    info mtb --framing mtb
works a_pointer_tells_more 'its oldest byte is at the write pointer, 0x18' \
    info mtb --framing mtb --write-pointer 0x18
works position_and_wrap 'its oldest byte is at the write pointer, 0x18' \
    info mtb --framing mtb --reg MTB_POSITION=0x2000001c
works position_within_the_buffer 'its oldest byte is at the write pointer, 0x8' \
    info mtb --framing mtb --reg MTB_POSITION=0x1c --reg MTB_MASTER=0x80000000
works position_without_wrap 'nothing was written from the write pointer, byte 0x18' \
    info mtb --framing mtb --reg MTB_POSITION=0x18

echo "1..$n"
