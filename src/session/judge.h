/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well a configuration explains a stretch of trace. Everything in its
 * packets that a macrocell with this configuration is unlikely to send has a
 * cost in bits: roughly the binary logarithm of its improbability.
 */
#ifndef ETM_SESSION_JUDGE_H
#define ETM_SESSION_JUDGE_H

#include "proto/broadcast.h"

#include <etm/decode.h>
#include <etm/packet.h>
#include <etm/session.h>

/* What was seen: bits of etm_trial.seen. */
enum etm_seen {
    ETM_SEEN_ARM = 1u << 0,        /* an I-sync in ARM state */
    ETM_SEEN_NS = 1u << 1,         /* Non-secure state */
    ETM_SEEN_HYP = 1u << 2,        /* Hyp mode */
    ETM_SEEN_VMID = 1u << 3,       /* VMID packets */
    ETM_SEEN_TIMESTAMP = 1u << 4,  /* timestamps */
    ETM_SEEN_LONG_STAMP = 1u << 5, /* one of more than seven bytes */
    ETM_SEEN_GRAY_BACK = 1u << 6,  /* time goes back if they are Gray code */
    ETM_SEEN_BINARY_BACK = 1u << 7 /* ... if they are binary */
};

/* One configuration on trial. Initialise with zeros except for `config`,
 * `image` and `limit`. */
struct etm_trial {
    struct etm_config config;
    const struct etm_image *image; /* NULL: none */
    int64_t limit;                 /* beyond this cost it is hopeless */

    int64_t cost;
    unsigned seen;
    uint64_t a_syncs, i_syncs;
    uint64_t first;     /* offset at which decoding began */
    uint64_t bad_bytes; /* unexplained bytes from there on */
    uint64_t data;      /* data packets */

    /* of the judge */
    struct etm_broadcast broadcast;
    bool synchronized;
    bool counting;        /* a gap whose length did not come yet ... */
    uint64_t count_since; /* ... begins at this offset */
    uint64_t gaps, counts;
    unsigned regions;       /* address bits [31:24] of I-syncs: how many ... */
    uint8_t region_set[32]; /* ... and which */
    unsigned same_contexts;
    uint64_t time[2]; /* the last timestamp as Gray code and as binary */
    bool timed;
};

/* An etm_packet_fn; `context` is the trial. ETM_ERR_STOPPED: hopeless. */
int etm_trial_judge(void *context, const struct etm_packet *packets, size_t n);

/* The end, at `offset`, of bytes with that many A-syncs. */
void etm_trial_finish(struct etm_trial *trial, uint64_t offset,
                      uint64_t a_syncs);

/* guess.c: etm_session_guess() for given bytes, the beginning of one stream. */
int etm_guess_stream(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator,
                     struct etm_guess *guess);

/* framing.c: etm_session_guess_framing() for the given bytes of a file. */
int etm_guess_framing(const uint8_t *bytes, size_t n,
                      const struct etm_allocator *allocator,
                      enum etm_framing *framing);

#endif
