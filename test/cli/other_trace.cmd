# SPDX-License-Identifier: Apache-2.0
# Streams that begin with an I-sync, frames of an ITM, and trace of another kind.

  $ i=0; while [ $i -lt 40 ]; do printf '\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002'
  > i=$((i + 1)); done >itm

# E-610
== decoding_begins_at_an_i_sync
  $ printf '\010\041\001\002\000\010\230\075\214\067' >start
  $ v3='--protocol etmv3 --reg ETMCR=0 --reg ETMIDR=0x4114f250'
  $ etm packets start $v3
  trace (0x00): ETMv3.5
         0  i_sync             08 21 01 02 00 08        address 0x08000200, isa thumb, reason trace_on
         6  p_header           98                       EEEEEE
         7  branch_address     3d                       address 0x0800023c
         8  p_header           8c                       EEE
         9  branch_address     37                       address 0x08000236
  $ etm index start $v3
  trace (0x00): ETMv3.5
         place       stream  address     reason      context                     time          cycles
             0            0  0x08000200  trace_on    -                              -               -
  $ etm decode start $v3 2>err
  trace (0x00): ETMv3.5
         0  == trace on: start
         0  -- context: thumb
         6  !! no code is known at 08000200
         8  !! no code is known at 0800023c
         a  == end of trace
  $ etm info start $v3 | grep packets
      trace      10 bytes in start, 5 packets, 0 A-syncs, 1 I-sync
  $ etm info start | grep look =>     the bytes  look like ETMv3, no context ID, no data
  $ for part in "--from 4" "--shard 2/2"; do etm decode start $v3 $part 2>err | tail -n 1; done
         a  == end of trace
         a  == end of trace

# E-612
== etmv4_is_named
  $ printf '\0\0\0\0\0\0\0\0\0\0\0\200\001\001\0\235\102\106\276\020' >v4
  $ etm decode v4
  [1] v4: source trace (0x00) cannot be decoded: the bytes look like ETMv4 or ETE, which is not decoded here
  $ etm info v4
  buffer v4
      file       v4, 20 bytes
      framing    none
  source trace (0x00)
      type       ETMv4 or ETE
      skipped: the bytes look like ETMv4 or ETE, which is not decoded here
      trace      20 bytes in v4
  $ etm info v4 --protocol pft | grep 'look'
      the bytes  look like ETMv4 or ETE, which is not decoded here

== frames_of_an_itm_after_those_of_an_etm
  $ cat $RAW itm >both; options='--framing coresight --protocol etmv3 --reg ETMCR=0x800'
  $ etm packets both $options 2>err | grep '^0x'
  0x01 (0x01): ITM
  0x10 (0x10): ETMv3.5
  $ etm packets both $options --source 1 2>err | grep '^0x' => 0x01 (0x01): ETMv3.5
  $ etm info itm | grep 'look'
      the bytes  look like frames of the CoreSight formatter: try --framing coresight
  $ { printf '\377\377\377\177'; cat $RAW; } >tpiu; etm info tpiu | grep 'try'
      the bytes  look like frames and synchronization packets of a TPIU: try --framing tpiu

# E-611
== frames_that_go_on_elsewhere_are_told
  $ { head -c 32 itm; printf '\000\377'; cat itm; } >moved
  $ etm info moved --framing tpiu | grep alignment
      alignment  of frames changes at 1 place, where bytes were lost or added
  $ etm info moved --framing tpiu --format jsonl | grep -o '"moved":.' => "moved":1

== sources_without_trace_share_a_line
  $ cp -r $M3 snapshot; chmod -R u+w snapshot
  $ for k in 2 3; do sed -e "s/ETM_0/ETM_$k/" -e "s/^\(ETMTRACEIDR.*=\).*/\10x2$k/" \
  > $M3/device_1.ini >snapshot/device_$k.ini; done
  $ sed -i 's/^device1=.*/&\ndevice2=device_2.ini\ndevice3=device_3.ini/' snapshot/snapshot.ini
  $ sed -i 's/^ETM_0=ETB_0/&\nETM_2=ETB_0\nETM_3=ETB_0/' snapshot/trace.ini
  $ for command in packets decode; do etm $command snapshot 2>&1 >out | grep -v core; done
  etm: ETM_2 (0x22), ETM_3 (0x23): there is nothing to decode; the trace IDs there are 0x10
  etm: ETM_2 (0x22), ETM_3 (0x23): there is nothing to decode; the trace IDs there are 0x10
