/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FIFO of an ETMv2 as seen at its port (6.3, 6.5.1): statuses put groups of
 * bytes into it, and in every cycle other than TD and TR bytes come out, as
 * long as a group is incomplete. A TFO says how many bytes come before its
 * packet. Reading begins there; and if the groups do not end there, the stream
 * was wrong, and what precedes that packet is given up.
 */
#include "proto/etmv2.h"

#include <string.h>

void etm_etmv2_fifo_init(struct etm_etmv2_fifo *fifo,
                         const struct etm_config *config)
{
    memset(fifo, 0, sizeof *fifo);
    fifo->width = (uint8_t)etm_sample_width(config);
    /* An unchecked configuration must not lead a parser out of its window. */
    fifo->context_id_bytes =
        config->context_id_bytes < 4 ? config->context_id_bytes : 4;
    fifo->address = config->data_address;
    fifo->value = config->data_value;
    for (unsigned header = 0; header < 256; header++)
        fifo->kinds[header] = etm_etmv2_kind(header);
}

void etm_etmv2_fifo_reset(struct etm_etmv2_fifo *fifo)
{
    fifo->synced = false;
    fifo->has_half = false;
    fifo->due = ETM_ETMV2_DUE_NOTHING;
    fifo->n_carry = 0;
    fifo->least = 0;
    fifo->group_bytes = 0;
    fifo->n_groups = 0;
    fifo->n_tfos = 0;
}

static struct etm_etmv2_group *group(struct etm_etmv2_fifo *fifo, unsigned i)
{
    return &fifo->groups[(fifo->first + i) % ETM_ETMV2_GROUPS];
}

static void pop(struct etm_etmv2_fifo *fifo)
{
    if (group(fifo, 0)->tfo)
        fifo->n_tfos--;
    fifo->first = (fifo->first + 1) % ETM_ETMV2_GROUPS;
    fifo->n_groups--;
    fifo->n_carry = 0;
    fifo->least = 0;
    fifo->group_bytes = 0;
}

static struct etm_etmv2_event *event(struct etm_etmv2_record *r,
                                     enum etm_etmv2_event_kind kind)
{
    struct etm_etmv2_event *e = &r->events[r->n++];

    e->kind = (uint8_t)kind;
    e->ends = false;
    e->groups = 0;
    return e;
}

/* Give up the first `n` groups. */
static void drop(struct etm_etmv2_fifo *fifo, unsigned n,
                 struct etm_etmv2_record *r)
{
    for (unsigned i = 0; i < n; i++)
        pop(fifo);
    fifo->n_carry = 0;
    fifo->least = 0;
    fifo->group_bytes = 0;
    event(r, ETM_ETMV2_LOST)->groups = fifo->n_groups;
}

/* Everything in the FIFO is lost, and so is what comes before the next TFO. */
static void lose(struct etm_etmv2_fifo *fifo, struct etm_etmv2_record *r)
{
    r->bad = true;
    etm_etmv2_fifo_reset(fifo);
    drop(fifo, 0, r);
}

/* The bytes of the current group are wrong: continue at the next TFO packet
 * that is in the FIFO already. */
static void lose_group(struct etm_etmv2_fifo *fifo, struct etm_etmv2_record *r)
{
    unsigned n = 1;

    while (n < fifo->n_groups && !group(fifo, n)->tfo)
        n++;
    if (n == fifo->n_groups) {
        lose(fifo, r);
        return;
    }
    r->bad = true;
    drop(fifo, n, r);
}

static void push(struct etm_etmv2_fifo *fifo, bool tfo,
                 struct etm_etmv2_record *r)
{
    if (fifo->n_groups == ETM_ETMV2_GROUPS)
        lose(fifo, r);
    if (tfo)
        fifo->synced = true;
    if (!fifo->synced)
        return;
    fifo->n_groups++;
    fifo->n_tfos += tfo;
    *group(fifo, fifo->n_groups - 1) = (struct etm_etmv2_group){.tfo = tfo};
    r->pushed = true;
    for (unsigned i = 0; i < r->n; i++) /* the loss was before this one */
        r->events[i].groups++;
}

/* The group of the TFO whose value or gap nibble is due: it is in the FIFO, as
 * nothing comes out of that meanwhile, and what empties it ends the wait. */
static unsigned last_tfo(struct etm_etmv2_fifo *fifo)
{
    unsigned i = fifo->n_groups - 1;

    while (!group(fifo, i)->tfo)
        i--;
    return i;
}

/* A TFO value is complete: it counts the bytes from here on. Half a byte that
 * came out before and the other half, after the gap nibble, are one. */
static void place(struct etm_etmv2_fifo *fifo, unsigned pins,
                  struct etm_etmv2_record *r)
{
    struct etm_etmv2_group *g = group(fifo, last_tfo(fifo));

    r->tfo_known = true;
    r->tfo_value = (uint8_t)etm_etmv2_tfo_value(pins);
    fifo->due = fifo->has_half ? ETM_ETMV2_DUE_GAP : ETM_ETMV2_DUE_NOTHING;
    g->placed = true;
    g->at = fifo->passed + r->tfo_value;
}

/*
 * Before the next byte: is it the first of a TFO packet although earlier groups
 * are incomplete? One of these may be a TFO packet, too, whose TFO is damage
 * that looks like one. Or is a group too early?
 */
static bool skips(struct etm_etmv2_fifo *fifo, struct etm_etmv2_record *r)
{
    const struct etm_etmv2_group *g;
    unsigned i = fifo->n_groups;

    do
        g = group(fifo, --i);
    while (i != 0 && !(g->tfo && g->placed && g->at == fifo->passed));
    if (i != 0)
        drop(fifo, i, r);
    g = group(fifo, 0);
    return g->tfo && fifo->n_carry == 0 && g->at != fifo->passed;
}

/* There may be a whole packet. */
static void complete(struct etm_etmv2_fifo *fifo, struct etm_etmv2_record *r)
{
    const bool tfo = group(fifo, 0)->tfo;
    const unsigned n = fifo->n_carry;
    struct etm_etmv2_event *e = &r->events[r->n];

    fifo->least =
        (uint8_t)etm_etmv2_least(fifo, tfo, fifo->carry, fifo->n_carry);
    if (fifo->least > n)
        return;
    fifo->group_bytes = (uint16_t)(fifo->group_bytes + n);
    fifo->n_carry = 0;
    fifo->least = 0;
    if (etm_etmv2_parse(fifo, tfo, fifo->carry, n, &e->packet, &e->ends) !=
            ETM_ETMV2_COMPLETE ||
        (!e->ends && fifo->group_bytes >= ETM_ETMV2_GROUP_MAX)) {
        lose_group(fifo, r);
        return;
    }
    e->kind = ETM_ETMV2_PACKET;
    r->n++;
    if (e->ends)
        pop(fifo);
}

/* One byte out of the FIFO. */
static inline void byte(struct etm_etmv2_fifo *fifo, uint8_t value,
                        struct etm_etmv2_record *r)
{
    bool skipped = fifo->n_tfos != 0 && skips(fifo, r);

    fifo->passed++;
    if (skipped) {
        r->use = ETM_USE_UNKNOWN;
        return;
    }
    fifo->carry[fifo->n_carry++] = value;
    if (fifo->n_carry >= fifo->least)
        complete(fifo, r);
}

/* What the pins carry in a cycle with FIFO output. */
static inline void output(struct etm_etmv2_fifo *fifo, unsigned pins,
                          struct etm_etmv2_record *r)
{
    r->use = ETM_USE_PACKETS;
    r->count = 2;
    if (fifo->width == 4) {
        r->count = 1;
        fifo->has_half = !fifo->has_half;
        if (fifo->has_half) {
            fifo->half = pins & 0xfu;
            if (fifo->n_tfos != 0 && skips(fifo, r))
                r->use = ETM_USE_UNKNOWN;
        } else {
            byte(fifo, (uint8_t)(fifo->half | (pins & 0xfu) << 4), r);
        }
        return;
    }
    byte(fifo, (uint8_t)pins, r);
    /* bits 15:8 are valid if there is another byte (6.2) */
    if (fifo->width == 16 && fifo->n_groups != 0) {
        r->count = 4;
        byte(fifo, (uint8_t)(pins >> 8), r);
    }
}

/* There is no gap nibble: the halves were counted wrong, and only the TFO is
 * right. */
static void no_gap(struct etm_etmv2_fifo *fifo, unsigned pins,
                   struct etm_etmv2_record *r)
{
    fifo->has_half = false;
    drop(fifo, last_tfo(fifo), r);
    output(fifo, pins, r);
}

/* A TFO value, or its upper half, or a gap nibble, goes before all others. */
static void output_due(struct etm_etmv2_fifo *fifo, unsigned pins,
                       struct etm_etmv2_record *r)
{
    r->use = ETM_USE_TFO;
    if (fifo->due == ETM_ETMV2_DUE_HIGH) {
        place(fifo, fifo->low | (pins & 0xfu) << 4, r);
    } else if (fifo->due == ETM_ETMV2_DUE_GAP) {
        r->use = ETM_USE_GAP;
        fifo->due = ETM_ETMV2_DUE_NOTHING;
        if ((pins & 0xfu) != ETM_ETMV2_GAP)
            no_gap(fifo, pins, r);
    } else if (!etm_etmv2_is_tfo(pins)) {
        lose(fifo, r);
    } else {
        fifo->low = pins & 0xfu;
        fifo->due = ETM_ETMV2_DUE_HIGH;
        if (fifo->width != 4)
            place(fifo, pins, r);
    }
}

/* Trace disabled, or the first cycle of a TFO (table 6-4). */
static void disabled(struct etm_etmv2_fifo *fifo, unsigned pins,
                     struct etm_etmv2_record *r)
{
    bool pending = fifo->due != ETM_ETMV2_DUE_NOTHING;
    bool reserved = etm_etmv2_is_reserved(pins);

    r->tfo = etm_etmv2_is_tfo(pins);
    r->use = ETM_USE_NOTHING;
    if (reserved)
        r->use = ETM_USE_RESERVED;
    /* the FIFO must be empty, unless a TFO stops its output; a reserved value
     * is neither, and may have been a TFO (E-397) */
    if (pending || (!r->tfo && fifo->n_groups != 0) ||
        (reserved && fifo->synced))
        lose(fifo, r);
    if (!r->tfo)
        return;
    r->bad = false;
    r->use = ETM_USE_TFO;
    push(fifo, true, r);
    fifo->due = ETM_ETMV2_DUE_HIGH;
    fifo->low = pins & 0xfu;
    if (fifo->width != 4)
        place(fifo, pins, r);
}

/* A trigger stops all output for its cycle (6.1.7). */
static void trigger(struct etm_etmv2_fifo *fifo, unsigned pins,
                    struct etm_etmv2_record *r)
{
    r->trigger = true;
    r->use = ETM_USE_STATUS;
    r->status = pins & 0xfu;
    if (r->status == ETM_ETMV2_TR) {
        r->status = ETM_ETMV2_WT;
        r->use = ETM_USE_RESERVED;
    }
    if (r->status != ETM_ETMV2_TD) {
        if (etm_etmv2_status_row(r->status)->pushes)
            push(fifo, false, r);
        return;
    }
    /* only a TFO can be replaced like that (6.5.1) */
    if (fifo->due != ETM_ETMV2_DUE_NOTHING)
        lose(fifo, r);
    r->tfo = true;
    push(fifo, true, r);
    fifo->due = ETM_ETMV2_DUE_TFO;
}

static void begin(struct etm_etmv2_record *r, unsigned status)
{
    r->status = (uint8_t)status;
    r->trigger = r->tfo = r->pushed = r->bad = r->tfo_known = false;
    r->use = ETM_USE_NOTHING;
    r->count = 0;
    r->tfo_value = 0;
    r->n = 0;
}

void etm_etmv2_fifo_ahead(struct etm_etmv2_fifo *fifo)
{
    fifo->n_groups++;
    *group(fifo, fifo->n_groups - 1) = (struct etm_etmv2_group){0};
}

void etm_etmv2_fifo_record(struct etm_etmv2_fifo *fifo, unsigned status,
                           unsigned pins, struct etm_etmv2_record *r)
{
    begin(r, status);
    if (status == ETM_ETMV2_TR) {
        trigger(fifo, pins, r);
        return;
    }
    if (status == ETM_ETMV2_TD) {
        disabled(fifo, pins, r);
        return;
    }
    if (etm_etmv2_status_row(status)->pushes)
        push(fifo, false, r);
    if (fifo->due != ETM_ETMV2_DUE_NOTHING)
        output_due(fifo, pins, r);
    else if (fifo->n_groups != 0)
        output(fifo, pins, r);
    else if (!fifo->synced)
        r->use = ETM_USE_UNKNOWN;
    else if (status == ETM_ETMV2_WT) /* it says that there are some (6.1) */
        lose(fifo, r);
}

#define FIFO(name) ETM_IMPRINT(struct etm_etmv2_fifo, name)
#define FIFO_IF(name, set) ETM_IMPRINT_IF(struct etm_etmv2_fifo, name, set)

static const struct etm_imprint_field fields[] = {
    FIFO(synced), FIFO(has_half),    FIFO_IF(half, has_half),
    FIFO(due),    FIFO_IF(low, due), FIFO(group_bytes),
    FIFO(n_tfos), FIFO(n_groups),
};

void etm_etmv2_fifo_imprint(const struct etm_etmv2_fifo *fifo,
                            struct etm_imprint *imprint)
{
    ETM_IMPRINT_TABLE(imprint, fifo, fields);
    etm_imprint_bytes(imprint, fifo->carry, fifo->n_carry);
    for (unsigned i = 0; i < fifo->n_groups; i++) {
        const struct etm_etmv2_group *g =
            &fifo->groups[(fifo->first + i) % ETM_ETMV2_GROUPS];

        etm_imprint_put(imprint, g->tfo);
        etm_imprint_put(imprint, g->placed);
        /* the count may wrap, and begins at the first TFO that was seen */
        etm_imprint_put(imprint,
                        g->placed ? (uint32_t)(g->at - fifo->passed) : 0);
    }
}
