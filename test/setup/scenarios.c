/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the scenarios of a folder (test/README.md): register values and what is
 * said of them. */
#include "scenario.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subject subject;

/* ---- Words --------------------------------------------------------------- */

unsigned version_of(const char *word)
{
    unsigned n = 0;

    while (n < VERSIONS && strcmp(word, versions[n]) != 0)
        n++;
    return n;
}

static unsigned ordinal(const char *version)
{
    unsigned n = version_of(version);

    if (n == VERSIONS)
        (void)wrong("no such version: %s", version);
    return n;
}

bool is_name(const char *name, const char *word, size_t n)
{
    return strncmp(name, word, n) == 0 && name[n] == 0;
}

bool number_of(const char *text, uint32_t *value)
{
    char *end = (char *)text;

    for (*value = 0;; text = end + 1) {
        if (strncmp(text, "always", 6) == 0) {
            *value |= 0x6f;
            end = (char *)text + 6;
        } else if (strncmp(text, "never", 5) == 0) {
            *value |= 0x406f;
            end = (char *)text + 5;
        } else {
            *value |= (uint32_t)strtoul(text, &end, 16);
        }
        if (end == text || *end != '|')
            break;
    }
    return (end != text && *end == 0) || wrong("not a value: %s", text);
}

static bool register_of(const char *name, uint32_t *number)
{
    *number = *name == '#' ? (uint32_t)strtoul(name + 1, NULL, 16)
                           : etm_register_number(name);
    return *number != ETM_REGISTER_NONE || wrong("no such register: %s", name);
}

bool register_word(char *word, uint32_t *number, uint32_t *value)
{
    char *equals = strchr(word, '=');

    if (equals == NULL)
        return wrong("not NAME=VALUE: %s", word);
    *equals = 0;
    return register_of(word, number) && number_of(equals + 1, value);
}

bool register_mask(char *word, uint32_t *number, uint32_t *mask,
                   uint32_t *value)
{
    char *and = strchr(word, '&'), *equals;

    *mask = UINT32_MAX;
    if (and != NULL) {
        equals = strchr(and, '=');
        if (equals == NULL)
            return wrong("not NAME&MASK=VALUE: %s", word);
        *equals = 0;
        if (!number_of(and+1, mask))
            return false;
        memmove(and+1, equals + 1, strlen(equals + 1) + 1);
        *and = '=';
    }
    return register_word(word, number, value);
}

bool put(struct subject *s, uint32_t number, uint32_t value)
{
    size_t i = 0;

    while (i < s->explain.n_registers && s->registers[i].number != number)
        i++;
    if (i == MOST_REGISTERS)
        return wrong("too many registers");
    if (i == s->explain.n_registers)
        s->explain.n_registers++;
    s->registers[i].number = number;
    s->registers[i].value = value;
    return true;
}

/* ---- What it is about ---------------------------------------------------- */

/* A macrocell of this version with 4 pairs, 2 data comparators, 2 decoders, 2
 * counters, sequencer, 4 inputs, 2 outputs, FIFOFULL, 2 context ID comparators
 * and a start/stop block; readable registers; 2 selectors of 40 inputs, 2
 * instrumentation resources, 4 EmbeddedICE comparators that start and stop,
 * timestamps. */
static void machine(struct subject *s, unsigned version)
{
    static const struct {
        enum etm_protocol protocol;
        unsigned minor;
    } of[VERSIONS] = {{ETM_PROTOCOL_ETMV1, 0}, {ETM_PROTOCOL_ETMV1, 1},
                      {ETM_PROTOCOL_ETMV1, 2}, {ETM_PROTOCOL_ETMV1, 3},
                      {ETM_PROTOCOL_ETMV2, 0}, {ETM_PROTOCOL_ETMV2, 1},
                      {ETM_PROTOCOL_ETMV3, 0}, {ETM_PROTOCOL_ETMV3, 1},
                      {ETM_PROTOCOL_ETMV3, 2}, {ETM_PROTOCOL_ETMV3, 3},
                      {ETM_PROTOCOL_ETMV3, 4}, {ETM_PROTOCOL_ETMV3, 5},
                      {ETM_PROTOCOL_PFT, 0},   {ETM_PROTOCOL_PFT, 1}};
    bool pft = of[version].protocol == ETM_PROTOCOL_PFT;

    memset(s, 0, sizeof *s);
    s->config.protocol = of[version].protocol;
    s->config.minor = (uint8_t)of[version].minor;
    s->config.security = version >= version_of("v3.2");
    s->macrocell.config = &s->config;
    s->macrocell.ccr = pft ? 0x06294004 : 0x06a94224;
    s->macrocell.ccer = version >= version_of("v3.1") ? 0x00744942 : 0;
    s->macrocell.scr = version >= version_of("v3.0") ? 4 : 0x1fa;
    s->macrocell.fifo_size = 40;
    s->explain.registers = s->registers;
    s->explain.macrocell = &s->macrocell;
}

/* All instructions, no data, a trigger that never comes: nothing is wrong. */
static void plain(struct subject *s, unsigned version)
{
    bool pft = version >= version_of("pft1.0");

    machine(s, version);
    (void)put(s, 0x000, pft ? 0 : 0x800);
    (void)put(s, 0x002, 0x0406f);
    (void)put(s, 0x008, 0x0006f);
    (void)put(s, 0x009, 0x01000000);
    if (version >= version_of("v1.2") && !pft)
        (void)put(s, 0x007, 0);
}

static bool begin(struct words *w)
{
    const char *core = strcmp(w->word[0], "core") == 0 ? w->word[1] : NULL;
    struct etm_diag diag = {0};
    unsigned version = VERSIONS;

    request_begin();
    chip_begin();
    if (w->n < 2 || w->n > (core != NULL ? 3u : 2u))
        return wrong("%s of which version?", w->word[0]);
    if (core == NULL && (version = ordinal(w->word[1])) == VERSIONS)
        return false;
    if (core == NULL && strcmp(w->word[0], "plain") == 0) {
        plain(&subject, version);
        return true;
    }
    machine(&subject, core == NULL ? version : 0);
    return core == NULL ||
           (core_named(core) != NULL &&
            etm_core_macrocell(core_named(core), w->n == 3 ? w->word[2] : NULL,
                               &subject.macrocell, &subject.config,
                               &diag) == ETM_OK) ||
           wrong("no such core: %s", core);
}

/* "ccr=VALUE", "ccr+BITS", "ccr-BITS" */
static bool field(const char *word)
{
    struct etm_macrocell_config *m = &subject.macrocell;
    size_t n = strcspn(word, "=+-");
    uint32_t *at = is_name("ccr", word, n)    ? &m->ccr
                   : is_name("ccer", word, n) ? &m->ccer
                   : is_name("scr", word, n)  ? &m->scr
                                              : NULL;
    uint32_t value;

    if (word[n] == 0 || !number_of(word + n + 1, &value))
        return wrong("not FIELD=VALUE: %s", word);
    if (is_name("interfaces", word, n) && word[n] == '=')
        m->interfaces = (uint8_t)value;
    else if (is_name("port_sizes", word, n) && word[n] == '=')
        m->port_sizes = (uint16_t)value;
    else if (at == NULL)
        return wrong("no such field: %s", word);
    else if (word[n] == '=')
        *at = value;
    else
        *at = word[n] == '+' ? *at | value : *at & ~value;
    return true;
}

/* ---- What is said -------------------------------------------------------- */

struct sentences {
    struct scenario_text text;
    const char *topic; /* these alone; NULL: all */
};

static int keep_line(void *context, const struct etm_explain_line *line)
{
    struct sentences *all = context;
    const char *topic = etm_topic_name(line->topic);

    if (line->known == (strstr(line->text, "Not known without") == line->text))
        (void)wrong("known or not? %s", line->text);
    if (all->topic == NULL || strcmp(topic, all->topic) == 0)
        text_add(&all->text, "%s/%s: %s\n", topic, line->subject, line->text);
    return 0;
}

static int stop(void *context, const struct etm_explain_line *line)
{
    (void)line;
    return ++*(unsigned *)context == 3 ? 42 : 0;
}

/* expect says TEXT ... | silent TEXT ... | first TEXT | only TOPIC TEXT ... */
static bool expect_says(const struct subject *s, const struct words *w,
                        unsigned from, const char *how)
{
    bool only = strcmp(how, "only") == 0, silent = strcmp(how, "silent") == 0;
    bool first = strcmp(how, "first") == 0;
    struct sentences all = {.topic = only ? w->word[from] + 1 : NULL};
    struct etm_diag diag = {0};
    unsigned lines = 0;
    size_t n = 0;

    from += only;
    if (from + (only ? 0 : 1) > w->n)
        return wrong("what is said?");
    text_add(&all.text, "%s", "");
    if (etm_explain(&s->explain, keep_line, &all, &diag) != ETM_OK)
        (void)wrong("%s: %s", diag.source, diag.what);
    if (etm_explain(&s->explain, stop, &lines, NULL) != 42 || lines != 3)
        (void)wrong("the listener may not stop it");
    for (unsigned i = from; i < w->n && !cases.failed; i++) {
        const char *text = quoted(w->word[i]), *found;

        found = text != NULL ? strstr(all.text.text, text) : NULL;
        if (text == NULL)
            (void)wrong("not in quotes: %s", w->word[i]);
        else if (first ? found != all.text.text : (found != NULL) == silent)
            (void)wrong("\"%s\" is %sin\n%s", text, silent ? "" : "not ",
                        all.text.text);
        n++;
    }
    for (const char *at = all.text.text; only && *at != 0; n--)
        at = strchr(at, '\n') + 1;
    if (only && n != 0 && !cases.failed)
        (void)wrong("these are not all sentences:\n%s", all.text.text);
    free(all.text.text);
    return !cases.failed;
}

struct derived {
    const char *subject;
    struct scenario_text names;
};

static int keep_names(void *context, const struct etm_explain_line *line)
{
    struct derived *d = context;

    if (strcmp(line->subject, d->subject) != 0)
        return 0;
    for (size_t i = 0; i < line->n_registers; i++) {
        const char *name = etm_register_name(line->registers[i]);

        text_add(&d->names, " %s",
                 strncmp(name, "ETM", 3) == 0 ? name + 3 : name);
    }
    return 0;
}

/* derived SUBJECT REG ...: the registers that a sentence names. */
static bool expect_derived(struct words *w)
{
    struct derived d = {.subject = w->n > 3 ? quoted(w->word[2]) : NULL};

    if (d.subject == NULL)
        return wrong("expect derived SUBJECT REG ...");
    (void)etm_explain(&subject.explain, keep_names, &d, NULL);
    return all_words(w, 3, &d.names, strcspn(cases.at->text, "\""));
}

static struct {
    uint32_t first, last;
    struct etm_symbol symbol;
    char name[32];
} one;

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    (void)context;
    if (address < one.first || address > one.last)
        return ETM_ERR_NOT_FOUND;
    *symbol = one.symbol;
    symbol->name = one.name;
    symbol->offset += address - one.first;
    return ETM_OK;
}

/* symbol NAME FIRST-LAST [size=N] [offset=N] */
static bool symbol(struct words *w)
{
    static const struct etm_names names = {.symbol = find_symbol};
    char *end = NULL;
    uint32_t value;

    memset(&one, 0, sizeof one);
    if (w->n < 3 || strlen(w->word[1]) >= sizeof one.name)
        return wrong("symbol NAME FIRST-LAST");
    strcpy(one.name, w->word[1]);
    one.first = (uint32_t)strtoul(w->word[2], &end, 16);
    one.last = (uint32_t)strtoul(end + (*end == '-'), NULL, 16);
    for (unsigned i = 3; i < w->n; i++) {
        const char *word = w->word[i], *equals = strchr(word, '=');
        bool size = strncmp(word, "size=", 5) == 0;

        if ((!size && strncmp(word, "offset=", 7) != 0) ||
            !number_of(equals + 1, &value))
            return wrong("not understood: %s", word);
        if (size)
            one.symbol.size = value;
        else
            one.symbol.offset = value;
    }
    subject.explain.names = &names;
    return true;
}

/* ---- Mistakes ------------------------------------------------------------ */

#define LINTS 100

/* What is expected of a rule; NULL, 0 or NONE: whatever it is. */
struct finding {
    enum etm_lint_rule rule;
    const char *severity, *text, *section;
    uint32_t number;
    unsigned times;
};

static bool rule_of(const char *word, enum etm_lint_rule *rule)
{
    for (unsigned i = 0; i <= ETM_LINT_NO_FEATURE; i++)
        if (strcmp(etm_lint_id((enum etm_lint_rule)i), word) == 0) {
            *rule = (enum etm_lint_rule)i;
            return true;
        }
    return wrong("no such rule: %s", word);
}

static bool judge(const struct etm_lint *lints, int n, const struct finding *f)
{
    const struct etm_lint *first = NULL;
    unsigned times = 0;

    for (int i = 0; i < n; i++)
        if (lints[i].rule == f->rule && times++ == 0)
            first = &lints[i];
    if (f->times != UINT32_MAX ? times != f->times : times == 0)
        return wrong("%s fires %u times: %s", etm_lint_id(f->rule), times,
                     first != NULL ? first->text : "");
    if (first == NULL)
        return true;
    if (f->severity != NULL &&
        strcmp(f->severity, etm_severity_name(first->severity)) != 0)
        return wrong("it is %s", etm_severity_name(first->severity));
    if (f->number != ETM_REGISTER_NONE && f->number != first->number)
        return wrong("it is about #%x", (unsigned)first->number);
    if (f->text != NULL && strstr(first->text, f->text) == NULL)
        return wrong("it says: %s", first->text);
    if (f->section != NULL && strcmp(f->section, first->section) != 0)
        return wrong("it is of section %s", first->section);
    return (strlen(first->text) > 10 && strlen(first->section) >= 3) ||
           wrong("text or section is missing");
}

/* Mistakes come in order, and are counted beyond the capacity. */
static int lint(const struct subject *s, struct etm_lint *lints)
{
    struct etm_lint few[2];
    int n = etm_lint_values(&s->explain, lints, LINTS, NULL);

    for (int i = 1; i < n && i < LINTS; i++)
        if (lints[i - 1].rule > lints[i].rule)
            (void)wrong("mistakes are not in order");
    if (etm_lint_values(&s->explain, few, 2, NULL) != n ||
        etm_lint_values(&s->explain, NULL, 0, NULL) != n)
        (void)wrong("mistakes are counted otherwise without room for them");
    return cases.failed ? -1 : n;
}

static bool linted(const struct subject *s, const struct finding *f)
{
    struct etm_lint lints[LINTS];
    int n = lint(s, lints);

    return n < 0 || n > LINTS ? wrong("%d mistakes", n) : judge(lints, n, f);
}

/* Words of registers from `from` to "not", "but", "says" or the end. */
static bool put_words(struct subject *s, const struct words *w, unsigned *from,
                      const char *names)
{
    bool known = false;
    uint32_t number, value, named = ETM_REGISTER_NONE;

    if (names != NULL)
        named = etm_register_number(names);
    for (; *from < w->n; ++*from) {
        char *word = copy_of(w->word[*from]);
        bool good = strcmp(word, "not") == 0 || strcmp(word, "but") == 0 ||
                    strcmp(word, "says") == 0;

        if (good) {
            free(word);
            break;
        }
        good = register_word(word, &number, &value) && put(s, number, value);
        free(word);
        if (!good)
            return false;
        known = known || number == named;
    }
    return names == NULL || known || wrong("it is about %s", names);
}

/* The register that a finding names is one of the wrong ones, or none; of
 * transitions it is that without an event. */
static bool names_one_of(const struct subject *s, enum etm_lint_rule rule,
                         const struct words *w, unsigned from)
{
    struct etm_lint lints[LINTS];
    struct subject *scratch = calloc(1, sizeof *scratch);
    int n = etm_lint_values(&s->explain, lints, LINTS, NULL), i = 0;
    bool good;

    while (i < n && lints[i].rule != rule)
        i++;
    good = i == n || lints[i].number == ETM_REGISTER_NONE ||
           rule == ETM_LINT_TRANSITION ||
           put_words(scratch, w, &from, etm_register_name(lints[i].number));
    free(scratch);
    return good;
}

/* "v3.4", "v3.0-v3.5", "all" and several of them, with commas. */
static bool is_in(const char *list, unsigned version)
{
    char *text = copy_of(list), *next;
    bool found = false;

    for (char *at = text; at != NULL; at = next) {
        char *last = strchr(at, '-');

        next = strchr(at, ',');
        if (next != NULL)
            *next++ = 0;
        if (last != NULL)
            *last++ = 0;
        found = found || strcmp(at, "all") == 0 ||
                (version >= ordinal(at) &&
                 version <= ordinal(last != NULL ? last : at));
    }
    free(text);
    return found;
}

/* In each version of a list, of a plain setup with these values, and without
 * the mistake with those after "not": "in LIST with REG ... not with REG ...",
 * or with these, some of which are changed: "in LIST with REG ... but REG ..."
 */
static bool in_versions(const struct words *w, unsigned at,
                        const struct finding *f)
{
    static struct subject s;
    struct finding none = {.rule = f->rule, .number = ETM_REGISTER_NONE};
    unsigned n = 0;

    if (at + 3 > w->n || strcmp(w->word[at + 1], "with") != 0)
        return wrong("in VERSIONS with REG ...");
    for (unsigned v = 0; v < VERSIONS && !cases.failed; v++) {
        unsigned from = at + 2;

        if (!is_in(w->word[at], v))
            continue;
        n++;
        plain(&s, v);
        if (!put_words(&s, w, &from, NULL) || !linted(&s, f) ||
            (f->times != 0 && !names_one_of(&s, f->rule, w, at + 2)))
            return cases.failed ? wrong("in %s", versions[v]) : false;
        if (from == w->n)
            continue;
        if (strcmp(w->word[from], "but") == 0) {
            from++;
        } else {
            from += 2;
            plain(&s, v);
        }
        if (!put_words(&s, w, &from, NULL) || !linted(&s, &none))
            return wrong("in %s put right", versions[v]);
    }
    return n != 0 || wrong("in which version?");
}

/* No rule finds anything, or nothing that is unpredictable. */
static bool expect_none(const char *what)
{
    struct etm_lint lints[LINTS];
    int n = lint(&subject, lints);
    bool all = strcmp(what, "mistake") == 0;

    for (int i = 0; i < n && i < LINTS; i++)
        if (all || lints[i].severity == ETM_SEVERITY_UNPREDICTABLE)
            return wrong("%d mistakes: %s", n, lints[i].text);
    return n >= 0 || wrong("nothing tells the version");
}

/* RULE [SEVERITY] [of NAME] [times N] [says TEXT] [section N] [in ...] */
static bool expect_mistake(struct words *w)
{
    bool none = strcmp(w->word[1], "no") == 0;
    struct finding f = {.number = ETM_REGISTER_NONE, .times = none ? 0 : 1};
    unsigned i = 3;

    if (none && w->n == 3 &&
        (strcmp(w->word[2], "mistake") == 0 ||
         strcmp(w->word[2], "unpredictable") == 0))
        return expect_none(w->word[2]);
    if (w->n < 3 || !rule_of(w->word[2], &f.rule))
        return false;
    for (; i < w->n; i++) {
        const char *word = w->word[i],
                   *next = i + 1 < w->n ? w->word[i + 1] : "";

        if (strcmp(word, "in") == 0) {
            f.times = none ? 0 : UINT32_MAX;
            if (!none && f.severity == NULL)
                f.severity = "unpredictable";
            return in_versions(w, i + 1, &f);
        }
        if (strcmp(word, "unpredictable") == 0 || strcmp(word, "advice") == 0) {
            f.severity = word;
            continue;
        }
        i++;
        if (strcmp(word, "of") == 0) {
            if (!register_of(next, &f.number))
                return false;
        } else if (strcmp(word, "says") == 0 && quoted(next) != NULL) {
            f.text = quoted(next);
        } else if (strcmp(word, "section") == 0) {
            f.section = next;
        } else {
            return wrong("not understood: %s", word);
        }
    }
    return linted(&subject, &f);
}

/* ACCESS ... [gives RULE]: "w:NAME=VALUE" and "r:NAME=VALUE" */
static bool expect_accesses(struct words *w)
{
    struct etm_lint_access accesses[32];
    struct finding f = {.number = ETM_REGISTER_NONE};
    struct etm_lint lints[LINTS];
    unsigned n = 0, i = 3;
    int found;

    if (w->n < 5 || !rule_of(w->word[2], &f.rule))
        return wrong("expect accesses RULE TIMES ACCESS ...");
    f.times = (unsigned)strtoul(w->word[i++], NULL, 10);
    for (; i < w->n && n < 32; i++, n++) {
        char *word = w->word[i];

        accesses[n].write = *word == 'w';
        if (strchr("rw", *word) == NULL || word[1] != ':' ||
            !register_word(word + 2, &accesses[n].number, &accesses[n].value))
            return wrong("not an access: %s", word);
    }
    found =
        etm_lint_accesses(&subject.explain, accesses, n, lints, LINTS, NULL);
    return found < 0 || found > LINTS ? wrong("%d mistakes", found)
                                      : judge(lints, found, &f);
}

/* ---- Lines --------------------------------------------------------------- */

/* "since VERSION with REG ... says TEXT": the version before does not. */
static bool expect_since(struct words *w)
{
    static struct subject s;
    unsigned version = w->n > 4 ? ordinal(w->word[2]) : VERSIONS, from;

    if (version == VERSIONS || version == 0 || strcmp(w->word[3], "with") != 0)
        return wrong("since VERSION with REG ... says TEXT");
    for (unsigned v = version - 1; v <= version; v++) {
        from = 4;
        plain(&s, v);
        if (!put_words(&s, w, &from, NULL) ||
            !expect_says(&s, w, from + 1, v < version ? "silent" : "says"))
            return wrong("in %s", versions[v]);
    }
    return true;
}

static bool expect_event(struct words *w)
{
    uint32_t event;
    char text[256];

    if (w->n != 4 || !number_of(w->word[2], &event) || !quoted(w->word[3]))
        return wrong("expect event VALUE TEXT");
    return strcmp(etm_event_words(event, text, sizeof text),
                  quoted(w->word[3])) == 0 ||
           wrong("given: %s", text);
}

static bool expect_refused(struct words *w)
{
    struct sentences all = {.topic = ""};
    struct etm_diag diag = {0};
    int status = etm_explain(&subject.explain, keep_line, &all, &diag);

    free(all.text.text);
    return w->n == 2 && status == ETM_ERR_CONFIG &&
                   etm_lint_values(&subject.explain, NULL, 0, &diag) == status
               ? true
               : wrong("it is not refused: %s", etm_status_text(status));
}

static bool expect_said(struct words *w)
{
    return expect_says(&subject, w, 2, w->word[1]);
}

static bool bare(struct words *w)
{
    memset(&subject, 0, sizeof subject);
    subject.explain.registers = subject.registers;
    return w->n == 1 || wrong("bare stands alone");
}

static bool forget(struct words *w)
{
    subject.explain.n_registers = 0;
    return w->n == 1 || wrong("forget stands alone");
}

/* reg NAME=VALUE ... */
static bool registers(struct words *w)
{
    unsigned from = 1;

    return put_words(&subject, w, &from, NULL);
}

/* macrocell FIELD=VALUE ... */
static bool fields(struct words *w)
{
    bool good = w->n > 1;

    request_changes();
    for (unsigned i = 1; good && i < w->n; i++)
        good = field(w->word[i]);
    return good;
}

static const struct verb verbs[] = {
    {"plain", begin},      {"machine", begin}, {"core", begin},
    {"bare", bare},        {"symbol", symbol}, {"forget", forget},
    {"macrocell", fields}, {"reg", registers}, {NULL, NULL},
};

static const struct verb expected[] = {
    {"says", expect_said},       {"silent", expect_said},
    {"only", expect_said},       {"first", expect_said},
    {"mistake", expect_mistake}, {"no", expect_mistake},
    {"since", expect_since},     {"accesses", expect_accesses},
    {"event", expect_event},     {"derived", expect_derived},
    {"refused", expect_refused}, {NULL, NULL},
};

static void clear(void)
{
    memset(&subject, 0, sizeof subject);
    request_begin();
    chip_begin();
}

int main(int argc, char **argv)
{
    static const struct case_room room = {
        .ending = ".scn",
        .nested = true,
        .clear = clear,
        .verbs = {verbs, chip_verbs, request_verbs},
        .expected = {expected, request_expected, chip_expected}};

    return cases_main(argc, argv, &room);
}
