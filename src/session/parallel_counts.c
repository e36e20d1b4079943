/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions, at ETM_LEVEL_COUNTS: whoever gives elements hands over what was
 * counted with them, a worker with each of its stretches, the true decoder
 * whenever it has given some. What is decoded only to come to a place is
 * dropped. To hand over costs as much as decoding a megabyte if the program is
 * a large one: stretches are long.
 */
#include "session/parallel_state.h"

int etm_parallel_add_counts(struct etm_parallel *p,
                            const struct etm_vec *counts)
{
    const struct etm_count *rows = counts->data;
    int status = ETM_OK;

    for (size_t i = 0; i < counts->n && status == ETM_OK; i++)
        status = etm_counts_add(&p->counts, &rows[i]);
    return status;
}

int etm_parallel_collect(struct etm_parallel *p)
{
    if (p->decoder_config.level != ETM_LEVEL_COUNTS)
        return ETM_OK;
    return etm_decoder_take_counts(p->truth, etm_counts_add, &p->counts);
}

int etm_parallel_counts(struct etm_parallel *p, etm_count_fn *fn, void *context)
{
    int status = ETM_ERR_ARGUMENT;

    if (p->decoder_config.level == ETM_LEVEL_COUNTS)
        status = etm_parallel_collect(p);
    return status == ETM_OK ? etm_counts_walk(&p->counts, fn, context) : status;
}

void etm_parallel_drop_counts(struct etm_parallel *p)
{
    etm_decoder_drop_counts(p->truth);
}
