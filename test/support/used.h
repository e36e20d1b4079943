/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator that knows how many bytes are in use, on any thread. */
#ifndef ETM_TEST_USED_H
#define ETM_TEST_USED_H

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct used {
    atomic_size_t now, most;
};

static inline void used_change(struct used *used, size_t before, size_t size)
{
    size_t now = atomic_fetch_add(&used->now, size - before) + size - before;
    size_t most = atomic_load(&used->most);

    while (now > most && !atomic_compare_exchange_weak(&used->most, &most, now))
        ;
}

/* etm_allocator.resize; its context is a struct used. The size of a block
 * stands before it. */
static inline void *used_resize(void *context, void *old, size_t size)
{
    struct used *used = context;
    max_align_t *block = old;
    size_t before = 0;

    if (block != NULL)
        before = *(size_t *)(void *)--block;
    if (size == 0) {
        free(block);
        used_change(used, before, 0);
        return NULL;
    }
    block = realloc(block, size + sizeof *block);
    assert(block != NULL);
    *(size_t *)(void *)block = size;
    used_change(used, before, size);
    return block + 1;
}

#endif
