/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several threads give the elements of one, and make the listing that one
 * makes of them: of captures of chips and of random executions in every
 * protocol, whole and damaged, cut into stretches so short that nothing fits
 * and so long that nearly all does.
 * ETM_TEST_ROUNDS=N makes N random executions of each kind, ETM_TEST_SEED=N
 * begins with another one.
 */
#include "parallel_support.h"
#include "portions.h"

#include "../support/setting.h"
#include "image/counts.h"

#include <stdlib.h>
#include <string.h>

static struct etm_test_elements serial, other;
static struct etm_counts *counted; /* of `serial`, at that level */
static uint64_t cycles;            /* and of these */
static size_t taken;               /* portions, of the test */
static unsigned long seed;         /* of the execution at hand */

/* The seed of execution `i`, which is `first` of the first one. */
static unsigned long begin(unsigned long first, unsigned long i)
{
    seed = setting("ETM_TEST_SEED", first) + i;
    return seed;
}

static void decode_serially(const struct input *in, enum etm_level level)
{
    struct etm_decoder_config how =
        etm_test_collecting(in->config, in->image, level, &serial);
    struct etm_decoder *d;
    size_t at = 0;

    OK(etm_decoder_new(&d, &how));
    for (size_t i = 0; i < in->n_gaps; i++) {
        OK(etm_decoder_push(d, in->bytes + at, in->gaps[i] - at));
        OK(etm_decoder_gap(d, 7));
        at = in->gaps[i];
    }
    OK(etm_decoder_push(d, in->bytes + at, in->n - at));
    OK(etm_decoder_finish(d));
    if (etm_level_counts(level))
        OK(etm_decoder_counts(d, etm_counts_add, counted));
    cycles = etm_decoder_counted_cycles(d);
    etm_decoder_free(d);
}

/* Rows of one table, in order. */
struct rows {
    struct etm_count *all;
    size_t n, room;
};

static int keep_row(void *context, const struct etm_count *count)
{
    struct rows *rows = context;

    if (rows->n == rows->room) {
        rows->room = 2 * rows->room + 64;
        rows->all = realloc(rows->all, rows->room * sizeof *rows->all);
        assert_non_null(rows->all);
    }
    rows->all[rows->n++] = *count;
    return ETM_OK;
}

/* The executions that several threads count are those of one. */
static void check_counts(struct etm_parallel *p)
{
    struct rows one = {NULL, 0, 0}, many = {NULL, 0, 0};
    struct etm_counts *sum;

    OK(etm_counts_new(&sum, NULL));
    OK(etm_counts_walk(counted, keep_row, &one));
    OK(etm_parallel_counts(p, etm_counts_add, sum));
    assert_int_equal(etm_parallel_cycles(p), cycles);
    OK(etm_counts_walk(sum, keep_row, &many));
    etm_counts_free(sum);
    assert_int_equal(one.n, many.n);
    for (size_t i = 0; i < one.n; i++) {
        const struct etm_count *a = &one.all[i], *b = &many.all[i];

        if (a->n != b->n || a->start != b->start || a->end != b->end ||
            a->insns != b->insns || a->isa != b->isa ||
            a->last_exec != b->last_exec)
            fail_msg("ETM_TEST_SEED=%lu: range at %x: %llu times, and %llu in "
                     "threads",
                     seed, a->start, (unsigned long long)a->n,
                     (unsigned long long)b->n);
    }
    free(one.all);
    free(many.all);
}

/* `portions` and where elements go is in *how already. */
static void decode_in_parallel(const struct input *in, enum etm_level level,
                               const struct cut *cut,
                               struct etm_parallel_config *how)
{
    struct etm_parallel *p = etm_test_parallel(in, level, cut, how);

    if (etm_level_counts(level))
        check_counts(p);
    etm_parallel_free(p);
}

static const struct cut cuts[] = {
    {2, 6, 6},        {3, 60, 30}, {3, 120, 120}, {2, 240, 600},
    {16, 1002, 1002}, {2, 300, 0}, {3, 1002, 0},  {1, 500, 0}};
#define CUTS (sizeof cuts / sizeof *cuts)

static void check_cut(const struct input *in, enum etm_level level, size_t k)
{
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};

    other.n = 0;
    decode_in_parallel(in, level, &cuts[k], &how);
    for (size_t i = 0; i < serial.n && i < other.n; i++)
        if (!etm_test_same(&serial.all[i], &other.all[i]))
            fail_msg("ETM_TEST_SEED=%lu: %u threads, %zu bytes: element %zu "
                     "of %zu at %llu differs",
                     seed, cuts[k].jobs, cuts[k].stretch, i, serial.n,
                     (unsigned long long)serial.all[i].offset);
    assert_int_equal(other.n, serial.n);
}

/* The lines that the threads make are those of one listing. */
static void check_listing(const struct input *in, enum etm_level level,
                          size_t k)
{
    static unsigned form;
    struct test_portions one, many;
    struct etm_portions hook;
    struct etm_parallel_config how = {.elements = test_portions_elements,
                                      .context = &many,
                                      .portions = &hook};

    form = (form + 1) % TEST_FORMS;
    test_portions_init(&one, form, in->config);
    test_portions_init(&many, form, in->config);
    hook = test_portions_hook(&many);
    OK(test_portions_elements(&one, serial.all, serial.n));
    OK(etm_listing_flush(one.listing));
    decode_in_parallel(in, level, &cuts[k], &how);
    OK(etm_listing_flush(many.listing));
    for (size_t i = 0; i < one.text.n && i < many.text.n; i++)
        if (one.text.bytes[i] != many.text.bytes[i])
            fail_msg("ETM_TEST_SEED=%lu: form %u, %u threads, %zu bytes: byte "
                     "%zu of %zu differs",
                     seed, form, cuts[k].jobs, cuts[k].stretch, i, one.text.n);
    assert_int_equal(many.text.n, one.text.n);
    assert_int_equal(atomic_load(&many.at_hand), 0);
    assert_true(many.taken <= atomic_load(&many.begun));
    taken += many.taken;
    test_portions_fini(&one);
    test_portions_fini(&many);
}

static void check(const struct input *in, enum etm_level level)
{
    OK(etm_counts_new(&counted, NULL));
    decode_serially(in, level);
    assert_true(serial.n > 0);
    for (size_t k = 0; k < CUTS; k++)
        if (in->n / cuts[k].stretch < 2000) {
            check_cut(in, level, k);
            if (k % 2 == in->n % 2)
                check_listing(in, level, k);
        }
    etm_counts_free(counted);
}

/* Bits flipped, bytes cut out and bytes known to be missing. */
static void damage(struct input *in, struct random *r)
{
    size_t at = 0;

    for (unsigned i = 1 + random_below(r, 12); i > 0; i--)
        in->bytes[random_below(r, (uint32_t)in->n)] ^=
            (uint8_t)(1u << random_below(r, 8));
    for (unsigned i = random_below(r, 3); i > 0 && in->n > 100; i--) {
        size_t from = random_below(r, (uint32_t)in->n - 50);
        size_t n = 1 + random_below(r, 40);

        memmove(in->bytes + from, in->bytes + from + n, in->n - from - n);
        in->n -= n;
    }
    in->n_gaps = 0;
    for (unsigned i = random_below(r, GAPS); i > 0; i--) {
        at += random_below(r, (uint32_t)(in->n - at) / 2 + 1);
        in->gaps[in->n_gaps++] = at;
    }
}

/* Both ways were gone: stretches of workers were good, and others were not.
 * Without that the tests would hold for one that decodes all twice. */
static void check_joints(void)
{
    print_message("%llu joints fit, %llu do not\n",
                  (unsigned long long)joints.good,
                  (unsigned long long)joints.bad);
    assert_true(joints.good > 100);
    assert_true(joints.bad > 100);
    assert_true(taken > 100);
    taken = 0;
    joints = (struct etm_parallel_joints){0};
}

/* Every captured source in the folder, repeated, at both levels. */
static void captures_of_chips_are_the_same_on_all_threads(void **state)
{
    struct random r = {.state = 11};

    (void)state;
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;
        struct input in = {0};

        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        if (c.stream.n == 0) { /* it has a configuration and no trace */
            etm_test_close(&c);
            continue;
        }
        in.config = &c.config;
        in.image = c.image;
        in.n = c.stream.n < 20000 ? c.stream.n : 20000;
        in.bytes = malloc(2 * in.n);
        assert_non_null(in.bytes);
        memcpy(in.bytes, c.stream.bytes, in.n);
        memcpy(in.bytes + in.n, c.stream.bytes, in.n);
        in.n *= 2;
        check(&in, ETM_LEVEL_RANGES);
        check(&in, ETM_LEVEL_INSTRUCTIONS);
        check(&in, ETM_LEVEL_COUNTS);
        check(&in, ETM_LEVEL_COVERAGE);
        for (unsigned k = 0; k < 3; k++) {
            damage(&in, &r);
            check(&in, k == 0   ? ETM_LEVEL_INSTRUCTIONS
                       : k == 1 ? ETM_LEVEL_COUNTS
                                : ETM_LEVEL_RANGES);
        }
        free(in.bytes);
        etm_test_close(&c);
    }
    check_joints();
}

/* Twice the stream, since it is short: the joint is damage of its own. Whole
 * and with more damage. */
static void check_stream(struct input *in, struct random *r)
{
    static const enum etm_level levels[] = {
        ETM_LEVEL_RANGES, ETM_LEVEL_INSTRUCTIONS, ETM_LEVEL_COUNTS,
        ETM_LEVEL_COVERAGE};
    enum etm_level level = levels[random_below(r, 4)];
    size_t n = in->n;

    if (n == 0)
        return;
    in->bytes = realloc(in->bytes, 2 * n);
    assert_non_null(in->bytes);
    memcpy(in->bytes + n, in->bytes, n);
    in->n = 2 * n;
    check(in, level);
    damage(in, r);
    check(in, level);
}

static void random_executions(void **state)
{
    const struct kind *kind = *state;

    for (unsigned long i = 0; i < setting("ETM_TEST_ROUNDS", kind->rounds);
         i++) {
        struct random r = {.state = begin(kind->seed, i)};
        struct input in;

        input_make(&in, kind, &r, 0, 100 + random_below(&r, 1500));
        check_stream(&in, &r);
        input_free(&in);
    }
    check_joints();
}

static const struct kind kinds[] = {
    {"pft_is_the_same_on_all_threads", ETM_PROTOCOL_PFT, false, 1000, 40, 0},
    {"etmv3_is_the_same_on_all_threads", ETM_PROTOCOL_ETMV3, false, 2000, 40,
     0},
    {"data_trace_is_the_same_on_all_threads", ETM_PROTOCOL_ETMV3, true, 3000,
     40, 0},
    {"etmv1_is_the_same_on_all_threads", ETM_PROTOCOL_ETMV1, false, 4000, 30,
     0},
    {"etmv2_is_the_same_on_all_threads", ETM_PROTOCOL_ETMV2, false, 5000, 30,
     0},
};

#define KINDS (sizeof kinds / sizeof *kinds)

#define SELDOM 120000u /* bytes of the stream */

/* Bytes of an address that are needed after another one, or all (7.4.2). */
static size_t put_data_address(uint8_t *out, uint32_t address, uint32_t before,
                               bool full)
{
    size_t n = 0;

    for (unsigned bit = 7; bit < 35; bit += 7) {
        bool more = full || address >> bit != before >> bit;

        out[n++] = (uint8_t)((address >> (bit - 7) & 0x7f) | (more ? 0x80 : 0));
        if (!more)
            return n;
    }
    out[n++] = (uint8_t)(address >> 28);
    return n;
}

/* A loop of a load and a branch, synchronized each 1000 bytes. Of one load in
 * `each` the address is traced: in full, and one in `part` of them only as much
 * as is another one than before. */
static size_t make_seldom(uint8_t *out, uint32_t each, uint32_t part,
                          struct random *r)
{
    static const uint8_t sync[] = {0, 0, 0, 0, 0, 0x80, 8, 1, 0, 0x10, 0, 0};
    uint32_t before = 0;
    size_t n = 0;

    for (size_t next = 0; n < SELDOM;) {
        if (n >= next) {
            memcpy(out + n, sync, sizeof sync);
            out[n + 7] = n == 0 ? 0x21 : 0x01; /* tracing begins; periodic */
            n += sizeof sync;
            next = n + 1000;
        }
        out[n++] = 0x84; /* E */
        if (random_below(r, each) == 0) {
            uint32_t address = random_below(r, UINT32_MAX);

            if (random_below(r, 2) == 0)
                address = (before & ~0xfffu) | (address & 0xfff);
            out[n++] = 0x22; /* normal data: an address alone */
            n += put_data_address(out + n, address, before,
                                  before == 0 || random_below(r, part) != 0);
            before = address;
        }
        out[n++] = 0x84;
    }
    return n;
}

/* What their addresses are relative to is known for long to one thread only,
 * and nobody needs it before the next one that is given in full. */
static void data_may_be_seldom(void **state)
{
    static const uint8_t loop[] = {0,    0,    0x91, 0xe5,  /* ldr r0, [r1] */
                                   0xfd, 0xff, 0xff, 0xea}; /* b to it */
    static const struct etm_config config = {.size = sizeof config,
                                             .protocol = ETM_PROTOCOL_ETMV3,
                                             .minor = 5,
                                             .data_address = true};
    static const uint32_t each[] = {100000, 8000, 3000, 300};
    static uint8_t bytes[SELDOM + 64];
    struct input in = {.config = &config, .bytes = bytes};
    struct etm_image *image;

    (void)state;
    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, 0x1000, loop, sizeof loop, NULL));
    in.image = image;
    for (unsigned i = 0; i < 8; i++) {
        struct random r = {.state = begin(300, i)};
        struct cut cut = {2 + i % 2, 3000, 0};
        struct etm_parallel_config how = {.elements = etm_test_collect,
                                          .context = &other};

        in.n = make_seldom(bytes, each[i % 4], i < 4 ? UINT32_MAX : 2, &r);
        check(&in, i % 2 ? ETM_LEVEL_RANGES : ETM_LEVEL_INSTRUCTIONS);
        joints = (struct etm_parallel_joints){0};
        other.n = 0;
        decode_in_parallel(&in, ETM_LEVEL_RANGES, &cut, &how);
        if (i < 4) { /* else some are relative to one before the joint */
            assert_true(joints.good > 20);
            assert_true(joints.bad < 4);
        }
    }
    joints = (struct etm_parallel_joints){0};
    etm_image_free(image);
}

int main(void)
{
    struct CMUnitTest tests[KINDS + 2] = {
        cmocka_unit_test(captures_of_chips_are_the_same_on_all_threads),
        cmocka_unit_test(data_may_be_seldom),
    };

    kinds_to_tests(kinds, KINDS, random_executions, tests + 2);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
