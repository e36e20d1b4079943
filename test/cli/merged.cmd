# SPDX-License-Identifier: Apache-2.0
# --merge: the lines of all sources in the order of time.

  $ two() { # DIRECTORY BYTES: the demo, and its trace once more from a buffer without
  > # frames, of another processor, as far as it goes, on one axis
  > cp -r $A9 $1; chmod -R u+w $1; etm split $A9 -o parts >out
  > tail -c $2 parts/PTM_0.bin >$1/second.bin
  > sed 's/PTM_0/PTM_10/' $1/device_1.ini >$1/device_2.ini
  > sed 's/cpu_0/cpu_1/' $1/cpu_0.ini >$1/cpu_1.ini
  > sed -i 's/device1=device_1.ini/&\ndevice2=device_2.ini\ndevice3=cpu_1.ini/' $1/snapshot.ini
  > printf '%s\n' '[trace_buffers]' buffers=b0,b1 '[b0]' name=ETB_0 file=cstrace.bin format=coresight \
  > '[b1]' name=ETB_1 file=second.bin format=source_data '[source_buffers]' PTM_0=ETB_0 PTM_10=ETB_1 \
  > '[core_trace_sources]' cpu_0=PTM_0 cpu_1=PTM_10 >$1/trace.ini; }
  $ two two 3197; two late 1200
  $ in_order() { sed -n 's/.*"time":"\([0-9]*\)".*/\1/p' $1 >times; sort -ns times | cmp - times; }
  $ of_text() { awk "$1" text >times; sort -ns times | cmp - times; wc -l <times; }
  $ merges() { # CAPTURE ARGUMENT...: each source has the lines that it has alone
  > capture=$1; shift
  > etm decode $capture --format jsonl "$@" 2>err >alone; wc -l <alone
  > etm decode $capture --format jsonl --merge "$@" 2>err >merged
  > in_order merged; grep -c '"time":' merged
  > for source in $(sed -n 's/.*"src":\([0-9]*\),.*/\1/p' alone | sort -u)
  > do grep "\"src\":$source," alone >one; wc -l <one
  > grep "\"src\":$source," merged | sed 's/,"time":[^,]*}$/}/' | cmp - one; done
  > sed -n 's/.*"k":"timestamp".*"value":"\([0-9]*\)","time":"\([0-9]*\)"}/\1 \2/p' merged |
  > awk '$1 != $2; END { print NR }'
  > etm decode $capture --format jsonl --merge --jobs 1 "$@" 2>err | cmp - merged
  > etm decode $capture --merge "$@" 2>err >text
  > of_text '$1 ~ /^[0-9]+$/ && $2 ~ /^[A-Z]+_[0-9]+$/ { print $1 }'
  > etm calls $capture --format jsonl --merge "$@" 2>err >calls; in_order calls
  > sort calls >one; etm calls $capture --format jsonl "$@" 2>err | sort | cmp - one; wc -l <one
  > etm calls $capture --merge "$@" 2>err >text; of_text 'NF > 3 && $1 ~ /^[0-9]+$/ { print $1 }'; }

== two_sources_are_merged
  $ merges two | fmt => 10488 10488 5244 5244 32 10488 3464 2630
  $ merges two --from 20% --to 60% | fmt => 3922 3922 1961 1961 10 3922 1434 1146
  $ etm exceptions two --merge --format jsonl >merged; in_order merged
  $ sed -n 's/.*"src":\([0-9]*\),"name":"\([^"]*\)".*/\1 \2/p' merged | fmt
  17 [svc] 0 [svc] 17 [irq] 0 [irq]

== a_source_that_begins_late
  $ merges late | fmt => 7583 7583 2339 5244 23 7583 2276 1693
  $ grep -n -m 1 '"src":0,' calls | cut -d : -f 1 => 1192

# The demo has one for each instruction.
== without_cycles_timestamps_measure
  $ etm profile $A9 --format jsonl | grep -o '"unit":"[^"]*"' | sort | uniq -c
       27 "unit":"ticks"
  $ etm profile $M3 --format jsonl | grep -o '"unit":"[^"]*"' | sort | uniq -c
       28 "unit":"instructions"
  $ etm exceptions $A9 --format jsonl | grep irq
  {"k":"exception","src":17,"name":"[irq]","entries":15,"complete":15,"least":67,"sum":1010,"most":70,"intervals":14,"least_interval":932,"sum_intervals":13999,"most_interval":1066,"first":"1127","last":"15126","starts":0,"least_start":null,"sum_starts":null,"most_start":null,"chained":3,"nesting":0,"unit":"ticks","durations":[0,0,0,0,0,0,0,15],"interrupted":[{"name":"crc32","n":4},{"name":"svc","n":3},{"name":"main","n":2},{"name":"median","n":2},{"name":"clean","n":1},{"name":"formula_run","n":1},{"name":"ring_get","n":1},{"name":"swap","n":1}]}
  $ etm calls $A9 --format jsonl |
  > sed -n 's/.*"total":\([0-9]*\),.*"duration":\([0-9][0-9]*\),.*/\1 \2/p' |
  > awk '{ d = $1 - $2; if (d < -10 || d > 10) print } END { print NR }' => 817
  $ etm calls $M3 | grep time | sed -n 1p
            time    duration  task  function (time in instructions)

# Instructions, and cycles if any source has them.
== a_profile_has_a_second_value
need protoc
  $ types() { etm profile $1 --format pprof 2>err | gzip -dc | protoc --decode_raw | grep -c '^1 {'; }
  $ types two => 1
  $ two cycles 3197; sed -i s/0x3000C800/0x3000D800/ cycles/device_2.ini; types cycles => 2

# Of the short calls one of the two lines or both are left out, and nothing is added.
== short_calls_are_left_out
  $ etm calls two --format jsonl >all; etm calls two --format jsonl --minimum-duration 100 >long
  $ grep -Fxv -f all long => [1]
  $ grep '"k":"leave"' all | grep -c '"duration":[0-9][0-9]\?[,}]'; wc -l all long
  1434
    3464 all
     596 long
    4060 total
  $ etm calls $M3 --minimum-duration 1000000 --function crc32 --format jsonl | grep enter => [1]
  $ etm calls late --summary --minimum-duration 5
  [2] --summary adds calls of any length up: it cannot be combined with --minimum-duration (usage)

== sources_without_common_time_are_refused
  $ sed -i 's/PTM_10=ETB_1/ETM_1=ETB_1/; s/cpu_1=PTM_10/cpu_1=ETM_1/; s/=source_data/=coresight/' \
  > two/trace.ini; sed 's/ETM_0/ETM_1/' $M3/device_1.ini >two/device_2.ini
  $ cp $RAW two/second.bin; cp $ELF two/m3.elf
  $ sed 's/cpu_0/cpu_1/; s/sensor.elf/m3.elf/' $M3/cpu_0.ini >two/cpu_1.ini
  $ for view in decode calls exceptions; do etm $view two --merge -o kept; done
  [2] ETM_1 (0x10): --merge: it has no time in common with the other sources: ETMv3 before version 3.5 traces no timestamps
  ! ETM_1 (0x10): --merge: it has no time in common with the other sources: ETMv3 before version 3.5 traces no timestamps
  ! ETM_1 (0x10): --merge: it has no time in common with the other sources: ETMv3 before version 3.5 traces no timestamps
  $ etm decode two --merge --source PTM_0 --format jsonl >merged; in_order merged; wc -l <times
  5244
  $ etm timeline two -o timeline
  ! without timestamps, and so not on the axis of the others, but from 0 on: ETM_1
  $ echo * => late merged out parts timeline times two

== what_is_refused
  $ etm decode two --merge --stats
  [2] --merge is for lines in the order of time: it cannot be combined with --stats, --itm-text, --shard or --summary (usage)
  $ etm calls two --merge --summary
  [2] --merge is for lines in the order of time: it cannot be combined with --stats, --itm-text, --shard or --summary (usage)
  $ etm profile two --merge
  [2] --merge is for 'etm decode', 'calls', 'exceptions' and 'variables' only (usage)
  $ TMPDIR=$PWD/nowhere etm decode late --merge
  [1] --merge: a temporary file: No such file or directory

# They share an ETB; three of them take an interrupt at the same time. Bytes went into the
# buffer as they were traced.
== four_processors
need $ETM_SHARED/captures/tc2
  $ tc2=$ETM_SHARED/captures/tc2; merges $tc2 | fmt
  5238 5238 1401 1509 418 1908 1 1 106 5236 1470 1016
  $ sed -n 's/.*"src":\([0-9]*\),.*/\1/p' calls | sort | uniq -c
      376 16
      406 17
      102 18
      586 19
  $ sed -n 's/^{"k":"enter","src":\([0-9]*\),.*"addr":"0xc000caa0".*"time":"\(5625369836[0-9]*\)"}/\1 \2/p' calls
  16 562536983622
  18 562536983625
  17 562536983626
  $ sed -n 's/.*"k":"timestamp".*"off":\([0-9]*\),.*"time":.*/\1/p' merged |
  > awk 'NR > 1 && $1 < last - 2048 { print } { last = $1 } END { print NR }' => 106
  $ raw='--framing coresight --protocol etmv3 --reg ETMIDR=0x411cf250 --reg ETMCR=0x10001000'
  $ raw="$raw --source 0x10 --source 0x11 --source 0x12 --image $tc2/kernel_dump.bin@0xc0008000"
  $ etm decode $tc2/cstrace.bin $raw --merge 2>err >merged; wc -l <merged => 2587
  $ cat $tc2/cstrace.bin | etm decode - $raw --merge 2>err | cmp - merged
