/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's decoder, fast paths and all, beside the plain one of plain.h:
 * the same bytes, damaged or not, in pieces of any size, give the same
 * elements. ETM_TEST_ROUNDS=N runs N random executions of each protocol,
 * ETM_TEST_SEED=N begins with another one. The argument is what to compare:
 * "pft", "etmv3" or "etmv3-data", "captures", which are those of ETM_SHARED, or
 * "demo", those of the demos.
 */
#include "compare.h"

#include "../support/setting.h"
#include "support/capture.h"
#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 1000u
#define HITS 20u /* damaged copies of one capture */

static struct trial trial;
static uint8_t damaged[TRIAL_BYTES];

/* One with data trace, if `data`; else every fourth goes on for long. */
static void execute(enum etm_protocol protocol, bool data, unsigned long seed)
{
    if (data)
        trial_make_data(&trial, seed);
    else if (seed % 4 == 0)
        trial_make_calm(&trial, protocol, seed);
    else
        trial_make(&trial, protocol, seed, false);
}

static void executions(enum etm_protocol protocol, bool data)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;
        char name[64];

        execute(protocol, data, seed + i);
        image = program_image(&trial.program);
        snprintf(name, sizeof name, "ETM_TEST_SEED=%lu", seed + i);
        plain_compare(name, &trial.config, image, trial.bytes, trial.n,
                      &trial.r);
        for (unsigned k = 0; k < 4 && trial.n != 0; k++) {
            size_t left = plain_damage(damaged, trial.bytes, trial.n, &trial.r);
            snprintf(name, sizeof name, "ETM_TEST_SEED=%lu, damage %u",
                     seed + i, k);
            plain_compare(name, &trial.config, image, damaged, left, &trial.r);
        }
        etm_image_free(image);
    }
}

static void pft_is_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(ETM_PROTOCOL_PFT, false);
}

static void etmv3_is_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(ETM_PROTOCOL_ETMV3, false);
}

static void etmv3_data_are_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(ETM_PROTOCOL_ETMV3, true);
}

/* A capture as it is and damaged, with its code and without. */
static void check_capture(const struct etm_test_source *source)
{
    struct etm_test_capture c;
    uint8_t *copy;

    if (!etm_test_open(source, &c))
        skip();
    trial.r.state = 7;
    plain_compare(source->name, &c.config, c.image, c.stream.bytes, c.stream.n,
                  &trial.r);
    plain_compare(source->name, &c.config, NULL, c.stream.bytes, c.stream.n,
                  &trial.r);
    copy = malloc(c.stream.n + 1);
    assert_non_null(copy);
    for (unsigned k = 0; k < HITS && c.stream.n != 0; k++) {
        size_t left = plain_damage(copy, c.stream.bytes, c.stream.n, &trial.r);
        plain_compare(source->name, &c.config, c.image, copy, left, &trial.r);
    }
    free(copy);
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
    static const struct {
        const char *name;
        struct CMUnitTest test;
    } tests[] = {
        {"pft", cmocka_unit_test(pft_is_what_a_plain_walk_says)},
        {"etmv3", cmocka_unit_test(etmv3_is_what_a_plain_walk_says)},
        {"etmv3-data", cmocka_unit_test(etmv3_data_are_what_a_plain_walk_says)},
        {"captures", cmocka_unit_test(captures_are_what_a_plain_walk_says)},
        {"demo", cmocka_unit_test(demos_are_what_a_plain_walk_says)},
    };
    int failed = -1;

    for (unsigned i = 0; argc > 1 && i < 5; i++)
        if (strcmp(argv[1], tests[i].name) == 0) {
            const struct CMUnitTest one[] = {tests[i].test};

            failed = cmocka_run_group_tests(one, NULL, NULL);
        }
    plain_compare_free();
    return failed;
}
