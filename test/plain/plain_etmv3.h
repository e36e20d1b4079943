/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the plain ETMv3 share: plain_etmv3_data.c knows whose
 * transfers data packets are, plain_etmv3_branch.c where the program goes. */
#ifndef TEST_PLAIN_PLAIN_ETMV3_H
#define TEST_PLAIN_PLAIN_ETMV3_H

#include "plain.h"

/* How much is known of which transfers the packets of an owner stand for. */
enum v3_placing {
    V3_LAST_ONES = 0, /* they end with its last transfer (7.4.5) */
    V3_UP_TO,         /* they end with transfer `end` (7.5.2) */
    V3_UNPLACED       /* nothing: packets are missing */
};

/* A data instruction, or a stack push or pop of M-profile (7.5.3). */
struct v3_owner {
    bool stacking; /* no instruction */
    bool push;     /* on exception entry */
    bool nobodys;  /* its data name no instruction (7.9) */
    uint32_t insn;
    struct etm_transfers transfers;
    unsigned count;  /* transfers that may come; 0: not known */
    unsigned n;      /* packets that came */
    uint8_t placing; /* enum v3_placing */
    unsigned end;
    unsigned done; /* transfers before it was paused (7.5.2) */
    bool pc_first;
    bool failed;    /* after a word of STREXD: the rest, too (E-107) */
    bool addressed; /* a packet after the first gave its address */
};

/* A placeholder whose value has not come (7.4.3). */
struct v3_late {
    bool waits;
    bool dropped; /* its instruction was cancelled */
    struct plain_item item;
};

struct v3_data {
    struct plain *p;
    struct v3_owner *owners; /* all of them; the first is nobody */
    unsigned n, capacity;
    unsigned owner;   /* of the packets that come */
    unsigned hushed;  /* or that it was, until its data were suppressed */
    unsigned before;  /* the push began; its exception is yet to come */
    unsigned done;    /* transfers of the instruction that goes on next, */
    uint32_t resumes; /* at this address */
    struct v3_late late[4][2]; /* by tag */
    unsigned tag;  /* of the packet before, if a placeholder; else 0 */
    bool storable; /* the packet before was a value: 0x50 may follow */
    size_t stored; /* its item */
    /* Of two placeholders with one tag: it has the value of the first, and this
     * is the second; or the other way round, and the first had come directly
     * before. NULL and SIZE_MAX if not. */
    struct v3_late *second;
    size_t first;
    bool address_known;
    uint32_t address; /* the last one that was traced (7.4.2) */
    enum etm_tri be8;
    bool previous_known; /* the address of the transfer before */
    uint32_t previous;
};

void v3_data_init(struct v3_data *d, struct plain *p);
void v3_data_free(struct v3_data *d);

/* Packets from now on are those of this instruction. */
void v3_data_own(struct v3_data *d, uint32_t address,
                 const struct etm_transfers *t);

/* From now on they are of a stack push or pop. */
void v3_data_stack(struct v3_data *d, bool pop);

/* From now on they are nobody's. `intact`: none can be missing before. */
void v3_data_close(struct v3_data *d, bool intact);

/* An exception was taken, and the instruction before the push is done. */
void v3_data_taken(struct v3_data *d);

/* Code that is not known (7.9). */
void v3_data_disown(struct v3_data *d);

/* What an owner moved is void (7.4.12). */
void v3_data_discard(struct v3_data *d, unsigned owner);

/* It was paused after transfer `resume` (7.5.2). */
void v3_data_pause(struct v3_data *d, unsigned owner, unsigned resume);

/* Bytes of trace are missing: what waits will not come. */
void v3_data_lose(struct v3_data *d);

/* The packet at hand is about something else. */
void v3_data_pass(struct v3_data *d);

/* It is one of data. */
void v3_data_packet(struct v3_data *d);

/* The end of the stream: number all transfers. */
void v3_data_finish(struct v3_data *d);

/* The last instruction that was traced. */
struct v3_last {
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

struct etmv3 {
    struct plain *p;
    struct v3_data data;
    struct v3_last last;
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
void v3_nowhere(struct etmv3 *f);

/* A range is of consecutive instructions: it ends where the position moves. */
void v3_go(struct etmv3 *f, uint32_t address, enum etm_isa isa);

/* NS came with v3.2, Hyp with v3.5. */
void v3_state(struct etmv3 *f, bool ns, bool hyp);

/* The image is not what ran. */
void v3_mismatch(struct etmv3 *f, uint64_t bytes);

/* AltISA that was said of ARM or Jazelle state is reserved (table 7-11). */
void v3_drop_reserved(struct etmv3 *f);

/* To the address and state that the packets have said. */
void v3_go_said(struct etmv3 *f);

/* Tracing began with a data instruction in progress, and nothing else
 * executes: the data are its own (7.7.3), whether its atom comes or not: E-31.
 */
void v3_own_alone(struct etmv3 *f);

/* The packet at hand is a branch packet. */
void v3_branch_packet(struct etmv3 *f);

#endif
