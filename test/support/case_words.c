/* SPDX-License-Identifier: Apache-2.0 */
/* Words of cases that more than one room has (test/README.md). */
#include "case_words.h"

#include "scarce.h"

#include <etm/config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *value_of(char *word, const char *name)
{
    size_t n = strlen(name);

    return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

bool number(const char *text, int base, uint64_t *value)
{
    char *end;

    *value = strtoull(text, &end, base);
    return (end != text && *end == 0) || wrong("not a number: %s", text);
}

bool expected_number(const char *what, uint64_t is, const char *text, int base)
{
    char *end;
    uint64_t least = strtoull(text, &end, base), most = least;

    if (*end == '-')
        most = strtoull(end + 1, &end, base);
    if (end == text || *end != 0)
        return wrong("not a number: %s", text);
    return (is >= least && is <= most) ||
           wrong("%s is %llu, not %s", what, (unsigned long long)is, text);
}

const struct named protocols[6] = {
    {"etmv1", ETM_PROTOCOL_ETMV1}, {"etmv2", ETM_PROTOCOL_ETMV2},
    {"etmv3", ETM_PROTOCOL_ETMV3}, {"pft", ETM_PROTOCOL_PFT},
    {"itm", ETM_PROTOCOL_ITM},     {"none", ETM_PROTOCOL_NONE},
};

const struct named statuses[7] = {
    {"ok", ETM_OK},
    {"format", ETM_ERR_FORMAT},
    {"config", ETM_ERR_CONFIG},
    {"io", ETM_ERR_IO},
    {"argument", ETM_ERR_ARGUMENT},
    {"unsupported", ETM_ERR_UNSUPPORTED},
    {"memory", ETM_ERR_MEMORY},
};

bool named(const struct named *list, size_t n, const char *word, int *value)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, word) == 0) {
            *value = list[i].value;
            return true;
        }
    return wrong("not known: %s", word);
}

const char *name_in(const struct named *list, size_t n, int value)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].value == value)
            return list[i].name;
    return "?";
}

/* ---- Words that stand for several ---------------------------------------- */

#define MOST_WORD 64u

/* The next word of a list: `17*3` is three, `01..0e` fourteen. */
struct unfolding {
    const struct words *w;
    unsigned at;   /* the next word */
    uint64_t left; /* of the one before: so many more, */
    unsigned step; /* each so much more, */
    uint64_t value;
    char word[MOST_WORD]; /* than this one */
};

static bool unfold(struct unfolding *u)
{
    const char *word, *times, *to;

    if (u->left != 0) {
        u->left--;
        u->value += u->step;
        if (u->step != 0)
            snprintf(u->word, sizeof u->word, "%02llx",
                     (unsigned long long)u->value);
        return true;
    }
    if (u->at == u->w->n)
        return false;
    word = u->w->word[u->at++];
    times = strchr(word, '*');
    to = strstr(word, "..");
    u->step = to != NULL;
    if (times != NULL)
        u->left = strtoull(times + 1, NULL, 10) - 1;
    if (to != NULL) {
        u->value = strtoull(word, NULL, 16);
        u->left = strtoull(to + 2, NULL, 16) - u->value;
        times = to;
    }
    snprintf(u->word, sizeof u->word, "%.*s",
             (int)(times != NULL ? times - word : (long)strlen(word)), word);
    return true;
}

bool take_bytes(const struct words *w, unsigned first, uint8_t *bytes,
                size_t *n, size_t most)
{
    struct unfolding u = {.w = w, .at = first};

    while (unfold(&u)) {
        uint64_t value;

        if (!number(u.word, 16, &value))
            return false;
        if (value > 0xff || *n == most)
            return wrong("not a byte: %s", u.word);
        bytes[(*n)++] = (uint8_t)value;
    }
    return true;
}

static bool same_words(const struct words *w, unsigned first, const char *is)
{
    struct unfolding u = {.w = w, .at = first};
    const char *at = is;

    for (unsigned i = 0;; i++) {
        bool more = unfold(&u);
        size_t n;

        at += strspn(at, " ");
        n = strcspn(at, " ");
        if (!more && n == 0)
            return true;
        if (!more || strlen(u.word) != n || strncmp(u.word, at, n) != 0)
            return wrong("word %u is \"%.*s\", not \"%s\", of: %.800s", i,
                         (int)n, at, more ? u.word : "", is);
        at += n;
    }
}

bool same_text(struct words *w, unsigned first, struct scenario_text *is)
{
    bool good = same_words(w, first, is->text != NULL ? is->text : "");

    free(is->text);
    return good;
}

void add_words(struct scenario_text *t, const struct words *w, unsigned from,
               unsigned to)
{
    text_add(t, "%s", "");
    for (; from < to; from++)
        text_add(t, " %s", w->word[from]);
}

bool all_among(const struct words *w, unsigned from, struct scenario_text *is)
{
    for (; from < w->n; from++)
        (void)among(w->word[from], is->text);
    free(is->text);
    return !cases.failed;
}

bool all_words(const struct words *w, unsigned from, struct scenario_text *is,
               size_t head)
{
    struct scenario_text wanted = {0};
    bool good;

    text_add(is, "%s", "");
    add_words(&wanted, w, from, w->n);
    good = strcmp(is->text, wanted.text) == 0 || case_given(is->text, head) ||
           wrong("it is%s", is->text);
    free(is->text);
    free(wanted.text);
    return good;
}

void add_fields(struct scenario_text *t, const struct field *fields,
                const void *of)
{
    for (; fields->name != NULL; fields++) {
        unsigned long long value = field_value(fields, of);

        if (value != 0)
            text_add(t, fields->flag ? " %s" : " %s=%llu", fields->name, value);
    }
}

/* ---- Memory that ends ---------------------------------------------------- */

bool each_call_fails(int (*act)(const struct etm_allocator *allocator),
                     int status, size_t least)
{
    for (unsigned on = 0; on < 2; on++) {
        struct faulty faulty = {.fail_at = 0, .on = on};
        const struct etm_allocator allocator = {faulty_resize, &faulty};
        bool failed = true;

        while (failed) {
            int is;

            faulty.fail_at++;
            faulty.calls = 0;
            is = act(&allocator);
            failed = faulty.calls >= faulty.fail_at;
            if (is != (failed ? ETM_ERR_MEMORY : status))
                return wrong("status %d when call %zu failed", is,
                             faulty.fail_at);
            if (faulty.live != 0)
                return wrong("%ld blocks stay when call %zu failed",
                             faulty.live, faulty.fail_at);
        }
        if (faulty.fail_at <= least)
            return wrong("only %zu calls", faulty.fail_at - 1);
    }
    return true;
}
