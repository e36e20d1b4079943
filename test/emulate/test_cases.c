/* SPDX-License-Identifier: Apache-2.0 */
/* Small cases, each a few instructions: what exactly the events say. */
#include "support.h"

#include <string.h>

struct expected {
    uint8_t kind;
    uint32_t address; /* of an insn or a transfer; of an exception its type */
    uint32_t detail;  /* passed; value; cancels */
};

#define PLACE                                                                  \
    {                                                                          \
        ETM_EVENT_PLACE, 0, 0                                                  \
    }
#define INSN(address, passed)                                                  \
    {                                                                          \
        ETM_EVENT_INSN, address, passed                                        \
    }
#define DATA(address, value)                                                   \
    {                                                                          \
        ETM_EVENT_DATA, address, value                                         \
    }
#define EXCEPTION(type, cancels)                                               \
    {                                                                          \
        ETM_EVENT_EXCEPTION, type, cancels                                     \
    }
#define WAIT                                                                   \
    {                                                                          \
        ETM_EVENT_WAIT, 0, 0                                                   \
    }
#define CONTEXT(id)                                                            \
    {                                                                          \
        ETM_EVENT_CONTEXT, id, 0                                               \
    }
#define STACKING(pop)                                                          \
    {                                                                          \
        ETM_EVENT_STACKING, 0, pop                                             \
    }

static struct expected shown(const struct etm_event *e)
{
    switch ((enum etm_event_kind)e->kind) {
    case ETM_EVENT_INSN:
        return (struct expected)INSN(e->u.insn.address, e->u.insn.passed);
    case ETM_EVENT_DATA:
        return (struct expected)DATA(e->u.data.address,
                                     (uint32_t)e->u.data.value);
    case ETM_EVENT_EXCEPTION:
        return (struct expected)EXCEPTION(e->u.exception.type,
                                          e->u.exception.cancels);
    case ETM_EVENT_CONTEXT:
        return (struct expected)CONTEXT(e->u.context.context_id);
    case ETM_EVENT_STACKING:
        return (struct expected)STACKING(e->u.stacking.pop);
    case ETM_EVENT_PLACE:
    case ETM_EVENT_WAIT:
    case ETM_EVENT_DATA_VALUE:
    case ETM_EVENT_SUPPRESS:
    case ETM_EVENT_TIMESTAMP:
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_ON:
    case ETM_EVENT_TRACE_OFF:
    case ETM_EVENT_IDLE:
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
        break;
    }
    return (struct expected){e->kind, 0, 0};
}

/* The first events of a run are these. */
static void assert_events(const struct recording *r,
                          const struct expected *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct expected e = shown(recording_event(r, i));

        if (e.kind != expected[i].kind || e.address != expected[i].address ||
            e.detail != expected[i].detail)
            fail_msg("event %zu: %s %x %x, not %s %x %x", i,
                     etm_event_kind_name((enum etm_event_kind)e.kind),
                     e.address, e.detail,
                     etm_event_kind_name((enum etm_event_kind)expected[i].kind),
                     expected[i].address, expected[i].detail);
    }
}

/* A vector table: the stack, and all handlers at 0x80 but `hard` at 0x90. */
#define M_TABLE                                                                \
    0x1000, 0x101, 0x81, 0x91, 0x81, 0x81, 0x81, 0, 0, 0, 0, 0x81, 0, 0, 0x81, \
        0x81, 0x81, 0x81

/* E-152 */
static void failing_instructions_of_an_it_block_are_given(void **state)
{
    /* cmp r0, r0; ittee eq; moveq r1, #1; moveq r2, #2; movne r3, #3;
     * movne r4, #4; bkpt 0 */
    static const uint16_t code[] = {0x4280, 0xbf07, 0x2101, 0x2202,
                                    0x2303, 0x2404, 0xbe00};
    static const struct expected events[] = {
        PLACE,      INSN(0, 1), INSN(2, 1),  INSN(4, 1),
        INSN(6, 1), INSN(8, 0), INSN(10, 0),
    };
    struct recording r;

    (void)state;
    run_code(&r, code, sizeof code, 1, A9);
    assert_events(&r, events, COUNT(events));
    assert_int_equal(r.events.n, COUNT(events));
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    assert_int_equal(r.result.address, 12);
    recording_close(&r);
}

/* The return leads to an instruction of the block that fails. */
static void an_exception_splits_an_it_block(void **state)
{
    /* movs pc, lr is the handler; cmp r0, r0; ite eq; svceq 1; movne r1, #1;
     * bkpt 0 */
    static const struct {
        uint32_t vectors[8];
        uint16_t code[6];
    } program = {{[2] = 0xe1b0f00e},
                 {0x4280, 0xbf0c, 0xdf01, 0x2101, 0xbe00, 0}};
    static const struct expected events[] = {PLACE,
                                             INSN(0x20, 1),
                                             INSN(0x22, 1),
                                             INSN(0x24, 1),
                                             EXCEPTION(ETM_EXCEPTION_SVC, 0),
                                             INSN(8, 1),
                                             INSN(0x26, 0)};
    struct recording r;

    (void)state;
    run_code(&r, &program, sizeof program, 0x21, A9);
    assert_events(&r, events, COUNT(events));
    assert_int_equal(recording_event(&r, 5)->u.insn.next.address, 0x26);
    assert_int_equal(r.events.n, COUNT(events));
    assert_int_equal(r.result.address, 0x28);
    recording_close(&r);
}

static void a_waiting_processor_lets_cycles_pass(void **state)
{
    /* cpsie if; wfi; bkpt 0 after vectors that stand still */
    static const uint32_t code[] = {
        0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000,
        0xe1200070, 0xe1200070, 0xf1080040, 0xe320f003, 0xe1200070};
    static const struct etm_interrupt irq = {.at = 1000,
                                             .kind = ETM_INTERRUPT_IRQ};
    struct etm_emulator_config config = A9;
    static const struct expected events[] = {PLACE, INSN(0x20, 1),
                                             INSN(0x24, 1), WAIT};
    struct recording r;

    (void)state;
    config.interrupts = &irq;
    config.n_interrupts = 1;
    run_code(&r, code, sizeof code, 0x20, config);
    assert_events(&r, events, COUNT(events));
    /* IRQ is masked: it wakes the processor, and is not taken */
    assert_int_equal(r.events.n, COUNT(events) + 1);
    assert_int_equal(recording_event(&r, 4)->kind, ETM_EVENT_IDLE);
    assert_int_equal(recording_event(&r, 4)->cycles, 998);
    assert_int_equal(r.result.address, 0x28);
    assert_int_equal(r.result.cycles, 2 + 998);
    recording_close(&r);
    run_code(&r, code, sizeof code, 0x20, A9);
    assert_int_equal(r.result.end, ETM_RUN_END_WAITING);
    recording_close(&r);
}

static void a_data_abort_cancels(void **state)
{
    /* vectors of branches to themselves; mov r0, #0x70000000;
     * ldmda r0, {r1, r2} */
    static const uint32_t code[] = {
        0xeafffffe, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070,
        0xeafffffe, 0xeafffffe, 0xeafffffe, 0xe3a00207, 0xe8100006};
    static const struct expected events[] = {
        PLACE, INSN(0x20, 1), INSN(0x24, 1),
        EXCEPTION(ETM_EXCEPTION_DATA_ABORT, 1)};
    struct recording r;

    (void)state;
    run_code(&r, code, sizeof code, 0x20, A9);
    assert_events(&r, events, COUNT(events));
    assert_int_equal(r.result.address, 0x10);
    recording_close(&r);
}

static void an_undefined_instruction_completes(void **state)
{
    static const uint32_t code[] = {0xe1200070, 0xe1200070, 0xe1200070,
                                    0xe1200070, 0xe1200070, 0xe1200070,
                                    0xe1200070, 0xe1200070, 0xe7f000f0};
    static const struct expected events[] = {
        PLACE, INSN(0x20, 1), EXCEPTION(ETM_EXCEPTION_UNDEFINED, 0)};
    struct recording r;

    (void)state;
    run_code(&r, code, sizeof code, 0x20, A9);
    assert_events(&r, events, COUNT(events));
    recording_close(&r);
}

static void a_prefetch_abort_has_no_instruction(void **state)
{
    /* mov r0, #0x70000000; bx r0 */
    static const uint32_t code[] = {
        0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070,
        0xe1200070, 0xe1200070, 0xe1200070, 0xe3a00207, 0xe12fff10};
    static const struct expected events[] = {
        PLACE, INSN(0x20, 1), INSN(0x24, 1),
        EXCEPTION(ETM_EXCEPTION_PREFETCH_ABORT, 0)};
    struct recording r;

    (void)state;
    run_code(&r, code, sizeof code, 0x20, A9);
    assert_events(&r, events, COUNT(events));
    assert_int_equal(recording_event(&r, 2)->u.insn.next.address, 0x70000000);
    recording_close(&r);
}

static void coprocessor_registers_are_data(void **state)
{
    /* mov r0, #0x42; mcr p15, 0, r0, c13, c0, 1; mrc p15, 0, r1, c13, c0, 1;
     * bkpt */
    static const uint32_t code[] = {0xe3a00042, 0xee0d0f30, 0xee1d1f30,
                                    0xe1200070};
    static const struct expected events[] = {
        PLACE,         INSN(0, 1), INSN(4, 1),   DATA(0, 0x42),
        CONTEXT(0x42), INSN(8, 1), DATA(0, 0x42)};
    struct recording r;

    (void)state;
    run_code(&r, code, sizeof code, 0, A9);
    assert_events(&r, events, COUNT(events));
    assert_true(recording_event(&r, 3)->u.data.store);
    assert_false(recording_event(&r, 6)->u.data.store);
    recording_close(&r);
}

/* ETMIDR[16], E-366 */
static void the_pc_of_a_load_multiple_may_come_first(void **state)
{
    /* vectors of branches to themselves; mov sp, #0x1000; add r4, pc, #8;
     * push {r3, r4}; pop {r3, pc}; b .; mov r0, #0x70000000; sub r0, r0, #4;
     * ldm r0, {r3, pc} */
    static const uint32_t code[] = {
        0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe,
        0xeafffffe, 0xeafffffe, 0xe3a0da01, 0xe28f4008, 0xe92d0018, 0xe8bd8008,
        0xeafffffe, 0xe3a00207, 0xe2400004, 0xe8908008};
    static const struct expected events[] = {
        PLACE,
        INSN(0x20, 1),
        INSN(0x24, 1),
        INSN(0x28, 1),
        DATA(0xff8, 0),
        DATA(0xffc, 0x34),
        INSN(0x2c, 1),
        DATA(0xffc, 0x34),
        DATA(0xff8, 0),
        INSN(0x34, 1),
        INSN(0x38, 1),
        INSN(0x3c, 1),
        EXCEPTION(ETM_EXCEPTION_DATA_ABORT, 1)};
    static const struct etm_emulator_region before[] = {
        {.base = 0, .size = 0x2000}, {.base = 0x6ffff000, .size = 0x1000}};
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.core = "ARM1176JZF-S";
    config.pc_first = true;
    config.regions = before;
    config.n_regions = COUNT(before);
    run_code(&r, code, sizeof code, 0x20, config);
    assert_events(&r, events, COUNT(events));
    recording_close(&r);
}

static void interrupts_come_after_so_many_instructions(void **state)
{
    struct etm_emulator_config config = M3;
    static const struct etm_interrupt nmi = {.at = 600,
                                             .kind = ETM_INTERRUPT_NMI};
    struct recording r;
    size_t i = 0, instructions = 0;

    (void)state;
    config.interrupts = &nmi;
    config.n_interrupts = 1;
    recording_open(&r, "recurse-m3.elf", config);
    recording_run(&r);
    for (; recording_event(&r, i)->kind != ETM_EVENT_EXCEPTION; i++)
        instructions += recording_event(&r, i)->kind == ETM_EVENT_INSN;
    assert_int_equal(instructions, 600);
    assert_int_equal(recording_event(&r, i)->u.exception.type,
                     ETM_EXCEPTION_NMI);
    assert_int_equal(r.result.exit_status, 99);
    recording_close(&r);
}

/* Unicorn does not stop at once in ARM code that it has translated after an IT
 * block at the end of a piece of Thumb code. */
static void interrupts_come_in_arm_code_after_an_it_block(void **state)
{
    /* vectors, that of IRQ is subs pc, lr, #4; then mov r0, #0; blx 0x60;
     * cpsie i; five times add, one of them stores; b .; at 0x60 in Thumb state
     * cmp r0, #0; it eq; bxeq lr */
    static const uint32_t code[] = {
        0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070,
        0xe25ef004, 0xe1200070, 0xe3a00000, 0xfa00000d, 0xf1080080, 0xe2800001,
        0xe2800001, 0xe50d0004, 0xe2800001, 0xe2800001, 0xeafffffe, 0xe1200070,
        0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070, 0xe1200070,
        0xbf082800, 0x00004770};

    (void)state;
    for (uint64_t at = 6; at < 14; at++) {
        const struct etm_interrupt irq = {.at = at, .kind = ETM_INTERRUPT_IRQ};
        struct etm_emulator_config config = A9;
        struct recording r;
        uint32_t next = 0x20;
        unsigned taken = 0;

        config.interrupts = &irq;
        config.n_interrupts = 1;
        config.limit = 20;
        run_code(&r, code, sizeof code, 0x20, config);
        assert_int_equal(r.result.end, ETM_RUN_END_LIMIT);
        for (size_t i = 0; i < r.events.n; i++) {
            const struct etm_event *e = recording_event(&r, i);

            if (e->kind == ETM_EVENT_EXCEPTION) {
                assert_int_equal(e->u.exception.next.address, 0x18);
                next = 0x18;
                taken++;
            } else if (e->kind == ETM_EVENT_INSN) {
                assert_int_equal(e->u.insn.address, next);
                next = e->u.insn.next.address;
            }
        }
        assert_int_equal(taken, 1);
        assert_int_equal(r.result.transfers, 1);
        recording_close(&r);
    }
}

static void an_m_profile_fault_pushes_and_cancels(void **state)
{
    static const struct {
        uint32_t table[0x100 / 4];
        uint16_t code[4];
    } program = {{M_TABLE, [0x90 / 4] = 0xbe00be00},
                 {0x2001, 0xde05, 0xbe00, 0xbe00}}; /* movs r0, #1; udf #5 */
    static const struct expected events[] = {
        PLACE,
        INSN(0x100, 1),
        INSN(0x102, 1),
        STACKING(0),
        DATA(0xfe0, 1),
        DATA(0xfe4, 0),
        DATA(0xfe8, 0),
        DATA(0xfec, 0),
        DATA(0xff0, 0),
        DATA(0xff4, 0xffffffff),
        DATA(0xff8, 0x102),
        DATA(0xffc, 0x01000000),
        EXCEPTION(ETM_EXCEPTION_HARD_FAULT, 1)};
    struct recording r;

    (void)state;
    run_code(&r, &program, sizeof program, 0x101, M3);
    assert_events(&r, events, COUNT(events));
    assert_int_equal(r.result.address, 0x90);
    recording_close(&r);
}

/* The handler that interrupts chain to is entered without a push. E-151 */
static void chained_exceptions_push_once(void **state)
{
    static const struct etm_interrupt both[] = {
        {.at = 3, .kind = ETM_INTERRUPT_PEND_SV},
        {.at = 3, .kind = ETM_INTERRUPT_SYS_TICK}};
    static const struct {
        uint32_t table[0x100 / 4];
        uint16_t code[4];
    } program = {{M_TABLE, [0x80 / 4] = 0x47704770}, /* bx lr */
                 {0xbf00, 0xbf00, 0xbf00, 0xbe00}};
    struct etm_emulator_config config = M3;
    struct recording r;
    unsigned pushes = 0, pops = 0, chains = 0;

    (void)state;
    config.interrupts = both;
    config.n_interrupts = 2;
    run_code(&r, &program, sizeof program, 0x101, config);
    for (size_t i = 0; i < r.events.n; i++) {
        const struct etm_event *e = recording_event(&r, i);

        pushes += e->kind == ETM_EVENT_STACKING && !e->u.stacking.pop;
        pops += e->kind == ETM_EVENT_STACKING && e->u.stacking.pop;
        chains += e->kind == ETM_EVENT_EXCEPTION &&
                  e->u.exception.chain == ETM_CHAIN_TAIL;
    }
    assert_int_equal(r.result.exceptions, 2);
    assert_int_equal(pushes, 1);
    assert_int_equal(pops, 1);
    assert_int_equal(chains, 1);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    assert_int_equal(r.result.address, 0x106);
    recording_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_instructions_of_an_it_block_are_given),
        cmocka_unit_test(an_exception_splits_an_it_block),
        cmocka_unit_test(a_waiting_processor_lets_cycles_pass),
        cmocka_unit_test(a_data_abort_cancels),
        cmocka_unit_test(an_undefined_instruction_completes),
        cmocka_unit_test(a_prefetch_abort_has_no_instruction),
        cmocka_unit_test(coprocessor_registers_are_data),
        cmocka_unit_test(the_pc_of_a_load_multiple_may_come_first),
        cmocka_unit_test(interrupts_come_after_so_many_instructions),
        cmocka_unit_test(interrupts_come_in_arm_code_after_an_it_block),
        cmocka_unit_test(an_m_profile_fault_pushes_and_cancels),
        cmocka_unit_test(chained_exceptions_push_once),
    };

    if (!etm_emulator_available())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
