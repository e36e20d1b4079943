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
