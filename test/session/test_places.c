/* SPDX-License-Identifier: Apache-2.0 */
/* From places in a stream to places in the capture. */
#include "../support/status.h"
#include "../support/test.h"
#include "session/places.h"

static struct etm_places places;

static int begin(void **state)
{
    (void)state;
    etm_places_init(&places, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    etm_places_fini(&places);
    return 0;
}

static void add(uint64_t stream, uint64_t file, uint64_t n, unsigned width,
                unsigned at)
{
    struct etm_place place = {.stream = stream,
                              .file = file,
                              .n = n,
                              .unit = width != 0 ? ETM_PLACE_SAMPLES
                                                 : ETM_PLACE_FRAMES,
                              .width = (uint8_t)width,
                              .at = (uint8_t)at};

    OK(etm_places_add(&places, &place));
}

static uint64_t find(uint64_t offset)
{
    OK(etm_places_publish(&places));
    return etm_places_find(&places, offset);
}

/* Stretches that are kept. */
static size_t kept(void)
{
    const struct etm_vec *blocks = &places.view.blocks;

    OK(etm_places_publish(&places));
    return blocks->n == 0
               ? 0
               : (blocks->n - 1) * ETM_PLACES_BLOCK + places.view.last_n;
}

TEST_BETWEEN(nothing_is_where_it_is, begin, end)
{
    assert_true(etm_places_same(&places));
    assert_int_equal(find(5), 5);
}

TEST_BETWEEN(bytes_that_follow_are_one_stretch, begin, end)
{
    for (uint64_t i = 0; i < 10; i++)
        add(100 * i, 100 * i, 100, 8, 0);
    assert_int_equal(kept(), 1);
    assert_true(etm_places_same(&places));
    assert_int_equal(find(999), 999);
    assert_int_equal(find(5000), 1000);
    add(1000, 1010, 10, 8, 0);
    assert_false(etm_places_same(&places));
    assert_int_equal(find(999), 999);
    assert_int_equal(find(1000), 1010);
    assert_int_equal(find(1009), 1019);
    assert_int_equal(find(0), 0);
}

/* The last byte of each frame holds no data. */
TEST_BETWEEN(frames_are_stepped_over, begin, end)
{
    add(0, 2, 13, 0, 2);
    add(13, 16, 15, 0, 0);
    assert_int_equal(kept(), 1);
    assert_int_equal(find(0), 2);
    assert_int_equal(find(12), 14);
    assert_int_equal(find(13), 16);
    assert_int_equal(find(27), 30);
    assert_int_equal(find(28), 31);
    add(28, 40, 3, 0, 8);
    assert_int_equal(kept(), 2);
    assert_int_equal(find(28), 40);
    assert_int_equal(find(12), 14);
}

/* A byte is where its first bit is: two samples of 4 bits make one. */
TEST_BETWEEN(samples_are_counted_by_bits, begin, end)
{
    add(0, 7, 10, 4, 0);
    add(10, 27, 10, 4, 0);
    assert_int_equal(kept(), 1);
    assert_int_equal(find(0), 7);
    assert_int_equal(find(3), 13);
    assert_int_equal(find(10), 27);
    add(20, 60, 10, 16, 8); /* begins in the middle of a sample */
    assert_int_equal(find(20), 60);
    assert_int_equal(find(21), 61);
    assert_int_equal(find(22), 61);
    assert_int_equal(find(23), 62);
}

/* Others look at what is published without a lock: it does not change, and
 * stays as long as they do, whatever is added and forgotten meanwhile. */
TEST_BETWEEN(what_is_looked_at_stays, begin, end)
{
    struct etm_places_view view;
    uint64_t end = 20 * ETM_PLACES_BLOCK;

    etm_places_view_init(&view, NULL);
    OK(etm_places_view_begin(&view, &places, 0, 10));
    assert_int_equal(etm_places_view_find(&view, 5), 5);
    etm_places_view_end(&view);
    for (uint64_t i = 0; i < end; i += 10)
        add(i, 3 * i, 10, 8, 0);
    OK(etm_places_publish(&places));
    OK(etm_places_view_begin(&view, &places, 100, end - 1));
    add(end, 3 * end - 20, 10, 8, 0); /* after the last one */
    for (uint64_t i = end + 10; i < 50 * end; i += 10)
        add(i, 5 * i, 10, 8, 0);
    OK(etm_places_publish(&places));
    etm_places_forget(&places, 50 * end, 50 * end);
    add(50 * end, 7 * end, 10, 8, 0);
    assert_int_equal(kept(), 50 * end / 10 + 1);
    for (uint64_t i = 100; i < end; i += 7)
        assert_int_equal(etm_places_view_find(&view, i), 3 * i - 2 * (i % 10));
    assert_int_equal(etm_places_view_find(&view, end + 30), 3 * end - 20);
    etm_places_view_end(&view);
    etm_places_forget(&places, 50 * end, 50 * end);
    assert_true(kept() < 16 * ETM_PLACES_BLOCK);
    assert_int_equal(find(49 * end + 5), 245 * end + 5);
    etm_places_view_fini(&view);
}

/* A view serves one buffer, and then the next one, whose places are others. */
TEST_BETWEEN(a_view_knows_nothing_of_other_places, begin, end)
{
    struct etm_places_view view;
    struct etm_places none;

    etm_places_view_init(&view, NULL);
    add(0, 500, 10, 8, 0);
    OK(etm_places_publish(&places));
    OK(etm_places_view_begin(&view, &places, 0, 9));
    assert_int_equal(etm_places_view_find(&view, 5), 505);
    etm_places_view_end(&view);
    etm_places_init(&none, NULL);
    OK(etm_places_view_begin(&view, &none, 0, 9));
    assert_int_equal(etm_places_view_find(&view, 5), 5);
    etm_places_view_end(&view);
    etm_places_fini(&none);
    etm_places_view_fini(&view);
}

/* Trace that yields elements: what lies far behind them goes. */
TEST_BETWEEN(memory_is_bounded, begin, end)
{
    size_t most = 0;

    for (uint64_t i = 0; i < 1000000; i++) {
        add(10 * i, 30 * i, 10, 8, 0);
        if (i % 1000 == 0)
            etm_places_forget(&places, 10 * i, 10 * i + 10);
        most = kept() > most ? kept() : most;
    }
    assert_true(most < 17000);
    assert_int_equal(find(9999999), 29999979);
    assert_int_equal(find(9999999 - 120000), 29999979 - 360000);
}

/* One that is asked for long after, in a view too; until it is no more. */
TEST_BETWEEN(one_place_is_kept, begin, end)
{
    struct etm_places_view view;

    etm_places_view_init(&view, NULL);
    for (uint64_t i = 0; i < 100000; i++) {
        add(10 * i, 30 * i, 10, 8, 0);
        if (i % 1000 != 0)
            continue;
        OK(etm_places_publish(&places));
        if (i == 5000)
            etm_places_keep(&places, 12345);
        etm_places_forget(&places, 10 * i, 10 * i + 10);
    }
    assert_int_equal(find(12345), 37025);
    assert_int_not_equal(find(5432), 16292);
    OK(etm_places_view_begin(&view, &places, 12345, 999999));
    assert_int_equal(etm_places_view_find(&view, 12345), 37025);
    assert_int_equal(etm_places_view_find(&view, 999999), 2999979);
    etm_places_view_end(&view);
    etm_places_keep(&places, UINT64_MAX);
    assert_int_not_equal(find(12345), 37025);
    etm_places_view_fini(&view);
}

/* Trace that yields none for long: where that began is still known. */
TEST_BETWEEN(memory_is_bounded_when_nothing_is_given, begin, end)
{
    const uint64_t settled = 1234567;
    size_t most = 0;

    for (uint64_t i = 0; i < 1000000; i++) {
        add(10 * i, 30 * i, 10, 8, 0);
        if (i % 1000 == 0)
            etm_places_forget(&places, 10 * i < settled ? 10 * i : settled,
                              10 * i + 10);
        most = kept() > most ? kept() : most;
    }
    assert_true(most < 100000);
    assert_int_equal(find(settled), 3703687);
    assert_int_equal(find(settled + 60000), 3703687 + 180000);
    assert_int_equal(find(9999999), 29999979);
    assert_int_equal(find(settled), 3703687);
}
