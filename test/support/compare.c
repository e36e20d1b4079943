/* SPDX-License-Identifier: Apache-2.0 */
/* What a decoder said, and whether it is what was expected. */
#include "expect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int got_elements(void *context, const struct etm_element *elements, size_t n)
{
    struct got *got = context;

    if (n > GOT_ELEMENTS - got->n)
        return ETM_ERR_MEMORY;
    memcpy(&got->e[got->n], elements, n * sizeof *elements);
    got->n += n;
    return ETM_OK;
}

static void fill_context(struct record *r, const struct etm_element *c)
{
    r->secure = c->u.context.secure;
    r->hyp = c->u.context.hyp;
    r->context_known = c->u.context.context_id_known;
    r->context_id = c->u.context.context_id;
    r->vmid_known = c->u.context.vmid_known;
    r->vmid = c->u.context.vmid;
}

static const char *take_range(struct records *out,
                              const struct program *program,
                              const struct etm_element *e,
                              const struct etm_element *context)
{
    uint32_t address = e->u.range.start;

    for (uint32_t i = 0; i < e->u.range.n; i++) {
        const struct slot *s =
            program_at(program, address, (enum etm_isa)e->u.range.isa);
        struct record *r = &out->r[out->n];

        if (s == NULL)
            return "a range runs out of the program";
        if (out->n == RECORDS)
            return "too many records";
        out->n++;
        *r = (struct record){.kind = ETM_ELEMENT_INSN,
                             .part = i + 1 < e->u.range.n,
                             .isa = s->isa,
                             .size = s->size,
                             .address = address,
                             .opcode = s->opcode,
                             .type = e->u.range.last_type,
                             .exec = e->u.range.last_exec,
                             .cycles = e->u.range.cycles};
        fill_context(r, context);
        if (!r->part && e->u.range.last_address != address)
            return "wrong last address";
        address += s->size;
    }
    return e->u.range.end == address ? NULL : "wrong end of a range";
}

static void take_data(struct record *r, const struct etm_element *e)
{
    r->insn_known = e->u.data.insn_known;
    r->insn = e->u.data.insn;
    r->address_known = e->u.data.address_known;
    r->address = e->u.data.address;
    r->value_known = e->u.data.value_known;
    r->value = e->u.data.value;
    r->size = e->u.data.size;
    r->store = e->u.data.store;
    r->index = e->u.data.index;
    r->status = e->u.data.status;
    r->be8 = e->u.data.be8;
    r->reg_kind = e->u.data.reg_kind;
    r->reg = e->u.data.reg;
    r->cycles = e->since_known ? e->since : ETM_CYCLES_UNKNOWN;
}

static bool same_context(const struct etm_element *a,
                         const struct etm_element *b)
{
    return a->u.context.isa == b->u.context.isa &&
           a->u.context.secure == b->u.context.secure &&
           a->u.context.hyp == b->u.context.hyp &&
           a->u.context.context_id_known == b->u.context.context_id_known &&
           a->u.context.context_id == b->u.context.context_id &&
           a->u.context.vmid_known == b->u.context.vmid_known &&
           a->u.context.vmid == b->u.context.vmid;
}

static void take_insn(struct record *r, const struct etm_element *e)
{
    r->isa = e->u.insn.isa;
    r->size = e->u.insn.size;
    r->type = e->u.insn.type;
    r->exec = e->u.insn.exec;
    r->address = e->u.insn.address;
    r->opcode = e->u.insn.opcode;
    r->cycles = e->u.insn.cycles;
}

static void take_exception(struct record *r, const struct etm_element *e)
{
    r->number = e->u.exception.number;
    r->irq = e->u.exception.irq;
    r->type = e->u.exception.type;
    r->return_known = e->u.exception.return_known;
    r->return_address = e->u.exception.return_address;
    r->cancels_known = e->u.exception.cancels_known;
    r->cancels = e->u.exception.cancels;
    r->resume = e->u.exception.resume;
}

const char *got_records(struct records *out, const struct program *program,
                        const struct got *got)
{
    struct etm_element context = {.kind = ETM_ELEMENT_CONTEXT};
    struct record *gap = NULL; /* whose length was not given yet */
    uint64_t rest = 0;         /* cycles after the last instruction */
    const char *wrong;

    out->n = 0;
    for (size_t i = 0; i < got->n; i++) {
        const struct etm_element *e = &got->e[i];
        struct record r = {.kind = e->kind};

        if (e->source != program->config->trace_id)
            return "wrong source";
        switch ((enum etm_element_kind)e->kind) {
        case ETM_ELEMENT_LOST:
            return "something was lost";
        case ETM_ELEMENT_NO_IMAGE:
            return "no image";
        case ETM_ELEMENT_DATA:
            take_data(&r, e);
            break;
        case ETM_ELEMENT_CONTEXT:
            if (same_context(e, &context))
                return "a context that is not new";
            context = *e;
            continue;
        case ETM_ELEMENT_CYCLES:
            if (gap != NULL)
                gap->cycles = e->u.cycles.n;
            else if (i + 1 < got->n && got->e[i + 1].kind == ETM_ELEMENT_END)
                rest = e->u.cycles.n; /* E-309 */
            else
                return "cycles of no gap";
            gap = NULL;
            continue;
        case ETM_ELEMENT_RANGE:
            if (e->u.range.isa != context.u.context.isa)
                return "a range in another isa than its context";
            wrong = take_range(out, program, e, &context);
            if (wrong != NULL)
                return wrong;
            continue;
        case ETM_ELEMENT_INSN:
            if (e->u.insn.isa != context.u.context.isa)
                return "an instruction in another isa than its context";
            fill_context(&r, &context);
            take_insn(&r, e);
            break;
        case ETM_ELEMENT_EXCEPTION:
            take_exception(&r, e);
            break;
        case ETM_ELEMENT_TIMESTAMP:
            r.value = e->u.timestamp.value;
            break;
        case ETM_ELEMENT_TRACE_ON:
            r.reason = e->u.trace_on.reason;
            r.cycles = ETM_CYCLES_UNKNOWN;
            gap = &out->r[out->n];
            break;
        case ETM_ELEMENT_TRIGGER:
            r.cycles = e->since_known ? e->since : ETM_CYCLES_UNKNOWN;
            break;
        case ETM_ELEMENT_END:
        case ETM_ELEMENT_SOFTWARE: /* of an ITM, from here on */
        case ETM_ELEMENT_PC_SAMPLE:
        case ETM_ELEMENT_EVENT_COUNTER:
        case ETM_ELEMENT_LOCAL_TIMESTAMP:
            r.cycles = rest;
            break;
        case ETM_ELEMENT_EXCEPTION_RETURN:
            break;
        }
        if (out->n == RECORDS)
            return "too many records";
        out->r[out->n++] = r;
    }
    return NULL;
}

static const char *compare_context(const struct etm_config *c,
                                   const struct record *e,
                                   const struct record *a)
{
    if (c->security && e->secure != a->secure)
        return "security state";
    if (c->virtualization && e->hyp != a->hyp)
        return "Hyp mode";
    if (e->context_known != a->context_known ||
        (e->context_known && e->context_id != a->context_id))
        return "context ID";
    if (e->vmid_known != a->vmid_known || (e->vmid_known && e->vmid != a->vmid))
        return "VMID";
    return NULL;
}

static const char *compare_insn(const struct etm_config *c,
                                const struct record *e, const struct record *a,
                                uint64_t *sum)
{
    if (e->address != a->address || e->isa != a->isa || e->size != a->size)
        return "address, instruction set or size";
    if (e->opcode != a->opcode && e->isa != ETM_ISA_JAZELLE)
        return "opcode";
    if (c->cycle_accurate)
        *sum += e->cycles;
    if (a->part)
        return compare_context(c, e, a);
    if (e->type != a->type)
        return "type";
    if (e->exec != a->exec)
        return "condition";
    if (a->cycles != (c->cycle_accurate ? *sum : ETM_CYCLES_UNKNOWN))
        return "cycles";
    *sum = 0;
    return compare_context(c, e, a);
}

/* EEE of the five-byte form, table 7-9; 0 for most. */
static unsigned deprecated_number(unsigned type)
{
    return type == ETM_EXCEPTION_IRQ                ? 1
           : type == ETM_EXCEPTION_JAZELLE_THUMBEE  ? 4
           : type == ETM_EXCEPTION_FIQ              ? 5
           : type == ETM_EXCEPTION_ASYNC_DATA_ABORT ? 6
           : type == ETM_EXCEPTION_DEBUG_HALT       ? 7
                                                    : 0;
}

static const char *compare_exception(const struct etm_config *c,
                                     const struct etm_generator_config *options,
                                     const struct record *e,
                                     const struct record *a)
{
    bool deprecated =
        c->protocol == ETM_PROTOCOL_ETMV3 && c->profile != ETM_PROFILE_M &&
        !c->alternative_branches &&
        (options->deprecated_exceptions == ETM_TRUE ||
         (options->deprecated_exceptions == ETM_UNKNOWN && c->minor < 2));

    if (e->type != a->type || e->irq != a->irq)
        return "exception type";
    if (e->number != a->number &&
        (!deprecated || a->number != deprecated_number(e->type)))
        return "exception number";
    if (e->return_known != a->return_known ||
        (e->return_known && e->return_address != a->return_address))
        return "return address";
    if (e->cancels_known != a->cancels_known ||
        (e->cancels_known && e->cancels != a->cancels))
        return "cancelled instruction";
    return e->resume == a->resume ? NULL : "resume";
}

static const char *compare_data(const struct record *e, const struct record *a)
{
    if (e->status != a->status)
        return "data status";
    if (e->insn_known != a->insn_known || e->insn != a->insn)
        return "instruction of data";
    if (e->address_known != a->address_known || e->address != a->address)
        return "data address";
    if (e->value_known != a->value_known || e->value != a->value)
        return "data value";
    if (e->size != a->size || e->store != a->store)
        return "size or direction of data";
    if (e->index != a->index)
        return "index of data";
    if (e->be8 != a->be8)
        return "endianness of data";
    /* while nothing is traced there are no W atoms to tell of a mark */
    if (e->cycles != a->cycles &&
        (e->cycles != ETM_CYCLES_UNKNOWN || e->status != ETM_DATA_SUPPRESSED))
        return "cycle of data";
    return e->reg_kind == a->reg_kind && e->reg == a->reg ? NULL : "register";
}

const char *records_compare(const struct program *program,
                            const struct etm_generator_config *options,
                            const struct records *expected,
                            const struct records *actual, size_t *at)
{
    const struct etm_config *c = program->config;
    uint64_t sum = 0;

    for (size_t i = 0; i < expected->n || i < actual->n; i++) {
        const struct record *e = &expected->r[i], *a = &actual->r[i];
        const char *wrong = NULL;

        *at = i;
        if (i == expected->n)
            return "more than expected";
        if (i == actual->n)
            return "less than expected";
        if (e->kind != a->kind)
            return "kind of element";
        if (e->kind == ETM_ELEMENT_INSN)
            wrong = compare_insn(c, e, a, &sum);
        else if (e->kind == ETM_ELEMENT_EXCEPTION)
            wrong = compare_exception(c, options, e, a);
        else if (e->kind == ETM_ELEMENT_DATA)
            wrong = compare_data(e, a);
        else if (e->kind == ETM_ELEMENT_TRIGGER &&
                 e->cycles != ETM_CYCLES_UNKNOWN && e->cycles != a->cycles)
            wrong = "cycle of a trigger";
        else if (e->kind == ETM_ELEMENT_TIMESTAMP && e->value != a->value)
            wrong = "timestamp";
        else if (e->kind == ETM_ELEMENT_TRACE_ON && e->reason != a->reason)
            wrong = "reason";
        else if (e->kind == ETM_ELEMENT_TRACE_ON && c->cycle_accurate &&
                 e->cycles != a->cycles)
            wrong = "length of a gap";
        else if (e->kind == ETM_ELEMENT_END && a->cycles > e->cycles)
            wrong = "cycles behind the last instruction";
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

void record_print(const struct record *r)
{
    printf("%s", etm_element_kind_name((enum etm_element_kind)r->kind));
    if (r->kind == ETM_ELEMENT_INSN)
        printf(" %08" PRIx32 " %s size %d opcode %08" PRIx32
               " type %s exec %d%s secure %d hyp %d context %d:%08" PRIx32
               " vmid %d:%02x",
               r->address, etm_isa_name((enum etm_isa)r->isa), r->size,
               r->opcode, etm_insn_type_name((enum etm_insn_type)r->type),
               r->exec, r->part ? " (part)" : "", r->secure, r->hyp,
               r->context_known, r->context_id, r->vmid_known, r->vmid);
    if (r->kind == ETM_ELEMENT_INSN || r->kind == ETM_ELEMENT_TRACE_ON ||
        r->kind == ETM_ELEMENT_DATA || r->kind == ETM_ELEMENT_TRIGGER)
        printf(" cycles %" PRId64, (int64_t)r->cycles);
    if (r->kind == ETM_ELEMENT_TRACE_ON)
        printf(" %s", etm_trace_on_name((enum etm_trace_on_reason)r->reason));
    if (r->kind == ETM_ELEMENT_EXCEPTION)
        printf(" %s number %x irq %d return %d:%08" PRIx32
               " cancels %d:%08" PRIx32,
               etm_exception_name((enum etm_exception_type)r->type), r->number,
               r->irq, r->return_known, r->return_address, r->cancels_known,
               r->cancels);
    if (r->kind == ETM_ELEMENT_DATA)
        printf(" insn %d:%08" PRIx32 " address %d:%08" PRIx32
               " value %d:%08" PRIx64 " size %d store %d index %d %s be8 %d "
               "register %d:%d",
               r->insn_known, r->insn, r->address_known, r->address,
               r->value_known, r->value, r->size, r->store, r->index,
               etm_data_status_name((enum etm_data_status)r->status), r->be8,
               r->reg_kind, r->reg);
    if (r->kind == ETM_ELEMENT_TIMESTAMP)
        printf(" %" PRIu64, r->value);
    printf("\n");
}
