/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: records of the trace port to packets. */
#include "proto/etmv2.h"

#include <string.h>

void etm_etmv2_decoder_init(struct etm_etmv2_decoder *d,
                            const struct etm_config *config)
{
    memset(d, 0, sizeof *d);
    etm_etmv2_fifo_init(&d->fifo, config);
    d->size = (uint8_t)etm_sample_size(config);
}

static inline void pipestat(const struct etm_etmv2_decoder *d, uint8_t byte,
                            struct etm_packet *p)
{
    static const struct etm_packet zero;

    *p = zero;
    p->kind = ETM_PACKET_PIPESTAT;
    p->offset = d->offset;
    p->size = 1;
    p->header = byte;
    p->value = byte & ETM_SAMPLE_STATUS;
}

static enum etm_packet_kind kind_of(const struct etm_etmv2_record *r)
{
    if (r->bad)
        return ETM_PACKET_BAD;
    if (r->use == ETM_USE_TFO)
        return ETM_PACKET_TFO;
    return r->use == ETM_USE_UNKNOWN ? ETM_PACKET_UNSYNCHRONIZED
                                     : ETM_PACKET_TRACE_PACKET;
}

/* What the TRACEPKT pins carried. */
static inline void trace_packet(const struct etm_etmv2_decoder *d,
                                uint32_t pins, uint8_t status,
                                const struct etm_etmv2_record *r,
                                struct etm_packet *p)
{
    static const struct etm_packet zero;

    *p = zero;
    p->kind = (uint8_t)kind_of(r);
    p->offset = d->offset + 1;
    p->size = d->size - 1u;
    p->header = (uint8_t)pins;
    p->value = pins;
    p->value_bytes = (uint8_t)(d->size - 1u);
    p->info = status;
    p->use = r->use;
    p->count = r->use == ETM_USE_PACKETS ? r->count : 0;
    if (r->tfo_known) {
        p->address = r->tfo_value;
        p->address_bits = 7;
        p->fields = ETM_FIELD_ADDRESS;
    }
}

/* A whole record: its two packets. */
static void record(struct etm_etmv2_decoder *d, const uint8_t *bytes,
                   struct etm_packet *pair)
{
    struct etm_etmv2_record r;
    uint8_t status = bytes[0] & ETM_SAMPLE_STATUS;
    uint32_t pins = bytes[1];

    if (d->size > 2)
        pins |= (uint32_t)bytes[2] << 8;
    etm_etmv2_fifo_record(&d->fifo, status, pins, &r);
    pipestat(d, bytes[0], &pair[0]);
    trace_packet(d, pins, status, &r, &pair[1]);
    d->offset += d->size;
}

int etm_etmv2_decoder_push(struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    int status = etm_vec_reserve(out, 2 * (n / d->size + 1));
    struct etm_packet *k;

    if (status != ETM_OK)
        return status;
    k = (struct etm_packet *)out->data + out->n;
    while (n != 0) {
        if (d->n_carry == 0 && n >= d->size) {
            record(d, bytes, k);
            k += 2;
            bytes += d->size;
            n -= d->size;
            continue;
        }
        d->carry[d->n_carry++] = *bytes++;
        n--;
        if (d->n_carry == d->size) {
            d->n_carry = 0;
            record(d, d->carry, k);
            k += 2;
        }
    }
    out->n = (size_t)(k - (struct etm_packet *)out->data);
    return ETM_OK;
}

size_t etm_etmv2_decoder_one(struct etm_etmv2_decoder *d, const uint8_t *bytes,
                             size_t n, struct etm_vec *out)
{
    size_t rest = (size_t)d->size - d->n_carry;

    n = n < rest ? n : rest;
    return etm_etmv2_decoder_push(d, bytes, n, out) == ETM_OK ? n : 0;
}

/* The stream is broken: what is left of a record is bad. */
static int cut(struct etm_etmv2_decoder *d, uint16_t fields,
               struct etm_vec *out)
{
    struct etm_packet p = {.kind = ETM_PACKET_BAD,
                           .offset = d->offset,
                           .size = d->n_carry,
                           .header = d->carry[0],
                           .fields = fields};

    etm_etmv2_fifo_reset(&d->fifo);
    if (d->n_carry == 0)
        return ETM_OK;
    d->offset += d->n_carry;
    d->n_carry = 0;
    return etm_vec_append(out, &p, 1);
}

int etm_etmv2_decoder_gap(struct etm_etmv2_decoder *d, struct etm_vec *out)
{
    return cut(d, 0, out);
}

int etm_etmv2_decoder_finish(struct etm_etmv2_decoder *d, struct etm_vec *out)
{
    return cut(d, ETM_FIELD_TRUNCATED, out);
}
