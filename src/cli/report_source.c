/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/info.h"
#include "cli/json.h"
#include "cli/put.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* No more than this of each, the most expensive first. */
#define MOST_FUNCTIONS 1500u
#define MOST_EDGES 6000u
#define MOST_NODES 12000u

static void put_list(struct etm_cli_replay *r, const char *key)
{
    etm_cli_print(r->output, ",\"%s\":[", key);
}

static void put_end(struct etm_cli_replay *r)
{
    etm_cli_put(r->output, "]", 1);
}

static void put_about(struct etm_cli_replay *r)
{
    const struct etm_source_info *info = r->info;
    struct etm_cli_output *output = r->output;
    char text[1024];

    etm_cli_json_text(output, "name", info->name);
    etm_cli_title(info, text, sizeof text);
    etm_cli_json_text(output, "title", text);
    etm_cli_json_text(output, "traces",
                      etm_cli_config_words(&info->config, text, sizeof text));
    etm_cli_json_text(output, "code_missing", info->code_missing);
    etm_cli_print(output, ",\"guessed\":%s", info->guessed ? "true" : "false");
    put_list(r, "buffers");
    for (size_t i = 0; i < info->n_buffers; i++)
        etm_cli_print(output, "%s%zu", i == 0 ? "" : ",",
                      etm_session_source_buffer(r->session, r->source, i));
    put_end(r);
    put_list(r, "registers");
    for (size_t i = 0; i < info->n_registers; i++) {
        char json[256];

        etm_cli_print(
            output, "%s[%s,\"0x%08" PRIx64 "\"]", i == 0 ? "" : ",",
            etm_json_string(info->registers[i].name, json, sizeof json),
            info->registers[i].value);
    }
    put_end(r);
}

/* What is not in the trace. */
static void put_missing(struct etm_cli_replay *r)
{
    const struct etm_cli_report *p = r->state;
    const struct etm_cli_damage *d = r->damage;
    const char *between = "";

    etm_cli_json_number(r->output, "bytes", true, p->bytes);
    etm_cli_json_number(r->output, "no_image", true, d->no_image);
    etm_cli_print(r->output, ",\"part\":%s", d->part ? "true" : "false");
    put_list(r, "lost");
    for (unsigned i = 0; i < ETM_CLI_REASONS; i++) {
        if (d->lost[i] == 0)
            continue;
        etm_cli_print(r->output,
                      "%s{\"reason\":\"%s\",\"n\":%" PRIu64
                      ",\"bytes\":%" PRIu64 "}",
                      between, etm_lost_name((enum etm_lost_reason)i),
                      d->lost[i], d->bytes[i]);
        between = ",";
    }
    put_end(r);
    put_list(r, "gaps");
    for (unsigned i = 0; i < ETM_CLI_REPORT_GAPS && p->gaps[i].name != 0; i++)
        etm_cli_print(r->output,
                      "%s{\"name\":%" PRIu32 ",\"n\":%" PRIu64
                      ",\"total\":%" PRIu64 "}",
                      i == 0 ? "" : ",", p->gaps[i].name - 1, p->gaps[i].n,
                      p->gaps[i].total);
    put_end(r);
}

static void put_totals(struct etm_cli_replay *r)
{
    const struct etm_cli_report *p = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);

    etm_cli_json_text(r->output, "unit", etm_cli_unit_name(r));
    etm_cli_json_text(r->output, "cost_unit",
                      etm_time_unit_name(etm_cli_cost_unit(r)));
    etm_cli_print(r->output, ",\"itm\":%s",
                  etm_cli_is_itm(r) ? "true" : "false");
    etm_cli_json_number(r->output, "instructions", true, all.instructions);
    etm_cli_json_number(r->output, "cycles", r->cycles, all.cycles);
    etm_cli_json_number(r->output, "gap_cycles", r->cycles,
                        etm_calls_gap_cycles(r->calls));
    etm_cli_json_number(r->output, "triggers", true, p->triggers);
}

/* Pieces of numbers, of which there are many. */
static char *put_number(char *at, uint64_t value)
{
    at = etm_cli_put_decimal(at, value, 0);
    *at++ = ',';
    return at;
}

/* begin, duration, name, n; and of several, how much of the duration is
 * theirs. Each begins so long after the one before it. */
static void put_lane(struct etm_cli_replay *r,
                     const struct etm_cli_slice_lane *lane)
{
    const struct etm_cli_report *p = r->state;
    uint64_t before = p->slices.first;

    for (size_t i = 0; i < lane->n; i++) {
        const struct etm_cli_slice *s = &lane->rows[i];
        char text[128], *at = text;

        if (i != 0)
            *at++ = ',';
        at = put_number(at, s->begin - before);
        at = put_number(at, s->end - s->begin);
        at = put_number(at, s->name - 1);
        at = etm_cli_put_decimal(at, s->n, 0);
        if (s->n > 1) {
            *at++ = ',';
            at = etm_cli_put_decimal(at, s->busy, 0);
        }
        etm_cli_put(r->output, text, (size_t)(at - text));
        before = s->begin;
    }
}

/* With as many digits as the variable has; null: it is infinite, or none. */
static char *put_value(char *at, const struct etm_scalar *scalar, double value)
{
    const struct etm_cli_value number = {.is_float = true, .number = value};
    char text[ETM_CLI_VALUE];

    if (!isfinite(value))
        return etm_cli_put_text(at, "null,");
    if (scalar->kind == ETM_SCALAR_FLOAT)
        (void)etm_cli_value_number(scalar, &number, text);
    else
        (void)snprintf(text, sizeof text, "%.17g", value);
    at = etm_cli_put_text(at, text);
    *at++ = ',';
    return at;
}

/* time, least, most, last, n. */
static void put_plot(struct etm_cli_replay *r, const struct etm_scalar *scalar,
                     const struct etm_cli_plot *plot)
{
    const struct etm_cli_report *p = r->state;
    uint64_t before = p->slices.first;

    for (size_t i = 0; i < plot->n; i++) {
        const struct etm_cli_point *v = &plot->rows[i];
        char text[256], *at = text;

        if (i != 0)
            *at++ = ',';
        at = put_number(at, v->time - before);
        at = put_value(at, scalar, v->least);
        at = put_value(at, scalar, v->most);
        at = put_value(at, scalar, v->last);
        at = etm_cli_put_decimal(at, v->n, 0);
        etm_cli_put(r->output, text, (size_t)(at - text));
        before = v->time;
    }
}

/* The values of a variable, and how they are to be read: as hexadecimal
 * numbers, or as names. */
static void put_variable(struct etm_cli_replay *r, unsigned variable)
{
    const struct etm_cli_report *p = r->state;
    const struct etm_scalar *scalar = &p->timeline.variables[variable].scalar;
    const struct etm_cli_report_texts *x = &p->texts[variable];

    etm_cli_print(r->output, ",\"hex\":%u,\"texts\":[",
                  etm_cli_value_is_hex(scalar) ? (unsigned)scalar->size : 0);
    for (unsigned i = 0; i < x->n; i++)
        etm_cli_print(r->output, "%s[%.17g,%" PRIu32 "]", i == 0 ? "" : ",",
                      x->values[i], x->names[i] - 1);
    etm_cli_put(r->output, "],\"values\":[", 12);
    put_plot(r, scalar, &p->slices.plots[ETM_CLI_TRACK_VARIABLE + variable]);
    put_end(r);
}

static const char *kind_of(unsigned track)
{
    return track == ETM_CLI_TRACK_TASKS        ? "tasks"
           : track == ETM_CLI_TRACK_EXCEPTIONS ? "exceptions"
           : track == ETM_CLI_TRACK_GAPS       ? "gaps"
           : track < ETM_CLI_TRACK_VARIABLE    ? "calls"
                                               : "variable";
}

static void put_track(struct etm_cli_replay *r, unsigned track)
{
    const struct etm_cli_report *p = r->state;

    etm_cli_print(r->output, "{\"kind\":\"%s\",\"name\":%" PRIu32,
                  kind_of(track), p->tracks[track] - 1);
    put_list(r, "lanes");
    for (unsigned depth = 0; depth < ETM_CLI_SLICES_DEPTH; depth++) {
        const struct etm_cli_slice_lane *lane =
            etm_cli_slices_lane(&p->slices, track, depth);

        if (lane->n == 0)
            break;
        etm_cli_put(r->output, depth == 0 ? "[" : ",\n[", depth == 0 ? 1 : 3);
        put_lane(r, lane);
        put_end(r);
    }
    put_end(r);
    if (track >= ETM_CLI_TRACK_VARIABLE)
        put_variable(r, track - ETM_CLI_TRACK_VARIABLE);
    etm_cli_put(r->output, "}", 1);
}

static void put_timeline(struct etm_cli_replay *r)
{
    const struct etm_cli_report *p = r->state;
    const char *between = "";

    etm_cli_print(r->output,
                  ",\"timeline\":{\"unit\":\"%s\",\"base\":\"%" PRIu64
                  "\",\"span\":%" PRIu64 ",\"resolution\":%" PRIu64
                  ",\"too_deep\":%" PRIu64 ",\"tracks\":[",
                  r->times ? "ticks" : etm_time_unit_name(etm_cli_cost_unit(r)),
                  p->slices.first, p->slices.last - p->slices.first,
                  p->slices.resolution, p->slices.too_deep);
    for (unsigned i = ETM_CLI_TRACK_TASKS; i < ETM_CLI_TRACKS; i++) {
        if (p->tracks[i] == 0)
            continue;
        etm_cli_put(r->output, between, *between != '\0');
        put_track(r, i);
        between = ",";
    }
    etm_cli_print(r->output, "]}");
}

/* Functions and exceptions, and who called whom; ordered. */
static void put_costs(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    const struct etm_cli_edge *e;
    bool first = true;
    size_t n;

    etm_cli_edges_order(&p->costs.edges, &p->costs.subjects, r->cycles);
    put_list(r, "exceptions");
    for (size_t i = 0; i < p->costs.subjects.n; i++) {
        if (!p->costs.subjects.rows[i].exception)
            continue;
        etm_cli_put(r->output, ",\n", first ? 0 : 2);
        etm_cli_exception_json(r, &p->costs, i);
        first = false;
    }
    put_end(r);
    put_list(r, "edges");
    for (size_t i = 0;
         i < MOST_EDGES && (e = etm_cli_edges_at(&p->costs.edges, i)) != NULL;
         i++) {
        etm_cli_put(r->output, ",\n", i == 0 ? 0 : 2);
        etm_cli_edge_json(r, e);
    }
    put_end(r);
    etm_cli_subjects_order(&p->costs.subjects, r->cycles);
    n = p->costs.subjects.n;
    etm_cli_json_number(r->output, "functions_in_all", true, n);
    put_list(r, "functions");
    for (size_t i = 0; i < n && i < MOST_FUNCTIONS; i++) {
        etm_cli_put(r->output, ",\n", i == 0 ? 0 : 2);
        etm_cli_subject_json(r, &p->costs.subjects.rows[i]);
    }
    put_end(r);
}

/* depth, name, self, total, calls. What is no thousandth of a pixel wide is
 * left out. */
static int put_flame(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    const struct etm_cli_node *node;
    uint64_t least;
    size_t n = 0, omitted = 0;

    etm_cli_tree_sum(&p->tree);
    least =
        p->tree.n != 0 ? etm_cli_in_unit(r, p->tree.nodes[0].total) / 20000 : 0;
    put_list(r, "flame");
    for (node = etm_cli_tree_first(&p->tree); node;
         node = etm_cli_tree_next(&p->tree, node)) {
        uint64_t total = etm_cli_in_unit(r, node->total);
        uint32_t name;

        if (total == 0 || total < least || n == MOST_NODES) {
            omitted++;
            continue;
        }
        name = etm_cli_timeline_name(&p->timeline,
                                     etm_cli_tree_name(&p->tree, node));
        if (name == 0)
            return ETM_ERR_MEMORY;
        etm_cli_print(
            r->output, "%s%u,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            n++ == 0 ? "" : ",", etm_cli_tree_depth(&p->tree, node), name - 1,
            etm_cli_in_unit(r, node->self), total, node->calls);
    }
    put_end(r);
    etm_cli_json_number(r->output, "flame_omitted", true, omitted);
    return ETM_OK;
}

int etm_cli_report_source(struct etm_cli_replay *r)
{
    put_about(r);
    put_missing(r);
    put_totals(r);
    put_timeline(r);
    put_costs(r);
    return put_flame(r);
}
