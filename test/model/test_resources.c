/* SPDX-License-Identifier: Apache-2.0 */
/* Events and comparators (ETM architecture 2.2.1, 2.7, 2.8, 3.6). The names
   of requirements and vectors are those of doc/conformance.md. */
#include "resources_util.h"

/* MC-RES-16, ERR-24, MC-EVT-01, MC-EVT-11, TV-EVT-03, MC-EVT-02 to MC-EVT-09,
   TV-EVT-04 */
static void event_functions_follow_their_table(void **state)
{
    /* Outputs for (A, B) = 00, 01, 10, 11. */
    static const char *const rows[8] = {"0011", "1100", "0001", "0100",
                                        "1000", "0111", "1101", "1110"};
    struct rig g;

    (void)state;
    for (unsigned f = 0; f < 8; f++)
        for (unsigned inputs = 0; inputs < 4; inputs++) {
            rig_make(&g, ETM_V3_4);
            g.value[ETM_REG_EXTOUTEVR1] = f << 14 | 0x61 << 7 | 0x60;
            rig_run(&g);
            g.pins.ext_in = (uint8_t)(inputs >> 1 | (inputs & 1) << 1);
            pins(&g);
            assert_int_equal(level(&g), rows[f][inputs] == '1');
        }
}

/* MC-EVT-10, TV-EVT-07, TV-EVT-01, TV-EVT-02 */
static void event_ignores_operand_b_where_the_function_does(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_SQR] = 2;
    watch(&g, 0x03fd2);
    assert_true(level(&g));
    watch(&g, 0x00052);
    assert_true(level(&g));
    /* Example 3-1: in address range 3 while counter 2 is zero. */
    arc(&g, 3, 0x100, 0x200, EXECUTE | WORD);
    g.value[ETM_REG_CNTVR1 + 1] = 0;
    watch(&g, 0x08941);
    insn(&g, 0x100);
    assert_true(level(&g));
    insn(&g, 0x200);
    assert_false(level(&g));
    g.value[ETM_REG_CNTVR1 + 1] = 1;
    watch(&g, 0x08941);
    insn(&g, 0x100);
    assert_false(level(&g));
}

/* MC-RES-01, TV-EVT-05, TV-INS-09, MC-RES-02 to MC-RES-18 */
static void resources_exist_by_version_and_configuration(void **state)
{
    static const struct {
        unsigned first, last, since;
    } rows[] = {
        {0x00, 0x0f, ETM_V1_0}, {0x10, 0x17, ETM_V1_0}, {0x18, 0x1b, ETM_V3_3},
        {0x20, 0x21, ETM_V1_0}, {0x22, 0x27, ETM_V3_4}, {0x30, 0x3f, ETM_V1_0},
        {0x40, 0x43, ETM_V1_0}, {0x50, 0x52, ETM_V1_0}, {0x58, 0x5a, ETM_V2_0},
        {0x5f, 0x5f, ETM_V2_0}, {0x60, 0x63, ETM_V1_0}, {0x68, 0x6b, ETM_V3_1},
        {0x6d, 0x6e, ETM_V3_2}, {0x6f, 0x6f, ETM_V1_0},
    };
    static const unsigned versions[] = {ETM_V1_0, ETM_V1_3, ETM_V2_0, ETM_V3_0,
                                        ETM_V3_1, ETM_V3_2, ETM_V3_3, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        rig_make(&g, versions[v]);
        for (unsigned number = 0; number < 0x80; number++) {
            bool exists = false;

            for (size_t i = 0; i < COUNT(rows); i++)
                if (number >= rows[i].first && number <= rows[i].last)
                    exists = versions[v] >= rows[i].since;
            assert_int_equal(etm_resource_exists(&g.config, number), exists);
        }
    }
    g.config.counts = (struct etm_resource_counts){.sac_pairs = 1};
    for (unsigned number = 0; number < 0x80; number++)
        assert_int_equal(etm_resource_exists(&g.config, number),
                         number < 2 || number == 0x10 ||
                             (number >= 0x6d && number <= 0x6f));
}

/* MC-RES-26: counts beyond the architecture's are cut. */
static void counts_are_limited(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    memset(&g.config.counts, 0xff,
           offsetof(struct etm_resource_counts, sequencer));
    g.value[ETM_REG_TECR1] = UINT32_MAX;
    rig_run(&g);
    assert_int_equal(g.r.config.counts.sac_pairs, 8);
    assert_int_equal(g.r.config.counts.mmds, 16);
    assert_false(etm_resource_exists(&g.r.config, 0x28));
    assert_false(etm_resource_exists(&g.r.config, 0x44));
    assert_false(traces(&g, 0x1000)); /* the block has not started */
    assert_int_equal(g.out.ext_out, 0);
}

/* MC-RES-18: one that is absent stays inactive, whatever its state is. */
static void absent_resource_is_never_active(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.config.counts.counters = 1;
    g.value[ETM_REG_CNTVR1 + 1] = 0;
    watch(&g, 0x41);
    assert_false(level(&g));
    watch(&g, 0x04041); /* and its inversion is always active */
    assert_true(level(&g));
}

/* ERR-14, MC-RES-23, MF-08: Example 2-1: TV-CMP-01 to TV-CMP-07, MC-ADR-06,
   MC-ADR-34, MC-ADR-35. Table 2-10. */
static void worked_example_of_comparators(void **state)
{
    static const struct {
        unsigned resource;
        const char *levels; /* in cycles 1 to 4 */
    } rows[] = {
        {0x00, "1000"}, {0x01, "0001"}, {0x10, "1110"},
        {0x02, "1000"}, {0x03, "0000"}, {0x11, "1100"},
    };
    static const unsigned versions[] = {ETM_V1_0, ETM_V2_0, ETM_V3_0,
                                        ETM_V3_1, ETM_V3_3, ETM_V3_5};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            const char *levels = rows[i].levels;

            rig_make(&g, versions[v]);
            arc(&g, 1, 0x1000, 0x1008, 0x19);
            arc(&g, 2, 0x2000, 0x2008, 0x1e);
            watch(&g, rows[i].resource);
            insn(&g, 0x1000);
            transfer(&g, true, 0x2000, 4, 0);
            assert_int_equal(level(&g), levels[0] == '1');
            insn(&g, 0x1004);
            assert_int_equal(level(&g), levels[1] == '1');
            transfer(&g, false, 0x2004, 4, 0);
            assert_int_equal(level(&g), levels[2] == '1');
            insn(&g, 0x1008);
            assert_int_equal(level(&g), levels[3] == '1');
        }
}

/* MC-ADR-34, tables 2-8 and 2-9; MC-ADR-37, MC-ADR-38 */
static void exact_range_fires_from_v3_3_on(void **state)
{
    static const unsigned versions[] = {ETM_V3_2, ETM_V3_3};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        rig_make(&g, versions[v]);
        arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD | EXACT);
        watch(&g, 0x10);
        insn(&g, 0x1800);
        assert_true(level(&g));
        assert_int_equal(level(&g), versions[v] < ETM_V3_3);
    }
    rig_make(&g, ETM_V3_2);
    g.config.exact_ranges_fire = true;
    arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD | EXACT);
    watch(&g, 0x10);
    insn(&g, 0x1800);
    assert_true(level(&g));
    assert_false(level(&g));
}

/* MF-31, MC-ADR-02, MC-ADR-03, MC-ADR-04, MC-ADR-23; MC-FLD-18, E-132 */
static void condition_decides_from_v1_2_on(void **state)
{
    static const struct {
        unsigned type, version;
        bool when_passed, when_failed;
    } rows[] = {
        {FETCH, ETM_V3_4, true, true},    {EXECUTE, ETM_V3_4, true, true},
        {PASSED, ETM_V3_4, true, false},  {FAILED, ETM_V3_4, false, true},
        {PASSED, ETM_V1_2, true, false},  {FAILED, ETM_V1_2, false, true},
        {PASSED, ETM_V1_1, false, false}, {FAILED, ETM_V1_1, false, false},
        {7, ETM_V3_4, false, false},
    };
    struct etm_resource_insn i = {
        .address = 0x1000, .isa = ETM_ISA_ARM, .size = 4};
    struct rig g;

    (void)state;
    for (size_t n = 0; n < COUNT(rows); n++) {
        rig_make(&g, rows[n].version);
        sac(&g, 1, 0x1000, rows[n].type | WORD);
        watch(&g, 0x00);
        i.passed = true;
        etm_resources_insn(&g.r, &i);
        assert_int_equal(level(&g), rows[n].when_passed);
        i.passed = false;
        etm_resources_insn(&g.r, &i);
        assert_int_equal(level(&g), rows[n].when_failed);
    }
    rig_make(&g, ETM_V3_4);
    g.config.no_fetch = true;
    sac(&g, 1, 0x1000, FETCH | WORD);
    watch(&g, 0x00);
    insn(&g, 0x1000);
    assert_false(level(&g));
}

/* MC-ADR-05 */
static void access_type_tells_loads_from_stores(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned type = LOAD_STORE; type <= STORE; type++)
        for (unsigned resource = 0x00; resource <= 0x10; resource += 0x10) {
            rig_make(&g, ETM_V3_4);
            arc(&g, 1, 0x2000, 0x2010, type | WORD);
            watch(&g, resource);
            assert_int_equal(hit(&g, false, 0x2000, 4, 0), type != STORE);
            assert_int_equal(hit(&g, true, 0x2000, 4, 0), type != LOAD);
        }
    /* An instruction at that address is something else. */
    insn(&g, 0x2000);
    assert_true(level(&g)); /* held */
    transfer(&g, true, 0x3000, 4, 0);
    insn(&g, 0x2000);
    assert_false(level(&g));
}

/* MC-ADR-26, MC-ADR-10, MC-ADR-14, MC-ADR-32, TV-ADR-13, TV-ADR-12 */
static void instruction_is_known_by_its_first_byte(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    watch(&g, 0x00);
    insn(&g, 0x1002);
    assert_false(level(&g));
    arc(&g, 1, 0x1002, 0x1010, EXECUTE | HALFWORD);
    watch(&g, 0x10);
    insn(&g, 0x1000);
    assert_false(level(&g));
    insn(&g, 0x1002);
    assert_true(level(&g));
    insn(&g, 0x100e);
    assert_true(level(&g));
    insn(&g, 0x1010);
    assert_false(level(&g));
}

/* MC-ADR-19, V3-CFG-03 */
static void split_thumb_instruction_matches_at_either_half(void **state)
{
    struct etm_resource_insn i = {
        .address = 0x1000, .isa = ETM_ISA_THUMB, .size = 4, .passed = true};
    struct rig g;

    (void)state;
    for (unsigned split = 0; split < 2; split++) {
        rig_make(&g, ETM_V3_4);
        g.config.split = split;
        sac(&g, 1, 0x1002, EXECUTE | HALFWORD);
        watch(&g, 0x00);
        etm_resources_insn(&g.r, &i);
        assert_int_equal(level(&g), split);
    }
}

/* MF-08, MC-ADR-15, MC-ADR-16, TV-ADR-01 to TV-ADR-05 */
static void size_masks_the_address_up_to_v3_0(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_0);
    sac(&g, 1, 0x1000, LOAD_STORE | WORD);
    watch(&g, 0x00);
    for (uint32_t a = 0x1000; a < 0x1004; a++)
        assert_true(hit(&g, false, a, 1, 0));
    assert_true(hit(&g, false, 0x1000, 4, 0));
    assert_false(hit(&g, false, 0x1004, 1, 0));
    assert_false(hit(&g, false, 0x0fff, 1, 0));
    sac(&g, 1, 0x1003, LOAD_STORE | BYTE);
    watch(&g, 0x00);
    assert_false(hit(&g, false, 0x1000, 4, 0));
    assert_true(hit(&g, false, 0x1003, 1, 0));
}

/* MF-08, MC-ADR-33, TV-ADR-06, TV-ADR-07 */
static void range_sees_the_base_address_up_to_v3_0(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_0);
    arc(&g, 1, 0x1002, 0x1006, LOAD_STORE | BYTE);
    watch(&g, 0x10);
    assert_false(hit(&g, false, 0x1000, 4, 0));
    arc(&g, 1, 0x1000, 0x1006, LOAD_STORE | BYTE);
    watch(&g, 0x10);
    assert_true(hit(&g, false, 0x1000, 4, 0));
}

/* MF-08, MC-ADR-13, MC-ADR-31, TV-ADR-08 to TV-ADR-10 */
static void every_byte_accessed_counts_from_v3_1_on(void **state)
{
    static const struct {
        uint32_t address;
        uint8_t size;
        bool single, range; /* halfword at 0x1002; 0x1003 to 0x1007 */
    } rows[] = {
        {0x1002, 1, true, false},  {0x1003, 1, true, true},
        {0x1001, 2, true, false},  {0x1003, 2, true, true},
        {0x1000, 4, true, true},   {0x0fff, 4, true, false},
        {0x1001, 1, false, false}, {0x1004, 1, false, true},
        {0x1004, 4, false, true},  {0x0ffe, 4, false, false},
        {0x1007, 2, false, true},  {0x1008, 1, false, false},
        {0x0ffc, 4, false, false},
    };
    struct rig g;

    (void)state;
    for (unsigned range = 0; range < 2; range++) {
        rig_make(&g, ETM_V3_1);
        sac(&g, 1, 0x1002, LOAD_STORE | HALFWORD);
        arc(&g, 2, 0x1003, 0x1008, LOAD_STORE | HALFWORD);
        watch(&g, range ? 0x11 : 0x00);
        for (size_t i = 0; i < COUNT(rows); i++)
            assert_int_equal(hit(&g, false, rows[i].address, rows[i].size, 0),
                             range ? rows[i].range : rows[i].single);
    }
    sac(&g, 1, 0x1003, LOAD_STORE | BYTE);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x1000, 4, 0));
}

/* ERR-21, MC-ADR-29, TV-ADR-11 */
static void range_reaches_the_last_address_only_as_a_word(void **state)
{
    static const unsigned versions[] = {ETM_V1_0, ETM_V3_0, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (unsigned word = 0; word < 2; word++) {
            rig_make(&g, versions[v]);
            sac(&g, 1, 0xffff0000, LOAD_STORE | BYTE);
            sac(&g, 2, 0xffffffff, LOAD_STORE | (word ? WORD : BYTE));
            watch(&g, 0x10);
            assert_true(hit(&g, false, 0xfffffffe, 1, 0));
            assert_int_equal(hit(&g, false, 0xffffffff, 1, 0), word);
            assert_false(hit(&g, false, 0x00000000, 1, 0));
        }
}

/* MC-ADR-27: its result is not predictable; it does nothing. E-132 */
static void range_that_ends_before_it_begins_is_empty(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    for (uint32_t high = 0; high <= 0x1000; high += 0x800) {
        arc(&g, 1, 0x1000, high, EXECUTE | WORD);
        watch(&g, 0x10);
        for (uint32_t address = 0; address < 0x2000; address += 0x400) {
            insn(&g, address);
            assert_false(level(&g));
        }
    }
}

/* MC-ADR-17, MC-ADR-18, MF-10, E-129 */
static void coprocessor_transfer_ends_a_range_of_data(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned without = 0; without < 2; without++) {
        struct etm_resource_transfer t;

        rig_make(&g, ETM_V3_4);
        g.config.no_cprt = without;
        arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD);
        watch(&g, 0x10);
        assert_true(hit(&g, false, 0x2000, 4, 0));
        t = transfer_of(&g, false, 0x2000, 4, 0);
        t.cprt = true;
        etm_resources_transfer(&g.r, &t);
        assert_int_equal(level(&g), without);
    }
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD);
    watch(&g, 0x10);
    insn(&g, 0x1000);
    {
        struct etm_resource_transfer t = transfer_of(&g, false, 0, 4, 0);

        t.cprt = true;
        etm_resources_transfer(&g.r, &t);
    }
    assert_true(level(&g)); /* a range of instructions goes on */
    assert_true(level(&g));
}

/* MF-29, MC-FLD-14, MC-FLD-25, MC-ADR-08, MC-CID-01, MC-CID-02, MC-CID-04,
   MC-RES-10 */
static void context_id_gates_a_comparator(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned field = 0; field < 4; field++) {
        rig_make(&g, ETM_V3_4);
        g.value[ETM_REG_CIDCVR1 + 0] = 0x100;
        g.value[ETM_REG_CIDCVR1 + 1] = 0x200;
        g.value[ETM_REG_CIDCVR1 + 2] = 0x300;
        g.value[ETM_REG_CIDCMR] = 0xff;
        sac(&g, 1, 0x1000, EXECUTE | WORD | field << 8);
        g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x59;
        watch(&g, 0x00);
        for (uint32_t id = 0; id < 4; id++) {
            g.context.context_id = id << 8 | 0x5a;
            context(&g);
            insn(&g, 0x1000);
            assert_int_equal(level(&g), field == 0 || field == id);
            assert_int_equal(g.out.ext_out >> 1 & 1, id == 2);
            cycle(&g); /* a level, with or without instructions */
            assert_int_equal(g.out.ext_out >> 1 & 1, id == 2);
        }
    }
}

/* MC-FLD-13, MC-ADR-09, MC-SEC-15, MC-RES-14 */
static void security_state_gates_a_comparator(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned field = 0; field < 4; field++)
        for (unsigned has = 0; has < 2; has++)
            for (unsigned ns = 0; ns < 2; ns++) {
                rig_make(&g, ETM_V3_4);
                g.config.security = has;
                sac(&g, 1, 0x1000, EXECUTE | WORD | field << 10);
                g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x6d;
                watch(&g, 0x00);
                g.context.non_secure = ns;
                context(&g);
                insn(&g, 0x1000);
                assert_int_equal(level(&g),
                                 !has || field == 0 || field == (ns ? 1u : 2u));
                assert_int_equal(g.out.ext_out >> 1 & 1, has && ns);
            }
}

/* MC-XM-01, MC-XM-02, TV-XM-01; MC-XM-13, MC-XM-14 */
static void cancelled_instruction_and_exact_match(void **state)
{
    struct etm_resource_insn i = {.address = 0x1000,
                                  .isa = ETM_ISA_ARM,
                                  .size = 4,
                                  .passed = true,
                                  .cancelled = true};
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    watch(&g, 0x00);
    etm_resources_insn(&g.r, &i);
    assert_true(level(&g));
    sac(&g, 1, 0x1000, EXECUTE | WORD | EXACT);
    watch(&g, 0x00);
    etm_resources_insn(&g.r, &i);
    assert_false(level(&g));
    sac(&g, 1, 0x1000, FETCH | WORD | EXACT);
    watch(&g, 0x00);
    etm_resources_insn(&g.r, &i);
    assert_true(level(&g));

    /* v1.x: as exact in an event, not so in a region. */
    rig_make(&g, ETM_V1_2);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    g.value[ETM_REG_TECR1] = 0;
    g.value[ETM_REG_TECR2] = 1;
    watch(&g, 0x00);
    etm_resources_insn(&g.r, &i);
    assert_false(level(&g));
    assert_int_equal(g.out.insns, 1);
}

/* 2.7.5, E-386: so do ranges, up to the next instruction; a fetch is seen. */
static void cancelled_instruction_in_a_range_of_v1(void **state)
{
    struct etm_resource_insn i = {
        .address = 0x1000, .isa = ETM_ISA_ARM, .size = 4, .passed = true};
    struct rig g;

    (void)state;
    for (unsigned cancelled = 0; cancelled < 2; cancelled++)
        for (unsigned type = FETCH; type <= EXECUTE; type++) {
            bool seen = !cancelled || type == FETCH;

            rig_make(&g, ETM_V1_2);
            sac(&g, 1, 0x1000, type | WORD);
            sac(&g, 2, 0x1010, type | WORD);
            g.value[ETM_REG_TECR1] = 1;
            watch(&g, 0x10);
            i.cancelled = cancelled;
            etm_resources_insn(&g.r, &i);
            assert_int_equal(level(&g), seen);
            assert_int_equal(g.out.insns, 1);
            assert_int_equal(level(&g), seen); /* nothing has come since */
            i.cancelled = false;
            etm_resources_insn(&g.r, &i);
            assert_true(level(&g));
        }
}

/* PFT and macrocells without data address comparison. */
static void data_comparators_may_be_missing(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned pft = 0; pft < 2; pft++) {
        rig_make(&g, pft ? ETM_PFT1_0 : ETM_V3_4);
        g.config.counts.no_data_address = !pft;
        sac(&g, 1, 0x2000, LOAD_STORE | WORD);
        sac(&g, 2, 0x2000, EXECUTE | WORD);
        g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x01;
        watch(&g, 0x00);
        insn(&g, 0x2000);
        assert_false(hit(&g, false, 0x2000, 4, 0));
        assert_int_equal(g.out.ext_out, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_functions_follow_their_table),
        cmocka_unit_test(event_ignores_operand_b_where_the_function_does),
        cmocka_unit_test(resources_exist_by_version_and_configuration),
        cmocka_unit_test(counts_are_limited),
        cmocka_unit_test(absent_resource_is_never_active),
        cmocka_unit_test(worked_example_of_comparators),
        cmocka_unit_test(exact_range_fires_from_v3_3_on),
        cmocka_unit_test(condition_decides_from_v1_2_on),
        cmocka_unit_test(access_type_tells_loads_from_stores),
        cmocka_unit_test(instruction_is_known_by_its_first_byte),
        cmocka_unit_test(split_thumb_instruction_matches_at_either_half),
        cmocka_unit_test(size_masks_the_address_up_to_v3_0),
        cmocka_unit_test(range_sees_the_base_address_up_to_v3_0),
        cmocka_unit_test(every_byte_accessed_counts_from_v3_1_on),
        cmocka_unit_test(range_reaches_the_last_address_only_as_a_word),
        cmocka_unit_test(range_that_ends_before_it_begins_is_empty),
        cmocka_unit_test(coprocessor_transfer_ends_a_range_of_data),
        cmocka_unit_test(context_id_gates_a_comparator),
        cmocka_unit_test(security_state_gates_a_comparator),
        cmocka_unit_test(cancelled_instruction_and_exact_match),
        cmocka_unit_test(cancelled_instruction_in_a_range_of_v1),
        cmocka_unit_test(data_comparators_may_be_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
