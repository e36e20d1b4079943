/* SPDX-License-Identifier: Apache-2.0 */
/* etm packets: what stands on the wire. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct listing {
    struct etm_listing *listing;
    struct etm_cli_progress progress;
    /* of the source at hand: its packets, and damage */
    uint64_t n, bad, bad_bytes, unsynchronized_bytes;
};

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct listing *l = context;

    l->n += n;
    for (size_t i = 0; i < n; i++) {
        if (packets[i].kind == ETM_PACKET_UNSYNCHRONIZED) {
            l->unsynchronized_bytes += packets[i].size;
        } else if (packets[i].kind == ETM_PACKET_BAD ||
                   packets[i].kind == ETM_PACKET_RESERVED) {
            l->bad++;
            l->bad_bytes += packets[i].size;
        }
    }
    return etm_listing_packets(l->listing, packets, n, bytes);
}

/* A pipe brings nothing for a moment: what is known can be read. */
static int show_lines(void *context)
{
    struct listing *l = context;

    return etm_listing_flush(l->listing);
}

/* One line on standard error, if there was damage or nothing at all. */
static void tell_damage(const struct listing *l,
                        const struct etm_source_info *info)
{
    if (l->n == 0)
        etm_cli_error("%s (0x%02x): there is nothing to decode", info->name,
                      info->id);
    if (l->bad == 0 && l->unsynchronized_bytes == 0)
        return;
    fprintf(stderr, "etm: %s (0x%02x): ", info->name, info->id);
    if (l->bad > 0)
        fprintf(stderr, "%" PRIu64 " byte%s in %" PRIu64 " bad packet%s%s",
                l->bad_bytes, etm_cli_plural(l->bad_bytes), l->bad,
                etm_cli_plural(l->bad),
                l->unsynchronized_bytes > 0 ? "; " : "");
    if (l->unsynchronized_bytes > 0)
        fprintf(stderr, "%" PRIu64 " byte%s unsynchronized",
                l->unsynchronized_bytes,
                etm_cli_plural(l->unsynchronized_bytes));
    fputc('\n', stderr);
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct listing *l = context;

    etm_cli_progress_show(&l->progress, done, total);
}

static int list_source(struct etm_cli_output *output, struct listing *l,
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
    run.packets = take_packets;
    run.progress = show_progress;
    run.idle = show_lines;
    run.context = l;
    l->n = l->bad = l->bad_bytes = l->unsynchronized_bytes = 0;
    status = etm_listing_begin(l->listing, &begin);
    if (status == ETM_OK)
        status = etm_session_run(session, source, &run, &diag);
    if (status == ETM_OK)
        status = etm_listing_flush(l->listing);
    etm_cli_progress_stop(&l->progress);
    if (status == ETM_OK)
        tell_damage(l, info);
    return etm_cli_status(status, &diag, output);
}

int etm_cli_packets(const struct etm_cli_options *options,
                    struct etm_cli_output *output)
{
    struct etm_listing_config config = {.size = sizeof config};
    struct etm_cli_capture capture;
    struct listing l = {0};
    int status;

    if (strcmp(options->format, "vcd") == 0)
        return etm_cli_packets_vcd(options, output);
    status = etm_cli_open(&capture, options, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    config.format = options->format;
    config.write = etm_cli_write;
    config.context = output;
    config.colour = etm_cli_colours(options, output);
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
    etm_listing_free(l.listing);
    etm_cli_close(&capture);
    return status;
}
