/* SPDX-License-Identifier: Apache-2.0 */
/* etm profile, as text and JSON Lines: what functions, exceptions, tasks and
 * sources cost. */
#include "cli/edges.h"
#include "cli/json.h"
#include "cli/subjects.h"

#include <inttypes.h>
#include <string.h>

struct task {
    uint64_t turns;
    struct etm_call_cost cost;
    struct etm_call_task known;
    bool used;
};

struct profile {
    struct etm_cli_subjects subjects;
    struct etm_cli_edges edges; /* --callers, --callees */
    struct task tasks[ETM_CALL_TASKS];
    uint32_t task;              /* that runs, */
    struct etm_call_cost since; /* from here on */
};

static bool by(const struct etm_cli_replay *r, const char *what)
{
    return strcmp(r->options->view.by ? r->options->view.by : "function",
                  what) == 0;
}

/* The task that runs has run up to here. */
static void end_turn(struct etm_cli_replay *r, struct etm_call_cost at)
{
    struct profile *p = r->state;
    struct task *t = &p->tasks[p->task];
    const struct etm_call_task *known = etm_calls_task(r->calls, p->task);

    if (known)
        t->known = *known;
    t->used = true;
    t->turns++;
    t->cost.instructions += at.instructions - p->since.instructions;
    t->cost.cycles += at.cycles - p->since.cycles;
    p->since = at;
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct profile *p = r->state;
    bool edges = r->options->view.callers || r->options->view.callees;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (calls[i].kind == ETM_CALL_SWITCH) {
            end_turn(r, calls[i].at);
            p->task = calls[i].task;
            continue;
        }
        status = etm_cli_subjects_count(&p->subjects, r, &calls[i]);
        if (status == ETM_OK && edges)
            status = etm_cli_edges_count(&p->edges, &p->subjects, r, &calls[i]);
    }
    return status;
}

static int begin_source(struct etm_cli_replay *r)
{
    struct profile *p = r->state;

    memset(p->tasks, 0, sizeof p->tasks);
    p->task = 0;
    p->since = (struct etm_call_cost){0};
    return ETM_OK;
}

/* "12.34 %" of what was executed in all. */
static double share(const struct etm_cli_replay *r, struct etm_call_cost cost)
{
    struct etm_call_cost all = etm_calls_cost(r->calls);
    uint64_t whole = etm_cli_in_unit(r, all);

    if (r->cycles)
        whole -= etm_calls_gap_cycles(r->calls);
    return whole != 0 ? 100.0 * (double)etm_cli_in_unit(r, cost) / (double)whole
                      : 0.0;
}

static void put_cost(struct etm_cli_replay *r, struct etm_call_cost cost)
{
    etm_cli_print(r->output, "%14" PRIu64, cost.instructions);
    if (r->cycles)
        etm_cli_print(r->output, "%14" PRIu64, cost.cycles);
}

static void put_name(struct etm_cli_replay *r, const char *name)
{
    etm_cli_put(r->output, "  ", 2);
    etm_cli_put_name(r->output, name);
    etm_cli_put(r->output, "\n", 1);
}

static void put_row(struct etm_cli_replay *r, const struct etm_cli_subject *s)
{
    etm_cli_print(r->output, "%7.2f%%%7.2f%%", share(r, s->self),
                  share(r, s->total));
    put_cost(r, s->self);
    put_cost(r, s->total);
    etm_cli_print(r->output, "%10" PRIu64, s->calls);
    if (s->complete != 0)
        etm_cli_print(r->output, "%10" PRIu64 "%12.1f%10" PRIu64, s->least,
                      (double)s->whole / (double)s->complete, s->most);
    else
        etm_cli_print(r->output, "%10s%12s%10s", "-", "-", "-");
    put_name(r, s->name);
}

static void put_title(struct etm_cli_replay *r)
{
    char title[256];

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n", title);
}

static void put_head(struct etm_cli_replay *r, const char *calls,
                     const char *what)
{
    etm_cli_print(r->output, "%8s%8s%14s", "self", "total", "self insns");
    if (r->cycles)
        etm_cli_print(r->output, "%14s", "self cycles");
    etm_cli_print(r->output, "%14s", "total insns");
    if (r->cycles)
        etm_cli_print(r->output, "%14s", "total cycles");
    etm_cli_print(r->output, "%10s%10s%12s%10s  %s\n", calls, "least", "mean",
                  "most", what);
}

/* The callers or callees of a row, below it. */
static void put_edges(struct etm_cli_replay *r, const struct etm_cli_subject *s,
                      bool callers)
{
    struct profile *p = r->state;
    const struct etm_cli_edge *e;

    for (size_t i = 0; (e = etm_cli_edges_at(&p->edges, i)) != NULL; i++) {
        const char *other = callers ? e->caller : e->callee;

        if (strcmp(callers ? e->callee : e->caller, s->name) != 0)
            continue;
        etm_cli_print(r->output, "%16.2f%%%14s", share(r, e->total), "");
        if (r->cycles)
            etm_cli_print(r->output, "%14s", "");
        put_cost(r, e->total);
        etm_cli_print(r->output, "%9" PRIu64 "%34s%s", e->calls, "",
                      callers ? "<-" : "->");
        put_name(r, other);
    }
}

static void put_totals(struct etm_cli_replay *r)
{
    struct etm_call_cost all = etm_calls_cost(r->calls);
    uint64_t gaps = etm_calls_gap_cycles(r->calls);

    etm_cli_print(r->output, "%" PRIu64 " instruction%s", all.instructions,
                  etm_cli_plural(all.instructions));
    if (r->cycles)
        etm_cli_print(r->output, ", %" PRIu64 " cycle%s", all.cycles,
                      etm_cli_plural(all.cycles));
    if (gaps != 0)
        etm_cli_print(r->output, ", of which %" PRIu64 " passed in gaps", gaps);
    etm_cli_print(r->output, "; least, mean, most: %s of a call\n\n",
                  etm_cli_unit_name(r));
}

static void put_tasks(struct etm_cli_replay *r)
{
    struct profile *p = r->state;

    etm_cli_print(r->output, "%8s%14s", "share", "insns");
    if (r->cycles)
        etm_cli_print(r->output, "%14s", "cycles");
    etm_cli_print(r->output, "%10s  %s\n", "turns", "task");
    for (uint32_t i = 0; i < ETM_CALL_TASKS; i++) {
        const struct task *t = &p->tasks[i];
        struct etm_cli_task_name name;

        if (!t->used)
            continue;
        etm_cli_print(r->output, "%7.2f%%", share(r, t->cost));
        put_cost(r, t->cost);
        etm_cli_print(r->output, "%10" PRIu64, t->turns);
        put_name(r, etm_cli_task_name(r, &t->known, i, &name));
    }
}

static int end_text(struct etm_cli_replay *r)
{
    struct profile *p = r->state;
    const struct etm_cli_view_options *o = &r->options->view;
    bool exceptions = by(r, "exception");

    end_turn(r, etm_calls_cost(r->calls));
    put_title(r);
    if (by(r, "task"))
        put_tasks(r);
    if (by(r, "function") || exceptions) {
        etm_cli_edges_order(&p->edges, &p->subjects, r->cycles);
        etm_cli_subjects_order(&p->subjects, r->cycles);
        put_head(r, exceptions ? "entries" : "calls",
                 exceptions ? "exception" : "function");
        for (size_t i = 0; i < p->subjects.n; i++) {
            const struct etm_cli_subject *s = &p->subjects.rows[i];

            if (s->exception != exceptions)
                continue;
            if (o->callers)
                put_edges(r, s, true);
            put_row(r, s);
            if (o->callees)
                put_edges(r, s, false);
        }
    }
    put_totals(r);
    etm_cli_edges_free(&p->edges);
    etm_cli_subjects_free(&p->subjects);
    return ETM_OK;
}

static void begin_object(struct etm_cli_replay *r, const char *kind)
{
    etm_cli_print(r->output, "{\"k\":\"%s\",\"src\":%u", kind, r->info->id);
}

void etm_cli_subject_json(struct etm_cli_replay *r,
                          const struct etm_cli_subject *s)
{
    bool any = s->complete != 0;

    begin_object(r, s->exception ? "exception" : "function");
    etm_cli_json_text(r->output, "name", s->name);
    if (s->exception)
        etm_cli_print(r->output, ",\"addr\":null");
    else
        etm_cli_print(r->output, ",\"addr\":\"0x%08x\"", s->address);
    etm_cli_print(r->output, ",\"inlined\":%s", s->inlined ? "true" : "false");
    etm_cli_json_number(r->output, "self", true, s->self.instructions);
    etm_cli_json_number(r->output, "total", true, s->total.instructions);
    etm_cli_json_number(r->output, "self_cycles", r->cycles, s->self.cycles);
    etm_cli_json_number(r->output, "total_cycles", r->cycles, s->total.cycles);
    etm_cli_json_number(r->output, "calls", true, s->calls);
    etm_cli_json_number(r->output, "complete", true, s->complete);
    etm_cli_json_number(r->output, "least", any, s->least);
    etm_cli_json_number(r->output, "sum", any, s->whole);
    etm_cli_json_number(r->output, "most", any, s->most);
    etm_cli_json_text(r->output, "unit", etm_cli_unit_name(r));
    etm_cli_put(r->output, "}", 1);
}

void etm_cli_edge_json(struct etm_cli_replay *r, const struct etm_cli_edge *e)
{
    begin_object(r, "edge");
    etm_cli_json_text(r->output, "caller", e->caller);
    etm_cli_json_text(r->output, "callee", e->callee);
    etm_cli_json_number(r->output, "total", true, e->total.instructions);
    etm_cli_json_number(r->output, "total_cycles", r->cycles, e->total.cycles);
    etm_cli_json_number(r->output, "calls", true, e->calls);
    etm_cli_put(r->output, "}", 1);
}

static void put_jsonl_tasks(struct etm_cli_replay *r)
{
    struct profile *p = r->state;

    for (uint32_t i = 0; i < ETM_CALL_TASKS; i++) {
        const struct task *t = &p->tasks[i];

        if (!t->used)
            continue;
        begin_object(r, "task");
        etm_cli_json_number(r->output, "task", true, i);
        etm_cli_json_number(r->output, "context_id", t->known.context_id_known,
                            t->known.context_id);
        etm_cli_json_number(r->output, "value", t->known.value_known,
                            t->known.value);
        etm_cli_json_number(r->output, "self", true, t->cost.instructions);
        etm_cli_json_number(r->output, "self_cycles", r->cycles,
                            t->cost.cycles);
        etm_cli_json_number(r->output, "turns", true, t->turns);
        etm_cli_put(r->output, "}\n", 2);
    }
}

static int end_jsonl(struct etm_cli_replay *r)
{
    struct profile *p = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);
    const struct etm_cli_edge *e;
    bool exceptions = by(r, "exception");

    end_turn(r, all);
    if (by(r, "task"))
        put_jsonl_tasks(r);
    etm_cli_edges_order(&p->edges, &p->subjects, r->cycles);
    etm_cli_subjects_order(&p->subjects, r->cycles);
    for (size_t i = 0; i < p->subjects.n; i++)
        if (exceptions ? p->subjects.rows[i].exception
                       : by(r, "function") && !p->subjects.rows[i].exception) {
            etm_cli_subject_json(r, &p->subjects.rows[i]);
            etm_cli_put(r->output, "\n", 1);
        }
    for (size_t i = 0; (e = etm_cli_edges_at(&p->edges, i)) != NULL; i++) {
        etm_cli_edge_json(r, e);
        etm_cli_put(r->output, "\n", 1);
    }
    begin_object(r, "total");
    etm_cli_json_number(r->output, "instructions", true, all.instructions);
    etm_cli_json_number(r->output, "cycles", r->cycles, all.cycles);
    etm_cli_json_number(r->output, "gap_cycles", r->cycles,
                        etm_calls_gap_cycles(r->calls));
    etm_cli_put(r->output, "}\n", 2);
    etm_cli_edges_free(&p->edges);
    etm_cli_subjects_free(&p->subjects);
    return ETM_OK;
}

static void free_profile(struct etm_cli_replay *r)
{
    struct profile *p = r->state;

    etm_cli_edges_free(&p->edges);
    etm_cli_subjects_free(&p->subjects);
}

const struct etm_cli_view etm_cli_profile_text = {
    .command = ETM_CLI_PROFILE,
    .format = "text",
    .state_size = sizeof(struct profile),
    .source = begin_source,
    .calls = take_calls,
    .end_source = end_text,
    .free = free_profile,
    .times = ETM_CLI_FOR_DURATIONS,
};

const struct etm_cli_view etm_cli_profile_jsonl = {
    .command = ETM_CLI_PROFILE,
    .format = "jsonl",
    .state_size = sizeof(struct profile),
    .source = begin_source,
    .calls = take_calls,
    .end_source = end_jsonl,
    .free = free_profile,
    .times = ETM_CLI_FOR_DURATIONS,
};
