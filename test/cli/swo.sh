#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An SWO pin as a logic analyser sees it (E-623, E-624). Speaks TAP.
# Usage: swo.sh ETM DEMO EMULATOR WHOLE
set -u

. "$(dirname "$0")/cli.sh"

# Bytes, as numbers of od, to changes of a pin with 125 units a bit.
changes() { # FORM
    od -An -v -tu1 | tr -s ' ' '\n' | awk -v form="$1" -v bad="${bad:-0}" '
        function drive(value) {
            if (value != level) {
                if (form == "vcd") printf "#%d %d!\n", t, value
                else printf "%.9f,%d,0\n", (t - 2000) / 1e9, value
            }
            level = value; t += 125
        }
        BEGIN { t = 1000; level = 1
            if (form == "vcd") print "#0 1!"
            else print "Time [s],SWO,Channel 1\n-0.000002000,1,0" }
        NF { drive(0)
            for (i = 0; i < 8; i++) drive(int($1 / 2 ^ i) % 2)
            drive(++n != bad); drive(1); if (n != bad) t -= 125 }'
}
header() { # NAME
    echo "\$timescale 1 ns \$end"
    echo "\$var wire 1 ! $1 \$end"
    echo "\$enddefinitions \$end"
}

printf '\0\0\0\0\0\200' >itm
i=0
while [ $i -lt 30 ]; do
    printf '\001\110\001\151\027\030\002\0\010\300\007' >>itm
    i=$((i + 1))
done
{ header SWO && changes vcd <itm; } >itm.vcd
{ header D0 && changes vcd <itm; } >unnamed.vcd
changes csv <itm >itm.csv

works a_dump_of_swo_is_recognized 'an SWO pin: try --framing swo' info itm.vcd
works the_baud_rate_is_told_by_the_pulses 'SWO is read at 8000000 baud' \
    info itm.vcd --framing swo
works an_itm_alone_is_decoded '^ *6       port 0 = 48  "H"$' decode itm.vcd
works the_bytes_are_those_that_were_sent '^  *trace  *336 bytes ' \
    info itm.vcd --framing swo
"$etm" split itm.vcd --framing swo -o bytes >out 2>err && equal bytes/trace.bin itm
verdict $? they_can_be_written_to_a_file
works the_only_pin_is_swo '"H"$' decode unnamed.vcd --framing swo
works a_pin_has_a_name '"H"$' decode unnamed.vcd --framing swo \
    --signals swo=D0 --baud 8000000
works a_table_has_times 'SWO is read at 8000000 baud' info itm.csv --framing swo
works and_is_decoded '"H"$' decode itm.csv --framing swo

# Frames of an ITM and an ETM behind a TPIU.
: >frames
i=0
while [ $i -lt 60 ]; do
    printf '\377\377\377\177\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002' >>frames
    i=$((i + 1))
done
{ header SWO && changes vcd <frames; } >tpiu.vcd
works frames_of_a_tpiu_are_found '^    framing    tpiu$' info tpiu.vcd --framing swo
works and_their_sources '^0x01 (0x01): ITM$' decode tpiu.vcd
sed '100,101d; 400,402d' tpiu.vcd >damaged.vcd
"$etm" decode damaged.vcd --framing swo >out 2>err
[ $? -eq 0 ] && grep -q '^0x01 (0x01): ITM$' out
verdict $? damage_does_not_end_it

# From a pin to source lines: the trace of the demo, as a TPIU sends it.
if command -v python3 >/dev/null; then
    python3 - "$raw" >sent <<'END'
import sys
data = open(sys.argv[1], 'rb').read()
for at in range(0, len(data) // 16 * 16, 16):
    sys.stdout.buffer.write(b'\xff\xff\xff\x7f' + data[at:at + 16])
END
    { header SWO && changes vcd <sent; } >demo.vcd
    "$etm" decode demo.vcd --core cortex-m3 --image "$elf" --format jsonl \
        >out 2>err
    [ $? -eq 0 ] && "$etm" decode "$m3" --format jsonl >expected 2>err
    for file in out expected; do
        sed -n 's/^{"k":"range".*"start":"\([^"]*\)","end":"\([^"]*\)".*/\1 \2/p' $file >$file.ranges
    done
    [ "$(wc -l <out.ranges)" -gt 1000 ] && cmp -s out.ranges expected.ranges
    verdict $? a_pin_to_the_program_in_one_command
    works and_to_its_source '^   \.\./src/sort\.c:[0-9]* ' decode demo.vcd --core cortex-m3 \
        --image "$elf" --source-lines
fi

# A byte with a wrong stop bit is lost, where it is.
{ header SWO && bad=40 changes vcd <itm; } >wrong.vcd
run decode wrong.vcd --framing swo --format jsonl
grep -q '"k":"lost","src":0,"off":40,"reason":"bad_frame","bytes":' out && grep -q 'wrong start or stop bit' err
verdict $? wrong_bytes_are_damage_in_their_place

# So it is within frames of a TPIU: of the source that it is of.
{ header SWO && bad=609 changes vcd <frames; } >wrong_tpiu.vcd
run decode wrong_tpiu.vcd --framing swo --format jsonl
grep -A 1 '"off":585,' out | grep -q '"k":"lost","src":1,"off":[0-9]*,"reason":"bad_frame","bytes":' &&
    grep -q '1 byte of SWO has a wrong' err
verdict $? wrong_bytes_of_frames_are_damage_too
{ header SWO && bad=613 changes vcd <frames; } >wrong_padding.vcd
"$etm" decode tpiu.vcd --framing swo --format jsonl >expected 2>err
"$etm" decode wrong_padding.vcd --framing swo --format jsonl >out 2>err
cmp -s out expected
verdict $? those_of_another_source_are_none

# The same bytes in Manchester code, eight at a time.
manchester() {
    od -An -v -tu1 | tr -s ' ' '\n' | awk '
        function drive(value) {
            if (value != level) printf "#%d %d!\n", t, value
            level = value; t += 50
        }
        function bit(value) { drive(value); drive(1 - value) }
        BEGIN { t = 1000; print "#0 0!" }
        NF { if (n % 8 == 0) bit(1)
            for (i = 0; i < 8; i++) bit(int($1 / 2 ^ i) % 2)
            if (++n % 8 == 0) { drive(0); drive(0); if (n % 64 == 0) t += 730 } }
        END { if (n % 8) { drive(0); drive(0) } t += 500; drive(1) }'
}
{ header SWO && manchester <itm; } >code.vcd
works manchester_code_is_recognized 'SWO is read at 10000000 baud, in Manchester code' \
    info code.vcd --framing swo
works manchester_code_at_a_rate 'SWO is read at 10000000 baud, in Manchester code' \
    info code.vcd --framing swo --baud 10000000
rm -rf bytes
"$etm" split code.vcd --framing swo -o bytes >out 2>err && equal bytes/trace.bin itm
verdict $? manchester_code_is_read
{ header SWO && manchester <frames; } >tpiu_code.vcd
works frames_in_manchester_code '^    framing    tpiu$' info tpiu_code.vcd --framing swo

# Tables of bytes, one of them with an error, and annotations.
table() { # HEAD FORMAT: bytes, and 1 after the one with an error
    echo "$1"
    od -An -v -tu1 | tr -s ' ' '\n' | awk -v format="$2" '
        NF { printf format "\n", n / 800000, $1, ++n == 41 ? "framing" : "" }'
}
read_back() { # NAME FILE: but for the byte with an error
    rm -rf bytes
    "$etm" split "$2" -o bytes >out 2>err && equal bytes/trace.bin itm40
    verdict $? "$1"
}
{ head -c 40 itm && tail -c +42 itm; } >itm40
table 'Time [s],Value,Parity Error,Framing Error' '%.9f,0x%02X,,%s' <itm >saleae1.csv
table 'Time [s],Value,Parity Error,Framing Error' "%.9f,'%d',,%s" <itm >saleae2.csv
table 'Time [s],Value,Parity Error,Framing Error' '%.9f,%d,,%s' <itm >saleae3.csv
table 'name,type,start_time,duration,data,error' \
    '"Async Serial","data",%.9f,1e-06,0x%02x,%s' <itm >saleae4.csv
table 'uart-1: Start bit' '# %.9f
uart-1: 0
uart-1: %02x
uart-1: Stop bit%s' <itm | sed 's/^uart-1: Stop bitframing/uart-1: Frame error/' >sigrok.txt
table '; of PulseView' '; %.9f
1000-1100 UART: RX: %02X
1000-1100 UART: RX: Stop bit%s' <itm | sed 's/: Stop bitframing/: Frame error/' >pulseview.txt
for listed in saleae1.csv saleae2.csv saleae3.csv saleae4.csv sigrok.txt pulseview.txt; do
    read_back "bytes_of_$listed" $listed
    works "and_with_swo_$listed" '"H"$' decode $listed --framing swo
    grep -q 'bad_frame: . bytes* lost in 1 place' err
    verdict $? "one_is_missing_in_$listed"
done
table 'Id,Time[ns],1:UART' '0,%.9f,%02x' <itm >dsview.csv
works bytes_of_dsview '"H"$' decode dsview.csv

# A session of sigrok, of two pieces, whose second channel is the pin.
session() {
    python3 - itm.vcd session.sr <<'END'
import sys, zipfile
level, t, samples = 1, 0, bytearray()
for line in open(sys.argv[1]):
    if line[0] == "#":
        at, value = line[1:].split()
        samples += bytes([level << 1 | t % 2]) * (int(at) // 25 - t)
        t, level = int(at) // 25, int(value[0])
samples += bytes([level << 1]) * 100
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("version", "2")
    z.writestr("metadata", "[global]\nsigrok version=0.5.2\n\n[device 1]\n"
               "capturefile=logic-1\ntotal probes=8\nsamplerate=40 MHz\n"
               "total analog=0\nprobe1=D0\nprobe2=SWO\nunitsize=1\n")
    z.writestr("logic-1-2", bytes(samples[10000:]))
    z.writestr("logic-1-1", bytes(samples[:10000]))
END
}
if command -v python3 >/dev/null && session &&
    ! "$etm" info session.sr 2>&1 | grep -q 'sigrok-cli -i FILE'; then
    works a_session_of_sigrok_has_a_rate 'SWO is read at 8000000 baud' \
        info session.sr --framing swo
    rm -rf bytes
    "$etm" split session.sr -o bytes >out 2>err && equal bytes/trace.bin itm
    verdict $? and_its_bytes
    "$etm" decode session.sr >expected 2>err
    for framing in '' '--framing swo'; do
        # shellcheck disable=SC2086
        cat session.sr | "$etm" decode - $framing >out 2>err
        grep -q '"H"$' out && cmp -s out expected
        verdict $? "and_comes_from_a_pipe $framing"
    done
    { head -c 3 session.sr; sleep 0.2; tail -c +4 session.sr; } |
        "$etm" decode - >out 2>err
    cmp -s out expected
    verdict $? also_in_pieces
    head -c 800 session.sr | "$etm" decode - >out 2>err
    [ $? -eq 1 ] && grep -q 'sigrok' err
    verdict $? a_session_of_a_pipe_that_is_cut_is_refused
    head -c 800 session.sr >short.sr
    run info short.sr
    [ "$status" -eq 1 ] && grep -q 'sigrok' err
    verdict $? a_session_that_is_cut_is_refused
else
    for name in has_a_rate bytes pipe cut; do
        n=$((n + 1))
        echo "ok $n - a_session_of_sigrok_$name # SKIP no python3, or no libarchive"
    done
fi

refused() { # NAME TEXT STATUS ARGUMENT...
    name=$1 text=$2 want=$3
    shift 3
    run "$@"
    [ "$status" -eq "$want" ] && grep -q -e "$text" err
    verdict $? "$name"
}
refused a_rate_needs_swo '--baud is for --framing swo only' 2 \
    info itm.vcd --framing none --baud 8000000
refused a_rate_is_a_number 'not a number of bits' 2 \
    info itm.vcd --framing swo --baud fast
refused a_rate_may_be_too_high 'less than two units' 1 \
    info itm.vcd --framing swo --baud 900000000
refused a_pin_may_be_missing 'has no variable X' 1 \
    info itm.vcd --framing swo --signals swo=X
refused bytes_are_no_pin 'not samples as text, a table or a value change dump' 1 \
    info itm --framing swo
sed '5s/0x../0x1ff/' saleae1.csv >large.csv
refused a_value_may_be_no_byte 'large.csv:5: the value of this row is no byte' 1 \
    decode large.csv
{ header SWO && echo '#0 1!'; } >idle.vcd
refused a_pin_may_be_idle 'too few pulses' 1 info idle.vcd --framing swo
sed '/enddefinitions/i $var wire 1 " CLK $end' unnamed.vcd >two.vcd
refused one_of_several_has_to_be_named 'name it with --signals swo=NAME' 1 \
    info two.vcd --framing swo

echo "1..$n"
