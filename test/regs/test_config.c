/* SPDX-License-Identifier: Apache-2.0 */
/* Register values to configurations (ETM architecture, 3.5). */
#include "config_util.h"

/* Expect an error whose sentence holds `part` and whose source is `source`. */
static void refuse(enum etm_protocol protocol, const char *name1,
                   uint64_t value1, const char *name2, uint64_t value2,
                   const char *source, const char *part)
{
    struct etm_config config = {0};
    struct etm_diag diag;

    assert_int_equal(
        make(&config, protocol, name1, value1, name2, value2, &diag),
        ETM_ERR_CONFIG);
    assert_int_equal(diag.status, ETM_ERR_CONFIG);
    assert_string_equal(diag.source, source);
    if (strstr(diag.what, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.what, part);
    assert_int_equal(config.protocol, ETM_PROTOCOL_NONE);
    assert_int_equal(
        make(&config, protocol, name1, value1, name2, value2, NULL),
        ETM_ERR_CONFIG);
}

/* CFG-10, SIG-07, V3-CFG-01: whatever the core family in [15:12] is */
static void etmidr_gives_protocol_and_version(void **state)
{
    (void)state;
    for (size_t i = 0; i < 16 * COUNT(versions); i++) {
        const struct version *v = &versions[i / 16];
        struct etm_config c = {0};
        struct etm_register r =
            reg("ETMIDR", IDR_OF(v->major, v->minor) | (i % 16) << 12);

        assert_int_equal(
            etm_config_from_registers(&c, ETM_PROTOCOL_NONE, &r, 1, NULL),
            ETM_OK);
        assert_int_equal(c.size, sizeof c);
        assert_int_equal(c.protocol, v->protocol);
        assert_int_equal(c.minor, v->minor);
        assert_int_equal(
            etm_config_from_registers(&c, v->protocol, &r, 1, NULL), ETM_OK);
        assert_int_equal(c.protocol, v->protocol);
    }
}

/* A bit of a register, the flag that it sets, and the first minor version of
   ETMv1, ETMv2, ETMv3 and PFT in which it does (99: never). */
struct meaning {
    const char *name;
    unsigned bit;
    size_t offset;
    unsigned first[4];
};

#define MEANING(name, bit, field, ...)                                         \
    {                                                                          \
        name, bit, offsetof(struct etm_config, field),                         \
        {                                                                      \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

static const struct meaning meanings[] = {
    MEANING("ETMCR", 1, cprt, 0, 0, 0, 99),
    MEANING("ETMCR", 2, data_value, 0, 0, 0, 99),
    MEANING("ETMCR", 3, data_address, 0, 0, 0, 99),
    MEANING("ETMCR", 8, branch_broadcast, 0, 0, 0, 0),
    MEANING("ETMCR", 12, cycle_accurate, 0, 0, 0, 0),
    MEANING("ETMCR", 20, data_only, 99, 99, 1, 99),
    MEANING("ETMCR", 28, timestamps, 99, 99, 5, 0),
    MEANING("ETMCR", 29, return_stack, 99, 99, 99, 0),
    MEANING("ETMCR", 30, vmid, 99, 99, 5, 1),
    MEANING("ETMIDR", 16, pc_first, 99, 1, 0, 99),
    MEANING("ETMIDR", 19, security, 99, 99, 2, 0),
    MEANING("ETMIDR", 20, alternative_branches, 99, 99, 4, 99),
    MEANING("ETMCCER", 23, return_stack_implemented, 99, 99, 99, 0),
    MEANING("ETMCCER", 24, barriers_are_waypoints, 99, 99, 99, 0),
    MEANING("ETMCCER", 26, virtualization, 99, 99, 5, 1),
    MEANING("ETMCCER", 28, timestamp_binary, 99, 99, 5, 1),
    MEANING("ETMCCER", 29, timestamp_64bit, 99, 99, 5, 1),
};

static bool is_set(const struct etm_config *c, const struct meaning *m)
{
    bool value;

    memcpy(&value, (const char *)c + m->offset, sizeof value);
    return value;
}

/* Set one bit of one register: its flag and no other flag may become true. */
static void check_bit(const struct version *v, const char *name, unsigned bit)
{
    uint64_t idr = IDR_OF(v->major, v->minor);
    uint64_t value = UINT64_C(1) << bit;
    struct etm_config c = {0};

    if (strcmp(name, "ETMIDR") == 0)
        assert_int_equal(make(&c, v->protocol, name, idr | value, "", 0, NULL),
                         ETM_OK);
    else
        assert_int_equal(
            make(&c, v->protocol, "ETMIDR", idr, name, value, NULL), ETM_OK);
    for (size_t i = 0; i < COUNT(meanings); i++) {
        const struct meaning *m = &meanings[i];
        bool mine = m->bit == bit && strcmp(m->name, name) == 0;
        bool expected = mine && v->minor >= m->first[v->major];

        if (is_set(&c, m) != expected)
            fail_msg("%s[%u], ETMIDR major %u minor %u: field of %s[%u] is %d",
                     name, bit, v->major, v->minor, m->name, m->bit, !expected);
    }
}

/* CFG-03, CFG-11, V3-CFG-02, V3-CFG-05 to -07, V3-CFG-09, PFT-RS-01 */
static void each_bit_sets_its_flag_in_the_versions_that_have_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        for (unsigned bit = 0; bit < 32; bit++) {
            bool old = versions[i].major < 2;
            bool v3 = versions[i].major == 2;

            /* Reserved port sizes are refused, and the filter needs the
               monitor bit; the version itself is tested elsewhere. */
            if (!(old && bit == 6) && !(v3 && bit == 19))
                check_bit(&versions[i], "ETMCR", bit);
            if (bit < 4 || bit > 11)
                check_bit(&versions[i], "ETMIDR", bit);
            check_bit(&versions[i], "ETMCCER", bit);
        }
    }
}

/* VER-14 */
static void cprt_filter_exists_from_etmv3(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        const struct version *v = &versions[i];
        struct etm_config c = {0};

        assert_int_equal(make(&c, v->protocol, "ETMIDR",
                              IDR_OF(v->major, v->minor), "ETMCR", 0x80002,
                              NULL),
                         ETM_OK);
        assert_int_equal(c.cprt_filter, v->major == 2);
        assert_int_equal(c.cprt, v->major != 3);
    }
}

/* E-352: the rest of the trace does not depend on it */
static void cprt_filter_without_cprt_is_none(void **state)
{
    struct etm_config c = {0};

    (void)state;
    for (unsigned minor = 0; minor <= 5; minor++) {
        assert_int_equal(make(&c, ETM_PROTOCOL_ETMV3, "ETMIDR",
                              IDR_OF(2, minor), "ETMCR", 0x8000c, NULL),
                         ETM_OK);
        assert_false(c.cprt_filter || c.cprt);
        assert_true(c.data_value && c.data_address);
    }
}

/* V3-CFG-11 */
static void context_id_size_is_0_1_2_or_4_bytes(void **state)
{
    static const unsigned bytes[4] = {0, 1, 2, 4};

    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        const struct version *v = &versions[i];

        for (unsigned field = 0; field < 4; field++) {
            bool has = v->major != 0 || v->minor >= 2;
            struct etm_config c = {0};

            assert_int_equal(make(&c, v->protocol, "ETMIDR",
                                  IDR_OF(v->major, v->minor), "ETMCR",
                                  field << 14, NULL),
                             ETM_OK);
            assert_int_equal(c.context_id_bytes, has ? bytes[field] : 0);
        }
    }
}

/* E-72, V3-CFG-03 */
static void thumb32_is_split_before_v3_2_and_where_idr_18_is_0(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        const struct version *v = &versions[i];
        bool late = v->major == 2 && v->minor >= 2;
        uint64_t idr = IDR_OF(v->major, v->minor);
        struct etm_config c = {0};

        assert_int_equal(make(&c, v->protocol, "ETMIDR", idr, "", 0, NULL),
                         ETM_OK);
        assert_int_equal(c.thumb32_split, v->major != 3);
        assert_int_equal(
            make(&c, v->protocol, "ETMIDR", idr | 1 << 18, "", 0, NULL),
            ETM_OK);
        assert_int_equal(c.thumb32_split, v->major != 3 && !late);
    }
}

/* E-71, V3-CFG-02 */
static void etm11rv_r0p0_loads_the_pc_first_without_saying_so(void **state)
{
    struct etm_config c = {0};

    (void)state;
    assert_int_equal(
        make(&c, ETM_PROTOCOL_NONE, "ETMIDR", 0x41003210, "", 0, NULL), ETM_OK);
    assert_true(c.pc_first);
}

/* CFG-13, E-73 */
static void trace_id_and_sync_period_are_taken_over(void **state)
{
    struct etm_config c = {0};

    (void)state;
    assert_int_equal(make(&c, ETM_PROTOCOL_PFT, "ETMTRACEIDR", 0xffffff13,
                          "ETMSYNCFR", 0xfffff400, NULL),
                     ETM_OK);
    assert_int_equal(c.trace_id, 0x13);
    assert_int_equal(c.sync_period, 0x400);
    assert_int_equal(make(&c, ETM_PROTOCOL_ETMV1, "ETMTRACEIDR", 0x6f,
                          "ETMSYNCFR", 0x400, NULL),
                     ETM_OK);
    assert_int_equal(c.trace_id, 0x6f);
    assert_int_equal(c.sync_period, 0);
    for (unsigned id = 0x70; id <= 0x7f; id++)
        refuse(ETM_PROTOCOL_PFT, "ETMTRACEIDR", id, "", 0, "ETMTRACEIDR",
               "a reserved trace ID");
}

static void registers_of_real_chips_are_understood(void **state)
{
    struct etm_register a15[] = {
        reg("ETMCR", 0x10001000), reg("ETMIDR", 0x411cf312),
        reg("ETMCCER", 0x34c01ac2), reg("ETMTRACEIDR", 0x13)};
    struct etm_register a7[] = {
        reg("ETMCR", 0x10001860), reg("ETMIDR", 0x410cf250),
        reg("ETMCCER", 0x344008f2), reg("ETMTRACEIDR", 0x10)};
    struct etm_config c = {0};

    (void)state;
    assert_int_equal(etm_config_from_registers(&c, 0, a15, 4, NULL), ETM_OK);
    assert_int_equal(c.protocol, ETM_PROTOCOL_PFT);
    assert_int_equal(c.minor, 1);
    assert_true(c.cycle_accurate && c.timestamps && c.timestamp_binary &&
                c.timestamp_64bit && c.virtualization && c.security &&
                c.return_stack_implemented);
    assert_false(c.return_stack || c.barriers_are_waypoints ||
                 c.alternative_branches || c.thumb32_split);
    assert_int_equal(c.profile, ETM_PROFILE_A);
    assert_int_equal(etm_config_from_registers(&c, 0, a7, 4, NULL), ETM_OK);
    assert_int_equal(c.protocol, ETM_PROTOCOL_ETMV3);
    assert_int_equal(c.minor, 5);
    assert_true(c.cycle_accurate && c.timestamps && c.security);
    assert_false(c.alternative_branches || c.thumb32_split);
    assert_int_equal(c.trace_id, 0x10);
}

/* E-74 */
static void timestamps_do_not_depend_on_ccer_22(void **state)
{
    struct etm_config c = {0};

    (void)state; /* the values of a Cortex-A9 whose trace has timestamps */
    assert_int_equal(make(&c, ETM_PROTOCOL_NONE, "ETMCR", 0x10001000, "ETMIDR",
                          0x411cf301, NULL),
                     ETM_OK);
    assert_true(c.timestamps);
    assert_false(c.timestamp_binary || c.timestamp_64bit);
}

static void etm_m3_and_m4_are_m_profile(void **state)
{
    struct etm_config c = {0};

    (void)state;
    for (unsigned idr = 0x4114f240; idr <= 0x4114f25f; idr++) {
        assert_int_equal(
            make(&c, ETM_PROTOCOL_NONE, "ETMIDR", idr, "", 0, NULL), ETM_OK);
        assert_int_equal(c.profile, ETM_PROFILE_M);
        assert_true(c.alternative_branches);
    }
}

/* CFG-09 */
static void etmv1_version_comes_from_the_protocol_number(void **state)
{
    static const int minors[8] = {0, 1, 2, 3, 2, 3, -1, 3};
    struct etm_config c = {0};

    (void)state;
    for (unsigned number = 0; number < 8; number++) {
        if (minors[number] < 0) {
            refuse(ETM_PROTOCOL_NONE, "ETMCCR", number << 28, "", 0, "ETMCCR",
                   "not a known protocol version");
            continue;
        }
        assert_int_equal(
            make(&c, ETM_PROTOCOL_NONE, "ETMCCR", number << 28, "", 0, NULL),
            ETM_OK);
        assert_int_equal(c.protocol, ETM_PROTOCOL_ETMV1);
        assert_int_equal(c.minor, minors[number]);
    }
    refuse(ETM_PROTOCOL_NONE, "ETMCCR", UINT32_C(0x80000000), "", 0, "ETMIDR",
           "missing");
}

/* E-70 */
static void without_etmidr_the_last_version_is_assumed(void **state)
{
    static const unsigned last[] = {3, 1, 5, 1};
    struct etm_config c = {0};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        enum etm_protocol protocol = ETM_PROTOCOL_ETMV1 + i;

        assert_int_equal(etm_config_from_registers(&c, protocol, NULL, 0, NULL),
                         ETM_OK);
        assert_int_equal(c.protocol, protocol);
        assert_int_equal(c.minor, last[i]);
        assert_int_equal(c.security, i >= 2);
        assert_int_equal(c.thumb32_split, i < 2);
        assert_false(c.alternative_branches);
    }
}

static void nonsense_is_refused_with_the_name_of_the_register(void **state)
{
    (void)state;
    refuse(ETM_PROTOCOL_NONE, "ETMCR", 0, "", 0, "ETMIDR", "missing");
    refuse(ETM_PROTOCOL_NONE, "ETMIDR", 0, "", 0, "ETMIDR",
           "ETMIDR is 0x0: no macrocell is present");
    for (unsigned major = 4; major < 16; major++)
        refuse(ETM_PROTOCOL_NONE, "ETMIDR", IDR_OF(major, 0), "", 0, "ETMIDR",
               "not a known major version");
    refuse(ETM_PROTOCOL_NONE, "ETMIDR", IDR_OF(0, 4), "", 0, "ETMIDR",
           "not a known minor version of etmv1");
    refuse(ETM_PROTOCOL_NONE, "ETMIDR", IDR_OF(1, 2), "", 0, "ETMIDR",
           "not a known minor version of etmv2");
    refuse(ETM_PROTOCOL_NONE, "ETMIDR", IDR_OF(2, 6), "", 0, "ETMIDR",
           "bits [7:4] are 6, which is not a known minor version of etmv3");
    refuse(ETM_PROTOCOL_NONE, "ETMIDR", IDR_OF(3, 2), "", 0, "ETMIDR",
           "not a known minor version of pft");
    refuse(ETM_PROTOCOL_ETMV3, "ETMIDR", 0x411cf312, "", 0, "ETMIDR",
           "0x411cf312: the protocol is pft, not etmv3");
    refuse(ETM_PROTOCOL_PFT, "ETMCCR", 0x10000000, "", 0, "ETMCCR",
           "the protocol is etmv1, not pft");
    refuse(ETM_PROTOCOL_PFT, "ETMCCR", 0, "ETMIDR", 0x411cf312, "ETMCCR",
           "bit [31]");
    refuse(ETM_PROTOCOL_PFT, "ETMCR", UINT64_C(0x100000000), "", 0, "ETMCR",
           "0x100000000: more than 32 bits");
    refuse(ETM_PROTOCOL_PFT, "ETMTRIGGER", UINT64_MAX, "", 0, "ETMTRIGGER",
           "0xffffffffffffffff: more than 32 bits");
    refuse(ETM_PROTOCOL_PFT, "ETMCR", 1, "ETMCR", 2, "ETMCR",
           "0x1: it is also given as 0x2");
    refuse(ETM_PROTOCOL_ETMV1, "ETMCR", 3 << 4, "", 0, "ETMCR", "port size");
    refuse(ETM_PROTOCOL_ETMV2, "ETMCR", 7 << 4, "", 0, "ETMCR", "port size");
    refuse((enum etm_protocol)77, "ETMCR", 0, "", 0, "", "number 77");
}

static void the_same_value_twice_is_no_contradiction(void **state)
{
    struct etm_config c = {0};

    (void)state;
    assert_int_equal(
        make(&c, ETM_PROTOCOL_PFT, "ETMCR", 0x1000, "etmcr", 0x1000, NULL),
        ETM_OK);
    assert_true(c.cycle_accurate);
}

static void a_register_may_have_all_32_bits_set(void **state)
{
    const struct etm_register r = reg("ETMTRIGGER", UINT32_MAX);
    struct etm_config c = {0};

    (void)state;
    assert_int_equal(
        etm_config_from_registers(&c, ETM_PROTOCOL_PFT, &r, 1, NULL), ETM_OK);
}

static void a_register_with_another_name_counts_by_its_number(void **state)
{
    struct etm_register r[2] = {reg("MainControl", 0x1000), reg("FOO", 0)};
    struct etm_config c = {0};

    (void)state;
    r[0].number = 0;
    r[1].value = UINT64_MAX; /* not ours: any value will do */
    assert_int_equal(
        etm_config_from_registers(&c, ETM_PROTOCOL_PFT, r, 2, NULL), ETM_OK);
    assert_true(c.cycle_accurate);
}

/* CFG-01: table 3-6. What is not given is not 0, which would be 4 pins. */
static void port_size_of_etmv1_and_etmv2_is_in_etmcr(void **state)
{
    static const uint64_t idrs[2] = {IDR_OF(1, 0), IDR_OF(1, 1)};
    static const uint8_t widths[3] = {4, 8, 16};
    struct etm_register r[8];
    struct etm_config c = {0};

    (void)state;
    for (unsigned code = 0; code < 8; code++) {
        if (code >= 3) {
            refuse(ETM_PROTOCOL_NONE, "ETMCCR", 0, "ETMCR", code << 4, "ETMCR",
                   "reserved port size");
            refuse(ETM_PROTOCOL_NONE, "ETMIDR", idrs[1], "ETMCR", code << 4,
                   "ETMCR", "reserved port size");
            continue;
        }
        for (unsigned v = 0; v < 3; v++) {
            assert_int_equal(
                make(&c, ETM_PROTOCOL_NONE, v < 2 ? "ETMIDR" : "ETMCCR",
                     v < 2 ? idrs[v] : 0, "ETMCR", code << 4, NULL),
                ETM_OK);
            assert_int_equal(c.port_width, widths[code]);
            assert_true(etm_config_to_registers(&c, r, COUNT(r)) > 0);
            assert_string_equal(r[0].name, "ETMCR");
            assert_int_equal(r[0].value, code << 4);
        }
    }
    assert_int_equal(make(&c, ETM_PROTOCOL_NONE, "ETMCCR", 0, "", 0, NULL),
                     ETM_OK);
    assert_int_equal(c.port_width, 0);
    assert_true(etm_config_to_registers(&c, r, COUNT(r)) > 0);
    assert_int_equal(r[0].value, 1 << 4); /* the default, 8 pins */
    assert_int_equal(make(&c, ETM_PROTOCOL_ETMV3, "ETMCR", 0x10, "", 0, NULL),
                     ETM_OK);
    assert_int_equal(c.port_width, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(etmidr_gives_protocol_and_version),
        cmocka_unit_test(each_bit_sets_its_flag_in_the_versions_that_have_it),
        cmocka_unit_test(cprt_filter_exists_from_etmv3),
        cmocka_unit_test(cprt_filter_without_cprt_is_none),
        cmocka_unit_test(context_id_size_is_0_1_2_or_4_bytes),
        cmocka_unit_test(thumb32_is_split_before_v3_2_and_where_idr_18_is_0),
        cmocka_unit_test(etm11rv_r0p0_loads_the_pc_first_without_saying_so),
        cmocka_unit_test(trace_id_and_sync_period_are_taken_over),
        cmocka_unit_test(registers_of_real_chips_are_understood),
        cmocka_unit_test(timestamps_do_not_depend_on_ccer_22),
        cmocka_unit_test(etm_m3_and_m4_are_m_profile),
        cmocka_unit_test(etmv1_version_comes_from_the_protocol_number),
        cmocka_unit_test(without_etmidr_the_last_version_is_assumed),
        cmocka_unit_test(nonsense_is_refused_with_the_name_of_the_register),
        cmocka_unit_test(the_same_value_twice_is_no_contradiction),
        cmocka_unit_test(a_register_may_have_all_32_bits_set),
        cmocka_unit_test(a_register_with_another_name_counts_by_its_number),
        cmocka_unit_test(port_size_of_etmv1_and_etmv2_is_in_etmcr),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
