/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's decoder, fast ways and all, beside the plain one of plain.h:
 * the same bytes, damaged or not, in pieces of any size, give the same
 * elements. ETM_TEST_ROUNDS=N runs N random executions of each protocol,
 * ETM_TEST_SEED=N begins with another one. The argument is what to compare:
 * "pft" or "etmv3", "captures", which are those of ETM_SHARED, or "demo", those
 * of the demos.
 */
#include "compare.h"

#include "support/capture.h"
#include "support/program.h"
#include "support/walk.h"

#include <etm/model.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (1u << 22)
#define ROUNDS 1000u
#define HITS 20u /* damaged copies of one capture */

/* One random execution; too big for a stack. */
static struct {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    struct program program;
    struct walk walk;
    size_t n;
    uint8_t bytes[BYTES], copy[BYTES];
} trial;

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    if (n > BYTES - trial.n)
        return ETM_ERR_MEMORY;
    memcpy(trial.bytes + trial.n, bytes, n);
    trial.n += n;
    return ETM_OK;
}

static void make_trial(enum etm_protocol protocol, uint64_t seed)
{
    struct etm_generator_config how = {
        .size = sizeof how, .config = &trial.config, .bytes = keep};
    struct random *r = &trial.r;
    struct etm_generator *g;

    trial.seed = seed;
    r->state = seed;
    config_make(&trial.config, protocol, r);
    if (random_chance(r, 30)) /* fewer packets that stop the fast way */
        trial.config.sync_period = 1024;
    program_make(&trial.program, &trial.config, r);
    walk_make(&trial.walk, &trial.program, r,
              trial.program.n_slots > 1000 ? 2500 : 10 + random_below(r, 600));
    how.packing = random_chance(r, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    how.return_stack_size = (uint8_t)random_below(r, 16);
    how.deprecated_exceptions = (uint8_t)random_below(r, 3);
    how.separate_cycle_count = random_chance(r, 30);
    how.cancelled_as_failed = random_chance(r, 30);
    how.no_debug_entry = random_chance(r, 20);
    how.spread_sync = random_chance(r, 50);
    trial.n = 0;
    assert_int_equal(etm_generator_new(&g, &how), ETM_OK);
    assert_int_equal(etm_generator_push(g, trial.walk.events, trial.walk.n),
                     ETM_OK);
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
}

static void executions(enum etm_protocol protocol)
{
    unsigned long n = plain_setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = plain_setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;
        char name[64];

        make_trial(protocol, seed + i);
        image = program_image(&trial.program);
        snprintf(name, sizeof name, "ETM_TEST_SEED=%lu", seed + i);
        plain_compare(name, &trial.config, image, trial.bytes, trial.n,
                      &trial.r);
        for (unsigned k = 0; k < 4 && trial.n != 0; k++) {
            size_t left =
                plain_damage(trial.copy, trial.bytes, trial.n, &trial.r);
            snprintf(name, sizeof name, "ETM_TEST_SEED=%lu, damage %u",
                     seed + i, k);
            plain_compare(name, &trial.config, image, trial.copy, left,
                          &trial.r);
        }
        etm_image_free(image);
    }
}

static void pft_is_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(ETM_PROTOCOL_PFT);
}

static void etmv3_is_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(ETM_PROTOCOL_ETMV3);
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
         ETM_TEST_ELF, 0x00000800, 0x4114f243, 0x00541800, ETM_PROFILE_M, 0x10},
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
        {"captures", cmocka_unit_test(captures_are_what_a_plain_walk_says)},
        {"demo", cmocka_unit_test(demos_are_what_a_plain_walk_says)},
    };
    int failed = -1;

    for (unsigned i = 0; argc > 1 && i < 4; i++)
        if (strcmp(argv[1], tests[i].name) == 0) {
            const struct CMUnitTest one[] = {tests[i].test};

            failed = cmocka_run_group_tests(one, NULL, NULL);
        }
    plain_compare_free();
    return failed;
}
