/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From matches to address comparators: their registers by the rules of the
 * version (2.7, 2.8, 3.5.10, 3.5.11), and their places. A range takes a pair, a
 * value the first comparator of a pair that has a data comparator (2.2.1).
 */
#include "setup/plan.h"

#include "base/diag.h"

static bool is_data(enum etm_look look)
{
    return look >= ETM_LOOK_TRANSFER;
}

/* ETMACTR[2:0] (table 3-27). */
static uint32_t type_of(enum etm_look look)
{
    switch (look) {
    case ETM_LOOK_EXECUTE:
        return 1;
    case ETM_LOOK_PASSED:
        return 2;
    case ETM_LOOK_FAILED:
        return 3;
    case ETM_LOOK_FETCH:
        return 0;
    case ETM_LOOK_TRANSFER:
        return 4;
    case ETM_LOOK_LOAD:
        return 5;
    case ETM_LOOK_STORE:
        return 6;
    }
    return 1;
}

/* Without address comparators: what there is instead (2.6.4, 7.6). */
static int lacks_addresses(struct etm_plan *p)
{
    const struct etm_resource_counts *c = &p->file.counts;
    int status = etm_plan_lacks(p, "address comparators");

    if (c->eices != 0 && etm_plan_has(p, ETM_REG_TESSEICR))
        etm_diag_text(p->diag, "; its EmbeddedICE comparators, which are set "
                               "up by other means, can start and stop the "
                               "trace (--start-at ice:1, --stop-at ice:2) and "
                               "are conditions (ice:1)");
    else if (c->eices != 0)
        etm_diag_text(p->diag, "; its EmbeddedICE comparators, which are set "
                               "up by other means, are conditions (ice:1)");
    else if (c->ext_in != 0)
        etm_diag_text(p->diag, "; what makes its external inputs active can "
                               "select for it (--when ext:1)");
    return status;
}

int etm_plan_check(struct etm_plan *p, const struct etm_request_match *m)
{
    if (m->look > ETM_LOOK_STORE)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "no such access type");
    if ((unsigned)m->isa > ETM_ISA_JAZELLE)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "no such instruction set");
    if (m->has_value && !is_data(m->look))
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a value is for loads and stores only");
    if (m->range && m->from > m->to)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a range ends before it begins");
    return ETM_OK;
}

static int check_look(struct etm_plan *p, const struct etm_request_match *m)
{
    if (p->file.counts.sac_pairs == 0)
        return lacks_addresses(p);
    if (is_data(m->look) && (p->file.pft || p->file.counts.no_data_address))
        return etm_plan_lacks(p, "comparison of data addresses");
    if (p->file.pft && m->look != ETM_LOOK_EXECUTE)
        return etm_plan_lacks(
            p, "comparators for anything but executed instructions");
    if (m->look == ETM_LOOK_FETCH && p->resources.no_fetch)
        return etm_plan_lacks(p, "comparison of fetches (ETMSCR[17])");
    if ((m->look == ETM_LOOK_PASSED || m->look == ETM_LOOK_FAILED) &&
        p->version < ETM_V1_2)
        return etm_plan_lacks(p, "comparison of condition results (v1.2)");
    if (m->range && m->from == UINT32_MAX)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "no range can hold the last byte alone (2.7.7)");
    return ETM_OK;
}

static uint32_t size_code(uint32_t size)
{
    return size == 4 ? 3 : size == 2 ? 1 : 0;
}

static uint32_t isa_code(enum etm_isa isa)
{
    switch (isa) {
    case ETM_ISA_THUMB:
    case ETM_ISA_THUMBEE:
        return 1;
    case ETM_ISA_JAZELLE:
        return 0;
    case ETM_ISA_UNKNOWN:
    case ETM_ISA_ARM:
        break;
    }
    return 3; /* if several are possible, the largest (2.7.1) */
}

/* 2.7.3: up to v3.0 an access is identified by its first address, so that a
 * comparator for a part of a word would miss wider ones. */
static void widen(struct etm_plan *p, const struct etm_request_match *m,
                  struct etm_plan_want *w, uint32_t *size)
{
    if (p->version > ETM_V3_0 || m->has_value || *size == 4)
        return;
    if (!m->range) {
        w->low &= ~UINT32_C(3);
        *size = 4;
        etm_plan_note(p, "the whole word is watched, because wider accesses "
                         "may touch the address: accesses to its other bytes "
                         "match too (2.7.3)");
    } else if (w->low % 4 != 0) {
        w->low &= ~UINT32_C(3);
        etm_plan_note(p, "the range begins at its first word, because wider "
                         "accesses may reach into it: accesses to the bytes "
                         "before it match too (2.7.3)");
    }
}

/* Value and mask of the data comparator (2.8). */
static int take_value(struct etm_plan *p, const struct etm_request_match *m,
                      struct etm_plan_want *w, uint32_t size)
{
    uint32_t all = size == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * size) - 1;
    uint32_t counts = m->mask == 0 ? all : m->mask;
    uint32_t value = m->value;
    unsigned lane = 0;

    if ((m->value & ~all) != 0 || (m->mask & ~all) != 0)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a value or mask is wider than the access");
    if ((value & ~counts) != 0)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a value has bits that its mask leaves out: "
                               "they would not be compared (3.5.11)");
    if (m->differs && p->version < ETM_V1_2)
        return etm_plan_lacks(p, "comparison for unequal values (v1.2)");
    if (p->version < ETM_V2_0) { /* on the bus, at the lane of the address */
        if (m->range && size != 4)
            return etm_plan_refuse(
                p, ETM_ERR_UNSUPPORTED,
                "ETMv1 cannot compare bytes or halfwords in a range: each "
                "address has a different byte lane (2.8.2)");
        lane = m->from & 3u & ~(size - 1u);
        if (m->big_endian)
            lane = 4u - size - lane;
        w->dcvr = value << 8 * lane;
        w->dcmr = ~(counts << 8 * lane);
    } else if (p->version < ETM_V3_3) { /* as traced, at bit 0 */
        w->dcvr = value;
        w->dcmr = ~counts;
        if (size != 4)
            etm_plan_note(p, "wider accesses match too where the low bits of "
                             "their value are equal (2.8.2)");
    } else { /* the same in each lane */
        uint32_t copies = size == 1   ? UINT32_C(0x01010101)
                          : size == 2 ? UINT32_C(0x00010001)
                                      : 1;

        w->dcvr = value * copies;
        w->dcmr = (~counts & all) * copies;
        if (m->range)
            etm_plan_note(p, "in a range, only accesses of exactly that size "
                             "are compared (2.8.3)");
    }
    if (m->big_endian && p->version >= ETM_V2_0)
        etm_plan_note(p, "the byte order makes no difference to values from "
                         "v2.0 on: they are compared as they are traced "
                         "(2.8.4)");
    if (p->version < ETM_V3_3 && size != 1)
        etm_plan_note(p, "smaller accesses are compared, too: the bits next to "
                         "their value are UNPREDICTABLE (2.8.2)");
    w->value = true;
    w->type |= m->differs ? 0x60 : 0x20;
    return ETM_OK;
}

int etm_plan_context_id(struct etm_plan *p, uint32_t id, unsigned *index)
{
    unsigned there = p->file.counts.cidcs;

    if (p->version < ETM_V2_0)
        return etm_plan_lacks(p, "context ID comparators (v2.0)");
    for (unsigned i = 0; i < p->n_context_ids; i++) {
        if (p->context_ids[i] == id) {
            *index = i;
            return ETM_OK;
        }
    }
    if (p->n_context_ids == there)
        return etm_plan_short(p, "context ID comparators", there + 1, there);
    *index = p->n_context_ids;
    p->context_ids[p->n_context_ids++] = id;
    return ETM_OK;
}

#define ACTR_HYP UINT32_C(0x4000) /* matches in Hyp mode, too */

/*
 * State of the processor. ETMACTR[11:10] from v3.2 on; v3.5 and PFT have two
 * bits for each security state, [13,11] and [12,10]: 00 all modes, 01 none, 10
 * not User mode, 11 User mode only. Without modes both mean the same.
 */
static int take_state(struct etm_plan *p, const struct etm_request_match *m,
                      uint32_t *type)
{
    uint32_t mode = 0;

    if (m->security > ETM_REQUEST_SECURE || m->mode > ETM_REQUEST_PRIVILEGED)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "no such state");
    if (m->security != ETM_REQUEST_SECURITY_ANY &&
        (p->version < ETM_V3_2 || !p->file.security))
        return etm_plan_lacks(p, "comparison of the security state");
    if (m->mode != ETM_REQUEST_MODE_ANY &&
        (p->version < ETM_V3_5 || !p->file.security))
        return etm_plan_lacks(p, "comparison of User mode");
    if (m->mode == ETM_REQUEST_USER)
        mode = 3;
    else if (m->mode == ETM_REQUEST_PRIVILEGED)
        mode = 2;
    for (unsigned secure = 0; secure < 2; secure++) {
        bool none = secure ? m->security == ETM_REQUEST_NON_SECURE
                           : m->security == ETM_REQUEST_SECURE;
        uint32_t bits = none ? 1 : mode;
        unsigned low = secure ? 10 : 11;

        *type |= (bits & 1) << low | (bits >> 1) << (low + 2);
    }
    /* Hyp mode has a bit of its own: it is Non-secure and privileged. */
    if (p->file.trace.virtualization && p->version >= ETM_V3_5 &&
        m->security != ETM_REQUEST_SECURE && m->mode != ETM_REQUEST_USER)
        *type |= ACTR_HYP;
    return ETM_OK;
}

static int take_context(struct etm_plan *p, const struct etm_request_match *m,
                        enum etm_plan_use use, uint32_t *type)
{
    unsigned index;
    int status = take_state(p, m, type);

    if (status != ETM_OK || !m->has_context_id)
        return status;
    status = etm_plan_context_id(p, m->context_id, &index);
    if (status != ETM_OK)
        return status;
    *type |= (uint32_t)(index + 1) << 8;
    if (use == ETM_PLAN_REGION && p->version >= ETM_V3_0)
        etm_plan_note(p, "tracing may begin or end late where the context ID "
                         "changes (2.6.4)");
    return ETM_OK;
}

/* Notes on a comparator that decides what is traced (2.6.4, 2.7.4). */
static void note_region(struct etm_plan *p, const struct etm_request_match *m)
{
    if (m->look == ETM_LOOK_FETCH)
        etm_plan_note(p, "comparison of fetches is imprecise: instructions "
                         "that are never executed match, too (2.6.4, 2.7.8)");
    if (is_data(m->look) && p->version < ETM_V1_2)
        etm_plan_note(p, "data addresses control tracing imprecisely before "
                         "v1.2 (2.6.4)");
    if (m->has_value && p->version >= ETM_V2_0)
        etm_plan_note(p, "where data come out of order, the transfer is "
                         "selected before its value is known (table 2-6)");
}

static int compile(struct etm_plan *p, const struct etm_request_match *m,
                   enum etm_plan_use use, struct etm_plan_want *w)
{
    uint32_t size = 0;
    int status = etm_plan_check(p, m);

    *w = (struct etm_plan_want){.range = m->range, .low = m->from};
    if (status == ETM_OK && etm_plan_by_dwt(p))
        return etm_plan_dwt_compile(p, m, use, w);
    if (status == ETM_OK)
        status = check_look(p, m);
    if (status != ETM_OK)
        return status;
    w->type = type_of(m->look);
    if (is_data(m->look)) {
        status = etm_plan_data_size(p, m, &size);
        if (status != ETM_OK)
            return status;
        widen(p, m, w, &size);
        if (m->has_value)
            status = take_value(p, m, w, size);
        w->type |= size_code(size) << 3;
    } else {
        w->type |= isa_code(m->isa) << 3;
    }
    if (status == ETM_OK)
        status = take_context(p, m, use, &w->type);
    if (use == ETM_PLAN_EVENT && !m->imprecise && p->version >= ETM_V2_0 &&
        !p->file.pft && m->look != ETM_LOOK_FETCH)
        w->type |= 0x80;
    if (use == ETM_PLAN_REGION)
        note_region(p, m);
    if (!m->range)
        return status;
    w->high = m->to == UINT32_MAX ? m->to : m->to + 1;
    w->high_type = w->type & ~UINT32_C(0x60);
    if (m->to == UINT32_MAX)
        w->high_type |= 0x18;
    return status;
}

static bool alike(const struct etm_plan_want *a, const struct etm_plan_want *b)
{
    return a->range == b->range && a->value == b->value && a->low == b->low &&
           a->high == b->high && a->type == b->type && a->dcvr == b->dcvr &&
           a->dcmr == b->dcmr && a->use == b->use;
}

int etm_plan_match(struct etm_plan *p, const struct etm_request_match *match,
                   enum etm_plan_use use, size_t *want)
{
    struct etm_plan_want w;
    int status = compile(p, match, use, &w);
    size_t i = 0;

    if (status != ETM_OK)
        return status;
    while (i < p->n_wants && !alike(&p->wants[i], &w))
        i++;
    if (i == ETM_PLAN_WANTS)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "more addresses and ranges than any macrocell "
                               "has comparators for");
    p->wants[i] = w;
    if (i == p->n_wants)
        p->n_wants++;
    *want = i;
    return ETM_OK;
}

/* Count what all wants need, and check that it exists. */
static int count(struct etm_plan *p)
{
    unsigned ranges = 0, singles = 0, values = 0, value_singles = 0, pairs;
    int status;

    for (size_t i = 0; i < p->n_wants; i++) {
        ranges += p->wants[i].range;
        singles += !p->wants[i].range;
        values += p->wants[i].value;
        value_singles += p->wants[i].value && !p->wants[i].range;
    }
    if (values > p->file.counts.dvcs)
        return etm_plan_short(p, "data value comparators", values,
                              p->file.counts.dvcs);
    /* A value takes the first of its pair; any address takes the second. */
    pairs = (singles + 1) / 2;
    pairs = ranges + (pairs > value_singles ? pairs : value_singles);
    if (pairs <= p->file.counts.sac_pairs)
        return ETM_OK;
    status = etm_plan_short(p, "pairs of address comparators", pairs,
                            p->file.counts.sac_pairs);
    etm_diag_text(p->diag, ": each of the ");
    etm_diag_dec(p->diag, ranges);
    etm_diag_text(p->diag, ranges == 1 ? " range" : " ranges");
    etm_diag_text(p->diag, " takes a pair");
    if (singles == 0)
        return status;
    etm_diag_text(p->diag, ", each two of the ");
    etm_diag_dec(p->diag, singles);
    etm_diag_text(p->diag, " single addresses another");
    return status;
}

/* First comparator of the lowest place that fits; single addresses use
 * half-free pairs first. There is one, as count() has checked. */
static uint8_t find_place(const struct etm_plan_want *w, const bool *used)
{
    unsigned free_pair = 0;

    while (free_pair < 15 && (used[free_pair] || used[free_pair + 1]))
        free_pair += 2;
    if (w->range || w->value)
        return (uint8_t)free_pair;
    for (unsigned n = 0; n < 16; n++)
        if (!used[n] && used[n ^ 1u])
            return (uint8_t)n;
    return (uint8_t)free_pair;
}

int etm_plan_place(struct etm_plan *p)
{
    bool used[17] = {false};
    int status;

    if (etm_plan_by_dwt(p))
        return etm_plan_dwt_place(p);
    status = count(p);
    if (status != ETM_OK)
        return status;
    /* Values first: only the first pairs have data comparators. */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < p->n_wants; i++) {
            struct etm_plan_want *w = &p->wants[i];

            if (w->value != (pass == 0))
                continue;
            w->slot = find_place(w, used);
            used[w->slot] = true;
            if (w->range)
                used[w->slot + 1] = true;
        }
    }
    return ETM_OK;
}

void etm_plan_write_comparators(struct etm_plan *p)
{
    if (etm_plan_by_dwt(p)) {
        etm_plan_dwt_write(p);
        return;
    }
    for (size_t i = 0; i < p->n_wants; i++) {
        const struct etm_plan_want *w = &p->wants[i];

        etm_plan_set(p, ETM_REG_ACVR1 + w->slot, w->low);
        etm_plan_set(p, ETM_REG_ACTR1 + w->slot, w->type);
        if (w->range) {
            etm_plan_set(p, ETM_REG_ACVR1 + w->slot + 1u, w->high);
            etm_plan_set(p, ETM_REG_ACTR1 + w->slot + 1u, w->high_type);
        }
        if (w->value) {
            etm_plan_set(p, ETM_REG_DCVR1 + w->slot, w->dcvr);
            etm_plan_set(p, ETM_REG_DCMR1 + w->slot, w->dcmr);
        }
    }
}
