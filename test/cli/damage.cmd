# SPDX-License-Identifier: Apache-2.0
# Damage is data: status 0, and one line on standard error. Nothing is said to be
# nothing, and is no error.

  $ cp -r $M3 snapshot; chmod -R u+w snapshot
  $ raw="$RAW --framing coresight --protocol etmv3"
  $ counted() { sort | uniq -c; }

== damage_is_summed_up_and_no_error
  $ printf '\377' | dd of=snapshot/cstrace.bin bs=1 seek=1600 conv=notrunc 2>err
  $ etm decode snapshot | grep lost
       681  !! 96 bytes lost: bad_frame
  ! ETM_0 (0x10): bad_frame: 96 bytes lost in 1 place
  $ etm packets snapshot | grep -c bad
  3
  ! ETM_0 (0x10): 1 byte in 1 bad packet; 35 bytes unsynchronized
  $ etm decode $M3 | tail -n 1 =>     233e  == end of trace

# Each message is written as a whole, however many programs share standard error.
== messages_come_out_a_line_at_a_time
  $ printf '\377' | dd of=snapshot/cstrace.bin bs=1 seek=1600 conv=notrunc 2>err
  $ $WHOLE $(command -v etm) decode snapshot >out
  ! ETM_0 (0x10): bad_frame: 96 bytes lost in 1 place
  !! 1 pieces, 0 of them are no line
  $ $WHOLE $(command -v etm) decode nosuch && echo whole lines
  whole lines
  ! nosuch: cannot read the file: No such file or directory
  !! 1 pieces, 0 of them are no line

# A dump that lost bytes is not said to have another framing.
== frames_are_found_again_after_missing_bytes
  $ for core in $M3 $A9; do rm -rf joined; cp -r $core joined; chmod -R u+w joined
  > etm decode joined --format jsonl | grep -c '"k":"range"'
  > { head -c -5 $core/cstrace.bin; for i in 1 2 3 4; do cat $core/cstrace.bin; done; } \
  > >joined/cstrace.bin
  > etm decode joined --format jsonl --jobs 1 >one 2>err
  > etm decode joined --format jsonl --jobs 2 |
  > cmp - one; grep -c '"k":"range"' one; grep -m 1 '"lost".*bad_frame' one; done
  7071
  35166
  {"k":"lost","src":16,"off":9036,"reason":"bad_frame","bytes":6}
  4689
  23245
  {"k":"lost","src":17,"off":3452,"reason":"bad_frame","bytes":273}
  ! ETM_0 (0x10): bad_frame: 6 bytes lost in 1 place; image_mismatch: 251 bytes lost in 1 place
  ! PTM_0 (0x11): bad_frame: 273 bytes lost in 1 place

== code_that_is_missing_is_asked_for
  $ etm decode $raw --profile m | tail -n 1
      233e  == end of trace
  ! 0x10 (0x10): code missing at 1878 places, and there is none: use --image FILE
  $ etm decode $raw --profile m --image $RAW@0x70000000 | tail -n 1
      233e  == end of trace
  ! 0x10 (0x10): code missing at 1878 places, and none was found: is it there (--image), and are protocol and registers right?
  $ tail -c +4097 $ELF | head -c 750 >half # its segment begins at 0x1000 of the file
  $ for how in "decode --format jsonl" "decode --stats" "decode --stats --jobs 2" coverage
  > do etm $how $raw --profile m --image half@0; done 2>&1 >out | counted
        4 etm: 0x10 (0x10): code missing at 1290 places
  $ sed '/dump/,$d' $M3/cpu_0.ini >snapshot/cpu_0.ini; etm decode snapshot | tail -n 1
      233e  == end of trace
  ! ETM_0 (0x10): code missing at 1878 places, and there is none: use --image FILE

== a_capture_of_which_little_is_decoded_asks_why
  $ etm decode $RAW --framing coresight --protocol etmv2 | tail -n 1
      233e  == end of trace
  ! 0x10 (0x10): unsynchronized: 8172 bytes lost in 1 place; 159 triggers, but a run has only one; nothing could be decoded: are protocol, registers and framing right ('etm info')?
  $ for how in "decode --format jsonl" "decode --stats" "decode --stats --jobs 2" coverage
  > do etm $how $A9/cstrace.bin --framing coresight --protocol pft --reg ETMCR=0 \
  > --image $A9/sensor.elf; done 2>&1 >out | counted
        4 etm: 0x11 (0x11): bad_packet: 3033 bytes lost in 13 places; image_mismatch: 4 bytes lost in 4 places; little could be decoded: are protocol, registers and framing right ('etm info')?
  $ etm decode $A9/cstrace.bin --framing coresight --protocol pft --reg ETMCR=0x1000c000 \
  > --image $A9/sensor.elf >out # a return stack that was off
  ! 0x11 (0x11): image_mismatch: 824 bytes lost in 327 places; is this the code that ran (--image), and are protocol and registers right (ETMCR says that the return stack, bit 29, was off)?

# With a range, or a datum, for each 16 lost bytes it is damage.
== a_capture_of_which_enough_is_decoded_does_not_ask
  $ printf '\376\377\377\352' >loop # b .
  $ asks() { begin=$1 element=$2; shift 2; for n in 17 18
  > do { printf "$begin"; printf "$element%.0s" $(seq $n); printf '\176%.0s' $(seq 300); } >trace
  > for how in decode 'decode --stats' 'decode --stats --jobs 2'; do etm $how trace "$@"
  > done 2>&1 >out | sed 's/.*; //' | counted; done; }
  $ asks '\0\0\0\0\0\200\010\0\200\0\0\041' '\204' --protocol pft --image loop@0x8000
        3 little could be decoded: are protocol, registers and framing right ('etm info')?
        3 etm: trace (0x00): bad_packet: 300 bytes lost in 1 place
  $ asks '\0\0\0\0\0\200\010\041' '\006\005' --protocol etmv3 --reg ETMCR=0x100004
        3 little could be decoded: are protocol, registers and framing right ('etm info')?
        3 etm: trace (0x00): bad_packet: 300 bytes lost in 1 place

== other_files_are_refused
  $ for begins in '\037\213\010' '\375\067zXZ' '\050\265\057\375' 'BZh91AY&SY' 'PK\003\004' PERFILE2
  > do { printf "$begins"; head -c 100 /dev/zero; } >other.bin
  > etm decode other.bin --protocol pft; done
  [1] other.bin: it is compressed by gzip: use 'zcat FILE |' with - as the capture
  ! other.bin: it is compressed by xz: use 'xzcat FILE |' with - as the capture
  ! other.bin: it is compressed by zstd: use 'zstdcat FILE |' with - as the capture
  ! other.bin: it is compressed by bzip2: use 'bzcat FILE |' with - as the capture
  ! other.bin: it is a zip archive: use 'unzip -p FILE |' with - as the capture
  ! other.bin: a perf file has its own configuration: protocol, framing and registers can only be given for other files
  $ etm decode other.bin => [1] other.bin: it is a perf file without CoreSight trace
  $ etm decode $RAW --protocol etmv3 --sysroot . => [1] $RAW: a sysroot is for a perf file only
  $ etm decode $A9 --sysroot .
  [1] $A9: a snapshot has its own configuration, a sysroot can only be given for a perf file
  $ etm decode $ELF --protocol etmv3
  [1] $ELF: it is an ELF file: a program, not trace: it is for --image, beside the file with the trace

# S is an A-sync and an I-sync, of 12 bytes.
== each_sum_is_reported
  $ stream() { printf "$(printf %s "$1" |
  > sed 's/S/\\000\\000\\000\\000\\000\\200\\010\\000\\200\\000\\000\\041/g')" >stream; }
  $ said() { stream "$1"; etm packets stream --protocol pft >out; }
  $ said 'S\016' => ! trace (0x00): 1 byte in 1 bad packet
  $ said 'S\016S\016' => ! trace (0x00): 2 bytes in 2 bad packets
  $ said '\125\125S\204' => ! trace (0x00): 2 bytes unsynchronized
  $ said '\125S\016' => ! trace (0x00): 1 byte in 1 bad packet; 1 byte unsynchronized
  $ views() { stream "$1"; for how in decode 'decode --stats' 'decode --stats --jobs 2' coverage
  > do etm $how stream --protocol pft; done 2>&1 >out | counted; }
  $ views 'S\204'
        4 etm: trace (0x00): code missing at 1 place, and there is none: use --image FILE
  $ views '\125S\204'
        4 etm: trace (0x00): unsynchronized: 1 byte lost in 1 place; code missing at 1 place, and there is none: use --image FILE
  $ views '\125S' =>       4 etm: trace (0x00): unsynchronized: 1 byte lost in 1 place

== cycles_of_an_index_are_those_that_are_counted
  $ etm index $raw --reg ETMCR=0xc10 | sed 1,2d | grep -v ' -$' => [1]
  $ for cr in 0xc10 0x1c10; do etm index $raw --reg ETMCR=$cr --format jsonl | tail -n 1; done
  {"k":"sync","src":16,"off":8865,"pos":8865,"stream":8241,"reason":"periodic","addr":"0x0000051e","isa":"thumb","context_id":null,"time":null,"cycles":null}
  {"k":"sync","src":16,"off":8865,"pos":8865,"stream":8241,"reason":"periodic","addr":"0x0000051e","isa":"thumb","context_id":null,"time":null,"cycles":4211}

# A-sync and I-sync, and nothing was executed.
== nothing_to_decode_is_no_error
  $ : >empty; head -c 4096 /dev/zero >zeros; printf '\0\0\0\0\0\200\010\0\200\0\0\041' >idle
  $ for how in decode packets 'packets --format jsonl' coverage; do etm $how empty --protocol pft
  > done
  trace (0x00): PFT 1.1
         0  == end of trace
  trace (0x00): PFT 1.1
  trace (0x00): PFT 1.1
  0 instructions executed
   (esc)
  ! trace (0x00): there is nothing to decode: the file is empty (4 times)
  $ etm packets empty --protocol etmv1 --framing port --format vcd >out
  ! trace (0x00): there is nothing to decode: the file is empty
  $ etm coverage idle --protocol pft
  trace (0x00): PFT 1.1
  0 instructions executed
   (esc)
  $ etm merge empty => ! empty: there are no counts in it
  $ for command in packets decode index
  > do etm $command zeros --protocol pft --framing coresight; done
  ! zeros: it contains no trace source (3 times)

== another_trace_id_has_nothing_to_decode
  $ etm decode - --protocol pft --framing coresight --reg ETMTRACEIDR=0x22 <$RAW
  0x22 (0x22): PFT 1.1
         0  == end of trace
  ! 0x22 (0x22): there is nothing to decode; the trace IDs there are 0x10
  $ for command in packets decode; do etm $command $raw --reg ETMTRACEIDR=0x22; done 2>&1 >out
  etm: 0x22 (0x22): there is nothing to decode; the trace IDs there are 0x10
  etm: 0x22 (0x22): there is nothing to decode; the trace IDs there are 0x10
  $ cp $RAW snapshot/more.bin
  $ sed -e 's/=buffer0$/=buffer0,buffer1/' -e 's/=ETB_0$/=ETB_0,ETB_1/' \
  > -e 's/^name=ETB_0,ETB_1/name=ETB_0/' $M3/trace.ini >snapshot/trace.ini
  $ printf '\n[buffer1]\nname=ETB_1\nfile=more.bin\nformat=coresight\n' >>snapshot/trace.ini
  $ sed 's/^\(ETMTRACEIDR.*=\).*/\10x22/' $M3/device_1.ini >snapshot/device_1.ini
  $ etm decode snapshot # of two buffers it is reported once
  ETM_0 (0x22): ETMv3.4, Cortex-M3 cpu_0
         0  == end of trace
  ! snapshot/snapshot.ini: some trace is skipped: no device of the snapshot has trace ID 0x10
  ! ETM_0 (0x22): there is nothing to decode; the trace IDs there are 0x10

# Decoding cannot begin, though everything else is right; a part is not to blame.
== trace_without_a_sync
  $ head -c 1000 /dev/zero | tr '\0' '\204' >headers
  $ for how in decode "decode --stats" coverage "decode --to 500" "coverage --to 50%" \
  > "decode --stats --shard 2/2"; do etm $how headers --protocol etmv3 --framing none
  > done 2>&1 >out
  etm: trace (0x00): unsynchronized: 1000 bytes lost in 1 place; nothing could be decoded, since there is no A-sync with an I-sync after it: are protocol, registers and framing right ('etm info'), and was periodic synchronization on (ETMSYNCFR)? (3 times)
  etm: trace (0x00): unsynchronized: 500 bytes lost in 1 place; nothing could be decoded, since this part has no A-sync with an I-sync after it
  etm: trace (0x00): unsynchronized: 500 bytes lost in 1 place; nothing could be decoded, since this part has no A-sync with an I-sync after it
  etm: trace (0x00): unsynchronized: 1000 bytes lost in 1 place; nothing could be decoded, since this part has no A-sync with an I-sync after it
  $ etm info headers --protocol etmv3 --framing none | grep -A1 A-sync
      trace      1000 bytes in headers, 0 packets, 0 A-syncs, 0 I-syncs
      unusable   1000 bytes before synchronization
      the bytes  do not tell the protocol: none of them is an A-sync, with which
                 decoding begins (ETMSYNCFR says how often there is one)

# A loop of BL, BX LR and B. Before Thumb-2 a BL is two instructions, with two E atoms
# (4.5.4).
== halves_of_a_thumb_bl_are_asked_about
  $ printf '\000\360\001\370\374\347\160\107' >halves.bin
  $ { printf '\000\000\000\000\000\200\010\041\001\200\000\000\214\005'
  > for i in $(seq 40); do printf '\220\005'; done; } >halves
  $ how='halves --protocol etmv3 --reg ETMCR=0 --image halves.bin@0x8000'
  $ for what in decode 'decode --level instructions' 'decode --stats' coverage
  > do etm $what $how; done 2>&1 >out | counted
        4 etm: trace (0x00): image_mismatch: 41 bytes lost in 41 places; is this the code that ran (--image), and are protocol and registers right (ETMIDR is not given: that of an ARM11, 0x41013211, has a Thumb BL traced as two instructions)?
  $ etm decode $how --reg ETMIDR=0x41013211 --format jsonl | grep -c '"start":"0x00008006"' => 41
  $ etm info halves --framing none | grep -A1 Thumb
                 whether a Thumb BL is traced as two instructions (ETMIDR,
                 of an ARM11 0x41013211)

# Code of another program: no packet is bad, and hardly one fits.
== other_code_is_asked_about
  $ for what in decode 'decode --level instructions' 'decode --stats' coverage
  > do etm $what $M3 --image $PROGRAMS/recurse-m3.elf; done 2>&1 >out | counted
        4 etm: ETM_0 (0x10): image_mismatch: 1907 bytes lost in 511 places; is this the code that ran (--image), and are protocol and registers right?
  $ head -c 65536 /dev/zero >blank; etm decode $A9 --image blank@0x60000000 >out
  ! PTM_0 (0x11): image_mismatch: 1289 bytes lost in 520 places; is this the code that ran (--image), and are protocol and registers right?
