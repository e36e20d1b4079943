#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the command prints of the captures in demo/, and of those of trace ports
# in test/data, held against the sums and the first lines in test/cli/golden.
#
#     golden.sh ETM DEMO GOLDEN          compare
#     golden.sh ETM DEMO GOLDEN rebase   write them again; read the diff!
#
# Disassembly is left out: it depends on the version of Capstone.
set -u

etm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
demo=$2 golden=$3 mode=${4:-compare}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$demo" || exit 99

print() { # FILE ARGUMENT...
    file=$1
    shift
    "$etm" "$@" >"$scratch/whole" 2>"$scratch/err" || {
        cat "$scratch/err"
        exit 1
    }
    head -n 40 "$scratch/whole" >"$scratch/$file"
    echo "$(sha256sum <"$scratch/whole" | cut -d ' ' -f 1)  $file" \
        >>"$scratch/sums"
}

for core in cortex-m3 cortex-a9; do
    print $core.info.txt info $core
    print $core.info.jsonl info $core --format jsonl
    print $core.packets.txt packets $core
    print $core.packets.jsonl packets $core --format jsonl
    print $core.ranges.txt decode $core
    print $core.ranges.jsonl decode $core --format jsonl
    print $core.insns.jsonl decode $core --level instructions --format jsonl
    print $core.stats.jsonl decode $core --stats --format jsonl
    print $core.coverage.txt coverage $core
    print $core.coverage.jsonl coverage $core --format jsonl
    print $core.coverage.info coverage $core --format lcov
    print $core.index.txt index $core
    print $core.index.jsonl index $core --format jsonl
done
cd "$golden/../../data" || exit 99
for port in etmv1_port etmv2_port; do
    print $port.info.txt info $port
    print $port.info.jsonl info $port --format jsonl
    print $port.packets.txt packets $port
    print $port.packets.jsonl packets $port --format jsonl
    print $port.ranges.jsonl decode $port --format jsonl
    print $port.insns.jsonl decode $port --level instructions --format jsonl
    print $port.coverage.txt coverage $port
    print $port.index.txt index $port
done
rm "$scratch/whole" "$scratch/err"

if [ "$mode" = rebase ]; then
    cp "$scratch"/* "$golden"
    exit 0
fi
diff -r "$golden" "$scratch"
