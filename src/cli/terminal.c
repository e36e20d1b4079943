/* SPDX-License-Identifier: Apache-2.0 */
/* What is different on a terminal: colours, and the pager. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static enum etm_cli_colour choice;

void etm_cli_colour_choose(enum etm_cli_colour colour)
{
    choice = colour;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");

    return !term || *term == '\0' || strcmp(term, "dumb") == 0;
}

/* On a terminal, unless NO_COLOR has a value. */
static bool colours(bool terminal)
{
    const char *no_color = getenv("NO_COLOR");

    if (choice != ETM_CLI_AUTO)
        return choice == ETM_CLI_ALWAYS;
    return terminal && !is_dumb() && !(no_color && *no_color != '\0');
}

bool etm_cli_colours(const struct etm_cli_output *output)
{
    return colours(output->terminal);
}

bool etm_cli_error_colours(void)
{
    return isatty(STDERR_FILENO) && colours(true);
}

/* The command of the pager; NULL: none is wanted. */
static const char *pager_command(void)
{
    const char *command = getenv("ETM_PAGER");

    if (!command)
        command = getenv("PAGER");
    if (!command)
        command = "less";
    return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

/* Can this command be run? What only a shell understands is left to it. */
static bool is_there(const char *command)
{
    const char *path = getenv("PATH");
    size_t n = strcspn(command, " \t");
    char file[4096];

    if (strpbrk(command, "|&;<>()$`\\\"'*?[#~=%\n"))
        return true;
    if (memchr(command, '/', n))
        path = "";
    while (path) {
        const char *end = strchr(path, ':');
        int length = end ? (int)(end - path) : (int)strlen(path);

        (void)snprintf(file, sizeof file, "%.*s%s%.*s", length, path,
                       length > 0 ? "/" : "", (int)n, command);
        if (access(file, X_OK) == 0)
            return true;
        path = end ? end + 1 : NULL;
    }
    return false;
}

static pid_t pager; /* 0: none runs */
static int to_pager = -1, standard_error = -1;

static void run_pager(const char *command, int input)
{
    (void)dup2(input, STDIN_FILENO);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)setenv("LESS", "FRX", 0);
    (void)setenv("LV", "-c", 0);
    (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void etm_cli_pager_start(struct etm_cli_output *output)
{
    const char *command = pager_command();
    int ends[2];

    output->paged = false;
    if (!command || is_dumb() || !is_there(command) || pipe(ends) != 0)
        return;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pager = fork();
    if (pager == 0)
        run_pager(command, ends[0]);
    (void)close(ends[0]);
    if (pager < 0) {
        pager = 0;
        (void)close(ends[1]);
        return;
    }
    output->fd = to_pager = ends[1];
    /* messages would be written over what the pager shows */
    if (isatty(STDERR_FILENO)) {
        (void)fflush(stderr);
        standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        if (standard_error >= 0)
            (void)dup2(to_pager, STDERR_FILENO);
    }
}

bool etm_cli_pager_runs(void)
{
    return pager != 0;
}

/* Called from signal handlers, too, also while it waits here: who presses
 * Ctrl-C in the pager goes on in it. */
void etm_cli_pager_end(void)
{
    if (pager == 0)
        return;
    if (standard_error >= 0)
        (void)dup2(standard_error, STDERR_FILENO);
    (void)close(to_pager);
    to_pager = -1;
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
    pager = 0;
}
