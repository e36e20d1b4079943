/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFT executions and their bytes, worked out by hand from the PFT
 * architecture; some stand in captures of real chips.
 */
#include "../support/scarce.h"
#include "gen_util.h"

#define ADD 0xe2800001u /* add r0, r0, #1 */
#define BX_LR 0xe12fff1eu
static struct etm_config pft(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_PFT,
                               .minor = (uint8_t)minor};
}

static struct etm_place in_arm(uint32_t address)
{
    return place(address, ETM_ISA_ARM);
}

/* The allocator hook. */
static int loop(struct faulty *faulty, unsigned rounds, size_t *warm)
{
    const struct etm_event e[] = {
        to(arm(0x8000, BX_LR), in_arm(0x9000)), arm(0x9000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, in_arm(0x18)),
        to(arm(0x18, BX_LR), in_arm(0x8000))};
    struct etm_event first = start(in_arm(0x8000));
    struct etm_config c = pft(1);
    struct etm_allocator allocator = {faulty_resize, faulty};
    struct etm_generator_config options = {
        .size = sizeof options, .config = &c, .allocator = &allocator};
    struct etm_generator *g;
    int status = etm_generator_new(&g, &options);

    if (status == ETM_OK)
        status = etm_generator_push(g, &first, 1);
    for (unsigned i = 0; i < rounds && status == ETM_OK; i++) {
        status = etm_generator_push(g, e, COUNT(e));
        if (i == 500) /* synchronizations make the longest output */
            *warm = faulty->calls;
    }
    etm_generator_free(g);
    return status;
}

static void nothing_is_allocated_after_warm_up(void **state)
{
    struct faulty faulty = {0};
    size_t warm = 0;

    (void)state;
    assert_int_equal(loop(&faulty, 1000, &warm), ETM_OK);
    assert_int_equal(faulty.calls, warm);
}

static void lack_of_memory_is_an_error(void **state)
{
    size_t needed, warm;
    struct faulty all = {0};

    (void)state;
    assert_int_equal(loop(&all, 20, &warm), ETM_OK);
    needed = all.calls;
    assert_true(needed >= 2);
    for (size_t i = 1; i <= needed; i++) {
        struct faulty faulty = {.fail_at = i};

        assert_int_equal(loop(&faulty, 20, &warm), ETM_ERR_MEMORY);
    }
}

static void nothing_generates_nothing(void **state)
{
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_generator *generator;

    (void)state;
    assert_int_equal(etm_generator_push(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_generator_new(&generator,
                          &(struct etm_generator_config){.config = &config}),
        ETM_OK);
    assert_int_equal(etm_generator_push(generator, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_push(generator, NULL, 0), ETM_OK);
    etm_generator_free(generator);
}

/* It would not be traced, and nobody would know. */
static void nothing_comes_after_the_end(void **state)
{
    const struct etm_event idle = {.kind = ETM_EVENT_IDLE, .cycles = 1};

    (void)state;
    for (int p = ETM_PROTOCOL_ETMV1; p <= ETM_PROTOCOL_PFT; p++) {
        struct etm_config config = {.protocol = (enum etm_protocol)p,
                                    .thumb32_split = p < ETM_PROTOCOL_ETMV3};
        struct etm_generator *generator;

        assert_int_equal(
            etm_generator_new(
                &generator, &(struct etm_generator_config){.config = &config}),
            ETM_OK);
        assert_int_equal(etm_generator_push(generator, &idle, 1), ETM_OK);
        assert_int_equal(etm_generator_finish(generator), ETM_OK);
        assert_int_equal(etm_generator_push(generator, &idle, 1),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_generator_finish(generator), ETM_ERR_ARGUMENT);
        etm_generator_free(generator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(nothing_generates_nothing),
        cmocka_unit_test(nothing_comes_after_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
