/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions, at ETM_LEVEL_COUNTS. The decoder of each worker adds up those of
 * all its stretches, before it is known whether they began right. What was
 * counted in a stretch that began wrong is counted again, by a decoder for this
 * purpose only, and subtracted at the end. So there is no work for each
 * stretch. At the end each worker sorts its own counts, and adding them up is
 * one pass over all.
 */
#include "session/parallel_state.h"

int etm_parallel_collect(struct etm_parallel *p, struct etm_decoder *d)
{
    if (!etm_level_counts(p->decoder_config.level))
        return ETM_OK;
    p->cycles += etm_decoder_take_cycles(d);
    return etm_decoder_take_counts(d, etm_counts_add, &p->counts);
}

int etm_parallel_take_back(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = ETM_OK;

    if (!s->counted)
        return ETM_OK;
    if (p->undo == NULL)
        status = etm_parallel_decoder(p, &p->undo);
    return status == ETM_OK ? etm_stretch_recount(s, p->undo) : status;
}

void etm_parallel_begin_sums(struct etm_parallel *p)
{
    if (p->ring == NULL || !etm_level_counts(p->decoder_config.level))
        return;
    pthread_mutex_lock(&p->lock);
    p->summing = true;
    pthread_cond_broadcast(&p->ready);
    pthread_mutex_unlock(&p->lock);
}

void etm_parallel_sum(struct etm_parallel_worker *w)
{
    if (w->decoder != NULL &&
        etm_decoder_take_counts(w->decoder, etm_counts_gather, &w->sum) !=
            ETM_OK)
        w->sum.status = ETM_ERR_MEMORY;
    (void)etm_counts_order(&w->sum);
}

void etm_parallel_await_sums(struct etm_parallel *p)
{
    struct etm_parallel_worker *own;

    if (!p->summing) /* there may be no workers */
        return;
    own = etm_parallel_own(p);
    if (!own->summed)
        etm_parallel_sum(own);
    own->summed = true;
    pthread_mutex_lock(&p->lock);
    while (p->sums < p->n_threads)
        pthread_cond_wait(&p->settled, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

int etm_parallel_counts(struct etm_parallel *p, etm_count_fn *fn, void *context)
{
    struct etm_counts *tables[ETM_PARALLEL_JOBS + 1] = {&p->counts};
    int status = ETM_ERR_ARGUMENT;
    unsigned n = 1;

    if (etm_level_counts(p->decoder_config.level))
        status =
            etm_decoder_take_counts(p->truth, etm_counts_gather, &p->counts);
    if (status == ETM_OK && p->undo != NULL)
        status = etm_decoder_take_counts(p->undo, etm_counts_gather, &p->wrong);
    if (status == ETM_OK)
        status = etm_counts_order(&p->counts);
    if (!p->summing)
        etm_parallel_begin_sums(p);
    etm_parallel_await_sums(p);
    for (unsigned i = 0; p->summing && i < p->jobs; i++)
        tables[n++] = &p->workers[i].sum;
    return status == ETM_OK ? etm_counts_give(tables, n, &p->wrong, fn, context)
                            : status;
}

void etm_parallel_drop_counts(struct etm_parallel *p)
{
    etm_decoder_drop_counts(p->truth);
}

uint64_t etm_parallel_cycles(struct etm_parallel *p)
{
    p->cycles += etm_decoder_take_cycles(p->truth);
    return p->cycles;
}
