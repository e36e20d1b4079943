/* SPDX-License-Identifier: Apache-2.0 */
/* The IT state, and what is so of all bytecodes and halfwords. */
#include "../support/test.h"
#include "isa/insn.h"
#include "isa/it.h"

static uint8_t advance(uint8_t state, uint16_t opcode)
{
    struct etm_insn insn = {0};

    etm_insn_decode_thumb16(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, opcode);
    return etm_it_advance(state, insn.it);
}

TEST(it_block_ends_after_its_instructions)
{
    uint8_t it;

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

TEST(it_block_alternates_conditions)
{
    static const uint8_t conditions[4] = {0, 1, 0, 1};
    uint8_t it = advance(0, 0xbf0b); /* ITETE EQ */

    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(it >> 4, conditions[i]);
        it = advance(it, 0xbf00);
    }
    assert_int_equal(it, 0);
}

/* All of them: the mask says how many instructions there are. */
TEST(it_blocks_have_the_length_of_their_mask)
{
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
TEST(jazelle_has_twenty_direct_branches)
{
    unsigned n = 0;

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
TEST(sizes_follow_the_first_halfword)
{
    struct etm_insn insn;

    for (uint32_t opcode = 0; opcode < 0x10000; opcode++) {
        uint8_t code[4] = {(uint8_t)opcode, (uint8_t)(opcode >> 8), 0, 0};

        etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, code, 4);
        assert_int_equal(insn.size, opcode >> 11 >= 0x1d ? 4 : 2);
        etm_insn_decode(&insn, ETM_ISA_UNKNOWN, ETM_PROFILE_A, 0, code, 4);
        assert_int_equal(insn.size, 0);
    }
}
