/* SPDX-License-Identifier: Apache-2.0 */
/* Whose transfers data packets are, in ETMv2 and ETMv3. */
#ifndef TEST_PLAIN_PLAIN_DATA_H
#define TEST_PLAIN_PLAIN_DATA_H

#include "plain.h"

/* How much is known of which transfers the packets of an owner stand for. */
enum plain_placing {
    PLAIN_LAST_ONES = 0, /* they end with its last transfer (6.4.4, 7.4.5) */
    PLAIN_UP_TO,         /* they end with transfer `end` (7.5.2) */
    PLAIN_UNPLACED       /* nothing: packets are missing */
};

/* A data instruction, or a stack push or pop of M-profile (7.5.3). */
struct plain_owner {
    bool stacking; /* no instruction */
    bool push;     /* on exception entry */
    bool nobodys;  /* its data name no instruction (7.9) */
    uint32_t insn;
    struct etm_transfers transfers;
    unsigned count;  /* transfers that may come; 0: not known */
    unsigned n;      /* packets that came */
    uint8_t placing; /* enum plain_placing */
    unsigned end;
    unsigned done; /* transfers before it was paused (7.5.2) */
    bool pc_first;
    bool failed;    /* after a word of STREXD: the rest, too (E-107) */
    bool addressed; /* a packet after the first gave its address */
};

/* A placeholder whose value has not come (7.4.3). */
struct plain_late {
    bool waits;
    bool dropped; /* its instruction was cancelled */
    struct plain_item item;
};

#define PLAIN_NO_TAG 4u

struct plain_data {
    struct plain *p;
    struct plain_owner *owners; /* all of them; the first is nobody */
    unsigned n, capacity;
    unsigned owner;   /* of the packets that come */
    unsigned hushed;  /* or that it was, until its data were suppressed */
    unsigned before;  /* the push began; its exception is yet to come */
    unsigned done;    /* transfers of the instruction that goes on next, */
    uint32_t resumes; /* at this address */
    struct plain_late late[4][2]; /* by tag */
    unsigned tag;                 /* of the packet before, if a placeholder */
    bool storable; /* the packet before was a value: 0x50 may follow */
    size_t stored; /* its item */
    /* Of two placeholders with one tag: it has the value of the first, and this
     * is the second; or the other way round, and the first had come directly
     * before. NULL and SIZE_MAX if not. */
    struct plain_late *second;
    size_t first;
    bool address_known;
    uint32_t address; /* the last one that was traced (7.4.2) */
    enum etm_tri be8;
    bool previous_known; /* the address of the transfer before */
    uint32_t previous;
};

void plain_data_init(struct plain_data *d, struct plain *p);
void plain_data_free(struct plain_data *d);

/* Packets from now on are those of this instruction. */
void plain_data_own(struct plain_data *d, uint32_t address,
                    const struct etm_transfers *t);

/* From now on they are of a stack push or pop. */
void plain_data_stack(struct plain_data *d, bool pop);

/* From now on they are nobody's. `intact`: none can be missing before. */
void plain_data_close(struct plain_data *d, bool intact);

/* An exception was taken, and the instruction before the push is done. */
void plain_data_taken(struct plain_data *d);

/* Code that is not known (7.9). */
void plain_data_disown(struct plain_data *d);

/* What an owner moved is void (7.4.12). */
void plain_data_discard(struct plain_data *d, unsigned owner);

/* An instruction was paused after transfer `resume` (7.5.2). */
void plain_data_pause(struct plain_data *d, unsigned owner, unsigned resume);

/* An instruction of ETMv2 begins: an owner whose first packet is far behind is
 * done (E-375). */
void plain_data_expire(struct plain_data *d);

/* The address in the packet at hand, also if nothing else is made of that. */
void plain_data_address(struct plain_data *d);

/* Values that are awaited will not come (E-101). */
void plain_data_forget(struct plain_data *d);

/* Bytes of trace are missing: what waits will not come. */
void plain_data_lose(struct plain_data *d);

/* The packet at hand is about something else. */
void plain_data_pass(struct plain_data *d);

/* The packet at hand is one of data. */
void plain_data_packet(struct plain_data *d);

/* The end of the stream: number all transfers. */
void plain_data_finish(struct plain_data *d);

#endif
