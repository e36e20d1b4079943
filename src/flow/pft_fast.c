/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way from bytes to ranges: while nothing but atoms and branches
 * without an exception come, and steps that pft_flow.c has filled know the
 * way. Everything else stops it; pft_decode.c and pft_flow.c, which know all
 * the rules, take the next packet then.
 *
 * Whether an atom passed cannot be foretold, so nothing here jumps on it: a
 * mispredicted jump costs more than all the rest of a step.
 */
#include "flow/fast.h"
#include "flow/pft_flow.h"

/* What is in registers on the way. */
struct walk {
    const struct etm_step *steps;
    const uint64_t *links;
    uint32_t at;           /* number of the step at the position */
    uint32_t top, depth;   /* of the return stack */
    uint64_t cycles;       /* since the last range */
    uint64_t moved;        /* offset of the packet that led to `at` */
    unsigned isa;          /* of the last range */
    struct etm_element *e; /* the next element */
    uint8_t head[ETM_FAST_HEAD_SIZE];
};

/* The range of a step. */
static inline void give(struct walk *w, const struct etm_step *s,
                        unsigned passed, uint64_t offset, bool counts)
{
    etm_fast_give(w->e++, w->head, s, passed, offset,
                  counts ? w->cycles : ETM_CYCLES_UNKNOWN);
    w->cycles = 0;
}

/* The instruction set has changed: what stands before the next range. */
static void give_context(struct etm_follow *f, struct etm_element *e,
                         unsigned isa, uint64_t offset)
{
    const struct etm_follow_context *now = &f->now;

    f->isa = f->now.isa = (uint8_t)isa;
    f->given = f->now;
    memset(e, 0, sizeof *e);
    e->offset = offset;
    e->kind = ETM_ELEMENT_CONTEXT;
    e->source = f->source;
    e->u.context.isa = now->isa;
    e->u.context.secure = now->secure;
    e->u.context.hyp = now->hyp;
    e->u.context.context_id_known = now->context_id_known;
    e->u.context.context_id = now->context_id;
    e->u.context.vmid_known = now->vmid_known;
    e->u.context.vmid = now->vmid;
}

static inline void see_isa(struct etm_follow *f, struct walk *w,
                           const struct etm_step *s)
{
    if (s->isa == w->isa)
        return;
    w->isa = s->isa;
    give_context(f, w->e++, s->isa, w->moved);
}

/* A branch with link pushes its return address. */
static inline void push(struct walk *w, struct etm_retstack *stack,
                        const struct etm_step *s, unsigned more)
{

    stack->entry[w->top % ETM_RETSTACK_SIZE] =
        etm_retstack_entry(s->end, s->isa, s->behind);
    w->top += more;
    w->depth += more;
    if (w->depth > ETM_RETSTACK_MAX)
        w->depth = ETM_RETSTACK_MAX;
}

/* One atom: false where the steps do not know the way. */
static inline bool atom(struct etm_pft_flow *flow, struct walk *w,
                        unsigned failed, uint64_t offset, bool counts,
                        bool returns)
{
    struct etm_retstack *stack = &flow->stack;
    const struct etm_step *s = &w->steps[w->at];
    uint64_t links = w->links[w->at];
    uint32_t kind = etm_link_facts(links), next = etm_link_step(links, failed);
    unsigned passed = failed ^ 1u;

    if (returns) {
        unsigned pop = passed & kind / ETM_STEP_INDIRECT;
        uint32_t popped =
            (uint32_t)stack->entry[(w->top - 1) % ETM_RETSTACK_SIZE] &
            ETM_RETSTACK_STEP;

        popped = w->depth != 0 ? popped : 0;
        next = pop ? popped : next;
        if (next == 0)
            return false;
        w->top -= pop;
        w->depth -= pop;
        push(w, stack, s, passed & kind & ETM_STEP_LINK);
    } else if (next == 0 || (passed & kind / ETM_STEP_INDIRECT)) {
        return false;
    }
    see_isa(&flow->follow, w, s);
    give(w, s, passed, offset, counts);
    w->at = next;
    w->moved = offset;
    return true;
}

/* Cycle count (4.4); as parse_count() of pft_decode.c. */
static inline unsigned count(const uint8_t *p, uint64_t *cycles)
{
    uint32_t value = p[0] >> 2 & 0x0f;
    unsigned n = 1;

    if ((p[0] & 0x40) != 0) {
        unsigned shift = 4;

        do {
            value |= (uint32_t)(p[n] & 0x7f) << shift;
            shift += 7;
        } while ((p[n++] & 0x80) != 0 && n < 5);
    }
    *cycles += value;
    return n;
}

/* The step at `address`; 0 when memory is short. May move the steps. */
static uint32_t find(struct etm_follow *f, struct walk *w, uint32_t address,
                     unsigned isa)
{
    uint32_t step = etm_blocks_number(&f->blocks, address, (enum etm_isa)isa);

    w->steps = f->blocks.steps.data;
    w->links = f->blocks.links.data;
    return step;
}

/*
 * Address bytes without exception information; as parse_address() of
 * pft_decode.c and what broadcast.c does with it. Returns their number, or 0.
 */
static inline unsigned parse(const struct etm_broadcast *last, const uint8_t *p,
                             uint32_t *address, unsigned *isa)
{
    unsigned shift = *isa == ETM_ISA_ARM ? 2 : 1;
    uint32_t received = p[0] >> 1 & 0x3f, mask;
    unsigned bits = 6, n = 1;

    if ((p[0] & 0x80) != 0) {
        while ((p[n] & 0x80) != 0 && n < 4) {
            received |= (uint32_t)(p[n++] & 0x7f) << bits;
            bits += 7;
        }
        if (n == 4) {
            unsigned thumb = last->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;

            if ((p[4] & 0xf8) != 0x08 && (p[4] & 0xf0) != 0x10)
                return 0;
            *isa = (p[4] & 0x10) != 0 ? thumb : ETM_ISA_ARM;
            shift = *isa == ETM_ISA_ARM ? 2 : 1;
            *address = (received | (uint32_t)p[4] << 27) << shift;
            return 5;
        }
        if ((p[n] & 0x40) != 0)
            return 0;
        received |= (uint32_t)(p[n++] & 0x3f) << bits;
        bits += 6;
    }
    mask = (UINT32_C(1) << (bits + shift)) - 1;
    *address = (last->address & ~mask) | received << shift;
    return n;
}

/* A branch address packet at an indirect branch. Returns its size, or 0 if it
 * is not like that. */
static inline unsigned branch(struct etm_pft_flow *flow, struct walk *w,
                              const uint8_t *p, uint64_t offset, bool counts,
                              bool returns)
{
    const struct etm_step *s = &w->steps[w->at];
    unsigned isa = flow->last.isa, n;
    uint32_t address = 0, next;

    if (!(s->kind & ETM_STEP_INDIRECT) || isa == ETM_ISA_JAZELLE)
        return 0;
    n = parse(&flow->last, p, &address, &isa);
    if (n == 0)
        return 0;
    next = etm_link_step(w->links[w->at], 0); /* where it went last */
    if (w->steps[next].start != address || w->steps[next].isa != isa ||
        next == 0) {
        next = find(&flow->follow, w, address, isa);
        if (next == 0)
            return 0;
        s = &w->steps[w->at];
        etm_blocks_link(&flow->follow.blocks, w->at, 0, next);
    }
    if (counts)
        n += count(p + n, &w->cycles);
    flow->last.address = address;
    flow->last.isa = (uint8_t)isa;
    see_isa(&flow->follow, w, s);
    if (returns)
        push(w, &flow->stack, s, s->kind & ETM_STEP_LINK);
    give(w, s, 1, offset, counts);
    w->at = next;
    w->moved = offset;
    return n;
}

/* Where the walk has come to. */
static void arrive(struct etm_follow *f, const struct walk *w)
{
    const struct etm_step *s = &w->steps[w->at];

    /* the block itself is far away in memory: no look at it */
    f->block = etm_blocks_of_step(&f->blocks, w->at);
    f->address = s->start;
    f->cycles = w->cycles;
    f->out->n = (size_t)(w->e - (struct etm_element *)f->out->data);
    if (f->isa != s->isa) {
        f->isa = s->isa;
        etm_follow_context_changed(f, w->moved);
    }
}

/* Atoms of a packet that the steps know no way for, from number `i` on. */
static void rest(struct etm_pft_flow *flow, unsigned atoms, unsigned i,
                 uint64_t offset)
{
    struct etm_packet packet = {.offset = offset,
                                .size = 1,
                                .kind = ETM_PACKET_ATOM,
                                .value = (atoms & 0xfffu) >> 2 * i,
                                .count = (uint8_t)((atoms >> 12) - i)};

    etm_pft_flow_push(flow, &packet, 1, flow->follow.out);
}

/* The loop, for each combination of what stays as it is. */
static inline size_t run(struct etm_pft_flow *flow,
                         const struct etm_pft_table *table,
                         const uint8_t *bytes, size_t n, uint64_t start,
                         bool counts, bool returns)
{
    struct etm_follow *f = &flow->follow;
    struct walk w = {.steps = f->blocks.steps.data,
                     .links = f->blocks.links.data,
                     .at = f->block->step,
                     .top = flow->stack.top,
                     .depth = flow->stack.n,
                     .cycles = f->cycles,
                     .isa = f->isa,
                     .e = (struct etm_element *)f->out->data + f->out->n,
                     .head = {ETM_ELEMENT_RANGE, f->source}};
    const struct etm_element *full = w.e + ETM_FAST_BATCH - 16;
    const uint8_t *p = bytes, *end = bytes + n - ETM_PFT_WINDOW;
    uint64_t offset = start;
    unsigned left = 0, atoms = 0, i = 0;

    while (p <= end && w.e < full) {
        unsigned kind = table->kind[*p];
        unsigned size = 1;

        offset = start + (uint64_t)(p - bytes);
        if (kind == ETM_PFT_HEADER_BRANCH) {
            size = branch(flow, &w, p, offset, counts, returns);
            if (size == 0)
                break;
        } else if (kind != ETM_PFT_HEADER_ATOM) {
            break;
        } else if (counts) {
            uint64_t before = w.cycles;

            size = count(p, &w.cycles);
            if (!atom(flow, &w, *p >> 1 & 1u, offset, true, returns)) {
                w.cycles = before;
                break;
            }
        } else {
            atoms = table->atoms[*p];
            left = atoms >> 12;
            for (i = 0; i < left; i++) {
                if (!atom(flow, &w, atoms >> 2 * i & 1u, offset, false,
                          returns))
                    break;
            }
            if (i < left) {
                p += i != 0;
                break;
            }
        }
        p += size;
    }
    flow->stack.top = w.top;
    flow->stack.n = w.depth;
    if (w.e != (struct etm_element *)f->out->data + f->out->n)
        flow->updated = false;
    arrive(f, &w);
    if (i != 0 && i < left)
        rest(flow, atoms, i, offset);
    return (size_t)(p - bytes);
}

size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    bool counts = f->cycle_accurate, returns = flow->config.return_stack;
    size_t used;

    if (d->state != ETM_PFT_SYNCHRONIZED || d->n_carry != 0 || !flow->synced ||
        n < ETM_PFT_WINDOW || !f->known || f->has_open || f->context_changed ||
        flow->mismatch || f->level != ETM_LEVEL_RANGES || f->status != ETM_OK)
        return 0;
    f->out = out;
    if (etm_follow_here(f) == NULL)
        return 0; /* the way of all packets will find it out */
    /* more than is needed, so that it lasts */
    if (out->capacity - out->n < ETM_FAST_BATCH &&
        etm_vec_reserve(out, 2 * ETM_FAST_BATCH) != ETM_OK)
        return 0;
    if (counts)
        used = returns ? run(flow, &d->table, bytes, n, d->offset, true, true)
                       : run(flow, &d->table, bytes, n, d->offset, true, false);
    else
        used = returns
                   ? run(flow, &d->table, bytes, n, d->offset, false, true)
                   : run(flow, &d->table, bytes, n, d->offset, false, false);
    d->offset += used;
    etm_follow_commit(f);
    return used;
}
