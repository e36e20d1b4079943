/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program flow of ETMv3.0 to ETMv3.5 (ETM architecture, chapter 7): an atom
 * for each instruction, W atoms for cycles, and a branch packet wherever the
 * opcode does not tell where the program goes.
 *
 * Order for one instruction: context ID, P-header, exception exit, (data),
 * branch packet. Data packets will come in between insn_atoms() and
 * insn_branch(); a load/store in progress only arises with them.
 */
#include "model/etmv3_pack.h"
#include "model/generator.h"
#include "proto/etmv3.h"

/* First P-header of what is pending. */
static void flush_one(struct etm_gen *gen)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    struct etm_packet packet;
    unsigned used = etm_etmv3_pack(&gen->config, v->atoms, v->n_atoms, &packet);

    for (unsigned i = used; i < v->n_atoms; i++)
        v->atoms[i - used] = v->atoms[i];
    v->n_atoms = (uint8_t)(v->n_atoms - used);
    etm_gen_emit(gen, &packet);
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

    gen->cycles -= paid;
    v->debt -= paid;
    if (gen->config.cycle_accurate)
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

/* Branch packet to `to` in the encoding at hand; not emitted yet. */
static struct etm_packet branch_packet(struct etm_gen *gen,
                                       const struct etm_place *to,
                                       unsigned number, bool cancel)
{
    bool alternative = etm_etmv3_alternative(&gen->config);
    unsigned bytes = etm_gen_address_bytes(gen, alternative, gen->out.address,
                                           (enum etm_isa)gen->out.isa,
                                           to->address, (enum etm_isa)to->isa);

    return etm_gen_branch(gen, alternative, to, bytes, number, cancel);
}

/* Where this instruction goes is not in its opcode, or is to be told. */
static bool needs_branch(const struct etm_gen *gen,
                         const struct etm_gen_insn *i)
{
    bool sequential =
        i->next.address == i->address + i->size && i->next.isa == i->isa;

    if (etm_gen_state_changes(gen, &i->next))
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

/*
 * The atoms of one instruction. With ETMIDR[18] = 0 a 32-bit Thumb
 * instruction is two (4.5.4); of a cancelled one only the first half, so that
 * the cancellation takes back all of it.
 */
static void insn_atoms(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    bool thumb = i->isa == ETM_ISA_THUMB || i->isa == ETM_ISA_THUMBEE;
    bool split = gen->config.thumb32_split && thumb && i->size == 4;
    bool passed = i->passed;

    /* 7.3.2 */
    if (gen->options.cancelled_as_failed &&
        (i->fate == ETM_GEN_CANCELLED || i->fate == ETM_GEN_UNDEFINED))
        passed = false;
    if (split && i->fate != ETM_GEN_CANCELLED) {
        insn_cycles(gen, 1);
        atom(gen, passed ? ETM_ATOM_E : ETM_ATOM_N);
    }
    insn_cycles(gen, 0);
    atom(gen, passed ? ETM_ATOM_E : ETM_ATOM_N);
}

/* 0x76 is there from v3.4 for M profile, from v3.5 for all. */
static bool has_exit_packet(const struct etm_config *config)
{
    return config->minor >= 5 ||
           (config->minor == 4 && config->profile == ETM_PROFILE_M);
}

static void insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    struct etm_packet packet;

    insn_atoms(gen, i);
    if (i->fate == ETM_GEN_CANCELLED)
        return;
    if (i->exception_return && has_exit_packet(&gen->config)) {
        flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_EXCEPTION_EXIT);
    }
    if (i->fate == ETM_GEN_CHAINED)
        return;
    if (needs_branch(gen, i)) {
        flush(gen);
        packet = branch_packet(gen, &i->next, 0, false);
        etm_gen_emit(gen, &packet);
    }
    if (gen->options.packing == ETM_PACKING_SINGLE)
        flush(gen);
    (void)etm_gen_synchronize(gen, &i->next);
}

/* EEE of the deprecated form (table 7-9), or -1. */
static int deprecated_number(enum etm_exception_type type)
{
    switch (type) {
    case ETM_EXCEPTION_RESET:
    case ETM_EXCEPTION_UNDEFINED:
    case ETM_EXCEPTION_SVC:
    case ETM_EXCEPTION_PREFETCH_ABORT:
    case ETM_EXCEPTION_DATA_ABORT:
        return 0;
    case ETM_EXCEPTION_IRQ:
        return 1;
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
        return 4;
    case ETM_EXCEPTION_FIQ:
        return 5;
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
        return 6;
    case ETM_EXCEPTION_DEBUG_HALT:
        return 7;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_SMC:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
        break;
    }
    return -1;
}

/* EEE = 0 leaves the type to the vector: it must stand there. */
static bool vector_tells(enum etm_exception_type type, bool cancel,
                         uint32_t address)
{
    uint32_t vector = address & 0x1f;

    if (type == ETM_EXCEPTION_UNDEFINED)
        return vector == 0x04 && !cancel;
    if (type == ETM_EXCEPTION_SVC)
        return vector == 0x08 && !cancel;
    if (type == ETM_EXCEPTION_PREFETCH_ABORT)
        return vector == 0x0c;
    if (type == ETM_EXCEPTION_DATA_ABORT)
        return vector == 0x10 && cancel;
    return vector == 0x00;
}

/*
 * The five-byte form (table 7-8) has no room for a change of security state
 * or AltISA, exists only with ARM state as the target and only in the original
 * encoding. It is the usual one before exception bytes came with v3.2.
 */
static bool deprecated_form(const struct etm_gen *gen,
                            const struct etm_place *to,
                            enum etm_exception_type type, bool cancel)
{
    uint8_t wish = gen->options.deprecated_exceptions;
    int number = deprecated_number(type);

    if (wish == ETM_FALSE || (wish == ETM_UNKNOWN && gen->config.minor >= 2))
        return false;
    if (gen->config.profile == ETM_PROFILE_M || number < 0 ||
        etm_etmv3_alternative(&gen->config))
        return false;
    if (to->isa != ETM_ISA_ARM || gen->out.isa == ETM_ISA_THUMBEE ||
        etm_gen_state_changes(gen, to))
        return false;
    return number != 0 || vector_tells(type, cancel, to->address);
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
        etm_gen_exception_number(&gen->config, type, event->u.exception.irq);
    bool cancel = event->u.exception.cancels ||
                  event->u.exception.chain == ETM_CHAIN_PREEMPTED;
    bool debug = type == ETM_EXCEPTION_DEBUG_HALT;
    struct etm_packet packet;

    flush_atoms(gen);
    late_count(gen);
    /* Optional; and M profile has no number for it. */
    if (debug && (gen->options.no_debug_entry || number == ETM_GEN_NO_NUMBER))
        return;
    if (number == ETM_GEN_NO_NUMBER) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (debug) /* these mean nothing: tell no change of state */
        next = (struct etm_place){
            .isa = ETM_ISA_ARM, .ns = gen->out.ns, .hyp = gen->out.hyp};
    if (deprecated_form(gen, &next, type, cancel)) {
        packet = branch_packet(gen, &next, 0, false);
        etm_gen_set_address(&packet, false, next.address, ETM_ISA_ARM, 5);
        packet.fields = ETM_FIELD_DEPRECATED | ETM_FIELD_ADDRESS;
        if (cancel)
            packet.fields |= ETM_FIELD_CANCEL;
        packet.exception = (uint16_t)deprecated_number(type);
    } else {
        packet = branch_packet(gen, &next, number, cancel);
    }
    etm_gen_emit(gen, &packet);
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

/* Non-periodic I-sync (7.7.3). A count of 0 says that it is not known. */
static void start(struct etm_gen *gen, enum etm_sync_reason reason)
{
    struct etm_etmv3_gen *v = &gen->u.etmv3;
    struct etm_packet packet = etm_gen_i_sync(gen, &gen->place, reason);
    uint64_t gap = gen->cycles > v->debt ? gen->cycles - v->debt : 0;

    if (gen->cycles_unknown || gap > UINT32_MAX)
        gap = 0;
    gen->cycles = 0;
    v->debt = 0;
    if (gen->config.cycle_accurate) {
        v->count = (uint32_t)gap;
        v->count_due = gen->options.separate_cycle_count;
    }
    if (gen->config.cycle_accurate && !v->count_due) {
        packet.kind = ETM_PACKET_I_SYNC_CYCLE_COUNT;
        packet.fields |= ETM_FIELD_CYCLES;
        packet.cycle_count = v->count;
    }
    etm_gen_emit(gen, &packet);
    etm_gen_emit_vmid(gen);
}

const struct etm_gen_ops etm_etmv3_gen_ops = {
    .encode = etm_etmv3_encode,
    .insn = insn,
    .exception = exception,
    .context = context,
    .flush = flush,
    .start = start,
    .stop = flush,
};
