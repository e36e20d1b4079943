/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C: definitions of names, functions, and statements. Control flow is not
 * followed: what is written is taken as executed, in this order, except what is
 * between `#if 0` and its end.
 */
#include "setup/read.h"

#include <string.h>

/* Longest function with parameters that is read as a procedure. */
#define MOST 4096

struct source {
    struct etm_reader *r;
    const char *at, *end;
    char text[1024]; /* of a statement so far */
    size_t n;
    uint64_t line;   /* in which it began */
    unsigned braces; /* that are open */
    unsigned off;    /* `#if` that are open, in one that is 0 */
    bool list;       /* in a list of values with braces */
    bool mine;       /* ... that etm_setup_write() made */
    bool fresh;      /* nothing but blanks in this line yet */
};

static bool is_comment(const char *at, const char *end)
{
    return at + 1 < end && at[0] == '/' && (at[1] == '*' || at[1] == '/');
}

/* After a comment; a line feed stays. */
static const char *after_comment(struct source *s, const char *at)
{
    bool line = at[1] == '/';

    for (at += 2; at < s->end; at++) {
        if (line && *at == '\n')
            return at;
        if (!line && at[0] == '*' && at + 1 < s->end && at[1] == '/')
            return at + 2;
        if (*at == '\n' && s->r->calls == 0)
            s->r->line++;
    }
    return s->end;
}

static void add(struct source *s, char c)
{
    if (s->n == 0) {
        if (etm_line_blank(c) || c == ',')
            return;
        s->line = s->r->line;
    }
    if (s->n + 1 < sizeof s->text)
        s->text[s->n++] = c;
}

/* The rest of a directive without comments; s->at is after it. */
static void directive_text(struct source *s, char *to, size_t room)
{
    size_t n = 0;

    while (s->at < s->end && *s->at != '\n') {
        if (is_comment(s->at, s->end)) {
            s->at = after_comment(s, s->at);
            continue;
        }
        if (*s->at == '\\' && s->at + 1 < s->end &&
            (s->at[1] == '\n' || s->at[1] == '\r')) {
            s->at = memchr(s->at, '\n', (size_t)(s->end - s->at));
            s->at = s->at ? s->at + 1 : s->end;
            if (s->r->calls == 0)
                s->r->line++;
            continue;
        }
        if (n + 1 < room)
            to[n++] = *s->at == '\r' ? ' ' : *s->at;
        s->at++;
    }
    to[n] = '\0';
}

/* `#define NAME text`, `#define NAME(a, b) text` */
static void define(struct source *s, const char *from, const char *text)
{
    struct etm_span word = etm_line_name(etm_line_skip(text));
    struct etm_read_name *n = etm_read_find(s->r, word);
    const char *body = word.at + word.n;
    bool brackets = *body == '(';

    if (!n)
        n = etm_read_push(s->r, word);
    if (!n)
        return;
    n->macro = true;
    n->text = NULL;
    n->value = (struct etm_value){.known = ETM_READ_UNDEFINED};
    n->parameters[0] = n->body[0] = '\0';
    if (brackets) {
        const char *close = etm_line_balanced(body);

        if (!etm_span_copy((struct etm_span){body, (size_t)(close - body)},
                           n->parameters, sizeof n->parameters))
            n->macro = false;
        body = close;
    }
    body = etm_line_skip(body);
    if (brackets && (etm_read_assigns(body) || strchr(body, ';'))) {
        n->macro = false;
        n->text = memchr(from, brackets ? ')' : ' ', (size_t)(s->at - from));
        n->text = n->text ? n->text + 1 : s->at;
        n->end = s->at;
        n->called = true; /* where it is defined, it does nothing */
    } else if (!etm_span_copy((struct etm_span){body, strlen(body)}, n->body,
                              sizeof n->body)) {
        n->macro = false;
    }
}

static void directive(struct source *s)
{
    const char *from = s->at, *at;
    char text[512];

    directive_text(s, text, sizeof text);
    at = etm_line_skip(text);
    if (etm_fold_begins(at, "if")) {
        const char *zero = etm_line_skip(at + 2);

        if (s->off != 0 || (etm_line_blank(at[2]) && zero[0] == '0' &&
                            !etm_line_letter(zero[1])))
            s->off++;
    } else if (s->off != 0 && etm_fold_begins(at, "endif")) {
        s->off--;
    } else if (s->off == 1 && etm_fold_begins(at, "el")) {
        s->off = 0;
    } else if (s->off == 0 && etm_fold_begins(at, "define") &&
               etm_line_blank(at[6])) {
        define(s, from, at + 6);
    }
}

/* The parameters of a function: the last name of each. */
static void parameters_of(const char *open, char *to, size_t room)
{
    struct etm_setup_text out = {to, room, 0};
    struct etm_span last = {0};

    to[0] = '\0';
    for (const char *at = open + 1; *at != '\0' && out.n + 1 < room;) {
        struct etm_span word = etm_line_name(at);

        if (word.n != 0)
            last = word;
        if ((*at == ',' || *at == ')') && last.n != 0) {
            etm_setup_print(&out, "%.*s,", (int)last.n, last.at);
            last.n = 0;
        }
        if (*at == ')')
            break;
        at += word.n != 0 ? word.n : 1;
    }
}

/* The end of the block that has been opened before s->at; NULL: it is long. */
static const char *end_of_block(const struct source *s)
{
    unsigned depth = 1;

    for (const char *at = s->at; at < s->end && at - s->at < MOST; at++) {
        if (*at == '{')
            depth++;
        else if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

/*
 * The head of a function with parameters, which is read where it is called, or
 * here if nothing calls it.
 */
static bool take_function(struct source *s)
{
    const char *open = strchr(s->text, '('), *from, *end = end_of_block(s);
    struct etm_read_name *n;
    char parameters[80];

    if (!open || s->braces != 0 || etm_read_assigns(s->text) || !end ||
        s->text[s->n - 1] != ')')
        return false;
    for (from = open; from > s->text && etm_line_blank(from[-1]); from--)
        open = from - 1;
    for (from = open; from > s->text && etm_line_letter(from[-1]);)
        from--;
    parameters_of(strchr(s->text, '('), parameters, sizeof parameters);
    if (parameters[0] == '\0' || strcmp(parameters, "void,") == 0)
        return false;
    n = etm_read_find(s->r, (struct etm_span){from, (size_t)(open - from)});
    if (!n)
        n = etm_read_push(s->r, (struct etm_span){from, (size_t)(open - from)});
    if (!n)
        return false;
    n->macro = false;
    n->value = (struct etm_value){.known = ETM_READ_UNDEFINED};
    n->source = true;
    memcpy(n->parameters, parameters, sizeof parameters);
    n->text = s->at;
    n->end = end;
    if (!s->r->survey && !n->called) {
        etm_read_bind_none(s->r, n->parameters);
        return false;
    }
    for (; s->at < end; s->at++)
        if (*s->at == '\n' && s->r->calls == 0)
            s->r->line++;
    return true;
}

/* `{0x010, 0x8000}`: the number of a register, or its address. */
static enum etm_read_result pair(struct source *s)
{
    struct etm_reader *r = s->r;
    char *comma = strchr(s->text, ',');
    struct etm_value place, value;
    size_t digits = etm_line_name(s->text).n;
    const char *after = s->text;

    if (digits == 0)
        while (etm_line_letter(*after))
            after++;
    if (digits == 0 && after > s->text && *etm_line_skip(after) != ',' &&
        *etm_line_skip(after) != '\0')
        return etm_read_wrong(r, "not a pair {number, value}",
                              etm_line_word(s->text, ""));
    if (!comma || strchr(comma + 1, ','))
        return ETM_READ_TAKEN;
    *comma = '\0';
    place = etm_read_lvalue(r, s->text);
    value = etm_read_value(r, comma + 1, 0);
    if (place.place != ETM_READ_AT_NONE)
        return etm_read_place(r, place, value, ETM_READ_WRITTEN);
    if (place.known != ETM_READ_KNOWN)
        return s->mine ? etm_read_wrong(r, "not a pair {number, value}",
                                        etm_line_word(s->text, ""))
                       : ETM_READ_TAKEN;
    if (s->mine && value.known != ETM_READ_KNOWN)
        return etm_read_wrong(r, "not a pair {number, value}",
                              etm_line_word(comma + 1, ""));
    if (place.number >= ETM_READ_FRAME)
        place.place = ETM_READ_AT_MEMORY;
    else if (s->mine)
        place.place = ETM_READ_AT_REGISTER;
    else
        return ETM_READ_TAKEN;
    return etm_read_place(r, place, value, ETM_READ_WRITTEN);
}

/* A list of pairs of etm_setup_write(), or a piece of one. */
static bool is_mine(const struct source *s)
{
    struct etm_span word = etm_line_name(s->text);

    if (strstr(s->text, "etm_setup[]"))
        return true;
    while (etm_span_is(word, "static") || etm_span_is(word, "const"))
        word = etm_line_name(etm_line_skip(word.at + word.n));
    return *word.at == '\0' && s->braces == 0;
}

static enum etm_read_result end_statement(struct source *s, char with)
{
    enum etm_read_result result = ETM_READ_TAKEN;
    uint64_t line = s->r->line;

    while (s->n > 0 && etm_line_blank(s->text[s->n - 1]))
        s->n--;
    s->text[s->n] = '\0';
    if (s->r->calls == 0 && s->n != 0)
        s->r->line = s->line;
    if (with == '{') {
        if (strstr(s->text, "etm_setup[]"))
            s->r->array = true;
        s->list =
            s->list || (s->n != 0 && s->text[s->n - 1] == '=') || is_mine(s);
        s->mine = (s->mine && s->n == 0) || is_mine(s);
    } else if (with == '}' && s->list && s->n != 0) {
        result = pair(s);
    } else if (s->n != 0 && !s->r->array && s->n + 1 < sizeof s->text) {
        s->r->runs -= s->r->calls != 0 && s->r->runs != 0;
        result = etm_read_statement(s->r, s->text);
    }
    if (s->r->calls == 0)
        s->r->line = line;
    s->n = 0;
    return result == ETM_READ_WRONG ? result : ETM_READ_TAKEN;
}

/* A character that ends a statement, or opens or closes a block. */
static enum etm_read_result punctuation(struct source *s, char c)
{
    if (c == '{') {
        bool skipped = false;
        enum etm_read_result result;

        while (s->n > 0 && etm_line_blank(s->text[s->n - 1]))
            s->n--;
        s->text[s->n] = '\0';
        if (s->n != 0 && !s->r->array)
            skipped = take_function(s);
        result = end_statement(s, c);
        if (!skipped)
            s->braces++;
        else if (s->at < s->end)
            s->at++; /* its end */
        return result;
    }
    if (c == '}' && s->braces > 0 && --s->braces == 0) {
        enum etm_read_result result = end_statement(s, c);

        s->list = s->mine = false;
        return result;
    }
    return end_statement(s, c);
}

/* A string as it is. */
static void take_string(struct source *s)
{
    add(s, *s->at++);
    while (s->at < s->end && *s->at != '"' && *s->at != '\n') {
        if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n')
            add(s, *s->at++);
        add(s, *s->at++);
    }
    if (s->at < s->end && *s->at == '"')
        add(s, *s->at++);
}

static enum etm_read_result take_character(struct source *s, int *depth)
{
    char c = *s->at;

    if (is_comment(s->at, s->end)) {
        s->at = after_comment(s, s->at);
        return ETM_READ_TAKEN;
    }
    if (c == '#' && s->fresh) {
        s->at++;
        directive(s);
        return ETM_READ_TAKEN;
    }
    if (s->off != 0 && c != '\n') {
        s->at++;
        s->fresh = s->fresh && etm_line_blank(c);
        return ETM_READ_TAKEN;
    }
    if (c == '"') {
        take_string(s);
        return ETM_READ_TAKEN;
    }
    s->at++;
    if (c == '\n' && s->r->calls == 0)
        s->r->line++;
    s->fresh = c == '\n' || (s->fresh && etm_line_blank(c));
    *depth += (c == '(') - (c == ')');
    if (c == ';' && *depth > 0) {
        add(s, c);
    } else if (c == ';' || c == '{' || c == '}') {
        *depth = 0;
        return punctuation(s, c);
    } else {
        add(s, c == '\n' || c == '\r' || c == '\\' ? ' ' : c);
    }
    return ETM_READ_TAKEN;
}

enum etm_read_result etm_read_source(struct etm_reader *r, const char *text,
                                     const char *end)
{
    struct source s = {.r = r, .at = text, .end = end, .fresh = true};
    int depth = 0;

    if (r->calls != 0)
        s.braces = 1;
    while (s.at < s.end) {
        if (*s.at == '\0')
            return etm_read_wrong(r, "not a line of text",
                                  (struct etm_span){0});
        if (take_character(&s, &depth) == ETM_READ_WRONG)
            return ETM_READ_WRONG;
    }
    return end_statement(&s, ';');
}
