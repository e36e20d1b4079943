/* SPDX-License-Identifier: Apache-2.0 */
/* M profile: the vector table, then main(). */
#include "program.h"

void _start(void);

void _start(void)
{
    leave((uint32_t)main());
}

static void hang(void)
{
    leave(99);
}

#define WEAK __attribute__((weak, alias("hang")))
void NMI_Handler(void) WEAK;
void HardFault_Handler(void) WEAK;
void UsageFault_Handler(void) WEAK;
void BusFault_Handler(void) WEAK;
void SVC_Handler(void) WEAK;
void PendSV_Handler(void) WEAK;
void SysTick_Handler(void) WEAK;
void IRQ0_Handler(void) WEAK;
void IRQ1_Handler(void) WEAK;
void IRQ2_Handler(void) WEAK;

__attribute__((section(".vectors"),
               used)) static const void *const vectors[] = {(void *)0x40000,
                                                            _start,
                                                            NMI_Handler,
                                                            HardFault_Handler,
                                                            hang,
                                                            BusFault_Handler,
                                                            UsageFault_Handler,
                                                            hang,
                                                            hang,
                                                            hang,
                                                            hang,
                                                            SVC_Handler,
                                                            hang,
                                                            hang,
                                                            PendSV_Handler,
                                                            SysTick_Handler,
                                                            IRQ0_Handler,
                                                            IRQ1_Handler,
                                                            IRQ2_Handler};
