/* SPDX-License-Identifier: Apache-2.0 */
/* The trace port of ETMv1: records, and packets out of them (ETM architecture
 * 5.1 to 5.3, 5.5.4). */
#include "plain_etmv1.h"

#include "proto/sample.h"

size_t v1_records(struct etmv1 *f, const uint8_t *bytes, size_t n, size_t from,
                  size_t *bad)
{
    uint64_t waits = 0;
    bool behind_td = false;

    f->n = 0;
    *bad = 0;
    for (; from < n; from += f->size) {
        const uint8_t *b = bytes + from;
        struct v1_record *r = &f->records[f->n];

        f->rest = waits;
        *bad = n - from < f->size ? n - from : f->size;
        if (*bad < f->size || (b[0] & 0x78) != 0)
            return from;
        *bad = 0;
        *r = (struct v1_record){.offset = from,
                                .pins = b[1],
                                .status = (enum status)(b[0] & 7),
                                .sync = (b[0] & ETM_SAMPLE_SYNC) != 0};
        if (f->size == 3)
            r->pins |= (unsigned)b[2] << 8;
        if (r->status == TD) {
            waits += r->pins & 1;
            behind_td = true;
            continue;
        }
        r->cycles = waits + 1;
        r->behind_td = behind_td;
        r->trigger = r->status == TR;
        r->carries = !r->trigger;
        if (r->trigger)
            r->status = (enum status)(r->pins & 7);
        waits = 0;
        behind_td = false;
        f->n++;
    }
    f->rest = waits;
    return n;
}

/* The first record from *record on that can have packets. */
static bool carrier(const struct etmv1 *f, size_t *record, bool *end)
{
    for (;; ++*record) {
        if (*record > f->next + WINDOW)
            return false;
        *end = *record >= f->n;
        if (*end)
            return false;
        if (f->records[*record].carries)
            return true;
    }
}

/* Find that record, and count if there is none. */
static bool carrier_due(struct etmv1 *f, size_t *record)
{
    bool end = false;
    bool found = carrier(f, record, &end);

    f->short_of = f->short_of || end;
    return found;
}

bool v1_find_sync(struct etmv1 *f, size_t from, unsigned offset, size_t *found)
{
    for (*found = from; carrier_due(f, found); ++*found)
        if (f->records[*found].sync && offset-- == 0)
            return true;
    return false;
}

bool v1_adjoins(const struct etmv1 *f, struct v1_place at, size_t record)
{
    /* an address begins in the lower half (5.3.1) */
    size_t from = at.record + at.upper;
    bool end;

    return carrier(f, &from, &end) && from == record;
}

/* One packet; the first of a branch address, and no other, has TRACESYNC
 * (5.2, 5.3.1). */
static bool packet(struct etmv1 *f, struct v1_place *at, bool sync,
                   uint8_t *byte)
{
    size_t second;

    if (at->upper) {
        *byte = (uint8_t)(f->records[at->record].pins >> 8);
        at->upper = false;
        at->record++;
        if (!sync)
            return true;
    }
    if (!carrier_due(f, &at->record) || f->records[at->record].sync != sync)
        return false;
    *byte = (uint8_t)f->records[at->record].pins;
    if (f->pins == 16) {
        at->upper = true;
        return true;
    }
    if (f->pins == 4) { /* the upper half comes with the next one (5.2) */
        second = at->record + 1;
        if (!carrier_due(f, &second))
            return false;
        at->record = second;
        if (f->records[second].sync)
            return false;
        *byte = (uint8_t)((*byte & 15) | (f->records[second].pins & 15) << 4);
    }
    at->record++;
    return true;
}

static bool address(struct etmv1 *f, struct v1_place *at, bool sync,
                    struct v1_address *a)
{
    uint8_t byte = 0x80;

    *a = (struct v1_address){0};
    while ((byte & 0x80) != 0 && a->n < 5) {
        if (!packet(f, at, sync && a->n == 0, &byte))
            return false;
        a->bits |= (uint32_t)(byte & (a->n == 4 ? 0x0f : 0x7f)) << 7 * a->n;
        a->n++;
    }
    if (a->n == 5) {
        a->reason = byte >> 4 & 7;
        a->jazelle = (byte & 0x80) != 0;
    }
    return true;
}

bool v1_target(struct etmv1 *f, struct v1_place *at, struct v1_address *a)
{
    if (!address(f, at, true, a))
        return false;
    if (a->reason == 0 || f->c->minor < 2 || f->c->context_id_bytes == 0)
        return true;
    for (unsigned i = 0; i < f->c->context_id_bytes; i++) {
        uint8_t byte;

        if (!packet(f, at, false, &byte))
            return false;
        a->context_id |= (uint32_t)byte << 8 * i;
    }
    a->has_context = true;
    return true;
}

/* An overflow took the rest of the data. Of what stands before the address, the
 * last packet may have been none, but for one in a wait cycle: E-176. */
static void distrust(const struct etmv1 *f, size_t behind, struct v1_data *data)
{
    if (!data->has_address && data->n == 0)
        return;
    if (f->records[behind - 1].status == WT && f->pins != 16)
        return;
    if (data->n == 0)
        data->has_address = false;
    else
        data->n--;
}

bool v1_data(struct etmv1 *f, struct v1_place *at, bool has_address, unsigned n,
             struct v1_data *data)
{
    if (has_address) {
        if (!address(f, at, false, &data->address))
            return false;
        data->has_address = true;
    }
    while (data->n < n) {
        size_t behind = at->record;

        if (!packet(f, at, false, &data->values[data->n])) {
            distrust(f, behind, data);
            return false;
        }
        data->n++;
    }
    return true;
}

uint32_t v1_merge(uint32_t base, const struct v1_address *a)
{
    uint32_t mask = a->n < 5 ? (UINT32_C(1) << 7 * a->n) - 1 : UINT32_MAX;

    return (base & ~mask) | (a->bits & mask);
}
