/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks: where they end, what they say of their last instruction, and how they
 * are found again. */
#include "../support/test.h"
#include "blocks_support.h"

/* What is left of the code after the last instruction is none. */
TEST(part_of_an_instruction_hides_nothing_of_the_last_one)
{
    static const uint32_t last[] = {0x01a00000u /* moveq r0, r0 */, DMB};
    struct etm_block *b;
    struct setup s;

    begin(&s, &pft_rules);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t bytes[6] = {0};

        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(last[i] >> 8 * k);
        assert_ok(etm_image_add_copy(s.image, 0x8000 + 0x100 * i, bytes,
                                     sizeof bytes, NULL));
    }
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_flags, ETM_INSN_CONDITIONAL);
    assert_false(etm_block_cannot_fail(b, b));
    b = etm_blocks_get(&s.blocks, 0x8100, ETM_ISA_ARM);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_type, ETM_INSN_TYPE_BARRIER);
    end(&s);
}

/* Two regions that adjoin, which are far from each other in memory: what stands
 * there after the first one is none of the code. */
TEST(an_instruction_may_stand_in_two_regions)
{
    static const uint16_t code[] = {0x46c0, 0xf3af, 0x8000, /* nop, nop.w */
                                    0x46c0, 0x46c0, 0x4770};
    uint8_t bytes[sizeof code], first[sizeof bytes + 16];
    struct etm_block *b;
    struct setup s;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(code[i / 2] >> 8 * (i % 2));
    for (size_t cut = 1; cut < sizeof bytes; cut++) {
        memset(first, 0xbe, sizeof first); /* bkpt */
        memcpy(first, bytes, cut);
        begin(&s, &etmv3_rules);
        assert_ok(etm_image_add(s.image, 0x8000, first, cut, NULL));
        assert_ok(etm_image_add(s.image, 0x8000 + (uint32_t)cut, bytes + cut,
                                sizeof bytes - cut, NULL));
        b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB);
        assert_int_equal(b->n, 5);
        assert_int_equal(b->end, 0x8000 + sizeof bytes);
        assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
        end(&s);
    }
}

TEST(block_ends_with_a_branch)
{
    static const uint32_t code[] = {NOP, DMB, ISB, BEQ_NEXT, BX_LR};
    struct setup s;
    struct etm_block *b;

    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 5, NULL);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->end_kind, ETM_BLOCK_DIRECT);
    assert_int_equal(b->target, 0x8010);
    assert_int_equal(b->last, 0x800c);
    assert_int_equal(b->end, 0x8010);
    assert_int_equal(b->barriers, 6);
    assert_false(etm_block_cannot_fail(b, b));
    b = etm_blocks_get(&s.blocks, 0x8010, ETM_ISA_ARM);
    assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
    assert_true(etm_block_cannot_fail(b, b));
    end(&s);
}

TEST(block_ends_with_the_barriers_of_its_rules)
{
    static const uint32_t code[] = {NOP, DMB, NOP, ISB, BX_LR};
    struct setup s;

    begin(&s, &pft_rules);
    arm(&s, 0x8000, code, 5, NULL);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 4);
    end(&s);
    begin(&s, &all_rules);
    arm(&s, 0x8000, code, 5, NULL);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 2);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->end_kind,
                     ETM_BLOCK_BARRIER);
    end(&s);
}

TEST(long_straight_line_is_several_blocks)
{
    uint32_t code[100];
    struct setup s;
    struct etm_block *b;

    for (unsigned i = 0; i < 100; i++)
        code[i] = NOP;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 100, NULL);
    b = etm_blocks_get(&s.blocks, 0x8004, ETM_ISA_ARM);
    assert_int_equal(b->n, 63);
    assert_int_equal(b->end_kind, ETM_BLOCK_FALL);
    b = etm_blocks_follow(&s.blocks, b);
    assert_int_equal(b->address, 0x8100);
    assert_int_equal(b->n, 32);
    assert_int_equal(b->end_kind, ETM_BLOCK_FALL);
    b = etm_blocks_follow(&s.blocks, b);
    assert_int_equal(b->address, 0x8180);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->end_kind, ETM_BLOCK_FALL);
    b = etm_blocks_follow(&s.blocks, b);
    assert_int_equal(b->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(b->n, 0);
    end(&s);
}

TEST(addresses_within_a_block_of_two_sizes)
{
    static const uint16_t code[] = {0x46c0, 0xf3af, 0x8000, 0x46c0,
                                    0xf3af, 0x8000, 0x4770};
    static const uint32_t expected[] = {0x8000, 0x8002, 0x8006,
                                        0x8008, 0x800c, 0x800e};
    struct setup s;
    struct etm_block *b;

    begin(&s, &all_rules);
    thumb(&s, 0x8000, code, 7);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB);
    assert_int_equal(b->n, 5);
    assert_int_equal(b->wide, 10);
    for (unsigned i = 0; i <= 5; i++)
        assert_int_equal(etm_block_address(b, i), expected[i]);
    assert_int_equal(s.blocks.insns.n, 5);
    end(&s);
}

TEST(links_are_followed_to_the_same_block)
{
    static const uint32_t code[] = {NOP, 0x0afffffd /* beq 8000 */, BX_LR};
    struct setup s;
    struct etm_block *first, *second;

    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 3, NULL);
    first = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_ptr_equal(etm_blocks_take(&s.blocks, first), first);
    second = etm_blocks_follow(&s.blocks, first);
    assert_ptr_equal(second, etm_blocks_get(&s.blocks, 0x8008, ETM_ISA_ARM));
    assert_ptr_equal(first->next, second);
    assert_int_equal(s.blocks.n, 2);
    end(&s);
}

/* The same bytes are other instructions in another state. */
TEST(each_instruction_set_has_its_own_blocks)
{
    static const uint32_t code[] = {BX_LR, BX_LR};
    struct setup s;

    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 2, NULL);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 1);
    assert_ptr_not_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM),
                         etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB));
    end(&s);
}

TEST(many_blocks_are_all_found_again)
{
    static uint32_t code[256];
    static struct etm_block *blocks[40 * 256];
    struct setup s;

    for (unsigned i = 0; i < 256; i++)
        code[i] = B_NEXT;
    begin(&s, &all_rules);
    for (unsigned i = 0; i < 40; i++)
        arm(&s, 0x8000 + 1024 * i, code, 256, NULL);
    for (uint32_t i = 0; i < 40 * 256; i++)
        blocks[i] = etm_blocks_get(&s.blocks, 0x8000 + 4 * i, ETM_ISA_ARM);
    for (uint32_t i = 0; i < 40 * 256; i++) {
        assert_int_equal(blocks[i]->address, 0x8000 + 4 * i);
        assert_ptr_equal(etm_blocks_get(&s.blocks, 0x8000 + 4 * i, ETM_ISA_ARM),
                         blocks[i]);
    }
    assert_int_equal(s.blocks.n, 40 * 256);
    end(&s);
}

/* Whatever stands in the table: a block is found under its own key only. */
TEST(blocks_are_found_by_their_whole_key)
{
    static const struct etm_block_rules kinds[] = {{.counts = false},
                                                   {.counts = true}};
    static const struct etm_space context[2] = {{ETM_UNKNOWN, true, 1},
                                                {ETM_UNKNOWN, true, 2}};
    static uint32_t code[256];
    struct setup s;

    for (unsigned k = 0; k < 4; k++) {
        const struct etm_space *space = k / 2 != 0 ? &context[0] : NULL;
        unsigned found = 0;

        begin(&s, &kinds[k % 2]);
        arm(&s, 0x8000, code, 256, space);
        for (uint32_t i = 0; i < 3000; i++) {
            uint32_t at = 0x8000 + 4 * i;
            uint32_t number;

            etm_blocks_see(&s.blocks, &context[0]);
            assert_int_equal(etm_blocks_find(&s.blocks, at, ETM_ISA_ARM), 0);
            number = etm_blocks_number(&s.blocks, at, ETM_ISA_ARM);
            assert_int_equal(number, s.blocks.n);
            assert_int_equal(etm_blocks_number(&s.blocks, at, ETM_ISA_ARM),
                             number);
            found += etm_blocks_find(&s.blocks, at, ETM_ISA_ARM) == number;
            assert_int_equal(etm_blocks_find(&s.blocks, at, ETM_ISA_THUMB), 0);
            if (etm_blocks_see(&s.blocks, &context[1]) == true)
                assert_int_equal(etm_blocks_find(&s.blocks, at, ETM_ISA_ARM),
                                 0);
        }
        assert_int_equal(s.blocks.n, 3000);
        assert_true(found > 2000); /* most are where they belong */
        end(&s);
    }
}

TEST(trim_forgets_and_begins_again)
{
    static const uint32_t code[] = {B_NEXT, B_NEXT, B_NEXT, BX_LR};
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    struct setup s;

    begin(&s, &all_rules);
    arm(&s, 0x8000, code, 4, &context1);
    assert_int_equal(etm_blocks_see(&s.blocks, &context1), true);
    s.blocks.limit = 3;
    for (uint32_t i = 0; i < 3; i++)
        etm_blocks_get(&s.blocks, 0x8000 + 4 * i, ETM_ISA_ARM);
    assert_false(etm_blocks_trim(&s.blocks));
    etm_blocks_get(&s.blocks, 0x800c, ETM_ISA_ARM);
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(s.blocks.n, 0);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x800c, ETM_ISA_ARM)->n, 1);
    assert_int_equal(etm_blocks_see(&s.blocks, &context1), false);
    end(&s);
}

TEST(block_without_an_image_has_no_code)
{
    struct etm_blocks blocks;
    struct etm_block *b;

    assert_ok(etm_blocks_init(&blocks, NULL, &pft_rules, NULL));
    b = etm_blocks_get(&blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(b->n, 0);
    etm_blocks_fini(&blocks);
}

/* The branch that the way from an address leads to. */
static bool cannot_fail(struct setup *s, uint32_t address)
{
    struct etm_block *first =
        etm_blocks_get(&s->blocks, address, ETM_ISA_THUMB);
    struct etm_block *last = first;

    while (last->end_kind == ETM_BLOCK_FALL)
        last = etm_blocks_follow(&s->blocks, last);
    return etm_block_cannot_fail(first, last);
}

/* An IT block may have begun before this block (Armv7-A manual, A8.8.54). */
TEST(thumb_branch_can_fail_near_the_beginning_of_a_block)
{
    static const uint16_t code[] = {0x46c0, 0x46c0, 0x46c0, 0x46c0,
                                    0x46c0, 0x4770, 0xbf18, 0x4770};
    struct setup s;

    begin(&s, &etmv3_rules);
    thumb(&s, 0x8000, code, 8);
    assert_true(cannot_fail(&s, 0x8000));
    assert_false(cannot_fail(&s, 0x8006));
    assert_false(cannot_fail(&s, 0x800a));
    assert_false(cannot_fail(&s, 0x800c));
    end(&s);
}

/* But where the way led over another block that is known. */
TEST(what_is_before_a_cut_counts)
{
    uint16_t code[40];
    struct setup s;

    for (unsigned last = 32; last <= 36; last++)
        for (unsigned it = 20; it < last; it++) {
            for (unsigned i = 0; i < 40; i++)
                code[i] = i == last ? 0x4770 : i == it ? 0xbf18 : 0x46c0;
            begin(&s, &pft_rules);
            thumb(&s, 0x8000, code, 40);
            assert_int_equal(
                etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB)->n, 32);
            assert_int_equal(cannot_fail(&s, 0x8000), last - it > 4);
            assert_int_equal(cannot_fail(&s, 0x8040), last == 36 && it < 32);
            end(&s);
        }
}

/* Wherever a long straight line is entered, the ways meet. `wide`: two
 * halfwords are an instruction. */
static void enter_a_straight_line(enum etm_isa isa, bool wide)
{
    uint32_t words[256], length = isa == ETM_ISA_ARM || wide ? 4 : 2;
    uint16_t halves[256];
    unsigned whole = wide ? 127 : 255; /* and a branch */
    struct setup s;

    for (unsigned i = 0; i < 256; i++) {
        words[i] = i < 255 ? NOP : BX_LR;
        halves[i] = i >= 254u + !wide ? 0x4770
                    : !wide           ? 0x46c0
                    : i % 2 == 0      ? 0xf3af
                                      : 0x8000;
    }
    begin(&s, &pft_rules);
    if (isa == ETM_ISA_ARM)
        arm(&s, 0x8000, words, 256, NULL);
    else
        thumb(&s, 0x8000, halves, 256);
    for (uint32_t i = 0; i < 40; i++) {
        struct etm_block *b =
            etm_blocks_get(&s.blocks, 0x8000 + length * i, isa);
        uint32_t n = b->n;

        for (; b->end_kind == ETM_BLOCK_FALL; n += b->n) {
            assert_in_range(b->n, ETM_BLOCK_CUT, ETM_BLOCK_MAX);
            b = etm_blocks_follow(&s.blocks, b);
        }
        assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
        assert_int_equal(n, whole + 1 - i);
    }
    /* the forty first ones, and of others at most two for as many instructions
     * as one has at least */
    assert_in_range(s.blocks.n, 40, 40 + 2 * 256 / ETM_BLOCK_CUT);
    end(&s);
}

TEST(ways_into_a_straight_line_meet)
{
    enter_a_straight_line(ETM_ISA_ARM, false);
    enter_a_straight_line(ETM_ISA_THUMB, false);
    enter_a_straight_line(ETM_ISA_THUMB, true);
}

TEST(kept_instructions_are_forgotten_in_time)
{
    static uint32_t code[256];
    struct setup s;

    for (unsigned i = 0; i < 256; i++)
        code[i] = NOP;
    begin(&s, &all_rules);
    arm(&s, 0x8000, code, 256, NULL);
    s.blocks.limit = 40;
    for (uint32_t i = 0; i < 3; i++)
        assert_non_null(etm_blocks_insns(
            &s.blocks, etm_blocks_get(&s.blocks, 0x8000 + 4 * i, ETM_ISA_ARM)));
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(s.blocks.insns.n, 0);
    end(&s);
}

/* Only instructions with transfers have a row; the first registers that they
 * load tell them apart. */
TEST(rows_are_those_of_data_instructions)
{
    static const struct etm_block_rules data = {.transfers = true};
    uint32_t code[64];
    struct etm_block *block;
    struct setup s;

    for (uint32_t i = 0; i < 64; i++)
        code[i] = i % 3 == 1 || i > 20 ? LOAD | i % 13 << 12 : NOP;
    begin(&s, &data);
    arm(&s, 0x8000, code, 64, NULL);
    (void)etm_blocks_get(&s.blocks, 0x8000 + 4 * 40, ETM_ISA_ARM);
    block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_non_null(block);
    assert_int_not_equal(block->rows, 0);
    assert_in_range(block->n, 32, 64);
    for (unsigned i = 0; i < block->n; i++) {
        bool loads = i % 3 == 1 || i > 20;

        assert_int_equal(block->data >> i & 1, loads);
        if (loads)
            assert_int_equal(etm_block_transfers(&s.blocks, block, i)->first,
                             i % 13);
    }
    end(&s);
}

/* Rows of what data instructions do weigh as much as what is kept of others, at
 * the level of instructions both do: a block of many is more than one. There is
 * none of an instruction without transfers. */
TEST(what_is_kept_of_data_is_forgotten_in_time)
{
    static const struct etm_block_rules data = {.transfers = true};
    static const struct etm_block_rules both = {.transfers = true,
                                                .insns = true};
    static const struct {
        const struct etm_block_rules *rules;
        uint32_t code;
        size_t n; /* 32 to 63 instructions in each block */
    } rows[] = {{&etmv3_rules, LOAD, 101},
                {&data, LOAD, 7},
                {&data, NOP, 101},
                {&both, LOAD, 4}};
    uint32_t code[256];

    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct setup s;
        size_t n = 0;

        for (unsigned i = 0; i < 256; i++)
            code[i] = rows[k].code;
        begin(&s, rows[k].rules);
        arm(&s, 0x8000, code, 256, NULL);
        s.blocks.limit = 100;
        while (n < 150 && !etm_blocks_full(&s.blocks)) {
            struct etm_block *block = etm_blocks_get(
                &s.blocks, 0x8000 + 4 * (uint32_t)n, ETM_ISA_ARM);

            assert_non_null(block);
            if (rows[k].rules->insns) /* they are asked for */
                assert_non_null(etm_blocks_insns(&s.blocks, block));
            n++;
        }
        assert_int_equal(n, rows[k].n);
        assert_true(etm_blocks_trim(&s.blocks));
        assert_false(etm_blocks_full(&s.blocks));
        end(&s);
    }
}
