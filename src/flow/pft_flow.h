/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets -> elements (PFT architecture, appendix B.3). */
#ifndef ETM_FLOW_PFT_FLOW_H
#define ETM_FLOW_PFT_FLOW_H

#include "flow/follow.h"
#include "flow/retstack.h"
#include "proto/pft.h"

#include <etm/packet.h>

struct etm_pft_flow {
    struct etm_follow follow; /* CurrentState, and what comes of it */
    struct etm_config config;
    struct etm_broadcast last; /* LastState */
    struct etm_retstack stack;
    bool synced;   /* an I-sync came since the stream was broken */
    bool mismatch; /* the image proved wrong: wait for an address */
    bool updated;  /* the last instruction came of a waypoint update */
    uint32_t updated_address; /* and this is its address */
};

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_pft_flow_init(struct etm_pft_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator);
void etm_pft_flow_fini(struct etm_pft_flow *flow);

/* Append elements to `out`; see follow.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_pft_flow_push(struct etm_pft_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);

/*
 * Take as many bytes as steps know the way for, whole packets; `d` stands
 * before the first of them. Returns how many that are, 0 as a rule where
 * anything out of the ordinary comes. Elements as etm_pft_flow_push().
 */
size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_pft_flow_gap(struct etm_pft_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_pft_flow_finish(struct etm_pft_flow *flow, uint64_t offset,
                        struct etm_vec *out);

#endif
