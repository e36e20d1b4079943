/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of ETMv1 and ETMv2, which are cycles of a trace port, as a value
 * change dump. */
#include "write/listing.h"

#define PIECE 1024u

struct waves {
    struct etm_vcd_writer *writer;
    struct etm_port_sample samples[PIECE];
    size_t n;
    bool half; /* the pipestat of the current sample has come */
};

static void fail(struct etm_listing *l, int status)
{
    if (l->out.status == ETM_OK)
        l->out.status = status;
}

static void vcd_begin(struct etm_listing *l)
{
    struct waves *w = l->state;
    const struct etm_port_config port = {
        .size = sizeof port,
        .protocol = l->trace.protocol,
        .width = l->trace.port_width != 0 ? l->trace.port_width : 8,
    };
    const struct etm_vcd_writer_config config = {.size = sizeof config,
                                                 .port = &port,
                                                 .write = l->config.write,
                                                 .context = l->config.context,
                                                 .allocator =
                                                     &l->out.allocator};

    if (w->writer || !etm_protocol_is_port(port.protocol))
        fail(l, ETM_ERR_UNSUPPORTED);
    else
        fail(l, etm_vcd_writer_new(&w->writer, &config, NULL));
}

static void hand_on(struct etm_listing *l)
{
    struct waves *w = l->state;

    fail(l, etm_vcd_writer_push(w->writer, w->samples, w->n));
    w->n = 0;
}

/* A pipestat, and what was on TRACEPKT after it, are one sample. A record that
 * is bad has no pipestat, and is left out. */
static void vcd_packet(struct etm_listing *l, const struct etm_packet *p)
{
    struct waves *w = l->state;
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
        hand_on(l);
}

static void vcd_finish(struct etm_listing *l)
{
    struct waves *w = l->state;

    if (!w->writer)
        return;
    hand_on(l);
    if (l->out.status == ETM_OK)
        fail(l, etm_vcd_writer_finish(w->writer));
}

static void vcd_fini(struct etm_listing *l)
{
    struct waves *w = l->state;

    etm_vcd_writer_free(w->writer);
}

const struct etm_format etm_format_vcd = {
    .about = {.name = "vcd",
              .extension = "vcd",
              .description = "value change dump of a trace port's cycles",
              .takes = ETM_LISTING_PACKETS,
              .one_source = true,
              .port_only = true},
    .state_size = sizeof(struct waves),
    .begin = vcd_begin,
    .record = vcd_packet,
    .finish = vcd_finish,
    .fini = vcd_fini,
};
