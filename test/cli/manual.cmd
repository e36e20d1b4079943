# SPDX-License-Identifier: Apache-2.0
# The options that a command takes, those of its help and those of its part of etm(1) are the
# same.

  $ source=$CLI/../..
  $ # every command has these, or a second way to write them
  $ sorted() { grep -vx -e --help -e -h -e --version -e --colour -e --no-colour | sort -u; }
  $ tables() { # FILE...: options in the tables of files of src/cli
  > (cd $source/src/cli && grep -hv '^ \*' "$@") | grep -o '"--\{0,1\}[a-z][-a-z]*"' | tr -d '"' | sorted; }
  $ helps() { for command; do etm $command --help; done | tr -s ' ,|()' '\n' |
  > grep -x -e '--\{0,1\}[a-z][-a-z]*' | sorted; }
  $ page() { # PATTERN: of sections whose titles match
  > awk -v title="^\\\\.S[sh] ($1)\$" '/^\.S[sh] /{ inside = $0 ~ title } inside' $source/man/etm.1 |
  > grep -o 'Fl -\{0,1\}[a-z][-a-z]*' | sed 's/Fl /-/' | sorted; }
  $ compare() { # TITLE FILE COMMAND...
  > title=$1 file=$2; shift 2; tables $file >taken; helps "$@" | diff taken -
  > page "$title" | diff taken -; [ -s taken ] && echo "$file"; }
  $ usage=$(etm help | sed '/^$/q' | sed 's/^usage: */       /')
  $ all=$(echo "$usage" | sed -n 's/^ *etm \([a-z]*\) .*/\1/p')

# All commands, and those that take a capture: the beginning of the help.
== options_are_those_of_the_help_and_of_the_page
  $ captures=$(echo "$usage" | sed -n 's/^ *etm \([a-z]*\) *CAPTURE.*/\1/p')
  $ echo $all; echo $captures
  info packets decode profile calls exceptions timeline coverage variables report diff index top gdb split merge configure explain record
  info packets decode profile calls exceptions timeline coverage variables report diff index top gdb split
  $ compare 'Options (of|for) (info|decode|profile|index|gdb|diff|top|raw|trace ports).*' \
  > options.c $captures => options.c
  $ compare 'Options of configure' configure.c configure => configure.c
  $ compare 'Options of explain' explain.c explain => explain.c
  $ compare 'Options of record' record_options.c record => record_options.c

# By the command whose help has it; that of merge tells of options of decode.
== options_of_the_help_are_taken
  $ for command in $all; do [ $command != merge ] || continue; helps $command >helped
  > while read -r option; do etm $command $option </dev/null 2>&1 >/dev/null |
  > grep 'no such option'; done <helped; [ -s helped ] && echo $command; done | paste -sd' '
  info packets decode profile calls exceptions timeline coverage variables report diff index top gdb split configure explain record
