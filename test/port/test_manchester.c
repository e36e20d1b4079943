/* SPDX-License-Identifier: Apache-2.0 */
/* A pin in Manchester code, as SWO sends it (CoreSight Components
 * TRM, 11.11.2;
 * doc/errata.md, E-625). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "port/manchester.h"

struct pin {
    struct etm_vec changes;
    double time;
    unsigned level;
};

struct read {
    struct etm_vec bytes, wrong;
};

static void drive(struct pin *pin, unsigned level, double length)
{
    struct etm_pin_change change = {(uint64_t)pin->time, (uint8_t)level};

    if (level != pin->level)
        assert_int_equal(etm_vec_append(&pin->changes, &change, 1), ETM_OK);
    pin->level = level;
    pin->time += length;
}

static void begin(struct pin *pin)
{
    *pin = (struct pin){.level = 2};
    etm_vec_init(&pin->changes, sizeof(struct etm_pin_change), NULL);
}

static void send_bit(struct pin *pin, unsigned bit, double half)
{
    drive(pin, bit, half);
    drive(pin, !bit, half);
}

/* Bytes between a start and a stop bit. */
static void send(struct pin *pin, const uint8_t *bytes, size_t n, double half)
{
    send_bit(pin, 1, half);
    for (size_t i = 0; i < 8 * n; i++)
        send_bit(pin, bytes[i / 8] >> i % 8 & 1, half);
    drive(pin, 0, 2 * half);
}

static void read_pin(const struct pin *pin, uint64_t half, struct read *r)
{
    etm_vec_init(&r->bytes, 1, NULL);
    etm_vec_init(&r->wrong, sizeof(uint64_t), NULL);
    assert_int_equal(etm_manchester_bytes(pin->changes.data, pin->changes.n,
                                          half, &r->bytes, &r->wrong),
                     ETM_OK);
}

static void fini(struct pin *pin, struct read *r)
{
    etm_vec_fini(&pin->changes);
    etm_vec_fini(&r->bytes);
    etm_vec_fini(&r->wrong);
}

/* Of each number of bytes, with and without a pause, at a rate that is no whole
 * number of units of time. E-625 */
static void bytes_are_read_with_the_period_of_the_pulses(void **state)
{
    static const double half = 7.3;
    uint8_t sent[8 * 200];
    struct pin pin;
    struct read r;
    uint64_t period;
    size_t n = 0;

    (void)state;
    begin(&pin);
    drive(&pin, 0, 100);
    for (unsigned i = 0; n + 8 <= sizeof sent; i++) {
        size_t some = 1 + i % 8;

        for (size_t k = 0; k < some; k++)
            sent[n + k] = (uint8_t)((n + k) * 37);
        send(&pin, sent + n, some, half);
        n += some;
        if (i % 3 == 0)
            drive(&pin, 0, i * 11.0);
    }
    drive(&pin, 1, 1);
    period = etm_uart_period(pin.changes.data, pin.changes.n);
    assert_in_range(period, (uint64_t)(half * 254), (uint64_t)(half * 258));
    assert_true(etm_manchester_fits(pin.changes.data, pin.changes.n, period));
    read_pin(&pin, period, &r);
    assert_int_equal(r.wrong.n, 0);
    assert_int_equal(r.bytes.n, n);
    assert_memory_equal(r.bytes.data, sent, n);
    fini(&pin, &r);
}

static void bits_that_are_no_byte_are_wrong_in_their_place(void **state)
{
    static const uint8_t sent[] = {0x41, 0x42};
    struct pin pin;
    struct read r;

    (void)state;
    begin(&pin);
    drive(&pin, 0, 100);
    send(&pin, sent, 2, 10);
    send_bit(&pin, 1, 10);
    for (unsigned i = 0; i < 5; i++)
        send_bit(&pin, i & 1, 10);
    drive(&pin, 0, 100);
    send(&pin, sent, 1, 10);
    send_bit(&pin, 1, 10);
    for (unsigned i = 0; i < 8; i++)
        send_bit(&pin, 1, 10);
    drive(&pin, 1, 40); /* neither 0 nor 1 */
    drive(&pin, 0, 100);
    send(&pin, sent, 2, 10);
    read_pin(&pin, 10 << ETM_UART_FRACTION, &r);
    assert_int_equal(r.bytes.n, 7);
    assert_int_equal(r.wrong.n, 2);
    assert_int_equal(((uint64_t *)r.wrong.data)[0], 2);
    assert_int_equal(((uint64_t *)r.wrong.data)[1], 4);
    assert_memory_equal(r.bytes.data, sent, 2);
    assert_int_equal(((uint8_t *)r.bytes.data)[3], 0x41);
    assert_memory_equal((uint8_t *)r.bytes.data + 5, sent, 2);
    fini(&pin, &r);
}

static void capture_may_begin_within_bytes(void **state)
{
    static const uint8_t sent[] = {0xa5, 0x5a, 0x00, 0xff};
    struct pin pin;
    struct read r;

    (void)state;
    begin(&pin);
    for (unsigned i = 0; i < 11; i++)
        send_bit(&pin, i % 3 == 0, 10);
    drive(&pin, 0, 20);
    drive(&pin, 0, 200);
    send(&pin, sent, 4, 10);
    send(&pin, sent, 4, 10);
    read_pin(&pin, 10 << ETM_UART_FRACTION, &r);
    assert_int_equal(r.wrong.n, 0);
    assert_int_equal(r.bytes.n, 8);
    assert_memory_equal(r.bytes.data, sent, 4);
    fini(&pin, &r);
}

static void uart_code_does_not_fit(void **state)
{
    struct pin pin;

    (void)state;
    begin(&pin);
    drive(&pin, 1, 200);
    for (unsigned i = 0; i < 200; i++) {
        drive(&pin, 0, 10);
        for (unsigned k = 0; k < 8; k++)
            drive(&pin, i >> k & 1, 10);
        drive(&pin, 1, 10);
    }
    assert_false(etm_manchester_fits(pin.changes.data, pin.changes.n,
                                     10 << ETM_UART_FRACTION));
    etm_vec_fini(&pin.changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_read_with_the_period_of_the_pulses),
        cmocka_unit_test(bits_that_are_no_byte_are_wrong_in_their_place),
        cmocka_unit_test(capture_may_begin_within_bytes),
        cmocka_unit_test(uart_code_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
