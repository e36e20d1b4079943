/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path from records of ETMv2 to elements, at every level. */
#ifndef ETM_FLOW_ETMV2_FAST_H
#define ETM_FLOW_ETMV2_FAST_H

#include "flow/etmv2_flow.h"

/*
 * Take records; `d` stands before the first of them. Returns how many bytes
 * that are: 0 where no whole record is there, or one is begun. Elements as
 * etm_etmv2_flow_push(); follow.status says whether memory was short. What the
 * pins of these records carried `d` will not know.
 */
size_t etm_etmv2_flow_fast(struct etm_etmv2_flow *flow,
                           struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

#endif
