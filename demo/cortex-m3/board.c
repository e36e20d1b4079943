/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board with a Cortex-M3: vectors, a scheduler of two tasks (SysTick
 * samples, PendSV switches, SVC starts and yields), a serial port.
 */
#include "../src/app.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define ICSR REGISTER(0xe000ed04)
#define SHPR3 REGISTER(0xe000ed20)
#define UART0_DR REGISTER(0x4000c000)

#define ICSR_PENDSVSET (1u << 28)
#define TICK 12u /* clocks of the timer between two samples */

enum { SVC_START = 0, SVC_YIELD = 1 };

struct task {
    uint32_t *sp; /* r4 to r11 and the exception frame stand there */
    uint32_t stack[128];
};

static struct task tasks[2];
struct task *current_task = &tasks[0]; /* PendSV_Handler uses it */

static void yield(void)
{
    __asm__ volatile("svc %0" : : "i"(SVC_YIELD) : "memory");
}

static void clean_task(void)
{
    for (;;) {
        if (!clean_step())
            yield();
    }
}

static void report_task(void)
{
    while (telegrams_sent < TELEGRAMS) {
        if (!report_step())
            yield();
    }
    finish();
}

void telegram_send(const struct telegram *telegram)
{
    static const char digits[] = "0123456789abcdef";

    for (int shift = 28; shift >= 0; shift -= 4)
        UART0_DR = (uint32_t)digits[telegram->crc >> shift & 15];
    UART0_DR = '\n';
    telegrams_sent++;
}

/* Lay out a stack as if the task had just been interrupted. */
static void task_init(struct task *task, void (*entry)(void))
{
    uint32_t *sp = task->stack + sizeof task->stack / sizeof task->stack[0];

    *--sp = 0x01000000; /* xPSR: Thumb state */
    *--sp = (uint32_t)entry;
    sp -= 6 + 8; /* lr, r12, r3 to r0; r11 to r4 */
    task->sp = sp;
}

void SysTick_Handler(void)
{
    sample_interrupt();
    ICSR = ICSR_PENDSVSET;
}

void schedule(void)
{
    current_task = current_task == &tasks[0] ? &tasks[1] : &tasks[0];
}

/* Save the registers that the hardware has not, and take those of the other
 * task. */
__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile("mrs   r0, psp\n"
                     "stmdb r0!, {r4-r11}\n"
                     "ldr   r4, =current_task\n"
                     "ldr   r1, [r4]\n"
                     "str   r0, [r1]\n"
                     "push  {r4, lr}\n"
                     "bl    schedule\n"
                     "pop   {r4, lr}\n"
                     "ldr   r1, [r4]\n"
                     "ldr   r0, [r1]\n"
                     "ldmia r0!, {r4-r11}\n"
                     "msr   psp, r0\n"
                     "bx    lr\n"
                     ".ltorg\n");
}

/* `frame` is what the hardware has pushed; the number of the call stands in
 * the SVC instruction. */
void svc_call(const uint32_t *frame)
{
    switch (((const uint8_t *)frame[6])[-2]) {
    case SVC_YIELD:
        ICSR = ICSR_PENDSVSET;
        break;
    default:
        break;
    }
}

/* The first one comes from main: leave it behind and go into a task. */
__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile("tst   lr, #4\n"
                     "beq   1f\n"
                     "mrs   r0, psp\n"
                     "b     svc_call\n"
                     "1: ldr r1, =current_task\n"
                     "ldr   r1, [r1]\n"
                     "ldr   r0, [r1]\n"
                     "ldmia r0!, {r4-r11}\n"
                     "msr   psp, r0\n"
                     "mvn   lr, #2\n" /* Thread mode with the process stack */
                     "bx    lr\n"
                     ".ltorg\n");
}

int main(void)
{
    task_init(&tasks[0], clean_task);
    task_init(&tasks[1], report_task);
    SHPR3 = 0x00ff0000; /* PendSV: the lowest priority */
    SYST_RVR = TICK - 1;
    SYST_CVR = 0;
    SYST_CSR = 7;
    __asm__ volatile("svc %0" : : "i"(SVC_START) : "memory");
    return 0;
}

/* Ask the debugger or the simulator to stop (semihosting, SYS_EXIT). */
__attribute__((noinline)) void finish(void)
{
    register uint32_t r0 __asm__("r0") = 0x18;
    register uint32_t r1 __asm__("r1") = 0x20026;

    __asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
    for (;;) {
    }
}

void Reset_Handler(void)
{
    extern uint32_t data_load, data_begin, data_end, bss_begin, bss_end;
    const uint32_t *from = &data_load;

    for (uint32_t *to = &data_begin; to < &data_end;)
        *to++ = *from++;
    for (uint32_t *to = &bss_begin; to < &bss_end;)
        *to++ = 0;
    main();
    finish();
}

extern uint32_t stack_top;

__attribute__((section(".vectors"),
               used)) static const void *const vectors[] = {
    [0] = &stack_top,       [1] = Reset_Handler, [2] = finish,
    [3] = finish,           [4] = finish,        [5] = finish,
    [6] = finish,           [11] = SVC_Handler,  [14] = PendSV_Handler,
    [15] = SysTick_Handler,
};
