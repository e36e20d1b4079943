/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO of a macrocell: overflow and what comes after it, stalling, data
 * suppression, and how fast a port drains it. */
#include "macrocell_util.h"

#define N 400u

static struct cell cell;

static const struct etm_config v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 4,
                                      .data_address = true,
                                      .data_value = true};

/* Loads of words that do not compress, one in each cycle. */
static size_t busy(struct etm_event *events, unsigned loads)
{
    size_t n = 0;

    for (unsigned i = 0; i < loads; i++) {
        events[n++] = after(1, arm(0x8000 + 4 * i, 0xe5910000));
        events[n++] = load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu);
    }
    return n;
}

/* A port of `bits` in each cycle, a FIFO of `size`. */
static struct cell *make(const struct etm_config *trace, uint16_t bits,
                         uint8_t size)
{
    cell_begin(&cell, trace);
    cell.config.fifo_size = size;
    cell.output.drain_bits = bits;
    cell.output.drain_cycles = 1;
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    return &cell;
}

/* How often a word stands in the text. */
static unsigned count_words(const char *text, const char *word)
{
    unsigned n = 0;

    for (const char *at = strstr(text, word); at != NULL;
         at = strstr(at + 1, word))
        n++;
    return n;
}

/* The bytes of loads in programs that change all the time. */
static size_t changing(uint8_t *bytes, uint8_t size, bool packets)
{
    static const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                            .minor = 4,
                                            .data_address = true,
                                            .data_value = true,
                                            .context_id_bytes = 4};
    struct cell *c = &cell;

    cell_begin(c, &trace);
    c->config.fifo_size = size;
    c->output.drain_bits = 20;
    c->output.drain_cycles = 1;
    if (!packets)
        c->output.packets = NULL;
    cell_make(c);
    program_all(c);
    for (unsigned i = 0; i < N; i++) {
        const struct etm_event events[] = {
            context(i, 0), after(1, arm(0x8000 + 4 * i, 0xe5910000)),
            load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu)};

        run(c, events + (i % 3 != 0), i % 3 != 0 ? 2 : 3);
    }
    finish(c);
    memcpy(bytes, c->bytes, c->n_bytes);
    cell_end(c);
    return c->n_bytes;
}

/* P-headers go a short way where nobody asks for packets; not into a FIFO that
 * has overflowed. */
static void the_bytes_are_the_same_without_packets(void **state)
{
    static uint8_t with[65536], without[65536];

    (void)state;
    for (uint8_t size = 20; size < 80; size++) {
        size_t n = changing(with, size, true);

        assert_int_equal(changing(without, size, false), n);
        assert_memory_equal(with, without, n);
    }
}

/* MC-FIFO-12, MC-FIFO-23 */
static void a_large_fifo_loses_nothing(void **state)
{
    struct etm_event events[2 * N];
    size_t n = busy(events, N);
    struct cell *c = make(&v34, 8, 60);
    const char *text;

    (void)state;
    program_end(c, cell_control(&v34));
    cell_end(c);
    cell_begin(c, &v34);
    c->output.fifo_size = UINT64_MAX;
    c->output.drain_bits = 8;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    run(c, events, n);
    finish(c);
    text = decode_text(c, events, 20);
    assert_int_equal(count_words(text, "on:"), 1);
    assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA), N);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
    cell_end(c);
}

/* A value comes only if its placeholder did, and did not overflow (7.4.3).
 * V3-OOO-06, V3-OOO-07 */
static void a_value_needs_its_placeholder(void **state)
{
    static const struct etm_event value = {.kind = ETM_EVENT_DATA_VALUE,
                                           .u.data_value.tag = 1};
    struct cell *c = make(&v34, 8, 60);
    bool waits[4] = {false};

    (void)state;
    program_end(c, cell_control(&v34));
    for (unsigned i = 0; i < 40 * N; i++) {
        struct etm_event events[] = {value,
                                     after(1, arm(0x8000 + 4 * i, 0xe5910000)),
                                     load(0x20000000 ^ i * 0x9e3779b1u,
                                          i * 0x85ebca6bu >> i / 200 % 32)};

        if (i % 200 >= 12) { /* the FIFO has time to drain */
            events[1].u.insn.opcode = 0xe1a00000;
            run(c, events + (i % 200 != 190), i % 200 == 190 ? 2 : 1);
            continue;
        }
        events[2].u.data.tag = i % 200 == i / 200 % 12;
        run(c, events + 1, 2);
    }
    finish(c);
    assert_true(count_packets(c, ETM_PACKET_OUT_OF_ORDER_DATA) > 3);
    for (size_t i = 0; i < c->n_packets; i++) {
        const struct etm_packet *p = &c->packets[i];

        if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA)
            assert_true(waits[p->tag]);
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA ||
            p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
            waits[p->tag] = p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
    }
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_the_same_without_packets),
        cmocka_unit_test(a_large_fifo_loses_nothing),
        cmocka_unit_test(a_value_needs_its_placeholder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
