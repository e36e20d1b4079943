/* SPDX-License-Identifier: Apache-2.0 */
/* What the ETMv1 generator repeats every 1024 cycles. */
#include "etmv1_gen_util.h"

/* Full addresses of branches in the text, with their reasons. */
static unsigned full_addresses(unsigned reason)
{
    unsigned n = 0;

    for (size_t i = 0; i + 10 < t.n; i += 2)
        if ((t.bytes[i] & ETM_SAMPLE_SYNC) != 0 &&
            (t.bytes[i + 1] & t.bytes[i + 3] & t.bytes[i + 5] & t.bytes[i + 7] &
             0x80) != 0 &&
            (t.bytes[i + 9] >> 4 & 7u) == reason)
            n++;
    return n;
}

/* V1-SYNC-01, V1-SYNC-03, V1-SYNC-04 */
static void indirect_branches_are_synchronized_every_1024_cycles(void **state)
{
    (void)state;
    for (unsigned minor = 0; minor < 4; minor++) {
        begin(minor, 8);
        on(0x8000, ETM_TRACE_ON_START);
        for (unsigned i = 0; i < 1000; i++)
            go(0x8000, BX, 10, 0x8000);
        assert_int_equal(generate(), ETM_OK);
        assert_int_equal(full_addresses(ETM_ETMV1_ENABLED), 1);
        assert_int_equal(
            full_addresses(minor < 2 ? ETM_ETMV1_NORMAL : ETM_ETMV1_PERIODIC),
            9); /* 10000 / 1030 */
    }
}

/* V1-SYNC-02 */
static void
direct_branches_are_synchronized_when_nothing_else_comes(void **state)
{
    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    for (unsigned i = 0; i < 1000; i++)
        go(0x8000, 0xeafffffe, 10, 0x8000);
    assert_int_equal(generate(), ETM_OK);
    assert_int_equal(full_addresses(ETM_ETMV1_PERIODIC), 6); /* 10000/1540 */
}

/* MC-GEN-09: V1-DADR-03 */
static void data_addresses_are_full_every_1024_cycles(void **state)
{
    unsigned full = 0;

    (void)state;
    begin(2, 8);
    t.config.data_address = true;
    on(0x8000, ETM_TRACE_ON_START);
    for (unsigned i = 0; i < 500; i++) {
        insn(0x8000 + 4 * i, LDR, 10);
        data(0x20000, 0, 4, 0);
    }
    assert_int_equal(generate(), ETM_OK);
    for (size_t i = 0; i + 8 < t.n; i += 2)
        full += t.bytes[i] == ETM_ETMV1_ID && t.bytes[i + 1] == 0x80;
    assert_int_equal(full, 5); /* 5000 / 1030 and the first */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_addresses_are_full_every_1024_cycles),
        cmocka_unit_test(indirect_branches_are_synchronized_every_1024_cycles),
        cmocka_unit_test(
            direct_branches_are_synchronized_when_nothing_else_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
