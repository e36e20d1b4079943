/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that are not final, in an imprint: every bit of them counts. */
#include "flow/walk/imprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The imprint of one element. */
static struct etm_imprint imprint_of(const struct etm_element *element)
{
    struct etm_walk walk = {.held = 0};
    struct etm_imprint imprint;
    struct etm_vec elements;

    etm_imprint_init(&imprint, NULL);
    etm_vec_init(&elements, sizeof *element, NULL);
    assert_int_equal(etm_vec_append(&elements, element, 1), ETM_OK);
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
static void each_byte_of_an_element_counts(void **state)
{
    struct etm_element a, b;

    (void)state;
    memset(&a, 0, sizeof a);
    a.kind = ETM_ELEMENT_RANGE;
    assert_true(is_same(&a, &a));
    for (size_t i = 0; i < sizeof a.u; i++) {
        b = a;
        ((uint8_t *)&b.u)[i] = 0x80;
        assert_false(is_same(&a, &b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_of_an_element_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
