/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2 packets -> elements (ETM architecture, chapter 6). */
#ifndef ETM_FLOW_ETMV2_FLOW_H
#define ETM_FLOW_ETMV2_FLOW_H

#include "flow/walk/data.h"
#include "flow/walk/imprint.h"
#include "flow/walk/position.h"
#include "flow/walk/walk.h"
#include "proto/etmv2.h"

#include <etm/packet.h>

/*
 * Maximum number of cycles that wait for what they or earlier ones put into the
 * FIFO. A FIFO of 128 bytes needs 256 cycles to drain through 4 pins, and a few
 * more for TFO values.
 */
#define ETM_ETMV2_CYCLES 512u

/* A cycle of the trace port that waits. */
struct etm_etmv2_cycle {
    uint8_t status; /* enum etm_etmv2_status, in force */
    uint8_t pins;   /* TRACEPKT[7:0] */
    bool trigger, tfo;
    bool waits; /* for a group of its own */
};

struct etm_etmv2_flow {
    struct etm_walk walk;
    struct etm_config config;
    bool data_traced;
    unsigned size;             /* of a record */
    struct etm_broadcast base; /* what branch, TFO and data packets said */
    struct etm_etmv2_fifo fifo;

    /* The record whose second packet is to come. */
    bool has_status;
    uint8_t status;
    uint64_t status_offset;

    bool synced; /* a TFO packet came since the stream was broken */

    uint64_t offset;          /* of the first one in `cycles` */
    bool begun;               /* its status was walked, its group is coming */
    unsigned first, n_cycles; /* in `cycles` */
    unsigned waiting;         /* number of these that wait for a group */
    struct etm_etmv2_cycle cycles[ETM_ETMV2_CYCLES];
};

/* ETM_OK or ETM_ERR_MEMORY; fini is due in both cases. */
int etm_etmv2_flow_init(struct etm_etmv2_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator);
void etm_etmv2_flow_fini(struct etm_etmv2_flow *flow);

/* Append elements to `out`; see walk.held. ETM_OK or ETM_ERR_MEMORY. */
int etm_etmv2_flow_push(struct etm_etmv2_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out);

/*
 * Records without packets; `d` is before the first of them, and does not learn
 * what their pins carried. Returns the number of bytes taken: 0 if there is no
 * complete record, or one is incomplete in `d`. Elements as for
 * etm_etmv2_flow_push(); walk.status says whether memory ran out.
 */
size_t etm_etmv2_flow_fast(struct etm_etmv2_flow *flow,
                           struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* `bytes` of the capture were lost at this offset of the stream. */
int etm_etmv2_flow_gap(struct etm_etmv2_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out);

/* The end, at `offset`: everything is given and final, `end` the last. */
int etm_etmv2_flow_finish(struct etm_etmv2_flow *flow, uint64_t offset,
                          struct etm_vec *out);

/* Between the files of this flow. */

/* flow.c */

/* No cycle waits, and nothing is in the FIFO. */
static inline bool etm_etmv2_flow_is_idle(const struct etm_etmv2_flow *flow)
{
    return flow->n_cycles == 0 && flow->synced &&
           etm_etmv2_fifo_is_idle(&flow->fifo);
}

/* The next cycle: PIPESTAT and TRACEPKT of the record at that offset. */
void etm_etmv2_flow_record(struct etm_etmv2_flow *flow, unsigned status,
                           unsigned pins, uint64_t offset);

/* The status of a cycle whose turn it is. */
void etm_etmv2_flow_begin(struct etm_etmv2_flow *flow,
                          const struct etm_etmv2_cycle *c, uint64_t offset);
/* A packet of the FIFO; it has the offset of its cycle. */
void etm_etmv2_flow_packet(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p);
/* A cycle that is neither TD nor TR waits; what its pins carry was read. */
void etm_etmv2_flow_wait(struct etm_etmv2_flow *flow, struct etm_etmv2_cycle c,
                         uint64_t offset);

/* walk.c; in a cycle at that offset */

/* An instruction was executed. */
void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset);
/* A folded branch was executed (6.1.2). */
void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset);
/*
 * The records from `p` to `end` while each of them is an instruction within the
 * block: of many only the last one can be cancelled and matters. They put
 * nothing into the FIFO, and no cycle waits. Returns the number of records
 * taken.
 */
size_t etm_etmv2_flow_run(struct etm_etmv2_flow *flow, const uint8_t *p,
                          const uint8_t *end, uint64_t offset);

/* sync.c; packets have the offset of their cycle */

void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p);
void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow,
                        const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no status. */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow);

/* All that the decoder and the flow will use again (base/imprint.h). */
void etm_etmv2_imprint(const struct etm_etmv2_decoder *d,
                       const struct etm_etmv2_flow *flow,
                       struct etm_imprint *imprint);

#endif
