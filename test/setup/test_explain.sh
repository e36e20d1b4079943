#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm explain from outside: what it reads, what it writes, its errors. Speaks
# TAP. Usage: test_explain.sh ETM DEMO PROGRAMS EMULATOR(true|false)
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$2
programs=$3
emulator=$4
cd "$scratch" || exit 99

# says NAME TEXT FILE [OPTION...]: exit status 0, and the text (on one line,
# however it was wrapped) is in the output
says() {
    name=$1 text=$2
    shift 2
    "$etm" explain "$@" >out 2>err && [ ! -s err ] &&
        tr '\n' ' ' <out | tr -s ' ' | grep -q -F -e "$text"
    verdict $? "$name"
}

# fails NAME STATUS TEXT ARGUMENT...: nothing said but one line of error
fails() {
    name=$1 want=$2 text=$3
    shift 3
    "$etm" explain "$@" >out 2>err
    [ $? -eq "$want" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q -F -e "$text" err
    verdict $? "$name"
}

says 'a device of a snapshot' 'ETMv3.4, revision 0, made by Arm.' \
    "$demo/cortex-m3/device_1.ini"
says 'registers that are missing' 'Not known without ETMTRIGGER:' \
    "$demo/cortex-a9/device_1.ini"

cat >table <<'END'
ETMCR = 0x00000800
ETMTEEVR = 0x6f
ETMTECR1 = 0x01000001
ETMACVR1 = 0x8000
ETMACVR2 = 0x7000
ETMTRIGGER = 0x08941
END
says 'a setup and a core' \
    'Trigger: counter 2 at zero and address in range 3.' \
    table --core cortex-r4
# MC-DSC-07
says 'a mistake' 'unpredictable: range 1 ends at 0x00007000, not above its '\
'beginning at 0x00008000 (ETMACVR2, 3.5.10) [range-empty]' \
    table --core cortex-r4
says 'another version of the core' 'ETMv2.0.' table --core cortex-r4 --etm v2.0
says 'a mistake for programs' \
    '{"k":"lint","id":"range-empty","severity":"unpredictable","register":'\
'"ETMACVR2","section":"3.5.10","text":"range 1 ends' \
    table --core cortex-r4 --format jsonl
says 'a sentence for programs' \
    '{"k":"says","topic":"trigger","subject":"event","known":true,"registers":'\
'{"ETMTRIGGER":"0x00008941"},"text":"Trigger: counter 2' \
    table --core cortex-r4 --format jsonl
"$etm" explain table --core cortex-r4 --format jsonl >out 2>err
tail -n 1 out | grep -q -x '{"k":"end"}'
verdict $? 'the last line for programs'
# A Cortex-M3 has no address comparators: ETMTSSCR would select nothing.
printf 'ETMTECR1 = 0x03000000\nETMTESSEICR = 0x00020001\n' >watchpoints
says 'only watchpoint comparators start' \
    'while started by EmbeddedICE comparator 1;' watchpoints --core cortex-m3
says 'with others, ETMTSSCR is needed' 'Not known without ETMTSSCR' \
    watchpoints --core cortex-a8
printf 'ETMTECR1 = 0x03000000\nETMTESSEICR = 0x00000001\n' >watchpoints
says 'a watchpoint comparator that nothing stops' \
    'never stopped (ETMTESSEICR' watchpoints --core cortex-m3
"$etm" explain - --core cortex-r4 <table >out 2>err && grep -q Trigger out
verdict $? 'standard input'
"$etm" explain table --core cortex-r4 -o file >out 2>err &&
    [ ! -s out ] && grep -q Trigger file
verdict $? 'a file for the output'
"$etm" explain --help >out 2>err && grep -q '^usage: etm explain FILE' out
verdict $? 'help'
"$etm" explain table --core cortex-r4 >out 2>err && [ -s out ] &&
    [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
verdict $? 'lines have 80 columns'

# What was asked for comes back in words, from every format.
elf=$programs/recurse-r4.elf
for format in table c openocd gdb sysfs; do
    "$etm" configure --core cortex-a7 --elf "$elf" --trace-function sort \
        --trigger-at main --format $format -o setup 2>err
    says "a function, by way of $format" \
        'Only traced: range 1 (instruction executed in function sort, [' \
        setup --core cortex-a7 --elf "$elf"
done

# Memory as OpenOCD and GDB list it, at whatever address the registers are.
"$etm" configure --core cortex-a7 --elf "$elf" --trace-function sort \
    --trigger-at main -o setup 2>err
"$etm" explain setup --core cortex-a7 >want 2>err
while read -r name equals value _ number; do
    [ "$equals" = = ] || continue
    printf '0x%08x: %08x \n' $((0x8011c000 + 4 * number)) $((value)) >&3
    printf '0x%x <%s>:\t0x%08x\n' $((0xfffff000 + 4 * number)) "$name" \
        $((value)) >&4
done <setup 3>openocd 4>gdb
for how in openocd gdb; do
    "$etm" explain $how --core cortex-a7 >out 2>err && equal out want
    verdict $? "memory as of $how"
done
echo '0x8011c020:  0000006f 01000001 00000000' >several
"$etm" explain several --core cortex-a7 --format jsonl >out 2>err
grep -q '"ETMTEEVR":"0x0000006f"' out && grep -q '"ETMTECR1":"0x01000001"' out
verdict $? 'several registers in a line of memory'
awk 'BEGIN { for (i = 0; i < 4096; i += 32)
    printf "%08x: 0 0 0 0 0 0 0 0\n", 3221229568 + i }' >memory
"$etm" explain memory --core cortex-a7 >out 2>err && [ -s out ]
verdict $? 'all of the memory'
echo '0x8011c000: 00000400 0000zz00' >wrong
fails 'a word that is none' 1 'wrong:1: a line of memory is an address and' \
    wrong --core cortex-a7
echo '0x8011cffc: 00000400 00000000' >wrong
fails 'memory behind registers' 1 'goes beyond' wrong --core cortex-a7

# What else is in a script.
printf 'set etm 0xe0041000\nmww 0xe00400f0 2\nmww $etm 0xd80\n' >script
says 'what is passed over' '1 access to other addresses is passed over, such '\
'as 0xe00400f0.' script --core cortex-m3
says 'what is passed over, for programs' '{"k":"note","text":"1 access to' \
    script --core cortex-m3 --format jsonl
printf 'mww 0xe0041000 $etmcr\n' >wrong
fails 'the word that is rejected' 1 'wrong:1: the value is not a 32-bit number '\
'that is known here: $etmcr' wrong --core cortex-m3

# The core that etm configure named.
for format in table c openocd gdb sysfs; do
    "$etm" configure --core cortex-a9 --cycle-accurate --format $format \
        -o titled 2>err
    says "the core of a title, by way of $format" 'PFTv1.0.' titled
    says "another core than that of a title, by way of $format" 'ETMv3.3.' \
        titled --core cortex-r4
done
"$etm" configure --core cortex-r4 --etm v2.0 -o titled 2>err
says 'the version of a title' 'ETMv2.0.' titled

"$etm" configure --core cortex-r4 --start-at 0x8000 --stop-at 0x8040 \
    --cycle-accurate 2>err | "$etm" explain - --core cortex-r4 >out 2>err
tr '\n' ' ' <out | tr -s ' ' | grep -q -F 'Only traced while started by '\
'address comparator 1 (instruction executed at 0x00008000' &&
    grep -q 'Tracing is cycle-accurate.' out && ! grep -q mistakes out
verdict $? 'a start and a stop through a pipe'

fails 'no file' 2 'no file with registers is given'
fails 'a file that is not there' 1 'missing: No such file' missing
fails 'two files' 2 'only one file at a time' table table
fails 'an option that there is not' 2 '--colour: no such option' table --colour
fails 'a core that there is not' 2 '--core z80: no such core' table --core z80
fails 'a version that there is not' 2 'v9' table --core cortex-r4 --etm v9
fails 'a format that there is not' 2 'the format is text or jsonl' table \
    --format xml
fails 'no version' 1 'ETMIDR is missing, and no protocol is given (--core' table
fails 'a version without a core' 2 '--etm needs --core' table --etm v3.0
fails 'a program without a core' 2 '--simulate needs --core' table \
    --simulate "$elf"
echo 'ETMCR 12 what' >wrong
fails 'a line that is none' 1 'wrong:1: ' wrong --core cortex-r4
printf '[regs]\nETMCR(0x000)=eleven\n' >wrong
fails 'a device with a line that is none' 1 'wrong:2: ' wrong
echo '# nothing' >wrong
fails 'no registers' 1 'no register in it' wrong --core cortex-r4
fails 'no ELF file' 1 'table: ' table --core cortex-r4 --elf table

fails 'memory without a program' 2 '--memory needs --simulate' table \
    --memory 0-4

if [ "$emulator" = true ]; then
    "$etm" configure --core cortex-r4 --elf "$elf" --trace-function sort \
        --trigger-at fibonacci --after-count 3 --data value -o setup 2>err
    # The program runs the same each time: its functions are executed so often.
    "$etm" explain setup --core cortex-r4 --simulate "$elf" \
        --format jsonl >out 2>err
    executed=$(sed -n 's/.*"name":"sort","executed":\([0-9]*\),.*/\1/p' out)
    [ "${executed:-0}" -gt 100 ] && grep -q \
        "\"name\":\"sort\",\"executed\":$executed,\"traced\":$executed}" out &&
        grep -q '"name":"fibonacci","executed":[1-9][0-9]*,"traced":0}' out &&
        grep -q "\"k\":\"simulation\".*\"traced\":$executed,.*\"overflows\":0" \
            out && grep -q '"k":"trigger"' out &&
        grep -q '"register":"ETMCNTVR1","value":0}' out
    verdict $? 'the model traces the function that was asked for, no other'
    # a Cortex-R4 has two counters
    [ "$(sed -n 's/.*"k":"ended","register":"\([A-Z0-9]*\)".*/\1/p' out |
        tr '\n' ' ')" = 'ETMCNTVR1 ETMCNTVR2 ETMSQR ' ]
    verdict $? 'the state at the end is that of what there is'
    # an M-profile program in the A profile
    says 'the last fault' 'The last fault: the instruction at 0x00000068 is' \
        setup --core cortex-r4 --limit 5000 \
        --simulate "$(dirname "$elf")/nested-m3.elf"
    says 'the core of a title is simulated' 'the program ended' setup \
        --simulate "$elf"
    says 'more memory' 'the program ended' setup --core cortex-r4 \
        --simulate "$elf" --memory 0x20000000-0x20001000
    fails 'memory that is none' 2 'FROM-TO' setup --core cortex-r4 \
        --simulate "$elf" --memory 12
    says 'a limit' 'the limit of instructions was reached' setup \
        --core cortex-r4 --simulate "$elf" --limit 500
    says 'counters at the end' 'Counter 1 ended at 0.' setup --core cortex-r4 \
        --simulate "$elf"
    says 'names of the program' 'function sort, [' setup --core cortex-r4 \
        --simulate "$elf"
fi
echo "1..$n"
