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
 * rest. Its first and last byte: addresses and, of one for a context ID only,
 * that above. */
struct etm_piece {
    uint64_t first, last;
    size_t region;
};

/* Pieces, ascending, not overlapping; those in a later run of the same kind are
 * of later regions. */
struct etm_run {
    struct etm_vec pieces;
    size_t newest; /* region */
};

struct etm_image {
    struct etm_vec regions; /* in the order in which they were added */
    /*
     * struct etm_run by security state, enum etm_tri: of regions for all
     * contexts, and of those for one. Each run is at least about twice as long
     * as the next one, so that there are few. Regions that come upwards go to
     * the end of the last run, any other one begins a run, and runs are merged
     * as they grow: in whatever order n regions come, n log n pieces are moved.
     */
    struct etm_vec everywhere[3], own[3];
    bool particular;  /* some region is not visible everywhere */
    bool by_security; /* and some region depends on the security state */
};

/* Is there code for this context ID only? */
bool etm_image_names(const struct etm_image *image, uint32_t context_id);

/*
 * The bytes at `address`, as many as are contiguous: *n of them, or NULL and 0
 * if there is no code. `space` may be NULL.
 */
const uint8_t *etm_image_span(const struct etm_image *image, uint32_t address,
                              const struct etm_space *space, size_t *n);

#endif
