/* SPDX-License-Identifier: Apache-2.0 */
/* Processors that load the PC of a load multiple before the other registers. */
#ifndef ETM_EXEC_PC_FIRST_H
#define ETM_EXEC_PC_FIRST_H

#include "isa/insn.h"

#include <etm/model.h>

/* Is it an instruction of which ETMIDR[16] tells (ETM architecture, 3.5.18)? */
bool etm_loads_pc_of_list(const struct etm_insn *insn);

/*
 * Bring the transfers of such an instruction into the order in which its
 * processor makes them: `pc_first`, or by their addresses, of which that of the
 * PC is the last. `n` events stand behind the instruction; what else is among
 * them stays where it is, and so do all cycles. Nothing is moved unless all
 * transfers are there, in the other order.
 */
void etm_order_pc(const struct etm_insn *insn, struct etm_event *events,
                  size_t n, bool pc_first);

#endif
