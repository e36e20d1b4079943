/* SPDX-License-Identifier: Apache-2.0 */
/*
 * M profile: three tasks with a stack each. PendSV switches between them, which
 * SysTick asks for, also within functions, and the tasks themselves.
 */
#include "program.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define ICSR REGISTER(0xe000ed04)
#define SHPR3 REGISTER(0xe000ed20)
#define ICSR_PENDSVSET (1u << 28)
#define TASKS 3u
#define ROUNDS 6u

/* A stack is a page: where the stack pointer is tells the task. */
static uint32_t stacks[TASKS][1024] __attribute__((aligned(4096)));
uint32_t *saved[TASKS];
uint32_t current;
static volatile uint32_t done, sums[TASKS];

void SysTick_Handler(void)
{
    ICSR = ICSR_PENDSVSET;
}

__attribute__((noinline)) uint32_t *next_task(uint32_t *stack)
{
    saved[current] = stack;
    current = (current + 1) % TASKS;
    return saved[current];
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile("mrs r0, psp\n"
                     "stmdb r0!, {r4-r11}\n"
                     "push {r3, lr}\n"
                     "bl next_task\n"
                     "pop {r3, lr}\n"
                     "ldmia r0!, {r4-r11}\n"
                     "msr psp, r0\n"
                     "bx lr");
}

/* The first task begins where its frame says. */
__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile("ldr r0, =saved\n"
                     "ldr r0, [r0]\n"
                     "ldmia r0!, {r4-r11}\n"
                     "msr psp, r0\n"
                     "ldr lr, =0xfffffffd\n"
                     "bx lr\n"
                     ".ltorg");
}

__attribute__((noinline)) static void yield(void)
{
    ICSR = ICSR_PENDSVSET;
    __asm__ volatile("dsb\n isb");
}

/* Each task has a function of its own, so that where it is tells which it is;
 * only yield() is shared. */
#define WORK(name)                                                             \
    __attribute__((noinline, noclone)) static uint32_t name(uint32_t n)        \
    {                                                                          \
        return n < 2 ? n : name(n - 1) + name(n - 2);                          \
    }
WORK(work_first)
WORK(work_second)
WORK(work_third)

__attribute__((always_inline)) static inline void finish(void)
{
    if (++done < TASKS)
        for (;;)
            yield();
    SYST_CSR = 0;
    print_value("sum ", sums[0] + sums[1] + sums[2]);
    leave(sums[0] + sums[1] + sums[2] != ROUNDS * (5 + 8 + 13));
}

static void first(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        sums[0] += work_first(5);
        yield();
    }
    finish();
}

static void second(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        sums[1] += work_second(6);
    finish();
}

static void third(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        sums[2] += work_third(7);
        if (i % 2 == 0)
            yield();
    }
    finish();
}

int main(void)
{
    static void (*const entries[TASKS])(void) = {first, second, third};

    for (uint32_t i = 0; i < TASKS; i++) {
        uint32_t *frame = stacks[i] + 1024 - 16;

        frame[8 + 6] = (uint32_t)entries[i];
        frame[8 + 7] = 1u << 24; /* Thumb */
        saved[i] = frame;
    }
    SHPR3 = 0xffu << 16 | 0x40u << 24; /* PendSV below SysTick */
    SYST_RVR = 499;
    SYST_CVR = 0;
    SYST_CSR = 7;
    __asm__ volatile("svc 0");
    return 1;
}
