/* SPDX-License-Identifier: Apache-2.0 */
/* Register values to configurations (ETM architecture, 3.5): each bit, in each
 * version. */
#include "../support/test.h"
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
TEST(etmidr_gives_protocol_and_version)
{
    for (size_t i = 0; i < 16 * COUNT(versions); i++) {
        const struct version *v = &versions[i / 16];
        struct etm_config c = {0};
        struct etm_register r =
            reg("ETMIDR", IDR_OF(v->major, v->minor) | (i % 16) << 12);

        assert_ok(
            etm_config_from_registers(&c, ETM_PROTOCOL_NONE, &r, 1, NULL));
        assert_int_equal(c.size, sizeof c);
        assert_int_equal(c.protocol, v->protocol);
        assert_int_equal(c.minor, v->minor);
        assert_ok(etm_config_from_registers(&c, v->protocol, &r, 1, NULL));
        assert_int_equal(c.protocol, v->protocol);
    }
}

/* A bit of a register, the flag that it sets, and the first minor version of
   ETMv1, ETMv2, ETMv3 and PFT in which it does (99: never). */
struct meaning {
    const char *name, *field;
    unsigned bit;
    size_t offset;
    unsigned first[4];
};

#define MEANING(name, bit, field, ...)                                         \
    {                                                                          \
        name, #field, bit, offsetof(struct etm_config, field),                 \
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
        assert_ok(make(&c, v->protocol, name, idr | value, "", 0, NULL));
    else
        assert_ok(make(&c, v->protocol, "ETMIDR", idr, name, value, NULL));
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
TEST(each_bit_sets_its_flag_in_the_versions_that_have_it)
{
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

/* Whatever the registers say. */
TEST(a_version_that_has_no_such_flag_refuses_it)
{
    for (size_t k = 0; k < COUNT(versions) * COUNT(meanings); k++) {
        const struct version *v = &versions[k / COUNT(meanings)];
        const struct meaning *m = &meanings[k % COUNT(meanings)];
        struct etm_config c = {.protocol = v->protocol,
                               .minor = (uint8_t)v->minor};
        struct etm_diag diag = {.source = ""};
        const bool on = true;
        int status;

        memcpy((char *)&c + m->offset, &on, sizeof on);
        status = etm_config_check(&c, &diag);
        if ((status == ETM_ERR_CONFIG) != (v->minor < m->first[v->major]))
            fail_msg("%s in major %u minor %u: %s", m->field, v->major,
                     v->minor, diag.what);
        if (status != ETM_OK)
            assert_string_equal(diag.source, m->field);
    }
}

/* What the rows of config.scn cannot say. */
TEST(nonsense_is_refused_with_the_name_of_the_register)
{
    refuse(ETM_PROTOCOL_PFT, "ETMCR", UINT64_C(0x100000000), "", 0, "ETMCR",
           "0x100000000: more than 32 bits");
    refuse(ETM_PROTOCOL_PFT, "ETMTRIGGER", UINT64_MAX, "", 0, "ETMTRIGGER",
           "0xffffffffffffffff: more than 32 bits");
    refuse(ETM_PROTOCOL_PFT, "ETMCR", 1, "ETMCR", 2, "ETMCR",
           "0x1: it is also given as 0x2");
    refuse((enum etm_protocol)77, "ETMCR", 0, "", 0, "", "number 77");
}

TEST(the_same_value_twice_is_no_contradiction)
{
    struct etm_config c = {0};

    assert_ok(
        make(&c, ETM_PROTOCOL_PFT, "ETMCR", 0x1000, "etmcr", 0x1000, NULL));
    assert_true(c.cycle_accurate);
}

TEST(a_register_with_another_name_counts_by_its_number)
{
    struct etm_register r[2] = {reg("MainControl", 0x1000), reg("FOO", 0)};
    struct etm_config c = {0};

    r[0].number = 0;
    r[1].value = UINT64_MAX; /* not ours: any value will do */
    assert_ok(etm_config_from_registers(&c, ETM_PROTOCOL_PFT, r, 2, NULL));
    assert_true(c.cycle_accurate);
}
