/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From text to a setup: the lines of lists, scripts and terminals. read.h says
 * which file reads which form.
 */
#include "setup/read.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/mark.h"

#include <string.h>

#define LINE 512

/* Longest procedure with parameters. */
#define MOST 4096

/* Lines of procedures that are run, and parts of expressions that are
 * calculated, so that no text takes long. */
#define RUNS 20000
#define STEPS 500000

/* Copy the line at *at and move after it; false if it is too long or holds a
   zero. */
static bool next_line(const char **at, const char *end, char *line)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = (size_t)((newline ? newline : end) - *at);
    bool good = n < LINE && !memchr(*at, '\0', n);

    if (good) {
        memcpy(line, *at, n);
        line[n] = '\0';
    }
    *at = newline ? newline + 1 : end;
    return good;
}

/* Remove comments from a line: `#`, two slashes, and those of C; and blanks in
 * the end. */
static void strip(struct etm_reader *r, char *line)
{
    char *to = line;

    for (const char *at = line; *at != '\0'; at++) {
        if (r->comment) {
            if (at[0] == '*' && at[1] == '/') {
                r->comment = false;
                at++;
            }
            continue;
        }
        if (at[0] == '/' && at[1] == '*') {
            r->comment = true;
            at++;
            continue;
        }
        if ((*at == '#' && (at == line || at[-1] != '$')) ||
            (at[0] == '/' && at[1] == '/'))
            break;
        *to++ = *at;
    }
    while (to > line && etm_line_blank(to[-1]))
        to--;
    *to = '\0';
}

/* After the prompt of a terminal; *found: there is one. */
static char *after_prompt(char *line, bool *found)
{
    static const char *const prompts[] = {">", "=>", "(gdb)", "(lldb)"};
    char *at = line + (etm_line_skip(line) - line), *shell;

    *found = true;
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++)
        if (etm_fold_begins(at, prompts[i]))
            return at + strlen(prompts[i]);
    for (shell = at; etm_line_letter(*shell) || *shell == '-'; shell++)
        ;
    if (shell > at && shell[0] == '>' && shell[-1] != '-')
        return shell + 1; /* zynq-uboot> */
    /* user@host:~# */
    shell = strpbrk(at, "#$");
    if (shell && shell[1] == ' ' &&
        ((shell > at && memchr(at, '@', (size_t)(shell - at)) &&
          !memchr(at, ' ', (size_t)(shell - at))) ||
         (shell == at && (*at == '$' || etm_fold_begins(at + 2, "devmem") ||
                          etm_fold_begins(at + 2, "cat ") ||
                          etm_fold_begins(at + 2, "grep ")))))
        return shell + 1;
    *found = false;
    return at;
}

/* Without braces in the end that close what other lines opened. */
static void close_block(char *line)
{
    int depth = 0;
    size_t n = strlen(line);

    for (const char *at = line; *at != '\0'; at++)
        depth += (*at == '{') - (*at == '}');
    while (depth < 0 && n > 0 && (line[n - 1] == '}' || line[n - 1] == ' ')) {
        depth += line[n - 1] == '}';
        line[--n] = '\0';
    }
}

/* Forms that only scripts and terminals have. */
static enum etm_read_result read_script(struct etm_reader *r, const char *at)
{
    uint32_t accesses = r->accesses;
    enum etm_read_result result = etm_read_answer(r, at);

    if (result != ETM_READ_OTHER)
        return result;
    result = etm_read_command(r, at);
    if (result == ETM_READ_OTHER)
        result = etm_read_echo(r, at);
    if (result == ETM_READ_TAKEN)
        r->script = true;
    if (result != ETM_READ_OTHER)
        return result;
    if (r->survey || r->script) {
        result = etm_read_statement(r, at);
        r->script = r->script || r->accesses != accesses;
        if (result != ETM_READ_OTHER && r->script)
            return result;
    }
    result = etm_read_query(r, at);
    if (result == ETM_READ_TAKEN)
        r->terminal = true;
    return result;
}

/* A line of a list; a script or terminal has others, too. */
static enum etm_read_result read_list(struct etm_reader *r, const char *at)
{
    enum etm_read_result result = etm_read_attribute(r, at);

    if (result == ETM_READ_OTHER)
        result = etm_read_prose(r, at);
    if (result != ETM_READ_OTHER || r->script)
        return result;
    result = etm_read_named(r, at);
    return result == ETM_READ_WRONG && r->terminal &&
                   !etm_fold_begins(at, "ETM") && !etm_fold_begins(at, "PTM")
               ? ETM_READ_OTHER
               : result;
}

/* "[regs]", in any case: the section of a snapshot's file with registers. */
static bool begins_section(const char *line)
{
    return etm_fold_begins(line, "[regs]");
}

/* One of the parts of a line that semicolons separate. */
static enum etm_read_result read_part(struct etm_reader *r, char *line,
                                      bool first)
{
    char *at = line + (etm_line_skip(line) - line);
    enum etm_read_result result = ETM_READ_OTHER;

    if (first && *at == '[') {
        r->inside = begins_section(at);
        return ETM_READ_TAKEN;
    }
    while (*at == '}' || (*at == ' ' && at > line))
        at++;
    close_block(at);
    if (*at == '\0' || (r->devices && !r->inside))
        return ETM_READ_TAKEN;
    if (!r->devices)
        result = read_script(r, at);
    if (result == ETM_READ_OTHER && first)
        result = read_list(r, at);
    return result;
}

/* The semicolon or && that ends a part of a line; the end if none does. */
static char *end_of_part(char *at)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth <= 0 && (*at == ';' || (at[0] == '&' && at[1] == '&')))
            break;
    }
    return at;
}

static enum etm_read_result read_line(struct etm_reader *r, char *line)
{
    enum etm_read_result result = ETM_READ_TAKEN;
    bool prompt, first = true;
    char *at = line;

    if (!r->devices && !r->comment) {
        at = after_prompt(line, &prompt);
        r->terminal = r->terminal || prompt;
        result = etm_read_memory(r, at); /* which may have any characters */
        if (result == ETM_READ_OTHER && r->prose && *at == '#')
            result = etm_read_prose(r, at);
        if (result != ETM_READ_OTHER)
            return result;
        result = ETM_READ_TAKEN;
    }
    strip(r, at);
    while (*at != '\0' && result != ETM_READ_WRONG) {
        char *end = r->devices ? at + strcspn(at, ";") : end_of_part(at);
        bool last = *end == '\0';

        *end = '\0';
        if (first && *etm_line_skip(at) == '\0')
            break; /* a comment */
        result = read_part(r, at, first);
        if (result == ETM_READ_OTHER && !first)
            result = ETM_READ_TAKEN; /* a comment, too */
        if (last || r->devices)
            break;
        at = end + 1 + (end[1] == '&');
        first = false;
    }
    return result;
}

/* A part of a line that a script or a terminal need not share with us. */
static bool may_pass(const struct etm_reader *r)
{
    return r->script || r->terminal || r->survey;
}

/* After the block of a procedure, which begins at `from`; NULL. */
static const char *end_of_procedure(const char *from, const char *end, bool gdb)
{
    unsigned depth = 1;
    const char *at = from;

    if (!gdb) {
        for (; at < end && at - from < MOST; at++) {
            depth += (unsigned)(*at == '{') - (unsigned)(*at == '}');
            if (depth == 0)
                return at;
        }
        return NULL;
    }
    while (at < end && at - from < MOST) {
        const char *line = at;
        char text[LINE];

        if (!next_line(&at, end, text))
            continue;
        if (etm_span_is(etm_line_word(etm_line_skip(text), ""), "end") &&
            --depth == 0)
            return line;
        depth += etm_fold_begins(etm_line_skip(text), "if ") ||
                 etm_fold_begins(etm_line_skip(text), "while ");
    }
    return NULL;
}

static bool holds(const char *from, const char *end, const char *what)
{
    size_t n = strlen(what);

    for (; from + n <= end; from++)
        if (memcmp(from, what, n) == 0)
            return true;
    return false;
}

/*
 * `proc NAME {PARAMETERS} {` of Tcl, `define NAME` of GDB. One with parameters
 * is read where it is called, or here if nothing calls it. `from` is where its
 * line begins; returns where the text goes on, or NULL: there is none.
 */
static const char *take_procedure(struct etm_reader *r, const char *line,
                                  const char *from, const char *end)
{
    bool gdb = etm_fold_begins(line, "define ");
    const char *newline = memchr(from, '\n', (size_t)(end - from));
    const char *head, *close, *body;
    struct etm_read_name *n;
    struct etm_span name;

    if (!gdb && !etm_fold_begins(line, "proc "))
        return NULL;
    name = etm_line_word(etm_line_skip(line + (gdb ? 7 : 5)), "{");
    head = etm_line_skip(name.at + name.n);
    if (!gdb && *head != '{')
        return NULL;
    close = gdb ? head : etm_line_balanced(head);
    body = gdb ? newline : memchr(from, '{', (size_t)(end - from));
    if (!gdb && body) /* after the parameters */
        body += close - head;
    if (!gdb && body)
        body = memchr(body, '{', (size_t)(end - body));
    close = body ? end_of_procedure(body + 1, end, gdb) : NULL;
    r->script = true;
    if (!body)
        return newline ? newline + 1 : end;
    if (!close || (gdb ? !holds(body, close, "$arg")
                       : etm_line_name(etm_line_skip(head + 1)).n == 0))
        return body + 1;
    n = etm_read_find(r, name);
    n = n ? n : etm_read_push(r, name);
    if (!n)
        return body + 1;
    n->text = body + 1;
    n->end = close;
    n->source = false;
    n->macro = false;
    (void)etm_span_copy(
        gdb ? (struct etm_span){"arg0 arg1 arg2 arg3 arg4", 24}
            : (struct etm_span){head, (size_t)(etm_line_balanced(head) - head)},
        n->parameters, sizeof n->parameters);
    if (!r->survey && !n->called) {
        etm_read_bind_none(r, n->parameters);
        return body + 1;
    }
    return gdb ? close : close + 1;
}

static void count_lines(struct etm_reader *r, const char *from, const char *to)
{
    if (r->calls == 0)
        for (; from < to; from++)
            r->line += *from == '\n';
}

static enum etm_read_result read_lines(struct etm_reader *r, const char *text,
                                       const char *end)
{
    char line[LINE], first[LINE];

    for (const char *at = text, *from = at, *next; at < end; from = at) {
        enum etm_read_result result;

        if (r->calls == 0)
            r->line++;
        else if (r->runs == 0)
            return ETM_READ_TAKEN;
        else
            r->runs--;
        if (!next_line(&at, end, line)) {
            if (r->survey)
                continue;
            return etm_read_wrong(
                r, "not a line of text, or longer than 511 characters",
                (struct etm_span){0});
        }
        next = r->comment || r->devices
                   ? NULL
                   : take_procedure(r, etm_line_skip(line), from, end);
        if (next) {
            at = next;
            count_lines(r, from, at);
            if (r->calls == 0)
                r->line--; /* it is counted where reading goes on */
            continue;
        }
        memcpy(first, line, sizeof first);
        result = read_line(r, line);
        if (result == ETM_READ_WRONG && !r->survey)
            return result;
        if (result != ETM_READ_OTHER || may_pass(r))
            continue;
        return etm_read_wrong(r, "no register has that name",
                              etm_line_word(etm_line_skip(first), "=:"));
    }
    return ETM_READ_TAKEN;
}

/* A body of a procedure, or all of the text. */
static enum etm_read_result run(struct etm_reader *r, const char *text,
                                const char *end)
{
    return r->source ? etm_read_source(r, text, end) : read_lines(r, text, end);
}

/* A semicolon in the end, perhaps before a brace. */
static bool ends_statement(const char *line, size_t n)
{
    if (etm_fold_begins(line, "proc "))
        return false;
    while (n > 1 && (line[n - 1] == '}' || line[n - 1] == ' '))
        n--;
    return n > 1 && line[n - 1] == ';' && line[n - 2] != ';';
}

/* Whether the text is C, or the file of a snapshot's device, by a line. */
static void recognize(struct etm_reader *r, char *line)
{
    const char *at = etm_line_skip(line);
    size_t n;

    if (begins_section(at))
        r->devices = true;
    strip(r, line);
    n = strlen(line);
    if (etm_fold_begins(at, "set ") || etm_fold_begins(at, "echo ") ||
        etm_fold_begins(at, "mww "))
        return;
    if (*at == '#') /* which strip() took for a comment */
        return;
    if (etm_fold_begins(at, "static const") || etm_fold_begins(at, "{0x") ||
        (ends_statement(line, n) && (strchr(line, '=') || strchr(line, '('))))
        r->source = true;
}

static void recognize_all(struct etm_reader *r, const char *text,
                          const char *end)
{
    char line[LINE];

    while (text < end) {
        if (!next_line(&text, end, line))
            continue;
        if (etm_fold_begins(etm_line_skip(line), "#include") ||
            etm_fold_begins(etm_line_skip(line), "#define"))
            r->source = true;
        recognize(r, line);
    }
    if (r->devices)
        r->source = false;
    r->comment = false;
}

/* Everything but macros, procedures, and what the text is. */
static void begin_again(struct etm_reader *r)
{
    size_t to = 0;

    for (size_t i = 0; i < r->n_names; i++)
        if (r->names[i].macro || r->names[i].text)
            r->names[to++] = r->names[i];
    r->n_names = to;
    r->setup->n = 0;
    r->n_vague = 0;
    r->line = r->source ? 1 : 0;
    r->accesses = r->elsewhere = r->nowhere = 0;
    r->nowhere_at[0] = '\0';
    r->awaits = r->inside = r->prose = r->comment = r->array = false;
    r->sysfs = (struct etm_setup_sysfs){0};
    r->runs = RUNS;
    r->all_steps = STEPS;
}

/* Procedures that nothing calls, so that what they access is known, too. */
static void run_uncalled(struct etm_reader *r)
{
    for (size_t i = 0, n = r->n_names; i < n; i++) {
        struct etm_read_name *name = &r->names[i];

        if (!name->text || name->called)
            continue;
        (void)etm_read_run(r, name, NULL, 0);
        name->called = false;
    }
}

/* `# core: version`, the title that etm_setup_write() is given. */
static void find_title(struct etm_setup_listing *about, const char *text,
                       const char *end)
{
    char line[LINE];

    for (unsigned i = 0; i < 2 && text < end; i++) {
        const struct etm_core *known;
        struct etm_span core;
        const char *at = line;
        size_t n = 0;

        if (!next_line(&text, end, line))
            return;
        if (*at != '#' && (at[0] != '/' || at[1] != '*'))
            return;
        core = etm_line_word(etm_line_skip(at + (*at == '#' ? 1 : 2)), ":");
        at = core.at + core.n;
        if (*at != ':' ||
            !etm_span_copy(core, about->core, sizeof about->core) ||
            etm_core_find(about->core, &known) != ETM_OK) {
            about->core[0] = '\0';
            continue;
        }
        for (at++; *at != '\0' && *at != '*'; at++)
            if (!etm_line_blank(*at) && n + 1 < sizeof about->version)
                about->version[n++] = *at;
        return;
    }
}

static enum etm_read_result read_text(struct etm_reader *r, const char *text,
                                      const char *end)
{
    enum etm_read_result result;

    recognize_all(r, text, end);
    r->frame = ETM_READ_NO_FRAME;
    r->survey = true;
    begin_again(r);
    (void)run(r, text, end);
    begin_again(r);
    r->n_frames = 0;
    (void)run(r, text, end);
    run_uncalled(r);
    begin_again(r);
    r->survey = false;
    r->line = ETM_DIAG_NONE;
    result = etm_read_choose(r);
    if (result == ETM_READ_WRONG)
        return result;
    begin_again(r);
    result = run(r, text, end);
    return result == ETM_READ_WRONG ? result : etm_read_finish(r);
}

int etm_setup_read_listing(struct etm_setup *setup,
                           struct etm_setup_listing *listing, const char *text,
                           size_t length, struct etm_diag *diag)
{
    struct etm_diag ignored;
    struct etm_reader *r;
    enum etm_read_result result;

    if (!setup || (!text && length != 0))
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "setup", "none given");
    setup->n = 0;
    if (listing)
        memset(listing, 0, sizeof *listing);
    if (length == 0)
        return etm_diag_say(diag, ETM_ERR_FORMAT, NULL, "it is empty");
    r = etm_alloc_zero(&etm_allocator_malloc, sizeof *r);
    if (!r)
        return etm_diag_say(diag, ETM_ERR_MEMORY, NULL, "out of memory");
    r->setup = setup;
    r->about = listing;
    r->diag = diag ? diag : &ignored;
    r->run = run;
    length -= etm_mark_size(text, length);
    text += etm_mark_size(text, length);
    if (listing)
        find_title(listing, text, text + length);
    result = read_text(r, text, text + length);
    etm_alloc_free(&etm_allocator_malloc, r);
    if (result == ETM_READ_WRONG)
        setup->n = setup->n < ETM_SETUP_CAPACITY ? setup->n : 0;
    return result == ETM_READ_WRONG ? ETM_ERR_FORMAT : ETM_OK;
}

int etm_setup_read(struct etm_setup *setup, const char *text, size_t length,
                   struct etm_diag *diag)
{
    return etm_setup_read_listing(setup, NULL, text, length, diag);
}
