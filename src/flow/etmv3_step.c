/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of ETMv3's fast way: how they are filled and linked, and the branch
 * packets that lead from one to another. */
#include "flow/etmv3_fast.h"
#include "flow/etmv3_walk.h"

/* Instructions of a step at the most, less one. */
#define STEP_MAX 0x7fffu

bool etm_etmv3_has_fast_way(const struct etm_config *config)
{
    return !etm_data_traced(config) && !config->thumb32_split;
}

void etm_etmv3_fast_init(struct etm_etmv3_flow *flow)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        struct etm_etmv3_shape shape = flow->shapes[byte];
        unsigned kind = etm_etmv3_header(&flow->config, (uint8_t)byte).kind;
        uint32_t q = ETM_QUICK_NO_RUN;
        uint64_t cycles = 0;

        if (kind == ETM_PACKET_BRANCH_ADDRESS)
            q |= ETM_QUICK_BRANCH;
        if (kind == ETM_PACKET_P_HEADER && shape.n != ETM_ETMV3_NO_RUN) {
            q = shape.n | (uint32_t)shape.before << ETM_QUICK_BEFORE;
            q |= shape.each != 0 ? ETM_QUICK_EACH : 0;
            q |= shape.exec == ETM_FALSE ? ETM_QUICK_FAILED : 0;
            cycles = shape.cycles;
        } else if (kind == ETM_PACKET_P_HEADER && (byte & 0xf3) == 0x82) {
            q |= ETM_QUICK_TWO |
                 ((byte & 0x04) != 0 ? ETM_QUICK_FAILED : 0); /* 10001F10 */
            q |= (uint32_t)flow->config.cycle_accurate << ETM_QUICK_BEFORE;
        }
        flow->quick[byte] = q;
        flow->counts[byte] = cycles << 32 | etm_quick_count(q);
    }
}

bool etm_etmv3_fill(struct etm_blocks *blocks, struct etm_block *first)
{
    struct etm_block *block = first;
    uint32_t n = block->n;
    struct etm_step *s = (struct etm_step *)blocks->steps.data + first->step;

    if (first->step == 0 || s->n != 0)
        return first->step != 0;
    while (block->end_kind == ETM_BLOCK_FALL && n <= STEP_MAX) {
        block = etm_blocks_follow(blocks, block);
        if (block == NULL)
            return false;
        n += block->n;
    }
    if (block->end_kind == ETM_BLOCK_NO_CODE || n > STEP_MAX)
        return false;
    s = (struct etm_step *)blocks->steps.data + first->step;
    s->end = block->end;
    s->last_address = block->last;
    s->last_type = block->last_type;
    s->last_flags = block->last_flags;
    if (block->end_kind == ETM_BLOCK_INDIRECT)
        s->kind |= ETM_STEP_INDIRECT;
    s->n = n;
    ((uint64_t *)blocks->links.data)[first->step] |= (uint64_t)n
                                                     << ETM_LINK_FACTS;
    return true;
}

/* The same, of the step that has this number. */
static inline bool is_filled(struct etm_blocks *blocks, uint32_t step)
{
    return ((const uint64_t *)blocks->links.data)[step] != 0 ||
           etm_etmv3_fill(blocks, etm_blocks_of_step(blocks, step));
}

struct etm_block *etm_etmv3_step_block(const struct etm_blocks *blocks,
                                       uint32_t at, uint32_t *index,
                                       const struct etm_block **before)
{
    struct etm_block *block = etm_blocks_of_step(blocks, at);

    while (*index >= block->n && block->end_kind == ETM_BLOCK_FALL) {
        *index -= block->n;
        *before = block;
        block = block->next;
    }
    return block;
}

static struct etm_block *last_block_of(const struct etm_blocks *blocks,
                                       uint32_t at)
{
    const struct etm_step *s = (const struct etm_step *)blocks->steps.data + at;
    const struct etm_block *before = NULL;
    uint32_t index = s->n - 1;

    return etm_etmv3_step_block(blocks, at, &index, &before);
}

/*
 * Size of the branch packet at `p` if it has no exception information and at
 * most four bytes, else 0; *address is what it says. As etm_etmv3_branch().
 */
static inline unsigned parse(const struct etm_etmv3_flow *flow,
                             bool alternative, const uint8_t *p,
                             uint32_t *address)
{
    unsigned shift = flow->base.isa == ETM_ISA_ARM ? 2 : 1;
    uint32_t received = p[0] >> 1 & 0x3f, mask;
    unsigned bits = 6, n = 1;

    if ((p[0] & ETM_ETMV3_MORE) != 0) {
        while ((p[n] & ETM_ETMV3_MORE) != 0 && n < 4) {
            received |= (uint32_t)(p[n++] & 0x7f) << bits;
            bits += 7;
        }
        if (n == 4 || (alternative && (p[n] & 0x40) != 0))
            return 0;
        received |= (uint32_t)(p[n++] & 0x7f) << bits;
        bits += alternative ? 6 : 7;
    }
    mask = (UINT32_C(1) << (bits + shift)) - 1;
    *address = (flow->base.address & ~mask) | (received << shift & mask);
    return n;
}

/* The step at the target of the indirect branch that ends step `at`, by the
 * packet at `p`; 0 where that is another. *size is the packet's. */
static uint32_t target(struct etm_etmv3_flow *flow, bool alternative,
                       uint32_t at, const uint8_t *p, unsigned *size)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    struct etm_step *steps = blocks->steps.data, *s = &steps[at];
    uint32_t address = 0, to;
    unsigned n;

    if (!(flow->quick[p[0]] & ETM_QUICK_BRANCH) || flow->base.isa != s->isa)
        return 0;
    n = parse(flow, alternative, p, &address);
    if (n == 0)
        return 0;
    if (s->behind == 0 || steps[s->behind].start != address ||
        steps[s->behind].isa != s->isa) { /* where it went last */
        to = etm_blocks_number(blocks, address, (enum etm_isa)s->isa);
        if (to == 0 || !is_filled(blocks, to))
            return 0;
        s = (struct etm_step *)blocks->steps.data + at;
        s->behind = to;
    }
    flow->base.address = address;
    *size = n;
    return s->behind;
}

uint32_t etm_etmv3_resolve(struct etm_etmv3_flow *flow, bool alternative,
                           uint32_t at, bool passed, const uint8_t *p,
                           unsigned *size)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    struct etm_step *s = (struct etm_step *)blocks->steps.data + at;
    struct etm_block *block, *link;

    if (passed && (s->kind & ETM_STEP_INDIRECT))
        return p != NULL ? target(flow, alternative, at, p, size) : 0;
    block = last_block_of(blocks, at);
    link = passed ? etm_blocks_take(blocks, block)
                  : etm_blocks_follow(blocks, block);
    if (link == NULL || link->isa != block->isa ||
        !etm_etmv3_fill(blocks, link))
        return 0;
    etm_blocks_link(blocks, at, !passed, link->step);
    return link->step;
}

unsigned etm_etmv3_broadcast(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t)
{
    const struct etm_step *s = &w->steps[w->at];
    uint64_t waits = 0;
    uint32_t address = 0;
    unsigned size;

    if (w->index != 0 || w->last == 0 || !etm_etmv3_passed(w) ||
        etm_etmv3_back(flow->quick, t->bytes, w->p, &waits) == w->branch.to ||
        (w->steps[w->last].kind & ETM_STEP_INDIRECT) ||
        flow->base.isa != s->isa)
        return 0;
    size = parse(flow, t->alternative, w->p, &address);
    if (size == 0 || address != s->start)
        return 0;
    flow->base.address = address;
    return size;
}
