# SPDX-License-Identifier: Apache-2.0
# etm coverage beside other tools: its counts are those of gcov for the same program,
# and genhtml, lcov and gcovr read what it writes. The program was built for this machine
# and for a processor, and ran on both.

need arm-none-eabi-gcc emulator
  $ cp $CLI/coverage/both_ways.c .
  $ record_on() { # CORE OPTION...: as CORE.elf and CORE/
  > core=$1 start=$PROGRAMS/start.S; shift; [ $core != cortex-m3 ] || start=$PROGRAMS/start_m.c
  > arm-none-eabi-gcc -O0 -g "$@" -ffreestanding both_ways.c $start -I$PROGRAMS -nostdlib \
  > -Wl,--no-warn-rwx-segments -T $PROGRAMS/program.ld -lgcc -o $core.elf 2>err &&
  > etm record $core.elf --core $core -o $core >out 2>err; }
  $ record_on cortex-m3 -mcpu=cortex-m3 -mthumb
  $ etm configure --core cortex-m3 --elf cortex-m3.elf --trace-function sort >setup 2>err
  $ etm record cortex-m3.elf --core cortex-m3 --setup setup -o gaps >out 2>err
  $ for run in cortex-m3 gaps; do etm coverage $run --format lcov -o $run.info
  > etm coverage $run --format gcovr -o $run.json; done
  $ lines() { # FOUND|HIT: of the tracefile
  > sed -n "s/^L$1://p" cortex-m3.info | awk '{ n += $1 } END { print n }'; }

# Lines, functions, and lines with branches.
== counts_are_those_of_gcov
need gcc gcov
  $ gcc -O0 --coverage both_ways.c -o host 2>err && ./host && gcov -b -c ./*both_ways.gcda >out 2>err
  $ while read -r core options; do record_on $core -mcpu=$core $options </dev/null
  > etm coverage $core --format lcov -o info </dev/null
  > awk -v file=both_ways.c -f $CLI/coverage/compare.awk info both_ways.c.gcov >out
  > awk 'NR > 1 || NF > 3 || $1 < 80 || $2 < 12 || $3 < 18 { bad = 1 } END { exit bad || NR != 1 }' out &&
  > echo the same || cat out; done <<'END'
  > cortex-m3 -mthumb
  > cortex-a9 -marm -mfloat-abi=soft
  > cortex-r4 -mthumb -mfloat-abi=soft
  > arm7tdmi -marm
  > END
  the same (4 times)

== what_was_never_executed_is_named
  $ etm coverage cortex-m3 | sed 's|  /.*/both|  both|; s/+0x[0-9a-f]*//' |
  > grep -e '^functions' -e 'both_ways.*never_called' -e 'sum == -1' -e 'not seen'
  functions not executed while traced
    both_ways.c:27  never_called
    both_ways.c:178  main  always taken in 1  if (sum == -1)
  $ grep -q '^BRDA:[0-9]*,[0-9]*,0,-$' cortex-m3.info
  $ etm coverage cortex-m3 --format source | grep -A 2 'sum == -1' >out; sed -n 1p out
          1:  178:    if (sum == -1)
  $ grep -c '^branch  [01] taken [01]' out => 2

# Nothing is said not to have been executed.
== gaps_are_counted
  $ gaps=$(($(etm decode gaps --format jsonl | grep -c '"k":"trace_on"') - 1))
  $ gap() { sed "s/off $gaps times: /off so often: /; s/ $((gaps - 8)) more/ so many more/" "$@"; }
  $ etm coverage gaps >out; etm coverage gaps --jobs 1 | cmp - out
  $ gap out | grep -e '^tracing' -e '^functions' -e 'many more' -e 'not executed'
  tracing was off so often: code that was not seen may have been executed then
           and so many more
  functions not seen, perhaps executed in gaps
  $ grep -c '^ *[0-9a-f]*  off  *after .* (.*both_ways\.c:[0-9]*)  until .* (.*:[0-9]*)$' out => 8
  $ gap gaps.info | grep often
  # ETM_0: tracing was off so often: code that was not seen may have been executed then
  $ etm coverage gaps --format cobertura | gap | grep often
  <!-- tracing was off so often: code that was not seen may have been executed then -->
  $ etm coverage gaps --format source >out; gap out | grep -e often -e '#####' -e 'calls++'
          -:    0:tracing was off so often: code that was not seen may have been executed then
      ?????:   13:    calls++;
  $ gap gaps.json | grep often
  "etm/gaps":"tracing was off so often: code that was not seen may have been executed then",
  $ etm coverage gaps --format jsonl | sed "s/\"n\":$gaps}/so often/" | grep '"gap"'
  {"k":"gap","src":16,"what":"off",so often

== runs_add_up
  $ for run in cortex-m3 gaps; do etm coverage $run --format jsonl -o $run.jsonl; done
  $ etm merge cortex-m3.jsonl gaps.jsonl -o both.jsonl
  $ grep -h '"k":"function",.*"name":"sort"' cortex-m3.jsonl both.jsonl | grep -o '"n".*'
  "n":1}
  "n":2}
  $ [ $(wc -l <both.jsonl) -gt $(wc -l <gaps.jsonl) ]

== genhtml_reads_a_tracefile
need genhtml
  $ for file in cortex-m3 gaps
  > do genhtml $file.info --branch-coverage -o $file.pages >$file.out; ls $file.pages/index.html; done
  cortex-m3.pages/index.html
  gaps.pages/index.html
  $ sed "s/($(lines H) of $(lines F) lines)/all/" cortex-m3.out | grep -o '% all$' => % all

== lcov_adds_up_tracefiles
need lcov
  $ lcov -a cortex-m3.info -a gaps.info --rc lcov_branch_coverage=1 -o sum.info >out 2>err
  $ grep '^FNDA:.*,sort$' sum.info => FNDA:2,sort

== gcovr_reads_json
need gcovr
  $ gcovr -a cortex-m3.json -f '.*' --json-summary-pretty 2>err >out
  $ sed "s/line_covered\": $(lines H),/as there/; s/line_total\": $(lines F),/as there/" out | grep -c as.there
  2
  $ gcovr -a cortex-m3.json -a gaps.json -f '.*' --txt 2>err | grep -c '^TOTAL .*%' => 1

== cobertura_is_xml
need xmllint
  $ etm coverage cortex-m3 --format cobertura -o whole.xml; xmllint --noout --nonet whole.xml
  $ [ $(grep -c '^<line number="[0-9]*" hits="[0-9]*" branch=' whole.xml) = $(lines F) ]
  $ grep -c "lines-covered=\"$(lines H)\" lines-valid=\"$(lines F)\"" whole.xml => 1
