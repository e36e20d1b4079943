# SPDX-License-Identifier: Apache-2.0
# etm report: its data, names that are hostile, bounds, and the page in Chromium if there is
# one.

  $ page() { python3 $CLI/report_page.py "$@"; }
  $ browse() { page browse $1 >shown && echo shown; } # also without a browser
  $ # what ran is what etm coverage says, of each file and of all
  $ same_coverage() {
  > etm report "$@" -o covered.html 2>err; page coverage covered.html >rows
  > etm coverage "$@" 2>err >text
  > field='[0-9.]*%\{0,1\} *\([0-9/-]*\)  *'
  > sed -n "s/^ *$field$field$field$field\([^ ]*\)$/\1 \2 \3 \4 \5/p" text >expected
  > grep ' total$' rows >got; grep ' total$' expected | diff - got; cat got
  > grep -v ' total$\|:' expected | sort >some; grep -v : rows | sort | comm -13 - some
  > sed -n 's/^  \([^ ]*:[0-9]*\)  \([^ ]*\)  \(always\|never\) \(taken\|passed\) in \([0-9]*\) *\(.*\)$/\3 \4 \5 \1 \2 \6/p' \
  > text | sed 's/ *$//' | sort >expected
  > grep '^always\|^never [tp]a' rows | sed 's/ *$//' | sort | diff expected -; wc -l <expected; }

== a_report_has_the_data_of_the_capture
  $ etm report $M3 -o m3.html; page data m3.html; browse m3.html
  ETM_0: 22838 instructions, 31 functions, 3 exceptions
  shown
  $ page contrast m3.html # text can be read in both themes
  $ etm report $A9 -o a9.html; page data a9.html
  PTM_0: 15946 instructions, 29 functions, 2 exceptions

== code_ran_as_often_as_is_decoded
  $ for what in $M3 "$M3 --from 20% --to 60%" $A9; do etm report $what -o code.html
  > etm decode $what --level instructions --format jsonl | page code code.html; done
  28 functions
  26 functions
  27 functions

== code_without_source_lines_is_listed
  $ printf '%s\n' 'version 1' 'place 8000' '8000 eb000006' '8020 e1a00000' \
  > '8024 e12fff1e next=8004:a' '8004 e1a00000' >log
  $ etm record --execution log --core cortex-a9 -o plain 2>err; etm report plain -o plain.html
  $ sed -n '/"code":/,/"coverage":/p' plain.html | grep -o '"line":.*\|^\[.*"\]'
  [1,0,0,"00008020  e1a00000   mov     r0, r0"]
  [1,0,0,"00008024  e12fff1e   bx      lr"]
  [1,0,0,"00008000  eb000006   bl      #0x8020"]

== names_do_not_end_the_data
  $ cp -r $M3 hostile; sed 's/quick_sort/<\/script>x/g' $ELF >hostile/sensor.elf
  $ etm report hostile -o hostile.html; page data hostile.html | wc -l => 1
  $ grep -o '"name":"[^"]*script>x"' hostile.html | sort -u => "name":"\u003c/script>x"

# 2 MB of trace: more slices than a page has.
== long_captures_give_short_pages
  $ cp -r $M3 long; for i in $(seq 128); do cat $RAW; done >long/cstrace.bin
  $ etm report long -o long.html; page data long.html | wc -l; browse long.html
  1
  shown
  $ [ $(wc -c <long.html) -lt 5000000 ] && ! grep '"resolution":0,' long.html

# A function calls itself, then an interrupt leads to another task, which calls one.
== calls_are_drawn_to_a_depth_of_48
  $ for n in 46 47; do { printf '%s\n' 'version 1' 'context 1' 'place 8000'
  > for i in $(seq $n); do echo 8000 ebfffffe; done; printf '%s\n' 'exception irq to=18:a' 'context 2' \
  > '18 e25ef004 next=9000:a' '9000 eb000000' '9008 e12fff1e next=9004:a' '9004 e1a00000'; } >log
  > etm record --execution log --core cortex-a9 --context-id 4 -o deep >out 2>err
  > etm report deep -o deep.html; page tracks deep.html; done
  tasks 1 [0, 46, 4, 1, 46, 3, 7, 1]
  exceptions 1 [46, 0, 6, 1]
  gaps 0
  calls 48 [46, 3, 6, 1]
  calls 2 [48, 1, 10, 1]
  too deep 0
  tasks 1 [0, 47, 4, 1, 47, 3, 7, 1]
  exceptions 1 [47, 0, 6, 1]
  gaps 0
  calls 48 [47, 3, 5, 1]
  calls 2 [49, 1, 10, 1]
  too deep 1

== what_ran_is_what_coverage_says
  $ same_coverage $M3
  142/162 54/64 28/30 438/486 total
  6
  $ grep '^never ./board.c:148 finish$\|^never taken 23 ../src/clean.c:14 ' rows
  never ./board.c:148 finish
  never taken 23 ../src/clean.c:14 without_noise+0x6 history->smooth += sample - history->smooth / 16;
  $ same_coverage $A9
  159/194 49/56 26/30 455/498 total
  5
  $ same_coverage $M3 --from 20% --to 60%
  126/162 51/64 26/30 402/486 total
  9
  $ { printf '\0\0\0\0\0\200\010\000\200\0\0\041\204' # copies of a function
  > printf '\0\0\0\0\0\200\010\200\200\0\0\041\204'; } >trace
  $ same_coverage trace --protocol pft --image $DATA/copies.elf
  2/11 2/4 1/3 20/66 total
  2

== gaps_are_counted_as_by_coverage
need emulator
  $ etm configure --core cortex-r4 --elf $PROGRAMS/variables-r4.elf --exclude-function on_event -o setup
  $ etm record $PROGRAMS/variables-r4.elf --core cortex-r4 --setup setup -o gaps >out 2>err
  $ same_coverage gaps; browse covered.html
  37/39 2/2 1/2 102/108 total
  0
  shown
  $ grep '^tracing was off' text; grep '^never .* on_event$\|^gap off' rows
  tracing was off 2 times: code that was not seen may have been executed then
  never ./variables.c:47 on_event
  gap off 2

== variables_have_plots
need emulator
  $ etm record $PROGRAMS/variables-r4.elf --core cortex-r4 --data both -o variables >out 2>err
  $ etm report variables --watch state,ratio,precise,where,sensor -o variables.html
  $ page tracks variables.html | grep '^[a-z.]* [^ ]*=\|sensor'; browse variables.html
  state 5=RUNNING -1=BROKEN
  sensor.id
  sensor.state 5=RUNNING
  sensor.samples[0]
  sensor.samples[1]
  sensor.samples[2]
  sensor.samples[3]
  sensor.offset.x
  sensor.offset.y
  sensor.ready
  sensor.mode
  sensor.level
  where 131076=&count
  shown
  $ etm report $M3 -o watched.html --watch no_such
  [1] --watch no_such: no program of the capture has such a variable

== four_processors
need $ETM_SHARED/captures/tc2
  $ etm report $ETM_SHARED/captures/tc2 -o tc2.html 2>err; page data tc2.html; browse tc2.html
  ETM_0: 7205 instructions, 107 functions, 0 exceptions
  ETM_1: 8181 instructions, 134 functions, 0 exceptions
  ETM_2: 2355 instructions, 45 functions, 0 exceptions
  PTM_0: 9548 instructions, 160 functions, 0 exceptions
  PTM_1: 0 instructions, 0 functions, 0 exceptions
  ITM_0: 0 instructions, 0 functions, 0 exceptions
  shown
