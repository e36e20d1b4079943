/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program flow of ETMv3.0 to ETMv3.5 (ETM architecture, chapter 7): an atom for
 * each instruction, W atoms for cycles, and a branch packet wherever the opcode
 * does not determine where the program goes.
 *
 * Order for one instruction: context ID, P-header, its data, exception exit and
 * the pop after it, branch packet, and the push before an exception.
 */
#include "model/etmv3_data_gen.h"
#include "model/etmv3_pack.h"
#include "model/generator.h"
#include "proto/etmv3.h"

#include <string.h>

static unsigned count_waits(const uint8_t *atoms, unsigned n)
{
    unsigned waits = 0;

    for (unsigned i = 0; i < n; i++)
        waits += atoms[i] == ETM_ATOM_W;
    return waits;
}

/* First P-header of what is pending. */
static void flush_one(struct etm_gen *gen)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    struct etm_packet packet;
    unsigned used = etm_etmv3_pack(&gen->config, v->atoms, v->n_atoms, &packet);
    unsigned waits =
        gen->config.cycle_accurate ? count_waits(v->atoms, used) : 0;

    v->n_atoms = (uint8_t)(v->n_atoms - used);
    if (v->n_atoms != 0)
        memmove(v->atoms, v->atoms + used, v->n_atoms);
    if (gen->options.packets != NULL)
        etm_gen_emit(gen, &packet);
    else /* packing has made the byte already */
        etm_gen_emit_byte(gen, packet.header);
    if (gen->overflow)
        v->lost += waits;
}

static void flush_atoms(struct etm_gen *gen)
{
    while (gen->u.etmv3.n_atoms != 0 && gen->status == ETM_OK)
        flush_one(gen);
}

static void atom(struct etm_gen *gen, enum etm_atom kind)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;

    if (v->n_atoms == ETM_ETMV3_ATOMS)
        flush_one(gen);
    if (v->n_atoms < ETM_ETMV3_ATOMS)
        v->atoms[v->n_atoms++] = (uint8_t)kind;
}

/* W atoms for the cycles that passed. */
static void cycles(struct etm_gen *gen)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    uint64_t paid = gen->cycles < v->debt ? gen->cycles : v->debt;

    if (!gen->config.cycle_accurate) { /* they are not traced */
        gen->cycles = 0;
        return;
    }
    gen->cycles -= paid;
    v->debt -= paid;
    if (!etm_gen_data_only(&gen->config))
        for (; gen->cycles != 0 && gen->status == ETM_OK; gen->cycles--)
            atom(gen, ETM_ATOM_W);
    gen->cycles = 0;
}

/* The count of the last I-sync, where it has a packet of its own (7.3.4). */
static void late_count(struct etm_gen *gen)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    struct etm_packet packet = {.kind = ETM_PACKET_CYCLE_COUNT,
                                .fields = ETM_FIELD_CYCLES,
                                .cycle_count = v->count};

    if (v->count_due)
        etm_gen_emit(gen, &packet);
    v->count_due = false;
}

/* Between packets of which one is a P-header, the cycle position of the other
 * counts for some kinds (7.3.3): all W atoms go out first. */
static void flush(struct etm_gen *gen)
{
    cycles(gen);
    flush_atoms(gen);
    late_count(gen);
}

/* Branch packet to `to` in the configured encoding; not emitted yet. */
static struct etm_packet branch_packet(struct etm_gen *gen,
                                       const struct etm_place *to,
                                       unsigned number, bool cancel,
                                       unsigned resume)
{
    bool alternative = etm_etmv3_alternative(&gen->config);
    unsigned bytes = etm_gen_address_bytes(gen, alternative, gen->out.address,
                                           (enum etm_isa)gen->out.isa,
                                           to->address, (enum etm_isa)to->isa);

    return etm_gen_branch(gen, alternative, to, bytes, number, cancel, resume);
}

/* Whether the target of this instruction is not in its opcode, or has to be
 * traced. */
static bool needs_branch(const struct etm_gen *gen,
                         const struct etm_gen_insn *i)
{
    bool sequential =
        i->next.address == i->address + i->size && i->next.isa == i->isa;

    if ((i->next.ns != gen->out.ns || i->next.hyp != gen->out.hyp) &&
        etm_gen_state_changes(gen, &i->next))
        return true;
    switch ((enum etm_insn_type)i->decoded.type) {
    case ETM_INSN_TYPE_DIRECT:
        return i->passed && gen->config.branch_broadcast;
    case ETM_INSN_TYPE_INDIRECT:
        return i->passed;
    case ETM_INSN_TYPE_BARRIER:
    case ETM_INSN_TYPE_OTHER:
        /* Jazelle bytecodes that are done in software. */
        return !sequential;
    }
    return false;
}

/*
 * W atoms before an instruction, or before a half of one that `later` others
 * follow. Before format 4 (v3.3) no two may share a cycle unless they share a
 * P-header; so each gets a W, and one that had not come yet is made up for
 * later.
 */
static void insn_cycles(struct etm_gen *gen, unsigned later)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    uint64_t passed;
    uint64_t n = 1;

    if (!gen->config.cycle_accurate || gen->config.minor >= 3) {
        cycles(gen);
        return;
    }
    passed = gen->cycles > v->debt ? gen->cycles - v->debt : 0;
    if (passed > later)
        n = passed - later;
    if (gen->cycles >= v->debt + n) {
        gen->cycles -= v->debt + n;
        v->debt = 0;
    } else {
        v->debt += n - gen->cycles;
        gen->cycles = 0;
    }
    for (; n != 0 && gen->status == ETM_OK; n--)
        atom(gen, ETM_ATOM_W);
}

/* ETMIDR[18] = 0: a 32-bit Thumb instruction is traced as two (4.5.4). */
static bool is_split(const struct etm_gen *gen, const struct etm_gen_insn *i)
{
    bool thumb = i->isa == ETM_ISA_THUMB || i->isa == ETM_ISA_THUMBEE;

    return gen->config.thumb32_split && thumb && i->size == 4;
}

/* Whether it is traced as having passed its condition (7.3.2). */
static bool traced_as_passed(const struct etm_gen *gen,
                             const struct etm_gen_insn *i)
{
    return i->passed &&
           !(gen->options.cancelled_as_failed &&
             (i->fate == ETM_GEN_CANCELLED || i->fate == ETM_GEN_UNDEFINED));
}

/*
 * The atoms of one instruction: two if it is split; but of a cancelled one only
 * the first half, so that the cancellation takes back all of it.
 */
static void insn_atoms(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    enum etm_atom kind = traced_as_passed(gen, i) ? ETM_ATOM_E : ETM_ATOM_N;

    if (is_split(gen, i) && i->fate != ETM_GEN_CANCELLED) {
        insn_cycles(gen, 1);
        atom(gen, kind);
    }
    insn_cycles(gen, 0);
    atom(gen, kind);
}

static void emit_branch(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    unsigned resume = etm_gen_traces_data(&gen->config) ? i->resume : 0;
    struct etm_packet packet;

    flush(gen);
    packet = branch_packet(gen, &i->next, 0, false, resume);
    etm_gen_emit(gen, &packet);
}

/*
 * Data events after the instruction, from `at` up to a stacking event.
 * Synchronization may come among them, if the next instruction is known or no
 * branch packet is to come (7.11.2).
 */
static size_t data_behind(struct etm_gen *gen, const struct etm_gen_insn *i,
                          size_t at, bool may_synchronize)
{
    const struct etm_event *events = gen->behind.data;

    for (; at < gen->behind.n && events[at].kind != ETM_EVENT_STACKING; at++) {
        etm_gen_pass_cycles(gen, &events[at]);
        etm_gen_behind(gen, &events[at]);
        if (may_synchronize && gen->options.spread_sync &&
            (events[at].kind != ETM_EVENT_DATA || events[at].u.data.tag == 0))
            (void)etm_gen_synchronize(gen, &i->next);
    }
    return at;
}

/* The processor pushes or pops registers. An exception exit always has its
 * packet; an entry has a packet only to announce data (7.5.3). */
static void stacking(struct etm_gen *gen, const struct etm_event *event)
{
    if (!etm_gen_traces_data(&gen->config))
        return;
    if (!event->u.stacking.pop && !etm_gen_data_only(&gen->config)) {
        flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_EXCEPTION_ENTRY);
    }
    etm_etmv3_data_stacking(gen);
}

/* A stacking event after the instruction, and its data. */
static size_t stacking_behind(struct etm_gen *gen, const struct etm_gen_insn *i,
                              size_t at)
{
    const struct etm_event *events = gen->behind.data;

    etm_gen_pass_cycles(gen, &events[at]);
    stacking(gen, &events[at]);
    return data_behind(gen, i, at + 1, false);
}

/* What comes between the atoms and the branch packet; returns how many of the
 * events after the instruction went out. */
static size_t before_branch(struct etm_gen *gen, const struct etm_gen_insn *i,
                            bool may_synchronize)
{
    const struct etm_event *events = gen->behind.data;
    size_t at = 0;

    if (!i->untraced)
        at = data_behind(gen, i, 0, may_synchronize);
    if (i->fate == ETM_GEN_CANCELLED || i->fate == ETM_GEN_PAUSED)
        return at;
    if (i->exception_return && etm_gen_has_exit(&gen->config)) {
        flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_EXCEPTION_EXIT);
        if (gen->config.profile == ETM_PROFILE_M) /* data now are of the pop */
            etm_etmv3_data_stacking(gen);
    }
    if (i->untraced) /* tracing began in the pop */
        return data_behind(gen, i, 0, false);
    if (at < gen->behind.n && events[at].u.stacking.pop)
        at = stacking_behind(gen, i, at);
    return at;
}

/* Data-only mode (7.4.10): an instruction is only what its data belong to. */
static void data_only_insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    const struct etm_event *events = gen->behind.data;

    etm_etmv3_data_insn(gen, i, true);
    if (i->untraced)
        etm_etmv3_data_stacking(gen);
    for (size_t at = 0; at < gen->behind.n; at++)
        if (events[at].kind == ETM_EVENT_STACKING)
            etm_etmv3_data_stacking(gen);
        else
            etm_etmv3_data_event(gen, &events[at]);
    gen->behind.n = 0;
    (void)etm_gen_synchronize(gen, &i->next);
}

/* Whether an instruction, like most, needs no branch packet and transfers no
 * data that might be traced, so that it has only atoms. */
static bool is_plain(const struct etm_gen *gen, const struct etm_gen_insn *i)
{
    return gen->dense && i->fate == ETM_GEN_COMPLETES && !i->untraced &&
           !i->exception_return && gen->behind.n == 0 &&
           (gen->flow_only || !i->passed ||
            i->decoded.transfers.kind == ETM_TRANSFER_NONE);
}

static void insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    bool voided = i->fate == ETM_GEN_CANCELLED || i->fate == ETM_GEN_PAUSED;
    bool branch = !voided && i->fate != ETM_GEN_CHAINED && needs_branch(gen, i);
    bool indirect = i->decoded.type == ETM_INSN_TYPE_INDIRECT;
    size_t at;

    if (!branch && is_plain(gen, i)) {
        if (gen->config.cycle_accurate || gen->config.thumb32_split) {
            insn_atoms(gen, i);
        } else {
            gen->cycles = 0;
            atom(gen, i->passed ? ETM_ATOM_E : ETM_ATOM_N);
        }
        gen->u.etmv3.data.event_tag = 0;
        gen->u.etmv3.data.owns = false;
        gen->u.etmv3.data.resume = i->resume;
        if (!etm_gen_synchronized(gen))
            (void)etm_gen_synchronize(gen, &i->next);
        return;
    }
    if (etm_gen_data_only(&gen->config)) {
        data_only_insn(gen, i);
        return;
    }
    if (!i->untraced)
        insn_atoms(gen, i);
    etm_etmv3_data_insn(
        gen, i,
        traced_as_passed(gen, i) &&
            !(is_split(gen, i) && i->fate == ETM_GEN_CANCELLED));
    if (branch && gen->options.branch_before_data && !i->exception_return) {
        emit_branch(gen, i);
        branch = false;
    }
    at = before_branch(gen, i,
                       i->fate == ETM_GEN_COMPLETES && (!branch || indirect));
    if (branch)
        emit_branch(gen, i);
    while (at < gen->behind.n)
        at = stacking_behind(gen, i, at);
    gen->behind.n = 0;
    if (voided || i->fate == ETM_GEN_CHAINED)
        return;
    if (gen->options.packing == ETM_PACKING_SINGLE)
        flush(gen);
    (void)etm_gen_synchronize(gen, &i->next);
}

/* The owner of data when tracing begins in the middle (7.7.3); or of data that
 * are not traced. */
static void untraced(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    gen->u.etmv3.data.resume = 0;
    etm_etmv3_data_insn(gen, i, !gen->on);
}

static void data(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_STACKING && gen->on)
        stacking(gen, event);
    else if (event->kind != ETM_EVENT_STACKING)
        etm_etmv3_data_event(gen, event);
}

/*
 * Exceptions (4.5.3, 7.3.5, 7.5). Instructions that were paused are traced as
 * cancelled while no data is traced (7.5.2).
 */
static void exception(struct etm_gen *gen, const struct etm_event *event)
{
    enum etm_exception_type type =
        (enum etm_exception_type)event->u.exception.type;
    struct etm_place next = event->u.exception.next;
    unsigned number =
        etm_exception_number(&gen->config, type, event->u.exception.irq);
    bool cancel = etm_gen_cancels(event) || etm_gen_resets(gen, event) ||
                  event->u.exception.chain == ETM_CHAIN_PREEMPTED;
    bool debug = type == ETM_EXCEPTION_DEBUG_HALT;
    unsigned resume = 0;
    struct etm_packet packet;

    if (etm_gen_data_only(&gen->config))
        return;
    if (cancel && etm_gen_traces_data(&gen->config))
        resume = event->u.exception.resume;
    gen->u.etmv3.data.resume = 0;
    if (cancel)
        etm_etmv3_data_cancelled(gen);
    flush_atoms(gen);
    late_count(gen);
    /* Optional; and M profile has no number for it. */
    if (debug && (gen->options.no_debug_entry || number == ETM_EXCEPTION_NONE))
        return;
    if (number == ETM_EXCEPTION_NONE) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (debug) /* these have no meaning: trace no change of state */
        next = (struct etm_place){
            .isa = ETM_ISA_ARM, .ns = gen->out.ns, .hyp = gen->out.hyp};
    if (etm_gen_deprecated_form(gen, &next, type, cancel)) {
        packet = branch_packet(gen, &next, 0, false, 0);
        etm_gen_set_address(&packet, false, next.address, ETM_ISA_ARM, 5);
        packet.fields = ETM_FIELD_DEPRECATED | ETM_FIELD_ADDRESS;
        if (cancel)
            packet.fields |= ETM_FIELD_CANCEL;
        packet.exception = (uint16_t)etm_exception_deprecated_number(type);
    } else {
        packet = branch_packet(gen, &next, number, cancel, resume);
    }
    etm_gen_emit(gen, &packet);
    /* a decoder takes the context ID for unknown after a reset (4.7), and the
       VMID for 0 (v3.5, 7.3.7) */
    if (type == ETM_EXCEPTION_RESET) {
        etm_gen_emit_context_id(gen);
        etm_gen_emit_vmid(gen);
    }
    if (!debug)
        (void)etm_gen_synchronize(gen, &next);
}

/* Before any instruction with the new value (7.3.6); its cycle counts. */
static void context(struct etm_gen *gen, bool context_id, bool vmid)
{
    flush(gen);
    if (context_id)
        etm_gen_emit_context_id(gen);
    if (vmid)
        etm_gen_emit_vmid(gen);
}

/*
 * The I-sync where tracing begins. With a data instruction in progress it names
 * that one; then, if another is executing, a second address names the other
 * (7.7.3). `fields` belong to the second address if it has exception bytes.
 */
static struct etm_packet first_i_sync(struct etm_gen *gen,
                                      enum etm_sync_reason reason,
                                      enum etm_in_progress progress)
{
    unsigned state = ETM_FIELD_NS | ETM_FIELD_ALT_ISA | ETM_FIELD_EXCEPTION_0;
    struct etm_place at = gen->place;
    struct etm_packet packet, second;

    if (progress != ETM_IN_PROGRESS_NO)
        at = (struct etm_place){.address = gen->data_insn.address,
                                .isa = gen->data_insn.isa,
                                .ns = gen->data_ns,
                                .hyp = gen->data_hyp};
    packet = etm_gen_i_sync(gen, &at, reason);
    if (progress != ETM_IN_PROGRESS_UNDER)
        return packet;
    second = branch_packet(gen, &gen->place, 0, false, 0);
    packet.kind = ETM_PACKET_LSIP_I_SYNC;
    packet.info |= 0x80u;
    packet.address2 = second.address;
    packet.address2_bits = second.address_bits;
    packet.address2_bytes = second.address_bytes;
    packet.isa2 = second.isa;
    if ((second.fields & ETM_FIELD_EXCEPTION_1) != 0)
        state |= ETM_FIELD_HYP | ETM_FIELD_EXCEPTION_1;
    if ((second.fields & ETM_FIELD_EXCEPTION_0) != 0)
        packet.fields =
            (uint16_t)((packet.fields & ~state) | (second.fields & state));
    return packet;
}

/* Non-periodic I-sync (7.7.3). A count of 0 says that it is not known. */
static void start(struct etm_gen *gen, enum etm_sync_reason reason,
                  enum etm_in_progress progress)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    bool data_only = etm_gen_data_only(&gen->config);
    uint64_t passed = gen->cycles > v->debt ? gen->cycles - v->debt : 0;
    uint64_t gap = passed;
    struct etm_packet packet;

    /* Without instructions a transfer counts by itself (2.6.4, 7.4.10). */
    etm_etmv3_data_start(gen, data_only || progress != ETM_IN_PROGRESS_NO);
    if (data_only)
        progress = ETM_IN_PROGRESS_NO;
    packet = first_i_sync(gen, reason, progress);
    if (gen->cycles_unknown || gap > UINT32_MAX)
        gap = 0;
    gen->cycles = 0;
    v->debt = 0;
    if (gen->config.cycle_accurate && !data_only) {
        v->count = (uint32_t)gap;
        v->count_due = gen->options.separate_cycle_count;
        if (!v->count_due) {
            if (packet.kind == ETM_PACKET_I_SYNC)
                packet.kind = ETM_PACKET_I_SYNC_CYCLE_COUNT;
            packet.fields |= ETM_FIELD_CYCLES;
            packet.cycle_count = v->count;
        }
    }
    etm_gen_emit(gen, &packet);
    if (gen->overflow) /* the next one tells them */
        gen->cycles = passed;
    etm_gen_emit_vmid(gen);
    if (progress == ETM_IN_PROGRESS_ALONE) {
        packet = branch_packet(gen, &gen->place, 0, false, 0);
        etm_gen_emit(gen, &packet);
    }
}

static void drop(struct etm_gen *gen)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;

    /* The trace is cycle-accurate through an overflow (7.3.4). */
    gen->cycles += v->lost + count_waits(v->atoms, v->n_atoms);
    v->lost = 0;
    v->n_atoms = 0;
    v->count_due = false;
    v->data.resume = 0;
}

const struct etm_gen_ops etm_etmv3_gen_ops = {
    .encode = etm_etmv3_encode,
    .insn = insn,
    .untraced = untraced,
    .data = data,
    .exception = exception,
    .context = context,
    .flush = flush,
    .start = start,
    .stop = flush,
    .drop = drop,
};
