/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of cases (test/README.md): their lines, variables and tables. What a
 * line says is for the room.
 */
#include "cases.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cases cases;
static const struct case_room *room;

bool wrong(const char *format, ...)
{
    char message[sizeof cases.message];
    va_list list;

    if (cases.quiet)
        return false;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!cases.failed)
        memcpy(cases.message, message, sizeof message);
    cases.failed = true;
    if (cases.wrong)
        return false;
    printf("# %s:%u: %s", cases.file.path, cases.at->number, message);
    for (unsigned i = 0; i < cases.n_variables; i++)
        if (cases.variables[i].name[0] == '$')
            printf("; %s = %s", cases.variables[i].name,
                   cases.variables[i].value);
    printf("\n");
    return false;
}

char *copy_of(const char *text)
{
    char *copy = calloc(1, strlen(text) + 1);

    if (copy == NULL)
        abort();
    return strcpy(copy, text);
}

/* ---- Text ---------------------------------------------------------------- */

void text_add(struct scenario_text *t, const char *format, ...)
{
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0)
        abort();
    if (t->capacity - t->n < (size_t)n + 1) {
        t->capacity = 2 * t->capacity + (size_t)n + 512;
        t->text = realloc(t->text, t->capacity);
        if (t->text == NULL)
            abort();
    }
    va_start(list, format);
    t->n += (size_t)vsnprintf(t->text + t->n, t->capacity - t->n, format, list);
    va_end(list);
}

/* ---- Words --------------------------------------------------------------- */

/* `$NAME` anywhere; a word that `let` defines. */
static const char *variable(const char *name, size_t n)
{
    for (unsigned i = cases.n_variables; i-- != 0;)
        if (strlen(cases.variables[i].name) == n &&
            strncmp(cases.variables[i].name, name, n) == 0)
            return cases.variables[i].value;
    return NULL;
}

bool in_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c >= '0' && c <= '9') || c == '_';
}

bool substitute(const char *text, char *out, size_t size)
{
    size_t n = 0;

    while (*text != 0) {
        bool begins = n == 0 || out[n - 1] == ' ' || out[n - 1] == '\n';
        bool escaped = text[0] == '\\' && text[1] == '$';
        size_t word = escaped ? 2 : *text == '$';
        const char *value = NULL;
        while (in_name(text[word]))
            word++;
        if (*text == '$' ||
            (begins && word != 0 && strchr(" \n", text[word]) != NULL))
            value = variable(text, word);
        if (*text == '$' && value == NULL)
            return wrong("no such variable: %.*s", (int)word, text);
        if (value == NULL && word == 0)
            word = 1;
        if (n + (value != NULL ? strlen(value) : word) + 1 >= size)
            return wrong("too long");
        n += (size_t)sprintf(out + n, "%.*s",
                             (int)(value != NULL ? strlen(value) : word),
                             value != NULL ? value : text);
        text += word;
    }
    out[n] = 0;
    return true;
}

bool cut(char *text, struct words *w)
{
    w->n = 0;
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
        if (w->n == WORDS_LINE)
            return wrong("too many words");
        w->word[w->n++] = word;
    }
    return true;
}

bool cases_in_header(void)
{
    return cases.at < cases.first;
}

bool cut_quotes(char *text, struct words *w)
{
    char *out = text;

    for (w->n = 0; *(text += strspn(text, " \n")) != 0; *out++ = 0) {
        bool quote = *text == '"';

        if (w->n == WORDS_LINE)
            return wrong("too many words");
        w->word[w->n++] = out;
        if (!quote) {
            while (*text != 0 && strchr(" \n", *text) == NULL)
                *out++ = *text++;
        } else {
            for (*out++ = *text++; *text != '"' && *text != 0; text++) {
                bool blank = *text == ' ' || *text == '\n';

                if (text[0] == '\\' && (text[1] == '$' || text[1] == '"')) {
                    *out++ = *++text;
                } else if (text[0] == '\\' && text[1] == 'n') {
                    *out++ = '\n';
                    text++;
                } else if (!blank || out[-1] != ' ') {
                    *out++ = blank ? ' ' : *text;
                }
            }
            if (*text++ == 0)
                return wrong("a quote has no end");
        }
        if (*text != 0)
            text++;
    }
    return true;
}

const char *quoted(const char *word)
{
    return *word == '"' ? word + 1 : NULL;
}

bool among(const char *word, const char *text)
{
    const char *equals = strchr(word, '='), *dots = strstr(word, "..");
    size_t n = equals != NULL ? (size_t)(equals + 1 - word) : strlen(word);
    const char *is = text;
    unsigned long long number;

    while ((is = strchr(is, ' ')) != NULL && strncmp(++is, word, n) != 0)
        ;
    if (is != NULL && equals != NULL && dots != NULL) {
        number = strtoull(is + n, NULL, 10);
        if (number >= strtoull(equals + 1, NULL, 10) &&
            number <= strtoull(dots + 2, NULL, 10))
            return true;
    } else if (is != NULL && strcspn(is, " ") == strlen(word) &&
               strncmp(is, word, strlen(word)) == 0) {
        return true;
    }
    return wrong("%s, but it is%s", word, text);
}

/* ---- Rows of a text ------------------------------------------------------ */

/* One character, which may be escaped; NULL: it is wrong. */
static const char *character(const char *at, char *c)
{
    static const char letters[] = "nrts\\", stand_for[] = "\n\r\t \\";
    const char *letter = strchr(letters, at[1]);
    unsigned value;

    *c = *at;
    if (*at != '\\')
        return at + 1;
    if (at[1] == 'x' && sscanf(at + 2, "%2x", &value) == 1) {
        *c = (char)value;
        return at + 4;
    }
    if (at[1] == 0 || letter == NULL)
        return NULL;
    *c = stand_for[letter - letters];
    return at + 2;
}

char *rows_below(const char *line, size_t *n)
{
    const char *row = strchr(line, '\n');
    char *text = copy_of(line), *out = text;

    while (row != NULL) {
        const char *end = row + 1 + strcspn(row + 1, "\n"), *at = row + 1;
        bool goes_on = false;

        at += at[0] == ' ' && at[1] == ' ' ? 2 : 1;
        while (at != NULL && at < end && !goes_on) {
            goes_on = at[0] == '\\' && at + 1 == end;
            if (!goes_on)
                at = character(at, out++);
        }
        if (at == NULL) {
            free(text);
            (void)wrong("not known after a backslash: %.20s", row + 1);
            return NULL;
        }
        if (!goes_on)
            *out++ = '\n';
        row = *end != 0 ? end : NULL;
    }
    *out = 0;
    *n = (size_t)(out - text);
    return text;
}

char *rows_given(const char *head, const char *text)
{
    struct scenario_text out = {0};
    bool begins = true;

    text_add(&out, "%s\n", head);
    for (; *text != 0; text++) {
        unsigned c = (unsigned char)*text;
        const char *end = text + 1 + strspn(text + 1, " ");

        if (begins)
            text_add(&out, "  ");
        begins = c == '\n';
        if (c == ' ' && (*end == '\n' || *end == 0))
            text_add(&out, "\\s");
        else if (c == '\\' || (c < ' ' && c != '\n') || c == 0x7f ||
                 (c == '#' && strchr(" \n", text[1]) != NULL))
            text_add(&out, "\\x%02x", c);
        else
            text_add(&out, "%c", c);
    }
    text_add(&out, begins ? "" : "\\\n");
    return out.text;
}

bool case_given(const char *text, size_t head)
{
    struct line *l = &cases.file.lines[cases.at - cases.file.lines];

    if (!cases.rebase || strchr(l->text, '$') != NULL)
        return false;
    l->given = copy_of(text);
    l->head = head;
    return true;
}

/* ---- Cases --------------------------------------------------------------- */

bool begins(const struct line *line, const char *word)
{
    size_t n = strlen(word);

    return strncmp(line->text, word, n) == 0 &&
           (line->text[n] == ' ' || line->text[n] == 0 ||
            line->text[n] == '\n');
}

bool case_verb(const struct verb *const *lists, unsigned at, struct words *w,
               bool *known)
{
    for (*known = true; *lists != NULL; lists++)
        for (const struct verb *v = *lists; v->name != NULL; v++)
            if (strcmp(v->name, w->word[at]) == 0)
                return v->line(w);
    return *known = false;
}

bool case_line(const struct line *line)
{
    static char once[1 << 16], text[1 << 16];
    static struct words w;
    bool expect, known, good;

    if (!substitute(line->text, room->nested ? once : text, sizeof text) ||
        (room->nested && !substitute(once, text, sizeof text)) ||
        !cut_quotes(text, &w))
        return false;
    expect = strcmp(w.word[0], "expect") == 0;
    cases.n_expected += expect;
    if (expect && w.n < 2)
        return wrong("what is expected?");
    if (expect && room->ready != NULL && !room->ready(&w))
        return false;
    good = case_verb(expect ? room->expected : room->verbs, expect, &w, &known);
    if (!known && room->other != NULL)
        return room->other(&w);
    return known ? good
                 : wrong("not understood: %s%s", expect ? "expect " : "",
                         w.word[expect]);
}

/* Lines from..to; "repeat N" ... "end" is N times what is between. */
static bool lines(const struct line *from, const struct line *to)
{
    for (const struct line *l = from; l < to && !cases.failed; l++) {
        const struct line *end = l;
        unsigned long times;
        if (!begins(l, "repeat")) {
            cases.at = l;
            if (!(room->line != NULL ? room->line : case_line)(l))
                return false;
            if (room->stops != NULL && room->stops())
                return true;
            continue;
        }
        times = strtoul(l->text + 6, NULL, 10);
        while (end < to && !begins(end, "end"))
            end++;
        cases.at = l;
        if (end == to || times == 0)
            return wrong("repeat N ... end");
        for (; times != 0 && !cases.failed; times--)
            (void)lines(l + 1, end);
        l = end;
    }
    return !cases.failed;
}

static bool define(char *name, size_t n, char *value)
{
    struct variable *v = &cases.variables[cases.n_variables];

    if (cases.n_variables == VARIABLES || n >= sizeof v->name || n == 0)
        return wrong("too many variables, or too long a name");
    memcpy(v->name, name, n);
    v->name[n] = 0;
    v->value = value;
    cases.n_variables++;
    return true;
}

/* A list of values, in which `1..20` stands for twenty; the caller frees it. */
static char *values_of(char *list)
{
    struct scenario_text t = {0};

    text_add(&t, "%s", "");
    for (char *word = strtok(list, " \n"); word; word = strtok(NULL, " \n")) {
        char *to = strstr(word, "..");
        long value = strtol(word, NULL, 10);
        if (to == NULL || to == word)
            text_add(&t, "%s ", word);
        else
            for (; value <= strtol(to + 2, NULL, 10); value++)
                text_add(&t, "%ld ", value);
    }
    return t.text;
}

/* "each NAME ... NAME" with a row a line, the last value as long as the line;
 * "each NAME = VALUE ..." */
static bool each(const struct line *from, const struct line *to)
{
    char *text = copy_of(from->text), *row = text, *next = strchr(text, '\n');
    char *names[VARIABLES], *list = strchr(text, '='), *values = NULL;
    unsigned n = 0, before = cases.n_variables;
    bool good = true, one = list != NULL && (next == NULL || list < next);

    cases.at = from;
    if (one) {
        *list = 0;
        row = values = values_of(list + 1);
    } else {
        if (next != NULL)
            *next++ = 0;
        row = next;
    }
    strtok(text, " ");
    for (char *word = strtok(NULL, " \n"); word && n < VARIABLES;
         word = strtok(NULL, " \n"))
        names[n++] = word;
    if (n == 0 || row == NULL)
        good = wrong("each of what?");
    for (; good && row != NULL && *(row += strspn(row, " \n")) != 0;
         row = next) {
        next = row + strcspn(row, one ? " \n" : "\n");
        next = *next != 0 ? (*next = 0, next + 1) : NULL;
        cases.n_variables = before;
        for (unsigned i = 0; i < n && good; i++) {
            char name[24] = "$";
            char *value = row, *end = one ? NULL : strstr(row, "  ");
            row = end != NULL ? end : row + strlen(row);
            if (end != NULL)
                *row++ = 0;
            row += strspn(row, " ");
            strncat(name, names[i], sizeof name - 2);
            good = (*value != 0 || wrong("a row is too short")) &&
                   define(name, strlen(name),
                          strcmp(value, "-") == 0 ? value + 1 : value);
        }
        if (good && *row != 0)
            good = wrong("a row is too long");
        good = good && case_rows(from + 1, to) && !cases.failed;
    }
    cases.n_variables = before;
    free(values);
    free(text);
    return good;
}

/* All rows of a case. */
bool case_rows(const struct line *from, const struct line *to)
{
    bool good;

    if (from < to && begins(from, "each"))
        return each(from, to);
    good = lines(cases.header, cases.first) && lines(from, to);
    cases.at = from < to ? from : cases.at;
    if (room->end != NULL)
        room->end(good);
    if (room->clear != NULL)
        room->clear();
    return !cases.failed;
}

static bool one_case(const struct line *from, const struct line *to)
{
    cases.failed = false;
    cases.n_expected = 0;
    if (room->begin != NULL)
        room->begin();
    (void)case_rows(from + 1, to);
    cases.at = from;
    if (cases.n_expected == 0)
        (void)wrong("nothing is expected");
    if (cases.failed || cases.rebase || room->again == NULL)
        return !cases.failed;
    return room->again(from + 1, to);
}

/* ---- Files --------------------------------------------------------------- */

#define FILE_BYTES (1u << 20)

/* Comments go, and lines that begin with a blank join those before. */
static bool load(const char *path)
{
    struct file *f = &cases.file;
    FILE *file = fopen(path, "rb");
    char *out;
    unsigned number = 0;

    memset(f, 0, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s", path);
    f->text = calloc(1, FILE_BYTES);
    if (f->text == NULL)
        abort();
    if (file != NULL) {
        f->n = fread(f->text, 1, FILE_BYTES, file);
        fclose(file);
    }
    if (f->n == 0 || f->n == FILE_BYTES) {
        printf("# %s: cannot be read\n", path);
        return false;
    }
    out = f->joined = calloc(1, f->n + 2);
    if (out == NULL)
        abort();
    for (const char *at = f->text; *at != 0;) {
        size_t n = strcspn(at, "\n"), used = n;
        number++;
        for (const char *c = at; c < at + n; c++)
            if (*c == '#' && (c == at || c[-1] == ' ') &&
                (c + 1 == at + n || c[1] == ' ')) {
                used = (size_t)(c - at);
                break;
            }
        while (used != 0 && at[used - 1] == ' ')
            used--;
        if (used != 0 && *at == ' ' && f->n_lines != 0) {
            out[-1] = '\n';
            f->lines[f->n_lines - 1].last = number;
        } else if (used != 0) {
            if (f->n_lines == LINES) {
                printf("# %s: too many lines\n", path);
                return false;
            }
            f->lines[f->n_lines++] =
                (struct line){.text = out, .number = number, .last = number};
        }
        if (used != 0) {
            memcpy(out, at, used);
            out[used] = 0;
            out += used + 1;
        }
        at += n + (at[n] != 0);
    }
    return true;
}

/* What came out goes into the file, in lines of up to 80 columns. */
static bool save(void)
{
    struct file *f = &cases.file;
    FILE *file = fopen(f->path, "wb");
    const struct line *l = f->lines;
    unsigned number = 0;

    if (file == NULL)
        return false;
    for (const char *at = f->text; *at != 0;) {
        size_t n = strcspn(at, "\n");
        number++;
        while (l < f->lines + f->n_lines && l->last < number)
            l++;
        if (l->given == NULL || l->number > number) {
            fprintf(file, "%.*s\n", (int)n, at);
        } else if (l->number == number && strchr(l->given, '\n') != NULL) {
            fprintf(file, "%s", l->given);
        } else if (l->number == number) {
            size_t column = l->head;
            fprintf(file, "%.*s", (int)l->head, l->text);
            for (char *w = strtok(l->given, " "); w; w = strtok(NULL, " ")) {
                if (column + strlen(w) + 1 > 80)
                    column = (size_t)fprintf(file, "\n   ") - 1;
                column += (size_t)fprintf(file, " %s", w);
            }
            fprintf(file, "\n");
        }
        at += n + (at[n] != 0);
    }
    return fclose(file) == 0;
}

/* "let NAME = TEXT", then what all cases begin with, then cases. */
static unsigned one_file(const char *path, unsigned *n)
{
    const struct line *l, *end;
    const char *name = strrchr(path, '/');
    unsigned failed = 0;

    name = name != NULL ? name + 1 : path;
    if (!load(path)) {
        printf("not ok %u - %s\n", ++*n, name);
        free(cases.file.text);
        free(cases.file.joined);
        return 1;
    }
    end = cases.file.lines + cases.file.n_lines;
    cases.n_variables = 0;
    for (l = cases.file.lines; l < end && begins(l, "let"); l++) {
        char *at = (char *)l->text + 4, *value = strstr(at, " = ");
        cases.at = l;
        if (value == NULL || !define(at, (size_t)(value - at), value + 3))
            failed++;
    }
    cases.header = l;
    while (l < end && !begins(l, "=="))
        l++;
    cases.first = l;
    if (l == end || failed != 0) {
        bool meant = cases.wrong && strncmp(name, "no_cases", 8) == 0;
        printf("# %s: no cases\n%sok %u - %s\n", path, meant ? "" : "not ",
               ++*n, name);
        failed += !meant;
        end = l;
    }
    while (l < end) {
        const struct line *from = l++;
        bool good;
        while (l < end && !begins(l, "=="))
            l++;
        good = one_case(from, l);
        if (cases.wrong)
            good = !good && strstr(cases.message, from->text + 3) != NULL;
        printf("%sok %u - %s: %s\n", good ? "" : "not ", ++*n, name,
               from->text + 2 + strspn(from->text + 2, " "));
        failed += !good;
    }
    if (cases.rebase && !save())
        printf("# %s: cannot be written\n", path);
    free(cases.file.text);
    free(cases.file.joined);
    return failed;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int cases_main(int argc, char **argv, const struct case_room *of)
{
    static char *names[512];
    const char *path = argv[argc > 1 ? argc - 1 : 0];
    unsigned n = 0, n_names = 0, failed = 0;
    struct dirent *entry;
    DIR *folder = argc == 2 || argc == 3 ? opendir(path) : NULL;

    room = of;
    cases.rebase = argc == 3 && strcmp(argv[1], "--rebase") == 0;
    cases.wrong = argc == 3 && strcmp(argv[1], "--wrong") == 0;
    if (folder == NULL || (argc == 3 && !cases.rebase && !cases.wrong)) {
        fprintf(stderr, "usage: %s [--rebase | --wrong] FOLDER\n", argv[0]);
        return 2;
    }
    while ((entry = readdir(folder)) != NULL && n_names < 512) {
        size_t length = strlen(entry->d_name), ending = strlen(of->ending);
        if (length <= ending ||
            strcmp(entry->d_name + length - ending, of->ending) != 0)
            continue;
        names[n_names] = malloc(strlen(path) + length + 2);
        sprintf(names[n_names++], "%s/%s", path, entry->d_name);
    }
    closedir(folder);
    qsort(names, n_names, sizeof *names, by_name);
    for (unsigned i = 0; i < n_names; i++) {
        failed += one_file(names[i], &n);
        free(names[i]);
    }
    printf("1..%u\n", n);
    return failed != 0 || n == 0;
}
