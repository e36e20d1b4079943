#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make install` on a Debian with nothing but what building needs, and what
# README.md says about using it, in C and in Python. Needs root, debootstrap and
# a mirror; some minutes. Not part of the test suite.
#
#     bare_root.sh FOLDER [MIRROR]
set -eu

root=$1 mirror=${2:-http://deb.debian.org/debian}
source=$(cd "$(dirname "$0")/../.." && pwd)

[ -d "$root/usr" ] || debootstrap --variant=minbase --include="gcc,libc6-dev,\
make,meson,ninja-build,pkg-config,libcapstone-dev,libdw-dev,libelf-dev,\
libbz2-dev,libzstd-dev,libiberty-dev" bookworm "$root" "$mirror"
[ ! -e "$root/usr/bin/dpkg-architecture" ] # of dpkg-dev

rm -rf "$root/src" && mkdir "$root/src"
(cd "$source" && git ls-files -z | tar -cf - --null -T -) |
  tar -xf - -C "$root/src"
cat >"$root/src/try.sh" <<'END'
set -eux
cd /src
make install
sed -e '1,/^```c$/d' -e '/^```$/,$d' README.md >ranges.c
line=$(sed -n 's/^    \(cc ranges\.c .*\)/\1/p' README.md)
eval "$line" >c.txt
sed -e '1,/^```python$/d' -e '/^```$/,$d' README.md >ranges.py
python3 ranges.py >python.txt
cmp c.txt python.txt
[ "$(wc -l <c.txt)" -gt 1000 ]
END
chroot "$root" sh /src/try.sh
echo "works in a bare root"
