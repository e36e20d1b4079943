/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

struct ring raw_samples, clean_samples;
volatile uint32_t telegrams_sent;

int16_t sensor_read(uint32_t n)
{
    uint32_t noise = (n * 1103515245u + 12345u) >> 28;
    int16_t value = (int16_t)(100 + 8 * n + noise);

    return n % 7 == 3 ? (int16_t)(value + 900) : value;
}

/* Called by the interrupt of the timer. */
void sample_interrupt(void)
{
    static uint32_t n;

    ring_put(&raw_samples, sensor_read(n++));
}

bool clean_step(void)
{
    static struct history history;
    int16_t sample;

    if (!ring_get(&raw_samples, &sample))
        return false;
    return ring_put(&clean_samples, clean(&history, sample));
}

bool report_step(void)
{
    static struct telegram telegram;
    int16_t sample;

    if (!ring_get(&clean_samples, &sample))
        return false;
    telegram_add(&telegram, sample);
    return true;
}

/* Degrees from what the converter gives: max(0, (x - 20) * 9 >> 4). */
static const int8_t formula[] = {OP_PUSH, 0,        OP_INPUT, OP_PUSH, 20,
                                 OP_SUB,  OP_PUSH,  9,        OP_MUL,  OP_PUSH,
                                 4,       OP_SHIFT, OP_MAX,   OP_END};

void telegram_add(struct telegram *telegram, int16_t sample)
{
    telegram->values[telegram->n++] = formula_run(formula, sample);
    if (telegram->n < TELEGRAM_SAMPLES)
        return;
    telegram->crc =
        crc32((const uint8_t *)telegram, offsetof(struct telegram, crc));
    telegram_send(telegram);
    telegram->number++;
    telegram->n = 0;
}
