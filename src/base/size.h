/* SPDX-License-Identifier: Apache-2.0 */
/* The size that public configuration structs begin with. */
#ifndef ETM_BASE_SIZE_H
#define ETM_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * `size` is the caller's size of the struct, `ours` that of this library. 0
 * means the latter (include/etm/types.h).
 */
static inline bool etm_size_fits(size_t size, size_t ours)
{
    return size == 0 || size == ours;
}

/* Message for a size that does not fit. */
#define ETM_SIZE_OTHER(name)                                                   \
    name " has another size: headers of another version, or not set to zero"

#endif
