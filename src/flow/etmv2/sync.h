/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2 packets that change the position: shared by the files of this flow. */
#ifndef ETM_FLOW_ETMV2_SYNC_H
#define ETM_FLOW_ETMV2_SYNC_H

#include "flow/etmv2/flow.h"
#include "flow/walk/data_plain.h"

/* flow.c */

/* The next cycle: PIPESTAT and TRACEPKT of the record at that offset. */
void etm_etmv2_flow_record(struct etm_etmv2_flow *flow, unsigned status,
                           unsigned pins, uint64_t offset);

/* A packet of the FIFO, for the cycle at that offset. */
void etm_etmv2_flow_packet(struct etm_etmv2_flow *flow,
                           const struct etm_packet *from, uint64_t offset);

/* A normal data packet, with the new part of its address; `normal` has the
 * offset of its cycle. */
struct etm_etmv2_data {
    struct etm_data_normal normal;
    uint32_t address, mask;
};

void etm_etmv2_flow_data(struct etm_etmv2_flow *flow,
                         const struct etm_etmv2_data *data);

/*
 * The fast path has come to the end of a group whose last byte is after this
 * cycle, which is neither TD nor TR: the cycle waits, and so do those after it,
 * but what they carried has been read. After the last of them the flow
 * continues: on a port of 16 pins its upper half may be `unread`.
 */
void etm_etmv2_flow_ahead(struct etm_etmv2_flow *flow, unsigned status,
                          uint64_t offset);
void etm_etmv2_flow_upper(struct etm_etmv2_flow *flow, unsigned pins,
                          bool unread);

/* walk.c */
/* An instruction was executed. */
void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset);
/* The number of plain instructions at the position: within a block, with one
 * status each and without data; 0 if it is not known. */
unsigned etm_etmv2_flow_room(const struct etm_etmv2_flow *flow);
/* `n` of them were executed, in as many cycles after those counted. `last` and
 * `before`: whether the last one passed, and the one before it. */
void etm_etmv2_flow_atoms(struct etm_etmv2_flow *flow, unsigned n, bool last,
                          bool before, uint64_t offset);
/* A folded branch was executed (6.1.2). */
void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset);

/* sync.c; packets have the offset of their cycle */
void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p);
void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow,
                        const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no status. */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow);

#endif
