# SPDX-License-Identifier: Apache-2.0
# Threads, parts and the index of ETMv1 and ETMv2, with samples as text and as records:
# whatever the work is cut into, the result is that of the whole.

need emulator
  $ decode() { etm decode "$@" 2>err; }
  $ check() { # VERSION FRAMING DAMAGE TIMES: a program many times over, once with damage
  > etm record $PROGRAMS/recurse-arm926.elf -o made --etm $1 --framing $2 --data both >out 2>err
  > i=0; while [ $i -lt $4 ]; do cat made/cstrace.bin; [ $i -eq $(($4 / 2)) ] && printf "$3"
  > i=$((i + 1)); done >big; mv big made/cstrace.bin; grep format= made/trace.ini
  > for format in text jsonl; do decode made --format $format --jobs 1 >whole; mv err err1
  > for jobs in 2 5; do decode made --format $format --jobs $jobs | cmp - whole; cmp err err1; done
  > done
  > for kind in range data lost; do grep -c "\"k\":\"$kind\"" whole; done | fmt
  > for parts in 2 5; do for i in $(seq $parts); do decode made --format jsonl --shard $i/$parts
  > done | cmp - whole; done
  > decode made --stats >counts; for i in 1 2 3; do decode made --stats --shard $i/3 >stats$i; done
  > etm merge stats1 stats2 stats3 | cmp - counts
  > decode made --format jsonl --from 60% --to 63% >part; wc -l <part # E-300
  > grep '"k":"range"' part | sed -n 20,39p >some; grep -cxFf some whole
  > decode made --format jsonl --last 30K >part; wc -l <part; tail -n 1 part; tail -n 1 whole
  > etm index made --format jsonl >index 2>err
  > etm index made --format jsonl --every 100K >thin 2>err
  > echo $(wc -l <index) $(wc -l <thin) $(grep -cxFf thin index); sed -n 3p index
  > for option in '--from ts:1' '--to ts:1' '--from cyc:1'; do etm decode made $option; done
  > } # E-191
  $ points() { # places of records are bytes: a point is where decoding begins
  > for line in 3 77; do place=$(sed -n "${line}s/.*\"pos\":\([0-9]*\).*/\1/p" index)
  > decode made --format jsonl --from $place --to 99% >part; echo $place $(wc -l <part)
  > sed -n 1p part; done; }

# E-191, E-300
== samples_as_text
  $ check v1.3 port '# damage\n0 5 12\n0 1 33\n0 3 4f\n' 12
  format=trace_port
  79284 75876 1
  5073
  20
  2193
  {"k":"end","src":0,"off":333207}
  {"k":"end","src":0,"off":333207}
  300 10 10
  {"k":"sync","src":0,"off":2068,"pos":null,"stream":6204,"reason":"periodic","addr":"0x00000254","isa":"arm","context_id":null,"time":null,"cycles":null}
  [2] ETM_0: --from ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --to ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --from cyc:1: ETMv1 and ETMv2 do not store the cycles of gaps: use bytes or N%
  $ check v2.1 port '# damage\n0 5 12\n0 1 33\n0 3 4f\n' 12
  format=trace_port
  79284 75876 1
  5121
  20
  2212
  {"k":"end","src":0,"off":333159}
  {"k":"end","src":0,"off":333159}
  336 10 10
  {"k":"sync","src":0,"off":2048,"pos":null,"stream":6144,"reason":null,"addr":null,"isa":null,"context_id":null,"time":null,"cycles":null}
  [2] ETM_0: --from ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --to ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --from cyc:1: ETMv1 and ETMv2 do not store the cycles of gaps: use bytes or N%

# E-191, E-300
== samples_as_records
  $ check v1.3 none '\011\117\007\005\002\001' 24
  format=source_data
  158568 151752 1
  10350
  20
  5493
  {"k":"end","src":0,"off":1999230}
  {"k":"end","src":0,"off":1999230}
  600 20 20
  {"k":"sync","src":0,"off":6204,"pos":6204,"stream":6204,"reason":"periodic","addr":"0x00000254","isa":"arm","context_id":null,"time":null,"cycles":null}
  [2] ETM_0: --from ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --to ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --from cyc:1: ETMv1 and ETMv2 do not store the cycles of gaps: use bytes or N%
  $ points
  6204 330561
  {"k":"trace_on","src":0,"off":6204,"reason":"start"}
  253020 289158
  {"k":"trace_on","src":0,"off":253020,"reason":"start"}
  $ check v2.1 none '\011\117\007\005\002\001' 24
  format=source_data
  158569 151753 1
  10663
  20
  5487
  {"k":"end","src":0,"off":1998942}
  {"k":"end","src":0,"off":1998942}
  672 20 20
  {"k":"sync","src":0,"off":6144,"pos":6144,"stream":6144,"reason":null,"addr":null,"isa":null,"context_id":null,"time":null,"cycles":null}
  [2] ETM_0: --from ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --to ts:1: ETMv1 and ETMv2 trace no timestamps
  ! ETM_0: --from cyc:1: ETMv1 and ETMv2 do not store the cycles of gaps: use bytes or N%
  $ points
  6144 330577
  {"k":"trace_on","src":0,"off":6144,"reason":"start"}
  228072 293464
  {"k":"trace_on","src":0,"off":228072,"reason":"start"}
