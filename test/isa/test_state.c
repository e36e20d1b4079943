/* SPDX-License-Identifier: Apache-2.0 */
/* The IT state, and what is so of all bytecodes and halfwords. */
#include "isa/insn.h"
#include "isa/it.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

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

/* V3-BR-02 */
static void jazelle_has_twenty_direct_branches(void **state)
{
    unsigned n = 0;

    (void)state;
    for (int code = 0; code < 256; code++) {
        const uint8_t bytes[16] = {(uint8_t)code};
        struct etm_insn insn;

        etm_insn_decode(&insn, ETM_ISA_JAZELLE, ETM_PROFILE_A, 0x1001, bytes,
                        sizeof bytes);
        assert_int_not_equal(insn.size, 0);
        assert_int_equal(insn.transfers.kind, ETM_TRANSFER_OTHER);
        n += insn.type == ETM_INSN_TYPE_DIRECT;
    }
    /* 14 conditional ones, goto, jsr, ifnull, ifnonnull, goto_w, jsr_w */
    assert_int_equal(n, 20);
}

/* E-85, PFT-DEC-01 */
static void sizes_follow_the_first_halfword(void **state)
{
    struct etm_insn insn;

    (void)state;
    for (uint32_t opcode = 0; opcode < 0x10000; opcode++) {
        uint8_t code[4] = {(uint8_t)opcode, (uint8_t)(opcode >> 8), 0, 0};

        etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, code, 4);
        assert_int_equal(insn.size, opcode >> 11 >= 0x1d ? 4 : 2);
        etm_insn_decode(&insn, ETM_ISA_UNKNOWN, ETM_PROFILE_A, 0, code, 4);
        assert_int_equal(insn.size, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_block_ends_after_its_instructions),
        cmocka_unit_test(it_block_alternates_conditions),
        cmocka_unit_test(it_blocks_have_the_length_of_their_mask),
        cmocka_unit_test(jazelle_has_twenty_direct_branches),
        cmocka_unit_test(sizes_follow_the_first_halfword),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
