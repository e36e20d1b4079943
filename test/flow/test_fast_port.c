/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of ETMv1 and ETMv2 beside the plain ones: both take the same
 * bytes, and whenever the fast one stops they must have given the same
 * elements and must remember the same. Random executions at every level, whole
 * and damaged, in calls of random sizes; and what is counted is what the ranges
 * say. ETM_TEST_ROUNDS=N runs N of each
 * protocol, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "counts_side.h"
#include "etmv1_walk.h"
#include "etmv2_walk.h"
#include "program.h"
#include "proto/etmv1.h"
#include "proto/sample.h"
#include "side.h"
#include "trace.h"

#include <etm/model.h>

#define BYTES (1u << 20)
#define ROUNDS 400u

/* One random execution; too big for a stack. */
static struct {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    size_t n, fast, all;
    uint8_t bytes[BYTES];
    struct v1_walk v1;
    struct program program;
    struct v2_walk v2;
} trial;

static struct side fast, plain;

static void side_gap(struct side *s, uint64_t offset)
{
    assert_ok(s->row->flow_gap(&s->flow, offset, 5, &s->elements));
    assert_ok(s->row->gap(&s->proto, &s->packets));
    side_flow(s);
}

static void take_imprint(struct side *s)
{
    etm_imprint_clear(&s->imprint);
    s->row->imprint(&s->proto, &s->flow, &s->imprint);
    etm_elements_imprint(&s->elements, s->row->walk(&s->flow), &s->imprint);
}

/* Drop what is final: a decoder does so too. */
static void give(struct side *s)
{
    struct etm_walk *f = s->row->walk(&s->flow);

    etm_vec_drop(&s->elements, f->held);
    f->base += f->held;
    f->held = 0;
}

/* Say which number of the imprints differs first. */
static void fail_state(size_t at)
{
    const uint64_t *a = fast.imprint.values.data;
    const uint64_t *b = plain.imprint.values.data;
    size_t i = 0;

    while (i < fast.imprint.values.n && i < plain.imprint.values.n &&
           a[i] == b[i])
        i++;
    fail_msg("ETM_TEST_SEED=%llu: another state before byte %zu: number %zu "
             "of %zu and %zu",
             (unsigned long long)trial.seed, at, i, fast.imprint.values.n,
             plain.imprint.values.n);
}

static void compare(size_t at)
{
    const struct etm_element *a = fast.elements.data, *b = plain.elements.data;
    size_t n =
        fast.elements.n < plain.elements.n ? fast.elements.n : plain.elements.n;

    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("ETM_TEST_SEED=%llu: element %zu, kinds %u and %u, at "
                     "%llu and %llu differs before byte %zu",
                     (unsigned long long)trial.seed, i, a[i].kind, b[i].kind,
                     (unsigned long long)a[i].offset,
                     (unsigned long long)b[i].offset, at);
    if (fast.elements.n != plain.elements.n ||
        fast.row->walk(&fast.flow)->held != plain.row->walk(&plain.flow)->held)
        fail_msg("ETM_TEST_SEED=%llu: %zu and %zu elements before byte %zu",
                 (unsigned long long)trial.seed, fast.elements.n,
                 plain.elements.n, at);
    take_imprint(&fast);
    take_imprint(&plain);
    if (!etm_imprint_same(&fast.imprint, &plain.imprint))
        fail_state(at);
}

/* Both ways, with calls of up to `most` bytes. */
static void both_ways(const struct etm_image *image, enum etm_level level,
                      uint32_t most)
{
    const struct etm_fast_path *path = etm_protocol_fast_path(&trial.config);

    assert_non_null(path);
    side_init(&fast, &trial.config, image, level);
    side_init(&plain, &trial.config, image, level);
    for (size_t at = 0; at < trial.n;) {
        const uint8_t *bytes = trial.bytes + at;
        size_t n = 1 + random_below(&trial.r, most), used;

        n = n < trial.n - at ? n : trial.n - at;
        used = path->fast(&fast.proto, &fast.flow, bytes, n, &fast.elements);
        trial.fast += used;
        if (used == 0) {
            assert_ok(etm_vec_reserve(&fast.packets, 8));
            used = path->one(&fast.proto, bytes, n, &fast.packets);
            assert_true(used != 0);
            side_flow(&fast);
        }
        assert_true(used <= n);
        side_push(&plain, bytes, used);
        at += used;
        compare(at);
        give(&fast);
        give(&plain);
        if (random_chance(&trial.r, 1) && random_chance(&trial.r, 10)) {
            side_gap(&fast, at);
            side_gap(&plain, at);
        }
    }
    side_finish(&fast, trial.n);
    side_finish(&plain, trial.n);
    compare(trial.n);
    trial.all += trial.n;
    side_fini(&fast);
    side_fini(&plain);
}

static void generate(struct etm_generator_config *how,
                     const struct etm_event *events, size_t n)
{
    how->config = &trial.config;
    trial.n = trace_make(how, events, n, trial.bytes, BYTES);
}

static void damage(void)
{
    struct random *r = &trial.r;

    for (unsigned i = 1 + random_below(r, 6); i > 0; i--)
        trial.bytes[random_below(r, (uint32_t)trial.n)] ^=
            (uint8_t)(1u << random_below(r, 8));
    if (random_chance(r, 30) && trial.n > 100) {
        size_t from = random_below(r, (uint32_t)trial.n - 50);
        size_t n = 1 + random_below(r, 40);

        memmove(trial.bytes + from, trial.bytes + from + n, trial.n - from - n);
        trial.n -= n;
    }
}

/* Records that say something else, few or many: another one's status, or none
 * that stands there; packets that begin an address or do not; and triggers with
 * TRACESYNC, whose cycle has no packet all the same (5.1.1). */
static void damage_records(void)
{
    struct random *r = &trial.r;
    size_t size = etm_sample_size(&trial.config), n = trial.n / size;
    bool etmv1 = trial.config.protocol == ETM_PROTOCOL_ETMV1;
    uint32_t every = random_chance(r, 50) ? 200 : 10 + random_below(r, 2000);

    for (size_t i = 0; i < n; i++) {
        uint8_t *record = trial.bytes + i * size;
        const uint8_t *other =
            trial.bytes + random_below(r, (uint32_t)n) * size;

        if (random_below(r, every) != 0)
            continue;
        switch (random_below(r, etmv1 ? 5 : 2)) {
        case 0:
            record[0] = other[0];
            break;
        case 1:
            record[1] = other[1];
            break;
        case 2:
            record[0] ^= ETM_SAMPLE_SYNC;
            break;
        case 3:
            record[0] = (uint8_t)(random_next(r) & 0x87);
            break;
        case 4:
            record[1] = record[0] & ETM_SAMPLE_STATUS;
            record[0] = ETM_SAMPLE_SYNC | ETM_ETMV1_TR;
            break;
        }
    }
}

static void same_counts(const struct etm_image *image)
{
    struct counts_way way = {.piece = 1 + random_below(&trial.r, 9000)};
    const char *wrong;

    if (random_chance(&trial.r, 50))
        way.blocks = 1 + random_below(&trial.r, 60);
    wrong = counts_compare(&trial.config, image, &way, trial.bytes, trial.n);
    if (wrong != NULL)
        fail_msg("ETM_TEST_SEED=%llu: %s where executions are counted",
                 (unsigned long long)trial.seed, wrong);
}

static void check(const struct etm_image *image)
{
    static const enum etm_level levels[] = {
        ETM_LEVEL_RANGES, ETM_LEVEL_INSTRUCTIONS, ETM_LEVEL_COUNTS,
        ETM_LEVEL_COVERAGE};
    enum etm_level level = levels[random_below(&trial.r, 4)];

    if (trial.n == 0)
        return;
    same_counts(image);
    both_ways(image, level, 100000);
    both_ways(image, level, 40);
    for (unsigned i = 0; i < 3; i++) {
        damage();
        both_ways(image, level, i == 0 ? 9 : 4000);
        same_counts(image);
    }
    damage_records();
    both_ways(image, level, 4000);
    same_counts(image);
}

static void begin(uint64_t seed)
{
    trial.seed = seed;
    trial.r.state = seed;
}

/* Most bytes have to go that way, or nothing was compared. */
static void tell(void)
{
    print_message("%zu of %zu bytes took the fast path\n", trial.fast,
                  trial.all);
    assert_true(trial.fast > trial.all / 2);
    trial.fast = trial.all = 0;
}

TEST(etmv1_is_the_same_on_the_fast_path)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_generator_config how = {0};
        struct etm_image *image;

        begin(seed + i);
        v1_walk_make(&trial.v1, seed + i, random_chance(&trial.r, 60));
        trial.config = trial.v1.config;
        how.fifo_size = trial.v1.fifo_size;
        generate(&how, trial.v1.events, trial.v1.n_events);
        image = v1_walk_image(&trial.v1);
        check(image);
        etm_image_free(image);
    }
    tell();
}

TEST(etmv2_is_the_same_on_the_fast_path)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct etm_generator_config how = {.fifo_size = 90};
        struct etm_image *image;

        begin(seed + i);
        v2_config_make(&trial.config, 60, &trial.r);
        trial.config.sync_period = 400;
        how.config = &trial.config;
        program_make(&trial.program, &trial.config, &trial.r);
        v2_walk_make(&trial.v2, &trial.program, &how, &trial.r);
        generate(&how, trial.v2.events, trial.v2.n);
        image = program_image(&trial.program);
        check(image);
        etm_image_free(image);
    }
    tell();
}

#define BE_SYNC (ETM_SAMPLE_SYNC | ETM_ETMV1_BE)
#define WT_SYNC (ETM_SAMPLE_SYNC | ETM_ETMV1_WT)

/* A branch whose address stands after those of two others, and a branch that
 * takes one of them: the packet cursor goes back, and the first address is in
 * the queue, read and still to come. The third branch is after all of them. */
static const uint8_t back_and_forth[] = {
    ETM_ETMV1_BE, 0x9b, ETM_ETMV1_IN, 0x9f, ETM_ETMV1_IE, 0xd2, /* two on */
    ETM_ETMV1_BE, 0x8d, ETM_ETMV1_ID, 0xe2, ETM_ETMV1_IE, 0x20, /* one on */
    ETM_ETMV1_WT, 0x56, WT_SYNC,      0x94, ETM_ETMV1_WT, 0x02, /**/
    BE_SYNC,      0xfc, ETM_ETMV1_WT, 0x85, ETM_ETMV1_IE, 0xf8, /* three on */
    ETM_ETMV1_WT, 0xff, ETM_ETMV1_WT, 0x0f,                     /* fffe02fc */
    WT_SYNC,      0x88, ETM_ETMV1_WT, 0x80, ETM_ETMV1_WT, 0x80, /* 00000008 */
    ETM_ETMV1_WT, 0x80, ETM_ETMV1_WT, 0x00,                     /**/
    WT_SYNC,      0xd8, ETM_ETMV1_WT, 0x81, ETM_ETMV1_WT, 0x02, /**/
    WT_SYNC,      0x88, ETM_ETMV1_WT, 0x80, ETM_ETMV1_WT, 0x00};

/* A full address, to which the trace is synchronized. */
static const uint8_t whole_address[] = {BE_SYNC,      0x80, ETM_ETMV1_IE, 0x80,
                                        ETM_ETMV1_IE, 0x82, ETM_ETMV1_WT, 0x80,
                                        ETM_ETMV1_WT, 0x00};

static void append(const uint8_t *bytes, size_t n)
{
    memcpy(trial.bytes + trial.n, bytes, n);
    trial.n += n;
}

static void append_many(enum etm_etmv1_status status, unsigned n)
{
    uint8_t record[] = {(uint8_t)status, 0};

    while (n-- != 0)
        append(record, sizeof record);
}

TEST(etmv1_addresses_are_read_once_on_the_fast_path)
{
    struct etm_image *image;

    begin(1);
    trial.config = (struct etm_config){.size = sizeof trial.config,
                                       .protocol = ETM_PROTOCOL_ETMV1,
                                       .minor = 2};
    assert_ok(etm_image_new(&image, NULL));
    trial.n = 0;
    append(whole_address, sizeof whole_address);
    append_many(ETM_ETMV1_IE, 80);
    append(back_and_forth, sizeof back_and_forth);
    append_many(ETM_ETMV1_IE, 80);
    for (uint32_t most = 1; most < 300; most++) /* the queue ends anywhere */
        both_ways(image, ETM_LEVEL_INSTRUCTIONS, most);
    trial.fast = trial.all = 0;
    etm_image_free(image);
}

/* Each record is a load of four words: packets come ever later after their
 * statuses, until they are none any more (E-346). */
TEST(etmv1_packets_far_behind_are_none_on_the_fast_path)
{
    static uint8_t code[400];
    struct etm_image *image;

    for (size_t i = 0; i < sizeof code; i += 4) /* LDM r0, {r1-r4} */
        memcpy(code + i, (const uint8_t[]){0x1e, 0x00, 0x90, 0xe8}, 4);
    begin(1);
    trial.config = (struct etm_config){.size = sizeof trial.config,
                                       .protocol = ETM_PROTOCOL_ETMV1,
                                       .minor = 2,
                                       .data_value = true};
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, code, sizeof code, NULL));
    trial.n = 0;
    append(whole_address, sizeof whole_address);
    append_many(ETM_ETMV1_ID, 3000);
    for (uint32_t most = 100; most < 8000; most += 100)
        both_ways(image, ETM_LEVEL_INSTRUCTIONS, most);
    trial.fast = trial.all = 0;
    etm_image_free(image);
}

int main(void)
{
    int failed = tests_run();

    free(counts_ranges.all);
    free(counts_others.all);
    return failed;
}
