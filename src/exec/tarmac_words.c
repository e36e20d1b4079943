/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a Tarmac log, and the instructions that wait. */
#include "exec/tarmac_internal.h"

#include <string.h>

void etm_tarmac_puzzle(struct etm_execution_reader *r, struct etm_word line,
                       uint64_t number)
{
    struct etm_execution_report *report = &r->report;
    size_t n = line.n;

    if (report->not_understood++ != 0 && report->first <= number)
        return;
    report->first = number;
    if (n >= sizeof report->text)
        n = sizeof report->text - 1;
    for (size_t i = 0; i < n; i++) {
        char c = line.text[i];

        report->text[i] = c >= ' ' && c <= '~' ? c : ' ';
    }
    report->text[n] = '\0';
}

struct etm_word etm_tarmac_text(const struct etm_tarmac_insn *insn)
{
    return (struct etm_word){insn->text, strlen(insn->text)};
}

bool etm_tarmac_address(struct etm_word word, uint32_t *address)
{
    struct etm_word behind;
    uint64_t number;

    /* physical addresses stand after the virtual one */
    (void)etm_word_cut(&word, ',', &behind);
    (void)etm_word_cut(&word, ':', &behind);
    (void)etm_word_cut(&word, '_', &behind);
    if (!etm_word_hex(&word, UINT32_MAX, &number))
        return false;
    *address = (uint32_t)number;
    return true;
}

bool etm_tarmac_isa(const struct etm_word *word, uint8_t *isa, bool *aarch64)
{
    *aarch64 = etm_word_is(word, "O");
    if (etm_word_is(word, "A"))
        *isa = ETM_ISA_ARM;
    else if (etm_word_is(word, "T") || etm_word_is(word, "T16") ||
             etm_word_is(word, "T32"))
        *isa = ETM_ISA_THUMB;
    else if (etm_word_is(word, "X"))
        *isa = ETM_ISA_THUMBEE;
    else
        return *aarch64;
    return true;
}

bool etm_tarmac_group(struct etm_word *rest, struct etm_word *group)
{
    struct etm_word line = *rest, inner;

    while (line.n > 0 && (*line.text == ' ' || *line.text == '\t')) {
        line.text++;
        line.n--;
    }
    if (line.n == 0 || *line.text != '(')
        return false;
    line.text++;
    line.n--;
    inner = line;
    if (!etm_word_cut(&inner, ')', rest))
        return false;
    return etm_word_next(&inner, group);
}

bool etm_tarmac_index(struct etm_word group, uint32_t *address, uint32_t *index)
{
    struct etm_word behind;
    uint64_t number;

    if (!etm_word_cut(&group, ':', &behind) ||
        !etm_word_hex(&behind, UINT32_MAX, &number) ||
        !etm_tarmac_address(group, address))
        return false;
    *index = (uint32_t)number;
    return true;
}

uint8_t etm_tarmac_mode(const struct etm_word *word)
{
    static const struct {
        const char *name;
        uint8_t mode;
    } rows[] = {
        {"usr", ETM_TARMAC_USR},      {"sys", ETM_TARMAC_SYS},
        {"fiq", ETM_TARMAC_FIQ},      {"irq", ETM_TARMAC_IRQ},
        {"svc", ETM_TARMAC_SVC},      {"abt", ETM_TARMAC_ABT},
        {"und", ETM_TARMAC_UND},      {"mon", ETM_TARMAC_MON},
        {"hyp", ETM_TARMAC_HYP},      {"thread", ETM_TARMAC_THREAD},
        {"thrd", ETM_TARMAC_THREAD},  {"hand", ETM_TARMAC_HANDLER},
        {"hndl", ETM_TARMAC_HANDLER},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (etm_word_begins(word, rows[i].name))
            return rows[i].mode;
    }
    return ETM_TARMAC_UNKNOWN;
}

void etm_tarmac_see_m(struct etm_execution_reader *r)
{
    struct etm_tarmac *t = &r->tarmac;

    if (t->arm_state)
        return;
    r->report.profile = r->profile = ETM_PROFILE_M;
    t->m_profile = true;
    t->now.isa = ETM_ISA_THUMB;
}

void etm_tarmac_see_arm(struct etm_execution_reader *r)
{
    r->tarmac.arm_state = true;
    if (!r->tarmac.m_profile)
        return;
    r->report.profile = r->profile = ETM_PROFILE_UNKNOWN;
    r->tarmac.m_profile = false;
}

struct etm_tarmac_insn *etm_tarmac_waiting(struct etm_tarmac *t, unsigned i)
{
    return &t->insns[(t->first + i) % ETM_TARMAC_WINDOW];
}

struct etm_tarmac_insn *etm_tarmac_last(struct etm_tarmac *t)
{
    return t->n == 0 ? NULL : etm_tarmac_waiting(t, t->n - 1);
}
