/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of a source's stream stand in the capture. Stretches come
 * in the order of the stream; elements and packets ask for places shortly
 * behind the last stretch, so that old ones may be forgotten.
 */
#ifndef ETM_SESSION_PLACES_H
#define ETM_SESSION_PLACES_H

#include "base/vec.h"

/* What a place in the capture counts. */
enum etm_place_unit {
    /* bytes of 16-byte frames, whose last one is no data: `at` is the
     * position in its frame of the first byte, 0 to 14 */
    ETM_PLACE_FRAMES = 0,
    /* samples of `width` bits, of which `at` come before the first byte;
     * with a width of 8: bytes of the capture */
    ETM_PLACE_SAMPLES
};

struct etm_place {
    uint64_t stream; /* offset in the stream of the first byte */
    uint64_t file;   /* place in the capture of it */
    uint64_t n;      /* bytes, at least 1 */
    uint8_t unit;    /* enum etm_place_unit */
    uint8_t width;
    uint8_t at;
};

struct etm_places {
    struct etm_vec all; /* struct etm_place */
    size_t hint;        /* the one that was last found */
};

void etm_places_init(struct etm_places *places,
                     const struct etm_allocator *allocator);
void etm_places_fini(struct etm_places *places);

/* The next stretch. ETM_OK or ETM_ERR_MEMORY. */
int etm_places_add(struct etm_places *places, const struct etm_place *place);

/* Is each place in the capture that in the stream? */
bool etm_places_same(const struct etm_places *places);

/* The place of an offset in the stream; behind the end of a stretch: the
 * place behind its last byte. */
uint64_t etm_places_find(struct etm_places *places, uint64_t offset);

/* The same for several threads at a time, each with a hint of its own: SIZE_MAX
 * at first, and whenever stretches may have been added or forgotten. */
uint64_t etm_places_near(const struct etm_places *places, uint64_t offset,
                         size_t *hint);

/*
 * Memory is bounded: forget what nobody will ask for. All before `settled`
 * was given out; `made` is the offset of the next byte.
 */
void etm_places_forget(struct etm_places *places, uint64_t settled,
                       uint64_t made);

#endif
