/* SPDX-License-Identifier: Apache-2.0 */
/* What each header amounts to, and the setup of the flow. */
#include "flow/etmv3/batch.h"
#include "flow/etmv3/flow.h"

#include <string.h>

/*
 * Format 1 is a run, with `each` 1 if cycle-accurate. The other formats are
 * short runs (tables 7-2 and 7-3). Headers that a version reserves are not
 * P-headers, and 80 without atoms or as W (v3.0) is left to the code for single
 * atoms.
 */
static struct etm_etmv3_shape shape_of(enum etm_packet_kind kind,
                                       unsigned header, bool cycles)
{
    struct etm_etmv3_shape shape = {
        .n = ETM_ETMV3_NO_RUN, .exec = ETM_TRUE, .others = ETM_TRUE};
    const uint8_t last = (header & 0x04) != 0 ? ETM_FALSE : ETM_TRUE;

    if (header == 0x80 || kind != ETM_PACKET_P_HEADER)
        return shape;
    if ((header & 0x83) == 0x80 && !(cycles && (header & 0x20) != 0)) {
        /* 1NEEEE00; cycle-accurate 1N0EEE00, and W before each */
        shape.n = (uint8_t)((header >> 2 & 15) + (header >> 6 & 1));
        shape.each = cycles;
        shape.exec = (header & 0x40) != 0 ? ETM_FALSE : ETM_TRUE;
    } else if ((header & 0x83) == 0x80) { /* 1E1WWW00 */
        shape.before = (uint8_t)((header >> 2 & 7) + 1);
        shape.n = header >> 6 & 1;
    } else if ((header & 0xf3) == 0x82) { /* 1000FF10, cycle-accurate after W */
        shape.before = cycles;
        shape.n = 2;
        shape.exec = last;
        shape.others = (header & 0x08) != 0 ? ETM_FALSE : ETM_TRUE;
    } else if (cycles && (header & 0xfb) == 0x92) { /* 10010F10 */
        shape.n = 1;
        shape.exec = last;
    }
    return shape;
}

/* The share of a header in a batch. */
static struct etm_etmv3_share share_of(struct etm_etmv3_shape shape,
                                       bool cycles)
{
    struct etm_etmv3_share share = {.n = shape.n};
    const unsigned most = cycles ? ETM_ETMV3_ATOMS_CYCLES : ETM_ETMV3_ATOMS;

    if (shape.n == ETM_ETMV3_NO_RUN) {
        share.n = ETM_ETMV3_NOT_ATOMS;
        return share;
    }
    for (unsigned i = 0; i < most; i++) {
        uint8_t exec = i + 1 == shape.n ? shape.exec : shape.others;
        unsigned atom = exec == ETM_FALSE ? 1u << ETM_BATCH_FAILED : 0;

        if (cycles)
            share.all.timed[i] =
                (uint16_t)(atom | (shape.before + shape.each * (i + 1)));
        else
            share.all.plain[i] = (uint8_t)atom;
    }
    if (cycles)
        share.cycles = shape.before + (uint32_t)shape.each * shape.n;
    return share;
}

int etm_etmv3_flow_init(struct etm_etmv3_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator)
{
    /* barriers are not branches here (4.5.2) */
    struct etm_block_rules rules = {.transfers = etm_data_traced(config)};
    struct etm_etmv3_header headers[256];

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->data_traced = rules.transfers;
    flow->walk.split = config->thumb32_split;
    flow->walk.level = level;
    flow->timed = config->cycle_accurate && level != ETM_LEVEL_COVERAGE;
    etm_etmv3_headers(config, headers);
    for (unsigned header = 0; header < 256; header++) {
        enum etm_packet_kind kind = (enum etm_packet_kind)headers[header].kind;

        flow->runs[header] = shape_of(kind, header, config->cycle_accurate);
        flow->shares[header] = share_of(flow->runs[header], flow->timed);
        flow->shares[header].branch = kind == ETM_PACKET_BRANCH_ADDRESS;
    }
    return etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
}
