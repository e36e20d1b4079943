/* SPDX-License-Identifier: Apache-2.0 */
/* A listing into memory, for tests that compare it byte for byte. */
#ifndef TEST_WRITE_LISTING_H
#define TEST_WRITE_LISTING_H

#include "../support/test.h"

#include <etm/write.h>

struct written {
    char text[1u << 20];
    size_t n;
    int status; /* what the writer returns */
};

static inline int take_text(void *context, const char *text, size_t n)
{
    struct written *w = context;

    assert_true(w->n + n < sizeof w->text);
    memcpy(w->text + w->n, text, n);
    w->n += n;
    w->text[w->n] = '\0';
    return w->status;
}

static inline struct etm_listing *new_listing(const char *format,
                                              struct written *w)
{
    struct etm_listing_config config = {
        .format = format, .write = take_text, .context = w};
    struct etm_listing *listing;

    memset(w, 0, sizeof *w);
    assert_ok(etm_listing_new(&listing, &config));
    return listing;
}

/* Of a source of which nothing is known. */
static inline struct etm_listing *begun(const char *format, struct written *w)
{
    struct etm_listing *listing = new_listing(format, w);

    assert_ok(
        etm_listing_begin(listing, &(struct etm_listing_source){.id = 0}));
    return listing;
}

#endif
