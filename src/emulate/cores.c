/* SPDX-License-Identifier: Apache-2.0 */
/* The table of cores, and the texts of this room; in every build. */
#include "emulate/emulate.h"

#include "base/name.h"
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

static const char *pass(const char *text)
{
    while (*text == '-' || *text == '_' || *text == ' ')
        text++;
    return text;
}

/* What is after the name of a core, without case and hyphens; NULL: `text`
 * begins with another name. */
static const char *behind(const char *text, const char *name)
{
    for (;;) {
        text = pass(text);
        name = pass(name);
        if (*name == '\0')
            return text;
        if (lower(*text) != lower(*name))
            return NULL;
        text++;
        name++;
    }
}

/* Nothing, or the macrocell beside the core, its size (tables 2-19 and 2-20) or
 * revision: for the emulator "arm7tdmi-large" is an arm7tdmi. */
static bool is_macrocell(const char *text)
{
    static const char *const kinds[] = {"",           "small", "medium",
                                        "mediumplus", "large", "r0p0"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *rest = behind(text, kinds[i]);

        if (rest && *rest == '\0')
            return true;
    }
    return false;
}

const struct etm_emulator_core *etm_emulator_core_find(const char *name)
{
    for (size_t i = 0; i < N_CORES; i++) {
        const char *rest = behind(name, cores[i].name);

        if (rest && is_macrocell(rest))
            return &cores[i];
    }
    return NULL;
}

const char *etm_run_end_text(enum etm_run_end end)
{
    ETM_RETURN_NAME(ETM_RUN_END_LIST, end);
}

const char *etm_run_fault_text(enum etm_run_fault fault)
{
    ETM_RETURN_NAME(ETM_RUN_FAULT_LIST, fault);
}

const char *etm_interrupt_kind_name(enum etm_interrupt_kind kind)
{
    ETM_RETURN_NAME(ETM_INTERRUPT_LIST, kind);
}
