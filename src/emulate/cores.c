/* SPDX-License-Identifier: Apache-2.0 */
/* The table of cores, and the texts of this room; in every build. */
#include "emulate/emulate.h"

#include "emulate/cores.h"

static const struct etm_emulator_core cores[] = {
#define ETM_CORE_ROW(name, profile, architecture, model)                       \
    {name, ETM_PROFILE_##profile, architecture},
    ETM_EMULATOR_CORE_LIST(ETM_CORE_ROW)
#undef ETM_CORE_ROW
};

#define N_CORES (sizeof cores / sizeof cores[0])

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Equal without case and hyphens. */
static bool same(const char *a, const char *b)
{
    for (;;) {
        while (*a == '-' || *a == ' ')
            a++;
        while (*b == '-' || *b == ' ')
            b++;
        if (lower(*a) != lower(*b))
            return false;
        if (*a == '\0')
            return true;
        a++;
        b++;
    }
}

const struct etm_emulator_core *etm_emulator_core_find(const char *name)
{
    for (size_t i = 0; i < N_CORES; i++) {
        if (same(name, cores[i].name))
            return &cores[i];
    }
    return NULL;
}

const char *etm_run_end_text(enum etm_run_end end)
{
    switch (end) {
#define ETM_CASE(name, text)                                                   \
    case ETM_RUN_END_##name:                                                   \
        return text;
        ETM_RUN_END_LIST(ETM_CASE)
#undef ETM_CASE
    }
    return "unknown";
}

const char *etm_interrupt_kind_name(enum etm_interrupt_kind kind)
{
    switch (kind) {
#define ETM_CASE(name, text)                                                   \
    case ETM_INTERRUPT_##name:                                                 \
        return text;
        ETM_INTERRUPT_LIST(ETM_CASE)
#undef ETM_CASE
    }
    return "unknown";
}
