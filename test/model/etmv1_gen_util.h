/* SPDX-License-Identifier: Apache-2.0 */
/* Short ways to write executions for the ETMv1 generator. */
#ifndef TEST_MODEL_ETMV1_GEN_UTIL_H
#define TEST_MODEL_ETMV1_GEN_UTIL_H

#include <etm/model.h>

#include "proto/etmv1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define EVENTS 4000u
#define BYTES (1u << 20)

static struct {
    struct etm_config config;
    size_t n_events, n;
    struct etm_event events[EVENTS];
    uint8_t bytes[BYTES];
} t;

static inline void begin(unsigned minor, unsigned width)
{
    t.config = (struct etm_config){.size = sizeof t.config,
                                   .protocol = ETM_PROTOCOL_ETMV1,
                                   .minor = (uint8_t)minor,
                                   .port_width = (uint8_t)width};
    t.n_events = 0;
}

static inline struct etm_event *event(enum etm_event_kind kind, uint64_t cycles)
{
    struct etm_event *e = &t.events[t.n_events++];

    assert_true(t.n_events <= EVENTS);
    memset(e, 0, sizeof *e);
    e->kind = (uint8_t)kind;
    e->cycles = cycles;
    return e;
}

static inline struct etm_place place(uint32_t address, enum etm_isa isa)
{
    return (struct etm_place){address, (uint8_t)isa, false, false};
}

static inline void on(uint32_t address, enum etm_trace_on_reason reason)
{
    struct etm_event *e = event(ETM_EVENT_TRACE_ON, 0);

    e->u.trace_on.reason = (uint8_t)reason;
    e->u.trace_on.at = place(address, ETM_ISA_ARM);
}

static inline struct etm_event *insn(uint32_t address, uint32_t opcode,
                                     uint64_t cycles)
{
    struct etm_event *e = event(ETM_EVENT_INSN, cycles);

    e->u.insn.address = address;
    e->u.insn.opcode = opcode;
    e->u.insn.isa = ETM_ISA_ARM;
    e->u.insn.size = 4;
    e->u.insn.passed = true;
    return e;
}

#define BX 0xe12fff1eu
#define LDR 0xe5921000u

static inline void go(uint32_t address, uint32_t opcode, uint64_t cycles,
                      uint32_t to)
{
    insn(address, opcode, cycles)->u.insn.next = place(to, ETM_ISA_ARM);
}

static inline void data(uint32_t address, uint64_t value, unsigned size,
                        uint64_t cycles)
{
    struct etm_event *e = event(ETM_EVENT_DATA, cycles);

    e->u.data.address = address;
    e->u.data.value = value;
    e->u.data.size = (uint8_t)size;
}

static inline int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= BYTES - t.n);
    memcpy(t.bytes + t.n, bytes, n);
    t.n += n;
    return ETM_OK;
}

static inline int generate(void)
{
    struct etm_generator_config options = {
        .size = sizeof options, .config = &t.config, .bytes = keep};
    struct etm_generator *g;
    int status;

    t.n = 0;
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    status = etm_generator_push(g, t.events, t.n_events);
    if (status == ETM_OK)
        status = etm_generator_finish(g);
    etm_generator_free(g);
    return status;
}

#endif
