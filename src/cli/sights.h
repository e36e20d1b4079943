/* SPDX-License-Identifier: Apache-2.0 */
/* Values of variables, as the transfers of data trace tell them. */
#ifndef ETM_CLI_SIGHTS_H
#define ETM_CLI_SIGHTS_H

#include "cli/known.h"
#include "cli/value.h"
#include "cli/watch.h"

/* A transfer, as far as it is of one scalar. */
struct etm_cli_sight {
    struct etm_call_cost at; /* what came before it in the source */
    uint64_t offset;
    uint64_t raw;     /* the bytes of the scalar after it; unknown ones are 0 */
    uint32_t address; /* by which the scalar is found, */
    uint16_t n;       /* and its number there */
    uint8_t known;    /* its bytes of which the value is known, from bit 0 */
    uint8_t size;     /* of the transfer */
    uint8_t store;    /* enum etm_tri */
    bool big;         /* the byte at the lowest address is the first of them */
    bool made_up;     /* nothing is known of a variable there */
    bool by_comparator; /* of a DWT, which is in `address` */
    bool insn_known;
    uint32_t insn;
};

/* Transfers of a source. */
struct etm_cli_transfers {
    uint64_t all, shown, elsewhere, without_address, without_value;
};

/* Zero-initialise it. */
struct etm_cli_sights {
    struct etm_cli_replay *replay;
    struct etm_cli_watch watch; /* without any, all variables are */
    struct etm_cli_programs *programs;
    struct etm_cli_known known;
    struct etm_cli_transfers transfers;
    /* What is done with each. A status. */
    int (*take)(struct etm_cli_replay *replay, struct etm_cli_sight *sight);
    int status;
};

/* The programs, and the variables of --watch. An exit status; the message is
 * printed. */
int etm_cli_sights_open(struct etm_cli_sights *sights,
                        struct etm_cli_replay *replay);
void etm_cli_sights_free(struct etm_cli_sights *sights);

/* A source begins. */
void etm_cli_sights_source(struct etm_cli_sights *sights);

/* An element of it: a transfer, or a gap, behind which nothing is known. */
void etm_cli_sights_element(struct etm_cli_sights *sights,
                            const struct etm_element *element);

/* The scalar of a sight, as a copy; its size is that of the sight, if the
 * program does not tell it. */
void etm_cli_sight_scalar(struct etm_cli_sights *sights,
                          const struct etm_cli_sight *sight,
                          struct etm_scalar *scalar);

/* Is the whole value known? */
static inline bool etm_cli_sight_is_whole(const struct etm_cli_sight *sight,
                                          const struct etm_scalar *scalar)
{
    return scalar->size != 0 && sight->known == (1u << scalar->size) - 1;
}

/* "write", "read", "" (not known) */
static inline const char *etm_cli_sight_access(const struct etm_cli_sight *s)
{
    return s->store == ETM_TRUE ? "write" : s->store == ETM_FALSE ? "read" : "";
}

#endif
