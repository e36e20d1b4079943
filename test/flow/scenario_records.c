/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of a port of ETMv1 or ETMv2 in words (README.md). */
#include "scenario.h"

#include "proto/etmv1.h"
#include "proto/etmv2.h"

#include <stdlib.h>
#include <string.h>

static bool put(struct scenario *s, size_t *at, unsigned first, unsigned pins)
{
    if (*at + 3 > sizeof s->stream)
        return wrong("too much trace");
    s->stream[(*at)++] = (uint8_t)first;
    s->stream[(*at)++] = (uint8_t)pins;
    if (etm_sample_size(&s->config) == 3)
        s->stream[(*at)++] = (uint8_t)(pins >> 8);
    return true;
}

/* Which of the names a word begins with; `n` letters have to be those. */
static unsigned status_of(const char *const *names, unsigned count,
                          const char *word, size_t n)
{
    unsigned i = 0;

    while (i < count &&
           (strlen(names[i]) != n || strncmp(names[i], word, n) != 0))
        i++;
    return i;
}

/* "BE1:80*4": status, TRACESYNC, TRACEPKT, and how often. */
static bool etmv1_word(struct scenario *s, size_t *at, const char *word)
{
    static const char *const names[] = {"IE", "ID", "IN", "WT",
                                        "BE", "BD", "TR", "TD"};
    unsigned first = status_of(names, 8, word, 2);
    unsigned long pins, times = 1;
    char *end;

    if (first == 8 || (word[2] != '0' && word[2] != '1') || word[3] != ':')
        return wrong("not understood: %s", word);
    if (word[2] == '1')
        first |= ETM_SAMPLE_SYNC;
    pins = strtoul(word + 4, &end, 16);
    if (*end == '*')
        times = strtoul(end + 1, &end, 10);
    if (*end != 0)
        return wrong("not understood: %s", word);
    for (; times != 0; times--)
        if (!put(s, at, first, (unsigned)pins))
            return false;
    return true;
}

/* One cycle: what the port does (6.1.7, 6.3, 6.5.1). */
static bool cycle(struct scenario *s, size_t *at, unsigned status, bool trigger)
{
    struct scenario_fifo *f = &s->fifo;
    uint8_t pins;

    if (trigger) {
        f->due = status == ETM_ETMV2_TD;
        return put(s, at, ETM_ETMV2_TR, status);
    }
    if (status == ETM_ETMV2_TD)
        return put(s, at, status, f->pins);
    if (f->due) {
        f->due = false;
        return put(s, at, status, f->pins);
    }
    if (f->n == 0)
        return put(s, at, status == ETM_ETMV2_WT ? ETM_ETMV2_TD : status, 0);
    pins = f->bytes[0];
    memmove(f->bytes, f->bytes + 1, --f->n);
    return put(s, at, status, pins);
}

/* "DE+0211", "IE*3", "IE!": a status, the group that it puts into the FIFO,
 * how many such cycles, a trigger. */
static bool etmv2_word(struct scenario *s, size_t *at, const char *word)
{
    static const char *const names[16] = {
        "IE",   "DE",   "IN",   "DN",   "WT",   "DW",   "TR",   "TFO",
        "PTIE", "PTDE", "PTIN", "PTDN", "PNIE", "PNDE", "PNIN", "PNDN"};
    size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    unsigned status = status_of(names, 16, word, n);
    unsigned long times = 1;
    struct scenario_fifo *f = &s->fifo;

    if (strcmp(word, "tick") == 0) /* a TD of cycle-accurate trace */
        return put(s, at, ETM_ETMV2_TD, 0x7);
    if (strcmp(word, "drain") == 0) { /* as many WT as are needed */
        while (f->n != 0 || f->due)
            if (!cycle(s, at, ETM_ETMV2_WT, false))
                return false;
        return true;
    }
    if (status == 16)
        return wrong("not understood: %s", word);
    f->pins = (uint8_t)etm_etmv2_tfo_pins((unsigned)f->n);
    word += n;
    for (word += *word == '+';
         strspn(word, "0123456789abcdef") >= 2 && f->n < sizeof f->bytes;
         word += 2) {
        char digits[3] = {word[0], word[1], 0};
        f->bytes[f->n++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    if (*word == '*')
        times = strtoul(word + 1, (char **)&word, 10);
    if (strcmp(word, "") != 0 && strcmp(word, "!") != 0)
        return wrong("not understood: %s", word);
    for (; times != 0; times--)
        if (!cycle(s, at, status, *word == '!'))
            return false;
    return true;
}

bool scenario_records(struct scenario *s, const struct etm_scenario_line *line,
                      size_t at, size_t *n)
{
    size_t from = at;

    for (unsigned i = 0; i < line->n; i++)
        if (!(s->config.protocol == ETM_PROTOCOL_ETMV1
                  ? etmv1_word(s, &at, line->word[i])
                  : etmv2_word(s, &at, line->word[i])))
            return false;
    *n = at - from;
    return true;
}
