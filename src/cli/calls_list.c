/* SPDX-License-Identifier: Apache-2.0 */
/* etm calls: functions and exceptions in the order of time, indented. */
#include "cli/brief.h"
#include "cli/calls_tree.h"
#include "cli/json.h"
#include "cli/within.h"

#include <inttypes.h>
#include <string.h>

struct listing {
    struct etm_call held;     /* an ENTER that may be a line of its own, */
    struct etm_cli_when when; /* and its time */
    bool holds;
    struct etm_cli_within within;
    struct etm_cli_brief brief;
    struct etm_cli_tree tree; /* --summary */
};

static void put_flags(struct etm_cli_replay *r, unsigned flags)
{
    unsigned shown = flags & ~(unsigned)(ETM_CALL_EXCEPTION | ETM_CALL_INLINED |
                                         ETM_CALL_RECURSIVE);

    for (unsigned bit = 0; shown >> bit != 0; bit++)
        if ((shown >> bit & 1) != 0)
            etm_cli_print(r->output, "  %s",
                          etm_call_flag_name((enum etm_call_flag)(1u << bit)));
}

/* A line of that time begins; with --merge it has the time already. */
static int begin_line(struct etm_cli_replay *r, const struct etm_call *c,
                      const struct etm_cli_when *when)
{
    uint64_t time;

    if (r->merged)
        return etm_cli_line_at(r, &when->time);
    if (etm_cli_time(r, c, &when->time, &time))
        etm_cli_print(r->output, "%14" PRIu64, time);
    else
        etm_cli_print(r->output, "%14s", "-");
    return ETM_OK;
}

/* "      1234        12  |  " and the name behind it. `left`: the current call,
 * or NULL. */
static int put_line(struct etm_cli_replay *r, const struct etm_call *c,
                    const struct etm_cli_when *when,
                    const struct etm_call *left, const char *end)
{
    char text[ETM_CLI_CALL_NAME];
    const char *name = etm_cli_call_name(r, c, text);
    int status = begin_line(r, c, when);

    if (left && etm_cli_is_complete(r, left))
        etm_cli_print(r->output, "%12" PRIu64, etm_cli_duration(r, left));
    else
        etm_cli_print(r->output, "%12s", left ? "-" : "");
    etm_cli_print(r->output, "  %3u  %*s", (unsigned)c->task,
                  (int)(2 * c->depth), "");
    if (c->kind == ETM_CALL_LEAVE)
        etm_cli_put(r->output, "} ", 2);
    etm_cli_put_name(r->output, name);
    etm_cli_put(r->output, end, strlen(end));
    put_flags(r, left ? (unsigned)left->flags : (unsigned)c->flags);
    etm_cli_put(r->output, "\n", 1);
    return status;
}

static int put_held(struct etm_cli_replay *r)
{
    struct listing *l = r->state;
    bool holds = l->holds;

    l->holds = false;
    return holds ? put_line(r, &l->held, &l->when, NULL, " {") : ETM_OK;
}

static int put_switch(struct etm_cli_replay *r, const struct etm_call *c)
{
    const struct etm_call_task *task = etm_calls_task(r->calls, c->task);
    struct etm_cli_task_name name;
    int status;

    if (r->options->view.function)
        return ETM_OK;
    status = begin_line(r, c, &r->when);
    etm_cli_print(r->output, "%12s  %3u  -- %s\n", "", (unsigned)c->task,
                  etm_cli_task_name(r, task, c->task, &name));
    return status;
}

static int put_call(struct etm_cli_replay *r, const struct etm_call *c)
{
    struct listing *l = r->state;
    int status;

    if (c->kind == ETM_CALL_LEAVE && l->holds && l->held.task == c->task &&
        l->held.depth == c->depth) {
        l->holds = false;
        return put_line(r, &l->held, &l->when, c, "");
    }
    status = put_held(r);
    if (status != ETM_OK)
        return status;
    if (c->kind == ETM_CALL_SWITCH)
        return put_switch(r, c);
    if (c->kind == ETM_CALL_LEAVE)
        return put_line(r, c, &r->when, c, "");
    l->held = *c;
    l->when = r->when;
    l->holds = true;
    return ETM_OK;
}

static int take_text(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct listing *l = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        bool turns = calls[i].kind == ETM_CALL_SWITCH;
        uint32_t depth =
            turns ? 0 : etm_cli_depth_within(&l->within, r, &calls[i]);

        if (r->options->view.summary) {
            if (!turns && depth != ETM_CLI_NOT_WITHIN)
                status = etm_cli_tree_take(&l->tree, r, &calls[i]);
        } else if (turns || etm_cli_is_shown(r, depth)) {
            status = etm_cli_brief_take(&l->brief, r, &calls[i], put_call);
        }
    }
    return status;
}

static int begin_text(struct etm_cli_replay *r)
{
    struct listing *l = r->state;
    char title[256];

    memset(&l->within, 0, sizeof l->within);
    l->holds = false;
    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n", title);
    if (r->options->view.summary)
        etm_cli_print(
            r->output, "%14s%14s%10s  function (total and self in %s)\n",
            "total", "self", "calls", etm_time_unit_name(etm_cli_cost_unit(r)));
    else if (r->merged)
        etm_cli_print(r->output, "  time in %s, duration in %s\n",
                      etm_cli_time_unit_name(r), etm_cli_unit_name(r));
    else
        etm_cli_print(r->output, "%14s%12s  task  function (time in %s)\n",
                      "time", "duration", etm_cli_time_unit_name(r));
    return ETM_OK;
}

static void put_node(struct etm_cli_replay *r, const struct etm_cli_node *node,
                     unsigned depth)
{
    struct listing *l = r->state;
    const char *name = etm_cli_tree_name(&l->tree, node);

    etm_cli_print(r->output, "%14" PRIu64 "%14" PRIu64 "%10" PRIu64 "  %*s",
                  etm_cli_in_unit(r, node->total),
                  etm_cli_in_unit(r, node->self), node->calls, (int)(2 * depth),
                  "");
    etm_cli_put_name(r->output, name);
    etm_cli_put(r->output, "\n", 1);
}

static int end_text(struct etm_cli_replay *r)
{
    struct listing *l = r->state;
    const struct etm_cli_node *node;
    int status = etm_cli_brief_end(&l->brief, r, put_call);

    if (status == ETM_OK)
        status = put_held(r);

    if (r->options->view.summary) {
        etm_cli_tree_sum(&l->tree);
        for (node = etm_cli_tree_first(&l->tree); node;
             node = etm_cli_tree_next(&l->tree, node)) {
            unsigned depth = etm_cli_tree_depth(&l->tree, node);

            if (etm_cli_is_shown(r, depth))
                put_node(r, node, depth);
        }
        etm_cli_tree_free(&l->tree);
    }
    etm_cli_put(r->output, "\n", 1);
    return status;
}

static void put_cost(struct etm_cli_replay *r, const char *key,
                     const char *cycles, struct etm_call_cost cost)
{
    etm_cli_json_number(r->output, key, true, cost.instructions);
    etm_cli_json_number(r->output, cycles, r->cycles, cost.cycles);
}

static void put_frame(struct etm_cli_replay *r, const struct etm_call *c)
{
    char text[ETM_CLI_CALL_NAME], json[ETM_CLI_JSON];
    const char *between = "";

    etm_cli_print(r->output,
                  ",\"depth\":%u,\"name\":%s,\"addr\":\"0x%08x\",\"return\":",
                  (unsigned)c->depth,
                  etm_cli_json_name(etm_cli_call_name(r, c, text), json),
                  (unsigned)c->address);
    if (c->return_known)
        etm_cli_print(r->output, "\"0x%08x\"", (unsigned)c->return_address);
    else
        etm_cli_print(r->output, "null");
    etm_cli_print(r->output, ",\"flags\":[");
    for (unsigned bit = 0; c->flags >> bit != 0; bit++) {
        if ((c->flags >> bit & 1) == 0)
            continue;
        etm_cli_print(r->output, "%s\"%s\"", between,
                      etm_call_flag_name((enum etm_call_flag)(1u << bit)));
        between = ",";
    }
    etm_cli_print(r->output, "]");
}

static int put_jsonl(struct etm_cli_replay *r, const struct etm_call *c)
{
    int status = etm_cli_line_at(r, &r->when.time);

    etm_cli_print(r->output,
                  "{\"k\":\"%s\",\"src\":%u,\"off\":%" PRIu64 ",\"task\":%u",
                  etm_call_kind_name((enum etm_call_kind)c->kind), r->info->id,
                  c->offset, (unsigned)c->task);
    if (c->kind != ETM_CALL_SWITCH)
        put_frame(r, c);
    put_cost(r, "at", "at_cycles", c->at);
    etm_cli_json_time(r->output, "time", &r->when.time);
    if (c->kind == ETM_CALL_LEAVE) {
        put_cost(r, "from", "from_cycles", c->from);
        etm_cli_json_time(r->output, "from_time", &r->when.from);
        put_cost(r, "total", "total_cycles", c->total);
        put_cost(r, "self", "self_cycles", c->self);
        etm_cli_json_number(r->output, "duration", etm_cli_is_complete(r, c),
                            etm_cli_duration(r, c));
        etm_cli_json_text(r->output, "unit", etm_cli_unit_name(r));
    }
    etm_cli_put(r->output, "}\n", 2);
    return status;
}

static int take_jsonl(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct listing *l = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (calls[i].kind != ETM_CALL_SWITCH &&
            !etm_cli_is_shown(r,
                              etm_cli_depth_within(&l->within, r, &calls[i])))
            continue;
        status = etm_cli_brief_take(&l->brief, r, &calls[i], put_jsonl);
    }
    return status;
}

static int begin_jsonl(struct etm_cli_replay *r)
{
    struct listing *l = r->state;

    memset(&l->within, 0, sizeof l->within);
    return ETM_OK;
}

static void free_listing(struct etm_cli_replay *r)
{
    struct listing *l = r->state;

    etm_cli_tree_free(&l->tree);
    etm_cli_brief_free(&l->brief);
}

static int end_jsonl(struct etm_cli_replay *r)
{
    struct listing *l = r->state;

    return etm_cli_brief_end(&l->brief, r, put_jsonl);
}

const struct etm_cli_view etm_cli_calls_text = {
    .command = ETM_CLI_CALLS,
    .format = "text",
    .state_size = sizeof(struct listing),
    .source = begin_text,
    .calls = take_text,
    .end_source = end_text,
    .free = free_listing,
    .times = ETM_CLI_ALL_TIMES,
};

const struct etm_cli_view etm_cli_calls_jsonl = {
    .command = ETM_CLI_CALLS,
    .format = "jsonl",
    .state_size = sizeof(struct listing),
    .source = begin_jsonl,
    .calls = take_jsonl,
    .end_source = end_jsonl,
    .free = free_listing,
    .times = ETM_CLI_ALL_TIMES,
    .tells_time = true,
};
