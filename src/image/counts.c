/* SPDX-License-Identifier: Apache-2.0 */
#include "image/counts.h"

#include "base/sort.h"

#include <etm/status.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define ROOM_START 1024u

void etm_counts_init(struct etm_counts *counts,
                     const struct etm_allocator *allocator)
{
    memset(counts, 0, sizeof *counts);
    etm_vec_init(&counts->rows, sizeof(struct etm_count), allocator);
}

void etm_counts_fini(struct etm_counts *counts)
{
    etm_alloc_free(&counts->rows.allocator, counts->places);
    etm_vec_fini(&counts->rows);
    counts->places = NULL;
    counts->room = 0;
}

void etm_counts_clear(struct etm_counts *counts)
{
    if (counts->room != 0)
        memset(counts->places, 0, counts->room * sizeof *counts->places);
    counts->rows.n = 0;
    counts->status = ETM_OK;
}

int etm_counts_new(struct etm_counts **counts,
                   const struct etm_allocator *allocator)
{
    struct etm_allocator a = etm_allocator_or_default(allocator);

    if (counts == NULL)
        return ETM_ERR_ARGUMENT;
    *counts = etm_alloc_zero(&a, sizeof **counts);
    if (*counts == NULL)
        return ETM_ERR_MEMORY;
    etm_counts_init(*counts, &a);
    return ETM_OK;
}

void etm_counts_free(struct etm_counts *counts)
{
    struct etm_allocator a;

    if (counts == NULL)
        return;
    a = counts->rows.allocator;
    etm_counts_fini(counts);
    etm_alloc_free(&a, counts);
}

/* All that is behind the addresses of a range, in order. */
static uint64_t rest(const struct etm_count *c)
{
    return (uint64_t)c->isa << 56 | (uint64_t)c->last_type << 48 |
           (uint64_t)c->last_flags << 40 | (uint64_t)c->last_exec << 32 |
           c->insns;
}

/* a stands before b. */
static inline bool before(const struct etm_count *a, const struct etm_count *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end < b->end;
    if (rest(a) != rest(b))
        return rest(a) < rest(b);
    return a->last_address < b->last_address;
}

/* All that names a row. */
struct key {
    uint64_t span;      /* start and end */
    uint64_t last;      /* insns and last_address */
    uint32_t last_kind; /* isa and the three others of the last instruction */
};

#define SAME_WORD(first, second)                                               \
    (offsetof(struct etm_count, second) - offsetof(struct etm_count, first) == \
     sizeof(uint32_t))
static_assert(SAME_WORD(start, end) && SAME_WORD(insns, last_address) &&
                  SAME_WORD(last_address, isa) &&
                  offsetof(struct etm_count, last_flags) ==
                      offsetof(struct etm_count, isa) + 3,
              "a key is read in three words");

static inline struct key key_of(const struct etm_count *c)
{
    struct key key;

    memcpy(&key.span, &c->start, sizeof key.span);
    memcpy(&key.last, &c->insns, sizeof key.last);
    memcpy(&key.last_kind, &c->isa, sizeof key.last_kind);
    return key;
}

static inline bool same(const struct key *a, const struct etm_count *row)
{
    struct key b = key_of(row);

    return ((a->span ^ b.span) | (a->last ^ b.last) |
            (a->last_kind ^ b.last_kind)) == 0;
}

static inline size_t place_of(const struct key *key, size_t room)
{
    uint64_t h = (key->last + key->last_kind) * UINT64_C(0xd6e8feb86659fd93);

    h = (h ^ key->span) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 32 ^ h >> 12) & (room - 1);
}

/* The place of a row, or the free one for it. */
static inline uint32_t *find(const struct etm_counts *c,
                             const struct etm_count *count)
{
    const struct etm_count *rows = c->rows.data;
    struct key key = key_of(count);
    size_t i = place_of(&key, c->room);

    while (c->places[i] != 0 && !same(&key, &rows[c->places[i] - 1]))
        i = (i + 1) & (c->room - 1);
    return &c->places[i];
}

/* Places for one more row: half of them stay free. */
static int grow_places(struct etm_counts *c)
{
    const struct etm_count *rows = c->rows.data;
    size_t room = c->room != 0 ? c->room : ROOM_START;
    uint32_t *places;

    if (c->rows.n >= UINT32_MAX / 2)
        return ETM_ERR_MEMORY;
    while (2 * (c->rows.n + 1) > room)
        room *= 2;
    places = etm_alloc_zero(&c->rows.allocator, room * sizeof *places);
    if (places == NULL)
        return ETM_ERR_MEMORY;
    for (uint32_t row = 0; row < c->rows.n; row++) {
        struct key key = key_of(&rows[row]);
        size_t i = place_of(&key, room);

        while (places[i] != 0)
            i = (i + 1) & (room - 1);
        places[i] = row + 1;
    }
    etm_alloc_free(&c->rows.allocator, c->places);
    c->places = places;
    c->room = room;
    return ETM_OK;
}

/* Rows that come in order, as a walk gives them, need no places: each stands
 * behind the last, or is the same. False if it does not. */
static bool add_in_order(struct etm_counts *c, const struct etm_count *count,
                         int *status)
{
    struct etm_count *last = c->rows.data;
    struct key key;

    if (c->room != 0)
        return false;
    if (c->rows.n != 0) {
        last += c->rows.n - 1;
        key = key_of(count);
        if (same(&key, last)) {
            last->n += count->n;
            return true;
        }
        if (!before(last, count))
            return false;
    }
    *status = etm_vec_append(&c->rows, count, 1);
    return true;
}

static int add(struct etm_counts *c, const struct etm_count *count)
{
    uint32_t *place;
    int status = ETM_OK;

    if (add_in_order(c, count, &status))
        return status;
    if (c->rows.n == c->rows.capacity)
        status = etm_vec_reserve(&c->rows, 1);
    if (status == ETM_OK && 2 * (c->rows.n + 1) > c->room)
        status = grow_places(c);
    if (status != ETM_OK)
        return status;
    place = find(c, count);
    if (*place != 0) {
        ((struct etm_count *)c->rows.data)[*place - 1].n += count->n;
    } else {
        status = etm_vec_append(&c->rows, count, 1);
        *place = (uint32_t)c->rows.n;
    }
    return status;
}

int etm_counts_add(void *counts, const struct etm_count *count)
{
    struct etm_counts *c = counts;

    if (c == NULL || count == NULL)
        return ETM_ERR_ARGUMENT;
    if (count->n == 0 || add(c, count) == ETM_OK)
        return ETM_OK;
    c->status = ETM_ERR_MEMORY;
    return ETM_ERR_MEMORY;
}

/* Among rows that are in order. */
static uint64_t bisect(const struct etm_count *rows, size_t n,
                       const struct etm_count *key)
{
    struct key all = key_of(key);
    size_t from = 0;

    while (n > 1) {
        size_t half = n / 2;

        if (!before(key, &rows[from + half]))
            from += half;
        n -= half;
    }
    return n != 0 && same(&all, &rows[from]) ? rows[from].n : 0;
}

/* Ranges that are looked for at a time: what the table has of one comes from
 * memory while the others are looked for. */
#define BATCH 32u

static void add_batch(struct etm_counts *c, const struct etm_count *counts,
                      unsigned n)
{
    struct etm_count *rows = c->rows.data;
    uint32_t numbers[BATCH];

    for (unsigned i = 0; i < n; i++) {
        struct key key = key_of(&counts[i]);

        numbers[i] = c->room != 0 ? c->places[place_of(&key, c->room)] : 0;
    }
    for (unsigned i = 0; i < n; i++) {
        struct key key = key_of(&counts[i]);

        if (numbers[i] != 0 && same(&key, &rows[numbers[i] - 1])) {
            rows[numbers[i] - 1].n += counts[i].n;
        } else { /* not where it would be first, or not at all */
            (void)etm_counts_add(c, &counts[i]); /* the status stays */
            rows = c->rows.data;
        }
    }
}

size_t etm_counts_take(struct etm_counts *c, struct etm_element *elements,
                       size_t n, uint64_t *cycles)
{
    struct etm_count batch[BATCH];
    unsigned ranges = 0;
    size_t others = 0;

    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind != ETM_ELEMENT_RANGE) {
            elements[others++] = elements[i];
            continue;
        }
        if (c == NULL)
            continue;
        if (elements[i].u.range.cycles != ETM_CYCLES_UNKNOWN)
            *cycles += elements[i].u.range.cycles;
        batch[ranges++] = etm_count_of(&elements[i]);
        if (ranges == BATCH) {
            add_batch(c, batch, ranges);
            ranges = 0;
        }
    }
    if (c != NULL)
        add_batch(c, batch, ranges);
    return others;
}

size_t etm_counts_missing(struct etm_element *elements, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_LOST ||
            elements[i].kind == ETM_ELEMENT_NO_IMAGE ||
            elements[i].kind == ETM_ELEMENT_END)
            elements[kept++] = elements[i];
    return kept;
}

uint64_t etm_counts_find(const struct etm_counts *c,
                         const struct etm_count *key)
{
    const struct etm_count *rows = c->rows.data;
    uint32_t row;

    if (c->room == 0)
        return bisect(rows, c->rows.n, key);
    row = *find(c, key);
    return row != 0 ? rows[row - 1].n : 0;
}

int etm_counts_each(const struct etm_counts *c, etm_count_fn *fn, void *context)
{
    const struct etm_count *rows = c->rows.data;
    int status = ETM_OK;

    for (size_t i = 0; i < c->rows.n && status == ETM_OK; i++)
        status = fn(context, &rows[i]);
    return status;
}

/* Two runs that are in order, one behind the other, into one. */
static void merge(const struct etm_count *rows, const struct etm_sort_key *a,
                  size_t n_a, size_t n, struct etm_sort_key *to)
{
    const struct etm_sort_key *b = a + n_a, *end_a = b, *end_b = a + n;

    while (a < end_a && b < end_b)
        *to++ = before(&rows[b->row], &rows[a->row]) ? *b++ : *a++;
    memcpy(to, a, (size_t)(end_a - a) * sizeof *to);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *to);
}

/* Rows of one start among themselves. There is room for n more in `other`. */
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

/* Rows in order. There is room for n twice; the second half has them. */
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

static bool is_sorted(const struct etm_count *rows, size_t n)
{
    size_t i = 1;

    while (i < n && before(&rows[i - 1], &rows[i]))
        i++;
    return i >= n;
}

int etm_counts_walk(const struct etm_counts *counts, etm_count_fn *fn,
                    void *context)
{
    const struct etm_count *rows;
    struct etm_sort_key *places;
    int status = ETM_OK;
    size_t n;

    if (counts == NULL || fn == NULL)
        return ETM_ERR_ARGUMENT;
    rows = counts->rows.data;
    n = counts->rows.n;
    /* as those are that another walk has added */
    if (is_sorted(rows, n))
        return etm_counts_each(counts, fn, context);
    places = etm_alloc_zero(&counts->rows.allocator, 2 * n * sizeof *places);
    if (places == NULL)
        return ETM_ERR_MEMORY;
    sort(rows, n, places);
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = fn(context, &rows[places[n + i].row]);
    etm_alloc_free(&counts->rows.allocator, places);
    return status;
}

int etm_counts_gather(void *counts, const struct etm_count *count)
{
    struct etm_counts *c = counts;

    if (etm_vec_append(&c->rows, count, 1) != ETM_OK)
        c->status = ETM_ERR_MEMORY;
    return c->status;
}

/* The rows in the order of `places`, those of one range in one, which `to` has
 * room for. */
static void put_in_order(const struct etm_count *rows, size_t n,
                         const struct etm_sort_key *places, struct etm_vec *to)
{
    struct etm_count *last = to->data;
    struct key key;

    *last = rows[places[0].row];
    for (size_t i = 1; i < n; i++) {
        const struct etm_count *row = &rows[places[i].row];

        key = key_of(row);
        if (same(&key, last))
            last->n += row->n;
        else
            *++last = *row;
    }
    to->n = (size_t)(last - (const struct etm_count *)to->data) + 1;
}

int etm_counts_order(struct etm_counts *c)
{
    const struct etm_allocator a = c->rows.allocator;
    size_t n = c->rows.n;
    struct etm_sort_key *places;
    struct etm_vec rows;

    if (c->status != ETM_OK)
        return c->status;
    etm_alloc_free(&a, c->places);
    c->places = NULL;
    c->room = 0;
    if (is_sorted(c->rows.data, n))
        return ETM_OK;
    etm_vec_init(&rows, sizeof(struct etm_count), &a);
    /* numbers of rows are 32 bits */
    places = n <= UINT32_MAX && n <= SIZE_MAX / 2 / sizeof *places
                 ? a.resize(a.context, NULL, 2 * n * sizeof *places)
                 : NULL;
    if (places == NULL || etm_vec_reserve(&rows, n) != ETM_OK) {
        c->status = ETM_ERR_MEMORY;
    } else {
        sort(c->rows.data, n, places);
        put_in_order(c->rows.data, n, places + n, &rows);
        etm_vec_fini(&c->rows);
        c->rows = rows;
    }
    etm_alloc_free(&a, places);
    return c->status;
}

/* The run whose next row is first stands first, and so in each half below it:
 * number i may not. */
static void sink(struct etm_counts_run *runs, size_t n, size_t i)
{
    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        struct etm_counts_run run = runs[i];

        k += k + 1 < n && before(runs[k + 1].at, runs[k].at);
        if (!before(runs[k].at, run.at))
            return;
        runs[i] = runs[k];
        runs[k] = run;
    }
}

/* The next row of all is taken. Returns how many runs are left. */
static size_t pass(struct etm_counts_run *runs, size_t n)
{
    if (++runs[0].at == runs[0].end)
        runs[0] = runs[--n];
    sink(runs, n, 0);
    return n;
}

int etm_counts_merge(const struct etm_counts *const *tables, size_t n,
                     struct etm_counts_run *runs, etm_count_fn *fn,
                     void *context)
{
    size_t left = 0;
    int status = ETM_OK;

    for (size_t i = 0; i < n; i++) {
        const struct etm_count *rows = tables[i]->rows.data;

        if (tables[i]->rows.n != 0)
            runs[left++] =
                (struct etm_counts_run){rows, rows + tables[i]->rows.n};
    }
    for (size_t i = left; i-- > 0;)
        sink(runs, left, i);
    while (left != 0 && status == ETM_OK) {
        struct etm_count count = *runs[0].at;
        struct key key = key_of(&count);

        for (left = pass(runs, left); left != 0 && same(&key, runs[0].at);
             left = pass(runs, left))
            count.n += runs[0].at->n;
        status = fn(context, &count);
    }
    return status;
}
