/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/itm/flow.h"

#include <string.h>

#define PORTS_OF_A_PAGE 32u

int etm_itm_flow_init(struct etm_itm_flow *flow,
                      const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level,
                      const struct etm_allocator *allocator)
{
    static const struct etm_block_rules rules = {0};

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->walk.level = level;
    return etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
}

void etm_itm_flow_fini(struct etm_itm_flow *flow)
{
    etm_walk_fini(&flow->walk);
}

/* A new element, after what was lost before it. */
static struct etm_element *add(struct etm_itm_flow *flow,
                               enum etm_element_kind kind, uint64_t offset)
{
    etm_walk_give_lost(&flow->walk);
    return etm_walk_add(&flow->walk, kind, offset);
}

/* Give the match that is waiting for more. */
static void give_match(struct etm_itm_flow *flow)
{
    if (!flow->has_match)
        return;
    flow->has_match = false;
    if (!flow->match.u.data.value_known)
        flow->match.u.data.status = ETM_DATA_NOT_TRACED;
    add(flow, ETM_ELEMENT_DATA, flow->match.offset)->u = flow->match.u;
}

static void new_match(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    flow->has_match = true;
    flow->match = (struct etm_element){.offset = p->offset};
    flow->match.u.data.comparator_known = true;
    flow->match.u.data.comparator = p->tag;
    flow->match.u.data.index = ETM_DATA_INDEX_UNKNOWN;
}

/* Does a packet of data trace go on with the match that is waiting? */
static bool continues(const struct etm_itm_flow *flow,
                      const struct etm_packet *p)
{
    const struct etm_element *m = &flow->match;

    if (!flow->has_match || m->u.data.comparator != p->tag)
        return false;
    switch ((unsigned)p->kind) {
    case ETM_PACKET_DATA_TRACE_PC:
        return !m->u.data.insn_known;
    case ETM_PACKET_DATA_TRACE_ADDRESS:
        return !m->u.data.address_low_known;
    case ETM_PACKET_DATA_TRACE_VALUE:
        return true;
    }
    return false;
}

static void data_trace(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    struct etm_element *m = &flow->match;

    if (!continues(flow, p)) {
        give_match(flow);
        new_match(flow, p);
    }
    switch ((unsigned)p->kind) {
    case ETM_PACKET_DATA_TRACE_PC:
        m->u.data.insn_known = true;
        m->u.data.insn = p->address;
        return;
    case ETM_PACKET_DATA_TRACE_ADDRESS:
        m->u.data.address_low_known = true;
        m->u.data.address_low = (uint16_t)p->address;
        return;
    case ETM_PACKET_DATA_TRACE_VALUE:
        m->u.data.value_known = true;
        m->u.data.value = p->value;
        m->u.data.size = p->value_bytes;
        m->u.data.store = p->reason != 0 ? ETM_TRUE : ETM_FALSE;
        break;
    }
    give_match(flow);
}

/* Exception numbers are those of the processor (ARMv7-M ARM, B1.5.2; ARMv8-M
 * has 7), not those of an ETM. */
static enum etm_exception_type exception_type(unsigned number)
{
    static const uint8_t types[] = {
        ETM_EXCEPTION_THREAD,        ETM_EXCEPTION_RESET,
        ETM_EXCEPTION_NMI,           ETM_EXCEPTION_HARD_FAULT,
        ETM_EXCEPTION_MEM_MANAGE,    ETM_EXCEPTION_BUS_FAULT,
        ETM_EXCEPTION_USAGE_FAULT,   ETM_EXCEPTION_SECURE_FAULT,
        ETM_EXCEPTION_RESERVED,      ETM_EXCEPTION_RESERVED,
        ETM_EXCEPTION_RESERVED,      ETM_EXCEPTION_SVC,
        ETM_EXCEPTION_DEBUG_MONITOR, ETM_EXCEPTION_RESERVED,
        ETM_EXCEPTION_PEND_SV,       ETM_EXCEPTION_SYS_TICK,
    };

    return number < sizeof types ? (enum etm_exception_type)types[number]
                                 : ETM_EXCEPTION_IRQ_N;
}

static void exception(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    struct etm_element *e;

    /* FN of 0 is reserved (D4.3.2) */
    if (p->reason == ETM_EXCEPTION_UNTOLD) {
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, p->offset, p->size);
        return;
    }
    e = add(flow, ETM_ELEMENT_EXCEPTION, p->offset);
    e->u.exception.number = p->exception;
    e->u.exception.type = (uint8_t)exception_type(p->exception);
    e->u.exception.action = p->reason;
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N)
        e->u.exception.irq = (uint16_t)(p->exception - 16u);
}

static void pc_sample(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    struct etm_element *e = add(flow, ETM_ELEMENT_PC_SAMPLE, p->offset);

    e->u.pc_sample.address = p->address;
    e->u.pc_sample.state =
        (uint8_t)((p->fields & ETM_FIELD_ADDRESS) != 0 ? ETM_PC_RUNNING
                  : p->value == 0                      ? ETM_PC_SLEEPING
                                                       : ETM_PC_PROHIBITED);
}

/* The first packet says Wrap if the bits in the second one have changed, which
 * then follows (D4.2.5). */
static void global_timestamp(struct etm_itm_flow *flow,
                             const struct etm_packet *p)
{
    bool waits = p->kind == ETM_PACKET_GLOBAL_TIMESTAMP_1 && p->tag != 0;

    if (flow->last.timestamp_bits >= 48 && !waits)
        add(flow, ETM_ELEMENT_TIMESTAMP, p->offset)->u.timestamp.value =
            flow->last.timestamp;
}

static void local_timestamp(struct etm_itm_flow *flow,
                            const struct etm_packet *p)
{
    struct etm_element *e = add(flow, ETM_ELEMENT_LOCAL_TIMESTAMP, p->offset);

    flow->ticks += p->value;
    e->u.local_timestamp.relation = p->tag;
    e->u.local_timestamp.delta = (uint32_t)p->value;
    e->u.local_timestamp.ticks = flow->ticks;
}

static void software(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    struct etm_element *e = add(flow, ETM_ELEMENT_SOFTWARE, p->offset);

    e->u.software.port = (uint8_t)(flow->page * PORTS_OF_A_PAGE + p->tag);
    e->u.software.size = p->value_bytes;
    e->u.software.value = (uint32_t)p->value;
}

static bool is_data_trace(const struct etm_packet *p)
{
    return p->kind >= ETM_PACKET_DATA_TRACE_PC &&
           p->kind <= ETM_PACKET_DATA_TRACE_VALUE;
}

static void packet(struct etm_itm_flow *flow, const struct etm_packet *p)
{
    etm_broadcast_apply(&flow->last, &flow->config, p);
    if (is_data_trace(p)) {
        data_trace(flow, p);
        return;
    }
    give_match(flow);
    switch ((unsigned)p->kind) {
    case ETM_PACKET_INSTRUMENTATION:
        software(flow, p);
        break;
    case ETM_PACKET_STIMULUS_PORT_PAGE:
        flow->page = (uint8_t)p->value;
        break;
    case ETM_PACKET_OVERFLOW:
        etm_walk_give_lost(&flow->walk);
        etm_walk_trace_on(&flow->walk, ETM_SYNC_OVERFLOW, p->offset);
        break;
    case ETM_PACKET_LOCAL_TIMESTAMP:
        local_timestamp(flow, p);
        break;
    case ETM_PACKET_GLOBAL_TIMESTAMP_1:
    case ETM_PACKET_GLOBAL_TIMESTAMP_2:
        global_timestamp(flow, p);
        break;
    case ETM_PACKET_EVENT_COUNTER:
        add(flow, ETM_ELEMENT_EVENT_COUNTER, p->offset)
            ->u.event_counter.counters = (uint8_t)p->value;
        break;
    case ETM_PACKET_EXCEPTION_TRACE:
        exception(flow, p);
        break;
    case ETM_PACKET_PC_SAMPLE:
        pc_sample(flow, p);
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
    case ETM_PACKET_HARDWARE: /* of unknown meaning */
    case ETM_PACKET_EXTENSION:
        etm_walk_lose(&flow->walk, etm_walk_bad_reason(p), p->offset, p->size);
        break;
    }
}

int etm_itm_flow_push(struct etm_itm_flow *flow,
                      const struct etm_packet *packets, size_t n,
                      struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++)
        packet(flow, &packets[i]);
    etm_walk_commit(w);
    return w->status;
}

int etm_itm_flow_gap(struct etm_itm_flow *flow, uint64_t offset, uint64_t bytes,
                     struct etm_vec *out)
{
    static const struct etm_packet damage = {.kind = ETM_PACKET_BAD};

    flow->walk.out = out;
    give_match(flow);
    etm_broadcast_apply(&flow->last, &flow->config, &damage);
    etm_walk_lose(&flow->walk, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_itm_flow_finish(struct etm_itm_flow *flow, uint64_t offset,
                        struct etm_vec *out)
{
    flow->walk.out = out;
    give_match(flow);
    etm_walk_finish(&flow->walk, offset);
    return flow->walk.status;
}
