/* SPDX-License-Identifier: Apache-2.0 */
/* Framers, and captures of several sources that they made. */
#ifndef TEST_PORT_FRAMER_SUPPORT_H
#define TEST_PORT_FRAMER_SUPPORT_H

#include "port_support.h"

static inline struct etm_framer *new_framer(struct etm_framer_config config)
{
    struct etm_framer *f;

    config.size = sizeof config;
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    return f;
}

/* The end of a framer: the n bytes it made, which the caller frees. */
static inline uint8_t *end_framer(struct etm_framer *f, size_t *n)
{
    const uint8_t *bytes;
    uint8_t *copy;

    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, n);
    copy = malloc(*n + 1);
    assert_non_null(copy);
    if (*n != 0)
        memcpy(copy, bytes, *n);
    etm_framer_free(f);
    return copy;
}

/* Sources of a random capture, and what each of them sent. */
static const uint8_t ids[] = {0x01, 0x10, 0x13, 0x6f, ETM_ID_TRIGGER};
#define N_IDS 5u

struct random_capture {
    struct etm_framer_config config;
    uint8_t *bytes;
    size_t n;
    struct bytes sent[N_IDS];
};

static inline struct random_capture random_capture(uint64_t *seed,
                                                   size_t pieces)
{
    struct random_capture c = {0};
    struct etm_framer *f;

    if (random_next(seed) % 2 != 0) {
        c.config.layout = ETM_FRAME_TPIU;
        c.config.full_sync = random_next(seed) % 6;
        c.config.half_sync = random_next(seed) % 12;
    }
    c.config.repeat_id = random_next(seed) % 10;
    c.config.no_deferred_id = random_next(seed) % 3 == 0;
    f = new_framer(c.config);
    for (size_t i = 0; i < pieces; i++) {
        unsigned which = random_next(seed) % N_IDS;
        unsigned n = random_next(seed) % (random_next(seed) % 4 ? 6 : 60);
        /* Few values, so that 00, 7f and ff meet in every position. */
        bool few = random_next(seed) % 2 != 0;

        for (unsigned k = 0; k < n; k++) {
            static const uint8_t rare[] = {0x00, 0x7f, 0xff, 0xfe};
            uint8_t value = (uint8_t)random_next(seed);

            if (few)
                value = rare[value % 4];
            bytes_add(&c.sent[which], value, 0);
            assert_int_equal(etm_framer_push(f, ids[which], &value, 1), ETM_OK);
        }
        if (random_next(seed) % 50 == 0)
            assert_int_equal(etm_framer_flush(f), ETM_OK);
    }
    c.bytes = end_framer(f, &c.n);
    return c;
}

static inline void random_capture_free(struct random_capture *c)
{
    free(c->bytes);
    for (unsigned i = 0; i < N_IDS; i++)
        bytes_free(&c->sent[i]);
}

#endif
