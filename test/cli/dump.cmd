# SPDX-License-Identifier: Apache-2.0
# The registers of a raw file's macrocell, out of a file.

  $ while IFS='()=' read -r name number value
  > do case $number in
  > 0x*) printf '0xe0041%03x: %08x \n' $((4 * number)) $((${value#=})) ;;
  > esac; done <$M3/device_1.ini >listed.mdw
  $ dumped() { etm decode $RAW --framing coresight --dump "$1" --image $ELF --format jsonl; }

# Registers stand as in a snapshot, as a debugger lists them, with the commands of a terminal,
# with a column of characters, and as words without 0x.
== registers_come_of_a_file
  $ { printf '\357\273\277J-Link>mem32 0xE0041000, 400\r\n'
  > sed 's/^0x\([^:]*\):/\1 =/' listed.mdw | tr a-f A-F; echo 'J-Link>'; } >listed.jlink
  $ { echo '(gdb) x/256xw 0xe0041000'; cat listed.mdw; echo '(gdb) '; } >listed.gdb
  $ { echo '> mdw 0xe0041000 256'; cat listed.mdw; echo '> '; } >listed.telnet
  $ sed 's/^0x\(.*\) $/\1    ..@./' listed.mdw >listed.md
  $ sed -n 's/^\(ETM[A-Z0-9]*\)([0-9A-Fx]*)=0x\(.*\)/\1 \2/p' $M3/device_1.ini | tr -d '\r' |
  > while read -r name value; do echo "  $name = $(printf %8s $value | tr ' ' 0)"; done >listed.csal
  $ head -n 2 listed.mdw listed.csal
  ==> listed.mdw <==
  0xe0041000: 00000800  (esc)
  0xe00411e0: 00000100  (esc)

  ==> listed.csal <==
    ETMCR = 00000800
    ETMSYNCFR = 00000100
  $ etm decode $M3 --format jsonl >expected
  $ for file in $M3/device_1.ini listed.*; do dumped $file | cmp - expected; done; wc -l <expected
  7444

== other_registers_are_noted
  $ etm info $RAW --framing coresight --dump listed.mdw --reg ETMCR=0x1000 | grep -A1 traces
      traces     cycle-accurate, no context ID, alternative branch encoding,
                 no data, M profile, synchronization every 256 bytes
  $ { cat listed.mdw; echo '0xe0040000: 0000000f'; } >listed.blocks
  $ etm info $RAW --framing coresight --dump listed.blocks | grep protocol
      protocol   ETMv3.4
  ! listed.blocks: note: 1 access to other addresses is passed over, such as 0xe0040000
  $ etm info $RAW --framing coresight --dump - <listed.mdw | grep protocol
      protocol   ETMv3.4

== what_is_refused
  $ dumped nosuch => [1] nosuch: No such file or directory
  $ etm decode $M3 --format jsonl | sed -n 1p >line; dumped line
  [1] line:1: no register has that name: k
  $ etm decode - --dump - => [2] --dump -: standard input is already the capture (usage)
  $ etm decode $RAW --dump listed.mdw --dump listed.mdw => [2] --dump: only one at a time (usage)
  $ etm decode $RAW --framing coresight --dump listed.mdw -o listed.mdw
  [1] listed.mdw: the output would replace the dump
  $ etm decode $M3 --dump listed.mdw
  [1] $M3: a snapshot has its own configuration, registers can only be given for a raw file
