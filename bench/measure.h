/* SPDX-License-Identifier: Apache-2.0 */
/* What benchmarks that take times have in common. Needs _POSIX_C_SOURCE. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <time.h>

/* Processor time of this process, in ns. */
static inline double etm_bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* For qsort() of double. */
static inline int etm_bench_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

#endif
