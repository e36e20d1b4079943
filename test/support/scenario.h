/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-file scenarios: code, packets and the elements expected of them
 * together. test/flow/README.md describes the format.
 */
#ifndef ETM_TEST_SUPPORT_SCENARIO_H
#define ETM_TEST_SUPPORT_SCENARIO_H

#include "proto/broadcast.h"

#include <etm/decode.h>
#include <etm/packet.h>

#define ETM_SCENARIO_PIECES 64

/* Bytes of the stream, and the gap that comes after them. */
struct etm_scenario_piece {
    size_t end;    /* in etm_scenario.stream */
    uint64_t lost; /* bytes lost after it; the last piece: nothing */
};

struct etm_scenario {
    char path[1024];
    char *text;           /* of the whole file */
    size_t given;         /* bytes of it before what is expected */
    const char *expected; /* from there on */

    struct etm_config config;
    bool only_ranges; /* instructions would be too many to look at */
    struct etm_image *image;
    uint8_t stream[65536];
    struct etm_scenario_piece pieces[ETM_SCENARIO_PIECES];
    size_t n_pieces;
};

/* Read one. Prints file, line and reason and returns false on a mistake. */
bool etm_scenario_read(struct etm_scenario *scenario, const char *path);
void etm_scenario_fini(struct etm_scenario *scenario);

/* What a word of a `config` line says goes into *config; false: it is none. */
bool etm_scenario_config(struct etm_config *config, const char *word);

/* One packet in words (scenario_packet.c). */
struct etm_scenario_line {
    const char *word[32];
    unsigned n;
};

/* The value of "key=value" among the words, or NULL. */
const char *etm_scenario_value(const struct etm_scenario_line *line,
                               const char *key);
bool etm_scenario_flag(const struct etm_scenario_line *line, const char *flag);
enum etm_isa etm_scenario_isa(const char *word);

/*
 * The packet that a line describes, as bytes. `said` is what the packets
 * before have said. Returns the number of bytes, or a negative status.
 */
int etm_scenario_packet(const struct etm_config *config,
                        struct etm_broadcast *said,
                        const struct etm_scenario_line *line, uint8_t *bytes,
                        size_t capacity);

#endif
