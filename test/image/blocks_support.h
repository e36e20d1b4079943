/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a little code. */
#ifndef ETM_TEST_IMAGE_BLOCKS_SUPPORT_H
#define ETM_TEST_IMAGE_BLOCKS_SUPPORT_H

#include "../support/test.h"
#include "image/block.h"
#include "image/image.h"

#define NOP 0xe1a00000u    /* mov r0, r0 */
#define LOAD 0xe5910000u   /* ldr r0, [r1] */
#define BX_LR 0xe12fff1eu  /* bx lr */
#define B_NEXT 0xeaffffffu /* b to the next instruction */
#define BEQ_NEXT 0x0affffffu
#define DMB 0xf57ff05fu
#define ISB 0xf57ff06fu

static const struct etm_block_rules etmv3_rules;
static const struct etm_block_rules pft_rules = {.isb = true};
static const struct etm_block_rules all_rules = {
    .isb = true, .dmb_dsb = true, .insns = true};

/* Of the test at hand; a test that begins it, with BLOCKS(), need not end it.
 */
static struct {
    struct etm_image *image;
    struct etm_blocks blocks;
} s;

static inline void add(uint32_t address, const uint8_t *bytes, size_t n,
                       const struct etm_space *space)
{
    assert_ok(etm_image_add_copy(s.image, address, bytes, n, space));
}

static inline void arm(uint32_t address, const uint32_t *words, size_t n,
                       const struct etm_space *space)
{
    uint8_t bytes[4 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 4 * n; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    add(address, bytes, 4 * n, space);
}

/* Memory from `address` on has `n` times the instruction `word`. */
static inline void fill(uint32_t address, uint32_t word, size_t n,
                        const struct etm_space *space)
{
    uint32_t words[256];

    for (size_t i = 0; i < n; i++)
        words[i] = word;
    arm(address, words, n, space);
}

static inline void thumb(uint32_t address, const uint16_t *words, size_t n)
{
    uint8_t bytes[2 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 2 * n; i++)
        bytes[i] = (uint8_t)(words[i / 2] >> (8 * (i % 2)));
    add(address, bytes, 2 * n, NULL);
}

static inline int end(void **state)
{
    (void)state;
    if (s.image != NULL) {
        etm_blocks_fini(&s.blocks);
        etm_image_free(s.image);
    }
    s.image = NULL;
    return 0;
}

static inline void begin(const struct etm_block_rules *rules)
{
    (void)end(NULL);
    assert_ok(etm_image_new(&s.image, NULL));
    assert_ok(etm_blocks_init(&s.blocks, s.image, rules, NULL));
}

#define BLOCKS(name) TEST_BETWEEN(name, NULL, end)

/* Of Arm code. */
static inline struct etm_block *get(uint32_t address)
{
    return etm_blocks_get(&s.blocks, address, ETM_ISA_ARM);
}

/* So many instructions, and how it ends. */
static inline void is(const struct etm_block *block, unsigned n,
                      enum etm_block_end kind)
{
    assert_int_equal(block->n, n);
    assert_int_equal(block->end_kind, kind);
}

static inline uint32_t find(uint32_t address)
{
    return etm_blocks_find(&s.blocks, address, ETM_ISA_ARM);
}

static inline uint32_t number(uint32_t address)
{
    return etm_blocks_number(&s.blocks, address, ETM_ISA_ARM);
}

static inline struct etm_block *follow(struct etm_block *block)
{
    return etm_blocks_follow(&s.blocks, block);
}

static inline bool see(const struct etm_space *space)
{
    return etm_blocks_see(&s.blocks, space);
}

#endif
