/* SPDX-License-Identifier: Apache-2.0 */
/* A and R profiles: vectors at 0, a stack for each mode, then main(). */
    .syntax unified
    .arm
    .section .vectors, "ax"
    .global _start
_start:
    b reset
    ldr pc, =undefined_handler
    ldr pc, =svc_handler
    ldr pc, =prefetch_handler
    ldr pc, =data_handler
    b .
    ldr pc, =irq_handler
    ldr pc, =fiq_handler
    .ltorg
reset:
    msr cpsr_c, #0xd1
    ldr sp, =0x38000
    msr cpsr_c, #0xd2
    ldr sp, =0x3a000
    msr cpsr_c, #0xd7
    ldr sp, =0x3c000
    msr cpsr_c, #0xdb
    ldr sp, =0x3e000
    msr cpsr_c, #0xdf
    ldr sp, =0x3f000
    msr cpsr_c, #0xd3
    ldr sp, =0x40000
    ldr r0, =main
    mov lr, pc
    bx r0
    mov r1, r0
    ldr r0, =0x20026
    push {r0, r1}
    mov r1, sp
    mov r0, #0x20
    svc 0x123456
    b .
    .ltorg

    .weak undefined_handler, svc_handler, prefetch_handler
    .weak data_handler, irq_handler, fiq_handler
undefined_handler:
svc_handler:
prefetch_handler:
data_handler:
irq_handler:
fiq_handler:
    b .
