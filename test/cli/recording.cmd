# SPDX-License-Identifier: Apache-2.0
# Recordings that fail, are interrupted or are of one instruction.

  $ printf 'version 1\n00008000 e1a00000\n' >one.log; echo nonsense >broken.log
  $ recorded() { etm record --execution log -o recorded "$@"; }
  $ call() { # ADDRESS: SVC goes to there
  > printf 'version 1\nplace 00008000\n00008000 ef000000\nexception svc to=%s:a\n' $1 >log; }

# An exception that goes nowhere near the vectors is an error at once, with its line, whatever
# was executed after it.
== etmv1_knows_exceptions_by_their_vectors
  $ for at in 60000008 00000008; do call $at; echo $at eafffffe >>log; recorded --core arm7tdmi
  > done
  ! log:5: the macrocell cannot trace what was executed near 0x60000008: ETMv1 and ETMv2 identify exceptions only by vectors at 0 or 0xffff0000
  ! 2 instructions, 1 exception, 0 transfers, 2 cycles: 27 bytes of trace
  $ call 60000008
  $ awk 'BEGIN { for (i = 0; i < 200; i++) printf "%08x e1a00000\n", 1610612744 + 4 * i }' >>log
  $ recorded --core arm7tdmi
  [1] log:6: the macrocell cannot trace what was executed near 0x6000000c: ETMv1 and ETMv2 identify exceptions only by vectors at 0 or 0xffff0000
  $ for to in 0000001c ffff001c; do printf '%s\n' 'version 1' 'place 8000' '8000 e1a00000' \
  > "exception fiq to=$to:a" "$to e1a00000" push >log
  > recorded --core arm7tdmi; done # it is not their place
  [1] log:5: the macrocell cannot trace what was executed near 0x0000001c
  ! log:5: the macrocell cannot trace what was executed near 0xffff001c

# No macrocell stands before them.
== lines_for_generators_are_refused
  $ for line in 'trace_on start' trace_off trigger 'suppress on'
  > do printf '%s\n' 'version 1' 'place 8000' '8000 e3a00003' '8004 e3a00003' "$line" \
  > '8008 e3a00003' >log; recorded; done
  [1] log:5: "trace_on" is decided by the macrocell: remove such lines
  ! log:5: "trace_off" is decided by the macrocell: remove such lines
  ! log:5: "trigger" is decided by the macrocell: remove such lines
  ! log:5: "suppress" is decided by the macrocell: remove such lines

# Far behind the first instructions.
== what_a_processor_does_not_do_is_named_with_its_line
  $ { printf 'version 1\nplace 00008000\n'
  > awk 'BEGIN { for (i = 0; i < 1000; i++) {
  >                  printf "%08x e1a00000\n", 32768 + 4 * i
  >                  if (i == 700) print "\n# M profile:\npush"
  >              } }'; } >log
  $ for core in arm926ej-s cortex-r4 cortex-a9; do recorded --core $core; done
  [1] log:706: the macrocell cannot trace what was executed near 0x00008af0
  ! log:706: the macrocell cannot trace what was executed near 0x00008af0
  ! log:706: the macrocell cannot trace what was executed near 0x00008af0

== a_recording_that_fails_leaves_nothing_of_its_own
  $ mkdir mine; echo kept >mine/other
  $ for place in failed mine; do etm record --execution broken.log -o $place; done; echo *
  broken.log mine one.log
  ! broken.log:1: "nonsense" is neither the address of an instruction nor a word that begins a line
  ! broken.log:1: "nonsense" is neither the address of an instruction nor a word that begins a line
  $ cat mine/* => kept
  $ (trap '' XFSZ; ulimit -f 0; exec etm record --execution one.log -o full) 2>&1 | cat >err
  > grep -v gcda err # nor can a build that measures coverage write its counters
  etm: full/code.bin: cannot be written: File too large
  $ echo * => broken.log err mine one.log

# Ctrl-C; the trace up to there is written.
== an_interrupted_program_is_written
need emulator
  $ timeout --foreground -k 20 -s INT 1 etm record $ELF -o endless 2>err; sed 's/0x.*/X/
  > s/[0-9][0-9]*/N/g' err
  etm: interrupted, near X
  etm: N instructions, N exceptions, N transfers, N cycles: N bytes of trace
  $ etm decode endless --stats | grep -c '"instructions"' => 1

== a_program_that_does_not_end_is_ended
need emulator
  $ etm record $ELF -o usual
  ! the limit of instructions was reached, at 0x00000070; it is 10000000 unless --limit N or --limit none says otherwise
  ! 10000000 instructions, 235654 exceptions, 3771101 transfers, 17676771 cycles: 3542477 bytes of trace
  $ etm decode usual --stats | grep '"instructions"'
  {"k":"count","src":16,"what":"instructions","of":null,"n":10000000}
  $ etm record $ELF -o logged --log log --limit 20000 2>err
  $ { cat log; sleep 3; } | timeout --foreground -k 20 -s INT 1 etm record --core cortex-m3 \
  > --execution - -o stopped 2>err => [124]
  $ etm decode stopped | tail -n 1 =>     1b4e  == end of trace

== one_is_no_plural
  $ cat >one.log <<END
  > version 1
  > place 00008000
  > 00008000 e3a00003
  > exception svc +1 to=00000008:a
  > 00000008 e5801000 w4:00009000=1
  > END
  $ printf '\000\060\240\343' >mov.bin
  $ etm record --execution one.log --core cortex-r4 --data both -o one
  ! 2 instructions, 1 exception, 1 transfer, 3 cycles: 27 bytes of trace
  $ etm decode one --image mov.bin@0x8000
  ETM_0 (0x10): ETMv3.3, Cortex-R4 cpu_0
         7  == trace on: start
         7  -- context: arm
         d  00008000-00008004     1     (esc)
         e  ** exception: svc (10), returns to 00008004
        15  00000008-0000000c     1     (esc)
        16       store r1 -> [00009000] = 00000001  by 00000008
        1e  == end of trace
  $ etm coverage one --image mov.bin@0x8000 | sed -n 2p => 2 instructions executed
  $ etm info one | tail -n 1 =>     trace      27 bytes in ETB_0, 6 packets, 1 A-sync, 1 I-sync
  $ printf x >x.bin; for framing in none coresight; do for command in info packets decode
  > do etm $command x.bin --protocol pft --framing $framing; done; done 2>&1 | grep '\b1 [^ ]*s'
  note: trace: ETMIDR is not given; PFT 1.1 is assumed
  $ etm info x.bin --protocol pft --framing coresight | grep '\b1 '
      file       x.bin, 1 byte
      damage     1 byte in bad frames
  note: x.bin: 1 byte is not a whole number of 16-byte frames
  $ etm decode x.bin --protocol pft --from 1
  trace (0x00): PFT 1.1
  ! trace: --from 1: this is beyond its end: it has 1 byte

== code_of_many_places_is_one_file
  $ { echo 'version 1'; for page in 1 2 3 4 5 6 7 8 9 a b c d e f
  > do echo "place 0000${page}000"; echo "0000${page}000 e1a00000"; done; } >places.log
  $ etm record --execution places.log --core cortex-a9 -o places
  ! 15 instructions, 0 exceptions, 0 transfers, 15 cycles: 96 bytes of trace
  $ echo places/*; etm info places | grep -c '0x0000.000-0x0000.004'
  places/code.bin places/cstrace.bin places/device_0.ini places/device_1.ini places/snapshot.ini places/trace.ini
  15

== framings_and_ids_that_a_macrocell_has_not
  $ etm record --execution one.log --etm v1.3 --framing coresight -o formatted
  [1] --framing coresight: ETMv1 and ETMv2 output port samples: use port or none
  $ etm record --execution one.log --core arm7tdmi --trace-id 5 -o numbered
  [1] --trace-id: ETMv1 and ETMv2 have no trace ID
