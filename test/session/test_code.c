/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a decoder keeps of the code: it forgets when that becomes too much, in
 * the middle of the fast paths too, and the elements are the same. And code
 * that changes: another decoder sees what is there now.
 */
#include "../support/test.h"
#include "pairs_support.h"

#include "../support/used.h"
#include "image/counts.h"
#include "session/decoder.h"

#define PAIRS 40000u

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

TEST(a_limit_changes_no_element)
{
    static const size_t limits[] = {1, 7, 1000};
    struct etm_test_elements all = {0}, some = {0};
    struct etm_image *image;

    write_code(PAIRS, PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        stream.n = 0;
        /* three times: what was forgotten is met again */
        for (unsigned i = 0; i < 3; i++)
            trace_pairs(&configs[c], 3600);
        for (size_t k = 0; k < LEVELS; k++) {
            uint64_t counts, again;

            (void)decode(&configs[c], image, levels[k], 0, BYTES, &all,
                         &counts);
            assert_true(etm_level_counts(levels[k]) ? counts != 0
                                                    : all.n > 6000);
            for (size_t i = 0; i < 3; i++) {
                (void)decode(&configs[c], image, levels[k], limits[i],
                             i == 1 ? 61 : BYTES, &some, &again);
                assert_true(etm_test_same_all(&all, &some));
                assert_true(counts == again);
            }
        }
    }
    etm_image_free(image);
    free(all.all);
    free(some.all);
}

/* In one push, so that only the fast paths themselves can stop for it. */
TEST(memory_stays_in_the_limit)
{
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

    write_code(PAIRS, PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        stream.n = 0;
        trace_pairs(&configs[c], PAIRS / 5 * 3);
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
        uint32_t to = BASE + 8 * pair;
        uint8_t i_sync[6] = {0x08, 0x21, 0x21, 0x21, 0x21, 0x21};
        uint8_t *address = i_sync + (protocol == ETM_PROTOCOL_PFT ? 1 : 2);

        for (unsigned i = 0; i < 4; i++)
            address[i] = (uint8_t)(to >> 8 * i);
        (void)keep_bytes(NULL, i_sync, sizeof i_sync);
    }
}

TEST(memory_stays_in_the_limit_where_only_addresses_come)
{
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

    write_code(PAIRS, PLAIN);
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
TEST(a_decoder_that_begins_again_gives_the_same)
{
    struct etm_test_elements all = {0}, some = {0};
    struct etm_image *image;
    uint64_t counts;

    write_code(PAIRS, PLAIN);
    image = image_of_code();
    for (size_t c = 0; c < CONFIGS; c++) {
        struct etm_decoder_config how = {.config = &configs[c],
                                         .image = image,
                                         .elements = etm_test_collect,
                                         .context = &some};
        struct etm_decoder *d;

        stream.n = 0;
        trace_pairs(&configs[c], 1200);
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
            assert_true(etm_test_same_all(&all, &some));
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

TEST(there_may_be_any_number_of_contexts)
{
    static const uint8_t self[] = {0xfe, 0xff, 0xff, 0xea};
    static const struct etm_space space = {ETM_UNKNOWN, true, 5};
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;

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
TEST(changed_code_is_seen_by_the_next_decoder)
{
    static const uint32_t changed = 0xe1a01001; /* mov r1, r1 */
    struct etm_test_elements out = {0};
    struct etm_image *image;
    uint64_t counts;
    uint8_t *loaded;

    for (size_t c = 0; c < CONFIGS; c++) {
        write_code(PAIRS, PLAIN);
        image = image_of_code();
        stream.n = 0;
        trace_pairs(&configs[c], 600);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, PLAIN);
        /* the program wrote over itself: the borrowed bytes are others now */
        write_code(PAIRS, changed);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, changed);
        /* other code was loaded there: a region that hides the old one */
        write_code(PAIRS, PLAIN);
        loaded = malloc(sizeof code);
        assert_non_null(loaded);
        memcpy(loaded, code, sizeof code);
        write_code(PAIRS, changed);
        OK(etm_image_add_copy(image, BASE, loaded, sizeof code, NULL));
        free(loaded);
        (void)decode(&configs[c], image, ETM_LEVEL_INSTRUCTIONS, 0, BYTES, &out,
                     &counts);
        assert_first(&out, PLAIN);
        etm_image_free(image);
    }
    free(out.all);
}
