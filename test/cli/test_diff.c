/* SPDX-License-Identifier: Apache-2.0 */
/* Getting in step again: edits turn one side into the other, are few, and
 * always get on. */
#include "../support/test.h"
#include "cli/diff.h"

#include "../support/random.h"

#define MOST 3000u

struct sides {
    uint64_t a[MOST], b[MOST];
    size_t n_a, n_b;
};

/* Edits fit both sides: what they call the same is; and they get on. */
static void check_edits(const struct sides *s,
                        const struct etm_cli_diff_edits *edits, size_t *cost)
{
    size_t a = 0, b = 0;

    *cost = 0;
    for (size_t i = 0; i < edits->n; i++) {
        const struct etm_cli_diff_edit *e = &edits->rows[i];

        a += e->a;
        b += e->b;
        *cost += e->a + e->b;
        assert_true(a + e->same <= s->n_a && b + e->same <= s->n_b);
        assert_memory_equal(s->a + a, s->b + b, e->same * sizeof *s->a);
        a += e->same;
        b += e->same;
    }
    assert_true(a + b > 0);
}

/* A side of loops, and the other with a few changes. */
static size_t make_sides(struct sides *s, struct random *r, uint32_t kinds,
                         uint32_t changes)
{
    size_t edits = 0;

    s->n_a = 1 + random_below(r, MOST / 2);
    s->n_b = 0;
    for (size_t i = 0; i < s->n_a; i++)
        s->a[i] = random_below(r, kinds) * UINT64_C(0x123456789abcdef1);
    for (size_t i = 0; i < s->n_a; i++) {
        uint32_t change = random_below(r, 1000);

        if (change < changes) { /* not in B */
            edits++;
            continue;
        }
        s->b[s->n_b++] = s->a[i];
        if (change < 2 * changes) { /* one more */
            s->b[s->n_b++] = random_below(r, kinds);
            edits++;
        }
    }
    return edits;
}

static struct etm_cli_diff_windows windows_of(const struct sides *s)
{
    return (struct etm_cli_diff_windows){.a = s->a,
                                         .b = s->b,
                                         .n_a = s->n_a,
                                         .n_b = s->n_b,
                                         .end = true,
                                         .most = 2 * MOST};
}

TEST(the_fewest_edits_are_found)
{
    static struct sides s;
    struct random r = {1};

    for (unsigned i = 0; i < 300; i++) {
        struct etm_cli_diff_edits edits = {0};
        size_t made =
            make_sides(&s, &r, 1 + random_below(&r, 60), random_below(&r, 40));
        struct etm_cli_diff_windows w = windows_of(&s);
        size_t cost, length = 0;
        bool found;

        w.whole = true;
        if (s.n_b == 0)
            continue;
        assert_ok(etm_cli_diff_match(&w, &edits, &found));
        assert_true(found);
        check_edits(&s, &edits, &cost);
        assert_true(cost <= made);
        for (size_t j = 0; j < edits.n; j++)
            length += edits.rows[j].a + edits.rows[j].same;
        assert_int_equal(length, s.n_a);
        free(edits.rows);
    }
}

TEST(too_many_edits_are_none_or_as_far_as_they_lead)
{
    static struct sides s;
    struct etm_cli_diff_edits edits = {0};
    struct etm_cli_diff_windows w;
    bool found;
    size_t cost;

    s.n_a = s.n_b = 500;
    for (size_t i = 0; i < 500; i++) {
        s.a[i] = 2 * i;
        s.b[i] = 2 * i + 1;
    }
    w = windows_of(&s);
    w.most = 20;
    assert_ok(etm_cli_diff_match(&w, &edits, &found));
    assert_false(found);
    w.sure = true;
    assert_ok(etm_cli_diff_match(&w, &edits, &found));
    assert_true(found);
    check_edits(&s, &edits, &cost);
    assert_int_equal(cost, 20);
    free(edits.rows);
}

TEST(a_short_run_is_an_accident_after_many_edits)
{
    static struct sides s;
    struct etm_cli_diff_edits edits = {0};
    struct etm_cli_diff_windows w;
    bool found;

    s.n_a = 300;
    s.n_b = 100;
    for (size_t i = 0; i < 300; i++)
        s.a[i] = i;
    for (size_t i = 0; i < 100; i++) /* 40 items of 10 to 49, then others */
        s.b[i] = i < 40 ? i + 10 : 1000 + i;
    w = windows_of(&s);
    w.end = false;
    w.most = 16;
    assert_ok(etm_cli_diff_match(&w, &edits, &found));
    assert_false(found);
    for (size_t i = 40; i < 100; i++)
        s.b[i] = i + 10;
    s.n_b = 100;
    w.most = 8; /* ten would be needed */
    assert_ok(etm_cli_diff_match(&w, &edits, &found));
    assert_false(found);
    for (size_t i = 0; i < 100; i++)
        s.b[i] = i + 4;
    w.most = 16;
    assert_ok(etm_cli_diff_match(&w, &edits, &found));
    assert_true(found);
    assert_int_equal(edits.rows[0].a, 4);
    assert_int_equal(edits.rows[0].b, 0);
    free(edits.rows);
}

TEST(stretches_lead_over_long_insertions)
{
    static struct sides s;
    struct random r = {2};

    for (unsigned i = 0; i < 200; i++) {
        struct etm_cli_diff_edits edits = {0};
        size_t gap = 200 + random_below(&r, 800), cost;
        struct etm_cli_diff_windows w;
        bool found;

        /* loops of ten items, and what is nowhere else between them */
        s.n_a = 2000;
        for (size_t j = 0; j < s.n_a; j++)
            s.a[j] = j / 100 % 2 == 0 ? j % 10 : random_next(&r);
        s.n_b = s.n_a - gap;
        memcpy(s.b, s.a + gap, s.n_b * sizeof *s.b);
        w = windows_of(&s);
        assert_ok(etm_cli_diff_anchor(&w, &edits, &found));
        assert_true(found);
        check_edits(&s, &edits, &cost);
        assert_true(cost < gap + 60);
        free(edits.rows);
    }
}

TEST(stretches_always_fit)
{
    static struct sides s;
    struct random r = {3};

    for (unsigned i = 0; i < 500; i++) {
        struct etm_cli_diff_edits edits = {0};
        struct etm_cli_diff_windows w;
        size_t cost;
        bool found;

        (void)make_sides(&s, &r, 1 + random_below(&r, 1000),
                         random_below(&r, 100));
        w = windows_of(&s);
        assert_ok(etm_cli_diff_anchor(&w, &edits, &found));
        if (found)
            check_edits(&s, &edits, &cost);
        free(edits.rows);
    }
}
