/* SPDX-License-Identifier: Apache-2.0 */
/* Results, messages and the progress bar. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 40

void etm_cli_error(const char *format, ...)
{
    va_list arguments;

    fputs("etm: ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void etm_cli_diag(const struct etm_diag *diag)
{
    fputs("etm: ", stderr);
    if (diag->source[0] != '\0') {
        fputs(diag->source, stderr);
        if (diag->line != ETM_DIAG_NONE)
            fprintf(stderr, ":%" PRIu64, diag->line);
        fputs(": ", stderr);
    }
    fputs(diag->what[0] != '\0' ? diag->what : etm_status_text(diag->status),
          stderr);
    if (diag->offset != ETM_DIAG_NONE)
        fprintf(stderr, " (at byte %" PRIu64 ")", diag->offset);
    if (diag->address != ETM_DIAG_NONE)
        fprintf(stderr, " (at address 0x%08" PRIx64 ")", diag->address);
    fputc('\n', stderr);
}

int etm_cli_output_open(struct etm_cli_output *output, const char *path)
{
    *output =
        (struct etm_cli_output){.fd = STDOUT_FILENO, .name = "standard output"};
    if (path) {
        output->name = path;
        output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (output->fd < 0) {
            etm_cli_error("%s: %s", path, strerror(errno));
            return ETM_EXIT_UNREADABLE;
        }
    }
    output->terminal = isatty(output->fd);
    return ETM_EXIT_OK;
}

int etm_cli_output_close(struct etm_cli_output *output)
{
    if (output->fd != STDOUT_FILENO && close(output->fd) != 0 &&
        !output->failed) {
        etm_cli_error("%s: %s", output->name, strerror(errno));
        output->failed = true;
    }
    return output->failed ? ETM_EXIT_UNREADABLE : ETM_EXIT_OK;
}

bool etm_cli_colours(const struct etm_cli_options *options,
                     const struct etm_cli_output *output)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (options->colour != ETM_CLI_AUTO)
        return options->colour == ETM_CLI_ALWAYS;
    if (no_color && *no_color != '\0')
        return false;
    return output->terminal && !(term && strcmp(term, "dumb") == 0);
}

int etm_cli_write(void *context, const char *text, size_t n)
{
    struct etm_cli_output *output = context;

    if (output->closed || output->failed)
        return ETM_ERR_STOPPED;
    while (n > 0) {
        ssize_t written = write(output->fd, text, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            output->closed = errno == EPIPE;
            output->failed = !output->closed;
            if (output->failed)
                etm_cli_error("%s: %s", output->name, strerror(errno));
            return ETM_ERR_STOPPED;
        }
        text += written;
        n -= (size_t)written;
    }
    return ETM_OK;
}

void etm_cli_print(struct etm_cli_output *output, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0)
        return;
    if ((size_t)n >= sizeof text)
        n = (int)sizeof text - 1;
    (void)etm_cli_write(output, text, (size_t)n);
}

int etm_cli_status(int status, const struct etm_diag *diag,
                   const struct etm_cli_output *output)
{
    if (output->failed)
        return ETM_EXIT_UNREADABLE;
    if (status == ETM_OK || output->closed)
        return ETM_EXIT_OK;
    etm_cli_diag(diag);
    return ETM_EXIT_UNREADABLE;
}

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) +
           (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

/* A listing that scrolls by on the same terminal is progress enough. */
void etm_cli_progress_start(struct etm_cli_progress *progress,
                            const struct etm_cli_output *output, size_t parts)
{
    *progress = (struct etm_cli_progress){.parts = parts};
    progress->wanted = isatty(STDERR_FILENO) && !output->terminal;
    (void)clock_gettime(CLOCK_MONOTONIC, &progress->start);
    progress->last = progress->start;
}

void etm_cli_progress_show(struct etm_cli_progress *progress, uint64_t done,
                           uint64_t total)
{
    struct timespec now;
    double share;
    int filled;

    if (!progress->wanted || total == 0)
        return;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds(&progress->start, &now) < 1.0 ||
        seconds(&progress->last, &now) < 0.1)
        return;
    progress->last = now;
    progress->shown = true;
    share = ((double)progress->part + (double)done / (double)total) /
            (double)progress->parts;
    filled = (int)(share * BAR_WIDTH);
    fputs("\r[", stderr);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : ' ', stderr);
    fprintf(stderr, "] %3d %%", (int)(share * 100));
    (void)fflush(stderr);
}

void etm_cli_progress_stop(struct etm_cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
