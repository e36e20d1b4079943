/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the Tarmac reader. tarmac.c takes the lines apart;
 * tarmac_insn.c, tarmac_access.c, tarmac_event.c and tarmac_register.c note
 * what they say at the instructions that wait; tarmac_flow.c makes events from
 * the oldest of these.
 */
#ifndef ETM_EXEC_TARMAC_INTERNAL_H
#define ETM_EXEC_TARMAC_INTERNAL_H

#include "exec/reader.h"

/* --- tarmac_words.c --- */

/* Count line `number` as not understood. */
void etm_tarmac_puzzle(struct etm_execution_reader *reader,
                       struct etm_word line, uint64_t number);

/* The beginning of the text in a waiting instruction. */
struct etm_word etm_tarmac_text(const struct etm_tarmac_insn *insn);

/* "00008000", "00008000:000080008000_NS,..."; false: no address of 32 bits. */
bool etm_tarmac_address(struct etm_word word, uint32_t *address);

/* The letter of an instruction set. *aarch64: *isa is not set. */
bool etm_tarmac_isa(const struct etm_word *word, uint8_t *isa, bool *aarch64);

/* "(...)" at the beginning of a line: what is in it; false: it has none. */
bool etm_tarmac_group(struct etm_word *rest, struct etm_word *group);

/* "00022a7c:00000006": what an instruction of RTL is called. */
bool etm_tarmac_index(struct etm_word group, uint32_t *address,
                      uint32_t *index);

/* "svc_s", "hyp_n", "thread": enum etm_tarmac_mode. */
uint8_t etm_tarmac_mode(const struct etm_word *word);

/* Something that only an M-profile processor has. */
void etm_tarmac_see_m(struct etm_execution_reader *reader);

/* An instruction of Arm state, which it does not have. */
void etm_tarmac_see_arm(struct etm_execution_reader *reader);

/* Instruction `i` of those that wait, from the oldest on. */
struct etm_tarmac_insn *etm_tarmac_waiting(struct etm_tarmac *tarmac,
                                           unsigned i);

/* The last one; NULL: none waits. */
struct etm_tarmac_insn *etm_tarmac_last(struct etm_tarmac *tarmac);

/* Values from here on are no addresses: they return from an exception of the M
 * profile. */
#define ETM_TARMAC_EXC_RETURN UINT32_C(0xff000000)

/* --- tarmac_register.c --- */

/* "r14_irq 00008008", "CONTEXTIDR 00000001" */
void etm_tarmac_register_line(struct etm_execution_reader *reader,
                              struct etm_word *rest);

/* Core register `n`, last time it was written in that mode. */
struct etm_tarmac_value etm_tarmac_register(const struct etm_tarmac *tarmac,
                                            uint8_t mode, unsigned n);

/* The link register of a mode was written, but not by an R line. */
void etm_tarmac_forget_link(struct etm_tarmac *tarmac, uint8_t mode);

/* --- tarmac_access.c --- */

/* A line that begins with `word`, like MR4; *known: it is an access. False: it
 * was not understood. */
bool etm_tarmac_access(struct etm_execution_reader *reader,
                       const struct etm_word *word, struct etm_word *rest,
                       bool *known);

/* "000ffff0 0002015c ........ ........ ......12", after LD and ST. */
bool etm_tarmac_sixteen(struct etm_execution_reader *reader,
                        struct etm_word *rest, bool store);

/* The last instruction takes the accesses before it, if they are its own. */
void etm_tarmac_take_early(struct etm_tarmac *tarmac);

/* --- tarmac_data.c --- */

/* Make data events from what the instruction moved. */
int etm_tarmac_transfers(struct etm_execution_reader *reader,
                         const struct etm_tarmac_insn *insn);

/* The number of bytes that it moves in one direction, if the opcode says. */
#define ETM_TARMAC_ANY SIZE_MAX
size_t etm_tarmac_needed(const struct etm_tarmac_insn *insn, bool store);

/* Whether all its transfers have come. */
bool etm_tarmac_is_complete(const struct etm_tarmac_insn *insn);

/* The word that the PC of its list was loaded with. */
struct etm_tarmac_value
etm_tarmac_loaded_pc(const struct etm_tarmac_insn *insn);

/* --- tarmac_event.c --- */

/* "00000018 00000006 CoreEvent_IRQ" */
bool etm_tarmac_event_line(struct etm_execution_reader *reader,
                           struct etm_word *rest, struct etm_word line);

/* "[0x18] IRQ" */
bool etm_tarmac_exc_line(struct etm_execution_reader *reader,
                         struct etm_word *rest, struct etm_word line);

/*
 * The exception after an instruction, in a log that does not say so: it is seen
 * from where the next one is. False: none. `broken`: the opcode does not lead
 * there.
 */
bool etm_tarmac_see_exception(struct etm_tarmac *tarmac,
                              struct etm_tarmac_insn *insn,
                              const struct etm_tarmac_insn *next, bool broken);

/* Where the handler of an exception, which begins at `here` (NULL: not known),
 * returns to. */
struct etm_tarmac_value etm_tarmac_return(const struct etm_tarmac *tarmac,
                                          const struct etm_tarmac_exception *x,
                                          const struct etm_place *here);

/*
 * With the exceptions after an instruction: where it led, and whether it was
 * cancelled. `known`: the opcode says where; `here`: where the handler begins,
 * NULL: not known. False: *next is not known, and the instruction is taken as
 * cancelled.
 */
bool etm_tarmac_settle(const struct etm_tarmac *tarmac,
                       struct etm_tarmac_insn *insn, bool known,
                       const struct etm_place *here, struct etm_place *next);

/* Where a handler begins whose first instruction another exception prevented:
 * `x` is that one. */
bool etm_tarmac_handler(const struct etm_tarmac *tarmac,
                        const struct etm_tarmac_exception *x,
                        const struct etm_place *here, struct etm_place *place);

/* --- tarmac_flow.c --- */

/* Make events of the oldest instruction that waits, and what came with it. */
int etm_tarmac_commit(struct etm_execution_reader *reader);

/* --- tarmac_insn.c --- */

/* The rest of an instruction's line after IT, IS, IF (`failed`: IS) or ES.
 * False: not understood. *status is that of what came before it. */
bool etm_tarmac_insn(struct etm_execution_reader *reader, struct etm_word *rest,
                     struct etm_word line, bool failed, int *status);

#endif
