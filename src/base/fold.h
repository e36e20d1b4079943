/* SPDX-License-Identifier: Apache-2.0 */
/* Letters without case, in any locale. */
#ifndef ETM_BASE_FOLD_H
#define ETM_BASE_FOLD_H

#include <stdbool.h>

static inline char etm_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool etm_fold_same(const char *a, const char *b)
{
    while (*a != '\0' && etm_fold(*a) == etm_fold(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

#endif
