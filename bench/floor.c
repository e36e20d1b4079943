/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed that no decoder can exceed: loops that decode nothing measure the
 * least that has to be done for each element and for each branch.
 *
 * - An instruction: 16 bytes are read from a row and written as an element,
 *   together with the fields before and after them; a callback looks at the
 *   kind of each element. Measured once with rows that fit the L1 cache, and
 *   once with random rows out of as many as two megabytes of code have.
 * - A branch: one access to memory whose address depends on the access before
 *   it, among links that fit the L1 cache, and among those of as much code.
 */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "memory.h"

#include <etm/decode.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 1024u /* at once */
#define RUNS 9u

struct row {
    uint8_t bytes[16];
};

/* Kept so that no loop can be left out. */
static uint64_t sum;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void count(const struct etm_element *elements, size_t n)
{
    uint64_t insns = 0;

    for (size_t i = 0; i < n; i++)
        insns += elements[i].kind == ETM_ELEMENT_INSN;
    sum += insns;
}

/* Elements of `n` instructions, a step of them after the other. */
static void write_elements(struct etm_element *elements, const struct row *rows,
                           size_t n_rows, size_t n)
{
    static const struct etm_element before = {.kind = ETM_ELEMENT_INSN};
    static const uint8_t behind[16];
    uint32_t state = 1;

    while (n != 0) {
        size_t at = 0;

        while (at + 16 <= ELEMENTS) {
            uint32_t random = next_random(&state);
            const struct row *row = &rows[random % (n_rows - 16)];
            size_t end = at + 4 + (random >> 8) % 13;

            for (; at < end; at++, row++) {
                uint8_t *e = (uint8_t *)&elements[at];

                memcpy(e, &before, 16);
                memcpy(e + 16, row, sizeof *row);
                memcpy(e + 32, behind, 16);
            }
        }
        count(elements, at);
        n -= at < n ? at : n;
    }
}

static void follow_links(const uint32_t *links, size_t n)
{
    uint32_t at = 0;

    while (n-- != 0)
        at = links[at];
    sum += at;
}

/* One round through all places of `links`, in no order. */
static void tangle(uint32_t *links, size_t n)
{
    uint32_t state = 1;

    for (size_t i = 0; i < n; i++)
        links[i] = (uint32_t)i;
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = next_random(&state) % i;
        uint32_t link = links[i];

        links[i] = links[k];
        links[k] = link;
    }
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, etm_bench_ascending);
    return values[RUNS / 2];
}

static void print_elements(size_t bytes)
{
    struct etm_element *elements =
        etm_bench_memory(ELEMENTS * sizeof *elements);
    size_t n_rows = bytes / sizeof(struct row), n = 1000000;
    struct row *rows = etm_bench_memory(bytes);
    double ns[RUNS];

    memset(rows, 1, bytes);
    for (unsigned r = 0; r < RUNS; r++) {
        double begin = etm_bench_now();

        write_elements(elements, rows, n_rows, n);
        ns[r] = (etm_bench_now() - begin) / (double)n;
    }
    printf("| an instruction, rows of %zu KB | %.2f |\n", bytes / 1000,
           median(ns));
    free(rows);
    free(elements);
}

static void print_links(size_t bytes)
{
    size_t n = bytes / sizeof(uint32_t), steps = 1000000;
    uint32_t *links = etm_bench_memory(bytes);
    double ns[RUNS];

    tangle(links, n);
    for (unsigned r = 0; r < RUNS; r++) {
        double begin = etm_bench_now();

        follow_links(links, steps);
        ns[r] = (etm_bench_now() - begin) / (double)steps;
    }
    printf("| a branch, links of %zu KB | %.2f |\n", bytes / 1000, median(ns));
    free(links);
}

int main(void)
{
    printf("| at least, for | ns |\n| --- | --: |\n");
    print_elements(8000);
    print_elements(8000000);
    print_links(8000);
    print_links(1000000);
    return sum == 0;
}
