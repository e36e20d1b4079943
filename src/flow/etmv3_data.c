/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path if data are traced: bytes of ETMv3 -> elements. Nearly every
 * instruction that moves data ends a P-header and a range, so there are no
 * charts and no steps here: packets are read and finished one after the other,
 * without a struct etm_packet, as long as each is a P-header, normal data of
 * the instruction before, or the target of an indirect branch. All others go
 * one by one through etmv3_decode.c and etmv3_flow.c, which know all the rules.
 */
#include "flow/etmv3_data.h"

#include "flow/etmv3_sync.h"
#include "flow/fast.h"

/* Maximum number of elements held back when this path begins: together with
 * those it gives, they do not reach the limit of the flow. */
#define HELD_SOME (ETM_FOLLOW_HELD_MAX / 2)

struct path {
    struct etm_etmv3_flow *flow;
    const struct etm_etmv3_decoder *d;
    bool calm; /* is_calm() */
    bool each; /* each instruction becomes an element with its own cycles */
};

/* There is nothing that would have to be looked at with each packet; only
 * functions of the flow can change that. */
static bool is_calm(const struct etm_etmv3_flow *flow)
{
    const struct etm_follow *f = &flow->follow;
    unsigned secure = ETM_UNKNOWN, hyp = ETM_FALSE;

    if (flow->config.minor >= 2)
        secure = flow->base.ns ? ETM_FALSE : ETM_TRUE;
    if (flow->config.virtualization)
        hyp = flow->base.hyp ? ETM_TRUE : ETM_FALSE;
    return flow->synced && !flow->at.mismatch && !f->has_lost &&
           !f->context_changed && f->blind_cycles == 0 && f->status == ETM_OK &&
           f->now.secure == secure && f->now.hyp == hyp &&
           (flow->at.last & ETM_LAST_NONE_YET) == 0 &&
           flow->data.before.kind == ETM_DATA_OWNER_NONE &&
           flow->data.done == 0 && /* a branch packet ends it */
           f->isa != ETM_ISA_JAZELLE &&
           f->out->n - f->held + f->unmade < HELD_SOME &&
           !etm_blocks_full(&f->blocks);
}

static inline void fetch(const struct etm_follow *f,
                         const struct etm_block *block)
{
    etm_follow_fetch_rows(f, block);
    etm_follow_fetch(block);
}

/* The block of the next instruction, if there is code; else NULL. */
static inline struct etm_block *block_here(struct etm_etmv3_flow *flow)
{
    struct etm_follow *f = &flow->follow;

    if (f->block == NULL && f->known) {
        f->block = etm_blocks_get(&f->blocks, f->address, (enum etm_isa)f->isa);
        if (f->block == NULL)
            f->status = ETM_ERR_MEMORY;
        else
            fetch(f, f->block);
    }
    return f->block != NULL && f->block->end_kind != ETM_BLOCK_NO_CODE
               ? f->block
               : NULL;
}

/* The end of a block: go where it leads. */
static inline void leave(struct path *w, struct etm_block *block, bool passed,
                         uint64_t offset)
{
    struct etm_follow *f = &w->flow->follow;
    bool taken = passed && block->end_kind == ETM_BLOCK_DIRECT;
    struct etm_block *to = taken ? block->taken : block->next;

    if (to == NULL || to->isa != block->isa ||
        block->end_kind == ETM_BLOCK_FALL ||
        (passed && block->end_kind == ETM_BLOCK_INDIRECT)) {
        etm_position_leave(&w->flow->at, f, block, passed, offset);
        w->calm = !f->context_changed && f->status == ETM_OK &&
                  !etm_blocks_full(&f->blocks);
        return;
    }
    etm_follow_end(f, block);
    w->flow->at.last |= taken ? ETM_LAST_DIRECT : 0u;
    w->flow->at.index = 0;
    f->block = to;
    f->address = to->address;
    fetch(f, to);
}

/* Walk atoms that stay in their block, as run_part() of etmv3_flow.c does; n is
 * not 0. */
static inline void walk(struct path *w, struct etm_block *block, unsigned n,
                        unsigned each, enum etm_tri exec, uint64_t offset)
{
    struct etm_etmv3_flow *flow = w->flow;
    struct etm_follow *f = &flow->follow;
    unsigned from = flow->at.index, to = from + n;
    uint64_t cycles = f->cycles + (uint64_t)each * n;

    etm_data_commit(&flow->data, f, offset);
    if (f->level == ETM_LEVEL_INSTRUCTIONS) {
        if (n > 1) { /* only the last can be taken back */
            etm_follow_walk_insns(f, block, from, to - 1, ETM_TRUE, ETM_TRUE, 0,
                                  offset);
            etm_data_commit(&flow->data, f, offset);
        }
        etm_follow_walk_insns(f, block, to - 1, to, ETM_TRUE, exec, cycles,
                              offset);
    } else {
        etm_follow_extend(f, block, from, to, ETM_TRUE, exec, cycles, offset);
    }
    f->cycles = 0;
    etm_position_remember(&flow->at, ETM_LAST_VALID, block, to - 1,
                          n > 1 ? each : cycles);
    flow->at.index = to;
    etm_etmv3_own(flow, block, from, to, exec == ETM_TRUE);
    if (to == block->n)
        leave(w, block, exec == ETM_TRUE, offset);
}

/* The last `n` instructions of a P-header: their block must be looked up, or a
 * context comes first. */
static void run_rest(struct path *w, uint8_t byte, unsigned n, uint64_t offset)
{
    struct etm_etmv3_header header = w->d->headers[byte];
    struct etm_etmv3_shape shape = w->flow->runs[byte];
    unsigned count = n * (1u + shape.each);
    struct etm_packet packet = {.offset = offset,
                                .value =
                                    header.atoms >> 2 * (header.count - count),
                                .size = 1,
                                .kind = ETM_PACKET_P_HEADER,
                                .header = byte,
                                .count = (uint8_t)count};

    if (w->each)
        etm_etmv3_flow_push(w->flow, &packet, 1, w->flow->follow.out);
    else
        etm_etmv3_flow_run(w->flow, n, shape.each, (enum etm_tri)shape.exec,
                           &packet);
    w->calm = is_calm(w->flow);
}

/* A P-header; false, with nothing done, if it must be left to the flow. */
static inline bool atoms(struct path *w, uint8_t header, uint64_t offset)
{
    /* 10001F10: N first (tables 7-2 and 7-3) */
    const bool two = (header & 0xfb) == 0x8a;
    struct etm_etmv3_shape shape = w->flow->runs[header];
    struct etm_block *block = NULL;
    unsigned n = shape.n;

    if (two) {
        shape.before = w->flow->config.cycle_accurate;
        shape.each = 0;
        shape.exec = (header & 0x04) != 0 ? ETM_FALSE : ETM_TRUE;
        n = 2;
    }
    if (n == ETM_ETMV3_NO_RUN)
        return false;
    if (n != 0) {
        block = block_here(w->flow);
        if (block == NULL || (two && w->flow->at.index + 2 > block->n))
            return false;
    }
    w->flow->follow.cycles += shape.before;
    while (n != 0) {
        unsigned part = w->each || two ? 1 : block->n - w->flow->at.index;

        if (part > n)
            part = n;
        n -= part;
        walk(w, block, part, shape.each,
             n == 0 ? (enum etm_tri)shape.exec
             : two  ? ETM_FALSE
                    : ETM_TRUE,
             offset);
        if (n == 0)
            break;
        block = w->calm ? block_here(w->flow) : NULL;
        if (block == NULL) {
            run_rest(w, header, n, offset);
            break;
        }
    }
    return true;
}

/* The number of bytes of a compressed address by the C bits of its first four,
 * which are in `word`; 5 if all are set. */
static inline unsigned address_bytes(uint32_t word)
{
    static const uint8_t lengths[16] = {1, 2, 1, 3, 1, 2, 1, 4,
                                        1, 2, 1, 3, 1, 2, 1, 5};

    /* the product gathers bits 0, 8, 16 and 24 in its bits 24 to 27 */
    return lengths[((word >> 7 & 0x01010101u) * 0x01020408u) >> 24 & 0x0fu];
}

static inline uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* An address of more than five bytes (7.4.2). */
static inline bool is_bad_address(const uint8_t *p)
{
    return (word_at(p) & 0x80808080u) == 0x80808080u &&
           (p[4] & ETM_ETMV3_MORE) != 0;
}

/* The address of a data packet (7.4.2) that is not bad; returns its number of
 * bytes. */
static inline unsigned data_address(struct etm_etmv3_flow *flow,
                                    const uint8_t *p)
{
    struct etm_broadcast *base = &flow->base;
    uint32_t word = word_at(p), mask;
    unsigned n = address_bytes(word);

    word = (word & 0x7fu) | (word >> 1 & 0x7fu << 7) |
           (word >> 2 & 0x7fu << 14) | (word >> 3 & 0x7fu << 21);
    mask = (UINT32_C(1) << 7 * (n & 3) << (n & 4) * 7) - 1;
    if (n == 5) {
        word |= (uint32_t)p[4] << 28;
        mask = UINT32_MAX;
        base->be = (p[4] & ETM_ETMV3_BE) != 0 && flow->config.minor >= 1;
        base->data_valid = true;
        flow->base_kept = false;
    }
    base->data_address = (base->data_address & ~mask) | (word & mask);
    return n;
}

/* A normal data packet (00A0SS10, 7.4.2); its size, or 0 if it must be left to
 * the flow. Then nothing was done that the flow would not do too; and for a bad
 * one nothing at all, since it may be left for a later call. */
static inline unsigned data(struct etm_etmv3_flow *flow, const uint8_t *p,
                            uint64_t offset)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4};
    static const uint32_t masks[4] = {0, 0xff, 0xffff, UINT32_MAX};
    struct etm_data_normal normal = {.offset = offset};
    const uint8_t *at = p + 1;

    if (is_bad_address(at) && (*p & 0x20) != 0 && flow->config.data_address)
        return 0;
    if (etm_etmv3_is_final(flow)) /* the owner may end with it */
        etm_data_commit(&flow->data, &flow->follow, offset);
    if (etm_data_is_odd(&flow->data))
        return 0;
    if ((*p & 0x20) != 0 && flow->config.data_address) {
        at += data_address(flow, at);
        normal.has_address = true;
    }
    flow->base_used |= flow->base_kept;
    if (flow->config.data_value) {
        unsigned size = *p >> 2 & 3u;

        normal.value = word_at(at) & masks[size];
        normal.has_value = true;
        at += sizes[size];
    }
    normal.size = (uint32_t)(at - p);
    etm_data_take(&flow->data, &flow->follow, &flow->base, &normal);
    return normal.size;
}

/*
 * A branch packet of at most four bytes and without exception information after
 * an indirect branch (7.3.5), as etm_etmv3_flow_branch() takes it; its size, or
 * 0, with nothing done, if it must be left to the flow.
 */
static inline unsigned target(struct path *w, const uint8_t *p)
{
    struct etm_etmv3_flow *flow = w->flow;
    struct etm_follow *f = &flow->follow;
    bool alternative = w->d->alternative;
    unsigned shift = flow->base.isa == ETM_ISA_ARM ? 2 : 1;
    uint32_t word = word_at(p), mask;
    unsigned n = address_bytes(word);

    if (n == 5 || (alternative && n > 1 && (p[n - 1] & 0x40) != 0) ||
        !flow->at.awaiting || f->has_open || flow->base.isa != f->isa)
        return 0;
    mask = (UINT32_C(1) << (7 * n - (alternative && n > 1 ? 2 : 1))) - 1;
    word = (word >> 1 & 0x3fu) | (word >> 2 & 0x7fu << 6) |
           (word >> 3 & 0x7fu << 13) | (word >> 4 & 0x7fu << 20);
    /* the bits below are 0 by alignment */
    flow->base.address &= ~(mask << shift | ((UINT32_C(1) << shift) - 1));
    flow->base.address |= (word & mask) << shift;
    flow->at.last |= ETM_LAST_TARGETED;
    flow->at.index = 0;
    flow->at.half = false;
    flow->at.awaiting = false;
    f->known = true;
    f->address = flow->base.address;
    f->block = NULL;
    return n;
}

/* One packet at `p`; its size, or 0 if it must be left to the flow. */
static inline unsigned take(struct path *w, const uint8_t *p)
{
    uint8_t kind = w->d->headers[*p].kind;

    if (kind == ETM_PACKET_P_HEADER)
        return atoms(w, *p, w->d->offset) ? 1 : 0;
    if (kind == ETM_PACKET_NORMAL_DATA)
        return data(w->flow, p, w->d->offset);
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return target(w, p);
    return 0;
}

size_t etm_etmv3_flow_fast_data(struct etm_etmv3_flow *flow,
                                struct etm_etmv3_decoder *d,
                                const uint8_t *bytes, size_t n,
                                struct etm_vec *out)
{
    const size_t enough = out->n + ETM_FAST_BATCH;
    struct etm_follow *f = &flow->follow;
    struct path w = {.flow = flow,
                     .d = d,
                     .each = f->level == ETM_LEVEL_INSTRUCTIONS &&
                             f->cycle_accurate};
    size_t used = 0;

    if (d->state != ETM_ETMV3_PACKETS || d->carried != 0)
        return 0;
    if (n > HELD_SOME) /* a byte gives at most one element, wanted or not */
        n = HELD_SOME;
    f->out = out;
    w.calm = is_calm(flow);
    while (n - used > ETM_ETMV3_PACKET_MAX && out->n < enough &&
           f->status == ETM_OK) {
        size_t size = w.calm ? take(&w, bytes + used) : 0;
        struct etm_packet packet;

        if (size != 0) {
            d->offset += size;
        } else {
            size = etm_etmv3_decoder_next(d, bytes + used, n - used, &packet);
            if (size == 0 ||
                etm_etmv3_flow_push(flow, &packet, 1, out) != ETM_OK)
                break;
            w.calm = is_calm(flow);
        }
        used += size;
    }
    etm_etmv3_decoder_pass(d, bytes, used);
    return used;
}
