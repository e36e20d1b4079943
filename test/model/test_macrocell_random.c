/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs under random filters: what the registers select comes back
 * from the bytes, and nothing else. What that is, is worked out here once more
 * in the plainest way: a list of selected events, which expect.c turns into
 * elements.
 */
#include "../support/setting.h"
#include "macrocell_select.h"

static void choose_filter(struct round *round)
{
    struct random *r = &round->r;
    struct filter *f = &round->filter;

    memset(f, 0, sizeof *f);
    f->exclude = random_chance(r, 60);
    for (unsigned n = 0; n < 6; n++) {
        const struct slot *s =
            &round->program.slots[random_below(r, round->program.n_slots)];

        if (!random_chance(r, f->exclude ? 30 : 70))
            continue;
        f->ranges |= 1u << n;
        f->low[n] = s->address;
        f->high[n] = s->address + 4 + random_below(r, 200);
    }
    f->start_stop = random_chance(r, 30);
    f->start =
        round->program.slots[random_below(r, round->program.n_slots)].address;
    f->stop =
        round->program.slots[random_below(r, round->program.n_slots)].address;
    if (config_traces_data(&round->config))
        f->start_stop = false;
    f->view = random_chance(r, 80);
    f->view_exclude = random_chance(r, 60);
    f->view_range = random_chance(r, 60);
    f->view_low = (uint32_t)random_next(r) & ~3u;
    f->view_high = f->view_low + ((uint32_t)random_next(r) >> 3);
    if (f->view_high < f->view_low)
        f->view_high = UINT32_MAX;
    if (f->view_range)
        f->ranges &= 0x1fu;
}

static void program_filter(struct round *round)
{
    const struct filter *f = &round->filter;
    uint32_t hyp = round->config.virtualization ? 0x4000 : 0;
    struct cell *c = &round->cell;

    program_begin(c);
    program_nothing(c);
    poke(c, ETM_REG_SYNCFR, round->config.sync_period);
    for (unsigned n = 0; n < 8; n++) {
        poke(c, ETM_REG_ACVR1 + 2 * n, f->low[n]);
        poke(c, ETM_REG_ACVR1 + 2 * n + 1, f->high[n]);
        poke(c, ETM_REG_ACTR1 + 2 * n, 0x19 | hyp);
        poke(c, ETM_REG_ACTR1 + 2 * n + 1, 0x19 | hyp);
    }
    poke(c, ETM_REG_TECR1,
         f->ranges | (uint32_t)f->exclude << 24 |
             (uint32_t)f->start_stop << 25);
    if (f->start_stop) {
        poke(c, ETM_REG_ACVR1 + 14, f->start);
        poke(c, ETM_REG_ACVR1 + 15, f->stop);
        poke(c, ETM_REG_TSSCR, 1u << 14 | 1u << 31);
    }
    if (config_traces_data(&round->config)) {
        poke(c, ETM_REG_VDEVR, f->view ? 0x6f : 0x406f);
        poke(c, ETM_REG_VDCR3,
             (uint32_t)f->view_exclude << 16 |
                 (f->view_range ? f->view_exclude ? 1u << 14 : 1u << 6 : 0));
        poke(c, ETM_REG_ACVR1 + 12, f->view_low);
        poke(c, ETM_REG_ACVR1 + 13, f->view_high);
        poke(c, ETM_REG_ACTR1 + 12, 0x1c | hyp);
        poke(c, ETM_REG_ACTR1 + 13, 0x1c | hyp);
    }
    program_end(c, cell_control(&round->config));
}

static void fail_round(const struct round *round, const char *what, size_t at)
{
    size_t from = at < 4 ? 0 : at - 4;

    printf("ETM_TEST_SEED=%llu: %s at record %zu\n",
           (unsigned long long)round->seed, what, at);
    config_print(&round->config);
    printf("exclude %d ranges %x start/stop %d %x %x\n", round->filter.exclude,
           round->filter.ranges, round->filter.start_stop, round->filter.start,
           round->filter.stop);
    for (size_t i = from; i <= at + 2; i++) {
        if (i < round->expected.n) {
            printf("expected %zu: ", i);
            record_print(&round->expected.r[i]);
        }
        if (i < round->actual.n) {
            printf("decoded  %zu: ", i);
            record_print(&round->actual.r[i]);
        }
    }
    if (getenv("ETM_TEST_VERBOSE") != NULL) {
        walk_print(getenv("ETM_TEST_DONE") ? &round->done : &round->selected);
        for (size_t i = 0; i < round->cell.n_packets; i++) {
            const struct etm_packet *p = &round->cell.packets[i];

            printf("%5llu %s", (unsigned long long)p->offset,
                   etm_packet_kind_name((enum etm_packet_kind)p->kind));
            for (uint32_t k = 0; k < p->size; k++)
                printf(" %02x", round->cell.bytes[p->offset + k]);
            printf("\n");
        }
    }
    fail_msg("%s", what);
}

static void decode_elements(struct round *round)
{
    struct etm_image *image = program_image(&round->program);
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &round->config,
                                        .image = image,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = got_elements,
                                        .context = &round->got};
    struct etm_decoder *decoder;

    round->got.n = 0;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(
        etm_decoder_push(decoder, round->cell.bytes, round->cell.n_bytes),
        ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    etm_image_free(image);
}

static void decode(struct round *round)
{
    const char *wrong;
    size_t at = 0;

    decode_elements(round);
    round->actual.n = 0;
    wrong = got_records(&round->actual, &round->program, &round->got);
    if (wrong != NULL)
        fail_round(round, wrong,
                   round->actual.n == 0 ? 0 : round->actual.n - 1);
    wrong = records_compare(&round->program, &round->cell.generator,
                            &round->expected, &round->actual, &at);
    if (wrong != NULL)
        fail_round(round, wrong, at);
}

/* Pieces of any length: that must not matter. */
static void execute(struct round *round)
{
    size_t i = 0;

    while (i < round->done.n) {
        size_t n = 1 + random_below(&round->r, 60);

        if (n > round->done.n - i)
            n = round->done.n - i;
        if (etm_macrocell_run(round->cell.m, &round->done.events[i], n) !=
            ETM_OK)
            fail_round(round, "the macrocell refuses an event", i);
        i += n;
    }
    finish(&round->cell);
}

static void one_round(struct round *round, enum etm_protocol protocol,
                      bool data, uint64_t seed)
{
    struct cell *c = &round->cell;

    round->seed = seed;
    round->r.state = seed;
    if (data)
        config_make_data(&round->config, &round->r);
    else
        config_make(&round->config, protocol, &round->r);
    round->config.timestamps = false;
    round->config.data_only = false;
    /* two atoms at a beginning share its one cycle: counts are made up */
    if (round->config.thumb32_split && round->config.minor < 3)
        round->config.cycle_accurate = false;
    program_make(&round->program, &round->config, &round->r);
    walk_make(&round->walk, &round->program, &round->r,
              10 + random_below(&round->r, 120));
    if (!strip(round))
        return;
    choose_filter(round);
    if (!select_events(round))
        return;
    cell_begin(c, &round->config);
    c->generator.packing =
        random_chance(&round->r, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    if (random_chance(&round->r, 50)) /* a shorter way */
        c->output.packets = NULL;
    c->output.fifo_size = UINT64_MAX;
    c->output.trace_waits = true;
    cell_make(c);
    program_filter(round);
    execute(round);
    assert_false(round->cell.m == NULL);
    c->generator.config = &round->config;
    expect_walk(&round->expected, &round->program, &round->selected,
                &c->generator);
    decode(round);
    cell_end(c);
}

static void rounds(enum etm_protocol protocol, bool data)
{
    static struct round round;
    unsigned long n = setting("ETM_TEST_ROUNDS", 3000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++)
        one_round(&round, protocol, data, seed + i);
}

/* MC-TE-01 to -06, MC-TE-21, MC-GEN-02, -03, -04, MC-PRG-24 */
static void pft_traces_what_the_registers_select(void **state)
{
    (void)state;
    rounds(ETM_PROTOCOL_PFT, false);
}

static void etmv3_traces_what_the_registers_select(void **state)
{
    (void)state;
    rounds(ETM_PROTOCOL_ETMV3, false);
}

/* MC-TE-12, MC-TE-13, MC-TE-26, MC-VD-01 to -05, MC-VD-08, MC-CPRT-01 to -04,
 * MC-GEN-01 */
static void data_are_traced_as_the_registers_select(void **state)
{
    (void)state;
    rounds(ETM_PROTOCOL_ETMV3, true);
}

/* Of an I-sync: in progress when tracing began, and perhaps traced before. */
static bool is_implied(const struct round *round, const struct etm_element *e)
{
    return round->config.protocol == ETM_PROTOCOL_ETMV3 &&
           (round->cell.bytes[e->offset] & 0x80u) == 0;
}

/* Addresses of instructions, in the order in which they were executed. */
static bool executed_in_order(const struct round *round)
{
    size_t at = 0;

    for (size_t i = 0; i < round->got.n; i++) {
        const struct etm_element *e = &round->got.e[i];

        if (e->kind != ETM_ELEMENT_INSN || is_implied(round, e))
            continue;
        while (at < round->done.n &&
               (round->done.events[at].kind != ETM_EVENT_INSN ||
                round->done.events[at].u.insn.address != e->u.insn.address))
            at++;
        if (at == round->done.n)
            return false;
        at++;
    }
    return true;
}

/* A word that this instruction moved. The values of `done` come one by one. */
static bool moved(const struct round *round, const struct etm_element *data)
{
    const struct etm_event *owner = NULL;

    for (size_t i = 0; i < round->done.n; i++) {
        const struct etm_event *e = &round->done.events[i];

        if (e->kind == ETM_EVENT_STACKING)
            owner = NULL;
        if (e->kind == ETM_EVENT_INSN && e->u.insn.passed &&
            moves_of(program_at(&round->program, e->u.insn.address,
                                (enum etm_isa)e->u.insn.isa)) != NULL)
            owner = e;
        if (e->kind == ETM_EVENT_DATA && owner != NULL &&
            owner->u.insn.address == data->u.data.insn &&
            (!data->u.data.address_known ||
             e->u.data.address == data->u.data.address) &&
            (!data->u.data.value_known ||
             (uint32_t)e->u.data.value == data->u.data.value))
            return true;
    }
    return false;
}

static bool data_were_moved(const struct round *round)
{
    for (size_t i = 0; i < round->got.n; i++) {
        const struct etm_element *e = &round->got.e[i];

        if (e->kind == ETM_ELEMENT_DATA && e->u.data.insn_known &&
            e->u.data.status == ETM_DATA_OK && !moved(round, e))
            return false;
    }
    return true;
}

static void overflow_round(struct round *round, enum etm_protocol protocol,
                           uint64_t seed, unsigned *overflows)
{
    struct cell *c = &round->cell;

    round->seed = seed;
    round->r.state = seed;
    if (protocol == ETM_PROTOCOL_ETMV3 && random_chance(&round->r, 50))
        config_make_data(&round->config, &round->r);
    else
        config_make(&round->config, protocol, &round->r);
    round->config.data_only = false;
    program_make(&round->program, &round->config, &round->r);
    walk_make(&round->walk, &round->program, &round->r, 300);
    if (!strip(round))
        return;
    choose_filter(round);
    cell_begin(c, &round->config);
    c->output.fifo_size = 30 + random_below(&round->r, 60);
    c->output.drain_bits = (uint16_t)(1 + random_below(&round->r, 12));
    c->output.drain_cycles = (uint16_t)(1 + random_below(&round->r, 4));
    c->output.timestamp_cycles = 3;
    if (random_chance(&round->r, 50)) /* a shorter way */
        c->output.packets = NULL;
    cell_make(c);
    program_filter(round);
    execute(round);
    round->expected.n = round->actual.n = 0;
    decode_elements(round);
    for (size_t i = 0; i < round->got.n; i++) {
        const struct etm_element *e = &round->got.e[i];

        if (e->kind == ETM_ELEMENT_LOST)
            fail_round(round, "something was lost that is no overflow", i);
        *overflows += e->kind == ETM_ELEMENT_TRACE_ON &&
                      e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
    }
    if (!executed_in_order(round))
        fail_round(round, "what was not executed is decoded", 0);
    if (!data_were_moved(round))
        fail_round(round, "data are those of another instruction", 0);
    cell_end(c);
}

/* MC-FIFO-23: whatever overflows, what comes out was executed, in that order,
 * and each gap has its reason. */
static void overflows_leave_a_part_of_the_truth(void **state)
{
    static struct round round;
    unsigned overflows = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++)
        overflow_round(&round,
                       seed % 2 == 0 ? ETM_PROTOCOL_PFT : ETM_PROTOCOL_ETMV3,
                       seed, &overflows);
    assert_true(overflows > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pft_traces_what_the_registers_select),
        cmocka_unit_test(etmv3_traces_what_the_registers_select),
        cmocka_unit_test(data_are_traced_as_the_registers_select),
        cmocka_unit_test(overflows_leave_a_part_of_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
