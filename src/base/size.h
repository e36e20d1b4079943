/* SPDX-License-Identifier: Apache-2.0 */
/* The size that public configuration structs begin with. */
#ifndef ETM_BASE_SIZE_H
#define ETM_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * `size` is what the caller wrote, `ours` that of the struct as the library
 * knows it. 0 stands for the latter (include/etm/types.h).
 */
static inline bool etm_size_fits(size_t size, size_t ours)
{
    return size == 0 || size == ours;
}

/* Of one that does not fit: what the caller can do about it. */
#define ETM_SIZE_OTHER(name)                                                   \
    name " has another size: headers of another version, or not set to zero"

#endif
