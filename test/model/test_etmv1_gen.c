/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ETMv1 generator's records, against what the ETM architecture says they
 * must be (chapter 5): "BE1:80" is a status, TRACESYNC and TRACEPKT.
 */
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
    uint8_t fifo_size;
    size_t n_events, n;
    struct etm_event events[EVENTS];
    uint8_t bytes[BYTES];
    char text[BYTES];
} t;

static void begin(unsigned minor, unsigned width)
{
    t.config = (struct etm_config){.size = sizeof t.config,
                                   .protocol = ETM_PROTOCOL_ETMV1,
                                   .minor = (uint8_t)minor,
                                   .port_width = (uint8_t)width};
    t.fifo_size = 0;
    t.n_events = 0;
}

static struct etm_event *event(enum etm_event_kind kind, uint64_t cycles)
{
    struct etm_event *e = &t.events[t.n_events++];

    assert_true(t.n_events <= EVENTS);
    memset(e, 0, sizeof *e);
    e->kind = (uint8_t)kind;
    e->cycles = cycles;
    return e;
}

static struct etm_place place(uint32_t address, enum etm_isa isa)
{
    return (struct etm_place){address, (uint8_t)isa, false, false};
}

static void on(uint32_t address, enum etm_trace_on_reason reason)
{
    struct etm_event *e = event(ETM_EVENT_TRACE_ON, 0);

    e->u.trace_on.reason = (uint8_t)reason;
    e->u.trace_on.at = place(address, ETM_ISA_ARM);
}

static struct etm_event *insn(uint32_t address, uint32_t opcode,
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

#define NOP 0xe1a00000u
#define BX 0xe12fff1eu
#define B 0xea000000u
#define LDR 0xe5921000u
#define LDRB 0xe5d21000u
#define LDM 0xe8920006u

static void go(uint32_t address, uint32_t opcode, uint64_t cycles, uint32_t to)
{
    insn(address, opcode, cycles)->u.insn.next = place(to, ETM_ISA_ARM);
}

static void data(uint32_t address, uint64_t value, unsigned size,
                 uint64_t cycles)
{
    struct etm_event *e = event(ETM_EVENT_DATA, cycles);

    e->u.data.address = address;
    e->u.data.value = value;
    e->u.data.size = (uint8_t)size;
}

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= BYTES - t.n);
    memcpy(t.bytes + t.n, bytes, n);
    t.n += n;
    return ETM_OK;
}

static int generate(void)
{
    static const char names[8][3] = {"IE", "ID", "IN", "WT",
                                     "BE", "BD", "TR", "TD"};
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &t.config,
                                           .bytes = keep,
                                           .fifo_size = t.fifo_size};
    struct etm_generator *g;
    size_t size = etm_sample_size(&t.config), at = 0;
    int status;

    t.n = 0;
    t.text[0] = '\0';
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    status = etm_generator_push(g, t.events, t.n_events);
    if (status == ETM_OK)
        status = etm_generator_finish(g);
    etm_generator_free(g);
    for (size_t i = 0; i < t.n; i += size) {
        unsigned pins = t.bytes[i + 1];

        if (size == 3)
            pins |= (unsigned)t.bytes[i + 2] << 8;
        at += (size_t)snprintf(
            t.text + at, sizeof t.text - at, "%s%d:%0*x ",
            names[t.bytes[i] & 7], t.bytes[i] >> 7,
            t.config.port_width == 4 ? 1 : 2 * (int)(size - 1), pins);
    }
    return status;
}

static void expect(const char *text)
{
    assert_int_equal(generate(), ETM_OK);
    assert_string_equal(t.text, text);
}

/* V1-FILT-01, V1-FILT-04, V1-RSN-01, V1-APO-06, V1-BR-01 */
static void tracing_begins_with_a_full_address(void **state)
{
    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    insn(0x8004, NOP, 1)->u.insn.passed = false;
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 IE0:00 IN0:00 ");
}

/* V1-CTX-01, V1-CTX-05, V1-FILT-08, V1-CTX-06, DBG-03, E-184 */
static void restart_tells_the_context_id(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8);
    t.config.context_id_bytes = 2;
    e = event(ETM_EVENT_CONTEXT, 0);
    e->u.context.context_id = 0x12345;
    on(0x8000, ETM_TRACE_ON_DEBUG_EXIT);
    insn(0x8000, NOP, 9);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:30 WT0:45 WT0:23 TD0:00 TD0:00 "
           "IE0:00 ");
}

/* V1-CTX-03, CTX-03: with the next branch, also a direct one. */
static void the_branch_has_the_new_context_id(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8);
    t.config.context_id_bytes = 1;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 7);
    e = event(ETM_EVENT_CONTEXT, 0);
    e->u.context.context_id = 0x77;
    insn(0x8004, NOP, 1);
    go(0x8008, B, 1, 0x8010);
    insn(0x8010, NOP, 6);
    go(0x8014, B, 1, 0x801c);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 WT0:00 TD0:00 IE0:00 IE0:00 "
           "BE1:90 IE0:80 IE0:82 WT0:80 WT0:40 WT0:77 IE0:00 IE0:00 ");
}

/* V1-BR-03, V1-BR-04, V1-BR-10, V1-APO-01, V1-APO-02, EX-12 */
static void short_addresses_and_their_offsets(void **state)
{
    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    go(0x8000, BX, 8, 0x8040);
    go(0x8040, BX, 3, 0xc000);
    go(0xc000, BX, 3, 0x208000);
    go(0x208000, BX, 5, 0x10208000);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 TD0:00 TD0:00 BE1:40 "
           "IE0:00 IE0:00 BE1:80 IE0:80 IE0:03 BE1:80 IE0:80 IE0:82 WT0:01 "
           "TD0:00 BE1:80 IE0:80 IE0:82 WT0:81 WT0:01 ");
}

/* V1-APO-01, V1-APO-02, V1-RULE-04: the FIFO is behind. */
static void offset_counts_what_is_in_the_fifo(void **state)
{
    (void)state;
    begin(2, 4);
    on(0x8000, ETM_TRACE_ON_START);
    go(0x8000, BX, 4, 0x8040);
    go(0x8040, BX, 3, 0x8044);
    insn(0x8044, NOP, 4);
    expect("BE1:0 IE0:8 IE0:0 WT0:8 BE0:2 IE0:8 IE0:0 BE0:8 ID0:0 IE0:1 WT1:0 "
           "IE0:4 WT1:4 WT0:4 ");
}

/* MC-TRG-08: V1-TRG-01, V1-TRG-02, V1-TRG-05, V1-TRG-07, TCD-01 */
static void a_trigger_takes_one_cycle_of_the_pins(void **state)
{
    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    (void)event(ETM_EVENT_TRIGGER, 0);
    insn(0x8004, NOP, 1);
    (void)event(ETM_EVENT_TRIGGER, 0);
    insn(0x8008, NOP, 1);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 IE0:00 TR0:00 IE0:00 ");
}

/* V1-TRG-03: also before all trace, and in a gap */
static void a_trigger_needs_no_trace(void **state)
{
    (void)state;
    begin(2, 8);
    (void)event(ETM_EVENT_TRIGGER, 3);
    (void)event(ETM_EVENT_IDLE, 2);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    expect("TR0:03 TD0:00 TD0:00 TD0:00 BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 "
           "TD0:00 IE0:00 ");
}

/* V1-TRG-03, V1-PIPE-09: the status of a load multiple comes in its last cycle,
 * and a trigger among its transfers behind it; also if it is cancelled. */
static void a_trigger_waits_for_the_data_of_an_instruction(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8);
    t.config.data_value = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 1, 4, 0);
    (void)event(ETM_EVENT_TRIGGER, 1);
    data(4, 2, 4, 1);
    insn(0x8004, NOP, 9);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 WT0:01 WT0:00 ID0:00 "
           "TR0:03 WT0:00 WT0:02 WT0:00 WT0:00 WT0:00 TD0:00 TD0:00 IE0:00 ");
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 1, 4, 0);
    (void)event(ETM_EVENT_TRIGGER, 0);
    e = event(ETM_EVENT_EXCEPTION, 1);
    e->u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    e->u.exception.cancels = true;
    expect("TR0:03 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 ");
}

/* V1-CTX-03: an execution may tell the new context ID before the data of the
 * instruction that wrote it */
static void a_context_waits_for_the_data_of_an_instruction(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.data_value = true;
    t.config.context_id_bytes = 1;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 1, 4, 0);
    event(ETM_EVENT_CONTEXT, 0)->u.context.context_id = 0x5a;
    data(4, 2, 4, 1);
    go(0x8004, B, 20, 0x8000);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 WT0:00 WT0:01 ID0:00 WT0:00 "
           "WT0:00 WT0:02 WT0:00 WT0:00 WT0:00 TD0:00 TD0:00 TD0:00 TD0:00 "
           "TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 "
           "BE1:80 IE0:80 IE0:82 WT0:80 WT0:40 WT0:5a ");
}

/* DBG-01, DBG-03, DBG-05: cycles do not count in Debug state. */
static void cycles_of_debug_state_do_not_count(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8);
    t.config.cycle_accurate = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    e = event(ETM_EVENT_EXCEPTION, 1);
    e->u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    (void)event(ETM_EVENT_IDLE, 3);
    on(0x8000, ETM_TRACE_ON_DEBUG_EXIT);
    insn(0x8000, NOP, 7);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:01 IE0:00 TD0:00 TD0:00 "
           "TD0:00 BE1:80 IE0:80 IE0:82 WT0:80 WT0:30 TD0:01 TD0:01 IE0:00 ");
}

/* V1-APO-11: tracing begins again while the FIFO has an address of five packets
 * and a short one: the offset passes over the short one. */
static void offset_of_a_restart_counts_what_is_in_the_fifo(void **state)
{
    (void)state;
    begin(2, 4);
    on(0x8000, ETM_TRACE_ON_START);
    go(0x8000, BX, 12, 0x10008040);
    go(0x10008040, BX, 3, 0x10008044);
    (void)event(ETM_EVENT_TRACE_OFF, 3);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 20);
    expect("BE1:0 IE0:8 IE0:0 WT0:8 WT0:2 WT0:8 WT0:0 WT0:8 WT0:0 WT0:1 TD0:0 "
           "TD0:0 BE1:0 IE0:c IE0:0 BE0:8 IE0:2 IE0:8 BE0:0 ID0:8 IE0:1 WT0:0 "
           "WT1:4 WT0:4 WT1:0 WT0:8 WT0:0 WT0:8 WT0:2 WT0:8 WT0:0 WT0:8 WT0:0 "
           "WT0:1 TD0:0 TD0:0 TD0:0 TD0:0 IE0:0 ");
}

/* EX-08, CTX-04, CFG-05: what is not in the bytes that are traced may change
 * silently. */
static void context_id_changes_only_where_it_is_traced(void **state)
{
    static const uint32_t ids[] = {0x1277, 0x3477, 0x3478};

    (void)state;
    begin(2, 8);
    t.config.context_id_bytes = 1;
    for (unsigned i = 0; i < 3; i++) {
        event(ETM_EVENT_CONTEXT, 0)->u.context.context_id = ids[i];
        if (i == 0)
            on(0x8000, ETM_TRACE_ON_START);
        go(0x8000, BX, 12, 0x8000);
    }
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 WT0:77 TD0:00 TD0:00 TD0:00 "
           "TD0:00 TD0:00 TD0:00 BE1:00 IE0:00 IE0:00 TD0:00 TD0:00 TD0:00 "
           "TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 BE1:00 IE0:00 IE0:00 "
           "TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 TD0:00 "
           "BE1:80 IE0:80 IE0:82 WT0:80 WT0:40 WT0:78 ");
}

/* V1-CYC-01, V1-CYC-03, V1-FILT-05, V1-PIPE-05 */
static void idle_cycles_count_while_tracing(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.cycle_accurate = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 8);
    (void)event(ETM_EVENT_TRACE_OFF, 0);
    (void)event(ETM_EVENT_IDLE, 2);
    (void)event(ETM_EVENT_TRACE_OFF, 0);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 4);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:01 TD0:01 TD0:01 IE0:00 "
           "TD0:00 BE1:80 IE0:80 IE0:82 WT0:80 IE0:10 ");
}

/* SIG-04, V1-CYC-02, V1-FILT-01: the BE of a restart has the last cycle of the
 * gap; the offset of an address that leaves no time is made up for. E-189,
 * E-273 */
static void there_are_as_many_records_as_cycles(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.cycle_accurate = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 1);
    insn(0x8004, NOP, 4);
    go(0x8008, BX, 1, 0x8000);
    (void)event(ETM_EVENT_TRACE_OFF, 0);
    (void)event(ETM_EVENT_IDLE, 6);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 1);
    insn(0x8004, NOP, 1);
    insn(0x8008, NOP, 9);
    expect("BE1:80 IE0:80 IE0:82 IE0:80 WT0:10 IE0:00 BE1:00 IE0:00 IE0:00 "
           "TD0:00 TD0:00 TD0:00 BE1:80 IE0:80 IE0:82 IE0:80 IE0:10 TD0:01 "
           "TD0:01 TD0:01 TD0:01 TD0:01 TD0:01 IE0:00 ");
    /* the BE of the first start is not in the 23 cycles */
    assert_int_equal(t.n, 2 * (1 + 23));
}

/* V1-DATA-03, V1-DATA-04, V1-RULE-05, V1-LSM-03, V1-DADR-01, V1-DADR-02 */
static void data_come_before_the_status(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.data_value = true;
    t.config.data_address = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDRB, 6);
    data(0x20000, 0x11, 1, 0);
    insn(0x8004, LDM, 8);
    data(0x20004, 0x44332211, 4, 1);
    data(0x20008, 0x88776655, 4, 4);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 ID0:80 WT0:80 WT0:88 "
           "WT0:80 WT0:00 WT0:11 TD0:00 TD0:00 TD0:00 WT0:04 WT0:11 WT0:22 "
           "WT0:33 ID0:44 WT0:55 WT0:66 WT0:77 WT0:88 ");
}

/* What is in the FIFO before a status belongs to it (5.3), and the first half
 * of a 32-bit Thumb instruction moves nothing. */
static void the_first_half_comes_before_the_data(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.data_value = true;
    on(0x8000, ETM_TRACE_ON_START);
    t.events[0].u.trace_on.at.isa = ETM_ISA_THUMB;
    insn(0x8000, 0xf3af8000, 6)->u.insn.isa = ETM_ISA_THUMB; /* NOP.W */
    insn(0x8004, 0xe92d4010, 4)->u.insn.isa = ETM_ISA_THUMB; /* PUSH.W */
    data(0x20004, 0x44332211, 4, 1);
    data(0x20008, 0x88776655, 4, 3);
    expect("BE1:81 IE0:80 IE0:82 WT0:80 WT0:10 IE0:00 IE0:00 TD0:00 TD0:00 "
           "TD0:00 IE0:00 WT0:11 WT0:22 WT0:33 ID0:44 WT0:55 WT0:66 WT0:77 "
           "WT0:88 ");
}

/* V1-P16-01, V1-P16-02, V1-PKT-04 */
static void sixteen_pins_hold_a_single_byte(void **state)
{
    (void)state;
    begin(2, 16);
    t.config.data_value = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 0x44332211, 4, 0);
    data(4, 0x88776655, 4, 0);
    insn(0x8008, LDRB, 5);
    data(0, 0x99, 1, 1); /* on a wait cycle it stays */
    go(0x800c, BX, 2, 0x8000);
    expect("BE1:8080 IE0:8082 IE0:0010 TD0:0000 TD0:0000 TD0:0000 ID0:2211 "
           "WT0:4433 WT0:6655 WT0:8877 TD0:0000 TD0:0000 ID0:0099 TD0:0000 "
           "BE1:0000 IE0:0000 IE0:0000 ");
}

/* V1-BR-09, BRX-11, BRX-12, V1-PIPE-08 */
static void exceptions_are_branches_to_their_vectors(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, 0xef000000, 6); /* svc */
    e = event(ETM_EVENT_EXCEPTION, 0);
    e->u.exception.type = ETM_EXCEPTION_SVC;
    e->u.exception.next = place(8, ETM_ISA_ARM);
    insn(8, NOP, 4);
    e = event(ETM_EVENT_EXCEPTION, 0); /* it does not complete */
    e->u.exception.type = ETM_EXCEPTION_IRQ;
    e->u.exception.cancels = true;
    e->u.exception.next = place(0x18, ETM_ISA_ARM);
    insn(0x18, NOP, 3);
    e = event(ETM_EVENT_EXCEPTION, 1); /* the one behind does not */
    e->u.exception.type = ETM_EXCEPTION_FIQ;
    e->u.exception.next = place(0x1c, ETM_ISA_ARM);
    insn(0x1c, NOP, 3);
    go(0x20, B, 1, 0x10); /* into the vector table */
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 BE1:88 IE0:80 IE0:00 "
           "TD0:00 BE1:18 IE0:00 IE0:00 IE0:00 BE1:1c IE0:00 IE0:00 IE0:00 "
           "BE1:10 IE0:00 IE0:00 ");
}

/* Full addresses of branches in the text, with their reasons. */
static unsigned full_addresses(unsigned reason)
{
    unsigned n = 0;

    for (size_t i = 0; i + 10 < t.n; i += 2)
        if ((t.bytes[i] & ETM_SAMPLE_SYNC) != 0 &&
            (t.bytes[i + 1] & t.bytes[i + 3] & t.bytes[i + 5] & t.bytes[i + 7] &
             0x80) != 0 &&
            (t.bytes[i + 9] >> 4 & 7u) == reason)
            n++;
    return n;
}

/* V1-SYNC-01, V1-SYNC-03, V1-SYNC-04 */
static void indirect_branches_are_synchronized_every_1024_cycles(void **state)
{
    (void)state;
    for (unsigned minor = 0; minor < 4; minor++) {
        begin(minor, 8);
        on(0x8000, ETM_TRACE_ON_START);
        for (unsigned i = 0; i < 1000; i++)
            go(0x8000, BX, 10, 0x8000);
        assert_int_equal(generate(), ETM_OK);
        assert_int_equal(full_addresses(ETM_ETMV1_ENABLED), 1);
        assert_int_equal(
            full_addresses(minor < 2 ? ETM_ETMV1_NORMAL : ETM_ETMV1_PERIODIC),
            9); /* 10000 / 1030 */
    }
}

/* V1-SYNC-02 */
static void
direct_branches_are_synchronized_when_nothing_else_comes(void **state)
{
    (void)state;
    begin(2, 8);
    on(0x8000, ETM_TRACE_ON_START);
    for (unsigned i = 0; i < 1000; i++)
        go(0x8000, 0xeafffffe, 10, 0x8000);
    assert_int_equal(generate(), ETM_OK);
    assert_int_equal(full_addresses(ETM_ETMV1_PERIODIC), 6); /* 10000/1540 */
}

/* MC-GEN-09: V1-DADR-03 */
static void data_addresses_are_full_every_1024_cycles(void **state)
{
    unsigned full = 0;

    (void)state;
    begin(2, 8);
    t.config.data_address = true;
    on(0x8000, ETM_TRACE_ON_START);
    for (unsigned i = 0; i < 500; i++) {
        insn(0x8000 + 4 * i, LDR, 10);
        data(0x20000, 0, 4, 0);
    }
    assert_int_equal(generate(), ETM_OK);
    for (size_t i = 0; i + 8 < t.n; i += 2)
        full += t.bytes[i] == ETM_ETMV1_ID && t.bytes[i + 1] == 0x80;
    assert_int_equal(full, 5); /* 5000 / 1030 and the first */
}

/* Entry to Debug state has no packet; the instruction that it cancels has no
 * status. */
static void debug_state_cancels_without_a_packet(void **state)
{
    (void)state;
    for (unsigned cancels = 0; cancels < 2; cancels++) {
        struct etm_event *e;

        begin(2, 8);
        on(0x8000, ETM_TRACE_ON_START);
        insn(0x8000, NOP, 6);
        insn(0x8004, NOP, 1);
        e = event(ETM_EVENT_EXCEPTION, 0);
        e->u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
        e->u.exception.cancels = cancels != 0;
        expect(cancels != 0
                   ? "BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 IE0:00 "
                   : "BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 IE0:00 "
                     "IE0:00 ");
    }
}

/* V1-OVF-01, V1-OVF-02, V1-SYNC-02 */
static void overflow_drains_and_restarts(void **state)
{
    (void)state;
    begin(2, 8);
    t.fifo_size = 10;
    t.config.data_value = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 0x44332211, 4, 0);
    data(4, 0x88776655, 4, 0);
    insn(0x8004, LDM, 1);
    data(0, 0x04030201, 4, 0);
    data(4, 0x08070605, 4, 0);
    insn(0x8008, NOP, 3); /* the FIFO has 8 bytes yet */
    insn(0x800c, NOP, 8);
    insn(0x8010, NOP, 6);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 ID0:11 ID0:22 WT0:33 "
           "WT0:44 WT0:55 WT0:66 WT0:77 WT0:88 WT0:01 WT0:02 WT0:03 TD0:00 "
           "BE1:90 IE0:80 IE0:82 WT0:80 WT0:20 TD0:00 IE0:00 ");
}

/* CFG-06, V1-ASC-02, DAT-01, COP-05, V1-PIPE-04, V1-DATA-01, V1-LSM-01 */
static void data_that_are_filtered_out_leave_the_instruction(void **state)
{
    (void)state;
    begin(2, 8);
    t.config.data_value = true;
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, LDM, 6);
    data(0, 1, 4, 0);
    t.events[t.n_events - 1].u.data.filtered = true;
    data(4, 1, 4, 0);
    insn(0x8004, 0xee110f10, 1); /* mrc: not monitored */
    data(0, 1, 4, 0);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 IE0:00 IE0:00 ");
}

/* V1-JAV-01, V1-JAV-02, V1-BR-07, V1-BR-08, V1-FILT-03, BRX-05 */
static void jazelle_state_is_told_by_full_addresses(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(3, 8);
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, BX, 6)->u.insn.next = place(0x8101, ETM_ISA_JAZELLE);
    e = insn(0x8101, 0x00, 5); /* nop */
    e->u.insn.isa = ETM_ISA_JAZELLE;
    e->u.insn.size = 1;
    e = insn(0x8102, 0x0000a7, 1); /* goto */
    e->u.insn.isa = ETM_ISA_JAZELLE;
    e->u.insn.size = 3;
    e->u.insn.next = place(0x8108, ETM_ISA_JAZELLE);
    e = insn(0x8108, 0x00, 3);
    e->u.insn.isa = ETM_ISA_JAZELLE;
    e->u.insn.size = 1;
    e->u.insn.next = place(0x8000, ETM_ISA_ARM);
    insn(0x8000, NOP, 5);
    expect("BE1:80 IE0:80 IE0:82 WT0:80 WT0:10 TD0:00 BE1:81 IE0:82 IE0:82 "
           "WT0:80 WT0:80 IE0:00 BE1:08 IE0:00 IE0:00 BE1:80 IE0:80 IE0:82 "
           "WT0:80 WT0:00 IE0:00 ");
}

static void what_an_etmv1_cannot_trace_is_refused(void **state)
{
    struct etm_event *e;

    (void)state;
    begin(2, 8); /* Jazelle came with v1.3 */
    on(0x8000, ETM_TRACE_ON_START);
    e = insn(0x8000, 0, 6);
    e->u.insn.isa = ETM_ISA_JAZELLE;
    e->u.insn.size = 1;
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
    begin(2, 8); /* an exception is a branch to its vector */
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    e = event(ETM_EVENT_EXCEPTION, 0);
    e->u.exception.type = ETM_EXCEPTION_IRQ;
    e->u.exception.next = place(0xffff0018, ETM_ISA_ARM);
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
    t.config.high_vectors = true;
    assert_int_equal(generate(), ETM_OK);
    e->u.exception.type = ETM_EXCEPTION_SMC;
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
    begin(2, 8); /* data of nothing, and out of order */
    on(0x8000, ETM_TRACE_ON_START);
    insn(0x8000, NOP, 6);
    data(0, 0, 4, 0);
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
    t.events[1].u.insn.opcode = LDR;
    assert_int_equal(generate(), ETM_OK);
    t.events[2].u.data.tag = 1;
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracing_begins_with_a_full_address),
        cmocka_unit_test(restart_tells_the_context_id),
        cmocka_unit_test(the_branch_has_the_new_context_id),
        cmocka_unit_test(short_addresses_and_their_offsets),
        cmocka_unit_test(offset_counts_what_is_in_the_fifo),
        cmocka_unit_test(a_trigger_takes_one_cycle_of_the_pins),
        cmocka_unit_test(a_trigger_needs_no_trace),
        cmocka_unit_test(a_trigger_waits_for_the_data_of_an_instruction),
        cmocka_unit_test(a_context_waits_for_the_data_of_an_instruction),
        cmocka_unit_test(cycles_of_debug_state_do_not_count),
        cmocka_unit_test(offset_of_a_restart_counts_what_is_in_the_fifo),
        cmocka_unit_test(context_id_changes_only_where_it_is_traced),
        cmocka_unit_test(idle_cycles_count_while_tracing),
        cmocka_unit_test(there_are_as_many_records_as_cycles),
        cmocka_unit_test(data_come_before_the_status),
        cmocka_unit_test(the_first_half_comes_before_the_data),
        cmocka_unit_test(sixteen_pins_hold_a_single_byte),
        cmocka_unit_test(exceptions_are_branches_to_their_vectors),
        cmocka_unit_test(indirect_branches_are_synchronized_every_1024_cycles),
        cmocka_unit_test(
            direct_branches_are_synchronized_when_nothing_else_comes),
        cmocka_unit_test(data_addresses_are_full_every_1024_cycles),
        cmocka_unit_test(debug_state_cancels_without_a_packet),
        cmocka_unit_test(overflow_drains_and_restarts),
        cmocka_unit_test(data_that_are_filtered_out_leave_the_instruction),
        cmocka_unit_test(jazelle_state_is_told_by_full_addresses),
        cmocka_unit_test(what_an_etmv1_cannot_trace_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
