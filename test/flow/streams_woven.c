/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3 where tracing restarts again and again: I-syncs are put between the
 * packets of random traces, most of them changing only the position, if that;
 * and so is what else may stand there: A-syncs, timestamps, periodic I-syncs,
 * exceptions, and their exits.
 */
#include "side.h"
#include "streams.h"

#include <string.h>

/* Bytes of a trace with its I-syncs, and of the packet that may be put last. */
#define WOVEN 200000u
#define LONGEST 64u

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
    any = random_chance(r, 10) ? program_any(&stream.program, r, isa) : NO_SLOT;
    if (any != NO_SLOT)
        address = stream.program.slots[any].address;
    if (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE)
        address |= 1;
    return is_odd(r, 1) ? address ^ 1u << random_below(r, 12) : address;
}

static void put_sync(struct random *r)
{
    const struct etm_etmv3_flow *flow = &woven.plain.flow.etmv3;
    const struct etm_config *c = &stream.config;
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
    for (unsigned i = 0; i < stream.config.context_id_bytes; i++)
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
    size_t most = stream.config.timestamp_64bit ? 9 : 7;
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
    if (stream.config.minor >= 4 && random_chance(r, 30))
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
    unsigned any = program_any(&stream.program, r, to);

    if (!flow->walk.known || isa == ETM_ISA_JAZELLE || any == NO_SLOT)
        return;
    put_exception(stream.program.slots[any].address, to, r);
    for (unsigned n = random_below(r, 4); n != 0; n--)
        switch (random_below(r, 4)) {
        case 0:
            put_periodic(r);
            break;
        case 1:
            if (stream.config.minor >= 5)
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
    const struct etm_config *c = &stream.config;

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
        put(&waits[stream.config.cycle_accurate][random_below(r, 2)], 1);
}

/* The trace of `trial`, with so many I-syncs and others in 100 packets and now
 * and then a row of them that is longer than a chart. */
void stream_weave(const struct etm_image *image)
{
    struct random *r = &stream.r;
    unsigned often = 1 + random_below(r, 50);
    unsigned others = random_below(r, 101); /* of 100, and not I-syncs */
    struct etm_packet packet;
    size_t at = 6, n;

    side_init(&woven.plain, &stream.config, image, ETM_LEVEL_RANGES);
    etm_etmv3_decoder_init(&woven.decoder, &stream.config);
    woven.n = 0;
    put(stream.bytes, at);
    woven.decoder.state = ETM_ETMV3_PACKETS;
    for (; at < stream.n && woven.n < WOVEN - LONGEST * 160; at += n) {
        n = etm_etmv3_decoder_next(&woven.decoder, stream.bytes + at,
                                   stream.n - at, &packet);
        if (n == 0) /* an A-sync is of zeros, up to another byte */
            for (n = 1; at + n < stream.n && stream.bytes[at + n - 1] == 0;)
                n++;
        put(stream.bytes + at, n);
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
    memcpy(stream.bytes, woven.bytes, woven.n);
    stream.n = woven.n;
}
