#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a number of cycles is, wherever one is given or asked for: the sum over
# the elements before (E-342). Recordings of all versions, some with overflows,
# filters or interrupts, in all framings, and damaged. Speaks TAP. Usage:
# cycles.sh ETM PROGRAMS EMULATOR; ETM_TEST_SEED=N for other damage.
set -u

. "$(dirname "$0")/../support/tap.sh"
programs=$2
cd "$scratch" || exit 99
if [ "$3" != true ]; then
    echo '1..0 # SKIP there is no emulator to record with'
    exit
fi
seed=${ETM_TEST_SEED:-1}

# Pseudo-random numbers below N.
below() { # N
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    echo $((seed / 256 % $1))
}

# The cycles of each line, added up: "SUM LINE" each.
positions() { # FILE
    awk 'BEGIN { sum = 0 }
         match($0, /"cycles":[0-9]+/) { sum += substr($0, RSTART + 9, RLENGTH - 9) }
         /^{"k":"cycles"/ && match($0, /"n":[0-9]+/) {
             sum += substr($0, RSTART + 4, RLENGTH - 4) }
         { printf "%d %s\n", sum, $0 }' "$1"
}
sum() { # FILE
    positions "$1" | tail -1 | sed 's/ .*//'
}
counted() { # ARGUMENT...
    "$etm" decode "$@" --stats 2>err |
        awk -F'"n":' '/"what":"cycles","of":null/ { n = $2 } END { print n + 0 }'
}

# What --to has: lines up to N cycles of a file of positions, from FIRST on.
up_to() { # N FILE
    awk -v n="$1" '$1 + 0 > n { exit } { sub(/^[0-9]* /, ""); print }' "$2"
}

# Lines of a part after the first ranges, which may be cut, are the last ones
# of the whole, but for addresses of data, which may come before the part; and
# its cycles are those that are left.
is_tail() { # POSITION PART WHOLE
    [ $(($1 + $(sum "$2"))) -eq "$total" ] || return 1
    grep -v '^{"k":"data"' "$2" | awk '/^{"k":"range"/ { n++ } n > 2' >tail
    grep -v '^{"k":"data"' "$3" | tail -n "$(wc -l <tail)" | cmp -s - tail
}

# Everything of one capture that has an index with cycles.
places_agree() { # ARGUMENT...
    "$etm" index "$@" --format jsonl >index 2>err || return 1
    "$etm" index "$@" --format jsonl --every 900 >thin 2>err || return 1
    n_points=$(wc -l <index)
    [ "$n_points" -gt 5 ] || return 1
    for i in 1 $(below "$n_points") $(below "$n_points") "$n_points"; do
        [ "$i" -gt 0 ] || i=1
        cycles=$(sed -n "${i}s/.*\"cycles\":\([0-9]*\)}/\1/p" index)
        place=$(sed -n "${i}s/.*\"pos\":\([0-9]*\),.*/\1/p" index)
        "$etm" decode "$@" --format jsonl --from "$place" >part 2>err
        if ! is_tail "$cycles" part whole; then
            echo "# --from $place is not behind $cycles cycles"
            return 1
        fi
        # the last of those with as many cycles
        place=$(sed -n "s/.*\"pos\":\([0-9]*\),.*\"cycles\":$cycles}/\1/p" index |
            tail -1)
        "$etm" decode "$@" --format jsonl --from "$place" >part 2>err
        for how in '' '--index index' '--index thin'; do
            # shellcheck disable=SC2086 # none, or two words
            "$etm" decode "$@" --format jsonl --from "cyc:$cycles" $how \
                >found 2>err
            if ! cmp -s part found; then
                echo "# --from cyc:$cycles $how is not $place"
                return 1
            fi
        done
        # up to a place after it
        end=$((cycles + $(below $((total - cycles + 1)))))
        "$etm" decode "$@" --format jsonl --from "cyc:$cycles" --to "cyc:$end" \
            >found 2>err
        positions part | awk -v n="$cycles" '{ $1 += n } { print }' >placed
        up_to "$end" placed >expected
        if ! head -n "$(wc -l <expected)" found | equal - expected ||
            [ "$(sed "1,$(wc -l <expected)d" found |
                grep -c -v '"k":"end"')" -ne 0 ]; then
            echo "# --from cyc:$cycles --to cyc:$end"
            return 1
        fi
    done
    "$etm" decode "$@" --from cyc:9999999999999 >out 2>err
    grep -q "its trace ends at cyc:$total:" err || return 1
}

# Of one capture: the whole, its counts, its parts, and where it ends.
agrees() { # NAME INDEXED ARGUMENT...
    what=$1 indexed=$2
    shift 2
    "$etm" decode "$@" --format jsonl --jobs 1 >whole 2>err
    total=$(sum whole)
    [ "$total" -gt 1000 ] &&
        [ "$(counted "$@")" -eq "$total" ] &&
        [ "$(counted "$@" --jobs 3)" -eq "$total" ] &&
        [ "$(counted "$@" --level instructions)" -eq "$total" ]
    verdict $? "$what: counts are those of the elements"
    positions whole >placed_whole
    ok=0
    for end in 0 $(below "$total") $(below "$total") "$total"; do
        "$etm" decode "$@" --format jsonl --to "cyc:$end" >head 2>err
        up_to "$end" placed_whole >expected
        head -n "$(wc -l <expected)" head | equal - expected &&
            [ "$(sum head)" -le "$end" ] &&
            [ "$(counted "$@" --to "cyc:$end")" -eq "$(sum head)" ] &&
            continue
        echo "# --to cyc:$end"
        ok=1
    done
    verdict $ok "$what: --to a cycle is the head"
    [ "$indexed" = yes ] || return
    places_agree "$@"
    verdict $? "$what: --from a cycle is the tail"
    : >joined
    for i in 1 2 3; do
        "$etm" decode "$@" --format jsonl --shard $i/3 >>joined 2>err
    done
    [ "$(sum joined)" -eq "$total" ]
    verdict $? "$what: shards add up"
}

# Change one byte in so many, or leave out lines.
damaged() { # FILE ONE_IN
    size=$(wc -c <"$1")
    i=$((size / $2))
    case $name in
    etmv[12]*)
        awk -v n="$2" -v at="$(below "$2")" 'NR % n != at' "$1" >fewer
        mv fewer "$1"
        return
        ;;
    esac
    while [ $i -gt 0 ]; do
        printf "\\$(printf %o "$(below 256)")" |
            dd of="$1" bs=1 seek="$(below "$size")" conv=notrunc 2>/dev/null
        i=$((i - 1))
    done
}

recorded() { # NAME PROGRAM ARGUMENT...
    name=$1 program=$2
    shift 2
    rm -rf capture
    "$etm" record "$programs/$program" --limit 6000 -o capture "$@" >out 2>err || {
        verdict 1 "$name: recorded"
        return
    }
    case $name in
    etmv[12]*) agrees "$name" no capture ;;
    *) agrees "$name" yes capture ;;
    esac
    for many in 1000 100; do
        damaged capture/cstrace.bin $many
        case $name in
        etmv[12]*) agrees "$name, damaged" no capture ;;
        *) agrees "$name, damaged" yes capture ;;
        esac
    done
}

for version in v3.0 v3.1 v3.5; do
    recorded "etm$version, overflows" recurse-r4.elf --core cortex-r4 \
        --etm $version --fifo 20 --sync 100 --cycle-accurate
done
recorded "etmv3.5, interrupts" nested-r4.elf --core cortex-r4 --etm v3.5 \
    --fifo 20 --sync 200 --interrupt irq/311 --framing coresight \
    --cycle-accurate
"$etm" configure --core cortex-r4 --elf "$programs/nested-r4.elf" \
    --cycle-accurate --exclude-range 0x10-0x1c --sync 100 -o setup 2>err
recorded "etmv3.3, filtered" nested-r4.elf --core cortex-r4 --setup setup \
    --interrupt irq/97 --framing tpiu
"$etm" configure --core cortex-r4 --etm v3.5 --elf "$programs/nested-r4.elf" \
    --cycle-accurate --exclude-range 0x10-0x1c --sync 100 --data both \
    -o setup 2>err
recorded "etmv3.5, filtered" nested-r4.elf --core cortex-r4 --etm v3.5 \
    --setup setup --fifo 24 --interrupt fiq/53
for version in pft1.0 pft1.1; do
    recorded "$version, overflows" recurse-a9.elf --core cortex-a9 \
        --etm $version --fifo 8 --sync 100 --framing coresight --cycle-accurate
done
"$etm" configure --core cortex-a9 --elf "$programs/nested-a9.elf" \
    --cycle-accurate --exclude-range 0x10-0x1c --sync 60 -o setup 2>err
recorded "pft1.0, filtered" nested-a9.elf --core cortex-a9 --setup setup \
    --interrupt irq/41 --framing tpiu
recorded etmv1.3 recurse-arm7tdmi.elf --core arm7tdmi --etm v1.3 \
    --cycle-accurate
recorded etmv2.0 recurse-arm926.elf --core arm926ej-s --etm v2.0 \
    --cycle-accurate
echo "1..$n"
