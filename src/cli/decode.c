/* SPDX-License-Identifier: Apache-2.0 */
/* etm decode: the program that ran. */
#define _POSIX_C_SOURCE 200809L
#include "cli/part.h"
#include "cli/pool.h"
#include "cli/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REASONS 8

struct decoding {
    struct etm_listing *listing;
    struct etm_cli_pool *pool; /* in its place, if there are threads for it */
    struct etm_cli_progress progress;
    /* damage of the source at hand, by enum etm_lost_reason */
    uint64_t lost[REASONS], lost_bytes[REASONS];
    uint64_t no_image;
    struct etm_cli_part part;
    bool ended;    /* at the end of the part, before that of the capture */
    bool counting; /* --stats: counts in place of the listing */
    struct etm_cli_stats stats;
    struct etm_cli_tally tally;
};

/* Cycles that an element stands for. */
static uint64_t cycles_of(const struct etm_element *e)
{
    uint64_t n = 0;

    if (e->kind == ETM_ELEMENT_RANGE)
        n = e->u.range.cycles;
    else if (e->kind == ETM_ELEMENT_INSN)
        n = e->u.insn.cycles;
    else if (e->kind == ETM_ELEMENT_CYCLES)
        n = e->u.cycles.n;
    return n == ETM_CYCLES_UNKNOWN ? 0 : n;
}

/* How many of the elements come before the end of the part. */
static size_t before_end(struct etm_cli_part *part,
                         const struct etm_element *elements, size_t n)
{
    for (size_t i = 0; i < n && part->until != ETM_CLI_BYTES; i++) {
        const struct etm_element *e = &elements[i];

        part->cycles += cycles_of(e);
        if (part->until == ETM_CLI_CYCLES
                ? part->cycles > part->limit
                : e->kind == ETM_ELEMENT_TIMESTAMP &&
                      e->u.timestamp.value > part->limit)
            return i;
    }
    return n;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct decoding *d = context;
    size_t all = n;
    int status = ETM_OK;

    n = before_end(&d->part, elements, n);
    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind == ETM_ELEMENT_LOST) {
            d->lost[elements[i].u.lost.reason % REASONS]++;
            d->lost_bytes[elements[i].u.lost.reason % REASONS] +=
                elements[i].u.lost.bytes;
        } else if (elements[i].kind == ETM_ELEMENT_NO_IMAGE) {
            d->no_image++;
        }
    }
    if (d->counting)
        etm_cli_stats_add(&d->stats, elements, n);
    else if (n != 0 && d->pool)
        status = etm_cli_pool_elements(d->pool, elements, n);
    else if (n != 0)
        status = etm_listing_elements(d->listing, elements, n);
    d->ended = n < all;
    return status == ETM_OK && d->ended ? ETM_ERR_STOPPED : status;
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct decoding *d = context;

    etm_cli_progress_show(&d->progress, done, total);
}

/* One line on standard error, if there was damage. */
static void tell_damage(const struct decoding *d,
                        const struct etm_source_info *info)
{
    const char *between = "";
    uint64_t any = d->no_image;

    for (size_t i = 0; i < REASONS; i++)
        any += d->lost[i];
    if (any == 0)
        return;
    fprintf(stderr, "etm: %s (0x%02x): ", info->name, info->id);
    for (size_t i = 0; i < REASONS; i++) {
        if (d->lost[i] == 0)
            continue;
        fprintf(stderr, "%s%s: %" PRIu64 " bytes lost in %" PRIu64 " place%s",
                between, etm_lost_name((enum etm_lost_reason)i),
                d->lost_bytes[i], d->lost[i], d->lost[i] == 1 ? "" : "s");
        between = "; ";
    }
    if (d->no_image > 0)
        fprintf(stderr, "%scode missing at %" PRIu64 " place%s", between,
                d->no_image, d->no_image == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* Threads that were asked for. */
static unsigned threads(const struct etm_cli_options *options)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (options->jobs != 0)
        return options->jobs;
    return n > 0 ? (unsigned)n : 1;
}

/* Making lines takes several times as long as decoding: where there are
 * threads for that, few are for decoding. */
static unsigned decoding_threads(const struct etm_cli_options *options,
                                 const struct decoding *d)
{
    unsigned n = threads(options);

    if (!d->pool)
        return n;
    return n / 4 > 1 ? n / 4 : 1;
}

static int begin_listing(struct decoding *d,
                         const struct etm_listing_source *source)
{
    if (d->counting)
        return ETM_OK;
    if (d->pool)
        return etm_cli_pool_begin(d->pool, source);
    return etm_listing_begin(d->listing, source);
}

static int out_of_memory(struct etm_diag *diag)
{
    *diag = (struct etm_diag){.status = ETM_ERR_MEMORY,
                              .line = ETM_DIAG_NONE,
                              .offset = ETM_DIAG_NONE,
                              .address = ETM_DIAG_NONE};
    return ETM_ERR_MEMORY;
}

static int decode_source(const struct etm_cli_options *options,
                         struct etm_cli_output *output, struct decoding *d,
                         const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_cli_names names = {session, source};
    struct etm_listing_source begin = {.size = sizeof begin, .id = info->id};
    struct etm_session_run run = {.size = sizeof run};
    struct etm_diag diag = {0};
    char title[256];
    int status;

    etm_cli_title(info, title, sizeof title);
    begin.title = title;
    begin.config = &info->config;
    begin.names = etm_cli_names_hook(&names);
    run.level = options->level;
    run.elements = take_elements;
    run.progress = show_progress;
    run.context = d;
    run.jobs = decoding_threads(options, d);
    run.begin = d->part.begin;
    run.end = d->part.end;
    run.start = d->part.start;
    d->ended = false;
    memset(d->lost, 0, sizeof d->lost);
    memset(d->lost_bytes, 0, sizeof d->lost_bytes);
    d->no_image = 0;
    status = begin_listing(d, &begin);
    if (status == ETM_OK && !d->part.nothing)
        status = etm_session_run(session, source, &run, &diag);
    if (status == ETM_ERR_STOPPED && d->ended)
        status = ETM_OK;
    if (status == ETM_OK)
        status = d->pool ? etm_cli_pool_flush(d->pool)
                         : etm_listing_flush(d->listing);
    etm_cli_progress_stop(&d->progress);
    if (status == ETM_OK)
        tell_damage(d, info);
    if (d->counting && !etm_cli_stats_tell(&d->stats, info->id, &d->tally) &&
        status == ETM_OK)
        status = out_of_memory(&diag);
    return etm_cli_status(status, &diag, output);
}

int etm_cli_decode(const struct etm_cli_options *options,
                   struct etm_cli_output *output)
{
    struct etm_listing_config config = {.size = sizeof config};
    struct etm_cli_capture capture;
    struct decoding d = {0};
    int status;

    status = etm_cli_open(&capture, options, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    d.counting = options->stats;
    config.format = options->format;
    config.write = etm_cli_write;
    config.context = output;
    config.colour = etm_cli_colours(options, output);
    config.cycles = options->cycles;
    config.lines = options->lines;
    if (etm_listing_new(&d.listing, &config) != ETM_OK) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    /* a line of text depends on those before it */
    if (threads(options) > 1 && !d.counting &&
        strcmp(options->format, "jsonl") == 0)
        d.pool = etm_cli_pool_new(threads(options), &config);
    etm_cli_progress_start(&d.progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        d.progress.part = i;
        status = etm_cli_part_find(options, capture.session, capture.sources[i],
                                   &d.part);
        if (status == ETM_EXIT_OK)
            status = decode_source(options, output, &d, capture.session,
                                   capture.sources[i]);
    }
    if (status == ETM_EXIT_OK && d.counting)
        etm_cli_tally_print(&d.tally, output);
    etm_cli_tally_free(&d.tally);
    etm_cli_pool_free(d.pool);
    etm_listing_free(d.listing);
    etm_cli_close(&capture);
    return status;
}
