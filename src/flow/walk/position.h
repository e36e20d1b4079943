/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The position in the program and the last instruction traced: shared by the
 * flows of ETMv2 and ETMv3, where every instruction has an atom or a status.
 * Each instruction may be cancelled by an exception (6.7.1, 7.3.5) until the
 * next one comes; the elements that this could change are held back so long.
 */
#ifndef ETM_FLOW_POSITION_H
#define ETM_FLOW_POSITION_H

#include "flow/walk/data.h"
#include "flow/walk/follow.h"

/* What is known of the last instruction traced. */
enum etm_last {
    ETM_LAST_VALID = 1u << 0,    /* there is one that can be cancelled */
    ETM_LAST_DIRECT = 1u << 1,   /* a direct branch, taken */
    ETM_LAST_INDIRECT = 1u << 2, /* an indirect branch, taken */
    ETM_LAST_EXIT = 1u << 3,     /* an exception exit packet follows it */
    ETM_LAST_TARGETED = 1u << 4, /* a branch packet followed it */
    ETM_LAST_OWNER = 1u << 5,    /* data packets belong to it */
    ETM_LAST_NONE_YET = 1u << 6, /* none since tracing began */
    ETM_LAST_FIRST = 1u << 7,    /* there was none before it */
    ETM_LAST_HALTED = 1u << 8,   /* a Debug entry packet followed it */
    /* It is at `no_code`, where no code is known: not VALID, but an exception
     * can still say that it was cancelled. */
    ETM_LAST_NO_CODE = 1u << 9
};

struct etm_position {
    bool split; /* the halves of a 32-bit Thumb instruction are traced as two
                   instructions (4.5.4) */

    unsigned index; /* of the next instruction in follow.block */
    bool mismatch;  /* the image proved wrong: waiting for an address */
    bool astray;    /* nothing executes before the next address */
    bool awaiting;  /* an indirect branch was taken: its target comes next */
    bool half;      /* first half of a 32-bit Thumb instruction was traced */
    bool arrived;   /* by an address in the trace, which may be that of a second
                       half */

    uint32_t last; /* enum etm_last */
    const struct etm_block *last_block;
    uint32_t last_index;
    uint64_t last_cycles; /* counted for it */
    uint32_t no_code;     /* its address, if ETM_LAST_NO_CODE */
};

static inline uint32_t etm_position_address(const struct etm_position *at,
                                            const struct etm_follow *f)
{
    return etm_follow_at(f, at->index);
}

/* The trace gave an address: go there. */
void etm_position_go(struct etm_position *at, struct etm_follow *f,
                     uint32_t address, enum etm_isa isa, uint64_t offset);

/* To that of the last packet with one. */
static inline void etm_position_go_base(struct etm_position *at,
                                        struct etm_follow *f,
                                        const struct etm_broadcast *base,
                                        uint64_t offset)
{
    etm_position_go(at, f, base->address, (enum etm_isa)base->isa, offset);
}

/* The position is not known any more. */
void etm_position_nowhere(struct etm_position *at, struct etm_follow *f);

/* The image proved wrong, and `bytes` of trace are of no use. */
void etm_position_mismatch(struct etm_position *at, struct etm_follow *f,
                           uint64_t offset, uint64_t bytes);

/* An address came: what could not be used before it is reported now. */
static inline void etm_position_resume(struct etm_position *at,
                                       struct etm_follow *f, uint64_t offset)
{
    at->mismatch = false;
    etm_follow_resume(f, offset);
}

/* A periodic synchronization gave an address: it must be the position that was
 * reached, which may be the second half of an instruction (4.5.4). */
void etm_position_check(struct etm_position *at, struct etm_follow *f,
                        const struct etm_broadcast *base, uint64_t offset);

/* etm_follow_here() for a position that may be that of a second half. */
struct etm_block *etm_position_here(struct etm_position *at,
                                    struct etm_follow *f);

/* A new instruction: the one before it is final. */
static inline void etm_position_settle(struct etm_position *at,
                                       struct etm_follow *f,
                                       struct etm_data_join *data,
                                       uint64_t offset)
{
    at->last &= ~(uint32_t)(ETM_LAST_VALID | ETM_LAST_OWNER | ETM_LAST_NO_CODE);
    etm_follow_pay(f);
    if (!f->has_open && at->index == 0)
        etm_follow_trim(f);
    etm_data_commit(data, f, offset);
}

/* etm_position_next() after etm_position_settle(), in the less common cases. */
struct etm_block *etm_position_find(struct etm_position *at,
                                    struct etm_follow *f,
                                    struct etm_data_join *data,
                                    uint64_t offset);

/* The block of the next instruction; NULL: there is none, and elements say
 * so. */
static inline struct etm_block *etm_position_next(struct etm_position *at,
                                                  struct etm_follow *f,
                                                  struct etm_data_join *data,
                                                  uint64_t offset)
{
    struct etm_block *block;

    etm_position_settle(at, f, data, offset);
    block = f->block;
    if (block == NULL || f->context_changed || at->arrived ||
        block->end_kind == ETM_BLOCK_NO_CODE)
        return etm_position_find(at, f, data, offset);
    return block;
}

/* `n` instructions that cannot be identified: data that follow belong to none
 * (6.6). Of a single one the address may be known. */
void etm_position_blind(struct etm_position *at, struct etm_follow *f,
                        struct etm_data_join *data, unsigned n);

/* The next instruction, which is one of `block`, is split, and this is the
 * first of its halves: nothing was executed yet. */
static inline bool etm_position_first_half(struct etm_position *at,
                                           const struct etm_block *block)
{
    if (block->isa == ETM_ISA_ARM || (block->wide >> at->index & 1) == 0 ||
        !at->split)
        return false;
    at->half = !at->half;
    return at->half;
}

/* Remember what an exception would have to take back. */
static inline void etm_position_remember(struct etm_position *at, uint32_t last,
                                         const struct etm_block *block,
                                         uint32_t index, uint64_t cycles)
{
    at->last = last;
    at->last_block = block;
    at->last_index = index;
    at->last_cycles = cycles;
}

/* What the last instruction is if it comes now. */
static inline uint32_t etm_position_valid(const struct etm_position *at)
{
    return ETM_LAST_VALID |
           ((at->last & ETM_LAST_NONE_YET) != 0 ? ETM_LAST_FIRST : 0u);
}

/* The last instruction of a block was executed: go where it leads. */
static inline void etm_position_leave(struct etm_position *at,
                                      struct etm_follow *f,
                                      struct etm_block *block, bool passed,
                                      uint64_t offset)
{
    struct etm_blocks *blocks = &f->blocks;

    if (block->end_kind != ETM_BLOCK_FALL) /* a branch ends its range */
        etm_follow_end(f, block);
    if (passed && block->end_kind == ETM_BLOCK_INDIRECT) {
        at->last |= ETM_LAST_INDIRECT;
        etm_follow_nowhere(f);
        at->awaiting = true;
        return;
    }
    at->index = 0;
    if (passed && block->end_kind == ETM_BLOCK_DIRECT) {
        at->last |= ETM_LAST_DIRECT;
        etm_follow_enter(f, etm_blocks_take(blocks, block), offset);
    } else {
        etm_follow_enter(f, etm_blocks_follow(blocks, block), offset);
    }
}

/* The last instruction was cancelled: it is removed. Its transfers are up to
 * the caller, before this. */
void etm_position_take_back(struct etm_position *at, struct etm_follow *f,
                            struct etm_data_join *data);

/* Whether the address of the last instruction traced is known. */
static inline bool etm_position_has_last(const struct etm_position *at)
{
    return (at->last & (ETM_LAST_VALID | ETM_LAST_NO_CODE)) != 0;
}

/* That address; only if it is known, or if that instruction was cancelled. */
uint32_t etm_position_last(const struct etm_position *at);

/* Whether the last instruction traced is split. */
bool etm_position_was_split(const struct etm_position *at);

/* A branch address without an exception that comes now does not belong to an
 * indirect branch: with branch output a direct one has it, too. */
static inline bool etm_position_is_broadcast(const struct etm_position *at)
{
    return (at->last & (ETM_LAST_VALID | ETM_LAST_TARGETED |
                        ETM_LAST_INDIRECT)) == ETM_LAST_VALID;
}

/* And it gives the target of a direct branch. */
bool etm_position_is_target(const struct etm_position *at,
                            const struct etm_broadcast *base);

#endif
