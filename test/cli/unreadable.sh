#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What cannot be read: status 1, and one line with the file and what is wrong in
# it. Speaks TAP. Usage: unreadable.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

fails missing_file_is_named 1 'nosuch: .*No such file' decode nosuch
fails missing_snapshot_is_named 1 'nosuch.ini: .*No such file' \
    decode nosuch.ini
fails unknown_source_is_named_with_those_there 1 \
    'no trace source 0x55: there is ETM_0 (0x10)$' decode "$m3" --source 0x55
fails senseless_register_is_named 1 'ETMIDR is 0x0' \
    decode "$raw" --protocol etmv3 --reg ETMIDR=0
run decode "$raw" --protocol etmv3 --framing coresight --reg ETMTRACEIDR=0x7f
[ "$status" -eq 1 ] &&
    [ "$(cat err)" = "etm: ETMTRACEIDR is 0x7f, which is not the trace ID of a source" ]
verdict $? senseless_register_is_named_once
fails contradiction_is_named 1 'ETMIDR' \
    decode "$raw" --protocol pft --reg ETMIDR=0x4114f240
fails undecodable_file_points_at_info 1 "'etm info' says" \
    decode "$raw" --framing none
fails options_that_contradict_a_snapshot 1 'own configuration' \
    decode "$m3" --protocol pft
fails missing_image_is_named 1 'nosuch.elf: .*No such file' \
    decode "$m3" --image nosuch.elf
fails output_that_cannot_be_written_is_named 1 'nosuch/out: No such file' \
    decode "$m3" -o nosuch/out

# Snapshots that are not right: the file and the line are named.
copy
rm snapshot/cstrace.bin
fails missing_trace_file_is_named 1 \
    'trace.ini:.*snapshot/cstrace.bin: No such file or directory$' \
    decode snapshot
copy
rm snapshot/sensor.elf
fails missing_dump_file_is_named 1 \
    '--image.*cpu_0.ini:.*snapshot/sensor.elf: No such file or directory$' \
    decode snapshot
run packets snapshot
[ "$status" -eq 0 ] && [ -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'this code is skipped:.*sensor.elf: No such file' err
verdict $? packets_need_no_dump
works another_image_takes_its_place '== trace on: start' \
    decode snapshot --image "$elf"
[ "$(wc -l <err)" -eq 1 ] && grep -q 'sensor.elf: No such file' err
verdict $? and_it_is_said
printf '\n[dump1]\nfile=nosuch.bin\naddress=0x70000000\n' \
    >>snapshot/cpu_0.ini
fails nothing_to_decode_with_is_one_line 1 \
    "no code to decode with .*--image.*sensor.elf.*'etm info' lists more" \
    decode snapshot
works other_code_takes_the_place_of_both '== trace on: start' \
    decode snapshot --image "$elf"
copy
rm snapshot/sensor.elf
mkdir snapshot/sensor.elf
fails directory_as_a_dump_is_named 1 \
    'cpu_0.ini:.*snapshot/sensor.elf: Is a directory$' decode snapshot
copy
sed 's/^file=sensor.elf/&\nlength=0x10000000\naddress=0/' \
    "$m3/cpu_0.ini" >snapshot/cpu_0.ini
head -c 100 "$elf" >snapshot/sensor.elf
run decode snapshot
[ "$status" -eq 0 ] && [ -s out ] &&
    grep -q 'cpu_0.ini:.*: the available part is used: the file .*too short' err
verdict $? truncated_dump_is_named
copy
printf '\n[dump9]\nfile=sensor.elf\naddress=0x70000000\nspace=moon\n' \
    >>snapshot/cpu_0.ini
"$etm" decode "$m3" >whole 2>err
run decode snapshot
[ "$status" -eq 0 ] && equal out whole && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^etm: snapshot/cpu_0.ini:.*unknown address space moon' err
verdict $? unknown_space_leaves_the_other_code
run info snapshot
grep -q '^note: snapshot/cpu_0.ini:.*unknown address space moon' out
verdict $? info_has_it_among_its_notes
copy
sed 's/^ETMIDR(0x079)=.*/ETMIDR(0x079)=0x4114F2XX/' \
    "$m3/device_1.ini" >snapshot/device_1.ini
fails bad_register_in_a_snapshot_has_its_line 1 'device_1.ini:9: ' \
    decode snapshot
copy
printf '\n[surprise]\nx=1\n' >>snapshot/device_1.ini
run info snapshot
[ "$status" -eq 0 ] &&
    cat out err | grep -q 'device_1.ini:13: .*\[surprise\] is ignored'
verdict $? unknown_section_has_its_line

# As Windows writes it (E-329).
copy
mkdir snapshot/bin
mv snapshot/cstrace.bin snapshot/sensor.elf snapshot/bin
for file in snapshot/*.ini; do
    sed 's/file=/file=bin\\/' "$file" | awk '{ printf "%s\r\n", $0 }' >text
    mv text "$file"
done
run decode snapshot
[ "$status" -eq 0 ] && equal out whole && [ ! -s err ]
verdict $? backslashes_in_a_snapshot_separate_folders

# Names and code.
fails a_device_is_no_code 1 'cannot read the file: it is a device or a pipe' \
    decode "$m3" --image /dev/zero@0
fails bytes_are_no_text_of_samples 1 'it is not samples as text.*records, etb or bytes' \
    decode "$raw" --framing port --protocol etmv3
printf 'time,\033[7m,b\n1,2,3\n' >colours.csv
fails a_message_has_no_commands_for_terminals 1 'there are ?\[7m, b' \
    decode colours.csv --framing port --protocol etmv3
printf 'time,\302\2337m,b\n1,2,3\n' >colours.csv
"$etm" decode colours.csv --framing port --protocol etmv3 >out 2>err
grep -q "there are ?7m, b" err
verdict $? nor_commands_of_two_bytes
fails an_address_of_code_is_a_number 1 \
    'mov.bin@0xz: there is no such file, and 0xz is not an address' \
    decode "$m3" --image mov.bin@0xz
fails an_empty_name_is_shown 1 '"": cannot read the file: No such file' \
    decode ""

# A clock of 32 bits has no name for that day.
cp -r "$m3" later
touch -t 204006010000 later/* later
works files_may_be_of_2040 'end of trace' decode later

: >empty
# Files that are nearly right say how they become so.
printf ':10000000004000205B010000590100005901000080\r\n:00000001FF\r\n' >code.hex
printf 'S00A00006D332E737265637A\nS9030000FC\n' >code.srec
printf ':0200000018479F\n:00000001FE\n' >wrong.hex
fails records_that_are_wrong_are_reported_by_line 1 \
    "wrong.hex:2: the record's checksum is wrong" \
    decode "$m3" --image wrong.hex
works intel_hex_is_code 'end of trace' decode "$m3" --image code.hex
fails intel_hex_has_addresses 1 'give it without @0x8000' \
    decode "$m3" --image code.hex@0x8000
fails s_records_without_data_are_no_code 1 \
    'code.srec:1: there are no records with data' decode "$m3" --image code.srec
fails a_linked_program_stands_where_it_is 1 \
    "its own addresses: .* or as a binary ('objcopy -O binary') with one" \
    decode "$m3" --image "$elf@0x8000"
{ head -c 16 "$elf"; printf '\001'; tail -c +18 "$elf"; } >module.ko
fails a_module_is_not_linked 1 'not linked: .*/proc/kcore' \
    decode "$m3" --image module.ko
printf ':1' >colon.bin
works a_binary_may_begin_like_them 'end of trace' \
    decode "$m3" --image colon.bin@0x80000000
od -An -v -tx4 "$raw" | head -20 >words.txt
printf '0 84 1\n0 8 1\n0 841 1\n0 81 11\n0 841\n' >odd.txt
fails text_has_no_frames 1 "it is text.*'xxd -r -p'" \
    decode odd.txt --framing coresight --protocol etmv3
# Bytes without addresses, as analysers export them, are no samples.
od -An -v -tx1 "$raw" | head -40 >bytes.txt
tr -d ' \n' <bytes.txt >line.txt
fold -w 60 line.txt >plain.txt
echo >>plain.txt
tr -d ' ' <bytes.txt | fold -w 2 | head -100 >column.txt
{ echo 'Time [s],Value,Parity Error,Framing Error' &&
    sed 's/.*/0.000012000000000,0x&,,/' column.txt; } >saleae.csv
{ echo 'name,type,start_time,duration,data' &&
    sed 's/.*/"Async Serial","data",0.0012,0.0001,0x&/' column.txt; } >logic2.csv
sed 's/^/uart-1: /' column.txt >sigrok.txt
sed 's/^/0x/; s/$/,/' column.txt >array.txt
for framing in none tpiu; do
    for file in bytes line plain column array; do
        fails "bytes_in_hexadecimal_are_no_samples: $file $framing" 1 \
            "$file.txt: it is bytes in hex.*'xxd -r -p'" \
            info $file.txt --framing $framing --protocol etmv3
    done
    for file in saleae.csv logic2.csv sigrok.txt; do
        fails "bytes_of_a_serial_line_are_no_samples: $file $framing" 1 \
            "$file: it is a list of bytes.*'xxd -r -p'" \
            info $file --framing $framing --protocol etmv3
    done
    fails "words_in_hexadecimal_are_no_samples: $framing" 1 \
        "it is words in hex.*--reverse-bytes=4'" \
        info words.txt --framing $framing --protocol etmv3
done
# Memory as tools list it: what it is, and how to get the bytes.
i=0
while IFS='|' read -r line what; do
    i=$((i + 1))
    { printf "$line\n"; printf "$line\n"; } >listed.txt
    for framing in none coresight; do
        fails "memory_is_listed_in_way_${i}_with_framing_$framing" 1 "$what" \
            info listed.txt --framing $framing --protocol etmv3
    done
done <<'END'
0x20000000: 80000000 15200880 bc000002 30bcbc00 |listing of words in memory
20000000: 80000000 15200880 bc000002 30bcbc00|listing of words in memory
0x20000000 <etb+16>:\t0x80000000\t0x15200880|listing of words in memory
20000000 = 80000000 15200880 BC000002 30BCBC00 |listing of words in memory
J-Link>mem32 0x20000000 4\n20000000 = 80000000 15200880|listing of words in memory
20000000: 80000000 15200880 bc000002 30bcbc00    ..... ......\0740|listing of words in memory
 SD:20000000\174>80000000 15200880 BC000002 30BCBC00 ..... ......\0740|listing of words in memory
ENSD:20000010\174 80000000 15200880 BC000002 30BCBC00 ..... ......\0740|listing of words in memory
20000000 = 21 00 00 00 00 00 80 08  20 15 02 00 00 BC BC 30  !....... ......0|dump with addr
00000000: 2100 0000 0000 8008 2015 0200 00bc bc30  !....... ......0|dump with addr.* 'xxd -r'
00000000  21 00 00 00 00 00 80 08  20 15 02 00 00 bc bc 30  |dump with addr.* 'xxd -r -p'
:10000000210000000000800820150200000BCBC3030|Intel HEX: convert it with 'objcopy -I ihex
S113000021000000000080082015020000BCBC30E4|S-records: convert it with 'objcopy -I srec
END
# two numbers in a line are samples, whatever stands before
printf '0 84\n1 00\n0 80\n0 84\n0 84\n0 84\n0 84\n0 84\n' >samples.txt
run info samples.txt
[ "$status" -eq 0 ] && grep -q 'look like text .*: try --framing port' out
verdict $? samples_are_no_listing
printf 'Time [s],D0,D1,D2,D3,CLK\n' >samples.csv
for time in 1 2 3 4 5 6 7 8 9; do echo "0.$time,1,0,1,0,$((time % 2))"; done \
    >>samples.csv
printf '00 04 84\n01 03 00\n00 04 80\n00 04 84\n00 04 84\n' >padded.txt
for file in samples.csv padded.txt; do
    run info $file
    [ "$status" -eq 0 ] && grep -q 'look like text .*: try --framing port' out &&
        grep -q 'UART or SWO' out
    verdict $? "samples_are_no_bytes: $file"
done
fails a_line_of_samples_is_shown 1 \
    'TRACECTL is larger than 0x1; .* the numbers TRACECTL TRACEDATA$' \
    decode words.txt --framing port --protocol etmv3
printf '1 4 839c\n' >wide.txt
fails pins_are_asked_for 1 'TRACEPKT is larger than 0xff; .*--port-width$' \
    decode wide.txt --framing port --protocol etmv1
fails code_is_not_empty 1 'empty@0x8000: the file is empty' \
    decode "$m3" --image empty@0x8000
for number in -5 +7 ' 7' 0x7 7.5; do
    echo "{\"k\":\"range\",\"n\":$number}" >counts
    fails "no_count: '$number'" 1 'counts:1: not a line' merge counts
done
echo "1..$n"
