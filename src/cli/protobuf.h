/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of protocol buffers (protobuf.dev, "Encoding"), field by field. */
#ifndef ETM_CLI_PROTOBUF_H
#define ETM_CLI_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise it; `data` is to be freed. */
struct etm_cli_message {
    uint8_t *data;
    size_t n, room;
    bool failed; /* out of memory: something is missing */
};

void etm_cli_message_number(struct etm_cli_message *message, unsigned field,
                            uint64_t value);
void etm_cli_message_double(struct etm_cli_message *message, unsigned field,
                            double value);
void etm_cli_message_text(struct etm_cli_message *message, unsigned field,
                          const char *text);
/* A nested message, which is empty afterwards. */
void etm_cli_message_nest(struct etm_cli_message *message, unsigned field,
                          struct etm_cli_message *nested);

#endif
