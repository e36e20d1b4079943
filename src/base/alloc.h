/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator hook: the only way to memory in the core. */
#ifndef ETM_BASE_ALLOC_H
#define ETM_BASE_ALLOC_H

#include <etm/types.h>

/* realloc() and free(). */
extern const struct etm_allocator etm_allocator_malloc;

/* A copy of *allocator, or the default when it is NULL. */
struct etm_allocator etm_allocator_or_default(const struct etm_allocator *a);

/* Zeroed memory, or NULL. */
void *etm_alloc_zero(const struct etm_allocator *allocator, size_t size);

/* Accepts NULL. */
void etm_alloc_free(const struct etm_allocator *allocator, void *memory);

#endif
