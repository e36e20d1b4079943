/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

static void swap(int16_t *a, int16_t *b)
{
    int16_t t = *a;

    *a = *b;
    *b = t;
}

/* Sort *first to *last, both included. */
void quick_sort(int16_t *first, int16_t *last, compare_fn *compare)
{
    int16_t *low = first, *high = last;
    int16_t pivot;

    if (first >= last)
        return;
    pivot = first[(last - first) / 2];
    while (low <= high) {
        while (compare(*low, pivot) < 0)
            low++;
        while (compare(*high, pivot) > 0)
            high--;
        if (low <= high)
            swap(low++, high--);
    }
    quick_sort(first, high, compare);
    quick_sort(low, last, compare);
}

static int ascending(int16_t a, int16_t b)
{
    return a < b ? -1 : a > b;
}

int16_t median(const int16_t *samples, size_t n)
{
    int16_t sorted[WINDOW];

    for (size_t i = 0; i < n; i++)
        sorted[i] = samples[i];
    quick_sort(sorted, sorted + n - 1, ascending);
    return sorted[n / 2];
}
