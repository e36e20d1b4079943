/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as configuration, code and trace. Whatever they are: the decoder
 * ends with `end`, cut or whole the same comes out, both levels tell of the
 * same instructions, and packets cover the stream without a gap.
 */
#include "fuzz.h"

#include <etm/decode.h>

#define SETUP 8u
#define CODE 256u
#define START_MAX 16u

struct sum {
    uint64_t elements, hash, instructions, ends;
};

static void add_hash(struct sum *sum, const void *bytes, size_t n)
{
    sum->hash = mix(sum->hash, bytes, n);
}

static int add(void *context, const struct etm_element *e, size_t n)
{
    struct sum *sum = context;

    for (size_t i = 0; i < n; i++, e++) {
        sum->elements++;
        add_hash(sum, &e->offset, sizeof e->offset);
        add_hash(sum, &e->kind, sizeof e->kind);
        if (e->kind == ETM_ELEMENT_RANGE) {
            sum->instructions += e->u.range.n;
            add_hash(sum, &e->u.range.start, sizeof e->u.range.start);
            add_hash(sum, &e->u.range.cycles, sizeof e->u.range.cycles);
        } else if (e->kind == ETM_ELEMENT_INSN) {
            sum->instructions++;
            add_hash(sum, &e->u.insn.address, sizeof e->u.insn.address);
        }
        sum->ends += e->kind == ETM_ELEMENT_END;
    }
    return 0;
}

static struct sum decode(const struct etm_config *config,
                         const struct etm_image *image, enum etm_level level,
                         const uint8_t *trace, size_t n, size_t cut)
{
    struct sum sum = {0};
    struct etm_decoder_config options = {.size = sizeof options,
                                         .config = config,
                                         .image = image,
                                         .level = level,
                                         .elements = add,
                                         .context = &sum};
    struct etm_decoder *decoder;

    if (etm_decoder_new(&decoder, &options) != ETM_OK)
        abort();
    if (etm_decoder_push(decoder, trace, cut) != ETM_OK ||
        etm_decoder_push(decoder, trace + cut, n - cut) != ETM_OK ||
        etm_decoder_finish(decoder) != ETM_OK)
        abort();
    etm_decoder_free(decoder);
    if (sum.ends != 1)
        abort();
    return sum;
}

static int cover(void *context, const struct etm_packet *packets, size_t n)
{
    uint64_t *at = context;

    for (size_t i = 0; i < n; i++) {
        if (packets[i].offset != *at || packets[i].size == 0)
            abort();
        *at += packets[i].size;
    }
    return 0;
}

static void packets(const struct etm_config *config, const uint8_t *trace,
                    size_t n)
{
    uint64_t at = 0;
    struct etm_packet_decoder_config options = {.size = sizeof options,
                                                .config = config,
                                                .packets = cover,
                                                .context = &at};
    struct etm_packet_decoder *decoder;

    if (etm_packet_decoder_new(&decoder, &options) != ETM_OK ||
        etm_packet_decoder_push(decoder, trace, n) != ETM_OK ||
        etm_packet_decoder_finish(decoder) != ETM_OK || at != n)
        abort();
    etm_packet_decoder_free(decoder);
}

/* Registers of the first bytes; false if no macrocell is like that. */
static bool configure(struct etm_config *config, const uint8_t *data)
{
    static const uint32_t idr[] = {0x4100f200, 0x4100f210, 0x4100f220,
                                   0x4100f230, 0x4114f240, 0x4100f250,
                                   0x4100f300, 0x4100f310};
    struct etm_register r[] = {
        {"ETMCR", 0, (uint64_t)data[0] << 24 | (uint64_t)data[1] << 12},
        {"ETMIDR", 0x79, idr[data[2] & 7] | (data[2] & 8 ? 1u << 18 : 0)},
        {"ETMCCER", 0x7a, (uint64_t)data[3] << 22}};

    r[0].value |= (uint64_t)(data[4] & 0x0f) << 0 & 0xc;
    r[0].value &= 0x7010d10c;
    if (etm_config_from_registers(config, ETM_PROTOCOL_NONE, r, 3, NULL) !=
        ETM_OK)
        return false;
    if ((data[2] & 7) == 4)
        config->profile = ETM_PROFILE_M;
    return true;
}

/* Registers of an ETMv1 or ETMv2, whose trace is cycles of a port; false if no
 * macrocell is like that. */
static bool configure_port(struct etm_config *config, const uint8_t *data)
{
    static const uint8_t widths[4] = {0, 4, 8, 16}, ids[4] = {0, 1, 2, 4};
    bool v1 = (data[2] & 1) != 0;

    *config = (struct etm_config){
        .protocol = v1 ? ETM_PROTOCOL_ETMV1 : ETM_PROTOCOL_ETMV2,
        .minor = data[2] >> 1 & (v1 ? 3 : 1),
        .thumb32_split = true,
        .cycle_accurate = (data[0] & 1) != 0,
        .data_value = (data[0] & 2) != 0,
        .data_address = (data[0] & 4) != 0,
        .cprt = (data[0] & 8) != 0,
        .high_vectors = (data[0] & 16) != 0,
        .pc_first = (data[0] & 32) != 0,
        .context_id_bytes = ids[data[1] & 3],
        .port_width = widths[data[1] >> 2 & 3],
        .endian = (enum etm_endian)(data[1] >> 4 & 3),
    };
    return etm_config_check(config, NULL) == ETM_OK;
}

/* An ITM or a Micro Trace Buffer. */
static bool configure_other(struct etm_config *config, const uint8_t *data)
{
    *config = (struct etm_config){
        .protocol = (data[2] & 0x10) != 0 ? ETM_PROTOCOL_MTB : ETM_PROTOCOL_ITM,
        .profile = ETM_PROFILE_M};
    return etm_config_check(config, NULL) == ETM_OK;
}

/* What begins the trace: where the code is. */
static size_t begin(const struct etm_config *config, uint8_t out[START_MAX])
{
    /* A-sync; the rest is for the fuzzer to find */
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0x80};
    /* BE with TRACESYNC, an address packet offset of 0, and the address */
    static const uint8_t v1[] = {0x84, 0x80, 0x00, 0x80, 0x00,
                                 0x82, 0x03, 0x80, 0x03, 0x10};
    /* a TFO of 0, and its packet with the address */
    static const uint8_t v2[] = {0x07, 0x09, 0x04, 0x20, 0x04, 0x00,
                                 0x04, 0x80, 0x04, 0x00, 0x04, 0x00};
    const uint8_t *from = bytes;
    size_t n = sizeof bytes;

    if (config->protocol == ETM_PROTOCOL_ETMV1) {
        from = v1;
        n = sizeof v1;
    } else if (config->protocol == ETM_PROTOCOL_ETMV2) {
        from = v2;
        n = sizeof v2;
    } else if (config->protocol == ETM_PROTOCOL_MTB) {
        n = 0;
    }
    memcpy(out, from, n);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct etm_config config = {0};
    struct etm_image *image;
    uint8_t trace[START_MAX + 4096];
    size_t start;
    struct sum whole, cut, insns;
    size_t n;

    if (size < SETUP + CODE ||
        !((data[2] & 0x20) != 0   ? configure_other(&config, data)
          : (data[2] & 0x10) != 0 ? configure_port(&config, data)
                                  : configure(&config, data)))
        return 0;
    n = size - SETUP - CODE;
    if (n > 4096)
        n = 4096;
    start = begin(&config, trace);
    memcpy(trace + start, data + SETUP + CODE, n);
    n += start;
    if (etm_image_new(&image, NULL) != ETM_OK ||
        etm_image_add(image, 0x8000, data + SETUP, CODE, NULL) != ETM_OK)
        abort();
    whole = decode(&config, image, ETM_LEVEL_RANGES, trace, n, n);
    cut = decode(&config, image, ETM_LEVEL_RANGES, trace, n, data[5] * n / 256);
    insns = decode(&config, image, ETM_LEVEL_INSTRUCTIONS, trace, n, n);
    if (memcmp(&whole, &cut, sizeof whole) != 0 ||
        whole.instructions != insns.instructions)
        abort();
    packets(&config, trace, n);
    etm_image_free(image);
    return 0;
}
