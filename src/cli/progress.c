/* SPDX-License-Identifier: Apache-2.0 */
/* The progress bar. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 40

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) +
           (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

/* A listing that scrolls on the same terminal shows enough progress. */
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
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    progress->shown = false;
}
