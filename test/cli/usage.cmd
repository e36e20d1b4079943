# SPDX-License-Identifier: Apache-2.0
# Help, and what is wrong on the command line: status 2, and one line that points at
# the help.

== help_of_all_and_of_a_command
  $ etm help >all; etm help --help | cmp - all; grep -c 'etm decode *CAPTURE' all => 1
  $ for words in 'help decode --help' 'help -h decode' '-h decode' '--help decode' 'decode --help'
  > do etm $words >out; etm help decode | cmp - out; done; grep -- '--shard I/N' out
    --shard I/N          part I of N; all parts together are the whole
  $ etm --help merge | sed -n 1p => usage: etm merge FILE... [-o FILE]
  $ etm help decode info --help => [2] info: help is for one command at a time (see 'etm --help')
  $ etm help frob => [2] frob: no such command (see 'etm --help')
  $ for command in info packets decode index merge configure explain record
  > do etm $command --help | grep "^  etm $command " | sed -n 1p; done
    etm info demo/cortex-m3
    etm packets demo/cortex-a9 --source PTM_0
    etm decode demo/cortex-m3 --level instructions --source-lines
    etm index perf.data --format jsonl -o points
    etm merge a b -o both
    etm configure --chip stm32f407 --sink tpiu:4 --format openocd -o trace.tcl
    etm explain registers.txt --elf program.elf
    etm record program.elf --core cortex-m3 -o recorded

== nothing_surplus_is_ignored
  $ for option in --help -h help; do for more in frob 'decode info' --frob
  > do etm $option $more; done; done 2>&1 | sort | uniq -c
        3 etm: --frob: no such option (see 'etm --help')
        3 etm: frob: no such command (see 'etm --help')
        3 etm: info: help is for one command at a time (see 'etm --help')

== the_version_is_asked_for_alone
  $ etm --version => etm 0.1.0
  $ for words in '--version extra' '--version info' '--version --frob' '--version --version' \
  > 'decode --version' '--color --version' '--help --version' '-h --version' 'help --version' \
  > 'merge --version' 'record --version' 'configure --version' 'explain --version'
  > do etm $words; done 2>&1 | sort | uniq -c
        9 etm: --version: nothing else may be given (see 'etm --help')
        1 etm: --version: nothing else may be given (see 'etm configure --help')
        1 etm: --version: nothing else may be given (see 'etm explain --help')
        1 etm: --version: nothing else may be given (see 'etm merge --help')
        1 etm: --version: nothing else may be given (see 'etm record --help')

== a_minus_is_standard_output
  $ etm decode $M3 -o - | tail -n 1 =>     233e  == end of trace
  $ etm configure --core cortex-m3 -o - | grep ETMCR => ETMCR          = 0x00000810  # 0x000
  $ echo * => *

== a_command_is_needed
  $ etm 2>err; grep -c 'usage: etm info' err => 1
  $ etm --color => [2] no command is given (see 'etm --help')

== names_that_are_near_are_proposed
  $ near() { sed "s/^etm: \(.*\): no such.*; did you mean '\(.*\)'?/\1=\2/" | paste -sd' '; }
  $ for command in decod recrod Info pakets conf merg indx exlpain coverge
  > do etm $command x; done 2>&1 | near
  decod=decode recrod=record Info=info pakets=packets conf=configure merg=merge indx=index exlpain=explain coverge=coverage
  $ for option in --souce-lines --stat --form=jsonl --no-colr
  > do etm decode x $option; done 2>&1 | near
  --souce-lines=--source-lines --stat=--stats --form=jsonl=--format --no-colr=--no-color
  $ for name in ETMCRR etmtraceid CCR0; do etm decode x --reg $name=1; done
  [2] --reg ETMCRR=1: no register has that name (see 'etm decode --help'); did you mean 'ETMCR'?
  ! --reg etmtraceid=1: no register has that name (see 'etm decode --help'); did you mean 'ETMTRACEIDR'?
  ! --reg CCR0=1: no register has that name (see 'etm decode --help'); did you mean 'CCR'?
  $ for words in 'record x -o y' 'decode x' configure "explain $M3/device_1.ini"
  > do etm $words --core cotex-m3; done
  [2] --core cotex-m3: no such core ('etm configure --core list' shows them); did you mean 'cortex-m3'?
  ! --core cotex-m3: no such core ('etm configure --core list' shows them); did you mean 'cortex-m3'? (3 times)

== nothing_is_near
  $ for words in 'xyzzy x' 'decode x --xyzzy' 'decode x --frob' 'decode x --o' \
  > 'decode x --reg XYZZY=1' 'configure --core z80'; do etm $words; done
  [2] xyzzy: no such command (see 'etm --help')
  ! --xyzzy: no such option (see 'etm decode --help')
  ! --frob: no such option (see 'etm decode --help')
  ! --o: no such option (see 'etm decode --help')
  ! --reg XYZZY=1: no register has that name (see 'etm decode --help')
  ! --core z80: no such core ('etm configure --core list' shows them)

== values_and_operands_that_are_refused
  $ etm decode => [2] decode: no capture is given (usage)
  $ etm decode a b => [2] b: only one capture at a time (usage)
  $ etm packets $M3 --frob => [2] --frob: no such option (usage)
  $ etm decode $M3 --color=sometimes
  [2] --color sometimes: not one of auto, always, never (usage)
  $ etm decode $M3 --from 5x => [2] --from 5x: not a number of bytes, N%, ts:N or cyc:N (usage)
  $ etm decode $M3 --format xml => [2] --format xml: not one of text, jsonl (usage)
  $ etm decode $RAW --protocol etmv9
  [2] --protocol etmv9: not one of etmv1, etmv2, etmv3, pft, itm, mtb (usage)
  $ etm decode $RAW --framing=frames
  [2] --framing frames: not one of none, coresight, dstream, tpiu, port, tpiu-port, swo, mtb, orbflow (usage)
  $ etm decode $M3 --level lines => [2] --level lines: not one of ranges, instructions (usage)
  $ etm decode $M3 --profile x => [2] --profile x: not one of a, r, m (usage)
  $ etm decode $M3 --jobs +2 => [2] --jobs +2: not a number from 1 to 1024 (usage)
  $ etm decode $M3 --from ts:1 --index -
  [2] --index -: it is read more than once, so it cannot be standard input (usage)
  $ etm decode $M3 --source => [2] --source needs a value (usage)
  $ etm decode $M3 --cycles=1 => [2] --cycles takes no value (usage)
  $ for interrupt in nmi@10:3 irq/10:3 fiq@10/5:3; do etm record $ELF -o never \
  > --interrupt $interrupt; done 2>&1 | sed 's/ [a-z]*[@/].*:/ X:/'
  etm: --interrupt X: only irqN, systick and pendsv have a priority (see 'etm record --help') (3 times)
  $ etm record $ELF -o never --limit 0
  [2] --limit 0: neither a number above 0 nor 'none' (usage)

# Zeros in front do not make numbers octal.
== zeros_in_front_of_numbers_mean_nothing
  $ etm decode $M3 --format jsonl --from 700 --to 0x3e8 >decimal
  $ etm decode $M3 --format jsonl --from 0700 --to 01000 | cmp - decimal; wc -l <decimal => 329
  $ etm decode $M3 --jobs 08 --source 016 | tail -n 1 =>     233e  == end of trace
  $ etm decode $RAW --protocol etmv3 --reg ETMTRACEIDR=0019 --framing coresight
  0x13 (0x13): ETMv3.5
         0  == end of trace
  ! 0x13 (0x13): there is nothing to decode; the trace IDs there are 0x10
  $ etm configure --core cortex-m3 --trace-id 0128
  [2] --trace-id 0128: not from 1 to 0x6f (usage)

== registers_that_are_refused
  $ refused() { etm decode $RAW --reg $1; }
  $ refused FOO=1 => [2] --reg FOO=1: no register has that name (see 'etm decode --help')
  $ refused ETMABCDEFGHIJKLMNOPQRSTUVWXYZ=1
  [2] --reg ETMABCDEFGHIJKLMNOPQRSTUVWXYZ=1: no register has that name (see 'etm decode --help')
  $ refused ETMCR => [2] --reg ETMCR: not of the form NAME=VALUE (see 'etm decode --help')
  $ refused ETMCR=0x1g
  [2] --reg ETMCR=0x1g: the value is not a number of up to 32 bits (see 'etm decode --help')
  $ refused ETMCR=-1
  [2] --reg ETMCR=-1: the value is not a number of up to 32 bits (see 'etm decode --help')
  $ for value in 0x10000000000000000 0x100000000 4294967296
  > do refused ETMCR=$value; etm record $RAW -o never --reg ETMCR=$value; done 2>&1 |
  > sed 's/ (.*//'
  etm: --reg ETMCR=0x10000000000000000: the value is not a number of up to 32 bits
  etm: --reg ETMCR=0x10000000000000000: the value is not a number of up to 32 bits
  etm: --reg ETMCR=0x100000000: the value is not a number of up to 32 bits
  etm: --reg ETMCR=0x100000000: the value is not a number of up to 32 bits
  etm: --reg ETMCR=4294967296: the value is not a number of up to 32 bits
  etm: --reg ETMCR=4294967296: the value is not a number of up to 32 bits
  $ etm decode $RAW --protocol etmv3 --reg ETMCR=0xffffffff --framing none
  trace (0x00): ETMv3.5
         0  !! 5089 bytes lost: unsynchronized
      142f       data  [?] = 00000000
      1430  !! 1117 bytes lost: bad_packet
      189f       data  [?] = 00000000
      18a0  !! 841 bytes lost: bad_packet
      1bfb  == trace on: start
      1c01  !! 1841 bytes lost: bad_packet
      2350  == end of trace
  ! trace (0x00): unsynchronized: 5089 bytes lost in 1 place; bad_packet: 3799 bytes lost in 3 places; little could be decoded: are protocol, registers and framing right ('etm info')?

== options_are_those_of_a_command
  $ etm packets $M3 --level ranges
  [2] --level is for 'etm decode', 'coverage' and 'diff' only (usage)
  $ etm --level ranges packets $M3
  [2] --level is for 'etm decode', 'coverage' and 'diff' only (see 'etm packets --help')
  $ etm --cycles info $M3 => [2] --cycles is for 'etm decode' only (see 'etm info --help')
  $ etm decode $M3 --by line --watch x => [2] --by is for 'etm profile' only (usage)
  $ etm --watch x --by line decode $M3
  [2] --watch is for 'etm timeline', 'variables' and 'report' only (see 'etm decode --help')
  $ etm info $M3 --jobs 2 => [2] --jobs is not for 'etm info', 'packets', 'index' or 'split' (usage)
  $ etm gdb $M3 --format x => [2] --format is not for 'etm gdb' (usage)
  $ etm decode $M3 --write-pointer 12,x => [2] --write-pointer 12,x: not a number of bytes (usage)
  $ etm decode $M3 --format html => [2] --format html is for 'etm report' only (usage)
  $ etm packets $M3 --format xml => [2] --format xml: not one of text, jsonl, vcd (usage)
  $ etm timeline $M3 --format xml -o x => [2] --format xml: not one of perfetto, chrome, ctf (usage)
  $ etm coverage $M3 --level packets => [2] --level packets is for 'etm diff' only (usage)
  $ etm diff $M3 $M3 --level x
  [2] --level x: not one of ranges, instructions, packets (usage)
  $ etm decode $M3 --source-lines --format jsonl
  [2] --source-lines is for --format text only (usage)
  $ etm --format=jsonl --source-lines decode $M3
  [2] --source-lines is for --format text only (see 'etm decode --help')

== cycles_of_packets_are_a_key_of_json_lines_too
  $ etm decode $M3 --format jsonl >whole; etm decode $M3 --format jsonl --cycles >out
  ! ETM_0 (0x10): --cycles: its trace has no cycles: it is not cycle-accurate (ETMCR, bit 12)
  $ grep '"k":"context"' out | sort | uniq -c
        1 {"k":"context","src":16,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":null,"vmid":null,"since":null}
  $ sed '/"k":"context"/s/,"since":null}$/}/' out | cmp - whole

== shares_of_a_capture
  $ for share in 1e1% 0x10% .5% 5.% 1.5.2% % 100.01% -0% ' 5%' inf%
  > do etm decode $M3 --from "$share"; done 2>&1 | sed 's/ [^:]*%:/ X:/'
  etm: X: not a number of bytes, N%, ts:N or cyc:N (see 'etm decode --help') (10 times)
  $ etm decode $M3 --to 100.00000000000000000001%
  [2] --to 100.00000000000000000001%: not a number of bytes, N%, ts:N or cyc:N (usage)
  $ etm decode $M3 --from 50.001% --to 50% => [2] --to 50%: before --from (usage)
  $ etm decode $M3 --from 012.50% | sed -n '1,2p;$p'
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
       357  == trace on: start
      233e  == end of trace
  $ etm decode $M3 --to 18014398509481985K
  [2] --to 18014398509481985K: not a number of bytes, N%, ts:N or cyc:N (usage)
  $ etm decode $M3 --to 18014398509481983K | tail -n 1 =>     233e  == end of trace

# 0.29 times 100 is less than 29 where numbers are binary.
== a_share_is_exact
  $ head -c 100 /dev/zero >hundred
  $ for share in 29% 57% 58.0% 57.9999999999999999999% 100.00%
  > do etm decode hundred --protocol pft --framing none --format jsonl --to $share; done 2>err |
  > grep -o '"off":[^0].*' | paste -sd' ' => "off":29} "off":57} "off":58} "off":57} "off":100}
