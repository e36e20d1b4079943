/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Following the program: shared by the flows of all protocols. It keeps a
 * position in the code, the range that is being walked, the context, and the
 * resulting elements. Elements from index `held` on may still be changed or
 * taken back (a later packet can cancel an instruction); the caller must not
 * use them.
 */
#ifndef ETM_FLOW_FOLLOW_H
#define ETM_FLOW_FOLLOW_H

#include "base/fetch.h"
#include "base/vec.h"
#include "flow/walk/fast.h"
#include "image/block.h"

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/element.h>
#include <etm/packet.h>

/* The context of instructions. */
struct etm_follow_context {
    uint8_t isa;    /* enum etm_isa */
    uint8_t secure; /* enum etm_tri */
    uint8_t hyp;    /* enum etm_tri */
    bool context_id_known, vmid_known;
    uint8_t vmid;
    uint32_t context_id;
};

/* A range: n instructions from `start` to the one at `index` of a block. */
struct etm_follow_range {
    const struct etm_block *block; /* NULL: none */
    uint32_t index, start, n;
    uint8_t exec; /* enum etm_tri: of the last one */
    uint64_t cycles;
};

struct etm_follow {
    struct etm_blocks blocks;
    struct etm_vec *out; /* struct etm_element; set for each push */
    size_t held;         /* elements that are final */
    uint64_t base;       /* elements already output: the number of out[0] */
    uint64_t floor;      /* number of the first element that data may still
                            change; UINT64_MAX: none */
    uint64_t mark;       /* if it holds elements back: number of the first one
                            that would be held anyway */
    int status;          /* sticky: ETM_ERR_MEMORY */
    enum etm_level level;
    enum etm_profile profile;
    bool cycle_accurate;
    uint8_t source;

    /* The next instruction. `block` begins at `address`, or is NULL if it must
     * be looked up. */
    bool known;
    uint32_t address;
    uint8_t isa;
    struct etm_block *block;

    struct etm_follow_context now;   /* according to the packets */
    struct etm_follow_context given; /* according to the last element */
    bool context_changed;            /* now may differ from given */
    uint64_t context_offset;         /* of the packet that changed it */
    bool context_timed;              /* and this packet has its cycle: */
    uint64_t context_since;          /* see etm_follow_since_last() */

    /* The open range: n instructions from `start` to the one at index
     * last_index of last_block, which is `kept` if blocks have been forgotten
     * since. It stays valid after it was closed, for etm_follow_take_back(). */
    bool has_open;
    uint8_t open_exec;   /* enum etm_tri: of the last instruction */
    uint8_t before_exec; /* of the one before it */
    uint32_t open_start;
    uint32_t open_n;
    uint32_t last_index;
    const struct etm_block *last_block;
    const struct etm_block *before_block; /* walked before last_block */
    uint32_t before_index;                /* up to here */
    uint64_t open_cycles, open_offset;

    struct etm_element nothing; /* written to if memory has run out */

    uint64_t cycles;         /* counted since the last instruction */
    uint64_t counted_cycles; /* ETM_LEVEL_COUNTS: of counted executions, if
                                cycles are counted */
    uint64_t blind_cycles;   /* of instructions without known code */

    /* Bytes that could not be used and were not reported yet. */
    uint64_t lost_bytes, lost_offset;
    uint8_t lost_reason;
    bool has_lost;
    bool lost_kept; /* for etm_follow_mark(): they have not changed since */

    struct etm_block kept; /* see last_block */

    /* Ranges are counted in blocks and not given: a closed one only when the
     * next one is closed, because it may be taken back, or at once if it is
     * `certain` that it will not be; but none while they are `muted`. */
    bool counts, certain, muted;
    struct etm_follow_range owed;
    uint64_t unmade; /* elements that were not made since the last time that all
                        were final: ranges, and unwanted ones */
};

/*
 * `rules` define what ends a block; rules->insns is set by the level. ETM_OK or
 * ETM_ERR_MEMORY; etm_follow_fini() is due in both cases.
 */
int etm_follow_init(struct etm_follow *f, const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator);
void etm_follow_fini(struct etm_follow *f);

/* Make room for one more element; if there is no memory, see
 * etm_follow_add(). */
struct etm_element *etm_follow_grow(struct etm_follow *f);

/* A new element at the end of the output, all of which is to be written. Never
 * NULL: if memory runs out, `status` is set, and what is written is lost. */
static inline struct etm_element *etm_follow_new(struct etm_follow *f)
{
    struct etm_vec *out = f->out;

    if (out->n == out->capacity)
        return etm_follow_grow(f);
    return (struct etm_element *)out->data + out->n++;
}

/* A new element at the end of the output, zeroed except for kind, source and
 * offset. */
static inline struct etm_element *etm_follow_add(struct etm_follow *f,
                                                 enum etm_element_kind kind,
                                                 uint64_t offset)
{
    static const struct etm_element zero;
    struct etm_element *element = etm_follow_new(f);

    *element = zero;
    element->kind = (uint8_t)kind;
    element->source = f->source;
    element->offset = offset;
    return element;
}

/* Fill a new element with a range: `last` is what it ends with, in code of that
 * instruction set. */
static inline void etm_follow_fill(const struct etm_follow *f,
                                   const struct etm_follow_range *r,
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
    e->u.range.cycles = f->cycle_accurate ? r->cycles : ETM_CYCLES_UNKNOWN;
}

/* The range was closed and is to be counted. */
void etm_follow_owe(struct etm_follow *f);

/* Count the range that is owed, if there is one. */
void etm_follow_count_owed(struct etm_follow *f);
static inline void etm_follow_pay(struct etm_follow *f)
{
    if (f->owed.block != NULL)
        etm_follow_count_owed(f);
}

/* It is given. */
void etm_follow_give(struct etm_follow *f);

/* Close the open range, if any: give it, or owe its count. */
static inline void etm_follow_close(struct etm_follow *f)
{
    if (!f->has_open)
        return;
    if (f->counts)
        etm_follow_owe(f);
    else
        etm_follow_give(f);
}

/*
 * Get ready to walk at the position: gives what must precede the next
 * instruction (a context), and looks up the block. NULL if the position is not
 * known or memory has run out; otherwise a block, which may be one without
 * code.
 */
struct etm_block *etm_follow_here(struct etm_follow *f);

/*
 * etm_follow_here() without giving anything: a changed context is given by the
 * next etm_follow_here(). Blocks got before may be of other code: see
 * etm_blocks_see().
 */
struct etm_block *etm_follow_look(struct etm_follow *f);

/*
 * The trace gave the position, and the halves of a Thumb BL or BLX are traced
 * as two instructions: it may be the second one. An exception can return there,
 * and tracing can begin there (4.5.4). If it is, *half is set and the position
 * is that of the whole. The block there, or NULL as above.
 */
struct etm_block *etm_follow_half(struct etm_follow *f, bool *half);

/* The address of the position, which is instruction `index` of its block. */
static inline uint32_t etm_follow_at(const struct etm_follow *f, unsigned index)
{
    if (f->block != NULL)
        return etm_block_address(f->block, index);
    return f->address;
}

/* Set the position. */
void etm_follow_go(struct etm_follow *f, uint32_t address, enum etm_isa isa,
                   uint64_t offset);

/* etm_follow_enter() of another instruction set, or of none. */
void etm_follow_enter_other(struct etm_follow *f, struct etm_block *link,
                            uint64_t offset);

/* At the entry of a block: prefetch what will soon be read of the following
 * blocks, while the packets of this one are taken. */
static inline void etm_follow_fetch(const struct etm_block *block)
{
    etm_fetch(block->taken);
    etm_fetch(block->next);
}

/* The same for its data transfers. */
static inline void etm_follow_fetch_rows(const struct etm_follow *f,
                                         const struct etm_block *block)
{
    const struct etm_vec *rows = &f->blocks.transfers;
    /* as a number, not a pointer: there may be no rows, and nothing is read */
    const uintptr_t row = (uintptr_t)rows->data + block->rows * rows->width;

    etm_fetch((const void *)row);
    etm_fetch((const void *)(row + 64));
}

/* Go to the block of `link`; NULL: out of memory. */
static inline void etm_follow_enter(struct etm_follow *f,
                                    struct etm_block *link, uint64_t offset)
{
    if (link == NULL || link->isa != f->isa) {
        etm_follow_enter_other(f, link, offset);
        return;
    }
    f->block = link;
    f->address = link->address;
    etm_follow_fetch(link);
    if (f->blocks.rules.transfers)
        etm_follow_fetch_rows(f, link);
}

/* The position is not known any more. */
static inline void etm_follow_nowhere(struct etm_follow *f)
{
    f->known = false;
    f->block = NULL;
}

/* Give no_image for the position and lose it. */
void etm_follow_no_image(struct etm_follow *f, uint64_t offset);

/* etm_follow_walk() at instruction level: one element each. */
static inline void etm_follow_walk_insns(struct etm_follow *f,
                                         struct etm_block *block, unsigned from,
                                         unsigned to, enum etm_tri others,
                                         enum etm_tri exec, uint64_t cycles,
                                         uint64_t offset)
{
    const uint8_t head[ETM_FAST_HEAD_SIZE] = {ETM_ELEMENT_INSN, f->source};
    const struct etm_block_insn *insns = etm_blocks_insns(&f->blocks, block);
    const uint64_t each = f->cycle_accurate ? 0 : ETM_CYCLES_UNKNOWN;
    struct etm_vec *out = f->out;
    struct etm_element *e;

    if (insns == NULL || (out->capacity - out->n < to - from &&
                          etm_vec_reserve(out, to - from) != ETM_OK)) {
        f->status = ETM_ERR_MEMORY;
        return;
    }
    e = (struct etm_element *)out->data + out->n;
    out->n += to - from;
    for (; from < to; from++, e++) {
        etm_fast_give_insn(e, head, &insns[from], offset, each);
        e->u.insn.exec = (uint8_t)others;
    }
    e[-1].u.insn.exec = (uint8_t)exec;
    if (f->cycle_accurate)
        e[-1].u.insn.cycles = cycles;
}

/* etm_follow_walk() at the level of ranges. */
static inline void etm_follow_extend(struct etm_follow *f,
                                     const struct etm_block *block,
                                     unsigned from, unsigned to,
                                     enum etm_tri others, enum etm_tri exec,
                                     uint64_t cycles, uint64_t offset)
{
    unsigned more;

    if (!f->has_open) {
        f->has_open = true;
        f->open_start = etm_block_address(block, from);
        f->open_n = 0;
        f->open_cycles = 0;
        f->open_offset = offset;
    }
    /* without a branch, because the length of a run is unpredictable */
    more = 0u - (to - from > 1);
    f->before_exec =
        (uint8_t)(((unsigned)others & more) | ((unsigned)f->open_exec & ~more));
    f->open_exec = (uint8_t)exec;
    f->open_n += to - from;
    f->open_cycles += cycles;
    if (from == 0) {
        f->before_block = f->last_block;
        f->before_index = f->last_index;
    }
    f->last_block = block;
    f->last_index = to - 1;
}

/*
 * Instructions `from` to `to` (exclusive, from < to) of `block` were executed;
 * they extend the open range or become elements of their own. `exec` is that of
 * the last instruction, `others` that of the others; all `cycles` belong to the
 * last.
 */
static inline void etm_follow_walk(struct etm_follow *f,
                                   struct etm_block *block, unsigned from,
                                   unsigned to, enum etm_tri others,
                                   enum etm_tri exec, uint64_t cycles,
                                   uint64_t offset)
{
    if (f->level == ETM_LEVEL_INSTRUCTIONS)
        etm_follow_walk_insns(f, block, from, to, others, exec, cycles, offset);
    else
        etm_follow_extend(f, block, from, to, others, exec, cycles, offset);
}

/* etm_follow_close() of a range that ends with `block`. */
static inline void etm_follow_end(struct etm_follow *f,
                                  const struct etm_block *block)
{
    const uint8_t head[ETM_FAST_HEAD_SIZE] = {ETM_ELEMENT_RANGE, f->source};
    struct etm_element *e;

    if (!f->has_open)
        return;
    if (f->counts) {
        etm_follow_owe(f);
        return;
    }
    f->has_open = false;
    e = etm_follow_new(f);
    etm_fast_give_block(e, head, f->open_offset, block, 0,
                        f->cycle_accurate ? f->open_cycles
                                          : ETM_CYCLES_UNKNOWN);
    e->u.range.last_exec = f->open_exec;
    e->u.range.start = f->open_start;
    e->u.range.n = f->open_n;
}

/* etm_follow_walk() of the whole of a block that ends its range, and the
 * range. */
static inline void etm_follow_block(struct etm_follow *f,
                                    struct etm_block *block,
                                    enum etm_tri others, enum etm_tri exec,
                                    uint64_t cycles, uint64_t offset)
{
    if (f->level == ETM_LEVEL_INSTRUCTIONS) {
        etm_follow_walk_insns(f, block, 0, block->n, others, exec, cycles,
                              offset);
        return;
    }
    etm_follow_extend(f, block, 0, block->n, others, exec, cycles, offset);
    etm_follow_end(f, block);
}

/*
 * The last instruction that was walked was cancelled; its `cycles` are
 * subtracted. At instruction level its element is removed; otherwise it is
 * removed from its range, which is open or among the elements still held.
 * Returns the number of the removed element, or UINT64_MAX if there was none.
 */
uint64_t etm_follow_take_back(struct etm_follow *f, uint64_t cycles);

/* Remove the last element of that kind that is still held. Returns its number,
 * or UINT64_MAX if there was none. */
uint64_t etm_follow_drop_held(struct etm_follow *f, enum etm_element_kind kind);

/* etm_follow_trim() if there are too many blocks. */
void etm_follow_forget(struct etm_follow *f);

/* Forget blocks if there are too many. Only when nothing can be taken back any
 * more, and follow.address is the position: the position and the open range are
 * kept. */
static inline void etm_follow_trim(struct etm_follow *f)
{
    if (etm_blocks_full(&f->blocks))
        etm_follow_forget(f);
}

/* Count bytes that could not be used; the first reason is kept. */
void etm_follow_lose(struct etm_follow *f, enum etm_lost_reason reason,
                     uint64_t offset, uint64_t bytes);

/* Why the bytes of a bad or reserved packet are lost. */
static inline enum etm_lost_reason
etm_follow_bad_reason(const struct etm_packet *packet)
{
    return (packet->fields & ETM_FIELD_TRUNCATED) != 0 ? ETM_LOST_TRUNCATED
                                                       : ETM_LOST_BAD_PACKET;
}

/* Give what was counted. */
void etm_follow_give_lost(struct etm_follow *f);

/* From here on `lost_kept` is valid. */
static inline void etm_follow_mark(struct etm_follow *f)
{
    f->lost_kept = f->has_lost;
}

/* An instruction was executed that cannot be identified: its cycles are
 * kept. */
static inline void etm_follow_blind(struct etm_follow *f)
{
    f->blind_cycles += f->cycles;
    f->cycles = 0;
}

/* The trace gave an address: report what could not be followed up to here. */
void etm_follow_resume(struct etm_follow *f, uint64_t offset);

/* The reason of a `trace_on`, from that of an I-sync (enum etm_sync_reason). */
static inline enum etm_trace_on_reason etm_follow_began(unsigned sync_reason)
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
void etm_follow_spend(struct etm_follow *f);

/* The stream breaks off: give these cycles before what is lost. */
void etm_follow_broken(struct etm_follow *f, uint64_t offset);

/* The end: give what could not be followed, and `end`; everything is final. */
void etm_follow_finish(struct etm_follow *f, uint64_t offset);

/* Simple elements; each closes the open range first. */
void etm_follow_trace_on(struct etm_follow *f, unsigned sync_reason,
                         uint64_t offset);
void etm_follow_cycles(struct etm_follow *f, uint64_t n, uint64_t offset);
void etm_follow_timestamp(struct etm_follow *f, uint64_t value,
                          uint64_t offset);
void etm_follow_event(struct etm_follow *f, enum etm_element_kind kind,
                      uint64_t offset);

/* Whether the last context element is still right. */
static inline bool etm_follow_is_given(const struct etm_follow *f)
{
    const struct etm_follow_context *now = &f->now, *given = &f->given;

    return now->isa == given->isa && now->secure == given->secure &&
           now->hyp == given->hyp &&
           now->context_id_known == given->context_id_known &&
           now->context_id == given->context_id &&
           now->vmid_known == given->vmid_known && now->vmid == given->vmid;
}

/* Note that the context may have changed; an element follows before the next
 * walk. */
static inline void etm_follow_context_changed(struct etm_follow *f,
                                              uint64_t offset)
{
    if (!f->context_changed) {
        f->context_offset = offset;
        f->context_timed = false;
    }
    f->context_changed = true;
}

/* Cycles from the last element that counts any to the current packet. */
static inline uint64_t etm_follow_since_last(const struct etm_follow *f)
{
    return f->blind_cycles + f->cycles;
}

/* Set `since` of an element, if it fits. */
static inline void etm_follow_time(struct etm_element *e, uint64_t since)
{
    e->since_known = since <= UINT32_MAX;
    e->since = e->since_known ? (uint32_t)since : 0;
}

/* The context, for callers that write elements themselves: it is written to
 * `e`, if there is anything to give. Returns the place after it. */
struct etm_element *etm_follow_put_context(struct etm_follow *f,
                                           struct etm_element *e);

/* If the context was changed by the packet at that offset, this was in the
 * current cycle. */
static inline void etm_follow_time_context(struct etm_follow *f,
                                           uint64_t offset)
{
    if (!f->context_changed || f->context_offset != offset)
        return;
    f->context_timed = true;
    f->context_since = etm_follow_since_last(f);
}

/* Security and Hyp state as traced. */
void etm_follow_state(struct etm_follow *f, enum etm_tri secure,
                      enum etm_tri hyp, uint64_t offset);
void etm_follow_context_id(struct etm_follow *f, uint32_t context_id,
                           uint64_t offset);
/* After a reset the context ID is not known until it is traced (4.7). */
void etm_follow_forget_context_id(struct etm_follow *f, uint64_t offset);
void etm_follow_vmid(struct etm_follow *f, uint8_t vmid, uint64_t offset);
/* A packet with another VMID may be lost. */
void etm_follow_forget_vmid(struct etm_follow *f, uint64_t offset);

/* Everything held back is final now, except what data may still change. */
static inline void etm_follow_commit(struct etm_follow *f)
{
    f->unmade = 0;
    f->held = f->out->n;
    if (f->floor - f->base < f->held) {
        f->mark = f->base + f->held;
        f->held = (size_t)(f->floor - f->base);
    }
}

/* The number of the first element that was added since. */
static inline uint64_t etm_follow_since(const struct etm_follow *f)
{
    uint64_t held = f->base + f->held;

    return f->mark > held ? f->mark : held;
}

/* Maximum number of elements held back because of one instruction. No chip
 * makes as many: then it is final, whatever comes (doc/errata.md, E-376). */
#define ETM_FOLLOW_HELD_MAX 65536u

static inline bool etm_follow_is_long(const struct etm_follow *f)
{
    uint64_t n = f->out->n + f->unmade;

    return n > ETM_FOLLOW_HELD_MAX &&
           f->base + n > ETM_FOLLOW_HELD_MAX + etm_follow_since(f);
}

/* Remove an element that is still held from the output. */
void etm_follow_remove(struct etm_follow *f, size_t index);

/* What an exception number means (ETM architecture, tables 7-12 and 7-17). */
enum etm_exception_type etm_exception_meaning(enum etm_profile profile,
                                              enum etm_protocol protocol,
                                              unsigned minor, unsigned number,
                                              uint16_t *irq);

#endif
