/* SPDX-License-Identifier: Apache-2.0 */
/* What bytes cost that are lost in frames, or come twice (doc/errata.md,
 * E-404). */
#include "framer_support.h"

#include "../support/slip.h"

#define FRAMED ((size_t)16384)
#define ROUNDS 40u
#define MOST_SOURCES 4u

/* Frames: of how many sources, how many bytes of one in a row, and after how
 * many in a hundred such pieces there is padding. */
struct form {
    struct etm_framer_config how;
    unsigned sources, least, most, padded;
    bool itm; /* without an A-sync */
};

static const struct form forms[] = {
    {.sources = 1, .least = 64, .most = 64},
    {.sources = 1, .least = 4, .most = 40, .padded = 100},
    {.sources = 2, .least = 1, .most = 12},
    {.sources = 2, .least = 64, .most = 400},
    {.sources = 4, .least = 1, .most = 12, .padded = 10},
    {.sources = 4, .least = 64, .most = 200},
    {.sources = 1, .least = 3, .most = 9, .padded = 100, .itm = true},
    {.how = {.layout = ETM_FRAME_TPIU},
     .sources = 1,
     .least = 3,
     .most = 9,
     .padded = 100,
     .itm = true},
    {.how = {.layout = ETM_FRAME_TPIU, .half_sync = 40},
     .sources = 2,
     .least = 2,
     .most = 20,
     .padded = 20},
    {.how = {.layout = ETM_FRAME_TPIU, .full_sync = 256},
     .sources = 2,
     .least = 2,
     .most = 20,
     .padded = 20},
};
#define FORMS (sizeof forms / sizeof *forms)

/* Bytes like those of P-headers, branch packets and A-syncs, or of an ITM. */
struct source {
    bool itm;
    unsigned at; /* bytes of an A-sync, or of a packet, that have gone */
};

static uint8_t next_byte(struct source *s, uint64_t *random)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    static const uint8_t sample[] = {0x17, 0, 0x10, 0, 0x08};
    uint32_t r = random_next(random);

    if (s->itm) {
        unsigned at = s->at++ % sizeof sample;

        return at == 1 ? (uint8_t)r : sample[at];
    }
    if (s->at++ % 600 < sizeof a_sync)
        return a_sync[(s->at - 1) % 600];
    return (uint8_t)(r % 4 != 0 ? 0x84 | (r >> 8 & 0x38) : (r >> 8 | 1));
}

/* The caller frees them. */
static uint8_t *make(const struct form *form, size_t *n)
{
    struct source sources[MOST_SOURCES] = {{0}};
    struct etm_framer *f = new_framer(form->how);
    uint64_t random = 1 + (uint64_t)(form - forms);
    size_t sent = 0;

    for (unsigned i = 0; sent < FRAMED; i++) {
        struct source *s = &sources[i % form->sources];
        uint8_t piece[400];
        size_t size =
            form->least + random_next(&random) % (form->most - form->least + 1);

        s->itm = form->itm;
        for (size_t k = 0; k < size; k++)
            piece[k] = next_byte(s, &random);
        assert_int_equal(etm_framer_push(f, (uint8_t)(0x10 + i % form->sources),
                                         piece, size),
                         ETM_OK);
        if (random_next(&random) % 100 < form->padded)
            assert_int_equal(etm_framer_flush(f), ETM_OK);
        sent += size;
    }
    return end_framer(f, n);
}

/* Half of the slips cost at most `half`, nine of ten at most `most`. */
static void assert_cost(struct etm_test_slip slip, size_t half, size_t most)
{
    for (size_t i = 0; i < FORMS; i++) {
        size_t costs[ROUNDS], n;
        uint8_t *bytes = make(&forms[i], &n);
        struct etm_test_framed framed;
        uint64_t random = 1 + slip.lost + 16 * (uint64_t)slip.twice;

        etm_test_framed_init(&framed, forms[i].how.layout, bytes, n);
        for (unsigned k = 0; k < ROUNDS; k++) {
            slip.at = n / 8 + random_next(&random) % (n * 3 / 4);
            costs[k] = etm_test_slip_cost(&framed, &slip);
        }
        if (etm_test_percentile(costs, ROUNDS, 50) > half ||
            etm_test_percentile(costs, ROUNDS, 90) > most)
            fail_msg("form %zu, %u lost, %u twice: %zu, %zu", i, slip.lost,
                     slip.twice, etm_test_percentile(costs, ROUNDS, 50),
                     etm_test_percentile(costs, ROUNDS, 90));
        etm_test_framed_fini(&framed);
        free(bytes);
    }
}

/* E-404 */
static void a_lost_byte_costs_few_frames(void **state)
{
    (void)state;
    assert_cost((struct etm_test_slip){.lost = 1}, 64, 400);
}

static void a_byte_that_comes_twice_costs_few_frames(void **state)
{
    (void)state;
    assert_cost((struct etm_test_slip){.twice = 1}, 64, 400);
}

static void an_odd_number_of_bytes_costs_few_frames(void **state)
{
    (void)state;
    assert_cost((struct etm_test_slip){.lost = 3}, 64, 400);
    assert_cost((struct etm_test_slip){.twice = 5}, 64, 400);
    assert_cost((struct etm_test_slip){.lost = 15}, 64, 400);
}

/* `at` bytes, and then without one. */
static uint8_t *lose(const uint8_t *bytes, size_t n, size_t at)
{
    uint8_t *out = malloc(n);

    assert_non_null(out);
    memcpy(out, bytes, at);
    memcpy(out + at, bytes + at + 1, n - at - 1);
    return out;
}

/* Also where halfword synchronization stands within the frames that wait. */
static void pieces_make_no_difference(void **state)
{
    static const size_t steps[] = {1, 13, 16, 100, 4096};

    (void)state;
    for (size_t i = 0; i < FORMS; i++) {
        enum etm_frame_layout layout = forms[i].how.layout;
        size_t n;
        uint8_t *bytes = make(&forms[i], &n);
        uint8_t *once = lose(bytes, n, n / 3), *cut = lose(once, n - 1, n / 2);
        struct made *whole = deframe(layout, 0x10, cut, n - 2);

        assert_int_equal(whole->counts.moved + whole->counts.full_syncs != 0,
                         true);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            struct made *made =
                deframe_in_steps(layout, 0x10, cut, n - 2, 7, steps[k]);

            assert_same(whole, made);
            made_free(made);
        }
        made_free(whole);
        free(cut);
        free(once);
        free(bytes);
    }
}

/* What stands before the place is given, and nothing waits without a reason. */
static void nothing_waits_in_frames_that_are_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMS; i++) {
        struct etm_deframer_config config = {
            .size = sizeof config, .layout = forms[i].how.layout, .id = 0x10};
        struct etm_deframer *d;
        struct etm_deframed all, part;
        size_t n, given;
        uint8_t *bytes = make(&forms[i], &n);

        if (config.layout != ETM_FRAME_ALIGNED) {
            free(bytes);
            continue;
        }
        assert_int_equal(etm_deframer_new(&d, &config), ETM_OK);
        assert_int_equal(etm_deframer_push(d, bytes, n), ETM_OK);
        etm_deframer_take(d, &part);
        given = part.n_bytes;
        assert_int_equal(etm_deframer_finish(d), ETM_OK);
        etm_deframer_take(d, &all);
        assert_true(given != 0);
        assert_int_equal(all.n_bytes, 0);
        assert_int_equal(etm_deframer_counts(d)->moved, 0);
        etm_deframer_free(d);
        free(bytes);
    }
}

/* Another source begins, with bytes of another kind. */
static void a_new_source_is_no_damage(void **state)
{
    struct etm_framer *f = new_framer((struct etm_framer_config){0});
    struct source etm = {0}, itm = {.itm = true};
    uint64_t random = 3;
    struct made *m;
    uint8_t *bytes;
    size_t n;

    (void)state;
    for (unsigned i = 0; i < 12000; i++) {
        bool other = i > 4000 && i / 40 % 3 == 0;
        uint8_t byte = next_byte(other ? &itm : &etm, &random);

        assert_int_equal(etm_framer_push(f, other ? 0x22 : 0x10, &byte, 1),
                         ETM_OK);
    }
    bytes = end_framer(f, &n);
    m = deframe(ETM_FRAME_ALIGNED, 0x22, bytes, n);
    assert_int_equal(m->counts.moved, 0);
    assert_int_equal(m->counts.bad, 0);
    assert_int_equal(m->n_gaps, 0);
    assert_true(m->stream.n > 2000);
    made_free(m);
    free(bytes);
}

/* A source that sends nothing where a byte is lost has no gap. E-404 */
static void only_sources_at_the_place_have_a_gap(void **state)
{
    struct etm_framer *f = new_framer((struct etm_framer_config){0});
    struct source source = {0};
    uint64_t random = 5;
    uint8_t *bytes;
    unsigned gaps = 0;
    size_t n;

    (void)state;
    for (unsigned i = 0; i < 16000; i++) {
        uint8_t byte = next_byte(&source, &random);

        assert_int_equal(
            etm_framer_push(f, i / 1000 % 2 != 0 ? 0x11 : 0x10, &byte, 1),
            ETM_OK);
    }
    bytes = end_framer(f, &n);
    for (unsigned i = 0; i < ROUNDS; i++) {
        /* in the middle of a piece */
        uint8_t *cut = lose(bytes, n, n / 16 * 8 + n / 64 + i * 11);
        struct made *here = deframe(ETM_FRAME_ALIGNED, 0x10, cut, n - 1);
        struct made *there = deframe(ETM_FRAME_ALIGNED, 0x11, cut, n - 1);

        assert_int_equal(here->counts.moved, 1);
        assert_int_equal(here->n_gaps, 1);
        assert_in_range(here->lost, 1, 128);
        assert_in_range(here->stream.n, 8000 - 128, 8000 - 1);
        assert_in_range(there->stream.n, 8000, 8000 + 15);
        gaps += (unsigned)there->n_gaps;
        made_free(there);
        made_free(here);
        free(cut);
    }
    /* data may look like its ID */
    assert_in_range(gaps, 0, ROUNDS / 2);
    free(bytes);
}

/* An allocator of which the `fail_at`-th call fails. */
struct faulty {
    unsigned calls, fail_at;
};

static void *resize(void *context, void *memory, size_t size)
{
    struct faulty *faulty = context;

    if (size == 0) {
        free(memory);
        return NULL;
    }
    return ++faulty->calls == faulty->fail_at ? NULL : realloc(memory, size);
}

static void no_memory_is_reported(void **state)
{
    size_t n;
    uint8_t *bytes = make(&forms[2], &n), *cut = lose(bytes, n, n / 2);
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {resize, &faulty};
    bool enough = false;

    (void)state;
    while (!enough) {
        struct etm_deframer_config config = {
            .size = sizeof config, .id = 0x10, .allocator = &allocator};
        struct etm_deframer *d;
        int status;

        faulty.fail_at++;
        faulty.calls = 0;
        status = etm_deframer_new(&d, &config);
        if (status == ETM_OK)
            status = etm_deframer_push(d, cut, n - 1);
        if (status == ETM_OK)
            status = etm_deframer_finish(d);
        enough = faulty.calls < faulty.fail_at;
        assert_int_equal(status, enough ? ETM_OK : ETM_ERR_MEMORY);
        etm_deframer_free(d);
    }
    assert_true(faulty.fail_at > 8);
    free(cut);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_byte_costs_few_frames),
        cmocka_unit_test(a_byte_that_comes_twice_costs_few_frames),
        cmocka_unit_test(an_odd_number_of_bytes_costs_few_frames),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(nothing_waits_in_frames_that_are_right),
        cmocka_unit_test(a_new_source_is_no_damage),
        cmocka_unit_test(only_sources_at_the_place_have_a_gap),
        cmocka_unit_test(no_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
