/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions through the ETMv1 generator and the decoder and back. The
 * same execution has to come out: each instruction, transfer, exception and
 * cycle, as far as the FIFO did not overflow.
 */
#include "../support/test.h"
#include "port_walk.h"
#include "proto/sample.h"
#include "round_trip.h"
#include "trace.h"

#define GOT 40000u

static struct program program;
static struct port_walk walk;
static uint8_t fifo_size;

/* What the elements say, each with the context that was given before it. */
static struct {
    size_t n, triggers, lost;
    struct claim {
        const struct etm_element *e;
        const struct etm_element *context;
    } all[GOT];
} got;

static void print(void)
{
    printf("fifo %d exact %d\n", fifo_size, walk.exact);
    for (size_t i = 0; i < walk.n_truth; i++)
        port_truth_print(&walk.truth[i]);
}

static void make(bool exact)
{
    struct random *r = &the.r;
    struct etm_generator_config how = {.config = &the.config};

    fifo_size = (uint8_t)(exact ? UINT8_MAX : 9 + random_below(r, 50));
    how.fifo_size = fifo_size;
    the.print = print;
    port_config_make(&the.config, ETM_PROTOCOL_ETMV1, 85, r);
    program_make(&program, &the.config, r);
    port_walk_make(&walk, &program, &how, r);
    the.n_bytes = trace_make(&how, walk.events, walk.n, the.bytes, TRIP_BYTES);
    the.image = program_image(&program);
}

static void make_exact(uint64_t seed)
{
    (void)seed;
    make(true);
}

static void make_any(uint64_t seed)
{
    (void)seed;
    make(false);
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
         i < walk.n_truth && i < expected + 3; i++)
        port_truth_print(&walk.truth[i]);
    trip_fail(what, at < got.n
                        ? (size_t)(got.all[at].e -
                                   (struct etm_element *)the.elements.data)
                        : the.elements.n);
}

static bool same(const struct port_truth *t, const struct claim *c, bool cycles)
{
    if (t->e.kind == ETM_ELEMENT_DATA)
        return c->e->kind == t->e.kind && port_same_data(t, c->e);
    return port_same_insn(t, c->e, c->context) &&
           (t->e.kind != ETM_ELEMENT_INSN || !cycles ||
            !the.config.cycle_accurate ||
            c->e->u.insn.cycles == t->e.u.insn.cycles);
}

static void compare_all(void)
{
    for (size_t i = 0; i < walk.n_truth && i < got.n; i++)
        if (!same(&walk.truth[i], &got.all[i], true))
            fail_at("another record", i, i);
    if (walk.n_truth != got.n)
        fail_at("too few or too many", got.n, got.n);
    if (got.lost != 0)
        fail_at("something is lost", 0, 0);
    if (got.triggers != (walk.n_triggers != 0)) /* V1-TRG-05 */
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
 * The record that was expected, but what an overflow took of the data? A
 * decoder cannot tell a packet that is missing from an upper half of 16 pins
 * without one, nor, if no value comes after an address, from the cycle of a
 * status without one (5.3.1): `last` data before a restart may be that.
 */
static bool same_left(const struct port_truth *r, const struct claim *c,
                      bool last)
{
    struct port_truth left = *r;
    const struct etm_element *e = c->e;

    /* a restart tells a new context ID early */
    left.context_known = c->context->u.context.context_id_known;
    left.context_id = c->context->u.context.context_id;
    if (r->e.kind == ETM_ELEMENT_DATA && e->kind == ETM_ELEMENT_DATA) {
        if (last && (the.config.port_width == 16 || !the.config.data_value))
            return e->u.data.insn == r->e.u.data.insn &&
                   e->u.data.index == r->e.u.data.index;
        if (!e->u.data.value_known) {
            left.e.u.data.value_known = false;
            left.e.u.data.value = 0;
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

    while (!the.config.data_value && from != 0 &&
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

    for (; *e < walk.n_truth; (*e)++) {
        size_t k = 0;

        if (walk.truth[*e].e.kind == ETM_ELEMENT_TRACE_ON)
            continue;
        while (k < n && *e + k < walk.n_truth &&
               same_left(&walk.truth[*e + k], &got.all[at + k], k >= sure))
            k++;
        if (k > best) {
            best = k;
            where = *e + k;
        }
        if (k == n)
            break;
    }
    if (*e == walk.n_truth && n != 0)
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
    if (got.triggers != (walk.n_triggers != 0))
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
