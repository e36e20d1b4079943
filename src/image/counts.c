/* SPDX-License-Identifier: Apache-2.0 */
/* The table of executions: its memory. */
#include "image/counts_row.h"

#include <etm/types.h>

void etm_counts_init(struct etm_counts *counts,
                     const struct etm_allocator *allocator)
{
    memset(counts, 0, sizeof *counts);
    etm_vec_init(&counts->rows, sizeof(struct etm_count), allocator);
    etm_vec_init(&counts->runs, sizeof(struct etm_packed), allocator);
}

static void free_packed(struct etm_counts *counts)
{
    struct etm_packed *runs = counts->runs.data;

    for (size_t i = 0; i < counts->runs.n; i++)
        etm_packed_fini(&runs[i], &counts->rows.allocator);
    etm_packed_fini(&counts->open, &counts->rows.allocator);
    counts->runs.n = 0;
    counts->last.n = 0;
}

void etm_counts_fini(struct etm_counts *counts)
{
    free_packed(counts);
    etm_alloc_free(&counts->rows.allocator, counts->places);
    etm_vec_fini(&counts->rows);
    etm_vec_fini(&counts->runs);
    counts->places = NULL;
    counts->room = 0;
}

void etm_counts_clear(struct etm_counts *counts)
{
    free_packed(counts);
    if (counts->room != 0)
        memset(counts->places, 0, counts->room * sizeof *counts->places);
    counts->rows.n = 0;
    counts->status = ETM_OK;
}

int etm_counts_new(struct etm_counts **counts,
                   const struct etm_allocator *allocator)
{
    struct etm_allocator a = etm_allocator_or_default(allocator);

    if (counts == NULL)
        return ETM_ERR_ARGUMENT;
    *counts = etm_alloc_zero(&a, sizeof **counts);
    if (*counts == NULL)
        return ETM_ERR_MEMORY;
    etm_counts_init(*counts, &a);
    return ETM_OK;
}

void etm_counts_free(struct etm_counts *counts)
{
    struct etm_allocator a;

    if (counts == NULL)
        return;
    a = counts->rows.allocator;
    etm_counts_fini(counts);
    etm_alloc_free(&a, counts);
}
