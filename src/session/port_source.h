/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must be known about an ETMv1 or ETMv2 but is not in its registers: the
 * width of its port if ETMCR is missing, the address of the vectors, the byte
 * order (ETM architecture 4.3.1, 4.5.3, 4.9.2).
 */
#ifndef ETM_SESSION_PORT_SOURCE_H
#define ETM_SESSION_PORT_SOURCE_H

#include "session/session.h"

/*
 * Complete *config, the configuration of a source, from the options, the
 * registers of its core and its capture. ETM_ERR_CONFIG: two of them contradict
 * each other, or an option is not for such a source. ETM_ERR_MEMORY.
 */
int etm_port_source_complete(const struct etm_session *session, size_t source,
                             const struct etm_session_options *options,
                             struct etm_config *config, struct etm_diag *diag);

#endif
