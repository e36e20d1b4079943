#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm configure --chip and --sink from outside: options that need or exclude
# each other, what is written where, and messages. Speaks TAP.
# Usage: test_configure_chip.sh ETM
set -u

. "$(dirname "$0")/../support/tap.sh"
cd "$scratch" || exit 99

# wrong NAME TEXT ARGUMENT...: exit status 2, and one line
wrong() {
    name=$1 text=$2
    shift 2
    fails "$name" 2 "$text" configure "$@"
}

wrong a_chip_needs_a_sink '--chip needs --sink' --chip stm32f407
for option in --clock=1 --trace=itm --tpiu=4 --etb=4 --tmc=4 --funnel=4 \
    --rom-table=x --read-out; do
    wrong "${option%%=*}_needs_a_sink" "${option%%=*} needs --sink" \
        --core cortex-m4 "$option"
done
wrong chip_or_core 'cannot be combined with --core' --chip stm32f407 \
    --core cortex-m4 --sink tpiu:4
wrong a_sink_needs_a_processor 'Give --chip, --core' --sink tpiu:4
wrong an_unknown_chip_is_named 'stm32f999: no such chip.*--rom-table' \
    --chip xstm32f999 --sink tpiu:4
wrong what_is_meant_is_guessed 'did you mean .stm32' --chip stm32k1 \
    --sink tpiu:4
for sink in tpiu tpiu: tpiu:0 tpiu:33 tpiu:x swo swo:0 etb:1 usb x; do
    wrong "sink_${sink}_is_none" "--sink $sink: not one of" --chip stm32f407 \
        --sink "$sink"
done
wrong three_pins_are_none '1, 2 or 4 data pins' --chip stm32f407 --sink tpiu:3
wrong swo_needs_a_clock 'frequency is not given' --chip stm32f407 \
    --sink swo:2000000
wrong origin_is_one_of_these 'x: not one of etm, itm' --chip stm32f407 \
    --sink tpiu:4 --trace etm,x
wrong inputs_are_up_to_7 'from 0 to 7' --core cortex-a9 --sink etb \
    --etb 0xf8801000 --funnel 0xf8804000:8
wrong an_address_is_of_a_word 'multiple of 4' --core cortex-m4 --sink tpiu:4 \
    --tpiu 0xe0040001
wrong no_instructions_without_etm 'without etm' --chip stm32f407 \
    --sink swo:1000000 --clock 16000000 --trace itm --range 0-16
wrong no_instructions_without_macrocell 'has no ETM' --chip sam4s \
    --sink swo:1000000 --clock 16000000 --range 0-16
fails no_buffer_there 1 'no such way out' configure --chip stm32f407 --sink etb
fails linux_does_it_itself 1 'themselves' configure --chip stm32f407 \
    --sink tpiu:4 --format sysfs
"$etm" configure --core arm7tdmi --sink tpiu:4 --tpiu 0x1000 --format openocd \
    >out 2>err
[ $? -eq 1 ] && [ ! -s out ] && grep -q 'which this macrocell is not in' err
verdict $? arm7_is_not_in_memory
fails a_port_is_read_at_its_pins 1 'from its pins' configure --chip stm32f407 \
    --sink tpiu:4 --read-out --format openocd
fails jlink_writes_no_files 1 'no files' configure --chip k64 --sink etb \
    --read-out --format jlink
fails openocd_alone_captures_swo 1 'OpenOCD alone' configure --chip k64 \
    --sink swo:1000000 --clock 120000000 --read-out --format gdb

"$etm" configure --chip list >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -ge 15 ] &&
    grep -q '^stm32f4 .*cortex-m4 .*tpiu swo .*RM0090' out
verdict $? chips_are_listed_with_their_sources
"$etm" configure --chip lpc4357 --sink tpiu:4 --format c -o x.h >out 2>err
[ $? -eq 0 ] && [ ! -s out ] && grep -q 'note: no public source confirms the address of the ETB' err &&
    grep -q 'but: no public source confirms the address of the ETB' x.h &&
    grep -q 'values from: NXP UM10503' x.h
verdict $? what_is_not_confirmed_is_said
"$etm" configure --chip stm32f407 --sink tpiu:4 >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q '^ETMTRACEIDR *= 0x00000002 ' out &&
    grep -q '^# *0xe0042004: clear 0x000000c0, set 0x000000e0  DBGMCU_CR' out &&
    "$etm" explain out >explained && grep -q 'ETMv3.5' explained
verdict $? the_table_has_the_path_as_comments
"$etm" configure --chip stm32f407 --sink tpiu:4 --trace etm,itm --trace-id 1 \
    --format openocd >out 2>err
[ $? -eq 0 ] && grep -q '^mww 0xe0000e80 0x00020005 ' out &&
    grep -q '^mww 0xe0041200 0x00000001 ' out
verdict $? trace_ids_differ

printf 'ETMIDR = 0x4114f250\nETMCCR = 0x8c802000\nETMCCER = 0x18541800\n' >dump
"$etm" configure --dump dump --sink swo:1000000 --clock 16000000 --trace itm \
    --chip stm32f407 >out 2>err && grep -q '^# stm32f407$' out &&
    "$etm" configure --dump dump --chip stm32f407 --sink tpiu:4 >out 2>err &&
    grep -q '^# dump: ETMv3.5$' out
verdict $? a_dump_can_stand_for_the_macrocell_of_a_chip

"$etm" configure --chip k64 --sink etb --trigger-at 0x100 >out 2>err &&
    grep -q 'note: the trigger does not stop the buffer' err &&
    "$etm" configure --chip k64 --sink etb --trigger-at 0x100 \
        --debug-on-trigger >out 2>err && ! grep -q 'does not stop' err
verdict $? a_trigger_that_does_not_stop_the_buffer_is_noted

cat >table <<'END'
0000478 I [4]<e0050000:TPIU M4 class=9 designer=43b:Arm part=9a1 devtype=11 archid=0000 devid=ca1:0:0> [rom_table]
0000481 I [5]<e0051000:ETM M4 class=9 designer=43b:Arm part=925 devtype=13 archid=0000 devid=0:0:0> [rom_table]
0000482 I [6]<e0052000:ETB class=9 designer=43b:Arm part=907 devtype=21 archid=0000 devid=0:0:0> [rom_table]
END
"$etm" configure --core cortex-m4 --sink tpiu:4 --rom-table table \
    --format openocd >out 2>err
[ $? -eq 0 ] && grep -q 'note: the chip is not known: its pins' err &&
    grep -q '^mww 0xe0050004 0x00000008 ' out &&
    grep -q '^mww 0xe0051fb0 0xc5acce55 ' out
verdict $? a_rom_table_has_the_addresses
"$etm" configure --core cortex-m4 --sink etb --rom-table table --etb 0xe0060000 \
    --format openocd >out 2>err
[ $? -eq 0 ] && grep -q '^mww 0xe0060020 0x00000001 ' out
verdict $? an_option_comes_before_the_table
echo nothing >table
fails a_text_without_a_rom_table_is_named 1 'table: there is no component' \
    configure --core cortex-m4 --sink tpiu:4 --rom-table table
fails a_missing_file_is_named 1 'none: No such file' configure \
    --core cortex-m4 --sink tpiu:4 --rom-table none

echo "1..$n"
