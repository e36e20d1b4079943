/* SPDX-License-Identifier: Apache-2.0 */
/* Imprints (base/imprint.h) of the flows and of the packet layers below
 * them, between two packets or inside of one. */
#ifndef ETM_FLOW_IMPRINT_H
#define ETM_FLOW_IMPRINT_H

#include "base/imprint.h"
#include "flow/walk/data.h"
#include "flow/walk/position.h"
#include "flow/walk/walk.h"

#include <etm/packet.h>

/* The walk, whose next instruction is the one at `index` of its block. */
void etm_walk_imprint(const struct etm_walk *w, unsigned index,
                      struct etm_imprint *imprint);

/*
 * Where the instruction at `index` of a block stands, and how it ends. Only
 * while the block is there.
 */
void etm_block_imprint(const struct etm_block *block, unsigned index,
                       struct etm_imprint *imprint);

/* Elements in the output of a walk that are not final. */
void etm_elements_imprint(const struct etm_vec *elements,
                          const struct etm_walk *w,
                          struct etm_imprint *imprint);

/* What packets have said, as far as it is valid. */
void etm_broadcast_imprint(const struct etm_broadcast *broadcast,
                           struct etm_imprint *imprint);

/* Data trace. `next`: offset of the next packet, UINT64_MAX if the flow sets
 * stream_end itself before each packet. */
void etm_data_imprint(const struct etm_walk *w, uint64_t next,
                      struct etm_imprint *imprint);

#endif
