/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the fast path of ETMv3 with data trace is, and what it gives.
 *
 * Elements have fields of one byte, and what is written through such a field
 * might be any object whose address is known elsewhere. So what changes with
 * each packet is in a struct path, whose address is given to no function that
 * is not inline, and goes back into the flow before one that looks at it.
 */
#ifndef ETM_FLOW_ETMV3_DATA_PATH_H
#define ETM_FLOW_ETMV3_DATA_PATH_H

#include "flow/etmv3_data.h"

/* The members without a comment are those of the flow. */
struct path {
    struct etm_etmv3_flow *flow;
    const uint8_t *p; /* the packet */
    uint64_t offset;  /* of a packet at NULL: see here() */
    bool calm;        /* etm_etmv3_data_calm() */
    bool each;        /* instructions that are elements have their own cycles */
    bool addresses, values;

    struct etm_element *elements; /* out->data */
    size_t n, capacity, held;     /* of out */
    uint64_t base;
    uint64_t floor; /* less base */
    uint64_t unmade;

    struct etm_block *block;
    unsigned index;
    uint64_t cycles;

    bool walked; /* `last_cycles` and those of `last_block` are of at */
    bool has_open;
    uint8_t open_exec, before_exec;
    uint32_t open_start, open_n;
    uint32_t last_index, before_index;
    const struct etm_block *last_block, *before_block;
    uint64_t open_cycles, open_offset;

    uint32_t last;
    uint64_t last_cycles;

    unsigned left;      /* transfers to come, if they are not odd */
    uint32_t registers; /* of the list, for these */
    uint32_t data_address;
};

/* There is nothing that would have to be looked at with each packet; only
 * functions of the flow can change that. */
bool etm_etmv3_data_calm(const struct etm_etmv3_flow *flow);

/* The last `n` instructions of a P-header, whose block must be looked up, or
 * before which a context comes. `each`: every one of them has its own
 * cycles. */
void etm_etmv3_data_rest(struct etm_etmv3_flow *flow,
                         struct etm_etmv3_header header, uint8_t byte,
                         unsigned n, bool each, uint64_t offset);

/* A packet that is left to the flow; its size, or 0 if it cannot take it. */
size_t etm_etmv3_data_leave(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_decoder *d, const uint8_t *p,
                            size_t n);

/* The loops: packets until there is enough, or no more of the fast path.
 * Returns the number of their bytes. */
size_t etm_etmv3_data_ranges(struct etm_etmv3_flow *flow,
                             struct etm_etmv3_decoder *d, const uint8_t *bytes,
                             size_t n);
size_t etm_etmv3_data_insns(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_decoder *d, const uint8_t *bytes,
                            size_t n);
size_t etm_etmv3_data_counts(struct etm_etmv3_flow *flow,
                             struct etm_etmv3_decoder *d, const uint8_t *bytes,
                             size_t n);

#ifdef ETM_ETMV3_DATA_LOOP

/* The offset of the packet. */
static inline uint64_t here(const struct path *w)
{
    return w->offset + (uintptr_t)w->p;
}

/* The transfers to come of the owner. */
static inline void load_owner(struct path *w)
{
    const struct etm_data_owner *owner = &w->flow->data.owner;

    w->left =
        etm_data_is_odd(&w->flow->data) ? 0 : owner->transfers.count - owner->n;
    w->registers = owner->transfers.registers;
    for (unsigned i = 0; i < owner->n && w->registers != 0; i++)
        w->registers &= w->registers - 1;
}

static inline void load_elements(struct path *w)
{
    const struct etm_vec *out = w->flow->follow.out;

    w->elements = out->data;
    w->n = out->n;
    w->capacity = out->capacity;
}

/* What the flow is now. */
static inline void load(struct path *w)
{
    const struct etm_etmv3_flow *flow = w->flow;
    const struct etm_follow *f = &flow->follow;

    load_elements(w);
    load_owner(w);
    w->held = f->held;
    w->floor = f->floor - f->base;
    w->unmade = f->unmade;
    w->block = f->block;
    w->index = flow->at.index;
    w->cycles = f->cycles;
    w->walked = false;
    w->has_open = f->has_open;
    w->open_exec = f->open_exec;
    w->before_exec = f->before_exec;
    w->open_start = f->open_start;
    w->open_n = f->open_n;
    w->last_index = f->last_index;
    w->before_index = f->before_index;
    w->last_block = f->last_block;
    w->before_block = f->before_block;
    w->open_cycles = f->open_cycles;
    w->open_offset = f->open_offset;
    w->last = flow->at.last;
    w->last_cycles = flow->at.last_cycles;
    w->data_address = flow->base.data_address;
}

/* Make the flow what its plain path would have left. */
static inline void store(const struct path *w)
{
    struct etm_etmv3_flow *flow = w->flow;
    struct etm_follow *f = &flow->follow;

    f->out->n = w->n;
    f->held = w->held;
    f->floor = w->floor + w->base;
    f->unmade = w->unmade;
    f->block = w->block;
    if (w->block != NULL)
        f->address = w->block->address;
    flow->at.index = w->index;
    f->cycles = w->cycles;
    if (w->walked) {
        flow->at.last_block = w->last_block;
        flow->at.last_index = w->last_index;
        flow->at.last_cycles = w->last_cycles;
    }
    if (!ETM_ETMV3_DATA_INSNS) {
        f->has_open = w->has_open;
        f->open_exec = w->open_exec;
        f->open_start = w->open_start;
        f->open_n = w->open_n;
        f->open_cycles = w->open_cycles;
        f->last_index = w->last_index;
        f->last_block = w->last_block;
        f->before_exec = w->before_exec;
        f->before_index = w->before_index;
        f->before_block = w->before_block;
        f->open_offset = w->open_offset;
    }
    flow->at.last = w->last;
    flow->base.data_address = w->data_address;
}

/* etm_follow_add() */
static inline struct etm_element *
add(struct path *w, enum etm_element_kind kind, uint64_t offset)
{
    static const struct etm_element zero;
    struct etm_follow *f = &w->flow->follow;
    struct etm_element *e = &w->elements[w->n];

    if (w->n == w->capacity) {
        f->out->n = w->n;
        e = etm_follow_grow(f);
        w->calm = w->calm && f->status == ETM_OK;
        load_elements(w);
    } else {
        w->n++;
    }
    *e = zero;
    e->kind = (uint8_t)kind;
    e->source = f->source;
    e->offset = offset;
    return e;
}

/* etm_follow_commit() */
static inline void hold(struct path *w)
{
    w->unmade = 0;
    w->held = w->n;
    if (w->floor < w->n) {
        w->flow->follow.mark = w->base + w->n;
        w->held = (size_t)w->floor;
    }
}

/* etm_data_commit() */
static inline void commit(struct path *w)
{
    struct etm_follow *f = &w->flow->follow;

    if (w->floor < w->n &&
        here(w) - w->elements[w->floor].offset > ETM_DATA_HELD_BYTES) {
        store(w);
        etm_data_close(&w->flow->data, f, true);
        load(w);
    }
    hold(w);
}

/* Give the range that is open, or count it; `last` is what it ends with. */
static inline void close_range(struct path *w, struct etm_block_last last)
{
    struct etm_follow *f = &w->flow->follow;
    struct etm_element *e;

    w->has_open = false;
    if (ETM_ETMV3_DATA_COUNTS) { /* etm_follow_owe() */
        etm_follow_pay(f);
        f->owed.block = w->last_block;
        f->owed.index = w->last_index;
        f->owed.start = w->open_start;
        f->owed.n = w->open_n;
        f->owed.exec = w->open_exec;
        f->owed.cycles = w->open_cycles;
        w->unmade++;
        return;
    }
    e = add(w, ETM_ELEMENT_RANGE, w->open_offset);
    e->u.range.isa = w->last_block->isa;
    e->u.range.last_type = last.type;
    e->u.range.last_exec = w->open_exec;
    e->u.range.last_flags = last.flags;
    e->u.range.start = w->open_start;
    e->u.range.end = last.end;
    e->u.range.n = w->open_n;
    e->u.range.last_address = last.address;
    e->u.range.cycles = f->cycle_accurate ? w->open_cycles : ETM_CYCLES_UNKNOWN;
}

#endif

#endif
