/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators that fail, and count how often they were asked. */
#ifndef ETM_TEST_SCARCE_H
#define ETM_TEST_SCARCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Memory that ends: all calls fail until there is more again. */
struct scarce {
    size_t left;  /* calls that succeed */
    size_t calls; /* that asked for memory */
    bool failed;
};

/* etm_allocator.resize; its context is a struct scarce. */
static inline void *scarce_resize(void *context, void *old, size_t size)
{
    struct scarce *scarce = context;

    if (size == 0) {
        free(old);
        return NULL;
    }
    scarce->calls++;
    if (scarce->left == 0) {
        scarce->failed = true;
        return NULL;
    }
    scarce->left--;
    return realloc(old, size);
}

/* Memory that fails once, or from then `on`. */
struct faulty {
    size_t fail_at; /* the call that does, from 1; 0: none */
    size_t calls;   /* that asked for memory */
    long live;      /* blocks that were not given back */
    bool on;
};

/* etm_allocator.resize; its context is a struct faulty. */
static inline void *faulty_resize(void *context, void *old, size_t size)
{
    struct faulty *faulty = context;
    void *memory;

    if (size == 0) {
        faulty->live -= old != NULL;
        free(old);
        return NULL;
    }
    faulty->calls++;
    if (faulty->calls == faulty->fail_at ||
        (faulty->on && faulty->calls > faulty->fail_at))
        return NULL;
    memory = realloc(old, size);
    faulty->live += old == NULL && memory != NULL;
    return memory;
}

#endif
