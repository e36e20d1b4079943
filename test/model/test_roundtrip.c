/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs and executions of PFT and ETMv3, through a generator and a
 * decoder and back: the same execution has to come out, as far as the protocol
 * can tell it, in every configuration. With "data" as argument: with data
 * trace, each transfer with the instruction that made it.
 */
#include "../support/test.h"
#include "expect.h"
#include "moves.h"
#include "round_trip.h"
#include "trace.h"

#include "proto/etmv3.h"
#include "proto/pft.h"

static struct etm_generator_config options;
static struct program program;
static struct walk walk;
static struct etm_vec packets; /* as the generator gave them */
static struct records expected, actual;

static int keep_packets(void *context, const struct etm_packet *p, size_t n)
{
    (void)context;
    return etm_vec_append(&packets, p, n);
}

/* V3-PH-13: however atoms are packed, the same comes back. */
static void choose_options(void)
{
    struct etm_generator_config *o = &options;
    struct random *r = &the.r;

    *o = (struct etm_generator_config){
        .size = sizeof *o, .config = &the.config, .packets = keep_packets};
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

static void print(void)
{
    const struct etm_packet *p = packets.data;

    printf("packing %d return stack %d deprecated %d separate count %d "
           "cancelled as failed %d no debug entry %d\n",
           options.packing, options.return_stack_size,
           options.deprecated_exceptions, options.separate_cycle_count,
           options.cancelled_as_failed, options.no_debug_entry);
    walk_print(&walk);
    for (size_t i = 0; i < packets.n; i++) {
        printf("%5llu %s", (unsigned long long)p[i].offset,
               etm_packet_kind_name((enum etm_packet_kind)p[i].kind));
        for (uint32_t k = 0; k < p[i].size; k++)
            printf(" %02x", the.bytes[p[i].offset + k]);
        printf("\n");
    }
}

static void fail_at(const char *what, size_t at)
{
    for (size_t i = at < 4 ? 0 : at - 4; i <= at + 2; i++) {
        if (i < expected.n) {
            printf("expected %zu: ", i);
            record_print(&expected.r[i]);
        }
        if (i < actual.n) {
            printf("decoded  %zu: ", i);
            record_print(&actual.r[i]);
        }
    }
    trip_fail(what, 0);
}

/* The configuration is there. */
static void make(void)
{
    struct random *r = &the.r;
    unsigned steps;

    the.print = print;
    program_make(&program, &the.config, r);
    steps = 10 + random_below(r, 120);
    if (program.n_slots > 1000)
        steps = 2500; /* long straight code */
    walk_make(&walk, &program, r, steps);
    choose_options();
    packets.n = 0;
    the.n_bytes =
        trace_make(&options, walk.events, walk.n, the.bytes, TRIP_BYTES);
    the.image = program_image(&program);
}

static void make_pft(uint64_t seed)
{
    (void)seed;
    config_make(&the.config, ETM_PROTOCOL_PFT, &the.r);
    make();
}

static void make_etmv3(uint64_t seed)
{
    (void)seed;
    config_make(&the.config, ETM_PROTOCOL_ETMV3, &the.r);
    make();
}

static void make_data(uint64_t seed)
{
    (void)seed;
    config_make_data(&the.config, &the.r);
    make();
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

/* What the generator says of its packets is what is in the bytes. V3-HDR-03: no
 * code is needed for that. */
static void check_packets(void)
{
    static struct etm_vec decoded;
    static struct etm_pft_decoder pft;
    static struct etm_etmv3_decoder etmv3;
    const struct etm_packet *a = packets.data, *b;

    etm_vec_init(&decoded, sizeof(struct etm_packet), NULL);
    if (the.config.protocol == ETM_PROTOCOL_PFT) {
        etm_pft_decoder_init(&pft, &the.config);
        etm_pft_decoder_push(&pft, the.bytes, the.n_bytes, &decoded);
        etm_pft_decoder_finish(&pft, &decoded);
    } else {
        etm_etmv3_decoder_init(&etmv3, &the.config);
        etm_etmv3_decoder_push(&etmv3, the.bytes, the.n_bytes, &decoded);
        etm_etmv3_decoder_finish(&etmv3, &decoded);
    }
    b = decoded.data;
    for (size_t i = 0; i < packets.n && i < decoded.n; i++) {
        if (a[i].kind == ETM_PACKET_P_HEADER && a[i].count == 0)
            trip_fail("a P-header without atoms", 0); /* V3-PH-05 */
        if (same_packet(&a[i], &b[i]))
            continue;
        printf("packet %zu: %s fields %x isa %d address %x/%d info %x, "
               "decoded %s fields %x isa %d address %x/%d info %x\n",
               i, etm_packet_kind_name((enum etm_packet_kind)a[i].kind),
               a[i].fields, a[i].isa, a[i].address, a[i].address_bits,
               a[i].info, etm_packet_kind_name((enum etm_packet_kind)b[i].kind),
               b[i].fields, b[i].isa, b[i].address, b[i].address_bits,
               b[i].info);
        trip_fail("a packet decodes to another one", 0);
    }
    assert_int_equal(packets.n, decoded.n);
    etm_vec_fini(&decoded);
}

/* ETMv3: each non-periodic I-sync has one count, its own or that of a packet
 * before the next, and only with cycles. V3-CC-06, V3-CC-09, V3-CC-10 */
static void check_counts(void)
{
    const struct etm_packet *p = packets.data;
    bool counted = the.config.cycle_accurate && !the.config.data_only;
    bool due = false;

    if (the.config.protocol != ETM_PROTOCOL_ETMV3)
        return;
    for (size_t i = 0; i < packets.n; i++) {
        bool count = (p[i].fields & ETM_FIELD_CYCLES) != 0;
        bool sync = p[i].kind == ETM_PACKET_I_SYNC ||
                    p[i].kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
                    p[i].kind == ETM_PACKET_LSIP_I_SYNC;
        bool begins = sync && p[i].reason != ETM_SYNC_PERIODIC;

        if (count && (!counted || (sync ? !begins : !due)))
            trip_fail("a count without a gap", 0);
        if (begins && due)
            trip_fail("a gap without a count", 0);
        due = begins ? counted && !count : due && !count;
    }
    if (due)
        trip_fail("the last gap has no count", 0);
}

static void check_elements(enum etm_level level)
{
    static struct got got;
    const char *wrong;
    size_t at = 0;

    trip_decode_at(level);
    got.n = actual.n = 0;
    assert_ok(got_elements(&got, the.elements.data, the.elements.n));
    wrong = got_records(&actual, &program, &got);
    if (wrong != NULL)
        fail_at(wrong, actual.n == 0 ? 0 : actual.n - 1);
    wrong = records_compare(&program, &options, &expected, &actual, &at);
    if (wrong != NULL)
        fail_at(wrong, at);
}

/* Whatever comes out of damage: no record has to be right. */
static size_t nothing(size_t at)
{
    (void)at;
    return SIZE_MAX;
}

static void comes_back(void)
{
    check_packets();
    check_counts();
    expect_walk(&expected, &program, &walk, &options);
    check_elements(ETM_LEVEL_INSTRUCTIONS);
    check_elements(ETM_LEVEL_RANGES);
    trip_damage(the.n_bytes, nothing);
}

static void rounds(void (*one)(uint64_t seed))
{
    etm_vec_init(&packets, sizeof(struct etm_packet), NULL);
    trip_rounds(10000, one, comes_back);
    etm_vec_fini(&packets);
}

TEST(pft_executions_come_back)
{
    rounds(make_pft);
}

TEST(etmv3_executions_come_back)
{
    rounds(make_etmv3);
}

static void executions_come_back_with_their_data(void **state)
{
    (void)state;
    rounds(make_data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest data[] = {
        cmocka_unit_test(executions_come_back_with_their_data),
    };

    if (argc > 1 && strcmp(argv[1], "data") == 0)
        return cmocka_run_group_tests(data, NULL, NULL);
    return tests_run();
}
