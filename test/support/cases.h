/* SPDX-License-Identifier: Apache-2.0 */
/* Files of cases (test/README.md), whatever their lines say. */
#ifndef TEST_SUPPORT_CASES_H
#define TEST_SUPPORT_CASES_H

#include <stdbool.h>
#include <stddef.h>

#define WORDS_LINE 600u
/* A line, cut at its blanks. */
struct words {
    unsigned n;
    char *word[WORDS_LINE];
};

/* Text that grows. */
struct scenario_text {
    char *text;
    size_t n, capacity;
};

void text_add(struct scenario_text *t, const char *format, ...);

#define LINES 6000u
#define VARIABLES 24u

/* A line with those that continue it: they begin with a blank. */
struct line {
    const char *text;
    unsigned number, last; /* physical lines */
    /* For rebase: what came out, words that follow so many bytes of the text,
     * or lines in place of all of them; NULL: nothing new. */
    char *given;
    size_t head;
};

struct variable {
    char name[24];
    const char *value;
};

struct file {
    char path[512];
    char *text;   /* as it is on disk */
    char *joined; /* without comments; what the lines point to */
    size_t n;
    struct line lines[LINES];
    size_t n_lines;
};

struct cases {
    struct file file;
    struct variable variables[VARIABLES];
    unsigned n_variables, n_expected;
    const struct line *header, *first; /* what all cases begin with; the first
                                          of them */
    const struct line *at;             /* in hand */
    bool failed, quiet, rebase;
    bool wrong;         /* each case has to fail, for the reason in its name */
    char message[1024]; /* what is wrong */
};

extern struct cases cases;

/* A word, and what does the line of which it is the first one, or the second
 * after `expect`; a list of them ends with one without a name. */
struct verb {
    const char *name;
    bool (*line)(struct words *w);
};

/* What the cases of a room are about. All but `ending` may be left out. */
struct case_room {
    const char *ending; /* of the names of its files */
    /* Does what a line says. False: it is wrong. NULL: case_line() */
    bool (*line)(const struct line *line);
    /* After the lines of a row, all of which were `good`. */
    void (*end)(bool good);
    /* Before a case; the rows of a case that passed once more, in other ways;
     * whether its other lines are left out. */
    void (*begin)(void);
    bool (*again)(const struct line *from, const struct line *to);
    bool (*stops)(void);
    /* After a row, at last. */
    void (*clear)(void);
    /* Of case_line(): lists of verbs, and of what is expected; before each
     * expectation, false: it is wrong; a line that is in no list. */
    const struct verb *verbs[4], *expected[4];
    bool (*ready)(struct words *w);
    bool (*other)(struct words *w);
    bool nested; /* the value of a variable may have others in it */
};

/* Does a line as the lists of the room say. */
bool case_line(const struct line *line);

/* Calls what the lists have for the verb at word number `at`; *known: there is
 * such a verb. */
bool case_verb(const struct verb *const *lists, unsigned at, struct words *w,
               bool *known);

/*
 * Runs the files of a folder, as the command line says; the exit code.
 *
 *     FOLDER           test; one line of TAP a case
 *     --rebase FOLDER  write what came out into the files
 *     --wrong FOLDER   each case fails, for the reason in its name; a file
 *                      whose name begins with "no_cases" has none
 */
int cases_main(int argc, char **argv, const struct case_room *of);

/* The line in hand is wrong; always false. */
bool wrong(const char *format, ...);

/* Is the line in hand before the first case? */
bool cases_in_header(void);

char *copy_of(const char *text);

/* The variables in a text have their values; false: it is wrong. */
bool substitute(const char *text, char *out, size_t size);
bool in_name(char c);

/* False: there are too many words. */
bool cut(char *text, struct words *w);

/* As cut() does, but what is in quotes is one word, with single blanks in it,
 * and
 * `\n`, `\$` and `\"`; its first character stays. False: it is wrong. */
bool cut_quotes(char *text, struct words *w);

/* The text of such a word; NULL: it is not one. */
const char *quoted(const char *word);

/*
 * The rows below the first one of a line, as they are to stand in a file:
 * without their first two blanks; `\n` `\r` `\t` `\s` (a blank) `\\` `\x3f`.
 * One that ends with a backslash goes on with the next. NULL: it is wrong; else
 * to be freed.
 */
char *rows_below(const char *line, size_t *n);

/* The reverse, as `given` of a line: the rows of a text, below a `head`. */
char *rows_given(const char *head, const char *text);

/* NAME, NAME=VALUE or NAME=FIRST..LAST (decimal) is among the words of a text,
 * each of which has a blank before it; false: it is wrong. */
bool among(const char *word, const char *text);

/* What came out in place of what follows `head` bytes of the line in hand: it
 * is written into the file. False: it is not, as nobody asked for that. */
bool case_given(const char *text, size_t head);

/* Is this the first word of a line? */
bool begins(const struct line *line, const char *word);

/* All rows of a case, whose lines these are. */
bool case_rows(const struct line *from, const struct line *to);

#endif
