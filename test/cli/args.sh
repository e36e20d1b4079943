#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command takes options and operands in the same spellings, and says the
# same of what is wrong. Speaks TAP. Usage: args.sh ETM DEMO
set -u

. "$(dirname "$0")/cli.sh"

"$etm" decode "$m3" --stats -o sums
"$etm" configure --core cortex-a9 -o setup
printf 'version 1\nplace 00008000\n00008000 e3a00003\n' >log

# A command that works, with a long option that takes a value:
# COMMAND|ARGUMENTS|OPTION|VALUE
cat >commands <<END
info|$m3|--format|jsonl
packets|$m3|--format|jsonl
decode|$m3|--format|jsonl
index|$m3|--format|jsonl
merge|$PWD/sums||
configure|--core cortex-a9|--format|c
explain|--core cortex-a9 $PWD/setup|--format|jsonl
record|--execution $PWD/log|--trace-id|0x11
END

written() { # NAME FILE ARGUMENT...: that file or directory, and nothing else
    name=$1 file=$2
    shift 2
    rm -rf there && mkdir there
    (cd there && exec "$etm" "$@") >out 2>err && [ ! -s out ] &&
        [ "$(ls -A there)" = "$file" ] &&
        diff -r "there/$file" expected >out
    verdict $? "$name"
}

wrong() { # NAME LINE ARGUMENT...: wrong usage, and exactly that line
    name=$1 line=$2
    shift 2
    run "$@"
    [ "$status" -eq 2 ] && [ ! -s out ] && echo "etm: $line" | equal - err
    verdict $? "$name"
}

# Where the value of an option is.
values() { # COMMAND OPTION VALUE ARGUMENT...
    command=$1 option=$2 value=$3
    shift 3
    rm -rf expected
    "$etm" "$command" "$@" -o expected 2>err
    written "value_is_the_next_word: $command -o F" F "$command" "$@" -o F
    written "value_is_attached: $command -oF" F "$command" "$@" -oF
    written "an_equals_sign_after_one_letter_is_of_the_value: $command -o=F" \
        =F "$command" "$@" -o=F
    written "value_is_any_next_word: $command -o --help" --help \
        "$command" "$@" -o --help
    written "value_is_any_next_word: $command -o --" -- "$command" "$@" -o --
    written "the_last_one_counts: $command -o" F "$command" "$@" -o G -oF
    written "options_may_come_first: $command" F "$command" -o F "$@"
    written "options_may_end: $command --" F "$command" "$@" -o F --
    [ -n "$option" ] || return
    rm -rf expected
    "$etm" "$command" "$@" "$option" "$value" -o expected 2>err
    written "value_is_the_next_word: $command $option $value" F \
        "$command" "$@" "$option" "$value" -o F
    written "value_follows_an_equals_sign: $command $option=$value" F \
        "$command" "$@" "$option=$value" -o F
}

# What is no option, or not one in this way.
mistakes() { # COMMAND OPTION ARGUMENT...
    command=$1 option=$2
    shift 2
    see="(see 'etm $command --help')"
    for word in --frob --frob=1 -x -hx -h=1 --hel --o --o=F ---; do
        wrong "unknown: $command $word" "$word: no such option $see" \
            "$command" "$@" "$word"
    done
    wrong "no_value_is_taken: $command --help=1" \
        "--help takes no value $see" "$command" "$@" --help=1
    for word in -o $option; do
        wrong "value_is_missing: $command $word" \
            "$word needs a value $see" "$command" "$@" "$word"
    done
}

while IFS='|' read -r command arguments option value; do
    # shellcheck disable=SC2086 # words
    set -- $arguments
    values "$command" "$option" "$value" "$@"
    mistakes "$command" "$option" "$@"
done <commands

# Operands after --, and a minus as standard input.
for command in info packets decode index merge explain; do
    fails "operand_with_a_minus: $command" 1 \
        '-x: .*No such file or directory' "$command" -- -x
    case $command in
    merge) input=sums more= ;;
    explain) input=setup more='--core cortex-a9' ;;
    *) input=$raw more='--protocol etmv3 --framing coresight' ;;
    esac
    # shellcheck disable=SC2086 # words
    "$etm" "$command" $more - <"$input" >whole 2>err &&
        "$etm" "$command" $more -- - <"$input" >out 2>err && [ -s out ] &&
        equal out whole
    verdict $? "a_minus_is_standard_input: $command"
done
fails 'operand_with_a_minus: record' 1 '-x: ' record -o F -- -x
rm -rf expected
"$etm" record --execution log -o expected 2>err
"$etm" record --execution - -o recorded <log >out 2>err &&
    diff -r recorded expected >out
verdict $? 'a_minus_is_standard_input: record'
for word in x - ''; do
    wrong "no_operand_is_taken: configure '$word'" \
        "${word:-\"\"}: not an option (see 'etm configure --help')" \
        configure --core cortex-a9 -- "$word"
done

# etm help.
works help_has_operands '^usage: etm merge' help -- merge
works help_is_asked_for_once_or_more '^usage: etm merge' help -h merge --help
wrong help_has_no_such_option "--frob: no such option (see 'etm --help')" \
    help --frob
wrong help_takes_no_value "--help takes no value (see 'etm --help')" \
    help --help=1
fails no_command_has_a_minus 2 '-x: no such command' help -- -x
fails a_minus_is_no_command 2 "-: no such command" help -

# Before the command, the help is that of all.
wrong unknown_before_the_command \
    "--frob: no such option (see 'etm --help')" --frob decode "$m3"
wrong value_is_missing_before_the_command \
    "--format needs a value (see 'etm --help')" --format
fails an_empty_value_is_seen 2 '--format "": not one of' decode "$m3" --format=
echo "1..$n"
