/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `etm decode` makes of elements, lines or counts, in the threads that
 * decode them: portions of a session's run (etm/session.h). Each thread has a
 * listing of its own; the results are put together in order.
 */
#ifndef ETM_CLI_POOL_H
#define ETM_CLI_POOL_H

#include "cli/damage.h"
#include "cli/tally.h"

#include <pthread.h>

struct etm_cli_pool;

/* For `jobs` threads; NULL when memory is short. */
struct etm_cli_pool *etm_cli_pool_new(unsigned jobs,
                                      const struct etm_listing_config *config);

/*
 * The portions of a source, of which the caller makes the rest: its lines go
 * to `listing`, or if that is NULL, its counts to `stats`; damage is counted
 * in either case. What the pointers are to stays until the run is over.
 */
const struct etm_portions *
etm_cli_pool_begin(struct etm_cli_pool *pool,
                   const struct etm_listing_source *source,
                   struct etm_listing *listing, struct etm_cli_stats *stats,
                   struct etm_cli_damage *damage);

/* Accepts NULL. */
void etm_cli_pool_free(struct etm_cli_pool *pool);

/* Names for several listings at a time: any number of them may ask for symbols
 * at a time, which are loaded before; for lines one after the other. */
struct etm_cli_shared_names {
    struct etm_names names;
    pthread_mutex_t lock;
};

/* *shared has to stay, and is to be closed when nobody asks any more. */
struct etm_names etm_cli_share_names(struct etm_cli_shared_names *shared,
                                     struct etm_names names);
void etm_cli_share_close(struct etm_cli_shared_names *shared);

#endif
