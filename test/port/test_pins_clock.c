/* SPDX-License-Identifier: Apache-2.0 */
/* Pins and clock edges of the trace port. */
#include "pins_support.h"

static const struct etm_port_edge *edge_at(const struct etm_vec *vec, size_t i)
{
    assert_true(i < vec->n);
    return (const struct etm_port_edge *)vec->data + i;
}

static void drive(const struct etm_port_config *config,
                  const struct etm_port_sample *samples, size_t n,
                  struct etm_vec *edges)
{
    struct etm_port_clock clock;

    etm_vec_init(edges, sizeof(struct etm_port_edge), NULL);
    assert_int_equal(etm_port_clock_init(&clock, config, NULL), ETM_OK);
    assert_int_equal(etm_port_clock_drive(&clock, samples, n, edges), ETM_OK);
    assert_int_equal(etm_port_clock_finish(&clock, edges), ETM_OK);
}

/* `step` edges at a time. */
static void sample(const struct etm_port_config *config,
                   const struct etm_port_edge *edges, size_t n, size_t step,
                   struct etm_vec *samples)
{
    struct etm_port_clock clock;

    etm_vec_init(samples, sizeof(struct etm_port_sample), NULL);
    assert_int_equal(etm_port_clock_init(&clock, config, NULL), ETM_OK);
    for (size_t at = 0; at < n; at += step)
        assert_int_equal(etm_port_clock_sample(&clock, edges + at,
                                               step < n - at ? step : n - at,
                                               samples),
                         ETM_OK);
}

static struct etm_port_sample random_sample(const struct etm_port_config *c,
                                            uint64_t *random)
{
    bool v1 = c->protocol == ETM_PROTOCOL_ETMV1;
    bool v2 = c->protocol == ETM_PROTOCOL_ETMV2;
    struct etm_port_sample s = {0};

    s.data = random_next(random);
    if (c->width < 32)
        s.data &= (1u << c->width) - 1;
    if (!v2)
        s.control = random_next(random) & 1;
    if (v1 || v2)
        s.status = (uint8_t)(random_next(random) & (v1 ? 7u : 15u));
    return s;
}

/* The five lines of table 2-17, and ETMv3. Edges of each cycle, doubled. */
static const struct {
    enum etm_port_mode mode;
    bool half_rate;
    unsigned edges_of_two;
} modes[] = {
    {ETM_PORT_NORMAL, false, 4},        {ETM_PORT_MULTIPLEXED, false, 4},
    {ETM_PORT_DEMULTIPLEXED, false, 2}, {ETM_PORT_NORMAL, true, 2},
    {ETM_PORT_DEMULTIPLEXED, true, 1},
};

static void every_mode_gives_the_samples_back(void **state)
{
    static const uint8_t widths[] = {4, 8, 16};
    static const enum etm_protocol protocols[] = {ETM_PROTOCOL_ETMV1,
                                                  ETM_PROTOCOL_ETMV2};
    uint64_t random = 4;

    (void)state;
    for (unsigned i = 0; i < 5 * 3 * 2; i++) {
        struct etm_port_config config =
            port_of(protocols[i % 2], widths[i / 2 % 3]);
        struct etm_vec all, edges, samples;

        config.mode = modes[i / 6].mode;
        config.half_rate = modes[i / 6].half_rate;
        etm_vec_init(&all, sizeof(struct etm_port_sample), NULL);
        for (unsigned k = 0; k < 100; k++) {
            struct etm_port_sample s = random_sample(&config, &random);

            assert_int_equal(etm_vec_append(&all, &s, 1), ETM_OK);
        }
        drive(&config, all.data, all.n, &edges);
        assert_int_equal(edges.n, 100 / 2 * modes[i / 6].edges_of_two);
        for (size_t k = 0; k < edges.n; k++)
            assert_int_equal(edge_at(&edges, k)->rising, k % 2 == 0);
        for (size_t step = 1; step < 12; step += 5) {
            sample(&config, edges.data, edges.n, step, &samples);
            assert_samples_equal(&samples, &all);
            etm_vec_fini(&samples);
        }
        etm_vec_fini(&edges);
        etm_vec_fini(&all);
    }
}

static void etmv3_is_sampled_at_both_edges(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (unsigned width = 1; width <= 32; width++) {
        struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, width);
        struct etm_port_sample s[9];
        struct etm_vec edges, samples;

        for (unsigned k = 0; k < 9; k++)
            s[k] = random_sample(&config, &random);
        drive(&config, s, 9, &edges);
        assert_int_equal(edges.n, 9);
        assert_true(edge_at(&edges, 0)->rising);
        assert_false(edge_at(&edges, 1)->rising);
        sample(&config, edges.data, 9, 9, &samples);
        for (unsigned k = 0; k < 9; k++) {
            assert_int_equal(sample_at(&samples, k)->data, s[k].data);
            assert_int_equal(sample_at(&samples, k)->control, s[k].control);
        }
        etm_vec_fini(&edges);
        etm_vec_fini(&samples);
    }
}

/* Table 8-4. PORT-SIG-02, EX-05 */
static void an_old_capture_device_stores_what_etmv3_sends(void **state)
{
    struct etm_port_config v3 = port_of(ETM_PROTOCOL_ETMV3, 4);
    struct etm_port_config v2 = port_of(ETM_PROTOCOL_ETMV2, 4);

    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        struct etm_port_sample s = {i & 15, i >> 4 & 1, 0};
        enum etm_port_action action = etm_port_sample_action(&v3, &s);
        struct etm_vec edges, samples;

        if (action == ETM_PORT_TRIGGER_ALONE)
            action = ETM_PORT_TRIGGER; /* not known then */
        drive(&v3, &s, 1, &edges);
        sample(&v2, edges.data, 1, 1, &samples);
        assert_int_equal(sample_at(&samples, 0)->status,
                         4u | (unsigned)s.control << 1 | (i & 1));
        assert_int_equal(etm_port_sample_action(&v2, sample_at(&samples, 0)),
                         action);
        etm_vec_fini(&edges);
        etm_vec_fini(&samples);
    }
}

/* Table 8-7: pin 38 is bit 0, pin 20 is bit 9. PORT-MUX-02 */
static void
a_multiplexed_port_has_its_signals_on_the_pins_of_table_8_7(void **state)
{
    static const struct {
        struct etm_port_sample sample;
        unsigned rising, falling;
    } rows[] = {
        {{0, 0, 1}, 1u << 0, 0},        {{0, 1, 0}, 0, 1u << 0},
        {{0, 0, 2}, 1u << 1, 0},        {{1u << 1, 0, 0}, 0, 1u << 1},
        {{0, 0, 4}, 1u << 2, 0},        {{1u << 2, 0, 0}, 0, 1u << 2},
        {{1u << 0, 0, 0}, 1u << 3, 0},  {{1u << 3, 0, 0}, 0, 1u << 3},
        {{1u << 4, 0, 0}, 1u << 4, 0},  {{1u << 5, 0, 0}, 0, 1u << 4},
        {{1u << 6, 0, 0}, 1u << 5, 0},  {{1u << 7, 0, 0}, 0, 1u << 5},
        {{1u << 8, 0, 0}, 1u << 6, 0},  {{1u << 9, 0, 0}, 0, 1u << 6},
        {{1u << 10, 0, 0}, 1u << 7, 0}, {{1u << 11, 0, 0}, 0, 1u << 7},
        {{1u << 12, 0, 0}, 1u << 8, 0}, {{1u << 13, 0, 0}, 0, 1u << 8},
        {{1u << 14, 0, 0}, 1u << 9, 0}, {{1u << 15, 0, 0}, 0, 1u << 9},
    };
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV1, 16);

    (void)state;
    config.mode = ETM_PORT_MULTIPLEXED;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_vec edges;

        drive(&config, &rows[i].sample, 1, &edges);
        assert_int_equal(edges.n, 2);
        assert_int_equal(edge_at(&edges, 0)->pins, rows[i].rising);
        assert_int_equal(edge_at(&edges, 1)->pins, rows[i].falling);
        etm_vec_fini(&edges);
    }
}

/* E-530: the cycle is lost in its place, but there is nothing before the first
 * one that a capture holds. */
static void a_missing_edge_loses_one_sample_of_a_multiplexed_port(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV2, 16);
    struct etm_port_sample s[10];
    uint64_t random = 6;
    struct etm_vec edges;

    (void)state;
    config.mode = ETM_PORT_MULTIPLEXED;
    for (unsigned k = 0; k < 10; k++)
        s[k] = random_sample(&config, &random);
    drive(&config, s, 10, &edges);
    for (size_t gone = 0; gone < 20; gone++) {
        struct etm_port_edge left[19];
        struct etm_vec samples;
        size_t at = gone / 2, lost = at > 0 && at < 9;

        for (size_t k = 0; k < 19; k++)
            left[k] = *edge_at(&edges, k < gone ? k : k + 1);
        for (size_t step = 1; step < 20; step += 6) {
            sample(&config, left, 19, step, &samples);
            assert_int_equal(samples.n, 9 + lost);
            if (lost)
                assert_int_equal(sample_at(&samples, at)->status,
                                 ETM_PORT_LOST);
            for (size_t k = 0; k < 9; k++)
                assert_int_equal(
                    sample_at(&samples, k < at ? k : k + lost)->data,
                    s[k < at ? k : k + 1].data);
            etm_vec_fini(&samples);
        }
    }
    etm_vec_fini(&edges);
}

/* 8.2.5 and table 8-9: A in the low half. PORT-DEMUX-01, PORT-DEMUX-04 */
static void suffix_b_of_a_demultiplexed_port_comes_first(void **state)
{
    static const struct etm_port_sample s[] = {
        {0x1, 0, 4}, {0x2, 1, 3}, {0x3, 0, 2}};
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV1, 4);
    struct etm_vec edges, samples;

    (void)state;
    config.mode = ETM_PORT_DEMULTIPLEXED;
    config.half_rate = true;
    drive(&config, s, 3, &edges);
    assert_int_equal(edges.n, 2);
    assert_int_equal(edge_at(&edges, 0)->pins, 0x14u << 20 | 0x2b);
    assert_int_equal(edge_at(&edges, 1)->pins, 0x32u << 20 | 0x07);
    sample(&config, edges.data, edges.n, 1, &samples);
    assert_int_equal(samples.n, 4);
    assert_int_equal(sample_at(&samples, 1)->control, 1);
    assert_int_equal(etm_port_sample_action(&config, sample_at(&samples, 3)),
                     ETM_PORT_DISABLED);
    etm_vec_fini(&edges);
    etm_vec_fini(&samples);
}

static void a_port_without_a_connector_is_refused(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 48);
    struct etm_port_clock clock;
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_port_clock_init(&clock, &config, &diag),
                     ETM_ERR_UNSUPPORTED);
    assert_int_equal(diag.status, ETM_ERR_UNSUPPORTED);
    config = port_of(ETM_PROTOCOL_ETMV1, 8);
    config.mode = ETM_PORT_MULTIPLEXED;
    config.half_rate = true;
    assert_int_equal(etm_port_clock_init(&clock, &config, &diag),
                     ETM_ERR_CONFIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_gives_the_samples_back),
        cmocka_unit_test(etmv3_is_sampled_at_both_edges),
        cmocka_unit_test(an_old_capture_device_stores_what_etmv3_sends),
        cmocka_unit_test(
            a_multiplexed_port_has_its_signals_on_the_pins_of_table_8_7),
        cmocka_unit_test(a_missing_edge_loses_one_sample_of_a_multiplexed_port),
        cmocka_unit_test(suffix_b_of_a_demultiplexed_port_comes_first),
        cmocka_unit_test(a_port_without_a_connector_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
