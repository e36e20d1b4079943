/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by a number of 32 bits: three times over the rows, no comparisons. */
#ifndef ETM_BASE_SORT_H
#define ETM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* What a row is sorted by, an address as a rule, and which row it is. */
struct etm_sort_key {
    uint32_t key, row;
};

/* n keys in order; those that are the same stay as they are. There is room for
 * n more behind them, and there the result is: keys + n. */
void etm_sort(struct etm_sort_key *keys, size_t n);

#endif
