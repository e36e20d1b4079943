#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# etm variables: the values of test/programs/variables.c, in every protocol with
# data trace. Speaks TAP. Usage:
#
#     variables.sh ETM PROGRAMS DEMO ELFUTILS
set -u

. "$(dirname "$0")/../support/tap.sh"
programs=$(cd "$2" && pwd) demo=$(cd "$3" && pwd) elfutils=$4
cd "$scratch" || exit 99

recorded() { # DIRECTORY PROGRAM CORE OPTION...
    directory=$1 program=$programs/variables-$2.elf core=$3
    shift 3
    "$etm" record "$program" --core "$core" -o "$directory" "$@" >out 2>err
}

# "write count = 1" of each line with --watch.
values() { # CAPTURE WATCH OPTION...
    capture=$1 names=$2
    shift 2
    "$etm" variables "$capture" --watch "$names" "$@" >listed 2>err &&
        sed -n 's/^ *[0-9-][0-9]*  \(write\|read\) *\(.*\)$/\1 \2/p' listed |
        sed 's/  [0-9a-f]\{8\}.*//' >got
}

if [ "$elfutils" != True ] && [ "$elfutils" != true ]; then
    echo '1..0 # SKIP no elfutils'
    exit
fi
watch=small,large,ratio,precise,flag,state,grid,handler,on_event::calls
watch=$watch,sensor.id,sensor.samples,sensor.offset.y,where,count,word
cat >expected <<'END'
write count = 1
write count = 2
write count = 3
write small = -3
write large = 0x????????d5fa0e00
write large = -5000000000
write ratio = 1.5
write precise = 0x????????9999999a
write precise = -0.1
write flag = true
write state = RUNNING (5)
write state = BROKEN (-1)
write sensor.id = 7
write sensor.samples[0] = 1000
write sensor.samples[1] = 1001
write sensor.samples[2] = 1002
write sensor.samples[3] = 1003
write sensor.offset.y = 100
write grid[1][2] = -12
write word.all = 0x??????11
write word.bytes[0] = 17
write word.all = 0x??33??11
write word.bytes[2] = 51
write word.all = 2864434397
write word.bytes[0] = 221
write word.bytes[1] = 204
write word.bytes[2] = 187
write word.bytes[3] = 170
write word.all = 2864390877
write word.bytes[1] = 34
write where = &count (0x00020004)
write handler = on_event (0x000000a0)
read handler = on_event (0x000000a0)
read on_event::calls = 0
write on_event::calls = 10
read handler = on_event (0x000000a0)
read on_event::calls = 10
write on_event::calls = 20
write word.all = 1153114845
write word.bytes[3] = 68
read count = 3
END
while read -r name program core etm_version; do
    # shellcheck disable=SC2086 # options, or none
    recorded "$name" "$program" "$core" --data both $etm_version &&
        values "$name" "$watch" && sed -i 's/(0x[0-9a-f]*)/(0x)/' got &&
        sed 's/(0x[0-9a-f]*)/(0x)/' expected | diff - got >out
    verdict $? "${name}_has_the_values_of_the_program"
done <<'END'
etmv1 arm7tdmi arm7tdmi
etmv2 arm926 arm926ej-s --etm v2.0
etmv3 r4 cortex-r4
END

values etmv3 sensor
grep -q '^write sensor.mode = 5$' got && grep -q '^write sensor.level = -2$' got &&
    grep -q '^read sensor.level = 0$' got
verdict $? bit_fields_have_values
values etmv3 packed && [ "$(cat got)" = "write packed.kind = 1
write packed.length = 16909060" ]
verdict $? a_word_need_not_be_aligned
values etmv3 'sensor.samples[2]' && [ "$(cat got)" = 'write sensor.samples[2] = 1002' ]
verdict $? an_element_can_be_watched
values etmv3 0x20004 && [ "$(head -1 got)" = 'write count = 1' ]
verdict $? an_address_is_called_by_its_variable
values etmv3 0x3fff8 && grep -q '^write 0x0003fff8 = 0x00000000$' got
verdict $? an_address_need_not_be_one_of_a_variable

# The bytes of a value are in the other order: CPSR.E.
recorded r4 r4 cortex-r4 --data both --log log
sed 's/\([rw][1248]\)\(+[0-9]*\)\{0,1\}:/\1b\2:/g' log >big.log
"$etm" record --execution big.log --core cortex-r4 --data both -o big >out 2>err &&
    values big word,packed --image "$programs/variables-r4.elf" &&
    cat >wanted <<'END'
write word.all = 0x11??????
write word.bytes[0] = 17
write word.all = 0x11??33??
write word.bytes[2] = 51
write word.all = 2864434397
write word.bytes[0] = 170
write word.bytes[1] = 187
write word.bytes[2] = 204
write word.bytes[3] = 221
write word.all = 2854407389
write word.bytes[1] = 34
write packed.kind = 1
write packed.length = 16909060
write word.all = 2854407236
write word.bytes[3] = 68
END
diff wanted got >out
verdict $? big_endian_data_has_its_bytes_in_their_order
# ETMv1 traces memory: its bytes are the same, and not what they mean.
values etmv1 word && grep bytes got >wanted
values etmv1 word --endian be8 && grep bytes got | diff wanted - >out &&
    grep -q '^write word.all = 0x11??????$' got
verdict $? memory_has_the_same_bytes_in_each_order

# What ran while nothing was traced may have changed anything.
"$etm" configure --core cortex-r4 --elf "$programs/variables-r4.elf" --data both \
    --exclude-function on_event -o setup >out 2>err &&
    recorded gap r4 cortex-r4 --setup setup && values gap word &&
    [ "$(tail -2 got)" = 'write word.all = 0x44??????
write word.bytes[3] = 68' ]
verdict $? nothing_is_known_behind_a_gap
# Damage is one, too: 0x66 is no packet (ETM architecture, table 7-1).
recorded lost r4 cortex-r4 --data both --sync 40 --unformatted &&
    "$etm" variables lost --watch word --format jsonl >lines 2>err
at=$(sed -n 's/.*"off":\([0-9]*\).*"word.all".*"raw":"0xaabbccdd".*/\1/p' lines)
printf '\146' | dd of=lost/cstrace.bin bs=1 seek=$((at + 6)) conv=notrunc 2>out &&
    values lost word && grep -q bad_packet err &&
    [ "$(tail -5 got)" = 'write word.bytes[3] = 170
write word.all = 0x????22??
write word.bytes[1] = 34
write word.all = 0x44??22??
write word.bytes[3] = 68' ]
verdict $? nothing_is_known_behind_damage

recorded times r4 cortex-r4 --etm v3.5 --timestamps --sync 60 --data both &&
    "$etm" variables times --watch count --format csv >out 2>err &&
    awk -F, 'NR > 1 && ($1 == "" || $1 < last || $2 != "ticks") { bad = 1 }
        { last = $1 + 0 } END { exit bad || NR != 5 }' out
verdict $? lines_have_the_times_of_timestamps
"$etm" variables times --watch count --merge >out 2>err &&
    [ "$(grep -c '^ *[0-9][0-9]*  ETM_0 [a-z]* *count = ' out)" -eq 4 ]
verdict $? lines_can_be_merged
recorded cycles r4 cortex-r4 --cycle-accurate --data both &&
    "$etm" variables cycles --watch count --format csv >out 2>err &&
    "$etm" variables cycles --watch count --format jsonl >lines 2>err && [ -s lines ] &&
    [ "$(sed 1d out | cut -d, -f1,2)" = \
        "$(sed 's/.*"at_cycles":\([0-9]*\).*/\1,cycles/' lines)" ]
verdict $? cycles_are_the_unit_if_the_source_has_some

recorded address r4 cortex-r4 --data address && values address count &&
    [ "$(sort got | uniq -c | tr -s ' ')" = ' 1 read count = ?
 3 write count = ?' ] && grep -q 'no data transfer has a value' err &&
    grep -q '^  data trace: addresses only; no value is known$' listed
verdict $? addresses_alone_tell_of_accesses
recorded value r4 cortex-r4 --data value && values value count && [ ! -s got ] &&
    grep -q 'no data transfer has an address' err &&
    grep -q '^  data trace: values only; ' listed
verdict $? values_alone_are_of_nobody
recorded none r4 cortex-r4 && "$etm" variables none >out 2>err &&
    grep -q 'no data transfers are in the trace' err && grep -q '^  no data trace$' out
verdict $? no_data_trace_is_told

"$etm" variables etmv3 --format csv >out 2>err &&
    grep -q '^3,ETM_0,count,uint32_t,1,4,1,3,1,3$' out &&
    grep -q '^4,ETM_0,sensor.samples\[\],sample_t,0,4,1000,1003,1000,1003$' out
verdict $? without_names_variables_are_counted
"$etm" variables etmv3 --format jsonl >out 2>err &&
    "$etm" decode etmv3 --format jsonl >lines 2>err &&
    [ "$(sed -n 's/.*"k":"transfers","src":16,"n":\([0-9]*\),.*/\1/p' out)" -eq \
        "$(grep -c '"k":"data"' lines)" ] &&
    grep -q '"name":"ratio","type":"float","writes":1,"reads":0,"known":1,"first":"1.5"' out
verdict $? all_transfers_are_counted
if command -v python3 >/dev/null; then
    "$etm" variables etmv3 --watch "$watch" --format jsonl >lines 2>err &&
        "$etm" variables etmv3 --watch "$watch" --format csv >table 2>err &&
        python3 - lines table >out 2>err <<'END'
import csv, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
table = list(csv.DictReader(open(sys.argv[2])))
assert len(lines) == len(table) > 30
for l, t in zip(lines, table):
    assert l['name'] == t['variable'] and l['type'] == t['type']
    assert l['raw'] == t['raw'] and l['known'] == t['known']
    assert (l['text'] or '') == t['text'] and l['function'] == t['function']
    assert (l['value'] is None) == (t['value'] == '')
    assert l['value'] is None or float(l['value']) == float(t['value'])
assert [l['value'] for l in lines if l['name'] == 'large'] == [None, -5000000000]
END
    verdict $? forms_agree
fi

# Without debug information: the symbols, and sizes.
cp "$programs/variables-r4.elf" plain.elf
if arm-none-eabi-strip -g plain.elf 2>err; then
    "$etm" record plain.elf --core cortex-r4 --data both -o plain >out 2>err
    values plain ratio,sensor,small && [ "$(head -4 got)" = \
        'write small = 0xfd
write ratio = 0x3fc00000
write sensor = 0x07
write sensor+1 = 0x05' ]
    verdict $? symbols_alone_have_raw_values
else
    n=$((n + 1))
    echo "ok $n - symbols_alone_have_raw_values # SKIP no arm-none-eabi-strip"
fi
fails no_such_field 1 '--watch sensor.nothing: no program' \
    variables etmv3 --watch sensor.nothing
fails no_such_element 1 'sensor.samples.4.: no program' \
    variables etmv3 --watch 'sensor.samples[4]'
fails sums_are_not_merged 2 '--merge is for the lines of --watch' \
    variables etmv3 --merge
fails csv_is_of_variables 2 "csv is for 'etm variables' only" \
    decode etmv3 --format csv
"$etm" variables "$demo/cortex-m3" --watch 0x20000000 >out 2>err &&
    grep -q -e '--watch 0x20000000: no transfer of it is in the trace' err
verdict $? what_is_never_seen_is_told
echo "1..$n"
