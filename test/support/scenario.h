/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations and packets in words: test/flow/README.md, test/README.md. */
#ifndef ETM_TEST_SUPPORT_SCENARIO_H
#define ETM_TEST_SUPPORT_SCENARIO_H

#include "proto/broadcast.h"

#include <etm/decode.h>
#include <etm/packet.h>

/* What a word of a `config` line says goes into *config; false: it is none. */
bool etm_scenario_config(struct etm_config *config, const char *word);

/* The words of a whole line, in place of what *config was. */
bool etm_scenario_config_of(struct etm_config *config, const char *words);

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
