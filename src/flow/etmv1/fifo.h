/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the ETMv1 flow. */
#ifndef ETM_FLOW_ETMV1_FIFO_H
#define ETM_FLOW_ETMV1_FIFO_H

#include "flow/etmv1/flow.h"
#include "proto/etmv1.h"

/* Bytes of data that one instruction can transfer: 32 words. */
#define ETM_ETMV1_DATA_MAX 128u

/*
 * A block of packets cannot be this many records after its status, or before
 * it: this is many times what a FIFO holds (2.12), on a port of four pins
 * (E-346).
 */
#define ETM_ETMV1_WINDOW 1024u

enum etm_etmv1_read {
    ETM_READ_OK = 0,
    ETM_READ_MORE,  /* more records are needed */
    ETM_READ_BROKEN /* the packets are missing */
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

/* fifo.c: the queue of records, and packets out of it. */

/* One cycle: enum etm_etmv1_status, TRACESYNC and TRACEPKT of the record at
 * that offset. ETM_OK or ETM_ERR_MEMORY. */
int etm_etmv1_fifo_put(struct etm_etmv1_flow *flow, unsigned status, bool sync,
                       unsigned pins, uint64_t offset);

/* Record number `number`; NULL: it has not come, or was forgotten. */
struct etm_etmv1_record *etm_etmv1_fifo_at(const struct etm_etmv1_flow *flow,
                                           uint64_t number);

/* Forget records that both cursors have passed. */
void etm_etmv1_fifo_trim(struct etm_etmv1_flow *flow);

/* The status cursor is at a wait cycle: a block may begin there (5.3). */
void etm_etmv1_fifo_wait(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_record *r);

/* Where the packets of the status at the cursor begin (5.3). */
struct etm_etmv1_place etm_etmv1_fifo_block(const struct etm_etmv1_flow *flow);

/* The packets that record `number` carries have been read, and a wait cycle has
 * nothing else: it does not count as lost, wherever its status is (E-398). */
bool etm_etmv1_fifo_is_used(const struct etm_etmv1_flow *flow, uint64_t number);

/* The packets of the last block end at `end`. */
void etm_etmv1_fifo_end(struct etm_etmv1_flow *flow,
                        struct etm_etmv1_place end);

/* The record of the TRACESYNC that an address packet offset selects, counted
 * from record `from` (5.6.1). */
enum etm_etmv1_read etm_etmv1_fifo_find(const struct etm_etmv1_flow *flow,
                                        uint64_t from, unsigned offset,
                                        uint64_t *found);

/* The packets after `at` begin at record `number`: none are in between. */
bool etm_etmv1_fifo_adjoins(const struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_place *at, uint64_t number);

/* A branch address at `at`, and the context ID after it. */
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

/* flow.c: the position in the program. */

uint32_t etm_etmv1_flow_address(const struct etm_etmv1_flow *flow);

void etm_etmv1_flow_go(struct etm_etmv1_flow *flow, uint32_t address,
                       enum etm_isa isa, uint64_t offset);
void etm_etmv1_flow_nowhere(struct etm_etmv1_flow *flow);

/* The image cannot be the code that ran: wait for an address. */
void etm_etmv1_flow_mismatch(struct etm_etmv1_flow *flow, uint64_t offset,
                             uint64_t bytes);

/* The trace is broken here, and decoding resumes at a full address. */
void etm_etmv1_flow_desync(struct etm_etmv1_flow *flow,
                           enum etm_lost_reason reason, uint64_t offset,
                           uint64_t bytes);

/* The packet cursor is not right any more; what it skips counts as lost if
 * `counts`. */
void etm_etmv1_flow_misalign(struct etm_etmv1_flow *flow, bool counts);

/* The status cursor leaves its record. */
void etm_etmv1_flow_pass(struct etm_etmv1_flow *flow);

/* Give the elements of a restart that was held back (5.9). */
void etm_etmv1_flow_begin(struct etm_etmv1_flow *flow);

/* The block with the next instruction; NULL: there is none, and elements say
 * so. */
struct etm_block *etm_etmv1_flow_next(struct etm_etmv1_flow *flow,
                                      uint64_t offset);

/* Get ready to name the next instruction, which may not execute. */
void etm_etmv1_flow_here(struct etm_etmv1_flow *flow);

/* Process the status at the cursor: ETM_READ_OK, ETM_READ_MORE. */
enum etm_etmv1_read etm_etmv1_flow_step(struct etm_etmv1_flow *flow);

/* Walk as far as the records in the queue allow. */
void etm_etmv1_flow_run(struct etm_etmv1_flow *flow);

/* address.c: branch addresses, whichever branch they belong to. */

/* A reserved reason code (5.5.5). */
bool etm_etmv1_address_is_reserved(const struct etm_etmv1_flow *flow,
                                   unsigned reason);

/* Not an address that a macrocell outputs: it only looks like one, because the
 * trace is broken. */
bool etm_etmv1_address_is_none(const struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_address *a);

/* Take an address as the base of compression, even if it is not used
 * otherwise. */
void etm_etmv1_address_take(struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_address *a);

/* The place that the last address names (5.5.2, 5.5.3). */
uint32_t etm_etmv1_address_place(const struct etm_etmv1_flow *flow,
                                 enum etm_isa *isa);

/* Use the context ID after an address, even if the address is not used. */
void etm_etmv1_address_context(struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_target *target,
                               uint64_t offset);

/* The same for the addresses read from record `from` to `to`. */
void etm_etmv1_address_contexts(struct etm_etmv1_flow *flow, uint64_t from,
                                uint64_t to);

/* An address at the cursor, if any, belongs to no branch; it still changes the
 * base of compression and the context ID. */
enum etm_etmv1_read etm_etmv1_flow_note(struct etm_etmv1_flow *flow);

/* The same for those from the cursor to record `number`, but only the base. */
enum etm_etmv1_read etm_etmv1_flow_note_up_to(struct etm_etmv1_flow *flow,
                                              uint64_t number);

/* The address at that record was read already, and so was a later one. */
bool etm_etmv1_address_is_passed(const struct etm_etmv1_flow *flow,
                                 uint64_t number);

/* branch.c: a BE or BD status at the cursor. */
enum etm_etmv1_read etm_etmv1_flow_branch(struct etm_etmv1_flow *flow,
                                          struct etm_etmv1_record *r);

/* A BE or BD, or another status, while the trace is not synchronized. */
enum etm_etmv1_read etm_etmv1_flow_search(struct etm_etmv1_flow *flow,
                                          const struct etm_etmv1_record *r);

/* data.c */

/* What an instruction transfers; the number of words of an LDC or STC comes
 * from the configuration (4.11.2). */
struct etm_transfers etm_etmv1_data_of(struct etm_etmv1_flow *flow,
                                       const struct etm_block *block,
                                       unsigned index);

/* How many bytes of values an instruction puts into the FIFO, and whether an
 * address; false: its opcode does not say, or it transfers nothing. */
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
