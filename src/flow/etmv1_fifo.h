/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the ETMv1 flow share. */
#ifndef ETM_FLOW_ETMV1_FIFO_H
#define ETM_FLOW_ETMV1_FIFO_H

#include "flow/etmv1_flow.h"
#include "proto/etmv1.h"

/* Bytes of data that one instruction can move: 32 words. */
#define ETM_ETMV1_DATA_MAX 128u

/*
 * A block that is so many records behind its status, or before it, is none: it
 * is many times what a FIFO holds (2.12), on a port of four pins (E-346).
 */
#define ETM_ETMV1_WINDOW 1024u

enum etm_etmv1_read {
    ETM_READ_OK = 0,
    ETM_READ_MORE,  /* the records at hand do not tell yet */
    ETM_READ_BROKEN /* the packets are not there */
};

/* The data packets of one instruction. */
struct etm_etmv1_data {
    struct etm_etmv1_address address;
    bool has_address;
    uint32_t n; /* bytes of values that were read */
    uint8_t values[ETM_ETMV1_DATA_MAX];
};

/* A branch address with what follows it. */
struct etm_etmv1_target {
    struct etm_etmv1_address address;
    bool has_context;
    uint32_t context_id;
};

/* etmv1_fifo.c: the queue of records, and packets out of it. */

/* One cycle: enum etm_etmv1_status, TRACESYNC and TRACEPKT of the record at
 * that offset. ETM_OK or ETM_ERR_MEMORY. */
int etm_etmv1_fifo_put(struct etm_etmv1_flow *flow, unsigned status, bool sync,
                       unsigned pins, uint64_t offset);

/* Record number `number`; NULL: it has not come, or is done with. */
struct etm_etmv1_record *etm_etmv1_fifo_at(const struct etm_etmv1_flow *flow,
                                           uint64_t number);

/* Forget what both cursors have passed. */
void etm_etmv1_fifo_trim(struct etm_etmv1_flow *flow);

/* The status cursor stands at a wait cycle: a block may begin there (5.3). */
void etm_etmv1_fifo_wait(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_record *r);

/* Where the packets of the status at the cursor begin (5.3). */
struct etm_etmv1_place etm_etmv1_fifo_block(const struct etm_etmv1_flow *flow);

/* The packets that record `number` carries have been read, and a wait cycle has
 * nothing else: it is not lost, whatever its status stands in (E-398). */
bool etm_etmv1_fifo_is_used(const struct etm_etmv1_flow *flow, uint64_t number);

/* The packets of the last block end at `end`. */
void etm_etmv1_fifo_end(struct etm_etmv1_flow *flow,
                        struct etm_etmv1_place end);

/* The record of the TRACESYNC that an address packet offset selects, counted
 * from record `from` (5.6.1). */
enum etm_etmv1_read etm_etmv1_fifo_find(const struct etm_etmv1_flow *flow,
                                        uint64_t from, unsigned offset,
                                        uint64_t *found);

/* The packets behind `at` begin at record `number`: none are in between. */
bool etm_etmv1_fifo_adjoins(const struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_place *at, uint64_t number);

/* A branch address at `at`, and the context ID behind it. */
enum etm_etmv1_read etm_etmv1_fifo_target(const struct etm_etmv1_flow *flow,
                                          struct etm_etmv1_place *at,
                                          struct etm_etmv1_target *target);

/* The data of an instruction at `at`: `n` bytes of values. `data` has what
 * was read, also if it is not all. */
enum etm_etmv1_read etm_etmv1_fifo_data(const struct etm_etmv1_flow *flow,
                                        struct etm_etmv1_place *at,
                                        bool address, unsigned n,
                                        struct etm_etmv1_data *data);

/* An address replaces the low bits of the one before (5.5.4). */
uint32_t etm_etmv1_merge(uint32_t base, const struct etm_etmv1_address *a);

/* etmv1_flow.c: the position in the program. */

uint32_t etm_etmv1_flow_address(const struct etm_etmv1_flow *flow);

void etm_etmv1_flow_go(struct etm_etmv1_flow *flow, uint32_t address,
                       enum etm_isa isa, uint64_t offset);
void etm_etmv1_flow_nowhere(struct etm_etmv1_flow *flow);

/* The image cannot be what ran: wait for an address. */
void etm_etmv1_flow_mismatch(struct etm_etmv1_flow *flow, uint64_t offset,
                             uint64_t bytes);

/* The trace is broken here, and goes on at a full address. */
void etm_etmv1_flow_desync(struct etm_etmv1_flow *flow,
                           enum etm_lost_reason reason, uint64_t offset,
                           uint64_t bytes);

/* The packet cursor is not right any more; what it skips counts as lost if
 * `counts`. */
void etm_etmv1_flow_misalign(struct etm_etmv1_flow *flow, bool counts);

/* The status cursor leaves its record. */
void etm_etmv1_flow_pass(struct etm_etmv1_flow *flow);

/* The restart that waits becomes elements (5.9). */
void etm_etmv1_flow_begin(struct etm_etmv1_flow *flow);

/* The block with the next instruction; NULL: there is none, and what is to be
 * said of it has been said. */
struct etm_block *etm_etmv1_flow_next(struct etm_etmv1_flow *flow,
                                      uint64_t offset);

/* Get ready to name the next instruction, which may not execute. */
void etm_etmv1_flow_here(struct etm_etmv1_flow *flow);

/* The status at the cursor: ETM_READ_OK, ETM_READ_MORE. */
enum etm_etmv1_read etm_etmv1_flow_step(struct etm_etmv1_flow *flow);

/* Walk as far as the records in the queue tell. */
void etm_etmv1_flow_run(struct etm_etmv1_flow *flow);

/* etmv1_address.c: branch addresses, whoever they belong to. */

/* A reason code that there is not (5.5.5). */
bool etm_etmv1_address_is_reserved(const struct etm_etmv1_flow *flow,
                                   unsigned reason);

/* No macrocell makes that address: it only looks like one, where the trace is
 * broken. */
bool etm_etmv1_address_is_none(const struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_address *a);

/* Compression goes on from every address, also one that is not used. */
void etm_etmv1_address_take(struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_address *a);

/* The place that the last address names (5.5.2, 5.5.3). */
uint32_t etm_etmv1_address_place(const struct etm_etmv1_flow *flow,
                                 enum etm_isa *isa);

/* The context ID behind an address is in force, whatever becomes of the
 * address. */
void etm_etmv1_address_context(struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_target *target,
                               uint64_t offset);

/* The same of the addresses that were read from record `from` on to `to`. */
void etm_etmv1_address_contexts(struct etm_etmv1_flow *flow, uint64_t from,
                                uint64_t to);

/* An address at the cursor, if there is one, is nobody's; it changes the base
 * of compression all the same, and the context ID. */
enum etm_etmv1_read etm_etmv1_flow_note(struct etm_etmv1_flow *flow);

/* Those from the cursor on to record `number`: the base alone. */
enum etm_etmv1_read etm_etmv1_flow_note_up_to(struct etm_etmv1_flow *flow,
                                              uint64_t number);

/* The address at that record was read already, and so was one behind it. */
bool etm_etmv1_address_is_passed(const struct etm_etmv1_flow *flow,
                                 uint64_t number);

/* etmv1_branch.c: a BE or BD status at the cursor. */
enum etm_etmv1_read etm_etmv1_flow_branch(struct etm_etmv1_flow *flow,
                                          struct etm_etmv1_record *r);

/* A BE or BD, or another status, while the trace is not synchronized. */
enum etm_etmv1_read etm_etmv1_flow_search(struct etm_etmv1_flow *flow,
                                          const struct etm_etmv1_record *r);

/* etmv1_data.c */

/* What an instruction transfers; how many words an LDC or STC does is for the
 * configuration to say (4.11.2). */
struct etm_transfers etm_etmv1_data_of(struct etm_etmv1_flow *flow,
                                       const struct etm_block *block,
                                       unsigned index);

/* How many bytes of values an instruction puts in the FIFO, and whether an
 * address; false: its opcode does not tell, or it moves nothing. */
bool etm_etmv1_data_shape(const struct etm_etmv1_flow *flow,
                          const struct etm_transfers *t, bool *address,
                          unsigned *n);

/* Give the transfers of the instruction at `insn`. */
void etm_etmv1_data_give(struct etm_etmv1_flow *flow, uint32_t insn,
                         const struct etm_transfers *t,
                         const struct etm_etmv1_data *data, uint64_t offset);

/* A data address came: the base of the next ones. */
void etm_etmv1_data_note(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_data *data);

#endif
