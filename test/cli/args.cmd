# SPDX-License-Identifier: Apache-2.0
# Each command takes options and operands in the same spellings, and says the same of what is
# wrong.

  $ etm decode $M3 --stats -o sums; etm configure --core cortex-a9 -o setup
  $ printf 'version 1\nplace 00008000\n00008000 e3a00003\n' >log
  $ # a command that works, and a long option of it that takes a value
  $ commands="info $M3|--format|jsonl
  > packets $M3|--format|jsonl
  > decode $M3|--format|jsonl
  > index $M3|--format|jsonl
  > merge $PWD/sums||
  > configure --core cortex-a9|--format|c
  > explain --core cortex-a9 $PWD/setup|--format|jsonl
  > record --execution $PWD/log|--trace-id|0x11"

# The file or directory is written where the option says, and no other one.
== where_the_value_of_an_option_is
  $ written() { # FILE ARGUMENT...: that file or directory
  > file=$1; shift; rm -rf there; mkdir there; (cd there && exec etm "$@") 2>err; ls -A there
  > diff -r "there/$file" expected; }
  $ echo "$commands" | while IFS='|' read -r words option value
  > do rm -rf expected; etm $words -o expected 2>err; command=${words%% *} rest=${words#* }
  > written F $words -o F; written F $words -oF; written =F $words -o=F
  > written --help $words -o --help; written -- $words -o --; written F $words -o G -oF
  > written F $command -o F $rest; written F $words -o F --
  > [ -n "$option" ] || continue
  > rm -rf expected; etm $words $option $value -o expected 2>err
  > written F $words $option $value -o F; written F $words $option=$value -o F; done | sort |
  > uniq -c
        8 --
        8 --help
        8 =F
       54 F

== what_is_no_option_or_not_in_this_way
  $ echo "$commands" | while IFS='|' read -r words option value; do command=${words%% *}
  > for word in --frob --frob=1 -x -hx -h=1 --hel --o --o=F --- --help=1 -o $option
  > do etm $words $word >out 2>err; echo $? $(sed "s/'etm $command --help'/HELP/" err) $(wc -c <out)
  > done; done | sort | uniq -c
        8 2 etm: ---: no such option (see HELP) 0
        6 2 etm: --format needs a value (see HELP) 0
        8 2 etm: --frob: no such option (see HELP) 0
        8 2 etm: --frob=1: no such option (see HELP) 0
        8 2 etm: --hel: no such option (see HELP) 0
        8 2 etm: --help takes no value (see HELP) 0
        8 2 etm: --o: no such option (see HELP) 0
        8 2 etm: --o=F: no such option (see HELP) 0
        1 2 etm: --trace-id needs a value (see HELP) 0
        8 2 etm: -h=1: no such option (see HELP) 0
        8 2 etm: -hx: no such option (see HELP) 0
        8 2 etm: -o needs a value (see HELP) 0
        8 2 etm: -x: no such option (see HELP) 0

# A minus is standard input.
== operands
  $ for command in info packets decode index merge explain; do etm $command -- -x
  > case $command in
  > merge) input=sums more= ;;
  > explain) input=setup more='--core cortex-a9' ;;
  > *) input=$RAW more='--protocol etmv3 --framing coresight' ;;
  > esac; etm $command $more - <$input 2>err >whole
  > etm $command $more -- - <$input 2>err | cmp - whole; [ -s whole ] || echo none; done
  ! -x: cannot read the file: No such file or directory (4 times)
  ! -x: No such file or directory
  ! -x: No such file or directory
  $ etm record -o F -- -x => [1] -x: cannot read the file: No such file or directory
  $ etm record --execution log -o expected; etm record --execution - -o recorded <log 2>err
  ! 1 instruction, 0 exceptions, 0 transfers, 1 cycle: 12 bytes of trace
  $ diff -r recorded expected; echo recorded/*
  recorded/code.bin recorded/cstrace.bin recorded/device_0.ini recorded/device_1.ini recorded/snapshot.ini recorded/trace.ini
  $ for word in x - ''; do etm configure --core cortex-a9 -- "$word"; done
  [2] x: not an option (usage)
  ! -: not an option (usage)
  ! "": not an option (usage)

# Before the command, it is that of all.
== help
  $ etm help -- merge | sed -n 1p => usage: etm merge FILE... [-o FILE]
  $ etm help -h merge --help | sed -n 1p => usage: etm merge FILE... [-o FILE]
  $ etm help --frob => [2] --frob: no such option (see 'etm --help')
  $ etm help --help=1 => [2] --help takes no value (see 'etm --help')
  $ etm help -- -x => [2] -x: no such command (see 'etm --help')
  $ etm help - => [2] -: no such command (see 'etm --help')
  $ etm --frob decode $M3 => [2] --frob: no such option (see 'etm --help')
  $ etm --format => [2] --format needs a value (see 'etm --help')
  $ etm decode $M3 --format= 2>&1 | cut -c 1-40 => etm: --format "": not one of text, jsonl
