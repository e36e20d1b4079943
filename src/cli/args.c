/* SPDX-License-Identifier: Apache-2.0 */
/* Options and operands: the spellings of all commands, and their messages. */
#include "cli/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REGISTERS 0x400u /* 3.2.1 */

int etm_cli_usage(const char *command, const char *format, ...)
{
    char text[8000]; /* leaves room for the rest of the line */
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    etm_cli_error("%s (see 'etm%s%s --help')", text, command ? " " : "",
                  command ? command : "");
    return ETM_EXIT_USAGE;
}

int etm_cli_unknown(const char *command, const char *option, const char *word,
                    const char *what, struct etm_cli_nearest *nearest)
{
    etm_cli_error("%s%.4000s: %s (see 'etm%s%s --help')%s", option,
                  etm_cli_word(word), what, command ? " " : "",
                  command ? command : "", etm_cli_nearest_text(nearest));
    return ETM_EXIT_USAGE;
}

int etm_cli_bad_value(const char *command, const char *option,
                      const char *value, const char *what)
{
    return etm_cli_usage(command, "%s %s: %s", option, etm_cli_word(value),
                         what);
}

int etm_cli_choose(const char *command, const char *option, const char *value,
                   const char *const *names)
{
    char text[256] = "not one of ";
    int i = 0;

    while (names[i] && strcmp(value, names[i]) != 0)
        i++;
    if (names[i])
        return i;
    for (i = 0; names[i]; i++) {
        size_t n = strlen(text);

        (void)snprintf(text + n, sizeof text - n, "%s%s", names[i],
                       names[i + 1] ? ", " : "");
    }
    (void)etm_cli_bad_value(command, option, value, text);
    return -1;
}

static int unknown_register(const char *command, const char *text, size_t n)
{
    char name[32];
    struct etm_cli_nearest nearest = {.word = name};

    (void)snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0,
                   text);
    for (uint32_t number = 0; number < REGISTERS; number++) {
        const char *known = etm_register_name(number);

        if (!known)
            continue;
        etm_cli_nearest_try(&nearest, known);
        if (strncmp(known, "ETM", 3) == 0) /* which may be left out */
            etm_cli_nearest_try(&nearest, known + 3);
    }
    return etm_cli_unknown(command, "--reg ", text, "no register has that name",
                           &nearest);
}

int etm_cli_register(const char *command, const char *text,
                     struct etm_register *reg)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    const char *what = NULL;

    *reg = (struct etm_register){.number = ETM_REGISTER_NONE};
    if (n > 0 && n < sizeof reg->name) {
        memcpy(reg->name, text, n);
        reg->number = etm_register_number(reg->name);
    }
    if (n == 0)
        what = "not of the form NAME=VALUE";
    else if (reg->number == ETM_REGISTER_NONE)
        return unknown_register(command, text, n);
    else if (!etm_cli_number(equals + 1, UINT32_MAX, &reg->value))
        what = "the value is not a number of up to 32 bits";
    return what ? etm_cli_bad_value(command, "--reg", text, what) : -1;
}

struct etm_cli_args etm_cli_args_of(const char *command,
                                    const struct etm_cli_option *options,
                                    size_t n_options, int argc, char **argv)
{
    return (struct etm_cli_args){.command = command,
                                 .options = options,
                                 .n_options = n_options,
                                 .argc = argc,
                                 .at = 1,
                                 .argv = argv,
                                 .status = -1};
}

/* The option in this argument; *value is what follows its name there, NULL for
 * nothing. NULL: there is no such option. */
static const struct etm_cli_option *find(const struct etm_cli_args *args,
                                         char *argument, char **value)
{
    for (size_t i = 0; i < args->n_options; i++) {
        const struct etm_cli_option *option = &args->options[i];
        size_t n = strlen(option->name);
        bool is_long = option->name[1] == '-';
        char *rest;

        if (strncmp(argument, option->name, n) != 0)
            continue;
        rest = argument + n;
        *value = NULL;
        if (*rest == '\0')
            return option;
        *value = is_long ? rest + 1 : rest;
        if (is_long ? *rest == '=' : option->value)
            return option;
    }
    return NULL;
}

static int unknown_option(const struct etm_cli_args *args, char *argument)
{
    struct etm_cli_nearest nearest = {.word = argument};
    char *equals = strchr(argument, '=');

    if (equals)
        *equals = '\0';
    for (size_t i = 0; i < args->n_options; i++)
        if (args->options[i].name[1] == '-' &&
            strcmp(args->options[i].name, "--help") != 0) /* is named anyway */
            etm_cli_nearest_try(&nearest, args->options[i].name);
    if (equals)
        *equals = '=';
    return etm_cli_unknown(args->command, "", argument, "no such option",
                           &nearest);
}

static int take_option(struct etm_cli_args *args, char *argument)
{
    const struct etm_cli_option *option = find(args, argument, &args->value);

    if (!option && strcmp(argument, "--version") == 0) /* it exists, alone */
        return etm_cli_usage(args->command, ETM_CLI_VERSION_ALONE);
    if (!option)
        return unknown_option(args, argument);
    if (!option->value && args->value)
        return etm_cli_usage(args->command, "%s takes no value", option->name);
    if (option->value == true && !args->value) {
        if (args->at >= args->argc)
            return etm_cli_usage(args->command, "%s needs a value",
                                 option->name);
        args->value = args->argv[args->at++];
    }
    args->id = option->id;
    args->name = option->name;
    return -1;
}

bool etm_cli_args_next(struct etm_cli_args *args)
{
    char *argument;

    if (args->status >= 0)
        return false;
    if (!args->only_operands && args->at < args->argc &&
        strcmp(args->argv[args->at], "--") == 0) {
        args->only_operands = true;
        args->at++;
    }
    if (args->at >= args->argc)
        return false;
    argument = args->argv[args->at++];
    if (!args->only_operands && argument[0] == '-' && argument[1] != '\0') {
        args->status = take_option(args, argument);
        return args->status < 0;
    }
    args->id = ETM_CLI_OPERAND;
    args->name = NULL;
    args->value = argument;
    return true;
}
