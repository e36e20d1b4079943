/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets in which orbuculum sends trace over a network: each is a byte
 * with the number of its stream, the bytes of that, and one that makes their
 * sum 0. It is stuffed (S. Cheshire, M. Baker: Consistent Overhead Byte
 * Stuffing, 1999) so that no byte is 0, and a 0 follows. They become the frames
 * of CoreSight, of which streams are the sources. A packet that is damaged, and
 * a connection that was lost, are frames with a reserved ID, which the sources
 * miss.
 */
#ifndef ETM_INPUT_ORBFLOW_H
#define ETM_INPUT_ORBFLOW_H

#include "base/vec.h"

#include <etm/port.h>

struct etm_orbflow {
    struct etm_framer *framer;
    struct etm_vec packet; /* uint8_t: of the current one, without stuffing */
    size_t encoded;        /* bytes of it that came */
    uint8_t left;          /* bytes up to the next that tells a distance */
    bool zero;             /* and that one stands for a 0 */
    bool too_long;
    bool seen[ETM_ID_RESERVED]; /* these sources had a packet */
    uint8_t first;              /* the first one; 0: none had */
    uint64_t good, damaged;     /* packets; behind the first good one */
    uint64_t missing; /* bytes of damaged ones that frames do not show yet */
};

/* fini is due afterwards, also after a failure. ETM_ERR_MEMORY. */
int etm_orbflow_init(struct etm_orbflow *o,
                     const struct etm_allocator *allocator);
void etm_orbflow_fini(struct etm_orbflow *o);

/* The next bytes; the frames of packets that are complete are appended, the
 * last one of each filled up. ETM_ERR_MEMORY. */
int etm_orbflow_push(struct etm_orbflow *o, const uint8_t *bytes, size_t n,
                     struct etm_vec *frames);

/* Nothing goes on with what came: some is missing, or it is the end.
 * ETM_ERR_MEMORY. */
int etm_orbflow_break(struct etm_orbflow *o, struct etm_vec *frames);

/* Are these the beginning of such packets, three at least, and no other?
 * ETM_ERR_MEMORY. */
int etm_orbflow_is(const uint8_t *bytes, size_t n,
                   const struct etm_allocator *allocator, bool *is);

#endif
