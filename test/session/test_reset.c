/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A decoder that is reset against a new one: any trace, whole, damaged or
 * random, after whatever came before, at every level; and what its function of
 * elements may do with it.
 */
#include "../support/receive.h"
#include "../support/test.h"
#include "pairs_support.h"

#include "../support/scarce.h"

#define ROUNDS 60u
#define COUNTS 4096u

static struct stream part;

/* What a decoder gave. */
struct given {
    struct etm_test_elements elements;
    struct etm_count counts[COUNTS];
    size_t n_counts;
    uint64_t cycles;
    size_t stop; /* elements after which 42 is returned; 0: none */
};

static int take(void *context, const struct etm_element *elements, size_t n)
{
    struct given *given = context;

    (void)etm_test_collect(&given->elements, elements, n);
    return given->stop != 0 && given->elements.n >= given->stop ? 42 : 0;
}

static int take_count(void *context, const struct etm_count *count)
{
    struct given *given = context;

    assert_true(given->n_counts < COUNTS);
    given->counts[given->n_counts++] = *count;
    return 0;
}

/* A circle of 24 pairs, often synchronized. */
static void make_trace(const struct etm_config *config)
{
    struct etm_config often = *config;

    often.sync_period = config->protocol == ETM_PROTOCOL_ETMV1 ? 0 : 200;
    stream.n = 0;
    write_code(24, LOAD);
    trace_pairs(&often, 3000);
}

/* A piece of it, as it is, with bytes that are wrong, or of any bytes. */
static void choose(uint32_t *random)
{
    unsigned kind = etm_test_random(random) % 4;
    size_t from =
        etm_test_random(random) % 2 * (etm_test_random(random) % stream.n);

    part.n = etm_test_random(random) % (stream.n - from) + 1;
    memcpy(part.data, stream.data + from, part.n);
    for (size_t i = 0; kind >= 2 && i < part.n;
         i += kind == 2 ? 1 + etm_test_random(random) % 900 : 1)
        part.data[i] = (uint8_t)etm_test_random(random);
}

static int decode(struct etm_decoder *d, struct given *out, size_t n)
{
    int status;

    out->elements.n = 0;
    status = etm_decoder_push(d, part.data, n);
    return status == ETM_OK ? etm_decoder_finish(d) : status;
}

static void count(struct etm_decoder *d, struct given *out)
{
    out->n_counts = 0;
    out->cycles = etm_decoder_counted_cycles(d);
    OK(etm_decoder_counts(d, take_count, out));
}

static bool same_count(const struct etm_count *a, const struct etm_count *b)
{
    return a->n == b->n && a->start == b->start && a->end == b->end &&
           a->insns == b->insns && a->last_address == b->last_address &&
           a->isa == b->isa && a->last_type == b->last_type &&
           a->last_exec == b->last_exec && a->last_flags == b->last_flags;
}

static void assert_same(const struct given *a, const struct given *b)
{
    assert_true(etm_test_same_all(&a->elements, &b->elements));
    assert_int_equal(a->n_counts, b->n_counts);
    for (size_t i = 0; i < a->n_counts; i++)
        assert_true(same_count(&a->counts[i], &b->counts[i]));
    assert_true(a->cycles == b->cycles);
}

/* Something that ends in the middle: no end, a stop, or no memory. */
static void leave_off(struct etm_decoder *d, struct given *out,
                      struct scarce *memory, uint32_t *random)
{
    choose(random);
    switch (etm_test_random(random) % 4) {
    case 0:
        OK(etm_decoder_push(d, part.data, part.n));
        break;
    case 1:
        out->stop = 1 + etm_test_random(random) % 50;
        (void)decode(d, out, part.n);
        break;
    case 2:
        memory->left = etm_test_random(random) % 4;
        (void)decode(d, out, part.n);
        break;
    default:
        return;
    }
    out->stop = 0;
    memory->left = SIZE_MAX;
    OK(etm_decoder_reset(d));
}

static void compare(const struct etm_config *config, struct etm_image *image,
                    enum etm_level level)
{
    static struct given fresh, again;
    struct scarce memory = {.left = SIZE_MAX};
    struct etm_allocator allocator = {scarce_resize, &memory};
    struct etm_decoder_config how = {.config = config,
                                     .image = image,
                                     .level = level,
                                     .elements = take,
                                     .context = &fresh};
    bool counts = level == ETM_LEVEL_COUNTS || level == ETM_LEVEL_COVERAGE;
    struct etm_decoder *one, *other;
    uint32_t random = 7;

    how.context = &again;
    how.allocator = &allocator;
    OK(etm_decoder_new(&other, &how));
    how.context = &fresh;
    how.allocator = NULL;
    for (unsigned i = 0; i < ROUNDS; i++) {
        leave_off(other, &again, &memory, &random);
        choose(&random);
        OK(etm_decoder_new(&one, &how));
        OK(decode(one, &fresh, part.n));
        OK(decode(other, &again, part.n));
        if (counts) {
            count(one, &fresh);
            count(other, &again);
        }
        assert_same(&fresh, &again);
        OK(etm_decoder_reset(other));
        etm_decoder_free(one);
    }
    etm_decoder_free(other);
    free(fresh.elements.all);
    free(again.elements.all);
    fresh.elements = again.elements = (struct etm_test_elements){0};
    fresh.n_counts = again.n_counts = 0;
}

TEST(a_decoder_that_is_reset_is_as_a_new_one)
{
    struct etm_image *image;

    make_trace(&configs[0]);
    image = image_of_code();
    for (size_t c = 0; c < ALL_CONFIGS; c++) {
        make_trace(&configs[c]);
        for (size_t k = 0; k < LEVELS; k++)
            compare(&configs[c], image, levels[k]);
    }
    etm_image_free(image);
}

/* A new one has to ask for memory for it. */
TEST(what_is_known_of_the_code_stays)
{
    struct scarce memory = {.left = SIZE_MAX};
    struct etm_allocator allocator = {scarce_resize, &memory};
    struct given out = {0};
    struct etm_decoder_config how = {.config = &configs[0],
                                     .level = ETM_LEVEL_COVERAGE,
                                     .elements = take,
                                     .context = &out,
                                     .allocator = &allocator};
    struct etm_image *image;
    struct etm_decoder *d;
    size_t first;

    make_trace(&configs[0]);
    part = stream;
    image = image_of_code();
    how.image = image;
    OK(etm_decoder_new(&d, &how));
    OK(decode(d, &out, part.n));
    first = memory.calls;
    for (unsigned i = 0; i < 10; i++) {
        memory.calls = 0;
        OK(etm_decoder_reset(d));
        OK(decode(d, &out, part.n));
        assert_true(8 * memory.calls < first);
    }
    etm_decoder_free(d);
    etm_image_free(image);
    free(out.elements.all);
}

/* Thumb code of nothing but BX LR, and PFT that says that each led to the one
 * after it: an A-sync, an I-sync, and a byte for each address. */
static void make_branches(void)
{
    static const uint8_t begin[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
                                    0x08, 0x01, 0x00, 0x10, 0x00, 0x21};

    for (size_t i = 0; i < 8 * 26; i++)
        code[i] = i % 2 == 0 ? 0x70 : 0x47;
    memcpy(stream.data, begin, sizeof begin);
    stream.n = sizeof begin;
    for (uint8_t at = 2; at < 0x80; at += 2)
        stream.data[stream.n++] = at | 1;
    part = stream;
}

TEST(where_memory_ran_out_there_is_code_after_a_reset)
{
    static struct given fresh, again;
    struct faulty memory = {.fail_at = 0};
    struct etm_allocator allocator = {faulty_resize, &memory};
    struct etm_decoder_config how = {.config = &configs[0],
                                     .level = ETM_LEVEL_INSTRUCTIONS,
                                     .elements = take};
    struct etm_image *image;
    struct etm_decoder *d;
    size_t failed = 0;

    make_branches();
    image = image_of_code();
    how.image = image;
    how.context = &fresh;
    OK(etm_decoder_new(&d, &how));
    OK(decode(d, &fresh, part.n));
    assert_true(fresh.elements.n > 63);
    etm_decoder_free(d);
    how.context = &again;
    how.allocator = &allocator;
    do {
        memory.calls = 0;
        memory.fail_at++;
        if (etm_decoder_new(&d, &how) == ETM_OK) {
            failed += decode(d, &again, part.n) == ETM_ERR_MEMORY;
            OK(etm_decoder_reset(d));
            OK(decode(d, &again, part.n));
            assert_same(&fresh, &again);
        }
        etm_decoder_free(d);
        assert_int_equal(memory.live, 0);
    } while (memory.calls >= memory.fail_at);
    assert_true(failed > 8);
    etm_image_free(image);
    free(fresh.elements.all);
    free(again.elements.all);
}

struct caller {
    struct etm_decoder *decoder;
    unsigned calls;
};

RECEIVE_ONE(no_count, const struct etm_count *)

static int call_back(void *context, const struct etm_element *elements,
                     size_t n)
{
    struct caller *caller = context;
    const uint8_t byte = 0;

    (void)elements;
    (void)n;
    caller->calls++;
    MISUSE(etm_decoder_push(caller->decoder, &byte, 1));
    MISUSE(etm_decoder_gap(caller->decoder, 1));
    MISUSE(etm_decoder_finish(caller->decoder));
    MISUSE(etm_decoder_reset(caller->decoder));
    MISUSE(etm_decoder_counts(caller->decoder, no_count, NULL));
    return 0;
}

/* The elements that it is given stand in the decoder. */
TEST(a_function_of_elements_cannot_change_the_decoder)
{
    struct caller caller = {0};
    struct etm_decoder_config how = {.config = &configs[0],
                                     .level = ETM_LEVEL_COUNTS,
                                     .elements = call_back,
                                     .context = &caller};

    make_trace(&configs[0]);
    OK(etm_decoder_new(&caller.decoder, &how));
    OK(etm_decoder_push(caller.decoder, stream.data, stream.n));
    OK(etm_decoder_finish(caller.decoder));
    assert_true(caller.calls > 1);
    OK(etm_decoder_reset(caller.decoder));
    MISUSE(etm_decoder_reset(NULL));
    etm_decoder_free(caller.decoder);
}
