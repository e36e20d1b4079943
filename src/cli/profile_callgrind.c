/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm profile --format callgrind, for KCachegrind and callgrind_annotate: what
 * each function cost itself, and what its calls cost (the Callgrind format
 * specification in Valgrind's manual).
 */
#include "cli/edges.h"

#include <inttypes.h>
#include <string.h>

struct callgrind {
    struct etm_cli_subjects subjects;
    struct etm_cli_edges edges;
    bool cycles; /* all sources have some */
    struct etm_call_cost whole;
};

static void begin(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;
    size_t n = etm_session_sources(r->session);

    c->cycles = n != 0;
    for (size_t i = 0; i < n; i++) {
        const struct etm_source_info *info = etm_session_source(r->session, i);

        if (!info->why_not &&
            (!info->config.cycle_accurate || info->config.data_only))
            c->cycles = false;
    }
    etm_cli_print(r->output,
                  "# callgrind format\nversion: 1\ncreator: etm\n"
                  "positions: line\nevents: Instructions%s\n",
                  c->cycles ? " Cycles" : "");
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct callgrind *c = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (calls[i].kind == ETM_CALL_SWITCH)
            continue;
        status = etm_cli_subjects_count(&c->subjects, r, &calls[i]);
        if (status == ETM_OK)
            status = etm_cli_edges_count(&c->edges, &c->subjects, r, &calls[i]);
    }
    return status;
}

static void put_cost(struct etm_cli_replay *r, uint32_t line,
                     struct etm_call_cost cost)
{
    struct callgrind *c = r->state;

    etm_cli_print(r->output, "%u %" PRIu64, (unsigned)line, cost.instructions);
    if (c->cycles)
        etm_cli_print(r->output, " %" PRIu64, cost.cycles);
    etm_cli_put(r->output, "\n", 1);
}

static void put_text(struct etm_cli_replay *r, const char *key,
                     const char *text)
{
    etm_cli_print(r->output, "%s=", key);
    etm_cli_put_plain(r->output, text, strlen(text));
    etm_cli_put(r->output, "\n", 1);
}

/* Where it begins; line 0 without debug information. */
static struct etm_source_line line_of(struct etm_cli_replay *r,
                                      const struct etm_cli_subject *s)
{
    struct etm_source_line line;

    if (s->exception || !r->names.line(r->names.context, s->address, &line))
        line = (struct etm_source_line){.file = "???"};
    return line;
}

static void put_function(struct etm_cli_replay *r, uint32_t row)
{
    struct callgrind *c = r->state;
    const struct etm_cli_subject *s = &c->subjects.rows[row];
    struct etm_source_line line = line_of(r, s);
    const struct etm_cli_edge *e;

    put_text(r, "fl", line.file);
    put_text(r, "fn", s->name);
    put_cost(r, line.line, s->self);
    for (size_t i = 0; (e = etm_cli_edges_at(&c->edges, i)) != NULL; i++) {
        struct etm_source_line to;

        if (e->from != row)
            continue;
        to = line_of(r, &c->subjects.rows[e->to]);
        put_text(r, "cfi", to.file);
        put_text(r, "cfn", c->subjects.rows[e->to].name);
        etm_cli_print(r->output, "calls=%" PRIu64 " %u\n", e->calls,
                      (unsigned)to.line);
        put_cost(r, line.line, e->total);
    }
    etm_cli_put(r->output, "\n", 1);
}

static int end_source(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);

    c->whole.instructions += all.instructions;
    c->whole.cycles += all.cycles - etm_calls_gap_cycles(r->calls);
    put_text(r, "\nob", r->info->name);
    for (size_t i = 0; i < c->subjects.n; i++)
        put_function(r, (uint32_t)i);
    etm_cli_edges_free(&c->edges);
    etm_cli_subjects_free(&c->subjects);
    return ETM_OK;
}

static int end(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;

    etm_cli_print(r->output, "totals: %" PRIu64, c->whole.instructions);
    if (c->cycles)
        etm_cli_print(r->output, " %" PRIu64, c->whole.cycles);
    etm_cli_put(r->output, "\n", 1);
    return ETM_OK;
}

static void free_callgrind(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;

    etm_cli_edges_free(&c->edges);
    etm_cli_subjects_free(&c->subjects);
}

const struct etm_cli_view etm_cli_profile_callgrind = {
    .command = ETM_CLI_PROFILE,
    .format = "callgrind",
    .state_size = sizeof(struct callgrind),
    .begin = begin,
    .calls = take_calls,
    .end_source = end_source,
    .end = end,
    .free = free_callgrind,
};
