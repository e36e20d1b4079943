/* SPDX-License-Identifier: Apache-2.0 */
/* Cores, beyond what <etm/setup.h> tells of them. */
#ifndef ETM_REGS_CORES_H
#define ETM_REGS_CORES_H

#include <etm/setup.h>

/*
 * The core whose ETMCCER stands for one that is missing beside this ETMIDR;
 * NULL if there is none.
 */
const struct etm_core *etm_core_seen(uint32_t idr);

/*
 * Profile of the core that a macrocell with this ETMIDR is made for;
 * ETM_PROFILE_UNKNOWN if the value does not tell.
 */
enum etm_profile etm_profile_of_idr(uint32_t idr);

/*
 * Profile of a core by its name, also of one without a row ("Cortex-M3",
 * "ARM926EJ-S", "ARMv7-A"); ETM_PROFILE_UNKNOWN if the name does not tell.
 */
enum etm_profile etm_profile_of_core(const char *type);

#endif
