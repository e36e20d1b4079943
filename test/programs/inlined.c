/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined functions: within each other, more than once, and with a call of a
 * function that is none. */
#include "program.h"

#define INLINE static inline __attribute__((always_inline))
#define NO_INLINE __attribute__((noinline)) static

NO_INLINE uint32_t divide(uint32_t n, uint32_t by)
{
    uint32_t quotient = 0;

    for (; n >= by; n -= by)
        quotient++;
    return quotient;
}

INLINE uint32_t limit(uint32_t value, uint32_t most)
{
    while (value > most)
        value -= most >> 1;
    return value;
}

INLINE uint32_t both(uint32_t a, uint32_t b)
{
    return limit(a, 40) + limit(b, 60);
}

INLINE uint32_t mean(uint32_t sum, uint32_t n)
{
    return n == 0 ? 0 : divide(sum, n);
}

NO_INLINE uint32_t filter(uint32_t i)
{
    return both(7 * i, 11 * i) + mean(i * i, i & 3);
}

int main(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < 24; i++)
        sum += filter(i);
    print_value("sum", sum);
    return 0;
}
