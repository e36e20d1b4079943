/* SPDX-License-Identifier: Apache-2.0 */
/* Processors that load the PC of a load multiple before the other registers. */
#ifndef ETM_EXEC_PC_FIRST_H
#define ETM_EXEC_PC_FIRST_H

#include "isa/insn.h"

#include <etm/model.h>

/* Is it an instruction that ETMIDR[16] concerns (ETM architecture, 3.5.18)? */
bool etm_loads_pc_of_list(const struct etm_insn *insn);

/*
 * Put the transfers of such an instruction into the order of its processor:
 * `pc_first`, or by address, with the PC last. `n` events follow the
 * instruction; other events among them, and all cycles, stay where they are.
 * Nothing is moved unless all transfers are there, in the other order.
 */
void etm_order_pc(const struct etm_insn *insn, struct etm_event *events,
                  size_t n, bool pc_first);

#endif
