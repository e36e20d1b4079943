/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sights.h"

#include <stdio.h>

int etm_cli_sights_open(struct etm_cli_sights *s, struct etm_cli_replay *r)
{
    s->replay = r;
    s->programs = etm_cli_programs_open(r->session);
    if (!s->programs) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    return etm_cli_watch_find(r, &s->watch);
}

void etm_cli_sights_free(struct etm_cli_sights *s)
{
    etm_cli_known_free(&s->known);
    etm_cli_programs_free(s->programs);
    s->programs = NULL;
}

void etm_cli_sights_source(struct etm_cli_sights *s)
{
    s->status = ETM_OK;
    s->transfers = (struct etm_cli_transfers){0};
    etm_cli_known_free(&s->known); /* another processor has other memory */
}

void etm_cli_sight_scalar(struct etm_cli_sights *s,
                          const struct etm_cli_sight *sight,
                          struct etm_scalar *scalar)
{
    const struct etm_scalar *found;

    if (sight->made_up) {
        *scalar = (struct etm_scalar){.address = sight->address};
        (void)snprintf(scalar->name, sizeof scalar->name,
                       sight->by_comparator ? "[comparator %u]" : "0x%08x",
                       (unsigned)sight->address);
    } else if (etm_cli_programs_scalar(s->programs, sight->address, sight->n,
                                       &found) == ETM_OK) {
        *scalar = *found;
    }
    if (scalar->size == 0)
        scalar->size = sight->size;
}

/* In the order of bytes that the trace says, or the capture, or the program
 * (4.9.2). */
static bool is_big(const struct etm_cli_replay *r, const struct etm_element *e,
                   const struct etm_scalar *scalar)
{
    enum etm_endian endian = r->info->config.endian;

    if (e->u.data.be8 != ETM_UNKNOWN)
        return e->u.data.be8 == ETM_TRUE;
    if (endian != ETM_ENDIAN_UNKNOWN)
        return endian != ETM_ENDIAN_LITTLE;
    return scalar->big_endian;
}

/* Up to ARMv5, which have ETMv1 and ETMv2, a load from an address that is not
 * aligned rotates what it loads, and a store ignores the low bits. */
static bool is_rotated(const struct etm_cli_replay *r,
                       const struct etm_element *e)
{
    enum etm_protocol protocol = r->info->config.protocol;

    return (protocol == ETM_PROTOCOL_ETMV1 || protocol == ETM_PROTOCOL_ETMV2) &&
           e->u.data.size > 1 &&
           e->u.data.address % (e->u.data.size < 4 ? 2u : 4u) != 0;
}

static bool is_watched(struct etm_cli_sights *s, uint32_t address,
                       uint32_t size)
{
    bool found = s->watch.n == 0;

    for (unsigned i = 0; i < s->watch.n; i++) {
        struct etm_cli_watched *w = &s->watch.rows[i];
        uint32_t length = w->size != 0 ? w->size : 1;

        if (address - w->address >= length && w->address - address >= size)
            continue;
        w->seen = found = true;
    }
    return found;
}

static void give(struct etm_cli_sights *s, struct etm_cli_sight *sight,
                 const struct etm_element *e)
{
    sight->at = etm_calls_cost(s->replay->calls);
    sight->offset = e->offset;
    sight->size = e->u.data.size <= 8 ? e->u.data.size : 8;
    sight->store = e->u.data.store;
    sight->insn_known = e->u.data.insn_known;
    sight->insn = e->u.data.insn;
    s->status = s->take(s->replay, sight);
}

/* What is known of the scalar now. */
static void look(struct etm_cli_sights *s, struct etm_cli_sight *sight,
                 const struct etm_element *e)
{
    struct etm_scalar scalar = {0};
    uint8_t bytes[8];

    sight->size = e->u.data.size;
    etm_cli_sight_scalar(s, sight, &scalar);
    if (scalar.size > 8)
        scalar.size = 8;
    sight->big = is_big(s->replay, e, &scalar);
    sight->known = (uint8_t)etm_cli_known_get(&s->known, scalar.address, bytes,
                                              scalar.size);
    sight->raw = etm_cli_join_bytes(bytes, scalar.size, sight->big);
}

/* All scalars of which byte `i` of the transfer is the first one that it
 * touches. How many. */
static unsigned see_byte(struct etm_cli_sights *s, const struct etm_element *e,
                         unsigned i)
{
    uint32_t address = e->u.data.address + i;
    const struct etm_scalar *scalar;
    unsigned seen = 0;
    int status;

    while (s->status == ETM_OK &&
           (status = etm_cli_programs_scalar(s->programs, address, seen,
                                             &scalar)) == ETM_OK) {
        struct etm_cli_sight sight = {.address = address, .n = (uint16_t)seen};
        bool first =
            i == 0 || (scalar->size != 0 && scalar->address == address);

        seen++;
        if (!first || !is_watched(s, scalar->address,
                                  scalar->size != 0 ? scalar->size : 1))
            continue;
        look(s, &sight, e);
        give(s, &sight, e);
    }
    if (s->status == ETM_OK && seen == 0 && i == 0 && s->watch.n != 0 &&
        is_watched(s, address, 1)) {
        struct etm_cli_sight sight = {.address = address, .made_up = true};

        seen++;
        look(s, &sight, e);
        give(s, &sight, e);
    }
    return seen;
}

/* What a transfer tells of memory. A store that is not known to have moved its
 * value leaves nothing known where it went. */
static void note_bytes(struct etm_cli_sights *s, const struct etm_element *e)
{
    const struct etm_scalar *found;
    struct etm_scalar scalar = {0};
    unsigned size =
        e->u.data.size == 0 || e->u.data.size > 8 ? 8 : e->u.data.size;
    uint32_t address = e->u.data.address;
    uint8_t bytes[8];

    if (e->u.data.status == ETM_DATA_STORE_FAILED)
        return;
    if (is_rotated(s->replay, e) || !e->u.data.value_known ||
        e->u.data.size != size) {
        if (e->u.data.store == ETM_FALSE)
            return;
        if (is_rotated(s->replay, e))
            address &= ~UINT32_C(3), size = 8;
        s->status = etm_cli_known_set(&s->known, address, NULL, size);
        return;
    }
    if (etm_cli_programs_scalar(s->programs, address, 0, &found) == ETM_OK)
        scalar = *found;
    etm_cli_split_bytes(e->u.data.value, bytes, size,
                        is_big(s->replay, e, &scalar));
    s->status = etm_cli_known_set(&s->known, address, bytes, size);
}

/* A DWT may tell the comparator, and bits [15:0] of the address (E7.3 of the
 * ARMv7-M manual). They are enough if there is one watched variable there. */
static bool complete_address(struct etm_cli_sights *s, struct etm_element *e)
{
    const struct etm_cli_watched *found = NULL;
    uint16_t low = e->u.data.address_low;

    if (!e->u.data.address_low_known)
        return false;
    for (unsigned i = 0; i < s->watch.n; i++) {
        const struct etm_cli_watched *w = &s->watch.rows[i];

        if ((uint16_t)(low - w->address) >= (w->size != 0 ? w->size : 1))
            continue;
        if (found)
            return false;
        found = w;
    }
    if (!found)
        return false;
    e->u.data.address = found->address + (uint16_t)(low - found->address);
    return e->u.data.address_known = true;
}

/* Without an address, what is known is which comparator matched. */
static void take_comparator(struct etm_cli_sights *s,
                            const struct etm_element *e)
{
    struct etm_cli_sight sight = {.address = e->u.data.comparator,
                                  .made_up = true,
                                  .by_comparator = true,
                                  .raw = e->u.data.value};

    if (e->u.data.value_known && e->u.data.size <= 8)
        sight.known = (uint8_t)((1u << e->u.data.size) - 1);
    give(s, &sight, e);
    s->transfers.shown++;
}

static void take_data(struct etm_cli_sights *s, const struct etm_element *given)
{
    struct etm_element element = *given, *e = &element;
    unsigned n = e->u.data.size != 0 ? e->u.data.size : 1, seen = 0;

    s->transfers.all++;
    s->transfers.without_value += !e->u.data.value_known;
    if (!e->u.data.address_known && !complete_address(s, e)) {
        s->transfers.without_address++;
        /* it may have gone anywhere; what filters leave out is not told of at
           all, with or without this sign of it */
        if (e->u.data.store != ETM_FALSE && !etm_cli_is_itm(s->replay) &&
            e->u.data.status != ETM_DATA_NOT_TRACED)
            etm_cli_known_forget(&s->known);
        if (e->u.data.comparator_known && s->watch.n == 0)
            take_comparator(s, e);
        return;
    }
    note_bytes(s, e);
    for (unsigned i = 0; i < n && i < 8 && s->status == ETM_OK; i++)
        seen += see_byte(s, e, i);
    s->transfers.shown += seen != 0 && is_watched(s, e->u.data.address, n);
    s->transfers.elsewhere += seen == 0;
}

void etm_cli_sights_element(struct etm_cli_sights *s,
                            const struct etm_element *e)
{
    if (s->status != ETM_OK)
        return;
    if (e->kind == ETM_ELEMENT_DATA)
        take_data(s, e);
    else if (e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
             e->kind == ETM_ELEMENT_NO_IMAGE)
        etm_cli_known_forget(&s->known);
}
