/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark cannot go on without memory. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stdlib.h>

static inline void *etm_bench_memory(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);

    if (memory == NULL)
        abort();
    return memory;
}

#endif
