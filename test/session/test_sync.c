/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronizations that are found in the bytes of a stream: who begins there
 * soon stands where a decoder of everything stands, in random executions of
 * every protocol. It is compared by imprints.
 * ETM_TEST_ROUNDS=N makes N executions of each kind, ETM_TEST_SEED=N begins
 * with another one.
 */
#include "parallel_support.h"

#include "../support/receive.h"
#include "../support/setting.h"
#include "session/decoder.h"
#include "session/sync.h"

/* Bytes after the place where all is known, and more where it is not. */
#define MARGIN 60u
#define FULL_MARGIN 400u /* where no instruction comes while a FIFO drains */
#define LONG_MARGIN 1200u

static struct input in;

/* Synchronizations after which the decoders stood alike, and not. */
static unsigned alike, other;

RECEIVE(drop, const struct etm_element *)

static struct etm_decoder *new_decoder(void)
{
    const struct etm_decoder_config how = {
        .config = in.config, .image = in.image, .elements = drop};
    struct etm_decoder *d;

    OK(etm_decoder_new(&d, &how));
    return d;
}

/* What stands at the index is no guess: the bytes say it themselves. */
static void check_begin(size_t at)
{
    static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80};

    if (etm_protocol_is_port(in.config->protocol))
        assert_int_equal(at % etm_sample_size(in.config), 0);
    else
        assert_memory_equal(in.bytes + at, mark, sizeof mark);
}

static void check(void)
{
    struct etm_decoder *all = new_decoder(), *some = new_decoder();
    size_t pushed = 0, from = 0;
    size_t margin = !etm_sync_is_whole(in.config)               ? LONG_MARGIN
                    : in.config->protocol == ETM_PROTOCOL_ETMV1 ? FULL_MARGIN
                                                                : MARGIN;
    struct etm_decoder_memory memory;
    struct etm_imprint a, b;
    struct etm_sync sync;

    etm_sync_init(&sync, in.config, NULL);
    etm_imprint_init(&a, NULL);
    etm_imprint_init(&b, NULL);
    while (etm_sync_find(&sync, in.bytes, from, in.n) == ETM_SYNC_FOUND) {
        size_t at = sync.known + margin;

        assert_in_range(sync.begin, from, sync.known);
        check_begin(sync.begin);
        if (at > in.n)
            break;
        OK(etm_decoder_push(all, in.bytes + pushed, at - pushed));
        memory = etm_decoder_memory(all);
        etm_decoder_restart(some, sync.begin);
        etm_decoder_remember(some, &memory);
        OK(etm_decoder_push(some, in.bytes + sync.begin, at - sync.begin));
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

/* Most did, and not for want of any: so many times as many as did not. These
 * executions leave data out of order, or a context ID unsaid, for longer than
 * any margin. */
static void check_numbers(unsigned long rounds, unsigned times)
{
    unsigned good = alike, bad = other;

    alike = other = 0;
    print_message("%u alike, %u not\n", good, bad);
    assert_true(good > 2 * rounds);
    assert_true(bad * times <= good);
}

static const struct kind kinds[] = {
    {"a_syncs_of_pft_tell_all", ETM_PROTOCOL_PFT, false, 1000, 20, 20},
    {"a_syncs_of_etmv3_tell_all", ETM_PROTOCOL_ETMV3, false, 2000, 20, 20},
    {"data_addresses_of_etmv3_are_waited_for", ETM_PROTOCOL_ETMV3, true, 3000,
     20, 2},
    {"full_addresses_of_etmv1_tell_where_it_is", ETM_PROTOCOL_ETMV1, false,
     4000, 20, 2},
    {"tfos_of_etmv2_tell_where_it_is", ETM_PROTOCOL_ETMV2, false, 5000, 20, 1},
};

#define KINDS (sizeof kinds / sizeof *kinds)

static void synchronizations_tell_all(void **state)
{
    const struct kind *kind = *state;
    unsigned long rounds = setting("ETM_TEST_ROUNDS", kind->rounds);

    for (unsigned long i = 0; i < rounds; i++) {
        struct random r = {.state = setting("ETM_TEST_SEED", kind->seed) + i};

        input_make(&in, kind, &r, 200, 2000);
        check();
        input_free(&in);
    }
    check_numbers(rounds, kind->times);
}

/* Where the bytes end it says whether more of them are needed, and from where
 * on; cut anywhere, the same is found. */
static void what_is_cut_off_is_found_with_more(void **state)
{
    struct random r = {.state = 6000};
    struct etm_sync sync;
    size_t begin, known;

    (void)state;
    input_make(&in, &kinds[2], &r, 200, 2000);
    assert_true(in.config->data_address);
    etm_sync_init(&sync, in.config, NULL);
    assert_int_equal(etm_sync_find(&sync, in.bytes, 100, in.n), ETM_SYNC_FOUND);
    begin = sync.begin;
    known = sync.known;
    assert_true(known > begin + 6);
    for (size_t end = 100; end < known; end++) {
        enum etm_sync_look look = etm_sync_find(&sync, in.bytes, 100, end);
        size_t from = sync.begin;

        if (look == ETM_SYNC_FOUND) { /* not all of the last piece */
            assert_int_equal(sync.begin, begin);
            continue;
        }
        assert_int_equal(look, end < begin + 6 ? ETM_SYNC_NONE : ETM_SYNC_MORE);
        assert_true(from <= begin);
        assert_int_equal(etm_sync_find(&sync, in.bytes, from, in.n),
                         ETM_SYNC_FOUND);
        assert_int_equal(sync.begin, begin);
        assert_int_equal(sync.known, known);
    }
    etm_sync_fini(&sync);
    input_free(&in);
}

int main(void)
{
    struct CMUnitTest tests[KINDS + 1] = {
        cmocka_unit_test(what_is_cut_off_is_found_with_more)};

    kinds_to_tests(kinds, KINDS, synchronizations_tell_all, tests + 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
