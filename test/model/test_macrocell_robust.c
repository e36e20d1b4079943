/* SPDX-License-Identifier: Apache-2.0 */
/* Macrocells and generators that are fed nonsense, are called wrongly, or whose
 * caller stops them. */
#include "../support/scarce.h"
#include "../support/test.h"
#include "macrocell_util.h"

#define BX_LR 0xe12fff1eu
#define LDR 0xe5910000u
#define NOP 0xe1a00000u

static struct cell cell;

static const struct etm_config v30 = {.protocol = ETM_PROTOCOL_ETMV3};
static const struct etm_config v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 4};

static uint64_t noise = 1;

static uint32_t pick(uint32_t n)
{
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(noise >> 33) % n;
}

static struct etm_place any_place(void)
{
    return (struct etm_place){.address = pick(4) * 4 + 0x100,
                              .isa = (uint8_t)pick(6),
                              .ns = pick(2) != 0,
                              .hyp = pick(4) == 0};
}

/* An event that may or may not make sense. */
static struct etm_event any_event(void)
{
    static const uint8_t kinds[] = {
        ETM_EVENT_INSN,      ETM_EVENT_INSN,      ETM_EVENT_DATA,
        ETM_EVENT_DATA,      ETM_EVENT_INSN,      ETM_EVENT_DATA_VALUE,
        ETM_EVENT_STACKING,  ETM_EVENT_EXCEPTION, ETM_EVENT_CONTEXT,
        ETM_EVENT_TIMESTAMP, ETM_EVENT_IDLE,      ETM_EVENT_PINS,
        ETM_EVENT_WAIT,      ETM_EVENT_EXT_INPUTS};
    struct etm_event e = {.kind = kinds[pick(COUNT(kinds))], .cycles = pick(4)};

    if (pick(100) == 0)
        e.kind = (uint8_t)pick(20);
    switch (e.kind) {
    case ETM_EVENT_INSN:
        e.u.insn.address = 0x100 + 4 * pick(4);
        e.u.insn.opcode = pick(2) != 0 ? 0xe8910007 : pick(UINT32_MAX);
        e.u.insn.isa = (uint8_t)(pick(40) == 0 ? pick(8) : 1 + pick(2));
        e.u.insn.size = (uint8_t)(pick(40) == 0 ? pick(256) : 4);
        e.u.insn.passed = pick(4) != 0;
        e.u.insn.resume = (uint8_t)(pick(200) == 0 ? pick(16) : 0);
        e.u.insn.next = any_place();
        break;
    case ETM_EVENT_DATA:
        e.u.data.address = pick(UINT32_MAX);
        e.u.data.size = (uint8_t)pick(pick(40) == 0 ? 9 : 5);
        e.u.data.tag = (uint8_t)pick(pick(30) == 0 ? 5 : 4);
        break;
    case ETM_EVENT_DATA_VALUE:
        e.u.data_value.tag = (uint8_t)(1 + pick(3));
        break;
    case ETM_EVENT_EXCEPTION:
        e.u.exception.type = (uint8_t)pick(pick(10) == 0 ? 40 : 9);
        e.u.exception.cancels = pick(2) != 0;
        e.u.exception.chain = (uint8_t)pick(3);
        e.u.exception.next = any_place();
        break;
    case ETM_EVENT_PLACE:
        e.u.place.at = any_place();
        break;
    case ETM_EVENT_EXT_INPUTS:
        e.u.ext_inputs.word = (uint8_t)pick(8);
        break;
    default: /* the others may be empty */
        break;
    }
    return e;
}

/* Events without sense are refused, or make no sense in the trace. */
TEST(nonsense_breaks_nothing)
{
    struct etm_config traces[4] = {v34, v30, v34, v34};
    unsigned refused = 0;

    traces[1].data_value = true;
    traces[2].data_value = traces[2].data_address = traces[2].cprt = true;
    traces[2].cycle_accurate = true;
    traces[3] = (struct etm_config){
        .protocol = ETM_PROTOCOL_PFT, .minor = 1, .security = true};
    for (unsigned round = 0; round < 4000; round++) {
        struct cell *c = &cell;
        int status = ETM_OK;

        cell_begin(c, &traces[round % 4]);
        c->output.fifo_size = 20 + pick(60);
        c->output.drain_bits = 2;
        cell_make(c);
        program_all(c);
        for (unsigned i = 0; i < 60 && status == ETM_OK; i++) {
            struct etm_event e[2] = {{.kind = ETM_EVENT_PLACE}, any_event()};

            e[0].u.place.at =
                place(e[1].u.insn.address, (enum etm_isa)e[1].u.insn.isa);
            if (e[1].kind == ETM_EVENT_STACKING && pick(50) != 0)
                continue; /* of M profile only */
            if (e[1].kind == ETM_EVENT_DATA && pick(50) != 0) {
                const struct etm_event load[2] = {
                    go_to(place(0x100, ETM_ISA_ARM)), arm(0x100, LDR)};

                (void)etm_macrocell_run(c->m, load, 2);
            }
            if (e[1].kind == ETM_EVENT_INSN && pick(50) != 0)
                status = etm_macrocell_run(c->m, e, 2);
            else
                status = etm_macrocell_run(c->m, e + 1, 1);
        }
        refused += status != ETM_OK;
        if (status == ETM_OK) /* the last one may still be refused */
            status = etm_macrocell_finish(c->m);
        else
            assert_int_equal(etm_macrocell_finish(c->m), status);
        assert_true(status == ETM_OK || status == ETM_ERR_ARGUMENT);
        cell_end(c);
    }
    assert_true(refused < 3500);
    assert_true(refused > 100);
}

TEST(nothing_is_an_invalid_argument)
{
    struct etm_macrocell *m = (void *)&cell;
    struct etm_diag diag;

    assert_int_equal(etm_macrocell_new(&m, NULL, &diag), ETM_ERR_ARGUMENT);
    assert_null(m);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_macrocell_new(NULL, NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_connect(NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_finish(NULL), ETM_ERR_ARGUMENT);
    cell_begin(&cell, &v34);
    assert_ok(etm_macrocell_new(&m, &cell.config, NULL));
    assert_int_equal(etm_macrocell_connect(m, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(m, NULL, 1), ETM_ERR_ARGUMENT);
    assert_ok(etm_macrocell_run(m, NULL, 0));
    etm_macrocell_free(m);
}

static struct {
    unsigned signals, others;
} heard;

static int stop(void *context, const struct etm_macrocell_signals *signals)
{
    (void)context;
    (void)signals;
    heard.signals++;
    return -77;
}

static int hear_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    (void)context;
    (void)packets;
    (void)n;
    heard.others++;
    return ETM_OK;
}

static int hear_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    (void)bytes;
    (void)n;
    heard.others++;
    return ETM_OK;
}

/* The one who stopped may have freed what the others need. */
TEST(who_stops_hears_nothing_more)
{
    const struct etm_event events[] = {
        go_to(place(0x100, ETM_ISA_ARM)), after(1, arm(0x100, NOP)),
        after(1, arm(0x104, NOP)), after(1, arm(0x108, NOP))};
    struct cell *c = &cell;

    cell_begin(c, &v34);
    c->output.signals = stop;
    c->output.packets = hear_packets;
    c->output.bytes = hear_bytes;
    cell_make(c);
    program_begin(c);
    program_all(c);
    program_end(c, cell_control(&v34));
    heard.signals = heard.others = 0;
    assert_int_equal(etm_macrocell_run(c->m, events, 4), -77);
    assert_int_equal(etm_macrocell_run(c->m, events + 3, 1), -77);
    assert_int_equal(etm_macrocell_finish(c->m), -77);
    assert_int_equal(heard.signals, 1);
    assert_int_equal(heard.others, 0);
    cell_end(c);
}

TEST(nothing_is_allocated_after_warm_up)
{
    const struct etm_event first = start(place(0x8000, ETM_ISA_ARM));
    const struct etm_event e[] = {
        to(arm(0x8000, BX_LR), place(0x9000, ETM_ISA_ARM)), arm(0x9000, NOP),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM)),
        to(arm(0x18, BX_LR), place(0x8000, ETM_ISA_ARM))};
    struct etm_config c = {.protocol = ETM_PROTOCOL_PFT, .minor = 1};
    struct faulty faulty = {0};
    struct etm_allocator allocator = {faulty_resize, &faulty};
    struct etm_generator_config options = {
        .size = sizeof options, .config = &c, .allocator = &allocator};
    struct etm_generator *g;
    size_t warm = 0;

    assert_ok(etm_generator_new(&g, &options));
    assert_ok(etm_generator_push(g, &first, 1));
    for (unsigned i = 0; i < 1000; i++) {
        assert_ok(etm_generator_push(g, e, COUNT(e)));
        if (i == 500) /* synchronizations make the longest output */
            warm = faulty.calls;
    }
    assert_true(warm >= 2);
    assert_int_equal(faulty.calls, warm);
    etm_generator_free(g);
}

TEST(nothing_generates_nothing)
{
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_generator *generator;

    assert_int_equal(etm_generator_push(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_finish(NULL), ETM_ERR_ARGUMENT);
    assert_ok(etm_generator_new(
        &generator, &(struct etm_generator_config){.config = &config}));
    assert_int_equal(etm_generator_push(generator, NULL, 1), ETM_ERR_ARGUMENT);
    assert_ok(etm_generator_push(generator, NULL, 0));
    etm_generator_free(generator);
}

/* An event after the end would not be traced, and nobody would know. */
TEST(nothing_comes_after_the_end)
{
    const struct etm_event idle = {.kind = ETM_EVENT_IDLE, .cycles = 1};

    for (int p = ETM_PROTOCOL_ETMV1; p <= ETM_PROTOCOL_PFT; p++) {
        struct etm_config config = {.protocol = (enum etm_protocol)p,
                                    .thumb32_split = p < ETM_PROTOCOL_ETMV3};
        struct etm_generator *generator;

        assert_ok(etm_generator_new(
            &generator, &(struct etm_generator_config){.config = &config}));
        assert_ok(etm_generator_push(generator, &idle, 1));
        assert_ok(etm_generator_finish(generator));
        assert_int_equal(etm_generator_push(generator, &idle, 1),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_generator_finish(generator), ETM_ERR_ARGUMENT);
        etm_generator_free(generator);
    }
}
