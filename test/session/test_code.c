/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a decoder keeps of the code: it forgets when that becomes too much, in
 * the middle of the fast paths too, and the elements are the same. And code
 * that changes: another decoder sees what is there now.
 */
#include "../support/status.h"
#include "../support/used.h"
#include "support/capture.h"

#include "image/counts.h"
#include "session/decoder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <etm/model.h>

/* A long program of ARM code: pairs of an instruction and a branch, of which
 * some may fail and some are indirect. */
#define PAIRS 40000u
#define BASE 0x100000u
#define PLAIN 0xe1a00000u    /* mov r0, r0 */
#define SKIP 0x1a000001u     /* bne to the pair after the next */
#define INDIRECT 0xe12fff1eu /* bx lr */
#define BYTES (1u << 20)

static uint8_t code[8 * PAIRS];

static struct {
    uint8_t data[BYTES];
    size_t n;
} stream;

static int keep_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= BYTES - stream.n);
    memcpy(stream.data + stream.n, bytes, n);
    stream.n += n;
    return ETM_OK;
}

static void put_word(uint32_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        code[at + i] = (uint8_t)(word >> 8 * i);
}

static uint32_t second_of(uint32_t pair)
{
    return pair % 97 == 96 ? INDIRECT : SKIP;
}

static void write_code(uint32_t first)
{
    for (uint32_t i = 0; i < PAIRS; i++) {
        put_word(8 * i, first);
        put_word(8 * i + 4, second_of(i));
    }
}

static struct etm_place place(uint32_t pair)
{
    return (struct etm_place){.address = BASE + 8 * pair, .isa = ETM_ISA_ARM};
}

/* Both instructions of a pair; returns the one that comes next. */
static uint32_t execute(struct etm_event e[2], uint32_t first, uint32_t pair,
                        uint32_t *random)
{
    bool passed = pair % 97 == 96 || etm_test_random(random) % 3 != 0;
    uint32_t next = passed ? pair + 2 : pair + 1;

    memset(e, 0, 2 * sizeof *e);
    for (uint32_t i = 0; i < 2; i++) {
        e[i].kind = ETM_EVENT_INSN;
        e[i].cycles = 1;
        e[i].u.insn.address = BASE + 8 * pair + 4 * i;
        e[i].u.insn.opcode = i == 0 ? first : second_of(pair);
        e[i].u.insn.isa = ETM_ISA_ARM;
        e[i].u.insn.size = 4;
        e[i].u.insn.passed = i == 0 || passed;
    }
    if (passed)
        e[1].u.insn.next = place(next);
    return next;
}

/* The trace of one way through `pairs` of it, after what there is. */
static void trace(const struct etm_config *config, uint32_t first,
                  uint32_t pairs)
{
    struct etm_generator_config how = {
        .size = sizeof how, .config = config, .bytes = keep_bytes};
    struct etm_event e[2] = {{.kind = ETM_EVENT_TRACE_ON}};
    struct etm_generator *g;
    uint32_t random = 1;

    e[0].u.trace_on.reason = ETM_TRACE_ON_START;
    e[0].u.trace_on.at = place(0);
    OK(etm_generator_new(&g, &how));
    OK(etm_generator_push(g, e, 1));
    for (uint32_t pair = 0; pair + 2 < pairs;) {
        pair = execute(e, first, pair, &random);
        OK(etm_generator_push(g, e, 2));
    }
    OK(etm_generator_finish(g));
    etm_generator_free(g);
}

static const struct etm_config configs[] = {
    {.protocol = ETM_PROTOCOL_PFT, .minor = 1},
    {.protocol = ETM_PROTOCOL_PFT, .minor = 1, .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5, .cycle_accurate = true},
};

#define CONFIGS (sizeof configs / sizeof *configs)

static const enum etm_level levels[] = {ETM_LEVEL_RANGES,
                                        ETM_LEVEL_INSTRUCTIONS,
                                        ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};

#define LEVELS (sizeof levels / sizeof *levels)

/* Executions of all ranges, as one number for each range. */
static int sum_count(void *context, const struct etm_count *count)
{
    uint64_t *sum = context;

    *sum += (count->start * UINT64_C(31) + count->end +
             UINT64_C(1000003) * count->last_exec) *
            count->n;
    return ETM_OK;
}

/* Decode the stream in pieces; returns the most memory that it took. */
static size_t decode(const struct etm_config *config,
                     const struct etm_image *image, enum etm_level level,
                     size_t limit, size_t piece, struct etm_test_elements *out,
                     uint64_t *counts)
{
    struct used memory = {0};
    struct etm_allocator allocator = {used_resize, &memory};
    struct etm_decoder_config how = {.config = config,
                                     .image = image,
                                     .level = level,
                                     .elements = etm_test_collect,
                                     .context = out,
                                     .allocator = &allocator};
    struct etm_decoder *d;

    out->n = 0;
    *counts = 0;
    OK(etm_decoder_new(&d, &how));
    if (limit != 0)
        etm_decoder_limit(d, limit);
    for (size_t at = 0; at < stream.n; at += piece)
        OK(etm_decoder_push(d, stream.data + at,
                            stream.n - at < piece ? stream.n - at : piece));
    OK(etm_decoder_finish(d));
    if (etm_level_counts(level))
        OK(etm_decoder_counts(d, sum_count, counts));
    etm_decoder_free(d);
    assert_int_equal(memory.now, 0);
    return memory.most;
}

static void assert_same(const struct etm_test_elements *a,
                        const struct etm_test_elements *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++)
        assert_true(etm_test_same(&a->all[i], &b->all[i]));
}

static struct etm_image *image_of_code(void)
{
    struct etm_image *image;

    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, BASE, code, sizeof code, NULL));
    return image;
}

static void a_limit_changes_no_element(void **state)
{
    static const size_t limits[] = {1, 7, 1000};
    struct etm_test_elements all = {0}, some = {0};
    struct etm_image *image;

    (void)state;
    write_code(PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        stream.n = 0;
        /* three times: what was forgotten is met again */
        for (unsigned i = 0; i < 3; i++)
            trace(&configs[c], PLAIN, 6000);
        for (size_t k = 0; k < LEVELS; k++) {
            uint64_t counts, again;

            (void)decode(&configs[c], image, levels[k], 0, BYTES, &all,
                         &counts);
            assert_true(etm_level_counts(levels[k]) ? counts != 0
                                                    : all.n > 6000);
            for (size_t i = 0; i < 3; i++) {
                (void)decode(&configs[c], image, levels[k], limits[i],
                             i == 1 ? 61 : BYTES, &some, &again);
                assert_same(&all, &some);
                assert_true(counts == again);
            }
        }
    }
    etm_image_free(image);
    free(all.all);
    free(some.all);
}

/* In one push, so that only the fast paths themselves can stop for it. */
static void memory_stays_in_the_limit(void **state)
{
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

    (void)state;
    write_code(PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        stream.n = 0;
        trace(&configs[c], PLAIN, PAIRS);
        for (size_t k = 0; k < LEVELS; k++) {
            size_t without =
                decode(&configs[c], image, levels[k], 0, BYTES, &out, &counts);
            size_t with = decode(&configs[c], image, levels[k], 1000, BYTES,
                                 &out, &counts);

            /* rows of counts stay, whatever is kept of the code */
            if (with >
                (etm_level_counts(levels[k]) ? without / 4 * 3 : without / 4))
                fail_msg("configuration %zu, level %d: %zu bytes of %zu", c,
                         (int)levels[k], with, without);
        }
    }
    etm_image_free(image);
    free(out.all);
}

/* I-syncs only, each to another place of which no instruction is traced. */
static void i_syncs(enum etm_protocol protocol)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

    stream.n = 0;
    (void)keep_bytes(NULL, a_sync, sizeof a_sync);
    for (uint32_t pair = 0; pair < PAIRS; pair++) {
        uint32_t to = place(pair).address;
        uint8_t i_sync[6] = {0x08, 0x21, 0x21, 0x21, 0x21, 0x21};
        uint8_t *address = i_sync + (protocol == ETM_PROTOCOL_PFT ? 1 : 2);

        for (unsigned i = 0; i < 4; i++)
            address[i] = (uint8_t)(to >> 8 * i);
        (void)keep_bytes(NULL, i_sync, sizeof i_sync);
    }
}

static void memory_stays_in_the_limit_where_only_addresses_come(void **state)
{
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

    (void)state;
    write_code(PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        if (configs[c].cycle_accurate)
            continue;
        i_syncs((enum etm_protocol)configs[c].protocol);
        for (size_t k = 0; k < LEVELS; k++) {
            size_t most = decode(&configs[c], image, levels[k], 1000, BYTES,
                                 &out, &counts);

            assert_int_equal(out.n, PAIRS + 1);
            if (most > 900000)
                fail_msg("configuration %zu, level %d: %zu bytes", c,
                         (int)levels[k], most);
        }
    }
    etm_image_free(image);
    free(out.all);
}

/* Begun again at any place, with whatever blocks there are. */
static void a_decoder_that_begins_again_gives_the_same(void **state)
{
    struct etm_test_elements all = {0}, some = {0};
    struct etm_image *image;
    uint64_t counts;

    (void)state;
    write_code(PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        struct etm_decoder_config how = {.config = &configs[c],
                                         .image = image,
                                         .elements = etm_test_collect,
                                         .context = &some};
        struct etm_decoder *d;

        stream.n = 0;
        trace(&configs[c], PLAIN, 2000);
        (void)decode(&configs[c], image, ETM_LEVEL_RANGES, 0, BYTES, &all,
                     &counts);
        OK(etm_decoder_new(&d, &how));
        etm_decoder_limit(d, 100);
        for (size_t n = 0; n < stream.n; n += 53) {
            OK(etm_decoder_push(d, stream.data, n));
            etm_decoder_restart(d, 0);
            some.n = 0;
            OK(etm_decoder_push(d, stream.data, stream.n));
            OK(etm_decoder_finish(d));
            assert_same(&all, &some);
            etm_decoder_restart(d, 0);
        }
        etm_decoder_free(d);
    }
    etm_image_free(image);
    free(all.all);
    free(some.all);
}

/* More contexts than numbers of 16 bits; a branch to itself in each. */
#define CONTEXTS 70000u

static void context_ids(enum etm_protocol protocol)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};
    static const uint8_t pft[] = {0x08, 0, 0x80, 0, 0, 0x21, 0, 0, 0, 0};
    static const uint8_t etmv3[] = {0x08, 0, 0, 0, 0, 0x21, 0, 0x80, 0, 0};

    stream.n = 0;
    (void)keep_bytes(NULL, a_sync, sizeof a_sync);
    (void)keep_bytes(NULL, protocol == ETM_PROTOCOL_PFT ? pft : etmv3,
                     sizeof pft);
    for (uint32_t i = 1; i <= CONTEXTS; i++) {
        uint8_t packets[6] = {0x6e, 0, 0, 0, 0, 0x84};

        for (unsigned k = 0; k < 4; k++)
            packets[1 + k] = (uint8_t)(i >> 8 * k);
        (void)keep_bytes(NULL, packets, sizeof packets);
    }
}

static void there_may_be_any_number_of_contexts(void **state)
{
    static const uint8_t self[] = {0xfe, 0xff, 0xff, 0xea};
    static const struct etm_space space = {ETM_UNKNOWN, true, 5};
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

    (void)state;
    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, 0x8000, self, 4, NULL));
    OK(etm_image_add(image, 0x9000, self, 4, &space));
    for (size_t c = 0; c < CONFIGS; c++) {
        struct etm_config config = configs[c];

        if (config.cycle_accurate)
            continue;
        config.context_id_bytes = 4;
        context_ids((enum etm_protocol)config.protocol);
        for (size_t k = 0; k < LEVELS; k++) {
            size_t most =
                decode(&config, image, levels[k], 0, BYTES, &out, &counts);

            /* trace_on, end */
            assert_int_equal(
                out.n,
                levels[k] == ETM_LEVEL_COVERAGE
                    ? 2
                    : 2 + CONTEXTS * (levels[k] == ETM_LEVEL_COUNTS ? 1 : 2));
            if (most > 4000000)
                fail_msg("configuration %zu, level %d: %zu bytes", c,
                         (int)levels[k], most);
        }
    }
    etm_image_free(image);
    free(out.all);
}

/* The first instruction of each pair, as the elements have it. */
static void assert_first(const struct etm_test_elements *e, uint32_t first)
{
    size_t n = 0;

    for (size_t i = 0; i < e->n; i++) {
        if (e->all[i].kind != ETM_ELEMENT_INSN ||
            e->all[i].u.insn.address % 8 != 0)
            continue;
        assert_int_equal(e->all[i].u.insn.opcode, first);
        n++;
    }
    assert_in_range(n, 500, 1000);
}

/* As <etm/decode.h> says: one decoder up to the change, another one from the
 * next synchronization on. */
static void changed_code_is_seen_by_the_next_decoder(void **state)
{
    static const uint32_t changed = 0xe1a01001; /* mov r1, r1 */
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;
    uint8_t *loaded;

    (void)state;
    for (size_t c = 0; c < CONFIGS; c++) {
        write_code(PLAIN);
        image = image_of_code();
        stream.n = 0;
        trace(&configs[c], PLAIN, 1000);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, PLAIN);
        /* the program wrote over itself: the borrowed bytes are others now */
        write_code(changed);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, changed);
        /* other code was loaded there: a region that hides the old one */
        write_code(PLAIN);
        loaded = malloc(sizeof code);
        assert_non_null(loaded);
        memcpy(loaded, code, sizeof code);
        write_code(changed);
        OK(etm_image_add_copy(image, BASE, loaded, sizeof code, NULL));
        free(loaded);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, PLAIN);
        etm_image_free(image);
    }
    free(out.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_changes_no_element),
        cmocka_unit_test(memory_stays_in_the_limit),
        cmocka_unit_test(memory_stays_in_the_limit_where_only_addresses_come),
        cmocka_unit_test(a_decoder_that_begins_again_gives_the_same),
        cmocka_unit_test(there_may_be_any_number_of_contexts),
        cmocka_unit_test(changed_code_is_seen_by_the_next_decoder),
    };

    return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
