/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of elements: they add up, over parts of a capture and over
 * captures. */
#include "cli/put.h"
#include "cli/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what {
    COUNT_ELEMENT = 1, /* by kind */
    COUNT_EXECUTED,    /* instructions */
    COUNT_FAILED,      /* of them, those that failed their condition */
    COUNT_CYCLES,
    COUNT_LOST,      /* bytes, by reason */
    COUNT_EXCEPTION, /* by type and number of the interrupt */
    COUNT_BLOCK      /* executions of a range or an instruction */
};

struct etm_cli_count {
    uint32_t start, end, insns;
    uint16_t irq;
    uint8_t what, kind;
    uint64_t n;
};

static size_t hash(const struct etm_cli_count *c)
{
    uint64_t h = (uint64_t)c->start << 32 | c->end;

    h ^= (uint64_t)c->insns << 24 | (uint64_t)c->irq << 16 |
         (uint64_t)c->what << 8 | c->kind;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h ^ h >> 29);
}

static bool same(const struct etm_cli_count *a, const struct etm_cli_count *b)
{
    return a->start == b->start && a->end == b->end && a->insns == b->insns &&
           a->irq == b->irq && a->what == b->what && a->kind == b->kind;
}

/* Where the number of a count stands, or shall stand. */
static uint32_t *find(const struct etm_cli_stats *s,
                      const struct etm_cli_count *key)
{
    size_t i = hash(key) & (s->room - 1);

    while (s->index[i] != 0 && !same(&s->counts[s->index[i] - 1], key))
        i = (i + 1) & (s->room - 1);
    return &s->index[i];
}

static bool grow(struct etm_cli_stats *s)
{
    size_t room = s->room != 0 ? 2 * s->room : 4096;
    struct etm_cli_count *counts =
        realloc(s->counts, room / 2 * sizeof *counts);
    uint32_t *index = calloc(room, sizeof *index);

    if (counts)
        s->counts = counts;
    if (!counts || !index || room > UINT32_MAX) {
        free(index);
        return false;
    }
    free(s->index);
    s->index = index;
    s->room = room;
    for (size_t i = 0; i < s->n; i++)
        *find(s, &counts[i]) = (uint32_t)(i + 1);
    return true;
}

static void add(struct etm_cli_stats *s, const struct etm_cli_count *key,
                uint64_t n)
{
    uint32_t *number;

    if (2 * (s->n + 1) > s->room && !grow(s)) {
        s->failed = true;
        return;
    }
    number = find(s, key);
    if (*number == 0) {
        s->counts[s->n] = *key;
        s->counts[s->n++].n = 0;
        *number = (uint32_t)s->n;
    }
    s->counts[*number - 1].n += n;
}

static void add_what(struct etm_cli_stats *s, enum what what, uint8_t kind,
                     uint64_t n)
{
    s->plain[what][kind % ETM_CLI_KINDS] += n;
}

static void add_cycles(struct etm_cli_stats *s, uint64_t n)
{
    if (n != ETM_CYCLES_UNKNOWN)
        add_what(s, COUNT_CYCLES, 0, n);
}

static void add_code(struct etm_cli_stats *s, uint32_t start, uint32_t end,
                     uint8_t isa, uint32_t insns, bool failed, uint64_t n)
{
    const struct etm_cli_count key = {.what = COUNT_BLOCK,
                                      .kind = isa,
                                      .start = start,
                                      .end = end,
                                      .insns = insns};

    add_what(s, COUNT_EXECUTED, 0, n * insns);
    if (failed)
        add_what(s, COUNT_FAILED, 0, n);
    add(s, &key, n);
}

static void add_exception(struct etm_cli_stats *s, const struct etm_element *e)
{
    const struct etm_cli_count key = {.what = COUNT_EXCEPTION,
                                      .kind = e->u.exception.type,
                                      .irq = e->u.exception.irq};

    add(s, &key, 1);
}

int etm_cli_stats_count(void *stats, const struct etm_count *count)
{
    struct etm_cli_stats *s = stats;

    add_what(s, COUNT_ELEMENT, ETM_ELEMENT_RANGE, count->n);
    add_code(s, count->start, count->end, count->isa, count->insns,
             count->last_exec == ETM_FALSE, count->n);
    return s->failed ? ETM_ERR_MEMORY : ETM_OK;
}

void etm_cli_stats_cycles(struct etm_cli_stats *s, uint64_t n)
{
    add_cycles(s, n);
}

void etm_cli_stats_add(struct etm_cli_stats *s,
                       const struct etm_element *elements, size_t n)
{
    for (const struct etm_element *e = elements; e < elements + n; e++) {
        add_what(s, COUNT_ELEMENT, e->kind, 1);
        if (e->kind == ETM_ELEMENT_RANGE) {
            add_code(s, e->u.range.start, e->u.range.end, e->u.range.isa,
                     e->u.range.n, e->u.range.last_exec == ETM_FALSE, 1);
            add_cycles(s, e->u.range.cycles);
        } else if (e->kind == ETM_ELEMENT_INSN) {
            add_code(s, e->u.insn.address, e->u.insn.address + e->u.insn.size,
                     e->u.insn.isa, 1, e->u.insn.exec == ETM_FALSE, 1);
            add_cycles(s, e->u.insn.cycles);
        } else if (e->kind == ETM_ELEMENT_CYCLES) {
            add_cycles(s, e->u.cycles.n);
        } else if (e->kind == ETM_ELEMENT_LOST) {
            add_what(s, COUNT_LOST, e->u.lost.reason, e->u.lost.bytes);
        } else if (e->kind == ETM_ELEMENT_EXCEPTION) {
            add_exception(s, e);
        }
    }
}

void etm_cli_stats_merge(struct etm_cli_stats *s,
                         const struct etm_cli_stats *others)
{
    for (unsigned i = 0; i < ETM_CLI_WHATS; i++)
        for (unsigned k = 0; k < ETM_CLI_KINDS; k++)
            s->plain[i][k] += others->plain[i][k];
    for (size_t i = 0; i < others->n; i++)
        add(s, &others->counts[i], others->counts[i].n);
    s->failed |= others->failed;
}

void etm_cli_stats_clear(struct etm_cli_stats *s)
{
    if (s->n != 0)
        memset(s->index, 0, s->room * sizeof *s->index);
    memset(s->plain, 0, sizeof s->plain);
    s->n = 0;
    s->failed = false;
}

void etm_cli_stats_free(struct etm_cli_stats *s)
{
    free(s->counts);
    free(s->index);
    *s = (struct etm_cli_stats){0};
}

static void put_count(const struct etm_cli_count *c, unsigned id, char *text,
                      size_t capacity)
{
    static const char *const whats[] = {"",         "element", "instructions",
                                        "failed",   "cycles",  "lost_bytes",
                                        "exception"};
    char name[32];
    const char *of = NULL;

    if (c->what == COUNT_ELEMENT)
        of = etm_element_kind_name((enum etm_element_kind)c->kind);
    else if (c->what == COUNT_LOST)
        of = etm_lost_name((enum etm_lost_reason)c->kind);
    else if (c->what == COUNT_EXCEPTION)
        of = etm_exception_name((enum etm_exception_type)c->kind);
    if (c->what == COUNT_EXCEPTION && c->kind == ETM_EXCEPTION_IRQ_N)
        (void)snprintf(name, sizeof name, "\"irq%u\"", c->irq);
    else if (of)
        (void)snprintf(name, sizeof name, "\"%s\"", of);
    else
        (void)snprintf(name, sizeof name, "null");
    (void)snprintf(text, capacity,
                   "{\"k\":\"count\",\"src\":%u,\"what\":\"%s\",\"of\":%s,"
                   "\"n\":",
                   id, whats[c->what], name);
}

static void put_block(const struct etm_cli_count *c, unsigned id, char *text)
{
    char *at = etm_cli_put_text(text, "{\"k\":\"block\",");

    at = etm_cli_put_code(at, id, c->start, c->end, c->kind, c->insns);
    *etm_cli_put_text(at, ",\"n\":") = '\0';
}

bool etm_cli_stats_tell(struct etm_cli_stats *s, unsigned id,
                        struct etm_cli_tally *tally)
{
    bool good = !s->failed;
    char text[256];

    /* as they stand in order: a tally has less to do then */
    for (size_t i = 0; i < s->n && good; i++) {
        if (s->counts[i].what != COUNT_BLOCK)
            continue;
        put_block(&s->counts[i], id, text);
        good = etm_cli_tally_add(tally, text, s->counts[i].n);
    }
    for (unsigned i = 0; i < ETM_CLI_WHATS * ETM_CLI_KINDS && good; i++) {
        struct etm_cli_count c = {.what = (uint8_t)(i / ETM_CLI_KINDS),
                                  .kind = (uint8_t)(i % ETM_CLI_KINDS)};

        if (s->plain[c.what][c.kind] == 0)
            continue;
        put_count(&c, id, text, sizeof text);
        good = etm_cli_tally_add(tally, text, s->plain[c.what][c.kind]);
    }
    for (size_t i = 0; i < s->n && good; i++) {
        if (s->counts[i].what == COUNT_BLOCK)
            continue;
        put_count(&s->counts[i], id, text, sizeof text);
        good = etm_cli_tally_add(tally, text, s->counts[i].n);
    }
    etm_cli_stats_free(s);
    return good;
}
