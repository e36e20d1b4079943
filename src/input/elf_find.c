/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the rows of symbols at or before an address. A listing looks up each
 * place of the program that it reaches, and a binary search would wait at each
 * step for an unpredictable branch.
 */
#include "input/elf_private.h"

#include <string.h>

static uint32_t address_of(const struct etm_vec *rows, size_t i)
{
    uint32_t address;

    memcpy(&address, (const char *)rows->data + i * rows->width,
           sizeof address);
    return address;
}

int etm_elf_divide(struct etm_elf_places *places, const struct etm_vec *rows)
{
    size_t n = rows->n, row = 0;
    uint32_t span, count;
    int status;

    places->starts.n = 0;
    if (n == 0)
        return ETM_OK;
    places->first = address_of(rows, 0);
    span = address_of(rows, n - 1) - places->first;
    for (places->shift = 0; span >> places->shift > 2 * n;)
        places->shift++;
    count = (span >> places->shift) + 1;
    status = etm_vec_reserve(&places->starts, (size_t)count + 1);
    for (uint32_t i = 0; status == ETM_OK && i <= count; i++) {
        uint32_t start;

        while (row < n &&
               (address_of(rows, row) - places->first) >> places->shift < i)
            row++;
        start = (uint32_t)row;
        status = etm_vec_append(&places->starts, &start, 1);
    }
    return status;
}

size_t etm_elf_find(const struct etm_elf_places *places,
                    const struct etm_vec *rows, uint32_t address)
{
    const uint32_t *starts = places->starts.data;
    size_t place, low, high;

    if (places->starts.n == 0 || address < places->first)
        return 0;
    place = (address - places->first) >> places->shift;
    if (place + 1 >= places->starts.n)
        return rows->n;
    low = starts[place];
    high = starts[place + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (address_of(rows, middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
