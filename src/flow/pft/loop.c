/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From bytes of PFT to elements. loop.inc follows the program from block to
 * block, as long as these are linked, and takes the packets of which chips
 * trace many. Every other packet, and an atom that leads where none has led
 * before, is taken by the decoder and the flow, which know all the rules.
 * Between packets the position is in the flow, whoever took them.
 */
#include "flow/pft/flow.h"
#include "proto/broadcast.h"
#include "proto/pft_payload.h"

/* Elements of one packet at most: the blocks of five atoms, each with a context
 * before it. */
#define ROOM (5 * (ETM_BLOCK_MAX + 1))

/* Not an instruction set: walk.context_changed is set. Otherwise only the
 * instruction set may have changed. */
#define NOTED 0xffu

/* What a loop keeps of the flow. Only inline functions get a pointer to it:
 * otherwise it would be read from memory each time. */
struct place {
    const struct etm_link *links;
    uint32_t number;       /* of the block at the position; 0: not known */
    unsigned isa;          /* of the last range, or NOTED */
    struct etm_element *e; /* the next element */
    uint64_t cycles;       /* counted since the last instruction */
    uint64_t moved;        /* only ETM_LEVEL_COUNTS: see moved() */
    uint8_t head[ETM_FAST_HEAD_SIZE]; /* of what is given of blocks */
};

static inline struct place enter(const struct etm_pft_flow *flow)
{
    const struct etm_walk *w = &flow->walk;
    struct place at = {.links = w->blocks.links.data,
                       .number = w->known ? w->block->number : 0,
                       .isa = w->context_changed ? NOTED : w->isa,
                       .e = (struct etm_element *)w->out->data + w->out->n,
                       .cycles = w->cycles};

    memcpy(at.head,
           w->level == ETM_LEVEL_INSTRUCTIONS ? w->insn_head : w->range_head,
           sizeof at.head);
    return at;
}

/* Offset of the packet that led to the position. If an instruction did, its
 * element has it. */
static inline uint64_t moved(const struct place *at, enum etm_level level)
{
    return level == ETM_LEVEL_COUNTS ? at->moved : at->e[-1].offset;
}

/* If an instruction has led to another instruction set, note this before other
 * elements. */
static inline void note_isa(struct etm_pft_flow *flow, struct place *at,
                            enum etm_level level)
{
    if (at->number == 0 || at->isa == NOTED ||
        at->links[at->number].block->isa == at->isa)
        return;
    etm_walk_context_changed(&flow->walk, moved(at, level));
    at->isa = NOTED;
}

/* The packet at `offset` gave the position. */
static inline void arrive(struct etm_pft_flow *flow, struct place *at,
                          uint64_t offset)
{
    if (at->isa == NOTED || at->isa == flow->last.isa)
        return;
    etm_walk_context_changed(&flow->walk, offset);
    at->isa = NOTED;
}

static inline void leave(struct etm_pft_flow *flow, struct place *at,
                         enum etm_level level)
{
    struct etm_walk *w = &flow->walk;

    note_isa(flow, at, level);
    w->out->n = (size_t)(at->e - (struct etm_element *)w->out->data);
    w->cycles = at->cycles;
    w->known = at->number != 0;
    w->block = NULL;
    if (w->known) {
        w->block = at->links[at->number].block;
        w->address = w->block->address;
        w->isa = w->block->isa;
    }
}

/* The packets for a loop, and where it left off. */
struct stretch {
    const uint8_t *p, *end; /* packets begin before `end` */
    uint64_t offset;        /* of p */
    const struct etm_element *full;
    unsigned left; /* of the atoms at p, as in struct etm_pft_table */
};

/* The context before an instruction, to which the packet at `offset` led if it
 * is not noted. Returns the place after it. */
static struct etm_element *give_context(struct etm_walk *w,
                                        struct etm_element *e, unsigned isa,
                                        uint64_t offset)
{
    etm_walk_context_changed(w, offset);
    w->isa = (uint8_t)isa;
    return etm_walk_put_context(w, e);
}

/* An instruction is about to be given: give the context before it, if its
 * instruction set is not that of the one before. */
static inline void see_isa(struct etm_pft_flow *flow, struct place *at,
                           unsigned isa, enum etm_level level)
{
    if (isa == at->isa)
        return;
    at->e = give_context(&flow->walk, at->e, isa,
                         at->isa == NOTED ? flow->walk.context_offset
                                          : moved(at, level));
    at->isa = isa;
}

/* An element without the part specific to its kind. */
static inline struct etm_element *
give_word(struct place *at, enum etm_element_kind kind, uint64_t offset)
{
    *at->e = (struct etm_element){
        .offset = offset, .kind = (uint8_t)kind, .source = at->head[1]};
    return at->e++;
}

/* An instruction was executed where there is no code; false, with nothing done,
 * if there is, or if this may be a return from an exception. */
static inline bool blind(struct etm_pft_flow *flow, struct place *at,
                         enum etm_level level, uint64_t offset)
{
    const struct etm_block *block = at->links[at->number].block;

    if (flow->interrupted ||
        (at->number != 0 && block->end_kind != ETM_BLOCK_NO_CODE))
        return false;
    if (at->number != 0) {
        see_isa(flow, at, block->isa, level);
        give_word(at, ETM_ELEMENT_NO_IMAGE, offset)->u.no_image.address =
            block->address;
        at->number = 0;
    }
    flow->walk.cycles = at->cycles;
    etm_pft_flow_blind(flow);
    at->cycles = 0;
    return true;
}

/* An address has come: report what could not be followed. */
static inline void resume(struct etm_pft_flow *flow, struct place *at,
                          uint64_t offset)
{
    struct etm_walk *w = &flow->walk;

    if (w->blind_cycles == 0)
        return;
    give_word(at, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = w->blind_cycles;
    w->blind_cycles = 0;
}

/* The block with the waypoint to which the path from a full one leads, and the
 * instructions before it. NULL: it is left to the flow. */
static struct etm_block *waypoint_of(const struct etm_block *first, uint32_t *n)
{
    struct etm_block *block = first->next;

    *n = first->n;
    while (block != NULL && block->end_kind == ETM_BLOCK_FALL &&
           block->end - first->address <= ETM_PFT_WALK_MAX) {
        *n += block->n;
        block = block->next;
    }
    return block != NULL && block->end_kind != ETM_BLOCK_FALL &&
                   block->last - first->address <= ETM_PFT_WALK_MAX
               ? block
               : NULL;
}

/* Whether the path from a block leads to an indirect branch. */
static inline bool is_indirect(const struct etm_block *block,
                               enum etm_level level)
{
    uint32_t n;

    if (block->end_kind == ETM_BLOCK_FALL && level == ETM_LEVEL_RANGES)
        block = waypoint_of(block, &n);
    return block != NULL && block->end_kind == ETM_BLOCK_INDIRECT;
}

/* Where the return stack leads from `block`, if that is an indirect branch; 0:
 * it is left to the flow. */
static inline uint32_t return_to(struct etm_pft_flow *flow,
                                 const struct etm_block *block)
{
    const struct etm_return *to = etm_retstack_at(&flow->stack, 0);
    uint32_t number;

    if (flow->stack.n == 0 || !is_indirect(block, flow->walk.level))
        return 0;
    number =
        etm_blocks_find(&flow->walk.blocks, to->address, (enum etm_isa)to->isa);
    if (number != 0)
        etm_retstack_drop(&flow->stack);
    return number;
}

/* The size of an A-sync that ends within the readable bytes, or 0. */
static unsigned size_of_a_sync(const uint8_t *p)
{
    unsigned n = 0;

    while (n < ETM_PFT_WINDOW && p[n] == 0)
        n++;
    return n >= ETM_PFT_A_SYNC_ZEROS && n < ETM_PFT_WINDOW && p[n] == 0x80
               ? n + 1
               : 0;
}

#define ETM_LOOP(name) name##_ranges
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES false
#define ETM_LOOP_RETURNS false
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_ranges_returns
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES false
#define ETM_LOOP_RETURNS true
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_ranges_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES true
#define ETM_LOOP_RETURNS false
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_ranges_cycles_returns
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES true
#define ETM_LOOP_RETURNS true
#include "flow/pft/loop.inc"

/* With or without a return stack: it is asked for at each block. */
#define ETM_LOOP(name) name##_insns
#define ETM_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_LOOP_CYCLES false
#define ETM_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_insns_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_LOOP_CYCLES true
#define ETM_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_counts
#define ETM_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_LOOP_CYCLES false
#define ETM_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_LOOP(name) name##_counts_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_LOOP_CYCLES true
#define ETM_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

typedef void take_fn(struct etm_pft_flow *flow, const struct etm_pft_decoder *d,
                     struct stretch *s);

/* By level, cycle counts, return stack. */
static take_fn *const takers[4][2][2] = {
    [ETM_LEVEL_RANGES] = {{take_ranges, take_ranges_returns},
                          {take_ranges_cycles, take_ranges_cycles_returns}},
    [ETM_LEVEL_INSTRUCTIONS] = {{take_insns, take_insns},
                                {take_insns_cycles, take_insns_cycles}},
    [ETM_LEVEL_COUNTS] = {{take_counts, take_counts},
                          {take_counts_cycles, take_counts_cycles}},
    [ETM_LEVEL_COVERAGE] = {{take_counts, take_counts},
                            {take_counts_cycles, take_counts_cycles}},
};

/* Whether a loop can take what comes next: nothing is lost, and the state is
 * that of the last address. */
static bool is_ready(struct etm_pft_flow *flow)
{
    struct etm_walk *w = &flow->walk;

    return flow->synced && !w->has_open && !w->has_lost && !w->mismatch &&
           !w->astray && !flow->updated && !flow->doubt &&
           flow->last.isa != ETM_ISA_JAZELLE &&
           w->now.secure == (uint8_t)etm_pft_flow_secure(flow) &&
           w->now.hyp == (uint8_t)etm_pft_flow_hyp(flow) &&
           (etm_walk_look(w) != NULL || !w->known);
}

/* Make room for what a loop may give before it is full: more than that, so that
 * it lasts. */
static bool has_room(struct etm_walk *w, size_t full)
{
    if (w->out->capacity < full + ROOM)
        w->status = etm_vec_reserve(w->out, full + ROOM - w->out->n);
    return w->status == ETM_OK;
}

/* The last atoms of the packet at s->p, with all the rules. */
static unsigned take_atoms(struct etm_pft_flow *flow,
                           const struct etm_pft_decoder *d,
                           const struct stretch *s)
{
    const unsigned atoms = d->table.atoms[*s->p], all = atoms >> 12;
    struct etm_packet packet = {
        .offset = s->offset, .size = 1, .kind = ETM_PACKET_ATOM};

    while (s->left >> packet.count != 1)
        packet.count++;
    packet.value = (atoms & 0xfffu) >> 2 * (all - packet.count);
    etm_pft_flow_atoms(flow, &packet);
    etm_walk_trim(&flow->walk);
    return packet.size;
}

/* One packet, with all the rules. Returns its size, or 0. */
static unsigned take_packet(struct etm_pft_flow *flow,
                            struct etm_pft_decoder *d, const uint8_t *p)
{
    struct etm_packet packet;
    unsigned size = etm_pft_decoder_next(d, p, &packet);

    if (size != 0)
        etm_pft_flow_packet(flow, &packet);
    return size;
}

size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;
    take_fn *take = takers[w->level][flow->config.cycle_accurate]
                          [flow->config.return_stack];
    const size_t full = out->n + ETM_FAST_BATCH;
    const uint64_t start = d->offset;
    struct stretch s = {.p = bytes};
    unsigned size = 1;

    if (d->state != ETM_PFT_SYNCHRONIZED || d->n_carry != 0 ||
        w->status != ETM_OK || n < ETM_PFT_WINDOW)
        return 0;
    w->out = out;
    s.end = bytes + n - (ETM_PFT_WINDOW - 1);
    while (s.p < s.end && out->n < full && w->status == ETM_OK && size != 0) {
        if (is_ready(flow) && has_room(w, full)) {
            s.offset = start + (uint64_t)(s.p - bytes);
            s.full = (struct etm_element *)out->data + full;
            s.left = 1;
            take(flow, d, &s);
            d->offset = s.offset;
            if (s.left != 1) {
                size = take_atoms(flow, d, &s);
                s.p += size;
                d->offset += size;
                continue;
            }
            if (s.p >= s.end || out->n >= full)
                break;
        }
        if (w->status != ETM_OK)
            break;
        size = take_packet(flow, d, s.p);
        s.p += size;
    }
    etm_pft_decoder_pass(d, bytes, (size_t)(s.p - bytes));
    etm_walk_commit(w);
    return (size_t)(s.p - bytes);
}
