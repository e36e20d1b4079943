/* SPDX-License-Identifier: Apache-2.0 */
/* Short ways to write executions. */
#ifndef TEST_MODEL_GEN_UTIL_H
#define TEST_MODEL_GEN_UTIL_H

#include "../support/test.h"

#include <etm/model.h>

static inline struct etm_place place(uint32_t address, enum etm_isa isa)
{
    return (struct etm_place){.address = address, .isa = (uint8_t)isa};
}

/* An instruction that goes on after itself. */
static inline struct etm_event insn(uint32_t address, enum etm_isa isa,
                                    uint32_t opcode, unsigned size)
{
    struct etm_event e = {.kind = ETM_EVENT_INSN};

    e.u.insn.address = address;
    e.u.insn.isa = (uint8_t)isa;
    e.u.insn.opcode = opcode;
    e.u.insn.size = (uint8_t)size;
    e.u.insn.passed = true;
    return e;
}

static inline struct etm_event arm(uint32_t address, uint32_t opcode)
{
    return insn(address, ETM_ISA_ARM, opcode, 4);
}

static inline struct etm_event thumb(uint32_t address, uint32_t opcode)
{
    return insn(address, ETM_ISA_THUMB, opcode, 2);
}

static inline struct etm_event to(struct etm_event e, struct etm_place next)
{
    e.u.insn.next = next;
    return e;
}

static inline struct etm_event after(uint64_t cycles, struct etm_event e)
{
    e.cycles = cycles;
    return e;
}

static inline struct etm_event start(struct etm_place at)
{
    struct etm_event e = {.kind = ETM_EVENT_TRACE_ON};

    e.u.trace_on.reason = ETM_TRACE_ON_START;
    e.u.trace_on.at = at;
    return e;
}

static inline struct etm_event exception(enum etm_exception_type type,
                                         bool cancels, struct etm_place next)
{
    struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};

    e.u.exception.type = (uint8_t)type;
    e.u.exception.cancels = cancels;
    e.u.exception.next = next;
    return e;
}

#endif
