/* SPDX-License-Identifier: Apache-2.0 */
/* ARM code of pairs, an instruction and a branch over the next pair that may
 * fail, and its trace. */
#ifndef TEST_SESSION_PAIRS_SUPPORT_H
#define TEST_SESSION_PAIRS_SUPPORT_H

#include "support/capture.h"

#include "../support/status.h"

#include <etm/model.h>

#define PAIRS_MOST 40002u
#define BASE 0x100000u
#define PLAIN 0xe1a00000u /* mov r0, r0 */
#define LOAD 0xe5901000u  /* ldr r1, [r0] */
#define BYTES (1u << 20)

struct stream {
    uint8_t data[BYTES];
    size_t n;
};

extern uint8_t code[8 * PAIRS_MOST];
extern struct stream stream;

/* The first four without data trace. */
extern const struct etm_config configs[7];
#define CONFIGS 4u
#define ALL_CONFIGS 7u

#define LEVELS 4u
extern const enum etm_level levels[LEVELS];

/* So many pairs are written, and two that lead back to the first one: a circle.
 * Each begins with the instruction `first`; some branches are indirect. */
void write_code(uint32_t pairs, uint32_t first);
struct etm_image *image_of_code(void);

/* The trace of so many pairs, after what there is. */
void trace_pairs(const struct etm_config *config, uint32_t n);

/* An etm_bytes_fn: they go to `stream`. */
int keep_bytes(void *context, const uint8_t *bytes, size_t n);

#endif
