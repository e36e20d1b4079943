/* SPDX-License-Identifier: Apache-2.0 */
/* Elements in: the loop over ranges, and the functions of <etm/program.h>. */
#include "analyze/calls.h"

#include "base/receiver.h"
#include "base/size.h"

static const uint8_t after_branch[] = {
    [ETM_INSN_TYPE_OTHER] = ETM_AFTER_NEXT,
    [ETM_INSN_TYPE_DIRECT] = ETM_AFTER_JUMP,
    [ETM_INSN_TYPE_INDIRECT] = ETM_AFTER_INDIRECT,
    [ETM_INSN_TYPE_BARRIER] = ETM_AFTER_NEXT,
};

/* What the last instruction of a range does. */
static inline uint8_t after_last(uint8_t type, uint8_t exec, uint8_t flags)
{
    uint8_t after = after_branch[type];

    if (exec == ETM_FALSE || after == ETM_AFTER_NEXT)
        return ETM_AFTER_NEXT;
    if ((flags & (ETM_INSN_LINK | ETM_INSN_RETURN)) == 0)
        return after;
    if ((flags & ETM_INSN_LINK) != 0)
        return ETM_AFTER_CALL;
    return (flags & ETM_INSN_EXCEPTION_RETURN) != 0 ? ETM_AFTER_EXCEPTION_RETURN
                                                    : ETM_AFTER_RETURN;
}

static void arrive(struct etm_calls *c, const struct etm_element *e,
                   uint32_t address)
{
    c->offset = e->offset;
    c->source = e->source;
    etm_arrive(c, address);
}

static inline void spend(struct etm_calls *c, uint32_t n, uint64_t cycles)
{
    c->at.instructions += n;
    if (cycles != ETM_CYCLES_UNKNOWN)
        c->at.cycles += cycles;
}

static inline void take_range(struct etm_calls *c, const struct etm_element *e)
{
    if (c->after > ETM_AFTER_JUMP || e->u.range.start - c->low >= c->span)
        arrive(c, e, e->u.range.start);
    spend(c, e->u.range.n, e->u.range.cycles);
    c->after = after_last(e->u.range.last_type, e->u.range.last_exec,
                          e->u.range.last_flags);
    c->end = e->u.range.end;
    c->last_address = e->u.range.last_address;
    c->last_isa = e->u.range.isa;
}

static void take_insn(struct etm_calls *c, const struct etm_element *e)
{
    if (c->after > ETM_AFTER_JUMP || e->u.insn.address - c->low >= c->span)
        arrive(c, e, e->u.insn.address);
    if (c->config.inlined) {
        c->offset = e->offset;
        etm_inlined_run(c, e->u.insn.address);
    }
    spend(c, 1, e->u.insn.cycles);
    c->after = after_last(e->u.insn.type, e->u.insn.exec, e->u.insn.flags);
    c->end = e->u.insn.address + e->u.insn.size;
    c->last_address = e->u.insn.address;
    c->last_isa = e->u.insn.isa;
}

/* Cycles in which nothing was traced. */
static void take_cycles(struct etm_calls *c, uint64_t n)
{
    if (n == ETM_CYCLES_UNKNOWN)
        return;
    c->at.cycles += n;
    c->gap_cycles += n;
    c->now->away.cycles += n;
    c->timed_gaps += c->gap_open;
    c->gap_open = false;
}

static void take_data(struct etm_calls *c, const struct etm_element *e)
{
    if (!c->config.has_task_variable || e->u.data.store != ETM_TRUE ||
        !e->u.data.address_known || !e->u.data.value_known ||
        e->u.data.address != c->config.task_variable ||
        etm_stack_exception(c) == ETM_NO_FRAME)
        return;
    c->value_known = true;
    c->value = (uint32_t)e->u.data.value;
}

/* All but ranges and instructions. */
static void take_other(struct etm_calls *c, const struct etm_element *e)
{
    c->offset = e->offset;
    c->source = e->source;
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        etm_dwt_flush(c);
        etm_arrive_gap(c, true);
        break;
    case ETM_ELEMENT_LOST:
        etm_dwt_flush(c);
        etm_arrive_gap(c, false);
        break;
    case ETM_ELEMENT_NO_IMAGE:
        if (c->after < ETM_AFTER_GAP)
            etm_arrive(c, e->u.no_image.address);
        etm_arrive_gap(c, true);
        c->after = ETM_AFTER_MISSING;
        break;
    case ETM_ELEMENT_CONTEXT:
        if (e->u.context.context_id_known)
            etm_tasks_context(c, e->u.context.context_id);
        break;
    case ETM_ELEMENT_EXCEPTION:
        if (e->u.exception.action == ETM_EXCEPTION_UNTOLD)
            etm_exception_enter(c, e);
        else
            etm_dwt_exception(c, e);
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
        c->after = ETM_AFTER_EXCEPTION_RETURN;
        break;
    case ETM_ELEMENT_DATA:
        take_data(c, e);
        break;
    case ETM_ELEMENT_CYCLES:
        take_cycles(c, e->u.cycles.n);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        if (e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN)
            c->timestamp = e->u.timestamp.value;
        break;
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        etm_dwt_time(c, e->u.local_timestamp.delta);
        break;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_INSN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
        break;
    }
}

static void take(struct etm_calls *c, const struct etm_element *elements,
                 size_t n)
{
    for (size_t i = 0; i < n && c->status == ETM_OK; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_RANGE)
            take_range(c, e);
        else if (e->kind == ETM_ELEMENT_INSN)
            take_insn(c, e);
        else
            take_other(c, e);
    }
}

int etm_calls_elements(void *calls, const struct etm_element *elements,
                       size_t n)
{
    struct etm_calls *c = calls;
    const unsigned char *from = (const void *)elements;
    size_t size;

    if (!c || (!elements && n > 0))
        return ETM_ERR_ARGUMENT;
    size = c->config.sizeof_element;
    if (size == sizeof *elements) {
        take(c, elements, n);
        n = 0;
    }
    while (n > 0 && c->status == ETM_OK) {
        struct etm_element own[16];
        size_t piece = n < 16 ? n : 16;

        etm_size_convert(own, sizeof *own, from, size, piece);
        take(c, own, piece);
        from += piece * size;
        n -= piece;
    }
    etm_stack_flush(c);
    return c->status;
}

int etm_calls_finish(struct etm_calls *c)
{
    if (!c)
        return ETM_ERR_ARGUMENT;
    etm_dwt_flush(c);
    if (c->status == ETM_OK)
        etm_tasks_end(c);
    etm_stack_flush(c);
    return c->status;
}

int etm_calls_new(struct etm_calls **calls,
                  const struct etm_calls_config *given)
{
    struct etm_calls_config config;
    struct etm_allocator allocator;
    struct etm_calls *c;
    int status;

    if (!calls)
        return ETM_ERR_ARGUMENT;
    *calls = NULL;
    status = ETM_TAKE(etm_calls_config, &config, given, NULL);
    if (status != ETM_OK)
        return status;
    if (!config.calls || !etm_receiver_is_valid(config.sizeof_element))
        return ETM_ERR_ARGUMENT;
    if (config.sizeof_element == 0)
        config.sizeof_element = ETM_FIRST_SIZE(etm_element);
    allocator = etm_allocator_or_default(config.allocator);
    c = etm_alloc_zero(&allocator, sizeof *c);
    if (!c)
        return ETM_ERR_MEMORY;
    c->config = config;
    c->allocator = allocator;
    c->after = ETM_AFTER_GAP;
    etm_tasks_init(c);
    status = etm_functions_init(&c->functions, &config.names, &allocator);
    if (etm_inlined_init(c) != ETM_OK || status != ETM_OK) {
        etm_calls_free(c);
        return ETM_ERR_MEMORY;
    }
    *calls = c;
    return ETM_OK;
}

void etm_calls_free(struct etm_calls *c)
{
    struct etm_allocator allocator;

    if (!c)
        return;
    allocator = c->allocator;
    etm_tasks_fini(c);
    etm_functions_fini(&c->functions);
    etm_inlined_fini(c);
    etm_alloc_free(&allocator, c);
}

size_t etm_calls_functions(const struct etm_calls *c)
{
    return c ? c->functions.rows.n : 0;
}

const struct etm_function *etm_calls_function(const struct etm_calls *c,
                                              size_t index)
{
    return index < etm_calls_functions(c)
               ? &etm_functions_row(&c->functions, (uint32_t)index)->function
               : NULL;
}

size_t etm_calls_tasks(const struct etm_calls *c)
{
    return c ? c->n_tasks : 0;
}

const struct etm_call_task *etm_calls_task(const struct etm_calls *c,
                                           size_t index)
{
    return index < etm_calls_tasks(c) ? &c->tasks[index].known : NULL;
}

struct etm_call_cost etm_calls_cost(const struct etm_calls *c)
{
    return c ? c->at : (struct etm_call_cost){0};
}

uint64_t etm_calls_gap_cycles(const struct etm_calls *c)
{
    return c ? c->gap_cycles : 0;
}

static struct etm_clock_place place(struct etm_call_cost at, uint32_t gaps,
                                    uint32_t timed_gaps,
                                    enum etm_time_unit unit)
{
    if (unit == ETM_TIME_CYCLES || unit == ETM_TIME_LOCAL_TICKS)
        return (struct etm_clock_place){at.cycles, gaps - timed_gaps};
    return (struct etm_clock_place){at.instructions, gaps};
}

struct etm_clock_place etm_calls_place(const struct etm_calls *c,
                                       enum etm_time_unit unit)
{
    return c ? place(c->at, c->gaps, c->timed_gaps, unit)
             : (struct etm_clock_place){0};
}

struct etm_clock_place etm_call_place(const struct etm_call *call,
                                      enum etm_time_unit unit)
{
    return place(call->at, call->gaps, call->timed_gaps, unit);
}
