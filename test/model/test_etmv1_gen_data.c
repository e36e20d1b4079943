/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ETMv1 generator's records, against what the ETM architecture says they
 * must be (chapter 5): data, what waits for them, and the FIFO they go through.
 */
#include "etmv1_gen_util.h"

/* V1-APO-01, V1-APO-02, V1-RULE-04: the FIFO lags behind. */
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

/* V1-TRG-03, V1-PIPE-09: the status of a load multiple comes in its last cycle,
 * and a trigger among its transfers after it; also if it is cancelled. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offset_counts_what_is_in_the_fifo),
        cmocka_unit_test(offset_of_a_restart_counts_what_is_in_the_fifo),
        cmocka_unit_test(a_trigger_waits_for_the_data_of_an_instruction),
        cmocka_unit_test(a_context_waits_for_the_data_of_an_instruction),
        cmocka_unit_test(data_come_before_the_status),
        cmocka_unit_test(the_first_half_comes_before_the_data),
        cmocka_unit_test(sixteen_pins_hold_a_single_byte),
        cmocka_unit_test(data_addresses_are_full_every_1024_cycles),
        cmocka_unit_test(overflow_drains_and_restarts),
        cmocka_unit_test(data_that_are_filtered_out_leave_the_instruction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
