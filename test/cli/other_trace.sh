#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Streams that begin with an I-sync, frames of an ITM, and trace of another kind.
# Speaks TAP. Usage: other_trace.sh ETM DEMO EMULATOR WHOLE
set -u

. "$(dirname "$0")/cli.sh"

refuses() { # NAME TEXT ARGUMENT...: status 1, with one line of that
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$text" err
    verdict $? "$name"
}

# E-610
printf '\010\041\001\002\000\010\230\075\214\067' >start
v3='--protocol etmv3 --reg ETMCR=0 --reg ETMIDR=0x4114f250'
# shellcheck disable=SC2086
works packets_begin_at_an_i_sync '^ *0  i_sync  *08 21 01 02 00 08  .*trace_on' \
    packets start $v3
# shellcheck disable=SC2086
works an_index_has_a_point_there '^ *0  *0  0x08000200  trace_on' index start $v3
# shellcheck disable=SC2086
works decoding_begins_there '== trace on: start' decode start $v3
# shellcheck disable=SC2086
works packets_and_i_syncs_are_counted '5 packets, 0 A-syncs, 1 I-sync$' \
    info start $v3
works the_protocol_is_guessed 'look like ETMv3' info start
for part in "--from 4" "--shard 2/2"; do
    # shellcheck disable=SC2086
    "$etm" decode start $v3 $part --format jsonl >out 2>err || echo failed >out
    ! grep -q failed out
    verdict $? "a_part_of_it_is_decoded_with_$part"
done

# E-612
printf '\0\0\0\0\0\0\0\0\0\0\0\200\001\001\0\235\102\106\276\020' >v4
refuses etmv4_is_named 'the bytes look like ETMv4 or ETE, which is not decoded' \
    decode v4
works info_names_it 'the bytes look like ETMv4 or ETE, which is not decoded here' \
    info v4
works info_names_it_despite_a_protocol 'look like ETMv4 or ETE, which' \
    info v4 --protocol pft

# Frames of an ITM, after those of an ETM.
: >itm
i=0
while [ $i -lt 40 ]; do
    printf '\003\027\010\003\000\010\001\0\0\0\0\0\0\0\0\002' >>itm
    i=$((i + 1))
done
cat "$raw" itm >both
options='--framing coresight --protocol etmv3 --reg ETMCR=0x800'
# shellcheck disable=SC2086
run packets both $options
[ "$status" -eq 0 ] && grep -q '^trace\|0x10 (0x10)' out &&
    grep -q '^0x01 (0x01): ITM$' out
verdict $? an_itm_is_no_etm_because_of_the_protocol
# shellcheck disable=SC2086
works but_it_is_if_it_is_named '^0x01 (0x01): ETMv3' packets both $options --source 1
works frames_of_an_itm_are_recognized 'try --framing coresight' info itm
"$etm" info itm >out 2>err && ! grep -q 'look like ITM\|look like ETM' out
verdict $? nothing_is_guessed_from_frames_as_if_they_were_none
{ printf '\377\377\377\177' && cat "$raw"; } >tpiu
works a_stream_with_full_synchronization_is_a_tpius 'try --framing tpiu' info tpiu

# E-611
{ head -c 32 itm && printf '\000\377' && cat itm; } >moved
works frames_that_go_on_elsewhere_are_told \
    'alignment  of frames changes at 1 place' info moved --framing tpiu
works frames_that_go_on_elsewhere_are_counted '"moved":1' \
    info moved --framing tpiu --format jsonl

# Sources without trace share a line.
copy
for k in 2 3; do
    sed -e "s/ETM_0/ETM_$k/" -e "s/^\(ETMTRACEIDR.*=\).*/\10x2$k/" \
        "$m3/device_1.ini" >snapshot/device_$k.ini
done
sed 's/^device1=.*/&\ndevice2=device_2.ini\ndevice3=device_3.ini/' \
    "$m3/snapshot.ini" >snapshot/snapshot.ini
sed 's/^ETM_0=ETB_0/&\nETM_2=ETB_0\nETM_3=ETB_0/' "$m3/trace.ini" \
    >snapshot/trace.ini
for command in packets decode; do
    run $command snapshot
    [ "$status" -eq 0 ] && [ "$(grep -c 'nothing to decode' err)" -eq 1 ] &&
        grep -q 'ETM_2 (0x22), ETM_3 (0x23): there is nothing to decode; the' err
    verdict $? "sources_without_trace_share_a_line_of_$command"
done
echo "1..$n"
