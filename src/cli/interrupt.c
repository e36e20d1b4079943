/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C while standard input is read: its end has come, and what came before
 * is decoded to its end. The second one is as ever.
 */
#define _XOPEN_SOURCE 700
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int nothing = -1; /* /dev/null */

static void end_input(int number)
{
    int error = errno;

    (void)number;
    (void)dup2(nothing, STDIN_FILENO);
    errno = error;
}

void etm_cli_interrupt_ends_input(void)
{
    struct sigaction action = {.sa_handler = end_input,
                               .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    /* who had it ignored, as nohup does, wants that */
    if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler != SIG_DFL)
        return;
    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0)
        (void)sigaction(SIGINT, &action, NULL);
}
