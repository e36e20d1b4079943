/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/mtb/flow.h"

#include <string.h>

/*
 * How far ahead of a destination the next source may be: the limit keeps a
 * wrong address from walking all memory. No program has as much code without a
 * branch that is taken. Packets contradict the code (doc/errata.md, E-641) with
 * a source beyond it or before the last destination, behind a branch that is
 * always taken, or inside an instruction, and with a destination that a direct
 * branch does not have.
 */
#define WALK_MAX (1u << 20)

int etm_mtb_flow_init(struct etm_mtb_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator)
{
    static const struct etm_block_rules rules = {0};

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->walk.level = level;
    flow->walk.certain = true; /* nothing is ever taken back */
    return etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
}

void etm_mtb_flow_fini(struct etm_mtb_flow *flow)
{
    etm_walk_fini(&flow->walk);
}

static bool is_exception(const struct etm_packet *p)
{
    return (p->fields & ETM_FIELD_A) != 0;
}

/*
 * Can the instruction at index i of a block have led to the destination? A
 * packet may also come from an instruction that does not branch (2.3.1); it
 * leads to the next one then.
 */
static bool leads(const struct etm_block *block, unsigned i, uint32_t to)
{
    if (i + 1 < block->n || block->end_kind == ETM_BLOCK_FALL ||
        block->end_kind == ETM_BLOCK_BARRIER)
        return to == etm_block_address(block, i + 1);
    return block->end_kind == ETM_BLOCK_INDIRECT || to == block->target ||
           to == block->end;
}

/* A branch to the next instruction need not have a packet. */
static bool leads_on(const struct etm_block *block)
{
    return block->end_kind == ETM_BLOCK_DIRECT && block->target == block->end;
}

/*
 * Must the branch be taken that the block ends with? The path to it leads from
 * the beginning of `first`; `outside`: which is not in an IT block, so that the
 * instructions say themselves whether they are conditional.
 */
static bool must_branch(const struct etm_block *first, bool outside,
                        const struct etm_block *block)
{
    if (leads_on(block))
        return false;
    if (outside && block == first)
        return (block->last_flags & ETM_INSN_CONDITIONAL) == 0;
    return etm_block_cannot_fail(first, block);
}

/*
 * The block with the source, from the position on: branches on the way were not
 * taken. Nothing is given yet, as the code may contradict the packet. NULL: it
 * does, or memory has run out, as the status says. A block without code ends
 * the search.
 */
static struct etm_block *find_source(struct etm_mtb_flow *flow, uint32_t source)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *first = etm_walk_here(w), *block = first;
    bool outside = flow->outside;

    if (block == NULL || source < w->address || source - w->address > WALK_MAX)
        return NULL;
    while (block->end_kind != ETM_BLOCK_NO_CODE && block->end <= source &&
           block->end > block->address) {
        bool branch = block->end_kind != ETM_BLOCK_FALL;

        if (branch && must_branch(first, outside, block))
            return NULL;
        block = etm_blocks_follow(&w->blocks, block);
        if (block == NULL) {
            w->status = ETM_ERR_MEMORY;
            return NULL;
        }
        if (branch) { /* which is the last one of an IT block, if it is in one
                       */
            first = block;
            outside = true;
        }
    }
    return block;
}

/* The instructions from the position up to a block were executed. */
static void walk_to(struct etm_walk *w, struct etm_block *block,
                    uint64_t offset)
{
    for (struct etm_block *b = w->block; b != block; b = b->next) {
        struct etm_run run = {.to = b->n, .offset = offset};

        if (b->end_kind == ETM_BLOCK_FALL) {
            etm_walk_run(w, b, run);
        } else {
            run.exec = leads_on(b) ? ETM_UNKNOWN : ETM_FALSE;
            etm_walk_run_block(w, b, run);
        }
    }
    w->block = block;
    w->address = block->address;
}

/* And those of its block: up to index i, of which a branch led away. */
static void walk_in(struct etm_walk *w, struct etm_block *block, unsigned i,
                    const struct etm_packet *p)
{
    struct etm_run run = {.to = i, .offset = p->offset};

    if (!is_exception(p)) {
        bool branches =
            i + 1 == block->n && (block->end_kind == ETM_BLOCK_DIRECT ||
                                  block->end_kind == ETM_BLOCK_INDIRECT);

        run.to = i + 1;
        run.exec =
            !branches || leads_on(block) ? ETM_UNKNOWN
            : block->end_kind == ETM_BLOCK_DIRECT && p->address == block->end
                ? ETM_FALSE
                : ETM_TRUE;
    }
    if (run.to > 0)
        etm_walk_run(w, block, run);
    etm_walk_close(w);
}

/* The instructions from the position to the source. False: the code contradicts
 * the packet. */
static bool walk(struct etm_mtb_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block;
    unsigned i = 0;

    if (!w->known || (is_exception(p) && p->address2 == w->address))
        return true;
    block = find_source(flow, p->address2);
    if (block == NULL)
        return w->status != ETM_OK;
    if (block->end_kind == ETM_BLOCK_NO_CODE) {
        walk_to(w, block, p->offset);
        etm_walk_no_image(w, p->offset);
        return true;
    }
    while (i < block->n && etm_block_address(block, i) < p->address2)
        i++;
    if (i == block->n || etm_block_address(block, i) != p->address2 ||
        (!is_exception(p) && !leads(block, i, p->address)))
        return false;
    walk_to(w, block, p->offset);
    walk_in(w, block, i, p);
    return true;
}

/* The packet is of an exception, or of a PC update in Debug state, which cannot
 * be told from one (doc/errata.md, E-642). */
static void exception(struct etm_walk *w, const struct etm_packet *p)
{
    struct etm_element *e = etm_walk_add(w, ETM_ELEMENT_EXCEPTION, p->offset);

    e->u.exception.type = ETM_EXCEPTION_GENERIC;
    e->u.exception.return_known = true;
    e->u.exception.return_address = p->address2;
}

static void leave(struct etm_mtb_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    /* the source alone: what came before it is not known */
    if (!w->known && !is_exception(p))
        etm_walk_go(w, p->address2, ETM_ISA_THUMB, p->offset);
    if (!walk(flow, p)) {
        etm_walk_close(w);
        etm_walk_lose(w, ETM_LOST_IMAGE_MISMATCH, p->offset, p->size);
    }
    etm_walk_give_lost(w);
    if (is_exception(p))
        exception(w, p);
}

static void execution_trace(struct etm_mtb_flow *flow,
                            const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    bool from_value = etm_mtb_is_return(p->address2);

    etm_walk_give_lost(w);
    if (p->reason == ETM_SYNC_TRACE_ON || !flow->began) {
        etm_walk_trace_on(w, ETM_SYNC_TRACE_ON, p->offset);
        etm_walk_nowhere(w);
    } else if (flow->returning != from_value) {
        /* packets are missing between the two */
        etm_walk_lose(w, ETM_LOST_UNSYNCHRONIZED, p->offset, 0);
        etm_walk_give_lost(w);
        etm_walk_nowhere(w);
    }
    flow->began = true;
    if (!from_value)
        leave(flow, p);
    else if (etm_mtb_is_exc_return(p->address2))
        etm_walk_event(w, ETM_ELEMENT_EXCEPTION_RETURN, p->offset);
    flow->outside = !from_value;
    flow->returning = etm_mtb_is_return(p->address);
    if (flow->returning)
        etm_walk_nowhere(w);
    else
        etm_walk_go(w, p->address, ETM_ISA_THUMB, p->offset);
}

/* The stream is broken: nothing is known up to the next packet. */
static void desync(struct etm_mtb_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    etm_walk_close(&flow->walk);
    etm_walk_lose(&flow->walk, reason, offset, bytes);
    etm_walk_nowhere(&flow->walk);
    flow->began = flow->returning = false;
}

static void packet(struct etm_mtb_flow *flow, const struct etm_packet *p)
{
    switch ((unsigned)p->kind) {
    case ETM_PACKET_EXECUTION_TRACE:
        execution_trace(flow, p);
        break;
    case ETM_PACKET_IGNORE: /* what comes after it is another stretch */
        etm_walk_nowhere(&flow->walk);
        flow->began = flow->returning = false;
        break;
    case ETM_PACKET_BAD:
        desync(flow, etm_walk_bad_reason(p), p->offset, p->size);
        break;
    }
    etm_walk_trim(&flow->walk);
}

int etm_mtb_flow_push(struct etm_mtb_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++)
        packet(flow, &packets[i]);
    etm_walk_commit(w);
    return w->status;
}

int etm_mtb_flow_gap(struct etm_mtb_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out)
{
    flow->walk.out = out;
    desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_mtb_flow_finish(struct etm_mtb_flow *flow, uint64_t offset,
                        struct etm_vec *out)
{
    flow->walk.out = out;
    etm_walk_finish(&flow->walk, offset);
    return flow->walk.status;
}
