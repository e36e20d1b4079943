/* SPDX-License-Identifier: Apache-2.0 */
/* etm: the command for captures of Arm ETM or PTM trace. */
#define _POSIX_C_SOURCE 200809L
#include "cli/coverage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Commands that read no capture have command lines of their own. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"configure", etm_cli_configure},
    {"explain", etm_cli_explain},
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
        return options->coverage ? etm_cli_coverage(options, output)
                                 : etm_cli_decode(options, output);
    case ETM_CLI_INDEX:
        return etm_cli_index(options, output);
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

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* `etm help`, `etm help COMMAND`; `etm help help` is the general help, and a
 * further `--help` makes no difference. False: more than one command is named,
 * with a message. */
static bool ask_for_help(int *argc, char **argv)
{
    static char help[] = "--help";
    bool command;
    int n = 2;

    if (*argc < 2 || strcmp(argv[1], "help") != 0)
        return true;
    for (int i = 2; i < *argc; i++) {
        if (!is_help(argv[i]))
            argv[n++] = argv[i];
    }
    *argc = n;
    if (*argc > 3) {
        etm_cli_error(
            "%s: help is for one command at a time (see 'etm --help')",
            argv[3]);
        return false;
    }
    command = *argc == 3 && strcmp(argv[2], "help") != 0;
    if (command)
        argv[1] = argv[2];
    argv[command ? 2 : 1] = help;
    *argc = command ? 3 : 2;
    return true;
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
    if (!ask_for_help(&argc, argv))
        return ETM_EXIT_USAGE;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (argc > 1 && strcmp(argv[1], commands[i].name) == 0)
            return leave(commands[i].run(argc - 1, argv + 1));
    }
    status = etm_cli_parse(&options, argc, argv);
    if (status >= 0) {
        etm_cli_options_free(&options);
        return leave(status);
    }
    status = run(&options, &output);
    closed = etm_cli_output_close(&output);
    if (status == ETM_EXIT_OK)
        status = output.unread ? ETM_EXIT_UNREADABLE : closed;
    etm_cli_options_free(&options);
    return status;
}
