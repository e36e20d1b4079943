/* SPDX-License-Identifier: Apache-2.0 */
/* Who may reach which register in which state of power and locks (3.9). */
#include "../support/test.h"
#include "registers_util.h"

enum column { TRACE, LAR, PDSR, OTHER, OSLSR, OSLAR, OSSRR, COLUMNS };

static const uint16_t numbers[COLUMNS] = {
    ETM_REG_TRACEIDR, ETM_REG_LAR,   ETM_REG_PDSR, ETM_REG_ITCTRL,
    ETM_REG_OSLSR,    ETM_REG_OSLAR, ETM_REG_OSSRR};

/* What a table says of a register: the results of a read and of a write.
 * Reading does not clear the sticky bit in S; writes are ignored in W, all in
 * I. */
static const struct verdict {
    char letter;
    enum etm_access_result results[2];
} verdicts[] = {
    {'K', {ETM_ACCESS_OK, ETM_ACCESS_OK}},
    {'S', {ETM_ACCESS_OK, ETM_ACCESS_OK}},
    {'W', {ETM_ACCESS_OK, ETM_ACCESS_IGNORED}},
    {'I', {ETM_ACCESS_IGNORED, ETM_ACCESS_IGNORED}},
    {'E', {ETM_ACCESS_ERROR, ETM_ACCESS_ERROR}},
    {'U', {ETM_ACCESS_UNPREDICTABLE, ETM_ACCESS_UNPREDICTABLE}},
    {'N', {ETM_ACCESS_IMPOSSIBLE, ETM_ACCESS_IMPOSSIBLE}},
};

enum {
    D = ETM_ACCESS_DEBUGGER,
    S = ETM_ACCESS_SOFTWARE,
    C = ETM_ACCESS_COPROCESSOR
};

/*
 * Tables 3-88 to 3-97. Conditions: power of debug and core domain (twice the
 * same where there is one), sticky bit, power down bit, OS lock, CoreSight
 * lock; '-' is either. Of rows 0708 and 0808 the printed OK for `other` and
 * OSLAR contradicts the tables for two domains and is not followed (ERR-04).
 * MC-PERM-01 to MC-PERM-08, MC-PERM-10, MC-ACC-25, MC-PWR-18
 */
static const struct row {
    const char *id;
    int access;
    int domains;
    const char *conditions;
    const char
        *verdicts; /* in the order of the columns; '-': in another table */
} rows[] = {
    {"TV-PERM-0101", D, 2, "0-----", "NNNN---"},
    {"TV-PERM-0102", D, 2, "10----", "EKKK---"},
    {"TV-PERM-0103", D, 2, "11000-", "KKKK---"},
    {"TV-PERM-0104", D, 2, "110-1-", "EKKK---"},
    {"TV-PERM-0105", D, 2, "11010-", "KKKK---"},
    {"TV-PERM-0106", D, 2, "111---", "EKKK---"},
    {"TV-PERM-0301", S, 2, "0-----", "NNNN---"},
    {"TV-PERM-0302", S, 2, "10---0", "EKKK---"},
    {"TV-PERM-0303", S, 2, "10---1", "EKSW---"},
    {"TV-PERM-0304", S, 2, "110000", "KKKK---"},
    {"TV-PERM-0305", S, 2, "110-01", "WKSW---"},
    {"TV-PERM-0306", S, 2, "110-10", "EKKK---"},
    {"TV-PERM-0307", S, 2, "110-11", "EKSW---"},
    {"TV-PERM-0308", S, 2, "110100", "KKKK---"},
    {"TV-PERM-0309", S, 2, "111--0", "EKKK---"},
    {"TV-PERM-0310", S, 2, "111--1", "EKSW---"},
    {"TV-PERM-0501", D, 1, "00----", "NNNN---"},
    {"TV-PERM-0502", D, 1, "11000-", "KKKK---"},
    {"TV-PERM-0503", D, 1, "110-1-", "EKKK---"},
    {"TV-PERM-0504", D, 1, "11010-", "KKKK---"},
    {"TV-PERM-0505", D, 1, "111---", "EKKK---"},
    {"TV-PERM-0701", S, 1, "00----", "NNNN---"},
    {"TV-PERM-0702", S, 1, "110000", "KKKK---"},
    {"TV-PERM-0703", S, 1, "110-01", "WKSW---"},
    {"TV-PERM-0704", S, 1, "110-10", "EKKK---"},
    {"TV-PERM-0705", S, 1, "110-11", "EKSW---"},
    {"TV-PERM-0706", S, 1, "110100", "KKKK---"},
    {"TV-PERM-0707", S, 1, "111--0", "EKKK---"},
    {"TV-PERM-0708", S, 1, "111--1", "EKSW---"},
    {"TV-PERM-0201", D, 2, "0-----", "----NNN"},
    {"TV-PERM-0202", D, 2, "10----", "----KUU"},
    {"TV-PERM-0203", D, 2, "11000-", "----KKU"},
    {"TV-PERM-0204", D, 2, "110-1-", "----KKK"},
    {"TV-PERM-0205", D, 2, "11010-", "----KKU"},
    {"TV-PERM-0206", D, 2, "111---", "----KKU"},
    {"TV-PERM-0401", S, 2, "0-----", "----NNN"},
    {"TV-PERM-0402", S, 2, "10----", "----KUU"},
    {"TV-PERM-0403", S, 2, "110-00", "----KKU"},
    {"TV-PERM-0404", S, 2, "110-01", "----KWU"},
    {"TV-PERM-0405", S, 2, "110-10", "----KKK"},
    {"TV-PERM-0406", S, 2, "110-11", "----KWI"},
    {"TV-PERM-0407", S, 2, "111--0", "----KKU"},
    {"TV-PERM-0408", S, 2, "111--1", "----KWU"},
    {"TV-PERM-0601", D, 1, "00----", "----NNN"},
    {"TV-PERM-0602", D, 1, "11000-", "----KKU"},
    {"TV-PERM-0603", D, 1, "110-1-", "----KKK"},
    {"TV-PERM-0604", D, 1, "11010-", "----KKU"},
    {"TV-PERM-0605", D, 1, "111---", "----KKU"},
    {"TV-PERM-0801", S, 1, "00----", "----NNN"},
    {"TV-PERM-0802", S, 1, "110000", "----KKU"},
    {"TV-PERM-0803", S, 1, "110-01", "----KWU"},
    {"TV-PERM-0804", S, 1, "110-10", "----KKK"},
    {"TV-PERM-0805", S, 1, "110-11", "----KWI"},
    {"TV-PERM-0806", S, 1, "110100", "----KKU"},
    {"TV-PERM-0807", S, 1, "111--0", "----KKU"},
    {"TV-PERM-0808", S, 1, "111--1", "----KWU"},
    {"TV-PERM-0901", C, 2, "0-----", "N-NNNNN"},
    {"TV-PERM-0902", C, 2, "10----", "E-KKKUU"},
    {"TV-PERM-0903", C, 2, "11000-", "K-KKKKU"},
    {"TV-PERM-0904", C, 2, "110-1-", "E-KKKKK"},
    {"TV-PERM-0905", C, 2, "11010-", "K-KKKKU"},
    {"TV-PERM-0906", C, 2, "111---", "E-KKKKU"},
    {"TV-PERM-1001", C, 1, "00----", "N-NNNNN"},
    {"TV-PERM-1002", C, 1, "11000-", "K-KKKKU"},
    {"TV-PERM-1003", C, 1, "110-1-", "E-KKKKK"},
    {"TV-PERM-1004", C, 1, "11010-", "K-KKKKU"},
    {"TV-PERM-1005", C, 1, "111---", "E-KKKKU"},
};

/* A macrocell in the state of six conditions, each '0' or '1'. */
static void put_in_state(const char *is, bool single)
{
    full(ETM_V3_4);
    config.single_power_domain = single;
    config.interfaces = ETM_INTERFACE_MEMORY | ETM_INTERFACE_COPROCESSOR;
    build();
    regs.debug_power = is[0] == '1';
    regs.core_power = is[1] == '1';
    regs.sticky = is[2] == '1';
    regs.value[ETM_REG_CR] =
        ETM_CR_PROGRAMMING | (is[3] == '1' ? ETM_CR_POWER_DOWN : 0);
    regs.os_lock = is[4] == '1';
    regs.lock = is[5] == '1';
}

static void check_result(const struct row *row, const char *is, unsigned c,
                         bool write, enum etm_access_result result)
{
    const struct verdict *v = verdicts;

    while (v->letter != row->verdicts[c])
        v++;
    if (result != v->results[write])
        print_error("%s %s column %u, %s\n", row->id, is, c,
                    write ? "write" : "read");
    assert_int_equal(result, v->results[write]);
}

/* Read and write each register of the row, in the state `is`. */
static void check_row(const struct row *row, const char *is)
{
    enum etm_access access = (enum etm_access)row->access;

    for (unsigned c = 0; c < COLUMNS; c++) {
        bool allowed = row->verdicts[c] == 'K';
        uint32_t n = numbers[c], value;

        if (row->verdicts[c] == '-')
            continue;
        put_in_state(is, row->domains == 1);
        check_result(row, is, c, false,
                     etm_regfile_read(&regs, n, access, &value));
        assert_int_equal(regs.sticky, is[2] == '1' && !(c == PDSR && allowed &&
                                                        is[1] == '1'));

        put_in_state(is, row->domains == 1);
        if (c == OSSRR) /* writes come after a read */
            regs.ossrr_state = ETM_OSSRR_READY;
        check_result(row, is, c, true, etm_regfile_write(&regs, n, access, 1));
        if (c == TRACE || c == OTHER)
            assert_int_equal(regs.value[n], allowed);
        if (c == OSLAR)
            assert_int_equal(regs.os_lock, !allowed && is[4] == '1');
    }
}

/* Every way to replace the '-' from place i on. */
static void expand(const struct row *row, char is[7], size_t i)
{
    while (i < 6 && is[i] != '-')
        i++;
    if (i == 6) {
        check_row(row, is);
        return;
    }
    for (char bit = '0'; bit <= '1'; bit++) {
        is[i] = bit;
        expand(row, is, i + 1);
    }
    is[i] = '-';
}

/* E-120 */
TEST(permissions_are_those_of_the_tables)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        char is[7];

        memcpy(is, rows[i].conditions, sizeof is);
        expand(&rows[i], is, 0);
    }
}

/* MC-PERM-11 */
TEST(registers_that_do_not_exist_read_zero_in_every_state)
{
    uint32_t value;

    put_in_state("111011", false);
    assert_int_equal(
        etm_regfile_read(&regs, 0x0a0, ETM_ACCESS_SOFTWARE, &value),
        ETM_ACCESS_OK);
    assert_int_equal(value, 0);
}
