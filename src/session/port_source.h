/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must be known of an ETMv1 or an ETMv2 and is not in its registers: the
 * width of its port where ETMCR is missing, the place of the vectors, the
 * byte order (ETM architecture 4.3.1, 4.5.3, 4.9.2).
 */
#ifndef ETM_SESSION_PORT_SOURCE_H
#define ETM_SESSION_PORT_SOURCE_H

#include "session/session.h"

/*
 * Complete *config, the configuration of a source, from the options, the
 * registers of its core and its capture. ETM_ERR_CONFIG: two of them
 * contradict each other, or the options say what such a source does not have.
 * ETM_ERR_MEMORY.
 */
int etm_port_source_complete(const struct etm_session *session, size_t source,
                             const struct etm_session_options *options,
                             struct etm_config *config, struct etm_diag *diag);

/* Do cycles of a port make the stream of this protocol? */
static inline bool etm_is_port_protocol(enum etm_protocol protocol)
{
    return protocol == ETM_PROTOCOL_ETMV1 || protocol == ETM_PROTOCOL_ETMV2;
}

#endif
