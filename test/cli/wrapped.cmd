# SPDX-License-Identifier: Apache-2.0
# Memory that was written in a circle, put in the order of time. E-643.

  $ size=$(wc -c <$RAW)
  $ options="--core cortex-m3 --image $ELF --framing coresight"
  $ wrap() { # FILE BYTES: as it would lie in memory of that size, so many are at the end
  > { tail -c +$(($2 + 1)) $1; head -c $2 $1; } >wrapped; }
  $ lines() { etm decode "$@" --format jsonl; }
  $ same() { lines "$@" | cmp - order; }
  $ lines $RAW $options >order

# E-643
== the_oldest_byte_is_at_the_write_pointer
  $ for at in 4 1028 5000; do wrap $RAW $at
  > same wrapped $options --write-pointer $((size - at))
  > same wrapped $options --reg ETB_STS=1 --reg ETB_RWP=$(((size - at) / 4))
  > same wrapped $options --reg TMC_STS=1 --reg TMC_DBALO=0x20000000 \
  > --reg TMC_RWP=$((0x20000000 + size - at))
  > cat wrapped | same - $options --write-pointer $((size - at)); done; wc -l <order => 7444
  $ etm info wrapped $options --write-pointer $((size - 5000)) | grep oldest
  note: wrapped: its oldest byte is at the write pointer, 0xfc8: offsets count from there
  $ wrap $RAW 1028; same wrapped --core cortex-m3 --image $ELF --write-pointer $((size - 1028))
  ! wrapped: as its bytes look, it is read with --framing coresight

== what_is_behind_the_pointer_was_never_written
  $ head -c 1000 /dev/zero | tr '\0' '\252' | cat $RAW - >more
  > same more $options --write-pointer $size
  $ head -c 1000 $RAW | cat $RAW - >more; same more $options --write-pointer $size,not-wrapped
  $ same more $options --reg ETB_STS=0 --reg ETB_RWP=$((size / 4))
  $ etm info more $options --reg ETB_STS=0 --reg ETB_RWP=0 | grep written
  note: more: nothing was written from the write pointer, byte 0x0, on

== a_snapshot_says_it
  $ cp -r $M3 snapshot; chmod -R u+w snapshot; lines $M3 >order
  $ wrap $RAW 1028; cp wrapped snapshot/cstrace.bin
  $ sed -i "s/^file=cstrace.bin/&\nwrite_pointer=$((size - 1028))/" snapshot/trace.ini
  > same snapshot
  $ sed -i 's/^write_pointer=.*/write_pointer=0x100000/' snapshot/trace.ini
  > etm decode snapshot >out
  [1] buffer0: the write pointer is at byte 0x100000, but there are only 0x2350 bytes
  $ sed -i 's/^write_pointer=.*/write_pointer=12\nwrapped=2/' snapshot/trace.ini
  $ etm decode snapshot >out => [1] snapshot/trace.ini:8: wrapped is neither 0 nor 1

== write_pointers_that_are_refused
  $ etm decode $RAW $options --write-pointer 0x100000
  [1] $RAW: the write pointer is at byte 0x100000, but there are only 0x2350 bytes
  $ etm decode $RAW --write-pointer x => [2] --write-pointer x: not a number of bytes (usage)
  $ etm decode $M3 --write-pointer 4
  [1] $M3: a snapshot has its own configuration, a write pointer can only be given for a raw file

# A dump that nothing is told of, whose oldest bytes are gone.
== a_seam_in_frames_is_seen
  $ tail -c +4097 $RAW >newest; size=$(wc -c <newest); lines newest $options 2>err >order
  $ for at in 16 1600 3200; do wrap newest $at; etm info wrapped --framing coresight |
  > grep 'last frame'
  > lines wrapped $options 2>&1 >out | sed -n 1p
  > same wrapped $options --write-pointer $((size - at)) 2>err; grep circle err; done
  note: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0x1340, and older trace follows
  etm: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0x1340, and older trace follows
  note: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0xd10, and older trace follows
  etm: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0xd10, and older trace follows
  note: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0x6d0, and older trace follows
  etm: wrapped: it seems to have been written in a circle (try --write-pointer): its last frame ends at byte 0x6d0, and older trace follows
  [1]
  $ etm info $RAW --framing coresight | grep 'last frame' => [1]

# 8000 -> 8010, 8010 -> 800a, 800a -> 8000, 8006 -> 8010, the oldest third.
== a_seam_of_an_mtb
  $ { printf '\012\200\0\0\0\200\0\0\006\200\0\0\020\200\0\0'
  > printf '\020\200\0\0\0\220\0\0\004\200\0\0\010\200\0\0'; } >mtb
  $ notes() { etm info mtb --framing mtb "$@" | grep note:; }
  $ notes
  note: mtb: it seems to have been written in a circle (try --write-pointer): its packets break off at byte 0x18, and go on from its end at its beginning
  $ notes --write-pointer 0x18
  note: mtb: its oldest byte is at the write pointer, 0x18: offsets count from there
  $ notes --reg MTB_POSITION=0x2000001c
  note: mtb: its oldest byte is at the write pointer, 0x18: offsets count from there
  $ notes --reg MTB_POSITION=0x1c --reg MTB_MASTER=0x80000000
  note: mtb: its oldest byte is at the write pointer, 0x8: offsets count from there
  $ notes --reg MTB_POSITION=0x18
  note: mtb: nothing was written from the write pointer, byte 0x18, on
