/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path: bytes of ETMv3 -> elements. */
#ifndef ETM_FLOW_ETMV3_FAST_H
#define ETM_FLOW_ETMV3_FAST_H

#include "flow/etmv3_flow.h"
#include "proto/etmv3.h"

/*
 * Take bytes while they hold whole packets and there are not enough elements
 * yet, along steps where these lead on; `d` is before the first byte. Returns
 * the number of bytes taken: 0 if damage or the end of the bytes comes next.
 * Elements are as from etm_etmv3_flow_push(). When out of memory it stops, and
 * etm_etmv3_flow_push() returns that from then on.
 */
size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Whether it can take anything: only if each instruction has one atom. */
bool etm_etmv3_has_fast_path(const struct etm_config *config);

/* Fill the tables by header. Config and shapes must be set. */
void etm_etmv3_fast_init(struct etm_etmv3_flow *flow);

#endif
