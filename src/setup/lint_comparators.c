/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in address, data value and context ID comparators (ETM
   architecture 2.7, 2.8, 3.5.10, 3.5.11, 3.5.15). */
#include "setup/explain.h"

/* One comparator, and how it is used. */
struct comparator {
    const struct etm_view *view;
    unsigned n; /* from 1 */
    uint32_t actr, acvr;
    bool single; /* used by itself */
    bool ranged; /* used as half of a range */
};

/* An unused comparator does no harm. */
static enum etm_severity severity(const struct comparator *c)
{
    return c->single || c->ranged ? ETM_SEVERITY_UNPREDICTABLE
                                  : ETM_SEVERITY_ADVICE;
}

static uint32_t type_register(const struct comparator *c)
{
    return ETM_REG_ACTR1 + c->n - 1;
}

/* Table 3-27. */
static void check_reserved(struct etm_lints *l, const struct comparator *c)
{
    unsigned v = c->view->version, type = etm_actr_type(c->actr);
    unsigned mode = c->actr >> 5 & 3;
    const char *what = NULL;

    if (type == 7)
        what = "access type";
    else if ((c->actr >> 3 & 3) == 2)
        what = "access size";
    else if (mode == 2 || (mode == 3 && v < ETM_V1_2))
        what = "data value comparison";
    else if ((type == 2 || type == 3) && v < ETM_V1_2)
        what = "access type";
    else if (v >= ETM_V3_2 && v < ETM_V3_5 && c->view->security &&
             (c->actr >> 10 & 3) == 3)
        what = "security state";
    if (what != NULL)
        etm_lint_add(l, ETM_LINT_RESERVED_TYPE, severity(c), type_register(c),
                     "address comparator %u has a reserved %s", c->n, what);
}

static void check_type(struct etm_lints *l, const struct comparator *c)
{
    const struct etm_view *v = c->view;
    unsigned type = etm_actr_type(c->actr);

    if (type == 0 && v->version >= ETM_V2_1 && v->system_known &&
        etm_bit(v->macrocell.scr, 17))
        etm_lint_add(l, ETM_LINT_NO_FETCH, severity(c), type_register(c),
                     "address comparator %u compares fetches, which this "
                     "macrocell does not support",
                     c->n);
    if (type >= 4 && type != 7 && v->version >= ETM_V3_3 &&
        (v->counts.no_data_address || v->pft))
        etm_lint_add(l, ETM_LINT_NO_DATA_ADDRESS, severity(c), type_register(c),
                     "address comparator %u compares data addresses, which "
                     "this macrocell does not support",
                     c->n);
}

static void check_value(struct etm_lints *l, const struct comparator *c)
{
    const struct etm_view *v = c->view;
    const char *what = NULL;

    if ((c->actr >> 5 & 3) == 0)
        return;
    if (!etm_actr_data(c->actr))
        what = "compares instructions";
    else if (c->n % 2 == 0)
        what = "has none: only odd-numbered ones do";
    else if (v->counts_known && (c->n + 1) / 2 > v->counts.dvcs)
        what = "has none in this macrocell";
    if (what != NULL)
        etm_lint_add(l, ETM_LINT_VALUE_MISPLACED, severity(c), type_register(c),
                     "a data value is to be compared, but address comparator "
                     "%u %s",
                     c->n, what);
}

/*
 * 2.7.1. Up to v3.0 the bounds of a range have to be aligned, too (2.7.3);
 * later its size counts only where a value is compared (2.7.2, 2.8.3).
 */
static void check_aligned(struct etm_lints *l, const struct comparator *c)
{
    const struct etm_view *v = c->view;
    unsigned bytes = etm_actr_bytes(c->actr);
    bool value = (v->value[ETM_REG_ACTR1 + ((c->n - 1) & ~1u)] >> 5 & 3) != 0;
    bool counts = c->single || v->version <= ETM_V3_0 ||
                  (value && v->version >= ETM_V3_3);
    bool top = c->n % 2 == 0 && !c->single && c->acvr == UINT32_MAX;

    if (!v->known[ETM_REG_ACVR1 + c->n - 1] || !etm_actr_data(c->actr) ||
        (!c->single && !c->ranged) || !counts || top ||
        (c->acvr & (bytes - 1)) == 0)
        return;
    etm_lint_add(l, ETM_LINT_UNALIGNED, ETM_SEVERITY_UNPREDICTABLE,
                 ETM_REG_ACVR1 + c->n - 1,
                 "address comparator %u is for a %s, and 0x%08x is not aligned "
                 "to it",
                 c->n, bytes == 2 ? "halfword" : "word", (unsigned)c->acvr);
}

static uint32_t spread(uint32_t value, unsigned bytes)
{
    return bytes == 1   ? (value & 0xff) * UINT32_C(0x01010101)
           : bytes == 2 ? (value & 0xffff) * UINT32_C(0x00010001)
                        : value;
}

/* Value and mask, by what the version compares (2.8.2, 2.8.3, 3.5.11). */
static void check_lanes(struct etm_lints *l, const struct comparator *c)
{
    const struct etm_view *v = c->view;
    uint32_t at = ETM_REG_DCVR1 + c->n - 1;
    uint32_t value = v->value[at], mask = v->value[at + 0x10];
    unsigned bytes = etm_actr_bytes(c->actr);
    const char *unit = bytes == 1 ? "byte" : "halfword";
    unsigned k = (c->n + 1) / 2;

    if (c->n % 2 == 0 || !etm_actr_data(c->actr) || (c->actr >> 5 & 3) == 0 ||
        !v->known[at] || !v->known[at + 0x10])
        return;
    if ((value & mask) != 0)
        etm_lint_add(l, ETM_LINT_VALUE_UNDER_MASK, severity(c), at,
                     "data value comparator %u has bits 0x%08x set that its "
                     "mask ignores",
                     k, (unsigned)(value & mask));
    if (v->version >= ETM_V3_3 &&
        (value != spread(value, bytes) || mask != spread(mask, bytes)))
        etm_lint_add(l, ETM_LINT_LANES, severity(c),
                     value != spread(value, bytes) ? at : at + 0x10,
                     "data value comparator %u compares a %s: every %s of "
                     "value and mask must be the same",
                     k, unit, unit);
    if (v->version >= ETM_V2_0 && v->version < ETM_V3_3 && bytes < 4 &&
        (mask | ((UINT32_C(1) << 8 * bytes) - 1)) != UINT32_MAX)
        etm_lint_add(l, ETM_LINT_UNMASKED_LANES, severity(c), at + 0x10,
                     "data value comparator %u compares a %s, and its mask "
                     "does not ignore the bits above it",
                     k, unit);
    if (v->version < ETM_V2_0 && bytes < 4 && c->ranged)
        etm_lint_add(l, ETM_LINT_VALUE_IN_RANGE, ETM_SEVERITY_UNPREDICTABLE,
                     type_register(c),
                     "range %u compares the value of a %s, which is on another "
                     "part of the data bus at each address",
                     k, unit);
}

static void check_single(struct etm_lints *l, unsigned n)
{
    const struct etm_view *v = l->view;
    struct comparator c = {
        .view = v,
        .n = n,
        .actr = v->value[ETM_REG_ACTR1 + n - 1],
        .acvr = v->value[ETM_REG_ACVR1 + n - 1],
        .single = etm_single_used(v, n),
        .ranged = etm_range_used(v, (n + 1) / 2),
    };

    if (!v->known[ETM_REG_ACTR1 + n - 1] ||
        !etm_view_exists(v, ETM_REG_ACTR1 + n - 1))
        return;
    check_reserved(l, &c);
    check_type(l, &c);
    check_value(l, &c);
    check_aligned(l, &c);
    check_lanes(l, &c);
}

/* 2.7.7 */
static void check_types_alike(struct etm_lints *l, unsigned n, bool top)
{
    const struct etm_view *v = l->view;
    uint32_t number = ETM_REG_ACTR1 + 2 * (n - 1);
    uint32_t low = v->value[number], high = v->value[number + 1];
    /* The value is compared by the lower one alone; sizes may differ only to
       take the top of memory in. */
    uint32_t ignored = 0x60u | (top && (high >> 3 & 3) == 3 ? 0x18u : 0);

    if (!v->known[number] || !v->known[number + 1])
        return;
    if (((low ^ high) & ~ignored) != 0)
        etm_lint_add(l, ETM_LINT_RANGE_TYPES, ETM_SEVERITY_UNPREDICTABLE,
                     number + 1,
                     "the two comparators of range %u have different access "
                     "types (0x%03x and 0x%03x)",
                     n, (unsigned)low, (unsigned)high);
    if (top && (high >> 3 & 3) != 3)
        etm_lint_add(l, ETM_LINT_RANGE_TOP, ETM_SEVERITY_ADVICE, number + 1,
                     "range %u ends before 0xffffffff; with the size of a word "
                     "in its upper comparator it has no upper end",
                     n);
}

static void check_range(struct etm_lints *l, unsigned n)
{
    const struct etm_view *v = l->view;
    uint32_t number = ETM_REG_ACVR1 + 2 * (n - 1);
    uint32_t low = v->value[number], high = v->value[number + 1];
    bool known = v->known[number] && v->known[number + 1];

    if (!etm_range_used(v, n) || !etm_view_exists(v, number))
        return;
    if (known && high <= low)
        etm_lint_add(l, ETM_LINT_RANGE_EMPTY, ETM_SEVERITY_UNPREDICTABLE,
                     number + 1,
                     "range %u ends at 0x%08x, not above its beginning at "
                     "0x%08x",
                     n, (unsigned)high, (unsigned)low);
    check_types_alike(l, n, known && high == UINT32_MAX);
}

/* 3.5.15: one mask for all. */
static void check_context_ids(struct etm_lints *l)
{
    const struct etm_view *v = l->view;
    uint32_t mask = v->value[ETM_REG_CIDCMR];

    if (v->version < ETM_V2_0 || !v->known[ETM_REG_CIDCMR])
        return;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t value = v->value[ETM_REG_CIDCVR1 + i];

        if (etm_view_exists(v, ETM_REG_CIDCVR1 + i) &&
            v->known[ETM_REG_CIDCVR1 + i] && (value & mask) != 0)
            etm_lint_add(l, ETM_LINT_VALUE_UNDER_MASK,
                         ETM_SEVERITY_UNPREDICTABLE, ETM_REG_CIDCVR1 + i,
                         "context ID comparator %u has bits 0x%08x set that "
                         "the mask ignores",
                         (unsigned)i + 1, (unsigned)(value & mask));
    }
}

void etm_lint_comparators(struct etm_lints *l)
{
    for (unsigned n = 1; n <= 16; n++)
        check_single(l, n);
    for (unsigned n = 1; n <= 8; n++)
        check_range(l, n);
    check_context_ids(l);
}
