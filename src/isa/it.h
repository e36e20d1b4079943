/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The IT state: the ITSTATE of ARMv7 (A2.5.2), in bits [7:5] the base condition
 * and in bits [4:0] the mask. In an IT block the condition of an instruction is
 * state >> 4; 0 is outside.
 */
#ifndef ETM_ISA_IT_H
#define ETM_ISA_IT_H

#include <stdint.h>

/* The state behind a 16-bit Thumb instruction that is IT; 0: it is another one
 * (a mask of 0 is a hint). */
static inline uint8_t etm_it_begun(uint32_t opcode)
{
    return (opcode & 0xff00u) == 0xbf00u && (opcode & 0xfu) != 0
               ? (uint8_t)opcode
               : 0;
}

/* ITAdvance() (A2.5.2): the state behind an instruction, which begins another
 * state if it is IT. Start at 0, and give every instruction in order. */
static inline uint8_t etm_it_advance(uint8_t state, uint8_t begun)
{
    if (begun != 0)
        return begun;
    /* in the last instruction only the 1 that ends the mask is left */
    if ((state & 7u) == 0)
        return 0;
    return (uint8_t)((state & 0xe0u) | ((unsigned)state << 1 & 0x1fu));
}

/* The bits of the CPSR and xPSR that have the state: IT[1:0] is [26:25],
 * IT[7:2] is [15:10] (B1.3.3, B1.4.2). */
#define ETM_IT_PSR 0x0600fc00u

static inline uint32_t etm_it_to_psr(uint8_t state)
{
    return (uint32_t)(state & 3u) << 25 | (uint32_t)(state & 0xfcu) << 8;
}

static inline uint8_t etm_it_of_psr(uint32_t psr)
{
    return (uint8_t)((psr >> 25 & 3u) | (psr >> 8 & 0xfcu));
}

#endif
