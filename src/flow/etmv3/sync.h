/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3 packets that move the position. */
#ifndef ETM_FLOW_ETMV3_SYNC_H
#define ETM_FLOW_ETMV3_SYNC_H

#include "flow/etmv3/flow.h"

void etm_etmv3_flow_branch(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
void etm_etmv3_flow_i_sync(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
void etm_etmv3_flow_cycle_count(struct etm_etmv3_flow *flow,
                                const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no atom. */
void etm_etmv3_flow_in_progress(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_gap_unknown(struct etm_etmv3_flow *flow, uint64_t offset);
void etm_etmv3_flow_entry(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_exit(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p);

#endif
