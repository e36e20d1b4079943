/* SPDX-License-Identifier: Apache-2.0 */
#include "image/block.h"

#include "flow/fast.h"
#include "image/image.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define NOP 0xe1a00000u    /* mov r0, r0 */
#define BX_LR 0xe12fff1eu  /* bx lr */
#define B_NEXT 0xeaffffffu /* b to the next instruction */
#define BEQ_NEXT 0x0affffffu
#define DMB 0xf57ff05fu
#define ISB 0xf57ff06fu

static const struct etm_block_rules etmv3_rules;
static const struct etm_block_rules pft_rules = {.isb = true};
static const struct etm_block_rules all_rules = {
    .isb = true, .dmb_dsb = true, .insns = true};

struct setup {
    struct etm_image *image;
    struct etm_blocks blocks;
};

static void arm(struct setup *s, uint32_t address, const uint32_t *words,
                size_t n, const struct etm_space *space)
{
    uint8_t bytes[4 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 4 * n; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    assert_int_equal(etm_image_add_copy(s->image, address, bytes, 4 * n, space),
                     ETM_OK);
}

static void thumb(struct setup *s, uint32_t address, const uint16_t *words,
                  size_t n)
{
    uint8_t bytes[2 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 2 * n; i++)
        bytes[i] = (uint8_t)(words[i / 2] >> (8 * (i % 2)));
    assert_int_equal(etm_image_add_copy(s->image, address, bytes, 2 * n, NULL),
                     ETM_OK);
}

static void begin(struct setup *s, const struct etm_block_rules *rules)
{
    assert_int_equal(etm_image_new(&s->image, NULL), ETM_OK);
    assert_int_equal(etm_blocks_init(&s->blocks, s->image, rules, NULL),
                     ETM_OK);
}

static void end(struct setup *s)
{
    etm_blocks_fini(&s->blocks);
    etm_image_free(s->image);
}

/* What is left of the code behind the last instruction is none. */
static void part_of_an_instruction_hides_nothing_of_the_last_one(void **state)
{
    static const uint32_t last[] = {0x01a00000u /* moveq r0, r0 */, DMB};
    struct etm_block *b;
    struct setup s;

    (void)state;
    begin(&s, &pft_rules);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t bytes[6] = {0};

        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(last[i] >> 8 * k);
        assert_int_equal(etm_image_add_copy(s.image, 0x8000 + 0x100 * i, bytes,
                                            sizeof bytes, NULL),
                         ETM_OK);
    }
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_flags, ETM_INSN_CONDITIONAL);
    assert_false(b->always);
    b = etm_blocks_get(&s.blocks, 0x8100, ETM_ISA_ARM);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->last_type, ETM_INSN_TYPE_BARRIER);
    end(&s);
}

static void block_ends_with_a_branch(void **state)
{
    static const uint32_t code[] = {NOP, DMB, ISB, BEQ_NEXT, BX_LR};
    struct setup s;
    struct etm_block *b;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 5, NULL);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->end_kind, ETM_BLOCK_DIRECT);
    assert_int_equal(b->target, 0x8010);
    assert_int_equal(b->last, 0x800c);
    assert_int_equal(b->end, 0x8010);
    assert_int_equal(b->barriers, 6);
    assert_false(b->always);
    b = etm_blocks_get(&s.blocks, 0x8010, ETM_ISA_ARM);
    assert_int_equal(b->end_kind, ETM_BLOCK_INDIRECT);
    assert_true(b->always);
    end(&s);
}

static void block_ends_with_the_barriers_of_its_rules(void **state)
{
    static const uint32_t code[] = {NOP, DMB, NOP, ISB, BX_LR};
    struct setup s;

    (void)state;
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

static void long_straight_line_is_several_blocks(void **state)
{
    uint32_t code[100];
    struct setup s;
    struct etm_block *b;

    (void)state;
    for (unsigned i = 0; i < 100; i++)
        code[i] = NOP;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 100, NULL);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, ETM_BLOCK_MAX);
    assert_int_equal(b->end_kind, ETM_BLOCK_FALL);
    b = etm_blocks_follow(&s.blocks, b);
    assert_int_equal(b->address, 0x8000 + 4 * ETM_BLOCK_MAX);
    assert_int_equal(b->n, 100 - ETM_BLOCK_MAX);
    assert_int_equal(b->end_kind, ETM_BLOCK_FALL);
    b = etm_blocks_follow(&s.blocks, b);
    assert_int_equal(b->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(b->n, 0);
    end(&s);
}

static void addresses_within_a_block_of_two_sizes(void **state)
{
    static const uint16_t code[] = {0x46c0, 0xf3af, 0x8000, 0x46c0,
                                    0xf3af, 0x8000, 0x4770};
    static const uint32_t expected[] = {0x8000, 0x8002, 0x8006,
                                        0x8008, 0x800c, 0x800e};
    struct setup s;
    struct etm_block *b;

    (void)state;
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

static void links_are_followed_to_the_same_block(void **state)
{
    static const uint32_t code[] = {NOP, 0x0afffffd /* beq 8000 */, BX_LR};
    struct setup s;
    struct etm_block *first, *second;

    (void)state;
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
static void each_instruction_set_has_its_own_blocks(void **state)
{
    static const uint32_t code[] = {BX_LR, BX_LR};
    struct setup s;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 2, NULL);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 1);
    assert_ptr_not_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM),
                         etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB));
    end(&s);
}

static void each_space_has_its_own_blocks(void **state)
{
    static const uint32_t one[] = {BX_LR}, two[] = {NOP, BX_LR};
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    static const struct etm_space context2 = {ETM_UNKNOWN, true, 2};
    struct setup s;
    struct etm_block *b;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, one, 1, &context1);
    arm(&s, 0x8000, two, 2, &context2);
    assert_int_equal(etm_blocks_see(&s.blocks, &context1), true);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->n, 1);
    assert_int_equal(etm_blocks_see(&s.blocks, &context2), true);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 2);
    assert_int_equal(etm_blocks_see(&s.blocks, &context2), false);
    assert_int_equal(etm_blocks_see(&s.blocks, &context1), true);
    assert_ptr_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM), b);
    end(&s);
}

/* Code of one process makes two spaces, whatever the number of the others; and
 * without any of one world that is no space of its own. */
static void spaces_that_see_the_same_code_are_one(void **state)
{
    static const uint32_t one[] = {BX_LR}, two[] = {NOP, BX_LR};
    static const struct etm_space context7 = {ETM_UNKNOWN, true, 7};
    static const struct etm_space secure = {ETM_TRUE, false, 0};
    struct etm_space other = {ETM_FALSE, true, 0};
    struct setup s;
    struct etm_block *b;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, one, 1, NULL);
    arm(&s, 0x8000, two, 2, &context7);
    b = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    for (other.context_id = 0; other.context_id < 100; other.context_id++) {
        bool its_own = other.context_id == 7;
        bool changes = its_own || other.context_id == 8;

        assert_int_equal(etm_blocks_see(&s.blocks, &other), changes);
        if (its_own)
            assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n,
                             2);
        else
            assert_ptr_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM), b);
    }
    assert_int_equal(s.blocks.spaces.n, 2);
    assert_int_equal(etm_blocks_see(&s.blocks, &secure), false);
    arm(&s, 0x9000, one, 1, &secure);
    assert_int_equal(etm_blocks_see(&s.blocks, &secure), true);
    assert_int_equal(etm_blocks_see(&s.blocks, &other), true);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x9000, ETM_ISA_ARM)->end_kind,
                     ETM_BLOCK_NO_CODE);
    other.context_id++;
    assert_int_equal(etm_blocks_see(&s.blocks, &other), false);
    end(&s);
}

/* Where no region is particular, a change of context changes nothing. */
static void spaces_do_not_matter_to_a_general_image(void **state)
{
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    static const uint32_t code[] = {BX_LR};
    struct setup s;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 1, NULL);
    assert_int_equal(etm_blocks_see(&s.blocks, &context1), false);
    assert_int_equal(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM)->n, 1);
    end(&s);
}

static void many_blocks_are_all_found_again(void **state)
{
    static uint32_t code[256];
    static struct etm_block *blocks[40 * 256];
    struct setup s;

    (void)state;
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
static void blocks_are_found_by_their_whole_key(void **state)
{
    static const struct etm_block_rules kinds[] = {{.steps = false},
                                                   {.steps = true}};
    static const struct etm_space context[2] = {{ETM_UNKNOWN, true, 1},
                                                {ETM_UNKNOWN, true, 2}};
    static uint32_t code[256];
    struct setup s;

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        const struct etm_space *space = k / 2 != 0 ? &context[0] : NULL;
        unsigned found = 0;

        begin(&s, &kinds[k % 2]);
        arm(&s, 0x8000, code, 256, space);
        for (uint32_t i = 0; i < 3000; i++) {
            uint32_t at = 0x8000 + 4 * i;
            uint32_t number;

            etm_blocks_see(&s.blocks, &context[0]);
            assert_int_equal(etm_blocks_peek(&s.blocks, at, ETM_ISA_ARM), 0);
            number = etm_blocks_number(&s.blocks, at, ETM_ISA_ARM);
            assert_int_equal(number, s.blocks.n);
            assert_int_equal(etm_blocks_number(&s.blocks, at, ETM_ISA_ARM),
                             number);
            found += etm_blocks_peek(&s.blocks, at, ETM_ISA_ARM) == number;
            assert_int_equal(etm_blocks_peek(&s.blocks, at, ETM_ISA_THUMB), 0);
            if (etm_blocks_see(&s.blocks, &context[1]) == true)
                assert_int_equal(etm_blocks_peek(&s.blocks, at, ETM_ISA_ARM),
                                 0);
        }
        assert_int_equal(s.blocks.n, 3000);
        assert_true(found > 2000); /* most are where they belong */
        end(&s);
    }
}

static bool same_entry(uint64_t a, uint64_t b, size_t mask)
{
    return ((a ^ b) & mask) == 0 && etm_blocks_tag(a) == etm_blocks_tag(b);
}

/* As if there were code of each of these context IDs alone. */
static void name_contexts(struct setup *s, uint32_t from, uint32_t n)
{
    for (uint32_t id = from; id < from + n; id++)
        assert_int_equal(etm_vec_append(&s->image->contexts, &id, 1), ETM_OK);
}

/* Two spaces of which the table cannot tell which is which. */
static void spaces_of_one_entry_are_told_apart(void **state)
{
    static const struct etm_block_rules rules = {.steps = true};
    static const uint32_t code[] = {NOP, BX_LR};
    const uint32_t at = 0x8000;
    struct etm_space space = {ETM_UNKNOWN, true, 1};
    uint64_t hash = etm_blocks_hash(at, ETM_ISA_ARM, 1);
    unsigned found = 0;
    uint32_t number;
    struct setup s;

    (void)state;
    begin(&s, &rules);
    arm(&s, at, code, 2, &space);
    name_contexts(&s, 2, 20000);
    assert_int_equal(etm_blocks_see(&s.blocks, &space), true);
    assert_int_equal(s.blocks.space, 1);
    number = etm_blocks_number(&s.blocks, at, ETM_ISA_ARM);
    for (unsigned i = 2; i < 20000; i++) {
        space.context_id = i;
        assert_int_equal(etm_blocks_see(&s.blocks, &space), true);
        assert_int_equal(s.blocks.space, i);
        if (!same_entry(hash, etm_blocks_hash(at, ETM_ISA_ARM, i),
                        s.blocks.mask))
            continue;
        found++;
        assert_int_equal(etm_blocks_peek(&s.blocks, at, ETM_ISA_ARM), 0);
        assert_int_not_equal(etm_blocks_number(&s.blocks, at, ETM_ISA_ARM),
                             number);
    }
    assert_true(found != 0);
    space.context_id = 1;
    assert_int_equal(etm_blocks_see(&s.blocks, &space), true);
    assert_int_equal(etm_blocks_number(&s.blocks, at, ETM_ISA_ARM), number);
    end(&s);
}

/* Whatever stands at the place of its hash, and behind a trim. */
static void each_of_many_spaces_keeps_its_number(void **state)
{
    static const uint32_t code[] = {BX_LR};
    struct etm_space space = {ETM_UNKNOWN, true, 0};
    unsigned rounds[2] = {36000, 40};
    struct setup s;

    (void)state;
    begin(&s, &etmv3_rules);
    arm(&s, 0x8000, code, 1, &space);
    name_contexts(&s, 100000, 12000);
    name_contexts(&s, 200000, 40);
    s.image->by_security = true;
    for (unsigned r = 0; r < 2; r++) {
        unsigned first = (unsigned)s.blocks.spaces.n;

        for (unsigned i = 0; i < 4 * rounds[r]; i++) {
            unsigned k = i < rounds[r] ? i : i * 7919 % rounds[r];

            bool other = s.blocks.space != first + k;

            space.context_id = 100000 * (r + 1) + k / 3;
            space.secure = (enum etm_tri)(k % 3);
            assert_int_equal(etm_blocks_see(&s.blocks, &space), other);
            assert_int_equal(s.blocks.space, first + k);
        }
        assert_true(etm_blocks_trim(&s.blocks) || r == 1);
    }
    end(&s);
}

static void trim_forgets_and_begins_anew(void **state)
{
    static const uint32_t code[] = {B_NEXT, B_NEXT, B_NEXT, BX_LR};
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    struct setup s;

    (void)state;
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

static void block_without_an_image_has_no_code(void **state)
{
    struct etm_blocks blocks;
    struct etm_block *b;

    (void)state;
    assert_int_equal(etm_blocks_init(&blocks, NULL, &pft_rules, NULL), ETM_OK);
    b = etm_blocks_get(&blocks, 0x8000, ETM_ISA_ARM);
    assert_int_equal(b->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(b->n, 0);
    etm_blocks_fini(&blocks);
}

/* An IT block may have begun before this block (Armv7-A manual, A8.8.54). */
static void thumb_branch_can_fail_near_the_beginning_of_a_block(void **state)
{
    static const uint16_t code[] = {0x46c0, 0x46c0, 0x46c0, 0x46c0,
                                    0x46c0, 0x4770, 0xbf18, 0x4770};
    struct setup s;

    (void)state;
    begin(&s, &etmv3_rules);
    thumb(&s, 0x8000, code, 8);
    assert_true(etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_THUMB)->always);
    assert_false(etm_blocks_get(&s.blocks, 0x8006, ETM_ISA_THUMB)->always);
    assert_false(etm_blocks_get(&s.blocks, 0x800a, ETM_ISA_THUMB)->always);
    assert_false(etm_blocks_get(&s.blocks, 0x800c, ETM_ISA_THUMB)->always);
    end(&s);
}

/* NOPs over three blocks and a branch: the step of the first has them all in
 * a row, with the addresses they stand at. */
static void instructions_of_a_step_stand_in_a_row(void **state)
{
    static const struct etm_block_rules rules = {.insns = true, .steps = true};
    uint32_t code[2 * ETM_BLOCK_MAX + 10];
    uint32_t n = sizeof code / sizeof *code;
    const struct etm_block_insn *insns;
    struct etm_block *first, *block;
    struct setup s;

    (void)state;
    for (uint32_t i = 0; i < n; i++)
        code[i] = i + 1 < n ? NOP + i : BX_LR;
    begin(&s, &rules);
    arm(&s, 0x8000, code, n, NULL);
    first = block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    assert_false(etm_blocks_keep_insns(&s.blocks, first)); /* no links yet */
    etm_blocks_get(&s.blocks, 0x8004, ETM_ISA_ARM);
    while (block->end_kind == ETM_BLOCK_FALL)
        block = etm_blocks_follow(&s.blocks, block);
    assert_true(etm_blocks_keep_insns(&s.blocks, first));
    insns = etm_blocks_insns_of(&s.blocks, first->step);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(insns[i].opcode, code[i]);
        assert_int_equal(insns[i].address, 0x8000 + 4 * i);
        assert_int_equal(insns[i].isa, ETM_ISA_ARM);
        assert_int_equal(insns[i].size, 4);
        assert_int_equal(insns[i].zero, 0);
    }
    assert_int_equal(insns[n - 1].type, ETM_INSN_TYPE_INDIRECT);
    /* a block alone has them where they are */
    block = etm_blocks_get(&s.blocks, 0x8000 + 4 * (n - 2), ETM_ISA_ARM);
    assert_true(etm_blocks_keep_insns(&s.blocks, block));
    assert_ptr_equal(etm_blocks_insns_of(&s.blocks, block->step),
                     (const struct etm_block_insn *)s.blocks.insns.data +
                         block->insns);
    end(&s);
}

static void step_of_too_many_instructions_is_not_filled(void **state)
{
    static const struct etm_block_rules rules = {.insns = true, .steps = true};
    uint32_t code[256];
    struct etm_block *first, *block;
    struct setup s;

    (void)state;
    for (uint32_t i = 0; i < 256; i++)
        code[i] = NOP;
    begin(&s, &rules);
    arm(&s, 0x8000, code, 256, NULL);
    code[0] = BX_LR;
    arm(&s, 0x8400, code, 1, NULL);
    first = block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    while (block->end_kind == ETM_BLOCK_FALL)
        block = etm_blocks_follow(&s.blocks, block);
    assert_int_equal(block->end_kind, ETM_BLOCK_INDIRECT);
    assert_false(etm_blocks_keep_insns(&s.blocks, first)); /* 257 */
    assert_true(etm_blocks_keep_insns(&s.blocks, first->next));
    end(&s);
}

/* Straight from memory or out of the number: the same step, with or without
 * counts beside the links. */
static void links_lead_to_the_same_step_either_way(void **state)
{
    static const uint32_t code[] = {NOP, BEQ_NEXT, BX_LR};

    (void)state;
    for (unsigned counts = 0; counts < 2; counts++) {
        struct etm_block_rules rules = {.counts = counts != 0, .steps = true};
        struct etm_block *block;
        uint64_t links;
        struct setup s;

        begin(&s, &rules);
        arm(&s, 0x8000, code, 3, NULL);
        etm_blocks_get(&s.blocks, 0x8008, ETM_ISA_ARM);
        block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
        *etm_blocks_links(&s.blocks, block->step) = UINT64_C(0xa5a5)
                                                    << ETM_LINK_FACTS;
        etm_blocks_link(&s.blocks, block->step, 0, 0x123456);
        etm_blocks_link(&s.blocks, block->step, 1, 0x789abc);
        links = etm_links_at(s.blocks.links.data, block->step, counts != 0);
        assert_int_equal(etm_link_facts(links), 0xa5a5);
        assert_int_equal(etm_link_step(links, 0), 0x123456);
        assert_int_equal(etm_link_step(links, 1), 0x789abc);
        assert_int_equal(
            etm_links_next(s.blocks.links.data, block->step, counts != 0, 0),
            0x123456);
        assert_int_equal(
            etm_links_next(s.blocks.links.data, block->step, counts != 0, 1),
            0x789abc);
        end(&s);
    }
}

/* A step says what a range from its beginning to its end does, also of one that
 * is long and whose last instruction is a bytecode's size. */
static void filled_step_says_what_its_range_does(void **state)
{
    static const struct etm_block_rules rules = {.steps = true};
    static const uint32_t code[] = {NOP, BEQ_NEXT, BX_LR};
    const struct etm_step *step;
    struct etm_block *first, far;
    struct setup s;

    (void)state;
    begin(&s, &rules);
    arm(&s, 0x8000, code, 3, NULL);
    first = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    step = (const struct etm_step *)s.blocks.steps.data + first->step;
    assert_int_equal(step->n, 0);
    assert_int_equal(step->start, 0x8000);
    far = *first;
    far.end = 0x8000 + 0x1000001c;
    far.last = far.end - 19;
    far.last_type = ETM_INSN_TYPE_INDIRECT;
    far.last_flags = ETM_INSN_LINK;
    far.end_kind = ETM_BLOCK_INDIRECT;
    etm_blocks_fill(&s.blocks, first, &far, 0x4000007);
    assert_int_equal(step->isa, ETM_ISA_ARM);
    assert_int_equal(step->start, 0x8000);
    assert_int_equal(step->end, 0x1000801c);
    assert_int_equal(step->last, 0x10008009);
    assert_int_equal(step->n, 0x4000007);
    assert_int_equal(step->last_type, ETM_INSN_TYPE_INDIRECT);
    assert_int_equal(step->last_flags, ETM_INSN_LINK);
    assert_int_equal(step->kind, ETM_STEP_LINK | ETM_STEP_INDIRECT);
    end(&s);
}

/* As the fast ways fill a step and count it. */
static void fill(struct etm_blocks *blocks, const struct etm_block *block)
{
    etm_blocks_fill(blocks, block, block, block->n);
}

static int sum_row(void *context, const struct etm_count *count)
{
    struct etm_count *sum = context;

    sum->n += count->n;
    sum->insns++; /* rows */
    assert_int_equal(count->start, 0x8000);
    assert_int_equal(count->end, 0x8008);
    assert_int_equal(count->insns, 2);
    assert_int_equal(count->last_address, 0x8004);
    assert_int_equal(count->isa, ETM_ISA_ARM);
    assert_int_equal(count->last_type, ETM_INSN_TYPE_DIRECT);
    assert_int_equal(count->last_flags, ETM_INSN_CONDITIONAL);
    if (count->last_exec == ETM_TRUE)
        sum->start = (uint32_t)count->n;
    return 0;
}

/* Links and counts of a step do not disturb each other. */
static void executions_are_folded_when_blocks_are_forgotten(void **state)
{
    static const struct etm_block_rules rules = {.counts = true, .steps = true};
    static const uint32_t code[] = {NOP, BEQ_NEXT, BX_LR};
    struct etm_block *block;
    struct etm_count sum = {0};
    struct setup s;

    (void)state;
    begin(&s, &rules);
    arm(&s, 0x8000, code, 3, NULL);
    for (unsigned round = 0; round < 2; round++) {
        s.blocks.limit = 0;
        block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
        fill(&s.blocks, block);
        etm_blocks_link(&s.blocks, block->step, 0, 1);
        for (unsigned i = 0; i < 70000; i++)
            etm_fast_count(&s.blocks, block->step, i % 10 == 0);
        etm_blocks_link(&s.blocks, block->step, 1, 2);
        etm_fast_count(&s.blocks, block->step, 1);
        etm_fast_uncount(&s.blocks, block->step, 1);
        assert_int_equal(*etm_blocks_links(&s.blocks, block->step),
                         1 | 2 << ETM_LINK_FAILED);
        assert_true(etm_blocks_trim(&s.blocks));
    }
    assert_int_equal(s.blocks.counts.status, ETM_OK);
    assert_int_equal(etm_counts_walk(&s.blocks.counts, sum_row, &sum), 0);
    assert_int_equal(sum.insns, 2);
    assert_int_equal(sum.n, 140000);
    assert_int_equal(sum.start, 126000);
    end(&s);
}

/* Of steps and of the table, whether blocks were forgotten meanwhile or not. */
static void executions_are_handed_over_once(void **state)
{
    static const struct etm_block_rules rules = {.counts = true, .steps = true};
    static const uint32_t code[] = {NOP, BEQ_NEXT, BX_LR};
    static const struct etm_count row = {.n = 5,
                                         .start = 0x8000,
                                         .end = 0x8008,
                                         .insns = 2,
                                         .last_address = 0x8004,
                                         .isa = ETM_ISA_ARM,
                                         .last_type = ETM_INSN_TYPE_DIRECT,
                                         .last_exec = ETM_TRUE,
                                         .last_flags = ETM_INSN_CONDITIONAL};
    struct etm_block *block;
    struct setup s;

    (void)state;
    begin(&s, &rules);
    arm(&s, 0x8000, code, 3, NULL);
    for (unsigned round = 0; round < 4; round++) {
        struct etm_count sum = {0};
        bool forget = round % 2 != 0;

        s.blocks.limit = forget ? 0 : 1000;
        block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
        fill(&s.blocks, block);
        for (unsigned i = 0; i < 1100; i++) { /* 100 of them are dropped */
            if (i == 100)
                etm_blocks_drop_counts(&s.blocks);
            etm_fast_count(&s.blocks, block->step, i % 10 == 0);
            if (i % 550 == 0)
                assert_int_equal(etm_counts_add(&s.blocks.counts, &row),
                                 ETM_OK);
        }
        assert_int_equal(etm_blocks_trim(&s.blocks), forget);
        assert_int_equal(etm_blocks_take_counts(&s.blocks, sum_row, &sum), 0);
        assert_int_equal(sum.n, 1005);
        sum = (struct etm_count){0};
        assert_int_equal(etm_blocks_take_counts(&s.blocks, sum_row, &sum), 0);
        assert_int_equal(sum.n, 0);
    }
    end(&s);
}

static void kept_instructions_are_forgotten_in_time(void **state)
{
    static uint32_t code[256];
    struct setup s;

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        code[i] = NOP;
    begin(&s, &all_rules);
    arm(&s, 0x8000, code, 256, NULL);
    s.blocks.limit = 40;
    for (uint32_t i = 0; i < 3; i++)
        etm_blocks_get(&s.blocks, 0x8000 + 4 * i, ETM_ISA_ARM);
    assert_true(etm_blocks_trim(&s.blocks));
    assert_int_equal(s.blocks.insns.n, 0);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_ends_with_a_branch),
        cmocka_unit_test(part_of_an_instruction_hides_nothing_of_the_last_one),
        cmocka_unit_test(block_ends_with_the_barriers_of_its_rules),
        cmocka_unit_test(long_straight_line_is_several_blocks),
        cmocka_unit_test(addresses_within_a_block_of_two_sizes),
        cmocka_unit_test(links_are_followed_to_the_same_block),
        cmocka_unit_test(each_instruction_set_has_its_own_blocks),
        cmocka_unit_test(each_space_has_its_own_blocks),
        cmocka_unit_test(spaces_that_see_the_same_code_are_one),
        cmocka_unit_test(spaces_do_not_matter_to_a_general_image),
        cmocka_unit_test(many_blocks_are_all_found_again),
        cmocka_unit_test(blocks_are_found_by_their_whole_key),
        cmocka_unit_test(spaces_of_one_entry_are_told_apart),
        cmocka_unit_test(each_of_many_spaces_keeps_its_number),
        cmocka_unit_test(trim_forgets_and_begins_anew),
        cmocka_unit_test(block_without_an_image_has_no_code),
        cmocka_unit_test(thumb_branch_can_fail_near_the_beginning_of_a_block),
        cmocka_unit_test(instructions_of_a_step_stand_in_a_row),
        cmocka_unit_test(step_of_too_many_instructions_is_not_filled),
        cmocka_unit_test(links_lead_to_the_same_step_either_way),
        cmocka_unit_test(filled_step_says_what_its_range_does),
        cmocka_unit_test(executions_are_folded_when_blocks_are_forgotten),
        cmocka_unit_test(executions_are_handed_over_once),
        cmocka_unit_test(kept_instructions_are_forgotten_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
