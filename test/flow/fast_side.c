/* SPDX-License-Identifier: Apache-2.0 */
#include "fast_side.h"

#include "flow/imprint.h"
#include "session/protocols.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that go the plain way at a time where nothing else is possible. */
#define PIECE 16u

/* Bytes that are offered to the fast way at once: it stops at their end, and
 * is compared there. Fewer and more of them, so that it may be anywhere. */
static size_t offer(size_t at, size_t left)
{
    size_t most = 64 + at * 7 % 449;

    return left < most ? left : most;
}

struct side {
    const struct etm_protocol_row *row;
    union etm_proto_any proto;
    union etm_flow_any flow;
    struct etm_vec packets, elements;
};

static void side_init(struct side *s, const struct etm_config *config,
                      const struct etm_image *image, enum etm_level level)
{
    struct etm_allocator a = etm_allocator_or_default(NULL);

    memset(s, 0, sizeof *s);
    s->row = etm_protocol_row(config->protocol);
    s->row->init(&s->proto, config);
    if (s->row->flow_init(&s->flow, config, image, level, &a) != ETM_OK)
        abort();
    etm_vec_init(&s->packets, sizeof(struct etm_packet), &a);
    etm_vec_init(&s->elements, sizeof(struct etm_element), &a);
}

static void side_fini(struct side *s)
{
    s->row->flow_fini(&s->flow);
    etm_vec_fini(&s->packets);
    etm_vec_fini(&s->elements);
}

static void side_flow(struct side *s)
{
    if (s->row->flow_push(&s->flow, s->packets.data, s->packets.n,
                          &s->elements) != ETM_OK)
        abort();
    s->packets.n = 0;
}

static void side_push(struct side *s, const uint8_t *bytes, size_t n)
{
    if (s->row->push(&s->proto, bytes, n, &s->packets) != ETM_OK)
        abort();
    side_flow(s);
}

static void side_finish(struct side *s, uint64_t offset)
{
    if (s->row->finish(&s->proto, &s->packets) != ETM_OK)
        abort();
    side_flow(s);
    if (s->row->flow_finish(&s->flow, offset, &s->elements) != ETM_OK)
        abort();
}

/*
 * What a decoder does at the level of counts: final ranges go to the table, and
 * only the other elements stay.
 */
static void side_count(struct side *s)
{
    struct etm_follow *f = s->row->follow(&s->flow);
    struct etm_element *elements = s->elements.data;
    size_t others = 0;

    for (size_t i = 0; i < s->elements.n; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_count one = etm_count_of(e);

        if (i >= f->held || e->kind != ETM_ELEMENT_RANGE)
            elements[others++] = *e;
        else if (etm_counts_add(&f->blocks.counts, &one) != ETM_OK)
            abort();
    }
    f->held -= s->elements.n - others;
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
    struct etm_blocks *blocks = &s->row->follow(&s->flow)->blocks;
    struct rows rows = {0, 0};

    etm_blocks_fold(blocks);
    if (etm_counts_walk(&blocks->counts, add_row, &rows) != ETM_OK)
        abort();
    return rows;
}

#define SAME(member)                                                           \
    if (a->member != b->member)                                                \
    return "another " #member

/* Position and cycles. */
static const char *same_follow(const struct etm_follow *a,
                               const struct etm_follow *b)
{
    SAME(known);
    SAME(isa);
    SAME(cycles);
    SAME(blind_cycles);
    SAME(has_open);
    SAME(has_lost);
    SAME(held);
    SAME(out->n);
    SAME(context_changed);
    if (a->known)
        SAME(address);
    if (memcmp(a->out->data, b->out->data,
               a->out->n * sizeof(struct etm_element)) != 0)
        return "other elements";
    return NULL;
}

static const char *same_pft(const struct etm_pft_flow *a,
                            const struct etm_pft_flow *b)
{
    SAME(stack.n);
    for (uint32_t i = 1; i <= a->stack.n; i++)
        if (a->stack.entry[(a->stack.top - i) % ETM_RETSTACK_SIZE] >> 24 !=
            b->stack.entry[(b->stack.top - i) % ETM_RETSTACK_SIZE] >> 24)
            return "another return stack";
    SAME(last.address);
    SAME(last.isa);
    SAME(synced);
    SAME(mismatch);
    SAME(updated);
    return same_follow(&a->follow, &b->follow);
}

/* The range that is open, or that an exception may open again. */
static const char *same_range(const struct etm_follow *a,
                              const struct etm_follow *b)
{
    SAME(open_start);
    SAME(open_n);
    SAME(open_cycles);
    SAME(open_exec);
    SAME(last_block->address);
    SAME(last_index);
    if (a->has_open)
        SAME(open_offset);
    if (a->open_n > 1)
        SAME(before_exec);
    if (a->open_n > 1 && a->last_index == 0)
        SAME(before_block->address);
    return NULL;
}

/* Whose transfers data packets are, and what elements can still change. */
static bool same_data(const struct side *a, const struct side *b)
{
    struct etm_allocator allocator = etm_allocator_or_default(NULL);
    const struct side *sides[2] = {a, b};
    struct etm_imprint imprints[2];
    bool same;

    for (unsigned i = 0; i < 2; i++) {
        const struct etm_etmv3_flow *flow = &sides[i]->flow.etmv3;

        etm_imprint_init(&imprints[i], &allocator);
        etm_data_imprint(&flow->data, &flow->follow,
                         sides[i]->proto.etmv3.offset, &imprints[i]);
        etm_imprint_put(&imprints[i], flow->follow.floor);
        etm_imprint_put(&imprints[i], flow->base.data_address);
        etm_imprint_put(&imprints[i], flow->base.data_valid);
        etm_imprint_put(&imprints[i], flow->base.be);
    }
    same = etm_imprint_same(&imprints[0], &imprints[1]);
    etm_imprint_fini(&imprints[0]);
    etm_imprint_fini(&imprints[1]);
    return same;
}

static const char *same_etmv3(const struct etm_etmv3_flow *a,
                              const struct etm_etmv3_flow *b)
{
    const char *wrong = NULL;

    SAME(last);
    SAME(synced);
    SAME(mismatch);
    SAME(awaiting);
    SAME(half);
    SAME(gap_pending);
    SAME(base.address);
    SAME(base.isa);
    if (a->follow.known)
        SAME(index);
    if ((a->last & ETM_LAST_VALID) != 0) {
        SAME(last_block->address);
        SAME(last_index);
        SAME(last_cycles);
        wrong = same_range(&a->follow, &b->follow);
    }
    return wrong != NULL ? wrong : same_follow(&a->follow, &b->follow);
}

static const char *same(struct side *a, struct side *b)
{
    if (a->row->follow(&a->flow)->level == ETM_LEVEL_COUNTS) {
        side_count(a);
        side_count(b);
    }
    if (a->row->protocol == ETM_PROTOCOL_PFT)
        return same_pft(&a->flow.pft, &b->flow.pft);
    return same_data(a, b) ? same_etmv3(&a->flow.etmv3, &b->flow.etmv3)
                           : "other data";
}

struct fast_result fast_compare(const struct etm_config *config,
                                const struct etm_image *image,
                                enum etm_level level, const uint8_t *bytes,
                                size_t n)
{
    const struct etm_fast_way *way = etm_protocol_fast_way(config);
    struct fast_result result = {NULL, 0, 0};
    struct side fast, plain;

    if (way == NULL)
        return result;
    side_init(&fast, config, image, level);
    side_init(&plain, config, image, level);
    while (result.at < n && result.wrong == NULL) {
        const uint8_t *at = bytes + result.at;
        size_t left = n - result.at, used;

        used = way->fast(&fast.proto, &fast.flow, at, offer(result.at, left),
                         &fast.elements);
        side_push(&plain, at, used);
        if (used != 0)
            result.wrong = same(&fast, &plain);
        result.fast += used;
        result.at += used;
        if (used != 0)
            continue;
        if (etm_vec_reserve(&fast.packets, 8) != ETM_OK)
            abort();
        used = way->one(&fast.proto, at, left, &fast.packets);
        if (used == 0) {
            used = left < PIECE ? left : PIECE;
            side_push(&fast, at, used);
        } else {
            side_flow(&fast);
        }
        side_push(&plain, at, used);
        result.at += used;
    }
    if (result.wrong == NULL) {
        side_finish(&fast, n);
        side_finish(&plain, n);
        result.wrong = same(&fast, &plain);
    }
    if (result.wrong == NULL && level == ETM_LEVEL_COUNTS) {
        struct rows a = rows_of(&fast), b = rows_of(&plain);

        if (a.n != b.n || a.sum != b.sum)
            result.wrong = "other counts";
    }
    side_fini(&fast);
    side_fini(&plain);
    return result;
}
