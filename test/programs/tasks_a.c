/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile: three tasks, each with its stack and its context ID. An interrupt
 * from outside switches between them (tasks_irq.S); what begins is the fourth.
 */
#include "program.h"

#define TASKS 4u
#define ROUNDS 5u

static uint32_t stacks[TASKS][1024] __attribute__((aligned(4096)));
static uint32_t *saved[TASKS];
uint32_t current;
static volatile uint32_t done, sums[TASKS];

uint32_t *next_task(uint32_t *stack);

uint32_t *next_task(uint32_t *stack)
{
    saved[current] = stack;
    current = (current + 1) % TASKS;
    return saved[current];
}

__attribute__((noinline, noclone)) static uint32_t work(uint32_t n)
{
    return n < 2 ? n : work(n - 1) + work(n - 2);
}

__attribute__((noinline, noclone)) static void finish(void)
{
    __asm__ volatile("cpsid i");
    if (++done < TASKS - 1) {
        __asm__ volatile("cpsie i");
        for (;;) {
        }
    }
    print_value("sum ", sums[1] + sums[2] + sums[3]);
    leave(sums[1] + sums[2] + sums[3] != ROUNDS * (5 + 8 + 13));
}

static void first(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        sums[1] += work(5);
    finish();
}

static void second(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        sums[2] += work(6);
    finish();
}

static void third(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        sums[3] += work(7);
    finish();
}

int main(void)
{
    static void (*const entries[TASKS])(void) = {0, first, second, third};

    for (uint32_t i = 1; i < TASKS; i++) {
        /* r0 to r12, lr, pc, cpsr: System mode, interrupts allowed */
        uint32_t *frame = stacks[i] + 1024 - 16;

        frame[14] = (uint32_t)entries[i];
        frame[15] = 0x1f;
        saved[i] = frame;
    }
    __asm__ volatile("mcr p15, 0, %0, c13, c0, 1\n"
                     "isb\n"
                     "cpsie i"
                     :
                     : "r"(0x10));
    for (;;) {
    }
}
