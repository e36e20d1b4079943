/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EmbeddedICE comparators in words. In M-profile processors they are those of
 * the DWT, as far as its registers are known (ARMv7-M Architecture Reference
 * Manual, DDI 0403, C1.8; E-580).
 */
#include "setup/explain.h"

#include <stdio.h>

/* The registers of DWT comparator n, from 0. */
static void registers_of(unsigned n, uint32_t numbers[3])
{
    numbers[0] = ETM_REG_DWT_COMP0 + ETM_DWT_STRIDE * n;
    numbers[1] = ETM_REG_DWT_MASK0 + ETM_DWT_STRIDE * n;
    numbers[2] = ETM_REG_DWT_FUNCTION0 + ETM_DWT_STRIDE * n;
}

/* The DWT comparator of EmbeddedICE input n, from 1; NULL if there is none, or
 * if it is not known. */
static const struct etm_dwt_comparator *known(const struct etm_view *view,
                                              unsigned n)
{
    uint32_t numbers[3];

    if (n > etm_view_dwts(view))
        return NULL;
    registers_of(n - 1, numbers);
    for (unsigned i = 0; i < 3; i++)
        if (!etm_view_knows(view, numbers[i]))
            return NULL;
    return &view->dwt.comparators[n - 1];
}

/* Bits of the address that are to be compared, although it ignores them: then
 * it cannot match. */
static uint32_t excess(const struct etm_dwt_comparator *c)
{
    return c->comp & ((UINT32_C(1) << (c->mask & 31u)) - 1);
}

static const char *what_of(const struct etm_dwt_comparator *c)
{
    if (etm_dwt_sees_insns(c))
        return "instruction executed";
    if (etm_dwt_sees_loads(c))
        return etm_dwt_sees_stores(c) ? "load or store" : "load";
    return etm_dwt_sees_stores(c) ? "store" : NULL;
}

static void add_match(struct etm_words *w, const struct etm_view *view,
                      const struct etm_dwt_comparator *c)
{
    const char *what = what_of(c);
    uint32_t last = c->comp | ((UINT32_C(1) << (c->mask & 31u)) - 1);

    if (what == NULL) {
        etm_words_add(w, "nothing, its function is 0x%x",
                      (unsigned)(c->function & ETM_DWT_FUNCTION));
        return;
    }
    etm_words_add(w, "%s ", what);
    if (last == c->comp) {
        etm_words_add(w, "at ");
        etm_words_address(w, view, c->comp);
        return;
    }
    etm_words_add(w, "from ");
    etm_words_address(w, view, c->comp);
    etm_words_add(w, " to 0x%08x", (unsigned)last);
}

void etm_words_eice(struct etm_words *w, const struct etm_view *view,
                    unsigned n)
{
    const struct etm_dwt_comparator *c = known(view, n);

    etm_words_add(w, "EmbeddedICE comparator %u", n);
    if (c == NULL)
        return;
    etm_words_add(w, " (");
    add_match(w, view, c);
    etm_words_add(w, ")");
}

/* Whether something uses EmbeddedICE comparator n, from 1. */
static bool is_used(const struct etm_view *view, unsigned n)
{
    unsigned points = (unsigned)view->uses.start_eice | view->uses.stop_eice;
    bool gates = etm_bit(view->value[ETM_REG_TECR1], 25) ||
                 etm_watched(view, ETM_RESOURCE_START_STOP);

    return (gates && etm_bit(points, n - 1)) ||
           etm_watched(view, ETM_RESOURCE_EICE + n - 1);
}

void etm_explain_dwt(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;

    for (unsigned n = 1; n <= etm_view_dwts(v); n++) {
        const struct etm_dwt_comparator *c = known(v, n);
        uint32_t numbers[3];
        char subject[32], text[512];
        struct etm_words w;

        if (!is_used(v, n))
            continue;
        registers_of(n - 1, numbers);
        (void)snprintf(subject, sizeof subject, "EmbeddedICE comparator %u", n);
        (void)snprintf(text, sizeof text, "what %s matches", subject);
        if (etm_explain_unknown(x, subject, numbers, 3, text))
            continue;
        w = etm_words_on(text, sizeof text);
        add_match(&w, v, c);
        etm_explain_say(x, subject, numbers, 3,
                        "EmbeddedICE comparator %u is DWT comparator %u: %s.",
                        n, n - 1, text);
    }
}

void etm_lint_dwt(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    bool off = etm_view_knows(v, ETM_REG_DEMCR) &&
               (v->dwt.demcr & ETM_DEMCR_TRCENA) == 0;

    for (unsigned n = 1; n <= etm_view_dwts(v); n++) {
        const struct etm_dwt_comparator *c = known(v, n);
        uint32_t numbers[3];

        if (!is_used(v, n))
            continue;
        registers_of(n - 1, numbers);
        if (off)
            etm_lint_add(l, ETM_LINT_NEVER_MATCHES, ETM_SEVERITY_ADVICE,
                         ETM_REG_DEMCR,
                         "EmbeddedICE comparator %u is used, but the DWT is "
                         "off: bit 24 is clear",
                         n);
        if (c == NULL)
            continue;
        if (what_of(c) == NULL)
            etm_lint_add(l, ETM_LINT_NEVER_MATCHES, ETM_SEVERITY_ADVICE,
                         numbers[2],
                         "EmbeddedICE comparator %u is used, but DWT "
                         "comparator %u compares nothing for the macrocell",
                         n, n - 1);
        else if (excess(c) != 0)
            etm_lint_add(l, ETM_LINT_NEVER_MATCHES, ETM_SEVERITY_UNPREDICTABLE,
                         numbers[0],
                         "DWT comparator %u has bits 0x%x set, which its mask "
                         "ignores: it may never match",
                         n - 1, (unsigned)excess(c));
    }
}
