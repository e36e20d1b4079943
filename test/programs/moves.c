/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of loads and stores that the core has. */
#include "program.h"

static uint32_t source[16], target[17];

static void copy_multiple(void)
{
    const uint32_t *from = source;
    uint32_t *to = target;

    __asm__ volatile("ldmia %0!, {r3, r4, r5, r6}\n"
                     "stmia %1!, {r3, r4, r5, r6}\n"
                     "ldmia %0!, {r3, r4, r5, r6}\n"
                     "stmia %1!, {r3, r4, r5, r6}\n"
                     "push  {r3, r4, r5, r6}\n"
                     "pop   {r3, r4, r5, r6}\n"
                     : "+l"(from), "+l"(to)
                     :
                     : "r3", "r4", "r5", "r6", "memory");
}

static void copy_small(void)
{
    const volatile uint8_t *bytes = (const uint8_t *)(source + 8);
    volatile uint8_t *to = (uint8_t *)(target + 8);
    const volatile int16_t *halves = (const int16_t *)(source + 10);
    volatile int16_t *half_to = (int16_t *)(target + 10);

    for (int i = 0; i < 8; i++)
        to[i] = bytes[i];
    for (int i = 0; i < 4; i++)
        half_to[i] = halves[i];
}

static void copy_doubles(void)
{
#if __ARM_ARCH >= 5 || defined(__ARM_FEATURE_LDREX)
    __asm__ volatile("ldrd r2, r3, [%0]\n"
                     "strd r2, r3, [%1]\n"
                     :
                     : "r"(source + 12), "r"(target + 12)
                     : "r2", "r3", "memory");
#else
    target[12] = source[12];
    target[13] = source[13];
#endif
}

/* Add with exclusives, or exchange; the first STREX is without its LDREX. */
static uint32_t exchange(void)
{
    uint32_t failed = 1;

#if __ARM_ARCH >= 7
    uint32_t value;

    __asm__ volatile("clrex\n"
                     "strex %0, %2, [%3]\n"
                     "1: ldrex %1, [%3]\n"
                     "ldr   %1, [%2]\n"
                     "strex r3, %1, [%3]\n"
                     "cmp   r3, #0\n"
                     "bne   1b\n"
                     : "=&r"(failed), "=&r"(value)
                     : "r"(source + 14), "r"(target + 14)
                     : "r3", "cc", "memory");
    __asm__ volatile("ldrexb %0, [%1]\n"
                     "strexb r3, %0, [%1]\n"
                     "ldrexh %0, [%1]\n"
                     "strexh r3, %0, [%1]\n"
                     : "=&r"(value)
                     : "r"(target + 16)
                     : "r3", "memory");
#elif !defined(__thumb__)
    __asm__ volatile("swp r3, %0, [%1]\n"
                     "swpb r3, r3, [%2]\n"
                     :
                     : "r"(source[14]), "r"(target + 14), "r"(target + 16)
                     : "r3", "memory");
#else
    target[14] = source[14];
#endif
    target[15] = source[15];
    return failed;
}

int main(void)
{
    uint32_t wrong = 0, failed;

    for (uint32_t i = 0; i < 16; i++)
        source[i] = 0x01020304u * (i + 1) ^ 0x80808080u;
    copy_multiple();
    copy_small();
    copy_doubles();
    failed = exchange();
    for (int i = 0; i < 16; i++)
        wrong += target[i] != source[i];
    print_value("wrong ", wrong);
    print_value("failed ", failed);
    return wrong != 0 || failed != 1;
}
