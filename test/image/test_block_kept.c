/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept beside blocks: their instructions and executions. */
#include "../support/test.h"
#include "blocks_support.h"

/* A way over full blocks to where it gets too long: nothing of them is kept,
 * which would soon push out all that is. Where they are executed all the same
 * their instructions are what they are. */
BLOCKS(full_blocks_that_are_passed_over_are_light)
{
    static const struct etm_block_rules rules = {.insns = true};
    const struct etm_block_insn *insns;
    uint32_t code[256];
    struct etm_block *block;
    size_t n = 0;

    for (uint32_t i = 0; i < 256; i++)
        code[i] = NOP + i;
    begin(&rules);
    arm(0x8000, code, 256, NULL);
    block = get(0x8000);
    while (block->end_kind == ETM_BLOCK_FALL)
        block = follow(block);
    assert_int_equal(block->end_kind, ETM_BLOCK_NO_CODE);
    assert_int_equal(s.blocks.insns.n, 0);
    assert_int_equal(s.blocks.weight, s.blocks.n);
    for (block = get(0x8000); block->end_kind == ETM_BLOCK_FALL;
         block = block->next) {
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

BLOCKS(executions_are_folded_when_blocks_are_forgotten)
{
    static const struct etm_block_rules rules = {.counts = true};
    static const uint32_t code[] = {NOP, BEQ_NEXT, BX_LR};
    struct etm_block *block;
    struct etm_count sum = {0};

    begin(&rules);
    arm(0x8000, code, 3, NULL);
    for (unsigned round = 0; round < 2; round++) {
        s.blocks.limit = 0;
        block = get(0x8000);
        for (unsigned i = 0; i < 70000; i++)
            block->hits[i % 10 == 0]++;
        assert_true(etm_blocks_trim(&s.blocks));
    }
    assert_ok(s.blocks.counts.status);
    assert_int_equal(etm_counts_walk(&s.blocks.counts, sum_row, &sum), 0);
    assert_int_equal(sum.insns, 2);
    assert_int_equal(sum.n, 140000);
    assert_int_equal(sum.start, 126000);
}

/* Of blocks and of the table, whether blocks were forgotten meanwhile or not.
 */
BLOCKS(executions_are_handed_over_once)
{
    static const struct etm_block_rules rules = {.counts = true};
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

    begin(&rules);
    arm(0x8000, code, 3, NULL);
    for (unsigned round = 0; round < 4; round++) {
        struct etm_count sum = {0};
        struct etm_counts taken;
        bool forget = round % 2 != 0;

        s.blocks.limit = forget ? 0 : 1000;
        block = get(0x8000);
        for (unsigned i = 0; i < 1100; i++) { /* 100 of them are dropped */
            if (i == 100)
                etm_blocks_drop_counts(&s.blocks);
            block->hits[i % 10 == 0]++;
            if (i % 550 == 0)
                assert_ok(etm_counts_add(&s.blocks.counts, &row));
        }
        assert_int_equal(etm_blocks_trim(&s.blocks), forget);
        etm_counts_init(&taken, NULL);
        for (unsigned time = 0; time < 2; time++) /* at once, and nothing */
            assert_ok(etm_blocks_take_counts(
                &s.blocks, round < 2 ? etm_counts_add : etm_counts_gather,
                &taken));
        assert_ok(etm_counts_order(&taken));
        assert_int_equal(etm_counts_walk(&taken, sum_row, &sum), 0);
        assert_int_equal(sum.n, 1005);
        etm_counts_fini(&taken);
    }
}
