/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a Tarmac log: time, processor, and what kind of line it is. */
#include "exec/tarmac_internal.h"

#include <string.h>

void etm_tarmac_puzzle(struct etm_execution_reader *r,
                       const struct etm_word *line, uint64_t number)
{
    struct etm_execution_report *report = &r->report;
    size_t n = line == NULL ? 0 : line->n;

    if (report->not_understood++ != 0)
        return;
    report->first = number;
    if (n >= sizeof report->text)
        n = sizeof report->text - 1;
    for (size_t i = 0; i < n; i++) {
        char c = line->text[i];

        report->text[i] = c >= ' ' && c <= '~' ? c : ' ';
    }
    report->text[n] = '\0';
}

/* "12 clk", "271ns"; ES logs give it once for all lines of an instruction. */
static void take_time(struct etm_tarmac *t, struct etm_word *line)
{
    static const struct {
        const char *name;
        bool counts;
    } units[] = {
        {"clk", true}, {"tic", true}, {"cyc", true}, {"cs", true},
        {"fs", false}, {"ps", false}, {"ns", false}, {"us", false},
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

/* An exception's name, and its number in the M profile. */
static bool take_exception_name(const struct etm_word *text, uint64_t number,
                                bool m_profile, struct etm_event *event)
{
    static const struct {
        const char *name;
        uint8_t type;
    } rows[] = {
        {"reset", ETM_EXCEPTION_RESET},
        {"undef", ETM_EXCEPTION_UNDEFINED},
        {"swi", ETM_EXCEPTION_SVC},
        {"svc", ETM_EXCEPTION_SVC},
        {"supervisor", ETM_EXCEPTION_SVC},
        {"prefetch", ETM_EXCEPTION_PREFETCH_ABORT},
        {"pabt", ETM_EXCEPTION_PREFETCH_ABORT},
        {"dataabort", ETM_EXCEPTION_DATA_ABORT},
        {"data_abort", ETM_EXCEPTION_DATA_ABORT},
        {"data abort", ETM_EXCEPTION_DATA_ABORT},
        {"dabt", ETM_EXCEPTION_DATA_ABORT},
        {"smc", ETM_EXCEPTION_SMC},
        {"hvc", ETM_EXCEPTION_HVC},
        {"hyp", ETM_EXCEPTION_HYP_ENTRY},
        {"nmi", ETM_EXCEPTION_NMI},
        {"hardfault", ETM_EXCEPTION_HARD_FAULT},
        {"hard_fault", ETM_EXCEPTION_HARD_FAULT},
        {"memmanage", ETM_EXCEPTION_MEM_MANAGE},
        {"busfault", ETM_EXCEPTION_BUS_FAULT},
        {"usagefault", ETM_EXCEPTION_USAGE_FAULT},
        {"debugmon", ETM_EXCEPTION_DEBUG_MONITOR},
        {"pendsv", ETM_EXCEPTION_PEND_SV},
        {"systick", ETM_EXCEPTION_SYS_TICK},
        {"fiq", ETM_EXCEPTION_FIQ},
        {"irq", ETM_EXCEPTION_IRQ},
        {"interrupt", ETM_EXCEPTION_IRQ},
    };
    static const uint8_t numbers[16] = {
        [1] = ETM_EXCEPTION_RESET,      [2] = ETM_EXCEPTION_NMI,
        [3] = ETM_EXCEPTION_HARD_FAULT, [4] = ETM_EXCEPTION_MEM_MANAGE,
        [5] = ETM_EXCEPTION_BUS_FAULT,  [6] = ETM_EXCEPTION_USAGE_FAULT,
        [11] = ETM_EXCEPTION_SVC,       [12] = ETM_EXCEPTION_DEBUG_MONITOR,
        [14] = ETM_EXCEPTION_PEND_SV,   [15] = ETM_EXCEPTION_SYS_TICK,
    };

    if (m_profile && number >= 16 && number < 512) {
        event->u.exception.type = ETM_EXCEPTION_IRQ_N;
        event->u.exception.irq = (uint16_t)(number - 16);
        return true;
    }
    if (m_profile && number < 16 && numbers[number] != 0) {
        event->u.exception.type = numbers[number];
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (etm_word_holds(text, rows[i].name)) {
            event->u.exception.type = rows[i].type;
            return true;
        }
    }
    return false;
}

/* Mode changes and the like have names that sound like exceptions. */
static bool is_harmless(const struct etm_word *text)
{
    return etm_word_holds(text, "Spotted") ||
           etm_word_holds(text, "ModeChange") ||
           etm_word_holds(text, "RETURN") || etm_word_holds(text, "Debug") ||
           etm_word_holds(text, "Run");
}

static bool take_exception(struct etm_execution_reader *r,
                           const struct etm_word *text, uint64_t number,
                           const struct etm_word *line)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_event event = {.kind = ETM_EVENT_EXCEPTION};

    if (!take_exception_name(text, number, t->m_profile, &event)) {
        if (is_harmless(text))
            r->report.passed_over++;
        return is_harmless(text);
    }
    if (is_harmless(text)) {
        r->report.passed_over++;
        return true;
    }
    /* two without an instruction between them: the last one is used */
    if (t->has_exception)
        etm_tarmac_puzzle(r, line, r->report.lines);
    t->has_exception = true;
    t->link_is_new = false;
    t->exception = event;
    return true;
}

/* "E 00000018 00000006 CoreEvent_IRQ" */
static bool e_line(struct etm_execution_reader *r, struct etm_word *rest,
                   const struct etm_word *line)
{
    struct etm_word word, name;
    uint64_t address, number = 0;

    if (!etm_word_next(rest, &word))
        return false;
    name = word;
    if (etm_tarmac_address(word, &address) && etm_word_next(rest, &word)) {
        name = word;
        if (etm_word_hex(&word, UINT32_MAX, &number) &&
            etm_word_next(rest, &word))
            name = word;
    }
    return take_exception(r, &name, number, line);
}

/* "EXC [0x18] IRQ", "Reset" */
static bool exc_line(struct etm_execution_reader *r, struct etm_word *rest,
                     const struct etm_word *line)
{
    struct etm_word group = *rest, name = *rest, behind;
    uint64_t number = 0;

    if (etm_word_cut(&group, '[', &behind)) {
        group = behind;
        if (etm_word_cut(&group, ']', &behind)) {
            (void)etm_word_dec(&group, UINT32_MAX, &number);
            name = behind;
        }
    }
    return take_exception(r, &name, number, line);
}

/* "r0" to "r14", some with a mode; -1: another one. */
static int register_number(const struct etm_word *name)
{
    struct etm_word word = *name, mode;
    uint64_t n;

    (void)etm_word_cut(&word, '_', &mode);
    if (word.n < 2 || word.text[0] != 'r')
        return -1;
    word = (struct etm_word){word.text + 1, word.n - 1};
    return etm_word_dec(&word, 14, &n) ? (int)n : -1;
}

/* "R r14_irq 00008008", "R CONTEXTIDR 00000001" */
static int r_line(struct etm_execution_reader *r, struct etm_word *rest)
{
    struct etm_event event = {.kind = ETM_EVENT_CONTEXT};
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word name, word;
    uint64_t value = 0;
    bool is_value = false;
    bool link;
    int n;

    if (!etm_word_next(rest, &name))
        return ETM_OK;
    while (!is_value && etm_word_next(rest, &word))
        is_value = etm_word_hex(&word, UINT64_MAX, &value);
    if (!is_value)
        return ETM_OK;
    t->value = value;
    link = etm_word_begins(&name, "r14") || etm_word_begins(&name, "lr");
    n = link ? 14 : register_number(&name);
    if (n >= 0)
        t->registers[n] = (uint32_t)value;
    if (link) {
        t->link = (uint32_t)value;
        t->link_is_new = t->has_exception;
    } else if (etm_word_begins(&name, "CONTEXTIDR") && value <= UINT32_MAX) {
        r->context_id = (uint32_t)value;
        event.u.context.context_id = r->context_id;
        event.u.context.vmid = r->vmid;
        event.u.context.user = t->user;
        t->has_context = true;
        t->context = event;
    }
    return ETM_OK;
}

/* "BR (000204f0) A" */
static bool br_line(struct etm_tarmac *t, struct etm_word *rest)
{
    struct etm_word word;
    struct etm_place place = t->at;
    uint64_t address;

    if (!etm_word_next(rest, &word) || word.n < 3 || word.text[0] != '(')
        return false;
    word = (struct etm_word){word.text + 1, word.n - 2};
    if (!etm_tarmac_address(word, &address))
        return false;
    place.address = (uint32_t)address;
    if (etm_word_next(rest, &word))
        (void)etm_tarmac_isa(&word, &place.isa);
    if (!t->has_exception) {
        t->has_branch = true;
        t->branch = place;
    }
    return true;
}

/*
 * MR4, MW1, MNR4___D, R08, W04: loads and stores with their size. Fetches of
 * instructions (a last I), and translation tables (TTW), are others. Names of
 * eight characters are those of RTL: a D at the end is an access of the data
 * bus, an A one of the peripheral bus, whose byte order is not known.
 */
static bool is_access(const struct etm_word *word, bool *store, unsigned *size,
                      bool *in_memory_order)
{
    struct etm_word digits = *word;
    size_t at = 0;
    uint64_t number;
    char last = word->text[word->n - 1];
    bool rtl;

    if (etm_word_begins(word, "MN"))
        at = 2;
    else if (etm_word_begins(word, "M"))
        at = 1;
    rtl = at > 0 && word->n == 8;
    if (word->n < at + 2 || (word->text[at] != 'R' && word->text[at] != 'W') ||
        (at > 0 && last == 'I') || (rtl && last == 'A'))
        return false;
    *store = word->text[at] == 'W';
    *in_memory_order = rtl && last == 'D';
    digits.text += at + 1;
    digits.n = 0;
    while (at + 1 + digits.n < word->n && digits.text[digits.n] >= '0' &&
           digits.text[digits.n] <= '9')
        digits.n++;
    if (!etm_word_dec(&digits, 64, &number) || number == 0 ||
        (at == 0 && (digits.n != 2 || word->n != 3)))
        return false;
    *size = (unsigned)number;
    return true;
}

/* Does the line continue an LD or ST, without the word? */
static bool goes_on(const struct etm_tarmac *t, const struct etm_word *line,
                    const struct etm_word *first)
{
    uint64_t address;

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
    bool fine = true, store = false, in_memory_order = false;
    unsigned size = 0;

    if (etm_word_is(word, "ES") && etm_word_next(&next, &behind) &&
        (etm_word_is(&behind, "EXC") || etm_word_is(&behind, "Reset"))) {
        fine = etm_word_is(&behind, "Reset") || exc_line(r, &next, line);
    } else if (etm_word_is(word, "IT") || etm_word_is(word, "IF") ||
               etm_word_is(word, "IS") || etm_word_is(word, "ES")) {
        fine = etm_tarmac_insn(r, rest, etm_word_is(word, "IS"), &status);
    } else if (etm_word_is(word, "LD") || etm_word_is(word, "ST")) {
        t->store = etm_word_is(word, "ST");
        next = *rest;
        t->repeated = etm_word_next(&next, &behind);
        t->column = (size_t)(behind.text - line->text);
        fine = etm_tarmac_sixteen(r, rest, t->store);
    } else if (etm_word_is(word, "R")) {
        status = r_line(r, rest);
    } else if (etm_word_is(word, "E")) {
        fine = e_line(r, rest, line);
    } else if (etm_word_is(word, "EXC")) {
        fine = exc_line(r, rest, line);
    } else if (etm_word_is(word, "BR")) {
        fine = br_line(t, rest);
    } else if (is_access(word, &store, &size, &in_memory_order)) {
        fine = etm_tarmac_access(r, rest, store, size, in_memory_order);
    } else {
        r->report.passed_over++;
    }
    if (!fine)
        etm_tarmac_puzzle(r, line, r->report.lines);
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
            etm_tarmac_puzzle(r, &line, r->report.lines);
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
    return etm_tarmac_commit(r, NULL);
}
