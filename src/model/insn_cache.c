/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding the instructions of events. */
#include "model/insn_cache.h"

#include "model/resources.h"

#include <string.h>

void etm_insn_cache_init(struct etm_insn_cache *cache, enum etm_profile profile)
{
    memset(cache, 0, sizeof *cache);
    cache->profile = profile;
}

/* Memory order of an instruction, from the opcode as events have it. */
static size_t opcode_bytes(enum etm_isa isa, uint32_t opcode, unsigned size,
                           uint8_t bytes[8])
{
    bool halves = (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE) && size == 4;

    if (halves)
        opcode = opcode << 16 | opcode >> 16;
    memset(bytes, 0, 8);
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(opcode >> (8 * i));
    /* Jazelle: operands that the event has no room for read as 0. */
    return isa == ETM_ISA_JAZELLE ? 8 : size;
}

void etm_insn_cache_fill(const struct etm_insn_cache *cache,
                         struct etm_cached_insn *entry,
                         const struct etm_event *event)
{
    enum etm_isa isa = (enum etm_isa)event->u.insn.isa;
    uint8_t bytes[8];
    size_t n =
        opcode_bytes(isa, event->u.insn.opcode, event->u.insn.size, bytes);

    if (n > sizeof bytes)
        n = sizeof bytes;
    entry->address = event->u.insn.address;
    entry->opcode = event->u.insn.opcode;
    entry->isa = event->u.insn.isa;
    entry->size = event->u.insn.size;
    entry->hint = etm_resources_hint(entry->isa, entry->opcode);
    etm_insn_decode(&entry->decoded, isa, cache->profile, entry->address, bytes,
                    n);
}

struct etm_place etm_insn_next(const struct etm_event *event,
                               const struct etm_insn *decoded,
                               const struct etm_place *place,
                               const struct etm_event *behind)
{
    struct etm_place next = event->u.insn.next;
    /* long bytecodes do not fit into an event */
    bool direct =
        decoded->type == ETM_INSN_TYPE_DIRECT && event->u.insn.size <= 4;
    bool branch = direct || decoded->type == ETM_INSN_TYPE_INDIRECT;

    if (next.isa != ETM_ISA_UNKNOWN)
        return next;
    next = *place;
    next.address = event->u.insn.address + event->u.insn.size;
    next.isa = event->u.insn.isa;
    if (!branch || !event->u.insn.passed)
        return next;
    if (behind != NULL && behind->kind == ETM_EVENT_INSN) {
        next.address = behind->u.insn.address;
        next.isa = behind->u.insn.isa;
    } else if (direct) {
        next.address = decoded->target;
        next.isa = decoded->target_isa;
    } else if (behind == NULL) {
        next.isa = ETM_ISA_UNKNOWN;
    }
    return next;
}
