/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path from bytes of ETMv3 to elements. */
#ifndef ETM_FLOW_ETMV3_FAST_H
#define ETM_FLOW_ETMV3_FAST_H

#include "flow/etmv3_flow.h"
#include "proto/etmv3.h"

/*
 * Take bytes as far as packets are whole in them and enough elements have not
 * come, along steps where these know the way; `d` stands before the first of
 * them. Returns how many that are: 0 where damage or the end of the bytes comes
 * next. Elements as etm_etmv3_flow_push(). When memory is short it stops, and
 * etm_etmv3_flow_push() says so from then on.
 */
size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Whether there is anything that it may take: one atom for each instruction. */
bool etm_etmv3_has_fast_path(const struct etm_config *config);

/* Fill the tables by header; once config and shapes are there. */
void etm_etmv3_fast_init(struct etm_etmv3_flow *flow);

#endif
