/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the scenarios of a folder (test/README.md). Each case is run event by
 * event; again with as many events at a time as can be; and with an allocation
 * that fails, each in turn. The second time nobody asks for packets, if the
 * case does not.
 *
 *     scenarios FOLDER           test; one line of TAP a case
 *     scenarios --rebase FOLDER  write what came out into the files
 *     scenarios --wrong FOLDER   each case fails, for the reason in its name
 */
#include "scenario.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run run;

bool wrong(const char *format, ...)
{
    char message[sizeof run.message];
    va_list list;

    if (run.quiet)
        return false;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!run.failed)
        memcpy(run.message, message, sizeof message);
    run.failed = true;
    if (run.wrong)
        return false;
    printf("# %s:%u: %s", run.file.path, run.at->number, message);
    for (unsigned i = 0; i < run.n_variables; i++)
        if (run.variables[i].name[0] == '$')
            printf("; %s = %s", run.variables[i].name, run.variables[i].value);
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

/* ---- Cases --------------------------------------------------------------- */

static bool begins(const struct line *line, const char *word)
{
    size_t n = strlen(word);

    return strncmp(line->text, word, n) == 0 &&
           (line->text[n] == ' ' || line->text[n] == 0 ||
            line->text[n] == '\n');
}

/* Lines from..to; "repeat N" ... "end" is N times what is between. */
static bool lines(const struct line *from, const struct line *to)
{
    for (const struct line *l = from; l < to && !run.failed; l++) {
        const struct line *end = l;
        unsigned long times;
        if (!begins(l, "repeat")) {
            if (!scenario_line(l))
                return false;
            if (run.quiet && run.unit.status != ETM_OK)
                return true;
            continue;
        }
        times = strtoul(l->text + 6, NULL, 10);
        while (end < to && !begins(end, "end"))
            end++;
        run.at = l;
        if (end == to || times == 0)
            return wrong("repeat N ... end");
        for (; times != 0 && !run.failed; times--)
            (void)lines(l + 1, end);
        l = end;
    }
    return !run.failed;
}

static bool define(char *name, size_t n, char *value)
{
    struct variable *v = &run.variables[run.n_variables];

    if (run.n_variables == VARIABLES || n >= sizeof v->name || n == 0)
        return wrong("too many variables, or too long a name");
    memcpy(v->name, name, n);
    v->name[n] = 0;
    v->value = value;
    run.n_variables++;
    return true;
}

static bool case_rows(const struct line *from, const struct line *to);

/* "each NAME ... NAME" with a row a line, the last value as long as the line;
 * "each NAME = VALUE ..." */
static bool each(const struct line *from, const struct line *to)
{
    char *text = copy_of(from->text), *row = text, *next = strchr(text, '\n');
    char *names[VARIABLES], *list = strchr(text, '=');
    unsigned n = 0, before = run.n_variables;
    bool good = true, one = list != NULL && (next == NULL || list < next);

    run.at = from;
    if (one) {
        *list = 0;
        row = list + 1;
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
        run.n_variables = before;
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
        good = good && case_rows(from + 1, to) && !run.failed;
    }
    run.n_variables = before;
    free(text);
    return good;
}

/* All rows of a case. */
static bool case_rows(const struct line *from, const struct line *to)
{
    bool good;

    if (from < to && begins(from, "each"))
        return each(from, to);
    good = lines(from, to);
    unit_flush(&run.unit);
    run.at = from < to ? from : run.at;
    if (good && !run.quiet && run.unit.status != ETM_OK)
        (void)wrong("refused: %s", etm_status_text(run.unit.status));
    unit_end(&run.unit);
    if (run.unit.memory.live != 0)
        (void)wrong("memory is lost");
    run.unit.memory.live = 0;
    return !run.failed;
}

/* Does memory fail cleanly? Only what is refused for want of it ends early. */
static bool without_memory(const struct line *from, const struct line *to)
{
    run.quiet = true;
    for (size_t fail_at = 1; fail_at < 40; fail_at++) {
        run.unit.memory = (struct faulty){.fail_at = fail_at};
        (void)case_rows(from, to);
        if (run.unit.memory.calls < fail_at)
            break;
    }
    run.quiet = false;
    run.unit.memory = (struct faulty){0};
    return !run.failed;
}

/* Does a case expect something of packets? */
static bool about_packets(const struct line *from, const struct line *to)
{
    static const char *const words[] = {"packets", "count", "values",
                                        "addresses", "cycles"};

    for (const struct line *l = from; l < to; l++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (begins(l, "expect") && strstr(l->text, words[i]) != NULL)
                return true;
    return false;
}

static bool one_case(const struct line *from, const struct line *to)
{
    run.failed = false;
    run.n_expected = 0;
    run.unit.at_once = run.unit.no_packets = false;
    (void)case_rows(from + 1, to);
    run.at = from;
    if (run.n_expected == 0)
        (void)wrong("nothing is expected");
    if (run.failed || run.rebase)
        return !run.failed;
    run.unit.at_once = true;
    run.unit.no_packets = !about_packets(from, to);
    if (!case_rows(from + 1, to))
        printf("# with many events at a time, without packets\n");
    return !run.failed && without_memory(from + 1, to);
}

/* ---- Files --------------------------------------------------------------- */

/* Comments go, and lines that begin with a blank join those before. */
static bool load(const char *path)
{
    struct file *f = &run.file;
    FILE *file = fopen(path, "rb");
    char *out;
    unsigned number = 0;

    memset(f, 0, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s", path);
    f->text = calloc(1, 1u << 20);
    if (file == NULL || f->text == NULL ||
        (f->n = fread(f->text, 1, (1u << 20) - 1, file)) == 0) {
        printf("# %s: cannot be read\n", path);
        return false;
    }
    fclose(file);
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
        } else if (used != 0 && f->n_lines < LINES) {
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
    struct file *f = &run.file;
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

/* "let NAME = TEXT" before the first case, then cases. */
static unsigned one_file(const char *path, unsigned *n)
{
    const struct line *l, *end;
    const char *name = strrchr(path, '/');
    unsigned failed = 0;

    name = name != NULL ? name + 1 : path;
    if (!load(path)) {
        printf("not ok %u - %s\n", ++*n, name);
        return 1;
    }
    end = run.file.lines + run.file.n_lines;
    run.n_variables = 0;
    for (l = run.file.lines; l < end && begins(l, "let"); l++) {
        char *at = (char *)l->text + 4, *value = strstr(at, " = ");
        run.at = l;
        if (value == NULL || !define(at, (size_t)(value - at), value + 3))
            failed++;
    }
    if (l == end || !begins(l, "==") || failed != 0) {
        printf("# %s: no cases\nnot ok %u - %s\n", path, ++*n, name);
        failed++;
        end = l;
    }
    while (l < end) {
        const struct line *from = l++;
        bool good;
        while (l < end && !begins(l, "=="))
            l++;
        good = one_case(from, l);
        if (run.wrong)
            good = !good && strstr(run.message, from->text + 3) != NULL;
        printf("%sok %u - %s: %s\n", good ? "" : "not ", ++*n, name,
               from->text + 2 + strspn(from->text + 2, " "));
        failed += !good;
    }
    if (run.rebase && !save())
        printf("# %s: cannot be written\n", path);
    free(run.file.text);
    free(run.file.joined);
    return failed;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    static char *names[512];
    const char *path = argv[argc > 1 ? argc - 1 : 0];
    unsigned n = 0, n_names = 0, failed = 0;
    struct dirent *entry;
    DIR *folder = argc == 2 || argc == 3 ? opendir(path) : NULL;

    run.rebase = argc == 3 && strcmp(argv[1], "--rebase") == 0;
    run.wrong = argc == 3 && strcmp(argv[1], "--wrong") == 0;
    if (folder == NULL || (argc == 3 && !run.rebase && !run.wrong)) {
        fprintf(stderr, "usage: scenarios [--rebase | --wrong] FOLDER\n");
        return 2;
    }
    while ((entry = readdir(folder)) != NULL && n_names < 512) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".scn") != 0)
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
