/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache of decoded, linked blocks.
 *
 * A block is a run of instructions up to and including the first one that can
 * change the flow in a way that the trace records. It is decoded once; after
 * that, following the program is one step along a link.
 *
 * A cache belongs to one flow: what ends a block depends on the protocol (a
 * waypoint in PFT, a branch in ETM).
 */
#ifndef ETM_IMAGE_BLOCK_H
#define ETM_IMAGE_BLOCK_H

#include "base/vec.h"
#include "image/counts.h"
#include "isa/insn.h"

#include <etm/decode.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Why a block ends. */
enum etm_block_end {
    ETM_BLOCK_FALL = 0, /* it is full: the code continues at `end` */
    ETM_BLOCK_DIRECT,
    ETM_BLOCK_INDIRECT,
    ETM_BLOCK_BARRIER, /* a waypoint that does not branch */
    ETM_BLOCK_NO_CODE  /* no code at `address`; n is 0 */
};

/*
 * Maximum number of instructions in a block: one bit each in `wide`. A block
 * that would have so many ends earlier, before an address at which others end
 * too: wherever a long straight line is entered, the paths meet there, and what
 * follows is found only once. Such an address differs from that of the
 * instruction before it in the bits from ETM_BLOCK_CUT_ARM or
 * ETM_BLOCK_CUT_THUMB on.
 */
#define ETM_BLOCK_MAX 64u
#define ETM_BLOCK_CUT 32u /* its fewest instructions then */
#define ETM_BLOCK_CUT_ARM 7u
#define ETM_BLOCK_CUT_THUMB 6u

/*
 * `insns` of a full block: where no branch comes for long, most blocks are only
 * passed on the way to one, and their instructions would soon be more than can
 * be kept. They are kept when they are asked for.
 */
#define ETM_BLOCK_LATER UINT32_MAX

/* This many instructions without an IT before a Thumb instruction mean that it
 * is not in an IT block (Armv7-A manual, A8.8.54). */
#define ETM_IT_REACH 4u

/* Blocks in a slab of memory. */
#define ETM_BLOCK_SLAB 1024u

/* One instruction; only if rules.insns. It has the memory layout of the
 * beginning of an `insn` element, with 0 for `exec`. */
struct etm_block_insn {
    uint8_t isa;   /* enum etm_isa */
    uint8_t type;  /* enum etm_insn_type */
    uint8_t zero;  /* in the place of exec */
    uint8_t flags; /* enum etm_insn_flag */
    uint8_t size;  /* bytes */
    uint8_t gap[3];
    uint32_t address;
    uint32_t opcode;
};
#define ETM_BLOCK_INSN_SAME(member, field)                                     \
    (offsetof(struct etm_block_insn, member) ==                                \
     offsetof(struct etm_element, u.insn.field) -                              \
         offsetof(struct etm_element, u.insn))
static_assert(ETM_BLOCK_INSN_SAME(isa, isa) &&
                  ETM_BLOCK_INSN_SAME(type, type) &&
                  ETM_BLOCK_INSN_SAME(zero, exec) &&
                  ETM_BLOCK_INSN_SAME(flags, flags) &&
                  ETM_BLOCK_INSN_SAME(size, size) &&
                  ETM_BLOCK_INSN_SAME(address, address) &&
                  ETM_BLOCK_INSN_SAME(opcode, opcode),
              "an instruction is copied into an element");

/* What a loop needs of each block comes first, in the same cache line. */
struct etm_block {
    struct etm_block *taken; /* at `target`; NULL: not looked up yet */
    struct etm_block *next;  /* at `end`; NULL: not looked up yet */
    /* as in a range element, to be copied there (flow/fast.h) */
    uint8_t isa;        /* enum etm_isa */
    uint8_t last_type;  /* enum etm_insn_type */
    uint8_t end_kind;   /* enum etm_block_end, in the place of last_exec */
    uint8_t last_flags; /* enum etm_insn_flag */
    uint32_t address;
    uint32_t end;  /* after the last instruction */
    uint32_t n;    /* instructions */
    uint32_t last; /* address of the last instruction */

    uint32_t rows; /* index of the first etm_block_row, if it has any */
    union {
        uint32_t insns; /* index of the first etm_block_insn, or
                           ETM_BLOCK_LATER */
        /* If executions are counted: how often the range from instruction
         * `from` to the last one was executed since it was last folded, if that
         * passed and if it failed. */
        uint32_t hits[2];
    };
    uint16_t space; /* in which the code was read */
    uint8_t from;
    uint8_t target_isa;
    /* The number of consecutive instructions without an IT, up to ETM_IT_REACH:
     * right before the last instruction, and right before `end`. */
    uint8_t it_free_before, it_free_after;
    uint32_t target;      /* of a direct branch; `end` after a barrier */
    uint32_t number;      /* see etm_blocks_at() */
    uint64_t wide;        /* bit i: instruction i is a 32-bit Thumb one */
    uint64_t data;        /* bit i: instruction i makes data transfers */
    uint64_t barriers;    /* bit i: instruction i is ISB, DSB or DMB */
    uint64_t conditional; /* bit i: ETM_INSN_CONDITIONAL of instruction i */
};

/* What is kept of an instruction that makes data transfers, if data are traced.
 * If executions are counted there is also, next to what is read anyway, the
 * count of ranges that begin with instruction `from` of the block and end with
 * this one, which passed but is not the last one of the block. */
struct etm_block_row {
    struct etm_transfers transfers;
    uint32_t hits;
    uint32_t from;
};

/*
 * A block by number, and where it leads to if its last instruction passes and
 * if it fails; 0: not known. Nothing else has to be read before the next block
 * can be looked at, so that a loop from block to block does not wait for their
 * memory. What may be linked is for the flow to say.
 */
struct etm_link {
    struct etm_block *block;
    uint32_t to[2]; /* [1]: failed */
};

struct etm_block_rules {
    enum etm_profile profile;
    bool isb;       /* ISB, ENTERX and LEAVEX always end a block (PFT) */
    bool dmb_dsb;   /* DMB and DSB end a block */
    bool insns;     /* keep struct etm_block_insn */
    bool transfers; /* keep struct etm_block_row */
    bool counts;    /* count executions in the blocks and their rows, and keep
                       a table of them */
};

/*
 * The table of blocks by address has a 32-bit entry for each: its number, and
 * above that eight bits of the hash of its key, so that few blocks are looked
 * at in vain. 0: free. The table is small, because it is read all over.
 */
#define ETM_BLOCK_NUMBER UINT32_C(0xffffff)
#define ETM_BLOCK_TAG 24u

/*
 * An address space that was seen. As each process may be one, they are found by
 * a hash: entry `i` also holds the first one of bucket `i`. The number of
 * buckets is the largest power of two that is not above the number of spaces.
 */
struct etm_seen_space {
    struct etm_space space;
    uint16_t first; /* 0: none */
    uint16_t next;  /* the next of the same bucket; 0: none */
};

struct etm_blocks {
    const struct etm_image *image; /* borrowed; NULL: no code */
    struct etm_block_rules rules;
    struct etm_vec links;     /* struct etm_link by number, of all blocks that
                                 there is memory for */
    size_t n;                 /* blocks in use */
    struct etm_vec insns;     /* struct etm_block_insn */
    struct etm_vec transfers; /* struct etm_block_row, or its beginning */
    struct etm_counts counts; /* executions that were folded */
    struct etm_vec spaces;    /* struct etm_seen_space; 0 is everywhere */
    uint32_t *table;          /* see ETM_BLOCK_NUMBER */
    size_t mask;              /* entries in table, less one */
    size_t weight;            /* blocks, plus a quarter of the instructions or
                                 rows that are kept with them */
    size_t limit;             /* maximum of `weight` */
    uint16_t space;           /* the current one */
};

int etm_blocks_init(struct etm_blocks *blocks, const struct etm_image *image,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator);
void etm_blocks_fini(struct etm_blocks *blocks);

/*
 * The block at `address`; NULL only when out of memory. Pointers stay valid
 * until etm_blocks_trim() says otherwise.
 */
struct etm_block *etm_blocks_get(struct etm_blocks *blocks, uint32_t address,
                                 enum etm_isa isa);

/* The block of this number, which is not 0. */
static inline struct etm_block *etm_blocks_at(const struct etm_blocks *blocks,
                                              uint32_t number)
{
    return ((struct etm_link *)blocks->links.data)[number].block;
}

/* Low bits: where the search for the block in the table begins. High bits:
 * ETM_BLOCK_TAG. */
static inline uint64_t etm_blocks_hash(uint32_t address, unsigned isa,
                                       unsigned space)
{
    uint64_t key = (uint64_t)address << 16 ^ (uint64_t)space << 4 ^ isa;

    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 32;
}

static inline uint32_t etm_blocks_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 56) << ETM_BLOCK_TAG;
}

/* Whether block `number`, which is not 0, is the one at `address`. */
static inline bool etm_blocks_is(const struct etm_blocks *blocks,
                                 uint32_t number, uint32_t address,
                                 enum etm_isa isa)
{
    const struct etm_block *block = etm_blocks_at(blocks, number);

    return block->address == address && block->isa == isa &&
           block->space == blocks->space;
}

/* The number of the block at `address`, 0 if there is none yet. */
static inline uint32_t etm_blocks_find(const struct etm_blocks *blocks,
                                       uint32_t address, enum etm_isa isa)
{
    uint64_t i = etm_blocks_hash(address, (unsigned)isa, blocks->space);
    uint32_t tag = etm_blocks_tag(i), entry;

    for (; (entry = blocks->table[i & blocks->mask]) != 0; i++)
        if ((entry ^ tag) <= ETM_BLOCK_NUMBER &&
            etm_blocks_is(blocks, entry ^ tag, address, isa))
            return entry ^ tag;
    return 0;
}

/* Build a block that is not there yet. Its number; 0 only when out of
 * memory. */
uint32_t etm_blocks_add(struct etm_blocks *blocks, uint32_t address,
                        enum etm_isa isa);

/* The number of the block at `address`, which is built if it is not there yet;
 * 0 only when out of memory. */
static inline uint32_t etm_blocks_number(struct etm_blocks *blocks,
                                         uint32_t address, enum etm_isa isa)
{
    uint32_t number = etm_blocks_find(blocks, address, isa);

    return number != 0 ? number : etm_blocks_add(blocks, address, isa);
}

/* Follow a link; NULL only when out of memory. */
static inline struct etm_block *etm_blocks_follow(struct etm_blocks *blocks,
                                                  struct etm_block *block)
{
    if (block->next == NULL)
        block->next =
            etm_blocks_get(blocks, block->end, (enum etm_isa)block->isa);
    return block->next;
}

static inline struct etm_block *etm_blocks_take(struct etm_blocks *blocks,
                                                struct etm_block *block)
{
    if (block->taken == NULL)
        block->taken = etm_blocks_get(blocks, block->target,
                                      (enum etm_isa)block->target_isa);
    return block->taken;
}

/*
 * Say which code is visible from now on: blocks got before stay valid. True if
 * this differs from before, or a negative status when out of memory.
 */
int etm_blocks_see(struct etm_blocks *blocks, const struct etm_space *space);

/* Whether the condition of the last instruction of `last` cannot fail. The path
 * to it leads from the beginning of `first` over blocks that are full. */
bool etm_block_cannot_fail(const struct etm_block *first,
                           const struct etm_block *last);

/* Keep the instructions of a block with ETM_BLOCK_LATER; false when out of
 * memory. */
bool etm_blocks_keep_block(struct etm_blocks *blocks, struct etm_block *block);

/* The instructions of any block, valid until more are kept; NULL when out of
 * memory. */
static inline const struct etm_block_insn *
etm_blocks_insns(struct etm_blocks *blocks, struct etm_block *block)
{
    if (block->insns == ETM_BLOCK_LATER &&
        !etm_blocks_keep_block(blocks, block))
        return NULL;
    return (const struct etm_block_insn *)blocks->insns.data + block->insns;
}

/* What is kept of instruction i of a block, which makes data transfers, if data
 * are traced. */
static inline struct etm_block_row *
etm_block_row(const struct etm_blocks *blocks, const struct etm_block *block,
              unsigned i)
{
    /* the number of bits set, by four bits: most blocks need but one step */
    const uint64_t ones = UINT64_C(0x4332322132212110);
    uint64_t before = block->data & ((UINT64_C(1) << i) - 1);
    size_t row = block->rows;

    for (; before != 0; before >>= 4)
        row += ones >> 4 * (before & 15) & 7;
    return (struct etm_block_row *)((char *)blocks->transfers.data +
                                    row * blocks->transfers.width);
}

/* The transfers of an instruction. */
static inline const struct etm_transfers *
etm_block_transfers(const struct etm_blocks *blocks,
                    const struct etm_block *block, unsigned i)
{
    return &etm_block_row(blocks, block, i)->transfers;
}

/*
 * Fold executions that were counted in blocks into blocks->counts;
 * out of memory: see its status. This must be done in time: a counter is full
 * after 2^32 executions of a range.
 */
void etm_blocks_fold(struct etm_blocks *blocks);

/*
 * Move executions, whether folded or not, into a table, as
 * etm_counts_hand_over() does; afterwards nothing is counted here. ETM_OK, or
 * ETM_ERR_MEMORY if something is missing.
 */
int etm_blocks_take_counts(struct etm_blocks *blocks, etm_count_fn *add,
                           struct etm_counts *to);

/* Forget all executions. */
void etm_blocks_drop_counts(struct etm_blocks *blocks);

/* Maximum number of spaces to keep: a long capture may have any number of
 * context IDs with code. Far below the largest number, since blocks cannot be
 * forgotten at every point. */
#define ETM_BLOCK_SPACES 32768u

/* Whether there are too many blocks, instructions of them, or spaces. */
static inline bool etm_blocks_full(const struct etm_blocks *blocks)
{
    return blocks->weight > blocks->limit ||
           blocks->spaces.n > ETM_BLOCK_SPACES;
}

/* Forget everything if there is too much. True if so: every pointer got before
 * is invalid then. Counts are folded. */
bool etm_blocks_trim(struct etm_blocks *blocks);

/* The number of bits set. */
static inline uint32_t etm_bits_set(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) +
        (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Address of instruction i of a block, 0 <= i <= n. */
static inline uint32_t etm_block_address(const struct etm_block *block,
                                         unsigned i)
{
    if (i == 0)
        return block->address;
    if (i >= block->n)
        return block->end;
    if (block->isa == ETM_ISA_ARM)
        return block->address + 4 * i;
    return block->address + 2 * i +
           2 * etm_bits_set(block->wide & ((UINT64_C(1) << i) - 1));
}

/* What a range says of the instruction that it ends with. */
struct etm_block_last {
    uint32_t address, end;
    uint8_t type, flags;
};

/* The last instruction of a block. */
static inline struct etm_block_last
etm_block_very_last(const struct etm_block *block)
{
    return (struct etm_block_last){.address = block->last,
                                   .end = block->end,
                                   .type = block->last_type,
                                   .flags = block->last_flags};
}

/* Instruction i of a block. */
static inline struct etm_block_last
etm_block_last(const struct etm_block *block, unsigned i)
{
    struct etm_block_last last;

    if (i + 1u == block->n) {
        last = etm_block_very_last(block);
    } else { /* in the middle nothing changes the flow */
        last.end = etm_block_address(block, i + 1);
        last.address =
            last.end -
            (block->isa == ETM_ISA_ARM || (block->wide >> i & 1) ? 4 : 2);
        last.type = (block->barriers >> i & 1) != 0 ? ETM_INSN_TYPE_BARRIER
                                                    : ETM_INSN_TYPE_OTHER;
        last.flags = /* it may have ended with the next one */
            (block->conditional >> i & 1) != 0 ? ETM_INSN_CONDITIONAL : 0;
    }
    return last;
}

/*
 * The counter of the range from instruction `from` of a block, which is in the
 * cache, to instruction i; only if executions are counted in blocks. NULL: it
 * has no counter, or that is in use for another range. Without data transfers
 * only whole blocks have one. Whatever leads into the middle of a block leads
 * to the beginning of another one, so this is very rare.
 */
static inline uint32_t *etm_block_hits(const struct etm_blocks *blocks,
                                       struct etm_block *block, unsigned from,
                                       unsigned i, bool failed)
{
    struct etm_block_row *row;

    if (i + 1u == block->n) {
        if (block->from != from) {
            if (!blocks->rules.transfers ||
                (block->hits[0] | block->hits[1]) != 0)
                return NULL;
            block->from = (uint8_t)from;
        }
        return &block->hits[failed];
    }
    if (failed || !blocks->rules.transfers || (block->data >> i & 1) == 0)
        return NULL;
    row = etm_block_row(blocks, block, i);
    if (row->from != from) {
        if (row->hits != 0)
            return NULL;
        row->from = from;
    }
    return &row->hits;
}

/* One execution of the range of n instructions from `start` to instruction i of
 * a block; exec: of the last one. */
struct etm_count etm_block_count(const struct etm_block *block, unsigned i,
                                 uint32_t start, uint32_t n, enum etm_tri exec);

#endif
