/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions, at ETM_LEVEL_COUNTS. The decoder of each worker adds up those of
 * all its stretches, before anybody knows whether they began right. What one
 * that did not has counted is counted again, in a table of its own, and taken
 * away at the end. So nothing is done for each stretch.
 */
#include "session/parallel_state.h"

int etm_parallel_collect(struct etm_parallel *p)
{
    if (p->decoder_config.level != ETM_LEVEL_COUNTS)
        return ETM_OK;
    p->cycles += etm_decoder_take_cycles(p->truth);
    return etm_decoder_take_counts(p->truth, etm_counts_add, &p->counts);
}

int etm_parallel_take_back(struct etm_parallel *p, struct etm_stretch *s,
                           struct etm_parallel_worker *w)
{
    int status;

    if (!s->counted)
        return ETM_OK;
    status = etm_parallel_decoder(w);
    /* what is good of this worker's must not get among them */
    if (status == ETM_OK)
        status =
            etm_decoder_take_counts(w->decoder, etm_counts_add, &p->counts);
    w->behind = NULL;
    if (status == ETM_OK)
        status = etm_stretch_recount(s, w->decoder);
    if (status == ETM_OK)
        status = etm_decoder_take_counts(w->decoder, etm_counts_add, &p->wrong);
    return status;
}

struct giving {
    const struct etm_counts *wrong;
    etm_count_fn *fn;
    void *context;
};

static int give_right(void *context, const struct etm_count *count)
{
    const struct giving *g = context;
    struct etm_count right = *count;

    right.n -= etm_counts_find(g->wrong, count);
    return right.n != 0 ? g->fn(g->context, &right) : ETM_OK;
}

int etm_parallel_counts(struct etm_parallel *p, etm_count_fn *fn, void *context)
{
    struct giving giving = {&p->wrong, fn, context};
    /* where nothing is to be taken away they need not be put together */
    bool all_right = p->wrong.rows.n == 0;
    int status = ETM_ERR_ARGUMENT;

    if (p->decoder_config.level == ETM_LEVEL_COUNTS)
        status = etm_parallel_collect(p);
    for (unsigned i = 0; p->workers != NULL && i <= p->jobs; i++)
        if (p->workers[i].decoder != NULL && status == ETM_OK)
            status = etm_decoder_take_counts(p->workers[i].decoder,
                                             all_right ? fn : etm_counts_add,
                                             all_right ? context : &p->counts);
    return status == ETM_OK ? etm_counts_each(&p->counts, give_right, &giving)
                            : status;
}

void etm_parallel_drop_counts(struct etm_parallel *p)
{
    etm_decoder_drop_counts(p->truth);
}

uint64_t etm_parallel_cycles(const struct etm_parallel *p)
{
    return p->cycles;
}
