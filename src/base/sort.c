/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

/* A key has three digits. */
#define DIGIT_BITS 11u
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* Sort by one digit, keeping the order of keys with the same digit. */
static void sort_digit(const struct etm_sort_key *from, struct etm_sort_key *to,
                       size_t n, unsigned shift)
{
    size_t places[DIGITS] = {0}, place = 0;

    for (size_t i = 0; i < n; i++)
        places[from[i].key >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t count = places[digit];

        places[digit] = place;
        place += count;
    }
    for (size_t i = 0; i < n; i++)
        to[places[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

void etm_sort(struct etm_sort_key *keys, size_t n)
{
    sort_digit(keys, keys + n, n, 0);
    sort_digit(keys + n, keys, n, DIGIT_BITS);
    sort_digit(keys, keys + n, n, 2 * DIGIT_BITS);
}
