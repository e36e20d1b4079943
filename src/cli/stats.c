/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of elements, which add up over parts of a capture and over
 * captures. */
#include "cli/put.h"
#include "cli/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what {
    COUNT_ELEMENT = 1, /* by kind */
    COUNT_EXECUTED,    /* instructions */
    COUNT_FAILED,      /* those that failed their condition */
    COUNT_CYCLES,
    COUNT_LOST,      /* bytes, by reason */
    COUNT_EXCEPTION, /* by type and number of the interrupt */
};

struct etm_cli_count {
    uint32_t start, end, insns, isa;
    uint64_t n;
};

static size_t hash(const struct etm_cli_count *c)
{
    uint64_t h = (uint64_t)c->start << 32 | c->end;

    h ^= (uint64_t)c->insns << 24 | c->isa;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h ^ h >> 29);
}

static bool same(const struct etm_cli_count *a, const struct etm_cli_count *b)
{
    return a->start == b->start && a->end == b->end && a->insns == b->insns &&
           a->isa == b->isa;
}

/* The place in the index for the number of a count. */
static uint32_t *find(const struct etm_cli_near *t,
                      const struct etm_cli_count *key)
{
    size_t i = hash(key) & (t->room - 1);

    while (t->index[i] != 0 && !same(&t->counts[t->index[i] - 1], key))
        i = (i + 1) & (t->room - 1);
    return &t->index[i];
}

static bool grow(struct etm_cli_near *t)
{
    size_t room = t->room != 0 ? 2 * t->room : 4096;
    struct etm_cli_count *counts =
        realloc(t->counts, room / 2 * sizeof *counts);
    uint32_t *index = calloc(room, sizeof *index);

    if (counts)
        t->counts = counts;
    if (!counts || !index) {
        free(index);
        return false;
    }
    free(t->index);
    t->index = index;
    t->room = room;
    for (size_t i = 0; i < t->n; i++)
        *find(t, &counts[i]) = (uint32_t)(i + 1);
    return true;
}

void etm_cli_stats_pack(struct etm_cli_stats *s)
{
    struct etm_cli_near *t = &s->near;

    if (t->n == 0)
        return;
    if (!s->blocks && etm_counts_new(&s->blocks, NULL) != ETM_OK)
        s->failed = true;
    for (size_t i = 0; i < t->n && !s->failed; i++) {
        const struct etm_cli_count *c = &t->counts[i];
        const struct etm_count row = {.n = c->n,
                                      .start = c->start,
                                      .end = c->end,
                                      .insns = c->insns,
                                      .last_address = c->end - 4,
                                      .isa = (uint8_t)c->isa};

        s->failed = etm_counts_add(s->blocks, &row) != ETM_OK;
    }
    memset(t->index, 0, t->room * sizeof *t->index);
    t->n = 0;
}

bool etm_cli_stats_squeeze(struct etm_cli_stats *s)
{
    struct etm_counts *packed = NULL;

    etm_cli_stats_pack(s);
    if (s->failed || !s->blocks)
        return !s->failed;
    /* what comes in order is packed at once */
    if (etm_counts_new(&packed, NULL) != ETM_OK ||
        etm_counts_walk(s->blocks, etm_counts_add, packed) != ETM_OK) {
        etm_counts_free(packed);
        return false;
    }
    etm_counts_free(s->blocks);
    s->blocks = packed;
    return true;
}

size_t etm_cli_stats_bytes(const struct etm_cli_stats *s)
{
    return s->near.n * sizeof *s->near.counts;
}

bool etm_cli_stats_keep(struct etm_cli_stats *s, struct etm_cli_near *table)
{
    size_t bytes = etm_cli_stats_bytes(s);
    struct etm_cli_count *counts = bytes != 0 ? malloc(bytes) : NULL;

    *table = s->near;
    s->near = (struct etm_cli_near){.counts = counts};
    if (bytes == 0)
        return true;
    if (counts) {
        memcpy(counts, table->counts, bytes);
        s->near.n = table->n;
    }
    memset(table->index, 0, table->room * sizeof *table->index);
    table->n = 0;
    return counts != NULL;
}

/* Room for one more. */
static bool make_room(struct etm_cli_stats *s)
{
    struct etm_cli_near *t = &s->near;

    if (t->room < 2 * (t->most != 0 ? t->most : ETM_CLI_NEAR))
        s->failed |= !grow(t);
    else
        etm_cli_stats_pack(s);
    return !s->failed;
}

static void add(struct etm_cli_stats *s, const struct etm_cli_count *key,
                uint64_t n)
{
    struct etm_cli_near *t = &s->near;
    uint32_t *number;

    if (2 * (t->n + 1) > t->room && !make_room(s))
        return;
    number = find(t, key);
    if (*number == 0) {
        t->counts[t->n] = *key;
        t->counts[t->n++].n = 0;
        *number = (uint32_t)t->n;
    }
    t->counts[*number - 1].n += n;
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
    const struct etm_cli_count key = {
        .isa = isa, .start = start, .end = end, .insns = insns};

    add_what(s, COUNT_EXECUTED, 0, n * insns);
    if (failed)
        add_what(s, COUNT_FAILED, 0, n);
    add(s, &key, n);
}

static void add_exception(struct etm_cli_stats *s, const struct etm_element *e)
{
    /* a DWT tells more of each than its entry */
    if (e->u.exception.action == ETM_EXCEPTION_EXIT ||
        e->u.exception.action == ETM_EXCEPTION_RETURN)
        return;
    if (e->u.exception.type != ETM_EXCEPTION_IRQ_N) {
        add_what(s, COUNT_EXCEPTION, e->u.exception.type, 1);
        return;
    }
    if (!s->irqs)
        s->irqs = calloc(ETM_CLI_IRQS, sizeof *s->irqs);
    if (s->irqs)
        s->irqs[e->u.exception.irq % ETM_CLI_IRQS]++;
    else
        s->failed = true;
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

static int add_row(void *context, const struct etm_count *row)
{
    struct etm_cli_stats *s = context;
    const struct etm_cli_count key = {.isa = row->isa,
                                      .start = row->start,
                                      .end = row->end,
                                      .insns = row->insns};

    add(s, &key, row->n);
    return s->failed ? ETM_ERR_MEMORY : ETM_OK;
}

void etm_cli_stats_merge(struct etm_cli_stats *s,
                         const struct etm_cli_stats *others)
{
    for (unsigned i = 0; i < ETM_CLI_WHATS; i++)
        for (unsigned k = 0; k < ETM_CLI_KINDS; k++)
            s->plain[i][k] += others->plain[i][k];
    s->failed |= others->failed;
    if (others->irqs && !s->irqs)
        s->irqs = calloc(ETM_CLI_IRQS, sizeof *s->irqs);
    s->failed |= others->irqs && !s->irqs;
    for (unsigned i = 0; others->irqs && s->irqs && i < ETM_CLI_IRQS; i++)
        s->irqs[i] += others->irqs[i];
    if (others->blocks && etm_counts_walk(others->blocks, add_row, s) != ETM_OK)
        s->failed = true;
    for (size_t i = 0; i < others->near.n; i++)
        add(s, &others->near.counts[i], others->near.counts[i].n);
}

void etm_cli_stats_free(struct etm_cli_stats *s)
{
    free(s->irqs);
    free(s->near.counts);
    free(s->near.index);
    etm_counts_free(s->blocks);
    *s = (struct etm_cli_stats){0};
}

/* One of the plain counts, by its place. */
struct plain {
    enum what what;
    uint8_t kind;
    uint16_t irq;
};

static bool tell(struct etm_cli_tally *tally, const struct plain *c,
                 unsigned id, bool text, uint64_t n)
{
    static const char *const whats[] = {"",         "element", "instructions",
                                        "failed",   "cycles",  "lost_bytes",
                                        "exception"};
    char name[32] = "", line[256];
    const char *of = NULL;

    if (n == 0)
        return true;
    if (c->what == COUNT_ELEMENT)
        of = etm_element_kind_name((enum etm_element_kind)c->kind);
    else if (c->what == COUNT_LOST)
        of = etm_lost_name((enum etm_lost_reason)c->kind);
    else if (c->what == COUNT_EXCEPTION)
        of = etm_exception_name((enum etm_exception_type)c->kind);
    if (c->what == COUNT_EXCEPTION && c->kind == ETM_EXCEPTION_IRQ_N)
        (void)snprintf(name, sizeof name, "irq%u", c->irq);
    else if (of)
        (void)snprintf(name, sizeof name, "%s", of);
    if (text)
        (void)snprintf(line, sizeof line, "0x%02x  %s%s%s: ", id,
                       whats[c->what], name[0] != '\0' ? " " : "", name);
    else
        (void)snprintf(line, sizeof line,
                       "{\"k\":\"count\",\"src\":%u,\"what\":\"%s\","
                       "\"of\":%s%s%s,\"n\":",
                       id, whats[c->what], name[0] != '\0' ? "\"" : "",
                       name[0] != '\0' ? name : "null",
                       name[0] != '\0' ? "\"" : "");
    return etm_cli_tally_add(tally, line, n);
}

char *etm_cli_stats_row(void *context, unsigned id, size_t source,
                        const struct etm_count *row, char *text)
{
    char *at = etm_cli_put_text(text, "{\"k\":\"block\",");

    (void)context;
    (void)source;
    at = etm_cli_put_code(at, id, row->start, row->end, row->isa, row->insns);
    return etm_cli_put_text(at, ",\"n\":");
}

char *etm_cli_stats_text(void *context, unsigned id, size_t source,
                         const struct etm_count *row, char *text)
{
    (void)context;
    (void)source;
    return text + sprintf(text,
                          "0x%02x  %08" PRIx32 "-%08" PRIx32 "  %s, %" PRIu32
                          " instruction%s: ",
                          id, row->start, row->end,
                          etm_isa_name((enum etm_isa)row->isa), row->insns,
                          etm_cli_plural(row->insns));
}

bool etm_cli_stats_report(struct etm_cli_stats *s, unsigned id, bool text,
                          struct etm_cli_tally *tally,
                          struct etm_cli_rows *rows)
{
    bool good;

    etm_cli_stats_pack(s);
    good = !s->failed;
    for (unsigned i = 0; i < ETM_CLI_WHATS * ETM_CLI_KINDS && good; i++) {
        struct plain c = {.what = (enum what)(i / ETM_CLI_KINDS),
                          .kind = (uint8_t)(i % ETM_CLI_KINDS)};

        good = tell(tally, &c, id, text, s->plain[c.what][c.kind]);
    }
    for (unsigned i = 0; s->irqs && i < ETM_CLI_IRQS && good; i++) {
        struct plain c = {COUNT_EXCEPTION, ETM_EXCEPTION_IRQ_N, (uint16_t)i};

        good = tell(tally, &c, id, text, s->irqs[i]);
    }
    if (good && s->blocks)
        good = etm_cli_rows_take(rows, id, 0, &s->blocks);
    etm_cli_stats_free(s);
    return good;
}
