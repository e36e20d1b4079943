/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: executions to the bytes that chapter 6 of the ETM architecture asks
 * for, written by hand. A port of 8 pins: status, TRACEPKT. */
#include "gen_util.h"

static struct etm_config config(void)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV2,
                               .minor = 1,
                               .data_value = true,
                               .data_address = true};
}

static int run(const struct etm_config *c, struct etm_generator_config options,
               const struct etm_event *events, size_t n, struct text *t)
{
    struct etm_generator *g;
    int status;

    memset(t, 0, sizeof *t);
    options.size = sizeof options;
    options.config = c;
    options.bytes = as_text;
    options.context = t;
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    status = etm_generator_push(g, events, n);
    if (status == ETM_OK)
        status = etm_generator_finish(g);
    etm_generator_free(g);
    return status;
}

static void become_port(const struct etm_config *c,
                        struct etm_generator_config options,
                        const struct etm_event *events, size_t n,
                        const char *expected)
{
    static struct text t;

    assert_int_equal(run(c, options, events, n, &t), ETM_OK);
    assert_string_equal(t.text, expected);
}

#define PORT(config, events, expected)                                         \
    become_port(config, (struct etm_generator_config){0}, events,              \
                COUNT(events), expected)

#define ARM_8000 place(0x8000, ETM_ISA_ARM)
#define MOV 0xe1a00000 /* mov r0, r0 */
#define LDR 0xe5910000 /* ldr r0, [r1] */
#define LDM 0xe8b0003e /* ldm r0!, {r1-r5} */
#define BX 0xe12fff1e  /* bx lr */
#define B 0xea000000   /* b . + 8 */
#define NOP_T 0x46c0
#define BL_T 0xf000f800 /* bl . + 4 */

static struct etm_event tagged(struct etm_event e, unsigned tag)
{
    e.u.data.tag = (uint8_t)tag;
    return e;
}

static struct etm_event value(uint32_t v, unsigned tag)
{
    struct etm_event e = {.kind = ETM_EVENT_DATA_VALUE};

    e.u.data_value.value = v;
    e.u.data_value.tag = (uint8_t)tag;
    return e;
}

/* The packet of TFO_8000 in five cycles of no other use. */
#define IDLE_5 "04 20 04 00 04 80 04 00 04 00"

static struct etm_event idle(uint64_t n)
{
    return after(n, plain_event(ETM_EVENT_IDLE));
}

/* V2-FILT-01, V2-FILT-02, V2-TFO-04, V2-TFO-05, V2-TFOP-03, V2-DATA-01, -02,
 * -08, -09, V2-RULE-01, -04, V2-PIPE-04: the first status follows the TFO;
 * packets queue after its packet */
static void tracing_begins_with_a_tfo(void **state)
{
    const struct etm_config c = config();
    const struct etm_event events[] = {
        after(2, start(ARM_8000)), after(1, arm(0x8000, MOV)),
        after(1, arm(0x8004, LDR)), transfer(0x20000, 0x11)};

    (void)state;
    PORT(&c, events,
         "07 00 07 09 00 20 01 00 04 80 04 00 04 00 "
         "04 26 04 80 04 80 04 88 04 80 04 00 04 11");
}

/* V2-TFOP-02, DBG-01, DBG-03, V2-OVF-01: why tracing begins */
static void reasons_stand_in_the_header(void **state)
{
    const struct etm_config c = config();
    struct etm_event halt =
        after(1, exception(ETM_EXCEPTION_DEBUG_HALT, false, ARM_8000));
    const struct etm_event events[] = {
        after(1, trace_on(ETM_TRACE_ON_OVERFLOW, ARM_8000)),
        after(9, arm(0x8000, MOV)), halt,
        after(2,
              trace_on(ETM_TRACE_ON_DEBUG_EXIT, place(0x8000, ETM_ISA_THUMB)))};

    (void)state;
    PORT(&c, events,
         "07 09 04 40 04 00 04 80 04 00 04 00 07 00 07 00 07 00 00 00 "
         "07 00 07 00 07 09 04 60 04 01 04 80 04 00 04 00");
}

/* V2-CYC-01, V2-CYC-02: idle cycles count only while tracing */
static void idle_cycles_are_marked_while_cycles_count(void **state)
{
    struct etm_config c = config();
    const struct etm_event events[] = {
        after(2, start(ARM_8000)), after(8, arm(0x8000, MOV)),
        after(1, plain_event(ETM_EVENT_TRACE_OFF)), after(2, start(ARM_8000))};

    (void)state;
    c.cycle_accurate = true;
    PORT(&c, events,
         "07 00 07 09 " IDLE_5 " 07 07 07 07 00 00 07 00 07 00 07 09 " IDLE_5);
}

/* BRX-10, BRX-12, V2-EXC-01, V2-PIPE-09, V2-BR-06: the interrupted instruction
 * carries the branch; V2-PIPE-08, E-270 */
static void interrupts_cancel_an_instruction(void **state)
{
    const struct etm_config c = config();
    const struct etm_event events[] = {
        after(1, start(ARM_8000)), after(6, arm(0x8000, MOV)),
        exception(ETM_EXCEPTION_IRQ, true, place(0x18, ETM_ISA_ARM))};
    const struct etm_event between[] = {
        after(1, start(ARM_8000)), after(6, arm(0x8000, MOV)),
        after(1,
              exception(ETM_EXCEPTION_FIQ, false, place(0x1c, ETM_ISA_ARM)))};

    (void)state;
    PORT(&c, events, "07 09 " IDLE_5 " 01 8D 04 80 04 80 04 80 04 48");
    /* nothing was cancelled yet: the next one is traced, and is */
    PORT(&c, between, "07 09 " IDLE_5 " 00 00 01 8F 04 80 04 80 04 80 04 48");
}

/* BRX-11, V2-EXC-05, BRX-02: these do not cancel */
static void svc_and_data_aborts_do_not_cancel(void **state)
{
    struct etm_config c = config();
    const struct etm_event svc[] = {
        after(1, start(ARM_8000)), after(6, arm(0x8000, 0xef000001)),
        exception(ETM_EXCEPTION_SVC, false, place(8, ETM_ISA_ARM))};
    const struct etm_event high[] = {
        after(1, start(ARM_8000)), after(6, arm(0x8000, MOV)),
        after(1, exception(ETM_EXCEPTION_DATA_ABORT, false,
                           place(0xffff0010, ETM_ISA_ARM)))};

    (void)state;
    /* 0x8000 to 8: A[14:8] and more have changed, up to A[15] */
    PORT(&c, svc, "07 09 " IDLE_5 " 01 85 04 80 04 00");
    c.high_vectors = true;
    PORT(&c, high, "07 09 " IDLE_5 " 00 00 05 89 04 80 04 FE 04 FF 04 0F");
}

/* VER-07, VER-15, CFG-14 */
static void what_the_version_cannot_trace_is_refused(void **state)
{
    static struct text t;
    struct etm_config c = config();
    const struct etm_event abort[] = {start(ARM_8000), arm(0x8000, MOV),
                                      exception(ETM_EXCEPTION_ASYNC_DATA_ABORT,
                                                true,
                                                place(0x10, ETM_ISA_ARM))};
    const struct etm_event elsewhere[] = {
        start(ARM_8000), arm(0x8000, MOV),
        exception(ETM_EXCEPTION_IRQ, true, place(0x8018, ETM_ISA_ARM))};
    const struct etm_event thumbee[] = {start(place(0x8000, ETM_ISA_THUMBEE))};
    const struct etm_event jazelle[] = {
        start(ARM_8000), to(arm(0x8000, BX), place(0x9000, ETM_ISA_JAZELLE)),
        arm(0x9000, MOV)};
    struct etm_generator_config none = {0};

    (void)state;
    assert_int_equal(run(&c, none, abort, COUNT(abort), &t), ETM_OK);
    c.minor = 0;
    assert_int_equal(run(&c, none, abort, COUNT(abort), &t), ETM_ERR_ARGUMENT);
    assert_int_equal(run(&c, none, elsewhere, COUNT(elsewhere), &t),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(run(&c, none, thumbee, 1, &t), ETM_ERR_ARGUMENT);
    assert_int_equal(run(&c, none, jazelle, COUNT(jazelle), &t),
                     ETM_ERR_ARGUMENT);
}

/* V2-PHAN-01 to -03, MF-27 */
static void direct_branches_are_folded(void **state)
{
    struct etm_config c = config();
    struct etm_generator_config options = {.fold_branches = true};
    const struct etm_event events[] = {
        after(1, start(ARM_8000)),
        after(6, to(arm(0x8000, B), place(0x8008, ETM_ISA_ARM))),
        arm(0x8008, MOV), after(1, failing(arm(0x800c, 0x0a000000))),
        failing(arm(0x8010, 0x00800001))};

    (void)state;
    become_port(&c, options, events, COUNT(events),
                "07 09 " IDLE_5 " 08 00 0E 00");
    c.branch_broadcast = true; /* then the address has to be output */
    become_port(&c, options, events, COUNT(events),
                "07 09 " IDLE_5 " 01 05 00 00 02 00 02 00");
}

/* Nobody knows the context ID after a reset: it is output again. E-262 */
static void a_reset_tells_the_context_id_again(void **state)
{
    struct etm_config c = config();
    const struct etm_event events[] = {
        after(1, start(ARM_8000)), after(9, arm(0x8000, MOV)),
        exception(ETM_EXCEPTION_RESET, true, place(0, ETM_ISA_ARM)),
        after(9, arm(0, MOV))};

    (void)state;
    c.context_id_bytes = 1;
    PORT(&c, events,
         "07 09 04 20 04 00 04 00 04 80 04 00 04 00 07 00 07 00 01 81 05 80 "
         "04 80 04 80 04 48 04 6E 04 00 07 00 07 00 00 00");
}

/* V2-MISS-01, -02, -05, -06, -09, -10, V2-LSM-02: tags of events are 1 to 4 */
static void loads_that_miss(void **state)
{
    struct etm_config c = config();
    struct etm_event left_out = transfer(0x20010, 5);
    const struct etm_event events[] = {
        after(1, start(ARM_8000)),
        after(6, arm(0x8000, LDM)),
        tagged(transfer(0x20000, 0), 3),
        after(1, tagged(transfer(0x20004, 0), 4)),
        tagged(transfer(0x20008, 0), 4),
        after(1, transfer(0x2000c, 0)),
        after(1, left_out),
        after(1, value(0x55, 3)),
        after(1, plain_event(ETM_EVENT_TRACE_OFF)),
        after(1, value(0x1234, 4)),
        value(0, 4),
        after(9, value(9, 2)) /* nobody waits for that */};
    struct etm_event with[COUNT(events)];

    (void)state;
    memcpy(with, events, sizeof with);
    with[6].u.data.filtered = true;
    c.data_address = false;
    PORT(&c, with,
         "07 09 04 20 04 00 04 80 04 00 04 00 01 78 05 DC "
         "05 5C 05 02 05 6A 04 44 05 55 04 E8 04 34 04 12 "
         "04 60");
}

/* 6.4.3: one word of a doubleword that missed is left out, and its value. */
static void a_miss_that_is_left_out_has_no_value(void **state)
{
    struct etm_config c = config();
    struct etm_event events[] = {after(1, start(ARM_8000)),
                                 after(6, arm(0x8000, LDM)),
                                 transfer(0x20000, 1),
                                 after(1, tagged(transfer(0x20004, 0), 4)),
                                 after(1, tagged(transfer(0x20008, 0), 4)),
                                 after(1, value(0x55, 4)),
                                 after(1, value(0x66, 4))};

    (void)state;
    c.data_address = false;
    events[3].u.data.filtered = true;
    PORT(&c, events,
         "07 09 04 20 04 00 04 80 04 00 04 00 01 26 05 01 05 6A 04 5C "
         "05 64 04 66");
    events[3].u.data.filtered = false;
    events[4].u.data.filtered = true;
    PORT(&c, events,
         "07 09 04 20 04 00 04 80 04 00 04 00 01 26 05 01 05 5C 05 6A "
         "04 64 04 55");
}

/* MC-TRG-08: V2-TRG-01 to -03, V2-TRG-07 */
static void a_trigger_replaces_the_status(void **state)
{
    const struct etm_config c = config();
    const struct etm_event events[] = {
        after(2, start(ARM_8000)), plain_event(ETM_EVENT_TRIGGER),
        after(3, arm(0x8000, MOV)), plain_event(ETM_EVENT_TRIGGER)};
    const struct etm_event off[] = {after(1, plain_event(ETM_EVENT_TRIGGER))};

    (void)state;
    PORT(&c, events, "07 00 06 07 04 09 04 20 06 00 04 00 04 80 04 00 04 00");
    PORT(&c, off, "06 04");
}

/* V2-TFO-06, V2-TFO-07, V2-TFOP-11: in place of an IE, with its address;
 * E-253 */
static void synchronization_is_periodic(void **state)
{
    struct etm_config c = config();
    struct etm_event events[20] = {after(1, start(ARM_8000))};

    (void)state;
    c.sync_period = 8;
    for (unsigned i = 0; i < 10; i++)
        events[1 + i] = after(1, arm(0x8000 + 4 * i, MOV));
    /* the eighth cycle after it is due, the next IE is in its place */
    become_port(&c, (struct etm_generator_config){0}, events, 11,
                "07 09 00 20 00 00 00 80 00 00 00 00 00 00 00 00 07 09 "
                "00 00 00 1C 04 80 04 00 04 00");
}

/* V2-TFO-08, V2-TFO-09: no IE comes up to the next request, and trace is lost;
 * after the TFO the whole period passes again */
static void synchronization_that_is_not_possible_is_an_overflow(void **state)
{
    struct etm_config c = config();
    struct etm_event events[40] = {after(1, start(ARM_8000))};

    (void)state;
    c.sync_period = 8;
    for (unsigned i = 0; i < 24; i++)
        events[1 + i] = after(1, failing(arm(0x8000 + 4 * i, 0x00800001)));
    become_port(&c, (struct etm_generator_config){0}, events, 25,
                "07 09 02 20 02 00 02 80 02 00 02 00 02 00 02 00 02 00 02 00 "
                "02 00 02 00 02 00 02 00 02 00 02 00 07 09 02 40 02 40 02 80 "
                "02 00 02 00 02 00 02 00 02 00");
}

/* V2-OVF-01, V2-OVF-02, V2-RULE-07, MF-21: whole groups or none, and a restart
 * when the FIFO is empty; E-269 */
static void an_overflow_loses_whole_groups(void **state)
{
    const struct etm_config c = config();
    struct etm_generator_config options = {.fifo_size = 16};
    const struct etm_event events[] = {
        after(1, start(ARM_8000)),
        after(6, arm(0x8000, LDM)),
        transfer(0x20000, 0x11111111),
        after(1, transfer(0x20004, 0x22222222)),
        after(1, transfer(0x20008, 0x33333333)), /* 8 + 5 + 5 - 2 do not fit */
        after(1, transfer(0x2000c, 0x44444444)),
        idle(20),
        after(1, arm(0x8004, MOV)),
        after(1, arm(0x8008, MOV))};

    (void)state;
    become_port(&c, options, events, COUNT(events),
                "07 09 04 20 04 00 04 80 04 00 04 00 01 2E 05 80 "
                "04 80 04 88 04 80 04 00 04 11 04 11 04 11 04 11 "
                "04 0E 04 22 04 22 04 22 04 22 07 00 07 00 07 00 "
                "07 00 07 00 07 00 07 00 07 00 07 00 07 09 00 40 "
                "04 08 04 80 04 00 04 00");
}

/* V2-MISS-07: nor do the values come of misses that were in such a group. */
static void misses_of_a_lost_group_have_no_values(void **state)
{
    struct etm_config c = config();
    struct etm_generator_config options = {.fifo_size = 16};
    const struct etm_event events[] = {
        after(1, start(ARM_8000)),
        after(6, arm(0x8000, LDM)),
        transfer(0x20000, 0x11111111),
        after(1, transfer(0x20004, 0x22222222)),
        transfer(0x20008, 0x33333333),
        after(1, tagged(transfer(0x2000c, 0), 3)), /* 13 + 7 do not fit */
        tagged(transfer(0x20010, 0), 4),
        transfer(0x20014, 0x44444444),
        idle(20),
        after(1, arm(0x8004, MOV)),
        after(6, arm(0x8008, MOV)),
        after(1, value(0x55, 3)),
        after(1, value(0x66, 4))};

    (void)state;
    c.data_address = false;
    become_port(&c, options, events, COUNT(events),
                "07 09 04 20 04 00 04 80 04 00 04 00 01 2E 05 11 "
                "04 11 04 11 04 11 04 8E 04 22 04 22 04 22 04 22 "
                "04 0E 04 33 04 33 04 33 04 33 07 00 07 00 07 00 "
                "07 00 07 00 07 00 07 00 07 00 07 09 04 40 04 08 "
                "04 80 04 00 04 00 00 00 07 00 07 00");
}

/* V2-TFOP-04 to -07, E-263 */
static void tracing_begins_while_data_move(void **state)
{
    struct etm_config c = config();
    struct etm_event under = after(1, start(place(0x8084, ETM_ISA_ARM)));
    struct etm_event events[] = {arm(0x8000, LDM), transfer(0x20000, 1), under,
                                 after(12, arm(0x8084, MOV))};

    (void)state;
    events[2].u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    PORT(&c, events,
         "07 09 04 A0 04 00 04 80 04 00 04 00 04 43 07 00 "
         "07 00 07 00 07 00 07 00 00 00");
    events[2].u.trace_on.in_progress = ETM_IN_PROGRESS_ALONE;
    events[3].cycles = 9;
    PORT(&c, events,
         "07 09 01 20 04 00 04 80 04 00 04 00 04 43 07 00 "
         "07 00 00 00");
}

/* SIG-04, V2-CYC-02, V2-PIPE-02: a BL of Thumb code has two statuses. If it had
 * one cycle only, the waiting after it has a record less; so there are as many
 * records as cycles. E-273, E-274 */
static void a_cycle_that_was_borrowed_is_given_back(void **state)
{
    struct etm_config c = config();
    const struct etm_event events[] = {
        start(place(0x8000, ETM_ISA_THUMB)), after(6, thumb(0x8000, NOP_T)),
        after(1, thumb(0x8002, BL_T)),       after(3, thumb(0x8006, NOP_T)),
        after(1, thumb(0x8008, NOP_T)),      after(2, thumb(0x800a, BL_T)),
        after(3, thumb(0x800e, NOP_T))};

    (void)state;
    c.cycle_accurate = true;
    PORT(&c, events,
         "07 09 04 20 04 01 04 80 04 00 04 00 00 00 00 00 00 00 07 07 00 00 "
         "00 00 00 00 00 00 07 07 07 07 00 00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracing_begins_with_a_tfo),
        cmocka_unit_test(reasons_stand_in_the_header),
        cmocka_unit_test(idle_cycles_are_marked_while_cycles_count),
        cmocka_unit_test(interrupts_cancel_an_instruction),
        cmocka_unit_test(svc_and_data_aborts_do_not_cancel),
        cmocka_unit_test(what_the_version_cannot_trace_is_refused),
        cmocka_unit_test(direct_branches_are_folded),
        cmocka_unit_test(a_reset_tells_the_context_id_again),
        cmocka_unit_test(loads_that_miss),
        cmocka_unit_test(a_miss_that_is_left_out_has_no_value),
        cmocka_unit_test(a_trigger_replaces_the_status),
        cmocka_unit_test(synchronization_is_periodic),
        cmocka_unit_test(synchronization_that_is_not_possible_is_an_overflow),
        cmocka_unit_test(an_overflow_loses_whole_groups),
        cmocka_unit_test(misses_of_a_lost_group_have_no_values),
        cmocka_unit_test(tracing_begins_while_data_move),
        cmocka_unit_test(a_cycle_that_was_borrowed_is_given_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
