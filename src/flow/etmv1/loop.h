/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path from records of ETMv1 to elements, at every level. */
#ifndef ETM_FLOW_ETMV1_FAST_H
#define ETM_FLOW_ETMV1_FAST_H

#include "flow/etmv1/flow.h"
#include "proto/etmv1.h"

/*
 * Take records; `d` is before the first of them. Returns the number of bytes
 * taken: 0 if there is no complete record, a record is incomplete in `d`, or
 * the next one is bad. Elements as for etm_etmv1_flow_push(); f->status says
 * whether memory ran out.
 */
size_t etm_etmv1_flow_fast(struct etm_etmv1_flow *flow,
                           struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

#endif
