# SPDX-License-Identifier: Apache-2.0
# What cannot be read: status 1, and one line with the file and what is wrong in it.

  $ copy() { rm -rf snapshot; cp -r $M3 snapshot; chmod -R u+w snapshot; }
  $ copy
  $ counted() { sort | uniq -c; }

== files_and_sources
  $ etm decode nosuch => [1] nosuch: cannot read the file: No such file or directory
  $ etm decode nosuch.ini => [1] nosuch.ini: cannot read the file: No such file or directory
  $ etm decode "" => [1] "": cannot read the file: No such file or directory
  $ etm decode $M3 --source 0x55 => [1] $M3: no trace source 0x55: there is ETM_0 (0x10)
  $ etm decode $RAW --protocol etmv3 --reg ETMIDR=0 => [1] ETMIDR is 0x0: no macrocell is present
  $ etm decode $RAW --protocol etmv3 --framing coresight --reg ETMTRACEIDR=0x7f
  [1] ETMTRACEIDR is 0x7f, which is not the trace ID of a source
  $ etm decode $RAW --protocol pft --reg ETMIDR=0x4114f240
  [1] ETMIDR is 0x4114f240: the protocol is etmv3, not pft
  $ etm decode $RAW --framing none
  [1] $RAW: source trace (0x00) cannot be decoded: its bytes do not tell the protocol: give --core NAME or --protocol ('etm info' says more)
  $ etm decode $M3 --protocol pft
  [1] $M3: a snapshot has its own configuration, a protocol can only be given for a raw file
  $ etm decode $M3 -o nosuch/out => [1] nosuch/out: No such file or directory
  $ for number in -5 +7 ' 7' 0x7 7.5; do echo "{\"k\":\"range\",\"n\":$number}" >counts
  > etm merge counts; done
  [1] counts:1: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print
  ! counts:1: not a line of counts, as 'etm decode --stats' and 'etm coverage --format jsonl' print (4 times)

# The file and the line are named.
== snapshots_that_are_not_right
  $ rm snapshot/cstrace.bin; etm decode snapshot
  [1] snapshot/trace.ini:6: cannot read the file snapshot/cstrace.bin: No such file or directory
  $ copy; rm snapshot/sensor.elf; etm decode snapshot
  [1] there is no code to decode with (use --image FILE): snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: No such file or directory
  $ etm packets snapshot >out # they need no code
  ! snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: No such file or directory
  $ etm decode snapshot --image $ELF >out
  ! snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: No such file or directory
  $ printf '\n[dump1]\nfile=nosuch.bin\naddress=0x70000000\n' >>snapshot/cpu_0.ini
  $ etm decode snapshot
  [1] there is no code to decode with (use --image FILE): snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: No such file or directory; 'etm info' lists more
  $ etm decode snapshot --image $ELF | tail -n 1
      233e  == end of trace
  ! snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: No such file or directory
  ! snapshot/cpu_0.ini:15: this code is skipped: cannot read the file snapshot/nosuch.bin: No such file or directory
  $ mkdir snapshot/sensor.elf; cp $M3/cpu_0.ini snapshot; etm decode snapshot
  [1] there is no code to decode with (use --image FILE): snapshot/cpu_0.ini:12: this code is skipped: cannot read the file snapshot/sensor.elf: Is a directory
  $ copy; sed 's/^file=sensor.elf/&\nlength=0x10000000\naddress=0/' $M3/cpu_0.ini >snapshot/cpu_0.ini
  $ head -c 100 $ELF >snapshot/sensor.elf; etm decode snapshot >out
  ! snapshot/cpu_0.ini:12: the available part is used: the file snapshot/sensor.elf is too short: it has 100 bytes, but 268435456 from offset 0 on are needed
  ! ETM_0 (0x10): code missing at 1878 places, and none was found: is it there (--image), and are protocol and registers right?
  $ copy; printf '\n[dump9]\nfile=sensor.elf\naddress=0x7000\nspace=moon\n' >>snapshot/cpu_0.ini
  $ etm decode $M3 >whole; etm decode snapshot | cmp - whole
  ! snapshot/cpu_0.ini:17: this code is skipped: unknown address space moon
  $ etm info snapshot | grep ^note
  note: snapshot/cpu_0.ini:17: this code is skipped: unknown address space moon
  $ copy; sed 's/^ETMIDR(0x079)=.*/ETMIDR(0x079)=0x4114F2XX/' $M3/device_1.ini >snapshot/device_1.ini
  $ etm decode snapshot => [1] snapshot/device_1.ini:9: ETMIDR(0x079) is "0x4114F2XX": not a number
  $ copy; printf '\n[surprise]\nx=1\n' >>snapshot/device_1.ini; etm info snapshot | grep surprise
  note: snapshot/device_1.ini:13: unknown section [surprise] is ignored
  $ etm info snapshot --format jsonl | grep note
  {"k":"note","text":"snapshot/device_1.ini:13: unknown section [surprise] is ignored"}

# ETMIDR tells what a source without a type is, or ETMCCR, of versions without ETMIDR.
== a_source_without_a_type_needs_its_identification
  $ printf '%s\n' 'version 1' 'place 8000' '00008000 e1a00000' >log
  $ etm record --execution log --core arm7tdmi -o typed 2>err
  $ for registers in 'ETMCR\|ETMCCR' ETMCR; do rm -rf less; cp -r typed less
  > sed -i -e '/^type=/d' -e '/^ETM/{/\('$registers'\)(/!d}' less/device_1.ini
  > etm decode less | sed 1q; done
  ETM_0 (0x00): ETMv1.2, ARM7TDMI cpu_0
  ! less: source ETM_0 (0x00) cannot be decoded: its file names neither a type nor ETMIDR ('etm info' says more)

# As Windows writes it (E-329).
== backslashes_in_a_snapshot_separate_folders
  $ etm decode $M3 >whole; mkdir snapshot/bin
  > mv snapshot/cstrace.bin snapshot/sensor.elf snapshot/bin
  $ for file in snapshot/*.ini; do sed 's/file=/file=bin\\/; s/$/\r/' $file >text; mv text $file
  > done
  $ etm decode snapshot | cmp - whole; tail -n 1 whole =>     233e  == end of trace

# A clock of 32 bits has no name for that day.
== files_may_be_of_2040
  $ touch -t 204006010000 snapshot/* snapshot; etm decode snapshot | tail -n 1
      233e  == end of trace

== messages_have_no_commands_for_terminals
  $ printf 'time,\033[7m,b\n1,2,3\n' >colours.csv
  $ etm decode colours.csv --framing port --protocol etmv3
  [1] colours.csv:1: TRACECLK is not in the dump: name it with --signals (there are ?[7m, b)
  $ printf 'time,\302\2337m,b\n1,2,3\n' >colours.csv
  $ etm decode colours.csv --framing port --protocol etmv3 2>&1 | grep -o 'there are.*'
  there are ?7m, b)

# What is nearly right says how it becomes so.
== files_that_are_no_code
  $ : >empty; printf ':10000000004000205B010000590100005901000080\r\n:00000001FF\r\n' >code.hex
  $ printf 'S00A00006D332E737265637A\nS9030000FC\n' >code.srec
  $ printf ':0200000018479F\n:00000001FE\n' >wrong.hex; printf ':1' >colon.bin
  $ { head -c 16 $ELF; printf '\001'; tail -c +18 $ELF; } >module.ko
  $ for image in nosuch.elf /dev/zero@0 mov.bin@0xz wrong.hex code.hex@0x8000 code.srec $ELF@0x8000 \
  > module.ko empty@0x8000; do etm decode $M3 --image $image; done
  [1] nosuch.elf: cannot read the file: No such file or directory
  ! /dev/zero: cannot read the file: it is a device or a pipe
  ! mov.bin@0xz: there is no such file, and 0xz is not an address
  ! wrong.hex:2: the record's checksum is wrong
  ! code.hex@0x8000: the records in code.hex have addresses of their own: give it without @0x8000
  ! code.srec:1: there are no records with data
  ! $ELF: an executable, which has its own addresses: give it without an address, or as a binary ('objcopy -O binary') with one
  ! module.ko: an object file that is not linked: it has no addresses yet; those of a kernel module are in a copy of the kernel's memory (/proc/kcore)
  ! empty@0x8000: the file is empty
  $ for image in code.hex colon.bin@0x80000000; do etm decode $M3 --image $image | tail -n 1; done
      233e  == end of trace
      233e  == end of trace

== text_that_is_no_samples
  $ hex() { od -An -v -t$1 $RAW | head -$2; }
  $ printf '0 84 1\n0 8 1\n0 841 1\n0 81 11\n0 841\n' >odd.txt; printf '1 4 839c\n' >wide.txt
  $ hex x4 20 >words.txt
  $ etm decode odd.txt --framing coresight --protocol etmv3
  [1] odd.txt: it is text, not frames: convert a hexadecimal dump with 'xxd -r -p', without its addresses; for samples of a trace port, use the framing port
  $ etm decode $RAW --framing port --protocol etmv3
  [1] $RAW: it is not samples as text, a table or a value change dump: for binary samples, use the port format records, etb or bytes; for trace that is not samples, another framing
  $ etm decode words.txt --framing port --protocol etmv3
  [1] words.txt:1: TRACECTL is larger than 0x1; a line of port samples has the numbers TRACECTL TRACEDATA
  $ etm decode wide.txt --framing port --protocol etmv1
  [1] wide.txt:1: TRACEPKT is larger than 0xff; the number of pins comes from ETMCR, or --port-width

# Bytes without addresses, as analysers export them.
== bytes_and_words_in_hexadecimal_are_no_samples
  $ hex() { od -An -v -t$1 $RAW | head -$2; }
  $ hex x4 20 >words.txt; hex x1 40 >bytes.txt; tr -d ' \n' <bytes.txt >line.txt
  $ fold -w 60 line.txt >plain.txt; echo >>plain.txt
  $ tr -d ' ' <bytes.txt | fold -w 2 | head -100 >column.txt
  $ { echo 'Time [s],Value,Parity Error,Framing Error'
  > sed 's/.*/0.000012000000000,0x&,,/' column.txt; } >saleae.csv
  $ { echo 'name,type,start_time,duration,data'
  > sed 's/.*/"Async Serial","data",0.0012,0.0001,0x&/' column.txt; } >logic2.csv
  $ sed 's/^/uart-1: /' column.txt >sigrok.txt; sed 's/^/0x/; s/$/,/' column.txt >array.txt
  $ for framing in none tpiu; do for file in *.txt *.csv
  > do etm info $file --framing $framing --protocol etmv3; done; done 2>&1 | counted
        2 etm: array.txt: it is bytes in hexadecimal: convert it with 'xxd -r -p'
        2 etm: bytes.txt: it is bytes in hexadecimal: convert it with 'xxd -r -p'
        2 etm: column.txt: it is bytes in hexadecimal: convert it with 'xxd -r -p'
        2 etm: line.txt: it is bytes in hexadecimal: convert it with 'xxd -r -p'
        2 etm: logic2.csv: it is a list of bytes, as of a serial line (UART, SWO): take the bytes alone, and convert them with 'xxd -r -p'
        2 etm: plain.txt: it is bytes in hexadecimal: convert it with 'xxd -r -p'
        2 etm: saleae.csv: it is a list of bytes, as of a serial line (UART, SWO): take the bytes alone, and convert them with 'xxd -r -p'
        2 etm: sigrok.txt: it is a list of bytes, as of a serial line (UART, SWO): take the bytes alone, and convert them with 'xxd -r -p'
        2 etm: words.txt: it is words in hexadecimal: convert it with 'xxd -r -p' and 'objcopy -I binary -O binary --reverse-bytes=4'

# Memory as tools list it: what it is, and how to get the bytes.
== listings_of_memory_are_no_samples
  $ while read -r line; do { printf "$line\n"; printf "$line\n"; } >listed.txt
  > for framing in none coresight; do etm info listed.txt --framing $framing --protocol etmv3
  > done; done 2>&1 <<'END' | uniq -c
  > 0x20000000: 80000000 15200880 bc000002 30bcbc00
  > 20000000: 80000000 15200880 bc000002 30bcbc00
  > 0x20000000 <etb+16>:\t0x80000000\t0x15200880
  > 20000000 = 80000000 15200880 BC000002 30BCBC00
  > J-Link>mem32 0x20000000 4\n20000000 = 80000000 15200880
  > 20000000: 80000000 15200880 bc000002 30bcbc00    ..... ......\0740
  >  SD:20000000\174>80000000 15200880 BC000002 30BCBC00 ..... ......\0740
  > ENSD:20000010\174 80000000 15200880 BC000002 30BCBC00 ..... ......\0740
  > 20000000 = 21 00 00 00 00 00 80 08  20 15 02 00 00 BC BC 30  !....... ......0
  > 00000000: 2100 0000 0000 8008 2015 0200 00bc bc30  !....... ......0
  > 00000000  21 00 00 00 00 00 80 08  20 15 02 00 00 bc bc 30
  > :10000000210000000000800820150200000BCBC3030
  > S113000021000000000080082015020000BCBC30E4
  > END
       16 etm: listed.txt: it is a listing of words in memory: dump the bytes with OpenOCD's dump_image, GDB's dump binary memory or J-Link's savebin, or remove the addresses and convert it with 'xxd -r -p' and 'objcopy -I binary -O binary --reverse-bytes=4'
        6 etm: listed.txt: it is a hexadecimal dump with addresses: convert one made by xxd with 'xxd -r'; from others remove the addresses and use 'xxd -r -p'
        2 etm: listed.txt: it is Intel HEX: convert it with 'objcopy -I ihex -O binary'
        2 etm: listed.txt: it is S-records: convert it with 'objcopy -I srec -O binary'

# Two numbers in a line are samples, whatever stands before.
== samples_are_no_listing
  $ printf '0 84\n1 00\n0 80\n0 84\n0 84\n0 84\n0 84\n0 84\n' >samples.txt
  $ { echo 'Time [s],D0,D1,D2,D3,CLK'
  > for time in 1 2 3 4 5 6 7 8 9; do echo "0.$time,1,0,1,0,$((time % 2))"; done; } >samples.csv
  $ printf '00 04 84\n01 03 00\n00 04 80\n00 04 84\n00 04 84\n' >padded.txt
  $ for file in samples.txt samples.csv padded.txt; do etm info $file | grep -A2 'look'; done
      the bytes  look like text or OpenOCD's samples: try --framing port
                 (text that shows bytes instead, as of a UART or SWO, has to be
                 converted to these bytes)
      the bytes  look like text or OpenOCD's samples: try --framing port
                 (text that shows bytes instead, as of a UART or SWO, has to be
                 converted to these bytes)
      the bytes  look like text or OpenOCD's samples: try --framing port
                 (text that shows bytes instead, as of a UART or SWO, has to be
                 converted to these bytes)
