#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each header compiles alone: public ones in C and in C++, without warnings,
# with nothing but the public headers in reach; those of the rooms in C.
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

# Their functions may be of no use to a file with nothing else in it.
for header in "$root"/src/*/*.h; do
  header=${header#"$root"/src/}
  compile C "$header" $cc -std=c11 -Wall -Wextra -Wno-unused-function \
    -Werror -fsyntax-only \
    -I"$root/include" -I"$root/src" -x c
done
exit $failed
