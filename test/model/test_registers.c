/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registers exist, who may read and write them, which bits they have
 * and what a reset makes of them. Rows of the conformance list stand above
 * the tests.
 */
#include "registers_util.h"

struct span {
    uint16_t first, last;
    uint8_t step;
    unsigned since;
};

/* MC-REG-10 to MC-REG-18: numbers by the version that adds them. Those of
   ETMv3.5 are not in the list: they come from public headers and manuals. */
static const struct span spans[] = {
    {0x000, 0x003, 1, ETM_V1_0}, {0x008, 0x00f, 1, ETM_V1_0},
    {0x010, 0x02f, 1, ETM_V1_0}, {0x030, 0x04e, 2, ETM_V1_0},
    {0x050, 0x065, 1, ETM_V1_0}, {0x067, 0x067, 1, ETM_V1_0},
    {0x068, 0x06b, 1, ETM_V1_0}, {0x004, 0x004, 1, ETM_V1_1},
    {0x005, 0x007, 1, ETM_V1_2}, {0x06c, 0x070, 1, ETM_V2_0},
    {0x078, 0x079, 1, ETM_V2_0}, {0x07a, 0x07b, 1, ETM_V3_1},
    {0x080, 0x080, 1, ETM_V3_2}, {0x380, 0x3c0, 1, ETM_V3_2},
    {0x3e8, 0x3e9, 1, ETM_V3_2}, {0x3ec, 0x3ee, 1, ETM_V3_2},
    {0x3f2, 0x3ff, 1, ETM_V3_2}, {0x0c0, 0x0c2, 1, ETM_V3_3},
    {0x0c5, 0x0c5, 1, ETM_V3_3}, {0x07c, 0x07d, 1, ETM_V3_4},
    {0x07e, 0x07f, 1, ETM_V3_5}, {0x082, 0x082, 1, ETM_V3_5},
    {0x090, 0x090, 1, ETM_V3_5}, {0x0c4, 0x0c4, 1, ETM_V3_5},
};

/* What program flow trace macrocells do without. */
static bool not_in_pft(uint32_t n)
{
    return n == ETM_REG_ASICCR || n == ETM_REG_TECR2 ||
           (n >= ETM_REG_FFRR && n <= ETM_REG_VDCR3) ||
           (n >= ETM_REG_DCVR1 && n <= 0x04f);
}

/* ERR-03, ERR-06, ERR-08, MC-REG-01, MC-REG-10, MC-REG-11, MC-REG-12,
   MC-REG-13, MC-REG-14, MC-REG-15, MC-REG-16, MC-REG-17, MC-REG-18,
 * VER-03, VER-06, E-125 */
static void each_version_has_its_registers(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        bool expected[ETM_REGISTERS] = {false};

        build_full(versions[v]);
        for (size_t i = 0; i < COUNT(spans); i++) {
            for (uint32_t n = spans[i].first; n <= spans[i].last;
                 n += spans[i].step)
                expected[n] = versions[v] >= spans[i].since &&
                              !(versions[v] >= ETM_PFT1_0 && not_in_pft(n));
        }
        if (versions[v] == ETM_PFT1_0)
            expected[ETM_REG_VMIDCVR] = expected[ETM_REG_PDCR] = false;
        else if (versions[v] >= ETM_V3_5)
            expected[ETM_REG_OSSRR] = false; /* E-333 */
        for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
            if (exists(n) != expected[n])
                print_error("version %x register %03x\n", versions[v], n);
            assert_int_equal(exists(n), expected[n]);
        }
    }
}

/* Names and rules agree: what exists has a name, or is set aside. */
static void registers_that_exist_have_names(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
            if (exists(n) && !(n >= 0x380 && n < 0x3c0))
                assert_non_null(etm_register_name(n));
        }
    }
}

/* MC-REG-05, MC-ACC-22, MC-REG-03 */
static void nonexistent_register_reads_zero_and_ignores_writes(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    assert_int_equal(peek(0x031), 0);
    assert_int_equal(mistakes(), 0);
    assert_int_equal(after(0x031, 0xffffffff), 0);
    assert_int_equal(regs.value[0x031], 0);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_REGISTER);
}

/* MC-REG-04: the registers marked WO* */
static void write_only_registers_are_readable_with_ccer_11(void **state)
{
    static const uint16_t some[] = {
        0x002, 0x003, 0x006, 0x007, 0x008, 0x009, 0x00a, 0x00c, 0x00d,
        0x00e, 0x00f, 0x010, 0x02f, 0x030, 0x04e, 0x050, 0x054, 0x05b,
        0x065, 0x06b, 0x06c, 0x06f, 0x078, 0x07b, 0x07c, 0x07d};

    (void)state;
    for (size_t i = 0; i < COUNT(some); i++) {
        full(ETM_V3_4);
        build();
        assert_int_equal(after(some[i], 1), 1);
        config.ccer &= ~CCER_READABLE;
        build();
        assert_int_equal(mistakes(), 0);
        assert_int_equal(after(some[i], 1), 0);
        assert_int_equal(regs.value[some[i]], 1);
        /* MC-REG-06 */
        assert_int_equal(mistakes(), ETM_MISTAKE_WRITE_ONLY);
    }
}

/* MC-REG-06, MC-PERM-09, MC-SCR-01 */
static void read_only_register_ignores_writes(void **state)
{
    static const uint16_t some[] = {0x001, 0x005, 0x079, 0x07a, 0x3ed, 0x3ee,
                                    0x3f2, 0x3f3, 0x3f4, 0x3ff, 0x0c1, 0x0c5};

    (void)state;
    build_full(ETM_V3_4);
    for (size_t i = 0; i < COUNT(some); i++) {
        uint32_t before = peek(some[i]);

        assert_int_equal(after(some[i], ~before), before);
        assert_int_equal(mistakes(), ETM_MISTAKE_READ_ONLY);
    }
}

/* MC-REG-19: the groups of table 3-4; ERR-05 */
static void management_registers_are_those_of_table_3_4(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        bool management = (n >= 0x0c0 && n <= 0x0c5) || n >= 0x3c0;

        assert_int_equal((regs.flags[n] & ETM_REG_MANAGEMENT) != 0, management);
    }
}

/* MC-REG-21 */
static void integration_registers_read_zero(void **state)
{
    (void)state;
    build_full(ETM_V3_2);
    assert_int_equal(after(0x380, 0xffffffff), 0);
    assert_int_equal(after(0x3bf, 1), 0);
}

/* MC-REG-09: what no reset sets is UNKNOWN */
static void unknown_bits_are_zero_or_from_the_seed(void **state)
{
    uint32_t first;

    (void)state;
    full(ETM_V3_4);
    build();
    assert_int_equal(peek(ETM_REG_ACVR1), 0);
    config.unknown_seed = 7;
    build();
    first = peek(ETM_REG_ACVR1);
    assert_int_not_equal(first, 0);
    assert_int_not_equal(peek(ETM_REG_ACVR1 + 1), first);
    assert_int_equal(peek(ETM_REG_ACTR1) & ~0xfffu, 0);
    /* and what a reset sets stays what it is */
    assert_int_equal(peek(ETM_REG_CR), 0x401);
    assert_int_equal(peek(ETM_REG_TRACEIDR), 0);
    build();
    assert_int_equal(peek(ETM_REG_ACVR1), first);
}

/* MC-CID-03, MC-REG-22, MC-CCR-05, MC-CCR-07, MC-CCR-09, MC-CCR-10, MC-CCR-12,
   MC-CCR-13, MC-FLD-20 */
static void registers_of_absent_resources_do_not_exist(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.ccr = 2u | 1u << 4 | 1u << 13 | 1u << 20 | 1u << 24;
    config.ccer = CCER_READABLE;
    build();
    assert_true(exists(ETM_REG_ACVR1 + 3));
    assert_false(exists(ETM_REG_ACVR1 + 4));
    assert_true(exists(ETM_REG_ACTR1 + 3));
    assert_false(exists(ETM_REG_ACTR1 + 4));
    assert_true(exists(ETM_REG_DCVR1));
    assert_false(exists(ETM_REG_DCVR1 + 1));
    assert_false(exists(ETM_REG_DCVR1 + 2));
    assert_true(exists(ETM_REG_DCMR1));
    assert_false(exists(ETM_REG_DCMR1 + 2));
    for (uint32_t first = ETM_REG_CNTRLDVR1; first <= ETM_REG_CNTVR1;
         first += 4) {
        assert_true(exists(first));
        assert_false(exists(first + 1));
    }
    for (uint32_t n = ETM_REG_SQ12EVR; n <= ETM_REG_SQR; n++)
        assert_false(exists(n));
    assert_true(exists(ETM_REG_EXTOUTEVR1));
    assert_false(exists(ETM_REG_EXTOUTEVR1 + 1));
    assert_true(exists(ETM_REG_CIDCVR1));
    assert_false(exists(ETM_REG_CIDCVR1 + 1));
    assert_true(exists(ETM_REG_CIDCMR));
    assert_false(exists(ETM_REG_EXTINSELR));
    assert_false(exists(ETM_REG_TSSCR));
    assert_false(exists(ETM_REG_TESSEICR));
    assert_false(exists(ETM_REG_EIBCR));
    config.ccr &= ~(3u << 24);
    build();
    assert_false(exists(ETM_REG_CIDCMR));
}

/* MC-REG-23, MC-CCR-06, MC-CCR-11 */
static void fifofull_region_and_view_data_2_need_their_logic(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.ccr &= ~(1u << 23 | 0x1f00u);
    build();
    assert_int_equal(after(ETM_REG_FFRR, 0x01000000), 0);
    assert_int_equal(after(ETM_REG_VDCR2, 1), 0);
    assert_int_equal(after(ETM_REG_CR, 0x401 | ETM_CR_STALL), 0x401);
}

/* E-403: as in ETM-M3 and ETM-M4, which stall and start without comparators */
static void registers_that_could_select_nothing_are_not_there(void **state)
{
    (void)state;
    for (unsigned has = 0; has < 4; has++) {
        full(ETM_V3_4);
        config.ccr &= ~UINT32_C(0x1fff);
        config.ccr |= (has & 1u) | (has & 2u ? 1u << 8 : 0);
        build();
        assert_int_equal(exists(ETM_REG_TSSCR), has & 1u);
        assert_int_equal(exists(ETM_REG_FFRR), has != 0);
        assert_true(exists(ETM_REG_FFLR));
        assert_int_equal(after(ETM_REG_CR, 0x401 | ETM_CR_STALL),
                         0x401 | ETM_CR_STALL);
    }
}

/* E-125: PFT may have FIFOFULL, and no PTM that is known does. */
static void a_ptm_that_stalls_is_refused_for_that(void **state)
{
    struct etm_diag diag;

    (void)state;
    full(ETM_PFT1_1);
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_OK);
    config.ccr |= 1u << 23;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    assert_non_null(strstr(diag.what, "cannot stall its processor"));
}

/* MC-REG-24: without data address comparison */
static void no_data_comparators_without_data_address_comparison(void **state)
{
    struct etm_diag diag;

    (void)state;
    full(ETM_V3_3);
    config.ccer |= 1u << 12;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    assert_string_equal(diag.source, "ETMCCR");
    config.ccr &= ~0xf0u;
    build();
    for (uint32_t n = 0x030; n < 0x050; n++)
        assert_false(exists(n));
}

/* MC-REG-25, MC-GEN-14, V3-CFG-16 */
static void no_view_data_without_data_trace(void **state)
{
    (void)state;
    full(ETM_V3_3);
    config.data_features = ETM_DATA_FEATURES_NONE;
    build();
    for (uint32_t n = ETM_REG_VDEVR; n <= ETM_REG_VDCR3; n++)
        assert_false(exists(n));
    assert_int_equal(after(ETM_REG_CR, 0x401 | ETM_CR_SUPPRESS_DATA), 0x401);
    /* v3.2 has no choice */
    full(ETM_V3_2);
    config.data_features = ETM_DATA_FEATURES_NONE;
    build();
    assert_true(exists(ETM_REG_VDCR3));
}

struct field_row {
    uint16_t number;
    unsigned version;
    uint32_t bits;
};

/* MC-REG-02, MC-FLD-01 to MC-FLD-33; MC-CR-01 and the bits of ETMCR by
   version: MC-CR-02, MC-CR-05 to MC-CR-16, MC-CR-24 */
static const struct field_row fields[] = {
    {ETM_REG_TRIGGER, ETM_V1_0, 0x1ffff},
    {ETM_REG_TEEVR, ETM_V1_0, 0x1ffff},
    {ETM_REG_VDEVR, ETM_V1_0, 0x1ffff},
    {ETM_REG_CNTRLDEVR1, ETM_V1_0, 0x1ffff},
    {ETM_REG_SQ12EVR, ETM_V1_0, 0x1ffff},
    {ETM_REG_SQ12EVR + 5, ETM_V3_4, 0x1ffff},
    {ETM_REG_EXTOUTEVR1, ETM_V3_4, 0x1ffff},
    {ETM_REG_ASICCR, ETM_V1_0, 0xff},
    {ETM_REG_TSSCR, ETM_V1_2, 0xffffffff},
    {ETM_REG_TECR2, ETM_V1_2, 0xffff},
    {ETM_REG_TECR1, ETM_V1_1, 0x01ffffff},
    {ETM_REG_TECR1, ETM_V1_2, 0x03ffffff},
    {ETM_REG_TECR1, ETM_PFT1_0, 0x030000ff},
    {ETM_REG_FFRR, ETM_V1_0, 0x01ffffff},
    {ETM_REG_FFLR, ETM_V1_3, 0xff},
    {ETM_REG_VDCR1, ETM_V1_0, 0xffffffff},
    {ETM_REG_VDCR2, ETM_V1_0, 0xffffffff},
    {ETM_REG_VDCR3, ETM_V1_0, 0x1ffff},
    {ETM_REG_ACVR1, ETM_V1_0, 0xffffffff},
    {ETM_REG_ACTR1, ETM_V1_3, 0x07f},
    {ETM_REG_ACTR1, ETM_V2_0, 0x3ff},
    {ETM_REG_ACTR1, ETM_V3_1, 0x3ff},
    {ETM_REG_ACTR1, ETM_V3_2, 0xfff},
    {ETM_REG_ACTR1, ETM_V3_5, 0xffff},
    {ETM_REG_ACTR1, ETM_PFT1_0, 0x3fff},
    {ETM_REG_DCVR1 + 14, ETM_V1_0, 0xffffffff},
    {ETM_REG_DCMR1 + 14, ETM_V1_0, 0xffffffff},
    {ETM_REG_CNTRLDVR1, ETM_V1_0, 0xffff},
    {ETM_REG_CNTENR1, ETM_V1_3, 0x3ffff},
    {ETM_REG_CNTENR1, ETM_V2_0, 0x1ffff},
    {ETM_REG_CNTVR1, ETM_V3_1, 0xffff},
    {ETM_REG_CIDCVR1 + 2, ETM_V2_0, 0xffffffff},
    {ETM_REG_CIDCMR, ETM_V2_0, 0xffffffff},
    {ETM_REG_SYNCFR, ETM_V2_0, 0xfff},
    {ETM_REG_EXTINSELR, ETM_V3_1, 0xffffffff},
    {ETM_REG_TESSEICR, ETM_V3_4, 0x00ff00ff},
    {ETM_REG_EIBCR, ETM_V3_4, 0xff}, /* V3-EICE-02 */
    {ETM_REG_TSEVR, ETM_V3_5, 0x1ffff},
    {ETM_REG_TRACEIDR, ETM_V3_2, 0x7f},
    {ETM_REG_VMIDCVR, ETM_V3_5, 0xff},
    {ETM_REG_ITCTRL, ETM_V3_2, 1},
    /* [6:4] take code 2 here, the closest there is */
    {ETM_REG_CR, ETM_V1_0, 0x00001faf},
    {ETM_REG_CR, ETM_V1_2, 0x0003ffaf},
    {ETM_REG_CR, ETM_V2_1, 0x0003ffaf},
    {ETM_REG_CR, ETM_V3_0, 0x002fffff},
    /* [22] is not for the debugger to set, nor [23] for software */
    {ETM_REG_CR, ETM_V3_1, 0x003fffff},
    {ETM_REG_CR, ETM_V3_2, 0x0ebfffff},
    {ETM_REG_CR, ETM_V3_3, 0x0fbfffff},
    {ETM_REG_CR, ETM_V3_5, 0x5fbfffff},
    {ETM_REG_CR, ETM_PFT1_0, 0x3f80d701},
    {ETM_REG_CR, ETM_PFT1_1, 0x7f80d701},
};

static void registers_keep_the_bits_that_their_version_defines(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fields); i++) {
        uint32_t n = fields[i].number;

        build_full(fields[i].version);
        poke(n, 0xffffffff);
        if (regs.value[n] != fields[i].bits)
            print_error("version %x register %03x: %08x\n", fields[i].version,
                        n, regs.value[n]);
        assert_int_equal(regs.value[n], fields[i].bits);
    }
}

/* MC-REG-08, MC-LINT-25: what is beyond the bits is a mistake */
static void ones_in_reserved_bits_are_a_mistake(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    poke(ETM_REG_TEEVR, 0x1ffff);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_TEEVR, 0x20000);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_BITS);
    assert_int_equal(peek(ETM_REG_TEEVR), 0);
    poke(ETM_REG_CR, 0xf0000401);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_BITS);
}

/* Table 3-34, 3.5.4, E-145: tools set them, or cannot know. */
static void bits_that_tools_may_set_are_no_mistake(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        build_full(versions[i]);
        poke(ETM_REG_CNTENR1 + 1, 0x2006f);
        if (versions[i] < ETM_PFT1_0)
            poke(ETM_REG_ASICCR, 0x80000000);
        else
            poke(ETM_REG_CR, 0x00000c70);
        assert_int_equal(mistakes(), 0);
    }
}

/* Bits of comparators, ranges and decoders that are not there. */
static void fields_have_a_bit_for_each_resource(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.ccr = 2u | 3u << 8 | 1u << 23 | 1u << 26;
    config.ccer = CCER_READABLE | 1u | 2u << 16 | 3u << 20;
    build();
    assert_int_equal(after(ETM_REG_TSSCR, 0xffffffff), 0x000f000f);
    assert_int_equal(after(ETM_REG_TECR2, 0xffffffff), 0x0000000f);
    assert_int_equal(after(ETM_REG_TECR1, 0xffffffff), 0x03000703);
    assert_int_equal(after(ETM_REG_FFRR, 0xffffffff), 0x01000703);
    assert_int_equal(after(ETM_REG_VDCR1, 0xffffffff), 0x000f000f);
    assert_int_equal(after(ETM_REG_VDCR2, 0xffffffff), 0x00070007);
    assert_int_equal(after(ETM_REG_VDCR3, 0xffffffff), 0x00010303);
    assert_int_equal(after(ETM_REG_EXTINSELR, 0xffffffff), 0xff);
    assert_int_equal(after(ETM_REG_TESSEICR, 0xffffffff), 0x00030003);
    assert_int_equal(after(ETM_REG_EIBCR, 0xffffffff), 3);
}

/* MC-FLD-13, MC-FLD-14: fields of ETMACTR that need their feature */
static void access_type_fields_need_their_features(void **state)
{
    (void)state;
    full(ETM_V3_4);
    trace.security = false;
    config.ccr &= ~(3u << 24);
    build();
    assert_int_equal(after(ETM_REG_ACTR1, 0xd84), 0x084);
}

/* MC-LINT-05, MC-FLD-16, MC-FLD-17, MC-FLD-18 */
static void reserved_access_types_are_mistakes(void **state)
{
    static const uint32_t reserved[] = {0x007, 0x010, 0x040, 0xc00};

    (void)state;
    for (size_t i = 0; i < COUNT(reserved); i++) {
        build_full(ETM_V3_4);
        poke(ETM_REG_ACTR1 + 5, reserved[i]);
        assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_VALUE);
    }
    build_full(ETM_V1_1);
    poke(ETM_REG_ACTR1, 0x002);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_VALUE);
    poke(ETM_REG_ACTR1, 0x060);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_VALUE);
    build_full(ETM_V1_2);
    poke(ETM_REG_ACTR1, 0x063);
    assert_int_equal(mistakes(), 0);
}

/* MC-FIFO-09, ERR-09, MC-FIFO-11, MC-FLD-08, TV-ACC-05, V2-OVF-04 */
static void fifofull_level_tells_the_size_of_the_fifo(void **state)
{
    (void)state;
    full(ETM_V2_0);
    config.fifo_size = 60;
    build();
    assert_int_equal(after(ETM_REG_FFLR, 0xffffffff), 60);
    assert_int_equal(after(ETM_REG_FFLR, 1), 1);
    assert_int_equal(mistakes(), 0);
    config.fifo_level_ignored = true;
    build();
    assert_int_equal(after(ETM_REG_FFLR, 1), 60);
    /* write-only in v1.x */
    build_full(ETM_V1_3);
    assert_int_equal(after(ETM_REG_FFLR, 5), 0);
    assert_int_equal(mistakes(), ETM_MISTAKE_WRITE_ONLY);
}

/* MC-FLD-26 */
static void implementation_extensions_show_their_presence(void **state)
{
    (void)state;
    full(ETM_V3_4);
    build();
    assert_int_equal(after(ETM_REG_IMPSPEC0, 0xff), 0);
    config.implementation = 5;
    build();
    assert_int_equal(peek(ETM_REG_IMPSPEC0), 5);
    assert_int_equal(after(ETM_REG_IMPSPEC0, 0xf0), 0xf5);
    etm_regfile_reset(&regs);
    assert_int_equal(peek(ETM_REG_IMPSPEC0), 5);
}

/* MC-FLD-27, MC-FLD-28, TV-ACC-06, MC-GEN-08, V3-CFG-13 */
static void synchronization_frequency_may_be_fixed(void **state)
{
    (void)state;
    full(ETM_V3_4);
    build();
    assert_int_equal(peek(ETM_REG_SYNCFR), 0x400);
    assert_int_equal(after(ETM_REG_SYNCFR, 0xffffffff), 0xfff);
    assert_int_equal(mistakes(), 0);
    config.sync_low_bits = 3;
    build();
    assert_int_equal(after(ETM_REG_SYNCFR, 0xffffffff), 0xff8);
    config.sync_fixed = true;
    build();
    assert_int_equal(after(ETM_REG_SYNCFR, 0xffffffff), 0x400);
    /* then it is read-only, not write-only, also without ETMCCER[11] */
    config.ccer &= ~CCER_READABLE;
    build();
    assert_int_equal(after(ETM_REG_SYNCFR, 0xffffffff), 0x400);
    assert_int_equal(mistakes(), 0);
    config.sync_fixed = false;
    build();
    assert_int_equal(peek(ETM_REG_SYNCFR), 0);
    assert_int_equal(mistakes(), ETM_MISTAKE_WRITE_ONLY);
}

/* MC-FLD-24 */
static void sequencer_state_3_is_reserved(void **state)
{
    (void)state;
    build_full(ETM_V3_1);
    assert_int_equal(after(ETM_REG_SQR, 2), 2);
    assert_int_equal(mistakes(), 0);
    assert_int_equal(after(ETM_REG_SQR, 3), 2);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_VALUE);
}

/* PFT-RS-01 */
static void etm_reset_turns_the_return_stack_off(void **state)
{
    (void)state;
    full(ETM_PFT1_0);
    build();
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, KEY);
    poke(ETM_REG_CR, 0x20000400);
    assert_int_equal(peek(ETM_REG_CR), 0x20000400);
    etm_regfile_reset(&regs);
    assert_int_equal(peek(ETM_REG_CR) & 0x20000000, 0);
}

/* MC-SSB-09, MF-19, MC-PRG-02, MC-PRG-08, MC-CR-19, MC-CR-26, TV-ACC-10 */
static void etm_reset_sets_what_the_text_names(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.implementation = 1;
    build();
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, KEY);
    poke(ETM_REG_ACVR1, 0x1234);
    poke(ETM_REG_SQR, 2);
    poke(ETM_REG_SR, ETM_SR_START_STOP | ETM_SR_TRIGGER);
    poke(ETM_REG_IMPSPEC0, 0x10);
    poke(ETM_REG_SYNCFR, 0x100);
    poke(ETM_REG_TRACEIDR, 0x10);
    poke(ETM_REG_ITCTRL, 1);
    poke(ETM_REG_CLAIMSET, 0xff);
    poke(ETM_REG_CR, 0x0000dc0e);
    etm_regfile_reset(&regs);
    assert_int_equal(peek(ETM_REG_CR), 0x401);
    assert_int_equal(peek(ETM_REG_SQR), 0);
    assert_int_equal(peek(ETM_REG_SR), ETM_SR_PROGRAMMING);
    assert_int_equal(peek(ETM_REG_IMPSPEC0), 1);
    assert_int_equal(peek(ETM_REG_SYNCFR), 0x400);
    assert_int_equal(peek(ETM_REG_TRACEIDR), 0);
    assert_int_equal(peek(ETM_REG_ITCTRL), 0);
    assert_int_equal(peek(ETM_REG_CLAIMCLR), 0);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 3);
    /* nothing is said of the others: they stay */
    assert_int_equal(peek(ETM_REG_ACVR1), 0x1234);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version_has_its_registers),
        cmocka_unit_test(registers_that_exist_have_names),
        cmocka_unit_test(nonexistent_register_reads_zero_and_ignores_writes),
        cmocka_unit_test(write_only_registers_are_readable_with_ccer_11),
        cmocka_unit_test(read_only_register_ignores_writes),
        cmocka_unit_test(management_registers_are_those_of_table_3_4),
        cmocka_unit_test(integration_registers_read_zero),
        cmocka_unit_test(unknown_bits_are_zero_or_from_the_seed),
        cmocka_unit_test(registers_of_absent_resources_do_not_exist),
        cmocka_unit_test(registers_that_could_select_nothing_are_not_there),
        cmocka_unit_test(a_ptm_that_stalls_is_refused_for_that),
        cmocka_unit_test(fifofull_region_and_view_data_2_need_their_logic),
        cmocka_unit_test(no_data_comparators_without_data_address_comparison),
        cmocka_unit_test(no_view_data_without_data_trace),
        cmocka_unit_test(registers_keep_the_bits_that_their_version_defines),
        cmocka_unit_test(ones_in_reserved_bits_are_a_mistake),
        cmocka_unit_test(bits_that_tools_may_set_are_no_mistake),
        cmocka_unit_test(fields_have_a_bit_for_each_resource),
        cmocka_unit_test(access_type_fields_need_their_features),
        cmocka_unit_test(reserved_access_types_are_mistakes),
        cmocka_unit_test(fifofull_level_tells_the_size_of_the_fifo),
        cmocka_unit_test(implementation_extensions_show_their_presence),
        cmocka_unit_test(synchronization_frequency_may_be_fixed),
        cmocka_unit_test(sequencer_state_3_is_reserved),
        cmocka_unit_test(etm_reset_turns_the_return_stack_off),
        cmocka_unit_test(etm_reset_sets_what_the_text_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
