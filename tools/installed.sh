#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# After `make install` or `meson install`: tell the loader of the new library
# (as root; the loader reads a cache), and the user what does not look where
# things were installed.
#
#     installed.sh LIBDIR BINDIR [PYTHONDIR]
set -u

libdir=$1 bindir=$2 python=${3:-}
search=$PATH
PATH=$PATH:/usr/sbin:/sbin # ldconfig

if command -v ldconfig >/dev/null; then
  [ "$(id -u)" != 0 ] || ldconfig
  ldconfig -p | grep -q "=> $libdir/libetm\.so" || {
    echo "The loader does not look for libraries in $libdir:"
    echo "    export LD_LIBRARY_PATH=$libdir"
  }
fi
if command -v pkg-config >/dev/null; then
  [ "$(pkg-config --variable=libdir libetm 2>/dev/null)" = "$libdir" ] || {
    echo "pkg-config does not look in $libdir/pkgconfig:"
    echo "    export PKG_CONFIG_PATH=$libdir/pkgconfig"
  }
fi
case ":$search:" in
*":$bindir:"*) ;;
*)
  echo "The shell does not look for commands in $bindir:"
  echo "    export PATH=$bindir:\$PATH"
  ;;
esac
if [ -n "$python" ]; then
  python3 -c 'import sys; sys.exit(sys.argv[1] not in sys.path)' "$python" || {
    echo "Python does not look for modules in $python:"
    echo "    export PYTHONPATH=$python"
  }
fi
