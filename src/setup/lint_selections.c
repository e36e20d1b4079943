/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in what TraceEnable, ViewData and the start/stop block select (ETM
   architecture 2.6.4, 2.6.5, 2.7.4, 3.5.7, 3.5.9), and in events (3.6). */
#include "setup/explain.h"

/* Fields that select units by their numbers. */
static const struct field {
    uint16_t number;
    uint8_t shift, width;
    const char *unit;
} fields[] = {
    {ETM_REG_TSSCR, 0, 16, "address comparator"},
    {ETM_REG_TSSCR, 16, 16, "address comparator"},
    {ETM_REG_TECR2, 0, 16, "address comparator"},
    {ETM_REG_TECR1, 0, 8, "range"},
    {ETM_REG_TECR1, 8, 16, "memory map decoder"},
    {ETM_REG_FFRR, 0, 8, "range"},
    {ETM_REG_FFRR, 8, 16, "memory map decoder"},
    {ETM_REG_VDCR1, 0, 16, "address comparator"},
    {ETM_REG_VDCR1, 16, 16, "address comparator"},
    {ETM_REG_VDCR2, 0, 16, "memory map decoder"},
    {ETM_REG_VDCR2, 16, 16, "memory map decoder"},
    {ETM_REG_VDCR3, 0, 8, "range"},
    {ETM_REG_VDCR3, 8, 8, "range"},
    {ETM_REG_TESSEICR, 0, 8, "EmbeddedICE comparator"},
    {ETM_REG_TESSEICR, 16, 8, "EmbeddedICE comparator"},
};

#define N_FIELDS (sizeof fields / sizeof *fields)

uint32_t etm_lint_selection_bits(uint32_t number)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < N_FIELDS; i++) {
        if (fields[i].number == number)
            bits |= ((UINT32_C(1) << fields[i].width) - 1) << fields[i].shift;
    }
    return bits;
}

/* Selected, and not there. */
static void check_exist(struct etm_lints *l)
{
    const struct etm_view *v = l->view;

    for (size_t i = 0; i < N_FIELDS; i++) {
        const struct field *f = &fields[i];
        uint32_t mask = (UINT32_C(1) << f->width) - 1;
        uint32_t missing = v->value[f->number] >> f->shift & mask &
                           ~(etm_view_defined(v, f->number) >> f->shift);
        char text[64];
        struct etm_words w = etm_words_on(text, sizeof text);

        if (missing == 0 || !etm_view_exists(v, f->number))
            continue;
        etm_words_numbers(&w, missing, " and ");
        etm_lint_add(l, ETM_LINT_SELECTION, ETM_SEVERITY_UNPREDICTABLE,
                     f->number,
                     "%s%s %s %s selected, which the macrocell lacks", f->unit,
                     etm_bits(missing) == 1 ? "" : "s", text,
                     etm_bits(missing) == 1 ? "is" : "are");
    }
}

/*
 * For each comparator of a selection: `check` with its access type register
 * and a name for it.
 */
static void each(struct etm_lints *l, const struct etm_selected *s,
                 uint32_t from_sacs, uint32_t from_arcs,
                 void (*check)(struct etm_lints *l, uint32_t actr,
                               const char *unit, unsigned n, uint32_t number))
{
    const struct etm_view *v = l->view;

    for (unsigned n = 1; n <= 8; n++) {
        uint32_t number = ETM_REG_ACTR1 + 2 * (n - 1);

        if (etm_bit(s->arcs, n - 1) && v->known[number])
            check(l, v->value[number], "range", n, from_arcs);
    }
    for (unsigned n = 1; n <= 16; n++) {
        uint32_t number = ETM_REG_ACTR1 + n - 1;

        if (etm_bit(s->sacs, n - 1) && v->known[number])
            check(l, v->value[number], "address comparator", n, from_sacs);
    }
}

static void check_excluded(struct etm_lints *l, uint32_t actr, const char *unit,
                           unsigned n, uint32_t number)
{
    if (etm_actr_data(actr))
        etm_lint_add(l, ETM_LINT_DATA_EXCLUDED, ETM_SEVERITY_UNPREDICTABLE,
                     number,
                     "%s %u compares data addresses, and cannot exclude "
                     "instructions",
                     unit, n);
}

static void check_exact_region(struct etm_lints *l, uint32_t actr,
                               const char *unit, unsigned n, uint32_t number)
{
    if (etm_actr_exact(l->view, actr) && etm_actr_type(actr) != 0)
        etm_lint_add(l, ETM_LINT_EXACT_REGION, ETM_SEVERITY_ADVICE, number,
                     "%s %u selects what to trace and matches exactly: trace "
                     "may be lost where it begins and ends",
                     unit, n);
}

/* 2.6.5 */
static void check_exact_view(struct etm_lints *l, uint32_t actr,
                             const char *unit, unsigned n, uint32_t number)
{
    if (!etm_actr_exact(l->view, actr) || etm_actr_type(actr) == 0)
        return;
    if (etm_actr_data(actr))
        etm_lint_add(l, ETM_LINT_EXACT_VIEW, ETM_SEVERITY_ADVICE, number,
                     "%s %u selects data and matches exactly: too few or too "
                     "many data may be traced",
                     unit, n);
    else
        etm_lint_add(l, ETM_LINT_EXACT_VIEW, ETM_SEVERITY_UNPREDICTABLE, number,
                     "%s %u compares instructions exactly, and cannot select "
                     "data",
                     unit, n);
}

/* 2.7.4 */
static void check_inexact(struct etm_lints *l, uint32_t actr, const char *unit,
                          unsigned n, uint32_t number)
{
    if (l->view->version >= ETM_V2_0 && !l->view->pft &&
        !etm_actr_exact(l->view, actr) && etm_actr_type(actr) != 0)
        etm_lint_add(
            l, ETM_LINT_INEXACT_EVENT, ETM_SEVERITY_ADVICE,
            ETM_REG_ACTR1 + (number == ETM_REGISTER_NONE ? 2 * (n - 1) : n - 1),
            "%s %u drives a counter, the sequencer or the trigger without "
            "exact match: it also matches what is cancelled or aborted",
            unit, n);
}

static void check_trace(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    const struct etm_uses *u = &v->uses;

    if (etm_bit(v->value[ETM_REG_TECR1], 24))
        each(l, &u->trace, ETM_REG_TECR2, ETM_REG_TECR1, check_excluded);
    each(l, &u->trace, ETM_REG_TECR2, ETM_REG_TECR1, check_exact_region);
    each(l, &u->view_include, ETM_REG_VDCR1, ETM_REG_VDCR3, check_exact_view);
    each(l, &u->view_exclude, ETM_REG_VDCR1, ETM_REG_VDCR3, check_exact_view);
}

static void check_derived(struct etm_lints *l)
{
    uint64_t word = l->view->uses.derived.word[0];
    struct etm_selected s = {.sacs = (uint16_t)word,
                             .arcs = (uint8_t)(word >> 16)};

    each(l, &s, 0, ETM_REGISTER_NONE, check_inexact);
}

/* The register that says where tracing starts and stops, if it is known. */
static uint32_t points_register(const struct etm_view *v)
{
    if (v->known[ETM_REG_TSSCR])
        return ETM_REG_TSSCR;
    return etm_points_by_eice(v) && v->known[ETM_REG_TESSEICR]
               ? ETM_REG_TESSEICR
               : ETM_REGISTER_NONE;
}

/* 7.6.1: a latched input goes on to start or stop up to its next comparison. */
static void check_latched(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t latched =
        v->value[ETM_REG_EIBCR] & (v->uses.start_eice | v->uses.stop_eice);
    char text[64];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (!v->counts.eice_behavior || !v->known[ETM_REG_EIBCR] || latched == 0)
        return;
    etm_words_numbers(&w, latched, " and ");
    etm_lint_add(l, ETM_LINT_LATCHED_POINT, ETM_SEVERITY_ADVICE, ETM_REG_EIBCR,
                 "EmbeddedICE comparator %s starts or stops and is latched: "
                 "what another one says may be missed",
                 text);
}

static void check_points(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    const struct etm_uses *u = &v->uses;
    uint32_t both = u->start & u->stop, ices = u->start_eice & u->stop_eice;
    bool gates = etm_bit(v->value[ETM_REG_TECR1], 25);
    uint32_t number = points_register(v);
    bool any_start = u->start != 0 || u->start_eice != 0;
    bool any_stop = u->stop != 0 || u->stop_eice != 0;
    char text[64];
    struct etm_words w = etm_words_on(text, sizeof text);

    etm_words_numbers(&w, both != 0 ? both : ices, " and ");
    if (both != 0 || ices != 0)
        etm_lint_add(
            l, ETM_LINT_START_AND_STOP, ETM_SEVERITY_UNPREDICTABLE,
            both != 0 ? ETM_REG_TSSCR : ETM_REG_TESSEICR,
            "%s %s both starts and stops the start/stop block",
            both != 0 ? "address comparator" : "EmbeddedICE comparator", text);
    if (number == ETM_REGISTER_NONE ||
        (!gates && !etm_watched(v, ETM_RESOURCE_START_STOP)))
        return;
    check_latched(l);
    if (any_start && !any_stop)
        etm_lint_add(l, ETM_LINT_NO_STOP, ETM_SEVERITY_ADVICE, number,
                     "the start/stop block is started and never stopped");
    if (!any_start && any_stop)
        etm_lint_add(l, ETM_LINT_NO_STOP, ETM_SEVERITY_ADVICE, number,
                     "the start/stop block is stopped and never started");
}

static bool selects_nothing(const struct etm_selected *s)
{
    return s->sacs == 0 && s->arcs == 0 && s->mmds == 0;
}

/* Whether the register is known, or does not exist. */
static bool settled(const struct etm_view *v, uint32_t number)
{
    return v->known[number] || !etm_view_exists(v, number);
}

static void check_nothing(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    const struct etm_uses *u = &v->uses;
    bool include =
        v->known[ETM_REG_TECR1] && !etm_bit(v->value[ETM_REG_TECR1], 24);
    bool starts = u->start != 0 || u->start_eice != 0;

    if (include && settled(v, ETM_REG_TECR2) && selects_nothing(&u->trace))
        etm_lint_add(
            l, ETM_LINT_NOTHING_TRACED, ETM_SEVERITY_ADVICE, ETM_REG_TECR1,
            "only what is included is traced, but nothing is included");
    if (v->known[ETM_REG_TEEVR] &&
        etm_event_constant(v->value[ETM_REG_TEEVR]) == ETM_NEVER)
        etm_lint_add(l, ETM_LINT_NOTHING_TRACED, ETM_SEVERITY_ADVICE,
                     ETM_REG_TEEVR,
                     "the enabling event of TraceEnable never happens");
    if (etm_bit(v->value[ETM_REG_TECR1], 25) &&
        points_register(v) != ETM_REGISTER_NONE &&
        settled(v, ETM_REG_TESSEICR) && !starts)
        etm_lint_add(l, ETM_LINT_NOTHING_TRACED, ETM_SEVERITY_ADVICE,
                     points_register(v),
                     "tracing waits for a start, and nothing starts it");
}

/* Coprocessor transfers alone do not need ViewData, unless filtered. */
static void check_no_data(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t cr = v->value[ETM_REG_CR];
    bool mixed =
        v->known[ETM_REG_VDCR3] && !etm_bit(v->value[ETM_REG_VDCR3], 16);

    if (!v->known[ETM_REG_CR] || !etm_view_data(v) ||
        ((cr & (ETM_CR_DATA_VALUE | ETM_CR_DATA_ADDRESS)) == 0 &&
         (cr & ETM_CR_CPRT_FILTER) == 0))
        return;
    if (mixed && v->known[ETM_REG_VDCR1] && settled(v, ETM_REG_VDCR2) &&
        selects_nothing(&v->uses.view_include))
        etm_lint_add(l, ETM_LINT_NO_DATA_TRACED, ETM_SEVERITY_ADVICE,
                     ETM_REG_VDCR3,
                     "only included data are traced, but no data are included");
    if (v->known[ETM_REG_VDEVR] &&
        etm_event_constant(v->value[ETM_REG_VDEVR]) == ETM_NEVER)
        etm_lint_add(l, ETM_LINT_NO_DATA_TRACED, ETM_SEVERITY_ADVICE,
                     ETM_REG_VDEVR,
                     "the enabling event of ViewData never happens");
}

/* 3.5.9: what is included in exclude-only mode. */
static void check_ignored(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    const uint32_t *value = v->value;

    if (etm_view_data(v) && etm_bit(value[ETM_REG_VDCR3], 16) &&
        ((value[ETM_REG_VDCR1] | value[ETM_REG_VDCR2]) & 0xffff) +
                (value[ETM_REG_VDCR3] & 0xff) !=
            0)
        etm_lint_add(
            l, ETM_LINT_VIEW_IGNORED, ETM_SEVERITY_ADVICE, ETM_REG_VDCR3,
            "data are included, which has no effect in exclude-only mode");
}

static void check_precision(struct etm_lints *l)
{
    char text[200];

    for (unsigned n = 0; etm_imprecise_trace(l->view, n, text, sizeof text);
         n++)
        etm_lint_add(l, ETM_LINT_IMPRECISE_TRACE, ETM_SEVERITY_ADVICE,
                     ETM_REGISTER_NONE, "TraceEnable is imprecise: %s", text);
    for (unsigned n = 0; etm_imprecise_view(l->view, n, text, sizeof text); n++)
        etm_lint_add(l, ETM_LINT_IMPRECISE_VIEW, ETM_SEVERITY_ADVICE,
                     ETM_REGISTER_NONE, "ViewData is imprecise: %s", text);
}

void etm_lint_selections(struct etm_lints *l)
{
    check_exist(l);
    check_trace(l);
    check_derived(l);
    check_points(l);
    check_nothing(l);
    check_no_data(l);
    check_ignored(l);
    check_precision(l);
}
