/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets between two charts of the ETMv3 fast path that become an element at
 * most, and change nothing but the position: timestamps, A-syncs, I-syncs that
 * repeat what is known, exceptions and their exits. If an instruction or a
 * restart is certain to follow them, nothing before them can be taken back any
 * more: the flow need not know of them, and the walk goes on.
 */
#include "base/bits.h"
#include "flow/address.h"
#include "flow/etmv3_fast.h"
#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"

/* Zeros of an A-sync (7.7.2), and the byte that ends them. */
#define A_SYNC_ZEROS 5u
#define A_SYNC_END 0x80u

/* Maximum number of timestamps at a time; there may also be a range and an
 * exception. */
#define TIMES (ETM_SKIM_MOST - 2)

/* What is found where the walk has stopped. */
struct find {
    const uint8_t *from, *p; /* the first packet, the next byte */
    bool restart;            /* a restart comes next */
    /* Where each of these is, or NULL: an exception exit; and only one of the
     * target of an indirect branch, an exception, and a periodic I-sync. */
    const uint8_t *exit, *jump, *exception, *sync;
    struct etm_packet packet;  /* the jump or exception */
    struct etm_broadcast base; /* after that, or after the I-sync */
    unsigned n;
    const uint8_t *times[TIMES]; /* timestamps */
    uint64_t w_before, w_after;  /* W atoms before and after the first packet */
};

/* The last step ended in an indirect branch, which was taken. */
static bool is_awaiting(const struct etm_blocks *blocks,
                        const struct etm_etmv3_walk *w)
{
    const struct etm_step *steps = blocks->steps.data;

    return w->at == 0 && !w->failed &&
           (steps[w->last].kind & ETM_STEP_INDIRECT) != 0;
}

unsigned etm_etmv3_a_sync(const uint8_t *p)
{
    unsigned n = 0;

    while (n < ETM_ETMV3_PACKET_MAX - 1 && p[n] == 0)
        n++;
    return n >= A_SYNC_ZEROS && p[n] == A_SYNC_END ? n + 1 : 0;
}

/* The timestamp packet at `p`: its size. */
static unsigned timestamp(const struct etm_etmv3_decoder *d, const uint8_t *p,
                          struct etm_packet *packet)
{
    struct etm_cursor c = etm_cursor_of(p + 1, ETM_ETMV3_PACKET_MAX - 1);

    *packet = (struct etm_packet){.kind = ETM_PACKET_TIMESTAMP, .header = *p};
    (void)etm_etmv3_payload(d, &c, packet);
    return (unsigned)(c.next - p);
}

/* A timestamp becomes an element: all its bits are known. */
static bool is_time_known(const struct etm_etmv3_flow *flow)
{
    return flow->base.timestamp_bits >=
           (flow->config.timestamp_64bit ? 64 : 48);
}

/* The low seven bits of each byte, without the bits between them. */
static uint64_t sevens(uint64_t x)
{
    x = (x & UINT64_C(0x007f007f007f007f)) |
        (x & UINT64_C(0x7f007f007f007f00)) >> 1;
    x = (x & UINT64_C(0x00003fff00003fff)) |
        (x & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (x & UINT64_C(0x0fffffff)) | (x & UINT64_C(0x0fffffff00000000)) >> 4;
}

unsigned etm_etmv3_skip_time(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const uint8_t *p)
{
    struct etm_packet packet;
    const uint64_t x = etm_address_eight(p + 1);
    const uint64_t ends = ~x & UINT64_C(0x8080808080808080);
    unsigned size, bits;
    uint64_t unused;

    if (!is_time_known(flow))
        return 0;
    /* all but the longest ones: seven bits of each byte up to the last one */
    size = ends != 0 ? etm_zeros_below(ends) / 8 + 1 : 8;
    if (ends != 0 && size < (flow->config.timestamp_64bit ? 9 : 7)) {
        bits = 7 * size;
        flow->base.timestamp = flow->base.timestamp >> bits << bits |
                               (sevens(x) & ((UINT64_C(1) << bits) - 1));
        return 1 + size;
    }
    size = timestamp(d, p, &packet);
    (void)etm_etmv3_flow_time(flow, &packet, &unused);
    return size;
}

/*
 * The target of an indirect branch, with nothing else, or an exception that
 * cancels nothing and after which the state is the same: returns its size, or
 * 0.
 */
static unsigned branch(const struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_decoder *d, struct find *find,
                       bool awaiting)
{
    struct etm_packet *packet = &find->packet;
    struct etm_cursor c = etm_cursor_of(find->p + 1, ETM_ETMV3_PACKET_MAX - 1);

    if (find->jump != NULL || find->exception != NULL || find->sync != NULL)
        return 0;
    *packet = (struct etm_packet){.kind = ETM_PACKET_BRANCH_ADDRESS};
    if (!etm_etmv3_branch(d, *find->p, &c, packet))
        return 0;
    find->base = flow->base;
    etm_broadcast_apply(&find->base, &flow->config, packet);
    if (awaiting && packet->fields == ETM_FIELD_ADDRESS)
        find->jump = find->p;
    else if (!awaiting && packet->exception != 0 && find->exit == NULL &&
             find->n == 0 &&
             (packet->fields & (ETM_FIELD_CANCEL | ETM_FIELD_DEPRECATED)) ==
                 0 &&
             find->base.ns == flow->base.ns &&
             find->base.hyp == flow->base.hyp &&
             find->base.alt_isa == flow->base.alt_isa)
        find->exception = find->p;
    else
        return 0;
    return (unsigned)(c.next - find->p);
}

unsigned etm_etmv3_same_sync(const struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const uint8_t *p, struct etm_broadcast *base)
{
    struct etm_packet packet;

    if (etm_etmv3_quick_sync(d, p, 0, &packet) == 0 ||
        packet.reason != ETM_SYNC_PERIODIC)
        return 0;
    *base = flow->base;
    etm_broadcast_apply(base, &flow->config, &packet);
    if (base->ns != flow->base.ns || base->hyp != flow->base.hyp ||
        base->alt_isa != flow->base.alt_isa ||
        base->context_id != flow->base.context_id ||
        base->context_id_valid != flow->base.context_id_valid)
        return 0;
    return packet.size;
}

/* That, if it is the only packet of its kind. */
static unsigned sync(const struct etm_etmv3_flow *flow,
                     const struct etm_etmv3_decoder *d, struct find *find)
{
    unsigned size;

    if (find->jump != NULL || find->exception != NULL || find->sync != NULL)
        return 0;
    size = etm_etmv3_same_sync(flow, d, find->p, &find->base);
    if (size != 0)
        find->sync = find->p;
    return size;
}

/* The size of the packet here, or 0 if it is none of these. A target comes
 * after an exit, which comes before timestamps. */
static unsigned one(const struct etm_etmv3_flow *flow,
                    const struct etm_etmv3_decoder *d, struct find *find,
                    bool awaiting)
{
    unsigned kind = d->headers[*find->p].kind;

    if (kind == ETM_PACKET_TIMESTAMP && find->n < TIMES &&
        is_time_known(flow)) {
        struct etm_packet unused;

        find->times[find->n++] = find->p;
        return timestamp(d, find->p, &unused);
    }
    if (kind == ETM_PACKET_EXCEPTION_EXIT && find->exit == NULL &&
        find->n == 0 && awaiting) {
        find->exit = find->p;
        return 1;
    }
    if (kind == ETM_PACKET_A_SYNC)
        return etm_etmv3_a_sync(find->p);
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return branch(flow, d, find, awaiting);
    if (kind == ETM_PACKET_I_SYNC && !awaiting)
        return sync(flow, d, find);
    return 0;
}

/* The step at the target that was found, if it is known and leads on; else 0.
 */
static uint32_t target(const struct etm_blocks *blocks,
                       const struct etm_broadcast *base)
{
    uint32_t to =
        base->isa != ETM_ISA_JAZELLE
            ? etm_blocks_peek(blocks, base->address, (enum etm_isa)base->isa)
            : 0;

    if (to == 0 || *etm_blocks_links(blocks, to) == 0 ||
        etm_etmv3_is_dead_end(blocks, to))
        return 0;
    return to;
}

/* Look through the packets here, up to a P-header with an instruction or a
 * restart. */
static bool look(const struct etm_etmv3_flow *flow,
                 const struct etm_etmv3_decoder *d,
                 const struct etm_etmv3_terms *t, struct find *find,
                 bool awaiting)
{
    for (;;) {
        const struct etm_etmv3_share *share;
        uint32_t gap;
        unsigned size;

        if ((size_t)(t->end - find->p) + ETM_ETMV3_WINDOW <
            ETM_ETMV3_PACKET_MAX)
            return false;
        share = &flow->shares[*find->p];
        if (etm_chart_no_insn(share)) {
            *(find->from == NULL ? &find->w_before : &find->w_after) +=
                share->cycles;
            find->p++;
            continue;
        }
        find->restart = (flow->quick[*find->p] & ETM_QUICK_SYNC) != 0 &&
                        etm_etmv3_restart_info(flow, t, find->p, &gap) != NULL;
        if (etm_chart_has(share) || find->restart)
            return find->from != NULL;
        size = one(flow, d, find, awaiting);
        if (size == 0)
            return false;
        if (find->from == NULL)
            find->from = find->p;
        find->p += size;
    }
}

/* Give the elements of an exit and of timestamps. */
static void give(struct etm_etmv3_flow *flow, const struct etm_etmv3_decoder *d,
                 struct etm_etmv3_walk *w, const struct etm_etmv3_terms *t,
                 const struct find *find)
{
    struct etm_follow *f = &flow->follow;

    if (find->exit != NULL)
        (void)etm_etmv3_add(f, w, ETM_ELEMENT_EXCEPTION_RETURN,
                            t->start + (uint64_t)(find->exit - t->bytes));
    for (unsigned i = 0; i < find->n; i++) {
        const uint8_t *p = find->times[i];
        struct etm_packet packet;
        uint64_t time;

        (void)timestamp(d, p, &packet);
        if (etm_etmv3_flow_time(flow, &packet, &time))
            etm_etmv3_add(f, w, ETM_ELEMENT_TIMESTAMP,
                          t->start + (uint64_t)(p - t->bytes))
                ->u.timestamp.value = time;
    }
}

/* Go where the trace says. */
static void go_to(struct etm_etmv3_flow *flow, const struct etm_broadcast *base,
                  uint64_t offset)
{
    struct etm_follow *f = &flow->follow;

    flow->base.address = base->address;
    flow->base.isa = base->isa;
    if (f->isa == base->isa)
        return;
    f->isa = base->isa;
    etm_follow_context_changed(f, offset);
}

/* What kind of exception it is; true if nothing but the position must be known
 * of what was before it. */
static bool is_simple(const struct etm_etmv3_flow *flow,
                      const struct find *find, struct etm_element *e)
{
    uint16_t irq;
    unsigned number = find->packet.exception;
    enum etm_exception_type type =
        etm_exception_meaning(flow->config.profile, ETM_PROTOCOL_ETMV3,
                              flow->config.minor, number, &irq);

    e->u.exception.number = (uint16_t)number;
    e->u.exception.irq = irq;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.resume = find->packet.resume;
    e->u.exception.return_known = true;
    return type != ETM_EXCEPTION_RESET && type != ETM_EXCEPTION_UNDEFINED &&
           type != ETM_EXCEPTION_USAGE_FAULT &&
           type != ETM_EXCEPTION_HARD_FAULT && type != ETM_EXCEPTION_DEBUG_HALT;
}

/*
 * What was found is in the middle of a step or between two, and the walk goes
 * on there or at a handler. False, with nothing done, if it does not. If
 * t->state is 0, these packets may give a state that was not known.
 */
static bool cut(struct etm_etmv3_flow *flow, const struct etm_etmv3_decoder *d,
                struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                const struct find *find)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element exception = {.kind = ETM_ELEMENT_EXCEPTION};
    const struct etm_block *block;
    uint32_t address, to = w->at;

    if (to == 0 || etm_etmv3_is_dead_end(&f->blocks, to))
        return false;
    block = etm_blocks_of_step(&f->blocks, to);
    if (w->index >= block->n)
        return false;
    address = etm_block_address(block, w->index);
    if (find->sync != NULL && (t->state == 0 || find->base.address != address ||
                               find->base.isa != block->isa))
        return false;
    if (find->exception != NULL) {
        to = target(&f->blocks, &find->base);
        if (to == 0 || t->state == 0 || !is_simple(flow, find, &exception))
            return false;
    }
    if (!etm_etmv3_cut(flow, w, t, find->n != 0 || find->exception != NULL))
        return false;
    if (find->exception != NULL) {
        exception.source = f->source;
        exception.offset = t->start + (uint64_t)(find->exception - t->bytes);
        exception.u.exception.return_address = address;
        *w->e++ = exception;
        go_to(flow, &find->base, exception.offset);
        w->at = to;
        w->index = flow->at.index = 0;
        w->whole = true;
    } else if (find->sync != NULL) {
        go_to(flow, &find->base, 0);
    }
    give(flow, d, w, t, find);
    f->out->n = (size_t)(w->e - (struct etm_element *)f->out->data);
    f->cycles += find->w_after;
    w->cycles += find->w_after;
    w->p = find->p;
    t->start += (uint64_t)(find->p - t->bytes);
    t->bytes = find->p;
    return true;
}

bool etm_etmv3_skim(struct etm_etmv3_flow *flow,
                    const struct etm_etmv3_decoder *d, struct etm_etmv3_walk *w,
                    struct etm_etmv3_terms *t)
{
    struct etm_follow *f = &flow->follow;
    const bool awaiting = is_awaiting(&f->blocks, w);
    struct find find;
    uint32_t to = w->at;

    if ((w->at == 0 && !awaiting) || f->status != ETM_OK ||
        etm_blocks_full(&f->blocks))
        return false;
    find.p = w->p;
    find.from = find.exit = find.jump = find.exception = find.sync = NULL;
    find.n = 0;
    find.w_before = find.w_after = 0;
    if (!look(flow, d, t, &find, awaiting))
        return false;
    if (find.restart) {
        if (w->index != 0 || find.exception != NULL || find.sync != NULL)
            return false;
        if (to == 0)
            to = w->last; /* any step: it will not be walked */
    } else if (!awaiting) {
        w->p = find.from;
        w->cycles += find.w_before;
        return cut(flow, d, w, t, &find);
    } else {
        /* W atoms among these packets would be missed when reading backwards */
        to = find.jump != NULL && find.w_after == 0
                 ? target(&f->blocks, &find.base)
                 : 0;
        if (to == 0)
            return false;
        w->branch = (struct etm_etmv3_taken){find.from, find.p};
    }
    give(flow, d, w, t, &find);
    if (find.jump != NULL)
        go_to(flow, &find.base, t->start + (uint64_t)(find.jump - t->bytes));
    w->at = to;
    w->begun = w->stands = false;
    w->cycles += find.w_before + find.w_after;
    w->p = find.p;
    return true;
}
