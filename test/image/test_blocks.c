/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks: where they end, what they say of their last instruction, and how they
 * are found again. */
#include "../support/test.h"
#include "blocks_support.h"

/* What is left of the code after the last instruction is none. */
BLOCKS(part_of_an_instruction_hides_nothing_of_the_last_one)
{
    static const uint32_t last[] = {0x01a00000u /* moveq r0, r0 */, DMB};
    struct etm_block *b;

    begin(&pft_rules);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t bytes[6] = {0};

        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(last[i] >> 8 * k);
        assert_ok(etm_image_add_copy(s.image, 0x8000 + 0x100 * i, bytes,
                                     sizeof bytes, NULL));
    }
    b = get(0x8000);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_flags, ETM_INSN_CONDITIONAL);
    assert_false(etm_block_cannot_fail(b, b));
    b = get(0x8100);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_type, ETM_INSN_TYPE_BARRIER);
}

/* Two regions that adjoin, which are far from each other in memory: what stands
 * there after the first one is none of the code. */
BLOCKS(an_instruction_may_stand_in_two_regions)
{
    static const uint16_t code[] = {0x46c0, 0xf3af, 0x8000, /* nop, nop.w */
                                    0x46c0, 0x46c0, 0x4770};
    uint8_t bytes[sizeof code], first[sizeof bytes + 16];
    struct etm_block *b;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(code[i / 2] >> 8 * (i % 2));
    for (size_t cut = 1; cut < sizeof bytes; cut++) {
        memset(first, 0xbe, sizeof first); /* bkpt */
        memcpy(first, bytes, cut);
        begin(&etmv3_rules);
        assert_ok(etm_image_add(s.image, 0x8000, first, cut, NULL));
        assert_ok(etm_image_add(s.image, 0x8000 + (uint32_t)cut, bytes + cut,
                                sizeof bytes - cut, NULL));
        b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB);
        assert_int_equal(b->n, 5);
        assert_int_equal(b->end, 0x8000 + sizeof bytes);
        assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
    }
}

BLOCKS(block_ends_with_a_branch)
{
    static const uint32_t code[] = {NOP, DMB, ISB, BEQ_NEXT, BX_LR};
    struct etm_block *b;

    begin(&etmv3_rules);
    arm(0x8000, code, 5, NULL);
    b = get(0x8000);
    is(b, 4, ETM_BLOCK_DIRECT);
    assert_int_equal(b->target, 0x8010);
    assert_int_equal(b->last, 0x800c);
    assert_int_equal(b->end, 0x8010);
    assert_int_equal(b->barriers, 6);
    assert_false(etm_block_cannot_fail(b, b));
    b = get(0x8010);
    assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
    assert_true(etm_block_cannot_fail(b, b));
}

BLOCKS(block_ends_with_the_barriers_of_its_rules)
{
    static const uint32_t code[] = {NOP, DMB, NOP, ISB, BX_LR};

    begin(&pft_rules);
    arm(0x8000, code, 5, NULL);
    assert_int_equal(get(0x8000)->n, 4);
    begin(&all_rules);
    arm(0x8000, code, 5, NULL);
    is(get(0x8000), 2, ETM_BLOCK_BARRIER);
}

BLOCKS(long_straight_line_is_several_blocks)
{
    struct etm_block *b;

    begin(&etmv3_rules);
    fill(0x8000, NOP, 100, NULL);
    b = get(0x8004);
    is(b, 63, ETM_BLOCK_FALL);
    b = follow(b);
    assert_int_equal(b->address, 0x8100);
    is(b, 32, ETM_BLOCK_FALL);
    b = follow(b);
    assert_int_equal(b->address, 0x8180);
    is(b, 4, ETM_BLOCK_FALL);
    b = follow(b);
    is(b, 0, ETM_BLOCK_NO_CODE);
}

BLOCKS(addresses_within_a_block_of_two_sizes)
{
    static const uint16_t code[] = {0x46c0, 0xf3af, 0x8000, 0x46c0,
                                    0xf3af, 0x8000, 0x4770};
    static const uint32_t expected[] = {0x8000, 0x8002, 0x8006,
                                        0x8008, 0x800c, 0x800e};
    struct etm_block *b;

    begin(&all_rules);
    thumb(0x8000, code, 7);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB);
    assert_int_equal(b->n, 5);
    assert_int_equal(b->wide, 10);
    for (unsigned i = 0; i <= 5; i++)
        assert_int_equal(etm_block_address(b, i), expected[i]);
    assert_int_equal(s.blocks.insns.n, 5);
}

BLOCKS(links_are_followed_to_the_same_block)
{
    static const uint32_t code[] = {NOP, 0x0afffffd /* beq 8000 */, BX_LR};
    struct etm_block *first, *second;

    begin(&etmv3_rules);
    arm(0x8000, code, 3, NULL);
    first = get(0x8000);
    assert_ptr_equal(etm_blocks_take(&s.blocks, first), first);
    second = follow(first);
    assert_ptr_equal(second, get(0x8008));
    assert_ptr_equal(first->next, second);
    assert_int_equal(s.blocks.n, 2);
}

/* The same bytes are other instructions in another state. */
BLOCKS(each_instruction_set_has_its_own_blocks)
{
    static const uint32_t code[] = {BX_LR, BX_LR};

    begin(&etmv3_rules);
    arm(0x8000, code, 2, NULL);
    assert_int_equal(get(0x8000)->n, 1);
    assert_ptr_not_equal(get(0x8000),
                         etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB));
}

BLOCKS(many_blocks_are_all_found_again)
{
    static struct etm_block *blocks[40 * 256];

    begin(&all_rules);
    for (unsigned i = 0; i < 40; i++)
        fill(0x8000 + 1024 * i, B_NEXT, 256, NULL);
    for (uint32_t i = 0; i < 40 * 256; i++)
        blocks[i] = get(0x8000 + 4 * i);
    for (uint32_t i = 0; i < 40 * 256; i++) {
        assert_int_equal(blocks[i]->address, 0x8000 + 4 * i);
        assert_ptr_equal(get(0x8000 + 4 * i), blocks[i]);
    }
    assert_int_equal(s.blocks.n, 40 * 256);
}

/* Whatever stands in the table: a block is found under its own key only. */
BLOCKS(blocks_are_found_by_their_whole_key)
{
    static const struct etm_block_rules kinds[] = {{.counts = false},
                                                   {.counts = true}};
    static const struct etm_space context[2] = {{ETM_UNKNOWN, true, 1},
                                                {ETM_UNKNOWN, true, 2}};

    for (unsigned k = 0; k < 4; k++) {
        const struct etm_space *space = k / 2 != 0 ? &context[0] : NULL;
        unsigned found = 0;

        begin(&kinds[k % 2]);
        fill(0x8000, 0, 256, space);
        for (uint32_t i = 0; i < 3000; i++) {
            uint32_t at = 0x8000 + 4 * i;
            uint32_t first;

            see(&context[0]);
            assert_int_equal(find(at), 0);
            first = number(at);
            assert_int_equal(first, s.blocks.n);
            assert_int_equal(number(at), first);
            found += find(at) == first;
            assert_int_equal(etm_blocks_find(&s.blocks, at, ETM_ISA_THUMB), 0);
            if (see(&context[1]) == true)
                assert_int_equal(find(at), 0);
        }
        assert_int_equal(s.blocks.n, 3000);
        assert_true(found > 2000); /* most are where they belong */
    }
}

BLOCKS(trim_forgets_and_begins_again)
{
    static const uint32_t code[] = {B_NEXT, B_NEXT, B_NEXT, BX_LR};
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    static const struct etm_space context2 = {ETM_UNKNOWN, true, 2};
    static const struct etm_space none = {ETM_UNKNOWN, false, 0};
    struct etm_link *links;

    begin(&all_rules);
    arm(0x8000, code, 4, &context1);
    assert_int_equal(see(&context1), true);
    s.blocks.limit = 3;
    for (uint32_t i = 0; i < 3; i++)
        get(0x8000 + 4 * i);
    assert_false(etm_blocks_trim(&s.blocks));
    get(0x800c);
    links = s.blocks.links.data;
    links[1].to[0] = links[1].to[1] = 2;
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(s.blocks.n, 0);
    assert_int_equal(get(0x800c)->n, 1);
    assert_int_equal(links[1].to[0], 0);
    assert_int_equal(links[1].to[1], 0);
    assert_int_equal(see(&context1), false);
    assert_int_equal(see(&none), true);
    for (uint32_t i = 0; i < 4; i++)
        is(get(0x8000 + 4 * i), 0, ETM_BLOCK_NO_CODE);
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(see(&none), false);
    /* nor is the second one mistaken for the first one */
    arm(0x8000, code, 3, &context2);
    assert_int_equal(see(&context1), true);
    assert_int_equal(see(&context2), true);
    for (uint32_t i = 0; i < 4; i++)
        get(0x8000 + 4 * i);
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(see(&context2), false);
    assert_int_equal(see(&context1), true);
    assert_int_equal(get(0x800c)->n, 1);
}

TEST(block_without_an_image_has_no_code)
{
    struct etm_blocks blocks;
    struct etm_block *b;

    assert_ok(etm_blocks_init(&blocks, NULL, &pft_rules, NULL));
    b = etm_blocks_get(&blocks, 0x8000, ETM_ISA_ARM);
    is(b, 0, ETM_BLOCK_NO_CODE);
    etm_blocks_fini(&blocks);
}

/* The branch that the way from an address leads to. */
static bool cannot_fail(uint32_t address)
{
    struct etm_block *first = etm_blocks_get(&s.blocks, address, ETM_ISA_THUMB);
    struct etm_block *last = first;

    while (last->end_kind == ETM_BLOCK_FALL)
        last = follow(last);
    return etm_block_cannot_fail(first, last);
}

/* An IT block may have begun before this block (Armv7-A manual, A8.8.54). */
BLOCKS(thumb_branch_can_fail_near_the_beginning_of_a_block)
{
    static const uint16_t code[] = {0x46c0, 0x46c0, 0x46c0, 0x46c0,
                                    0x46c0, 0x4770, 0xbf18, 0x4770};

    begin(&etmv3_rules);
    thumb(0x8000, code, 8);
    assert_true(cannot_fail(0x8000));
    assert_false(cannot_fail(0x8006));
    assert_false(cannot_fail(0x800a));
    assert_false(cannot_fail(0x800c));
}

/* Where the way led over another block that is known, an IT block that began in
 * it counts. */
BLOCKS(what_is_before_a_cut_counts)
{
    uint16_t code[40];

    for (unsigned last = 32; last <= 36; last++)
        for (unsigned it = 20; it < last; it++) {
            for (unsigned i = 0; i < 40; i++)
                code[i] = i == last ? 0x4770 : i == it ? 0xbf18 : 0x46c0;
            begin(&pft_rules);
            thumb(0x8000, code, 40);
            assert_int_equal(
                etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB)->n, 32);
            assert_int_equal(cannot_fail(0x8000), last - it > 4);
            assert_int_equal(cannot_fail(0x8040), last == 36 && it < 32);
        }
}

/* Wherever a long straight line is entered, the ways meet. `wide`: two
 * halfwords are an instruction. */
static void enter_a_straight_line(enum etm_isa isa, bool wide)
{
    uint32_t words[256], length = isa == ETM_ISA_ARM || wide ? 4 : 2;
    uint16_t halves[256];
    unsigned whole = wide ? 127 : 255; /* and a branch */

    for (unsigned i = 0; i < 256; i++) {
        words[i] = i < 255 ? NOP : BX_LR;
        halves[i] = i >= 254u + !wide ? 0x4770
                    : !wide           ? 0x46c0
                    : i % 2 == 0      ? 0xf3af
                                      : 0x8000;
    }
    begin(&pft_rules);
    if (isa == ETM_ISA_ARM)
        arm(0x8000, words, 256, NULL);
    else
        thumb(0x8000, halves, 256);
    for (uint32_t i = 0; i < 40; i++) {
        struct etm_block *b =
            etm_blocks_get(&s.blocks, 0x8000 + length * i, isa);
        uint32_t n = b->n;

        for (; b->end_kind == ETM_BLOCK_FALL; n += b->n) {
            assert_in_range(b->n, ETM_BLOCK_CUT, ETM_BLOCK_MAX);
            b = follow(b);
        }
        assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
        assert_int_equal(n, whole + 1 - i);
    }
    /* the forty first ones, and of others at most two for as many instructions
     * as one has at least */
    assert_in_range(s.blocks.n, 40, 40 + 2 * 256 / ETM_BLOCK_CUT);
}

TEST(ways_into_a_straight_line_meet)
{
    enter_a_straight_line(ETM_ISA_ARM, false);
    enter_a_straight_line(ETM_ISA_THUMB, false);
    enter_a_straight_line(ETM_ISA_THUMB, true);
}

BLOCKS(kept_instructions_are_forgotten_in_time)
{
    begin(&all_rules);
    fill(0x8000, NOP, 256, NULL);
    s.blocks.limit = 40;
    for (uint32_t i = 0; i < 3; i++)
        assert_non_null(etm_blocks_insns(&s.blocks, get(0x8000 + 4 * i)));
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(s.blocks.insns.n, 0);
}

/* Only instructions with transfers have a row; the first registers that they
 * load tell them apart. */
BLOCKS(rows_are_those_of_data_instructions)
{
    static const struct etm_block_rules data = {.transfers = true};
    uint32_t code[64];
    struct etm_block *block;

    for (uint32_t i = 0; i < 64; i++)
        code[i] = i % 3 == 1 || i > 20 ? LOAD | i % 13 << 12 : NOP;
    begin(&data);
    arm(0x8000, code, 64, NULL);
    (void)get(0x8000 + 4 * 40);
    block = get(0x8000);
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
}

/* Rows of what data instructions do weigh as much as what is kept of others, at
 * the level of instructions both do: a block of many is more than one. There is
 * none of an instruction without transfers. */
BLOCKS(what_is_kept_of_data_is_forgotten_in_time)
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

    for (unsigned k = 0; k < COUNT(rows); k++) {
        size_t n = 0;

        begin(rows[k].rules);
        fill(0x8000, rows[k].code, 256, NULL);
        s.blocks.limit = 100;
        while (n < 150 && !etm_blocks_full(&s.blocks)) {
            struct etm_block *block = get(0x8000 + 4 * (uint32_t)n);

            assert_non_null(block);
            if (rows[k].rules->insns) /* they are asked for */
                assert_non_null(etm_blocks_insns(&s.blocks, block));
            n++;
        }
        assert_int_equal(n, rows[k].n);
        assert_true(etm_blocks_trim(&s.blocks));
        assert_false(etm_blocks_full(&s.blocks));
    }
}
