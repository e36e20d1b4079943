/* SPDX-License-Identifier: Apache-2.0 */
/* etm packets: the packets on the wire. */
#include "cli/damage.h"

struct listing {
    struct etm_listing *listing;
    struct etm_cli_progress progress;
    struct etm_cli_wire wire; /* of the current source */
    struct etm_cli_silent silent;
};

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct listing *l = context;

    etm_cli_wire_add(&l->wire, packets, n);
    return etm_listing_packets(l->listing, packets, n, bytes);
}

/* A pipe has nothing at the moment: show what is known. */
static int show_lines(void *context)
{
    struct listing *l = context;

    return etm_listing_flush(l->listing);
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct listing *l = context;

    etm_cli_progress_show(&l->progress, done, total);
    return ETM_OK;
}

static int list_source(struct etm_cli_output *output, struct listing *l,
                       const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_session_names names = {session, source, false};
    struct etm_listing_source begin = {.size = sizeof begin, .id = info->id};
    struct etm_session_run run = {.size = sizeof run};
    struct etm_diag diag = {0};
    char title[256];
    int status, flushed = ETM_OK;

    etm_cli_title(info, title, sizeof title);
    begin.title = title;
    begin.config = &info->config;
    begin.names = etm_session_names_of(&names);
    run.packets = take_packets;
    run.progress = show_progress;
    run.idle = show_lines;
    run.context = l;
    l->wire = (struct etm_cli_wire){0};
    status = etm_listing_begin(l->listing, &begin);
    if (status == ETM_OK)
        status = etm_session_run_source(session, source, &run, &diag);
    /* also if it failed, for what came before */
    if (status == ETM_OK || l->wire.n != 0)
        flushed = etm_listing_flush(l->listing);
    if (status == ETM_OK)
        status = flushed;
    etm_cli_progress_stop(&l->progress);
    if (status == ETM_OK)
        etm_cli_wire_tell(&l->wire, session, source, &l->silent);
    status = etm_cli_names_status(&names, status, &diag);
    return etm_cli_source_status(status, &diag, output);
}

/* A format may not have room for every capture. */
static bool has_room(const struct etm_listing_format *format,
                     const struct etm_cli_capture *capture, const char *path)
{
    const struct etm_source_info *info;

    if (format->one_source && capture->n_sources != 1) {
        etm_cli_error("%s: --format %s shows one source: choose it with "
                      "--source",
                      etm_cli_path(path), format->name);
        return false;
    }
    for (size_t i = 0; format->port_only && i < capture->n_sources; i++) {
        info = etm_session_source(capture->session, capture->sources[i]);
        if (etm_protocol_is_port(info->config.protocol))
            continue;
        etm_cli_error("%s: --format %s is for ETMv1 and ETMv2, whose trace is "
                      "cycles of a port",
                      etm_cli_path(path), format->name);
        return false;
    }
    return true;
}

/* Open the capture, and then the output: that is not touched before it is known
 * that there is something to show. */
static int open_both(struct etm_cli_capture *capture,
                     const struct etm_cli_options *options,
                     struct etm_cli_output *output)
{
    const struct etm_listing_format *format;
    struct etm_cli_options unopened = *options;
    int status;

    if (etm_listing_format_find(options->format, &format) != ETM_OK ||
        (!format->one_source && !format->port_only))
        return etm_cli_open(capture, options, output, true);
    unopened.output = NULL;
    status = etm_cli_open(capture, &unopened, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    status =
        has_room(format, capture, options->capture)
            ? etm_cli_output_open(output, options->output, capture->session)
            : ETM_EXIT_UNREADABLE;
    if (status != ETM_EXIT_OK)
        etm_cli_close(capture);
    return status;
}

int etm_cli_packets(const struct etm_cli_options *options,
                    struct etm_cli_output *output)
{
    struct etm_diag diag = {0};
    struct etm_listing_config config = {.size = sizeof config};
    struct etm_cli_capture capture;
    struct listing l = {0};
    int status;

    status = open_both(&capture, options, output);
    if (status != ETM_EXIT_OK)
        return status;
    config.format = options->format;
    config.write = etm_cli_write;
    config.context = output;
    config.colour = etm_cli_colours(output);
    config.no_offset = options->no_offset;
    if (etm_listing_new(&l.listing, &config) != ETM_OK) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    etm_cli_progress_start(&l.progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        l.progress.part = i;
        status = list_source(output, &l, capture.session, capture.sources[i]);
    }
    if (status == ETM_EXIT_OK)
        status = etm_cli_status(etm_listing_finish(l.listing), &diag, output);
    etm_cli_silent_tell(&l.silent, capture.session);
    etm_listing_free(l.listing);
    etm_cli_close(&capture);
    return status;
}
