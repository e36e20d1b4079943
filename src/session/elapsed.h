/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cycles that the elements of a source will give, from its packets alone
 * (doc/errata.md, E-342). Those that were counted last belong to an instruction
 * only when the next one comes; if a gap of unknown length comes first, they
 * are in no element. So the cycles before a place may be known later than the
 * place: those that wait for an instruction there are before it, unless such a
 * gap comes before that instruction, and so is a gap before the place whose
 * count comes later (7.3.4).
 */
#ifndef ETM_SESSION_ELAPSED_H
#define ETM_SESSION_ELAPSED_H

#include <etm/config.h>
#include <etm/packet.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of places whose cycles are open at a time. There is usually an
 * instruction between two of them; if there are more, the oldest is settled
 * with the cycles that were counted before it. */
#define ETM_ELAPSED_PLACES 64u

/* What becomes of the cycles that were counted before a place and did not
 * belong to an instruction there yet. */
enum etm_pending {
    ETM_PENDING_SETTLED = 0, /* given, or dropped */
    ETM_PENDING_HELD,        /* they belong to the last instruction, which may
                                    still be cancelled */
    ETM_PENDING_OPEN,        /* not decided */
    ETM_PENDING_GAP          /* they belong to a gap whose length is to come */
};

/* A place where decoding may begin: what was given before it. */
struct etm_elapsed_place {
    uint64_t given;
    uint64_t pending;
    uint8_t state;  /* enum etm_pending */
    bool after_gap; /* a gap whose length is still to come */
};

/* A P-header: the W atoms in it. */
struct etm_elapsed_header {
    bool known, some, several; /* instructions */
    uint8_t given;             /* before the last instruction */
    uint8_t last;              /* after the instruction before it */
    uint8_t after;             /* after the last one */
};

struct etm_elapsed {
    uint64_t given;   /* in elements that can be given */
    uint64_t pending; /* counted since then */
    const struct etm_config *config;
    bool counts;
    bool has_code; /* there is code, so that instructions can be cancelled */
    bool synced;
    /* ETMv3: the last instruction, which may be cancelled, but not after an
     * exception exit of an M-profile core (7.5.4). */
    bool has_last, exit;
    uint64_t last;
    /* ETMv3: a gap whose length is still to come (7.3.4), and the pending
     * cycles before it. */
    bool gap_open, gap_unreliable;
    uint64_t gap;
    struct etm_elapsed_header headers[256];
    struct etm_elapsed_place places[ETM_ELAPSED_PLACES]; /* in a ring */
    size_t first, n;
};

/* Begin with the cycles of a source with this configuration, with code or
 * without, from a place before which this many were given. The configuration is
 * borrowed. */
void etm_elapsed_begin(struct etm_elapsed *elapsed,
                       const struct etm_config *config, bool has_code,
                       uint64_t given);

/* Does this trace count cycles, and are all of them in it? */
bool etm_elapsed_counts(const struct etm_config *config);

/* etm_elapsed_take() for any packet. */
void etm_elapsed_any(struct etm_elapsed *elapsed,
                     const struct etm_packet *packet);

static inline void etm_elapsed_take(struct etm_elapsed *elapsed,
                                    const struct etm_packet *packet)
{
    /* most packets of PFT: a waypoint, while no place is open */
    if (packet->kind != ETM_PACKET_ATOM || packet->count == 0 ||
        !elapsed->synced || elapsed->n != 0 || !elapsed->counts) {
        etm_elapsed_any(elapsed, packet);
        return;
    }
    elapsed->given += elapsed->pending + packet->cycle_count;
    elapsed->pending = 0;
}

/* Bytes are missing here. */
void etm_elapsed_broken(struct etm_elapsed *elapsed);

/* The buffer or the trace ends: everything is settled. What follows does not
 * continue it. */
void etm_elapsed_end(struct etm_elapsed *elapsed);

/* Decoding may begin here, with the I-sync that is taken next. Settled places
 * must be fetched before another one is marked. */
void etm_elapsed_mark(struct etm_elapsed *elapsed);

/* Fetch the oldest marked place if it is settled: *cycles is the sum before it,
 * to which those that are given from there on are added. False if it is not
 * settled. */
bool etm_elapsed_settled(struct etm_elapsed *elapsed, uint64_t *cycles);

#endif
