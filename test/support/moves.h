/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instructions of random programs move: the tests' own table, by
 * opcode, independent of src/isa. Encodings and transfers are those of the ARM
 * Architecture Reference Manual and of the ETM architecture, 4.10.
 */
#ifndef TEST_SUPPORT_MOVES_H
#define TEST_SUPPORT_MOVES_H

#include "program.h"

enum moves_kind {
    MOVES_CORE,
    MOVES_SINGLE,
    MOVES_DOUBLE,
    MOVES_CPRT,  /* no address */
    MOVES_TABLE, /* no register */
    MOVES_ANY    /* how many is not in the opcode */
};

enum moves_where {
    MOVES_ARM = 1,
    MOVES_THUMB = 2,
    MOVES_THUMBEE = 4,
    MOVES_NOT_M = 8
};

#define MOVES_NOTHING 0xffu /* as second register */
#define MOVES_PSR 16u

struct moves {
    uint8_t where;
    uint8_t insn_size;
    uint16_t flags; /* enum slot_flag; SLOT_RETURN and the like make it an
                       indirect branch */
    bool indirect;
    uint8_t kind;  /* enum moves_kind */
    uint8_t count; /* 0: not known */
    uint8_t size;  /* bytes of each */
    uint8_t store; /* 0 load, 1 store, 2 swap */
    uint8_t first, second;
    uint16_t list; /* core registers */
    bool exclusive;
    uint32_t opcode;
};

/* What an instruction moves if its condition passes; NULL: no data
 * instruction. */
const struct moves *moves_of(const struct slot *slot);

/* A random data instruction for this instruction set. */
const struct moves *moves_pick(struct random *r, enum etm_isa isa, bool m);

/* The register of the i-th transfer; kind is enum etm_register_kind. */
uint8_t moves_register(const struct moves *moves, unsigned i, bool pc_first,
                       uint8_t *kind);

/* The PC is the first transfer although it has the highest address. */
bool moves_pc_first(const struct moves *moves, const struct etm_config *config);

/* ETMCR: any data at all. */
bool config_traces_data(const struct etm_config *config);

/* A random configuration of ETMv3 with data trace. */
void config_make_data(struct etm_config *config, struct random *r);

#endif
