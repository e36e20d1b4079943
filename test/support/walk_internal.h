/* SPDX-License-Identifier: Apache-2.0 */
/* Between walk.c and walk_data.c. */
#ifndef TEST_SUPPORT_WALK_INTERNAL_H
#define TEST_SUPPORT_WALK_INTERNAL_H

#include "moves.h"
#include "walk.h"

#define WALK_DEPTH 32u
#define WALK_LATE 40u

/* Where an exception has to return to. */
struct walk_return {
    struct etm_place place;
    uint8_t resume; /* transfers done, if it was paused */
    uint32_t base;  /* address of the first of them */
};

struct walker {
    const struct program *program;
    const struct etm_config *config;
    struct random *r;
    struct walk *out;
    unsigned slot;              /* the next instruction */
    struct etm_place place;     /* its state */
    unsigned calls[WALK_DEPTH]; /* slots after calls */
    unsigned n_calls;
    struct walk_return interrupted[WALK_DEPTH];
    unsigned n_interrupted;
    uint64_t time;
    uint32_t context_id;
    uint8_t vmid;
    bool quiet; /* nothing happens between instructions */

    /* The data side. */
    bool data;                        /* is traced */
    uint8_t resume;                   /* of the next instruction */
    uint32_t resume_base;             /* its first address */
    uint32_t address;                 /* where data were moved last */
    uint32_t base;                    /* of the last data instruction */
    bool big_endian;                  /* CPSR.E */
    bool suppressing;                 /* SuppressData */
    struct etm_event late[WALK_LATE]; /* transfers that are yet to come */
    unsigned n_late;
    uint8_t waiting[4]; /* values that are yet to come, by tag */
    struct etm_event values[4][2];
};

/* walk.c */
void walk_emit(struct walker *w, const struct etm_event *e);

/* The transfers of an instruction, `from` some on (it was paused there) and
 * before `to` (it is going to be paused or aborted). */
void walk_data_insn(struct walker *w, const struct slot *s, unsigned from,
                    unsigned to);

/* What is outstanding of the last data instruction comes now. */
void walk_data_settle(struct walker *w);

/* Values that were waited for, and what else may happen at any time. */
void walk_data_between(struct walker *w);

/* Values may be lost: overflow, debug state, reset (7.4.3). */
void walk_data_lose(struct walker *w);

/* M-profile: eight registers, or the first or last `n` of them. */
void walk_stacking(struct walker *w, bool pop, struct etm_place next,
                   unsigned n);

/* Before tracing begins: a data instruction that is still at it. */
bool walk_data_in_progress(struct walker *w, struct etm_event *trace_on);

#endif
