/* SPDX-License-Identifier: Apache-2.0 */
/* etm exceptions: how often, how long, how regular, and what they interrupt. */
#include "cli/edges.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 64u /* durations of 2^(i-1) up to 2^i - 1 */
#define BAR 40u     /* characters of the longest bar */

struct spread {
    uint64_t n, least, most, whole;
};

/* Beside what etm_cli_subject has. */
struct more {
    uint64_t entries;
    uint64_t chained;          /* ... where another exception had just ended */
    uint64_t last;             /* entry */
    struct spread intervals;   /* between entries, without a gap of unknown
                                  length */
    struct spread starts;      /* cycles from an entry to the end of the first
                                  instruction of the handler */
    uint32_t gaps, timed_gaps; /* before the last entry */
    uint64_t timed;            /* entries that have a time; */
    struct etm_clock_time first, when; /* those of the first and the last */
    unsigned nesting; /* the most exceptions that it interrupted at a time */
    uint64_t durations[BUCKETS];
};

struct exceptions {
    struct etm_cli_subjects subjects;
    struct etm_cli_edges edges;
    struct more *more; /* by the number of the subject */
    size_t n_more;
    unsigned nested[ETM_CALL_TASKS]; /* exceptions on the stack of each task */
    bool ended;                      /* an exception did, */
    uint64_t ended_at;               /* before this instruction, */
    uint32_t ended_gaps;             /* and after so many gaps */
    size_t starting; /* subject + 1, of which no instruction has come; or 0 */
    uint32_t starting_gaps;
};

static void widen(struct spread *s, uint64_t value)
{
    s->least = s->n == 0 || value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    s->whole += value;
    s->n++;
}

static struct more *more_of(struct exceptions *x, size_t subject)
{
    if (subject >= x->n_more) {
        size_t n = 2 * subject + 16;
        struct more *more = realloc(x->more, n * sizeof *more);

        if (!more)
            return NULL;
        memset(more + x->n_more, 0, (n - x->n_more) * sizeof *more);
        x->more = more;
        x->n_more = n;
    }
    return &x->more[subject];
}

/* Is it known how long it is since the last entry? */
static bool is_interval(const struct etm_cli_replay *r,
                        const struct etm_call *c, const struct more *m)
{
    uint32_t gaps = c->gaps - m->gaps;
    uint32_t timed = r->cycles ? c->timed_gaps - m->timed_gaps : 0;

    if (r->unit == ETM_TIME_TICKS)
        return r->when.time.sure && m->when.sure &&
               r->when.time.ticks >= m->when.ticks;
    return gaps <= timed;
}

static void count_entry(struct etm_cli_replay *r, const struct etm_call *c,
                        struct more *m)
{
    struct exceptions *x = r->state;
    uint64_t now = r->unit == ETM_TIME_TICKS ? r->when.time.ticks
                                             : etm_cli_in_unit(r, c->at);

    if (m->entries++ != 0 && is_interval(r, c, m))
        widen(&m->intervals, now - m->last);
    m->chained += x->ended && x->ended_at == c->at.instructions &&
                  x->ended_gaps == c->gaps;
    x->starting_gaps = c->gaps;
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
    uint64_t duration = etm_cli_duration(r, c);
    unsigned bucket = 0;

    x->nested[c->task]--;
    /* one that never ran gives way to a later one (late arrival) */
    x->ended = (c->flags & ETM_CALL_CUT) == 0 && c->total.instructions != 0;
    x->ended_at = c->at.instructions;
    x->ended_gaps = c->gaps;
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
    if (c->gaps != x->starting_gaps)
        x->starting = 0; /* the beginning of its handler is not in the trace */
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
    x->starting = c->kind == ETM_CALL_ENTER ? subject + 1 : 0;
    return ETM_OK;
}

/* The first instruction of a handler has all cycles since the exception was
 * taken; in PFT, the last one of a range has those of all. */
static int take_insn(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct exceptions *x = r->state;

    if (x->starting != 0 && r->cycles &&
        r->info->config.protocol != ETM_PROTOCOL_PFT &&
        e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
        widen(&x->more[x->starting - 1].starts, e->u.insn.cycles);
    x->starting = 0;
    return ETM_OK;
}

/* What is measured in ticks is counted when the time is known. */
static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH && r->unit != ETM_TIME_TICKS)
            status = take_call(r, &calls[i]);
    return status;
}

static int take_timed(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct exceptions *x = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_call *c = &calls[i];
        struct more *m;
        size_t subject;

        if (c->kind != ETM_CALL_SWITCH && r->unit == ETM_TIME_TICKS)
            status = take_call(r, c);
        if (status != ETM_OK || c->kind != ETM_CALL_ENTER ||
            (c->flags & ETM_CALL_EXCEPTION) == 0)
            continue;
        subject = etm_cli_subject_of(&x->subjects, r, c);
        m = subject != SIZE_MAX ? more_of(x, subject) : NULL;
        if (!m)
            return ETM_ERR_MEMORY;
        if (m->timed++ == 0)
            m->first = r->when.time;
        m->when = r->when.time;
    }
    return status;
}

/* "  duration        12        14.5        23", without the end of the line. */
static void put_spread(struct etm_cli_replay *r, const char *what,
                       const struct spread *s)
{
    etm_cli_print(r->output, "  %-16s", what);
    if (s->n != 0)
        etm_cli_print(r->output, "%10" PRIu64 "%12.1f%10" PRIu64, s->least,
                      (double)s->whole / (double)s->n, s->most);
    else
        etm_cli_print(r->output, "%10s%12s%10s", "-", "-", "-");
}

static void put_durations(struct etm_cli_replay *r, const struct more *m)
{
    static const char bar[BAR + 1] = "########################################";
    uint64_t most = 1;

    for (unsigned i = 0; i < BUCKETS; i++)
        most = m->durations[i] > most ? m->durations[i] : most;
    for (unsigned i = 0; i < BUCKETS; i++) {
        uint64_t n = m->durations[i],
                 from = i == 0 ? 0 : UINT64_C(1) << (i - 1);
        double length = (double)n * BAR / (double)most;

        if (n != 0)
            etm_cli_print(r->output,
                          "  %10" PRIu64 " to %-10" PRIu64 "%10" PRIu64
                          "  %.*s\n",
                          from, i == 0 ? 0 : 2 * from - 1, n,
                          length < 1 ? 1 : (int)length, bar);
    }
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
                      "  interrupted %10" PRIu64 " time%s: ", e->calls,
                      etm_cli_plural(e->calls));
        etm_cli_put_plain(r->output, e->caller, strlen(e->caller));
        etm_cli_put(r->output, "\n", 1);
    }
}

static void put_text(struct etm_cli_replay *r, size_t subject)
{
    struct exceptions *x = r->state;
    const struct etm_cli_subject *s = &x->subjects.rows[subject];
    const struct more *m = &x->more[subject];
    const struct spread durations = {s->complete, s->least, s->most, s->whole};

    etm_cli_put_plain(r->output, s->name, strlen(s->name));
    etm_cli_print(r->output,
                  ": %" PRIu64 " entr%s, on top of %u other%s at most\n",
                  m->entries, m->entries == 1 ? "y" : "ies", m->nesting,
                  etm_cli_plural(m->nesting));
    put_spread(r, "duration", &durations);
    etm_cli_put(r->output, "\n", 1);
    put_spread(r, "between entries", &m->intervals);
    if (m->intervals.n != 0)
        etm_cli_print(r->output, "  jitter %" PRIu64,
                      m->intervals.most - m->intervals.least);
    etm_cli_put(r->output, "\n", 1);
    if (m->starts.n != 0) {
        put_spread(r, "start of handler", &m->starts);
        etm_cli_put(r->output, "\n", 1);
    }
    if (m->chained != 0)
        etm_cli_print(r->output,
                      "  %" PRIu64 " time%s pending when another one ended\n",
                      m->chained, etm_cli_plural(m->chained));
    put_durations(r, m);
    put_interrupted(r, subject);
}

/* What the numbers above mean, and what cannot be known. */
static void put_limits(struct etm_cli_replay *r)
{
    bool pft = r->info->config.protocol == ETM_PROTOCOL_PFT;

    if (etm_cli_is_itm(r))
        etm_cli_put_sentence(
            r->output,
            "A DWT tells when exceptions are entered and left. When one became "
            "pending, and so its latency, cannot be known; without local "
            "timestamps, no time at all.");
    else
        etm_cli_put_sentence(
            r->output,
            !r->cycles
                ? "This trace has no cycles: times are instructions, and "
                  "latencies cannot be known."
            : pft ? "When an exception became pending is not in the trace, and "
                    "PFT counts the cycles of several instructions at a time: "
                    "latencies cannot be known."
                  : "When an exception became pending is not in the trace: of "
                    "its latency, only the cycles from when it was taken to "
                    "the end of the first instruction of the handler are known "
                    "(start of handler).");
    etm_cli_put(r->output, "\n", 1);
}

static int end_text(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;
    char title[256];
    bool any = false;
    int status = ETM_OK;

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n", title);
    etm_cli_edges_order(&x->edges, &x->subjects, r->cycles);
    for (size_t i = 0; i < x->subjects.n; i++) {
        if (!x->subjects.rows[i].exception)
            continue;
        if (!any)
            etm_cli_print(r->output, "%-18s%10s%12s%10s  (%s)\n", "", "least",
                          "mean", "most", etm_cli_unit_name(r));
        if (status == ETM_OK)
            status = etm_cli_line_at(r, &x->more[i].first);
        put_text(r, i);
        any = true;
    }
    if (status == ETM_OK)
        status = etm_cli_line_at(r, NULL);
    if (any)
        put_limits(r);
    else
        etm_cli_print(r->output, "no exception\n\n");
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
    return status;
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
    int status = ETM_OK;

    etm_cli_edges_order(&x->edges, &x->subjects, r->cycles);
    for (size_t i = 0; i < x->subjects.n; i++) {
        const struct etm_cli_subject *s = &x->subjects.rows[i];
        const struct more *m = &x->more[i];
        bool known = s->complete != 0;

        if (!s->exception)
            continue;
        if (status == ETM_OK)
            status = etm_cli_line_at(r, &m->first);
        etm_cli_print(r->output,
                      "{\"k\":\"exception\",\"src\":%u,\"name\":\"%s\"",
                      r->info->id, s->name);
        etm_cli_json_number(r->output, "entries", true, m->entries);
        etm_cli_json_number(r->output, "complete", true, s->complete);
        etm_cli_json_number(r->output, "least", known, s->least);
        etm_cli_json_number(r->output, "sum", known, s->whole);
        etm_cli_json_number(r->output, "most", known, s->most);
        known = m->intervals.n != 0;
        etm_cli_json_number(r->output, "intervals", true, m->intervals.n);
        etm_cli_json_number(r->output, "least_interval", known,
                            m->intervals.least);
        etm_cli_json_number(r->output, "sum_intervals", known,
                            m->intervals.whole);
        etm_cli_json_number(r->output, "most_interval", known,
                            m->intervals.most);
        etm_cli_json_time(r->output, "first", &m->first);
        etm_cli_json_time(r->output, "last", &m->when);
        known = m->starts.n != 0;
        etm_cli_json_number(r->output, "starts", true, m->starts.n);
        etm_cli_json_number(r->output, "least_start", known, m->starts.least);
        etm_cli_json_number(r->output, "sum_starts", known, m->starts.whole);
        etm_cli_json_number(r->output, "most_start", known, m->starts.most);
        etm_cli_json_number(r->output, "chained", true, m->chained);
        etm_cli_json_number(r->output, "nesting", true, m->nesting);
        etm_cli_print(r->output, ",\"unit\":\"%s\"", etm_cli_unit_name(r));
        put_lists(r, i);
    }
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
    return status;
}

static int begin_source(struct etm_cli_replay *r)
{
    struct exceptions *x = r->state;

    free(x->more);
    x->more = NULL;
    x->n_more = 0;
    x->ended = false;
    x->starting = 0;
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
    .insn = take_insn,
    .insn_for_cycles = true,
    .end_source = end_text,
    .free = free_exceptions,
    .times = ETM_CLI_ALL_TIMES,
    .timed = take_timed,
};

const struct etm_cli_view etm_cli_exceptions_jsonl = {
    .command = ETM_CLI_EXCEPTIONS,
    .format = "jsonl",
    .state_size = sizeof(struct exceptions),
    .source = begin_source,
    .calls = take_calls,
    .insn = take_insn,
    .insn_for_cycles = true,
    .end_source = end_jsonl,
    .free = free_exceptions,
    .times = ETM_CLI_ALL_TIMES,
    .timed = take_timed,
};
