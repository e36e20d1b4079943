/* SPDX-License-Identifier: Apache-2.0 */
/* Executions by range (include/etm/coverage.h), from inside. */
#ifndef ETM_IMAGE_COUNTS_H
#define ETM_IMAGE_COUNTS_H

#include "base/vec.h"
#include "image/packed.h"

#include <etm/coverage.h>
#include <etm/decode.h>
#include <etm/element.h>

#include <stdbool.h>

/* Whether executions are counted in the place of elements. */
static inline bool etm_level_counts(enum etm_level level)
{
    return level == ETM_LEVEL_COUNTS || level == ETM_LEVEL_COVERAGE;
}

/*
 * A hashed table of some thousand rows, which is small and is in the caches.
 * When it is full they are put in order and packed (packed.h), which takes an
 * eighth of the memory: a run. Some runs of about the same length become one.
 * Rows that come in order, as a walk gives them, are packed at once.
 */
struct etm_counts {
    struct etm_vec rows;    /* struct etm_count, as they came */
    uint32_t *places;       /* number of a row plus one; 0: free */
    size_t room;            /* places: a power of two, or 0 */
    struct etm_vec runs;    /* struct etm_packed */
    struct etm_packed open; /* of rows that came in order, */
    struct etm_count last;  /* and the last of them, which is not in it yet; n
                               is 0: none */
    int status;             /* sticky: ETM_ERR_MEMORY, something is missing */
};

/* `allocator` is copied. Allocates nothing. */
void etm_counts_init(struct etm_counts *counts,
                     const struct etm_allocator *allocator);
void etm_counts_fini(struct etm_counts *counts);

/* All rows go; the memory of the table stays. */
void etm_counts_clear(struct etm_counts *counts);

/* Count the `range` elements of an array, each an execution, and add up their
 * cycles; counts NULL: they are dropped. Returns how many others there are,
 * which stand in front then. Short of memory: see `status`. */
size_t etm_counts_take(struct etm_counts *counts, struct etm_element *elements,
                       size_t n, uint64_t *cycles);

/* Of an array, what ETM_LEVEL_COVERAGE gives: returns how many that are, which
 * stand in front then. */
size_t etm_counts_missing(struct etm_element *elements, size_t n);

/* Where all that is added comes at once, to sort it is quicker than to look for
 * each in a table. An etm_count_fn: one more row, which may be there already;
 * until the rows are put in order, which packs all of them, nothing but this
 * may be done with them. ETM_OK or ETM_ERR_MEMORY. */
int etm_counts_gather(void *counts, const struct etm_count *count);
int etm_counts_order(struct etm_counts *counts);

/* The rows of a table go into another one, those that are not packed by `add`:
 * etm_counts_add() or etm_counts_gather(). ETM_OK or ETM_ERR_MEMORY. */
int etm_counts_hand_over(struct etm_counts *from, etm_count_fn *add,
                         struct etm_counts *to);

/* Every row of n tables, those of one range together, less those of one more
 * table, as etm_counts_walk(): what was given is no more, and in the end all
 * tables are empty. */
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
