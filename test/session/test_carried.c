/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on from long before a stretch to long after it, and is given then:
 * how long a gap was, and what was lost since when. */
#include "../support/status.h"
#include "parallel_support.h"
#include "support/capture.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 60000u /* of a stream, and a few more */
#define UNIT 500u

static struct etm_test_elements plain, other;

/* ETMv3.5 or PFT, of `b .` at 0x1000. */
struct trace {
    struct etm_config config;
    struct etm_image *image;
    struct input in;
};

static void begin(struct trace *t, enum etm_protocol protocol,
                  bool cycle_accurate)
{
    static const uint8_t loop[] = {0xfe, 0xff, 0xff, 0xea}; /* b . */

    t->config =
        (struct etm_config){.size = sizeof t->config,
                            .protocol = protocol,
                            .minor = protocol == ETM_PROTOCOL_PFT ? 1 : 5,
                            .cycle_accurate = cycle_accurate};
    OK(etm_image_new(&t->image, NULL));
    OK(etm_image_add(t->image, 0x1000, loop, sizeof loop, NULL));
    t->in = (struct input){.config = &t->config,
                           .image = t->image,
                           .bytes = malloc(BYTES + 2 * UNIT)};
    assert_non_null(t->in.bytes);
}

static void put(struct trace *t, const uint8_t *bytes, size_t n)
{
    assert_true(t->in.n + n <= BYTES + 2 * UNIT);
    memcpy(t->in.bytes + t->in.n, bytes, n);
    t->in.n += n;
}

/* That, and P-headers or atoms up to the length of a unit; so often that
 * the stream has `n` bytes. */
static void put_units(struct trace *t, const uint8_t *bytes, size_t n,
                      size_t all)
{
    while (t->in.n < all) {
        size_t end = t->in.n + UNIT;

        put(t, bytes, n);
        memset(t->in.bytes + t->in.n, 0x84, end - t->in.n);
        t->in.n = end;
    }
}

static uint64_t count(enum etm_element_kind kind)
{
    uint64_t n = 0;

    for (size_t i = 0; i < plain.n; i++)
        n += plain.all[i].kind == kind;
    return n;
}

static void take_each(struct trace *t, enum etm_level level, unsigned jobs)
{
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};
    const struct cut cut = {jobs, 3 * UNIT, 0};

    other.n = 0;
    etm_parallel_free(etm_test_parallel(&t->in, level, &cut, &how));
    assert_int_equal(other.n, plain.n);
    for (size_t i = 0; i < plain.n; i++)
        assert_true(etm_test_same(&plain.all[i], &other.all[i]));
}

/* Threads give what one gives, and not more than `bad` joints a run do not
 * fit. */
static void end(struct trace *t, uint64_t bad)
{
    joints = (struct etm_parallel_joints){0};
    for (unsigned jobs = 2; jobs <= 3; jobs++) {
        OK(etm_test_decode(&t->config, t->image, ETM_LEVEL_INSTRUCTIONS,
                           t->in.bytes, t->in.n, &plain));
        take_each(t, ETM_LEVEL_INSTRUCTIONS, jobs);
        OK(etm_test_decode(&t->config, t->image, ETM_LEVEL_RANGES, t->in.bytes,
                           t->in.n, &plain));
        take_each(t, ETM_LEVEL_RANGES, jobs);
    }
    assert_in_range(joints.bad, 0, 4 * bad);
    assert_true(joints.good > 4 * 20);
    free(t->in.bytes);
    etm_image_free(t->image);
}

/* ETMv3: A-sync, and the I-sync of the loop for a reason. */
#define V3_SYNC(reason)                                                        \
    {                                                                          \
        0, 0, 0, 0, 0, 0x80, 0x08, 0x01 | (reason) << 5, 0x00, 0x10, 0, 0      \
    }

static const uint8_t v3_began[] = V3_SYNC(1), v3_periodic[] = V3_SYNC(0);

/* 7.3.4: the cycle count packet of a gap may never come. */
static void a_gap_is_given_at_the_end(void **state)
{
    struct trace t;

    (void)state;
    begin(&t, ETM_PROTOCOL_ETMV3, true);
    put(&t, v3_began, sizeof v3_began);
    put_units(&t, v3_periodic, sizeof v3_periodic, BYTES);
    end(&t, 1);
    assert_int_equal(count(ETM_ELEMENT_CYCLES), 1); /* not known */
}

static void a_gap_is_given_in_the_middle(void **state)
{
    static const uint8_t told[] = {0x04, 0x05};
    struct trace t;

    (void)state;
    begin(&t, ETM_PROTOCOL_ETMV3, true);
    put(&t, v3_began, sizeof v3_began);
    put_units(&t, v3_periodic, sizeof v3_periodic, BYTES / 2 + UNIT / 2);
    put(&t, told, sizeof told);
    put_units(&t, v3_periodic, sizeof v3_periodic, BYTES);
    end(&t, 2);
    assert_int_equal(count(ETM_ELEMENT_CYCLES), 1);
    for (size_t i = 0; i < plain.n; i++)
        if (plain.all[i].kind == ETM_ELEMENT_CYCLES)
            assert_int_equal(plain.all[i].u.cycles.n, 5);
}

/* Tracing began again meanwhile: nothing says how long the gap before was. */
static void another_gap_comes_before_one_is_given(void **state)
{
    static const uint8_t told[] = {0x04, 0x05};
    struct trace t;

    (void)state;
    begin(&t, ETM_PROTOCOL_ETMV3, true);
    for (size_t n = BYTES / 4; n <= BYTES; n += BYTES / 4) {
        put(&t, v3_began, sizeof v3_began);
        put_units(&t, v3_periodic, sizeof v3_periodic, n);
    }
    put(&t, told, sizeof told);
    end(&t, 5);
    assert_int_equal(count(ETM_ELEMENT_CYCLES), 4);
}

/* The same where the I-sync tells how long it was, which is then in a chart of
 * those who know of no gap before. */
static void another_gap_is_given_at_once(void **state)
{
    static const uint8_t began[] = {0x70, 0x07, 0x21, 0x00, 0x10, 0, 0};
    struct trace t;

    (void)state;
    begin(&t, ETM_PROTOCOL_ETMV3, true);
    put(&t, v3_began, sizeof v3_began);
    put_units(&t, v3_periodic, sizeof v3_periodic, BYTES / 2 + UNIT / 2);
    put(&t, began, sizeof began);
    put_units(&t, v3_periodic, sizeof v3_periodic, BYTES);
    end(&t, 2);
    assert_int_equal(count(ETM_ELEMENT_CYCLES), 2);
}

static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

/* All I-syncs are lost, as where there should be a context ID in them. */
static void lose(enum etm_protocol protocol, const uint8_t *sync, size_t n,
                 const uint8_t *bad, size_t n_bad, bool told)
{
    struct trace t;

    begin(&t, protocol, false);
    put(&t, a_sync, sizeof a_sync);
    put(&t, bad, n_bad);
    put_units(&t, a_sync, sizeof a_sync, BYTES / 2);
    if (told)
        put_units(&t, sync, n, BYTES);
    put_units(&t, a_sync, sizeof a_sync, BYTES);
    end(&t, 2);
    assert_int_equal(count(ETM_ELEMENT_LOST), 1);
    for (size_t i = 0; i < plain.n; i++) {
        const struct etm_element *e = &plain.all[i];

        if (e->kind != ETM_ELEMENT_LOST)
            continue;
        assert_int_equal(e->u.lost.reason, ETM_LOST_BAD_PACKET);
        assert_true(e->u.lost.bytes > (told ? BYTES / 3 : BYTES * 2 / 3));
        assert_int_equal(e->offset, sizeof a_sync);
    }
}

static void what_is_lost_of_etmv3_is_reported_once(void **state)
{
    /* bit 0 of the information byte: 7.11.2 */
    static const uint8_t bad[] = {0x08, 0x20, 0x00, 0x10, 0x00, 0x00};

    (void)state;
    for (int told = 0; told < 2; told++)
        lose(ETM_PROTOCOL_ETMV3, v3_periodic, sizeof v3_periodic, bad,
             sizeof bad, told != 0);
}

static void what_is_lost_of_pft_is_reported_once(void **state)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0, 0x80,
                                   0x08, 0x00, 0x10, 0x00, 0, 0x01};
    static const uint8_t bad[] = {0x1e}; /* reserved */

    (void)state;
    for (int told = 0; told < 2; told++)
        lose(ETM_PROTOCOL_PFT, sync, sizeof sync, bad, sizeof bad, told != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_given_at_the_end),
        cmocka_unit_test(a_gap_is_given_in_the_middle),
        cmocka_unit_test(another_gap_comes_before_one_is_given),
        cmocka_unit_test(another_gap_is_given_at_once),
        cmocka_unit_test(what_is_lost_of_etmv3_is_reported_once),
        cmocka_unit_test(what_is_lost_of_pft_is_reported_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
