/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that a Tarmac log says were written. */
#include "exec/tarmac_internal.h"

enum { SP = 13, LR = 14, PC = 15 };

/* The bank of a core register: those from r8 on are not the same in all
 * modes. */
static uint8_t bank_of(uint8_t mode, unsigned n)
{
    if (mode > ETM_TARMAC_HYP || n < 8 || (mode != ETM_TARMAC_FIQ && n < 13) ||
        (mode == ETM_TARMAC_HYP && n == LR))
        return ETM_TARMAC_USR;
    return mode;
}

struct etm_tarmac_value etm_tarmac_register(const struct etm_tarmac *t,
                                            uint8_t mode, unsigned n)
{
    if (n >= PC)
        return (struct etm_tarmac_value){0};
    return t->registers[bank_of(mode, n)][n];
}

void etm_tarmac_forget_link(struct etm_tarmac *t, uint8_t mode)
{
    t->registers[bank_of(mode, LR)][LR].known = false;
}

/* "r0" to "r14", "sp", "lr", with a mode behind _ or without; -1: another. */
static int number_of(struct etm_word name)
{
    static const struct {
        const char *name;
        int number;
    } rows[] = {{"fp", 11}, {"ip", 12}, {"sp", 13}, {"lr", 14}};
    struct etm_word mode, digits;
    uint64_t n;

    (void)etm_word_cut(&name, '_', &mode);
    digits = (struct etm_word){name.text + 1, name.n - 1};
    if (name.n > 1 && (*name.text == 'r' || *name.text == 'R') &&
        etm_word_dec(&digits, LR, &n))
        return (int)n;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (etm_word_is_like(&name, rows[i].name))
            return rows[i].number;
    }
    return -1;
}

/* Registers that only M-profile processors have. */
static bool is_of_m(const struct etm_word *name)
{
    static const char *const names[] = {"msp",      "psp",        "xpsr",
                                        "primask",  "basepri",    "faultmask",
                                        "r13_main", "r13_process"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (etm_word_begins(name, names[i]))
            return true;
    }
    return false;
}

/* The mode whose register it is: "r14_irq", "R1 (USR)"; else the present. */
static uint8_t mode_of(const struct etm_tarmac *t, struct etm_word name,
                       const struct etm_word *group)
{
    struct etm_word suffix;
    uint8_t mode = ETM_TARMAC_UNKNOWN;

    if (etm_word_cut(&name, '_', &suffix))
        mode = etm_tarmac_mode(&suffix);
    if (mode == ETM_TARMAC_UNKNOWN && group->n > 0)
        mode = etm_tarmac_mode(group);
    return mode != ETM_TARMAC_UNKNOWN ? mode : t->mode;
}

static void take_link(struct etm_tarmac_insn *e, uint8_t mode,
                      struct etm_tarmac_value value)
{
    e->link = value;
    e->link_mode = mode;
    if (e->n_exceptions > 0)
        e->exceptions[e->n_exceptions - 1].link = value;
}

static void take_core(struct etm_tarmac *t, unsigned n, uint8_t mode,
                      struct etm_tarmac_value value)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(t);

    t->registers[bank_of(mode, n)][n] = value;
    if (e == NULL)
        return;
    if (value.known && e->n_exceptions == 0) {
        e->written |= (uint16_t)(1u << n);
        e->values[n] = value.value;
        e->one = value.value == 1;
    }
    if (n == LR)
        take_link(e, mode, value);
}

/* The program status: what mode or exception the processor is in. */
static void take_psr(struct etm_tarmac *t, uint32_t value)
{
    static const uint8_t modes[16] = {
        [0x0] = ETM_TARMAC_USR, [0x1] = ETM_TARMAC_FIQ, [0x2] = ETM_TARMAC_IRQ,
        [0x3] = ETM_TARMAC_SVC, [0x6] = ETM_TARMAC_MON, [0x7] = ETM_TARMAC_ABT,
        [0xa] = ETM_TARMAC_HYP, [0xb] = ETM_TARMAC_UND, [0xf] = ETM_TARMAC_SYS,
    };
    struct etm_tarmac_insn *e = etm_tarmac_last(t);

    if (!t->m_profile) {
        t->mode = (value & 0x10) != 0 ? modes[value & 0xf] : ETM_TARMAC_UNKNOWN;
        return;
    }
    if ((value & 0x1ff) == t->number)
        return;
    t->number = value & 0x1ff;
    if (e != NULL)
        e->number = (struct etm_tarmac_value){t->number, true};
}

static void take_context(struct etm_tarmac *t, uint32_t value)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(t);

    *(e == NULL ? &t->context_id : &e->context_id) =
        (struct etm_tarmac_value){value, true};
}

/* Registers that are not core registers. */
static void take_other(struct etm_tarmac *t, const struct etm_word *name,
                       uint32_t value)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(t);

    if (etm_word_begins(name, "CONTEXTIDR"))
        take_context(t, value);
    else if (etm_word_is_like(name, "cpsr") || etm_word_is_like(name, "psr") ||
             etm_word_is_like(name, "xpsr") || etm_word_is_like(name, "ipsr"))
        take_psr(t, value);
    else if (etm_word_begins(name, "spsr") && e != NULL && e->n_exceptions > 0)
        e->exceptions[e->n_exceptions - 1].spsr =
            (struct etm_tarmac_value){value, true};
}

void etm_tarmac_register_line(struct etm_execution_reader *r,
                              struct etm_word *rest)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word name, group = {0}, word;
    struct etm_tarmac_value value = {0};
    uint64_t number = 0;
    bool is_number;
    int n;

    if (!etm_word_next(rest, &name))
        return;
    (void)etm_tarmac_group(rest, &group);
    is_number =
        etm_word_next(rest, &word) && etm_word_hex(&word, UINT32_MAX, &number);
    /* some of the digits, or dashes: it has another value, but which? */
    if (is_number && word.n == 8)
        value = (struct etm_tarmac_value){(uint32_t)number, true};
    n = number_of(name);
    if (!t->m_profile && (n < 0 || n == SP) && is_of_m(&name))
        etm_tarmac_see_m(r);
    if (n >= 0)
        take_core(t, (unsigned)n, mode_of(t, name, &group), value);
    else if (is_number)
        take_other(t, &name, (uint32_t)number);
}
