/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fewest edits, by the greedy algorithm of E. W. Myers (An O(ND) Difference
 * Algorithm and Its Variations, Algorithmica 1986): for each number of edits
 * and each diagonal, the furthest place that can be reached. It ends where both
 * sides are in step for long enough.
 */
#include "cli/diff.h"

#include <stdlib.h>
#include <string.h>

/* Items in both, one after the other, that are no accident: loops are alike,
 * and the more edits there were, the more accidents. */
#define IN_STEP 32
#define IN_STEP_EACH 8

#define NOWHERE (-1)

/* Where edits lead: places in A by diagonal, for each number of edits. */
struct search {
    const struct etm_cli_diff_windows *w;
    int *x; /* of d edits: rows of 2 d + 1, from d * d on */
    size_t room;
    int d, k; /* where it ends: edits and diagonal (place in A less in B) */
    bool in_step;
};

static int *row(const struct search *s, int d)
{
    return s->x + (size_t)d * (size_t)d + d;
}

static bool is_in(const struct search *s, int x, int k)
{
    return x >= 0 && x - k >= 0 && (size_t)x <= s->w->n_a &&
           (size_t)(x - k) <= s->w->n_b;
}

/* The place right behind the last of d edits on a diagonal, and the diagonal
 * before it. NOWHERE: there is none in the windows. */
static int behind_edit(const struct search *s, int d, int k, int *from)
{
    const int *before;
    int down = NOWHERE, right = NOWHERE;

    *from = k;
    if (d == 0)
        return 0;
    before = row(s, d - 1);
    if (k + 1 <= d - 1 && before[k + 1] != NOWHERE &&
        is_in(s, before[k + 1], k))
        down = before[k + 1];
    if (k - 1 >= 1 - d && before[k - 1] != NOWHERE &&
        is_in(s, before[k - 1] + 1, k))
        right = before[k - 1] + 1;
    *from = right >= down ? k - 1 : k + 1;
    return right >= down ? right : down;
}

/* Items in both from a place on. */
static int run_of(const struct search *s, int x, int k)
{
    const struct etm_cli_diff_windows *w = s->w;
    int n = 0;

    while ((size_t)(x + n) < w->n_a && (size_t)(x + n - k) < w->n_b &&
           w->a[x + n] == w->b[x + n - k])
        n++;
    return n;
}

/* Go on with d edits. True: that is the end. */
static bool extend(struct search *s, int d)
{
    const struct etm_cli_diff_windows *w = s->w;
    int *to = row(s, d);

    for (int k = -d; k <= d; k++)
        to[k] = NOWHERE;
    for (int k = -d; k <= d; k += 2) {
        int from, x = behind_edit(s, d, k, &from), n;

        if (x == NOWHERE)
            continue;
        n = run_of(s, x, k);
        to[k] = x + n;
        s->in_step = (!w->whole && n >= IN_STEP + IN_STEP_EACH * d) ||
                     (w->end && (size_t)(x + n) == w->n_a &&
                      (size_t)(x + n - k) == w->n_b);
        if (s->in_step) {
            s->d = d;
            s->k = k;
            return true;
        }
    }
    return false;
}

/* The place furthest on with d edits; false: there is none. */
static bool furthest(struct search *s, int d)
{
    const int *x = row(s, d);
    int best = NOWHERE;

    for (int k = -d; k <= d; k++) {
        if (x[k] == NOWHERE || 2 * x[k] - k <= best)
            continue;
        best = 2 * x[k] - k;
        s->d = d;
        s->k = k;
    }
    return best > 0;
}

static bool make_room(struct search *s, int d)
{
    size_t n = (size_t)(d + 1) * (size_t)(d + 1);
    int *x;

    if (n <= s->room)
        return true;
    x = realloc(s->x, 2 * n * sizeof *x);
    if (!x)
        return false;
    s->x = x;
    s->room = 2 * n;
    return true;
}

int etm_cli_diff_add(struct etm_cli_diff_edits *edits,
                     const struct etm_cli_diff_edit *edit)
{
    if (edits->n == edits->room) {
        size_t room = 2 * edits->room + 16;
        struct etm_cli_diff_edit *rows =
            realloc(edits->rows, room * sizeof *rows);

        if (!rows)
            return ETM_ERR_MEMORY;
        edits->rows = rows;
        edits->room = room;
    }
    edits->rows[edits->n++] = *edit;
    return ETM_OK;
}

/* The edits that lead there, from the last one back; those next to each other
 * are one. */
static int trace_back(const struct search *s, struct etm_cli_diff_edits *edits)
{
    struct etm_cli_diff_edit edit = {0};
    int k = s->k, status = ETM_OK;

    edits->n = 0;
    for (int d = s->d; d >= 0 && status == ETM_OK; d--) {
        int from, x = behind_edit(s, d, k, &from);
        size_t same = (size_t)(row(s, d)[k] - x);

        if (same != 0 && (edit.a != 0 || edit.b != 0 || edit.same != 0)) {
            status = etm_cli_diff_add(edits, &edit);
            edit = (struct etm_cli_diff_edit){0};
        }
        edit.same += same;
        edit.a += d != 0 && from < k;
        edit.b += d != 0 && from > k;
        k = from;
    }
    if (status == ETM_OK)
        status = etm_cli_diff_add(edits, &edit);
    for (size_t i = 0; i < edits->n / 2; i++) {
        struct etm_cli_diff_edit *last = &edits->rows[edits->n - 1 - i];

        edit = edits->rows[i];
        edits->rows[i] = *last;
        *last = edit;
    }
    return status;
}

int etm_cli_diff_match(const struct etm_cli_diff_windows *w,
                       struct etm_cli_diff_edits *edits, bool *found)
{
    struct search s = {.w = w};
    int d = 0, reached = 0, status = ETM_OK;
    bool any = true;

    *found = false;
    for (; (size_t)d <= w->most && any; d++) {
        if (!make_room(&s, d)) {
            free(s.x);
            return ETM_ERR_MEMORY;
        }
        *found = extend(&s, d);
        if (*found)
            break;
        any = furthest(&s, d) || d == 0;
        if (any)
            reached = d;
    }
    if (!*found && w->sure)
        *found = furthest(&s, reached);
    if (*found)
        status = trace_back(&s, edits);
    free(s.x);
    return status;
}
