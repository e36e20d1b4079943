/* SPDX-License-Identifier: Apache-2.0 */
/* What libiberty is for: a name as its source has it, to be freed. */
#ifndef ETM_CLI_DEMANGLE_LIBRARY_H
#define ETM_CLI_DEMANGLE_LIBRARY_H

/* NULL: it is as in the program. */
char *etm_cli_demangle_text(const char *name);

#endif
