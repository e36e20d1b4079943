/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of programs that are run, and faults for lack of it. */
#ifndef ETM_CLI_MEMORY_H
#define ETM_CLI_MEMORY_H

#include "emulate/emulate.h"

/* "FROM-TO" of --memory. False: not of this form. */
bool etm_cli_memory_parse(const char *text, struct etm_emulator_region *region);

#define ETM_CLI_FAULT 160u

/*
 * Why, perhaps, a program did not come to its end, as a clause: "the
 * instruction at ... stores to ..."; empty if it had no fault. Returns `text`,
 * which has room for ETM_CLI_FAULT.
 */
const char *etm_cli_fault_text(const struct etm_run_result *result, char *text);

#endif
