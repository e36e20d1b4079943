/* SPDX-License-Identifier: Apache-2.0 */
/* What packets of PFT and ETMv3 say alike: synchronization, timestamps,
 * contexts, bits of addresses, exceptions. */
#include "plain.h"

/*
 * Low-order bits replace those of the last timestamp as it was on the wire,
 * seven in each byte but the last possible one, which has all the rest. Only
 * then a Gray code becomes a number (PFT architecture, 4.5 and 4.12).
 */
static void timestamp(struct plain *p)
{
    const struct etm_config *c = p->config;
    bool old = c->protocol == ETM_PROTOCOL_PFT && c->minor == 0;
    unsigned width = c->timestamp_64bit && !old ? 64 : 48;
    unsigned bits = 7u * p->p->value_bytes;
    uint64_t mask = UINT64_MAX, time;

    if (bits > width || (width == 64 && p->p->value_bytes == 9))
        bits = width;
    if (bits < 64)
        mask = (UINT64_C(1) << bits) - 1;
    p->said.timestamp = (p->said.timestamp & ~mask) | (p->p->value & mask);
    if (p->said.timestamp_bits < bits)
        p->said.timestamp_bits = bits;
    if (p->said.timestamp_bits < width)
        return; /* E-08 */
    time = p->said.timestamp;
    if (!c->timestamp_binary || old) /* bit n: all bits from n up, xored */
        for (unsigned n = 63; n-- > 0;)
            time ^= (time >> 1) & (UINT64_C(1) << n);
    plain_give_lost(p);
    plain_add(p, ETM_ELEMENT_TIMESTAMP)->u.timestamp.value = time;
}

/* What can be used between an A-sync and the first I-sync, or is no use at all:
 * E-09. */
bool plain_common(struct plain *p)
{
    struct etm_element *e;

    switch ((enum etm_packet_kind)p->p->kind) {
    case ETM_PACKET_TIMESTAMP:
        timestamp(p);
        return true;
    case ETM_PACKET_CONTEXT_ID:
        plain_context_id(p);
        return true;
    case ETM_PACKET_VMID:
        plain_vmid(p);
        return true;
    case ETM_PACKET_TRIGGER:
        plain_give_lost(p);
        e = plain_add(p, ETM_ELEMENT_TRIGGER);
        if (p->config->minor >= 1) /* 7.3.3; in a gap: E-361 */
            plain_time(p, e);
        return true;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        plain_leave(p);
        if (p->p->kind == ETM_PACKET_UNSYNCHRONIZED)
            plain_lose(p, ETM_LOST_UNSYNCHRONIZED, p->p->size);
        else if (p->p->fields & ETM_FIELD_TRUNCATED)
            plain_lose(p, ETM_LOST_TRUNCATED, p->p->size);
        else
            plain_lose(p, ETM_LOST_BAD_PACKET, p->p->size);
        p->known = p->synced = p->mismatch = false;
        p->said.timestamp_bits = 0; /* E-08 */
        plain_forget_vmid(p);       /* E-327 */
        return false;               /* the protocol has more to forget */
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_IGNORE:
        return true;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        return false;
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_ATOM:
    case ETM_PACKET_BRANCH_ADDRESS:
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_CYCLE_COUNT:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
    if (!p->synced)
        plain_lose(p, ETM_LOST_UNSYNCHRONIZED, p->p->size);
    return !p->synced;
}

/* ETM architecture 7.3.5: fewer than five bytes mean the instruction set of the
 * last packet that had an address, wherever the program is by now. */
void plain_say_address(struct plain *p, uint32_t bits, unsigned n,
                       enum etm_isa isa)
{
    unsigned shift;
    uint64_t mask;

    if (isa != ETM_ISA_UNKNOWN)
        p->said.isa = isa;
    if (p->said.isa == ETM_ISA_THUMB || p->said.isa == ETM_ISA_THUMBEE)
        p->said.isa = p->said.alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    shift = p->said.isa == ETM_ISA_ARM       ? 2
            : p->said.isa == ETM_ISA_JAZELLE ? 0
                                             : 1;
    mask = n == 0 ? 0 : (UINT64_C(1) << (n + shift)) - 1;
    p->said.address = (uint32_t)((p->said.address & ~mask) |
                                 ((uint64_t)bits << shift & mask));
}

/* ETM architecture, table 7-12; v3.3 has generic, v3.5 and PFT v1.1 Hyp. */
static enum etm_exception_type classic(const struct etm_config *c,
                                       unsigned number)
{
    bool pft = c->protocol == ETM_PROTOCOL_PFT;

    switch (number) {
    case 0x1:
        return ETM_EXCEPTION_DEBUG_HALT;
    case 0x2:
        return ETM_EXCEPTION_SMC;
    case 0x3:
        return c->minor >= (pft ? 1 : 5) ? ETM_EXCEPTION_HYP_ENTRY
                                         : ETM_EXCEPTION_RESERVED;
    case 0x4:
        return ETM_EXCEPTION_ASYNC_DATA_ABORT;
    case 0x5:
        return ETM_EXCEPTION_JAZELLE_THUMBEE;
    case 0x8:
        return ETM_EXCEPTION_RESET;
    case 0x9:
        return ETM_EXCEPTION_UNDEFINED;
    case 0xa:
        return ETM_EXCEPTION_SVC;
    case 0xb:
        return ETM_EXCEPTION_PREFETCH_ABORT;
    case 0xc:
        return ETM_EXCEPTION_DATA_ABORT;
    case 0xd:
        return pft || c->minor >= 3 ? ETM_EXCEPTION_GENERIC
                                    : ETM_EXCEPTION_RESERVED;
    case 0xe:
        return ETM_EXCEPTION_IRQ;
    case 0xf:
        return ETM_EXCEPTION_FIQ;
    }
    return ETM_EXCEPTION_RESERVED;
}

/* ETM architecture, table 7-17. */
static enum etm_exception_type m_profile(unsigned number, uint16_t *irq)
{
    switch (number) {
    case 0x9:
        return ETM_EXCEPTION_USAGE_FAULT;
    case 0xa:
        return ETM_EXCEPTION_NMI;
    case 0xb:
        return ETM_EXCEPTION_SVC;
    case 0xc:
        return ETM_EXCEPTION_DEBUG_MONITOR;
    case 0xd:
        return ETM_EXCEPTION_MEM_MANAGE;
    case 0xe:
        return ETM_EXCEPTION_PEND_SV;
    case 0xf:
        return ETM_EXCEPTION_SYS_TICK;
    case 0x11:
        return ETM_EXCEPTION_RESET;
    case 0x13:
        return ETM_EXCEPTION_HARD_FAULT;
    case 0x15:
        return ETM_EXCEPTION_BUS_FAULT;
    }
    if (number == 0 || (number >= 0x10 && number < 0x18))
        return ETM_EXCEPTION_RESERVED;
    *irq = (uint16_t)(number < 8 ? number : number == 8 ? 0 : number - 16);
    return ETM_EXCEPTION_IRQ_N;
}

/* EEE of the deprecated form (table 7-9); E-26. */
static enum etm_exception_type deprecated(unsigned eee, uint32_t address)
{
    switch (eee) {
    case 1:
        return ETM_EXCEPTION_IRQ;
    case 4:
        return ETM_EXCEPTION_JAZELLE_THUMBEE;
    case 5:
        return ETM_EXCEPTION_FIQ;
    case 6:
        return ETM_EXCEPTION_ASYNC_DATA_ABORT;
    case 7:
        return ETM_EXCEPTION_DEBUG_HALT;
    case 0:
        switch (address & 0x1c) {
        case 0x00:
            return ETM_EXCEPTION_RESET;
        case 0x04:
            return ETM_EXCEPTION_UNDEFINED;
        case 0x08:
            return ETM_EXCEPTION_SVC;
        case 0x0c:
            return ETM_EXCEPTION_PREFETCH_ABORT;
        case 0x10:
            return ETM_EXCEPTION_DATA_ABORT;
        }
    }
    return ETM_EXCEPTION_RESERVED;
}

enum etm_exception_type plain_exception(const struct plain *p, uint16_t *irq)
{
    *irq = 0;
    if (p->p->fields & ETM_FIELD_DEPRECATED)
        return deprecated(p->p->exception, p->said.address);
    if (p->config->profile == ETM_PROFILE_M)
        return m_profile(p->p->exception, irq);
    return classic(p->config, p->p->exception);
}

enum etm_exception_type plain_vector(unsigned number)
{
    static const uint8_t types[8] = {
        ETM_EXCEPTION_RESET,      ETM_EXCEPTION_UNDEFINED,
        ETM_EXCEPTION_SVC,        ETM_EXCEPTION_PREFETCH_ABORT,
        ETM_EXCEPTION_DATA_ABORT, ETM_EXCEPTION_RESERVED,
        ETM_EXCEPTION_IRQ,        ETM_EXCEPTION_FIQ};

    return (enum etm_exception_type)types[number & 7];
}
