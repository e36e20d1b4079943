/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

bool etm_cli_memory_parse(const char *text, struct etm_emulator_region *region)
{
    uint64_t from, to;

    if (!etm_cli_take_number(&text, UINT32_MAX, &from) || *text++ != '-' ||
        !etm_cli_take_number(&text, (uint64_t)UINT32_MAX + 1, &to) ||
        *text != '\0' || to <= from || to - from > UINT32_MAX)
        return false;
    region->base = (uint32_t)from;
    region->size = (uint32_t)(to - from);
    return true;
}

const char *etm_cli_fault_text(const struct etm_run_result *result, char *text)
{
    const char *what = etm_run_fault_text((enum etm_run_fault)result->fault);

    text[0] = '\0';
    if (result->fault == ETM_RUN_FAULT_UNDEFINED ||
        result->fault == ETM_RUN_FAULT_FLOAT)
        (void)snprintf(text, ETM_CLI_FAULT,
                       "the instruction at 0x%08" PRIx32 " %s",
                       result->fault_at, what);
    else if (result->fault != ETM_RUN_FAULT_NONE)
        (void)snprintf(text, ETM_CLI_FAULT,
                       "the instruction at 0x%08" PRIx32 " %s 0x%08" PRIx32
                       ", where there is no memory (--memory)",
                       result->fault_at, what, result->fault_access);
    return text;
}
