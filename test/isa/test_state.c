/* SPDX-License-Identifier: Apache-2.0 */
/* The IT state, and the bytecodes of Jazelle. */
#include "isa/insn.h"
#include "isa/it.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

static uint8_t advance(uint8_t state, uint16_t opcode)
{
    struct etm_insn insn = {0};

    etm_insn_decode_thumb16(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, opcode);
    return etm_it_advance(state, insn.it);
}

static void it_block_ends_after_its_instructions(void **state)
{
    uint8_t it;

    (void)state;
    assert_int_equal(advance(0, 0xbf00), 0);
    it = advance(0, 0xbf08); /* IT EQ: one */
    assert_int_equal(it >> 4, 0);
    assert_int_not_equal(it, 0);
    assert_int_equal(advance(it, 0xbf00), 0);

    it = advance(0, 0xbf1f); /* ITEEE NE: NE EQ EQ EQ, by bit 0 of 0001 */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_not_equal(it, 0);
        assert_int_equal(it >> 4, 1);
        it = advance(it, 0xbf00);
    }
    assert_int_equal(it, 0);
}

static void it_block_alternates_conditions(void **state)
{
    static const uint8_t conditions[4] = {0, 1, 0, 1};
    uint8_t it = advance(0, 0xbf0b); /* ITETE EQ */

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(it >> 4, conditions[i]);
        it = advance(it, 0xbf00);
    }
    assert_int_equal(it, 0);
}

/* All of them: the mask says how many instructions there are. */
static void it_blocks_have_the_length_of_their_mask(void **state)
{
    (void)state;
    for (unsigned opcode = 0xbf00; opcode < 0xc000; opcode++) {
        uint8_t it = advance(0, (uint16_t)opcode);
        unsigned n = 0, expected = 4;

        if ((opcode & 15) == 0)
            expected = 0;
        for (unsigned bits = opcode; expected > 0 && !(bits & 1); bits >>= 1)
            expected--;
        while (it != 0 && n < 5) {
            it = advance(it, 0xbf00);
            n++;
        }
        assert_int_equal(n, expected);
    }
}

static struct etm_insn jazelle(uint32_t address, const char *bytes, size_t n)
{
    struct etm_insn insn;

    etm_insn_decode(&insn, ETM_ISA_JAZELLE, ETM_PROFILE_A, address,
                    (const uint8_t *)bytes, n);
    return insn;
}

static void expect_direct(struct etm_insn insn, unsigned size, uint32_t target,
                          unsigned flags)
{
    assert_int_equal(insn.size, size);
    assert_int_equal(insn.type, ETM_INSN_TYPE_DIRECT);
    assert_int_equal(insn.target, target);
    assert_int_equal(insn.target_isa, ETM_ISA_JAZELLE);
    assert_int_equal(insn.flags, flags);
}

/* BRX-06, V3-BR-02 */
static void jazelle_direct_branches_are_those_of_the_specification(void **state)
{
    (void)state;
    /* if<cond>, if_icmp<cond>, if_acmp<cond>: 0x99 to 0xa6 */
    for (int code = 0x99; code <= 0xa6; code++) {
        char bytes[3] = {(char)code, 0x01, 0x02};

        expect_direct(jazelle(0x1001, bytes, 3), 3, 0x1103,
                      ETM_INSN_CONDITIONAL);
    }
    expect_direct(jazelle(0x1001, "\xa7\xff\xff", 3), 3, 0x1000, 0);
    expect_direct(jazelle(0x1001, "\xa8\x00\x05", 3), 3, 0x1006, ETM_INSN_LINK);
    expect_direct(jazelle(0x1001, "\xc6\x00\x05", 3), 3, 0x1006,
                  ETM_INSN_CONDITIONAL);
    expect_direct(jazelle(0x1001, "\xc7\x80\x00", 3), 3, 0xffff9001,
                  ETM_INSN_CONDITIONAL);
    expect_direct(jazelle(0x1001, "\xc8\x00\x01\x00\x00", 5), 5, 0x11001, 0);
    expect_direct(jazelle(0x1001, "\xc9\xff\xff\xff\xff", 5), 5, 0x1000,
                  ETM_INSN_LINK);
    /* the target is not known without the operand */
    assert_int_equal(jazelle(0x1001, "\xa7\xff", 2).size, 0);
}

/* V3-BR-02 */
static void jazelle_has_no_other_direct_branches(void **state)
{
    unsigned n = 0;

    (void)state;
    for (int code = 0; code < 256; code++) {
        char bytes[16] = {(char)code};
        struct etm_insn insn = jazelle(0x1001, bytes, sizeof(bytes));

        assert_int_not_equal(insn.size, 0);
        assert_int_equal(insn.transfers.kind, ETM_TRANSFER_OTHER);
        n += insn.type == ETM_INSN_TYPE_DIRECT;
    }
    /* 14 conditional ones, goto, jsr, ifnull, ifnonnull, goto_w, jsr_w */
    assert_int_equal(n, 20);
}

static void jazelle_calls_and_returns_are_indirect(void **state)
{
    struct etm_insn insn = jazelle(0, "\xb1", 1); /* return */

    (void)state;
    assert_int_equal(insn.type, ETM_INSN_TYPE_INDIRECT);
    assert_int_equal(insn.flags, ETM_INSN_RETURN);
    insn = jazelle(0, "\xa9\x01", 2); /* ret */
    assert_int_equal(insn.flags, ETM_INSN_RETURN);
    insn = jazelle(0, "\xc4\xa9\x00\x01", 4); /* wide ret */
    assert_int_equal(insn.type, ETM_INSN_TYPE_INDIRECT);
    assert_int_equal(insn.size, 4);
    insn = jazelle(0, "\xb8\x00\x01", 3); /* invokestatic */
    assert_int_equal(insn.type, ETM_INSN_TYPE_INDIRECT);
    assert_int_equal(insn.flags, ETM_INSN_LINK);
    insn = jazelle(0, "\xb9\x00\x01\x02\x00", 5); /* invokeinterface */
    assert_int_equal(insn.size, 5);
    insn = jazelle(0, "\xc4\x84\x00\x01\x00\x02", 6); /* wide iinc */
    assert_int_equal(insn.type, ETM_INSN_TYPE_OTHER);
    assert_int_equal(insn.size, 6);
    insn = jazelle(0, "\xfe", 1);
    assert_true(insn.undefined);
}

static void jazelle_switches_are_as_long_as_their_tables(void **state)
{
    /* tableswitch from 1 to 3, with room for any padding */
    static const char table[] = "\xaa\0\0\0"
                                "\0\0\0\x10\0\0\0\x01\0\0\0\x03";
    static const char lookup[] = "\xab\0\0\0"
                                 "\0\0\0\x10\0\0\0\x02";
    static const char wide[] = "\xaa\0\0\0"
                               "\0\0\0\x10\x80\0\0\0\x7f\xff\xff\xff";
    char shifted[15];

    (void)state;
    assert_int_equal(jazelle(0, table, 16).size, 4 + 12 + 12);
    assert_int_equal(jazelle(0, table, 15).size, 0);
    assert_int_equal(jazelle(0, lookup, 12).size, 4 + 8 + 16);
    assert_int_equal(jazelle(0, table, 16).type, ETM_INSN_TYPE_INDIRECT);
    /* at address 3 there is no padding */
    shifted[0] = table[0];
    memcpy(shifted + 1, table + 4, 12);
    assert_int_equal(jazelle(3, shifted, 13).size, 1 + 12 + 12);
    /* what 8 bits cannot hold */
    assert_int_equal(jazelle(0, wide, 16).size, 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_block_ends_after_its_instructions),
        cmocka_unit_test(it_block_alternates_conditions),
        cmocka_unit_test(it_blocks_have_the_length_of_their_mask),
        cmocka_unit_test(
            jazelle_direct_branches_are_those_of_the_specification),
        cmocka_unit_test(jazelle_has_no_other_direct_branches),
        cmocka_unit_test(jazelle_calls_and_returns_are_indirect),
        cmocka_unit_test(jazelle_switches_are_as_long_as_their_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
