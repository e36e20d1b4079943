/* SPDX-License-Identifier: Apache-2.0 */
/* Cores, their macrocells, and the same in other versions. */
#include "../support/core.h"
#include "rig.h"

/* Every core in every version that it can have. */
static void every_core_makes_a_macrocell_and_traces_everything(void **state)
{
    (void)state;
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

static void names_do_not_depend_on_case_and_dashes(void **state)
{
    (void)state;
    assert_string_equal(core_named("CortexM3")->name, "cortex-m3");
    assert_string_equal(core_named("Cortex_A15")->name, "cortex-a15");
    assert_string_equal(core_named("ARM926")->name, "arm926ej-s");
    assert_string_equal(core_named("arm1136")->name, "arm1136jf-s");
}

static void other_names_are_not_found(void **state)
{
    const struct etm_core *core = etm_cores(0);

    (void)state;
    assert_int_equal(etm_core_find("cortex-m33", &core), ETM_ERR_NOT_FOUND);
    assert_null(core);
    assert_int_equal(etm_core_find("", &core), ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_core_find(NULL, &core), ETM_ERR_ARGUMENT);
}

/* MC-CFG-12, MF-14, MC-CFG-01 to MC-CFG-09: pairs, data comparators, memory map
   decoders, counters, sequencer, inputs, outputs, FIFO. CFG-17 */
static void standard_configurations_are_those_of_the_tables(void **state)
{
    static const struct {
        const char *name;
        unsigned pairs, dvcs, mmds, counters, sequencer, in, out, fifo, port;
    } rows[] = {
        {"arm7tdmi-small", 1, 0, 4, 1, 0, 2, 0, 10, 1},
        {"arm7tdmi-medium", 4, 2, 8, 2, 1, 4, 1, 20, 2},
        {"arm7tdmi-large", 8, 8, 16, 4, 1, 4, 4, 45, 2},
        {"arm9tdmi-small", 1, 0, 4, 1, 0, 2, 0, 9, 1},
        {"arm9tdmi-medium", 4, 2, 8, 2, 1, 4, 1, 18, 2},
        {"arm9tdmi-mediumplus", 4, 2, 8, 2, 1, 4, 1, 45, 2},
        {"arm9tdmi-large", 8, 8, 16, 4, 1, 4, 4, 45, 2},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_regfile file;
        struct rig g;

        rig_make(&g, rows[i].name, NULL);
        assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
        assert_int_equal(file.counts.sac_pairs, rows[i].pairs);
        assert_int_equal(file.counts.dvcs, rows[i].dvcs);
        assert_int_equal(file.counts.mmds, rows[i].mmds);
        assert_int_equal(file.counts.counters, rows[i].counters);
        assert_int_equal(file.counts.sequencer, rows[i].sequencer);
        assert_int_equal(file.counts.ext_in, rows[i].in);
        assert_int_equal(file.counts.ext_out, rows[i].out);
        assert_true(file.counts.fifofull);
        assert_int_equal(file.fifo_size, rows[i].fifo);
        assert_int_equal(file.value[ETM_REG_SCR] & 7, rows[i].port);
    }
    /* MC-CFG-10: what most have. */
    assert_int_equal(core_named("arm7tdmi")->fifo_size, 20);
    assert_int_equal(core_named("arm9tdmi")->fifo_size, 45);
}

/* MC-CFG-11: Table 3-47 and the manuals. */
static void ids_name_their_version(void **state)
{
    static const struct {
        const char *name;
        enum etm_protocol protocol;
        unsigned minor;
    } rows[] = {
        {"arm7tdmi", ETM_PROTOCOL_ETMV1, 2},
        {"arm926ej-s", ETM_PROTOCOL_ETMV1, 3},
        {"arm1022e", ETM_PROTOCOL_ETMV2, 0},
        {"arm1176", ETM_PROTOCOL_ETMV3, 2},
        {"cortex-m3", ETM_PROTOCOL_ETMV3, 5}, /* E-325 */
        {"cortex-r4", ETM_PROTOCOL_ETMV3, 3},
        {"cortex-a7", ETM_PROTOCOL_ETMV3, 5},
        {"cortex-a9", ETM_PROTOCOL_PFT, 0},
        {"cortex-a15", ETM_PROTOCOL_PFT, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig g;

        rig_make(&g, rows[i].name, NULL);
        assert_int_equal(g.config.protocol, rows[i].protocol);
        assert_int_equal(g.config.minor, rows[i].minor);
    }
}

/* Parts as debuggers find them in ROM tables; ETM-R5 as chips document it. */
static void parts_are_those_of_the_chips(void **state)
{
    static const struct {
        const char *name;
        uint32_t part;
    } rows[] = {
        {"arm1176", 0x920},    {"cortex-a8", 0x921},   {"cortex-m3", 0x924},
        {"cortex-m4", 0x925},  {"cortex-r4", 0x930},   {"cortex-r5", 0x931},
        {"cortex-a9", 0x950},  {"cortex-a5", 0x955},   {"cortex-a7", 0x956},
        {"cortex-a15", 0x95f}, {"arm1136jf-s", 0x000},
    };
    struct etm_regfile file;
    struct rig g;
    uint32_t value;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(core_named(rows[i].name)->part, rows[i].part);
    /* one power domain (their manuals) */
    assert_true(core_named("cortex-m4")->no_os_lock);
    assert_true(core_named("cortex-a5")->no_os_lock);
    assert_false(core_named("cortex-a15")->no_os_lock);
    /* ETMCR as the manuals of chips with an ETM-M3 or ETM-M4 have it (E-402) */
    for (size_t i = 0; i < 2; i++) {
        rig_make(&g, i == 0 ? "cortex-m3" : "cortex-m4", NULL);
        assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
        assert_int_equal(file.writable[ETM_REG_CR] & 0x1010f00e, 0x10002000);
        /* and registers that these do not have (E-403) */
        g.request.stall = true;
        g.request.fifo_level = 10;
        rig_configure(&g);
        assert_int_equal(rig_value(&g, "ETMFFLR"), 10);
        assert_int_equal(etm_setup_get(&g.setup, ETM_REG_FFRR, &value),
                         ETM_ERR_NOT_FOUND);
        assert_int_equal(etm_setup_get(&g.setup, ETM_REG_TSSCR, &value),
                         ETM_ERR_NOT_FOUND);
    }
    rig_make(&g, "cortex-r5", NULL);
    assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
    assert_int_equal(file.value[ETM_REG_CCER], 0x9ba);
    assert_int_equal(etm_regfile_system(&file), 0x20c0c);
}

/* ETMCCER[31:22] came with ETMv3.5, and PFT has them. */
static void ids_fit_their_extension_registers(void **state)
{
    const struct etm_core *core;

    (void)state;
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

static void another_version_keeps_what_it_can_have(void **state)
{
    struct etm_regfile file;
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", "pft1.1");
    assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
    assert_int_equal(file.counts.sac_pairs, 4);
    assert_int_equal(file.counts.dvcs, 0);
    assert_true(g.config.return_stack_implemented);
    rig_make(&g, "cortex-a15", "ETMv2.1");
    assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
    assert_int_equal(file.version, ETM_V2_1);
    assert_int_equal(file.counts.cidcs, 1);
    assert_int_equal(etm_core_macrocell(core_named("cortex-a8"), "v4.0",
                                        &g.macrocell, &g.config, &g.diag),
                     ETM_ERR_ARGUMENT);
    assert_non_null(strstr(g.diag.what, "pft1.0"));
}

/* E-325: the older ETM-M3 is that of table 3-47. */
static void another_version_has_no_revision(void **state)
{
    struct etm_macrocell_config macrocell = {0};
    struct etm_config config = {0};
    const struct etm_core *m3 = core_named("cortex-m3");

    (void)state;
    assert_int_equal(etm_core_macrocell(m3, NULL, &macrocell, &config, NULL),
                     ETM_OK);
    assert_int_equal(macrocell.idr, 0x4114f253);
    assert_int_equal(etm_core_macrocell(m3, "v3.5", &macrocell, &config, NULL),
                     ETM_OK);
    assert_int_equal(macrocell.idr, 0x4114f253);
    assert_int_equal(etm_core_macrocell(m3, "v3.4", &macrocell, &config, NULL),
                     ETM_OK);
    assert_int_equal(macrocell.idr, 0x4114f240);
}

/* E-337: ETMIDR and ETMCCER of a DB8500 and a Zynq-7000. */
static void cortex_a9_is_what_chips_read(void **state)
{
    struct etm_macrocell_config macrocell = {0};
    struct etm_config config = {0};
    struct etm_regfile file;

    (void)state;
    assert_int_equal(etm_core_macrocell(core_named("cortex-a9"), NULL,
                                        &macrocell, &config, NULL),
                     ETM_OK);
    assert_int_equal(macrocell.idr, 0x411cf301);
    assert_int_equal(macrocell.ccer, 0x000008ea);
    assert_int_equal(etm_regfile_init(&file, &macrocell, NULL), ETM_OK);
    assert_int_equal(file.writable[ETM_REG_CR] & 3u << 28, 1u << 28);
    assert_int_equal(etm_core_macrocell(core_named("cortex-a9r0p0"), NULL,
                                        &macrocell, &config, NULL),
                     ETM_OK);
    assert_int_equal(macrocell.idr, 0x411cf300);
    assert_int_equal(macrocell.ccer, 0x00c018ea);
}

/* Registers of a dump, as a chip shows them. */
static void dump_tells_what_the_macrocell_is(void **state)
{
    static const struct etm_register dump[] = {{"ETMCR", 0x000, 0x10001860},
                                               {"ETMCCR", 0x001, 0x8d294024},
                                               {"ETMSCR", 0x005, 0x0000000c},
                                               {"ETMIDR", 0x079, 0x410cf250},
                                               {"ETMCCER", 0x07a, 0x344008f2}};
    static const struct etm_register v1[] = {{"ETMCCR", 0x001, 0x41910824}};
    struct etm_regfile file;
    struct rig g = {0};

    (void)state;
    assert_int_equal(
        etm_dump_macrocell(dump, COUNT(dump), &g.macrocell, &g.config, &g.diag),
        ETM_OK);
    assert_int_equal(etm_regfile_init(&file, &g.macrocell, NULL), ETM_OK);
    assert_int_equal(file.version, ETM_V3_5);
    assert_int_equal(file.counts.dvcs, 2);
    assert_int_equal(file.counts.extsels, 2);
    assert_int_equal(file.counts.ext_ext_in, 30);
    assert_int_equal(
        etm_dump_macrocell(v1, COUNT(v1), &g.macrocell, &g.config, &g.diag),
        ETM_OK);
    assert_int_equal(g.config.protocol, ETM_PROTOCOL_ETMV1);
    assert_int_equal(g.config.minor, 2);
    assert_int_equal(
        etm_dump_macrocell(dump, 1, &g.macrocell, &g.config, &g.diag),
        ETM_ERR_CONFIG);
    assert_string_equal(g.diag.source, "ETMCCR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_core_makes_a_macrocell_and_traces_everything),
        cmocka_unit_test(names_do_not_depend_on_case_and_dashes),
        cmocka_unit_test(other_names_are_not_found),
        cmocka_unit_test(standard_configurations_are_those_of_the_tables),
        cmocka_unit_test(ids_name_their_version),
        cmocka_unit_test(parts_are_those_of_the_chips),
        cmocka_unit_test(ids_fit_their_extension_registers),
        cmocka_unit_test(another_version_keeps_what_it_can_have),
        cmocka_unit_test(another_version_has_no_revision),
        cmocka_unit_test(cortex_a9_is_what_chips_read),
        cmocka_unit_test(dump_tells_what_the_macrocell_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
