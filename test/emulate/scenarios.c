/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the scenarios of a folder (test/README.md): programs in the emulator,
 * and what they do. */
#include "../support/case_words.h"
#include "../support/core.h"
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST 8u

static struct {
    struct etm_emulator_config config;
    struct etm_interrupt interrupts[LIST];
    struct etm_emulator_region regions[LIST];
    char core[32], program[512], command_line[64];
    uint8_t code[4096];
    size_t n;
    uint32_t entry;
    bool debugger_writes, ran;
    struct recording recording;
} rig;

/* ---- What runs ----------------------------------------------------------- */

/* "ADDRESS:", then words of eight digits and halfwords of four; "=VALUE" is a
 * word, too, "*N" so many. */
static bool code(struct words *w)
{
    for (unsigned i = 1; i < w->n; i++) {
        bool word = *w->word[i] == '=';
        char *first = w->word[i] + word, *end;
        uint32_t value = (uint32_t)strtoul(first, &end, 16);
        size_t size = word ? 4 : (size_t)(end - first) / 2;
        unsigned long times = *end == '*' ? strtoul(end + 1, NULL, 10) : 1;

        if (*end == ':') {
            rig.n = value;
            continue;
        }
        for (; times > 0 && rig.n + size <= sizeof rig.code; times--)
            for (size_t k = 0; k < size; k++)
                rig.code[rig.n++] = (uint8_t)(value >> (8 * k));
        if (times > 0 || (*end != 0 && *end != '*'))
            return wrong("not a word: %s", w->word[i]);
    }
    return true;
}

/* interrupt KIND [at=N] [every=N] [priority=N] */
static bool interrupt(struct words *w)
{
    struct etm_interrupt *to = &rig.interrupts[rig.config.n_interrupts];
    unsigned kind = 0;

    if (w->n < 2 || rig.config.n_interrupts == LIST)
        return wrong("which interrupt?");
    if (sscanf(w->word[1], "irq%hu", &to->number) == 1)
        kind = ETM_INTERRUPT_IRQ_N;
    else
        while (kind <= ETM_INTERRUPT_NMI &&
               strcmp(w->word[1], etm_interrupt_kind_name(
                                      (enum etm_interrupt_kind)kind)) != 0)
            kind++;
    if (kind > ETM_INTERRUPT_NMI)
        return wrong("no such interrupt: %s", w->word[1]);
    to->kind = (uint8_t)kind;
    for (unsigned i = 2; i < w->n; i++)
        if (sscanf(w->word[i], "at=%" SCNu64, &to->at) != 1 &&
            sscanf(w->word[i], "every=%" SCNu64, &to->every) != 1) {
            to->prioritized = true;
            if (sscanf(w->word[i], "priority=%" SCNu8, &to->priority) != 1)
                return wrong("not understood: %s", w->word[i]);
        }
    rig.config.interrupts = rig.interrupts;
    rig.config.n_interrupts++;
    return true;
}

/* memory BASE SIZE; memory usual */
static bool memory(struct words *w)
{
    struct etm_emulator_region *to = &rig.regions[rig.config.n_regions];

    if (w->n == 2 && strcmp(w->word[1], "usual") == 0)
        return rig.config.usual_memory = true;
    if (w->n != 3 || rig.config.n_regions == LIST)
        return wrong("memory BASE SIZE");
    to->base = (uint32_t)strtoul(w->word[1], NULL, 16);
    to->size = (uint32_t)strtoul(w->word[2], NULL, 16);
    rig.config.regions = rig.regions;
    rig.config.n_regions++;
    return true;
}

static int stop_at_once(void *context, const struct etm_event *events, size_t n)
{
    (void)context;
    (void)events;
    (void)n;
    return ETM_ERR_STOPPED;
}

/* NAME [VALUE]: hexadecimal, but for the limit; false: no such line. */
static bool setting(const struct words *w)
{
    struct etm_emulator_config *c = &rig.config;
    const char *name = w->word[0], *value = w->n > 1 ? w->word[1] : "";
    uint32_t number = (uint32_t)strtoul(value, NULL, 16);

    if (strcmp(name, "limit") == 0)
        c->limit =
            strcmp(value, "none") == 0 ? UINT64_MAX : strtoull(value, NULL, 10);
    else if (strcmp(name, "entry") == 0)
        rig.entry = number;
    else if (strcmp(name, "pc_first") == 0)
        c->pc_first = true;
    else if (strcmp(name, "debugger_writes") == 0)
        rig.debugger_writes = true;
    else if (strcmp(name, "stopped") == 0)
        c->events = stop_at_once;
    else
        return wrong("not understood: %s", name);
    return true;
}

static bool name_of(const struct words *w, char *to, size_t size,
                    const char *before)
{
    return (w->n >= 2 &&
            (size_t)snprintf(to, size, "%s%s", before, w->word[1]) < size) ||
           wrong("which %s?", w->word[0]);
}

static bool core(struct words *w)
{
    return name_of(w, rig.core, sizeof rig.core, "");
}

static bool command_line(struct words *w)
{
    return w->n == 2 && snprintf(rig.command_line, sizeof rig.command_line,
                                 "%s", quoted(w->word[1])) > 0;
}

/* program FILE: one of test/programs, or a path. */
static bool program(struct words *w)
{
    const char *folder = getenv("ETM_PROGRAMS");
    char before[400] = "";

    if (w->n == 2 && strchr(w->word[1], '/') == NULL)
        snprintf(before, sizeof before, "%s/", folder);
    return name_of(w, rig.program, sizeof rig.program, before);
}

/* ---- What it did --------------------------------------------------------- */

static void add_event(struct scenario_text *t, const struct etm_event *e)
{
    if (e->kind == ETM_EVENT_INSN) {
        text_add(t, " %" PRIx32 "%c", e->u.insn.address,
                 e->u.insn.passed ? '+' : '-');
        if (e->u.insn.next.isa == ETM_ISA_UNKNOWN)
            text_add(t, ">?");
        else if (e->u.insn.next.address != e->u.insn.address + e->u.insn.size)
            text_add(t, ">%" PRIx32, e->u.insn.next.address);
    } else if (e->kind == ETM_EVENT_DATA) {
        text_add(t, " %s:%" PRIx32 "=%" PRIx64,
                 e->u.data.store ? "store" : "load", e->u.data.address,
                 e->u.data.value);
        if (e->u.data.size != 4)
            text_add(t, "/%u", e->u.data.size);
    } else if (e->kind == ETM_EVENT_EXCEPTION) {
        text_add(
            t, " %s>%" PRIx32 "%s%s",
            etm_exception_name((enum etm_exception_type)e->u.exception.type),
            e->u.exception.next.address,
            e->u.exception.cancels ? "/cancels" : "",
            e->u.exception.chain == ETM_CHAIN_TAIL ? "/tail" : "");
        if (e->u.exception.type == ETM_EXCEPTION_IRQ_N)
            text_add(t, "/%u", e->u.exception.irq);
    } else if (e->kind == ETM_EVENT_CONTEXT) {
        text_add(t, " context:%" PRIx32, e->u.context.context_id);
    } else if (e->kind == ETM_EVENT_IDLE) {
        text_add(t, " idle:%" PRIu64, e->cycles);
    } else {
        text_add(t, " %s", etm_event_kind_name((enum etm_event_kind)e->kind));
    }
}

/* Stacking with its eight words (checks.c), "push:fe0=1,0,0,0,0,0,102,1000000".
 */
static void add_events(struct scenario_text *t, const struct recording *r)
{
    text_add(t, "%s", "");
    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = event_of(r, i);

        if (e->kind != ETM_EVENT_STACKING || i + 8 >= r->events.n) {
            add_event(t, e);
            continue;
        }
        text_add(t, " %s:%" PRIx32, e->u.stacking.pop ? "pop" : "push",
                 e[1].u.data.address);
        for (unsigned k = 1; k <= 8; k++, i++)
            text_add(t, "%c%" PRIx64, k == 1 ? '=' : ',', e[k].u.data.value);
    }
}

/* A second time, the events are those of the first. */
static bool run_again(const struct recording *r)
{
    struct scenario_text one = {NULL, 0, 0}, two = {NULL, 0, 0};
    struct recording again;
    bool same;

    recording_run(&again, rig.config);
    add_events(&one, r);
    add_events(&two, &again);
    same = again.status == r->status && strcmp(one.text, two.text) == 0 &&
           again.result.cycles == r->result.cycles;
    recording_close(&again);
    free(one.text);
    free(two.text);
    return same || wrong("it runs otherwise the second time");
}

/* Before the first that is expected. */
static bool run(void)
{
    struct recording *r = &rig.recording;
    bool made = rig.program[0] == 0 && rig.n != 0, good = true;
    struct etm_diag diag;

    if (rig.ran)
        return true;
    rig.ran = true;
    rig.config.size = sizeof rig.config;
    rig.config.core = rig.core[0] != 0 ? rig.core : NULL;
    rig.config.command_line =
        rig.command_line[0] != 0 ? rig.command_line : NULL;
    if (rig.config.limit == 0)
        rig.config.limit = 200000;
    if (made)
        rig.config.program = make_elf(rig.code, rig.n, rig.entry);
    else if (rig.program[0] != 0)
        rig.config.program = rig.program;
    recording_run(r, rig.config);
    if (r->emulator != NULL) {
        struct etm_run_result result;

        if (etm_emulator_run(r->emulator, &result, &diag) != ETM_ERR_ARGUMENT)
            good = wrong("it runs twice");
    }
    if (r->status == ETM_OK)
        good = good && check_run(r, rig.debugger_writes) && run_again(r);
    if (made)
        remove(rig.config.program);
    return good;
}

/* expect events WORD ... [...]; expect last WORD ...: they end so. */
static bool expect_events(struct words *w)
{
    struct scenario_text is = {NULL, 0, 0}, wanted = {NULL, 0, 0};
    bool more = strcmp(w->word[w->n - 1], "...") == 0, good;
    bool last = strcmp(w->word[1], "last") == 0;
    const char *at;

    add_events(&is, &rig.recording);
    add_words(&wanted, w, 2, w->n - more);
    at = is.text + (last && is.n > wanted.n ? is.n - wanted.n : 0);
    good = strncmp(at, wanted.text, wanted.n) == 0 &&
           (at[wanted.n] == 0 || (more && at[wanted.n] == ' '));
    good = good || (!last && case_given(is.text, strlen("expect events"))) ||
           wrong("it did%.900s", is.text);
    free(is.text);
    free(wanted.text);
    return good;
}

/* expect end WHY [at=ADDRESS] [fault=WHAT@ADDRESS:ACCESS] [NAME=NUMBER] */
static bool expect_end(struct words *w)
{
    static const char *const ends[] = {"exit",   "limit",  "waiting",
                                       "lockup", "circle", "breakpoint"};
    static const char *const faults[] = {"none",  "load",      "store",
                                         "fetch", "undefined", "float"};
    const struct etm_run_result *r = &rig.recording.result;
    struct scenario_text is = {NULL, 0, 0};

    text_add(&is,
             " %s at=%" PRIx32 " exit=%" PRIu32 " cycles=%" PRIu64
             " transfers=%" PRIu64 " exceptions=%" PRIu64
             " instructions=%" PRIu64 " fault=%s",
             ends[r->end], r->address, r->exit_status, r->cycles, r->transfers,
             r->exceptions, r->instructions, faults[r->fault]);
    if (r->fault != ETM_RUN_FAULT_NONE)
        text_add(&is, "@%" PRIx32, r->fault_at);
    if (r->fault_access != 0)
        text_add(&is, ":%" PRIx32, r->fault_access);
    return all_among(w, 2, &is);
}

static bool expect_output(struct words *w)
{
    const char *said = rig.recording.output.text;

    return (w->n == 3 && quoted(w->word[2]) != NULL &&
            strcmp(said, quoted(w->word[2])) == 0) ||
           wrong("it says: %s", said);
}

/* expect refused "TEXT" ...: the status and the sentence have these. */
static bool expect_refused(struct words *w)
{
    const struct recording *r = &rig.recording;
    const char *status = etm_status_text(r->status);

    if (r->status == ETM_OK || w->n < 3)
        return wrong("it is not refused");
    for (unsigned i = 2; i < w->n; i++) {
        const char *text = quoted(w->word[i]);

        if (text == NULL || (strstr(status, text) == NULL &&
                             strstr(r->diag.what, text) == NULL))
            return wrong("%s: %s", status, r->diag.what);
    }
    return true;
}

/* The file of a program cut short anywhere, or with a byte changed, is refused
 * or taken, but breaks nothing. */
static bool expect_robust(struct words *w)
{
    const char *path = make_elf(rig.code, rig.n, rig.entry);
    uint8_t bytes[4096 + 84], broken[sizeof bytes];
    size_t size = 84 + rig.n;
    FILE *file = fopen(path, "rb");
    bool good = file != NULL && fread(bytes, 1, size, file) == size;

    (void)w;
    for (size_t i = 0; file != NULL && i < 2 * size; i++) {
        struct etm_emulator *e;
        bool cut_short = i < size;
        int status;

        fclose(file);
        memcpy(broken, bytes, size);
        broken[i % size] ^= cut_short ? 0 : 0x80;
        file = fopen(path, "wb");
        fwrite(broken, 1, cut_short ? i : size, file);
        fflush(file);
        status = etm_emulator_new(&e, &rig.config, NULL);
        good = good && (status == ETM_OK) == (e != NULL) &&
               !(cut_short && status == ETM_OK);
        etm_emulator_free(e);
    }
    fclose(file);
    remove(path);
    return good || wrong("a broken file is taken");
}

static int make(const struct etm_allocator *allocator)
{
    struct etm_emulator_config config = rig.config;
    struct etm_emulator *e;
    int status;

    config.allocator = allocator;
    status = etm_emulator_new(&e, &config, NULL);
    if ((status == ETM_OK) != (e != NULL))
        status = ETM_ERR_FORMAT;
    etm_emulator_free(e);
    return status;
}

static bool expect_scarce(struct words *w)
{
    bool good;

    (void)w;
    rig.config.program = make_elf(rig.code, rig.n, rig.entry);
    good = each_call_fails(make, ETM_OK, 5);
    remove(rig.config.program);
    return good;
}

/* There is a model of each core that has a row. */
static bool expect_cores(struct words *w)
{
    const struct etm_core *core;
    bool good = true;

    (void)w;
    rig.config.program = make_elf(rig.code, rig.n, rig.entry);
    for (size_t n = 0; good && (core = etm_cores(n)) != NULL; n++) {
        struct etm_emulator *e;

        rig.config.core = core->name;
        good = etm_emulator_new(&e, &rig.config, NULL) == ETM_OK ||
               wrong("no model of %s", core->name);
        etm_emulator_free(e);
    }
    remove(rig.config.program);
    return good;
}

/* ---- Lines --------------------------------------------------------------- */

/* Before it is known what it does, it runs. */
static bool ready(struct words *w)
{
    const struct recording *r = &rig.recording;

    return run() &&
           (r->status == ETM_OK || strcmp(w->word[1], "refused") == 0 ||
            wrong("%s: %s", r->diag.source, r->diag.what));
}

static const struct verb verbs[] = {
    {"code", code},
    {"core", core},
    {"program", program},
    {"command_line", command_line},
    {"interrupt", interrupt},
    {"memory", memory},
    {NULL, NULL},
};

static const struct verb expected[] = {
    {"refused", expect_refused},
    {"events", expect_events},
    {"last", expect_events},
    {"end", expect_end},
    {"output", expect_output},
    {"robust", expect_robust},
    {"scarce", expect_scarce},
    {"cores", expect_cores},
    {NULL, NULL},
};

static bool other(struct words *w)
{
    return strcmp(w->word[0], "expect") == 0
               ? wrong("not understood: expect %s", w->word[1])
               : setting(w);
}

static void clear(void)
{
    recording_close(&rig.recording);
    memset(&rig, 0, sizeof rig);
}

int main(int argc, char **argv)
{
    static const struct case_room room = {.ending = ".scn",
                                          .nested = true,
                                          .clear = clear,
                                          .verbs = {verbs},
                                          .expected = {expected},
                                          .ready = ready,
                                          .other = other};

    if (!etm_emulator_available()) {
        printf("1..0 # SKIP without the emulator\n");
        return 0;
    }
    return cases_main(argc, argv, &room);
}
