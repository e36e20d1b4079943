# SPDX-License-Identifier: Apache-2.0
# Nothing that is read is lost: an output does not replace it.

  $ cp $RAW raw.bin; cp $ELF code.elf; cp -r $M3 copied; chmod -R u+w copied
  $ raw='--framing coresight --protocol etmv3'
  $ printf 'ETMIDR = 0x4114f253\nETMCCR = 0x8c802000\nETMCCER = 0x18541800\n' >dump; cp dump kept
  $ printf 'version 1\n00008000 e1a00000\n' >one.log

== files_of_a_capture
  $ etm decode raw.bin $raw -o raw.bin => [1] raw.bin: the output would replace the trace
  $ etm decode $RAW $raw --image code.elf -o code.elf
  [1] code.elf: the output would replace the code
  $ for file in snapshot.ini cpu_0.ini device_1.ini trace.ini sensor.elf
  > do etm decode copied -o copied/$file; cmp $M3/$file copied/$file; done
  ! copied/snapshot.ini: the output would replace a file of the snapshot
  ! copied/cpu_0.ini: the output would replace a file of the snapshot
  ! copied/device_1.ini: the output would replace a file of the snapshot
  ! copied/trace.ini: the output would replace a file of the snapshot
  ! copied/sensor.elf: the output would replace the code
  $ etm decode - $raw -o raw.bin <raw.bin => [1] raw.bin: the output would replace the trace
  $ etm decode raw.bin $raw >>raw.bin => [1] standard output: the output would replace the trace
  $ cmp raw.bin $RAW; cmp code.elf $ELF
  $ head -c 1600 $RAW >copied/first; tail -c +1601 $RAW >copied/second; cp copied/second second
  $ sed 's/^file=cstrace.bin/file=first,second/' $M3/trace.ini >copied/trace.ini
  $ etm decode copied -o copied/second
  [1] copied/second: the output would replace a file of the snapshot
  $ cmp copied/second second
  $ etm index $A9 --format jsonl >index; cp index index.kept
  $ etm decode $A9 --from ts:5000 --index index -o index
  [1] index: the output would replace the index
  $ cmp index index.kept

== files_of_a_setup
  $ etm configure --dump dump -o dump => [1] dump: the output would replace the dump
  $ etm configure --dump - -o dump <dump => [1] dump: the output would replace the dump
  $ etm configure --core cortex-m3 --elf code.elf -o code.elf
  [1] code.elf: the output would replace the program
  $ etm explain dump -o dump => [1] dump: the output would replace the registers
  $ etm explain dump --elf code.elf -o code.elf
  [1] code.elf: the output would replace the program
  $ cmp dump kept; cmp code.elf $ELF

== files_of_a_recording
  $ mkdir there; for place in made there; do for file in cstrace.bin snapshot.ini trace.ini \
  > device_1.ini code.bin; do etm record --execution one.log -o $place --log ./$place/$file
  > done; done 2>&1 | sed 's/[^ ]*: /X: /2' | sort | uniq -c
       10 etm: X: the log would replace a file of the snapshot
  $ echo * there/* => code.elf copied dump kept one.log raw.bin there there/*
  $ cp one.log there/trace.ini; etm record --execution there/trace.ini -o there
  [1] there/trace.ini: the snapshot would replace what is read
  $ cmp one.log there/trace.ini
  $ etm record --execution one.log -o there --log there/execution.txt
  ! 1 instruction, 0 exceptions, 0 transfers, 1 cycle: 12 bytes of trace
  $ echo there/*; cat there/execution.txt
  there/code.bin there/cstrace.bin there/device_0.ini there/device_1.ini there/execution.txt there/snapshot.ini there/trace.ini
  version 1
  00008000 e1a00000

== sums_may_be_added_up_where_they_are
  $ etm decode $M3 --stats >sums; etm merge sums sums >twice; etm merge sums sums -o sums
  $ cmp sums twice; wc -l <sums => 157
