/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of the macrocell (test/README.md): what their files share. */
#ifndef TEST_MODEL_SCENARIO_H
#define TEST_MODEL_SCENARIO_H

#include "../support/case_words.h"
#include "../support/scarce.h"

#include "base/lists.h"
#include "model/macrocell.h"
#include "model/resources.h"

#define EVENTS_LINE 4096u
#define UNIT_EVENTS 8192u
#define UNIT_SAVED 200u

struct etm_event_list {
    size_t n;
    struct etm_event event[EVENTS_LINE];
};

/* The events of a line; NULL, or the word that is wrong. */
const char *scenario_events(const struct words *words,
                            struct etm_event_list *list);

enum unit_kind {
    UNIT_NONE,
    UNIT_MACROCELL,
    UNIT_REGISTERS,
    UNIT_GENERATOR,
    UNIT_RESOURCES
};

/* Resources without a macrocell around them. */
struct resources_unit {
    uint32_t value[ETM_REGISTERS];
    struct etm_resources_config config;
    struct etm_resources r;
    struct etm_resource_pins pins;
    struct etm_resource_context context;
    struct etm_resource_outputs out;
    struct etm_resource_owner owner, older; /* the last instructions */
    bool follows;                           /* the owner has moved data */
    struct etm_resource_transfer waiting;
    bool cprt;
    uint16_t counter[4]; /* before the last cycle */
    uint8_t state;
};

/* What a case is about, and what came out of it. */
struct unit {
    enum unit_kind kind;
    struct faulty memory;
    bool at_once;    /* events are held back until something else is done */
    bool no_packets; /* nobody asks for packets: bytes go another way */
    struct etm_macrocell *m;
    struct etm_generator *g;
    struct etm_config trace;
    struct etm_macrocell_config config;
    struct etm_macrocell_output output;
    struct etm_generator_config generator;
    bool blank;           /* nothing is programmed at first */
    bool unconnected;     /* no output yet */
    enum etm_access side; /* who makes accesses */
    int status;           /* the first that was not OK */
    struct etm_diag diag;
    size_t n_held, n_packets, n_code;
    struct etm_event held[UNIT_EVENTS];
    struct etm_event code[UNIT_EVENTS]; /* instructions */
    bool code_changed;                  /* one image cannot have all of them */
    struct scenario_text bytes, signals, outputs;
    struct scenario_text told; /* what a decoder says */
    uint64_t told_cycles;      /* of the instructions in it */
    uint64_t told_time;        /* from the first of them to the last */
    bool told_begun;
    uint8_t output_now;
    bool overflow_now;
    unsigned overflows;                /* times that the signal rose */
    struct etm_macrocell_signals ever; /* HIGH at any time */
    uint32_t n_saved, saved[UNIT_SAVED];
    struct etm_packet *packets;
    struct resources_unit resources;
};

/* NULL, or the word that is wrong. */
const char *unit_begin(struct unit *u, const struct words *words);
void unit_end(struct unit *u);

/* Events; what was held back; the end. */
void unit_push(struct unit *u, const struct etm_event_list *list);
void unit_flush(struct unit *u);
void unit_finish(struct unit *u);

/* 3.4.3: the first step of programming; the last one, with bits of ETMCR. */
void unit_program(struct unit *u);
void unit_run(struct unit *u, uint32_t control);

/* All is traced, all other events are off, all regions empty. */
void unit_clear(struct unit *u);

/* Instructions that are in memory, whether or not they are executed. */
void unit_code(struct unit *u, const struct etm_event_list *list);

void unit_connect(struct unit *u);

/* All registers are saved (3.8.2), and restored. */
void unit_save(struct unit *u);
void unit_restore(struct unit *u);

/* ETMCR of the configuration, 1:1. */
uint32_t unit_control(const struct unit *u);

/* scenario_resources.c; resources_line() gives the word that is wrong. */
void resources_begin(struct unit *u);
const char *resources_line(struct unit *u, struct words *words,
                           struct etm_event_list *list);
void resources_cycle(struct unit *u, bool outstanding,
                     struct scenario_text *out);

#define RESOURCE_NUMBERS 0x80u

/* The resources that there are, or that are active; what is said of all of
 * them goes to `out`. */
void resources_there(const struct unit *u, bool active,
                     bool there[RESOURCE_NUMBERS], struct scenario_text *out);

/* What came out, as `what` in an expectation calls it; false: no such thing.
 * `argument`: which packets. */
bool unit_text(struct unit *u, const char *what, const char *argument,
               struct scenario_text *out);

/* "3+trace+trigger": external outputs, and what else is HIGH. */
void signals_text(struct scenario_text *t,
                  const struct etm_macrocell_signals *s);

/* How many words of what a decoder said begin with `key`, of `n` characters;
 * instructions are addresses, "insn" all of them. */
unsigned told_times(const struct unit *u, const char *key, size_t n);

/* A sum of the trace and the signals. */
uint64_t unit_sum(const struct unit *u);

/* What the case in hand is about. */
extern struct unit unit;

/* Does what a line says. False: there is nothing like this. */
bool scenario_line(const struct line *line);

#endif
