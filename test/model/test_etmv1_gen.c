/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ETMv1 generator's records, against what the ETM architecture says they
 * must be (chapter 5): branches, contexts, cycles, triggers. Data and what
 * waits in the FIFO are in test_etmv1_gen_data.c.
 */
#include "etmv1_gen_util.h"

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
    e = event(ETM_EVENT_EXCEPTION, 1); /* the one after does not */
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

/* V1-JAV-01, V1-JAV-02, V1-BR-07, V1-BR-08, V1-FILT-03, BRX-05 */
static void jazelle_state_is_shown_by_full_addresses(void **state)
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
    t.events[2].u.data.tag = 0;
    t.events[1].u.insn.opcode = 0xe8b00006; /* one of two words */
    assert_int_equal(generate(), ETM_ERR_ARGUMENT);
    e = event(ETM_EVENT_EXCEPTION, 0); /* which is all before an abort */
    e->u.exception.type = ETM_EXCEPTION_DATA_ABORT;
    e->u.exception.next = place(0x10, ETM_ISA_ARM);
    assert_int_equal(generate(), ETM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracing_begins_with_a_full_address),
        cmocka_unit_test(restart_tells_the_context_id),
        cmocka_unit_test(the_branch_has_the_new_context_id),
        cmocka_unit_test(short_addresses_and_their_offsets),
        cmocka_unit_test(a_trigger_takes_one_cycle_of_the_pins),
        cmocka_unit_test(a_trigger_needs_no_trace),
        cmocka_unit_test(cycles_of_debug_state_do_not_count),
        cmocka_unit_test(context_id_changes_only_where_it_is_traced),
        cmocka_unit_test(idle_cycles_count_while_tracing),
        cmocka_unit_test(there_are_as_many_records_as_cycles),
        cmocka_unit_test(exceptions_are_branches_to_their_vectors),
        cmocka_unit_test(indirect_branches_are_synchronized_every_1024_cycles),
        cmocka_unit_test(
            direct_branches_are_synchronized_when_nothing_else_comes),
        cmocka_unit_test(debug_state_cancels_without_a_packet),
        cmocka_unit_test(jazelle_state_is_shown_by_full_addresses),
        cmocka_unit_test(what_an_etmv1_cannot_trace_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
