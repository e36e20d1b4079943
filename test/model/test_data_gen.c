/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers that a generator of ETMv3 refuses. */
#include "gen_util.h"

#define LDR 0xe5910000u /* ldr r0, [r1] */
#define NOP 0xe1a00000u
static struct etm_config both(uint8_t minor)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV3,
                               .minor = minor,
                               .data_value = true,
                               .data_address = true};
}

/* <etm/model.h>: not more transfers than the instruction makes, whether or not
 * tracing is on; without data trace they do not matter. */
static void transfers_that_no_instruction_makes_are_refused(void **state)
{
    const struct etm_event owned[] = {arm(0x8000, LDR), arm(0x8004, NOP),
                                      transfer(0x2000, 1), arm(0x8008, NOP)};
    const struct etm_event none[] = {arm(0x8000, NOP), transfer(0x2000, 1)};
    const struct etm_event more[] = {arm(0x8000, LDR), transfer(0x2000, 1),
                                     arm(0x8004, NOP), transfer(0x2004, 2)};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct etm_config c = both(3);
        struct etm_generator_config options = {.config = &c};
        const struct etm_event on = start(place(0x8000, ETM_ISA_ARM));
        int wrong = i < 2 ? ETM_ERR_ARGUMENT : ETM_OK;

        c.data_value = c.data_address = i < 2;
        for (unsigned j = 0; j < 3; j++) {
            const struct etm_event *e = j == 0 ? owned : j == 1 ? none : more;
            size_t n = j == 1 ? COUNT(none) : COUNT(owned);
            struct etm_generator *g;

            assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
            if (i % 2 == 0)
                assert_int_equal(etm_generator_push(g, &on, 1), ETM_OK);
            assert_int_equal(etm_generator_push(g, e, n - 1), ETM_OK);
            assert_int_equal(etm_generator_push(g, e + n - 1, 1),
                             j == 0 ? ETM_OK : wrong);
            etm_generator_free(g);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_that_no_instruction_makes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
