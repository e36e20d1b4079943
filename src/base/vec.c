/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <string.h>

void etm_vec_init(struct etm_vec *vec, size_t width,
                  const struct etm_allocator *allocator)
{
    *vec = (struct etm_vec){.width = width,
                            .allocator = etm_allocator_or_default(allocator)};
}

void etm_vec_fini(struct etm_vec *vec)
{
    etm_alloc_free(&vec->allocator, vec->data);
    vec->data = NULL;
    vec->n = vec->capacity = 0;
}

int etm_vec_reserve(struct etm_vec *vec, size_t more)
{
    size_t capacity = vec->capacity != 0 ? vec->capacity : 16;
    size_t most = SIZE_MAX / 2 / vec->width;
    void *data;

    if (more <= vec->capacity - vec->n)
        return ETM_OK;
    if (vec->n > most || more > most - vec->n)
        return ETM_ERR_MEMORY;
    while (capacity < vec->n + more)
        capacity *= 2;
    data = vec->allocator.resize(vec->allocator.context, vec->data,
                                 capacity * vec->width);
    if (data == NULL)
        return ETM_ERR_MEMORY;
    vec->data = data;
    vec->capacity = capacity;
    return ETM_OK;
}

int etm_vec_append(struct etm_vec *vec, const void *values, size_t n)
{
    int status = etm_vec_reserve(vec, n);

    if (status != ETM_OK)
        return status;
    if (n != 0)
        memcpy((char *)vec->data + vec->n * vec->width, values, n * vec->width);
    vec->n += n;
    return ETM_OK;
}

void etm_vec_drop(struct etm_vec *vec, size_t n)
{
    if (n >= vec->n) {
        vec->n = 0;
        return;
    }
    memmove(vec->data, (char *)vec->data + n * vec->width,
            (vec->n - n) * vec->width);
    vec->n -= n;
}
