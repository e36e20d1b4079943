/* SPDX-License-Identifier: Apache-2.0 */
/* A listing, and what each of its formats consists of. */
#ifndef ETM_WRITE_LISTING_H
#define ETM_WRITE_LISTING_H

#include "write/describe.h"
#include "write/out.h"

#include <etm/write.h>

struct etm_listing;

/* One format: a row of the table in listing.c. */
struct etm_format {
    const char *name;
    /* What the format remembers, in bytes; zeroed before the first source. */
    size_t state_size;
    void (*begin)(struct etm_listing *listing);
    void (*element)(struct etm_listing *listing,
                    const struct etm_element *element);
    void (*packet)(struct etm_listing *listing, const struct etm_packet *packet,
                   const struct etm_description *description,
                   const uint8_t *bytes);
    void (*fini)(struct etm_listing *listing); /* may be NULL */
};

extern const struct etm_format etm_format_text;
extern const struct etm_format etm_format_jsonl;

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
};

#endif
