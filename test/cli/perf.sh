#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What perf leaves, as its users have it. Speaks TAP.
# Usage: perf.sh ETM DEMO
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd)
cd "$scratch" || exit 99
a9=$demo/cortex-a9
elf=$a9/sensor.elf

le() { # BYTES VALUE...: numbers, the lowest byte first
    bytes=$1
    shift
    for value; do
        value=$((value))
        for byte in 1 2 3 4 5 6 7 8; do
            [ $byte -gt "$bytes" ] && break
            # shellcheck disable=SC2059
            printf "\\$(printf %03o $((value & 255)))"
            value=$((value >> 8))
        done
    done
}

register() { # NAME: its value in the snapshot of the demo
    sed -n "s/^$1(.*)=\(.*\)/\1/p" "$a9/device_1.ini"
}

# A perf file with the trace of one PTM, of which only the kernel's part was
# asked for (exclude_user).
size=$(wc -c <"$a9/cstrace.bin")
{
    le 4 70 "$((96 << 16))"        # AUXTRACE_INFO: of CoreSight
    le 4 3 0
    le 8 1 1 0 0x3030303030303030 0 4
    le 8 "$(register ETMCR)" "$(register ETMTRACEIDR)" \
        "$(register ETMCCER)" "$(register ETMIDR)"
    le 4 71 "$((48 << 16))"        # AUXTRACE
    le 8 "$size" 0 0
    le 4 0 0 0xffffffff 0
    cat "$a9/cstrace.bin"
} >records
{
    printf PERFILE2
    le 8 104 144 104 144 248 "$(wc -c <records)" 0 0 0 0 0 0
    le 4 8 128
    le 8 0 0 0 0 0x10
    head -c 96 /dev/zero
    cat records
} >perf.data

"$etm" decode "$a9" --format jsonl >expected
"$etm" decode perf.data --image "$elf" --format jsonl >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && equal out expected
verdict $? a_file_of_perf_has_the_trace_of_the_demo

# E-335. Cut at the end of a frame, its trace has no damage.
head -c $(($(wc -c <perf.data) - 256)) perf.data >cut.data
"$etm" decode cut.data --image "$elf" --format jsonl >out 2>err
[ $? -eq 0 ] && [ -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'cut.data: only the available trace is used: the file is truncated$' err
verdict $? a_truncated_file_is_reported

# E-367. perf record --kcore: a folder, with the kernel's code as it was in memory.
mkdir -p folder/kcore_dir broken
cp perf.data folder/data
{ head -c 16 "$elf"; printf '\004'; tail -c +18 "$elf"; } >folder/kcore_dir/kcore
"$etm" decode folder --format jsonl >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && equal out expected
verdict $? a_folder_of_perf_has_the_code_of_the_kernel
head -c 65536 /dev/zero >zeros
for images in "--image zeros@0x60000000" "--image $elf"; do
    # shellcheck disable=SC2086
    "$etm" decode folder/ $images --format jsonl >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && equal out expected
    verdict $? "that_code_is_stronger_than: ${images##*/}"
done
"$etm" decode folder --image "$elf" --level instructions >out 2>err
[ $? -eq 0 ] && grep -q '^ <quick_sort>:' out
verdict $? names_come_of_the_other
"$etm" decode folder/data --image "$elf" --format jsonl >out 2>err
[ $? -eq 0 ] && equal out expected
verdict $? the_file_in_it_is_a_file_of_perf
"$etm" info folder --format jsonl >out 2>err
[ $? -eq 0 ] && grep -q '"file":"folder/data"' out
verdict $? info_names_the_file_in_it
for file in data kcore_dir/kcore; do
    fails "nothing_replaces_a_file_of_it: $file" 1 'the output would replace' \
        decode folder -o "folder/$file"
done
fails a_folder_of_perf_has_its_own_configuration 1 'its own configuration' \
    decode folder --protocol pft
mv folder/kcore_dir folder/other
"$etm" decode folder >out 2>err
[ $? -eq 0 ] && grep -q 'no code is known' out
verdict $? a_folder_may_have_no_code_of_the_kernel
mv folder/other folder/kcore_dir
cp "$a9"/* folder
"$etm" decode folder >out 2>err
[ $? -eq 0 ] && grep -q '^PTM_0 (0x11): PFT 1.0, Cortex-A9' out
verdict $? a_snapshot_in_it_counts
echo P >broken/data
fails another_folder_is_no_capture 1 'broken: it is a directory without a snapshot.ini' \
    decode broken

echo "1..$n"
