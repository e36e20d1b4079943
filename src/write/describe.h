/* SPDX-License-Identifier: Apache-2.0 */
/* A packet's fields by name: what both forms of a listing show. */
#ifndef ETM_WRITE_DESCRIBE_H
#define ETM_WRITE_DESCRIBE_H

#include <etm/packet.h>

enum etm_field_type {
    ETM_SHOW_NULL = 0, /* the key is the kind's, but the packet says nothing */
    ETM_SHOW_BOOL,
    ETM_SHOW_NUMBER,
    ETM_SHOW_HEX,            /* `bytes` bytes */
    ETM_SHOW_STRING,         /* `text`; needs no escaping */
    ETM_SHOW_DECIMAL_STRING, /* a number that a double could not hold */
    ETM_SHOW_ATOMS           /* `text`, filled from the packet */
};

struct etm_described {
    const char *key;
    const char *text;
    uint64_t value;
    uint8_t key_size; /* without a terminator */
    uint8_t type;     /* enum etm_field_type */
    uint8_t bytes;
    bool detail; /* for programs only: people see the bytes */
    bool code;   /* an address that may have a symbol */
};

#define ETM_DESCRIBED_MAX 12u

struct etm_description {
    size_t n;
    struct etm_described fields[ETM_DESCRIBED_MAX];
    char atoms[33]; /* "EENW" */
};

/*
 * `after` is the broadcast state after the packet was applied: it holds the
 * whole address of a compressed one.
 */
void etm_describe(struct etm_description *description,
                  const struct etm_packet *packet,
                  const struct etm_broadcast *after,
                  const struct etm_config *config);

#endif
