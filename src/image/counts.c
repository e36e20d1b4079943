/* SPDX-License-Identifier: Apache-2.0 */
#include "image/counts.h"

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
    if (counts->rows.n != 0)
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

/* Twice the places: half of them stay free. */
static int grow_places(struct etm_counts *c)
{
    const struct etm_count *rows = c->rows.data;
    size_t room = c->room != 0 ? 2 * c->room : ROOM_START;
    uint32_t *places;

    if (c->rows.n >= UINT32_MAX / 2)
        return ETM_ERR_MEMORY;
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

/* Room for one more row. */
static int reserve(struct etm_counts *c)
{
    int status = etm_vec_reserve(&c->rows, 1);

    if (status == ETM_OK && 2 * (c->rows.n + 1) > c->room)
        status = grow_places(c);
    if (status != ETM_OK)
        c->status = status;
    return status;
}

int etm_counts_add(void *counts, const struct etm_count *count)
{
    struct etm_counts *c = counts;
    struct etm_count *rows;
    uint32_t *place;

    if (c == NULL || count == NULL)
        return ETM_ERR_ARGUMENT;
    if (count->n == 0)
        return ETM_OK;
    if ((c->rows.n == c->rows.capacity || 2 * (c->rows.n + 1) > c->room) &&
        reserve(c) != ETM_OK)
        return ETM_ERR_MEMORY;
    rows = c->rows.data;
    place = find(c, count);
    if (*place != 0) {
        rows[*place - 1].n += count->n;
    } else {
        rows[c->rows.n++] = *count;
        *place = (uint32_t)c->rows.n;
    }
    return ETM_OK;
}

uint64_t etm_counts_find(const struct etm_counts *c,
                         const struct etm_count *key)
{
    const struct etm_count *rows = c->rows.data;
    uint32_t row = c->rows.n != 0 ? *find(c, key) : 0;

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

/* Two runs of numbers of rows that are in order, one behind the other, into
 * one. */
static void merge(const struct etm_count *rows, const uint32_t *a, size_t n_a,
                  size_t n, uint32_t *to)
{
    const uint32_t *b = a + n_a, *end_a = b, *end_b = a + n;

    while (a < end_a && b < end_b)
        *to++ = before(&rows[*b], &rows[*a]) ? *b++ : *a++;
    memcpy(to, a, (size_t)(end_a - a) * sizeof *to);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *to);
}

/* Numbers of rows in order. There is room for n twice; in which of both they
 * are is returned. */
static uint32_t *sort(const struct etm_count *rows, size_t n, uint32_t *numbers)
{
    uint32_t *from = numbers, *to = numbers + n;

    for (size_t run = 1; run < n; run *= 2) {
        uint32_t *last = from;

        for (size_t i = 0; i < n; i += 2 * run)
            merge(rows, from + i, n - i < run ? n - i : run,
                  n - i < 2 * run ? n - i : 2 * run, to + i);
        from = to;
        to = last;
    }
    return from;
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
    uint32_t *numbers, *sorted;
    int status = ETM_OK;
    size_t n;

    if (counts == NULL || fn == NULL)
        return ETM_ERR_ARGUMENT;
    rows = counts->rows.data;
    n = counts->rows.n;
    /* as those are that another walk has added */
    if (is_sorted(rows, n))
        return etm_counts_each(counts, fn, context);
    numbers = etm_alloc_zero(&counts->rows.allocator, 2 * n * sizeof *numbers);
    if (numbers == NULL)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        numbers[i] = (uint32_t)i;
    sorted = sort(rows, n, numbers);
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = fn(context, &rows[sorted[i]]);
    etm_alloc_free(&counts->rows.allocator, numbers);
    return status;
}
