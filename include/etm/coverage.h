/* SPDX-License-Identifier: Apache-2.0 */
/* How often code was executed: the result of a decoder at ETM_LEVEL_COUNTS or
 * ETM_LEVEL_COVERAGE. */
#ifndef ETM_COVERAGE_H
#define ETM_COVERAGE_H

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How often one range was executed. The fields other than `n` are those of a
 * `range` element (etm/element.h), and together they identify the range: a loop
 * that was left once has one row for its closing branch taken and one for the
 * same branch not taken.
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

/* Called for each row, which is valid only during the call. A return value
 * other than 0 stops the walk, which returns it. */
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
 * Add count->n executions of a range; 0 adds nothing. It can be used as an
 * etm_count_fn with `counts` as its context, to add up the counts of several
 * decoders:
 *
 *     etm_decoder_counts(decoder, etm_counts_add, counts);
 *
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY: the table is unchanged.
 */
int etm_counts_add(void *counts, const struct etm_count *count);

/*
 * Call `fn` for every row, sorted by start address, then end address,
 * instruction set and the other fields. The table must not change meanwhile.
 * ETM_ERR_ARGUMENT; ETM_ERR_MEMORY: `fn` was not called; or what `fn` returned.
 */
int etm_counts_walk(const struct etm_counts *counts, etm_count_fn *fn,
                    void *context);

#ifdef __cplusplus
}
#endif
#endif
