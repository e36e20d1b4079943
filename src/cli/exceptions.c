/* SPDX-License-Identifier: Apache-2.0 */
/* etm exceptions: how often, how long, how regular, and what they interrupt. */
#include "cli/exceptions.h"
#include "cli/json.h"

#include <inttypes.h>
#include <string.h>

#define BAR 40u /* characters of the longest bar */

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;

    return etm_cli_exceptions_calls(r->state, r, calls, n);
}

static int take_timed(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;

    return etm_cli_exceptions_timed(r->state, r, calls, n);
}

static int take_insn(struct etm_cli_replay *r, const struct etm_element *e)
{
    etm_cli_exceptions_insn(r->state, r, e);
    return ETM_OK;
}

/* "  duration        12        14.5        23", without the end of the line. */
static void put_spread(struct etm_cli_replay *r, const char *what,
                       const struct etm_cli_spread *s)
{
    etm_cli_print(r->output, "  %-16s", what);
    if (s->n != 0)
        etm_cli_print(r->output, "%10" PRIu64 "%12.1f%10" PRIu64, s->least,
                      (double)s->whole / (double)s->n, s->most);
    else
        etm_cli_print(r->output, "%10s%12s%10s", "-", "-", "-");
}

static void put_durations(struct etm_cli_replay *r,
                          const struct etm_cli_exception *m)
{
    static const char bar[BAR + 1] = "########################################";
    uint64_t most = 1;

    for (unsigned i = 0; i < ETM_CLI_BUCKETS; i++)
        most = m->durations[i] > most ? m->durations[i] : most;
    for (unsigned i = 0; i < ETM_CLI_BUCKETS; i++) {
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
    struct etm_cli_exceptions *x = r->state;
    const struct etm_cli_edge *e;

    for (size_t i = 0; (e = etm_cli_edges_at(&x->edges, i)) != NULL; i++) {
        if (e->to != subject)
            continue;
        etm_cli_print(r->output,
                      "  interrupted %10" PRIu64 " time%s: ", e->calls,
                      etm_cli_plural(e->calls));
        etm_cli_put_name(r->output, e->caller);
        etm_cli_put(r->output, "\n", 1);
    }
}

static void put_text(struct etm_cli_replay *r, size_t subject)
{
    struct etm_cli_exceptions *x = r->state;
    const struct etm_cli_subject *s = &x->subjects.rows[subject];
    const struct etm_cli_exception *m = &x->more[subject];
    const struct etm_cli_spread durations = {s->complete, s->least, s->most,
                                             s->whole};

    etm_cli_put_name(r->output, s->name);
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
    struct etm_cli_exceptions *x = r->state;
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
    etm_cli_exceptions_free(x);
    return status;
}

static void put_lists(struct etm_cli_replay *r,
                      const struct etm_cli_exceptions *x, size_t subject)
{
    const struct etm_cli_exception *m = &x->more[subject];
    const struct etm_cli_edge *e;
    const char *between = "";
    char json[ETM_CLI_JSON];
    unsigned last = ETM_CLI_BUCKETS;

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
                      etm_cli_json_name(e->caller, json), e->calls);
        between = ",";
    }
    etm_cli_print(r->output, "]}");
}

void etm_cli_exception_json(struct etm_cli_replay *r,
                            const struct etm_cli_exceptions *x, size_t i)
{
    const struct etm_cli_subject *s = &x->subjects.rows[i];
    const struct etm_cli_exception *m = &x->more[i];
    bool known = s->complete != 0;

    etm_cli_print(r->output, "{\"k\":\"exception\",\"src\":%u,\"name\":\"%s\"",
                  r->info->id, s->name);
    etm_cli_json_number(r->output, "entries", true, m->entries);
    etm_cli_json_number(r->output, "complete", true, s->complete);
    etm_cli_json_number(r->output, "least", known, s->least);
    etm_cli_json_number(r->output, "sum", known, s->whole);
    etm_cli_json_number(r->output, "most", known, s->most);
    known = m->intervals.n != 0;
    etm_cli_json_number(r->output, "intervals", true, m->intervals.n);
    etm_cli_json_number(r->output, "least_interval", known, m->intervals.least);
    etm_cli_json_number(r->output, "sum_intervals", known, m->intervals.whole);
    etm_cli_json_number(r->output, "most_interval", known, m->intervals.most);
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
    put_lists(r, x, i);
}

static int end_jsonl(struct etm_cli_replay *r)
{
    struct etm_cli_exceptions *x = r->state;
    int status = ETM_OK;

    etm_cli_edges_order(&x->edges, &x->subjects, r->cycles);
    for (size_t i = 0; i < x->subjects.n; i++) {
        if (!x->subjects.rows[i].exception)
            continue;
        if (status == ETM_OK)
            status = etm_cli_line_at(r, &x->more[i].first);
        etm_cli_exception_json(r, x, i);
        etm_cli_put(r->output, "\n", 1);
    }
    etm_cli_exceptions_free(x);
    return status;
}

static void free_exceptions(struct etm_cli_replay *r)
{
    etm_cli_exceptions_free(r->state);
}

const struct etm_cli_view etm_cli_exceptions_text = {
    .command = ETM_CLI_EXCEPTIONS,
    .format = "text",
    .state_size = sizeof(struct etm_cli_exceptions),
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
    .state_size = sizeof(struct etm_cli_exceptions),
    .calls = take_calls,
    .insn = take_insn,
    .insn_for_cycles = true,
    .end_source = end_jsonl,
    .free = free_exceptions,
    .times = ETM_CLI_ALL_TIMES,
    .timed = take_timed,
};
