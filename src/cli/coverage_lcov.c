/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm decode --coverage --format lcov: a tracefile as geninfo(1) describes it.
 *
 * A line was executed as often as that instruction of it which was executed
 * most, and a function as often as its first instruction. Lines of code that
 * did not run are listed with 0; of branches only those that were reached are
 * listed.
 */
#include "cli/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    const struct etm_session *session;
    size_t source;
    struct change *changes;
    size_t n_changes, room_changes;
    struct fact *all;
    size_t n, room;
};

static void *grow(void *old, size_t *room, size_t width)
{
    size_t more = *room != 0 ? 2 * *room : 1024;
    void *data = realloc(old, more * width);

    if (data)
        *room = more;
    return data;
}

static int add_change(struct facts *f, uint64_t at, uint64_t n)
{
    if (f->n_changes == f->room_changes) {
        void *data = grow(f->changes, &f->room_changes, sizeof *f->changes);

        if (!data)
            return ETM_ERR_MEMORY;
        f->changes = data;
    }
    f->changes[f->n_changes++] = (struct change){at, n};
    return ETM_OK;
}

static int add_fact(struct facts *f, struct fact fact)
{
    if (f->n == f->room) {
        void *data = grow(f->all, &f->room, sizeof *f->all);

        if (!data)
            return ETM_ERR_MEMORY;
        f->all = data;
    }
    f->all[f->n++] = fact;
    return ETM_OK;
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
    uint64_t sum = 0;
    size_t kept = 0;

    if (f->n_changes != 0)
        qsort(f->changes, f->n_changes, sizeof *f->changes, compare_changes);
    for (size_t i = 0; i < f->n_changes; i++) {
        sum += f->changes[i].n;
        if (i + 1 < f->n_changes && f->changes[i + 1].at == f->changes[i].at)
            continue;
        f->changes[kept++] = (struct change){f->changes[i].at, sum};
    }
    f->n_changes = kept;
}

/* The greatest number between two addresses. */
static uint64_t most(const struct facts *f, uint64_t start, uint64_t end)
{
    size_t low = 0, high = f->n_changes;
    uint64_t n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (f->changes[middle].at <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) /* the number that applies at the start */
        n = f->changes[low - 1].n;
    for (; low < f->n_changes && f->changes[low].at < end; low++)
        if (f->changes[low].n > n)
            n = f->changes[low].n;
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
    int status =
        etm_session_line(f->session, f->source, function->address, &line);

    if (status != ETM_OK)
        return status == ETM_ERR_MEMORY ? status : ETM_OK;
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

    int status;

    if (count->last_type == ETM_INSN_TYPE_OTHER ||
        count->last_type == ETM_INSN_TYPE_BARRIER ||
        count->last_exec == ETM_UNKNOWN)
        return ETM_OK;
    status =
        etm_session_line(f->session, f->source, count->last_address, &line);
    if (status != ETM_OK)
        return status == ETM_ERR_MEMORY ? status : ETM_OK;
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
    size_t kept = 0;

    if (f->n != 0)
        qsort(f->all, f->n, sizeof *f->all, compare_facts);
    for (size_t i = 0, next; i < f->n; i = next) {
        struct fact fact = f->all[i];

        for (next = i + 1;
             next < f->n && compare_facts(&fact, &f->all[next]) == 0; next++)
            merge(&fact, &f->all[next]);
        if (kept != 0 && is_copy(&f->all[kept - 1], &fact))
            f->all[kept - 1].n += fact.n;
        else if (!is_plain(&fact))
            f->all[kept++] = fact;
    }
    f->n = kept;
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
static void put_name(struct etm_cli_output *o, const char *name)
{
    etm_cli_put_plain(o, name, strlen(name));
    etm_cli_put(o, "\n", 1);
}

static void put_functions(struct etm_cli_output *o, const struct fact *facts,
                          size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++) {
        etm_cli_print(o, "FN:%" PRIu32 ",", facts[i].line);
        put_name(o, facts[i].name);
    }
    for (size_t i = 0; i < n; i++) {
        etm_cli_print(o, "FNDA:%" PRIu64 ",", facts[i].n);
        put_name(o, facts[i].name);
    }
    etm_cli_print(o, "FNF:%zu\nFNH:%zu\n", n, hit);
}

/* A branch is the block with the number of its address, in which 0 is taken: it
 * is the same in all runs of a program, whichever others they reached. */
static void put_branches(struct etm_cli_output *o, const struct fact *facts,
                         size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++)
        etm_cli_print(o,
                      "BRDA:%" PRIu32 ",%" PRIu32 ",0,%" PRIu64
                      "\nBRDA:%" PRIu32 ",%" PRIu32 ",1,%" PRIu64 "\n",
                      facts[i].line, facts[i].address, facts[i].n,
                      facts[i].line, facts[i].address, facts[i].other);
    etm_cli_print(o, "BRF:%zu\nBRH:%zu\n", 2 * n, hit);
}

static void put_lines(struct etm_cli_output *o, const struct fact *facts,
                      size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++)
        etm_cli_print(o, "DA:%" PRIu32 ",%" PRIu64 "\n", facts[i].line,
                      facts[i].n);
    etm_cli_print(o, "LF:%zu\nLH:%zu\n", n, hit);
}

/* The records of one file; returns how many facts they are of. */
static size_t put_file(struct etm_cli_output *o, const struct fact *facts,
                       size_t n)
{
    static void (*const put[])(struct etm_cli_output *, const struct fact *,
                               size_t, size_t) = {put_functions, put_branches,
                                                  put_lines};
    size_t at = 0, hit;

    etm_cli_print(o, "SF:");
    put_name(o, facts[0].file);
    for (unsigned what = FUNCTION; what <= LINE; what++) {
        size_t more = 0;

        if (at < n && strcmp(facts[at].file, facts[0].file) == 0)
            more = count_facts(facts + at, n - at, (enum what)what, &hit);
        if (more != 0)
            put[what](o, facts + at, more, hit);
        at += more;
    }
    etm_cli_print(o, "end_of_record\n");
    return at;
}

/* A test name has letters, digits and underscores only. */
static void put_test(struct etm_cli_output *o, const char *name)
{
    etm_cli_print(o, "TN:");
    for (; *name; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') ||
                     (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9');
        etm_cli_print(o, "%c", plain ? *name : '_');
    }
    etm_cli_print(o, "\n");
}

int etm_cli_lcov(const struct etm_session *session, size_t source,
                 const struct etm_counts *counts, struct etm_cli_output *output)
{
    struct facts f = {.session = session, .source = source};
    int status = etm_counts_walk(counts, take_count, &f);

    sum_changes(&f);
    if (status == ETM_OK)
        status = etm_session_lines(session, source, take_line, &f);
    if (status == ETM_OK)
        status = etm_session_functions(session, source, take_function, &f);
    if (status == ETM_OK)
        status = etm_counts_walk(counts, take_branch, &f);
    if (status == ETM_OK) {
        const char *name = etm_session_source(session, source)->name;

        unite(&f);
        if (f.n != 0)
            put_test(output, name);
        else
            etm_cli_error("%s: its code has no source lines (was it built with "
                          "-g?): no tracefile can be made",
                          name);
        for (size_t i = 0; i < f.n;)
            i += put_file(output, f.all + i, f.n - i);
    }
    free(f.changes);
    free(f.all);
    return status;
}
