/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/position.h"

void etm_position_go(struct etm_position *at, struct etm_follow *f,
                     uint32_t address, enum etm_isa isa, uint64_t offset)
{
    /* a range is of consecutive instructions */
    if (f->has_open && (!f->known || etm_position_address(at, f) != address))
        etm_follow_close(f);
    etm_follow_go(f, address, isa, offset);
    at->index = 0;
    at->half = false;
    at->arrived = at->split && isa == ETM_ISA_THUMB;
    at->awaiting = at->astray = false;
    at->last &= ~(uint32_t)ETM_LAST_NO_CODE;
}

void etm_position_nowhere(struct etm_position *at, struct etm_follow *f)
{
    etm_follow_nowhere(f);
    at->half = false;
    at->arrived = false;
    at->awaiting = at->astray = false;
}

void etm_position_mismatch(struct etm_position *at, struct etm_follow *f,
                           uint64_t offset, uint64_t bytes)
{
    etm_follow_close(f);
    etm_follow_lose(f, ETM_LOST_IMAGE_MISMATCH, offset, bytes);
    etm_position_nowhere(at, f);
    at->mismatch = true;
    at->last &= ~(uint32_t)ETM_LAST_VALID;
}

void etm_position_check(struct etm_position *at, struct etm_follow *f,
                        const struct etm_broadcast *base, uint64_t offset)
{
    uint32_t here = etm_position_address(at, f) + (at->half ? 2u : 0);

    if (f->known && (here != base->address || f->isa != base->isa))
        etm_position_mismatch(at, f, offset, 0);
    if (!f->known)
        etm_position_resume(at, f, offset);
}

struct etm_block *etm_position_here(struct etm_position *at,
                                    struct etm_follow *f)
{
    struct etm_block *block = etm_follow_here(f);

    if (block != NULL && at->arrived)
        block = etm_follow_half(f, &at->half);
    at->arrived = false;
    return block;
}

struct etm_block *etm_position_find(struct etm_position *at,
                                    struct etm_follow *f,
                                    struct etm_data_join *data, uint64_t offset)
{
    struct etm_block *block;

    if (at->awaiting) { /* no target came: it was no indirect branch */
        etm_position_mismatch(at, f, offset, 0);
        return NULL;
    }
    if (!f->known)
        return NULL;
    if (f->block != NULL && at->index != 0) {
        /* another context may see other code from here on */
        f->address = etm_position_address(at, f);
        f->block = NULL;
        at->index = 0;
    }
    etm_follow_trim(f);
    block = etm_position_here(at, f);
    etm_data_commit(data, f, offset);
    if (block != NULL && block->end_kind == ETM_BLOCK_NO_CODE) {
        f->address = at->no_code = block->address;
        at->last |= ETM_LAST_NO_CODE;
        etm_follow_no_image(f, offset);
        return NULL;
    }
    return block;
}

void etm_position_blind(struct etm_position *at, struct etm_follow *f,
                        struct etm_data_join *data, unsigned n)
{
    etm_follow_blind(f);
    at->last &= n == 1 ? (uint32_t)ETM_LAST_NO_CODE : 0;
    if (etm_data_traced(data->config))
        etm_data_unknown(data, f);
}

void etm_position_take_back(struct etm_position *at, struct etm_follow *f,
                            struct etm_data_join *data)
{
    etm_data_removed(data, f, etm_follow_take_back(f, at->last_cycles));
    etm_follow_close(f);          /* what comes does not follow what is left */
    f->cycles += at->last_cycles; /* the time passed all the same */
    at->last &= ~(uint32_t)ETM_LAST_VALID;
}

uint32_t etm_position_last(const struct etm_position *at)
{
    if ((at->last & ETM_LAST_NO_CODE) != 0)
        return at->no_code;
    return etm_block_address(at->last_block, at->last_index);
}

bool etm_position_was_split(const struct etm_position *at)
{
    const struct etm_block *block = at->last_block;

    return (at->last & ETM_LAST_NO_CODE) == 0 && at->split &&
           block->isa != ETM_ISA_ARM &&
           (block->wide >> at->last_index & 1) != 0;
}

bool etm_position_is_target(const struct etm_position *at,
                            const struct etm_broadcast *base)
{
    const uint32_t direct = ETM_LAST_VALID | ETM_LAST_DIRECT;

    return (at->last & (direct | ETM_LAST_TARGETED)) == direct &&
           at->last_block->target == base->address &&
           at->last_block->target_isa == base->isa;
}
