/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making lines or counts from elements in the threads that decode them, for
 * `etm decode`: portions of a session's run (etm/session.h). Each thread has a
 * listing of its own; the results are joined in order.
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
 * The portions of a source; the caller handles the other elements. Lines go to
 * `listing` or, if that is NULL, counts to `stats`; damage is counted in either
 * case. The pointers must be valid until the end of the run.
 */
const struct etm_portions *
etm_cli_pool_begin(struct etm_cli_pool *pool,
                   const struct etm_listing_source *source,
                   struct etm_listing *listing, struct etm_cli_stats *stats,
                   struct etm_cli_damage *damage);

/* Accepts NULL. */
void etm_cli_pool_free(struct etm_cli_pool *pool);

/* Names for several listings: any number of them may look up symbols at the
 * same time, which are loaded before; lines only one after the other. */
struct etm_cli_shared_names {
    struct etm_names names;
    pthread_mutex_t lock;
};

/* *`shared` must be kept, and closed when it is not used any more. */
struct etm_names etm_cli_share_names(struct etm_cli_shared_names *shared,
                                     struct etm_names names);
void etm_cli_share_close(struct etm_cli_shared_names *shared);

#endif
