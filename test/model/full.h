/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell with the most of every resource, and how it is programmed at
 * first; for tests and scenarios alike. */
#ifndef TEST_MODEL_FULL_H
#define TEST_MODEL_FULL_H

#include "model/registers.h"

#include <etm/macrocell.h>

/* 3.5.2, 3.5.19 */
#define CCR_FULL_PFT                                                           \
    (8u | 4u << 13 | 1u << 16 | 4u << 17 | 4u << 20 | 3u << 24 | 1u << 26)
#define CCR_FULL (CCR_FULL_PFT | 8u << 4 | 16u << 8 | 1u << 23)
#define CCER_READABLE (1u << 11)
#define CCER_FULL                                                              \
    (4u | 255u << 3 | CCER_READABLE | 4u << 13 | 8u << 16 | 1u << 20 |         \
     1u << 21 | 1u << 22)

static inline void cell_full(struct etm_macrocell_config *config,
                             const struct etm_config *trace)
{
    *config = (struct etm_macrocell_config){.size = sizeof *config,
                                            .config = trace,
                                            .ccer = CCER_FULL,
                                            .scr = 0x7104,
                                            .fifo_size = 255};
    config->ccr = trace->protocol == ETM_PROTOCOL_PFT ? CCR_FULL_PFT : CCR_FULL;
}

/* Writes to registers: all events but TraceEnable's off, all regions empty. */
static inline void cell_clear(const struct etm_config *trace,
                              void (*poke)(void *context, uint32_t number,
                                           uint32_t value),
                              void *context)
{
    bool pft = trace->protocol == ETM_PROTOCOL_PFT;

    poke(context, ETM_REG_TRIGGER, 0x406f);
    poke(context, ETM_REG_TSSCR, 0);
    poke(context, ETM_REG_TEEVR, 0x6f);
    poke(context, ETM_REG_TECR1, 0x01000000);
    for (uint32_t n = 0; n < 4; n++) {
        poke(context, ETM_REG_CNTRLDVR1 + n, 0);
        poke(context, ETM_REG_CNTENR1 + n, 0x406f);
        poke(context, ETM_REG_CNTRLDEVR1 + n, 0x406f);
        poke(context, ETM_REG_EXTOUTEVR1 + n, 0x406f);
    }
    for (uint32_t n = 0; n < 6; n++)
        poke(context, ETM_REG_SQ12EVR + n, 0x406f);
    if (pft || (trace->protocol == ETM_PROTOCOL_ETMV3 && trace->minor >= 5))
        poke(context, ETM_REG_TSEVR, 0x406f);
    if (pft)
        return;
    poke(context, ETM_REG_TECR2, 0);
    poke(context, ETM_REG_FFRR, 0x01000000);
    poke(context, ETM_REG_VDEVR, 0x6f);
    poke(context, ETM_REG_VDCR1, 0);
    poke(context, ETM_REG_VDCR2, 0);
    poke(context, ETM_REG_VDCR3, 0x00010000);
}

/* ETMCR of a configuration, 1:1, with its port or one of 32 bits. */
static inline uint32_t cell_control(const struct etm_config *t)
{
    static const uint8_t ids[5] = {0, 1, 2, 0, 3};
    uint32_t cr = (uint32_t)ids[t->context_id_bytes] << 14;

    cr |= t->cycle_accurate ? (uint32_t)ETM_CR_CYCLE_ACCURATE : 0;
    cr |= t->branch_broadcast ? (uint32_t)ETM_CR_BRANCH_OUTPUT : 0;
    cr |= t->timestamps ? (uint32_t)ETM_CR_TIMESTAMP : 0;
    cr |= t->vmid ? (uint32_t)ETM_CR_VMID : 0;
    cr |= t->return_stack ? (uint32_t)ETM_CR_RETURN_STACK : 0;
    if (t->protocol == ETM_PROTOCOL_PFT)
        return cr;
    cr |= t->data_value ? (uint32_t)ETM_CR_DATA_VALUE : 0;
    cr |= t->data_address ? (uint32_t)ETM_CR_DATA_ADDRESS : 0;
    cr |= t->cprt ? (uint32_t)ETM_CR_CPRT : 0;
    cr |= t->cprt_filter ? (uint32_t)ETM_CR_CPRT_FILTER : 0;
    cr |= t->data_only ? (uint32_t)ETM_CR_DATA_ONLY : 0;
    cr |= (t->port_width != 0 ? t->port_width / 8u : 4u) << 4;
    return cr | (uint32_t)ETM_CR_PORT_ENABLE;
}

/* The bytes of an instruction in memory. */
static inline void cell_code(const struct etm_event *e, uint8_t code[4])
{
    uint32_t op = e->u.insn.opcode;

    if (e->u.insn.isa != ETM_ISA_ARM && e->u.insn.size == 4)
        op = op << 16 | op >> 16;
    for (unsigned k = 0; k < 4; k++)
        code[k] = (uint8_t)(op >> 8 * k);
}

#endif
