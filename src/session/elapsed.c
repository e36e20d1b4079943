/* SPDX-License-Identifier: Apache-2.0 */
/* This follows src/flow/etmv3/flow.c, etmv3/sync.c and pft/flow.c as far as
 * they count cycles. */
#include "session/elapsed.h"

#include "proto/i_sync.h"
#include "session/sync.h"

bool etm_elapsed_counts(const struct etm_config *config)
{
    /* ETMv1 and ETMv2 do not store the cycles of gaps (5.10, 6.11), data-only
     * trace counts nothing (7.4.10) */
    return config->cycle_accurate && !config->data_only &&
           (config->protocol == ETM_PROTOCOL_ETMV3 ||
            config->protocol == ETM_PROTOCOL_PFT);
}

void etm_elapsed_begin(struct etm_elapsed *e, const struct etm_config *config,
                       bool has_code, uint64_t given)
{
    *e = (struct etm_elapsed){.given = given,
                              .config = config,
                              .counts = etm_elapsed_counts(config),
                              .has_code = has_code};
}

static struct etm_elapsed_place *place_of(struct etm_elapsed *e, size_t i)
{
    return &e->places[(e->first + i) % ETM_ELAPSED_PLACES];
}

/* The pending cycles before a place are given. */
static void settle_place(struct etm_elapsed_place *place)
{
    if (place->state >= ETM_PENDING_OPEN)
        place->given += place->pending;
    place->state = ETM_PENDING_SETTLED;
}

/* Pending cycles that belong to no instruction are given in an element of their
 * own. */
static void give_pending(struct etm_elapsed *e)
{
    for (size_t i = 0; i < e->n; i++)
        if (place_of(e, i)->state != ETM_PENDING_GAP)
            settle_place(place_of(e, i));
    e->given += e->pending;
    e->pending = 0;
}

/* They belong to a gap whose length is still to come. */
static void open_gap(struct etm_elapsed *e)
{
    for (size_t i = 0; i < e->n; i++) {
        struct etm_elapsed_place *place = place_of(e, i);

        place->state = place->state == ETM_PENDING_OPEN ? ETM_PENDING_GAP
                                                        : ETM_PENDING_SETTLED;
    }
    e->gap_open = true;
    e->gap = e->pending;
    e->pending = 0;
}

/* The length of the gap comes; if it is unknown, none of it is given. */
static void close_gap(struct etm_elapsed *e, bool known, uint64_t count)
{
    for (size_t i = 0; i < e->n; i++) {
        struct etm_elapsed_place *place = place_of(e, i);

        if (known && place->after_gap)
            place->given += e->gap + count;
        place->after_gap = false;
        if (place->state != ETM_PENDING_GAP)
            continue;
        if (known)
            place->given += place->pending;
        place->state = ETM_PENDING_SETTLED;
    }
    if (known)
        e->given += e->gap + count;
    e->gap_open = false;
}

/* They belong to an instruction, and the one before it cannot be cancelled any
 * more. */
static void have_insn(struct etm_elapsed *e)
{
    for (size_t i = 0; i < e->n; i++) {
        struct etm_elapsed_place *place = place_of(e, i);

        if (place->state == ETM_PENDING_HELD) {
            place->state = ETM_PENDING_SETTLED;
        } else if (place->state == ETM_PENDING_OPEN) {
            settle_place(place);
            if (e->has_code)
                place->state = ETM_PENDING_HELD;
        }
    }
    e->last = e->pending;
    e->has_last = e->has_code;
    e->exit = false;
    e->given += e->pending;
    e->pending = 0;
}

/* The last instruction did not happen: its cycles are pending for the next one
 * (E-20). */
static void cancel(struct etm_elapsed *e)
{
    for (size_t i = 0; i < e->n; i++) {
        struct etm_elapsed_place *place = place_of(e, i);

        if (place->state == ETM_PENDING_HELD) {
            place->given -= place->pending;
            place->state = ETM_PENDING_OPEN;
        } else if (place->state == ETM_PENDING_OPEN) { /* after it */
            place->given -= e->last;
            place->pending += e->last;
        }
    }
    e->given -= e->last;
    e->pending += e->last;
    e->has_last = false;
}

/* Take a P-header while a place is not settled. */
static void watched_p_header(struct etm_elapsed *e, const struct etm_packet *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        if ((p->value >> (2 * i) & 3) == ETM_ATOM_W)
            e->pending++;
        else
            have_insn(e);
    }
}

/* The byte of a P-header determines all of its atoms (table 7-3). */
static struct etm_elapsed_header header_of(const struct etm_packet *p)
{
    struct etm_elapsed_header h = {.known = true};

    for (unsigned i = 0; i < p->count; i++) {
        if ((p->value >> (2 * i) & 3) == ETM_ATOM_W) {
            h.after++;
            continue;
        }
        h.several = h.some;
        h.some = true;
        h.last = h.after;
        h.given = (uint8_t)(h.given + h.after);
        h.after = 0;
    }
    return h;
}

/* Nearly all packets come here. */
static void p_header(struct etm_elapsed *e, const struct etm_packet *p)
{
    struct etm_elapsed_header *h = &e->headers[p->header];

    if (e->n != 0) {
        watched_p_header(e, p);
        return;
    }
    if (!h->known)
        *h = header_of(p);
    if (!h->some) {
        e->pending += h->after;
        return;
    }
    e->last = h->last + (h->several ? 0 : e->pending);
    e->given += e->pending + h->given;
    e->pending = h->after;
    e->has_last = e->has_code;
    e->exit = false;
}

static void etmv3_count(struct etm_elapsed *e, uint32_t count)
{
    /* 0: the counter overflowed (7.3.4) */
    if (e->gap_open)
        close_gap(e, count != 0 && !e->gap_unreliable, count);
}

static void etmv3_i_sync(struct etm_elapsed *e, const struct etm_packet *p)
{
    if (!e->synced || p->reason != ETM_SYNC_PERIODIC) {
        if (e->gap_open)
            close_gap(e, false, 0);
        e->has_last = e->exit = false;
    }
    if (p->reason != ETM_SYNC_PERIODIC) {
        open_gap(e);
        e->gap_unreliable = !etm_gap_is_reliable(e->config, p->reason);
        if ((p->fields & ETM_FIELD_CYCLES) != 0)
            etmv3_count(e, p->cycle_count);
    }
    e->synced = true;
    if (p->kind == ETM_PACKET_LSIP_I_SYNC) {
        /* the data instruction executes in no cycle of its own (7.7.3) */
        e->last = 0;
        e->has_last = e->has_code;
        e->exit = false;
    }
}

static void etmv3(struct etm_elapsed *e, const struct etm_packet *p)
{
    if (etm_is_i_sync(p)) {
        etmv3_i_sync(e, p);
        return;
    }
    if (!e->synced)
        return;
    if (p->kind == ETM_PACKET_CYCLE_COUNT)
        etmv3_count(e, p->cycle_count);
    else if (p->kind == ETM_PACKET_EXCEPTION_EXIT)
        e->exit = true;
    else if (p->kind == ETM_PACKET_BRANCH_ADDRESS &&
             (p->fields & ETM_FIELD_CANCEL) != 0 && e->has_last &&
             !(e->exit && e->config->profile == ETM_PROFILE_M))
        cancel(e);
}

static void pft_i_sync(struct etm_elapsed *e, const struct etm_packet *p)
{
    if (p->reason != ETM_SYNC_PERIODIC) {
        open_gap(e);
        close_gap(e, etm_gap_is_reliable(e->config, p->reason), p->cycle_count);
    }
    e->synced = true;
}

/* Before the first I-sync it is not known what the counts start from. */
static void pft(struct etm_elapsed *e, const struct etm_packet *p)
{
    if (p->kind == ETM_PACKET_I_SYNC) {
        pft_i_sync(e, p);
    } else if (e->synced && (p->kind == ETM_PACKET_ATOM ||
                             p->kind == ETM_PACKET_BRANCH_ADDRESS ||
                             p->kind == ETM_PACKET_TIMESTAMP)) {
        e->pending += p->cycle_count;
        /* an exception belongs to no waypoint: E-21 */
        if (p->kind == ETM_PACKET_ATOM
                ? p->count != 0
                : p->kind == ETM_PACKET_BRANCH_ADDRESS && p->exception == 0)
            give_pending(e);
    }
}

void etm_elapsed_any(struct etm_elapsed *e, const struct etm_packet *p)
{
    if (!e->counts)
        return;
    if (p->kind == ETM_PACKET_P_HEADER && e->synced)
        p_header(e, p);
    else if (p->kind == ETM_PACKET_UNSYNCHRONIZED ||
             p->kind == ETM_PACKET_BAD || p->kind == ETM_PACKET_RESERVED ||
             etm_says_impossible(e->config, p))
        etm_elapsed_broken(e);
    else if (e->config->protocol == ETM_PROTOCOL_ETMV3)
        etmv3(e, p);
    else
        pft(e, p);
}

void etm_elapsed_broken(struct etm_elapsed *e)
{
    give_pending(e); /* E-309 */
    e->has_last = false;
    e->synced = false;
}

void etm_elapsed_end(struct etm_elapsed *e)
{
    etm_elapsed_broken(e);
    close_gap(e, false, 0);
}

void etm_elapsed_mark(struct etm_elapsed *e)
{
    struct etm_elapsed_place *place = place_of(e, e->n++);

    *place = (struct etm_elapsed_place){
        .given = e->given, .pending = e->pending, .after_gap = e->gap_open};
    if (e->pending != 0 || e->has_last)
        place->state = ETM_PENDING_OPEN;
    if (e->n < ETM_ELAPSED_PLACES)
        return;
    settle_place(place_of(e, 0));
    place_of(e, 0)->after_gap = false;
}

bool etm_elapsed_settled(struct etm_elapsed *e, uint64_t *cycles)
{
    const struct etm_elapsed_place *place = place_of(e, 0);

    if (e->n == 0 || place->state != ETM_PENDING_SETTLED || place->after_gap)
        return false;
    *cycles = place->given;
    e->first = (e->first + 1) % ETM_ELAPSED_PLACES;
    e->n--;
    return true;
}
