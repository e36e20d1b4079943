#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What shells complete after `etm`. Those that are not installed are skipped.
# Speaks TAP. Usage: completion.sh ETM COMPLETIONS SOURCE
set -u

completions=$2 source=$3
. "$(dirname "$0")/../support/tap.sh"
cd "$scratch" || exit 99
mkdir captures && : >captures/one.bin
PATH=$(dirname "$etm"):$PATH

# bash: the words so far, the last of which is to be completed.
bash_has() { # NAME WANT WORD...
    name=$1 want=$2
    shift 2
    bash -c '. "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _etm
        echo "${COMPREPLY[@]}"' "$completions/etm" "$@" >out 2>err
    [ "$(cat out)" = "$want" ] && [ ! -s err ]
    verdict $? "bash_$name"
}

# fish: one candidate a line, with a description after a tab.
fish_has() { # NAME WANT LINE
    fish -c "source $completions/etm.fish; complete -C '$3'" 2>err |
        cut -f 1 | sort | tr '\n' ' ' >out
    [ "$(cat out)" = "$2 " ] && [ ! -s err ]
    verdict $? "fish_$1"
}

skip() { # SHELL
    n=$((n + 1))
    echo "ok $n - $1 # SKIP not installed"
}

# All options that the command reads are completed, and no others; but one
# spelling of each.
grep -ho '{"-[a-z-]*", *[A-Z]' "$source"/src/cli/*.c | sed 's/.*"\(.*\)".*/\1/' |
    grep -v -e colour -e '^--version$' -e '^-h$' | sort -u >options
for shell in etm _etm etm.fish; do
    case $shell in
    etm) grep -v '^ *#' "$completions/etm" | grep -o -e "[ '|\"]-[a-z-]*" |
        tr -d " '|\"" ;;
    _etm) grep -o "^ *'\*--*[a-z-]*" "$completions/_etm" | tr -d " '*" ;;
    etm.fish) sed -n -e 's/.* -l \([a-z-]*\).*/--\1/p' \
        -e 's/.* -s \([a-z]\) .*/-\1/p' "$completions/etm.fish" ;;
    esac | grep -x -e '-o' -e '--[a-z][a-z-]*' | grep -v '^--version$' |
        sort -u >found
    [ "$(wc -l <options)" -gt 90 ] && diff options found >out
    verdict $? "completed_are_the_options_of_the_tables: $shell"
done

if command -v bash >/dev/null; then
    bash_has commands 'decode' etm dec
    bash_has commands_for_help 'record' etm help rec
    bash_has options '--source-lines --source' etm decode captures --so
    bash_has values 'ranges instructions' etm decode captures --level ''
    bash_has values_behind_equals 'instructions' etm decode --level = i
    bash_has values_said_twice 'lcov' etm coverage --format l
    bash_has values_of_the_command 'vcd' etm packets --format v
    bash_has cores 'cortex-m3 cortex-m4' etm record x.elf --core cortex-m
    bash_has chips 'nrf52832 nrf52840' etm configure --chip nrf
    bash_has files 'captures' etm info cap
    bash_has files_of_options 'captures/one.bin' etm info x --image captures/o
    bash_has nothing_for_numbers '' etm decode captures --jobs ''
else
    skip bash
fi
if command -v fish >/dev/null; then
    fish_has commands 'decode' 'etm dec'
    fish_has options '--source --source-lines' 'etm decode captures --so'
    fish_has values 'instructions ranges' 'etm decode captures --level '
    fish_has cores 'cortex-m3 cortex-m4' 'etm record x.elf --core cortex-m'
    fish_has chips 'nrf52832 nrf52840' 'etm configure --chip nrf'
else
    skip fish
fi
# zsh completes on a terminal only
if command -v zsh >/dev/null; then
    zsh -n "$completions/_etm" >out 2>err
    verdict $? zsh_reads_it
else
    skip zsh
fi
echo "1..$n"
