/* SPDX-License-Identifier: Apache-2.0 */
#include "fast_side.h"

#include "side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that take the plain path at a time where nothing else is possible. */
#define PIECE 16u

static struct side fast, plain;

/* Bytes that are offered to the fast path at once: it stops at their end, and
 * is compared there. Fewer and more of them, so that it may be anywhere: from
 * hardly more than the longest packet up to more than several charts. */
static size_t offer(const struct fast_way *way, size_t at, size_t left)
{
    size_t most = way->r != NULL ? 1 + random_below(way->r, way->most)
                                 : 24 + at * 7 % (at % 5 != 0 ? 449 : 4099);

    return left < most ? left : most;
}

/* What is given at the level of coverage too. */
static bool is_missing(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
           e->kind == ETM_ELEMENT_NO_IMAGE || e->kind == ETM_ELEMENT_END;
}

/*
 * What a decoder does at the levels of counts: final ranges go to the table,
 * and only the other elements stay. Those that nobody gets are none here, final
 * or not: one of the two ways may not make them. Nor does anybody get cycles or
 * the offsets of ranges at ETM_LEVEL_COVERAGE.
 */
static void count(struct side *s)
{
    struct etm_walk *f = s->row->walk(&s->flow);
    struct etm_element *elements = s->elements.data;
    size_t others = 0, held = 0;

    for (size_t i = 0; i < s->elements.n; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_count one = etm_count_of(e);

        held += i == f->held ? others : 0;
        if (e->kind == ETM_ELEMENT_RANGE && i < f->held) {
            if (etm_counts_add(&f->blocks.counts, &one) != ETM_OK)
                abort();
        } else if (e->kind == ETM_ELEMENT_RANGE ||
                   f->level == ETM_LEVEL_COUNTS || is_missing(e)) {
            elements[others] = *e;
            if (e->kind == ETM_ELEMENT_RANGE &&
                f->level == ETM_LEVEL_COVERAGE) {
                elements[others].u.range.cycles = 0;
                elements[others].offset = 0;
            }
            others++;
        }
    }
    f->held = f->held < s->elements.n ? held : others;
    s->elements.n = others;
}

/* Rows of a table of counts, to be compared. */
struct rows {
    uint64_t n, sum;
};

static int add_row(void *context, const struct etm_count *row)
{
    struct rows *rows = context;

    rows->n++;
    rows->sum = (rows->sum ^ row->n ^ row->start) * 0x9e3779b97f4a7c15u;
    rows->sum = (rows->sum ^ row->end ^ row->insns) * 0x9e3779b97f4a7c15u;
    rows->sum ^= row->last_address + row->last_exec;
    return ETM_OK;
}

static struct rows rows_of(struct side *s)
{
    struct etm_blocks *blocks = &s->row->walk(&s->flow)->blocks;
    struct rows rows = {0, 0};

    etm_blocks_fold(blocks);
    if (etm_counts_walk(&blocks->counts, add_row, &rows) != ETM_OK)
        abort();
    return rows;
}

/* Where no instruction was before, or nobody gets cycles, these mean nothing.
 */
static void take_imprint(struct side *s)
{
    struct etm_walk *w = s->row->walk(&s->flow);

    if (w->open_n <= 1) {
        w->before_block = NULL;
        w->before_exec = 0;
    }
    if (w->level == ETM_LEVEL_COVERAGE) {
        w->last_cycles = 0;
        if (s->row->protocol == ETM_PROTOCOL_ETMV3)
            s->flow.etmv3.gap_cycles = 0;
    }
    etm_imprint_clear(&s->imprint);
    s->row->imprint(&s->proto, &s->flow, &s->imprint);
    etm_elements_imprint(&s->elements, w, &s->imprint);
}

/* Says which number of the imprints differs first. */
static const char *another_state(void)
{
    static char text[80];
    const uint64_t *a = fast.imprint.values.data;
    const uint64_t *b = plain.imprint.values.data;
    size_t i = 0, n = fast.imprint.values.n, m = plain.imprint.values.n;

    while (i < n && i < m && a[i] == b[i])
        i++;
    snprintf(text, sizeof text, "another state: number %zu of %zu and %zu", i,
             n, m);
    return text;
}

/* Drop what is final: a decoder does so too. */
static void give(struct side *s)
{
    struct etm_walk *f = s->row->walk(&s->flow);

    etm_vec_drop(&s->elements, f->held);
    f->base += f->held;
    f->held = 0;
}

static const char *compare(const struct fast_way *way)
{
    const char *wrong = NULL;

    if (etm_level_counts(way->level)) {
        count(&fast);
        count(&plain);
    }
    if (fast.elements.n != plain.elements.n ||
        fast.row->walk(&fast.flow)->held != plain.row->walk(&plain.flow)->held)
        return "more or fewer elements";
    if (fast.elements.n != 0 &&
        memcmp(fast.elements.data, plain.elements.data,
               fast.elements.n * sizeof(struct etm_element)) != 0)
        return "other elements";
    take_imprint(&fast);
    take_imprint(&plain);
    /* where blocks are forgotten, ranges are counted earlier; and the code of a
     * context that is to be given may have been seen already */
    if (way->blocks == 0 && !plain.row->walk(&plain.flow)->context_changed &&
        !etm_imprint_same(&fast.imprint, &plain.imprint))
        wrong = another_state();
    give(&fast);
    give(&plain);
    return wrong;
}

/* Offer bytes to the fast path, where they end with the memory they are in:
 * what reads after them is found by a sanitizer. Returns how many it took. */
static size_t take(const struct etm_fast_path *path, const uint8_t *bytes,
                   size_t n)
{
    uint8_t *copy = malloc(n);
    size_t used;

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    used = path->fast(&fast.proto, &fast.flow, copy, n, &fast.elements);
    free(copy);
    return used;
}

/* Where that takes nothing: one packet, or bytes on the plain path. */
static size_t take_one(const struct etm_fast_path *path, const uint8_t *bytes,
                       size_t n)
{
    size_t used;

    if (etm_vec_reserve(&fast.packets, 8) != ETM_OK)
        abort();
    used = path->one(&fast.proto, bytes, n, &fast.packets);
    if (used != 0) {
        side_flow(&fast);
        return used;
    }
    used = n < PIECE ? n : PIECE;
    side_push(&fast, bytes, used);
    return used;
}

static void lose(struct side *s, size_t at)
{
    if (s->row->flow_gap(&s->flow, at, 5, &s->elements) != ETM_OK ||
        s->row->gap(&s->proto, &s->packets) != ETM_OK)
        abort();
    side_flow(s);
}

/* One call; what is not the same after it. */
static const char *step(const struct etm_fast_path *path,
                        const struct fast_way *way, const uint8_t *bytes,
                        size_t left, struct fast_result *result)
{
    size_t final = fast.row->walk(&fast.flow)->held;
    size_t most = offer(way, result->at, left), used = take(path, bytes, most);

    if (used > most)
        return "more taken than there is";
    if (used == 0 && fast.row->walk(&fast.flow)->held != final)
        return "another held with nothing taken";
    result->fast += used;
    result->at += used;
    side_push(&plain, bytes, used);
    if (used == 0) {
        used = take_one(path, bytes, left);
        side_push(&plain, bytes, used);
        result->at += used;
        return NULL;
    }
    if (way->r != NULL && random_below(way->r, 1000) == 0) {
        lose(&fast, result->at);
        lose(&plain, result->at);
    }
    return compare(way);
}

struct fast_result fast_compare(const struct etm_config *config,
                                const struct etm_image *image,
                                const struct fast_way *way,
                                const uint8_t *bytes, size_t n)
{
    const struct etm_fast_path *path = etm_protocol_fast_path(config);
    struct fast_result result = {NULL, 0, 0};

    if (path == NULL)
        return result;
    side_init(&fast, config, image, way->level);
    side_init(&plain, config, image, way->level);
    if (way->blocks != 0)
        fast.row->walk(&fast.flow)->blocks.limit = way->blocks;
    while (result.at < n && result.wrong == NULL)
        result.wrong =
            step(path, way, bytes + result.at, n - result.at, &result);
    if (result.wrong == NULL) {
        side_finish(&fast, n);
        side_finish(&plain, n);
        result.wrong = compare(way);
    }
    if (result.wrong == NULL && etm_level_counts(way->level)) {
        struct rows a = rows_of(&fast), b = rows_of(&plain);

        if (a.n != b.n || a.sum != b.sum)
            result.wrong = "other counts";
    }
    side_fini(&fast);
    side_fini(&plain);
    return result;
}
