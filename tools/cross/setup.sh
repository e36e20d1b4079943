#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Get ready to build and test for another of Debian's architectures:
#
#     sh tools/cross/setup.sh s390x DIRECTORY
#     meson setup --cross-file DIRECTORY/cross.ini build-s390x
#
# DIRECTORY gets that architecture's libraries, out of Debian's packages, and a
# cross file for Meson. Nothing of the system is touched, and nobody needs to be
# root. The compiler has to be there, and an emulator for what this machine
# cannot run itself.
set -eu

usage="usage: setup.sh i386|armhf|arm64|s390x DIRECTORY"
arch=${1:?$usage}
mkdir -p "${2:?$usage}"
dir=$(cd "$2" && pwd)

# the compiler's name, where libraries are, the loader
emulator='' endian=little
case $arch in
i386) # its compiler is called after the i686, its libraries are not
    triplet=i686-linux-gnu libraries=i386-linux-gnu loader=ld-linux.so.2
    family=x86 cpu=i686
    ;;
armhf)
    triplet=arm-linux-gnueabihf libraries=$triplet loader=ld-linux-armhf.so.3
    family=arm cpu=armv7l emulator=qemu-arm
    ;;
arm64)
    triplet=aarch64-linux-gnu libraries=$triplet loader=ld-linux-aarch64.so.1
    family=aarch64 cpu=armv8 emulator=qemu-aarch64
    ;;
s390x)
    triplet=s390x-linux-gnu libraries=$triplet loader=ld64.so.1
    family=s390x cpu=z10 emulator=qemu-s390x endian=big
    ;;
*)
    echo "$usage" >&2
    exit 2
    ;;
esac

missing=''
command -v "$triplet-gcc" >/dev/null || missing="gcc-$triplet"
[ -z "$emulator" ] || command -v "$emulator" >/dev/null ||
    missing="$missing qemu-user-binfmt"
[ -z "$missing" ] || {
    echo "setup: please install:" $missing >&2
    exit 1
}

# apt with a state of its own, in which nothing is installed
mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial" "$dir/root"
: >"$dir/apt/status"
set -- -q -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" \
    -o "APT::Sandbox::User=$(id -un)" -o "Dir::State=$dir/apt" \
    -o "Dir::State::status=$dir/apt/status" -o "Dir::Cache=$dir/apt" \
    -o Debug::NoLocking=true
# one archive that cannot be read leaves the others
apt-get "$@" update || echo "setup: with the archives that can be read" >&2
apt-get "$@" -y --no-install-recommends --download-only install libc6-dev \
    libcmocka-dev libcapstone-dev libdw-dev libelf-dev libbz2-dev libzstd-dev \
    libiberty-dev libunicorn-dev
for package in "$dir"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$dir/root"
done
# a link that begins at the root would lead into this system
find "$dir/root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$dir/root$(readlink "$link")" "$link"
done

# Programs name their loader and where all their libraries are (RPATH; RUNPATH is
# not that of the libraries' libraries), so that they run as they are.
wrapper='' wrapped="needs_exe_wrapper = false"
[ -z "$emulator" ] || wrapper="exe_wrapper = '$emulator'" wrapped=''
cat >"$dir/cross.ini" <<END
[constants]
root = '$dir/root'

[binaries]
c = '$triplet-gcc'
ar = '$triplet-gcc-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
$wrapper

[built-in options]
c_args = ['--sysroot=' + root]
c_link_args = ['--sysroot=' + root,
  '-L' + root + '/usr/lib/$libraries', '-L' + root + '/lib/$libraries',
  '-Wl,--disable-new-dtags,-rpath,' + root + '/usr/lib/$libraries',
  '-Wl,-rpath,' + root + '/lib/$libraries',
  '-Wl,--dynamic-linker,' + root + '/lib/$loader']

[properties]
sys_root = root
pkg_config_libdir = [root + '/usr/lib/$libraries/pkgconfig',
  root + '/usr/share/pkgconfig']
$wrapped

[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$cpu'
endian = '$endian'
END
echo "meson setup --cross-file $dir/cross.ini build-$arch"
