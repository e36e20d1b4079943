/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETM_LEVEL_COUNTS and ETM_LEVEL_COVERAGE beside ETM_LEVEL_RANGES: the counts
 * are those of the range elements, and all other elements are the same. The
 * argument is what kinds of streams are compared.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "capture.h"
#include "session/decoder.h"
#include "streams.h"

/* What came of ranges, and of another level, last. */
static struct etm_test_elements ranges, others;

/* How a stream is decoded. */
struct counts_way {
    size_t blocks; /* blocks to keep; 0: as many as ever */
    size_t piece;  /* bytes pushed at a time */
};

/* Decode a stream; the decoder is the caller's. */
static void decode(const struct etm_config *config,
                   const struct etm_image *image, enum etm_level level,
                   const struct counts_way *way, const uint8_t *bytes, size_t n,
                   struct etm_test_elements *out, struct etm_decoder **decoder)
{
    struct etm_decoder_config how =
        etm_test_collecting(config, image, level, out);
    struct etm_decoder *d;

    assert_ok(etm_decoder_new(&d, &how));
    if (way->blocks != 0)
        etm_decoder_limit(d, way->blocks);
    for (size_t at = 0; at < n; at += way->piece)
        assert_ok(etm_decoder_push(d, bytes + at,
                                   n - at < way->piece ? n - at : way->piece));
    assert_ok(etm_decoder_finish(d));
    *decoder = d;
}

/* Of its own: a mistake of the library's would show. */
static struct etm_count count_of(const struct etm_element *e)
{
    return (struct etm_count){.n = 1,
                              .start = e->u.range.start,
                              .end = e->u.range.end,
                              .insns = e->u.range.n,
                              .last_address = e->u.range.last_address,
                              .isa = e->u.range.isa,
                              .last_type = e->u.range.last_type,
                              .last_exec = e->u.range.last_exec,
                              .last_flags = e->u.range.last_flags};
}

/* Each field of the key, the one that orders most first. */
static int order(const void *a, const void *b)
{
    const struct etm_count *x = a, *y = b;

#define BY(field)                                                              \
    if (x->field != y->field)                                                  \
    return x->field < y->field ? -1 : 1
    BY(start);
    BY(end);
    BY(isa);
    BY(last_type);
    BY(last_flags);
    BY(last_exec);
    BY(insns);
    BY(last_address);
#undef BY
    return 0;
}

/* Rows that are expected, in order. */
struct counts_rows {
    const struct etm_count *expected;
    size_t n, at;
    const char *wrong;
};

/* An etm_count_fn. */
static int compare_row(void *context, const struct etm_count *count)
{
    struct counts_rows *rows = context;

    if (rows->at == rows->n)
        rows->wrong = "a row too many";
    else if (order(&rows->expected[rows->at], count) != 0)
        rows->wrong = "another row";
    else if (rows->expected[rows->at].n != count->n)
        rows->wrong = "another count";
    rows->at++;
    return rows->wrong != NULL;
}

/* Take the ranges out of `ranges`, and count them in order;
 * returns how many rows there are in *counts, which is the caller's. *cycles
 * become theirs. */
static size_t tally(struct etm_count **counts, uint64_t *cycles)
{
    struct etm_count *all = malloc((ranges.n + 1) * sizeof *all);
    size_t n = 0, kept = 0, rows = 0;

    assert_non_null(all);
    *cycles = 0;
    for (size_t i = 0; i < ranges.n; i++) {
        const struct etm_element *e = &ranges.all[i];

        if (e->kind == ETM_ELEMENT_RANGE) {
            all[n++] = count_of(e);
            if (e->u.range.cycles != ETM_CYCLES_UNKNOWN)
                *cycles += e->u.range.cycles;
        } else {
            ranges.all[kept] = *e;
            ranges.all[kept].since_known = false;
            ranges.all[kept++].since = 0;
        }
    }
    ranges.n = kept;
    qsort(all, n, sizeof *all, order);
    for (size_t i = 0; i < n; i++) {
        if (rows != 0 && order(&all[rows - 1], &all[i]) == 0)
            all[rows - 1].n++;
        else
            all[rows++] = all[i];
    }
    *counts = all;
    return rows;
}

/* Leave of `ranges` what ETM_LEVEL_COVERAGE gives. */
static void leave_missing(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < ranges.n; i++) {
        const struct etm_element *e = &ranges.all[i];

        if (e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
            e->kind == ETM_ELEMENT_NO_IMAGE || e->kind == ETM_ELEMENT_END)
            ranges.all[kept++] = *e;
    }
    ranges.n = kept;
}

/* All three levels: NULL, or what is not the same. */
static const char *differs(const struct etm_config *config,
                           const struct etm_image *image,
                           const struct counts_way *way, const uint8_t *bytes,
                           size_t n)
{
    static const enum etm_level levels[] = {ETM_LEVEL_COUNTS,
                                            ETM_LEVEL_COVERAGE};
    struct etm_decoder *d;
    struct etm_count *expected;
    const char *wrong = NULL;
    uint64_t cycles;
    size_t n_rows;

    decode(config, image, ETM_LEVEL_RANGES, way, bytes, n, &ranges, &d);
    etm_decoder_free(d);
    n_rows = tally(&expected, &cycles);
    for (size_t i = 0; i < 2 && wrong == NULL; i++) {
        struct counts_rows rows = {expected, n_rows, 0, NULL};

        if (levels[i] == ETM_LEVEL_COVERAGE) {
            leave_missing();
            cycles = 0;
        }
        decode(config, image, levels[i], way, bytes, n, &others, &d);
        (void)etm_decoder_counts(d, compare_row, &rows);
        if (rows.wrong == NULL && rows.at != rows.n)
            rows.wrong = "a row is missing";
        if (rows.wrong == NULL && (others.n != ranges.n ||
                                   memcmp(others.all, ranges.all,
                                          ranges.n * sizeof *ranges.all) != 0))
            rows.wrong = "another element";
        if (rows.wrong == NULL && etm_decoder_counted_cycles(d) != cycles)
            rows.wrong = "other cycles";
        etm_decoder_free(d);
        wrong = rows.wrong;
    }
    free(expected);
    return wrong;
}

static uint8_t damaged[TRIAL_BYTES];

/* As it is, and damaged. */
static void check_stream(const struct etm_image *image)
{
    for (unsigned k = 0; k < 6; k++) {
        struct counts_way way = {.piece = TRIAL_BYTES};
        const char *wrong;
        size_t n = k < 2 ? stream.n : stream_damage(damaged);

        if (stream_chance(50))
            way.blocks = 1 + stream_below(stream_chance(80) ? 60 : 2000);
        if (stream_chance(50))
            way.piece = 1 + stream_below(stream_chance(80) ? 300 : 9000);
        wrong = differs(&stream.config, image, &way,
                        k < 2 ? stream.bytes : damaged, n);
        if (wrong != NULL)
            stream_fail("%zu blocks, pieces of %zu: %s", way.blocks, way.piece,
                        wrong);
    }
}

#define SAME(group, kind, rounds)                                              \
    {                                                                          \
        group, NULL, STREAM_##kind, rounds, check_stream, NULL, 0              \
    }

static const struct stream_test streams[] = {SAME("pft", PFT, 600),
                                             SAME("pft", PFT_MIXED, 300),
                                             SAME("pft", PFT_REPEATED, 60),
                                             SAME("etmv3", ETMV3, 600),
                                             SAME("etmv3", DATA, 600),
                                             SAME("etmv3", ETMV3_MIXED, 200),
                                             SAME("etmv3", DATA_MIXED, 200),
                                             SAME("etmv3", ETMV3_WOVEN, 100),
                                             SAME("etmv3", ETMV3_REPEATED, 60),
                                             SAME("port", ETMV2, 400),
                                             SAME("port", ETMV1, 400)};

TEST(counts_of_captures_are_those_of_their_ranges)
{
    static const size_t limits[] = {0, 7, 40, 1000};

    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture c;

        if (!etm_test_open(&etm_test_sources[i], &c))
            skip();
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            struct counts_way way = {limits[k],
                                     k % 2 == 0 ? c.stream.n + 1 : 1000};
            const char *wrong =
                differs(&c.config, c.image, &way, c.stream.bytes, c.stream.n);

            if (wrong != NULL)
                fail_msg("%s: %s", etm_test_sources[i].name, wrong);
        }
        etm_test_close(&c);
    }
}

/* Counts may be asked for at any time, and those of two decoders added up. */
TEST(counts_of_two_decoders_add_up)
{
    const struct counts_way way = {.piece = TRIAL_BYTES};
    struct etm_decoder *d;
    struct etm_image *image;
    struct etm_counts *sum;
    struct etm_count *expected;
    struct counts_rows rows = {NULL, 0, 0, NULL};
    uint64_t cycles;

    image = stream_make(STREAM_PFT, 4);
    assert_ok(etm_counts_new(&sum, NULL));
    for (unsigned i = 0; i < 2; i++) {
        decode(&stream.config, image, ETM_LEVEL_COUNTS, &way, stream.bytes,
               stream.n, &others, &d);
        assert_ok(etm_decoder_counts(d, etm_counts_add, sum));
        etm_decoder_free(d);
    }
    decode(&stream.config, image, ETM_LEVEL_RANGES, &way, stream.bytes,
           stream.n, &ranges, &d);
    assert_int_equal(etm_decoder_counts(d, etm_counts_add, sum),
                     ETM_ERR_ARGUMENT);
    etm_decoder_free(d);
    etm_image_free(image);
    rows.n = tally(&expected, &cycles);
    assert_true(rows.n > 10);
    for (size_t i = 0; i < rows.n; i++)
        expected[i].n *= 2;
    rows.expected = expected;
    assert_ok(etm_counts_walk(sum, compare_row, &rows));
    assert_int_equal(rows.at, rows.n);
    etm_counts_free(sum);
    free(expected);
}

/* What was decoded to warm up, or before a restart, can be forgotten. */
TEST(dropped_counts_are_gone)
{
    const struct counts_way way = {.piece = TRIAL_BYTES};

    for (unsigned i = 0; i < 40; i++) {
        struct counts_rows none = {NULL, 0, 0, NULL};
        struct etm_image *image;
        struct etm_decoder *d;

        image = stream_make(i % 2 != 0 ? STREAM_ETMV3 : STREAM_PFT, i);
        decode(&stream.config, image, ETM_LEVEL_COUNTS, &way, stream.bytes,
               stream.n, &others, &d);
        etm_decoder_drop_counts(d);
        assert_ok(etm_decoder_counts(d, compare_row, &none));
        assert_int_equal(none.at, 0);
        etm_decoder_free(d);
        etm_image_free(image);
    }
}

/* A branch to itself, executed five times for each byte: the counters after
 * the links are folded on the way. ETM_TEST_MEGABYTES=900 is more than 32 bits
 * of executions. */
TEST(long_loops_are_counted_in_full)
{
    static const uint8_t code[] = {0xfe, 0xff, 0xff, 0xea};    /* b . */
    static const uint8_t begin[] = {0,    0, 0,    0, 0, 0x80, /* A-sync */
                                    0x08, 0, 0x80, 0, 0, 0x21};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .minor = 1,
                                .sync_period = 1024};
    struct etm_decoder_config how = {.config = &config,
                                     .level = ETM_LEVEL_COUNTS,
                                     .elements = etm_test_collect,
                                     .context = &others};
    unsigned long megabytes = setting("ETM_TEST_MEGABYTES", 70);
    struct etm_count expected = {.n = 5 * (uint64_t)megabytes << 20,
                                 .start = 0x8000,
                                 .end = 0x8004,
                                 .insns = 1,
                                 .last_address = 0x8000,
                                 .isa = ETM_ISA_ARM,
                                 .last_type = ETM_INSN_TYPE_DIRECT,
                                 .last_exec = ETM_TRUE};
    struct counts_rows rows = {&expected, 1, 0, NULL};
    struct etm_image *image;
    struct etm_decoder *d;

    others.n = 0;
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, code, sizeof code, NULL));
    how.image = image;
    assert_ok(etm_decoder_new(&d, &how));
    assert_ok(etm_decoder_push(d, begin, sizeof begin));
    memset(stream.bytes, 0xc0, 1u << 20); /* five E atoms */
    for (unsigned long i = 0; i < megabytes; i++)
        assert_ok(etm_decoder_push(d, stream.bytes, 1u << 20));
    assert_ok(etm_decoder_finish(d));
    assert_ok(etm_decoder_counts(d, compare_row, &rows));
    assert_null(rows.wrong);
    assert_int_equal(rows.at, 1);
    etm_decoder_free(d);
    etm_image_free(image);
}

static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

static struct etm_image *image_of(uint32_t address, const uint8_t *code,
                                  size_t n)
{
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, address, code, n, NULL));
    return image;
}

static void same_counts(const struct etm_config *config,
                        const struct etm_image *image, const uint8_t *bytes,
                        size_t n, size_t piece)
{
    struct counts_way way = {.piece = piece};
    const char *wrong = differs(config, image, &way, bytes, n);

    if (wrong != NULL)
        fail_msg("%s", wrong);
}

/* E-376: so many transfers come after an instruction that the exception after
 * them cancels nothing any more, also where nobody wants them. */
TEST(an_instruction_is_counted_when_it_is_final)
{
    static const uint8_t code[] = {0x3e, 0, 0x90, 0xe8}; /* LDM r0, {r1-r5} */
    /* 16 bytes, after which the fast path may begin */
    static const uint8_t begin[] = {0,    0,    0,    0, 0,    0, 0, 0,
                                    0x80, 0x08, 0x21, 0, 0x80, 0, 0, 0x84};
    static const uint8_t irq[] = {0x8d, 0x80, 0x80, 0x80, 0x48, 0x3c};
    static uint8_t bytes[2 * 65600];
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 1,
                                .data_value = true};
    struct etm_image *image = image_of(0x8000, code, sizeof code);

    for (unsigned values = 65530; values < 65541; values++) {
        size_t n = sizeof begin;

        memcpy(bytes, begin, sizeof begin);
        for (unsigned i = 0; i < values; i++) {
            bytes[n++] = 0x06;
            bytes[n++] = 3;
        }
        memcpy(bytes + n, irq, sizeof irq);
        n += sizeof irq;
        same_counts(&config, image, bytes, n, n);
        same_counts(&config, image, bytes, n, 997);
    }
    etm_image_free(image);
}

/* With a return stack. */
static const struct etm_config with_returns = {.size = sizeof with_returns,
                                               .protocol = ETM_PROTOCOL_PFT,
                                               .minor = 1,
                                               .return_stack = true,
                                               .sync_period = 1024};

static const uint8_t call_code[] = {
    0x02, 0x00, 0x00, 0xeb,                         /* 8000: bl 8010 */
    0xfd, 0xff, 0xff, 0xea, 0, 0, 0, 0, 0, 0, 0, 0, /* 8004: b 8000 */
    0x1e, 0xff, 0x2f, 0xe1                          /* 8010: bx lr */
};

/* Round and round: `atoms` in each byte of n after the first 12. */
static void calls(uint8_t *bytes, size_t n, uint8_t atoms)
{
    static const uint8_t i_sync[] = {0x08, 0, 0x80, 0, 0, 0x21};

    memcpy(bytes, a_sync, sizeof a_sync);
    memcpy(bytes + sizeof a_sync, i_sync, sizeof i_sync);
    memset(bytes + 12, atoms, n - 12);
}

/* The link for failed says where a call returns to, of BL without a condition
 * too: that it fails has to be found out nevertheless. */
TEST(a_call_that_cannot_fail_does_not)
{
    struct etm_image *image = image_of(0x8000, call_code, sizeof call_code);
    uint8_t bytes[256];
    unsigned lost = 0;

    calls(bytes, sizeof bytes, 0x90); /* three E atoms: once round */
    bytes[128] = 0x86;                /* N */
    same_counts(&with_returns, image, bytes, sizeof bytes, sizeof bytes);
    for (size_t i = 0; i < others.n; i++)
        lost += others.all[i].kind == ETM_ELEMENT_LOST &&
                others.all[i].u.lost.reason == ETM_LOST_IMAGE_MISMATCH;
    assert_int_equal(lost, 1);
    etm_image_free(image);
}

/* Pieces end between a call and its return. */
TEST(a_call_returns_in_the_next_piece)
{
    struct etm_image *image = image_of(0x8000, call_code, sizeof call_code);
    uint8_t bytes[256];

    calls(bytes, sizeof bytes, 0xc0); /* five E atoms */
    for (size_t piece = 16; piece < 48; piece++)
        same_counts(&with_returns, image, bytes, sizeof bytes, piece);
    assert_int_equal(others.n, 2); /* trace_on, end */
    etm_image_free(image);
}

/* A branch address packet without compression. */
static uint8_t *branch_to(uint8_t *p, uint32_t address, enum etm_isa isa)
{
    uint32_t bits = isa == ETM_ISA_ARM ? address >> 2 : address >> 1;

    *p++ = (uint8_t)(0x81 | (bits & 0x3f) << 1);
    for (unsigned shift = 6; shift < 27; shift += 7)
        *p++ = (uint8_t)(0x80 | (bits >> shift & 0x7f));
    *p++ = (uint8_t)((isa == ETM_ISA_ARM ? 0x08 : 0x10) | bits >> 27);
    return p;
}

/* Steps are kept by their address, in one place for many addresses. */
TEST(targets_in_one_place_are_told_apart)
{
    static const uint8_t at_8000[] = {
        0x1e, 0xff, 0x2f, 0xe1, /* bx lr; in Thumb not a branch */
        0x70, 0x47              /* Thumb: bx lr */
    };
    static const uint8_t i_sync[] = {0x08, 0, 0x80, 0, 0, 0x21};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .minor = 1,
                                .sync_period = 1024};
    struct etm_image *image = image_of(0x8000, at_8000, sizeof at_8000);
    uint8_t bytes[12 + 100 * 15], *p = bytes + 12;

    assert_ok(etm_image_add(image, 0x1b2e0, at_8000, 4, NULL));
    memcpy(bytes, a_sync, sizeof a_sync);
    memcpy(bytes + sizeof a_sync, i_sync, sizeof i_sync);
    for (unsigned i = 0; i < 100; i++) {
        p = branch_to(p, 0x1b2e0, ETM_ISA_ARM);
        p = branch_to(p, 0x8000, ETM_ISA_THUMB);
        p = branch_to(p, 0x8000, ETM_ISA_ARM);
    }
    same_counts(&config, image, bytes, sizeof bytes, sizeof bytes);
    etm_image_free(image);
}

/* Three processes have code of their own at the same addresses; one of them
 * runs only now and then, when what is kept has been forgotten many times. */
TEST(targets_are_those_of_the_process)
{
    static const uint8_t code[] = {
        0,    0x30, 0xa0, 0xe1, 0, 0x30, 0xa0, 0xe1, /* mov r3, r0, twice */
        0x1e, 0xff, 0x2f, 0xe1,                      /* bx lr */
    };
    static const uint8_t i_sync[] = {0x08, 0, 0x80, 0, 0, 0x21, 1};
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .minor = 1,
                                .context_id_bytes = 1,
                                .sync_period = 1024};
    struct etm_image *image;
    uint8_t bytes[13 + 100 * 22], *p = bytes + 13;

    assert_ok(etm_image_new(&image, NULL));
    for (unsigned i = 0; i < 3; i++) {
        struct etm_space space = {.has_context = true, .context_id = i};

        assert_ok(etm_image_add(image, 0x8000, code + 4 * i,
                                sizeof code - 4 * i, &space));
    }
    memcpy(bytes, a_sync, sizeof a_sync);
    memcpy(bytes + sizeof a_sync, i_sync, sizeof i_sync);
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < 4; k++)
            p = branch_to(p, i % 32 == 0 && k == 2 ? 0x8004 : 0x8000,
                          ETM_ISA_ARM);
        *p++ = 0x6e; /* context ID */
        *p++ = (uint8_t)(i % 3);
    }
    same_counts(&config, image, bytes, sizeof bytes, sizeof bytes);
    etm_image_free(image);
}

int main(int argc, char **argv)
{
    int failed = argc > 1 ? stream_main(argc, argv, streams,
                                        sizeof streams / sizeof *streams)
                          : tests_run();

    free(ranges.all);
    free(others.all);
    return failed;
}
