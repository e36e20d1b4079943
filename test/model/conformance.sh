#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which rows of the conformance list are under test: doc/conformance.md says
# what the comments of test/model/test_*.c say. Usage:
#
#     conformance.sh ROOT            the page says no more than the tests, and,
#                                    where the list stands beside the project,
#                                    each row of the groups that the page calls
#                                    complete is under test or excused
#     conformance.sh --rebase ROOT   write the table of the page anew
set -eu

rebase=no
[ "$1" = --rebase ] && { rebase=yes; shift; }
root=$1
page=$root/doc/conformance.md
list=${ETM_SHARED:-$root/../shared}/spec/conformance-macrocell.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Identifiers in the text on standard input, one a line; "MC-A-1 to MC-A-3"
# stands for three.
identifiers() {
  tr -s '\n*' '  ' | grep -oE '(MC|TV)-[A-Z]+-[0-9]+( +to +(MC|TV)-[A-Z]+-[0-9]+)?' |
    awk '{
      if (NF == 1) { print; next }
      first = $1; last = $3
      sub(/.*-/, "", first); sub(/.*-/, "", last)
      prefix = $1; sub(/[0-9]+$/, "", prefix)
      for (n = first + 0; n <= last + 0; n++)
        printf "%s%0*d\n", prefix, length(first), n
    }' | LC_ALL=C sort -u
}

groups=$(sed -n 's/^Complete groups: \(.*\)\.$/\1/p' "$page" |
  sed 's/, */|/g')
[ -n "$groups" ] || { echo "the page names no complete groups"; exit 1; }

# One row of the table for each complete group and file.
table() {
  for file in "$root"/test/model/test_*.c; do
    identifiers <"$file" | awk -v file="${file##*/}" '{
      number = $1; sub(/.*-/, "", number)
      group = $1; sub(/-[0-9]+$/, "", group)
      if (!(group in rows)) order[++n] = group
      rows[group] = rows[group] " " number
    } END {
      for (i = 1; i <= n; i++)
        printf "| %s |%s | `%s` |\n", order[i], rows[order[i]], file
    }' || :
  done | grep -E "^[|] ($groups) [|]" | LC_ALL=C sort
}

begin='<!-- written by test/model/conformance.sh -->'
end='<!-- up to here -->'

table >"$scratch/table"
sed -n "/^$(echo "$begin" | sed 's|/|\\/|g')$/,/^$end$/p" "$page" |
  grep '^| [MT]' >"$scratch/page" || :
if [ "$rebase" = yes ]; then
  awk -v begin="$begin" -v end="$end" -v table="$scratch/table" '
    $0 == begin {
      print; print ""
      print "| group | rows | test |"; print "| --- | --- | --- |"
      while ((getline line < table) > 0) print line
      print ""; skip = 1
    }
    $0 == end { skip = 0 }
    !skip { print }' "$page" >"$scratch/new"
  cp "$scratch/new" "$page"
  exit 0
fi
[ -s "$scratch/table" ] || { echo "no test names a row"; exit 1; }

# Each row that a table on standard input names.
cells() {
  awk -F ' *[|] *' '{
    n = split($3, numbers, " ")
    for (i = 1; i <= n; i++) print $2 "-" numbers[i]
  }' | LC_ALL=C sort -u
}

# The page may lag behind the tests, but must not claim more than they do.
cells <"$scratch/table" >"$scratch/is"
cells <"$scratch/page" >"$scratch/said"
[ -s "$scratch/said" ] || { echo "the page has no table"; exit 1; }
LC_ALL=C comm -13 "$scratch/is" "$scratch/said" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the page says that these are under test:"
  cat "$scratch/wrong"
  exit 1
fi
new=$(LC_ALL=C comm -23 "$scratch/is" "$scratch/said" | wc -l)
[ "$new" -eq 0 ] || echo "rows new to the page: $new; see --rebase"

if [ ! -f "$list" ]; then
  echo "the conformance list is not there: its rows are not counted"
  exit 0
fi
cat "$root"/test/model/test_*.c | identifiers >"$scratch/tested"
sed -n '/^## Not under test/,$p' "$page" | sed 's/^| \([^|]*\)|.*/\1/' |
  identifiers >"$scratch/excused"
grep -oE '^\| (MC|TV)-[A-Z]+-[0-9]+ ' "$list" | tr -d '| ' |
  LC_ALL=C sort -u >"$scratch/rows"
status=0
LC_ALL=C comm -13 "$scratch/rows" "$scratch/tested" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "tests name rows that the list does not have:"
  cat "$scratch/wrong"
  status=1
fi
LC_ALL=C comm -12 "$scratch/tested" "$scratch/excused" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the page says that these are not under test, but they are:"
  cat "$scratch/wrong"
  status=1
fi
LC_ALL=C sort -u "$scratch/tested" "$scratch/excused" >"$scratch/known"
grep -E "^($groups)-" "$scratch/rows" | LC_ALL=C comm -23 - "$scratch/known" \
  >"$scratch/wrong" || :
if [ -s "$scratch/wrong" ]; then
  echo "neither under test nor excused:"
  cat "$scratch/wrong"
  status=1
fi
exit $status
