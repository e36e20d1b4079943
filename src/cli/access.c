/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/access.h"

enum etm_access etm_cli_access(struct etm_macrocell *macrocell)
{
    static const enum etm_access ways[] = {ETM_ACCESS_DEBUGGER, ETM_ACCESS_JTAG,
                                           ETM_ACCESS_COPROCESSOR};
    uint32_t value;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (etm_macrocell_read(macrocell, etm_register_number("ETMCR"), ways[i],
                               &value) == ETM_ACCESS_OK)
            return ways[i];
    return ETM_ACCESS_DEBUGGER;
}
