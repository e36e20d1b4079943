/* SPDX-License-Identifier: Apache-2.0 */
/* The other half of recurse.c. */
#include "program.h"

uint32_t ackermann_step(uint32_t m, uint32_t n);
int less(uint32_t a, uint32_t b);
uint32_t ackermann(uint32_t m, uint32_t n);
void sort(uint32_t *values, int left, int right);

uint32_t ackermann(uint32_t m, uint32_t n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann_step(m, n);
}

void sort(uint32_t *values, int left, int right)
{
    int i = left, j = right;
    uint32_t pivot = values[(left + right) / 2];

    while (i <= j) {
        while (less(values[i], pivot))
            i++;
        while (less(pivot, values[j]))
            j--;
        if (i <= j) {
            uint32_t held = values[i];

            values[i++] = values[j];
            values[j--] = held;
        }
    }
    if (left < j)
        sort(values, left, j);
    if (i < right)
        sort(values, i, right);
}
