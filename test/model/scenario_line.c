/* SPDX-License-Identifier: Apache-2.0 */
/* One line of a scenario: what is done, or what is expected of it. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ------------------------------------------------------------- */

static bool term(const char **at, uint32_t *value)
{
    static const struct {
        const char *name;
        uint32_t value;
    } names[] = {
        {"always", 0x6f},
        {"never", 0x406f},
        {"key", 0xc5acce55},
        {"power_down", ETM_CR_POWER_DOWN},
        {"programming", ETM_CR_PROGRAMMING},
        {"stall", ETM_CR_STALL},
        {"branch_output", ETM_CR_BRANCH_OUTPUT},
        {"cycle_accurate", ETM_CR_CYCLE_ACCURATE},
        {"suppress", ETM_CR_SUPPRESS_DATA},
        {"debug_request", ETM_CR_DEBUG_REQUEST},
        {"timestamp", ETM_CR_TIMESTAMP},
    };
    size_t n = 0;
    char *end;

    while (in_name((*at)[n]))
        n++;
    *value = unit_control(&unit);
    if (n == 7 && strncmp(*at, "control", 7) == 0) {
        *at += n;
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && strncmp(*at, names[i].name, n) == 0) {
            *value = names[i].value;
            *at += n;
            return true;
        }
    *value = (uint32_t)strtoul(*at, &end, 16);
    if (end == *at)
        return false;
    *at = end;
    return true;
}

/* "control|programming|200000" */
static bool number_of(const char *text, uint32_t *value)
{
    uint32_t more;

    *value = 0;
    do {
        if (!term(&text, &more))
            return false;
        *value |= more;
    } while (*text++ == '|');
    return text[-1] == 0;
}

/* ---- Expectations -------------------------------------------------------- */

/* "100-10c" stands for 100 104 108 10c. */
static void expand(const char *text, struct scenario_text *out)
{
    while (*(text += strspn(text, " \n")) != 0) {
        size_t n = strcspn(text, " \n");
        char *dash, *end;
        unsigned long from = strtoul(text, &dash, 16);
        unsigned long to = *dash == '-' ? strtoul(dash + 1, &end, 16) : 0;
        if (dash == text || *dash != '-' || end != text + n)
            text_add(out, " %.*s", (int)n, text);
        else
            for (; from <= to; from += 4)
                text_add(out, " %lx", from);
        text += n;
    }
}

/* Three addresses in a row and more become one word. */
static char *compress(const char *text)
{
    struct scenario_text out = {NULL, 0, 0};

    text_add(&out, "%s", "");
    for (const char *next; *(text += strspn(text, " ")) != 0; text = next) {
        char *end;
        unsigned long from = strtoul(text, &end, 16), to = from, times = 1;
        const char *last = end;
        next = text + strcspn(text, " ");
        for (bool more = end == next; more;) {
            more = *last != 0 && strtoul(last, &end, 16) == to + 4 &&
                   (*end == ' ' || *end == 0);
            to += more ? 4 : 0;
            times += more;
            last = more ? end : last;
        }
        next = times >= 3 ? last : next;
        if (times >= 3)
            text_add(&out, "%s%lx-%lx", out.n ? " " : "", from, to);
        else
            text_add(&out, "%s%.*s", out.n ? " " : "", (int)(next - text),
                     text);
    }
    return out.text;
}

/* `given` is what came out, and is freed; the expected text is the end of the
 * line. */
static bool compare(const char *expected, struct scenario_text *given,
                    bool addresses)
{
    struct scenario_text a = {NULL, 0, 0}, b = {NULL, 0, 0};
    bool equal;

    cases.n_expected++;
    text_add(&a, "%s", "");
    text_add(&b, "%s", "");
    text_add(given, "%s", "");
    expand(expected, &a);
    expand(given->text, &b);
    equal = strcmp(a.text, b.text) == 0;
    if (cases.rebase && !equal && cases.at->given == NULL &&
        strchr(cases.at->text, '$') == NULL)
        ((struct line *)cases.at)->given =
            addresses ? compress(given->text) : copy_of(given->text);
    else if (!equal)
        (void)wrong("expected:%s\n#   given:%s", a.text, b.text);
    free(a.text);
    free(b.text);
    free(given->text);
    return equal;
}

static const char *const results[] = {"ok", "ignored", "error", "unpredictable",
                                      "impossible"};
static const char *const sides[] = {"software", "debugger", "coprocessor",
                                    "user", "jtag"};

static unsigned find(const char *word, const char *const *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return n;
}

/* "... as SIDE" at the end is taken off. */
static bool side_of(struct words *w, enum etm_access *side)
{
    unsigned found;

    *side = unit.side;
    if (w->n < 3 || strcmp(w->word[w->n - 2], "as") != 0)
        return true;
    found = find(w->word[w->n - 1], sides, 5);
    *side = (enum etm_access)found;
    w->n -= 2;
    return found < 5 || wrong("no such side: %s", w->word[w->n + 1]);
}

static bool register_of(const char *word, uint32_t *result)
{
    char *end;

    *result = etm_register_number(word);
    if (*result == ETM_REGISTER_NONE && *word == '#') /* a number */
        *result = (uint32_t)strtoul(word + 1, &end, 16);
    return *result != ETM_REGISTER_NONE || wrong("no such register: %s", word);
}

/* "NAME[&MASK]=VALUE[,RESULT]" or "NAME=RESULT" */
struct access {
    const char *name;
    uint32_t number, mask, value;
    enum etm_access_result result;
    bool no_value;
};

static bool access_word(char *word, struct access *a)
{
    char *equals = strchr(word, '='), *mask = strchr(word, '&');
    char *result = equals != NULL ? strchr(equals, ',') : NULL;
    unsigned wanted = 0;

    *a = (struct access){.name = word, .mask = UINT32_MAX};
    if (equals == NULL)
        return wrong("not NAME=VALUE: %s", word);
    *equals++ = 0;
    if (result != NULL) {
        *result++ = 0;
        wanted = find(result, results, 5);
    } else if (find(equals, results, 5) < 5) {
        wanted = find(equals, results, 5);
        a->no_value = true;
    }
    if (mask != NULL && mask < equals)
        *mask++ = 0;
    if ((mask != NULL && mask < equals && !number_of(mask, &a->mask)) ||
        (!a->no_value && !number_of(equals, &a->value)) || wanted == 5)
        return wrong("not a value: %s", equals);
    a->result = (enum etm_access_result)wanted;
    return register_of(word, &a->number);
}

/* Values of registers, where nobody asks who may read them. */
static uint32_t *values(void)
{
    return unit.m != NULL ? unit.m->registers.value : unit.resources.value;
}

/* expect reg ACCESS ... [as SIDE]; `state`: what the register file holds. */
static bool expect_reg(struct words *w, const char *expected, bool state)
{
    struct scenario_text given = {NULL, 0, 0};
    enum etm_access side;
    struct access a;

    if (!side_of(w, &side) || w->n < 3)
        return wrong("expect reg NAME=VALUE");
    for (unsigned i = 2; i < w->n; i++) {
        char *word = copy_of(w->word[i]);
        uint32_t value = 0;
        enum etm_access_result result;
        if (!access_word(w->word[i], &a)) {
            free(word);
            return false;
        }
        if (state) {
            result = ETM_ACCESS_OK;
            value = values()[a.number % ETM_REGISTERS];
        } else {
            result = etm_macrocell_read(unit.m, a.number, side, &value);
        }
        if (result == a.result && (a.no_value || (value & a.mask) == a.value))
            text_add(&given, " %s", word);
        else if (result > ETM_ACCESS_IGNORED)
            text_add(&given, " %s=%s", a.name, results[result]);
        else
            text_add(&given, " %.*s=%x%s%s", (int)strcspn(word, "="), word,
                     value & a.mask, result != ETM_ACCESS_OK ? "," : "",
                     result != ETM_ACCESS_OK ? results[result] : "");
        free(word);
    }
    if (strstr(expected, " as ") != NULL)
        text_add(&given, " as %s", sides[side]);
    (void)compare(expected, &given, false);
    return true;
}

/* expect there NAME ..., expect absent NAME ...: registers */
static bool expect_there(struct words *w, const char *expected)
{
    bool there = strcmp(w->word[1], "there") == 0;
    struct scenario_text given = {NULL, 0, 0};
    uint32_t n;

    text_add(&given, "%s", "");
    for (unsigned i = 2; i < w->n; i++) {
        bool exists;
        if (!register_of(w->word[i], &n) || n >= ETM_REGISTERS)
            return false;
        exists = (unit.m->registers.flags[n] & ETM_REG_EXISTS) != 0;
        if (exists == there)
            text_add(&given, " %s", w->word[i]);
    }
    (void)compare(expected, &given, false);
    return true;
}

/* expect told KEY=N ... */
static bool expect_told(struct words *w, const char *expected)
{
    struct scenario_text given = {NULL, 0, 0};

    unit_finish(&unit);
    if (!unit_text(&unit, "traced", "", &given))
        return wrong("nothing can be said of it");
    given.n = 0;
    for (unsigned i = 2; i < w->n; i++) {
        size_t n = strcspn(w->word[i], "=");
        uint64_t value = told_times(&unit, w->word[i], n);
        w->word[i][n] = 0;
        if (strcmp(w->word[i], "cycles") == 0)
            value = unit.told_cycles;
        else if (strcmp(w->word[i], "time") == 0)
            value = unit.told_time;
        text_add(&given, " %s=%llu", w->word[i], (unsigned long long)value);
    }
    if (unit.status == ETM_OK)
        (void)compare(expected, &given, false);
    else
        free(given.text);
    return true;
}

static bool expect_mistakes(const char *expected)
{
    static const char *const names[] = {"reserved_register",
                                        "read_only",
                                        "write_only",
                                        "reserved_bits",
                                        "reserved_value",
                                        "tracing",
                                        "control",
                                        "suppress_and_stall",
                                        "port",
                                        "core",
                                        "os_save_restore"};
    uint32_t mistakes = etm_macrocell_mistakes(unit.m);
    struct scenario_text given = {NULL, 0, 0};

    text_add(&given, "%s", mistakes == 0 ? "none" : "");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (mistakes >> i & 1u)
            text_add(&given, " %s", names[i]);
    (void)compare(expected, &given, false);
    return true;
}

/* expect refused STATUS [taken=N] */
static bool expect_refused(struct words *w, const char *expected)
{
    struct scenario_text given = {NULL, 0, 0};

    text_add(&given, "%s", NAME_IN(statuses, unit.status));
    if (w->n > 3 && strncmp(w->word[3], "taken=", 6) == 0 && unit.m != NULL)
        text_add(&given, " taken=%llu",
                 (unsigned long long)etm_macrocell_taken(unit.m));
    if (unit.m == NULL && unit.diag.source[0] != 0)
        text_add(&given, " %s", unit.diag.source);
    unit.status = ETM_OK;
    (void)compare(expected, &given, false);
    return true;
}

/* What is said of a kind of packet, and what of the macrocell as it is. */
static const char *const of_kind[] = {"values", "addresses", "count"};
static const char *const at_once[] = {"now",   "signals", "outputs",
                                      "held",  "cycle",   "registers",
                                      "exist", "active",  "ever"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
    return find(word, list, (unsigned)n) < n;
}

/* expect WHAT [KIND] ...: what came out; `rest` is what is expected of it. */
static bool expect_text(const char *what, const char *kind, bool finish,
                        const char *rest)
{
    struct scenario_text given = {NULL, 0, 0};
    bool good;

    if (finish)
        unit_finish(&unit);
    text_add(&given, "%s", "");
    good = unit_text(&unit, what, kind, &given) ||
           wrong("nothing can be said of %s", what);
    if (good && unit.status == ETM_OK)
        (void)compare(rest, &given, strcmp(what, "traced") == 0);
    else
        free(given.text);
    return good;
}

/* `w` are the words of the text that begins with "expect". */
static bool expect_words(struct words *w, const char *text)
{
    bool so_far = w->n > 1 && strcmp(w->word[1], "sofar") == 0, list;
    const char *what, *rest = text;

    for (unsigned i = 1; so_far && ++i < w->n;)
        w->word[i - 1] = w->word[i];
    w->n -= so_far;
    if (w->n < 2)
        return wrong("expect what?");
    what = w->word[1];
    list = is_one_of(what, of_kind, COUNT(of_kind)) && w->n > 2;
    for (unsigned skip = 2u + so_far + list; skip-- != 0;) {
        rest += strspn(rest, " \n");
        rest += strcspn(rest, " \n");
    }
    ((struct line *)cases.at)->head = (size_t)(rest - text);
    if (strcmp(what, "refused") == 0)
        return expect_refused(w, rest);
    if (unit.status != ETM_OK)
        return wrong("refused: %s", etm_status_text(unit.status));
    if (strcmp(what, "reg") == 0 || strcmp(what, "state") == 0)
        return expect_reg(w, rest, *what == 's');
    if (strcmp(what, "there") == 0 || strcmp(what, "absent") == 0)
        return expect_there(w, rest);
    if (strcmp(what, "mistakes") == 0)
        return expect_mistakes(rest);
    if (strcmp(what, "told") == 0)
        return expect_told(w, rest);
    return expect_text(what, list ? w->word[2] : "",
                       !so_far && !is_one_of(what, at_once, COUNT(at_once)),
                       rest);
}

static bool expect(char *text)
{
    static struct words w;
    char *copy = copy_of(text);
    bool good = cut(copy, &w);

    unit_flush(&unit);
    good = good && expect_words(&w, text);
    free(copy);
    return good;
}

/* ---- What a case does ---------------------------------------------------- */

/* reg ACCESS ... [as SIDE] */
static bool reg(struct words *w)
{
    enum etm_access side;
    struct access a;

    if (!side_of(w, &side) || w->n < 2)
        return wrong("reg NAME=VALUE");
    for (unsigned i = 1; i < w->n; i++) {
        enum etm_access_result result;
        if (!access_word(w->word[i], &a))
            return false;
        if (a.no_value)
            return wrong("no value is written to %s", a.name);
        cases.n_expected += a.result != ETM_ACCESS_OK;
        result = etm_macrocell_write(unit.m, a.number, side, a.value);
        if (result != a.result)
            (void)wrong("the access to %s is %s", a.name, results[result]);
    }
    return true;
}

/* state ACCESS ...: what the resources leave in registers. */
static bool state(struct words *w)
{
    struct access a;

    for (unsigned i = 1; i < w->n; i++) {
        if (!access_word(w->word[i], &a))
            return false;
        if (a.number < ETM_REGISTERS)
            values()[a.number] = a.value;
    }
    return true;
}

/* Are all words of a line, but the first, of the list? Their bits. */
static bool bits(const struct words *w, const char *const *list, unsigned n,
                 unsigned *mask)
{
    *mask = 0;
    for (unsigned i = 1; i < w->n; i++) {
        unsigned found = find(w->word[i], list, n);
        if (found == n && strcmp(w->word[i], "none") != 0)
            return wrong("not understood: %s", w->word[i]);
        *mask |= 1u << found;
    }
    return true;
}

static bool pins(const struct words *w)
{
    static const char *const names[] = {"dbgen", "niden", "spiden", "spniden",
                                        "os_lock_init"};
    struct etm_macrocell_pins p;
    unsigned mask;

    if (!bits(w, names, 5, &mask))
        return false;
    p = (struct etm_macrocell_pins){
        .dbgen = mask & 1u,
        .niden = mask >> 1 & 1u,
        .spiden = mask >> 2 & 1u,
        .spniden = mask >> 3 & 1u,
        .os_lock_init = mask >> 4 & 1u,
    };
    etm_macrocell_set_pins(unit.m, &p);
    return true;
}

static bool power(const struct words *w)
{
    static const char *const names[] = {"debug", "core"};
    unsigned mask;

    if (!bits(w, names, 2, &mask))
        return false;
    etm_macrocell_power(unit.m, mask & 1u, mask >> 1 & 1u);
    return true;
}

/* What is done to a macrocell; *done: whether there is such a word. */
static bool macrocell(struct words *w, bool *done)
{
    const char *first = w->word[0];
    uint32_t control = 0;

    *done = true;
    if (strcmp(first, "reg") == 0)
        return reg(w);
    if (strcmp(first, "state") == 0)
        return state(w);
    if (strcmp(first, "permit") == 0)
        return pins(w);
    if (strcmp(first, "power") == 0)
        return power(w);
    if (strcmp(first, "run") == 0) {
        bool all = w->n > 2 && strcmp(w->word[1], "=") == 0;
        if (w->n > 1 && !number_of(w->word[1 + all], &control))
            return wrong("not a value: %s", w->word[1 + all]);
        unit_run(&unit, all ? control : control | unit_control(&unit));
    } else if (strcmp(first, "drained") == 0 && w->n == 2) {
        unit.m->registers.drained = strcmp(w->word[1], "yes") == 0;
    } else if (strcmp(first, "clear") == 0) {
        unit_clear(&unit);
    } else if (strcmp(first, "connect") == 0) {
        unit_connect(&unit);
    } else if (strcmp(first, "program") == 0) {
        unit_program(&unit);
    } else if (strcmp(first, "reset") == 0) {
        etm_macrocell_reset(unit.m);
    } else if (strcmp(first, "save") == 0 || strcmp(first, "restore") == 0) {
        enum etm_access usual = unit.side;
        if (!side_of(w, &unit.side))
            return false;
        (*first == 's' ? unit_save : unit_restore)(&unit);
        unit.side = usual;
    } else {
        *done = false;
    }
    return true;
}

/* A line about resources; "ITEMS => OUTPUT" ends the cycle. `copy`: the line
 * before it was cut. */
static bool resources(struct words *w, struct etm_event_list *list,
                      const char *copy)
{
    const char *bad = NULL, *arrow = strstr(copy, "=> ");
    struct scenario_text given = {NULL, 0, 0};
    unsigned n = 0;
    bool outstanding;

    if (strcmp(w->word[0], "reg") == 0)
        return state(w);
    while (n < w->n && strcmp(w->word[n], "=>") != 0)
        n++;
    outstanding = n != 0 && strcmp(w->word[n - 1], "outstanding") == 0;
    if (n < w->n && arrow == NULL)
        return wrong("what comes out?");
    w->n = n - outstanding;
    if (w->n != 0)
        bad = resources_line(&unit, w, list);
    if (bad != NULL)
        return wrong("not understood: %s", bad);
    if (arrow == NULL)
        return true;
    resources_cycle(&unit, outstanding, &given);
    ((struct line *)cases.at)->head =
        (size_t)(strstr(cases.at->text, "=> ") - cases.at->text) + 2;
    (void)compare(arrow + 3, &given, false);
    return true;
}

bool scenario_line(const struct line *line)
{
    static char text[1 << 16], once[1 << 16], copy[1 << 16];
    static struct words w;
    static struct etm_event_list list;
    const char *bad;
    bool done, code;

    if (!substitute(line->text, once, sizeof once) ||
        !substitute(once, text, sizeof text))
        return false;
    if (strncmp(text, "expect", 6) == 0)
        return unit.kind == UNIT_NONE ? wrong("of what?") : expect(text);
    memcpy(copy, text, strlen(text) + 1);
    if (!cut(text, &w))
        return false;
    if (w.n == 0)
        return true;
    if (strcmp(w.word[0], "macrocell") == 0 ||
        strcmp(w.word[0], "resources") == 0 ||
        strcmp(w.word[0], "registers") == 0 ||
        strcmp(w.word[0], "generator") == 0) {
        unit_flush(&unit);
        if (unit.status != ETM_OK)
            return wrong("refused: %s", etm_status_text(unit.status));
        bad = unit_begin(&unit, &w);
        return bad == NULL || wrong("not understood: %s", bad);
    }
    if (strcmp(w.word[0], "finish") == 0) {
        unit_finish(&unit);
        return true;
    }
    if (unit.kind == UNIT_RESOURCES)
        return resources(&w, &list, copy);
    code = strcmp(w.word[0], "code") == 0 && w.n > 1;
    for (unsigned i = 1; code && i < w.n; i++)
        w.word[i - 1] = w.word[i];
    w.n -= code;
    bad = scenario_events(&w, &list);
    if (bad == NULL && code) {
        unit_code(&unit, &list);
        return true;
    }
    if (bad == NULL && unit.kind != UNIT_NONE) {
        if (unit.status == ETM_OK) /* else it is refused like the last */
            unit_push(&unit, &list);
        return true;
    }
    if (unit.status != ETM_OK)
        return wrong("refused: %s", etm_status_text(unit.status));
    unit_flush(&unit);
    if (unit.m == NULL)
        return wrong("not understood: %s", bad != NULL ? bad : w.word[0]);
    if (!macrocell(&w, &done))
        return false;
    return done || wrong("not understood: %s", bad);
}
