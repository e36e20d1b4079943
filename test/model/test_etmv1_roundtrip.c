/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions through the ETMv1 generator and the decoder and back. The
 * same execution has to come out: each instruction, transfer, exception and
 * cycle. ETM_TEST_ROUNDS=N runs N, ETM_TEST_SEED=N begins with another one.
 */
#include "etmv1_walk.h"
#include "trace.h"

#include "../support/setting.h"
#include "flow/etmv1/flow.h"
#include "proto/etmv1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (3u << 20)
#define GOT 40000u

static struct v1_walk walk;

static struct {
    size_t n;
    uint8_t bytes[BYTES];
} stream, other;

struct got {
    size_t n, triggers, lost, insns;
    uint64_t cycles;
    struct v1_record r[GOT];
    uint64_t offset[GOT];
};

static struct got got, again, other_got;

static void generate(void)
{
    struct etm_generator_config how = {.config = &walk.config,
                                       .fifo_size = walk.fifo_size};

    stream.n =
        trace_make(&how, walk.events, walk.n_events, stream.bytes, BYTES);
}

static void keep_data(struct got *to, const struct etm_element *e)
{
    struct v1_record *r = &to->r[to->n++];

    assert_int_equal(e->u.data.status, ETM_DATA_OK);
    assert_true(e->u.data.insn_known);
    r->kind = V1_DATA;
    r->insn = e->u.data.insn;
    r->index = e->u.data.index;
    r->size = e->u.data.size;
    r->store = e->u.data.store == ETM_TRUE;
    r->address_known = e->u.data.address_known;
    r->address = e->u.data.address;
    r->value_known = e->u.data.value_known;
    r->value = e->u.data.value;
}

static void keep_exception(struct got *to, const struct etm_element *e)
{
    struct v1_record *r = &to->r[to->n++];

    r->kind = V1_EXCEPTION;
    r->number = (uint8_t)e->u.exception.number;
    r->cancels_known = e->u.exception.cancels_known;
    r->cancels = e->u.exception.cancels;
    r->return_known = e->u.exception.return_known;
    r->return_address = e->u.exception.return_address;
}

/* Contexts are written into the instructions. */
static void keep(struct got *to, const struct etm_element *e,
                 struct v1_record *now)
{
    struct v1_record *r = &to->r[to->n];

    assert_true(to->n + 1 < GOT);
    memset(r, 0, sizeof *r);
    to->offset[to->n] = e->offset;
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_INSN:
        *r = *now;
        r->kind = V1_INSN;
        r->address = e->u.insn.address;
        r->opcode = e->u.insn.opcode;
        r->isa = e->u.insn.isa;
        r->size = e->u.insn.size;
        r->passed = e->u.insn.exec == ETM_TRUE;
        r->cycles = e->u.insn.cycles;
        to->insns++;
        to->cycles += e->u.insn.cycles;
        to->n++;
        return;
    case ETM_ELEMENT_CONTEXT:
        now->context_known = e->u.context.context_id_known;
        now->context_id = e->u.context.context_id;
        return;
    case ETM_ELEMENT_TRACE_ON:
        r->kind = V1_ON;
        r->reason = e->u.trace_on.reason;
        to->n++;
        return;
    case ETM_ELEMENT_DATA:
        keep_data(to, e);
        return;
    case ETM_ELEMENT_EXCEPTION:
        keep_exception(to, e);
        return;
    case ETM_ELEMENT_TRIGGER:
        to->triggers++;
        return;
    case ETM_ELEMENT_LOST:
        to->lost++;
        return;
    case ETM_ELEMENT_RANGE: /* as its last instruction */
        *r = *now;
        r->kind = V1_INSN;
        r->address = e->u.range.last_address;
        r->isa = e->u.range.isa;
        r->passed = e->u.range.last_exec == ETM_TRUE;
        to->insns += e->u.range.n;
        to->cycles += e->u.range.cycles;
        to->n++;
        return;
    case ETM_ELEMENT_NO_IMAGE:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_CYCLES:
    case ETM_ELEMENT_TIMESTAMP:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE: /* of an ITM, from here on */
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        return;
    }
}

static void take(struct got *to, struct etm_vec *elements,
                 struct etm_etmv1_flow *flow, struct v1_record *now)
{
    const struct etm_element *e = elements->data;

    assert_int_equal(flow->walk.held, elements->n);
    for (size_t i = 0; i < elements->n; i++)
        keep(to, &e[i], now);
    flow->walk.base += elements->n;
    flow->walk.held = 0;
    elements->n = 0;
}

static void decode_at(struct got *to, const struct etm_image *image,
                      const uint8_t *bytes, size_t n, bool split,
                      enum etm_level level)
{
    static struct etm_etmv1_flow flow;
    static struct etm_etmv1_decoder decoder;
    struct v1_record now = {0};
    struct etm_vec packets, elements;

    to->n = to->triggers = to->lost = to->insns = 0;
    to->cycles = 0;
    etm_vec_init(&packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&elements, sizeof(struct etm_element), NULL);
    etm_etmv1_decoder_init(&decoder, &walk.config);
    assert_int_equal(
        etm_etmv1_flow_init(&flow, &walk.config, image, level, NULL), ETM_OK);
    for (size_t i = 0; i < n;) {
        size_t part = split ? 1 + random_below(&walk.r, 40) : 2048;

        if (part > n - i)
            part = n - i;
        assert_int_equal(
            etm_etmv1_decoder_push(&decoder, bytes + i, part, &packets),
            ETM_OK);
        assert_int_equal(
            etm_etmv1_flow_push(&flow, packets.data, packets.n, &elements),
            ETM_OK);
        packets.n = 0;
        take(to, &elements, &flow, &now);
        i += part;
    }
    assert_int_equal(etm_etmv1_decoder_finish(&decoder, &packets), ETM_OK);
    assert_int_equal(
        etm_etmv1_flow_push(&flow, packets.data, packets.n, &elements), ETM_OK);
    assert_int_equal(etm_etmv1_flow_finish(&flow, n, &elements), ETM_OK);
    take(to, &elements, &flow, &now);
    etm_etmv1_flow_fini(&flow);
    etm_vec_fini(&packets);
    etm_vec_fini(&elements);
}

static void decode(struct got *to, const struct etm_image *image,
                   const uint8_t *bytes, size_t n, bool split)
{
    decode_at(to, image, bytes, n, split, ETM_LEVEL_INSTRUCTIONS);
}

static void print_record(const char *what, const struct v1_record *r)
{
    printf("%s kind %d isa %d %x opcode %x passed %d insn %x[%d] size %d "
           "store %d value %d:%llx address %d exc %d cancels %x return %x "
           "reason %d context %d:%x cycles %lld\n",
           what, r->kind, r->isa, r->address, r->opcode, r->passed, r->insn,
           r->index, r->size, r->store, r->value_known,
           (unsigned long long)r->value, r->address_known, r->number,
           r->cancels, r->return_address, r->reason, r->context_known,
           r->context_id, (long long)r->cycles);
}

static bool same(const struct v1_record *e, const struct v1_record *a,
                 bool cycles)
{
    bool counted = cycles && walk.config.cycle_accurate;

    return e->kind == a->kind && e->isa == a->isa && e->size == a->size &&
           e->reason == a->reason && e->number == a->number &&
           e->index == a->index && e->passed == a->passed &&
           e->store == a->store && e->address_known == a->address_known &&
           e->value_known == a->value_known &&
           e->cancels_known == a->cancels_known &&
           e->return_known == a->return_known && e->address == a->address &&
           e->opcode == a->opcode && e->insn == a->insn &&
           e->cancels == a->cancels && e->return_address == a->return_address &&
           e->value == a->value &&
           (!counted || e->kind != V1_INSN || e->cycles == a->cycles) &&
           (a->context_known || !e->context_known) &&
           (!e->context_known || e->context_id == a->context_id);
}

static void fail_round(unsigned long seed, const char *what, size_t e, size_t a)
{
    const struct etm_config *c = &walk.config;

    printf("ETM_TEST_SEED=%lu %s: v1.%d width %d high %d data %d%d cprt %d "
           "context %d cycles %d broadcast %d endian %d fifo %d\n",
           seed, what, c->minor, c->port_width, c->high_vectors,
           c->data_address, c->data_value, c->cprt, c->context_id_bytes,
           c->cycle_accurate, c->branch_broadcast, c->endian, walk.fifo_size);
    for (size_t i = 0; i < 6; i++) {
        if (e + i >= 3 && e + i - 3 < walk.n_expected)
            print_record("expected", &walk.expected[e + i - 3]);
        if (a + i >= 3 && a + i - 3 < got.n) {
            printf("%llu ", (unsigned long long)got.offset[a + i - 3]);
            print_record("decoded ", &got.r[a + i - 3]);
        }
    }
    fail_msg("%s", what);
}

static void compare_all(unsigned long seed)
{
    for (size_t i = 0; i < walk.n_expected && i < got.n; i++)
        if (!same(&walk.expected[i], &got.r[i], true))
            fail_round(seed, "another record", i, i);
    if (walk.n_expected != got.n)
        fail_round(seed, "too few or too many", got.n, got.n);
    if (got.lost != 0)
        fail_round(seed, "something is lost", 0, 0);
    if (got.triggers != (walk.triggers != 0)) /* V1-TRG-05 */
        fail_round(seed, "triggers", 0, 0);
}

/* Capture devices may drop TD cycles with TRACEPKT[0] low, or some of them. */
static void drop_idle(void)
{
    size_t size = walk.config.port_width == 16 ? 3 : 2;

    other.n = 0;
    for (size_t i = 0; i < stream.n; i += size) {
        const uint8_t *r = &stream.bytes[i];

        if (r[0] == ETM_ETMV1_TD && (r[1] & 1) == 0 &&
            random_chance(&walk.r, 70))
            continue;
        memcpy(&other.bytes[other.n], r, size);
        other.n += size;
    }
}

static void expect_same_got(unsigned long seed, const char *what, size_t from)
{
    for (size_t i = 0; i < again.n; i++)
        if (!same(&got.r[from + i], &again.r[i], false))
            fail_round(seed, what, 0, from + i);
}

/* V1-SYNC-05, V1-SYNC-06: a capture that begins anywhere is right from its
 * first full address on. */
static void check_cut(unsigned long seed, const struct etm_image *image)
{
    size_t size = walk.config.port_width == 16 ? 3 : 2;
    size_t at = random_below(&walk.r, (uint32_t)(stream.n / size)) * size;
    size_t first = 0, more = 0;

    decode(&again, image, stream.bytes + at, stream.n - at, false);
    while (more < again.n && again.r[more].kind != V1_INSN)
        more++;
    if (more == again.n)
        return;
    /* what follows the trace_on is at the same place in the whole */
    while (first < got.n && (got.r[first].kind != V1_INSN ||
                             got.offset[first] < at + again.offset[more]))
        first++;
    assert_true(got.n - first == again.n - more);
    for (size_t i = 0; i < got.n - first; i++) {
        struct v1_record *a = &again.r[more + i];

        a->context_known = a->context_known || got.r[first + i].context_known;
        a->context_id = got.r[first + i].context_id;
        /* compression of data addresses goes on from one that is cut off */
        if (a->kind == V1_DATA && !a->address_known)
            continue;
        if (!same(&got.r[first + i], a, false))
            fail_round(seed, "a cut changes what follows", 0, first + i);
    }
}

/* Damage is contained: after a restart everything is right again. */
static void check_damage(unsigned long seed, const struct etm_image *image)
{
    size_t size = walk.config.port_width == 16 ? 3 : 2;
    size_t clean = walk.n_expected - walk.clean, from, end;
    unsigned n = 1 + random_below(&walk.r, 4);

    end = (size_t)got.offset[got.n - clean - 1];
    memcpy(other.bytes, stream.bytes, stream.n);
    for (unsigned i = 0; i < n && end > 4 * size; i++)
        other.bytes[random_below(&walk.r, (uint32_t)(end - 3 * size))] ^=
            (uint8_t)(1u << random_below(&walk.r, 8));
    decode(&again, image, other.bytes, stream.n, false);
    decode(&other_got, image, other.bytes, stream.n, true);
    if (again.n != other_got.n || again.lost != other_got.lost ||
        memcmp(again.r, other_got.r, again.n * sizeof again.r[0]) != 0)
        fail_round(seed, "a split of the input changes the output", 0, 0);
    if (again.n < clean)
        fail_round(seed, "damage stays", walk.clean, got.n - clean);
    from = again.n - clean;
    memmove(again.r, again.r + from, clean * sizeof again.r[0]);
    again.n = clean;
    for (size_t i = 0; i < clean; i++)
        again.r[i].context_known =
            again.r[i].context_known || got.r[got.n - clean + i].context_known;
    expect_same_got(seed, "damage goes on", got.n - clean);
}

/*
 * The same, but what an overflow took of the data. On a port of 16 pins a
 * decoder cannot tell an upper half without a packet from the packet that is
 * missing: `last` data before a restart may be that.
 */
static bool same_left(const struct v1_record *e, const struct v1_record *a,
                      bool last)
{
    struct v1_record left = *e;

    /* a restart tells a new context ID early */
    left.context_known = a->context_known;
    left.context_id = a->context_id;
    if (e->kind == V1_DATA && !a->value_known) {
        left.value_known = false;
        left.value = 0;
    }
    if (e->kind == V1_DATA && a->kind == V1_DATA && last &&
        walk.config.port_width == 16)
        return e->insn == a->insn && e->index == a->index;
    return same(&left, a, false);
}

/*
 * How many of the last `n` records an overflow may have cut off: one transfer.
 * Where only addresses are traced all transfers of an instruction have one
 * (E-182), and with that all of them are others.
 */
static size_t cut_off(const struct v1_record *r, size_t n)
{
    size_t from = n != 0 ? n - 1 : 0;

    while (!walk.config.data_value && from != 0 &&
           r[from - 1].kind == V1_DATA && r[from].kind == V1_DATA &&
           r[from - 1].insn == r[from].insn)
        from--;
    return n - from;
}

/*
 * With overflows: each stretch of trace is a piece of the execution, in order;
 * only an instruction before a restart may lack data (V1-OVF-03).
 */
static size_t compare_pieces(unsigned long seed)
{
    size_t e = 0, restarts = 0;

    for (size_t i = 0; i < got.n;) {
        size_t end = i + 1, n, best = 0, where = e, sure;

        if (got.r[i].kind != V1_ON)
            fail_round(seed, "a piece begins without a restart", e, i);
        restarts += got.r[i].reason == ETM_TRACE_ON_OVERFLOW;
        while (end < got.n && got.r[end].kind != V1_ON)
            end++;
        n = end - i - 1;
        sure = n - cut_off(&got.r[i + 1], n);
        while (e < walk.n_expected) {
            size_t k = 0;

            if (walk.expected[e].kind == V1_ON) {
                e++;
                continue;
            }
            while (
                k < n && e + k < walk.n_expected &&
                same_left(&walk.expected[e + k], &got.r[i + 1 + k], k >= sure))
                k++;
            if (k > best) {
                best = k;
                where = e + k;
            }
            if (k == n)
                break;
            e++;
        }
        if (e == walk.n_expected && n != 0)
            fail_round(seed, "a piece that did not happen", where,
                       i + 1 + best);
        e += n;
        i = end;
    }
    if (got.triggers != (walk.triggers != 0))
        fail_round(seed, "triggers", 0, 0);
    return restarts;
}

/* Ranges are the same instructions, and end where they must. */
static void check_ranges(unsigned long seed, const struct etm_image *image)
{
    size_t at = 0;

    decode_at(&again, image, stream.bytes, stream.n, true, ETM_LEVEL_RANGES);
    if (again.insns != got.insns ||
        (walk.config.cycle_accurate && again.cycles != got.cycles))
        fail_round(seed, "ranges have other instructions", 0, 0);
    for (size_t i = 0; i < again.n; i++) {
        const struct v1_record *r = &again.r[i];

        while (at < got.n && got.r[at].kind == V1_INSN &&
               (r->kind != V1_INSN || got.r[at].address != r->address ||
                (i + 1 < again.n && again.r[i + 1].kind != V1_INSN &&
                 at + 1 < got.n && got.r[at + 1].kind == V1_INSN)))
            at++;
        if (at == got.n || got.r[at].kind != r->kind ||
            (r->kind == V1_INSN &&
             (got.r[at].passed != r->passed || got.r[at].isa != r->isa)))
            fail_round(seed, "a range that ends elsewhere", 0, at);
        at++;
    }
}

/* V1-PIPE-02 to 06, V1-PIPE-08 to 14, V1-PKT-01 to 05, V1-RULE-01 to 11,
 * V1-P16-01 to 03, V1-ASC-01 to 07, V1-BR-01 to 06, V1-RSN-01 to 03, V1-APO-01
 * to 08, V1-SYNC-01 to 04, V1-CTX-01 to 06, V1-DATA-01 to 07, V1-LSM-01 to 03,
 * V1-DADR-01 to 05, V1-ABT-01, V1-ABT-02, V1-FILT-01 to 05, V1-CYC-01 to 05,
 * BRX-01 to 05, BRX-07 to 14, BRX-16, BRX-17, DAT-01 to 03, DAT-06, DAT-08 to
 * 12, SIG-04, SIG-05, CTX-03, DBG-01 to 03 */
static void executions_come_back(void **state)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", 2000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    (void)state;
    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        v1_walk_make(&walk, seed + i, true);
        generate();
        image = v1_walk_image(&walk);
        assert_non_null(image);
        decode(&got, image, stream.bytes, stream.n, false);
        compare_all(seed + i);
        check_ranges(seed + i, image);
        /* TCD-04, TCD-09 */
        drop_idle();
        decode(&again, image, other.bytes, other.n, true);
        assert_int_equal(again.n, got.n);
        for (size_t k = 0; k < again.n; k++)
            if (!same(&got.r[k], &again.r[k], true))
                fail_round(seed + i, "dropped cycles change the output", k, k);
        check_cut(seed + i, image);
        check_damage(seed + i, image);
        etm_image_free(image);
    }
}

/* V1-OVF-01 to 04, V1-OVF-08, V1-P16-05 */
static void overflows_lose_no_more_than_they_must(void **state)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", 2000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    size_t restarts = 0;

    (void)state;
    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        v1_walk_make(&walk, seed + i, false);
        generate();
        image = v1_walk_image(&walk);
        assert_non_null(image);
        decode(&got, image, stream.bytes, stream.n, false);
        restarts += compare_pieces(seed + i);
        etm_image_free(image);
    }
    assert_true(n < 100 || restarts > n);
}

/* Whatever stands in a stream, nothing breaks, and the way it is split does
 * not matter. */
static void noise_is_harmless(void **state)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", 2000) / 10 + 1;

    (void)state;
    for (unsigned long i = 0; i < n; i++) {
        struct etm_image *image;

        v1_walk_make(&walk, i, true);
        image = v1_walk_image(&walk);
        assert_non_null(image);
        other.n = 6000;
        for (size_t k = 0; k < other.n; k++)
            other.bytes[k] = (uint8_t)random_next(&walk.r);
        /* mostly records that are one */
        for (size_t k = 0; k < other.n; k++)
            if (k % (walk.config.port_width == 16 ? 3 : 2) == 0 &&
                random_chance(&walk.r, 99))
                other.bytes[k] &=
                    (uint8_t)(random_chance(&walk.r, 20) ? 0x87 : 0x07);
        decode(&again, image, other.bytes, other.n, false);
        decode(&other_got, image, other.bytes, other.n, true);
        assert_int_equal(again.n, other_got.n);
        assert_int_equal(again.lost, other_got.lost);
        assert_memory_equal(again.r, other_got.r, again.n * sizeof again.r[0]);
        assert_true(again.lost != 0);
        etm_image_free(image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_come_back),
        cmocka_unit_test(overflows_lose_no_more_than_they_must),
        cmocka_unit_test(noise_is_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
