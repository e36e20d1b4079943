/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* Functions of one level call those of the next; the last calls none. */
#define LEVELS 5u
#define BASE 0x00100000u

enum end {
    END_IF,       /* may pass over the next block */
    END_LOOP,     /* may go back to the begin of the block */
    END_CALL,     /* BL, or BLX to the other instruction set */
    END_DISPATCH, /* BLX to a register: any function of level 0 */
    END_JUMP,     /* back to the function's begin */
    END_RETURN
};

struct etm_bench_block {
    uint32_t address;
    uint32_t target; /* function that is called; block that is jumped to */
    uint8_t isa;
    uint8_t end;
    uint8_t n;      /* instructions before the one that ends it */
    uint8_t chance; /* of 256: the branch is taken */
    uint32_t wide;  /* bit i: instruction i is a 32-bit Thumb one */
};

struct etm_bench_function {
    uint32_t first; /* block */
    uint8_t isa;
};

/* splitmix64 */
static uint32_t any(uint64_t *state, uint32_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * below >> 32);
}

static unsigned level_of(uint32_t function)
{
    return function % LEVELS;
}

/* A function other than the first, of a level. */
static uint32_t of_level(const struct etm_bench_program *p, unsigned level,
                         uint64_t *random)
{
    return LEVELS * (1 + any(random, p->n_functions / LEVELS - 1)) + level;
}

static struct etm_bench_block *add(struct etm_bench_program *p, uint8_t isa,
                                   enum end end, uint64_t *random)
{
    struct etm_bench_block *block = &p->blocks[p->n_blocks++];

    *block = (struct etm_bench_block){.isa = isa, .end = (uint8_t)end};
    block->n = (uint8_t)(1 + any(random, 8));
    if (isa == ETM_ISA_THUMB)
        block->wide = any(random, 1u << 16) & any(random, 1u << 16);
    return block;
}

/* The blocks of a function, without addresses. */
static void make_function(struct etm_bench_program *p, uint32_t index,
                          uint64_t *random)
{
    /* often taken, seldom taken, and a coin */
    static const uint8_t chances[4] = {16, 64, 128, 230};
    uint8_t isa =
        any(random, 2) != 0 || !p->thumb ? ETM_ISA_ARM : ETM_ISA_THUMB;
    unsigned n = 4 + any(random, 8);
    unsigned calls = level_of(index) + 1 < LEVELS ? 2 : 0;
    struct etm_bench_block *block;

    p->functions[index] = (struct etm_bench_function){p->n_blocks, isa};
    for (unsigned i = 0; i < n; i++) {
        uint32_t self = p->n_blocks;
        bool call = calls != 0 && any(random, n) < 3;

        if (call) {
            block = add(p, isa, END_CALL, random);
            block->target = of_level(p, level_of(index) + 1, random);
            calls--;
        } else if (any(random, 4) == 0) {
            block = add(p, isa, END_LOOP, random);
            block->target = self;
            block->chance = 208; /* about five times */
        } else {
            block = add(p, isa, END_IF, random);
            block->target = self + 2;
            block->chance = chances[any(random, 4)];
        }
    }
    add(p, isa, END_IF, random)->target = p->n_blocks;
    p->blocks[p->n_blocks - 1].chance = 128;
    add(p, isa, END_RETURN, random);
}

/* The first function: for ever call some other one. */
static void make_dispatcher(struct etm_bench_program *p, uint64_t *random)
{
    p->functions[0] = (struct etm_bench_function){0, ETM_ISA_ARM};
    add(p, ETM_ISA_ARM, END_DISPATCH, random);
    add(p, ETM_ISA_ARM, END_JUMP, random)->target = 0;
}

static uint32_t end_size(const struct etm_bench_block *block)
{
    return block->isa == ETM_ISA_ARM || block->end == END_CALL ? 4 : 2;
}

static uint32_t insn_size(const struct etm_bench_block *block, unsigned i)
{
    if (i == block->n)
        return end_size(block);
    return block->isa == ETM_ISA_ARM || (block->wide >> i & 1) != 0 ? 4 : 2;
}

static void place(struct etm_bench_program *p)
{
    uint32_t at = BASE;

    for (uint32_t f = 0; f < p->n_functions; f++) {
        uint32_t end =
            f + 1 < p->n_functions ? p->functions[f + 1].first : p->n_blocks;
        at = (at + 3) & ~(uint32_t)3;
        for (uint32_t b = p->functions[f].first; b < end; b++) {
            p->blocks[b].address = at;
            for (unsigned i = 0; i <= p->blocks[b].n; i++)
                at += insn_size(&p->blocks[b], i);
        }
    }
    p->address = BASE;
    /* OpenCSD cannot read a last instruction of 16 bits */
    p->size = at + 4 - BASE;
}

/* BL, BLX (immediate) in Thumb: encodings T1 and T2. */
static uint32_t thumb_call(uint32_t at, uint32_t to, bool exchange)
{
    uint32_t pc = exchange ? (at + 4) & ~(uint32_t)3 : at + 4;
    uint32_t offset = to - pc;
    uint32_t s = offset >> 24 & 1;
    uint32_t j1 = (offset >> 23 & 1) ^ s ^ 1;
    uint32_t j2 = (offset >> 22 & 1) ^ s ^ 1;

    return (exchange ? 0xf000c000u : 0xf000d000u) | s << 26 |
           (offset >> 12 & 0x3ff) << 16 | j1 << 13 | j2 << 11 |
           (offset >> 1 & 0x7ff);
}

static uint32_t call_opcode(const struct etm_bench_program *p,
                            const struct etm_bench_block *block, uint32_t at)
{
    const struct etm_bench_function *callee = &p->functions[block->target];
    uint32_t to = p->blocks[callee->first].address;
    uint32_t offset = to - at - 8;

    if (block->isa == ETM_ISA_THUMB)
        return thumb_call(at, to, callee->isa == ETM_ISA_ARM);
    if (callee->isa == ETM_ISA_THUMB)
        return 0xfa000000u | (offset >> 1 & 1) << 24 | (offset >> 2 & 0xffffff);
    return 0xeb000000u | (offset >> 2 & 0xffffff);
}

/* The instruction that ends a block. */
static uint32_t end_opcode(const struct etm_bench_program *p,
                           const struct etm_bench_block *block, uint32_t at)
{
    bool arm = block->isa == ETM_ISA_ARM;
    uint32_t to;

    switch ((enum end)block->end) {
    case END_IF: /* BNE */
    case END_LOOP:
        to = p->blocks[block->target].address;
        return arm ? 0x1a000000u | ((to - at - 8) >> 2 & 0xffffff)
                   : 0xd100u | ((to - at - 4) >> 1 & 0xff);
    case END_JUMP: /* B */
        to = p->blocks[block->target].address;
        return arm ? 0xea000000u | ((to - at - 8) >> 2 & 0xffffff)
                   : 0xe000u | ((to - at - 4) >> 1 & 0x7ff);
    case END_CALL:
        return call_opcode(p, block, at);
    case END_DISPATCH: /* BLX r3 */
        return arm ? 0xe12fff33u : 0x4798u;
    case END_RETURN: /* BX lr */
        return arm ? 0xe12fff1eu : 0x4770u;
    }
    return 0;
}

#define LOAD 0xe5910000u /* LDR r0, [r1] */

static uint32_t opcode(const struct etm_bench_program *p,
                       const struct etm_bench_block *block, unsigned i,
                       uint32_t at)
{
    if (i == block->n)
        return end_opcode(p, block, at);
    if (block->isa == ETM_ISA_ARM)
        return i % 3 == 1 ? LOAD : 0xe2800001u; /* LDR, ADD */
    if ((block->wide >> i & 1) != 0)
        return 0xf1010101u; /* ADD.W */
    return 0x3001;          /* ADDS */
}

static void assemble(struct etm_bench_program *p)
{
    for (uint32_t b = 0; b < p->n_blocks; b++) {
        const struct etm_bench_block *block = &p->blocks[b];
        uint32_t at = block->address;

        for (unsigned i = 0; i <= block->n; i++) {
            uint32_t size = insn_size(block, i);
            uint32_t word = opcode(p, block, i, at);
            uint8_t *to = p->code + (at - BASE);

            if (block->isa == ETM_ISA_THUMB && size == 4)
                word = word << 16 | word >> 16;
            for (uint32_t k = 0; k < size; k++)
                to[k] = (uint8_t)(word >> (8 * k));
            at += size;
        }
    }
}

void etm_bench_program_init(struct etm_bench_program *p, uint32_t n_functions,
                            bool thumb)
{
    uint64_t random = 1;

    memset(p, 0, sizeof *p);
    p->thumb = thumb;
    p->n_functions = n_functions / LEVELS * LEVELS;
    p->functions = etm_bench_memory(p->n_functions * sizeof *p->functions);
    p->blocks = etm_bench_memory(14 * p->n_functions * sizeof *p->blocks);
    make_dispatcher(p, &random);
    for (uint32_t i = 1; i < p->n_functions; i++)
        make_function(p, i, &random);
    place(p);
    p->code = etm_bench_memory(p->size);
    memset(p->code, 0, p->size);
    assemble(p);
}

void etm_bench_program_fini(struct etm_bench_program *p)
{
    free(p->functions);
    free(p->blocks);
    free(p->code);
    memset(p, 0, sizeof *p);
}

void etm_bench_walk_init(struct etm_bench_walk *walk,
                         const struct etm_bench_program *program, bool data)
{
    *walk =
        (struct etm_bench_walk){.program = program, .random = 1, .data = data};
}

static struct etm_place place_of(const struct etm_bench_walk *walk,
                                 uint32_t block)
{
    const struct etm_bench_block *b = &walk->program->blocks[block];

    return (struct etm_place){.address = b->address, .isa = b->isa, .ns = true};
}

struct etm_event etm_bench_walk_on(const struct etm_bench_walk *walk)
{
    struct etm_event event = {.kind = ETM_EVENT_TRACE_ON};

    event.u.trace_on.reason = ETM_TRACE_ON_START;
    event.u.trace_on.at = place_of(walk, walk->block);
    return event;
}

/* Where a block's last instruction leads to. *taken: not simply to the next
 * block. */
static uint32_t leave(struct etm_bench_walk *walk,
                      const struct etm_bench_block *block, bool *taken)
{
    const struct etm_bench_program *p = walk->program;
    uint32_t called = block->target;

    *taken = true;
    switch ((enum end)block->end) {
    case END_IF:
    case END_LOOP:
        *taken = any(&walk->random, 256) < block->chance;
        return *taken ? block->target : walk->block + 1;
    case END_JUMP:
        return block->target;
    case END_DISPATCH:
        called = of_level(p, 0, &walk->random);
        walk->calls[walk->depth++] = walk->block + 1;
        return p->functions[called].first;
    case END_CALL: /* never deeper than LEVELS */
        walk->calls[walk->depth++] = walk->block + 1;
        return p->functions[called].first;
    case END_RETURN:
        return walk->calls[--walk->depth];
    }
    return 0;
}

/* One block: cycles are 1, and now and then more for a load. */
size_t etm_bench_walk_next(struct etm_bench_walk *walk,
                           struct etm_event *events)
{
    const struct etm_bench_program *p = walk->program;
    const struct etm_bench_block *block = &p->blocks[walk->block];
    struct etm_event *e = events;
    uint32_t at = block->address;
    bool taken;

    for (unsigned i = 0; i <= block->n; i++, e++) {
        *e = (struct etm_event){.kind = ETM_EVENT_INSN, .cycles = 1};
        if (any(&walk->random, 8) == 0)
            e->cycles += any(&walk->random, 12);
        e->u.insn.address = at;
        e->u.insn.opcode = opcode(p, block, i, at);
        e->u.insn.isa = block->isa;
        e->u.insn.size = (uint8_t)insn_size(block, i);
        e->u.insn.passed = true;
        at += e->u.insn.size;
        if (walk->data && e->u.insn.opcode == LOAD) {
            *++e = (struct etm_event){.kind = ETM_EVENT_DATA};
            e->u.data.address = 0x20000000u + 4 * any(&walk->random, 4096);
            e->u.data.value = any(&walk->random, 1u << 16);
            e->u.data.size = 4;
        }
    }
    walk->block = leave(walk, block, &taken);
    e[-1].u.insn.passed = taken;
    if (taken)
        e[-1].u.insn.next = place_of(walk, walk->block);
    return (size_t)(e - events);
}
