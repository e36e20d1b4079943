/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a table of encodings: read (encodings.c), and checked. */
#ifndef ETM_TEST_ENCODING_H
#define ETM_TEST_ENCODING_H

#include "packet_words.h"

enum {
    CONFIGS = 16,
    PACKETS = 32,
    GAPS = 4,
    WORDS = 400,
    BYTES = 3 * ETM_PACKET_BYTES_MAX,
    A_SYNC = 6
};

/* A row: bytes of a stream, and the packets of them. */
struct row {
    const struct etm_config *config;
    uint8_t bytes[BYTES];
    size_t n, gap[GAPS], n_gaps;
    struct etm_packet packet[PACKETS];
    size_t n_packets, begin; /* of both, that are the A-sync before */
    bool first; /* no A-sync before: a packet that is cut off is none */
    char way;   /* '|' both, '>' decoded only, '<' encoded only */
};

struct table {
    const char *path;
    unsigned line;
    struct etm_config config[CONFIGS];
    unsigned n_configs;
    bool configuring;
    char name[128]; /* of the case */
    unsigned rows;  /* of it */
    bool good;      /* is it so far? */
    unsigned n_cases;
    bool stray; /* a mistake that is in none of them */
    bool quiet; /* for tables that are to be refused */
};

/* Tells where and what, and that the case fails; returns false. */
bool encoding_wrong(struct table *table, const char *format, ...);

/* Decoder and encoder, as the sign of the row says. */
bool encoding_check(struct table *table, struct row *row);

#endif
