#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which rows of the conformance list are under test: doc/conformance.md says
# what the comments of the tests say. Usage:
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

# "FILE ID" for each identifier in the files named; "MC-A-1 to MC-A-3" stands
# for three, and so does "MC-A-1, -2, -3". The tests of ETMv1 and ETMv2 name
# the gaps (MF) and errors (ERR) of another list.
identifiers() {
  awk '
    function found(prefix, digits) {
      if (prefix ~ /^(MF|ERR)-/ && name ~ /etmv[12]/) return
      print name, prefix digits
    }
    function flush(  id, digits, prefix, first, last, n, width) {
      gsub(/[ \t*#]+/, " ", text)
      while (match(text, /(MC|TV|MF|ERR)-([A-Z]+-)?[0-9]+/)) {
        before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
        id = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ /[A-Za-z0-9_-]/) continue
        digits = prefix = id
        sub(/.*-/, "", digits)
        sub(/[0-9]+$/, "", prefix)
        found(prefix, digits)
        width = length(digits)
        if (match(text, "^ +to +" prefix "[0-9]+")) {
          last = substr(text, 1, RLENGTH)
          text = substr(text, RLENGTH + 1)
          sub(/.*-/, "", last)
          for (n = digits + 1; n <= last + 0; n++)
            found(prefix, sprintf("%0" width "d", n))
        }
        while (match(text, /^, -[0-9]+/)) {
          digits = substr(text, 4, RLENGTH - 3)
          text = substr(text, RLENGTH + 1)
          found(prefix, digits)
        }
      }
      text = ""
    }
    FNR == 1 { flush(); name = FILENAME; sub(/.*\/test\//, "", name) }
    { text = text " " $0 }
    END { flush() }' "$@" | LC_ALL=C sort -u
}

# Those of all tests, and the ones on the page that have an excuse.
tests=$(find "$root"/test -mindepth 2 -maxdepth 2 -name '*.[ch]' -o \
  -mindepth 2 -maxdepth 2 -name '*.sh' ! -name conformance.sh)
# shellcheck disable=SC2086
identifiers $tests >"$scratch/named"

groups=$(sed -n '/^Complete groups: /,/\.$/p' "$page" | tr '\n' ' ' |
  sed 's/^Complete groups: \(.*\)\. *$/\1/; s/, */|/g')
[ -n "$groups" ] || { echo "the page names no complete groups"; exit 1; }

# One row of the table for each complete group and file.
table() {
  awk '{
    number = group = $2
    sub(/.*-/, "", number); sub(/-[0-9]+$/, "", group)
    rows[group " | " $1] = rows[group " | " $1] " " number
  } END {
    for (key in rows) {
      split(key, part, " [|] ")
      printf "| %s |%s | `%s` |\n", part[1], rows[key], part[2]
    }
  }' "$scratch/named" | grep -E "^[|] ($groups) [|]" | LC_ALL=C sort
}

begin='<!-- written by test/model/conformance.sh -->'
end='<!-- up to here -->'

table >"$scratch/table"
sed -n "/^$(echo "$begin" | sed 's|/|\\/|g')$/,/^$end$/p" "$page" |
  grep '^| [A-Z][A-Z]' >"$scratch/page" || :
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

# Each row and file that a table on standard input names.
cells() {
  awk -F ' *[|] *' '{
    n = split($3, numbers, " ")
    for (i = 1; i <= n; i++) print $2 "-" numbers[i], $4
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

cut -d ' ' -f 2 "$scratch/named" | LC_ALL=C sort -u >"$scratch/tested"
sed -n '/^## Not under test/,$p' "$page" | sed -n 's/^| \([^|]*\)|.*/\1/p' \
  >"$scratch/reasons"
identifiers "$scratch/reasons" | cut -d ' ' -f 2 | LC_ALL=C sort -u \
  >"$scratch/excused"
status=0
LC_ALL=C comm -12 "$scratch/tested" "$scratch/excused" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the page says that these are not under test, but they are:"
  cat "$scratch/wrong"
  status=1
fi

if [ ! -f "$list" ]; then
  echo "the conformance list is not there: its rows are not counted"
  exit $status
fi
grep -oE '^\| (MC|TV|MF|ERR)-([A-Z]+-)?[0-9]+ ' "$list" | tr -d '| ' |
  LC_ALL=C sort -u >"$scratch/rows"
LC_ALL=C sort -u "$scratch/tested" "$scratch/excused" >"$scratch/known"
LC_ALL=C comm -13 "$scratch/rows" "$scratch/known" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the list does not have these rows:"
  cat "$scratch/wrong"
  status=1
fi
grep -E "^($groups)-" "$scratch/rows" | LC_ALL=C comm -23 - "$scratch/known" \
  >"$scratch/wrong" || :
if [ -s "$scratch/wrong" ]; then
  echo "neither under test nor excused:"
  cat "$scratch/wrong"
  status=1
fi
exit $status
