/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which instructions and which transfers: TraceEnable (2.6.4, 3.5.7) and
 * ViewData (2.6.5, 3.5.9).
 */
#include "setup/plan.h"

#define PARTS 32u

/* Resources that must all be active, for one event. */
struct terms {
    struct etm_plan_event event; /* two at most fit */
    unsigned n;
};

static int add_term(struct etm_plan *p, struct terms *t, uint16_t resource,
                    bool inverted)
{
    struct etm_plan_event *e = &t->event;

    t->n++;
    if (t->n > 2 || e->op == ETM_PLAN_OR)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "an event joins two resources; more are needed "
                               "here: data to be left out, a context ID or "
                               "security state, and a condition (3.6.2)");
    if (t->n == 1) {
        *e = (struct etm_plan_event){
            .op = ETM_PLAN_ONE, .a = resource, .not_a = inverted};
        return ETM_OK;
    }
    e->op = ETM_PLAN_AND;
    e->b = resource;
    e->not_b = inverted;
    return ETM_OK;
}

/* Begin with the condition of the request; without one, always. */
static int begin_terms(struct etm_plan *p, struct terms *t,
                       const struct etm_request_condition *when)
{
    *t = (struct terms){
        .event = {.op = ETM_PLAN_ONE, .a = (uint16_t)ETM_RESOURCE_ALWAYS}};
    if (when->what == ETM_CONDITION_NONE)
        return ETM_OK;
    t->n = 1;
    return etm_plan_condition(p, when, ETM_PLAN_REGION, &t->event);
}

/* After begin_terms(): a condition with an AND has two already. */
static int more_term(struct etm_plan *p, struct terms *t, uint16_t resource,
                     bool inverted)
{
    if (t->event.op == ETM_PLAN_AND && t->n == 1)
        t->n = 2;
    return add_term(p, t, resource, inverted);
}

/* An enabling event that can change is imprecise (2.6.4, 2.6.5). */
static bool varies(const struct etm_plan_event *e)
{
    bool a = e->a == ETM_RESOURCE_ALWAYS, b = e->b == ETM_RESOURCE_ALWAYS;

    switch (e->op) {
    case ETM_PLAN_NEVER:
        return false;
    case ETM_PLAN_ONE:
        return !a;
    case ETM_PLAN_AND:
        return !(a && b) && !(a && e->not_a) && !(b && e->not_b);
    case ETM_PLAN_OR:
        return !(a && b) && !(a && !e->not_a) && !(b && !e->not_b);
    }
    return true;
}

static bool is_data(const struct etm_request_match *m)
{
    return m->look >= ETM_LOOK_TRANSFER;
}

static bool gated(const struct etm_request *r)
{
    return r->has_context_id || r->security != ETM_REQUEST_SECURITY_ANY ||
           r->mode != ETM_REQUEST_MODE_ANY;
}

static bool plain(const struct etm_request_match *m)
{
    return m->look == ETM_LOOK_EXECUTE && !m->has_context_id &&
           m->security == ETM_REQUEST_SECURITY_ANY &&
           m->mode == ETM_REQUEST_MODE_ANY;
}

/* Add what the request gives for everything to a match. */
static int gate(struct etm_plan *p, struct etm_request_match *m)
{
    const struct etm_request *r = p->request;

    if ((r->has_context_id && m->has_context_id &&
         m->context_id != r->context_id) ||
        (r->security != 0 && m->security != 0 && r->security != m->security) ||
        (r->mode != 0 && m->mode != 0 && r->mode != m->mode))
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a region requires a context ID or state other "
                               "than that of the whole request");
    if (r->has_context_id) {
        m->has_context_id = true;
        m->context_id = r->context_id;
    }
    if (r->security != 0)
        m->security = r->security;
    if (r->mode != 0)
        m->mode = r->mode;
    return ETM_OK;
}

/* TraceEnable takes single comparators since v1.2, and never in PFT: a range
   of one address stands in for them. */
static void as_range(const struct etm_plan *p, struct etm_request_match *m)
{
    if (m->range || etm_plan_has(p, ETM_REG_TECR2))
        return;
    m->range = true;
    m->to = m->from;
    if (is_data(m))
        m->to += (m->size == 0 ? 4u : m->size) - 1u;
}

static int want(struct etm_plan *p, const struct etm_request_match *m,
                enum etm_plan_use use, uint64_t *set)
{
    size_t index = 0;
    int status = etm_plan_match(p, m, use, &index);

    if (status == ETM_OK)
        *set |= UINT64_C(1) << index;
    return status;
}

static int lacks_points(struct etm_plan *p)
{
    return etm_plan_lacks(p, "start/stop block with EmbeddedICE inputs "
                             "(ETMCCER[20])");
}

static int want_points(struct etm_plan *p,
                       const struct etm_request_match *matches, size_t n,
                       uint64_t *set)
{
    /* An EmbeddedICE input that starts or stops is a pulse (table 7-21). */
    enum etm_plan_use use =
        etm_plan_by_dwt(p) ? ETM_PLAN_EVENT : ETM_PLAN_REGION;

    for (size_t i = 0; i < n; i++) {
        struct etm_request_match m = matches[i];
        int status;

        if (m.range)
            return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                                   "tracing starts and stops at single "
                                   "addresses, not at ranges");
        if (etm_plan_by_dwt(p) && !etm_plan_has(p, ETM_REG_TESSEICR))
            return lacks_points(p);
        status = gate(p, &m);
        if (status == ETM_OK)
            status = want(p, &m, use, set);
        if (status != ETM_OK)
            return status;
    }
    return ETM_OK;
}

/* EmbeddedICE comparators that start or stop (2.6.4, 3.5.21). */
static int want_ice_points(struct etm_plan *p, struct etm_plan_trace *t)
{
    const struct etm_request *r = p->request;
    unsigned both = (unsigned)r->start_ice | r->stop_ice;
    int status = ETM_OK;

    if (both == 0)
        return ETM_OK;
    if (!etm_plan_has(p, ETM_REG_TESSEICR))
        return lacks_points(p);
    if ((r->start_ice & r->stop_ice) != 0)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "one EmbeddedICE comparator cannot both start "
                               "and stop the trace (2.6.4)");
    for (unsigned i = 0; i < 8 && status == ETM_OK; i++) {
        uint16_t ignored;

        if ((both >> i & 1) != 0)
            status = etm_plan_ice(p, i + 1, ETM_PLAN_EVENT, &ignored);
    }
    if (gated(r))
        etm_plan_note(p, "EmbeddedICE comparators start and stop the trace in "
                         "every process and state: they do not see the one "
                         "that is traced");
    t->start_ice = r->start_ice;
    t->stop_ice = r->stop_ice;
    return status;
}

/* Start and stop points (2.6.4). */
static int plan_points(struct etm_plan *p, struct etm_plan_trace *t)
{
    const struct etm_request *r = p->request;
    bool starts = r->n_start != 0 || r->start_ice != 0;
    bool stops = r->n_stop != 0 || r->stop_ice != 0;
    int status;

    if (!starts && !stops)
        return ETM_OK;
    if (!p->file.counts.start_stop)
        return etm_plan_lacks(p, "trace start/stop block");
    if (!starts)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a stop without a start: nothing would be "
                               "traced");
    if (!stops)
        etm_plan_note(p, "nothing stops the trace once it has started");
    status = want_points(p, r->start, r->n_start, &t->start);
    if (status == ETM_OK)
        status = want_points(p, r->stop, r->n_stop, &t->stop);
    if (status == ETM_OK && (t->start & t->stop) != 0)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "one address cannot both start and stop the "
                               "trace (2.6.4)");
    return status == ETM_OK ? want_ice_points(p, t) : status;
}

/* Where the instruction after one at `address` can begin at the earliest. */
static uint32_t behind(const struct etm_request_match *m)
{
    if (m->range)
        return m->to + 1;
    return m->from + (m->isa == ETM_ISA_ARM       ? 4u
                      : m->isa == ETM_ISA_JAZELLE ? 1u
                                                  : 2u);
}

/* Remove `out` from all parts: there is only one mode for all regions, include
 * or exclude (2.6.4). */
static int subtract(struct etm_plan *p, struct etm_request_match *parts,
                    size_t *n, const struct etm_request_match *out)
{
    uint32_t last = out->range ? out->to : out->from;
    size_t had = *n, kept = 0;
    struct etm_request_match result[PARTS];

    for (size_t i = 0; i < had; i++) {
        struct etm_request_match m = parts[i];
        uint32_t to = m.range ? m.to : m.from;

        if (is_data(&m) || last < m.from || out->from > to) {
            if (kept < PARTS)
                result[kept++] = m;
            continue;
        }
        if (m.range && out->from > m.from && kept < PARTS) {
            result[kept] = m;
            result[kept++].to = out->from - 1;
        }
        if (m.range && last < m.to && behind(out) <= m.to && kept < PARTS) {
            result[kept] = m;
            result[kept++].from = behind(out);
        }
    }
    if (kept == PARTS)
        return etm_plan_refuse(
            p, ETM_ERR_UNSUPPORTED,
            "the regions have too many parts after exclusion");
    if (kept == 0)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "everything that is included is also excluded");
    for (size_t i = 0; i < kept; i++)
        parts[i] = result[i];
    *n = kept;
    return ETM_OK;
}

/* What is included, without what is excluded from it; there may be none. */
static int take_parts(struct etm_plan *p, struct etm_request_match *parts,
                      size_t *n)
{
    const struct etm_request *r = p->request;
    int status = ETM_OK;

    *n = r->n_include;
    if (*n == 0)
        return ETM_OK;
    if (*n >= PARTS)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED, "too many regions");
    for (size_t i = 0; i < *n; i++)
        parts[i] = r->include[i];
    for (size_t i = 0; i < r->n_exclude && status == ETM_OK; i++) {
        if (is_data(&r->exclude[i]))
            continue;
        if (!plain(&r->exclude[i]))
            return etm_plan_refuse(
                p, ETM_ERR_UNSUPPORTED,
                "excluded regions cannot have conditions if others are "
                "included: there is only one list (2.6.4)");
        status = subtract(p, parts, n, &r->exclude[i]);
    }
    return status;
}

static int plan_include(struct etm_plan *p, struct etm_plan_trace *t)
{
    struct etm_request_match parts[PARTS];
    size_t n;
    int status = take_parts(p, parts, &n);

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        status = gate(p, &parts[i]);
        as_range(p, &parts[i]);
        if (status == ETM_OK)
            status = want(p, &parts[i], ETM_PLAN_REGION, &t->filter.include);
    }
    return status;
}

/* Context ID and state, if no comparator of a region can hold them. */
static int plan_gate(struct etm_plan *p, struct etm_plan_trace *t,
                     struct terms *terms)
{
    const struct etm_request *r = p->request;
    struct etm_request_match all = {.range = true, .to = UINT32_MAX};
    unsigned index = 0;
    int status = ETM_OK;

    if (r->n_exclude == 0 && !p->event_conditions &&
        p->file.counts.sac_pairs != 0) {
        p->whole = true;
        status = gate(p, &all);
        return status == ETM_OK
                   ? want(p, &all, ETM_PLAN_REGION, &t->filter.include)
                   : status;
    }
    if (r->mode != ETM_REQUEST_MODE_ANY &&
        (p->version < ETM_V3_5 || !p->file.security))
        return etm_plan_lacks(p, "comparison of User mode");
    if (r->mode != ETM_REQUEST_MODE_ANY)
        return etm_plan_refuse(
            p, ETM_ERR_UNSUPPORTED,
            "User mode is selected by address comparators: this needs one more "
            "pair, for a range of all memory, and no excluded regions");
    if (r->has_context_id) {
        status = etm_plan_context_id(p, r->context_id, &index);
        if (status == ETM_OK)
            status = more_term(
                p, terms, (uint16_t)(ETM_RESOURCE_CONTEXT_ID + index), false);
    }
    if (status == ETM_OK && r->security != ETM_REQUEST_SECURITY_ANY) {
        if (!p->file.security ||
            !etm_resource_exists(&p->resources, ETM_RESOURCE_NON_SECURE))
            return etm_plan_lacks(p, "resource for Non-secure state");
        status = more_term(p, terms, ETM_RESOURCE_NON_SECURE,
                           r->security == ETM_REQUEST_SECURE);
    }
    return status;
}

/* 2.6: each restart costs an address and a context ID. */
static void note_short(struct etm_plan *p, const struct etm_request_match *m)
{
    if (!m->range || m->to - m->from < 16)
        etm_plan_note(p, "leaving out a few instructions costs more trace than "
                         "it saves: each restart needs a full address (2.6)");
}

static int plan_exclude(struct etm_plan *p, struct etm_plan_trace *t,
                        struct terms *terms)
{
    const struct etm_request *r = p->request;
    int status = ETM_OK;

    for (size_t i = 0; i < r->n_exclude && status == ETM_OK; i++) {
        struct etm_request_match m = r->exclude[i];
        size_t index = 0;

        /* 2.6.4: data comparators make the exclude list UNPREDICTABLE. */
        if (is_data(&m)) {
            status = etm_plan_match(p, &m, ETM_PLAN_REGION, &index);
            if (status == ETM_OK)
                status = more_term(p, terms,
                                   (uint16_t)(ETM_OPERAND_WANT + index), true);
            continue;
        }
        if (r->n_include != 0 || etm_plan_by_dwt(p))
            continue; /* subtracted, or a block */
        note_short(p, &m);
        as_range(p, &m);
        status = want(p, &m, ETM_PLAN_REGION, &t->filter.exclude);
    }
    return status;
}

/* The instructions that a region of the DWT has to hold. */
static int check_blocks(struct etm_plan *p,
                        const struct etm_request_match *parts, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status =
            plain(&parts[i])
                ? etm_plan_check(p, &parts[i])
                : etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                                  "the DWT's comparators, in place of address "
                                  "comparators, hold regions of executed "
                                  "instructions without a condition");
    return status;
}

/*
 * Regions without address comparators: the comparators of the DWT are resources
 * of the enabling event, latched from one instruction to the next (7.6.4). Of
 * one or two blocks to include, either; of those to exclude, none.
 */
static int plan_blocks(struct etm_plan *p, struct terms *terms)
{
    const struct etm_request *r = p->request;
    struct etm_request_match parts[PARTS], blocks[2];
    unsigned most = terms->n == 0 && !p->no_halves ? 2 : 1;
    bool include = r->n_include != 0;
    size_t n, wants[2] = {0};
    int status = take_parts(p, parts, &n), count;

    for (size_t i = 0; i < r->n_exclude && !include && n < PARTS; i++)
        if (!is_data(&r->exclude[i]))
            parts[n++] = r->exclude[i];
    if (status == ETM_OK)
        status = check_blocks(p, parts, n);
    if (status != ETM_OK || n == 0)
        return status;
    count = include ? etm_plan_dwt_cover(p, parts, n, most, blocks)
                    : etm_plan_dwt_fill(p, parts, n, most, blocks);
    for (int i = 0; i < count && status == ETM_OK; i++)
        status = etm_plan_match(p, &blocks[i], ETM_PLAN_REGION, &wants[i]);
    if (count < 0 || status != ETM_OK)
        return count < 0 ? count : status;
    if (include && count == 2) {
        terms->event = (struct etm_plan_event){
            .op = ETM_PLAN_OR,
            .a = (uint16_t)(ETM_OPERAND_WANT + wants[0]),
            .b = (uint16_t)(ETM_OPERAND_WANT + wants[1])};
        terms->n = 2;
        return ETM_OK;
    }
    for (int i = 0; i < count && status == ETM_OK; i++)
        status = more_term(p, terms, (uint16_t)(ETM_OPERAND_WANT + wants[i]),
                           !include);
    return status;
}

int etm_plan_trace(struct etm_plan *p, struct etm_plan_trace *t)
{
    const struct etm_request *r = p->request;
    struct terms terms = {.n = 0};
    bool dwt = etm_plan_by_dwt(p);
    int status;

    *t = (struct etm_plan_trace){.start = 0};
    status = plan_points(p, t);
    if (status == ETM_OK && !dwt)
        status = plan_include(p, t);
    if (status == ETM_OK)
        status = begin_terms(p, &terms, &r->when);
    if (status == ETM_OK && dwt)
        status = plan_blocks(p, &terms);
    if (status == ETM_OK)
        status = plan_exclude(p, t, &terms);
    if (status == ETM_OK && (r->n_include == 0 || dwt) && gated(r))
        status = plan_gate(p, t, &terms);
    if (status == ETM_OK && varies(&terms.event))
        etm_plan_note(p, "the enabling event is imprecise: trace may begin or "
                         "end some instructions late (2.6.4)");
    t->filter.event = terms.event;
    return status;
}

static int want_all(struct etm_plan *p, const struct etm_request_match *matches,
                    size_t n, uint64_t *set)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = want(p, &matches[i], ETM_PLAN_REGION, set);
    return status;
}

/* 2.6.5: before v2.0 ViewData is evaluated at the first transfer only. */
static void note_multiples(struct etm_plan *p)
{
    const struct etm_request *r = p->request;
    bool asks = r->data_when.what != ETM_CONDITION_NONE;

    for (size_t i = 0; i < r->n_data_include; i++)
        asks |= is_data(&r->data_include[i]);
    for (size_t i = 0; i < r->n_data_exclude; i++)
        asks |= is_data(&r->data_exclude[i]);
    if (asks && p->version < ETM_V2_0)
        etm_plan_note(p, "before v2.0 the first transfer of a load or store "
                         "multiple decides for all of them (2.6.5)");
}

int etm_plan_view(struct etm_plan *p, struct etm_plan_filter *view)
{
    const struct etm_request *r = p->request;
    bool data = r->data_address || r->data_value;
    bool filtered = r->n_data_include != 0 || r->n_data_exclude != 0 ||
                    r->data_when.what != ETM_CONDITION_NONE;
    struct terms terms;
    int status;

    *view = (struct etm_plan_filter){.event = {.op = ETM_PLAN_NEVER}};
    if (filtered && !data && !(r->cprt && r->cprt_filter))
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "data are selected, but neither addresses nor "
                               "values are to be traced");
    if (!data && !r->cprt)
        return ETM_OK;
    status = want_all(p, r->data_include, r->n_data_include, &view->include);
    if (status == ETM_OK)
        status =
            want_all(p, r->data_exclude, r->n_data_exclude, &view->exclude);
    if (status == ETM_OK)
        status = begin_terms(p, &terms, &r->data_when);
    if (status != ETM_OK)
        return status;
    if (varies(&terms.event))
        etm_plan_note(p, "the enabling event of ViewData is imprecise: data "
                         "trace may begin or end late (2.6.5)");
    note_multiples(p);
    view->event = terms.event;
    return ETM_OK;
}

/* The single comparators among the wants, and the ranges. */
static uint32_t singles(const struct etm_plan *p, uint64_t set)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < p->n_wants; i++)
        if ((set >> i & 1) != 0 && !p->wants[i].range)
            bits |= UINT32_C(1) << p->wants[i].slot;
    return bits;
}

static uint32_t ranges(const struct etm_plan *p, uint64_t set)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < p->n_wants; i++)
        if ((set >> i & 1) != 0 && p->wants[i].range)
            bits |= UINT32_C(1) << p->wants[i].slot / 2;
    return bits;
}

void etm_plan_write_trace(struct etm_plan *p, const struct etm_plan_trace *t)
{
    bool exclude = t->filter.include == 0;
    uint64_t set = exclude ? t->filter.exclude : t->filter.include;
    bool points = t->start != 0 || t->start_ice != 0;
    bool dwt = etm_plan_by_dwt(p);
    uint32_t start = singles(p, t->start), stop = singles(p, t->stop);

    if (etm_plan_has(p, ETM_REG_TSSCR))
        etm_plan_set(p, ETM_REG_TSSCR, stop << 16 | start);
    if (etm_plan_has(p, ETM_REG_TESSEICR))
        etm_plan_set(p, ETM_REG_TESSEICR,
                     (t->stop_ice | (dwt ? stop : 0)) << 16 | t->start_ice |
                         (dwt ? start : 0));
    if (etm_plan_has(p, ETM_REG_TECR2))
        etm_plan_set(p, ETM_REG_TECR2, singles(p, set));
    etm_plan_set(p, ETM_REG_TEEVR, etm_plan_event(p, &t->filter.event));
    etm_plan_set(p, ETM_REG_TECR1,
                 (uint32_t)points << 25 | (uint32_t)exclude << 24 |
                     ranges(p, set));
}

void etm_plan_write_view(struct etm_plan *p, const struct etm_plan_filter *view)
{
    if (!etm_plan_has(p, ETM_REG_VDEVR))
        return;
    etm_plan_set(p, ETM_REG_VDEVR, etm_plan_event(p, &view->event));
    etm_plan_set(p, ETM_REG_VDCR1,
                 singles(p, view->exclude) << 16 | singles(p, view->include));
    if (etm_plan_has(p, ETM_REG_VDCR2))
        etm_plan_set(p, ETM_REG_VDCR2, 0);
    etm_plan_set(p, ETM_REG_VDCR3,
                 (uint32_t)(view->include == 0) << 16 |
                     ranges(p, view->exclude) << 8 | ranges(p, view->include));
}
