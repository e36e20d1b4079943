/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of requests: the registers that they come to, and the resources
 * that run them.
 */
#include "scenario.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST 8u

/* The lists of a request, in the order of `lists`. */
enum list { INCLUDE, EXCLUDE, START, STOP, DATA_INCLUDE, DATA_EXCLUDE, LISTED };

static struct {
    struct etm_request request;
    struct etm_request_match matches[LISTED][LIST];
    struct etm_request_condition chain[LIST], with[LIST];
    unsigned n_with;
    bool asked; /* since the last change */
    int status;
    struct etm_setup setup;
    struct etm_notes notes;
    struct etm_diag diag;
    struct etm_resources resources;
    struct etm_resource_outputs out;
} rig;

/* ---- Requests ------------------------------------------------------------ */

static uint32_t hexadecimal(const char **at)
{
    char *end;
    uint32_t value = (uint32_t)strtoul(*at, &end, 16);

    if (end == *at)
        (void)wrong("not a number: %s", *at);
    *at = end;
    return value;
}

static bool takes(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

/* "/size=1", "/secure" ... after an address */
static bool match_option(const char **at, struct etm_request_match *m)
{
    bool differs = takes(at, "differs=");

    if (differs || takes(at, "value=")) {
        m->has_value = true;
        m->differs = differs;
        m->value = hexadecimal(at);
    } else if (takes(at, "size=")) {
        m->size = (uint8_t)hexadecimal(at);
    } else if (takes(at, "mask=")) {
        m->mask = hexadecimal(at);
    } else if (takes(at, "context=")) {
        m->has_context_id = true;
        m->context_id = hexadecimal(at);
    } else if (takes(at, "arm")) {
        m->isa = ETM_ISA_ARM;
    } else if (takes(at, "thumbee")) {
        m->isa = ETM_ISA_THUMBEE;
    } else if (takes(at, "thumb")) {
        m->isa = ETM_ISA_THUMB;
    } else if (takes(at, "jazelle")) {
        m->isa = ETM_ISA_JAZELLE;
    } else if (takes(at, "secure")) {
        m->security = ETM_REQUEST_SECURE;
    } else if (takes(at, "user")) {
        m->mode = ETM_REQUEST_USER;
    } else if (takes(at, "big")) {
        m->big_endian = true;
    } else {
        return wrong("not understood: %s", *at);
    }
    return true;
}

/* "[LOOK:]FROM[-TO][/OPTION]..." */
static bool match(const char **at, struct etm_request_match *m)
{
    static const struct {
        const char *name;
        enum etm_look look;
    } looks[] = {{"passed:", ETM_LOOK_PASSED}, {"fetch:", ETM_LOOK_FETCH},
                 {"load:", ETM_LOOK_LOAD},     {"store:", ETM_LOOK_STORE},
                 {"data:", ETM_LOOK_TRANSFER}, {"failed:", ETM_LOOK_FAILED}};

    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (takes(at, looks[i].name))
            m->look = looks[i].look;
    m->from = hexadecimal(at);
    m->range = takes(at, "-");
    if (m->range)
        m->to = hexadecimal(at);
    while (!cases.failed && takes(at, "/"))
        (void)match_option(at, m);
    return !cases.failed;
}

/* "[!]KIND[:NUMBER]" or "[!]at:MATCH", then "[*TIMES]" and "[&CONDITION]" or
 * "[|CONDITION]". Numbers are decimal. */
static bool condition(const char **at, struct etm_request_condition *c)
{
    static const struct {
        const char *name;
        enum etm_condition what;
    } kinds[] = {{"always", ETM_CONDITION_ALWAYS},
                 {"at:", ETM_CONDITION_MATCH},
                 {"external:", ETM_CONDITION_EXTERNAL},
                 {"extended:", ETM_CONDITION_EXTENDED},
                 {"ice:", ETM_CONDITION_ICE},
                 {"instrumentation:", ETM_CONDITION_INSTRUMENTATION},
                 {"started", ETM_CONDITION_STARTED},
                 {"prohibited", ETM_CONDITION_PROHIBITED},
                 {"chain", ETM_CONDITION_CHAIN},
                 {"every:", ETM_CONDITION_EVERY},
                 {"vmid:", ETM_CONDITION_VMID}};
    char *end;

    memset(c, 0, sizeof *c);
    c->inverted = takes(at, "!");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && c->what == 0; i++)
        if (takes(at, kinds[i].name))
            c->what = kinds[i].what;
    if (c->what == ETM_CONDITION_NONE)
        return takes(at, "none") || wrong("no such condition: %s", *at);
    if (c->what == ETM_CONDITION_MATCH && !match(at, &c->match))
        return false;
    if ((*at)[-1] == ':')
        c->number = (uint32_t)strtoul(*at, &end, 10), *at = end;
    if (takes(at, "*"))
        c->times = (uint32_t)strtoul(*at, &end, 10), *at = end;
    c->either = **at == '|';
    if (!takes(at, "&") && !takes(at, "|"))
        return true;
    if (rig.n_with == LIST)
        return wrong("too many conditions");
    c->with = &rig.with[rig.n_with];
    return condition(at, &rig.with[rig.n_with++]);
}

/* NAME=MATCH,...; false: there is no such list. */
static bool list(const char *name, size_t n, const char *at)
{
    struct etm_request *r = &rig.request;
    const struct {
        const char *name;
        const struct etm_request_match **matches;
        size_t *n;
    } lists[LISTED] = {{"include", &r->include, &r->n_include},
                       {"exclude", &r->exclude, &r->n_exclude},
                       {"start", &r->start, &r->n_start},
                       {"stop", &r->stop, &r->n_stop},
                       {"data_include", &r->data_include, &r->n_data_include},
                       {"data_exclude", &r->data_exclude, &r->n_data_exclude}};
    unsigned i = 0;

    while (i < LISTED && !is_name(lists[i].name, name, n))
        i++;
    if (i == LISTED)
        return false;
    *lists[i].matches = rig.matches[i];
    for (*lists[i].n = 0; *at != 0 && !cases.failed; (void)takes(&at, ",")) {
        if (*lists[i].n == LIST || strchr("!/&|", *at) != NULL)
            (void)wrong("not understood: %s", at);
        else
            (void)match(&at, &rig.matches[i][(*lists[i].n)++]);
    }
    return true;
}

/* NAME=CONDITION; "chain=CONDITION,..."; false: there is no such one. */
static bool event(const char *name, size_t n, const char *at)
{
    struct etm_request *r = &rig.request;
    const struct {
        const char *name;
        struct etm_request_condition *condition;
    } events[] = {{"when", &r->when},           {"data_when", &r->data_when},
                  {"trigger", &r->trigger},     {"timestamp", &r->timestamp},
                  {"output1", &r->external[0]}, {"output2", &r->external[1]}};

    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (is_name(events[i].name, name, n))
            return !condition(&at, events[i].condition) || *at == 0 ||
                   !wrong("not understood: %s", at);
    if (!is_name("chain", name, n))
        return false;
    r->chain = rig.chain;
    for (r->n_chain = 0; *at != 0 && !cases.failed; (void)takes(&at, ","))
        (void)(r->n_chain == LIST ? wrong("too many")
                                  : condition(&at, &rig.chain[r->n_chain++]));
    return true;
}

#define F(field) FIELD(etm_request, field)
static const struct field fields[] = {
    F(data_address),     F(data_value),       F(cprt),           F(cprt_filter),
    F(data_only),        F(debug_on_trigger), F(stall),          F(suppress),
    F(half_rate),        F(timestamps),       F(cycle_accurate), F(vmid),
    F(return_stack),     F(branch_broadcast), F(has_context_id), F(fifo_level),
    F(port_pins),        F(port_mode),        F(trace_id),       F(start_ice),
    F(context_id_bytes), F(stop_ice),         F(mode),           F(security),
    F(sync_period),      F(context_id),       NO_FIELD,
};
#undef F

/* ---- Registers and resources --------------------------------------------- */

/* The request comes to registers; these program the macrocell without a
 * mistake, and its resources run. */
static bool ask(void)
{
    const uint32_t left = ETM_REGISTERS - 1;
    uint32_t value;

    if (rig.asked)
        return true;
    rig.asked = true;
    rig.setup = (struct etm_setup){.n = 1, .values = {{left, 0}}};
    rig.notes = (struct etm_notes){.n = 1, .text = {"left over"}};
    rig.status = etm_configure(&rig.setup, &rig.request, &subject.macrocell,
                               &rig.notes, &rig.diag);
    if (rig.status != ETM_OK)
        return rig.setup.n == 0 || wrong("registers of what is refused");
    if (etm_setup_get(&rig.setup, left, &value) == ETM_OK ||
        (rig.notes.n != 0 && strcmp(rig.notes.text[0], "left over") == 0))
        return wrong("it begins with what was there");
    return model_program(&rig.setup, &subject.macrocell, &rig.resources,
                         &rig.diag) == ETM_OK ||
           wrong("not programmed without a mistake: %s", rig.diag.what);
}

static bool fine(void)
{
    return ask() &&
           (rig.status == ETM_OK ||
            wrong("%s: %s", etm_status_text(rig.status), rig.diag.what));
}

/* A cycle: "ADDRESS" is an instruction, "LOOK:ADDRESS[/size=N][/value=N]" one
 * at 4000 with its transfer; "dwt-LOOK:ADDRESS" a transfer that only the DWT
 * sees. */
static bool cycle(const char **at)
{
    struct etm_resource_insn insn = {
        .address = 0x4000, .isa = ETM_ISA_ARM, .size = 4, .passed = true};
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    struct etm_resource_transfer t = {.size = 4};
    bool dwt = takes(at, "dwt-");
    struct etm_request_match m;

    if (!match(at, &m))
        return false;
    if (m.look == ETM_LOOK_EXECUTE)
        insn.address = m.from;
    event.u.insn.address = m.from;
    if (dwt) {
        event.kind = ETM_EVENT_DATA;
        event.u.data.address = insn.address = m.from;
        event.u.data.store = m.look == ETM_LOOK_STORE;
    }
    model_dwt(&rig.setup, &event, &rig.resources);
    t.owner = etm_resources_insn(&rig.resources, &insn);
    if (m.look != ETM_LOOK_EXECUTE && !dwt) {
        t.address = m.from;
        t.size = m.size != 0 ? m.size : 4;
        t.value = m.value;
        t.store = m.look == ETM_LOOK_STORE;
        etm_resources_transfer(&rig.resources, &t);
    }
    etm_resources_cycle(&rig.resources, false, &rig.out);
    return true;
}

/* ADDRESS+ or ADDRESS-, by cycle: `what` is the case, or is not.
 * FIRST..LAST+: all instructions of 4 bytes. */
static bool expect_cycles(struct words *w)
{
    const char *what = w->word[1];
    bool view = strcmp(what, "viewed") == 0;
    bool trigger = strcmp(what, "triggered") == 0;

    if (!fine() || w->n < 3)
        return wrong("when?");
    for (unsigned i = 2; i < w->n && !cases.failed; i++) {
        char *word = copy_of(w->word[i]), *last = strstr(word, "..");
        char sign = word[strlen(word) - 1];
        bool is;
        uint32_t n = 1;

        word[strlen(word) - 1] = 0;
        if (last != NULL)
            n = ((uint32_t)strtoul(last + 2, NULL, 16) -
                 (uint32_t)strtoul(word, NULL, 16)) /
                    4 +
                1;
        if (strchr("+-", sign) == NULL || (last == NULL && word[0] == 0))
            (void)wrong("traced or not? %s", w->word[i]);
        for (uint32_t k = 0; k < n && !cases.failed; k++) {
            char text[16];
            const char *at = word;

            if (last != NULL)
                snprintf(text, sizeof text, "%lx",
                         strtoul(word, NULL, 16) + 4 * k);
            at = last != NULL ? text : word;
            if (!cycle(&at) || *at != 0)
                break;
            is = view      ? rig.out.view & 1u
                 : trigger ? rig.out.trigger
                           : rig.out.insns & 1u;
            if (is != (sign == '+'))
                (void)wrong("%s is%s %s", last != NULL ? text : word,
                            is ? "" : " not", what);
        }
        free(word);
    }
    return !cases.failed;
}

/* expect outputs VALUE[*TIMES] ...: external outputs, cycle by cycle at 8000 */
static bool expect_outputs(struct words *w)
{
    for (unsigned i = 2; fine() && i < w->n; i++) {
        char *star = strchr(w->word[i], '*');
        unsigned long times = 1;
        uint32_t value;

        if (star != NULL) {
            times = strtoul(star + 1, NULL, 10);
            *star = 0;
        }
        if (!number_of(w->word[i], &value))
            return false;
        for (; times != 0; times--) {
            const char *at = "8000";

            (void)cycle(&at);
            if (rig.out.ext_out != value)
                return wrong("outputs %u, not %u", rig.out.ext_out,
                             (unsigned)value);
        }
    }
    return !cases.failed;
}

/* expect reg NAME=VALUE NAME&MASK=VALUE NAME=none ... */
static bool expect_reg(struct words *w)
{
    const struct etm_setup *setup = chip_setup();

    if (setup == NULL && !fine())
        return false;
    for (unsigned i = 2; i < w->n; i++) {
        char *word = w->word[i], *none = strstr(word, "=none");
        uint32_t number, value, mask, is;
        int status;

        if (none != NULL)
            strcpy(none, "=0");
        if (!register_mask(word, &number, &mask, &value))
            return false;
        status = etm_setup_get(setup != NULL ? setup : &rig.setup, number, &is);
        if ((status == ETM_OK) != (none == NULL))
            return wrong("%s is %sset", word, none == NULL ? "not " : "");
        if ((is & mask) != value)
            return wrong("%s is %x", word, (unsigned)is);
    }
    return true;
}

/* expect error KIND ["TEXT" ...] ["=TEXT": all of it] */
static bool expect_error(struct words *w)
{
    int status = w->n > 2 && strcmp(w->word[2], "argument") == 0
                     ? ETM_ERR_ARGUMENT
                     : ETM_ERR_UNSUPPORTED;

    if (w->n < 3 || (status == ETM_ERR_UNSUPPORTED &&
                     strcmp(w->word[2], "unsupported") != 0))
        return wrong("expect error argument | unsupported");
    if (!ask() || rig.status != status)
        return wrong("it is %s: %s", etm_status_text(rig.status),
                     rig.status != ETM_OK ? rig.diag.what : "");
    for (unsigned i = 3; i < w->n; i++) {
        const char *text = quoted(w->word[i]);

        if (text == NULL || (*text == '=' ? strcmp(rig.diag.what, text + 1) != 0
                                          : !strstr(rig.diag.what, text)))
            return wrong("it says: %s", rig.diag.what);
    }
    return true;
}

/* expect notes N; expect note TEXT ...; expect unnoted TEXT ... */
static bool expect_notes(struct words *w)
{
    bool noted = strcmp(w->word[1], "unnoted") != 0;

    if (!fine() || w->n < 3)
        return wrong("what is noted?");
    if (strcmp(w->word[1], "notes") == 0)
        return rig.notes.n == strtoul(w->word[2], NULL, 10) ||
               wrong("%u notes: %s", (unsigned)rig.notes.n, rig.notes.text[0]);
    for (unsigned i = 2; i < w->n; i++) {
        const char *text = quoted(w->word[i]);
        bool found = false;

        for (size_t k = 0; k < rig.notes.n && text != NULL; k++)
            found = found || strstr(rig.notes.text[k], text) != NULL;
        if (text == NULL || found != noted)
            return wrong("%u notes, %s", (unsigned)rig.notes.n,
                         rig.notes.n != 0 ? rig.notes.text[0] : "");
    }
    return true;
}

/* ---- Scripts ------------------------------------------------------------- */

bool setup_of(struct etm_setup *setup, struct etm_setup_script *script,
              const char *base)
{
    const struct etm_setup *given = chip_setup();
    bool cell = subject.macrocell.config != NULL;
    uint32_t at = 0;

    memset(setup, 0, sizeof *setup);
    *script = (struct etm_setup_script){.size = sizeof *script};
    if (cell &&
        ((given == NULL && !fine()) ||
         etm_setup_script_of(script, &subject.macrocell, &rig.diag) != ETM_OK))
        return wrong("no setup: %s", rig.diag.what);
    if (base != NULL && !number_of(base, &at))
        return false;
    script->base = at;
    chip_script(script);
    if (given != NULL)
        *setup = *given;
    else if (cell)
        *setup = rig.setup;
    for (size_t i = 0; i < subject.explain.n_registers; i++)
        (void)etm_setup_set(setup, subject.registers[i].number,
                            (uint32_t)subject.registers[i].value);
    return true;
}

/* What is read of a script is what it was written from. */
static bool reads_back(const char *text, const struct etm_setup *setup)
{
    struct etm_setup back;
    struct etm_diag diag = {0};
    uint32_t value;

    if (etm_setup_read(&back, text, strlen(text), &diag) != ETM_OK)
        return wrong("line %u: %s", (unsigned)diag.line, diag.what);
    for (size_t i = 0; i < setup->n; i++)
        if (back.n != setup->n ||
            etm_setup_get(&back, setup->values[i].number, &value) != ETM_OK ||
            setup->values[i].value != value)
            return wrong("it is not read as %s=%x",
                         etm_register_name(setup->values[i].number),
                         (unsigned)setup->values[i].value);
    return true;
}

/* The text of a setup, to be freed; NULL: it is not written. */
static char *written(const struct etm_setup *setup,
                     enum etm_setup_format format,
                     const struct etm_setup_script *script,
                     struct etm_diag *diag)
{
    int n = etm_setup_write(setup, format, script, NULL, 0, diag);
    char *text = n > 0 ? calloc(1, (size_t)n + 1) : NULL;

    if (text != NULL && (etm_setup_write(setup, format, script, text,
                                         (size_t)n + 1, diag) != n ||
                         strlen(text) != (size_t)n))
        (void)wrong("its length is not %d", n);
    return text;
}

char *script_text(enum etm_setup_format format, struct etm_diag *diag)
{
    struct etm_setup_script script;
    struct etm_setup setup;
    struct etm_diag why = {0};
    char *text = setup_of(&setup, &script, NULL)
                     ? written(&setup, format, &script, &why)
                     : NULL;

    if (diag != NULL)
        *diag = why;
    else if (text == NULL)
        (void)wrong("%s: %s", why.source, why.what);
    return text;
}

/* Whether a text has these, one after the other, or none of them. */
static bool has_texts(const char *text, const struct words *w, unsigned from,
                      bool none)
{
    const char *at = text;

    for (unsigned i = from; i < w->n; i++) {
        const char *part = quoted(w->word[i]);
        const char *found = part != NULL ? strstr(at, part) : NULL;

        if (part == NULL)
            return wrong("not in quotes: %s", w->word[i]);
        if ((found != NULL) == none)
            return wrong("\"%s\" is %sin order in\n%s", part,
                         none ? "" : "not ", text);
        at = none ? text : found + strlen(part);
    }
    return true;
}

/* expect script FORMAT [at=BASE] [back] [TEXT ...]: these in this order; the
 * registers are read back, of sysfs with `back`. expect unscripted FORMAT TEXT
 * ...: none of these. expect unwritten FORMAT [NAME]: it is refused, because of
 * a register. */
static bool expect_script(struct words *w)
{
    bool none = strcmp(w->word[1], "unscripted") == 0, good;
    unsigned from = 3;
    const char *base = NULL;
    enum etm_setup_format format;
    struct etm_setup_script script;
    struct etm_setup setup;
    struct etm_diag diag = {0};
    char *text;

    if (w->n < 3 || !format_of(w->word[2], &format))
        return wrong("in which format?");
    if (w->n > 3 && strncmp(w->word[3], "at=", 3) == 0)
        base = w->word[from++] + 3;
    if (!setup_of(&setup, &script, base))
        return false;
    text = written(&setup, format, &script, &diag);
    if (strcmp(w->word[1], "unwritten") == 0) {
        good = text == NULL && diag.status == ETM_ERR_UNSUPPORTED &&
               (w->n == 3 || strcmp(diag.source + 3, w->word[3]) == 0);
        free(text);
        return good ||
               wrong("it is written, or %s: %s", diag.source, diag.what);
    }
    if (text == NULL)
        return wrong("%s: %s", diag.source, diag.what);
    good = format != ETM_SETUP_FORMAT_SYSFS;
    if (w->n > from && strcmp(w->word[from], "back") == 0) {
        good = true;
        from++;
    }
    good =
        has_texts(text, w, from, none) && (!good || reads_back(text, &setup));
    free(text);
    return good;
}

/* ---- Lines --------------------------------------------------------------- */

/* "pins ext_in=1 eice=1 eice_sampled=1", "context vmid=2a user ..." */
static bool inputs(struct words *w)
{
    static const struct field of_pins[] = {
        FIELD(etm_resource_pins, ext_in),
        FIELD(etm_resource_pins, eice),
        FIELD(etm_resource_pins, eice_sampled),
        NO_FIELD,
    };
    static const struct field of_context[] = {
        FIELD(etm_resource_context, context_id),
        FIELD(etm_resource_context, vmid),
        FIELD(etm_resource_context, non_secure),
        FIELD(etm_resource_context, user),
        FIELD(etm_resource_context, hyp),
        NO_FIELD,
    };
    struct etm_resource_pins pins = {0};
    struct etm_resource_context context = {0};
    bool is_pins = strcmp(w->word[0], "pins") == 0;

    if (!fine())
        return false;
    for (unsigned i = 1; i < w->n; i++)
        if (!field_set(is_pins ? of_pins : of_context,
                       is_pins ? (void *)&pins : &context, w->word[i], 16))
            return wrong("not understood: %s", w->word[i]);
    if (is_pins)
        etm_resources_pins(&rig.resources, &pins);
    else
        etm_resources_context(&rig.resources, &context);
    return true;
}

void request_begin(void)
{
    memset(&rig, 0, sizeof rig);
}

void request_changes(void)
{
    rig.asked = false;
}

/* explain: the registers of the request are those that are explained */
static bool explain(struct words *w)
{
    bool good = fine();

    (void)w;
    subject.explain.n_registers = 0;
    for (size_t i = 0; good && i < rig.setup.n; i++)
        good = put(&subject, rig.setup.values[i].number,
                   rig.setup.values[i].value);
    return good;
}

/* ask NAME[=VALUE] ... */
static bool ask_for(struct words *w)
{
    rig.asked = false;
    for (unsigned i = 1; i < w->n; i++) {
        const char *name = w->word[i], *value = strchr(name, '=');
        size_t n = strcspn(name, "=");

        value = value != NULL ? value + 1 : "yes";
        if (!list(name, n, value) && !event(name, n, value) &&
            !field_set(fields, &rig.request, name, 10))
            return wrong("no such field: %s", name);
        if (is_name("context_id", name, n))
            rig.request.has_context_id = strcmp(value, "no") != 0;
        if (cases.failed)
            return false;
    }
    return true;
}

const struct verb request_verbs[] = {
    {"pins", inputs}, {"context", inputs}, {"explain", explain},
    {"ask", ask_for}, {NULL, NULL},
};

const struct verb request_expected[] = {
    {"reg", expect_reg},
    {"error", expect_error},
    {"note", expect_notes},
    {"notes", expect_notes},
    {"unnoted", expect_notes},
    {"traced", expect_cycles},
    {"viewed", expect_cycles},
    {"triggered", expect_cycles},
    {"script", expect_script},
    {"unscripted", expect_script},
    {"unwritten", expect_script},
    {"outputs", expect_outputs},
    {NULL, NULL},
};
