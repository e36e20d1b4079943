#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install the Debian packages that are missing, as root or with sudo, and say
# before which they are and how large; does nothing where all are there.
#
#     tools/deps.sh         what building and the demo need
#     tools/deps.sh test    what the tests need besides
#     tools/deps.sh test KIND   and what tools/check.sh KIND needs
set -eu

packages="gcc libc6-dev meson ninja-build pkg-config
  libcapstone-dev libdw-dev libelf-dev libbz2-dev libzstd-dev libiberty-dev
  libarchive-dev libunicorn-dev"
[ "${1:-}" != test ] || packages="$packages g++ libcmocka-dev
  binutils-arm-none-eabi gdb-multiarch libopencsd-bin libopencsd-dev parallel
  babeltrace2 lcov gcovr"
case ${2:-} in
  msan | fuzz) packages="$packages clang" ;;
  valgrind) packages="$packages valgrind" ;;
  analyze) packages="$packages cppcheck clang-tidy" ;;
  s390x) packages="$packages gcc-s390x-linux-gnu qemu-user-binfmt" ;;
  i386) packages="$packages gcc-i686-linux-gnu" ;;
esac

command -v dpkg-query >/dev/null || {
  echo "deps: not a Debian system; install the likes of:" $packages >&2
  exit 0
}
missing=
for p in $packages; do
  case $(dpkg-query -W -f '${Status}' "$p" 2>/dev/null || true) in
    *"install ok installed") ;;
    *) missing="$missing $p" ;;
  esac
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "deps: not root and no sudo; please install:$missing" >&2
    exit 1
  }
  sudo=sudo
fi
install() { # OPTION...
  # shellcheck disable=SC2086
  $sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    apt-get install --no-install-recommends "$@" $missing
}

echo "deps: installing$missing"
# Where there is no list of packages yet, or an old one, it is fetched.
install --print-uris -y >/dev/null 2>&1 || $sudo apt-get update -qq
install --assume-no 2>/dev/null |
  sed -n -e 's/^\([0-9].*newly installed\).*/deps: \1/p' \
    -e 's/^Need to get .*/deps: &/p' -e 's/^After this .*/deps: &/p'
install -y >/dev/null 2>&1 || {
  $sudo apt-get update -qq
  install -y >/dev/null
}
