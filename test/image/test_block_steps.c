/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of blocks: their instructions, links and executions. */
#include "blocks_support.h"

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

/* A way over full blocks to where it gets too long: nothing of them is kept,
 * which would soon push out all that is. Where they are executed all the same
 * their instructions are what they are. */
static void full_blocks_that_are_passed_over_are_light(void **state)
{
    static const struct etm_block_rules rules = {.insns = true, .steps = true};
    const struct etm_block_insn *insns;
    uint32_t code[256];
    struct etm_block *block;
    struct setup s;
    size_t n = 0;

    (void)state;
    for (uint32_t i = 0; i < 256; i++)
        code[i] = NOP + i;
    begin(&s, &rules);
    arm(&s, 0x8000, code, 256, NULL);
    block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
    while (block->end_kind == ETM_BLOCK_FALL)
        block = etm_blocks_follow(&s.blocks, block);
    assert_int_equal(block->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(s.blocks.insns.n, 0);
    assert_int_equal(s.blocks.weight, s.blocks.n);
    for (block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
         block->end_kind == ETM_BLOCK_FALL; block = block->next) {
        insns = etm_blocks_insns(&s.blocks, block);
        assert_non_null(insns);
        for (size_t i = 0; i < block->n; i++, n++) {
            assert_int_equal(insns[i].address, 0x8000 + 4 * n);
            assert_int_equal(insns[i].opcode, code[n]);
        }
        assert_int_equal(s.blocks.insns.n, n);
        assert_ptr_equal(etm_blocks_insns(&s.blocks, block), insns);
    }
    assert_int_equal(n, 256);
    assert_true(s.blocks.weight > s.blocks.n + n / 5);
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

/* As the fast paths fill a step and count it. */
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
            etm_links_hits(s.blocks.links.data, block->step)[i % 10 == 0]++;
        etm_blocks_link(&s.blocks, block->step, 1, 2);
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
        struct etm_counts taken;
        bool forget = round % 2 != 0;

        s.blocks.limit = forget ? 0 : 1000;
        block = etm_blocks_get(&s.blocks, 0x8000, ETM_ISA_ARM);
        fill(&s.blocks, block);
        for (unsigned i = 0; i < 1100; i++) { /* 100 of them are dropped */
            if (i == 100)
                etm_blocks_drop_counts(&s.blocks);
            etm_links_hits(s.blocks.links.data, block->step)[i % 10 == 0]++;
            if (i % 550 == 0)
                assert_int_equal(etm_counts_add(&s.blocks.counts, &row),
                                 ETM_OK);
        }
        assert_int_equal(etm_blocks_trim(&s.blocks), forget);
        etm_counts_init(&taken, NULL);
        for (unsigned time = 0; time < 2; time++) /* at once, and nothing */
            assert_int_equal(etm_blocks_take_counts(
                                 &s.blocks,
                                 round < 2 ? etm_counts_add : etm_counts_gather,
                                 &taken),
                             ETM_OK);
        assert_int_equal(etm_counts_order(&taken), ETM_OK);
        assert_int_equal(etm_counts_walk(&taken, sum_row, &sum), 0);
        assert_int_equal(sum.n, 1005);
        etm_counts_fini(&taken);
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_a_step_stand_in_a_row),
        cmocka_unit_test(full_blocks_that_are_passed_over_are_light),
        cmocka_unit_test(step_of_too_many_instructions_is_not_filled),
        cmocka_unit_test(links_lead_to_the_same_step_either_way),
        cmocka_unit_test(filled_step_says_what_its_range_does),
        cmocka_unit_test(executions_are_folded_when_blocks_are_forgotten),
        cmocka_unit_test(executions_are_handed_over_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
