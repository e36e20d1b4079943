/* SPDX-License-Identifier: Apache-2.0 */
/* The image from the inside. */
#ifndef ETM_IMAGE_IMAGE_H
#define ETM_IMAGE_IMAGE_H

#include "base/vec.h"

#include <etm/decode.h>

struct etm_region {
    uint32_t address;
    size_t size;
    const uint8_t *bytes;
    void *copy; /* owned, or NULL */
    struct etm_space space;
};

/* A visible part of a region; later regions of the same space may hide the
 * rest. */
struct etm_piece {
    uint32_t address, last; /* of its first and last byte */
    size_t region;
};

/* Pieces by security state, enum etm_tri: ascending, not overlapping. */
struct etm_pieces {
    struct etm_vec of[3];
};

struct etm_image_context {
    uint32_t id;
    struct etm_pieces *pieces; /* owned */
};

struct etm_image {
    struct etm_vec regions;       /* in the order in which they were added */
    struct etm_pieces everywhere; /* of regions for all contexts */
    /* struct etm_image_context, ascending: contexts with regions of their own;
     * all others see the same code */
    struct etm_vec contexts;
    bool particular;  /* some region is not visible everywhere */
    bool by_security; /* and some region depends on the security state */
};

/* Is there a region for this context ID only? */
bool etm_image_names(const struct etm_image *image, uint32_t context_id);

/*
 * The bytes at `address`, as many as are contiguous: *n of them, or NULL and 0
 * if there is no code. `space` may be NULL.
 */
const uint8_t *etm_image_span(const struct etm_image *image, uint32_t address,
                              const struct etm_space *space, size_t *n);

#endif
