/* SPDX-License-Identifier: Apache-2.0 */
/* A short trace of ETMv1 as cycles of its port, in every form of file. */
#ifndef TEST_SESSION_PORT_EXAMPLE_H
#define TEST_SESSION_PORT_EXAMPLE_H

#include "session_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* PIPESTAT of ETMv1, table 5-1 */
enum { IE, ID, IN, WT, BE, BD, TR, TD };

/*
 * Example 5-1 of the specification (EX-01): a port of 8 pins, cycle-accurate,
 * data values. Before it tracing begins at 0x1000, after it are the cycles
 * that the example leaves out: the address packet offset of the branch.
 */
#define N 38
extern const struct etm_port_sample example[N];

/* MOV r2, #0x20000; LDRB, LDRH, LDR r0, [r2]; NOP; B 0x1000 */
extern const uint8_t code[24];

/* Its ETMCR, and its ETMCCR. */
extern const struct etm_register etmcr[2];

/* What a raw file of the example is opened with. */
struct etm_session_options options_of(const char *const *image);

/* Writes its code, and says where it is. */
const char *image_of(void);

/* Room for the lines of the example, and for others between them. */
#define TEXT_MAX (N * 40)

/* The line of a sample after the `n` characters that are there. */
size_t add_line(char text[TEXT_MAX], size_t n,
                const struct etm_port_sample *sample);

/* The example as text, records, words of OpenOCD and of an ETB, and as a value
 * change dump. */
void write_samples(const char *name);
void write_records(const char *name);
void write_openocd(const char *name);
void write_etb(const char *name);
void write_vcd(const char *name);
void write_port_vcd(const char *name, enum etm_port_mode mode, bool half_rate);

struct etm_session *open_port(const char *name,
                              const struct etm_session_options *options);

/* The example as it was: instructions, data, cycles, and each at its cycle. */
void expect_example(const struct seen *s);

#endif
