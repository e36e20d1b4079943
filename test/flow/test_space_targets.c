/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The targets of indirect branches that PFT's fast path keeps: there are more
 * context IDs than places for them, each has other code at the same address,
 * and none is taken for that of another one, also behind a reset.
 */
#include <etm/decode.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    for (uint32_t id = 0; id < IDS; id++) {
        uint32_t n = length_of(id);

        space.context_id = id;
        assert_int_equal(etm_image_add(image, BASE, code[n], 4 * n, &space),
                         ETM_OK);
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
    assert_int_equal(etm_decoder_push(d, bytes, n), ETM_OK);
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
    assert_int_equal(etm_decoder_new(&d, &how), ETM_OK);
    return d;
}

static void begin(struct etm_decoder *d)
{
    assert_int_equal(etm_decoder_push(d, begins, sizeof begins), ETM_OK);
}

static void a_target_is_that_of_its_own_context(void **state)
{
    struct etm_image *image = make_image();
    struct seen seen;
    struct etm_decoder *d = new_decoder(image, &seen);

    (void)state;
    begin(d);
    for (unsigned twice = 0; twice < 2; twice++)
        for (uint32_t id = 0; id < IDS; id++)
            run_in(d, id);
    assert_int_equal(etm_decoder_finish(d), ETM_OK);
    assert_int_equal(seen.ranges, 2 * IDS * BRANCHES);
    etm_decoder_free(d);
    etm_image_free(image);
}

/* Where the trace before ended nobody knows behind it. */
static void a_reset_leaves_no_target_of_another_context(void **state)
{
    struct etm_image *image = make_image();
    struct seen seen;
    struct etm_decoder *d = new_decoder(image, &seen);
    uint32_t ranges;

    (void)state;
    begin(d);
    for (uint32_t id = 0; id < IDS; id++)
        run_in(d, id);
    ranges = seen.ranges;
    for (uint32_t id = 0; id + APART < IDS; id += 10) {
        assert_int_equal(etm_decoder_reset(d), ETM_OK);
        begin(d);
        run_in(d, id + APART);
        assert_int_equal(etm_decoder_reset(d), ETM_OK);
        begin(d);
        run_in(d, id);
        ranges += 2 * BRANCHES;
    }
    assert_int_equal(etm_decoder_finish(d), ETM_OK);
    assert_int_equal(seen.ranges, ranges);
    etm_decoder_free(d);
    etm_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_is_that_of_its_own_context),
        cmocka_unit_test(a_reset_leaves_no_target_of_another_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
