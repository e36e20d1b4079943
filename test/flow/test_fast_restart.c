/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of ETMv3 beside the plain one where tracing restarts again and
 * again: I-syncs are put between the packets of random traces, most of them
 * changing only the position, if that; and so is what else may stand there:
 * A-syncs, timestamps, periodic I-syncs, exceptions, and their exits.
 * ETM_TEST_ROUNDS and ETM_TEST_SEED as in test_fast.c.
 */
#include "../support/test.h"
#include "flow/etmv3/flow.h"
#include "trial.h"

#include "../support/setting.h"
#include "fast_side.h"
#include "scarce.h"
#include "side.h"

#include <etm/decode.h>

#define ROUNDS 1500u

/* Bytes of a trace with its I-syncs, and of the packet that may be put last. */
#define WOVEN 200000u
#define LONGEST 64u

static struct trial trial;

static const enum etm_level levels[] = {ETM_LEVEL_RANGES,
                                        ETM_LEVEL_INSTRUCTIONS,
                                        ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};
#define LEVELS (sizeof levels / sizeof *levels)

/* A trace with I-syncs, and the decoder that knows where each has to lead. */
static struct woven {
    struct side plain;
    struct etm_etmv3_decoder decoder; /* limits of the packets */
    bool odd; /* I-syncs may change more than the position, or be damaged */
    size_t n;
    uint8_t bytes[WOVEN + LONGEST];
} woven;

static void put(const void *bytes, size_t n)
{
    memcpy(woven.bytes + woven.n, bytes, n);
    side_push(&woven.plain, bytes, n);
    woven.n += n;
}

/* In so many of 100 cases, where anything but the position may change. */
static bool is_odd(struct random *r, uint32_t percent)
{
    return woven.odd && random_chance(r, percent);
}

/* A cycle count of one to five bytes (7.3.4); one time in four it is 0. None
 * follows the fifth, whatever it says. */
static size_t put_count(uint8_t *p, struct random *r)
{
    size_t n = 1 + random_below(r, 5);
    bool zero = random_chance(r, 25);

    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)((zero ? 0 : random_below(r, 128)) |
                         (i + 1 < n || (n == 5 && random_chance(r, 50)) ? 0x80u
                                                                        : 0));
    return n;
}

/* The information byte (7.7.3): as a rule the state does not change. */
static uint8_t make_info(const struct etm_etmv3_flow *flow, struct random *r)
{
    const struct etm_broadcast *base = &flow->base;
    unsigned info = 0x01 | (base->ns ? 0x08u : 0) | (base->hyp ? 0x02u : 0) |
                    (base->alt_isa ? 0x04u : 0) |
                    (flow->walk.isa == ETM_ISA_JAZELLE ? 0x10u : 0);

    info |= (1 + random_below(r, 3)) << 5;
    if (is_odd(r, 3))
        info &= ~0x60u; /* periodic */
    if (is_odd(r, 4))
        info ^= 1u << random_below(r, 5);
    if (is_odd(r, 1))
        info ^= 0x80; /* load or store in progress, with what comes next */
    return (uint8_t)info;
}

/* Where it leads: nowhere else, or to an instruction of the program. */
static uint32_t make_address(const struct etm_etmv3_flow *flow,
                             struct random *r)
{
    enum etm_isa isa = (enum etm_isa)flow->walk.isa;
    uint32_t address = etm_position_address(&flow->walk);
    unsigned any;

    if (!flow->walk.known) { /* the target of an indirect branch comes */
        isa = (enum etm_isa)flow->base.isa;
        address = flow->base.address;
    }
    any = random_chance(r, 10) ? program_any(&trial.program, r, isa) : NO_SLOT;
    if (any != NO_SLOT)
        address = trial.program.slots[any].address;
    if (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE)
        address |= 1;
    return is_odd(r, 1) ? address ^ 1u << random_below(r, 12) : address;
}

static void put_sync(struct random *r)
{
    const struct etm_etmv3_flow *flow = &woven.plain.flow.etmv3;
    const struct etm_config *c = &trial.config;
    uint32_t id = flow->base.context_id ^ is_odd(r, 3), address;
    bool counts = c->cycle_accurate && !is_odd(r, 5);
    uint8_t p[LONGEST];
    size_t n = 0;

    p[n++] = counts ? 0x70 : 0x08;
    if (counts)
        n += put_count(p + n, r);
    for (unsigned i = 0; i < c->context_id_bytes; i++)
        p[n++] = (uint8_t)(id >> 8 * i);
    p[n++] = make_info(flow, r);
    address = make_address(flow, r);
    for (unsigned i = 0; i < 4; i++)
        p[n++] = (uint8_t)(address >> 8 * i);
    put(p, n);
}

/* An I-sync that says where the program is, as a rule. */
static void put_periodic(struct random *r)
{
    const struct etm_etmv3_flow *flow = &woven.plain.flow.etmv3;
    uint32_t id = flow->base.context_id ^ is_odd(r, 3);
    unsigned info = make_info(flow, r) & 0x1fu;
    uint32_t address = flow->walk.known ? etm_position_address(&flow->walk)
                                        : flow->base.address;
    uint8_t p[LONGEST];
    size_t n = 0;

    if (flow->walk.isa != ETM_ISA_ARM)
        address |= 1;
    if (is_odd(r, 5))
        address ^= 1u << random_below(r, 12);
    if (is_odd(r, 10))
        info ^= 1u << random_below(r, 5);
    p[n++] = 0x08;
    for (unsigned i = 0; i < trial.config.context_id_bytes; i++)
        p[n++] = (uint8_t)(id >> 8 * i);
    p[n++] = (uint8_t)info;
    for (unsigned i = 0; i < 4; i++)
        p[n++] = (uint8_t)(address >> 8 * i);
    put(p, n);
}

/* One of as many bytes as it may have; the last one of a full one may be
 * anything. */
static void put_timestamp(struct random *r)
{
    size_t most = trial.config.timestamp_64bit ? 9 : 7;
    size_t n = 1 + random_below(r, (uint32_t)most);
    uint8_t p[16] = {random_chance(r, 50) ? 0x42 : 0x46};

    if (random_chance(r, 30))
        n = most;
    for (size_t i = 1; i <= n; i++)
        p[i] = (uint8_t)(random_below(r, 128) |
                         (i < n || (n == most && random_chance(r, 50)) ? 0x80u
                                                                       : 0));
    put(p, n + 1);
}

/* A branch packet of five bytes with exception information (7.3.5). */
static void put_exception(uint32_t address, enum etm_isa isa, struct random *r)
{
    const struct etm_broadcast *base = &woven.plain.flow.etmv3.base;
    bool arm = isa == ETM_ISA_ARM;
    uint32_t bits = address >> (arm ? 2 : 1);
    unsigned info = (base->ns ? 0x01u : 0) | (base->alt_isa ? 0x40u : 0) |
                    random_below(r, 16) << 1;
    uint8_t p[8];
    size_t n = 5;

    if (is_odd(r, 10))
        info ^= 1u << random_below(r, 7);
    if (trial.config.minor >= 4 && random_chance(r, 30))
        info |= ETM_ETMV3_MORE;
    p[0] = (uint8_t)(0x81 | (bits & 0x3f) << 1);
    for (unsigned i = 1; i < 4; i++)
        p[i] = (uint8_t)(0x80 | (bits >> (7 * i - 1) & 0x7f));
    p[4] = (uint8_t)(0x40 | (arm ? 0x08u | (bits >> 27 & 0x07)
                                 : 0x10u | (bits >> 27 & 0x0f)));
    p[n++] = (uint8_t)info;
    if ((info & ETM_ETMV3_MORE) != 0 && random_chance(r, 50)) {
        unsigned more = random_chance(r, 50) ? ETM_ETMV3_MORE : 0;

        p[n++] = (uint8_t)(more | (base->hyp ? 0x20u : 0) |
                           (is_odd(r, 30) ? random_below(r, 64) : 0));
        info = more;
    }
    if ((info & ETM_ETMV3_MORE) != 0)
        p[n++] = (uint8_t)(0x40 | random_below(r, 16));
    put(p, n);
}

/* To a handler, of which some instructions may be executed, and back, by
 * another one. */
static void put_exceptions(struct random *r)
{
    static const uint8_t insn = 0x84; /* E, or W and E */
    const struct etm_etmv3_flow *flow = &woven.plain.flow.etmv3;
    enum etm_isa isa = (enum etm_isa)flow->walk.isa;
    uint32_t address = etm_position_address(&flow->walk);
    enum etm_isa to = random_chance(r, 80) ? isa : ETM_ISA_ARM;
    unsigned any = program_any(&trial.program, r, to);

    if (!flow->walk.known || isa == ETM_ISA_JAZELLE || any == NO_SLOT)
        return;
    put_exception(trial.program.slots[any].address, to, r);
    for (unsigned n = random_below(r, 4); n != 0; n--)
        switch (random_below(r, 4)) {
        case 0:
            put_periodic(r);
            break;
        case 1:
            if (trial.config.minor >= 5)
                put_timestamp(r);
            break;
        default:
            put(&insn, 1);
            break;
        }
    put_exception(address, isa, r);
}

/* What may stand anywhere. */
static void put_other(struct random *r)
{
    static const uint8_t zeros[20], end = 0x80, leaves = 0x76;
    const struct etm_config *c = &trial.config;

    switch (random_below(r, 5)) {
    case 0:
        put(zeros, 5 + (random_chance(r, 20) ? random_below(r, 15) : 0));
        put(&end, 1);
        break;
    case 1:
        if (c->minor >= 5)
            put_timestamp(r);
        break;
    case 2:
        put_periodic(r);
        break;
    case 3:
        if (etm_etmv3_header(c, leaves).kind == ETM_PACKET_EXCEPTION_EXIT)
            put(&leaves, 1);
        break;
    case 4:
        put_exceptions(r);
        break;
    }
}

/* P-headers of W atoms, or of none, between an I-sync and what follows. */
static void put_waits(struct random *r)
{
    static const uint8_t waits[2][2] = {{0x80, 0x80}, {0xa0, 0xac}};

    for (unsigned n = random_below(r, 4); n != 0; n--)
        put(&waits[trial.config.cycle_accurate][random_below(r, 2)], 1);
}

/* The trace of `trial`, with so many I-syncs and others in 100 packets and now
 * and then a row of them that is longer than a chart. */
static void weave(const struct etm_image *image, struct random *r)
{
    unsigned often = 1 + random_below(r, 50);
    unsigned others = random_below(r, 101); /* of 100, and not I-syncs */
    struct etm_packet packet;
    size_t at = 6, n;

    side_init(&woven.plain, &trial.config, image, ETM_LEVEL_RANGES);
    etm_etmv3_decoder_init(&woven.decoder, &trial.config);
    woven.n = 0;
    put(trial.bytes, at);
    woven.decoder.state = ETM_ETMV3_PACKETS;
    for (; at < trial.n && woven.n < WOVEN - LONGEST * 160; at += n) {
        n = etm_etmv3_decoder_next(&woven.decoder, trial.bytes + at,
                                   trial.n - at, &packet);
        if (n == 0) /* an A-sync is of zeros, up to another byte */
            for (n = 1; at + n < trial.n && trial.bytes[at + n - 1] == 0;)
                n++;
        put(trial.bytes + at, n);
        if (woven.plain.flow.etmv3.synced && random_chance(r, often)) {
            unsigned row = random_chance(r, 1) ? 150 : 1 + random_below(r, 4);

            woven.odd = random_chance(r, 50);
            put_waits(r);
            for (; row != 0 && woven.n < WOVEN - 2 * LONGEST; row--) {
                if (random_chance(r, others))
                    put_other(r);
                else
                    put_sync(r);
                if (random_chance(r, 20))
                    put_waits(r);
            }
            put_waits(r);
        }
    }
    side_fini(&woven.plain);
}

TEST(restarts_are_the_same_on_the_fast_path)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    size_t all = 0, fast = 0;

    for (unsigned long i = seed; i < seed + n; i++) {
        struct etm_image *image;

        if (i % 2 == 0)
            trial_make(&trial, ETM_PROTOCOL_ETMV3, i, false);
        else
            trial_make_calm(&trial, ETM_PROTOCOL_ETMV3, i);
        if (trial.config.thumb32_split) /* has no fast path */
            continue;
        image = program_image(&trial.program);
        weave(image, &trial.r);
        for (unsigned k = 0; k < 2 * LEVELS; k++) {
            uint32_t any = random_below(&trial.r, (uint32_t)woven.n);
            size_t blocks = k < LEVELS ? 0 : 1 + random_below(&trial.r, 40);
            struct fast_result result =
                fast_compare(&trial.config, image, levels[k % LEVELS], blocks,
                             woven.bytes, woven.n);

            if (result.wrong != NULL) {
                config_print(&trial.config);
                fail_msg("ETM_TEST_SEED=%lu: level %d, %zu blocks: %s at byte "
                         "%zu of %zu",
                         i, (int)levels[k % LEVELS], blocks, result.wrong,
                         result.at, woven.n);
            }
            fast += result.fast;
            all += woven.n;
            if (k + 1 >= LEVELS) /* once more, with damage */
                woven.bytes[any] ^= (uint8_t)(1u << any % 8);
        }
        etm_image_free(image);
    }
    printf("%zu of %zu bytes took the fast path\n", fast, all);
    assert_true(fast > all / 10 * 4); /* many are in the middle of a step */
}

static int hear(void *context, const struct etm_element *elements, size_t n)
{
    uint64_t *ends = context;

    for (size_t i = 0; i < n; i++)
        *ends += elements[i].kind == ETM_ELEMENT_END;
    return ETM_OK;
}

/* The status of a decoder that has memory so many times. */
static int decode_with(unsigned times, enum etm_level level,
                       const struct etm_image *image)
{
    struct scarce scarce = {.left = times};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    uint64_t ends = 0;
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &trial.config,
                                     .image = image,
                                     .level = level,
                                     .elements = hear,
                                     .context = &ends,
                                     .allocator = &allocator};
    struct etm_decoder *decoder;
    int status = etm_decoder_new(&decoder, &how);

    if (status != ETM_OK)
        return status;
    status = etm_decoder_push(decoder, woven.bytes, woven.n);
    scarce.left = UINT32_MAX;
    assert_int_equal(etm_decoder_finish(decoder), status);
    assert_int_equal(ends, status == ETM_OK);
    etm_decoder_free(decoder);
    return status;
}

TEST(memory_may_run_out_where_tracing_restarts)
{
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    unsigned failed = 0;

    for (unsigned long i = seed; i < seed + 20; i++) {
        struct etm_image *image;
        int status = ETM_ERR_MEMORY;

        trial_make_calm(&trial, ETM_PROTOCOL_ETMV3, i);
        image = program_image(&trial.program);
        weave(image, &trial.r);
        for (unsigned n = 0; status == ETM_ERR_MEMORY; n++, failed++)
            status = decode_with(n, levels[i % LEVELS], image);
        assert_ok(status);
        etm_image_free(image);
    }
    assert_true(failed > 20 * 10);
}

/* Entries of the program, each with a branch to where no code is. */
#define ENTRIES 600u

/*
 * The walk stands where there is no code, and tracing restarts at code that was
 * not seen before: no memory is left for that. An A-sync stands between, so
 * that the chart begins with the I-sync. `others`: entries that branch to
 * themselves, so that it is not always the same of both for which memory grows.
 */
static struct etm_image *leave_for_nowhere(unsigned others)
{
    struct etm_image *image;
    static uint8_t code[4 * ENTRIES]; /* the image borrows it */

    woven.n = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        const uint8_t part[] = {0,
                                0,
                                0,
                                0,
                                0,
                                0x80, /* A-sync */
                                0x08,
                                0x21, /* I-sync: tracing began */
                                (uint8_t)(4 * i),
                                (uint8_t)(0x10 + i / 64),
                                0,
                                0,
                                0x84}; /* E */
        uint32_t branch = i < others ? 0xeafffffe : 0xea100000;

        memcpy(woven.bytes + woven.n, part, sizeof part);
        woven.n += sizeof part;
        for (unsigned k = 0; k < 4; k++)
            code[4 * i + k] = (uint8_t)(branch >> 8 * k);
    }
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x1000, code, sizeof code, NULL));
    return image;
}

TEST(memory_may_be_short_after_missing_code)
{
    trial.config = (struct etm_config){.size = sizeof trial.config,
                                       .protocol = ETM_PROTOCOL_ETMV3,
                                       .minor = 5};
    for (unsigned others = 0; others < 4; others++) {
        struct etm_image *image = leave_for_nowhere(others);

        for (size_t i = 0; i < LEVELS; i++) {
            int status = ETM_ERR_MEMORY;

            for (unsigned n = 0; status == ETM_ERR_MEMORY; n++)
                status = decode_with(n, levels[i], image);
            assert_ok(status);
        }
        etm_image_free(image);
    }
}
