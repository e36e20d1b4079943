/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a table of encodings: read (encodings.c), and checked. */
#ifndef ETM_TEST_ENCODING_H
#define ETM_TEST_ENCODING_H

#include "../support/cases.h"
#include "packet_words.h"
#include "proto/broadcast.h"

enum { PACKETS = 64, GAPS = 4, BYTES = 3 * ETM_PACKET_BYTES_MAX, A_SYNC = 6 };

/* A row: bytes of a stream, and the packets of them. */
struct row {
    const struct etm_config *config;
    uint8_t bytes[BYTES];
    size_t n, gap[GAPS], n_gaps;
    struct etm_packet packet[PACKETS];
    size_t n_packets, begin; /* of both, that are the A-sync before */
    bool first; /* no A-sync before: a packet that is cut off is none. In the
                   FIFO of ETMv2: a TFO packet */
    char way;   /* '|' both, '>' decoded only, '<' encoded only */
};

/* Decoder and encoder, as the sign of the row says. */
bool encoding_check(struct row *row);

/* Checks a row whose packet is one in the FIFO of ETMv2. */
bool fifo_check(const struct row *row);

/* "told PACKET > WHAT IS KNOWN ...", after the packets before. */
bool broadcast_check(const struct etm_config *config, struct etm_broadcast *b,
                     char **words, size_t n);

/* "full BYTES > HOW MANY, AND WHAT IS KNOWN OF THE LAST ONE" of ETMv1. */
bool full_check(const struct row *row, char **words, size_t n);

/* Cycles of the port of ETMv2, "STATUS:PINS=USE", become a row. */
bool cycles_read(struct row *row, char **words, size_t n);

#endif
