/* SPDX-License-Identifier: Apache-2.0 */
/* What ETMv2 and ETMv3 share: an atom or a status is an instruction, and what
 * happened last may still be cancelled, with the data that it moved. */
#ifndef TEST_PLAIN_PLAIN_WALK_H
#define TEST_PLAIN_PLAIN_WALK_H

#include "plain_data.h"

/* The last instruction that was traced. */
struct plain_last {
    bool valid;  /* there is one; an exception may cancel it (7.3.5) */
    size_t item; /* its place in the list */
    uint32_t address;
    uint64_t cycles;
    struct etm_insn insn;
    enum etm_isa isa;
    bool taken;     /* a branch that was taken */
    bool targeted;  /* a branch packet came after it */
    bool first;     /* the first one since tracing began */
    bool split;     /* in two halves, which are traced each */
    bool unseen;    /* no code of it is known, only its address: E-379 */
    unsigned owner; /* of its data, 0: none */
};

/* Atoms or statuses, each of an instruction. */
struct plain_walk {
    struct plain *p;
    struct plain_data data;
    struct plain_last last;
    bool none_yet; /* no instruction was named since tracing began */
    bool alone;    /* nor did anything else come that can own data */
    bool exit;     /* an exception exit packet stands after it */
    bool halted;   /* a packet of a Debug entry does */
    bool astray;   /* and no address has come since */
    size_t exit_item;
    unsigned exit_owner; /* of the data that it pops, 0: none */
    bool awaiting;       /* the target of an indirect branch */
    bool half;           /* of a 32-bit Thumb instruction was traced */
    bool arrived;        /* by an address in the trace */
    bool gap_open;       /* the length of a gap is still to come (7.3.4) */
    bool gap_null;       /* and will mean nothing */
    uint64_t gap;        /* W atoms that belong to it */
};

/* The position is not known any more. */
void walk_nowhere(struct plain_walk *f);

/* A range is of consecutive instructions: it ends where the position moves. */
void walk_go(struct plain_walk *f, uint32_t address, enum etm_isa isa);

/* The image is not what ran. */
void walk_mismatch(struct plain_walk *f, uint64_t bytes);

/* The trace may name the second half of a BL or BLX (4.5.4): E-265. */
void walk_find_half(struct plain_walk *f);

/* The instruction at the position; false: it cannot be named. */
bool walk_next(struct plain_walk *f, struct etm_insn *insn);

/* An instruction was executed, or failed its condition. */
void walk_insn(struct plain_walk *f, const struct etm_insn *insn, bool passed);

/* An instruction was executed, and nobody knows which. */
void walk_blind(struct plain_walk *f);

/* One E or N; the cycles before it are its own. */
void walk_atom(struct plain_walk *f, bool passed);

/* The last instruction did not complete. Its time passed all the same: E-20. */
void walk_cancel(struct plain_walk *f);

#endif
