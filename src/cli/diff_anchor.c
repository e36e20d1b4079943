/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long differences, as the patience diff of B. Cohen has them: stretches that
 * are once in each window, of which as many are taken as have the same order on
 * both sides. Where both go on alike there is one at every item, so these
 * outweigh what is alike by accident, as loops are. What is between them is
 * compared by edits.
 */
#include "cli/diff.h"

#include <stdlib.h>

/* Items of a stretch. */
#define STRETCH 16

/* What is between stretches has so many items, or edits, at most, or it is one
 * edit. */
#define MOST_ITEMS 4096u
#define MOST_EDITS 512u

#define PRIME UINT64_C(0x9e3779b97f4a7c15)

/* A stretch of A, by its hash. */
struct entry {
    uint64_t hash;
    uint32_t a, b; /* where it is, and 1; the last one */
    uint32_t n_a, n_b;
};

/* A stretch that is once in each; those before it in the longest order. */
struct anchor {
    uint32_t a, b;
    uint32_t before; /* its number, and 1; 0: none */
};

struct patience {
    const struct etm_cli_diff_windows *w;
    struct entry *rows;
    size_t mask;
    struct anchor *anchors; /* in the order of A */
    size_t n;
    uint32_t *piles; /* numbers of anchors: the one that ends an order of this
                        length with the lowest place in B */
    struct etm_cli_diff_edits *edits;
    size_t a, b; /* up to where there are edits */
};

static struct entry *entry_of(const struct patience *p, uint64_t hash)
{
    size_t i = (size_t)(hash >> 17) & p->mask;

    while (p->rows[i].n_a != 0 && p->rows[i].hash != hash)
        i = (i + 1) & p->mask;
    return &p->rows[i];
}

/* Hashes of the stretches of some items, each made of the one before it. */
struct roll {
    const uint64_t *items;
    uint64_t hash, factor;
};

static struct roll roll_of(const uint64_t *items)
{
    struct roll r = {.items = items, .factor = 1};

    for (unsigned i = 0; i < STRETCH; i++)
        r.factor *= PRIME;
    return r;
}

/* Roll on from item i - 1 to the stretch that ends with item i. False: it would
 * begin before the first item. */
static bool roll(struct roll *r, size_t i)
{
    r->hash = r->hash * PRIME + r->items[i];
    if (i >= STRETCH)
        r->hash -= r->factor * r->items[i - STRETCH];
    return i + 1 >= STRETCH;
}

static void count(struct patience *p)
{
    struct roll a = roll_of(p->w->a), b = roll_of(p->w->b);

    for (size_t i = 0; i < p->w->n_a; i++) {
        struct entry *e;

        if (!roll(&a, i))
            continue;
        e = entry_of(p, a.hash);
        e->hash = a.hash;
        e->a = (uint32_t)(i + 1 - STRETCH);
        e->n_a++;
    }
    for (size_t i = 0; i < p->w->n_b; i++) {
        struct entry *e;

        if (!roll(&b, i))
            continue;
        e = entry_of(p, b.hash);
        e->b = (uint32_t)(i + 1 - STRETCH);
        e->n_b += e->n_a != 0;
    }
}

/* The pile on which an anchor with this place in B goes. */
static size_t pile_of(const struct patience *p, size_t n, uint32_t b)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->anchors[p->piles[middle]].b < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The longest order of anchors: they are the first ones then. */
static void order(struct patience *p)
{
    struct roll a = roll_of(p->w->a);
    size_t piles = 0;
    uint32_t at;

    for (size_t i = 0; i < p->w->n_a; i++) {
        const struct entry *e;
        size_t pile;

        if (!roll(&a, i))
            continue;
        e = entry_of(p, a.hash);
        if (e->n_a != 1 || e->n_b != 1)
            continue;
        pile = pile_of(p, piles, e->b);
        p->anchors[p->n] =
            (struct anchor){e->a, e->b, pile > 0 ? p->piles[pile - 1] + 1 : 0};
        p->piles[pile] = (uint32_t)p->n++;
        piles += pile == piles;
    }
    at = piles > 0 ? p->piles[piles - 1] + 1 : 0;
    for (size_t i = piles; i > 0; i--, at = p->anchors[at - 1].before)
        p->piles[i - 1] = at - 1;
    for (size_t i = 0; i < piles; i++)
        p->anchors[i] = p->anchors[p->piles[i]];
    p->n = piles;
}

static int add(struct patience *p, struct etm_cli_diff_edit edit)
{
    p->a += edit.a + edit.same;
    p->b += edit.b + edit.same;
    return etm_cli_diff_add(p->edits, &edit);
}

/* What is between the last edit and these places is not alike, as a whole. */
static int add_between(struct patience *p, size_t a, size_t b)
{
    struct etm_cli_diff_edits edits = {0};
    const struct etm_cli_diff_windows w = {.a = p->w->a + p->a,
                                           .b = p->w->b + p->b,
                                           .n_a = a - p->a,
                                           .n_b = b - p->b,
                                           .end = true,
                                           .whole = true,
                                           .most = MOST_EDITS};
    bool found = false;
    int status = ETM_OK;

    if (w.n_a == 0 && w.n_b == 0)
        return ETM_OK;
    if (w.n_a != 0 && w.n_b != 0 && w.n_a <= MOST_ITEMS && w.n_b <= MOST_ITEMS)
        status = etm_cli_diff_match(&w, &edits, &found);
    for (size_t i = 0; i < edits.n && found && status == ETM_OK; i++)
        status = add(p, edits.rows[i]);
    if (status == ETM_OK && !found)
        status = add(p, (struct etm_cli_diff_edit){w.n_a, w.n_b, 0});
    free(edits.rows);
    return status;
}

/* All that is alike from the last edit on. */
static int add_same(struct patience *p)
{
    size_t n = 0;

    while (p->a + n < p->w->n_a && p->b + n < p->w->n_b &&
           p->w->a[p->a + n] == p->w->b[p->b + n])
        n++;
    return n != 0 ? add(p, (struct etm_cli_diff_edit){0, 0, n}) : ETM_OK;
}

static int make_edits(struct patience *p)
{
    int status = ETM_OK;

    p->edits->n = 0;
    for (size_t i = 0; i < p->n && status == ETM_OK; i++) {
        size_t a = p->anchors[i].a, b = p->anchors[i].b;

        if (a < p->a || b < p->b)
            continue; /* within what is alike, or it overlaps with that */
        while (a > p->a && b > p->b && p->w->a[a - 1] == p->w->b[b - 1]) {
            a--;
            b--;
        }
        status = add_between(p, a, b);
        if (status == ETM_OK)
            status = add_same(p);
    }
    return status;
}

int etm_cli_diff_anchor(const struct etm_cli_diff_windows *w,
                        struct etm_cli_diff_edits *edits, bool *found)
{
    struct patience p = {.w = w, .mask = 1023, .edits = edits};
    int status = ETM_ERR_MEMORY;

    *found = false;
    while (p.mask < 2 * w->n_a)
        p.mask = 2 * p.mask + 1;
    p.rows = calloc(p.mask + 1, sizeof *p.rows);
    p.anchors = malloc((w->n_a + 1) * sizeof *p.anchors);
    p.piles = malloc((w->n_a + 1) * sizeof *p.piles);
    if (p.rows && p.anchors && p.piles) {
        count(&p);
        order(&p);
        status = make_edits(&p);
        *found = status == ETM_OK && edits->n != 0;
    }
    free(p.rows);
    free(p.anchors);
    free(p.piles);
    return status;
}
