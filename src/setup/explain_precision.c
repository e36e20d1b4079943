/* SPDX-License-Identifier: Apache-2.0 */
/* Why TraceEnable or ViewData is imprecise (ETM architecture 2.6.4, 2.6.5):
   a list of reasons, taken one at a time. */
#include "setup/explain.h"

/* The number of the wanted reason, and of those found so far. */
struct search {
    const struct etm_view *view;
    unsigned wanted, at;
    bool found;
    struct etm_words words;
};

static bool reached(struct search *s)
{
    s->found = s->found || s->at == s->wanted;
    return s->at++ == s->wanted;
}

static void look_at_event(struct search *s, uint32_t number)
{
    uint32_t event = s->view->value[number];

    if (!s->view->known[number] || etm_event_constant(event) != ETM_VARIES)
        return;
    if (reached(s)) {
        etm_words_add(&s->words, "its enabling event can change (");
        etm_words_event(&s->words, event);
        etm_words_add(&s->words, ")");
    }
}

/* One comparator, under the name that selects it; `trace`: for TraceEnable. */
static void look_at_comparator(struct search *s, unsigned sac, const char *name,
                               unsigned n, bool trace)
{
    const struct etm_view *v = s->view;
    uint32_t actr = v->value[ETM_REG_ACTR1 + sac - 1];

    if (!v->known[ETM_REG_ACTR1 + sac - 1])
        return;
    if (etm_actr_type(actr) == 0 && reached(s))
        etm_words_add(&s->words, "%s %u compares fetches", name, n);
    if (etm_actr_exact(v, actr) && etm_actr_type(actr) != 0 && reached(s))
        etm_words_add(&s->words, "%s %u uses exact match, which is late", name,
                      n);
    if (!trace)
        return;
    if (v->version < ETM_V1_2 && etm_actr_data(actr) && reached(s))
        etm_words_add(&s->words, "%s %u compares data addresses", name, n);
    if (v->version >= ETM_V3_0 && (actr >> 8 & 3) != 0 && reached(s))
        etm_words_add(&s->words,
                      "%s %u depends on a context ID, which can change", name,
                      n);
}

static void look_at_selected(struct search *s, const struct etm_selected *set,
                             bool trace)
{
    for (unsigned i = 1; i <= 8; i++) {
        if (etm_bit(set->arcs, i - 1))
            look_at_comparator(s, 2 * i - 1, "range", i, trace);
    }
    for (unsigned i = 1; i <= 16; i++) {
        if (etm_bit(set->sacs, i - 1))
            look_at_comparator(s, i, "address comparator", i, trace);
    }
    for (unsigned i = 1; trace && i <= 16; i++) {
        if (etm_bit(set->mmds, i - 1) && reached(s))
            etm_words_add(&s->words, "it depends on memory map decoder %u", i);
    }
}

static struct search begin(const struct etm_view *view, unsigned n, char *text,
                           size_t capacity)
{
    return (struct search){
        .view = view, .wanted = n, .words = etm_words_on(text, capacity)};
}

bool etm_imprecise_trace(const struct etm_view *view, unsigned n, char *text,
                         size_t capacity)
{
    struct search s = begin(view, n, text, capacity);

    look_at_event(&s, ETM_REG_TEEVR);
    look_at_selected(&s, &view->uses.trace, true);
    if (etm_bit(view->value[ETM_REG_TECR1], 25)) {
        struct etm_selected points = {.sacs =
                                          view->uses.start | view->uses.stop};

        look_at_selected(&s, &points, true);
    }
    return s.found;
}

bool etm_imprecise_view(const struct etm_view *view, unsigned n, char *text,
                        size_t capacity)
{
    struct search s = begin(view, n, text, capacity);

    if (!etm_view_data(view))
        return false;
    look_at_event(&s, ETM_REG_VDEVR);
    look_at_selected(&s, &view->uses.view_include, false);
    look_at_selected(&s, &view->uses.view_exclude, false);
    return s.found;
}
