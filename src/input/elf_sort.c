/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting rows of symbols by address. A large program has some 100,000 of them,
 * and sorting by comparisons would take longer than all the rest of a short
 * listing.
 */
#include "input/elf_private.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static uint32_t address_of(const struct etm_vec *rows, size_t i)
{
    uint32_t address;

    memcpy(&address, (const char *)rows->data + i * rows->width,
           sizeof address);
    return address;
}

static bool is_sorted(const struct etm_vec *rows, etm_elf_compare_fn *compare)
{
    for (size_t i = 1; i < rows->n; i++) {
        const char *row = (const char *)rows->data + i * rows->width;

        if (compare(row - rows->width, row) > 0)
            return false;
    }
    return true;
}

/* The rows as `keys` order them, in memory of their own. */
static void place_rows(struct etm_vec *rows, const struct etm_sort_key *keys,
                       char *memory)
{
    for (size_t i = 0; i < rows->n; i++)
        memcpy(memory + i * rows->width,
               (const char *)rows->data + keys[i].row * rows->width,
               rows->width);
    etm_alloc_free(&rows->allocator, rows->data);
    rows->data = memory;
    rows->capacity = rows->n;
}

/* Sort rows of one address. */
static void sort_ties(struct etm_vec *rows, etm_elf_compare_fn *compare)
{
    for (size_t i = 0, next; i < rows->n; i = next) {
        uint32_t address = address_of(rows, i);

        for (next = i + 1; next < rows->n && address_of(rows, next) == address;)
            next++;
        if (next > i + 1)
            qsort((char *)rows->data + i * rows->width, next - i, rows->width,
                  compare);
    }
}

int etm_elf_sort(struct etm_vec *rows, etm_elf_compare_fn *compare)
{
    const struct etm_allocator *a = &rows->allocator;
    size_t n = rows->n;
    struct etm_sort_key *keys;
    char *memory;

    if (is_sorted(rows, compare))
        return ETM_OK;
    keys = etm_alloc_zero(a, 2 * n * sizeof *keys);
    memory = etm_alloc_zero(a, n * rows->width);
    if (keys == NULL || memory == NULL) {
        etm_alloc_free(a, keys);
        etm_alloc_free(a, memory);
        return ETM_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        keys[i] = (struct etm_sort_key){address_of(rows, i), (uint32_t)i};
    etm_sort(keys, n);
    place_rows(rows, keys + n, memory);
    etm_alloc_free(a, keys);
    sort_ties(rows, compare);
    return ETM_OK;
}
