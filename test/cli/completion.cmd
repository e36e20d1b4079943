# SPDX-License-Identifier: Apache-2.0
# What shells complete after `etm`.

  $ mkdir captures; : >captures/one.bin

# No others; but one spelling of each.
== completed_are_the_options_of_the_tables
  $ grep -ho '{"-[a-z-]*", *[A-Z]' $CLI/../../src/cli/*.c | sed 's/.*"\(.*\)".*/\1/' |
  > grep -v -e colour -e '^--version$' -e '^-h$' | sort -u >options; [ $(wc -l <options) -gt 90 ]
  $ found() { grep -x -e '-o' -e '--[a-z][a-z-]*' | grep -v '^--version$' | sort -u | diff options -
  > }
  $ grep -v '^ *#' $COMPLETIONS/etm | grep -o -e "[ '|\"]-[a-z-]*" | tr -d " '|\"" | found
  $ grep -o "^ *'\*--*[a-z-]*" $COMPLETIONS/_etm | tr -d " '*" | found
  $ sed -n -e 's/.* -l \([a-z-]*\).*/--\1/p' -e 's/.* -s \([a-z]\) .*/-\1/p' $COMPLETIONS/etm.fish |
  > found
  $ grep -c . options | sed 's/^...$/many/' => many

# The words so far, the last of which is to be completed.
== bash
need bash
  $ completed() { bash -c '. "$0"
  >     COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  >     _etm
  >     echo "${COMPREPLY[@]}"' $COMPLETIONS/etm etm "$@"; }
  $ completed dec => decode
  $ completed help rec => record
  $ completed decode captures --so => --source-lines --source
  $ completed decode captures --level '' => ranges instructions
  $ completed decode captures --level = i => instructions
  $ completed coverage --format l => lcov
  $ completed packets --format v => vcd
  $ completed record x.elf --core cortex-m => cortex-m3 cortex-m4
  $ completed configure --chip nrf => nrf52832 nrf52840
  $ completed info cap => captures
  $ completed info x --image captures/o => captures/one.bin
  $ completed decode captures --jobs '' =>  (esc)

# One candidate a line, with a description after a tab.
== fish
need fish
  $ completed() { fish -c "source $COMPLETIONS/etm.fish; complete -C '$1'" | cut -f 1 | sort | fmt
  > }
  $ completed 'etm dec' => decode
  $ completed 'etm decode captures --so' => --source --source-lines
  $ completed 'etm decode captures --level ' => instructions ranges
  $ completed 'etm record x.elf --core cortex-m' => cortex-m3 cortex-m4
  $ completed 'etm configure --chip nrf' => nrf52832 nrf52840

# zsh completes on a terminal only: its functions are read.
== zsh
need zsh
  $ zsh -n $COMPLETIONS/_etm && echo read => read
