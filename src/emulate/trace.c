/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The current instruction: from its beginning, reported by the hook for code,
 * to its end. Where it led is only known when the next one begins. In Thumb
 * state no hook comes for an instruction that fails the condition of its IT
 * block: walk_it() goes over those.
 */
#include "base/bytes.h"
#include "emulate/machine.h"

#include "exec/pc_first.h"

/* Arm Architecture Reference Manual (ARMv7-A and -R), A8.3.1. */
static bool holds(unsigned condition, uint32_t psr)
{
    bool n = psr >> 31 & 1, z = psr >> 30 & 1;
    bool c = psr >> 29 & 1, v = psr >> 28 & 1;
    const bool even[8] = {z, c, n, v, c && !z, n == v, n == v && !z, true};

    return condition >= 14 || even[condition >> 1] != (condition & 1);
}

const struct etm_insn *etm_machine_decode(struct etm_emulator *e,
                                          enum etm_isa isa, uint32_t address)
{
    struct etm_decoded *d = &e->cache[(address >> 1) % ETM_CACHE_SIZE];
    uint32_t n = 4, word;
    const uint8_t *p = etm_machine_memory(e, address, 4);

    if (p == NULL) {
        n = 2;
        p = etm_machine_memory(e, address, 2);
    }
    if (p == NULL)
        return NULL;
    word = n == 4 ? etm_le32(p) : etm_le16(p);
    if (d->address != address || d->isa != isa || d->word != word) {
        d->address = address;
        d->isa = (uint8_t)isa;
        d->word = word;
        etm_insn_decode(&d->insn, isa, e->profile, address, p, n);
    }
    return d->insn.size != 0 ? &d->insn : NULL;
}

static struct etm_event *insn_event(struct etm_emulator *e,
                                    const struct etm_insn *insn,
                                    enum etm_isa isa, uint32_t address,
                                    bool passed)
{
    struct etm_event *event = etm_machine_event(e, ETM_EVENT_INSN, 1);

    event->u.insn.address = address;
    event->u.insn.opcode = insn->opcode;
    event->u.insn.isa = (uint8_t)isa;
    event->u.insn.size = insn->size;
    event->u.insn.passed = passed;
    event->u.insn.next = (struct etm_place){.address = address + insn->size,
                                            .isa = (uint8_t)isa};
    e->result.instructions++;
    e->clock++;
    return event;
}

/* CBZ, CBNZ: B1xx, B3xx, B9xx, BBxx */
static bool is_compare_branch(const struct etm_insn *insn)
{
    return insn->size == 2 && (insn->opcode & 0xf500) == 0xb100;
}

static bool passes(const struct etm_emulator *e, const struct etm_insn *insn,
                   enum etm_isa isa, uint32_t psr)
{
    if (isa == ETM_ISA_THUMB && is_compare_branch(insn))
        return (etm_machine_get(e, etm_machine_register(insn->opcode & 7)) ==
                0) == !(insn->opcode >> 11 & 1);
    /* BKPT always executes (ARMv7-M, A7.7.17) */
    if (isa == ETM_ISA_THUMB && e->it != 0 && insn->trap != ETM_TRAP_BKPT)
        return holds(e->it >> 4, psr);
    return holds(insn->condition, psr);
}

static bool is_coprocessor(const struct etm_insn *insn)
{
    return insn->transfers.kind == ETM_TRANSFER_CPRT;
}

/* Core register number, or the flags where MRC names R15. */
static uint32_t core_value(const struct etm_emulator *e, uint8_t number,
                           uint32_t psr)
{
    return number == 15 ? psr & 0xf0000000
                        : etm_machine_get(e, etm_machine_register(number));
}

static void coprocessor_data(struct etm_emulator *e,
                             const struct etm_insn *insn, uint32_t psr)
{
    const struct etm_transfers *t = &insn->transfers;
    bool store = t->direction == ETM_DIRECTION_STORE;

    if (t->first < 16)
        etm_machine_data(e, 0, core_value(e, t->first, psr), t->size, store);
    if (t->count > 1 && t->second < 16)
        etm_machine_data(e, 0, core_value(e, t->second, psr), t->size, store);
}

/* Where an exclusive store goes: the base, and in Thumb STREX an offset. */
static uint32_t exclusive_address(const struct etm_current *c)
{
    bool offset =
        c->isa == ETM_ISA_THUMB && (c->insn.opcode & 0xfff00000) == 0xe8400000;

    return c->base_value + (offset ? (c->insn.opcode & 0xff) * 4 : 0);
}

/* The register that tells whether STREX, STREXB, STREXH, STREXD stored. */
static unsigned status_register(const struct etm_current *c)
{
    if (c->isa == ETM_ISA_ARM)
        return c->insn.opcode >> 12 & 15;
    return (c->insn.opcode & 0xfff00000) == 0xe8400000
               ? c->insn.opcode >> 8 & 15
               : c->insn.opcode & 15;
}

/* Take back the transfers of the current instruction. */
static void drop_data(struct etm_emulator *e)
{
    while (e->n_batch > e->current.event + 1) {
        e->n_batch--;
        e->result.transfers--;
        e->result.cycles -= e->batch[e->n_batch].cycles;
    }
}

/* Where it does not store, Unicorn stores the old value again. */
static void exclusive_data(struct etm_emulator *e)
{
    const struct etm_current *c = &e->current;
    const struct etm_transfers *t = &c->insn.transfers;
    uint32_t address = exclusive_address(c);

    if (etm_machine_get(e, etm_machine_register(status_register(c))) == 0)
        return;
    drop_data(e);
    for (unsigned i = 0; i < t->count; i++) {
        etm_machine_data(e, address + i * t->size, 0, t->size, true);
        e->batch[e->n_batch - 1].u.data.failed = true;
    }
}

/* Give the context again when User mode begins or ends. */
static void note_mode(struct etm_emulator *e, uint32_t psr)
{
    bool user = e->profile != ETM_PROFILE_M && (psr & 0x1f) == 0x10;
    struct etm_event *event;

    if (user == e->user)
        return;
    e->user = user;
    event = etm_machine_event(e, ETM_EVENT_CONTEXT, 0);
    event->u.context.context_id = e->context_id;
    event->u.context.user = user;
}

/* Instructions of an IT block that fail; no hook came for them. */
static uint32_t walk_it(struct etm_emulator *e, uint32_t at, uint32_t psr)
{
    while (e->it != 0) {
        const struct etm_insn *insn = etm_machine_decode(e, ETM_ISA_THUMB, at);

        if (insn == NULL || insn->trap == ETM_TRAP_BKPT ||
            holds(e->it >> 4, psr))
            break;
        insn_event(e, insn, ETM_ISA_THUMB, at, false);
        e->it = etm_it_advance(e->it, insn->it);
        at += insn->size;
    }
    return at;
}

/*
 * An exception return of the A and R profiles into an IT block: note the state
 * of the block, and the address, because the next hook may come after it.
 */
static void return_into_it(struct etm_emulator *e, struct etm_event *event)
{
    const struct etm_current *c = &e->current;
    const struct etm_transfers *t = &c->insn.transfers;
    const struct etm_event *last = &e->batch[e->n_batch - 1];
    bool loads = t->kind == ETM_TRANSFER_CORE && e->n_batch > c->event + 2;
    bool rfe = loads && t->registers == 0;
    uint32_t psr = rfe ? (uint32_t)last->u.data.value : c->base_value;
    uint32_t address =
        c->link - (c->isa == ETM_ISA_THUMB || (c->insn.opcode >> 21 & 15) == 2
                       ? c->insn.opcode & 0xff
                       : 0);

    e->it = (uint8_t)((psr >> 25 & 3) | (psr >> 8 & 0xfc));
    if (e->it == 0)
        return;
    if (loads)
        address = (uint32_t)last[rfe ? -1 : 0].u.data.value;
    event->u.insn.next.address = address & ~1u;
}

static bool is_branch(const struct etm_insn *insn)
{
    return insn->type == ETM_INSN_TYPE_DIRECT ||
           insn->type == ETM_INSN_TYPE_INDIRECT;
}

/* What is only known once it has been executed. */
static void complete_data(struct etm_emulator *e, uint32_t psr)
{
    const struct etm_current *c = &e->current;

    if (c->excluded)
        exclusive_data(e);
    if (!is_coprocessor(&c->insn))
        return;
    if (c->insn.transfers.direction == ETM_DIRECTION_LOAD) {
        etm_machine_repeat_forget(e); /* it may be a timer */
        coprocessor_data(e, &c->insn, psr);
    }
    if (c->insn.transfers.direction != ETM_DIRECTION_LOAD &&
        c->insn.transfers.count == 1 && e->n_batch > c->event + 1)
        etm_machine_coprocessor(e, c->insn.opcode,
                                (uint32_t)e->batch[c->event + 1].u.data.value);
}

/* A processor before Thumb-2 takes such an instruction for two of 16 bits. */
static bool is_of_another_core(const struct etm_emulator *e)
{
    const struct etm_current *c = &e->current;

    return e->core->architecture < 7 && c->isa == ETM_ISA_THUMB &&
           c->insn.size == 4 &&
           (c->insn.opcode & 0xf800c000) != 0xf000c000; /* BL, BLX */
}

/* What Unicorn did is not what the instruction does. */
static void fail_at_insn(struct etm_emulator *e, const char *what)
{
    etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                     is_of_another_core(e)
                         ? "this core has no such instruction: the program was "
                           "made for another one"
                         : what);
}

/* Execution is at `address` now; `from` was the last place known. */
static void arrive(struct etm_emulator *e, uint32_t from, uint32_t address,
                   uint32_t psr)
{
    if (walk_it(e, from, psr) != address)
        fail_at_insn(e, "execution left the path of its instructions");
}

uint32_t etm_machine_finish(struct etm_emulator *e, uint32_t psr)
{
    struct etm_current *c = &e->current;

    c->running = false;
    if (c->passed)
        complete_data(e, psr);
    e->it = c->it_after;
    return c->address + c->insn.size;
}

/* On some hosts Unicorn 2.0.1 calls no hook for loads. */
static bool lacks_loads(const struct etm_emulator *e)
{
    const struct etm_current *c = &e->current;
    const struct etm_transfers *t = &c->insn.transfers;

    return c->passed && t->kind == ETM_TRANSFER_CORE &&
           t->direction == ETM_DIRECTION_LOAD && t->count != 0 &&
           e->n_batch == c->event + 1;
}

void etm_machine_complete(struct etm_emulator *e, uint32_t address,
                          uint32_t psr)
{
    struct etm_current *c = &e->current;
    struct etm_event *event = &e->batch[c->event];
    uint32_t behind;

    if (!c->running) {
        if (e->it != 0)
            arrive(e, e->resume, address, psr);
        return;
    }
    behind = etm_machine_finish(e, psr);
    if (lacks_loads(e))
        fail_at_insn(e, "Unicorn does not report loads on this machine");
    if (!c->passed || !is_branch(&c->insn)) {
        arrive(e, behind, address, psr);
    } else {
        event->u.insn.next = etm_machine_place(e, address, psr);
        e->it = 0;
        if (etm_insn_returns_from_exception(&c->insn) &&
            e->profile != ETM_PROFILE_M)
            return_into_it(e, event);
        if (e->pc_first)
            etm_order_pc(&c->insn, event + 1, e->n_batch - c->event - 1, true);
        if (event->u.insn.next.address != behind)
            etm_machine_owe(e, ETM_REFILL);
        if (e->it != 0)
            arrive(e, event->u.insn.next.address, address, psr);
    }
    note_mode(e, psr);
}

void etm_machine_abandon(struct etm_emulator *e, bool with_data)
{
    struct etm_current *c = &e->current;

    /* Unicorn loads the others before the PC */
    if (c->running &&
        (!with_data || (e->pc_first && etm_loads_pc_of_list(&c->insn))))
        drop_data(e);
    c->running = false;
}

void etm_machine_forget(struct etm_emulator *e)
{
    if (!e->current.running)
        return;
    etm_machine_abandon(e, false);
    e->n_batch--;
    e->owed += e->batch[e->n_batch].cycles - 1;
    e->result.cycles--;
    e->result.instructions--;
    e->clock--;
}

/* What an exception return may restore. */
static void keep_return(struct etm_emulator *e)
{
    e->current.base_value = etm_machine_get(e, UC_ARM_REG_SPSR);
    e->current.link = etm_machine_get(e, UC_ARM_REG_LR);
}

void etm_machine_begin(struct etm_emulator *e, uint32_t address, uint32_t psr,
                       enum etm_isa isa, const struct etm_insn *insn)
{
    struct etm_current *c = &e->current;

    c->running = true;
    c->isa = (uint8_t)isa;
    c->address = address;
    c->insn = *insn;
    c->passed = passes(e, insn, isa, psr);
    c->it_after = etm_it_advance(e->it, insn->it);
    c->excluded = insn->transfers.exclusive &&
                  insn->transfers.direction == ETM_DIRECTION_STORE;
    if (c->excluded && insn->transfers.base < 16)
        c->base_value =
            etm_machine_get(e, etm_machine_register(insn->transfers.base));
    else if (etm_insn_returns_from_exception(insn) &&
             e->profile != ETM_PROFILE_M)
        keep_return(e);
    c->event = e->n_batch;
    insn_event(e, insn, isa, address, c->passed);
    if (e->step != NULL)
        e->step(e->context, e->result.instructions - 1,
                etm_machine_get(e, UC_ARM_REG_SP));
    if (c->passed && is_coprocessor(insn) &&
        insn->transfers.direction == ETM_DIRECTION_STORE)
        coprocessor_data(e, insn, psr);
}
