/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution counts as a tracefile of lcov, as geninfo(1) describes it.
 *
 * A line was executed as often as that instruction of it which was executed
 * most, and a function as often as its first instruction. Lines of code that
 * did not run are listed with 0; of branches only those that were reached are
 * listed.
 */
#include "base/vec.h"
#include "write/listing.h"

#include <stdlib.h>

/* Code from `at` up to the next one was executed n times. */
struct change {
    uint64_t at; /* one more than 32 bits: the end of memory */
    uint64_t n;
};

enum what { FUNCTION, BRANCH, LINE };

/* A fact about a line of a file. */
struct fact {
    const char *file;
    const char *name; /* of a function */
    uint64_t n;       /* executions; of a branch, those taken */
    uint64_t other;   /* of a branch, those not taken */
    uint32_t line;
    uint32_t address;
    enum what what;
    bool condition; /* a branch that has one of its own */
};

struct facts {
    const struct etm_names *names;
    struct etm_vec changes; /* struct change */
    struct etm_vec all;     /* struct fact */
};

static int add_change(struct facts *f, uint64_t at, uint64_t n)
{
    const struct change change = {at, n};

    return etm_vec_append(&f->changes, &change, 1);
}

static int add_fact(struct facts *f, struct fact fact)
{
    return etm_vec_append(&f->all, &fact, 1);
}

/* For now: n more from here on; less, modulo 2^64, from the end on. */
static int take_count(void *context, const struct etm_count *count)
{
    uint64_t end = count->end > count->start ? count->end
                                             : count->end + (UINT64_C(1) << 32);
    int status = add_change(context, count->start, count->n);

    return status == ETM_OK ? add_change(context, end, 0 - count->n) : status;
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

static void sum_changes(struct facts *f)
{
    struct change *changes = f->changes.data;
    uint64_t sum = 0;
    size_t kept = 0;

    if (f->changes.n != 0)
        qsort(changes, f->changes.n, sizeof *changes, compare_changes);
    for (size_t i = 0; i < f->changes.n; i++) {
        sum += changes[i].n;
        if (i + 1 < f->changes.n && changes[i + 1].at == changes[i].at)
            continue;
        changes[kept++] = (struct change){changes[i].at, sum};
    }
    f->changes.n = kept;
}

/* The greatest number between two addresses. */
static uint64_t most(const struct facts *f, uint64_t start, uint64_t end)
{
    const struct change *changes = f->changes.data;
    size_t low = 0, high = f->changes.n;
    uint64_t n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (changes[middle].at <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) /* the number that applies at the start */
        n = changes[low - 1].n;
    for (; low < f->changes.n && changes[low].at < end; low++)
        if (changes[low].n > n)
            n = changes[low].n;
    return n;
}

static int take_line(void *context, const struct etm_line_range *range)
{
    struct facts *f = context;

    return add_fact(f, (struct fact){.what = LINE,
                                     .file = range->file,
                                     .line = range->line,
                                     .n = most(f, range->start, range->end)});
}

static int take_function(void *context, const struct etm_function *function)
{
    struct facts *f = context;
    struct etm_source_line line;

    if (!f->names->line(f->names->context, function->address, &line))
        return ETM_OK;
    return add_fact(f,
                    (struct fact){.what = FUNCTION,
                                  .file = line.file,
                                  .line = line.line,
                                  .name = function->name,
                                  .address = function->address,
                                  .n = most(f, function->address,
                                            (uint64_t)function->address + 1)});
}

/* The branch at the end of a range: taken or not. */
static int take_branch(void *context, const struct etm_count *count)
{
    struct facts *f = context;
    struct etm_source_line line;
    struct fact fact = {.what = BRANCH,
                        .address = count->last_address,
                        .condition =
                            (count->last_flags & ETM_INSN_CONDITIONAL) != 0};

    if (count->last_type == ETM_INSN_TYPE_OTHER ||
        count->last_type == ETM_INSN_TYPE_BARRIER ||
        count->last_exec == ETM_UNKNOWN ||
        !f->names->line(f->names->context, count->last_address, &line))
        return ETM_OK;
    fact.file = line.file;
    fact.line = line.line;
    if (count->last_exec == ETM_TRUE)
        fact.n = count->n;
    else
        fact.other = count->n;
    return add_fact(f, fact);
}

static int compare_facts(const void *a, const void *b)
{
    const struct fact *x = a, *y = b;
    int order = strcmp(x->file, y->file);

    if (order == 0)
        order = (int)x->what - (int)y->what;
    if (order == 0)
        order = x->line < y->line ? -1 : x->line > y->line;
    if (order == 0 && x->name && y->name)
        order = strcmp(x->name, y->name);
    if (order == 0)
        order = x->address < y->address ? -1 : x->address > y->address;
    return order;
}

/* Say the same of a line, a branch or a function once: of a branch the sum, of
 * the others the greatest number. */
static void merge(struct fact *fact, const struct fact *other)
{
    if (fact->what == BRANCH) {
        fact->n += other->n;
        fact->other += other->other;
        fact->condition |= other->condition;
    } else if (other->n > fact->n) {
        fact->n = other->n;
    }
}

/* A branch that has no condition, nor one in an IT block as it seems. */
static bool is_plain(const struct fact *fact)
{
    return fact->what == BRANCH && !fact->condition && fact->other == 0;
}

/* Is it one function, of which there are several copies: a static one of a
 * header? Readers know functions by their names, and add up their calls. */
static bool is_copy(const struct fact *fact, const struct fact *other)
{
    return fact->what == FUNCTION && other->what == FUNCTION &&
           fact->line == other->line && strcmp(fact->name, other->name) == 0 &&
           strcmp(fact->file, other->file) == 0;
}

/* Facts in order, each once. */
static void unite(struct facts *f)
{
    struct fact *all = f->all.data;
    size_t kept = 0, n = f->all.n;

    if (n != 0)
        qsort(all, n, sizeof *all, compare_facts);
    for (size_t i = 0, next; i < n; i = next) {
        struct fact fact = all[i];

        for (next = i + 1; next < n && compare_facts(&fact, &all[next]) == 0;
             next++)
            merge(&fact, &all[next]);
        if (kept != 0 && is_copy(&all[kept - 1], &fact))
            all[kept - 1].n += fact.n;
        else if (!is_plain(&fact))
            all[kept++] = fact;
    }
    f->all.n = kept;
}

/* The number of facts of a kind from facts[i] on, and those that were hit. */
static size_t count_facts(const struct fact *facts, size_t n, enum what what,
                          size_t *hit)
{
    size_t i = 0;

    *hit = 0;
    for (; i < n && facts[i].what == what &&
           strcmp(facts[i].file, facts[0].file) == 0;
         i++)
        *hit += (facts[i].n != 0) +
                (what == BRANCH && facts[i].other != 0 ? 1u : 0u);
    return i;
}

/* The rest of a record: a name cannot begin another one. */
static void put_name(struct etm_out *o, const char *name)
{
    etm_out_plain(o, name);
    etm_out_char(o, '\n');
}

/* "FNDA:5,main" */
static void put_named(struct etm_out *o, const char *record, uint64_t n,
                      const char *name)
{
    etm_out_line(o);
    etm_out_word(o, record);
    etm_out_decimal(o, n);
    etm_out_char(o, ',');
    put_name(o, name);
}

/* "LF:5" and "LH:3" */
static void put_sums(struct etm_out *o, const char *found, size_t n,
                     const char *hit, size_t n_hit)
{
    etm_out_line(o);
    etm_out_word(o, found);
    etm_out_decimal(o, n);
    etm_out_char(o, '\n');
    etm_out_word(o, hit);
    etm_out_decimal(o, n_hit);
    etm_out_char(o, '\n');
}

static void put_functions(struct etm_out *o, const struct fact *facts, size_t n,
                          size_t hit)
{
    for (size_t i = 0; i < n; i++)
        put_named(o, "FN:", facts[i].line, facts[i].name);
    for (size_t i = 0; i < n; i++)
        put_named(o, "FNDA:", facts[i].n, facts[i].name);
    put_sums(o, "FNF:", n, "FNH:", hit);
}

/* A branch is the block with the number of its address, in which 0 is taken: it
 * is the same in all runs of a program, whichever others they reached. */
static void put_way(struct etm_out *o, const struct fact *fact, char way,
                    uint64_t n)
{
    etm_out_line(o);
    ETM_OUT(o, "BRDA:");
    etm_out_decimal(o, fact->line);
    etm_out_char(o, ',');
    etm_out_decimal(o, fact->address);
    etm_out_char(o, ',');
    etm_out_char(o, way);
    etm_out_char(o, ',');
    etm_out_decimal(o, n);
    etm_out_char(o, '\n');
}

static void put_branches(struct etm_out *o, const struct fact *facts, size_t n,
                         size_t hit)
{
    for (size_t i = 0; i < n; i++) {
        put_way(o, &facts[i], '0', facts[i].n);
        put_way(o, &facts[i], '1', facts[i].other);
    }
    put_sums(o, "BRF:", 2 * n, "BRH:", hit);
}

static void put_lines(struct etm_out *o, const struct fact *facts, size_t n,
                      size_t hit)
{
    for (size_t i = 0; i < n; i++) {
        etm_out_line(o);
        ETM_OUT(o, "DA:");
        etm_out_decimal(o, facts[i].line);
        etm_out_char(o, ',');
        etm_out_decimal(o, facts[i].n);
        etm_out_char(o, '\n');
    }
    put_sums(o, "LF:", n, "LH:", hit);
}

/* The records of one file; returns how many facts they are of. */
static size_t put_file(struct etm_out *o, const struct fact *facts, size_t n)
{
    static void (*const put[])(struct etm_out *, const struct fact *, size_t,
                               size_t) = {put_functions, put_branches,
                                          put_lines};
    size_t at = 0, hit;

    etm_out_line(o);
    ETM_OUT(o, "SF:");
    put_name(o, facts[0].file);
    for (unsigned what = FUNCTION; what <= LINE; what++) {
        size_t more = 0;

        if (at < n && strcmp(facts[at].file, facts[0].file) == 0)
            more = count_facts(facts + at, n - at, (enum what)what, &hit);
        if (more != 0)
            put[what](o, facts + at, more, hit);
        at += more;
    }
    etm_out_line(o);
    ETM_OUT(o, "end_of_record\n");
    return at;
}

/* A test name has letters, digits and underscores only. */
static void put_test(struct etm_out *o, const char *name)
{
    etm_out_line(o);
    ETM_OUT(o, "TN:");
    for (; *name; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') ||
                     (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9');

        etm_out_line(o);
        etm_out_char(o, plain ? *name : '_');
    }
    etm_out_char(o, '\n');
}

static int collect(struct facts *f, const struct etm_counts *counts)
{
    const struct etm_names *names = f->names;
    int status = etm_counts_walk(counts, take_count, f);

    sum_changes(f);
    if (status == ETM_OK)
        status = names->lines(names->context, take_line, f);
    if (status == ETM_OK && names->functions)
        status = names->functions(names->context, take_function, f);
    return status == ETM_OK ? etm_counts_walk(counts, take_branch, f) : status;
}

static int lcov_counts(struct etm_listing *l, const struct etm_counts *counts)
{
    struct facts f = {.names = &l->source.names};
    int status = ETM_ERR_NOT_FOUND;

    if (!f.names->lines || !f.names->line)
        return status;
    etm_vec_init(&f.changes, sizeof(struct change), &l->out.allocator);
    etm_vec_init(&f.all, sizeof(struct fact), &l->out.allocator);
    status = collect(&f, counts);
    if (status == ETM_OK) {
        const struct fact *all;

        unite(&f);
        all = f.all.data;
        if (f.all.n != 0)
            put_test(&l->out, l->source.name ? l->source.name : "");
        else
            status = ETM_ERR_NOT_FOUND;
        for (size_t i = 0; i < f.all.n && l->out.status == ETM_OK;)
            i += put_file(&l->out, all + i, f.all.n - i);
    }
    etm_vec_fini(&f.changes);
    etm_vec_fini(&f.all);
    return status;
}

static void lcov_begin(struct etm_listing *l)
{
    (void)l;
}

const struct etm_format etm_format_lcov = {
    .about = {.name = "lcov",
              .extension = "info",
              .description = "tracefile of lcov: lines, branches, functions",
              .takes = ETM_LISTING_COUNTS},
    .begin = lcov_begin,
    .counts = lcov_counts,
};
