/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is far away, told to the cache in time. */
#ifndef ETM_BASE_FETCH_H
#define ETM_BASE_FETCH_H

/*
 * What is there will soon be read; there need not be anything, and where a
 * compiler knows no way nothing is done. A function that does nothing else has
 * to become part of its caller: a call of it might be left out, since it
 * changes nothing.
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
