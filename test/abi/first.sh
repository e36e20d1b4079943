#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program of the first version, with the libraries of this one, gives what the
# command gives. Usage: first.sh FIRST ETM CAPTURE...
set -u

first=$1 etm=$2
shift 2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
for capture; do
    "$first" "$capture" >"$scratch/got" || exit 1
    "$etm" decode "$capture" --format jsonl --level instructions \
        >"$scratch/want" || exit 1
    [ "$(wc -l <"$scratch/want")" -gt 1000 ] || exit 1
    cmp "$scratch/want" "$scratch/got" || exit 1
done
