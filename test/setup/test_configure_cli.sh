#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm configure from outside: values, formats, files, exit status. Speaks TAP.
# Usage: test_configure_cli.sh ETM ELF
set -u

. "$(dirname "$0")/../support/tap.sh"
elf=$2
cd "$scratch" || exit 99

run() { # ARGUMENT...: leaves out, err and status
    "$etm" configure "$@" >out 2>err
    status=$?
}

# fails NAME STATUS TEXT ARGUMENT...: nothing but one line on standard error
fails() {
    name=$1 want=$2 text=$3
    shift 3
    run "$@"
    [ "$status" -eq "$want" ] && [ ! -s out ] &&
        [ "$(wc -l <err)" -eq 1 ] && grep -q -e "^etm: .*$text" err
    verdict $? "$name"
}

# sets NAME VALUES ARGUMENT...: VALUES are REGISTER=VALUE, separated by blanks, as
# short as can be
sets() {
    name=$1 values=$2
    shift 2
    run "$@"
    good=$status
    for value in $values; do
        grep -q "^\(ETM\)*${value%%=*} *= 0x0*${value#*=} " out || good=1
    done
    verdict "$good" "$name"
}

fails neither_core_nor_dump_is_wrong_usage 2 '--core or --dump'
fails both_core_and_dump_are_wrong_usage 2 '--core cannot be combined with --dump' \
    --core cortex-a8 --dump x
fails unknown_option_is_wrong_usage 2 'no such option' --core cortex-a8 --frob
fails option_without_value_is_wrong_usage 2 'needs a value' --core
fails unknown_format_is_wrong_usage 2 'x: not one of table, c, ' --core cortex-a8 --format x
run --core cortex-a8 --data address,value
cp out expected
run --core cortex-a8 --data both
[ "$status" -eq 0 ] && [ -s out ] && equal out expected
verdict $? both_are_address_and_value
fails from_without_to_is_wrong_usage 2 'needs --to' --core cortex-a8 --from 1
fails empty_range_is_wrong_usage 2 '--range 0x10-0xc: the range is empty' \
    --core cortex-a8 --range 0x10-0xc
fails end_before_from_is_wrong_usage 2 '--to 0xc: the range is empty' \
    --core cortex-a8 --from 0x10 --to 0xc
fails name_without_elf_is_wrong_usage 2 'needs --elf' \
    --core cortex-a8 --start-at main
fails unknown_condition_is_wrong_usage 2 'no such condition' \
    --core cortex-a8 --trigger-at frob:1
fails contradiction_is_wrong_usage 2 'both start and stop' \
    --core cortex-a8 --start-at 0x10 --stop-at 0x10
fails unknown_core_is_wrong_usage 2 '--core cortex-x1: no such core' \
    --core cortex-x1
fails unknown_version_is_wrong_usage 2 'v4: no such version' \
    --core cortex-a8 --etm v4
fails missing_file_is_named 1 'No such file' --core cortex-a8 --elf no.elf
fails missing_dump_is_named 1 'no.txt: No such file' --dump no.txt
fails missing_resource_is_named 1 'no trace port of its own' \
    --core cortex-a9 --port-size 8
fails shortage_is_counted 1 '5 pairs.*has 4' --core cortex-a8 --range 0-16 \
    --range 32-48 --range 64-80 --range 96-112 --start-at 16 --stop-at 32

sets everything_is_the_default 'TECR1=1000000 TEEVR=6f TRIGGER=406f' --core \
    cortex-a8
sets function_of_a_program_is_a_range 'TECR1=1 ACVR1=8010 ACVR2=802c ACTR1=9' \
    --core cortex-a9 --elf "$elf" --trace-function thumb_function
sets arm_code_is_told_from_thumb_code ACTR1=19 --core cortex-a9 --elf "$elf" \
    --trace-function arm_function
copies=$(dirname "$elf")/copies.elf
run --core cortex-a9 --elf "$copies" --trace-function square
[ "$status" -eq 0 ] && grep -q '^ETMACVR1 *= 0x00008000 ' out &&
    grep -q '^etm: note: --trace-function square: .* has 2 of that name: the one at 0x00008000 is used' err
verdict $? one_of_two_functions_of_a_name_is_named
run --core cortex-a9 --elf "$copies" --trace-function first
[ "$status" -eq 0 ] && [ -s out ] && ! grep -q 'of that name' err
verdict $? a_name_of_one_function_needs_no_note

# e_type is EXEC in the file, and DYN in the copy.
cp "$elf" moved.elf
printf '\003' | dd of=moved.elf bs=1 seek=16 conv=notrunc 2>dd
run --core cortex-a8 --elf moved.elf --trace-function arm_function
[ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: note: --elf moved.elf is position-independent' err
verdict $? addresses_of_a_position_independent_program_are_noted
run --core cortex-a8 --elf "$elf" --trace-function arm_function
[ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ]
verdict $? addresses_of_other_programs_are_not
sets offsets_and_numbers_are_addresses 'TSSCR=20001 ACVR1=8054 ACVR2=802c' \
    --core cortex-a8 --elf "$elf" --start-at _start+4 --stop-at 0x802c
sets watchpoint_comparators_start_and_stop 'TESSEICR=20001 TECR1=3000000' \
    --core cortex-m3 --start-at ice:1 --stop-at ice:2
[ "$(grep -c '^etm: note: .* is DWT comparator' err)" -eq 2 ]
verdict $? how_to_set_them_up_is_noted
fails watchpoint_comparators_have_numbers 2 'numbered from 1 to 8' \
    --core cortex-m3 --start-at ice:0
sets addresses_are_those_of_the_dwt \
    'DEMCR=1000000 DWT_COMP0=8000100 DWT_MASK0=0 DWT_FUNCTION0=8
    DWT_COMP1=8000200 DWT_FUNCTION1=8 TESSEICR=20001' --core cortex-m3 --start-at 0x08000101 --stop-at 0x08000200
grep -q '^etm: note: DWT comparators 0, 1 .* watchpoints' err
verdict $? what_else_uses_them_is_noted
sets names_of_functions_are_those_of_the_dwt \
    'DWT_COMP0=8010 DWT_COMP1=8054 DWT_FUNCTION1=8 TRIGGER=21' --core \
    cortex-m4 --elf "$elf" --start-at thumb_function --trigger-at _start+4
sets function_is_in_blocks_of_the_dwt \
    'DWT_COMP0=8010 DWT_MASK0=4 DWT_COMP1=8020 DWT_MASK1=4 TEEVR=150a0' --core \
    cortex-m4 --elf "$elf" --trace-function thumb_function
grep -q '^etm: note: 0x00008010-0x0000801f and 0x00008020-0x0000802f are traced, more .*--start-at, --stop-at' err
verdict $? what_else_the_blocks_have_is_noted
fails region_beyond_the_dwt_names_another_way 1 \
    'use --start-at and --stop-at, or ice:1' \
    --core cortex-m3 --range 0x08000000-0x08020000
fails comparators_of_the_dwt_are_counted 1 '5 DWT comparators.*has 4' \
    --core cortex-m3 --start-at 0x100 --stop-at 0x200 --stop-at 0x300 \
    --stop-at 0x400 --trigger-at 0x500
for format in c openocd gdb; do
    run --core cortex-m4 --start-at 0x08000100 --stop-at 0x08000200 \
        --format $format -o dwt.$format
    [ "$status" -eq 0 ] && grep -q '0xe0001030.*0x08000200' dwt.$format &&
        "$etm" explain dwt.$format --core cortex-m4 >out &&
        grep -q '  EmbeddedICE comparator 2 is DWT comparator 1: ' out
    verdict $? "dwt_is_in_${format}_and_read_back"
done
run --core cortex-m4 --start-at 0x08000100 --format sysfs
[ "$status" -eq 1 ] && [ ! -s out ] && grep -q 'driver does not program the comparators of the DWT' err
verdict $? driver_does_not_program_the_dwt
sets transfers_start_and_stop \
    'TSSCR=20001 TECR1=3000000 ACVR1=20000000 ACTR1=3e DCVR1=5 ACVR2=20000010 ACTR2=5' \
    --core cortex-r4 --start-at store4:0x20000000=5 --stop-at load1:0x20000010
fails nothing_starts_at_a_range 2 'starts and stops at single addresses' \
    --core cortex-r4 --start-at exec:0x100-0x200
run --core cortex-m3 --start-at ice:1 --stop-at ice:2 --format sysfs
[ "$status" -eq 1 ] && [ ! -s out ] && grep -q 'cannot give ETMTESSEICR' err
verdict $? driver_knows_no_watchpoint_comparators
sets from_and_to_make_a_range 'ACVR1=100 ACVR2=200' --core cortex-a8 --from \
    0x100 --to 0x200
sets value_at_an_address_is_looked_for \
    'DCVR1=a0 DCMR1=ffffff0f ACTR1=26 CR=84c' --core cortex-a8 --etm v3.2 \
    --data value,address --data-value 0xa0/0xf0@0x2001 --data-size 1 \
    --data-access store
fails value_with_bits_outside_its_mask_is_wrong_usage 2 'mask leaves out' \
    --core cortex-a8 --data both --data-value 0xab/0xf0@0x2001 --data-size 1
sets loads_alone_are_those_of_all_addresses \
    'VDCR1=0 VDCR3=1 ACVR1=0 ACVR2=ffffffff ACTR1=1d ACTR2=1d' --core \
    cortex-r4 --data address --data-access load
fails size_of_no_address_is_wrong_usage 2 'data-size needs --data-range' \
    --core cortex-r4 --data value --data-size 1
sets variable_of_a_program_is_watched 'VDCR1=1 ACVR1=20000 ACTR1=1c' --core \
    cortex-a8 --elf "$elf" --data address --data-variable counter
sets value_of_a_variable_is_watched 'TRIGGER=0 ACVR1=20000 DCVR1=7' --core \
    cortex-a8 --elf "$elf" --trigger-at store:counter=7
fails unknown_variable_is_named 1 'no variable nix' \
    --core cortex-a8 --elf "$elf" --data address --data-variable nix
sets trigger_counts 'TRIGGER=40 CNTRLDVR1=5 ACTR1=9e' --core cortex-a8 \
    --trigger-at store4:0x2000 --after-count 5
fails a_trigger_has_one_count 2 \
    '--after-count 5 and \*3 in --trigger-at are two counts' \
    --core cortex-a8 --trigger-at 'store4:0x2000*3' --after-count 5
sets a_count_may_be_in_the_condition 'TRIGGER=40 CNTRLDVR1=5 ACTR1=9e' --core \
    cortex-a8 --trigger-at 'store4:0x2000*5'
sets conditions_are_joined 'TRIGGER=8860 EXTOUTEVR1=1f0e1' --core cortex-a8 \
    --trigger-at 'ext:1&0x8000-0x8100' --external-output '1=!ext:2|!ext:2'
sets conditions_may_have_blanks_around 'TRIGGER=8860 EXTOUTEVR1=1f0e1' --core \
    cortex-a8 --trigger-at ' ext:1 & 0x8000-0x8100 ' --external-output \
    '1= ! ext:2 | !ext:2'
fails blanks_are_no_condition 2 'not a condition' \
    --core cortex-a8 --trigger-at 'ext:1 & '
sets chain_goes_through_the_states TRIGGER=52 --core cortex-a8 --chain \
    ext:1,ext:2 --trigger-at chain
sets modes_are_bits_of_the_control_register \
    'CR=3000d100 TRACEIDR=11 SYNCFR=200' --core cortex-a9r0p0 --cycle-accurate \
    --timestamps --return-stack --branch-broadcast --context-id-size 4 \
    --trace-id 0x11 --sync 0x200

# The driver looks at ETMCCER[22], which does not deny them there (E-337).
fails the_driver_refuses_timestamps 1 \
    "Linux's driver cannot turn timestamps on: ETMCCER\[22\]" \
    --core cortex-a9 --timestamps --format sysfs
driver=0
run --core cortex-a9 --timestamps --format gdb
[ "$status" -eq 0 ] || driver=1
for core in cortex-a9r0p0 cortex-a15; do
    run --core $core --timestamps --format sysfs
    [ "$status" -eq 0 ] && grep -q '^echo 0x9 > $etm/mode' out || driver=1
done
verdict $driver the_driver_takes_timestamps_where_they_are_shown

cat >dump <<'END'
[regs]
ETMCCR(0x001)=0x8d294024
ETMIDR(0x079)=0x410cf250
ETMCCER(0x07a)=0x344008f2
END
sets dump_stands_for_a_core 'TSEVR=60 CR=10000840' --dump dump --timestamps \
    --timestamp-at ext:1

# E-333: the OS lock of ETMv3.5
for oslsr in 8 a 0; do
    printf 'ETMOSLSR(0x0c1)=0x%s\n' $oslsr | cat dump - >dump.$oslsr
    run --dump dump.$oslsr --format openocd
    grep -q '^mww 0xe0041300 0x00000000 ;# ETMOSLAR: unlock$' out
    opens=$?
    [ "$status" -eq 0 ] && [ -s out ] && [ $opens -eq $([ $oslsr = 0 ] && echo 1 || echo 0) ]
    verdict $? "os_lock_is_opened_where_there_is_one_$oslsr"
done

# Of conditions with values, wherever --big-endian stands.
value=store1:0x1001=5
for option in --trigger-at=$value "--trigger-at=ext:1&$value" --when=$value \
    "--data=value --data-when=$value" --external-output=1=$value \
    "--chain=$value,0x100 --trigger-at=chain"; do
    # shellcheck disable=SC2086 # options are words
    run --core arm926ej-s --big-endian $option
    cp out expected
    # shellcheck disable=SC2086
    run --core arm926ej-s $option --big-endian
    [ "$status" -eq 0 ] && equal out expected &&
        grep -q '^ETMDCVR1 *= 0x00050000 ' out
    verdict $? "order_of_bytes_is_said_anywhere: $option"
done

# In later versions it makes no difference (2.8.4), which is said.
run --core cortex-a8 --trigger-at=$value
cp out expected
run --core cortex-a8 --trigger-at=$value --big-endian
[ "$status" -eq 0 ] && equal out expected &&
    [ "$(grep -c '^etm: note: the byte order makes no difference' err)" -eq 1 ]
verdict $? byte_order_that_makes_no_difference_is_noted
run --core arm926ej-s --trigger-at=0x1000 --data value --big-endian
[ "$status" -eq 2 ] && grep -q -e '--big-endian needs a value' err
verdict $? byte_order_of_no_value_is_wrong_usage

run --core cortex-a8 --when ext:1
[ "$status" -eq 0 ] && grep -q '^etm: note: .*imprecise' err
verdict $? notes_go_to_standard_error
for always in always 'always|ext:1' '!always&ext:1'; do
    run --core cortex-a8 --data both --when "$always" --data-when "$always"
    [ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ]
    verdict $? "an_event_that_cannot_change_is_precise: $always"
done
for sometimes in ext:1 'always&ext:1' '!always|ext:1' 'ext:1|ext:2'; do
    run --core cortex-a8 --data both --when "$sometimes" \
        --data-when "$sometimes"
    [ "$status" -eq 0 ] && [ "$(grep -c imprecise err)" -eq 2 ]
    verdict $? "an_event_that_can_change_is_imprecise: $sometimes"
done

# A value without an address is that of the ranges, if there are any.
sets value_of_a_range 'VDCR3=1 ACVR1=2000 ACVR2=2010 ACTR1=3e DCVR1=5' --core \
    cortex-a8 --data both --data-value 5 --data-access store --data-range \
    0x2000-0x2010
[ "$(grep -c ETMACVR out)" -eq 2 ]
verdict $? value_of_a_range_and_nowhere_else
sets value_of_two_ranges 'VDCR3=3 DCVR1=5 DCVR2=5' --core cortex-a8 --data \
    both --data-range 0x2000-0x2010 --data-value 5 --data-range 0x3000-0x3010
sets value_with_an_address_by_itself \
    'VDCR1=1 VDCR3=2 ACVR1=4000 ACTR1=3c ACTR3=1c' --core cortex-a8 --data \
    both --data-range 0x2000-0x2010 --data-value 5@0x4000
sets value_at_any_address 'VDCR3=1 ACVR2=ffffffff ACTR1=3c' --core cortex-a8 \
    --data both --data-value 5
fails values_are_too_many 1 '3 data value comparators are needed' \
    --core cortex-a8 --data both --data-range 0x2000-0x2010 \
    --data-value 5 --data-value 6 --data-value 7

sets only_stores_except_some \
    'VDCR3=201 ACVR1=0 ACVR2=ffffffff ACTR1=1e ACVR3=2000 ACVR4=3000 ACTR3=1e' \
    --core cortex-a8 --data both --data-access store --exclude-data-range \
    0x2000-0x3000
sets all_data_except_some 'VDCR3=10100 ACTR1=1c' --core cortex-a8 --data both \
    --exclude-data-range 0x2000-0x3000

# 0xe0041000 is the address in M-profile processors only.
noted=0
for format in c openocd gdb; do
    run --core cortex-a8 --format $format
    grep -q '^etm: note: without --base the address is 0xe0041000' err || noted=1
    run --core cortex-a8 --format $format --base 0x54000000
    [ "$status" -eq 0 ] && [ ! -s err ] || noted=1
    run --core cortex-m3 --format $format
    [ "$status" -eq 0 ] && [ ! -s err ] || noted=1
done
for format in table sysfs; do
    run --core cortex-a9 --format $format
    [ "$status" -eq 0 ] && [ ! -s err ] || noted=1
done
run --core arm7tdmi --format openocd
[ "$status" -eq 0 ] && [ ! -s err ] || noted=1
verdict $noted an_address_that_may_be_wrong_is_noted
sets virtual_machine_is_a_condition 'TRIGGER=405b VMIDCVR=2a' --core cortex-a7 \
    --trigger-at '!vmid:0x2a'
fails virtual_machine_of_others_is_unsupported 1 'no VMID comparator' \
    --core cortex-a9 --trigger-at vmid:1
fails virtual_machine_is_not_in_scripts_for_linux 1 'ETMVMIDCVR' \
    --core cortex-a7 --trigger-at vmid:1 --format sysfs
run --core cortex-a8 --range 0x100-0x200 --format openocd -o script
[ "$status" -eq 0 ] && [ ! -s out ] && grep -q '^mww 0xe0041024 0x00000001' script
verdict $? output_goes_to_a_file

run --core list
[ "$status" -eq 0 ] && grep -q '^cortex-m3 .*ETM-M3 .*v3.5' out
verdict $? cores_are_listed
cp out expected
run --core list -o cores
[ "$status" -eq 0 ] && [ ! -s out ] && equal cores expected
verdict $? cores_are_listed_in_a_file

run --help
[ "$status" -eq 0 ] && grep -q -e '--trace-function' out
verdict $? help_names_the_options

echo "1..$n"
