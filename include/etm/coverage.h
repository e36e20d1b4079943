/* SPDX-License-Identifier: Apache-2.0 */
/* How often code was executed: what a decoder at ETM_LEVEL_COVERAGE gives. */
#ifndef ETM_COVERAGE_H
#define ETM_COVERAGE_H

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How often one range was executed. Each field but `n` is as in a `range`
 * element (etm/element.h), and together they name the range: a loop that is
 * left once has a row for its last branch taken and a row for that not taken.
 */
struct etm_count {
    uint64_t n; /* executions, at least 1 */
    uint32_t start;
    uint32_t end;   /* exclusive */
    uint32_t insns; /* instructions in it, at least 1 */
    uint32_t last_address;
    uint8_t isa;        /* enum etm_isa */
    uint8_t last_type;  /* enum etm_insn_type */
    uint8_t last_exec;  /* enum etm_tri: it passed its condition */
    uint8_t last_flags; /* enum etm_insn_flag */
};

/* Called with one row after the other, which is lent for the call. A return
 * value other than 0 stops the walk, which returns it. */
typedef int etm_count_fn(void *context, const struct etm_count *count);

/* A table of counts. */
struct etm_counts;

/*
 * Make an empty table. On success *counts is owned by the caller; on failure
 * it is NULL. `allocator` is copied; NULL: malloc. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_counts_new(struct etm_counts **counts,
                   const struct etm_allocator *allocator);

/* Accepts NULL. */
void etm_counts_free(struct etm_counts *counts);

/*
 * Add count->n executions of a range; 0 adds nothing. It is an etm_count_fn
 * when `counts` is the context, so that the counts of several decoders add up:
 *
 *     etm_decoder_counts(decoder, etm_counts_add, counts);
 *
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY: the table is as it was.
 */
int etm_counts_add(void *counts, const struct etm_count *count);

/*
 * Every row, by start address, then by end address, instruction set and the
 * rest. The table must not change meanwhile. ETM_ERR_ARGUMENT; ETM_ERR_MEMORY:
 * nothing was called; or what `fn` returned.
 */
int etm_counts_walk(const struct etm_counts *counts, etm_count_fn *fn,
                    void *context);

#ifdef __cplusplus
}
#endif
#endif
