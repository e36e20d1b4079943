#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which rows of a conformance list are under test: a page of doc/ says what the
# comments of the tests say. LIST is macrocell (doc/conformance.md), etmv1-v2
# (doc/conformance-etmv1-v2.md) or etmv3-pft (doc/conformance-etmv3-pft.md).
# Usage:
#
#     conformance.sh LIST ROOT            the page says no more than the tests,
#                                         and, where the list stands beside the
#                                         project, each row of the groups that
#                                         the page calls complete, or of all if
#                                         it names none, is under test or
#                                         excused
#     conformance.sh LIST --rebase ROOT   write the table of the page again
set -eu

which=$1
shift
rebase=no
[ "$1" = --rebase ] && { rebase=yes; shift; }
root=$1
foreign='^$'
examples=EX
case $which in
macrocell)
  page=$root/doc/conformance.md
  ids='(MC|TV|MF|ERR)-([A-Z]+-)?[0-9]+'
  foreign='^(MF|ERR)-' # in tests of ETMv1 and ETMv2: those of another list
  ;;
etmv1-v2)
  page=$root/doc/conformance-etmv1-v2.md
  ids='(V1-[A-Z0-9]+|V2-[A-Z]+|PORT-[A-Z]+|CFG|SIG|TCD|BRX|X3|DAT|DEF|COP'
  ids="$ids|CTX|DBG|WFX|CAP|DYN|A2|VER|EX)-[0-9][0-9]"
  ;;
etmv3-pft)
  page=$root/doc/conformance-etmv3-pft.md
  ids='(V3-[A-Z]+|PFT-RS|PFT-DEC|AMB)-[0-9][0-9]'
  examples=V3-EX # two lists call theirs EX
  ;;
*)
  echo "no such list: $which" >&2
  exit 2
  ;;
esac
list=${ETM_SHARED:-$root/../shared}/spec/conformance-$which.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "FILE ID" for each identifier in the files named; "CFG-01 to CFG-03" stands
# for three, and so do "CFG-01 to 03", "CFG-01 to -03" and "CFG-01, -02, -03".
identifiers() {
  awk -v ids="$ids" -v foreign="$foreign" '
    function found(prefix, digits) {
      if (prefix !~ foreign || name !~ /etmv[12]/)
        print name, prefix digits
    }
    function flush(  id, digits, prefix, before, first, again) {
      gsub(/[ \t*#]+/, " ", text)
      while (match(text, ids)) {
        before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
        id = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ /[A-Za-z0-9_-]/ || text ~ /^[0-9A-Za-z]/) continue
        digits = prefix = id
        sub(/.*-/, "", digits)
        sub(/[0-9]+$/, "", prefix)
        found(prefix, digits)
        do {
          again = 1
          first = digits + 1
          if (match(text, "^ to (" prefix "|-)?[0-9]+")) {
            digits = substr(text, 1, RLENGTH)
            sub(/.*[^0-9]/, "", digits)
          } else if (match(text, /^, -[0-9]+/)) {
            digits = substr(text, 4, RLENGTH - 3)
            first = digits + 0
          } else {
            again = 0
          }
          for (; again && first <= digits + 0; first++)
            found(prefix, sprintf("%0" length(digits) "d", first))
          if (again) text = substr(text, RSTART + RLENGTH)
        } while (again)
      }
      text = ""
    }
    FNR == 1 { flush(); name = FILENAME; sub(/.*\/test\//, "", name) }
    { text = text " " $0 }
    END { flush() }' "$@" | LC_ALL=C sort -u
}

find "$root"/test -mindepth 2 -maxdepth 2 \
  \( -name '*.[ch]' -o -name '*.sh' \) ! -name conformance.sh >"$scratch/files"
find "$root"/test \( -name '*.scn' -o -name '*.enc' \) >>"$scratch/files"
# shellcheck disable=SC2046
identifiers $(LC_ALL=C sort "$scratch/files") >"$scratch/named"

# The groups of a page, "MC-ACC|MC-ADR": a sentence of one line or more.
complete() {
  awk '/^Complete groups: / { inside = 1 }
    inside { print }
    inside && /\.$/ { exit }' "$@" | tr '\n' ' ' |
    sed 's/^Complete groups: \(.*\)\. *$/\1/; s/, */|/g'
}

for text in 'Complete groups: A, B-C.' 'Complete groups: A,\nB-C.'; do
  found=$(printf "One.\n\n$text\nMore.\n\nAnd more.\n" | complete)
  [ "$found" = 'A|B-C' ] || { echo "groups are misread: $found"; exit 1; }
done
groups=$(complete "$page")
[ -n "$groups" ] || groups='.*'

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

begin='<!-- written by test/rooms/conformance.sh -->'
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

status=0
wrong() { # WHAT: fails if a list of rows on standard input has any
  cat >"$scratch/wrong"
  [ -s "$scratch/wrong" ] || return 0
  echo "$1:"
  cat "$scratch/wrong"
  status=1
}

# The page may lag behind the tests, but must not claim more than they do.
cells <"$scratch/table" >"$scratch/is"
cells <"$scratch/page" >"$scratch/said"
[ -s "$scratch/said" ] || { echo "the page has no table"; exit 1; }
LC_ALL=C comm -13 "$scratch/is" "$scratch/said" >"$scratch/more"
wrong "the page says that these are under test" <"$scratch/more"
new=$(LC_ALL=C comm -23 "$scratch/is" "$scratch/said" | wc -l)
[ "$new" -eq 0 ] || echo "rows new to the page: $new; see --rebase"

cut -d ' ' -f 2 "$scratch/named" | LC_ALL=C sort -u >"$scratch/tested"
sed -n '/^## Not under test/,$p' "$page" | sed -n 's/^| \([^|]*\)|.*/\1/p' \
  >"$scratch/reasons"
identifiers "$scratch/reasons" | cut -d ' ' -f 2 | LC_ALL=C sort -u \
  >"$scratch/excused"
LC_ALL=C comm -12 "$scratch/tested" "$scratch/excused" >"$scratch/more"
wrong "the page says that these are not under test, but they are" \
  <"$scratch/more"

if [ ! -f "$list" ]; then
  echo "the conformance list is not there: its rows are not counted"
  exit $status
fi
sed "s/^### EX-/### $examples-/" "$list" | grep -oE "^([|]|-|###) $ids" |
  sed 's/^[^ ]* //' | LC_ALL=C sort -u >"$scratch/rows"
LC_ALL=C sort -u "$scratch/tested" "$scratch/excused" >"$scratch/known"
LC_ALL=C comm -13 "$scratch/rows" "$scratch/known" >"$scratch/more"
wrong "the list does not have these rows" <"$scratch/more"
{ grep -E "^($groups)-" "$scratch/rows" || :; } |
  LC_ALL=C comm -23 - "$scratch/known" >"$scratch/more"
wrong "neither under test nor excused" <"$scratch/more"
exit $status
