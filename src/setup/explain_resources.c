/* SPDX-License-Identifier: Apache-2.0 */
/* The setup of comparators, trigger, counters and the sequencer (ETM
   architecture 2.2, 2.4, 3.5.10 to 3.5.13, 3.5.15). */
#include "setup/explain.h"

#include <stdio.h>

static void say_range(struct etm_explain *x, unsigned n)
{
    const struct etm_view *v = &x->view;
    uint32_t low = 2 * (n - 1);
    const uint32_t numbers[] = {ETM_REG_ACVR1 + low, ETM_REG_ACVR1 + low + 1,
                                ETM_REG_ACTR1 + low, ETM_REG_ACTR1 + low + 1,
                                ETM_REG_DCVR1 + low, ETM_REG_DCMR1 + low};
    bool value = etm_actr_data(v->value[ETM_REG_ACTR1 + low]) &&
                 (v->value[ETM_REG_ACTR1 + low] >> 5 & 3) != 0;
    char subject[32], text[512];
    struct etm_words w = etm_words_on(text, sizeof text);

    (void)snprintf(subject, sizeof subject, "range %u", n);
    etm_words_arc(&w, v, n);
    etm_explain_say(x, subject, numbers, value ? 6 : 4, "Range %u: %s.", n,
                    text);
}

static void say_single(struct etm_explain *x, unsigned n)
{
    const struct etm_view *v = &x->view;
    uint32_t i = n - 1;
    const uint32_t numbers[] = {ETM_REG_ACVR1 + i, ETM_REG_ACTR1 + i,
                                ETM_REG_DCVR1 + i, ETM_REG_DCMR1 + i};
    bool value = n % 2 == 1 && etm_actr_data(v->value[ETM_REG_ACTR1 + i]) &&
                 (v->value[ETM_REG_ACTR1 + i] >> 5 & 3) != 0;
    char subject[32], text[512];
    struct etm_words w = etm_words_on(text, sizeof text);

    (void)snprintf(subject, sizeof subject, "address comparator %u", n);
    etm_words_sac(&w, v, n);
    etm_explain_say(x, subject, numbers, value ? 4 : 2,
                    "Address comparator %u: %s.", n, text);
}

/* Context ID comparators that an event, or a comparator in use, depends on. */
static unsigned context_ids_used(const struct etm_view *v)
{
    unsigned set = 0;

    for (unsigned i = 1; i <= 16; i++) {
        unsigned id = v->value[ETM_REG_ACTR1 + i - 1] >> 8 & 3;

        if (id != 0 &&
            (etm_single_used(v, i) || etm_range_used(v, (i + 1) / 2)))
            set |= 1u << (id - 1);
    }
    for (unsigned i = 0; i < 3; i++)
        set |= (unsigned)etm_watched(v, ETM_RESOURCE_CONTEXT_ID + i) << i;
    return set;
}

static void say_context_ids(struct etm_explain *x)
{
    static const uint32_t vmid[] = {ETM_REG_VMIDCVR};
    const struct etm_view *v = &x->view;
    unsigned used = v->version >= ETM_V2_0 ? context_ids_used(v) : 0;

    for (unsigned i = 0; i < 3; i++) {
        const uint32_t numbers[] = {ETM_REG_CIDCVR1 + i, ETM_REG_CIDCMR};
        char subject[32], text[64];
        struct etm_words w = etm_words_on(text, sizeof text);

        if (!etm_bit(used, i) || !etm_view_exists(v, numbers[0]))
            continue;
        (void)snprintf(subject, sizeof subject, "context ID comparator %u",
                       i + 1);
        if (etm_explain_unknown(x, subject, numbers, 2,
                                "which context ID is compared"))
            continue;
        etm_words_masked(&w, v->value[numbers[0]], v->value[numbers[1]], 32);
        etm_explain_say(x, subject, numbers, 2, "Context ID comparator %u: %s.",
                        i + 1, text);
    }
    if (etm_watched(v, ETM_RESOURCE_VMID) &&
        etm_view_exists(v, ETM_REG_VMIDCVR) &&
        etm_explain_unknown(x, "VMID comparator", vmid, 1,
                            "which VMID is compared"))
        return;
    if (v->known[ETM_REG_VMIDCVR] && etm_view_exists(v, ETM_REG_VMIDCVR))
        ETM_SAY(x, "VMID comparator", ETM_REG_VMIDCVR,
                "VMID comparator: 0x%02x.",
                (unsigned)(v->value[ETM_REG_VMIDCVR] & 0xff));
}

void etm_explain_comparators(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    unsigned used = 0, there = 0;

    for (unsigned i = 1; i <= 8; i++) {
        if (etm_range_used(v, i)) {
            say_range(x, i);
            used |= 3u << (2 * (i - 1));
        }
    }
    for (unsigned i = 1; i <= 16; i++) {
        if (etm_single_used(v, i)) {
            say_single(x, i);
            used |= 1u << (i - 1);
        }
    }
    say_context_ids(x);
    if (v->counts_known && v->known[ETM_REG_TECR1])
        there = (1u << (2 * v->counts.sac_pairs)) - 1;
    if ((there & ~used) != 0) {
        char text[64];
        struct etm_words w = etm_words_on(text, sizeof text);

        etm_words_numbers(&w, there & ~used, " and ");
        etm_explain_say(x, "unused", NULL, 0,
                        "Nothing uses address comparator%s %s.",
                        etm_bits(there & ~used) == 1 ? "" : "s", text);
    }
}

void etm_explain_trigger(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    static const uint32_t number = ETM_REG_TRIGGER;
    char text[256];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (etm_explain_unknown(x, "event", &number, 1, "when there is a trigger"))
        return;
    etm_words_event(&w, v->value[number]);
    ETM_SAY(x, "event", number, "Trigger: %s.", text);
    if (v->known[ETM_REG_CR] &&
        (v->value[ETM_REG_CR] & ETM_CR_DEBUG_REQUEST) != 0)
        ETM_SAY(x, "debug request", ETM_REG_CR,
                "It also requests entry to Debug state.");
}

/* ETMCCER[27]: it has a reload value only (v3.5, 3.5.26). */
static void say_reduced(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    static const uint32_t number = ETM_REG_CNTRLDVR1;

    if (etm_explain_unknown(x, "counter 1", &number, 1,
                            "from where the counter counts"))
        return;
    ETM_SAY(x, "counter 1", number,
            "Counter 1: counts down from %u in every cycle and reloads itself "
            "at zero.%s",
            (unsigned)(v->value[number] & 0xffff),
            etm_bit(v->uses.counters, 0) ? "" : " Nothing uses it.");
}

static void say_counter(struct etm_explain *x, unsigned n)
{
    const struct etm_view *v = &x->view;
    const uint32_t numbers[] = {ETM_REG_CNTRLDVR1 + n - 1,
                                ETM_REG_CNTENR1 + n - 1,
                                ETM_REG_CNTRLDEVR1 + n - 1};
    bool free_running =
        v->version < ETM_V2_0 && !etm_bit(v->value[numbers[1]], 17);
    char subject[32], count[256], reload[256];
    struct etm_words c = etm_words_on(count, sizeof count);
    struct etm_words r = etm_words_on(reload, sizeof reload);

    (void)snprintf(subject, sizeof subject, "counter %u", n);
    if (!etm_view_exists(v, numbers[0]) ||
        (!v->known[numbers[0]] && !v->known[numbers[1]] &&
         !v->known[numbers[2]]))
        return;
    if (!etm_view_exists(v, numbers[1])) {
        say_reduced(x);
        return;
    }
    if (etm_explain_unknown(x, subject, numbers, 3, "what the counter counts"))
        return;
    /* v1.x: [17] clear lets it count every cycle (3.5.12). */
    etm_words_event(&c,
                    free_running ? ETM_RESOURCE_ALWAYS : v->value[numbers[1]]);
    etm_words_event(&r, v->value[numbers[2]]);
    etm_explain_say(x, subject, numbers, 3,
                    "Counter %u: counts down from %u; enable event: %s; reload "
                    "event: %s.%s",
                    n, (unsigned)(v->value[numbers[0]] & 0xffff), count, reload,
                    etm_bit(v->uses.counters, n - 1) ? ""
                                                     : " Nothing uses it.");
}

void etm_explain_counters(struct etm_explain *x)
{
    static const uint32_t names[12] = {0x50, 0x51, 0x52, 0x53, 0x54, 0x55,
                                       0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b};
    const struct etm_view *v = &x->view;
    bool any = false;

    for (unsigned i = 0; i < 12; i++)
        any = any || v->known[names[i]];
    if (!any && v->uses.counters == 0 &&
        (etm_roots_known(v) || !v->counts_known))
        return;
    if (!any) {
        (void)etm_explain_unknown(x, "counters", names, 12,
                                  "what the counters count");
        return;
    }
    for (unsigned n = 1; n <= 4; n++)
        say_counter(x, n);
}

void etm_explain_sequencer(struct etm_explain *x)
{
    static const uint32_t numbers[6] = {0x60, 0x65, 0x61, 0x62, 0x63, 0x64};
    static const char *const moves[6] = {"1 to 2", "1 to 3", "2 to 1",
                                         "2 to 3", "3 to 1", "3 to 2"};
    const struct etm_view *v = &x->view;
    bool all_known = true, any_known = false, moving = false;

    if (!v->counts.sequencer)
        return;
    for (unsigned i = 0; i < 6; i++) {
        all_known = all_known && v->known[numbers[i]];
        any_known = any_known || v->known[numbers[i]];
        moving =
            moving || etm_event_constant(v->value[numbers[i]]) != ETM_NEVER;
    }
    if (!any_known && !v->uses.sequencer &&
        (etm_roots_known(v) || !v->counts_known))
        return;
    if (!all_known)
        (void)etm_explain_unknown(x, "transitions", numbers, 6,
                                  "how the sequencer moves");
    if (all_known && !moving && !v->uses.sequencer) {
        etm_explain_say(x, "unused", numbers, 6, "The sequencer is not used.");
        return;
    }
    for (unsigned i = 0; i < 6; i++) {
        char subject[32], text[256];
        struct etm_words w = etm_words_on(text, sizeof text);

        if (!v->known[numbers[i]])
            continue;
        (void)snprintf(subject, sizeof subject, "state %s", moves[i]);
        etm_words_event(&w, v->value[numbers[i]]);
        ETM_SAY(x, subject, numbers[i], "State %s: %s.", moves[i], text);
    }
    if (all_known && !v->uses.sequencer)
        etm_explain_say(x, "unused", numbers, 6,
                        "Nothing uses the sequencer's state.");
}
