/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetching of memory that is not in the cache. */
#ifndef ETM_BASE_FETCH_H
#define ETM_BASE_FETCH_H

/*
 * Prefetch what will soon be read. The address need not be valid, and nothing
 * is done if the compiler has no way. A function that only prefetches must be
 * inlined: the compiler may drop a call of it, because it has no effect.
 */
static inline void etm_fetch(const void *p)
{
#ifdef __GNUC__
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

#endif
