/* SPDX-License-Identifier: Apache-2.0 */
/* A packet's fields by name: what both forms of a listing show. */
#ifndef ETM_WRITE_DESCRIBE_H
#define ETM_WRITE_DESCRIBE_H

#include "proto/broadcast.h"

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

/* X(NAME, key, the same for people) */
#define ETM_KEY_LIST(X)                                                        \
    X(A, "a", "a")                                                             \
    X(ADDRESS, "address", "address")                                           \
    X(ADDRESS_BITS, "address_bits", "address bits")                            \
    X(ALT_ISA, "alt_isa", "alt isa")                                           \
    X(ATOMS, "atoms", "atoms")                                                 \
    X(BE, "be", "be")                                                          \
    X(CAN, "can", "can")                                                       \
    X(CARRIES, "carries", "carries")                                           \
    X(CLOCK_CHANGE, "clock_change", "clock change")                            \
    X(COMPARATOR, "comparator", "comparator")                                  \
    X(CONTEXT_ID, "context_id", "context id")                                  \
    X(CURRENT_ADDRESS, "current_address", "current address")                   \
    X(CYCLE_COUNT, "cycle_count", "cycle count")                               \
    X(DESTINATION, "destination", "to")                                        \
    X(DISCRIMINATOR, "discriminator", "discriminator")                         \
    X(EVENTS, "events", "events")                                              \
    X(EX, "ex", "ex")                                                          \
    X(EXCEPTION, "exception", "exception")                                     \
    X(FN, "fn", "fn")                                                          \
    X(HALF_BYTES, "half_bytes", "half bytes")                                  \
    X(HEADER, "header", "header")                                              \
    X(HYP, "hyp", "hyp")                                                       \
    X(ISA, "isa", "isa")                                                       \
    X(NS, "ns", "ns")                                                          \
    X(PAGE, "page", "page")                                                    \
    X(PORT, "port", "port")                                                    \
    X(R, "r", "r")                                                             \
    X(REASON, "reason", "reason")                                              \
    X(REPLACED, "replaced", "replaced")                                        \
    X(RESUME, "resume", "resume")                                              \
    X(S, "s", "start")                                                         \
    X(SH, "sh", "sh")                                                          \
    X(SOURCE, "source", "from")                                                \
    X(STATE, "state", "state")                                                 \
    X(STATUS, "status", "status")                                              \
    X(TAG, "tag", "tag")                                                       \
    X(TC, "tc", "tc")                                                          \
    X(TFO, "tfo", "tfo")                                                       \
    X(TIMESTAMP, "timestamp", "timestamp")                                     \
    X(TRACESYNC, "tracesync", "tracesync")                                     \
    X(TRUNCATED, "truncated", "truncated")                                     \
    X(TS, "ts", "ts")                                                          \
    X(VALUE, "value", "value")                                                 \
    X(VMID, "vmid", "vmid")                                                    \
    X(WRAP, "wrap", "wrap")                                                    \
    X(WRITE, "write", "write")

enum etm_key_number {
#define ETM_KEY_ENUM(name, key, words) ETM_KEY_##name,
    ETM_KEY_LIST(ETM_KEY_ENUM)
#undef ETM_KEY_ENUM
};

/* A key in the two forms, each to be copied whole, and what of it counts. */
struct etm_key {
    uint8_t n_json, n_words;
    char json[23];  /* ,"address_bits": */
    char words[23]; /* address bits */
};

extern const struct etm_key etm_keys[];

struct etm_described {
    const char *text;
    uint64_t value;
    uint8_t key;  /* enum etm_key_number */
    uint8_t type; /* enum etm_field_type */
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
