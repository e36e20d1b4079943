/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm profile --format folded, speedscope: what each stack of functions cost
 * itself. Folded stacks are lines that programs for flame graphs read; the
 * other one is a file of https://www.speedscope.app (its file-format-schema).
 */
#include "cli/calls_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct stacks {
    struct etm_cli_tree tree;
    /* speedscope: names of all sources, in the order of their numbers */
    char **frames;
    size_t n_frames, first; /* and the first one of the current source */
    bool any;               /* a source was written */
};

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct stacks *s = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH)
            status = etm_cli_tree_take(&s->tree, r, &calls[i]);
    return status;
}

/* A name in which nothing separates. */
static void put_folded(struct etm_cli_replay *r, const char *name)
{
    while (*name != '\0') {
        size_t n = strcspn(name, ";");

        etm_cli_put_plain(r->output, name, n);
        name += n;
        for (; *name == ';'; name++)
            etm_cli_put(r->output, ":", 1);
    }
}

/* All but the last one. */
static void put_above(struct etm_cli_replay *r, const struct etm_cli_node *node)
{
    struct stacks *s = r->state;
    const struct etm_cli_node *above = etm_cli_tree_parent(&s->tree, node);

    if (!above)
        return;
    put_above(r, above);
    put_folded(r, etm_cli_tree_name(&s->tree, above));
    etm_cli_put(r->output, ";", 1);
}

static int end_folded(struct etm_cli_replay *r)
{
    struct stacks *s = r->state;
    const struct etm_cli_node *node = etm_cli_tree_first(&s->tree);

    for (; node; node = etm_cli_tree_next(&s->tree, node)) {
        if (etm_cli_in_unit(r, node->self) == 0)
            continue;
        if (r->n_sources > 1) {
            put_folded(r, r->info->name);
            etm_cli_put(r->output, ";", 1);
        }
        put_above(r, node);
        put_folded(r, etm_cli_tree_name(&s->tree, node));
        etm_cli_print(r->output, " %" PRIu64 "\n",
                      etm_cli_in_unit(r, node->self));
    }
    etm_cli_tree_free(&s->tree);
    return ETM_OK;
}

static void begin_speedscope(struct etm_cli_replay *r)
{
    etm_cli_print(
        r->output,
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
        "\n\"exporter\":\"etm\",\"profiles\":[");
}

static void put_stack(struct etm_cli_replay *r, const struct etm_cli_node *node)
{
    struct stacks *s = r->state;
    const struct etm_cli_node *above = etm_cli_tree_parent(&s->tree, node);

    if (above) {
        put_stack(r, above);
        etm_cli_put(r->output, ",", 1);
    }
    etm_cli_print(r->output, "%zu", s->first + node->subject);
}

/* The stacks, or what they cost. */
static void put_samples(struct etm_cli_replay *r, bool weights)
{
    struct stacks *s = r->state;
    const struct etm_cli_node *node = etm_cli_tree_first(&s->tree);
    const char *between = "";

    for (; node; node = etm_cli_tree_next(&s->tree, node)) {
        if (etm_cli_in_unit(r, node->self) == 0)
            continue;
        etm_cli_print(r->output, "%s", between);
        between = ",";
        if (weights) {
            etm_cli_print(r->output, "%" PRIu64,
                          etm_cli_in_unit(r, node->self));
            continue;
        }
        etm_cli_put(r->output, "[", 1);
        put_stack(r, node);
        etm_cli_put(r->output, "]", 1);
    }
}

/* The names are needed at the end. */
static int keep_frames(struct stacks *s)
{
    struct etm_cli_subjects *rows = &s->tree.subjects;
    char **frames =
        realloc(s->frames, (s->n_frames + rows->n + 1) * sizeof *frames);

    if (!frames)
        return ETM_ERR_MEMORY;
    s->frames = frames;
    for (size_t i = 0; i < rows->n; i++) {
        s->frames[s->n_frames++] = rows->rows[i].name;
        rows->rows[i].name = NULL;
    }
    s->first = s->n_frames;
    return ETM_OK;
}

static int end_speedscope_source(struct etm_cli_replay *r)
{
    struct stacks *s = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);
    char title[256], json[ETM_CLI_JSON];
    int status;

    if (r->cycles)
        all.cycles -= etm_calls_gap_cycles(r->calls);
    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output,
                  "%s\n{\"type\":\"sampled\",\"name\":%s,\"unit\":\"none\","
                  "\"startValue\":0,\"endValue\":%" PRIu64 ",\n\"samples\":[",
                  s->any ? "," : "", etm_cli_json_name(title, json),
                  etm_cli_in_unit(r, all));
    put_samples(r, false);
    etm_cli_print(r->output, "],\n\"weights\":[");
    put_samples(r, true);
    etm_cli_print(r->output, "]}");
    s->any = true;
    status = keep_frames(s);
    etm_cli_tree_free(&s->tree);
    return status;
}

static int end_speedscope(struct etm_cli_replay *r)
{
    struct stacks *s = r->state;
    char json[ETM_CLI_JSON];

    etm_cli_print(r->output, "],\n\"shared\":{\"frames\":[");
    for (size_t i = 0; i < s->n_frames; i++)
        etm_cli_print(r->output, "%s\n{\"name\":%s}", i == 0 ? "" : ",",
                      etm_cli_json_name(s->frames[i], json));
    etm_cli_print(r->output, "]}}\n");
    return ETM_OK;
}

static void free_stacks(struct etm_cli_replay *r)
{
    struct stacks *s = r->state;

    for (size_t i = 0; i < s->n_frames; i++)
        free(s->frames[i]);
    free(s->frames);
    etm_cli_tree_free(&s->tree);
}

const struct etm_cli_view etm_cli_profile_folded = {
    .command = ETM_CLI_PROFILE,
    .format = "folded",
    .state_size = sizeof(struct stacks),
    .calls = take_calls,
    .end_source = end_folded,
    .free = free_stacks,
};

const struct etm_cli_view etm_cli_profile_speedscope = {
    .command = ETM_CLI_PROFILE,
    .format = "speedscope",
    .state_size = sizeof(struct stacks),
    .begin = begin_speedscope,
    .calls = take_calls,
    .end_source = end_speedscope_source,
    .end = end_speedscope,
    .free = free_stacks,
};
