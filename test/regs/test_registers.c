/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations, checked and as register values (ETM architecture, 3.5); names
 * of registers and of cores. */
#include "../support/test.h"
#include "config_util.h"

#include "regs/cores.h"

/* Every combination of fields that matters, and back. */
TEST(registers_of_a_configuration_give_it_back)
{
    unsigned seed = 1, made = 0;

    for (unsigned i = 0; i < 20000; i++) {
        const struct version *v = &versions[i % COUNT(versions)];
        struct etm_register r[8];
        struct etm_register in[6] = {reg("ETMCR", 0), reg("ETMCCER", 0),
                                     reg("ETMIDR", 0), reg("ETMSYNCFR", 0),
                                     reg("ETMTRACEIDR", 0)};
        struct etm_config a = {0}, b = {0};
        int n;

        for (unsigned k = 0; k < 5; k++) {
            seed = seed * 1664525u + 1013904223u;
            in[k].value = seed >> 3 ^ seed << 20;
        }
        in[2].value = (in[2].value & 0xfffff00f) | IDR_OF(v->major, v->minor);
        in[4].value %= 0x70;
        if (etm_config_from_registers(&a, 0, in, 5, NULL) != ETM_OK)
            continue;
        a.profile = ETM_PROFILE_UNKNOWN;
        made++;
        n = etm_config_to_registers(&a, r, COUNT(r));
        assert_in_range(n, 2, COUNT(r));
        for (int k = 1; k < n; k++)
            assert_true(r[k - 1].number < r[k].number);
        assert_int_equal(etm_config_to_registers(&a, r, 1), n);
        assert_ok(
            etm_config_from_registers(&b, a.protocol, r, (size_t)n, NULL));
        b.profile = ETM_PROFILE_UNKNOWN;
        assert_memory_equal(&a, &b, sizeof a);
    }
    assert_true(made > 10000);
}

TEST(registers_that_do_not_fit_are_counted)
{
    struct etm_config c = {0};
    struct etm_register few[2] = {{.value = 7}, {.value = 7}};
    struct etm_register all[32];
    int n;

    assert_ok(etm_config_from_registers(&c, ETM_PROTOCOL_PFT, NULL, 0, NULL));
    n = etm_config_to_registers(&c, all, COUNT(all));
    assert_in_range(n, 2, COUNT(all));
    assert_int_equal(etm_config_to_registers(&c, NULL, 0), n);
    assert_int_equal(etm_config_to_registers(&c, few, 1), n);
    assert_string_equal(few[0].name, all[0].name);
    assert_int_equal(few[1].value, 7);
}

TEST(the_registers_of_an_etm_m3_come_out_as_they_are)
{
    struct etm_config c = {.protocol = ETM_PROTOCOL_ETMV3,
                           .minor = 4,
                           .profile = ETM_PROFILE_M,
                           .branch_broadcast = true,
                           .alternative_branches = true,
                           .sync_period = 0x400,
                           .trace_id = 2};
    struct etm_register r[8];

    assert_int_equal(etm_config_to_registers(&c, r, 8), 5);
    assert_string_equal(r[0].name, "ETMCR");
    assert_int_equal(r[0].value, 0x100);
    assert_string_equal(r[1].name, "ETMSYNCFR");
    assert_int_equal(r[1].value, 0x400);
    assert_string_equal(r[2].name, "ETMIDR");
    assert_int_equal(r[2].value, 0x4114f240);
    assert_string_equal(r[3].name, "ETMCCER");
    assert_int_equal(r[3].value, 0);
    assert_string_equal(r[4].name, "ETMTRACEIDR");
    assert_int_equal(r[4].value, 2);
}

static void refuse_fields(const struct etm_config *c, const char *field)
{
    struct etm_diag diag;

    assert_int_equal(etm_config_check(c, &diag), ETM_ERR_CONFIG);
    assert_string_equal(diag.source, field);
    assert_true(diag.what[0] != '\0');
    assert_int_equal(etm_config_check(c, NULL), ETM_ERR_CONFIG);
    assert_int_equal(etm_config_to_registers(c, NULL, 0), ETM_ERR_CONFIG);
}

#define V3(y, ...)                                                             \
    &(struct etm_config)                                                       \
    {                                                                          \
        .protocol = ETM_PROTOCOL_ETMV3, .minor = (y), __VA_ARGS__              \
    }
#define V1(y, ...)                                                             \
    &(struct etm_config)                                                       \
    {                                                                          \
        .protocol = ETM_PROTOCOL_ETMV1, .minor = (y), __VA_ARGS__              \
    }
#define PFT(y, ...)                                                            \
    &(struct etm_config)                                                       \
    {                                                                          \
        .protocol = ETM_PROTOCOL_PFT, .minor = (y), __VA_ARGS__                \
    }

TEST(check_refuses_what_no_macrocell_is_like)
{
    struct etm_config none = {0};

    refuse_fields(&none, "protocol");
    refuse_fields(V3(6, .size = 0), "minor");
    refuse_fields(PFT(2, .size = 0), "minor");
    refuse_fields(V3(0, .profile = (enum etm_profile)9), "profile");
    refuse_fields(V3(3, .profile = ETM_PROFILE_M), "profile");
    refuse_fields(PFT(1, .profile = ETM_PROFILE_M), "profile");
    refuse_fields(V3(5, .trace_id = 0x70), "trace_id");
    refuse_fields(V3(5, .context_id_bytes = 3), "context_id_bytes");
    refuse_fields(V3(5, .context_id_bytes = 5), "context_id_bytes");
    refuse_fields(V3(5, .sync_period = 4096), "sync_period");
    refuse_fields(V3(5, .cprt_filter = true), "cprt_filter");
    refuse_fields(V1(3, .port_width = 32), "port_width");
    refuse_fields(V1(3, .port_width = 1), "port_width");
    refuse_fields(V1(3, .endian = (enum etm_endian)4), "endian");
    refuse_fields(V1(3, .coprocessor_words[5][1] = 33), "coprocessor_words");
    refuse_fields(V3(5, .coprocessor_words[5][0] = 1), "coprocessor_words");
    refuse_fields(V1(1, .context_id_bytes = 1), "context_id_bytes");
    refuse_fields(V1(3, .sync_period = 64), "sync_period");
    refuse_fields(PFT(1, .thumb32_split = true), "thumb32_split");
    refuse_fields(V3(5, .port_width = 8), "port_width");
    refuse_fields(PFT(1, .high_vectors = true), "high_vectors");
}

TEST(check_accepts_zero_as_default)
{
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct etm_config c = {.protocol = versions[i].protocol,
                               .minor = (uint8_t)versions[i].minor};

        assert_ok(etm_config_check(&c, NULL));
        c.size = sizeof c;
        assert_ok(etm_config_check(&c, NULL));
    }
}

/* CFG-14, CFG-15: no register of the macrocell tells these. */
TEST(what_is_not_traced_belongs_to_the_configuration)
{
    struct etm_register r[8];
    struct etm_config c, back;

    for (unsigned minor = 0; minor < 4; minor++) {
        int n;

        c = *V1((uint8_t)minor, .high_vectors = true, .port_width = 16,
                .endian = ETM_ENDIAN_BE32);
        assert_ok(etm_config_check(&c, NULL));
        n = etm_config_to_registers(&c, r, COUNT(r));
        assert_int_equal(n, 2);
        assert_string_equal(r[1].name, "ETMCCR");
        assert_ok(
            etm_config_from_registers(&back, ETM_PROTOCOL_NONE, r, 2, NULL));
        assert_int_equal(back.minor, minor);
        assert_int_equal(back.port_width, 16);
        assert_false(back.high_vectors);
        assert_int_equal(back.endian, ETM_ENDIAN_UNKNOWN);
    }
}

TEST(every_register_name_gives_its_number_back)
{
    unsigned named = 0;

    for (uint32_t number = 0; number < 0x420; number++) {
        const char *name = etm_register_name(number);
        struct etm_register r;

        if (name == NULL)
            continue;
        named++;
        assert_true(strlen(name) < sizeof r.name);
        assert_int_equal(etm_register_number(name), number);
        assert_int_equal(etm_register_number(name + 3), number);
    }
    assert_int_equal(named, 139);
}

TEST(registers_stand_where_table_3_3_puts_them)
{
    static const struct {
        const char *name;
        uint32_t number;
    } rows[] = {
        {"ETMCR", 0x00},         {"etmccr", 0x01},     {"ETMVDCR3", 0x0f},
        {"ETMACVR1", 0x10},      {"ETMACVR16", 0x1f},  {"ETMACTR1", 0x20},
        {"ETMACTR16", 0x2f},     {"ETMDCVR8", 0x3e},   {"ETMDCMR2", 0x42},
        {"ETMCNTVR4", 0x5f},     {"ETMSQ13EVR", 0x65}, {"ETMSQR", 0x67},
        {"ETMEXTOUTEVR4", 0x6b}, {"ETMCIDCVR3", 0x6e}, {"ETMSYNCFR", 0x78},
        {"ETMIDR", 0x79},        {"ETMCCER", 0x7a},    {"ETMTRACEIDR", 0x80},
        {"OSLAR", 0xc0},         {"EtmPdsr", 0xc5},    {"LOCKACCESS", 0x3ec},
        {"ETMASICCTLR", 0x03},   {"etmtssvr", 0x06},   {"DEVTYPE", 0x3f3},
        {"ETMCIDR3", 0x3ff},     {"LockStatus", 0x3ed},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(etm_register_number(rows[i].name), rows[i].number);
    assert_int_equal(etm_register_number("ETM"), ETM_REGISTER_NONE);
    assert_int_equal(etm_register_number(""), ETM_REGISTER_NONE);
    assert_int_equal(etm_register_number("ETMCRX"), ETM_REGISTER_NONE);
    assert_null(etm_register_name(0x31));
    assert_null(etm_register_name(0x66));
    assert_null(etm_register_name(ETM_REGISTER_NONE));
}

TEST(names_of_cores_tell_the_profile)
{
    static const struct {
        const char *type;
        enum etm_profile profile;
    } rows[] = {
        {"Cortex-M3", ETM_PROFILE_M},     {"cortex_m4", ETM_PROFILE_M},
        {"Cortex-R4F", ETM_PROFILE_R},    {"Cortex-A15", ETM_PROFILE_A},
        {"ARM926EJ-S", ETM_PROFILE_A},    {"ARM7TDMI", ETM_PROFILE_A},
        {"ARMv7-M", ETM_PROFILE_M},       {"ARMv7-R", ETM_PROFILE_R},
        {"ARMv7-A", ETM_PROFILE_A},       {"SC300", ETM_PROFILE_M},
        {"Z80", ETM_PROFILE_UNKNOWN},     {"", ETM_PROFILE_UNKNOWN},
        {"Cortex-", ETM_PROFILE_UNKNOWN},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(etm_profile_of_core(rows[i].type), rows[i].profile);
}

/* Families and ETMIDR tell what the rows say; the macrocell of another revision
 * may have another minor version (table 3-47: ETM-M3, v3.4). */
TEST(cores_have_the_profile_of_their_family_and_macrocell)
{
    const struct etm_core *core;

    for (size_t n = 0; (core = etm_cores(n)) != NULL; n++) {
        assert_int_equal(etm_profile_of_core(core->name), core->profile);
        if (core->idr != 0)
            assert_int_equal(etm_profile_of_idr(core->idr), core->profile);
    }
    assert_int_equal(etm_profile_of_idr(0x4114f240), ETM_PROFILE_M);
    assert_int_equal(etm_profile_of_idr(0), ETM_PROFILE_UNKNOWN);
    assert_int_equal(etm_profile_of_idr(0x41ffff00), ETM_PROFILE_UNKNOWN);
}
