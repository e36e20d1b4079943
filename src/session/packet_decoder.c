/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes -> packets, whatever the protocol (include/etm/packet.h). */
#include "base/size.h"
#include "regs/regs.h"
#include "session/protocols.h"

#include <string.h>

/* Bytes taken at a time: their packets, up to one a byte, stay in the first
 * cache of the processor. */
#define PIECE 512u

struct etm_packet_decoder {
    struct etm_allocator allocator;
    const struct etm_protocol_row *row;
    union etm_proto_any proto;
    struct etm_vec packets;
    etm_packet_fn *give;
    void *context;
    int stopped; /* error of an earlier call, which all later ones return */
    bool finished;
    bool giving; /* giving packets to a callback, which may not call us */
};

int etm_packet_decoder_new(struct etm_packet_decoder **decoder,
                           const struct etm_packet_decoder_config *config)
{
    const struct etm_protocol_row *row;
    struct etm_packet_decoder_config own;
    struct etm_config trace;
    struct etm_allocator a;
    struct etm_packet_decoder *d;
    int status;

    if (decoder == NULL)
        return ETM_ERR_ARGUMENT;
    *decoder = NULL;
    status = ETM_TAKE(etm_packet_decoder_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->packets == NULL)
        return ETM_ERR_ARGUMENT;
    status = etm_config_take(&trace, config->config, NULL);
    if (status != ETM_OK)
        return status;
    row = etm_protocol_row(trace.protocol);
    if (row == NULL)
        return ETM_ERR_UNSUPPORTED;
    a = etm_allocator_or_default(config->allocator);
    d = etm_alloc_zero(&a, sizeof *d);
    if (d == NULL)
        return ETM_ERR_MEMORY;
    d->allocator = a;
    d->row = row;
    d->give = config->packets;
    d->context = config->context;
    etm_vec_init(&d->packets, sizeof(struct etm_packet), &a);
    row->init(&d->proto, &trace);
    *decoder = d;
    return ETM_OK;
}

void etm_packet_decoder_enter(struct etm_packet_decoder *d, uint64_t offset)
{
    d->row->enter(&d->proto, offset);
}

static int give(struct etm_packet_decoder *d, int status)
{
    if (status == ETM_OK && d->packets.n != 0) {
        d->giving = true;
        status = d->give(d->context, d->packets.data, d->packets.n);
        d->giving = false;
    }
    d->packets.n = 0;
    d->stopped = status;
    return status;
}

/* May it continue? Otherwise the error that it failed with, or ETM_ERR_ARGUMENT
 * after its end and within a callback. */
static int may_go_on(const struct etm_packet_decoder *d)
{
    if (d == NULL || d->giving)
        return ETM_ERR_ARGUMENT;
    return d->stopped == ETM_OK && d->finished ? ETM_ERR_ARGUMENT : d->stopped;
}

int etm_packet_decoder_push(struct etm_packet_decoder *d, const uint8_t *bytes,
                            size_t n)
{
    int status = may_go_on(d);

    if (status == ETM_OK && bytes == NULL && n != 0)
        status = ETM_ERR_ARGUMENT;
    while (n != 0 && status == ETM_OK) {
        size_t piece = n < PIECE ? n : PIECE;
        status = give(d, d->row->push(&d->proto, bytes, piece, &d->packets));
        bytes += piece;
        n -= piece;
    }
    return status;
}

int etm_packet_decoder_gap(struct etm_packet_decoder *d)
{
    int status = may_go_on(d);

    if (status != ETM_OK)
        return status;
    return give(d, d->row->gap(&d->proto, &d->packets));
}

int etm_packet_decoder_finish(struct etm_packet_decoder *d)
{
    int status = may_go_on(d);

    if (status != ETM_OK)
        return status;
    d->finished = true;
    return give(d, d->row->finish(&d->proto, &d->packets));
}

void etm_packet_decoder_free(struct etm_packet_decoder *d)
{
    struct etm_allocator a;

    if (d == NULL)
        return;
    a = d->allocator;
    etm_vec_fini(&d->packets);
    etm_alloc_free(&a, d);
}

int etm_packet_encode(const struct etm_config *config,
                      const struct etm_packet *packet, uint8_t *bytes,
                      size_t capacity)
{
    const struct etm_protocol_row *row;
    struct etm_writer w = etm_writer_of(bytes, capacity);
    struct etm_config own;
    int status;

    if (packet == NULL || (bytes == NULL && capacity != 0))
        return ETM_ERR_ARGUMENT;
    status = ETM_TAKE(etm_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    row = etm_protocol_row(config->protocol);
    if (row == NULL)
        return ETM_ERR_UNSUPPORTED;
    status = row->encode(config, packet, &w);
    if (status == ETM_OK && w.full)
        status = ETM_ERR_ARGUMENT;
    return status == ETM_OK ? (int)etm_writer_size(&w) : status;
}
