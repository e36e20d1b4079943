/* SPDX-License-Identifier: Apache-2.0 */
/* The byte order mark with which editors and other tools begin a text. */
#ifndef ETM_BASE_MARK_H
#define ETM_BASE_MARK_H

#include <stddef.h>
#include <string.h>

/* U+FEFF in UTF-8. */
#define ETM_MARK "\xef\xbb\xbf"
#define ETM_MARK_SIZE (sizeof ETM_MARK - 1)

/* Bytes of the mark at the beginning of a text of `n` bytes: 0 without one. */
static inline size_t etm_mark_size(const void *text, size_t n)
{
    return n >= ETM_MARK_SIZE && memcmp(text, ETM_MARK, ETM_MARK_SIZE) == 0
               ? ETM_MARK_SIZE
               : 0;
}

#endif
