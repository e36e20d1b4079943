/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of an ITM that were damaged and cut anywhere: their elements. */
#include "streams.h"
#include "support/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 300u

static struct etm_test_elements whole, other;

/* In order, within the stream, with one end. */
static void check(const struct etm_test_elements *got, size_t n)
{
    uint64_t lost = 0;

    assert_true(got->n > 0);
    for (size_t i = 0; i < got->n; i++) {
        const struct etm_element *e = &got->all[i];

        assert_true(e->offset <= n);
        assert_true(i == 0 || e->offset >= got->all[i - 1].offset);
        assert_int_equal(e->kind == ETM_ELEMENT_END, i + 1 == got->n);
        lost += e->kind == ETM_ELEMENT_LOST ? e->u.lost.bytes : 0;
    }
    assert_true(lost <= n);
}

static void decode(const struct etm_image *image, const uint8_t *bytes,
                   size_t n, struct etm_test_elements *out)
{
    assert_int_equal(
        etm_test_decode(&stream.config, image, ETM_LEVEL_RANGES, bytes, n, out),
        ETM_OK);
    check(out, n);
}

/* Cut at each byte, all but the last packet and the end stays. */
static void cut_anywhere(const struct etm_image *image)
{
    decode(image, stream.bytes, stream.n, &whole);
    for (size_t end = 0; end < stream.n; end++) {
        size_t same = 0;

        decode(image, stream.bytes, end, &other);
        while (same < other.n && same < whole.n &&
               memcmp(&other.all[same], &whole.all[same], sizeof *other.all) ==
                   0)
            same++;
        assert_true(other.n - same <= 2);
    }
}

/* Damage ends with the next synchronization. */
static void damaged(const struct etm_image *image)
{
    static const uint8_t sync[] = {0, 0, 0, 0, 0, 0x80};
    size_t at = stream.n, from = 0, n = 2 * at + sizeof sync;

    memcpy(stream.bytes + at, sync, sizeof sync);
    memcpy(stream.bytes + at + sizeof sync, stream.bytes, at);
    decode(image, stream.bytes, n, &whole);
    stream.bytes[stream_below((uint32_t)at)] ^=
        (uint8_t)(1 + stream_below(255));
    decode(image, stream.bytes, n, &other);
    while (whole.all[whole.n - 1 - from].offset >= at + sizeof sync)
        from++;
    assert_true(from > 10 && from < other.n);
    for (size_t i = 1; i <= from; i++) {
        struct etm_element a = whole.all[whole.n - i];
        const struct etm_element *b = &other.all[other.n - i];

        if (a.kind == ETM_ELEMENT_LOCAL_TIMESTAMP)
            a.u.local_timestamp.ticks = b->u.local_timestamp.ticks;
        if (a.kind == ETM_ELEMENT_SOFTWARE) /* its page may be another one */
            a.u.software.port = b->u.software.port;
        assert_memory_equal(&a, b, sizeof a);
    }
}

int main(int argc, char **argv)
{
    static const struct stream_test streams[] = {
        {"itm", "cut", STREAM_ITM, 5, cut_anywhere, NULL, 0},
        {"itm", "damaged", STREAM_ITM, ROUNDS, damaged, NULL, 0}};
    int failed = stream_main(argc, argv, streams, 2);

    free(whole.all);
    free(other.all);
    return failed;
}
