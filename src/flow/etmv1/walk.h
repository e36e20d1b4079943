/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the ETMv1 flow. */
#ifndef ETM_FLOW_ETMV1_WALK_H
#define ETM_FLOW_ETMV1_WALK_H

#include "flow/etmv1/flow.h"
#include "flow/walk/position.h"

/* walk.c: the position in the program. */

/* The image cannot be the code that ran: wait for an address. */
void etm_etmv1_mismatch(struct etm_etmv1_flow *flow, uint64_t offset);

/* The trace is broken here, and decoding resumes at a full address. */
void etm_etmv1_desync(struct etm_etmv1_flow *flow, enum etm_lost_reason reason,
                      uint64_t offset, uint64_t bytes);

/* Where packets stand is not known any more; what is skipped counts as lost if
 * `counts`. */
void etm_etmv1_misalign(struct etm_etmv1_flow *flow, bool counts);

/* A trigger comes before what its cycle did; it is never the cause (5.1.1). */
void etm_etmv1_trigger(struct etm_etmv1_flow *flow, struct etm_etmv1_record *r);

/* Give the elements of a restart that was held back (5.9). */
void etm_etmv1_give_start(struct etm_etmv1_flow *flow);
static inline void etm_etmv1_begin(struct etm_etmv1_flow *flow)
{
    if (flow->start.pending)
        etm_etmv1_give_start(flow);
}

/* Get ready to name the next instruction, which may not execute. */
void etm_etmv1_here(struct etm_etmv1_flow *flow);

/* etm_etmv1_next() in the less common cases. */
struct etm_block *etm_etmv1_find_block(struct etm_etmv1_flow *flow,
                                       uint64_t offset);

/* The status of `r`, the next record, is taken. */
static inline void etm_etmv1_pass(struct etm_etmv1_flow *flow,
                                  struct etm_etmv1_record *r)
{
    if ((r->flags & ETM_RECORD_TRIGGER) != 0)
        etm_etmv1_trigger(flow, r);
    if (flow->config.cycle_accurate)
        flow->walk.cycles += r->cycles;
    flow->fifo.next++;
}

/* Where the packets of the next status begin (5.3). */
static inline struct etm_etmv1_place
etm_etmv1_packets(const struct etm_etmv1_flow *flow)
{
    if (flow->packets.record >= flow->fifo.next)
        return flow->packets;
    if (flow->has_leading)
        return flow->leading;
    return (struct etm_etmv1_place){.record = flow->fifo.next};
}

/* The packets of the last block end at `end`. */
static inline void etm_etmv1_packets_end(struct etm_etmv1_flow *flow,
                                         struct etm_etmv1_place end)
{
    flow->packets = end;
    flow->has_leading = false;
}

/* The packets of the next record have been read, and a wait cycle has nothing
 * else: it does not count as lost, wherever its status is (E-398). */
static inline bool etm_etmv1_is_used(const struct etm_etmv1_flow *flow)
{
    return flow->fifo.next < flow->packets.record;
}

/* The first record that will still be read. */
static inline uint64_t etm_etmv1_needed(const struct etm_etmv1_flow *flow)
{
    uint64_t next = flow->fifo.next;

    return flow->has_leading && flow->leading.record < next
               ? flow->leading.record
               : next;
}

/* One instruction */

/* The block with the next one; NULL: there is none, and elements say so. */
static inline struct etm_block *etm_etmv1_next(struct etm_etmv1_flow *flow,
                                               uint64_t offset)
{
    const struct etm_walk *w = &flow->walk;
    struct etm_block *block = w->block;

    if (block != NULL && !w->context_changed && !w->arrived &&
        block->end_kind != ETM_BLOCK_NO_CODE && block->isa != ETM_ISA_JAZELLE)
        return block; /* it simply follows */
    return etm_etmv1_find_block(flow, offset);
}

/* It was executed; its condition passed or not. */
static inline void etm_etmv1_execute(struct etm_walk *w,
                                     struct etm_block *block, bool passed,
                                     uint64_t offset)
{
    etm_walk_run(w, block,
                 (struct etm_run){.from = w->index,
                                  .to = w->index + 1,
                                  .exec = passed ? ETM_TRUE : ETM_FALSE,
                                  .cycles = w->cycles,
                                  .offset = offset});
    w->cycles = 0;
    w->index++;
    w->half = false;
}

/* Where the program goes without an address in the trace. */
static inline void etm_etmv1_leave(struct etm_walk *w, struct etm_block *block,
                                   bool passed, uint64_t offset)
{
    if (w->index < block->n)
        return;
    etm_position_leave(w, block, passed, offset);
    if (w->block != NULL && !w->has_open)
        etm_walk_trim(w);
}

/* An indirect branch that passes its condition has an address (5.7.1). */
static inline bool etm_etmv1_needs_address(const struct etm_walk *w,
                                           const struct etm_block *block)
{
    return w->index + 1u == block->n && block->end_kind == ETM_BLOCK_INDIRECT;
}

/* branch.c: a BE or BD status is next: ETM_READ_OK, ETM_READ_MORE. */
enum etm_etmv1_read etm_etmv1_branch(struct etm_etmv1_flow *flow,
                                     struct etm_etmv1_record *r);

/* branch.c: any status is next while the trace is not synchronized:
 * ETM_READ_OK, ETM_READ_MORE. */
enum etm_etmv1_read etm_etmv1_search(struct etm_etmv1_flow *flow,
                                     struct etm_etmv1_record *r);

/* An address in the next record, if any, belongs to no branch; it still changes
 * the base of compression and the context ID. */
enum etm_etmv1_read etm_etmv1_note(struct etm_etmv1_flow *flow);

/* data.c: what instructions transfer. */

/* Bytes of data that one instruction can transfer: 32 words. */
#define ETM_ETMV1_DATA_MAX 128u

/* The data packets of one instruction. */
struct etm_etmv1_data {
    uint32_t insn; /* its address */
    struct etm_transfers transfers;
    bool wants_address; /* they have one, */
    unsigned wants;     /* and so many bytes of values */
    struct etm_etmv1_address address;
    bool has_address; /* it was read */
    uint32_t n;       /* bytes of values that were read */
    uint8_t values[ETM_ETMV1_DATA_MAX];
};

/* What the next instruction, which is one of `block`, has in the FIFO; false:
 * its opcode does not say, or it transfers nothing. */
bool etm_etmv1_data_expect(struct etm_etmv1_flow *flow,
                           const struct etm_block *block,
                           struct etm_etmv1_data *data);

/* Read that. `data` has what was read, also if it is not all. */
enum etm_etmv1_read etm_etmv1_data_read(const struct etm_etmv1_flow *flow,
                                        struct etm_etmv1_place *at,
                                        struct etm_etmv1_data *data);

/* Data were read: their address is the base of the next ones. */
void etm_etmv1_data_note(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_data *data);

/* Give the transfers. */
void etm_etmv1_data_give(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_data *data, uint64_t offset);

#endif
