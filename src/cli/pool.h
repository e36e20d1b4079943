/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines made by several threads: elements are cut into pieces, each thread
 * turns pieces into text, and the one that brings the elements writes the text
 * in their order. For formats in which a line depends on its element alone:
 * JSON Lines.
 */
#ifndef ETM_CLI_POOL_H
#define ETM_CLI_POOL_H

#include "cli/cli.h"

struct etm_cli_pool;

/* `jobs` threads, with the one that calls; the text goes to `config->write`.
 * NULL when memory is short. */
struct etm_cli_pool *etm_cli_pool_new(unsigned jobs,
                                      const struct etm_listing_config *config);

/* As etm_listing_begin(), etm_listing_elements(), etm_listing_flush(). What
 * *source points to has to stay until the flush. */
int etm_cli_pool_begin(struct etm_cli_pool *pool,
                       const struct etm_listing_source *source);
int etm_cli_pool_elements(struct etm_cli_pool *pool,
                          const struct etm_element *elements, size_t n);
int etm_cli_pool_flush(struct etm_cli_pool *pool);

/* Accepts NULL. */
void etm_cli_pool_free(struct etm_cli_pool *pool);

#endif
