/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1.0 to v1.3: an execution as statuses and packets (ETM architecture,
 * chapter 5). A status shows everything that happened to its instruction,
 * including the exception that it became (4.5.3), and comes in its last cycle;
 * its data come in the cycles before. So an instruction is held here until the
 * next event.
 *
 * Records without a cycle of their own, such as those of an address offset, are
 * output, too, and subtracted from the waiting that follows: `debt`. The BE of
 * a restart has the last cycle of the gap, which is kept for it.
 */
#include "model/etmv1_data_gen.h"

#include "base/exception.h"

/* Cycles between full branch addresses (5.6.2): after the first number one is
 * output if there is room, after the second it is forced. */
#define SYNC_CYCLES ETM_ETMV1_SYNC_CYCLES
#define SYNC_FORCED 1536u

/* How an instruction is traced, once its end is known. */
struct ending {
    struct etm_place to; /* of a branch */
    bool branch;         /* with an address */
    bool passed;
    bool cancelled; /* its data are none */
};

static struct etm_etmv1_port *port_of(struct etm_gen *gen)
{
    struct etm_etmv1_port *port = &gen->u.etmv1.port;

    if (port->depth == 0)
        etm_etmv1_port_init(port, gen->options.fifo_size);
    return port;
}

/*
 * What does not fit is lost, with everything that would follow (5.9). An
 * address is lost completely: on 16 pins a part could look like a whole one.
 */
static void push(struct etm_gen *gen, const uint8_t *bytes, unsigned n,
                 bool address)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    unsigned room = etm_etmv1_port_room(&v->port);

    if (v->overflow)
        return;
    v->overflow = room < n;
    gen->lost |= v->overflow;
    if (room < n)
        n = address ? 0 : room;
    if (n != 0)
        etm_etmv1_port_push(&v->port, bytes, n, address);
}

static void push_address(struct etm_gen *gen, const struct etm_place *to,
                         unsigned reason, bool full)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    bool jazelle = to->isa == ETM_ISA_JAZELLE;
    bool context = reason != 0 && gen->config.minor >= 2;
    uint32_t address = to->address;
    uint8_t bytes[ETM_ETMV1_ADDRESS_MAX + 4];
    unsigned n;

    if (to->isa == ETM_ISA_ARM)
        address &= ~3u;
    else if (!jazelle)
        address |= 1;
    n = etm_etmv1_address_bytes(address, v->base, full, bytes);
    v->base = address;
    v->base_jazelle = jazelle;
    if (n == ETM_ETMV1_ADDRESS_MAX) {
        bytes[4] |= (uint8_t)(reason << 4 | (jazelle ? ETM_ETMV1_JAZELLE : 0u));
        v->port.cycles = 0;
    }
    for (unsigned i = 0; context && i < gen->config.context_id_bytes; i++)
        bytes[n++] = (uint8_t)(v->context_id >> (8 * i));
    if (context)
        v->context_due = false;
    push(gen, bytes, n, true);
}

/* A BE or BD and its offset: the addresses that are still to come (5.6.1). */
static void branch_status(struct etm_gen *gen, enum etm_etmv1_status status,
                          const struct etm_place *to, unsigned reason,
                          bool full)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    unsigned offset = v->port.addresses;

    if (offset > ETM_ETMV1_NO_OFFSET)
        offset = ETM_ETMV1_NO_OFFSET;
    push_address(gen, to, reason, full);
    etm_etmv1_port_cycle(gen, status);
    etm_etmv1_port_offset(gen, offset);
    v->debt += 2;
}

/* The number of records for `cycles`, at least the given one; the excess is
 * added to the debt. */
static uint64_t pay(struct etm_etmv1_gen *v, uint64_t cycles, uint64_t least)
{
    uint64_t n = least;

    if (cycles > v->debt && cycles - v->debt > least)
        n = cycles - v->debt;
    v->debt = v->debt + n - cycles;
    return n;
}

/* Time passes without trace. */
static void idle(struct etm_gen *gen, uint64_t cycles)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    uint64_t n = pay(v, cycles, 0) + v->kept;

    (void)port_of(gen);
    v->kept = n != 0;
    etm_etmv1_port_wait(gen, n - v->kept);
}

/* Time passes between two instructions. */
static void pass_cycles(struct etm_gen *gen, uint64_t cycles)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    if (!gen->on || v->reason != 0 || v->overflow)
        idle(gen, cycles);
    else
        etm_etmv1_port_wait(gen, pay(v, cycles, 0));
}

/* The FIFO is empty, and a restart possible (5.9). */
static bool is_drained(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    if (v->kept && !etm_etmv1_port_idle(gen)) {
        v->kept = false;
        etm_etmv1_port_cycle(gen, ETM_ETMV1_WT);
    }
    return etm_etmv1_port_idle(gen);
}

/* Tracing begins at this place, unless it is on or the FIFO has to drain. */
static bool begin(struct etm_gen *gen, const struct etm_place *at)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    unsigned needs = ETM_ETMV1_ADDRESS_MAX + gen->config.context_id_bytes;

    if (v->overflow) {
        if (!is_drained(gen))
            return false;
        v->overflow = false;
        if (v->reason != ETM_ETMV1_DEBUG_EXIT)
            v->reason = ETM_ETMV1_OVERFLOW;
    }
    if (v->reason == 0)
        return true;
    /* what waits is followed by this address (5.3.1) */
    v->port.drains = true;
    while (etm_etmv1_port_room(&v->port) < needs && gen->status == ETM_OK) {
        etm_etmv1_port_cycle(gen, ETM_ETMV1_WT);
        v->debt++;
    }
    v->port.counts = gen->config.cycle_accurate;
    v->port.drains = false;
    v->port.data_cycles = UINT64_MAX / 2; /* no full data address (5.7.5) */
    v->kept = false; /* there was time before the very first trace, too */
    branch_status(gen, ETM_ETMV1_BE, at, v->reason, true);
    v->reason = 0;
    return true;
}

/* Transfer `i` of the held instruction goes into the FIFO. */
static void push_data(struct etm_gen *gen, unsigned i)
{
    uint8_t bytes[ETM_ETMV1_DATA_MAX];
    unsigned n = etm_etmv1_data_bytes(gen, i, bytes);

    push(gen, bytes, n, false);
}

/* Two statuses: 3.5.18, bit [18]. */
static bool is_wide(const struct etm_gen_insn *i)
{
    return i->isa != ETM_ISA_ARM && i->isa != ETM_ISA_JAZELLE && i->size == 4;
}

static void finish_status(struct etm_gen *gen, const struct ending *end,
                          bool data)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    uint64_t since = v->port.cycles;
    unsigned needs = ETM_ETMV1_ADDRESS_MAX + gen->config.context_id_bytes;
    bool due =
        since >= SYNC_FORCED ||
        (since >= SYNC_CYCLES && etm_etmv1_port_room(&v->port) >= needs) ||
        v->context_due;
    bool full = due || v->base_jazelle != (end->to.isa == ETM_ISA_JAZELLE) ||
                gen->options.full_addresses;
    unsigned reason =
        due && gen->config.minor >= 2 ? ETM_ETMV1_PERIODIC : ETM_ETMV1_NORMAL;

    if (end->branch)
        branch_status(gen, data ? ETM_ETMV1_BD : ETM_ETMV1_BE, &end->to, reason,
                      full);
    else if (data)
        etm_etmv1_port_cycle(gen, ETM_ETMV1_ID);
    else
        etm_etmv1_port_cycle(gen, end->passed ? ETM_ETMV1_IE : ETM_ETMV1_IN);
}

/* Push the transfers that happen up to the given number of cycles before the
 * end. `behind` becomes the cycles after the next one. */
static void push_until(struct etm_gen *gen, bool data, uint64_t left,
                       unsigned *next, uint64_t *behind)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    while (data && *next < v->n_data && *behind >= left) {
        push_data(gen, (*next)++);
        if (*next < v->n_data)
            *behind -= v->data[*next].delay;
    }
}

/*
 * The cycles of the held instruction: waiting, during which its data go into
 * the FIFO, and its status in the last one.
 */
static void play(struct etm_gen *gen, const struct ending *end)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    struct etm_place at = {.address = v->held.address, .isa = v->held.isa};
    bool data = !end->cancelled && end->passed && etm_etmv1_data_traced(gen);
    bool half = is_wide(&v->held) && !end->cancelled; /* has yet to come */
    uint64_t behind = 0; /* cycles after the next transfer */
    uint64_t left;
    unsigned next = 0, n = v->held.decoded.transfers.count;

    for (unsigned i = 0; i < v->n_data; i++)
        behind += v->data[i].delay;
    if (!begin(gen, &at)) {
        idle(gen, v->cycles + behind);
        return;
    }
    if (n < v->n_data)
        n = v->n_data;
    left = pay(v, v->cycles + behind, half ? 2 : 1);
    if (v->n_data != 0)
        behind -= v->data[0].delay;
    /* `left` are the cycles after the current one */
    while (left-- > 1 && gen->status == ETM_OK) {
        uint64_t stop;

        /* What the FIFO holds before a status belongs to it (5.3): the first
           half, which has no data, comes before all of them. */
        if (!half)
            push_until(gen, data, left, &next, &behind);
        stop = data && next < v->n_data ? behind : 0;
        if (half)
            stop++;
        if (half && left <= stop) {
            etm_etmv1_port_cycle(gen, ETM_ETMV1_IE);
            half = false;
            continue;
        }
        etm_etmv1_port_wait(gen, left - stop);
        left = stop + 1;
    }
    while (data && next < n)
        push_data(gen, next++);
    finish_status(gen, end, data);
    /* cycles do not count before the restart (5.10) */
    if (v->overflow) {
        v->port.counts = false;
        v->port.drains = true;
    }
}

/* An address is output (5.1, 5.5.1, 5.6.2, 5.6.3). */
static bool needs_address(const struct etm_gen *gen,
                          const struct etm_gen_insn *i)
{
    const struct etm_etmv1_gen *v = &gen->u.etmv1;
    bool direct = i->decoded.type == ETM_INSN_TYPE_DIRECT;
    bool sequential =
        i->next.address == i->address + i->size && i->next.isa == i->isa;
    enum etm_exception_type type;

    if (!i->passed)
        return false;
    /* in Jazelle state no branch is direct (4.10.3) */
    if (i->isa == ETM_ISA_JAZELLE)
        return !sequential;
    /* into the vector table it counts as an indirect one (5.5.1) */
    if (direct)
        return gen->config.branch_broadcast || v->context_due ||
               etm_etmv1_vector_at(&gen->config, i->next.address, i->next.isa,
                                   &type) ||
               v->port.cycles >= SYNC_FORCED;
    return i->decoded.type == ETM_INSN_TYPE_INDIRECT || !sequential;
}

static void tell_context(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    v->context_due |= gen->config.minor >= 2; /* they came with v1.2 */
    v->context_id = gen->context_id;
}

/* No instruction is held any more: output what waited for its data. */
static void settle(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    v->has_held = false;
    v->port.trigger |= v->trigger_due;
    v->trigger_due = false;
    if (v->context_waits)
        tell_context(gen);
    v->context_waits = false;
}

/* The held instruction has come to this end. */
static void release_as(struct etm_gen *gen, const struct ending *end)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    if (!v->has_held)
        return;
    play(gen, end);
    settle(gen);
    v->n_data = 0;
}

/* No exception follows the held instruction. */
static void release(struct etm_gen *gen)
{
    const struct etm_etmv1_gen *v = &gen->u.etmv1;
    const struct etm_gen_insn *i = &v->held;
    struct ending end = {.passed = i->passed, .to = i->next};

    if (!v->has_held)
        return;
    /* all words of a load/store multiple are traced, or none (5.7.2) */
    if (v->n_data != 0 && v->n_data < i->decoded.transfers.count)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
    end.branch = needs_address(gen, i);
    release_as(gen, &end);
}

static void insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    uint64_t cycles = gen->cycles;

    release(gen);
    if (i->isa == ETM_ISA_JAZELLE && gen->config.minor < 3)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT); /* 5.11 */
    v->has_held = true;
    v->held = *i;
    v->cycles = cycles;
    v->n_data = 0;
    gen->cycles = 0;
}

static void untraced(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    (void)i;
    release(gen);
    pass_cycles(gen, gen->cycles);
    gen->cycles = 0;
}

static void data(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    const struct etm_transfers *t = &v->held.decoded.transfers;

    if (!gen->on)
        return;
    /* these cores have nothing out of order */
    if (event->kind != ETM_EVENT_DATA || event->u.data.tag != 0 ||
        !v->has_held || t->kind == ETM_TRANSFER_NONE ||
        v->n_data == ETM_ETMV1_TRANSFERS ||
        (t->count != 0 &&
         (v->n_data == t->count || event->u.data.size != t->size))) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    v->data[v->n_data++] =
        (struct etm_etmv1_transfer){.delay = gen->cycles,
                                    .value = event->u.data.value,
                                    .address = event->u.data.address,
                                    .size = event->u.data.size,
                                    .filtered = event->u.data.filtered};
    gen->cycles = 0;
}

/* The instruction at gen->place has no event: it becomes the branch. */
static void hold_place(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    release(gen);
    v->has_held = true;
    v->held = (struct etm_gen_insn){
        .address = gen->place.address, .isa = gen->place.isa, .passed = true};
    v->cycles = gen->cycles;
    v->n_data = 0;
    gen->cycles = 0;
}

static void exception(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    enum etm_exception_type type =
        (enum etm_exception_type)event->u.exception.type;
    struct ending end = {
        .to = event->u.exception.next, .branch = true, .passed = true};
    enum etm_exception_type at;

    if (type == ETM_EXCEPTION_DEBUG_HALT) {
        if (event->u.exception.cancels && v->has_held) {
            settle(gen);
            gen->cycles += v->cycles;
        }
        return;
    }
    (void)etm_etmv1_vector_at(&gen->config, end.to.address, end.to.isa, &at);
    if (at != type || type == ETM_EXCEPTION_RESERVED) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    end.cancelled = etm_exception_cancels(type);
    if (!v->has_held || (end.cancelled && !event->u.exception.cancels))
        hold_place(gen);
    v->cycles += gen->cycles;
    gen->cycles = 0;
    release_as(gen, &end);
}

/* Transfers of the held instruction may still come: its status is that of its
 * last cycle (5.7.2). */
static bool awaits_data(const struct etm_etmv1_gen *v)
{
    const struct etm_transfers *t = &v->held.decoded.transfers;

    return v->has_held && v->held.passed && t->kind != ETM_TRANSFER_NONE &&
           (t->count == 0 || v->n_data < t->count);
}

static void context(struct etm_gen *gen, bool context_id, bool vmid)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    (void)vmid;
    if (!context_id)
        return;
    if (!awaits_data(v)) {
        release(gen);
        tell_context(gen);
    } else {
        v->context_waits = true;
    }
}

static void flush(struct etm_gen *gen)
{
    (void)gen; /* a status is never late */
}

static void start(struct etm_gen *gen, enum etm_sync_reason reason,
                  enum etm_in_progress progress)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    (void)progress;
    idle(gen, gen->cycles);
    gen->cycles = 0;
    v->reason = (uint8_t)reason; /* the codes are those of an I-sync */
    v->context_id = gen->context_id;
}

static void stop(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;

    release(gen);
    idle(gen, gen->cycles);
    gen->cycles = 0;
    v->port.counts = false;
    v->port.drains = true;
}

static void trigger(struct etm_gen *gen)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    struct etm_etmv1_port *port = port_of(gen);

    if (!awaits_data(v))
        release(gen);    /* not before what has happened */
    if (port->triggered) /* one in a run (2.4) */
        return;
    port->triggered = true;
    if (v->has_held)
        v->trigger_due = true;
    else
        port->trigger = true;
}

/* The status of the next instruction needs a cycle. */
static void pass(struct etm_gen *gen, bool complete)
{
    if (complete)
        release(gen);
    if (gen->u.etmv1.has_held || gen->cycles < 2)
        return;
    pass_cycles(gen, gen->cycles - 1);
    gen->cycles = 1;
}

/* What the FIFO still has. */
static void finish(struct etm_gen *gen)
{
    struct etm_etmv1_port *port = port_of(gen);

    port->drains = true;
    while ((port->trigger || !etm_etmv1_port_idle(gen)) &&
           gen->status == ETM_OK)
        etm_etmv1_port_cycle(gen, ETM_ETMV1_WT);
}

const struct etm_gen_ops etm_etmv1_gen_ops = {
    .encode = etm_etmv1_encode,
    .insn = insn,
    .untraced = untraced,
    .exception = exception,
    .data = data,
    .context = context,
    .flush = flush,
    .start = start,
    .stop = stop,
    .trigger = trigger,
    .finish = finish,
    .pass = pass,
};
