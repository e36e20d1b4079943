/* SPDX-License-Identifier: Apache-2.0 */
/* A decoder with a fast path and one without it, side by side. */
#ifndef TEST_FLOW_FAST_SIDE_H
#define TEST_FLOW_FAST_SIDE_H

#include <etm/decode.h>

#include <stddef.h>
#include <stdint.h>

struct fast_result {
    const char *wrong; /* what is not the same; NULL: nothing */
    size_t at;         /* where in the stream */
    size_t fast;       /* bytes that took the fast path */
};

/*
 * Decode a stream both ways, and compare whenever the fast path stops. At the
 * level of counts these are compared at the end. `blocks`: so many are kept on
 * the fast path; 0: as many as in a decoder.
 */
struct fast_result fast_compare(const struct etm_config *config,
                                const struct etm_image *image,
                                enum etm_level level, size_t blocks,
                                const uint8_t *bytes, size_t n);

#endif
