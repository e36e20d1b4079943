/* SPDX-License-Identifier: Apache-2.0 */
/* Names of addresses: functions that are inlined twice, and tables of symbols
 * where memory is short. Other lookups are in names.scn. */
#include "../input/support.h"
#include "../support/scarce.h"
#include "../support/test.h"

#include <etm/program.h>
#include <etm/session.h>

/* test/programs/inlined.c: no more than there is room for, and which of them
 * are one. */
TEST(copies_of_inlined_functions_are_told_apart)
{
    const char *image = data_path("../programs/inlined-m3.elf");
    const struct etm_session_options options = {
        .protocol = ETM_PROTOCOL_PFT, .images = &image, .n_images = 1};
    struct etm_inlined at_ac[4], at_ae[2], one[1];
    size_t all = 4, both = 2, few = 1;
    struct etm_session *session;

    need_elfutils();
    write_file("trace.bin", "\0", 1);
    OK(etm_session_open(&session, in_directory("trace.bin"), &options, NULL));
    OK(etm_session_inlined(session, 0, 0xac, at_ac, &all));
    assert_int_equal(all, 2);
    OK(etm_session_inlined(session, 0, 0xae, one, &few));
    assert_int_equal(few, 1);
    assert_true(one[0].instance == at_ac[0].instance);
    OK(etm_session_inlined(session, 0, 0xae, at_ae, &both));
    assert_true(at_ae[1].instance != at_ac[1].instance);
    MISUSE(etm_session_inlined(session, 1, 0xae, one, &few));
    MISUSE(etm_session_inlined(session, 0, 0xae, one, NULL));
    etm_session_free(session);
}

/* elfutils' lookups only say yes or no, so memory that is short shows when the
 * symbols are opened. */
TEST(symbols_without_memory_are_not_opened)
{
    int status = ETM_ERR_MEMORY;

    need_elfutils();
    for (size_t n = 1; status == ETM_ERR_MEMORY; n++) {
        struct faulty memory = {.fail_at = n};
        const struct etm_allocator allocator = {faulty_resize, &memory};
        struct etm_symbols *symbols;
        struct etm_symbol symbol;
        struct etm_diag diag = {0};
        uint32_t address;
        size_t calls;

        status = etm_symbols_open(&symbols, data_path("two_states.elf"),
                                  &allocator, &diag);
        if (status != ETM_OK) {
            assert_int_equal(status, ETM_ERR_MEMORY);
            assert_int_equal(diag.status, ETM_ERR_MEMORY);
            assert_string_not_equal(diag.what, "");
            assert_null(symbols);
        } else {
            calls = memory.calls;
            memory.fail_at = calls + 1;
            OK(etm_symbols_find(symbols, "sized", &address, NULL, NULL));
            OK(etm_symbols_at(symbols, address, &symbol));
            assert_int_equal(memory.calls, calls);
        }
        etm_symbols_free(symbols);
        assert_int_equal(memory.live, 0);
        assert_true(n < 1000);
    }
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
