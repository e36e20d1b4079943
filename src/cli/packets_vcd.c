/* SPDX-License-Identifier: Apache-2.0 */
/* etm packets --format vcd: the cycles of a trace port as waveforms. */
#include "cli/damage.h"

#define PIECE 1024u

struct waves {
    struct etm_vcd_writer *writer;
    struct etm_port_sample samples[PIECE];
    size_t n;
    bool half; /* the pipestat of the current sample has come */
    struct etm_cli_progress progress;
    struct etm_cli_wire wire;
};

static int hand_on(struct waves *w)
{
    int status = etm_vcd_writer_push(w->writer, w->samples, w->n);

    w->n = 0;
    return status;
}

/* A pipestat, and what was on TRACEPKT after it, are one sample. A record that
 * is bad has no pipestat, and is left out. */
static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct waves *w = context;
    int status = ETM_OK;

    (void)bytes;
    etm_cli_wire_add(&w->wire, packets, n);
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_packet *p = &packets[i];
        struct etm_port_sample *sample = &w->samples[w->n];

        if (p->kind == ETM_PACKET_PIPESTAT) {
            *sample = (struct etm_port_sample){
                .control = (p->fields & ETM_FIELD_ADDRESS) != 0,
                .status = (uint8_t)p->value};
            w->half = true;
        } else if (w->half) {
            sample->data = p->value;
            w->half = false;
            w->n++;
        }
        if (w->n == PIECE)
            status = hand_on(w);
    }
    return status;
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct waves *w = context;

    etm_cli_progress_show(&w->progress, done, total);
}

/* The only source, whose cycles are to be shown; NULL: the message is
 * printed. */
static const struct etm_source_info *
choose_source(const struct etm_cli_capture *capture,
              const struct etm_cli_options *options)
{
    const struct etm_source_info *info;

    if (capture->n_sources != 1) {
        etm_cli_error("%s: --format vcd shows one source: choose it with "
                      "--source",
                      etm_cli_path(options->capture));
        return NULL;
    }
    info = etm_session_source(capture->session, capture->sources[0]);
    if (etm_protocol_is_port(info->config.protocol))
        return info;
    etm_cli_error("%s: --format vcd is for ETMv1 and ETMv2, whose trace is "
                  "cycles of a port",
                  etm_cli_path(options->capture));
    return NULL;
}

static int write_waves(struct waves *w, const struct etm_cli_capture *capture,
                       const struct etm_source_info *info,
                       struct etm_cli_output *output)
{
    const struct etm_port_config port = {
        .size = sizeof port,
        .protocol = info->config.protocol,
        .width = info->config.port_width != 0 ? info->config.port_width : 8,
    };
    const struct etm_vcd_writer_config config = {.size = sizeof config,
                                                 .port = &port,
                                                 .write = etm_cli_write,
                                                 .context = output};
    struct etm_session_run run = {.size = sizeof run};
    struct etm_diag diag = {0};
    int status = etm_vcd_writer_new(&w->writer, &config, &diag);

    run.packets = take_packets;
    run.progress = show_progress;
    run.context = w;
    if (status == ETM_OK)
        status = etm_session_run_source(capture->session, capture->sources[0],
                                        &run, &diag);
    if (status == ETM_OK)
        status = hand_on(w);
    if (status == ETM_OK)
        status = etm_vcd_writer_finish(w->writer);
    etm_cli_progress_stop(&w->progress);
    etm_vcd_writer_free(w->writer);
    if (status == ETM_OK)
        etm_cli_wire_tell(&w->wire, capture->session, capture->sources[0],
                          NULL);
    return etm_cli_status(status, &diag, output);
}

int etm_cli_packets_vcd(const struct etm_cli_options *options,
                        struct etm_cli_output *output)
{
    struct etm_cli_options unopened = *options;
    struct waves w = {.n = 0};
    const struct etm_source_info *info;
    struct etm_cli_capture capture;
    int status;

    /* the output is not touched before it is known that there is a source */
    unopened.output = NULL;
    status = etm_cli_open(&capture, &unopened, output, true);

    if (status != ETM_EXIT_OK)
        return status;
    info = choose_source(&capture, options);
    status = info == NULL ? ETM_EXIT_UNREADABLE
                          : etm_cli_output_open(output, options->output,
                                                capture.session);
    if (status == ETM_EXIT_OK) {
        etm_cli_progress_start(&w.progress, output, 1);
        status = write_waves(&w, &capture, info, output);
    }
    etm_cli_close(&capture);
    return status;
}
