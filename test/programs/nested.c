/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A and R profiles: IRQ and FIQ from outside, also within handlers, supervisor
 * calls, an undefined instruction and aborts, a program in User mode, and
 * context IDs where there are any. handlers.S has the handlers.
 */
#include "program.h"

extern volatile uint32_t counts[6]; /* undefined svc prefetch data irq fiq */

uint32_t call(uint32_t value); /* SVC 1: value + 1 */
void to_user(void);            /* and back by SVC 2 */
void to_system(void);
void bad_instruction(void);
void bad_load(void);
void bad_jump(void);

static uint32_t checksum(uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum = sum * 31 + (i % 3 == 0 ? i : ~i);
    return sum;
}

static void set_context(uint32_t id)
{
#if __ARM_ARCH >= 7
    __asm__ volatile("mcr p15, 0, %0, c13, c0, 1\n isb" : : "r"(id));
#else
    (void)id;
#endif
}

int main(void)
{
    uint32_t sum = 0, calls = 0;

    set_context(0x101);
    for (uint32_t i = 0; i < 20; i++)
        sum ^= checksum(20);
    set_context(0x202);
    to_user();
    for (uint32_t i = 0; i < 10; i++)
        calls = call(calls);
    sum += checksum(20);
    to_system();
    bad_instruction();
    bad_load();
    bad_jump();
    print_value("calls ", calls);
    print_value("sum ", sum - checksum(20));
    print_value("undefined ", counts[0]);
    print_value("prefetch ", counts[2]);
    print_value("data ", counts[3]);
    return calls != 10 || sum != checksum(20) || counts[0] != 1 ||
           counts[2] != 1 || counts[3] != 1 || counts[1] != 11;
}
