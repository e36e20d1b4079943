#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install into an empty folder, and use what is there the way a stranger
# would: pkg-config, a C or a C++ compiler, the examples.
#
#     test_install.sh SOURCE BUILD CC CXX [SANITIZERS]
#
# Speaks TAP.
set -u

source=$1 build=$2 cc=$3 cxx=$4 sanitizers=${5:-none}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
n=0

verdict() { # STATUS NAME: one test point
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        sed 's/^/# /' "$scratch/log"
        echo "not ok $n - $2"
    fi
}

skip() { # NAME WHY
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

check() { # NAME COMMAND...
    name=$1
    shift
    "$@" >"$scratch/log" 2>&1
    verdict $? "$name"
}

install_all() {
    meson install -C "$build" --no-rebuild --quiet --destdir "$root"
}

check installs_into_an_empty_folder install_all
pc=$(find "$root" -name libetm.pc)
if [ -z "$pc" ]; then
    echo "Bail out! no libetm.pc was installed"
    exit 1
fi
export PKG_CONFIG_SYSROOT_DIR="$root"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(dirname "$PKG_CONFIG_PATH")
prefix=$root$(pkg-config --variable=prefix libetm | sed "s|^$root||")

files_are_there() {
    for file in bin/etm share/man/man1/etm.1 share/man/man3/libetm.3 \
        share/man/man3/libetm-capture.3 include/etm/etm.h \
        include/etm/capture.h; do
        ls "$prefix/$file"* || return 1
    done
    for library in libetm libetm-capture; do
        ls "$libdir/$library.a" "$libdir/$library.so" \
            "$libdir/pkgconfig/$library.pc" || return 1
    done
}

# The Python module, from where it was installed.
python_module_works() {
    module=$(find "$root" -path '*/etm/__init__.py')
    PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$libdir \
        PYTHONPATH=$(dirname "$(dirname "$module")") python3 -c '
import sys, etm
with etm.open(sys.argv[1]) as capture:
    print(sum(e.n for e in capture.sources[0].elements()
              if e.kind == etm.ElementKind.RANGE))' "$source/demo/cortex-m3" \
        >"$scratch/output" &&
        grep -q -x "instructions $(cat "$scratch/output")" \
            "$source/demo/cortex-m3/execution.txt" || return 1
    # what README.md shows, and the example
    sed -e '1,/^```python$/d' -e '/^```$/,$d' "$source/README.md" \
        >"$scratch/ranges.py"
    for script in "$scratch/ranges.py" \
        "$prefix/share/doc/libetm/examples/trace.py"; do
        (cd "$source" && PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$libdir \
            PYTHONPATH=$(dirname "$(dirname "$module")") \
            python3 "$script" demo/cortex-m3) >"$scratch/output" || return 1
    done
    grep -q ' quick_sort$' "$scratch/output"
}

# Every header of the source tree, and no other file.
headers_are_complete() {
    (cd "$source/include/etm" && ls -- *.h) >"$scratch/want"
    (cd "$prefix/include/etm" && ls) | diff "$scratch/want" -
}

# The prefix is what was asked for, which may be a folder in the source.
no_folder_of_the_build_is_in_pc() {
    ! grep -h -v -e "^prefix=" "$libdir"/pkgconfig/libetm*.pc |
        grep -e "$build" -e "$source"
}

only_etm_symbols_are_exported() {
    for library in libetm libetm-capture; do
        nm -D --defined-only "$libdir/$library.so" | awk '{ print $NF }'
    done | sed 's/@.*//' | grep -v -e '^LIBETM' >"$scratch/symbols"
    grep -q '^etm_decoder_push$' "$scratch/symbols" &&
        grep -q '^etm_session_open$' "$scratch/symbols" &&
        ! grep -v '^etm_' "$scratch/symbols"
}

# What the headers declare is there, in shared and in static libraries.
public_functions_are_exported() {
    cat "$prefix"/include/etm/*.h | sed 's|/\*.*\*/||; /^ *\*/d; /^static/d' |
        tr '\n' ' ' | grep -o '\betm_[a-z0-9_]* *([^;{]*);' |
        sed 's/ *(.*//' | grep -v '_fn$' | sort -u >"$scratch/declared"
    grep -q etm_decoder_push "$scratch/declared" || return 1
    for kind in -D -g; do
        form=so
        [ $kind = -D ] || form=a
        nm $kind --defined-only "$libdir/libetm.$form" \
            "$libdir/libetm-capture.$form" | awk 'NF > 2 { print $3 }' |
            sed 's/@.*//' | sort -u >"$scratch/defined"
        comm -23 "$scratch/declared" "$scratch/defined" >"$scratch/missing"
        if [ -s "$scratch/missing" ]; then
            echo "declared, but in no library (.$form):"
            cat "$scratch/missing"
            return 1
        fi
    done
}

command_runs() {
    LD_LIBRARY_PATH=$libdir "$prefix/bin/etm" info "$source/demo/cortex-m3" |
        grep ETMv3.4
}

compiler() { # LANGUAGE ARGUMENTS...
    language=$1
    shift
    flags="-Wall -Wextra -pedantic -Werror"
    [ "$sanitizers" = none ] || flags="$flags -fsanitize=$sanitizers"
    # shellcheck disable=SC2086
    if [ "$language" = c ]; then
        $cc -std=c11 $flags "$@"
    else
        # = {0} is how C empties a struct
        $cxx -std=c++11 $flags -Wno-missing-field-initializers "$@"
    fi
}

# A header needs no other before it.
headers_compile_alone() { # LANGUAGE
    for header in "$prefix"/include/etm/*.h; do
        echo "#include <etm/$(basename "$header")>" >"$scratch/alone.c"
        # shellcheck disable=SC2046
        compiler "$1" -x "$1" -fsyntax-only $(pkg-config --cflags libetm) \
            "$scratch/alone.c" || return 1
    done
}

expected() { # EXAMPLE: what it prints
    case $1 in
    decode_buffer)
        echo "00008000 to 00008006: 3 instructions"
        echo "00008002 to 00008006: 2 instructions"
        echo "00008002 to 00008006: 2 instructions"
        echo "00008006 to 00008008: 1 instructions"
        ;;
    encode_packets)
        echo "00 00 00 00 00 80   a_sync"
        echo "08 01 80 00 00 21   i_sync"
        echo "92   atom"
        echo "81 20   branch_address"
        ;;
    esac
}

# Each instruction of the capture belongs to a function.
profile_is_right() {
    grep -q ' quick_sort$' "$scratch/output" &&
        awk 'FNR == NR { n += $1; next } $1 == "instructions" { want = $2 }
            END { exit n != want }' "$scratch/output" \
            "$source/demo/cortex-m3/execution.txt"
}

# Each instruction belongs to a stack: no call is left open, no interrupt either.
stacks_are_right() {
    grep -q '^clean_task;clean_step;clean;without_spikes;median;quick_sort ' \
        "$scratch/output" &&
        grep -q ';\[sys_tick\];SysTick_Handler;sample_interrupt;ring_put ' \
            "$scratch/output" &&
        ! grep -e '\[.*\[.*\[' -e '\[svc\];.*clean' "$scratch/output" &&
        awk 'FNR == NR { n += $NF; next } $1 == "instructions" { want = $2 }
            END { exit n != want }' "$scratch/output" \
            "$source/demo/cortex-m3/execution.txt"
}

# Trace that came before has no new ones.
edges_are_right() {
    awk 'NR == 1 && $1 < 50 { bad = 1 } END { exit bad || NR != 5 || $1 != 0 }' \
        "$scratch/output"
}

# As many points as the index has, and what --from the last one gives.
last_is_right() {
    awk '/^byte .*  at 0x/ { n++ } /instructions/ { rest = $1 }
         END { exit n != 32 || NR != 33 || rest != 313 }' "$scratch/output"
}

example_runs() { # NAME LANGUAGE LINKING
    case $1 in
    decode_buffer | encode_packets) library=libetm ;;
    *) library=libetm-capture ;;
    esac
    libs=$(pkg-config --libs $library)
    if [ "$3" = static ]; then
        libs=$(pkg-config --static --libs $library |
            sed 's/-l\(etm[a-z-]*\)/-l:lib\1.a/g')
    fi
    # shellcheck disable=SC2046,SC2086
    compiler "$2" $(pkg-config --cflags $library) -x "$2" \
        "$prefix/share/doc/libetm/examples/$1.c" -x none -o "$scratch/$1" $libs || return 1
    if [ "$3" = static ] &&
        readelf -d "$scratch/$1" | grep 'NEEDED.*libetm'; then
        return 1
    fi
    LD_LIBRARY_PATH=$libdir "$scratch/$1" "$source/demo/cortex-m3" \
        >"$scratch/output" || return 1
    case $1 in
    edges)
        edges_are_right
        return
        ;;
    last)
        last_is_right
        return
        ;;
    profile)
        profile_is_right
        return
        ;;
    stacks)
        stacks_are_right
        return
        ;;
    esac
    expected "$1" | diff - "$scratch/output"
}

# A raw file, with the options of the command, gives what the snapshot does.
example_takes_options() {
    LD_LIBRARY_PATH=$libdir "$scratch/profile" "$source/demo/cortex-m3" \
        >"$scratch/want" &&
        LD_LIBRARY_PATH=$libdir "$scratch/profile" --framing coresight \
            "$source/demo/cortex-m3/cstrace.bin" --source 0x10 \
            --reg ETMCR=0x800 --reg ETMIDR=0x4114f240 \
            --image "$source/demo/cortex-m3/sensor.elf" \
            >"$scratch/output" &&
        diff "$scratch/want" "$scratch/output" || return 1
    ! LD_LIBRARY_PATH=$libdir "$scratch/profile" --framing 3
}

# `make` with stand-ins for Meson and Ninja that write down what they are asked
# for; the build folder is there already.
make_calls() { # WANT ARGUMENT...: the lines of the log
    want=$1
    shift
    rm -rf "$scratch/make"
    mkdir -p "$scratch/make/bin" "$scratch/make/b"
    for tool in meson ninja; do
        printf '#!/bin/sh\necho "$(basename "$0") $*" >>"%s"\n' \
            "$scratch/make/calls" >"$scratch/make/bin/$tool"
        chmod +x "$scratch/make/bin/$tool"
    done
    : >"$scratch/make/b/build.ninja"
    (unset PREFIX MAKEFLAGS MAKELEVEL
     PATH=$scratch/make/bin:$PATH make -s -C "$source" \
         BUILD="$scratch/make/b" "$@") || return 1
    sed "s|$scratch/make/||" "$scratch/make/calls"
    [ "$(sed "s|$scratch/make/||" "$scratch/make/calls")" = "$want" ]
}

# What the manual and README.md show, as it stands there.
listing() { # NAME
    if [ "$1" = libetm-capture.3 ]; then
        sed -e '1,/^#include/{/^#include/!d;}' -e '/^\.Ed/,$d' -e 's/\\en/\\n/' \
            "$source/man/$1"
    else
        sed -e '1,/^```c/d' -e '/^```$/,$d' "$source/$1"
    fi
}

listing_runs() { # NAME LAST-LINE
    listing "$1" >"$scratch/listing.c"
    # shellcheck disable=SC2046
    compiler c "$scratch/listing.c" \
        $(pkg-config --cflags --libs libetm-capture) \
        -o "$scratch/listing" || return 1
    (cd "$source" && LD_LIBRARY_PATH=$libdir "$scratch/listing" \
        demo/cortex-m3) >"$scratch/output" || return 1
    [ "$(tail -n 1 "$scratch/output")" = "$2" ]
}

# find_package(libetm): both targets, in both languages.
cmake_finds_it() {
    cmake -S "$source/test/install/cmake" -B "$scratch/cmake" \
        -DCMAKE_PREFIX_PATH="$prefix" -DSOURCE="$source" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
        -DFLAGS="$([ "$sanitizers" = none ] || echo "-fsanitize=$sanitizers")" &&
        cmake --build "$scratch/cmake" || return 1
    for program in core_c core_cxx; do
        "$scratch/cmake/$program" >"$scratch/output" || return 1
        expected decode_buffer | diff - "$scratch/output" || return 1
    done
    for program in capture_c capture_cxx; do
        LD_LIBRARY_PATH=$libdir "$scratch/cmake/$program" \
            "$source/demo/cortex-m3" >"$scratch/output" || return 1
        profile_is_right || return 1
    done
    ! readelf -d "$scratch/cmake/core_c" | grep 'NEEDED.*etm-capture'
}

# Another version is not found: it may be another interface.
cmake_refuses_another_version() {
    for version in 9 0.99 0.0; do
        ! cmake -S "$source/test/install/cmake" -B "$scratch/other" \
            -DCMAKE_PREFIX_PATH="$prefix" -DSOURCE="$source" \
            -DVERSION=$version || return 1
        rm -rf "$scratch/other"
    done
}

# The headers, the library and pkg-config have the same version.
versions_agree() {
    printf '%s\n' '#include <etm/etm.h>' '#include <stdio.h>' \
        'int main(void) { printf("%s %s %d.%d.%d\n", etm_version(),' \
        'ETM_VERSION, ETM_VERSION_MAJOR, ETM_VERSION_MINOR,' \
        'ETM_VERSION_PATCH); return 0; }' >"$scratch/version.c"
    # shellcheck disable=SC2046
    compiler c "$scratch/version.c" $(pkg-config --cflags --libs libetm) \
        -o "$scratch/version" || return 1
    version=$(pkg-config --modversion libetm)
    LD_LIBRARY_PATH=$libdir "$scratch/version" >"$scratch/output" || return 1
    [ "$(cat "$scratch/output")" = "$version $version $version" ] &&
        LD_LIBRARY_PATH=$libdir "$prefix/bin/etm" --version |
        grep -x "etm $version"
}

check command_libraries_headers_and_manuals_are_there files_are_there
check headers_are_those_of_the_source headers_are_complete
check pkg_config_names_no_folder_of_the_build no_folder_of_the_build_is_in_pc
check nothing_but_etm_is_exported only_etm_symbols_are_exported
check declared_functions_are_shared_and_static public_functions_are_exported
check installed_command_runs command_runs
check all_have_the_same_version versions_agree
if [ "$sanitizers" != none ]; then
    skip installed_python_module_works "Python is built without sanitizers"
elif [ -z "$(find "$root" -path '*/etm/__init__.py')" ]; then
    skip installed_python_module_works "not built"
else
    check installed_python_module_works python_module_works
fi
for language in c c++; do
    check "headers_compile_alone_in_$language" headers_compile_alone $language
    for linking in shared static; do
        for example in decode_buffer edges encode_packets last profile stacks; do
            check "${example}_runs_in_${language}_$linking" \
                example_runs $example $language $linking
        done
    done
done
check example_takes_the_options_of_the_command example_takes_options
if command -v cmake >/dev/null; then
    check cmake_finds_both_libraries cmake_finds_it
    check cmake_refuses_other_versions cmake_refuses_another_version
else
    skip cmake_finds_both_libraries "no cmake"
    skip cmake_refuses_other_versions "no cmake"
fi
check listing_of_the_manual_runs listing_runs libetm-capture.3 000001f0-000001f4
# Meson on a machine without dpkg-dev: it would choose lib64 where that is there.
sets_up_without_dpkg_dev() {
    rm -rf "$scratch/setup"
    mkdir "$scratch/setup"
    printf '#!/bin/sh\nexit 1\n' >"$scratch/setup/dpkg-architecture"
    chmod +x "$scratch/setup/dpkg-architecture"
    (cd "$source" && PATH=$scratch/setup:$PATH CC=$cc meson setup \
        -Dtests=false "$scratch/setup/b") || return 1
    grep -x 'prefix=/usr/local' "$scratch/setup/b/meson-private/libetm.pc" &&
        grep -x 'libdir=${prefix}/lib' "$scratch/setup/b/meson-private/libetm.pc"
}

# The library, where it is installed by default, in an empty system with the
# loader's own configuration.
loader_looks_there() {
    rm -rf "$scratch/system"
    mkdir -p "$scratch/system/etc" "$scratch/system/usr/local/lib"
    cp -r /etc/ld.so.conf /etc/ld.so.conf.d "$scratch/system/etc/" || return 1
    cp -P "$libdir"/libetm.so* "$scratch/system/usr/local/lib/" || return 1
    ldconfig -r "$scratch/system" &&
        ldconfig -r "$scratch/system" -p | grep '=> /usr/local/lib/libetm.so'
}

pkg_config_looks_there() {
    (unset PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
     pkg-config --variable=pc_path pkg-config) | tr ':' '\n' |
        grep -x /usr/local/lib/pkgconfig
}

# What the user is told: nothing where all of them look, which stand-ins say.
installed() { # LIBDIR BINDIR ARGUMENT-OF-PKG-CONFIG CACHE [PYTHONDIR]
    rm -rf "$scratch/after"
    mkdir "$scratch/after"
    printf '#!/bin/sh\necho "ldconfig $*" >>"%s/calls"\n[ "$*" != -p ] || echo "%s"\n' \
        "$scratch/after" "$4" >"$scratch/after/ldconfig"
    printf '#!/bin/sh\necho "%s"\n' "$3" >"$scratch/after/pkg-config"
    chmod +x "$scratch/after/ldconfig" "$scratch/after/pkg-config"
    PATH=$scratch/after:$PATH:/usr/local/bin sh "$source/tools/installed.sh" \
        "$1" "$2" "${5:-}" >"$scratch/told" || return 1
    cat "$scratch/told" "$scratch/after/calls"
    [ "$(id -u)" != 0 ] || grep -q -x 'ldconfig ' "$scratch/after/calls"
}

nothing_is_told_where_all_look() {
    installed /usr/local/lib /usr/local/bin /usr/local/lib \
        '	libetm.so.0 (libc6,x86-64) => /usr/local/lib/libetm.so.0' &&
        [ ! -s "$scratch/told" ]
}

what_to_set_is_told() {
    installed /opt/etm/lib /opt/etm/bin /usr/local/lib \
        '	libetm.so.0 (libc6,x86-64) => /usr/local/lib/libetm.so.0' \
        /opt/etm/lib/python &&
        grep 'export PYTHONPATH=/opt/etm/lib/python$' "$scratch/told" &&
        grep 'export LD_LIBRARY_PATH=/opt/etm/lib$' "$scratch/told" &&
        grep 'export PKG_CONFIG_PATH=/opt/etm/lib/pkgconfig$' "$scratch/told" &&
        grep 'export PATH=/opt/etm/bin:\$PATH$' "$scratch/told"
}

# As on an installed system: nothing says where the library is.
listing_runs_as_readme_says() {
    listing README.md >"$scratch/ranges.c"
    line=$(sed -n 's/^    cc \(ranges\.c .*\)/compiler c \1/p' "$source/README.md")
    [ -n "$line" ] && (
        cp -r "$source/demo" "$scratch/" && cd "$scratch" || exit 1
        LD_LIBRARY_PATH=$libdir
        export LD_LIBRARY_PATH
        eval "$line"
    ) >"$scratch/output" &&
        [ "$(tail -n 1 "$scratch/output")" = '000001f0: 1 instructions' ]
}

check line_of_the_readme_compiles_and_runs listing_runs_as_readme_says
check default_folder_does_not_depend_on_packages sets_up_without_dpkg_dev
PATH=$PATH:/usr/sbin:/sbin
if [ ! -f /etc/debian_version ]; then
    skip loader_looks_in_the_default_folder "not a Debian system"
elif [ "$(id -u)" != 0 ]; then
    skip loader_looks_in_the_default_folder "ldconfig -r needs root"
else
    check loader_looks_in_the_default_folder loader_looks_there
fi
if [ -f /etc/debian_version ]; then
    check pkg_config_looks_in_the_default_folder pkg_config_looks_there
else
    skip pkg_config_looks_in_the_default_folder "not a Debian system"
fi
check nothing_to_set_where_all_look nothing_is_told_where_all_look
check what_is_to_be_set_is_told what_to_set_is_told

if command -v make >/dev/null; then
    check make_installs_where_prefix_says make_calls \
        'meson configure b -Dprefix=/opt/etm
ninja -C b product
meson install -C b --no-rebuild' install PREFIX=/opt/etm
    check make_leaves_the_prefix_of_a_folder make_calls 'ninja -C b product
meson install -C b --no-rebuild' install
    check make_turns_on_the_tests_of_a_folder_without make_calls \
        'meson configure b -Dtests=true' with-tests
fi
echo "1..$n"
