# SPDX-License-Identifier: Apache-2.0
# Threads, parts, the index and merging, from outside: whatever the work is cut into, the
# result is that of the whole.

  $ repeat() { i=0; while [ $i -lt $1 ]; do cat $2; i=$((i + 1)); done; }
  $ decode() { etm decode "$@" 2>err; }
  $ count() { printf '{"k":"count","src":0,"what":"%s","of":null,"n":%s}\n' $1 $2; }
  $ most=18446744073709551615

# Some megabytes: a demo many times over, once with damage. Headings, totals and counts go
# through all of it.
== threads_shards_parts_and_the_index
  $ check() { # CORE PROTOCOL PROFILE
  > core=$DEMO/$1; repeat 128 $core/cstrace.bin >big
  > printf 'damage in the middle of captures' >>big; repeat 128 $core/cstrace.bin >>big
  > set -- big --framing coresight --protocol $2 --profile $3 --image $core/sensor.elf \
  > $(sed -n 's/^\(ETM[A-Z0-9]*\)\((.*)\)*=\(.*\)$/--reg \1=\3/p' $core/device_1.ini)
  > for how in '--format text' '--format jsonl' '--level instructions --format jsonl' \
  > '--level instructions --source-lines' '--level instructions --cycles' '--level instructions --stats'
  > do decode "$@" $how --jobs 1 >one; mv err err1; wc -l <one
  > case $how in --format*) several='2 3 8' ;; *) several=4 ;; esac
  > for jobs in $several; do decode "$@" $how --jobs $jobs | cmp - one; cmp err err1; done; done |
  > fmt
  > decode "$@" --format jsonl >whole; decode "$@" --stats >counts
  > for parts in 1 2 7; do for i in $(seq $parts); do decode "$@" --format jsonl --shard $i/$parts
  > done | cmp - whole; done
  > for i in 1 2 3 4 5; do decode "$@" --stats --shard $i/5 >stats$i; done
  > etm merge stats1 stats2 stats3 stats4 stats5 | cmp - counts
  > echo $(grep -c '"k":"range"' whole) $(sed -n 's/.*"of":"range","n":\([0-9]*\)}/\1/p' counts)
  > decode "$@" --format jsonl --from 60% --to 61% >part; sed -n '1p;$p' part; wc -l <part # E-300
  > sed 1,2d part | grep '"k":"range"' | sed -n 1,20p >some; grep -cxFf some whole
  > decode "$@" --format jsonl --last 10K | sed -n '1p;$p'; tail -n 1 whole
  > etm index "$@" --format jsonl 2>err >index
  > etm index "$@" --format jsonl --every 100K 2>err >thin
  > echo $(wc -l <index) $(wc -l <thin) $(grep -cxFf thin index)
  > place=$(sed -n '300s/.*"pos":\([0-9]*\).*/\1/p' index)
  > decode "$@" --format jsonl --from $place --to 99% | sed -n 1p; sed -n 300p index; }
  $ check cortex-m3 etmv3 m
  1905155 1905154 5941506 8534275 6535427 449
  1810176 1810176
  {"k":"trace_on","src":16,"off":1388320,"reason":"start"}
  {"k":"end","src":16,"off":1411695}
  19126
  20
  {"k":"trace_on","src":16,"off":2303922,"reason":"start"}
  {"k":"end","src":16,"off":2314254}
  {"k":"end","src":16,"off":2314254}
  8192 23 23
  {"k":"trace_on","src":16,"off":84518,"reason":"start"}
  {"k":"sync","src":16,"off":84512,"pos":84512,"stream":78422,"reason":"periodic","addr":"0x000003a2","isa":"thumb","context_id":null,"time":null,"cycles":null}
  $ check cortex-a9 pft a
  1342210 1342209 4224001 6059010 4576514 465
  1200384 1200384
  {"k":"trace_on","src":17,"off":530801,"reason":"start"}
  {"k":"end","src":17,"off":539695}
  13777
  20
  {"k":"trace_on","src":17,"off":874407,"reason":"start"}
  {"k":"end","src":17,"off":884750}
  {"k":"end","src":17,"off":884750}
  3328 9 9
  {"k":"trace_on","src":17,"off":79495,"reason":"start"}
  {"k":"sync","src":17,"off":79489,"pos":79489,"stream":73531,"reason":"trace_on","addr":"0x600001de","isa":"thumb","context_id":0,"time":"15120","cycles":null}

# The demos count none; of several points with as many it is the last.
== a_cycle_is_found_by_threads
  $ etm=etm; . $CLI/../support/counted.sh; record_counted --framing coresight
  $ repeat 400 counted/cstrace.bin >piece; mv piece counted/cstrace.bin
  $ etm index counted --format jsonl 2>err >index
  > cycles=$(sed -n '3000s/.*"cycles":\([0-9]*\).*/\1/p' index)
  $ place=$(sed -n "s/.*\"pos\":\([0-9]*\),.*\"cycles\":$cycles}/\1/p" index | tail -1)
  $ decode counted --format jsonl --from $place --to 99% >part; wc -l <part => 115457
  $ for jobs in 1 3; do for index in '' '--index index'
  > do decode counted --format jsonl --from cyc:$cycles --to 99% --jobs $jobs $index | cmp - part
  > done; done

== what_is_refused
  $ etm decode $M3 --jobs none => [2] --jobs none: not a number from 1 to 1024 (usage)
  $ etm decode $M3 --jobs 0 => [2] --jobs 0: not a number from 1 to 1024 (usage)
  $ etm decode $M3 --from x => [2] --from x: not a number of bytes, N%, ts:N or cyc:N (usage)
  $ etm decode $M3 --shard 0/2 => [2] --shard 0/2: not of the form I/N, I from 1 to N (usage)
  $ etm decode $M3 --from 2K --to 1K => [2] --to 1K: before --from (usage)
  $ etm decode $M3 --from 50% --to 5% => [2] --to 5%: before --from (usage)
  $ etm decode $M3 --stats --cycles
  [2] --stats gives no listing: it cannot be combined with --source-lines or --cycles (usage)
  $ etm decode $M3 --shard 1/2 --to 1K
  [2] --shard 1/2: cannot be combined with --from, --to or --last (usage)
  $ etm packets $M3 --from 1K
  [2] --from is not for 'etm info', 'packets', 'index', 'split', 'gdb', 'diff' or 'top' (usage)
  $ etm decode $A9 --from ts:5 --index $M3/snapshot.ini
  [1] $M3/snapshot.ini: not an index as JSON Lines
  $ etm decode $A9 --from ts:5 --index nosuch => [1] nosuch: No such file or directory
  $ etm merge => [2] merge: no file is given (usage)
  $ etm merge $M3/snapshot.ini
  [1] $M3/snapshot.ini:1: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print
  $ etm coverage $M3 --format lcov >lcov; etm merge lcov
  [1] lcov:1: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print
  $ { count a 1; echo "x$(count a 1)"; } >lines; etm merge lines
  [1] lines:2: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print

# Each machine cuts at total * i / n, in whole numbers: 2 * 49 / 98 is 1.
== shards_without_a_byte
  $ etm decode $M3 --shard 1/1000000 --format jsonl
  ! ETM_0: --shard 1/1000000: this part is empty: there are 9040 bytes
  $ printf '\0\0' >two; etm decode two --framing none --protocol etmv3 --shard 49/98 2>err
  trace (0x00): ETMv3.5

# Lines that come in order, nearly so, or in none: those of numbers that are turned round in
# groups of so many, twice.
== lines_in_groups_add_up
  $ for group in 1 2 63 64 65 200 997; do awk -v g=$group 'BEGIN {
  >     for (k = 0; k < 1300; k++) {
  >         i = k % 1000; from = i - i % g; to = from + g < 1000 ? from + g : 1000
  >         printf "{\"k\":\"count\",\"src\":0,\"what\":\"w%04d\",", from + to - i
  >         printf "\"of\":null,\"n\":%d}\n", k
  >     } }' >lines
  > awk -F'"n":' '{ n[$1] += $2 } END { for (l in n) print l "\"n\":" n[l] "}" }' lines |
  > LC_ALL=C sort >sums; etm merge lines | cmp - sums; wc -l <sums; done => 1000 (7 times)

# Each row has three times as much; between two buffers nothing is known.
== a_buffer_three_times_counts_three_times
  $ cp -r $M3 thrice; chmod -R u+w thrice
  $ { sed -e 's/^buffers=.*/buffers=b0,b1,b2/' -e 's/^\[buffer0\]/[b0]/' -e 's/=ETB_0$/=A/' \
  > -e 's/^ETM_0=A$/ETM_0=A,B,C/' $M3/trace.ini
  > for b in 1=B 2=C; do printf '[b%s]\nname=%s\nfile=cstrace.bin\nformat=coresight\n' ${b%=*} ${b#*=}
  > done; } >thrice/trace.ini
  $ etm coverage $M3 --format jsonl >once; etm merge once once once >sums; wc -l <sums => 437
  $ for jobs in 1 2; do etm coverage thrice --format jsonl --jobs $jobs |
  > sed '/"k":"gap","src":16,"what":"off","n":2}/d' | cmp - sums; done

# E-324: numbers have 64 bits, and stay at the last of them, in order or not.
== a_sum_does_not_wrap
  $ { count a $most; count b 5; } >largest; { count a 2; count b 18446744073709551611; } >second
  $ for order in "largest second" "second largest" "largest largest second"; do etm merge $order
  > done
  {"k":"count","src":0,"what":"a","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"b","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"a","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"b","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"a","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"b","of":null,"n":18446744073709551615}
  ! a sum is too large: n of 18446744073709551615 is at least that (3 times)
  $ { count b 0; count a 0; count b 5; } >lines; etm merge largest lines
  {"k":"count","src":0,"what":"a","of":null,"n":18446744073709551615}
  {"k":"count","src":0,"what":"b","of":null,"n":10}

# Sums end as all lines do here.
== merge_reads_what_passed_through_windows
  $ { count a 1; count b 2; } >lines; sed 's/$/\r/' lines >windows
  $ printf '%s' "$(cat windows)" >cut; { printf '\357\273\277'; cat windows; } >marked
  $ for file in windows cut marked; do etm merge lines $file; done | sort | uniq -c
        3 {"k":"count","src":0,"what":"a","of":null,"n":2}
        3 {"k":"count","src":0,"what":"b","of":null,"n":4}
