# SPDX-License-Identifier: Apache-2.0
# An SWO pin as a logic analyser sees it (E-623, E-624).

  $ changes() { # FORM: bytes to changes of a pin with 125 units a bit
  > od -An -v -tu1 | tr -s ' ' '\n' | awk -v form=$1 -v bad=${bad:-0} '
  >     function drive(value) {
  >         if (value != level) {
  >             if (form == "vcd") printf "#%d %d!\n", t, value
  >             else printf "%.9f,%d,0\n", (t - 2000) / 1e9, value
  >         }
  >         level = value; t += 125
  >     }
  >     BEGIN { t = 1000; level = 1
  >         if (form == "vcd") print "#0 1!"
  >         else print "Time [s],SWO,Channel 1\n-0.000002000,1,0" }
  >     NF { drive(0)
  >         for (i = 0; i < 8; i++) drive(int($1 / 2 ^ i) % 2)
  >         drive(++n != bad); drive(1); if (n != bad) t -= 125 }'; }
  $ pin() { # NAME
  > printf "\$timescale 1 ns \$end\n\$var wire 1 ! $1 \$end\n\$enddefinitions \$end\n"; }
  $ repeat() { i=0; while [ $i -lt $1 ]; do printf "$2"; i=$((i + 1)); done; }
  $ { printf '\0\0\0\0\0\200'; repeat 30 '\001\110\001\151\027\030\002\0\010\300\007'; } >itm
  $ repeat 60 '\377\377\377\177\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002' >frames
  $ { pin SWO; changes vcd <itm; } >itm.vcd
  $ { pin SWO; changes vcd <frames; } >tpiu.vcd
  $ same() { rm -rf bytes; etm split "$@" -o bytes >out 2>err; cmp bytes/trace.bin itm; }

# E-623
== a_dump_of_swo_is_recognized
  $ etm info itm.vcd | grep swo =>     the bytes  look like a dump of an SWO pin: try --framing swo
  $ etm info itm.vcd --framing swo
  buffer itm.vcd
      file       itm.vcd, 336 bytes
      framing    none
  source trace (0x00)
      protocol   ITM
      traces     stimulus ports, packets of the DWT
      trace      336 bytes in itm.vcd, 121 packets, 1 synchronization packet
  note: itm.vcd: SWO is read at 8000000 baud
  $ etm decode itm.vcd | sed -n '1,6p;$p'
  trace (0x00): ITM
         6       port 0 = 48  "H"
         8       port 0 = 69  "i"
         a       pc 08000218
         f  -- local timestamp 7 (+7)
        11       port 0 = 48  "H"
       150  == end of trace
  ! itm.vcd: as its bytes look, it is read with --protocol itm
  $ same itm.vcd --framing swo

== a_pin_has_a_name_or_is_the_only_one
  $ { pin D0; changes vcd <itm; } >unnamed.vcd; etm decode itm.vcd 2>err >expected
  $ etm decode unnamed.vcd --framing swo 2>err | cmp - expected
  $ etm decode unnamed.vcd --framing swo --signals swo=D0 --baud 8000000 2>err | cmp - expected
  $ changes csv <itm >itm.csv; etm decode itm.csv --framing swo 2>err | cmp - expected
  $ # times of twelve digits, and of as many as they need
  > sed '2~2s/,/000,/; 3~2s/0*,/,/' itm.csv >digits.csv; sed -n 4,5p digits.csv
  0.000000125000,1,0
  0.00000025,0,0
  $ etm decode digits.csv --framing swo 2>err | cmp - expected
  $ timed() { # TITLE FORM FACTOR: times in another unit
  > awk -F, -v OFS=, -v title="$1" -v form="$2" -v by=$3 'NR == 1 { $1 = title }
  >     NR > 1 { $1 = sprintf(form, $1 * by) } { print }' itm.csv >timed.csv
  > sed -n 3p timed.csv; etm info timed.csv --framing swo | grep baud
  > etm decode timed.csv --framing swo 2>err | cmp - expected; }
  $ timed 'Time [s]' %.9e 1; timed Microseconds %.3f 1e6; timed 'Time (ms)' %.9E 1e3
  -1.000000000e-06,0,0
  note: timed.csv: SWO is read at 8000000 baud
  -1.000,0,0
  note: timed.csv: SWO is read at 8000000 baud
  -1.000000000E-03,0,0
  note: timed.csv: SWO is read at 8000000 baud
  $ timed Time[ns] %.1fe+0 1e9
  -1000.0e+0,0,0
  note: timed.csv: SWO is read at 8000000 baud
  $ for junk in e e- e1x e31; do timed 'Time [s]' %.9f$junk 1; done 2>&1 | grep -c baud
  0
  [1]
  $ sed '/enddefinitions/i $var wire 1 " CLK $end' unnamed.vcd >two.vcd
  $ etm info two.vcd --framing swo
  [1] two.vcd:4: SWO is not in the dump: name it with --signals swo=NAME (there are D0, CLK)
  $ etm info itm.vcd --framing swo --signals swo=X => [1] itm.vcd:3: the dump has no variable X

== frames_of_an_itm_and_an_etm_behind_a_tpiu
  $ etm info tpiu.vcd --framing swo | grep framing =>     framing    tpiu
  $ etm decode tpiu.vcd 2>err | grep '^0x' => 0x01 (0x01): ITM
  $ sed '100,101d; 400,402d' tpiu.vcd >damaged.vcd
  $ etm decode damaged.vcd --framing swo | grep '^0x'
  0x01 (0x01): ITM
  ! damaged.vcd: they are not used: 2 bytes of SWO have a wrong start or stop bit
  ! damaged.vcd: as its bytes look, it is read with --framing tpiu --protocol itm
  ! 0x01 (0x01): bad_frame: 16 bytes lost in 2 places

# From a pin to source lines: the trace of the demo, as a TPIU sends it.
== a_pin_to_the_program_in_one_command
  $ python3 - $RAW >sent <<END
  > import sys
  > data = open(sys.argv[1], 'rb').read()
  > for at in range(0, len(data) // 16 * 16, 16):
  >     sys.stdout.buffer.write(b'\xff\xff\xff\x7f' + data[at:at + 16])
  > END
  $ { pin SWO; changes vcd <sent; } >demo.vcd
  $ ranges() { sed -n 's/^{"k":"range".*"start":"\([^"]*\)","end":"\([^"]*\)".*/\1 \2/p'; }
  $ etm decode $M3 --format jsonl | ranges >expected
  $ etm decode demo.vcd --core cortex-m3 --image $ELF --format jsonl | ranges >out
  ! demo.vcd: as its bytes look, it is read with --framing tpiu
  $ cmp out expected; wc -l <out => 7071
  $ etm decode demo.vcd --core cortex-m3 --image $ELF --source-lines | grep 'sort\.c:' | sed -n 1,2p
     ../src/sort.c:39  {
     ../src/sort.c:42      for (size_t i = 0; i < n; i++)
  ! demo.vcd: as its bytes look, it is read with --framing tpiu

# Without frames, and within frames of a TPIU: there it is damage of the source whose byte it is.
== a_byte_with_a_wrong_stop_bit_is_damage_in_its_place
  $ lost() { etm decode wrong.vcd --framing swo --format jsonl | grep -B1 lost; }
  $ { pin SWO; bad=40 changes vcd <itm; } >wrong.vcd
  $ lost
  {"k":"local_timestamp","src":0,"off":37,"delta":7,"ticks":21,"relation":"synchronous"}
  {"k":"lost","src":0,"off":40,"reason":"bad_frame","bytes":1}
  ! wrong.vcd: it is not used: 1 byte of SWO has a wrong start or stop bit
  ! wrong.vcd: as its bytes look, it is read with --protocol itm
  ! trace (0x00): bad_frame: 1 byte lost in 1 place
  $ { pin SWO; bad=609 changes vcd <frames; } >wrong.vcd
  $ lost
  {"k":"pc_sample","src":1,"off":585,"addr":"0x08000309","state":"running"}
  {"k":"lost","src":1,"off":609,"reason":"bad_frame","bytes":4}
  ! wrong.vcd: it is not used: 1 byte of SWO has a wrong start or stop bit
  ! wrong.vcd: as its bytes look, it is read with --framing tpiu --protocol itm
  ! 0x01 (0x01): bad_frame: 4 bytes lost in 1 place
  $ { pin SWO; bad=613 changes vcd <frames; } >wrong_padding.vcd
  $ etm decode tpiu.vcd --framing swo --format jsonl 2>err >expected
  $ etm decode wrong_padding.vcd --framing swo --format jsonl 2>err | cmp - expected

# E-624: eight bytes at a time.
== manchester_code_is_read
  $ manchester() { od -An -v -tu1 | tr -s ' ' '\n' | awk '
  > function drive(value) {
  >     if (value != level) printf "#%d %d!\n", t, value
  >     level = value; t += 50
  > }
  > function bit(value) { drive(value); drive(1 - value) }
  > BEGIN { t = 1000; print "#0 0!" }
  > NF { if (n % 8 == 0) bit(1)
  >     for (i = 0; i < 8; i++) bit(int($1 / 2 ^ i) % 2)
  >     if (++n % 8 == 0) { drive(0); drive(0); if (n % 64 == 0) t += 730 } }
  > END { if (n % 8) { drive(0); drive(0) } t += 500; drive(1) }'; }
  $ { pin SWO; manchester <itm; } >code.vcd
  $ for how in '' '--baud 10000000'; do etm info code.vcd --framing swo $how | grep baud; done
  note: code.vcd: SWO is read at 10000000 baud, in Manchester code
  note: code.vcd: SWO is read at 10000000 baud, in Manchester code
  $ same code.vcd --framing swo
  $ { pin SWO; manchester <frames; } >tpiu.vcd; etm info tpiu.vcd --framing swo | grep framing
      framing    tpiu

# One of the bytes has an error.
== tables_of_bytes_and_annotations
  $ table() { # HEAD FORMAT
  > echo "$1"; od -An -v -tu1 | tr -s ' ' '\n' |
  > awk -v format="$2" 'NF { printf format "\n", n / 800000, $1, ++n == 41 ? "framing" : "" }'; }
  $ { head -c 40 itm && tail -c +42 itm; } >itm40
  $ saleae='Time [s],Value,Parity Error,Framing Error'
  $ table "$saleae" '%.9f,0x%02X,,%s' <itm >saleae1.csv
  $ table "$saleae" "%.9f,'%d',,%s" <itm >saleae2.csv
  $ table "$saleae" '%.9f,%d,,%s' <itm >saleae3.csv
  $ table 'name,type,start_time,duration,data,error' \
  > '"Async Serial","data",%.9f,1e-06,0x%02x,%s' <itm >saleae4.csv
  $ table 'uart-1: Start bit' '# %.9f
  > uart-1: 0
  > uart-1: %02x
  > uart-1: Stop bit%s' <itm | sed 's/^uart-1: Stop bitframing/uart-1: Frame error/' >sigrok.txt
  $ table '; of PulseView' '; %.9f
  > 1000-1100 UART: RX: %02X
  > 1000-1100 UART: RX: Stop bit%s' <itm | sed 's/: Stop bitframing/: Frame error/' >pulseview.txt
  $ for listed in saleae?.csv sigrok.txt pulseview.txt; do rm -rf bytes
  > etm split $listed -o bytes 2>err; cmp bytes/trace.bin itm40
  > etm decode $listed --framing swo; done 2>&1 | sed 's/^etm: [^:]*:/X:/' |
  > sort | uniq -c | grep 'X:\| 145 '
        6      145       port 0 = 48  "H"
        6 X: as its bytes look, it is read with --protocol itm
        6 X: bad_frame: 2 bytes lost in 1 place
        6 X: it is not used: 1 byte of SWO has a wrong start or stop bit
  $ table 'Id,Time[ns],1:UART' '0,%.9f,%02x' <itm >dsview.csv; etm decode dsview.csv | sed -n 2,3p
         6       port 0 = 48  "H"
         8       port 0 = 69  "i"
  ! dsview.csv: as its bytes look, it is read with --protocol itm
  $ sed '5s/0x../0x1ff/' saleae1.csv >large.csv; etm decode large.csv
  [1] large.csv:5: the value of this row is no byte

# Of two pieces, whose second channel is the pin.
== a_session_of_sigrok
need libarchive
  $ python3 - itm.vcd session.sr <<'END'
  > import sys, zipfile
  > level, t, samples = 1, 0, bytearray()
  > for line in open(sys.argv[1]):
  >     if line[0] == "#":
  >         at, value = line[1:].split()
  >         samples += bytes([level << 1 | t % 2]) * (int(at) // 25 - t)
  >         t, level = int(at) // 25, int(value[0])
  > samples += bytes([level << 1]) * 100
  > with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
  >     z.writestr("version", "2")
  >     z.writestr("metadata", "[global]\nsigrok version=0.5.2\n\n[device 1]\n"
  >                "capturefile=logic-1\ntotal probes=8\nsamplerate=40 MHz\n"
  >                "total analog=0\nprobe1=D0\nprobe2=SWO\nunitsize=1\n")
  >     z.writestr("logic-1-2", bytes(samples[10000:]))
  >     z.writestr("logic-1-1", bytes(samples[:10000]))
  > END
  $ etm info session.sr --framing swo | grep baud => note: session.sr: SWO is read at 8000000 baud
  $ same session.sr
  $ etm decode session.sr >expected; grep -c '"H"$' expected
  30
  ! session.sr: as its bytes look, it is read with --protocol itm
  $ cat session.sr | etm decode - | cmp - expected
  ! standard input: as its bytes look, it is read with --protocol itm
  $ cat session.sr | etm decode - --framing swo | cmp - expected
  ! standard input: as its bytes look, it is read with --protocol itm
  $ { head -c 3 session.sr; sleep 0.2; tail -c +4 session.sr; } | etm decode - 2>err |
  > cmp - expected
  $ head -c 800 session.sr >short.sr; etm info short.sr
  [1] short.sr: it is a session of sigrok: use 'sigrok-cli -i FILE -O vcd |' with - as the capture
  $ cat short.sr | etm decode -
  [1] standard input: it is a session of sigrok: use 'sigrok-cli -i FILE -O vcd |' with - as the capture

== what_is_refused
  $ etm info itm.vcd --framing none --baud 8000000 => [2] --baud is for --framing swo only (usage)
  $ etm info itm.vcd --framing swo --baud fast
  [2] --baud fast: not a number of bits a second (usage)
  $ etm info itm.vcd --framing swo --baud 900000000
  [1] itm.vcd: a bit of that baud rate has less than two units of its times
  $ etm info itm --framing swo
  [1] itm: it is not samples as text, a table or a value change dump: for binary samples, use the port format records, etb or bytes; for trace that is not samples, another framing
  $ { pin SWO; echo '#0 1!'; } >idle.vcd; etm info idle.vcd --framing swo
  [1] idle.vcd: too few pulses of SWO show how long a bit is: give --baud
