# SPDX-License-Identifier: Apache-2.0
# What comes out: listings, files, pipes, colours.

  $ escape=$(printf '\033')
  $ raw="$RAW --framing coresight"

== info_tells_what_is_known_and_what_to_try
  $ etm info $raw
  buffer $RAW
      file       $RAW, 9040 bytes
      framing    coresight
      trace IDs  0x10: 8388 bytes; 565 frames
  source 0x10 (0x10)
      skipped: neither its protocol nor ETMIDR is given
      trace      8388 bytes in $RAW
      the bytes  look like ETMv3, not cycle-accurate, no context ID,
                 alternative branch encoding, no data
                 (8388 bytes tried, 0 not explained)
      not told   version
      try        --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240
  $ etm info $raw --format jsonl
  {"k":"buffer","name":"$RAW","file":"$RAW","framing":"coresight","form":null,"bytes":9040,"stop":null,"looks":null,"first_frame":0,"swapped":null,"block":null,"ids":[{"src":0,"bytes":15},{"src":16,"bytes":8388}],"triggers":0,"unknown_bytes":0,"bad_bytes":0,"moved":0}
  {"k":"source","src":16,"name":"0x10","type":null,"protocol":null,"version":null,"why_not":"neither its protocol nor ETMIDR is given","configuration":null,"core":null,"core_type":null,"code":[],"buffers":["$RAW"],"bytes":8388,"packets":null,"a_syncs":null,"i_syncs":null,"overflows":null,"bad_packets":null,"bad_bytes":null,"unsynchronized_bytes":null,"samples":null,"synchronizations":null,"triggers":null,"guess":{"protocol":"etmv3","cycle_accurate":false,"context_id_bytes":0,"alternative_branches":true,"data_address":false,"data_value":false,"data_only":false,"timestamps":false,"timestamp_bits":null,"timestamp_binary":null,"weak":false,"a_syncs":32,"i_syncs":32,"bad_bytes":0,"sample_bytes":8388,"other":null}}
  $ { etm info $M3; etm info $A9; etm info $raw; } | grep -v "$DEMO" | grep '.\{81\}' => [1]

# No byte tells of the return stack, which the program on the A9 used: E-400
== options_that_info_tells_decode
  $ for core in $M3 $A9; do try=$(etm info $core/cstrace.bin --framing coresight |
  > sed -n 's/^    try  *//p')
  > etm decode $core --format jsonl | grep '"range"' >expected; wc -l <expected
  > etm decode $core/cstrace.bin --framing coresight $try --image $core/sensor.elf --format jsonl |
  > grep '"range"' | cmp - expected; done
  7071
  4689

== only_a_terminal_has_a_pager
  $ for words in decode packets "diff $M3"
  > do TERM=xterm ETM_PAGER='echo paged' etm $words $M3 >out; grep -c paged out; done | sort -u => 0

== info_sees_frames_and_text
  $ printf '1 3 4f\n0 4 80\n' >text; etm info text | grep -A2 look
      the bytes  look like text or OpenOCD's samples: try --framing port
                 (text that shows bytes instead, as of a UART or SWO, has to be
                 converted to these bytes)
  $ etm info $RAW | grep look; etm info $RAW --format jsonl | grep -o '"looks":"[^"]*"'
      the bytes  look like frames of the CoreSight formatter: try --framing coresight
  "looks":"coresight"
  $ head -c 4000 $RAW | tr '\204\210' '\020\022' >noise; etm info noise --framing coresight |
  > tail -n 2
      trace      3718 bytes in noise
      the bytes  do not tell the protocol

== info_sees_frames_of_a_tpiu
need emulator
  $ etm record $ELF -o tpiu --framing tpiu --limit 20000 2>err; etm info tpiu/cstrace.bin | grep try
      the bytes  look like frames and synchronization packets of a TPIU: try --framing tpiu
  $ etm record $ELF -o bytes --framing none --limit 20000 2>err; etm info bytes/cstrace.bin |
  > grep try
      try        --protocol etmv3 --reg ETMCR=0x00000000 --reg ETMIDR=0x4114f240

# The contract names each key, and every buffer has all of its own.
== keys_of_all_lines_are_in_the_contract
  $ for what in $M3 $A9 $RAW "$raw"; do etm info $what --format jsonl; done >lines
  $ for what in info packets decode 'decode --level instructions' index 'decode --stats' coverage
  > do for core in $M3 $A9; do etm $what $core --format jsonl; done; done >all
  $ cat lines all | grep -o '"[a-z_0-9]*":' | tr -d '":' | sort -u >keys; wc -l <keys => 99
  $ while read -r key; do grep -q "[\`\"]$key[\`\"]" $CLI/../../doc/elements.md || echo $key
  > done <keys
  $ grep '^{"k":"buffer"' lines | sed 's/\[[^]]*\]/[]/; s/:[^,]*//g' | sort | uniq -c
        4 {"k","name","file","framing","form","bytes","stop","looks","first_frame","swapped","block","ids","triggers","unknown_bytes","bad_bytes","moved"

== inputs_and_options
  $ etm decode $M3 >whole; etm decode $M3/snapshot.ini | cmp - whole
  $ sed -n 1,4p whole
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
         7  == trace on: start
         7  -- context: thumb
         d  0000027a-00000286     5  > call     <main>
  $ etm decode $M3 --level instructions | sed -n 4,6p | cut -c 1-26
   <main>:
         d    0000027a  b510
         d    0000027c  4c0b
  $ etm decode $M3 --source-lines | grep board.c: | sed -n 1,2p
     ./board.c:134  {
     ./board.c:135      task_init(&tasks[0], clean_task);
  $ etm --format=jsonl --level=instructions decode $M3 | sed -n 3p
  {"k":"insn","src":16,"off":13,"addr":"0x0000027a","isa":"thumb","opcode":"0xb510","size":2,"exec":true,"type":"other","cycles":null}
  $ etm packets - --protocol=etmv3 --framing coresight --format jsonl <$RAW 2>err | sed -n 1p
  {"off":1,"src":16,"packet":"a_sync","bytes":"00 00 00 00 00 80"}
  $ for source in ETM_0 16; do etm decode $M3 --source $source | cmp - whole; done

== output_goes_to_a_file
  $ for command in info packets decode; do etm $command $M3 >expected; etm $command $M3 -o file
  > cmp file expected; done; etm decode $M3 -ofile2; cmp file2 expected; wc -l <file2 => 7445
  $ etm decode nosuch -o file => [1] nosuch: cannot read the file: No such file or directory
  $ cmp file expected

# Quietly.
== a_reader_goes_away
  $ { etm decode $M3 --level instructions --format jsonl; echo $? >status; } | head -n 1
  {"k":"trace_on","src":16,"off":7,"reason":"start"}
  $ cat status => 0

== a_full_disk_is_an_error
need /dev/full
  $ etm decode $M3 >/dev/full => [1] standard output: No space left on device
  $ for what in --help --version 'record --help' 'configure --core list'; do etm $what >/dev/full
  > done
  [1] standard output: No space left on device
  ! standard output: No space left on device (3 times)
  $ (trap '' XFSZ; ulimit -f 16
  > exec etm decode $M3 --format jsonl -o short 2>err) # what is left has whole lines
  [1]
  $ grep -v gcda err # nor can a build that measures coverage write its counters
  etm: short: File too large
  $ etm decode $M3 --format jsonl | head -n $(wc -l <short) | cmp - short
  $ etm decode $M3 --format jsonl >whole; printf %500s >blank
  $ for most in 1 3; do cp blank room # which ends in the first line, or in a later one
  > (trap '' XFSZ; ulimit -f $most; exec etm decode $M3 --format jsonl >>room)
  > lines=$(tail -c +501 room | wc -l); head -n $lines whole | cat blank - | cmp - room
  > echo $lines; done
  0
  6
  ! standard output: File too large
  ! standard output: File too large

# A shell makes a command in the background ignore SIGINT.
== a_signal_leaves_whole_lines
  $ for i in 1 2 3 4 5 6 7 8; do cat $RAW $RAW $RAW $RAW; done >more
  $ for i in 1 2 3 4 5 6 7 8; do cat more more; done >much
  $ for signal in INT TERM; do for i in 1 2 3 4 5; do rm -f broken
  > timeout -k 60 -s $signal 0.$i etm decode much --framing coresight --protocol etmv3 \
  > --image $ELF --format jsonl -o broken 2>err
  > [ ! -s broken ] || echo $signal $(tail -c 1 broken | od -An -tx1); done; done | sort -u
  INT 0a
  TERM 0a

== counts_are_json_lines_or_text
  $ etm decode $M3 --stats >counts; etm decode $M3 --stats --format jsonl | cmp - counts
  $ etm decode $M3 --stats --format text >text; tail -n 2 text; grep -c . counts text
  0x10  failed: 2102
  0x10  instructions: 22838
  counts:157
  text:157

== no_control_characters_of_a_path
  $ cp $RAW "name${escape}]0;x"; etm info "name${escape}]0;x" | grep file
      file       name?]0;x, 9040 bytes

# No file that is opened gets the number of a standard stream that is closed.
== a_descriptor_that_is_closed
  $ head -c 1000 $RAW >part; etm decode part --framing coresight --protocol etmv3 -o expected 2>err
  $ etm decode part --framing coresight --protocol etmv3 -o file 2>&-; cmp file expected
  $ etm decode $M3 >&- => [1] standard output: Bad file descriptor
  $ etm decode - --protocol pft <&-
  [1] standard input: cannot read the file: Bad file descriptor

== colours
  $ etm decode $M3 | grep "$escape" => [1]
  $ etm decode $M3 --color | sed -n 2,4p
         7  \x1b[36m== trace on: start\x1b[0m (esc)
         7  \x1b[36m-- context: thumb\x1b[0m (esc)
         d  0000027a-00000286     5  \x1b[32m> \x1b[0mcall     <main> (esc)

# There are colours unless NO_COLOR or the terminal says otherwise.
== colours_on_a_terminal
need script
  $ colours() { env "$@" script -qec "etm decode '$M3' --source 16" /dev/null | sed -n 2p; }
  $ colours A=b =>        7  \x1b[36m== trace on: start\x1b[0m\x0d (esc)
  $ colours NO_COLOR=1 =>        7  == trace on: start\x0d (esc)
  $ colours NO_COLOR= =>        7  \x1b[36m== trace on: start\x1b[0m\x0d (esc)
  $ colours TERM=dumb =>        7  == trace on: start\x0d (esc)
