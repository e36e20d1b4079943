/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unicorn's hooks. The one for code comes before each instruction, with the
 * flags up to date. A stop asked for there takes effect before the instruction,
 * but not within an IT block, where it comes late: none is asked for there. It
 * comes late in ARM code too that Unicorn has translated after Thumb code that
 * ended in an IT block: so an instruction has begun even where a stop was asked
 * for before it. Loads are seen after the access, when an unaligned one that
 * crosses a page is one and not three; stores are seen before it.
 */
#include "emulate/machine.h"

/* Does the instruction continue, as far as is known? */
static bool goes_on(const struct etm_emulator *e)
{
    return e->stop == ETM_STOP_NONE || e->stop == ETM_STOP_ATTENTION;
}

static void stop(struct etm_emulator *e, enum etm_stop why)
{
    if (goes_on(e))
        e->stop = why;
    e->unicorn.emu_stop(e->uc);
}

/* WFI, WFE, SEV, YIELD; Unicorn would leave its loop at some of them. */
static bool is_hint(const struct etm_insn *insn, enum etm_isa isa)
{
    if (isa == ETM_ISA_ARM)
        return (insn->opcode & 0x0ffffff8) == 0x0320f000 &&
               (insn->opcode & 7) != 0;
    if (insn->size == 2)
        return (insn->opcode & 0xff8f) == 0xbf00 && insn->opcode != 0xbf00;
    return (insn->opcode & 0xfffffff8) == 0xf3af8000 && (insn->opcode & 7) != 0;
}

bool etm_machine_is_wait(const struct etm_current *c)
{
    uint32_t op = c->insn.opcode;

    if (c->isa == ETM_ISA_THUMB && c->insn.size == 2)
        return op == 0xbf30;
    /* MCR p15, 0, Rt, c7, c0, 4 before Armv7 */
    return (op & 0x0fff0fff) == 0x0e070f90 ||
           (c->isa == ETM_ISA_ARM ? (op & 0x0fffffff) == 0x0320f003
                                  : op == 0xf3af8003);
}

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct etm_emulator *e = user;
    uint32_t psr = etm_machine_psr(e), at = (uint32_t)address;
    enum etm_isa isa = (enum etm_isa)etm_machine_place(e, at, psr).isa;
    const struct etm_insn *insn;
    bool attention;

    (void)uc;
    (void)size;
    if (e->stop != ETM_STOP_NONE && at == e->at)
        return;
    if (!goes_on(e)) {
        if (e->stop != ETM_STOP_FAILED)
            etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                             "Unicorn did not stop where it was told to");
        return;
    }
    e->stop = ETM_STOP_NONE;
    etm_machine_complete(e, at, psr);
    e->at = at;
    if (e->n_batch > ETM_BATCH - ETM_BATCH_MARGIN)
        etm_machine_flush(e);
    if ((at == e->repeat.at || at == e->current.address ||
         e->result.instructions >= e->repeat.next) &&
        e->it == 0 && etm_machine_repeats(e, at, psr))
        etm_machine_end(e, ETM_RUN_END_CIRCLE, at);
    if (e->done) {
        stop(e, ETM_STOP_FAILED);
        return;
    }
    attention = e->it == 0 && etm_machine_attention(e, psr);
    insn = etm_machine_decode(e, isa, at);
    if (insn == NULL) {
        etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                         "address translation that is not flat");
        stop(e, ETM_STOP_FAILED);
        return;
    }
    etm_machine_begin(e, at, psr, isa, insn);
    if (attention)
        stop(e, ETM_STOP_ATTENTION);
    else if (e->it == 0 &&
             (is_hint(insn, isa) || etm_machine_is_wait(&e->current)))
        stop(e, ETM_STOP_PASS_OVER);
}

/* One access of Unicorn's; doublewords are two transfers, or as many as the
 * instruction has elements. */
static void access_data(struct etm_emulator *e, uint32_t address, uint32_t size,
                        uint64_t value, bool store)
{
    const struct etm_transfers *t = &e->current.insn.transfers;
    uint32_t chunk = size > 4 ? 4 : size;

    if (!e->current.running || !goes_on(e))
        return;
    if (size > 4 && t->kind != ETM_TRANSFER_CORE && t->size != 0 && t->size < 4)
        chunk = t->size;
    for (uint32_t i = 0; i < size; i += chunk)
        etm_machine_data(e, address + i, (uint32_t)(value >> (8 * i)),
                         (uint8_t)chunk, store);
}

static void on_load(uc_engine *uc, uc_mem_type type, uint64_t address, int size,
                    int64_t value, void *user)
{
    struct etm_emulator *e = user;

    (void)uc;
    (void)type;
    if (!e->current.excluded)
        access_data(e, (uint32_t)address, (uint32_t)size, (uint64_t)value,
                    false);
}

static void on_store(uc_engine *uc, uc_mem_type type, uint64_t address,
                     int size, int64_t value, void *user)
{
    (void)uc;
    (void)type;
    access_data(user, (uint32_t)address, (uint32_t)size, (uint64_t)value, true);
}

/* Before a load from the system control space: put there what it reads. */
static void on_space_load(uc_engine *uc, uc_mem_type type, uint64_t address,
                          int size, int64_t value, void *user)
{
    struct etm_emulator *e = user;
    uint32_t at = (uint32_t)address & ~3u;

    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    if (e->m.systick_due != UINT64_MAX)
        etm_machine_repeat_forget(e);
    etm_machine_write32(e, at, etm_m_space_read(e, at - ETM_M_SPACE));
}

static void on_space_store(uc_engine *uc, uc_mem_type type, uint64_t address,
                           int size, int64_t value, void *user)
{
    (void)uc;
    (void)type;
    etm_m_space_write(user, (uint32_t)address, (uint32_t)value, (uint32_t)size);
}

static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address,
                        int size, int64_t value, void *user)
{
    struct etm_emulator *e = user;
    bool fetch = type == UC_MEM_FETCH_UNMAPPED;

    (void)uc;
    (void)size;
    (void)value;
    if (goes_on(e))
        e->stop = fetch ? ETM_STOP_PREFETCH_ABORT : ETM_STOP_DATA_ABORT;
    e->abort_address = (uint32_t)address;
    e->result.fault = type == UC_MEM_READ_UNMAPPED    ? ETM_RUN_FAULT_LOAD
                      : type == UC_MEM_WRITE_UNMAPPED ? ETM_RUN_FAULT_STORE
                                                      : ETM_RUN_FAULT_FETCH;
    e->result.fault_at = e->at;
    e->result.fault_access = (uint32_t)address;
    return false;
}

static void on_interrupt(uc_engine *uc, uint32_t number, void *user)
{
    struct etm_emulator *e = user;

    (void)uc;
    e->number = number;
    stop(e, ETM_STOP_INTERRUPT);
}

static bool on_invalid(uc_engine *uc, void *user)
{
    struct etm_emulator *e = user;

    (void)uc;
    if (goes_on(e))
        e->stop = ETM_STOP_UNDEFINED;
    return false;
}

static bool add_hook(struct etm_emulator *e, int types, void *function,
                     uint64_t first, uint64_t last)
{
    uc_hook hook;

    return e->unicorn.hook_add(e->uc, &hook, types, function, e, first, last) ==
           UC_ERR_OK;
}

/* Unicorn's interface takes all kinds of functions as void *. */
#define HOOK(e, types, function, first, last)                                  \
    add_hook(e, types, (void *)(uintptr_t)(function), first, last)

bool etm_machine_hook(struct etm_emulator *e)
{
    const uint64_t space = ETM_M_SPACE, end = space + ETM_PAGE - 1;
    bool done = HOOK(e, UC_HOOK_CODE, on_code, 1, 0) &&
                HOOK(e, UC_HOOK_MEM_READ_AFTER, on_load, 1, 0) &&
                HOOK(e, UC_HOOK_MEM_WRITE, on_store, 1, 0) &&
                HOOK(e, UC_HOOK_MEM_UNMAPPED, on_unmapped, 1, 0) &&
                HOOK(e, UC_HOOK_INTR, on_interrupt, 1, 0) &&
                HOOK(e, UC_HOOK_INSN_INVALID, on_invalid, 1, 0);

    if (done && e->profile == ETM_PROFILE_M)
        done = HOOK(e, UC_HOOK_MEM_READ, on_space_load, space, end) &&
               HOOK(e, UC_HOOK_MEM_WRITE, on_space_store, space, end);
    return done;
}
