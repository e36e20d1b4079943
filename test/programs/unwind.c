/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to leave a function without a return of its own, and calls that are not
 * a branch with link: longjmp() over several frames and out of a recursion,
 * tail calls, calls through pointers.
 */
#include "program.h"

#define APART __attribute__((noinline, noclone))

static uint32_t buffer[10];
static volatile uint32_t trail;

/* Their names are what is known of them. */
int setjmp(uint32_t *registers) __attribute__((returns_twice));
void longjmp(uint32_t *registers, int value) __attribute__((noreturn));

__attribute__((naked)) int setjmp(uint32_t *registers)
{
    __asm__ volatile("mov r12, sp\n"
                     "stmia r0, {r4, r5, r6, r7, r8, r9, r10, r11, r12, lr}\n"
                     "mov r0, #0\n"
                     "bx lr");
    (void)registers;
}

__attribute__((naked)) void longjmp(uint32_t *registers, int value)
{
    __asm__ volatile("ldmia r0, {r4, r5, r6, r7, r8, r9, r10, r11, r12, lr}\n"
                     "mov sp, r12\n"
                     "mov r0, r1\n"
                     "bx lr");
    (void)registers;
    (void)value;
}

APART static void note(uint32_t digit)
{
    trail = trail * 10 + digit;
}

APART static void deep(int n, volatile int *ever)
{
    if (n == 0)
        longjmp(buffer, 7);
    if (*ever)
        deep(n - 1, ever);
    note(9); /* it does not come back */
}

APART static uint32_t catch (int n)
{
    volatile uint32_t kept = (uint32_t)n;
    volatile int ever = 1;
    int value = setjmp(buffer);

    if (value == 0)
        deep(n, &ever);
    note((uint32_t)value);
    return kept;
}

/* Each goes on in the next one. */
APART static uint32_t last(uint32_t n)
{
    note(3);
    return n + 1;
}

APART static uint32_t even(uint32_t n);

APART static uint32_t odd(uint32_t n)
{
    if (n == 0)
        return last(n);
    return even(n - 1);
}

APART static uint32_t even(uint32_t n)
{
    if (n == 0)
        return last(n + 10);
    return odd(n - 1);
}

APART static uint32_t twice(uint32_t n)
{
    return 2 * n;
}

APART static uint32_t through(uint32_t (*const *table)(uint32_t), uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += table[i & 3](i);
    return sum;
}

int main(void)
{
    static uint32_t (*const table[])(uint32_t) = {even, twice, odd, last};
    uint32_t caught = 0, sum;

    for (int i = 0; i < 4; i++)
        caught = caught * 10 + catch (i);
    sum = through(table, 12);
    print_value("caught ", caught);
    print_value("sum ", sum);
    return caught != 123 || sum != 90 || trail % 10 != 3;
}
