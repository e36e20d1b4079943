/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Following the program: what the flows of all protocols share. A position in
 * the code, the range that is being walked, the context, and the elements
 * that come of it.
 *
 * Elements from index `held` on may still be changed or taken back (a later
 * packet can cancel an instruction); the caller must not look at them.
 */
#ifndef ETM_FLOW_FOLLOW_H
#define ETM_FLOW_FOLLOW_H

#include "base/vec.h"
#include "image/block.h"

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/element.h>

/* What stands around the instructions. */
struct etm_follow_context {
    uint8_t isa;    /* enum etm_isa */
    uint8_t secure; /* enum etm_tri */
    uint8_t hyp;    /* enum etm_tri */
    bool context_id_known, vmid_known;
    uint8_t vmid;
    uint32_t context_id;
};

struct etm_follow {
    struct etm_blocks blocks;
    struct etm_vec *out; /* struct etm_element; set for each push */
    size_t held;         /* elements that are final */
    int status;          /* sticky: ETM_ERR_MEMORY */
    enum etm_level level;
    enum etm_profile profile;
    bool cycle_accurate;
    uint8_t source;

    /* The next instruction. `block` begins at `address`, or is NULL when it
     * has to be looked up. */
    bool known;
    uint32_t address;
    uint8_t isa;
    struct etm_block *block;

    struct etm_follow_context now;   /* as the packets have it */
    struct etm_follow_context given; /* as the last element said */
    bool context_changed;            /* now may differ from given */
    uint64_t context_offset;         /* of the packet that changed it */

    struct etm_element open; /* a range that is being walked */
    bool has_open;

    uint64_t cycles;       /* counted since the last instruction */
    uint64_t blind_cycles; /* of instructions of which no code is known */

    /* Bytes that could not be used and were not reported yet. */
    uint64_t lost_bytes, lost_offset;
    uint8_t lost_reason;
    bool has_lost;
};

/*
 * `rules` say what ends a block; rules->insns is set by the level.
 * ETM_OK or ETM_ERR_MEMORY; etm_follow_fini() is due in both cases.
 */
int etm_follow_init(struct etm_follow *f, const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator);
void etm_follow_fini(struct etm_follow *f);

/*
 * A new element at the end of the output, zeroed but for kind, source and
 * offset. Never NULL: when memory is short `status` is set, and what is
 * written goes nowhere.
 */
struct etm_element *etm_follow_add(struct etm_follow *f,
                                   enum etm_element_kind kind, uint64_t offset);

/* Give the open range, if there is one. */
void etm_follow_close(struct etm_follow *f);

/*
 * Get ready to walk at the position: gives what must stand before the next
 * instruction (a context), and looks the block up. NULL when the position is
 * not known or memory is short; else a block, which may be one without code.
 */
struct etm_block *etm_follow_here(struct etm_follow *f);

/* The position, from now on. */
void etm_follow_go(struct etm_follow *f, uint32_t address, enum etm_isa isa,
                   uint64_t offset);

/* The position is not known any more. */
static inline void etm_follow_nowhere(struct etm_follow *f)
{
    f->known = false;
    f->block = NULL;
}

/* Give no_image for the position and lose it. */
void etm_follow_no_image(struct etm_follow *f, uint64_t offset);

/*
 * Instructions `from` to `to` (exclusive) of `block` were executed; they go
 * on the open range or become elements of their own. exec: of the last of
 * them; the others' is `others`. cycles: all of them belong to the last one.
 */
void etm_follow_walk(struct etm_follow *f, const struct etm_block *block,
                     unsigned from, unsigned to, enum etm_tri others,
                     enum etm_tri exec, uint64_t cycles, uint64_t offset);

/* Count bytes that could not be used; the first reason stands. */
void etm_follow_lose(struct etm_follow *f, enum etm_lost_reason reason,
                     uint64_t offset, uint64_t bytes);

/* Give what was counted. */
void etm_follow_give_lost(struct etm_follow *f);

/* An instruction was executed that cannot be named: its cycles are kept. */
static inline void etm_follow_blind(struct etm_follow *f)
{
    f->blind_cycles += f->cycles;
    f->cycles = 0;
}

/* The trace gave an address: tell what could not be followed up to here. */
void etm_follow_resume(struct etm_follow *f, uint64_t offset);

/* Simple elements; each closes the open range first. */
void etm_follow_trace_on(struct etm_follow *f, unsigned sync_reason,
                         uint64_t offset);
void etm_follow_cycles(struct etm_follow *f, uint64_t n, uint64_t offset);
void etm_follow_timestamp(struct etm_follow *f, uint64_t value,
                          uint64_t offset);
void etm_follow_event(struct etm_follow *f, enum etm_element_kind kind,
                      uint64_t offset);

/* Note what the context is now; an element follows before the next walk. */
void etm_follow_context_changed(struct etm_follow *f, uint64_t offset);

/* Security and Hyp state as traced. */
void etm_follow_state(struct etm_follow *f, enum etm_tri secure,
                      enum etm_tri hyp, uint64_t offset);
void etm_follow_context_id(struct etm_follow *f, uint32_t context_id,
                           uint64_t offset);
void etm_follow_vmid(struct etm_follow *f, uint8_t vmid, uint64_t offset);

/* All that is held back is final now. */
static inline void etm_follow_commit(struct etm_follow *f)
{
    f->held = f->out->n;
}

/* What an exception number means (ETM architecture, tables 7-12 and 7-17). */
enum etm_exception_type etm_exception_meaning(enum etm_profile profile,
                                              enum etm_protocol protocol,
                                              unsigned minor, unsigned number,
                                              uint16_t *irq);

#endif
