#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which rows of the conformance list of ETMv1, ETMv2 and the trace port are
# under test: doc/conformance-etmv1-v2.md says what the comments of the tests
# say. Usage:
#
#     conformance_v1_v2.sh ROOT            the page says no more than the tests,
#                                          and, where the list stands beside the
#                                          project, each of its rows is under
#                                          test or excused
#     conformance_v1_v2.sh --rebase ROOT   write the table of the page anew
set -eu

rebase=no
[ "$1" = --rebase ] && { rebase=yes; shift; }
root=$1
page=$root/doc/conformance-etmv1-v2.md
list=${ETM_SHARED:-$root/../shared}/spec/conformance-etmv1-v2.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "FILE ID" for each identifier in the files named; "CFG-01 to CFG-03" stands
# for three, and so do "CFG-01 to 03", "CFG-01 to -03" and "CFG-01, -02, -03".
identifiers() {
  awk '
    function flush(  id, digits, prefix, before, last, n, again) {
      gsub(/[ \t*#]+/, " ", text)
      while (match(text, /(V1-[A-Z0-9]+|V2-[A-Z]+|PORT-[A-Z]+|CFG|SIG|TCD|BRX|X3|DAT|DEF|COP|CTX|DBG|WFX|CAP|DYN|A2|VER|EX)-[0-9][0-9]/)) {
        before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
        id = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ /[A-Za-z0-9_-]/ || text ~ /^[0-9A-Za-z]/) continue
        digits = prefix = id
        sub(/.*-/, "", digits)
        sub(/[0-9]+$/, "", prefix)
        print name, id
        last = digits + 0
        do {
          again = 0
          if (match(text, "^ to (" prefix "|-)?[0-9][0-9]")) {
            digits = substr(text, RSTART + RLENGTH - 2, 2)
            for (n = last + 1; n <= digits + 0; n++)
              print name, sprintf("%s%02d", prefix, n)
            again = 1
          } else if (match(text, /^, -[0-9][0-9]/)) {
            digits = substr(text, 4, 2)
            print name, prefix digits
            again = 1
          }
          if (again) {
            last = digits + 0
            text = substr(text, RSTART + RLENGTH)
          }
        } while (again)
      }
      text = ""
    }
    FNR == 1 { flush(); name = FILENAME; sub(/.*\/test\//, "", name) }
    { text = text " " $0 }
    END { flush() }' "$@" | LC_ALL=C sort -u
}

find "$root"/test -mindepth 2 -maxdepth 2 \
  \( -name '*.[ch]' -o -name '*.sh' \) ! -name 'conformance*.sh' \
  >"$scratch/files"
find "$root"/test/flow -name '*.scn' >>"$scratch/files"
# shellcheck disable=SC2046
identifiers $(LC_ALL=C sort "$scratch/files") >"$scratch/named"

# One row of the table for each group and file.
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
  }' "$scratch/named" | LC_ALL=C sort
}

begin='<!-- written by test/flow/conformance_v1_v2.sh -->'
end='<!-- up to here -->'

table >"$scratch/table"
awk -v begin="$begin" -v end="$end" '
  $0 == begin { inside = 1 }
  $0 == end { inside = 0 }
  inside && /^[|] [A-Z]/ && /`/' "$page" >"$scratch/page"
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

if [ ! -f "$list" ]; then
  echo "the conformance list is not there: its rows are not counted"
  exit 0
fi
cut -d ' ' -f 2 "$scratch/named" | LC_ALL=C sort -u >"$scratch/tested"
sed -n '/^## Not under test/,$p' "$page" |
  sed -n 's/^| \([^|]*\)|.*/\1/p' >"$scratch/reasons"
identifiers "$scratch/reasons" | cut -d ' ' -f 2 | LC_ALL=C sort -u \
  >"$scratch/excused"
{
  grep -oE '^- [A-Z][A-Z0-9-]*-[0-9][0-9] [|]' "$list" | grep -v '^- MF-' |
    grep -v '^- TC-' | grep -v '^- RP-' | tr -d '| ' | sed 's/^-//'
  grep -oE '^### EX-[0-9][0-9]' "$list" | sed 's/^### //'
} | LC_ALL=C sort -u >"$scratch/rows"
status=0
LC_ALL=C sort -u "$scratch/tested" "$scratch/excused" >"$scratch/known"
LC_ALL=C comm -13 "$scratch/rows" "$scratch/known" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the list does not have these rows:"
  cat "$scratch/wrong"
  status=1
fi
LC_ALL=C comm -12 "$scratch/tested" "$scratch/excused" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "the page says that these are not under test, but they are:"
  cat "$scratch/wrong"
  status=1
fi
LC_ALL=C comm -23 "$scratch/rows" "$scratch/known" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
  echo "neither under test nor excused:"
  cat "$scratch/wrong"
  status=1
fi
exit $status
