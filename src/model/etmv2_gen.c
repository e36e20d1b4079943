/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2: instructions, exceptions and synchronization to the cycles of the
 * port (ETM architecture, chapter 6).
 *
 * An instruction has its status in the cycle of its event. Packets go into the
 * FIFO in the cycle of the event that makes them; an event of 0 cycles shares
 * the cycle of the one before if the protocol can distinguish them, and
 * otherwise takes another cycle.
 */
#include "model/etmv2_data_gen.h"

#include "base/exception.h"

static struct etm_etmv2_gen *self_of(struct etm_gen *gen)
{
    return &gen->u.etmv2;
}

/* No Jazelle and no ThumbEE state in this protocol. */
static bool is_traceable(unsigned isa)
{
    return isa == ETM_ISA_ARM || isa == ETM_ISA_THUMB;
}

/* 6.7.1: as many bytes as cover what changed since the last address; five if
 * the state did, or for the E bit. */
static void put_branch(struct etm_gen *gen, const struct etm_place *to, bool e)
{
    struct etm_packet p = {.kind = ETM_PACKET_BRANCH_ADDRESS};
    unsigned n = 5;

    if (!is_traceable(to->isa)) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (!e)
        n = etm_gen_address_bytes(gen, false, gen->out.address,
                                  (enum etm_isa)gen->out.isa, to->address,
                                  (enum etm_isa)to->isa);
    etm_gen_set_address(&p, false, to->address, (enum etm_isa)to->isa, n);
    if (e)
        p.fields |= ETM_FIELD_CANCEL;
    etm_etmv2_port_put(gen, &p);
    if (self_of(gen)->port.lost)
        return;
    gen->out.address = to->address;
    gen->out.isa = to->isa;
}

/* Can an instruction's status be in the open cycle, with what is in it? The
 * packets there would be taken for those of the instruction. */
static bool joins(const struct etm_etmv2_open *open,
                  const struct etm_gen_insn *insn)
{
    bool moves =
        insn->passed && insn->decoded.transfers.kind != ETM_TRANSFER_NONE;

    return open->is_open && !open->has_insn && !open->tfo && !open->closed &&
           !open->state && !(open->data && moves);
}

/* Every 32-bit Thumb instruction is traced as two (3.5.18, ETMIDR[18]). */
static bool is_split(const struct etm_gen_insn *insn)
{
    return insn->isa == ETM_ISA_THUMB && insn->size == 4;
}

/* Put a status into the present cycle, or into one after it. */
static void put_status(struct etm_gen *gen, const struct etm_gen_insn *insn,
                       bool passed, bool whole)
{
    struct etm_etmv2_open *open = &self_of(gen)->port.open;
    bool folds = gen->cycles == 0 && open->is_open && open->foldable &&
                 open->n == 0 && !is_split(insn);
    uint8_t phantom = ETM_UNKNOWN;

    if (folds)
        phantom = open->passed ? ETM_TRUE : ETM_FALSE;
    etm_etmv2_port_now(gen);
    if (!folds && !joins(open, insn))
        etm_etmv2_port_step(gen);
    open->has_insn = true;
    open->passed = passed;
    open->phantom = phantom;
    open->foldable = false;
    open->whole = whole;
    open->at = (struct etm_place){.address = insn->address, .isa = insn->isa};
    open->context_id = gen->context_id;
}

/* If an exception cancels it, only the first half is traced. */
static void put_insn(struct etm_gen *gen, const struct etm_gen_insn *insn,
                     bool passed)
{
    bool two = is_split(insn) && insn->fate != ETM_GEN_CANCELLED;
    uint64_t cycles = gen->cycles;

    if (two) {
        gen->cycles = cycles != 0 ? cycles - 1 : 0;
        put_status(gen, insn, passed, true);
        gen->cycles = cycles != 0;
    }
    put_status(gen, insn, passed, !two);
}

/* Data events that are after the instruction. */
static unsigned data_behind(const struct etm_gen *gen)
{
    const struct etm_event *events = gen->behind.data;
    unsigned n = 0;

    for (size_t i = 0; i < gen->behind.n; i++)
        n += events[i].kind == ETM_EVENT_DATA;
    return n;
}

/* The address of a branch is the last thing that its instruction outputs,
 * unless it is known before the data. */
static void branch(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    struct etm_etmv2_gen *self = self_of(gen);
    bool direct = insn->decoded.type == ETM_INSN_TYPE_DIRECT;

    if (!insn->passed || insn->fate == ETM_GEN_CANCELLED ||
        (insn->decoded.type != ETM_INSN_TYPE_INDIRECT &&
         !(direct && gen->config.branch_broadcast)))
        return;
    self->target = insn->next;
    self->data_left = data_behind(gen);
    self->branch_due = self->data_left != 0 && !gen->options.branch_before_data;
    if (!self->branch_due)
        put_branch(gen, &insn->next, false);
}

static void data_op(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv2_gen *self = self_of(gen);

    etm_etmv2_data_event(gen, event);
    if (event->kind != ETM_EVENT_DATA || !self->branch_due ||
        --self->data_left != 0)
        return;
    self->branch_due = false;
    etm_etmv2_port_now(gen);
    put_branch(gen, &self->target, false);
}

/* Direct branches may be folded with the instruction after them (6.1.2), but
 * not where their address is output. */
static bool is_foldable(const struct etm_gen *gen,
                        const struct etm_gen_insn *insn)
{
    return gen->options.fold_branches && !gen->config.branch_broadcast &&
           insn->decoded.type == ETM_INSN_TYPE_DIRECT && !is_split(insn);
}

/*
 * The FIFO has overflowed: instructions are lost, and when it is empty, a TFO
 * in the cycle of one of them gives the address of the next (6.10).
 */
static void lost_insn(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    struct etm_etmv2_gen *self = self_of(gen);
    struct etm_packet p =
        etm_etmv2_tfo_packet(gen, &insn->next, ETM_SYNC_OVERFLOW);

    etm_etmv2_data_void(gen);
    etm_etmv2_port_now(gen);
    if (insn->fate != ETM_GEN_COMPLETES || !etm_etmv2_port_empty(gen))
        return;
    if (!is_traceable(insn->next.isa)) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (self->port.open.has_insn)
        etm_etmv2_port_step(gen);
    self->port.lost = false;
    etm_etmv2_port_tfo(gen, &p);
    self->port.open.restart = true;
    etm_etmv2_data_start(gen, false);
}

/* What shares the cycle of a restart is lost too. */
static void undo_restart(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = &self_of(gen)->port;

    if (!port->open.is_open || !port->open.restart || gen->cycles != 0)
        return;
    port->open.restart = port->open.tfo = false;
    port->open.n = 0;
    port->lost = gen->lost = true;
}

static void insn_op(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    struct etm_etmv2_gen *self = self_of(gen);
    bool as_failed =
        insn->fate == ETM_GEN_CANCELLED && gen->options.cancelled_as_failed;
    bool passed = insn->passed && !as_failed;

    if (!is_traceable(insn->isa)) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    self->branch_due = false;
    undo_restart(gen);
    if (self->port.lost) {
        lost_insn(gen, insn);
        return;
    }
    put_insn(gen, insn, passed);
    if (self->port.lost) { /* the FIFO was full before */
        self->port.open.has_insn = false;
        self->port.open.phantom = ETM_UNKNOWN;
        lost_insn(gen, insn);
        return;
    }
    self->port.open.foldable = is_foldable(gen, insn) &&
                               insn->fate == ETM_GEN_COMPLETES &&
                               self->port.open.phantom == ETM_UNKNOWN;
    etm_etmv2_data_insn(
        gen, insn,
        passed && !(is_split(insn) && insn->fate == ETM_GEN_CANCELLED));
    branch(gen, insn);
}

/* The vector of an exception (4.5.3, 6.8.1); ETM_EXCEPTION_NONE. */
static unsigned vector_of(const struct etm_gen *gen,
                          enum etm_exception_type type)
{
    if (type != ETM_EXCEPTION_ASYNC_DATA_ABORT)
        return etm_exception_vector(type);
    /* imprecise ones came with v2.1 */
    return gen->config.minor < 1
               ? ETM_EXCEPTION_NONE
               : etm_exception_vector(ETM_EXCEPTION_DATA_ABORT);
}

/* The instruction that is interrupted is traced too, and carries the branch to
 * the vector (4.5.3). */
static void interrupted(struct etm_gen *gen)
{
    struct etm_gen_insn insn = {.address = gen->place.address,
                                .isa = gen->place.isa,
                                .size = 2,
                                .passed = true,
                                .fate = ETM_GEN_CANCELLED};

    /* it is not known what it is: it may transfer data */
    insn.decoded.transfers.kind = ETM_TRANSFER_OTHER;
    put_insn(gen, &insn, !gen->options.cancelled_as_failed);
    self_of(gen)->port.open.whole = false;
}

static void exception(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv2_gen *self = self_of(gen);
    enum etm_exception_type type =
        (enum etm_exception_type)event->u.exception.type;
    const struct etm_place *next = &event->u.exception.next;
    uint32_t base = gen->config.high_vectors ? ETM_HIGH_VECTORS : 0;
    unsigned vector = vector_of(gen, type);
    bool cancels = etm_exception_cancels(type);

    if (type == ETM_EXCEPTION_DEBUG_HALT)
        return; /* tracing stops, that is all (4.8) */
    if (vector == ETM_EXCEPTION_NONE || next->isa != ETM_ISA_ARM ||
        next->address != base + vector) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    undo_restart(gen);
    if (cancels && !event->u.exception.cancels && !self->port.lost)
        interrupted(gen);
    etm_etmv2_data_void(gen);
    etm_etmv2_port_now(gen);
    put_branch(gen, next, cancels);
    /* a decoder takes the context ID for unknown after a reset (4.7) */
    if (type == ETM_EXCEPTION_RESET && gen->config.context_id_bytes != 0)
        gen->ops->context(gen, true, false);
}

static void context(struct etm_gen *gen, bool context_id, bool vmid)
{
    struct etm_packet p = {.kind = ETM_PACKET_CONTEXT_ID,
                           .fields = ETM_FIELD_CONTEXT_ID,
                           .context_id = gen->context_id};

    (void)vmid;
    if (!context_id || gen->config.context_id_bytes == 0)
        return;
    etm_etmv2_port_now(gen);
    etm_etmv2_port_put(gen, &p);
}

static void trigger(struct etm_gen *gen)
{
    etm_etmv2_port_now(gen);
    etm_etmv2_port_trigger(gen);
}

/* A load/store multiple goes on while tracing begins, and the instruction at
 * gen->place is executing (6.5.5). */
static void add_in_progress(struct etm_gen *gen, struct etm_packet *p)
{
    const struct etm_place *at = &gen->place;
    const struct etm_gen_insn *owner = &gen->data_insn;
    struct etm_packet second = {0};
    unsigned n = etm_gen_address_bytes(gen, false, owner->address,
                                       (enum etm_isa)owner->isa, at->address,
                                       (enum etm_isa)at->isa);

    etm_gen_set_address(&second, false, at->address, (enum etm_isa)at->isa, n);
    p->kind = ETM_PACKET_LSIP_I_SYNC;
    p->address = owner->address;
    p->isa = owner->isa;
    p->address2 = second.address;
    p->address2_bits = second.address_bits;
    p->address2_bytes = second.address_bytes;
    p->isa2 = second.isa;
}

/* The TFO has the last cycle of the gap. */
static void start(struct etm_gen *gen, enum etm_sync_reason reason,
                  enum etm_in_progress progress)
{
    struct etm_etmv2_gen *self = self_of(gen);
    struct etm_packet p;

    /* the entry to Debug state has no packet of its own, so that it can cancel
     * nothing: such an instruction is not traced at all */
    gen->options.no_debug_entry = true;
    if (!is_traceable(gen->place.isa) ||
        (progress != ETM_IN_PROGRESS_NO && !is_traceable(gen->data_insn.isa))) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (self->port.depth == 0)
        etm_etmv2_port_init(gen);
    etm_etmv2_port_now(gen);
    while (self->port.open.has_insn || self->port.open.n != 0 ||
           self->port.due != ETM_ETMV2_DUE_NOTHING)
        etm_etmv2_port_step(gen);
    /* an overflow that was not shown yet comes before */
    if (self->port.lost && reason == ETM_SYNC_TRACE_ON)
        reason = ETM_SYNC_OVERFLOW;
    p = etm_etmv2_tfo_packet(gen, &gen->place, reason);
    if (progress == ETM_IN_PROGRESS_UNDER)
        add_in_progress(gen, &p);
    if (progress == ETM_IN_PROGRESS_ALONE) {
        p.address = gen->data_insn.address;
        p.isa = gen->data_insn.isa;
    }
    self->port.lost = false;
    self->port.tracing = true;
    self->branch_due = false;
    etm_etmv2_port_tfo(gen, &p);
    if (progress == ETM_IN_PROGRESS_UNDER) {
        gen->out.address = gen->place.address;
        gen->out.isa = gen->place.isa;
    }
    etm_etmv2_data_start(gen, progress != ETM_IN_PROGRESS_NO);
    if (progress == ETM_IN_PROGRESS_ALONE) {
        struct etm_gen_insn insn = gen->data_insn;

        insn.fate = ETM_GEN_COMPLETES;
        put_insn(gen, &insn, true);
        put_branch(gen, &gen->place, false);
    }
}

static void stop(struct etm_gen *gen)
{
    struct etm_etmv2_gen *self = self_of(gen);

    etm_etmv2_port_now(gen);
    self->port.tracing = false;
    self->branch_due = false;
    etm_etmv2_data_void(gen);
}

/* Its data are not traced either. */
static void untraced(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    (void)insn;
    etm_etmv2_data_void(gen);
}

static void flush(struct etm_gen *gen)
{
    (void)gen; /* nothing is held back */
}

static void pass(struct etm_gen *gen, bool complete)
{
    (void)complete; /* a status comes first, and data when they are there */
    if (self_of(gen)->port.depth != 0)
        etm_etmv2_port_now(gen);
}

static void finish(struct etm_gen *gen)
{
    etm_etmv2_port_drain(gen);
}

const struct etm_gen_ops etm_etmv2_gen_ops = {
    .encode = etm_etmv2_encode,
    .insn = insn_op,
    .untraced = untraced,
    .exception = exception,
    .data = data_op,
    .context = context,
    .flush = flush,
    .start = start,
    .stop = stop,
    .trigger = trigger,
    .finish = finish,
    .pass = pass,
};
