/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that come by the same places again and again, where what was made of
 * them once is used again: PFT in code that is nothing but branches, calls and
 * returns of both instruction sets; ETMv3 in code with direct and indirect
 * branches, instructions that fail, ways without any branch that are longer
 * than a block, interrupts, parts that are not traced, or of which no code is
 * known, and timestamps.
 */
#include "streams.h"

#include <etm/model.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STREAM 40000u
#define ARM_INSNS 2048u
#define THUMB_INSNS 1024u
#define THUMB_BASE (4 * ARM_INSNS)
#define PLAIN 700u  /* so many without a branch */
#define APART 1200u /* instructions of a part by itself */
#define APART_END 1600u

/* Of PFT: pages of ARM and Thumb code in turn, from address 0 on. */
#define PAGE 1024u
#define PAGES 32u

static uint8_t code[PAGES * PAGE];
static uint64_t now; /* of the timestamps */
static bool deep;    /* hardly a call returns */

static struct {
    bool missing;  /* no code of the part by itself is known */
    bool filtered; /* it is not traced */
} apart;

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

static void put_arm(uint32_t at)
{
    uint32_t to = at / (2 * PAGE) * 2 * PAGE + 4 * stream_below(PAGE / 4);
    uint32_t cond = stream_below(2) != 0 ? 0xe0000000u : 0; /* AL, EQ */

    switch (stream_below(8)) {
    case 0: /* BLX into the next page */
        put(at, 4, 0xfa000000 | (PAGE / 4 - 2));
        break;
    case 1: /* BX LR, or MOV */
    case 2:
        put(at, 4,
            deep && stream_below(20) != 0 ? 0xe1a00000 : cond | 0x012fff1e);
        break;
    case 3: /* BL */
    case 4:
        put(at, 4, cond | 0x0b000000 | ((to - at - 8) >> 2 & 0xffffff));
        break;
    default: /* B */
        put(at, 4, cond | 0x0a000000 | ((to - at - 8) >> 2 & 0xffffff));
    }
}

static void put_thumb(uint32_t at)
{
    uint32_t half = 0xd000 | stream_below(256); /* BEQ */
    uint32_t off;

    switch (stream_below(6)) {
    case 0: /* BLX into the page before */
        off = ((at + 4) & ~UINT32_C(3)) - PAGE - (at + 4);
        off = 0 - (PAGE + (at & 3));
        put(at, 4,
            (0xf400 | (off >> 12 & 0x3ff)) | (0xe800 | (off >> 2 & 0x3ff) << 1)
                                                 << 16);
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
    put(at, 4, half | (0xd000 | stream_below(256)) << 16);
}

static struct etm_image *make_pages(void)
{
    struct etm_image *image;

    for (uint32_t at = 0; at < sizeof code; at += 4)
        if (at / PAGE % 2 == 0)
            put_arm(at);
        else
            put_thumb(at);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, 0, code, sizeof code, NULL), ETM_OK);
    return image;
}

/* I-syncs at one of a few places, and atoms after each, which are often those
 * that followed it before. */
static void make_pft(uint32_t places)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};
    struct random here = stream.r;
    size_t n = sizeof a_sync;

    memcpy(stream.bytes, a_sync, sizeof a_sync);
    while (n < STREAM) {
        uint32_t place = stream_below(places), atoms = 1 + stream_below(40);
        uint32_t at = place * 2654435761u % (PAGES * PAGE / 4) * 4;

        stream.bytes[n++] = 0x08;
        stream.bytes[n++] = (uint8_t)((at & 0xff) | (at / PAGE % 2));
        stream.bytes[n++] = (uint8_t)(at >> 8);
        stream.bytes[n++] = (uint8_t)(at >> 16);
        stream.bytes[n++] = 0;
        stream.bytes[n++] =
            0x21; /* begins again: the image may be wrong before */
        here.state = place + 1;
        for (; atoms != 0; atoms--) {
            struct random *from = stream_chance(97) ? &here : &stream.r;

            /* up to five, more often E than N */
            stream.bytes[n++] =
                (uint8_t)(0x84 |
                          (random_below(from, 31) & random_below(from, 32))
                              << 2 |
                          (random_chance(from, 20) ? 2u : 0));
        }
    }
    stream.n = n;
}

struct etm_image *stream_repeat_pft(void)
{
    struct etm_image *image;

    stream.config = (struct etm_config){.size = sizeof stream.config,
                                        .protocol = ETM_PROTOCOL_PFT,
                                        .minor = 1,
                                        .return_stack = stream_chance(70),
                                        .sync_period = 1024};
    deep = stream_chance(30);
    image = make_pages();
    make_pft(stream_chance(50) ? 10 : 2000);
    return image;
}

static uint32_t arm_insn(uint32_t at)
{
    uint32_t cond = stream_below(2) != 0 ? 0xe0000000u : 0; /* AL, EQ */
    uint32_t to = 4 * stream_below(ARM_INSNS);

    switch (stream_below(10)) {
    case 0: /* BX LR */
        return cond | 0x012fff1e;
    case 1: /* BL */
        return cond | 0x0b000000 | ((to - at - 8) >> 2 & 0xffffff);
    case 2: /* B */
    case 3:
        return cond | 0x0a000000 | ((to - at - 8) >> 2 & 0xffffff);
    default: /* MOV r0, r0 */
        return (stream_below(4) != 0 ? 0xe0000000u : 0) | 0x01a00000;
    }
}

static uint32_t thumb_insn(void)
{
    switch (stream_below(6)) {
    case 0: /* BX LR */
        return 0x4770;
    case 1: /* BEQ, forward */
        return 0xd000 | stream_below(100);
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
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, last, code + last,
                                   THUMB_BASE + 2 * THUMB_INSNS - last, NULL),
                     ETM_OK);
    if (apart.missing)
        assert_int_equal(etm_image_add(image, 0, code, 4 * APART, NULL),
                         ETM_OK);
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
    assert_true(n <= TRIAL_BYTES - stream.n);
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
    struct etm_event e = {.kind = ETM_EVENT_TRACE_ON,
                          .cycles = stream_below(99)};

    e.u.trace_on.reason = ETM_TRACE_ON_START;
    e.u.trace_on.at = at;
    assert_int_equal(etm_generator_push(generator, &e, 1), ETM_OK);
}

static void tell_time(struct etm_generator *generator)
{
    struct etm_event e = {.kind = ETM_EVENT_TIMESTAMP};

    e.u.timestamp.value = now += stream_below(9999);
    assert_int_equal(etm_generator_push(generator, &e, 1), ETM_OK);
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

    if (stamped && stream_below(2) != 0)
        tell_time(generator);
    assert_int_equal(etm_generator_push(generator, &off, 1), ETM_OK);
    for (unsigned n = 0; is_filtered(at); n++)
        if (n < 100)
            (void)step(&at, here, &returns);
        else /* it may be a loop */
            at = place_of(random_below(here, 1u << 30));
    begin(generator, at);
    return at;
}

/* Ways that begin at one of a few places, and go on as they did before. */
static void make_etmv3(uint32_t places, unsigned interrupts, unsigned times)
{
    struct etm_generator_config how = {
        .size = sizeof how, .config = &stream.config, .bytes = keep};
    struct etm_event e;
    struct etm_generator *generator;
    struct etm_place at = place_of(8);
    struct random here = stream.r;

    stream.n = 0;
    now = 0;
    assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
    begin(generator, at);
    while (stream.n < STREAM) {
        bool returns;

        if (is_filtered(at))
            at = leave(generator, at, &here, times != 0);
        if (stream_below(1000) < times)
            tell_time(generator);
        e = step(&at, &here, &returns);
        if (returns && stream_chance(20)) {
            here.state = 1 + stream_below(places);
            at = place_of((uint32_t)here.state * 2654435761u);
            e.u.insn.next = at;
        }
        assert_int_equal(etm_generator_push(generator, &e, 1), ETM_OK);
        if (stream_below(1000) < interrupts) {
            e = (struct etm_event){.kind = ETM_EVENT_EXCEPTION};
            e.u.exception.type = ETM_EXCEPTION_IRQ;
            e.u.exception.cancels = stream_chance(50);
            at = place_of(0x18 * 2);
            e.u.exception.next = at;
            assert_int_equal(etm_generator_push(generator, &e, 1), ETM_OK);
        }
    }
    etm_generator_free(generator);
}

struct etm_image *stream_repeat_etmv3(void)
{
    struct etm_config *config = &stream.config;
    struct etm_image *image;

    *config = (struct etm_config){.size = sizeof *config,
                                  .protocol = ETM_PROTOCOL_ETMV3,
                                  .profile = ETM_PROFILE_A,
                                  .trace_id = 0x10};
    config->minor = (uint8_t)(1 + stream_below(5));
    config->timestamps = config->minor == 5;
    config->cycle_accurate = stream_below(2) != 0;
    config->alternative_branches = config->minor > 3 && stream_below(2) != 0;
    config->context_id_bytes =
        (uint8_t)(stream_below(2) * (1 + stream_below(2)));
    config->sync_period =
        stream_below(2) != 0 ? 1024 : 100 + stream_below(3900);
    apart.missing = stream_below(2) != 0;
    apart.filtered = stream_below(4) != 0;
    image = make_image();
    make_etmv3(3 + stream_below(40), stream_below(3) * 3,
               config->timestamps ? stream_below(5) : 0);
    return image;
}
