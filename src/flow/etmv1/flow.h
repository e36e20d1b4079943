/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1 packets -> elements (ETM architecture, chapter 5).
 *
 * Statuses and the packets on TRACEPKT are two streams in the same records:
 * packets go through a FIFO and come with their status, after it or, on wait
 * cycles, before it (4.3.1, 5.3). So records wait in a queue
 * (proto/etmv1_fifo.h) until all packets of the next status have come.
 */
#ifndef ETM_FLOW_ETMV1_FLOW_H
#define ETM_FLOW_ETMV1_FLOW_H

#include "flow/walk/imprint.h"
#include "flow/walk/walk.h"
#include "proto/etmv1_fifo.h"

#include <etm/packet.h>

/* A restart of the trace that the next status will confirm (5.9). */
struct etm_etmv1_start {
    bool pending;
    bool periodic; /* found at a synchronization: not a gap */
    uint8_t reason;
    uint8_t isa;
    uint32_t address;
    uint64_t offset;
    bool has_context;
    uint32_t context_id;
};

struct etm_etmv1_decoder;

struct etm_etmv1_flow {
    struct etm_walk walk;
    struct etm_config config;
    uint8_t size; /* bytes of a record */

    struct etm_etmv1_fifo fifo;
    uint8_t end_reason;       /* enum etm_lost_reason for what is cut off */
    struct etm_packet status; /* pipestat that waits for its trace_packet */
    bool has_status;

    struct etm_etmv1_place packets; /* the last block of packets ends there */
    bool aligned;                   /* and that is right */
    bool cut;                       /* a block ended at an address */
    bool skipped_known;             /* skipped packets count as lost */
    struct etm_etmv1_place leading; /* wait cycle on which one began */
    bool has_leading;

    bool synced;     /* a full address was found since the stream broke */
    bool base_valid; /* of compression of branch addresses */
    bool base_jazelle;
    bool data_valid; /* of data addresses */
    uint32_t base, data_base;
    uint64_t no_image_for; /* offset after the status for which a no_image was
                              given: walk.address still has the place */
    struct etm_etmv1_start start;
};

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_etmv1_flow_init(struct etm_etmv1_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator);
void etm_etmv1_flow_fini(struct etm_etmv1_flow *flow);

/* Append elements to `out`; see walk.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_etmv1_flow_push(struct etm_etmv1_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out);

/*
 * Take records without making packets of them; `d` is before the first of them.
 * Returns the number of bytes taken: 0 if there is no complete record, a record
 * is incomplete in `d`, or the next one is bad. Elements as for
 * etm_etmv1_flow_push(); walk.status says whether memory ran out.
 */
size_t etm_etmv1_flow_fast(struct etm_etmv1_flow *flow,
                           struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_etmv1_flow_gap(struct etm_etmv1_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_etmv1_flow_finish(struct etm_etmv1_flow *flow, uint64_t offset,
                          struct etm_vec *out);

/* All that the decoder and the flow will use again (base/imprint.h). */
void etm_etmv1_imprint(const struct etm_etmv1_decoder *d,
                       const struct etm_etmv1_flow *flow,
                       struct etm_imprint *imprint);

#endif
