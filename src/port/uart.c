/* SPDX-License-Identifier: Apache-2.0 */
#include "port/uart.h"

#define ONE (UINT64_C(1) << ETM_UART_FRACTION)

/* Pulses that are looked at for the length of a bit, and the bits of the
 * longest one within a byte and its stop bit. */
#define PULSES 65536u
#define BITS_MOST 10u

/* A pulse that is shorter than all but one of so many is a glitch. */
#define RARE 64u

/* Different lengths of glitches, at most. */
#define GLITCHES 64u

/* Bits of a byte: start, eight of data, stop. */
#define DATA_BITS 8u
#define BYTE_BITS 10u

static uint64_t pulse(const struct etm_pin_change *changes, size_t i)
{
    return changes[i + 1].time - changes[i].time;
}

/* How many of the pulses are at most as long as this one and a half, and not
 * shorter than it. */
static size_t count_like(const struct etm_pin_change *changes, size_t n,
                         uint64_t length)
{
    size_t count = 0;

    for (size_t i = 0; i + 1 < n; i++)
        count += pulse(changes, i) >= length &&
                 pulse(changes, i) <= length + length / 2;
    return count;
}

/* The shortest pulse longer than `above`; 0: there is none. */
static uint64_t shortest(const struct etm_pin_change *changes, size_t n,
                         uint64_t above)
{
    uint64_t least = 0;

    for (size_t i = 0; i + 1 < n; i++)
        if (pulse(changes, i) > above &&
            (least == 0 || pulse(changes, i) < least))
            least = pulse(changes, i);
    return least;
}

/* The mean length of a bit, if `period` is nearly that: pulses of a few bits
 * are measured to a fraction of the resolution of their times. */
static uint64_t measure(const struct etm_pin_change *changes, size_t n,
                        uint64_t period)
{
    uint64_t sum = 0, bits = 0;

    for (size_t i = 0; i + 1 < n; i++) {
        uint64_t long_ = pulse(changes, i) * ONE;
        uint64_t k = (long_ + period / 2) / period;

        if (pulse(changes, i) > (UINT64_MAX >> 24) || k == 0 || k > BITS_MOST)
            continue;
        sum += long_;
        bits += k;
    }
    return bits != 0 ? (sum + bits / 2) / bits : period;
}

uint64_t etm_uart_period(const struct etm_pin_change *changes, size_t n)
{
    uint64_t length = 0, period;
    unsigned tries = 0;

    n = n < PULSES ? n : PULSES;
    if (n < 3)
        return 0;
    do {
        length = shortest(changes, n, length);
    } while (length != 0 && ++tries < GLITCHES &&
             count_like(changes, n, length) < 1 + (n - 1) / RARE);
    if (length == 0 || length > UINT64_MAX >> 24)
        return 0;
    period = length * ONE;
    /* the first measure may have taken a longer pulse for one bit more */
    period = measure(changes, n, period);
    return measure(changes, n, period);
}

/* The level of the pin at a time, which only grows: *at is the last change
 * before it. */
static unsigned level_at(const struct etm_pin_change *changes, size_t n,
                         size_t *at, uint64_t time)
{
    while (*at + 1 < n && changes[*at + 1].time <= time)
        ++*at;
    return changes[*at].level;
}

int etm_uart_bytes(const struct etm_pin_change *changes, size_t n,
                   uint64_t period, struct etm_vec *bytes,
                   struct etm_vec *wrong)
{
    const uint64_t half = period / 2;

    for (size_t at = 0; at < n;) {
        uint64_t begin = changes[at].time;
        uint8_t byte = 0;
        uint64_t index = bytes->n;
        bool bad;

        /* the edge from 1 to 0 begins a byte; of what is before the first one
         * nothing is known */
        if (changes[at].level != 0 || at == 0 || changes[at - 1].level != 1) {
            at++;
            continue;
        }
        bad =
            level_at(changes, n, &at, begin + (half >> ETM_UART_FRACTION)) != 0;
        for (unsigned i = 0; i < DATA_BITS; i++)
            if (level_at(changes, n, &at,
                         begin + (((i + 1) * period + half) >>
                                  ETM_UART_FRACTION)) == 1)
                byte = (uint8_t)(byte | 1u << i);
        bad |= level_at(changes, n, &at,
                        begin + (((BYTE_BITS - 1) * period + half) >>
                                 ETM_UART_FRACTION)) != 1;
        /* cut off by the end */
        if (bad && at + 1 == n)
            break;
        if (etm_vec_append(bytes, &byte, 1) != ETM_OK ||
            (bad && etm_vec_append(wrong, &index, 1) != ETM_OK))
            return ETM_ERR_MEMORY;
        at++;
    }
    return ETM_OK;
}
