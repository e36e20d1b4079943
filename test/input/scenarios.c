/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the cases of a folder (test/README.md): files, and what is read of them.
 *
 *     scenarios FOLDER           test; one line of TAP a case
 *     scenarios --wrong FOLDER   each case fails, for the reason in its name
 */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct content content;

/* ---- Contents of files --------------------------------------------------- */

static const char *value(const char *name, size_t n)
{
    for (unsigned i = cases.n_variables; i-- != 0;)
        if (strlen(cases.variables[i].name) == n &&
            strncmp(cases.variables[i].name, name, n) == 0)
            return cases.variables[i].value;
    return good_part(name + 1, n - 1);
}

/* `$NAME` has its value, if there is such a variable. */
static void fill_in(struct scenario_text *out, const char *text)
{
    while (*text != 0) {
        size_t n = 1;
        const char *is;

        while (*text == '$' && in_name(text[n]))
            n++;
        is = n > 1 ? value(text, n) : NULL;
        if (is != NULL)
            fill_in(out, is);
        else
            text_add(out, "%.*s", (int)n, text);
        text += n;
    }
}

static bool add(unsigned byte)
{
    if (content.n == sizeof content.bytes)
        return wrong("too long a file");
    content.bytes[content.n++] = (uint8_t)byte;
    return true;
}

/* Adds a line, or a part of one, up to `end`; `\n` `\r` `\t` `\s` (a blank)
 * `\\` and `\x3f`. */
static bool add_text(const char *text, const char *end)
{
    static const char letters[] = "nrts\\", stand_for[] = "\n\r\t \\";

    while (text < end) {
        const char *letter = text + 1 < end ? strchr(letters, text[1]) : NULL;
        unsigned byte = (uint8_t)*text;
        int n = 1;

        if (*text == '\\' && text + 1 < end && text[1] == 'x') {
            if (sscanf(text, "\\x%2x%n", &byte, &n) != 1)
                return wrong("\\x3f");
        } else if (*text == '\\') {
            if (letter == NULL)
                return wrong("not known: %.2s", text);
            byte = (uint8_t)stand_for[letter - letters];
            n = 2;
        }
        text += n;
        if (!add(byte))
            return false;
    }
    return true;
}

/* The lines as they stand; one that ends with a backslash has no end. */
static bool lines_of(const char *text)
{
    bool good = true;

    while (good && *(text += strspn(text, " \n")) != 0) {
        const char *end = text + strcspn(text, "\n");
        size_t escapes = 0;

        while (end - escapes > text && end[-1 - (long)escapes] == '\\')
            escapes++;
        good = add_text(text, end - escapes % 2) &&
               (escapes % 2 == 1 || add('\n'));
        text = end;
    }
    return good;
}

/* A word a line. */
static bool words_of(char *text)
{
    bool good = true;

    for (char *word = strtok(text, " \n"); word != NULL && good;
         word = strtok(NULL, " \n"))
        good = add_text(word, word + strlen(word)) && add('\n');
    return good;
}

static bool repeat(size_t times)
{
    size_t n = content.n;

    if (n * times > sizeof content.bytes)
        return wrong("too long a file");
    for (size_t i = 1; i < times; i++)
        memcpy(content.bytes + i * n, content.bytes, n);
    content.n = n * times;
    return true;
}

/* `3f 00*5`; all of them so many times, if `*9` is before them */
static bool bytes_of(char *text)
{
    uint64_t all = 1;

    for (char *word = strtok(text, " \n"); word != NULL;
         word = strtok(NULL, " \n")) {
        char *times = strchr(word, '*');
        uint64_t byte, n = 1;

        if (times != NULL)
            *times++ = 0;
        if (times == word + 1) {
            if (!number(times, 10, &all))
                return false;
            continue;
        }
        if (!number(word, 16, &byte) || (times && !number(times, 10, &n)))
            return false;
        for (; n > 0; n--)
            if (!add((unsigned)byte))
                return false;
    }
    return repeat((size_t)all);
}

/* text [NAME], and lines; ini NAME [+] WORD ...; hex NAME BYTES; bytes BYTES */
static bool file_line(const struct line *line)
{
    struct scenario_text filled = {0};
    char name[64] = "", *at, *next;
    bool named = !begins(line, "bytes"), good;

    fill_in(&filled, line->text);
    at = filled.text + strcspn(filled.text, " \n");
    if (named && *at == ' ') {
        at += strspn(at, " ");
        next = at + strcspn(at, " \n");
        snprintf(name, sizeof name, "%.*s", (int)(next - at), at);
        at = next + strspn(next, " ");
    }
    content.n = 0;
    good = true;
    if (begins(line, "text")) {
        good = lines_of(at);
    } else if (begins(line, "ini")) {
        if (at[0] == '+' && strchr(" \n", at[1]) != NULL) {
            const char *before = good_file(name);
            good = before != NULL ? lines_of(before) : wrong("+ of what?");
            at++;
        }
        good = good && words_of(at);
    } else {
        good = bytes_of(at);
    }
    free(filled.text);
    if (good && name[0] != 0) {
        capture_begin();
        write_file(name, content.bytes, content.n);
    }
    return good;
}

/* ---- Lines --------------------------------------------------------------- */

/* What is expected of a port, or of a capture; a record of perf */
static bool other(struct words *w)
{
    return strcmp(w->word[0], "expect") != 0 ? perf_verb(w)
           : is_port()                       ? port_expect(w)
                                             : capture_expect(w);
}

static bool any_refused(struct words *w)
{
    cases.n_expected++;
    return is_port() ? port_refused(w) : capture_refused(w);
}

static bool any_scarce(struct words *w)
{
    (void)w;
    cases.n_expected++;
    return is_port() ? port_scarce() : capture_scarce();
}

static bool copy_file(struct words *w)
{
    if (w->n != 2)
        return wrong("copy NAME");
    capture_begin();
    copy_data(w->word[1]);
    return true;
}

static bool one_line(const struct line *line)
{
    static const char *const files[] = {"text", "ini", "hex", "bytes"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (begins(line, files[i]))
            return file_line(line);
    return begins(line, "signals") ? port_signals(line->text + 7)
                                   : case_line(line);
}

static const struct verb verbs[] = {
    {"refused", any_refused},
    {"scarce", any_scarce},
    {"snapshot", good_snapshot},
    {"open", open_options},
    {"need_elfutils", need_elf_files},
    {"without", capture_without},
    {"copy", copy_file},
    {"port", port_line},
    {"session", session_options},
    {"frames", frames_file},
    {"samples", samples_file},
    {"pins", pins_file},
    {"need", need_file},
    {NULL, NULL},
};

static void begin(void)
{
    capture_reset();
    port_begin();
    empty_directory(NULL);
}

int main(int argc, char **argv)
{
    static const struct case_room room = {.ending = ".scn",
                                          .line = one_line,
                                          .clear = capture_begin,
                                          .begin = begin,
                                          .stops = stopped,
                                          .verbs = {verbs, perf_ends},
                                          .other = other};
    int code;

    if (make_directory(NULL) != 0)
        return 2;
    code = cases_main(argc, argv, &room);
    remove_directory(NULL);
    return code;
}
