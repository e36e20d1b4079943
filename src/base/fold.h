/* SPDX-License-Identifier: Apache-2.0 */
/* Letters without case, in any locale. */
#ifndef ETM_BASE_FOLD_H
#define ETM_BASE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

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

/* Does a text begin with another one? */
static inline bool etm_fold_begins(const char *text, const char *with)
{
    while (*with != '\0' && etm_fold(*text) == etm_fold(*with)) {
        text++;
        with++;
    }
    return *with == '\0';
}

static inline bool etm_fold_like(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i < n && etm_fold(a[i]) == etm_fold(b[i]))
        i++;
    return i == n;
}

#endif
