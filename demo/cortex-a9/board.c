/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board with a Cortex-A9: the private timer interrupts, a loop calls the
 * tasks and tells the context ID of each to whoever watches, and supervisor
 * calls stand between the tasks and the serial port.
 */
#include "../src/app.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define ICCICR REGISTER(0x1e000100)
#define ICCPMR REGISTER(0x1e000104)
#define ICCIAR REGISTER(0x1e00010c)
#define ICCEOIR REGISTER(0x1e000110)
#define TIMER_LOAD REGISTER(0x1e000600)
#define TIMER_CONTROL REGISTER(0x1e000608)
#define TIMER_STATUS REGISTER(0x1e00060c)
#define ICDDCR REGISTER(0x1e001000)
#define ICDISER0 REGISTER(0x1e001100)
#define UART0_DR REGISTER(0x10009000)

#define TIMER_INTERRUPT 29u
#define TICK 100u /* clocks of the timer between two samples */

enum { SVC_PRINT = 0, SVC_IDLE = 1 };

static uint32_t svc_print(uint32_t value)
{
    static const char digits[] = "0123456789abcdef";

    for (int shift = 28; shift >= 0; shift -= 4)
        UART0_DR = (uint32_t)digits[value >> shift & 15];
    UART0_DR = '\n';
    return 0;
}

/* Nothing to do: count it, as a program that sleeps would be hard to see. */
static uint32_t svc_idle(uint32_t value)
{
    static uint32_t idle;

    idle += value;
    return idle;
}

uint32_t (*const svc_table[])(uint32_t) = {
    [SVC_PRINT] = svc_print, [SVC_IDLE] = svc_idle};

static uint32_t svc(uint32_t number, uint32_t argument)
{
    register uint32_t r0 __asm__("r0") = argument;
    register uint32_t r7 __asm__("r7") = number;

    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r7) : "memory");
    return r0;
}

void irq(void)
{
    uint32_t acknowledged = ICCIAR;

    if ((acknowledged & 0x3ff) == TIMER_INTERRUPT) {
        TIMER_STATUS = 1;
        sample_interrupt();
    }
    ICCEOIR = acknowledged;
}

void telegram_send(const struct telegram *telegram)
{
    svc(SVC_PRINT, telegram->crc);
    telegrams_sent++;
}

static void set_context_id(uint32_t id)
{
    __asm__ volatile("mcr p15, 0, %0, c13, c0, 1\n"
                     "isb"
                     :
                     : "r"(id)
                     : "memory");
}

int main(void)
{
    static const struct {
        bool (*step)(void);
        uint32_t context_id;
    } tasks[] = {{clean_step, 0x101}, {report_step, 0x102}};

    ICCPMR = 0xff;
    ICCICR = 1;
    ICDDCR = 1;
    ICDISER0 = 1u << TIMER_INTERRUPT;
    TIMER_LOAD = TICK - 1;
    TIMER_CONTROL = 7;
    __asm__ volatile("cpsie i" : : : "memory");
    while (telegrams_sent < TELEGRAMS) {
        bool worked = false;

        for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
            set_context_id(tasks[i].context_id);
            worked |= tasks[i].step();
        }
        if (!worked)
            svc(SVC_IDLE, 1);
    }
    __asm__ volatile("cpsid i" : : : "memory");
    finish();
    return 0;
}

/* Ask the debugger or the simulator to stop (semihosting, SYS_EXIT). */
__attribute__((noinline)) void finish(void)
{
    register uint32_t r0 __asm__("r0") = 0x18;
    register uint32_t r1 __asm__("r1") = 0x20026;

    __asm__ volatile("svc 0xab" : : "r"(r0), "r"(r1) : "memory");
    for (;;) {
    }
}
