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
    pop {r0-r12, lr}
    rfeia sp!
    .size irq_handler, . - irq_handler
