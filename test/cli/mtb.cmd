# SPDX-License-Identifier: Apache-2.0
# The memory of a Micro Trace Buffer.

  $ { # 7000 -> 8000 (start), 8006 -> 8010, 8010 -> 800a, 800a | A -> 8020
  > printf '\0\160\0\0\001\200\0\0\006\200\0\0\020\200\0\0'
  > printf '\020\200\0\0\012\200\0\0\013\200\0\0\040\200\0\0'; } >mtb
  $ { # movs r0, 1; cmp r0, 0; beq 800c; bl 8010; b 8000; svc 1; b 8000; bx lr
  > printf '\001\040\0\050\002\320\0\360\003\370\371\347\001\337\367\347\160\107'; } >code

# As an MTB would have traced it.
== what_ran_is_decoded
need emulator
  $ for program in hello moves nested recurse tasks unwind
  > do elf=$program-m3.elf; cp $PROGRAMS/$elf .
  > etm record $elf --core cortex-m3 -o $program --log log >out 2>err; $MTB_OF_LOG ran <log >mtb
  > etm decode mtb --framing mtb --image $elf --format jsonl --level instructions |
  > sed -n 's/^{"k":"insn".*"addr":"0x\([0-9a-f]*\)".*/\1/p' | cmp - ran; wc -l <ran; done | fmt
  4359 479 1248 12246 6468 731

== packets
  $ etm packets mtb --framing mtb
  trace (0x00): MTB
         0  execution_trace    00 70 00 00 01 80 00 00  from 0x00007000, to 0x00008000, start
         8  execution_trace    06 80 00 00 10 80 00 00  from 0x00008006, to 0x00008010
        10  execution_trace    10 80 00 00 0a 80 00 00  from 0x00008010, to 0x0000800a
        18  execution_trace    0b 80 00 00 20 80 00 00  from 0x0000800a, to 0x00008020, a
  $ etm packets mtb --framing mtb --format jsonl | tail -n 1
  {"off":24,"src":0,"packet":"execution_trace","bytes":"0b 80 00 00 20 80 00 00","source":"0x0000800a","destination":"0x00008020","a":true,"s":false}
  $ etm packets mtb --protocol mtb | wc -l => 5
  $ etm index mtb --framing mtb
  trace (0x00): MTB
         place       stream  address     reason      context                     time          cycles
  ! trace: the memory of an MTB needs no index: decoding can begin with any of its packets
  $ etm info mtb --framing mtb | grep protocol =>     protocol   MTB

== ranges_follow_the_code
  $ etm decode mtb --framing mtb | grep 'no code'
         0  !! no code is known at 00007000
         8  !! no code is known at 00008000
        10  !! no code is known at 00008010
  ! trace (0x00): code missing at 3 places, and there is none: use --image FILE
  $ etm decode mtb --framing mtb --image code@0x8000
  trace (0x00): MTB
         0  == trace on: start
         0  -- context: thumb
         0  !! no code is known at 00007000
         8  00008000-00008006     3  - branch
         8  00008006-0000800a     1  > call
        10  00008010-00008012     1  > return
        18  ** exception: generic (0), returns to 0000800a
        20  == end of trace
  ! trace (0x00): code missing at 1 place
  $ etm coverage mtb --framing mtb --image code@0x8000 --format jsonl | tail -n 1
  {"k":"gap","src":0,"what":"no_code","n":1}
  ! trace (0x00): code missing at 1 place
  $ etm decode mtb --framing mtb --image code@0x8000 --last 8 --format jsonl
  {"k":"trace_on","src":0,"off":24,"reason":"start"}
  {"k":"exception","src":0,"off":24,"number":0,"name":"generic","return":"0x0000800a","cancels":null,"resume":0}
  {"k":"end","src":0,"off":32}
  $ head -c 13 mtb >cut; etm decode cut --framing mtb --image code@0x8000
  trace (0x00): MTB
         0  == trace on: start
         0  -- context: thumb
         0  !! no code is known at 00007000
         8  !! 5 bytes lost: truncated
         d  == end of trace
  ! trace (0x00): truncated: 5 bytes lost in 1 place; code missing at 1 place, and none was found: is it there (--image), and are protocol and registers right?

== what_is_refused
  $ etm decode mtb --framing coresight --protocol mtb
  [1] mtb: the packets of an MTB have no frames: the framing is mtb
  $ etm decode mtb --framing mtb --protocol etmv3
  [1] mtb: the framing mtb holds the packets of an MTB, and no other protocol

== snapshots_have_it
  $ printf '[snapshot]\nversion=1.0\n[device_list]\nd0=cpu.ini\nd1=mtb.ini\n[trace]
  > metadata=trace.ini\n' >snapshot.ini
  $ printf '[device]\nname=cpu\nclass=core\ntype=Cortex-M33\n[dump]\nfile=code
  > address=0x8000\nlength=16\n' >cpu.ini
  $ printf '[device]\nname=MTB_0\nclass=trace_source\ntype=MTB-M33\n' >mtb.ini
  $ printf '[trace_buffers]\nbuffers=b0\n[b0]\nname=RAM\nfile=mtb\nformat=source_data
  > [source_buffers]\nMTB_0=RAM\n[core_trace_sources]\ncpu=MTB_0\n' >trace.ini
  $ etm decode . | sed -n 5p
         8  00008000-00008006     3  - branch
  ! MTB_0 (0x00): code missing at 2 places
