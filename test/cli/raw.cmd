# SPDX-License-Identifier: Apache-2.0
# A raw file of which nothing, or little, is said: what is taken from its bytes, and what
# --core stands for; and files that are no trace at all.

  $ cp $RAW m3.bin; cp $A9/cstrace.bin a9.bin
  $ lines() { etm decode "$@" --format jsonl; }
  $ without() { sed 's/"src":[0-9]*,//'; } # of its ID a snapshot may not know
  $ lines $M3 | without >snapshot.jsonl
  $ port=$DATA/etmv1_port/port.txt

# Everything is as with the options that the line names.
== with_nothing_said_it_is_taken_from_the_bytes
  $ for file in m3.bin a9.bin
  > do image=$M3/sensor.elf; [ $file = m3.bin ] || image=$A9/sensor.elf
  > lines $file --image $image >decoded 2>said; cat said
  > options=$(sed 's/.* it is read with//' said)
  > lines $file --image $image $options | cmp - decoded; wc -l <decoded
  > lines - --image $image <$file | cmp - decoded
  > for command in packets index
  > do etm $command $file --format jsonl $options >told
  > etm $command $file --format jsonl 2>err | cmp - told; cmp err said; done; done
  etm: m3.bin: as its bytes look, it is read with --framing coresight --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  7444
  etm: a9.bin: as its bytes look, it is read with --framing coresight --protocol pft --reg ETMCR=0x3000c000
  5244
  ! standard input: as its bytes look, it is read with --framing coresight --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  ! standard input: as its bytes look, it is read with --framing coresight --protocol pft --reg ETMCR=0x3000c000
  $ lines m3.bin --image $ELF 2>err | without | cmp - snapshot.jsonl
  $ etm info m3.bin | grep 'framing'
      framing    none
      the bytes  look like frames of the CoreSight formatter: try --framing coresight

== what_is_given_is_not_taken
  $ etm packets m3.bin --protocol etmv3 --reg ETMCR=0 --reg ETMIDR=0x4114f243 | tail -n 1
      233d  p_header           9c                       EEEEEEE
  ! m3.bin: as its bytes look, it is read with --framing coresight
  $ etm packets a9.bin --protocol pft --framing coresight | sed -n 4p
        12  timestamp          42 c4 80 80 80 80 80 00  timestamp 120, value 0x00000000000044
  ! a9.bin: as its bytes look, it is read with --reg ETMCR=0x3000c000
  $ etm packets a9.bin --protocol pft --framing coresight --reg ETMCR=0x3000c000 | sed -n 4p
        12  timestamp          42 c4 80 80 80 80 80 00  timestamp 120, value 0x00000000000044

== what_leaves_it_open
  $ tail -c +4097 $ELF | head -c 750 >program; etm decode program
  [1] program: source trace (0x00) cannot be decoded: its bytes do not tell the protocol: give --core NAME or --protocol ('etm info' says more)
  $ head -c 4096 /dev/zero >zeros; etm packets zeros
  [1] zeros: source trace (0x00) cannot be decoded: all its bytes are 0x00: nothing was traced ('etm info' says more)

== a_core_says_it
  $ for core in cortex-m3 Cortex_M3 CORTEXM3
  > do lines m3.bin --core $core --image $ELF 2>err | without | cmp - snapshot.jsonl; done; cat err
  etm: m3.bin: as its bytes look, it is read with --framing coresight
  $ etm decode m3.bin --core cortex-m3 --framing coresight --image $ELF | sed -n 1p
  0x10 (0x10): ETMv3.5
  $ etm info m3.bin --core cortex-m3 --framing coresight --reg ETMIDR=0x4114f243 | grep protocol
      protocol   ETMv3.4
      try        --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  $ etm info m3.bin --core cortex-m3 --framing coresight | grep protocol
      protocol   ETMv3.5
      try        --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  $ etm packets $port --core arm7tdmi --framing port | sed -n 1p => trace (0x00): ETMv1.2
  $ etm packets $port --core arm7tdmi | sed -n 1p
  trace (0x00): ETMv1.2
  ! $DATA/etmv1_port/port.txt: as its bytes look, it is read with --framing port
  $ etm decode m3.bin --core cortex-a9 --protocol pft --framing coresight | sed -n 1p
  0x10 (0x10): PFT 1.0
  ! 0x10 (0x10): bad_packet: 8196 bytes lost in 1 place; nothing could be decoded: are protocol, registers and framing right ('etm info')?
  $ etm decode $M3 --core cortex-m3 | sed -n 1p => ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0

== a_core_that_it_cannot_be
  $ for command in info packets decode index; do etm $command m3.bin --core cortex-m33; done
  [2] --core cortex-m33: no such core ('etm configure --core list' shows them); did you mean 'cortex-m3'?
  ! --core cortex-m33: no such core ('etm configure --core list' shows them); did you mean 'cortex-m3'? (3 times)
  $ etm decode m3.bin --core cortex-m3 --protocol pft
  [2] --protocol pft: --core cortex-m3 has ETMv3.5 (usage)
  $ etm decode m3.bin --core cortex-m3 --profile a
  [2] --profile: --core cortex-m3 is of profile M (usage)
  $ etm decode m3.bin --core cortex-a9 --reg ETMIDR=0x4114f243
  [2] ETMIDR 0x4114f243: --core cortex-a9 has PFT 1.0 (usage)
  $ etm decode m3.bin --core cortex-a9
  [1] m3.bin: source 0x10 (0x10) cannot be decoded: its bytes look like ETMv3 of an M-profile processor (alternative branch encoding), not like PFT 1.0 ('etm info' says more)
  $ etm decode m3.bin --core cortex-a8
  [1] m3.bin: source 0x10 (0x10) cannot be decoded: its bytes look like ETMv3 of an M-profile processor (alternative branch encoding), not like ETMv3.3 ('etm info' says more)
  $ etm decode $M3 --core cortex-a9
  [1] $M3: --core cortex-a9: its macrocell is PFT 1.0, and ETM_0 (0x10) is another one (ETMv3.4)

# One frame of each in turn.
== frames_of_an_etm_and_an_itm
  $ frames() { # ID-BYTE: hexadecimal bytes, 14 in a line, to frames of one source
  > awk -v id=$1 '{
  >     text = id; auxiliary = 0
  >     for (i = 1; i <= 14; i++) {
  >         low = index("13579bdf", substr($i, 2)) > 0; odd = i % 2 == 0
  >         if (odd && low) auxiliary += 2 ^ (i / 2)
  >         text = text " " (odd && low ? substr($i, 1, 1) \
  >             substr("02468ace", index("13579bdf", substr($i, 2)), 1) : $i)
  >     }
  >     if (NF == 14) printf "%s %02x\n", text, auxiliary }'; }
  $ etm packets $M3 --format jsonl | sed -n 's/.*"bytes":"\([^"]*\)".*/\1/p' |
  > tr '\n' ' ' | fold -w 42 | sed -n 1,120p | frames 21 >etm.hex
  $ in_turn() { # HEX: its frames and those of the ETM, as bytes
  > paste -d '\n' etm.hex $1 | grep . | tr -d '\n' | sed 's/ //g; s/../\\x&/g' |
  > xargs -0 printf '%b'; }
  $ yes '01 41 01 42 01 43 01 44 01 45 01 46 01 47' | head -n 119 | frames 03 >itm.hex
  $ in_turn itm.hex >both.bin; head -n 1 etm.hex itm.hex
  ==> etm.hex <==
  21 00 00 00 00 00 80 08 20 7b 02 00 00 ac 86 90

  ==> itm.hex <==
  03 01 40 01 42 01 42 01 44 01 44 01 46 01 46 aa
  $ etm decode both.bin --image $ELF | grep '^0x'
  0x01 (0x01): ITM
  0x10 (0x10): ETMv3.4
  ! both.bin: as its bytes look, it is read with --source 0x01 --framing coresight --protocol itm
  ! both.bin: as its bytes look, it is read with --source 0x10 --framing coresight --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  $ etm decode both.bin --core cortex-m3 --image $ELF | grep '^0x'
  0x01 (0x01): ITM
  0x10 (0x10): ETMv3.5
  ! both.bin: as its bytes look, it is read with --source 0x01 --framing coresight --protocol itm
  ! both.bin: as its bytes look, it is read with --source 0x10 --framing coresight
  $ yes '55 aa 6c d2 b3 9b 55 e3 4c d1 a5 5a 5a 96' | head -n 119 | frames 03 >noise.hex
  $ in_turn noise.hex >noisy.bin
  $ etm decode noisy.bin --core cortex-m3 --image $ELF | grep '^0x'
  0x10 (0x10): ETMv3.5
  ! skipping 0x01 (0x01): its bytes are not ETMv3.5, as those of another source
  ! noisy.bin: as its bytes look, it is read with --framing coresight
  $ etm decode noisy.bin --protocol etmv3 --framing coresight --image $ELF | grep '^0x'
  0x01 (0x01): ETMv3.5
  0x10 (0x10): ETMv3.4
  ! noisy.bin: as its bytes look, it is read with --source 0x10 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  ! 0x01 (0x01): unsynchronized: 1666 bytes lost in 1 place; nothing could be decoded, since there is no A-sync with an I-sync after it: are protocol, registers and framing right ('etm info'), and was periodic synchronization on (ETMSYNCFR)?

# What they are, and what to do.
== files_that_are_no_trace
  $ : >empty; mkdir folder; echo 'int main(void) { return 0; }' >program.c
  $ printf '2024-05-01 12:00:01 INFO started, listening on 0.0.0.0\n%s\n' \
  > '2024-05-01 12:00:02 WARN \303\244\303\266 took 12 ms' >app.log
  $ printf '\033[32mok\033[0m 1, 2, 3\n\033[31mbad\033[0m 4, 5, 6\n' >colours.log
  $ printf '\n<!DOCTYPE html>\n<html><body>Not found</body></html>\n' >page.html
  $ printf '{"name": "trace", "values": [1, 2, 3], "more": null}\n' >some.json
  $ printf '#!/bin/sh\n# dump it\necho trace\n' >dump.sh
  $ printf 'name,value\nfirst,one\nsecond,two\n' >words.csv
  $ printf '\377\376t\000e\000x\000t\000\r\000\n\000' >wide.txt
  $ printf 'Disassembly of section .text:\n00008000 <main>:\n    8000: e1a00000   nop\n' >listing.txt
  $ printf '!<arch>\nmain.o/         0           0     0     644     4         `\n' >lib.a
  $ { printf 'm3.bin'; head -c 251 /dev/zero; printf 'ustar'; head -c 300 /dev/zero; } >m3.tar
  $ mkdir traced; cp m3.bin traced/perf.data
  $ for file in program.c app.log colours.log page.html some.json dump.sh words.csv wide.txt \
  > listing.txt lib.a m3.tar $ELF folder traced; do for how in info decode \
  > 'packets --protocol etmv3' 'index --framing coresight --protocol pft'
  > do etm $how $file; done; done 2>&1 | sort | uniq -c
        4 etm: $ELF: it is an ELF file: a program, not trace: it is for --image, beside the file with the trace
        4 etm: app.log: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: colours.log: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: dump.sh: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: folder: it is a directory without a snapshot.ini, and not one of perf: give that of a snapshot, or the file with the trace
        4 etm: lib.a: it is an archive of object files (ar), not trace
        4 etm: listing.txt: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: m3.tar: it is a tar archive: extract the trace from it (tar -xf)
        4 etm: page.html: it is a web page (HTML), not trace: was it downloaded instead of the file?
        4 etm: program.c: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: some.json: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced
        4 etm: traced: it is a directory without a snapshot.ini: give the perf.data in it
        4 etm: wide.txt: it is text in UTF-16: convert it with 'iconv -f UTF-16 -t UTF-8'
        4 etm: words.csv: it is text, neither trace nor samples of a trace port: give the file with the bytes that were traced

== an_empty_file
  $ : >empty; etm decode empty
  [1] empty: source trace (0x00) cannot be decoded: the file is empty ('etm info' says more)
  $ etm decode empty --protocol etmv3
  trace (0x00): ETMv3.5
         0  == end of trace
  ! trace (0x00): there is nothing to decode: the file is empty
  $ etm decode empty --protocol etmv3 --framing coresight => ! empty: the file is empty
  $ etm info empty
  buffer empty
      file       empty, 0 bytes
      framing    none
  source trace (0x00)
      skipped: the file is empty
      trace      0 bytes in empty
  note: empty is empty

== samples_of_a_port_are_not_any_text
  $ printf 'Time;clk;d\n;L;$1f\n"1.5 ns";H;"$0e"\n' >levels.csv
  $ printf '# a comment, of a log\n0 4 4f\n0 4 00\n' >samples.txt
  $ printf 'Time[s], D0, D1\n0.000, 0, 1\n0.001, 1, 1\n' >table.csv
  $ for file in $port levels.csv samples.txt table.csv; do etm info $file | grep 'look'; done
      the bytes  look like text or OpenOCD's samples: try --framing port (4 times)
  $ etm decode $port
  [1] $DATA/etmv1_port/port.txt: source trace (0x00) cannot be decoded: it looks like samples of a trace port: give --framing port, and --core NAME or --protocol ('etm info' says more)

# A packet that the end of a part cuts off is no damage; one that the file's end cuts off is.
== parts_end_where_they_were_asked_to
  $ for from in 0 500 3333; do for size in 90 300 301 302 303 1000 2777
  > do for how in decode 'decode --format jsonl' 'decode --stats' coverage 'decode --jobs 1'
  > do etm $how $M3 --from $from --to $((from + size)) >out; grep truncated out; [ -s out ] &&
  > echo some
  > done; done; done => some (105 times)
  $ head -c 3021 m3.bin >cut
  $ etm decode cut --core cortex-m3 --framing coresight --to 3005 --image $ELF | tail -n 1
       baf  == end of trace
  $ tail -c +8 m3.bin | head -c 400 | cat - m3.bin >wrapped # before the first synchronization
  $ etm decode wrapped --framing none --protocol etmv3 --reg ETMCR=0 --to 460
  trace (0x00): ETMv3.5
         0  !! 454 bytes lost: unsynchronized
       1cc  == end of trace
  ! trace (0x00): unsynchronized: 454 bytes lost in 1 place; nothing could be decoded, since this part has no A-sync with an I-sync after it
  $ { head -c 2000 m3.bin; head -c 300 /dev/zero | tr '\0' '\124'; tail -c +2301 m3.bin; } >damaged
  $ etm decode damaged --core cortex-m3 --framing coresight --to 3000 --image $ELF | tail -n 1
       baf  == end of trace
  ! damaged: as its bytes look, it is read with --reg ETMCR=0x00000008
  ! 0x10 (0x10): image_mismatch: 2 bytes lost in 1 place

== what_a_processor_does_not_have_is_not_shown
  $ etm decode $M3 >plain; grep -m 1 context: plain; ! grep 'Hyp\|secure' plain
         7  -- context: thumb
  $ lines $M3 | grep context | sed -n 1p
  {"k":"context","src":16,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":null,"vmid":null}
  $ etm decode $A9 >out; grep -m 1 context: out; ! grep Hyp out
         7  -- context: thumb, secure, context ID 0x00000000
  $ etm decode $M3 --cycles | cmp - plain
  ! ETM_0 (0x10): --cycles: its trace has no cycles: it is not cycle-accurate (ETMCR, bit 12)
