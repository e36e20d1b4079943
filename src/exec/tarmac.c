/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a Tarmac log: time, processor, and what kind of line it is. */
#include "base/isa.h"
#include "exec/tarmac_internal.h"

#include <string.h>

/* "12 clk", "271ns"; ES logs give it once for all lines of an instruction. */
static void take_time(struct etm_tarmac *t, struct etm_word *line)
{
    static const struct {
        const char *name;
        bool counts;
    } units[] = {
        {"clk", true}, {"tic", true},  {"cyc", true},
        {"cs", true},  {"hclk", true}, {"fs", false},
        {"ps", false}, {"ns", false},  {"us", false},
    };
    struct etm_word rest = *line, word, number, unit;
    uint64_t time;

    if (!etm_word_next(&rest, &word))
        return;
    number = word;
    number.n = 0;
    while (number.n < word.n && word.text[number.n] >= '0' &&
           word.text[number.n] <= '9')
        number.n++;
    if (!etm_word_dec(&number, UINT64_MAX, &time))
        return;
    unit = (struct etm_word){word.text + number.n, word.n - number.n};
    *line = rest;
    if (unit.n == 0 && !etm_word_next(&rest, &unit)) {
        t->time = time;
        return;
    }
    t->counts = true; /* no known unit: taken as cycles */
    t->time = time;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (etm_word_is_like(&unit, units[i].name)) {
            t->counts = units[i].counts;
            *line = rest;
        }
    }
}

/* "cpu0", "cluster0.cpu1": is it the selected one? */
static bool take_cpu(struct etm_tarmac *t, struct etm_word *line)
{
    struct etm_word rest = *line, word;

    if (!etm_word_next(&rest, &word) ||
        (!etm_word_begins(&word, "cpu") && !etm_word_begins(&word, "cluster") &&
         !etm_word_holds(&word, ".cpu")))
        return true;
    *line = rest;
    if (word.text[word.n - 1] == ':')
        word.n--;
    if (word.n >= sizeof t->cpu)
        word.n = sizeof t->cpu - 1;
    if (t->cpu[0] == '\0')
        memcpy(t->cpu, word.text, word.n);
    return etm_word_is_like(&word, t->cpu);
}

/* "BR (000204f0) A" */
static bool br_line(struct etm_tarmac *t, struct etm_word *rest)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(t);
    struct etm_word group, word;
    struct etm_place place = t->now;
    bool aarch64 = false;

    if (!etm_tarmac_group(rest, &group))
        return false;
    if (etm_word_next(rest, &word))
        (void)etm_tarmac_isa(&word, &place.isa, &aarch64);
    if (aarch64 || t->outside)
        return true;
    if (!etm_tarmac_address(group, &place.address) ||
        !etm_isa_is_aligned((enum etm_isa)place.isa, place.address))
        return false;
    if (e != NULL && e->n_exceptions == 0) {
        e->has_branch = true;
        e->branch = place;
    }
    return true;
}

/* Does the line continue an LD or ST, without the word? */
static bool goes_on(const struct etm_tarmac *t, const struct etm_word *line,
                    const struct etm_word *first)
{
    uint32_t address;

    return t->repeated && first->n >= 8 &&
           (size_t)(first->text - line->text) == t->column &&
           etm_tarmac_address(*first, &address);
}

/* A line that begins with `word`. */
static int take_kind(struct etm_execution_reader *r,
                     const struct etm_word *line, const struct etm_word *word,
                     struct etm_word *rest)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word next = *rest, behind;
    int status = ETM_OK;
    bool fine = true, known;

    if (etm_word_is(word, "ES") && etm_word_next(&next, &behind) &&
        (etm_word_is(&behind, "EXC") || etm_word_is(&behind, "Reset"))) {
        fine = etm_word_is(&behind, "Reset") ||
               etm_tarmac_exc_line(r, &next, *line);
    } else if (etm_word_is(word, "IT") || etm_word_is(word, "IF") ||
               etm_word_is(word, "IS") || etm_word_is(word, "ES")) {
        fine =
            etm_tarmac_insn(r, rest, *line, etm_word_is(word, "IS"), &status);
    } else if (etm_word_is(word, "EXC")) {
        fine = etm_tarmac_exc_line(r, rest, *line);
    } else if (etm_word_is(word, "E")) {
        fine = etm_tarmac_event_line(r, rest, *line);
    } else if (etm_word_is(word, "BR")) {
        fine = br_line(t, rest);
    } else if (t->outside) {
        r->report.passed_over++;
    } else if (etm_word_is(word, "LD") || etm_word_is(word, "ST")) {
        t->store = etm_word_is(word, "ST");
        next = *rest;
        t->repeated = etm_word_next(&next, &behind);
        t->column = (size_t)(behind.text - line->text);
        fine = etm_tarmac_sixteen(r, rest, t->store);
    } else if (etm_word_is(word, "R")) {
        etm_tarmac_register_line(r, rest);
    } else {
        fine = etm_tarmac_access(r, word, rest, &known);
        r->report.passed_over += !known;
    }
    if (!fine)
        etm_tarmac_puzzle(r, *line, r->report.lines);
    return status;
}

int etm_tarmac_line(struct etm_execution_reader *r, struct etm_word line)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word rest = line, word;

    if (!etm_word_next(&rest, &word))
        return ETM_OK;
    if (goes_on(t, &line, &word)) {
        rest = (struct etm_word){word.text,
                                 line.n - (size_t)(word.text - line.text)};
        if (!etm_tarmac_sixteen(r, &rest, t->store))
            etm_tarmac_puzzle(r, line, r->report.lines);
        return ETM_OK;
    }
    t->repeated = false;
    rest = line;
    take_time(t, &rest);
    if (!take_cpu(t, &rest) || !etm_word_next(&rest, &word)) {
        r->report.passed_over++;
        return ETM_OK;
    }
    return take_kind(r, &line, &word, &rest);
}

int etm_tarmac_finish(struct etm_execution_reader *r)
{
    int status = ETM_OK;

    while (r->tarmac.n > 0 && status == ETM_OK)
        status = etm_tarmac_commit(r);
    return status;
}
