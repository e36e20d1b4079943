/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3, instruction by instruction. Section numbers are those of the ETM
 * architecture. */
#include "plain_etmv3.h"

/* The atoms of a P-header, W among them (tables 7-2 and 7-3). */
static void p_header(struct plain_walk *f)
{
    struct plain *p = f->p;
    bool some = false;

    for (unsigned i = 0; i < p->p->count; i++) {
        unsigned kind = p->p->value >> 2 * i & 3;
        if (kind == ETM_ATOM_W)
            p->cycles++;
        else
            walk_atom(f, kind == ETM_ATOM_E);
        some |= kind != ETM_ATOM_W;
    }
    if (p->mismatch)
        plain_lose(p, ETM_LOST_IMAGE_MISMATCH, p->p->size);
    else if (f->astray && some)
        plain_lose(p, ETM_LOST_UNSYNCHRONIZED, p->p->size);
}

void v3_own_alone(struct plain_walk *f)
{
    struct plain *p = f->p;
    struct etm_insn insn;

    if (!f->alone || !p->known || !plain_traces_data(p))
        return;
    f->none_yet = f->alone = false;
    plain_give_context(p);
    if (plain_read(p, p->address, &insn) &&
        insn.transfers.kind != ETM_TRANSFER_NONE)
        plain_data_own(&f->data, p->address, &insn.transfers);
}

/* A gap's length is W atoms before the I-sync and the count (7.3.4). */
static void give_gap(struct plain_walk *f)
{
    uint64_t n = f->gap + f->p->p->cycle_count;

    if (f->p->p->cycle_count == 0 || f->gap_null) /* it overflowed; E-33 */
        n = ETM_CYCLES_UNKNOWN;
    plain_add(f->p, ETM_ELEMENT_CYCLES)->u.cycles.n = n;
    f->gap_open = false;
}

/* The count of a gap before instructions that are here already: the range that
 * they began goes on after it. */
static void cycle_count(struct plain_walk *f)
{
    struct plain *p = f->p;
    size_t n = p->n;
    const struct plain_item *last;

    if (!f->gap_open)
        return;
    give_gap(f); /* there is one item at least, of where tracing began */
    last = &p->items[n - 1];
    p->items[n].aside =
        last->e.kind == ETM_ELEMENT_INSN && !last->ends && !last->cut;
}

/* E-32 */
static void gap_never_told(struct plain_walk *f)
{
    if (f->gap_open)
        plain_add(f->p, ETM_ELEMENT_CYCLES)->u.cycles.n = ETM_CYCLES_UNKNOWN;
    f->gap_open = false;
}

/* Tracing begins (7.7.3). */
static void restart(struct plain_walk *f)
{
    struct plain *p = f->p;
    unsigned minor = p->config->minor, reason = p->p->reason;

    gap_never_told(f);
    plain_data_close(&f->data,
                     reason != ETM_SYNC_OVERFLOW && /* E-104, E-377 */
                         (reason != ETM_SYNC_DEBUG_EXIT || f->halted));
    f->halted = false;
    if (reason != ETM_SYNC_PERIODIC)
        f->data.previous_known = false; /* E-109 */
    plain_resume(p);
    plain_trace_on(p);
    walk_nowhere(f);
    f->last = (struct plain_last){0};
    f->exit = false;
    f->none_yet = f->alone = reason != ETM_SYNC_PERIODIC;
    if (!p->synced)
        p->cycles = 0;
    if (reason == ETM_SYNC_PERIODIC || !p->config->cycle_accurate ||
        p->config->data_only) /* E-110 */
        return;
    f->gap_open = true;
    f->gap = p->cycles;
    f->gap_null = (reason == ETM_SYNC_OVERFLOW && (minor == 0 || minor >= 5)) ||
                  (reason == ETM_SYNC_DEBUG_EXIT && minor == 0); /* E-23 */
    p->cycles = 0;
    if (p->p->fields & ETM_FIELD_CYCLES)
        give_gap(f);
}

/* Load/store in progress: one instruction executed already, in no time of its
 * own, and a second address of where to go on (7.7.3). */
static void in_progress(struct plain_walk *f)
{
    struct plain *p = f->p;
    uint64_t cycles = p->cycles;
    size_t n = p->n;

    p->cycles = 0;
    v3_state(f, (p->p->info & 0x08) != 0, (p->p->info & 0x02) != 0);
    walk_go(f, p->said.address, p->said.isa);
    f->half = true; /* it counts as a whole */
    f->arrived = false;
    walk_atom(f, true);
    if (p->n > n && p->items[p->n - 1].e.kind == ETM_ELEMENT_INSN)
        p->items[p->n - 1].ends = true;
    p->cycles = cycles;
}

/* An I-sync of data-only mode tells the security state (7.7.3). */
static void data_only(struct plain_walk *f)
{
    v3_state(f, (f->p->p->info & 0x08) != 0, (f->p->p->info & 0x02) != 0);
    walk_nowhere(f);
}

/* Exception entry and exit: what is moved now is a stack push or pop of the
 * processor itself (7.5.3, 7.5.4). */
static void entry(struct plain_walk *f)
{
    f->none_yet = f->alone = f->halted = false;
    plain_data_stack(&f->data, false);
}

static void exception_exit(struct plain_walk *f)
{
    struct plain *p = f->p;

    f->exit = true;
    f->exit_item = p->n;
    f->exit_owner = 0;
    plain_add(p, ETM_ELEMENT_EXCEPTION_RETURN);
    if (p->config->profile != ETM_PROFILE_M)
        return;
    if (f->none_yet) { /* of the instruction that the I-sync names: 7.5.4 */
        walk_nowhere(f);
        f->awaiting = true;
    }
    if (!plain_traces_data(p))
        return;
    f->none_yet = f->alone = f->halted = false;
    plain_data_stack(&f->data, true);
    f->exit_owner = f->data.owner;
}

static bool is_data(unsigned kind)
{
    return kind == ETM_PACKET_NORMAL_DATA ||
           kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
           kind == ETM_PACKET_OUT_OF_ORDER_DATA ||
           kind == ETM_PACKET_VALUE_NOT_TRACED ||
           kind == ETM_PACKET_DATA_SUPPRESSED ||
           kind == ETM_PACKET_STORE_FAILED;
}

static void data_packet(struct plain_walk *f)
{
    unsigned kind = f->p->p->kind;

    /* others may be of something before */
    if (kind == ETM_PACKET_NORMAL_DATA ||
        kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
        kind == ETM_PACKET_VALUE_NOT_TRACED)
        v3_own_alone(f);
    plain_data_packet(&f->data);
}

static void i_sync(struct plain_walk *f)
{
    struct plain *p = f->p;
    struct plain_said *said = &p->said;
    bool lsip = p->p->kind == ETM_PACKET_LSIP_I_SYNC, unseen;

    /* AltISA came with v3.3 */
    said->ns = (p->p->info & 0x08) != 0;
    said->alt_isa = (p->p->info & 0x04) != 0 && p->config->minor >= 3;
    said->hyp = (p->p->info & 0x02) != 0;
    said->address = p->p->address;
    said->isa = (enum etm_isa)p->p->isa;
    if (said->isa == ETM_ISA_THUMB && said->alt_isa)
        said->isa = ETM_ISA_THUMBEE;
    if (!p->synced || p->p->reason != ETM_SYNC_PERIODIC) {
        restart(f);
    } else {
        uint32_t here = p->address + (f->half ? 2 : 0);

        if (p->known && (here != said->address || p->isa != said->isa))
            walk_mismatch(f, 0); /* E-18 */
        if (!p->known)
            plain_resume(p);
    }
    p->synced = true;
    if (p->p->fields & ETM_FIELD_CONTEXT_ID)
        plain_context_id(p);
    if (p->config->data_only) {
        data_only(f);
        return;
    }
    if (lsip) {
        in_progress(f);
        said->ns = (p->p->fields & ETM_FIELD_NS) != 0;
        said->alt_isa = (p->p->fields & ETM_FIELD_ALT_ISA) != 0;
        said->hyp = (p->p->fields & ETM_FIELD_HYP) != 0;
        plain_say_address(p, p->p->address2, p->p->address2_bits,
                          (enum etm_isa)p->p->isa2);
    }
    v3_drop_reserved(f);
    unseen = lsip && f->last.unseen; /* the last one traced: E-304 */
    if (!p->known || lsip)
        v3_go_said(f);
    f->last.unseen |= unseen;
    v3_state(f, said->ns, said->hyp);
}

/* The stream is broken there. */
static bool breaks(unsigned kind)
{
    return kind == ETM_PACKET_UNSYNCHRONIZED || kind == ETM_PACKET_BAD ||
           kind == ETM_PACKET_RESERVED;
}

static void packet(struct plain_walk *f)
{
    struct plain *p = f->p;

    if (is_data(p->p->kind)) { /* also before the first I-sync: E-09 */
        data_packet(f);
        return;
    }
    plain_data_pass(&f->data);
    if (breaks(p->p->kind))
        plain_data_lose(&f->data);
    if (plain_common(p))
        return;
    switch ((enum etm_packet_kind)p->p->kind) {
    case ETM_PACKET_P_HEADER:
        p_header(f);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        v3_branch_packet(f);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        i_sync(f);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        cycle_count(f);
        break;
    case ETM_PACKET_EXCEPTION_ENTRY:
        entry(f);
        break;
    case ETM_PACKET_EXCEPTION_EXIT:
        exception_exit(f);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        walk_nowhere(f);
        f->last.valid = false;
        break;
    case ETM_PACKET_A_SYNC: /* plain_common() took them, from here on */
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_CONTEXT_ID:
    case ETM_PACKET_VMID:
    case ETM_PACKET_TIMESTAMP:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
    case ETM_PACKET_ATOM: /* other protocols */
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
}

void plain_etmv3(struct plain *p, const struct etm_packet *packets, size_t n,
                 const struct etm_packet *end)
{
    struct plain_walk f = {.p = p};

    plain_data_init(&f.data, p);

    for (size_t i = 0; i < n; i++) {
        p->p = &packets[i];
        packet(&f);
    }
    p->p = end;
    plain_data_finish(&f.data);
    gap_never_told(&f);
    plain_data_free(&f.data);
}
