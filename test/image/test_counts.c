/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/random.h"
#include "../support/scarce.h"
#include "../support/test.h"
#include "../support/used.h"
#include "image/counts.h"

#include <etm/decode.h>
#include <etm/types.h>

#define ROWS 20000u

static struct scarce memory;
static const struct etm_allocator few = {scarce_resize, &memory};

struct order {
    struct etm_count last;
    uint64_t n;
    unsigned rows;
};

static int in_order(void *context, const struct etm_count *count)
{
    struct order *o = context;

    if (o->rows != 0 && count->start == o->last.start)
        assert_true(count->end > o->last.end ||
                    count->last_exec > o->last.last_exec);
    else if (o->rows != 0)
        assert_true(count->start > o->last.start);
    o->last = *count;
    o->n += count->n;
    o->rows++;
    return 0;
}

static struct etm_counts *new_counts(void)
{
    struct etm_counts *counts;

    assert_ok(etm_counts_new(&counts, NULL));
    return counts;
}

static struct etm_count row(uint32_t i)
{
    return (struct etm_count){.n = 1,
                              .start = i * UINT32_C(2654435761),
                              .end = i * UINT32_C(2654435761) + 8,
                              .insns = 2,
                              .last_exec = ETM_TRUE};
}

TEST(rows_come_in_the_order_of_addresses)
{
    struct etm_counts *counts = new_counts();
    struct order o = {.rows = 0};

    assert_ok(etm_counts_walk(counts, in_order, &o));
    for (uint32_t i = 0; i < ROWS; i++) {
        struct etm_count count = row(i);

        assert_ok(etm_counts_add(counts, &count));
        count.last_exec = ETM_FALSE;
        count.n = i % 3;
        assert_ok(etm_counts_add(counts, &count));
    }
    assert_ok(etm_counts_walk(counts, in_order, &o));
    assert_int_equal(o.rows, ROWS + ROWS - (ROWS + 2) / 3);
    assert_int_equal(o.n, ROWS + ROWS - 1); /* 0 1 2 ... 0 1 */
    etm_counts_free(counts);
}

static int sum(void *context, const struct etm_count *count)
{
    uint64_t *n = context;

    *n = *n * 100 + count->n;
    return 0;
}

/* Whatever a range element tells makes another row. */
TEST(rows_differ_in_any_field)
{
    struct etm_count rows[8];
    struct etm_counts *counts = new_counts();
    uint64_t n = 0;

    for (unsigned i = 0; i < 8; i++)
        rows[i] = row(1);
    rows[1].last_exec = ETM_FALSE;
    rows[2].isa = ETM_ISA_ARM;
    rows[3].last_flags = ETM_INSN_LINK;
    rows[4].last_type = ETM_INSN_TYPE_DIRECT;
    rows[5].insns = 1;
    rows[6].last_address = 4;
    rows[7].end += 8;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < 8; i++)
            assert_ok(etm_counts_add(counts, &rows[i]));
    assert_ok(etm_counts_walk(counts, sum, &n));
    assert_int_equal(n, UINT64_C(202020202020202));
    etm_counts_free(counts);
}

static int find(void *context, const struct etm_count *count)
{
    struct etm_count *key = context;

    if (count->start == key->start && count->end == key->end &&
        count->isa == key->isa)
        key->n += count->n;
    return 0;
}

/* A few rows for each start, in order up to number `mixed` and then not. */
TEST(rows_are_found_whether_in_order_or_not)
{
    for (uint32_t mixed = 0; mixed <= 600; mixed += 200) {
        struct etm_counts *counts = new_counts();
        struct order o = {.rows = 0};

        for (uint32_t i = 0; i < 1800; i++) {
            uint32_t at = i < mixed ? i : i * 7 % 600;
            struct etm_count count = {.n = 1 + at,
                                      .start = at / 9,
                                      .end = at % 9,
                                      .last_exec = ETM_TRUE};

            assert_ok(etm_counts_add(counts, &count));
            if (i % 3 == 0)
                assert_ok(etm_counts_add(counts, &count));
            if (i % 50 != 0)
                continue;
            count.n = 0;
            assert_ok(etm_counts_walk(counts, find, &count));
            assert_in_range(count.n, 1 + at, 8 * (1 + at));
            count.n = 0;
            count.isa = ETM_ISA_ARM;
            assert_ok(etm_counts_walk(counts, find, &count));
            assert_int_equal(count.n, 0);
        }
        assert_ok(etm_counts_walk(counts, in_order, &o));
        assert_int_equal(o.rows, 600);
        etm_counts_free(counts);
    }
}

static struct etm_counts *gather(const struct etm_allocator *allocator,
                                 uint32_t first, uint32_t n, int *status)
{
    struct etm_counts *counts;

    assert_ok(etm_counts_new(&counts, allocator));
    *status = ETM_OK;
    for (uint32_t i = first; i < first + n && *status == ETM_OK; i++) {
        struct etm_count count = row(i % 1000);

        count.last_exec = i % 7 < 3 ? ETM_FALSE : ETM_TRUE;
        *status = etm_counts_gather(counts, &count);
    }
    if (*status == ETM_OK)
        *status = etm_counts_order(counts);
    return counts;
}

static int keep(void *context, const struct etm_count *count)
{
    struct etm_count **at = context;

    *(*at)++ = *count;
    return 0;
}

/* Padding is not compared. */
static bool is_same(const struct etm_count *a, const struct etm_count *b)
{
    return a->n == b->n && a->start == b->start && a->end == b->end &&
           a->insns == b->insns && a->last_address == b->last_address &&
           a->isa == b->isa && a->last_type == b->last_type &&
           a->last_exec == b->last_exec && a->last_flags == b->last_flags;
}

static void assert_same(const struct etm_count *a, const struct etm_count *b,
                        const struct etm_count *end)
{
    for (; a < end; a++, b++)
        assert_true(is_same(a, b));
}

/* However many tables there are, and of rows that come twice in each: what is
 * put in order and merged is what one table adds up. */
TEST(merged_tables_are_one)
{
    static struct etm_count one[2000], many[2000];

    for (size_t n = 0; n <= 9; n++) {
        struct etm_counts *sum = new_counts(), *nothing = new_counts();
        struct etm_counts *tables[9];
        struct etm_count *end = one, *end_many = many;
        int status;

        for (size_t i = 0; i < n; i++) {
            tables[i] = gather(NULL, (uint32_t)(300 * i),
                               (uint32_t)(i == 2 ? 0 : 500 * i + 1), &status);
            assert_ok(status);
            assert_ok(etm_counts_walk(tables[i], etm_counts_add, sum));
        }
        assert_ok(etm_counts_walk(sum, keep, &end));
        assert_ok(etm_counts_give(tables, n, nothing, keep, &end_many));
        assert_int_equal(end - one, end_many - many);
        assert_same(one, many, end);
        etm_counts_free(sum);
        etm_counts_free(nothing);
        for (size_t i = 0; i < n; i++)
            etm_counts_free(tables[i]);
    }
}

#define MANY 1200000u

/* A row of code that is all targets. */
static struct etm_count target(uint32_t at)
{
    return (struct etm_count){.n = 1,
                              .start = 0x8000 + 4 * at,
                              .end = 0x8000 + 4 * at + 4 + at % 3 * 4,
                              .insns = 1 + at % 3,
                              .last_address = 0x8000 + 4 * at + at % 3 * 4,
                              .isa = ETM_ISA_ARM,
                              .last_type = ETM_INSN_TYPE_INDIRECT,
                              .last_exec = ETM_TRUE};
}

/* Adds `n` counts `times` times, so many that they are packed again and again,
 * in the order of i * `order` modulo n. */
static void add_many(struct etm_counts *counts, uint32_t n, uint32_t times,
                     uint32_t order)
{
    for (uint32_t i = 0; i < n * times; i++) {
        struct etm_count count = target((uint32_t)((uint64_t)i * order % n));

        assert_ok(etm_counts_add(counts, &count));
    }
}

struct many {
    uint32_t n, each;
    uint32_t skipped; /* one row of so many is not there; 0: none */
};

static int check_many(void *context, const struct etm_count *count)
{
    struct many *m = context;
    struct etm_count expected;

    if (m->skipped != 0 && m->n % m->skipped == 0)
        m->n++;
    expected = target(m->n++);
    expected.n = m->each;
    assert_true(is_same(count, &expected));
    return 0;
}

static struct used used;
static const struct etm_allocator counting = {used_resize, &used};

/* What the table is besides: its rows, where they are, and they in order. */
#define TABLE ((size_t)3 << 20)

/* A row takes about six bytes, or twice as many as it may be there twice, in
 * whatever order they come and however often; and also while they are put
 * together and given. */
TEST(rows_take_few_bytes)
{
    static const uint32_t orders[] = {1, 7919, UINT32_C(2654435761) % MANY};
    size_t most = (size_t)12 * MANY + TABLE;

    for (size_t i = 0; i < 3; i++) {
        struct etm_counts *counts, *nothing;
        struct many m = {.each = 3};

        used = (struct used){0};
        assert_ok(etm_counts_new(&counts, &counting));
        assert_ok(etm_counts_new(&nothing, &counting));
        add_many(counts, MANY, 3, orders[i]);
        assert_ok(etm_counts_walk(counts, check_many, &m));
        assert_int_equal(m.n, MANY);
        m.n = 0;
        assert_ok(etm_counts_give(&counts, 1, nothing, check_many, &m));
        assert_int_equal(m.n, MANY);
        assert_in_range(used.most, 4 * MANY, most);
        etm_counts_free(counts);
        etm_counts_free(nothing);
        assert_int_equal(used.now, 0);
    }
}

/* Those of one table are taken away, and what is 0 then is not there. */
TEST(wrong_rows_are_taken_away)
{
    struct etm_counts *tables[2] = {new_counts(), new_counts()};
    struct etm_counts *less = new_counts();
    struct many m = {.each = 2, .skipped = 4};
    uint32_t n = 100000;

    add_many(tables[0], n, 2, 7919);
    add_many(tables[1], n, 2, 104729);
    add_many(less, n, 2, 31);
    for (uint32_t i = 0; i < n; i += 4) {
        struct etm_count count = target(i);

        assert_ok(etm_counts_add(less, &count));
        assert_ok(etm_counts_add(less, &count));
    }
    assert_ok(etm_counts_give(tables, 2, less, check_many, &m));
    assert_int_equal(m.n, n);
    etm_counts_free(tables[0]);
    etm_counts_free(tables[1]);
    etm_counts_free(less);
}

/* Of any fields, such as no flow gives too: few starts, so that the rest puts
 * them in order. */
static struct etm_count any_row(struct random *r)
{
    static const uint32_t ends[] = {0,   1,   2,   3,     4,
                                    100, 127, 128, 70000, UINT32_MAX};
    uint32_t start = random_below(r, 40) * random_below(r, 4) *
                     random_below(r, UINT32_C(0x6000000));
    uint32_t end = start + ends[random_below(r, 10)];
    bool plain = random_chance(r, 70);

    return (struct etm_count){
        .n = random_chance(r, 50)   ? 1
             : random_chance(r, 50) ? 2 + random_below(r, 200)
                                    : random_next(r) >> 24,
        .start = start,
        .end = end,
        .insns = random_chance(r, 50) ? (end - start) / 4 : random_below(r, 3),
        .last_address = end - ends[random_below(r, 10)],
        .isa = (uint8_t)random_below(r, plain ? 5 : 256),
        .last_type = (uint8_t)random_below(r, plain ? 4 : 256),
        .last_exec = (uint8_t)random_below(r, plain ? 3 : 256),
        .last_flags = (uint8_t)random_below(r, plain ? 8 : 256)};
}

/* Whether they are packed or in the table they are the same. */
TEST(packed_rows_are_what_they_were)
{
    static struct etm_count in_table[60000], packed[60000];
    struct random r = {.state = 5};

    for (unsigned round = 0; round < 20; round++) {
        struct etm_count *end_table = in_table, *end_packed = packed;
        struct etm_counts *table = new_counts(), *order = new_counts();
        uint32_t n = 1 + random_below(&r, round < 10 ? 300 : 30000);

        for (uint32_t i = 0; i < n; i++) {
            struct etm_count row = any_row(&r);

            assert_ok(etm_counts_add(table, &row));
        }
        assert_ok(etm_counts_walk(table, etm_counts_add, order));
        assert_ok(etm_counts_order(table));
        assert_ok(etm_counts_walk(table, keep, &end_packed));
        assert_ok(etm_counts_walk(order, keep, &end_table));
        assert_int_equal(end_table - in_table, end_packed - packed);
        assert_same(in_table, packed, end_table);
        etm_counts_free(table);
        etm_counts_free(order);
    }
}

/* What is missing is known for good. */
TEST(gathered_rows_without_memory_are_reported)
{
    struct etm_counts *counts;
    int status = ETM_ERR_MEMORY;
    unsigned n = 0;

    for (; status != ETM_OK; n++) {
        memory.left = n + 1;
        counts = gather(&few, 1, 100, &status);
        if (status != ETM_OK) {
            assert_int_equal(status, ETM_ERR_MEMORY);
            memory.left = 100;
            assert_int_equal(etm_counts_order(counts), ETM_ERR_MEMORY);
        }
        etm_counts_free(counts);
    }
    assert_in_range(n, 4, 12);
}

/* Rows that came in order are one run, which needs memory, too. */
TEST(run_without_memory_is_reported)
{
    struct etm_counts *counts;
    struct etm_count count = row(1);

    memory.left = 100;
    assert_ok(etm_counts_new(&counts, &few));
    assert_ok(etm_counts_add(counts, &count));
    memory.left = 0;
    assert_int_equal(etm_counts_order(counts), ETM_ERR_MEMORY);
    memory.left = 100;
    assert_int_equal(etm_counts_order(counts), ETM_ERR_MEMORY);
    etm_counts_free(counts);
}

static int stop(void *context, const struct etm_count *count)
{
    unsigned *calls = context;

    (void)count;
    return ++*calls == 3 ? 42 : 0;
}

TEST(walk_stops_where_it_is_told_to)
{
    struct etm_counts *counts = new_counts();
    unsigned calls = 0;

    for (uint32_t i = 0; i < 10; i++)
        assert_ok(
            etm_counts_add(counts, &(struct etm_count){.n = 5, .start = i}));
    assert_int_equal(etm_counts_walk(counts, stop, &calls), 42);
    assert_int_equal(calls, 3);
    assert_refused(etm_counts_walk(counts, NULL, NULL));
    assert_refused(etm_counts_add(NULL, &(struct etm_count){.n = 1}));
    etm_counts_free(counts);
    etm_counts_free(NULL);
}

/* What was there before is there still. */
TEST(table_without_memory_is_as_it_was)
{
    struct etm_counts *counts;
    struct order o = {.rows = 0};
    uint32_t added = 0;

    memory.left = 0;
    assert_int_equal(etm_counts_new(&counts, &few), ETM_ERR_MEMORY);
    assert_null(counts);
    /* itself, a chunk, 16 rows, where they are, 32, 64 and 128 rows */
    memory.left = 7;
    assert_ok(etm_counts_new(&counts, &few));
    for (int status = ETM_OK; status == ETM_OK && added < ROWS;) {
        struct etm_count count = row(added);

        status = etm_counts_add(counts, &count);
        added += status == ETM_OK;
    }
    assert_in_range(added, 100, ROWS - 1);
    assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_ERR_MEMORY);
    assert_int_equal(o.rows, 0);
    memory.left = 1;
    assert_ok(etm_counts_walk(counts, in_order, &o));
    assert_int_equal(o.rows, added);
    etm_counts_free(counts);
}
