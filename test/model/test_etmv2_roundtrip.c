/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs and executions through the ETMv2 generator and back: the
 * same instructions, transfers, exceptions and cycles come out, as far as the
 * FIFO did not overflow. ETM_TEST_ROUNDS=N runs N, ETM_TEST_SEED=N begins with
 * another one.
 */
#include "etmv2_round.h"

#include "../support/setting.h"
#include "flow/etmv2/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct v2_round the;

static int keep_packets(void *context, const struct etm_packet *p, size_t n)
{
    (void)context;
    return etm_vec_append(&the.packets, p, n);
}

static int keep_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    if (n > V2_BYTES - the.n_bytes)
        return ETM_ERR_MEMORY;
    memcpy(the.bytes + the.n_bytes, bytes, n);
    the.n_bytes += n;
    return ETM_OK;
}

static void generate(void)
{
    struct etm_generator *g;
    size_t i = 0;

    the.n_bytes = 0;
    the.packets.n = 0;
    assert_int_equal(etm_generator_new(&g, &the.options), ETM_OK);
    while (i < the.walk.n) {
        size_t n = 1 + random_below(&the.r, 50);

        if (n > the.walk.n - i)
            n = the.walk.n - i;
        if (etm_generator_push(g, &the.walk.events[i], n) != ETM_OK)
            v2_fail("the generator refuses an event", i);
        i += n;
    }
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
}

static void make_round(uint64_t seed)
{
    struct random *r = &the.r;

    the.seed = seed;
    r->state = seed;
    v2_config_make(&the.config, 75, r);
    the.size = etm_sample_size(&the.config);
    the.options = (struct etm_generator_config){.size = sizeof the.options,
                                                .config = &the.config,
                                                .packets = keep_packets,
                                                .bytes = keep_bytes};
    the.options.fold_branches = random_chance(r, 60);
    the.options.cancelled_as_failed = random_chance(r, 30);
    the.options.full_addresses = random_chance(r, 5);
    the.options.branch_before_data = random_chance(r, 20);
    the.options.fifo_size =
        (uint8_t)(random_chance(r, 60) ? 90 : random_below(r, 96));
    program_make(&the.program, &the.config, r);
    v2_walk_make(&the.walk, &the.program, &the.options, r);
    generate();
}

/* Bytes to elements, in one piece or in many. */
static void decode(const uint8_t *bytes, size_t n, enum etm_level level,
                   bool split, struct etm_vec *out)
{
    static struct etm_etmv2_decoder d;
    static struct etm_etmv2_flow flow;
    struct etm_image *image = program_image(&the.program);
    size_t i = 0;

    if (the.walk.vectors != NULL)
        assert_int_equal(
            etm_image_add(image, 0xffff0000u, the.walk.vectors, 32, NULL),
            ETM_OK);
    out->n = 0;
    etm_etmv2_decoder_init(&d, &the.config);
    assert_int_equal(
        etm_etmv2_flow_init(&flow, &the.config, image, level, NULL), ETM_OK);
    while (i < n) {
        size_t piece = split ? 1 + random_below(&the.r, 9) : n;

        if (piece > n - i)
            piece = n - i;
        the.decoded.n = 0;
        assert_int_equal(
            etm_etmv2_decoder_push(&d, bytes + i, piece, &the.decoded), ETM_OK);
        assert_int_equal(
            etm_etmv2_flow_push(&flow, the.decoded.data, the.decoded.n, out),
            ETM_OK);
        i += piece;
    }
    the.decoded.n = 0;
    assert_int_equal(etm_etmv2_decoder_finish(&d, &the.decoded), ETM_OK);
    assert_int_equal(
        etm_etmv2_flow_push(&flow, the.decoded.data, the.decoded.n, out),
        ETM_OK);
    assert_int_equal(etm_etmv2_flow_finish(&flow, n, out), ETM_OK);
    etm_etmv2_flow_fini(&flow);
    etm_image_free(image);
}

/* What the generator says of its packets is what is in the bytes, and the
 * bytes of packets in a row are the stream. */
static void check_packets(void)
{
    static struct etm_etmv2_decoder d;
    const struct etm_packet *a = the.packets.data, *b;

    the.decoded.n = 0;
    etm_etmv2_decoder_init(&d, &the.config);
    etm_etmv2_decoder_push(&d, the.bytes, the.n_bytes, &the.decoded);
    etm_etmv2_decoder_finish(&d, &the.decoded);
    b = the.decoded.data;
    assert_int_equal(the.packets.n, the.decoded.n);
    for (size_t i = 0; i < the.packets.n; i++) {
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
            v2_fail("a packet decodes to another one", i / 2);
        }
    }
}

static void for_rounds(unsigned long n, void (*check)(void))
{
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    etm_vec_init(&the.packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&the.decoded, sizeof(struct etm_packet), NULL);
    etm_vec_init(&the.elements, sizeof(struct etm_element), NULL);
    etm_vec_init(&the.again, sizeof(struct etm_element), NULL);
    n = setting("ETM_TEST_ROUNDS", n);
    for (unsigned long i = 0; i < n; i++) {
        make_round(seed + i);
        check();
    }
    etm_vec_fini(&the.packets);
    etm_vec_fini(&the.decoded);
    etm_vec_fini(&the.elements);
    etm_vec_fini(&the.again);
}

static void same_again(const char *what)
{
    if (the.again.n != the.elements.n ||
        memcmp(the.again.data, the.elements.data,
               the.elements.n * sizeof(struct etm_element)) != 0)
        v2_fail(what, 0);
}

static void comes_back(void)
{
    check_packets();
    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, false,
           &the.elements);
    v2_note_overflow();
    v2_check_insns();
    v2_check_data();
    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, true, &the.again);
    same_again("a split of the input changes the output");
    decode(the.bytes, the.n_bytes, ETM_LEVEL_RANGES, true, &the.again);
    v2_check_ranges();
}

/* SIG-04, SIG-05, V2-PIPE-01 to -03, V2-PIPE-06, V2-PIPE-07, V2-PHAN-01 to
 * -03, V2-TRG-01, V2-TRG-02, V2-PKT-01 to -05, V2-RULE-01 to -07, V2-DATA-01
 * to -10, V2-MISS-01 to -05, V2-MISS-09 to -12, V2-LSM-01 to -07, V2-CTX-02,
 * V2-TFO-04 to -12, V2-TFOP-03 to -11, V2-BR-01 to -07, V2-EXC-01 to -06,
 * V2-FILT-01 to -03, V2-OVF-01, V2-OVF-02, V2-CYC-01 to -03, BRX-08 to -14,
 * DAT-02, DAT-07, DAT-09, DEF-06, COP-04, COP-05 */
static void executions_come_back(void **state)
{
    (void)state;
    for_rounds(3000, comes_back);
}

/* TCD-05, TCD-09: a capture device may leave out cycles without trace. */
static void without_idle_cycles(void)
{
    size_t n = 0;

    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, false,
           &the.elements);
    for (size_t i = 0; i < the.n_bytes; i += the.size) {
        if (the.bytes[i] == ETM_ETMV2_TD && (the.bytes[i + 1] & 1) == 0 &&
            random_chance(&the.r, 70))
            continue;
        memmove(the.bytes + n, the.bytes + i, the.size);
        n += the.size;
    }
    decode(the.bytes, n, ETM_LEVEL_INSTRUCTIONS, false, &the.again);
    for (size_t i = 0; i < the.again.n && i < the.elements.n; i++) {
        ((struct etm_element *)the.elements.data)[i].offset = 0;
        ((struct etm_element *)the.again.data)[i].offset = 0;
    }
    same_again("cycles without trace change the output");
}

/* E-162 */
static void cycles_without_trace_may_be_missing(void **state)
{
    (void)state;
    for_rounds(300, without_idle_cycles);
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
    return the.n_bytes;
}

static const struct etm_element *next_insn(const struct etm_vec *v, size_t *i,
                                           uint64_t from)
{
    const struct etm_element *e = v->data;

    while (*i < v->n && (e[*i].kind != ETM_ELEMENT_INSN || e[*i].offset < from))
        (*i)++;
    return *i < v->n ? &e[(*i)++] : NULL;
}

/* From that record on, both have the same instructions; in the second one
 * offsets are `shift` less. */
static void same_from(size_t record, uint64_t shift, const char *what)
{
    uint64_t from = record * the.size;
    size_t i = 0, k = 0;

    for (;;) {
        const struct etm_element *a = next_insn(&the.elements, &i, from);
        const struct etm_element *b = next_insn(&the.again, &k, from - shift);

        if (a == NULL && b == NULL)
            return;
        if (a == NULL || b == NULL || a->offset != b->offset + shift ||
            a->u.insn.address != b->u.insn.address ||
            a->u.insn.exec != b->u.insn.exec) {
            if (a != NULL)
                v2_print(a);
            if (b != NULL)
                v2_print(b);
            if (getenv("ETM_TEST_VERBOSE") != NULL)
                for (size_t n = 0; n < the.again.n; n++)
                    v2_print((struct etm_element *)the.again.data + n);
            v2_fail(what, record);
        }
    }
}

static void cut(void)
{
    size_t records = the.n_bytes / the.size;
    size_t from, tfo;

    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, false,
           &the.elements);
    for (unsigned i = 0; i < 5; i++) {
        from = random_below(&the.r, (uint32_t)records);
        tfo = tfo_behind(from, 1);
        decode(the.bytes + from * the.size, the.n_bytes - from * the.size,
               ETM_LEVEL_INSTRUCTIONS, false, &the.again);
        if (tfo < records)
            same_from(tfo, from * the.size, "a cut changes what follows");
    }
}

/* V2-SYNC-01 to -04, V2-TFO-06, V2-TFO-13, V2-MISS-08 */
static void a_capture_may_begin_anywhere(void **state)
{
    (void)state;
    for_rounds(500, cut);
}

static void damaged(void)
{
    size_t records = the.n_bytes / the.size;
    size_t from = 0, tfo;
    unsigned n = 1 + random_below(&the.r, 3);

    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, false,
           &the.elements);
    for (unsigned i = 0; i < n; i++) {
        size_t at = random_below(&the.r, (uint32_t)the.n_bytes);

        the.bytes[at] ^= (uint8_t)(1u << random_below(&the.r, 8));
        if (at / the.size > from)
            from = at / the.size;
    }
    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, false, &the.again);
    tfo = tfo_behind(from + 4, 2);
    if (tfo < records)
        same_from(tfo, 0, "damage was not contained");
    etm_vec_fini(&the.elements);
    the.elements = the.again;
    etm_vec_init(&the.again, sizeof(struct etm_element), NULL);
    decode(the.bytes, the.n_bytes, ETM_LEVEL_INSTRUCTIONS, true, &the.again);
    same_again("a split of damaged input changes the output");
}

/* V2-RULE-06, V2-HDR-07, V2-SYNC-03 */
static void damage_ends_with_the_next_synchronization(void **state)
{
    (void)state;
    for_rounds(1000, damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_come_back),
        cmocka_unit_test(cycles_without_trace_may_be_missing),
        cmocka_unit_test(a_capture_may_begin_anywhere),
        cmocka_unit_test(damage_ends_with_the_next_synchronization),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
