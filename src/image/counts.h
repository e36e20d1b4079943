/* SPDX-License-Identifier: Apache-2.0 */
/* Executions by range (include/etm/decode.h): internals. */
#ifndef ETM_IMAGE_COUNTS_H
#define ETM_IMAGE_COUNTS_H

#include "base/vec.h"
#include "image/packed.h"

#include <etm/decode.h>

#include <stdbool.h>

/* Whether executions are counted, and no elements are given for them. */
static inline bool etm_level_counts(enum etm_level level)
{
    return level == ETM_LEVEL_COUNTS || level == ETM_LEVEL_COVERAGE;
}

/*
 * A hash table of some thousand rows, which is small enough for the caches.
 * When it is full, its rows are sorted and packed (packed.h) into a run, which
 * takes an eighth of the memory. Several runs of about the same length are
 * merged into one. Rows that come in order, as from a walk, are packed at once.
 */
struct etm_counts {
    struct etm_vec rows;    /* struct etm_count, in the order of arrival */
    uint32_t *places;       /* number of a row plus one; 0: free */
    size_t room;            /* places: a power of two, or 0 */
    struct etm_vec runs;    /* struct etm_packed */
    struct etm_packed open; /* rows that came in order, */
    struct etm_count last;  /* and the last one, which is not packed yet; n is
                               0: none */
    int status;             /* sticky: ETM_ERR_MEMORY, something is missing */
};

/* `allocator` is copied. Allocates nothing. */
void etm_counts_init(struct etm_counts *counts,
                     const struct etm_allocator *allocator);
void etm_counts_fini(struct etm_counts *counts);

/* Remove all rows; the memory of the table is kept. */
void etm_counts_clear(struct etm_counts *counts);

/* Count the `range` elements of an array, each as an execution, and add up
 * their cycles; if `counts` is NULL, they are dropped. Moves the other elements
 * to the front and returns their number. Out of memory: see `status`. */
size_t etm_counts_take(struct etm_counts *counts, struct etm_element *elements,
                       size_t n, uint64_t *cycles);

/* Moves the elements that ETM_LEVEL_COVERAGE gives to the front of an array,
 * and returns their number. */
size_t etm_counts_missing(struct etm_element *elements, size_t n);

/* If all rows are added at once, sorting them is faster than looking up each in
 * a table. An etm_count_fn: appends a row, which may exist already. Until the
 * rows are sorted and packed, nothing else may be done with the table. ETM_OK
 * or ETM_ERR_MEMORY. */
int etm_counts_gather(void *counts, const struct etm_count *count);
int etm_counts_order(struct etm_counts *counts);

/* Move the rows of a table to another one; those that are not packed by `add`:
 * etm_counts_add() or etm_counts_gather(). ETM_OK or ETM_ERR_MEMORY. */
int etm_counts_hand_over(struct etm_counts *from, etm_count_fn *add,
                         struct etm_counts *to);

/* Give every row of n tables, with the counts of a range added up, minus those
 * of another table, as etm_counts_walk() does. Rows are removed as they are
 * given: in the end all tables are empty. */
int etm_counts_give(struct etm_counts *const *tables, size_t n,
                    struct etm_counts *less, etm_count_fn *fn, void *context);

/* A `range` element as one execution. */
static inline struct etm_count etm_count_of(const struct etm_element *e)
{
    return (struct etm_count){.n = 1,
                              .start = e->u.range.start,
                              .end = e->u.range.end,
                              .insns = e->u.range.n,
                              .last_address = e->u.range.last_address,
                              .isa = e->u.range.isa,
                              .last_type = e->u.range.last_type,
                              .last_exec = e->u.range.last_exec,
                              .last_flags = e->u.range.last_flags};
}

#endif
