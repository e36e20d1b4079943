/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that take whatever they are given, and go on. */
#ifndef TEST_SUPPORT_RECEIVE_H
#define TEST_SUPPORT_RECEIVE_H

#include <stddef.h>

/* Of one thing. */
#define RECEIVE_ONE(name, type)                                                \
    static int name(void *context, type of)                                    \
    {                                                                          \
        (void)context;                                                         \
        (void)of;                                                              \
        return 0;                                                              \
    }

/* Of an array. */
#define RECEIVE(name, type)                                                    \
    static int name(void *context, type of, size_t n)                          \
    {                                                                          \
        (void)context;                                                         \
        (void)of;                                                              \
        (void)n;                                                               \
        return 0;                                                              \
    }

/* The portions of a run, each of which is the context. */
static inline int begin_portion(void *context, unsigned thread, void **portion)
{
    (void)thread;
    *portion = context;
    return 0;
}

static inline int end_portion(void *portion)
{
    (void)portion;
    return 0;
}

static inline int take_portion(void *context, void *portion)
{
    (void)context;
    (void)portion;
    return 0;
}

static inline void free_portion(void *context, void *portion)
{
    (void)context;
    (void)portion;
}

#endif
