/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources of a macrocell once more, in the plainest way: registers are
 * read where they are used, comparators look at every byte, and a cycle is
 * worked out when all of its items are there (ETM architecture, chapter 2).
 */
#ifndef TEST_MODEL_PLAIN_RESOURCES_H
#define TEST_MODEL_PLAIN_RESOURCES_H

#include "model/resources.h"

#define PLAIN_ITEMS 8u

/* What an instruction matched, for its transfers. */
struct plain_owner {
    bool prohibited;
    bool sac[16], arc[8];
};

struct plain_item {
    bool is_insn;
    struct etm_resource_insn insn;
    struct etm_resource_transfer transfer;
    struct plain_owner *owner; /* set by an instruction, read by a transfer */
    int slot; /* of a transfer: its instruction's in this cycle; -1: older */
};

struct plain {
    struct etm_resources_config config;
    const uint32_t *value;
    enum etm_resources_hold held;
    struct etm_resource_pins pins;
    struct etm_resource_context context;

    uint16_t counter[4];
    unsigned state; /* 0 to 2 */
    bool started, triggered, high;
    bool instrumentation[4];
    bool eice_held[8];
    bool arc[8];      /* the range goes on matching */
    bool arc_seen[8]; /* for events, too */
    bool late_trace, late_view, last_view;
    unsigned last_ext_out;

    /* This cycle. */
    bool sac_now[16], arc_now[8], hint_now[4], cidc_now[4];
    bool block_now, block_judged;
    bool any_item, ns_now, closed_now;
    unsigned mmd_now;
};

void plain_program(struct plain *p, const struct etm_resources_config *config,
                   const uint32_t *value);

/* Pins from here on; a sample is an item for the start/stop block. */
void plain_pins(struct plain *p, const struct etm_resource_pins *pins);
void plain_context(struct plain *p, const struct etm_resource_context *context);

/* One item, as it comes: whether it may be traced but for the enabling event
 * and what ViewData says but for its own. */
struct plain_answer {
    bool traced, viewed, always;
};
struct plain_answer plain_take(struct plain *p, struct plain_item *item);

/* The end of the cycle. */
void plain_cycle(struct plain *p, const struct plain_item *items,
                 const struct plain_answer *answers, unsigned n,
                 bool outstanding, struct etm_resource_outputs *out);

/* plain_match.c: does an item match comparator n, from 0, or its range? */
bool plain_insn_matches(const struct plain *p, unsigned n, bool range,
                        const struct etm_resource_insn *insn);
bool plain_data_matches(const struct plain *p, unsigned n, bool range,
                        const struct etm_resource_transfer *t);
/* It compares data. */
bool plain_is_data(const struct plain *p, unsigned n);
/* Range k, from 0, matches for one cycle (tables 2-8 and 2-9). */
bool plain_fires(const struct plain *p, unsigned k);
/* The context ID matches comparator n, from 0 (3.5.15). */
bool plain_cidc(const struct plain *p, unsigned n);
bool plain_vmidc(const struct plain *p);
bool plain_non_secure(const struct plain *p);

static inline unsigned plain_bits(uint32_t value, unsigned high, unsigned low)
{
    return value >> low & ((2u << (high - low)) - 1);
}

static inline unsigned plain_bit(uint32_t value, unsigned n)
{
    return value >> n & 1;
}

static inline uint32_t plain_reg(const struct plain *p, unsigned number)
{
    return p->value[number];
}

static inline unsigned plain_version(const struct plain *p)
{
    return p->config.version;
}

static inline bool plain_closed(const struct plain *p)
{
    return p->context.prohibited || p->pins.no_noninvasive;
}

#endif
