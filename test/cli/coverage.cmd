# SPDX-License-Identifier: Apache-2.0
# etm coverage: its counts beside those of --stats, its lines and functions beside its
# ranges.

  $ ranges() { # KIND: "START END ISA INSNS N", whatever became of the last instruction
  > sed -n 's/^{"k":"'$1'","src":[0-9]*,"start":"\([^"]*\)","end":"\([^"]*\)","isa":"\([^"]*\)","insns":\([0-9]*\),.*"n":\([0-9]*\)}$/\1 \2 \3 \4 \5/p' |
  > awk '{ n[$1 " " $2 " " $3 " " $4] += $5 } END { for (k in n) print k, n[k] }' | sort; }
  $ same_counts() {
  > etm decode "$@" --stats | sed 's/"insns":\([0-9]*\),"n"/"insns":\1,"":"","n"/' |
  > ranges block >expected
  > etm coverage "$@" --format jsonl | ranges coverage | diff expected -; wc -l <expected; }
  $ for core in m3 a9; do etm coverage $DEMO/cortex-$core --format jsonl >$core; done

== counts_are_those_of_stats
  $ for core in $M3 $A9; do same_counts $core; same_counts $core --from 20% --to 70%; done
  146
  130
  132
  123
  $ etm decode $A9 --format jsonl | grep '"timestamp"' | sed -n 1,8p | tail -n 1
  {"k":"timestamp","src":17,"off":2065,"value":"7120"}
  $ same_counts $A9 --to ts:7120 => 125

# The demos count no cycles.
== a_part_that_ends_at_a_cycle_has_its_counts
  $ etm=etm; . $CLI/../support/counted.sh; record_counted
  $ etm index counted --format jsonl | sed -n 5p
  {"k":"sync","src":16,"off":736,"pos":736,"stream":684,"reason":"periodic","addr":"0x00008004","isa":"arm","context_id":null,"time":null,"cycles":1643}
  $ same_counts counted --to cyc:1643 => 3

# An execution of a line or function that is cut counts on both sides.
== threads_shards_and_captures_add_up
  $ for core in m3 a9; do capture=$DEMO/cortex-$core
  > etm coverage $capture --format jsonl --jobs 1 | cmp - $core
  > for i in 1 2 3; do etm coverage $capture --format jsonl --shard $i/3 >shard$i; done
  > etm merge shard1 shard2 shard3 >merged; grep -v '"k":"line"\|"k":"function"' $core >expected
  > grep -v '"k":"line"\|"k":"function"' merged | cmp - expected
  > sed 's/"n":/& /' $core >whole; sed 's/"n":/& /' merged | awk 'NR == FNR {
  >     key = $0; sub(/ [0-9]*}/, "", key); n[key] = $2 + 0; next }
  >     { key = $0; sub(/ [0-9]*}/, "", key); if ($2 < n[key] ||
  > $2 + 0 > n[key] + 2) print }' whole -
  > etm merge $core $core | cat - $core | awk -F'"n":' '{ n += $NF } END { print n / 3 }'
  > awk -F'"n":' '{ n += $NF } END { print n }' $core; wc -l <merged; done
  19462
  19462
  437
  13816
  13816
  465

== two_sources_have_names_of_their_own
  $ mkdir both; for core in m3 a9; do from=$DEMO/cortex-$core; cp $from/cstrace.bin both/$core.bin
  > cp $from/sensor.elf both/$core.elf; cp $from/device_1.ini both/of_$core.ini
  > sed "s/cpu_0/$core/; s/sensor/$core/" $from/cpu_0.ini >both/$core.ini; done
  $ printf '[snapshot]\nversion=1.0\n[device_list]\na=m3.ini\nb=of_m3.ini\nc=a9.ini\nd=of_a9.ini
  > [trace]\nmetadata=trace.ini\n' >both/snapshot.ini
  $ printf '[trace_buffers]\nbuffers=a,b\n[a]\nname=A\nfile=m3.bin\nformat=coresight\n[b]\nname=B
  > file=a9.bin\nformat=coresight\n[source_buffers]\nETM_0=A\nPTM_0=B
  > [core_trace_sources]\nm3=ETM_0\na9=PTM_0\n' >both/trace.ini
  $ etm coverage both --format jsonl | sort >out; cat m3 a9 | sort | cmp - out
  $ wc -l <out => 902

== text_says_the_same
  $ for core in m3 a9; do ranges coverage <$core | awk '{ n += $4 * $5 } END { print n }'
  > etm coverage $DEMO/cortex-$core | sed -n 1,7p; done
  22838
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
  22838 instructions executed

    lines              branches           functions          instructions        file
   100.0% 26/26        100.0% 8/8          100.0% 5/5           95.6% 87/91        ../src/app.c
    86.6% 13/15         70.0% 7/10         100.0% 4/4           87.9% 51/58        ../src/clean.c
   100.0% 7/7          100.0% 6/6          100.0% 1/1          100.0% 23/23        ../src/crc.c
  15946
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  15946 instructions executed

    lines              branches           functions          instructions        file
   100.0% 26/26        100.0% 8/8          100.0% 5/5          100.0% 93/93        ../src/app.c
    86.6% 13/15         83.3% 5/6          100.0% 4/4           96.4% 55/57        ../src/clean.c
   100.0% 7/7          100.0% 6/6          100.0% 1/1          100.0% 22/22        ../src/crc.c
  $ etm coverage $M3 -o file --format jsonl; cmp file m3

# Functions by their first instruction, and lines, with those that did not run; each line
# that begins a range ran at least as often as the range.
== tracefiles_of_lcov
  $ for core in m3 a9; do etm coverage $DEMO/cortex-$core --format lcov >lcov
  > sed -n 's/.*"symbol":"\([^"]*\)","offset":0,.*"n":\([0-9]*\)}/\1 \2/p' $core |
  > awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' | sort >expected
  > sed -n 's/^FNDA:\([1-9][0-9]*\),\(.*\)/\2 \1/p' lcov | sort >got; comm -13 expected got
  > wc -l <got; grep -c '^DA:[0-9]*,0$' lcov; grep -c '^FNDA:0,' lcov
  > sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\),"n":\([0-9]*\)}/\1 \2 \3/p' $core >started
  > awk '/^SF:/ { file = substr($0, 4) }
  >     /^DA:/ { split(substr($0, 4), d, ","); print file, d[1], d[2] }' lcov >lines
  > awk 'NR == FNR { n[$1 " " $2] = $3; next }
  >     !(($1 " " $2) in n) || n[$1 " " $2] < $3' lines started
  > wc -l <started; done | fmt => 28 20 2 364 26 35 4 380

== sums_of_records_are_right
  $ for core in $M3 $A9; do etm coverage $core --format lcov >lcov; awk '
  > /^SF:/ { da = lf = fn = fnf = brda = brf = hit = lh = 0 }
  > /^DA:/ { da++; hit += !/,0$/ } /^LF:/ { lf = substr($0, 4) } /^LH:/ { lh = substr($0, 4) }
  > /^FN:/ { fn++ } /^FNF:/ { fnf = substr($0, 5) }
  > /^BRDA:/ { brda++ } /^BRF:/ { brf = substr($0, 5) }
  > /^end_of_record/ && (da != lf || hit != lh || fn != fnf || brda != brf)' lcov
  > grep -c '^SF:' lcov; grep -c '^end_of_record' lcov; grep '^SF:' lcov | sort | uniq -d; done |
  > fmt
  7 7 8 8

# Conditional instructions passed and failed as often as a listing of all instructions says;
# the rest does not depend on the level.
== instructions_make_the_same_ranges
  $ etm coverage $M3 --level instructions --format jsonl >insns; grep -v condition m3 >expected
  $ grep -v condition insns | cmp - expected
  $ etm decode $M3 --level instructions --format jsonl |
  > sed -n 's/^{"k":"insn".*"addr":"\([^"]*\)".*"exec":false,"type":"other".*/\1/p' |
  > sort | uniq -c | awk '{ print $2, $1 }' >expected
  $ sed -n 's/^{"k":"condition".*"addr":"\([^"]*\)".*"outcome":"failed","n":\([1-9][0-9]*\)}$/\1 \2/p' \
  > insns | sort | diff expected -
  $ cat expected; grep '"k":"condition".*"outcome":null' insns
  0x0000032e 23
  0x000004e6 72
  0x000004e8 106
  [1]

# A branch was taken and not taken as often as the ranges that end with it say.
== branches_are_taken_and_not_taken
  $ grep '"addr":"0x00000072"' m3
  {"k":"branch","src":16,"addr":"0x00000072","symbol":"sensor_read","offset":50,"file":"../src/app.c","line":12,"outcome":"not_taken","n":20}
  {"k":"branch","src":16,"addr":"0x00000072","symbol":"sensor_read","offset":50,"file":"../src/app.c","line":12,"outcome":"taken","n":3}
  {"k":"coverage","src":16,"start":"0x00000040","end":"0x00000074","isa":"thumb","insns":18,"last":{"addr":"0x00000072","type":"direct","exec":false,"link":false,"return":false},"symbol":"sensor_read","offset":0,"file":"../src/app.c","line":8,"n":20}
  {"k":"coverage","src":16,"start":"0x00000040","end":"0x00000074","isa":"thumb","insns":18,"last":{"addr":"0x00000072","type":"direct","exec":true,"link":false,"return":false},"symbol":"sensor_read","offset":0,"file":"../src/app.c","line":8,"n":3}
  $ etm coverage $M3 --format lcov | grep "^BRDA:12,$((0x72)),"
  BRDA:12,114,0,3
  BRDA:12,114,1,20

# The number of a branch is the same whichever others of its line were reached: two traces of
# PFT, of one branch each, and what both reach.
== branches_have_numbers_of_their_own
  $ branches() { # BYTES of an I-sync and atoms
  > printf '\000\000\000\000\000\200\010'"$1" >trace
  > etm coverage trace --protocol pft --image $A9/sensor.elf --format lcov |
  > sed -n 's/^BRDA:10,\(.*\),0,[0-9].*/\1/p'; }
  $ printf '%x\n' $(branches '\010\003\000\140\041\206') $(branches '\054\003\000\140\041\206')
  6000030c
  6000033c
  $ printf '%x\n' $(branches '\054\003\000\140\041\204\206')
  6000030c
  6000033c

# What was executed before and after a gap is looked for in a file again, not in a pipe.
# Where tracing begins is no gap, whatever is lost before.
== gaps_of_a_file_have_places
  $ { head -c 6000 $RAW; printf 'damage in the middle'; tail -c +6001 $RAW; } >damaged
  $ gaps() { etm coverage "$@" --core cortex-m3 --reg ETMCR=0x800 --image $ELF 2>err |
  > sed -n '5,6{s/ *$//;/./p;}'; }
  $ gaps damaged --framing coresight; cat damaged | gaps - --framing coresight --reg ETMTRACEIDR=0x10
     1784  bad_frame       after formula_run+0x2a (../src/formula.c:10)  until formula_run+0x10 (../src/formula.c:12)
     1799  off             until formula_run+0x10 (../src/formula.c:12)
     1784  bad_frame
     1799  off
  $ etm split $M3 -o . >out; { printf UUUU; cat ETM_0.bin; } >late; gaps late --framing none
        0  unsynchronized  until main (./board.c:134)

# One trace of each of two files.
== copies_of_a_function_are_one
  $ { printf '\0\0\0\0\0\200\010\000\200\000\000\041\204'
  > printf '\0\0\0\0\0\200\010\200\200\000\000\041\204'; } >trace
  $ etm coverage trace --protocol pft --image $DATA/copies.elf --format lcov | grep FN
  FN:9,first
  FN:14,second
  FNDA:0,first
  FNDA:0,second
  FNF:2
  FNH:0
  FN:6,square
  FNDA:2,square
  FNF:1
  FNH:1

== code_without_debug_information_has_no_lines
  $ cp -r $M3 snapshot; chmod -R u+w snapshot; head -c 2048 /dev/zero >snapshot/zeros.bin
  $ { sed '/^\[dump\]/,$d' $M3/cpu_0.ini; printf '\n[dump]\nfile=zeros.bin\naddress=0\n'
  > } >snapshot/cpu_0.ini
  $ etm coverage snapshot --format lcov
  ! ETM_0 (0x10): image_mismatch: 3562 bytes lost in 743 places; is this the code that ran (--image), and are protocol and registers right?
  ! ETM_0: its code has no source lines (was it built with -g?), of which this format consists

== what_is_refused
  $ etm decode $M3 --format lcov => [2] --format lcov is for 'etm coverage' only (usage)
  $ etm decode $M3 --coverage => [2] --coverage: no such option (usage)
  $ etm coverage $M3 --stats => [2] --stats is for 'etm decode' only (usage)
  $ etm coverage $M3 --cycles => [2] --cycles is for 'etm decode' only (usage)
