/* SPDX-License-Identifier: Apache-2.0 */
#include "image/counts.h"

#include <etm/status.h>

#include <string.h>

#define ROOM_START 1024u

void etm_counts_init(struct etm_counts *counts,
                     const struct etm_allocator *allocator)
{
    memset(counts, 0, sizeof *counts);
    counts->allocator = *allocator;
}

void etm_counts_fini(struct etm_counts *counts)
{
    if (counts->table != NULL)
        etm_alloc_free(&counts->allocator, counts->table);
    counts->table = NULL;
    counts->room = counts->rows = 0;
}

void etm_counts_clear(struct etm_counts *counts)
{
    if (counts->rows != 0)
        memset(counts->table, 0, counts->room * sizeof *counts->table);
    counts->rows = 0;
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
    a = counts->allocator;
    etm_counts_fini(counts);
    etm_alloc_free(&a, counts);
}

/* All that names a row beside its two addresses. */
static uint64_t rest(const struct etm_count *c)
{
    return (uint64_t)c->isa << 56 | (uint64_t)c->last_type << 48 |
           (uint64_t)c->last_flags << 40 | (uint64_t)c->last_exec << 32 |
           c->insns;
}

static uint64_t span(const struct etm_count *c)
{
    return (uint64_t)c->start << 32 | c->end;
}

static bool same(const struct etm_count *a, const struct etm_count *b)
{
    return span(a) == span(b) && rest(a) == rest(b) &&
           a->last_address == b->last_address;
}

/* a stands before b. */
static bool before(const struct etm_count *a, const struct etm_count *b)
{
    if (span(a) != span(b))
        return span(a) < span(b);
    if (rest(a) != rest(b))
        return rest(a) < rest(b);
    return a->last_address < b->last_address;
}

/* The row, or the free place for it. */
static struct etm_count *find(struct etm_count *table, size_t room,
                              const struct etm_count *key)
{
    uint64_t h = span(key) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i;

    h = (h ^ h >> 32 ^ rest(key)) * UINT64_C(0xd6e8feb86659fd93);
    i = (size_t)(h >> 32) & (room - 1);
    while (table[i].n != 0 && !same(&table[i], key))
        i = (i + 1) & (room - 1);
    return &table[i];
}

static int grow(struct etm_counts *counts)
{
    size_t room = counts->room != 0 ? 2 * counts->room : ROOM_START;
    struct etm_count *table =
        etm_alloc_zero(&counts->allocator, room * sizeof *table);

    if (table == NULL)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < counts->room; i++)
        if (counts->table[i].n != 0)
            *find(table, room, &counts->table[i]) = counts->table[i];
    if (counts->table != NULL)
        etm_alloc_free(&counts->allocator, counts->table);
    counts->table = table;
    counts->room = room;
    return ETM_OK;
}

int etm_counts_add(void *counts, const struct etm_count *count)
{
    struct etm_counts *c = counts;
    struct etm_count *row;

    if (c == NULL || count == NULL)
        return ETM_ERR_ARGUMENT;
    if (count->n == 0)
        return ETM_OK;
    if (2 * (c->rows + 1) > c->room && grow(c) != ETM_OK) {
        c->status = ETM_ERR_MEMORY;
        return ETM_ERR_MEMORY;
    }
    row = find(c->table, c->room, count);
    if (row->n != 0) {
        row->n += count->n;
    } else {
        *row = *count;
        c->rows++;
    }
    return ETM_OK;
}

uint64_t etm_counts_find(const struct etm_counts *c,
                         const struct etm_count *key)
{
    return c->rows != 0 ? find(c->table, c->room, key)->n : 0;
}

int etm_counts_merge(struct etm_counts *c, const struct etm_counts *other)
{
    int status = other->status;

    for (size_t i = 0; i < other->room && status == ETM_OK; i++)
        status = etm_counts_add(c, &other->table[i]);
    return status;
}

/* Let rows[i] sink to its place in the heap of n rows, the last in order on
 * top. */
static void sink(const struct etm_count **rows, size_t i, size_t n)
{
    const struct etm_count *row = rows[i];

    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(rows[child], rows[child + 1]))
            child++;
        if (!before(row, rows[child]))
            break;
        rows[i] = rows[child];
    }
    rows[i] = row;
}

static void sort(const struct etm_count **rows, size_t n)
{
    for (size_t i = n / 2; i > 0; i--)
        sink(rows, i - 1, n);
    for (size_t i = n; i > 1; i--) {
        const struct etm_count *last = rows[0];

        rows[0] = rows[i - 1];
        rows[i - 1] = last;
        sink(rows, 0, i - 1);
    }
}

int etm_counts_walk(const struct etm_counts *counts, etm_count_fn *fn,
                    void *context)
{
    const struct etm_count **rows;
    size_t n = 0;
    int status = ETM_OK;

    if (counts == NULL || fn == NULL)
        return ETM_ERR_ARGUMENT;
    if (counts->rows == 0)
        return ETM_OK;
    rows = etm_alloc_zero(&counts->allocator, counts->rows * sizeof *rows);
    if (rows == NULL)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < counts->room; i++)
        if (counts->table[i].n != 0)
            rows[n++] = &counts->table[i];
    sort(rows, n);
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = fn(context, rows[i]);
    etm_alloc_free(&counts->allocator, rows);
    return status;
}
