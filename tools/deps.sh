#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install the Debian packages that building, the demo and the tests need, as
# root or with sudo; does nothing where they are there already.
set -eu

packages="gcc g++ libc6-dev meson ninja-build pkg-config
  libcapstone-dev libdw-dev libelf-dev libbz2-dev libzstd-dev libcmocka-dev
  libunicorn-dev
  binutils-arm-none-eabi libopencsd-bin libopencsd-dev parallel"

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
echo "deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$sudo apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 || {
  $sudo apt-get update -qq
  $sudo apt-get install -y --no-install-recommends $missing >/dev/null
}
