/* SPDX-License-Identifier: Apache-2.0 */
/* A listing, and the parts of each of its formats. */
#ifndef ETM_WRITE_LISTING_H
#define ETM_WRITE_LISTING_H

#include "proto/broadcast.h"
#include "write/describe.h"
#include "write/out.h"

#include <etm/write.h>

struct etm_listing;

/* One format: a row of the table in formats.c. */
struct etm_format {
    struct etm_listing_format about;
    /* Size of the state of the format in bytes; zeroed before the first
     * source. */
    size_t state_size;
    void (*begin)(struct etm_listing *listing);
    /* What it does not take (`about`) is NULL from here on. */
    void (*element)(struct etm_listing *listing,
                    const struct etm_element *element);
    /* A packet's line: up to its offset, and what comes after, which is the
       same for equal packets of one byte. */
    void (*place)(struct etm_listing *listing, uint64_t offset);
    void (*packet)(struct etm_listing *listing, const struct etm_packet *packet,
                   const struct etm_description *description,
                   const uint8_t *bytes);
    /* A packet that has no line: instead of these two. */
    void (*record)(struct etm_listing *listing,
                   const struct etm_packet *packet);
    /* Counts of a whole source; returns a status. */
    int (*counts)(struct etm_listing *listing, const struct etm_counts *counts);
    void (*finish)(struct etm_listing *listing); /* may be NULL */
    void (*fini)(struct etm_listing *listing);   /* may be NULL */
    /* Parts (write/part.h); NULL if no line depends on another. */
    void (*part_begin)(struct etm_listing *listing);
    bool (*part_holds)(struct etm_listing *listing,
                       const struct etm_element *element);
    void (*part_end)(struct etm_listing *listing);
    int (*part_append)(struct etm_listing *listing,
                       const struct etm_listing_portion *part);
};

extern const struct etm_format etm_format_text;
extern const struct etm_format etm_format_jsonl;
extern const struct etm_format etm_format_lcov;
extern const struct etm_format etm_format_cobertura;
extern const struct etm_format etm_format_gcovr;
extern const struct etm_format etm_format_source;
extern const struct etm_format etm_format_vcd;

/*
 * Most packets are one byte of atoms, and what a byte means does not change in
 * a source: the lines of the last ones, by the byte.
 */
struct etm_listed {
    uint64_t value;
    uint32_t cycle_count;
    uint16_t fields;
    uint8_t kind, count;
    uint8_t n; /* of text; 0: nothing here */
    char text[111];
};

struct etm_listing {
    struct etm_out out;
    const struct etm_format *format;
    void *state;
    struct etm_listing_config config;
    struct etm_listing_source source;
    struct etm_config trace; /* of the source */
    struct etm_broadcast broadcast;
    struct etm_description description;
    bool begun; /* a source was begun */
    struct etm_listed listed[256];
    struct etm_listing_portion *part; /* that is being made; or NULL */
};

/* Before anything is written: a source of which nothing is known, if none was
 * begun. */
void etm_listing_need_source(struct etm_listing *listing);

#endif
