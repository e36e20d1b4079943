/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C while standard input is read counts as its end, and what came before
 * is decoded. While a program is recorded, it ends the program. While a listing
 * is written, the line is completed before. A second Ctrl-C ends the command as
 * usual. Also handled here, and fatal: a part of a mapped file is gone. For
 * this reason captures are read, except for a moment at the beginning; code is
 * mapped.
 */
#define _XOPEN_SOURCE 700
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int nothing = -1; /* /dev/null */

static void end_input(int number)
{
    int error = errno;

    (void)number;
    (void)dup2(nothing, STDIN_FILENO);
    errno = error;
}

static volatile sig_atomic_t interrupted;

static void remember(int number)
{
    (void)number;
    interrupted = 1;
}

/* If the caller made the command ignore the signal, as nohup does, it stays
 * ignored. */
static bool is_wanted(void)
{
    struct sigaction before;

    return sigaction(SIGINT, NULL, &before) == 0 &&
           before.sa_handler != SIG_IGN;
}

void etm_cli_interrupt_ends_input(void)
{
    struct sigaction action = {.sa_handler = end_input,
                               .sa_flags = (int)SA_RESETHAND};

    if (!is_wanted())
        return;
    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0)
        (void)sigaction(SIGINT, &action, NULL);
}

static volatile int disconnected;

static void disconnect(int number)
{
    (void)number;
    disconnected = 1;
}

const volatile int *etm_cli_interrupt_ends_connection(void)
{
    struct sigaction action = {.sa_handler = disconnect,
                               .sa_flags = (int)SA_RESETHAND};

    if (is_wanted())
        (void)sigaction(SIGINT, &action, NULL);
    return &disconnected;
}

void etm_cli_interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = remember,
                               .sa_flags = (int)SA_RESETHAND};

    if (is_wanted())
        (void)sigaction(SIGINT, &action, NULL);
}

static pthread_t writer; /* the thread that writes */
static volatile sig_atomic_t within_line, pending;
static struct timespec since; /* it is pending */

/* Some who send a signal send it to the process and to its group, as timeout(1)
 * does: what comes within a fifth of a second is the same one. */
static bool is_again(void)
{
    struct timespec now;
    int64_t ns;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    ns = ((int64_t)now.tv_sec - since.tv_sec) * 1000000000 +
         (now.tv_nsec - since.tv_nsec);
    return ns < 200000000;
}

/* The signal is blocked while it is handled, and ends the command after that.
 */
static void end_by(int number)
{
    etm_cli_pager_end();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void end_at_line(int number)
{
    int error = errno;

    if (!pthread_equal(pthread_self(), writer)) {
        (void)pthread_kill(writer, number);
    } else if (within_line && pending == 0 && !etm_cli_pager_runs()) {
        (void)clock_gettime(CLOCK_MONOTONIC, &since);
        pending = number;
    } else if (pending == 0 || !is_again()) {
        end_by(number);
    }
    errno = error;
}

void etm_cli_interrupt_at_lines(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = end_at_line}, before;

    writer = pthread_self();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            (void)sigaction(numbers[i], &action, NULL);
}

void etm_cli_interrupt_line(bool within)
{
    within_line = within;
    if (!within && pending != 0)
        end_by((int)pending);
}

bool etm_cli_interrupt_pending(void)
{
    return pending != 0;
}

static void give_up(int number, siginfo_t *info, void *context)
{
    static const char line[] = "etm: a file became shorter while it was read, "
                               "or cannot be read any more\n";

    (void)context;
    if (info->si_code != BUS_ADRERR) { /* as ever */
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    etm_cli_pager_end();
    _exit(ETM_EXIT_UNREADABLE);
}

void etm_cli_watch_files(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};

    action.sa_sigaction = give_up;
    (void)sigaction(SIGBUS, &action, NULL);
}

bool etm_cli_interrupted(void)
{
    return interrupted != 0;
}
