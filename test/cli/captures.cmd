# SPDX-License-Identifier: Apache-2.0
# What the command prints of the captures in demo/, and of those of trace ports in
# test/data: all of `info`; of other output the first lines, and a sum of all.
# Disassembly is left out: it depends on the version of Capstone.

  $ here=$PWD
  $ sum() { etm "$@" >$here/out && head -n 4 $here/out && sha256sum <$here/out |
  > cut -c 1-32; }

== cortex-m3
  $ cd $DEMO
  $ etm info cortex-m3
  buffer ETB_0
      file       cortex-m3/cstrace.bin, 9040 bytes
      framing    coresight
      trace IDs  0x10: 8388 bytes; 565 frames
  source ETM_0 (0x10)
      protocol   ETMv3.4
      traces     not cycle-accurate, no context ID, alternative branch encoding,
                 no data, M profile, synchronization every 256 bytes
      core       cpu_0, Cortex-M3
      code       0x00000000-0x000005e4
      trace      8388 bytes in ETB_0, 6519 packets, 32 A-syncs, 32 I-syncs
  $ etm info cortex-m3 --format jsonl
  {"k":"buffer","name":"ETB_0","file":"cortex-m3/cstrace.bin","framing":"coresight","form":null,"bytes":9040,"stop":null,"looks":null,"first_frame":0,"swapped":null,"block":null,"ids":[{"src":0,"bytes":15},{"src":16,"bytes":8388}],"triggers":0,"unknown_bytes":0,"bad_bytes":0,"moved":0}
  {"k":"source","src":16,"name":"ETM_0","type":"ETM3.4","protocol":"etmv3","version":"ETMv3.4","why_not":null,"configuration":{"profile":"m","cycle_accurate":false,"context_id_bytes":0,"data_address":false,"data_value":false,"data_only":false,"branch_broadcast":false,"alternative_branches":true,"timestamps":false,"timestamp_bits":48,"timestamp_binary":false,"return_stack":false,"vmid":false,"security":false,"virtualization":false,"sync_period":256,"port_width":null,"high_vectors":null,"endian":null},"core":"cpu_0","core_type":"Cortex-M3","code":[{"start":"0x00000000","end":"0x000005e4","secure":null,"context_id":null}],"buffers":["ETB_0"],"bytes":8388,"packets":6519,"a_syncs":32,"i_syncs":32,"overflows":0,"bad_packets":0,"bad_bytes":0,"unsynchronized_bytes":0,"samples":null,"synchronizations":null,"triggers":null,"guess":null}
  $ sum packets cortex-m3
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
         1  a_sync             00 00 00 00 00 80
         7  i_sync             08 21 7b 02 00 00        address 0x0000027a <main>, isa thumb, reason trace_on
         d  p_header           ac                       EEEEEEEEEEE
  e25ff5830f8e25ee65e67bdd3873e93e
  $ sum packets cortex-m3 --format jsonl
  {"off":1,"src":16,"packet":"a_sync","bytes":"00 00 00 00 00 80"}
  {"off":7,"src":16,"packet":"i_sync","bytes":"08 21 7b 02 00 00","address":"0x0000027a","isa":"thumb","reason":"trace_on","ns":false,"alt_isa":false,"hyp":false,"context_id":null,"cycle_count":null}
  {"off":13,"src":16,"packet":"p_header","bytes":"ac","atoms":"EEEEEEEEEEE"}
  {"off":14,"src":16,"packet":"branch_address","bytes":"87 05","address":"0x00000286","address_bits":12,"isa":null,"exception":null,"can":null,"ns":null,"alt_isa":null,"hyp":null,"resume":null,"cycle_count":null}
  f8b94b3bb0f621a602c5c37c5e0df638
  $ sum decode cortex-m3
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
         7  == trace on: start
         7  -- context: thumb
         d  0000027a-00000286     5  > call     <main>
  2295a21e61c1d92dfaebb5b906bc6bf4
  $ sum decode cortex-m3 --format jsonl
  {"k":"trace_on","src":16,"off":7,"reason":"start"}
  {"k":"context","src":16,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":null,"vmid":null}
  {"k":"range","src":16,"off":13,"start":"0x0000027a","end":"0x00000286","isa":"thumb","n":5,"last":{"addr":"0x00000282","type":"direct","exec":true,"link":true,"return":false},"cycles":null}
  {"k":"range","src":16,"off":13,"start":"0x00000150","end":"0x00000164","isa":"thumb","n":6,"last":{"addr":"0x00000162","type":"indirect","exec":true,"link":false,"return":true},"cycles":null}
  aaab8359d9357577c1d7118c303a19ed
  $ sum decode cortex-m3 --level instructions --format jsonl
  {"k":"trace_on","src":16,"off":7,"reason":"start"}
  {"k":"context","src":16,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":null,"vmid":null}
  {"k":"insn","src":16,"off":13,"addr":"0x0000027a","isa":"thumb","opcode":"0xb510","size":2,"exec":true,"type":"other","cycles":null}
  {"k":"insn","src":16,"off":13,"addr":"0x0000027c","isa":"thumb","opcode":"0x4c0b","size":2,"exec":true,"type":"other","cycles":null}
  09c0116af15157138a2ef000b2fbeeb7
  $ sum decode cortex-m3 --stats --format jsonl
  {"k":"block","src":16,"start":"0x00000040","end":"0x00000074","isa":"thumb","insns":18,"n":23}
  {"k":"block","src":16,"start":"0x00000074","end":"0x00000076","isa":"thumb","insns":1,"n":23}
  {"k":"block","src":16,"start":"0x00000076","end":"0x0000007e","isa":"thumb","insns":3,"n":3}
  {"k":"block","src":16,"start":"0x00000088","end":"0x00000098","isa":"thumb","insns":6,"n":23}
  478fb273dcf720d7d2c078c200b22c94
  $ sum coverage cortex-m3
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
  22838 instructions executed

    lines              branches           functions          instructions        file
  141321da9491c20a00d91280b3ef0401
  $ sum coverage cortex-m3 --format jsonl
  {"k":"branch","src":16,"addr":"0x00000072","symbol":"sensor_read","offset":50,"file":"../src/app.c","line":12,"outcome":"not_taken","n":20}
  {"k":"branch","src":16,"addr":"0x00000072","symbol":"sensor_read","offset":50,"file":"../src/app.c","line":12,"outcome":"taken","n":3}
  {"k":"branch","src":16,"addr":"0x000000b6","symbol":"clean_step","offset":14,"file":"../src/app.c","line":28,"outcome":"not_taken","n":45}
  {"k":"branch","src":16,"addr":"0x000000b6","symbol":"clean_step","offset":14,"file":"../src/app.c","line":28,"outcome":"taken","n":23}
  460f8ef9899328a66991efd5a02c3056
  $ sum coverage cortex-m3 --format lcov
  TN:ETM_0
  SF:../src/app.c
  FN:8,sensor_read
  FN:17,sample_interrupt
  bbac4406ef30bca08957deea94ff3255
  $ sum index cortex-m3
  ETM_0 (0x10): ETMv3.4, Cortex-M3 cpu_0
         place       stream  address     reason      context                     time          cycles
             1            0  0x0000027a  trace_on    -                              -               -
           283          263  0x00000178  periodic    -                              -               -
  99c33bb64d9e1d2e27fa6a8ac03647af
  $ sum index cortex-m3 --format jsonl
  {"k":"sync","src":16,"off":1,"pos":1,"stream":0,"reason":"trace_on","addr":"0x0000027a","isa":"thumb","context_id":null,"time":null,"cycles":null}
  {"k":"sync","src":16,"off":283,"pos":283,"stream":263,"reason":"periodic","addr":"0x00000178","isa":"thumb","context_id":null,"time":null,"cycles":null}
  {"k":"sync","src":16,"off":566,"pos":566,"stream":526,"reason":"periodic","addr":"0x00000206","isa":"thumb","context_id":null,"time":null,"cycles":null}
  {"k":"sync","src":16,"off":849,"pos":849,"stream":789,"reason":"periodic","addr":"0x0000014e","isa":"thumb","context_id":null,"time":null,"cycles":null}
  5706c421e4ac64d07f87b4a1db8ebfd5

== cortex-a9
  $ cd $DEMO
  $ etm info cortex-a9
  buffer ETB_0
      file       cortex-a9/cstrace.bin, 3456 bytes
      framing    coresight
      trace IDs  0x11: 3197 bytes; 216 frames
  source PTM_0 (0x11)
      protocol   PFT 1.0
      traces     not cycle-accurate, context ID of 4 bytes,
                 48-bit Gray-coded timestamps, return stack, security extensions,
                 synchronization every 256 bytes
      core       cpu_0, Cortex-A9
      code       0x60000000-0x60000650
      trace      3197 bytes in ETB_0, 1849 packets, 13 A-syncs, 13 I-syncs
  $ etm info cortex-a9 --format jsonl
  {"k":"buffer","name":"ETB_0","file":"cortex-a9/cstrace.bin","framing":"coresight","form":null,"bytes":3456,"stop":null,"looks":null,"first_frame":0,"swapped":null,"block":null,"ids":[{"src":0,"bytes":15},{"src":17,"bytes":3197}],"triggers":0,"unknown_bytes":0,"bad_bytes":0,"moved":0}
  {"k":"source","src":17,"name":"PTM_0","type":"PTM1.0","protocol":"pft","version":"PFT 1.0","why_not":null,"configuration":{"profile":"a","cycle_accurate":false,"context_id_bytes":4,"data_address":false,"data_value":false,"data_only":false,"branch_broadcast":false,"alternative_branches":false,"timestamps":true,"timestamp_bits":48,"timestamp_binary":false,"return_stack":true,"vmid":false,"security":true,"virtualization":false,"sync_period":256,"port_width":null,"high_vectors":null,"endian":null},"core":"cpu_0","core_type":"Cortex-A9","code":[{"start":"0x60000000","end":"0x60000650","secure":null,"context_id":null}],"buffers":["ETB_0"],"bytes":3197,"packets":1849,"a_syncs":13,"i_syncs":13,"overflows":0,"bad_packets":0,"bad_bytes":0,"unsynchronized_bytes":0,"samples":null,"synchronizations":null,"triggers":null,"guess":null}
  $ sum packets cortex-a9
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
         1  a_sync             00 00 00 00 00 80
         7  i_sync             08 df 01 00 60 21 00 00  ... 10 bytes  address 0x600001de <main>, isa thumb, reason trace_on, context id 0
        12  timestamp          42 c4 80 80 80 80 80 00  timestamp 120, value 0x00000000000044
  531b6c084fd38238aee3184f90afeac8
  $ sum packets cortex-a9 --format jsonl
  {"off":1,"src":17,"packet":"a_sync","bytes":"00 00 00 00 00 80"}
  {"off":7,"src":17,"packet":"i_sync","bytes":"08 df 01 00 60 21 00 00 00 00","address":"0x600001de","isa":"thumb","reason":"trace_on","ns":false,"alt_isa":false,"hyp":false,"context_id":0,"cycle_count":null}
  {"off":18,"src":17,"packet":"timestamp","bytes":"42 c4 80 80 80 80 80 00","timestamp":"120","value":"0x00000000000044","r":false,"cycle_count":null}
  {"off":26,"src":17,"packet":"atom","bytes":"d0","atoms":"ENEEE","cycle_count":null}
  80cf6d5d8754afcefb7e62271c2aa21c
  $ sum decode cortex-a9
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
         7  == trace on: start
        12  -- timestamp 120
         7  -- context: thumb, secure, context ID 0x00000000
  69c3f91d7cf4077e6552283905afa592
  $ sum decode cortex-a9 --format jsonl
  {"k":"trace_on","src":17,"off":7,"reason":"start"}
  {"k":"timestamp","src":17,"off":18,"value":"120"}
  {"k":"context","src":17,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":0,"vmid":null}
  {"k":"range","src":17,"off":26,"start":"0x600001de","end":"0x60000212","isa":"thumb","n":17,"last":{"addr":"0x60000210","type":"direct","exec":true,"link":false,"return":false},"cycles":null}
  452c0c6d9707d902109db655c651d450
  $ sum decode cortex-a9 --level instructions --format jsonl
  {"k":"trace_on","src":17,"off":7,"reason":"start"}
  {"k":"timestamp","src":17,"off":18,"value":"120"}
  {"k":"context","src":17,"off":7,"isa":"thumb","secure":true,"hyp":false,"context_id":0,"vmid":null}
  {"k":"insn","src":17,"off":26,"addr":"0x600001de","isa":"thumb","opcode":"0xb570","size":2,"exec":null,"type":"other","cycles":null}
  4706b40cd7974fc2daae64b72b58341c
  $ sum decode cortex-a9 --stats --format jsonl
  {"k":"block","src":17,"start":"0x60000008","end":"0x6000000c","isa":"arm","insns":1,"n":33}
  {"k":"block","src":17,"start":"0x60000018","end":"0x6000001c","isa":"arm","insns":1,"n":15}
  {"k":"block","src":17,"start":"0x60000020","end":"0x60000060","isa":"thumb","insns":20,"n":15}
  {"k":"block","src":17,"start":"0x60000060","end":"0x60000062","isa":"thumb","insns":1,"n":15}
  8174464b3cdbde4b9b5aa8395e2e766c
  $ sum coverage cortex-a9
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
  15946 instructions executed

    lines              branches           functions          instructions        file
  3094bfe115cc81cdc46c609d25bbf21d
  $ sum coverage cortex-a9 --format jsonl
  {"k":"branch","src":17,"addr":"0x6000005e","symbol":"sensor_read","offset":62,"file":"../src/app.c","line":12,"outcome":"not_taken","n":13}
  {"k":"branch","src":17,"addr":"0x6000005e","symbol":"sensor_read","offset":62,"file":"../src/app.c","line":12,"outcome":"taken","n":2}
  {"k":"branch","src":17,"addr":"0x6000009a","symbol":"clean_step","offset":14,"file":"../src/app.c","line":28,"outcome":"not_taken","n":30}
  {"k":"branch","src":17,"addr":"0x6000009a","symbol":"clean_step","offset":14,"file":"../src/app.c","line":28,"outcome":"taken","n":12}
  4a36856377f38788db118a9195cd3dcd
  $ sum coverage cortex-a9 --format lcov
  TN:PTM_0
  SF:../src/app.c
  FN:8,sensor_read
  FN:17,sample_interrupt
  355e89ef8ae2762cb80c748fb9f64eed
  $ sum index cortex-a9
  PTM_0 (0x11): PFT 1.0, Cortex-A9 cpu_0
         place       stream  address     reason      context                     time          cycles
             1            0  0x600001de  trace_on    0x00000000                     -               -
           282          262  0x6000008c  periodic    0x00000101                   120               -
  07eabfa7ef7745b593de5a0b65544bbb
  $ sum index cortex-a9 --format jsonl
  {"k":"sync","src":17,"off":1,"pos":1,"stream":0,"reason":"trace_on","addr":"0x600001de","isa":"thumb","context_id":0,"time":null,"cycles":null}
  {"k":"sync","src":17,"off":282,"pos":282,"stream":262,"reason":"periodic","addr":"0x6000008c","isa":"thumb","context_id":257,"time":"120","cycles":null}
  {"k":"sync","src":17,"off":564,"pos":564,"stream":524,"reason":"periodic","addr":"0x60000358","isa":"thumb","context_id":258,"time":"1120","cycles":null}
  {"k":"sync","src":17,"off":861,"pos":861,"stream":801,"reason":"periodic","addr":"0x60000008","isa":"arm","context_id":258,"time":"2120","cycles":null}
  6d2c26f7ec4a92f1e9d8e4124851443c

== etmv1_port
  $ cd $DATA
  $ etm info etmv1_port
  buffer PORT
      file       etmv1_port/port.txt, 617 bytes
      framing    port, samples as text
  source ETM_0 (0x00)
      protocol   ETMv1.3
      traces     cycle-accurate, no context ID, data values, port of 8 pins,
                 high vectors, little-endian data
      core       cpu_0, ARM926EJ-S
      code       0x00001000-0x00001018
      trace      78 bytes in PORT, 39 samples, 1 synchronization point
      triggers   1
  $ etm info etmv1_port --format jsonl
  {"k":"buffer","name":"PORT","file":"etmv1_port/port.txt","framing":"port","form":"text","bytes":617,"stop":null,"looks":null,"first_frame":null,"swapped":null,"block":null,"ids":[{"src":0,"bytes":617}],"triggers":0,"unknown_bytes":0,"bad_bytes":0,"moved":0}
  {"k":"source","src":0,"name":"ETM_0","type":"ETM1.3","protocol":"etmv1","version":"ETMv1.3","why_not":null,"configuration":{"profile":"a","cycle_accurate":true,"context_id_bytes":0,"data_address":false,"data_value":true,"data_only":false,"branch_broadcast":false,"alternative_branches":false,"timestamps":false,"timestamp_bits":48,"timestamp_binary":false,"return_stack":false,"vmid":false,"security":false,"virtualization":false,"sync_period":0,"port_width":8,"high_vectors":true,"endian":"le"},"core":"cpu_0","core_type":"ARM926EJ-S","code":[{"start":"0x00001000","end":"0x00001018","secure":null,"context_id":null}],"buffers":["PORT"],"bytes":78,"packets":78,"a_syncs":null,"i_syncs":null,"overflows":null,"bad_packets":0,"bad_bytes":0,"unsynchronized_bytes":0,"samples":39,"synchronizations":1,"triggers":1,"guess":null}
  $ sum packets etmv1_port
  ETM_0 (0x00): ETMv1.3, ARM926EJ-S cpu_0
         0  pipestat           84                       status BE, tracesync
         0  trace_packet       80                       value 0x80, carries packets_if_any
         1  pipestat           00                       status IE
  0d9afd53e818cbdbb1a8df0c674f4cb5
  $ sum packets etmv1_port --format jsonl
  {"off":0,"src":0,"packet":"pipestat","bytes":"84","status":"BE","tracesync":true}
  {"off":0,"src":0,"packet":"trace_packet","bytes":"80","value":"0x80","carries":"packets_if_any","replaced":null,"half_bytes":null}
  {"off":1,"src":0,"packet":"pipestat","bytes":"00","status":"IE","tracesync":false}
  {"off":1,"src":0,"packet":"trace_packet","bytes":"a0","value":"0xa0","carries":"packets_if_any","replaced":null,"half_bytes":null}
  417b95408894c0c36dc99ae0906fcafb
  $ sum decode etmv1_port --format jsonl
  {"k":"trace_on","src":0,"off":0,"reason":"start"}
  {"k":"cycles","src":0,"off":0,"n":null}
  {"k":"context","src":0,"off":0,"isa":"arm","secure":null,"hyp":false,"context_id":null,"vmid":null}
  {"k":"range","src":0,"off":9,"start":"0x00001000","end":"0x00001008","isa":"arm","n":2,"last":{"addr":"0x00001004","type":"other","exec":true,"link":false,"return":false},"cycles":15}
  08584e41f17ad5c0d7a12a756a41b51b
  $ sum decode etmv1_port --level instructions --format jsonl
  {"k":"trace_on","src":0,"off":0,"reason":"start"}
  {"k":"cycles","src":0,"off":0,"n":null}
  {"k":"context","src":0,"off":0,"isa":"arm","secure":null,"hyp":false,"context_id":null,"vmid":null}
  {"k":"insn","src":0,"off":9,"addr":"0x00001000","isa":"arm","opcode":"0xe3a02802","size":4,"exec":true,"type":"other","cycles":9}
  93b485868f61d7373787dbaef795246d
  $ sum coverage etmv1_port
  ETM_0 (0x00): ETMv1.3, ARM926EJ-S cpu_0
  7 instructions executed

  a3c7e661ad344ab81ebc40f37ff6d8ac
  $ sum index etmv1_port
  ETM_0 (0x00): ETMv1.3, ARM926EJ-S cpu_0
         place       stream  address     reason      context                     time          cycles
             0            0  0x00001000  trace_on    -                              -               -
  9fb081f29bcca02124894981ba55bdff

== etmv2_port
  $ cd $DATA
  $ etm info etmv2_port
  buffer PORT
      file       etmv2_port/port.txt, 292 bytes
      framing    port, samples as text
  source ETM_0 (0x00)
      protocol   ETMv2.0
      traces     not cycle-accurate, no context ID, no data, port of 8 pins,
                 low vectors, little-endian data
      core       cpu_0, ARM1020E
      code       0x00001000-0x00001018
      trace      20 bytes in PORT, 10 samples, 1 synchronization point
      triggers   1
  $ etm info etmv2_port --format jsonl
  {"k":"buffer","name":"PORT","file":"etmv2_port/port.txt","framing":"port","form":"text","bytes":292,"stop":null,"looks":null,"first_frame":null,"swapped":null,"block":null,"ids":[{"src":0,"bytes":292}],"triggers":0,"unknown_bytes":0,"bad_bytes":0,"moved":0}
  {"k":"source","src":0,"name":"ETM_0","type":"ETM2.0","protocol":"etmv2","version":"ETMv2.0","why_not":null,"configuration":{"profile":"a","cycle_accurate":false,"context_id_bytes":0,"data_address":false,"data_value":false,"data_only":false,"branch_broadcast":false,"alternative_branches":false,"timestamps":false,"timestamp_bits":48,"timestamp_binary":false,"return_stack":false,"vmid":false,"security":false,"virtualization":false,"sync_period":0,"port_width":8,"high_vectors":false,"endian":"le"},"core":"cpu_0","core_type":"ARM1020E","code":[{"start":"0x00001000","end":"0x00001018","secure":null,"context_id":null}],"buffers":["PORT"],"bytes":20,"packets":20,"a_syncs":null,"i_syncs":null,"overflows":null,"bad_packets":0,"bad_bytes":0,"unsynchronized_bytes":0,"samples":10,"synchronizations":1,"triggers":1,"guess":null}
  $ sum packets etmv2_port
  ETM_0 (0x00): ETMv2.0, ARM1020E cpu_0
         0  pipestat           07                       status TD
         0  tfo                09                       value 0x09, carries tfo, tfo 0
         1  pipestat           00                       status IE
  4da37077da6392b3c01c373c9eba24ca
  $ sum packets etmv2_port --format jsonl
  {"off":0,"src":0,"packet":"pipestat","bytes":"07","status":"TD","tracesync":null}
  {"off":0,"src":0,"packet":"tfo","bytes":"09","value":"0x09","carries":"tfo","replaced":null,"half_bytes":null,"tfo":0}
  {"off":1,"src":0,"packet":"pipestat","bytes":"00","status":"IE","tracesync":null}
  {"off":1,"src":0,"packet":"trace_packet","bytes":"20","value":"0x20","carries":"packets","replaced":null,"half_bytes":2}
  98c96e77c7eda659b6cf850ca94faaa5
  $ sum decode etmv2_port --format jsonl
  {"k":"trace_on","src":0,"off":0,"reason":"start"}
  {"k":"context","src":0,"off":0,"isa":"arm","secure":null,"hyp":false,"context_id":null,"vmid":null}
  {"k":"range","src":0,"off":1,"start":"0x00001000","end":"0x00001010","isa":"arm","n":4,"last":{"addr":"0x0000100c","type":"other","exec":false,"link":false,"return":false},"cycles":null}
  {"k":"trigger","src":0,"off":6}
  5c3ff53c9354cf19495c54fff806efa3
  $ sum decode etmv2_port --level instructions --format jsonl
  {"k":"trace_on","src":0,"off":0,"reason":"start"}
  {"k":"context","src":0,"off":0,"isa":"arm","secure":null,"hyp":false,"context_id":null,"vmid":null}
  {"k":"insn","src":0,"off":1,"addr":"0x00001000","isa":"arm","opcode":"0xe3a02802","size":4,"exec":true,"type":"other","cycles":null}
  {"k":"insn","src":0,"off":2,"addr":"0x00001004","isa":"arm","opcode":"0xe5d20000","size":4,"exec":true,"type":"other","cycles":null}
  c99053d005b1fe0bf348157e89046e4b
  $ sum coverage etmv2_port
  ETM_0 (0x00): ETMv2.0, ARM1020E cpu_0
  7 instructions executed

  conditional instructions that went one way
  daffd4c681aee30f0a5df1d847822e4e
  $ sum index etmv2_port
  ETM_0 (0x00): ETMv2.0, ARM1020E cpu_0
         place       stream  address     reason      context                     time          cycles
             0            0  -           -           -                              -               -
  4bd0b86f3796f5661853bbd121cde20c
