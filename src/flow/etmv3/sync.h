/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3 packets that move the position: shared by the files of this flow. */
#ifndef ETM_FLOW_ETMV3_SYNC_H
#define ETM_FLOW_ETMV3_SYNC_H

#include "flow/etmv3/flow.h"
#include "proto/etmv3.h"

/* flow.c */
/* etm_etmv3_flow_push() of one packet, to the output of the last call. */
int etm_etmv3_flow_packet(struct etm_etmv3_flow *flow,
                          const struct etm_packet *p);
/* A timestamp packet; false if the high bits are not known yet. */
bool etm_etmv3_flow_time(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p, uint64_t *time);
void etm_etmv3_flow_atom(struct etm_etmv3_flow *flow, bool passed,
                         const struct etm_packet *p);
/* The last `n` instructions of a P-header, and the W atoms before each of them;
 * the header is at `offset`. */
void etm_etmv3_flow_rest(struct etm_etmv3_flow *flow, uint8_t byte,
                         struct etm_etmv3_header header, unsigned n,
                         uint64_t offset);

/* sync.c */
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
