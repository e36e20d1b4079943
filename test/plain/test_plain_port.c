/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's decoder beside the plain one of plain.h on random executions
 * of ETMv1 and ETMv2: as they are, beginning anywhere, and damaged. The
 * argument is "etmv1" or "etmv2". ETM_TEST_ROUNDS=N runs N, ETM_TEST_SEED=N
 * begins with another one.
 */
#include "compare.h"

#include "model/etmv1_walk.h"
#include "model/etmv2_walk.h"
#include "support/program.h"
#include "support/trace.h"

#include "../support/setting.h"
#include "proto/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (3u << 20)
#define ROUNDS 600u
#define STUTTER 9000u

/* Too big for a stack. */
static struct {
    struct random r;
    struct etm_config config;
    struct etm_generator_config options;
    struct program program; /* of ETMv2 */
    struct v2_walk walk;
    struct v1_walk v1;
    size_t n;
    uint8_t bytes[BYTES], copy[BYTES];
} trial;

static void generate(const struct etm_event *events, size_t n)
{
    trial.n = trace_make(&trial.options, events, n, trial.bytes, BYTES);
}

/* An execution with overflows or without. */
static struct etm_image *make_etmv1(unsigned long seed)
{
    struct etm_image *image;

    trial.r.state = seed;
    v1_walk_make(&trial.v1, seed, random_chance(&trial.r, 50));
    trial.config = trial.v1.config;
    trial.options = (struct etm_generator_config){
        .config = &trial.config, .fifo_size = trial.v1.fifo_size};
    generate(trial.v1.events, trial.v1.n_events);
    image = v1_walk_image(&trial.v1);
    assert_non_null(image);
    return image;
}

static struct etm_image *make_etmv2(unsigned long seed)
{
    struct random *r = &trial.r;
    struct etm_image *image;

    r->state = seed;
    v2_config_make(&trial.config, 50, r);
    trial.options = (struct etm_generator_config){.config = &trial.config};
    trial.options.fold_branches = random_chance(r, 60);
    trial.options.cancelled_as_failed = random_chance(r, 30);
    trial.options.full_addresses = random_chance(r, 5);
    trial.options.branch_before_data = random_chance(r, 20);
    trial.options.fifo_size =
        (uint8_t)(random_chance(r, 60) ? 90 : random_below(r, 96));
    program_make(&trial.program, &trial.config, r);
    v2_walk_make(&trial.walk, &trial.program, &trial.options, r);
    generate(trial.walk.events, trial.walk.n);
    image = program_image(&trial.program);
    if (trial.walk.vectors != NULL)
        assert_int_equal(
            etm_image_add(image, 0xffff0000u, trial.walk.vectors, 32, NULL),
            ETM_OK);
    return image;
}

/* Records that are others, are missing, or come from elsewhere: few or many.
 * Returns the new size of trial.copy. */
static size_t damage_records(void)
{
    struct random *r = &trial.r;
    size_t size = etm_sample_size(&trial.config), n = trial.n / size, to = 0;
    uint32_t every = random_chance(r, 50) ? 200 : 10 + random_below(r, 2000);
    size_t from = 0;

    for (size_t i = 0; i < n; i++, from++) {
        uint8_t *record = trial.copy + to;
        bool hit = random_below(r, every) == 0;
        uint32_t kind = hit ? random_below(r, 6) : 6;

        if (kind == 0) { /* once more, or an older one goes on */
            uint32_t back = random_chance(r, 70) ? 24 : (uint32_t)n;

            from -= random_below(r, back < from ? back : (uint32_t)from + 1);
        }
        if (kind == 1 || from >= n)
            continue;
        memcpy(record, trial.bytes + from * size, size);
        if (kind == 2) /* another status, as there are */
            record[0] = trial.bytes[random_below(r, (uint32_t)n) * size];
        if (kind == 3)
            record[1] = (uint8_t)random_next(r);
        if (kind == 4)
            record[0] ^= ETM_SAMPLE_SYNC;
        if (kind == 5)
            record[0] = (uint8_t)(random_next(r) & 0x87);
        to += size;
    }
    return to;
}

/* A few records again and again: longer than anything is held back (E-375).
 * Returns the new size of trial.copy. */
static size_t stutter(void)
{
    struct random *r = &trial.r;
    size_t size = etm_sample_size(&trial.config), n = trial.n / size;
    size_t few = 1 + random_below(r, random_chance(r, 50) ? 2 : 12);
    size_t from = random_below(r, (uint32_t)n) * size, to;

    if (trial.n + 2 * STUTTER > BYTES || few * size > trial.n - from)
        return 0;
    to = from + few * size;
    memcpy(trial.copy, trial.bytes, to);
    for (; to < from + STUTTER; to += size)
        memcpy(trial.copy + to, trial.copy + to - few * size, size);
    memcpy(trial.copy + to, trial.bytes + from, trial.n - from);
    return to + trial.n - from;
}

/* Records that mean nothing. */
static size_t noise(void)
{
    size_t size = etm_sample_size(&trial.config), n = 600 * size;
    uint64_t calm = random_chance(&trial.r, 50) ? 0x05 : 0x87;

    for (size_t i = 0; i < n; i++) {
        trial.copy[i] = (uint8_t)random_next(&trial.r);
        if (i % size == 0 && random_chance(&trial.r, 99))
            trial.copy[i] &=
                (uint8_t)(random_chance(&trial.r, 30) ? 0x8f : calm);
    }
    return n;
}

/* A stream as it is, from anywhere on, and damaged. */
static void compare(unsigned long seed, const struct etm_image *image)
{
    size_t from = random_below(&trial.r, (uint32_t)trial.n), left;
    char name[64];

    snprintf(name, sizeof name, "ETM_TEST_SEED=%lu", seed);
    plain_compare(name, &trial.config, image, trial.bytes, trial.n, &trial.r);
    if (random_chance(&trial.r, 80)) /* else in the middle of a record */
        from -= from % etm_sample_size(&trial.config);
    snprintf(name, sizeof name, "ETM_TEST_SEED=%lu, from %zu", seed, from);
    plain_compare(name, &trial.config, image, trial.bytes + from,
                  trial.n - from, &trial.r);
    for (unsigned k = 0; k < 6; k++) {
        if (k == 5)
            left = random_chance(&trial.r, 30) ? stutter() : 0;
        else if (k < 2)
            left = plain_damage(trial.copy, trial.bytes, trial.n, &trial.r);
        else
            left = k < 4 ? damage_records() : noise();
        snprintf(name, sizeof name, "ETM_TEST_SEED=%lu, damage %u", seed, k);
        plain_compare(name, &trial.config, image, trial.copy, left, &trial.r);
    }
}

static void executions(struct etm_image *make(unsigned long seed))
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image = make(seed + i);

        compare(seed + i, image);
        etm_image_free(image);
    }
}

/* V1-SYNC-05, V1-SYNC-06, V1-OVF-01 to -04 */
static void etmv1_is_what_a_plain_walk_says(void **state)
{
    /* each found what only pieces of some lengths showed */
    static const unsigned long once[] = {2509404, 46460192, 61768434};

    (void)state;
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        struct etm_image *image = make_etmv1(once[i]);

        compare(once[i], image);
        etm_image_free(image);
    }
    executions(make_etmv1);
}

/* V2-SYNC-01 to -04, V2-RULE-06, V2-HDR-07, V2-UNK-01 to -03 */
static void etmv2_is_what_a_plain_walk_says(void **state)
{
    (void)state;
    executions(make_etmv2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest etmv1[] = {
        cmocka_unit_test(etmv1_is_what_a_plain_walk_says),
    };
    const struct CMUnitTest etmv2[] = {
        cmocka_unit_test(etmv2_is_what_a_plain_walk_says),
    };
    int failed = argc > 1 && strcmp(argv[1], "etmv1") == 0
                     ? cmocka_run_group_tests(etmv1, NULL, NULL)
                     : cmocka_run_group_tests(etmv2, NULL, NULL);

    plain_compare_free();
    return failed;
}
