/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with a number at their end. */
#include "cli/tally.h"

#include "cli/put.h"

#include <stdlib.h>
#include <string.h>

/* Texts are stored consecutively in pieces of memory of this size. */
#define TEXTS 65536u

/* A line is looked for among this many of the last lines. */
#define NEAR 64u

struct etm_cli_tally_texts {
    struct etm_cli_tally_texts *next;
    char text[];
};

struct etm_cli_tally_line {
    const char *text;
    size_t length;
    uint64_t hash; /* where there is an index */
    uint64_t n;
};

/* FNV-1a, of eight characters at a time. */
static uint64_t hash(const char *text, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325), eight;

    for (; n >= sizeof eight; text += sizeof eight, n -= sizeof eight) {
        memcpy(&eight, text, sizeof eight);
        h = (h ^ eight) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    for (; n > 0; text++, n--)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* The place in the index for the number of a line. */
static uint32_t *find(const struct etm_cli_tally *t, uint64_t key,
                      const char *text)
{
    size_t i = (size_t)key & (t->room - 1);
    const struct etm_cli_tally_line *line;

    for (; t->index[i] != 0; i = (i + 1) & (t->room - 1)) {
        line = &t->lines[t->index[i] - 1];
        if (line->hash == key && strcmp(line->text, text) == 0)
            break;
    }
    return &t->index[i];
}

/* Make the index, and put all lines into it. */
static bool make_index(struct etm_cli_tally *t)
{
    uint32_t *index = calloc(t->room, sizeof *index);

    if (!index)
        return false;
    for (size_t k = 0; k < t->n; k++) {
        size_t i = (size_t)t->lines[k].hash & (t->room - 1);

        while (index[i] != 0)
            i = (i + 1) & (t->room - 1);
        index[i] = (uint32_t)(k + 1);
    }
    free(t->index);
    t->index = index;
    return true;
}

/* Room for one more line. */
static bool reserve(struct etm_cli_tally *t)
{
    size_t room = t->room != 0 ? 2 * t->room : 256;
    struct etm_cli_tally_line *lines;

    if (2 * (t->n + 1) <= t->room)
        return true;
    if (room > UINT32_MAX)
        return false;
    lines = realloc(t->lines, room / 2 * sizeof *lines);
    if (!lines)
        return false;
    t->lines = lines;
    t->room = room;
    return !t->index || make_index(t);
}

/* A copy of a text of n characters including its terminator; NULL: out of
 * memory. */
static const char *keep(struct etm_cli_tally *t, const char *text, size_t n)
{
    struct etm_cli_tally_texts *texts = t->texts;
    char *copy;

    if (n > t->left) {
        t->left = n > TEXTS ? n : TEXTS;
        texts = malloc(sizeof *texts + t->left);
        if (!texts) {
            t->left = 0;
            return NULL;
        }
        texts->next = t->texts;
        t->texts = texts;
        t->end = texts->text + t->left;
    }
    copy = t->end - t->left;
    t->left -= n;
    return memcpy(copy, text, n);
}

/* A new line, as number `i`. */
static bool insert(struct etm_cli_tally *t, size_t i, const char *text,
                   size_t length, uint64_t key, uint64_t n)
{
    const char *copy = keep(t, text, length + 1);

    if (!copy)
        return false;
    memmove(t->lines + i + 1, t->lines + i, (t->n - i) * sizeof *t->lines);
    t->lines[i] = (struct etm_cli_tally_line){copy, length, key, n};
    t->n++;
    return true;
}

/* Most lines come almost in order, and need no index until one does not.
 * Returns the index at which this line belongs, or, if it *is_there, the one
 * after it; SIZE_MAX: too far up. */
static size_t place(const struct etm_cli_tally *t, const char *text,
                    bool *is_there)
{
    size_t i = t->n;
    int order = 1;

    while (i > 0 && t->n - i < NEAR &&
           (order = strcmp(text, t->lines[i - 1].text)) < 0)
        i--;
    *is_there = order == 0;
    return i > 0 && order < 0 ? SIZE_MAX : i;
}

static void count(struct etm_cli_tally *t, struct etm_cli_tally_line *line,
                  uint64_t n)
{
    bool fits = n <= UINT64_MAX - line->n;

    t->full |= !fits;
    line->n = fits ? line->n + n : UINT64_MAX;
}

bool etm_cli_tally_add(struct etm_cli_tally *t, const char *text, uint64_t n)
{
    size_t length = strlen(text), i;
    bool is_there;
    uint64_t key;
    uint32_t *number;

    if (!reserve(t))
        return false;
    if (!t->index) {
        i = place(t, text, &is_there);
        if (i != SIZE_MAX && is_there)
            count(t, &t->lines[i - 1], n);
        if (i != SIZE_MAX)
            return is_there || insert(t, i, text, length, 0, n);
        for (i = 0; i < t->n; i++)
            t->lines[i].hash = hash(t->lines[i].text, t->lines[i].length);
        if (!make_index(t))
            return false;
    }
    key = hash(text, length);
    number = find(t, key, text);
    if (*number == 0) {
        if (!insert(t, t->n, text, length, key, n))
            return false;
        *number = (uint32_t)t->n;
    } else {
        count(t, &t->lines[*number - 1], n);
    }
    return true;
}

/* The end of the sorted lines from `i` on. */
static size_t end_of_run(const struct etm_cli_tally_line *lines, size_t i,
                         size_t n)
{
    for (i++; i < n && strcmp(lines[i - 1].text, lines[i].text) < 0;)
        i++;
    return i < n ? i : n;
}

/* Merge two sorted runs, up to `a` and up to `b`. */
static void merge(const struct etm_cli_tally_line *from, size_t i, size_t a,
                  size_t b, struct etm_cli_tally_line *to)
{
    size_t k = a;

    for (size_t out = i; out < b; out++) {
        if (k == b || (i < a && strcmp(from[i].text, from[k].text) < 0))
            to[out] = from[i++];
        else
            to[out] = from[k++];
    }
}

/* Sort lines by their bytes; they came in a few runs that are sorted already.
 * False: out of memory. */
static bool sort(struct etm_cli_tally *t)
{
    struct etm_cli_tally_line *lines = t->lines, *from = lines, *to, *other;

    if (t->n == 0 || end_of_run(lines, 0, t->n) == t->n)
        return true;
    other = malloc(t->n * sizeof *other);
    if (!other)
        return false;
    for (to = other; end_of_run(from, 0, t->n) < t->n;) {
        struct etm_cli_tally_line *last = from;

        for (size_t i = 0, a, b; i < t->n; i = b) {
            a = end_of_run(from, i, t->n);
            b = a < t->n ? end_of_run(from, a, t->n) : a;
            merge(from, i, a, b, to);
        }
        from = to;
        to = last;
    }
    if (from != lines)
        memcpy(lines, from, t->n * sizeof *lines);
    free(other);
    return true;
}

bool etm_cli_tally_print(struct etm_cli_tally *t, const char *end,
                         struct etm_cli_output *output)
{
    if (t->index && !sort(t))
        return false;
    for (size_t i = 0; i < t->n && !output->closed && !output->failed; i++) {
        const struct etm_cli_tally_line *line = &t->lines[i];
        char n[32], *at = etm_cli_put_decimal(n, line->n, 0);

        at = etm_cli_put_text(at, end);
        etm_cli_put(output, line->text, line->length);
        etm_cli_put(output, n, (size_t)(at - n));
    }
    return true;
}

void etm_cli_tally_free(struct etm_cli_tally *t)
{
    struct etm_cli_tally_texts *texts = t->texts, *next;

    for (; texts; texts = next) {
        next = texts->next;
        free(texts);
    }
    free(t->lines);
    free(t->index);
    *t = (struct etm_cli_tally){0};
}
