#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The memory of a Micro Trace Buffer. Speaks TAP.
# Usage: mtb.sh ETM DEMO EMULATOR WHOLE MTB_OF_LOG PROGRAMS
set -u

programs=$(cd "$6" && pwd)
mtb_of_log=$(cd "$(dirname "$5")" && pwd)/$(basename "$5")
. "$(dirname "$0")/cli.sh"

# What ran, as an MTB would have traced it, is decoded to what ran.
for program in hello moves nested recurse tasks unwind; do
    elf=$programs/$program-m3.elf
    emulated what_ran_is_decoded_$program || continue
    "$etm" record "$elf" --core cortex-m3 -o $program --log log >out 2>err &&
        "$mtb_of_log" ran <log >$program.mtb &&
        "$etm" decode $program.mtb --framing mtb --image "$elf" --format jsonl \
            --level instructions >out 2>err && [ ! -s err ] &&
        sed -n 's/^{"k":"insn".*"addr":"0x\([0-9a-f]*\)".*/\1/p' out >decoded &&
        [ -s ran ] && equal ran decoded
    verdict $? what_ran_is_decoded_$program
done

# 7000 -> 8000 (start), 8006 -> 8010, 8010 -> 800a, 800a | A -> 8020
printf '\0\160\0\0\001\200\0\0\006\200\0\0\020\200\0\0' >mtb
printf '\020\200\0\0\012\200\0\0\013\200\0\0\040\200\0\0' >>mtb
# movs r0, 1; cmp r0, 0; beq 800c; bl 8010; b 8000; svc 1; b 8000; bx lr
printf '\001\040\0\050\002\320\0\360\003\370' >code
printf '\371\347\001\337\367\347\160\107' >>code

works packets_are_named \
    'execution_trace .* from 0x00007000, to 0x00008000, start$' \
    packets mtb --framing mtb
works packets_have_their_keys \
    '"packet":"execution_trace","bytes":"0b 80 00 00 20 80 00 00","source":"0x0000800a","destination":"0x00008020","a":true,"s":false}' \
    packets mtb --framing mtb --format jsonl
works the_protocol_says_the_same 'execution_trace' packets mtb --protocol mtb
tells an_index_is_not_needed 'decoding can begin with any of its packets' \
    index mtb --framing mtb
works its_source_is_named 'protocol   MTB$' info mtb --framing mtb
works ranges_need_code 'no code is known at 00008010' decode mtb --framing mtb
works ranges_follow_the_code '00008000-00008006  *3  - branch' \
    decode mtb --framing mtb --image code@0x8000
works coverage_counts '"start":"0x00008010","end":"0x00008012".*"n":1}' \
    coverage mtb --framing mtb --image code@0x8000 --format jsonl

fails frames_are_refused 1 'no frames' decode mtb --framing coresight --protocol mtb
fails other_protocols_are_refused 1 'no other protocol' \
    decode mtb --framing mtb --protocol etmv3

run decode mtb --framing mtb --image code@0x8000 --last 8 --format jsonl
cat >expected <<'END'
{"k":"trace_on","src":0,"off":24,"reason":"start"}
{"k":"exception","src":0,"off":24,"number":0,"name":"generic","return":"0x0000800a","cancels":null,"resume":0}
{"k":"end","src":0,"off":32}
END
equal out expected
verdict $? a_part_begins_at_any_packet

head -c 13 mtb >cut
works a_cut_packet_is_damage 'truncated' decode cut --framing mtb --image code@0x8000

# In a snapshot.
mkdir snap
cp mtb code snap
printf '[snapshot]\nversion=1.0\n[device_list]\nd0=cpu.ini\nd1=mtb.ini\n' >snap/snapshot.ini
printf '[trace]\nmetadata=trace.ini\n' >>snap/snapshot.ini
printf '[device]\nname=cpu\nclass=core\ntype=Cortex-M33\n' >snap/cpu.ini
printf '[dump]\nfile=code\naddress=0x8000\nlength=16\n' >>snap/cpu.ini
printf '[device]\nname=MTB_0\nclass=trace_source\ntype=MTB-M33\n' >snap/mtb.ini
printf '[trace_buffers]\nbuffers=b0\n[b0]\nname=RAM\nfile=mtb\nformat=source_data\n' >snap/trace.ini
printf '[source_buffers]\nMTB_0=RAM\n[core_trace_sources]\ncpu=MTB_0\n' >>snap/trace.ini
works snapshots_have_it '00008000-00008006  *3  - branch' decode snap

echo "1..$n"
