/* SPDX-License-Identifier: Apache-2.0 */
#include "element_text.h"

#include <etm/packet.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t left;
};

static void put(struct text *t, const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(t->at, t->left, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= t->left)
        n = (int)t->left - 1;
    t->at += n;
    t->left -= (size_t)n;
}

static const char *tri(unsigned value)
{
    return value == ETM_TRUE ? "true" : value == ETM_FALSE ? "false" : "null";
}

/* What is not known is left out. */
static void hex(struct text *t, const char *key, bool known, uint64_t value)
{
    if (known)
        put(t, " %s=%" PRIx64, key, value);
}

static void cycles(struct text *t, const char *key, uint64_t n)
{
    if (n == ETM_CYCLES_UNKNOWN)
        put(t, " %snull", key);
    else
        put(t, " %s%" PRIu64, key, n);
}

static void flags(struct text *t, unsigned flags)
{
    if (flags & ETM_INSN_LINK)
        put(t, " link");
    if (flags & ETM_INSN_RETURN)
        put(t, " return");
    if (flags & ETM_INSN_CONDITIONAL)
        put(t, " conditional");
}

static void context(struct text *t, const struct etm_element *e)
{
    put(t, " %s", etm_isa_name((enum etm_isa)e->u.context.isa));
    if (e->u.context.secure != ETM_UNKNOWN)
        put(t, e->u.context.secure == ETM_TRUE ? " secure" : " ns");
    if (e->u.context.hyp != ETM_FALSE)
        put(t, e->u.context.hyp == ETM_TRUE ? " hyp" : " hyp?");
    hex(t, "context_id", e->u.context.context_id_known,
        e->u.context.context_id);
    hex(t, "vmid", e->u.context.vmid_known, e->u.context.vmid);
}

static void range(struct text *t, const struct etm_element *e)
{
    put(t,
        " %" PRIx32 "-%" PRIx32 " %s n=%" PRIu32 " last=%" PRIx32 " %s exec=%s",
        e->u.range.start, e->u.range.end,
        etm_isa_name((enum etm_isa)e->u.range.isa), e->u.range.n,
        e->u.range.last_address,
        etm_insn_type_name((enum etm_insn_type)e->u.range.last_type),
        tri(e->u.range.last_exec));
    flags(t, e->u.range.last_flags);
    cycles(t, "cycles=", e->u.range.cycles);
}

static void insn(struct text *t, const struct etm_element *e)
{
    put(t, " %" PRIx32 " %s %0*" PRIx32 " %s exec=%s", e->u.insn.address,
        etm_isa_name((enum etm_isa)e->u.insn.isa), 2 * e->u.insn.size,
        e->u.insn.opcode,
        etm_insn_type_name((enum etm_insn_type)e->u.insn.type),
        tri(e->u.insn.exec));
    flags(t, e->u.insn.flags);
    cycles(t, "cycles=", e->u.insn.cycles);
}

static void exception(struct text *t, const struct etm_element *e)
{
    put(t, " %s",
        etm_exception_name((enum etm_exception_type)e->u.exception.type));
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N)
        put(t, "(%u)", e->u.exception.irq);
    put(t, " number=%u", e->u.exception.number);
    hex(t, "return", e->u.exception.return_known,
        e->u.exception.return_address);
    hex(t, "cancels", e->u.exception.cancels_known, e->u.exception.cancels);
    if (e->u.exception.resume != 0)
        put(t, " resume=%u", e->u.exception.resume);
    if (e->u.exception.action != ETM_EXCEPTION_UNTOLD)
        put(t, " %s",
            etm_exception_action_name(
                (enum etm_exception_action)e->u.exception.action));
}

static void data_register(struct text *t, unsigned kind, unsigned reg)
{
    static const char *const names[][2] = {
        [ETM_REGISTER_CORE] = {"r", ""},
        [ETM_REGISTER_S] = {"s", ""},
        [ETM_REGISTER_D_LOW] = {"d", ".low"},
        [ETM_REGISTER_D_HIGH] = {"d", ".high"},
    };

    if (kind == ETM_REGISTER_XPSR)
        put(t, " psr");
    else if (kind != ETM_REGISTER_NO)
        put(t, " %s%u%s", names[kind][0], reg, names[kind][1]);
}

static void data(struct text *t, const struct etm_element *e)
{
    put(t, e->u.data.store == ETM_TRUE    ? "store"
           : e->u.data.store == ETM_FALSE ? "load"
                                          : "data");
    if (e->u.data.insn_known)
        put(t, " %" PRIx32, e->u.data.insn);
    hex(t, "addr", e->u.data.address_known, e->u.data.address);
    hex(t, "value", e->u.data.value_known, e->u.data.value);
    if (e->u.data.size != 4)
        put(t, " size=%u", e->u.data.size);
    if (e->u.data.index != 0)
        put(t, " index=%u", e->u.data.index);
    if (e->u.data.status != ETM_DATA_OK)
        put(t, " %s",
            etm_data_status_name((enum etm_data_status)e->u.data.status));
    data_register(t, e->u.data.reg_kind, e->u.data.reg);
    if (e->u.data.be8 == ETM_TRUE)
        put(t, " be8");
    hex(t, "comparator", e->u.data.comparator_known, e->u.data.comparator);
    hex(t, "offset", e->u.data.address_low_known, e->u.data.address_low);
}

const char *etm_element_text(const struct etm_element *e,
                             char text[ETM_ELEMENT_TEXT_MAX])
{
    struct text t = {text, ETM_ELEMENT_TEXT_MAX};

    put(&t, "%" PRIu64 " ", e->offset);
    if (e->kind != ETM_ELEMENT_DATA)
        put(&t, "%s", etm_element_kind_name((enum etm_element_kind)e->kind));
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        put(&t, " %s",
            etm_trace_on_name((enum etm_trace_on_reason)e->u.trace_on.reason));
        break;
    case ETM_ELEMENT_LOST:
        put(&t, " %s %" PRIu64,
            etm_lost_name((enum etm_lost_reason)e->u.lost.reason),
            e->u.lost.bytes);
        break;
    case ETM_ELEMENT_CONTEXT:
        context(&t, e);
        break;
    case ETM_ELEMENT_RANGE:
        range(&t, e);
        break;
    case ETM_ELEMENT_INSN:
        insn(&t, e);
        break;
    case ETM_ELEMENT_NO_IMAGE:
        put(&t, " %" PRIx32, e->u.no_image.address);
        break;
    case ETM_ELEMENT_EXCEPTION:
        exception(&t, e);
        break;
    case ETM_ELEMENT_DATA:
        data(&t, e);
        break;
    case ETM_ELEMENT_CYCLES:
        cycles(&t, "", e->u.cycles.n);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        put(&t, " %" PRIu64, e->u.timestamp.value);
        break;
    case ETM_ELEMENT_SOFTWARE:
        put(&t, " port=%u %0*" PRIx32, e->u.software.port,
            2 * e->u.software.size, e->u.software.value);
        break;
    case ETM_ELEMENT_PC_SAMPLE:
        put(&t, " %s",
            etm_pc_state_name((enum etm_pc_state)e->u.pc_sample.state));
        if (e->u.pc_sample.state == ETM_PC_RUNNING)
            put(&t, " %" PRIx32, e->u.pc_sample.address);
        break;
    case ETM_ELEMENT_EVENT_COUNTER:
        put(&t, " %02x", e->u.event_counter.counters);
        break;
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        put(&t, " %s +%" PRIu32 " =%" PRIu64,
            etm_itm_relation_name(
                (enum etm_itm_relation)e->u.local_timestamp.relation),
            e->u.local_timestamp.delta, e->u.local_timestamp.ticks);
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
        break;
    }
    if (e->since_known)
        put(&t, " since=%" PRIu32, e->since);
    return text;
}
