/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of ETMv3 -> elements, where that is usual. */
#ifndef ETM_FLOW_ETMV3_LOOP_H
#define ETM_FLOW_ETMV3_LOOP_H

#include "flow/etmv3/flow.h"
#include "proto/etmv3.h"

/*
 * Take bytes while they hold whole packets and there are not enough elements
 * yet; `d` is before the first byte. Returns the number of bytes taken: 0 if
 * damage or the end of the bytes comes next. Elements are as from
 * etm_etmv3_flow_push(). When out of memory it stops, and
 * etm_etmv3_flow_push() returns that from then on.
 */
size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Whether it can take anything: only if each instruction has one atom. */
static inline bool etm_etmv3_has_fast_path(const struct etm_config *config)
{
    return !config->thumb32_split && !config->data_only;
}

#endif
