#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm profile, calls, exceptions and timeline: their sums beside those of --stats, and one
# format beside the other. Speaks TAP. Usage:
#
#     views.sh ETM DEMO EMULATOR PROGRAMS SCHEMA
set -u

. "$(dirname "$0")/../support/tap.sh"
demo=$(cd "$2" && pwd) emulator=$3
programs=$(cd "$4" && pwd) schema=$(cd "$5" && pwd)
cd "$scratch" || exit 99

# The sum of the values of a key in lines of a kind.
sum() { # KIND KEY FILE
    sed -n 's/^{"k":"'"$1"'",.*"'"$2"'":\([0-9]*\)[,}].*/\1/p' "$3" |
        awk '{ n += $1 } END { printf "%d\n", n }'
}

# The number in lines of --stats.
stat() { # WHAT FILE
    sed -n 's/^{"k":"count",.*"what":"'"$1"'",.*"n":\([0-9]*\)}$/\1/p' "$2" |
        awk '{ n += $1 } END { printf "%d\n", n }'
}

views= # options of profiles
# Profiles of all kinds add up to what --stats counts.
adds_up() { # NAME ARGUMENT...
    # shellcheck disable=SC2086 # options of views, or none
    name=$1
    shift
    "$etm" decode "$@" --stats >stats 2>err &&
        "$etm" profile "$@" $views --format jsonl >functions 2>err &&
        "$etm" profile "$@" $views --format jsonl --by task >tasks 2>err &&
        "$etm" profile "$@" $views --format folded >folded 2>err &&
        "$etm" profile "$@" $views --format callgrind >callgrind 2>err &&
        "$etm" calls "$@" $views --format jsonl >calls 2>err || {
        verdict 1 "${name}_has_profiles"
        return
    }
    insns=$(stat instructions stats)
    [ "$insns" -gt 0 ] || {
        verdict 1 "${name}_has_instructions"
        return
    }
    [ "$(sum function self functions)" -eq "$insns" ] &&
        [ "$(sum total instructions functions)" -eq "$insns" ]
    verdict $? "${name}_functions_have_all_instructions"
    [ "$(sum task self tasks)" -eq "$insns" ]
    verdict $? "${name}_tasks_have_all_instructions"
    for what in address line file; do
        "$etm" profile "$@" $views --by $what --format jsonl >code 2>err
        [ "$(sum $what self code)" -eq "$insns" ]
        verdict $? "${name}_code_has_all_instructions: $what"
    done
    "$etm" profile "$@" $views --by source --format jsonl >sources 2>err
    [ "$(sum total instructions sources)" -eq "$insns" ] &&
        [ "$(sum total cycles sources)" -eq "$(stat cycles stats)" ]
    verdict $? "${name}_sources_have_all"
    "$etm" profile "$@" $views --by exception --format jsonl >exceptions 2>err
    sed -n 's/^{"k":"enter",.*"name":"\(\[[^"]*\]\)".*"flags":\["exception".*/\1/p' \
        calls | grep -v '^\[\(reset\|debug_halt\)\]$' | LC_ALL=C sort | uniq -c |
        awk '{ print $2, $1 }' >sums
    sed -n 's/.*"k":"exception".*"name":"\([^"]*\)".*"calls":\([0-9]*\),.*/\1 \2/p' \
        exceptions | grep -v '^\[\(reset\|debug_halt\)\] ' | LC_ALL=C sort >out
    cmp -s out sums
    verdict $? "${name}_exceptions_are_counted"
    [ "$(sum leave self calls)" -eq "$insns" ]
    verdict $? "${name}_calls_have_all_instructions"
    [ "$(grep -c '"k":"enter"' calls)" -eq "$(grep -c '"k":"leave"' calls)" ]
    verdict $? "${name}_what_is_entered_is_left"
    sed -n 's/^totals: //p' callgrind >out
    awk '/^calls=/ { getline; next } /^0x/ { n += $3; m += $4 }
        END { printf "%d", n; if (m) printf " %d", m; print "" }' \
        callgrind >sums
    equal out sums && [ "$(cut -d ' ' -f 1 out)" -eq "$insns" ]
    verdict $? "${name}_callgrind_has_all_instructions"
    cycles=$(stat cycles stats)
    if [ "$cycles" -gt 0 ]; then
        [ $(($(sum file self_cycles code) + \
            $(sum total gap_cycles functions))) -eq "$cycles" ]
        verdict $? "${name}_code_and_gaps_have_all_cycles"
        [ $(($(sum function self_cycles functions) + \
            $(sum total gap_cycles functions))) -eq "$cycles" ]
        verdict $? "${name}_functions_and_gaps_have_all_cycles"
        insns=$(sum function self_cycles functions)
    else
        grep -q '"self_cycles":null' functions &&
            ! grep -q '"self_cycles":[0-9]' functions
        verdict $? "${name}_has_no_cycles"
    fi
    [ "$(awk '{ n += $NF } END { print n }' folded)" -eq "$insns" ]
    verdict $? "${name}_stacks_have_all"
}

for core in cortex-m3 cortex-a9; do
    adds_up $core "$demo/$core"
    adds_up ${core}_part "$demo/$core" --from 20% --to 70%
    "$etm" exceptions "$demo/$core" --format jsonl >exceptions 2>err
    "$etm" decode "$demo/$core" --stats >stats 2>err
    [ "$(sum exception entries exceptions)" -gt 20 ] &&
        [ "$(sum exception entries exceptions)" -eq "$(stat exception stats)" ]
    verdict $? "${core}_exceptions_are_all_there"
    # no caller but those of the tasks and of what began
    "$etm" profile "$demo/$core" --format folded 2>err | sed 's/[; ].*//' |
        LC_ALL=C sort -u >out
    printf 'clean_task\nmain\nreport_task\n' >sums
    # in the midst of set_context_id(), another task goes on
    [ $core = cortex-m3 ] || printf 'main\nset_context_id\n' >sums
    equal out sums
    verdict $? "${core}_functions_have_their_callers"
    for view in 'profile --format text' 'profile --callers --callees' \
        'profile --by exception' 'profile --by source' \
        'profile --format jsonl' 'profile --format folded' \
        'profile --format callgrind' 'profile --format speedscope' \
        'profile --format pprof' 'calls --format text' 'calls --summary' \
        'calls --format jsonl' 'exceptions --format text' \
        'exceptions --format jsonl' 'timeline' \
        'timeline --format chrome'; do
        # shellcheck disable=SC2086 # a command and its options
        "$etm" $view "$demo/$core" >several 2>err &&
            "$etm" $view "$demo/$core" --jobs 1 >one 2>err &&
            [ -s one ] && equal one several
        verdict $? "${core}_is_the_same_with_one_thread: $view"
    done
done

# Text has what JSON Lines have.
m3=$demo/cortex-m3
"$etm" profile "$m3" >text 2>err
"$etm" profile "$m3" --format jsonl >functions 2>err
sed -n 's/^{"k":"function".*"name":"\([^"]*\)".*"self":\([0-9]*\),"total":\([0-9]*\),.*/\1 \2 \3/p' \
    functions >sums
awk '$1 ~ /%$/ { print $NF, $3, $4 }' text >out
[ -s sums ] && equal sums out
verdict $? text_has_the_lines_of_jsonl
"$etm" calls "$m3" --function PendSV_Handler --depth 1 >text 2>err
[ "$(grep -c 'PendSV_Handler' text)" -eq "$(sed -n \
    's/.*"name":"PendSV_Handler".*"calls":\([0-9]*\),.*/\1/p' functions)" ] &&
    ! grep -q schedule text
verdict $? a_function_is_listed_as_often_as_it_is_called
"$etm" calls "$m3" --summary --depth 1 >text 2>err
[ "$(awk 'NR > 2 && NF == 4 { n += $1 } END { print n }' text)" -eq \
    "$(sum total instructions functions)" ]
verdict $? a_summary_has_everything_at_its_first_level
"$etm" profile "$m3" --callees --format jsonl >edges 2>err
grep -q '"caller":"PendSV_Handler","callee":"schedule",.*"calls":91}' edges
verdict $? callers_are_told

# Columns of annotated code: how often it ran, its address.
code='$0 ~ / 0000[0-9a-f]+  / { for (i = 2; $i !~ /^0000/;) i++ }'
"$etm" profile "$m3" --annotate PendSV_Handler >text 2>err
[ "$(awk "$code i { n += \$1; i = 0 } END { print n }" text)" -eq "$(sed -n \
    's/.*"name":"PendSV_Handler".*"self":\([0-9]*\),.*/\1/p' functions)" ] &&
    grep -q '[0-9] .*board.c:87' text && [ "$(wc -l <text)" -gt 10 ]
verdict $? instructions_have_what_their_function_has
"$etm" profile "$m3" --annotate ring_put >text 2>err
grep -Eq '^ +never +000004ac ' text && grep -Eq '^ +46 +00000490 ' text &&
    grep -Eq '^ +never .*ring.c:9 ' text && grep -Eq '^ +46 .*ring.c:6 ' text
verdict $? code_that_has_not_run_says_so
# a table of addresses is no code
"$etm" profile "$m3" --annotate formula_run >text 2>err
! grep -Eq ' 0000040[0-9a-f]  | 0000041' text && grep -q ' 00000420 ' text
verdict $? data_within_a_function_are_left_out
[ "$(awk "$code i == 4 { m++; if (\$1 == \$2 + \$3) n++ } { i = 0 }
    END { print (n == m && m > 1) }" text)" -eq 1 ] &&
    "$etm" profile "$m3" --by address --format jsonl >code 2>err &&
    grep -q '"addr":"0x00000498".*"passed":0,"failed":46}' code &&
    grep -q '"addr":"0x00000490".*"passed":null,"failed":null}' code
verdict $? conditions_that_passed_and_failed_are_counted

# Code without symbols has a function's address for a name.
arm-none-eabi-objcopy -S "$m3/sensor.elf" bare.elf 2>err ||
    cp "$m3/sensor.elf" bare.elf
"$etm" profile "$m3/cstrace.bin" --framing coresight --core cortex-m3 \
    --image bare.elf --annotate 0x490 >text 2>err
grep -Eq '^ +46 +00000490 ' text && grep -Eq '^ +46 +000004aa ' text &&
    ! grep -q ' 000004b0 ' text
verdict $? a_function_without_a_symbol_is_annotated_by_its_address

# Callgrind's lines are those of --by line; calls cost what they cost where
# they are made.
"$etm" profile "$m3" --format callgrind >callgrind 2>err
"$etm" profile "$m3" --by line --format jsonl >lines 2>err
awk '/^f[li]=/ { file = substr($0, 4) } /^calls=/ { getline; next }
    /^0x/ && $2 != 0 { n[file ":" $2] += $3 }
    END { for (line in n) print line, n[line] }' callgrind | LC_ALL=C sort >sums
sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\),"self":\([0-9]*\),.*/\1:\2 \3/p' \
    lines | LC_ALL=C sort >out
[ "$(wc -l <out)" -gt 100 ] && equal sums out
verdict $? callgrind_has_the_cost_of_each_line
[ "$(awk '/^fn=/ { in_main = $0 == "fn=main" } /^cfn=/ { callee = $0 }
    in_main && callee == "cfn=task_init" && /^calls=/ {
        getline; print $1, $2, $3 }' callgrind | tr '\n' ,)" = \
    '0x282 135 6,0x28c 136 6,' ]
verdict $? callgrind_has_the_cost_of_each_call
name=callgrind_annotate_agrees
if command -v callgrind_annotate >/dev/null; then
    callgrind_annotate --threshold=100 --auto=no callgrind >text 2>err
    tr -d , <text | sed -n \
        's/^ *\([0-9]*\) (.*)  .*:\([^ :]*\) \[.*\]$/\2 \1/p' | LC_ALL=C sort >out
    sed -n 's/.*"k":"\(function\|exception\)".*"name":"\([^"]*\)".*"self":\([1-9][0-9]*\),.*/\2 \3/p' \
        functions | LC_ALL=C sort >sums
    [ "$(sed -n 's/^\([0-9,]*\) .*PROGRAM TOTALS/\1/p' text | tr -d ,)" -eq \
        "$(sum total instructions functions)" ] && equal out sums
    verdict $? $name
else
    n=$((n + 1))
    echo "ok $n - $name # SKIP no callgrind_annotate (of Valgrind)"
fi

# Other programs read them.
"$etm" profile "$m3" --format pprof >pprof 2>err && gzip -dc <pprof >message &&
    grep -q quick_sort message
verdict $? pprof_is_compressed
if command -v python3 >/dev/null; then
    "$etm" profile "$m3" --format speedscope >speedscope 2>err
    python3 - "$(sum total instructions functions)" <<'END' >out 2>&1
import json, sys
file = json.load(open('speedscope'))
frames = [f['name'] for f in file['shared']['frames']]
for p in file['profiles']:
    assert len(p['samples']) == len(p['weights']) > 10
    assert sum(p['weights']) == p['endValue'] == int(sys.argv[1])
    assert all(frames[i] for s in p['samples'] for i in s)
assert 'quick_sort' in frames
# its file-format-schema
assert file['$schema'] == 'https://www.speedscope.app/file-format-schema.json'
assert set(file) <= {'$schema', 'shared', 'profiles', 'name', 'exporter',
                     'activeProfileIndex'}
for f in file['shared']['frames']:
    assert set(f) <= {'name', 'file', 'line', 'col'} and f['name']
for p in file['profiles']:
    assert set(p) == {'type', 'name', 'unit', 'startValue', 'endValue',
                      'samples', 'weights'}
    assert p['type'] == 'sampled' and p['unit'] == 'none'
    assert all(isinstance(w, int) and w >= 0 for w in p['weights'])

def fields(data):
    at = 0
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]; at += 1
            value |= (byte & 0x7f) << shift; shift += 7
            if byte < 0x80:
                return value
    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            n = varint(); yield tag >> 3, data[at:at + n]; at += n

message = list(fields(open('message', 'rb').read()))
strings = [v for f, v in message if f == 6]
functions = [dict(fields(v)) for f, v in message if f == 5]
samples = [list(fields(v)) for f, v in message if f == 2]
assert strings[0] == b'' and b'quick_sort' in [strings[f[2]] for f in functions]
assert sum(v for s in samples for f, v in s if f == 2) == int(sys.argv[1])
ids = {f[1] for f in functions}
assert all(v in ids for s in samples for f, v in s if f == 1)
for name in ('calls', 'functions', 'edges', 'exceptions'):
    for line in open(name):
        json.loads(line)
END
    verdict $? speedscope_and_pprof_have_all_instructions
    "$etm" timeline "$m3" --format chrome >timeline 2>err
    python3 - "$(sum total instructions functions)" <<'END' >out 2>&1
import json, sys
stacks, last, drawn = {}, {}, {}
for e in json.load(open('timeline'))['traceEvents']:
    track = e['tid']
    if e['ph'] == 'M':
        drawn[track] = e['args']['name']
        continue
    assert drawn[track] and float(e['ts']) >= last.get(track, 0)
    last[track] = float(e['ts'])
    if e['ph'] == 'B':
        stacks.setdefault(track, []).append(e['name'])
    elif e['ph'] == 'E':
        stacks[track].pop()
assert not any(stacks.values()) and len(stacks) >= 5
assert max(last.values()) * 1000 == int(sys.argv[1])
assert 'exceptions' in drawn.values() and 'task 2' in drawn.values()
END
    verdict $? slices_are_nested_and_in_the_order_of_time
    # there, timestamps count instructions
    "$etm" timeline "$demo/cortex-a9" --format chrome >timeline 2>err
    "$etm" profile "$demo/cortex-a9" --by source --format jsonl >sums 2>err
    python3 - "$(sum total instructions sums)" <<'END' >out 2>&1
import json, sys
insns = int(sys.argv[1])
times = [float(e['ts']) * 1000 for e in json.load(open('timeline'))['traceEvents']
         if e['ph'] != 'M']
assert min(times) > 0 and abs(max(times) - min(times) - insns) < insns / 50
END
    verdict $? time_is_that_of_timestamps
else
    for name in speedscope_and_pprof_have_all_instructions \
        slices_are_nested_and_in_the_order_of_time time_is_that_of_timestamps; do
        n=$((n + 1))
        echo "ok $n - $name # SKIP no python3"
    done
fi
name=perfetto_reads_what_is_written
if command -v protoc >/dev/null; then
    "$etm" timeline "$m3" -o timeline >out 2>err &&
        protoc --decode=perfetto.protos.Trace -I "$schema" \
            "$schema/track_event.proto" <timeline >packets 2>err
    # a number instead of a name is a field that the schema has not
    [ -s packets ] && ! grep -q '^ *[0-9][0-9]*[:{ ]' packets &&
        [ "$(grep -c TYPE_SLICE_BEGIN packets)" -eq \
            "$(grep -c TYPE_SLICE_END packets)" ] &&
        grep -q 'name: "PendSV_Handler"' packets
    verdict $? $name
else
    n=$((n + 1))
    echo "ok $n - $name # SKIP no protoc"
fi

# Every protocol, with and without cycles, data, and parts that are not traced.
while read -r name program options; do
    [ "$emulator" = True ] || [ "$emulator" = true ] || break
    # shellcheck disable=SC2086
    "$etm" record "$programs/$program.elf" -o "$name" $options >out 2>err
    adds_up "$name" "$name"
done <<'END'
etmv1 recurse-arm7tdmi --core arm7tdmi
etmv1_cycles nested-arm7tdmi --core arm7tdmi --cycle-accurate --interrupt irq@500/97
etmv1_data moves-arm926 --core arm926ej-s --data both
etmv2 recurse-arm926 --core arm1020e
etmv2_cycles nested-arm926 --core arm1020e --cycle-accurate --interrupt irq@500/97
etmv3_m nested-m3 --core cortex-m3
etmv3_cycles nested-r4 --core cortex-r4 --cycle-accurate --interrupt irq@500/97
etmv3_data moves-r4 --core cortex-r4 --data both
pft recurse-a9 --core cortex-a9
pft_cycles nested-a9 --core cortex-a9 --cycle-accurate --interrupt irq@500/97
END

# With cycles, and a task variable that is traced.
if [ "$emulator" = True ] || [ "$emulator" = true ]; then
    "$etm" record "$programs/tasks-m3.elf" --core cortex-m3 -o m3 >out 2>err
    adds_up tasks m3
    "$etm" record "$programs/tasks-a9.elf" --core cortex-a9 --cycle-accurate \
        --context-id 4 --interrupt irq@500/97 -o a9 >out 2>err
    adds_up contexts a9
    "$etm" record "$programs/tasks-a9.elf" --core cortex-r4 --data both \
        --interrupt irq@500/97 -o r4 >out 2>err
    "$etm" profile r4 --by task --task-variable current --format jsonl >out \
        2>err
    for value in 0 1 2 3; do
        grep -q "\"value\":$value," out || echo "$value" >>missing
    done
    [ ! -s missing ]
    verdict $? a_variable_tells_the_tasks
fi

# What is pending when another exception ends, and the entry of a handler.
"$etm" exceptions "$m3" >text 2>err
grep -q '^  91 times pending when another one ended$' text &&
    grep -q '^  3 times pending when another one ended$' text &&
    grep -q 'no cycles: .* latencies cannot be' text &&
    ! grep -q 'start of handler' text
verdict $? tail_chained_exceptions_were_pending
if [ "$emulator" = True ] || [ "$emulator" = true ]; then
    "$etm" record "$programs/nested-r4.elf" --core cortex-r4 --cycle-accurate \
        --interrupt irq@500/97 -o nested >out 2>err
    "$etm" exceptions nested --format jsonl >exceptions 2>err
    "$etm" decode nested --level instructions --format jsonl >insns 2>err
    # the instruction behind each exception has its cycles
    [ "$(sum exception sum_starts exceptions)" -eq "$(awk '
        /"k":"exception"/ { began = 1 }
        /"k":"insn"/ && began { sub(/.*"cycles":/, ""); n += $0; began = 0 }
        END { print n }' insns)" ] &&
        [ "$(sum exception starts exceptions)" -eq 26 ]
    verdict $? handlers_start_after_so_many_cycles
    "$etm" exceptions a9 >text 2>err && ! grep -q '^  start of handler' text &&
        grep -q 'PFT counts' text
    verdict $? pft_does_not_tell_when_handlers_start
    "$etm" record "$programs/nested-r4.elf" --core cortex-r4 --etm v3.5 \
        --cycle-accurate --timestamps --interrupt irq@500/97 -o stamps >out 2>err
    "$etm" exceptions stamps --merge --format jsonl >exceptions 2>err &&
        [ ! -s err ] && grep -q '"name":"\[irq\]".*"first":"[0-9]*".*"unit":"cycles".*"time":"[0-9]*"}$' exceptions &&
        ! grep -q '"time":null' exceptions
    verdict $? exceptions_with_cycles_have_times_too
fi

# Functions that are inlined.
if [ "$emulator" = True ] || [ "$emulator" = true ]; then
    "$etm" record "$programs/inlined-a9.elf" --core cortex-a9 \
        --cycle-accurate -o inlined_cycles >out 2>err
    "$etm" record "$programs/inlined-m3.elf" --core cortex-m3 -o inlined >out \
        2>err
    views=--inlined
    adds_up inlined_cycles inlined_cycles
    adds_up inlined inlined
    views=
    printf '%s\n' '_start' '_start;main' '_start;main;filter' \
        '_start;main;filter;both (inlined)' \
        '_start;main;filter;both (inlined);limit (inlined)' \
        '_start;main;filter;mean (inlined)' \
        '_start;main;filter;mean (inlined);divide' \
        '_start;main;print_value (inlined)' \
        '_start;main;print_value (inlined);print (inlined);semihost (inlined)' \
        >sums
    sed 's/ [0-9]*$//' folded >out
    equal sums out
    verdict $? inlined_functions_are_between_their_callers_and_callees
    "$etm" profile inlined --format jsonl >plain 2>err
    [ "$(sum function self plain)" -eq "$(sum function self functions)" ] &&
        grep -q '"name":"limit (inlined)",.*"inlined":true,.*"calls":48,' \
            functions && ! grep -q '"inlined":true' plain
    verdict $? inlined_functions_are_marked
    "$etm" calls inlined --inlined --function limit >text 2>err
    [ "$(grep -c 'limit (inlined)$' text)" -eq 48 ]
    verdict $? an_inlined_function_is_found_by_its_name
    for view in 'profile --format text' 'profile --format speedscope' \
        'calls --format jsonl' 'timeline --format chrome'; do
        # shellcheck disable=SC2086 # a command and its options
        "$etm" $view inlined --inlined >several 2>err &&
            "$etm" $view inlined --inlined --jobs 1 >one 2>err &&
            grep -q 'limit (inlined)' one && equal one several
        verdict $? "inlined_is_the_same_with_one_thread: $view"
    done
fi

# Names of C++ and Rust.
name=names_are_those_of_the_source
if arm-none-eabi-objcopy --redefine-sym quick_sort=_RNvNtC6sensor4sort5quick \
    --redefine-sym crc32=_ZN3crc4of32Ev "$m3/sensor.elf" named.elf 2>err; then
    set -- "$m3/cstrace.bin" --framing coresight --core cortex-m3 \
        --image named.elf
    "$etm" profile "$@" >text 2>err
    if grep -q 'crc::of32()$' text; then
        grep -q 'sensor::sort::quick$' text &&
            "$etm" calls "$@" --function sensor::sort::quick 2>err |
            grep -q 'sensor::sort::quick' &&
            "$etm" profile "$@" --annotate crc::of32 2>err | grep -q crc.c: &&
            "$etm" profile "$@" --no-demangle 2>err |
            grep -q '_RNvNtC6sensor4sort5quick$'
        verdict $? $name
    else # built without libiberty
        grep -q '_ZN3crc4of32Ev$' text
        verdict $? names_stay_without_libiberty
    fi
else
    n=$((n + 1))
    echo "ok $n - $name # SKIP no arm-none-eabi-objcopy"
fi

fails exceptions_are_never_inlined 2 "--inlined is for 'etm profile" \
    exceptions "$m3" --inlined
fails no_such_variable 1 'no program of the capture has such a variable' \
    profile "$m3" --task-variable nosuch
fails a_time_line_is_no_text 2 '--format text is for' \
    timeline "$m3" --format text
fails no_such_line 2 '--by frob: not one of function, line, file' \
    profile "$m3" --by frob
fails only_what_ran_is_annotated 1 'frob: no such function was executed' \
    profile "$m3" --annotate frob
fails annotations_are_text 2 'cannot be combined with --by' \
    profile "$m3" --annotate main --by line
fails a_depth_is_a_number 2 '--depth x: not a number of callers' \
    calls "$m3" --depth x
fails stacks_have_their_callers 2 'cannot be combined' \
    profile "$m3" --format folded --callers
fails tasks_have_no_callers 2 'cannot be combined with --by task' \
    profile "$m3" --by task --callees
fails formats_are_those_of_a_command 2 "folded is for 'etm profile' only" \
    calls "$m3" --format folded
fails options_are_those_of_a_command 2 "--summary is for 'etm calls' only" \
    --summary profile "$m3"
fails counts_are_those_of_decode 2 "--stats is for 'etm decode' only" \
    profile "$m3" --stats
echo "1..$n"
