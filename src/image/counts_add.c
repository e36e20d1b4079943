/* SPDX-License-Identifier: Apache-2.0 */
/* Executions on their way into the table. */
#include "image/counts_row.h"

#include <etm/types.h>

#define ROOM_START 1024u

static inline size_t place_of(const struct etm_count_key *key, size_t room)
{
    uint64_t h = (key->last + key->last_kind) * UINT64_C(0xd6e8feb86659fd93);

    h = (h ^ key->span) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 32 ^ h >> 12) & (room - 1);
}

/* The place of a row in the hash table, or the free place for it. */
static inline uint32_t *find(const struct etm_counts *c,
                             const struct etm_count *count)
{
    const struct etm_count *rows = c->rows.data;
    struct etm_count_key key = etm_count_key_of(count);
    size_t i = place_of(&key, c->room);

    while (c->places[i] != 0 && !etm_count_is(&key, &rows[c->places[i] - 1]))
        i = (i + 1) & (c->room - 1);
    return &c->places[i];
}

/* Places for one more row: half of them stay free. */
static int make_places(struct etm_counts *c)
{
    const struct etm_count *rows = c->rows.data;
    size_t room = c->room != 0 ? c->room : ROOM_START;
    uint32_t *places;

    while (2 * (c->rows.n + 1) > room)
        room *= 2;
    if (room == c->room)
        return ETM_OK;
    if (c->rows.n >= UINT32_MAX / 2)
        return ETM_ERR_MEMORY;
    places = etm_alloc_zero(&c->rows.allocator, room * sizeof *places);
    if (places == NULL)
        return ETM_ERR_MEMORY;
    for (uint32_t row = 0; row < c->rows.n; row++) {
        struct etm_count_key key = etm_count_key_of(&rows[row]);
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

/* Rows that come in order, as from a walk, are packed at once: each is after
 * the last one in order, or is the same. False if it is not. */
static bool add_in_order(struct etm_counts *c, const struct etm_count *count,
                         int *status)
{
    struct etm_packed_chunk *none = NULL;
    struct etm_count_key key = etm_count_key_of(count);

    if (c->last.n != 0) {
        if (etm_count_is(&key, &c->last)) {
            c->last.n += count->n;
            return true;
        }
        if (!etm_count_before(&c->last, count))
            return false;
        *status = etm_packed_put(&c->open, &c->last, &none, &c->rows.allocator);
    }
    if (*status == ETM_OK)
        c->last = *count;
    return true;
}

static int add(struct etm_counts *c, const struct etm_count *count)
{
    uint32_t *place;
    int status = ETM_OK;

    if (c->rows.n == 0 && add_in_order(c, count, &status))
        return status;
    /* if there is no memory for that, the table grows */
    if (c->rows.n >= ETM_COUNTS_MOST)
        (void)etm_counts_settle(c);
    if (c->rows.n == c->rows.capacity)
        status = etm_vec_reserve(&c->rows, 1);
    if (status == ETM_OK)
        status = make_places(c);
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

/* Number of ranges looked up together: the table's row of one is fetched from
 * memory while the others are looked up. */
#define BATCH 32u

static void add_batch(struct etm_counts *c, const struct etm_count *counts,
                      unsigned n)
{
    struct etm_count *rows = c->rows.data;
    uint32_t numbers[BATCH];

    for (unsigned i = 0; i < n; i++) {
        struct etm_count_key key = etm_count_key_of(&counts[i]);

        numbers[i] = c->room != 0 ? c->places[place_of(&key, c->room)] : 0;
    }
    for (unsigned i = 0; i < n; i++) {
        struct etm_count_key key = etm_count_key_of(&counts[i]);

        if (numbers[i] != 0 && etm_count_is(&key, &rows[numbers[i] - 1])) {
            rows[numbers[i] - 1].n += counts[i].n;
        } else { /* not at its first place, or not in the table */
            size_t before = c->rows.n;

            (void)etm_counts_add(c, &counts[i]); /* the status stays */
            rows = c->rows.data;
            if (c->rows.n < before) /* they were packed */
                memset(numbers, 0, sizeof numbers);
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
            elements[i].kind == ETM_ELEMENT_TRACE_ON ||
            elements[i].kind == ETM_ELEMENT_NO_IMAGE ||
            elements[i].kind == ETM_ELEMENT_END)
            elements[kept++] = elements[i];
    return kept;
}
