#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the specification leaves open is decided in doc/errata.md and pinned by a
# test: each decision has a case that names it and expects something (rows.py),
# each number that a test or the code names is one of the page, and no number
# stands there twice.
# Usage: errata.sh ROOT
set -eu

cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

sed -n 's/^| \(E-[0-9]*\) |.*/\1/p' doc/errata.md >"$scratch/all"
[ "$(wc -l <"$scratch/all")" -gt 200 ] || { echo "no table"; exit 1; }
sort "$scratch/all" | uniq -d >"$scratch/twice"
sort -u "$scratch/all" >"$scratch/page"

# The numbers in the files of folders, "E-60, E-61"; "MC-TE-16" has none.
named() { # FOLDER...
  find "$@" -type f ! -name '*.md' ! -name rows.py -exec grep -hI 'E-[0-9]' {} + | tr -c 'A-Za-z0-9_-' '\n' | grep -xE 'E-[0-9]+' | sort -u
}

tell() { # FILE SENTENCE
  [ -s "$1" ] || return 0
  echo "$2: $(tr '\n' ' ' <"$1")"
  failed=1
}

python3 test/rooms/rows.py . 'E-[0-9]+' | sed 's/.* //' | sort -u >"$scratch/tests"
named src include test examples fuzz demo >"$scratch/named"
comm -23 "$scratch/page" "$scratch/tests" >"$scratch/open"
comm -13 "$scratch/page" "$scratch/named" >"$scratch/unknown"
tell "$scratch/twice" 'twice in doc/errata.md'
tell "$scratch/open" 'no case that expects something names'
tell "$scratch/unknown" 'not in doc/errata.md'
exit $failed
