/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ and Rust, in a build with libiberty, which knows them. */
#include "../support/test.h"
#include "cli/demangle.h"

static struct etm_cli_demangler *demangler;

TEST(names_are_those_of_the_source)
{
    static const char *const names[][2] = {
        {"main", "main"},
        {"_start", "_start"},
        {"_ZN6sensor4readEi", "sensor::read(int)"},
        {"_ZNK5queueIfE5emptyEv", "queue<float>::empty() const"},
        {"_Znot_a_name", "_Znot_a_name"},
        {"_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
         "core::ptr::drop_in_place"},
        {"_ZN48_$LT$app..Sensor$u20$as$u20$core..fmt..Debug$GT$3fmt"
         "17hfedcba9876543210E",
         "<app::Sensor as core::fmt::Debug>::fmt"},
        {"_RNvC6sensor4read", "sensor::read"},
        {"_RNvMs_NtCs4fqI2P2rA04_6sensor4ringNtB4_4Ring4push",
         "<sensor::ring::Ring>::push"},
        {"_RINvNtC4core3mem4swapReEB2_", "core::mem::swap::<&str>"},
        {"_Reset_Handler", "_Reset_Handler"},
        {"_RCC_Init", "_RCC_Init"},
    };
    const char *text;

    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            text = etm_cli_demangle(demangler, i, names[i][0], false);
            assert_string_equal(text, names[i][1]);
        }
    /* a number may be that of another function, for another source */
    etm_cli_demangler_clear(demangler);
    text = etm_cli_demangle(demangler, 1000, "_Z4stopv", false);
    assert_string_equal(text, "stop()");
    text = etm_cli_demangle(demangler, 0, "_Z2gov", false);
    assert_string_equal(text, "go()");
}

TEST(functions_are_found_by_their_names)
{
    static const char name[] = "_ZN6sensor4readEi";

    assert_true(etm_cli_demangle_same(demangler, name, name));
    assert_true(etm_cli_demangle_same(demangler, name, "sensor::read"));
    assert_true(etm_cli_demangle_same(demangler, name, "sensor::read(int)"));
    assert_false(etm_cli_demangle_same(demangler, name, "sensor::rea"));
    assert_false(etm_cli_demangle_same(demangler, name, "sensor"));
}

TEST(without_the_library_names_stay)
{
    assert_string_equal(etm_cli_demangle(NULL, 3, "_Z2gov", false), "_Z2gov");
    assert_true(etm_cli_demangle_same(NULL, "_Z2gov", "_Z2gov"));
    assert_false(etm_cli_demangle_same(NULL, "_Z2gov", "go"));
    etm_cli_demangler_clear(NULL);
    etm_cli_demangler_free(NULL);
}

int main(void)
{
    int failed;

    demangler = etm_cli_demangler_new(false);
    if (!etm_cli_demangle_same(demangler, "_Z2gov", "go")) {
        puts("built without libiberty");
        etm_cli_demangler_free(demangler);
        return 77;
    }
    failed = tests_run();
    etm_cli_demangler_free(demangler);
    return failed;
}
