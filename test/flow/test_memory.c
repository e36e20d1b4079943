/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: it does not grow with the stream, whatever its bytes are. After the
 * beginning of a random one come a few bytes again and again, its own or any,
 * some of them with another context ID each time, and what the decoder asks of
 * its allocator is counted. And it may run out.
 */
#include "../support/receive.h"
#include "../support/test.h"
#include "proto/etmv2.h"
#include "streams.h"

#include "../support/scarce.h"
#include "../support/used.h"

#include <etm/decode.h>

#define PATTERNS 12u

/* Bytes that are repeated, at the most. */
#define PATTERN 12u

/* Bytes of repetitions, and of each call. */
#define LONG ((size_t)1 << 20)
#define CALL ((size_t)1 << 14)

/* What is held back for an instruction fits in, and not an element for each
 * packet of so many bytes. */
#define ENOUGH ((size_t)12 << 20)

static const enum etm_level levels[] = {ETM_LEVEL_RANGES,
                                        ETM_LEVEL_INSTRUCTIONS,
                                        ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};
#define LEVELS (sizeof levels / sizeof *levels)

static struct used memory;

RECEIVE(ignore, const struct etm_element *)

/* A packet with the next context ID; its size. */
static size_t put_context(uint8_t *pattern, uint32_t id)
{
    unsigned n = stream.config.context_id_bytes;

    pattern[0] = 0x6e; /* in ETMv3 and PFT */
    for (unsigned i = 0; i < n; i++)
        pattern[1 + i] = (uint8_t)(id >> 8 * i);
    return 1 + n;
}

/* Each repetition of the stream begins with another context ID. */
static bool has_contexts(void)
{
    return stream.config.context_id_bytes == 4 &&
           (stream.config.protocol == ETM_PROTOCOL_ETMV3 ||
            stream.config.protocol == ETM_PROTOCOL_PFT) &&
           stream_chance(50);
}

/* A few bytes of the trace itself, or any. */
static size_t make_pattern(uint8_t *pattern)
{
    size_t n = 1 + stream_below(stream_chance(50) ? 3 : PATTERN);

    if (stream.n > PATTERN && stream_chance(60))
        memcpy(pattern,
               stream.bytes + stream_below((uint32_t)(stream.n - PATTERN)), n);
    else
        for (size_t i = 0; i < n; i++)
            pattern[i] = (uint8_t)stream_below(256);
    for (unsigned i = stream_chance(30); i > 0; i--)
        pattern[stream_below((uint32_t)n)] ^= (uint8_t)(1u << stream_below(8));
    return n;
}

static void repeat(const struct etm_image *image)
{
    static uint8_t call[LONG];
    static const struct etm_allocator counting = {used_resize, &memory};
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &stream.config,
                                        .image = image,
                                        .level =
                                            (enum etm_level)stream_below(3),
                                        .elements = ignore,
                                        .allocator = &counting};
    struct etm_decoder *d;
    uint8_t pattern[5 + PATTERN];
    bool contexts = has_contexts();
    size_t n = contexts ? put_context(pattern, 0) : 0, at = 0;
    uint32_t id = 0;
    size_t piece = stream_chance(50) ? CALL : LONG;

    n += make_pattern(pattern + n);
    memory.now = memory.most = 0;
    assert_ok(etm_decoder_new(&d, &config));
    assert_ok(etm_decoder_push(d, stream.bytes,
                               stream_below((uint32_t)stream.n + 1)));
    for (size_t done = 0; done < LONG && memory.most < ENOUGH; done += piece) {
        for (size_t i = 0; i < piece; i++, at = (at + 1) % n) {
            if (at == 0 && contexts)
                put_context(pattern, id++);
            call[i] = pattern[at];
        }
        assert_ok(etm_decoder_push(d, call, piece));
    }
    assert_ok(etm_decoder_finish(d));
    etm_decoder_free(d);
    if (memory.most < ENOUGH)
        return;
    print_message("again and again:");
    for (size_t i = 0; i < n; i++)
        print_message(" %02x", pattern[i]);
    stream_fail("level %d: %zu bytes at a time", (int)config.level,
                memory.most);
}

static void check_bounded(const struct etm_image *image)
{
    for (unsigned j = 0; j < PATTERNS; j++)
        repeat(image);
}

/* What came of a stream made by hand. */
struct seen {
    unsigned n_data, n_exceptions;
    uint8_t index[4];
    bool owned[4], cancels[4];
};

static int see(void *context, const struct etm_element *e, size_t n)
{
    struct seen *seen = context;

    for (size_t i = 0; i < n; i++) {
        if (e[i].kind == ETM_ELEMENT_DATA) {
            assert_true(seen->n_data < 4);
            seen->index[seen->n_data] = e[i].u.data.index;
            seen->owned[seen->n_data++] = e[i].u.data.insn_known;
        } else if (e[i].kind == ETM_ELEMENT_EXCEPTION) {
            assert_true(seen->n_exceptions < 4);
            seen->cancels[seen->n_exceptions++] =
                e[i].u.exception.cancels_known;
        }
    }
    return ETM_OK;
}

/* ETMv3.1 of this code: LDM r0, {r1-r5}; B to itself. */
static const uint8_t code[8] = {0x3e, 0x00, 0x90, 0xe8, 0xfe, 0xff, 0xff, 0xea};

/* After an A-sync and an I-sync: one executed (12), and values of two words */
#define FIRST 13u /* offset of the first value */
static const uint8_t begins[] = {0,    0,    0,    0,    0,    0x80,
                                 0x08, 0x21, 0x00, 0x80, 0x00, 0,
                                 0x84, 0x06, 3,    0x06, 4};

/* `begins`, a byte so often, and `ends`, in pieces of any size. */
static struct seen see_stream(const struct etm_config *config,
                              enum etm_level level, const uint8_t *first,
                              size_t n_first, uint8_t byte, size_t n,
                              const uint8_t *ends, size_t n_ends)
{
    static uint8_t bytes[1u << 18];
    struct etm_decoder_config how = {
        .size = sizeof how, .config = config, .level = level, .elements = see};
    struct seen seen = {0};
    struct etm_image *image;
    struct etm_decoder *d;
    size_t all = n_first + n + n_ends;

    assert_true(all <= sizeof bytes);
    memcpy(bytes, first, n_first);
    memset(bytes + n_first, byte, n);
    if (n_ends != 0)
        memcpy(bytes + n_first + n, ends, n_ends);
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, code, sizeof code, NULL));
    how.image = image;
    how.context = &seen;
    assert_ok(etm_decoder_new(&d, &how));
    for (size_t at = 0, piece; at < all; at += piece) {
        piece = 1 + stream_below(stream_chance(50) ? 5 : 30000);
        piece = piece < all - at ? piece : all - at;
        assert_ok(etm_decoder_push(d, bytes + at, piece));
    }
    assert_ok(etm_decoder_finish(d));
    etm_decoder_free(d);
    etm_image_free(image);
    return seen;
}

/* ETMv3.1 of that load multiple. */
static const struct etm_config loads = {.size = sizeof loads,
                                        .protocol = ETM_PROTOCOL_ETMV3,
                                        .minor = 1,
                                        .data_value = true};

/* ETMv3.4, M profile, of code that nobody knows: one executed, an exception
 * exit and a value of what it pops; another value, and an exception that may
 * cancel the pop (7.5.4). */
static const struct etm_config pops = {.size = sizeof pops,
                                       .protocol = ETM_PROTOCOL_ETMV3,
                                       .minor = 4,
                                       .profile = ETM_PROFILE_M,
                                       .data_value = true};
static const uint8_t pop[] = {0,    0, 0, 0, 0,    0x80, 0x08, 0x21,
                              0x01, 1, 0, 0, 0x84, 0x76, 0x06, 3};
static const uint8_t cancels[] = {0x06, 4, 0x81, 0x84, 0x80, 0x80, 0x50, 0x24};
static const uint8_t excepts[] = {0x06, 4, 0x81, 0x84, 0x80, 0x80, 0x50, 0x04};

static const uint8_t value[] = {0x06, 5, 0x84};
static const uint8_t irq[] = {0x0c, 0x8d, 0x80, 0x80, 0x80, 0x48, 0x3c};

/* E-375: 8192 bytes of the stream after its first packet; atoms, so that the
 * last of them begins so far after it. */
#define MUCH (FIRST + 8192 + 1 - sizeof begins)

/* A byte so often between the first bytes and the last ones. */
#define HAND(name, config, first, byte, n, ends, ...)                          \
    {                                                                          \
        name, &config, first, sizeof first, n, ends, sizeof ends,              \
            {__VA_ARGS__}, byte                                                \
    }

static const struct hand {
    const char *name;
    const struct etm_config *config;
    const uint8_t *first;
    size_t n_first, n;
    const uint8_t *ends;
    size_t n_ends;
    struct seen seen;
    uint8_t byte;
} hands[] = {
    HAND("a load multiple goes on", loads, begins, 0x84, MUCH, value,
         .n_data = 3, .owned = {true, true, true}, .index = {2, 3, 4}),
    HAND("a load multiple is over", loads, begins, 0x84, MUCH + 1, value,
         .n_data = 3, .owned = {true, true}, .index = {3, 4, 255}),
    /* E-376: triggers after an instruction, and an IRQ that cancels it; with
     * the instruction and its two values, 65536 elements */
    HAND("an instruction is cancelled", loads, begins, 0x0c, 65532, irq,
         .n_exceptions = 1, .cancels = {true}),
    HAND("an instruction is final", loads, begins, 0x0c, 65533, irq,
         .n_exceptions = 1, .n_data = 2, .owned = {true, true},
         .index = {3, 4}),
    /* E-375: a pop is over with the next instruction, however much comes before
     * that; E-376: or when it cannot be cancelled any more */
    HAND("a pop is cancelled", pops, pop, 0x0c, 20000, cancels,
         .n_exceptions = 1),
    HAND("a pop is complete", pops, pop, 0x0c, 20000, excepts,
         .n_exceptions = 1, .n_data = 2, .index = {6, 7}),
    /* which leaves the instruction, of which only the address is known */
    HAND("a pop is final", pops, pop, 0x0c, 66000, cancels, .n_exceptions = 1,
         .cancels = {true}, .n_data = 2, .index = {7, 255}),
};

TEST(what_is_held_back_ends_at_the_limit)
{
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++)
        for (unsigned k = 0; k < 3; k++) {
            const struct hand *h = &hands[i];
            struct seen seen =
                see_stream(h->config, levels[k], h->first, h->n_first, h->byte,
                           h->n, h->ends, h->n_ends);

            if (memcmp(&seen, &h->seen, sizeof seen) != 0)
                fail_msg("%s: not so at level %u: %u data %u %u %d %d, %u "
                         "exceptions %d",
                         h->name, k, seen.n_data, seen.index[0], seen.index[1],
                         seen.owned[0], seen.owned[1], seen.n_exceptions,
                         seen.cancels[0]);
        }
}

/* With so many triggers behind it, an instruction is final (E-376): in ETMv2
 * one executed, triggers, and in a cycle without an instruction the address of
 * the IRQ vector with E = 1 (6.7.1). */
TEST(an_instruction_of_etmv2_is_final_as_well)
{
    static const struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_ETMV2, .minor = 1};
    static const uint8_t first[] = {7,    0x09, 4, 0x20, 4, 0, 4,
                                    0x80, 4,    0, 4,    0, 0, 0};
    static const uint8_t last[] = {5, 0x8d, 4, 0x80, 4, 0x80,
                                   4, 0x80, 4, 0x48, 0, 0};
    static uint8_t bytes[1u << 18];

    memcpy(bytes, first, sizeof first);
    for (size_t i = sizeof first; i < sizeof bytes; i++)
        bytes[i] = i % 2 == 0 ? ETM_ETMV2_TR : ETM_ETMV2_WT;
    for (unsigned k = 0; k < 6; k++) {
        size_t triggers = 65535 + k / 3;
        struct seen seen =
            see_stream(&config, levels[k % 3], bytes,
                       sizeof first + 2 * triggers, 0, 0, last, sizeof last);

        assert_int_equal(seen.n_exceptions, 1);
        assert_int_equal(seen.cancels[0], k < 3);
    }
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
                                     .config = &stream.config,
                                     .image = image,
                                     .level = level,
                                     .elements = hear,
                                     .context = &ends,
                                     .allocator = &allocator};
    struct etm_decoder *decoder;
    int status = etm_decoder_new(&decoder, &how);

    if (status != ETM_OK)
        return status;
    status = etm_decoder_push(decoder, stream.bytes, stream.n);
    scarce.left = UINT32_MAX;
    assert_int_equal(etm_decoder_finish(decoder), status);
    assert_int_equal(ends, status == ETM_OK);
    etm_decoder_free(decoder);
    return status;
}

static void check_short(const struct etm_image *image)
{
    int status = ETM_ERR_MEMORY;
    unsigned n = 0;

    for (; status == ETM_ERR_MEMORY; n++)
        status = decode_with(n, levels[stream_below(LEVELS)], image);
    assert_ok(status);
    assert_true(n > 5);
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
    static uint8_t entries[4 * ENTRIES]; /* the image borrows it */

    stream.n = 0;
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

        memcpy(stream.bytes + stream.n, part, sizeof part);
        stream.n += sizeof part;
        for (unsigned k = 0; k < 4; k++)
            entries[4 * i + k] = (uint8_t)(branch >> 8 * k);
    }
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x1000, entries, sizeof entries, NULL));
    return image;
}

TEST(memory_may_be_short_after_missing_code)
{
    stream.config = (struct etm_config){.size = sizeof stream.config,
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

#define BOUNDED(kind)                                                          \
    {                                                                          \
        "bounded", NULL, STREAM_##kind, 3, check_bounded, NULL, 0              \
    }
#define SHORT(kind, rounds)                                                    \
    {                                                                          \
        "short", NULL, STREAM_##kind, rounds, check_short, NULL, 0             \
    }

int main(int argc, char **argv)
{
    static const struct stream_test streams[] = {
        BOUNDED(ETMV1),       BOUNDED(ETMV2),        BOUNDED(ETMV3),
        BOUNDED(DATA),        BOUNDED(PFT),          SHORT(ETMV3_WOVEN, 20),
        SHORT(PFT_MIXED, 10), SHORT(DATA_MIXED, 10), SHORT(ETMV2, 40),
        SHORT(ETMV1, 40)};
    return argc > 1 ? stream_main(argc, argv, streams,
                                  sizeof streams / sizeof *streams)
                    : tests_run();
}
