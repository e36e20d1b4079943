# SPDX-License-Identifier: Apache-2.0
# etm diff: two traces that are the same, that differ in one place, in many, in length or
# in their sources; of one program, recorded in different ways.

  $ raw="--framing coresight --core cortex-m3 --reg ETMCR=0x800 --image $ELF"
  $ changed() { # FILE AT OCTAL: the capture, with another byte there
  > head -c $2 $RAW >$1; printf "\\$3" >>$1; tail -c +$(($2 + 2)) $RAW >>$1; }
  $ last() { etm diff "$@" >out; status=$?; tail -n 1 out; return $status; }
  $ at=$(etm packets $M3 --format jsonl | sed -n 's/^{"off":\([0-9]*\),.*"bytes":"90",.*/\1/p' |
  > sed -n 40p)
  $ changed one $at 210 # a P-header of other atoms
  $ changed damaged 4002 125

# The items are those of decode and packets, without the end.
== same_traces_have_no_difference
  $ etm diff $M3 $M3
  --- A: ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
  +++ B: ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
  no difference in 23210 items
  $ for level in packets ranges instructions; do last $M3 $M3 --level $level; done
  no difference in 6519 items
  no difference in 7443 items
  no difference in 23210 items
  $ for level in ranges instructions; do etm decode $M3 --level $level --format jsonl | wc -l; done
  7444
  23211
  $ etm packets $M3 --format jsonl | wc -l => 6519

# For tools that compare lines.
== lists_may_have_no_places
  $ for list in 'packets --format text' 'packets --format jsonl' 'decode --format text' \
  > 'decode --format jsonl' 'decode --level instructions --jobs 2'
  > do etm $list $M3 --no-offset >out; etm $list $M3 >want
  > case $list in
  > packets*jsonl) sed 's/"off":[0-9]*,//' want ;;
  > *jsonl) sed 's/,"off":[0-9]*//' want ;;
  > *) sed '2,$s/^ *[0-9a-f]\{1,\}  \(.*\)$/  \1/' want ;;
  > esac | cmp - out; sed -n 4p out; done
    p_header           ac                       EEEEEEEEEEE
  {"src":16,"packet":"branch_address","bytes":"87 05","address":"0x00000286","address_bits":12,"isa":null,"exception":null,"can":null,"ns":null,"alt_isa":null,"hyp":null,"resume":null,"cycle_count":null}
    0000027a-00000286     5  > call     <main>
  {"k":"range","src":16,"start":"0x00000150","end":"0x00000164","isa":"thumb","n":6,"last":{"addr":"0x00000162","type":"indirect","exec":true,"link":false,"return":true},"cycles":null}
   <main>:
  $ etm decode $M3 --stats --no-offset => [2] --no-offset is for listings (usage)
  $ etm packets $M3 --format vcd --no-offset => [2] --no-offset is for text and jsonl only (usage)

== captures_may_be_of_different_kinds
  $ etm split $M3 -o bytes >out
  $ last $M3 bytes/ETM_0.bin --b-core cortex-m3 --b-image $ELF --b-framing=none --b-reg ETMCR=0x800
  no difference in 23210 items
  $ last --a-framing coresight --a-core cortex-m3 --a-reg ETMCR=0x800 --a-image $ELF - $M3 <$RAW
  no difference in 23210 items
  $ last $raw $RAW $RAW => no difference in 23210 items

== one_difference_is_found
  $ etm diff $raw $RAW one --level packets
  --- A: 0x10 (0x10): ETMv3.5
  +++ B: 0x10 (0x10): ETMv3.5
  @@ -1607 at 927 +1607 at 927 @@
        927  p_header           84                       E
        928  branch_address     9f 0a                    address 0x0000051e <quick_sort+0x2c>
        92a  p_header           c4                       EN
  -     92b  p_header           90                       EEEE
  +     92b  p_header           88                       EE
        92c  branch_address     df 09                    address 0x000004de <ascending>
        92e  p_header           90                       EEEE
        930  branch_address     af 0a                    address 0x0000052e <quick_sort+0x3c>
  1 difference: 6518 items in both, 1 only in A, 1 only in B; the first begins with item 1610 of A (at 92b), 1610 of B (at 92b)
  [1]
  $ etm diff $raw $RAW one --level instructions | grep '^@@\|difference'
  @@ -5449 at 92a +5449 at 92a @@
  1 difference: 23204 items in both, 6 only in A, 1 only in B; the first begins with item 5452 of A (at 92b), 5452 of B (at 92c)
  ! B: 0x10 (0x10): 3 bytes could not be decoded, in 1 place
  $ etm diff $raw $RAW one --level packets --context 10 | grep -c '^ ' => 20
  $ etm diff $raw $RAW one --level packets --color | grep "^.\[3[12]m[-+]"
  \x1b[31m-     92b  p_header           90                       EEEE\x1b[m (esc)
  \x1b[32m+     92b  p_header           88                       EE\x1b[m (esc)
  $ last $raw $RAW one --window 256
  1 difference: 23204 items in both, 6 only in A, 1 only in B; the first begins with item 5452 of A (at 92b), 5452 of B (at 92c)
  [1] B: 0x10 (0x10): 3 bytes could not be decoded, in 1 place

# What was lost is not in B; then both are in step.
== damage_is_one_difference
  $ etm diff $raw $RAW damaged --level ranges --lines 0 >out
  [1] skipping 0x2a (0x2a): its bytes are not ETMv3.5, as those of another source
  ! B: 0x10 (0x10): 189 bytes could not be decoded, in 1 place
  $ grep '^@@\|lost:' out
  @@ -3287 at fa0 +3287 at fa0 @@
  +     fa3  !! 189 bytes lost: bad_packet
  $ etm diff $raw damaged $RAW --level ranges --lines 0 2>err >turned => [1]
  $ echo $(grep -c '^+' out) $(grep -c '^-' turned), $(grep -c '^-' out) $(grep -c '^+' turned)
  3 3, 228 228
  $ etm diff $raw $RAW damaged --level ranges --lines 5 2>err | sed -n '/^ /!p'
  --- A: 0x10 (0x10): ETMv3.5
  +++ B: 0x10 (0x10): ETMv3.5
  @@ -3287 at fa0 +3287 at fa0 @@
  -     fb0  00000178-0000018a     6  > return   <PendSV_Handler+0x14>
  -     fb1  ** exception return
  -     fb3  0000014e-00000150     1  > return   <yield+0x2>
  -     fb6  00000206-00000208     1  > branch   <clean_task+0xe>
  -     fb6  000001fa-000001fe     1  > call     <clean_task+0x2>
  -  ... and 190 more
  +     fa3  !! 189 bytes lost: bad_packet
  +    10d1  == trace on: start
  -    10b6  000003a6-000003ac     2  > branch   <crc32+0x16>
  -    10b6  0000039e-000003a6     4  - branch   <crc32+0xe>
  -    10b7  000003a6-000003ac     2  - branch   <crc32+0x16>
  -    10b8  000003ac-000003b4     3  > branch   <crc32+0x1c>
  -    10b8  000003a0-000003a6     3  - branch   <crc32+0x10>
  -  ... and 27 more
  1 difference: 7216 items in both, 227 only in A, 2 only in B; the first begins with item 3290 of A (at fb0), 3290 of B (at fa3)
  $ etm diff $raw $RAW damaged --summary
  --- A: 0x10 (0x10): ETMv3.5
  +++ B: 0x10 (0x10): ETMv3.5
  1 difference: 22462 items in both, 748 only in A, 2 only in B; the first begins with item 9956 of A (at fb0), 9956 of B (at fa3)
  [1] skipping 0x2a (0x2a): its bytes are not ETMv3.5, as those of another source
  ! B: 0x10 (0x10): 189 bytes could not be decoded, in 1 place

# The items of both, and those of a side.
== all_that_is_on_a_side_is_its_listing
  $ etm diff $raw $RAW damaged --level ranges --lines 0 --context 10000 2>err >out => [1]
  $ for side in -:$RAW +:damaged
  > do etm decode $raw "${side#?:}" 2>err | sed 1d | grep -v '== end' | cut -c 9- >want
  > grep -v '^@@\|^---\|^+++' out | sed '$d' | grep "^[ ${side%%:*}]" | cut -c 10- | cmp - want
  > wc -l <want; done
  7443
  7218

== insertions_and_cut_ends
  $ { head -c 4096 $RAW; cat $RAW; } >inserted; last $raw $RAW inserted --level packets --lines 1
  1 difference: 6519 items in both, 0 only in A, 2892 only in B; the first begins with item 2893 of A (at 1001), 2893 of B (at 1001)
  [1]
  $ head -c 6000 $RAW >cut; last $raw $RAW cut --level packets
  1 difference: 4321 items in both, 2198 only in A, 1 only in B; the first begins with item 4322 of A (at 176e), 4322 of B (at 176e)
  [1] B: 0x10 (0x10): 1 byte could not be decoded, in 1 place
  $ : >empty; last $M3 empty --b-framing none --b-protocol etmv3 --level packets
  1 difference: 0 items in both, 6519 only in A, 0 only in B; the first begins with item 1 of A (at 1), 1 of B (its end)
  [1]

# Every item is counted once; they are those of JSON Lines, in order.
== many_differences_are_all_there
  $ tr '\204' '\210' <$RAW >many
  $ for level in packets instructions
  > do etm diff $raw $RAW many --level $level --format jsonl --lines 0 2>err >out; tail -n 1 out
  > echo $(grep -c '^{"k":"a",' out) a, $(grep -c '^{"k":"b",' out) b
  > etm diff $raw many many --level $level 2>err | tail -n 1
  > sed -n '/^{"k":"b/s/.*"b":\([0-9]*\),.*/\1/p' out >numbers; sort -nu numbers | cmp - numbers
  > python3 -c 'import json; [json.loads(line) for line in open("out")]'; done
  {"k":"total","both":5737,"only_a":782,"only_b":360,"hunks":266,"first_a":15,"first_b":15}
  782 a, 360 b
  no difference in 6097 items
  {"k":"total","both":21156,"only_a":2054,"only_b":902,"hunks":322,"first_a":60,"first_b":60}
  2054 a, 902 b
  no difference in 22058 items
  $ last $M3 $A9
  1 difference: 1 item in both, 23209 only in A, 16499 only in B; the first begins with item 2 of A (at 7), 2 of B (at 12)
  [1]

== sources_that_one_side_has_are_named
  $ printf '\043\0\0\0\0\0\010\200\0\0\0\0\0\0\0\0' | cat $RAW - >more
  $ etm diff $RAW more --level packets --framing coresight --protocol etmv3
  --- A: 0x10 (0x10): ETMv3.4
  +++ B: 0x10 (0x10): ETMv3.4
  no difference in 6519 items
  only in B: 0x11 (0x11): ETMv3.5
  [1] $RAW: as its bytes look, it is read with --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  ! more: as its bytes look, it is read with --source 0x10 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  $ etm diff more $RAW --level packets --framing coresight --protocol etmv3 --format jsonl
  {"k":"sources","a":{"src":16,"name":"0x10"},"b":{"src":16,"name":"0x10"}}
  {"k":"total","both":6519,"only_a":0,"only_b":0,"hunks":0,"first_a":null,"first_b":null}
  {"k":"source","side":"a","src":17}
  [1] more: as its bytes look, it is read with --source 0x10 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  ! $RAW: as its bytes look, it is read with --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240

# As diff(1) does.
== what_is_wrong_has_status_2
  $ etm diff $M3 => [2] diff: no capture is given (usage)
  $ etm diff $M3 $M3 $M3 => [2] $M3: only two captures (usage)
  $ etm diff - - => [2] standard input cannot be both captures (usage)
  $ etm diff $M3 $M3 --ignore everything
  [2] --ignore everything: not one of timestamps, cycles, context, sync, data, exec (usage)
  $ etm diff $M3 $M3 --window 2 => [2] --window 2: not a number from 256 to 16777216 (usage)
  $ etm diff $M3 $M3 --a-level packets
  [2] --a-level: no such option (see 'etm diff --help'); did you mean '--level'?
  $ etm decode $M3 --level packets => [2] --level packets is for 'etm diff' only (usage)
  $ etm diff $M3 nowhere => [2] nowhere: cannot read the file: No such file or directory
  $ cp $RAW mine; etm diff $raw mine $RAW -o mine => [2] mine: the output would replace the trace
  $ etm diff $raw $RAW mine -o mine => [2] mine: the output would replace the trace
  $ cmp mine $RAW

# One program, recorded as two macrocells have it; PTM tells of the last instructions only if
# a waypoint comes.
== a_program_is_recorded_in_different_ways
need emulator
  $ record() { name=$1 program=$PROGRAMS/$2.elf; shift 2
  > etm record $program -o $name "$@" >out 2>err; }
  $ record seldom nested-m3 --core cortex-m3 --sync 900
  $ record often nested-m3 --core cortex-m3 --sync 200
  $ last often seldom --level packets
  1 difference: 303 items in both, 2 only in A, 0 only in B; the first begins with item 147 of A (at e8), 147 of B (at e8)
  [1]
  $ last often seldom --level packets --ignore sync => no difference in 302 items
  $ last often seldom => no difference in 1316 items
  $ record stamped nested-m3 --core cortex-m4 --timestamps
  $ last often stamped
  37 differences: 1316 items in both, 0 only in A, 57 only in B; the first begins with item 2 of A (at 7), 2 of B (at d)
  [1]
  $ last often stamped --ignore timestamps => no difference in 1316 items
  $ record plain recurse-a9 --etm pft1.1; record counted recurse-a9 --etm pft1.1 --cycle-accurate
  $ last plain counted
  1 difference: 781 items in both, 12710 only in A, 12711 only in B; the first begins with item 2 of A (at 7), 2 of B (at 7)
  [1]
  $ last plain counted --ignore cycles => no difference in 13491 items
  $ record other recurse-a9 --etm v3.4
  $ last plain other
  13 differences: 5056 items in both, 8435 only in A, 8442 only in B; the first begins with item 4 of A (at e), 4 of B (at d)
  [1]
  $ last plain other --ignore exec,context
  1 difference: 12463 items in both, 0 only in A, 6 only in B; the first begins with item 12464 of A (its end), 12464 of B (at 124b)
  [1]

# What the chip of the demo did, and what the model makes of it.
== a_recording_is_compared_with_a_model
need emulator
  $ etm record $ELF -o model --core cortex-m3 --limit 300 >out 2>err
  $ last $M3 model --lines 2
  1 difference: 2 items in both, 23208 only in A, 300 only in B; the first begins with item 3 of A (at d), 3 of B (at d)
  [1]

# Ten million elements, which need little memory.
== long_traces
need limit
  $ i=0; while [ $i -lt 430 ]; do cat $RAW; i=$((i + 1)); done >long
  $ { head -c 1000000 long; head -c 9040 /dev/zero; tail -c +1000001 long; } >longer
  $ $PEAK 256 $(command -v etm) diff $raw long long | tail -n 1 => no difference in 9979871 items
  $ $PEAK 256 $(command -v etm) diff $raw long longer --lines 2 >out
  [1] B: 0x10 (0x10): 9161 bytes could not be decoded, in 1 place
  $ tail -n 1 out
  1 difference: 9979322 items in both, 549 only in A, 2 only in B; the first begins with item 2567397 of A (at f4240), 2567397 of B (at f6590)

# A side that cannot be read to its end: what came before is compared, and the exit status
# is that of trouble.
== a_side_that_ends_in_an_error
  $ etm packets $DATA/etmv1_port --format vcd >pins.vcd; lines=$(wc -l <pins.vcd)
  $ { sed "$((lines / 2))q" pins.vcd; echo nonsense; sed "1,$((lines / 2))d" pins.vcd; } >bad.vcd
  $ etm diff pins.vcd bad.vcd --framing port --core arm7tdmi --level packets --summary
  --- A: trace (0x00): ETMv1.2
  +++ B: trace (0x00): ETMv1.2
  1 difference: 38 items in both, 40 only in A, 0 only in B; the first begins with item 39 of A (at 13), 39 of B (its end)
  [2] bad.vcd:119: nonsense: neither a time nor a value
  $ etm diff bad.vcd pins.vcd --framing port --core arm7tdmi --level packets --summary
  --- A: trace (0x00): ETMv1.2
  +++ B: trace (0x00): ETMv1.2
  1 difference: 38 items in both, 0 only in A, 40 only in B; the first begins with item 39 of A (its end), 39 of B (at 13)
  [2] bad.vcd:119: nonsense: neither a time nor a value
