/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions and which data are traced: TraceEnable and ViewData (ETM
   architecture 2.6.4, 2.6.5, 3.5.7, 3.5.9). */
#include "setup/explain.h"

static unsigned count(const struct etm_selected *s)
{
    return etm_bits(s->sacs) + etm_bits(s->arcs) + etm_bits(s->mmds);
}

/* "range 1 (0x...), address comparator 3 (0x...) and memory map decoder 2" */
static void add_selected(struct etm_words *w, const struct etm_view *view,
                         const struct etm_selected *s, const char *last)
{
    unsigned n = count(s), item = 0;

    for (unsigned i = 1; i <= 8; i++) {
        if (!etm_bit(s->arcs, i - 1))
            continue;
        etm_words_between(w, item++, n, last);
        etm_words_add(w, "range %u (", i);
        etm_words_arc(w, view, i);
        etm_words_add(w, ")");
    }
    for (unsigned i = 1; i <= 16; i++) {
        if (!etm_bit(s->sacs, i - 1))
            continue;
        etm_words_between(w, item++, n, last);
        etm_words_add(w, "address comparator %u (", i);
        etm_words_sac(w, view, i);
        etm_words_add(w, ")");
    }
    for (unsigned i = 1; i <= 16; i++) {
        if (!etm_bit(s->mmds, i - 1))
            continue;
        etm_words_between(w, item++, n, last);
        etm_words_add(w, "memory map decoder %u", i);
    }
}

/* "address comparator 1 (0x...) or EmbeddedICE comparator 2" */
static void add_points(struct etm_words *w, const struct etm_view *view,
                       uint16_t sacs, uint8_t eices)
{
    unsigned n = etm_bits(sacs) + etm_bits(eices), item = 0;

    if (n == 0)
        etm_words_add(w, "nothing");
    for (unsigned i = 1; i <= 16; i++) {
        if (!etm_bit(sacs, i - 1))
            continue;
        etm_words_between(w, item++, n, " or ");
        etm_words_add(w, "address comparator %u (", i);
        etm_words_sac(w, view, i);
        etm_words_add(w, ")");
    }
    for (unsigned i = 1; i <= 8; i++) {
        if (!etm_bit(eices, i - 1))
            continue;
        etm_words_between(w, item++, n, " or ");
        etm_words_eice(w, view, i);
    }
}

/* Registers that select; ETMTECR2 begins with v1.2. */
static size_t region_registers(const struct etm_view *v, uint32_t *numbers)
{
    size_t n = 0;

    numbers[n++] = ETM_REG_TECR1;
    if (!v->pft && etm_view_exists(v, ETM_REG_TECR2))
        numbers[n++] = ETM_REG_TECR2;
    return n;
}

static void say_region(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_selected *s = &v->uses.trace;
    uint32_t numbers[2];
    size_t n = region_registers(v, numbers);
    bool exclude = etm_bit(v->value[ETM_REG_TECR1], 24);
    char text[1800];
    struct etm_words w = etm_words_on(text, sizeof text);

    add_selected(&w, v, s, exclude ? " and " : " or ");
    if (exclude && count(s) == 0)
        etm_explain_say(x, "exclude", numbers, n, "No addresses are excluded.");
    else if (exclude)
        etm_explain_say(x, "exclude", numbers, n,
                        "Everything is traced except %s.", text);
    else if (count(s) == 0)
        etm_explain_say(x, "include", numbers, n,
                        "No addresses are included: nothing is traced.");
    else
        etm_explain_say(x, "include", numbers, n, "Only traced: %s.", text);
}

static void say_start_stop(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_uses *u = &v->uses;
    static const uint32_t numbers[] = {ETM_REG_TECR1, ETM_REG_TSSCR,
                                       ETM_REG_TESSEICR};
    /* Only ETMCCER shows whether there is the third one. */
    size_t n = v->counts.start_stop_eice && v->extension_known ? 3 : 2;
    /* Without address comparators the second one selects nothing. */
    bool only_eice = n == 3 && etm_points_by_eice(v);
    bool watched = etm_watched(v, ETM_RESOURCE_START_STOP);
    bool gates = etm_bit(v->value[ETM_REG_TECR1], 25);
    char start[900], stop[900];
    struct etm_words from = etm_words_on(start, sizeof start);
    struct etm_words to = etm_words_on(stop, sizeof stop);

    if (v->version < ETM_V1_2 || !v->counts.start_stop)
        return;
    if (!gates)
        ETM_SAY(x, "start/stop", ETM_REG_TECR1,
                "The start/stop block does not affect tracing.");
    if (!gates && !watched)
        return;
    if (etm_explain_unknown(x, "start/stop", numbers + (only_eice ? 2 : 1),
                            only_eice ? 1 : n - 1,
                            "where the start/stop block starts and stops"))
        return;
    add_points(&from, v, u->start, u->start_eice);
    add_points(&to, v, u->stop, u->stop_eice);
    etm_explain_say(x, "start/stop", numbers, n,
                    "%s by %s; the start/stop block is stopped by %s.",
                    gates ? "Only traced while started" : "Started", start,
                    stop);
}

static void say_event(struct etm_explain *x, uint32_t number)
{
    char text[256];
    struct etm_words w = etm_words_on(text, sizeof text);

    etm_words_event(&w, x->view.value[number]);
    ETM_SAY(x, "enabling event", number, "Enabling event: %s.", text);
}

static void say_precision(struct etm_explain *x, const char *what,
                          bool (*reason)(const struct etm_view *view,
                                         unsigned n, char *text,
                                         size_t capacity),
                          const char *effect)
{
    char text[256];
    unsigned n = 0;

    for (; reason(&x->view, n, text, sizeof text); n++)
        etm_explain_say(x, "precision", NULL, 0, "%s is imprecise: %s.%s", what,
                        text, n == 0 ? effect : "");
    if (n == 0)
        etm_explain_say(x, "precision", NULL, 0, "%s is precise.", what);
}

/* Whether all of the program is traced, according to ETMTE... */
static bool everything(const struct etm_view *v)
{
    const uint32_t modes = UINT32_C(3) << 24;

    return count(&v->uses.trace) == 0 &&
           (v->value[ETM_REG_TECR1] & modes) == UINT32_C(1) << 24 &&
           etm_event_constant(v->value[ETM_REG_TEEVR]) == ETM_ALWAYS;
}

void etm_explain_trace(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t numbers[3];
    size_t n = region_registers(v, numbers);
    bool event = v->known[ETM_REG_TEEVR], region = v->known[ETM_REG_TECR1];

    numbers[n++] = ETM_REG_TEEVR;
    if (!etm_explain_unknown(x, "what", numbers, n,
                             "which instructions are traced") &&
        everything(v))
        etm_explain_say(x, "what", numbers, n, "All instructions are traced.");
    if (event && etm_event_constant(v->value[ETM_REG_TEEVR]) == ETM_NEVER)
        ETM_SAY(x, "what", ETM_REG_TEEVR,
                "Nothing is traced: the enabling event never happens.");
    /* That nothing is selected is only certain if everything is known. */
    if (region &&
        (n < 3 || v->known[ETM_REG_TECR2] || count(&v->uses.trace) != 0))
        say_region(x);
    if (region)
        say_start_stop(x);
    if (event)
        say_event(x, ETM_REG_TEEVR);
    if (region && event)
        say_precision(x, "TraceEnable", etm_imprecise_trace,
                      " Trace may begin or end too late, or lack data.");
}

static void say_view_region(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_uses *u = &v->uses;
    static const uint32_t numbers[] = {ETM_REG_VDCR3, ETM_REG_VDCR1,
                                       ETM_REG_VDCR2};
    size_t n = v->counts.mmds != 0 ? 3 : 2;
    bool exclude_only = etm_bit(v->value[ETM_REG_VDCR3], 16);
    char in[1800], out[1800];
    struct etm_words include = etm_words_on(in, sizeof in);
    struct etm_words exclude = etm_words_on(out, sizeof out);

    add_selected(&include, v, &u->view_include, " or ");
    add_selected(&exclude, v, &u->view_exclude, " or ");
    if (exclude_only)
        etm_explain_say(x, "mode", numbers, 1,
                        "Exclude-only mode: all transfers that are not "
                        "excluded are traced.");
    else
        etm_explain_say(x, "mode", numbers, 1,
                        "Mixed mode: transfers that are included and not "
                        "excluded are traced.");
    if (!exclude_only && include.n == 0)
        etm_explain_say(x, "include", numbers, n,
                        "Nothing is included: no data are traced.");
    else if (!exclude_only)
        etm_explain_say(x, "include", numbers, n, "Included: %s.", in);
    if (exclude.n != 0)
        etm_explain_say(x, "exclude", numbers, n, "Excluded: %s.", out);
    else
        etm_explain_say(x, "exclude", numbers, n, "Nothing is excluded.");
}

/* Table 2-1; before v3.0 ViewData does not matter (4.11.3). */
static void say_cprt(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t cr = v->value[ETM_REG_CR];
    bool filter = v->version >= ETM_V3_0 && (cr & ETM_CR_CPRT_FILTER) != 0;

    if (!v->known[ETM_REG_CR])
        return;
    if ((cr & ETM_CR_CPRT) == 0)
        ETM_SAY(x, "coprocessor transfers", ETM_REG_CR,
                "Coprocessor register transfers: none%s.",
                filter ? " (filtering them without tracing them is "
                         "unpredictable)"
                       : "");
    else
        ETM_SAY(x, "coprocessor transfers", ETM_REG_CR,
                "Coprocessor register transfers: %s.",
                filter ? "those for which ViewData is active"
                       : "all, whatever ViewData is");
}

void etm_explain_view_data(struct etm_explain *x)
{
    static const uint32_t numbers[] = {ETM_REG_VDEVR, ETM_REG_VDCR1,
                                       ETM_REG_VDCR3, ETM_REG_VDCR2};
    const struct etm_view *v = &x->view;
    bool event = v->known[ETM_REG_VDEVR];
    bool region =
        v->known[ETM_REG_VDCR3] && v->known[ETM_REG_VDCR1] &&
        (v->counts.mmds == 0 || !v->counts_known || v->known[ETM_REG_VDCR2]);

    if (v->pft)
        return;
    if (!etm_view_data(v)) {
        ETM_SAY(x, "what", ETM_REG_CR, "No data are traced.");
        return;
    }
    (void)etm_explain_unknown(x, "what", numbers, v->counts.mmds != 0 ? 4 : 3,
                              "which data are traced");
    if (event && etm_event_constant(v->value[ETM_REG_VDEVR]) == ETM_NEVER)
        ETM_SAY(x, "what", ETM_REG_VDEVR,
                "No data are traced: the enabling event never happens.");
    if (region)
        say_view_region(x);
    if (event)
        say_event(x, ETM_REG_VDEVR);
    say_cprt(x);
    if (region && event)
        say_precision(x, "ViewData", etm_imprecise_view,
                      " Data trace may begin or end too late.");
}
