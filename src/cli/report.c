/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/json.h"

#include <string.h>

/* Nothing ends the element of the page that the data are in: in JSON, '<' is
 * only in strings, where it may be written as a number. */
static int escape(void *context, const char *text, size_t n)
{
    struct etm_cli_output *output = context;
    etm_write_fn *self = output->keep;
    int status = ETM_OK;

    output->keep = NULL;
    while (n > 0 && status == ETM_OK) {
        const char *less = memchr(text, '<', n);
        size_t plain = less ? (size_t)(less - text) : n;

        status = etm_cli_write(output, text, plain);
        if (status == ETM_OK && less)
            status = etm_cli_write(output, "\\u003c", 6);
        text += plain + (less != NULL);
        n -= plain + (less != NULL);
    }
    output->keep = self;
    return status;
}

static void put_list(struct etm_cli_output *output, const char *key)
{
    etm_cli_print(output, ",\"%s\":[", key);
}

static void put_buffers(struct etm_cli_replay *r)
{
    put_list(r->output, "buffers");
    for (size_t i = 0; i < etm_session_buffers(r->session); i++) {
        const struct etm_buffer_info *info = etm_session_buffer(r->session, i);

        etm_cli_print(r->output, "%s{\"index\":%zu", i == 0 ? "" : ",", i);
        etm_cli_json_text(r->output, "name", info->name);
        etm_cli_json_text(r->output, "file", info->path);
        etm_cli_json_text(r->output, "framing",
                          etm_framing_name(info->framing));
        etm_cli_json_number(r->output, "bytes", info->bytes != 0, info->bytes);
        etm_cli_put(r->output, "}", 1);
    }
    etm_cli_put(r->output, "]", 1);
}

/* The sources that nobody can decode, or that were not asked for. */
static void put_others(struct etm_cli_replay *r)
{
    const char *between = "";

    put_list(r->output, "undecoded");
    for (size_t i = 0; i < etm_session_sources(r->session); i++) {
        const struct etm_source_info *info = etm_session_source(r->session, i);

        if (!info->why_not)
            continue;
        etm_cli_print(r->output, "%s{\"src\":%u", between, (unsigned)info->id);
        etm_cli_json_text(r->output, "name", info->name);
        etm_cli_json_text(r->output, "why", info->why_not);
        etm_cli_put(r->output, "}", 1);
        between = ",";
    }
    etm_cli_put(r->output, "]", 1);
}

static void put_notes(struct etm_cli_replay *r)
{
    put_list(r->output, "notes");
    for (size_t i = 0; i < etm_session_notes(r->session); i++) {
        char json[ETM_CLI_JSON];

        etm_cli_print(r->output, "%s%s", i == 0 ? "" : ",",
                      etm_cli_json_name(etm_session_note(r->session, i), json));
    }
    etm_cli_put(r->output, "]", 1);
}

static void begin_page(struct etm_cli_replay *r)
{
    etm_cli_put(r->output, (const char *)etm_cli_report_before,
                etm_cli_report_before_size);
    (void)etm_cli_flush(r->output);
    r->output->keep_context = r->output;
    r->output->keep = escape;
    etm_cli_print(r->output, "{\"format\":1");
    etm_cli_json_text(r->output, "version", etm_version());
    etm_cli_json_text(r->output, "capture", etm_cli_path(r->options->capture));
    put_buffers(r);
    put_others(r);
    put_notes(r);
    put_list(r->output, "sources");
    /* a whole line, so that a signal ends the command while it reads */
    etm_cli_put(r->output, "\n", 1);
    (void)etm_cli_flush(r->output);
}

static int end_page(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;

    etm_cli_put(r->output, "]", 1);
    put_list(r->output, "names");
    for (size_t i = 0; i < p->timeline.n_names; i++) {
        char json[ETM_CLI_JSON];

        etm_cli_print(r->output, "%s%s", i == 0 ? "" : ",\n",
                      etm_cli_json_name(p->timeline.names[i].text, json));
    }
    etm_cli_print(r->output, "]}\n");
    (void)etm_cli_flush(r->output);
    r->output->keep = NULL;
    etm_cli_put(r->output, (const char *)etm_cli_report_after,
                etm_cli_report_after_size);
    return etm_cli_timeline_end(r);
}

static void put_track(struct etm_cli_replay *r, unsigned track,
                      const char *name)
{
    struct etm_cli_report *p = r->state;

    p->tracks[track] = etm_cli_timeline_name(&p->timeline, name);
}

static void begin_slice(struct etm_cli_replay *r, unsigned track, uint64_t time,
                        uint32_t name)
{
    struct etm_cli_report *p = r->state;

    (void)name; /* comes again at its end */
    if (track == ETM_CLI_TRACK_GAPS)
        p->gap_since = time;
    etm_cli_slices_begin(&p->slices, track, time);
}

static void count_gap(struct etm_cli_report *p, uint32_t name, uint64_t time)
{
    for (size_t i = 0; i < ETM_CLI_REPORT_GAPS; i++) {
        struct etm_cli_report_gap *gap = &p->gaps[i];

        if (gap->name != 0 && gap->name != name)
            continue;
        gap->name = name;
        gap->n++;
        gap->total += time - p->gap_since;
        return;
    }
}

static void end_slice(struct etm_cli_replay *r, unsigned track, uint64_t time,
                      uint32_t name, unsigned flags)
{
    struct etm_cli_report *p = r->state;

    (void)flags;
    if (track == ETM_CLI_TRACK_GAPS)
        count_gap(p, name, time);
    p->timeline.failed |=
        etm_cli_slices_end(&p->slices, track, time, name) != ETM_OK;
}

static void mark(struct etm_cli_replay *r, unsigned track, uint64_t time,
                 uint32_t name)
{
    struct etm_cli_report *p = r->state;

    if (name == etm_cli_timeline_name(&p->timeline, "trigger")) {
        p->triggers++;
    } else {
        p->gap_since = time;
        count_gap(p, name, time);
    }
    p->timeline.failed |=
        etm_cli_slices_mark(&p->slices, track, time, name) != ETM_OK;
}

static void note_text(struct etm_cli_report_texts *x, double value,
                      uint32_t name)
{
    unsigned i = 0;

    if (x->n != 0 && x->values[x->last] == value)
        return;
    while (i < x->n && x->values[i] != value)
        i++;
    if (i == ETM_CLI_REPORT_TEXTS)
        return;
    x->values[i] = value;
    x->names[i] = name;
    x->n += i == x->n;
    x->last = i;
}

static void count(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  const struct etm_cli_drawn_value *value)
{
    struct etm_cli_report *p = r->state;
    double number = etm_cli_value_double(&value->value);

    if (value->name != 0)
        note_text(&p->texts[track - ETM_CLI_TRACK_VARIABLE], number,
                  value->name);
    p->timeline.failed |=
        etm_cli_slices_value(&p->slices, track, time, number) != ETM_OK;
}

static const struct etm_cli_sink sink = {put_track, begin_slice, end_slice,
                                         mark, count};

/* What is of the source; names are of all. */
static void forget_source(struct etm_cli_report *p)
{
    memset(p->tracks, 0, sizeof p->tracks);
    memset(p->gaps, 0, sizeof p->gaps);
    memset(p->texts, 0, sizeof p->texts);
    p->triggers = 0;
    etm_cli_slices_free(&p->slices);
    etm_cli_exceptions_free(&p->costs);
    etm_cli_tree_free(&p->tree);
    etm_cli_counting_free(&p->counting);
}

/* The bytes of a source, without frames. */
static int count_bytes(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    struct etm_frame_counts counts;
    int status = ETM_OK;

    p->bytes = 0;
    for (size_t i = 0; i < r->info->n_buffers && status == ETM_OK; i++) {
        status = etm_session_count(
            r->session, etm_session_source_buffer(r->session, r->source, i),
            &counts);
        if (status == ETM_OK)
            p->bytes += counts.bytes[r->info->id];
    }
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}

static int begin_source(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    int status = etm_cli_slices_init(&p->slices, ETM_CLI_TRACKS);

    p->gaps_of_code = (struct etm_gaps){.on = false};
    if (status == ETM_OK)
        status = etm_cli_counting_begin(&p->counting, r->options->view.inlined);
    if (status == ETM_OK)
        status = count_bytes(r);
    return status == ETM_OK ? etm_cli_timeline_source(r) : status;
}

static int take_elements(struct etm_cli_replay *r,
                         const struct etm_element *elements, size_t n)
{
    struct etm_cli_report *p = r->state;

    etm_gaps_add(&p->gaps_of_code, elements, n);
    return etm_cli_counting_take(&p->counting, elements, n);
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct etm_cli_report *p = r->state;
    int status = etm_cli_timeline_calls(r, calls, n);

    if (status == ETM_OK)
        status = etm_cli_exceptions_calls(&p->costs, r, calls, n);
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH)
            status = etm_cli_tree_take(&p->tree, r, &calls[i]);
    return status;
}

static int take_timed(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct etm_cli_report *p = r->state;

    return etm_cli_exceptions_timed(&p->costs, r, calls, n);
}

static int end_source(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    int status = etm_cli_timeline_end_source(r);

    if (status == ETM_OK) {
        etm_cli_print(r->output, "%s{\"src\":%u", p->any ? "," : "",
                      (unsigned)r->info->id);
        p->any = true;
        status = etm_cli_report_source(r);
        if (status == ETM_OK)
            status = etm_cli_counting_end(&p->counting);
        if (status == ETM_OK)
            status = etm_cli_report_code(r);
        if (status == ETM_OK)
            status = etm_cli_report_coverage(r);
        etm_cli_put(r->output, "}\n", 2);
        (void)etm_cli_flush(r->output);
    }
    forget_source(p);
    return status;
}

static void free_report(struct etm_cli_replay *r)
{
    r->output->keep = NULL;
    forget_source(r->state);
    etm_cli_timeline_free(r);
}

const struct etm_cli_view etm_cli_report_html = {
    .command = ETM_CLI_REPORT,
    .format = "html",
    .state_size = sizeof(struct etm_cli_report),
    .sink = &sink,
    .prepare = etm_cli_timeline_prepare,
    .begin = begin_page,
    .source = begin_source,
    .calls = take_calls,
    .elements = take_elements,
    .ranges = true,
    .element = etm_cli_timeline_element,
    .end_source = end_source,
    .end = end_page,
    .free = free_report,
    .binary = true,
    .times = ETM_CLI_ALL_TIMES,
    .timed = take_timed,
};
