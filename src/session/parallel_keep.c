/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portions for callers that want the elements themselves, in the thread that
 * pushes: elements are kept unchanged. Stretches are so short that they are
 * read from a cache, though perhaps not that of the same core.
 */
#include "session/parallel_state.h"

/* Elements that are given at a time. */
#define BATCH 256u

struct kept {
    struct etm_vec elements; /* struct etm_element */
};

static int begin(void *context, unsigned thread, void **portion)
{
    struct etm_parallel *p = context;
    struct kept *k = *portion;

    (void)thread;
    if (k == NULL) {
        k = etm_alloc_zero(&p->allocator, sizeof *k);
        if (k == NULL)
            return ETM_ERR_MEMORY;
        etm_vec_init(&k->elements, sizeof(struct etm_element), &p->allocator);
        *portion = k;
    }
    k->elements.n = 0;
    return ETM_OK;
}

static int keep(void *portion, const struct etm_element *elements, size_t n)
{
    struct kept *k = portion;

    return etm_vec_append(&k->elements, elements, n);
}

static int end(void *portion)
{
    (void)portion;
    return ETM_OK;
}

static int take(void *context, void *portion)
{
    struct etm_parallel *p = context;
    const struct kept *k = portion;
    const struct etm_element *elements = k->elements.data;
    int status = ETM_OK;

    for (size_t i = 0; i < k->elements.n && status == ETM_OK; i += BATCH)
        status =
            p->elements(p->context, elements + i,
                        k->elements.n - i < BATCH ? k->elements.n - i : BATCH);
    return status;
}

static void free_kept(void *context, void *portion)
{
    struct etm_parallel *p = context;
    struct kept *k = portion;

    etm_vec_fini(&k->elements);
    etm_alloc_free(&p->allocator, k);
}

struct etm_portions etm_parallel_keeping(struct etm_parallel *p)
{
    return (struct etm_portions){
        .size = sizeof(struct etm_portions),
        .begin = begin,
        .elements = keep,
        .end = end,
        .take = take,
        .free = free_kept,
        .context = p,
        .element_size = sizeof(struct etm_element),
    };
}
