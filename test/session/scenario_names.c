/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of what is known of addresses, also where memory is short: a lookup
 * that could not be done says so, and does not pass for one that found
 * nothing. */
#include "../input/scenario.h"

#include <etm/program.h>

#include <inttypes.h>
#include <string.h>

struct looking {
    struct scenario_text text; /* what was found */
    unsigned n;
};

static int add_line(void *context, const struct etm_line_range *line)
{
    struct looking *l = context;

    (void)line;
    l->n++;
    return ETM_OK;
}

/* Functions, of which each is found at its address, too. */
static int add_function(void *context, const struct etm_function *function)
{
    struct looking *l = context;

    text_add(&l->text, " %s@%" PRIx32, function->name, function->address);
    return ETM_OK;
}

static int symbol(struct looking *l, uint32_t address)
{
    struct etm_symbol s;
    int status = etm_session_symbol(subject.session, 0, address, &s);

    if (status == ETM_OK)
        text_add(&l->text, " %s+%" PRIx32, s.name, s.offset);
    return status;
}

static int line(struct looking *l, uint32_t address)
{
    struct etm_source_line at = {0};
    int status = etm_session_line(subject.session, 0, address, &at);
    const char *file = status == ETM_OK ? strrchr(at.file, '/') : NULL;

    if (status == ETM_OK)
        text_add(&l->text, " %s:%u%s", file != NULL ? file + 1 : at.file,
                 at.line, at.text != NULL ? " text" : "");
    return status;
}

static int isa(struct looking *l, uint32_t address)
{
    enum etm_isa is = ETM_ISA_UNKNOWN;
    int status = etm_session_isa(subject.session, 0, address, &is);

    if (status == ETM_OK)
        text_add(&l->text, " %s", etm_isa_name(is));
    return status;
}

static int inlined(struct looking *l, uint32_t address)
{
    struct etm_inlined all[4];
    size_t n = 4;
    int status = etm_session_inlined(subject.session, 0, address, all, &n);

    for (size_t i = 0; status == ETM_OK && i < n; i++)
        text_add(&l->text, " %s@%" PRIx32, all[i].name, all[i].address);
    return status;
}

static int lines(struct looking *l, uint32_t address)
{
    int status = etm_session_lines(subject.session, 0, add_line, l);

    (void)address;
    text_add(&l->text, " %u", l->n);
    return status;
}

static int functions(struct looking *l, uint32_t address)
{
    (void)address;
    return etm_session_functions(subject.session, 0, add_function, l);
}

static const struct lookup {
    const char *name;
    int (*find)(struct looking *l, uint32_t address);
    bool of_address;
} lookups[] = {
    {"symbol", symbol, true}, {"line", line, true},
    {"isa", isa, true},       {"inlined", inlined, true},
    {"lines", lines, false},  {"functions", functions, false},
};

/* The status of a look-up; the text is what was found, or "none". */
static int look_up(const struct lookup *what, uint32_t address,
                   struct looking *l)
{
    int status;

    l->text.n = l->n = 0;
    text_add(&l->text, "%s", "");
    status = what->find(l, address);
    if (l->text.n == 0)
        text_add(&l->text, " none");
    return status;
}

static bool is_wanted(const struct lookup *what, uint32_t address,
                      const char *wanted, struct looking *l)
{
    int status = look_up(what, address, l);

    if (status != ETM_OK && status != ETM_ERR_NOT_FOUND)
        return wrong("status %d", status);
    return strcmp(l->text.text, wanted) == 0 || wrong("it is%s", l->text.text);
}

/* Each call for memory fails once: nothing was found out, or what is right; and
 * after that it is. */
static bool without_memory(const struct lookup *what, uint32_t address,
                           const char *wanted, struct looking *l)
{
    bool good = true, failed = true;

    for (size_t n = 1; failed && good && n < 1000; n++) {
        struct faulty memory = {.fail_at = 0};
        const struct etm_allocator allocator = {faulty_resize, &memory};
        int status;

        capture_begin();
        if (session_open(&allocator, NULL) != ETM_OK)
            return wrong("it is not opened again");
        memory.fail_at = memory.calls + n;
        status = look_up(what, address, l);
        failed = memory.calls >= memory.fail_at;
        if (status == ETM_ERR_MEMORY ? !failed
                                     : strcmp(l->text.text, wanted) != 0)
            good =
                wrong("call %zu failed: status %d,%s", n, status, l->text.text);
        if (n == 1 && status != ETM_ERR_MEMORY && failed)
            good = wrong("the first call failed: status %d", status);
        good = good && is_wanted(what, address, wanted, l);
        session_close();
        if (memory.live != 0)
            good = wrong("%ld blocks stay", memory.live);
    }
    return good;
}

/* symbol ADDRESS NAME+OFFSET; line ADDRESS FILE:LINE [text]; isa ADDRESS ISA;
 * inlined ADDRESS NAME@BEGIN ...; lines N; functions NAME@ADDRESS ...; none */
static bool expect_name(struct words *w)
{
    const struct lookup *what = lookups;
    struct scenario_text wanted = {0};
    struct looking l = {.n = 0};
    uint64_t address = 0;
    bool good;

    while (strcmp(w->word[1], what->name) != 0)
        what++;
    if (w->n < 3u + what->of_address ||
        (what->of_address && !number(w->word[2], 16, &address)))
        return wrong("%s ADDRESS WHAT", what->name);
    add_words(&wanted, w, 2u + what->of_address, w->n);
    good = is_wanted(what, (uint32_t)address, wanted.text, &l) &&
           without_memory(what, (uint32_t)address, wanted.text, &l);
    free(wanted.text);
    free(l.text.text);
    return good;
}

const struct verb names_expected[] = {
    {"symbol", expect_name},
    {"line", expect_name},
    {"isa", expect_name},
    {"inlined", expect_name},
    {"lines", expect_name},
    {"functions", expect_name},
    {NULL, NULL},
};
