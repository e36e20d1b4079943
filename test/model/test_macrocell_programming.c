/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell at work and its registers: the programming procedure, state
 * items, triggers and outputs, the OS lock and power. */
#include "macrocell_code.h"

static const uint32_t events_used[] = {0x6f,
                                       0x406f,
                                       0x40,
                                       0x41,
                                       0x4040,
                                       0x50,
                                       0x51,
                                       0x52,
                                       0x4052,
                                       0x60,
                                       0x60 | 0x40 << 7 | 2 << 14,
                                       0x40 | 0x41 << 7 | 5 << 14,
                                       0x4041,
                                       0x42};

/* Idle time in one piece is the same as cycle by cycle, whatever counts. */
static void long_waits_are_as_many_short_ones(void **state)
{
    static struct cell other;
    uint64_t x = 1;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        struct cell *cells[2] = {&cell, &other};
        uint64_t seed = x;
        uint32_t total = 0;

        for (unsigned k = 0; k < 2; k++) {
            struct cell *c = cells[k];

            x = seed;
#define PICK() (x = x * 6364136223846793005u + 1442695040888963407u, x >> 33)
#define EVENT() events_used[PICK() % COUNT(events_used)]
            cell_begin(c, &v34);
            cell_make(c);
            program_begin(c);
            program_nothing(c);
            for (uint32_t n = 0; n < 3; n++) {
                poke(c, ETM_REG_CNTRLDVR1 + n, (uint32_t)(PICK() % 200));
                poke(c, ETM_REG_CNTENR1 + n, EVENT());
                poke(c, ETM_REG_CNTRLDEVR1 + n,
                     PICK() % 2 == 0 ? 0x406f : EVENT());
                poke(c, ETM_REG_EXTOUTEVR1 + n, EVENT());
            }
            for (uint32_t n = 0; n < 6; n++)
                poke(c, ETM_REG_SQ12EVR + n, EVENT());
            poke(c, ETM_REG_TRIGGER, EVENT());
            program_end(c, cell_control(&v34));
            for (unsigned i = 0; i < 5; i++) {
                uint32_t n = (uint32_t)(1 + PICK() % 700);
                struct etm_event one = idle(1), all = idle(n);

                total += n;
                if (k == 0)
                    run(c, &all, 1);
                for (uint32_t j = 0; k == 1 && j < n; j++)
                    run(c, &one, 1);
            }
        }
        assert_true(total > 4);
        for (uint32_t n = 0; n < 3; n++)
            assert_int_equal(peek(&cell, ETM_REG_CNTVR1 + n),
                             peek(&other, ETM_REG_CNTVR1 + n));
        assert_int_equal(peek(&cell, ETM_REG_SQR), peek(&other, ETM_REG_SQR));
        assert_int_equal(peek(&cell, ETM_REG_SR), peek(&other, ETM_REG_SR));
        assert_int_equal(cell.n_signals, other.n_signals);
        for (size_t i = 0; i < cell.n_signals; i++) {
            assert_int_equal(cell.signals[i].cycle, other.signals[i].cycle);
            assert_int_equal(cell.signals[i].ext_out, other.signals[i].ext_out);
            assert_int_equal(cell.signals[i].trigger, other.signals[i].trigger);
        }
        cell_end(&cell);
        cell_end(&other);
    }
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
static void who_stops_hears_nothing_more(void **state)
{
    struct etm_event events[] = {go_to(place(0x100, ETM_ISA_ARM)), nop(0x100),
                                 nop(0x104), nop(0x108)};
    struct cell *c = &cell;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_waits_are_as_many_short_ones),
        cmocka_unit_test(who_stops_hears_nothing_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
