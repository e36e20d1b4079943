/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that never was, with much code: some thousand functions in ARM
 * and Thumb that call each other, loop and return; and its execution, as
 * events for a generator.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <etm/model.h>

struct etm_bench_block;
struct etm_bench_function;

struct etm_bench_program {
    uint32_t address;
    size_t size;
    uint8_t *code; /* in the order of memory */
    struct etm_bench_function *functions;
    struct etm_bench_block *blocks;
    uint32_t n_functions, n_blocks;
    bool thumb;
};

/* Make the program; with `thumb` half of the functions are Thumb code. */
void etm_bench_program_init(struct etm_bench_program *program,
                            uint32_t n_functions, bool thumb);
void etm_bench_program_fini(struct etm_bench_program *program);

#define ETM_BENCH_DEPTH 16u

/* An execution that goes on for ever. */
struct etm_bench_walk {
    const struct etm_bench_program *program;
    uint32_t block; /* that comes next */
    uint64_t random;
    bool data;
    uint32_t depth;
    uint32_t calls[ETM_BENCH_DEPTH]; /* blocks to return to */
};

/* `data`: with an event for each word that is loaded. */
void etm_bench_walk_init(struct etm_bench_walk *walk,
                         const struct etm_bench_program *program, bool data);

/* Some more events, at least one; room for ETM_BENCH_EVENTS is needed. */
#define ETM_BENCH_EVENTS 64u
size_t etm_bench_walk_next(struct etm_bench_walk *walk,
                           struct etm_event *events);

/* The event that begins the trace. */
struct etm_event etm_bench_walk_on(const struct etm_bench_walk *walk);

#endif
