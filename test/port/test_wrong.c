/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a TPIU's stream that a pin did not carry as it should
 * (doc/errata.md, E-627). */
#include "framer_support.h"

#include "port/frame.h"

#include <stdlib.h>
#include <string.h>

#define MOST 8192u
#define FIRST_PLACES 1000u /* in these the sources are met */

/* What a deframer made. */
struct got {
    uint8_t bytes[MOST];
    size_t file[MOST]; /* of each */
    bool gap[MOST];    /* before it */
    size_t n;
    uint64_t lost;
};

static uint8_t *make_capture(size_t *n)
{
    static const uint8_t sources[] = {0x10, 0x01, 0x22};
    struct etm_framer *f = new_framer(
        (struct etm_framer_config){.layout = ETM_FRAME_TPIU, .full_sync = 8});
    uint64_t random = 7;

    for (unsigned i = 0; i < 600; i++) {
        uint8_t bytes[16];
        unsigned k = 1 + random_next(&random) % sizeof bytes;

        for (unsigned j = 0; j < k; j++)
            bytes[j] = (uint8_t)random_next(&random);
        assert_int_equal(etm_framer_push(f, sources[i % 3], bytes, k), ETM_OK);
    }
    return end_framer(f, n);
}

/* The stream of a source; `part`: bytes that are pushed at a time. */
static void deframe_wrong(struct got *made, const uint8_t *bytes, size_t n,
                          const uint64_t *wrong, size_t part)
{
    struct etm_deframer d;
    struct etm_deframed piece;

    etm_deframer_init(&d, ETM_FRAME_TPIU, 0x01, NULL);
    d.wrong = wrong;
    d.n_wrong = wrong ? 1 : 0;
    made->n = 0;
    made->lost = 0;
    for (size_t at = 0; at < n; at += part) {
        size_t k = n - at < part ? n - at : part;

        assert_int_equal(etm_deframer_push(&d, bytes + at, k), ETM_OK);
        if (at + k == n)
            assert_int_equal(etm_deframer_finish(&d), ETM_OK);
        etm_deframer_take(&d, &piece);
        for (size_t i = 0; i < piece.n_runs; i++) {
            const struct etm_frame_run *run = &piece.runs[i];
            size_t file = (size_t)run->file, place = run->at;

            for (uint32_t j = 0; j < run->n; j++, file++, place++) {
                if (place == ETM_FRAME_DATA)
                    place = 0, file++;
                made->file[made->n] = file;
                made->gap[made->n++] = j == 0 && run->gap;
            }
            made->lost += run->gap ? run->lost : 0;
        }
        if (piece.n_bytes != 0)
            memcpy(made->bytes + made->n - piece.n_bytes, piece.bytes,
                   piece.n_bytes);
    }
    made->lost += piece.lost;
    etm_deframer_fini(&d);
}

/* The place in its frame of each byte; 16: it is in none. */
static void find_places(const uint8_t *bytes, size_t n, uint8_t *places)
{
    for (size_t at = 0; at < n;) {
        bool sync =
            n - at >= 4 && memcmp(bytes + at, "\377\377\377\177", 4) == 0;
        unsigned k = sync ? 4 : ETM_FRAME_BYTES;

        for (unsigned i = 0; i < k && at < n; i++)
            places[at++] = sync ? 16 : (uint8_t)i;
    }
}

/* Is a byte of the source missing if that one is wrong? Without a flag byte all
 * of its frame are. */
static bool is_missing(size_t file, size_t wrong, const uint8_t *places)
{
    return file == wrong ||
           (places[wrong] == 15 && file < wrong && wrong - file < 16);
}

/* E-627 */
static void a_byte_is_missing_in_its_place(void **state)
{
    static struct got whole, made;
    static uint8_t places[4 * MOST];
    size_t n, n_data = 0;
    uint8_t *bytes = make_capture(&n);

    (void)state;
    assert_true(n < sizeof places);
    find_places(bytes, n, places);
    deframe_wrong(&whole, bytes, n, NULL, n);
    for (size_t at = FIRST_PLACES; at < n; at++) {
        uint64_t wrong = at;
        size_t k = 0, missing = 0;
        bool after = false;

        deframe_wrong(&made, bytes, n, &wrong, at % 3 == 0 ? 7 : n);
        for (size_t i = 0; i < whole.n; i++) {
            if (is_missing(whole.file[i], at, places)) {
                missing++;
                after = true;
                continue;
            }
            assert_true(k < made.n);
            assert_int_equal(made.bytes[k], whole.bytes[i]);
            assert_int_equal(made.file[k], whole.file[i]);
            assert_true(made.gap[k] || !after);
            after = false;
            k++;
        }
        assert_int_equal(k, made.n);
        n_data += missing == 1;
        /* an ID: the source before it may miss a byte */
        assert_true(made.lost >= missing);
        assert_true(made.lost <= missing + (places[at] == 15 ? 8 : 1));
        if (places[at] < 15 && (places[at] % 2 != 0 || (bytes[at] & 1) == 0))
            assert_int_equal(made.lost, missing);
    }
    assert_true(n_data > 500);
    free(bytes);
}

static void an_id_of_no_known_source_was_data(void **state)
{
    static struct got whole, made;
    static uint8_t places[4 * MOST];
    size_t n, tried = 0;
    uint8_t *bytes = make_capture(&n);

    (void)state;
    find_places(bytes, n, places);
    deframe_wrong(&whole, bytes, n, NULL, n);
    for (size_t at = FIRST_PLACES; at < n; at++) {
        uint64_t wrong = at;
        uint8_t right = bytes[at];
        bool data = places[at] % 2 == 0 && places[at] < 15 && (right & 1) == 0;

        if (!data)
            continue;
        bytes[at] = 0x4f << 1 | 1;
        deframe_wrong(&made, bytes, n, &wrong, n);
        bytes[at] = right;
        for (size_t i = 0, k = 0; i < whole.n; i++)
            if (whole.file[i] != at)
                assert_int_equal(made.bytes[k++], whole.bytes[i]);
        tried++;
    }
    assert_true(tried > 500);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_is_missing_in_its_place),
        cmocka_unit_test(an_id_of_no_known_source_was_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
