/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario: code, packets, and the elements that come of each. README.md
 * describes the format; test/support/cases.h reads the files.
 */
#ifndef TEST_FLOW_SCENARIO_H
#define TEST_FLOW_SCENARIO_H

#include "support/cases.h"
#include "support/scenario.h"

#define PIECES 64u
#define ITEMS 2048u
#define SECTIONS 16u

/* Bytes of the stream, and the gap that comes after them. */
struct piece {
    size_t end;    /* in scenario.stream */
    uint64_t lost; /* bytes lost after it; the last piece: nothing */
};

/* A line of the trace. */
struct item {
    size_t offset, end;   /* in scenario.stream */
    const char *packet;   /* as it is written */
    const char *expected; /* elements, one blank between words */
};

/* A region of code. */
struct section {
    bool common; /* given before the first case */
    uint32_t address;
    enum etm_isa isa;
    struct etm_space space;
    uint8_t *bytes;
    size_t n;
};

/* ETMv2: what waits for the pins, and what they say of it (6.3). */
struct scenario_fifo {
    uint8_t bytes[256];
    size_t n;
    bool due;
    uint8_t pins;
};

struct scenario {
    struct etm_config config;
    bool configured, only_ranges;
    struct section sections[SECTIONS];
    size_t n_sections;
    struct etm_image *image;

    char *text; /* of the trace, in which the items point */
    uint8_t stream[65536];
    struct piece pieces[PIECES];
    size_t n_pieces;
    struct item items[ITEMS];
    size_t n_items;
    struct etm_broadcast said; /* by the packets so far */
    struct scenario_fifo fifo;

    const struct line *trace;  /* NULL: there is none */
    const struct line *ranges; /* those that instructions do not say */
};

/* Elements, as they came. */
struct elements {
    struct etm_element *e;
    size_t n, capacity;
};

/* What a line says goes into *s. False: it is wrong. */
bool scenario_line(struct scenario *s, const struct line *line);

/* The cycles of a line of ETMv1 or ETMv2 go into the stream; *n bytes. */
bool scenario_records(struct scenario *s, const struct etm_scenario_line *line,
                      size_t at, size_t *n);

/* After the last line: there is an image. */
bool scenario_image(struct scenario *s);
void scenario_clear(struct scenario *s);

/* The text of what came of the item `i`, and which elements these were: from
 * `from` on to the one that is returned. */
struct scenario_place {
    size_t item, element;
    enum etm_isa isa; /* said last */
};

void scenario_text(const struct scenario *s, const struct elements *all,
                   struct scenario_place *place, struct scenario_text *out);

/* Ranges as the instructions say them. */
void scenario_ranges(const struct scenario *s, const struct elements *insns,
                     struct elements *ranges);
void scenario_add(struct elements *all, const struct etm_element *e);

/* All of them, a line each, with their offsets. */
void scenario_list(const struct elements *all, struct scenario_text *out);

#endif
