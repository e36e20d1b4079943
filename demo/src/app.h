/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sensor node. A timer interrupt samples a sensor into a ring buffer; one
 * task cleans the samples, another packs them into telegrams with a checksum.
 * The same program runs on a Cortex-M3, where a scheduler switches between
 * the tasks, and on a Cortex-A9, where a loop calls them in turn.
 */
#ifndef APP_H
#define APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of samples: one writer, one reader, no lock. */
#define RING_SIZE 16u /* a power of two */

struct ring {
    volatile uint32_t head; /* written by the interrupt */
    volatile uint32_t tail; /* written by the task */
    int16_t samples[RING_SIZE];
};

bool ring_put(struct ring *ring, int16_t sample);
bool ring_get(struct ring *ring, int16_t *sample);

/* What the sensor shows at its n-th sampling: a ramp with noise and spikes. */
int16_t sensor_read(uint32_t n);

/* Sort by an order that the caller gives. */
typedef int compare_fn(int16_t a, int16_t b);

void quick_sort(int16_t *first, int16_t *last, compare_fn *compare);
int16_t median(const int16_t *samples, size_t n);

/* The checksum of Ethernet and ZIP. */
uint32_t crc32(const uint8_t *bytes, size_t n);

/* Stages of the clean-up. */
#define WINDOW 5u

struct history {
    int16_t samples[WINDOW];
    uint32_t n;
    int32_t smooth; /* in 1/16 */
};

int16_t clean(struct history *history, int16_t sample);

/* A formula as bytes for a stack machine, as a customer would upload it. */
enum op { OP_PUSH, OP_INPUT, OP_ADD, OP_SUB, OP_MUL, OP_SHIFT, OP_MAX, OP_END };

int32_t formula_run(const int8_t *code, int32_t input);

/* One cleaned sample goes in, now and then a telegram is sent. */
#define TELEGRAM_SAMPLES 4u

struct telegram {
    uint32_t number;
    uint32_t n;
    int32_t values[TELEGRAM_SAMPLES];
    uint32_t crc;
};

void telegram_add(struct telegram *telegram, int16_t sample);

/* What the board gives. */
void telegram_send(const struct telegram *telegram);

/* The tasks do one step of their work and say whether there was any. */
extern struct ring raw_samples, clean_samples;

void sample_interrupt(void);
bool clean_step(void);
bool report_step(void);

/* How many telegrams the demonstration is long. */
#define TELEGRAMS 3u

extern volatile uint32_t telegrams_sent;

/* The recording ends when this is called. */
void finish(void);

#endif
