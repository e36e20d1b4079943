/* SPDX-License-Identifier: Apache-2.0 */
/* Samples as value change dumps, read back by the reader of such files. */
#include "../input/port_support.h"
#include "../support/scarce.h"
#include "../support/test.h"

#include <etm/write.h>

struct text {
    char all[300000];
    size_t n;
    size_t limit; /* then nobody listens any more; 0: without end */
};

static int take(void *context, const char *text, size_t n)
{
    struct text *t = context;

    if (t->limit != 0 && t->n + n > t->limit)
        return ETM_ERR_STOPPED;
    assert_true(t->n + n < sizeof t->all);
    memcpy(t->all + t->n, text, n);
    t->n += n;
    t->all[t->n] = '\0';
    return ETM_OK;
}

static void write_dump(const struct etm_port_config *port, bool single,
                       const struct etm_port_sample *samples, size_t n,
                       size_t step, struct text *text)
{
    const struct etm_vcd_writer_config config = {
        .port = port, .write = take, .context = text, .single = single};
    struct etm_vcd_writer *writer;
    struct etm_diag diag;

    text->n = text->limit = 0;
    assert_ok(etm_vcd_writer_new(&writer, &config, &diag));
    for (size_t at = 0; at < n; at += step)
        assert_ok(etm_vcd_writer_push(writer, samples + at,
                                      step < n - at ? step : n - at));
    assert_ok(etm_vcd_writer_finish(writer));
    etm_vcd_writer_free(writer);
}

TEST(the_dump_shows_pins_between_edges)
{
    static const struct etm_port_sample samples[] = {
        {0, 0, 7}, {0x4f, 1, 3}, {0x4f, 1, 3}};
    static const char expected[] =
        "$comment pins of a trace port; the times are not those of the "
        "processor $end\n"
        "$timescale 1 ns $end\n"
        "$scope module etm $end\n"
        "$var wire 1 ! TRACECLK $end\n"
        "$var wire 3 \" PIPESTAT [2:0] $end\n"
        "$var wire 1 # TRACESYNC $end\n"
        "$var wire 8 $ TRACEPKT [7:0] $end\n"
        "$upscope $end\n$enddefinitions $end\n"
        "#0\n$dumpvars\n0!\nbx \"\nx#\nbx $\n$end\n"
        "#5\nb111 \"\n0#\nb00000000 $\n#10\n1!\n#20\n0!\n"
        "#25\nb011 \"\n1#\nb01001111 $\n#30\n1!\n#40\n0!\n"
        "#50\n1!\n#60\n0!\n#70\n";
    struct etm_port_config port = port_of(ETM_PROTOCOL_ETMV1, 8);
    static struct text text;

    write_dump(&port, false, samples, COUNT(samples), 2, &text);
    assert_string_equal(text.all, expected);
}

/* Every kind of port; PORT-MODE-01: five for ETMv1 and ETMv2. */
static size_t ports(struct etm_port_config all[64])
{
    static const uint8_t widths[] = {4, 8, 16}, streams[] = {1, 2, 8, 24, 32};
    static const struct {
        enum etm_port_mode mode;
        bool half_rate;
    } modes[] = {{ETM_PORT_NORMAL, false},
                 {ETM_PORT_MULTIPLEXED, false},
                 {ETM_PORT_DEMULTIPLEXED, false},
                 {ETM_PORT_NORMAL, true},
                 {ETM_PORT_DEMULTIPLEXED, true}};
    size_t n = 0;

    for (size_t w = 0; w < COUNT(widths); w++) {
        for (size_t m = 0; m < COUNT(modes); m++) {
            all[n] = port_of(ETM_PROTOCOL_ETMV1, widths[w]);
            all[n].mode = modes[m].mode;
            all[n].half_rate = modes[m].half_rate;
            all[n + 1] = all[n];
            all[n + 1].protocol = ETM_PROTOCOL_ETMV2;
            n += 2;
        }
    }
    for (size_t w = 0; w < COUNT(streams); w++)
        all[n++] = port_of(ETM_PROTOCOL_ETMV3, streams[w]);
    return n;
}

/* The dump has these samples, read so many bytes at a time. */
static void read_back(const struct etm_port_config *port,
                      const struct text *text, size_t step,
                      const struct etm_port_sample *samples, size_t n)
{
    struct etm_port_reader_config config = {.port = *port,
                                            .form = ETM_PORT_FORM_VCD};
    const struct etm_port_sample *s;
    struct etm_vec back;

    assert_ok(read_port(&config, text->all, text->n, step, &back, NULL));
    assert_int_equal(back.n, n);
    s = back.data;
    for (size_t k = 0; k < back.n; k++) {
        assert_int_equal(s[k].data, samples[k].data);
        assert_int_equal(s[k].status, samples[k].status);
        assert_int_equal(s[k].control, samples[k].control);
    }
    etm_vec_fini(&back);
}

TEST(what_was_written_is_read_back)
{
    static struct etm_port_sample samples[2000];
    static struct text text;
    struct etm_port_config all[64];
    size_t n = ports(all);
    uint32_t seed = 1;

    for (size_t i = 0; i < 2 * n; i++) {
        const struct etm_port_config *port = &all[i / 2];
        unsigned statuses = port->protocol == ETM_PROTOCOL_ETMV1   ? 7
                            : port->protocol == ETM_PROTOCOL_ETMV2 ? 15
                                                                   : 0;
        unsigned controls = port->protocol != ETM_PROTOCOL_ETMV2;

        for (size_t k = 0; k < COUNT(samples); k++) {
            seed = seed * 1664525u + 1013904223u;
            samples[k].data = seed >> 1 & ((UINT64_C(1) << port->width) - 1);
            samples[k].status = (uint8_t)(seed >> 9 & statuses);
            samples[k].control = (uint8_t)(seed >> 17 & controls);
            if (k > 0 && seed >> 30 == 0)
                samples[k] = samples[k - 1];
        }
        write_dump(port, i % 2 != 0, samples, COUNT(samples), 1 + i * 7, &text);
        read_back(port, &text, 1 + i * 501, samples, COUNT(samples));
    }
}

/* An odd cycle waits for its other half, which is then no trace. */
TEST(the_last_cycle_of_a_demultiplexed_port_is_filled_up)
{
    static const struct etm_port_sample samples[] = {
        {1, 0, 0}, {2, 0, 1}, {3, 1, 3}, {0, 0, 7}};
    struct etm_port_config port = port_of(ETM_PROTOCOL_ETMV1, 4);
    static struct text text;

    port.mode = ETM_PORT_DEMULTIPLEXED;
    write_dump(&port, false, samples, 3, 3, &text);
    for (size_t step = 1; step <= text.n; step += 1 + step / 8)
        read_back(&port, &text, step, samples, 4);
}

TEST(what_is_no_port_is_refused)
{
    struct etm_port_config port = port_of(ETM_PROTOCOL_ETMV1, 12);
    struct etm_vcd_writer_config config = {.port = &port, .write = take};
    struct etm_vcd_writer *writer = (struct etm_vcd_writer *)&config;
    struct etm_diag diag;

    assert_int_equal(etm_vcd_writer_new(&writer, &config, &diag),
                     ETM_ERR_CONFIG);
    assert_null(writer);
    port = port_of(ETM_PROTOCOL_ETMV3, 48);
    assert_int_equal(etm_vcd_writer_new(&writer, &config, &diag),
                     ETM_ERR_UNSUPPORTED);
    port.width = 32;
    config.size = 3;
    assert_refused(etm_vcd_writer_new(&writer, &config, &diag));
    config.size = sizeof config;
    config.write = NULL;
    assert_refused(etm_vcd_writer_new(&writer, &config, NULL));
    assert_refused(etm_vcd_writer_new(NULL, &config, NULL));
    etm_vcd_writer_free(NULL);
}

TEST(a_reader_that_stops_ends_the_dump)
{
    struct etm_port_config port = port_of(ETM_PROTOCOL_ETMV2, 8);
    static struct etm_port_sample samples[20000];
    static struct text text;
    const struct etm_vcd_writer_config config = {
        .port = &port, .write = take, .context = &text, .scope = "board"};
    struct etm_vcd_writer *writer;

    text.n = 0;
    text.limit = 70000;
    for (size_t i = 0; i < COUNT(samples); i++)
        samples[i].data = i;
    assert_ok(etm_vcd_writer_new(&writer, &config, NULL));
    assert_int_equal(etm_vcd_writer_push(writer, samples, COUNT(samples)),
                     ETM_ERR_STOPPED);
    assert_int_equal(etm_vcd_writer_push(writer, samples, 1), ETM_ERR_STOPPED);
    assert_int_equal(etm_vcd_writer_finish(writer), ETM_ERR_STOPPED);
    assert_non_null(strstr(text.all, "$scope module board $end"));
    etm_vcd_writer_free(writer);
}

TEST(failing_allocation_is_reported)
{
    static const struct etm_port_sample samples[100];
    struct etm_port_config port = port_of(ETM_PROTOCOL_ETMV2, 8);
    static struct text text;

    for (size_t k = 0;; k++) {
        struct scarce scarce = {.left = k};
        struct etm_allocator a = {scarce_resize, &scarce};
        const struct etm_vcd_writer_config config = {
            .port = &port, .write = take, .context = &text, .allocator = &a};
        struct etm_vcd_writer *writer;
        int status;

        text.n = text.limit = 0;
        status = etm_vcd_writer_new(&writer, &config, NULL);
        if (status == ETM_OK)
            status = etm_vcd_writer_push(writer, samples, COUNT(samples));
        etm_vcd_writer_free(writer);
        if (!scarce.failed) {
            assert_ok(status);
            assert_true(k >= 3);
            return;
        }
        assert_int_equal(status, ETM_ERR_MEMORY);
    }
}
