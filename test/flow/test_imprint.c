/* SPDX-License-Identifier: Apache-2.0 */
/* Imprints: what counts in them, and what does not. */
#include "../support/test.h"
#include "flow/walk/imprint.h"

/* The imprint of one element. */
static struct etm_imprint imprint_of(const struct etm_element *element)
{
    struct etm_walk walk = {.held = 0};
    struct etm_imprint imprint;
    struct etm_vec elements;

    etm_imprint_init(&imprint, NULL);
    etm_vec_init(&elements, sizeof *element, NULL);
    assert_ok(etm_vec_append(&elements, element, 1));
    etm_elements_imprint(&elements, &walk, &imprint);
    etm_vec_fini(&elements);
    return imprint;
}

static bool is_same(const struct etm_element *a, const struct etm_element *b)
{
    struct etm_imprint of_a = imprint_of(a), of_b = imprint_of(b);
    bool same = etm_imprint_same(&of_a, &of_b);

    etm_imprint_fini(&of_a);
    etm_imprint_fini(&of_b);
    return same;
}

/* On hosts that align 64 bits to 32, too, where an element ends with half of a
 * word. */
TEST(each_byte_of_an_element_counts)
{
    struct etm_element a, b;

    memset(&a, 0, sizeof a);
    a.kind = ETM_ELEMENT_RANGE;
    assert_true(is_same(&a, &a));
    for (size_t i = 0; i < sizeof a.u; i++) {
        b = a;
        ((uint8_t *)&b.u)[i] = 0x80;
        assert_false(is_same(&a, &b));
    }
}

static bool is_same_data(const struct etm_walk *a, const struct etm_walk *b)
{
    struct etm_imprint of_a, of_b;
    bool same;

    etm_imprint_init(&of_a, NULL);
    etm_imprint_init(&of_b, NULL);
    etm_data_imprint(a, UINT64_MAX, &of_a);
    etm_data_imprint(b, UINT64_MAX, &of_b);
    same = etm_imprint_same(&of_a, &of_b);
    etm_imprint_fini(&of_a);
    etm_imprint_fini(&of_b);
    return same;
}

/* The other word of a STREXD that failed is one that failed, too (7.4.7). */
TEST(a_store_that_failed_counts)
{
    static struct etm_walk a, b;

    a.data.owner.kind = ETM_DATA_OWNER_INSN;
    b = a;
    assert_true(is_same_data(&a, &b));
    b.data.owner.failed = true;
    assert_false(is_same_data(&a, &b));
    b = a;
    b.data.owner.previous = 4; /* of no transfer */
    assert_true(is_same_data(&a, &b));
}

/* Numbers of each size, and one without meaning. */
TEST(fields_count_while_they_mean_something)
{
    struct numbers {
        uint8_t one, set;
        uint16_t two;
        uint32_t four;
        uint64_t eight;
    };
    static const struct etm_imprint_field fields[] = {
        ETM_IMPRINT(struct numbers, one), ETM_IMPRINT(struct numbers, two),
        ETM_IMPRINT(struct numbers, four), ETM_IMPRINT(struct numbers, eight),
        ETM_IMPRINT_IF(struct numbers, one, set)};
    struct numbers numbers = {1, 0, 0x102, 0x1020304, 0x102030405060708};
    const uint64_t expected[] = {1, 0x102, 0x1020304, 0x102030405060708, 0};
    struct etm_imprint imprint;

    etm_imprint_init(&imprint, NULL);
    ETM_IMPRINT_TABLE(&imprint, &numbers, fields);
    assert_int_equal(imprint.values.n, 5);
    assert_memory_equal(imprint.values.data, expected, sizeof expected);
    numbers.set = 1;
    etm_imprint_clear(&imprint);
    ETM_IMPRINT_TABLE(&imprint, &numbers, fields);
    assert_int_equal(((uint64_t *)imprint.values.data)[4], 1);
    etm_imprint_fini(&imprint);
}

/* Imprints of two decoders, each with or without carried state before the
 * values. */
static bool are_same_but(unsigned without, const uint64_t values[2],
                         const bool carried[2])
{
    struct etm_imprint of[2];
    bool same;

    for (unsigned i = 0; i < 2; i++) {
        etm_imprint_init(&of[i], NULL);
        etm_imprint_put(&of[i], 1);
        if (carried[i])
            etm_imprint_carried(&of[i], ETM_CARRIED_BASE, 1);
        etm_imprint_put(&of[i], values[i]);
        etm_imprint_put(&of[i], 2);
    }
    same = etm_imprint_same_but(&of[0], &of[1], without);
    etm_imprint_fini(&of[0]);
    etm_imprint_fini(&of[1]);
    return same;
}

/* Of the kinds that are left out one may be in the row. */
TEST(carried_state_is_left_out_where_both_have_it)
{
    static const struct {
        unsigned without;
        uint64_t values[2];
        bool carried[2], same;
    } rows[] = {{0, {5, 5}, {true, true}, true},
                {0, {5, 6}, {true, true}, false},
                {1 << ETM_CARRIED_BASE, {5, 6}, {true, true}, true},
                {7, {5, 6}, {true, true}, true},
                {5, {5, 6}, {true, true}, false},
                {7, {5, 5}, {true, false}, false},
                {7, {5, 6}, {false, false}, false},
                {7, {5, 5}, {false, false}, true}};

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(
            are_same_but(rows[i].without, rows[i].values, rows[i].carried),
            rows[i].same);
}
