/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion and sorting; where there are two states, this half is Thumb and
 * recurse_arm.c is Arm. */
#include "program.h"

uint32_t ackermann(uint32_t m, uint32_t n);
void sort(uint32_t *values, int left, int right);

/* ackermann() calls this, which calls it again: each step changes state. */
uint32_t ackermann_step(uint32_t m, uint32_t n)
{
    return ackermann(m - 1, ackermann(m, n - 1));
}

int less(uint32_t a, uint32_t b)
{
    return a < b;
}

static uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    static uint32_t values[40];
    uint32_t seed = 1, sum = 0, wrong = 0;

    for (int i = 0; i < 40; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = seed;
        sum += seed;
    }
    sort(values, 0, 39);
    for (int i = 0; i < 40; i++) {
        sum -= values[i];
        wrong += i > 0 && values[i - 1] > values[i];
    }
    print_value("sum ", sum);
    print_value("wrong ", wrong);
    print_value("ackermann ", ackermann(2, 5));
    print_value("fibonacci ", fibonacci(12));
    return sum != 0 || wrong != 0 || ackermann(2, 5) != 13 ||
           fibonacci(12) != 144;
}
