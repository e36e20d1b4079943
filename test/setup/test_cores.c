/* SPDX-License-Identifier: Apache-2.0 */
/* What is so of all cores and of all chips. Scenarios say what some of them
 * are. */
#include "../support/core.h"
#include "../support/test.h"
#include "rig.h"

/* Every core in every version that it can have. */
TEST(every_core_makes_a_macrocell_and_traces_everything)
{
    assert_true(etm_cores(0) != NULL);
    for (size_t i = 0; etm_cores(i); i++) {
        const struct etm_core *core = etm_cores(i);
        struct rig g;

        assert_true(core_named(core->name) == core);
        rig_make(&g, core->name, NULL);
        rig_run(&g);
        assert_true(rig_traced(&g, 0x8000));
        for (size_t v = 0; v < COUNT(versions); v++) {
            memset(&g, 0, sizeof g);
            if (core->profile == ETM_PROFILE_M && v != 10 && v != 11) {
                assert_int_equal(etm_core_macrocell(core, versions[v],
                                                    &g.macrocell, &g.config,
                                                    &g.diag),
                                 ETM_ERR_CONFIG);
                continue;
            }
            rig_make(&g, core->name, versions[v]);
            rig_run(&g);
            assert_true(rig_traced(&g, 0x8000));
        }
    }
}

/* ETMCCER[31:22] came with ETMv3.5, and PFT has them. */
TEST(ids_fit_their_extension_registers)
{
    const struct etm_core *core;

    for (size_t i = 0; (core = etm_cores(i)) != NULL; i++) {
        unsigned major = core->idr >> 8 & 0xf, minor = core->idr >> 4 & 0xf;
        char version[16];

        if (core->idr == 0)
            continue;
        if (major == 3)
            snprintf(version, sizeof version, "pft1.%u", minor);
        else
            snprintf(version, sizeof version, "v%u.%u", major + 1, minor);
        assert_string_equal(core->version, version);
        if (major < 2 || (major == 2 && minor < 5))
            assert_int_equal(core->ccer >> 22, 0);
    }
}

/* Each way out that a row promises can be written in each language, with a
 * source; and its own name finds it. */
TEST(each_chip_keeps_what_it_promises)
{
    size_t n = 0;

    for (const struct etm_chip *chip; (chip = etm_chips(n)) != NULL; n++) {
        const struct etm_chip *found;
        const struct etm_core *core;

        assert_ok(etm_chip_find(chip->name, &found));
        assert_ptr_equal(found, chip);
        assert_ok(etm_core_find(chip->core, &core));
        assert_int_equal(core->profile, ETM_PROFILE_M);
        assert_true(chip->source[0] != '\0' && chip->pins[0] != '\0');
        assert_int_equal(chip->port_sizes != 0,
                         chip->sinks >> ETM_SINK_TPIU & 1);
        for (unsigned sink = 0; sink < 8; sink++) {
            for (unsigned pins = 1; pins <= 4; pins *= 2) {
                struct etm_trace_path path = {.size = sizeof path,
                                              .chip = chip,
                                              .sink = (enum etm_sink)sink,
                                              .pins = (uint8_t)pins,
                                              .baud = 1000000,
                                              .clock = 64000000,
                                              .etb = 0xe0042000};
                bool promised =
                    (chip->sinks >> sink & 1) != 0 &&
                    (sink != ETM_SINK_TPIU || (chip->port_sizes & pins) != 0);

                assert_int_equal(etm_trace_path_notes(&path, NULL, NULL) ==
                                     ETM_OK,
                                 promised);
            }
        }
    }
    assert_in_range(n, 15, 100);
}

TEST(no_name_is_an_invalid_argument)
{
    const struct etm_core *core = etm_cores(0);
    const struct etm_chip *chip = etm_chips(0);
    struct etm_rom_table t;

    assert_int_equal(etm_core_find(NULL, &core), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_chip_find(NULL, &chip), ETM_ERR_ARGUMENT);
    assert_null(chip);
    assert_int_equal(etm_core_find("", &core), ETM_ERR_NOT_FOUND);
    assert_null(core);
    assert_int_equal(etm_rom_table_read(NULL, "x", 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_rom_table_read(&t, NULL, 0, NULL), ETM_ERR_FORMAT);
}
