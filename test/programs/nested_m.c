/* SPDX-License-Identifier: Apache-2.0 */
/*
 * M profile: interrupts that nest by their priorities and chain, PendSV,
 * SysTick, supervisor calls, faults, two stacks, and IT blocks in between.
 */
#include "program.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define NVIC_ISER REGISTER(0xe000e100)
#define NVIC_ISPR REGISTER(0xe000e200)
#define NVIC_IPR REGISTER(0xe000e400)
#define ICSR REGISTER(0xe000ed04)
#define SHPR2 REGISTER(0xe000ed1c)
#define SHPR3 REGISTER(0xe000ed20)
#define SHCSR REGISTER(0xe000ed24)
#define ICSR_PENDSVSET (1u << 28)

static volatile uint32_t ticks, switches, calls, faults, order, outside[2];

/* Digits of `order` tell who ran after whom. */
static void note(uint32_t digit)
{
    order = order << 4 | digit;
}

void SysTick_Handler(void)
{
    ticks++;
    ICSR = ICSR_PENDSVSET;
}

void PendSV_Handler(void)
{
    switches++;
}

void IRQ0_Handler(void)
{
    note(1);
    NVIC_ISPR = 6; /* 1 preempts, 2 chains */
    note(2);
}

void IRQ1_Handler(void)
{
    note(3);
}

void IRQ2_Handler(void)
{
    note(4);
}

/* The address after a fault: both faulting instructions have two halves. */
static void skip(uint32_t *frame)
{
    faults++;
    frame[6] += 4;
}

__attribute__((naked)) void UsageFault_Handler(void)
{
    __asm__ volatile("mov r0, sp\n b %0" : : "i"(skip));
}

__attribute__((naked)) void HardFault_Handler(void)
{
    __asm__ volatile("tst lr, #4\n"
                     "ite eq\n"
                     "mrseq r0, msp\n"
                     "mrsne r0, psp\n"
                     "b %0"
                     :
                     : "i"(skip));
}

static void supervisor(uint32_t *frame)
{
    calls++;
    frame[0] += 1;
}

__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile("tst lr, #4\n"
                     "ite eq\n"
                     "mrseq r0, msp\n"
                     "mrsne r0, psp\n"
                     "b %0"
                     :
                     : "i"(supervisor));
}

static uint32_t call(uint32_t value)
{
    register uint32_t r0 __asm__("r0") = value;

    __asm__ volatile("svc 1" : "+r"(r0) : : "memory");
    return r0;
}

/* Blocks of all lengths; SVC among them, which an exception splits. */
static uint32_t conditions(uint32_t n)
{
    uint32_t even = 0, odd = 0;

    for (uint32_t i = 0; i < n; i++)
        __asm__ volatile("tst   %2, #1\n"
                         "ittee eq\n"
                         "addeq %0, %0, #1\n"
                         "addeq %0, %0, #2\n"
                         "addne %1, %1, #4\n"
                         "addne %1, %1, #8\n"
                         "it    ne\n"
                         "addne %1, %1, #16\n"
                         : "+r"(even), "+r"(odd)
                         : "r"(i)
                         : "cc");
    __asm__ volatile("movs  r0, #0\n"
                     "itet  eq\n"
                     "svceq 3\n"
                     "addne %0, %0, #100\n"
                     "addeq %0, %0, #1\n"
                     : "+r"(even)
                     :
                     : "r0", "cc", "memory");
    return even << 16 | odd;
}

int main(void)
{
    static uint32_t process_stack[256];
    uint32_t value = 0, found;

    SHPR2 = 0x20u << 24;               /* SVC */
    SHPR3 = 0xffu << 16 | 0x80u << 24; /* PendSV, SysTick */
    NVIC_IPR = 0x40u | 0x20u << 8 | 0x60u << 16;
    SHCSR = 1u << 18; /* UsageFault, not BusFault: that is a HardFault */
    NVIC_ISER = 7;
    NVIC_ISPR = 1;
    __asm__ volatile("dsb\n isb");
    found = order; /* 1, preempted by 3, 2, chained 4 */
    SYST_RVR = 150;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (int i = 0; i < 5; i++)
        value = call(value);
    __asm__ volatile("msr psp, %0\n"
                     "movs r3, #2\n"
                     "msr control, r3\n"
                     "isb"
                     :
                     : "r"(process_stack + 256)
                     : "r3", "memory");
    value = value << 8 | (call(1) & 0xff);
    __asm__ volatile("movs r3, #0\n"
                     "msr control, r3\n"
                     "isb"
                     :
                     :
                     : "r3", "memory");
    __asm__ volatile("udf.w #1");
    __asm__ volatile("mov r3, #0x70000000\n ldr.w r3, [r3]" : : : "r3");
    print_value("order ", found);
    print_value("value ", value);
    print_value("conditions ", conditions(20));
    print_value("faults ", faults);
    __asm__ volatile("cpsid i");
    while (ticks < 5)
        __asm__ volatile("wfi\n cpsie i\n isb\n cpsid i");
    SYST_CSR = 0;
    __asm__ volatile("cpsie i");
    return found != 0x1324 || value != 0x502 || faults != 2 || ticks < 5 ||
           switches == 0 || calls != 7 || conditions(20) != 0x1f0118;
}
