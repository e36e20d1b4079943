/* SPDX-License-Identifier: Apache-2.0 */
#include "image/block.h"

#include "image/image.h"
#include "isa/insn.h"

#include <string.h>

#define TABLE_START 64u
#define BLOCKS_KEPT ((size_t)1000000)
#define WEIGHT 4u
#define INSN_BYTES 16u /* the longest that is asked for at once */

int etm_blocks_init(struct etm_blocks *blocks, const struct etm_image *image,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator)
{
    static const struct etm_seen_space everywhere;
    static const struct etm_link nowhere;
    struct etm_allocator a = etm_allocator_or_default(allocator);
    int status;

    memset(blocks, 0, sizeof *blocks);
    blocks->image = image;
    blocks->rules = *rules;
    blocks->limit = BLOCKS_KEPT;
    etm_vec_init(&blocks->links, sizeof(struct etm_link), &a);
    etm_vec_init(&blocks->insns, sizeof(struct etm_block_insn), &a);
    etm_vec_init(&blocks->transfers,
                 rules->counts ? sizeof(struct etm_block_row)
                               : sizeof(struct etm_transfers),
                 &a);
    etm_counts_init(&blocks->counts, &a);
    etm_vec_init(&blocks->spaces, sizeof(struct etm_seen_space), &a);
    status = etm_vec_append(&blocks->spaces, &everywhere, 1);
    if (status == ETM_OK) /* numbers begin with 1 */
        status = etm_vec_append(&blocks->links, &nowhere, 1);
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
    struct etm_link *links = blocks->links.data;
    struct etm_allocator a = blocks->links.allocator;

    if (a.resize == NULL)
        return;
    for (size_t i = 1; i < blocks->links.n; i += ETM_BLOCK_SLAB)
        etm_alloc_free(&a, links[i].block);
    etm_alloc_free(&a, blocks->table);
    blocks->table = NULL;
    etm_vec_fini(&blocks->insns);
    etm_vec_fini(&blocks->transfers);
    etm_vec_fini(&blocks->links);
    etm_counts_fini(&blocks->counts);
    etm_vec_fini(&blocks->spaces);
}

/* Put block `number` into the hash table. */
static void enter(uint32_t *table, size_t mask, const struct etm_block *block,
                  uint32_t number)
{
    uint64_t hash = etm_blocks_hash(block->address, block->isa, block->space);
    uint64_t i = hash;

    while (table[i & mask] != 0)
        i++;
    table[i & mask] = etm_blocks_tag(hash) | number;
}

static int grow(struct etm_blocks *blocks)
{
    const struct etm_allocator *a = &blocks->links.allocator;
    size_t entries = 2 * (blocks->mask + 1);
    uint32_t *table = etm_alloc_zero(a, entries * sizeof *table);

    if (table == NULL)
        return ETM_ERR_MEMORY;
    for (uint32_t i = 1; i <= blocks->n; i++)
        enter(table, entries - 1, etm_blocks_at(blocks, i), i);
    etm_alloc_free(a, blocks->table);
    blocks->table = table;
    blocks->mask = entries - 1;
    return ETM_OK;
}

/* Memory for more blocks, the first of which has this number. */
static int new_slab(struct etm_blocks *blocks, size_t number)
{
    const struct etm_allocator *a = &blocks->links.allocator;
    struct etm_block *memory =
        a->resize(a->context, NULL, ETM_BLOCK_SLAB * sizeof *memory);
    struct etm_link *links;

    if (memory == NULL)
        return ETM_ERR_MEMORY;
    if (etm_vec_reserve(&blocks->links, ETM_BLOCK_SLAB) != ETM_OK) {
        etm_alloc_free(a, memory);
        return ETM_ERR_MEMORY;
    }
    links = blocks->links.data;
    for (size_t i = 0; i < ETM_BLOCK_SLAB; i++)
        links[number + i].block = &memory[i];
    blocks->links.n = number + ETM_BLOCK_SLAB;
    return ETM_OK;
}

/* Memory for one more block. */
static struct etm_block *new_block(struct etm_blocks *blocks)
{
    uint32_t number = (uint32_t)blocks->n + 1;

    if (number > ETM_BLOCK_NUMBER ||
        (number * 2 > blocks->mask && grow(blocks) != ETM_OK) ||
        (number >= blocks->links.n && new_slab(blocks, number) != ETM_OK))
        return NULL;
    return etm_blocks_at(blocks, number);
}

/* Where code is read from while a block is built. */
struct reader {
    const struct etm_image *image;
    const struct etm_space *space;
    const uint8_t *span; /* at the address of the next instruction */
    size_t n;            /* bytes left in span; 0: look up the next span */
};

/* read_insn() for a span that may be too short for an instruction. */
static bool read_across(struct reader *r, struct etm_insn *insn,
                        uint32_t address, enum etm_isa isa,
                        enum etm_profile profile)
{
    uint8_t bytes[INSN_BYTES];
    struct etm_insn read;
    size_t n;

    if (r->image == NULL)
        return false;
    r->span = etm_image_span(r->image, address, r->space, &r->n);
    if (r->span == NULL)
        return false;
    if (r->n >= INSN_BYTES) {
        etm_insn_decode(&read, isa, profile, address, r->span, r->n);
    } else { /* it may go on in the next region */
        n = etm_image_read(r->image, address, r->space, bytes, sizeof bytes);
        etm_insn_decode(&read, isa, profile, address, bytes, n);
    }
    if (read.size == 0) /* *insn, the one before, is still needed */
        return false;
    *insn = read;
    return true;
}

/* Decode the instruction at `address`, which follows the previous one; false if
 * there is no code. */
static inline bool read_insn(struct reader *r, struct etm_insn *insn,
                             uint32_t address, enum etm_isa isa,
                             enum etm_profile profile)
{
    if (r->n >= INSN_BYTES)
        etm_insn_decode(insn, isa, profile, address, r->span, r->n);
    else if (!read_across(r, insn, address, isa, profile))
        return false;
    if (insn->size > r->n) {
        r->n = 0;
    } else {
        r->span += insn->size;
        r->n -= insn->size;
    }
    return insn->size != 0;
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

bool etm_block_cannot_fail(const struct etm_block *first,
                           const struct etm_block *last)
{
    const struct etm_block *before = NULL;
    unsigned it_free = last->it_free_before;

    if (last->last_flags & ETM_INSN_CONDITIONAL)
        return false;
    if (last->isa == ETM_ISA_ARM)
        return true;
    /* it may be in an IT block that began before the path did */
    for (const struct etm_block *b = first; b != last; b = b->next)
        before = b;
    if (before != NULL && it_free + 1u == last->n)
        it_free += before->it_free_after;
    return it_free >= ETM_IT_REACH;
}

/* Is a block of n instructions long enough to be cut, and `at` a place where it
 * may be cut? */
static inline bool is_cut(const struct etm_block *b, unsigned n, uint32_t at)
{
    unsigned bits =
        b->isa == ETM_ISA_ARM ? ETM_BLOCK_CUT_ARM : ETM_BLOCK_CUT_THUMB;

    return n >= ETM_BLOCK_CUT && at >> bits != b->last >> bits;
}

static inline struct etm_block_insn insn_at(const struct etm_insn *insn,
                                            uint32_t address, enum etm_isa isa)
{
    return (struct etm_block_insn){.isa = (uint8_t)isa,
                                   .type = insn->type,
                                   .flags = insn->flags,
                                   .size = insn->size,
                                   .address = address,
                                   .opcode = insn->opcode};
}

static int keep_row(struct etm_blocks *blocks, const struct etm_insn *insn)
{
    struct etm_block_row row = {.transfers = insn->transfers};

    return etm_vec_append(&blocks->transfers, &row, 1);
}

/* Decode block *b, of which only the key is set. */
static int build(struct etm_blocks *blocks, struct etm_block *b)
{
    const struct etm_seen_space *spaces = blocks->spaces.data;
    const struct etm_block_rules rules = blocks->rules;
    struct reader r = {.image = blocks->image,
                       .space = &spaces[b->space].space};
    const enum etm_isa isa = (enum etm_isa)b->isa;
    const bool thumb = isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE;
    const uint8_t wide_size = thumb ? 4 : 0;
    /* a bytecode has any length, and a mask can only hold two */
    const unsigned most = isa == ETM_ISA_JAZELLE ? 1 : ETM_BLOCK_MAX;
    unsigned n = 0, it_free = 0;
    struct etm_block_insn insns[ETM_BLOCK_MAX];
    uint32_t at = b->address;
    struct etm_insn insn;

    while (n < most && (n == 0 || at != 0) &&
           read_insn(&r, &insn, at, isa, rules.profile)) {
        if (rules.isb && insn.barrier == ETM_BARRIER_SAME_STATE)
            insn.type = ETM_INSN_TYPE_DIRECT; /* E-81 */
        if (rules.insns)
            insns[n] = insn_at(&insn, at, isa);
        if (rules.transfers && insn.transfers.kind != ETM_TRANSFER_NONE &&
            keep_row(blocks, &insn) != ETM_OK)
            return ETM_ERR_MEMORY;
        b->wide |= (uint64_t)(insn.size == wide_size) << n;
        b->data |= (uint64_t)(insn.transfers.kind != ETM_TRANSFER_NONE) << n;
        b->conditional |= (uint64_t)((insn.flags & ETM_INSN_CONDITIONAL) != 0)
                          << n;
        b->it_free_before = (uint8_t)it_free;
        it_free = insn.it != 0 ? 0 : it_free + (it_free < ETM_IT_REACH);
        b->last = at;
        at += insn.size;
        n++;
        b->barriers |= (uint64_t)(insn.type == ETM_INSN_TYPE_BARRIER)
                       << (n - 1);
        b->end_kind = (uint8_t)end_of(&rules, &insn);
        if (b->end_kind != ETM_BLOCK_FALL || is_cut(b, n, at))
            break;
    }
    b->n = n;
    b->it_free_after = (uint8_t)it_free;
    b->end = at;
    if (n == 0) {
        b->end_kind = ETM_BLOCK_NO_CODE;
        return ETM_OK;
    }
    b->last_type = insn.type;
    b->last_flags = insn.flags;
    if (b->end_kind == ETM_BLOCK_FALL) {
        if (rules.insns)
            b->insns = ETM_BLOCK_LATER;
        return ETM_OK;
    }
    b->target = insn.target;
    b->target_isa = insn.target_isa;
    if (b->end_kind == ETM_BLOCK_BARRIER) {
        b->target = at;
        b->target_isa = b->isa;
    }
    return rules.insns ? etm_vec_append(&blocks->insns, insns, n) : ETM_OK;
}

/* Update the weight, after something was kept. */
static void weigh(struct etm_blocks *blocks)
{
    blocks->weight =
        blocks->n + (blocks->insns.n + blocks->transfers.n) / WEIGHT;
}

/* Append the instructions of a block to those that are kept; there is room for
 * them. */
static void put_insns(struct etm_blocks *blocks, const struct etm_block *block)
{
    const struct etm_seen_space *spaces = blocks->spaces.data;
    const enum etm_isa isa = (enum etm_isa)block->isa;
    struct reader r = {.image = blocks->image,
                       .space = &spaces[block->space].space};
    struct etm_block_insn *all = blocks->insns.data;
    struct etm_block_insn *insns = all + blocks->insns.n;
    uint32_t at = block->address;
    struct etm_insn insn;

    blocks->insns.n += block->n;
    if (block->insns != ETM_BLOCK_LATER) {
        memcpy(insns, all + block->insns, block->n * sizeof *insns);
        return;
    }
    for (unsigned i = 0; i < block->n; i++, at += insn.size) {
        (void)read_insn(&r, &insn, at, isa, blocks->rules.profile);
        insns[i] = insn_at(&insn, at, isa);
    }
}

bool etm_blocks_keep_block(struct etm_blocks *blocks, struct etm_block *block)
{
    uint32_t first = (uint32_t)blocks->insns.n;

    if (etm_vec_reserve(&blocks->insns, block->n) != ETM_OK)
        return false;
    put_insns(blocks, block);
    block->insns = first;
    weigh(blocks);
    return true;
}

uint32_t etm_blocks_add(struct etm_blocks *blocks, uint32_t address,
                        enum etm_isa isa)
{
    struct etm_block block = {.address = address,
                              .last = address,
                              .insns = (uint32_t)blocks->insns.n,
                              .rows = (uint32_t)blocks->transfers.n,
                              .isa = (uint8_t)isa,
                              .number = (uint32_t)blocks->n + 1,
                              .space = blocks->space};
    struct etm_block *place = new_block(blocks);
    struct etm_link *link;

    if (place == NULL || build(blocks, &block) != ETM_OK)
        return 0;
    link = (struct etm_link *)blocks->links.data + block.number;
    link->to[0] = link->to[1] = 0;
    *place = block;
    blocks->n++;
    weigh(blocks);
    enter(blocks->table, blocks->mask, place, block.number);
    return block.number;
}

struct etm_block *etm_blocks_get(struct etm_blocks *blocks, uint32_t address,
                                 enum etm_isa isa)
{
    uint32_t number = etm_blocks_number(blocks, address, isa);

    return number != 0 ? etm_blocks_at(blocks, number) : NULL;
}

static bool is_same(const struct etm_space *a, const struct etm_space *b)
{
    return a->context_id == b->context_id && a->secure == b->secure &&
           a->has_context == b->has_context;
}

/* The bucket of a space among `n` of them. */
static size_t bucket_of(const struct etm_space *space, size_t n)
{
    uint32_t hash = space->context_id ^ (uint32_t)space->secure << 30;
    uint32_t mask = (uint32_t)n;

    for (unsigned shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    return (hash * UINT32_C(0x9e3779b1) >> 8) & (mask >> 1);
}

/* Put a space into its bucket. */
static void put_space(struct etm_blocks *blocks, size_t i)
{
    struct etm_seen_space *spaces = blocks->spaces.data;
    size_t bucket = bucket_of(&spaces[i].space, blocks->spaces.n);

    spaces[i].next = spaces[bucket].first;
    spaces[bucket].first = (uint16_t)i;
}

/* Put all spaces into buckets again: the number of buckets has changed. */
static void put_spaces(struct etm_blocks *blocks)
{
    struct etm_seen_space *spaces = blocks->spaces.data;

    for (size_t i = 0; i < blocks->spaces.n; i++)
        spaces[i].first = 0;
    for (size_t i = 1; i < blocks->spaces.n; i++)
        put_space(blocks, i);
}

/* The number of a space that is not everywhere; 0: no memory. */
static size_t number_of(struct etm_blocks *blocks,
                        const struct etm_space *space)
{
    const struct etm_seen_space *spaces = blocks->spaces.data;
    struct etm_seen_space seen = {.space = *space};
    size_t n = blocks->spaces.n;
    size_t i = spaces[bucket_of(space, n)].first;

    while (i != 0 && !is_same(&spaces[i].space, space))
        i = spaces[i].next;
    if (i != 0 || n > UINT16_MAX ||
        etm_vec_append(&blocks->spaces, &seen, 1) != ETM_OK)
        return i;
    if ((n & (n + 1)) == 0)
        put_spaces(blocks);
    else
        put_space(blocks, n);
    return n;
}

int etm_blocks_see(struct etm_blocks *blocks, const struct etm_space *space)
{
    struct etm_space seen = *space;
    size_t i = 0;

    if (blocks->image == NULL || !blocks->image->particular)
        return false;
    /* spaces with the same code are one */
    if (seen.has_context && !etm_image_names(blocks->image, seen.context_id))
        seen.has_context = false;
    if (!seen.has_context)
        seen.context_id = 0;
    if (!blocks->image->by_security)
        seen.secure = ETM_UNKNOWN;
    if (seen.has_context || seen.secure != ETM_UNKNOWN) {
        i = number_of(blocks, &seen);
        if (i == 0)
            return ETM_ERR_MEMORY;
    }
    if (blocks->space == i)
        return false;
    blocks->space = (uint16_t)i;
    return true;
}

bool etm_blocks_trim(struct etm_blocks *blocks)
{
    struct etm_seen_space *spaces = blocks->spaces.data;

    if (!etm_blocks_full(blocks))
        return false;
    etm_blocks_fold(blocks);
    memset(blocks->table, 0, (blocks->mask + 1) * sizeof *blocks->table);
    blocks->n = blocks->weight = 0;
    blocks->insns.n = 0;
    blocks->transfers.n = 0;
    if (blocks->space != 0) { /* keep the current space */
        spaces[1] = spaces[blocks->space];
        blocks->space = 1;
    }
    blocks->spaces.n = (size_t)blocks->space + 1;
    put_spaces(blocks);
    return true;
}
