/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3 packets that move the position: shared by the files of this flow. */
#ifndef ETM_FLOW_ETMV3_SYNC_H
#define ETM_FLOW_ETMV3_SYNC_H

#include "flow/etmv3_flow.h"

/* etmv3_flow.c */
/* etm_etmv3_flow_push() of one packet, to the output of the last call. */
int etm_etmv3_flow_packet(struct etm_etmv3_flow *flow,
                          const struct etm_packet *p);
/* A timestamp packet; false if the high bits are not known yet. */
bool etm_etmv3_flow_time(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p, uint64_t *time);
void etm_etmv3_flow_atom(struct etm_etmv3_flow *flow, bool passed,
                         const struct etm_packet *p);
/* `n` atoms, `each` W atoms before each of them, the last one `last` and the
 * others E. */
void etm_etmv3_flow_run(struct etm_etmv3_flow *flow, unsigned n, unsigned each,
                        enum etm_tri last, const struct etm_packet *p);

/* etmv3_sync.c */
void etm_etmv3_flow_branch(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
void etm_etmv3_flow_i_sync(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p);
/*
 * Whether nothing but the position changes at an I-sync with which tracing
 * restarts, in ARM or Thumb code and without a load or store in progress: that
 * is so if its information byte is *same in the bits of *state, and its context
 * ID is flow->base.context_id. Once true, it stays true while nothing but
 * branches without exceptions and such I-syncs come.
 */
bool etm_etmv3_keeps_state(const struct etm_etmv3_flow *flow, uint8_t *state,
                           uint8_t *same);
/* What remains to be done at such an I-sync once its elements are given. */
void etm_etmv3_flow_restart(struct etm_etmv3_flow *flow, uint32_t address,
                            enum etm_isa isa, uint64_t offset);
void etm_etmv3_flow_cycle_count(struct etm_etmv3_flow *flow,
                                const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no atom. */
void etm_etmv3_flow_in_progress(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_gap_unknown(struct etm_etmv3_flow *flow, uint64_t offset);
void etm_etmv3_flow_entry(struct etm_etmv3_flow *flow);
void etm_etmv3_flow_exit(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p);

#endif
