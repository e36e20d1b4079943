/* SPDX-License-Identifier: Apache-2.0 */
/* A decoder with a fast path and one without it, side by side. */
#ifndef TEST_FLOW_FAST_SIDE_H
#define TEST_FLOW_FAST_SIDE_H

#include "../support/random.h"

#include <etm/decode.h>

#include <stddef.h>
#include <stdint.h>

/* How a stream is decoded. */
struct fast_way {
    enum etm_level level;
    size_t blocks;    /* so many are kept on the fast path; 0: as ever */
    uint32_t most;    /* bytes of a call, with r */
    struct random *r; /* NULL: calls of many lengths, in order */
};

struct fast_result {
    const char *wrong; /* what is not the same; NULL: nothing */
    size_t at;         /* where in the stream */
    size_t fast;       /* bytes that took the fast path */
};

/*
 * Decode a stream both ways, and compare whenever the fast path stops: both
 * have given the same elements and remember the same. At the levels of counts
 * these are compared at the end. With `r` something is lost now and then.
 */
struct fast_result fast_compare(const struct etm_config *config,
                                const struct etm_image *image,
                                const struct fast_way *way,
                                const uint8_t *bytes, size_t n);

#endif
