/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start/stop block, TraceEnable and ViewData (ETM architecture 2.6.4, 2.6.5).
 *
 *   TraceEnable = event AND region AND (start/stop block, if ETMTECR1[25])
 *   region      = anything selected matches; in exclude mode, nothing does
 *
 * Each item is evaluated when it comes, except for the enabling events: those
 * see the whole cycle, and are added at its end.
 */
#include "model/resources.h"

#define ALL_ITEMS UINT32_MAX

/* Bit of an item in the outputs. */
static uint32_t item_bit(unsigned n)
{
    return UINT32_C(1) << (n < ETM_RESOURCES_ITEMS ? n
                                                   : ETM_RESOURCES_ITEMS - 1);
}

static uint32_t low_bits(unsigned n)
{
    return n >= ETM_RESOURCES_ITEMS ? ALL_ITEMS : (UINT32_C(1) << n) - 1;
}

/* Bits of the comparators that exist. */
static uint32_t comparators(const struct etm_resources *r)
{
    unsigned pairs = r->config.counts.sac_pairs;

    return (((UINT32_C(1) << pairs) - 1) << 16) |
           ((UINT32_C(1) << 2 * pairs) - 1);
}

static uint16_t decoders(const struct etm_resources *r)
{
    return (uint16_t)((UINT32_C(1) << r->config.counts.mmds) - 1);
}

static void take_start_stop(struct etm_resources *r, const uint32_t *value)
{
    uint32_t eice = value[ETM_REG_TESSEICR];
    uint32_t exist = comparators(r) & ETM_MATCH_SACS;

    r->start_stop_present = r->version >= ETM_V2_0 ? r->config.counts.start_stop
                                                   : r->version >= ETM_V1_2;
    r->start = r->stop = 0;
    r->start_eice = r->stop_eice = 0;
    if (!r->start_stop_present)
        return;
    r->start = value[ETM_REG_TSSCR] & exist;
    r->stop = value[ETM_REG_TSSCR] >> 16 & exist;
    if (r->version >= ETM_V3_4 && r->config.counts.start_stop_eice) {
        exist = (UINT32_C(1) << r->config.counts.eices) - 1;
        r->start_eice = (uint8_t)(eice & exist);
        r->stop_eice = (uint8_t)(eice >> 16 & exist);
    }
}

static void take_trace_enable(struct etm_resources *r, const uint32_t *value)
{
    uint32_t control = value[ETM_REG_TECR1];

    r->te_matches = (control & 0xffu) << 16;
    r->te_start_stop = false;
    if (r->version >= ETM_V1_2) {
        r->te_matches |= value[ETM_REG_TECR2] & ETM_MATCH_SACS;
        r->te_start_stop = r->start_stop_present && control >> 25 & 1u;
    }
    r->te_matches &= comparators(r);
    r->te_mmds = (uint16_t)(control >> 8 & decoders(r));
    r->te_exclude = control >> 24 & 1u;
}

/* FIFOFULL: ranges and memory map decoders only (table 3-18). It costs nothing
 * if stalling is not switched on. */
static void take_full(struct etm_resources *r, const uint32_t *value)
{
    uint32_t control = value[ETM_REG_FFRR];

    r->full_matches = 0;
    r->full_mmds = 0;
    if (r->config.counts.fifofull && value[ETM_REG_CR] & ETM_CR_STALL) {
        r->full_matches = (control & 0xffu) << 16 & comparators(r);
        r->full_mmds = (uint16_t)(control >> 8 & decoders(r));
    }
    r->full_exclude = control >> 24 & 1u;
    /* Where nothing makes a region, there is no register (E-403). */
    if (r->config.counts.sac_pairs == 0 && r->config.counts.mmds == 0)
        r->full_exclude = true;
}

void etm_resources_filters(struct etm_resources *r, const uint32_t *value)
{
    uint32_t sacs = value[ETM_REG_VDCR1];
    uint32_t mmds = value[ETM_REG_VDCR2];
    uint32_t control = value[ETM_REG_VDCR3];
    uint32_t etmcr = value[ETM_REG_CR];

    take_start_stop(r, value);
    take_trace_enable(r, value);
    r->vd_include =
        ((sacs & 0xffffu) | (control & 0xffu) << 16) & comparators(r);
    r->vd_exclude =
        (sacs >> 16 | (control >> 8 & 0xffu) << 16) & comparators(r);
    r->vd_include_mmds = (uint16_t)(mmds & decoders(r));
    r->vd_exclude_mmds = (uint16_t)(mmds >> 16 & decoders(r));
    r->vd_exclude_only = control >> 16 & 1u;
    take_full(r, value);
    r->cprt = etmcr & ETM_CR_CPRT;
    r->cprt_filter = r->version >= ETM_V3_0 && etmcr & ETM_CR_CPRT_FILTER;
    r->data_only = r->version >= ETM_V3_1 && etmcr & ETM_CR_DATA_ONLY;
}

/* EmbeddedICE inputs that are latched go on to start or stop (7.6.1). */
static bool maintained(const struct etm_resources *r, uint8_t inputs)
{
    return r->eice_modes && (r->eice_held & r->eice_latch & inputs) != 0;
}

void etm_resources_maintain(struct etm_resources *r)
{
    if (r->held != ETM_RESOURCES_RUN || r->pins.no_noninvasive)
        return;
    r->started = maintained(r, r->start_eice) ||
                 (r->started && !maintained(r, r->stop_eice));
}

/*
 * A stop takes effect before its item and a start too, so that the first
 * instruction of a function is traced and that after its end is not (2.11.1).
 * If both match the same item, the stop is ignored (2.6.4). The block is active
 * for the cycle if it is so for any item.
 */
bool etm_resources_start_stop(struct etm_resources *r, bool start, bool stop)
{
    bool active;

    if (r->held != ETM_RESOURCES_RUN || r->pins.no_noninvasive)
        return r->started;
    active = start || maintained(r, r->start_eice) ||
             (r->started && !stop && !maintained(r, r->stop_eice));
    r->started = active;
    r->now.active = r->now.active || active;
    r->now.judged = true;
    return active;
}

/* The part of TraceEnable that belongs to an item. */
static bool traced(const struct etm_resources *r, uint32_t matches, bool active)
{
    bool hit = matches & r->te_matches || r->pins.mmd & r->te_mmds;

    return hit != r->te_exclude && (active || !r->te_start_stop);
}

void etm_resources_filter_insn(struct etm_resources *r, uint32_t matches,
                               bool allowed)
{
    uint32_t bit = item_bit(r->now.insns);
    bool active;

    if (!allowed)
        return; /* nor does the block see prohibited regions */
    active = etm_resources_start_stop(r, matches & r->start, matches & r->stop);
    r->now.allowed |= bit;
    /* A data range is sticky, and so reaches the instructions that follow
       the transfer (tables 2-8 and 2-10); one of instructions may, too. */
    if (traced(r, matches | r->sticky, active))
        r->now.insn_ok |= bit;
}

/* ViewData except for its event; exclusion comes first (2.6.5). */
static bool viewed(const struct etm_resources *r, uint32_t matches)
{
    if (matches & r->vd_exclude || r->pins.mmd & r->vd_exclude_mmds)
        return false;
    return r->vd_exclude_only || matches & r->vd_include ||
           r->pins.mmd & r->vd_include_mmds;
}

static void filter_view(struct etm_resources *r,
                        const struct etm_resource_transfer *t, uint32_t matches,
                        uint32_t bit)
{
    bool view = viewed(r, matches);

    if (t->cprt) {
        /* Table 2-1: ETMCR[1] permits them, with ETMCR[19] they depend on
         * ViewData. ETMCR[19] alone is UNPREDICTABLE: none here. */
        if (r->cprt && !r->cprt_filter)
            r->now.view_always |= bit;
        view = view && r->cprt;
    } else if (t->follows) {
        r->now.view_follows |= bit;
    }
    if (view)
        r->now.view_ok |= bit;
}

/* Whether the transfer is a new item for TraceEnable. A late value is one only
 * for comparators that have waited for it. */
static bool judges(const struct etm_resources *r,
                   const struct etm_resource_transfer *t, uint32_t matches)
{
    if (r->data_only)
        return true;
    if (t->phase == ETM_TRANSFER_RETURNED)
        return matches & r->te_matches;
    return !t->stacking;
}

void etm_resources_filter_transfer(struct etm_resources *r,
                                   const struct etm_resource_transfer *t,
                                   uint32_t matches)
{
    uint32_t bit = item_bit(r->now.transfers);
    uint32_t slot = t->owner.number - r->now.first;
    uint32_t owner = t->owner.matches;
    bool active =
        etm_resources_start_stop(r, matches & r->start, matches & r->stop);

    /* The comparators' result for the instruction applies to everything it
     * does: an instruction excluded by its address is not included by its
     * transfers (2.6.4, 2.11.2). */
    if (judges(r, t, matches) &&
        traced(r, owner | matches | (r->sticky & r->data_used), active)) {
        r->now.transfer_ok |= bit;
        if (r->now.insns != 0 && slot < r->number - r->now.first)
            r->now.insn_ok |= item_bit(slot);
    }
    filter_view(r, t, owner | matches, bit);
}

/* Before v2.0, the first transfer of an instruction decides about all. */
static uint32_t follow(struct etm_resources *r, uint32_t view)
{
    for (unsigned n = 0; n < r->now.transfers && n < ETM_RESOURCES_ITEMS; n++) {
        uint32_t bit = item_bit(n);

        if (r->now.view_follows & bit)
            view = r->last_view ? view | bit : view & ~bit;
        else
            r->last_view = view & bit;
    }
    return view;
}

void etm_resources_filter_cycle(struct etm_resources *r, bool trace_event,
                                bool view_event, bool outstanding,
                                struct etm_resource_outputs *out)
{
    bool stays = r->high && outstanding && !r->data_only;

    out->insns = trace_event ? r->now.insn_ok : 0;
    out->transfers = trace_event ? r->now.transfer_ok : 0;
    /* TraceEnable cannot fall before a data instruction has completed, and
       what is executed meanwhile is traced (2.6.4). */
    if (stays)
        out->insns = r->now.allowed & low_bits(r->now.insns);
    out->view = (view_event ? r->now.view_ok : 0) | r->now.view_always;
    if (r->version < ETM_V2_0 && r->now.transfers != 0)
        out->view = follow(r, out->view);

    if (r->context.prohibited || r->pins.no_noninvasive)
        r->high = false;
    else if (r->now.insns != 0)
        r->high = out->insns & item_bit(r->now.insns - 1u) || stays;
    else if (r->now.transfers != 0)
        r->high = (r->high && !r->data_only) ||
                  out->transfers & item_bit(r->now.transfers - 1u);
    out->trace_enable = r->high;
    out->full_region =
        ((r->now.matches | r->sticky) & r->full_matches ||
         (r->now.mmds | r->pins.mmd) & r->full_mmds) != r->full_exclude;
}
