/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in events, counters, the sequencer and input selectors (ETM
   architecture 2.2.3, 3.5.12, 3.5.13, 3.5.20, 3.6). */
#include "setup/explain.h"

/* 3.6.1: only operands that the function uses matter (3.6.3). */
static void check_event(struct etm_lints *l,
                        const struct etm_event_place *place)
{
    const struct etm_view *v = l->view;
    uint32_t event = v->value[place->number];
    enum etm_severity severity = etm_event_matters(v, place)
                                     ? ETM_SEVERITY_UNPREDICTABLE
                                     : ETM_SEVERITY_ADVICE;

    if (!v->known[place->number] || !etm_view_exists(v, place->number))
        return;
    for (unsigned i = 0; i < 2; i++) {
        unsigned number = etm_event_operand(event, i);
        char text[128];

        if (!etm_event_uses(event, i) ||
            etm_resource_exists(&v->resources, number) ||
            (i == 1 && number == etm_event_operand(event, 0)))
            continue;
        (void)etm_event_words(number, text, sizeof text);
        etm_lint_add(
            l, ETM_LINT_RESOURCE, severity, place->number,
            "%s uses \"%s\", but the macrocell has no such resource (0x%02x)",
            etm_register_name(place->number), text, number);
    }
}

/* 2.2.4: v >= the width of the bus selects an input that does not exist. */
static void check_selectors(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t value = v->value[ETM_REG_EXTINSELR];

    if (!v->known[ETM_REG_EXTINSELR] || !v->extension_known)
        return;
    for (unsigned i = 0; i < v->counts.extsels; i++) {
        unsigned input = value >> (8 * i) & 0xff;

        if (etm_watched(v, ETM_RESOURCE_SELECTOR + i) &&
            input >= v->counts.ext_ext_in)
            etm_lint_add(l, ETM_LINT_EXTENDED_INPUT, ETM_SEVERITY_ADVICE,
                         ETM_REG_EXTINSELR,
                         "selector %u selects extended external input %u, but "
                         "there are only %u, from 0",
                         i + 1, input, (unsigned)v->counts.ext_ext_in);
    }
}

/* 3.5.13: all six have to be set; a dump without any shows nothing. */
static void check_sequencer(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    bool any = false;

    for (uint32_t i = 0; i < 6; i++)
        any = any || v->known[ETM_REG_SQ12EVR + i];
    for (uint32_t i = 0; i < 6 && any && v->uses.sequencer; i++) {
        uint32_t number = ETM_REG_SQ12EVR + i;

        if (!v->known[number] && etm_view_exists(v, number))
            etm_lint_add(l, ETM_LINT_TRANSITION, ETM_SEVERITY_UNPREDICTABLE,
                         number,
                         "the sequencer is used, but its event %s is not set",
                         etm_register_name(number));
    }
    if (v->known[ETM_REG_SQR] && (v->value[ETM_REG_SQR] & 3) == 3)
        etm_lint_add(l, ETM_LINT_SEQUENCER_STATE, ETM_SEVERITY_UNPREDICTABLE,
                     ETM_REG_SQR, "3 is not a state of the sequencer");
}

static void check_counters(struct etm_lints *l)
{
    const struct etm_view *v = l->view;

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t enable = ETM_REG_CNTENR1 + i, reload = ETM_REG_CNTRLDVR1 + i;

        if (!etm_bit(v->uses.counters, i))
            continue;
        if (v->version < ETM_V2_0 && v->known[enable] &&
            !etm_bit(v->value[enable], 17))
            etm_lint_add(l, ETM_LINT_COUNT_SOURCE, ETM_SEVERITY_ADVICE, enable,
                         "counter %u counts in every cycle, whatever its "
                         "event: bit 17 is clear",
                         (unsigned)i + 1);
        if (v->known[reload] && (v->value[reload] & 0xffff) == 0)
            etm_lint_add(l, ETM_LINT_COUNTER_VALUE, ETM_SEVERITY_ADVICE, reload,
                         "counter %u is at zero from the beginning",
                         (unsigned)i + 1);
    }
}

void etm_lint_events(struct etm_lints *l)
{
    struct etm_event_place place;

    for (unsigned n = 0; etm_event_place(n, &place); n++)
        check_event(l, &place);
    check_selectors(l);
    check_sequencer(l);
    check_counters(l);
}
