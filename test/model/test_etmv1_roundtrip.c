/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions through the ETMv1 generator and the decoder and back. The
 * same execution has to come out: each instruction, transfer, exception and
 * cycle, as far as the FIFO did not overflow.
 */
#include "../support/test.h"
#include "etmv1_walk.h"
#include "proto/sample.h"
#include "round_trip.h"
#include "trace.h"

#define GOT 40000u

static struct v1_walk walk;

/* What the elements say, each with the context that was given before it. */
static struct {
    size_t n, triggers, lost;
    struct claim {
        const struct etm_element *e;
        const struct etm_element *context;
    } all[GOT];
} got;

static void print_record(const struct v1_record *r)
{
    printf("expected kind %d isa %d %x opcode %x passed %d insn %x[%d] size %d "
           "store %d value %d:%llx address %d exc %d cancels %x return %x "
           "reason %d context %d:%x cycles %lld\n",
           r->kind, r->isa, r->address, r->opcode, r->passed, r->insn, r->index,
           r->size, r->store, r->value_known, (unsigned long long)r->value,
           r->address_known, r->number, r->cancels, r->return_address,
           r->reason, r->context_known, r->context_id, (long long)r->cycles);
}

static void print(void)
{
    printf("fifo %d exact %d\n", walk.fifo_size, walk.exact);
    for (size_t i = 0; i < walk.n_expected; i++)
        print_record(&walk.expected[i]);
}

static void make(uint64_t seed, bool exact)
{
    struct etm_generator_config how = {.config = &walk.config};

    v1_walk_make(&walk, seed, exact);
    how.fifo_size = walk.fifo_size;
    the.print = print;
    the.config = walk.config;
    the.n_bytes =
        trace_make(&how, walk.events, walk.n_events, the.bytes, TRIP_BYTES);
    the.image = v1_walk_image(&walk);
    assert_non_null(the.image);
}

static void make_exact(uint64_t seed)
{
    make(seed, true);
}

static void make_any(uint64_t seed)
{
    make(seed, false);
}

static void collect(void)
{
    static const struct etm_element none = {.kind = ETM_ELEMENT_CONTEXT};
    const struct etm_element *e = the.elements.data, *context = &none;

    got.n = got.triggers = got.lost = 0;
    for (size_t i = 0; i < the.elements.n; i++) {
        assert_true(got.n < GOT);
        if (e[i].kind == ETM_ELEMENT_CONTEXT)
            context = &e[i];
        got.triggers += e[i].kind == ETM_ELEMENT_TRIGGER;
        got.lost += e[i].kind == ETM_ELEMENT_LOST;
        if (e[i].kind == ETM_ELEMENT_INSN || e[i].kind == ETM_ELEMENT_DATA ||
            e[i].kind == ETM_ELEMENT_EXCEPTION ||
            e[i].kind == ETM_ELEMENT_TRACE_ON)
            got.all[got.n++] = (struct claim){&e[i], context};
    }
}

static void fail_at(const char *what, size_t expected, size_t at)
{
    for (size_t i = expected < 3 ? 0 : expected - 3;
         i < walk.n_expected && i < expected + 3; i++)
        print_record(&walk.expected[i]);
    trip_fail(what, at < got.n
                        ? (size_t)(got.all[at].e -
                                   (struct etm_element *)the.elements.data)
                        : the.elements.n);
}

static bool same_insn(const struct v1_record *r, const struct claim *c,
                      bool cycles)
{
    const struct etm_element *e = c->e;

    return e->u.insn.address == r->address && e->u.insn.opcode == r->opcode &&
           e->u.insn.isa == r->isa && e->u.insn.size == r->size &&
           (e->u.insn.exec == ETM_TRUE) == r->passed &&
           (!cycles || !walk.config.cycle_accurate ||
            e->u.insn.cycles == r->cycles) &&
           (!r->context_known ||
            (c->context->u.context.context_id_known &&
             c->context->u.context.context_id == r->context_id));
}

static bool same_data(const struct v1_record *r, const struct etm_element *e)
{
    assert_int_equal(e->u.data.status, ETM_DATA_OK);
    assert_true(e->u.data.insn_known);
    return e->u.data.insn == r->insn && e->u.data.index == r->index &&
           e->u.data.size == r->size &&
           (e->u.data.store == ETM_TRUE) == r->store &&
           e->u.data.address_known == r->address_known &&
           e->u.data.address == r->address &&
           e->u.data.value_known == r->value_known &&
           e->u.data.value == r->value;
}

static bool same(const struct v1_record *r, const struct claim *c, bool cycles)
{
    const struct etm_element *e = c->e;

    switch ((enum v1_record_kind)r->kind) {
    case V1_INSN:
        return e->kind == ETM_ELEMENT_INSN && same_insn(r, c, cycles);
    case V1_DATA:
        return e->kind == ETM_ELEMENT_DATA && same_data(r, e);
    case V1_EXCEPTION:
        return e->kind == ETM_ELEMENT_EXCEPTION &&
               e->u.exception.number == r->number &&
               e->u.exception.cancels_known == r->cancels_known &&
               e->u.exception.cancels == r->cancels &&
               e->u.exception.return_known == r->return_known &&
               e->u.exception.return_address == r->return_address;
    case V1_ON:
        return e->kind == ETM_ELEMENT_TRACE_ON &&
               e->u.trace_on.reason == r->reason;
    }
    return false;
}

static void compare_all(void)
{
    for (size_t i = 0; i < walk.n_expected && i < got.n; i++)
        if (!same(&walk.expected[i], &got.all[i], true))
            fail_at("another record", i, i);
    if (walk.n_expected != got.n)
        fail_at("too few or too many", got.n, got.n);
    if (got.lost != 0)
        fail_at("something is lost", 0, 0);
    if (got.triggers != (walk.triggers != 0)) /* V1-TRG-05 */
        fail_at("triggers", 0, 0);
}

/* V1-SYNC-05, V1-SYNC-06: a capture is right from its first full address on. */
static size_t sync(size_t from)
{
    const struct etm_element *e = the.again.data;

    for (size_t i = 0; i < the.again.n; i++)
        if (e[i].kind == ETM_ELEMENT_INSN)
            return from + e[i].offset / the.size;
    return SIZE_MAX;
}

/* The record in which trace begins for the last time. */
static size_t last_restart(void)
{
    size_t i = got.n;

    while (i-- != 0 && got.all[i].e->kind != ETM_ELEMENT_TRACE_ON)
        ;
    return got.all[i].e->offset / the.size;
}

static size_t clean(size_t at)
{
    (void)at;
    return last_restart();
}

static void comes_back(void)
{
    trip_decode();
    collect();
    compare_all();
    trip_cut(sync);
    if (the.seed % 2 == 0)
        trip_damage(last_restart() - 3, clean);
    else
        trip_without_idle();
}

/*
 * The record that was expected, but what an overflow took of the data? On a
 * port of 16 pins a decoder cannot tell an upper half without a packet from the
 * packet that is missing: `last` data before a restart may be that.
 */
static bool same_left(const struct v1_record *r, const struct claim *c,
                      bool last)
{
    struct v1_record left = *r;
    const struct etm_element *e = c->e;

    left.context_known = false; /* a restart tells a new context ID early */
    if (r->kind == V1_DATA && e->kind == ETM_ELEMENT_DATA) {
        if (last && walk.config.port_width == 16)
            return e->u.data.insn == r->insn && e->u.data.index == r->index;
        if (!e->u.data.value_known) {
            left.value_known = false;
            left.value = 0;
        }
    }
    return same(&left, c, false);
}

/*
 * How many of the last `n` claims an overflow may have cut off: one transfer.
 * Where only addresses are traced all transfers of an instruction have one
 * (E-182), and with that all of them are others.
 */
static size_t cut_off(const struct claim *c, size_t n)
{
    size_t from = n != 0 ? n - 1 : 0;

    while (!walk.config.data_value && from != 0 &&
           c[from - 1].e->kind == ETM_ELEMENT_DATA &&
           c[from].e->kind == ETM_ELEMENT_DATA &&
           c[from - 1].e->u.data.insn == c[from].e->u.data.insn)
        from--;
    return n - from;
}

/* The `n` claims at `at` are a piece of what is expected from `*e` on, which
 * moves behind it. */
static void compare_piece(size_t at, size_t n, size_t *e)
{
    size_t sure = n - cut_off(&got.all[at], n), best = 0, where = *e;

    for (; *e < walk.n_expected; (*e)++) {
        size_t k = 0;

        if (walk.expected[*e].kind == V1_ON)
            continue;
        while (k < n && *e + k < walk.n_expected &&
               same_left(&walk.expected[*e + k], &got.all[at + k], k >= sure))
            k++;
        if (k > best) {
            best = k;
            where = *e + k;
        }
        if (k == n)
            break;
    }
    if (*e == walk.n_expected && n != 0)
        fail_at("a piece that did not happen", where, at + best);
    *e += n;
}

static size_t restarts;

/*
 * With overflows: each stretch of trace is a piece of the execution, in order;
 * only an instruction before a restart may lack data (V1-OVF-03).
 */
static void comes_back_in_pieces(void)
{
    size_t e = 0;

    trip_decode();
    collect();
    for (size_t i = 0, end; i < got.n; i = end) {
        if (got.all[i].e->kind != ETM_ELEMENT_TRACE_ON)
            fail_at("a piece begins without a restart", e, i);
        restarts += got.all[i].e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        for (end = i + 1; end < got.n; end++)
            if (got.all[end].e->kind == ETM_ELEMENT_TRACE_ON)
                break;
        compare_piece(i + 1, end - i - 1, &e);
    }
    if (got.triggers != (walk.triggers != 0))
        fail_at("triggers", 0, 0);
}

/* V1-PIPE-02 to 06, V1-PIPE-08 to 14, V1-PKT-01 to 05, V1-RULE-01 to 11,
 * V1-P16-01 to 03, V1-ASC-01 to 07, V1-BR-01 to 06, V1-RSN-01 to 03, V1-APO-01
 * to 08, V1-SYNC-01 to 04, V1-CTX-01 to 06, V1-DATA-01 to 07, V1-LSM-01 to 03,
 * V1-DADR-01 to 05, V1-ABT-01, V1-ABT-02, V1-FILT-01 to 05, V1-CYC-01 to 05,
 * BRX-01 to 05, BRX-07 to 14, BRX-16, BRX-17, DAT-01 to 03, DAT-06, DAT-08 to
 * 12, SIG-04, SIG-05, CTX-03, DBG-01 to 03,
 * TCD-04, TCD-09, V1-SYNC-05, V1-SYNC-06 */
TEST(executions_come_back)
{
    trip_rounds(2000, make_exact, comes_back);
}

/* V1-OVF-01 to 04, V1-OVF-08, V1-P16-05 */
TEST(overflows_lose_no_more_than_they_must)
{
    trip_rounds(2000, make_any, comes_back_in_pieces);
    assert_true(getenv("ETM_TEST_ROUNDS") != NULL || restarts > 2000);
}

/* Whatever stands in a stream, nothing breaks, and the way it is split does
 * not matter: mostly records that are one. */
static void make_noise(uint64_t seed)
{
    size_t size;

    make_exact(seed);
    size = etm_sample_size(&the.config);
    the.n_bytes = 2000 * size;
    for (size_t k = 0; k < the.n_bytes; k++) {
        the.bytes[k] = (uint8_t)random_next(&the.r);
        if (k % size == 0 && random_chance(&the.r, 99))
            the.bytes[k] &= (uint8_t)(random_chance(&the.r, 20) ? 0x87 : 0x07);
    }
}

static void is_harmless(void)
{
    trip_decode();
    collect();
    assert_true(got.lost != 0);
}

TEST(noise_is_harmless)
{
    trip_rounds(200, make_noise, is_harmless);
}
