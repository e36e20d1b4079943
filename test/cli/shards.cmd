# SPDX-License-Identifier: Apache-2.0
# The lines of doc/scale.md that spread a capture over shards, as they stand there: by the
# shell alone, by GNU parallel, by Open MPI. What comes of the shards together is what comes of
# the whole.

  $ # more ranks than there may be cores, or as root
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  $ line() { # BEGINNING: of the page, with those that it is continued on
  > awk -v beginning="    $1" 'index($0, beginning) == 1 { on = 1 }
  >     on { print }
  >     on && !/\\$/ { exit }' $CLI/../../doc/scale.md; }
  $ make_capture() { # CORE: several times as long as what a shard decodes beforehand, with damage
  > rm -rf capture; cp -r $1 capture; chmod -R u+w capture
  > for i in $(seq 16); do cat $1/cstrace.bin; done >piece
  > copies=$((2500000 / $(wc -c <$1/cstrace.bin) / 16)); for i in $(seq $copies); do cat piece
  > [ $i -ne 10 ] || printf 'damage in the middle of captures'; done >capture/cstrace.bin
  > etm decode capture --format jsonl 2>err >whole; etm decode capture --stats 2>err >counts
  > wc -l <whole; }
  $ run() { # FOLDER BEGINNING: in a folder of its own, and wait for what it began
  > rm -rf $1; mkdir $1; ln -s ../capture $1/capture; { line "$2"; echo wait; } >$1.sh
  > (cd $1 && sh ../$1.sh >out 2>../err); }

== by_the_shell
  $ for core in $M3 $A9; do make_capture $core; run shell 'for i in'
  > (cd shell && for i in $(seq 16); do cat $i; done) | cmp - whole; done
  2024226
  3774961

== by_parallel
need parallel
  $ for core in $M3 $A9; do make_capture $core; run parallel parallel; cmp parallel/out whole; done
  2024226
  3774961

== by_ranks
need mpirun
  $ for core in $M3 $A9; do make_capture $core; run ranks mpirun; line 'etm merge' >merge.sh
  > (cd ranks && rm out && sh ../merge.sh) 2>err | cmp - counts; done
  2024226
  3774961
