/* SPDX-License-Identifier: Apache-2.0 */
/* Everyday (everyday.h): the serial port, and what there is to do. */
#include "everyday.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check(bool good, const char *what)
{
    if (good)
        return;
    printf("everyday: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Marsaglia's xorshift. */
static uint32_t random_bits(void)
{
    static uint32_t x = 2463534242u;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

uint32_t random_below(uint32_t n)
{
    return (random_bits() >> 8) % n;
}

/* The serial port: a sensor says sentences, each with its sum. */
#define PORT_ROOM 256u /* a power of two */

static struct {
    volatile uint32_t in, out;
    volatile uint8_t bytes[PORT_ROOM];
} port;

static volatile uint32_t ticks;

/* Each interrupt is a tick of the clock and a byte at the port. */
__attribute__((interrupt("IRQ"), target("arm"), used)) static void
on_interrupt(void)
{
    static const char said[] = "$wind,12.5,271*38\n$rain,0.25*21\n"
                               "$temp,-3.75,21.5*26\n$gust,31,noise*00\n";
    static uint32_t at;

    ticks++;
    if (port.in - port.out < PORT_ROOM)
        port.bytes[port.in++ % PORT_ROOM] = (uint8_t)said[at];
    at = said[at + 1] != '\0' ? at + 1 : 0;
}

__attribute__((naked, aligned(32), target("arm"))) static void vectors(void)
{
    __asm__("b .\n\tb .\n\tb .\n\tb .\n\tb .\n\tb .\n\t"
            "b on_interrupt\n\tb .");
}

static void enable_interrupts(void)
{
    uint32_t psr;

    __asm__ volatile("mcr p15, 0, %1, c12, c0, 0\n\t" /* VBAR */
                     "mrs %0, cpsr\n\t"
                     "bic %0, %0, #0x80\n\t"
                     "msr cpsr_c, %0"
                     : "=&r"(psr)
                     : "r"(vectors)
                     : "memory");
}

static struct {
    enum { OUTSIDE, TEXT, SUM_HIGH, SUM_LOW } state;
    char text[64];
    unsigned n, sum, told;
    unsigned good, bad;
    double values[VALUES];
} sentence;

static void take_sentence(void)
{
    char *field = sentence.text;

    sentence.text[sentence.n] = '\0';
    if (sentence.told != sentence.sum) {
        sentence.bad++;
        return;
    }
    sentence.good++;
    for (unsigned i = 0; i < VALUES && (field = strchr(field, ',')) != NULL;
         i++)
        sentence.values[i] = strtod(field + 1, &field);
}

static unsigned hex_digit(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                     : (unsigned)(toupper(c) - 'A' + 10);
}

static void take_byte(char c)
{
    switch (sentence.state) {
    case OUTSIDE:
        if (c == '$') {
            sentence.n = sentence.sum = 0;
            sentence.state = TEXT;
        }
        break;
    case TEXT:
        if (c == '*') {
            sentence.state = SUM_HIGH;
        } else if (c == '\n' || sentence.n + 1 == sizeof sentence.text) {
            sentence.state = OUTSIDE;
            sentence.bad++;
        } else {
            sentence.text[sentence.n++] = c;
            sentence.sum ^= (unsigned char)c;
        }
        break;
    case SUM_HIGH:
        sentence.told = hex_digit(c) << 4;
        sentence.state = SUM_LOW;
        break;
    case SUM_LOW:
        sentence.told |= hex_digit(c);
        take_sentence();
        sentence.state = OUTSIDE;
        break;
    }
}

static void listen(void)
{
    while (port.out != port.in) {
        take_byte((char)port.bytes[port.out % PORT_ROOM]);
        port.out++;
    }
}

uint32_t now(void)
{
    return ticks;
}

double sensor_value(unsigned i)
{
    return sentence.values[i];
}

int main(void)
{
    static void (*const tasks[])(void) = {
        write_log, count_words, read_numbers,     pack_log,
        listen,    run_motors,  work_formula_out, listen};
    const uint32_t n = sizeof tasks / sizeof *tasks;

    enable_interrupts();
    write_log();
    for (;;)
        tasks[random_below(n)]();
}
