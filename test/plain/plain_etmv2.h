/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the plain ETMv2 share: plain_etmv2_port.c reads the cycles
 * of a whole stream, each with the packets that its status put into the FIFO;
 * plain_etmv2_data.c knows whose transfers data packets are. */
#ifndef TEST_PLAIN_PLAIN_ETMV2_H
#define TEST_PLAIN_PLAIN_ETMV2_H

#include "plain.h"

#include <etm/packet.h>

struct plain_cycle {
    uint64_t offset;
    uint8_t status; /* in force: a trigger's is the one it replaced */
    bool trigger;
    bool tfo;
    bool stored;  /* no capture device leaves it out (4.4.2) */
    bool counted; /* a cycle of the processor while tracing (6.11) */
    bool begun;   /* its status counts, whatever came of its group */
    bool lost;    /* what it put into the FIFO did not come out */
    uint8_t why;  /* enum etm_lost_reason */
    struct etm_packet *packets; /* of its group, as far as they came */
    size_t n;
};

struct plain_cycles {
    struct plain_cycle *all;
    size_t n;
};

/* Free it with plain_cycles_free(). */
void plain_cycles(const struct etm_config *config, const uint8_t *bytes,
                  size_t n, struct plain_cycles *out);
void plain_cycles_free(struct plain_cycles *cycles);

/* An instruction that moves data: later packets are its own (6.4.2). */
struct v2_owner {
    unsigned number; /* counted from 1; 0: nobody */
    uint32_t insn;
    struct etm_transfers transfers;
    bool pc_first;
    bool addressed;      /* a transfer after the first gave its address */
    bool previous_known; /* the address of the transfer before */
    uint32_t previous;
    unsigned n; /* packets that came */
};

/* A load that missed: its value is to come (6.4.3). */
struct v2_miss {
    bool waits;
    bool nobodys; /* its instruction was cancelled */
    unsigned owner, transfer;
    struct etm_element e;
};

#define V2_NO_TAG 4u

struct v2_data {
    struct plain *p;
    struct v2_owner owner;
    unsigned owners; /* so far */
    struct v2_miss misses[4][2];
    unsigned last_tag; /* of the packet before, V2_NO_TAG */
    bool address_known;
    uint32_t address; /* the last one that was traced (6.8.3) */
};

/* Packets from now on are those of the instruction at that address. */
void v2_data_own(struct v2_data *d, uint32_t address,
                 const struct etm_transfers *t);

/* The owner is done. `intact`: none of its packets can have been lost. */
void v2_data_close(struct v2_data *d, bool intact);

/* The end of the stream. */
void v2_data_finish(struct v2_data *d);

/* An instruction begins: an owner whose first packet is far behind is done
 * (E-375). */
void v2_data_expire(struct v2_data *d);

/* Code that is not known: if the owner was not complete, its packets are
 * nobody's (6.6). */
void v2_data_disown(struct v2_data *d);

/* What the owner moved is void. */
void v2_data_discard(struct v2_data *d);

/* Values that are awaited will not come. */
void v2_data_forget(struct v2_data *d);

/* The packet at hand: the address in it, and the transfer that it is. */
void v2_data_address(struct v2_data *d);
void v2_data_packet(struct v2_data *d);

#endif
