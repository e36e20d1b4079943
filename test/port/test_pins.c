/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the trace port to bytes and back. */
#include "../support/scarce.h"
#include "pins_support.h"

/* TCD-03, TCD-06, EX-05, E-95, V3-PORT-04, V3-CMP-03 */
static void samples_are_classified_as_table_4_1_says(void **state)
{
    static const enum etm_port_action expected[8] = {
        ETM_PORT_CAPTURE,       ETM_PORT_CAPTURE,  ETM_PORT_CAPTURE,
        ETM_PORT_CAPTURE,       ETM_PORT_TRIGGER,  ETM_PORT_DISABLED,
        ETM_PORT_TRIGGER_ALONE, ETM_PORT_DISABLED,
    };
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 8);

    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        struct etm_port_sample sample = {i & 0xff, 0, 0};

        assert_int_equal(etm_port_sample_action(&config, &sample),
                         ETM_PORT_CAPTURE);
        sample.control = 1;
        assert_int_equal(etm_port_sample_action(&config, &sample),
                         expected[4 + (i & 3)]);
    }
}

/* MC-TRG-13, E-93, V3-PORT-12 */
static void a_1_bit_port_tells_by_its_only_bit(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 1);
    struct etm_port_sample zero = {0, 1, 0}, one = {1, 1, 0}, high = {2, 1, 0};

    (void)state;
    assert_int_equal(etm_port_sample_action(&config, &zero), ETM_PORT_TRIGGER);
    assert_int_equal(etm_port_sample_action(&config, &one), ETM_PORT_DISABLED);
    assert_int_equal(etm_port_sample_action(&config, &high), ETM_PORT_TRIGGER);
}

/* MC-TRG-13 */
static void etmv1_and_etmv2_have_their_own_conditions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        struct etm_port_sample sample = {i & 3, i >> 2 & 1, i >> 2 & 15};
        struct etm_port_config v1 = port_of(ETM_PROTOCOL_ETMV1, 4);
        struct etm_port_config v2 = port_of(ETM_PROTOCOL_ETMV2, 4);
        unsigned low = sample.status & 7;
        bool even = (i & 1) == 0;

        assert_int_equal(etm_port_sample_action(&v1, &sample),
                         low == 6           ? ETM_PORT_TRIGGER
                         : low == 7 && even ? ETM_PORT_DISABLED
                                            : ETM_PORT_CAPTURE);
        assert_int_equal(etm_port_sample_action(&v2, &sample),
                         sample.status == 6           ? ETM_PORT_TRIGGER
                         : sample.status == 7 && even ? ETM_PORT_DISABLED
                                                      : ETM_PORT_CAPTURE);
    }
}

/* PORT-MODE-04 */
static void etmcr_tells_width_and_mode(void **state)
{
    static const uint8_t widths[16] = {4, 8, 16, 24, 32, 48, 64, 0,
                                       1, 2, 0,  0,  0,  0,  0,  0};
    struct etm_diag diag;

    (void)state;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t etmcr = (i & 7) << 4 | (i >> 3) << 21 | 0x32000;
        struct etm_port_config c = port_of(ETM_PROTOCOL_ETMV3, 0);
        int status = etm_port_from_etmcr(&c, etmcr, &diag);

        assert_int_equal(status, widths[i] != 0 ? ETM_OK : ETM_ERR_CONFIG);
        assert_int_equal(c.width, widths[i]);
        assert_int_equal(c.mode, ETM_PORT_NORMAL);
        if (status != ETM_OK)
            assert_string_equal(diag.source, "ETMCR");
    }
    for (uint32_t i = 0; i < 64; i++) {
        struct etm_port_config c = port_of(ETM_PROTOCOL_ETMV1, 0);
        uint32_t code = i & 7, mode = i >> 3 & 3, half = i >> 5;
        /* Table 2-17 has five lines. */
        bool good =
            code < 3 && (mode == 0 || mode == 2 || (mode == 1 && half == 0));
        int status = etm_port_from_etmcr(
            &c, code << 4 | mode << 16 | half << 13 | 1u << 21, &diag);

        assert_int_equal(status, good ? ETM_OK : ETM_ERR_CONFIG);
        if (!good)
            continue;
        assert_int_equal(c.width, widths[code]);
        assert_int_equal(c.mode, mode);
        assert_int_equal(c.half_rate, half);
    }
}

/* PORT-MUX-03, E-92 */
static void a_port_that_does_not_exist_is_refused(void **state)
{
    struct etm_port_config config;
    struct etm_unpacker *u;
    struct etm_packer *p;
    struct etm_diag diag;

    (void)state;
    for (unsigned width = 0; width < 256; width++) {
        config = port_of(ETM_PROTOCOL_ETMV3, width);
        assert_int_equal(etm_port_check(&config, &diag),
                         width >= 1 && width <= 64 ? ETM_OK : ETM_ERR_CONFIG);
        config = port_of(ETM_PROTOCOL_ETMV2, width);
        assert_int_equal(
            etm_port_check(&config, NULL),
            width == 4 || width == 8 || width == 16 ? ETM_OK : ETM_ERR_CONFIG);
    }
    config = port_of(ETM_PROTOCOL_ETMV3, 8);
    config.mode = ETM_PORT_MULTIPLEXED;
    assert_int_equal(etm_port_check(&config, &diag), ETM_ERR_CONFIG);
    assert_true(diag.what[0] != '\0');
    config = port_of(ETM_PROTOCOL_NONE, 8);
    assert_int_equal(etm_port_check(&config, NULL), ETM_ERR_ARGUMENT);
    config = port_of(ETM_PROTOCOL_ETMV1, 8);
    assert_int_equal(etm_unpacker_new(&u, &config), ETM_ERR_CONFIG);
    assert_null(u);
    assert_int_equal(etm_packer_new(&p, &config), ETM_ERR_CONFIG);
    assert_null(p);
    assert_int_equal(etm_unpacker_new(&u, NULL), ETM_ERR_ARGUMENT);
}

/* Packs bytes, a trigger, two more bytes and the padding after them. */
static void assert_packed(unsigned width, size_t n,
                          const struct etm_port_sample *expected,
                          size_t n_expected)
{
    static const uint8_t before[] = {0x84, 0x9c, 0xa1};
    static const uint8_t after[] = {0x21, 0x43};
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, width);
    const struct etm_port_sample *samples;
    struct etm_packer *p;
    size_t n_samples;

    assert_int_equal(etm_packer_new(&p, &config), ETM_OK);
    assert_int_equal(etm_packer_push(p, before, n), ETM_OK);
    assert_int_equal(etm_packer_trigger(p), ETM_OK);
    assert_int_equal(etm_packer_push(p, after, sizeof after), ETM_OK);
    assert_int_equal(etm_packer_drain(p), ETM_OK);
    assert_int_equal(etm_packer_idle(p, 1), ETM_OK);
    etm_packer_take(p, &samples, &n_samples);
    assert_int_equal(n_samples, n_expected);
    for (size_t i = 0; i < n_samples; i++) {
        assert_int_equal(samples[i].data, expected[i].data);
        assert_int_equal(samples[i].control, expected[i].control);
        assert_int_equal(samples[i].status, 0);
    }
    etm_packer_free(p);
}

/* ETM architecture, 7.8.1 to 7.8.3. E-95, V3-PORT-02, -06, -07, -08, -10 */
static void a_trigger_goes_out_on_the_lowest_byte(void **state)
{
    static const struct etm_port_sample at_8[] = {
        {0x84, 0, 0}, {0x0c, 1, 0}, {0x21, 0, 0}, {0x43, 0, 0}, {3, 1, 0}};
    static const struct etm_port_sample at_16[] = {{0x9c84, 0, 0},
                                                   {0x66a1, 0, 0},
                                                   {0x210c, 1, 0},
                                                   {0x6643, 0, 0},
                                                   {3, 1, 0}};
    static const struct etm_port_sample at_32[] = {
        {0x66669c84, 0, 0}, {0x6643210c, 1, 0}, {3, 1, 0}};

    (void)state;
    assert_packed(8, 1, at_8, 5);
    assert_packed(16, 3, at_16, 5);
    assert_packed(32, 2, at_32, 3);
}

/* V3-PORT-03, -06, -10 */
static void
a_trigger_on_a_narrow_port_has_control_in_its_first_cycle(void **state)
{
    static const struct etm_port_sample at_4[] = {
        {4, 0, 0}, {8, 0, 0}, {0xc, 1, 0}, {0, 0, 0}, {1, 0, 0},
        {2, 0, 0}, {3, 0, 0}, {4, 0, 0},   {3, 1, 0}};
    static const struct etm_port_sample at_2[] = {
        {0, 1, 0}, {3, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0},
        {0, 0, 0}, {2, 0, 0}, {0, 0, 0}, {3, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {1, 0, 0}, {3, 1, 0}};
    static const struct etm_port_sample at_1[] = {
        {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 1, 0}};

    (void)state;
    assert_packed(4, 1, at_4, 9);
    assert_packed(2, 0, at_2, 13);
    assert_packed(1, 0, at_1, 25);
}

/* V3-PORT-04, -09 */
static void a_trigger_without_trace_is_not_in_the_stream(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 8);
    static const struct etm_port_sample samples[] = {
        {0x84, 0, 0}, {0x02, 1, 0}, {0x86, 0, 0}, {0x0c, 1, 0}, {0xff, 1, 0}};
    struct unpacked *all = unpack(&config, samples, 5, 5);

    (void)state;
    assert_int_equal(all->stream.n, 3);
    assert_memory_equal(all->stream.data, "\x84\x86\x0c", 3);
    assert_int_equal(all->stream.place[0], 0);
    assert_int_equal(all->stream.place[1], 2);
    assert_int_equal(all->stream.place[2], 3);
    assert_int_equal(all->n_triggers, 2);
    assert_false(all->triggers[0].captured);
    assert_int_equal(all->triggers[0].sample, 1);
    assert_int_equal(all->triggers[0].bit, 8);
    assert_true(all->triggers[1].captured);
    assert_int_equal(all->triggers[1].sample, 3);
    assert_int_equal(all->triggers[1].bit, 16);
    assert_int_equal(all->counts.samples, 5);
    assert_int_equal(all->counts.disabled, 1);
    assert_int_equal(all->counts.triggers, 2);
    assert_int_equal(all->counts.dropped_triggers, 1);
    unpacked_free(all);
}

/* Random use of a port; what must be in its stream, by the rules of 7.8. */
struct use {
    struct bytes stream; /* place: 1 for a trigger */
    struct etm_vec samples;
};

static void use_port(struct use *use, const struct etm_port_config *config,
                     uint64_t *random)
{
    const struct etm_port_sample *samples;
    struct etm_packer *p;
    size_t n;

    *use = (struct use){0};
    etm_vec_init(&use->samples, sizeof *samples, NULL);
    assert_int_equal(etm_packer_new(&p, config), ETM_OK);
    for (unsigned i = 0; i < 200; i++) {
        unsigned what = random_next(random) % 16;
        uint8_t byte = (uint8_t)random_next(random);

        if (what < 2) {
            while (8 * use->stream.n % config->width != 0)
                bytes_add(&use->stream, 0x66, 0);
            if (what == 0)
                bytes_add(&use->stream, 0x0c, 1);
            assert_int_equal(what == 0 ? etm_packer_trigger(p)
                                       : etm_packer_drain(p),
                             ETM_OK);
        } else if (what < 5) {
            assert_int_equal(etm_packer_idle(p, what), ETM_OK);
        } else {
            bytes_add(&use->stream, byte, 0);
            assert_int_equal(etm_packer_push(p, &byte, 1), ETM_OK);
        }
        if (what == 15) {
            etm_packer_take(p, &samples, &n);
            assert_int_equal(etm_vec_append(&use->samples, samples, n), ETM_OK);
        }
    }
    while (8 * use->stream.n % config->width != 0)
        bytes_add(&use->stream, 0x66, 0);
    assert_int_equal(etm_packer_drain(p), ETM_OK);
    etm_packer_take(p, &samples, &n);
    assert_int_equal(etm_vec_append(&use->samples, samples, n), ETM_OK);
    etm_packer_free(p);
}

static void use_free(struct use *use)
{
    bytes_free(&use->stream);
    etm_vec_fini(&use->samples);
}

static void assert_same_stream(const struct unpacked *all,
                               const struct use *use)
{
    size_t trigger = 0;

    assert_int_equal(all->stream.n, use->stream.n);
    assert_memory_equal(all->stream.data, use->stream.data, use->stream.n);
    for (size_t i = 0; i < use->stream.n; i++) {
        if (use->stream.place[i] == 0)
            continue;
        assert_true(trigger < all->n_triggers);
        assert_true(all->triggers[trigger].captured);
        assert_int_equal(all->triggers[trigger].bit, 8 * i);
        assert_int_equal(all->triggers[trigger].sample, all->stream.place[i]);
        trigger++;
    }
    assert_int_equal(trigger, all->n_triggers);
}

/* Every bit of the stream is in the sample that the runs name. */
static void assert_map(const struct unpacked *all, const struct use *use,
                       unsigned width)
{
    uint64_t before = 0;
    unsigned in_sample = 0;

    for (size_t bit = 0; bit < 8 * all->stream.n; bit++) {
        uint64_t sample = all->sample_of_bit[bit];
        unsigned value = all->stream.data[bit / 8] >> bit % 8 & 1;

        if (in_sample == width || bit == 0) {
            assert_true(bit == 0 || sample > before);
            in_sample = 0;
        } else {
            assert_int_equal(sample, before);
        }
        assert_int_equal(
            sample_at(&use->samples, (size_t)sample)->data >> in_sample & 1,
            value);
        in_sample++;
        before = sample;
    }
}

/* TCD-07, E-94, V3-PORT-08, -10 */
static void what_is_packed_is_unpacked_at_every_width(void **state)
{
    uint64_t random = 1;
    struct use use;

    (void)state;
    for (unsigned width = 1; width <= 64; width++) {
        struct etm_port_config config =
            port_of(width & 1 ? ETM_PROTOCOL_ETMV3 : ETM_PROTOCOL_PFT, width);

        for (unsigned i = 0; i < 8; i++) {
            static const size_t steps[] = {1, 2, 7, 10000};
            struct unpacked *all;

            use_port(&use, &config, &random);
            all =
                unpack(&config, use.samples.data, use.samples.n, steps[i % 4]);
            assert_same_stream(all, &use);
            assert_map(all, &use, width);
            unpacked_free(all);
            use_free(&use);
        }
    }
}

/* V3-PORT-06, -11 */
static void trace_disabled_may_stand_before_any_sample(void **state)
{
    static const uint8_t widths[] = {1, 2, 4, 8, 16, 24, 32, 48, 64};
    uint64_t random = 2;
    struct use use;

    (void)state;
    for (unsigned w = 0; w < sizeof widths; w++) {
        struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, widths[w]);

        use_port(&use, &config, &random);
        for (size_t at = 0; at <= use.samples.n; at++) {
            struct use more = {.stream = use.stream};
            struct unpacked *all;

            etm_vec_init(&more.samples, sizeof(struct etm_port_sample), NULL);
            assert_int_equal(
                etm_vec_append(&more.samples, use.samples.data, at), ETM_OK);
            vec_add_sample(&more.samples, 1, UINT64_MAX);
            assert_int_equal(
                etm_vec_append(
                    &more.samples,
                    (const struct etm_port_sample *)use.samples.data + at,
                    use.samples.n - at),
                ETM_OK);
            all = unpack(&config, more.samples.data, more.samples.n, 50);
            assert_same_stream(all, &more);
            unpacked_free(all);
            etm_vec_fini(&more.samples);
        }
        use_free(&use);
    }
}

static void data_beyond_the_width_is_ignored(void **state)
{
    static const struct etm_port_sample samples[] = {{0xf4, 0, 0},
                                                     {0xa8, 0, 0}};
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 4);
    struct unpacked *all = unpack(&config, samples, 2, 1);

    (void)state;
    assert_int_equal(all->stream.n, 1);
    assert_int_equal(all->stream.data[0], 0x84);
    unpacked_free(all);
}

static void no_memory_is_said_at_every_allocation(void **state)
{
    struct scarce scarce;
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 8);
    static const struct etm_port_sample samples[] = {{0x0c, 1, 0}};
    unsigned calls = 0;
    int status;

    (void)state;
    config.allocator = &allocator;
    do {
        struct etm_unpacker *u;

        scarce.left = calls++;
        status = etm_unpacker_new(&u, &config);
        if (status == ETM_OK)
            status = etm_unpacker_push(u, samples, 1);
        if (status != ETM_OK)
            assert_int_equal(status, ETM_ERR_MEMORY);
        etm_unpacker_free(u);
    } while (status != ETM_OK);
    assert_int_equal(calls, 5);
    calls = 0;
    do {
        struct etm_packer *p;

        scarce.left = calls++;
        status = etm_packer_new(&p, &config);
        if (status == ETM_OK)
            status = etm_packer_trigger(p);
        if (status != ETM_OK)
            assert_int_equal(status, ETM_ERR_MEMORY);
        etm_packer_free(p);
    } while (status != ETM_OK);
    assert_int_equal(calls, 3);
}

static void nothing_is_allocated_after_warm_up(void **state)
{
    struct scarce scarce = {.left = 1000};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 4);
    const struct etm_port_sample *samples;
    struct etm_unpacked made;
    struct etm_unpacker *u;
    struct etm_packer *p;
    size_t n;

    (void)state;
    config.allocator = &allocator;
    assert_int_equal(etm_unpacker_new(&u, &config), ETM_OK);
    assert_int_equal(etm_packer_new(&p, &config), ETM_OK);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(etm_packer_push(p, (const uint8_t *)"abcdefg", 7),
                         ETM_OK);
        assert_int_equal(etm_packer_trigger(p), ETM_OK);
        assert_int_equal(etm_packer_idle(p, 3), ETM_OK);
        etm_packer_take(p, &samples, &n);
        assert_int_equal(n, 7 * 2 + 2 + 3);
        assert_int_equal(etm_unpacker_push(u, samples, n), ETM_OK);
        etm_unpacker_take(u, &made);
        assert_int_equal(made.n_bytes, 8);
        if (i == 10)
            scarce.left = 0;
    }
    etm_unpacker_free(u);
    etm_packer_free(p);
}

/* An allocator with a megabyte, that remembers the largest piece. */
static void *megabyte(void *context, void *old, size_t size)
{
    size_t *most = context;

    if (size > 1u << 20)
        return NULL;
    if (size > *most)
        *most = size;
    return scarce_resize(&(struct scarce){.left = 1}, old, size);
}

/* <etm/port.h>: none of the cycles is output, and no memory taken for a few. */
static void more_idle_cycles_than_memory_are_refused_at_once(void **state)
{
    static const uint64_t cycles[] = {1u << 20, UINT64_C(1) << 40,
                                      UINT64_C(1) << 60, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        size_t most = 0, n;
        struct etm_allocator allocator = {megabyte, &most};
        struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 4);
        const struct etm_port_sample *samples;
        struct etm_packer *p;

        config.allocator = &allocator;
        assert_int_equal(etm_packer_new(&p, &config), ETM_OK);
        assert_int_equal(etm_packer_idle(p, cycles[i]), ETM_ERR_MEMORY);
        assert_true(most < 1024);
        etm_packer_take(p, &samples, &n);
        assert_int_equal(n, 0);
        etm_packer_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_classified_as_table_4_1_says),
        cmocka_unit_test(a_1_bit_port_tells_by_its_only_bit),
        cmocka_unit_test(etmv1_and_etmv2_have_their_own_conditions),
        cmocka_unit_test(etmcr_tells_width_and_mode),
        cmocka_unit_test(a_port_that_does_not_exist_is_refused),
        cmocka_unit_test(a_trigger_goes_out_on_the_lowest_byte),
        cmocka_unit_test(
            a_trigger_on_a_narrow_port_has_control_in_its_first_cycle),
        cmocka_unit_test(a_trigger_without_trace_is_not_in_the_stream),
        cmocka_unit_test(what_is_packed_is_unpacked_at_every_width),
        cmocka_unit_test(trace_disabled_may_stand_before_any_sample),
        cmocka_unit_test(data_beyond_the_width_is_ignored),
        cmocka_unit_test(no_memory_is_said_at_every_allocation),
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(more_idle_cycles_than_memory_are_refused_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
