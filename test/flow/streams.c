/* SPDX-License-Identifier: Apache-2.0 */
#include "streams.h"

#include "../model/port_walk.h"
#include "../support/setting.h"
#include "proto/etmv1.h"
#include "proto/itm.h"
#include "proto/sample.h"
#include "support/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Records that come again and again: longer than anything is held back (E-375).
 */
#define STUTTER 9000u

#define ITM 600u /* bytes of its streams */

struct trial stream;

static const char *const names[] = {"pft",
                                    "etmv3",
                                    "data",
                                    "etmv2",
                                    "etmv1",
                                    "pft-calm",
                                    "etmv3-calm",
                                    "pft-mixed",
                                    "etmv3-mixed",
                                    "data-mixed",
                                    "etmv3-woven",
                                    "pft-repeated",
                                    "etmv3-repeated",
                                    "itm"};

/* Where the stream at hand comes from. */
static struct {
    enum stream_kind kind;
    unsigned long seed;
} at;

/* A part of the code, some of it in one security state or context alone. */
static struct etm_image *part_image(void)
{
    const struct program *p = &stream.program;
    const uint8_t *bytes = p->bytes;
    struct etm_image *image;

    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    for (unsigned i = 0; i < p->n_regions; i++) {
        struct etm_space space = {ETM_UNKNOWN, false, 0};
        uint32_t size = p->regions[i].size;

        if (stream_chance(20))
            size -= stream_below(size / 4) * 4;
        if (stream_chance(20))
            space.secure = stream_chance(50) ? ETM_TRUE : ETM_FALSE;
        space.has_context = stream_chance(5);
        if (stream_chance(90))
            assert_int_equal(etm_image_add(image, p->regions[i].address, bytes,
                                           size, &space),
                             ETM_OK);
        bytes += p->regions[i].size;
    }
    return image;
}

static void generate(struct etm_generator_config *how,
                     const struct etm_event *events, size_t n)
{
    how->config = &stream.config;
    stream.n = trace_make(how, events, n, stream.bytes, TRIAL_BYTES);
}

static struct etm_image *make_port(enum etm_protocol protocol)
{
    static struct port_walk walk;
    struct etm_generator_config how = {.config = &stream.config};

    port_config_make(&stream.config, protocol, 55, &stream.r);
    if (protocol == ETM_PROTOCOL_ETMV1) {
        how.fifo_size =
            (uint8_t)(stream_chance(55) ? UINT8_MAX : 9 + stream_below(50));
    } else {
        if (stream_chance(50))
            stream.config.sync_period = 400;
        how.fold_branches = stream_chance(40);
        how.cancelled_as_failed = stream_chance(20);
        how.full_addresses = stream_chance(5);
        how.branch_before_data = stream_chance(15);
        how.fifo_size = (uint8_t)(stream_chance(75) ? 90 : stream_below(96));
    }
    program_make(&stream.program, &stream.config, &stream.r);
    port_walk_make(&walk, &stream.program, &how, &stream.r);
    generate(&how, walk.events, walk.n);
    return program_image(&stream.program);
}

/* Packets of an ITM, whatever sends them. */
static struct etm_packet any_packet(void)
{
    uint32_t value = (uint32_t)random_next(&stream.r);
    uint8_t tag = (uint8_t)(value % 4);

    switch ((uint32_t)random_next(&stream.r) % 8) {
    case 0:
        return (struct etm_packet){.kind = ETM_PACKET_SYNCHRONIZATION};
    case 1:
        return (struct etm_packet){.kind = ETM_PACKET_LOCAL_TIMESTAMP,
                                   .value = value % 100000,
                                   .tag = tag};
    case 2:
        return (struct etm_packet){.kind = ETM_PACKET_PC_SAMPLE,
                                   .fields = ETM_FIELD_ADDRESS,
                                   .address = value & ~1u,
                                   .value_bytes = 4};
    case 3:
        return (struct etm_packet){.kind = ETM_PACKET_OVERFLOW};
    case 4:
        return (struct etm_packet){.kind = ETM_PACKET_EVENT_COUNTER,
                                   .value = value % 64};
    default:
        return (struct etm_packet){.kind = ETM_PACKET_INSTRUMENTATION,
                                   .tag = (uint8_t)(value % 32),
                                   .value = value & 0xffu,
                                   .value_bytes = 1};
    }
}

static struct etm_image *make_itm(void)
{
    struct etm_writer w = etm_writer_of(stream.bytes, ITM);
    struct etm_image *image;

    stream.config = (struct etm_config){.size = sizeof stream.config,
                                        .protocol = ETM_PROTOCOL_ITM};
    while ((size_t)(w.end - w.next) > ETM_PACKET_ENCODED_MAX) {
        struct etm_packet p = any_packet();

        assert_int_equal(etm_itm_encode(&stream.config, &p, &w), ETM_OK);
    }
    stream.n = etm_writer_size(&w);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    return image;
}

struct etm_image *stream_make(enum stream_kind kind, unsigned long seed)
{
    struct etm_image *image;

    at.kind = kind;
    at.seed = seed;
    stream.r.state = seed;
    switch (kind) {
    case STREAM_ETMV1:
        return make_port(ETM_PROTOCOL_ETMV1);
    case STREAM_ETMV2:
        return make_port(ETM_PROTOCOL_ETMV2);
    case STREAM_ITM:
        return make_itm();
    case STREAM_PFT_REPEATED:
        return stream_repeat_pft();
    case STREAM_ETMV3_REPEATED:
        return stream_repeat_etmv3();
    case STREAM_PFT:
    case STREAM_PFT_MIXED:
        trial_make(&stream, ETM_PROTOCOL_PFT, seed, false);
        break;
    case STREAM_ETMV3:
    case STREAM_ETMV3_MIXED:
        trial_make(&stream, ETM_PROTOCOL_ETMV3, seed, seed % 2 != 0);
        break;
    case STREAM_DATA:
    case STREAM_DATA_MIXED:
        trial_make_data(&stream, seed);
        break;
    case STREAM_PFT_CALM:
        trial_make_calm(&stream, ETM_PROTOCOL_PFT, seed);
        break;
    case STREAM_ETMV3_CALM:
        trial_make_calm(&stream, ETM_PROTOCOL_ETMV3, seed);
        break;
    case STREAM_ETMV3_WOVEN:
        if (seed % 2 != 0)
            trial_make_calm(&stream, ETM_PROTOCOL_ETMV3, seed);
        else
            trial_make(&stream, ETM_PROTOCOL_ETMV3, seed, false);
        break;
    case STREAM_KINDS:
        break;
    }
    image = seed % 3 == 0 ? part_image() : program_image(&stream.program);
    if (kind == STREAM_PFT_MIXED || kind == STREAM_ETMV3_MIXED ||
        kind == STREAM_DATA_MIXED)
        stream_mix();
    if (kind == STREAM_ETMV3_WOVEN)
        stream_weave(image);
    return image;
}

/* Damage */

/* A few bits fall over, or a stretch is missing. */
static size_t spoil_bytes(uint8_t *to, size_t n)
{
    uint32_t size = (uint32_t)n, from, gone;

    if (stream_chance(70)) {
        for (unsigned i = 1 + stream_below(4); i > 0; i--)
            to[stream_below(size)] ^= (uint8_t)(1u << stream_below(8));
        return n;
    }
    from = stream_below(size);
    gone = 1 + stream_below(size - from < 200 ? size - from : 200);
    memmove(to + from, to + from + gone, n - from - gone);
    n -= gone;
    return stream_chance(60) ? n : stream_below((uint32_t)n + 1);
}

/* One record says something else: another one's status or packets, or any;
 * TRACESYNC, or not; a trigger with TRACESYNC, whose cycle has no packet all
 * the same (5.1.1). */
static void spoil_record(uint8_t *record, const uint8_t *other)
{
    switch (
        stream_below(stream.config.protocol == ETM_PROTOCOL_ETMV1 ? 6 : 3)) {
    case 0:
        record[0] = other[0];
        break;
    case 1:
        record[1] = other[1];
        break;
    case 2:
        record[1] = (uint8_t)random_next(&stream.r);
        break;
    case 3:
        record[0] ^= ETM_SAMPLE_SYNC;
        break;
    case 4:
        record[0] = (uint8_t)(random_next(&stream.r) & 0x87);
        break;
    case 5:
        record[1] = record[0] & ETM_SAMPLE_STATUS;
        record[0] = ETM_SAMPLE_SYNC | ETM_ETMV1_TR;
        break;
    }
}

/* Records that are others, are missing, or come from elsewhere: few or many. */
static size_t spoil_records(uint8_t *to, size_t size)
{
    size_t n = stream.n / size, from = 0, made = 0;
    uint32_t every = stream_chance(50) ? 200 : 10 + stream_below(2000);

    for (size_t i = 0; i < n; i++, from++) {
        bool hit = stream_below(every) == 0;
        uint32_t kind = hit ? stream_below(4) : 4;

        if (kind == 0) { /* once more, or an older one goes on */
            uint32_t back = stream_chance(70) ? 24 : (uint32_t)n;

            from -= stream_below(back < from ? back : (uint32_t)from + 1);
        }
        if (kind == 1 || from >= n)
            continue;
        memcpy(to + made, stream.bytes + from * size, size);
        if (kind == 2 || kind == 3)
            spoil_record(to + made,
                         stream.bytes + stream_below((uint32_t)n) * size);
        made += size;
    }
    return made;
}

/* A few records again and again. */
static size_t stutter(uint8_t *to, size_t size)
{
    size_t few = (1 + stream_below(stream_chance(50) ? 2 : 12)) * size, end;
    size_t from = stream_below((uint32_t)(stream.n / size)) * size;

    if (stream.n + 2 * STUTTER > TRIAL_BYTES || few > stream.n - from)
        return 0;
    memcpy(to, stream.bytes, from + few);
    for (end = from + few; end < from + STUTTER; end += size)
        memcpy(to + end, to + end - few, size);
    memcpy(to + end, stream.bytes + from, stream.n - from);
    return end + stream.n - from;
}

/* Records that mean nothing. */
static size_t noise(uint8_t *to, size_t size)
{
    uint64_t calm = stream_chance(50) ? 0x05 : 0x87;

    for (size_t i = 0; i < 600 * size; i++) {
        to[i] = (uint8_t)random_next(&stream.r);
        if (i % size == 0 && stream_chance(99))
            to[i] &= (uint8_t)(stream_chance(30) ? 0x8f : calm);
    }
    return 600 * size;
}

size_t stream_damage(uint8_t *to)
{
    /* a data address that is too long (7.4.2) */
    static const uint8_t bad[] = {0x22, 0x80, 0x80, 0x80, 0x80, 0x80};
    bool records = stream.config.protocol == ETM_PROTOCOL_ETMV1 ||
                   stream.config.protocol == ETM_PROTOCOL_ETMV2;
    size_t size = records ? etm_sample_size(&stream.config) : 1, from = 0;
    uint32_t kind = stream_below(100);

    if (stream.n < 64)
        return 0;
    if (records && kind < 40)
        return spoil_records(to, size);
    if (records && kind < 50)
        return noise(to, size);
    if (records && kind < 53)
        return stutter(to, size);
    if (kind > 90) /* it begins anywhere */
        from = stream_below((uint32_t)stream.n - 32);
    if (stream_chance(80))
        from -= from % size;
    memcpy(to, stream.bytes + from, stream.n - from);
    if (from != 0)
        return stream.n - from;
    if (!records && kind < 10)
        memcpy(to + stream_below((uint32_t)(stream.n - sizeof bad)), bad,
               sizeof bad);
    return spoil_bytes(to, stream.n);
}

static void run(void **state)
{
    const struct stream_test *test = *state;
    unsigned long n = setting("ETM_TEST_ROUNDS", test->rounds);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = seed; i < seed + n; i++) {
        struct etm_image *image = stream_make(test->kind, i);

        test->check(image);
        etm_image_free(image);
    }
    if (test->end != NULL && n >= test->rounds) /* fewer may be all of a kind */
        test->end(test->least);
}

int stream_main(int argc, char **argv, const struct stream_test *tests,
                size_t n)
{
    struct CMUnitTest some[STREAM_KINDS * 2];
    size_t n_some = 0;

    for (size_t i = 0; i < n; i++) {
        const struct stream_test *test = &tests[i];

        if (argc > 1 && strcmp(argv[1], test->group) != 0)
            continue;
        some[n_some++] = (struct CMUnitTest){
            .name = test->name != NULL ? test->name : names[test->kind],
            .test_func = run,
            .initial_state = (void *)(uintptr_t)test};
    }
    return n_some == 0
               ? 1
               : _cmocka_run_group_tests("streams", some, n_some, NULL, NULL);
}

void stream_fail(const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    config_print(&stream.config);
    fail_msg("%s, ETM_TEST_SEED=%lu: %s", names[at.kind], at.seed, text);
}
