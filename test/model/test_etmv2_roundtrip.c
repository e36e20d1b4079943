/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs and executions through the ETMv2 generator and back: the
 * same instructions, transfers, exceptions and cycles come out, as far as the
 * FIFO did not overflow.
 */
#include "../support/test.h"
#include "etmv2_round.h"

#include "proto/etmv2.h"
#include "trace.h"

struct v2_round v2;

static int keep_packets(void *context, const struct etm_packet *p, size_t n)
{
    (void)context;
    return etm_vec_append(&v2.packets, p, n);
}

static void print(void)
{
    const struct etm_packet *p = v2.packets.data;

    printf("fold %d fifo %d exact %d\n", v2.options.fold_branches,
           v2.options.fifo_size, v2.walk.exact);
    for (size_t i = 0; i < v2.walk.n_truth; i++)
        port_truth_print(&v2.walk.truth[i]);
    for (size_t i = 0; i + 1 < v2.packets.n; i += 2)
        printf("%zu: %x %03x use %d\n", i / 2, (unsigned)p[i].value,
               (unsigned)p[i + 1].value, p[i + 1].use);
}

static void make(uint64_t seed)
{
    struct random *r = &the.r;

    (void)seed;
    the.print = print;
    port_config_make(&the.config, ETM_PROTOCOL_ETMV2, 75, r);
    v2.options = (struct etm_generator_config){.config = &the.config,
                                               .packets = keep_packets};
    v2.options.fold_branches = random_chance(r, 60);
    v2.options.cancelled_as_failed = random_chance(r, 30);
    v2.options.full_addresses = random_chance(r, 5);
    v2.options.branch_before_data = random_chance(r, 20);
    v2.options.fifo_size =
        (uint8_t)(random_chance(r, 60) ? 90 : random_below(r, 96));
    program_make(&v2.program, &the.config, r);
    port_walk_make(&v2.walk, &v2.program, &v2.options, r);
    v2.packets.n = 0;
    the.n_bytes = trace_make(&v2.options, v2.walk.events, v2.walk.n, the.bytes,
                             TRIP_BYTES);
    the.image = program_image(&v2.program);
}

/* What the generator says of its packets is what is in the bytes, and the
 * bytes of packets in a row are the stream. */
static void check_packets(void)
{
    static struct etm_etmv2_decoder d;
    const struct etm_packet *a = v2.packets.data, *b;

    v2.decoded.n = 0;
    etm_etmv2_decoder_init(&d, &the.config);
    etm_etmv2_decoder_push(&d, the.bytes, the.n_bytes, &v2.decoded);
    etm_etmv2_decoder_finish(&d, &v2.decoded);
    b = v2.decoded.data;
    assert_int_equal(v2.packets.n, v2.decoded.n);
    for (size_t i = 0; i < v2.packets.n; i++) {
        bool same = a[i].offset == b[i].offset && a[i].size == b[i].size &&
                    a[i].kind == b[i].kind && a[i].value == b[i].value &&
                    a[i].use == b[i].use && a[i].count == b[i].count &&
                    a[i].address == b[i].address &&
                    a[i].fields == b[i].fields && a[i].info == b[i].info;

        if (!same) {
            printf("%s %x use %d count %d, decoded %s %x use %d count %d\n",
                   etm_packet_kind_name((enum etm_packet_kind)a[i].kind),
                   (unsigned)a[i].value, a[i].use, a[i].count,
                   etm_packet_kind_name((enum etm_packet_kind)b[i].kind),
                   (unsigned)b[i].value, b[i].use, b[i].count);
            trip_fail("a packet decodes to another one", i / 2);
        }
    }
}

/* The record of the `n`-th TFO at or after record `from`. */
static size_t tfo_behind(size_t from, unsigned n)
{
    for (size_t i = from; i < the.n_bytes / the.size; i++) {
        const uint8_t *b = the.bytes + i * the.size;
        bool tfo = b[0] == ETM_ETMV2_TD && etm_etmv2_is_tfo(b[1]);

        tfo = tfo || (b[0] == ETM_ETMV2_TR && (b[1] & 0xf) == ETM_ETMV2_TD);
        if (tfo && --n == 0)
            return i;
    }
    return SIZE_MAX;
}

static size_t sync(size_t from)
{
    return tfo_behind(from, 1);
}

static size_t clean(size_t at)
{
    return tfo_behind(at + 4, 2);
}

static void comes_back(void)
{
    check_packets();
    trip_decode();
    v2_note_overflow();
    v2_check_insns();
    v2_check_data();
    trip_cut(sync);
    if (the.seed % 2 == 0)
        trip_damage(the.n_bytes / the.size, clean);
    else
        trip_without_idle();
}

/* SIG-04, SIG-05, V2-PIPE-01 to -03, V2-PIPE-06, V2-PIPE-07, V2-PHAN-01 to
 * -03, V2-TRG-01, V2-TRG-02, V2-PKT-01 to -05, V2-RULE-01 to -07, V2-DATA-01
 * to -10, V2-MISS-01 to -05, V2-MISS-08 to -12, V2-LSM-01 to -07, V2-CTX-02,
 * V2-TFO-04 to -13, V2-TFOP-03 to -11, V2-BR-01 to -07, V2-EXC-01 to -06,
 * V2-FILT-01 to -03, V2-OVF-01, V2-OVF-02, V2-CYC-01 to -03, V2-SYNC-01 to -04,
 * V2-HDR-07, BRX-08 to -14, DAT-02, DAT-07, DAT-09, DEF-06, COP-04, COP-05,
 * TCD-05, TCD-09, E-162 */
TEST(executions_come_back)
{
    etm_vec_init(&v2.packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&v2.decoded, sizeof(struct etm_packet), NULL);
    trip_rounds(3000, make, comes_back);
    etm_vec_fini(&v2.packets);
    etm_vec_fini(&v2.decoded);
}
