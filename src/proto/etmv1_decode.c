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
    case ETM_ETMV1_IE: /* packets of another instruction may be on their way */
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

bool etm_etmv1_vector_at(const struct etm_config *config, uint32_t address,
                         enum etm_isa isa, enum etm_exception_type *type)
{
    uint32_t offset = address - (config->high_vectors ? ETM_HIGH_VECTORS : 0);

    *type = ETM_EXCEPTION_RESERVED;
    if (isa != ETM_ISA_ARM || offset % 4 != 0 || offset >= ETM_VECTORS_SIZE)
        return false;
    *type = etm_exception_of_vector(offset);
    return true;
}

void etm_etmv1_decoder_init(struct etm_etmv1_decoder *d,
                            const struct etm_config *config)
{
    memset(d, 0, sizeof *d);
    d->size = (uint8_t)etm_sample_size(config);
    d->pins = (uint8_t)etm_sample_width(config);
    d->mask = d->pins < 8 ? 0x0f : 0xffff;
    for (unsigned i = 0; i <= ETM_ETMV1_RESERVED; i++)
        d->forms[i] = (struct etm_etmv1_form){
            (uint8_t)i, (uint8_t)etm_etmv1_use((enum etm_etmv1_status)i)};
    for (unsigned b = 0; b < 256; b++) {
        d->status[b] = ETM_ETMV1_RESERVED;
        for (size_t i = 0; i < sizeof status_rows / sizeof status_rows[0]; i++)
            if ((b & status_rows[i].mask) == status_rows[i].value)
                d->status[b] = status_rows[i].kind;
    }
}

/* Put the available bytes of a record into one `bad` packet. */
static void fill_bad(const struct etm_etmv1_decoder *d, const uint8_t *record,
                     unsigned n, uint16_t fields, struct etm_packet *k)
{
    *k = (struct etm_packet){.kind = ETM_PACKET_BAD,
                             .offset = d->offset,
                             .size = n,
                             .header = record[0],
                             .fields = fields};
}

/* Make the packets of a complete record: one or two; returns how many. */
static inline unsigned fill(const struct etm_etmv1_decoder *d,
                            const uint8_t *record, struct etm_packet *k)
{
    static const struct etm_packet zero;
    const struct etm_etmv1_form *form = &d->forms[d->status[record[0]]];

    if (form->status == ETM_ETMV1_RESERVED) {
        fill_bad(d, record, d->size, 0, k);
        return 1;
    }
    k[0] = zero;
    k[0].kind = ETM_PACKET_PIPESTAT;
    k[0].offset = d->offset;
    k[0].size = 1;
    k[0].header = record[0];
    k[0].value = form->status;
    if ((record[0] & ETM_SAMPLE_SYNC) != 0)
        k[0].fields = ETM_FIELD_ADDRESS;
    k[1] = zero;
    k[1].kind = ETM_PACKET_TRACE_PACKET;
    k[1].offset = d->offset + 1;
    k[1].size = d->size - 1u;
    k[1].header = record[1];
    k[1].info = form->status;
    k[1].value = etm_etmv1_pins(d, record);
    k[1].value_bytes = (uint8_t)(d->size - 1u);
    k[1].use = form->use;
    return 2;
}

/* Take bytes up to the end of the current record; *more becomes the number of
 * its packets. Returns the number of bytes taken. */
static size_t complete(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                       size_t n, struct etm_packet *k, unsigned *more)
{
    size_t used = 0;

    *more = 0;
    while (used < n && d->n < d->size && d->n < ETM_SAMPLE_MAX)
        d->record[d->n++] = bytes[used++];
    if (d->n == d->size) {
        *more = fill(d, d->record, k);
        d->offset += d->n;
        d->n = 0;
    }
    return used;
}

size_t etm_etmv1_decoder_one(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                             size_t n, struct etm_vec *out)
{
    unsigned more;

    n = complete(d, bytes, n, (struct etm_packet *)out->data + out->n, &more);
    out->n += more;
    return n;
}

int etm_etmv1_decoder_push(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_packet *k;
    const uint8_t *end = bytes + n;
    unsigned more;
    int status = etm_vec_reserve(out, 2 * (n / d->size + 1));

    if (status != ETM_OK)
        return status;
    k = (struct etm_packet *)out->data + out->n;
    if (d->n != 0) {
        bytes += complete(d, bytes, n, k, &more);
        k += more;
    }
    for (; (size_t)(end - bytes) >= d->size; bytes += d->size) {
        k += fill(d, bytes, k);
        d->offset += d->size;
    }
    (void)complete(d, bytes, (size_t)(end - bytes), k, &more);
    out->n = (size_t)(k - (struct etm_packet *)out->data);
    return ETM_OK;
}

/* A record that is not continued. */
static int cut_off(struct etm_etmv1_decoder *d, uint16_t fields,
                   struct etm_vec *out)
{
    struct etm_packet packet;

    if (d->n == 0)
        return ETM_OK;
    fill_bad(d, d->record, d->n, fields, &packet);
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
