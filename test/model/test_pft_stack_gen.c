/* SPDX-License-Identifier: Apache-2.0 */
/* PFT: what keeps, changes and clears the return stack (4.13), in bytes. */
#include "gen_util.h"

#include <etm/decode.h>

#define B 0xea000000u /* b: the targets are in the events */
#define BL 0xeb000000u
#define BX_LR 0xe12fff1eu
static struct etm_place in_arm(uint32_t address)
{
    return place(address, ETM_ISA_ARM);
}

static struct etm_config pft(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_PFT,
                               .minor = (uint8_t)minor,
                               .return_stack = true,
                               .security = true};
}

/* PFT-RS-17: DEPTH functions, each of BL to the next one and BX LR; but the
 * last has a B. */
#define DEPTH 20u
#define FUNCTION(i) (0x8000 + 16 * (i))

static uint8_t bytes[512];
static size_t n_bytes;
static unsigned heard; /* ranges */

static int keep(void *context, const uint8_t *more, size_t n)
{
    (void)context;
    assert_true(n_bytes + n <= sizeof bytes);
    memcpy(bytes + n_bytes, more, n);
    n_bytes += n;
    return ETM_OK;
}

static int hear(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        uint32_t at = heard < DEPTH ? FUNCTION(heard)
                                    : FUNCTION(2 * DEPTH - 1 - heard) + 4;

        assert_int_not_equal(elements[i].kind, ETM_ELEMENT_LOST);
        if (elements[i].kind != ETM_ELEMENT_RANGE)
            continue;
        assert_int_equal(elements[i].u.range.start, at);
        heard++;
    }
    return ETM_OK;
}

static void generate(const struct etm_config *c, uint8_t size)
{
    struct etm_generator_config how = {.size = sizeof how,
                                       .config = c,
                                       .bytes = keep,
                                       .return_stack_size = size};
    struct etm_event e[1 + 2 * DEPTH] = {start(in_arm(FUNCTION(0)))};
    struct etm_generator *generator;

    for (uint32_t i = 0; i < DEPTH; i++) {
        e[1 + i] = to(arm(FUNCTION(i), BL), in_arm(FUNCTION(i + 1)));
        e[2 * DEPTH - i] =
            to(arm(FUNCTION(i) + 4, BX_LR), in_arm(FUNCTION(i - 1) + 4));
    }
    /* the last one calls nothing, and the first one returns to somewhere */
    e[DEPTH] = to(arm(FUNCTION(DEPTH - 1), B), in_arm(FUNCTION(DEPTH - 1) + 4));
    e[2 * DEPTH].u.insn.next = in_arm(0x9000);
    n_bytes = 0;
    assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
    assert_int_equal(etm_generator_push(generator, e, COUNT(e)), ETM_OK);
    assert_int_equal(etm_generator_finish(generator), ETM_OK);
    etm_generator_free(generator);
}

/* One decoder for the stacks of all sizes; a larger one takes fewer bytes. */
static void a_stack_of_any_size_is_decoded(void **state)
{
    const struct etm_config c = pft(1);
    uint8_t code[16 * DEPTH] = {0};
    struct etm_image *image;
    size_t last = sizeof bytes, most = 0;

    (void)state;
    for (uint32_t i = 0; i < DEPTH; i++) {
        static const uint8_t body[] = {2, 0, 0, 0xeb, 0x1e, 0xff, 0x2f, 0xe1};

        memcpy(code + 16 * i, body, sizeof body);
    }
    memset(code + 16 * (DEPTH - 1), 0xff, 3); /* B to the one after it */
    code[16 * (DEPTH - 1) + 3] = 0xea;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, FUNCTION(0), code, sizeof code, NULL),
                     ETM_OK);
    for (unsigned size = 0; size <= 15; size++) {
        struct etm_decoder_config how = {
            .size = sizeof how, .config = &c, .image = image, .elements = hear};
        struct etm_decoder *decoder;

        generate(&c, (uint8_t)(size == 0 ? ETM_RETURN_STACK_NONE : size));
        assert_true(n_bytes <= last);
        last = n_bytes;
        most = size == 0 ? n_bytes : most;
        heard = 0;
        assert_int_equal(etm_decoder_new(&decoder, &how), ETM_OK);
        assert_int_equal(etm_decoder_push(decoder, bytes, n_bytes), ETM_OK);
        assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
        etm_decoder_free(decoder);
        assert_int_equal(heard, 2 * DEPTH);
    }
    assert_true(last < most);
    etm_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_any_size_is_decoded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
