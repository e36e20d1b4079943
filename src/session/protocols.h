/* SPDX-License-Identifier: Apache-2.0 */
/* The protocols: one row each, and nothing else knows them all. */
#ifndef ETM_SESSION_PROTOCOLS_H
#define ETM_SESSION_PROTOCOLS_H

#include "base/writer.h"
#include "flow/etmv3_flow.h"
#include "flow/pft_flow.h"
#include "proto/etmv3.h"
#include "proto/pft.h"

/* Any protocol's packet layer, and any protocol's flow. */
union etm_proto_any {
    struct etm_etmv3_decoder etmv3;
    struct etm_pft_decoder pft;
};

union etm_flow_any {
    struct etm_etmv3_flow etmv3;
    struct etm_pft_flow pft;
};

struct etm_protocol_row {
    enum etm_protocol protocol;

    void (*init)(union etm_proto_any *, const struct etm_config *);
    int (*push)(union etm_proto_any *, const uint8_t *, size_t,
                struct etm_vec *packets);
    int (*gap)(union etm_proto_any *, struct etm_vec *packets);
    int (*finish)(union etm_proto_any *, struct etm_vec *packets);
    int (*encode)(const struct etm_config *, const struct etm_packet *,
                  struct etm_writer *);

    int (*flow_init)(union etm_flow_any *, const struct etm_config *,
                     const struct etm_image *, enum etm_level,
                     const struct etm_allocator *);
    void (*flow_fini)(union etm_flow_any *);
    int (*flow_push)(union etm_flow_any *, const struct etm_packet *, size_t,
                     struct etm_vec *elements);
    int (*flow_gap)(union etm_flow_any *, uint64_t offset, uint64_t bytes,
                    struct etm_vec *elements);
    int (*flow_finish)(union etm_flow_any *, uint64_t offset,
                       struct etm_vec *elements);
    struct etm_follow *(*follow)(union etm_flow_any *);
};

/* The row of a protocol; NULL if it is not decoded. */
const struct etm_protocol_row *etm_protocol_row(enum etm_protocol protocol);

#endif
