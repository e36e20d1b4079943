/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of a capture, and the scalars in their variables. */
#ifndef ETM_CLI_PROGRAMS_H
#define ETM_CLI_PROGRAMS_H

#include "cli/cli.h"

#include <etm/program.h>

struct etm_cli_programs;

/* NULL: out of memory. What cannot be opened has no variables. */
struct etm_cli_programs *
etm_cli_programs_open(const struct etm_session *session);
/* Accepts NULL. */
void etm_cli_programs_free(struct etm_cli_programs *programs);

/* As etm_symbols_scalar(), of the first program that has it; valid up to the
 * next lookup. Lookups are remembered. */
int etm_cli_programs_scalar(struct etm_cli_programs *programs, uint32_t address,
                            unsigned n, const struct etm_scalar **scalar);

/* As etm_symbols_enumerator(), of the scalar at this address. NULL: none. */
const char *etm_cli_programs_enumerator(struct etm_cli_programs *programs,
                                        const struct etm_scalar *scalar,
                                        uint64_t value);

#endif
