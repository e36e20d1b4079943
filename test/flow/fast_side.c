/* SPDX-License-Identifier: Apache-2.0 */
#include "fast_side.h"

#include "side.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that take the plain path at a time where nothing else is possible. */
#define PIECE 16u

/* Bytes that are offered to the fast path at once: it stops at their end, and
 * is compared there. Fewer and more of them, so that it may be anywhere: from
 * hardly more than the longest packet up to more than several charts. */
static size_t offer(size_t at, size_t left)
{
    size_t most = 24 + at * 7 % (at % 5 != 0 ? 449 : 4099);

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
static void side_count(struct side *s)
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

#define SAME(member)                                                           \
    if (a->member != b->member)                                                \
    return "another " #member

/* The instruction before the last one of a range. */
static uint32_t before_last(const struct etm_walk *f)
{
    if (f->end_index != 0)
        return etm_block_address(f->end_block, f->end_index - 1u);
    return etm_block_address(f->before_block, f->before_index);
}

/* Position and cycles. The blocks need not be the same: at ETM_LEVEL_COVERAGE
 * what a timestamp cuts continues in a block of its own. */
static const char *same_walk(const struct etm_walk *a, unsigned a_index,
                             const struct etm_walk *b, unsigned b_index)
{
    SAME(known);
    if (a->known || a->level != ETM_LEVEL_COVERAGE)
        SAME(isa);
    if (a->level != ETM_LEVEL_COVERAGE) {
        SAME(cycles);
        SAME(blind_cycles);
        SAME(context_changed);
    }
    SAME(has_open);
    SAME(has_lost);
    SAME(unmade);
    /* where blocks are forgotten, it is counted earlier */
    if (a->blocks.limit == b->blocks.limit &&
        (a->pending.block == NULL) != (b->pending.block == NULL))
        return "another owed range";
    if (a->pending.block != NULL && b->pending.block != NULL) {
        SAME(pending.n);
        SAME(pending.start);
        SAME(pending.exec);
    }
    SAME(held);
    SAME(out->n);
    if (a->known && etm_walk_at(a, a_index) != etm_walk_at(b, b_index))
        return "another position";
    if (a->out->n != 0 && memcmp(a->out->data, b->out->data,
                                 a->out->n * sizeof(struct etm_element)) != 0)
        return "other elements";
    return NULL;
}

static const char *same_pft(const struct etm_pft_flow *a,
                            const struct etm_pft_flow *b)
{
    SAME(stack.n);
    for (uint32_t i = 0; i < a->stack.n; i++) {
        const struct etm_return *x = etm_retstack_at(&a->stack, i);
        const struct etm_return *y = etm_retstack_at(&b->stack, i);

        if (x->address != y->address || x->isa != y->isa)
            return "another return stack";
    }
    SAME(last.address);
    SAME(last.isa);
    SAME(synced);
    SAME(walk.mismatch);
    SAME(updated);
    return same_walk(&a->walk, 0, &b->walk, 0);
}

/* The range that is open, or that an exception may open again. */
static const char *same_range(const struct etm_walk *a,
                              const struct etm_walk *b)
{
    SAME(open_start);
    SAME(open_n);
    if (a->level != ETM_LEVEL_COVERAGE)
        SAME(open_cycles);
    SAME(open_exec);
    if (etm_block_address(a->end_block, a->end_index) !=
        etm_block_address(b->end_block, b->end_index))
        return "another end of the range";
    if (a->has_open && a->level != ETM_LEVEL_COVERAGE)
        SAME(open_offset);
    if (a->open_n > 1)
        SAME(before_exec);
    if (a->open_n > 1 && before_last(a) != before_last(b))
        return "another instruction before the last one";
    return NULL;
}

/* Whose transfers data packets are, and what elements can still change. */
static void take_data(struct side *s)
{
    const struct etm_etmv3_flow *flow = &s->flow.etmv3;

    etm_imprint_clear(&s->imprint);
    etm_data_imprint(&flow->walk, s->proto.etmv3.offset, &s->imprint);
    etm_imprint_put(&s->imprint, flow->walk.floor);
    etm_imprint_put(&s->imprint, flow->base.data_address);
    etm_imprint_put(&s->imprint, flow->base.data_valid);
    etm_imprint_put(&s->imprint, flow->base.be);
}

static bool same_data(struct side *a, struct side *b)
{
    take_data(a);
    take_data(b);
    return etm_imprint_same(&a->imprint, &b->imprint);
}

static const char *same_etmv3(const struct etm_etmv3_flow *a,
                              const struct etm_etmv3_flow *b)
{
    const char *wrong = NULL;

    SAME(walk.last);
    SAME(synced);
    SAME(walk.mismatch);
    SAME(walk.awaiting);
    SAME(walk.half);
    SAME(gap_pending);
    SAME(base.address);
    SAME(base.isa);
    SAME(base.ns);
    SAME(base.hyp);
    SAME(base.alt_isa);
    SAME(base.context_id);
    SAME(base.timestamp);
    if ((a->walk.last & ETM_LAST_VALID) != 0) {
        if (etm_block_address(a->walk.last_block, a->walk.last_index) !=
            etm_block_address(b->walk.last_block, b->walk.last_index))
            return "another last instruction";
        if (a->walk.level != ETM_LEVEL_COVERAGE)
            SAME(walk.last_cycles);
        wrong = same_range(&a->walk, &b->walk);
    }
    return wrong != NULL
               ? wrong
               : same_walk(&a->walk, a->walk.index, &b->walk, b->walk.index);
}

static const char *same(struct side *a, struct side *b)
{
    if (etm_level_counts(a->row->walk(&a->flow)->level)) {
        side_count(a);
        side_count(b);
    }
    if (a->row->protocol == ETM_PROTOCOL_PFT)
        return same_pft(&a->flow.pft, &b->flow.pft);
    return same_data(a, b) ? same_etmv3(&a->flow.etmv3, &b->flow.etmv3)
                           : "other data";
}

/* Offer bytes to the fast path, where they end with the memory they are in:
 * what reads after them is found by a sanitizer. Returns how many it took. */
static size_t take(struct side *fast, const struct etm_fast_path *path,
                   const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n);
    size_t used;

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    used = path->fast(&fast->proto, &fast->flow, copy, n, &fast->elements);
    free(copy);
    return used;
}

/* Where that takes nothing: one packet, or bytes on the plain path. */
static size_t take_one(struct side *fast, const struct etm_fast_path *path,
                       const uint8_t *bytes, size_t n)
{
    size_t used;

    if (etm_vec_reserve(&fast->packets, 8) != ETM_OK)
        abort();
    used = path->one(&fast->proto, bytes, n, &fast->packets);
    if (used != 0) {
        side_flow(fast);
        return used;
    }
    used = n < PIECE ? n : PIECE;
    side_push(fast, bytes, used);
    return used;
}

struct fast_result fast_compare(const struct etm_config *config,
                                const struct etm_image *image,
                                enum etm_level level, size_t blocks,
                                const uint8_t *bytes, size_t n)
{
    const struct etm_fast_path *path = etm_protocol_fast_path(config);
    struct fast_result result = {NULL, 0, 0};
    struct side fast, plain;
    struct etm_walk *f;

    if (path == NULL)
        return result;
    side_init(&fast, config, image, level);
    side_init(&plain, config, image, level);
    f = fast.row->walk(&fast.flow);
    if (blocks != 0)
        f->blocks.limit = blocks;
    while (result.at < n && result.wrong == NULL) {
        const uint8_t *at = bytes + result.at;
        size_t left = n - result.at, used, final = f->held;
        size_t most = offer(result.at, left);

        used = take(&fast, path, at, most);
        if (used > most) {
            result.wrong = "more taken than there is";
            break;
        }
        side_push(&plain, at, used);
        if (used != 0)
            result.wrong = same(&fast, &plain);
        else if (f->held != final)
            result.wrong = "another held with nothing taken";
        result.fast += used;
        result.at += used;
        if (used != 0)
            continue;
        used = take_one(&fast, path, at, left);
        side_push(&plain, at, used);
        result.at += used;
    }
    if (result.wrong == NULL) {
        side_finish(&fast, n);
        side_finish(&plain, n);
        result.wrong = same(&fast, &plain);
    }
    if (result.wrong == NULL && etm_level_counts(level)) {
        struct rows a = rows_of(&fast), b = rows_of(&plain);

        if (a.n != b.n || a.sum != b.sum)
            result.wrong = "other counts";
    }
    side_fini(&fast);
    side_fini(&plain);
    return result;
}
