/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that repeat themselves: PFT without cycles at ETM_LEVEL_COUNTS
 * beside ETM_LEVEL_RANGES, in code that is nothing but branches, calls and
 * returns of both instruction sets, which come again and again. No address in
 * the trace interrupts them but that of I-syncs. ETM_TEST_ROUNDS=N runs N
 * streams, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "counts_side.h"
#include "program.h"

#define ROUNDS 60u
#define STREAM 30000u

/* Pages of ARM and Thumb code in turn, from address 0 on. */
#define PAGE 1024u
#define PAGES 32u

static uint8_t code[PAGES * PAGE];
static uint8_t stream[STREAM + 64];
static struct random r;
static bool deep; /* hardly a call returns */

static uint32_t below(uint32_t n)
{
    return random_below(&r, n);
}

static void put32(uint32_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        code[at + i] = (uint8_t)(word >> 8 * i);
}

static void put_arm(uint32_t at)
{
    uint32_t to = at / (2 * PAGE) * 2 * PAGE + 4 * below(PAGE / 4);
    uint32_t cond = below(2) != 0 ? 0xe0000000u : 0; /* AL, EQ */

    switch (below(8)) {
    case 0: /* BLX into the next page */
        put32(at, 0xfa000000 | (PAGE / 4 - 2));
        break;
    case 1: /* BX LR, or MOV */
    case 2:
        put32(at, deep && below(20) != 0 ? 0xe1a00000 : cond | 0x012fff1e);
        break;
    case 3: /* BL */
    case 4:
        put32(at, cond | 0x0b000000 | ((to - at - 8) >> 2 & 0xffffff));
        break;
    default: /* B */
        put32(at, cond | 0x0a000000 | ((to - at - 8) >> 2 & 0xffffff));
    }
}

static void put_thumb(uint32_t at)
{
    uint32_t half = 0xd000 | below(256); /* BEQ */
    uint32_t off;

    switch (below(6)) {
    case 0: /* BLX into the page before */
        off = ((at + 4) & ~UINT32_C(3)) - PAGE - (at + 4);
        off = 0 - (PAGE + (at & 3));
        put32(at, (0xf400 | (off >> 12 & 0x3ff)) |
                      (0xe800 | (off >> 2 & 0x3ff) << 1) << 16);
        return;
    case 1: /* BX LR, or NOP */
        half = deep ? 0xbf00 : 0x4770;
        break;
    case 2: /* NOP, for the other half */
        half = 0xbf00;
        break;
    default:
        break;
    }
    put32(at, half | (0xd000 | below(256)) << 16);
}

static struct etm_image *make_image(void)
{
    struct etm_image *image;

    for (uint32_t at = 0; at < sizeof code; at += 4)
        if (at / PAGE % 2 == 0)
            put_arm(at);
        else
            put_thumb(at);
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0, code, sizeof code, NULL));
    return image;
}

/* I-syncs at one of a few places, and atoms after each, which are often those
 * that followed it before. */
static void make_stream(uint32_t places)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};
    struct random here = r;
    size_t n = sizeof a_sync;

    memcpy(stream, a_sync, sizeof a_sync);
    while (n < STREAM) {
        uint32_t place = below(places), atoms = 1 + below(40);
        uint32_t at = place * 2654435761u % (PAGES * PAGE / 4) * 4;

        stream[n++] = 0x08;
        stream[n++] = (uint8_t)((at & 0xff) | (at / PAGE % 2));
        stream[n++] = (uint8_t)(at >> 8);
        stream[n++] = (uint8_t)(at >> 16);
        stream[n++] = 0;
        stream[n++] = 0x21; /* begins again: the image may be wrong before */
        here.state = place + 1;
        for (; atoms != 0; atoms--) {
            struct random *from = random_chance(&r, 97) ? &here : &r;

            /* up to five, more often E than N */
            stream[n++] =
                (uint8_t)(0x84 |
                          (random_below(from, 31) & random_below(from, 32))
                              << 2 |
                          (random_chance(from, 20) ? 2u : 0));
        }
    }
}

TEST(what_repeats_is_counted_each_time)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (; n != 0; n--, seed++) {
        struct etm_config config = {.size = sizeof config,
                                    .protocol = ETM_PROTOCOL_PFT,
                                    .minor = 1,
                                    .sync_period = 1024};
        struct counts_way way = {.piece = STREAM};
        struct etm_image *image;
        const char *wrong;

        r.state = seed;
        config.return_stack = random_chance(&r, 70);
        if (random_chance(&r, 30))
            way.blocks = 200 + below(2000);
        if (random_chance(&r, 30))
            way.piece = 16 + below(3000);
        deep = random_chance(&r, 30);
        image = make_image();
        make_stream(random_chance(&r, 50) ? 10 : 2000);
        wrong = counts_compare(&config, image, &way, stream, STREAM);
        etm_image_free(image);
        if (wrong != NULL)
            fail_msg("ETM_TEST_SEED=%lu: %s", seed, wrong);
    }
}
