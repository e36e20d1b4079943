/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in the order of accesses (ETM architecture 3.4.3, 3.5.1, 3.5.24). */
#include "setup/explain.h"

#include "base/diag.h"

#include <string.h>

struct sequence {
    struct etm_lints lints;
    uint32_t cr;
    bool effective; /* ETMSR[1] was seen to be 1, or must be */
    bool tracing_told, changing_told; /* once is enough */
    bool os_lock;
    bool os_lock_known;
    uint8_t saving; /* enum etm_ossrr_state */
    bool count_known;
    uint32_t count, moved; /* words of a save or restore */
};

static void wrong(struct sequence *s, enum etm_lint_rule rule, uint32_t number,
                  const char *text)
{
    etm_lint_add(&s->lints, rule, ETM_SEVERITY_UNPREDICTABLE, number, "%s",
                 text);
}

/* Registers that 3.4.3 does not concern: locks, claim tag, power. */
static bool is_management(uint32_t number)
{
    return (number >= 0x0c0 && number <= 0x0c5) || number >= 0x3c0;
}

/* 3.4.3; tools clear the power down bit before anything else (3.5.1). */
static void write_control(struct sequence *s, uint32_t value)
{
    const struct etm_view *v = s->lints.view;
    uint32_t changed = s->cr ^ value;
    uint32_t others =
        changed & ~(uint32_t)(ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN);
    bool was_set = (s->cr & ETM_CR_PROGRAMMING) != 0;

    if (others != 0 && !was_set)
        wrong(s, ETM_LINT_WHILE_TRACING, ETM_REG_CR,
              "other bits of ETMCR change while the programming bit is clear");
    else if (others != 0 && !s->effective && v->version >= ETM_V1_2 &&
             !s->changing_told) {
        wrong(s, ETM_LINT_WHILE_TRACING, ETM_REG_CR,
              "other bits of ETMCR change before ETMSR[1] was read as 1");
        s->changing_told = true;
    }
    if (v->version >= ETM_V3_2 && (changed & ETM_CR_CORE_SELECT) != 0 &&
        (s->cr & (ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN)) !=
            (ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN))
        wrong(s, ETM_LINT_CORE_SELECT, ETM_REG_CR,
              "another processor is selected without ETMCR[10] and [0] set");
    if (!was_set)
        s->effective = false;
    s->cr = value;
}

static void write_trace(struct sequence *s, uint32_t number)
{
    const struct etm_view *v = s->lints.view;
    bool set = (s->cr & ETM_CR_PROGRAMMING) != 0;

    if ((set && (s->effective || v->version < ETM_V1_2)) || s->tracing_told)
        return;
    /* restored, while nothing can run */
    if (etm_version_saves_by_hand(v->version) && s->os_lock_known && s->os_lock)
        return;
    s->tracing_told = true;
    wrong(s, ETM_LINT_WHILE_TRACING, number,
          set ? "a register is written before ETMSR[1] was read as 1"
              : "a register is written while the programming bit is clear");
}

/* Table 3-55. */
static void save_restore(struct sequence *s, const struct etm_lint_access *a)
{
    const char *what = NULL;

    if (etm_version_saves_by_hand(s->lints.view->version)) {
        what = "ETMv3.5 and PFT 1.1 have no ETMOSSRR: registers are saved one "
               "by one";
    } else if (s->os_lock_known && !s->os_lock) {
        what = "ETMOSSRR is accessed without the OS lock";
    } else if (s->saving == ETM_OSSRR_FIRST) {
        if (a->write)
            what = "the first access to ETMOSSRR is a write";
        s->saving = ETM_OSSRR_READY;
        if (!s->count_known && !a->write) {
            s->count = a->value;
            s->count_known = true;
        }
    } else {
        uint8_t way = a->write ? ETM_OSSRR_RESTORE : ETM_OSSRR_SAVE;

        if (s->saving != ETM_OSSRR_READY && s->saving != way)
            what = "reads and writes of ETMOSSRR are mixed";
        s->saving = way;
        if (++s->moved > s->count && s->count_known && what == NULL)
            what =
                "ETMOSSRR is accessed more often than its first read announced";
    }
    if (what != NULL)
        wrong(s, ETM_LINT_SAVE_RESTORE, ETM_REG_OSSRR, what);
}

static void check_write(struct sequence *s, const struct etm_lint_access *a)
{
    const struct etm_view *v = s->lints.view;
    uint32_t bits = etm_lint_reserved_bits(v, a->number, a->value);

    if (v->has_file && (v->file.flags[a->number] & ETM_REG_EXISTS) == 0)
        wrong(s, ETM_LINT_NO_REGISTER, a->number,
              "a register that does not exist is written");
    else if (v->has_file && (v->file.flags[a->number] & ETM_REG_WRITES) == 0)
        wrong(s, ETM_LINT_READ_ONLY, a->number,
              "a read-only register is written");
    if (bits != 0)
        etm_lint_add(&s->lints, ETM_LINT_RESERVED_BITS,
                     ETM_SEVERITY_UNPREDICTABLE, a->number,
                     "reserved bits are written with ones: 0x%08x",
                     (unsigned)bits);
    if (a->number == ETM_REG_SQR && (a->value & 3) == 3)
        wrong(s, ETM_LINT_SEQUENCER_STATE, a->number,
              "3 is not a state of the sequencer");
}

static void take(struct sequence *s, const struct etm_lint_access *a)
{
    if (a->number == ETM_REG_OSSRR)
        save_restore(s, a);
    if (!a->write) {
        if (a->number == ETM_REG_SR)
            s->effective = (a->value & ETM_SR_PROGRAMMING) != 0;
        if (a->number == ETM_REG_CR)
            s->cr = a->value;
        return;
    }
    check_write(s, a);
    if (a->number == ETM_REG_CR) {
        write_control(s, a->value);
    } else if (a->number == ETM_REG_OSLAR) {
        s->os_lock = a->value == UINT32_C(0xc5acce55);
        s->os_lock_known = true;
        s->saving = ETM_OSSRR_FIRST;
        s->moved = 0;
    } else if (!is_management(a->number)) {
        write_trace(s, a->number);
    }
}

int etm_lint_accesses(const struct etm_explain_config *config,
                      const struct etm_lint_access *accesses, size_t n,
                      struct etm_lint *lints, size_t capacity,
                      struct etm_diag *diag)
{
    struct etm_view view;
    struct sequence s = {
        .lints = {.view = &view, .lints = lints, .capacity = capacity}};
    int status = etm_view_init(&view, config, diag);

    if (status == ETM_OK)
        status = etm_lint_room(lints, capacity, diag);
    if (status == ETM_OK && accesses == NULL && n != 0)
        status = etm_diag_say(diag, ETM_ERR_ARGUMENT, "accesses",
                              "the accesses are NULL");
    if (status != ETM_OK)
        return status;
    s.cr = view.known[ETM_REG_CR] ? view.value[ETM_REG_CR]
                                  : ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN;
    s.effective = (s.cr & ETM_CR_PROGRAMMING) != 0;
    if (view.known[ETM_REG_OSLSR]) {
        s.os_lock = etm_bit(view.value[ETM_REG_OSLSR], 1);
        s.os_lock_known = true;
    }
    for (size_t i = 0; i < n; i++) {
        if (accesses[i].number < ETM_REGISTERS)
            take(&s, &accesses[i]);
        else
            wrong(&s, ETM_LINT_NO_REGISTER, accesses[i].number,
                  "a register that does not exist is accessed");
    }
    return (int)s.lints.n;
}
