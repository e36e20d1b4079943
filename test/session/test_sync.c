/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronizations that are found in the bytes of a stream: who begins there
 * soon stands where a decoder of everything stands, in random executions of
 * every protocol. It is compared by imprints.
 * ETM_TEST_ROUNDS=N makes N executions of each kind, ETM_TEST_SEED=N begins
 * with another one.
 */
#include "../support/status.h"
#include "etmv1_walk.h"
#include "etmv2_walk.h"
#include "moves.h"
#include "trace.h"
#include "walk.h"

#include "../support/setting.h"
#include "session/decoder.h"
#include "session/sync.h"

#include <string.h>

#define STREAM_MAX 1000000u

/* Bytes after the place where all is known, and more where it is not. */
#define MARGIN 60u
#define LONG_MARGIN 1200u

static uint8_t bytes[STREAM_MAX];
static struct program program;
static struct walk walk;
static struct v1_walk v1;
static struct v2_walk v2;

/* Synchronizations after which the decoders stood alike, and not. */
static unsigned alike, other;

static int drop(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static struct etm_decoder *decoder_of(const struct etm_config *config,
                                      const struct etm_image *image)
{
    const struct etm_decoder_config how = {
        .config = config, .image = image, .elements = drop};
    struct etm_decoder *d;

    OK(etm_decoder_new(&d, &how));
    return d;
}

/* What stands at the index is no guess: the bytes say it themselves. */
static void check_begin(const struct etm_config *config, size_t at)
{
    static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80};

    if (etm_protocol_is_port(config->protocol))
        assert_int_equal(at % etm_sample_size(config), 0);
    else
        assert_memory_equal(bytes + at, mark, sizeof mark);
}

static void check(const struct etm_config *config,
                  const struct etm_image *image, size_t n)
{
    struct etm_decoder *all = decoder_of(config, image);
    struct etm_decoder *some = decoder_of(config, image);
    size_t pushed = 0, from = 0;
    size_t margin = etm_sync_is_whole(config) ? MARGIN : LONG_MARGIN;
    struct etm_decoder_memory memory;
    struct etm_imprint a, b;
    struct etm_sync sync;

    etm_sync_init(&sync, config, NULL);
    etm_imprint_init(&a, NULL);
    etm_imprint_init(&b, NULL);
    while (etm_sync_find(&sync, bytes, from, n) == ETM_SYNC_FOUND) {
        size_t at = sync.known + margin;

        assert_in_range(sync.begin, from, sync.known);
        check_begin(config, sync.begin);
        if (at > n)
            break;
        OK(etm_decoder_push(all, bytes + pushed, at - pushed));
        memory = etm_decoder_memory(all);
        etm_decoder_restart(some, sync.begin);
        etm_decoder_remember(some, &memory);
        OK(etm_decoder_push(some, bytes + sync.begin, at - sync.begin));
        etm_decoder_imprint(all, &a);
        etm_decoder_imprint(some, &b);
        if (etm_imprint_same(&a, &b))
            alike++;
        else
            other++;
        pushed = at;
        from = at;
    }
    etm_imprint_fini(&a);
    etm_imprint_fini(&b);
    etm_sync_fini(&sync);
    etm_decoder_free(all);
    etm_decoder_free(some);
}

static unsigned long rounds(void)
{
    return setting("ETM_TEST_ROUNDS", 20);
}

static uint64_t seed(unsigned long first, unsigned long i)
{
    return setting("ETM_TEST_SEED", first) + i;
}

/* Most did, and not for want of any: so many times as many as did not. These
 * executions leave data out of order, or a context ID unsaid, for longer than
 * any margin. */
static void check_numbers(unsigned times)
{
    unsigned good = alike, bad = other;

    alike = other = 0;
    print_message("%u alike, %u not\n", good, bad);
    assert_true(good > 2 * rounds());
    assert_true(bad * times <= good);
}

static void check_walk(enum etm_protocol protocol, bool data, uint64_t first)
{
    struct random r = {.state = first};
    struct etm_generator_config options = {0};
    struct etm_config config;
    struct etm_image *image;

    if (data)
        config_make_data(&config, &r);
    else
        config_make(&config, protocol, &r);
    config.sync_period = 200;
    options.config = &config;
    program_make(&program, &config, &r);
    walk_make(&walk, &program, &r, 2000);
    image = program_image(&program);
    check(&config, image,
          trace_make(&options, walk.events, walk.n, bytes, sizeof bytes));
    etm_image_free(image);
}

static void a_syncs_of_pft_tell_all(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < rounds(); i++)
        check_walk(ETM_PROTOCOL_PFT, false, seed(1000, i));
    check_numbers(20);
}

static void a_syncs_of_etmv3_tell_all(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < rounds(); i++)
        check_walk(ETM_PROTOCOL_ETMV3, false, seed(2000, i));
    check_numbers(20);
}

static void data_addresses_of_etmv3_are_waited_for(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < rounds(); i++)
        check_walk(ETM_PROTOCOL_ETMV3, true, seed(3000, i));
    check_numbers(2);
}

static void full_addresses_of_etmv1_tell_where_it_is(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < rounds(); i++) {
        uint64_t first = seed(4000, i);
        struct etm_generator_config options = {.config = &v1.config};
        struct etm_image *image;

        v1_walk_make(&v1, first, first % 2 != 0);
        options.fifo_size = v1.fifo_size;
        image = v1_walk_image(&v1);
        check(
            &v1.config, image,
            trace_make(&options, v1.events, v1.n_events, bytes, sizeof bytes));
        etm_image_free(image);
    }
    check_numbers(2);
}

static void tfos_of_etmv2_tell_where_it_is(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < rounds(); i++) {
        struct random r = {.state = seed(5000, i)};
        struct etm_generator_config options = {.fifo_size = 90};
        struct etm_config config;
        struct etm_image *image;

        v2_config_make(&config, 60, &r);
        config.sync_period = 150;
        options.config = &config;
        program_make(&program, &config, &r);
        v2_walk_make(&v2, &program, &options, &r);
        image = program_image(&program);
        check(&config, image,
              trace_make(&options, v2.events, v2.n, bytes, sizeof bytes));
        etm_image_free(image);
    }
    check_numbers(1);
}

/* Where the bytes end it says whether more of them are needed, and from where
 * on; cut anywhere, the same is found. */
static void what_is_cut_off_is_found_with_more(void **state)
{
    struct random r = {.state = 6000};
    struct etm_generator_config options = {0};
    struct etm_config config;
    struct etm_sync sync;
    size_t n, begin, known;

    (void)state;
    config_make_data(&config, &r);
    config.data_address = true;
    config.sync_period = 200;
    options.config = &config;
    program_make(&program, &config, &r);
    walk_make(&walk, &program, &r, 2000);
    n = trace_make(&options, walk.events, walk.n, bytes, sizeof bytes);
    etm_sync_init(&sync, &config, NULL);
    assert_int_equal(etm_sync_find(&sync, bytes, 100, n), ETM_SYNC_FOUND);
    begin = sync.begin;
    known = sync.known;
    assert_true(known > begin + 6);
    for (size_t end = 100; end < known; end++) {
        enum etm_sync_look look = etm_sync_find(&sync, bytes, 100, end);
        size_t from = sync.begin;

        if (look == ETM_SYNC_FOUND) { /* not all of the last piece */
            assert_int_equal(sync.begin, begin);
            continue;
        }
        assert_int_equal(look, end < begin + 6 ? ETM_SYNC_NONE : ETM_SYNC_MORE);
        assert_true(from <= begin);
        assert_int_equal(etm_sync_find(&sync, bytes, from, n), ETM_SYNC_FOUND);
        assert_int_equal(sync.begin, begin);
        assert_int_equal(sync.known, known);
    }
    etm_sync_fini(&sync);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_syncs_of_pft_tell_all),
        cmocka_unit_test(a_syncs_of_etmv3_tell_all),
        cmocka_unit_test(data_addresses_of_etmv3_are_waited_for),
        cmocka_unit_test(full_addresses_of_etmv1_tell_where_it_is),
        cmocka_unit_test(tfos_of_etmv2_tell_where_it_is),
        cmocka_unit_test(what_is_cut_off_is_found_with_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
