/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell that is fed nonsense, or has no memory. */
#include "../support/scarce.h"
#include "macrocell_code.h"

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
static void nonsense_breaks_nothing(void **state)
{
    struct etm_config traces[4] = {v34, v30, v34, v34};
    unsigned refused = 0;

    (void)state;
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

static int one_life(struct scarce *scarce)
{
    struct etm_allocator allocator = {scarce_resize, scarce};
    struct etm_event events[40];
    struct cell *c = &cell;
    int status;

    cell_begin(c, &v34);
    c->config.allocator = &allocator;
    status = etm_macrocell_new(&c->m, &c->config, NULL);
    if (status != ETM_OK)
        return status;
    etm_macrocell_set_pins(c->m, &(struct etm_macrocell_pins){.niden = true});
    status = etm_macrocell_connect(c->m, &c->output);
    if (status == ETM_OK) {
        program_all(c);
        status = etm_macrocell_run(c->m, events, straight(events, 0x100, 40));
    }
    if (status == ETM_OK)
        status = etm_macrocell_finish(c->m);
    etm_macrocell_free(c->m);
    return status;
}

static void lack_of_memory_is_an_error(void **state)
{
    struct scarce all = {.left = SIZE_MAX};

    (void)state;
    assert_int_equal(one_life(&all), ETM_OK);
    assert_true(all.calls >= 4);
    for (size_t i = 0; i < all.calls; i++) {
        struct scarce scarce = {.left = i};

        assert_int_equal(one_life(&scarce), ETM_ERR_MEMORY);
    }
}

static void nothing_is_an_invalid_argument(void **state)
{
    struct etm_macrocell *m = (void *)&cell;
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_macrocell_new(&m, NULL, &diag), ETM_ERR_ARGUMENT);
    assert_null(m);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_macrocell_new(NULL, NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_connect(NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_finish(NULL), ETM_ERR_ARGUMENT);
    cell_begin(&cell, &v34);
    assert_int_equal(etm_macrocell_new(&m, &cell.config, NULL), ETM_OK);
    assert_int_equal(etm_macrocell_connect(m, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(m, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(m, NULL, 0), ETM_OK);
    etm_macrocell_free(m);
}

/* However events come in calls, it is known which one was refused. */
static void what_was_refused_can_be_found(void **state)
{
    (void)state;
    for (unsigned piece = 1; piece < 400; piece += 57)
        for (unsigned at = 2; at < 300; at += 71) {
            struct etm_event events[300];
            struct cell *c = &cell;
            int status = ETM_OK;

            cell_begin(c, &v34);
            cell_make(c);
            program_all(c);
            assert_int_equal(etm_macrocell_taken(c->m), 0);
            straight(events, 0x8000, 300);
            events[at].u.insn.address += 0x100; /* nothing leads there */
            for (unsigned i = 0; i < 300 && status == ETM_OK; i += piece) {
                unsigned n = i + piece < 300 ? piece : 300 - i;

                assert_int_equal(etm_macrocell_taken(c->m), i);
                status = etm_macrocell_run(c->m, events + i, n);
            }
            assert_int_equal(status, ETM_ERR_ARGUMENT);
            assert_in_range(etm_macrocell_taken(c->m), at - 1, at + 1);
            assert_int_equal(etm_macrocell_run(c->m, events, 300), status);
            assert_in_range(etm_macrocell_taken(c->m), at - 1, at + 1);
            cell_end(c);
        }
}

/* An event of eight bytes would hide half of them from comparators and trace;
 * the fast path (third instruction) and the other see it. */
static void a_transfer_of_eight_bytes_is_refused(void **state)
{
    struct etm_event events[5];
    struct cell *c = &cell;

    (void)state;
    for (uint8_t size = 4; size <= 8; size = (uint8_t)(size + 4))
        for (unsigned at = 1; at < 5; at += 2) {
            cell_begin(c, &v34);
            cell_make(c);
            program_all(c);
            straight(events, 0x8000, 5);
            events[at - 1].u.insn.opcode = 0xe5910000; /* ldr r0, [r1] */
            events[at] = (struct etm_event){.kind = ETM_EVENT_DATA};
            events[at].u.data.size = size;
            for (unsigned i = at + 1; i < 5; i++)
                events[i].u.insn.address -= 4;
            assert_int_equal(etm_macrocell_run(c->m, events, 5),
                             size == 4 ? ETM_OK : ETM_ERR_ARGUMENT);
            cell_end(c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonsense_breaks_nothing),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(nothing_is_an_invalid_argument),
        cmocka_unit_test(what_was_refused_can_be_found),
        cmocka_unit_test(a_transfer_of_eight_bytes_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
