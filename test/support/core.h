/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_CORE_H
#define TEST_SUPPORT_CORE_H

#include <etm/setup.h>

/* A core of the table; NULL: it has none of that name. */
static inline const struct etm_core *core_named(const char *name)
{
    const struct etm_core *core;

    return etm_core_find(name, &core) == ETM_OK ? core : NULL;
}

#endif
