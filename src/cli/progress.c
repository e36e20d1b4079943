/* SPDX-License-Identifier: Apache-2.0 */
/* The progress bar. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 40

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) +
           (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void etm_cli_progress_start(struct etm_cli_progress *progress,
                            const struct etm_cli_output *output, size_t parts)
{
    *progress = (struct etm_cli_progress){.parts = parts};
    progress->wanted = isatty(STDERR_FILENO) && !(output && output->terminal);
    (void)clock_gettime(CLOCK_MONOTONIC, &progress->start);
    progress->last = progress->start;
}

/* Is it time to show it again? */
static bool is_due(struct etm_cli_progress *progress)
{
    struct timespec now;

    if (!progress->wanted)
        return false;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds(&progress->start, &now) < 1.0 ||
        seconds(&progress->last, &now) < 0.1 || !isatty(STDERR_FILENO))
        return false;
    progress->last = now;
    progress->shown = true;
    return true;
}

static void show_end(const struct etm_cli_progress *progress)
{
    if (progress->hint)
        fprintf(stderr, "  (%s)", progress->hint);
    fputs("\033[K", stderr);
    (void)fflush(stderr);
}

void etm_cli_progress_show(struct etm_cli_progress *progress, uint64_t done,
                           uint64_t total)
{
    uint64_t end =
        progress->end != 0 && progress->end < total ? progress->end : total;
    double share = 1.0;
    int filled;

    if (total == 0 || !is_due(progress))
        return;
    if (done < progress->begin)
        done = progress->begin;
    if (done < end)
        share =
            (double)(done - progress->begin) / (double)(end - progress->begin);
    share = ((double)progress->part + share) / (double)progress->parts;
    filled = (int)(share * BAR_WIDTH);
    fputs("\r[", stderr);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : ' ', stderr);
    fprintf(stderr, "] %3d %%", (int)(share * 100));
    show_end(progress);
}

void etm_cli_progress_count(struct etm_cli_progress *progress, uint64_t done,
                            const char *what)
{
    if (!is_due(progress))
        return;
    fprintf(stderr, "\r%" PRIu64 " %s", done, what);
    show_end(progress);
}

void etm_cli_progress_stop(struct etm_cli_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    progress->shown = false;
}
