/* SPDX-License-Identifier: Apache-2.0 */
#include "session/pack.h"

#include <string.h>

#define WHOLE (sizeof(struct etm_element) / sizeof(struct etm_packed))
#define NO_CYCLES 0xffffu

static bool pack_cycles(uint64_t cycles, struct etm_packed *p)
{
    p->cycles = cycles == ETM_CYCLES_UNKNOWN ? NO_CYCLES : (uint16_t)cycles;
    return cycles == ETM_CYCLES_UNKNOWN || cycles < NO_CYCLES;
}

static uint8_t pack_state(unsigned isa, unsigned type, unsigned exec)
{
    return (uint8_t)(isa | type << 3 | exec << 5);
}

static bool pack_range(const struct etm_element *e, struct etm_packed *p)
{
    uint32_t size = e->u.range.end - e->u.range.start;
    uint32_t last = e->u.range.end - e->u.range.last_address;

    p->address = e->u.range.start;
    p->more = size | e->u.range.n << 16 | last << 24;
    p->state =
        pack_state(e->u.range.isa, e->u.range.last_type, e->u.range.last_exec);
    p->flags = e->u.range.last_flags;
    return pack_cycles(e->u.range.cycles, p) && size < 0x10000 &&
           e->u.range.n < 0x100 && last < 0x100;
}

static bool pack_insn(const struct etm_element *e, struct etm_packed *p)
{
    p->address = e->u.insn.address;
    p->more = e->u.insn.opcode;
    p->state = pack_state(e->u.insn.isa, e->u.insn.type, e->u.insn.exec);
    p->flags = e->u.insn.flags;
    p->size = e->u.insn.size;
    return pack_cycles(e->u.insn.cycles, p);
}

int etm_pack(struct etm_vec *packed, const struct etm_element *elements,
             size_t n, uint64_t *offset)
{
    uint64_t before = *offset;
    struct etm_packed *to;

    if (etm_vec_reserve(packed, n * (WHOLE + 1)) != ETM_OK)
        return ETM_ERR_MEMORY;
    to = (struct etm_packed *)packed->data + packed->n;
    for (const struct etm_element *e = elements; e < elements + n; e++) {
        uint64_t behind = e->offset - before;
        struct etm_packed p = {
            .kind = e->kind, .source = e->source, .behind = (uint8_t)behind};
        bool small = false;

        if (e->kind == ETM_ELEMENT_RANGE)
            small = pack_range(e, &p);
        else if (e->kind == ETM_ELEMENT_INSN)
            small = pack_insn(e, &p);
        before = e->offset;
        if (small && behind < 0x100) {
            *to++ = p;
            continue;
        }
        *to++ = (struct etm_packed){.kind = 0};
        memcpy(to, e, sizeof *e);
        to += WHOLE;
    }
    packed->n = (size_t)(to - (struct etm_packed *)packed->data);
    *offset = before;
    return ETM_OK;
}

static void unpack(const struct etm_packed *p, struct etm_element *e)
{
    uint64_t cycles = p->cycles == NO_CYCLES ? ETM_CYCLES_UNKNOWN : p->cycles;
    uint8_t isa = p->state & 7, type = p->state >> 3 & 3, exec = p->state >> 5;

    e->kind = p->kind;
    e->source = p->source;
    if (p->kind == ETM_ELEMENT_RANGE) {
        e->u.range.isa = isa;
        e->u.range.last_type = type;
        e->u.range.last_exec = exec;
        e->u.range.last_flags = p->flags;
        e->u.range.start = p->address;
        e->u.range.end = p->address + (p->more & 0xffff);
        e->u.range.n = p->more >> 16 & 0xff;
        e->u.range.last_address = e->u.range.end - (p->more >> 24);
        e->u.range.cycles = cycles;
    } else {
        e->u.insn.isa = isa;
        e->u.insn.type = type;
        e->u.insn.exec = exec;
        e->u.insn.flags = p->flags;
        e->u.insn.size = p->size;
        e->u.insn.address = p->address;
        e->u.insn.opcode = p->more;
        e->u.insn.cycles = cycles;
    }
}

size_t etm_unpack(const struct etm_packed *packed, size_t *at, size_t end,
                  uint64_t *offset, struct etm_element *elements, size_t n)
{
    static const struct etm_element zero;
    const struct etm_packed *p = packed + *at, *to = packed + end;
    struct etm_element *e = elements;

    for (; p < to && e < elements + n; p++, e++) {
        if (p->kind == 0) {
            memcpy(e, p + 1, sizeof *e);
            p += WHOLE;
        } else {
            *e = zero;
            e->offset = *offset + p->behind;
            unpack(p, e);
        }
        *offset = e->offset;
    }
    *at = (size_t)(p - packed);
    return (size_t)(e - elements);
}
