/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_resources.h"

#include <string.h>

static bool has_block(const struct plain *p)
{
    return plain_version(p) >= ETM_V2_0 ? p->config.counts.start_stop
                                        : plain_version(p) >= ETM_V1_2;
}

/* Does an EmbeddedICE input start or stop all the time, from one sample to the
 * next (7.6.3)? Bits of ETMTESSEICR from `first` on select them. */
static bool latched(const struct plain *p, unsigned first)
{
    if (!p->config.counts.eice_behavior || plain_version(p) < ETM_V3_4 ||
        !p->config.counts.start_stop_eice || !has_block(p))
        return false;
    for (unsigned n = 0; n < p->config.counts.eices; n++)
        if (p->eice_held[n] && plain_bit(plain_reg(p, ETM_REG_EIBCR), n) &&
            plain_bit(plain_reg(p, ETM_REG_TESSEICR), first + n))
            return true;
    return false;
}

/* An item of the start/stop block: is it active for it (2.11.1)? */
static bool block(struct plain *p, bool start, bool stop)
{
    bool active = p->started;

    if (latched(p, 0))
        start = true;
    if (latched(p, 16))
        stop = true;
    if (start || stop)
        active = start;
    if (p->held != ETM_RESOURCES_RUN || p->pins.no_noninvasive)
        return p->started;
    p->started = active;
    p->block_now = p->block_now || active;
    p->block_judged = true;
    return active;
}

static bool sac_exists(const struct plain *p, unsigned n)
{
    return n < 2u * p->config.counts.sac_pairs;
}

/* Does one of the comparators that a mask selects match? */
static bool any_sac(const struct plain *p, uint32_t mask, const bool *sac)
{
    for (unsigned n = 0; n < 16; n++)
        if (plain_bit(mask, n) && sac_exists(p, n) && sac[n])
            return true;
    return false;
}

static bool any_arc(const struct plain *p, uint32_t mask, const bool *arc)
{
    for (unsigned k = 0; k < p->config.counts.sac_pairs; k++)
        if (plain_bit(mask, k) && arc[k])
            return true;
    return false;
}

static bool any_mmd(const struct plain *p, uint32_t mask)
{
    for (unsigned n = 0; n < p->config.counts.mmds; n++)
        if (plain_bit(mask, n) && plain_bit(p->pins.mmd, n) &&
            !p->pins.no_noninvasive)
            return true;
    return false;
}

/* TraceEnable but for its event (2.6.4). */
static bool region(const struct plain *p, const bool *sac, const bool *arc,
                   bool active)
{
    uint32_t c = plain_reg(p, ETM_REG_TECR1);
    bool hit = any_arc(p, plain_bits(c, 7, 0), arc) ||
               any_mmd(p, plain_bits(c, 23, 8));

    if (plain_version(p) >= ETM_V1_2) {
        hit = hit ||
              any_sac(p, plain_bits(plain_reg(p, ETM_REG_TECR2), 15, 0), sac);
        if (plain_bit(c, 25) && has_block(p) && !active)
            return false;
    }
    return hit != plain_bit(c, 24);
}

/* 2.6.5 */
static bool view(const struct plain *p, const bool *sac, const bool *arc)
{
    uint32_t sacs = plain_reg(p, ETM_REG_VDCR1),
             mmds = plain_reg(p, ETM_REG_VDCR2);
    uint32_t c = plain_reg(p, ETM_REG_VDCR3);

    if (any_sac(p, plain_bits(sacs, 31, 16), sac) ||
        any_arc(p, plain_bits(c, 15, 8), arc) ||
        any_mmd(p, plain_bits(mmds, 31, 16)))
        return false;
    return plain_bit(c, 16) || any_sac(p, plain_bits(sacs, 15, 0), sac) ||
           any_arc(p, plain_bits(c, 7, 0), arc) ||
           any_mmd(p, plain_bits(mmds, 15, 0));
}

static bool starts(const struct plain *p, const bool *sac)
{
    return has_block(p) &&
           any_sac(p, plain_bits(plain_reg(p, ETM_REG_TSSCR), 15, 0), sac);
}

static bool stops(const struct plain *p, const bool *sac)
{
    return has_block(p) &&
           any_sac(p, plain_bits(plain_reg(p, ETM_REG_TSSCR), 31, 16), sac);
}

/* DBG (2.9): the resource as the cycle sees it, and from the next one on. */
static void hint(struct plain *p, const struct etm_resource_insn *i)
{
    unsigned h = i->hint - 1u, n = h % 4;

    if (i->hint == 0 || !i->passed || i->cancelled || h > 11 ||
        plain_version(p) < ETM_V3_3 || n >= p->config.counts.instrumentation ||
        p->held == ETM_RESOURCES_LOCKED ||
        (plain_bit(plain_reg(p, ETM_REG_CR), 24) && p->context.user))
        return;
    p->hint_now[n] = p->hint_now[n] || p->instrumentation[n] || h / 4 != 1;
    p->instrumentation[n] = h / 4 == 0;
}

/* 2.7.5: an event of v1.x passes over what was cancelled, but for a fetch. */
static bool plain_seen(const struct plain *p, unsigned n, bool cancelled)
{
    uint32_t type = plain_bits(plain_reg(p, ETM_REG_ACTR1 + n), 2, 0);

    return plain_version(p) >= ETM_V2_0 || !cancelled || type == 0;
}

static void note(struct plain *p, const bool *sac, const bool *arc, bool gone)
{
    for (unsigned n = 0; n < 16; n++)
        p->sac_now[n] = p->sac_now[n] || (plain_seen(p, n, gone) && sac[n]);
    for (unsigned k = 0; k < 8; k++)
        p->arc_now[k] = p->arc_now[k] || (plain_seen(p, 2 * k, gone) && arc[k]);
}

/* The matches of an item, and what ranges remember. */
static void or_sticky(const struct plain *p, bool *arc, bool data_only)
{
    for (unsigned k = 0; k < 8; k++)
        if (p->arc[k] && (!data_only || plain_is_data(p, 2 * k)))
            arc[k] = true;
}

static struct plain_answer take_insn(struct plain *p, struct plain_item *item)
{
    struct plain_answer answer = {.traced = false};
    struct plain_owner *o = item->owner;
    bool arc[8], active;

    memset(o, 0, sizeof *o);
    o->prohibited = plain_closed(p);
    for (unsigned n = 0; n < 16 && !plain_closed(p); n++) {
        o->sac[n] =
            sac_exists(p, n) && plain_insn_matches(p, n, false, &item->insn);
        if (n % 2 == 0)
            o->arc[n / 2] =
                sac_exists(p, n) && plain_insn_matches(p, n, true, &item->insn);
    }
    if (!plain_closed(p))
        hint(p, &item->insn);
    for (unsigned k = 0; k < 8; k++) {
        if (plain_is_data(p, 2 * k))
            continue;
        if (!p->config.ranges_follow_data || plain_closed(p))
            p->arc[k] = p->arc_seen[k] = false;
        if (o->arc[k] && !plain_fires(p, k)) {
            p->arc[k] = true;
            p->arc_seen[k] =
                p->arc_seen[k] || plain_seen(p, 2 * k, item->insn.cancelled);
        }
    }
    note(p, o->sac, o->arc, item->insn.cancelled);
    p->mmd_now |= p->pins.no_noninvasive ? 0 : p->pins.mmd;
    for (unsigned n = 0; n < 3; n++)
        p->cidc_now[n] = p->cidc_now[n] || plain_cidc(p, n);
    p->cidc_now[3] = p->cidc_now[3] || plain_vmidc(p);
    if (plain_closed(p))
        return answer;
    active = block(p, starts(p, o->sac), stops(p, o->sac));
    memcpy(arc, o->arc, sizeof arc);
    or_sticky(p, arc, false);
    answer.traced = region(p, o->sac, arc, active);
    return answer;
}

static struct plain_answer take_transfer(struct plain *p,
                                         struct plain_item *item)
{
    const struct etm_resource_transfer *t = &item->transfer;
    struct plain_answer answer = {.traced = false};
    struct plain_owner all = *item->owner;
    uint32_t cr = plain_reg(p, ETM_REG_CR);
    bool sac[16] = {0}, arc[8] = {0}, active, judged, data_only;

    p->mmd_now |= p->pins.no_noninvasive ? 0 : p->pins.mmd;
    if (item->owner->prohibited)
        return answer;
    for (unsigned n = 0; n < 16; n++) {
        sac[n] = sac_exists(p, n) && plain_data_matches(p, n, false, t);
        if (n % 2 == 0)
            arc[n / 2] = sac_exists(p, n) && plain_data_matches(p, n, true, t);
    }
    for (unsigned k = 0; k < 8; k++) {
        if (!plain_is_data(p, 2 * k))
            continue;
        if (t->phase != ETM_TRANSFER_RETURNED &&
            !(t->cprt && p->config.no_cprt))
            p->arc[k] = p->arc_seen[k] = false;
        if (arc[k] && !plain_fires(p, k))
            p->arc[k] = p->arc_seen[k] = true;
    }
    note(p, sac, arc, false);
    active = block(p, starts(p, sac), stops(p, sac));
    judged = !t->stacking && t->phase != ETM_TRANSFER_RETURNED;
    data_only = plain_version(p) >= ETM_V3_1 && plain_bit(cr, 20);
    if (t->phase == ETM_TRANSFER_RETURNED) {
        uint32_t sacs = plain_version(p) >= ETM_V1_2
                            ? plain_bits(plain_reg(p, ETM_REG_TECR2), 15, 0)
                            : 0;

        judged = any_sac(p, sacs, sac) ||
                 any_arc(p, plain_bits(plain_reg(p, ETM_REG_TECR1), 7, 0), arc);
    }
    for (unsigned n = 0; n < 16; n++)
        all.sac[n] = all.sac[n] || sac[n];
    for (unsigned k = 0; k < 8; k++)
        all.arc[k] = all.arc[k] || arc[k];
    answer.viewed = view(p, all.sac, all.arc);
    if (t->cprt) {
        bool filter = plain_version(p) >= ETM_V3_0 && plain_bit(cr, 19);

        answer.viewed = answer.viewed && plain_bit(cr, 1);
        answer.always = plain_bit(cr, 1) && !filter;
    }
    or_sticky(p, all.arc, true);
    answer.traced =
        (judged || data_only) && region(p, all.sac, all.arc, active);
    return answer;
}

struct plain_answer plain_take(struct plain *p, struct plain_item *item)
{
    p->any_item = true;
    p->ns_now = p->ns_now || (plain_non_secure(p) && !p->context.prohibited);
    p->closed_now = p->closed_now || p->context.prohibited;
    return item->is_insn ? take_insn(p, item) : take_transfer(p, item);
}

/* EmbeddedICE input n, from 0, as an event sees it (2.2.1, 7.6). */
static bool eice(const struct plain *p, unsigned n, bool latch)
{
    unsigned count = p->config.counts.eices;
    bool pulse =
        plain_bit(p->pins.eice, n) && plain_bit(p->pins.eice_sampled, n);

    if (plain_version(p) < ETM_V3_4)
        return n < count && n < 2 && plain_bit(p->pins.eice, n);
    if (p->config.counts.eice_behavior)
        latch = plain_bit(plain_reg(p, ETM_REG_EIBCR), n);
    return n < count && (latch ? p->eice_held[n] : pulse);
}

static bool extsel(const struct plain *p, unsigned n)
{
    unsigned input = plain_reg(p, ETM_REG_EXTINSELR) >> 8 * n & 0xff;

    return plain_version(p) >= ETM_V3_1 && n < p->config.counts.extsels &&
           input < p->config.counts.ext_ext_in &&
           plain_bit(p->pins.ext_ext[input / 32], input % 32);
}

/* Table 3-81 */
static bool resource(const struct plain *p, unsigned number, bool latch)
{
    const struct etm_resource_counts *c = &p->config.counts;
    bool off = p->pins.no_noninvasive;
    unsigned n = number & 0xf;

    switch (number >> 4) {
    case 0:
        return n < 2u * c->sac_pairs && p->sac_now[n];
    case 1:
        if (n < 8)
            return n < c->sac_pairs && (p->arc_now[n] || p->arc_seen[n]);
        n -= 8;
        return n < 4 && n < c->instrumentation &&
               plain_version(p) >= ETM_V3_3 &&
               (p->instrumentation[n] || p->hint_now[n]);
    case 2:
        return n < 8 && !off && eice(p, n, latch);
    case 3:
        return n < c->mmds && (plain_bit(p->mmd_now, n) ||
                               (!off && plain_bit(p->pins.mmd, n)));
    case 4:
        return n < c->counters && p->counter[n] == 0;
    case 5:
        if (n < 3)
            return c->sequencer && p->state == n;
        if (n >= 8 && n < 11)
            return plain_version(p) >= ETM_V2_0 && n - 8 < c->cidcs &&
                   (p->cidc_now[n - 8] || plain_cidc(p, n - 8));
        if (n == 11)
            return p->config.virtualization &&
                   (p->cidc_now[3] || plain_vmidc(p));
        return n == 15 && plain_version(p) >= ETM_V2_0 && c->start_stop &&
               (p->block_judged ? p->block_now : p->started);
    case 6:
        if (n < 4)
            return n < c->ext_in && !off && plain_bit(p->pins.ext_in, n);
        if (n >= 8 && n < 12)
            return !off && extsel(p, n - 8);
        if (n == 13)
            return plain_version(p) >= ETM_V3_2 && !off &&
                   (p->any_item ? p->ns_now
                                : plain_non_secure(p) && !plain_closed(p));
        if (n == 14)
            return plain_version(p) >= ETM_V3_2 &&
                   (off || (p->any_item ? p->closed_now : plain_closed(p)));
        return n == 15;
    default:
        return false;
    }
}

/* Table 3-82. Of EmbeddedICE inputs, TraceEnable and ViewData see the latched
 * level (table 7-21, V3-EICE-04). */
static bool event(const struct plain *p, uint32_t word, bool latch)
{
    bool a = resource(p, plain_bits(word, 6, 0), latch);
    bool b = resource(p, plain_bits(word, 13, 7), latch);

    switch (plain_bits(word, 16, 14)) {
    case 0:
        return a;
    case 1:
        return !a;
    case 2:
        return a && b;
    case 3:
        return !a && b;
    case 4:
        return !a && !b;
    case 5:
        return a || b;
    case 6:
        return !a || b;
    default:
        return !a || !b;
    }
}

static void count(struct plain *p, const bool *down, const bool *reload)
{
    for (unsigned n = 0; n < p->config.counts.counters; n++) {
        if (reload[n])
            p->counter[n] = (uint16_t)plain_reg(p, ETM_REG_CNTRLDVR1 + n);
        else if (down[n] && p->counter[n] != 0)
            p->counter[n]--;
    }
}

static void clock(struct plain *p, struct etm_resource_outputs *out)
{
    static const uint8_t from[6] = {0, 1, 1, 2, 2, 0};
    static const uint8_t to[6] = {1, 0, 2, 0, 1, 2};
    bool down[4] = {0}, reload[4] = {0};
    unsigned requests = 0, target = p->state;

    if (event(p, plain_reg(p, ETM_REG_TRIGGER), false) && !p->triggered)
        out->trigger = p->triggered = true;
    out->timestamp = plain_version(p) >= ETM_V3_5 && !p->config.no_timestamps &&
                     event(p, plain_reg(p, ETM_REG_TSEVR), false);
    for (unsigned n = 0; n < p->config.counts.ext_out; n++)
        out->ext_out |=
            (uint8_t)(event(p, plain_reg(p, ETM_REG_EXTOUTEVR1 + n), false)
                      << n);
    for (unsigned n = 0; n < p->config.counts.counters; n++) {
        uint32_t enable = plain_reg(p, ETM_REG_CNTENR1 + n);

        down[n] = event(p, enable, false) ||
                  (plain_version(p) < ETM_V2_0 && !plain_bit(enable, 17));
        reload[n] = event(p, plain_reg(p, ETM_REG_CNTRLDEVR1 + n), false);
        if (n == 0 && p->config.counts.reduced_counter) {
            down[n] = true;
            reload[n] = p->counter[0] == 0;
        }
    }
    for (unsigned n = 0; n < 6 && p->config.counts.sequencer; n++)
        if (from[n] == p->state &&
            event(p, plain_reg(p, ETM_REG_SQ12EVR + n), false)) {
            requests++;
            target = to[n];
        }
    count(p, down, reload);
    if (requests == 1)
        p->state = target;
}

/* Before v2.0 what ViewData said of the first of a load/store multiple goes
 * for all (2.6.5). */
static void views(struct plain *p, const struct plain_item *items,
                  const struct plain_answer *answers, unsigned n, bool on,
                  struct etm_resource_outputs *out)
{
    unsigned k = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct etm_resource_transfer *t = &items[i].transfer;
        bool viewed = (on && answers[i].viewed) || answers[i].always;

        if (items[i].is_insn)
            continue;
        if (plain_version(p) < ETM_V2_0 && !items[i].owner->prohibited) {
            if (t->follows && !t->cprt)
                viewed = p->last_view;
            else
                p->last_view = viewed;
        }
        out->view |= (uint32_t)viewed << k++;
    }
}

static void filter(struct plain *p, const struct plain_item *items,
                   const struct plain_answer *answers, unsigned n, bool on,
                   bool outstanding, struct etm_resource_outputs *out)
{
    bool data_only =
        plain_version(p) >= ETM_V3_1 && plain_bit(plain_reg(p, ETM_REG_CR), 20);
    bool stays = p->high && outstanding && !data_only;
    unsigned insns = 0, transfers = 0;
    bool last = false, insn_last = false;

    for (unsigned i = 0; i < n; i++) {
        bool traced = on && answers[i].traced;

        if (!items[i].is_insn) {
            out->transfers |= (uint32_t)traced << transfers++;
            if (traced && items[i].slot >= 0 && !items[i].owner->prohibited)
                out->insns |= UINT32_C(1) << items[i].slot;
            last = traced;
            continue;
        }
        out->insns |= (uint32_t)traced << insns;
        if (stays && !items[i].owner->prohibited)
            out->insns |= UINT32_C(1) << insns;
        insns++;
    }
    insn_last = insns != 0 && plain_bit(out->insns, insns - 1);
    if (plain_closed(p))
        p->high = false;
    else if (insns != 0)
        p->high = insn_last || stays;
    else if (transfers != 0)
        p->high = (p->high && !data_only) || last;
    out->trace_enable = p->high;
}

/* 3.5.8 */
static bool full_region(const struct plain *p)
{
    uint32_t c = plain_reg(p, ETM_REG_FFRR);
    bool hit = false;

    if (p->config.counts.sac_pairs == 0 && p->config.counts.mmds == 0)
        return true;
    if (!p->config.counts.fifofull || !plain_bit(plain_reg(p, ETM_REG_CR), 7))
        return plain_bit(c, 24);
    for (unsigned k = 0; k < p->config.counts.sac_pairs; k++)
        hit = hit || (plain_bit(c, k) && (p->arc_now[k] || p->arc[k]));
    for (unsigned n = 0; n < p->config.counts.mmds; n++)
        hit = hit || (plain_bit(c, 8 + n) && resource(p, 0x30 + n, false));
    return hit != plain_bit(c, 24);
}

void plain_cycle(struct plain *p, const struct plain_item *items,
                 const struct plain_answer *answers, unsigned n,
                 bool outstanding, struct etm_resource_outputs *out)
{
    memset(out, 0, sizeof *out);
    if (p->held == ETM_RESOURCES_RUN) {
        bool on = event(p, plain_reg(p, ETM_REG_TEEVR), true);
        bool see = !p->config.no_view_data &&
                   event(p, plain_reg(p, ETM_REG_VDEVR), true);
        bool late_on = on, late_see = see;

        if (p->config.late_events) {
            on = p->late_trace;
            see = p->late_view;
        }
        p->late_trace = late_on;
        p->late_view = late_see;
        filter(p, items, answers, n, on, outstanding, out);
        views(p, items, answers, n, see, out);
        out->full_region = full_region(p);
        if (!p->pins.no_noninvasive)
            clock(p, out);
        else
            out->ext_out =
                p->config.outputs_low_disabled ? 0 : (uint8_t)p->last_ext_out;
        p->last_ext_out = out->ext_out;
    } else {
        p->high = false;
        p->last_ext_out = 0;
    }
    for (unsigned k = 0; k < 8; k++)
        if (p->config.ranges_follow_data && !outstanding &&
            !plain_is_data(p, 2 * k))
            p->arc[k] = p->arc_seen[k] = false;
    memset(p->sac_now, 0, sizeof p->sac_now);
    memset(p->arc_now, 0, sizeof p->arc_now);
    memset(p->hint_now, 0, sizeof p->hint_now);
    memset(p->cidc_now, 0, sizeof p->cidc_now);
    (void)block(p, false, false); /* of the next cycle, without an item */
    p->block_now = p->block_judged = false;
    p->any_item = p->ns_now = p->closed_now = false;
    p->mmd_now = 0;
    p->pins.eice_sampled = 0;
}

void plain_pins(struct plain *p, const struct etm_resource_pins *pins)
{
    unsigned start = 0, stop = 0;

    p->pins = *pins;
    for (unsigned n = 0; n < 8; n++) {
        bool high = plain_bit(pins->eice, n);

        if (!plain_bit(pins->eice_sampled, n))
            continue;
        p->eice_held[n] = high;
        if (!high || n >= p->config.counts.eices ||
            plain_version(p) < ETM_V3_4 || !p->config.counts.start_stop_eice ||
            !has_block(p))
            continue;
        start |= plain_bit(plain_reg(p, ETM_REG_TESSEICR), n);
        stop |= plain_bit(plain_reg(p, ETM_REG_TESSEICR), 16 + n);
    }
    if (start || stop)
        (void)block(p, start, stop);
}

void plain_context(struct plain *p, const struct etm_resource_context *context)
{
    p->context = *context;
}

void plain_program(struct plain *p, const struct etm_resources_config *config,
                   const uint32_t *value)
{
    memset(p, 0, sizeof *p);
    p->config = *config;
    p->value = value;
    for (unsigned n = 0; n < 4; n++)
        p->counter[n] = (uint16_t)value[ETM_REG_CNTVR1 + n];
    p->state = value[ETM_REG_SQR] & 3;
    p->started = plain_bit(value[ETM_REG_SR], 2);
    p->triggered = plain_bit(value[ETM_REG_SR], 3);
}
