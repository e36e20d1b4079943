/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of a source's stream stand in the capture. Stretches come in
 * the order of the stream; elements and packets ask for places shortly after
 * the last stretch, so that old ones may be forgotten.
 *
 * One thread adds and forgets; others may look meanwhile, each with a view of
 * its own. Where a comment says "locked" they exclude each other; that is never
 * for long. What is added can be seen when it is published, and does not change
 * any more then.
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
    bool apart; /* it does not go on where the last one ends: nobody looks */
};

#define ETM_PLACES_BLOCK 1024u

/* A place as it is kept: what one thread writes another one reads, so it is
 * small. */
struct etm_place_kept {
    uint32_t stream, file; /* from those of the block on */
    uint32_t n;
    uint8_t unit, width, at;
};

struct etm_place_block {
    uint64_t stream, file; /* of the first place */
    size_t n;
    unsigned views; /* that have it: it is not forgotten */
    struct etm_place_kept all[ETM_PLACES_BLOCK];
};

/* Places that are read: blocks, the last one up to `last_n`; `block` and
 * `place` were found last, and `found` is what stands there. */
struct etm_places_view {
    struct etm_vec blocks; /* struct etm_place_block * */
    size_t last_n;
    size_t block, place;
    struct etm_place found; /* its `n` may be 0 */
    /* One offset whose place is known however long ago it was; UINT64_MAX:
     * none. */
    uint64_t kept, kept_file;
};

struct etm_places {
    struct etm_vec fresh;        /* struct etm_place_block *: not published,
                                    except for places of the first one: */
    size_t published;            /* so many */
    struct etm_vec spare;        /* blocks to use again */
    bool moved;                  /* see etm_places_same() */
    struct etm_places_view view; /* of all that is published */
};

void etm_places_init(struct etm_places *places,
                     const struct etm_allocator *allocator);
void etm_places_fini(struct etm_places *places);

/* The next stretch, of less than 2^32 bytes. ETM_OK or ETM_ERR_MEMORY. */
int etm_places_add(struct etm_places *places, const struct etm_place *place);

/* All that was added may be seen. Locked. ETM_OK or ETM_ERR_MEMORY. */
int etm_places_publish(struct etm_places *places);

/* Is each place in the capture that in the stream? */
bool etm_places_same(const struct etm_places *places);

/* The place of an offset in the stream; after the end of a stretch: the place
 * after its last byte. Of what is published. */
uint64_t etm_places_find(struct etm_places *places, uint64_t offset);

/*
 * The same for other threads. Begin and end a view of offsets from `least` to
 * `most`: locked. ETM_OK; ETM_ERR_MEMORY: then it has begun nevertheless, and
 * sees nothing.
 */
void etm_places_view_init(struct etm_places_view *view,
                          const struct etm_allocator *allocator);
void etm_places_view_fini(struct etm_places_view *view);
int etm_places_view_begin(struct etm_places_view *view,
                          struct etm_places *places, uint64_t least,
                          uint64_t most);
void etm_places_view_end(struct etm_places_view *view);
uint64_t etm_places_view_find(struct etm_places_view *view, uint64_t offset);

/* The place of an offset is needed however long it takes, and no longer that of
 * the one that this was said of before. UINT64_MAX: of none. Locked. */
void etm_places_keep(struct etm_places *places, uint64_t offset);

/*
 * Memory is bounded: forget what nobody will ask for, and has no view of. All
 * before `settled` was given out; `made` is the offset of the next byte.
 * Locked.
 */
void etm_places_forget(struct etm_places *places, uint64_t settled,
                       uint64_t made);

#endif
