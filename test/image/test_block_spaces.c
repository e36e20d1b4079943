/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of code that is not the same in each address space. */
#include "../support/test.h"
#include "blocks_support.h"

BLOCKS(each_space_has_its_own_blocks)
{
    static const uint32_t one[] = {BX_LR}, two[] = {NOP, BX_LR};
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    static const struct etm_space context2 = {ETM_UNKNOWN, true, 2};
    struct etm_block *b;

    begin(&etmv3_rules);
    arm(0x8000, one, 1, &context1);
    arm(0x8000, two, 2, &context2);
    assert_int_equal(see(&context1), true);
    b = get(0x8000);
    assert_int_equal(b->n, 1);
    assert_int_equal(see(&context2), true);
    assert_int_equal(get(0x8000)->n, 2);
    assert_int_equal(see(&context2), false);
    assert_int_equal(see(&context1), true);
    assert_ptr_equal(get(0x8000), b);
}

/* Code of one process makes two spaces, whatever the number of the others; and
 * without any of one world that is no space of its own. */
BLOCKS(spaces_that_see_the_same_code_are_one)
{
    static const uint32_t one[] = {BX_LR}, two[] = {NOP, BX_LR};
    static const struct etm_space context7 = {ETM_UNKNOWN, true, 7};
    static const struct etm_space secure = {ETM_TRUE, false, 0};
    struct etm_space other = {ETM_FALSE, true, 0};
    struct etm_block *b;

    begin(&etmv3_rules);
    arm(0x8000, one, 1, NULL);
    arm(0x8000, two, 2, &context7);
    b = get(0x8000);
    for (other.context_id = 0; other.context_id < 100; other.context_id++) {
        bool its_own = other.context_id == 7;
        bool changes = its_own || other.context_id == 8;

        assert_int_equal(see(&other), changes);
        if (its_own)
            assert_int_equal(get(0x8000)->n, 2);
        else
            assert_ptr_equal(get(0x8000), b);
    }
    assert_int_equal(s.blocks.spaces.n, 2);
    assert_int_equal(see(&secure), false);
    arm(0x9000, one, 1, &secure);
    assert_int_equal(see(&secure), true);
    assert_int_equal(see(&other), true);
    assert_int_equal(get(0x9000)->end_kind, ETM_BLOCK_NO_CODE);
    other.context_id++;
    assert_int_equal(see(&other), false);
}

/* Where no region is particular, a change of context changes nothing. */
BLOCKS(spaces_do_not_matter_to_a_general_image)
{
    static const struct etm_space context1 = {ETM_UNKNOWN, true, 1};
    static const uint32_t code[] = {BX_LR};

    begin(&etmv3_rules);
    arm(0x8000, code, 1, NULL);
    assert_int_equal(see(&context1), false);
    assert_int_equal(get(0x8000)->n, 1);
}

static bool same_entry(uint64_t a, uint64_t b, size_t mask)
{
    return ((a ^ b) & mask) == 0 && etm_blocks_tag(a) == etm_blocks_tag(b);
}

/* Code of each of these context IDs alone. */
static void name_contexts(uint32_t from, uint32_t n)
{
    static const uint8_t byte;

    for (uint32_t id = from; id < from + n; id++) {
        const struct etm_space space = {ETM_UNKNOWN, true, id};

        assert_ok(etm_image_add(s.image, 0, &byte, 1, &space));
    }
}

/* Two spaces of which the table cannot tell which is which. */
BLOCKS(spaces_of_one_entry_are_told_apart)
{
    static const struct etm_block_rules rules = {.counts = true};
    static const uint32_t code[] = {NOP, BX_LR};
    const uint32_t at = 0x8000;
    struct etm_space space = {ETM_UNKNOWN, true, 1};
    uint64_t hash = etm_blocks_hash(at, ETM_ISA_ARM, 1);
    unsigned found = 0;
    uint32_t first;

    begin(&rules);
    arm(at, code, 2, &space);
    name_contexts(2, 20000);
    assert_int_equal(see(&space), true);
    assert_int_equal(s.blocks.space, 1);
    first = number(at);
    for (unsigned i = 2; i < 20000; i++) {
        space.context_id = i;
        assert_int_equal(see(&space), true);
        assert_int_equal(s.blocks.space, i);
        if (!same_entry(hash, etm_blocks_hash(at, ETM_ISA_ARM, i),
                        s.blocks.mask))
            continue;
        found++;
        assert_int_equal(find(at), 0);
        assert_int_not_equal(number(at), first);
    }
    assert_true(found != 0);
    space.context_id = 1;
    assert_int_equal(see(&space), true);
    assert_int_equal(number(at), first);
}

/* Whatever stands at the place of its hash, and after a trim. */
BLOCKS(each_of_many_spaces_keeps_its_number)
{
    static const uint32_t code[] = {BX_LR};
    struct etm_space space = {ETM_UNKNOWN, true, 0};
    unsigned rounds[2] = {36000, 40};

    begin(&etmv3_rules);
    arm(0x8000, code, 1, &space);
    name_contexts(100000, 12000);
    name_contexts(200000, 40);
    s.image->by_security = true;
    for (unsigned r = 0; r < 2; r++) {
        unsigned first = (unsigned)s.blocks.spaces.n;

        for (unsigned i = 0; i < 4 * rounds[r]; i++) {
            unsigned k = i < rounds[r] ? i : i * 7919 % rounds[r];

            bool other = s.blocks.space != first + k;

            space.context_id = 100000 * (r + 1) + k / 3;
            space.secure = (enum etm_tri)(k % 3);
            assert_int_equal(see(&space), other);
            assert_int_equal(s.blocks.space, first + k);
        }
        assert_true(etm_blocks_trim(&s.blocks) || r == 1);
    }
}
