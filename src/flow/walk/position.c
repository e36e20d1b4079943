/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/position.h"

void etm_position_go(struct etm_walk *w, uint32_t address, enum etm_isa isa,
                     uint64_t offset)
{
    /* a range is of consecutive instructions */
    if (w->has_open && (!w->known || etm_position_address(w) != address))
        etm_walk_close(w);
    etm_walk_go(w, address, isa, offset);
    w->index = 0;
    w->half = false;
    w->arrived = w->split && isa == ETM_ISA_THUMB;
    w->awaiting = w->astray = false;
    w->last &= ~(uint32_t)ETM_LAST_NO_CODE;
}

void etm_position_nowhere(struct etm_walk *w)
{
    etm_walk_nowhere(w);
    w->half = false;
    w->arrived = false;
    w->awaiting = w->astray = false;
}

void etm_position_mismatch(struct etm_walk *w, uint64_t offset, uint64_t bytes)
{
    etm_walk_close(w);
    etm_walk_lose(w, ETM_LOST_IMAGE_MISMATCH, offset, bytes);
    etm_position_nowhere(w);
    w->mismatch = true;
    w->last &= ~(uint32_t)ETM_LAST_VALID;
}

void etm_position_check(struct etm_walk *w, const struct etm_broadcast *base,
                        uint64_t offset)
{
    uint32_t here = etm_position_address(w) + (w->half ? 2u : 0);

    if (w->known && (here != base->address || w->isa != base->isa))
        etm_position_mismatch(w, offset, 0);
    if (!w->known)
        etm_position_resume(w, offset);
}

struct etm_block *etm_position_here(struct etm_walk *w)
{
    struct etm_block *block = etm_walk_here(w);

    if (block != NULL && w->arrived)
        block = etm_walk_half(w, &w->half);
    w->arrived = false;
    return block;
}

struct etm_block *etm_position_find(struct etm_walk *w, uint64_t offset)
{
    struct etm_block *block;

    if (w->awaiting) { /* no target came: it was no indirect branch */
        etm_position_mismatch(w, offset, 0);
        return NULL;
    }
    if (!w->known)
        return NULL;
    if (w->block != NULL && w->index != 0) {
        /* another context may see other code from here on */
        w->address = etm_position_address(w);
        w->block = NULL;
        w->index = 0;
    }
    etm_walk_trim(w);
    block = etm_position_here(w);
    etm_data_commit(w, offset);
    if (block != NULL && block->end_kind == ETM_BLOCK_NO_CODE) {
        w->address = w->no_code = block->address;
        w->last |= ETM_LAST_NO_CODE;
        etm_walk_no_image(w, offset);
        return NULL;
    }
    return block;
}

void etm_position_blind(struct etm_walk *w, unsigned n)
{
    etm_walk_blind(w);
    w->last &= n == 1 ? (uint32_t)ETM_LAST_NO_CODE : 0;
    if (etm_data_traced(w->data.config))
        etm_data_unknown(w);
}

void etm_position_take_back(struct etm_walk *w)
{
    etm_data_removed(w, etm_walk_take_back(w, w->last_cycles));
    etm_walk_close(w);           /* what comes does not follow what is left */
    w->cycles += w->last_cycles; /* the time passed all the same */
    w->last &= ~(uint32_t)ETM_LAST_VALID;
}

uint32_t etm_position_last(const struct etm_walk *w)
{
    if ((w->last & ETM_LAST_NO_CODE) != 0)
        return w->no_code;
    return etm_block_address(w->last_block, w->last_index);
}

bool etm_position_was_split(const struct etm_walk *w)
{
    const struct etm_block *block = w->last_block;

    return (w->last & ETM_LAST_NO_CODE) == 0 && w->split &&
           block->isa != ETM_ISA_ARM && (block->wide >> w->last_index & 1) != 0;
}

bool etm_position_is_target(const struct etm_walk *w,
                            const struct etm_broadcast *base)
{
    const uint32_t direct = ETM_LAST_VALID | ETM_LAST_DIRECT;

    return (w->last & (direct | ETM_LAST_TARGETED)) == direct &&
           w->last_block->target == base->address &&
           w->last_block->target_isa == base->isa;
}
