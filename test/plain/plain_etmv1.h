/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the plain ETMv1 share: plain_etmv1_port.c reads packets,
 * the others follow the program. */
#ifndef TEST_PLAIN_PLAIN_ETMV1_H
#define TEST_PLAIN_PLAIN_ETMV1_H

#include "plain.h"

/* Packets are not further from their status: no FIFO holds so much (E-346). */
#define WINDOW 1024u

/* PIPESTAT[2:0] (table 5-1). */
enum status { IE, ID, IN, WT, BE, BD, TR, TD };

/* A cycle that is not TD; those carry nothing. */
struct v1_record {
    uint64_t offset;
    uint64_t cycles;    /* it, and TD cycles before it that count (5.10) */
    unsigned pins;      /* TRACEPKT */
    enum status status; /* that which a trigger replaced (5.1.1) */
    bool sync;          /* TRACESYNC */
    bool carries;       /* TRACEPKT can have packets */
    bool trigger;
    bool behind_td;
    bool noted; /* the address that begins here was looked at */
};

/* A place among the packets: on 16 pins a record has two. */
struct v1_place {
    size_t record;
    bool upper;
};

/* A branch or data address (5.5.4), and the context ID after it (5.6.3). */
struct v1_address {
    uint32_t bits;
    unsigned n; /* packets, 1 to 5 */
    unsigned reason;
    bool jazelle;
    bool has_context;
    uint32_t context_id;
};

struct v1_data {
    bool has_address;
    struct v1_address address;
    unsigned n; /* bytes of values */
    uint8_t values[128];
};

/* A restart of trace (5.9): it is given when something comes after it. */
struct v1_start {
    bool pending, periodic;
    unsigned reason;
    uint32_t address;
    enum etm_isa isa;
    uint64_t offset;
    bool has_context;
    uint32_t context_id;
};

struct etmv1 {
    struct plain *p;
    const struct etm_config *c;
    unsigned pins, size; /* of a record, in bytes */

    /* Records of the stretch at hand: up to the end or a bad one. */
    struct v1_record *records;
    size_t n;
    bool short_of; /* some were missed after the last one */
    enum etm_lost_reason why;
    uint64_t rest; /* TD cycles that count, after the last one */

    size_t next;          /* the status cursor */
    struct v1_place fifo; /* after the packets of the last instruction */
    bool aligned;         /* and that is right */
    bool cut;             /* data ended where an address begins */
    bool skipped_known;   /* packets that are skipped are lost */
    bool has_leading;     /* a wait cycle began packets (5.3) */
    struct v1_place leading;

    bool synced;
    uint32_t base, data_base; /* of compression */
    bool base_valid, base_jazelle, data_valid;
    bool half;    /* of a Thumb BL was traced */
    bool arrived; /* by an address in the trace, in Thumb state */
    struct v1_start start;
};

/* Cut a whole stream at bad records: those from byte `from` on. Returns where
 * the next stretch begins; *bad becomes the bytes of a bad record there. */
size_t v1_records(struct etmv1 *f, const uint8_t *bytes, size_t n, size_t from,
                  size_t *bad);

/* Packets: false where they are not what they must be. */

/* The record of the TRACESYNC number `offset`, from record `from` on. */
bool v1_find_sync(struct etmv1 *f, size_t from, unsigned offset, size_t *found);

/* Nothing is between a place and the address that begins at a record. */
bool v1_adjoins(const struct etmv1 *f, struct v1_place at, size_t record);

/* A branch address. */
bool v1_target(struct etmv1 *f, struct v1_place *at, struct v1_address *a);

/* The data of an instruction: n bytes of values. */
bool v1_data(struct etmv1 *f, struct v1_place *at, bool address, unsigned n,
             struct v1_data *data);

/* An address takes the place of the low bits of the last one (5.5.4). */
uint32_t v1_merge(uint32_t base, const struct v1_address *a);

/* plain_etmv1.c: the position. */

void v1_end_range(struct etmv1 *f);
void v1_nowhere(struct etmv1 *f);
void v1_go(struct etmv1 *f, uint32_t address, enum etm_isa isa);

/* An instruction was executed that cannot be named. */
void v1_blind(struct etmv1 *f);

/* The image is not what ran. */
void v1_mismatch(struct etmv1 *f);

/* The restart that is pending becomes elements. */
void v1_begin(struct etmv1 *f);

/* Before the next instruction is named, executed or not. */
void v1_arrive(struct etmv1 *f);

/* The instruction at the position; false: it cannot be named. */
bool v1_next(struct etmv1 *f, struct etm_insn *insn);

/* It was executed. Returns its address. */
uint32_t v1_walk(struct etmv1 *f, const struct etm_insn *insn, bool passed);

/* Where packets stand is not known; those that are skipped are lost if
 * `counts`. */
void v1_misalign(struct etmv1 *f, bool counts);

/* The trace is broken, and goes on at a full address. */
void v1_lose_sync(struct etmv1 *f, enum etm_lost_reason why, uint64_t bytes);

/* The status cursor goes on. */
void v1_pass(struct etmv1 *f);

/* The packets of the status at the cursor, and that they end there. */
struct v1_place v1_packets_here(const struct etmv1 *f);
void v1_packets_end(struct etmv1 *f, struct v1_place at);

void v1_note_data(struct etmv1 *f, const struct v1_data *data);

/* plain_etmv1_branch.c: a BE or BD status at the cursor; any status while the
 * trace is not synchronized; an address at the cursor that is nobody's. */

void v1_branch(struct etmv1 *f);
void v1_search(struct etmv1 *f);
void v1_note(struct etmv1 *f);

/* plain_etmv1_data.c: data of the last instruction. */

/* What it moves; *address, *n: of the packets in the FIFO. False: its opcode
 * does not tell (4.11.2), or it moves nothing. */
bool v1_shape(const struct etmv1 *f, struct etm_transfers *t, bool *address,
              unsigned *n);

void v1_give_data(struct etmv1 *f, uint32_t insn, const struct etm_transfers *t,
                  const struct v1_data *data);

#endif
