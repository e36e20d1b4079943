/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The targets of indirect branches that PFT's fast path keeps: there are more
 * context IDs than places for them, each has other code at the same address,
 * and none is taken for that of another one, also after a reset. Nor is one
 * taken for that of another instruction set.
 */
#include "../support/test.h"

#include <etm/decode.h>

#define IDS 5000u
#define APART 4096u  /* of these places of targets may be the same */
#define BRANCHES 40u /* of each context, all to where it begins */
#define BASE 0x10000u
#define NOP 0xe1a00000u
#define BX 0xe12fff10u /* bx r0 */
#define LENGTHS 7u

/* Instructions of a context up to its branch: of any two that are as far apart
 * as a power of two they differ. */
static uint32_t length_of(uint32_t id)
{
    return 1 + id % LENGTHS;
}

static size_t put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> 8 * i);
    return 4;
}

static struct etm_image *make_image(void)
{
    struct etm_space space = {.has_context = true};
    static uint8_t code[LENGTHS + 1][4 * LENGTHS];
    struct etm_image *image;

    for (uint32_t n = 1; n <= LENGTHS; n++)
        for (uint32_t i = 0; i < n; i++)
            put_word(&code[n][4 * i], i + 1 < n ? NOP : BX);
    assert_ok(etm_image_new(&image, NULL));
    for (uint32_t id = 0; id < IDS; id++) {
        uint32_t n = length_of(id);

        space.context_id = id;
        assert_ok(etm_image_add(image, BASE, code[n], 4 * n, &space));
    }
    return image;
}

struct seen {
    uint32_t id; /* of the context in force */
    uint32_t ranges;
};

static int see(void *context, const struct etm_element *e, size_t n)
{
    struct seen *seen = context;

    for (size_t i = 0; i < n; i++) {
        if (e[i].kind == ETM_ELEMENT_CONTEXT) {
            seen->id = e[i].u.context.context_id;
        } else if (e[i].kind == ETM_ELEMENT_RANGE) {
            assert_int_equal(e[i].u.range.start, BASE);
            assert_int_equal(e[i].u.range.n, length_of(seen->id));
            seen->ranges++;
        } else {
            assert_true(e[i].kind == ETM_ELEMENT_TRACE_ON ||
                        e[i].kind == ETM_ELEMENT_END);
        }
    }
    return ETM_OK;
}

/* A-sync, and an I-sync at BASE. */
static const uint8_t begins[] = {0, 0, 0, 0, 0,    0x80, 0x08, 0,
                                 0, 1, 0, 1, 0x00, 0,    0,    0};

/* A context ID, and branches to BASE. */
static void run_in(struct etm_decoder *d, uint32_t id)
{
    static const uint8_t branch[] = {0x81, 0x80, 0x82, 0x80, 0x08};
    uint8_t bytes[5 + BRANCHES * sizeof branch] = {0x6e};
    size_t n = 1 + put_word(bytes + 1, id);

    for (unsigned i = 0; i < BRANCHES; i++, n += sizeof branch)
        memcpy(bytes + n, branch, sizeof branch);
    assert_ok(etm_decoder_push(d, bytes, n));
}

static struct etm_decoder *new_decoder(const struct etm_image *image,
                                       struct seen *seen)
{
    static const struct etm_config config = {.size = sizeof config,
                                             .protocol = ETM_PROTOCOL_PFT,
                                             .minor = 1,
                                             .context_id_bytes = 4};
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &config,
                                     .image = image,
                                     .elements = see,
                                     .context = seen};
    struct etm_decoder *d;

    *seen = (struct seen){0};
    assert_ok(etm_decoder_new(&d, &how));
    return d;
}

static void begin(struct etm_decoder *d)
{
    assert_ok(etm_decoder_push(d, begins, sizeof begins));
}

TEST(a_target_is_that_of_its_own_context)
{
    struct etm_image *image = make_image();
    struct seen seen;
    struct etm_decoder *d = new_decoder(image, &seen);

    begin(d);
    for (unsigned twice = 0; twice < 2; twice++)
        for (uint32_t id = 0; id < IDS; id++)
            run_in(d, id);
    assert_ok(etm_decoder_finish(d));
    assert_int_equal(seen.ranges, 2 * IDS * BRANCHES);
    etm_decoder_free(d);
    etm_image_free(image);
}

/* Nobody knows after a reset where the trace before it ended. */
TEST(a_reset_leaves_no_target_of_another_context)
{
    struct etm_image *image = make_image();
    struct seen seen;
    struct etm_decoder *d = new_decoder(image, &seen);
    uint32_t ranges;

    begin(d);
    for (uint32_t id = 0; id < IDS; id++)
        run_in(d, id);
    ranges = seen.ranges;
    for (uint32_t id = 0; id + APART < IDS; id += 10) {
        assert_ok(etm_decoder_reset(d));
        begin(d);
        run_in(d, id + APART);
        assert_ok(etm_decoder_reset(d));
        begin(d);
        run_in(d, id);
        ranges += 2 * BRANCHES;
    }
    assert_ok(etm_decoder_finish(d));
    assert_int_equal(seen.ranges, ranges);
    etm_decoder_free(d);
    etm_image_free(image);
}

#define ELEMENTS 4096u
#define N_ISAS 5u

struct all {
    struct etm_element of[ELEMENTS];
    size_t n;
};

static int keep(void *context, const struct etm_element *e, size_t n)
{
    struct all *all = context;

    assert_true(all->n + n <= ELEMENTS);
    memcpy(all->of + all->n, e, n * sizeof *e);
    all->n += n;
    return ETM_OK;
}

/* Decode a stream, `at_once` bytes at a time: the fast path takes none of a few
 * bytes. */
static void decode(const struct etm_image *image, const uint8_t *bytes,
                   size_t n, size_t at_once, struct all *all)
{
    static const struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_PFT, .minor = 1};
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &config,
                                     .image = image,
                                     .elements = keep,
                                     .context = all};
    struct etm_decoder *d;

    all->n = 0;
    assert_ok(etm_decoder_new(&d, &how));
    for (size_t at = 0; at < n; at += at_once)
        assert_ok(etm_decoder_push(d, bytes + at,
                                   n - at < at_once ? n - at : at_once));
    assert_ok(etm_decoder_finish(d));
    etm_decoder_free(d);
}

/* An I-sync at `address` in an instruction set, which starts tracing, and
 * branches from there to BASE. Returns the number of bytes. */
static size_t put_isa(uint8_t *to, enum etm_isa isa, uint32_t address)
{
    static const uint8_t arm[] = {0x81, 0x80, 0x82, 0x80, 0x08};
    static const uint8_t thumb[] = {0x81, 0x80, 0x84, 0x80, 0x10};
    bool is_arm = isa == ETM_ISA_ARM;
    size_t n = 0;

    to[n++] = 0x08;
    n += put_word(to + n, address | !is_arm);
    to[n++] = isa == ETM_ISA_THUMBEE ? 0x25 : 0x21;
    for (unsigned i = 0; i < BRANCHES; i++, n += sizeof arm)
        memcpy(to + n, is_arm ? arm : thumb, sizeof arm);
    return n;
}

TEST(a_target_is_that_of_its_own_instruction_set)
{
    static const enum etm_isa isas[N_ISAS] = {ETM_ISA_THUMB, ETM_ISA_THUMBEE,
                                              ETM_ISA_ARM, ETM_ISA_THUMBEE,
                                              ETM_ISA_THUMB};
    /* bx r0 twice in Thumb and ThumbEE, then once in ARM */
    static const uint8_t code[] = {0x00, 0x47, 0x00, 0x47,
                                   0x10, 0xff, 0x2f, 0xe1};
    static struct all whole, pieces;
    uint8_t bytes[6 + (2 * N_ISAS + 1) * (6 + 5 * BRANCHES)];
    struct etm_image *image;
    size_t n = 6, i = 0;

    memcpy(bytes, begins, 6);
    for (unsigned twice = 0; twice < 2; twice++)
        for (size_t k = 0; k < N_ISAS; k++)
            n += put_isa(bytes + n, isas[k], BASE);
    n += put_isa(bytes + n, ETM_ISA_ARM, BASE + 2); /* no such instruction */
    assert_int_equal(n, sizeof bytes);
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, BASE, code, sizeof code, NULL));
    decode(image, bytes, n, n, &whole);
    decode(image, bytes, n, 1, &pieces);
    assert_int_equal(whole.n, pieces.n);
    assert_memory_equal(whole.of, pieces.of, whole.n * sizeof *whole.of);
    for (unsigned k = 0; k < 2 * N_ISAS * BRANCHES; k++, i++) {
        enum etm_isa isa = isas[k / BRANCHES % N_ISAS];

        while (whole.of[i].kind != ETM_ELEMENT_RANGE)
            assert_true(++i < whole.n);
        assert_int_equal(whole.of[i].u.range.isa, isa);
        assert_int_equal(whole.of[i].u.range.start, BASE);
        assert_int_equal(whole.of[i].u.range.n, isa == ETM_ISA_ARM ? 2 : 1);
    }
    etm_image_free(image);
}
