/* SPDX-License-Identifier: Apache-2.0 */
/* Between expect.c and expect_data.c. */
#ifndef TEST_SUPPORT_EXPECT_INTERNAL_H
#define TEST_SUPPORT_EXPECT_INTERNAL_H

#include "expect.h"
#include "moves.h"

/* Whose transfers the data events are. */
struct expect_owner {
    uint32_t id;               /* 0: nobody's */
    const struct moves *moves; /* NULL: stacking */
    bool pop;                  /* of stacking */
    uint32_t insn;             /* address */
    unsigned index;            /* of the next transfer */
    unsigned from;             /* the first that was traced at all */
    unsigned seen;             /* packets */
    unsigned done;             /* transfers before it was paused */
    bool over;                 /* cancelled or paused: no transfer is to come */
    bool gone;    /* it did not happen: what is seen of it does not count */
    bool dropped; /* nothing is seen of it */
    bool marked;  /* a packet says that its data were suppressed */
};

/* Values that come if they come: whether their transfers have placeholders. */
struct expect_awaited {
    uint8_t n;
    bool traced[2];
};

/* A transfer whose value has not come. */
struct expect_waiting {
    bool used;
    bool gone;
    struct record r;
};

/* The state of the expectation. */
struct maker {
    const struct program *program;
    const struct etm_config *config;
    const struct etm_generator_config *options;
    struct records *out;

    bool on, ever_on;
    bool jazelle; /* PFT: in Jazelle state, where nothing is traced */
    uint8_t reason;
    bool halted; /* a packet tells of the Debug entry */
    bool ns, hyp;
    uint32_t next;   /* where execution goes on */
    uint32_t last;   /* address of the last instruction */
    bool has_last;   /* there is one since tracing began */
    bool exit_due;   /* it returned from an exception; its data come first */
    uint8_t waits;   /* for so many of them */
    uint64_t cycles; /* not shown yet */
    bool cycles_unknown;
    uint32_t context_id, shown_context_id;
    uint8_t vmid, shown_vmid;

    /* Data. */
    struct expect_owner owner;
    struct expect_owner before;   /* of the instruction before a push */
    struct expect_owner traced;   /* while tracing was on */
    const struct slot *data_slot; /* the last data instruction that passed */
    bool data_ns, data_hyp;
    bool last_owns; /* data are of the last instruction */
    uint32_t ids;
    uint8_t resume; /* of the next instruction */
    struct expect_waiting waiting[4][2];
    struct expect_awaited awaited[4]; /* by tag */
    bool suppress, suppressing, whole;
    bool be;                        /* of the last address */
    bool previous_known, addressed; /* data-only: one follows the other */
    uint32_t previous;

    /* PFT: instructions since the last waypoint. */
    size_t n_walk;
    struct record walk[RECORDS];
};

/* Data side events may stand between an instruction and what ends it. */
bool expect_is_data(const struct etm_event *e);

/* An instruction, after its record, and whether tracing is on. */
void expect_data_insn(struct maker *m, const struct walk *walk, size_t i,
                      const struct slot *s);

/* A data side event. */
void expect_data(struct maker *m, const struct walk *walk, size_t i);

/* The last instruction was cancelled although its record stood already. */
void expect_data_cancel(struct maker *m);

/* It returned from an exception: M profile pops registers then. */
void expect_data_exit(struct maker *m);

/* It was paused: what it has moved so far stands. */
void expect_data_pause(struct maker *m);

/* Tracing begins. */
void expect_data_start(struct maker *m, bool in_progress);

/* The end: what still waits is given without a value. */
void expect_data_end(struct maker *m);

/* Shared. */
struct record *expect_add(struct maker *m, enum etm_element_kind kind);
/* Cycles from the last instruction or gap to what comes now, if they are
 * traced. */
uint64_t expect_since(const struct maker *m);
bool expect_is_split(const struct maker *m, const struct slot *s);

#endif
