#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Help, and what is wrong on the command line: status 2, and one line that points
# at the help. Speaks TAP. Usage: usage.sh ETM DEMO EMULATOR
set -u

. "$(dirname "$0")/cli.sh"

# Help.
works help_is_a_command_too 'etm decode *CAPTURE' help
works help_of_a_command '^usage: etm merge' help merge
works help_of_decode '^  --shard I/N' help decode
works help_of_decode_asked_for_twice '^  --shard I/N' help decode --help
works help_of_decode_asked_for_first '^  --shard I/N' help -h decode
works help_of_help_is_that_of_all 'etm decode *CAPTURE' help --help
fails help_of_two_commands_is_wrong_usage 2 'info: help is for one command' \
    help decode info --help
works help_of_a_command_also_after_the_option '^usage: etm merge' --help merge
works also_after_one_letter '^  --shard I/N' -h decode
for option in --help -h help; do
    fails "nothing_surplus_is_ignored: $option" 2 'frob: no such command' \
        $option frob
    fails "nor_after_a_command: $option" 2 'info: help is for one command' \
        $option decode info
    fails "nor_an_option: $option" 2 '--frob: no such option' $option --frob
done
for words in '--version extra' '--version info' '--version --frob' \
    '--version --version' 'decode --version' '--color --version' \
    '--help --version' '-h --version' 'help --version' 'merge --version' \
    'record --version' 'configure --version' 'explain --version'; do
    # shellcheck disable=SC2086 # words
    fails "the_version_is_asked_for_alone: $words" 2 \
        "--version: nothing else may be given (see 'etm.* --help')" $words
done
fails no_help_of_what_is_no_command 2 'frob: no such command' help frob

# Standard output has a name.
works a_minus_is_standard_output 'end of trace' decode "$m3" -o -
[ ! -e ./- ]
verdict $? and_no_file
works of_every_command '^ETMCR' configure --core cortex-m3 -o -

# Wrong usage: 2.
run
[ "$status" -eq 2 ] && [ ! -s out ] && grep -q '^usage: etm info' err
verdict $? bare_command_prints_its_usage
fails no_command_is_wrong_usage 2 "no command is given (see 'etm --help')" --color
for pair in decod:decode recrod:record Info:info pakets:packets conf:configure \
    merg:merge indx:index exlpain:explain coverge:coverage; do
    fails "near_command: $pair" 2 "${pair%:*}: no such command (see .*); did you mean '${pair#*:}'?" \
        "${pair%:*}" x
done
for pair in --souce-lines:--source-lines --stat:--stats --form=jsonl:--format \
    --no-colr:--no-color; do
    fails "near_option: $pair" 2 "no such option (see .*); did you mean '${pair#*:}'?" \
        decode x "${pair%:*}"
done
for words in 'record x -o y' 'decode x' configure "explain $m3/device_1.ini"; do
    # shellcheck disable=SC2086 # words
    fails "near_core: $words" 2 "cotex-m3: no such core (.*); did you mean 'cortex-m3'?" \
        $words --core cotex-m3
done
for pair in ETMCRR:ETMCR etmtraceid:ETMTRACEIDR CCR0:CCR; do
    fails "near_register: $pair" 2 "no register has that name (see .*); did you mean '${pair#*:}'?" \
        decode x --reg "${pair%:*}=1"
done
for words in 'xyzzy x' 'decode x --xyzzy' 'decode x --frob' 'decode x --o' 'decode x --reg XYZZY=1' \
    'configure --core z80'; do
    # shellcheck disable=SC2086 # words
    run $words
    [ "$status" -eq 2 ] && ! grep -q 'did you mean' err
    verdict $? "nothing_is_near: $words"
done
for command in info packets decode index merge configure explain record; do
    works "examples_in_the_help_of: $command" "^  etm $command " "$command" --help
done
fails colours_are_auto_always_or_never 2 '--color sometimes: not one of auto' \
    decode "$m3" --color=sometimes
fails unknown_command_is_wrong_usage 2 'frob: no such command' frob
fails missing_capture_is_wrong_usage 2 'no capture' decode
fails wrong_usage_points_at_the_help_of_the_command 2 \
    "--from 5x: .*(see 'etm decode --help')" decode "$m3" --from 5x
fails wrong_option_points_at_the_help_of_the_command 2 \
    "--frob: no such option (see 'etm packets --help')" packets "$m3" --frob
fails two_captures_are_wrong_usage 2 'one capture' decode a b
fails unknown_option_is_wrong_usage 2 '--frob: no such option' \
    decode "$m3" --frob
fails unknown_format_is_wrong_usage 2 '--format xml' decode "$m3" --format xml
fails unknown_protocol_is_wrong_usage 2 '--protocol etmv9' \
    decode "$raw" --protocol etmv9
fails unknown_framing_is_wrong_usage 2 '--framing frames' \
    decode "$raw" --framing=frames
fails unknown_level_is_wrong_usage 2 '--level lines' \
    decode "$m3" --level lines
fails unknown_profile_is_wrong_usage 2 '--profile x' decode "$m3" --profile x
# Zeros in front do not make numbers octal.
run decode "$m3" --format jsonl --from 700 --to 0x3e8
cp out decimal
run decode "$m3" --format jsonl --from 0700 --to 01000
equal out decimal
verdict $? zeros_in_front_of_places_mean_nothing
run decode "$m3" --jobs 08 --source 016
[ "$status" -eq 0 ] && [ -s out ]
verdict $? zeros_in_front_of_counts_mean_nothing
run decode "$raw" --protocol etmv3 --reg ETMTRACEIDR=0019 --framing coresight
[ "$status" -eq 0 ] && [ -s out ]
verdict $? zeros_in_front_of_registers_mean_nothing
fails zeros_in_front_of_configured_numbers_mean_nothing 2 '0128: not from 1' \
    configure --core cortex-m3 --trace-id 0128
fails numbers_have_no_sign 2 '--jobs +2' decode "$m3" --jobs +2
fails index_is_not_read_from_standard_input 2 '--index -: .*cannot be standard input' \
    decode "$m3" --from ts:1 --index -
fails unknown_register_is_wrong_usage 2 'FOO=1: no register' \
    decode "$raw" --reg FOO=1
fails register_without_value_is_wrong_usage 2 'NAME=VALUE' \
    decode "$raw" --reg ETMCR
fails register_that_is_no_number_is_wrong_usage 2 'not a number' \
    decode "$raw" --reg ETMCR=0x1g
fails negative_register_is_wrong_usage 2 'not a number' \
    decode "$raw" --reg ETMCR=-1
for value in 0x10000000000000000 0x100000000 4294967296; do
    fails "huge_register_is_wrong_usage: $value" 2 \
        "--reg ETMCR=$value: the value is not a number of up to 32 bits" \
        decode "$raw" --reg ETMCR=$value
    fails "also_of_a_recording: $value" 2 \
        "--reg ETMCR=$value: the value is not a number of up to 32 bits" \
        record "$raw" -o never --reg ETMCR=$value
done
fails long_name_of_a_register_is_wrong_usage 2 'no register has that name' \
    decode "$raw" --reg ETMABCDEFGHIJKLMNOPQRSTUVWXYZ=1
run decode "$raw" --protocol etmv3 --reg ETMCR=0xffffffff --framing none
[ "$status" -ne 2 ] && [ -s err ]
verdict $? the_largest_value_of_a_register_is_taken
fails option_without_value_is_wrong_usage 2 'needs a value' \
    decode "$m3" --source
fails value_for_a_switch_is_wrong_usage 2 'takes no value' \
    decode "$m3" --cycles=1
fails level_is_for_decode 2 "for 'etm decode' only" \
    packets "$m3" --level ranges
fails level_is_for_decode_also_before_the_command 2 \
    "for 'etm decode' only" --level ranges packets "$m3"
fails cycles_are_for_decode 2 "for 'etm decode' only" --cycles info "$m3"
"$etm" decode "$m3" --format jsonl >whole 2>err
"$etm" decode "$m3" --format jsonl --cycles >out 2>err
grep '"k":"context"' out | grep -q ',"since":null}$' &&
    sed '/"k":"context"/s/,"since":null}$/}/' out | equal whole -
verdict $? cycles_of_packets_are_a_key_of_json_lines_too
fails source_lines_are_for_text 2 '--source-lines is for --format text' \
    decode "$m3" --source-lines --format jsonl
fails source_lines_are_for_text_in_any_order 2 'is for --format text' \
    --format=jsonl --source-lines decode "$m3"

# Parts.
for share in 1e1% 0x10% .5% 5.% 1.5.2% % 100.01% -0% ' 5%' inf%; do
    fails "no_share_of_a_capture: $share" 2 'not a number of bytes, N%' \
        decode "$m3" --from "$share"
done
works a_share_has_a_point 'end of trace' decode "$m3" --from 012.50%
fails bytes_are_not_more_than_64_bits_count 2 'not a number of bytes' \
    decode "$m3" --to 18014398509481985K
works as_many_as_they_count_are_bytes 'end of trace' \
    decode "$m3" --to 18014398509481983K
# Whole numbers: 0.29 times 100 is less than 29 where numbers are binary.
head -c 100 /dev/zero >hundred
for share in 29% 57% 58.0% 57.9999999999999999999% 100.00%; do
    whole=${share%\%} whole=${whole%.*}
    works "a_share_is_exact: $share" '"k":"end","src":0,"off":'"$whole}" \
        decode hundred --protocol pft --framing none --format jsonl \
        --to "$share"
done
fails shares_are_compared 2 'before --from' decode "$m3" --from 50.001% --to 50%
fails there_are_not_more_than_all_per_cent 2 'not a number of bytes, N%' \
    decode "$m3" --to 100.00000000000000000001%
for interrupt in nmi@10:3 irq/10:3 fiq@10/5:3; do
    fails "no_priority_to_set: $interrupt" 2 'only irqN, systick and pendsv' \
        record "$elf" -o interrupted --interrupt "$interrupt"
done
fails no_instruction_is_no_limit 2 '--limit 0: neither a number above 0' \
    record "$elf" -o limited --limit 0
echo "1..$n"
