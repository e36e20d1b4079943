/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/pft/flow.h"
#include "proto/broadcast.h"
#include "proto/i_sync.h"

#include <string.h>

/* How many bytes ahead a waypoint update may name an instruction: the limit
 * keeps a wrong address from walking all memory (doc/errata.md, E-14). */
#define UPDATE_WALK_MAX (1u << 20)

int etm_pft_flow_init(struct etm_pft_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator)
{
    struct etm_block_rules rules = {.isb = true,
                                    .dmb_dsb = config->barriers_are_waypoints};

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->walk.level = level;
    flow->walk.certain = true; /* nothing is ever taken back */
    for (unsigned i = ETM_SYNC_PERIODIC + 1; i < 4; i++)
        flow->reliable[i] = etm_gap_is_reliable(config, i);
    return etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
}

void etm_pft_flow_fini(struct etm_pft_flow *flow)
{
    etm_walk_fini(&flow->walk);
}

/* An instruction was executed that can be identified: it is not in the handler
 * without code. */
static void seen(struct etm_pft_flow *flow)
{
    if (flow->doubt)
        etm_pft_flow_clear_returns(flow);
}

/* The image cannot be the code that ran: wait for an address in the trace. */
static void mismatch(struct etm_pft_flow *flow, uint64_t offset, uint64_t bytes)
{
    etm_pft_flow_clear_returns(flow);
    flow->unseen = flow->config.return_stack;
    etm_walk_close(&flow->walk);
    etm_walk_lose(&flow->walk, ETM_LOST_IMAGE_MISMATCH, offset, bytes);
    etm_walk_nowhere(&flow->walk);
    flow->walk.mismatch = true;
}

/* A packet about instructions before the next address, while the position is
 * not known: it is lost. For unknown code this was reported once already. */
static void lose_packet(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    if (flow->walk.mismatch || flow->walk.astray)
        etm_walk_lose(&flow->walk,
                      flow->walk.mismatch ? ETM_LOST_IMAGE_MISMATCH
                                          : ETM_LOST_UNSYNCHRONIZED,
                      p->offset, p->size);
}

/* Add the instructions from the position up to a block on the path to the open
 * range. */
static void walk_to(struct etm_walk *w, struct etm_block *block,
                    uint64_t offset)
{
    for (struct etm_block *b = w->block; b != block; b = b->next)
        etm_walk_run(w, b, (struct etm_run){.to = b->n, .offset = offset});
    w->address = block->address;
    w->block = block;
}

/* The first block from `first` on that ends in a waypoint or has no code. NULL
 * if it is beyond the limit (doc/errata.md, E-14), or if memory has run out, as
 * w->status says. */
static struct etm_block *way_end(struct etm_walk *w, struct etm_block *first)
{
    struct etm_block *block = first;

    while (block != NULL && block->end_kind == ETM_BLOCK_FALL) {
        if (block->end - first->address > ETM_PFT_WALK_MAX)
            return NULL;
        block = etm_blocks_follow(&w->blocks, block);
        if (block == NULL)
            w->status = ETM_ERR_MEMORY;
    }
    if (block == NULL || block->last - first->address > ETM_PFT_WALK_MAX)
        return NULL;
    return block;
}

/*
 * Find the next block that ends in a waypoint. Nothing on the way is given yet,
 * as the waypoint may contradict the trace. NULL: there is none within the
 * limit (doc/errata.md, E-14), or none in known code, and elements say so.
 */
static struct etm_block *find_waypoint(struct etm_pft_flow *flow,
                                       const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = way_end(w, etm_walk_here(w));

    if (block == NULL) {
        if (w->status == ETM_OK)
            mismatch(flow, p->offset, 0);
        return NULL;
    }
    if (block->end_kind == ETM_BLOCK_NO_CODE) {
        walk_to(w, block, p->offset);
        etm_walk_no_image(w, p->offset);
        return NULL;
    }
    return block;
}

/* The path to the waypoint and its block were executed: give the range. */
static void give_way(struct etm_pft_flow *flow, struct etm_block *block,
                     enum etm_tri exec, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    walk_to(w, block, p->offset);
    etm_walk_run_block(w, block,
                       (struct etm_run){.to = block->n,
                                        .exec = exec,
                                        .cycles = w->cycles,
                                        .offset = p->offset});
    w->cycles = 0;
    flow->updated = false;
}

static void push_return(struct etm_pft_flow *flow,
                        const struct etm_block *block)
{
    if (flow->config.return_stack && (block->last_flags & ETM_INSN_LINK) != 0)
        etm_retstack_push(&flow->stack, block->end, block->isa);
}

/* An E atom on an indirect branch: does the return stack have the target
 * (4.13), or did that of the macrocell, from a call that was not seen? */
static bool may_return(const struct etm_pft_flow *flow)
{
    return flow->config.return_stack && (flow->stack.n != 0 || flow->unseen);
}

/* Such a branch was executed. The return address of a call that was not seen
 * comes with the next address in the trace (doc/errata.md, E-308). */
static void pop_return(struct etm_pft_flow *flow, const struct etm_block *block,
                       const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_return to = *etm_retstack_at(&flow->stack, 0);
    bool known = flow->stack.n != 0;

    if (known)
        etm_retstack_drop(&flow->stack);
    push_return(flow, block);
    if (known) {
        etm_walk_go(w, to.address, (enum etm_isa)to.isa, p->offset);
    } else {
        etm_walk_nowhere(w);
        flow->walk.astray = true;
        etm_walk_lose(w, ETM_LOST_UNSYNCHRONIZED, p->offset, 0);
    }
}

/* The loop may go the way that an atom took from `first` to the waypoint of
 * `block`, and to the position. */
static void link_blocks(struct etm_walk *w, const struct etm_block *first,
                        const struct etm_block *block, unsigned failed)
{
    struct etm_link *links = w->blocks.links.data;

    if (w->status != ETM_OK || (first != block && w->level != ETM_LEVEL_RANGES))
        return;
    links[first->number].to[failed] = w->block->number;
}

/* analyze_atomheader(), one atom (B.3.2). False if it had no instruction. */
static bool atom(struct etm_pft_flow *flow, bool passed,
                 const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = find_waypoint(flow, p), *first = w->block;

    if (block == NULL)
        return false;
    seen(flow);
    if (!passed) {
        if (etm_block_cannot_fail(w->block, block) &&
            block->end_kind != ETM_BLOCK_BARRIER) {
            mismatch(flow, p->offset, 0);
            return false;
        }
        give_way(flow, block, ETM_FALSE, p);
        etm_walk_enter(w, etm_blocks_follow(&w->blocks, block), p->offset);
        link_blocks(w, first, block, !passed);
    } else if (block->end_kind != ETM_BLOCK_INDIRECT) {
        give_way(flow, block, ETM_TRUE, p);
        push_return(flow, block);
        etm_walk_enter(w, etm_blocks_take(&w->blocks, block), p->offset);
        link_blocks(w, first, block, !passed);
    } else if (may_return(flow)) {
        give_way(flow, block, ETM_TRUE, p);
        pop_return(flow, block, p);
    } else {
        mismatch(flow, p->offset, 0);
        return false;
    }
    return true;
}

void etm_pft_flow_atoms(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    uint64_t bits = p->value;
    bool placed = true;

    if (flow->config.cycle_accurate)
        w->cycles += p->cycle_count;
    for (unsigned i = 0; i < p->count; i++, bits >>= 2) {
        placed = w->known;
        if (!placed || !atom(flow, (bits & 3) == ETM_ATOM_E, p))
            etm_pft_flow_blind(flow);
    }
    if (flow->walk.mismatch || !placed)
        lose_packet(flow, p);
}

/* The handler without code has returned to the interrupted address. */
static void come_back(struct etm_pft_flow *flow)
{
    if (flow->came_back)
        flow->interrupted = flow->doubt = flow->came_back = false;
}

/* branch_no_excp() (B.3.2). */
static void branch(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = w->known ? find_waypoint(flow, p) : NULL;

    if (block == NULL) {
        etm_pft_flow_blind(flow);
    } else {
        bool same = flow->last.isa == block->target_isa &&
                    flow->last.address == block->target;
        seen(flow);
        if (block->end_kind == ETM_BLOCK_BARRIER)
            same = flow->last.address == block->end;
        if (block->end_kind != ETM_BLOCK_INDIRECT && !same) {
            mismatch(flow, p->offset, p->size);
            etm_pft_flow_blind(flow);
            etm_walk_suspect(w, p, (enum etm_isa)flow->last.isa);
            flow->updated = false;
            return;
        } else {
            give_way(flow, block, ETM_TRUE, p);
            push_return(flow, block);
        }
    }
    flow->updated = false;
    flow->came_back = flow->doubt && flow->last.address == flow->back.address &&
                      flow->last.isa == flow->back.isa;
    if (flow->config.minor == 0)
        come_back(flow);
    etm_pft_flow_resume(flow, p->offset);
    etm_pft_flow_go_last(flow, p->offset);
}

static void branch_address(struct etm_pft_flow *flow,
                           const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    etm_broadcast_apply(&flow->last, &flow->config, p);
    if (flow->config.cycle_accurate)
        w->cycles += p->cycle_count;
    if (etm_walk_is_suspect(w, p, (enum etm_isa)flow->last.isa)) {
        if (p->exception == 0) /* its cycles are those of a waypoint: E-21 */
            etm_pft_flow_blind(flow);
        lose_packet(flow, p);
    } else if (p->exception != 0)
        etm_pft_flow_exception(flow, p);
    else
        branch(flow, p);
}

/* How many instructions of a block end at or before `address`, plus the one
 * that contains it. */
static unsigned up_to(const struct etm_block *block, uint32_t address)
{
    unsigned n = 0;

    while (n < block->n && etm_block_address(block, n) <= address)
        n++;
    return n;
}

/*
 * Is an update that names an instruction of `block`, or goes further, wrong
 * about the waypoint that the block ends with? It may not lead over one. It
 * names one that raised an exception instead of being executed, as RFE does in
 * Hyp mode; no direct branch does that (doc/errata.md, E-410).
 */
static bool update_contradicts(const struct etm_block *block, uint32_t target)
{
    if (block->end_kind == ETM_BLOCK_FALL || target < block->last)
        return false;
    return block->end_kind == ETM_BLOCK_DIRECT ||
           (block->end != 0 && block->end <= target);
}

/* Walk from the position past the instruction at `target`, if there is no
 * waypoint in between. */
static void walk_update(struct etm_pft_flow *flow, uint32_t target,
                        const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = w->block;
    unsigned n;

    while (block->end_kind == ETM_BLOCK_FALL && block->end <= target &&
           block->end != 0) {
        block = etm_blocks_follow(&w->blocks, block);
        if (block == NULL) {
            w->status = ETM_ERR_MEMORY;
            return;
        }
    }
    n = up_to(block, target);
    if (block->end_kind == ETM_BLOCK_NO_CODE) {
        walk_to(w, block, p->offset);
        etm_walk_no_image(w, p->offset);
        return;
    }
    if (update_contradicts(block, target)) {
        mismatch(flow, p->offset, p->size);
        return;
    }
    walk_to(w, block, p->offset);
    etm_walk_run(w, block, (struct etm_run){.to = n, .offset = p->offset});
    if (n == block->n && block->end_kind != ETM_BLOCK_FALL)
        etm_walk_close(w);
    flow->updated = true;
    flow->updated_address = etm_block_address(block, n - 1);
    w->address = etm_block_address(block, n);
    w->block = NULL;
}

/* analyze_waypoint_update() (B.3.2; doc/errata.md on its last step). */
static void waypoint_update(struct etm_pft_flow *flow,
                            const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    uint32_t target;

    etm_broadcast_apply(&flow->last, &flow->config, p);
    if (!w->known) {
        lose_packet(flow, p);
        return;
    }
    target = flow->last.address;
    if (etm_walk_here(w) == NULL)
        return;
    if (target < w->address || target - w->address > UPDATE_WALK_MAX)
        mismatch(flow, p->offset, p->size);
    else
        walk_update(flow, target, p);
}

static void gap_cycles(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    uint64_t n =
        etm_pft_flow_gap_cycles(flow, p->reason, w->cycles + p->cycle_count);

    w->cycles = 0;
    if (flow->config.cycle_accurate)
        etm_walk_cycles(w, n, p->offset);
}

static void i_sync(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    bool first = !flow->synced;

    etm_broadcast_apply(&flow->last, &flow->config, p);
    if (p->reason == ETM_SYNC_PERIODIC && !first && w->known &&
        (w->address != flow->last.address || w->isa != flow->last.isa))
        mismatch(flow, p->offset, 0);
    etm_pft_flow_no_returns(flow); /* 4.13 */
    etm_pft_flow_resume(flow, p->offset);
    flow->synced = true;
    if (first)
        w->cycles = 0; /* it is not known since when they were counted */
    if (first || p->reason != ETM_SYNC_PERIODIC) {
        etm_walk_trace_on(w, p->reason, p->offset);
        flow->updated = false;
    }
    if (p->reason != ETM_SYNC_PERIODIC)
        gap_cycles(flow, p);
    if (p->fields & ETM_FIELD_CONTEXT_ID)
        etm_walk_context_id(w, p->context_id, p->offset);
    if (!w->known || w->address != flow->last.address ||
        w->isa != flow->last.isa)
        etm_pft_flow_go_last(flow, p->offset);
    else
        etm_pft_flow_take_state(flow, p->offset);
}

/* The stream is broken: nothing is known up to the next I-sync. */
static void desync(struct etm_pft_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    etm_walk_close(&flow->walk);
    if (flow->synced)
        etm_walk_broken(&flow->walk, offset);
    etm_walk_lose(&flow->walk, reason, offset, bytes);
    etm_walk_nowhere(&flow->walk);
    etm_pft_flow_no_returns(flow); /* the next I-sync clears them */
    flow->last.timestamp_bits = 0; /* one with high bits may be missing */
    etm_walk_forget_vmid(&flow->walk, offset);
    flow->synced = false;
    flow->walk.mismatch = flow->walk.astray = false;
    flow->updated = false;
}

bool etm_pft_flow_time(struct etm_pft_flow *flow, const struct etm_packet *p,
                       uint64_t *time)
{
    etm_broadcast_apply(&flow->last, &flow->config, p);
    *time = etm_timestamp_time(&flow->config, flow->last.timestamp);
    return flow->last.timestamp_bits >= etm_timestamp_bits(&flow->config);
}

static void timestamp(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    uint64_t time;

    if (flow->config.cycle_accurate)
        w->cycles += p->cycle_count;
    if (!etm_pft_flow_time(flow, p, &time))
        return;
    etm_walk_give_lost(w);
    etm_walk_timestamp(w, time, p->offset);
}

/* Packets that cannot be used before the first I-sync. */
static bool needs_sync(enum etm_packet_kind kind)
{
    return kind == ETM_PACKET_ATOM || kind == ETM_PACKET_BRANCH_ADDRESS ||
           kind == ETM_PACKET_WAYPOINT_UPDATE ||
           kind == ETM_PACKET_EXCEPTION_EXIT;
}

static void packet(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    if (!flow->synced && needs_sync((enum etm_packet_kind)p->kind)) {
        etm_walk_lose(w, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        return;
    }
    if (etm_says_impossible(&flow->config, p)) {
        desync(flow, ETM_LOST_BAD_PACKET, p->offset, p->size);
        return;
    }
    switch ((enum etm_packet_kind)p->kind) {
    case ETM_PACKET_ATOM:
        etm_pft_flow_atoms(flow, p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        branch_address(flow, p);
        break;
    case ETM_PACKET_WAYPOINT_UPDATE:
        waypoint_update(flow, p);
        break;
    case ETM_PACKET_I_SYNC:
        i_sync(flow, p);
        break;
    case ETM_PACKET_TIMESTAMP:
        timestamp(flow, p);
        break;
    case ETM_PACKET_CONTEXT_ID:
        etm_walk_context_id(w, p->context_id, p->offset);
        break;
    case ETM_PACKET_VMID:
        etm_walk_vmid(w, (uint8_t)p->value, p->offset);
        break;
    case ETM_PACKET_EXCEPTION_EXIT:
        come_back(flow);
        etm_walk_event(w, ETM_ELEMENT_EXCEPTION_RETURN, p->offset);
        break;
    case ETM_PACKET_TRIGGER:
        etm_walk_give_lost(w);
        etm_walk_event(w, ETM_ELEMENT_TRIGGER, p->offset);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
        desync(flow, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        desync(flow, etm_walk_bad_reason(p), p->offset, p->size);
        break;
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT: /* not in PFT, from here on */
    case ETM_PACKET_LSIP_I_SYNC:
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_CYCLE_COUNT:
    case ETM_PACKET_EXCEPTION_ENTRY:
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
}

void etm_pft_flow_packet(struct etm_pft_flow *flow, const struct etm_packet *p)
{
    packet(flow, p);
    etm_walk_trim(&flow->walk);
}

int etm_pft_flow_push(struct etm_pft_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++)
        etm_pft_flow_packet(flow, &packets[i]);
    etm_walk_commit(w); /* nothing is ever taken back in PFT */
    return w->status;
}

int etm_pft_flow_gap(struct etm_pft_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out)
{
    flow->walk.out = out;
    desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_pft_flow_finish(struct etm_pft_flow *flow, uint64_t offset,
                        struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    etm_walk_close(w);
    if (flow->synced)
        etm_walk_spend(w);
    etm_walk_finish(w, offset);
    return w->status;
}

#define OWN(name) ETM_IMPRINT(struct etm_pft_flow, name)

static const struct etm_imprint_field fields[] = {
    OWN(synced),    OWN(walk.mismatch), OWN(walk.astray), OWN(updated),
    OWN(came_back), OWN(unseen),        OWN(doubt),       OWN(interrupted)};
static const struct etm_imprint_field now_and_then[] = {
    ETM_IMPRINT_IF(struct etm_pft_flow, updated_address, updated),
    ETM_IMPRINT_IF(struct etm_pft_flow, back.address, interrupted),
    ETM_IMPRINT_IF(struct etm_pft_flow, back.isa, interrupted)};

void etm_pft_imprint(const struct etm_pft_decoder *d,
                     const struct etm_pft_flow *flow,
                     struct etm_imprint *imprint)
{
    etm_pft_decoder_imprint(d, imprint);
    etm_walk_imprint(&flow->walk, 0, imprint);
    etm_broadcast_imprint(&flow->last, imprint);
    etm_retstack_imprint(&flow->stack, imprint);
    if (flow->interrupted)
        etm_imprint_put(imprint, flow->stack.top - flow->back_top);
    ETM_IMPRINT_TABLE(imprint, flow, fields);
    ETM_IMPRINT_TABLE(imprint, flow, now_and_then);
}
