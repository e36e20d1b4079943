/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with a number at their end. */
#include "cli/tally.h"

#include "cli/put.h"

#include <stdlib.h>
#include <string.h>

/* Texts stand one behind the other in pieces of memory like this. */
#define TEXTS 65536u

struct etm_cli_tally_texts {
    struct etm_cli_tally_texts *next;
    char text[];
};

struct etm_cli_tally_line {
    const char *text;
    uint64_t hash, n;
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

/* Where the number of a line stands, or shall stand. */
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

static bool grow(struct etm_cli_tally *t)
{
    size_t room = t->room != 0 ? 2 * t->room : 256;
    struct etm_cli_tally_line *lines =
        realloc(t->lines, room / 2 * sizeof *lines);
    uint32_t *index = calloc(room, sizeof *index);

    if (lines)
        t->lines = lines;
    if (!lines || !index || room > UINT32_MAX) {
        free(index);
        return false;
    }
    free(t->index);
    t->index = index;
    t->room = room;
    for (size_t k = 0; k < t->n; k++) {
        size_t i = (size_t)lines[k].hash & (room - 1);

        while (index[i] != 0)
            i = (i + 1) & (room - 1);
        index[i] = (uint32_t)(k + 1);
    }
    return true;
}

/* A copy of a text with its end, n characters; NULL when memory is short. */
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

bool etm_cli_tally_add(struct etm_cli_tally *t, const char *text, uint64_t n)
{
    size_t length = strlen(text);
    uint64_t key = hash(text, length);
    uint32_t *number;

    if (2 * (t->n + 1) > t->room && !grow(t))
        return false;
    number = find(t, key, text);
    if (*number == 0) {
        const char *copy = keep(t, text, length + 1);

        if (!copy)
            return false;
        t->lines[t->n++] = (struct etm_cli_tally_line){copy, key, 0};
        *number = (uint32_t)t->n;
    }
    t->lines[*number - 1].n += n;
    return true;
}

/* Behind the lines from `i` on that are in order. */
static size_t end_of_run(const struct etm_cli_tally_line *lines, size_t i,
                         size_t n)
{
    for (i++; i < n && strcmp(lines[i - 1].text, lines[i].text) < 0;)
        i++;
    return i < n ? i : n;
}

/* Two runs that are in order, up to `a` and up to `b`, into one. */
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

/* In the order of their bytes; they came in a few runs that are in order
 * already. False when memory is short. */
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

bool etm_cli_tally_print(struct etm_cli_tally *t, struct etm_cli_output *output)
{
    free(t->index);
    t->index = NULL;
    t->room = 0;
    if (!sort(t))
        return false;
    for (size_t i = 0; i < t->n && !output->closed && !output->failed; i++) {
        const struct etm_cli_tally_line *line = &t->lines[i];
        char end[32], *at = etm_cli_put_decimal(end, line->n, 0);

        at = etm_cli_put_text(at, "}\n");
        etm_cli_put(output, line->text, strlen(line->text));
        etm_cli_put(output, end, (size_t)(at - end));
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
