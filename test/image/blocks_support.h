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

struct setup {
    struct etm_image *image;
    struct etm_blocks blocks;
};

static inline void arm(struct setup *s, uint32_t address, const uint32_t *words,
                       size_t n, const struct etm_space *space)
{
    uint8_t bytes[4 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 4 * n; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    assert_ok(etm_image_add_copy(s->image, address, bytes, 4 * n, space));
}

static inline void thumb(struct setup *s, uint32_t address,
                         const uint16_t *words, size_t n)
{
    uint8_t bytes[2 * 256];

    assert_true(n <= 256);
    for (size_t i = 0; i < 2 * n; i++)
        bytes[i] = (uint8_t)(words[i / 2] >> (8 * (i % 2)));
    assert_ok(etm_image_add_copy(s->image, address, bytes, 2 * n, NULL));
}

static inline void begin(struct setup *s, const struct etm_block_rules *rules)
{
    assert_ok(etm_image_new(&s->image, NULL));
    assert_ok(etm_blocks_init(&s->blocks, s->image, rules, NULL));
}

static inline void end(struct setup *s)
{
    etm_blocks_fini(&s->blocks);
    etm_image_free(s->image);
}

#endif
