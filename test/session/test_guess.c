/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is guessed of a configuration: of generated trace it must never be
 * wrong, and of trace from chips it must be enough to decode it.
 */
#include "../input/support.h"
#include "../support/test.h"
#include "support/capture.h"

#include <etm/model.h>
#include <etm/session.h>

#include <moves.h>
#include <program.h>
#include <trace.h>
#include <walk.h>

#define ROUNDS 60u
#define MAX_BYTES 65536u

/* A generated stream. */
struct stream {
    struct etm_config config;
    struct program program;
    struct walk walk;
    uint8_t bytes[MAX_BYTES];
    size_t n;
};

/* Enough instructions to tell. */
static void generate(struct stream *s, struct random *r)
{
    struct etm_generator_config options = {.config = &s->config};

    program_make(&s->program, &s->config, r);
    walk_make(&s->walk, &s->program, r, 2500);
    s->n = trace_make(&options, s->walk.events, s->walk.n, s->bytes, MAX_BYTES);
}

static struct etm_guess guess(const char *path, enum etm_framing framing,
                              uint8_t id)
{
    const struct etm_session_options options = {.framing = framing};
    struct etm_session *session;
    struct etm_guess made;
    size_t source;

    OK(etm_session_open(&session, path, &options, NULL));
    for (source = 0; source < etm_session_sources(session); source++)
        if (etm_session_source(session, source)->id == id)
            break;
    assert_true(source < etm_session_sources(session));
    OK(etm_session_guess(session, source, ETM_PROTOCOL_NONE, &made));
    etm_session_free(session);
    return made;
}

static struct etm_guess guess_bytes(const uint8_t *bytes, size_t n)
{
    write_file("stream.bin", bytes, n);
    return guess(in_directory("stream.bin"), ETM_FRAMING_NONE, 0);
}

static bool right(enum etm_tri told, bool is)
{
    return told == ETM_UNKNOWN || (told == ETM_TRUE) == is;
}

/* Nothing that is said is wrong. */
static bool sound(const struct etm_guess *g, const struct etm_config *c)
{
    bool v3 = c->protocol == ETM_PROTOCOL_ETMV3;
    bool binary_told = g->timestamps == ETM_TRUE;

    if (g->protocol == ETM_PROTOCOL_NONE)
        return true;
    return g->protocol == c->protocol &&
           (c->data_only || right(g->cycle_accurate, c->cycle_accurate)) &&
           (g->context_id_bytes < 0 ||
            g->context_id_bytes == c->context_id_bytes) &&
           (!v3 || c->data_only ||
            right(g->alternative_branches, c->alternative_branches)) &&
           (!v3 || right(g->data_address, c->data_address)) &&
           (!v3 || right(g->data_value, c->data_value)) &&
           (!v3 || right(g->data_only, c->data_only)) &&
           (!binary_told || right(g->timestamp_binary, c->timestamp_binary)) &&
           (g->timestamps != ETM_TRUE || g->timestamp_bits == 0 ||
            g->timestamp_bits == (int)etm_timestamp_bits(c));
}

static void print_guess(const struct etm_guess *g)
{
    printf("guess: protocol %d weak %d cycles %d alternative %d address %d "
           "value %d only %d stamps %d 64 %d binary %d context %d bad %llu "
           "of %llu\n",
           (int)g->protocol, g->weak, (int)g->cycle_accurate,
           (int)g->alternative_branches, (int)g->data_address,
           (int)g->data_value, (int)g->data_only, (int)g->timestamps,
           g->timestamp_bits, (int)g->timestamp_binary, g->context_id_bytes,
           (unsigned long long)g->bad_bytes,
           (unsigned long long)g->sample_bytes);
}

/*
 * Random configurations: what is said is right. Returns how often all is said
 * that nearly every stream shows.
 */
static unsigned round_trip(enum etm_protocol protocol, bool data)
{
    static struct stream s;
    struct random r = {1};
    unsigned told = 0;

    for (unsigned i = 0; i < ROUNDS; i++) {
        struct etm_guess g;

        if (data)
            config_make_data(&s.config, &r);
        else
            config_make(&s.config, protocol, &r);
        generate(&s, &r);
        g = guess_bytes(s.bytes, s.n);
        if (!sound(&g, &s.config) || g.weak) {
            config_print(&s.config);
            printf("data %d %d only %d\n", s.config.data_address,
                   s.config.data_value, s.config.data_only);
            print_guess(&g);
            fail_msg("round %u: the guess is wrong", i);
        }
        if (g.protocol != ETM_PROTOCOL_NONE && g.context_id_bytes >= 0 &&
            (s.config.data_only || g.cycle_accurate != ETM_UNKNOWN))
            told++;
    }
    return told;
}

TEST(pft_is_guessed_right)
{
    assert_true(round_trip(ETM_PROTOCOL_PFT, false) >= ROUNDS * 9 / 10);
}

TEST(etmv3_is_guessed_right)
{
    assert_true(round_trip(ETM_PROTOCOL_ETMV3, false) >= ROUNDS * 9 / 10);
}

TEST(etmv3_with_data_is_guessed_right)
{
    assert_true(round_trip(ETM_PROTOCOL_ETMV3, true) >= ROUNDS * 9 / 10);
}

/* All that is decoded of the code, without the words about the machine. */
static size_t keep_flow(struct etm_test_elements *e)
{
    size_t n = 0;

    for (size_t i = 0; i < e->n; i++)
        if (e->all[i].kind != ETM_ELEMENT_CONTEXT &&
            e->all[i].kind != ETM_ELEMENT_EXCEPTION)
            e->all[n++] = e->all[i];
    e->n = n;
    return n;
}

/* The guess decodes as the true registers do. */
TEST(guess_of_a_chip_decodes)
{
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        const struct etm_test_source *source = &etm_test_sources[i];
        struct etm_test_elements told = {0}, guessed = {0};
        struct etm_test_capture capture;
        struct etm_guess g;

        if (!etm_test_open(source, &capture))
            skip();
        if (capture.stream.n == 0) { /* a source that was never on */
            etm_test_close(&capture);
            continue;
        }
        print_message("%s\n", source->name);
        g = guess_bytes(capture.stream.bytes, capture.stream.n);
        assert_int_not_equal(g.protocol, ETM_PROTOCOL_NONE);
        g.config.trace_id = capture.config.trace_id;
        etm_test_decode(&capture.config, capture.image, ETM_LEVEL_INSTRUCTIONS,
                        capture.stream.bytes, capture.stream.n, &told);
        etm_test_decode(&g.config, capture.image, ETM_LEVEL_INSTRUCTIONS,
                        capture.stream.bytes, capture.stream.n, &guessed);
        assert_true(keep_flow(&told) > 100);
        assert_int_equal(keep_flow(&guessed), told.n);
        for (size_t j = 0; j < told.n; j++)
            assert_true(etm_test_same(&told.all[j], &guessed.all[j]));
        free(told.all);
        free(guessed.all);
        etm_test_close(&capture);
    }
}

TEST(noise_is_no_protocol)
{
    struct etm_guess g;
    uint8_t noise[4096];
    uint32_t random = 1;

    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)etm_test_random(&random);
    g = guess_bytes(noise, sizeof noise);
    assert_int_equal(g.protocol, ETM_PROTOCOL_NONE);
    assert_int_equal(g.sample_bytes, sizeof noise);
}

/* Enough damage that the guess must not pass for a good one. */
TEST(damaged_trace_makes_a_weak_guess)
{
    static struct stream s;
    struct random r = {7};
    struct etm_guess g;

    s.config = (struct etm_config){.size = sizeof s.config,
                                   .protocol = ETM_PROTOCOL_PFT,
                                   .minor = 1,
                                   .cycle_accurate = true,
                                   .sync_period = 100};
    generate(&s, &r);
    g = guess_bytes(s.bytes, s.n);
    assert_int_equal(g.protocol, ETM_PROTOCOL_PFT);
    assert_false(g.weak);
    for (size_t i = 300; i < s.n; i += 300)
        s.bytes[i] = 0x10; /* reserved, or a value that is not the true one */
    g = guess_bytes(s.bytes, s.n);
    assert_true(g.bad_bytes > 0);
    assert_true(g.protocol == ETM_PROTOCOL_NONE || g.weak);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
