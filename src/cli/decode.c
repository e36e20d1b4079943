/* SPDX-License-Identifier: Apache-2.0 */
/* etm decode: the program that ran. */
#include "cli/merged.h"
#include "cli/pass.h"
#include "cli/pool.h"

#include <string.h>

struct decoding {
    struct etm_cli_pass pass;      /* the first member */
    struct etm_listing *listing;   /* NULL: counts, --stats */
    struct etm_cli_merged *merged; /* NULL: one source after the other */
    struct etm_clock *clock;       /* of the current source, if merged */
    const char *format;
    struct etm_cli_stats stats;
    struct etm_cli_tally tally; /* --stats */
    struct etm_cli_rows rows;
    struct etm_cli_pool *pool; /* NULL: one thread does it all */
};

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct decoding *d = context;
    int status = ETM_OK;

    n = etm_cli_pass_take(&d->pass, elements, n);
    if (!d->listing)
        etm_cli_stats_add(&d->stats, elements, n);
    else if (d->clock)
        status = etm_clock_elements(d->clock, elements, n);
    else if (n != 0)
        status = etm_listing_elements(d->listing, elements, n);
    return etm_cli_pass_taken(&d->pass, status);
}

/* --merge: the lines of an element, whose time is known. */
static int list_at(void *context, void *item, const struct etm_clock_time *time)
{
    struct decoding *d = context;
    int status = etm_cli_merged_at(d->merged, time);

    if (status == ETM_OK)
        status = etm_listing_elements(d->listing, item, 1);
    return status == ETM_OK ? etm_listing_flush(d->listing) : status;
}

/* A pipe has nothing at the moment: show what is known. */
static int show_lines(void *context)
{
    struct decoding *d = context;

    return d->listing && !d->merged ? etm_listing_flush(d->listing) : ETM_OK;
}

static int count_range(void *context, const struct etm_count *count)
{
    struct decoding *d = context;

    d->pass.damage.named += count->n;
    d->pass.damage.ranges += count->n;
    return etm_cli_stats_count(&d->stats, count);
}

static int run_source(const struct etm_cli_options *options, struct decoding *d,
                      const struct etm_session *session, size_t source,
                      const struct etm_listing_source *begin,
                      struct etm_diag *diag)
{
    struct etm_session_run run = {.size = sizeof run};
    uint64_t cycles = 0;
    int status = ETM_OK, flushed = ETM_OK;

    etm_cli_pass_begin(&d->pass, &run);
    run.level = options->level;
    /* what --stats tells of ranges needs none of them, unless one is the end */
    if (!d->listing && run.level == ETM_LEVEL_RANGES &&
        d->pass.part.until == ETM_CLI_BYTES) {
        run.level = ETM_LEVEL_COUNTS;
        run.counts = count_range;
        run.cycles = &cycles;
    }
    run.elements = take_elements;
    run.idle = show_lines;
    run.jobs = etm_cli_threads(options);
    /* an end that is no place in the capture is found element by element */
    if (d->pool && d->pass.part.until == ETM_CLI_BYTES)
        run.portions = etm_cli_pool_begin(d->pool, begin, d->listing, &d->stats,
                                          &d->pass.damage);
    if (d->listing)
        status = etm_listing_begin(d->listing, begin);
    if (status == ETM_OK)
        status = etm_cli_pass_run(&d->pass, session, source, &run, diag);
    etm_cli_stats_cycles(&d->stats, cycles);
    /* also if it failed, for what came before */
    if (d->clock && (status == ETM_OK || etm_cli_is_unread(status)))
        flushed = etm_clock_finish(d->clock);
    else if (status == ETM_OK || d->pass.damage.given)
        flushed = show_lines(d);
    return status == ETM_OK ? flushed : status;
}

/* Report that there are no cycles to show. */
static void tell_no_cycles(const struct etm_source_info *info)
{
    const struct etm_config *c = &info->config;

    if (!c->cycle_accurate || c->data_only)
        etm_cli_error("%s (0x%02x): --cycles: its trace has no cycles: %s",
                      info->name, info->id,
                      c->cycle_accurate ? "it is of data only"
                                        : "it is not cycle-accurate (ETMCR, "
                                          "bit 12)");
}

/* Counts for people? */
static bool is_text(const struct etm_cli_options *options)
{
    return options->format_told && strcmp(options->format, "text") == 0;
}

/* The title of a source is above everything, and not before its first line. */
static int begin_merged(struct decoding *d, struct etm_cli_output *output,
                        const struct etm_source_info *info,
                        struct etm_listing_source *begin)
{
    const struct etm_clock_config config = {
        .size = sizeof config,
        .take = list_at,
        .context = d,
        .sizeof_item = sizeof(struct etm_element),
        .unit = etm_time_unit_of(&info->config)};
    int status = etm_cli_merged_source(d->merged, info);

    if (strcmp(d->format, "text") == 0)
        etm_cli_print(output, "%s\n", begin->title);
    begin->title = NULL;
    return status == ETM_OK ? etm_clock_new(&d->clock, &config) : status;
}

static int decode_source(const struct etm_cli_options *options,
                         struct etm_cli_output *output, struct decoding *d,
                         const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_session_names names = {session, source, false};
    struct etm_cli_shared_names shared;
    struct etm_listing_source begin = {.size = sizeof begin, .id = info->id};
    struct etm_diag diag = {0};
    char title[256];
    int status = ETM_OK;

    if (options->cycles)
        tell_no_cycles(info);
    etm_cli_title(info, title, sizeof title);
    begin.title = title;
    begin.config = &info->config;
    begin.names = etm_session_names_of(&names);
    if (d->pool) {
        begin.names = etm_cli_share_names(&shared, begin.names);
        status = etm_session_load_symbols(session, source);
    }
    if (status == ETM_OK && d->merged)
        status = begin_merged(d, output, info, &begin);
    if (status == ETM_OK)
        status = run_source(options, d, session, source, &begin, &diag);
    etm_clock_free(d->clock);
    d->clock = NULL;
    if (d->pool)
        etm_cli_share_close(&shared);
    etm_cli_progress_stop(&d->pass.progress);
    if (status == ETM_OK)
        etm_cli_pass_tell(&d->pass, options, session, source);
    if (!d->listing &&
        !etm_cli_stats_report(&d->stats, info->id, is_text(options), &d->tally,
                              &d->rows) &&
        status == ETM_OK)
        status = ETM_ERR_MEMORY;
    status = etm_cli_names_status(&names, status, &diag);
    return etm_cli_source_status(status, &diag, output);
}

/* Prepare for making lines or counts. False: out of memory. */
static bool prepare(struct decoding *d, const struct etm_cli_options *options,
                    struct etm_cli_output *output)
{
    struct etm_listing_config config = {.size = sizeof config};

    config.format = d->format = options->format;
    config.write = etm_cli_write;
    config.context = output;
    config.colour = etm_cli_colours(output);
    config.cycles = options->cycles;
    config.lines = options->lines;
    config.no_offset = options->no_offset;
    if (!options->stats && etm_listing_new(&d->listing, &config) != ETM_OK)
        return false;
    if (options->merge) {
        d->merged = etm_cli_merged_new(output, options->format, false);
        return d->merged != NULL;
    }
    if (etm_cli_threads(options) > 1)
        d->pool = etm_cli_pool_new(etm_cli_threads(options), &config);
    return d->pool || etm_cli_threads(options) == 1;
}

static bool print_counts(const struct etm_cli_options *options,
                         struct decoding *d, struct etm_cli_output *output)
{
    bool text = is_text(options);
    const char *end = text ? "\n" : ETM_CLI_JSONL_END;

    return etm_cli_rows_print(&d->rows,
                              text ? etm_cli_stats_text : etm_cli_stats_row,
                              NULL, end, output) &&
           etm_cli_tally_print(&d->tally, end, output);
}

int etm_cli_decode(const struct etm_cli_options *options,
                   struct etm_cli_output *output)
{
    struct etm_cli_capture capture;
    struct decoding d = {0};
    int status;

    status = etm_cli_open(&capture, options, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    if (!prepare(&d, options, output)) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    etm_cli_progress_start(&d.pass.progress, options->stats ? NULL : output,
                           capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        status = etm_cli_pass_find(&d.pass, options, &capture, i);
        if (status == ETM_EXIT_OK)
            status = decode_source(options, output, &d, capture.session,
                                   capture.sources[i]);
    }
    etm_cli_silent_tell(&d.pass.silent, capture.session);
    if (d.merged)
        status = etm_cli_merged_end(d.merged, status);
    if (status == ETM_EXIT_OK && options->stats && !output->unread &&
        !print_counts(options, &d, output)) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    etm_cli_tally_free(&d.tally);
    etm_cli_rows_free(&d.rows);
    etm_cli_pool_free(d.pool);
    etm_listing_free(d.listing);
    etm_cli_merged_free(d.merged);
    etm_cli_close(&capture);
    return status;
}
