/* SPDX-License-Identifier: Apache-2.0 */
/* What could not be decoded of a source, in one line. */
#ifndef ETM_CLI_DAMAGE_H
#define ETM_CLI_DAMAGE_H

#include "cli/cli.h"

#define ETM_CLI_REASONS 8u

/* Zero-initialise it. */
struct etm_cli_damage {
    /* by enum etm_lost_reason */
    uint64_t lost[ETM_CLI_REASONS], bytes[ETM_CLI_REASONS];
    uint64_t no_image;
    bool given;      /* any element was */
    bool begun;      /* tracing began somewhere */
    uint64_t named;  /* ranges, or instructions, that were given */
    uint64_t ranges; /* those, or instructions that end one */
    uint64_t data;   /* transfers */
    uint64_t triggers;
    uint64_t end; /* bytes of the stream, if its end was given */
    bool unseen;  /* it is not known where tracing begins
                     (ETM_LEVEL_COVERAGE) */
    bool part;    /* what comes before or after it was not requested */
};

void etm_cli_damage_add(struct etm_cli_damage *damage,
                        const struct etm_element *elements, size_t n);

/* Add what was counted elsewhere. */
void etm_cli_damage_merge(struct etm_cli_damage *damage,
                          const struct etm_cli_damage *other);

/* Sources in which there is nothing to decode, of which all share a line;
 * zero-initialise it. */
#define ETM_CLI_SILENT 8u
struct etm_cli_silent {
    size_t n, sources[ETM_CLI_SILENT]; /* the first ones */
    bool part;                         /* only a part was read */
};

/* One line on standard error, if there are any. */
void etm_cli_silent_tell(const struct etm_cli_silent *silent,
                         const struct etm_session *session);

/* One line on standard error if there was damage; for the `whole`, or a part
 * with a beginning of its own, also if there was nothing at all, unless this is
 * left to `silent`, which may be NULL. */
void etm_cli_damage_tell(const struct etm_cli_damage *damage,
                         const struct etm_session *session, size_t source,
                         bool whole, struct etm_cli_silent *silent);

/* Packets of a source, and damage among them; zero-initialise it. */
struct etm_cli_wire {
    uint64_t n, bad, bad_bytes, unsynchronized_bytes;
};

void etm_cli_wire_add(struct etm_cli_wire *wire,
                      const struct etm_packet *packets, size_t n);

/* One line on standard error, if there was damage or nothing at all; as
 * etm_cli_damage_tell(). */
void etm_cli_wire_tell(const struct etm_cli_wire *wire,
                       const struct etm_session *session, size_t source,
                       struct etm_cli_silent *silent);

#endif
