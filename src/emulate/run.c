/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running: Unicorn executes until something happens that is handled here; then
 * the processor's state is changed, and Unicorn is started again.
 */
#include "emulate/machine.h"

#include "input/text.h"

#include <string.h>

/* Unicorn's numbers of exceptions. */
enum {
    UNICORN_UNDEFINED = 1,
    UNICORN_SVC = 2,
    UNICORN_PREFETCH_ABORT = 3,
    UNICORN_DATA_ABORT = 4,
    UNICORN_BKPT = 7,
    UNICORN_EXCEPTION_RETURN = 8,
    UNICORN_NO_COPROCESSOR = 17,
    UNICORN_INVALID_STATE = 18
};

/* Bits of the M profile's CFSR. */
#define CFSR_PRECISERR 0x8200u /* with BFARVALID */
#define CFSR_IBUSERR 0x100u
#define CFSR_UNDEFINSTR 0x10000u
#define CFSR_INVSTATE 0x20000u

/* No address where code can be: Unicorn never gets there. */
#define NOWHERE 0xfffffffeu

static uint32_t with_state(const struct etm_emulator *e, uint32_t address,
                           uint32_t psr)
{
    return etm_machine_place(e, address, psr).isa == ETM_ISA_THUMB ? address | 1
                                                                   : address;
}

static bool is_semihosting_svc(const struct etm_emulator *e)
{
    const struct etm_current *c = &e->current;

    if (e->profile == ETM_PROFILE_M)
        return false;
    return c->isa == ETM_ISA_THUMB ? (c->insn.opcode & 0xff) == 0xab
                                   : (c->insn.opcode & 0xffffff) == 0x123456;
}

/* BKPT 0xab */
static bool is_semihosting_bkpt(const struct etm_current *c)
{
    uint32_t opcode = c->insn.opcode;

    return (c->isa == ETM_ISA_THUMB
                ? opcode & 0xff
                : (opcode >> 4 & 0xfff0) + (opcode & 15)) == 0xab;
}

static uint32_t supervisor_call(struct etm_emulator *e, uint32_t psr)
{
    uint32_t link = etm_machine_finish(e, psr);

    if (is_semihosting_svc(e)) {
        etm_machine_semihost(e);
        return with_state(e, link, psr);
    }
    return e->profile == ETM_PROFILE_M
               ? etm_m_svc(e, link)
               : etm_machine_take(e, ETM_EXCEPTION_SVC, link, false);
}

static uint32_t breakpoint(struct etm_emulator *e, uint32_t psr)
{
    uint32_t address = e->current.address;

    if (!is_semihosting_bkpt(&e->current)) {
        etm_machine_forget(e);
        etm_machine_end(e, ETM_RUN_END_BREAKPOINT, address);
        return address;
    }
    address = etm_machine_finish(e, psr);
    etm_machine_semihost(e);
    return with_state(e, address, psr);
}

/* Of the VFP, coprocessors 10 and 11, or Advanced SIMD (ARMv7-A, A7.1): what
 * start-up code has to enable. */
static bool is_float(const struct etm_current *c)
{
    uint32_t opcode = c->insn.opcode;
    bool coprocessor = (opcode >> 8 & 0xe) == 0xa;

    if (c->isa == ETM_ISA_THUMB)
        return c->insn.size == 4 &&
               ((coprocessor && (opcode >> 26 & 0x3b) == 0x3b) ||
                (opcode & 0xef000000) == 0xef000000 ||
                (opcode & 0xff100000) == 0xf9000000);
    return (coprocessor && (opcode >> 26 & 3) == 3 &&
            (opcode >> 24 & 15) != 15) ||
           (opcode & 0xfe000000) == 0xf2000000 ||
           (opcode & 0xff100000) == 0xf4000000;
}

static uint32_t undefined(struct etm_emulator *e)
{
    uint32_t address = e->at;
    bool thumb = e->current.isa == ETM_ISA_THUMB;

    e->result.fault = e->current.address == address && is_float(&e->current)
                          ? ETM_RUN_FAULT_FLOAT
                          : ETM_RUN_FAULT_UNDEFINED;
    e->result.fault_at = address;
    etm_machine_abandon(e, false);
    if (e->profile == ETM_PROFILE_M) {
        e->m.cfsr |= CFSR_UNDEFINSTR;
        return etm_m_fault(e, ETM_M_USAGE_FAULT, address, true);
    }
    return etm_machine_take(e, ETM_EXCEPTION_UNDEFINED,
                            address + (thumb ? 2 : 4), false);
}

static uint32_t data_abort(struct etm_emulator *e)
{
    uint32_t address = e->at;

    etm_machine_abandon(e, true);
    if (e->profile == ETM_PROFILE_M) {
        e->m.cfsr |= CFSR_PRECISERR;
        e->m.bfar = e->abort_address;
        return etm_m_fault(e, ETM_M_BUS_FAULT, address, true);
    }
    return etm_machine_take(e, ETM_EXCEPTION_DATA_ABORT, address + 8, true);
}

static uint32_t prefetch_abort(struct etm_emulator *e, uint32_t psr)
{
    uint32_t address = etm_machine_get(e, UC_ARM_REG_PC) & ~1u;

    etm_machine_complete(e, address, psr);
    if (e->done)
        return address;
    if (e->profile == ETM_PROFILE_M) {
        e->m.cfsr |= CFSR_IBUSERR;
        return etm_m_fault(e, ETM_M_BUS_FAULT, address, false);
    }
    return etm_machine_take(e, ETM_EXCEPTION_PREFETCH_ABORT, address + 4,
                            false);
}

/* M profile: a branch to an address without the T bit. */
static uint32_t invalid_state(struct etm_emulator *e, uint32_t psr)
{
    uint32_t address = etm_machine_get(e, UC_ARM_REG_PC) & ~1u;

    etm_machine_complete(e, address, psr);
    if (e->done)
        return address;
    e->m.cfsr |= CFSR_INVSTATE;
    return etm_m_fault(e, ETM_M_USAGE_FAULT, address, false);
}

static uint32_t interrupted(struct etm_emulator *e, uint32_t psr)
{
    switch (e->number) {
    case UNICORN_SVC:
        return supervisor_call(e, psr);
    case UNICORN_BKPT:
        return breakpoint(e, psr);
    case UNICORN_EXCEPTION_RETURN:
        return etm_m_return(e, etm_machine_get(e, UC_ARM_REG_PC) | 1);
    case UNICORN_PREFETCH_ABORT:
        return prefetch_abort(e, psr);
    case UNICORN_DATA_ABORT:
        return data_abort(e);
    case UNICORN_UNDEFINED:
    case UNICORN_NO_COPROCESSOR:
        return undefined(e);
    case UNICORN_INVALID_STATE:
        return invalid_state(e, psr);
    default:
        etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                         "an unknown exception of Unicorn");
        return e->at;
    }
}

/* Before the instruction that was the last to begin; or after it, if it was
 * executed nevertheless. */
static uint32_t attend(struct etm_emulator *e, uint32_t psr)
{
    uint32_t pc = etm_machine_get(e, UC_ARM_REG_PC) & ~1u, next;

    if (pc == e->at)
        etm_machine_forget(e);
    else
        etm_machine_complete(e, pc, psr);
    e->at = pc;
    if (e->done)
        return pc;
    next = with_state(e, pc, psr);
    if (e->result.instructions >= e->limit)
        etm_machine_end(e, ETM_RUN_END_LIMIT, e->at);
    else if (e->profile == ETM_PROFILE_M)
        (void)etm_m_interrupt(e, e->at, &next);
    else
        (void)etm_machine_interrupt(e, e->at, &next);
    return next;
}

static uint32_t pass_over(struct etm_emulator *e, uint32_t psr)
{
    bool waits = e->current.passed && etm_machine_is_wait(&e->current);
    uint32_t next = etm_machine_finish(e, psr);

    if (waits)
        etm_machine_wait(e, next);
    return with_state(e, next, psr);
}

/* Unicorn has stopped; where does execution go on? */
static uint32_t attend_to_stop(struct etm_emulator *e, uc_err error)
{
    uint32_t psr = etm_machine_psr(e), next;

    switch (e->stop) {
    case ETM_STOP_NONE:
        if (error != UC_ERR_OK)
            etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                             e->unicorn.strerror(error));
        /* a WFI in an IT block, where it could not be skipped */
        next = etm_machine_finish(e, psr);
        if (!e->done)
            etm_machine_wait(e, next);
        return with_state(e, next, psr);
    case ETM_STOP_ATTENTION:
        return attend(e, psr);
    case ETM_STOP_PASS_OVER:
        return pass_over(e, psr);
    case ETM_STOP_INTERRUPT:
        return interrupted(e, psr);
    case ETM_STOP_UNDEFINED:
        return undefined(e);
    case ETM_STOP_DATA_ABORT:
        return data_abort(e);
    case ETM_STOP_PREFETCH_ABORT:
        return prefetch_abort(e, psr);
    case ETM_STOP_FAILED:
        break;
    }
    return e->at;
}

/* Unicorn forgets the IT state where it stops, and keeps it over exceptions. */
static void restore_it(struct etm_emulator *e)
{
    uint32_t psr = etm_machine_psr(e);
    uint32_t it = etm_it_to_psr(e->it);

    if ((psr & ETM_IT_PSR) != it)
        etm_machine_set(e, UC_ARM_REG_CPSR, (psr & ~ETM_IT_PSR) | it);
}

/*
 * A processor starts in the Secure state; Unicorn starts in the other one,
 * where FIQ cannot be unmasked. Most cores have no SCR.
 */
static void make_secure(struct etm_emulator *e)
{
    uc_arm_cp_reg scr = {.cp = 15, .sec = 1, .crn = 1, .crm = 1};

    (void)e->unicorn.reg_write(e->uc, UC_ARM_REG_CP_REG, &scr);
}

static void set_up(struct etm_emulator *e)
{
    bool is_m = e->profile == ETM_PROFILE_M;
    struct etm_event *event = etm_machine_event(e, ETM_EVENT_PLACE, 0);

    event->u.place.at = etm_emulator_start(e);
    if (!is_m)
        make_secure(e);
    if (!is_m)
        etm_machine_set(e, UC_ARM_REG_CPSR,
                        e->core->architecture >= 6 ? 0x1d3 : 0xd3);
    etm_machine_set(e, is_m ? UC_ARM_REG_MSP : UC_ARM_REG_SP, e->stack);
    etm_machine_set(e, UC_ARM_REG_LR, is_m ? 0xffffffff : 0);
    e->due = 0;
    etm_machine_collect(e);
    etm_machine_repeat_begin(e);
}

int etm_emulator_run(struct etm_emulator *emulator,
                     struct etm_run_result *result, struct etm_diag *diag)
{
    struct etm_emulator *e = emulator;
    uint32_t pc = e->start;

    *result = (struct etm_run_result){0};
    if (e->was_run)
        return etm_text_fail(diag, ETM_ERR_ARGUMENT, e->core->name,
                             ETM_DIAG_NONE, "this program was run already");
    e->was_run = true;
    set_up(e);
    while (!e->done) {
        restore_it(e);
        e->resume = pc & ~1u;
        e->stop = ETM_STOP_NONE;
        pc = attend_to_stop(e, e->unicorn.emu_start(e->uc, pc, NOWHERE, 0, 0));
    }
    etm_machine_repeat_end(e);
    if (e->owed != 0)
        (void)etm_machine_event(e, ETM_EVENT_IDLE, 0);
    etm_machine_flush(e);
    *result = e->result;
    if (e->status != ETM_OK && e->failure[0] != '\0') {
        etm_text_fail(diag, e->status, e->core->name, ETM_DIAG_NONE, "%s",
                      e->failure);
        if (diag != NULL)
            diag->address = e->at;
    }
    return e->status;
}
