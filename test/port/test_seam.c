/* SPDX-License-Identifier: Apache-2.0 */
/* Where memory of frames that was written in a circle has its newest trace
 * (doc/errata.md, E-643). */
#include "framer_support.h"

#include "port/frame.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES 64u
#define SIZE ((size_t)FRAMES * ETM_FRAME_BYTES)

/* The last frames of a longer capture of two sources. */
static void make(uint8_t bytes[SIZE])
{
    struct etm_framer *f = new_framer((struct etm_framer_config){0});
    uint64_t random = 1;
    uint8_t *all;
    size_t n;

    for (unsigned i = 0; i < 400; i++) {
        uint8_t some[8];

        for (unsigned k = 0; k < sizeof some; k++)
            some[k] = (uint8_t)random_next(&random);
        assert_int_equal(etm_framer_push(f, i % 5 == 0 ? 0x11 : 0x10, some,
                                         1 + i % sizeof some),
                         ETM_OK);
    }
    all = end_framer(f, &n);
    n -= n % ETM_FRAME_BYTES;
    assert_true(n > SIZE);
    memcpy(bytes, all + n - SIZE, SIZE);
    free(all);
}

static void rotate(const uint8_t *from, uint8_t *to, size_t by)
{
    memcpy(to, from + by, SIZE - by);
    memcpy(to + SIZE - by, from, by);
}

static void it_is_behind_the_frame_that_the_null_source_completes(void **state)
{
    uint8_t order[SIZE], bytes[SIZE];

    (void)state;
    make(order);
    assert_int_equal(etm_frame_seam(order, SIZE), 0);
    for (size_t at = ETM_FRAME_BYTES; at < SIZE; at += ETM_FRAME_BYTES) {
        rotate(order, bytes, at);
        assert_int_equal(etm_frame_seam(bytes, SIZE), SIZE - at);
        assert_int_equal(etm_frame_seam(bytes, SIZE - 3),
                         at > ETM_FRAME_BYTES ? SIZE - at : 0);
    }
}

static void there_is_none_where_trace_begins_or_ends_twice(void **state)
{
    static const uint8_t beginning[ETM_FRAME_BYTES] = {
        0x21, 0, 0, 0, 0, 0, 0x80, 0x08, 0x21, 0x10};
    uint8_t order[SIZE], bytes[SIZE], two[2 * SIZE];

    (void)state;
    make(order);
    rotate(order, bytes, SIZE / 2);
    memcpy(two, bytes, SIZE);
    memcpy(two + SIZE, bytes, SIZE);
    assert_int_equal(etm_frame_seam(two, sizeof two), 0);
    /* the buffer was not filled, or tracing went on with another run */
    memcpy(bytes, beginning, sizeof beginning);
    assert_int_equal(etm_frame_seam(bytes, SIZE), 0);
    rotate(order, bytes, SIZE / 2);
    memcpy(bytes + SIZE / 2, beginning, sizeof beginning);
    assert_int_equal(etm_frame_seam(bytes, SIZE), 0);
    assert_int_equal(etm_frame_seam(bytes, 0), 0);
}

static void frames_of_zeros_are_of_the_end(void **state)
{
    uint8_t order[SIZE], bytes[SIZE];

    (void)state;
    make(order);
    memset(order, 0, 3u * ETM_FRAME_BYTES); /* will follow it */
    rotate(order, bytes, SIZE / 2);
    assert_int_equal(etm_frame_seam(bytes, SIZE),
                     SIZE / 2 + 3u * ETM_FRAME_BYTES);
    memset(bytes, 0, SIZE);
    assert_int_equal(etm_frame_seam(bytes, SIZE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_behind_the_frame_that_the_null_source_completes),
        cmocka_unit_test(there_is_none_where_trace_begins_or_ends_twice),
        cmocka_unit_test(frames_of_zeros_are_of_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
