/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of PFT beside the plain one where packets are made without a
 * program that they are the trace of: every length of every packet, in every
 * state, in code that is there or not. Macrocells seldom make most of these.
 * ETM_TEST_ROUNDS=N runs N streams, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "fast_side.h"
#include "program.h"
#include "side.h"

#define ROUNDS 500u

/* Bytes of a stream, now and then of a longer one that comes to the same places
 * again, and of a packet at the most. */
#define STREAM 3000u
#define LONG 40000u
#define PACKET 32u

/* Pages of code; of each fifth one nothing is known, and some are seen in one
 * context or security state only. */
#define PAGE 256u
#define PAGES 64u

static struct {
    struct etm_config config;
    struct random r;
    uint8_t state; /* bits [3:1] of the last information byte */
    uint32_t context_id;
    uint8_t bytes[LONG + PACKET];
    size_t n;
} made;

static uint32_t below(uint32_t n)
{
    return random_below(&made.r, n);
}

static bool chance(uint32_t percent)
{
    return random_chance(&made.r, percent);
}

static void put(unsigned byte)
{
    made.bytes[made.n++] = (uint8_t)byte;
}

/* ARM and Thumb code in turn; the encodings are in memory order. */
static void fill_page(uint8_t *page, bool thumb)
{
    static const uint8_t arm[][4] = {
        {0x1e, 0xff, 0x2f, 0xe1}, /* bx lr */
        {0x1e, 0xff, 0x2f, 0x11}, /* bxne lr */
        {0xff, 0xff, 0xff, 0x0a}, /* beq next */
        {0xff, 0xff, 0xff, 0xea}, /* b next */
        {0x00, 0x00, 0x00, 0x0b}, /* bleq */
        {0x3e, 0x00, 0x00, 0xfa}, /* blx into the next page */
        {0x00, 0x00, 0xa0, 0xe1}, /* mov r0, r0 */
        {0x6f, 0xf0, 0x7f, 0xf5}, /* isb */
    };
    static const uint8_t t16[][2] = {
        {0x70, 0x47}, /* bx lr */
        {0x00, 0xd0}, /* beq */
        {0xff, 0xe7}, /* b next */
        {0x80, 0x47}, /* blx r0 */
        {0x00, 0xbf}, /* nop */
    };

    for (size_t i = 0; i < PAGE; i += thumb ? 2 : 4) {
        if (thumb)
            memcpy(page + i, t16[below(5)], 2);
        else
            memcpy(page + i, arm[below(8)], 4);
    }
}

static struct etm_image *make_image(void)
{
    uint8_t page[PAGE];
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    for (uint32_t i = 0; i < PAGES; i++) {
        struct etm_space space = {ETM_UNKNOWN, false, 0};

        fill_page(page, i % 2 != 0);
        if (i % 7 == 3)
            space.secure = chance(50) ? ETM_TRUE : ETM_FALSE;
        space.has_context = i % 11 == 5;
        space.context_id = space.has_context ? below(2) : 0;
        if (i % 5 != 4)
            assert_ok(etm_image_add_copy(image, i * PAGE, page, PAGE, &space));
    }
    return image;
}

/* A cycle count (4.4) of so many bytes, if there is one here. Those of an
 * atom are bits of its header. */
static void put_count(uint8_t first, unsigned n)
{
    if (!made.config.cycle_accurate)
        return;
    put(first | below(16) << 2 | (n > 1 ? 0x40u : 0));
    for (unsigned i = 1; i < n; i++)
        put(below(128) | (i + 1 < n || (i == 4 && chance(50)) ? 0x80u : 0));
}

static void put_any_count(void)
{
    put_count((uint8_t)(chance(10) ? 0x83 : 0), 1 + below(5));
}

static void put_atoms(void)
{
    if (made.config.cycle_accurate)
        put_count((uint8_t)(0x80 | below(2) << 1), 1 + below(5));
    else
        put(0x84 | below(31) << 2 | below(2) << 1);
}

/* Address bytes (4.5.4) that lead into the code as a rule; `e`: bit [6] of the
 * last one. */
static void put_address(unsigned n, bool e)
{
    bool thumb = chance(50);
    uint32_t some = chance(50) ? 4 : 64;

    for (unsigned i = 0; i < n; i++) {
        bool last = i + 1 == n;
        uint32_t bits = i == 0                  ? below(some) << 1 | 1
                        : i == 4                ? (thumb ? 0x10 : 0x08)
                        : i == 1                ? below(last ? 64 : 128)
                        : i == 2 && !chance(95) ? below(64)
                                                : 0;

        put(bits | (last ? 0 : 0x80) | (last && i != 0 && e ? 0x40 : 0));
    }
    if (n == 5 && chance(3))
        made.bytes[made.n - 1] = (uint8_t)below(256);
}

static void put_branch(void)
{
    unsigned n = 1 + below(5);
    bool e = n > 1 && chance(5);

    put_address(n, e);
    if (e) {
        bool more = chance(30);

        put((more ? 0x80 : 0) | below(2) << 6 | (chance(50) ? below(32) : 0));
        if (more)
            put(below(64));
    }
    put_any_count();
}

static void put_context_id(void)
{
    if (chance(5))
        made.context_id = below(3);
    for (unsigned i = 0; i < made.config.context_id_bytes; i++)
        put(made.context_id >> 8 * i);
}

/* An I-sync (4.5); bits that mean nothing may be set. */
static void put_i_sync(void)
{
    uint32_t at = below(PAGES) * PAGE + below(16) * 4;
    unsigned reason = below(4);
    bool thumb = at / PAGE % 2 != 0;

    if (chance(10))
        thumb = !thumb;
    if (chance(5))
        made.state = (uint8_t)(below(8) << 1);
    put(0x08);
    put((at & 0xff) | thumb);
    for (unsigned i = 1; i < 4; i++)
        put(at >> 8 * i);
    put(made.state | reason << 5 | 0x01 | (chance(10) ? 0x90 : 0));
    if (reason != 0)
        put_any_count();
    put_context_id();
}

static void put_timestamp(void)
{
    bool wide = made.config.minor >= 1 && made.config.timestamp_64bit;
    unsigned last = wide ? 9 : 7, n = chance(20) ? last : 1 + below(last);

    put(chance(50) ? 0x42 : 0x46);
    for (unsigned i = 1; i <= n; i++)
        put(i == last ? below(256) : below(128) | (i < n ? 0x80u : 0));
    put_any_count();
}

static void put_a_sync(void)
{
    for (unsigned i = chance(90) ? 5 : 4 + below(20); i != 0; i--)
        put(0);
    put(0x80);
}

static void put_rare(void)
{
    switch (below(8)) {
    case 0:
        put_a_sync();
        break;
    case 1:
        put(0x0c); /* trigger */
        break;
    case 2:
        put(0x66); /* ignore */
        break;
    case 3:
        put(0x76); /* exception return */
        break;
    case 4:
        put(0x72); /* waypoint update */
        put_address(1 + below(5), false);
        break;
    case 5:
        if (made.config.context_id_bytes != 0) {
            put(0x6e);
            put_context_id();
        }
        break;
    default:
        put_timestamp();
        break;
    }
}

static void make_stream(uint64_t seed)
{
    size_t n;

    made.r.state = seed;
    config_make(&made.config, ETM_PROTOCOL_PFT, &made.r);
    n = seed % 20 == 0 ? LONG : STREAM;
    made.n = made.state = 0;
    made.context_id = 0;
    put_a_sync();
    put_i_sync();
    while (made.n < n) {
        uint32_t kind = below(20);

        if (kind < 8)
            put_atoms();
        else if (kind < 14)
            put_branch();
        else if (kind < 17)
            put_i_sync();
        else
            put_rare();
        if (chance(1)) { /* where synchronization was lost */
            put_a_sync();
            put_i_sync();
        }
    }
}

TEST(packets_of_any_length_are_the_same_on_the_fast_path)
{
    static const size_t limits[] = {0, 0, 0, 3, 40};
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    size_t all = 0, fast = 0;

    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        make_stream(seed + i);
        image = make_image();
        for (int level = 0; level < 3; level++) {
            struct fast_result result =
                fast_compare(&made.config, image, (enum etm_level)level,
                             limits[(seed + i) % 5], made.bytes, made.n);

            if (result.wrong != NULL) {
                config_print(&made.config);
                fail_msg("ETM_TEST_SEED=%lu: level %d, %s at byte %zu of %zu",
                         seed + i, level, result.wrong, result.at, made.n);
            }
            all += made.n;
            fast += result.fast;
        }
        etm_image_free(image);
    }
    printf("%zu of %zu bytes took the fast path\n", fast, all);
    assert_true(fast > all / 2);
}

/* Where it leads to is looked for in the code of its own context alone. */
TEST(i_sync_in_another_context_looks_at_that_alone)
{
    static const uint8_t nops[64],
        begins[] = {0, 0, 0, 0, 0, 0x80, 0x08, 0, 0x80, 0, 0, 1, 0x01};
    uint8_t bytes[64] = {0x08, 0x10, 0x80, 0, 0, 0x21, 0x02};
    struct etm_space space = {.has_context = true, .context_id = 2};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .context_id_bytes = 1};
    struct etm_image *image;
    struct side s;

    memset(bytes + 7, 0x66, sizeof bytes - 7);
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, nops, sizeof nops, &space));
    side_init(&s, &config, image, ETM_LEVEL_RANGES);
    side_push(&s, begins, sizeof begins);
    assert_true(etm_protocol_fast_path(&config)->fast(
                    &s.proto, &s.flow, bytes, sizeof bytes, &s.elements) > 7);
    assert_int_equal(s.flow.pft.walk.blocks.n, 2);
    side_fini(&s);
    etm_image_free(image);
}
