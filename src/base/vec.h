/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of values of one size. It never shrinks, so that after
 * warm-up nothing is allocated.
 */
#ifndef ETM_BASE_VEC_H
#define ETM_BASE_VEC_H

#include "base/alloc.h"

#include <etm/types.h>

struct etm_vec {
    void *data;
    size_t n;        /* values in use */
    size_t capacity; /* values that fit */
    size_t width;    /* bytes of one value */
    struct etm_allocator allocator;
};

/* `allocator` is copied. */
void etm_vec_init(struct etm_vec *vec, size_t width,
                  const struct etm_allocator *allocator);
void etm_vec_fini(struct etm_vec *vec);

/* Make room for `more` values after the n in use. ETM_OK or ETM_ERR_MEMORY; on
 * failure the vector is unchanged. */
int etm_vec_reserve(struct etm_vec *vec, size_t more);

/* Append a copy of `n` values. ETM_OK or ETM_ERR_MEMORY. */
int etm_vec_append(struct etm_vec *vec, const void *values, size_t n);

/* Remove the first `n` values. */
void etm_vec_drop(struct etm_vec *vec, size_t n);

#endif
