/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt of tasks_a.c: the state is kept on the stack of the task. */
    .syntax unified
    .arm
    .text
    .global irq_handler
    .type irq_handler, %function
irq_handler:
    sub lr, lr, #4
    srsdb sp!, #0x1f
    cps #0x1f
    push {r0-r12, lr}
    mov r0, sp
    bl next_task
    mov sp, r0
    ldr r1, =current
    ldr r1, [r1]
    add r1, r1, #0x10
    mcr p15, 0, r1, c13, c0, 1 @ CONTEXTIDR
    isb
    pop {r0-r12, lr}
    rfeia sp!
    .ltorg
    .size irq_handler, . - irq_handler
