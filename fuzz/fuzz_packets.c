/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as packets of any protocol: cut or whole, they are the same. Each
 * packet that a decoder makes and that can be encoded is encoded, and the
 * decoder makes it of that again: behind an A-sync where the protocol has
 * these, else in its place among the others.
 */
#include "fuzz.h"

#include "base/vec.h"

#include <etm/decode.h>

struct check {
    const struct etm_config *config;
    struct etm_packet_decoder *decoder; /* of one packet */
    const struct etm_packet *wanted;
    bool got;
};

static bool same(const struct etm_packet *a, const struct etm_packet *b)
{
    return a->kind == b->kind && a->fields == b->fields &&
           a->value == b->value && a->address == b->address &&
           a->address_bits == b->address_bits &&
           a->cycle_count == b->cycle_count && a->count == b->count &&
           a->context_id == b->context_id && a->exception == b->exception &&
           a->isa == b->isa && a->tag == b->tag && a->resume == b->resume &&
           a->reason == b->reason && a->address2 == b->address2;
}

static int again(void *context, const struct etm_packet *packets, size_t n)
{
    struct check *check = context;

    for (size_t i = 0; i < n; i++)
        check->got |= same(&packets[i], check->wanted);
    return 0;
}

/* Behind an A-sync, since a decoder begins with one. */
static void encode(const struct etm_config *config,
                   const struct etm_packet *packet)
{
    static const uint8_t sync[] = {0, 0, 0, 0, 0, 0x80};
    struct check check = {.wanted = packet};
    const struct etm_packet_decoder_config options = {.size = sizeof options,
                                                      .config = config,
                                                      .packets = again,
                                                      .context = &check};
    struct etm_packet_decoder *decoder;
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    int n = etm_packet_encode(config, packet, bytes, sizeof bytes);

    must(n <= (int)sizeof bytes);
    if (n <= 0)
        return;
    must(etm_packet_decoder_new(&decoder, &options) == ETM_OK &&
         etm_packet_decoder_push(decoder, sync, sizeof sync) == ETM_OK &&
         etm_packet_decoder_push(decoder, bytes, (size_t)n) == ETM_OK &&
         etm_packet_decoder_finish(decoder) == ETM_OK);
    etm_packet_decoder_free(decoder);
    must(check.got);
}

static int keep(void *context, const struct etm_packet *packets, size_t n)
{
    return etm_vec_append(context, packets, n);
}

/* The packets of bytes that come in pieces of `step`. */
static void decode(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, size_t step, struct etm_vec *packets)
{
    const struct etm_packet_decoder_config options = {.size = sizeof options,
                                                      .config = config,
                                                      .packets = keep,
                                                      .context = packets};
    struct etm_packet_decoder *decoder;

    etm_vec_init(packets, sizeof(struct etm_packet), NULL);
    must(etm_packet_decoder_new(&decoder, &options) == ETM_OK);
    for (size_t at = 0; at < n; at += step)
        must(etm_packet_decoder_push(decoder, bytes + at,
                                     n - at < step ? n - at : step) == ETM_OK);
    must(etm_packet_decoder_finish(decoder) == ETM_OK);
    etm_packet_decoder_free(decoder);
}

static void must_be_same(const struct etm_vec *a, const struct etm_vec *b)
{
    const struct etm_packet *x = a->data, *y = b->data;

    must(a->n == b->n);
    for (size_t i = 0; i < a->n; i++)
        must(x[i].offset == y[i].offset && x[i].size == y[i].size &&
             same(&x[i], &y[i]));
}

/* What a packet is encoded as, in place of the bytes that it was made of. */
static void encode_in_place(const struct etm_config *config, uint8_t *bytes,
                            size_t n, const struct etm_vec *packets)
{
    const struct etm_packet *all = packets->data;
    struct etm_vec again;

    for (size_t i = 0; i < packets->n; i++) {
        uint8_t one[ETM_PACKET_ENCODED_MAX];
        const int size = etm_packet_encode(config, &all[i], one, sizeof one);

        must(size <= 0 || (size_t)size == all[i].size);
        if (size > 0)
            memcpy(bytes + all[i].offset, one, (size_t)size);
    }
    decode(config, bytes, n, n, &again);
    must_be_same(packets, &again);
    etm_vec_fini(&again);
}

/* The protocols, and of the choices below those that their versions have. */
static const struct row {
    enum etm_protocol protocol;
    uint8_t minor, choices;
    bool a_syncs;
    bool contexts, coprocessors;
} rows[] = {
    {ETM_PROTOCOL_ETMV3, 0, 0x07, true, true, true},
    {ETM_PROTOCOL_ETMV3, 1, 0x07, true, true, true},
    {ETM_PROTOCOL_ETMV3, 3, 0x47, true, true, true},
    {ETM_PROTOCOL_ETMV3, 4, 0x4f, true, true, true},
    {ETM_PROTOCOL_ETMV3, 5, 0xff, true, true, true},
    {ETM_PROTOCOL_PFT, 0, 0x51, true, true, false},
    {ETM_PROTOCOL_PFT, 1, 0xf1, true, true, false},
    {ETM_PROTOCOL_ITM, 0, 0x00, true, false, false},
    {ETM_PROTOCOL_ETMV1, 0, 0x07, false, false, true},
    {ETM_PROTOCOL_ETMV1, 3, 0x07, false, true, true},
    {ETM_PROTOCOL_ETMV2, 0, 0x07, false, true, true},
    {ETM_PROTOCOL_ETMV2, 1, 0x07, false, true, true},
    {ETM_PROTOCOL_MTB, 0, 0x00, false, false, false},
};

#define ROWS (sizeof rows / sizeof *rows)

static bool choose(struct etm_config *config, const struct row *row, uint8_t b,
                   uint8_t c)
{
    static const uint8_t ids[4] = {0, 1, 2, 4}, widths[4] = {8, 4, 16, 8};
    const bool pins = row->protocol == ETM_PROTOCOL_ETMV1 ||
                      row->protocol == ETM_PROTOCOL_ETMV2;

    b &= row->choices;
    *config =
        (struct etm_config){.size = sizeof *config,
                            .protocol = row->protocol,
                            .minor = row->minor,
                            .cycle_accurate = (b & 1) != 0,
                            .data_value = (b & 2) != 0,
                            .data_address = (b & 4) != 0,
                            .alternative_branches = (b & 8) != 0,
                            .timestamps = (b & 16) != 0,
                            .timestamp_64bit = (b & 32) != 0,
                            .security = (b & 64) != 0,
                            .vmid = (b & 128) != 0,
                            .virtualization = (b & 128) != 0,
                            .context_id_bytes = row->contexts ? ids[c & 3] : 0,
                            .cprt = row->coprocessors && (c & 4) != 0,
                            .port_width = pins ? widths[c >> 3 & 3] : 0};
    return etm_config_check(config, NULL) == ETM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct row *row = &rows[take(&data, &size) % ROWS];
    const uint8_t b = take(&data, &size), c = take(&data, &size);
    struct etm_config config;
    struct etm_vec whole, cut;
    const struct etm_packet *packets;
    uint8_t bytes[1024];

    if (!choose(&config, row, b, c) || size == 0)
        return 0;
    size = size < sizeof bytes ? size : sizeof bytes;
    memcpy(bytes, data, size);
    decode(&config, bytes, size, size, &whole);
    decode(&config, bytes, size, 1 + c / 32, &cut);
    must_be_same(&whole, &cut);
    packets = whole.data;
    if (!row->a_syncs)
        encode_in_place(&config, bytes, size, &whole);
    for (size_t i = 0; i < whole.n && row->a_syncs; i++)
        encode(&config, &packets[i]);
    etm_vec_fini(&whole);
    etm_vec_fini(&cut);
    return 0;
}
