/* SPDX-License-Identifier: Apache-2.0 */
/* What higher rooms need of the registers beyond <etm/config.h>. */
#ifndef ETM_REGS_REGS_H
#define ETM_REGS_REGS_H

#include <etm/config.h>

/* Trace IDs 0x70 to 0x7f are reserved or have a meaning of their own
   (CoreSight architecture, trace formatter). */
#define ETM_TRACE_ID_MAX 0x6fu

/* Copy a caller's configuration as this version has the struct (base/size.h),
 * and check it. Errors as for etm_config_check(). */
int etm_config_take(struct etm_config *own, const struct etm_config *given,
                    struct etm_diag *diag);

/* The last minor version of a protocol that is known; -1: no protocol. */
int etm_protocol_last_minor(enum etm_protocol protocol);

/* Does the register of this number say something about the format of the
 * trace? */
bool etm_register_tells_format(uint32_t number);

/* The first register of that number, by its name; or as it says, if the name is
 * not known. NULL: there is none. */
const struct etm_register *etm_register_find(const struct etm_register *r,
                                             size_t n, uint32_t number);

#endif
