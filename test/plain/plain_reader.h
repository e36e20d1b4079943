/* SPDX-License-Identifier: Apache-2.0 */
/* What plain_packets.c and plain_packets_etmv3.c share: one packet of a stream
 * that is synchronized is being read. Only what the walks look at is filled in.
 */
#ifndef TEST_PLAIN_PLAIN_READER_H
#define TEST_PLAIN_PLAIN_READER_H

#include <etm/packet.h>

struct plain_reader {
    const struct etm_config *c;
    const uint8_t *bytes;
    size_t n, at;
    bool cut;      /* the stream ends in the middle of a packet */
    bool bad;      /* the byte at `at` breaks a rule: it is no part of it */
    bool reserved; /* a header that means nothing */
    struct etm_packet p;
};

/* Address bytes */
struct plain_address {
    uint32_t bits;
    unsigned n; /* bits */
    unsigned bytes;
    uint8_t isa;
    uint8_t last; /* byte */
};

/* The next byte; 0 after the last. */
uint8_t plain_next(struct plain_reader *r);

/* The byte that was read last breaks a rule: E-40. */
void plain_offend(struct plain_reader *r);

uint32_t plain_little_endian(struct plain_reader *r, unsigned n);
void plain_read_context_id(struct plain_reader *r);

/* Seven bits a byte, and the rest in the seventh or the ninth (PFT 4.5). */
void plain_read_timestamp(struct plain_reader *r);

/*
 * Six bits in the first byte, seven in each of the next three, and the rest.
 * `flag`: bit 6 of the last of two to four bytes is no address bit (PFT; ETM,
 * alternative encoding).
 */
struct plain_address plain_read_address(struct plain_reader *r, uint8_t first,
                                        bool flag);

/* An ordinary fifth byte. */
void plain_fifth_of(struct plain_reader *r, struct plain_address *a);

void plain_keep_address(struct plain_reader *r, const struct plain_address *a);

/* Exception information bytes 0 and 1 (ETM 7.3.5, the same in PFT). */
void plain_information(struct plain_reader *r, uint8_t byte);
void plain_high_exception(struct plain_reader *r, uint8_t byte);

/* The instruction set of an I-sync: J is in no PFT packet. */
void plain_sync_state(struct plain_reader *r, bool jazelle, bool alt_isa);

/* A packet of ETMv3 after its header. */
void plain_etmv3_packet(struct plain_reader *r, uint8_t header);

#endif
