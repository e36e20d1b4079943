/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers of the floating-point and coprocessor registers. */
#include "program.h"

static double values[8] = {1.5, 2.25, -3.0, 4.0, 5.5, 6.0, 7.0, 8.0};
static double copies[8];

static void enable(void)
{
    __asm__ volatile("mrc  p15, 0, r3, c1, c0, 2\n"
                     "orr  r3, r3, #0xf00000\n"
                     "mcr  p15, 0, r3, c1, c0, 2\n"
                     "isb\n"
                     "mov  r3, #0x40000000\n"
                     "vmsr fpexc, r3\n"
                     :
                     :
                     : "r3");
}

__attribute__((noinline)) static double sum(const double *from, int n)
{
    double total = 0;

    for (int i = 0; i < n; i++)
        total += from[i];
    return total;
}

__attribute__((noinline)) static uint32_t copy(void)
{
    uint32_t low, high, flags;

    __asm__ volatile("vldmia %3, {d0-d3}\n"
                     "vpush {d0-d3}\n"
                     "vpop {d4-d7}\n"
                     "vstmia %4, {d4-d7}\n"
                     "vldr s16, [%3, #32]\n"
                     "vldr s17, [%3, #36]\n"
                     "vstr d8, [%4, #32]\n"
                     "vldmia %5, {s0-s2}\n"
                     "vmov %0, %1, d7\n"
                     "vmov s0, %0\n"
                     "vcmp.f64 d4, d4\n"
                     "vmrs APSR_nzcv, fpscr\n"
                     "vmrs %2, fpscr\n"
                     : "=&r"(low), "=&r"(high), "=&r"(flags)
                     : "r"(values), "r"(copies), "r"(values + 5)
                     : "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8",
                       "cc", "memory");
    return high + (low & 0) + (flags >> 30);
}

/* Apart from main(), which may not touch these registers yet. */
__attribute__((noinline)) static int run(void)
{
    uint32_t high;
    double total;

    high = copy();
    total = sum(copies, 5) * 4;
    print_value("high ", high);
    print_value("total ", (uint32_t)(int)total);
    return high != 0x40100001 || total != 41;
}

int main(void)
{
    enable();
    return run();
}
