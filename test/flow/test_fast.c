/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of PFT and ETMv3 beside the plain one of the same protocol:
 * both take the same bytes, step by step, and must be in the same state and
 * give the same elements whenever the fast one stops. ETM_TEST_ROUNDS=N runs N
 * random executions of each protocol, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/test.h"
#include "capture.h"
#include "trial.h"

#include "../support/setting.h"
#include "fast_side.h"

#define ROUNDS 3000u

static struct trial trial;

static const enum etm_level levels[] = {ETM_LEVEL_RANGES,
                                        ETM_LEVEL_INSTRUCTIONS,
                                        ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};
#define LEVELS (sizeof levels / sizeof *levels)

/* Fails the test if anything is not the same, where so many blocks are kept. */
static size_t check_few(const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        size_t blocks, const uint8_t *bytes, size_t n,
                        uint64_t seed)
{
    struct fast_result result =
        fast_compare(config, image, level, blocks, bytes, n);

    if (result.wrong != NULL) {
        printf("ETM_TEST_SEED=%llu: level %d, %zu blocks: ",
               (unsigned long long)seed, (int)level, blocks);
        config_print(config);
        fail_msg("%s at byte %zu of %zu", result.wrong, result.at, n);
    }
    return result.fast;
}

static size_t check(const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const uint8_t *bytes, size_t n, uint64_t seed)
{
    return check_few(config, image, level, 0, bytes, n, seed);
}

static void flip(uint8_t *bytes, size_t n, struct random *r)
{
    bytes[random_below(r, (uint32_t)n)] ^= (uint8_t)(1u << random_below(r, 8));
}

/* A data packet whose address is too long, somewhere (7.4.2). */
static void spoil(uint8_t *bytes, size_t n, struct random *r)
{
    static const uint8_t bad[] = {0x22, 0x80, 0x80, 0x80, 0x80, 0x80};

    if (n > sizeof bad)
        memcpy(bytes + random_below(r, (uint32_t)(n - sizeof bad)), bad,
               sizeof bad);
}

/* A part of the code, some of it in one security state or context alone. */
static struct etm_image *part_image(const struct program *p, struct random *r)
{
    struct etm_image *image;
    const uint8_t *bytes = p->bytes;

    assert_ok(etm_image_new(&image, NULL));
    for (unsigned i = 0; i < p->n_regions; i++) {
        struct etm_space space = {ETM_UNKNOWN, false, 0};
        uint32_t size = p->regions[i].size;

        if (random_chance(r, 20))
            size -= random_below(r, size / 4) * 4;
        if (random_chance(r, 20))
            space.secure = random_chance(r, 50) ? ETM_TRUE : ETM_FALSE;
        space.has_context = random_chance(r, 5);
        if (random_chance(r, 90))
            assert_ok(etm_image_add(image, p->regions[i].address, bytes, size,
                                    &space));
        bytes += p->regions[i].size;
    }
    return image;
}

/* Code for a trial: all of it, or a part. */
static struct etm_image *trial_image(unsigned long seed)
{
    return seed % 3 == 0 ? part_image(&trial.program, &trial.r)
                         : program_image(&trial.program);
}

/* What stands between instructions. */
enum between { ANYTHING, DATA, LITTLE };

static void make(enum etm_protocol protocol, enum between between,
                 unsigned long seed)
{
    switch (between) {
    case ANYTHING:
        trial_make(&trial, protocol, seed, true);
        break;
    case DATA:
        trial_make_data(&trial, seed);
        break;
    case LITTLE:
        trial_make_calm(&trial, protocol, seed);
        break;
    }
}

static void executions(enum etm_protocol protocol, enum etm_level level,
                       enum between between)
{
    unsigned long rounds = between == LITTLE           ? ROUNDS / 10
                           : level == ETM_LEVEL_RANGES ? ROUNDS
                                                       : ROUNDS / 2;
    bool most = protocol == ETM_PROTOCOL_PFT || between == LITTLE;
    unsigned long n = setting("ETM_TEST_ROUNDS", rounds);
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    size_t all = 0, fast = 0;

    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        make(protocol, between, seed + i);
        image = trial_image(seed + i);
        fast +=
            check(&trial.config, image, level, trial.bytes, trial.n, seed + i);
        all += trial.n;
        if ((seed + i) % 4 == 0)
            check_few(&trial.config, image, level, 1 + (seed + i) / 4 % 40,
                      trial.bytes, trial.n, seed + i);
        for (unsigned k = 0; k < 3; k++) {
            flip(trial.bytes, trial.n, &trial.r);
            check(&trial.config, image, level, trial.bytes, trial.n, seed + i);
        }
        if (between == DATA) {
            spoil(trial.bytes, trial.n, &trial.r);
            check(&trial.config, image, level, trial.bytes, trial.n, seed + i);
        }
        etm_image_free(image);
    }
    printf("%zu of %zu bytes took the fast path\n", fast, all);
    if (n >= rounds) /* fewer may be all of a kind */
        assert_true(fast > all / 10 * (most ? 9 : 4));
}

TEST(pft_is_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_PFT, ETM_LEVEL_RANGES, ANYTHING);
}

TEST(pft_instructions_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_PFT, ETM_LEVEL_INSTRUCTIONS, ANYTHING);
}

TEST(pft_counts_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_PFT, ETM_LEVEL_COUNTS, ANYTHING);
}

TEST(pft_coverage_is_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_PFT, ETM_LEVEL_COVERAGE, ANYTHING);
}

TEST(etmv3_coverage_is_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_COVERAGE, ANYTHING);
}

TEST(etmv3_is_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_RANGES, ANYTHING);
}

TEST(etmv3_instructions_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_INSTRUCTIONS, ANYTHING);
}

TEST(etmv3_counts_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_COUNTS, ANYTHING);
}

/* With many changes of the instruction set in a row. */
TEST(etmv3_without_interruptions_is_the_same_on_the_fast_path)
{
    for (size_t k = 0; k < LEVELS; k++)
        executions(ETM_PROTOCOL_ETMV3, levels[k], LITTLE);
}

TEST(etmv3_data_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_RANGES, DATA);
}

TEST(etmv3_data_and_instructions_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_INSTRUCTIONS, DATA);
}

TEST(etmv3_data_and_counts_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_COUNTS, DATA);
}

TEST(etmv3_data_and_coverage_are_the_same_on_the_fast_path)
{
    executions(ETM_PROTOCOL_ETMV3, ETM_LEVEL_COVERAGE, DATA);
}

/* Runs of instructions around the lengths where a block is full, a walk too far
 * and a step too large: each begins where the one before it ends. */
static size_t long_runs(struct etm_image *image, uint32_t *starts)
{
    static const unsigned runs[] = {1,    63,   64,   65,   128,  255,
                                    256,  257,  2047, 2048, 2049, 2112,
                                    2113, 2200, 5,    16400};
    static uint8_t code[4 * 32768];
    size_t at = 0;

    for (size_t i = 0; i < COUNT(runs); i++) {
        uint32_t branch = i % 3 != 0 ? 0x0affffffu : 0xeaffffffu; /* B next */

        starts[i] = 0x8000 + (uint32_t)at;
        for (unsigned n = 1; n <= runs[i]; n++, at += 4) {
            uint32_t insn = n < runs[i] ? 0xe1a00000u : branch; /* MOV */

            for (unsigned k = 0; k < 4; k++)
                code[at + k] = (uint8_t)(insn >> 8 * k);
        }
    }
    assert_ok(etm_image_add_copy(image, 0x8000, code, at, NULL));
    return COUNT(runs);
}

TEST(pft_long_runs_are_the_same_on_the_fast_path)
{
    struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_PFT, .minor = 1};
    struct random r = {.state = 7};
    struct etm_image *image;
    uint32_t starts[32];
    size_t fast = 0, runs;

    assert_ok(etm_image_new(&image, NULL));
    runs = long_runs(image, starts);
    for (unsigned trial_n = 0; trial_n < 300; trial_n++) {
        uint8_t bytes[6 + 40 * 12] = {0, 0, 0, 0, 0, 0x80};
        size_t n = 6;

        config.return_stack = trial_n % 2 != 0;
        while (n + 12 <= sizeof bytes) {
            uint32_t to = starts[random_below(&r, (uint32_t)runs)];

            bytes[n++] = 0x08; /* I-sync */
            for (unsigned k = 0; k < 4; k++)
                bytes[n++] = (uint8_t)(to >> 8 * k);
            bytes[n++] = 0x21; /* tracing begins */
            for (unsigned k = random_below(&r, 7); k != 0; k--)
                bytes[n++] = (uint8_t)(0x80 | random_below(&r, 64) << 1);
        }
        for (size_t l = 0; l < LEVELS; l++)
            fast += check(&config, image, levels[l], bytes, n, trial_n);
    }
    assert_true(fast != 0);
    etm_image_free(image);
}

/* An I-sync whose address no ARM instruction can have, then one without the
 * bit that is too many: it is gone, whatever follows. */
TEST(pft_forgets_a_bit_that_an_address_cannot_have)
{
    const struct etm_config config = {.size = sizeof config,
                                      .protocol = ETM_PROTOCOL_PFT,
                                      .profile = ETM_PROFILE_R};
    const uint8_t head[] = {
        0,    0,    0, 0, 0, 0x80, /* A-sync */
        0x08, 0x10, 0, 0, 0, 0x41, /* I-sync: 0x10, where there is no code */
        0xc0,                      /* EEEEE */
        0x08, 0x12, 0, 0, 0, 0x61, /* I-sync: 0x12 */
        0xc0,                      /* EEEEE */
        0x08, 0x10, 0, 0, 0, 0x41, /* and 0x10 */
    };
    uint8_t bytes[sizeof head + 200];
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    memset(bytes, 0xc0, sizeof bytes);
    memcpy(bytes, head, sizeof head);
    for (size_t l = 0; l < LEVELS; l++)
        (void)check(&config, image, levels[l], bytes, sizeof bytes, 0);
    etm_image_free(image);
}

/* A cycle count (PFT architecture, 4.4) of so many bytes. */
static size_t put_count(uint8_t *p, size_t n, struct random *r)
{
    p[0] = (uint8_t)(random_below(r, 16) << 2 | (n > 1 ? 0x40u : 0));
    for (size_t i = 1; i < n; i++)
        p[i] = (uint8_t)(random_below(r, i < 4 ? 128 : 16) |
                         (i + 1 < n ? 0x80u : 0));
    return n;
}

/* A branch address packet (4.5) of so many bytes to an ARM instruction below
 * 2 MB; what it does not say does not lead out of that. */
static size_t put_branch(uint8_t *p, size_t n, struct random *r)
{
    static const uint32_t values[] = {64, 128, 64, 1, 1};

    for (size_t i = 0; i < n; i++) {
        uint32_t most = i != 0 && i + 1 == n && n < 5 ? 64 : values[i];

        p[i] = (uint8_t)(random_below(r, most < values[i] ? most : values[i])
                             << (i == 0) |
                         (i == 0) | (i + 1 < n ? 0x80u : 0));
    }
    if (n == 5)
        p[4] = 0x08;
    return n;
}

/* Each length of a count after each length of an address, atom and I-sync. */
TEST(pft_cycle_counts_are_the_same_on_the_fast_path)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .minor = 1,
                                .cycle_accurate = true};
    static uint8_t code[1u << 21], bytes[4096];
    struct random r = {.state = 11};
    struct etm_image *image;
    size_t fast = 0, all = 0;

    for (size_t i = 0; i < sizeof code; i += 4) { /* BX LR, BEQ next */
        static const uint8_t insns[2][4] = {{0x1e, 0xff, 0x2f, 0xe1},
                                            {0xff, 0xff, 0xff, 0x0a}};

        memcpy(code + i, insns[i / 4 % 3 == 0], 4);
    }
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0, code, sizeof code, NULL));
    for (unsigned trial_n = 0; trial_n < 60; trial_n++) {
        static const uint8_t begin[] = {0,    0, 0, 0, 0, 0x80,
                                        0x08, 0, 0, 0, 0, 0x01};
        size_t n = sizeof begin;

        memcpy(bytes, begin, n);
        config.return_stack = trial_n % 2 != 0;
        while (n + 16 <= sizeof bytes) {
            uint8_t *p = bytes + n;
            uint32_t kind = random_below(&r, 8);

            if (kind == 0) { /* tracing begins again */
                memcpy(p, begin + 6, 6);
                p[2] = (uint8_t)random_below(&r, 256);
                p[5] = 0x21;
                n += 6;
            } else if (kind < 5) {
                n += put_branch(p, 1 + random_below(&r, 5), &r);
            }
            p = bytes + n;
            n += put_count(p, 1 + random_below(&r, 5), &r);
            if (kind >= 5)
                *p |= (uint8_t)(0x80 | random_below(&r, 2) << 1);
        }
        for (size_t l = 0; l < LEVELS; l++) {
            fast += check(&config, image, levels[l], bytes, n, trial_n);
            all += n;
        }
    }
    assert_true(fast > all / 2);
    etm_image_free(image);
}

/* A call that another context returns from, where other code is: entries of the
 * return stack are numbers of steps, which are those of one context. */
TEST(pft_returns_to_code_of_the_context_on_the_fast_path)
{
    static const struct etm_config config = {.size = sizeof config,
                                             .protocol = ETM_PROTOCOL_PFT,
                                             .minor = 1,
                                             .return_stack = true,
                                             .context_id_bytes = 1};
    static const uint8_t code[2][20] = {
        {0x02, 0,    0,    0xeb, 0xfd, 0xff, 0xff, 0xea, /* bl 8010; b 8000 */
         0xfc, 0xff, 0xff, 0xea, 0,    0,    0,    0,
         0x1e, 0xff, 0x2f, 0xe1},
        {0x02, 0,    0,    0xeb, 0, 0xf0, 0x20, 0xe3, /* bl 8010; nop; b 8000 */
         0xfc, 0xff, 0xff, 0xea, 0, 0,    0,    0,    0x1e, 0xff, 0x2f, 0xe1}};
    static const uint8_t begin[] = {0, 0,    0, 0, 0,    0x80, 0x08,
                                    0, 0x80, 0, 0, 0x20, 1};
    static const uint8_t round[] = {0x6e, 1, 0x84, 0x6e, 2, 0x84, 0x84};
    uint8_t bytes[sizeof begin + 40 * sizeof round];
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    for (uint32_t i = 0; i < 2; i++) {
        struct etm_space space = {ETM_UNKNOWN, true, i + 1};

        assert_ok(
            etm_image_add(image, 0x8000, code[i], sizeof code[i], &space));
    }
    memcpy(bytes, begin, sizeof begin);
    for (size_t at = sizeof begin; at < sizeof bytes; at += sizeof round)
        memcpy(bytes + at, round, sizeof round);
    for (size_t l = 0; l < LEVELS; l++)
        assert_true(check(&config, image, levels[l], bytes, sizeof bytes, 0) >
                    sizeof bytes / 4);
    etm_image_free(image);
}

/* What etm_decoder gives. */
static struct etm_test_elements whole, parts;

static void decode(const struct etm_config *config,
                   const struct etm_image *image, const uint8_t *bytes,
                   size_t n, size_t cut, struct etm_test_elements *out)
{
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = config,
                                     .image = image,
                                     .elements = etm_test_collect,
                                     .context = out};
    struct etm_decoder *d;

    out->n = 0;
    assert_ok(etm_decoder_new(&d, &how));
    for (size_t at = 0; cut == 0 && at < n; at++) /* each byte alone */
        assert_ok(etm_decoder_push(d, bytes + at, 1));
    if (cut != 0) {
        assert_ok(etm_decoder_push(d, bytes, cut));
        assert_ok(etm_decoder_push(d, bytes + cut, n - cut));
    }
    assert_ok(etm_decoder_finish(d));
    etm_decoder_free(d);
}

/* A byte alone is never enough for the fast path. */
static void every_split_of(enum etm_protocol protocol, enum between between)
{
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < 60; i++) {
        struct etm_image *image;

        make(protocol, between, seed + i);
        image = trial_image(seed + i);
        if (i % 2 != 0)
            flip(trial.bytes, trial.n, &trial.r);
        decode(&trial.config, image, trial.bytes, trial.n, 0, &whole);
        for (size_t cut = 1; cut < trial.n && cut < 1000; cut++) {
            decode(&trial.config, image, trial.bytes, trial.n, cut, &parts);
            if (parts.n != whole.n ||
                memcmp(parts.all, whole.all, whole.n * sizeof *whole.all) != 0)
                fail_msg("ETM_TEST_SEED=%lu, cut at byte %zu", seed + i, cut);
        }
        etm_image_free(image);
    }
}

TEST(pft_may_be_cut_anywhere)
{
    every_split_of(ETM_PROTOCOL_PFT, ANYTHING);
}

TEST(etmv3_may_be_cut_anywhere)
{
    every_split_of(ETM_PROTOCOL_ETMV3, ANYTHING);
}

TEST(etmv3_data_may_be_cut_anywhere)
{
    every_split_of(ETM_PROTOCOL_ETMV3, DATA);
}

/* One capture as it is, and with bits of it flipped. */
static size_t check_capture(const struct etm_test_capture *c,
                            enum etm_level level, struct random *r)
{
    size_t fast =
        check(&c->config, c->image, level, c->stream.bytes, c->stream.n, 0);

    for (unsigned k = 0; k < 70 && c->stream.n != 0; k++) {
        uint8_t *byte =
            &c->stream.bytes[random_below(r, (uint32_t)c->stream.n)];
        uint8_t was = *byte;

        *byte ^= (uint8_t)(1u << random_below(r, 8));
        check(&c->config, c->image, level, c->stream.bytes, c->stream.n, 0);
        *byte = was;
    }
    return fast;
}

TEST(captures_are_the_same_on_the_fast_path)
{
    struct random r = {.state = 5};
    size_t all = 0, fast[LEVELS] = {0};

    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;
        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        for (size_t k = 0; k < LEVELS; k++)
            fast[k] += check_capture(&c, levels[k], &r);
        all += c.stream.n;
        etm_test_close(&c);
    }
    for (size_t k = 0; k < LEVELS; k++)
        printf("%zu of %zu bytes took the fast path\n", fast[k], all);
    assert_true(fast[0] > all / 4);
}

int main(void)
{
    int failed = tests_run();

    free(whole.all);
    free(parts.all);
    return failed;
}
