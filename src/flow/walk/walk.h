/* SPDX-License-Identifier: Apache-2.0 */
/* Walking the program (state.h): what the flows of all protocols do. */
#ifndef ETM_FLOW_WALK_H
#define ETM_FLOW_WALK_H

#include "base/exception.h"
#include "base/fetch.h"
#include "base/isa.h"
#include "flow/walk/state.h"

/*
 * The walk is zeroed, except for its level and `split`. `rules` define what
 * ends a block; rules->insns is set by the level. `config` has to stay as long
 * as the walk. ETM_OK or ETM_ERR_MEMORY; etm_walk_fini() is due in both cases.
 */
int etm_walk_init(struct etm_walk *w, const struct etm_config *config,
                  const struct etm_image *image,
                  const struct etm_block_rules *rules,
                  const struct etm_allocator *allocator);
void etm_walk_fini(struct etm_walk *w);

/* Make room for one more element; if there is no memory, see
 * etm_walk_add(). */
struct etm_element *etm_walk_grow(struct etm_walk *w);

/* A new element at the end of the output, all of which is to be written. Never
 * NULL: if memory runs out, `status` is set, and what is written is lost. */
static inline struct etm_element *etm_walk_new(struct etm_walk *w)
{
    struct etm_vec *out = w->out;

    if (out->n == out->capacity)
        return etm_walk_grow(w);
    return (struct etm_element *)out->data + out->n++;
}

/* A new element at the end of the output, zeroed except for kind, source and
 * offset. */
static inline struct etm_element *
etm_walk_add(struct etm_walk *w, enum etm_element_kind kind, uint64_t offset)
{
    static const struct etm_element zero;
    struct etm_element *element = etm_walk_new(w);

    *element = zero;
    element->kind = (uint8_t)kind;
    element->source = w->source;
    element->offset = offset;
    return element;
}

/* Fill a new element with a range: `last` is what it ends with, in code of that
 * instruction set. */
static inline void etm_walk_fill(const struct etm_walk *w,
                                 const struct etm_walk_range *r,
                                 struct etm_block_last last,
                                 struct etm_element *e)
{
    e->u.range.isa = r->block->isa;
    e->u.range.last_type = last.type;
    e->u.range.last_exec = r->exec;
    e->u.range.last_flags = last.flags;
    e->u.range.start = r->start;
    e->u.range.end = last.end;
    e->u.range.n = r->n;
    e->u.range.last_address = last.address;
    e->u.range.cycles = w->cycle_accurate ? r->cycles : ETM_CYCLES_UNKNOWN;
}

/* The range was closed and is to be counted. */
void etm_walk_count(struct etm_walk *w);

/* Count the range that is pending, if there is one. */
void etm_walk_count_now(struct etm_walk *w);
static inline void etm_walk_count_pending(struct etm_walk *w)
{
    if (w->pending.block != NULL)
        etm_walk_count_now(w);
}

/* It is given. */
void etm_walk_give(struct etm_walk *w);

/* Close the open range, if any: give it, or count it. */
static inline void etm_walk_close(struct etm_walk *w)
{
    if (!w->has_open)
        return;
    if (w->counts)
        etm_walk_count(w);
    else
        etm_walk_give(w);
}

/*
 * Get ready to walk at the position: gives what must precede the next
 * instruction (a context), and looks up the block. NULL if the position is not
 * known or memory has run out; otherwise a block, which may be one without
 * code.
 */
struct etm_block *etm_walk_here(struct etm_walk *w);

/*
 * etm_walk_here() without giving anything: a changed context is given by the
 * next etm_walk_here(). Blocks got before may be of other code: see
 * etm_blocks_see().
 */
struct etm_block *etm_walk_look(struct etm_walk *w);

/*
 * The trace gave the position, and the halves of a Thumb BL or BLX are traced
 * as two instructions: it may be the second one. An exception can return there,
 * and tracing can begin there (4.5.4). If it is, *half is set and the position
 * is that of the whole. Returns as etm_walk_here().
 */
struct etm_block *etm_walk_half(struct etm_walk *w, bool *half);

/* The address of the position, which is instruction `index` of its block. */
static inline uint32_t etm_walk_at(const struct etm_walk *w, unsigned index)
{
    if (w->block != NULL)
        return etm_block_address(w->block, index);
    return w->address;
}

/* Set the position. */
void etm_walk_go(struct etm_walk *w, uint32_t address, enum etm_isa isa,
                 uint64_t offset);

/* etm_walk_enter() of another instruction set, or of none. */
void etm_walk_enter_other(struct etm_walk *w, struct etm_block *link,
                          uint64_t offset);

/* At the entry of a block: prefetch what will soon be read of the following
 * blocks, while the packets of this one are taken. */
static inline void etm_walk_fetch(const struct etm_block *block)
{
    etm_fetch(block->taken);
    etm_fetch(block->next);
}

/* At the entry of a block: prefetch the records of its data transfers. */
static inline void etm_walk_fetch_rows(const struct etm_walk *w,
                                       const struct etm_block *block)
{
    const struct etm_vec *rows = &w->blocks.transfers;
    /* as a number, not a pointer: there may be no rows, and nothing is read */
    const uintptr_t row = (uintptr_t)rows->data + block->rows * rows->width;

    etm_fetch((const void *)row);
    etm_fetch((const void *)(row + 64));
}

/* Go to the block of `link`; NULL: out of memory. */
static inline void etm_walk_enter(struct etm_walk *w, struct etm_block *link,
                                  uint64_t offset)
{
    if (link == NULL || link->isa != w->isa) {
        etm_walk_enter_other(w, link, offset);
        return;
    }
    w->block = link;
    w->address = link->address;
    etm_walk_fetch(link);
    if (w->blocks.rules.transfers)
        etm_walk_fetch_rows(w, link);
}

/* The position is not known any more. */
static inline void etm_walk_nowhere(struct etm_walk *w)
{
    w->known = false;
    w->block = NULL;
}

/* Give no_image for the position and lose it. */
void etm_walk_no_image(struct etm_walk *w, uint64_t offset);

/* Instructions `from` to `to` (exclusive, from < to) of a block that were
 * executed at `offset`. `exec` is that of the last instruction, `others` that
 * of the others; all `cycles` belong to the last. */
struct etm_run {
    unsigned from, to;
    enum etm_tri others, exec;
    uint64_t cycles, offset;
};

/* etm_walk_run() at instruction level: one element each. */
static inline void etm_walk_run_insns(struct etm_walk *w,
                                      struct etm_block *block,
                                      struct etm_run run)
{
    const struct etm_block_insn *insns = etm_blocks_insns(&w->blocks, block);
    const uint64_t each = w->cycle_accurate ? 0 : ETM_CYCLES_UNKNOWN;
    struct etm_vec *out = w->out;
    struct etm_element *e;

    if (insns == NULL || (out->capacity - out->n < run.to - run.from &&
                          etm_vec_reserve(out, run.to - run.from) != ETM_OK)) {
        w->status = ETM_ERR_MEMORY;
        return;
    }
    e = (struct etm_element *)out->data + out->n;
    out->n += run.to - run.from;
    for (unsigned i = run.from; i < run.to; i++, e++) {
        etm_fast_give_insn(e, w->insn_head, &insns[i], run.offset, each);
        e->u.insn.exec = (uint8_t)run.others;
    }
    e[-1].u.insn.exec = (uint8_t)run.exec;
    if (w->cycle_accurate)
        e[-1].u.insn.cycles = run.cycles;
}

/* etm_walk_run() at the level of ranges. */
static inline void etm_walk_run_range(struct etm_walk *w,
                                      const struct etm_block *block,
                                      struct etm_run run)
{
    unsigned more;

    if (!w->has_open) {
        w->has_open = true;
        w->open_start = etm_block_address(block, run.from);
        w->open_n = 0;
        w->open_cycles = 0;
        w->open_offset = run.offset;
    }
    /* without a branch, because the length of a run is unpredictable */
    more = 0u - (run.to - run.from > 1);
    w->before_exec = (uint8_t)(((unsigned)run.others & more) |
                               ((unsigned)w->open_exec & ~more));
    w->open_exec = (uint8_t)run.exec;
    w->open_n += run.to - run.from;
    w->open_cycles += run.cycles;
    if (run.from == 0) {
        w->before_block = w->end_block;
        w->before_index = w->end_index;
    }
    w->end_block = block;
    w->end_index = run.to - 1;
}

/* Instructions of `block` were executed; they extend the open range or become
 * elements of their own. */
static inline void etm_walk_run(struct etm_walk *w, struct etm_block *block,
                                struct etm_run run)
{
    if (w->level == ETM_LEVEL_INSTRUCTIONS)
        etm_walk_run_insns(w, block, run);
    else
        etm_walk_run_range(w, block, run);
}

/* etm_walk_close() of a range that ends with `block`. */
static inline void etm_walk_end(struct etm_walk *w,
                                const struct etm_block *block)
{
    struct etm_element *e;

    if (!w->has_open)
        return;
    if (w->counts) {
        etm_walk_count(w);
        return;
    }
    w->has_open = false;
    e = etm_walk_new(w);
    etm_fast_give_block(e, w->range_head, w->open_offset, block,
                        w->cycle_accurate ? w->open_cycles
                                          : ETM_CYCLES_UNKNOWN);
    e->u.range.last_exec = w->open_exec;
    e->u.range.start = w->open_start;
    e->u.range.n = w->open_n;
}

/* etm_walk_run() to the end of a block that ends its range, and the range. */
static inline void etm_walk_run_block(struct etm_walk *w,
                                      struct etm_block *block,
                                      struct etm_run run)
{
    etm_walk_run(w, block, run);
    if (w->level != ETM_LEVEL_INSTRUCTIONS)
        etm_walk_end(w, block);
}

/*
 * The last instruction that was walked was cancelled; its `cycles` are
 * subtracted. At instruction level its element is removed; otherwise it is
 * removed from its range, which is open or among the elements still held.
 * Returns the number of the removed element, or UINT64_MAX if there was none.
 */
uint64_t etm_walk_take_back(struct etm_walk *w, uint64_t cycles);

/* Remove the last element of that kind that is still held. Returns its number,
 * or UINT64_MAX if there was none. */
uint64_t etm_walk_drop_held(struct etm_walk *w, enum etm_element_kind kind);

/* etm_walk_trim() if there are too many blocks. */
void etm_walk_forget(struct etm_walk *w);

/* Forget blocks if there are too many. Only when nothing can be taken back any
 * more, and walk.address is the position: the position and the open range are
 * kept. */
static inline void etm_walk_trim(struct etm_walk *w)
{
    if (etm_blocks_full(&w->blocks))
        etm_walk_forget(w);
}

/* Count bytes that could not be used; the first reason is kept. */
void etm_walk_lose(struct etm_walk *w, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes);

/* Why the bytes of a bad or reserved packet are lost. */
static inline enum etm_lost_reason
etm_walk_bad_reason(const struct etm_packet *packet)
{
    return (packet->fields & ETM_FIELD_TRUNCATED) != 0 ? ETM_LOST_TRUNCATED
                                                       : ETM_LOST_BAD_PACKET;
}

/* Give what was counted. */
void etm_walk_give_lost(struct etm_walk *w);

/* From here on `lost_kept` is valid. */
static inline void etm_walk_mark(struct etm_walk *w)
{
    w->lost_kept = w->has_lost;
}

/* The low bits of an address that a packet gives: those that it does not give
 * stay as they are. */
static inline uint8_t etm_walk_bits(const struct etm_packet *p,
                                    enum etm_isa isa)
{
    return (uint8_t)(p->address_bits + etm_isa_shift(isa));
}

/* The packet contradicts the image: its address is in doubt. */
static inline void etm_walk_suspect(struct etm_walk *w,
                                    const struct etm_packet *p,
                                    enum etm_isa isa)
{
    uint8_t bits = etm_walk_bits(p, isa);

    if (bits > w->suspect)
        w->suspect = bits;
}

/* Does a packet give no whole address, because the bits above are in doubt
 * (doc/errata.md, E-662)? */
static inline bool etm_walk_is_suspect(const struct etm_walk *w,
                                       const struct etm_packet *p,
                                       enum etm_isa isa)
{
    return w->mismatch && etm_walk_bits(p, isa) < w->suspect;
}

/* An instruction was executed that cannot be identified: its cycles are
 * kept. */
static inline void etm_walk_blind(struct etm_walk *w)
{
    w->blind_cycles += w->cycles;
    w->cycles = 0;
}

/* The trace gave an address: report what could not be followed up to here. */
void etm_walk_resume(struct etm_walk *w, uint64_t offset);

/* The reason of a `trace_on`, from that of an I-sync (enum etm_sync_reason). */
static inline enum etm_trace_on_reason etm_walk_began(unsigned sync_reason)
{
    static_assert(
        (int)ETM_TRACE_ON_START == (int)ETM_SYNC_TRACE_ON - 1 &&
            (int)ETM_TRACE_ON_OVERFLOW == (int)ETM_SYNC_OVERFLOW - 1 &&
            (int)ETM_TRACE_ON_DEBUG_EXIT == (int)ETM_SYNC_DEBUG_EXIT - 1,
        "in the same order");
    return sync_reason == ETM_SYNC_PERIODIC
               ? ETM_TRACE_ON_START
               : (enum etm_trace_on_reason)(sync_reason - 1);
}

/* The cycles counted since the last instruction will belong to no instruction:
 * they are given like those of unknown code (doc/errata.md, E-309). */
void etm_walk_spend(struct etm_walk *w);

/* The stream breaks off: give these cycles before what is lost. */
void etm_walk_broken(struct etm_walk *w, uint64_t offset);

/* The end: give what could not be followed, and `end`; everything is final. */
void etm_walk_finish(struct etm_walk *w, uint64_t offset);

/* Simple elements; each closes the open range first. */
void etm_walk_trace_on(struct etm_walk *w, unsigned sync_reason,
                       uint64_t offset);
void etm_walk_cycles(struct etm_walk *w, uint64_t n, uint64_t offset);
void etm_walk_timestamp(struct etm_walk *w, uint64_t value, uint64_t offset);
void etm_walk_event(struct etm_walk *w, enum etm_element_kind kind,
                    uint64_t offset);

/* Whether the last context element is still right. */
static inline bool etm_walk_is_given(const struct etm_walk *w)
{
    const struct etm_walk_context *now = &w->now, *given = &w->given;

    return now->isa == given->isa && now->secure == given->secure &&
           now->hyp == given->hyp &&
           now->context_id_known == given->context_id_known &&
           now->context_id == given->context_id &&
           now->vmid_known == given->vmid_known && now->vmid == given->vmid;
}

/* Note that the context may have changed; an element follows before the next
 * walk. */
static inline void etm_walk_context_changed(struct etm_walk *w, uint64_t offset)
{
    if (!w->context_changed) {
        w->context_offset = offset;
        w->context_timed = false;
    }
    w->context_changed = true;
}

/* Cycles from the last element that counts any to the current packet. */
static inline uint64_t etm_walk_since_last(const struct etm_walk *w)
{
    return w->blind_cycles + w->cycles;
}

/* Set `since` of an element, if it fits. */
static inline void etm_walk_time(struct etm_element *e, uint64_t since)
{
    e->since_known = since <= UINT32_MAX;
    e->since = e->since_known ? (uint32_t)since : 0;
}

/* The context, for callers that write elements themselves: it is written to
 * `e`, if there is anything to give. Returns the place after it. */
struct etm_element *etm_walk_put_context(struct etm_walk *w,
                                         struct etm_element *e);

/* If the context was changed by the packet at that offset, this was in the
 * current cycle. */
static inline void etm_walk_time_context(struct etm_walk *w, uint64_t offset)
{
    if (!w->context_changed || w->context_offset != offset)
        return;
    w->context_timed = true;
    w->context_since = etm_walk_since_last(w);
}

/* Security and Hyp state as traced. */
void etm_walk_state(struct etm_walk *w, enum etm_tri secure, enum etm_tri hyp,
                    uint64_t offset);
void etm_walk_context_id(struct etm_walk *w, uint32_t context_id,
                         uint64_t offset);
/* After a reset the context ID is not known until it is traced (4.7). */
void etm_walk_forget_context_id(struct etm_walk *w, uint64_t offset);
void etm_walk_vmid(struct etm_walk *w, uint8_t vmid, uint64_t offset);
/* A packet with another VMID may be lost. */
void etm_walk_forget_vmid(struct etm_walk *w, uint64_t offset);

/* Everything held back is final now, except what data may still change. */
static inline void etm_walk_commit(struct etm_walk *w)
{
    w->unmade = 0;
    w->held = w->out->n;
    if (w->floor - w->base < w->held) {
        w->mark = w->base + w->held;
        w->held = (size_t)(w->floor - w->base);
    }
}

/* The number of the first element that was added since. */
static inline uint64_t etm_walk_since(const struct etm_walk *w)
{
    uint64_t held = w->base + w->held;

    return w->mark > held ? w->mark : held;
}

/* Maximum number of elements held back because of one instruction. No chip
 * makes as many: then it is final, whatever comes (doc/errata.md, E-376). */
#define ETM_WALK_HELD_MAX 65536u

static inline bool etm_walk_is_long(const struct etm_walk *w)
{
    uint64_t n = w->out->n + w->unmade;

    return n > ETM_WALK_HELD_MAX &&
           w->base + n > ETM_WALK_HELD_MAX + etm_walk_since(w);
}

/* Remove an element that is still held from the output. */
void etm_walk_remove(struct etm_walk *w, size_t index);

#endif
