/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of events, decoded once: a program runs the same ones again and
 * again. Direct-mapped by address; an entry is valid for exactly one opcode and
 * instruction set.
 */
#ifndef ETM_MODEL_INSN_CACHE_H
#define ETM_MODEL_INSN_CACHE_H

#include "isa/insn.h"

#include <etm/model.h>

#define ETM_INSN_CACHE_SIZE 2048u

struct etm_cached_insn {
    uint32_t address, opcode;
    uint8_t isa;  /* enum etm_isa; UNKNOWN: empty */
    uint8_t size; /* bytes */
    uint8_t hint; /* of a DBG instruction plus 1, or 0 */
    struct etm_insn decoded;
};

struct etm_insn_cache {
    enum etm_profile profile;
    struct etm_cached_insn entries[ETM_INSN_CACHE_SIZE];
};

/* Begin empty. */
void etm_insn_cache_init(struct etm_insn_cache *cache,
                         enum etm_profile profile);

/* Fill `entry` with the instruction of an insn event. */
void etm_insn_cache_fill(const struct etm_insn_cache *cache,
                         struct etm_cached_insn *entry,
                         const struct etm_event *event);

/* The instruction of an insn event; valid up to the next call. */
static inline const struct etm_cached_insn *
etm_insn_cache_get(struct etm_insn_cache *cache, const struct etm_event *event)
{
    uint32_t address = event->u.insn.address;
    /* ARM code has no odd halfwords: the page chooses which half it uses. */
    struct etm_cached_insn *entry =
        &cache->entries[(address >> 1 ^ address >> 12) % ETM_INSN_CACHE_SIZE];

    if (entry->address != address || entry->opcode != event->u.insn.opcode ||
        entry->isa != event->u.insn.isa || entry->size != event->u.insn.size)
        etm_insn_cache_fill(cache, entry, event);
    return entry;
}

/* Where it leads, by its event and the one after, if that is known. */
struct etm_place etm_insn_next(const struct etm_event *event,
                               const struct etm_insn *decoded,
                               const struct etm_place *place,
                               const struct etm_event *behind);

#endif
