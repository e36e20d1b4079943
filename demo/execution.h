/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An execution in a few numbers: the file execution.txt beside a capture.
 * The recorder writes it from what ran; a test makes it again from what was
 * decoded.
 */
#ifndef DEMO_EXECUTION_H
#define DEMO_EXECUTION_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct execution {
    uint64_t instructions;
    uint64_t exceptions;
    uint64_t failed; /* instructions that failed their condition */
    uint64_t path;   /* FNV-1a over the address, opcode and instruction set
                        state of each instruction in turn */
    uint64_t passes; /* and over whether it passed its condition */
};

#define EXECUTION_FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define EXECUTION_FNV_PRIME UINT64_C(0x100000001b3)

static inline void execution_begin(struct execution *e)
{
    *e = (struct execution){.path = EXECUTION_FNV_BASIS,
                            .passes = EXECUTION_FNV_BASIS};
}

static inline void execution_hash(uint64_t *hash, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        *hash = (*hash ^ (value >> (8 * i) & 0xff)) * EXECUTION_FNV_PRIME;
}

static inline void execution_add(struct execution *e, uint32_t address,
                                 uint32_t opcode, unsigned isa, bool passed)
{
    e->instructions++;
    e->failed += !passed;
    execution_hash(&e->path, address, 4);
    execution_hash(&e->path, opcode, 4);
    execution_hash(&e->path, isa, 1);
    execution_hash(&e->passes, passed, 1);
}

static inline void execution_write(const struct execution *e, FILE *file)
{
    fprintf(file,
            "instructions %" PRIu64 "\nexceptions %" PRIu64 "\nfailed %" PRIu64
            "\npath %016" PRIx64 "\npasses %016" PRIx64 "\n",
            e->instructions, e->exceptions, e->failed, e->path, e->passes);
}

/* Returns whether the file holds one. */
static inline bool execution_read(struct execution *e, FILE *file)
{
    return fscanf(file,
                  "instructions %" SCNu64 " exceptions %" SCNu64
                  " failed %" SCNu64 " path %" SCNx64 " passes %" SCNx64,
                  &e->instructions, &e->exceptions, &e->failed, &e->path,
                  &e->passes) == 5;
}

#endif
