/* SPDX-License-Identifier: Apache-2.0 */
/* The protocols: one row each. Nothing else knows all of them. */
#ifndef ETM_SESSION_PROTOCOLS_H
#define ETM_SESSION_PROTOCOLS_H

#include "base/imprint.h"
#include "base/writer.h"
#include "flow/etmv1/flow.h"
#include "flow/etmv2/flow.h"
#include "flow/etmv3/flow.h"
#include "flow/itm/flow.h"
#include "flow/mtb/flow.h"
#include "flow/pft/flow.h"
#include "proto/broadcast.h"
#include "proto/etmv1.h"
#include "proto/etmv2.h"
#include "proto/etmv3.h"
#include "proto/itm.h"
#include "proto/mtb.h"
#include "proto/pft.h"

/* X(ETM_PROTOCOL_ name, prefix of its functions) */
#define ETM_PROTOCOLS(X)                                                       \
    X(PFT, pft)                                                                \
    X(ETMV3, etmv3)                                                            \
    X(ETMV1, etmv1)                                                            \
    X(ETMV2, etmv2)                                                            \
    X(ITM, itm)                                                                \
    X(MTB, mtb)

/* Any protocol's packet layer, and any protocol's flow. */
union etm_proto_any {
#define ETM_PROTO_MEMBER(kind, name) struct etm_##name##_decoder name;
    ETM_PROTOCOLS(ETM_PROTO_MEMBER)
#undef ETM_PROTO_MEMBER
};

union etm_flow_any {
#define ETM_FLOW_MEMBER(kind, name) struct etm_##name##_flow name;
    ETM_PROTOCOLS(ETM_FLOW_MEMBER)
#undef ETM_FLOW_MEMBER
};

/*
 * The fast path: take as many bytes as it can, and take one packet after which
 * it may continue. Both return the number of bytes, which may be 0.
 */
struct etm_fast_path {
    size_t (*fast)(union etm_proto_any *, union etm_flow_any *, const uint8_t *,
                   size_t, struct etm_vec *elements);
    size_t (*one)(union etm_proto_any *, const uint8_t *, size_t,
                  struct etm_vec *packets);
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

    size_t flow_size; /* of its flow in the union */
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
    struct etm_walk *(*walk)(union etm_flow_any *);

    /* The first byte is not that of the stream, but at this offset; directly
     * after init. */
    void (*enter)(union etm_proto_any *, uint64_t offset);

    /* What only some have: the others have NULL here. */

    struct etm_fast_path path;
    /* Several threads decode only those. */
    void (*imprint)(const union etm_proto_any *, const union etm_flow_any *,
                    struct etm_imprint *);
    /* For which configurations the path is; NULL: for all. */
    bool (*has_path)(const struct etm_config *);
    /* The broadcast state in a flow, if timestamps and VMIDs can be in it. */
    struct etm_broadcast *(*broadcast)(union etm_flow_any *);
    /* State that may stay unchanged for long (session/decoder.h), except for
     * what was lost, which all have. */
    void (*mark)(union etm_flow_any *);
    struct etm_carried_sets (*carried)(const union etm_flow_any *);
    void (*carry)(union etm_flow_any *, unsigned kinds,
                  const struct etm_imprint *);
};

/* The fast path of a configuration; NULL: there is none. */
const struct etm_fast_path *
etm_protocol_fast_path(const struct etm_config *config);

/* The first byte is not that of the stream, but at this offset; before anything
 * is pushed to a packet decoder. */
void etm_packet_decoder_enter(struct etm_packet_decoder *decoder,
                              uint64_t offset);

/* The row of a protocol; NULL if it is not decoded. */
const struct etm_protocol_row *etm_protocol_row(enum etm_protocol protocol);

#endif
