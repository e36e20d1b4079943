/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program Flow Trace v1.0 and v1.1 (PFT architecture, chapter 4): only
 * waypoints are traced. Between them the decoder walks through the code, so
 * that everything that is not a waypoint is silent, except where the walk ends
 * early or becomes too long: then a waypoint update names its last
 * instruction.
 */
#include "model/generator.h"
#include "proto/pft.h"

/* A waypoint further away than this is announced (PFT 4.3.6). */
#define WALK_MAX 4096u

/* Oldest lowest in `atoms`, as in struct etm_packet. */
static void flush(struct etm_gen *gen)
{
    struct etm_pft_gen *p = &gen->u.pft;
    struct etm_packet packet = {
        .kind = ETM_PACKET_ATOM, .value = p->atoms, .count = p->n_atoms};

    if (p->n_atoms == 0)
        return;
    etm_gen_emit(gen, &packet);
    p->atoms = 0;
    p->n_atoms = 0;
}

/* Atom packets hold up to five atoms; with a cycle count one (4.3.5). */
static void atom(struct etm_gen *gen, enum etm_atom kind)
{
    struct etm_pft_gen *p = &gen->u.pft;
    struct etm_packet packet = {.kind = ETM_PACKET_ATOM,
                                .value = kind,
                                .count = 1,
                                .fields = ETM_FIELD_CYCLES};

    if (gen->config.cycle_accurate) {
        packet.cycle_count = etm_gen_take_cycles(gen);
        etm_gen_emit(gen, &packet);
        return;
    }
    p->atoms = (uint16_t)(p->atoms | (unsigned)kind << (2 * p->n_atoms));
    p->n_atoms++;
    if (p->n_atoms == 5 || gen->options.packing == ETM_PACKING_SINGLE)
        flush(gen);
}

/* Address bytes that are right whether or not waypoint updates changed the
 * base of compression. */
static unsigned address_bytes(const struct etm_gen *gen, uint32_t address,
                              enum etm_isa isa)
{
    const struct etm_pft_gen *p = &gen->u.pft;
    unsigned a = etm_gen_address_bytes(
        gen, true, gen->out.address, (enum etm_isa)gen->out.isa, address, isa);
    unsigned b = etm_gen_address_bytes(
        gen, true, p->other_address, (enum etm_isa)p->other_isa, address, isa);

    return a > b ? a : b;
}

/* Both readings agree again after any packet but a waypoint update. */
static void bases_agree(struct etm_gen *gen)
{
    gen->u.pft.other_address = gen->out.address;
    gen->u.pft.other_isa = gen->out.isa;
}

static void branch(struct etm_gen *gen, const struct etm_place *to,
                   unsigned number)
{
    struct etm_packet packet;
    unsigned bytes = address_bytes(gen, to->address, (enum etm_isa)to->isa);

    flush(gen);
    /* If the two readings differ in AltIS, trace it: there is an exception
     * information byte if the broadcast state differs. */
    if ((gen->u.pft.other_isa == ETM_ISA_THUMBEE) !=
        (to->isa == ETM_ISA_THUMBEE))
        gen->out.isa = gen->u.pft.other_isa;
    packet = etm_gen_branch(gen, true, to, bytes, number, false, 0);
    if (gen->config.cycle_accurate) {
        packet.fields |= ETM_FIELD_CYCLES;
        packet.cycle_count = etm_gen_take_cycles(gen);
    }
    etm_gen_emit(gen, &packet);
    bases_agree(gen);
}

/*
 * Waypoint update: all instructions up to the one at `address` executed. It
 * has no exception bytes, so only its information byte can tell ThumbEE.
 */
static void waypoint_update(struct etm_gen *gen, uint32_t address,
                            enum etm_isa isa)
{
    struct etm_packet packet = {.kind = ETM_PACKET_WAYPOINT_UPDATE};
    bool thumbee = isa == ETM_ISA_THUMBEE;
    bool was = gen->out.isa == ETM_ISA_THUMBEE;
    bool other = gen->u.pft.other_isa == ETM_ISA_THUMBEE;

    flush(gen);
    etm_gen_set_address(&packet, true, address, isa,
                        address_bytes(gen, address, isa));
    if (thumbee != was || thumbee != other) {
        packet.fields |= ETM_FIELD_EXCEPTION_0;
        if (thumbee) {
            packet.fields |= ETM_FIELD_ALT_ISA;
            packet.info = 0x40;
        }
    }
    etm_gen_emit(gen, &packet);
    gen->out.address = address;
    gen->out.isa = (uint8_t)isa;
}

/* Return stack. */

static void push_return(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    struct etm_pft_gen *p = &gen->u.pft;
    struct etm_gen_return entry = {.address = insn->address + insn->size,
                                   .isa = insn->isa,
                                   .ns = gen->place.ns};

    /* A security state that was not output: 4.13, the second list there is
     * lost in our copy; a decoder cannot tell the difference. */
    if (entry.ns != gen->out.ns) {
        p->n_returns = 0;
        return;
    }
    if (p->n_returns == p->max_returns) {
        for (unsigned i = 1; i < p->n_returns; i++)
            p->returns[i - 1] = p->returns[i];
        p->n_returns--;
    }
    p->returns[p->n_returns++] = entry;
}

/* The top entry is where this branch goes. From v1.1 exception returns and
 * changes of state never match. */
static bool match_return(const struct etm_gen *gen,
                         const struct etm_gen_insn *insn)
{
    const struct etm_pft_gen *p = &gen->u.pft;
    const struct etm_gen_return *top;

    if (p->n_returns == 0)
        return false;
    if (gen->config.minor >= 1 &&
        (insn->exception_return || insn->next.hyp != gen->place.hyp ||
         insn->next.ns != gen->place.ns))
        return false;
    top = &p->returns[p->n_returns - 1];
    return top->address == insn->next.address && top->isa == insn->next.isa &&
           top->ns == insn->next.ns;
}

bool etm_pft_is_waypoint(const struct etm_config *config,
                         const struct etm_insn *insn)
{
    switch ((enum etm_insn_type)insn->type) {
    case ETM_INSN_TYPE_DIRECT:
    case ETM_INSN_TYPE_INDIRECT:
        return true;
    case ETM_INSN_TYPE_BARRIER:
        return insn->barrier == ETM_BARRIER_ISB ||
               config->barriers_are_waypoints;
    case ETM_INSN_TYPE_OTHER:
        break;
    }
    return insn->barrier == ETM_BARRIER_SAME_STATE; /* E-81 */
}

/* A waypoint that passed its condition: E atom or branch packet. */
static void taken(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    struct etm_pft_gen *p = &gen->u.pft;
    bool direct = insn->decoded.type == ETM_INSN_TYPE_DIRECT ||
                  insn->decoded.barrier == ETM_BARRIER_SAME_STATE;
    bool barrier = insn->decoded.type == ETM_INSN_TYPE_BARRIER;
    bool changes = etm_gen_state_changes(gen, &insn->next);

    if (barrier || (direct && !gen->config.branch_broadcast && !changes)) {
        atom(gen, ETM_ATOM_E);
    } else if (!direct && !changes && match_return(gen, insn)) {
        p->n_returns--;
        atom(gen, ETM_ATOM_E);
    } else {
        branch(gen, &insn->next, 0);
    }
    if ((insn->decoded.flags & ETM_INSN_LINK) != 0 && p->max_returns != 0)
        push_return(gen, insn);
}

/* The walk begins again at `next`. Output what had to wait for that. */
static void walk_from(struct etm_gen *gen, const struct etm_place *next)
{
    struct etm_pft_gen *p = &gen->u.pft;

    p->start = next->address;
    p->walked = false;
    if (next->isa == ETM_ISA_JAZELLE) {
        p->jazelle = true;
        p->reason = ETM_SYNC_TRACE_ON;
    }
    if (p->context_due || p->vmid_due)
        flush(gen);
    if (p->context_due)
        etm_gen_emit_context_id(gen);
    if (p->vmid_due)
        etm_gen_emit_vmid(gen);
    p->context_due = p->vmid_due = false;
    if (!p->jazelle && etm_gen_synchronize(gen, next)) {
        p->n_returns = 0;
        bases_agree(gen);
    }
}

/* I-sync that begins a stretch of trace. */
static void begin(struct etm_gen *gen, const struct etm_place *at)
{
    struct etm_pft_gen *p = &gen->u.pft;
    struct etm_packet packet =
        etm_gen_i_sync(gen, at, (enum etm_sync_reason)p->reason);

    if (gen->config.cycle_accurate) {
        packet.fields |= ETM_FIELD_CYCLES;
        packet.cycle_count = etm_gen_take_cycles(gen);
    }
    etm_gen_emit(gen, &packet);
    etm_gen_emit_vmid(gen);
    bases_agree(gen);
    p->jazelle = false;
    p->context_due = p->vmid_due = false;
    p->n_returns = 0;
    p->start = at->address;
    p->walked = false;
}

static void start(struct etm_gen *gen, enum etm_sync_reason reason,
                  enum etm_in_progress progress)
{
    struct etm_pft_gen *p = &gen->u.pft;
    uint8_t size = gen->options.return_stack_size;

    (void)progress; /* PFT traces no data */
    p->max_returns = size == 0 ? ETM_GEN_RETURNS : size;
    /* Not together with branch broadcasting (4.13). */
    if (!gen->config.return_stack || gen->config.branch_broadcast ||
        size == ETM_RETURN_STACK_NONE)
        p->max_returns = 0;
    p->reason = (uint8_t)reason;
    p->jazelle = gen->place.isa == ETM_ISA_JAZELLE;
    if (!p->jazelle)
        begin(gen, &gen->place);
}

/* Bytecodes are not traced; leaving Jazelle state is like turning trace on. */
static bool in_jazelle(struct etm_gen *gen, const struct etm_gen_insn *insn)
{
    if (!gen->u.pft.jazelle)
        return false;
    if (insn->isa == ETM_ISA_JAZELLE)
        return true;
    begin(gen, &gen->place);
    return false;
}

static void insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    struct etm_pft_gen *p = &gen->u.pft;
    struct etm_place next = i->next;

    if (in_jazelle(gen, i) || i->fate == ETM_GEN_CANCELLED)
        return;
    if (!etm_pft_is_waypoint(&gen->config, &i->decoded)) {
        p->last = i->address;
        p->walked = true;
        return;
    }
    if (p->walked && i->address - p->start > WALK_MAX)
        waypoint_update(gen, p->last, (enum etm_isa)i->isa);
    if (i->passed) {
        taken(gen, i);
    } else {
        atom(gen, ETM_ATOM_N);
        next = gen->place;
        next.address = i->address + i->size;
    }
    /* v1.0 has this packet for M profile only. */
    if (i->exception_return &&
        (gen->config.minor >= 1 || gen->config.profile == ETM_PROFILE_M)) {
        flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_EXCEPTION_EXIT);
    }
    walk_from(gen, &next);
}

/* PFT 4.4.3. The walk so far is completed, except for a reset, where it is not
 * known how far it went. */
static void exception(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_pft_gen *p = &gen->u.pft;
    enum etm_exception_type type =
        (enum etm_exception_type)event->u.exception.type;
    struct etm_place next = event->u.exception.next;
    unsigned number =
        etm_exception_number(&gen->config, type, event->u.exception.irq);
    bool debug = type == ETM_EXCEPTION_DEBUG_HALT;

    if (debug && (gen->options.no_debug_entry || number == ETM_EXCEPTION_NONE))
        return;
    if (number == ETM_EXCEPTION_NONE) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (p->jazelle)
        return; /* an I-sync at the handler will show it */
    if (p->walked && type != ETM_EXCEPTION_RESET)
        waypoint_update(gen, p->last, (enum etm_isa)gen->place.isa);
    if (debug)
        next = (struct etm_place){.isa = ETM_ISA_ARM};
    branch(gen, &next, number);
    /* a decoder takes them for unknown after a reset (B.2.1) */
    p->context_due |= type == ETM_EXCEPTION_RESET;
    p->vmid_due |= type == ETM_EXCEPTION_RESET;
    if (!debug)
        walk_from(gen, &next);
}

/*
 * Context ID and VMID hold from the end of the walk so far. In the middle of
 * a walk they wait for the next waypoint, usually the ISB that makes them
 * visible.
 */
static void context(struct etm_gen *gen, bool context_id, bool vmid)
{
    struct etm_pft_gen *p = &gen->u.pft;

    p->context_due |= context_id;
    p->vmid_due |= vmid;
    if (!p->walked && !p->jazelle) {
        struct etm_place here = gen->place;

        walk_from(gen, &here);
    }
}

static void stop(struct etm_gen *gen)
{
    flush(gen);
}

static void drop(struct etm_gen *gen)
{
    struct etm_pft_gen *p = &gen->u.pft;

    p->atoms = 0;
    p->n_atoms = 0;
    p->walked = false;
    p->context_due = p->vmid_due = false;
}

const struct etm_gen_ops etm_pft_gen_ops = {
    .encode = etm_pft_encode,
    .insn = insn,
    .exception = exception,
    .context = context,
    .flush = flush,
    .start = start,
    .stop = stop,
    .drop = drop,
};
