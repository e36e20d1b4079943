/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1 packets -> elements (ETM architecture, chapter 5).
 *
 * Statuses and the packets on TRACEPKT are two streams in the same records:
 * packets go through a FIFO and come with their status, after it or, on wait
 * cycles, before it (4.3.1, 5.3). So there are two cursors, and records wait
 * in a queue until all packets of the next status have come.
 */
#ifndef ETM_FLOW_ETMV1_FLOW_H
#define ETM_FLOW_ETMV1_FLOW_H

#include "flow/walk/imprint.h"
#include "flow/walk/walk.h"

#include <etm/packet.h>

enum etm_etmv1_record_flag {
    ETM_RECORD_SYNC = 1u << 0,  /* TRACESYNC */
    ETM_RECORD_BYTES = 1u << 1, /* TRACEPKT can have packets */
    ETM_RECORD_TRIGGER = 1u << 2,
    ETM_RECORD_BEHIND_TD = 1u << 3, /* TD cycles come before it */
    ETM_RECORD_NOTED = 1u << 4      /* its address was read */
};

/* One record other than TD; TD cycles are counted in the record after them. */
struct etm_etmv1_record {
    uint64_t offset;
    uint64_t cycles; /* its cycle and those of TD before it that count */
    uint16_t pins;   /* TRACEPKT */
    uint8_t status;  /* for a trigger, the status that it replaced */
    uint8_t flags;   /* enum etm_etmv1_record_flag */
};

/* A place among the packets: a record by its number, counted from the
 * beginning, and on a port of 16 pins which half of TRACEPKT. */
struct etm_etmv1_place {
    uint64_t record;
    uint8_t half;
};

/* An address as it was read (5.5.4). */
struct etm_etmv1_address {
    uint32_t bits;
    uint8_t n;      /* packets, 1 to 5 */
    uint8_t reason; /* of five; else 0 */
    bool jazelle;   /* bit 7 of the fifth */
};

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
    uint8_t pins;

    /* The queue: records from number `first` on; those before index `head` are
     * done. */
    struct etm_vec records; /* struct etm_etmv1_record */
    uint64_t first;
    size_t head;
    bool ending;              /* no more records come */
    uint8_t end_reason;       /* enum etm_lost_reason for what is cut off */
    uint64_t waits;           /* TD cycles that count, after the last record */
    bool behind_td;           /* TD cycles at all */
    struct etm_packet status; /* pipestat that waits for its trace_packet */
    bool has_status;

    uint64_t next;                  /* status cursor */
    struct etm_etmv1_place bytes;   /* packet cursor: after the last block */
    bool aligned;                   /* and it is right */
    bool cut;                       /* a block ended at an address */
    bool skipped_known;             /* skipped packets count as lost */
    struct etm_etmv1_place leading; /* wait cycle on which one began */
    bool has_leading;

    bool synced;     /* a full address was found since the stream broke */
    bool base_valid; /* of compression of branch addresses */
    bool base_jazelle;
    bool data_valid; /* of data addresses */
    uint32_t base, data_base;
    unsigned index; /* of the next instruction in walk.block */
    bool half;      /* first half of a Thumb BL was traced */
    bool arrived;   /* by an address in the trace */
    uint64_t told;  /* offset after the status for which a no_image was given:
                       walk.address still has the place */
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
