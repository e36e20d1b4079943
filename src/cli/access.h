/* SPDX-License-Identifier: Apache-2.0 */
/* How a command accesses the registers of a macrocell in software. */
#ifndef ETM_CLI_ACCESS_H
#define ETM_CLI_ACCESS_H

#include <etm/macrocell.h>

/* The first interface through which ETMCR can be read (3.2): memory-mapped,
 * JTAG, CP14. */
enum etm_access etm_cli_access(struct etm_macrocell *macrocell);

#endif
