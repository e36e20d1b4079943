/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of instructions of a Tarmac log. */
#include "exec/tarmac_internal.h"

#include "base/isa.h"
#include "isa/it.h"

#include <string.h>

/* What a line says. */
struct line {
    struct etm_word address, opcode, state;
    struct etm_word group; /* in the parentheses */
    uint8_t isa;
    bool aarch64;
};

static bool is_state(const struct etm_word *word, struct line *l)
{
    if (!etm_tarmac_isa(word, &l->isa, &l->aarch64))
        return false;
    l->state = *word;
    return true;
}

/* Address, opcode and instruction set, in all their orders. */
static bool take_encoding(struct etm_word *rest, struct line *l)
{
    bool grouped = etm_tarmac_group(rest, &l->group);
    struct etm_word behind, word;

    if (!etm_word_next(rest, &l->address))
        return false;
    if (grouped && is_state(&l->address, l)) { /* ES (8000:e1a00000) A */
        l->address = l->group;
        l->group.n = 0;
        return etm_word_cut(&l->address, ':', &l->opcode);
    }
    if (!etm_word_next(rest, &l->opcode))
        return false;
    if (grouped && is_state(&l->opcode, l)) { /* IT (8000:0) 4770 T16 */
        l->opcode = l->address;
        l->address = l->group;
        (void)etm_word_cut(&l->address, ':', &behind);
        return true;
    }
    behind = *rest;
    if (etm_word_next(&behind, &word) && is_state(&word, l))
        *rest = behind;
    return true;
}

/* "svc_s :", "thrd:", ":"; false: there is no mode. */
static bool take_mode(struct etm_word *rest, struct etm_word *mode)
{
    struct etm_word behind = *rest, word;

    if (!etm_word_next(&behind, mode))
        return false;
    if (mode->text[mode->n - 1] == ':') {
        mode->n--;
    } else if (!etm_word_next(&behind, &word) || !etm_word_is(&word, ":")) {
        return false;
    }
    *rest = behind;
    return true;
}

static void set_mode(struct etm_execution_reader *r, struct etm_word word,
                     struct etm_place *at)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word behind;

    t->mode = etm_tarmac_mode(&word);
    if (t->mode == ETM_TARMAC_THREAD || t->mode == ETM_TARMAC_HANDLER)
        etm_tarmac_see_m(r);
    at->hyp = t->mode == ETM_TARMAC_HYP;
    at->ns = at->hyp;
    if (etm_word_cut(&word, '_', &behind) &&
        (etm_word_is(&behind, "n") || etm_word_is(&behind, "ns")))
        at->ns = true;
}

static uint64_t common(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static uint64_t cycles_of(struct etm_execution_reader *r)
{
    struct etm_tarmac *t = &r->tarmac;
    bool later = t->has_before && t->time > t->before;
    uint64_t passed = later ? t->time - t->before : 1;
    uint64_t period = t->period != 0 ? t->period : t->counts ? 1 : 0;

    if (later && t->counts)
        r->report.step = common(r->report.step, passed);
    t->before = t->time;
    t->has_before = true;
    /* instructions that share a cycle get one each: logs are not reliable */
    return period == 0 || passed < period ? 1 : passed / period;
}

/* Place and opcode from the words of the line. */
static bool take_place(struct etm_execution_reader *r, const struct line *l,
                       struct etm_event *event, struct etm_place *at)
{
    struct etm_tarmac *t = &r->tarmac;
    uint64_t opcode;

    if (!etm_tarmac_address(l->address, &at->address) ||
        (l->opcode.n != 4 && l->opcode.n != 8) ||
        !etm_word_hex(&l->opcode, UINT32_MAX, &opcode))
        return false;
    if (l->state.n > 0)
        at->isa = l->isa;
    else if (l->opcode.n == 4)
        at->isa = ETM_ISA_THUMB;
    if (!etm_isa_is_aligned((enum etm_isa)at->isa, at->address) ||
        (at->isa == ETM_ISA_ARM && (l->opcode.n != 8 || t->m_profile)))
        return false;
    event->u.insn.address = at->address;
    event->u.insn.opcode = (uint32_t)opcode;
    event->u.insn.isa = at->isa;
    event->u.insn.size = (uint8_t)(l->opcode.n / 2);
    return true;
}

/* Offsets of exclusive loads and stores: Thumb has some of words. */
static uint8_t offset_of(const struct etm_tarmac_insn *e)
{
    bool word = e->at.isa != ETM_ISA_ARM &&
                (e->event.u.insn.opcode & 0xffe00000) == 0xe8400000;

    return word ? (uint8_t)e->event.u.insn.opcode : 0;
}

/* The address of a store-exclusive: that of the load-exclusive before it, if
 * their base register was not written between them. */
static struct etm_tarmac_value find_monitor(struct etm_tarmac *t,
                                            const struct etm_tarmac_insn *e)
{
    const uint8_t base = e->insn.transfers.base;
    struct etm_tarmac_value none = {0};

    for (unsigned i = t->n - 1; i-- > 0;) {
        const struct etm_tarmac_insn *x = etm_tarmac_waiting(t, i);
        const struct etm_transfers *load = &x->insn.transfers;
        struct etm_tarmac_value at = {UINT32_MAX, x->n_bytes > 0};

        if ((x->written >> base & 1) != 0)
            return none;
        if (!load->exclusive || load->direction != ETM_DIRECTION_LOAD)
            continue;
        for (size_t k = 0; k < x->n_bytes; k++) {
            if (x->bytes[k].address < at.value)
                at.value = x->bytes[k].address;
        }
        return load->base == base && offset_of(x) == offset_of(e) ? at : none;
    }
    return none;
}

/* What it needs of registers, before its own lines may change them. */
static void take_registers(struct etm_tarmac *t, struct etm_tarmac_insn *e)
{
    const struct etm_transfers *x = &e->insn.transfers;
    uint32_t opcode = e->event.u.insn.opcode;
    bool arm = e->at.isa == ETM_ISA_ARM;

    /* BX and BLX of a register */
    if (arm && (opcode & 0x0fffffd0) == 0x012fff10)
        e->target = etm_tarmac_register(t, e->mode, opcode & 0xf);
    else if (!arm && e->event.u.insn.size == 2 && (opcode & 0xff00) == 0x4700)
        e->target = etm_tarmac_register(t, e->mode, opcode >> 3 & 0xf);
    if (x->kind == ETM_TRANSFER_CPRT) {
        e->sources[0] = etm_tarmac_register(t, e->mode, x->first);
        e->sources[1] = etm_tarmac_register(t, e->mode, x->second);
    }
    if (x->exclusive && x->direction == ETM_DIRECTION_STORE)
        e->monitor = find_monitor(t, e);
}

/* Room for another instruction; the rest of it is zero. */
static struct etm_tarmac_insn *add(struct etm_execution_reader *r, int *status)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_tarmac_insn *e;

    *status = ETM_OK;
    if (t->n == ETM_TARMAC_WINDOW) /* an error ends the reading */
        *status = etm_tarmac_commit(r);
    e = etm_tarmac_waiting(t, t->n++);
    memset(e, 0, offsetof(struct etm_tarmac_insn, bytes));
    return e;
}

static void keep_text(struct etm_tarmac_insn *e, struct etm_word line)
{
    size_t n = line.n < sizeof e->text ? line.n : sizeof e->text - 1;

    memcpy(e->text, line.text, n);
    e->text[n] = '\0';
}

/* "--------": it could not be fetched. */
static bool is_missing(const struct etm_word *opcode)
{
    for (size_t i = 0; i < opcode->n; i++) {
        if (opcode->text[i] != '-')
            return false;
    }
    return opcode->n > 0;
}

/* AArch64 code has no trace in any of our architectures. */
static void leave(struct etm_execution_reader *r)
{
    struct etm_tarmac_insn *last = etm_tarmac_last(&r->tarmac);

    if (r->report.aarch64++ == 0)
        r->report.aarch64_line = r->report.lines;
    r->tarmac.outside = true;
    if (last != NULL)
        last->left = last->closed = true;
}

/* Its properties, and the IT block that it is in. */
static void decode(const struct etm_execution_reader *r,
                   const struct etm_tarmac_insn *before,
                   struct etm_tarmac_insn *e, uint8_t *it)
{
    bool follows =
        before != NULL && before->n_exceptions == 0 &&
        before->at.address + before->event.u.insn.size == e->at.address;

    etm_opcode_decode(r->profile, &e->event, &e->insn);
    if (!follows || e->at.isa == ETM_ISA_ARM)
        *it = 0;
    e->conditional = (e->insn.flags & ETM_INSN_CONDITIONAL) != 0 ||
                     (*it != 0 && *it >> 4 < 0xe);
    *it = etm_it_advance(*it, e->insn.it);
}

bool etm_tarmac_insn(struct etm_execution_reader *r, struct etm_word *rest,
                     struct etm_word line, bool failed, int *status)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    struct etm_place at = t->now;
    struct etm_word mode = {0};
    struct line l = {0};
    struct etm_tarmac_insn *e;
    uint32_t place;

    *status = ETM_OK;
    if (!take_encoding(rest, &l))
        return false;
    if (l.aarch64) {
        leave(r);
        return true;
    }
    if (is_missing(&l.opcode)) {
        r->report.passed_over++;
        return true;
    }
    if (l.isa == ETM_ISA_ARM && !t->fixed)
        etm_tarmac_see_arm(r);
    if (!take_place(r, &l, &event, &at))
        return false;
    if (!take_mode(rest, &mode) && l.state.n > 1 && !t->fixed)
        etm_tarmac_see_m(r); /* T16, T32: RTL of Cortex-M3 and M4 */
    if (mode.n > 0)
        set_mode(r, mode, &at);
    event.cycles = cycles_of(r);
    event.u.insn.passed = !failed && !etm_word_holds(rest, "CCFAIL");
    t->now = at;
    t->outside = false;
    e = add(r, status);
    e->line = r->report.lines;
    e->event = event;
    e->at = at;
    e->mode = t->mode;
    e->rtl = etm_tarmac_index(l.group, &place, &e->index);
    keep_text(e, line);
    decode(r, t->n > 1 ? etm_tarmac_waiting(t, t->n - 2) : NULL, e, &t->it);
    take_registers(t, e);
    etm_tarmac_take_early(t);
    return true;
}
