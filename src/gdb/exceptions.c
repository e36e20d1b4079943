/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/exceptions.h"

#include "isa/decode.h"

/* MSR CONTROL, Rn and its bits (ARMv7-M ARM, B5.2.3, B1.4.4). */
#define MSR_MASK 0xfff0ffffu
#define MSR_CONTROL 0xf3808814u
#define CONTROL_NPRIV (1u << 0)
#define CONTROL_SPSEL (1u << 1)

void etm_gdb_exceptions_forget(struct etm_gdb_exceptions *x)
{
    *x = (struct etm_gdb_exceptions){.never = x->never};
}

void etm_gdb_exceptions_reset(struct etm_gdb_exceptions *x)
{
    etm_gdb_exceptions_forget(x);
    x->thread = ETM_GDB_RETURN_TO_MAIN;
    x->privileged = true;
}

/* Unprivileged code writes it in vain, and a handler cannot change the stack of
 * Thread mode. */
static void write_control(struct etm_gdb_exceptions *x, bool sure,
                          bool value_known, uint32_t value)
{
    uint32_t thread = (value & CONTROL_SPSEL) != 0 ? ETM_GDB_RETURN_TO_PROCESS
                                                   : ETM_GDB_RETURN_TO_MAIN;

    if (x->n == 0 &&
        !(value_known && (thread == x->thread || (sure && x->privileged))))
        thread = 0;
    if (x->n == 0 && x->thread != 0)
        x->thread = thread;
    x->privileged =
        x->privileged && value_known && (value & CONTROL_NPRIV) == 0;
}

static bool moves_lr(const struct etm_insn *insn,
                     enum etm_transfer_direction direction)
{
    const struct etm_transfers *t = &insn->transfers;

    return t->kind == ETM_TRANSFER_CORE && t->direction == direction &&
           t->base == ETM_REGISTER_SP &&
           ((t->registers >> ETM_REGISTER_LR & 1u) != 0 ||
            t->first == ETM_REGISTER_LR || t->second == ETM_REGISTER_LR);
}

void etm_gdb_exceptions_insn(struct etm_gdb_exceptions *x,
                             const struct etm_insn *insn, bool sure,
                             const struct etm_gdb_effect *effect,
                             const struct etm_gdb_registers *before)
{
    struct etm_gdb_handler *h = x->n != 0 ? &x->handlers[x->n - 1] : NULL;
    unsigned source = insn->opcode >> 16 & 15u;

    x->interrupting = false;
    if (insn->size == 4 && (insn->opcode & MSR_MASK) == MSR_CONTROL)
        write_control(x, sure, etm_gdb_knows(before, source),
                      before->value[source]);
    if (!h)
        return;
    if (moves_lr(insn, ETM_DIRECTION_STORE))
        h->in_stack = h->in_stack || (sure && h->in_lr);
    else if (moves_lr(insn, ETM_DIRECTION_LOAD)) /* from where it was saved */
        h->in_lr = sure ? h->in_stack : h->in_stack && h->in_lr;
    else if ((effect->written >> ETM_REGISTER_LR & 1u) != 0)
        h->in_lr = false;
}

uint32_t etm_gdb_exceptions_enter(struct etm_gdb_exceptions *x,
                                  const struct etm_element *e)
{
    struct etm_gdb_handler handler = {.link = x->thread, .in_lr = true};

    if (e->u.exception.type == ETM_EXCEPTION_RESET) {
        etm_gdb_exceptions_reset(x);
        return 0;
    }
    if (e->u.exception.type == ETM_EXCEPTION_DEBUG_HALT) {
        etm_gdb_exceptions_forget(x); /* a debugger may change anything */
        return 0;
    }
    /* a late arrival takes the place of one that has executed nothing */
    if (x->interrupting && x->n != 0 && e->u.exception.return_known &&
        e->u.exception.return_address == x->return_address)
        x->n--;
    if (x->n != 0)
        handler.link = ETM_GDB_RETURN_TO_HANDLER;
    if (x->n == ETM_GDB_HANDLERS_MOST)
        etm_gdb_exceptions_forget(x);
    x->handlers[x->n++] = handler;
    x->interrupting = e->u.exception.return_known;
    x->return_address = e->u.exception.return_address;
    return etm_gdb_exceptions_link(x, 0);
}

/* The register that BX returns by; ETM_NO_REGISTER: it is another instruction,
 * which loads the PC. */
static unsigned returns_by(uint32_t opcode)
{
    return (opcode & 0xffffff87u) == 0x4700u ? opcode >> 3 & 15u
                                             : ETM_NO_REGISTER;
}

void etm_gdb_exceptions_return(struct etm_gdb_exceptions *x, uint32_t opcode,
                               const struct etm_gdb_registers *before)
{
    const struct etm_gdb_handler *h = x->n != 0 ? &x->handlers[x->n - 1] : NULL;
    unsigned reg = returns_by(opcode);
    uint32_t link = 0;

    if (reg < 15 && etm_gdb_knows(before, reg))
        link = before->value[reg];
    else if (h &&
             (reg == ETM_REGISTER_LR ? h->in_lr
                                     : reg == ETM_NO_REGISTER && h->in_stack))
        link = h->link;
    x->interrupting = false;
    x->n = (uint8_t)(h ? x->n - 1 : 0);
    if (link == ETM_GDB_RETURN_TO_HANDLER && x->n != 0)
        return; /* to the one below */
    x->n = 0;
    x->thread =
        link == ETM_GDB_RETURN_TO_MAIN || link == ETM_GDB_RETURN_TO_PROCESS
            ? link
            : 0;
}

uint32_t etm_gdb_exceptions_link(const struct etm_gdb_exceptions *x,
                                 size_t above)
{
    /* of the FPU it is not followed what it has */
    return x->never.floats && above < x->n ? x->handlers[x->n - 1 - above].link
                                           : 0;
}
