# SPDX-License-Identifier: Apache-2.0
# What the views show of an ITM and a DWT (E-626), and sigrok's decoder beside ours.

  $ repeat() { i=0; while [ $i -lt $1 ]; do printf "$2"; i=$((i + 1)); done; }
  $ {
  > # Twenty times: "Hi", a sample, SysTick with irq0 on top of it, sleep, counters.
  > printf '\0\0\0\0\0\200'; repeat 20 '\001H\001i\001\n\300\012\027\020\002\0\010\300\005'\
  > '\016\017\020\300\007\016\020\020\300\003\016\020\040\300\004'\
  > '\016\017\060\300\001\016\017\040\300\006\016\0\060\300\002\025\0\005\041'; } >itm

# E-626
== samples_are_a_profile_and_so_is_sleep
  $ etm profile itm --protocol itm
  trace (0x00): ITM
     share   samples  function
    50.00%        20  0x08000210
    50.00%        20  [sleeping]
  40 samples of the program counter
   (esc)
  $ etm profile itm --protocol itm --format jsonl
  {"k":"function","src":0,"name":"0x08000210","addr":"0x08000210","samples":20}
  {"k":"total","src":0,"samples":20,"sleeping":20,"prohibited":0}
  $ etm profile itm --protocol itm --format folded => 0x08000210 20
  $ etm profile itm --protocol itm --by line
  ! trace: an ITM traces no instructions; samples of its DWT have a profile by function, as text, jsonl or folded
  $ etm profile itm --protocol itm --format pprof -o pprof
  ! trace: an ITM traces no instructions; samples of its DWT have a profile by function, as text, jsonl or folded
  $ etm decode itm --protocol itm --jobs 1 >one; etm decode itm --protocol itm --jobs 4 | cmp - one

# E-626
== the_time_line_has_lines_samples_and_exceptions
  $ etm timeline itm --protocol itm --format chrome | sed -n 8,16p
  {"ph":"i","pid":1,"tid":1,"ts":0.010,"name":"0: Hi","s":"t"},
  {"ph":"i","pid":1,"tid":4,"ts":0.015,"name":"0x08000210","s":"t"},
  {"ph":"B","pid":1,"tid":2,"ts":0.022,"name":"[sys_tick]"},
  {"ph":"B","pid":1,"tid":2,"ts":0.025,"name":"[irq0]"},
  {"ph":"E","pid":1,"tid":2,"ts":0.029},
  {"ph":"E","pid":1,"tid":2,"ts":0.036},
  {"ph":"i","pid":1,"tid":4,"ts":0.048,"name":"sleeping","s":"t"},
  {"ph":"i","pid":1,"tid":5,"ts":0.048,"name":"cpi","s":"t"},
  {"ph":"i","pid":1,"tid":5,"ts":0.048,"name":"cyc","s":"t"},
  $ printf '\0\0\0\0\0\200\116\020\040\217\104\063\042\021\300\015' >match # of a comparator
  $ etm timeline match --protocol itm --watch 0x20002010 --format chrome | grep 0x20002010
  {"ph":"M","pid":1,"tid":260,"name":"thread_name","args":{"name":"0x20002010"}},
  {"ph":"C","pid":1,"tid":260,"ts":0.013,"name":"0x20002010","args":{"value":287454020}}]}

== a_name_is_written_once
  $ { printf '\0\0\0\0\0\200'; for times in 1 2; do for i in $(seq 16 215)
  > do printf "\\016\\$(printf %03o $i)\\020\\300\\001"; done; done; } >many
  $ etm timeline many --protocol itm -o perfetto; grep -ao '\[irq[0-9]*\]' perfetto | wc -l => 200

# Exceptions are where their packets are; so they are with global timestamps alone.
== without_timestamps_packets_are_counted
  $ { printf '\0\0\0\0\0\200'; repeat 90 '\001\n\016\017\020\001\200\016\017\040\016\0\060'
  > } >counted
  $ etm timeline counted --protocol itm --format chrome >out; sed -n 8,9p out
  {"ph":"i","pid":1,"tid":1,"ts":0.003,"name":"0: 0x80","s":"t"},
  {"ph":"i","pid":1,"tid":1,"ts":0.008,"name":"0: 0x80","s":"t"},
  $ awk -F '[:,]' '/"ph":"[BE]","pid":1,"tid":2/ { n++
  >     want = 5 * int((n - 1) / 2) + (n % 2 ? 2 : 4)
  >     if (($2 == "\"B\"") != n % 2 || int(1000 * $8 + 0.5) != want) print }
  > /"tid":1,"ts"/ { marks++
  >     if (int(1000 * $8 + 0.5) != 5 * (marks - 1) + 3) print }
  > END { print n, marks }' out => 180 90
  $ { cat counted; printf '\224\350\207\200\0\264\201\200\200\0'
  > cat counted; printf '\224\350\217\200\0\264\201\200\200\0'; } >global
  $ etm timeline global --protocol itm --format chrome |
  > awk -F '[:,]' '/"ph":"[BE]","pid":1,"tid":2/ { n++
  >     if (($2 == "\"B\"") != n % 2 || $8 < last) print
  >     last = $8 }
  > END { print n }' => 360

# Decoding can begin with each synchronization; a global timestamp is its time, of which the
# low bits come alone then, until they have wrapped.
== an_index_has_the_synchronizations
  $ for i in 1 2 3 4 5 6 7; do printf '\0\0\0\0\0\200\001H\001i'
  > [ $i -ne 2 ] || printf '\224\200\200\200\001\264\201\200\200\0'
  > [ $i -lt 3 ] || printf "\\224\\00$i"
  > [ $i -ne 6 ] || printf '\224\201\200\200\100\264\202\200\200\0'; done >stamped
  $ etm index stamped --protocol itm --format jsonl >index; sed 's/"k.*"off"//
  > s/"stream.*"time"//' index
  {:0,"pos":0,:null,"cycles":null}
  {:10,"pos":10,:null,"cycles":null}
  {:30,"pos":30,:"69206016","cycles":null}
  {:42,"pos":42,:"69206019","cycles":null}
  {:54,"pos":54,:"69206020","cycles":null}
  {:66,"pos":66,:"69206021","cycles":null}
  {:88,"pos":88,:"134217729","cycles":null}
  $ etm decode stamped --protocol itm --format jsonl >whole
  $ for from in 54 66 ts:69206020 'ts:69206020 --index index'; do # low bits alone are no time
  > etm decode stamped --protocol itm --format jsonl --from $from | grep -v timestamp >part
  > grep -v timestamp whole | tail -n $(wc -l <part) | cmp - part; wc -l <part; done | fmt
  7 5 7 7

# Packet by packet. After a pause, in which arm_itm shows the characters that it has, is an
# overflow. It knows no global timestamps and extensions, whose bytes it takes for packets,
# and ends with an error at a sample of a processor that sleeps: these are cut out.
== sigroks_decoder_agrees
need sigrok-cli $ETM_SHARED/captures/stm32f105/trace.tpiu $ETM_SHARED/captures/itm/itm_testdata.bin
  $ uart() { # bytes to a value change dump, 10 ns a bit
  > echo '$timescale 1 ns $end $var wire 1 ! SWO $end $enddefinitions $end'
  > od -An -v -tu1 | tr -s ' ' '\n' | awk '
  >     function drive(value) {
  >         if (value != level) printf "#%d %d!\n", t, value
  >         level = value; t += 10
  >     }
  >     BEGIN { print "#0 1!"; level = 1; t = 100 }
  >     function send(byte) { drive(0)
  >         for (i = 0; i < 8; i++) drive(int(byte / 2 ^ i) % 2)
  >         drive(1) }
  >     NF { send($1) }
  >     END { t += 5000; send(112); t += 1000; drive(0) }'; }
  $ agrees() { # STREAM PACKETS
  > uart <$1 >swo.vcd
  > sigrok-cli -i swo.vcd -P uart:rx=SWO:baudrate=100000000,arm_itm -A arm_itm >annotations
  > tail -n 1 annotations; sed '$d' annotations >told
  > python3 $CLI/sigrok_itm.py sigrok told >theirs
  > python3 $CLI/sigrok_itm.py etm $2 | diff theirs -; wc -l <theirs; }
  $ etm split $ETM_SHARED/captures/stm32f105/trace.tpiu --framing tpiu -o streams >out 2>err
  $ etm packets streams/0x01.bin --protocol itm --format jsonl >packets
  > agrees streams/0x01.bin packets
  arm_itm-1: Overflow
  531
  $ etm packets $ETM_SHARED/captures/itm/itm_testdata.bin --protocol itm --format jsonl 2>err >packets
  $ python3 $CLI/sigrok_itm.py known packets known.bin => 64
  $ agrees known.bin packets
  arm_itm-1: Overflow
  53
  $ sed '/"state":"sleeping"/,$d' packets >some; python3 $CLI/sigrok_itm.py known some known.bin
  25
  $ agrees known.bin some
  arm_itm-1: Overflow
  18
