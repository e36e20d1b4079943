/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of a Micro Trace Buffer -> elements (CoreSight MTB-M0+ Technical
 * Reference Manual, 2.3.1). */
#ifndef ETM_FLOW_MTB_FLOW_H
#define ETM_FLOW_MTB_FLOW_H

#include "flow/walk/walk.h"
#include "proto/mtb.h"

struct etm_mtb_flow {
    struct etm_walk walk; /* its position is the last destination */
    struct etm_config config;
    bool began;     /* a packet has come since the stream was broken */
    bool returning; /* the last destination was no code, but a value that
                       returns: the next source is that value */
    bool outside;   /* the position was branched to: it is not in an IT block */
};

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_mtb_flow_init(struct etm_mtb_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator);
void etm_mtb_flow_fini(struct etm_mtb_flow *flow);

/* Append the elements of these packets to `out`. ETM_OK or ETM_ERR_MEMORY,
 * which is sticky; and so do the others. */
int etm_mtb_flow_push(struct etm_mtb_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);
int etm_mtb_flow_gap(struct etm_mtb_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out);
int etm_mtb_flow_finish(struct etm_mtb_flow *flow, uint64_t offset,
                        struct etm_vec *out);

#endif
