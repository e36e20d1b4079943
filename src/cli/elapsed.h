/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cycles that the elements of a source will tell, by its packets alone
 * (doc/errata.md, E-342). Those that were counted last have an instruction only
 * when the next one comes; if a gap of unknown length comes first, no element
 * has them. So the cycles before a place may be known later than the place.
 */
#ifndef ETM_CLI_ELAPSED_H
#define ETM_CLI_ELAPSED_H

#include <etm/config.h>
#include <etm/packet.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places whose cycles may be open at a time. Between two of them is an
 * instruction as a rule; where there are more, the oldest is settled with the
 * cycles that were counted before it. */
#define ETM_CLI_PLACES 64u

/* Where the cycles are that were counted before a place, and had by no
 * instruction there. */
enum etm_cli_waits {
    ETM_CLI_WAITS_TOLD = 0, /* told, or dropped */
    ETM_CLI_WAITS_HAD,      /* the last instruction has them, which may still be
                               cancelled */
    ETM_CLI_WAITS_OPEN,     /* nobody has them */
    ETM_CLI_WAITS_GAP /* a gap whose length is still to be told has them */
};

/* Decoding may begin here: what was told before it. */
struct etm_cli_elapsed_place {
    uint64_t told;
    uint64_t waits;
    uint8_t state;   /* enum etm_cli_waits */
    bool behind_gap; /* whose length is still to be told */
};

/* A P-header: the W atoms in it. */
struct etm_cli_header {
    bool known, some, several; /* instructions */
    uint8_t told;              /* before the last instruction */
    uint8_t last;              /* of them, those behind the one before it */
    uint8_t after;             /* behind it */
};

struct etm_cli_elapsed {
    uint64_t told;  /* by elements that can be given */
    uint64_t waits; /* counted since */
    bool etmv3, counts;
    uint8_t minor;
    bool m_profile;
    bool has_code; /* of instructions, so that they can be cancelled */
    bool synced;
    /* ETMv3: the last instruction, which may be cancelled; not behind an
     * exception exit of an M-profile core (7.5.4). */
    bool has_last, exit;
    uint64_t last;
    /* ETMv3: a gap whose length is still to be told (7.3.4), and the waits
     * before it. */
    bool gap_open, gap_unreliable;
    uint64_t gap;
    struct etm_cli_header headers[256];
    struct etm_cli_elapsed_place places[ETM_CLI_PLACES]; /* in a ring */
    size_t first, n;
};

/* Those of a source with that configuration, whose code is known or not, from
 * a place on before which so many were told. */
void etm_cli_elapsed_begin(struct etm_cli_elapsed *elapsed,
                           const struct etm_config *config, bool has_code,
                           uint64_t told);

/* Does this trace count cycles, of which nothing is missing? */
bool etm_cli_elapsed_counts(const struct etm_config *config);

/* etm_cli_elapsed_take() of any packet. */
void etm_cli_elapsed_any(struct etm_cli_elapsed *elapsed,
                         const struct etm_packet *packet);

static inline void etm_cli_elapsed_take(struct etm_cli_elapsed *elapsed,
                                        const struct etm_packet *packet)
{
    /* most packets of PFT: a waypoint, while no place is open */
    if (packet->kind != ETM_PACKET_ATOM || packet->count == 0 ||
        !elapsed->synced || elapsed->n != 0 || !elapsed->counts) {
        etm_cli_elapsed_any(elapsed, packet);
        return;
    }
    elapsed->told += elapsed->waits + packet->cycle_count;
    elapsed->waits = 0;
}

/* Bytes are missing here. */
void etm_cli_elapsed_broken(struct etm_cli_elapsed *elapsed);

/* The buffer, or the trace, ends: everything is settled. What follows is no
 * continuation. */
void etm_cli_elapsed_end(struct etm_cli_elapsed *elapsed);

/* Decoding may begin here, with the I-sync that is taken next. Places that are
 * settled are to be taken before another one is marked. */
void etm_cli_elapsed_mark(struct etm_cli_elapsed *elapsed);

/* The oldest place that was marked and not taken yet, if it is settled: the
 * cycles before it, so that those that are told from there on are added. */
bool etm_cli_elapsed_settled(struct etm_cli_elapsed *elapsed, uint64_t *cycles);

#endif
