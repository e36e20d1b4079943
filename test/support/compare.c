/* SPDX-License-Identifier: Apache-2.0 */
/* What a decoder said, and whether it is what was expected. */
#include "expect.h"

#include "element_text.h"

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
        *r = (struct record){.e = {.kind = ETM_ELEMENT_INSN,
                                   .u.insn = {.isa = s->isa,
                                              .size = s->size,
                                              .address = address,
                                              .opcode = s->opcode,
                                              .type = e->u.range.last_type,
                                              .exec = e->u.range.last_exec}},
                             .context = *context,
                             .part = i + 1 < e->u.range.n,
                             .cycles = e->u.range.cycles};
        if (!r->part && e->u.range.last_address != address)
            return "wrong last address";
        address += s->size;
    }
    return e->u.range.end == address ? NULL : "wrong end of a range";
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
        struct record r = {.e = *e};

        if (e->source != program->config->trace_id)
            return "wrong source";
        switch ((enum etm_element_kind)e->kind) {
        case ETM_ELEMENT_LOST:
            return "something was lost";
        case ETM_ELEMENT_NO_IMAGE:
            return "no image";
        case ETM_ELEMENT_DATA:
        case ETM_ELEMENT_TRIGGER:
            r.cycles = e->since_known ? e->since : ETM_CYCLES_UNKNOWN;
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
            r.context = context;
            r.cycles = e->u.insn.cycles;
            break;
        case ETM_ELEMENT_TRACE_ON:
            r.cycles = ETM_CYCLES_UNKNOWN;
            gap = &out->r[out->n];
            break;
        case ETM_ELEMENT_END:
        case ETM_ELEMENT_SOFTWARE: /* of an ITM, from here on */
        case ETM_ELEMENT_PC_SAMPLE:
        case ETM_ELEMENT_EVENT_COUNTER:
        case ETM_ELEMENT_LOCAL_TIMESTAMP:
            r.cycles = rest;
            break;
        case ETM_ELEMENT_EXCEPTION:
        case ETM_ELEMENT_EXCEPTION_RETURN:
        case ETM_ELEMENT_TIMESTAMP:
            break;
        }
        if (out->n == RECORDS)
            return "too many records";
        out->r[out->n++] = r;
    }
    return NULL;
}

static const char *compare_context(const struct etm_config *c,
                                   const struct etm_element *e,
                                   const struct etm_element *a)
{
    if (c->security && e->u.context.secure != a->u.context.secure)
        return "security state";
    if (c->virtualization && e->u.context.hyp != a->u.context.hyp)
        return "Hyp mode";
    if (e->u.context.context_id_known != a->u.context.context_id_known ||
        e->u.context.context_id != a->u.context.context_id)
        return "context ID";
    return e->u.context.vmid_known == a->u.context.vmid_known &&
                   e->u.context.vmid == a->u.context.vmid
               ? NULL
               : "VMID";
}

static const char *compare_insn(const struct etm_config *c,
                                const struct record *expected,
                                const struct record *actual, uint64_t *sum)
{
    const struct etm_element *e = &expected->e, *a = &actual->e;

    if (e->u.insn.address != a->u.insn.address ||
        e->u.insn.isa != a->u.insn.isa || e->u.insn.size != a->u.insn.size)
        return "address, instruction set or size";
    if (e->u.insn.opcode != a->u.insn.opcode &&
        e->u.insn.isa != ETM_ISA_JAZELLE)
        return "opcode";
    if (c->cycle_accurate)
        *sum += expected->cycles;
    if (!actual->part) {
        if (e->u.insn.type != a->u.insn.type)
            return "type";
        if (e->u.insn.exec != a->u.insn.exec)
            return "condition";
        if (actual->cycles != (c->cycle_accurate ? *sum : ETM_CYCLES_UNKNOWN))
            return "cycles";
        *sum = 0;
    }
    return compare_context(c, &expected->context, &actual->context);
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
                                     const struct etm_element *e,
                                     const struct etm_element *a)
{
    bool deprecated =
        c->protocol == ETM_PROTOCOL_ETMV3 && c->profile != ETM_PROFILE_M &&
        !c->alternative_branches &&
        (options->deprecated_exceptions == ETM_TRUE ||
         (options->deprecated_exceptions == ETM_UNKNOWN && c->minor < 2));

    if (e->u.exception.type != a->u.exception.type ||
        e->u.exception.irq != a->u.exception.irq)
        return "exception type";
    if (e->u.exception.number != a->u.exception.number &&
        (!deprecated ||
         a->u.exception.number != deprecated_number(e->u.exception.type)))
        return "exception number";
    if (e->u.exception.return_known != a->u.exception.return_known ||
        (e->u.exception.return_known &&
         e->u.exception.return_address != a->u.exception.return_address))
        return "return address";
    if (e->u.exception.cancels_known != a->u.exception.cancels_known ||
        (e->u.exception.cancels_known &&
         e->u.exception.cancels != a->u.exception.cancels))
        return "cancelled instruction";
    return e->u.exception.resume == a->u.exception.resume ? NULL : "resume";
}

static const char *compare_data(const struct record *e, const struct record *a)
{
    if (memcmp(&e->e.u.data, &a->e.u.data, sizeof e->e.u.data) != 0)
        return "a transfer";
    /* while nothing is traced there are no W atoms to tell of a mark */
    return e->cycles == a->cycles || (e->cycles == ETM_CYCLES_UNKNOWN &&
                                      e->e.u.data.status == ETM_DATA_SUPPRESSED)
               ? NULL
               : "cycle of data";
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
        if (e->e.kind != a->e.kind)
            return "kind of element";
        if (e->e.kind == ETM_ELEMENT_INSN)
            wrong = compare_insn(c, e, a, &sum);
        else if (e->e.kind == ETM_ELEMENT_EXCEPTION)
            wrong = compare_exception(c, options, &e->e, &a->e);
        else if (e->e.kind == ETM_ELEMENT_DATA)
            wrong = compare_data(e, a);
        else if (e->e.kind == ETM_ELEMENT_TRIGGER &&
                 e->cycles != ETM_CYCLES_UNKNOWN && e->cycles != a->cycles)
            wrong = "cycle of a trigger";
        else if (e->e.kind == ETM_ELEMENT_TIMESTAMP &&
                 e->e.u.timestamp.value != a->e.u.timestamp.value)
            wrong = "timestamp";
        else if (e->e.kind == ETM_ELEMENT_TRACE_ON &&
                 e->e.u.trace_on.reason != a->e.u.trace_on.reason)
            wrong = "reason";
        else if (e->e.kind == ETM_ELEMENT_TRACE_ON && c->cycle_accurate &&
                 e->cycles != a->cycles)
            wrong = "length of a gap";
        else if (e->e.kind == ETM_ELEMENT_END && a->cycles > e->cycles)
            wrong = "cycles behind the last instruction";
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

void record_print(const struct record *r)
{
    char text[ETM_ELEMENT_TEXT_MAX];

    printf("%s%s, cycles %" PRId64, etm_element_text(&r->e, text),
           r->part ? " (part)" : "", (int64_t)r->cycles);
    if (r->e.kind == ETM_ELEMENT_INSN)
        printf("; %s", etm_element_text(&r->context, text));
    printf("\n");
}
