/* SPDX-License-Identifier: Apache-2.0 */
/* What each P-header amounts to, and the setup of the flow. */
#include "flow/etmv3_fast.h"

#include <string.h>

/*
 * Format 1 is a run, with `each` 1 if cycle-accurate. The other formats are
 * short runs, except for format 2 with an N first. Headers that a version
 * reserves never come here, and 80 without atoms or as W (v3.0) is left to the
 * code for single atoms.
 */
static struct etm_etmv3_shape shape_of(unsigned header, bool cycles)
{
    struct etm_etmv3_shape shape = {
        .n = ETM_ETMV3_NO_RUN, .exec = ETM_TRUE, .others = ETM_TRUE};
    bool fails = (header & 0x40) != 0;

    if (header == 0x80)
        return shape;
    if (!cycles && (header & 0x83) == 0x80) { /* 1NEEEE00 */
        shape.n = (uint8_t)((header >> 2 & 15) + fails);
        shape.exec = fails ? ETM_FALSE : ETM_TRUE;
    } else if (cycles && (header & 0xa3) == 0x80) { /* 1N0EEE00 */
        shape.n = (uint8_t)((header >> 2 & 7) + fails);
        shape.each = 1;
        shape.exec = fails ? ETM_FALSE : ETM_TRUE;
    } else if (cycles && (header & 0xa3) == 0xa0) { /* 1E1WWW00 */
        shape.before = (uint8_t)((header >> 2 & 7) + 1);
        shape.n = header >> 6 & 1;
    } else if ((header & 0xfb) == 0x82) { /* 1000FF10, the first E */
        shape.before = cycles;
        shape.n = 2;
        shape.exec = header & 0x04 ? ETM_FALSE : ETM_TRUE;
    } else if (cycles && (header & 0xfb) == 0x92) { /* 10010F10 */
        shape.n = 1;
        shape.exec = header & 0x04 ? ETM_FALSE : ETM_TRUE;
    }
    return shape;
}

/* The same for data trace: 10001F10 (tables 7-2 and 7-3), N first, too. */
static struct etm_etmv3_shape run_of(unsigned header, bool cycles)
{
    struct etm_etmv3_shape shape = shape_of(header, cycles);

    if ((header & 0xfb) == 0x8a) {
        shape.before = cycles;
        shape.n = 2;
        shape.exec = header & 0x04 ? ETM_FALSE : ETM_TRUE;
        shape.others = ETM_FALSE;
    }
    return shape;
}

int etm_etmv3_flow_init(struct etm_etmv3_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator)
{
    /* barriers are not branches here (4.5.2) */
    struct etm_block_rules rules = {.transfers = etm_data_traced(config)};

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->data_traced = rules.transfers;
    flow->at.split = config->thumb32_split;
    etm_data_init(&flow->data, &flow->config);
    for (unsigned header = 0; header < 256; header++) {
        struct etm_etmv3_shape *shape = &flow->shapes[header];
        *shape = shape_of(header, config->cycle_accurate);
        shape->cycles = (uint8_t)(shape->before + shape->each * shape->n);
        flow->runs[header] = run_of(header, config->cycle_accurate);
    }
    flow->fast = etm_etmv3_has_fast_path(config) && !flow->data_traced;
    rules.steps = flow->fast;
    if (flow->fast && (level == ETM_LEVEL_COVERAGE ||
                       (level == ETM_LEVEL_COUNTS && !config->cycle_accurate)))
        rules.atoms = flow->atoms;
    if (flow->fast)
        etm_etmv3_fast_init(flow);
    /* for halves of an instruction, and for cycles of each, every atom must be
     * looked at */
    if (config->thumb32_split ||
        (level == ETM_LEVEL_INSTRUCTIONS && config->cycle_accurate))
        for (unsigned header = 0; header < 256; header++)
            flow->shapes[header].n = ETM_ETMV3_NO_RUN;
    flow->plain = !flow->data_traced && level != ETM_LEVEL_INSTRUCTIONS;
    return etm_follow_init(&flow->follow, config, image, level, &rules,
                           allocator);
}
