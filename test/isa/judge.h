/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holding the classifier against disassemblers.
 *
 * A disassembler's text is turned into a verdict (branch or not, where to,
 * how long), and so is a struct etm_insn; the two are compared. Differences
 * must stand in the list of allowed ones (allowed.c), with their reason.
 */
#ifndef ETM_TEST_ISA_JUDGE_H
#define ETM_TEST_ISA_JUDGE_H

#include "isa/insn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum judge { JUDGE_CAPSTONE = 1, JUDGE_OBJDUMP = 2, JUDGE_BOTH = 3 };

/* What a disassembler says of one instruction. */
struct verdict {
    bool branch;
    bool direct;        /* then: */
    uint32_t target;    /* without the Thumb bit */
    uint8_t size;       /* 0: it does not know this instruction */
    bool has_list;      /* LDM, STM, PUSH, POP; then: */
    uint16_t registers; /* the core registers in braces */
    bool defined;       /* it knows, and it is not UDF */
    bool has_transfers; /* of core registers or MCR, MRC ...; then: */
    uint8_t direction;  /* enum etm_transfer_direction */
    uint8_t count;      /* as in struct etm_transfers; 0: see `registers` */
    uint8_t transfer_size;
};

/* In what a judge differs from us. */
enum claim {
    CLAIM_NONE = 0,
    CLAIM_BRANCH,    /* the judge has a branch, we have none */
    CLAIM_NO_BRANCH, /* the other way round, or no such instruction */
    CLAIM_KIND,      /* direct here, indirect there */
    CLAIM_TARGET,
    CLAIM_SIZE,
    CLAIM_REGISTERS,
    CLAIM_TRANSFERS, /* their direction, count or size */
    CLAIM_DEFINED    /* we say UNDEFINED */
};

/*
 * An allowed difference: (opcode & mask) == value, and, if `should` is not 0,
 * should-be-zero or should-be-one bits that are wrong: (opcode & should) !=
 * right.
 */
struct allowed {
    uint8_t judges; /* enum judge */
    uint8_t isa;    /* enum etm_isa */
    uint8_t claim;  /* enum claim */
    uint32_t mask, value;
    uint32_t should, right;
    const char *reason;
};

#define ALLOWED_MAX 64
extern const struct allowed allowed_differences[];
extern const size_t allowed_differences_n;

/* One run of one judge. Begin zeroed, with the first three set. */
struct trial {
    enum judge judge;
    enum etm_isa isa;
    enum etm_profile profile;
    uint64_t compared;
    uint64_t different;         /* and not allowed */
    uint64_t branches;          /* on which both agree */
    uint64_t hits[ALLOWED_MAX]; /* of each row of allowed_differences */
};

/* The verdict of a line of disassembly, without its size. */
void judge_text(struct verdict *verdict, const char *mnemonic,
                const char *operands);

/*
 * Classify `opcode` at `address` and compare. Differences that are not allowed
 * are counted and the first of them printed, with `text`.
 */
void trial_compare(struct trial *trial, uint32_t opcode, uint32_t address,
                   const struct verdict *verdict, const char *mnemonic,
                   const char *operands);

/*
 * Print the sums. True when there was no difference that is not allowed, and
 * every allowed one of this judge and instruction set did occur.
 */
bool trial_passes(const struct trial *trial);

/*
 * Encodings, the n-th of a fixed sequence. A round takes every value of the
 * bits that tell groups apart and fills the rest at random, with a liking for
 * 0, 1, 13, 14 and 15 in its fields of four bits.
 */
#define SAMPLES_ARM_ROUND 65536u     /* bits [31:20] and [7:4] */
#define SAMPLES_THUMB32_ROUND 98304u /* first halfword, bits [15:12] */

/*
 * How many to take: more than 20 million in both sets together, and eight
 * times as many when the environment has ETM_TEST_FULL=1.
 */
uint64_t samples_arm(void);
uint64_t samples_thumb32(void);
uint32_t sample_arm(uint64_t n);
uint32_t sample_thumb32(uint64_t n);

#endif
