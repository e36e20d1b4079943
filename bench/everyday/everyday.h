/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for bench/record.sh that is like the firmware of a small device.
 * It writes a log, counts the words of it, reads its numbers, packs it, turns
 * motors, works formulas out and listens to a serial port, again and again
 * until nobody runs it any more. A good part of what runs is the C library and
 * the arithmetic of the compiler, and most of it has run before.
 *
 * It runs on bare metal with newlib, and prints nothing but that something went
 * wrong. `etm record --interrupt irq/N` brings the bytes of the serial port.
 */
#ifndef EVERYDAY_H
#define EVERYDAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The end, if it is not good. */
void check(bool good, const char *what);

uint32_t random_below(uint32_t n);

/* Ticks of the clock. */
uint32_t now(void);

/* What the sensor at the serial port said last, number `i` of VALUES. */
#define VALUES 8u
double sensor_value(unsigned i);

/* text.c: a log, and what can be done with it. */
void write_log(void);
void count_words(void);
void read_numbers(void);
void pack_log(void);

/* motors.c: some hundred events. */
void run_motors(void);

/* formulas.c: one formula with several values. */
void work_formula_out(void);

#endif
