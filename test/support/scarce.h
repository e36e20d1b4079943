/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator that fails from its n-th call on, until it is put right. */
#ifndef ETM_TEST_SCARCE_H
#define ETM_TEST_SCARCE_H

#include <stddef.h>
#include <stdlib.h>

struct scarce {
    unsigned left;
};

/* etm_allocator.resize; its context is a struct scarce. */
static inline void *scarce_resize(void *context, void *old, size_t size)
{
    struct scarce *scarce = context;

    if (size == 0) {
        free(old);
        return NULL;
    }
    if (scarce->left == 0)
        return NULL;
    scarce->left--;
    return realloc(old, size);
}

#endif
