/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *malloc_resize(void *context, void *old, size_t size)
{
    (void)context;
    if (size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, size);
}

const struct etm_allocator etm_allocator_malloc = {malloc_resize, NULL};

struct etm_allocator etm_allocator_or_default(const struct etm_allocator *a)
{
    return a != NULL && a->resize != NULL ? *a : etm_allocator_malloc;
}

void *etm_alloc_zero(const struct etm_allocator *allocator, size_t size)
{
    void *memory = allocator->resize(allocator->context, NULL, size);

    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

void etm_alloc_free(const struct etm_allocator *allocator, void *memory)
{
    if (memory != NULL)
        allocator->resize(allocator->context, memory, 0);
}
