/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that repeat themselves: ETMv3 at ETM_LEVEL_COUNTS and
 * ETM_LEVEL_COVERAGE beside ETM_LEVEL_RANGES, and the fast path beside the slow
 * one, for programs that come by the same places again and again. ARM and Thumb
 * code with direct and indirect branches, instructions that fail, ways without
 * any branch that are longer than a block, interrupts, parts that
 * are not traced, or of which no code is known, timestamps, damage.
 * ETM_TEST_ROUNDS=N runs N streams, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "counts_side.h"
#include "fast_side.h"
#include "random.h"

#include <etm/model.h>

#define ROUNDS 60u
#define STREAM 40000u
#define ARM_INSNS 2048u
#define THUMB_INSNS 1024u
#define THUMB_BASE (4 * ARM_INSNS)
#define PLAIN 700u  /* so many without a branch */
#define APART 1200u /* instructions of a part by itself */
#define APART_END 1600u

static uint8_t code[4 * ARM_INSNS + 2 * THUMB_INSNS];
static struct random r;
static uint64_t now; /* of the timestamps */

static struct {
    bool missing;  /* no code of the part by itself is known */
    bool filtered; /* it is not traced */
} apart;

static struct {
    uint8_t bytes[STREAM + 4096];
    size_t n;
} stream;

static uint32_t below(uint32_t n)
{
    return random_below(&r, n);
}

static uint32_t get(uint32_t at, unsigned size)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < size; i++)
        word |= (uint32_t)code[at + i] << 8 * i;
    return word;
}

static void put(uint32_t at, unsigned size, uint32_t word)
{
    for (unsigned i = 0; i < size; i++)
        code[at + i] = (uint8_t)(word >> 8 * i);
}

static uint32_t arm_insn(uint32_t at)
{
    uint32_t cond = below(2) != 0 ? 0xe0000000u : 0; /* AL, EQ */
    uint32_t to = 4 * below(ARM_INSNS);

    switch (below(10)) {
    case 0: /* BX LR */
        return cond | 0x012fff1e;
    case 1: /* BL */
        return cond | 0x0b000000 | ((to - at - 8) >> 2 & 0xffffff);
    case 2: /* B */
    case 3:
        return cond | 0x0a000000 | ((to - at - 8) >> 2 & 0xffffff);
    default: /* MOV r0, r0 */
        return (below(4) != 0 ? 0xe0000000u : 0) | 0x01a00000;
    }
}

static uint32_t thumb_insn(void)
{
    switch (below(6)) {
    case 0: /* BX LR */
        return 0x4770;
    case 1: /* BEQ, forward */
        return 0xd000 | below(100);
    default: /* NOP */
        return 0xbf00;
    }
}

static struct etm_image *make_image(void)
{
    struct etm_image *image;
    uint32_t last = THUMB_BASE - 4;

    for (uint32_t at = 0; at < last; at += 4)
        put(at, 4,
            at >= 4 * 100 && at < 4 * (100 + PLAIN) ? 0xe1a00000
                                                    : arm_insn(at));
    put(last, 4, 0xea000000 | ((0 - last - 8) >> 2 & 0xffffff)); /* B 0 */
    for (uint32_t i = 0; i < THUMB_INSNS; i++)
        put(THUMB_BASE + 2 * i, 2,
            i < THUMB_INSNS - 200 ? thumb_insn() : 0x4770);
    last = apart.missing ? 4 * APART_END : 0;
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(
        etm_image_add(image, last, code + last, sizeof code - last, NULL));
    if (apart.missing)
        assert_ok(etm_image_add(image, 0, code, 4 * APART, NULL));
    return image;
}

static struct etm_place place_of(uint32_t random)
{
    if (random % 8 != 0)
        return (struct etm_place){.address = random / 8 % ARM_INSNS * 4,
                                  .isa = ETM_ISA_ARM};
    return (struct etm_place){.address = THUMB_BASE +
                                         random / 8 % (THUMB_INSNS / 2) * 2,
                              .isa = ETM_ISA_THUMB};
}

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= sizeof stream.bytes - stream.n);
    memcpy(stream.bytes + stream.n, bytes, n);
    stream.n += n;
    return ETM_OK;
}

/* One instruction; *at becomes where it leads. What is decided goes by `here`.
 */
static struct etm_event step(struct etm_place *at, struct random *here,
                             bool *returns)
{
    bool arm = at->isa == ETM_ISA_ARM;
    uint32_t word = get(at->address, arm ? 4 : 2), offset = 0;
    struct etm_event e = {.kind = ETM_EVENT_INSN, .cycles = 1};
    bool direct, conditional;

    if (random_chance(here, 10))
        e.cycles += random_below(here, 9);
    e.u.insn.address = at->address;
    e.u.insn.opcode = word;
    e.u.insn.isa = at->isa;
    e.u.insn.size = arm ? 4 : 2;
    if (arm) {
        direct = (word & 0x0e000000) == 0x0a000000;
        *returns = (word & 0x0fffffff) == 0x012fff1e;
        conditional = word >> 28 == 0;
        offset = 8 + (((word & 0xffffff) ^ 0x800000) - 0x800000) * 4;
    } else {
        direct = conditional = word >> 8 == 0xd0;
        *returns = word == 0x4770;
        offset = 4 + 2 * (word & 0xff);
    }
    e.u.insn.passed = !conditional || random_chance(here, 60);
    if (!e.u.insn.passed || (!direct && !*returns)) {
        at->address += e.u.insn.size;
        *returns = false;
        return e;
    }
    if (direct)
        at->address += offset;
    else
        *at = place_of(random_below(here, 1u << 30));
    e.u.insn.next = *at;
    return e;
}

static void begin(struct etm_generator *generator, struct etm_place at)
{
    struct etm_event e = {.kind = ETM_EVENT_TRACE_ON, .cycles = below(99)};

    e.u.trace_on.reason = ETM_TRACE_ON_START;
    e.u.trace_on.at = at;
    assert_ok(etm_generator_push(generator, &e, 1));
}

static void tell_time(struct etm_generator *generator)
{
    struct etm_event e = {.kind = ETM_EVENT_TIMESTAMP};

    e.u.timestamp.value = now += below(9999);
    assert_ok(etm_generator_push(generator, &e, 1));
}

static bool is_filtered(struct etm_place at)
{
    return apart.filtered && at.address / 4 >= APART &&
           at.address / 4 < APART_END;
}

/* Out of the part that is not traced; timestamps are. */
static struct etm_place leave(struct etm_generator *generator,
                              struct etm_place at, struct random *here,
                              bool stamped)
{
    const struct etm_event off = {.kind = ETM_EVENT_TRACE_OFF};
    bool returns;

    if (stamped && below(2) != 0)
        tell_time(generator);
    assert_ok(etm_generator_push(generator, &off, 1));
    for (unsigned n = 0; is_filtered(at); n++)
        if (n < 100)
            (void)step(&at, here, &returns);
        else /* it may be a loop */
            at = place_of(random_below(here, 1u << 30));
    begin(generator, at);
    return at;
}

/* Ways that begin at one of a few places, and go on as they did before. */
static void make_stream(const struct etm_config *config, uint32_t places,
                        unsigned interrupts, unsigned times)
{
    struct etm_generator_config how = {
        .size = sizeof how, .config = config, .bytes = keep};
    struct etm_event e;
    struct etm_generator *generator;
    struct etm_place at = place_of(8);
    struct random here = r;

    stream.n = 0;
    now = 0;
    assert_ok(etm_generator_new(&generator, &how));
    begin(generator, at);
    while (stream.n < STREAM) {
        bool returns;

        if (is_filtered(at))
            at = leave(generator, at, &here, times != 0);
        if (below(1000) < times)
            tell_time(generator);
        e = step(&at, &here, &returns);
        if (returns && random_chance(&r, 20)) {
            here.state = 1 + below(places);
            at = place_of((uint32_t)here.state * 2654435761u);
            e.u.insn.next = at;
        }
        assert_ok(etm_generator_push(generator, &e, 1));
        if (below(1000) < interrupts) {
            e = (struct etm_event){.kind = ETM_EVENT_EXCEPTION};
            e.u.exception.type = ETM_EXCEPTION_IRQ;
            e.u.exception.cancels = random_chance(&r, 50);
            at = place_of(0x18 * 2);
            e.u.exception.next = at;
            assert_ok(etm_generator_push(generator, &e, 1));
        }
    }
    etm_generator_free(generator);
}

/* Some bytes are others, or missing. */
static void damage(void)
{
    for (unsigned n = 1 + below(8); n != 0; n--) {
        size_t at = below((uint32_t)stream.n - 64), some = 1 + below(40);

        if (below(2) != 0) {
            stream.bytes[at] = (uint8_t)below(256);
            continue;
        }
        stream.n -= some;
        memmove(stream.bytes + at, stream.bytes + at + some, stream.n - at);
    }
}

static void compare(unsigned long seed)
{
    static const enum etm_level levels[] = {ETM_LEVEL_COUNTS,
                                            ETM_LEVEL_COVERAGE};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .profile = ETM_PROFILE_A,
                                .trace_id = 0x10};
    struct counts_way way = {.piece = STREAM + 4096};
    struct etm_image *image;
    const char *wrong;

    r.state = seed;
    config.minor = (uint8_t)(1 + below(5));
    config.timestamps = config.minor == 5;
    config.cycle_accurate = below(2) != 0;
    config.alternative_branches = config.minor > 3 && below(2) != 0;
    config.context_id_bytes = (uint8_t)(below(2) * (1 + below(2)));
    config.sync_period = below(2) != 0 ? 1024 : 100 + below(3900);
    if (random_chance(&r, 30))
        way.blocks = 200 + below(2000);
    if (random_chance(&r, 50))
        way.piece = 16 + below(3000);
    apart.missing = below(2) != 0;
    apart.filtered = below(4) != 0;
    image = make_image();
    make_stream(&config, 3 + below(40), below(3) * 3,
                config.timestamps ? below(5) : 0);
    if (random_chance(&r, 30))
        damage();
    wrong = counts_compare(&config, image, &way, stream.bytes, stream.n);
    for (unsigned i = 0; wrong == NULL && i < 2; i++)
        wrong = fast_compare(&config, image, levels[i], way.blocks,
                             stream.bytes, stream.n)
                    .wrong;
    etm_image_free(image);
    if (wrong != NULL)
        fail_msg("ETM_TEST_SEED=%lu: %s", seed, wrong);
}

TEST(what_repeats_is_counted_each_time)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    /* a branch packet to Thumb code, which ends the loop, after one within ARM
     * code */
    compare(1090);
    for (; n != 0; n--, seed++)
        compare(seed);
}
