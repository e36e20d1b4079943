# SPDX-License-Identifier: Apache-2.0
# etm timeline in all of its forms: gaps, variables, short slices.

  $ cat >events.py <<'END' # "PHASE TRACK TIME NAME VALUES" of Chrome's format, with the names of tracks
  > import json, sys
  > tracks = {}
  > for e in json.load(open(sys.argv[1]))['traceEvents']:
  >     where = e['pid'], e['tid']
  >     if e['ph'] == 'M':
  >         tracks[where] = e['args']['name']
  >         continue
  >     print(e['ph'], tracks[where].replace(' ', '_'), round(float(e['ts']) * 1000),
  >           e.get('name', '-').replace(' ', '_'),
  >           *[str(v).replace(' ', '_') for v in e.get('args', {'-': '-'}).values()])
  > END
  $ slices() { # FILE TRACK: "BEGIN END NAME"
  > awk -v track=$2 '$2 != track { next } $1 == "B" { begin[++n] = $3; name[n] = $4 }
  >     $1 == "E" { print begin[n], $3, name[n]; n-- }' $1; }
  $ kinds() { for kind in B E i C; do grep -c "^$kind" all; done | fmt; }
  $ draws() { # what is drawn is the same in each form
  > etm timeline "$@" --format chrome -o chrome; python3 events.py chrome >all; kinds
  > etm timeline "$@" -o perfetto 2>err; protoc --decode=perfetto.protos.Trace -I $CLI \
  > $CLI/track_event.proto <perfetto >packets; grep '^ *[0-9][0-9]*[:{ ]' packets
  > for kind in SLICE_BEGIN SLICE_END INSTANT COUNTER; do grep -c TYPE_$kind packets; done | fmt
  > rm -rf ctf; etm timeline "$@" --format ctf -o ctf 2>err; head -c 9 ctf/metadata; echo
  > babeltrace2 --clock-cycles ctf >listed
  > for kind in enter leave mark value; do grep -c " $kind: " listed; done | fmt
  > awk '$1 == "B" { print $3, $4 }' all | sort >want
  > sed -n 's/^\[0*\([0-9][0-9]*\)\].* enter: .*name = "\(.*\)" }$/\1 \2/p' listed |
  > tr -s ' ' | sed 's/ /_/2g' | sort | diff want -
  > awk '$1 == "E" { print $5 }' all | sort >want
  > sed -n 's/.* leave: .*flags = "\(.*\)" }$/\1/p' listed | tr ' ' '_' | sort | diff want -; }
  $ record() { name=$1 program=$PROGRAMS/$2.elf; shift 2
  > etm record $program -o $name "$@" >out 2>err; }

# Slices are nested; those that are too short are left out on all tracks.
== the_demo_is_drawn
need protoc babeltrace2
  $ draws $M3; sed -n '1p;3p' listed
  1844 1844 0 0
  1844 1844 0 0
  /* CTF 1.
  1844 1844 0 0
  [00000000000000000000] (+????????????) enter: { track = ( "ETM_0: tasks" : container = 65537 ) }, { name = "task 0" }
  [00000000000000000005] (+000000000005) enter: { track = ( "ETM_0: task 0" : container = 65540 ) }, { name = "task_init" }
  $ awk '$1 ~ /[BE]/ { n[$2] += $1 == "B" ? 1 : -1; if (n[$2] < 0) print }
  > END { for (t in n) if (n[t] != 0) print t }' all
  $ range() { awk '{ n[$2]++; if ($3 < min || !min) min = $3; if ($3 > max) max = $3 }
  > $3 < last[$2] { print } { last[$2] = $3 } END { print min, max; for (t in n) print t, n[t] }' |
  > sort; }
  $ range <all | fmt -w 96; etm profile $M3 --format jsonl | grep -o '"instructions":[0-9]*'
  5 22838 exceptions 370 task_0 10 task_1 2216 task_2 906 tasks 186
  "instructions":22838
  $ etm timeline $A9 --format chrome -o whole; python3 events.py whole | range | fmt -w 96
  120 16067 context_0x0 4 context_0x101 888 context_0x102 756 exceptions 96 tasks 170
  $ etm profile $A9 --format jsonl | grep -o '"instructions":[0-9]*' # each has a timestamp
  "instructions":15946
  $ grep -m 1 -o 'name: "PendSV_Handler"' packets => name: "PendSV_Handler"
  $ slices all task_1 | awk '$2 - $1 >= 200' | sort >expected; wc -l <expected => 129
  $ etm timeline $M3 --format chrome --minimum-duration 200 -o short; python3 events.py short >few
  $ slices few task_1 | sort | diff expected -; wc -l all few
   3688 all
    390 few
   4078 total
  $ for track in task_2 tasks exceptions; do slices few $track | awk '$2 - $1 < 200'; done
  $ draws $A9 --from 30% --minimum-duration 30
  280 280 0 0
  280 280 0 0
  /* CTF 1.
  280 280 0 0

# "Num: Value Size Type ... Name"
== a_variable_is_a_counter
need emulator protoc babeltrace2
  $ record r4 tasks-a9 --core cortex-r4 --data both --interrupt irq@500/97; draws r4 --watch current
  1072 1072 0 333
  1072 1072 0 333
  /* CTF 1.
  1072 1072 0 333
  $ address=$(readelf -sW $PROGRAMS/tasks-a9.elf | awk '$NF == "current" { print $2 }')
  $ etm decode r4 --format jsonl | grep -c "\"k\":\"data\",.*\"addr\":\"0x$address\",\"value\":\""
  333
  $ awk '$1 == "C" { print $2, $4, $5 }' all | sort | uniq -c
       82 current current 0
       84 current current 1
       84 current current 2
       83 current current 3
  $ etm timeline r4 --from 30% --to 60% --watch current --format chrome -o part
  $ python3 events.py part | grep -c '^C' => 96

# In one track they are in order; of several, as the tracks are. One is moved in two
# transfers: it has no value in between.
== values_of_all_types
need emulator protoc babeltrace2
  $ record types variables-r4 --core cortex-r4 --data both
  $ watch=small,large,ratio,precise,flag,state,handler,sensor.offset.x; draws types --watch $watch
  6 6 0 11
  6 6 0 11
  /* CTF 1.
  6 6 0 11
  $ etm report types --watch $watch -o report
  $ python3 $CLI/counters.py perfetto packets >rows; cut -d' ' -f 2- rows | sort >expected
  > cat expected
  flag 1 true
  handler 160 on_event (3 times)
  large -5000000000 -
  precise -0.1 -
  ratio 1.5 -
  sensor.offset.x -100 -
  small -3 -
  state -1 BROKEN
  state 5 RUNNING
  $ python3 $CLI/counters.py ctf listed | cut -d' ' -f 2- | sort | diff expected -
  $ python3 $CLI/counters.py report report >rows; cut -d' ' -f 2- rows | sort | diff expected -
  $ sort rows | cut -d' ' -f 1-3 >times; python3 $CLI/counters.py chrome chrome >rows
  $ cut -d' ' -f 2- rows | sort >got; sed 's/ [^ ]*$/ -/' expected | diff - got
  $ sort rows | cut -d' ' -f 1-3 | cmp - times
  $ etm variables types --watch precise,large | grep -c '^ *[0-9]*  write' => 4
  $ etm timeline types --watch set_all,word --format chrome -o chrome
  [1] --watch set_all: no program of the capture has such a variable
  $ etm timeline types --watch word --format chrome -o chrome; grep -c 'word.all.*"value"' chrome
  3
  $ etm timeline types --watch 0x3fff8 --format chrome -o chrome
  > python3 $CLI/counters.py chrome chrome
  17 0x0003fff8 0 -
  179 0x0003fff8 0 -
  182 0x0003fff8 131110 -

== a_trigger_is_a_mark_in_the_order_of_time
need emulator protoc babeltrace2
  $ etm configure --core cortex-a9 --elf $PROGRAMS/recurse-a9.elf --trigger-at sort -o setup
  $ record trigger recurse-a9 --core cortex-a9 --setup setup; draws trigger
  1034 1034 1 0
  1034 1034 1 0
  /* CTF 1.
  1034 1034 1 0
  $ grep ^i all => i gaps_and_triggers 233 trigger -
  $ etm configure --core cortex-r4 --elf $PROGRAMS/recurse-r4.elf --cycle-accurate \
  > --trace-function less --trigger-at sort --after-count 3 -o setup
  ! note: a counter counts once in a cycle, however often its event occurs in it (2.11.3)
  $ record gaps recurse-r4 --core cortex-r4 --setup setup; draws gaps
  528 528 1 0
  528 528 1 0
  /* CTF 1.
  528 528 1 0
  $ awk '$2 == "gaps_and_triggers" { print $1, $3, $4 }' all | grep -B1 -A1 ^i
  E 1662 -
  i 1667 trigger
  B 1667 trace_off

# Trace was off for 7695 cycles, and so on; each gap says why. All sources are on one axis.
== gaps_say_why
need protoc babeltrace2 $ETM_SHARED/captures/tc2
  $ draws $ETM_SHARED/captures/tc2
  1154 1154 18 0
  1154 1154 18 0
  /* CTF 1.
  1154 1154 18 0
  ! ETM_0 (0x10): unsynchronized: 784 bytes lost in 2 places
  ! PTM_0 (0x13): unsynchronized: 121 bytes lost in 1 place; code missing at 16 places
  ! PTM_1 (0x14), ITM_0 (0x20): there is nothing to decode; the trace IDs there are 0x10, 0x11, 0x12, 0x13
  ! without timestamps, and so not on the axis of the others, but from 0 on: ITM_0
  $ slices all gaps_and_triggers | awk '{ print $3 }' | sort | uniq -c
       15 no_code
      400 trace_off
  $ grep -c '"cat":"gap","cname":"grey"' chrome => 415
  $ awk '$3 < 562536000000 || $3 > 562538000000' all

== what_is_refused
  $ etm timeline $M3 --format ctf => [2] no directory is given (-o DIRECTORY) (usage)
  $ etm timeline $M3 --format ctf -o - => [2] no directory is given (-o DIRECTORY) (usage)
  $ mkdir ctf; : >ctf/metadata; etm timeline $M3 --format ctf -o ctf
  [1] ctf: Directory not empty
  $ etm timeline $M3 --format ctf -o no/such => [1] no/such: No such file or directory
  $ etm timeline $M3 --watch nosuch -o none
  [1] --watch nosuch: no program of the capture has such a variable
  $ etm timeline $M3 --watch ',a' -o none => [2] --watch ,a: a name is empty
  $ etm timeline $M3 --minimum-duration 1ms -o none
  [2] --minimum-duration 1ms: not a number of cycles, ticks or instructions (usage)
  $ etm timeline $M3 --watch 0x20000000 -o none
  ! --watch 0x20000000: no transfer of it has an address and a value in the trace
