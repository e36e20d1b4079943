/* SPDX-License-Identifier: Apache-2.0 */
/* The fast way from bytes of ETMv3 to ranges, without data trace. */
#ifndef ETM_FLOW_ETMV3_FAST_H
#define ETM_FLOW_ETMV3_FAST_H

#include "flow/etmv3_flow.h"
#include "proto/etmv3.h"

/*
 * Take as many bytes as steps know the way for, whole packets; `d` stands
 * before the first of them. Returns how many that are, 0 as a rule where
 * anything out of the ordinary comes. Elements as etm_etmv3_flow_push().
 */
size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Whether there is anything that it may take: no data trace, and one atom for
 * each instruction. */
bool etm_etmv3_has_fast_way(const struct etm_config *config);

/* Fill flow->quick; once config and shapes are there. */
void etm_etmv3_fast_init(struct etm_etmv3_flow *flow);

#endif
