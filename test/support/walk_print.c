/* SPDX-License-Identifier: Apache-2.0 */
/* Executions as text, for messages. */
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>

void walk_print(const struct walk *walk)
{
    for (size_t i = 0; i < walk->n; i++) {
        const struct etm_event *e = &walk->events[i];
        const struct etm_place *to = NULL;

        printf("%4zu %-9s", i,
               etm_event_kind_name((enum etm_event_kind)e->kind));
        if (e->cycles == ETM_CYCLES_UNKNOWN)
            printf(" +?");
        else
            printf(" +%" PRIu64, e->cycles);
        if (e->kind == ETM_EVENT_INSN) {
            printf(" %08" PRIx32 " %s %08" PRIx32 " %s%s", e->u.insn.address,
                   etm_isa_name((enum etm_isa)e->u.insn.isa), e->u.insn.opcode,
                   e->u.insn.passed ? "E" : "N",
                   e->u.insn.exception_return ? " (exception return)" : "");
            to = &e->u.insn.next;
        } else if (e->kind == ETM_EVENT_EXCEPTION) {
            printf(" %s%s chain %d resume %d",
                   etm_exception_name(
                       (enum etm_exception_type)e->u.exception.type),
                   e->u.exception.cancels ? " cancels" : "",
                   e->u.exception.chain, e->u.exception.resume);
            to = &e->u.exception.next;
        } else if (e->kind == ETM_EVENT_TRACE_ON) {
            printf(" %s%s",
                   etm_trace_on_name(
                       (enum etm_trace_on_reason)e->u.trace_on.reason),
                   e->u.trace_on.in_progress != 0 ? " in progress" : "");
            to = &e->u.trace_on.at;
        } else if (e->kind == ETM_EVENT_DATA) {
            printf(" %08" PRIx32 " %08" PRIx64 "%s%s%s tag %d",
                   e->u.data.address, e->u.data.value,
                   e->u.data.filtered ? " filtered" : "",
                   e->u.data.failed ? " failed" : "",
                   e->u.data.big_endian ? " big-endian" : "", e->u.data.tag);
        } else if (e->kind == ETM_EVENT_DATA_VALUE) {
            printf(" %08" PRIx64 " tag %d", e->u.data_value.value,
                   e->u.data_value.tag);
        } else if (e->kind == ETM_EVENT_STACKING) {
            printf(" %s", e->u.stacking.pop ? "pop" : "push");
        } else if (e->kind == ETM_EVENT_SUPPRESS) {
            printf(" %s", e->u.suppress.on ? "on" : "off");
        } else if (e->kind == ETM_EVENT_CONTEXT) {
            printf(" %08" PRIx32 " %02x", e->u.context.context_id,
                   e->u.context.vmid);
        }
        if (to != NULL && to->isa != ETM_ISA_UNKNOWN)
            printf(" -> %08" PRIx32 " %s%s%s", to->address,
                   etm_isa_name((enum etm_isa)to->isa), to->ns ? " ns" : "",
                   to->hyp ? " hyp" : "");
        printf("\n");
    }
}
