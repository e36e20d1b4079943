/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as packets of any protocol: each packet that a decoder makes and
 * that can be encoded is encoded, and the decoder makes it of that again. */
#include "fuzz.h"

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

static int each(void *context, const struct etm_packet *packets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        encode(context, &packets[i]);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum etm_protocol protocols[] = {
        ETM_PROTOCOL_ETMV3, ETM_PROTOCOL_PFT, ETM_PROTOCOL_ITM};
    static const uint8_t ids[4] = {0, 1, 2, 4};
    const uint8_t a = take(&data, &size), b = take(&data, &size);
    const uint8_t c = take(&data, &size);
    struct etm_config config = {.size = sizeof config,
                                .protocol = protocols[a % 3],
                                .minor = a >> 2 & 7,
                                .cycle_accurate = (b & 1) != 0,
                                .data_value = (b & 2) != 0,
                                .data_address = (b & 4) != 0,
                                .alternative_branches = (b & 8) != 0,
                                .timestamps = (b & 16) != 0,
                                .timestamp_64bit = (b & 32) != 0,
                                .security = (b & 64) != 0,
                                .vmid = (b & 128) != 0,
                                .virtualization = (b & 128) != 0,
                                .context_id_bytes = ids[c & 3],
                                .cprt = (c & 4) != 0};
    const struct etm_packet_decoder_config options = {.size = sizeof options,
                                                      .config = &config,
                                                      .packets = each,
                                                      .context = &config};
    struct etm_packet_decoder *decoder;

    if (etm_config_check(&config, NULL) != ETM_OK)
        return 0;
    must(etm_packet_decoder_new(&decoder, &options) == ETM_OK &&
         etm_packet_decoder_push(decoder, data, size < 1024 ? size : 1024) ==
             ETM_OK &&
         etm_packet_decoder_finish(decoder) == ETM_OK);
    etm_packet_decoder_free(decoder);
    return 0;
}
