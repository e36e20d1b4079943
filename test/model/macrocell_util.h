/* SPDX-License-Identifier: Apache-2.0 */
/* A whole macrocell for tests: registers in, bytes out. */
#ifndef TEST_MODEL_MACROCELL_UTIL_H
#define TEST_MODEL_MACROCELL_UTIL_H

#include "full.h"
#include "gen_util.h"

#include "model/registers.h"

#include <etm/decode.h>
#include <etm/macrocell.h>

#include <stdlib.h>

#define CELL_BYTES (1u << 22)
#define CELL_SIGNALS 256u

/* One macrocell at a time; too big for a stack. */
struct cell {
    struct etm_macrocell *m;
    struct etm_config trace;
    struct etm_macrocell_config config;
    struct etm_macrocell_output output;
    struct etm_generator_config generator;
    enum etm_access access;
    size_t n_bytes, n_signals;
    uint8_t bytes[CELL_BYTES];
    struct etm_macrocell_signals signals[CELL_SIGNALS];
};

static inline int cell_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct cell *c = context;

    if (n > CELL_BYTES - c->n_bytes)
        return ETM_ERR_MEMORY;
    memcpy(c->bytes + c->n_bytes, bytes, n);
    c->n_bytes += n;
    return ETM_OK;
}

/* Somebody asks for them: there is a shorter way without. */
static inline int cell_packets(void *context, const struct etm_packet *packets,
                               size_t n)
{
    (void)context;
    (void)packets;
    (void)n;
    return ETM_OK;
}

static inline int cell_signals(void *context,
                               const struct etm_macrocell_signals *signals)
{
    struct cell *c = context;

    if (c->n_signals < CELL_SIGNALS)
        c->signals[c->n_signals++] = *signals;
    return ETM_OK;
}

/* A macrocell with the most of every resource, to be changed before
 * cell_make(). `trace` tells protocol and version. */
static inline void cell_begin(struct cell *c, const struct etm_config *trace)
{
    bool pft = trace->protocol == ETM_PROTOCOL_PFT;

    c->trace = *trace;
    cell_full(&c->config, &c->trace);
    c->output = (struct etm_macrocell_output){.size = sizeof c->output,
                                              .bytes = cell_bytes,
                                              .packets = cell_packets,
                                              .signals = cell_signals,
                                              .context = c};
    c->generator = (struct etm_generator_config){.size = sizeof c->generator};
    c->output.generator = &c->generator;
    c->access =
        pft || (trace->protocol == ETM_PROTOCOL_ETMV3 && trace->minor >= 2)
            ? ETM_ACCESS_DEBUGGER
            : ETM_ACCESS_JTAG;
    c->n_bytes = c->n_signals = 0;
}

static inline void cell_make(struct cell *c)
{
    static const struct etm_macrocell_pins open = {
        .dbgen = true, .niden = true, .spiden = true, .spniden = true};

    assert_int_equal(etm_macrocell_new(&c->m, &c->config, NULL), ETM_OK);
    etm_macrocell_set_pins(c->m, &open);
    assert_int_equal(etm_macrocell_connect(c->m, &c->output), ETM_OK);
}

static inline void cell_end(struct cell *c)
{
    etm_macrocell_free(c->m);
    c->m = NULL;
}

static inline void poke(struct cell *c, uint32_t number, uint32_t value)
{
    assert_int_equal(etm_macrocell_write(c->m, number, c->access, value),
                     ETM_ACCESS_OK);
}

static inline void cell_poke(void *context, uint32_t number, uint32_t value)
{
    poke(context, number, value);
}

static inline uint32_t peek(struct cell *c, uint32_t number)
{
    uint32_t value;

    assert_int_equal(etm_macrocell_read(c->m, number, c->access, &value),
                     ETM_ACCESS_OK);
    return value;
}

/* Step 1 of the programming procedure (3.4.3). */
static inline void program_begin(struct cell *c)
{
    poke(c, ETM_REG_CR,
         (peek(c, ETM_REG_CR) | ETM_CR_PROGRAMMING) &
             ~(uint32_t)ETM_CR_POWER_DOWN);
    while ((peek(c, ETM_REG_SR) & ETM_SR_PROGRAMMING) == 0)
        ;
}

/* All events but TraceEnable's off, all regions empty. */
static inline void program_nothing(struct cell *c)
{
    cell_clear(&c->trace, cell_poke, c);
}

/* The last steps: ETMCR with what it is to have, then the bit is cleared. */
static inline void program_end(struct cell *c, uint32_t control)
{
    poke(c, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
    poke(c, ETM_REG_CR, control);
    while ((peek(c, ETM_REG_SR) & ETM_SR_PROGRAMMING) != 0)
        ;
}

/* Everything traced, in the way that c->trace says. */
static inline void program_all(struct cell *c)
{
    program_begin(c);
    program_nothing(c);
    if (c->trace.sync_period != 0)
        poke(c, ETM_REG_SYNCFR, c->trace.sync_period);
    program_end(c, cell_control(&c->trace));
}

static inline void run(struct cell *c, const struct etm_event *events, size_t n)
{
    assert_int_equal(etm_macrocell_run(c->m, events, n), ETM_OK);
}

static inline void finish(struct cell *c)
{
    assert_int_equal(etm_macrocell_finish(c->m), ETM_OK);
}

static inline struct etm_event go_to(struct etm_place at)
{
    struct etm_event e = {.kind = ETM_EVENT_PLACE};

    e.u.place.at = at;
    return e;
}

#endif
