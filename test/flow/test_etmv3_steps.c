/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of ETMv3's fast path in code that goes straight on for long. */
#include "flow/etmv3_walk.h"

#include <etm/config.h>
#include <etm/image.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NOP UINT32_C(0xe1a00000)   /* mov r0, r0 */
#define BX_LR UINT32_C(0xe12fff1e) /* bx lr */
#define INSNS (3 * ETM_ETMV3_MOST)

static struct etm_etmv3_flow flow;
static struct etm_image *image;
static uint8_t code[4 * INSNS];

/* A straight line from address 0 on, with a branch at its end. */
static int begin(void **state)
{
    const struct etm_config config = {.size = sizeof config,
                                      .protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 5,
                                      .profile = ETM_PROFILE_A};
    struct etm_allocator a = etm_allocator_or_default(NULL);

    (void)state;
    for (uint32_t i = 0; i < sizeof code; i++)
        code[i] = (uint8_t)((i / 4 + 1 < INSNS ? NOP : BX_LR) >> 8 * (i % 4));
    return etm_image_new(&image, NULL) != ETM_OK ||
           etm_image_add_copy(image, 0, code, sizeof code, NULL) != ETM_OK ||
           etm_etmv3_flow_init(&flow, &config, image, ETM_LEVEL_RANGES, &a) !=
               ETM_OK;
}

static int end(void **state)
{
    (void)state;
    etm_etmv3_flow_fini(&flow);
    etm_image_free(image);
    return 0;
}

/* The step from instruction i on. */
static uint32_t filled(uint32_t i)
{
    uint32_t step = etm_blocks_number(&flow.follow.blocks, 4 * i, ETM_ISA_ARM);

    assert_true(step != 0 && etm_etmv3_is_known(&flow.follow, step));
    return step;
}

/* A step of as many instructions as its links can tell of leads on, one of more
 * is a dead end. */
static void step_has_a_branch_that_is_near(void **state)
{
    const struct etm_blocks *blocks = &flow.follow.blocks;

    (void)state;
    for (uint32_t n = ETM_ETMV3_MOST - 3; n < ETM_ETMV3_MOST + 3; n++) {
        uint32_t step = filled(INSNS - n);
        uint64_t links = *etm_blocks_links(blocks, step);

        assert_int_equal(etm_etmv3_leads(links), n < ETM_ETMV3_MOST);
        if (n < ETM_ETMV3_MOST)
            assert_int_equal(etm_etmv3_step_n(links), n);
        else
            assert_true(etm_etmv3_is_dead_end(blocks, step));
    }
}

/* Whoever comes to a place of which that is known need not go on: of one that
 * was entered nearby, from the end of its first block on. */
static void dead_end_is_found_once(void **state)
{
    struct etm_blocks *blocks = &flow.follow.blocks;
    const struct etm_block *first = etm_blocks_of_step(blocks, filled(1));
    size_t n = blocks->n;

    (void)state;
    assert_true(etm_etmv3_is_dead_end(blocks, first->step));
    assert_true(etm_etmv3_is_dead_end(blocks, first->next->step));
    assert_in_range(n, ETM_ETMV3_MOST / ETM_BLOCK_MAX,
                    ETM_ETMV3_MOST / ETM_BLOCK_CUT + 2);
    for (uint32_t i = 2; i < 32; i++) {
        const struct etm_block *other = etm_blocks_of_step(blocks, filled(i));

        assert_true(etm_etmv3_is_dead_end(blocks, other->step));
        assert_ptr_equal(other->next, first->next);
        assert_int_equal(blocks->n, ++n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(step_has_a_branch_that_is_near, begin,
                                        end),
        cmocka_unit_test_setup_teardown(dead_end_is_found_once, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
