/* SPDX-License-Identifier: Apache-2.0 */
/* What interrupts the trace of a whole macrocell, and what tells of time:
 * prohibited regions, debug, waiting, timestamps, overflow. */
#include "macrocell_code.h"

#define ROW 400u

/* When instruction i at 0x8000 + 4 i was executed, and what a decoder says. */
struct times {
    uint64_t at[ROW];
    uint64_t now;
    unsigned n, overflows;
    bool begun;
};

static int check_times(void *context, const struct etm_element *e, size_t n)
{
    struct times *t = context;

    for (size_t i = 0; i < n; i++) {
        unsigned k = (e[i].u.insn.address - 0x8000) / 4;

        t->overflows += e[i].kind == ETM_ELEMENT_TRACE_ON &&
                        e[i].u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        if (e[i].kind == ETM_ELEMENT_CYCLES && t->begun)
            t->now += e[i].u.cycles.n;
        if (e[i].kind != ETM_ELEMENT_INSN)
            continue;
        t->now = t->begun ? t->now + e[i].u.insn.cycles : t->at[k];
        t->begun = true;
        t->n++;
        assert_int_equal(t->now, t->at[k]);
    }
    return ETM_OK;
}

/* Branches to the next instruction through a port that is too slow. */
static void overflow_in_time(const struct etm_config *trace, uint8_t size)
{
    static struct etm_event events[ROW];
    static uint8_t code[4 * ROW];
    struct times times = {0};
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = trace,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = check_times,
                                        .context = &times};
    struct etm_decoder *decoder;
    struct etm_image *image;
    struct cell *c = &cell;

    cell_begin(c, trace);
    c->config.fifo_size = size;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    for (unsigned i = 0; i < ROW; i++) {
        memcpy(code + 4 * i, "\xff\xff\xff\xea", 4);
        events[i] = after(1 + i * i % 5, arm(0x8000 + 4 * i, 0xeaffffff));
        times.at[i] = events[i].cycles + (i != 0 ? times.at[i - 1] : 0);
    }
    run(c, events, ROW);
    finish(c);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add_copy(image, 0x8000, code, sizeof code, NULL),
                     ETM_OK);
    config.image = image;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, c->bytes, c->n_bytes), ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    etm_image_free(image);
    assert_true(times.n > 20 && times.n < ROW);
    assert_true(times.overflows > 1);
    cell_end(c);
}

/* 7.3.4, from v3.1 on, and PFT v1.0: the time of what the FIFO had no room for
 * is in the count of the gap. V3-CYC-12 */
static void counts_go_through_an_overflow(void **state)
{
    struct etm_config etm = {.protocol = ETM_PROTOCOL_ETMV3,
                             .minor = 4,
                             .cycle_accurate = true,
                             .branch_broadcast = true,
                             .sync_period = 40};
    struct etm_config ptm = {.protocol = ETM_PROTOCOL_PFT,
                             .cycle_accurate = true,
                             .branch_broadcast = true,
                             .sync_period = 40};

    (void)state;
    for (uint8_t size = 24; size < 60; size++) {
        etm.minor = (uint8_t)(1 + size % 4);
        overflow_in_time(&etm, size);
        overflow_in_time(&ptm, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_go_through_an_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
