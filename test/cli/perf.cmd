# SPDX-License-Identifier: Apache-2.0
# What perf leaves, as its users have it.

  $ elf=$A9/sensor.elf
  $ le() { # BYTES VALUE...: numbers, the lowest byte first
  > bytes=$1; shift
  > for value; do value=$((value)); i=0
  > while [ $i -lt $bytes ]; do printf "\\$(printf %03o $((value & 255)))"
  > value=$((value >> 8)) i=$((i + 1)); done; done; }
  $ register() { sed -n "s/^$1(.*)=\(.*\)/\1/p" $A9/device_1.ini; }
  $ size=$(wc -c <$A9/cstrace.bin)
  $ { # AUXTRACE_INFO of CoreSight, of one PTM, of which only the kernel's part was asked for
  > # (exclude_user), and AUXTRACE
  > le 4 70 $((96 << 16)) 3 0; le 8 1 1 0 0x3030303030303030 0 4
  > le 8 $(register ETMCR) $(register ETMTRACEIDR) $(register ETMCCER) $(register ETMIDR)
  > le 4 71 $((48 << 16)); le 8 $size 0 0; le 4 0 0 0xffffffff 0; cat $A9/cstrace.bin; } >records
  $ { printf PERFILE2; le 8 104 144 104 144 248 $(wc -c <records) 0 0 0 0 0 0
  > le 4 8 128; le 8 0 0 0 0 0x10; head -c 96 /dev/zero; cat records; } >perf.data
  $ lines() { etm decode "$@" --format jsonl; }
  $ lines $A9 >expected
  $ mkdir -p folder/kcore_dir; cp perf.data folder/data
  $ { head -c 16 $elf; printf '\004'; tail -c +18 $elf; } >folder/kcore_dir/kcore

== a_file_of_perf_has_the_trace_of_the_demo
  $ lines perf.data --image $elf | cmp - expected; wc -l <expected => 5244

# E-335. Cut at the end of a frame, its trace has no damage.
== a_truncated_file_is_reported
  $ head -c $(($(wc -c <perf.data) - 256)) perf.data >cut.data; lines cut.data --image $elf | tail -n 1
  {"k":"end","src":17,"off":3199}
  ! cut.data: only the available trace is used: the file is truncated

# E-367. perf record --kcore: a folder, with the kernel's code as it was in memory, which is
# stronger than others; names come of them.
== a_folder_of_perf_has_the_code_of_the_kernel
  $ lines folder | cmp - expected; head -c 65536 /dev/zero >zeros
  $ for image in zeros@0x60000000 $elf; do lines folder/ --image $image | cmp - expected; done
  $ etm decode folder --image $elf --level instructions | grep -o '^ <quick_sort>:' | sed -n 1p
   <quick_sort>:
  $ lines folder/data --image $elf | cmp - expected
  $ etm info folder --format jsonl | grep -o '"file":"[^"]*"' => "file":"folder/data"
  $ mv folder/kcore_dir folder/other; etm decode folder | grep 'no code' | sed -n 1p
        1a  !! no code is known at 600001de
  ! PTM_0 (0x11): code missing at 507 places, and there is none: use --image FILE

== a_snapshot_in_it_counts
  $ cp $A9/* folder; etm decode folder | sed -n 1p => PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0

== what_is_refused
  $ for file in data kcore_dir/kcore; do etm decode folder -o folder/$file; done
  [1] folder/data: the output would replace the trace
  ! folder/kcore_dir/kcore: the output would replace the code
  $ etm decode folder --protocol pft
  [1] folder/data: a perf file has its own configuration: protocol, framing and registers can only be given for other files
  $ mkdir broken; echo P >broken/data; etm decode broken
  [1] broken: it is a directory without a snapshot.ini, and not one of perf: give that of a snapshot, or the file with the trace
