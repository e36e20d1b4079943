# SPDX-License-Identifier: Apache-2.0
# The samples of a trace port.

  $ printf '1 4 80\n0 0 a0\n0 0 80\n0 3 80\n0 3 10\n0 6 0\n0 7 0\n' >v1.txt # of an ETMv1
  $ v1='--framing port --protocol etmv1 --reg ETMCCR=0x20000000'

== what_is_refused
  $ printf '0 1\n0 z\n' >port.txt; etm decode port.txt --framing port --protocol etmv3 >out
  [1] port.txt:2: the character 0x7a is not a hexadecimal digit
  $ etm decode port.txt --port-format fst
  [2] --port-format fst: not one of auto, text, vcd, openocd, records, etb, bytes, csv (usage)
  $ etm decode port.txt --port-width 65 => [2] --port-width 65: not a number from 1 to 64 (usage)
  $ etm decode port.txt --framing port --protocol etmv1 --port-width 12
  [1] trace: ETMv1 and ETMv2 have 4, 8 or 16 pins of TRACEPKT
  $ etm decode port.txt --endian big => [2] --endian big: not one of le, be8, be32 (usage)
  $ etm decode port.txt --protocol etmv3 --port-width 8
  [1] trace: the width of the port is given for ETMv1 and ETMv2 only, or for samples of a port
  $ etm decode port.txt --protocol pft --hivecs
  [1] trace: high vectors are given for ETMv1 and ETMv2 only; other protocols name their exceptions
  $ etm decode port.txt --protocol etmv1 --reg ETMCR=0 --port-width 16
  [1] trace: ETMCR has a port of 4 bits, not of 16
  $ etm decode $M3 --port-width 8
  [1] $M3: a snapshot has its own configuration, the width of a port can only be given for a raw file
  $ etm decode port.txt --framing port --protocol etmv1 --signals traceclk=C
  [1] port.txt: names of signals are for value change dumps and tables only
  $ etm decode v1.txt $v1 --coprocessor 5
  [2] --coprocessor 5: not of the form N=WORDS or N=WORDS/WORDS, with 0 to 15 and 1 to 32 words (usage)
  $ etm decode v1.txt --framing port --protocol etmv2 --coprocessor 5=1
  [1] trace: the words of coprocessors are given for ETMv1 only; other protocols trace their number
  $ etm decode v1.txt $v1 --format vcd => [2] --format vcd is for 'etm packets' only (usage)
  $ etm packets $M3 --format vcd
  [1] $M3: --format vcd is for ETMv1 and ETMv2, whose trace is cycles of a port
  $ printf '$enddefinitions $end\n' >port.vcd; etm decode port.vcd $v1
  [1] port.vcd:1: TRACECLK is not in the dump: name it with --signals

# Table 3-6.
== ports_have_up_to_64_pins
  $ echo '0 1122334455667788' >wide.txt
  $ etm packets wide.txt --framing port --protocol etmv3 --port-width 64 2>err
  trace (0x00): ETMv3.5
         0  unsynchronized     88 77 66 55 44 33 22 11

== samples_of_etmv1_are_packets
  $ etm packets v1.txt $v1 | sed -n '1,3p;12,$p'
  trace (0x00): ETMv1.2
         0  pipestat           84                       status BE, tracesync
         0  trace_packet       80                       value 0x80, carries packets_if_any
         5  pipestat           06                       status TR
         5  trace_packet       00                       value 0x00, carries replaced_status, replaced IE
         6  pipestat           07                       status TD
         6  trace_packet       00                       value 0x00, carries nothing
  $ etm packets v1.txt $v1 --format jsonl | sed -n 1,2p
  {"off":0,"src":0,"packet":"pipestat","bytes":"84","status":"BE","tracesync":true}
  {"off":0,"src":0,"packet":"trace_packet","bytes":"80","value":"0x80","carries":"packets_if_any","replaced":null,"half_bytes":null}
  $ etm decode v1.txt $v1 --format jsonl
  {"k":"trigger","src":0,"off":5}
  {"k":"trace_on","src":0,"off":0,"reason":"start"}
  {"k":"context","src":0,"off":0,"isa":"arm","secure":null,"hyp":false,"context_id":null,"vmid":null}
  {"k":"no_image","src":0,"off":5,"addr":"0x00001000"}
  {"k":"end","src":0,"off":7}
  ! trace (0x00): code missing at 1 place, and there is none: use --image FILE

# What stands before a line that is none is given all the same, and as it is with nothing
# after it, but for what the end of a capture cuts off; many come before, so that it is in a
# later piece.
== what_is_before_a_broken_line_is_given
  $ before() { # HOW FILE OPTIONS
  > how=$1 file=$2; shift 2; etm $how $file "$@" --format jsonl 2>err |
  > grep -v '"k":"end"\|"truncated":true\|"truncated",' >whole
  > { cat $file; printf '0 z 1\n'; cat $file; } >broken.txt; { wc -l <$file
  > etm $how broken.txt "$@" --format jsonl 2>said | cmp - whole
  > wc -l <whole; cat said; } | paste -sd' '; }
  $ awk 'BEGIN { print "1 4 80\n0 0 a0\n0 0 80\n0 3 80\n0 3 10"
  >     for (i = 0; i < 5000; i++) print "0 6 0\n0 0 0" }' >long.txt
  $ for jobs in 1 3; do before decode long.txt $v1 --jobs $jobs; done
  10005 5003 etm: broken.txt:10006: the character 0x7a is not a hexadecimal digit
  10005 5003 etm: broken.txt:10006: the character 0x7a is not a hexadecimal digit
  $ before packets v1.txt $v1
  7 14 etm: broken.txt:8: the character 0x7a is not a hexadecimal digit
  $ for i in 1 2 3 4; do printf '0 0\n0 0\n0 0\n0 0\n0 0\n0 80\n'; done >v3.txt
  $ before packets v3.txt --framing port --protocol etmv3 --port-width 8
  24 4 etm: broken.txt:25: the character 0x7a is not a hexadecimal digit
  $ # at a TPIU's port, where frames are of several sources, each has what stands before
  $ { printf '\377\377\377\177'; cat $A9/cstrace.bin
  > printf '\045'; tail -c +2 $A9/cstrace.bin; # the same of trace ID 0x12
  > } | od -An -v -tx1 -w1 | sed 's/^/0/' >tpiu.txt
  $ tpiu="--framing tpiu-port --port-width 8 --protocol pft --image $A9/sensor.elf
  > --reg ETMCR=0x3000c800 --reg ETMIDR=0x411cf300 --reg ETMCCER=0x00c019a2"
  $ for jobs in 1 3; do before decode tpiu.txt $tpiu --jobs $jobs; done
  6916 10329 etm: broken.txt:6917: the character 0x7a is not a hexadecimal digit
  6916 10329 etm: broken.txt:6917: the character 0x7a is not a hexadecimal digit
  $ grep -o '"src":[0-9]*' whole | sort | uniq -c
    10219 "src":17
      110 "src":18
  $ before packets tpiu.txt $tpiu
  6916 3632 etm: broken.txt:6917: the character 0x7a is not a hexadecimal digit
  $ etm info broken.txt $tpiu | grep '^source\|   code'
  source 0x11 (0x11)
      code       0x60000000-0x60000650
  source 0x12 (0x12)
      code       0x60000000-0x60000650
  ! broken.txt:6917: the character 0x7a is not a hexadecimal digit
  $ etm decode broken.txt $tpiu --source 17 --to 3000 | tail -n 2
       bb2  600004d6-600004de     3  > call     <quick_sort+0x34>
       bb3  == end of trace
  $ etm decode broken.txt $tpiu --source 18 --from 4000 | tail -n 1
       e01  6000018a-6000018c     1  > return   <set_context_id+0x8>
  ! broken.txt:6917: the character 0x7a is not a hexadecimal digit
  $ etm decode broken.txt $tpiu --stats
  [1] broken.txt:6917: the character 0x7a is not a hexadecimal digit
  $ { echo 0 zz; cat tpiu.txt; } >broken.txt; etm info broken.txt $tpiu
  [1] broken.txt:1: the character 0x7a is not a hexadecimal digit

# V1-TRG-05, E-355
== second_trigger_is_reported
  $ cat v1.txt v1.txt >twice.txt; for file in v1 twice; do etm decode $file.txt $v1 >out; done
  ! trace (0x00): code missing at 1 place, and there is none: use --image FILE
  ! trace (0x00): 2 triggers, but a run has only one; code missing at 2 places, and there is none: use --image FILE

== words_of_a_coprocessor_are_its_data
  $ printf '\000\025\222\355\000\000\240\341' >ldc.bin # ldc p5, c1, [r2]; nop
  $ for sample in '1 4 80' '0 0 a0' '0 0 80' '0 3 80' '0 3 10' '0 1 7' '0 3 0' '0 3 0' '0 3 0' '0 0 0'
  > do echo $sample; done >ldc.txt
  $ etm decode ldc.txt $v1 --reg ETMCR=0x14 --image ldc.bin@0x1000 --coprocessor 5=1/4 --format jsonl |
  > grep '"data"'
  {"k":"data","src":0,"off":5,"insn":"0x00001000","addr":null,"value":"0x00000007","size":4,"store":false,"index":0,"status":"ok","be8":null}

== info_tells_of_the_port
  $ etm info v1.txt $v1 --port-width 16 --hivecs --endian be8
  buffer v1.txt
      file       v1.txt, 47 bytes
      framing    port, samples as text
  source trace (0x00)
      protocol   ETMv1.2
      traces     not cycle-accurate, no context ID, no data, port of 16 pins,
                 high vectors, BE-8 data
      code       none: give --image
      trace      21 bytes in v1.txt, 7 samples, 0 synchronization points
      triggers   1
  note: trace: ETMCR is not given; 0 is assumed: not cycle-accurate, no context ID, no data
  $ etm info v1.txt $v1 --port-width 16 --endian le --format jsonl | grep -o '"port_width.*le"'
  "port_width":16,"high_vectors":false,"endian":"le"
  $ etm info v1.txt --framing port
  buffer v1.txt
      file       v1.txt, 47 bytes
      framing    port, samples as text
  source trace (0x00)
      skipped: neither its protocol nor ETMIDR is given
      trace      0 bytes in v1.txt
  [1] v1.txt:1: a line of port samples has the numbers TRACECTL TRACEDATA (the protocol is not given: assumed to be ETMv3; only ETMv1 and ETMv2 have PIPESTAT)

== waves_show_the_pins
  $ etm packets v1.txt $v1 --format vcd -o v1.vcd; etm packets v1.txt $v1 --format jsonl -o straight
  $ grep 'var ' v1.vcd; etm info v1.vcd $v1 | grep framing
  $var wire 1 ! TRACECLK $end
  $var wire 3 " PIPESTAT [2:0] $end
  $var wire 1 # TRACESYNC $end
  $var wire 8 $ TRACEPKT [7:0] $end
      framing    port, samples as vcd
  $ etm packets v1.vcd $v1 --format jsonl | cmp - straight
