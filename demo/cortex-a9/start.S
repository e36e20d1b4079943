/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board with a Cortex-A9: vectors and the way into C. This file is Arm
 * code; most of the C code is Thumb.
 */
    .syntax unified
    .arm
    .cpu cortex-a9

#define MODE_IRQ 0x12
#define MODE_SVC 0x13
#define MODE_SYS 0x1f

    .section .vectors, "ax"
    .align 5
    .type vectors, %function
vectors:
    b       reset_handler
    b       fault           @ undefined instruction
    b       svc_handler
    b       fault           @ prefetch abort
    b       fault           @ data abort
    b       fault           @ reserved
    b       irq_handler
    b       fault           @ FIQ

    .text
    .type fault, %function
fault:
    b       finish_arm

    .global reset_handler
    .type reset_handler, %function
reset_handler:
    ldr     r0, =vectors
    mcr     p15, 0, r0, c12, c0, 0      @ VBAR
    cps     #MODE_IRQ
    ldr     sp, =irq_stack_top
    cps     #MODE_SVC
    ldr     sp, =svc_stack_top
    cps     #MODE_SYS
    ldr     sp, =stack_top
    ldr     r0, =bss_begin
    ldr     r1, =bss_end
    mov     r2, #0
1:  cmp     r0, r1
    strlo   r2, [r0], #4
    blo     1b
    blx     main
finish_arm:
    ldr     r0, =finish
    bx      r0

/* The number of the call stands in r7, its argument in r0. */
    .type svc_handler, %function
svc_handler:
    srsdb   sp!, #MODE_SVC
    push    {r1-r3, r12, lr}
    ldr     r12, =svc_table
    cmp     r7, #2
    ldrlo   r12, [r12, r7, lsl #2]
    blxlo   r12
    pop     {r1-r3, r12, lr}
    rfeia   sp!

    .type irq_handler, %function
irq_handler:
    sub     lr, lr, #4
    srsdb   sp!, #MODE_IRQ
    push    {r0-r3, r12, lr}
    blx     irq
    pop     {r0-r3, r12, lr}
    rfeia   sp!
