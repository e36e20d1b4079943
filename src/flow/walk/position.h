/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The position in the program and the last instruction traced: shared by the
 * flows in which every instruction has an atom or a status. In ETMv2 and ETMv3
 * each may be cancelled by an exception (6.7.1, 7.3.5) until the next one
 * comes; the elements that this could change are held back so long.
 */
#ifndef ETM_FLOW_POSITION_H
#define ETM_FLOW_POSITION_H

#include "flow/walk/data.h"
#include "flow/walk/walk.h"

static inline uint32_t etm_position_address(const struct etm_walk *w)
{
    return etm_walk_at(w, w->index);
}

/* The trace gave an address: go there. */
void etm_position_go(struct etm_walk *w, uint32_t address, enum etm_isa isa,
                     uint64_t offset);

/* To that of the last packet with one. */
static inline void etm_position_go_base(struct etm_walk *w,
                                        const struct etm_broadcast *base,
                                        uint64_t offset)
{
    etm_position_go(w, base->address, (enum etm_isa)base->isa, offset);
}

/* The position is not known any more. */
void etm_position_nowhere(struct etm_walk *w);

/* The image proved wrong, and `bytes` of trace are of no use. */
void etm_position_mismatch(struct etm_walk *w, uint64_t offset, uint64_t bytes);

/* An address came: what could not be used before it is reported now. */
static inline void etm_position_resume(struct etm_walk *w, uint64_t offset)
{
    w->mismatch = false;
    w->suspect = 0;
    etm_walk_resume(w, offset);
}

/* A periodic synchronization gave an address: it must be the position that was
 * reached, which may be the second half of an instruction (4.5.4). */
void etm_position_check(struct etm_walk *w, const struct etm_broadcast *base,
                        uint64_t offset);

/* etm_walk_here() for a position that may be that of a second half. */
struct etm_block *etm_position_here(struct etm_walk *w);

/* A new instruction: the one before it is final. */
static inline void etm_position_settle(struct etm_walk *w, uint64_t offset)
{
    w->last &= ~(uint32_t)(ETM_LAST_VALID | ETM_LAST_OWNER | ETM_LAST_NO_CODE);
    etm_walk_count_pending(w);
    if (!w->has_open && w->index == 0)
        etm_walk_trim(w);
    etm_data_commit(w, offset);
}

/* etm_position_next() after etm_position_settle(), in the less common cases. */
struct etm_block *etm_position_find(struct etm_walk *w, uint64_t offset);

/* The block of the next instruction; NULL: there is none, and elements say
 * so. */
static inline struct etm_block *etm_position_next(struct etm_walk *w,
                                                  uint64_t offset)
{
    struct etm_block *block;

    etm_position_settle(w, offset);
    block = w->block;
    if (block == NULL || w->context_changed || w->arrived ||
        block->end_kind == ETM_BLOCK_NO_CODE)
        return etm_position_find(w, offset);
    return block;
}

/* `n` instructions that cannot be identified: data that follow belong to none
 * (6.6). Of a single one the address may be known. */
void etm_position_blind(struct etm_walk *w, unsigned n);

/* The next instruction, which is one of `block`, is split, and this is the
 * first of its halves: nothing was executed yet. */
static inline bool etm_position_first_half(struct etm_walk *w,
                                           const struct etm_block *block)
{
    if (block->isa == ETM_ISA_ARM || (block->wide >> w->index & 1) == 0 ||
        !w->split)
        return false;
    w->half = !w->half;
    return w->half;
}

/* Remember what an exception would have to take back. */
static inline void etm_position_remember(struct etm_walk *w, uint32_t last,
                                         const struct etm_block *block,
                                         uint32_t index, uint64_t cycles)
{
    w->last = last;
    w->last_block = block;
    w->last_index = index;
    w->last_cycles = cycles;
}

/* What the last instruction is if it comes now. */
static inline uint32_t etm_position_valid(const struct etm_walk *w)
{
    return ETM_LAST_VALID |
           ((w->last & ETM_LAST_NONE_YET) != 0 ? ETM_LAST_FIRST : 0u);
}

/* The last instruction of a block was executed: go where it leads. */
static inline void etm_position_leave(struct etm_walk *w,
                                      struct etm_block *block, bool passed,
                                      uint64_t offset)
{
    struct etm_blocks *blocks = &w->blocks;

    if (block->end_kind != ETM_BLOCK_FALL) /* a branch ends its range */
        etm_walk_end(w, block);
    if (passed && block->end_kind == ETM_BLOCK_INDIRECT) {
        w->last |= ETM_LAST_INDIRECT;
        etm_walk_nowhere(w);
        w->awaiting = true;
        return;
    }
    w->index = 0;
    if (passed && block->end_kind == ETM_BLOCK_DIRECT) {
        w->last |= ETM_LAST_DIRECT;
        etm_walk_enter(w, etm_blocks_take(blocks, block), offset);
    } else {
        etm_walk_enter(w, etm_blocks_follow(blocks, block), offset);
    }
}

/* The last instruction was cancelled: it is removed. Its transfers are up to
 * the caller, before this. */
void etm_position_take_back(struct etm_walk *w);

/* Whether the address of the last instruction traced is known. */
static inline bool etm_position_has_last(const struct etm_walk *w)
{
    return (w->last & (ETM_LAST_VALID | ETM_LAST_NO_CODE)) != 0;
}

/* The address of the last instruction traced; only if it is known, or if the
 * instruction was cancelled. */
uint32_t etm_position_last(const struct etm_walk *w);

/* Whether the last instruction traced is split. */
bool etm_position_was_split(const struct etm_walk *w);

/* A branch address without an exception that comes now does not belong to an
 * indirect branch: with branch output a direct one has it, too. */
static inline bool etm_position_is_broadcast(const struct etm_walk *w)
{
    return (w->last & (ETM_LAST_VALID | ETM_LAST_TARGETED |
                       ETM_LAST_INDIRECT)) == ETM_LAST_VALID;
}

/* And it gives the target of a direct branch. */
bool etm_position_is_target(const struct etm_walk *w,
                            const struct etm_broadcast *base);

#endif
