/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A setup under construction: what a request needs from the macrocell is
 * collected, then allocated to its resources, then written as registers.
 */
#ifndef ETM_SETUP_PLAN_H
#define ETM_SETUP_PLAN_H

#include "model/resources.h"
#include "setup/setup.h"

#define ETM_PLAN_WANTS 64u

/* How a comparator is used: this determines the exact match bit (2.7.4). */
enum etm_plan_use {
    ETM_PLAN_REGION, /* selects what is traced */
    ETM_PLAN_EVENT   /* makes something happen */
};

/* A comparator, or a pair of them for a range. A comparator of the DWT is never
 * a pair: `low` is DWT_COMP, `high` DWT_MASK, and `type` DWT_FUNCTION. */
struct etm_plan_want {
    bool range;
    bool value;
    uint32_t low, high;       /* ETMACVR */
    uint32_t type, high_type; /* ETMACTR */
    uint32_t dcvr, dcmr;
    enum etm_plan_use use; /* DWT with ETMEIBCR: each comparator has one */
    uint8_t slot;          /* comparator from 0, the first of a pair */
};

/* An operand of an event: a resource number or, for comparators that are not
 * allocated yet, ETM_OPERAND_WANT plus their index. */
#define ETM_OPERAND_WANT 0x80u

enum etm_plan_op {
    ETM_PLAN_NEVER = 0,
    ETM_PLAN_ONE, /* a */
    ETM_PLAN_AND,
    ETM_PLAN_OR
};

struct etm_plan_event {
    enum etm_plan_op op;
    uint16_t a, b;
    bool not_a, not_b;
};

struct etm_plan {
    struct etm_regfile file;
    struct etm_resources_config resources;
    unsigned version;
    const struct etm_request *request;
    struct etm_setup *setup;
    struct etm_notes *notes; /* or NULL */
    struct etm_diag *diag;

    struct etm_plan_want wants[ETM_PLAN_WANTS];
    size_t n_wants;
    uint32_t context_ids[3];
    unsigned n_context_ids;
    bool has_vmid;
    uint8_t vmid;         /* what the VMID comparator compares with */
    uint8_t selectors[4]; /* extended external inputs */
    unsigned n_selectors;
    uint8_t latches, pulses; /* EmbeddedICE inputs, by what events need (7.6) */
    uint8_t ices;            /* those that are used; until those of a DWT have
                                their places, those that the request names */
    struct {
        bool used;
        bool periodic; /* runs all the time and reloads itself */
        uint32_t reload;
        struct etm_plan_event enable;
    } counters[4];

    bool chained;
    struct etm_plan_event steps[3]; /* 1>2, 2>3, 1>3 */
    struct etm_plan_event chain;    /* complete */
    bool whole; /* a range over all memory, because nothing else can hold it */
    bool event_conditions; /* do without it */
    bool halves;           /* the DWT holds a range in two blocks */
    bool no_halves;        /* do without that */
};

/* plan.c */
int etm_plan_refuse(struct etm_plan *p, int code, const char *what);
/* "A macrocell of this kind has no WHAT" */
int etm_plan_lacks(struct etm_plan *p, const char *what);
/* "N of WHAT are needed, there are M" */
int etm_plan_short(struct etm_plan *p, const char *what, unsigned needed,
                   unsigned there);
void etm_plan_note(struct etm_plan *p, const char *text);
/* Bytes of a transfer that are compared: they must fit the address. */
int etm_plan_data_size(struct etm_plan *p,
                       const struct etm_request_match *match, uint32_t *size);

/* plan_match.c */
int etm_plan_match(struct etm_plan *p, const struct etm_request_match *match,
                   enum etm_plan_use use, size_t *want);
/* Refuse what no macrocell can compare. */
int etm_plan_check(struct etm_plan *p, const struct etm_request_match *match);
int etm_plan_context_id(struct etm_plan *p, uint32_t id, unsigned *index);
int etm_plan_place(struct etm_plan *p);
void etm_plan_write_comparators(struct etm_plan *p);

/* plan_dwt.c: comparators of the DWT in place of address comparators. */
bool etm_plan_by_dwt(const struct etm_plan *p);
int etm_plan_dwt_compile(struct etm_plan *p,
                         const struct etm_request_match *match,
                         enum etm_plan_use use, struct etm_plan_want *want);
int etm_plan_dwt_place(struct etm_plan *p);
void etm_plan_dwt_write(struct etm_plan *p);

/*
 * Blocks that comparators of the DWT can hold, at most `most` of 2: such that
 * together they have all that these instructions are, or nothing else. Returns
 * how many, or a negative status.
 */
int etm_plan_dwt_cover(struct etm_plan *p,
                       const struct etm_request_match *parts, size_t n,
                       unsigned most, struct etm_request_match blocks[2]);
int etm_plan_dwt_fill(struct etm_plan *p, const struct etm_request_match *parts,
                      size_t n, unsigned most,
                      struct etm_request_match blocks[2]);

/* plan_event.c */
int etm_plan_condition(struct etm_plan *p,
                       const struct etm_request_condition *condition,
                       enum etm_plan_use use, struct etm_plan_event *event);
/* EmbeddedICE comparator `number`, from 1: its resource, and how it behaves. */
int etm_plan_ice(struct etm_plan *p, uint32_t number, enum etm_plan_use use,
                 uint16_t *resource);
uint32_t etm_plan_event(const struct etm_plan *p,
                        const struct etm_plan_event *event);
void etm_plan_write_resources(struct etm_plan *p);

/* plan_filter.c: what TraceEnable and ViewData select. */
struct etm_plan_filter {
    uint64_t include, exclude; /* wants, by bit */
    struct etm_plan_event event;
};

struct etm_plan_trace {
    struct etm_plan_filter filter;
    uint64_t start, stop;
    uint8_t start_ice, stop_ice;
};

int etm_plan_trace(struct etm_plan *p, struct etm_plan_trace *trace);
int etm_plan_view(struct etm_plan *p, struct etm_plan_filter *view);
void etm_plan_write_trace(struct etm_plan *p,
                          const struct etm_plan_trace *trace);
void etm_plan_write_view(struct etm_plan *p,
                         const struct etm_plan_filter *view);

static inline void etm_plan_set(struct etm_plan *p, uint32_t number,
                                uint32_t value)
{
    (void)etm_setup_set(p->setup, number, value);
}

static inline bool etm_plan_has(const struct etm_plan *p, uint32_t number)
{
    return (p->file.flags[number] & ETM_REG_EXISTS) != 0;
}

#endif
