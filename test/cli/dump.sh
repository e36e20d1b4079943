#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The registers of a raw file's macrocell, out of a file. Speaks TAP.
# Usage: dump.sh ETM DEMO
set -u

. "$(dirname "$0")/cli.sh"

# As a snapshot has them, and as a debugger lists them.
"$etm" decode "$m3" --format jsonl >expected
for file in "$m3/device_1.ini" listed.mdw; do
    while IFS='()=' read -r name number value; do
        case $number in
        0x*) printf '0xe0041%03x: %08x \n' $((4 * number)) $((${value#=})) ;;
        esac
    done <"$m3/device_1.ini" >listed.mdw
    run decode "$raw" --framing coresight --dump "$file" --image "$elf" \
        --format jsonl
    [ "$status" -eq 0 ] && [ ! -s err ] && equal out expected
    verdict $? "registers_come_of_a_file: ${file##*/}"
done
# The text of a terminal, with the commands in it.
{
    printf '\357\273\277J-Link>mem32 0xE0041000, 400\r\n'
    sed 's/^0x\([^:]*\):/\1 =/' listed.mdw | tr a-f A-F
    echo 'J-Link>'
} >listed.jlink
{ echo '(gdb) x/256xw 0xe0041000' && cat listed.mdw && echo '(gdb) '; } >listed.gdb
{ echo '> mdw 0xe0041000 256' && cat listed.mdw && echo '> '; } >listed.telnet
for tool in jlink gdb telnet; do
    run decode "$raw" --framing coresight --dump listed.$tool --image "$elf" \
        --format jsonl
    [ "$status" -eq 0 ] && [ ! -s err ] && equal out expected
    verdict $? "registers_come_of_a_terminal: $tool"
done
# With a column of characters, and as words without 0x.
sed 's/^0x\(.*\) $/\1    ..@./' listed.mdw >listed.md
sed -n 's/^\(ETM[A-Z0-9]*\)([0-9A-Fx]*)=0x\(.*\)/\1 \2/p' "$m3/device_1.ini" |
    tr -d '\r' | while read -r name value; do
    echo "  $name = $(printf %8s "$value" | tr ' ' 0)"
done >listed.csal
for tool in md csal; do
    run decode "$raw" --framing coresight --dump listed.$tool --image "$elf" \
        --format jsonl
    [ "$status" -eq 0 ] && [ ! -s err ] && equal out expected
    verdict $? "registers_come_of_a_listing: $tool"
done
run info "$raw" --framing coresight --dump listed.mdw --reg ETMCR=0x1000
[ "$status" -eq 0 ] && grep -q 'traces     cycle-accurate' out
verdict $? one_register_is_stronger_than_the_dump
{ cat listed.mdw && echo '0xe0040000: 0000000f'; } >listed.blocks
run info "$raw" --framing coresight --dump listed.blocks
[ "$status" -eq 0 ] && grep -q 'listed.blocks: note: 1 access to other' err
verdict $? other_blocks_in_the_dump_are_noted
run info "$raw" --framing coresight --dump - <listed.mdw
[ "$status" -eq 0 ] && grep -q 'protocol   ETMv3.4' out
verdict $? the_dump_may_be_standard_input
fails a_dump_that_is_not_there 1 'nosuch: No such file' \
    decode "$raw" --framing coresight --dump nosuch
head -1 expected >line
fails a_dump_without_registers 1 'line:1: no register has that name' \
    decode "$raw" --framing coresight --dump line
fails the_capture_and_the_dump_are_two 2 'standard input is already the capture' \
    decode - --dump -
fails one_dump_is_enough 2 '--dump: only one at a time' \
    decode "$raw" --dump listed.mdw --dump listed.mdw
fails nothing_replaces_the_dump 1 'would replace the dump' \
    decode "$raw" --framing coresight --dump listed.mdw -o listed.mdw
fails a_snapshot_has_its_registers 1 'registers can only be given' \
    decode "$m3" --dump listed.mdw

echo "1..$n"
