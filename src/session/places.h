/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of a source's stream are in the capture. Stretches come in
 * the order of the stream; places of elements and packets are looked up soon
 * after their stretch, so that old ones can be forgotten.
 *
 * One thread adds and forgets; others may look up meanwhile, each with a view
 * of its own. "Locked" in a comment means mutual exclusion, which is always
 * short. What was added becomes visible when it is published, and does not
 * change afterwards.
 */
#ifndef ETM_SESSION_PLACES_H
#define ETM_SESSION_PLACES_H

#include "base/vec.h"

/* Unit of places in the capture. */
enum etm_place_unit {
    /* bytes of 16-byte frames, the last of which is no data: `at` is the
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
    bool apart; /* never merged with the previous one */
};

#define ETM_PLACES_BLOCK 1024u

/* A place as it is stored: it is small, because one thread writes and another
 * reads it. */
struct etm_place_kept {
    uint32_t stream, file; /* from those of the block on */
    uint32_t n;
    uint8_t unit, width, at;
};

struct etm_place_block {
    uint64_t stream, file; /* of the first place */
    size_t n;
    unsigned views; /* number of views that have it: it is not forgotten */
    struct etm_place_kept all[ETM_PLACES_BLOCK];
};

/* A view: blocks, the last one up to `last_n`; `block` and `place` were found
 * last, with the contents `found`. */
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

/* Publish everything added so far. Locked. ETM_OK or ETM_ERR_MEMORY. */
int etm_places_publish(struct etm_places *places);

/* Are all places in the capture equal to the offsets in the stream? */
bool etm_places_same(const struct etm_places *places);

/* The place of an offset in the stream; after the end of a stretch: the place
 * after its last byte. Uses published stretches only. */
uint64_t etm_places_find(struct etm_places *places, uint64_t offset);

/*
 * Places for other threads. Begin and end a view of offsets from `least` to
 * `most`: locked. ETM_OK; ETM_ERR_MEMORY: it has begun nevertheless, but is
 * empty.
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
 * Forget what will not be looked up and has no view, to bound memory.
 * Everything before `settled` was output; `made` is the offset of the next
 * byte. Locked.
 */
void etm_places_forget(struct etm_places *places, uint64_t settled,
                       uint64_t made);

#endif
