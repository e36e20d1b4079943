/* SPDX-License-Identifier: Apache-2.0 */
#include "image/block.h"

#include "image/image.h"
#include "isa/insn.h"

#include <string.h>

#define TABLE_START 4096u
#define BLOCKS_KEPT ((size_t)1 << 20)
#define INSN_BYTES 16u /* the longest that is asked for at once */

int etm_blocks_init(struct etm_blocks *blocks, const struct etm_image *image,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator)
{
    static const struct etm_space everywhere;
    static const struct etm_step none;
    static const uint64_t no_links;
    struct etm_allocator a = etm_allocator_or_default(allocator);
    int status;

    memset(blocks, 0, sizeof *blocks);
    blocks->image = image;
    blocks->rules = *rules;
    blocks->limit = BLOCKS_KEPT;
    etm_vec_init(&blocks->slabs, sizeof(struct etm_block *), &a);
    etm_vec_init(&blocks->insns, sizeof(struct etm_block_insn), &a);
    etm_vec_init(&blocks->transfers, sizeof(struct etm_transfers), &a);
    etm_vec_init(&blocks->steps, sizeof(struct etm_step), &a);
    etm_vec_init(&blocks->links, sizeof(uint64_t), &a);
    etm_vec_init(&blocks->spaces, sizeof(struct etm_space), &a);
    status = etm_vec_append(&blocks->spaces, &everywhere, 1);
    if (status == ETM_OK && rules->steps) /* 0 is no link */
        status = etm_vec_append(&blocks->steps, &none, 1);
    if (status == ETM_OK && rules->steps)
        status = etm_vec_append(&blocks->links, &no_links, 1);
    if (status != ETM_OK)
        return status;
    blocks->table = etm_alloc_zero(&a, TABLE_START * sizeof *blocks->table);
    if (blocks->table == NULL)
        return ETM_ERR_MEMORY;
    blocks->mask = TABLE_START - 1;
    return ETM_OK;
}

void etm_blocks_fini(struct etm_blocks *blocks)
{
    struct etm_block **slabs = blocks->slabs.data;
    struct etm_allocator a = blocks->slabs.allocator;

    if (a.resize == NULL)
        return;
    for (size_t i = 0; i < blocks->slabs.n; i++)
        etm_alloc_free(&a, slabs[i]);
    etm_alloc_free(&a, blocks->table);
    blocks->table = NULL;
    etm_vec_fini(&blocks->slabs);
    etm_vec_fini(&blocks->insns);
    etm_vec_fini(&blocks->transfers);
    etm_vec_fini(&blocks->steps);
    etm_vec_fini(&blocks->links);
    etm_vec_fini(&blocks->spaces);
}

static size_t hash(uint32_t address, unsigned isa, unsigned space)
{
    uint64_t key = (uint64_t)address << 16 ^ (uint64_t)space << 4 ^ isa;

    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key >> 29);
}

static void enter(struct etm_block_entry *table, size_t mask,
                  const struct etm_block_entry *entry)
{
    size_t i = hash(entry->address, entry->isa, entry->space);

    while (table[i & mask].number != 0)
        i++;
    table[i & mask] = *entry;
}

static int grow(struct etm_blocks *blocks)
{
    const struct etm_allocator *a = &blocks->slabs.allocator;
    size_t entries = 2 * (blocks->mask + 1);
    struct etm_block_entry *table =
        etm_alloc_zero(a, entries * sizeof *blocks->table);

    if (table == NULL)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i <= blocks->mask; i++)
        if (blocks->table[i].number != 0)
            enter(table, entries - 1, &blocks->table[i]);
    etm_alloc_free(a, blocks->table);
    blocks->table = table;
    blocks->mask = entries - 1;
    return ETM_OK;
}

static struct etm_block *new_block(struct etm_blocks *blocks)
{
    struct etm_block **slabs;
    size_t slab = blocks->n / ETM_BLOCK_SLAB;

    if (blocks->n * 2 > blocks->mask && grow(blocks) != ETM_OK)
        return NULL;
    if (slab == blocks->slabs.n) {
        struct etm_block *memory =
            etm_alloc_zero(&blocks->slabs.allocator,
                           ETM_BLOCK_SLAB * sizeof(struct etm_block));
        if (memory == NULL)
            return NULL;
        if (etm_vec_append(&blocks->slabs, &memory, 1) != ETM_OK) {
            etm_alloc_free(&blocks->slabs.allocator, memory);
            return NULL;
        }
    }
    slabs = blocks->slabs.data;
    return &slabs[slab][blocks->n % ETM_BLOCK_SLAB];
}

/* Where code is read from while a block is built. */
struct reader {
    const struct etm_image *image;
    const struct etm_space *space;
    const uint8_t *span; /* at `at` */
    size_t n;            /* bytes left in span */
    uint32_t at;
};

/* Decode the instruction at `address`; false where there is no code. */
static bool read_insn(struct reader *r, struct etm_insn *insn, uint32_t address,
                      enum etm_isa isa, enum etm_profile profile)
{
    uint8_t bytes[INSN_BYTES];
    size_t n;

    if (r->n < INSN_BYTES || r->at != address) {
        if (r->image == NULL)
            return false;
        r->span = etm_image_span(r->image, address, r->space, &r->n);
        r->at = address;
        if (r->span == NULL)
            return false;
    }
    if (r->n >= INSN_BYTES) {
        etm_insn_decode(insn, isa, profile, address, r->span, r->n);
    } else { /* it may go on in the next region */
        n = etm_image_read(r->image, address, r->space, bytes, sizeof bytes);
        etm_insn_decode(insn, isa, profile, address, bytes, n);
    }
    if (insn->size == 0)
        return false;
    if (insn->size <= r->n) {
        r->span += insn->size;
        r->n -= insn->size;
        r->at += insn->size;
    } else {
        r->n = 0;
    }
    return true;
}

static enum etm_block_end end_of(const struct etm_block_rules *rules,
                                 const struct etm_insn *insn)
{
    switch ((enum etm_insn_type)insn->type) {
    case ETM_INSN_TYPE_DIRECT:
        return ETM_BLOCK_DIRECT;
    case ETM_INSN_TYPE_INDIRECT:
        return ETM_BLOCK_INDIRECT;
    case ETM_INSN_TYPE_BARRIER:
        if (insn->barrier == ETM_BARRIER_ISB ? rules->isb : rules->dmb_dsb)
            return ETM_BLOCK_BARRIER;
        break;
    case ETM_INSN_TYPE_OTHER:
        break;
    }
    return ETM_BLOCK_FALL;
}

/*
 * Whether the condition of the last instruction cannot fail. In Thumb it may
 * stand in an IT block that began before this block: only after four
 * instructions without an IT is that impossible (Armv7-A manual, A8.8.54).
 */
static bool cannot_fail(enum etm_isa isa, const struct etm_insn *insn,
                        unsigned index, unsigned it_free)
{
    if (insn->flags & ETM_INSN_CONDITIONAL)
        return false;
    return isa == ETM_ISA_ARM || (index >= 4 && it_free >= 4);
}

/* An empty step for a block, which is the next one. */
static int keep_step(struct etm_blocks *blocks, struct etm_block *block)
{
    struct etm_step empty = {.start = block->address, .isa = block->isa};
    uint64_t links = 0;
    int status;

    if (!blocks->rules.steps)
        return ETM_OK;
    block->step = (uint32_t)blocks->n + 1;
    blocks->steps.n = blocks->links.n = block->step;
    status = etm_vec_append(&blocks->steps, &empty, 1);
    if (status == ETM_OK)
        status = etm_vec_append(&blocks->links, &links, 1);
    return status;
}

static int keep_insn(struct etm_blocks *blocks, const struct etm_insn *insn)
{
    struct etm_block_insn kept = {.opcode = insn->opcode,
                                  .type = insn->type,
                                  .flags = insn->flags,
                                  .size = insn->size};
    int status = ETM_OK;

    if (blocks->rules.insns)
        status = etm_vec_append(&blocks->insns, &kept, 1);
    if (blocks->rules.transfers && status == ETM_OK)
        status = etm_vec_append(&blocks->transfers, &insn->transfers, 1);
    return status;
}

static int build(struct etm_blocks *blocks, struct etm_block *block)
{
    const struct etm_space *spaces = blocks->spaces.data;
    struct reader r = {.image = blocks->image, .space = &spaces[block->space]};
    enum etm_isa isa = (enum etm_isa)block->isa;
    /* a bytecode has its own length: no mask of two lengths holds it */
    unsigned most = isa == ETM_ISA_JAZELLE ? 1 : ETM_BLOCK_MAX;
    unsigned it_free = 0;
    uint32_t at = block->address;

    block->insns = (uint32_t)blocks->insns.n;
    block->transfers = (uint32_t)blocks->transfers.n;
    while (block->n < most) {
        struct etm_insn insn;
        if ((block->n != 0 && at == 0) ||
            !read_insn(&r, &insn, at, isa, blocks->rules.profile))
            break;
        if (keep_insn(blocks, &insn) != ETM_OK)
            return ETM_ERR_MEMORY;
        if (isa != ETM_ISA_ARM && insn.size == 4)
            block->wide |= UINT64_C(1) << block->n;
        if (insn.transfers.kind != ETM_TRANSFER_NONE)
            block->data |= UINT64_C(1) << block->n;
        if (insn.type == ETM_INSN_TYPE_BARRIER)
            block->barriers |= UINT64_C(1) << block->n;
        block->always = cannot_fail(isa, &insn, block->n, it_free);
        it_free = insn.it != 0 ? 0 : it_free + 1;
        block->last = at;
        block->last_type = insn.type;
        block->last_flags = insn.flags;
        block->n++;
        at += insn.size;
        block->end_kind = (uint8_t)end_of(&blocks->rules, &insn);
        if (block->end_kind != ETM_BLOCK_FALL) {
            block->target = insn.target;
            block->target_isa = insn.target_isa;
            break;
        }
    }
    if (block->n == 0)
        block->end_kind = ETM_BLOCK_NO_CODE;
    block->end = at;
    return ETM_OK;
}

/* Build the block that is in no table yet; 0 when memory is short. */
static uint32_t add(struct etm_blocks *blocks, uint32_t address,
                    enum etm_isa isa)
{
    struct etm_block_entry entry = {.address = address,
                                    .number = (uint32_t)blocks->n + 1,
                                    .space = blocks->space,
                                    .isa = (uint8_t)isa};
    struct etm_block *block = new_block(blocks);

    if (block == NULL)
        return 0;
    *block = (struct etm_block){.address = address,
                                .end = address,
                                .last = address,
                                .isa = (uint8_t)isa,
                                .space = blocks->space};
    if (build(blocks, block) != ETM_OK || keep_step(blocks, block) != ETM_OK)
        return 0;
    blocks->n++;
    enter(blocks->table, blocks->mask, &entry);
    return entry.number;
}

uint32_t etm_blocks_number(struct etm_blocks *blocks, uint32_t address,
                           enum etm_isa isa)
{
    size_t i = hash(address, (unsigned)isa, blocks->space);
    const struct etm_block_entry *at;

    for (; (at = &blocks->table[i & blocks->mask])->number != 0; i++)
        if (at->address == address && at->isa == (uint8_t)isa &&
            at->space == blocks->space)
            return at->number;
    return add(blocks, address, isa);
}

struct etm_block *etm_blocks_get(struct etm_blocks *blocks, uint32_t address,
                                 enum etm_isa isa)
{
    uint32_t number = etm_blocks_number(blocks, address, isa);

    return number != 0 ? etm_blocks_of_step(blocks, number) : NULL;
}

int etm_blocks_see(struct etm_blocks *blocks, const struct etm_space *space)
{
    const struct etm_space *spaces = blocks->spaces.data;
    struct etm_space seen = *space;
    size_t i;

    if (blocks->image == NULL || !blocks->image->particular)
        return false;
    if (!seen.has_context)
        seen.context_id = 0;
    for (i = 0; i < blocks->spaces.n; i++)
        if (spaces[i].secure == seen.secure &&
            spaces[i].has_context == seen.has_context &&
            spaces[i].context_id == seen.context_id)
            break;
    if (i == blocks->spaces.n) {
        if (i > UINT16_MAX || etm_vec_append(&blocks->spaces, &seen, 1) != 0)
            return ETM_ERR_MEMORY;
    }
    if (blocks->space == i)
        return false;
    blocks->space = (uint16_t)i;
    return true;
}

bool etm_blocks_trim(struct etm_blocks *blocks)
{
    struct etm_space *spaces = blocks->spaces.data;

    if (blocks->n <= blocks->limit && blocks->spaces.n <= UINT16_MAX / 2)
        return false;
    memset(blocks->table, 0, (blocks->mask + 1) * sizeof *blocks->table);
    blocks->n = 0;
    blocks->insns.n = 0;
    blocks->transfers.n = 0;
    if (blocks->steps.n != 0)
        blocks->steps.n = blocks->links.n = 1;
    if (blocks->space != 0) { /* keep the one in force */
        spaces[1] = spaces[blocks->space];
        blocks->space = 1;
    }
    blocks->spaces.n = (size_t)blocks->space + 1;
    return true;
}
