# SPDX-License-Identifier: Apache-2.0
# --from, --to and --last where the capture has no such place: said, and no listing of
# everything in place of it.

  $ binary="--protocol pft --reg ETMIDR=0x411CF311 --reg ETMCCER=0x10000000"
  $ octets() { # an I-sync and a timestamp, 0 or another, each
  > for stamp; do printf '\0\0\0\0\0\200\010\0\200\0\0\041'
  > case $stamp in
  > 0) printf '\102\200\200\200\200\200\200\0' ;;
  > 5000) printf '\102\210\247\200\200\200\200\0' ;;
  > 9000) printf '\102\250\306\200\200\200\200\0' ;;
  > short) printf '\102\005' ;;
  > damage) printf '\036' ;; # a reserved header
  > esac; done; }
  $ recorded() { directory=$1; shift
  > etm record $PROGRAMS/recurse-a9.elf -o $directory "$@" >out 2>err; }
  $ lines() { etm decode "$@" --format jsonl 2>err; }
  $ end() { etm decode "$@" | tail -n 1; }
  $ times_of() { etm index "$@" --format jsonl | grep -o '"time":[^,]*' | cut -d: -f 2 | fmt; }

== versions_without_timestamps_and_trace_without_cycles
  $ for what in decode "decode --stats" coverage; do for option in --from --to
  > do etm $what $M3 $option ts:5; etm $what $A9 $option cyc:5; done; done 2>&1 | sort | uniq -c
        3 etm: ETM_0: --from ts:5: ETMv3 before version 3.5 traces no timestamps
        3 etm: ETM_0: --to ts:5: ETMv3 before version 3.5 traces no timestamps
        3 etm: PTM_0: --from cyc:5: the trace is not cycle-accurate (ETMCR[12])
        3 etm: PTM_0: --to cyc:5: the trace is not cycle-accurate (ETMCR[12])
  $ echo precious >kept; etm decode $M3 --to ts:5 -o kept
  [2] ETM_0: --to ts:5: ETMv3 before version 3.5 traces no timestamps
  $ cat kept => precious

# The version has them, the trace itself tells: the demo of the A9 has ETMCR[28] set, a
# register dump without it would be decoded as well (E-74).
== timestamps_count_whatever_etmcr_says
  $ sed 's/^ETMCR(0x000)=.*/ETMCR(0x000)=0x2000C800/' $A9/device_1.ini >device
  $ cp -r $A9 unset; chmod -R u+w unset; cp device unset/device_1.ini
  $ end unset --from ts:5000 --to ts:8000
       8b3  600004e2-600004e6     2  > branch   <quick_sort+0x40>

# A pipe cannot be looked at before: it is said at the end.
== trace_without_timestamps_has_no_times
need emulator
  $ recorded plain --core cortex-a9; recorded framed --core cortex-a9 --framing coresight
  $ etm decode plain --from ts:5 => [2] PTM_0: --from ts:5: there is no timestamp in its trace
  $ etm decode plain --to ts:5 => [2] PTM_0: --to ts:5: there is no timestamp in its trace
  $ pipe="--framing coresight --protocol pft --image $PROGRAMS/recurse-a9.elf \
  > --reg ETMIDR=0x411CF300 --reg ETMTRACEIDR=0x10"
  $ etm decode - $pipe --stats <framed/cstrace.bin >whole; tail -n 1 whole
  {"k":"count","src":16,"what":"instructions","of":null,"n":12462}
  $ cat framed/cstrace.bin | etm decode - $pipe --stats --to ts:5 | cmp - whole
  ! 0x10: --to ts:5: there was no timestamp: everything was decoded

# E-320
== a_timestamp_of_0_tells_no_time
  $ octets 0 0 0 >zeros; octets 5000 0 0 9000 0 >some
  > octets short 5000 short damage short 0 >shorts
  $ for option in --from --to; do etm decode zeros $binary $option ts:5; done
  [2] trace: --from ts:5: its timestamps are all 0: the time is not known
  ! trace: --to ts:5: its timestamps are all 0: the time is not known
  $ cat zeros | end - $binary --to ts:5
        3c  == end of trace
  ! trace: --to ts:5: there was no timestamp: everything was decoded
  $ times_of some $binary => null "5000" "5000" "5000" "9000"
  $ times_of shorts $binary # high bits of the time come with a full timestamp
  null null "5000" "4997" null null
  $ etm index some $binary --format jsonl >index
  $ for index in "" "--index index"
  > do etm decode some $binary --format jsonl --from ts:9999 $index | grep timestamp; done
  {"k":"timestamp","src":0,"off":92,"value":null}
  {"k":"timestamp","src":0,"off":92,"value":null}
  ! trace: --from ts:9999: its trace ends at ts:9000: the last synchronization is used
  ! trace: --from ts:9999: its trace ends at ts:9000: the last synchronization is used

== beyond_the_end_and_before_the_beginning
  $ end $A9 --from ts:999999
       d6e  == end of trace
  ! PTM_0: --from ts:999999: its trace ends at ts:15120: the last synchronization is used
  $ end $A9 --from 1G
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  ! PTM_0: --from 1G: this is beyond its end: it has 3456 bytes
  $ end $A9 --from 100%
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  ! PTM_0: --from 100%: this is beyond its end: it has 3456 bytes
  $ end $A9 --to 0
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  ! PTM_0: --to 0: there is nothing before it
  $ end $A9 --last 10 --to 5
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  ! PTM_0: --to 5: there is nothing before it in this part
  $ etm decode $A9 --from % => [2] --from %: not a number of bytes, N%, ts:N or cyc:N (usage)
  $ etm decode $A9 --last 0 => [2] --last 0: not a number of bytes above 0 (usage)
  $ for range in "--from ts:0" "--from ts:5000 --to ts:999999" "--to 1G" "--last 1G" "--from 0"
  > do end $A9 $range; done =>      d6e  == end of trace (5 times)

# All are looked at before the first line comes out.
== each_source_needs_times
  $ mkdir two; cp $A9/cstrace.bin two/a9.bin; cp $M3/cstrace.bin two/m3.bin
  $ cp $A9/device_1.ini two/ptm.ini; cp $M3/device_1.ini two/etm.ini
  $ printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=ptm.ini\ndevice1=etm.ini
  > [trace]\nmetadata=trace.ini\n' >two/snapshot.ini
  $ printf '[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=ETB_0\nfile=a9.bin\nformat=coresight
  > [b1]\nname=ETB_1\nfile=m3.bin\nformat=coresight
  > [source_buffers]\nPTM_0=ETB_0\nETM_0=ETB_1\n' >two/trace.ini
  $ etm decode two --from ts:5000
  [2] ETM_0: --from ts:5000: ETMv3 before version 3.5 traces no timestamps
  $ end two --from ts:5000 --source PTM_0
       d6e  == end of trace
  ! PTM_0 (0x11): code missing at 287 places, and there is none: use --image FILE

== an_index_has_times
  $ etm index $A9 --format jsonl >index; etm decode $A9 --from ts:5000 >whole
  $ etm decode $A9 --from ts:5000 --index index | cmp - whole; wc -l <whole => 3549
  $ end $A9 --from ts:999999 --index index
       d6e  == end of trace
  ! PTM_0: --from ts:999999: its trace ends at ts:15120: the last synchronization is used
  $ end $A9 --from ts:15120 --index index =>      d6e  == end of trace

== an_index_has_cycles
need emulator
  $ recorded cycles --core cortex-a9 --cycle-accurate; etm index cycles --format jsonl >index
  $ etm decode cycles --from cyc:99999999 2>without | tail -n 1; cat without
      1a5c  == end of trace
  etm: PTM_0: --from cyc:99999999: its trace ends at cyc:25019: the last synchronization is used
  $ etm decode cycles --from cyc:99999999 --index index 2>&1 >out | cmp - without
  $ end cycles --from cyc:100 --to cyc:99999999 =>     1a5c  == end of trace

# Before an I-sync, nobody knows of which instructions they are (E-342).
== cycles_that_no_element_has_are_not_counted
  $ printf '\0\0\0\0\0\200\204\240\210\010\041\001\200\0\0\210' >counted
  $ counting='--protocol etmv3 --reg ETMIDR=0x4114f250 --reg ETMCR=0x1000'
  $ etm index counted $counting --format jsonl >index
  $ for index in "" "--index index"; do end counted $counting --from cyc:99 $index; done
        10  == end of trace
        10  == end of trace
  ! trace: --from cyc:99: its trace ends at cyc:2: the last synchronization is used
  ! trace (0x00): unsynchronized: 3 bytes lost in 1 place; code missing at 1 place, and there is none: use --image FILE
  ! trace: --from cyc:99: its trace ends at cyc:2: the last synchronization is used
  ! trace (0x00): unsynchronized: 3 bytes lost in 1 place; code missing at 1 place, and there is none: use --image FILE

# 7.4.10
== data_only_trace_counts_no_cycles
  $ printf '\0\0\0\0\0\200\010\041\0\200\0\0' >data
  $ only='--protocol etmv3 --reg ETMIDR=0x4114f250 --reg ETMCR=0x10100c'
  $ for option in --from --to; do etm decode data $only $option cyc:5; done
  [2] trace: --from cyc:5: data-only trace counts no cycles
  ! trace: --to cyc:5: data-only trace counts no cycles
  $ etm index data $only --format jsonl
  {"k":"sync","src":0,"off":0,"pos":0,"stream":0,"reason":"trace_on","addr":null,"isa":null,"context_id":null,"time":null,"cycles":null}

# E-362
== an_index_with_fewer_points_leads_to_the_same_synchronization
need emulator
  $ recorded cycles --core cortex-a9 --cycle-accurate
  $ recorded timed --core cortex-a15 --timestamps --sync 100 --framing none
  $ same() { lines $1 --from $2 >expected; lines $1 --from $2 --index thin | cmp - expected; }
  $ for every in 700 1500 1000000; do etm index cycles --format jsonl --every $every >thin 2>err
  > wc -l <thin; for value in 60 900 5000 7777 9000 12345 15119; do same cycles cyc:$value; done
  > done
  7
  4
  1
  $ grep -c '"range"' expected => 1918
  $ times_of timed | wc -w => 39
  $ for every in 300 900 3000; do etm index timed --format jsonl --every $every >thin 2>err
  > wc -l <thin; for time in $(times_of timed | tr -d '"null')
  > do for at in $time $((time - 1)) $((time + 1)); do same timed ts:$at; done; done; done
  13
  5
  2

== an_index_that_does_not_belong_to_the_capture
need emulator
  $ recorded cycles --core cortex-a9 --cycle-accurate; etm index cycles --format jsonl >index
  $ cp -r cycles shorter; head -c 320 cycles/cstrace.bin >shorter/cstrace.bin
  $ etm decode shorter --from cyc:99999 --index index
  [1] index: it has a point of PTM_0 (0x10) at byte 6658, and there are 320: is it the index of this capture?
  $ etm index $M3 --format jsonl >other; etm decode $A9 --from ts:5000 --index other
  [1] other: it has no point of PTM_0 (0x11): is it the index of this capture?
  $ : >empty; etm decode $A9 --from ts:5000 --index empty
  [1] empty: it has no point of PTM_0 (0x11): is it the index of this capture?
  $ etm index $A9 --format jsonl | sed 's/"time":"[0-9]*"/"time":null/' >timeless
  $ etm decode $A9 >whole; etm decode $A9 --from ts:5000 --index timeless | cmp - whole
  ! timeless: its points of PTM_0 (0x11) have no times: decoding begins at the start of the capture
  $ sed 's/"cycles":[0-9]*/"cycles":null/' index >uncounted; etm decode cycles >whole
  $ etm decode cycles --from cyc:500 --index uncounted | cmp - whole
  ! uncounted: its points of PTM_0 (0x10) have no cycles: decoding begins at the start of the capture

# A core without a synchronization point has no line in an index (E-358).
== a_core_that_slept_is_no_reason_to_refuse
  $ cp -r $A9 idle; chmod -R u+w idle
  $ sed -e 's/PTM_0/PTM_1/' -e 's/^\(ETMTRACEIDR.*\)=.*/\1=0x22/' $A9/device_1.ini >idle/device_2.ini
  $ sed 's/^device1=.*/&\ndevice2=device_2.ini\ndevice3=cpu_1.ini/' $A9/snapshot.ini >idle/snapshot.ini
  $ sed -e '/^\[source_buffers\]/a PTM_1=ETB_0' -e '$a cpu_1=PTM_1' $A9/trace.ini >idle/trace.ini
  $ sed 's/cpu_0/cpu_1/' $A9/cpu_0.ini >idle/cpu_1.ini
  $ etm index idle --format jsonl >by_time => ! PTM_1: no synchronization points
  $ { lines $A9 --from ts:5000 --to ts:8000; echo '{"k":"end","src":34,"off":0}'; } >expected
  $ for index in "" "--index by_time"
  > do etm decode idle --from ts:5000 --to ts:8000 --format jsonl $index | cmp - expected; done
  ! PTM_1: --from ts:5000: it has no synchronization point
  ! PTM_1: --to ts:8000: there was no timestamp: everything was decoded
  ! PTM_1 (0x22): there is nothing to decode in this part
  ! PTM_1: --from ts:5000: it has no synchronization point
  ! PTM_1: --to ts:8000: there was no timestamp: everything was decoded
  ! PTM_1 (0x22): there is nothing to decode in this part
  $ etm index idle --source PTM_1 --format jsonl >none; etm decode idle --from ts:5000 --index none
  [1] PTM_1: no synchronization points
  ! none: it has no point of PTM_0 (0x11): is it the index of this capture?

# What a buffer said of the time is nothing to the next one (E-08).
== a_time_ends_with_its_buffer
  $ mkdir times; octets 5000 none >times/0.bin
  $ { octets none; printf '\102\210\001'; octets none; } >times/1.bin
  $ printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=ptm.ini\n[trace]
  > metadata=trace.ini\n' >times/snapshot.ini
  $ printf '[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n[regs]\nETMCR=0
  > ETMIDR=0x411CF311\nETMCCER=0x10000000\n' >times/ptm.ini
  $ printf '[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=ETB_0\nfile=0.bin\nformat=source_data
  > [b1]\nname=ETB_1\nfile=1.bin\nformat=source_data\n[source_buffers]\nPTM_0=ETB_0,ETB_1\n' >times/trace.ini
  $ times_of times => null "5000" null null
  $ lines times | grep timestamp => {"k":"timestamp","src":0,"off":12,"value":"5000"}
