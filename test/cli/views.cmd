# SPDX-License-Identifier: Apache-2.0
# etm profile, calls, exceptions and timeline: their sums beside those of --stats, and one
# format beside the other.

  $ sum() { # KIND KEY FILE: of the values of a key in lines of a kind
  > sed -n 's/^{"k":"'$1'",.*"'$2'":\([0-9]*\)[,}].*/\1/p' $3 |
  > awk '{ n += $1 } END { printf "%d\n", n }'; }
  $ stat() { # WHAT: in lines of --stats
  > sed -n 's/^{"k":"count",.*"what":"'$1'",.*"n":\([0-9]*\)}$/\1/p' stats |
  > awk '{ n += $1 } END { printf "%d\n", n }'; }
  $ profile() { etm profile "$@" 2>err; }
  $ handlers() { grep -v '^\[\(reset\|debug_halt\)\]' | LC_ALL=C sort; }
  $ adds_up() { # ARGUMENT...: how many sums there are of all instructions, and of all cycles
  > etm decode "$@" --stats 2>err >stats; set -- "$@" $views
  > for by in task address line file source exception
  > do profile "$@" --by $by --format jsonl >by_$by; done
  > for form in jsonl folded callgrind; do profile "$@" --format $form >$form; done
  > etm calls "$@" --format jsonl 2>err >calls
  > sed -n 's/^{"k":"enter",.*"name":"\(\[[^"]*\]\)".*"flags":\["exception".*/\1/p' calls |
  > handlers | uniq -c | awk '{ print $2, $1 }' >entered
  > sed -n 's/.*"k":"exception".*"name":"\([^"]*\)".*"calls":\([0-9]*\),.*/\1 \2/p' by_exception |
  > handlers | diff entered -
  > grep -o '"k":"\(enter\|leave\)"' calls | sort | uniq -c | awk 'NR > 1 && $1 != n; { n = $1 }'
  > sed -n 's/^totals: //p' callgrind >totals
  > awk '/^calls=/ { getline; next } /^0x/ { n += $3; m += $4 }
  >     END { printf "%d", n; if (m) printf " %d", m; print "" }' callgrind | diff totals -
  > { stat instructions; cut -d ' ' -f 1 totals; sum function self jsonl; sum leave self calls
  > sum total instructions jsonl; sum total instructions by_source
  > for by in task address line file; do sum $by self by_$by; done; } >sums
  > cycles=$(stat cycles) gaps=$(sum total gap_cycles jsonl)
  > awk '{ n += $NF } END { print n }' folded >stacks
  > if [ $cycles -gt 0 ]; then sum function self_cycles jsonl | diff stacks -
  > { echo $cycles; sum total cycles by_source; echo $(($(sum file self_cycles by_file) + gaps))
  > echo $(($(sum function self_cycles jsonl) + gaps)); } >>sums
  > else cat stacks >>sums; grep '"self_cycles":[0-9]' jsonl; fi; uniq -c sums | fmt; }
  $ record() { name=$1 program=$PROGRAMS/$2.elf; shift 2
  > etm record $program -o $name "$@" >out 2>err; }

== profiles_of_the_demos_add_up
  $ for core in $M3 $A9; do adds_up $core; adds_up $core --from 20% --to 70%; done
       11 22838
       11 12361
       11 15946
       11 7675

# No caller but those of the tasks and of what began; in the midst of set_context_id(),
# another task goes on.
== functions_have_their_callers
  $ for core in $M3 $A9; do profile $core --format folded | sed 's/[; ].*//' | sort -u | fmt; done
  clean_task main report_task
  main set_context_id
  $ for core in $M3 $A9; do etm exceptions $core --format jsonl >exceptions
  > etm decode $core --stats >stats; sum exception entries exceptions; stat exception; done | fmt
  185 185 48 48

== views_are_the_same_with_one_thread
  $ for core in $M3 $A9; do for view in 'profile --format text' 'profile --callers --callees' \
  > 'profile --by exception' 'profile --by source' 'profile --format jsonl' 'profile --format folded' \
  > 'profile --format callgrind' 'profile --format speedscope' 'profile --format pprof' \
  > 'calls --format text' 'calls --summary' 'calls --format jsonl' 'exceptions --format text' \
  > 'exceptions --format jsonl' timeline 'timeline --format chrome'
  > do etm $view $core >several; etm $view $core --jobs 1 >one; cmp one several
  > [ -s one ] && echo some; done; done => some (32 times)

== text_has_what_json_lines_have
  $ profile $M3 >text; sed -n 1,6p text; profile $M3 --format jsonl >functions
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
      self   total    self insns   total insns     calls     least        mean      most  function
    20.57%  24.52%          4697          5600         3      1831      1866.7      1917  crc32
    20.02%  29.03%          4572          6631       155         3        86.6       414  quick_sort
     7.33%   7.33%          1674          1674       285         4         5.9         7  ascending
     5.82%   6.42%          1329          1467        12       110       122.2       180  formula_run
  $ sed -n 's/^{"k":"function".*"name":"\([^"]*\)".*"self":\([0-9]*\),"total":\([0-9]*\),.*/\1 \2 \3/p' \
  > functions >sums; awk '$1 ~ /%$/ { print $NF, $3, $4 }' text | diff sums -; wc -l <sums => 28
  $ etm calls $M3 --function PendSV_Handler --depth 1 >text; grep -c PendSV_Handler text
  > sed -n 2,4p text
  91
            time    duration  task  function (time in instructions)
              72          23    1        PendSV_Handler
             134          22    2        PendSV_Handler
  $ grep -o '"name":"PendSV_Handler".*"calls":[0-9]*' functions | sed 's/.*://' => 91
  $ etm calls $M3 --summary --depth 1 | awk 'NR > 2 && NF == 4 { n += $1 } END { print n }'
  22838
  $ sum total instructions functions => 22838
  $ for view in profile 'profile --callers' calls exceptions; do etm $view $M3 --format jsonl |
  > python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]'; done
  $ profile $M3 --callees --format jsonl | grep '"caller":"PendSV_Handler","callee":"schedule"'
  {"k":"edge","src":16,"caller":"PendSV_Handler","callee":"schedule","total":865,"total_cycles":null,"calls":91}

# A table of addresses is no code.
== annotated_code_has_what_its_function_has
  $ profile $M3 --annotate PendSV_Handler >text; grep 'board.c:87' text
            91                      ./board.c:87      __asm__ volatile("mrs   r0, psp\n"
  $ awk '/ 0000[0-9a-f]+  / { n += $1 } END { print n }' text => 1183
  $ profile $M3 --by function --format jsonl | grep -o '"name":"PendSV_Handler".*"self":[0-9]*'
  "name":"PendSV_Handler","addr":"0x00000164","inlined":false,"self":1183
  $ profile $M3 --annotate ring_put | cut -c 1-56 | sed 's/ *$//'
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
      executed    passed    failed
                                    <ring_put>:
            46                      ../src/ring.c:6      u
            46                        00000490  6803
            46                      ../src/ring.c:8      i
            46                        00000492  6842
            46                        00000494  1a9a
            46                        00000496  2a10
            46         0        46    00000498  d008
            46                      ../src/ring.c:10
            46                        0000049a  f003 020f
            46                        0000049e  3204
            46                        000004a0  f820 1012
            46                      ../src/ring.c:11
            46                        000004a4  3301
            46                        000004a6  6003
            46                      ../src/ring.c:12
            46                        000004a8  2001
            46                        000004aa  4770
         never                      ../src/ring.c:9
         never                        000004ac  2000
         never                      ../src/ring.c:13  }
         never                        000004ae  4770
   (esc)
  $ profile $M3 --annotate formula_run | grep -o ' 000004[012][0-9a-f]  ' | fmt
   00000420 00000424 00000426 00000428 0000042a 0000042e
  $ profile $M3 --by address --format jsonl | grep '"addr":"0x0000049[08]"'
  {"k":"address","src":16,"addr":"0x00000490","symbol":"ring_put","file":"../src/ring.c","line":6,"self":46,"self_cycles":null,"passed":null,"failed":null}
  {"k":"address","src":16,"addr":"0x00000498","symbol":"ring_put","file":"../src/ring.c","line":8,"self":46,"self_cycles":null,"passed":0,"failed":46}

# It has a function's address for a name.
== code_without_symbols_is_annotated_by_its_address
need arm-none-eabi-objcopy
  $ arm-none-eabi-objcopy -S $ELF bare.elf
  $ profile $RAW --framing coresight --core cortex-m3 --image bare.elf --annotate 0x490 |
  > sed -n 's/^ *\([0-9]*\) .* \(000004..\) .*/\2=\1/p' | fmt -w 96
  00000490=46 00000492=46 00000494=46 00000496=46 00000498=46 0000049a=46 0000049e=46
  000004a0=46 000004a4=46 000004a6=46 000004a8=46 000004aa=46

# Calls cost what they cost where they are made.
== callgrinds_lines_are_those_of_by_line
  $ profile $M3 --format callgrind >callgrind; profile $M3 --by line --format jsonl >lines
  $ awk '/^f[li]=/ { file = substr($0, 4) } /^calls=/ { getline; next }
  > /^0x/ && $2 != 0 { n[file ":" $2] += $3 }
  > END { for (line in n) print line, n[line] }' callgrind | LC_ALL=C sort >sums
  $ sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\),"self":\([0-9]*\),.*/\1:\2 \3/p' lines |
  > LC_ALL=C sort | diff sums -; wc -l <sums => 142
  $ awk '/^fn=/ { in_main = $0 == "fn=main" } /^cfn=/ { callee = $0 }
  > in_main && callee == "cfn=task_init" && /^calls=/ { getline; print $1, $2, $3 }' callgrind
  0x282 135 6
  0x28c 136 6

== callgrind_annotate_agrees
need callgrind_annotate
  $ profile $M3 --format callgrind >callgrind; profile $M3 --format jsonl >functions
  $ callgrind_annotate --threshold=100 --auto=no callgrind | tr -d , >text
  $ sed -n 's/^ *\([0-9]*\) (.*)  .*:\([^ :]*\) \[.*\]$/\2 \1/p' text | LC_ALL=C sort >sums
  $ sed -n 's/.*"k":"\(function\|exception\)".*"name":"\([^"]*\)".*"self":\([1-9][0-9]*\),.*/\2 \3/p' \
  > functions | LC_ALL=C sort | diff sums -; wc -l <sums => 28
  $ grep -o '^[0-9]*.*PROGRAM TOTALS' text; sum total instructions functions
  22838 (100.0%)  PROGRAM TOTALS
  22838

# The schema of speedscope is its file-format-schema; a profile of pprof is compressed.
== other_programs_read_them
  $ profile $M3 --format speedscope >speedscope; profile $M3 --format pprof | gzip -dc >message
  $ python3 - <<'END'
  > import json
  > file = json.load(open('speedscope'))
  > frames = [f['name'] for f in file['shared']['frames']]
  > assert file['$schema'] == 'https://www.speedscope.app/file-format-schema.json'
  > assert set(file) <= {'$schema', 'shared', 'profiles', 'name', 'exporter', 'activeProfileIndex'}
  > for f in file['shared']['frames']:
  >     assert set(f) <= {'name', 'file', 'line', 'col'} and f['name']
  > for p in file['profiles']:
  >     assert set(p) == {'type', 'name', 'unit', 'startValue', 'endValue', 'samples', 'weights'}
  >     assert p['type'] == 'sampled' and p['unit'] == 'none'
  >     assert all(isinstance(w, int) and w >= 0 for w in p['weights'])
  >     assert all(frames[i] for s in p['samples'] for i in s)
  >     print(len(p['samples']), len(p['weights']), sum(p['weights']), p['endValue'])
  > def fields(data):
  >     at = 0
  >     def varint():
  >         nonlocal at
  >         value = shift = 0
  >         while True:
  >             byte = data[at]
  >             at += 1
  >             value |= (byte & 0x7f) << shift
  >             shift += 7
  >             if byte < 0x80:
  >                 return value
  >     while at < len(data):
  >         tag = varint()
  >         if tag & 7 == 0:
  >             yield tag >> 3, varint()
  >         else:
  >             n = varint()
  >             yield tag >> 3, data[at:at + n]
  >             at += n
  > message = list(fields(open('message', 'rb').read()))
  > strings = [v for f, v in message if f == 6]
  > functions = [dict(fields(v)) for f, v in message if f == 5]
  > samples = [list(fields(v)) for f, v in message if f == 2]
  > assert strings[0] == b''
  > ids = {f[1] for f in functions}
  > assert all(v in ids for s in samples for f, v in s if f == 1)
  > print(sum(v for s in samples for f, v in s if f == 2))
  > print('quick_sort' in frames, b'quick_sort' in [strings[f[2]] for f in functions])
  > END
  86 86 22838 22838
  22838
  True True

== every_protocol_adds_up
need emulator
  $ while read -r program options; do rm -rf made; record made $program $options; adds_up made
  > done <<END
  > recurse-arm7tdmi --core arm7tdmi
  > nested-arm7tdmi --core arm7tdmi --cycle-accurate --interrupt irq@500/97
  > moves-arm926 --core arm926ej-s --data both
  > recurse-arm926 --core arm1020e
  > nested-arm926 --core arm1020e --cycle-accurate --interrupt irq@500/97
  > nested-m3 --core cortex-m3
  > nested-r4 --core cortex-r4 --cycle-accurate --interrupt irq@500/97
  > moves-r4 --core cortex-r4 --data both
  > recurse-a9 --core cortex-a9
  > nested-a9 --core cortex-a9 --cycle-accurate --interrupt irq@500/97
  > tasks-m3 --core cortex-m3
  > tasks-a9 --core cortex-a9 --cycle-accurate --context-id 4 --interrupt irq@500/97
  > END
       11 14730
       10 5638
        4 7428
       11 476
       11 13413
       10 5627
        4 7421
       11 1248
       10 5624
        4 7378
       11 506
       11 12462
       10 5618
        4 7360
       11 6468
       10 11327
        4 31410

== a_variable_tells_the_tasks
need emulator
  $ record r4 tasks-a9 --core cortex-r4 --data both --interrupt irq@500/97
  $ profile r4 --by task --task-variable current --format jsonl
  {"k":"task","src":16,"task":0,"context_id":null,"value":0,"self":3145,"self_cycles":null,"turns":28}
  {"k":"task","src":16,"task":1,"context_id":null,"value":1,"self":2716,"self_cycles":null,"turns":28}
  {"k":"task","src":16,"task":2,"context_id":null,"value":2,"self":2716,"self_cycles":null,"turns":28}
  {"k":"task","src":16,"task":3,"context_id":null,"value":3,"self":2776,"self_cycles":null,"turns":28}
  {"k":"total","src":16,"instructions":11353,"cycles":null,"gap_cycles":null}

# The instruction behind each exception has the cycles until the handler starts.
== exceptions_have_latencies
need emulator
  $ etm exceptions $M3 >text; sed -n 1,11p text
  > grep 'pending when\|latencies cannot\|start of handler' text
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
                         least        mean      most  (instructions)
  [svc]: 71 entries, on top of 0 others at most
    duration                 9        12.9        13
    between entries         29       324.9      1186  jitter 1157
             8 to 15                71  ########################################
    interrupted         70 times: yield
    interrupted          1 time: main
  [pend_sv]: 91 entries, on top of 0 others at most
    duration                22        22.5        23
    between entries         43       252.4       694  jitter 651
    91 times pending when another one ended
    3 times pending when another one ended
    This trace has no cycles: times are instructions, and latencies cannot be
  $ record nested nested-r4 --core cortex-r4 --cycle-accurate --interrupt irq@500/97
  $ etm exceptions nested --format jsonl >exceptions
  $ sum exception sum_starts exceptions; sum exception starts exceptions
  91
  26
  $ etm decode nested --level instructions --format jsonl | awk '/"k":"exception"/ { began = 1 }
  > /"k":"insn"/ && began { sub(/.*"cycles":/, ""); n += $0; began = 0 } END { print n }' => 91
  $ record a9 tasks-a9 --core cortex-a9 --cycle-accurate --context-id 4 --interrupt irq@500/97
  $ etm exceptions a9 | grep '^  start of handler\|PFT counts'
    When an exception became pending is not in the trace, and PFT counts the
  $ record stamps nested-r4 --core cortex-r4 --etm v3.5 --cycle-accurate --timestamps --interrupt irq@500/97
  $ etm exceptions stamps --merge --format jsonl | grep -o '"name":"[^"]*"\|"unit.*' | paste -sd' '
  "name":"[irq]" "unit":"cycles","durations":[0,0,0,0,0,0,12],"interrupted":[{"name":"print_value","n":5},{"name":"to_user","n":2},{"name":"main","n":2},{"name":"svc_handler","n":2},{"name":"bad_load","n":1}],"time":"5394"} "name":"[svc]" "unit":"cycles","durations":[0,0,0,0,0,0,9,2],"interrupted":[{"name":"call","n":10},{"name":"to_system","n":1}],"time":"5492"} "name":"[undefined]" "unit":"cycles","durations":[0,0,0,0,0,1],"interrupted":[{"name":"bad_instruction","n":1}],"time":"6375"} "name":"[data_abort]" "unit":"cycles","durations":[0,0,0,0,0,1],"interrupted":[{"name":"bad_load","n":1}],"time":"6449"} "name":"[prefetch_abort]" "unit":"cycles","durations":[0,0,0,0,0,1],"interrupted":[{"name":"bad_jump","n":1}],"time":"6485"}

== inlined_functions_are_between_their_callers_and_callees
need emulator
  $ record cycles inlined-a9 --core cortex-a9 --cycle-accurate
  > record inlined inlined-m3 --core cortex-m3
  $ views=--inlined; adds_up cycles; adds_up inlined
       10 9143
        4 13763
       11 9134
  $ sed 's/ [0-9]*$//' folded
  _start
  _start;main
  _start;main;filter
  _start;main;filter;both (inlined)
  _start;main;filter;both (inlined);limit (inlined)
  _start;main;filter;mean (inlined)
  _start;main;filter;mean (inlined);divide
  _start;main;print_value (inlined)
  _start;main;print_value (inlined);print (inlined);semihost (inlined)
  $ profile inlined --format jsonl >plain; sum function self plain; grep '"inlined":true' plain
  9134
  [1]
  $ grep '"name":"limit (inlined)"' jsonl | grep -o '"inlined":true.*"calls":[0-9]*'
  "inlined":true,"self":495,"total":495,"self_cycles":null,"total_cycles":null,"calls":48
  $ etm calls inlined --inlined --function limit | grep -c 'limit (inlined)$' => 48
  $ for view in 'profile --format text' 'profile --format speedscope' 'calls --format jsonl' \
  > 'timeline --format chrome'; do etm $view inlined --inlined >several
  > etm $view inlined --inlined --jobs 1 | cmp - several; grep -c 'limit (inlined)' several; done |
  > fmt
  1 1 96 48

# Built without libiberty, they are not demangled.
== names_are_those_of_the_source
need arm-none-eabi-objcopy libiberty
  $ arm-none-eabi-objcopy --redefine-sym quick_sort=_RNvNtC6sensor4sort5quick \
  > --redefine-sym crc32=_ZN3crc4of32Ev $ELF named.elf
  $ named="$RAW --framing coresight --core cortex-m3 --image named.elf"
  $ for how in '' --no-demangle; do profile $named $how | grep -o '[^ ]*\(quick\|of32\).*'; done
  crc::of32()
  sensor::sort::quick
  _ZN3crc4of32Ev
  _RNvNtC6sensor4sort5quick
  $ etm calls $named --function sensor::sort::quick | grep -o 'sensor::sort.*' | sed -n 1p
  sensor::sort::quick {
  $ profile $named --annotate crc::of32 | grep -o 'crc.c:[0-9]*' | sed -n 1p => crc.c:5

== what_is_refused
  $ etm exceptions $M3 --inlined
  [2] --inlined is for 'etm profile', 'calls', 'timeline' and 'report' only (usage)
  $ etm profile $M3 --task-variable nosuch
  [1] --task-variable nosuch: no program of the capture has such a variable
  $ etm timeline $M3 --format text
  [2] --format text is not for 'etm timeline', 'gdb' or 'report' (usage)
  $ etm profile $M3 --by frob
  [2] --by frob: not one of function, line, file, address, task, exception, source (usage)
  $ etm profile $M3 --annotate frob => [1] --annotate frob: no such function was executed
  $ etm profile $M3 --annotate main --by line
  [2] --annotate is for --format text only, and cannot be combined with --by, --callers or --callees (usage)
  $ etm calls $M3 --depth x => [2] --depth x: not a number of callers (usage)
  $ etm profile $M3 --format folded --callers
  [2] --format folded has all functions with their callers: it cannot be combined with --by, --callers or --callees (usage)
  $ etm profile $M3 --by task --callees
  [2] --callers and --callees are those of functions: they cannot be combined with --by task (usage)
  $ etm calls $M3 --format folded => [2] --format folded is for 'etm profile' only (usage)
  $ etm --summary profile $M3
  [2] --summary is for 'etm calls' and 'diff' only (see 'etm profile --help')
  $ etm profile $M3 --stats => [2] --stats is for 'etm decode' only (usage)
