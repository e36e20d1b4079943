# SPDX-License-Identifier: Apache-2.0
# What is counted, and where parts begin, to the last digit.

# Of 10,000 bytes, of which each 8 are a packet, rounded down.
== shares_have_digits
  $ i=0; while [ $i -lt 1250 ]; do printf '\0\200\0\0\004\200\0\0'; i=$((i + 1)); done >packets
  $ for share in 0.08 0.079 12.99 12.96 12.9599 12.95 09.6 99.99 99.92 99.9199
  > do etm decode packets --framing mtb --from $share% --format jsonl 2>err |
  > sed -n '1s/^{"k":"trace_on","src":0,"off":\([0-9]*\),"reason":"start"}$/\1/p'
  > done | paste -sd ' ' => 8 0 1296 1296 1288 1288 960 9992 9992 9984

== a_dump_of_pins_is_read_through_a_pipe
  $ etm packets $DATA/etmv1_port --format vcd >pins.vcd
  $ pins="--framing port --protocol etmv1 --format jsonl"; etm packets pins.vcd $pins >file
  $ cat pins.vcd | etm packets - $pins | cmp - file; sed -n 1p file
  {"off":0,"src":0,"packet":"pipestat","bytes":"84","status":"BE","tracesync":true}

# Frames are bad in the middle. From each point of the index on the ranges are those of
# the whole, but for the first one, in which it may be.
== points_lead_over_a_gap
  $ cp -r $M3 gap
  $ head -c 16 /dev/zero | tr '\0' '\377' | dd of=gap/cstrace.bin bs=1 seek=4096 conv=notrunc 2>err
  $ etm decode gap --format jsonl | tee whole | grep bad_frame
  {"k":"lost","src":16,"off":4225,"reason":"bad_frame","bytes":189}
  ! ETM_0 (0x10): bad_frame: 189 bytes lost in 1 place
  $ grep '"k":"range"' whole >ranges
  $ for place in $(etm index gap --format jsonl | sed 's/.*"pos":\([0-9]*\).*/\1/')
  > do etm decode gap --from $place --format jsonl | grep '"k":"range"' | tail -n +2 >part
  > tail -n $(wc -l <part) ranges | cmp - part && [ -s part ] && echo the same; done
  the same (32 times)
  ! ETM_0 (0x10): bad_frame: 189 bytes lost in 1 place (15 times)

# Two sources in the frames of one file, of which the second one executes more.
== each_of_two_sources_has_its_counts
need emulator
  $ for id in 2 3
  > do etm record $ELF --core cortex-m3 --trace-id $id --limit $((id * 6000 - 9000)) -o id$id
  > done 2>&1 >out | grep -o "[0-9][0-9]* instructions"; cat id2/cstrace.bin id3/cstrace.bin >both
  3000 instructions
  9000 instructions
  $ options="--framing coresight --core cortex-m3 --image $ELF --format jsonl"
  $ for command in coverage "decode --stats"
  > do for id in 2 3; do etm $command id$id/cstrace.bin $options >id$id.lines; done
  > etm merge id2.lines id3.lines >expected; etm $command both $options | cmp - expected
  > for src in 2 3; do grep "\"src\":$src," expected | tail -n 1; done; done
  {"k":"line","src":2,"file":"./board.c","line":87,"n":0}
  {"k":"line","src":3,"file":"./board.c","line":87,"n":0}
  {"k":"count","src":2,"what":"instructions","of":null,"n":3000}
  {"k":"count","src":3,"what":"instructions","of":null,"n":9000}

== as_many_bytes_are_simulated_as_are_recorded
need emulator
  $ etm configure --core cortex-a9 -o setup
  $ etm record $A9/sensor.elf --setup setup --framing none -o recorded >out; wc -c <recorded/cstrace.bin
  38
  ! the program ended with status 0
  ! 131 instructions, 1 exception, 48 transfers, 260 cycles: 38 bytes of trace
  $ etm explain setup --core cortex-a9 --simulate $A9/sensor.elf --format jsonl >out
  $ grep '"k":"simulation"' out
  {"k":"simulation","executed":131,"transfers":48,"exceptions":1,"cycles":260,"traced":127,"traced_transfers":0,"bytes":38,"lost":0,"overflows":0,"ended":"the program ended"}
  $ # functions add up to this
  > sed -n 's/.*"function".*"executed":\([0-9]*\),"traced":\([0-9]*\)}/\1 \2/p' out |
  > awk '{ executed += $1; traced += $2 } END { print NR, executed, traced }' => 6 131 127
  $ etm explain setup --core cortex-a9 --simulate $A9/sensor.elf | grep ' of  ' | sed -n 1,3p
      reset_handler                   120 of        120
      finish                            0 of          4
      main                              3 of          3
