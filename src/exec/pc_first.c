/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the transfers of a load multiple. */
#include "exec/pc_first.h"

bool etm_loads_pc_of_list(const struct etm_insn *insn)
{
    const struct etm_transfers *t = &insn->transfers;

    return t->multiple && t->pc && t->registers != 0;
}

void etm_order_pc(const struct etm_insn *insn, struct etm_event *events,
                  size_t n, bool pc_first)
{
    const unsigned count = insn->transfers.count;
    struct etm_event *data[16], moved;
    unsigned found = 0;
    uint32_t step;

    if (!etm_loads_pc_of_list(insn) || count < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != ETM_EVENT_DATA)
            continue;
        if (found == count)
            return;
        data[found++] = &events[i];
    }
    if (found != count)
        return;
    /* after the PC, if that is first, comes the lowest address */
    step = data[1]->u.data.address - data[0]->u.data.address;
    if (step != (pc_first ? 4 : 0 - 4 * (count - 1)))
        return;
    moved = *data[pc_first ? count - 1 : 0];
    for (unsigned i = 1; i < count; i++) {
        unsigned to = pc_first ? count - i : i - 1;

        data[to]->u.data = data[pc_first ? to - 1 : to + 1]->u.data;
    }
    data[pc_first ? 0 : count - 1]->u.data = moved.u.data;
}
