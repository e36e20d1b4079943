/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's decoder, fast paths and all, beside the plain one of plain.h:
 * the same bytes, damaged or not, in pieces of any size, give the same
 * elements. The argument is what to compare: "pft", "etmv3", "data", "etmv2" or
 * "etmv1", random streams of these; "captures", which are those of ETM_SHARED,
 * or "demo", those of the demos.
 */
#include "compare.h"

#include "flow/streams.h"
#include "support/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HITS 20u /* damaged copies of one capture */

static uint8_t damaged[TRIAL_BYTES];

/* As it is, and damaged, also from anywhere on. */
static void check_stream(const struct etm_image *image)
{
    for (unsigned k = 0; k < 5; k++) {
        size_t n = k == 0 ? stream.n : stream_damage(damaged);
        const char *wrong =
            plain_differs(&stream.config, image,
                          k == 0 ? stream.bytes : damaged, n, &stream.r);

        if (wrong != NULL)
            stream_fail("damage %u: %s", k, wrong);
    }
}

#define SAME(group, kind, rounds)                                              \
    {                                                                          \
        group, NULL, STREAM_##kind, rounds, check_stream, NULL, 0              \
    }

/* V1-SYNC-05, V1-SYNC-06, V1-OVF-01 to -04, V2-SYNC-01 to -04, V2-RULE-06,
 * V2-HDR-07, V2-UNK-01 to -03 */
static const struct stream_test streams[] = {
    SAME("pft", PFT, 1000),           SAME("pft", PFT_CALM, 200),
    SAME("pft", PFT_MIXED, 1500),     SAME("pft", PFT_REPEATED, 5),
    SAME("etmv3", ETMV3, 1000),       SAME("etmv3", ETMV3_CALM, 200),
    SAME("etmv3", ETMV3_MIXED, 1500), SAME("etmv3", ETMV3_WOVEN, 150),
    SAME("etmv3", ETMV3_REPEATED, 5), SAME("data", DATA, 1000),
    SAME("data", DATA_MIXED, 1500),   SAME("etmv2", ETMV2, 1500),
    SAME("etmv1", ETMV1, 1500)};

static void same(const char *name, const struct etm_test_capture *c,
                 const struct etm_image *image, const uint8_t *bytes, size_t n)
{
    const char *wrong = plain_differs(&c->config, image, bytes, n, &stream.r);

    if (wrong != NULL)
        fail_msg("%s: %s", name, wrong);
}

/* A capture as it is and damaged, with its code and without. */
static void check_capture(const struct etm_test_source *source)
{
    struct etm_test_capture c;

    if (!etm_test_open(source, &c))
        skip();
    stream.r.state = 7;
    same(source->name, &c, c.image, c.stream.bytes, c.stream.n);
    same(source->name, &c, NULL, c.stream.bytes, c.stream.n);
    assert_true(c.stream.n <= TRIAL_BYTES);
    stream.config = c.config;
    stream.n = c.stream.n;
    memcpy(stream.bytes, c.stream.bytes, c.stream.n);
    for (unsigned k = 0; k < HITS && c.stream.n != 0; k++)
        same(source->name, &c, c.image, damaged, stream_damage(damaged));
    etm_test_close(&c);
}

static void captures_are_what_a_plain_walk_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < etm_test_n_sources; i++)
        check_capture(&etm_test_sources[i]);
}

static void demos_are_what_a_plain_walk_says(void **state)
{
    static const struct etm_test_source demos[] = {
        /* registers as in device_1.ini */
        {"cortex-m3", "cortex-m3/cstrace.bin", "cortex-m3/sensor.elf", NULL,
         ETM_TEST_ELF, 0x00000800, 0x4114f240, 0x00541800, ETM_PROFILE_M, 0x10},
        {"cortex-a9", "cortex-a9/cstrace.bin", "cortex-a9/sensor.elf", NULL,
         ETM_TEST_ELF, 0x3000c800, 0x411cf300, 0x00c019a2, ETM_PROFILE_A, 0x11},
    };

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        check_capture(&demos[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest captures[] = {
        cmocka_unit_test(captures_are_what_a_plain_walk_says)};
    const struct CMUnitTest demos[] = {
        cmocka_unit_test(demos_are_what_a_plain_walk_says)};
    int failed = 1;

    if (argc > 1 && strcmp(argv[1], "captures") == 0)
        failed = cmocka_run_group_tests(captures, NULL, NULL);
    else if (argc > 1 && strcmp(argv[1], "demo") == 0)
        failed = cmocka_run_group_tests(demos, NULL, NULL);
    else
        failed =
            stream_main(argc, argv, streams, sizeof streams / sizeof *streams);
    plain_compare_free();
    return failed;
}
