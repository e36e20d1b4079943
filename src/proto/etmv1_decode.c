/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1: records to packets (ETM architecture, chapter 5). Records have a
 * fixed size, so that a bad one never costs the next.
 */
#include "proto/etmv1.h"

#include <string.h>

/* The first byte of a record: TRACESYNC, and PIPESTAT by table 5-1. */
static const struct etm_etmv1_status_row status_rows[] = {
    /* s0000000 */ {0x7f, 0x00, ETM_ETMV1_IE},
    /* s0000001 */ {0x7f, 0x01, ETM_ETMV1_ID},
    /* s0000010 */ {0x7f, 0x02, ETM_ETMV1_IN},
    /* s0000011 */ {0x7f, 0x03, ETM_ETMV1_WT},
    /* s0000100 */ {0x7f, 0x04, ETM_ETMV1_BE},
    /* s0000101 */ {0x7f, 0x05, ETM_ETMV1_BD},
    /* s0000110 */ {0x7f, 0x06, ETM_ETMV1_TR},
    /* s0000111 */ {0x7f, 0x07, ETM_ETMV1_TD},
    /* s0001xxx */ {0x78, 0x08, ETM_ETMV1_RESERVED},
    /* s001xxxx */ {0x70, 0x10, ETM_ETMV1_RESERVED},
    /* s01xxxxx */ {0x60, 0x20, ETM_ETMV1_RESERVED},
    /* s1xxxxxx */ {0x40, 0x40, ETM_ETMV1_RESERVED},
};

const struct etm_etmv1_status_row *etm_etmv1_status_rows(size_t *n)
{
    *n = sizeof status_rows / sizeof status_rows[0];
    return status_rows;
}

enum etm_packet_use etm_etmv1_use(enum etm_etmv1_status status)
{
    switch (status) {
    case ETM_ETMV1_WT:
        return ETM_USE_PACKETS;
    case ETM_ETMV1_TR:
        return ETM_USE_STATUS;
    case ETM_ETMV1_IE: /* those of another instruction may be on their way */
    case ETM_ETMV1_ID:
    case ETM_ETMV1_IN:
    case ETM_ETMV1_BE:
    case ETM_ETMV1_BD:
        return ETM_USE_IF_ANY;
    case ETM_ETMV1_TD:
    case ETM_ETMV1_RESERVED:
        break;
    }
    return ETM_USE_NOTHING;
}

void etm_etmv1_decoder_init(struct etm_etmv1_decoder *d,
                            const struct etm_config *config)
{
    memset(d, 0, sizeof *d);
    d->size = (uint8_t)etm_sample_size(config);
    d->pins = (uint8_t)etm_sample_width(config);
    for (unsigned b = 0; b < 256; b++) {
        d->status[b] = ETM_ETMV1_RESERVED;
        for (size_t i = 0; i < sizeof status_rows / sizeof status_rows[0]; i++)
            if ((b & status_rows[i].mask) == status_rows[i].value)
                d->status[b] = status_rows[i].kind;
    }
}

/* TRACEPKT; a port of four pins has nothing above them. */
static uint32_t pins_of(const struct etm_etmv1_decoder *d)
{
    uint32_t pins = d->record[1];

    if (d->size == 3)
        pins |= (uint32_t)d->record[2] << 8;
    return d->pins < 8 ? pins & 0x0f : pins;
}

/* The bytes of a record that are at hand as one packet that says nothing. */
static void fill_bad(const struct etm_etmv1_decoder *d, uint16_t fields,
                     struct etm_packet *k)
{
    *k = (struct etm_packet){.kind = ETM_PACKET_BAD,
                             .offset = d->offset,
                             .size = d->n,
                             .header = d->record[0],
                             .fields = fields};
}

/* A whole record: one or two packets; returns how many. */
static unsigned fill(const struct etm_etmv1_decoder *d, struct etm_packet *k)
{
    unsigned status = d->status[d->record[0]];

    if (status == ETM_ETMV1_RESERVED) {
        fill_bad(d, 0, k);
        return 1;
    }
    k[0] = (struct etm_packet){.kind = ETM_PACKET_PIPESTAT,
                               .offset = d->offset,
                               .size = 1,
                               .header = d->record[0],
                               .value = status};
    if ((d->record[0] & ETM_SAMPLE_SYNC) != 0)
        k[0].fields = ETM_FIELD_ADDRESS;
    k[1] = (struct etm_packet){
        .kind = ETM_PACKET_TRACE_PACKET,
        .offset = d->offset + 1,
        .size = d->size - 1u,
        .header = d->record[1],
        .info = (uint8_t)status,
        .value = pins_of(d),
        .value_bytes = (uint8_t)(d->size - 1u),
        .use = (uint8_t)etm_etmv1_use((enum etm_etmv1_status)status)};
    return 2;
}

int etm_etmv1_decoder_push(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    int status = etm_vec_reserve(out, 2 * (n / d->size + 1));

    if (status != ETM_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        d->record[d->n++] = bytes[i];
        if (d->n < d->size)
            continue;
        out->n += fill(d, (struct etm_packet *)out->data + out->n);
        d->offset += d->n;
        d->n = 0;
    }
    return ETM_OK;
}

/* A record that does not go on. */
static int cut_off(struct etm_etmv1_decoder *d, uint16_t fields,
                   struct etm_vec *out)
{
    struct etm_packet packet;

    if (d->n == 0)
        return ETM_OK;
    fill_bad(d, fields, &packet);
    d->offset += d->n;
    d->n = 0;
    return etm_vec_append(out, &packet, 1);
}

int etm_etmv1_decoder_gap(struct etm_etmv1_decoder *d, struct etm_vec *out)
{
    return cut_off(d, 0, out);
}

int etm_etmv1_decoder_finish(struct etm_etmv1_decoder *d, struct etm_vec *out)
{
    return cut_off(d, ETM_FIELD_TRUNCATED, out);
}
