/* SPDX-License-Identifier: Apache-2.0 */
/* etm: the command for captures of Arm ETM or PTM trace. */
#define _POSIX_C_SOURCE 200809L
#include "cli/args.h"
#include "cli/coverage.h"
#include "cli/view.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int help(int argc, char **argv);

/* Commands that read no capture have command lines of their own. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"configure", etm_cli_configure},
    {"diff", etm_cli_diff},
    {"explain", etm_cli_explain},
    {"help", help},
    {"--help", help}, /* a command may follow */
    {"-h", help},
    {"merge", etm_cli_merge},
    {"record", etm_cli_record},
};

static int run(const struct etm_cli_options *options,
               struct etm_cli_output *output)
{
    switch (options->command) {
    case ETM_CLI_INFO:
        return etm_cli_info(options, output);
    case ETM_CLI_PACKETS:
        return etm_cli_packets(options, output);
    case ETM_CLI_DECODE:
        return options->itm_text ? etm_cli_port_text(options, output)
                                 : etm_cli_decode(options, output);
    case ETM_CLI_INDEX:
        return etm_cli_index(options, output);
    case ETM_CLI_PROFILE:
    case ETM_CLI_CALLS:
    case ETM_CLI_EXCEPTIONS:
    case ETM_CLI_TIMELINE:
    case ETM_CLI_VARIABLES:
    case ETM_CLI_REPORT:
        return etm_cli_view(options, output);
    case ETM_CLI_COVERAGE:
        return etm_cli_coverage(options, output);
    case ETM_CLI_SPLIT:
        return etm_cli_split(options, output);
    case ETM_CLI_GDB:
        return etm_cli_gdb(options, output);
    case ETM_CLI_TOP:
        return etm_cli_top(options, output);
    case ETM_CLI_DIFF: /* has two of them */
        break;
    }
    return ETM_EXIT_USAGE;
}

/*
 * The next file that is opened would get a standard descriptor that the caller
 * has closed, and what is printed would go into that file. So closed ones are
 * replaced by something that cannot be read or written.
 */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/* Write messages as whole lines, because several commands, such as those of
 * shards, may share standard error; without an allocation, so that lack of
 * memory can be reported. */
static void write_whole_lines(void)
{
    static char line[16384];

    (void)setvbuf(stderr, line, _IOLBF, sizeof line);
}

/* Flush what was printed through stdio, such as help texts and lists. */
static int leave(int status)
{
    if (status == ETM_EXIT_OK && !etm_cli_stdout_flush())
        status = ETM_EXIT_UNREADABLE;
    return status;
}

/* `etm help`, `etm help COMMAND`, and the same with `--help`; `etm help help`
 * is the general help, and a further `--help` makes no difference. */
static int help(int argc, char **argv)
{
    enum { FURTHER };
    static const struct etm_cli_option rows[] = {{"--help", FURTHER, false},
                                                 {"-h", FURTHER, false}};
    static char asked[] = "--help";
    struct etm_cli_args args =
        etm_cli_args_of(NULL, rows, sizeof rows / sizeof *rows, argc, argv);
    char *line[] = {NULL, asked, NULL}; /* COMMAND --help */

    while (etm_cli_args_next(&args)) {
        if (args.id != ETM_CLI_OPERAND)
            continue;
        if (line[0]) /* a second command */
            args.status =
                etm_cli_usage(NULL, "%s: help is for one command at a time",
                              etm_cli_word(args.value));
        line[0] = args.value;
    }
    if (args.status >= 0)
        return args.status;
    if (!line[0] || strcmp(line[0], "help") == 0)
        return etm_cli_help_of(NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(line[0], commands[i].name) == 0)
            return commands[i].run(2, line);
    return etm_cli_help_of(line[0]);
}

int main(int argc, char **argv)
{
    struct etm_cli_options options;
    struct etm_cli_output output = {0};
    int status, closed;

    hold_standard_streams();
    write_whole_lines();
    /* `etm decode ... | head`: a write reports it, and the command ends
     * quietly */
    (void)signal(SIGPIPE, SIG_IGN);
    etm_cli_watch_files();
    if (argc < 2)
        return etm_cli_help_missing();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (argc > 1 && strcmp(argv[1], commands[i].name) == 0)
            return leave(commands[i].run(argc - 1, argv + 1));
    }
    status = etm_cli_parse(&options, argc, argv);
    if (status >= 0) {
        etm_cli_options_free(&options);
        return leave(status);
    }
    etm_cli_interrupt_at_lines();
    status = run(&options, &output);
    closed = etm_cli_output_close(&output);
    if (status == ETM_EXIT_OK)
        status = output.unread ? ETM_EXIT_UNREADABLE : closed;
    etm_cli_options_free(&options);
    return status;
}
