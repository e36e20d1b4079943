/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about comparators, and about what they select: each finds its mistake,
   in the versions that have it, and nothing in the setup put right. */
#include "lint_util.h"

static void a_plain_setup_has_no_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        struct setting s;
        struct etm_lint lints[LINTS];

        plain(&s, all_versions[i]);
        if (etm_lint_values(&s.explain, lints, LINTS, NULL) != 0)
            fail_msg("%02x: %s", all_versions[i], lints[0].text);
    }
}

/* MC-TE-07, MC-LINT-01 */
static void data_comparators_cannot_exclude_instructions(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_DATA_EXCLUDED, U,
         VALUES({0x009, 0x01000001}, {0x020, 0x1e}, {0x021, 0x1e}),
         VALUES({0x009, 0x01000001}, {0x020, 0x19}, {0x021, 0x19}));
    both(V1_2, ETM_LINT_DATA_EXCLUDED, U, VALUES({0x007, 0x4}, {0x022, 0x1d}),
         VALUES({0x009, 0}, {0x007, 0x4}, {0x022, 0x1d}));
}

/* MC-LINT-02 */
static void a_range_has_to_go_upwards(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        both(all_versions[i], ETM_LINT_RANGE_EMPTY, U,
             VALUES({0x009, 0x01000001}, {0x010, 0x1000}, {0x011, 0x1000}),
             VALUES({0x009, 0x01000001}, {0x010, 0x1000}, {0x011, 0x1004}));
        /* as single comparators, the same addresses are fine */
        never(all_versions[i], ETM_LINT_RANGE_EMPTY,
              VALUES({0x002, 0x00000}, {0x010, 0x1000}, {0x011, 0x1000}));
    }
}

/* MC-ADR-28, MC-LINT-03 */
static void the_types_of_a_range_have_to_be_alike(void **state)
{
    (void)state;
    both(V3_3, ETM_LINT_RANGE_TYPES, U,
         VALUES({0x009, 0x00000001}, {0x020, 0x1e}, {0x021, 0x1d}),
         VALUES({0x009, 0x00000001}, {0x020, 0x1e}, {0x021, 0x1e}));
    /* exact match has to be, too */
    both(V2_0, ETM_LINT_RANGE_TYPES, U,
         VALUES({0x009, 0x00000001}, {0x020, 0x99}, {0x021, 0x19}),
         VALUES({0x009, 0x00000001}, {0x020, 0x99}, {0x021, 0x99}));
    /* TV-CMP-08: the value is compared by the lower one only */
    never(V3_3, ETM_LINT_RANGE_TYPES,
          VALUES({0x009, 0x00000001}, {0x020, 0x3e}, {0x021, 0x1e}));
    /* 2.7.7: to the top of memory; there the sizes may differ */
    both(V3_3, ETM_LINT_RANGE_TYPES, U,
         VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0x2000}, {0x020, 0x09},
                {0x021, 0x19}),
         VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0xffffffff}, {0x020, 0x09},
                {0x021, 0x19}));
}

/* The finding names the register that has to change: of a range, the access
 * type of its upper bound. */
static void findings_name_the_register(void **state)
{
    struct setting s;
    struct etm_lint lint;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0xffffffff},
                       {0x020, 0x09}, {0x021, 0x09}));
    assert_int_equal(linted(&s, ETM_LINT_RANGE_TOP, &lint), 1);
    assert_int_equal(lint.number, 0x021);
}

/* TV-ADR-11 */
static void a_range_to_the_top_of_memory_needs_the_size_of_a_word(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_RANGE_TOP, A,
         VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0xffffffff}, {0x020, 0x09},
                {0x021, 0x09}),
         VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0xffffffff}, {0x020, 0x09},
                {0x021, 0x19}));
}

/* MC-LINT-04, MC-DVC-04 */
static void values_are_compared_by_odd_data_comparators_only(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_VALUE_MISPLACED, U, VALUES({0x007, 1}, {0x020, 0x39}),
         VALUES({0x007, 1}, {0x020, 0x3c}));
    both(V2_1, ETM_LINT_VALUE_MISPLACED, U, VALUES({0x007, 2}, {0x021, 0x3c}),
         VALUES({0x007, 1}, {0x020, 0x3c}));
    /* TV-ADR-14: the third pair has no data comparator here */
    both(V3_4, ETM_LINT_VALUE_MISPLACED, U,
         VALUES({0x007, 0x10}, {0x024, 0x3c}),
         VALUES({0x007, 0x04}, {0x022, 0x3c}));
    /* TV-CMP-08: in the upper half of a range it is none either */
    both(V3_4, ETM_LINT_VALUE_MISPLACED, U,
         VALUES({0x009, 1}, {0x020, 0x3e}, {0x021, 0x3e}),
         VALUES({0x009, 1}, {0x020, 0x3e}, {0x021, 0x1e}));
}

/* MC-DVC-07, TV-DVC-04 */
static void small_values_in_a_range_need_version_2(void **state)
{
    (void)state;
    both(V1_3, ETM_LINT_VALUE_IN_RANGE, U,
         VALUES({0x009, 1}, {0x020, 0x26}, {0x021, 0x06}, {0x030, 0xab},
                {0x040, 0xffffff00}),
         VALUES({0x009, 1}, {0x020, 0x3e}, {0x021, 0x1e}, {0x030, 0xab},
                {0x040, 0}));
    never(V2_0, ETM_LINT_VALUE_IN_RANGE,
          VALUES({0x009, 1}, {0x020, 0x26}, {0x021, 0x06}, {0x030, 0xab},
                 {0x040, 0xffffff00}));
}

/* MC-LINT-05, E-146 */
static void reserved_encodings_of_access_types(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0x1f}),
         VALUES({0x007, 1}, {0x020, 0x1e}));
    both(V3_4, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0x11}),
         VALUES({0x007, 1}, {0x020, 0x19}));
    both(V3_4, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0x5c}),
         VALUES({0x007, 1}, {0x020, 0x7c}));
    both(V3_4, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0xc19}),
         VALUES({0x007, 1}, {0x020, 0x819}));
    /* before v1.2: no conditions, no values that differ */
    both(V1_1, ETM_LINT_RESERVED_TYPE, U, VALUES({0x009, 1}, {0x020, 0x1a}),
         VALUES({0x009, 1}, {0x020, 0x19}));
    both(V1_1, ETM_LINT_RESERVED_TYPE, U, VALUES({0x009, 1}, {0x020, 0x7c}),
         VALUES({0x009, 1}, {0x020, 0x3c}));
    never(V1_2, ETM_LINT_RESERVED_TYPE,
          VALUES({0x007, 3}, {0x020, 0x7c}, {0x021, 0x1b}));
    /* what nothing uses is only worth a remark */
    both(V3_4, ETM_LINT_RESERVED_TYPE, A, VALUES({0x020, 0x1f}),
         VALUES({0x020, 0x1e}));
}

/* MC-LINT-06, MC-LINT-07 */
static void comparisons_that_the_macrocell_lacks(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, VALUES({0x007, 1}, {0x020, 0x18}));
    assert_int_equal(linted(&s, ETM_LINT_NO_FETCH, NULL), 0);
    s.macrocell.scr |= 1u << 17;
    assert_int_equal(linted(&s, ETM_LINT_NO_FETCH, NULL), 1);
    put(&s, 0x020, 0x19);
    assert_int_equal(linted(&s, ETM_LINT_NO_FETCH, NULL), 0);

    plain(&s, V3_4);
    put_all(&s, VALUES({0x007, 1}, {0x020, 0x1c}));
    assert_int_equal(linted(&s, ETM_LINT_NO_DATA_ADDRESS, NULL), 0);
    s.macrocell.ccer |= 1u << 12;
    s.macrocell.ccr &= ~0xf0u;
    assert_int_equal(linted(&s, ETM_LINT_NO_DATA_ADDRESS, NULL), 1);
    put(&s, 0x020, 0x19);
    assert_int_equal(linted(&s, ETM_LINT_NO_DATA_ADDRESS, NULL), 0);

    both(PFT1_1, ETM_LINT_NO_DATA_ADDRESS, U, VALUES({0x002, 0}, {0x020, 0x1c}),
         VALUES({0x002, 0}, {0x020, 0x19}));
}

/* MC-ADR-12, MC-LINT-08, E-144 */
static void data_addresses_have_to_be_aligned(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_UNALIGNED, U,
         VALUES({0x007, 1}, {0x010, 0x2002}, {0x020, 0x1c}),
         VALUES({0x007, 1}, {0x010, 0x2004}, {0x020, 0x1c}));
    both(V2_0, ETM_LINT_UNALIGNED, U,
         VALUES({0x007, 1}, {0x010, 0x2001}, {0x020, 0x0c}),
         VALUES({0x007, 1}, {0x010, 0x2001}, {0x020, 0x04}));
    /* MC-ADR-33: up to v3.0 the bounds of a range, too */
    both(V3_0, ETM_LINT_UNALIGNED, U,
         VALUES({0x009, 1}, {0x010, 0x1003}, {0x011, 0x1008}, {0x020, 0x1c},
                {0x021, 0x1c}),
         VALUES({0x009, 1}, {0x010, 0x1000}, {0x011, 0x1008}, {0x020, 0x1c},
                {0x021, 0x1c}));
    /* TV-ADR-10: later its size means nothing */
    never(V3_1, ETM_LINT_UNALIGNED,
          VALUES({0x009, 1}, {0x010, 0x1003}, {0x011, 0x1008}, {0x020, 0x1c},
                 {0x021, 0x1c}));
    /* MC-DVC-17: but for values */
    both(V3_3, ETM_LINT_UNALIGNED, U,
         VALUES({0x009, 1}, {0x010, 0x1003}, {0x011, 0x1008}, {0x020, 0x3c},
                {0x021, 0x1c}),
         VALUES({0x009, 1}, {0x010, 0x1004}, {0x011, 0x1008}, {0x020, 0x3c},
                {0x021, 0x1c}));
    /* instructions may stand anywhere */
    never(V3_4, ETM_LINT_UNALIGNED,
          VALUES({0x007, 1}, {0x010, 0x2002}, {0x020, 0x19}));
}

/* MC-LINT-09, TV-DVC-05, TV-DVC-06 */
static void value_lanes_by_version(void **state)
{
    const struct value *old =
        VALUES({0x007, 1}, {0x020, 0x24}, {0x030, 0xab}, {0x040, 0xffffff00});
    const struct value *new =
        VALUES({0x007, 1}, {0x020, 0x24}, {0x030, 0xabababab}, {0x040, 0});

    (void)state;
    both(V3_3, ETM_LINT_LANES, U, old, new);
    both(V3_5, ETM_LINT_LANES, U, old, new);
    both(V3_3, ETM_LINT_LANES, U,
         VALUES({0x007, 1}, {0x020, 0x2c}, {0x030, 0x12341235}, {0x040, 0}),
         VALUES({0x007, 1}, {0x020, 0x2c}, {0x030, 0x12341234}, {0x040, 0}));
    never(V3_2, ETM_LINT_LANES, old);
    /* TV-DVC-10 */
    both(V3_2, ETM_LINT_UNMASKED_LANES, U, new, old);
    both(V2_0, ETM_LINT_UNMASKED_LANES, U, new, old);
    never(V3_3, ETM_LINT_UNMASKED_LANES, new);
    never(V1_3, ETM_LINT_UNMASKED_LANES, new);
}

/* MC-LINT-10 */
static void value_bits_under_the_mask_have_to_be_clear(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_VALUE_UNDER_MASK, U,
         VALUES({0x009, 1}, {0x020, 0x3c}, {0x030, 0x12}, {0x040, 0xf}),
         VALUES({0x009, 1}, {0x020, 0x3c}, {0x030, 0x10}, {0x040, 0xf}));
    both(V2_0, ETM_LINT_VALUE_UNDER_MASK, U,
         VALUES({0x06c, 0x123}, {0x06f, 0xff}),
         VALUES({0x06c, 0x100}, {0x06f, 0xff}));
    both(V3_5, ETM_LINT_VALUE_UNDER_MASK, U,
         VALUES({0x06d, 0x123}, {0x06f, 0xff}),
         VALUES({0x06d, 0x100}, {0x06f, 0xff}));
}

/* MC-SSB-06, MC-LINT-11 */
static void nothing_may_both_start_and_stop(void **state)
{
    (void)state;
    both(V1_2, ETM_LINT_START_AND_STOP, U, VALUES({0x006, 0x00030002}),
         VALUES({0x006, 0x00010002}));
    both(PFT1_0, ETM_LINT_START_AND_STOP, U, VALUES({0x006, 0x00030002}),
         VALUES({0x006, 0x00010002}));
    both(V3_4, ETM_LINT_START_AND_STOP, U,
         VALUES({0x006, 0}, {0x07c, 0x00040004}),
         VALUES({0x006, 0}, {0x07c, 0x00080004}));
}

/* MC-VD-10, MC-VD-11, MC-LINT-12 */
static void exact_comparators_and_view_data(void **state)
{
    const struct value *wrong = VALUES({0x000, 0x80c}, {0x00c, 0x6f},
                                       {0x00d, 1}, {0x00f, 0}, {0x020, 0x99});
    const struct value *right = VALUES({0x000, 0x80c}, {0x00c, 0x6f},
                                       {0x00d, 1}, {0x00f, 0}, {0x020, 0x19});

    (void)state;
    both(V2_0, ETM_LINT_EXACT_VIEW, U, wrong, right);
    both(V3_5, ETM_LINT_EXACT_VIEW, U, wrong, right);
    never(V1_3, ETM_LINT_EXACT_VIEW, wrong);
    both(V3_4, ETM_LINT_EXACT_VIEW, A,
         VALUES({0x000, 0x80c}, {0x00d, 0x10000}, {0x00f, 0x10000},
                {0x020, 0x9c}),
         VALUES({0x000, 0x80c}, {0x00d, 0x10000}, {0x00f, 0x10000},
                {0x020, 0x1c}));
}

static void selections_are_of_units_that_there_are(void **state)
{
    struct setting s;
    struct etm_lint lint;

    (void)state;
    both(V3_4, ETM_LINT_SELECTION, U, VALUES({0x009, 0x01000010}),
         VALUES({0x009, 0x01000008}));
    both(V3_4, ETM_LINT_SELECTION, U, VALUES({0x009, 0x01000400}),
         VALUES({0x009, 0x01000200}));
    both(V1_2, ETM_LINT_SELECTION, U, VALUES({0x007, 0x100}),
         VALUES({0x007, 0x80}));
    plain(&s, V3_4);
    put(&s, 0x009, 0x01000070);
    assert_int_equal(linted(&s, ETM_LINT_SELECTION, &lint), 1);
    assert_string_equal(lint.text, "ranges 5 to 7 are selected, which the "
                                   "macrocell lacks");
    put(&s, 0x009, 0x01000010);
    assert_int_equal(linted(&s, ETM_LINT_SELECTION, &lint), 1);
    assert_string_equal(lint.text, "range 5 is selected, which the macrocell "
                                   "lacks");
    both(PFT1_0, ETM_LINT_SELECTION, U, VALUES({0x006, 0x01000001}),
         VALUES({0x006, 0x00800001}));
}

/* MC-TE-17, MC-XM-12, MC-ADR-44, MC-RES-19, MC-LINT-22, MC-TE-15 */
static void why_trace_enable_is_imprecise(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x008, 0x40}),
         VALUES({0x008, 0x0406f}));
    both(V1_0, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x008, 0x60}),
         VALUES({0x008, 0x0006f}));
    both(V1_2, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x007, 1}, {0x020, 0x18}),
         VALUES({0x007, 1}, {0x020, 0x19}));
    both(V2_0, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x007, 1}, {0x020, 0x99}),
         VALUES({0x007, 1}, {0x020, 0x19}));
    both(V1_1, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x009, 1}, {0x020, 0x1c}),
         VALUES({0x009, 1}, {0x020, 0x19}));
    never(V1_2, ETM_LINT_IMPRECISE_TRACE, VALUES({0x009, 1}, {0x020, 0x1c}));
    /* MC-CID-07, MC-CID-08 */
    both(V3_0, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x007, 1}, {0x020, 0x119}),
         VALUES({0x007, 1}, {0x020, 0x019}));
    never(V2_1, ETM_LINT_IMPRECISE_TRACE, VALUES({0x007, 1}, {0x020, 0x119}));
    both(V3_4, ETM_LINT_IMPRECISE_TRACE, A, VALUES({0x009, 0x01000100}),
         VALUES({0x009, 0x01000000}));
    /* MC-SSB-11 */
    both(V3_4, ETM_LINT_IMPRECISE_TRACE, A,
         VALUES({0x009, 0x03000000}, {0x006, 0x00020001}, {0x020, 0x18}),
         VALUES({0x009, 0x03000000}, {0x006, 0x00020001}, {0x020, 0x19}));
}

/* MC-LINT-22, MC-VD-09, MC-MMD-05 */
static void why_view_data_is_imprecise(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_IMPRECISE_VIEW, A,
         VALUES({0x000, 0x804}, {0x00c, 0x52}),
         VALUES({0x000, 0x804}, {0x00c, 0x6f}));
    both(V2_0, ETM_LINT_IMPRECISE_VIEW, A,
         VALUES({0x000, 0x804}, {0x00d, 1}, {0x020, 0x9c}),
         VALUES({0x000, 0x804}, {0x00d, 1}, {0x020, 0x1c}));
    never(V3_4, ETM_LINT_IMPRECISE_VIEW,
          VALUES({0x000, 0x804}, {0x00e, 1}, {0x00c, 0x6f}));
    /* without data trace it does not matter */
    never(V3_4, ETM_LINT_IMPRECISE_VIEW, VALUES({0x00c, 0x52}));
}

/* MC-SSB-19, MC-LINT-23 */
static void starts_need_stops(void **state)
{
    (void)state;
    both(V1_2, ETM_LINT_NO_STOP, A,
         VALUES({0x009, 0x03000000}, {0x006, 0x00000001}),
         VALUES({0x009, 0x03000000}, {0x006, 0x00020001}));
    both(V3_5, ETM_LINT_NO_STOP, A,
         VALUES({0x009, 0x03000000}, {0x006, 0x00010000}),
         VALUES({0x009, 0x03000000}, {0x006, 0x00010002}));
    both(V3_4, ETM_LINT_NO_STOP, A, VALUES({0x002, 0x5f}, {0x006, 0x00000001}),
         VALUES({0x002, 0x5f}, {0x006, 0x00000001}, {0x07c, 0x00010000}));
    never(V3_5, ETM_LINT_NO_STOP, VALUES({0x006, 0x00000001}));
}

/* 7.6.1 */
static void what_starts_or_stops_is_no_latch(void **state)
{
    (void)state;
    both(V3_4, ETM_LINT_LATCHED_POINT, A,
         VALUES({0x002, 0x5f}, {0x006, 0}, {0x07c, 0x00020001}, {0x07d, 0x2}),
         VALUES({0x002, 0x5f}, {0x006, 0}, {0x07c, 0x00020001}, {0x07d, 0xc}));
    /* nothing looks at the block */
    never(V3_4, ETM_LINT_LATCHED_POINT,
          VALUES({0x006, 0}, {0x07c, 0x00020001}, {0x07d, 0x2}));
}

/* MC-LINT-24 */
static void including_nothing_traces_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        both(all_versions[i], ETM_LINT_NOTHING_TRACED, A, VALUES({0x009, 0}),
             VALUES({0x009, 1}));
        both(all_versions[i], ETM_LINT_NOTHING_TRACED, A,
             VALUES({0x008, 0x406f}), VALUES({0x008, 0x40}));
    }
    both(V1_2, ETM_LINT_NOTHING_TRACED, A, VALUES({0x009, 0}, {0x007, 0}),
         VALUES({0x009, 0}, {0x007, 1}));
    both(V1_2, ETM_LINT_NOTHING_TRACED, A,
         VALUES({0x009, 0x03000000}, {0x006, 0x00010000}),
         VALUES({0x009, 0x03000000}, {0x006, 0x00010002}));
    both(V3_4, ETM_LINT_NO_DATA_TRACED, A,
         VALUES({0x000, 0x80c}, {0x00d, 0}, {0x00e, 0}, {0x00f, 0}),
         VALUES({0x000, 0x80c}, {0x00d, 0}, {0x00e, 0}, {0x00f, 0x10000}));
    /* what is not known may include some */
    never(V3_4, ETM_LINT_NO_DATA_TRACED,
          VALUES({0x000, 0x80c}, {0x00e, 0}, {0x00f, 0}));
    never(V3_4, ETM_LINT_NO_DATA_TRACED,
          VALUES({0x000, 0x80c}, {0x00d, 0}, {0x00f, 0}));
    both(V1_0, ETM_LINT_NO_DATA_TRACED, A,
         VALUES({0x000, 0x80c}, {0x00c, 0x406f}),
         VALUES({0x000, 0x80c}, {0x00c, 0x6f}));
}

/* MC-VD-06 */
static void includes_mean_nothing_in_exclude_only_mode(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_VIEW_IGNORED, A,
         VALUES({0x000, 0x804}, {0x00f, 0x10001}),
         VALUES({0x000, 0x804}, {0x00f, 0x10100}));
    both(V3_5, ETM_LINT_VIEW_IGNORED, A,
         VALUES({0x000, 0x804}, {0x00d, 1}, {0x00f, 0x10000}),
         VALUES({0x000, 0x804}, {0x00d, 1}, {0x00f, 0}));
}

/* MC-XM-17, MC-LINT-27, MC-XM-11 */
static void exact_match_is_for_events_and_not_for_regions(void **state)
{
    (void)state;
    both(V2_0, ETM_LINT_INEXACT_EVENT, A, VALUES({0x002, 0x00}, {0x020, 0x19}),
         VALUES({0x002, 0x00}, {0x020, 0x99}));
    both(V3_4, ETM_LINT_INEXACT_EVENT, A,
         VALUES({0x002, 0x40}, {0x054, 0x11}, {0x022, 0x1e}),
         VALUES({0x002, 0x40}, {0x054, 0x11}, {0x022, 0x9e}));
    never(V1_3, ETM_LINT_INEXACT_EVENT, VALUES({0x002, 0x00}, {0x020, 0x19}));
    never(PFT1_1, ETM_LINT_INEXACT_EVENT, VALUES({0x002, 0x00}, {0x020, 0x19}));
    both(V3_4, ETM_LINT_EXACT_REGION, A, VALUES({0x007, 1}, {0x020, 0x99}),
         VALUES({0x007, 1}, {0x020, 0x19}));
    never(V1_3, ETM_LINT_EXACT_REGION, VALUES({0x007, 1}, {0x020, 0x99}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_setup_has_no_mistakes),
        cmocka_unit_test(data_comparators_cannot_exclude_instructions),
        cmocka_unit_test(a_range_has_to_go_upwards),
        cmocka_unit_test(the_types_of_a_range_have_to_be_alike),
        cmocka_unit_test(a_range_to_the_top_of_memory_needs_the_size_of_a_word),
        cmocka_unit_test(findings_name_the_register),
        cmocka_unit_test(values_are_compared_by_odd_data_comparators_only),
        cmocka_unit_test(small_values_in_a_range_need_version_2),
        cmocka_unit_test(reserved_encodings_of_access_types),
        cmocka_unit_test(comparisons_that_the_macrocell_lacks),
        cmocka_unit_test(data_addresses_have_to_be_aligned),
        cmocka_unit_test(value_lanes_by_version),
        cmocka_unit_test(value_bits_under_the_mask_have_to_be_clear),
        cmocka_unit_test(nothing_may_both_start_and_stop),
        cmocka_unit_test(exact_comparators_and_view_data),
        cmocka_unit_test(selections_are_of_units_that_there_are),
        cmocka_unit_test(why_trace_enable_is_imprecise),
        cmocka_unit_test(why_view_data_is_imprecise),
        cmocka_unit_test(starts_need_stops),
        cmocka_unit_test(what_starts_or_stops_is_no_latch),
        cmocka_unit_test(including_nothing_traces_nothing),
        cmocka_unit_test(includes_mean_nothing_in_exclude_only_mode),
        cmocka_unit_test(exact_match_is_for_events_and_not_for_regions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
