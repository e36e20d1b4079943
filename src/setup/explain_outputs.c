/* SPDX-License-Identifier: Apache-2.0 */
/* External outputs and inputs, timestamps, and what keeps the FIFO from
   overflowing (ETM architecture 2.5, 2.6.6, 3.5.8, 3.5.20, 3.5.22). */
#include "setup/explain.h"

#include <stdio.h>

static void say_output(struct etm_explain *x, unsigned n)
{
    uint32_t number = ETM_REG_EXTOUTEVR1 + n - 1;
    char subject[32], text[256];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (!x->view.known[number])
        return;
    (void)snprintf(subject, sizeof subject, "external output %u", n);
    etm_words_event(&w, x->view.value[number]);
    ETM_SAY(x, subject, number, "External output %u: %s.", n, text);
}

/* 2.2.4: each selector passes one input of the extended bus, from 0. */
static void say_selectors(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t value = v->value[ETM_REG_EXTINSELR];

    if (!v->known[ETM_REG_EXTINSELR])
        return;
    for (unsigned i = 0; i < v->counts.extsels; i++) {
        char subject[40];

        (void)snprintf(subject, sizeof subject, "selector %u", i + 1);
        ETM_SAY(x, subject, ETM_REG_EXTINSELR,
                "Extended external input selector %u: input %u.", i + 1,
                (unsigned)(value >> (8 * i) & 0xff));
    }
}

static void say_eices(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t latched =
        v->value[ETM_REG_EIBCR] & ((UINT32_C(1) << v->counts.eices) - 1);
    static const uint32_t number = ETM_REG_EIBCR;
    bool used = false;
    char text[64];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (!v->counts.eice_behavior)
        return;
    for (unsigned i = 0; i < v->counts.eices; i++)
        used = used || etm_watched(v, ETM_RESOURCE_EICE + i);
    if (used && etm_explain_unknown(x, "EmbeddedICE", &number, 1,
                                    "whether EmbeddedICE comparators pulse or "
                                    "are latched"))
        return;
    if (!v->known[number])
        return;
    etm_words_numbers(&w, latched, " and ");
    if (latched == 0)
        ETM_SAY(x, "EmbeddedICE", ETM_REG_EIBCR,
                "All EmbeddedICE comparators are in pulse mode.");
    else
        ETM_SAY(x, "EmbeddedICE", ETM_REG_EIBCR,
                "EmbeddedICE comparators in latch mode: %s; the others are in "
                "pulse mode.",
                text);
}

void etm_explain_outputs(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    char text[256];
    struct etm_words w = etm_words_on(text, sizeof text);

    for (unsigned n = 1; n <= v->counts.ext_out; n++)
        say_output(x, n);
    if (v->known[ETM_REG_TSEVR] && v->version >= ETM_V3_5) {
        etm_words_event(&w, v->value[ETM_REG_TSEVR]);
        ETM_SAY(x, "timestamp event", ETM_REG_TSEVR, "Timestamp request: %s%s.",
                text,
                v->known[ETM_REG_CR] &&
                        (v->value[ETM_REG_CR] & ETM_CR_TIMESTAMP) == 0
                    ? " (but timestamps are off)"
                    : "");
    }
    say_selectors(x);
    say_eices(x);
    if (v->known[ETM_REG_ASICCR] && !v->pft && v->value[ETM_REG_ASICCR] != 0)
        ETM_SAY(x, "ASIC control", ETM_REG_ASICCR,
                "The ASIC control outputs are 0x%02x.",
                (unsigned)v->value[ETM_REG_ASICCR]);
    if (v->known[ETM_REG_IMPSPEC0] && v->version >= ETM_V2_0 &&
        (v->value[ETM_REG_IMPSPEC0] & 0xff) != 0)
        ETM_SAY(x, "extensions", ETM_REG_IMPSPEC0,
                "Implementer's extensions: 0x%x, of which 0x%x are on.",
                (unsigned)(v->value[ETM_REG_IMPSPEC0] & 15),
                (unsigned)(v->value[ETM_REG_IMPSPEC0] >> 4 & 15));
}

static void say_full_region(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    static const uint32_t number = ETM_REG_FFRR;
    bool exclude = etm_bit(v->value[number], 24);
    uint32_t arcs = v->value[number] & 0xff;
    uint32_t mmds = v->value[number] >> 8 & 0xffff;
    char text[128];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (!etm_view_exists(v, number)) { /* E-403 */
        ETM_SAY(x, "region", ETM_REG_CR, "It may stall everywhere.");
        return;
    }
    if (etm_explain_unknown(x, "region", &number, 1,
                            "in which regions it may stall"))
        return;
    if (arcs != 0) {
        etm_words_add(&w, "range%s ", etm_bits(arcs) == 1 ? "" : "s");
        etm_words_numbers(&w, arcs, " and ");
    }
    if (mmds != 0) {
        etm_words_add(&w, "%smemory map decoder%s ", arcs != 0 ? ", " : "",
                      etm_bits(mmds) == 1 ? "" : "s");
        etm_words_numbers(&w, mmds, " and ");
    }
    if (arcs == 0 && mmds == 0)
        ETM_SAY(x, "region", number, "It may stall %s.",
                exclude ? "everywhere" : "nowhere");
    else
        ETM_SAY(x, "region", number, "It may stall %s %s.",
                exclude ? "everywhere but in" : "only in", text);
}

void etm_explain_fifo(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    static const uint32_t level = ETM_REG_FFLR;
    uint32_t cr = v->value[ETM_REG_CR];
    bool suppress = v->version >= ETM_V3_0 && (cr & ETM_CR_SUPPRESS_DATA) != 0;
    bool stall = (cr & ETM_CR_STALL) != 0;

    if (v->pft || !v->known[ETM_REG_CR])
        return;
    if (!suppress && !stall) {
        ETM_SAY(x, "overflow", ETM_REG_CR,
                "Nothing prevents an overflow of the FIFO.");
        return;
    }
    if (stall)
        ETM_SAY(x, "stall", ETM_REG_CR,
                "The processor is stalled when the FIFO is nearly full.");
    if (suppress)
        ETM_SAY(x, "suppress", ETM_REG_CR,
                "Data trace is suppressed when the FIFO is nearly full.");
    if (stall)
        say_full_region(x);
    if (!etm_explain_unknown(x, "level", &level, 1,
                             "at which level it does so"))
        ETM_SAY(x, "level", level, "Nearly full: fewer than %u byte%s free.",
                (unsigned)(v->value[level] & 0xff),
                (v->value[level] & 0xff) == 1 ? " is" : "s are");
}
