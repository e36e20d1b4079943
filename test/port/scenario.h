/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of frames, samples and pins (test/README.md). */
#ifndef TEST_PORT_SCENARIO_H
#define TEST_PORT_SCENARIO_H

#include "../support/case_words.h"
#include "../support/xorshift.h"

#include "port/frame.h"
#include "port/pins.h"

#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT32_MAX

/* A byte of a capture. */
struct item {
    uint32_t place; /* in the capture before it was damaged, or NO_PLACE */
    uint8_t byte;
    uint8_t at; /* in its frame; 16: in none, as synchronization */
};

#define MOST_BYTES (1u << 19)
#define MOST_SOURCES 8u
#define MOST_SENT 4096u

struct capture {
    enum etm_frame_layout layout;
    struct item items[MOST_BYTES];
    size_t n;
    unsigned begin;            /* as the deframer is told it; 0: it is not */
    uint8_t whole[MOST_BYTES]; /* before it was damaged */
    size_t n_whole;
    uint8_t ids[MOST_SOURCES]; /* that it was made of */
    unsigned n_ids;
    uint8_t sent[MOST_SOURCES][MOST_SENT]; /* the first bytes of each */
    size_t n_sent[MOST_SOURCES];
    uint64_t wrong; /* if n_wrong is 1: this byte is not as it was sent */
    unsigned n_wrong;
    uint64_t random;
};

extern struct capture capture;

/* scenario_made.c: captures, and damage to them. */
bool made_stopped(void); /* the capture is missing */
void made_begin(void);
extern const struct verb made_verbs[];

/* The bytes of the capture from `from` on, until the next call. */
const uint8_t *capture_bytes(size_t *n);

/* bytes BYTES: the capture has these. */
bool expect_bytes(struct words *w);

/* A place: `1500`, `1/4`, `1/4+5`. */
bool place_in_capture(const char *text, size_t *place);

/* scenario_frames.c: what is found in a capture; `expect ID WORDS`. */
bool frame_source(struct words *w);
extern const struct verb frame_expected[];

/* scenario_found.c: where frames begin, and kinds of bytes. */
extern const struct verb found_expected[];

/* What is done with memory that ends. */
int frame_all(const struct etm_allocator *allocator);
int unpack_all(const struct etm_allocator *allocator);
int pack_all(const struct etm_allocator *allocator);

/* scenario_pins.c: samples, edges and pulses. */
void pins_begin(void);
extern const struct verb pin_verbs[], pin_expected[];

#endif
