/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/scarce.h"
#include "image/counts.h"

#include <etm/coverage.h>
#include <etm/element.h>
#include <etm/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

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

static struct etm_count row(uint32_t i)
{
    return (struct etm_count){.n = 1,
                              .start = i * UINT32_C(2654435761),
                              .end = i * UINT32_C(2654435761) + 8,
                              .insns = 2,
                              .last_exec = ETM_TRUE};
}

static void rows_come_in_the_order_of_addresses(void **state)
{
    struct etm_counts *counts;
    struct order o = {.rows = 0};

    (void)state;
    assert_int_equal(etm_counts_new(&counts, NULL), ETM_OK);
    assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        struct etm_count count = row(i);

        assert_int_equal(etm_counts_add(counts, &count), ETM_OK);
        count.last_exec = ETM_FALSE;
        count.n = i % 3;
        assert_int_equal(etm_counts_add(counts, &count), ETM_OK);
    }
    assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_OK);
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
static void rows_differ_in_any_field(void **state)
{
    struct etm_count rows[8];
    struct etm_counts *counts;
    uint64_t n = 0;

    (void)state;
    assert_int_equal(etm_counts_new(&counts, NULL), ETM_OK);
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
            assert_int_equal(etm_counts_add(counts, &rows[i]), ETM_OK);
    assert_int_equal(etm_counts_walk(counts, sum, &n), ETM_OK);
    assert_int_equal(n, UINT64_C(202020202020202));
    etm_counts_free(counts);
}

/* A few rows for each start, in order up to number `mixed` and then not. */
static void rows_are_found_whether_in_order_or_not(void **state)
{
    (void)state;
    for (uint32_t mixed = 0; mixed <= 600; mixed += 200) {
        struct etm_counts *counts;
        struct order o = {.rows = 0};

        assert_int_equal(etm_counts_new(&counts, NULL), ETM_OK);
        for (uint32_t i = 0; i < 1800; i++) {
            uint32_t at = i < mixed ? i : i * 7 % 600;
            struct etm_count count = {.n = 1 + at,
                                      .start = at / 9,
                                      .end = at % 9,
                                      .last_exec = ETM_TRUE};

            assert_int_equal(etm_counts_add(counts, &count), ETM_OK);
            if (i % 3 == 0)
                assert_int_equal(etm_counts_add(counts, &count), ETM_OK);
            count.n = 0;
            assert_in_range(etm_counts_find(counts, &count), 1 + at,
                            8 * (1 + at));
            count.isa = ETM_ISA_ARM;
            assert_int_equal(etm_counts_find(counts, &count), 0);
        }
        assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_OK);
        assert_int_equal(o.rows, 600);
        etm_counts_free(counts);
    }
}

static struct etm_counts *gather(const struct etm_allocator *allocator,
                                 uint32_t first, uint32_t n, int *status)
{
    struct etm_counts *counts;

    assert_int_equal(etm_counts_new(&counts, allocator), ETM_OK);
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

/* However many tables there are, and of rows that come twice in each: what is
 * put in order and merged is what one table adds up. */
static void merged_tables_are_one(void **state)
{
    static struct etm_count one[2000], many[2000];

    (void)state;
    for (size_t n = 0; n <= 9; n++) {
        struct etm_counts *tables[9], *sum;
        struct etm_counts_run runs[9];
        struct etm_count *end = one, *end_many = many;
        int status;

        assert_int_equal(etm_counts_new(&sum, NULL), ETM_OK);
        for (size_t i = 0; i < n; i++) {
            tables[i] = gather(NULL, (uint32_t)(300 * i),
                               (uint32_t)(i == 2 ? 0 : 500 * i + 1), &status);
            assert_int_equal(status, ETM_OK);
            assert_int_equal(etm_counts_walk(tables[i], etm_counts_add, sum),
                             ETM_OK);
        }
        assert_int_equal(etm_counts_walk(sum, keep, &end), ETM_OK);
        assert_int_equal(
            etm_counts_merge((const struct etm_counts *const *)tables, n, runs,
                             keep, &end_many),
            ETM_OK);
        assert_int_equal(end - one, end_many - many);
        for (const struct etm_count *a = one, *b = many; a < end; a++, b++)
            assert_true(is_same(a, b));
        etm_counts_free(sum);
        for (size_t i = 0; i < n; i++)
            etm_counts_free(tables[i]);
    }
}

/* What is missing is known for good. */
static void gathered_rows_without_memory_are_told(void **state)
{
    struct etm_counts *counts;
    int status = ETM_ERR_MEMORY;
    unsigned n = 0;

    (void)state;
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
    assert_in_range(n, 4, 10);
}

static int stop(void *context, const struct etm_count *count)
{
    unsigned *calls = context;

    (void)count;
    return ++*calls == 3 ? 42 : 0;
}

static void walk_stops_where_it_is_told_to(void **state)
{
    struct etm_counts *counts;
    unsigned calls = 0;

    (void)state;
    assert_int_equal(etm_counts_new(&counts, NULL), ETM_OK);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(
            etm_counts_add(counts, &(struct etm_count){.n = 5, .start = i}),
            ETM_OK);
    assert_int_equal(etm_counts_walk(counts, stop, &calls), 42);
    assert_int_equal(calls, 3);
    assert_int_equal(etm_counts_walk(counts, NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_counts_add(NULL, &(struct etm_count){.n = 1}),
                     ETM_ERR_ARGUMENT);
    etm_counts_free(counts);
    etm_counts_free(NULL);
}

/* What was there before is there still. */
static void table_without_memory_is_as_it_was(void **state)
{
    struct etm_counts *counts;
    struct order o = {.rows = 0};
    uint32_t added = 0;

    (void)state;
    memory.left = 0;
    assert_int_equal(etm_counts_new(&counts, &few), ETM_ERR_MEMORY);
    assert_null(counts);
    memory.left = 6; /* itself, 16 rows, where they are, 32, 64 and 128 rows */
    assert_int_equal(etm_counts_new(&counts, &few), ETM_OK);
    for (int status = ETM_OK; status == ETM_OK && added < ROWS;) {
        struct etm_count count = row(added);

        status = etm_counts_add(counts, &count);
        added += status == ETM_OK;
    }
    assert_in_range(added, 100, ROWS - 1);
    assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_ERR_MEMORY);
    assert_int_equal(o.rows, 0);
    memory.left = 1;
    assert_int_equal(etm_counts_walk(counts, in_order, &o), ETM_OK);
    assert_int_equal(o.rows, added);
    etm_counts_free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_in_the_order_of_addresses),
        cmocka_unit_test(rows_differ_in_any_field),
        cmocka_unit_test(rows_are_found_whether_in_order_or_not),
        cmocka_unit_test(merged_tables_are_one),
        cmocka_unit_test(gathered_rows_without_memory_are_told),
        cmocka_unit_test(walk_stops_where_it_is_told_to),
        cmocka_unit_test(table_without_memory_is_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
