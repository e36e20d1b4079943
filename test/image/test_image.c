/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/random.h"
#include "../support/scarce.h"
#include "../support/test.h"
#include "image/image.h"

#include <time.h>

static const struct etm_space anywhere;
static const struct etm_space secure = {ETM_TRUE, false, 0};
static const struct etm_space nonsecure = {ETM_FALSE, false, 0};
static const struct etm_space context7 = {ETM_UNKNOWN, true, 7};
static const struct etm_space secure7 = {ETM_TRUE, true, 7};

static struct etm_image *image;

static int begin(void **state)
{
    (void)state;
    return etm_image_new(&image, NULL);
}

static int end(void **state)
{
    (void)state;
    etm_image_free(image);
    return 0;
}

#define IMAGE(name) TEST_BETWEEN(name, begin, end)

static void add(uint32_t address, const char *bytes,
                const struct etm_space *space)
{
    assert_ok(etm_image_add(image, address, (const uint8_t *)bytes,
                            strlen(bytes), space));
}

/* What can be read there, up to 16 bytes, is this text. */
static void reads(uint32_t address, const struct etm_space *space,
                  const char *expected)
{
    char bytes[17] = {0};
    size_t n = etm_image_read(image, address, space, (uint8_t *)bytes, 16);

    assert_int_equal(n, strlen(expected));
    assert_string_equal(bytes, expected);
}

IMAGE(empty_image_reads_nothing)
{
    reads(0, NULL, "");
    assert_int_equal(etm_image_regions(image), 0);
    etm_image_free(NULL);
}

IMAGE(reading_goes_over_the_border_of_two_regions)
{
    add(0x1004, "efgh", NULL);
    add(0x1000, "abcd", NULL);
    reads(0x1002, NULL, "cdefgh");
    reads(0x0fff, NULL, "");
    reads(0x1008, NULL, "");
}

IMAGE(later_region_hides_an_earlier_one)
{
    add(0x1000, "abcdefgh", NULL);
    add(0x1002, "XY", NULL);
    reads(0x1000, NULL, "abXYefgh");
    add(0x1000, "01234567", NULL);
    reads(0x1000, NULL, "01234567");
}

IMAGE(span_ends_where_another_region_hides_it)
{
    size_t n;

    add(0x1000, "abcdefgh", NULL);
    add(0x1004, "XY", NULL);
    assert_non_null(etm_image_span(image, 0x1000, NULL, &n));
    assert_int_equal(n, 4);
    assert_non_null(etm_image_span(image, 0x1005, NULL, &n));
    assert_int_equal(n, 1);
    assert_null(etm_image_span(image, 0x1008, NULL, &n));
    assert_int_equal(n, 0);
}

/* One for a context hides one for a security state, that one hides one for
 * all, whichever came later. */
IMAGE(particular_region_hides_a_general_one)
{
    add(0x1000, "77", &secure7);
    add(0x1000, "cc", &context7);
    add(0x1000, "ss", &secure);
    add(0x1000, "all!", NULL);
    reads(0x1000, &anywhere, "ssl!");
    reads(0x1000, &secure, "ssl!");
    reads(0x1000, &nonsecure, "all!");
    reads(0x1000, &context7, "77l!");
    reads(0x1000, &secure7, "77l!");
}

IMAGE(region_of_another_context_is_not_seen)
{
    static const struct etm_space context8 = {ETM_UNKNOWN, true, 8};
    add(0x1000, "seven", &context7);
    reads(0x1000, &context8, "");
    reads(0x1000, NULL, ""); /* the context is not known */
    reads(0x1000, &context7, "seven");
}

IMAGE(region_may_end_with_the_address_space)
{
    add(0xfffffffe, "yz", NULL);
    add(0, "ab", NULL);
    reads(0xfffffffe, NULL, "yz");
}

IMAGE(region_may_not_wrap)
{
    const uint8_t bytes[4] = {0};

    assert_refused(etm_image_add(image, 0xfffffffe, bytes, 3, NULL));
    assert_refused(etm_image_add_copy(image, 0xfffffffe, bytes, 3, NULL));
    assert_refused(etm_image_add(image, 0, NULL, 1, NULL));
    assert_refused(etm_image_add(NULL, 0, bytes, 1, NULL));
    assert_int_equal(etm_image_regions(image), 0);
}

IMAGE(copy_does_not_need_the_bytes_any_more)
{
    uint8_t bytes[4] = {'a', 'b', 'c', 'd'};

    assert_ok(etm_image_add_copy(image, 0x1000, bytes, 4, NULL));
    memset(bytes, 0, sizeof bytes);
    reads(0x1000, NULL, "abcd");
}

IMAGE(regions_are_given_in_the_order_they_were_added)
{
    struct etm_space space;
    uint32_t address;
    size_t size;

    add(0x3000, "abc", NULL);
    add(0x1000, "abcd", &context7);
    add(0x2000, "", NULL);
    assert_int_equal(etm_image_regions(image), 3);
    assert_ok(etm_image_region(image, 0, &address, &size, &space));
    assert_int_equal(address, 0x3000);
    assert_int_equal(size, 3);
    assert_false(space.has_context);
    assert_ok(etm_image_region(image, 1, &address, &size, &space));
    assert_int_equal(address, 0x1000);
    assert_true(space.has_context);
    assert_int_equal(space.context_id, 7);
    assert_ok(etm_image_region(image, 2, &address, &size, &space));
    assert_int_equal(size, 0);
    assert_ok(etm_image_region(image, 2, NULL, NULL, NULL));
    assert_int_equal(etm_image_region(image, 3, &address, &size, &space),
                     ETM_ERR_NOT_FOUND);
}

TEST(failing_allocator_leaves_the_image_as_it_was)
{
    const uint8_t bytes[4] = {1, 2, 3, 4};

    for (size_t fail_at = 1; fail_at <= 5; fail_at++) {
        struct faulty faulty = {.fail_at = fail_at};
        struct etm_allocator allocator = {faulty_resize, &faulty};
        int status = etm_image_new(&image, &allocator);
        if (fail_at == 1) {
            assert_int_equal(status, ETM_ERR_MEMORY);
            assert_null(image);
            continue;
        }
        assert_ok(status);
        assert_int_equal(etm_image_add_copy(image, 0, bytes, 4, &context7),
                         ETM_ERR_MEMORY);
        assert_int_equal(etm_image_regions(image), 0);
        assert_ok(etm_image_add_copy(image, 0, bytes, 4, &context7));
        etm_image_free(image);
    }
}

/* The rules, region by region: the most particular first, among equals the
 * latest; a span ends where one that is asked before it begins. */
struct plain {
    uint32_t address, size;
    struct etm_space space;
    uint8_t first; /* byte i of it is first + i */
};

static unsigned rank(const struct etm_space *space)
{
    return (space->has_context ? 2u : 0u) +
           (space->secure != ETM_UNKNOWN ? 1u : 0u);
}

static bool seen(const struct plain *p, const struct etm_space *space)
{
    if (p->space.secure != ETM_UNKNOWN && space->secure != ETM_UNKNOWN &&
        p->space.secure != space->secure)
        return false;
    return !p->space.has_context ||
           (space->has_context && p->space.context_id == space->context_id);
}

static size_t plain_span(const struct plain *all, size_t n, uint32_t address,
                         const struct etm_space *space, uint8_t *byte)
{
    uint64_t limit = UINT64_C(0x100000000) - address;

    for (unsigned r = 4; r-- > 0;) {
        for (size_t i = n; i-- > 0;) {
            const struct plain *p = &all[i];

            if (rank(&p->space) != r || !seen(p, space) || p->size == 0)
                continue;
            if (p->address > address) {
                if (p->address - address < limit)
                    limit = p->address - address;
            } else if (address - p->address < p->size) {
                uint64_t left = p->size - (address - p->address);

                *byte = (uint8_t)(p->first + (address - p->address));
                return (size_t)(left < limit ? left : limit);
            }
        }
    }
    return 0;
}

static struct etm_space any_space(void)
{
    struct etm_space space = {(enum etm_tri)(rand() % 3), rand() % 2 == 0, 0};

    if (space.has_context)
        space.context_id = (uint32_t)rand() % 3;
    return space;
}

TEST(spans_are_those_of_the_rules)
{
    enum { ROUNDS = 300, REGIONS = 24, WIDE = 64 };
    static uint8_t bytes[256 + WIDE];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    srand(1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct plain all[REGIONS];
        uint32_t base = round % 2 == 0 ? 0 : UINT32_MAX - WIDE + 1;

        assert_int_equal(begin(NULL), 0);
        for (size_t i = 0; i < REGIONS; i++) {
            struct plain *p = &all[i];
            uint32_t at = (uint32_t)rand() % WIDE;

            p->address = base + at;
            p->size = (uint32_t)rand() % (WIDE - at < 20 ? WIDE - at + 1 : 20);
            p->space = any_space();
            p->first = (uint8_t)(rand() % 256);
            assert_ok(etm_image_add(image, p->address, bytes + p->first,
                                    p->size, &p->space));
        }
        for (uint32_t at = 0; at < WIDE; at++) {
            struct etm_space space = any_space();
            uint8_t byte = 0;
            size_t n, told = plain_span(all, REGIONS, base + at, &space, &byte);
            const uint8_t *span = etm_image_span(image, base + at, &space, &n);

            assert_int_equal(n, told);
            assert_int_equal(span != NULL, told != 0);
            if (span != NULL)
                assert_int_equal(*span, byte);
        }
        etm_image_free(image);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A hundred thousand pieces: looked at one by one, for each look-up, they took
 * half a minute. */
IMAGE(many_regions_are_found_at_once)
{
    enum { REGIONS = 100000 };
    static const uint8_t bytes[16];
    double began = seconds();

    for (uint32_t i = 0; i < REGIONS; i++)
        assert_ok(etm_image_add(image, 16 * i, bytes, 16, &context7));
    for (uint32_t i = 0; i < REGIONS; i++) {
        size_t n;

        assert_non_null(etm_image_span(image, 16 * i + 3, &context7, &n));
        assert_int_equal(n, 13);
        assert_ok(etm_image_region(image, i, NULL, &n, NULL));
    }
    assert_true(seconds() - began < 5);
}

/* Random regions one over the other: each byte is that of the newest one. */
TEST(a_region_hides_what_it_covers)
{
    enum { SPACE = 512, REGIONS = 60 };

    for (unsigned round = 0; round < 200; round++) {
        struct random random = {round + 1};
        uint8_t bytes[SPACE], expected[SPACE], got[SPACE];
        bool there[SPACE] = {false};

        assert_ok(etm_image_new(&image, NULL));
        for (unsigned i = 1; i <= REGIONS; i++) {
            uint32_t at = random_below(&random, SPACE);
            uint32_t n = 1 + random_below(&random, 60);

            n = n < SPACE - at ? n : SPACE - at;
            memset(bytes, (int)i, n);
            assert_ok(etm_image_add_copy(image, 0x8000 + at, bytes, n, NULL));
            memset(expected + at, (int)i, n);
            memset(there + at, true, n);
        }
        for (uint32_t i = 0; i < SPACE; i++) {
            size_t n = etm_image_read(image, 0x8000 + i, NULL, got, 1);

            assert_int_equal(n, there[i]);
            if (there[i])
                assert_int_equal(got[0], expected[i]);
        }
        etm_image_free(image);
    }
}

/* Where region i of n is, in an order. */
static uint32_t upwards(uint32_t i, uint32_t n)
{
    (void)n;
    return i;
}

static uint32_t downwards(uint32_t i, uint32_t n)
{
    return n - 1 - i;
}

static uint32_t scattered(uint32_t i, uint32_t n)
{
    return i * 7919u % n; /* a prime that does not divide n */
}

static uint32_t (*const orders[])(uint32_t i, uint32_t n) = {upwards, downwards,
                                                             scattered};

/* Bytes that are asked for, of which pieces that are moved are most. */
static void *counting_resize(void *context, void *block, size_t size)
{
    *(uint64_t *)context += size;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

/* For n regions at addresses, or with context IDs, in an order. */
static uint64_t bytes_asked_for(uint32_t n,
                                uint32_t (*order)(uint32_t i, uint32_t n),
                                bool by_context)
{
    static const uint8_t bytes[4];
    uint64_t asked = 0;
    struct etm_allocator allocator = {counting_resize, &asked};

    assert_int_equal(etm_image_new(&image, &allocator), ETM_OK);
    for (uint32_t i = 0; i < n; i++) {
        struct etm_space space = {ETM_UNKNOWN, by_context,
                                  by_context ? order(i, n) : 0};

        assert_int_equal(etm_image_add(image, by_context ? 0 : 16 * order(i, n),
                                       bytes, 4, &space),
                         ETM_OK);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct etm_space space = {ETM_UNKNOWN, by_context, by_context ? i : 0};
        size_t left;

        assert_non_null(
            etm_image_span(image, by_context ? 1 : 16 * i + 1, &space, &left));
        assert_int_equal(left, 3);
    }
    assert_true(image->everywhere[0].n + image->own[0].n <= 17);
    etm_image_free(image);
    return asked;
}

/* Four times as many cost 4 log(4 n) / log(n) times as much, not 16 times. */
TEST(regions_may_come_in_any_order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (int by_context = 0; by_context < 2; by_context++) {
            uint64_t few = bytes_asked_for(10000, orders[i], by_context),
                     many = bytes_asked_for(40000, orders[i], by_context);

            assert_true(many < 6 * few);
            assert_true(many < UINT64_C(40000) * 24 * 2 * 2 * 17);
        }
}

/* Wherever memory ends, also in a merge of what is there. */
TEST(a_region_that_cannot_be_added_changes_nothing)
{
    enum { N = 24 };
    static uint8_t bytes[N];
    size_t failed = 0;

    for (size_t i = 0; i < N; i++)
        bytes[i] = (uint8_t)i;
    for (size_t fail_at = 2; fail_at < 60; fail_at++) {
        struct faulty faulty = {.fail_at = fail_at};
        struct etm_allocator allocator = {faulty_resize, &faulty};

        assert_int_equal(etm_image_new(&image, &allocator), ETM_OK);
        for (uint32_t i = 0; i < N; i++) {
            uint32_t at = 2 * (N - i);
            uint8_t byte = 0xff;

            if (etm_image_add(image, at, &bytes[i], 1, NULL) != ETM_OK) {
                failed++;
                assert_int_equal(etm_image_regions(image), i);
                assert_int_equal(etm_image_read(image, at, NULL, &byte, 1), 0);
                assert_int_equal(etm_image_add(image, at, &bytes[i], 1, NULL),
                                 ETM_OK);
            }
            for (uint32_t k = 0; k <= i; k++) {
                assert_int_equal(
                    etm_image_read(image, 2 * (N - k), NULL, &byte, 1), 1);
                assert_int_equal(byte, k);
            }
        }
        etm_image_free(image);
    }
    assert_true(failed > 40);
}
