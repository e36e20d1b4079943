/* SPDX-License-Identifier: Apache-2.0 */
/* Radix sort by a 32-bit number: three passes, no comparisons. */
#ifndef ETM_BASE_SORT_H
#define ETM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* The sort key of a row, usually an address, and the number of the row. */
struct etm_sort_key {
    uint32_t key, row;
};

/* Sort n keys; equal ones keep their order. There must be room for n more keys
 * after them, where the result is put: keys + n. */
void etm_sort(struct etm_sort_key *keys, size_t n);

#endif
