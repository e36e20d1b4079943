/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the Tarmac reader. */
#ifndef ETM_EXEC_TARMAC_INTERNAL_H
#define ETM_EXEC_TARMAC_INTERNAL_H

#include "exec/reader.h"
#include "isa/insn.h"

/* Count the current line, or line `number`, as not understood. */
void etm_tarmac_puzzle(struct etm_execution_reader *reader,
                       const struct etm_word *line, uint64_t number);

/* The rest of an instruction's line after IT, IS, IF (`failed`: IS) or ES.
 * False: not understood. *status is that of what came before it. */
bool etm_tarmac_insn(struct etm_execution_reader *reader, struct etm_word *rest,
                     bool failed, int *status);

/*
 * Append the pending instruction, and the exception after it. `here`: the place
 * of the next instruction; NULL: there is none.
 */
int etm_tarmac_commit(struct etm_execution_reader *reader,
                      const struct etm_place *here);

/* The rest of an access: "00009000 00000001", after MW4 and the like. The last
 * two digits are the byte at the address, or `in_memory_order` the first two.
 */
bool etm_tarmac_access(struct etm_execution_reader *reader,
                       struct etm_word *rest, bool store, unsigned size,
                       bool in_memory_order);

/* "000ffff0 0002015c ........ ........ ......12", after LD and ST. */
bool etm_tarmac_sixteen(struct etm_execution_reader *reader,
                        struct etm_word *rest, bool store);

/* Make data events from the bytes that the instruction transferred. */
int etm_tarmac_transfers(struct etm_execution_reader *reader,
                         const struct etm_insn *insn);

/* The value that was loaded from the highest address; false: none. */
bool etm_tarmac_last_load(const struct etm_tarmac *tarmac, uint32_t *value);

/* "00008000", "00008000:000080008000_NS,..."; false: no address. */
bool etm_tarmac_address(struct etm_word word, uint64_t *address);

/* The letter of an instruction set; false: none, or not one of ours. */
bool etm_tarmac_isa(const struct etm_word *word, uint8_t *isa);

#endif
