#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each header compiles alone: public ones in C and in C++, without warnings,
# with nothing but the public headers in reach, and C++ declares each struct by
# its name; those of the rooms in C.
# Usage: headers.sh ROOT CC [CXX]
set -u

root=$1 cc=$2 cxx=${3:-}
failed=0

# compile NAME HEADER COMMAND...
compile() {
  name=$1 header=$2
  shift 2
  echo "#include \"$header\"" | "$@" - || {
    echo "$header does not compile alone in $name"
    failed=1
  }
}

n=0
for header in "$root"/include/etm/*.h; do
  header=etm/$(basename "$header")
  compile C "$header" $cc -std=c11 -pedantic -Wall -Wextra -Wconversion \
    -Wshadow -Wstrict-prototypes -Werror -fsyntax-only -I"$root/include" -x c
  [ -z "$cxx" ] ||
    compile C++ "$header" $cxx -std=c++11 -pedantic -Wall -Wextra -Wshadow \
      -Wold-style-cast -Werror -fsyntax-only -I"$root/include" -x c++
  n=$((n + 1))
done
[ "$n" -gt 5 ] || { echo "only $n public headers found"; exit 1; }

# In C++ the name of a struct is a type by itself, unless a function has it.
if [ -n "$cxx" ]; then
  for header in "$root"/include/etm/*.h; do
    echo "#include <etm/$(basename "$header")>"
  done >"${program=$(mktemp)}"
  sed -nE 's/^(struct|enum) (etm_[a-z0-9_]+) \{.*/\2 one_\2{};/p' \
    "$root"/include/etm/*.h >>"$program"
  [ "$(grep -c '{};' "$program")" -gt 60 ] &&
    $cxx -std=c++11 -pedantic -Wall -Wextra -Wshadow -Werror -fsyntax-only \
      -I"$root/include" -x c++ "$program" || {
    echo "not every struct can be declared by its name in C++"
    failed=1
  }
  rm -f "$program"
fi

# Their functions may be of no use to a file with nothing else in it.
for header in "$root"/src/*/*.h; do
  header=${header#"$root"/src/}
  compile C "$header" $cc -std=c11 -Wall -Wextra -Wno-unused-function \
    -Werror -fsyntax-only \
    -I"$root/include" -I"$root/src" -x c
done
exit $failed
