/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/scarce.h"
#include "image/image.h"

#include <stdarg.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static const struct etm_space anywhere;
static const struct etm_space secure = {ETM_TRUE, false, 0};
static const struct etm_space nonsecure = {ETM_FALSE, false, 0};
static const struct etm_space context7 = {ETM_UNKNOWN, true, 7};
static const struct etm_space secure7 = {ETM_TRUE, true, 7};

static struct etm_image *new_image(void)
{
    struct etm_image *image;

    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    return image;
}

static void add(struct etm_image *image, uint32_t address, const char *bytes,
                const struct etm_space *space)
{
    assert_int_equal(etm_image_add(image, address, (const uint8_t *)bytes,
                                   strlen(bytes), space),
                     ETM_OK);
}

/* What can be read there, up to 16 bytes, is this text. */
static void reads(const struct etm_image *image, uint32_t address,
                  const struct etm_space *space, const char *expected)
{
    char bytes[17] = {0};
    size_t n = etm_image_read(image, address, space, (uint8_t *)bytes, 16);

    assert_int_equal(n, strlen(expected));
    assert_string_equal(bytes, expected);
}

static void empty_image_reads_nothing(void **state)
{
    struct etm_image *image = new_image();

    (void)state;
    reads(image, 0, NULL, "");
    assert_int_equal(etm_image_regions(image), 0);
    etm_image_free(image);
    etm_image_free(NULL);
}

static void reading_goes_over_the_border_of_two_regions(void **state)
{
    struct etm_image *image = new_image();

    (void)state;
    add(image, 0x1004, "efgh", NULL);
    add(image, 0x1000, "abcd", NULL);
    reads(image, 0x1002, NULL, "cdefgh");
    reads(image, 0x0fff, NULL, "");
    reads(image, 0x1008, NULL, "");
    etm_image_free(image);
}

static void later_region_hides_an_earlier_one(void **state)
{
    struct etm_image *image = new_image();

    (void)state;
    add(image, 0x1000, "abcdefgh", NULL);
    add(image, 0x1002, "XY", NULL);
    reads(image, 0x1000, NULL, "abXYefgh");
    add(image, 0x1000, "01234567", NULL);
    reads(image, 0x1000, NULL, "01234567");
    etm_image_free(image);
}

static void span_ends_where_another_region_hides_it(void **state)
{
    struct etm_image *image = new_image();
    size_t n;

    (void)state;
    add(image, 0x1000, "abcdefgh", NULL);
    add(image, 0x1004, "XY", NULL);
    assert_non_null(etm_image_span(image, 0x1000, NULL, &n));
    assert_int_equal(n, 4);
    assert_non_null(etm_image_span(image, 0x1005, NULL, &n));
    assert_int_equal(n, 1);
    assert_null(etm_image_span(image, 0x1008, NULL, &n));
    assert_int_equal(n, 0);
    etm_image_free(image);
}

/* One for a context hides one for a security state, that one hides one for
 * all, whichever came later. */
static void particular_region_hides_a_general_one(void **state)
{
    struct etm_image *image = new_image();

    (void)state;
    add(image, 0x1000, "77", &secure7);
    add(image, 0x1000, "cc", &context7);
    add(image, 0x1000, "ss", &secure);
    add(image, 0x1000, "all!", NULL);
    reads(image, 0x1000, &anywhere, "ssl!");
    reads(image, 0x1000, &secure, "ssl!");
    reads(image, 0x1000, &nonsecure, "all!");
    reads(image, 0x1000, &context7, "77l!");
    reads(image, 0x1000, &secure7, "77l!");
    etm_image_free(image);
}

static void region_of_another_context_is_not_seen(void **state)
{
    static const struct etm_space context8 = {ETM_UNKNOWN, true, 8};
    struct etm_image *image = new_image();

    (void)state;
    add(image, 0x1000, "seven", &context7);
    reads(image, 0x1000, &context8, "");
    reads(image, 0x1000, NULL, ""); /* the context is not known */
    reads(image, 0x1000, &context7, "seven");
    etm_image_free(image);
}

static void region_may_end_with_the_address_space(void **state)
{
    struct etm_image *image = new_image();

    (void)state;
    add(image, 0xfffffffe, "yz", NULL);
    add(image, 0, "ab", NULL);
    reads(image, 0xfffffffe, NULL, "yz");
    etm_image_free(image);
}

static void region_may_not_wrap(void **state)
{
    struct etm_image *image = new_image();
    const uint8_t bytes[4] = {0};

    (void)state;
    assert_int_equal(etm_image_add(image, 0xfffffffe, bytes, 3, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_add_copy(image, 0xfffffffe, bytes, 3, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_add(image, 0, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_add(NULL, 0, bytes, 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_regions(image), 0);
    etm_image_free(image);
}

static void copy_does_not_need_the_bytes_any_more(void **state)
{
    struct etm_image *image = new_image();
    uint8_t bytes[4] = {'a', 'b', 'c', 'd'};

    (void)state;
    assert_int_equal(etm_image_add_copy(image, 0x1000, bytes, 4, NULL), ETM_OK);
    memset(bytes, 0, sizeof bytes);
    reads(image, 0x1000, NULL, "abcd");
    etm_image_free(image);
}

static void regions_are_told_in_the_order_they_were_added(void **state)
{
    struct etm_image *image = new_image();
    struct etm_space space;
    uint32_t address;
    size_t size;

    (void)state;
    add(image, 0x3000, "abc", NULL);
    add(image, 0x1000, "abcd", &context7);
    add(image, 0x2000, "", NULL);
    assert_int_equal(etm_image_regions(image), 3);
    assert_int_equal(etm_image_region(image, 0, &address, &size, &space),
                     ETM_OK);
    assert_int_equal(address, 0x3000);
    assert_int_equal(size, 3);
    assert_false(space.has_context);
    assert_int_equal(etm_image_region(image, 1, &address, &size, &space),
                     ETM_OK);
    assert_int_equal(address, 0x1000);
    assert_true(space.has_context);
    assert_int_equal(space.context_id, 7);
    assert_int_equal(etm_image_region(image, 2, &address, &size, &space),
                     ETM_OK);
    assert_int_equal(size, 0);
    assert_int_equal(etm_image_region(image, 2, NULL, NULL, NULL), ETM_OK);
    assert_int_equal(etm_image_region(image, 3, &address, &size, &space),
                     ETM_ERR_NOT_FOUND);
    etm_image_free(image);
}

static void failing_allocator_leaves_the_image_as_it_was(void **state)
{
    const uint8_t bytes[4] = {1, 2, 3, 4};

    (void)state;
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        struct faulty faulty = {.fail_at = fail_at};
        struct etm_allocator allocator = {faulty_resize, &faulty};
        struct etm_image *image;
        int status = etm_image_new(&image, &allocator);
        if (fail_at == 1) {
            assert_int_equal(status, ETM_ERR_MEMORY);
            assert_null(image);
            continue;
        }
        assert_int_equal(status, ETM_OK);
        assert_int_equal(etm_image_add_copy(image, 0, bytes, 4, NULL),
                         ETM_ERR_MEMORY);
        assert_int_equal(etm_image_regions(image), 0);
        assert_int_equal(etm_image_add_copy(image, 0, bytes, 4, NULL), ETM_OK);
        etm_image_free(image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_image_reads_nothing),
        cmocka_unit_test(reading_goes_over_the_border_of_two_regions),
        cmocka_unit_test(later_region_hides_an_earlier_one),
        cmocka_unit_test(span_ends_where_another_region_hides_it),
        cmocka_unit_test(particular_region_hides_a_general_one),
        cmocka_unit_test(region_of_another_context_is_not_seen),
        cmocka_unit_test(region_may_end_with_the_address_space),
        cmocka_unit_test(region_may_not_wrap),
        cmocka_unit_test(copy_does_not_need_the_bytes_any_more),
        cmocka_unit_test(regions_are_told_in_the_order_they_were_added),
        cmocka_unit_test(failing_allocator_leaves_the_image_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
