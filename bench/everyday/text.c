/* SPDX-License-Identifier: Apache-2.0 */
/* Everyday (everyday.h): a log, its words, its numbers; packing it. */
#include "everyday.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The log: lines of words and numbers ---- */

static char text[4096];
static size_t text_n;

static size_t put_word(char *at)
{
    static const char *const syllables[] = {"pu", "mp",  "val", "ve", "mo",
                                            "to", "r",   "fan", "re", "lay",
                                            "in", "put", "bus", "ti", "mer"};
    const size_t known = sizeof syllables / sizeof *syllables;
    /* few words are frequent, as everywhere */
    uint32_t which = random_below(1 + random_below(1 + random_below(400)));
    size_t n = 0;

    do {
        const char *s = syllables[which % known];

        n += strlen(strcpy(at + n, s));
        which /= known - 4;
    } while (which != 0);
    return n;
}

void write_log(void)
{
    text_n = 0;
    while (text_n + 160 < sizeof text) {
        char *at = text + text_n;

        at += sprintf(at, "%08lu ", (unsigned long)now());
        at += put_word(at);
        at += sprintf(at, "%c ", ":;,"[random_below(3)]);
        for (uint32_t i = random_below(8); i != 0; i--) {
            at += put_word(at);
            *at++ = ' ';
        }
        if (random_below(3) == 0)
            at +=
                sprintf(at, "%lu.%02lu bar ", (unsigned long)random_below(2000),
                        (unsigned long)random_below(100));
        if (random_below(4) == 0)
            at += sprintf(at, "0x%04lx", (unsigned long)random_below(65536));
        *at++ = '\n';
        text_n = (size_t)(at - text);
    }
    text[text_n] = '\0';
}

/* ---- Words: how often does each occur? ---- */

#define LISTS 128u
#define WORDS_MOST 1024u

struct word {
    struct word *next;
    unsigned n;
    char name[];
};

static struct word *lists[LISTS];
static struct word *sorted[WORDS_MOST];

static void count_word(const char *name, size_t n)
{
    struct word **at, *word;
    uint32_t hash = 5381;

    for (size_t i = 0; i < n; i++)
        hash = hash * 33 ^ (unsigned char)name[i];
    for (at = &lists[hash % LISTS]; *at != NULL; at = &(*at)->next)
        if (strncmp((*at)->name, name, n) == 0 && (*at)->name[n] == '\0')
            break;
    if (*at == NULL) {
        word = calloc(1, sizeof *word + n + 1);
        check(word != NULL, "out of memory");
        memcpy(word->name, name, n);
        *at = word;
    }
    (*at)->n++;
}

static int by_number(const void *a, const void *b)
{
    const struct word *x = *(struct word *const *)a;
    const struct word *y = *(struct word *const *)b;

    return x->n != y->n ? (x->n < y->n) - (x->n > y->n)
                        : strcmp(x->name, y->name);
}

/* The words of a log so far, the most frequent ones first; and forget them. */
static void report_words(void)
{
    static char line[96];
    size_t n = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < LISTS; i++)
        for (struct word *w = lists[i]; w != NULL; w = w->next) {
            check(n < WORDS_MOST, "too many words");
            sorted[n++] = w;
            all += w->n;
        }
    qsort(sorted, n, sizeof *sorted, by_number);
    for (size_t i = 0; i < n && i < 20; i++) {
        int length = snprintf(line, sizeof line, "%3u. %-16s %5u %6.2f %%\n",
                              (unsigned)i + 1, sorted[i]->name, sorted[i]->n,
                              100.0 * (double)sorted[i]->n / (double)all);
        check(length > 0 && length < (int)sizeof line, "a line is too long");
    }
    for (size_t i = 0; i < n; i++)
        free(sorted[i]);
    memset(lists, 0, sizeof lists);
}

void count_words(void)
{
    for (const char *p = text; *p != '\0';) {
        const char *begin = p;

        while (isalpha((unsigned char)*p))
            p++;
        if (p != begin)
            count_word(begin, (size_t)(p - begin));
        else
            p++;
    }
    report_words();
}

/* ---- Numbers: their mean, how they vary, and a tone made of them ---- */

void read_numbers(void)
{
    double sum = 0, squares = 0, tone = 0;
    unsigned n = 0;

    for (char *p = text; *p != '\0';) {
        char *end = p + 1;
        double value;

        if (isdigit((unsigned char)*p)) {
            value = strtod(p, &end);
            sum += value;
            squares += value * value;
            tone += log(value + 1) * sin(0.01 * value);
            n++;
        }
        p = end;
    }
    check(n != 0, "no numbers");
    squares = sqrt(fabs(squares / n - sum / n * (sum / n)));
    check(isfinite(squares) && fabs(tone) < 40.0 * n, "wrong numbers");
}

/* ---- Packing: copies of what was there, in place of it ---- */

#define HEADS 1024u
#define COPY_LEAST 4u
#define COPY_MOST 130u

static uint8_t packed[2 * sizeof text], unpacked[sizeof text];

static unsigned hash_of(const uint8_t *p)
{
    uint32_t four;

    memcpy(&four, p, sizeof four);
    return four * 2654435761u >> 22;
}

/* A byte below 128: so many bytes and one follow; from it on: a copy of so many
 * bytes and COPY_LEAST, and how far back they are. */
static size_t pack(const uint8_t *from, size_t n, uint8_t *to)
{
    static uint16_t heads[HEADS]; /* places, from 1 */
    size_t out = 0,
           plain = 0; /* `plain` bytes stand before i, not written yet */

    memset(heads, 0, sizeof heads);
    for (size_t i = 0; i <= n;) {
        size_t length = 0, at = 0;

        if (i + COPY_LEAST <= n) {
            uint16_t *head = &heads[hash_of(from + i)];

            at = *head;
            *head = (uint16_t)(i + 1);
            while (at != 0 && i + length < n && length < COPY_MOST &&
                   from[at - 1 + length] == from[i + length])
                length++;
        }
        if (plain != 0 && (length >= COPY_LEAST || i == n || plain == 128)) {
            to[out++] = (uint8_t)(plain - 1);
            memcpy(to + out, from + i - plain, plain);
            out += plain;
            plain = 0;
        }
        if (length >= COPY_LEAST) {
            to[out++] = (uint8_t)(128 + length - COPY_LEAST);
            to[out++] = (uint8_t)(i + 1 - at);
            to[out++] = (uint8_t)((i + 1 - at) >> 8);
            i += length;
        } else {
            plain++;
            i++;
        }
    }
    return out;
}

static size_t unpack(const uint8_t *from, size_t n, uint8_t *to)
{
    size_t out = 0;

    for (size_t i = 0; i < n;) {
        size_t length = from[i++], back;

        if (length < 128) {
            memcpy(to + out, from + i, length + 1);
            out += length + 1;
            i += length + 1;
            continue;
        }
        back = from[i] | (size_t)from[i + 1] << 8;
        i += 2;
        for (length = length - 128 + COPY_LEAST; length != 0; length--, out++)
            to[out] = to[out - back];
    }
    return out;
}

/* CRC-32 of IEEE 802.3, four bits at a time. */
static uint32_t crc(const uint8_t *p, size_t n)
{
    static uint32_t table[16];
    uint32_t c = ~UINT32_C(0);

    for (uint32_t i = 0; table[15] == 0 && i < 16; i++) {
        table[i] = i;
        for (unsigned k = 0; k < 4; k++)
            table[i] = (table[i] & 1) != 0 ? table[i] >> 1 ^ 0xedb88320u
                                           : table[i] >> 1;
    }
    for (size_t i = 0; i < n; i++) {
        c ^= p[i];
        c = c >> 4 ^ table[c & 15];
        c = c >> 4 ^ table[c & 15];
    }
    return ~c;
}

void pack_log(void)
{
    size_t n = pack((const uint8_t *)text, text_n, packed);

    check(unpack(packed, n, unpacked) == text_n &&
              crc(unpacked, text_n) == crc((const uint8_t *)text, text_n),
          "what was packed is not what was unpacked");
}
