/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses, ranges, values and conditions of `etm configure`. */
#include "cli/args.h"
#include "cli/configure.h"

#include <etm/program.h>

#include <stdio.h>
#include <string.h>

#define WORD 128

/* `text` is the value of the option, or the part of it that is wrong. */
static int wrong(const struct etm_cli_configure *c, const char *text,
                 const char *what)
{
    if (*text == '\0' || strcmp(text, c->value) == 0)
        return etm_cli_bad_value("configure", c->option, c->value, what);
    return etm_cli_usage("configure", "%s %s: \"%s\": %s", c->option, c->value,
                         text, what);
}

/* A part of it is missing, perhaps all. */
static int missing(const struct etm_cli_configure *c, const char *what)
{
    return wrong(c, "", what);
}

/* Names of a program that is loaded anywhere are not yet addresses. */
static void tell_position(const char *path)
{
    uint8_t head[18] = {0}; /* up to e_type, in the byte order of EI_DATA */
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;

    if (file)
        (void)fclose(file);
    if (n == sizeof head && head[head[5] == 2 ? 17 : 16] == 3) /* ET_DYN */
        etm_cli_error("note: --elf %s is position-independent: its names are "
                      "addresses in the file; if it is loaded elsewhere, give "
                      "addresses",
                      etm_cli_path(path));
}

int etm_cli_configure_elf(struct etm_cli_configure *c, const char *value)
{
    struct etm_diag diag = {0};
    int status;

    if (c->symbols)
        return etm_cli_usage("configure", "--elf is given twice");
    c->elf = value;
    status = etm_symbols_open(&c->symbols, value, NULL, &diag);
    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
        return ETM_EXIT_UNREADABLE;
    }
    tell_position(value);
    return -1;
}

int etm_cli_configure_number(const struct etm_cli_configure *c,
                             const char *text, uint32_t most, uint32_t *value)
{
    uint64_t v;

    if (*text == '\0')
        return missing(c, "a number is missing");
    if (!etm_cli_number(text, most, &v))
        return wrong(c, text, "not a number, or too large");
    *value = (uint32_t)v;
    return -1;
}

/* Static functions of several files may have one name. */
static void tell_namesakes(const struct etm_cli_configure *c, const char *name,
                           uint32_t at)
{
    size_t n = etm_symbols_count(c->symbols, name);

    if (n > 1)
        etm_cli_error("note: %s %s: %s has %zu of that name: the one at "
                      "0x%08lx is used (for another, give its address)",
                      c->option, name, c->elf, n, (unsigned long)at);
}

/* A symbol, with an offset after a plus. */
static int find_symbol(struct etm_cli_configure *c, const char *text,
                       uint64_t *address, enum etm_isa *isa)
{
    const char *plus = strchr(text, '+');
    size_t n = plus ? (size_t)(plus - text) : strlen(text);
    char name[WORD];
    uint64_t offset = 0;
    uint32_t at, size;

    if (*text == '\0')
        return missing(c, "an address is missing");
    if (!c->symbols)
        return wrong(c, text, "not a number; a name needs --elf before it");
    if (n == 0 || n >= sizeof name)
        return wrong(c, text, "not a name");
    memcpy(name, text, n);
    name[n] = '\0';
    if (plus && !etm_cli_number(plus + 1, UINT64_MAX, &offset))
        return wrong(c, text, "the offset is not a number");
    if (etm_symbols_find(c->symbols, name, &at, NULL, isa) != ETM_OK &&
        etm_symbols_variable(c->symbols, name, &at, &size) != ETM_OK) {
        etm_cli_error("%s: no symbol %s in %s", c->option, name, c->elf);
        return ETM_EXIT_UNREADABLE;
    }
    tell_namesakes(c, name, at);
    *address = at + offset;
    return -1;
}

/* An address up to and with 0x100000000, the end of memory. */
static int read_address(struct etm_cli_configure *c, const char *text,
                        uint64_t *address, enum etm_isa *isa)
{
    int status = -1;

    *isa = ETM_ISA_UNKNOWN;
    if (!etm_cli_number(text, UINT64_MAX, address))
        status = find_symbol(c, text, address, isa);
    if (status < 0 && *address > UINT64_C(0x100000000))
        return wrong(c, text, "not a 32-bit address");
    return status;
}

static bool is_data(const struct etm_request_match *m)
{
    return m->look >= ETM_LOOK_TRANSFER;
}

/* Bit 0 of an instruction's address says Thumb. */
static void take_state(struct etm_request_match *m, enum etm_isa isa)
{
    if (is_data(m))
        return;
    m->isa = isa;
    if (m->from & 1u) {
        m->from &= ~UINT32_C(1);
        m->isa = ETM_ISA_THUMB;
    }
}

int etm_cli_configure_place(struct etm_cli_configure *c, const char *text,
                            struct etm_request_match *match)
{
    enum etm_isa isa;
    uint64_t address;
    int status = read_address(c, text, &address, &isa);

    if (status >= 0)
        return status;
    if (address > UINT32_MAX)
        return wrong(c, text, "not a 32-bit address");
    match->from = (uint32_t)address;
    match->range = false;
    take_state(match, isa);
    return -1;
}

/* The value of --to is an end alone, and its beginning that of --from. */
static bool is_end(const struct etm_cli_configure *c)
{
    return strcmp(c->option, "--to") == 0;
}

static int empty(const struct etm_cli_configure *c, const char *to)
{
    return wrong(c, is_end(c) ? to : c->value,
                 "the range is empty: its end is not above its beginning");
}

static int read_from(struct etm_cli_configure *c, const char *from,
                     uint64_t *low, enum etm_isa *isa)
{
    const char *option = c->option, *value = c->value;
    int status;

    if (is_end(c)) {
        c->option = "--from";
        c->value = from;
    }
    status = read_address(c, from, low, isa);
    c->option = option;
    c->value = value;
    return status;
}

int etm_cli_configure_range(struct etm_cli_configure *c, const char *from,
                            const char *to, struct etm_request_match *match)
{
    enum etm_isa isa, ignored;
    uint64_t low, high;
    int status = read_from(c, from, &low, &isa);

    if (status < 0)
        status = read_address(c, to, &high, &ignored);
    if (status >= 0)
        return status;
    if (high <= low)
        return empty(c, to);
    match->range = true;
    match->from = (uint32_t)low;
    match->to = (uint32_t)(high - 1);
    take_state(match, isa);
    return -1;
}

int etm_cli_configure_function(struct etm_cli_configure *c, const char *name,
                               struct etm_request_match *match)
{
    uint32_t size;

    if (*name == '\0')
        return missing(c, "a name is missing");
    if (!c->symbols)
        return wrong(c, name, "a name needs --elf before it");
    if (etm_symbols_find(c->symbols, name, &match->from, &size, &match->isa) !=
        ETM_OK) {
        etm_cli_error("%s: no function %s in %s", c->option, name, c->elf);
        return ETM_EXIT_UNREADABLE;
    }
    if (size == 0) {
        etm_cli_error("%s: %s has no size for %s; give --from and --to",
                      c->option, c->elf, name);
        return ETM_EXIT_UNREADABLE;
    }
    tell_namesakes(c, name, match->from);
    match->range = true;
    match->to = match->from + size - 1;
    return -1;
}

int etm_cli_configure_variable(struct etm_cli_configure *c, const char *name,
                               struct etm_request_match *match)
{
    uint32_t size;

    if (*name == '\0')
        return missing(c, "a name is missing");
    if (!c->symbols)
        return wrong(c, name, "a name needs --elf before it");
    if (etm_symbols_variable(c->symbols, name, &match->from, &size) != ETM_OK) {
        etm_cli_error("%s: no variable %s in %s", c->option, name, c->elf);
        return ETM_EXIT_UNREADABLE;
    }
    if (size == 0) {
        etm_cli_error("%s: %s has no size for %s", c->option, c->elf, name);
        return ETM_EXIT_UNREADABLE;
    }
    /* What one comparator can watch takes no pair. */
    match->range =
        !(size == 4 || size == 2 || size == 1) || match->from % size != 0;
    match->size = (uint8_t)(match->range ? 0 : size);
    match->to = match->from + size - 1;
    return -1;
}

/* Copy up to `end`; false if it does not fit. */
static bool copy(char *word, const char *text, const char *end)
{
    size_t n = (size_t)(end - text);

    if (n >= WORD)
        return false;
    memcpy(word, text, n);
    word[n] = '\0';
    return true;
}

/* VALUE[/MASK] of a data match. */
static int take_value(const struct etm_cli_configure *c, const char *text,
                      struct etm_request_match *match)
{
    const char *slash = strchr(text, '/');
    char word[WORD];
    uint64_t value, mask = 0;

    if (*text == '\0')
        return missing(c, "a value is missing");
    if (!copy(word, text, slash ? slash : text + strlen(text)) ||
        !etm_cli_number(word, UINT32_MAX, &value))
        return wrong(c, text, "the value is not a 32-bit number");
    if (slash && (!etm_cli_number(slash + 1, UINT32_MAX, &mask) || mask == 0))
        return wrong(c, text, "the mask is not a 32-bit number");
    match->has_value = true;
    match->value = (uint32_t)value;
    match->mask = (uint32_t)mask;
    return -1;
}

int etm_cli_configure_value(struct etm_cli_configure *c, const char *text,
                            struct etm_request_match *match)
{
    const char *at = strchr(text, '@');
    char word[WORD];
    int status;

    if (!copy(word, text, at ? at : text + strlen(text)))
        return wrong(c, text, "not of the form VALUE[/MASK][@ADDR]");
    status = take_value(c, word, match);
    if (status < 0 && at)
        return etm_cli_configure_place(c, at + 1, match);
    if (status < 0) {
        match->range = true;
        match->from = 0;
        match->to = UINT32_MAX;
    }
    return status;
}

/* PLACE or PLACE-PLACE; a minus within a symbol's name does not occur in C. */
static int take_place(struct etm_cli_configure *c, const char *text,
                      struct etm_request_match *match)
{
    const char *minus = strchr(text, '-');
    char from[WORD];

    if (!minus)
        return etm_cli_configure_place(c, text, match);
    if (!copy(from, text, minus))
        return wrong(c, text, "not a range");
    return etm_cli_configure_range(c, from, minus + 1, match);
}

/* Conditions that are a word, or a word and a number. */
static const struct {
    const char *word;
    enum etm_condition what;
    bool number;
} conditions[] = {
    {"always", ETM_CONDITION_ALWAYS, false},
    {"ext", ETM_CONDITION_EXTERNAL, true},
    {"extended", ETM_CONDITION_EXTENDED, true},
    {"ice", ETM_CONDITION_ICE, true},
    {"mmd", ETM_CONDITION_MEMORY_MAP, true},
    {"dbg", ETM_CONDITION_INSTRUMENTATION, true},
    {"context", ETM_CONDITION_CONTEXT_ID, true},
    {"started", ETM_CONDITION_STARTED, false},
    {"non-secure", ETM_CONDITION_NON_SECURE, false},
    {"prohibited", ETM_CONDITION_PROHIBITED, false},
    {"chain", ETM_CONDITION_CHAIN, false},
    {"every", ETM_CONDITION_EVERY, true},
    {"vmid", ETM_CONDITION_VMID, true},
};

/* "load2:0x2000=5/0xff": access, size, place, value. */
static const struct {
    const char *word;
    enum etm_look look;
} accesses[] = {
    {"load", ETM_LOOK_LOAD},     {"store", ETM_LOOK_STORE},
    {"data", ETM_LOOK_TRANSFER}, {"exec", ETM_LOOK_EXECUTE},
    {"passed", ETM_LOOK_PASSED}, {"failed", ETM_LOOK_FAILED},
    {"fetch", ETM_LOOK_FETCH},
};

static int take_access(struct etm_cli_configure *c, const char *text,
                       const char *colon, struct etm_request_match *match)
{
    const char *equals = strchr(colon, '=');
    size_t n = (size_t)(colon - text);
    char place[WORD];
    int status;

    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        size_t length = strlen(accesses[i].word);

        if (n < length || n > length + 1 ||
            strncmp(text, accesses[i].word, length) != 0)
            continue;
        match->look = accesses[i].look;
        if (n == length + 1) {
            char size = text[length];

            if ((size != '1' && size != '2' && size != '4') || !is_data(match))
                return wrong(c, text, "the size of data is 1, 2 or 4");
            match->size = (uint8_t)(size - '0');
        }
        if (!copy(place, colon + 1, equals ? equals : colon + strlen(colon)))
            return wrong(c, text, "not an address");
        status = take_place(c, place, match);
        if (status < 0 && equals)
            status = take_value(c, equals + 1, match);
        return status;
    }
    return wrong(c, text, "no such condition");
}

static int take_condition(struct etm_cli_configure *c, char *text,
                          struct etm_request_condition *out)
{
    char *colon = strchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : strlen(text);

    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        if (strlen(conditions[i].word) != n ||
            strncmp(text, conditions[i].word, n) != 0)
            continue;
        if (colon && !conditions[i].number)
            return wrong(c, text, "takes no number");
        if (conditions[i].number && (!colon || colon[1] == '\0'))
            return wrong(c, text, "needs a number: WORD:N");
        out->what = conditions[i].what;
        if (!colon)
            return -1;
        return etm_cli_configure_number(c, colon + 1, UINT32_MAX, &out->number);
    }
    out->what = ETM_CONDITION_MATCH;
    if (colon)
        return take_access(c, text, colon, &out->match);
    return take_place(c, text, &out->match);
}

/* Whether a word of `accesses` is before the colon, with or without a size. */
static bool is_access(const char *text, const char *colon)
{
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        size_t n = strlen(accesses[i].word);

        if (strncmp(text, accesses[i].word, n) == 0 &&
            (colon == text + n || colon == text + n + 1))
            return true;
    }
    return false;
}

int etm_cli_configure_point(struct etm_cli_configure *c, const char *text,
                            struct etm_request_condition *point)
{
    const char *colon = strchr(text, ':');
    int status;

    if (strncmp(text, "ice:", 4) == 0) {
        point->what = ETM_CONDITION_ICE;
        status = etm_cli_configure_number(c, text + 4, 8, &point->number);
        return status < 0 && point->number == 0
                   ? wrong(c, text, "they are numbered from 1 to 8")
                   : status;
    }
    point->what = ETM_CONDITION_MATCH;
    if (!colon || !is_access(text, colon))
        return etm_cli_configure_place(c, text, &point->match);
    status = take_access(c, text, colon, &point->match);
    if (status < 0 && point->match.range)
        return wrong(c, text,
                     "a range: tracing starts and stops at single addresses");
    return status;
}

/* [!]WHAT up to `end`, with blanks around it. `none`: what is wrong if there is
 * none. */
static int take_plain(struct etm_cli_configure *c, const char *text,
                      const char *end, const char *none,
                      struct etm_request_condition *out)
{
    char word[WORD];

    text += strspn(text, " ");
    *out = (struct etm_request_condition){.inverted = *text == '!'};
    if (*text == '!') {
        none = "a condition is missing after !";
        text += 1 + strspn(text + 1, " ");
    }
    while (end > text && end[-1] == ' ')
        end--;
    if (end <= text)
        return missing(c, none);
    if (!copy(word, text, end))
        return wrong(c, text, "not a condition");
    return take_condition(c, word, out);
}

/* "*N": from the Nth time on. */
static int take_times(const struct etm_cli_configure *c, const char *star,
                      struct etm_request_condition *condition)
{
    const char *number = star + 1 + strspn(star + 1, " ");
    int status;

    if (*number == '\0')
        return missing(c, "a number is missing after *");
    status = etm_cli_configure_number(c, number, UINT32_MAX, &condition->times);
    if (status < 0 && condition->times == 0)
        return wrong(c, c->value, "the number after * counts from 1");
    return status;
}

int etm_cli_configure_condition(struct etm_cli_configure *c, const char *text,
                                struct etm_request_condition *condition)
{
    const char *star = strchr(text, '*');
    const char *end = star ? star : text + strlen(text);
    const char *middle = text + strcspn(text, "&|");
    struct etm_request_condition *with = &c->joined[c->n_joined];
    int status;

    if (middle >= end)
        status = take_plain(c, text, end, "a condition is missing", condition);
    else
        status = take_plain(c, text, middle,
                            "a condition is missing before & or |", condition);
    if (status < 0 && middle < end) {
        if (c->n_joined == sizeof c->joined / sizeof *c->joined)
            return wrong(c, text, "too many conditions");
        if (middle + 1 + strcspn(middle + 1, "&|") < end)
            return wrong(c, text, "more than two conditions");
        c->n_joined++;
        condition->with = with;
        condition->either = *middle == '|';
        status = take_plain(c, middle + 1, end,
                            "a condition is missing after & or |", with);
    }
    return status < 0 && star ? take_times(c, star, condition) : status;
}
