/* SPDX-License-Identifier: Apache-2.0 */
/* What tests are told by the environment. */
#ifndef TEST_SUPPORT_SETTING_H
#define TEST_SUPPORT_SETTING_H

#include <stdlib.h>

/* ETM_TEST_ROUNDS: how many executions; ETM_TEST_SEED: that of the first. */
static inline unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoul(text, NULL, 0) : otherwise;
}

#endif
