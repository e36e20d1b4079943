/* SPDX-License-Identifier: Apache-2.0 */
/* The handlers of nested.c, and what it cannot say in C. */
    .syntax unified
    .arm
    .text

    .macro count n
    ldr r0, =counts
    ldr r1, [r0, #4 * \n]
    add r1, r1, #1
    str r1, [r0, #4 * \n]
    .endm

    .global undefined_handler, svc_handler, prefetch_handler, data_handler
    .global irq_handler, fiq_handler, counts
undefined_handler: @ go on after it
    push {r0, r1}
    count 0
    pop {r0, r1}
    movs pc, lr

svc_handler: @ SVC 1: r0 + 1, with interrupts; SVC 2: to System mode
    push {r1, r2, r3, r12, lr}
    mrs r2, spsr
    push {r2}
    tst r2, #0x20
    ldrheq r3, [lr, #-4]
    ldrhne r3, [lr, #-2]
    and r3, r3, #0xff
    ldr r1, =counts
    ldr r2, [r1, #4]
    add r2, r2, #1
    str r2, [r1, #4]
    cmp r3, #2
    beq 1f
    msr cpsr_c, #0x13 @ nest
    add r0, r0, #1
    nop
    nop
    msr cpsr_c, #0xd3
    pop {r2}
    msr spsr_cxsf, r2
    ldmfd sp!, {r1, r2, r3, r12, pc}^
1:  pop {r2}
    orr r2, r2, #0x1f
    msr spsr_cxsf, r2
    pop {r1, r2, r3, r12, lr}
    movs pc, lr

prefetch_handler: @ bad_jump has left where to go on
    push {r0, r1}
    count 2
    pop {r0, r1}
    mov lr, r4
    movs pc, lr

data_handler:
    push {r0, r1}
    count 3
    pop {r0, r1}
    subs pc, lr, #4

irq_handler:
    sub lr, lr, #4
    push {r0, r1, r2, lr}
    count 4
    mrs r2, spsr
    push {r2}
    msr cpsr_c, #0x92 @ FIQ may come
    mov r0, #3
2:  subs r0, r0, #1
    bne 2b
    pop {r2}
    msr spsr_cxsf, r2
    ldmfd sp!, {r0, r1, r2, pc}^

fiq_handler:
    push {r0, r1}
    count 5
    pop {r0, r1}
    subs pc, lr, #4
    .ltorg

    .global to_user, to_system, bad_instruction, bad_load, bad_jump, call
to_user: @ with interrupts from now on, on the same stack
    mov r0, sp
    mov r1, lr
    msr cpsr_c, #0x10
    mov sp, r0
    bx r1

to_system:
    mov r1, lr
    svc #2
    bx r1

bad_instruction:
    udf #7
    bx lr

bad_load:
    mov r0, #0x70000000
    ldmia r0, {r1, r2}
    bx lr

bad_jump:
    push {r4, lr}
    adr r4, 3f
    mov r0, #0x70000000
    bx r0
3:  pop {r4, lr}
    bx lr

    .thumb
    .thumb_func
call:
    svc #1
    bx lr

    .data
    .align 2
counts:
    .word 0, 0, 0, 0, 0, 0
