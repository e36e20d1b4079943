/* SPDX-License-Identifier: Apache-2.0 */
/* Counts in order: packing the table into runs, merging runs, and walking the
 * runs of any number of tables at once. */
#include "image/counts_row.h"

#include "base/sort.h"

#include <etm/types.h>

/* Number of runs of about the same length that are merged, which is also the
 * factor between lengths; and the number of lengths. */
#define RUNS 6u
#define LENGTHS 32u

/* Maximum number of runs merged at a time. */
#define TOGETHER 64u

/* This many sources are walked without allocating memory. */
#define FEW 12u

/* Merge two adjacent sorted runs into one. */
static void merge(const struct etm_count *rows, const struct etm_sort_key *a,
                  size_t n_a, size_t n, struct etm_sort_key *to)
{
    const struct etm_sort_key *b = a + n_a, *end_a = b, *end_b = a + n;

    while (a < end_a && b < end_b)
        *to++ = etm_count_before(&rows[b->row], &rows[a->row]) ? *b++ : *a++;
    memcpy(to, a, (size_t)(end_a - a) * sizeof *to);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *to);
}

/* Sort rows with the same start. There is room for n more in `other`. */
static void sort_ties(const struct etm_count *rows, size_t n,
                      struct etm_sort_key *places, struct etm_sort_key *other)
{
    struct etm_sort_key *from = places, *to = other, *last;

    for (size_t run = 1; run < n; run *= 2) {
        for (size_t i = 0; i < n; i += 2 * run)
            merge(rows, from + i, n - i < run ? n - i : run,
                  n - i < 2 * run ? n - i : 2 * run, to + i);
        last = from;
        from = to;
        to = last;
    }
    if (from != places)
        memcpy(places, from, n * sizeof *places);
}

/* Sort rows. There is room for 2n; the second half gets the result. */
static void sort(const struct etm_count *rows, size_t n,
                 struct etm_sort_key *places)
{
    struct etm_sort_key *other = places + n;

    for (size_t i = 0; i < n; i++)
        places[i] = (struct etm_sort_key){rows[i].start, (uint32_t)i};
    etm_sort(places, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && other[next].key == other[i].key;)
            next++;
        sort_ties(rows, next - i, other + i, places);
    }
}

/* The rows of the table in order, after as much room again; NULL: no memory. */
static struct etm_sort_key *sorted(const struct etm_counts *c)
{
    const struct etm_allocator *a = &c->rows.allocator;
    size_t n = c->rows.n;
    struct etm_sort_key *places = NULL;

    /* numbers of rows are 32 bits */
    if (n <= UINT32_MAX && n <= SIZE_MAX / 2 / sizeof *places)
        places = a->resize(a->context, NULL, 2 * n * sizeof *places);
    if (places != NULL)
        sort(c->rows.data, n, places);
    return places;
}

/* A source of rows for a walk: a run, or a table. */
struct source {
    struct etm_count row; /* the current one */
    bool less;            /* its rows are subtracted */
    struct etm_packed_reader reader;
    const struct etm_count *rows;
    const struct etm_sort_key *place, *end;
};

/* Get the next row; false if there is none. Chunks go to *spare, unless that is
 * NULL. */
static inline bool next_row(struct source *s, struct etm_packed_chunk **spare)
{
    if (s->rows == NULL)
        return etm_packed_next(&s->reader, &s->row, spare);
    if (s->place == s->end)
        return false;
    s->row = s->rows[s->place++->row];
    return true;
}

/* A heap of sources: the one with the smallest row is at the top. */
struct heap {
    struct source **sources;
    size_t n;
    struct etm_packed_chunk **spare;
};

/* Restore the heap below number i. */
static void sink(const struct heap *h, size_t i)
{
    struct source **s = h->sources, *source = s[i];

    for (size_t k; (k = 2 * i + 1) < h->n; i = k) {
        k += k + 1 < h->n && etm_count_before(&s[k + 1]->row, &s[k]->row);
        if (!etm_count_before(&s[k]->row, &source->row))
            break;
        s[i] = s[k];
    }
    s[i] = source;
}

static void begin(struct heap *h, struct source *sources, size_t n,
                  struct source **places, struct etm_packed_chunk **spare)
{
    *h = (struct heap){places, 0, spare};
    for (size_t i = 0; i < n; i++)
        if (next_row(&sources[i], spare))
            h->sources[h->n++] = &sources[i];
    for (size_t i = h->n; i-- > 0;)
        sink(h, i);
}

/* Remove the smallest row. */
static void pass(struct heap *h)
{
    if (!next_row(h->sources[0], h->spare))
        h->sources[0] = h->sources[--h->n];
    sink(h, 0);
}

/* Get the next row of all sources, with the counts of a range added up. False
 * if there is none. */
static bool take(struct heap *h, struct etm_count *count)
{
    struct etm_count_key key;

    do {
        if (h->n == 0)
            return false;
        *count = h->sources[0]->row;
        if (h->sources[0]->less)
            count->n = 0 - count->n;
        key = etm_count_key_of(count);
        for (pass(h); h->n != 0 && etm_count_is(&key, &h->sources[0]->row);
             pass(h))
            count->n += h->sources[0]->less ? 0 - h->sources[0]->row.n
                                            : h->sources[0]->row.n;
    } while (count->n == 0);
    return true;
}

/* Pack all rows of the sources, in order, into a run. */
static int pack(struct heap *h, struct etm_packed *to,
                struct etm_packed_chunk **spare,
                const struct etm_allocator *allocator)
{
    struct etm_count count;
    int status = ETM_OK;

    while (status == ETM_OK && take(h, &count))
        status = etm_packed_put(to, &count, spare, allocator);
    return status;
}

/* The class of lengths that a run belongs to. */
static unsigned length_of(const struct etm_packed *run)
{
    unsigned length = 0;

    for (size_t n = run->n; n >= ETM_COUNTS_MOST; n /= RUNS)
        length++;
    return length;
}

#define ANY UINT32_MAX

static bool has_length(const struct etm_packed *run, unsigned length)
{
    return length == ANY || length_of(run) == length;
}

/*
 * Merge the runs of one length, or of all lengths. The result uses the memory
 * that they had: no row needs more (packed.h), and less than 1/200 is unused at
 * the ends of chunks. False: nothing was done.
 */
static bool unite(struct etm_counts *c, unsigned length)
{
    const struct etm_allocator *a = &c->rows.allocator;
    struct etm_packed_chunk *spare = NULL;
    struct source sources[TOGETHER] = {0}, *places[TOGETHER];
    struct etm_packed *runs = c->runs.data, whole = {0};
    size_t chunks = 0, n = 0, kept = 0;
    struct heap h;

    for (size_t i = 0; i < c->runs.n && n < TOGETHER; i++)
        if (has_length(&runs[i], length)) {
            sources[n++].reader = etm_packed_read(&runs[i]);
            chunks += runs[i].chunks;
        }
    if (etm_packed_reserve(&spare, n + 2 + chunks / 200, a) != ETM_OK) {
        etm_packed_free_chunks(spare, a);
        return false;
    }
    begin(&h, sources, n, places, &spare);
    if (pack(&h, &whole, &spare, a) != ETM_OK)
        c->status = ETM_ERR_MEMORY; /* cannot happen */
    etm_packed_free_chunks(spare, a);
    for (size_t i = 0; i < c->runs.n; i++)
        if (n != 0 && has_length(&runs[i], length))
            n--;
        else
            runs[kept++] = runs[i];
    runs[kept++] = whole;
    c->runs.n = kept;
    return true;
}

/* Keep only a few runs of each length; and as a row may be in each run, all
 * others together no longer than the longest. */
static void tidy(struct etm_counts *c)
{
    bool on = true;

    while (on) {
        const struct etm_packed *runs = c->runs.data;
        size_t n[LENGTHS] = {0}, most = 0, all = 0;

        on = false;
        for (size_t i = 0; i < c->runs.n; i++) {
            n[length_of(&runs[i])]++;
            all += runs[i].n;
            most = most < runs[i].n ? runs[i].n : most;
        }
        for (unsigned length = 0; length < LENGTHS && !on; length++)
            on = n[length] >= RUNS && unite(c, length);
        if (!on && all - most > most)
            on = unite(c, ANY);
    }
}

/* One more run. */
static int add_run(struct etm_counts *c, const struct etm_packed *run)
{
    int status = etm_vec_append(&c->runs, run, 1);

    if (status == ETM_OK)
        tidy(c);
    return status;
}

int etm_counts_settle(struct etm_counts *c)
{
    const struct etm_allocator *a = &c->rows.allocator;
    struct etm_packed_chunk *none = NULL;
    struct etm_packed run = {0};
    struct source source = {.rows = c->rows.data}, *place;
    struct etm_sort_key *places;
    struct heap h;
    int status;

    if (c->rows.n == 0)
        return ETM_OK;
    places = sorted(c);
    if (places == NULL)
        return ETM_ERR_MEMORY;
    source.place = places + c->rows.n;
    source.end = places + 2 * c->rows.n;
    begin(&h, &source, 1, &place, NULL);
    status = pack(&h, &run, &none, a);
    if (status == ETM_OK)
        status = add_run(c, &run);
    etm_alloc_free(a, places);
    if (status != ETM_OK) {
        etm_packed_fini(&run, a);
        return status;
    }
    c->rows.n = 0;
    if (c->room != 0)
        memset(c->places, 0, c->room * sizeof *c->places);
    return ETM_OK;
}

int etm_counts_gather(void *counts, const struct etm_count *count)
{
    struct etm_counts *c = counts;

    etm_alloc_free(&c->rows.allocator, c->places);
    c->places = NULL;
    c->room = 0;
    if ((c->rows.n >= ETM_COUNTS_MOST && etm_counts_settle(c) != ETM_OK) ||
        etm_vec_append(&c->rows, count, 1) != ETM_OK)
        c->status = ETM_ERR_MEMORY;
    return c->status;
}

/* Make the rows that came in order a run of their own. */
static int close_open(struct etm_counts *c)
{
    const struct etm_allocator *a = &c->rows.allocator;
    struct etm_packed_chunk *none = NULL;
    int status = ETM_OK;

    if (c->last.n == 0)
        return ETM_OK;
    status = etm_vec_reserve(&c->runs, 1);
    if (status == ETM_OK)
        status = etm_packed_put(&c->open, &c->last, &none, a);
    if (status != ETM_OK)
        return status;
    c->last.n = 0;
    (void)add_run(c, &c->open);
    c->open = (struct etm_packed){0};
    return ETM_OK;
}

int etm_counts_order(struct etm_counts *c)
{
    if (c->status == ETM_OK &&
        (close_open(c) != ETM_OK || etm_counts_settle(c) != ETM_OK))
        c->status = ETM_ERR_MEMORY;
    if (c->status != ETM_OK)
        return c->status;
    etm_alloc_free(&c->rows.allocator, c->places);
    c->places = NULL;
    c->room = 0;
    etm_vec_fini(&c->rows);
    return ETM_OK;
}

int etm_counts_hand_over(struct etm_counts *from, etm_count_fn *add,
                         struct etm_counts *to)
{
    const struct etm_count *rows = from->rows.data;
    struct etm_packed *runs;
    int status = from->status;

    if (status == ETM_OK)
        status = close_open(from);
    runs = from->runs.data;
    while (status == ETM_OK && from->runs.n != 0) {
        status = add_run(to, &runs[from->runs.n - 1]);
        from->runs.n -= status == ETM_OK;
    }
    for (size_t i = 0; i < from->rows.n && status == ETM_OK; i++)
        status = add(to, &rows[i]);
    etm_counts_clear(from);
    if (status != ETM_OK)
        to->status = status;
    return status;
}

/* The number of sources in a table. */
static size_t sources_of(const struct etm_counts *c)
{
    return c->runs.n + 3;
}

/* A walk over several sources, and its memory. */
struct going {
    struct heap heap;
    struct source few[FEW], *sources;
    struct source *few_places[FEW], **places;
    size_t n;
};

static int make_room(struct going *g, size_t n, const struct etm_allocator *a)
{
    memset(g, 0, sizeof *g);
    g->sources = g->few;
    g->places = g->few_places;
    if (n <= FEW)
        return ETM_OK;
    g->sources =
        etm_alloc_zero(a, n * (sizeof *g->sources + sizeof *g->places));
    if (g->sources == NULL)
        return ETM_ERR_MEMORY;
    g->places = (struct source **)(void *)(g->sources + n);
    return ETM_OK;
}

static void leave(struct going *g, const struct etm_allocator *a)
{
    if (g->sources != g->few)
        etm_alloc_free(a, g->sources);
}

static int go(struct going *g, struct etm_packed_chunk **spare,
              const struct etm_allocator *a, etm_count_fn *fn, void *context)
{
    struct etm_count count;
    int status = ETM_OK;

    begin(&g->heap, g->sources, g->n, g->places, spare);
    while (status == ETM_OK && take(&g->heap, &count)) {
        status = fn(context, &count);
        if (spare != NULL && *spare != NULL) {
            etm_packed_free_chunks(*spare, a);
            *spare = NULL;
        }
    }
    return status;
}

int etm_counts_walk(const struct etm_counts *c, etm_count_fn *fn, void *context)
{
    static const struct etm_sort_key one[1];
    const struct etm_packed *runs;
    struct etm_sort_key *places = NULL;
    struct going g;
    int status = ETM_OK;

    if (c == NULL || fn == NULL)
        return ETM_ERR_ARGUMENT;
    if (make_room(&g, sources_of(c), &c->rows.allocator) != ETM_OK)
        return ETM_ERR_MEMORY;
    runs = c->runs.data;
    for (size_t i = 0; i < c->runs.n; i++)
        g.sources[g.n++].reader = etm_packed_read(&runs[i]);
    g.sources[g.n++].reader = etm_packed_read(&c->open);
    if (c->last.n != 0)
        g.sources[g.n++] =
            (struct source){.rows = &c->last, .place = one, .end = one + 1};
    if (c->rows.n != 0) {
        places = sorted(c);
        if (places == NULL)
            status = ETM_ERR_MEMORY;
        else
            g.sources[g.n++] = (struct source){.rows = c->rows.data,
                                               .place = places + c->rows.n,
                                               .end = places + 2 * c->rows.n};
    }
    if (status == ETM_OK)
        status = go(&g, NULL, &c->rows.allocator, fn, context);
    etm_alloc_free(&c->rows.allocator, places);
    leave(&g, &c->rows.allocator);
    return status;
}

/* Move the runs of a table, which has nothing else, to the walk. */
static void add_sources(struct going *g, struct etm_counts *c, bool less)
{
    const struct etm_packed *runs = c->runs.data;

    for (size_t i = 0; i < c->runs.n; i++) {
        g->sources[g->n].reader = etm_packed_read(&runs[i]);
        g->sources[g->n++].less = less;
    }
    c->runs.n = 0;
}

int etm_counts_give(struct etm_counts *const *tables, size_t n,
                    struct etm_counts *less, etm_count_fn *fn, void *context)
{
    const struct etm_allocator *a = &less->rows.allocator;
    struct etm_packed_chunk *spare = NULL;
    size_t sources;
    struct going g;
    int status = etm_counts_order(less);

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = etm_counts_order(tables[i]);
    sources = sources_of(less);
    for (size_t i = 0; i < n; i++)
        sources += sources_of(tables[i]);
    if (status == ETM_OK)
        status = make_room(&g, sources, a);
    if (status != ETM_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        add_sources(&g, tables[i], false);
    add_sources(&g, less, true);
    status = go(&g, &spare, a, fn, context);
    for (size_t i = 0; i < g.n; i++)
        etm_packed_free_chunks(g.sources[i].reader.chunk, a);
    etm_packed_free_chunks(spare, a);
    leave(&g, a);
    return status;
}
