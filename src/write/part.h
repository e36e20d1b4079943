/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a listing: text that was made before it is known what precedes it
 * (include/etm/write.h). Elements whose lines depend on that are kept, up to
 * where everything is known; and so are the places of totals, which have to be
 * corrected.
 */
#ifndef ETM_WRITE_PART_H
#define ETM_WRITE_PART_H

#include "base/vec.h"
#include "write/listing.h"

/* ETM_OUT_BUFFER bytes of text, of which `n` are in use. */
struct etm_part_chunk {
    char *text;
    size_t n;
};

/* A total of cycles, as wide as it is, at that byte of the text. */
struct etm_part_total {
    uint64_t at, cycles;
    bool partial;
};

/* State of the text form for what follows; as in struct etm_text. */
struct etm_part_place {
    const char *function, *file;
    uint32_t line, next;
    uint8_t it;
    bool partial;
    uint64_t cycles;
};

struct etm_listing_portion {
    struct etm_allocator allocator;
    struct etm_listing *listing; /* that makes it; NULL: it is complete */
    struct etm_out out;          /* that of the listing, meanwhile */
    struct etm_vec chunks;       /* struct etm_part_chunk */
    size_t n_chunks;             /* number of those with text */
    uint64_t size;               /* of the text in them */

    bool known;          /* what follows does not depend on what precedes the
                            part */
    struct etm_vec held; /* struct etm_element: lines at byte `held_at` */
    uint64_t held_at;
    struct etm_part_place before, end; /* at held_at, and at the end */
    struct etm_vec totals;             /* struct etm_part_total */
};

/* Bytes of text so far. */
uint64_t etm_part_at(const struct etm_listing_portion *part);

/* A total comes next in the current part of the listing. */
void etm_part_total(struct etm_listing *listing, uint64_t cycles, bool partial);

/* Position of a copy of a part's text. */
struct etm_part_cursor {
    size_t chunk, at; /* byte of a chunk */
    uint64_t done;    /* bytes of the text */
};

/* Write the text up to a byte of it. Returns the status of the listing. */
int etm_part_copy(struct etm_listing *listing,
                  const struct etm_listing_portion *part,
                  struct etm_part_cursor *cursor, uint64_t to);

/* Skip that many bytes, of one line. */
void etm_part_skip(const struct etm_listing_portion *part,
                   struct etm_part_cursor *cursor, size_t n);

/* The text form (write/listing.h). */
void etm_text_part_begin(struct etm_listing *listing);
bool etm_text_part_holds(struct etm_listing *listing,
                         const struct etm_element *e);
void etm_text_part_end(struct etm_listing *listing);
int etm_text_part_append(struct etm_listing *listing,
                         const struct etm_listing_portion *part);

#endif
