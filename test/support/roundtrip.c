/* SPDX-License-Identifier: Apache-2.0 */
#include "roundtrip.h"

#include "expect.h"
#include "moves.h"

#include "base/vec.h"
#include "setting.h"

#include <etm/packet.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (1u << 22)

/* One round; too big for a stack. */
struct round {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    struct etm_generator_config options;
    struct program program;
    struct walk walk;
    size_t n_bytes;
    uint8_t bytes[BYTES];
    struct etm_vec packets; /* as the generator gave them */
    struct records expected, actual;
    struct got got;
};

static int keep_packets(void *context, const struct etm_packet *p, size_t n)
{
    struct round *round = context;

    return etm_vec_append(&round->packets, p, n);
}

static int keep_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct round *round = context;

    if (n > BYTES - round->n_bytes)
        return ETM_ERR_MEMORY;
    memcpy(round->bytes + round->n_bytes, bytes, n);
    round->n_bytes += n;
    return ETM_OK;
}

/* V3-PH-13: however atoms are packed, the same comes back. */
static void choose_options(struct round *round)
{
    struct etm_generator_config *o = &round->options;
    struct random *r = &round->r;

    *o = (struct etm_generator_config){.size = sizeof *o,
                                       .config = &round->config,
                                       .packets = keep_packets,
                                       .bytes = keep_bytes,
                                       .context = round};
    o->packing = random_chance(r, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    o->return_stack_size = (uint8_t)random_below(r, 16);
    if (random_chance(r, 5))
        o->return_stack_size = ETM_RETURN_STACK_NONE;
    o->deprecated_exceptions = (uint8_t)random_below(r, 3);
    o->separate_cycle_count = random_chance(r, 30);
    o->cancelled_as_failed = random_chance(r, 30);
    o->no_debug_entry = random_chance(r, 20);
    o->full_addresses = random_chance(r, 5);
    o->spread_sync = random_chance(r, 50);
    o->branch_before_data = random_chance(r, 20);
    o->data_only_addresses = random_chance(r, 50);
}

static void fail_round(const struct round *round, const char *what, size_t at)
{
    size_t from = at < 4 ? 0 : at - 4;

    printf("ETM_TEST_SEED=%llu: %s at record %zu\n",
           (unsigned long long)round->seed, what, at);
    config_print(&round->config);
    printf("packing %d return stack %d deprecated %d separate count %d "
           "cancelled as failed %d no debug entry %d\n",
           round->options.packing, round->options.return_stack_size,
           round->options.deprecated_exceptions,
           round->options.separate_cycle_count,
           round->options.cancelled_as_failed, round->options.no_debug_entry);
    for (size_t i = from; i <= at + 2; i++) {
        if (i < round->expected.n) {
            printf("expected %zu: ", i);
            record_print(&round->expected.r[i]);
        }
        if (i < round->actual.n) {
            printf("decoded  %zu: ", i);
            record_print(&round->actual.r[i]);
        }
    }
    if (getenv("ETM_TEST_VERBOSE") != NULL)
        walk_print(&round->walk);
    fail_msg("%s", what);
}

static void make_round(struct round *round, enum etm_protocol protocol,
                       bool data, uint64_t seed)
{
    uint64_t steps;

    round->seed = seed;
    round->r.state = seed;
    if (data)
        config_make_data(&round->config, &round->r);
    else
        config_make(&round->config, protocol, &round->r);
    program_make(&round->program, &round->config, &round->r);
    steps = 10 + random_below(&round->r, 120);
    if (round->program.n_slots > 1000)
        steps = 2500; /* long straight code */
    walk_make(&round->walk, &round->program, &round->r, (unsigned)steps);
    choose_options(round);
}

/* Events in pieces: that must not matter. */
static void generate(struct round *round)
{
    struct etm_generator *g;
    size_t i = 0;

    round->n_bytes = 0;
    round->packets.n = 0;
    assert_int_equal(etm_generator_new(&g, &round->options), ETM_OK);
    while (i < round->walk.n) {
        size_t n = 1 + random_below(&round->r, 50);

        if (n > round->walk.n - i)
            n = round->walk.n - i;
        if (etm_generator_push(g, &round->walk.events[i], n) != ETM_OK)
            fail_round(round, "the generator refuses an event", i);
        i += n;
    }
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
}

/* AltISA stands in `fields` too: whether `isa` says it is no matter. */
static unsigned plain_isa(const struct etm_packet *p)
{
    return p->isa == ETM_ISA_THUMBEE ? ETM_ISA_THUMB : p->isa;
}

static bool same_packet(const struct etm_packet *a, const struct etm_packet *b)
{
    return a->offset == b->offset && a->size == b->size && a->kind == b->kind &&
           a->header == b->header && a->fields == b->fields &&
           a->exception == b->exception && a->info == b->info &&
           plain_isa(a) == plain_isa(b) && a->reason == b->reason &&
           a->address == b->address && a->address_bits == b->address_bits &&
           a->value == b->value && a->count == b->count &&
           a->cycle_count == b->cycle_count && a->context_id == b->context_id &&
           a->tag == b->tag && a->resume == b->resume &&
           a->address2 == b->address2 && a->address2_bits == b->address2_bits;
}

static int decode_packets(void *context, const struct etm_packet *p, size_t n)
{
    return etm_vec_append(context, p, n);
}

/* What the generator says of its packets is what is in the bytes. V3-HDR-03: no
 * code is needed for that. */
static void check_packets(struct round *round)
{
    struct etm_vec decoded;
    const struct etm_packet_decoder_config how = {.config = &round->config,
                                                  .packets = decode_packets,
                                                  .context = &decoded};
    const struct etm_packet *a = round->packets.data, *b;
    struct etm_packet_decoder *d;

    etm_vec_init(&decoded, sizeof(struct etm_packet), NULL);
    assert_int_equal(etm_packet_decoder_new(&d, &how), ETM_OK);
    assert_int_equal(etm_packet_decoder_push(d, round->bytes, round->n_bytes),
                     ETM_OK);
    assert_int_equal(etm_packet_decoder_finish(d), ETM_OK);
    etm_packet_decoder_free(d);
    b = decoded.data;
    for (size_t i = 0; i < round->packets.n && i < decoded.n; i++) {
        if (a[i].kind == ETM_PACKET_P_HEADER && a[i].count == 0)
            fail_round(round, "a P-header without atoms", 0); /* V3-PH-05 */
        if (same_packet(&a[i], &b[i]))
            continue;
        printf(
            "packet %zu: %s fields %x, decoded %s fields %x\n", i,
            etm_packet_kind_name((enum etm_packet_kind)a[i].kind), a[i].fields,
            etm_packet_kind_name((enum etm_packet_kind)b[i].kind), b[i].fields);
        fail_round(round, "a packet decodes to another one", 0);
    }
    assert_int_equal(round->packets.n, decoded.n);
    etm_vec_fini(&decoded);
}

/* ETMv3: each non-periodic I-sync has one count, its own or that of a packet
 * before the next, and only with cycles. V3-CC-06, V3-CC-09, V3-CC-10 */
static void check_counts(struct round *round)
{
    const struct etm_packet *p = round->packets.data;
    bool counted = round->config.cycle_accurate && !round->config.data_only;
    bool due = false;

    if (round->config.protocol != ETM_PROTOCOL_ETMV3)
        return;
    for (size_t i = 0; i < round->packets.n; i++) {
        bool count = (p[i].fields & ETM_FIELD_CYCLES) != 0;
        bool sync = p[i].kind == ETM_PACKET_I_SYNC ||
                    p[i].kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
                    p[i].kind == ETM_PACKET_LSIP_I_SYNC;
        bool begins = sync && p[i].reason != ETM_SYNC_PERIODIC;

        if (count && (!counted || (sync ? !begins : !due)))
            fail_round(round, "a count without a gap", 0);
        if (begins && due)
            fail_round(round, "a gap without a count", 0);
        due = begins ? counted && !count : due && !count;
    }
    if (due)
        fail_round(round, "the last gap has no count", 0);
}

/* How it is cut into pieces is for test/plain to vary. */
static void decode(struct round *round, const struct etm_image *image,
                   enum etm_level level)
{
    struct etm_decoder *decoder;
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &round->config,
                                        .image = image,
                                        .level = level,
                                        .elements = got_elements,
                                        .context = &round->got};

    round->got.n = 0;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, round->bytes, round->n_bytes),
                     ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
}

static void check_elements(struct round *round)
{
    const char *wrong;
    size_t at = 0;

    round->actual.n = 0;
    wrong = got_records(&round->actual, &round->program, &round->got);
    if (wrong != NULL)
        fail_round(round, wrong,
                   round->actual.n == 0 ? 0 : round->actual.n - 1);
    wrong = records_compare(&round->program, &round->options, &round->expected,
                            &round->actual, &at);
    if (wrong != NULL)
        fail_round(round, wrong, at);
}

void roundtrip(enum etm_protocol protocol, bool data)
{
    static struct round round;
    unsigned long n = setting("ETM_TEST_ROUNDS", 10000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    etm_vec_init(&round.packets, sizeof(struct etm_packet), NULL);
    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        make_round(&round, protocol, data, seed + i);
        generate(&round);
        check_packets(&round);
        check_counts(&round);
        expect_walk(&round.expected, &round.program, &round.walk,
                    &round.options);
        image = program_image(&round.program);
        decode(&round, image, ETM_LEVEL_INSTRUCTIONS);
        check_elements(&round);
        decode(&round, image, ETM_LEVEL_RANGES);
        check_elements(&round);
        etm_image_free(image);
    }
    etm_vec_fini(&round.packets);
}
