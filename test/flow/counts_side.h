/* SPDX-License-Identifier: Apache-2.0 */
/* ETM_LEVEL_COUNTS and ETM_LEVEL_COVERAGE beside ETM_LEVEL_RANGES. */
#ifndef ETM_TEST_FLOW_COUNTS_SIDE_H
#define ETM_TEST_FLOW_COUNTS_SIDE_H

#include "capture.h"

#include "session/decoder.h"

/* How a stream is decoded. */
struct counts_way {
    size_t blocks; /* blocks to keep; 0: as many as ever */
    size_t piece;  /* bytes pushed at a time */
};

/* What came of ranges, and of another level, last. */
extern struct etm_test_elements counts_ranges, counts_others;

/* Decode a stream; the decoder is the caller's. */
void counts_decode(const struct etm_config *config,
                   const struct etm_image *image, enum etm_level level,
                   const struct counts_way *way, const uint8_t *bytes, size_t n,
                   struct etm_test_elements *out, struct etm_decoder **decoder);

/* Rows that are expected, in order. */
struct counts_rows {
    const struct etm_count *expected;
    size_t n, at;
    const char *wrong;
};

/* An etm_count_fn whose context is struct counts_rows. */
int counts_compare_row(void *context, const struct etm_count *count);

/* Take the ranges out of `counts_ranges`, and count them in order; returns how
 * many rows there are in *counts, which is the caller's. *cycles become theirs.
 */
size_t counts_tally(struct etm_count **counts, uint64_t *cycles);

/* All three levels: NULL, or what is not the same. */
const char *counts_compare(const struct etm_config *config,
                           const struct etm_image *image,
                           const struct counts_way *way, const uint8_t *bytes,
                           size_t n);

#endif
