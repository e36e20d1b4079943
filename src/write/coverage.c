/* SPDX-License-Identifier: Apache-2.0 */
/* What counts say of the program. A function was executed as often as its first
 * instruction, or once if only others of it were. */
#include "write/coverage.h"

#include "base/size.h"
#include "image/counts.h"

#include <stdlib.h>
#include <string.h>

static int take_function(void *context, const struct etm_function *function)
{
    struct etm_covering *c = context;
    struct etm_covered covered = {.kind = ETM_COVERED_FUNCTION,
                                  .name = function->name,
                                  .address = function->address,
                                  .offset =
                                      function->size}; /* until finish() */
    struct etm_source_line line;

    if (etm_covering_line(c, function->address, &line)) {
        covered.file = line.file;
        covered.line = line.line;
    }
    return etm_covering_add(c, &covered, false);
}

/* The instruction at the end of a range: a branch that was taken or not, or
 * another one that passed or failed. */
static int add_last(struct etm_covering *c, const struct etm_count *count,
                    bool conditional)
{
    bool branch = count->last_type == ETM_INSN_TYPE_DIRECT ||
                  count->last_type == ETM_INSN_TYPE_INDIRECT;
    struct etm_covered covered = {.kind = branch ? ETM_COVERED_BRANCH
                                                 : ETM_COVERED_CONDITION,
                                  .address = count->last_address};
    struct etm_source_line line;

    if (etm_covering_line(c, count->last_address, &line)) {
        covered.file = line.file;
        covered.line = line.line;
    }
    switch ((enum etm_tri)count->last_exec) {
    case ETM_TRUE:
        covered.n = count->n;
        break;
    case ETM_FALSE:
        covered.other = count->n;
        break;
    case ETM_UNKNOWN: /* see finish() */
        break;
    }
    return etm_covering_add_branch(c, &covered, conditional);
}

/* An instruction shows that it has a condition, or that it failed. */
static bool is_conditional(const struct etm_count *count)
{
    return (count->last_flags & ETM_INSN_CONDITIONAL) != 0 ||
           count->last_exec == ETM_FALSE;
}

/* Conditions are those of another table, if there is one. */
static bool is_here(const struct etm_covering *c, const struct etm_count *count)
{
    bool branch = count->last_type == ETM_INSN_TYPE_DIRECT ||
                  count->last_type == ETM_INSN_TYPE_INDIRECT;

    return !c->source->conditions || branch != c->conditions;
}

static int take_conditional(void *context, const struct etm_count *count)
{
    struct etm_covering *c = context;

    if (!is_conditional(count) || !is_here(c, count))
        return ETM_OK;
    return add_last(c, count, (count->last_flags & ETM_INSN_CONDITIONAL) != 0);
}

/* One of an IT block that passed does not: others, or the code, tell. */
static int take_passed(void *context, const struct etm_count *count)
{
    struct etm_covering *c = context;

    if (is_conditional(count) || !is_here(c, count) ||
        count->last_exec != ETM_TRUE ||
        !etm_covering_is_conditional(c, count->last_address))
        return ETM_OK;
    return add_last(c, count, false);
}

static int compare_names(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* By file, kind, line and name. */
static int compare_places(const struct etm_covered *x,
                          const struct etm_covered *y)
{
    int order = compare_names(x->file, y->file);

    if (order == 0)
        order = (int)x->kind - (int)y->kind;
    if (order == 0)
        order = x->line < y->line ? -1 : x->line > y->line;
    if (order == 0)
        order = compare_names(x->name, y->name);
    return order;
}

static int compare_facts(const void *a, const void *b)
{
    const struct etm_covered *x = &((const struct etm_fact *)a)->covered;
    const struct etm_covered *y = &((const struct etm_fact *)b)->covered;
    int order = compare_places(x, y);

    if (order == 0)
        order = x->address < y->address ? -1 : x->address > y->address;
    return order;
}

/* Two facts of one program about one thing become one: of a line and of a
 * function the greatest number, of the others the sum. */
static void merge(struct etm_fact *fact, const struct etm_fact *other)
{
    struct etm_covered *x = &fact->covered;
    const struct etm_covered *y = &other->covered;

    fact->conditional |= other->conditional;
    if (!x->texts) {
        x->texts = y->texts;
        x->n_texts = y->n_texts;
    }
    x->other += y->other;
    x->insns += y->insns;
    x->ran += y->ran;
    if (etm_covered_is_two(x))
        x->n += y->n;
    else if (y->n > x->n)
        x->n = y->n;
}

/* What the sums tell: how often a function was executed, and a branch was
 * reached without an outcome in the trace. False: a branch that has no
 * condition, nor one in an IT block as it seems. */
static bool finish(const struct etm_covering *c, struct etm_fact *fact)
{
    struct etm_covered *x = &fact->covered;
    uint64_t n =
        x->kind != ETM_COVERED_LINE
            ? etm_covering_most(c, x->address, (uint64_t)x->address + 1)
            : 0;

    switch ((enum etm_covered_kind)x->kind) {
    case ETM_COVERED_FUNCTION:
        /* tracing may have begun within it */
        if (n == 0 && etm_covering_most(c, x->address,
                                        (uint64_t)x->address + x->offset) != 0)
            n = 1;
        x->n = n;
        x->offset = 0;
        break;
    case ETM_COVERED_BRANCH:
    case ETM_COVERED_CONDITION:
        x->open = n > x->n + x->other ? n - x->n - x->other : 0;
        return fact->conditional || x->other != 0;
    case ETM_COVERED_LINE:
        break;
    }
    return true;
}

/* Facts in order, each once. */
static void unite(struct etm_covering *c)
{
    struct etm_fact *all = c->all.data;
    size_t kept = 0, n = c->all.n;

    if (n != 0)
        qsort(all, n, sizeof *all, compare_facts);
    for (size_t i = 0, next; i < n; i = next) {
        struct etm_fact fact = all[i];

        for (next = i + 1; next < n && compare_facts(&fact, &all[next]) == 0;
             next++)
            merge(&fact, &all[next]);
        if (finish(c, &fact))
            all[kept++] = fact;
    }
    c->all.n = kept;
}

/* The table of ranges, and that of conditions. */
static int walk(struct etm_covering *c, const struct etm_counts *counts,
                etm_count_fn *fn)
{
    int status = etm_counts_walk(counts, fn, c);

    if (status != ETM_OK || !c->source->conditions)
        return status;
    c->conditions = true;
    status = etm_counts_walk(c->source->conditions, fn, c);
    c->conditions = false;
    return status;
}

static int collect(struct etm_covering *c, const struct etm_counts *counts)
{
    const struct etm_names *names = &c->source->names;
    int status = etm_covering_lines(c);

    if (status == ETM_OK && names->functions)
        status = names->functions(names->context, take_function, c);
    if (status == ETM_OK)
        status = walk(c, counts, take_conditional);
    /* large captures of unknown programs need no more memory than counts */
    if (status != ETM_OK || (c->all.n == 0 && c->stretches.n == 0))
        return status;
    status = etm_covering_count(c, counts);
    if (status == ETM_OK)
        status = etm_covering_code(c);
    if (status == ETM_OK)
        status = etm_covering_entries(c, counts);
    if (status == ETM_OK)
        status = etm_covering_note_conditional(c);
    if (status == ETM_OK)
        status = walk(c, counts, take_passed);
    if (status == ETM_OK)
        unite(c);
    return status;
}

int etm_covered_walk(const struct etm_listing_source *source,
                     const struct etm_counts *counts, etm_covered_fn *fn,
                     void *context)
{
    struct etm_listing_source own;
    struct etm_covering c = {.source = &own};
    const struct etm_allocator *allocator;
    const struct etm_fact *all;
    int status;

    if (!source || !counts || !fn)
        return ETM_ERR_ARGUMENT;
    status = ETM_TAKE(etm_listing_source, &own, source, NULL);
    if (status != ETM_OK)
        return status;
    allocator = &counts->rows.allocator;
    etm_vec_init(&c.changes, sizeof(struct etm_change), allocator);
    etm_vec_init(&c.stretches, sizeof(struct etm_line_range), allocator);
    etm_vec_init(&c.conditional, sizeof(uint32_t), allocator);
    etm_vec_init(&c.all, sizeof(struct etm_fact), allocator);
    status = collect(&c, counts);
    all = c.all.data;
    for (size_t i = 0; i < c.all.n && status == ETM_OK; i++)
        status = fn(context, &all[i].covered);
    etm_vec_fini(&c.changes);
    etm_vec_fini(&c.stretches);
    etm_vec_fini(&c.conditional);
    etm_vec_fini(&c.all);
    return status;
}

static int append(void *context, const struct etm_covered *covered)
{
    return etm_vec_append(context, covered, 1);
}

int etm_covered_gather(struct etm_vec *all, const struct etm_listing *l,
                       const struct etm_counts *counts)
{
    struct etm_listing_source source = l->source;

    source.config = &l->trace;
    return etm_covered_walk(&source, counts, append, all);
}

/* The place of a fact among those of several sources. */
static int compare_covered(const void *a, const void *b)
{
    const struct etm_covered *x = a, *y = b;
    int order = compare_places(x, y);

    /* one function, of which there are several copies: a static one of a
     * header. Readers know functions by their names, and add up their calls. */
    if (order != 0 || (x->kind == ETM_COVERED_FUNCTION && x->file))
        return order;
    return x->address < y->address ? -1 : x->address > y->address;
}

void etm_covered_join(struct etm_vec *facts)
{
    struct etm_covered *all = facts->data;
    size_t kept = 0;

    if (facts->n != 0)
        qsort(all, facts->n, sizeof *all, compare_covered);
    for (size_t i = 0; i < facts->n; i++) {
        struct etm_covered *x = &all[kept - (kept != 0)];

        if (kept == 0 || compare_covered(x, &all[i]) != 0) {
            all[kept++] = all[i];
            continue;
        }
        x->n += all[i].n;
        x->other += all[i].other;
        x->open += all[i].open;
        if (!x->texts) {
            x->texts = all[i].texts;
            x->n_texts = all[i].n_texts;
        }
        if (all[i].insns > x->insns)
            x->insns = all[i].insns;
        if (all[i].ran > x->ran)
            x->ran = all[i].ran;
    }
    facts->n = kept;
}

size_t etm_covered_file(struct etm_covered_file *file,
                        const struct etm_covered *all, size_t n)
{
    size_t i = 0;

    *file = (struct etm_covered_file){.name = n != 0 ? all->file : NULL};
    for (; i < n && compare_names(all[i].file, file->name) == 0; i++) {
        unsigned kind = all[i].kind;

        if (file->n[kind]++ == 0)
            file->facts[kind] = &all[i];
        file->hit[kind] += all[i].n != 0;
        file->hit[kind] += etm_covered_is_two(&all[i]) && all[i].other != 0;
        file->insns += all[i].insns;
        file->ran += all[i].ran;
    }
    return i;
}
