/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path from records of ETMv2 to elements, at every level. */
#ifndef ETM_FLOW_ETMV2_FAST_H
#define ETM_FLOW_ETMV2_FAST_H

#include "flow/etmv2/flow.h"

/*
 * Take records; `d` is before the first of them. Returns the number of bytes
 * taken: 0 if there is no complete record, or one is incomplete in `d`.
 * Elements as for etm_etmv2_flow_push(); follow.status says whether memory ran
 * out. `d` does not learn what the pins of these records carried.
 */
size_t etm_etmv2_flow_fast(struct etm_etmv2_flow *flow,
                           struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

#endif
