/* SPDX-License-Identifier: Apache-2.0 */
/* One protocol's decoder and flow without the session around them, for tests
 * that run two of them side by side. What cannot fail there aborts. */
#ifndef TEST_FLOW_SIDE_H
#define TEST_FLOW_SIDE_H

#include "flow/walk/imprint.h"
#include "session/protocols.h"

struct side {
    const struct etm_protocol_row *row;
    union etm_proto_any proto;
    union etm_flow_any flow;
    struct etm_vec packets, elements;
    struct etm_imprint imprint; /* room for one */
};

void side_init(struct side *s, const struct etm_config *config,
               const struct etm_image *image, enum etm_level level);
void side_fini(struct side *s);

/* The packets at hand become elements. */
void side_flow(struct side *s);

/* Bytes, or the end of the stream, become packets, and these elements. */
void side_push(struct side *s, const uint8_t *bytes, size_t n);
void side_finish(struct side *s, uint64_t offset);

#endif
