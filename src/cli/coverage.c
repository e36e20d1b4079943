/* SPDX-License-Identifier: Apache-2.0 */
/* etm coverage: what of the program was executed, and how often. */
#include "cli/coverage.h"

#include "cli/counting.h"
#include "cli/pass.h"
#include "cli/put.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the counts lack. */
struct missing {
    struct etm_cli_damage damage;
    struct etm_gaps gaps;
    struct etm_cli_gaps first; /* of these */
};

struct covering {
    struct etm_cli_pass pass; /* the first member */
    const struct etm_session *session;
    size_t source;
    unsigned id;
    struct etm_cli_output *output;
    struct etm_cli_counting counting;
    struct missing missing;      /* its damage is that of the pass */
    struct etm_listing *listing; /* NULL: JSON Lines */
    bool people;                 /* as text */
    bool listed;                 /* a source has something in it */
    struct etm_cli_rows rows;
    struct etm_cli_covered covered;

    struct etm_session_names named;
    struct etm_names names; /* by these */
};

static void add_gaps(struct missing *m, const struct etm_element *elements,
                     size_t n)
{
    etm_gaps_add(&m->gaps, elements, n);
    etm_cli_gaps_note(&m->first, elements, n);
}

static int take_count(void *context, const struct etm_count *count)
{
    struct covering *c = context;

    c->pass.damage.named += count->n;
    c->pass.damage.ranges += count->n;
    return etm_counts_add(c->counting.ranges, count);
}

/* With an end that is no place in the capture, each range has to be seen. */
static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct covering *c = context;
    int status;

    n = etm_cli_pass_take(&c->pass, elements, n);
    add_gaps(&c->missing, elements, n);
    status = etm_cli_counting_take(&c->counting, elements, n);
    return etm_cli_pass_taken(&c->pass, status);
}

/* Executions stay with the threads that decode; of the remaining elements a
 * portion only has what they report as missing. */
static int begin_portion(void *context, unsigned thread, void **portion)
{
    struct missing *missing = *portion;

    (void)context;
    (void)thread;
    if (!missing)
        missing = malloc(sizeof *missing);
    if (!missing)
        return ETM_ERR_MEMORY;
    *missing = (struct missing){0};
    *portion = missing;
    return ETM_OK;
}

static int make_portion(void *portion, const struct etm_element *elements,
                        size_t n)
{
    struct missing *missing = portion;

    etm_cli_damage_add(&missing->damage, elements, n);
    add_gaps(missing, elements, n);
    return ETM_OK;
}

static int end_portion(void *portion)
{
    (void)portion;
    return ETM_OK;
}

static int take_portion(void *context, void *portion)
{
    struct covering *c = context;
    const struct missing *missing = portion;

    etm_cli_damage_merge(&c->pass.damage, &missing->damage);
    etm_gaps_join(&c->missing.gaps, &missing->gaps);
    etm_cli_gaps_join(&c->missing.first, &missing->first);
    return ETM_OK;
}

static void free_portion(void *context, void *portion)
{
    (void)context;
    free(portion);
}

static struct etm_listing_source source_of(const struct covering *c,
                                           const struct etm_source_info *info)
{
    return (struct etm_listing_source){.size =
                                           sizeof(struct etm_listing_source),
                                       .name = info->name,
                                       .config = &info->config,
                                       .names = c->names,
                                       .id = info->id,
                                       .image = info->image,
                                       .gaps = &c->missing.gaps,
                                       .conditions = c->counting.conditions};
}

/* The counts in a format of the library. */
static int print_listing(struct covering *c, const struct etm_source_info *info)
{
    struct etm_listing_source source = source_of(c, info);
    char title[256];
    int status;

    etm_cli_title(info, title, sizeof title);
    source.title = title;
    status = etm_listing_begin(c->listing, &source);
    if (status == ETM_OK)
        status = etm_listing_counts(c->listing, c->counting.ranges);
    c->listed |= status == ETM_OK;
    if (status == ETM_OK)
        status = etm_listing_flush(c->listing);
    if (status == ETM_OK && c->people)
        etm_cli_gaps_print(&c->missing.first, &c->missing.gaps, &c->named,
                           c->output);
    if (status != ETM_ERR_NOT_FOUND)
        return status;
    etm_cli_error("%s: its code has no source lines (was it built with -g?), "
                  "of which this format consists",
                  info->name);
    return ETM_OK;
}

static const char *truth(unsigned tri)
{
    return tri == ETM_TRUE ? "true" : tri == ETM_FALSE ? "false" : "null";
}

/* Names are cut where they are longer than this. */

/* {"k":"coverage","src":0,"start":"0x00008000", ... "return":false} */
static char *put_range(char *at, unsigned id, const struct etm_count *count)
{
    at = etm_cli_put_text(at, "{\"k\":\"coverage\",");
    at = etm_cli_put_code(at, id, count->start, count->end, count->isa,
                          count->insns);
    at = etm_cli_put_text(at, ",\"last\":{\"addr\":\"");
    at = etm_cli_put_hex(at, count->last_address, 8);
    at = etm_cli_put_text(at, "\",\"type\":\"");
    at = etm_cli_put_text(
        at, etm_insn_type_name((enum etm_insn_type)count->last_type));
    at = etm_cli_put_text(at, "\",\"exec\":");
    at = etm_cli_put_text(at, truth(count->last_exec));
    at = etm_cli_put_text(at, ",\"link\":");
    at = etm_cli_put_text(at,
                          count->last_flags & ETM_INSN_LINK ? "true" : "false");
    at = etm_cli_put_text(at, ",\"return\":");
    return etm_cli_put_text(at, count->last_flags & ETM_INSN_RETURN ? "true}"
                                                                    : "false}");
}

static void use_names(struct covering *c, size_t source)
{
    c->named.session = c->session;
    c->named.source = source;
    c->names = etm_session_names_of(&c->named);
}

static char *put_jsonl(void *context, unsigned id, size_t source,
                       const struct etm_count *count, char *text)
{
    struct covering *c = context;
    char name[ETM_CLI_JSON], *at = put_range(text, id, count);
    struct etm_source_line line;
    struct etm_symbol symbol;

    static_assert(ETM_CLI_ROW >= 2 * ETM_CLI_JSON + 512,
                  "two names and the rest");
    if (c->named.source != source)
        use_names(c, source);
    if (c->names.symbol(c->names.context, count->start, &symbol) == ETM_OK) {
        at = etm_cli_put_text(at, ",\"symbol\":");
        at = etm_cli_put_text(at, etm_cli_json_name(symbol.name, name));
        at = etm_cli_put_text(at, ",\"offset\":");
        at = etm_cli_put_decimal(at, symbol.offset, 0);
    } else {
        at = etm_cli_put_text(at, ",\"symbol\":null,\"offset\":null");
    }
    if (c->names.line(c->names.context, count->start, &line) == ETM_OK) {
        at = etm_cli_put_text(at, ",\"file\":");
        at = etm_cli_put_text(at, etm_cli_json_name(line.file, name));
        at = etm_cli_put_text(at, ",\"line\":");
        at = etm_cli_put_decimal(at, line.line, 0);
    } else {
        at = etm_cli_put_text(at, ",\"file\":null,\"line\":null");
    }
    return etm_cli_put_text(at, ",\"n\":");
}

static int print_counts(struct covering *c, const struct etm_source_info *info)
{
    struct etm_listing_source source = source_of(c, info);
    int status;

    if (c->listing)
        return print_listing(c, info);
    status = etm_cli_covered_add(&c->covered, &source, c->counting.ranges);
    if (status != ETM_OK)
        return status;
    return etm_cli_rows_take(&c->rows, c->id, c->source, &c->counting.ranges)
               ? ETM_OK
               : ETM_ERR_MEMORY;
}

static int cover_source(const struct etm_cli_options *options,
                        struct covering *c)
{
    const struct etm_source_info *info =
        etm_session_source(c->session, c->source);
    const struct etm_portions portions = {.size = sizeof portions,
                                          .begin = begin_portion,
                                          .elements = make_portion,
                                          .end = end_portion,
                                          .take = take_portion,
                                          .free = free_portion,
                                          .context = c};
    struct etm_session_run run = {.size = sizeof run};
    struct etm_diag diag = {0};
    int status;

    c->id = info->id;
    c->named.failed = false;
    use_names(c, c->source);
    c->missing =
        (struct missing){.gaps = {.on = c->pass.part.start == ETM_START_JOIN &&
                                        c->pass.part.begin != 0}};
    run.level = options->level == ETM_LEVEL_INSTRUCTIONS
                    ? ETM_LEVEL_INSTRUCTIONS
                : c->pass.part.until == ETM_CLI_BYTES ? ETM_LEVEL_COVERAGE
                                                      : ETM_LEVEL_RANGES;
    status = etm_cli_counting_begin(&c->counting,
                                    run.level == ETM_LEVEL_INSTRUCTIONS);
    etm_cli_pass_begin(&c->pass, &run);
    run.elements = take_elements;
    run.jobs = etm_cli_threads(options);
    c->pass.damage.unseen = run.level == ETM_LEVEL_COVERAGE;
    if (run.level == ETM_LEVEL_COVERAGE) {
        run.counts = take_count;
        run.portions = &portions;
    }
    if (status == ETM_OK)
        status = etm_cli_pass_run(&c->pass, c->session, c->source, &run, &diag);
    if (status == ETM_OK)
        status = etm_cli_counting_end(&c->counting);
    etm_cli_progress_stop(&c->pass.progress);
    if (status == ETM_OK) {
        etm_cli_pass_tell(&c->pass, options, c->session, c->source);
        status = print_counts(c, info);
        status = etm_cli_names_status(&c->named, status, &diag);
    }
    etm_cli_counting_free(&c->counting);
    return etm_cli_status(status, &diag, c->output);
}

/* What comes after all sources: the lines of all, or the end of a listing. */
static int finish(struct covering *c)
{
    struct etm_diag diag = {.line = ETM_DIAG_NONE,
                            .offset = ETM_DIAG_NONE,
                            .address = ETM_DIAG_NONE};
    int status = ETM_OK;

    c->named.failed = false;
    if (c->listing && c->listed)
        status = etm_listing_finish(c->listing);
    else if (!c->listing &&
             (!etm_cli_covered_print(&c->covered, false, c->output) ||
              !etm_cli_rows_print(&c->rows, put_jsonl, c, ETM_CLI_JSONL_END,
                                  c->output) ||
              !etm_cli_covered_print(&c->covered, true, c->output)))
        status = ETM_ERR_MEMORY;
    diag.status = status;
    status = etm_cli_names_status(&c->named, status, &diag);
    return etm_cli_status(status, &diag, c->output);
}

/* An ITM executes nothing; but who asks for one by name gets an answer. */
static bool has_no_code(const struct etm_cli_options *options,
                        const struct covering *c)
{
    return options->n_sources == 0 &&
           etm_session_source(c->session, c->source)->config.protocol ==
               ETM_PROTOCOL_ITM;
}

/* JSON Lines are those of all sources, in order. False: out of memory. */
static bool make_listing(const struct etm_cli_options *options,
                         struct covering *c)
{
    const struct etm_listing_config config = {.size = sizeof config,
                                              .format = options->format,
                                              .colour =
                                                  etm_cli_colours(c->output),
                                              .write = etm_cli_write,
                                              .context = c->output};
    const struct etm_listing_format *format;

    return etm_listing_format_find(config.format, &format) != ETM_OK ||
           (format->takes & ETM_LISTING_COUNTS) == 0 ||
           etm_listing_new(&c->listing, &config) == ETM_OK;
}

int etm_cli_coverage(const struct etm_cli_options *options,
                     struct etm_cli_output *output)
{
    struct covering c = {.output = output,
                         .people = strcmp(options->format, "text") == 0};
    struct etm_cli_capture capture;
    int status = etm_cli_open(&capture, options, output, true);

    if (status != ETM_EXIT_OK)
        return status;
    c.session = capture.session;
    if (!make_listing(options, &c)) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    etm_cli_progress_start(&c.pass.progress, NULL, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        c.source = capture.sources[i];
        if (has_no_code(options, &c))
            continue;
        status = etm_cli_pass_find(&c.pass, options, &capture, i);
        if (status == ETM_EXIT_OK)
            status = cover_source(options, &c);
    }
    etm_cli_silent_tell(&c.pass.silent, c.session);
    if (status == ETM_EXIT_OK)
        status = finish(&c);
    etm_cli_rows_free(&c.rows);
    etm_cli_covered_free(&c.covered);
    etm_listing_free(c.listing);
    etm_cli_close(&capture);
    return status;
}
