#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which rows of a conformance list are under test. LIST is macrocell, etmv1-v2 or
# etmv3-pft: a section of doc/conformance.md, which has the rows that are not. Usage:
#
#     conformance.sh LIST ROOT          each row of the list, where it stands beside
#                                       the project, is under test or excused, and
#                                       no row is both
#     conformance.sh LIST --table ROOT  the rows, each with the cases that show it
#     conformance.sh --self             what counts as a case that shows a row
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rows=$(cd "$(dirname "$0")" && pwd)/rows.py

# One row a line is right, W- rows are not.
if [ "$1" = --self ]; then
  mkdir -p "$scratch/test/a"
  cat >"$scratch/test/a/cases.txt" <<'END'
# W-01: about the file

# A-01, -02
== first
expect reg CR=1
# W-02, W-03: expects nothing
== second
reg CR=1
== third
# A-03 to A-05
expect reg CR=1
END
  printf '# A-06\ncode 0 arm\nexpect ranges\n' >"$scratch/test/a/one.scn"
  printf '# W-04\ncode 0 arm\n' >"$scratch/test/a/none.scn"
  cat >"$scratch/test/a/one.cmd" <<'END'
# A-11
== printed
  $ etm info => one line
# W-08
== nothing_is_printed
  $ etm info | cat >out # W-09
# A-12
== of_more_lines
  $ etm info >out
  # W-09
END
  cat >"$scratch/test/a/test.c" <<'END'
/* W-05: about the file */
#include <a.h>

/* A-07 */
static const int table[] = {
    1, /* A-08 */
};

/* W-06: nothing is asserted */
static void idle(void **state)
{
    (void)state;
}

/* W-07: never called */
static void unused(void)
{
    assert_true(1);
}

static void checked(void)
{
    assert_int_equal(table[0], 1);
}

/* A-09 */
static void tests(void **state)
{
    /* A-10 */
    checked();
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(idle),
        cmocka_unit_test(tests),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
END
  cat >"$scratch/test/a/macro.c" <<'END'
/* A-13 */
TEST(asserted)
{
    assert_ok(1);
}

/* W-08: nothing is asserted */
TEST_BETWEEN(idle, begin, NULL)
{
    begin();
}
END
  python3 "$rows" "$scratch" '[AW]-[0-9]+' | sed 's/.* //' | sort -u |
    tr '\n' ' ' >"$scratch/found"
  [ "$(cat "$scratch/found")" = "A-01 A-02 A-03 A-04 A-05 A-06 A-07 A-08 A-09 A-10 A-11 A-12 A-13 " ] ||
    { echo "found: $(cat "$scratch/found")"; exit 1; }
  python3 "$rows" --loose "$scratch" '[AW]-[0-9]+' | sed 's/.* //' | sort -u |
    tr '\n' ' ' >"$scratch/found"
  [ "$(cat "$scratch/found")" = "W-01 W-02 W-03 W-04 W-05 W-06 W-07 W-08 " ] ||
    { echo "loose: $(cat "$scratch/found")"; exit 1; }
  exit 0
fi

which=$1
shift
table=no
[ "$1" = --table ] && { table=yes; shift; }
root=$1
foreign='^$'
examples=EX
case $which in
macrocell)
  ids='(MC|TV|MF|ERR)-([A-Z]+-)?[0-9]+'
  # In tests of ETMv1 and ETMv2 those are of another list.
  foreign='etmv[12].* (MF|ERR)-'
  ;;
etmv1-v2)
  ids='(V1-[A-Z0-9]+|V2-[A-Z]+|PORT-[A-Z]+|CFG|SIG|TCD|BRX|X3|DAT|DEF|COP'
  ids="$ids|CTX|DBG|WFX|CAP|DYN|A2|VER|EX)-[0-9][0-9]"
  ;;
etmv3-pft)
  ids='(V3-[A-Z]+|PFT-RS|PFT-DEC|AMB)-[0-9][0-9]'
  examples=V3-EX # two lists call theirs EX
  ;;
*)
  echo "no such list: $which" >&2
  exit 2
  ;;
esac

found() { # OPTION...: "FILE:CASE ROW"
  python3 "$rows" "$@" "$root" "$ids" | grep -vE "$foreign" || :
}

found >"$scratch/named"
if [ "$table" = yes ]; then
  echo "# Rows of $which, and the cases that show them"
  echo
  echo "| row | cases of test/ |"
  echo "| --- | --- |"
  LC_ALL=C sort -k 2,2 -k 1,1 "$scratch/named" | awk '
    $2 != row { if (row) print line " |"; row = $2; line = "| " row " |" }
    { line = line " `" $1 "`" }
    END { if (row) print line " |" }'
  exit 0
fi

status=0
wrong() { # WHAT: fails if a list of rows on standard input has any
  cat >"$scratch/wrong"
  [ -s "$scratch/wrong" ] || return 0
  echo "$1:"
  cat "$scratch/wrong"
  status=1
}

sed 's/.* //' "$scratch/named" | LC_ALL=C sort -u >"$scratch/tested"
[ -s "$scratch/tested" ] || { echo "no test names a row"; exit 1; }
sed -n "/^## $which\$/,/^## /p" "$root/doc/conformance.md" |
  sed -n 's/^| \([A-Z][^|]*\)|.*/# \1/p' >"$scratch/reasons"
[ -s "$scratch/reasons" ] || { echo "the page has no section $which"; exit 1; }
mkdir -p "$scratch/page/test/page"
{ cat "$scratch/reasons"; echo "expect nothing"; } >"$scratch/page/test/page/page.scn"
python3 "$rows" "$scratch/page" "$ids" | sed 's/.* //' | LC_ALL=C sort -u \
  >"$scratch/excused"
LC_ALL=C comm -12 "$scratch/tested" "$scratch/excused" >"$scratch/more"
wrong "the page says that these are not under test, but they are" \
  <"$scratch/more"

list=${ETM_SHARED:-$root/../shared}/spec/conformance-$which.md
if [ ! -f "$list" ]; then
  echo "the conformance list is not there: its rows are not counted"
  exit $status
fi
sed "s/^### EX-/### $examples-/" "$list" | grep -oE "^([|]|-|###) ($ids)" |
  sed 's/^[^ ]* //' | LC_ALL=C sort -u >"$scratch/rows"
LC_ALL=C sort -u "$scratch/tested" "$scratch/excused" >"$scratch/known"
LC_ALL=C comm -13 "$scratch/rows" "$scratch/known" >"$scratch/more"
wrong "the list does not have these rows" <"$scratch/more"
LC_ALL=C comm -23 "$scratch/rows" "$scratch/known" >"$scratch/open"
found --loose | while read -r where row; do
  ! grep -qx "$row" "$scratch/open" || echo "$row: test/$where"
done >"$scratch/more"
wrong "a comment names these where nothing is expected" <"$scratch/more"
wrong "neither under test nor excused" <"$scratch/open"
exit $status
