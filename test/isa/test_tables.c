/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of rows with an index find the row that a search from the first one
 * on finds. */
#include "../support/test.h"
#include "isa/table.h"

static const struct etm_decode_table *const tables[] = {
    &etm_table_arm, &etm_table_arm_unconditional, &etm_table_thumb16,
    &etm_table_thumb32, &etm_table_thumb32_data_processing};

/* What etm_decode_rows() does. */
static const struct etm_decode_row *search(const struct etm_decode_table *t,
                                           uint32_t op)
{
    for (uint32_t i = 0; i < t->n; i++)
        if ((op & t->rows[i].mask) == t->rows[i].value)
            return &t->rows[i];
    return NULL;
}

TEST(lowest_bit_is_found_at_each_place)
{
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(etm_lowest_bit(UINT64_C(1) << i), i);
        assert_int_equal(etm_lowest_bit(UINT64_MAX << i), i);
    }
}

TEST(rows_have_no_value_outside_their_mask)
{
    for (size_t t = 0; t < ETM_COUNT_OF(tables); t++)
        for (uint32_t i = 0; i < tables[t]->n; i++)
            assert_int_equal(
                tables[t]->rows[i].value & ~tables[t]->rows[i].mask, 0);
}

TEST(all_halfwords_have_the_row_of_a_search)
{
    for (uint32_t op = 0; op <= UINT16_MAX; op++)
        assert_ptr_equal(etm_table_find(&etm_table_thumb16, op),
                         search(&etm_table_thumb16, op));
}

/* All values of the fields of the index, and of the bits around them, with
 * others drawn at random. */
TEST(words_have_the_row_of_a_search)
{
    const struct etm_decode_table *t;
    uint32_t random = 1;

    for (size_t k = 0; k < ETM_COUNT_OF(tables); k++) {
        t = tables[k];
        for (uint32_t i = 0; i < UINT32_C(1) << 22; i++) {
            random = random * 1664525 + 1013904223;
            uint32_t top = i >> 10 << 20, low = (i & 0x3ff) << t->low_at;
            uint32_t op = top | (low & 0xfffff) | (random >> 20 & 3);

            op |= (i & 1) != 0 ? random & 0xfffff & ~(0xfu << t->low_at) : 0;
            assert_ptr_equal(etm_table_find(t, op), search(t, op));
        }
    }
}

/* Words of one row each, and those that differ from it in one bit. */
TEST(rows_and_their_neighbours_are_found)
{
    for (size_t k = 0; k < ETM_COUNT_OF(tables); k++) {
        const struct etm_decode_table *t = tables[k];

        for (uint32_t i = 0; i < t->n; i++) {
            for (unsigned bit = 0; bit <= 32; bit++) {
                uint32_t flip = bit < 32 ? UINT32_C(1) << bit : 0;
                uint32_t op = t->rows[i].value ^ flip;

                assert_ptr_equal(etm_table_find(t, op), search(t, op));
                op |= ~t->rows[i].mask;
                assert_ptr_equal(etm_table_find(t, op), search(t, op));
            }
        }
    }
}

/* A row that none of its own words reaches would be dead. */
TEST(each_row_is_reached)
{
    for (size_t k = 0; k < ETM_COUNT_OF(tables); k++) {
        const struct etm_decode_table *t = tables[k];
        bool reached[64] = {false};
        uint32_t random = 1;

        for (uint32_t i = 0; i < t->n; i++) {
            for (unsigned n = 0; n < 100000 && !reached[i]; n++) {
                random = random * 1664525 + 1013904223;
                uint32_t op = t->rows[i].value |
                              ((random ^ random >> 15) & ~t->rows[i].mask);
                reached[etm_table_find(t, op) - t->rows] = true;
            }
            assert_true(reached[i]);
        }
    }
}
