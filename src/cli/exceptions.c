/* SPDX-License-Identifier: Apache-2.0 */
/* etm exceptions: how often, how long, how regular, and what they interrupt. */
#include "cli/edges.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 64u /* durations of 2^(i-1) up to 2^i - 1 */

/* Beside what etm_cli_subject has. */
struct more {
    uint64_t entries;
    uint64_t last;      /* entry */
    uint64_t intervals; /* between entries, without a gap of unknown length */
    uint64_t least, most, whole;
    uint32_t gaps, timed_gaps; /* before the last entry */
    unsigned nesting; /* the most exceptions that it interrupted at a time */
    uint64_t durations[BUCKETS];
};

struct exceptions {
    struct etm_cli_subjects subjects;
    struct etm_cli_edges edges;
    struct more *more; /* by the number of the subject */
    size_t n_more;
    unsigned nested[ETM_CALL_TASKS]; /* exceptions on the stack of each task */
};

static struct more *more_of(struct exceptions *x, size_t subject)
{
    if (subject >= x->n_more) {
        size_t n = 2 * subject + 16;
        struct more *more = realloc(x->more, n * sizeof *more);

        if (!more)
            return NULL;
        memset(more + x->n_more, 0, (n - x->n_more) * sizeof *more);
        for (size_t i = x->n_more; i < n; i++)
            more[i].least = UINT64_MAX;
        x->more = more;
        x->n_more = n;
    }
    return &x->more[subject];
}

static void count_entry(struct etm_cli_replay *r, const struct etm_call *c,
                        struct more *m)
{
    struct exceptions *x = r->state;
    uint64_t now = etm_cli_in_unit(r, c->at), interval = now - m->last;
    uint32_t gaps = c->gaps - m->gaps;
    uint32_t timed = r->cycles ? c->timed_gaps - m->timed_gaps : 0;

    if (m->entries++ != 0 && gaps <= timed) {
        m->intervals++;
        m->whole += interval;
        m->least = interval < m->least ? interval : m->least;
        m->most = interval > m->most ? interval : m->most;
    }
    m->last = now;
    m->gaps = c->gaps;
    m->timed_gaps = c->timed_gaps;
    if (x->nested[c->task] > m->nesting)
        m->nesting = x->nested[c->task];
    x->nested[c->task]++;
}

static void count_exit(struct etm_cli_replay *r, const struct etm_call *c,
                       struct more *m)
{
    struct exceptions *x = r->state;
    uint64_t duration = etm_cli_in_unit(r, c->total);
    unsigned bucket = 0;

    x->nested[c->task]--;
    if (!etm_cli_is_complete(r, c))
        return;
    while (duration >> bucket != 0 && bucket < BUCKETS - 1)
        bucket++;
    m->durations[bucket]++;
}

static int take_call(struct etm_cli_replay *r, const struct etm_call *c)
{
    struct exceptions *x = r->state;
    struct more *m;
    size_t subject;
    int status = etm_cli_subjects_count(&x->subjects, r, c);

    if (status == ETM_OK)
        status = etm_cli_edges_count(&x->edges, &x->subjects, r, c);
    if (status != ETM_OK || (c->flags & ETM_CALL_EXCEPTION) == 0)
        return status;
    subject = etm_cli_subject_of(&x->subjects, r, c);
    m = subject != SIZE_MAX ? more_of(x, subject) : NULL;
    if (!m)
        return ETM_ERR_MEMORY;
    if (c->kind == ETM_CALL_ENTER)
        count_entry(r, c, m);
    else
        count_exit(r, c, m);
    return ETM_OK;
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH)
            status = take_call(r, &calls[i]);
    return status;
}

/* "   least        mean     most" of something. */
static void put_spread(struct etm_cli_replay *r, uint64_t n, uint64_t least,
                       uint64_t whole, uint64_t most)
{
    if (n != 0)
        etm_cli_print(r->output, "%10" PRIu64 "%12.1f%10" PRIu64, least,
                      (double)whole / (double)n, most);
    else
        etm_cli_print(r->output, "%10s%12s%10s", "-", "-", "-");
}

static void put_durations(struct etm_cli_replay *r, const struct more *m)
{
    for (unsigned i = 0; i < BUCKETS; i++)
        if (m->durations[i] != 0)
            etm_cli_print(r->output,
                          "          %10" PRIu64 " to %" PRIu64 " %s: %" PRIu64
                          "\n",
                          i == 0 ? (uint64_t)0 : UINT64_C(1) << (i - 1),
                          i == 0 ? (uint64_t)0 : (UINT64_C(2) << (i - 1)) - 1,
                          etm_cli_unit_name(r), m->durations[i]);
}

/* What it interrupted: first where it took most. */
static void put_interrupted(struct etm_cli_replay *r, size_t subject)
{
    struct exceptions *x = r->state;
    const struct etm_cli_edge *e;

    for (size_t i = 0; (e = etm_cli_edges_at(&x->edges, i)) != NULL; i++) {
        if (e->to != subject)
            continue;
        etm_cli_print(r->output,
                      "          interrupted %10" PRIu64 " times: ", e->calls);
        etm_cli_put_plain(r->output, e->caller, strlen(e->caller));
        etm_cli_put(r->output, "\n", 1);
    }
}

static void put_text(struct etm_cli_replay *r, size_t subject)
{
    struct exceptions *x = r->state;
    const struct etm_cli_subject *s = &x->subjects.rows[subject];
    const struct more *m = &x->more[subject];

    etm_cli_put_plain(r->output, s->name, strlen(s->name));
    etm_cli_print(r->output,
                  ": %" PRIu64 " entr%s, on top of %u other%s at most\n",
                  m->entries, m->entries == 1 ? "y" : "ies", m->nesting,
                  etm_cli_plural(m->nesting));
    etm_cli_print(r->output, "  duration      ");
    put_spread(r, s->complete, s->least, s->whole, s->most);
    etm_cli_print(r->output, "\n  between entries");
    put_spread(r, m->intervals, m->least, m->whole, m->most);
    if (m->intervals != 0)
        etm_cli_print(r->output, "  jitter %" PRIu64, m->most - m->least);
    etm_cli_put(r->output, "\n", 1);
    put_durations(r, m);
    put_interrupted(r, subject);
}

static int end_text(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;
    char title[256];
    bool any = false;

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n", title);
    etm_cli_edges_order(&x->edges, &x->subjects, r->cycles);
    for (size_t i = 0; i < x->subjects.n; i++) {
        if (!x->subjects.rows[i].exception)
            continue;
        if (!any)
            etm_cli_print(r->output, "%16s%10s%12s%10s  (%s)\n", "", "least",
                          "mean", "most", etm_cli_unit_name(r));
        put_text(r, i);
        any = true;
    }
    if (any)
        etm_cli_print(r->output,
                      "When an exception became pending is not in the trace: "
                      "how long it waited cannot be known.\n\n");
    else
        etm_cli_print(r->output, "no exception\n\n");
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
    return ETM_OK;
}

static void put_lists(struct etm_cli_replay *r, size_t subject)
{
    struct exceptions *x = r->state;
    const struct more *m = &x->more[subject];
    const struct etm_cli_edge *e;
    const char *between = "";
    char json[1024];
    unsigned last = BUCKETS;

    while (last > 0 && m->durations[last - 1] == 0)
        last--;
    etm_cli_print(r->output, ",\"durations\":[");
    for (unsigned i = 0; i < last; i++)
        etm_cli_print(r->output, "%s%" PRIu64, i == 0 ? "" : ",",
                      m->durations[i]);
    etm_cli_print(r->output, "],\"interrupted\":[");
    for (size_t i = 0; (e = etm_cli_edges_at(&x->edges, i)) != NULL; i++) {
        if (e->to != subject)
            continue;
        etm_cli_print(r->output, "%s{\"name\":%s,\"n\":%" PRIu64 "}", between,
                      etm_json_string(e->caller, json, sizeof json), e->calls);
        between = ",";
    }
    etm_cli_print(r->output, "]}\n");
}

static int end_jsonl(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;

    etm_cli_edges_order(&x->edges, &x->subjects, r->cycles);
    for (size_t i = 0; i < x->subjects.n; i++) {
        const struct etm_cli_subject *s = &x->subjects.rows[i];
        const struct more *m = &x->more[i];
        bool known = s->complete != 0;

        if (!s->exception)
            continue;
        etm_cli_print(r->output,
                      "{\"k\":\"exception\",\"src\":%u,\"name\":\"%s\"",
                      r->info->id, s->name);
        etm_cli_json_number(r->output, "entries", true, m->entries);
        etm_cli_json_number(r->output, "complete", true, s->complete);
        etm_cli_json_number(r->output, "least", known, s->least);
        etm_cli_json_number(r->output, "sum", known, s->whole);
        etm_cli_json_number(r->output, "most", known, s->most);
        known = m->intervals != 0;
        etm_cli_json_number(r->output, "intervals", true, m->intervals);
        etm_cli_json_number(r->output, "least_interval", known, m->least);
        etm_cli_json_number(r->output, "sum_intervals", known, m->whole);
        etm_cli_json_number(r->output, "most_interval", known, m->most);
        etm_cli_json_number(r->output, "nesting", true, m->nesting);
        etm_cli_print(r->output, ",\"unit\":\"%s\"", etm_cli_unit_name(r));
        put_lists(r, i);
    }
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
    return ETM_OK;
}

static int begin_source(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;

    free(x->more);
    x->more = NULL;
    x->n_more = 0;
    memset(x->nested, 0, sizeof x->nested);
    return ETM_OK;
}

static void free_exceptions(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;

    free(x->more);
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
}

const struct etm_cli_view etm_cli_exceptions_text = {
    .command = ETM_CLI_EXCEPTIONS,
    .format = "text",
    .state_size = sizeof(struct exceptions),
    .source = begin_source,
    .calls = take_calls,
    .end_source = end_text,
    .free = free_exceptions,
};

const struct etm_cli_view etm_cli_exceptions_jsonl = {
    .command = ETM_CLI_EXCEPTIONS,
    .format = "jsonl",
    .state_size = sizeof(struct exceptions),
    .source = begin_source,
    .calls = take_calls,
    .end_source = end_jsonl,
    .free = free_exceptions,
};
