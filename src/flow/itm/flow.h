/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of an ITM and a DWT -> elements (ARMv7-M ARM, appendix D4). They name
 * no code to walk; of the walk only the elements and what was lost are used. */
#ifndef ETM_FLOW_ITM_FLOW_H
#define ETM_FLOW_ITM_FLOW_H

#include "flow/walk/walk.h"
#include "proto/broadcast.h"
#include "proto/itm.h"

struct etm_itm_flow {
    struct etm_walk walk;
    struct etm_config config;
    struct etm_broadcast last; /* the global timestamp */
    uint8_t page;              /* of stimulus ports */
    uint64_t ticks;            /* of all local timestamps */
    /* Data trace of a comparator, as far as it has come: packets of one match
     * follow each other (D4.3.4), its value at the end. */
    bool has_match;
    struct etm_element match;
};

int etm_itm_flow_init(struct etm_itm_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator);
void etm_itm_flow_fini(struct etm_itm_flow *flow);

/* Append the elements of these packets to `out`. ETM_OK or ETM_ERR_MEMORY,
 * which is sticky; and so do the others. */
int etm_itm_flow_push(struct etm_itm_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out);
int etm_itm_flow_gap(struct etm_itm_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out);
int etm_itm_flow_finish(struct etm_itm_flow *flow, uint64_t offset,
                        struct etm_vec *out);

#endif
