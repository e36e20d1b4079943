/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of each protocol beside the plain one: both take the same
 * bytes, step by step, and must be in the same state and give the same elements
 * whenever the fast one stops. The argument is what kinds of streams are
 * compared.
 */
#include "capture.h"
#include "fast_side.h"
#include "proto/sample.h"
#include "side.h"
#include "streams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const enum etm_level levels[] = {ETM_LEVEL_RANGES,
                                        ETM_LEVEL_INSTRUCTIONS,
                                        ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};
#define LEVELS (sizeof levels / sizeof *levels)

static uint8_t damaged[TRIAL_BYTES];
static size_t n_all, n_fast; /* bytes, and those that took the fast path */

/* Fails the test if anything is not the same. Returns how many bytes took the
 * fast path. */
static size_t check(const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const uint8_t *bytes, size_t n)
{
    const struct fast_way way = {.level = level};
    struct fast_result result = fast_compare(config, image, &way, bytes, n);

    if (result.wrong != NULL)
        fail_msg("level %d: %s at byte %zu of %zu", (int)level, result.wrong,
                 result.at, n);
    return result.fast;
}

/* check() of `stream`, in a way of its own; a failure prints the stream. */
static size_t check_way(const struct etm_image *image,
                        const struct fast_way *way, const uint8_t *bytes,
                        size_t n)
{
    struct fast_result result =
        fast_compare(&stream.config, image, way, bytes, n);

    if (result.wrong != NULL)
        stream_fail("level %d, %zu blocks, calls of %u: %s at byte %zu of %zu",
                    (int)way->level, way->blocks, way->most, result.wrong,
                    result.at, n);
    return result.fast;
}

/* A stream as it is and damaged, at each level, with few blocks now and then,
 * and in calls of any size. */
static void check_stream(const struct etm_image *image)
{
    for (unsigned k = 0; k < 4 * LEVELS; k++) {
        struct fast_way way = {.level = levels[k % LEVELS]};
        const uint8_t *bytes = stream.bytes;
        size_t n = stream.n;

        if (k / LEVELS == 1 && stream_chance(25))
            way.blocks = 1 + stream_below(40);
        if (k / LEVELS == 2 && stream_chance(50)) {
            way.most = stream_chance(50) ? 40 : 4000;
            way.r = &stream.r;
        }
        if (k >= LEVELS) {
            n = stream_damage(damaged);
            bytes = damaged;
        }
        n = check_way(image, &way, bytes, n);
        if (k < LEVELS) {
            n_all += stream.n;
            n_fast += n;
        }
    }
}

/* What etm_decoder gives of all of it, `first` bytes of them at once. */
static void decode(const struct etm_image *image, size_t first, size_t piece,
                   struct etm_test_elements *out)
{
    struct etm_decoder_config how =
        etm_test_collecting(&stream.config, image, ETM_LEVEL_RANGES, out);
    struct etm_decoder *d;

    assert_int_equal(etm_decoder_new(&d, &how), ETM_OK);
    assert_int_equal(etm_decoder_push(d, stream.bytes, first), ETM_OK);
    for (size_t at = first; at < stream.n; at += piece) {
        piece = piece < stream.n - at ? piece : stream.n - at;
        assert_int_equal(etm_decoder_push(d, stream.bytes + at, piece), ETM_OK);
    }
    assert_int_equal(etm_decoder_finish(d), ETM_OK);
    etm_decoder_free(d);
}

/* A byte alone is never enough for the fast path. */
static void check_cuts(const struct etm_image *image)
{
    static struct etm_test_elements whole, parts;

    if (stream_chance(50)) {
        stream.n = stream_damage(damaged);
        memcpy(stream.bytes, damaged, stream.n);
    }
    decode(image, 0, 1, &whole);
    for (size_t cut = 1; cut < stream.n && cut < 1000; cut++) {
        decode(image, cut, stream.n, &parts);
        if (parts.n != whole.n ||
            memcmp(parts.all, whole.all, whole.n * sizeof *whole.all) != 0)
            stream_fail("cut at byte %zu", cut);
    }
    free(whole.all);
    free(parts.all);
    whole = parts = (struct etm_test_elements){NULL, 0, 0};
}

/* Most bytes have to go that way, or nothing was compared. */
static void tell(unsigned long percent)
{
    printf("%zu of %zu bytes took the fast path\n", n_fast, n_all);
    assert_true(n_fast > n_all / 100 * percent);
    n_fast = n_all = 0;
}

#define SAME(group, kind, rounds, percent)                                     \
    {                                                                          \
        group, NULL, STREAM_##kind, rounds, check_stream, tell, percent        \
    }
#define CUT(group, kind, rounds)                                               \
    {                                                                          \
        group, "cut_anywhere", STREAM_##kind, rounds, check_cuts, NULL, 0      \
    }

static const struct stream_test streams[] = {
    SAME("pft", PFT, 2000, 90),
    SAME("pft", PFT_CALM, 150, 90),
    SAME("pft", PFT_MIXED, 600, 50),
    SAME("pft", PFT_REPEATED, 30, 50),
    CUT("pft", PFT, 60),
    SAME("etmv3", ETMV3, 2000, 40),
    SAME("etmv3", ETMV3_CALM, 300, 90),
    SAME("etmv3", ETMV3_MIXED, 400, 25),
    SAME("etmv3", ETMV3_REPEATED, 30, 50),
    CUT("etmv3", ETMV3, 60),
    SAME("data", DATA, 1500, 40),
    SAME("data", DATA_MIXED, 400, 25),
    CUT("data", DATA, 60),
    SAME("restart", ETMV3_WOVEN, 700, 40),
    SAME("port", ETMV1, 400, 50),
    CUT("port", ETMV1, 20),
    SAME("port", ETMV2, 400, 50),
    CUT("port", ETMV2, 20),
    CUT("port", ITM, 200),
};

/* Runs of instructions around the lengths where a block is full, a walk too far
 * and a step too large: each begins where the one before it ends. */
static size_t long_runs(struct etm_image *image, uint32_t *starts)
{
    static const unsigned runs[] = {1,    63,   64,   65,   128,  255,
                                    256,  257,  2047, 2048, 2049, 2112,
                                    2113, 2200, 5,    16400};
    static uint8_t code[4 * 32768];
    size_t at = 0;

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        uint32_t branch = i % 3 != 0 ? 0x0affffffu : 0xeaffffffu; /* B next */

        starts[i] = 0x8000 + (uint32_t)at;
        for (unsigned n = 1; n <= runs[i]; n++, at += 4) {
            uint32_t insn = n < runs[i] ? 0xe1a00000u : branch; /* MOV */

            for (unsigned k = 0; k < 4; k++)
                code[at + k] = (uint8_t)(insn >> 8 * k);
        }
    }
    assert_int_equal(etm_image_add_copy(image, 0x8000, code, at, NULL), ETM_OK);
    return sizeof runs / sizeof *runs;
}

static void pft_long_runs_are_the_same_on_the_fast_path(void **state)
{
    struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_PFT, .minor = 1};
    struct random r = {.state = 7};
    struct etm_image *image;
    uint32_t starts[32];
    size_t fast = 0, runs;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    runs = long_runs(image, starts);
    for (unsigned trial_n = 0; trial_n < 300; trial_n++) {
        uint8_t bytes[6 + 40 * 12] = {0, 0, 0, 0, 0, 0x80};
        size_t n = 6;

        config.return_stack = trial_n % 2 != 0;
        while (n + 12 <= sizeof bytes) {
            uint32_t to = starts[random_below(&r, (uint32_t)runs)];

            bytes[n++] = 0x08; /* I-sync */
            for (unsigned k = 0; k < 4; k++)
                bytes[n++] = (uint8_t)(to >> 8 * k);
            bytes[n++] = 0x21; /* tracing begins */
            for (unsigned k = random_below(&r, 7); k != 0; k--)
                bytes[n++] = (uint8_t)(0x80 | random_below(&r, 64) << 1);
        }
        for (size_t l = 0; l < LEVELS; l++)
            fast += check(&config, image, levels[l], bytes, n);
    }
    assert_true(fast != 0);
    etm_image_free(image);
}

/* An I-sync whose address no ARM instruction can have, then one without the
 * bit that is too many: it is gone, whatever follows. */
static void pft_forgets_a_bit_that_an_address_cannot_have(void **state)
{
    const struct etm_config config = {.size = sizeof config,
                                      .protocol = ETM_PROTOCOL_PFT,
                                      .profile = ETM_PROFILE_R};
    const uint8_t head[] = {
        0,    0,    0, 0, 0, 0x80, /* A-sync */
        0x08, 0x10, 0, 0, 0, 0x41, /* I-sync: 0x10, where there is no code */
        0xc0,                      /* EEEEE */
        0x08, 0x12, 0, 0, 0, 0x61, /* I-sync: 0x12 */
        0xc0,                      /* EEEEE */
        0x08, 0x10, 0, 0, 0, 0x41, /* and 0x10 */
    };
    uint8_t bytes[sizeof head + 200];
    struct etm_image *image;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    memset(bytes, 0xc0, sizeof bytes);
    memcpy(bytes, head, sizeof head);
    for (size_t l = 0; l < LEVELS; l++)
        (void)check(&config, image, levels[l], bytes, sizeof bytes);
    etm_image_free(image);
}

/* A call that another context returns from, where other code is: entries of the
 * return stack are numbers of steps, which are those of one context. */
static void pft_returns_to_code_of_the_context_on_the_fast_path(void **state)
{
    static const struct etm_config config = {.size = sizeof config,
                                             .protocol = ETM_PROTOCOL_PFT,
                                             .minor = 1,
                                             .return_stack = true,
                                             .context_id_bytes = 1};
    static const uint8_t code[2][20] = {
        {0x02, 0,    0,    0xeb, 0xfd, 0xff, 0xff, 0xea, /* bl 8010; b 8000 */
         0xfc, 0xff, 0xff, 0xea, 0,    0,    0,    0,
         0x1e, 0xff, 0x2f, 0xe1},
        {0x02, 0,    0,    0xeb, 0, 0xf0, 0x20, 0xe3, /* bl 8010; nop; b 8000 */
         0xfc, 0xff, 0xff, 0xea, 0, 0,    0,    0,    0x1e, 0xff, 0x2f, 0xe1}};
    static const uint8_t begin[] = {0, 0,    0, 0, 0,    0x80, 0x08,
                                    0, 0x80, 0, 0, 0x20, 1};
    static const uint8_t round[] = {0x6e, 1, 0x84, 0x6e, 2, 0x84, 0x84};
    uint8_t bytes[sizeof begin + 40 * sizeof round];
    struct etm_image *image;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct etm_space space = {ETM_UNKNOWN, true, i + 1};

        assert_int_equal(
            etm_image_add(image, 0x8000, code[i], sizeof code[i], &space),
            ETM_OK);
    }
    memcpy(bytes, begin, sizeof begin);
    for (size_t at = sizeof begin; at < sizeof bytes; at += sizeof round)
        memcpy(bytes + at, round, sizeof round);
    for (size_t l = 0; l < LEVELS; l++)
        assert_true(check(&config, image, levels[l], bytes, sizeof bytes) >
                    sizeof bytes / 4);
    etm_image_free(image);
}

/* One capture as it is, and with bits of it flipped. */
static size_t check_capture(const struct etm_test_capture *c,
                            enum etm_level level, struct random *r)
{
    size_t fast =
        check(&c->config, c->image, level, c->stream.bytes, c->stream.n);

    for (unsigned k = 0; k < 70 && c->stream.n != 0; k++) {
        uint8_t *byte =
            &c->stream.bytes[random_below(r, (uint32_t)c->stream.n)];
        uint8_t was = *byte;

        *byte ^= (uint8_t)(1u << random_below(r, 8));
        check(&c->config, c->image, level, c->stream.bytes, c->stream.n);
        *byte = was;
    }
    return fast;
}

static void captures_are_the_same_on_the_fast_path(void **state)
{
    struct random r = {.state = 5};
    size_t all = 0, fast[LEVELS] = {0};

    (void)state;
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;
        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        for (size_t k = 0; k < LEVELS; k++)
            fast[k] += check_capture(&c, levels[k], &r);
        all += c.stream.n;
        etm_test_close(&c);
    }
    for (size_t k = 0; k < LEVELS; k++)
        printf("%zu of %zu bytes took the fast path\n", fast[k], all);
    assert_true(fast[0] > all / 4);
}

/* Where it leads to is looked for in the code of its own context alone. */
static void i_sync_in_another_context_looks_at_that_alone(void **state)
{
    static const uint8_t nops[64],
        begins[] = {0, 0, 0, 0, 0, 0x80, 0x08, 0, 0x80, 0, 0, 1, 0x01};
    uint8_t bytes[64] = {0x08, 0x10, 0x80, 0, 0, 0x21, 0x02};
    struct etm_space space = {.has_context = true, .context_id = 2};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .context_id_bytes = 1};
    struct etm_image *image;
    struct side s;

    (void)state;
    memset(bytes + 7, 0x66, sizeof bytes - 7);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, 0x8000, nops, sizeof nops, &space),
                     ETM_OK);
    side_init(&s, &config, image, ETM_LEVEL_RANGES);
    side_push(&s, begins, sizeof begins);
    assert_true(etm_protocol_fast_path(&config)->fast(
                    &s.proto, &s.flow, bytes, sizeof bytes, &s.elements) > 7);
    assert_int_equal(s.flow.pft.walk.blocks.n, 2);
    side_fini(&s);
    etm_image_free(image);
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

static uint8_t *put(uint8_t *to, const uint8_t *bytes, size_t n)
{
    memcpy(to, bytes, n);
    return to + n;
}

static uint8_t *put_many(uint8_t *to, enum etm_etmv1_status status, unsigned n)
{
    for (; n != 0; n--, to += 2) {
        to[0] = (uint8_t)status;
        to[1] = 0;
    }
    return to;
}

/* In calls of any size up to some. */
static void check_calls(const struct etm_image *image, bool values,
                        uint32_t step, const uint8_t *end)
{
    stream.r.state = 1;
    stream.n = (size_t)(end - stream.bytes);
    stream.config = (struct etm_config){.size = sizeof stream.config,
                                        .protocol = ETM_PROTOCOL_ETMV1,
                                        .minor = 2,
                                        .data_value = values};
    for (uint32_t most = step; most < 300 || most < 80 * step; most += step) {
        const struct fast_way way = {
            .level = ETM_LEVEL_INSTRUCTIONS, .most = most, .r = &stream.r};

        check_way(image, &way, stream.bytes, stream.n);
    }
}

static void etmv1_addresses_are_read_once_on_the_fast_path(void **state)
{
    uint8_t *to = put(stream.bytes, whole_address, sizeof whole_address);
    struct etm_image *image;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    to = put_many(to, ETM_ETMV1_IE, 80);
    to = put(to, back_and_forth, sizeof back_and_forth);
    to = put_many(to, ETM_ETMV1_IE, 80);
    check_calls(image, false, 1, to); /* the queue ends anywhere */
    etm_image_free(image);
}

/* Each record is a load of four words: packets come ever later after their
 * statuses, until they are none any more (E-346). */
static void etmv1_packets_far_behind_are_none_on_the_fast_path(void **state)
{
    static uint8_t code[400];
    uint8_t *to = put(stream.bytes, whole_address, sizeof whole_address);
    struct etm_image *image;

    (void)state;
    for (size_t i = 0; i < sizeof code; i += 4) /* LDM r0, {r1-r4} */
        memcpy(code + i, (const uint8_t[]){0x1e, 0x00, 0x90, 0xe8}, 4);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, 0x8000, code, sizeof code, NULL),
                     ETM_OK);
    check_calls(image, true, 100, put_many(to, ETM_ETMV1_ID, 3000));
    etm_image_free(image);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(pft_long_runs_are_the_same_on_the_fast_path),
        cmocka_unit_test(pft_forgets_a_bit_that_an_address_cannot_have),
        cmocka_unit_test(pft_returns_to_code_of_the_context_on_the_fast_path),
        cmocka_unit_test(i_sync_in_another_context_looks_at_that_alone),
        cmocka_unit_test(etmv1_addresses_are_read_once_on_the_fast_path),
        cmocka_unit_test(etmv1_packets_far_behind_are_none_on_the_fast_path),
        cmocka_unit_test(captures_are_the_same_on_the_fast_path),
    };

    return argc > 1 ? stream_main(argc, argv, streams,
                                  sizeof streams / sizeof *streams)
                    : cmocka_run_group_tests(others, NULL, NULL);
}
