#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who may include whom (doc/architecture.md, "Rooms"). Usage: includes.sh ROOT
# Prints each line that breaks a rule; fails if there is one. Before that it
# tries itself on a tree that breaks them all.
set -eu

# From the ground up; a room may include what has a lower number, itself and
# public headers.
rooms='base:0 isa:1 image:2 regs:2 port:2 proto:3 flow:4 model:4 setup:5
  exec:5 input:5 analyze:5 write:6 session:6 emulate:7 gdb:7 cli:8'
core='base isa image regs port proto flow model'

# System headers of the core: no files, no environment, no clock, no locale,
# and no memory but through the allocator hook.
core_headers='stdbool|stddef|stdint|string|limits|assert|inttypes'

# FILE:LINE:#include lines of the C files in a folder.
includes() {
  find "$1" \( -name '*.[ch]' -o -name '*.inc' \) -exec \
    grep -Hn '^[[:space:]]*#[[:space:]]*include' {} + 2>/dev/null || :
}

# Quoted includes that name a room not below.
check_order() {
  for room in $rooms; do
    name=${room%:*}
    [ -d "$1/$name" ] || continue
    for other in $rooms; do
      [ "$other" = "$room" ] && continue
      # the command uses public headers, and what only it is linked with
      if [ "${other#*:}" -ge "${room#*:}" ] ||
        { [ "$name" = cli ] && [ "${other%:*}" != emulate ] &&
          [ "${other%:*}" != gdb ]; }; then
        includes "$1/$name" | grep "include \"${other%:*}/" || :
      fi
    done
    # a quoted include says its room
    includes "$1/$name" | grep 'include "[^/]*"' || :
  done
}

check_core() {
  for name in $core; do
    [ -d "$1/$name" ] || continue
    # one file may: the default of the allocator hook
    includes "$1/$name" | grep 'include <' | grep -v 'include <etm/' |
      grep -vE "include <($core_headers)\.h>" |
      grep -v '/base/alloc\.c:[0-9]*:#include <stdlib.h>' || :
  done
}

# A file of one protocol includes nothing of another.
check_protocols() {
  for name in proto flow model; do
    [ -d "$1/$name" ] || continue
    includes "$1/$name" | grep -E '/(etmv3)[^/]*:[0-9]+:.*"[a-z]+/(pft|etmv1|etmv2)' || :
    includes "$1/$name" | grep -E '/(pft)[^/]*:[0-9]+:.*"[a-z]+/(etmv)' || :
    includes "$1/$name" | grep -E '/(etmv1)[^/]*:[0-9]+:.*"[a-z]+/(pft|etmv3|etmv2)' || :
    includes "$1/$name" | grep -E '/(etmv2)[^/]*:[0-9]+:.*"[a-z]+/(pft|etmv3|etmv1)' || :
  done
}

# Every folder of src is a room of the list.
check_known() {
  for folder in "$1"/*/; do
    name=$(basename "$folder")
    case " $(echo $rooms) " in
      *" $name:"*) ;;
      *) echo "$folder: a room that is not in the list" ;;
    esac
  done
}

check() {
  check_order "$1"
  check_core "$1"
  check_protocols "$1"
  check_known "$1"
}

# One broken rule a file.
try() {
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  mkdir -p "$tree/base" "$tree/flow" "$tree/proto" "$tree/cli" "$tree/attic"
  echo '#include "flow/walk/walk.h"' > "$tree/base/upward.c"
  echo '#include "flow/walk/walk.h"' > "$tree/base/loop.inc"
  echo '#include "model/generator.h"' > "$tree/flow/sideward.c"
  echo '#include "follow.h"' > "$tree/flow/roomless.c"
  echo '#include <stdlib.h>' > "$tree/flow/memory.c"
  echo '#include <stdio.h>' > "$tree/base/alloc.c"
  echo '#include "proto/pft.h"' > "$tree/proto/etmv3_decode.c"
  echo '#include "base/vec.h"' > "$tree/cli/main.c"
  found=$(check "$tree")
  for rule in upward loop.inc sideward roomless memory alloc etmv3_decode main attic; do
    case $found in
      *"$rule"*) ;;
      *) echo "the check does not see: $rule"; exit 1 ;;
    esac
  done
  echo '#include "base/vec.h"' > "$tree/good.c"
  rm -r "$tree/base" "$tree/cli" "$tree/attic" "$tree/flow" "$tree/proto"
  mkdir "$tree/flow"
  mv "$tree/good.c" "$tree/flow/"
  found=$(check "$tree")
  [ -z "$found" ] || { echo "the check sees too much: $found"; exit 1; }
}

try
found=$(check "$1/src")
[ -z "$found" ] || { echo "$found"; exit 1; }
