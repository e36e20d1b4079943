/* SPDX-License-Identifier: Apache-2.0 */
/* Options and operands, as all commands take them; and what is wrong usage. */
#ifndef ETM_CLI_ARGS_H
#define ETM_CLI_ARGS_H

#include "cli/cli.h"

#include <etm/setup.h>

/* An option that a command takes. */
struct etm_cli_option {
    const char *name; /* "--name", or "-n" */
    int id;           /* of the command; not negative */
    int value;        /* true: it takes one; or ETM_CLI_PERHAPS */
};

/* The option has a value if there is one behind '='. */
#define ETM_CLI_PERHAPS 2

/* The ID of a word that belongs to no option. */
#define ETM_CLI_OPERAND (-1)

/*
 * The arguments of a command, one after the other:
 *
 *     struct etm_cli_args args = etm_cli_args_of("index", rows, n, argc, argv);
 *
 *     while (etm_cli_args_next(&args))
 *         args.status = take(args.id, args.value);
 *
 * The value of an option is the next word, whatever that is, or the rest of the
 * same word: --name=VALUE, -nVALUE (so that of -n=V is "=V", as getopt() has
 * it). Words after "--" are operands, and so is "-" anywhere.
 */
struct etm_cli_args {
    const char *command; /* whose help messages point at; NULL: that of all */
    const struct etm_cli_option *options;
    size_t n_options;
    int argc, at; /* the next argument */
    char **argv;
    bool only_operands; /* "--" has come */
    int status;         /* -1 to go on, else the exit status */

    int id;           /* of the option, or ETM_CLI_OPERAND */
    const char *name; /* of the option, as in the table */
    char *value;      /* of the option, NULL if it has none; the operand */
};

/* argv[0] is not looked at. */
struct etm_cli_args etm_cli_args_of(const char *command,
                                    const struct etm_cli_option *options,
                                    size_t n_options, int argc, char **argv);

/* Go to the next option or operand. False: there is none, or args->status ends
 * it, also because the next argument is wrong, with a message. */
bool etm_cli_args_next(struct etm_cli_args *args);

/* Wrong usage: one line, with where to look. The exit status for it. */
int etm_cli_usage(const char *command, const char *format, ...)
    ETM_CLI_PRINTF(2, 3);

/* The name that a word of the command line is closest to, of those that were
 * tried. */
struct etm_cli_nearest {
    const char *word;
    const char *name; /* NULL: none is close */
    unsigned distance;
    char text[64];
};
void etm_cli_nearest_try(struct etm_cli_nearest *nearest, const char *name);

/* "; did you mean 'NAME'?", or nothing. */
const char *etm_cli_nearest_text(struct etm_cli_nearest *nearest);

/* A word, perhaps the value of an option, that is unknown, and what is near.
 * The exit status for it. */
int etm_cli_unknown(const char *command, const char *option, const char *word,
                    const char *what, struct etm_cli_nearest *nearest);

/* The core of that name; NULL after a message. */
const struct etm_core *etm_cli_core(const char *name);

/* --version among other words, whatever command they are for. */
#define ETM_CLI_VERSION_ALONE "--version: nothing else may be given"

/* The value of an option is wrong usage: "--jobs x: not a number". The exit
 * status for it. */
int etm_cli_bad_value(const char *command, const char *option,
                      const char *value, const char *what);

/* The options of all commands that read a capture. */
const struct etm_cli_option *etm_cli_capture_options(size_t *n);

/* The index of a value among its names, which end with NULL; -1 after a message
 * that has them all. */
int etm_cli_choose(const char *command, const char *option, const char *value,
                   const char *const *names);

/* A value of --reg, NAME=VALUE; the value in decimal, or in hexadecimal after
 * 0x. Registers have 32 bits (3.2.1). -1, or the exit status after a message.
 */
int etm_cli_register(const char *command, const char *text,
                     struct etm_register *reg);

#endif
