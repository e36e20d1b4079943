/* SPDX-License-Identifier: Apache-2.0 */
/* Finding full branch addresses of an ETMv1, where decoding can begin, in the
 * packets alone (ETM architecture 5.5.4, 5.6). */
#include "proto/etmv1.h"

#include <string.h>

#define WINDOW ETM_FULL_ADDRESS_WINDOW

/* Record `i` of those present; NULL: it has not come. */
static const struct etm_full_address_record *
at(const struct etm_full_address *full, unsigned i)
{
    return i < full->n ? &full->records[(full->first + i) % WINDOW] : NULL;
}

static void pop(struct etm_full_address *full)
{
    full->first = (uint8_t)((full->first + 1) % WINDOW);
    full->n--;
}

static bool is_branch(const struct etm_full_address_record *r)
{
    return r->status == ETM_ETMV1_BE || r->status == ETM_ETMV1_BD;
}

/* What is known of the branch at the head. */
enum known {
    KNOWN_MORE = 0, /* more records are needed */
    KNOWN_NO,       /* it has no full address, or not certainly */
    KNOWN_FULL
};

/* Packets after the first one, on the lower or the upper half of TRACEPKT, or
 * on two records. */
struct reader {
    const struct etm_full_address *full;
    unsigned record, half, width;
};

static enum known next(struct reader *r, bool first, uint8_t *byte)
{
    const struct etm_full_address_record *record;

    if (r->half != 0) {
        *byte = (uint8_t)(at(r->full, r->record++)->pins >> 8);
        r->half = 0;
        return KNOWN_FULL;
    }
    for (;; r->record++) { /* in the cycle of a trigger the FIFO stands still */
        record = at(r->full, r->record);
        if (record == NULL)
            return KNOWN_MORE;
        if (!record->trigger)
            break;
    }
    if (record->sync != first)
        return KNOWN_NO;
    *byte = (uint8_t)record->pins;
    if (r->width == 16) {
        r->half = 1;
        return KNOWN_FULL;
    }
    r->record++;
    if (r->width == 4) {
        struct reader upper = {r->full, r->record, 0, 8};
        uint8_t more;
        enum known known = next(&upper, false, &more);

        *byte = (uint8_t)((*byte & 0x0fu) | (more & 0x0fu) << 4);
        r->record = upper.record;
        return known;
    }
    return KNOWN_FULL;
}

/* Where the address of the branch at the head begins (5.6.1). */
static enum known locate(const struct etm_full_address *full, unsigned *found)
{
    unsigned offset = 0;

    for (unsigned i = 1; i <= 2; i++) {
        const struct etm_full_address_record *r = at(full, i);

        if (r == NULL)
            return KNOWN_MORE;
        if (r->behind_td || r->status > ETM_ETMV1_WT)
            return KNOWN_NO;
        offset |= (unsigned)(r->status & 3) << (2 * i - 2);
    }
    if (offset == ETM_ETMV1_NO_OFFSET)
        return KNOWN_NO;
    for (*found = 0;; ++*found) {
        const struct etm_full_address_record *r = at(full, *found);

        if (r == NULL)
            return KNOWN_MORE;
        if (*found > 2 && is_branch(r)) /* it may be the address of that one */
            return KNOWN_NO;
        if (r->sync && !r->trigger && offset-- == 0)
            return KNOWN_FULL;
    }
}

/* The address, and the context ID after it (5.6.3). */
static enum known read(struct etm_full_address *full,
                       const struct etm_config *config, unsigned record)
{
    struct reader r = {full, record, 0, etm_sample_width(config)};
    uint32_t address = 0, context_id = 0;
    enum known known;
    uint8_t byte = 0;
    unsigned reason;
    bool jazelle;

    for (unsigned i = 0; i < ETM_ETMV1_ADDRESS_MAX; i++) {
        known = next(&r, i == 0, &byte);
        if (known != KNOWN_FULL)
            return known;
        if (i < 4 && (byte & 0x80) == 0)
            return KNOWN_NO;
        address |= (uint32_t)(byte & (i < 4 ? 0x7fu : 0x0fu)) << (7 * i);
    }
    reason = byte >> 4 & 7u;
    jazelle = (byte & ETM_ETMV1_JAZELLE) != 0;
    if (reason > ETM_ETMV1_PERIODIC || (jazelle && config->minor < 3) ||
        (reason == ETM_ETMV1_PERIODIC && config->minor < 2))
        return KNOWN_NO; /* nor does the flow begin there */
    full->context_id_known =
        reason != 0 && config->minor >= 2 && config->context_id_bytes != 0;
    for (unsigned i = 0; full->context_id_known && i < config->context_id_bytes;
         i++) {
        known = next(&r, false, &byte);
        if (known != KNOWN_FULL)
            return known;
        context_id |= (uint32_t)byte << (8 * i);
    }
    full->context_id = context_id;
    full->reason = reason == ETM_ETMV1_NORMAL || reason == ETM_ETMV1_PERIODIC
                       ? ETM_SYNC_PERIODIC
                       : (uint8_t)reason;
    full->isa = (address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    full->address = address & (full->isa == ETM_ISA_THUMB ? ~1u : ~3u);
    if (jazelle) {
        full->isa = ETM_ISA_JAZELLE;
        full->address = address;
    }
    return KNOWN_FULL;
}

/* Search the present records, from the oldest one on. */
static bool look(struct etm_full_address *full, const struct etm_config *config)
{
    while (full->n != 0) {
        const struct etm_full_address_record *r = at(full, 0);
        enum known known = KNOWN_NO;
        unsigned record;

        if (is_branch(r)) {
            known = locate(full, &record);
            if (known == KNOWN_FULL)
                known = read(full, config, record);
        }
        if (known == KNOWN_MORE && full->n < WINDOW)
            return false;
        full->offset = r->offset;
        full->stream = r->stream;
        pop(full);
        if (known == KNOWN_FULL)
            return true;
    }
    return false;
}

static void put(struct etm_full_address *full, const struct etm_packet *p)
{
    struct etm_full_address_record *r =
        &full->records[(full->first + full->n) % WINDOW];

    if (full->status.status == ETM_ETMV1_TD) { /* they carry nothing */
        full->behind_td = true;
        return;
    }
    *r = full->status;
    r->pins = (uint16_t)p->value;
    r->trigger = r->status == ETM_ETMV1_TR;
    if (r->trigger) /* also of an address packet offset (5.6.1) */
        r->status = (uint8_t)(r->pins & 7u);
    r->behind_td = full->behind_td;
    full->behind_td = false;
    full->n++;
}

bool etm_full_address_apply(struct etm_full_address *full,
                            const struct etm_config *config,
                            const struct etm_packet *p)
{
    if (p->kind == ETM_PACKET_PIPESTAT) {
        full->status = (struct etm_full_address_record){
            .offset = p->offset,
            .stream = full->bytes,
            .status = (uint8_t)p->value,
            .sync = (p->fields & ETM_FIELD_ADDRESS) != 0};
        full->has_status = true;
    } else if (p->kind == ETM_PACKET_TRACE_PACKET && full->has_status) {
        put(full, p);
        full->has_status = false;
    } else { /* the stream is broken here */
        full->n = 0;
        full->has_status = false;
        full->behind_td = false;
    }
    full->bytes += p->size;
    return p->kind == ETM_PACKET_TRACE_PACKET && look(full, config);
}
