/* SPDX-License-Identifier: Apache-2.0 */
/* etm decode: the program that ran. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REASONS 8

struct decoding {
    struct etm_listing *listing;
    struct etm_cli_progress progress;
    /* damage of the source at hand, by enum etm_lost_reason */
    uint64_t lost[REASONS], lost_bytes[REASONS];
    uint64_t no_image;
};

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct decoding *d = context;

    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind == ETM_ELEMENT_LOST) {
            d->lost[elements[i].u.lost.reason % REASONS]++;
            d->lost_bytes[elements[i].u.lost.reason % REASONS] +=
                elements[i].u.lost.bytes;
        } else if (elements[i].kind == ETM_ELEMENT_NO_IMAGE) {
            d->no_image++;
        }
    }
    return etm_listing_elements(d->listing, elements, n);
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
    memset(d->lost, 0, sizeof d->lost);
    memset(d->lost_bytes, 0, sizeof d->lost_bytes);
    d->no_image = 0;
    status = etm_listing_begin(d->listing, &begin);
    if (status == ETM_OK)
        status = etm_session_run(session, source, &run, &diag);
    if (status == ETM_OK)
        status = etm_listing_flush(d->listing);
    etm_cli_progress_stop(&d->progress);
    if (status == ETM_OK)
        tell_damage(d, info);
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
    etm_cli_progress_start(&d.progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        d.progress.part = i;
        status = decode_source(options, output, &d, capture.session,
                               capture.sources[i]);
    }
    etm_listing_free(d.listing);
    etm_cli_close(&capture);
    return status;
}
