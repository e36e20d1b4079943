/* SPDX-License-Identifier: Apache-2.0 */
/* A pin in UART code (port/uart.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "port/uart.h"

#define BYTES 256u

static const double bit = 41.7;

/* Changes of a pin that sends bytes, each time rounded to a unit. */
struct pin {
    struct etm_vec changes;
    double time;
    uint8_t level;
};

static void begin(struct pin *pin)
{
    const struct etm_pin_change idle = {0, 1};

    etm_vec_init(&pin->changes, sizeof idle, NULL);
    assert_int_equal(etm_vec_append(&pin->changes, &idle, 1), ETM_OK);
    pin->time = 1000;
    pin->level = 1;
}

static void drive(struct pin *pin, unsigned level, double length)
{
    const struct etm_pin_change change = {(uint64_t)(pin->time + 0.5),
                                          (uint8_t)level};

    if (level != pin->level)
        assert_int_equal(etm_vec_append(&pin->changes, &change, 1), ETM_OK);
    pin->level = (uint8_t)level;
    pin->time += length;
}

static void send(struct pin *pin, unsigned byte, double length)
{
    drive(pin, 0, length);
    for (unsigned i = 0; i < 8; i++)
        drive(pin, byte >> i & 1, length);
    drive(pin, 1, length);
}

static void read_bytes(const struct pin *pin, uint64_t period,
                       struct etm_vec *bytes, struct etm_vec *wrong)
{
    etm_vec_init(bytes, 1, NULL);
    etm_vec_init(wrong, sizeof(uint64_t), NULL);
    assert_int_equal(
        etm_uart_bytes(pin->changes.data, pin->changes.n, period, bytes, wrong),
        ETM_OK);
}

static void bytes_are_read_with_the_period_of_the_pulses(void **state)
{
    struct pin pin;
    struct etm_vec bytes, wrong;
    uint64_t period;

    (void)state;
    begin(&pin);
    for (unsigned i = 0; i < BYTES; i++)
        send(&pin, i * 37, bit);
    period = etm_uart_period(pin.changes.data, pin.changes.n);
    /* to a thousandth */
    assert_in_range(period, (uint64_t)(bit * 255.7), (uint64_t)(bit * 256.3));
    read_bytes(&pin, period, &bytes, &wrong);
    assert_int_equal(bytes.n, BYTES);
    assert_int_equal(wrong.n, 0);
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(((uint8_t *)bytes.data)[i], (uint8_t)(i * 37));
    etm_vec_fini(&bytes);
    etm_vec_fini(&wrong);
    etm_vec_fini(&pin.changes);
}

static void glitches_do_not_change_the_period(void **state)
{
    struct pin pin;

    (void)state;
    begin(&pin);
    for (unsigned i = 0; i < BYTES; i++) {
        send(&pin, i * 37, bit);
        if (i % 100 == 99) {
            drive(&pin, 0, 3);
            drive(&pin, 1, 2 * bit);
        }
    }
    assert_in_range(etm_uart_period(pin.changes.data, pin.changes.n),
                    (uint64_t)(bit * 254), (uint64_t)(bit * 258));
    etm_vec_fini(&pin.changes);
}

static void a_wrong_stop_bit_is_noted_and_keeps_its_place(void **state)
{
    struct pin pin;
    struct etm_vec bytes, wrong;

    (void)state;
    begin(&pin);
    send(&pin, 0x41, 10);
    drive(&pin, 0, 150); /* a break */
    drive(&pin, 1, 20);
    send(&pin, 0x42, 10);
    read_bytes(&pin, 10 << ETM_UART_FRACTION, &bytes, &wrong);
    assert_int_equal(bytes.n, 3);
    assert_int_equal(wrong.n, 1);
    assert_int_equal(*(uint64_t *)wrong.data, 1);
    assert_int_equal(((uint8_t *)bytes.data)[0], 0x41);
    assert_int_equal(((uint8_t *)bytes.data)[2], 0x42);
    etm_vec_fini(&bytes);
    etm_vec_fini(&wrong);
    etm_vec_fini(&pin.changes);
}

/* What is before the first edge after a level of 1 is no byte, nor is one that
 * the end cuts off. */
static void parts_of_bytes_are_none(void **state)
{
    static const struct etm_pin_change changes[] = {
        {0, 2}, {5, 0}, {25, 1}, {100, 0}, {110, 1}, {300, 0}};
    struct etm_vec bytes, wrong;

    (void)state;
    etm_vec_init(&bytes, 1, NULL);
    etm_vec_init(&wrong, sizeof(uint64_t), NULL);
    assert_int_equal(
        etm_uart_bytes(changes, 6, 10 << ETM_UART_FRACTION, &bytes, &wrong),
        ETM_OK);
    assert_int_equal(bytes.n, 1);
    assert_int_equal(((uint8_t *)bytes.data)[0], 0xff);
    assert_int_equal(wrong.n, 0);
    etm_vec_fini(&bytes);
    etm_vec_fini(&wrong);
}

static void few_pulses_tell_nothing(void **state)
{
    static const struct etm_pin_change changes[] = {{0, 1}, {100, 0}, {110, 1}};

    (void)state;
    assert_int_equal(etm_uart_period(changes, 0), 0);
    assert_int_equal(etm_uart_period(changes, 2), 0);
    assert_int_not_equal(etm_uart_period(changes, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_read_with_the_period_of_the_pulses),
        cmocka_unit_test(glitches_do_not_change_the_period),
        cmocka_unit_test(a_wrong_stop_bit_is_noted_and_keeps_its_place),
        cmocka_unit_test(parts_of_bytes_are_none),
        cmocka_unit_test(few_pulses_tell_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
