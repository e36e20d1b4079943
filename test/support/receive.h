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

#endif
